//! Figures of a cluster in the text format of Prometheus, version 0.0.4.
//!
//! Source: the exposition format of Prometheus,
//! <https://prometheus.io/docs/instrumenting/exposition_formats/>. Names of workers come from
//! workers: they are cut and escaped, and of many workers only some have figures of their own, so
//! that made up ones do not fill a database.

use std::collections::BTreeSet;
use std::fmt::{Display, Write as _};

use crate::failure::Failure;
use crate::overview::{Overview, Seen};
use crate::priority::Priority;
use crate::tally::BOUNDS;

/// What the text is.
pub(crate) const KIND: &str = "text/plain; version=0.0.4";
/// Most workers with figures of their own.
const MOST_WORKERS: usize = 200;
/// Most characters of a label.
const LONGEST_LABEL: usize = 100;
/// The verdicts, which are there from the beginning.
const VERDICTS: [&str; 4] = ["sat", "unsat", "YES", "NO"];

/// Writes metrics.
struct Metrics(String);

impl Metrics {
    fn family(&mut self, name: &str, kind: &str, about: &str) {
        let _ = writeln!(self.0, "# HELP {name} {about}\n# TYPE {name} {kind}");
    }
    fn value(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        self.0.push_str(name);
        for (number, (label, value)) in labels.iter().enumerate() {
            let before = if number == 0 { '{' } else { ',' };
            let _ = write!(self.0, "{before}{label}=\"{}\"", escaped(value));
        }
        if !labels.is_empty() {
            self.0.push('}');
        }
        let _ = writeln!(self.0, " {value}");
    }
    fn single(&mut self, name: &str, kind: &str, about: &str, value: impl Display) {
        self.family(name, kind, about);
        self.value(name, &[], value);
    }
}

/// The figures of an overview; `is_up` says whether the hub answers, `version` is that of this
/// program.
pub(crate) fn exposition(overview: &Overview, is_up: bool, version: &str) -> String {
    let mut metrics = Metrics(String::new());
    metrics.family("shofar_build_info", "gauge", "The version of the program that watches.");
    metrics.value("shofar_build_info", &[("version", version)], 1);
    metrics.single("shofar_hub_up", "gauge", "Whether the hub answers.", u8::from(is_up));
    queue(&mut metrics, overview);
    results(&mut metrics, overview);
    workers(&mut metrics, overview);
    metrics.0
}

fn queue(metrics: &mut Metrics, overview: &Overview) {
    metrics.family("shofar_queue_waiting", "gauge", "Jobs that wait for a worker.");
    for (priority, waiting) in Priority::ALL.iter().zip(&overview.queue) {
        metrics.value("shofar_queue_waiting", &[("priority", priority.word())], waiting);
    }
    let (working, stored) = (overview.working, overview.results);
    metrics.single("shofar_queue_working", "gauge", "Jobs that workers have taken.", working);
    metrics.single("shofar_results_stored", "gauge", "Results on the hub.", stored);
}

fn results(metrics: &mut Metrics, overview: &Overview) {
    let counts = &overview.counts;
    metrics.family("shofar_verdicts_total", "counter", "Verdicts, as workers say them.");
    for verdict in VERDICTS {
        let count = counts.verdicts.get(verdict).copied().unwrap_or_default();
        metrics.value("shofar_verdicts_total", &[("verdict", verdict)], count);
    }
    metrics.family("shofar_failures_total", "counter", "Results without a verdict, or rejected.");
    for failure in Failure::ALL {
        let count = counts.failures.get(&failure).copied().unwrap_or_default();
        metrics.value("shofar_failures_total", &[("kind", failure.word())], count);
    }
    let rate = format!("{:.3}", overview.per_minute);
    metrics.single("shofar_results_per_minute", "gauge", "Results in the last minute.", rate);
    metrics.family("shofar_solve_seconds", "histogram", "Seconds by the clock for each result.");
    let mut below = 0;
    for (bound, class) in BOUNDS.iter().zip(&counts.times.classes) {
        below += class;
        metrics.value("shofar_solve_seconds_bucket", &[("le", &seconds(*bound))], below);
    }
    let count = counts.times.count;
    metrics.value("shofar_solve_seconds_bucket", &[("le", "+Inf")], count);
    metrics.value("shofar_solve_seconds_sum", &[], seconds(counts.times.wall));
    metrics.value("shofar_solve_seconds_count", &[], count);
    let cpu = seconds(counts.times.cpu);
    metrics.single("shofar_solve_cpu_seconds_total", "counter", "Processor time of results.", cpu);
}

fn workers(metrics: &mut Metrics, overview: &Overview) {
    let silent = overview.workers.iter().filter(|worker| worker.silent.is_some()).count();
    metrics.family("shofar_workers", "gauge", "Workers that were heard of in two minutes.");
    metrics.value("shofar_workers", &[("state", "alive")], overview.workers.len() - silent);
    metrics.value("shofar_workers", &[("state", "silent")], silent);
    let alive = || overview.workers.iter().filter(|worker| worker.silent.is_none());
    let slots: u64 = alive().map(|worker| u64::from(worker.presence.slots)).sum();
    metrics.single("shofar_worker_slots", "gauge", "Places for jobs at all workers.", slots);
    // Two series of one name would make all figures unreadable, and names are cut.
    let mut names = BTreeSet::new();
    let is_new = |seen: &&Seen| names.insert(escaped(&seen.presence.worker));
    let shown: Vec<&Seen> = alive().filter(is_new).take(MOST_WORKERS).collect();
    for (name, kind, about, value) in WORKER_FAMILIES {
        metrics.family(name, kind, about);
        for seen in &shown {
            metrics.value(name, &[("worker", &seen.presence.worker)], value(seen));
        }
    }
}

