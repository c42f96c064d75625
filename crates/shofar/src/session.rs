//! Sessions: clauses that come one after the other, and questions about them.
//!
//! Clauses are added as text, as expressions or as terms of a store; scopes forget them again. All
//! of them are read by the reader of scripts, and the validator reads the same text once more into
//! a store of its own, so witnesses are checked against what was added, whatever way it came.
//!
//! A session remembers models. What was a model of the same clauses without their queries is tried
//! first, which answers many a further question by a few small queries; if it does not say enough,
//! its conjuncts are candidates for engines. Neither is trusted: every answer is validated.

mod each;
mod known;

use std::sync::{Arc, Mutex, PoisonError};

use shofar_base::{Diagnostic, GaveUp, Set, Span, StopHandle};
use shofar_chc::print::{declaration, declarations, print_clauses};
use shofar_chc::read::{CommandRole, HornReader, Rest};
use shofar_chc::{ChcSystem, IllFormed};
use shofar_check::{InputText, Rereader};
use shofar_smtlib::{Command, Commands, Sentence, Step};
use shofar_term::TermStore;

use crate::{Answer, Expr, InputError, Outcome, Problem, Relation, Solver};
pub use each::QueryOutcome;
use known::Known;

/// What is said of a question in a text of clauses.
const ASKS: &str = "a session asks by `check` and `check_each`, its texts have clauses only";

/// Clauses that come one after the other, and questions about them.
///
/// ```
/// use shofar::{Answer, Relation, Session, int};
/// let (x, y, inv) = (int("x"), int("y"), Relation::new("inv", &["Int", "Int"]));
/// let mut session = Session::new();
/// session.declare(&inv)?;
/// session.rule(inv.of([0, 0]), [])?;
/// session.rule(inv.of([&x + 1, &y + &x + 1]), [inv.of([&x, &y])])?;
/// session.query("never less", [inv.of([&x, &y]), y.lt(&x)])?;
/// session.query("never 10", [inv.of([&x, &y]), y.equals(10)])?;
/// let answers = session.check_each();
/// let Answer::Safe(model) = &answers[0].outcome.answer else { panic!("y ≥ x holds") };
/// assert_eq!(model.holds("inv", &[0, 0]), Some(true));
/// let Answer::Unsafe(refutation) = &answers[1].outcome.answer else { panic!("y can be 10") };
/// assert_eq!((answers[1].name.as_deref(), refutation.len()), (Some("never 10"), 6));
/// # Ok::<(), shofar::InputError>(())
/// ```
#[derive(Debug)]
pub struct Session {
    solver: Solver,
    reader: HornReader,
    store: TermStore,
    /// What has been accepted.
    text: Vec<u8>,
    /// Reads it again for the validator.
    rereader: Arc<Mutex<Rereader>>,
    /// How many questions have been put to both readers.
    questions: usize,
    /// The declarations of sorts by [`Self::add_clauses`], with their scopes.
    sorts: Vec<(usize, String)>,
    known: Known,
}

impl Default for Session {
    fn default() -> Self {
        Self::with_solver(Solver::new())
    }
}

