//! A second process that answers when the first one has no memory left.
//!
//! Where an allocation fails, in whatever thread and in whatever library, a program in Rust is
//! aborted; where the system has no room for a stack it is killed. Limits that we keep ourselves
//! (`limits`, `watchdog`) come before that in most runs, but no reserve is large enough for every
//! allocation. So where the system limits the memory of a process (`ulimit -v`, `ulimit -d`), and
//! only there, the process that was started does nothing but start a second one, which works, and
//! wait for it. It passes on what the worker writes (`frames`), and knows what the worker owes. If
//! the worker is killed, the supervisor gives the answer that is owed, says that memory was the
//! reason, and ends as the command ends in that case. It keeps no more than one frame, so it can do
//! that where the worker cannot.
//!
//! Invariant: an answer is given once. What the worker has written in whole stays; what it has not
//! is replaced by `unknown`.
//!
//! Signals are passed on; the worker ends with the supervisor, even if that one is killed. Who
//! measures the process measures both, as the worker is a child. Where no process can be started,
//! the supervisor does the work itself.

use std::ffi::OsString;
use std::io::{self, ErrorKind, Read as _};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, ChildStdout, Command, ExitCode, ExitStatus, Stdio};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{
    Pid, Resource, Signal, getrlimit, kill_process, set_parent_process_death_signal,
};
use shofar_base::GaveUp;

use crate::frames::{Message, Receiver, Terms};
use crate::output::Channel;
use crate::signals;
use crate::text::REFUSED;
use crate::watchdog::UNKNOWN_WITNESS;

/// The first word of a worker's command line.
const WORKER: &str = "--supervised";
/// Commands that owe nothing before they say so.
const SILENT: [&str; 18] = [
    "smt",
    "info",
    "graph",
    "translate",
    "engines",
    "passes",
    "bench",
    "submit",
    "worker",
    "collect",
    "cancel",
    "cluster",
    "stand-by",
    "solc-shim",
    "generate",
    "manual",
    "completions",
    "help",
];
/// Options that print something else than an answer.
const ABOUT_US: [&str; 4] = ["-h", "--help", "-V", "--version"];
/// The allocator reserves addresses in pieces of so many kibibytes, or of more where there are
/// many.
const LEAST_RESERVE: u64 = 32 << 10;
/// A piece is no larger than this part of the addresses that there are.
const RESERVE: u64 = 16;
/// The allocator's option for that.
const RESERVE_OPTION: &str = "MIMALLOC_ARENA_RESERVE";

/// What this process is to do.
pub(crate) enum Role {
    /// Follow these words.
    Work(Vec<OsString>),
    /// End: a worker has done it.
    Done(ExitCode),
}

/// Whether a supervisor listens to this process.
pub(crate) fn is_supervised() -> bool {
    std::env::args_os().nth(1).is_some_and(|word| word == WORKER)
}

/// What a process with these words on its command line is to do; where memory is limited, it
/// supervises the one that does it.
pub(crate) fn role(mut words: Vec<OsString>) -> Role {
    if words.get(1).is_some_and(|word| word == WORKER) {
        words.remove(1);
        // Without it the worker ends at its next word.
        let _ = set_parent_process_death_signal(Some(Signal::KILL));
        return Role::Work(words);
    }
    match memory_limit().and_then(|limit| Supervisor::start(&words, limit).ok()) {
        Some(supervisor) => Role::Done(supervisor.watch()),
        None => Role::Work(words),
    }
}

/// What the system lets a process have, in bytes, if there is a limit.
fn memory_limit() -> Option<u64> {
    let limits = [Resource::As, Resource::Data].map(|resource| getrlimit(resource).current);
    limits.into_iter().flatten().min()
}

/// A worker, and what is known about it.
struct Supervisor {
    worker: Child,
    from: ChildStdout,
    /// Woken by signals.
    awake: UnixStream,
    output: Channel,
    errors: Channel,
    receiver: Receiver,
    /// What it has said, at last.
    terms: Terms,
    owed: Option<String>,
    has_answered: bool,
    is_torn: bool,
}

