//! Signals that ask the process to end: Ctrl-C, `SIGTERM`, a closed terminal, and `SIGXCPU`.
//!
//! They are caught from the first moment of the process ([`catch`]), as an answer may be owed
//! before the command line has been understood, and wait until something listens. Commands that owe
//! nothing leave them to the system ([`leave`]). There can be one list of signals in a process, so
//! it is global.
//!
//! The system counts ticks where processor time is limited, and on a busy machine it may come to
//! another result than the clock by which we stop before the limit.

use std::io;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXCPU};
use signal_hook::flag::{register_conditional_default, register_conditional_shutdown};
use signal_hook::iterator::Signals;
use signal_hook::low_level::{emulate_default_handler, pipe};

/// What listens needs little room.
const STACK: usize = 256 << 10;
/// Signals that ask a process to end.
const ASKING: [i32; 3] = [SIGHUP, SIGINT, SIGTERM];

/// The signals that are caught and that nothing listens to.
static CAUGHT: Mutex<Option<Signals>> = Mutex::new(None);
/// Whether signals are left to the system.
static LEFT: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// What a signal asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Request {
    /// To end, with the exit status that tells a shell of the signal.
    End(u8),
    /// To end because the processor time is used up.
    OutOfTime,
}

fn all() -> impl Iterator<Item = i32> {
    ASKING.into_iter().chain([SIGXCPU])
}

fn is_left() -> &'static Arc<AtomicBool> {
    LEFT.get_or_init(Arc::default)
}

fn take() -> Option<Signals> {
    CAUGHT.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Catches signals until something listens. Where that cannot be, they end the process, as they
/// would without us.
pub(crate) fn catch() {
    let caught = caught().ok();
    *CAUGHT.lock().unwrap_or_else(PoisonError::into_inner) = caught;
}

fn caught() -> io::Result<Signals> {
    // What comes before the list is there would be lost.
    let signals = Signals::new(all())?;
    for signal in all() {
        register_conditional_default(signal, Arc::clone(is_left()))?;
    }
    Ok(signals)
}

/// The signals that were caught since the last call.
pub(crate) fn pending() -> Vec<i32> {
    let mut caught = CAUGHT.lock().unwrap_or_else(PoisonError::into_inner);
    caught.as_mut().map(|signals| signals.pending().collect()).unwrap_or_default()
}

/// Leaves signals to the system until something listens: they end the process.
pub(crate) fn leave() {
    is_left().store(true, Ordering::SeqCst);
    for signal in pending() {
        // It cannot fail for a signal that was caught.
        let _ = emulate_default_handler(signal);
    }
}

/// What has something to read when a signal has been caught.
pub(crate) fn wake() -> io::Result<UnixStream> {
    let (reader, writer) = UnixStream::pair()?;
    for signal in all() {
        pipe::register(signal, writer.try_clone()?)?;
    }
    Ok(reader)
}

/// Calls `act` for every such signal, in a thread of its own, also for those that have been caught.
/// If there can be no thread, the signals end the process, as they would without us.
pub(crate) fn listen(act: impl Fn(Request) + Send + 'static) -> io::Result<()> {
    let mut signals = take().map_or_else(|| Signals::new(all()), Ok)?;
    is_left().store(false, Ordering::SeqCst);
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

/// Likewise, if the signal asks the process to end.
pub(crate) fn status_of(signal: i32) -> Option<u8> {
    ASKING.contains(&signal).then(|| status(signal))
}
