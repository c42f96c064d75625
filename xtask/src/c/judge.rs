//! What is right about a program, and what the interpreter and the solver say.

use std::path::Path;
use std::time::Duration;

use shofar_base::Rng;
use shofar_chc::read::ReadOptions;
use shofar_frontend::C;
use shofar_frontend::run::{AloneEnd, DataModel, Signed, run_alone};
use shofar_term::TermStore;
use shofar_testkit::c_program::CProgram;

use super::OVERFLOW;
use super::compiler::{Ended, Executed, Known, Model};
use super::trace::Trace;
use crate::process::{self, Input};

/// The interpreter may take so many instructions.
const INSTRUCTIONS: u64 = 10_000_000;

/// What signed numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Mathematical,
    Checked,
}

/// How programs are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    pub(super) arithmetic: Arithmetic,
    pub(super) model: Model,
}

impl Reading {
    /// The options of the reader.
    fn options(self) -> [(&'static str, &'static str); 2] {
        let arithmetic = match self.arithmetic {
            Arithmetic::Mathematical => "int",
            Arithmetic::Checked => "wrap-check",
        };
        let model = match self.model {
            Model::Lp64 => "LP64",
            Model::Ilp32 => "ILP32",
        };
        [("c-arith", arithmetic), ("data-model", model)]
    }
    fn interpreted(self) -> (DataModel, Signed) {
        let model = match self.model {
            Model::Lp64 => DataModel::Lp64,
            Model::Ilp32 => DataModel::Ilp32,
        };
        let signed = match self.arithmetic {
            Arithmetic::Mathematical => Signed::Mathematical,
            Arithmetic::Checked => Signed::Checked,
        };
        (model, signed)
    }
}

/// What came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// They agree; the word says on what.
    Agrees(&'static str),
    /// Nothing can be said; the word says why.
    Skipped(&'static str),
    /// They do not; this is what is wrong.
    Wrong(String),
}

/// Why nothing can be said about a run in this arithmetic, if so.
fn is_outside(executed: &Executed, arithmetic: Arithmetic) -> Option<&'static str> {
    match executed.ended {
        Ended::Undefined => Some("undefined"),
        Ended::Lost => Some("too long"),
        Ended::Fault(OVERFLOW, _) if arithmetic == Arithmetic::Mathematical => Some("overflow"),
        Ended::Fault(..) | Ended::Finished | Ended::Excluded => None,
    }
}

/// Whether the solver reads the program; it refuses expressions whose order matters.
pub(super) fn is_read(text: &str, reading: Reading) -> Result<(), String> {
    let named = |name: &str| C.options.iter().any(|option| option.name == name);
    let options: Vec<(&str, &str)> =
        reading.options().into_iter().filter(|(name, _)| named(name)).collect();
    let options: ReadOptions =
        C.options_with(&options).map_err(|_| "the options of the reader".to_owned())?;
    let mut store = TermStore::new();
    match (C.read)(text.as_bytes(), &options, &mut store) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.message),
    }
}

/// Compares a run of the interpreter with gcc's.
pub(super) fn interpret(
    text: &str,
    reading: Reading,
    inputs: &[i64],
    executed: &Executed,
) -> Outcome {
    if let Some(why) = is_outside(executed, reading.arithmetic) {
        return Outcome::Skipped(why);
    }
    let inputs: Vec<i128> = inputs.iter().map(|&input| input.into()).collect();
    let run = match run_alone(text.as_bytes(), reading.interpreted(), &inputs, INSTRUCTIONS) {
        Ok(run) => run,
        Err(error) => return Outcome::Wrong(format!("not interpreted: {}", error.message)),
    };
    let line = |at: usize| text[..at].matches('\n').count() + 1;
    let ended = match &run.end {
        AloneEnd::Finished => Ended::Finished,
        AloneEnd::Violation(fault, at) => {
            Ended::Fault(fault.words(), u32::try_from(line(at.start)).unwrap_or(0))
        }
        AloneEnd::Excluded => Ended::Excluded,
        AloneEnd::OverLimit => Ended::Lost,
        AloneEnd::Open(_) | AloneEnd::Inconclusive(..) => {
            return Outcome::Wrong(format!("the interpreter ends with {:?}", run.end));
        }
    };
    if !is_same(&ended, &executed.ended) {
        return Outcome::Wrong(format!("gcc: {:?}, the interpreter: {ended:?}", executed.ended));
    }
    if !is_settled(&ended) {
        return Outcome::Agrees("fault");
    }
    for (name, numbers) in &executed.finals {
        let found = run.finals.iter().find(|(known, _)| known == name).map(|(_, found)| found);
        if found != Some(numbers) {
            return Outcome::Wrong(format!(
                "`{name}` ends as {numbers:?} with gcc and as {found:?} with the interpreter"
            ));
        }
    }
    Outcome::Agrees(match ended {
        Ended::Finished => "finished",
        Ended::Fault(..) | Ended::Excluded | Ended::Undefined | Ended::Lost => "stopped",
    })
}

/// Whether two runs end alike. Where an expression has two faults, C leaves open which one comes
/// first.
fn is_same(a: &Ended, b: &Ended) -> bool {
    match (a, b) {
        (Ended::Fault(_, a), Ended::Fault(_, b)) => a == b,
        (
            Ended::Fault(..) | Ended::Finished | Ended::Excluded | Ended::Undefined | Ended::Lost,
            _,
        ) => a == b,
    }
}

