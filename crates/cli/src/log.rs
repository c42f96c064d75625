//! What `-v` shows: stages and turns of the engines; `-vv`: also how each engine gets on. Commands
//! of a cluster have a log, too.
//!
//! The crates below tell by `tracing` and know nothing about terminals; without `-v` nothing
//! listens, which costs one comparison for each thing told. A line has its time, its level and the
//! thread, which is named after its engine. The time is that since the start where one run is
//! looked at, and the date in UTC where logs of several machines are put together.

use tracing::Level;
#[cfg(feature = "cluster")]
use tracing_subscriber::fmt::time::SystemTime;
use tracing_subscriber::fmt::time::{FormatTime, uptime};

/// Starts to write to standard error what is told at this level of verbosity.
pub(crate) fn start(verbose: u8) {
    match verbose {
        0 => {}
        1 => show(Level::INFO, uptime()),
        _ => show(Level::DEBUG, uptime()),
    }
}

/// Starts to write to standard error what is told at this level, with dates in UTC.
#[cfg(feature = "cluster")]
pub(crate) fn show_dated(level: Level) {
    show(level, SystemTime);
}

fn show(level: Level, timer: impl FormatTime + Send + Sync + 'static) {
    let log = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(std::io::stderr)
        .with_timer(timer)
        .with_ansi(false)
        .with_target(false)
        .with_thread_names(true);
    // There is one log in a process; the first one stays.
    let _ = log.try_init();
}
