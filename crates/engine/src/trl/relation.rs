//! Relations that steps may use: the disjuncts of the transition relation, and learned ones.
//!
//! Invariant (O1): a learned relation is transitive, counts added:
//! `ρ(x, y, n₁) ∧ ρ(y, z, n₂) ⇒ ρ(x, z, n₁ + n₂)`. Debug builds ask for it.

use shofar_accelerate::Progress;
use shofar_base::{IndexVec, Outcome, index_type};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Symbol, Term, TermStore};

use super::projection::Literal;
use super::space::Space;

index_type!(
    /// A relation; those of the system come first.
    pub(super) struct RelId
);

/// How a relation relates to the steps of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A disjunct of the transition relation.
    Original,
    /// It relates states that are connected by repeating its word, and perhaps others.
    Over,
    /// It relates exactly the states that are connected by repeating its word as often as the count
    /// says.
    Exact,
}

/// A letter of a word: a relation, and literals that imply it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Letter {
    pub(super) relation: RelId,
    pub(super) implicant: Term,
}

/// A relation; see the module documentation.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    pub(super) kind: Kind,
    pub(super) formula: Term,
    pub(super) locals: Vec<Symbol>,
    /// What is repeated; empty for those of the system.
    pub(super) word: Vec<Letter>,
    /// The composition of the word: one iteration.
    pub(super) once: Term,
    /// What repetitions of the word are exactly, if that is known.
    pub(super) closed: Option<Closed>,
    /// What the loop implies as well, but was not needed so far.
    pub(super) left_out: Vec<Literal>,
    /// Whether steps may use it.
    pub(super) is_offered: bool,
}

/// A relation in closed form.
///
/// Truth values and numbers do not depend on each other in a conjunction of literals. If it can be
/// iterated at all, what it says about truth values holds before the first iteration and after the
/// last.
#[derive(Clone, Debug)]
pub(super) struct Closed {
    /// Over state, next state and an integral count.
    pub(super) formula: Term,
    pub(super) count: Symbol,
    /// How states follow each other.
    pub(super) progress: Option<Progress>,
    /// The positions of the numbers in the state that it is about.
    pub(super) places: Vec<usize>,
    /// The positions of the truth values that every iteration sets.
    pub(super) set: Vec<usize>,
}

impl Closed {
    /// The closed form of `once`, which can be iterated, if it is known.
    pub(super) fn of(cx: &mut Cx<'_>, space: &Space, once: Term) -> Outcome<Option<Self>> {
        let is_truth_value =
            |&literal: &Term| cx.store.symbol(cx.store.strip_not(literal).0).is_some();
        let (truth, numbers): (Vec<Term>, Vec<Term>) =
            cx.store.conjuncts(&[once]).into_iter().partition(is_truth_value);
        let (ts, symbols) = (&space.ts, free_symbols(cx.store, &numbers));
        let is_about =
            |at: &usize| symbols.contains(&ts.state[*at]) || symbols.contains(&ts.next[*at]);
        let places: Vec<usize> = (0..ts.state.len()).filter(is_about).collect();
        let pairs: Vec<(Symbol, Symbol)> =
            places.iter().map(|&at| (ts.state[at], ts.next[at])).collect();
        let relation = shofar_accelerate::Relation::new(cx.store, &pairs, &numbers);
        let Some(relation) = relation else { return Ok(None) };
        let Some(exact) = shofar_accelerate::exact(cx, &relation)? else { return Ok(None) };
        let count = space.integral_count;
        let term = cx.store.constant(count);
        let mut parts = vec![exact.formula(cx.store, term)];
        let decided = free_symbols(cx.store, &truth);
        let set = (0..ts.state.len()).filter(|&at| decided.contains(&ts.next[at])).collect();
        parts.extend(truth);
        let formula = cx.store.and(&parts);
        Ok(Some(Self { formula, count, progress: exact.progress(), places, set }))
    }
}

/// All relations.
pub(super) type Relations = IndexVec<RelId, Relation>;

/// The disjuncts of the transition relation.
pub(super) fn originals(store: &mut TermStore, space: &Space) -> Relations {
    let disjuncts = store.disjuncts(&[space.ts.step]);
    let relation = |formula: Term| {
        let locals = space.ts.locals(store, formula);
        let word = Vec::new();
        Relation {
            kind: Kind::Original,
            formula,
            locals,
            word,
            once: formula,
            closed: None,
            left_out: Vec::new(),
            is_offered: true,
        }
    };
    let mut relations = Relations::new();
    for formula in disjuncts.into_iter().map(relation) {
        relations.push(formula);
    }
    relations
}

/// Whether `relation` contains its composition with itself; counts are added.
pub(super) fn is_transitive(cx: &mut Cx<'_>, space: &mut Space, relation: Term) -> Outcome<bool> {
    let n = space.n(cx.store);
    let [first, second] = space.twice(cx.store, relation);
    let [one, other] = space.counts_of_two(cx.store);
    let both = cx.store.add(&[one, other]);
    let added = cx.store.eq(n, both);
    let outside = cx.store.not(relation);
    let mut solver = Solver::new(Options::default());
    for formula in [first, second, added, outside] {
        solver.add(cx.store, formula);
    }
    Ok(matches!(solver.check(cx)?, Answer::Unsat(_)))
}
