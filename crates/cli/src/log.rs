//! What `-v` shows: stages and turns of the engines; `-vv`: also how each engine gets on.
//!
//! The crates below tell by `tracing` and know nothing about terminals; without `-v` nobody listens, which costs one
//! comparison for each thing told. A line has the time since the start, its level and the thread, which is named after its engine.

use tracing::Level;
use tracing_subscriber::fmt::time::uptime;

/// Starts to write to standard error what is told at this level of verbosity.
pub(crate) fn start(verbose: u8) {
    match verbose {
        0 => {}
        1 => show(Level::INFO),
        _ => show(Level::DEBUG),
    }
}

/// Starts to write to standard error what is told at this level.
pub(crate) fn show(level: Level) {
    let log = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(std::io::stderr)
        .with_timer(uptime())
        .with_ansi(false)
        .with_target(false)
        .with_thread_names(true);
    // There is one log in a process; the first one stays.
    let _ = log.try_init();
}
