//! Counts of answers.

use shofar_testkit::case::Answer;

use super::contest::{Contest, Manner};
use crate::table::Table;

#[derive(Clone, Copy, Default)]
struct Row {
    sat: u64,
    unsat: u64,
    unknown: u64,
}

impl Row {
    fn add(&mut self, answer: Answer) {
        match answer {
            Answer::Sat => self.sat += 1,
            Answer::Unsat => self.unsat += 1,
            Answer::Unknown => self.unknown += 1,
        }
    }
    fn merge(&mut self, other: Row) {
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
    }
    fn cells(self, name: &str) -> Vec<String> {
        let mut cells = vec![name.to_owned()];
        cells.extend([self.sat, self.unsat, self.unknown].map(|n| n.to_string()));
        cells
    }
}

/// What came of the systems so far.
#[derive(Default)]
pub(crate) struct Tally {
    cases: u64,
    /// In the order of [`Manner::all`].
    ours: Vec<Row>,
    z3: Row,
    models: u64,
    confirmed: u64,
    refutations: u64,
}

impl Tally {
    pub(crate) fn cases(&self) -> u64 {
        self.cases
    }
    pub(crate) fn add(&mut self, contest: &Contest) {
        self.cases += 1;
        self.confirmed += contest.confirmed;
        self.z3.add(contest.opinion.unwrap_or(Answer::Unknown));
        self.ours.resize(Manner::all().count(), Row::default());
        for (row, manner) in self.ours.iter_mut().zip(Manner::all()) {
            for result in contest.results.iter().filter(|r| r.manner.name() == manner.name()) {
                row.add(result.answer);
                self.models += u64::from(result.answer == Answer::Sat);
                self.refutations += u64::from(result.answer == Answer::Unsat);
            }
        }
    }
    pub(crate) fn merge(&mut self, other: &Tally) {
        self.cases += other.cases;
        self.models += other.models;
        self.confirmed += other.confirmed;
        self.refutations += other.refutations;
        self.z3.merge(other.z3);
        self.ours.resize(Manner::all().count(), Row::default());
        for (row, further) in self.ours.iter_mut().zip(&other.ours) {
            row.merge(*further);
        }
    }
    pub(crate) fn text(&self) -> String {
        let mut table = Table::new(&["decided by", "sat", "unsat", "unknown"]);
        for (row, manner) in self.ours.iter().zip(Manner::all()) {
            table.row(row.cells(&manner.name()));
        }
        table.row(self.z3.cells("z3"));
        format!(
            "{}\n{} models, {} of them confirmed by z3; {} refutations; all validated, printed, read and validated again",
            table.text(),
            self.models,
            self.confirmed,
            self.refutations
        )
    }
}