/// Name, kind and meaning of a figure of each worker, and its value.
type WorkerFamily = (&'static str, &'static str, &'static str, fn(&Seen) -> String);

/// The figures of each worker.
const WORKER_FAMILIES: [WorkerFamily; 5] = [
    ("shofar_worker_busy", "gauge", "Jobs that a worker is solving.", |seen| seen.busy.to_string()),
    ("shofar_worker_done_total", "counter", "Jobs that a worker has done.", |seen| {
        seen.presence.done.to_string()
    }),
    ("shofar_worker_memory_bytes", "gauge", "Memory of a worker and its solvers.", |seen| {
        seen.presence.memory.to_string()
    }),
    ("shofar_worker_cpu_seconds_total", "counter", "Processor time of its solvers.", |seen| {
        seconds(seen.presence.cpu)
    }),
    ("shofar_worker_uptime_seconds", "gauge", "Seconds since a worker was started.", |seen| {
        seconds(seen.presence.uptime)
    }),
];

/// Milliseconds as seconds.
fn seconds(milliseconds: u64) -> String {
    let (whole, rest) = (milliseconds / 1000, milliseconds % 1000);
    if rest == 0 {
        return whole.to_string();
    }
    format!("{whole}.{rest:03}").trim_end_matches('0').to_owned()
}

/// The value of a label: cut, and with its special characters escaped.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().take(LONGEST_LABEL) {
        match c {
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::tests::damage::presence;

    /// The values of an exposition by their names with labels; every line is checked.
    fn parse(text: &str) -> BTreeMap<String, f64> {
        let (mut values, mut families) = (BTreeMap::new(), BTreeSet::new());
        assert!(text.ends_with('\n'));
        for line in text.lines() {
            if let Some(line) = line.strip_prefix("# ") {
                let words: Vec<&str> = line.splitn(3, ' ').collect();
                let [what, name, rest] = words[..] else { panic!("{line}") };
                match what {
                    "HELP" => assert!(families.insert(name.to_owned()), "{name} comes twice"),
                    "TYPE" => assert!(["counter", "gauge", "histogram"].contains(&rest), "{line}"),
                    _ => panic!("{line}"),
                }
                continue;
            }
            let (name, value) = line.rsplit_once(' ').unwrap();
            let family = name.split('{').next().unwrap();
            let is_known = families.iter().any(|known| family.starts_with(known.as_str()));
            assert!(is_known, "{family} has no type");
            assert!(values.insert(name.to_owned(), value.parse().unwrap()).is_none(), "{name}");
        }
        values
    }

    #[test]
    fn figures_are_written_as_prometheus_reads_them() {
        let mut overview = Overview { queue: [3, 2, 1], working: 4, ..Overview::default() };
        overview.counts.verdicts.insert("sat", 7);
        overview.counts.failures.insert(Failure::Timeout, 2);
        overview.counts.times.classes = [1, 0, 0, 2, 0, 0, 0, 0, 0, 0];
        (overview.counts.times.count, overview.counts.times.wall) = (4, 2_000_250);
        let name = format!("a\"b\\{}", "x".repeat(900));
        let worker = crate::message::Presence { worker: name, ..presence() };
        let same = crate::message::Presence { worker: format!("{}!", worker.worker), ..presence() };
        overview.workers = [worker, same].map(Seen::new).into();
        let values = parse(&exposition(&overview, true, "1"));
        for (name, value) in [
            ("shofar_build_info{version=\"1\"}", 1.0),
            ("shofar_hub_up", 1.0),
            ("shofar_queue_waiting{priority=\"high\"}", 3.0),
            ("shofar_queue_waiting{priority=\"low\"}", 1.0),
            ("shofar_queue_working", 4.0),
            ("shofar_verdicts_total{verdict=\"sat\"}", 7.0),
            ("shofar_verdicts_total{verdict=\"unsat\"}", 0.0),
            ("shofar_failures_total{kind=\"timeout\"}", 2.0),
            ("shofar_failures_total{kind=\"rejected-witness\"}", 0.0),
            ("shofar_solve_seconds_bucket{le=\"0.01\"}", 1.0),
            ("shofar_solve_seconds_bucket{le=\"1\"}", 3.0),
            ("shofar_solve_seconds_bucket{le=\"+Inf\"}", 4.0),
            ("shofar_solve_seconds_sum", 2000.25),
            ("shofar_workers{state=\"alive\"}", 2.0),
        ] {
            assert!((values[name] - value).abs() < 1e-9, "{name} is {}", values[name]);
        }
        let memory = values.keys().find(|name| name.starts_with("shofar_worker_memory")).unwrap();
        let begin = "shofar_worker_memory_bytes{worker=\"a\\\"b\\\\xxx";
        assert!(memory.starts_with(begin) && memory.len() < 150, "{memory}");
    }

    #[test]
    fn made_up_workers_do_not_fill_a_database() {
        let seen = |number: usize| {
            Seen::new(crate::message::Presence { worker: format!("w{number}"), ..presence() })
        };
        let overview = Overview { workers: (0..5_000).map(seen).collect(), ..Overview::default() };
        let values = parse(&exposition(&overview, false, "1"));
        assert!(values.len() < 2_000, "{}", values.len());
        assert!((values["shofar_workers{state=\"alive\"}"] - 5000.0).abs() < 0.1);
    }
}
