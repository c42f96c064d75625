//! The channels that answers and messages are written to.
//!
//! Answers go through one lock, so that the watchdog can end the process between two of them, never
//! inside one. Nobody looks at each write: the first failure stays with its channel and is told by
//! [`Channel::close`], which gives the exit status. That nobody reads any more (a broken pipe) is
//! no failure; messages that cannot be written to standard error are lost.
//!
//! Between the end of a computation and the writing of its answer the answer is *due*: the next
//! text is the answer, and if the process has to end before that, the word that was given instead
//! is written. So no signal comes between an answer and its channel. Where a supervisor listens,
//! texts go to it in frames, which tell it what is owed.
//!
//! The start-up code of Rust opens `/dev/null` in the place of a standard output that is closed,
//! for reading and writing, and nothing else tells that it was: what would be written there is
//! lost, which is a failure.
//!
//! On a terminal a line on standard error may tell how a computation gets on. Invariant: it is
//! cleared before anything else is written to standard error, or to standard output.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, IsTerminal as _, Write};
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd};
use std::os::unix::fs::MetadataExt as _;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::frames::{Sender, Terms};
use crate::supervisor::is_supervised;

/// Exit status if something could not be written.
const FAILED: u8 = 2;
/// What standard output is called.
const STDOUT: &str = "standard output";
/// How the flags of a stream end that was opened for reading and writing, in octal digits.
const READ_AND_WRITE: &str = "2";
/// The width of a terminal that does not tell.
const WIDTH: usize = 80;
/// So many columns stay free, because terminals show `^C` behind the line, and some wrap when the
/// last one is used.
const ROOM: usize = 3;
/// Goes to the beginning of the line and clears it.
const CLEAR: &str = "\r\x1b[K";
/// How long the last word of a process waits for whoever writes to standard error.
const PATIENCE: Duration = Duration::from_millis(10);

/// Where a channel leads.
#[derive(Debug)]
enum Target {
    Stdout(BufWriter<io::Stdout>),
    /// The supervisor writes to standard output.
    Supervisor,
    Stderr(io::Stderr),
    File(BufWriter<File>, String),
}

