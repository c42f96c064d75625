//! Decides one problem, and puts the answer into words.
//!
//! The verdict is printed after the witness has passed the validator.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use shofar::{Outcome, Problem, Refutation, Solver};
use shofar_base::{GaveUp, StopHandle};
use shofar_chc::ClauseId;
use shofar_chc::print::Lines;
use shofar_chc::read::{HornProblem, Status, Task, read_hints};
use shofar_check::{InputText, Rigour};
use shofar_driver::Workers;
use shofar_term::TermStore;
use shofar_term::print::quote;
use shofar_termination::Analysis;

use crate::arguments::{ShareArgument, SolveArguments, WitnessStyle};
use crate::dump::Dump;
use crate::json;
use crate::limits::Limits;
use crate::output::Channel;
use crate::progress::{Progress, Spectator};
use crate::report::{self, Statistics};
use crate::solc::{self, Dialect};
use crate::text::{Complaint, Text};

/// How long engines that lost are waited for, after the answer has been given.
const PATIENCE: Duration = Duration::from_secs(1);

/// How problems are decided.
pub(crate) struct Configuration<'p> {
    pub(crate) arguments: &'p SolveArguments,
    pub(crate) limits: Limits,
    solver: Solver,
    dump: Option<Arc<Dump>>,
    hints: Option<Text>,
    errors: Channel,
    pub(crate) progress: Progress,
    start: Instant,
}

/// What is particular about a question.
pub(crate) struct QuestionOptions {
    pub(crate) deadline: Option<Instant>,
    pub(crate) seed: u64,
    /// Whether its model is going to be read.
    pub(crate) small_models: bool,
    /// Where the validator reads the problem again.
    pub(crate) text: InputText,
}

impl<'p> Configuration<'p> {
    /// Follows the command line; `Err` says what is wrong with it.
    pub(crate) fn new(
        arguments: &'p SolveArguments,
        limits: Limits,
        errors: Channel,
    ) -> Result<Self, String> {
        let queries = arguments.dump_queries.as_deref();
        let dump = Dump::new(queries, arguments.dump_recursion_free.as_deref())?.map(Arc::new);
        let hints = arguments.hints.as_deref().map(|file| Text::read(Some(file))).transpose()?;
        let mut solver = solver(arguments)?;
        let (begin, memory) = (limits.begin(arguments.timeout), limits.memory());
        // What is logged has the terminal for itself.
        let progress = match arguments.verbose {
            0 => Progress::new(&errors, begin, limits.deadline, memory),
            _ => Progress::none(),
        };
        if dump.is_some() || progress.is_shown() {
            let (dump, progress) = (dump.clone(), progress.clone());
            solver = solver.with_observer(Arc::new(Spectator { dump, progress }));
        }
        if let Some(socket) = &arguments.relay {
            solver = with_relay(solver, socket);
        }
        Ok(Self { arguments, limits, solver, dump, hints, errors, progress, start: Instant::now() })
    }
    /// Decides a problem whose terms are in `store`; `handle` stops it, `name` is that of the
    /// script. Engines that lost are coming to their end, and have to be joined when the answer
    /// has been given.
    pub(crate) fn decide(
        &self,
        store: TermStore,
        problem: HornProblem,
        options: &QuestionOptions,
        handle: &StopHandle,
        name: &str,
    ) -> (Answered, Workers) {
        self.progress.begin("preprocessing", options.deadline);
        let status = problem.status;
        let problem = Problem::from_parts(store, problem, Arc::default());
        let problem = problem.read_again_from(options.text.clone());
        let solver = self.solver_for(options).stopped_by(handle.clone());
        let (outcome, workers) = solver.answer(problem, &mut |event| {
            report::log(event);
            self.progress.follow(event);
        });
        self.progress.end();
        let statistics = Statistics::new(self.start, name, &outcome);
        (Answered { status, outcome, written: None, statistics }, workers)
    }
    /// Adds the hints of the command line to a problem; what is wrong with them is told.
    pub(crate) fn add_hints(
        &self,
        store: &mut TermStore,
        problem: &mut HornProblem,
    ) -> Result<(), Complaint> {
        let Some(text) = &self.hints else { return Ok(()) };
        let read = read_hints(&text.bytes, store, &problem.system);
        let hints = read.map_err(|error| text.complaint(&error))?;
        problem.system.add_hints(hints);
        Ok(())
    }
    /// The answer to a question that is not worth trying.
    pub(crate) fn give_up(&self, why: GaveUp, name: &str) -> Answered {
        let outcome = Outcome::gave_up(why);
        let statistics = Statistics::new(self.start, name, &outcome);
        Answered { status: None, outcome, written: None, statistics }
    }
    /// The statistics of an answer about termination, which took `time`.
    pub(crate) fn about_termination(
        &self,
        name: &str,
        analysis: &Analysis,
        time: Duration,
    ) -> Statistics {
        Statistics::of_termination(self.start, name, analysis, time)
    }
    /// Waits for the queries that are being written; says which one could not be.
    pub(crate) fn end(&self) {
        if let Some(message) = self.dump.as_ref().and_then(|dump| dump.close()) {
            self.errors.write(&format!("shofar: {message}\n"));
        }
    }
    /// As many as the user wants; else two, or one where processor time counts.
    fn threads(&self) -> usize {
        let usual = if self.limits.has_cpu_limit() { 1 } else { 2 };
        self.arguments.threads.map_or(usual, NonZeroUsize::get)
    }
    /// The solver that the command line asks for, without a deadline.
    pub(crate) fn solver(&self, seed: u64) -> Solver {
        self.solver.clone().with_threads(self.threads()).with_seed(seed)
    }
    fn solver_for(&self, question: &QuestionOptions) -> Solver {
        let mut solver = self.solver(question.seed);
        if let Some(deadline) = question.deadline {
            solver = solver.with_deadline(deadline);
        }
        if question.small_models {
            solver = solver.with_small_models(self.limits.time_beside_deciding());
        }
        solver
    }
}

