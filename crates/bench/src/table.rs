//! What a run comes to: rows of numbers per suite and solver, and the places where answers
//! contradict each other.
//!
//! A file is solved if a verdict came within the limit and does not contradict the expected one.
//! PAR-2 is the sum of the seconds of solved files and of twice the limit for each other file.
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::record::{Answer, Expected, Measure, Measured};

/// What a solver made of a suite.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// The suite, or `all`.
    pub(crate) suite: String,
    /// The solver.
    pub(crate) solver: String,
    /// Files run.
    pub(crate) files: usize,
    /// Files solved.
    pub(crate) solved: usize,
    /// Files solved with `sat`.
    pub(crate) sat: usize,
    /// Files solved with `unsat`.
    pub(crate) unsat: usize,
    /// Files solved with `YES`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) yes: usize,
    /// Files solved with `NO`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) no: usize,
    /// Files on which the solver gave up.
    pub(crate) unknown: usize,
    /// Files on which a limit was reached.
    pub(crate) limit: usize,
    /// Files on which the solver ended without an answer.
    pub(crate) failed: usize,
    /// Files whose verdict contradicts the expected one.
    pub(crate) wrong: usize,
    /// Penalised seconds.
    pub(crate) par2: f64,
    /// CPU seconds on all files.
    pub(crate) cpu: f64,
    /// Seconds by the clock on all files.
    pub(crate) wall: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the serialiser hands out a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Row {
    fn count(&mut self, result: &Measured, timeout: f64, measure: Measure) {
        self.files += 1;
        self.cpu += result.cpu;
        self.wall += result.wall;
        if result.is_solved() {
            self.solved += 1;
            self.par2 += result.seconds(measure);
        } else {
            self.par2 += 2.0 * timeout;
        }
        if result.is_wrong() {
            self.wrong += 1;
            return;
        }
        match result.answer {
            Answer::Sat => self.sat += 1,
            Answer::Unsat => self.unsat += 1,
            Answer::Yes => self.yes += 1,
            Answer::No => self.no += 1,
            Answer::Unknown => self.unknown += 1,
            Answer::Timeout | Answer::Memory => self.limit += 1,
            Answer::Failed => self.failed += 1,
        }
    }
    fn cells(&self) -> [String; COLUMNS] {
        let seconds = |seconds: f64| format!("{seconds:.1}");
        [
            self.suite.clone(),
            self.solver.clone(),
            self.files.to_string(),
            self.solved.to_string(),
            self.sat.to_string(),
            self.unsat.to_string(),
            self.yes.to_string(),
            self.no.to_string(),
            self.unknown.to_string(),
            self.limit.to_string(),
            self.failed.to_string(),
            self.wrong.to_string(),
            seconds(self.par2),
            seconds(self.cpu),
            seconds(self.wall),
        ]
    }
}

const COLUMNS: usize = 15;
const HEADINGS: [&str; COLUMNS] = [
    "suite", "solver", "files", "solved", "sat", "unsat", "YES", "NO", "unknown", "limit",
    "failed", "wrong", "PAR-2", "CPU s", "wall s",
];
/// The columns that are left out if nobody was asked about termination.
const TERMINATION: std::ops::Range<usize> = 6..8;

/// The rows of a run: suites in the order of the results, solvers in the order given, and the sums
/// if there are several suites.
pub(crate) fn rows(
    results: &[Measured],
    solvers: &[&str],
    timeout: f64,
    measure: Measure,
) -> Vec<Row> {
    let mut suites: Vec<&str> = Vec::new();
    for result in results {
        if !suites.contains(&result.suite.as_str()) {
            suites.push(&result.suite);
        }
    }
    let mut rows = Vec::new();
    let mut add = |suite: &str, belongs: &dyn Fn(&Measured) -> bool| {
        for &solver in solvers {
            let mut row =
                Row { suite: suite.to_owned(), solver: solver.to_owned(), ..Row::default() };
            for result in results.iter().filter(|r| r.solver == solver && belongs(r)) {
                row.count(result, timeout, measure);
            }
            rows.push(row);
        }
    };
    for suite in &suites {
        add(suite, &|result| result.suite == *suite);
    }
    if suites.len() > 1 {
        add("all", &|_| true);
    }
    rows
}

