//! Linear systems as one loop.
//!
//! A state is a location, one for each predicate, with values in slots that stand for the
//! predicate's arguments. Facts are initial states, clauses from predicate to predicate are steps,
//! queries say which states are bad. Arguments of the same sort share slots across predicates.
//! Slots that the predicate of a location does not use have any value there.
//!
//! A system with one predicate needs no location: the loop is the predicate itself. A query without
//! a body starts in a location of its own, which is bad.
//!
//! Source: the construction is folklore; [BBS23] uses it for Horn clauses.
//! Invariant: the codes of different locations differ, and every initial state and step sets the
//! whole code.

mod places;
mod witness;

use shofar_base::{GaveUp, Idx, IndexVec, Map, Outcome};
use shofar_chc::{
    ChcSystem, ClauseId, LinearSystem, NormalSystem, PredId, Transformation, TransitionSystem,
    Translated,
};
use shofar_term::substitute::Substitution;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Sort, Symbol, Term, TermStore};

/// Up to so many locations get a Boolean each; beyond, they are numbered in binary.
const ONE_HOT: usize = 32;

/// Makes a transition system of a linear system of clauses.
#[derive(Clone, Copy, Debug, Default)]
pub struct SingleLoop;

impl Transformation<NormalSystem, TransitionSystem> for SingleLoop {
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: NormalSystem,
    ) -> Outcome<Translated<NormalSystem, TransitionSystem>> {
        let (system, back) = Self::of(cx, source)?;
        Ok((system, Box::new(back)))
    }
}

impl SingleLoop {
    /// The loop of `source`, and the way back, which knows where predicates and their arguments are
    /// in a state.
    pub fn of(cx: &mut Cx<'_>, source: NormalSystem) -> Outcome<(TransitionSystem, Locations)> {
        let Some(linear) = LinearSystem::of(&source) else {
            return Err(GaveUp::unsupported("a nonlinear system is not one loop"));
        };
        let layout = Layout::new(cx.store, linear);
        let (mut init, mut step, mut bad) = (Vec::new(), Vec::new(), Vec::new());
        for (id, clause) in linear.clauses() {
            cx.budget.check()?;
            let formula = layout.formula(cx.store, linear, id);
            match (linear.premise(id), &clause.head) {
                (None, _) => init.push(formula),
                (Some(_), Some(_)) => step.push(formula),
                (Some(_), None) => bad.push(formula),
            }
        }
        if let Some(failed) = &layout.failed {
            bad.push(code(cx.store, &layout.bits, failed));
        }
        let system = TransitionSystem {
            state: layout.bits.iter().chain(&layout.slots).copied().collect(),
            next: layout.next_bits.iter().chain(&layout.next_slots).copied().collect(),
            init: cx.store.or(&init),
            step: cx.store.or(&step),
            bad: cx.store.or(&bad),
        };
        Ok((system, Locations { source, layout }))
    }
}

/// What predicates and their arguments are in a state, and the way back from one loop.
pub struct Locations {
    source: NormalSystem,
    layout: Layout,
}

/// Where locations and arguments are in a state.
struct Layout {
    /// The code of each predicate's location.
    codes: IndexVec<PredId, Vec<bool>>,
    /// The location of queries without a body, if there are any.
    failed: Option<Vec<bool>>,
    /// For each predicate the slots of its arguments.
    places: IndexVec<PredId, Vec<usize>>,
    bits: Vec<Symbol>,
    next_bits: Vec<Symbol>,
    slots: Vec<Symbol>,
    next_slots: Vec<Symbol>,
}

