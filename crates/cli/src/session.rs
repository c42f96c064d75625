//! Executes the commands of a script.
//!
//! Invariant: the solver holds the scopes, the assertions and the side conditions the reader has
//! handed out, but for those that are still pending. They wait for the next check, so that what is
//! never asked about costs nothing, and a command that only asks does not disturb the last answer.

use shofar_base::{Budget, GaveUp, Outcome};
use shofar_smt::{Answer, PartId, Solver};
use shofar_smtlib::{AttributeValue, Command, Environment, Logic, Quoted, Sentence};
use shofar_term::{Cx, Term, TermStore};

use crate::arguments::SmtArguments;
use crate::limits::Limits;
use crate::output::Channel;
use crate::progress::Progress;
use crate::reply::{Flow, Reply, Response};
use crate::settings::Settings;
use crate::watchdog::{AnswerState, Watch};

/// An assertion in scope.
#[derive(Clone, Debug)]
pub(crate) struct Assertion {
    /// How the solver calls it, once it has been told.
    pub(crate) part: Option<PartId>,
    pub(crate) term: Term,
    pub(crate) name: Option<String>,
    /// The group for interpolation.
    pub(crate) group: Option<String>,
}

/// Something that the solver is not told before it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pending {
    /// What division by zero and the like mean.
    Condition(Term),
    /// The next assertion.
    Assertion,
    /// A new scope.
    Push,
}

/// What the last check said, if nothing has changed since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Unasked,
    Sat,
    Unsat,
    Unknown(GaveUp),
}

/// The state of a script in execution.
pub(crate) struct Session {
    pub(crate) env: Environment,
    pub(crate) store: TermStore,
    pub(crate) solver: Option<Solver>,
    pub(crate) settings: Settings,
    pub(crate) assertions: Vec<Assertion>,
    /// How many assertions there were when each scope was opened.
    scopes: Vec<usize>,
    pending: Vec<Pending>,
    pub(crate) status: Status,
    /// Why the last check had no answer; stays until the next one.
    pub(crate) reason_unknown: Option<GaveUp>,
    pub(crate) assumed: Vec<Quoted>,
    pub(crate) budget: Budget,
    pub(crate) regular: Channel,
    pub(crate) diagnostic: Channel,
    /// Whether a person types the commands, who would rather go on after a mistake.
    pub(crate) conversation: bool,
    /// Whether a command was refused.
    pub(crate) has_failed: bool,
    /// Whether a check of ours failed.
    pub(crate) has_bug: bool,
    watch: Watch,
    limits: Limits,
    progress: Progress,
    /// How many questions were asked.
    questions: u64,
    /// Seconds for each question.
    query_timeout: Option<f64>,
    seed: u64,
}

