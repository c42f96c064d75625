//! The channels that answers and messages are written to.
//!
//! Answers go through one lock, so that the watchdog can end the process between two of them, never inside one. Nobody looks
//! at each write: the first failure stays with its channel and is told by [`Channel::close`], which gives the exit status.
//! That nobody reads any more (a broken pipe) is no failure; messages that cannot be written to standard error are lost.
//!
//! On a terminal a line on standard error may tell how a computation gets on. Invariant: it is cleared before anything else
//! is written to standard error, or to standard output.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, IsTerminal as _, Write};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// Exit status if something could not be written.
const FAILED: u8 = 2;
/// What standard output is called.
const STDOUT: &str = "standard output";
/// The width of a terminal that does not tell.
const WIDTH: usize = 80;
/// So many columns stay free, because terminals show `^C` behind the line, and some wrap when the last one is used.
const ROOM: usize = 3;
/// Goes to the beginning of the line and clears it.
const CLEAR: &str = "\r\x1b[K";
/// How long the last word of a process waits for whoever writes to standard error.
const PATIENCE: Duration = Duration::from_millis(10);

/// Where a channel leads.
#[derive(Debug)]
enum Target {
    Stdout(BufWriter<io::Stdout>),
    Stderr(io::Stderr),
    File(BufWriter<File>, String),
}

#[derive(Debug)]
struct State {
    target: Target,
    /// What went wrong first.
    failure: Option<io::Error>,
    /// Whether a line about the progress is on the terminal.
    has_line: bool,
    /// The channel whose line has to be cleared before something is written.
    beside: Option<Channel>,
}

/// A channel that can be redirected while others hold it.
#[derive(Clone, Debug)]
pub(crate) struct Channel(Arc<Mutex<State>>);

