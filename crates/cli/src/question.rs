//! Decides one problem, and puts the answer into words.
//!
//! The verdict is printed after the witness has passed the validator.

use std::io::IsTerminal as _;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Instant;

use shofar_base::{GaveUp, StopHandle};
use shofar_chc::Verdict;
use shofar_chc::print::{Lines, print_model, print_refutation, print_summary};
use shofar_chc::read::{HornProblem, Polarity, Status};
use shofar_check::HornInput;
use shofar_driver::{Event, Failure, Preprocessing, Settings, Solved, solve};
use shofar_engine::{EngineInfo, EngineOptions, engine};
use shofar_term::{Observer, TermStore};
use shofar_transform::passes_by_name;

use crate::arguments::{SolveArguments, WitnessStyle};
use crate::dump::Dump;
use crate::limits::Limits;
use crate::output::Channel;
use crate::report::{Report, Tale};

/// How problems are decided.
pub(crate) struct Plan<'p> {
    pub(crate) arguments: &'p SolveArguments,
    pub(crate) limits: Limits,
    engines: Vec<&'static EngineInfo>,
    dump: Option<Arc<Dump>>,
    errors: Channel,
    start: Instant,
}

/// What is particular about a question.
pub(crate) struct Terms {
    pub(crate) deadline: Option<Instant>,
    pub(crate) seed: u64,
    /// Whether its model is going to be read.
    pub(crate) small_models: bool,
}

impl<'p> Plan<'p> {
    /// Follows the command line; `Err` says what is wrong with it.
    pub(crate) fn new(
        arguments: &'p SolveArguments,
        limits: Limits,
        errors: Channel,
    ) -> Result<Self, String> {
        let named =
            |name: &String| engine(name).ok_or_else(|| format!("there is no engine {name}"));
        let engines = arguments.engine.iter().map(named).collect::<Result<_, _>>()?;
        let dump = arguments.dump_queries.as_deref().map(Dump::new).transpose()?.map(Arc::new);
        preprocessing(arguments)?;
        Ok(Self { arguments, limits, engines, dump, errors, start: Instant::now() })
    }
    /// Decides a problem whose terms are in `store`; `handle` stops it, `name` is that of the script.
    pub(crate) fn decide(
        &self,
        store: TermStore,
        problem: &HornProblem,
        terms: &Terms,
        handle: &StopHandle,
        name: &str,
    ) -> (Result<Solved, Failure>, Report) {
        let tale = Tale::new(self.arguments.verbose, std::io::stderr().is_terminal(), &self.errors);
        let mut report = Report::new(self.start, name);
        let input = HornInput::of_problem(problem);
        let settings = self.settings(terms);
        let result = solve(store, &input, &settings, handle, &mut |event: &Event<'_>| {
            tale.tell(event);
            report.note(event);
        });
        tale.end();
        match &result {
            Ok(solved) => report.solved(solved, word(problem, solved)),
            Err(failure) => report.failed(failure),
        }
        (result, report)
    }
    /// The answer to a question that is not worth trying.
    pub(crate) fn give_up(&self, why: GaveUp, name: &str) -> (Result<Solved, Failure>, Report) {
        let failure = Failure { stopped: Some(why), ..Failure::default() };
        let mut report = Report::new(self.start, name);
        report.failed(&failure);
        (Err(failure), report)
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
    fn settings(&self, terms: &Terms) -> Settings {
        let arguments = self.arguments;
        let options = EngineOptions {
            seed: terms.seed,
            spacer: arguments.spacer.options(),
            tpa: arguments.tpa.options(),
            pdkind: arguments.pdkind.options(),
            lawi: arguments.lawi.options(),
            ..EngineOptions::default()
        };
        Settings {
            engines: self.engines.clone(),
            options,
            threads: self.threads(),
            preprocessing: preprocessing(arguments).expect("the names were looked up before"),
            deadline: terms.deadline,
            small_models: terms.small_models,
            small_models_until: self.limits.leisure(),
            observer: self.dump.clone().map(|dump| dump as Arc<dyn Observer>),
        }
    }
}