impl Supervisor {
    /// Starts a worker.
    fn start(words: &[OsString], limit: u64) -> io::Result<Self> {
        let awake = signals::wake()?;
        let mut command = Command::new("/proc/self/exe");
        command.args([WORKER]).args(words.iter().skip(1)).stdout(Stdio::piped());
        if let Some(name) = words.first() {
            command.arg0(name);
        }
        if std::env::var_os(RESERVE_OPTION).is_none() {
            let reserve = ((limit / RESERVE) >> 10).max(LEAST_RESERVE);
            command.env(RESERVE_OPTION, reserve.to_string());
        }
        let mut worker = command.spawn()?;
        let from = worker.stdout.take().ok_or(ErrorKind::BrokenPipe)?;
        let (output, errors) = Channel::standard();
        Ok(Self {
            worker,
            from,
            awake,
            output,
            errors,
            receiver: Receiver::default(),
            terms: Terms { status: first_status(words), told: None },
            owed: first_owed(words),
            has_answered: false,
            is_torn: false,
        })
    }
    /// Passes on what the worker says until it ends, and says what it has left unsaid.
    fn watch(mut self) -> ExitCode {
        let mut piece = [0; 1 << 13];
        loop {
            self.pass_signals_on();
            if !self.has_news() {
                continue;
            }
            match self.from.read(&mut piece) {
                Ok(0) => break,
                Ok(count) => self.hear(&piece[..count]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => break,
            }
            if self.output.is_broken() {
                break;
            }
        }
        // A worker that is not heard any more has nowhere to write to.
        drop(self.from);
        let ended = loop {
            match self.worker.wait() {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                ended => break ended,
            }
        };
        let ended = ended.unwrap_or_else(|_| ExitStatus::from_raw(0));
        let left = Left {
            terms: self.terms,
            owed: self.owed,
            has_answered: self.has_answered,
            is_torn: self.is_torn,
        };
        self.output.close(left.end(ended, &self.output, &self.errors))
    }
    /// Waits for the worker or a signal; says whether there is something to read.
    fn has_news(&mut self) -> bool {
        let mut descriptors = [
            PollFd::from_borrowed_fd(self.from.as_fd(), PollFlags::IN),
            PollFd::from_borrowed_fd(self.awake.as_fd(), PollFlags::IN),
        ];
        if poll(&mut descriptors, None).is_err() {
            return false;
        }
        let [has_text, is_awake] = descriptors.map(|it| !it.revents().is_empty());
        if is_awake {
            // One byte for each signal; which ones came is known elsewhere.
            let _ = self.awake.read(&mut [0; 16]);
        }
        has_text
    }
    fn pass_signals_on(&self) {
        for signal in signals::pending() {
            let target = i32::try_from(self.worker.id()).ok().and_then(Pid::from_raw);
            if let (Some(target), Some(signal)) = (target, Signal::from_named_raw(signal)) {
                // A worker that has ended needs no signal.
                let _ = kill_process(target, signal);
            }
        }
    }
    fn hear(&mut self, bytes: &[u8]) {
        let Self { receiver, terms, owed, output, has_answered, is_torn, .. } = self;
        receiver.take(bytes, |message| match message {
            Message::Terms(told) => *terms = told,
            Message::Owed(word) => *owed = Some(word),
            Message::Text { bytes, settles, goes_on } => {
                if settles {
                    *owed = None;
                    *has_answered = true;
                }
                *is_torn = goes_on;
                output.write_bytes(&bytes);
                output.flush();
            }
        });
    }
}

/// What a command owes before it has said anything: an answer, if it answers.
fn first_owed(all: &[OsString]) -> Option<String> {
    let words = all.iter().skip(1).map(|word| word.to_string_lossy());
    let mut words = words.peekable();
    let is_silent = words.peek().is_none_or(|word| SILENT.contains(&word.as_ref()))
        || words.any(|word| ABOUT_US.contains(&word.as_ref()));
    let asks_for_end = |word: &OsString| {
        let word = word.to_string_lossy();
        word.ends_with("termination") || word.ends_with(".ari")
    };
    let word = if all.iter().any(asks_for_end) { "MAYBE\n" } else { "unknown\n" };
    (!is_silent).then(|| word.to_owned())
}

/// How a command ends without memory before it has said anything.
fn first_status(words: &[OsString]) -> u8 {
    let is_check = words.get(1).is_some_and(|word| word == "check");
    if is_check {
        UNKNOWN_WITNESS
    } else if first_owed(words).is_some() {
        0
    } else {
        REFUSED
    }
}

/// What a worker has left when it ended.
struct Left {
    terms: Terms,
    owed: Option<String>,
    has_answered: bool,
    is_torn: bool,
}

impl Left {
    /// Says what the worker has not said; gives the exit status of both.
    fn end(self, ended: ExitStatus, output: &Channel, errors: &Channel) -> ExitCode {
        let Some(signal) = ended.signal() else {
            let code = ended.code().and_then(|code| u8::try_from(code).ok());
            return ExitCode::from(code.unwrap_or(REFUSED));
        };
        let asked = signals::status_of(signal);
        let why = if asked.is_some() { GaveUp::Cancelled } else { GaveUp::Memory };
        let owed = self.owed.unwrap_or_default();
        let word = Some(owed.trim_end()).filter(|word| !word.is_empty());
        let told = self.terms.told.as_deref().or(word).unwrap_or("stopped");
        errors.write(&format!("shofar: {told} ({why})\n"));
        if self.is_torn {
            errors.write("shofar: the last text on standard output is not complete\n");
        } else {
            output.write(&owed);
        }
        // A command that had nothing to say any more has done what it was asked for.
        let is_done = self.has_answered || !owed.is_empty() || self.terms.told.is_some();
        let status = if is_done && !self.is_torn { self.terms.status } else { REFUSED };
        ExitCode::from(asked.unwrap_or(status))
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::arguments::Arguments;

    fn owed(line: &str) -> Option<String> {
        let words: Vec<OsString> = line.split(' ').map(Into::into).collect();
        first_owed(&words)
    }

    #[test]
    fn what_decides_or_checks_owes_a_word_from_the_beginning() {
        for line in ["shofar p.smt2", "shofar --timeout 3 p", "shofar check p w", "shofar as z3 p"]
        {
            assert_eq!(owed(line).as_deref(), Some("unknown\n"), "{line}");
        }
        for line in ["shofar p.ari", "shofar --property=termination p.c"] {
            assert_eq!(owed(line).as_deref(), Some("MAYBE\n"), "{line}");
        }
        for line in ["shofar", "shofar smt p", "shofar --help", "shofar check -h", "shofar info p"]
        {
            assert_eq!(owed(line), None, "{line}");
        }
    }

    #[test]
    fn silent_commands_are_commands() {
        let command = Arguments::command();
        for name in SILENT.into_iter().filter(|&name| name != "help") {
            assert!(command.find_subcommand(name).is_some(), "{name}");
        }
    }
}
