//! The commands of a script of Horn clauses, one after the other.
//!
//! A question is `open` until somebody takes its problem, which has to happen before the next
//! command that changes the clauses. They are copied only if the script goes on. The clause of a
//! `query` belongs to that question alone.
//!
//! z3's Python interface writes the query of a `Fixedpoint` as an assertion about a new relation,
//! `(assert (=> body q))`, and declares the variables of `body` as constants; in a script of rules
//! such an assertion is a rule that is universal in them. It writes clauses without a question;
//! what is stated and never asked about is asked about at the end.
//!
//! A script goes on after a command that was refused. Invariant: `damage` is the lowest scope in
//! which a part of the problem is missing, so that nobody takes the rest for the whole.

use shofar_base::{Diagnostic, IndexVec, Map, Set, Span};
use shofar_smtlib::{AttributeValue, Command, Commands, Environment, Sentence, Step, no_constants};
use shofar_term::print::print_sort;
use shofar_term::symbols::free_symbols;
use shofar_term::{Symbol, Term, TermStore};

use super::binders::{Binders, Opened};
use super::command::{CommandRole, moves_scopes};
use super::contents::Contents;
use super::enumerate::Enumerator;
use super::linearize::Linearizer;
use super::statements::translate;
use super::{Assertion, Form, HornProblem, Polarity, Status, Trouble};
use crate::{ChcSystem, Clause, Exactness, PredAtom, PredId};

/// What is said of a script that states clauses in two ways.
const MIXED: &str = "`assert` and `check-sat` cannot be mixed with `rule` and `query`";

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

/// The last question, whose problem has not been taken yet.
#[derive(Debug)]
struct Open {
    span: Span,
    polarity: Polarity,
    status: Option<Status>,
    preds: Vec<Symbol>,
    /// Whether nothing is missing.
    is_whole: bool,
    /// What remains asserted after it.
    after: (usize, usize),
}

/// Which of two ways to state clauses a script uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Assertions,
    Rules,
}

/// Whether a script goes on after a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// It does, or may.
    More,
    /// The question was the last thing in it that is about clauses.
    Nothing,
}

/// Follows a script, command by command.
#[derive(Debug)]
pub struct HornReader {
    form: Form,
    env: Environment,
    contents: Contents,
    /// All predicates that were ever declared, without clauses.
    preds: ChcSystem,
    /// All variables that were ever declared.
    variables: Set<Symbol>,
    /// The names of all these, if clauses are as they are written.
    names: Set<String>,
    asserted: Asserted,
    scopes: Vec<(usize, usize)>,
    open: Option<Open>,
    status: Option<Status>,
    dialect: Option<Dialect>,
    /// Symbols that are neither predicates nor variables of rules, where they were declared, and
    /// in how many scopes.
    constants: Vec<(Symbol, Span, usize)>,
    /// Whether there ever was a question.
    has_asked: bool,
    damage: Option<usize>,
}

impl Default for HornReader {
    fn default() -> Self {
        Self::new(Form::default())
    }
}

impl HornReader {
    /// A reader that makes clauses of this form.
    pub fn new(form: Form) -> Self {
        Self {
            form,
            env: Environment::for_horn(),
            contents: Contents::default(),
            preds: ChcSystem::new(),
            variables: Set::default(),
            names: Set::default(),
            asserted: Asserted::default(),
            scopes: Vec::new(),
            open: None,
            status: None,
            dialect: None,
            constants: Vec::new(),
            has_asked: false,
            damage: None,
        }
    }
    /// The names in scope.
    pub fn environment(&self) -> &Environment {
        &self.env
    }
    /// Whether all clauses of the last assertion derive `false`.
    pub fn last_is_query(&self) -> bool {
        let last = self.asserted.assertions.len().checked_sub(1);
        let clauses = self.asserted.clauses.iter().rev();
        let mut own = clauses.take_while(|(_, at)| Some(*at) == last).peekable();
        own.peek().is_some() && own.all(|(clause, _)| clause.head.is_none())
    }
    /// Whether a question has been asked whose problem nobody has taken yet.
    pub fn is_asked(&self) -> bool {
        self.open.is_some()
    }
    /// Whether everything is there that the open question is about, or the next one would be:
    /// nothing can be said about a problem of which a part was refused.
    pub fn is_whole(&self) -> bool {
        self.open.as_ref().map_or(self.damage.is_none(), |open| open.is_whole)
    }
    /// The next command.
    pub fn next(
        &mut self,
        commands: &mut Commands,
        store: &mut TermStore,
    ) -> Result<Step, Diagnostic> {
        if self.form == Form::Written {
            store.keep_connectives();
        }
        let step = commands.next(&mut self.env, store);
        if step.is_err() && CommandRole::of_text(commands.last()) == CommandRole::Statement {
            self.damage(if moves_scopes(commands.last()) { 0 } else { self.scopes.len() });
        }
        step
    }
    /// Takes note of a command. A question that is open is gone if the command is not a request.
    pub fn execute(&mut self, store: &mut TermStore, sentence: Sentence) -> Result<(), Diagnostic> {
        let role = CommandRole::of(&sentence.command);
        if role != CommandRole::Request {
            self.settle();
        }
        let result = self.follow(store, sentence);
        if result.is_err() && role == CommandRole::Statement {
            self.damage(self.scopes.len());
        }
        result
    }
    /// The script is over. If it has stated clauses by assertions and never asked about them, that
    /// is a question, too; says whether it is.
    pub fn ask_at_end(&mut self) -> bool {
        let last = self.asserted.assertions.last().map(|assertion| assertion.span);
        let is_whole = self.dialect == Some(Dialect::Assertions) && self.damage.is_none();
        match last {
            Some(span) if is_whole && !self.has_asked => {
                self.ask(span, Polarity::Normal, self.asserted.mark());
                true
            }
            Some(_) | None => false,
        }
    }
    /// The problem of the open question.
    pub fn problem(&mut self, rest: Rest) -> Option<HornProblem> {
        let open = self.open.take()?;
        let asserted = match rest {
            Rest::More => self.asserted.clone(),
            Rest::Nothing => std::mem::take(&mut self.asserted),
        };
        self.asserted.truncate(open.after);
        Some(self.close(&open, asserted))
    }

