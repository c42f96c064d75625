//! Who is there and what is being done: for a terminal, for a program, for a browser.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::hub::{Hub, HubError, Listener, Queue, Topic};
use crate::message::{Activity, Presence, Rejection, shorten};
use crate::priority::Priority;
use crate::tally::{Counts, Tally};

/// A worker of which nothing was heard for so long may be dead; each tells of itself every two
/// seconds.
const SILENCE: Duration = Duration::from_secs(6);
/// After so long without a word a worker is not shown any more.
const FORGOTTEN: Duration = Duration::from_mins(2);
/// Most workers that are shown; more may be there, or somebody makes them up.
const MOST_WORKERS: usize = 5_000;
/// Most messages of collectors that are heard between two looks.
const MOST_REJECTIONS: usize = 1_000;
/// Most workers in the picture and on the page, and most jobs of each.
const MOST_ROWS: usize = 200;
const MOST_TASKS: usize = 16;
/// Most characters of a name in the picture and on the page.
const LONGEST_NAME: usize = 120;

/// What can be seen at a moment.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Overview {
    /// Entries of the queue that wait for a worker.
    pub waiting: u64,
    /// Those of each priority, the highest first.
    pub queue: [u64; Priority::ALL.len()],
    /// Those that are being worked on.
    pub working: u64,
    /// Results on the hub.
    pub results: u64,
    /// Results for each minute, lately.
    pub per_minute: f64,
    /// What results say, as far as they were read.
    #[serde(flatten)]
    pub counts: Counts,
    /// The workers by name.
    pub workers: Vec<Seen>,
}

/// A worker as it was heard of last.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Seen {
    /// What it told.
    #[serde(flatten)]
    pub presence: Presence,
    /// How many jobs it is solving, of which some are listed.
    pub busy: usize,
    /// Seconds without a word, if they are so many that something is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub silent: Option<u64>,
}

impl Seen {
    /// A worker that has just told this; of the jobs that it lists a part is kept.
    pub(crate) fn new(mut presence: Presence) -> Self {
        let busy = presence.tasks.len();
        presence.tasks.truncate(MOST_TASKS);
        for task in &mut presence.tasks {
            task.name = shorten(&task.name, LONGEST_NAME);
        }
        Self { presence, busy, silent: None }
    }
    /// The worker, if it was heard of last at this time.
    fn heard_at(&self, heard: Instant) -> Self {
        let silence = heard.elapsed();
        let silent = (silence >= SILENCE).then_some(silence.as_secs());
        Self { silent, ..self.clone() }
    }
    /// What is said of a worker that says nothing.
    fn complaint(&self) -> Option<String> {
        self.silent.map(|seconds| {
            format!("no word for {seconds} s: dead, frozen or cut off; its problems go to others")
        })
    }
}

/// Watches a hub.
pub(crate) struct Watcher<'w> {
    hub: &'w dyn Hub,
    listener: Box<dyn Listener>,
    rejections: Box<dyn Listener>,
    seen: BTreeMap<String, (Instant, Seen)>,
    tally: Tally,
}

