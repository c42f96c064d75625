//! The commands of a script of Horn clauses, one after the other.
//!
//! A question takes the clauses in scope along. They are copied only if the script goes on to change them: a question
//! stays `open` until the next command that does, or the end. The clause of a `query` belongs to that question alone.

use shofar_base::{IndexVec, Map, Set};
use shofar_smtlib::{
    AttributeValue, Command, Commands, Diagnostic, Environment, Sentence, Span, Step,
};
use shofar_term::{Symbol, Term, TermStore};

use super::clausify::Clausifier;
use super::contents::Contents;
use super::linearize::Linearizer;
use super::prenex::Prenex;
use super::{Assertion, HornProblem, HornScript, Polarity, Request, Status, Trouble};
use crate::{ChcSystem, Clause, PredAtom, PredId};

/// What is asserted in the present scopes.
#[derive(Clone, Debug, Default)]
struct Asserted {
    assertions: Vec<Assertion>,
    clauses: Vec<(Clause, usize)>,
}

impl Asserted {
    fn mark(&self) -> (usize, usize) {
        (self.assertions.len(), self.clauses.len())
    }
    fn truncate(&mut self, (assertions, clauses): (usize, usize)) {
        self.assertions.truncate(assertions);
        self.clauses.truncate(clauses);
    }
}

/// The last question, whose clauses have not been taken yet.
#[derive(Debug)]
struct Open {
    span: Span,
    polarity: Polarity,
    status: Option<Status>,
    requests: Vec<Request>,
    preds: Vec<Symbol>,
    /// What remains asserted after it.
    after: (usize, usize),
}

/// Which of two ways to state clauses a script uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Assertions,
    Rules,
}

/// Follows a script.
pub(super) struct Reader<'s> {
    store: &'s mut TermStore,
    env: Environment,
    contents: Contents,
    /// All predicates that were ever declared, without clauses.
    preds: ChcSystem,
    /// All variables that were ever declared.
    variables: Set<Symbol>,
    asserted: Asserted,
    scopes: Vec<(usize, usize)>,
    open: Option<Open>,
    status: Option<Status>,
    dialect: Option<Dialect>,
    script: HornScript,
}

impl<'s> Reader<'s> {
    pub(super) fn new(store: &'s mut TermStore) -> Self {
        Self {
            store,
            env: Environment::for_horn(),
            contents: Contents::default(),
            preds: ChcSystem::new(),
            variables: Set::default(),
            asserted: Asserted::default(),
            scopes: Vec::new(),
            open: None,
            status: None,
            dialect: None,
            script: HornScript {
                logic: None,
                options: Vec::new(),
                preamble: Vec::new(),
                problems: Vec::new(),
            },
        }
    }
    pub(super) fn read(mut self, text: &[u8]) -> Result<HornScript, Diagnostic> {
        let mut commands = Commands::of_text(text.to_vec());
        while let Step::Sentence(sentence) = commands.next(&mut self.env, self.store)? {
            if sentence.command == Command::Exit {
                break;
            }
            self.execute(sentence)?;
        }
        if let Some(open) = self.open.take() {
            let asserted = std::mem::take(&mut self.asserted);
            self.close(open, asserted);
        }
        Ok(self.script)
    }

    fn execute(&mut self, Sentence { command, span, .. }: Sentence) -> Result<(), Diagnostic> {
        match command {
            Command::SetLogic(logic) => self.script.logic = Some(logic),
            Command::SetOption { keyword, value } => self.script.options.push((keyword, value)),
            Command::SetInfo { keyword, value } => self.set_info(&keyword, &value),
            Command::Declare(symbol) => {
                self.preds.add_pred(symbol);
            }
            Command::DeclareVar(symbol) => {
                self.variables.insert(symbol);
            }
            Command::Define { .. } | Command::Exit => {}
            Command::Assert { term, name } => {
                self.choose(Dialect::Assertions, span)?;
                self.state(term, name, span)?;
            }
            Command::Rule { term, name } => {
                self.choose(Dialect::Rules, span)?;
                self.state(term, name, span)?;
            }
            Command::CheckSat => {
                self.choose(Dialect::Assertions, span)?;
                let after = self.settle();
                self.ask(span, Polarity::Normal, after);
            }
            Command::Query(term) => self.query(term, span)?,
            Command::Push(count) => {
                let mark = self.settle();
                self.scopes.extend(std::iter::repeat_n(mark, count));
            }
            Command::Pop(count) => self.pop(count),
            Command::Reset => self.reset(),
            Command::ResetAssertions => {
                self.settle();
                self.scopes.clear();
                self.asserted = Asserted::default();
            }
            Command::GetModel => self.request(Request::Model, span)?,
            Command::GetProof => self.request(Request::Proof, span)?,
            Command::Echo(text) => self.remark(Request::Echo(text)),
            Command::GetInfo(keyword) => self.remark(Request::Info(keyword)),
            Command::GetOption(keyword) => self.remark(Request::Option(keyword)),
            Command::CheckSatAssuming(_)
            | Command::GetValue(_)
            | Command::GetAssignment
            | Command::GetAssertions
            | Command::GetUnsatCore
            | Command::GetUnsatAssumptions
            | Command::GetInterpolants(_) => {
                let message = "this command is not supported for Horn clauses";
                return Err(Diagnostic::new(span, message)
                    .note("after an answer there are `get-model` and `get-proof`"));
            }
        }
        Ok(())
    }
    fn set_info(&mut self, keyword: &str, value: &AttributeValue) {
        if keyword == ":status" {
            self.status = match value.text() {
                "sat" => Some(Status::Sat),
                "unsat" => Some(Status::Unsat),
                "unknown" => Some(Status::Unknown),
                _ => None,
            };
        }
    }
    /// A script either asserts and checks, or has rules and queries: z3 keeps them apart as well.
    fn choose(&mut self, dialect: Dialect, span: Span) -> Result<(), Diagnostic> {
        if *self.dialect.get_or_insert(dialect) == dialect {
            return Ok(());
        }
        Err(Diagnostic::new(
            span,
            "`assert` and `check-sat` cannot be mixed with `rule` and `query`",
        ))
    }