impl Session {
    /// A session with nothing asserted.
    pub(crate) fn new(
        watch: Watch,
        limits: Limits,
        (regular, diagnostic): (Channel, Channel),
        arguments: &SmtArguments,
    ) -> Self {
        let seed = arguments.seed;
        let begin = limits.begin(arguments.timeout);
        let progress = Progress::new(&diagnostic, begin, limits.deadline, limits.memory());
        Self {
            env: Environment::new(),
            store: TermStore::new(),
            solver: None,
            settings: Settings::new(seed),
            assertions: Vec::new(),
            scopes: Vec::new(),
            pending: Vec::new(),
            status: Status::Unasked,
            reason_unknown: None,
            assumed: Vec::new(),
            budget: Budget::unlimited(),
            regular,
            diagnostic,
            conversation: false,
            has_failed: false,
            has_bug: false,
            watch,
            limits,
            progress,
            questions: 0,
            query_timeout: arguments.query_timeout,
            seed,
        }
    }
    /// Executes a command and writes its response; `Err` is the message of an error.
    pub(crate) fn execute(&mut self, sentence: Sentence) -> Result<Flow, String> {
        self.pending.extend(sentence.side_conditions.into_iter().map(Pending::Condition));
        let flow = if sentence.command == Command::Exit { Flow::Exit } else { Flow::Continue };
        let response = self.respond(sentence.command)?;
        if let Some(text) = response.text(self.settings.print_success) {
            self.regular.write(&text);
        }
        Ok(flow)
    }
    fn respond(&mut self, command: Command) -> Reply {
        match command {
            Command::SetLogic(logic) => set_logic(logic),
            Command::SetOption { keyword, value } => self.set_option(&keyword, &value),
            Command::SetInfo { .. }
            | Command::Declare(_)
            | Command::Define { .. }
            | Command::Exit => Ok(Response::Success),
            Command::Assert { term, name, group } => Ok(self.assert(term, name, group)),
            Command::Push(count) => Ok(self.push(count)),
            Command::Pop(count) => Ok(self.pop(count)),
            Command::CheckSat => Ok(self.check(Vec::new())),
            Command::CheckSatAssuming(assumptions) => Ok(self.check(assumptions)),
            Command::GetModel => self.model(),
            Command::GetValue(terms) => self.values(&terms),
            Command::Eval(quoted) => self.eval(&quoted),
            Command::GetAssignment => self.assignment(),
            Command::GetAssertions => Ok(self.list_assertions()),
            Command::GetUnsatCore => self.unsat_core(),
            Command::GetUnsatAssumptions => self.unsat_assumptions(),
            Command::GetInterpolants(partition) => self.interpolants(&partition),
            Command::GetInterpolant(interpolant) => self.interpolant(&interpolant),
            Command::GetDagInterpolants(graph) => self.dag_interpolants(&graph),
            Command::GetDisjunctiveInterpolants(formula) => self.disjunctive_interpolants(&formula),
            Command::GetProof => Ok(Response::Unsupported),
            Command::DeclareVar(_) | Command::Rule { .. } | Command::Query(_) => {
                Err("rules and queries are not for `shofar smt`".to_owned())
            }
            Command::GetInfo(keyword) => Ok(self.info(&keyword)),
            Command::GetOption(keyword) => {
                Ok(self.settings.get(&keyword).map_or(Response::Unsupported, Response::Text))
            }
            Command::Echo(text) => Ok(Response::Text(crate::settings::string(&text))),
            Command::Reset => self.reset(),
            Command::ResetAssertions => {
                self.forget_assertions();
                Ok(Response::Success)
            }
        }
    }

    fn set_option(&mut self, keyword: &str, value: &AttributeValue) -> Reply {
        let mut settings = self.settings.clone();
        let accepted = settings.set(keyword, value)?;
        let (old, new) = (self.settings.solver_options(), settings.solver_options());
        if (self.solver.is_some() || self.pending.contains(&Pending::Assertion))
            && (old.evidence, old.seed, old.integer_splits)
                != (new.evidence, new.seed, new.integer_splits)
        {
            return Err(format!("`{keyword}` must be set before the first assertion"));
        }
        let response = accepted.redirect(value, &self.regular, &self.diagnostic)?;
        self.settings = settings;
        Ok(response)
    }
    /// Tells the solver, which is built when it is first needed, everything that is pending.
    fn tell(&mut self) -> Outcome<()> {
        let options = self.settings.solver_options();
        let solver = self.solver.get_or_insert_with(|| Solver::new(options));
        let pending = self.pending.iter().filter(|&&pending| pending == Pending::Assertion).count();
        let told = self.assertions.len() - pending;
        let mut assertions = self.assertions[told..].iter_mut();
        let (mut position, mut outcome) = (0, self.budget.check());
        while let (Ok(()), Some(&pending)) = (&outcome, self.pending.get(position)) {
            match pending {
                Pending::Condition(condition) => {
                    solver.add(&mut self.store, condition);
                }
                Pending::Assertion => {
                    let assertion = assertions.next().expect("every assertion is pending once");
                    assertion.part = Some(solver.add(&mut self.store, assertion.term));
                }
                Pending::Push => solver.push(),
            }
            position += 1;
            outcome = self.budget.check();
        }
        self.pending.drain(..position);
        outcome
    }
    fn assert(&mut self, term: Term, name: Option<String>, group: Option<String>) -> Response {
        self.assertions.push(Assertion { part: None, term, name, group });
        self.pending.push(Pending::Assertion);
        self.status = Status::Unasked;
        Response::Success
    }
    fn push(&mut self, count: usize) -> Response {
        self.pending.extend(std::iter::repeat_n(Pending::Push, count));
        self.scopes.extend(std::iter::repeat_n(self.assertions.len(), count));
        self.status = Status::Unasked;
        Response::Success
    }
    fn pop(&mut self, count: usize) -> Response {
        let level = self.scopes.len() - count;
        if count > 0 {
            self.assertions.truncate(self.scopes[level]);
            self.scopes.truncate(level);
        }
        for _ in 0..count {
            // The reader hands out again the conditions that the pop takes away.
            if let Some(scope) = self.pending.iter().rposition(|&pending| pending == Pending::Push)
            {
                self.pending.truncate(scope);
            } else {
                self.pending.clear();
                self.solver.as_mut().expect("it knows the scope").pop(1);
            }
        }
        self.status = Status::Unasked;
        Response::Success
    }
    fn forget_assertions(&mut self) {
        self.solver = None;
        self.assertions.clear();
        self.scopes.clear();
        self.pending.clear();
        self.status = Status::Unasked;
    }
    fn reset(&mut self) -> Reply {
        self.forget_assertions();
        self.settings = Settings::new(self.seed);
        let back =
            self.regular.redirect("stdout").and_then(|()| self.diagnostic.redirect("stderr"));
        back.map_err(|error| format!("cannot write the output: {error}"))?;
        Ok(Response::Success)
    }

