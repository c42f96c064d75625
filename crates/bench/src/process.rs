//! Runs one solver on one file, under limits.
//!
//! The solver leads a process group of its own, so that it can be ended together with everything it
//! has started, and so that Ctrl-C at the terminal reaches us alone. We look at it every few
//! milliseconds, and when it ends. Its CPU seconds are those that the system tells of the process
//! and of the children it has waited for; the last look is at the process that has ended but
//! has not been waited for, so nothing is missed.
//!
//! The answer is the last line of standard output that is `sat`, `unsat` or `unknown`, as in the
//! CHC competition, or `YES`, `NO` or `MAYBE`, as in the termination competition.
use std::fs;
use std::io::{self, Read, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, WaitId, WaitIdOptions, pidfd_open, prlimit,
};

use crate::record::{Answer, Measure};

/// How long to wait between two looks, at most.
const PERIOD: Duration = Duration::from_millis(5);
/// How long to wait for the end of the output of a process that has ended: a descendant in another
/// group may keep it open.
const DRAIN: Duration = Duration::from_secs(1);
/// How much more by the clock a solver may take whose CPU seconds are limited.
pub const WALL_PER_CPU: f64 = 4.0;
/// An answer that is not a verdict counts as a timeout from this part of the limit on.
const NEARLY: f64 = 0.98;
/// What a line of standard error contains that tells of a panic of a Rust program.
pub(crate) const PANIC: &str = "panicked at";
/// How much of a message is kept.
const MESSAGE: usize = 300;
/// How much of a line of standard error is looked at; statistics are long.
const LONGEST: usize = 1 << 16;
/// How the line of `--stats=json` begins.
const STATISTICS: &str = "{\"file\":";
/// How the variables of the environment begin that no solver gets to see.
const SECRETS: &[u8] = b"SHOFAR_HUB";

/// What a solver may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Seconds.
    pub seconds: f64,
    /// Which seconds.
    pub measure: Measure,
    /// Seconds after the limit in which a solver that knows it may end by itself.
    pub grace: f64,
    /// Resident bytes.
    pub memory: Option<u64>,
}

/// How a solver ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// What it said.
    pub answer: Answer,
    /// Seconds by the clock.
    pub wall: f64,
    /// Seconds on the processors.
    pub cpu: f64,
    /// The exit status, unless a signal ended it.
    pub exit: Option<i32>,
    /// What it complained about.
    pub message: Option<String>,
}

/// What a solver printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// Standard output, as far as there was room for it.
    pub output: Vec<u8>,
    /// Whether there was more.
    pub is_cut: bool,
    /// The line of `--stats=json`, if there is one.
    pub statistics: Option<String>,
}

/// Runs a command to its end; `None` if the run was interrupted, an error if the command could not
/// be started.
pub(crate) fn run(
    words: &[String],
    limits: Limits,
    interrupted: &AtomicBool,
) -> io::Result<Option<Ended>> {
    let started = Started::with(words, Stdio::null())?;
    Ok(started.run(limits, 0, interrupted)?.map(|(ended, _)| ended))
}

/// A process that was started, and that ends with this value. Its standard input ends when this
/// process does.
#[derive(Debug)]
pub struct Started {
    /// Nothing after its end.
    child: Option<Child>,
    /// Since when it is measured.
    begin: Instant,
}

impl Started {
    /// Starts a command; an error if that is not possible.
    pub fn new(words: &[String]) -> io::Result<Self> {
        Self::with(words, Stdio::piped())
    }
    fn with(words: &[String], input: Stdio) -> io::Result<Self> {
        let (program, arguments) = words.split_first().expect("a command has a word");
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os() {
            if name.as_encoded_bytes().starts_with(SECRETS) {
                command.env_remove(name);
            }
        }
        command.args(arguments).process_group(0).stdin(input);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        Ok(Self { child: Some(child), begin: Instant::now() })
    }
    fn child(&mut self) -> &mut Child {
        self.child.as_mut().expect("it is there until its end")
    }
    /// Sets the limits of what it is asked for, and writes that to its standard input, which stays
    /// open; an error if it has ended.
    pub fn ask(&mut self, limits: Limits, bytes: &[u8]) -> io::Result<()> {
        self.begin = Instant::now();
        let child = self.child();
        announce(child, limits);
        child.stdin.as_mut().expect("it is piped").write_all(bytes)
    }
    /// Waits for its end, and keeps up to `room` bytes of what it prints; `None` if that was
    /// interrupted. Time counts from when it was asked, or started.
    pub fn run(
        mut self,
        limits: Limits,
        room: usize,
        interrupted: &AtomicBool,
    ) -> io::Result<Option<(Ended, Printed)>> {
        let begin = self.begin;
        let child = self.child();
        announce(child, limits);
        let answers = Answers { room, ..Answers::default() };
        let answers = follow(child.stdout.take().expect("it is piped"), answers);
        let message = follow(child.stderr.take().expect("it is piped"), Message::default());
        let (end, cpu) = supervise(child, begin, limits, interrupted);
        let wall = begin.elapsed().as_secs_f64();
        let status = self.end()?;
        let mut answers = answers.recv_timeout(DRAIN).unwrap_or_default();
        answers.end_line();
        let mut message = message.recv_timeout(DRAIN).unwrap_or_default();
        message.end_line();
        let answer = match end {
            End::Interrupted => return Ok(None),
            End::Late => Answer::Timeout,
            End::TooBig => Answer::Memory,
            End::ByItself => judge(answers.found, status, limits, wall, cpu),
        };
        let (wall, cpu) = (in_milliseconds(wall), in_milliseconds(cpu));
        let Message { first, panic, statistics, .. } = message;
        let message = panic.or(first).or(answers.complaint());
        let printed = Printed { output: answers.kept, is_cut: answers.is_cut, statistics };
        Ok(Some((Ended { answer, wall, cpu, exit: status.code(), message }, printed)))
    }
    /// Ends it with whatever it has started.
    fn end(&mut self) -> io::Result<ExitStatus> {
        let mut child = self.child.take().expect("it ends once");
        end_group(&child);
        child.wait()
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        if self.child.is_some() {
            // Nobody wants to know how it ended.
            let _ = self.end();
        }
    }
}

