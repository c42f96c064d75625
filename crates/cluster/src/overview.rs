//! Who is there and what is being done: for a terminal, for a program, for a browser.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::hub::{Hub, HubError, Listener, Queue, Topic};
use crate::message::{Activity, Presence};

/// A worker of which nothing was heard for so long may be dead; each tells of itself every two seconds.
const SILENCE: Duration = Duration::from_secs(6);
/// After so long without a word a worker is not shown any more.
const FORGOTTEN: Duration = Duration::from_mins(2);
/// Most workers that are shown; more may be there, or somebody makes them up.
const MOST_WORKERS: usize = 5_000;

/// What can be seen at a moment.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Overview {
    /// Entries of the queue that wait for a worker.
    pub waiting: u64,
    /// Those that are being worked on.
    pub working: u64,
    /// Results on the hub.
    pub results: u64,
    /// Results for each minute, since somebody has been watching.
    pub per_minute: f64,
    /// The workers by name.
    pub workers: Vec<Seen>,
}

/// A worker as it was heard of last.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Seen {
    /// What it told.
    #[serde(flatten)]
    pub presence: Presence,
    /// Seconds without a word, if they are so many that something is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub silent: Option<u64>,
}

impl Seen {
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
    seen: BTreeMap<String, (Instant, Presence)>,
    begin: Option<(Instant, u64)>,
}

impl<'w> Watcher<'w> {
    /// Starts to watch, and asks all workers to tell.
    pub(crate) fn new(hub: &'w dyn Hub) -> Result<Self, HubError> {
        let listener = hub.listen(Topic::Worker)?;
        hub.tell(Topic::Hello, "all", b"")?;
        Ok(Self { hub, listener, seen: BTreeMap::new(), begin: None })
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
                    self.seen.insert(presence.worker.clone(), (Instant::now(), presence));
                }
                Ok(_) => {}
                Err(why) => tracing::warn!("a message of a worker is not understood: {why}"),
            }
        }
        self.seen.retain(|_, (heard, _)| heard.elapsed() < FORGOTTEN);
        let Queue { open, taken, results } = self.hub.queue()?;
        let now = Instant::now();
        let (since, before) = *self.begin.get_or_insert((now, results));
        let minutes = now.duration_since(since).as_secs_f64() / 60.0;
        #[expect(clippy::cast_precision_loss, reason = "it is shown with one digit")]
        let new = results.saturating_sub(before) as f64;
        Ok(Overview {
            waiting: open.saturating_sub(taken),
            working: taken,
            results,
            per_minute: if minutes > 0.0 { new / minutes } else { 0.0 },
            workers: self.seen.values().map(|(heard, presence)| seen(*heard, presence)).collect(),
        })
    }
}

/// A worker that was heard of at this time.
fn seen(heard: Instant, presence: &Presence) -> Seen {
    let silence = heard.elapsed();
    let silent = (silence >= SILENCE).then_some(silence.as_secs());
    Seen { presence: presence.clone(), silent }
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
    /// For a terminal.
    pub(crate) fn text(&self) -> String {
        let Self { waiting, working, results, per_minute, workers } = self;
        let mut text = format!(
            "{waiting} waiting, {working} being solved, {results} results ({per_minute:.1} a minute), {}\n",
            self.count()
        );
        for seen in workers {
            let worker = &seen.presence;
            if let Some(complaint) = seen.complaint() {
                let _ = writeln!(text, "  {:<24} {complaint}", worker.worker);
                continue;
            }
            let _ = writeln!(
                text,
                "  {:<24} {}/{} busy, {} done",
                worker.worker,
                worker.tasks.len(),
                worker.slots,
                worker.done
            );
            for task in &worker.tasks {
                let seconds = Duration::from_millis(task.milliseconds).as_secs_f64();
                let _ = writeln!(text, "    {seconds:>8.1} s  {}{}", task.name, seat(task.seat));
            }
        }
        text
    }
    /// For a browser: no script, nothing from elsewhere.
    pub(crate) fn page(&self) -> String {
        let mut rows = String::new();
        for seen in &self.workers {
            let worker = &seen.presence;
            let tasks: Vec<String> = match seen.complaint() {
                Some(complaint) => vec![complaint],
                None => worker.tasks.iter().map(task).collect(),
            };
            let _ = writeln!(
                rows,
                "<tr><td>{}</td><td>{}/{}</td><td>{}</td><td>{}</td></tr>",
                escape(&worker.worker),
                worker.tasks.len(),
                worker.slots,
                worker.done,
                tasks.join("<br>")
            );
        }
        let (count, Self { waiting, working, results, per_minute, .. }) = (self.count(), self);
        format!(
            "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">\
<meta http-equiv=\"refresh\" content=\"2\"><title>Shofar cluster</title><style>\
:root{{color-scheme:light dark;font-family:sans-serif}}table{{border-collapse:collapse}}\
td,th{{padding:.3em 1em;text-align:left;border-bottom:1px solid #8886}}</style></head><body>\
<h1>Shofar cluster</h1><p>{waiting} waiting, {working} being solved, {results} results, \
{per_minute:.1} a minute, {count}</p>\
<table><tr><th>worker</th><th>busy</th><th>done</th><th>at work on</th></tr>\n{rows}</table>\
</body></html>\n"
        )
    }
}

/// What a worker is at work on, for a browser.
fn task(task: &Activity) -> String {
    let seconds = Duration::from_millis(task.milliseconds).as_secs_f64();
    format!("{}{} ({seconds:.1} s)", escape(&task.name), seat(task.seat))
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
    use crate::memory::Memory;

    fn presence(name: &str) -> Presence {
        let task = Activity {
            job: Digest::of(b"x"),
            seat: 1,
            name: "<b>a & b</b>.smt2".to_owned(),
            milliseconds: 1500,
        };
        let version = "1".to_owned();
        Presence { worker: name.to_owned(), version, slots: 2, done: 7, tasks: vec![task] }
    }

    #[test]
    fn workers_are_seen_and_nonsense_is_not() {
        let hub = Memory::new();
        let mut watcher = Watcher::new(&hub).unwrap();
        hub.tell(Topic::Worker, "w", &presence("w").encode()).unwrap();
        hub.tell(Topic::Worker, "w", b"nonsense").unwrap();
        let overview = watcher.look(Duration::from_millis(20)).unwrap();
        assert_eq!(overview.workers, [Seen { presence: presence("w"), silent: None }]);
        assert!(overview.text().contains("1/2 busy, 7 done"), "{}", overview.text());
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
    fn names_do_nothing_on_a_page() {
        let script = Seen { presence: presence("<script>"), silent: None };
        let overview = Overview { workers: vec![script], ..Overview::default() };
        let page = overview.page();
        assert!(page.contains("&lt;script&gt;") && !page.contains("<script>"), "{page}");
        assert!(page.contains("&lt;b&gt;a &amp; b&lt;/b&gt;.smt2 (seat 1) (1.5 s)"), "{page}");
    }
}