/// Whether all effects before the end have happened, which they need not in the middle of an
/// expression.
fn is_settled(ended: &Ended) -> bool {
    match ended {
        Ended::Finished | Ended::Excluded => true,
        Ended::Fault(what, _) => what.contains("assertion") || what.contains("error"),
        Ended::Undefined | Ended::Lost => false,
    }
}

/// The last line of a program that makes it interesting, and the lines in which a run with it then
/// fails.
pub(super) fn last_line(known: &Known, rng: &mut Rng) -> Option<(String, i128)> {
    let seen = |executed: &Executed| {
        let finished = executed.ended == Ended::Finished;
        let seen = executed.finals.iter().find(|(name, _)| name == "seen").filter(|_| finished);
        seen.and_then(|(_, numbers)| numbers.first().copied())
    };
    let values: Vec<i128> = known.runs.iter().filter_map(|(_, run)| seen(run)).collect();
    if values.is_empty() {
        return None;
    }
    let value = *rng.pick(&values) + i128::from(rng.chance(50));
    Some((format!("assert(seen != {value}u);"), value))
}

/// Compares the verdict of the solver and its trace with gcc's runs.
pub(super) fn solve(
    solver: &Path,
    file: &Path,
    (program, text): (&CProgram, &str),
    (reading, limit): (Reading, u64),
    (known, wrong): (&Known, Option<i128>),
) -> Result<Outcome, String> {
    let last = u32::try_from(text.lines().count()).unwrap_or(0).saturating_sub(1);
    let mut runs = Vec::new();
    for (inputs, executed) in &known.runs {
        if let Some(why) = is_outside(executed, reading.arithmetic) {
            return Ok(Outcome::Skipped(why));
        }
        let mut executed = executed.clone();
        let seen = executed.finals.iter().find(|(name, _)| name == "seen");
        let is_last = seen.is_some_and(|(_, numbers)| numbers.first().copied() == wrong);
        if executed.ended == Ended::Finished && is_last {
            executed.ended = Ended::Fault("an assertion is violated", last);
        }
        runs.push((inputs, executed));
    }
    process::write(file, text.as_bytes())?;
    let ran = call(solver, file, reading, limit)?;
    let (word, trace) = ran.stdout.split_once('\n').unwrap_or((&ran.stdout, ""));
    match ran.end {
        process::End::Code(0) => {}
        process::End::Code(2) if ran.stderr.contains("order in which") => {
            return Ok(Outcome::Skipped("refused for its order"));
        }
        process::End::Code(_) | process::End::Signal | process::End::Timeout => {
            return Ok(Outcome::Wrong(format!("{:?}: {word} {}", ran.end, ran.stderr)));
        }
    }
    let fails = |run: &&(&Vec<i64>, Executed)| matches!(run.1.ended, Ended::Fault(..));
    match (word, runs.iter().find(fails)) {
        ("sat", None) => Ok(Outcome::Agrees("sat")),
        ("sat", Some((inputs, run))) => {
            Ok(Outcome::Wrong(format!("safe, but gcc: {:?} for the inputs {inputs:?}", run.ended)))
        }
        ("unsat", _) => Ok(trace_outcome(program, trace, known, &runs)),
        _ => Ok(Outcome::Skipped("unknown")),
    }
}

fn call(solver: &Path, file: &Path, reading: Reading, limit: u64) -> Result<process::Ran, String> {
    let file = file.to_str().ok_or("a path that is no text")?;
    let limit_word = format!("--timeout={limit}");
    let mut arguments = vec![file, "--witness=source", "--threads=1", &limit_word];
    let options: Vec<String> =
        reading.options().iter().map(|(name, value)| format!("--{name}={value}")).collect();
    // The usual data model need not be named.
    let named = if reading.model == Model::Lp64 { 1 } else { 2 };
    arguments.extend(options.iter().take(named).map(String::as_str));
    process::run(solver, &arguments, &Input::Nothing, Duration::from_secs(limit + 20))
}

/// Whether an execution is one that gcc's program has, with its values.
fn trace_outcome(
    program: &CProgram,
    text: &str,
    known: &Known,
    runs: &[(&Vec<i64>, Executed)],
) -> Outcome {
    let lengths: Vec<(String, Vec<usize>)> =
        program.globals.iter().map(|g| (g.name.clone(), g.lengths.clone())).collect();
    let trace = Trace::parse(text, &known.beginning, &lengths);
    let Some((_, run)) = runs.iter().find(|(inputs, _)| **inputs == trace.inputs) else {
        return Outcome::Wrong(format!("unsafe with the inputs {:?}", trace.inputs));
    };
    let Ended::Fault(what, line) = run.ended else {
        return Outcome::Wrong(format!("unsafe for {:?}, but gcc: {:?}", trace.inputs, run.ended));
    };
    let Some((said, place)) = &trace.violation else {
        return Outcome::Wrong("there is no violation in the trace".to_owned());
    };
    if *place != line || is_settled(&run.ended) && said != what {
        return Outcome::Wrong(format!("gcc: {what} in line {line}; the trace: {said} in {place}"));
    }
    if is_settled(&run.ended) && trace.finals != run.finals {
        let differs = trace.finals.iter().zip(&run.finals).find(|(a, b)| a != b);
        return Outcome::Wrong(format!("values of the trace and of gcc: {differs:?}"));
    }
    Outcome::Agrees("unsat")
}
