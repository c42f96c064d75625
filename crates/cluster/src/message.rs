//! What travels through the hub: jobs, reports, records of attempts, and who is there.
//!
//! | message | from | to |
//! |---|---|---|
//! | [`Job`] | submitter | queue, then one worker |
//! | [`Report`] | worker | store of results, then whoever collects |
//! | [`Record`] | worker | store of attempts, then the next worker that gets the job |
//! | [`Presence`] | worker | whoever watches |
//! | [`Rejection`] | collector | whoever watches |
//!
//! A job is named by the digest of its [`Spec`]: the text of the problem, by its own digest, with
//! options, limits and the version of the program. So equal problems with equal options are one
//! job, whoever submits them, and what an older version found is not taken for what this one would
//! find. Its priority is not a part of its name. Invariant: what is decoded obeys the limits of
//! this file, and decodes to the same after it was encoded again; other bytes are refused, whoever
//! sent them, before anything is done.

use serde::{Deserialize, Serialize};
use shofar_base::wire::{Reader, Wire, Writer};
use shofar_bench::{Answer, Measure};

use crate::clock;
use crate::digest::Digest;
use crate::priority::Priority;

/// No message on the hub is longer.
pub(crate) const MOST_BYTES: usize = 1 << 20;
/// Longest name of a file or a worker, and longest line of a message.
pub(crate) const LONGEST_LINE: usize = 1 << 10;
/// Longest line of statistics.
pub(crate) const LONGEST_STATISTICS: usize = 1 << 16;
/// Most options of a job, and most attempts that are recorded.
const MOST_WORDS: usize = 64;
/// Longest text of a problem, when unpacked.
pub(crate) const LONGEST_TEXT: usize = 1 << 28;
/// Longest output of a solver, with all witnesses, when unpacked.
pub(crate) const LONGEST_ANSWER: usize = 64 << 20;
/// Longest limit on time: a month.
const LONGEST_TIME: u64 = 31 * 24 * 3600 * 1000;
/// Most seats of a job.
pub(crate) const MOST_SEATS: u32 = 64;
/// Most attempts at a seat.
pub(crate) const MOST_ATTEMPTS: u32 = 32;
/// Most jobs that a worker tells of.
const MOST_TASKS: usize = 1 << 10;

/// What messages of this form are called on a hub: another form needs another word, since programs
/// of both may meet there.
pub(crate) const PROTOCOL: &str = "v2";
const JOB: &[u8] = b"shofar-job-2\n";
const REPORT: &[u8] = b"shofar-report-2\n";
const RECORD: &[u8] = b"shofar-record-2\n";
const PRESENCE: &[u8] = b"shofar-presence-2\n";
const REJECTION: &[u8] = b"shofar-rejection-2\n";

/// What is to be solved, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Spec {
    /// The text of the problem, unpacked.
    pub text: Digest,
    /// The name of the front end that reads it.
    pub language: String,
    /// Options of the solver, each one a word.
    pub options: Vec<String>,
    /// The limit on time.
    pub milliseconds: u64,
    /// Which time.
    pub measure: Measure,
    /// The limit on memory in megabytes.
    pub memory: Option<u64>,
    /// How many workers try it at the same time, each in its own way.
    pub seats: u32,
    /// How often a seat is tried until it counts as crashed.
    pub attempts: u32,
    /// Sets jobs apart that are to be solved anew, such as those of a measurement.
    pub run: String,
    /// The version of the program that submits it.
    #[serde(default)]
    pub version: String,
}