impl Layout {
    fn new(store: &mut TermStore, source: LinearSystem<'_>) -> Self {
        let fails = source.clauses().any(|(id, c)| c.is_query() && source.premise(id).is_none());
        let count = source.pred_count() + usize::from(fails);
        let width = width(count);
        let codes = source.preds().map(|pred| location(pred.index(), count, width)).collect();
        let failed = fails.then(|| location(count - 1, count, width));
        let (places, sorts) = slots(store, &source);
        let mut symbols = |prefix: &str, sorts: &[Sort]| -> (Vec<Symbol>, Vec<Symbol>) {
            let next = format!("{prefix}'");
            sorts.iter().map(|&s| (store.fresh(prefix, s), store.fresh(&next, s))).unzip()
        };
        let (bits, next_bits) = symbols("at", &vec![Sort::BOOL; width]);
        let (slots, next_slots) = symbols("x", &sorts);
        Self { codes, failed, places, bits, next_bits, slots, next_slots }
    }
    /// What a clause says about present and next state; for facts, about the present one.
    fn formula(&self, store: &mut TermStore, source: LinearSystem<'_>, id: ClauseId) -> Term {
        let (premise, head) = (source.premise(id), source.head(id));
        // The clause's variables get new names: two disjuncts must not share a local, and the state
        // variables mean something else.
        let mut map: Map<Term, Term> = Map::default();
        let mut parts = Vec::new();
        let head_symbols = if premise.is_none() {
            (&self.bits, &self.slots)
        } else {
            (&self.next_bits, &self.next_slots)
        };
        let sides = [(premise, (&self.bits, &self.slots)), (head, head_symbols)];
        for (atom, (bits, slots)) in sides {
            let Some(atom) = atom else { continue };
            parts.push(code(store, bits, &self.codes[atom.pred]));
            for (&arg, &place) in atom.args.iter().zip(&self.places[atom.pred]) {
                map.insert(store.constant(arg), store.constant(slots[place]));
            }
        }
        if let (None, None, Some(failed)) = (premise, head, &self.failed) {
            parts.push(code(store, &self.bits, failed));
        }
        let clause = source.clause(id);
        for symbol in free_symbols(store, &clause.terms()) {
            let variable = store.constant(symbol);
            if !map.contains_key(&variable) {
                let (name, sort) = (store.name(symbol).to_owned(), store.result(symbol));
                let local = store.fresh(&name, sort);
                map.insert(variable, store.constant(local));
            }
        }
        parts.push(Substitution::new(map).apply(store, clause.constraint));
        store.and(&parts)
    }
}

/// How many bits tell `count` locations apart.
fn width(count: usize) -> usize {
    if (3..=ONE_HOT).contains(&count) {
        return count;
    }
    usize::try_from(usize::BITS - count.saturating_sub(1).leading_zeros()).expect("at most 64")
}

/// The code of location number `index` of `count`.
fn location(index: usize, count: usize, width: usize) -> Vec<bool> {
    let one_hot = (3..=ONE_HOT).contains(&count);
    (0..width).map(|bit| if one_hot { bit == index } else { index >> bit & 1 == 1 }).collect()
}

/// `bits` spell `code`.
fn code(store: &mut TermStore, bits: &[Symbol], code: &[bool]) -> Term {
    let literal = |(&bit, &value): (&Symbol, &bool)| {
        let bit = store.constant(bit);
        if value { bit } else { store.not(bit) }
    };
    let literals: Vec<Term> = bits.iter().zip(code).map(literal).collect();
    store.and(&literals)
}

/// The slots of each predicate's arguments, and the sorts of the slots.
fn slots(store: &TermStore, source: &ChcSystem) -> (IndexVec<PredId, Vec<usize>>, Vec<Sort>) {
    let mut sorts: Vec<Sort> = Vec::new();
    let mut of_sort: Map<Sort, Vec<usize>> = Map::default();
    let mut places = IndexVec::new();
    for pred in source.preds() {
        let mut used: Map<Sort, usize> = Map::default();
        let mut own = Vec::new();
        for &sort in source.sorts(store, pred) {
            let next = used.entry(sort).or_default();
            let known = of_sort.entry(sort).or_default();
            if *next == known.len() {
                known.push(sorts.len());
                sorts.push(sort);
            }
            own.push(known[*next]);
            *next += 1;
        }
        places.push(own);
    }
    (places, sorts)
}
