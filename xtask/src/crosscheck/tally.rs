//! Counts what a cross-check has seen, by logic and by feature, and prints it.

use std::collections::BTreeMap;

use shofar_testkit::case::{Answer, Case};
use shofar_testkit::judge::Kind;
use shofar_testkit::sexp::Sexp;
use shofar_testkit::split::{ARITHMETIC_ALGORITHMS, BOOLEAN_ALGORITHMS};

use super::examine::Examined;
use crate::table::Table;

/// Counts of one row.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    cases: usize,
    checks: usize,
    sat: usize,
    unsat: usize,
    unknown: usize,
    reference_unknown: usize,
    undecided: usize,
    declined: usize,
    faults: usize,
    confirmed: [usize; 6],
}

/// Kinds of evidence that have a column of their own.
const EVIDENCE: [(Kind, &str); 6] = [
    (Kind::Model, "models"),
    (Kind::Value, "values"),
    (Kind::Core, "cores"),
    (Kind::Assumptions, "assump."),
    (Kind::Interpolant, "interpol."),
    (Kind::Strength, "strength"),
];

/// How many answers in a hundred may be missing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limits {
    total: Option<usize>,
    by_logic: BTreeMap<String, usize>,
}

impl Limits {
    /// Reads `PERCENT` and `LOGIC=PERCENT`; without any, one in a hundred, and no limit for the
    /// newer theories.
    pub(crate) fn parse(texts: &[String], theories: bool) -> Result<Self, String> {
        let mut limits = Self { total: (!theories).then_some(1), ..Self::default() };
        for text in texts {
            let (name, percent) = text.split_once('=').unwrap_or(("", text));
            let percent = percent.parse().map_err(|_| format!("{text} is no percentage"))?;
            if name.is_empty() {
                limits.total = Some(percent);
            } else {
                limits.by_logic.insert(name.to_owned(), percent);
            }
        }
        Ok(limits)
    }
    fn of(&self, name: &str) -> Option<usize> {
        if name == "total" { self.total } else { self.by_logic.get(name).copied() }
    }
}

/// All counts of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    by_logic: BTreeMap<&'static str, Row>,
    by_feature: BTreeMap<&'static str, Row>,
    /// `get-interpolants` commands by propositional and arithmetic algorithm.
    algorithms: BTreeMap<(String, String), usize>,
    total: Row,
}

impl Tally {
    /// Counts one examined case.
    pub(crate) fn add(&mut self, case: &Case, script: &[Sexp], examined: &Examined) {
        let rows = [
            self.by_logic.entry(case.logic.label()).or_default(),
            self.by_feature.entry(case.feature.label()).or_default(),
            &mut self.total,
        ];
        for row in rows {
            row.add(examined);
        }
        let (mut boolean, mut arithmetic) = (String::new(), String::new());
        for command in script {
            match (command.head(), command.arguments()) {
                (Some("set-option"), [key, value]) => match key.atom() {
                    Some(":interpolation-bool-algorithm") => boolean = value.to_string(),
                    Some(":interpolation-lra-algorithm") => arithmetic = value.to_string(),
                    _ => {}
                },
                (Some("get-interpolants"), _) => {
                    *self.algorithms.entry((boolean.clone(), arithmetic.clone())).or_default() += 1;
                }
                _ => {}
            }
        }
    }

    /// Adds the counts of another thread.
    pub(crate) fn merge(&mut self, other: &Self) {
        for (mine, theirs) in
            [(&mut self.by_logic, &other.by_logic), (&mut self.by_feature, &other.by_feature)]
        {
            for (key, row) in theirs {
                mine.entry(key).or_default().merge(row);
            }
        }
        for (key, count) in &other.algorithms {
            *self.algorithms.entry(key.clone()).or_default() += count;
        }
        self.total.merge(&other.total);
    }

    /// Cases counted so far.
    pub(crate) fn cases(&self) -> usize {
        self.total.cases
    }

    /// Cases with a fault.
    pub(crate) fn faults(&self) -> usize {
        self.total.faults
    }

    /// What was said too often: `unknown` to checks that the reference decides, or that something
    /// cannot be done.
    pub(crate) fn excesses(&self, limits: &Limits) -> Vec<String> {
        let rows = self.by_logic.iter().map(|(name, row)| (*name, row));
        let too_many = |(name, row): (&str, &Row)| {
            let percent = limits.of(name)?;
            let open = row.unknown + row.declined;
            let text = || {
                format!(
                    "{name}: {open} of {} are unknown or declined, above {percent} %",
                    row.checks
                )
            };
            (open * 100 > percent * row.checks).then(text)
        };
        rows.chain([("total", &self.total)]).filter_map(too_many).collect()
    }

    /// The tables.
    pub(crate) fn text(&self) -> String {
        let mut heading = vec!["", "cases", "checks", "sat", "unsat", "unknown", "z3 unkn."];
        heading.extend(EVIDENCE.iter().map(|(_, name)| *name));
        heading.extend(["undecided", "declined", "faults"]);
        let mut table = Table::new(&heading);
        for (name, row) in self.by_logic.iter().chain(&self.by_feature) {
            table.row(row.cells(name));
        }
        table.row(self.total.cells("total"));
        let mut heading = vec!["get-interpolants"];
        heading.extend(ARITHMETIC_ALGORITHMS);
        let mut algorithms = Table::new(&heading);
        for boolean in BOOLEAN_ALGORITHMS {
            let mut cells = vec![boolean.to_owned()];
            for arithmetic in ARITHMETIC_ALGORITHMS {
                let count = self.algorithms.get(&(boolean.to_owned(), arithmetic.to_owned()));
                cells.push(count.copied().unwrap_or(0).to_string());
            }
            algorithms.row(cells);
        }
        format!("{}\n{}", table.text(), algorithms.text())
    }
}

impl Row {
    fn add(&mut self, examined: &Examined) {
        self.cases += 1;
        self.checks += examined.answers.len();
        let ours = |wanted| examined.answers.iter().filter(|a| **a == wanted).count();
        self.sat += ours(Answer::Sat);
        self.unsat += ours(Answer::Unsat);
        let pairs = examined.answers.iter().zip(&examined.reference);
        self.unknown += pairs
            .filter(|(ours, theirs)| **ours == Answer::Unknown && **theirs != Answer::Unknown)
            .count();
        self.reference_unknown +=
            examined.reference.iter().filter(|a| **a == Answer::Unknown).count();
        self.undecided += examined.undecided;
        self.declined += usize::from(examined.declined.is_some());
        self.faults += usize::from(!examined.faults.is_empty());
        for (count, (kind, _)) in self.confirmed.iter_mut().zip(EVIDENCE) {
            *count += examined.confirmed.iter().filter(|k| **k == kind).count();
        }
    }

    fn merge(&mut self, other: &Self) {
        self.cases += other.cases;
        self.checks += other.checks;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.reference_unknown += other.reference_unknown;
        self.undecided += other.undecided;
        self.declined += other.declined;
        self.faults += other.faults;
        for (mine, theirs) in self.confirmed.iter_mut().zip(other.confirmed) {
            *mine += theirs;
        }
    }

    fn cells(&self, name: &str) -> Vec<String> {
        let mut numbers = vec![
            self.cases,
            self.checks,
            self.sat,
            self.unsat,
            self.unknown,
            self.reference_unknown,
        ];
        numbers.extend(self.confirmed);
        numbers.extend([self.undecided, self.declined, self.faults]);
        std::iter::once(name.to_owned()).chain(numbers.iter().map(ToString::to_string)).collect()
    }
}
