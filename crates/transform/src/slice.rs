//! Arguments that no query depends on.
//!
//! An argument is needed if a clause that uses the predicate says something about it. A conjunct says nothing if it can
//! always be made true by the choice of a variable that occurs in no other conjunct and is not needed: a variable that is
//! no argument, or an argument of the head that nobody needs. Such conjuncts are taken away one by one, which may free
//! further ones. What is needed is the least fixpoint; the other arguments are dropped, together with the conjuncts that
//! say nothing.
//!
//! A refutation gets values for the dropped arguments of heads in the reverse order in which conjuncts were taken away, so
//! whatever values the dropped arguments of the body have, the step is possible.
//!
//! Source: redundant argument filtering [LS96], here with constraints.

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

/// So many conjuncts are looked at in all; beyond, nothing is done.
const EFFORT: usize = 5_000_000;

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
            let needed = match needed(cx, &source)? {
                Some(needed) if needed.iter().flatten().any(|&needed| !needed) => needed,
                Some(_) | None => return Ok(unchanged(source.into_clauses())),
            };
            sliced(cx, source, &needed)
        })
    }
}

/// The arguments that are needed; nothing if that is too much work to find out.
fn needed(cx: &mut Cx<'_>, source: &NormalSystem) -> Outcome<Option<Kept>> {
    let mut needed = all(cx.store, source, false);
    let graph = ChcGraph::new(source);
    let views: IndexVec<ClauseId, View> =
        source.clauses().map(|(_, clause)| View::new(cx.store, clause)).collect();
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
        let clause = source.clause(id);
        let idle = views[id].idle(cx.store, clause, &needed);
        for atom in &clause.body {
            let mut news = false;
            for (at, &arg) in atom.args.iter().enumerate() {
                if !needed[atom.pred][at] && idle.says_something(symbol(cx.store, arg)) {
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

fn symbol(store: &TermStore, arg: Term) -> Symbol {
    let Some(symbol) = store.symbol(arg) else {
        unreachable!("arguments of normal clauses are variables")
    };
    symbol
}

/// The conjuncts of a clause.
struct View {
    parts: Vec<Term>,
    symbols: Vec<Vec<Symbol>>,
    /// The conjuncts that each variable occurs in.
    places: Map<Symbol, Vec<usize>>,
}

/// The conjuncts that say nothing.
struct Idle {
    /// Whether each conjunct is taken away.
    gone: Vec<bool>,
    /// In how many other conjuncts each variable occurs.
    left: Map<Symbol, usize>,
    /// The variables that absorbed conjuncts by an equation, and the value they got, in this order.
    values: Vec<(Symbol, Term)>,
}

impl Idle {
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
        Self { parts, symbols, places }
    }
    /// Takes conjuncts away while some variable that is not needed absorbs one.
    fn idle(&self, store: &mut TermStore, clause: &Clause, needed: &Kept) -> Idle {
        let mut fixed: Set<Symbol> = Set::default();
        let body = clause.body.iter().flat_map(|atom| &atom.args);
        fixed.extend(body.map(|&arg| symbol(store, arg)));
        if let Some(head) = &clause.head {
            let args = head.args.iter().zip(&needed[head.pred]).filter(|&(_, &needed)| needed);
            fixed.extend(args.map(|(&arg, _)| symbol(store, arg)));
        }
        let places = self.places.sorted();
        let mut idle = Idle {
            gone: vec![false; self.parts.len()],
            left: places.iter().map(|&(&symbol, places)| (symbol, places.len())).collect(),
            values: Vec::new(),
        };
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
            idle.gone[at] = true;
            idle.values.extend(value.map(|value| (symbol, value)));
            for &other in &self.symbols[at] {
                *idle.left.get_mut(&other).expect("all variables are counted") -= 1;
                if !fixed.contains(&other) {
                    work.push(other);
                }
            }
        }
        idle
    }
}

/// Whether some value of `symbol` makes the inequality or disequality `part` true, whatever the other values are.
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
    needed: &Kept,
) -> Outcome<Translated<ChcSystem, ChcSystem>> {
    let mut target = reshape(cx.store, &source, needed);
    let mut origins: IndexVec<ClauseId, Origin> = IndexVec::new();
    for (id, clause) in source.clauses() {
        cx.budget.check()?;
        let view = View::new(cx.store, clause);
        let idle = view.idle(cx.store, clause, needed);
        let rest: Vec<Term> =
            (0..view.parts.len()).filter(|&at| !idle.gone[at]).map(|at| view.parts[at]).collect();
        let constraint = cx.store.and(&rest);
        let head = clause.head.as_ref().map(|head| reshaped(head, needed));
        let body = clause.body.iter().map(|atom| reshaped(atom, needed)).collect();
        let mut template = Template::of(cx.store, &source, id);
        template.completion = idle.values.into_iter().rev().collect();
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