impl Spec {
    fn write(&self, out: &mut Writer) {
        out.text(self.text.as_str());
        out.text(&self.language);
        out.length(self.options.len());
        for option in &self.options {
            out.text(option);
        }
        out.number(self.milliseconds);
        out.byte(match self.measure {
            Measure::Wall => 0,
            Measure::Cpu => 1,
        });
        write_option(out, self.memory.as_ref(), |out, &memory| out.number(memory));
        out.number(self.seats.into());
        out.number(self.attempts.into());
        out.text(&self.run);
        out.text(&self.version);
    }
    fn read(bytes: &mut Reader<'_>) -> Wire<Self> {
        let text = digest(bytes)?;
        let language = line(bytes, LONGEST_LINE)?;
        let options = list(bytes, MOST_WORDS, |bytes| line(bytes, LONGEST_LINE))?;
        let milliseconds = at_most(bytes, LONGEST_TIME)?;
        bytes.require(milliseconds > 0, "no time")?;
        let measure = match bytes.byte()? {
            0 => Measure::Wall,
            1 => Measure::Cpu,
            _ => return Err(bytes.error("an unknown measure")),
        };
        let memory = read_option(bytes, |bytes| at_most(bytes, 1 << 32))?;
        let seats = count(bytes, MOST_SEATS)?;
        let attempts = count(bytes, MOST_ATTEMPTS)?;
        bytes.require(seats > 0 && attempts > 0, "nobody is to try it")?;
        let (run, version) = (line(bytes, LONGEST_LINE)?, line(bytes, LONGEST_LINE)?);
        Ok(Self {
            text,
            language,
            options,
            milliseconds,
            measure,
            memory,
            seats,
            attempts,
            run,
            version,
        })
    }
    /// The name of the job.
    pub(crate) fn job(&self) -> Digest {
        let mut out = Writer::new(JOB);
        self.write(&mut out);
        Digest::of(&out.finish())
    }
    /// The limit on time in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "limits are far below 2^53 milliseconds")]
        let milliseconds = self.milliseconds as f64;
        milliseconds / 1000.0
    }
}

/// A seat of a job, as it waits in the queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Job {
    /// What is to be done.
    pub spec: Spec,
    /// Which of its seats this is, from 0.
    pub seat: u32,
    /// How urgent it is.
    pub priority: Priority,
    /// What people call it.
    pub name: String,
}

impl Job {
    /// The bytes for the queue.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Writer::new(JOB);
        self.spec.write(&mut out);
        out.number(self.seat.into());
        out.byte(self.priority.code());
        out.text(&self.name);
        out.finish()
    }
    /// Reads what [`encode`](Self::encode) wrote.
    pub(crate) fn decode(bytes: &[u8]) -> Wire<Self> {
        whole(bytes, JOB, |bytes| {
            let spec = Spec::read(bytes)?;
            let seat = count(bytes, spec.seats - 1)?;
            let priority = Priority::of_code(bytes.byte()?);
            let priority = priority.ok_or_else(|| bytes.error("a priority out of range"))?;
            Ok(Self { spec, seat, priority, name: line(bytes, LONGEST_LINE)? })
        })
    }
    /// The name of this seat in the store of attempts, and in the queue.
    pub(crate) fn key(&self) -> String {
        seat_key(&self.spec.job(), self.seat)
    }
}

/// The name of a seat of a job.
pub(crate) fn seat_key(job: &Digest, seat: u32) -> String {
    format!("{job}-{seat}")
}

/// How a job ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The solver ended.
    Answered(Answer),
    /// No worker got to the end of it.
    Crashed,
    /// Nobody wants to know any more.
    Withdrawn,
}