impl Session {
    /// A session without clauses, with a solver that has the defaults.
    pub fn new() -> Self {
        Self::default()
    }
    /// A session without clauses, with this solver.
    pub fn with_solver(solver: Solver) -> Self {
        Self {
            solver,
            reader: HornReader::default(),
            store: TermStore::new(),
            text: Vec::new(),
            rereader: Arc::default(),
            questions: 0,
            sorts: Vec::new(),
            known: Known::default(),
        }
    }
    /// Adds declarations and clauses in SMT-LIB, with `push` and `pop` where they are wanted. The
    /// first command that is refused ends it; those before it count. So does `(exit)`, and what
    /// follows it is not read.
    pub fn add_text(&mut self, text: impl AsRef<[u8]>) -> Result<(), InputError> {
        let text: Arc<[u8]> = text.as_ref().into();
        let mut commands = Commands::of_text(text.to_vec());
        let refused = |diagnostic| InputError::new(diagnostic, Arc::clone(&text));
        loop {
            let sentence = match self.reader.next(&mut commands, &mut self.store) {
                Ok(Step::Sentence(sentence)) => sentence,
                Ok(Step::NeedInput | Step::End) => return Ok(()),
                Err(diagnostic) => return Err(refused(diagnostic)),
            };
            if sentence.command == Command::Exit {
                return Ok(());
            }
            if CommandRole::of(&sentence.command) == CommandRole::Question {
                return Err(refused(Diagnostic::new(sentence.span, ASKS)));
            }
            self.execute(sentence, commands.last()).map_err(refused)?;
        }
    }
    /// Declares a predicate.
    pub fn declare(&mut self, relation: &Relation) -> Result<(), InputError> {
        self.add_text(relation.declaration())
    }
    /// Adds the clause that `head` holds where all of `body` does.
    pub fn rule(
        &mut self,
        head: Expr,
        body: impl IntoIterator<Item = Expr>,
    ) -> Result<(), InputError> {
        self.add_text(format!("(assert {})", conjunction(body).implies(head).closed()))
    }
    /// Adds a query, which fails if all of `body` can hold.
    pub fn query(
        &mut self,
        name: &str,
        body: impl IntoIterator<Item = Expr>,
    ) -> Result<(), InputError> {
        let formula = conjunction(body).implies(false).closed();
        let name = shofar_term::print::quote(name);
        self.add_text(format!("(assert (! {formula} :named {name}))"))
    }
    /// Adds clauses whose terms live in a store of the caller. Predicates that have been declared
    /// before are the same.
    pub fn add_clauses(
        &mut self,
        store: &mut TermStore,
        system: &ChcSystem,
    ) -> Result<(), ClausesError> {
        system.check_well_formed(store).map_err(ClausesError::IllFormed)?;
        let preds = self.reader.environment().declared().iter();
        let known: Set<String> = preds.map(|&pred| declaration(&self.store, pred)).collect();
        for line in declarations(store, system) {
            if known.contains(&line) || self.sorts.iter().any(|(_, sort)| *sort == line) {
                continue;
            }
            self.add_text(&line).map_err(ClausesError::Refused)?;
            if !line.starts_with("(declare-fun ") {
                self.sorts.push((self.reader.environment().level(), line));
            }
        }
        let mut text = Vec::new();
        print_clauses(&mut text, store, system, &|_| None)
            .expect("writing to memory does not fail");
        self.add_text(text).map_err(ClausesError::Refused)
    }
    /// Opens a scope.
    pub fn push(&mut self) {
        self.add_text("(push 1)").expect("a scope can always be opened");
    }
    /// Forgets what has been added since the last scope was opened; says whether there was one.
    pub fn pop(&mut self) -> bool {
        self.add_text("(pop 1)").is_ok()
    }
    /// Whether one of the queries can fail. It is unknown if what was added cannot be asked about,
    /// as rules in the manner of z3 cannot.
    pub fn check(&mut self) -> Outcome {
        let solver = self.solver.clone();
        match self.problem() {
            Ok(problem) => self.decide(problem, &solver),
            Err(why) => Outcome::gave_up(why),
        }
    }
    /// The handle by which another thread stops the present question, and those to come until it is
    /// [reset](StopHandle::reset).
    pub fn stop_handle(&self) -> StopHandle {
        self.solver.stop_handle()
    }
    /// Decides a part of the clauses, with what is known of them.
    fn decide(&mut self, problem: Problem, solver: &Solver) -> Outcome {
        let mut problem = match self.known.outcome(problem, solver) {
            Ok(outcome) => return outcome,
            Err(problem) => problem,
        };
        let hints = self.known.hints(&mut problem.store, &problem.horn.system);
        if !hints.is_empty() {
            Arc::make_mut(&mut problem.horn).system.add_hints(hints);
        }
        let mut outcome = solver.solve(problem);
        if let Answer::Safe(model) = &mut outcome.answer {
            self.known.remember(model);
        }
        outcome
    }
    /// Executes a command that states something.
    fn execute(&mut self, mut sentence: Sentence, text: &[u8]) -> Result<(), Diagnostic> {
        let Span { start, end } = sentence.span;
        let begin = self.text.len();
        sentence.span = Span::new(begin, begin + (end - start));
        let (command, state) = (sentence.command.clone(), self.known.state());
        self.reader.execute(&mut self.store, sentence).map_err(|mut diagnostic| {
            diagnostic.span = Span::new(start, end);
            diagnostic
        })?;
        self.known.follow(&command);
        let level = self.reader.environment().level();
        self.sorts.retain(|&(of, _)| of <= level && command != Command::Reset);
        if matches!(command, Command::Assert { .. }) && self.reader.last_is_query() {
            self.known.stay(state);
        }
        self.hear(text);
        Ok(())
    }
    /// Takes note of a command that has been accepted.
    fn hear(&mut self, text: &[u8]) {
        let mut rereader = self.rereader.lock().unwrap_or_else(PoisonError::into_inner);
        rereader.hear(text);
        rereader.hear(b"\n");
        self.text.extend_from_slice(text);
        self.text.push(b'\n');
    }
    /// The problem of all clauses and queries, or why they cannot be asked about.
    fn problem(&mut self) -> Result<Problem, GaveUp> {
        let ask = b"(check-sat)";
        let span = Span::new(self.text.len(), self.text.len() + ask.len());
        let sentence = Sentence { command: Command::CheckSat, span, side_conditions: Vec::new() };
        self.reader
            .execute(&mut self.store, sentence)
            .map_err(|refused| GaveUp::unsupported(refused.message))?;
        self.hear(ask);
        let horn = self.reader.problem(Rest::More).expect("the question has just been asked");
        let origin = InputText::script(&self.rereader, self.questions);
        self.questions += 1;
        let text: Arc<[u8]> = self.text.as_slice().into();
        Ok(Problem::from_parts(self.store.clone(), horn, text).read_again_from(origin))
    }
}

/// All of these.
fn conjunction(parts: impl IntoIterator<Item = Expr>) -> Expr {
    let parts: Vec<Expr> = parts.into_iter().collect();
    match parts.as_slice() {
        [] => true.into(),
        [part] => part.clone(),
        [_, _, ..] => Expr::apply("and", parts),
    }
}

/// Why clauses of a caller were not added.
#[derive(Clone, Debug)]
pub enum ClausesError {
    /// They have no meaning.
    IllFormed(IllFormed),
    /// They do not fit what has been declared before.
    Refused(InputError),
}

impl std::fmt::Display for ClausesError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ClausesError::IllFormed(why) => write!(f, "{why}"),
            ClausesError::Refused(why) => write!(f, "{why}"),
        }
    }
}

impl std::error::Error for ClausesError {}
