//! Arguments that are derivable with every value or with none.
//!
//! An argument is *free* if every clause that derives the predicate takes it from nowhere or from
//! free arguments of its body: its variable, with those that it is said to equal, occurs in no
//! other conjunct, and once in the head. By induction, a fact stays derivable if the values of its
//! free arguments change. So the arguments are dropped; where the predicate is used, their
//! variables are bound by nothing any more. The greatest fixpoint is taken.
//!
//! An integer beside an array stays if it is an index somewhere, or equals one: `p(this, a)` can
//! say what `a[this]` is, `p(a)` could say that only of all indices at once.
//!
//! A refutation is translated from its end: who uses a fact says which values its free arguments
//! are to have, and these are passed on to the facts that it was derived from. A fact that is used
//! with different values is derived several times.

use std::collections::BTreeMap;

use shofar_base::{IndexVec, Map, Outcome, Set};
use shofar_chc::{
    BackTranslation, ChcSystem, Clause, ClauseId, Derivation, DerivationStep, Hint, Interpretation,
    NormalAtom, NormalSystem, PredId, Translated,
};
use shofar_term::eval::Value;
use shofar_term::symbols::free_symbols;
use shofar_term::visit::postorder;
use shofar_term::{ArrayKind, Cx, Symbol, Term, TermStore};

use crate::Pass;
use crate::back::{Meaning, Origin, WayBack, unchanged};
use crate::normalize::on_normal;
use crate::reshape::{Kept, all, positions, reshape, reshaped};
use crate::slice::{Partition, equal_variables};
use crate::stepwise::LONGEST;

/// Drops arguments that are derivable with every value or with none; see the module documentation.
#[derive(Clone, Copy, Debug, Default)]
pub struct FreeArguments;

impl Pass for FreeArguments {
    fn name(&self) -> &'static str {
        "free"
    }
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        on_normal(cx, source, |cx, source| {
            let (kept, followers) = kept(cx, &source)?;
            if kept.iter().flatten().all(|&keep| keep) {
                return Ok(unchanged(source.into_clauses()));
            }
            Ok(without(cx.store, source, kept, followers))
        })
    }
}

/// For each clause and each argument of its head: the variables that are equal to it, if nothing
/// else is said of them.
type Followers = IndexVec<ClauseId, Vec<Option<Vec<Symbol>>>>;

/// The arguments that are not free, and what follows those that are.
fn kept(cx: &mut Cx<'_>, source: &NormalSystem) -> Outcome<(Kept, Followers)> {
    let mut followers: Followers = IndexVec::new();
    for (id, clause) in source.clauses() {
        cx.budget.check()?;
        let head = source.head(id);
        let _: ClauseId = followers
            .push(head.map_or_else(Vec::new, |head| untouched(cx.store, head, clause.constraint)));
    }
    let mut kept = indices(cx, source)?;
    let mut changed = true;
    while changed {
        cx.budget.check()?;
        changed = false;
        for (id, clause) in source.clauses() {
            let Some(head) = &clause.head else { continue };
            let bound: Set<Symbol> = at_places(source.body(id), &kept, true).flatten().collect();
            for (at, own) in followers[id].iter().enumerate() {
                let is_free = |own: &Vec<Symbol>| own.iter().all(|symbol| !bound.contains(symbol));
                if !kept[head.pred][at] && !own.as_ref().is_some_and(is_free) {
                    kept[head.pred][at] = true;
                    changed = true;
                }
            }
        }
    }
    Ok((kept, followers))
}

/// The integers beside arrays that are an index in a clause, or equal to an index or such an
/// argument.
fn indices(cx: &mut Cx<'_>, source: &NormalSystem) -> Outcome<Kept> {
    let mut found = all(cx.store, source, false);
    let mut candidates = all(cx.store, source, false);
    for pred in source.preds() {
        let sorts = source.sorts(cx.store, pred);
        if sorts.iter().any(|&sort| cx.store.array_parts(sort).is_some()) {
            candidates[pred] = sorts.iter().map(|sort| sort.is_int()).collect();
        }
    }
    let mut classes: Vec<(ClauseId, Classes)> =
        source.clauses().map(|(id, clause)| (id, Classes::of(cx.store, clause))).collect();
    let mut changed = true;
    while changed {
        cx.budget.check()?;
        changed = false;
        for (id, classes) in &mut classes {
            for atom in source.atoms(*id) {
                for (at, &symbol) in
                    atom.args.iter().enumerate().filter(|&(at, _)| candidates[atom.pred][at])
                {
                    if found[atom.pred][at] {
                        changed |= classes.mark(symbol);
                    } else if classes.is_marked(symbol) {
                        found[atom.pred][at] = true;
                        changed = true;
                    }
                }
            }
        }
    }
    Ok(found)
}

