//! Arguments that no query depends on.
//!
//! An argument is needed if a clause that uses the predicate says something about it. A conjunct
//! says nothing if it can always be made true by the choice of a variable that occurs in no other
//! conjunct and is not needed: a variable that is no argument, or an argument of the head that
//! nobody needs. Such conjuncts are taken away one by one, which may free further ones. What is
//! needed is the least fixpoint; the other arguments are dropped, together with the conjuncts that
//! say nothing.
//!
//! A refutation gets values for the dropped arguments of heads in the reverse order in which
//! conjuncts were taken away, so whatever values the dropped arguments of the body have, the step
//! is possible.
//!
//! Arguments and variables that are only passed on and compared with each other for equality form
//! *inert* classes ([`classes`]): a derivation stays one if all of a class get the same value. So
//! they are dropped together with their equalities, and a refutation gets the default of their sort
//! for them. A variable of an inert class never absorbs a conjunct.
//!
//! Source: redundant argument filtering [LS96], here with constraints; inert classes are ours.

mod classes;

use shofar_base::{Idx, IndexVec, Map, Outcome, Set};
use shofar_chc::{ChcGraph, ChcSystem, Clause, ClauseId, NormalSystem, PredId, Translated};
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Symbol, Term, TermStore};

use crate::Pass;
use crate::back::{Meaning, Origin, WayBack, unchanged};
use crate::normalize::on_normal;
use crate::reshape::{Kept, all, positions, reshape, reshaped};
use crate::solve::{definition_of, inequality, is_linear_in};
use crate::template::Template;
use classes::Classes;
pub(crate) use classes::{Partition, equal_variables};

/// So many conjuncts are looked at in all; beyond, nothing is done.
const EFFORT: usize = 5_000_000;
/// How often inert classes are looked for at most.
const ROUNDS: usize = 8;

/// Drops arguments that no query depends on; see the module documentation.
#[derive(Clone, Copy, Debug, Default)]
pub struct SliceArguments;

impl Pass for SliceArguments {
    fn name(&self) -> &'static str {
        "slice"
    }
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        on_normal(cx, source, |cx, source| {
            let views = source.clauses().map(|(_, clause)| View::new(cx.store, clause)).collect();
            let slice = match Slice::of(cx, &source, &views)? {
                Some(slice) if slice.needed.iter().flatten().any(|&needed| !needed) => slice,
                Some(_) | None => return Ok(unchanged(source.into_clauses())),
            };
            sliced(cx, source, &views, &slice)
        })
    }
}

/// What to drop.
struct Slice {
    /// The arguments that stay.
    needed: Kept,
    /// The variables of each clause that are in inert classes.
    inert: IndexVec<ClauseId, Set<Symbol>>,
}

impl Slice {
    /// What to drop from `source`; nothing if that is too much work to find out.
    fn of(
        cx: &mut Cx<'_>,
        source: &NormalSystem,
        views: &IndexVec<ClauseId, View>,
    ) -> Outcome<Option<Self>> {
        let inert = source.clauses().map(|_| Set::default()).collect();
        let Some(needed) = needed(cx, source, views, &inert)? else { return Ok(None) };
        let mut slice = Self { needed, inert };
        for _ in 0..ROUNDS {
            let Some(inert) = slice.more_inert(cx, source, views)? else { break };
            let Some(needed) = needed_with(cx, source, views, &inert)? else { break };
            slice = Self { needed, inert };
        }
        Ok(Some(slice))
    }
    /// Further inert classes among what is needed; nothing if there are none.
    fn more_inert(
        &self,
        cx: &mut Cx<'_>,
        source: &NormalSystem,
        views: &IndexVec<ClauseId, View>,
    ) -> Outcome<Option<IndexVec<ClauseId, Set<Symbol>>>> {
        let mut classes = Classes::new(&self.needed);
        for (id, _) in source.clauses() {
            cx.budget.check()?;
            classes.begin();
            let idle = views[id].idle(cx.store, (source, id), &self.needed, &self.inert[id]);
            for (at, symbols) in views[id].symbols.iter().enumerate() {
                if idle.gone[at] {
                    continue;
                }
                let equal = views[id].equal[at];
                if let Some((a, b)) = equal {
                    let (a, b) = (classes.variable(a), classes.variable(b));
                    classes.partition.join(a, b);
                    continue;
                }
                for &symbol in symbols {
                    let node = classes.variable(symbol);
                    classes.partition.mark(node);
                }
            }
            for atom in source.atoms(id) {
                for (at, &symbol) in atom.args.iter().enumerate() {
                    if self.needed[atom.pred][at] {
                        classes.occurs(symbol, atom.pred, at);
                    }
                }
            }
        }
        let mut found = classes.unmarked();
        if found.iter().all(Set::is_empty) {
            return Ok(None);
        }
        for (more, known) in found.iter_mut().zip(self.inert.iter()) {
            more.extend(known.sorted().into_iter().copied());
        }
        Ok(Some(found.into_iter().collect()))
    }
}