impl<'w> Watcher<'w> {
    /// Starts to watch, and asks all workers to tell.
    pub(crate) fn new(hub: &'w dyn Hub) -> Result<Self, HubError> {
        let listener = hub.listen(Topic::Worker)?;
        let rejections = hub.listen(Topic::Rejected)?;
        hub.tell(Topic::Hello, "all", b"")?;
        Ok(Self { hub, listener, rejections, seen: BTreeMap::new(), tally: Tally::new() })
    }
    /// Listens for a while, then tells what there is.
    pub(crate) fn look(&mut self, time: Duration) -> Result<Overview, HubError> {
        let begin = Instant::now();
        while begin.elapsed() < time {
            let rest = time.saturating_sub(begin.elapsed());
            let Some((_, bytes)) = self.listener.next(rest) else { continue };
            match Presence::decode(&bytes) {
                // It has ended, and given back what it had.
                Ok(presence) if presence.slots == 0 => {
                    self.seen.remove(&presence.worker);
                }
                Ok(presence) if self.seen.len() < MOST_WORKERS => {
                    let seen = Seen::new(presence);
                    self.seen.insert(seen.presence.worker.clone(), (Instant::now(), seen));
                }
                Ok(_) => {}
                Err(why) => tracing::warn!("a message of a worker is not understood: {why}"),
            }
        }
        self.seen.retain(|_, (heard, _)| heard.elapsed() < FORGOTTEN);
        self.hear_rejections();
        self.tally.follow(self.hub)?;
        let Queue { waiting, taken, results, .. } = self.hub.queue()?;
        Ok(Overview {
            waiting: waiting.iter().sum(),
            queue: waiting,
            working: taken,
            results,
            per_minute: self.tally.per_minute(),
            counts: self.tally.counts.clone(),
            workers: self.seen.values().map(|(heard, seen)| seen.heard_at(*heard)).collect(),
        })
    }
}

impl Watcher<'_> {
    /// Counts what collectors have rejected; of a flood of such messages only a part is heard.
    fn hear_rejections(&mut self) {
        for _ in 0..MOST_REJECTIONS {
            let Some((_, bytes)) = self.rejections.next(Duration::ZERO) else { return };
            match Rejection::decode(&bytes) {
                Ok(_) => self.tally.reject(),
                Err(why) => tracing::warn!("a message of a collector is not understood: {why}"),
            }
        }
    }
}

impl Overview {
    /// How many workers are there.
    fn count(&self) -> String {
        let silent = self.workers.iter().filter(|worker| worker.silent.is_some()).count();
        let there = match self.workers.len() - silent {
            1 => "1 worker".to_owned(),
            there => format!("{there} workers"),
        };
        if silent > 0 { format!("{there}, {silent} silent") } else { there }
    }
    /// The queue, what came out, and how fast.
    fn figures(&self) -> [String; 4] {
        let Self { waiting, working, results, per_minute, queue, counts, .. } = self;
        let words = Priority::ALL.iter().zip(queue);
        let queue: Vec<String> =
            words.map(|(priority, count)| format!("{count} {}", priority.word())).collect();
        let list = |counts: Vec<String>| {
            if counts.is_empty() { "none".to_owned() } else { counts.join(", ") }
        };
        let verdicts = counts.verdicts.iter().map(|(word, count)| format!("{count} {word}"));
        let failures = counts.failures.iter();
        let failures = failures.map(|(failure, count)| format!("{count} {}", failure.word()));
        [
            format!("{waiting} waiting ({}), {working} being solved", queue.join(", ")),
            format!("{results} results ({per_minute:.1} a minute), {}", self.count()),
            format!("verdicts: {}", list(verdicts.collect())),
            format!("failures: {}", list(failures.collect())),
        ]
    }
    /// Says how many workers are not in the picture.
    fn rest(&self) -> Option<String> {
        let more = self.workers.len().saturating_sub(MOST_ROWS);
        (more > 0).then(|| format!("… and {more} more workers"))
    }
    /// For a terminal.
    pub(crate) fn text(&self) -> String {
        let mut text = self.figures().join("\n") + "\n";
        for seen in self.workers.iter().take(MOST_ROWS) {
            let (worker, name) = (&seen.presence, shorten(&seen.presence.worker, LONGEST_NAME));
            if let Some(complaint) = seen.complaint() {
                let _ = writeln!(text, "  {name:<24} {complaint}");
                continue;
            }
            let _ = writeln!(
                text,
                "  {name:<24} {}/{} busy, {} done, {}, {} of processor time",
                seen.busy,
                worker.slots,
                worker.done,
                megabytes(worker.memory),
                time(worker.cpu)
            );
            for task in &worker.tasks {
                let seconds = Duration::from_millis(task.milliseconds).as_secs_f64();
                let _ = writeln!(text, "    {seconds:>8.1} s  {}{}", task.name, seat(task.seat));
            }
        }
        if let Some(rest) = self.rest() {
            let _ = writeln!(text, "  {rest}");
        }
        text
    }
    /// For a browser: no script, nothing from elsewhere.
    pub(crate) fn page(&self) -> String {
        let mut rows = String::new();
        for seen in self.workers.iter().take(MOST_ROWS) {
            let worker = &seen.presence;
            let tasks: Vec<String> = match seen.complaint() {
                Some(complaint) => vec![complaint],
                None => worker.tasks.iter().map(task).collect(),
            };
            let _ = writeln!(
                rows,
                "<tr><td>{}</td><td>{}</td><td>{}/{}</td><td>{}</td><td>{}</td><td>{}</td>\
<td>{}</td><td>{}</td></tr>",
                escape(&shorten(&worker.worker, LONGEST_NAME)),
                escape(&shorten(&worker.version, LONGEST_NAME)),
                seen.busy,
                worker.slots,
                worker.done,
                megabytes(worker.memory),
                time(worker.cpu),
                time(worker.uptime),
                tasks.join("<br>")
            );
        }
        let figures = self.figures().map(|line| format!("<p>{}</p>", escape(&line))).concat();
        let rest = self.rest().map_or(String::new(), |rest| format!("<p>{rest}</p>"));
        format!(
            "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">\
<meta http-equiv=\"refresh\" content=\"2\"><title>Shofar cluster</title><style>\
:root{{color-scheme:light dark;font-family:sans-serif}}table{{border-collapse:collapse}}\
td,th{{padding:.3em 1em;text-align:left;border-bottom:1px solid #8886}}</style></head><body>\
<h1>Shofar cluster</h1>{figures}\
<table><tr><th>worker</th><th>version</th><th>busy</th><th>done</th><th>memory</th>\
<th>processor time</th><th>since</th><th>at work on</th></tr>\n{rows}</table>{rest}\
</body></html>\n"
        )
    }
}