impl Ending {
    /// Whether the job is solved, if the evidence is good.
    pub(crate) fn is_verdict(self) -> bool {
        match self {
            Ending::Answered(answer) => answer.is_verdict(),
            Ending::Crashed | Ending::Withdrawn => false,
        }
    }
    /// The word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Ending::Answered(answer) => answer.word(),
            Ending::Crashed => "crashed",
            Ending::Withdrawn => "withdrawn",
        }
    }
    fn code(self) -> u8 {
        match self {
            Ending::Answered(Answer::Sat) => 0,
            Ending::Answered(Answer::Unsat) => 1,
            Ending::Answered(Answer::Unknown) => 2,
            Ending::Answered(Answer::Timeout) => 3,
            Ending::Answered(Answer::Memory) => 4,
            Ending::Answered(Answer::Failed) => 5,
            Ending::Crashed => 6,
            Ending::Withdrawn => 7,
            Ending::Answered(Answer::Yes) => 8,
            Ending::Answered(Answer::No) => 9,
        }
    }
    fn of_code(code: u8) -> Option<Self> {
        let answers = [
            Answer::Sat,
            Answer::Unsat,
            Answer::Unknown,
            Answer::Timeout,
            Answer::Memory,
            Answer::Failed,
        ];
        let others = [Ending::Crashed, Ending::Withdrawn];
        let termination = [Answer::Yes, Answer::No].map(Ending::Answered);
        let all = answers.into_iter().map(Ending::Answered).chain(others).chain(termination);
        all.into_iter().nth(code.into())
    }
}

/// A text that belongs to a message: packed inside it, or elsewhere under its digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Packed, as [`crate::blob::pack`] does.
    Inline(Vec<u8>),
    /// In the store of texts.
    Stored(Digest),
}

/// What came of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Report {
    /// What was to be done.
    pub spec: Spec,
    /// Which seat found it.
    pub seat: u32,
    /// What people call the job.
    pub name: String,
    /// How it ended.
    pub ending: Ending,
    /// Milliseconds by the clock.
    pub wall: u64,
    /// Milliseconds on the processors.
    pub cpu: u64,
    /// The exit status, unless a signal ended the solver.
    pub exit: Option<i32>,
    /// What the solver complained about, or why there is no answer.
    pub message: Option<String>,
    /// A line of JSON.
    pub statistics: Option<String>,
    /// Who did it.
    pub worker: String,
    /// The version of the worker's program.
    pub version: String,
    /// When, in milliseconds since 1970 by the worker's clock.
    pub ended: u64,
    /// How often it was tried, with this time.
    pub attempts: u32,
    /// What the solver printed.
    pub output: Content,
}

impl Report {
    /// A report without an answer.
    pub(crate) fn without_answer(job: &Job, ending: Ending, worker: &str, message: &str) -> Self {
        Self {
            spec: job.spec.clone(),
            seat: job.seat,
            name: job.name.clone(),
            ending,
            wall: 0,
            cpu: 0,
            exit: None,
            message: Some(shorten(message, LONGEST_LINE)),
            statistics: None,
            worker: worker.to_owned(),
            version: String::new(),
            ended: clock::now(),
            attempts: 0,
            output: Content::Inline(Vec::new()),
        }
    }
    /// The bytes for the store.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Writer::new(REPORT);
        self.spec.write(&mut out);
        out.number(self.seat.into());
        out.text(&self.name);
        out.byte(self.ending.code());
        out.number(self.wall);
        out.number(self.cpu);
        write_option(&mut out, self.exit.as_ref(), |out, &exit| {
            out.number(u32::from_le_bytes(exit.to_le_bytes()).into());
        });
        write_option(&mut out, self.message.as_ref(), |out, text| out.text(text));
        write_option(&mut out, self.statistics.as_ref(), |out, text| out.text(text));
        out.text(&self.worker);
        out.text(&self.version);
        out.number(self.ended);
        out.number(self.attempts.into());
        match &self.output {
            Content::Inline(packed) => {
                out.byte(0);
                out.block(packed);
            }
            Content::Stored(digest) => {
                out.byte(1);
                out.text(digest.as_str());
            }
        }
        out.finish()
    }
    /// Reads what [`encode`](Self::encode) wrote.
    pub(crate) fn decode(bytes: &[u8]) -> Wire<Self> {
        whole(bytes, REPORT, |bytes| {
            let spec = Spec::read(bytes)?;
            let seat = count(bytes, spec.seats - 1)?;
            let name = line(bytes, LONGEST_LINE)?;
            let ending = Ending::of_code(bytes.byte()?);
            let ending = ending.ok_or_else(|| bytes.error("an unknown ending"))?;
            let (wall, cpu) = (bytes.number()?, bytes.number()?);
            let exit = read_option(bytes, |bytes| {
                let exit = count(bytes, u32::MAX)?;
                Ok(i32::from_le_bytes(exit.to_le_bytes()))
            })?;
            let message = read_option(bytes, |bytes| line(bytes, LONGEST_LINE))?;
            let statistics = read_option(bytes, |bytes| line(bytes, LONGEST_STATISTICS))?;
            let (worker, version) = (line(bytes, LONGEST_LINE)?, line(bytes, LONGEST_LINE)?);
            let (ended, attempts) = (bytes.number()?, count(bytes, u32::MAX)?);
            let output = match bytes.byte()? {
                0 => Content::Inline(bytes.block()?.to_owned()),
                1 => Content::Stored(digest(bytes)?),
                _ => return Err(bytes.error("an unknown place of a text")),
            };
            Ok(Self {
                spec,
                seat,
                name,
                ending,
                wall,
                cpu,
                exit,
                message,
                statistics,
                worker,
                version,
                ended,
                attempts,
                output,
            })
        })
    }
}