/// The arguments that are needed if `inert` are inert; nothing if that is too much work, or if they
/// are not.
fn needed_with(
    cx: &mut Cx<'_>,
    source: &NormalSystem,
    views: &IndexVec<ClauseId, View>,
    inert: &IndexVec<ClauseId, Set<Symbol>>,
) -> Outcome<Option<Kept>> {
    let Some(needed) = needed(cx, source, views, inert)? else { return Ok(None) };
    for (id, _) in source.clauses() {
        for atom in source.atoms(id) {
            for (at, symbol) in atom.args.iter().enumerate() {
                if needed[atom.pred][at] && inert[id].contains(symbol) {
                    return Ok(None);
                }
            }
        }
    }
    Ok(Some(needed))
}

/// The arguments that are needed; nothing if that is too much work to find out.
fn needed(
    cx: &mut Cx<'_>,
    source: &NormalSystem,
    views: &IndexVec<ClauseId, View>,
    inert: &IndexVec<ClauseId, Set<Symbol>>,
) -> Outcome<Option<Kept>> {
    let mut needed = all(cx.store, source, false);
    let graph = ChcGraph::new(source);
    let mut work: Vec<ClauseId> = source.clauses().map(|(id, _)| id).collect();
    let mut waiting: Set<ClauseId> = work.iter().copied().collect();
    let mut effort = EFFORT;
    while let Some(id) = work.pop() {
        cx.budget.check()?;
        waiting.remove(&id);
        effort = effort.saturating_sub(1 + views[id].parts.len());
        if effort == 0 {
            return Ok(None);
        }
        let idle = views[id].idle(cx.store, (source, id), &needed, &inert[id]);
        for atom in source.body(id) {
            let mut news = false;
            for (at, &symbol) in atom.args.iter().enumerate() {
                if !needed[atom.pred][at] && idle.says_something(symbol) {
                    needed[atom.pred][at] = true;
                    news = true;
                }
            }
            if news {
                let users = graph.incoming(atom.pred).iter();
                work.extend(users.filter(|&&user| waiting.insert(user)));
            }
        }
    }
    Ok(Some(needed))
}

/// The conjuncts of a clause.
struct View {
    parts: Vec<Term>,
    symbols: Vec<Vec<Symbol>>,
    /// The variables that a conjunct says are equal, if it says nothing else.
    equal: Vec<Option<(Symbol, Symbol)>>,
    /// The conjuncts that each variable occurs in.
    places: Map<Symbol, Vec<usize>>,
}

/// The conjuncts that say nothing.
struct Idle {
    /// Whether each conjunct is taken away.
    gone: Vec<bool>,
    /// In how many other conjuncts each variable occurs.
    left: Map<Symbol, usize>,
    /// The variables that absorbed conjuncts by an equation, and the value they got, in this
    /// order.
    values: Vec<(Symbol, Term)>,
}

impl Idle {
    /// Takes the conjunct at `at` away, which has these variables.
    fn take(&mut self, at: usize, symbols: &[Symbol]) {
        self.gone[at] = true;
        for symbol in symbols {
            *self.left.get_mut(symbol).expect("all variables are counted") -= 1;
        }
    }
    fn says_something(&self, symbol: Symbol) -> bool {
        self.left.get(&symbol).is_some_and(|&left| left > 0)
    }
}