/// What a worker is at work on, for a browser.
fn task(task: &Activity) -> String {
    let seconds = Duration::from_millis(task.milliseconds).as_secs_f64();
    format!("{}{} ({seconds:.1} s)", escape(&task.name), seat(task.seat))
}

/// Bytes in megabytes.
fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes >> 20)
}

/// Milliseconds in the unit that fits.
fn time(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    match seconds {
        0..600 => format!("{seconds} s"),
        600..36_000 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3600),
    }
}

fn seat(seat: u32) -> String {
    if seat == 0 { String::new() } else { format!(" (seat {seat})") }
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::Digest;
    use crate::failure::Failure;
    use crate::memory::Memory;

    fn presence(name: &str) -> Presence {
        let task = Activity {
            job: Digest::of(b"x"),
            seat: 1,
            name: "<b>a & b</b>.smt2".to_owned(),
            milliseconds: 1500,
        };
        Presence {
            worker: name.to_owned(),
            version: "1".to_owned(),
            slots: 2,
            done: 7,
            uptime: 7_200_000,
            cpu: 65_000,
            memory: 300 << 20,
            tasks: vec![task],
        }
    }

    #[test]
    fn workers_are_seen_and_nonsense_is_not() {
        let hub = Memory::new();
        let mut watcher = Watcher::new(&hub).unwrap();
        hub.tell(Topic::Worker, "w", &presence("w").encode()).unwrap();
        hub.tell(Topic::Worker, "w", b"nonsense").unwrap();
        let overview = watcher.look(Duration::from_millis(20)).unwrap();
        assert_eq!(overview.workers, [Seen::new(presence("w"))]);
        let line = "1/2 busy, 7 done, 300 MB, 65 s of processor time";
        assert!(overview.text().contains(line), "{}", overview.text());
        let json = serde_json::to_value(&overview).unwrap();
        assert_eq!(json["workers"][0]["tasks"][0]["seat"], 1);
    }

    #[test]
    fn who_says_nothing_is_missed_and_who_says_farewell_is_not() {
        let hub = Memory::new();
        let mut watcher = Watcher::new(&hub).unwrap();
        for name in ["alive", "dead", "gone"] {
            hub.tell(Topic::Worker, name, &presence(name).encode()).unwrap();
        }
        let farewell = Presence { slots: 0, tasks: Vec::new(), ..presence("gone") };
        hub.tell(Topic::Worker, "gone", &farewell.encode()).unwrap();
        watcher.look(Duration::from_millis(20)).unwrap();
        let long_ago = Instant::now().checked_sub(Duration::from_secs(20)).unwrap();
        watcher.seen.get_mut("dead").unwrap().0 = long_ago;
        let overview = watcher.look(Duration::ZERO).unwrap();
        let silent: Vec<bool> = overview.workers.iter().map(|w| w.silent.is_some()).collect();
        assert_eq!(silent, [false, true]);
        for text in [overview.text(), overview.page()] {
            assert!(text.contains("1 worker, 1 silent"), "{text}");
            assert!(text.contains("no word for 20 s"), "{text}");
            assert!(!text.contains("gone"), "{text}");
        }
        assert_eq!(serde_json::to_value(&overview).unwrap()["workers"][1]["silent"], 20);
    }

    #[test]
    fn queue_verdicts_and_failures_are_shown() {
        let mut overview = Overview { waiting: 6, queue: [3, 2, 1], ..Overview::default() };
        overview.counts.verdicts.insert("sat", 7);
        overview.counts.failures.insert(Failure::Timeout, 2);
        overview.counts.failures.insert(Failure::RejectedWitness, 1);
        for text in [overview.text(), overview.page()] {
            assert!(text.contains("6 waiting (3 high, 2 normal, 1 low)"), "{text}");
            assert!(text.contains("verdicts: 7 sat"), "{text}");
            assert!(text.contains("failures: 2 timeout, 1 rejected-witness"), "{text}");
        }
        let json = serde_json::to_value(&overview).unwrap();
        assert_eq!(
            (&json["verdicts"]["sat"], &json["failures"]["timeout"]),
            (&7.into(), &2.into())
        );
    }

    #[test]
    fn rejections_are_counted_and_nonsense_is_not() {
        let hub = Memory::new();
        let mut watcher = Watcher::new(&hub).unwrap();
        let rejection = Rejection { job: Digest::of(b"x"), worker: "w".to_owned() };
        hub.tell(Topic::Rejected, "all", &rejection.encode()).unwrap();
        hub.tell(Topic::Rejected, "all", b"nonsense").unwrap();
        // A listener in memory hears one message at a time.
        watcher.look(Duration::ZERO).unwrap();
        let overview = watcher.look(Duration::ZERO).unwrap();
        assert_eq!(overview.counts.failures, BTreeMap::from([(Failure::RejectedWitness, 1)]));
    }

    #[test]
    fn what_is_made_up_fills_no_page() {
        let task = Activity { name: "n".repeat(1000), ..presence("").tasks[0].clone() };
        let seen = |number: usize| {
            let (worker, tasks) = (format!("{number:0>1000}"), vec![task.clone(); 1000]);
            Seen::new(Presence { worker, tasks, ..presence("") })
        };
        let overview = Overview { workers: (0..300).map(seen).collect(), ..Overview::default() };
        for text in [overview.text(), overview.page()] {
            assert!(text.len() < 1 << 20, "{}", text.len());
            assert!(text.contains("… and 100 more workers") && text.contains("1000/2"), "{text}");
        }
        assert!(serde_json::to_string(&overview).unwrap().len() < 2 << 20);
    }

    #[test]
    fn names_do_nothing_on_a_page() {
        let script = Seen::new(presence("<script>"));
        let overview = Overview { workers: vec![script], ..Overview::default() };
        let page = overview.page();
        assert!(page.contains("&lt;script&gt;") && !page.contains("<script>"), "{page}");
        assert!(page.contains("&lt;b&gt;a &amp; b&lt;/b&gt;.smt2 (seat 1) (1.5 s)"), "{page}");
    }
}
