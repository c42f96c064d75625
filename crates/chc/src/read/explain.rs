//! Witnesses in the words of the language that a problem was written in.
//!
//! A front end that knows how its clauses came about may give its problems an [`Explain`]: a
//! refutation is then told as an execution of the program, a model as invariants of its places.
//! What is explained has been validated and is about the clauses as the front end made them; an
//! explanation adds words and no claims of its own.
//!
//! What the validator cannot see is whether the clauses say what the text says. A front end that
//! has another way to find this out, such as running the program, is asked before an answer is
//! given ([`Explain::confirm`]).

use std::fmt;

use shofar_base::Budget;
use shofar_term::TermStore;

use super::HornProblem;
use crate::{Derivation, Interpretation};

/// Puts witnesses of a problem into words; texts end with a newline.
pub trait Explain: fmt::Debug + Send + Sync {
    /// The execution that `refutation` stands for: place by place, with what changes.
    fn trace(&self, store: &TermStore, problem: &HornProblem, refutation: &Derivation) -> String;
    /// What `model` says about the places of the text.
    fn proof(&self, store: &mut TermStore, problem: &HornProblem, model: &Interpretation)
    -> String;
    /// Whether what the witness says of the clauses is so of the text itself, found out in another
    /// way than by clauses.
    fn confirm(
        &self,
        store: &TermStore,
        problem: &HornProblem,
        evidence: Evidence<'_>,
        budget: &Budget,
    ) -> Confirmation {
        let _ = (store, problem, evidence, budget);
        Confirmation::NotAsked
    }
    /// Whether some run of the text goes on for ever, as a verdict about termination says, found
    /// out in another way.
    fn confirm_divergence(&self, budget: &Budget) -> Confirmation {
        let _ = budget;
        Confirmation::NotAsked
    }
    /// What the text was taken for where its language leaves a choice, each with its name.
    fn facts(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
    /// The witness in the exchange format for verification tasks about programs, if the language
    /// has one.
    fn yaml(
        &self,
        store: &mut TermStore,
        problem: &HornProblem,
        evidence: Evidence<'_>,
        task: &Task<'_>,
    ) -> Option<String> {
        let _ = (store, problem, evidence, task);
        None
    }
}

/// A witness of either kind.
#[derive(Clone, Copy, Debug)]
pub enum Evidence<'a> {
    /// The clauses have this model.
    Model(&'a Interpretation),
    /// The clauses are refuted by this.
    Refutation(&'a Derivation),
}

/// What the text itself has to say about a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// There is no other way to find out.
    NotAsked,
    /// It is so; this is how that was found out.
    Confirmed(String),
    /// It could not be found out, for this reason.
    Undecided(String),
    /// It is not so: the clauses do not say what the text says.
    Refuted(String),
}

/// What a witness file says about the task that it belongs to, and about itself.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The name of the input file.
    pub file: &'a str,
    /// The digest of the input, SHA-256 in hexadecimal.
    pub sha256: &'a str,
    /// The identifier of the witness.
    pub uuid: &'a str,
    /// When it was made, as in ISO 8601.
    pub created: &'a str,
    /// The version of the program that made it.
    pub version: &'a str,
}
