//! Relations that steps may use: the disjuncts of the transition relation, and learned ones.
//!
//! Invariant (O1): a learned relation is transitive, counts added: `ρ(x, y, n₁) ∧ ρ(y, z, n₂) ⇒ ρ(x, z, n₁ + n₂)`.
//! Debug builds ask for it.

use shofar_base::{IndexVec, Outcome, index_type};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::substitute::rename;
use shofar_term::{Cx, Symbol, Term, TermStore};

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
    /// It relates exactly the states that are connected by repeating its word as often as the count says.
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
    /// Whether steps may use it.
    pub(super) is_offered: bool,
}

/// All relations.
pub(super) type Relations = IndexVec<RelId, Relation>;

/// The disjuncts of the transition relation.
pub(super) fn originals(store: &mut TermStore, space: &Space) -> Relations {
    let disjuncts = store.disjuncts(&[space.ts.step]);
    let relation = |formula: Term| {
        let locals = space.ts.locals(store, formula);
        let word = Vec::new();
        Relation { kind: Kind::Original, formula, locals, word, once: formula, is_offered: true }
    };
    let mut relations = Relations::new();
    for formula in disjuncts.into_iter().map(relation) {
        relations.push(formula);
    }
    relations
}

/// Whether `relation` contains its composition with itself; counts are added.
pub(super) fn is_transitive(
    cx: &mut Cx<'_>,
    space: &mut Space,
    relation: Term,
) -> Outcome<bool> {
    let (n, sort) = (space.n(cx.store), cx.store.result(space.count));
    let counts = [cx.store.fresh("n", sort), cx.store.fresh("n", sort)];
    let [first, second] = counts.map(|count| rename(cx.store, relation, &[space.count], &[count]));
    let [first, _] = space.twice(cx.store, first);
    let [_, second] = space.twice(cx.store, second);
    let [one, other] = counts.map(|count| cx.store.constant(count));
    let both = cx.store.add(&[one, other]);
    let added = cx.store.eq(n, both);
    let outside = cx.store.not(relation);
    let mut solver = Solver::new(Options::default());
    for formula in [first, second, added, outside] {
        solver.add(cx.store, formula);
    }
    Ok(matches!(solver.check(cx)?, Answer::Unsat(_)))
}