fn preprocessing(arguments: &SolveArguments) -> Result<Preprocessing, String> {
    let names: Vec<&str> = arguments.passes.iter().map(String::as_str).collect();
    if arguments.no_preprocess {
        return Ok(Preprocessing::Nothing);
    }
    if names.is_empty() {
        return Ok(Preprocessing::Default);
    }
    let pipeline = passes_by_name(&names).map_err(|name| format!("there is no pass {name}"))?;
    Ok(Preprocessing::Passes(pipeline))
}

/// A question with its answer.
pub(crate) struct Answer {
    problem: HornProblem,
    /// The validated verdict, or why there is none.
    result: Result<Solved, Failure>,
    pub(crate) report: Report,
}

impl Answer {
    pub(crate) fn new(
        problem: HornProblem,
        result: Result<Solved, Failure>,
        report: Report,
    ) -> Self {
        Self { problem, result, report }
    }
    /// The word that is printed.
    pub(crate) fn word(&self) -> &'static str {
        self.result.as_ref().map_or("unknown", |solved| word(&self.problem, solved))
    }
    /// Why there is no verdict.
    pub(crate) fn why(&self) -> Option<GaveUp> {
        let failure = self.result.as_ref().err()?;
        Some(failure.stopped.clone().unwrap_or(GaveUp::incomplete("no engine decides it")))
    }
    /// Whether a check of ours failed.
    pub(crate) fn has_bug(&self) -> bool {
        self.result.as_ref().is_err_and(|failure| !failure.rejected.is_empty())
    }
    /// What a person should know about the answer.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let mut remarks: Vec<String> = self.contradiction().into_iter().collect();
        if let Err(failure) = &self.result {
            remarks.push(format!("unknown ({})", failure.reason()));
            remarks.extend(failure.rejected.iter().map(|rejected| {
                format!(
                    "a witness did not pass its check; this is a bug, please report it: {rejected}"
                )
            }));
        }
        remarks
    }
    fn contradiction(&self) -> Option<String> {
        let expected = match self.problem.status? {
            Status::Sat => "sat",
            Status::Unsat => "unsat",
            Status::Unknown => return None,
        };
        let word = self.word();
        (self.result.is_ok() && expected != word).then(|| {
            format!("the answer is {word}, but the script says (set-info :status {expected})")
        })
    }
    /// The model, as `get-model` prints it.
    pub(crate) fn model(&mut self) -> Result<String, String> {
        let unknown = |_| "there is no model: the answer was unknown";
        let solved = self.result.as_mut().map_err(unknown)?;
        match solved.certified.verdict() {
            Verdict::Safe(model) => {
                Ok(text(|out| print_model(out, &mut solved.store, &self.problem.system, model)))
            }
            Verdict::Unsafe(_) => Err("there is no model: the clauses contradict each other; \
                `get-proof` prints the refutation"
                .to_owned()),
        }
    }
    /// The refutation, as `get-proof` prints it; `script` is the text of the clauses.
    pub(crate) fn proof(&self, style: WitnessStyle, script: &[u8]) -> Result<String, String> {
        let unknown = |_| "there is no refutation: the answer was unknown";
        let solved = self.result.as_ref().map_err(unknown)?;
        let system = &self.problem.system;
        match solved.certified.verdict() {
            Verdict::Safe(_) => {
                Err("there is no refutation: the clauses have a model, which `get-model` prints"
                    .to_owned())
            }
            Verdict::Unsafe(refutation) => {
                let lines = Lines::new(&self.problem, script);
                Ok(text(|out| match style {
                    WitnessStyle::Full => {
                        print_refutation(out, &solved.store, system, &lines, refutation)
                    }
                    WitnessStyle::Short => {
                        print_summary(out, &solved.store, system, &lines, refutation)
                    }
                }))
            }
        }
    }
    /// The model or the refutation.
    pub(crate) fn witness(&mut self, style: WitnessStyle, script: &[u8]) -> Option<String> {
        self.model().or_else(|_| self.proof(style, script)).ok()
    }
}

/// How a verdict is said.
fn word(problem: &HornProblem, solved: &Solved) -> &'static str {
    let is_safe = matches!(solved.certified.verdict(), Verdict::Safe(_));
    if is_safe == (problem.polarity == Polarity::Normal) { "sat" } else { "unsat" }
}

/// What is written, as a text.
fn text(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).expect("writing to memory does not fail");
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