/// The variables of a clause by equality; those that are an index are marked.
#[derive(Default)]
struct Classes {
    partition: Partition,
    nodes: Map<Symbol, usize>,
}

impl Classes {
    fn of(store: &TermStore, clause: &Clause) -> Self {
        let mut this = Self::default();
        for part in store.conjuncts(&[clause.constraint]) {
            if let Some((a, b)) = equal_variables(store, part) {
                let (a, b) = (this.node(a), this.node(b));
                this.partition.join(a, b);
            }
        }
        for term in postorder(store, &[clause.constraint]) {
            if let Some(ArrayKind::Select(_, index) | ArrayKind::Store(_, index, _)) =
                store.array_kind(term)
                && let Some(symbol) = store.symbol(index)
            {
                this.mark(symbol);
            }
        }
        this
    }
    fn node(&mut self, symbol: Symbol) -> usize {
        *self.nodes.entry(symbol).or_insert_with(|| self.partition.push())
    }
    /// Marks the class of a variable; whether it was not.
    fn mark(&mut self, symbol: Symbol) -> bool {
        let node = self.node(symbol);
        let was_marked = self.partition.is_marked(node);
        self.partition.mark(node);
        !was_marked
    }
    fn is_marked(&mut self, symbol: Symbol) -> bool {
        let node = self.node(symbol);
        self.partition.is_marked(node)
    }
}

/// For each atom, its variables at arguments that are kept, or at those that are not.
fn at_places<'a>(
    atoms: &'a [NormalAtom],
    kept: &'a Kept,
    keep: bool,
) -> impl Iterator<Item = Vec<Symbol>> + 'a {
    atoms.iter().map(move |atom| {
        let args = atom.args.iter().zip(&kept[atom.pred]);
        args.filter(|&(_, &kept)| kept == keep).map(|(&arg, _)| arg).collect()
    })
}

/// For each argument of `head` the variables equal to it, if they occur in no other conjunct and
/// the head has no other one.
fn untouched(store: &TermStore, head: &NormalAtom, constraint: Term) -> Vec<Option<Vec<Symbol>>> {
    let mut partition = Partition::default();
    let mut nodes: Map<Symbol, usize> = Map::default();
    let mut touched: Set<Symbol> = Set::default();
    let mut node = |partition: &mut Partition, symbol: Symbol| {
        *nodes.entry(symbol).or_insert_with(|| partition.push())
    };
    for part in store.conjuncts(&[constraint]) {
        if let Some((a, b)) = equal_variables(store, part) {
            let (a, b) = (node(&mut partition, a), node(&mut partition, b));
            partition.join(a, b);
        } else {
            touched.extend(free_symbols(store, &[part]));
        }
    }
    for &symbol in touched.sorted() {
        let node = node(&mut partition, symbol);
        partition.mark(node);
    }
    let heads: Vec<usize> = head.args.iter().map(|&arg| node(&mut partition, arg)).collect();
    let mut members: BTreeMap<usize, Vec<Symbol>> = BTreeMap::new();
    for (&symbol, &node) in nodes.sorted() {
        members.entry(partition.find(node)).or_default().push(symbol);
    }
    let mut uses: BTreeMap<usize, usize> = BTreeMap::new();
    for &node in &heads {
        *uses.entry(partition.find(node)).or_default() += 1;
    }
    let follower = |&node: &usize| {
        let root = partition.find(node);
        (uses[&root] == 1 && !partition.is_marked(root)).then(|| members[&root].clone())
    };
    heads.iter().map(follower).collect()
}

/// The system without the arguments that are free.
fn without(
    store: &mut TermStore,
    source: NormalSystem,
    kept: Kept,
    followers: Followers,
) -> Translated<ChcSystem, ChcSystem> {
    let mut target = reshape(store, &source, &kept);
    let mut origins: IndexVec<ClauseId, Origin> = IndexVec::new();
    let mut free = IndexVec::new();
    for (id, clause) in source.clauses() {
        let _: ClauseId = free.push(at_places(source.body(id), &kept, false).collect());
        let head = clause.head.as_ref().map(|head| reshaped(head, &kept));
        let body = clause.body.iter().map(|atom| reshaped(atom, &kept)).collect();
        target.add_clause(Clause { head, body, ..clause.clone() });
        origins.push(Origin::Same(id));
    }
    let meaning =
        |pred: PredId| Meaning::Kept { pred, args: positions(&kept[pred]), fixed: Vec::new() };
    let meanings = source.preds().map(meaning).collect();
    let back = WayBack { source: source.into_clauses(), meanings, origins, eliminated: Vec::new() };
    (target, Box::new(WithFree { back, kept, followers, free }))
}