/// The solver with lemmas of others, which come through a socket.
#[cfg(feature = "cluster")]
fn with_relay(solver: Solver, socket: &Path) -> Solver {
    match shofar_cluster::relay_to(socket) {
        Ok(relay) => solver.with_relay(relay),
        Err(error) => {
            tracing::warn!("no lemmas of others: {error}");
            solver
        }
    }
}

/// The solver as it is.
#[cfg(not(feature = "cluster"))]
fn with_relay(solver: Solver, _: &Path) -> Solver {
    tracing::warn!("no lemmas of others: this program was built without the cluster");
    solver
}

/// Proofs are checked where somebody asks for it, and in debug builds.
pub(crate) fn rigour(check_proofs: bool) -> Rigour {
    if check_proofs { Rigour::Proofs } else { Rigour::default() }
}

/// The solver that the command line asks for.
fn solver(arguments: &SolveArguments) -> Result<Solver, String> {
    let mut options = arguments.engines.options();
    options.sharing = arguments.share.map_or(options.sharing, ShareArgument::sharing);
    let mut solver = Solver::new()
        .with_rigour(rigour(arguments.check_proofs))
        .with_engine_options(options)
        .with_engines(&words(&arguments.engine))
        .map_err(|error| error.to_string())?;
    if let Some(steps) = arguments.steps_per_ms {
        solver = solver.with_steps_per_millisecond(steps);
    }
    if arguments.no_preprocess {
        return Ok(solver.without_preprocessing());
    }
    Ok(match &arguments.passes {
        None => solver,
        Some(passes) => solver.with_passes(passes.clone()),
    })
}

