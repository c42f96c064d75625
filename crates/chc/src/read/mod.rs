//! From the text of a Horn problem to clauses.
//!
//! [`shofar_smtlib`] elaborates the commands; here assertions become clauses. An assertion may have
//! any shape that means Horn clauses: quantifier prefixes anywhere, disjunctions of literals,
//! nested implications, conjunctions in heads, disjunctions and existentials in bodies,
//! equivalences. It is done in four steps, one module each:
//! 1. `contents`: which subformulas contain predicates, quantifiers or products;
//! 2. `prenex`: quantifiers are removed, since all of them turn out universal in front, or the
//!    assertion is refused;
//! 3. `linearize`, with `known`: products of unknowns turn out linear, or the assertion is refused;
//! 4. `clausify`: the formula is distributed into clauses, looking only into subformulas that
//!    contain predicates.
//!
//! `statements` goes these steps for the formulas of any language. `script` follows the commands
//! one by one: scopes, several questions, z3's rules and queries. What is not understood is an
//! error with its place; nothing is guessed. `command` says which errors leave the problem as it
//! is.
//!
//! Refutations name clauses by numbers, which have to be told from the text alone. So there is a
//! second way to read assertions, [`Form::Written`]: by `binders` and `enumerate`, which leave
//! everything where it was written. What is asserted is the same, and in the same order; only the
//! clauses differ.
//!
//! ```
//! let text = b"(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))\
//!     (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))(assert (not (p (- 1))))(check-sat)";
//! let mut store = shofar_term::TermStore::new();
//! let script = shofar_chc::read::read_horn(text, &mut store).unwrap();
//! assert_eq!(script.problems[0].system.clause_count(), 3);
//! ```

mod binders;
mod clausify;
mod command;
mod contents;
mod enumerate;
mod explain;
mod front_end;
mod hints;
mod known;
mod linearize;
mod prenex;
mod script;
mod statements;

use std::borrow::Cow;
use std::sync::Arc;

use shofar_base::{Diagnostic, IndexVec, Span};
use shofar_smtlib::{AttributeValue, Command, Commands, Logic, Step};
use shofar_term::{Symbol, Term, TermStore};

pub use command::CommandRole;
pub use explain::{Confirmation, Evidence, Explain, Task};
pub use front_end::{
    Asks, FrontEnd, OptionError, OptionScope, PROPERTY, Property, ReadOption, ReadOptions, Reader,
    SMT_LIB, Texts,
};
pub use hints::read_hints;
pub use script::{HornReader, Rest};
pub use statements::Statements;

use crate::{ChcSystem, Clause, ClauseId, Exactness};

/// An assertion, rule or query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// The formula as it was written: with its quantifiers, and with products of unknowns.
    pub written: Term,
    /// The formula without quantifiers, and linear, but otherwise as it was written; it is
    /// universal in its constants other than predicates.
    pub formula: Term,
    /// Where it stands.
    pub span: Span,
    /// The name the user gave to it.
    pub name: Option<String>,
    /// Variables of it that its clauses need not mention: a refutation may give them values all
    /// the same.
    pub variables: Vec<Symbol>,
}

/// What the clauses of a problem are for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// To be solved: what is trivially true is left out, and so are repeated atoms.
    #[default]
    Solved,
    /// To be named by refutations: as they are written, each with the number that `docs/formats.md`
    /// gives it.
    Written,
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

/// How one of the things that a text is about is read from it. A refutation of the problem that is
/// read then is one of the text.
#[derive(Clone, Debug)]
pub struct Instance {
    /// How the text is read.
    pub options: ReadOptions,
    /// What is read then, and by which option.
    pub about: String,
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
    /// What the clauses are to what the text is about: if they are more than it, a refutation of
    /// them is no verdict about it.
    pub exactness: Exactness,
    /// The clauses by which they are more, if these are known: what the others allow, the text
    /// allows.
    pub surplus: Vec<ClauseId>,
    /// One of the things that the text is about, where refutations say nothing about all of them
    /// at once.
    pub instance: Option<Instance>,
    /// Tells witnesses in the words of the text, if its language has any besides the clauses.
    pub explain: Option<Arc<dyn Explain>>,
}

