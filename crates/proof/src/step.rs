//! Proofs as plain data.
//!
//! Steps are numbered, and each refers to earlier ones only; the last one derives what the proof is
//! about. Everything is said in terms of the store in which the formulas live, so a proof means
//! something without the solver that found it.
//!
//! Source: [ZM03] and [BKS04] for chains of resolutions as steps; theory lemmas as leaves with
//! certificates follow [McM05].

use std::ops::Not;

use shofar_base::index_type;
use shofar_num::Rational;
use shofar_term::{Term, TermStore};

index_type!(
    /// The number of a step.
    pub struct StepId
);

/// A formula that is no negation, or the negation of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal {
    /// The formula, which is looked at as an atom.
    pub atom: Term,
    /// Whether it stands as it is.
    pub positive: bool,
}

impl Literal {
    /// The literal that says the same as `formula`.
    pub fn of(store: &TermStore, formula: Term) -> Self {
        let (atom, negated) = store.strip_not(formula);
        Self { atom, positive: !negated }
    }
}

impl Not for Literal {
    type Output = Self;
    fn not(self) -> Self {
        Self { positive: !self.positive, ..self }
    }
}

/// Why the clause of a leaf may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// It is a clause of the clause form of the premise with this number.
    Premise(usize),
    /// It is valid, because it is a part of what the term means in terms of its subterms.
    Definition(Term),
    /// The negations of its literals, multiplied by these numbers, add up to a contradiction; one
    /// number for each literal.
    Farkas(Vec<Rational>),
    /// The negations of its literals contradict each other, because equals may be replaced by
    /// equals.
    Congruence,
    /// It is valid by the axioms of arrays and data.
    Axiom,
}

/// One step of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A clause that is not derived from others.
    Leaf {
        /// Its literals.
        clause: Vec<Literal>,
        /// Why it may be used.
        rule: Rule,
    },
    /// What is left of the clause of `first` after it was resolved with each of `rest` in turn, on
    /// the atom given.
    Chain {
        /// Where the chain starts.
        first: StepId,
        /// Atoms that are resolved upon, and the steps to resolve with.
        rest: Vec<(Term, StepId)>,
    },
}

/// A derivation; without steps it says that two assumptions are each other's negation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// The steps; the last one derives the conclusion.
    pub steps: Vec<Step>,
}