fn words(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

/// A question with its answer.
pub(crate) struct Answered {
    /// What the script says the answer is.
    status: Option<Status>,
    outcome: Outcome,
    /// The refutation in clauses as they are written, once it is needed.
    written: Option<Box<Refutation>>,
    pub(crate) statistics: Statistics,
}

impl Answered {
    /// The word that is printed.
    pub(crate) fn word(&self) -> &'static str {
        self.outcome.word()
    }
    /// Why there is no verdict.
    pub(crate) fn why(&self) -> Option<GaveUp> {
        let shofar::Answer::Unknown(failure) = &self.outcome.answer else { return None };
        let undecided = || match failure.rejected.first() {
            Some(rejected) => GaveUp::wrong(rejected.clone()),
            None => GaveUp::incomplete("no engine decides it"),
        };
        Some(failure.stopped.clone().unwrap_or_else(undecided))
    }
    /// Whether a check of ours failed.
    pub(crate) fn has_bug(&self) -> bool {
        match &self.outcome.answer {
            shofar::Answer::Unknown(failure) => !failure.rejected.is_empty(),
            shofar::Answer::Safe(_) | shofar::Answer::Unsafe(_) => false,
        }
    }
    /// What a person should know about the answer.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let shofar::Answer::Unknown(failure) = &self.outcome.answer else {
            let instance = self.outcome.instance.as_ref();
            let told = instance.map(|about| format!("the execution is one of {about}"));
            return self.contradiction().into_iter().chain(told).collect();
        };
        let mut remarks = vec![format!("unknown ({failure})")];
        remarks.extend(failure.rejected.iter().map(|rejected| {
            format!("a witness did not pass its check; this is a bug, please report it: {rejected}")
        }));
        remarks
    }
    fn contradiction(&self) -> Option<String> {
        let expected = match self.status? {
            Status::Sat => "sat",
            Status::Unsat => "unsat",
            Status::Unknown => return None,
        };
        let word = self.word();
        (expected != word).then(|| {
            format!("the answer is {word}, but the script says (set-info :status {expected})")
        })
    }
    /// The model, as `get-model` prints it.
    pub(crate) fn model(&mut self, dialect: Dialect) -> Result<String, String> {
        match &mut self.outcome.answer {
            shofar::Answer::Safe(model) => {
                let text = text(|out| model.print(out));
                Ok(match dialect {
                    Dialect::Own | Dialect::Golem => text,
                    Dialect::Solc | Dialect::Eldarica => solc::readable(&text),
                })
            }
            shofar::Answer::Unsafe(_) => {
                Err("there is no model: the clauses contradict each other; \
                    `get-proof` prints the refutation"
                    .to_owned())
            }
            shofar::Answer::Unknown(_) => {
                Err("there is no model: the answer was unknown".to_owned())
            }
        }
    }
    /// Puts a refutation in clauses as they are written, which is what it is printed in; `read`
    /// reads the clauses of a script.
    pub(crate) fn number_clauses(
        &mut self,
        read: impl FnOnce() -> Result<Option<(TermStore, HornProblem)>, GaveUp>,
    ) -> Result<(), GaveUp> {
        let Some(refutation) = self.refutation().filter(|_| self.written.is_none()) else {
            return Ok(());
        };
        let written = match read()? {
            Some((store, problem)) => refutation.in_clauses_of(store, problem)?,
            None => refutation.in_written_clauses()?.into_owned(),
        };
        self.written = Some(Box::new(written));
        Ok(())
    }
    /// The refutation, as `get-proof` prints it; `script` is the text of the clauses.
    pub(crate) fn proof(
        &self,
        style: WitnessStyle,
        dialect: Dialect,
        script: &[u8],
    ) -> Result<String, String> {
        match &self.outcome.answer {
            shofar::Answer::Safe(_) => {
                Err("there is no refutation: the clauses have a model, which `get-model` prints"
                    .to_owned())
            }
            shofar::Answer::Unsafe(refutation) => Ok(match dialect {
                Dialect::Solc | Dialect::Eldarica => solc::print_proof(refutation),
                Dialect::Golem => solc::print_golem(refutation),
                Dialect::Own => {
                    let refutation = self.written.as_deref().unwrap_or(refutation);
                    let lines = Lines::new(refutation.horn(), script);
                    text(|out| match style {
                        WitnessStyle::Short => refutation.print_short(out, &lines),
                        WitnessStyle::Summary => refutation.print_summary(out, &lines),
                        WitnessStyle::Full
                        | WitnessStyle::Json
                        | WitnessStyle::Source
                        | WitnessStyle::Yaml => refutation.print_with(out, &lines),
                    })
                }
            }),
            shofar::Answer::Unknown(_) => {
                Err("there is no refutation: the answer was unknown".to_owned())
            }
        }
    }
    /// The witness as a line of JSON; nothing if there is none.
    pub(crate) fn json(&mut self, script: &[u8]) -> String {
        let word = self.word();
        let evidence = self.witness(WitnessStyle::Full, Dialect::Own, script);
        evidence.map(|text| format!("{}\n", json::of_evidence(word, &text))).unwrap_or_default()
    }
    /// Whether there is a model behind the answer.
    pub(crate) fn has_model(&self) -> bool {
        matches!(self.outcome.answer, shofar::Answer::Safe(_))
    }
    /// Whether there is a refutation behind the answer.
    pub(crate) fn has_refutation(&self) -> bool {
        matches!(self.outcome.answer, shofar::Answer::Unsafe(_))
    }
    /// The same answer with a refutation that does without some of its clauses, if one is found
    /// before the deadline; `group` names the clauses that are left out together, or none for those
    /// that stay.
    pub(crate) fn smaller(
        &self,
        solver: &Solver,
        deadline: Option<Instant>,
        group: &dyn Fn(ClauseId, &HornProblem) -> Option<usize>,
    ) -> Self {
        let found = self.refutation().map(|r| r.minimized(solver, deadline, group));
        let none = || Outcome::gave_up(GaveUp::incomplete("there is no refutation"));
        let outcome = found.map_or_else(none, Outcome::of_refutation);
        let statistics = self.statistics.clone();
        Self { status: self.status, outcome, written: None, statistics }
    }
    /// The names of the assertions that the refutation is about, in their order.
    pub(crate) fn named_core(&self) -> String {
        let names = self.refutation().map_or(Vec::new(), |refutation| {
            let problem = refutation.horn();
            let used: BTreeSet<usize> =
                refutation.clauses().into_iter().map(|clause| problem.origin[clause]).collect();
            let names = used.into_iter().filter_map(|at| problem.assertions[at].name.as_deref());
            names.map(|name| quote(name).into_owned()).collect()
        });
        format!("({})", names.join(" "))
    }
    /// The clauses of the refutation, one a line, with what the user calls them.
    pub(crate) fn core(&self, script: &[u8]) -> String {
        let known = self.written.as_deref().or_else(|| self.refutation());
        let Some(refutation) = known else { return String::new() };
        let lines = Lines::new(refutation.horn(), script);
        text(|out| refutation.print_core(out, &lines))
    }
    fn refutation(&self) -> Option<&Refutation> {
        match &self.outcome.answer {
            shofar::Answer::Unsafe(refutation) => Some(refutation),
            shofar::Answer::Safe(_) | shofar::Answer::Unknown(_) => None,
        }
    }
    /// The witness in the words of the input; without such words it is the model or the refutation,
    /// about the clauses of `script`.
    pub(crate) fn in_source(&mut self, script: &[u8]) -> String {
        let told = match &mut self.outcome.answer {
            shofar::Answer::Safe(model) => model.in_source(),
            shofar::Answer::Unsafe(refutation) => refutation.in_source(),
            shofar::Answer::Unknown(_) => None,
        };
        let plain = |this: &mut Self| this.witness(WitnessStyle::Full, Dialect::Own, script);
        told.or_else(|| plain(self)).unwrap_or_default()
    }
    /// The witness of a verification task, if the language has such a format.
    pub(crate) fn yaml(&mut self, task: &Task<'_>) -> Option<String> {
        match &mut self.outcome.answer {
            shofar::Answer::Safe(model) => model.yaml(task),
            shofar::Answer::Unsafe(refutation) => refutation.yaml(task),
            shofar::Answer::Unknown(_) => None,
        }
    }
    /// The model or the refutation; Solidity's compiler asks for a refutation by `get-proof` only.
    pub(crate) fn witness(
        &mut self,
        style: WitnessStyle,
        dialect: Dialect,
        script: &[u8],
    ) -> Option<String> {
        let model = self.model(dialect);
        match dialect {
            Dialect::Own | Dialect::Golem => {
                model.or_else(|_| self.proof(style, dialect, script)).ok()
            }
            Dialect::Solc => model.ok(),
            Dialect::Eldarica => match &self.outcome.answer {
                shofar::Answer::Unsafe(refutation) => Some(solc::print_eldarica(refutation)),
                shofar::Answer::Safe(_) | shofar::Answer::Unknown(_) => model.ok(),
            },
        }
    }
}

/// Waits for engines that lost; the answer has been given.
pub(crate) fn join(workers: Workers) {
    if !workers.join_within(PATIENCE) {
        tracing::warn!("an engine does not notice that it has to stop");
    }
}

/// What is written, as a text.
fn text(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).expect("writing to memory does not fail");
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