/// Who has tried a seat of a job, and what came of it if that is no verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Record {
    /// The workers that have begun, in order.
    pub workers: Vec<String>,
    /// How the seat ended, if others are still at work.
    pub ended: Option<Report>,
}

impl Record {
    /// The bytes for the store.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Writer::new(RECORD);
        out.length(self.workers.len());
        for worker in &self.workers {
            out.text(worker);
        }
        write_option(&mut out, self.ended.as_ref(), |out, report| out.block(&report.encode()));
        out.finish()
    }
    /// Reads what [`encode`](Self::encode) wrote.
    pub(crate) fn decode(bytes: &[u8]) -> Wire<Self> {
        whole(bytes, RECORD, |bytes| {
            let workers = list(bytes, MOST_WORDS, |bytes| line(bytes, LONGEST_LINE))?;
            let ended = read_option(bytes, |bytes| Report::decode(bytes.block()?))?;
            Ok(Self { workers, ended })
        })
    }
}

/// What a worker is doing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Presence {
    /// Its name.
    pub worker: String,
    /// The version of the program.
    pub version: String,
    /// How many jobs it takes at the same time.
    pub slots: u32,
    /// How many it has done.
    pub done: u64,
    /// Milliseconds since it was started.
    pub uptime: u64,
    /// Milliseconds on the processors that its solvers have needed.
    pub cpu: u64,
    /// Resident bytes of the worker and its solvers.
    pub memory: u64,
    /// What it is working on.
    pub tasks: Vec<Activity>,
}

/// A job that is being worked on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Activity {
    /// The job.
    pub job: Digest,
    /// Which seat of it.
    pub seat: u32,
    /// What people call it.
    pub name: String,
    /// For how long, in milliseconds.
    pub milliseconds: u64,
}

impl Presence {
    /// The bytes to be sent.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Writer::new(PRESENCE);
        out.text(&self.worker);
        out.text(&self.version);
        out.number(self.slots.into());
        for number in [self.done, self.uptime, self.cpu, self.memory] {
            out.number(number);
        }
        out.length(self.tasks.len());
        for task in &self.tasks {
            out.text(task.job.as_str());
            out.number(task.seat.into());
            out.text(&task.name);
            out.number(task.milliseconds);
        }
        out.finish()
    }
    /// Reads what [`encode`](Self::encode) wrote.
    pub(crate) fn decode(bytes: &[u8]) -> Wire<Self> {
        whole(bytes, PRESENCE, |bytes| {
            let (worker, version) = (line(bytes, LONGEST_LINE)?, line(bytes, LONGEST_LINE)?);
            let (slots, done) = (count(bytes, u32::MAX)?, bytes.number()?);
            let (uptime, cpu, memory) = (bytes.number()?, bytes.number()?, bytes.number()?);
            let tasks = list(bytes, MOST_TASKS, |bytes| {
                let (job, seat) = (digest(bytes)?, count(bytes, MOST_SEATS)?);
                Ok(Activity {
                    job,
                    seat,
                    name: line(bytes, LONGEST_LINE)?,
                    milliseconds: bytes.number()?,
                })
            })?;
            Ok(Self { worker, version, slots, done, uptime, cpu, memory, tasks })
        })
    }
}

