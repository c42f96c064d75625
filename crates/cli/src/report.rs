//! What is told about a run: progress while it goes on, statistics when it is over.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use shofar_base::Statistics;
use shofar_chc::Verdict;
use shofar_driver::{Event, Failure, Solved};

use crate::arguments::StatsStyle;
use crate::output::Channel;

/// Tells events as they come.
pub(crate) struct Tale<'t> {
    verbose: u8,
    is_terminal: bool,
    errors: &'t Channel,
}

impl<'t> Tale<'t> {
    pub(crate) fn new(verbose: u8, is_terminal: bool, errors: &'t Channel) -> Self {
        Self { verbose, is_terminal, errors }
    }
    /// A line of the log, and a line that is overwritten for who watches a terminal.
    pub(crate) fn tell(&self, event: &Event<'_>) {
        match event {
            Event::Pass(_)
            | Event::Start(..)
            | Event::Stop(..)
            | Event::Found(_)
            | Event::NoThread => {
                tracing::info!("{}", describe(event));
            }
            Event::Panicked(..) | Event::Rejected(..) => tracing::warn!("{}", describe(event)),
        }
        if self.verbose == 0 && self.is_terminal {
            self.errors.show_line(&describe(event));
        }
    }
    /// Clears the line.
    pub(crate) fn end(&self) {
        if self.verbose == 0 && self.is_terminal {
            self.errors.clear_line();
        }
    }
}

fn describe(event: &Event<'_>) -> String {
    match event {
        Event::Pass(report) => format!(
            "pass {}: clauses {} -> {}, predicates {} -> {}, arguments {} -> {}, {:.3} s",
            report.name,
            report.before.clauses,
            report.after.clauses,
            report.before.preds,
            report.after.preds,
            report.before.arguments,
            report.after.arguments,
            report.time.as_secs_f64()
        ),
        Event::Start(name, Some(slice)) => format!("{name} works for {:.1} s", slice.as_secs_f64()),
        Event::Start(name, None) => format!("{name} works"),
        Event::Stop(name, why, statistics) => {
            let counts: Vec<String> =
                statistics.iter().map(|(name, count)| format!("{name} {count}")).collect();
            let counts =
                if counts.is_empty() { String::new() } else { format!(" ({})", counts.join(", ")) };
            format!("{name} stopped: {why}{counts}")
        }
        Event::Found(name) => format!("{name} has a witness, which is validated"),
        Event::NoThread => "no thread can be started; engines work one after the other".to_owned(),
        Event::Panicked(name, message) => format!("{name} failed: {message}"),
        Event::Rejected(name, why) => format!("the witness of {name} did not pass: {why}"),
    }
}