#[derive(Debug)]
struct State {
    target: Target,
    /// Whoever listens to this process.
    supervisor: Option<Sender>,
    /// What is written in the place of an answer that is due.
    due: Option<&'static str>,
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
        let is_shared = io::stdout().is_terminal() || is_supervised();
        let output = Self::new(stdout(), is_shared.then(|| errors.clone()));
        output.lock().failure = is_closed().then(closed);
        (output, errors)
    }
    /// Standard error.
    pub(crate) fn stderr() -> Self {
        Self::new(Target::Stderr(io::stderr()), None)
    }
    fn new(target: Target, beside: Option<Self>) -> Self {
        let (supervisor, due, failure) = (None, None, None);
        let state = State { target, supervisor, due, failure, has_line: false, beside };
        Self(Arc::new(Mutex::new(state)))
    }
    /// Tells the supervisor, if there is one, how the command ends without memory; from now on it
    /// hears everything.
    pub(crate) fn supervise(&self, terms: &Terms) {
        if !is_supervised() {
            return;
        }
        let mut state = self.lock();
        state.flush();
        match Sender::new(terms) {
            Ok(sender) => (state.supervisor, state.target) = (Some(sender), Target::Supervisor),
            Err(error) => state.fail(error),
        }
    }
    /// Says that an answer is owed, which is `word` if nothing is found out.
    pub(crate) fn owe(&self, word: &str) {
        let mut state = self.lock();
        state.due = None;
        state.tell(|supervisor| supervisor.owe(word));
    }
    /// Says that the next text is the answer; `word` is written if it does not come.
    pub(crate) fn expect_answer(&self, word: &'static str) {
        self.lock().due = Some(word);
    }
    /// Says that nothing is owed any more.
    pub(crate) fn settle(&self) {
        let mut state = self.lock();
        state.due = None;
        state.tell(|supervisor| supervisor.write(b"", true));
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
        let is_supervised = matches!(target, Target::Stdout(_)) && state.supervisor.is_some();
        state.target = if is_supervised { Target::Supervisor } else { target };
        Ok(())
    }
    /// Writes a text as a whole.
    pub(crate) fn write(&self, text: &str) {
        self.lock().write(text.as_bytes());
    }
    /// Likewise, for a part of a text.
    pub(crate) fn write_bytes(&self, bytes: &[u8]) {
        self.lock().write(bytes);
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
        state.complaint()
    }
    /// The end of a command that would exit with `code`: it does not if something could not be
    /// written.
    pub(crate) fn close(&self, code: ExitCode) -> ExitCode {
        self.finish().map_or_else(|message| failed(&message), |()| code)
    }
    /// Shows a line that is cleared before anything else is written, cut to the width of the
    /// terminal.
    pub(crate) fn show_line(&self, text: &str) {
        let mut state = self.lock();
        if !matches!(state.target, Target::Stderr(_)) {
            return;
        }
        let length = width().saturating_sub(ROOM);
        let line: String = text.chars().map(printable).take(length).collect();
        state.put(CLEAR.as_bytes());
        state.put(line.as_bytes());
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
                    state.write(text.as_bytes());
                }
                return;
            }
            if begin.elapsed() > PATIENCE {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    /// Writes a last text, or what is due, and ends the process; nothing can be written after that.
    pub(crate) fn write_and_exit(&self, text: &str, status: i32) -> ! {
        let mut state = self.lock();
        let due = state.due.filter(|_| text.is_empty());
        state.due = Some("");
        state.write(due.unwrap_or(text).as_bytes());
        state.flush();
        std::process::exit(match state.complaint() {
            Ok(()) => status,
            Err(message) => {
                // The lock of this channel is held, and that of standard error may be.
                Channel::stderr().write_last(&format!("shofar: {message}\n"));
                FAILED.into()
            }
        })
    }
    fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panicked while writing leaves at worst a torn line.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The end of a command whose text somebody else has written to standard output.
pub(crate) fn printed(done: io::Result<()>) -> ExitCode {
    let done = if is_closed() { Err(closed()) } else { done };
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
    fn write(&mut self, text: &[u8]) {
        if text.is_empty() {
            return;
        }
        self.clear_line();
        if let Some(beside) = &self.beside {
            beside.clear_line();
        }
        let is_answer = self.due.take().is_some();
        match self.target {
            Target::Supervisor => self.tell(|supervisor| supervisor.write(text, is_answer)),
            Target::Stdout(_) | Target::Stderr(_) | Target::File(..) => {
                self.put(text);
                if is_answer && self.supervisor.is_some() {
                    self.flush();
                    self.tell(|supervisor| supervisor.write(b"", true));
                }
            }
        }
    }
    /// What follows a failure would not be read in its place.
    fn put(&mut self, text: &[u8]) {
        if self.failure.is_none()
            && let Err(error) = self.target.write_all(text)
        {
            self.fail(error);
        }
    }
    /// Tells the supervisor something, if there is one.
    fn tell(&mut self, say: impl FnOnce(&mut Sender) -> io::Result<()>) {
        if self.failure.is_none()
            && let Some(Err(error)) = self.supervisor.as_mut().map(say)
        {
            self.fail(error);
        }
    }
    /// What could not be written.
    fn complaint(&self) -> Result<(), String> {
        match (&self.target, &self.failure) {
            // Of standard error there is no place left to say it.
            (_, None) | (Target::Stderr(_), Some(_)) => Ok(()),
            (Target::Stdout(_) | Target::Supervisor, Some(error)) => complain(STDOUT, error),
            (Target::File(_, name), Some(error)) => complain(name, error),
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
            self.put(CLEAR.as_bytes());
        }
    }
}

/// Whether standard output is closed, and standard error is not.
fn is_closed() -> bool {
    is_stand_in(io::stdout().as_fd()) && !is_stand_in(io::stderr().as_fd())
}

fn closed() -> io::Error {
    io::Error::other("it is closed, or the null device opened for reading as well")
}

/// Whether this is `/dev/null`, opened for reading and writing.
fn is_stand_in(stream: BorrowedFd<'_>) -> bool {
    let Ok(file) = stream.try_clone_to_owned().map(File::from) else { return false };
    let device = file.metadata().map(|it| it.rdev()).unwrap_or_default();
    if device == 0 || std::fs::metadata("/dev/null").map_or(0, |it| it.rdev()) != device {
        return false;
    }
    let info = std::fs::read_to_string(format!("/proc/self/fdinfo/{}", stream.as_raw_fd()));
    let info = info.unwrap_or_default();
    let mut lines = info.lines();
    let flags = lines.find_map(|line| line.strip_prefix("flags:")).map(str::trim);
    flags.is_some_and(|flags| flags.ends_with(READ_AND_WRITE))
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
            Target::Supervisor => Ok(bytes.len()),
            Target::Stderr(out) => out.write(bytes),
            Target::File(out, _) => out.write(bytes),
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::Stdout(out) => out.flush(),
            Target::Supervisor => Ok(()),
            Target::Stderr(out) => out.flush(),
            Target::File(out, _) => out.flush(),
        }
    }
}
