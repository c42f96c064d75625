//! `shofar FILE`: decides Horn problems.
//!
//! The verdict is printed after the witness has passed the validator. Exit status: 0 if an answer (also `unknown`) was
//! printed, 2 if the input was refused, 3 if a witness failed its check, which is a bug of ours.

use std::io::IsTerminal as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use shofar_chc::Verdict;
use shofar_chc::print::{Lines, print_model, print_refutation, print_summary};
use shofar_chc::read::{HornProblem, Polarity, Request};
use shofar_check::HornInput;
use shofar_driver::{Event, Failure, Preprocessing, Settings, Solved, solve};
use shofar_engine::{EngineInfo, EngineOptions, engine};
use shofar_term::{Observer, TermStore};
use shofar_transform::passes_by_name;

use crate::arguments::{SolveArguments, WitnessStyle};
use crate::dump::Dump;
use crate::output::Channel;
use crate::report::{Report, Tale};
use crate::text::{NO_QUESTION, Text, fail};
use crate::watchdog::{Enforcement, Limits, Watch};

/// Exit status when a witness of ours does not pass.
const BUG: u8 = 3;

/// `shofar FILE`: decides every question of a script.
pub(crate) fn run(arguments: &SolveArguments) -> ExitCode {
    crate::log::start(arguments.verbose);
    let (output, errors) = (Channel::stdout(), Channel::stderr());
    let start = Instant::now();
    let deadline = arguments.timeout.map(|seconds| start + Duration::from_secs_f64(seconds));
    let memory = arguments.memory.map(|megabytes| megabytes.get().saturating_mul(1 << 20));
    let watch = Watch::start(Limits { deadline, memory }, Enforcement::Question, &output);
    watch.begin();
    let dump = match arguments.dump_queries.as_deref().map(Dump::new).transpose() {
        Ok(dump) => dump.map(Arc::new),
        Err(message) => return fail(&message, &errors),
    };
    let engines = match chosen_engines(arguments) {
        Ok(engines) => engines,
        Err(message) => return fail(&message, &errors),
    };
    let text = match Text::read(arguments.file.as_deref()) {
        Ok(text) => text,
        Err(message) => return fail(&message, &errors),
    };
    let mut store = TermStore::new();
    let script = match text.horn(&mut store, &output, &errors) {
        Ok(script) => script,
        Err(code) => return code,
    };
    if script.problems.is_empty() {
        let _ = errors.write(&format!("shofar: {NO_QUESTION}\n"));
    }
    let mut code = ExitCode::SUCCESS;
    let echoes = script.preamble.iter();
    for request in echoes {
        if let Request::Echo(text) = request {
            let _ = output.write(&format!("\"{}\"\n", text.replace('"', "\"\"")));
        }
    }
    for (number, problem) in script.problems.iter().enumerate() {
        let observer = dump.clone().map(|dump| dump as Arc<dyn Observer>);
        let settings = match settings(arguments, problem, &engines, deadline) {
            Ok(settings) => Settings { observer, ..settings },
            Err(message) => return fail(&message, &errors),
        };
        let tale = Tale::new(arguments.verbose, std::io::stderr().is_terminal(), &errors);
        let mut report = Report::new(start, &text.name);
        let question =
            Question { arguments, text: &text, problem, output: &output, errors: &errors };
        let input = HornInput::of_problem(problem);
        let is_last = number + 1 == script.problems.len();
        let store = if is_last { std::mem::take(&mut store) } else { store.clone() };
        let result = solve(store, &input, &settings, &watch.handle, &mut |event: &Event<'_>| {
            tale.tell(event);
            report.note(event);
        });
        tale.end();
        watch.finish();
        if !question.answer(result, &mut report) {
            code = ExitCode::from(BUG);
        }
        if let Some(style) = arguments.stats {
            let _ = errors.write(&report.render(style));
        }
        watch.begin();
    }
    watch.finish();
    if let Some(message) = dump.as_ref().and_then(|dump| dump.close()) {
        let _ = errors.write(&format!("shofar: {message}\n"));
    }
    let _ = output.flush().and_then(|()| errors.flush());
    // The system takes the memory back faster than we could give it.
    std::mem::forget((store, script, text));
    code
}

