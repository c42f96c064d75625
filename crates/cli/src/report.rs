//! What is told about a question: the log while it is being decided, statistics when it is
//! answered.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use shofar::{Answer, Event, Outcome, Report, Traffic};
use shofar_driver::Times;
use shofar_termination::Analysis;

use crate::arguments::StatsStyle;
use crate::reply::reason_unknown;

/// A line of the log about an event.
pub(crate) fn log(event: &Event) {
    match event {
        Event::Pass(_)
        | Event::Start(..)
        | Event::Stop(..)
        | Event::Found(_)
        | Event::Exchanged(_)
        | Event::LevelBegins(_)
        | Event::LevelEnded(..)
        | Event::Hints(..)
        | Event::NoThread(_) => {
            tracing::info!("{}", describe(event));
        }
        Event::Panicked(..) | Event::Rejected(..) | Event::Misled(..) => {
            tracing::warn!("{}", describe(event));
        }
        // The next one that starts says so.
        Event::Pause(_) => {}
    }
}

fn describe(event: &Event) -> String {
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
        Event::Pause(name) => format!("{name} pauses"),
        Event::Stop(name, why, statistics) => {
            let counts: Vec<String> =
                statistics.iter().map(|(name, count)| format!("{name} {count}")).collect();
            let counts =
                if counts.is_empty() { String::new() } else { format!(" ({})", counts.join(", ")) };
            format!("{name} stopped: {why}{counts}")
        }
        Event::Hints(given, left) => {
            format!("{left} hints are about the clauses that the engines get; {given} were given")
        }
        Event::Misled(name, why) => {
            format!("{name} was misled by what others said, and began anew: {why}")
        }
        Event::Exchanged(Traffic { from, to, sent, taken, used }) => format!(
            "{to} heard {sent} messages of {from}, took in {taken}, and {used} are in its invariant"
        ),
        Event::LevelBegins(name) => format!("level {name} begins"),
        Event::LevelEnded(name, why) => format!("level {name} ends: {why}"),
        Event::Found(name) => format!("{name} has a witness, which is validated"),
        Event::NoThread(name) => format!("no thread can be started for {name}; it works without"),
        Event::Panicked(name, message) => format!("{name} failed: {message}"),
        Event::Rejected(name, why) => format!("the witness of {name} did not pass: {why}"),
    }
}

/// What is told about a question when it is answered.
#[derive(Clone)]
pub(crate) struct Statistics {
    start: Instant,
    name: String,
    /// The word that is printed.
    verdict: &'static str,
    /// Why it is `unknown`: the word of SMT-LIB, and a line for a person.
    reason: Option<(&'static str, String)>,
    /// How many steps the refutation has, and how many are listed where cycles are folded.
    steps: Option<(String, usize)>,
    /// What kind of witness there is, and its size: how many different terms the definitions of a
    /// model have, or how many steps of a refutation are listed.
    witness: Option<(&'static str, usize)>,
    report: Report,
}

impl Statistics {
    /// The statistics of an answer, in a run that began at `start`; `name` is that of the script.
    pub(crate) fn new(start: Instant, name: &str, outcome: &Outcome) -> Self {
        let (mut reason, mut steps) = (None, None);
        let witness = match &outcome.answer {
            Answer::Safe(model) => Some(("model", model.size())),
            Answer::Unsafe(refutation) => {
                steps = Some((refutation.length().to_string(), refutation.listed()));
                Some(("refutation", refutation.listed()))
            }
            Answer::Unknown(failure) => {
                reason = Some((failure.word(), failure.reason()));
                None
            }
        };
        let (verdict, report) = (outcome.word(), outcome.report.clone());
        if let (Some((evidence, _)), Some(engine)) = (witness, &report.engine) {
            let seconds = report.times.validation.as_secs_f64();
            let level = report.level.as_ref().map(|level| format!(" at level {level}"));
            let level = level.unwrap_or_default();
            tracing::info!(
                "{engine} answered {verdict}{level}; its {evidence} was validated in {seconds:.3} s"
            );
        }
        if let Some(confirmation) = &report.confirmation {
            tracing::info!("the answer is {confirmation}");
        }
        Self { start, name: name.to_owned(), verdict, reason, steps, witness, report }
    }
    /// The statistics of an answer about termination, in a run that began at `start`; it took
    /// `time`.
    pub(crate) fn of_termination(
        start: Instant,
        name: &str,
        analysis: &Analysis,
        time: Duration,
    ) -> Self {
        let reason = analysis.why().map(|why| (reason_unknown(why), why.to_string()));
        let report = Report {
            engine: Some("termination".to_owned()),
            total: time,
            times: Times { engine: time, ..Times::default() },
            counts: analysis.counts.clone(),
            ..Report::default()
        };
        let (name, verdict) = (name.to_owned(), analysis.word());
        Self { start, name, verdict, reason, steps: None, witness: None, report }
    }
    /// The statistics as `get-info :all-statistics` wants them.
    pub(crate) fn entries(&self) -> String {
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
        let count = |shown: fn(&(String, usize)) -> String| {
            self.steps.as_ref().map_or("null".into(), shown)
        };
        let mut rows: Vec<(String, String)> = vec![
            ("file".into(), quoted(&self.name)),
            ("version".into(), quoted(env!("CARGO_PKG_VERSION"))),
            ("verdict".into(), quoted(self.verdict)),
            ("reason".into(), text_or_null(self.reason.as_ref().map(|(word, _)| *word))),
            ("explanation".into(), text_or_null(self.reason.as_ref().map(|(_, line)| line))),
            ("engine".into(), text_or_null(self.report.engine.as_deref())),
            ("level".into(), text_or_null(self.report.level.as_deref())),
            ("levels".into(), self.report.levels.to_string()),
            ("turns".into(), self.report.slices.to_string()),
            ("refutation_steps".into(), count(|(all, _)| all.clone())),
            ("refutation_listed".into(), count(|(_, listed)| listed.to_string())),
            ("witness".into(), text_or_null(self.witness.map(|(kind, _)| kind))),
            ("witness_size".into(), self.witness.map_or("null".into(), |(_, n)| n.to_string())),
            ("peak_memory_bytes".into(), peak_memory().map_or("null".into(), |b| b.to_string())),
            ("seconds_total".into(), seconds(self.start.elapsed())),
            ("seconds_preprocessing".into(), seconds(self.report.times.preprocessing)),
            ("seconds_engine".into(), seconds(self.report.times.engine)),
            ("seconds_translation".into(), seconds(self.report.times.translation)),
            ("seconds_validation".into(), seconds(self.report.times.validation)),
        ];
        let passes = self.report.passes.iter();
        rows.extend(passes.map(|(name, time)| (format!("seconds_pass_{name}"), seconds(*time))));
        let engine = self.report.engine.as_deref().unwrap_or_default();
        let counts = self.report.counts.iter();
        rows.extend(counts.map(|(name, count)| (format!("{engine}_{name}"), count.to_string())));
        let said = self.report.confirmation.as_ref();
        rows.extend(said.map(|said| ("confirmation".to_owned(), quoted(said))));
        for Traffic { from, to, sent, taken, used } in &self.report.traffic {
            let counts = [("sent", sent), ("taken", taken), ("used", used)];
            rows.extend(counts.map(|(what, count)| {
                (format!("exchange_{from}_to_{to}_{what}"), count.to_string())
            }));
        }
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
pub(crate) fn quoted(text: &str) -> String {
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