/// A result that a collector does not accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rejection {
    /// What the job is called on the hub.
    pub job: Digest,
    /// The worker that said it.
    pub worker: String,
}

impl Rejection {
    /// The bytes to be sent.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Writer::new(REJECTION);
        out.text(self.job.as_str());
        out.text(&self.worker);
        out.finish()
    }
    /// Reads what [`encode`](Self::encode) wrote.
    pub(crate) fn decode(bytes: &[u8]) -> Wire<Self> {
        whole(bytes, REJECTION, |bytes| {
            Ok(Self { job: digest(bytes)?, worker: line(bytes, LONGEST_LINE)? })
        })
    }
}

/// A line without control characters, cut to a length in bytes.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    let mut line = String::new();
    for c in text.chars().map(|c| if c.is_control() { ' ' } else { c }) {
        if line.len() + c.len_utf8() > most {
            break;
        }
        line.push(c);
    }
    line
}

/// Reads a message that begins with `magic`, to its end.
fn whole<T>(bytes: &[u8], magic: &[u8], read: impl FnOnce(&mut Reader<'_>) -> Wire<T>) -> Wire<T> {
    let mut reader = Reader::new(bytes, magic)?;
    reader.require(bytes.len() <= MOST_BYTES, "the message is too long")?;
    let message = read(&mut reader)?;
    reader.end()?;
    Ok(message)
}

fn digest(bytes: &mut Reader<'_>) -> Wire<Digest> {
    let text = bytes.text()?;
    Digest::parse(text).ok_or_else(|| bytes.error("no digest"))
}

/// A text in one line, which may be shown on a terminal.
fn line(bytes: &mut Reader<'_>, most: usize) -> Wire<String> {
    let text = bytes.text()?;
    bytes.require(text.len() <= most, "a line is too long")?;
    bytes.require(!text.chars().any(char::is_control), "a line has control characters")?;
    Ok(text.to_owned())
}

fn at_most(bytes: &mut Reader<'_>, most: u64) -> Wire<u64> {
    let number = bytes.number()?;
    bytes.require(number <= most, "a number is too large")?;
    Ok(number)
}

fn count(bytes: &mut Reader<'_>, most: u32) -> Wire<u32> {
    let number = at_most(bytes, most.into())?;
    u32::try_from(number).map_err(|_| bytes.error("a number is too large"))
}

fn list<T>(
    bytes: &mut Reader<'_>,
    most: usize,
    mut read: impl FnMut(&mut Reader<'_>) -> Wire<T>,
) -> Wire<Vec<T>> {
    let length = bytes.length()?;
    bytes.require(length <= most, "a list is too long")?;
    (0..length).map(|_| read(bytes)).collect()
}

fn write_option<T>(out: &mut Writer, value: Option<&T>, write: impl FnOnce(&mut Writer, &T)) {
    out.byte(u8::from(value.is_some()));
    if let Some(value) = value {
        write(out, value);
    }
}

fn read_option<T>(
    bytes: &mut Reader<'_>,
    read: impl FnOnce(&mut Reader<'_>) -> Wire<T>,
) -> Wire<Option<T>> {
    match bytes.byte()? {
        0 => Ok(None),
        1 => read(bytes).map(Some),
        _ => Err(bytes.error("neither there nor not")),
    }
}