impl View {
    fn new(store: &TermStore, clause: &Clause) -> Self {
        let parts = store.conjuncts(&[clause.constraint]);
        let symbols: Vec<Vec<Symbol>> =
            parts.iter().map(|&part| free_symbols(store, &[part])).collect();
        let mut places: Map<Symbol, Vec<usize>> = Map::default();
        for (at, symbols) in symbols.iter().enumerate() {
            for &symbol in symbols {
                places.entry(symbol).or_default().push(at);
            }
        }
        let equal = parts.iter().map(|&part| equal_variables(store, part)).collect();
        Self { parts, symbols, equal, places }
    }
    /// Takes the equalities of inert variables away, then conjuncts while some variable that is not
    /// needed absorbs one.
    fn idle(
        &self,
        store: &mut TermStore,
        (source, id): (&NormalSystem, ClauseId),
        needed: &Kept,
        inert: &Set<Symbol>,
    ) -> Idle {
        let mut fixed: Set<Symbol> = inert.clone();
        fixed.extend(source.body(id).iter().flat_map(|atom| atom.args.iter().copied()));
        if let Some(head) = source.head(id) {
            let args = head.args.iter().zip(&needed[head.pred]).filter(|&(_, &needed)| needed);
            fixed.extend(args.map(|(&arg, _)| arg));
        }
        let places = self.places.sorted();
        let mut idle = Idle {
            gone: vec![false; self.parts.len()],
            left: places.iter().map(|&(&symbol, places)| (symbol, places.len())).collect(),
            values: Vec::new(),
        };
        for (at, equal) in self.equal.iter().enumerate() {
            if let Some((a, b)) = equal
                && inert.contains(a)
                && inert.contains(b)
            {
                idle.take(at, &self.symbols[at]);
            }
        }
        let symbols = places.iter().map(|&(&symbol, _)| symbol);
        let mut work: Vec<Symbol> = symbols.filter(|s| !fixed.contains(s)).collect();
        while let Some(symbol) = work.pop() {
            if idle.left[&symbol] != 1 {
                continue;
            }
            let at = self.places[&symbol].iter().copied().find(|&at| !idle.gone[at]);
            let at = at.expect("one occurrence is left");
            let value = definition_of(store, self.parts[at], symbol);
            if value.is_none() && !absorbs(store, self.parts[at], symbol) {
                continue;
            }
            idle.take(at, &self.symbols[at]);
            idle.values.extend(value.map(|value| (symbol, value)));
            work.extend(self.symbols[at].iter().filter(|&other| !fixed.contains(other)));
        }
        idle
    }
}

/// Whether some value of `symbol` makes the inequality or disequality `part` true, whatever the
/// other values are.
fn absorbs(store: &mut TermStore, part: Term, symbol: Symbol) -> bool {
    if let Some((linear, _)) = inequality(store, part) {
        return is_linear_in(store, &linear, symbol);
    }
    let (atom, negated) = store.strip_not(part);
    let Some((form, _)) = store.equation(atom) else { return false };
    let linear = store.linear(form);
    negated && is_linear_in(store, &linear, symbol)
}

/// The system without the arguments that are not needed.
fn sliced(
    cx: &mut Cx<'_>,
    source: NormalSystem,
    views: &IndexVec<ClauseId, View>,
    Slice { needed, inert }: &Slice,
) -> Outcome<Translated<ChcSystem, ChcSystem>> {
    let mut target = reshape(cx.store, &source, needed);
    let mut origins: IndexVec<ClauseId, Origin> = IndexVec::new();
    for (id, clause) in source.clauses() {
        cx.budget.check()?;
        let view = &views[id];
        let idle = view.idle(cx.store, (&source, id), needed, &inert[id]);
        let rest: Vec<Term> =
            (0..view.parts.len()).filter(|&at| !idle.gone[at]).map(|at| view.parts[at]).collect();
        let constraint = cx.store.and(&rest);
        let head = clause.head.as_ref().map(|head| reshaped(head, needed));
        let body = clause.body.iter().map(|atom| reshaped(atom, needed)).collect();
        let mut template = Template::of(cx.store, &source, id);
        for &symbol in inert[id].sorted() {
            let default = cx.store.default_term(cx.store.result(symbol));
            template.completion.push((symbol, default));
        }
        template.completion.extend(idle.values.into_iter().rev());
        let args = head.as_ref().map_or_else(Vec::new, |head| head.args.clone());
        let made: ClauseId = origins.push(Origin::Made { head: args, templates: vec![template] });
        debug_assert_eq!(made.index(), id.index());
        target.add_clause(Clause { head, body, constraint, span: clause.span });
    }
    let meaning =
        |pred: PredId| Meaning::Kept { pred, args: positions(&needed[pred]), fixed: Vec::new() };
    let meanings = source.preds().map(meaning).collect();
    Ok((
        target,
        Box::new(WayBack {
            source: source.into_clauses(),
            meanings,
            origins,
            eliminated: Vec::new(),
        }),
    ))
}