/// Figures of one question.
pub(crate) struct Report {
    start: Instant,
    name: String,
    /// How long each pass took, all its rounds together.
    passes: Vec<(&'static str, Duration)>,
    turns: u32,
    /// The word that is printed.
    verdict: &'static str,
    /// Why it is `unknown`: the word of SMT-LIB, and a line for a person.
    reason: Option<(&'static str, String)>,
    engine: Option<&'static str>,
    times: shofar_driver::Times,
    steps: Option<usize>,
    counts: Statistics,
}

impl Report {
    pub(crate) fn new(start: Instant, name: &str) -> Self {
        Self {
            start,
            name: name.to_owned(),
            passes: Vec::new(),
            turns: 0,
            verdict: "unknown",
            reason: None,
            engine: None,
            times: shofar_driver::Times::default(),
            steps: None,
            counts: Statistics::new(),
        }
    }
    pub(crate) fn note(&mut self, event: &Event<'_>) {
        match event {
            Event::Pass(report) => {
                match self.passes.iter_mut().find(|(name, _)| *name == report.name) {
                    Some((_, sum)) => *sum += report.time,
                    None => self.passes.push((report.name, report.time)),
                }
            }
            Event::Start(..) => self.turns += 1,
            Event::Stop(..)
            | Event::Panicked(..)
            | Event::Rejected(..)
            | Event::Found(_)
            | Event::NoThread => (),
        }
    }
    /// There is a verdict, for which this word is printed.
    pub(crate) fn solved(&mut self, solved: &Solved, word: &'static str) {
        self.verdict = word;
        self.engine = Some(solved.engine);
        self.times = solved.times;
        self.counts.clone_from(&solved.statistics);
        let evidence = match solved.certified.verdict() {
            Verdict::Safe(_) => "model",
            Verdict::Unsafe(refutation) => {
                self.steps = Some(refutation.steps.len());
                "refutation"
            }
        };
        let validation = self.times.validation.as_secs_f64();
        let engine = solved.engine;
        tracing::info!(
            "{engine} answered {word}; its {evidence} was validated in {validation:.3} s"
        );
    }
    pub(crate) fn failed(&mut self, failure: &Failure) {
        self.verdict = "unknown";
        self.reason = Some((failure.word(), failure.reason()));
    }
    /// The figures, as `get-info :all-statistics` wants them.
    pub(crate) fn statistics(&self) -> String {
        let rows = self.rows().into_iter().filter(|(_, value)| value != "null");
        let entries: Vec<String> =
            rows.map(|(key, value)| format!(":{} {value}", key.replace('_', "-"))).collect();
        format!("({})", entries.join("\n "))
    }
    pub(crate) fn render(&self, style: StatsStyle) -> String {
        let rows = self.rows();
        let mut text = String::new();
        match style {
            StatsStyle::Json => {
                let fields: Vec<String> =
                    rows.iter().map(|(k, v)| format!("{}:{v}", quoted(k))).collect();
                let _ = writeln!(text, "{{{}}}", fields.join(","));
            }
            StatsStyle::Human => {
                for (key, value) in &rows {
                    let _ = writeln!(text, "; {:<28} {value}", key.replace('_', " "));
                }
            }
        }
        text
    }
    fn rows(&self) -> Vec<(String, String)> {
        let mut rows: Vec<(String, String)> = vec![
            ("file".into(), quoted(&self.name)),
            ("version".into(), quoted(env!("CARGO_PKG_VERSION"))),
            ("verdict".into(), quoted(self.verdict)),
            ("reason".into(), text_or_null(self.reason.as_ref().map(|(word, _)| *word))),
            ("explanation".into(), text_or_null(self.reason.as_ref().map(|(_, line)| line))),
            ("engine".into(), text_or_null(self.engine)),
            ("turns".into(), self.turns.to_string()),
            ("refutation_steps".into(), self.steps.map_or("null".into(), |s| s.to_string())),
            ("peak_memory_bytes".into(), peak_memory().map_or("null".into(), |b| b.to_string())),
            ("seconds_total".into(), seconds(self.start.elapsed())),
            ("seconds_preprocessing".into(), seconds(self.times.preprocessing)),
            ("seconds_engine".into(), seconds(self.times.engine)),
            ("seconds_translation".into(), seconds(self.times.translation)),
            ("seconds_validation".into(), seconds(self.times.validation)),
        ];
        let per_pass =
            self.passes.iter().map(|(name, time)| (format!("seconds_pass_{name}"), seconds(*time)));
        rows.extend(per_pass);
        let engine = self.engine.unwrap_or_default();
        let counts = self.counts.iter();
        rows.extend(counts.map(|(name, count)| (format!("{engine}_{name}"), count.to_string())));
        rows
    }
}

/// The most memory that the process has had at a time, where the system tells.
fn peak_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

fn text_or_null(text: Option<impl AsRef<str>>) -> String {
    text.map_or("null".to_owned(), |text| quoted(text.as_ref()))
}

fn seconds(time: Duration) -> String {
    format!("{:.4}", time.as_secs_f64())
}

/// A JSON string.
fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
