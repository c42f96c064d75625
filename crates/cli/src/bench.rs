//! `shofar bench`: runs suites of problems, see [`shofar_bench`].

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use shofar_bench::{Console, Ending};

use crate::arguments::SuiteArguments;
#[cfg(feature = "cluster")]
use crate::cluster::{job_options, surroundings};
use crate::output::Channel;
use crate::signals;

/// Exit status after a wrong verdict or a disagreement.
const DISAGREED: u8 = 1;
/// Exit status if the run could not be made, or a solver failed on every file.
const REFUSED: u8 = 2;
/// Exit status after Ctrl-C.
const INTERRUPTED: u8 = 130;

/// Standard output and standard error.
struct Terminal;

impl Console for Terminal {
    fn report(&mut self, text: &str) -> Result<(), String> {
        let (output, _) = Channel::standard();
        output.write(text);
        output.finish()
    }
    fn complain(&mut self, line: &str) {
        Channel::stderr().write(&format!("shofar bench: {line}\n"));
    }
}

/// Runs suites.
pub(crate) fn bench(arguments: &SuiteArguments) -> ExitCode {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    let listening = signals::listen(move |_| flag.store(true, Ordering::SeqCst))
        .map_err(|error| format!("cannot listen for Ctrl-C: {error}"));
    let ending = listening.and_then(|()| run(arguments, &interrupted));
    ExitCode::from(match ending {
        Ok(Ending::Done) => 0,
        Ok(Ending::Disagreed) => DISAGREED,
        Ok(Ending::Broken) => REFUSED,
        Ok(Ending::Interrupted) => INTERRUPTED,
        Err(why) => {
            Terminal.complain(&why);
            REFUSED
        }
    })
}

/// Runs suites by a cluster if there is a hub, else here.
#[cfg(feature = "cluster")]
fn run(arguments: &SuiteArguments, interrupted: &AtomicBool) -> Result<Ending, String> {
    let SuiteArguments { bench, hub } = arguments;
    let options = job_options();
    let around = surroundings(interrupted, &options);
    match hub.hub {
        None => shofar_bench::bench(bench, interrupted, &mut Terminal),
        Some(_) => shofar_cluster::bench(bench, hub, around, &mut Terminal),
    }
}

/// Runs suites here.
#[cfg(not(feature = "cluster"))]
fn run(arguments: &SuiteArguments, interrupted: &AtomicBool) -> Result<Ending, String> {
    shofar_bench::bench(&arguments.bench, interrupted, &mut Terminal)
}