/// Lets a solver know how much CPU time it has, as `ulimit -t` would; the system enforces it a
/// little after we do.
fn announce(child: &Child, limits: Limits) {
    let (Measure::Cpu, Some(pid)) = (limits.measure, process_id(child)) else { return };
    let seconds = Duration::from_secs_f64(limits.seconds + limits.grace).as_secs() + 1;
    let limit = Rlimit { current: Some(seconds), maximum: Some(seconds + 1) };
    // A solver that has ended already needs no limit.
    let _ = prlimit(Some(pid), Resource::Cpu, limit);
}

/// What counts after a solver has ended by itself.
fn judge(said: Option<Answer>, status: ExitStatus, limits: Limits, wall: f64, cpu: f64) -> Answer {
    let used = match limits.measure {
        Measure::Wall => wall,
        Measure::Cpu => cpu.max(wall / WALL_PER_CPU),
    };
    match said {
        Some(verdict) if verdict.is_verdict() && used <= limits.seconds => verdict,
        Some(_) | None if used >= limits.seconds * NEARLY => Answer::Timeout,
        Some(Answer::Unknown) if status.signal().is_some() => Answer::Failed,
        Some(other) => other,
        None => Answer::Failed,
    }
}

/// Three digits are what the looks can tell.
fn in_milliseconds(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

/// Why a solver does not run any more.
#[derive(Clone, Copy, Debug)]
enum End {
    ByItself,
    Late,
    TooBig,
    Interrupted,
}

/// Waits until the process ends or must be ended; returns its CPU seconds. It is not waited for
/// yet.
fn supervise(
    child: &Child,
    start: Instant,
    limits: Limits,
    interrupted: &AtomicBool,
) -> (End, f64) {
    let clock = match limits.measure {
        Measure::Wall => limits.seconds,
        Measure::Cpu => limits.seconds * WALL_PER_CPU,
    } + limits.grace;
    let mut pause = Duration::from_micros(200);
    let mut cpu = 0.0;
    let ending = process_id(child).and_then(|id| pidfd_open(id, PidfdFlags::empty()).ok());
    loop {
        let ended = has_ended(child);
        cpu = cpu_seconds(child.id()).unwrap_or(cpu);
        if ended {
            return (End::ByItself, cpu);
        }
        let late_on_cpu = limits.measure == Measure::Cpu && cpu > limits.seconds + limits.grace;
        if late_on_cpu || start.elapsed().as_secs_f64() > clock {
            return (End::Late, cpu);
        }
        if limits.memory.is_some_and(|limit| resident(child.id()).is_some_and(|r| r > limit)) {
            return (End::TooBig, cpu);
        }
        if interrupted.load(Ordering::SeqCst) {
            return (End::Interrupted, cpu);
        }
        wait(ending.as_ref(), pause);
        pause = (pause * 2).min(PERIOD);
    }
}

/// Waits for so long, or until a process has ended; on a system that cannot tell of that, for so
/// long.
fn wait(ending: Option<&OwnedFd>, pause: Duration) {
    let Some(ending) = ending else { return std::thread::sleep(pause) };
    let time = Timespec { tv_sec: 0, tv_nsec: pause.subsec_nanos().into() };
    // Who is woken by something else looks a little earlier.
    let _ = poll(&mut [PollFd::new(ending, PollFlags::IN)], Some(&time));
}

/// Whether the process has ended; it stays for somebody to wait for.
fn has_ended(child: &Child) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let Some(id) = process_id(child) else { return true };
    // An error means that there is no such child.
    !matches!(rustix::process::waitid(WaitId::Pid(id), options), Ok(None))
}