    fn follow(
        &mut self,
        store: &mut TermStore,
        Sentence { command, span, .. }: Sentence,
    ) -> Result<(), Diagnostic> {
        match command {
            Command::SetInfo { keyword, value } => self.set_info(&keyword, &value),
            Command::Declare(symbol) if store.result(symbol).is_bool() => {
                self.note_name(store, symbol);
                self.preds.add_pred(symbol);
            }
            Command::Declare(symbol) => {
                self.note_name(store, symbol);
                self.constants.push((symbol, span, self.scopes.len()));
                self.variables.insert(symbol);
            }
            Command::DeclareVar(symbol) => {
                self.note_name(store, symbol);
                self.variables.insert(symbol);
            }
            Command::Assert { term, name, .. } if self.dialect == Some(Dialect::Rules) => {
                self.state_goal(store, term, name, span)?;
            }
            Command::Assert { term, name, .. } => {
                self.choose(Dialect::Assertions, span)?;
                self.refuse_constants(store, None)?;
                self.state(store, term, name, span)?;
            }
            Command::Rule { term, name } => {
                self.choose(Dialect::Rules, span)?;
                self.refuse_constants(store, Some(term))?;
                self.state(store, term, name, span)?;
            }
            Command::CheckSat => {
                self.choose(Dialect::Assertions, span)?;
                self.refuse_constants(store, None)?;
                self.ask(span, Polarity::Normal, self.asserted.mark());
            }
            Command::Query(term) => self.query(store, term, span)?,
            Command::Push(count) => {
                let mark = self.asserted.mark();
                self.scopes.extend(std::iter::repeat_n(mark, count));
            }
            Command::Pop(count) => self.pop(count),
            Command::Reset => self.reset(),
            Command::ResetAssertions => self.forget_assertions(),
            Command::CheckSatAssuming(_)
            | Command::GetValue(_)
            | Command::Eval(_)
            | Command::GetAssignment
            | Command::GetAssertions
            | Command::GetUnsatAssumptions
            | Command::GetInterpolants(_)
            | Command::GetInterpolant(_)
            | Command::GetDagInterpolants(_)
            | Command::GetDisjunctiveInterpolants(_) => {
                let message = "this command is not supported for Horn clauses";
                return Err(Diagnostic::new(span, message).note(
                    "after an answer there are `get-model`, `get-proof` and `get-unsat-core`",
                ));
            }
            Command::SetLogic(_)
            | Command::SetOption { .. }
            | Command::Define { .. }
            | Command::GetModel
            | Command::GetProof
            | Command::GetUnsatCore
            | Command::Echo(_)
            | Command::GetInfo(_)
            | Command::GetOption(_)
            | Command::Exit => {}
        }
        Ok(())
    }
    /// Takes note of a name that bound variables must not have.
    fn note_name(&mut self, store: &TermStore, symbol: Symbol) {
        if self.form == Form::Written {
            self.names.insert(store.name(symbol).to_owned());
        }
    }
    fn damage(&mut self, level: usize) {
        self.damage = Some(self.damage.map_or(level, |known| known.min(level)));
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
        Err(Diagnostic::new(span, MIXED))
    }
    /// Constants have no place in clauses; in a rule that is `term` those that occur.
    fn refuse_constants(&self, store: &TermStore, term: Option<Term>) -> Result<(), Diagnostic> {
        if self.constants.is_empty() {
            return Ok(());
        }
        let occurring = term.map(|term| free_symbols(store, &[term]));
        let is_used = |(symbol, ..): &&(Symbol, Span, usize)| match &occurring {
            Some(occurring) => occurring.binary_search(symbol).is_ok(),
            None => true,
        };
        let Some(&(symbol, span, _)) = self.constants.iter().find(is_used) else { return Ok(()) };
        let sort = print_sort(store, store.result(symbol));
        Err(Diagnostic::new(span, no_constants(store.name(symbol), &sort))
            .note("a script that is not about Horn clauses is run by `shofar smt`"))
    }
    /// Adds an assertion of a script of rules, by which z3 writes a query: it derives a relation
    /// without arguments, and is universal in constants.
    fn state_goal(
        &mut self,
        store: &mut TermStore,
        term: Term,
        name: Option<String>,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let before = self.asserted.mark();
        self.state(store, term, name, span)?;
        let is_bare = |atom: &PredAtom| atom.args.is_empty();
        let is_goal = |(clause, _): &(Clause, usize)| {
            clause.head.as_ref().is_some_and(is_bare) && !clause.body.iter().any(is_bare)
        };
        if self.asserted.clauses[before.1..].iter().all(is_goal) {
            return Ok(());
        }
        self.asserted.truncate(before);
        Err(Diagnostic::new(span, MIXED))
    }