impl Channel {
    /// Standard output, buffered, and standard error.
    pub(crate) fn standard() -> (Self, Self) {
        let errors = Self::stderr();
        let beside = io::stdout().is_terminal().then(|| errors.clone());
        (Self::new(stdout(), beside), errors)
    }
    /// Standard error.
    pub(crate) fn stderr() -> Self {
        Self::new(Target::Stderr(io::stderr()), None)
    }
    fn new(target: Target, beside: Option<Self>) -> Self {
        Self(Arc::new(Mutex::new(State { target, failure: None, has_line: false, beside })))
    }
    /// Leads the channel to `stdout`, `stderr`, or the end of a file.
    pub(crate) fn redirect(&self, name: &str) -> io::Result<()> {
        let target = match name {
            "stdout" => stdout(),
            "stderr" => Target::Stderr(io::stderr()),
            path => {
                let file = OpenOptions::new().append(true).create(true).open(path)?;
                Target::File(BufWriter::new(file), path.to_owned())
            }
        };
        let mut state = self.lock();
        state.target.flush()?;
        state.target = target;
        Ok(())
    }
    /// Writes a text as a whole.
    pub(crate) fn write(&self, text: &str) {
        self.lock().write(text);
    }
    /// Hands everything written to the system.
    pub(crate) fn flush(&self) {
        self.lock().flush();
    }
    /// Whether something could not be written, so that going on is in vain.
    pub(crate) fn is_broken(&self) -> bool {
        self.lock().failure.is_some()
    }
    /// Hands everything written to the system; says what could not be written.
    pub(crate) fn finish(&self) -> Result<(), String> {
        let mut state = self.lock();
        state.flush();
        let State { target, failure, .. } = &*state;
        match (target, failure) {
            // Of standard error there is no place left to say it.
            (_, None) | (Target::Stderr(_), Some(_)) => Ok(()),
            (Target::Stdout(_), Some(error)) => complain(STDOUT, error),
            (Target::File(_, name), Some(error)) => complain(name, error),
        }
    }
    /// The end of a command that would exit with `code`: it does not if something could not be written.
    pub(crate) fn close(&self, code: ExitCode) -> ExitCode {
        self.finish().map_or_else(|message| failed(&message), |()| code)
    }
    /// Shows a line that is cleared before anything else is written, cut to the width of the terminal.
    pub(crate) fn show_line(&self, text: &str) {
        let mut state = self.lock();
        let length = width().saturating_sub(ROOM);
        let line: String = text.chars().map(printable).take(length).collect();
        state.put(CLEAR);
        state.put(&line);
        state.target.flush().unwrap_or_else(|error| state.fail(error));
        state.has_line = true;
    }
    /// Clears the line.
    pub(crate) fn clear_line(&self) {
        self.lock().clear_line();
    }
    /// Writes a last message to standard error unless that would have to wait for somebody.
    pub(crate) fn write_last(&self, text: &str) {
        let begin = Instant::now();
        loop {
            if let Ok(mut state) = self.0.try_lock() {
                if accepts(&io::stderr()) {
                    state.write(text);
                }
                return;
            }
            if begin.elapsed() > PATIENCE {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    /// Writes a last text and ends the process; nobody can write after that.
    pub(crate) fn write_and_exit(&self, text: &str, status: i32) -> ! {
        let mut state = self.lock();
        state.write(text);
        state.flush();
        std::process::exit(status)
    }
    fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panicked while writing leaves at worst a torn line.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The end of a command whose text somebody else has written to standard output.
pub(crate) fn printed(done: io::Result<()>) -> ExitCode {
    let done = done.or_else(|error| complain(STDOUT, &error));
    done.map_or_else(|message| failed(&message), |()| ExitCode::SUCCESS)
}

fn complain(name: &str, error: &io::Error) -> Result<(), String> {
    if error.kind() == ErrorKind::BrokenPipe {
        return Ok(());
    }
    Err(format!("cannot write {name}: {error}"))
}

fn failed(message: &str) -> ExitCode {
    Channel::stderr().write(&format!("shofar: {message}\n"));
    ExitCode::from(FAILED)
}

fn stdout() -> Target {
    Target::Stdout(BufWriter::new(io::stdout()))
}

impl State {
    fn write(&mut self, text: &str) {
        self.clear_line();
        if let Some(beside) = &self.beside {
            beside.clear_line();
        }
        self.put(text);
    }
    /// What follows a failure would not be read in its place.
    fn put(&mut self, text: &str) {
        if self.failure.is_none()
            && let Err(error) = self.target.write_all(text.as_bytes())
        {
            self.fail(error);
        }
    }
    fn flush(&mut self) {
        if self.failure.is_none()
            && let Err(error) = self.target.flush()
        {
            self.fail(error);
        }
    }
    fn fail(&mut self, error: io::Error) {
        self.failure.get_or_insert(error);
    }
    fn clear_line(&mut self) {
        if std::mem::take(&mut self.has_line) {
            self.put(CLEAR);
        }
    }
}

/// How many columns the terminal of standard error has.
fn width() -> usize {
    let told = rustix::termios::tcgetwinsize(io::stderr()).map_or(0, |size| size.ws_col);
    let columns = || std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    if told > 0 { usize::from(told) } else { columns().unwrap_or(WIDTH) }
}

/// Characters that would move the cursor are replaced, and those that may be wider than one column.
fn printable(c: char) -> char {
    if c.is_ascii_graphic() || c == ' ' { c } else { '?' }
}

/// Whether a short text can be written at once.
fn accepts(errors: &io::Stderr) -> bool {
    let mut descriptors = [PollFd::new(errors, PollFlags::OUT)];
    poll(&mut descriptors, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).is_ok_and(|ready| ready > 0)
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::Stdout(out) => out.write(bytes),
            Target::Stderr(out) => out.write(bytes),
            Target::File(out, _) => out.write(bytes),
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::Stdout(out) => out.flush(),
            Target::Stderr(out) => out.flush(),
            Target::File(out, _) => out.flush(),
        }
    }
}
