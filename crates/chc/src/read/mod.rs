//! From the text of a Horn problem to clauses.
//!
//! [`shofar_smtlib`] elaborates the commands; here assertions become clauses. An assertion may have any shape that means
//! Horn clauses: quantifier prefixes anywhere, disjunctions of literals, nested implications, conjunctions in heads,
//! disjunctions and existentials in bodies, equivalences. It is done in four steps, one module each:
//! 1. `contents`: which subformulas contain predicates, quantifiers or products;
//! 2. `prenex`: quantifiers are removed, since all of them turn out universal in front, or the assertion is refused;
//! 3. `linearize`, with `known`: products of unknowns turn out linear, or the assertion is refused;
//! 4. `clausify`: the formula is distributed into clauses, looking only into subformulas that contain predicates.
//!
//! `script` follows the commands: scopes, several questions, z3's rules and queries. What is not understood is an error
//! with its place; nothing is guessed.
//!
//! ```
//! let text = b"(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))\
//!     (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))(assert (not (p (- 1))))(check-sat)";
//! let mut store = shofar_term::TermStore::new();
//! let script = shofar_chc::read::read_horn(text, &mut store).unwrap();
//! assert_eq!(script.problems[0].system.clause_count(), 3);
//! ```

mod clausify;
mod contents;
mod known;
mod linearize;
mod prenex;
mod script;

use std::borrow::Cow;

use shofar_base::IndexVec;
use shofar_smtlib::{AttributeValue, Diagnostic, Logic, Span};
use shofar_term::{Term, TermStore};

use crate::{ChcSystem, ClauseId};

/// An assertion, rule or query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// The formula without quantifiers, and linear, but otherwise as it was written; it is universal in its constants other than predicates.
    pub formula: Term,
    /// Where it stands.
    pub span: Span,
    /// The name the user gave to it.
    pub name: Option<String>,
}

/// How the answer to a question is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    /// `sat` if the clauses have a model, as for `check-sat`.
    Normal,
    /// `sat` if the query can be derived, so if the clauses have no model, as for `query`.
    Inverted,
}

/// Something that the script asks for besides answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// `get-model`.
    Model,
    /// `get-proof`.
    Proof,
    /// `echo` of this text.
    Echo(String),
    /// `get-info` of a keyword, with its colon.
    Info(String),
    /// `get-option` of a keyword, with its colon.
    Option(String),
}

/// What the script says the answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// `sat`.
    Sat,
    /// `unsat`.
    Unsat,
    /// `unknown`.
    Unknown,
}

/// One question of a script.
#[derive(Clone, Debug)]
pub struct HornProblem {
    /// All predicates in scope, in the order of their declarations, and the clauses.
    pub system: ChcSystem,
    /// For each clause the index of the assertion it comes from.
    pub origin: IndexVec<ClauseId, usize>,
    /// What is asserted.
    pub assertions: Vec<Assertion>,
    /// How the answer is said.
    pub polarity: Polarity,
    /// The answer according to the script, as it would be printed.
    pub status: Option<Status>,
    /// Where the question stands.
    pub span: Span,
    /// What the script asks for after the answer.
    pub requests: Vec<Request>,
}

/// A whole script.
#[derive(Clone, Debug)]
pub struct HornScript {
    /// The logic that is set.
    pub logic: Option<Logic>,
    /// The options that are set, keywords with their colons, in the order of the script.
    pub options: Vec<(String, AttributeValue)>,
    /// What the script asks for before its first question.
    pub preamble: Vec<Request>,
    /// One problem for each `check-sat` or `query`.
    pub problems: Vec<HornProblem>,
}

/// Reads a script of Horn clauses.
pub fn read_horn(text: &[u8], store: &mut TermStore) -> Result<HornScript, Diagnostic> {
    script::Reader::new(store).read(text)
}

/// Why an assertion does not become clauses.
#[derive(Debug)]
struct Trouble {
    message: String,
    /// The predicate, quantifier or product at fault, if one is.
    at: Option<Term>,
    note: Option<Cow<'static, str>>,
}