    /// Adds an assertion and its clauses.
    fn state(
        &mut self,
        store: &mut TermStore,
        term: Term,
        name: Option<String>,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let (contents, preds) = (&mut self.contents, &self.preds);
        let result = match self.form {
            Form::Solved => translate(store, contents, preds, &self.variables, (term, span))
                .map(|(formula, clauses)| (formula, clauses, Vec::new())),
            Form::Written => self.as_written(store, term, span),
        };
        let read = result.map_err(|trouble| self.diagnostic(store, trouble, span))?;
        let (formula, clauses, variables) = read;
        let index = self.asserted.assertions.len();
        self.asserted.assertions.push(Assertion { written: term, formula, span, name, variables });
        self.asserted.clauses.extend(clauses.into_iter().map(|clause| (clause, index)));
        Ok(())
    }
    /// What an assertion says, its clauses as they are written, and its variables.
    fn as_written(
        &mut self,
        store: &mut TermStore,
        term: Term,
        span: Span,
    ) -> Result<(Term, Vec<Clause>, Vec<Symbol>), Trouble> {
        let Self { contents, preds: system, env, names: declared, .. } = self;
        let binders = Binders { store, contents, system, env, declared };
        let Opened { formula, mut variables } = binders.open(term)?;
        let formula = Linearizer::new(store, contents, system).linear(formula)?;
        let clauses = Enumerator { store, contents, system }.clauses(formula, span)?;
        let mut free = free_symbols(store, &[formula]);
        free.retain(|&symbol| self.variables.contains(&symbol));
        variables.append(&mut free);
        Ok((formula, clauses, variables))
    }
    fn diagnostic(&self, store: &TermStore, trouble: Trouble, span: Span) -> Diagnostic {
        let place = trouble.at.and_then(|term| self.env.place_of(store, term));
        let (place, prefix) = place.unwrap_or((span, ""));
        let message = prefix.to_owned() + &trouble.message;
        Trouble { message, ..trouble }.diagnostic(place)
    }
    fn query(&mut self, store: &mut TermStore, term: Term, span: Span) -> Result<(), Diagnostic> {
        self.choose(Dialect::Rules, span)?;
        self.refuse_constants(store, Some(term))?;
        let after = self.asserted.mark();
        let denied = store.not(term);
        self.state(store, denied, None, span)?;
        self.ask(span, Polarity::Inverted, after);
        Ok(())
    }
    fn ask(&mut self, span: Span, polarity: Polarity, after: (usize, usize)) {
        self.has_asked = true;
        let preds = self.env.declared().to_vec();
        let (status, is_whole) = (self.status, self.damage.is_none());
        self.open = Some(Open { span, polarity, status, preds, is_whole, after });
    }

    fn pop(&mut self, count: usize) {
        let level = self.scopes.len().saturating_sub(count);
        if let Some(&mark) = self.scopes.get(level) {
            self.asserted.truncate(mark);
        }
        self.scopes.truncate(level);
        self.constants.retain(|&(_, _, declared)| declared <= level);
        self.damage = self.damage.filter(|&damaged| damaged <= level);
    }
    fn forget_assertions(&mut self) {
        self.scopes.clear();
        self.asserted = Asserted::default();
        self.constants.clear();
        self.damage = None;
    }
    fn reset(&mut self) {
        self.forget_assertions();
        self.contents = Contents::default();
        self.preds = ChcSystem::new();
        self.variables.clear();
        self.names.clear();
        self.dialect = None;
        self.status = None;
    }
    /// What is asserted is about to change: the clause of a query that nobody has taken goes with
    /// its question.
    fn settle(&mut self) {
        if let Some(open) = self.open.take() {
            self.asserted.truncate(open.after);
        }
    }
    fn close(&self, open: &Open, asserted: Asserted) -> HornProblem {
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
        HornProblem {
            system,
            origin,
            assertions: asserted.assertions,
            polarity: open.polarity,
            status: open.status,
            span: open.span,
            requests: Vec::new(),
            exactness: Exactness::Exact,
            surplus: Vec::new(),
            instance: None,
            explain: None,
        }
    }
}