    /// Adds an assertion and its clauses.
    fn state(&mut self, term: Term, name: Option<String>, span: Span) -> Result<(), Diagnostic> {
        self.settle();
        let result = self.translate(term, span);
        let (formula, clauses) = result.map_err(|trouble| self.diagnostic(trouble, span))?;
        let index = self.asserted.assertions.len();
        self.asserted.assertions.push(Assertion { formula, span, name });
        self.asserted.clauses.extend(clauses.into_iter().map(|clause| (clause, index)));
        Ok(())
    }
    fn translate(&mut self, term: Term, span: Span) -> Result<(Term, Vec<Clause>), Trouble> {
        let (store, contents) = (&mut *self.store, &mut self.contents);
        let formula = Prenex::new(store, contents, &self.preds, &self.variables).strip(term)?;
        let formula = Linearizer::new(store, contents, &self.preds).linear(formula)?;
        let mut clausifier = Clausifier { store, contents, system: &self.preds };
        let clauses = clausifier.clauses(formula, span)?;
        Ok((formula, clauses))
    }
    fn diagnostic(&self, trouble: Trouble, span: Span) -> Diagnostic {
        let place = trouble.at.and_then(|term| self.env.place_of(self.store, term));
        let (place, prefix) = place.unwrap_or((span, ""));
        let diagnostic = Diagnostic::new(place, prefix.to_owned() + &trouble.message);
        match trouble.note {
            Some(note) => diagnostic.note(note),
            None => diagnostic,
        }
    }
    fn query(&mut self, term: Term, span: Span) -> Result<(), Diagnostic> {
        self.choose(Dialect::Rules, span)?;
        let after = self.settle();
        let denied = self.store.not(term);
        self.state(denied, None, span)?;
        self.ask(span, Polarity::Inverted, after);
        Ok(())
    }
    fn ask(&mut self, span: Span, polarity: Polarity, after: (usize, usize)) {
        self.open = Some(Open {
            span,
            polarity,
            status: self.status,
            requests: Vec::new(),
            preds: self.env.declared().to_vec(),
            after,
        });
    }
    fn request(&mut self, request: Request, span: Span) -> Result<(), Diagnostic> {
        if self.open.is_none() && self.script.problems.is_empty() {
            return Err(Diagnostic::new(span, "there is no answer yet that this could be about"));
        }
        self.remark(request);
        Ok(())
    }
    fn remark(&mut self, request: Request) {
        let last = self.script.problems.last_mut().map(|problem| &mut problem.requests);
        let requests = self.open.as_mut().map(|open| &mut open.requests).or(last);
        requests.unwrap_or(&mut self.script.preamble).push(request);
    }

    fn pop(&mut self, count: usize) {
        self.settle();
        let level = self.scopes.len().saturating_sub(count);
        if let Some(&mark) = self.scopes.get(level) {
            self.asserted.truncate(mark);
        }
        self.scopes.truncate(level);
    }
    fn reset(&mut self) {
        self.settle();
        self.scopes.clear();
        self.asserted = Asserted::default();
        self.contents = Contents::default();
        self.preds = ChcSystem::new();
        self.variables.clear();
        self.dialect = None;
    }
    /// What is asserted is about to change: the open question gets a copy. Returns how much is asserted.
    fn settle(&mut self) -> (usize, usize) {
        if let Some(open) = self.open.take() {
            let (after, asserted) = (open.after, self.asserted.clone());
            self.close(open, asserted);
            self.asserted.truncate(after);
        }
        self.asserted.mark()
    }
    fn close(&mut self, open: Open, asserted: Asserted) {
        let mut system = ChcSystem::new();
        let ids: Map<PredId, PredId> = open
            .preds
            .iter()
            .filter_map(|&symbol| Some((self.preds.pred(symbol)?, system.add_pred(symbol))))
            .collect();
        // Popped predicates may have left gaps in the numbers.
        let renumber = |atom: &mut PredAtom| atom.pred = ids[&atom.pred];
        let mut origin = IndexVec::new();
        for (mut clause, index) in asserted.clauses {
            clause.body.iter_mut().chain(&mut clause.head).for_each(renumber);
            system.add_clause(clause);
            origin.push(index);
        }
        self.script.problems.push(HornProblem {
            system,
            origin,
            assertions: asserted.assertions,
            polarity: open.polarity,
            status: open.status,
            span: open.span,
            requests: open.requests,
        });
    }
}