/// The rows as text: names to the left, numbers to the right.
pub(crate) fn print(rows: &[Row]) -> String {
    let mut lines = vec![HEADINGS.map(str::to_owned)];
    lines.extend(rows.iter().map(Row::cells));
    let is_asked = rows.iter().any(|row| row.yes + row.no > 0);
    let mut widths = [0; COLUMNS];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for line in &lines {
        let mut printed = String::new();
        for (column, (cell, &width)) in line.iter().zip(&widths).enumerate() {
            if TERMINATION.contains(&column) && !is_asked {
                continue;
            }
            let written = if column < 2 {
                write!(printed, "{cell:<width$}  ")
            } else {
                write!(printed, "{cell:>width$}  ")
            };
            written.expect("a string can be written to");
        }
        text.push_str(printed.trim_end());
        text.push('\n');
    }
    text
}

/// The results on one file. Invariant: at least one, all of the same file.
pub(crate) type OnFile<'a> = &'a [Measured];

/// Groups results by file; those of a file stand together.
pub(crate) fn by_file(results: &[Measured]) -> impl Iterator<Item = OnFile<'_>> {
    results.chunk_by(|one, other| one.suite == other.suite && one.file == other.file)
}

/// The files on which `sat` stands against `unsat` or `YES` against `NO`, in what is expected or in
/// what solvers say.
pub(crate) fn disagreements(results: &[Measured]) -> Vec<String> {
    by_file(results).filter_map(disagreement).collect()
}

fn disagreement(on_file: OnFile<'_>) -> Option<String> {
    let first = on_file.first()?;
    let said = on_file.iter().map(|result| result.answer.verdict());
    let verdicts: Vec<Expected> = said.chain([first.expected]).collect();
    let is_against = |one: &Expected| verdicts.iter().any(|other| one.contradicts(*other));
    verdicts.iter().any(is_against).then(|| {
        let expected = first.expected.word();
        let mut line = format!("{} {}: expected {expected}", first.suite, first.file);
        for result in on_file.iter().filter(|result| result.answer.is_verdict()) {
            let _ = write!(line, ", {} says {}", result.solver, result.answer.word());
        }
        line
    })
}

/// The files on which a solver ended without an answer, or panicked, and what it complained about.
pub(crate) fn failures(results: &[&Measured]) -> Vec<String> {
    let failed = results.iter().copied().filter(|r| r.answer == Answer::Failed || r.has_panicked());
    failed.map(describe_failure).collect()
}

/// The exit statuses other than 0 with which solvers gave up, how often, and for example where:
/// this program refuses what it does not support with status 2, and tells with status 3 of a
/// witness that failed its check.
pub(crate) fn refusals(results: &[&Measured]) -> Vec<String> {
    let mut groups: Vec<(&Measured, usize)> = Vec::new();
    for &result in results {
        let refused = result.answer == Answer::Unknown && result.exit.is_some_and(|s| s != 0);
        let key = |r: &Measured| (r.solver.clone(), r.exit);
        match groups.iter_mut().find(|(first, _)| key(first) == key(result)) {
            _ if !refused => {}
            Some((_, count)) => *count += 1,
            None => groups.push((result, 1)),
        }
    }
    let tell =
        |(first, count): (&Measured, usize)| format!("{count} as in {}", describe_failure(first));
    groups.into_iter().map(tell).collect()
}

/// Tells of a failure in a line.
pub(crate) fn describe_failure(result: &Measured) -> String {
    let end = match result.exit {
        Some(status) => format!("status {status}"),
        None => "a signal".to_owned(),
    };
    let message = result.message.as_deref().unwrap_or("no message");
    format!("{} {}: {} ended with {end}: {message}", result.suite, result.file, result.solver)
}

