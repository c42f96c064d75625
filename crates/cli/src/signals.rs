//! Signals that ask the process to end: Ctrl-C, `SIGTERM` and a closed terminal.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag::register_conditional_shutdown;
use signal_hook::iterator::Signals;

/// What listens needs little room.
const STACK: usize = 256 << 10;

/// Calls `act` for every such signal, in a thread of its own, with the exit status that tells a shell of the signal.
/// If there can be no thread, the signals end the process, as they would without us.
pub(crate) fn listen(act: impl Fn(u8) + Send + 'static) -> io::Result<()> {
    const ASKING: [i32; 3] = [SIGHUP, SIGINT, SIGTERM];
    let mut signals = Signals::new(ASKING)?;
    let thread = std::thread::Builder::new().name("signals".to_owned()).stack_size(STACK);
    let started = thread.spawn(move || signals.forever().for_each(|signal| act(status(signal))));
    if started.is_err() {
        for signal in ASKING {
            let always = Arc::new(AtomicBool::new(true));
            register_conditional_shutdown(signal, i32::from(status(signal)), always)?;
        }
    }
    Ok(())
}

/// The exit status of a process that a signal ended.
fn status(signal: i32) -> u8 {
    u8::try_from(signal).map_or(u8::MAX, |signal| 128 + signal)
}
