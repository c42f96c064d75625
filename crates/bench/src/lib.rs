//! `shofar bench`: runs solvers over suites, counts, compares, draws.
//!
//! | file | what |
//! |---|---|
//! | `arguments` | the command line |
//! | `suite` | files, suites, expected verdicts |
//! | `command` | commands with placeholders |
//! | `process` | one solver on one file, under limits |
//! | `schedule` | all solvers on all files, some at the same time |
//! | `record`, `journal` | results as JSON, and how a run continues |
//! | `progress` | the line that tells how far a run is |
//! | `table` | numbers, disagreements |
//! | `broken` | solvers that failed on every file |
//! | `drawing` | cactus and scatter plots |
//!
//! Every solver, this program included, runs in a process of its own: a crash or a hang costs one
//! file, and no solver can gain from what another one left in memory. What is printed goes through
//! a [`Console`], and whoever calls [`bench`] listens for signals.

mod arguments;
mod broken;
mod command;
mod drawing;
mod journal;
mod process;
mod progress;
mod record;
mod schedule;
#[cfg(test)]
mod scratch;
mod suite;
mod table;

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

pub use arguments::{BenchArguments, HELP, positive_seconds};
pub use command::split_words;
pub use process::{Ended, Limits, Printed, Started, WALL_PER_CPU};
pub use record::{Answer, Expected, Measure};
pub use schedule::{Elsewhere, Errand, News};
pub use suite::{Instance, instances};

use crate::broken::Broken;
use crate::command::NamedCommand;
use crate::drawing::Picture;
use crate::journal::Journal;
use crate::progress::Progress;
use crate::record::{Conditions, Contender, FORMAT, Line, Measured};
use crate::schedule::{Event, Plan};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Everything was measured, and nobody contradicts anybody.
    Done,
    /// There was a wrong verdict or a disagreement.
    Disagreed,
    /// A solver failed on every file.
    Broken,
    /// It was interrupted.
    Interrupted,
}

/// Where a run writes to.
pub trait Console {
    /// Writes the report; `Err` says why it could not be written.
    fn report(&mut self, text: &str) -> Result<(), String>;
    /// Writes a complaint, one line.
    fn complain(&mut self, line: &str);
}

/// Runs suites until all is measured or `interrupted` is set; `Err` says why there can be no run.
pub fn bench(
    arguments: &BenchArguments,
    interrupted: &AtomicBool,
    console: &mut dyn Console,
) -> Result<Ending, String> {
    measure(arguments, None, interrupted, console)
}

/// Has somebody else run suites, and counts as [`bench`] does.
pub fn bench_elsewhere(
    arguments: &BenchArguments,
    elsewhere: &dyn Elsewhere,
    interrupted: &AtomicBool,
    console: &mut dyn Console,
) -> Result<Ending, String> {
    if !arguments.against.is_empty() {
        return Err("other solvers run on this machine only".to_owned());
    }
    measure(arguments, Some(elsewhere), interrupted, console)
}

fn measure(
    arguments: &BenchArguments,
    elsewhere: Option<&dyn Elsewhere>,
    interrupted: &AtomicBool,
    console: &mut dyn Console,
) -> Result<Ending, String> {
    let plan = plan(arguments)?;
    let conditions = conditions(&plan, arguments);
    let (mut journal, mut results) = match &arguments.json {
        None => (Journal::none(), Vec::new()),
        Some(path) if arguments.resume => Journal::resume(path, &conditions)?,
        Some(path) => (Journal::create(path, &conditions)?, Vec::new()),
    };
    let pieces = plan.pieces(&results);
    let mut progress = Progress::start(pieces.len());
    let observe = |event| {
        match event {
            Event::Pause => progress.draw(),
            Event::Result(result) => {
                progress.count(&result);
                journal.write(&Line::Result(result.clone()))?;
                results.push(result);
            }
        }
        Ok(())
    };
    let carried_out = match elsewhere {
        None => plan.carry_out(&pieces, interrupted, observe),
        Some(elsewhere) => {
            let options = split_words(&arguments.options)?;
            plan.carry_out_elsewhere(&pieces, elsewhere, options, interrupted, observe)
        }
    };
    progress.clear();
    carried_out?;
    let results = plan.arrange(results);
    let broken = broken::find(&plan.solvers, &results);
    let agreed = report(&plan, &results, &broken, arguments, &mut journal, console)?;
    for solver in &broken {
        console.complain(&solver.describe());
    }
    Ok(if interrupted.load(Ordering::SeqCst) {
        Ending::Interrupted
    } else if !agreed {
        Ending::Disagreed
    } else if !broken.is_empty() {
        Ending::Broken
    } else {
        Ending::Done
    })
}

