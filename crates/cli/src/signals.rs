//! Signals that ask the process to end: Ctrl-C, `SIGTERM`, a closed terminal, and `SIGXCPU`.
//!
//! The system counts ticks where processor time is limited, and on a busy machine it may come to another result than the clock by which we stop
//! before the limit.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXCPU};
use signal_hook::flag::register_conditional_shutdown;
use signal_hook::iterator::Signals;

/// What listens needs little room.
const STACK: usize = 256 << 10;

/// What a signal asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Request {
    /// To end, with the exit status that tells a shell of the signal.
    End(u8),
    /// To end because the processor time is used up.
    OutOfTime,
}

/// Calls `act` for every such signal, in a thread of its own.
/// If there can be no thread, the signals end the process, as they would without us.
pub(crate) fn listen(act: impl Fn(Request) + Send + 'static) -> io::Result<()> {
    const ASKING: [i32; 3] = [SIGHUP, SIGINT, SIGTERM];
    let mut signals = Signals::new(ASKING.into_iter().chain([SIGXCPU]))?;
    let thread = std::thread::Builder::new().name("signals".to_owned()).stack_size(STACK);
    let started = thread.spawn(move || signals.forever().for_each(|signal| act(request(signal))));
    if started.is_err() {
        for signal in ASKING {
            let always = Arc::new(AtomicBool::new(true));
            register_conditional_shutdown(signal, i32::from(status(signal)), always)?;
        }
    }
    Ok(())
}

fn request(signal: i32) -> Request {
    if signal == SIGXCPU { Request::OutOfTime } else { Request::End(status(signal)) }
}

/// The exit status of a process that a signal ended.
fn status(signal: i32) -> u8 {
    u8::try_from(signal).map_or(u8::MAX, |signal| 128 + signal)
}