fn process_id(child: &Child) -> Option<Pid> {
    Pid::from_raw(i32::try_from(child.id()).ok()?)
}

/// CPU seconds of a process, with those of the children it has waited for.
fn cpu_seconds(id: u32) -> Option<f64> {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let ticks = parse_ticks(&text)?;
    let per_second = u32::try_from(rustix::param::clock_ticks_per_second()).ok()?;
    Some(f64::from(ticks) / f64::from(per_second))
}

/// Reads `/proc/ID/stat`. The second field is the program's name in parentheses, which may contain
/// anything.
fn parse_ticks(text: &str) -> Option<u32> {
    let mut fields = text[text.rfind(')')? + 1..].split_ascii_whitespace();
    // Fields 14 to 17 are utime, stime, cutime, cstime; the first one here is field 3.
    fields.nth(10)?;
    let mut ticks = 0;
    for _ in 0..4 {
        ticks += fields.next()?.parse::<u32>().ok()?;
    }
    Some(ticks)
}

/// Resident bytes of a process.
fn resident(id: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{id}/statm")).ok()?;
    let pages: u64 = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
    pages.checked_mul(u64::try_from(rustix::param::page_size()).ok()?)
}

/// Ends the process and whatever it has started.
fn end_group(child: &Child) {
    if let Some(group) = process_id(child) {
        // It fails if nobody is left, which is what we want.
        let _ = rustix::process::kill_process_group(group, Signal::KILL);
    }
}

/// Something that reads a stream to its end.
trait Follower: Send + 'static {
    fn read(&mut self, bytes: &[u8]);
}

/// Reads a stream in a thread of its own; the follower comes back at the end of the stream.
fn follow<F: Follower>(mut stream: impl Read + Send + 'static, mut follower: F) -> Receiver<F> {
    let (sender, receiver) = mpsc::channel();
    let thread = std::thread::Builder::new().name("reader".to_owned());
    // Where there can be no thread, the follower does not come back, as if the end came too late.
    let _ = thread.spawn(move || {
        let mut buffer = [0; 1 << 14];
        loop {
            match stream.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => follower.read(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        // Nobody listens any more if the end came too late.
        let _ = sender.send(follower);
    });
    receiver
}

/// Looks for lines that are answers; witnesses may be large and are not kept. The first line that
/// is none is, because some solvers complain there.
#[derive(Debug, Default)]
struct Answers {
    line: Vec<u8>,
    found: Option<Answer>,
    first: Option<String>,
    /// What is kept of all lines, up to `room` bytes.
    kept: Vec<u8>,
    room: usize,
    is_cut: bool,
}

impl Answers {
    /// The first line if there is no answer.
    fn complaint(&self) -> Option<String> {
        self.first.clone().filter(|_| self.found.is_none())
    }
    fn end_line(&mut self) {
        self.found = Answer::of_line(self.line.trim_ascii()).or(self.found);
        if self.found.is_none() && self.first.is_none() && !self.line.trim_ascii().is_empty() {
            self.first = Some(String::from_utf8_lossy(&self.line).trim().to_owned());
        }
        self.line.clear();
    }
}

impl Follower for Answers {
    fn read(&mut self, bytes: &[u8]) {
        let fits = bytes.len().min(self.room - self.kept.len());
        self.kept.extend_from_slice(&bytes[..fits]);
        self.is_cut |= fits < bytes.len();
        for &byte in bytes {
            if byte == b'\n' {
                self.end_line();
            } else if self.line.len() < MESSAGE {
                self.line.push(byte);
            }
        }
    }
}

/// Keeps the first line that is written, or, if there is one, the first that tells of a panic: a
/// solver may survive that, but the user should know. Statistics are no message.
#[derive(Debug, Default)]
struct Message {
    line: Vec<u8>,
    first: Option<String>,
    panic: Option<String>,
    statistics: Option<String>,
}

impl Message {
    fn end_line(&mut self) {
        let line = String::from_utf8_lossy(&self.line).trim().to_owned();
        self.line.clear();
        let shown = || line.chars().take(MESSAGE).collect();
        if line.starts_with(STATISTICS) {
            self.statistics = Some(line);
        } else if self.panic.is_none() && line.contains(PANIC) {
            self.panic = Some(shown());
        } else if self.first.is_none() && !line.is_empty() {
            self.first = Some(shown());
        }
    }
}

impl Follower for Message {
    fn read(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if byte == b'\n' {
                self.end_line();
            } else if self.line.len() < LONGEST {
                self.line.push(byte);
            }
        }
    }
}

#[cfg(test)]
mod tests;