fn plan(arguments: &BenchArguments) -> Result<Plan, String> {
    let executable = std::env::current_exe()
        .map_err(|error| format!("cannot find out where this program is: {error}"))?;
    let measure = if arguments.cpu { Measure::Cpu } else { Measure::Wall };
    let told = match measure {
        Measure::Wall => arguments.timeout,
        Measure::Cpu => arguments.timeout * WALL_PER_CPU,
    };
    let mut solvers = Vec::new();
    if !arguments.without_shofar {
        let complain = |why| format!("--options: {why}");
        solvers.push(NamedCommand::of_shofar(&arguments.options, told).map_err(complain)?);
    }
    for command in &arguments.against {
        if solvers.iter().any(|known| known.name == command.name) {
            return Err(format!("two solvers are called `{}`", command.name));
        }
        solvers.push(command.clone());
    }
    Ok(Plan {
        instances: suite::instances(&arguments.source, &arguments.suite)?,
        solvers,
        executable,
        timeout: arguments.timeout,
        measure,
        memory: arguments.memory.map(|megabytes| megabytes.get().saturating_mul(1 << 20)),
        jobs: arguments.jobs.get(),
    })
}

fn conditions(plan: &Plan, arguments: &BenchArguments) -> Conditions {
    let contender = |solver: &NamedCommand| Contender {
        name: solver.name.clone(),
        command: solver.words.clone(),
    };
    Conditions {
        format: FORMAT,
        timeout: plan.timeout,
        measure: plan.measure,
        memory: arguments.memory.map(std::num::NonZeroU64::get),
        solvers: plan.solvers.iter().map(contender).collect(),
    }
}

/// Prints, records and draws what came out; returns whether nobody contradicts anybody.
fn report(
    plan: &Plan,
    results: &[Measured],
    broken: &[Broken<'_>],
    arguments: &BenchArguments,
    journal: &mut Journal,
    console: &mut dyn Console,
) -> Result<bool, String> {
    let solvers: Vec<&str> = plan.solvers.iter().map(|solver| solver.name.as_str()).collect();
    let (timeout, measure) = (plan.timeout, plan.measure);
    let rows = table::rows(results, &solvers, timeout, measure);
    let mut text = table::print(&rows);
    for comparison in table::comparisons(results, &solvers) {
        let _ = writeln!(text, "{comparison}");
    }
    let disagreements = table::disagreements(results);
    // What a solver said on every file is told once, not here.
    let single = |result: &&Measured| !broken.iter().any(|solver| solver.concerns(result));
    let single: Vec<&Measured> = results.iter().filter(single).collect();
    let sections = [
        ("Disagreements", &disagreements),
        ("Failures", &table::failures(&single)),
        ("Unknown with an exit status", &table::refusals(&single)),
    ];
    for (title, lines) in sections {
        if !lines.is_empty() {
            let _ = writeln!(text, "\n{title}:\n  {}", lines.join("\n  "));
        }
    }
    let total = plan.instances.len() * plan.solvers.len();
    if results.len() < total {
        let _ = writeln!(text, "\nInterrupted: {} of {total} results.", results.len());
    } else {
        journal.write(&Line::Summary { rows })?;
    }
    console.report(&text)?;
    if let Some(folder) = &arguments.plots {
        drawing::write(Picture { results, solvers: &solvers, timeout, measure }, folder)?;
    }
    Ok(disagreements.is_empty())
}