    fn ask(&mut self, assumptions: &[Term]) -> Outcome<Status> {
        self.tell()?;
        let solver = self.solver.as_mut().expect("it has just been told");
        let mut cx = Cx::new(&mut self.store, &self.budget);
        Ok(match solver.check_assuming(&mut cx, assumptions)? {
            Answer::Sat(_) => Status::Sat,
            Answer::Unsat(_) => Status::Unsat,
        })
    }
    /// The limits of what is asked about an answer, which is not part of the question.
    pub(crate) fn answer_budget(&self) -> Budget {
        self.limits.deadline.map_or_else(Budget::unlimited, Budget::until)
    }
    /// The limits of a question that a command decides by itself.
    pub(crate) fn question_budget(&self) -> Budget {
        let own = self.settings.question_deadline(self.query_timeout);
        let deadline = own.into_iter().chain(self.limits.deadline).min();
        deadline.map_or_else(Budget::unlimited, Budget::until)
    }
    fn check(&mut self, assumptions: Vec<Quoted>) -> Response {
        let own = self.settings.question_deadline(self.query_timeout);
        let handle = self.watch.begin(own);
        let deadline = own.into_iter().chain(self.limits.deadline).min();
        self.budget = Budget::with_handle(&handle, deadline);
        let terms: Vec<Term> = assumptions.iter().map(|quoted| quoted.term).collect();
        self.questions += 1;
        self.progress.begin(&format!("question {}", self.questions), own);
        self.status = self.ask(&terms).unwrap_or_else(Status::Unknown);
        self.progress.end();
        let state = self.watch.finish();
        if state == AnswerState::Given {
            self.status = Status::Unknown(GaveUp::Timeout);
        }
        // What is asked about the answer is not part of the question.
        self.budget = self.answer_budget();
        self.assumed = assumptions;
        self.reason_unknown = match &self.status {
            Status::Unknown(why) => Some(why.clone()),
            Status::Sat | Status::Unsat | Status::Unasked => None,
        };
        if self.settings.verbosity > 0 {
            self.diagnostic.write(&(self.statistics() + "\n"));
        }
        let text = match self.status {
            Status::Sat => "sat",
            Status::Unsat => "unsat",
            Status::Unknown(_) | Status::Unasked => "unknown",
        };
        match state {
            AnswerState::Due => Response::Text(text.to_owned()),
            AnswerState::Given => Response::Given,
        }
    }
}

fn set_logic(logic: Logic) -> Reply {
    match logic {
        Logic::Horn => Err(
            "the logic HORN is not for `shofar smt`, which decides formulas without quantifiers"
                .to_owned(),
        ),
        Logic::Other { .. } => {
            unreachable!("only the reader of Horn clauses hands out other logics")
        }
        Logic::QfLra
        | Logic::QfLia
        | Logic::QfLira
        | Logic::QfRdl
        | Logic::QfIdl
        | Logic::QfUf
        | Logic::QfUflra
        | Logic::QfUflia
        | Logic::QfUflira
        | Logic::QfUfrdl
        | Logic::QfUfidl
        | Logic::QfCompound { .. }
        | Logic::All => Ok(Response::Success),
    }
}