impl HornProblem {
    /// The problem whose assertions are the clauses of `system` themselves, each where it was
    /// written.
    pub fn of_system(store: &mut TermStore, system: ChcSystem) -> Self {
        let nowhere = Span::new(0, 0);
        let assertion = |(id, clause): (ClauseId, &Clause)| {
            let (formula, span) = (system.formula(store, id), clause.span.unwrap_or(nowhere));
            Assertion { written: formula, formula, span, name: None, variables: Vec::new() }
        };
        let assertions: Vec<Assertion> = system.clauses().map(assertion).collect();
        Self {
            origin: (0..assertions.len()).collect(),
            assertions,
            polarity: Polarity::Normal,
            status: None,
            span: nowhere,
            requests: Vec::new(),
            exactness: Exactness::Exact,
            surplus: Vec::new(),
            instance: None,
            explain: None,
            system,
        }
    }
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
    /// One problem for each `check-sat` or `query`; without any, one at the end if clauses are
    /// asserted.
    pub problems: Vec<HornProblem>,
}

/// Reads a whole script of Horn clauses. A command that is not supported and no part of the problem
/// is left out.
pub fn read_horn(text: &[u8], store: &mut TermStore) -> Result<HornScript, Diagnostic> {
    read_horn_as(Form::Solved, text, store)
}

/// Reads a whole script of Horn clauses, with clauses in this form.
pub fn read_horn_as(
    form: Form,
    text: &[u8],
    store: &mut TermStore,
) -> Result<HornScript, Diagnostic> {
    let mut reader = HornReader::new(form);
    let mut commands = Commands::of_text(text.to_vec());
    let (options, preamble, problems) = (Vec::new(), Vec::new(), Vec::new());
    let mut script = HornScript { logic: None, options, preamble, problems };
    // What is asked for while a question is open.
    let mut requests = Vec::new();
    loop {
        let sentence = match reader.next(&mut commands, store) {
            Ok(Step::Sentence(sentence)) if sentence.command == Command::Exit => break,
            Ok(Step::Sentence(sentence)) => sentence,
            Ok(Step::NeedInput | Step::End) => break,
            Err(_) if CommandRole::of_text(commands.last()) == CommandRole::Request => continue,
            Err(error) => return Err(error),
        };
        let role = CommandRole::of(&sentence.command);
        if role != CommandRole::Request {
            script.add(reader.problem(Rest::More), &mut requests);
        }
        script.note(&sentence.command);
        let asked_for = Request::of(&sentence.command);
        if reader.is_asked() {
            requests.extend(asked_for);
        } else {
            script.last_requests().extend(asked_for);
        }
        match reader.execute(store, sentence) {
            Err(error) if role != CommandRole::Request => return Err(error),
            Ok(()) | Err(_) => {}
        }
    }
    reader.ask_at_end();
    script.add(reader.problem(Rest::Nothing), &mut requests);
    Ok(script)
}

impl HornScript {
    /// Adds a problem, if there is one, with the requests that followed it.
    fn add(&mut self, problem: Option<HornProblem>, requests: &mut Vec<Request>) {
        let requests = std::mem::take(requests);
        self.problems.extend(problem.map(|problem| HornProblem { requests, ..problem }));
    }
    /// The requests that stand behind the last problem.
    fn last_requests(&mut self) -> &mut Vec<Request> {
        let last = self.problems.last_mut().map(|problem| &mut problem.requests);
        last.unwrap_or(&mut self.preamble)
    }
    /// Takes note of what a command sets.
    fn note(&mut self, command: &Command) {
        if let Command::SetLogic(logic) = command {
            self.logic = Some(*logic);
        }
        if let Command::SetOption { keyword, value } = command {
            self.options.push((keyword.clone(), value.clone()));
        }
    }
}

/// Why an assertion does not become clauses.
#[derive(Debug)]
struct Trouble {
    message: String,
    /// The predicate, quantifier or product at fault, if one is.
    at: Option<Term>,
    note: Option<Cow<'static, str>>,
}

impl Trouble {
    /// The complaint about it, at `span`.
    fn diagnostic(self, span: Span) -> Diagnostic {
        let diagnostic = Diagnostic::new(span, self.message);
        match self.note {
            Some(note) => diagnostic.note(note),
            None => diagnostic,
        }
    }
}
