//! What is wrong with a proof.

use shofar_base::Idx as _;
use shofar_term::print::print;
use shofar_term::{Term, TermStore};

use crate::{Literal, StepId};

/// A step that is wrong, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The step; nothing if there is none.
    pub step: Option<StepId>,
    /// What is wrong with it.
    pub reason: Reason,
}

/// Why a step is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It refers to itself, to a later step or to none.
    NotEarlier(StepId),
    /// The atom does not occur in the two clauses with opposite signs.
    NoPivot(Term),
    /// The atom occurs in the clause with both signs.
    Tautology(Term),
    /// There is no premise with this number.
    NoPremise(usize),
    /// The clause is none of the premise with this number.
    NotOfPremise(usize),
    /// The clause is no part of what the term means.
    NotOfDefinition(Term),
    /// The numbers do not fit the clause, or do not add its literals up to a contradiction.
    NotFarkas,
    /// Equals may be replaced by equals, and still the literals can all be false.
    NotCongruence,
    /// The axioms of arrays and data do not imply the clause.
    NotAxiom,
    /// The conclusion denies something that was not assumed.
    NotAssumed(Literal),
    /// There is no step, and the assumptions do not contradict each other.
    Empty,
}

impl Flaw {
    /// The flaw in words, without a full stop.
    pub fn describe(&self, store: &TermStore) -> String {
        let reason = self.reason.describe(store);
        match self.step {
            Some(step) => format!("step {}: {reason}", step.index()),
            None => reason,
        }
    }
}

impl Reason {
    fn describe(&self, store: &TermStore) -> String {
        match self {
            Reason::NotEarlier(step) => format!("step {} is not an earlier one", step.index()),
            Reason::NoPivot(atom) => format!("cannot resolve upon {}", print(store, *atom)),
            Reason::Tautology(atom) => format!("{} has both signs", print(store, *atom)),
            Reason::NoPremise(premise) => format!("there is no premise {premise}"),
            Reason::NotOfPremise(premise) => {
                format!("this is no clause of premise {premise}")
            }
            Reason::NotOfDefinition(term) => {
                format!("this is no part of the meaning of {}", print(store, *term))
            }
            Reason::NotFarkas => "the sum of the literals is no contradiction".to_owned(),
            Reason::NotCongruence => "the equations do not contradict each other".to_owned(),
            Reason::NotAxiom => "this is no instance of an axiom".to_owned(),
            Reason::NotAssumed(literal) => {
                format!("what is denied was not assumed: {}", print(store, literal.atom))
            }
            Reason::Empty => "there is no step".to_owned(),
        }
    }
}