/// How the first solver compares with each other one: files that both, only one, or only the other
/// solved.
pub(crate) fn comparisons(results: &[Measured], solvers: &[&str]) -> Vec<String> {
    let Some((first, others)) = solvers.split_first() else { return Vec::new() };
    let solves = |on_file: OnFile<'_>, solver: &str| {
        on_file.iter().any(|result| result.solver == solver && result.is_solved())
    };
    let compare = |other: &&str| {
        let (mut both, mut only_first, mut only_other) = (0, 0, 0);
        for on_file in by_file(results) {
            match (solves(on_file, first), solves(on_file, other)) {
                (true, true) => both += 1,
                (true, false) => only_first += 1,
                (false, true) => only_other += 1,
                (false, false) => {}
            }
        }
        format!("both {both}, only {first} {only_first}, only {other} {only_other}")
    };
    others.iter().map(compare).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(solver: &str, file: &str, expected: Expected, answer: Answer, s: f64) -> Measured {
        Measured {
            solver: solver.to_owned(),
            suite: file[..1].to_owned(),
            file: file.to_owned(),
            expected,
            answer,
            wall: s,
            cpu: s / 2.0,
            exit: Some(0),
            message: None,
        }
    }

    fn results() -> Vec<Measured> {
        vec![
            result("p", "a1", Expected::Sat, Answer::Sat, 1.0),
            result("q", "a1", Expected::Sat, Answer::Unsat, 2.0),
            result("p", "a2", Expected::Unknown, Answer::Timeout, 10.0),
            result("q", "a2", Expected::Unknown, Answer::Unsat, 4.0),
            result("p", "b1", Expected::Unknown, Answer::Sat, 1.0),
            result("q", "b1", Expected::Unknown, Answer::Unsat, 1.0),
            result("p", "b2", Expected::Unsat, Answer::Failed, 0.0),
            result("q", "b2", Expected::Unsat, Answer::Unknown, 0.5),
        ]
    }

    #[test]
    fn the_table_counts() {
        let rows = rows(&results(), &["p", "q"], 10.0, Measure::Wall);
        let expected = "\
suite  solver  files  solved  sat  unsat  unknown  limit  failed  wrong  PAR-2  CPU s  wall s
a      p           2       1    1      0        0      1       0      0   21.0    5.5    11.0
a      q           2       1    0      1        0      0       0      1   24.0    3.0     6.0
b      p           2       1    1      0        0      0       1      0   21.0    0.5     1.0
b      q           2       1    0      1        1      0       0      0   21.0    0.8     1.5
all    p           4       2    2      0        0      1       1      0   42.0    6.0    12.0
all    q           4       2    0      2        1      0       0      1   45.0    3.8     7.5
";
        assert_eq!(print(&rows), expected);
    }

    #[test]
    fn answers_about_termination_are_counted() {
        let results = [
            result("p", "t1", Expected::Yes, Answer::Yes, 1.0),
            result("q", "t1", Expected::Yes, Answer::No, 1.0),
            result("p", "t2", Expected::Unknown, Answer::No, 1.0),
            result("q", "t2", Expected::Unknown, Answer::Unknown, 1.0),
        ];
        let expected = "\
suite  solver  files  solved  sat  unsat  YES  NO  unknown  limit  failed  wrong  PAR-2  CPU s  wall s
t      p           2       2    0      0    1   1        0      0       0      0    2.0    1.0     2.0
t      q           2       0    0      0    0   0        1      0       0      1   40.0    1.0     2.0
";
        assert_eq!(print(&rows(&results, &["p", "q"], 10.0, Measure::Wall)), expected);
        assert_eq!(disagreements(&results), ["t t1: expected YES, p says YES, q says NO"]);
    }

    #[test]
    fn cpu_seconds_can_count() {
        let rows = rows(&results()[..1], &["p"], 10.0, Measure::Cpu);
        assert_eq!(rows.len(), 1);
        assert!((rows[0].par2 - 0.5).abs() < 1e-9);
    }

    #[test]
    fn contradictions_are_listed() {
        let expected = [
            "a a1: expected sat, p says sat, q says unsat",
            "b b1: expected unknown, p says sat, q says unsat",
        ];
        assert_eq!(disagreements(&results()), expected);
        let all = results();
        let all: Vec<&Measured> = all.iter().collect();
        assert_eq!(failures(&all), ["b b2: p ended with status 0: no message"]);
        let refused = |exit| Measured {
            exit,
            message: Some("arrays".to_owned()),
            ..result("p", "c1", Expected::Sat, Answer::Unknown, 0.1)
        };
        let refused = [Some(2), Some(0), Some(2), Some(3)].map(refused);
        let expected = [
            "2 as in c c1: p ended with status 2: arrays",
            "1 as in c c1: p ended with status 3: arrays",
        ];
        assert_eq!(refusals(&refused.each_ref()), expected);
        assert_eq!(comparisons(&results(), &["p", "q"]), ["both 1, only p 1, only q 1"]);
    }
}