/// The way back.
struct WithFree {
    /// For models.
    back: WayBack,
    kept: Kept,
    followers: Followers,
    /// For each clause and each atom of its body: the variables at free arguments.
    free: IndexVec<ClauseId, Vec<Vec<Symbol>>>,
}

impl BackTranslation<ChcSystem, ChcSystem> for WithFree {
    fn hints(&self, store: &mut TermStore, hints: Vec<Hint>) -> Vec<Hint> {
        self.back.hints(store, hints)
    }
    fn model(&self, cx: &mut Cx<'_>, model: Interpretation) -> Outcome<Interpretation> {
        self.back.model(cx, model)
    }
    fn refutation(&self, cx: &mut Cx<'_>, mut refutation: Derivation) -> Outcome<Derivation> {
        if !refutation.is_ground() {
            // Where each step is asked for once, its place stays the same.
            let repeats = std::mem::take(&mut refutation.repeats);
            let translated = self.ground(cx, &refutation)?;
            let premises = |steps: &[DerivationStep]| -> Vec<Vec<usize>> {
                steps.iter().map(|step| step.premises.clone()).collect()
            };
            if premises(&translated.steps) == premises(&refutation.steps) {
                return Ok(Derivation { repeats, ..translated });
            }
            refutation = Derivation { repeats, ..refutation }.expanded(cx.store, LONGEST)?;
        }
        self.ground(cx, &refutation)
    }
}

/// The steps from the last to the first, with their numbers, by which premises are given, as a
/// derivation.
fn in_order(mut steps: Vec<DerivationStep>, numbers: &[usize]) -> Derivation {
    steps.reverse();
    let places: Map<usize, usize> =
        numbers.iter().rev().enumerate().map(|(place, &number)| (number, place)).collect();
    for premise in steps.iter_mut().flat_map(|step| &mut step.premises) {
        *premise = places[premise];
    }
    Derivation::ground(steps)
}

impl WithFree {
    fn ground(&self, cx: &mut Cx<'_>, refutation: &Derivation) -> Outcome<Derivation> {
        let count = refutation.steps.len();
        // What is asked of each step, with a number that grows towards the premises.
        let mut asked: Vec<BTreeMap<Vec<Value>, usize>> = vec![BTreeMap::new(); count];
        let mut made: Vec<DerivationStep> = Vec::new();
        if let Some(last) = asked.last_mut() {
            last.insert(Vec::new(), 0);
        }
        let mut next = 1;
        let mut numbers = Vec::new();
        for (at, step) in refutation.steps.iter().enumerate().rev() {
            for (values, number) in std::mem::take(&mut asked[at]) {
                cx.budget.check()?;
                let step = self.with_values(step, &values);
                let premises = step.premises.iter().enumerate().map(|(place, &premise)| {
                    let values = self.demand(cx.store, &step, place);
                    *asked[premise].entry(values).or_insert_with(|| {
                        next += 1;
                        next - 1
                    })
                });
                let premises = premises.collect();
                numbers.push(number);
                made.push(DerivationStep { premises, ..step });
            }
        }
        Ok(in_order(made, &numbers))
    }
    /// The step with these values for the free arguments of its head.
    fn with_values(&self, step: &DerivationStep, values: &[Value]) -> DerivationStep {
        let mut step = step.clone();
        let clause = self.back.source.clause(step.clause);
        let Some(head) = &clause.head else { return step };
        let free = (0..head.args.len()).filter(|&at| !self.kept[head.pred][at]);
        for (at, value) in free.zip(values) {
            for &symbol in self.followers[step.clause][at].iter().flatten() {
                step.assignment.set(symbol, value.clone());
            }
        }
        step
    }
    /// The values of the free arguments of an atom in the body.
    fn demand(&self, store: &TermStore, step: &DerivationStep, place: usize) -> Vec<Value> {
        let free = self.free[step.clause][place].iter();
        free.map(|&arg| step.assignment.get_or_default(store, arg)).collect()
    }
}