fn chosen_engines(arguments: &SolveArguments) -> Result<Vec<&'static EngineInfo>, String> {
    arguments
        .engine
        .iter()
        .map(|name| engine(name).ok_or_else(|| format!("there is no engine {name}")))
        .collect()
}

fn settings(
    arguments: &SolveArguments,
    problem: &HornProblem,
    engines: &[&'static EngineInfo],
    deadline: Option<Instant>,
) -> Result<Settings, String> {
    let names: Vec<&str> = arguments.passes.iter().map(String::as_str).collect();
    let preprocessing = if arguments.no_preprocess {
        Preprocessing::Nothing
    } else if names.is_empty() {
        Preprocessing::Default
    } else {
        let pipeline = passes_by_name(&names).map_err(|name| format!("there is no pass {name}"))?;
        Preprocessing::Passes(pipeline)
    };
    let options = EngineOptions {
        seed: arguments.seed,
        spacer: arguments.spacer.options(),
        tpa: arguments.tpa.options(),
        pdkind: arguments.pdkind.options(),
        lawi: arguments.lawi.options(),
        ..EngineOptions::default()
    };
    Ok(Settings {
        engines: engines.to_vec(),
        options,
        threads: arguments.threads.get(),
        preprocessing,
        deadline,
        small_models: prints(arguments, problem, &Request::Model),
        observer: None,
    })
}

/// Whether the witness that a script can request like this is printed if there is one.
fn prints(arguments: &SolveArguments, problem: &HornProblem, request: &Request) -> bool {
    arguments.witness.is_some() || problem.requests.contains(request)
}

/// One question and where its answer goes.
struct Question<'q> {
    arguments: &'q SolveArguments,
    text: &'q Text,
    problem: &'q HornProblem,
    output: &'q Channel,
    errors: &'q Channel,
}

impl Question<'_> {
    /// Prints the answer; false if a check of ours failed.
    fn answer(&self, result: Result<Solved, Failure>, report: &mut Report) -> bool {
        match result {
            Ok(mut solved) => {
                report.solved(&solved);
                let is_safe = matches!(solved.certified.verdict(), Verdict::Safe(_));
                let says_sat = is_safe == (self.problem.polarity == Polarity::Normal);
                let mut bytes = Vec::new();
                bytes.extend_from_slice(if says_sat { b"sat\n" } else { b"unsat\n" });
                self.witness(&mut solved, &mut bytes);
                // The verdict and its witness are written as a whole, never half.
                let _ = self
                    .output
                    .write(&String::from_utf8_lossy(&bytes))
                    .and_then(|()| self.output.flush());
                true
            }
            Err(failure) => {
                report.failed(&failure);
                let _ = self.output.write("unknown\n").and_then(|()| self.output.flush());
                let _ = self.errors.write(&format!("shofar: unknown ({})\n", failure.reason()));
                for rejected in &failure.rejected {
                    let _ = self.errors.write(&format!(
                        "shofar: a witness did not pass its check; this is a bug, please report it: {rejected}\n"
                    ));
                }
                failure.rejected.is_empty()
            }
        }
    }
    fn witness(&self, solved: &mut Solved, bytes: &mut Vec<u8>) {
        let system = &self.problem.system;
        let wanted = |request: &Request| prints(self.arguments, self.problem, request);
        let written = match solved.certified.verdict() {
            Verdict::Safe(model) => {
                if wanted(&Request::Model) {
                    print_model(bytes, &mut solved.store, system, model)
                } else {
                    Ok(())
                }
            }
            Verdict::Unsafe(refutation) => {
                let lines = Lines::new(self.problem, &self.text.bytes);
                match self.arguments.witness.unwrap_or(WitnessStyle::Full) {
                    _ if !wanted(&Request::Proof) => Ok(()),
                    WitnessStyle::Full => {
                        print_refutation(bytes, &solved.store, system, &lines, refutation)
                    }
                    WitnessStyle::Short => {
                        print_summary(bytes, &solved.store, system, &lines, refutation)
                    }
                }
            }
        };
        written.expect("writing to memory does not fail");
    }
}
