//! Refutations as text.
//!
//! ```text
//! (refutation
//! (step 0 :clause 0 :line 4 :values ((x 0)) :premises () :derives (inv 0))
//! (step 1 :clause 1 :name grow :line 7 :values ((x 0) (y 1)) :premises (0) :derives (inv 1))
//! (step 2 :clause 2 :line 9 :values ((x 1)) :premises (1) :derives false)
//! )
//! ```
//! A cycle that is gone through more than twice may be listed by its first and last iteration (see
//! [`Repeat`]):
//! ```text
//! (repeat 1000000
//! (first
//! (step 1 :clause 1 :values ((x 0)) :premises (0) :derives (inv 1))
//! )
//! (last
//! (step 2 :clause 1 :values ((x 999999)) :premises (1) :derives (inv 1000000))
//! ))
//! ```
//! Steps and clauses are numbered from 0; clauses in the order of the input. A step names the
//! clause it instantiates, the values of all variables of that clause, and the earlier steps that
//! derive its body, in the order of the body. The name that the user gave to the assertion, if any,
//! its line, and what is derived can be worked out from the rest; they are there for the
//! reader. A claim about what is derived is checked when the text is read, a name or line is not.
//! Arrays and data that occur again have names, see [`SharedValues`].

use std::io::{self, Write};

use shofar_base::{Idx, IndexVec};
use shofar_term::eval::{Evaluator, Value};
use shofar_term::print::quote;
use shofar_term::value::{SharedValues, print_value};
use shofar_term::{Sort, Symbol, TermStore};

use crate::read::HornProblem;
use crate::{ChcSystem, ClauseId, Derivation, DerivationStep, PredId, Repeat};

/// In which line of the input each clause begins, and what the user calls it.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    lines: Vec<Option<usize>>,
    /// As they are written.
    names: Vec<Option<String>>,
}

impl Lines {
    /// The lines of the clauses of `problem`, which was read from `text`; one pass over the text.
    pub fn new(problem: &HornProblem, text: &[u8]) -> Self {
        let newlines: Vec<usize> = text
            .iter()
            .enumerate()
            .filter(|&(_, &byte)| byte == b'\n')
            .map(|(offset, _)| offset)
            .collect();
        let line = |offset: usize| newlines.partition_point(|&newline| newline < offset) + 1;
        let clauses = problem.system.clauses();
        let lines = clauses.map(|(_, clause)| clause.span.map(|s| line(s.start)));
        let name = |&origin: &usize| problem.assertions[origin].name.as_deref();
        let names = problem.origin.iter().map(|o| name(o).map(|n| quote(n).into_owned()));
        Self { lines: lines.collect(), names: names.collect() }
    }
    /// Nothing is known about lines and names.
    pub fn unknown() -> Self {
        Self::default()
    }
    /// The line of a clause, if it is known.
    pub fn of(&self, clause: ClauseId) -> Option<usize> {
        self.lines.get(clause.index()).copied().flatten()
    }
    /// Writes a clause with its name and line.
    pub(super) fn write(&self, out: &mut dyn Write, clause: ClauseId) -> io::Result<()> {
        out.write_all(b" :clause")?;
        self.write_about(out, clause)
    }
    /// The same without the keyword in front.
    fn write_about(&self, out: &mut dyn Write, clause: ClauseId) -> io::Result<()> {
        write!(out, " {}", clause.index())?;
        if let Some(Some(name)) = self.names.get(clause.index()) {
            write!(out, " :name {name}")?;
        }
        if let Some(line) = self.of(clause) {
            write!(out, " :line {line}")?;
        }
        Ok(())
    }
}

/// Writes `derivation`, a refutation of `system`, as it is listed.
pub fn print_refutation(
    out: &mut dyn Write,
    store: &TermStore,
    system: &ChcSystem,
    lines: &Lines,
    derivation: &Derivation,
) -> io::Result<()> {
    let mut names = Names::new(store, system);
    let mut shared = shared_values(&mut names, derivation)?;
    writeln!(out, "(refutation")?;
    let mut open = OpenRepeats::default();
    for (number, step) in derivation.steps.iter().enumerate() {
        open.write(out, &derivation.repeats, number)?;
        write!(out, "(step {number}")?;
        lines.write(out, step.clause)?;
        out.write_all(b" :values (")?;
        for (i, (name, symbol)) in names.variables(step.clause).iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            let sort = store.result(*symbol);
            write!(out, "{space}({name} ")?;
            let value = step.assignment.get_or_default(store, *symbol);
            write_value(out, store, &value, sort, &mut shared)?;
            out.write_all(b")")?;
        }
        out.write_all(b") :premises (")?;
        for (i, premise) in step.premises.iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            write!(out, "{space}{premise}")?;
        }
        out.write_all(b") :derives ")?;
        names.write_fact(out, step, &mut shared)?;
        out.write_all(b")\n")?;
    }
    open.write(out, &derivation.repeats, derivation.steps.len())?;
    writeln!(out, ")")
}

/// Writes clauses that contradict each other, with their names and lines.
pub fn print_core(out: &mut dyn Write, lines: &Lines, clauses: &[ClauseId]) -> io::Result<()> {
    writeln!(out, "(core")?;
    for &clause in clauses {
        out.write_all(b"(clause")?;
        lines.write_about(out, clause)?;
        writeln!(out, ")")?;
    }
    writeln!(out, ")")
}

/// The repeats around a place in the list of steps.
#[derive(Default)]
struct OpenRepeats {
    /// By number, from the outside to the inside, each with whether it is in its last iteration.
    around: Vec<(usize, bool)>,
    /// How many have begun.
    begun: usize,
}

impl OpenRepeats {
    /// Writes what ends and begins before step number `at`.
    fn write(&mut self, out: &mut dyn Write, repeats: &[Repeat], at: usize) -> io::Result<()> {
        while let Some((number, in_last)) = self.around.last_mut() {
            let repeat = &repeats[*number];
            if *in_last && repeat.end() == at {
                out.write_all(b"))\n")?;
                self.around.pop();
            } else if !*in_last && repeat.last().start == at {
                out.write_all(b")\n(last\n")?;
                *in_last = true;
            } else {
                break;
            }
        }
        while let Some(repeat) = repeats.get(self.begun).filter(|repeat| repeat.start == at) {
            write!(out, "(repeat {}\n(first\n", repeat.count)?;
            self.around.push((self.begun, false));
            self.begun += 1;
        }
        Ok(())
    }
}

/// The arrays and data of a refutation, in the order in which they are printed.
fn shared_values(names: &mut Names<'_>, derivation: &Derivation) -> io::Result<SharedValues> {
    let mut shared = SharedValues::default();
    let (store, system) = (names.store, names.system);
    for step in &derivation.steps {
        for (_, symbol) in names.variables(step.clause) {
            shared.note(&step.assignment.get_or_default(store, *symbol));
        }
        let args = system.clause(step.clause).head.iter().flat_map(|head| &head.args);
        let mut evaluator = Evaluator::with_defaults(&step.assignment);
        let is_scalar = |sort: Sort| sort.is_bool() || sort.is_arithmetic();
        for &arg in args.filter(|&&arg| !is_scalar(store.sort(arg))) {
            shared.note(&evaluator.evaluate(store, arg).map_err(io::Error::other)?);
        }
    }
    Ok(shared)
}

/// Writes what [`print_value`] gives, with names; small natural numbers without a detour.
fn write_value(
    out: &mut dyn Write,
    store: &TermStore,
    value: &Value,
    sort: Sort,
    shared: &mut SharedValues,
) -> io::Result<()> {
    if sort.is_int()
        && let Value::Number(number) = value
        && let Some(small) = number.to_i64().filter(|&small| small >= 0)
    {
        return write!(out, "{small}");
    }
    let text = match value {
        Value::Data(_) | Value::Array(_) => shared.print(store, value, sort),
        Value::Bool(_) | Value::Number(_) | Value::Element(..) | Value::Bits(_) => {
            print_value(store, value, sort)
        }
    };
    out.write_all(text.as_bytes())
}

/// The names of predicates and variables as they are written, worked out once.
pub(super) struct Names<'a> {
    store: &'a TermStore,
    system: &'a ChcSystem,
    preds: IndexVec<PredId, String>,
    /// The variables of the clauses that occurred.
    variables: IndexVec<ClauseId, Option<Vec<(String, Symbol)>>>,
}

impl<'a> Names<'a> {
    pub(super) fn new(store: &'a TermStore, system: &'a ChcSystem) -> Self {
        let preds = system.preds().map(|p| quote(store.name(system.symbol(p))).into_owned());
        let variables = system.clauses().map(|_| None).collect();
        Self { store, system, preds: preds.collect(), variables }
    }
    fn variables(&mut self, clause: ClauseId) -> &[(String, Symbol)] {
        let (store, system) = (self.store, self.system);
        self.variables[clause].get_or_insert_with(|| {
            let variables = system.clause(clause).variables(store).into_iter();
            variables.map(|s| (quote(store.name(s)).into_owned(), s)).collect()
        })
    }
    /// Writes what a step derives.
    pub(super) fn write_fact(
        &self,
        out: &mut dyn Write,
        step: &DerivationStep,
        shared: &mut SharedValues,
    ) -> io::Result<()> {
        let Some(head) = &self.system.clause(step.clause).head else {
            return out.write_all(b"false");
        };
        let name = &self.preds[head.pred];
        if head.args.is_empty() {
            return out.write_all(name.as_bytes());
        }
        write!(out, "({name}")?;
        let mut evaluator = Evaluator::with_defaults(&step.assignment);
        for &arg in &head.args {
            out.write_all(b" ")?;
            let value = evaluator.evaluate(self.store, arg).map_err(io::Error::other)?;
            write_value(out, self.store, &value, self.store.sort(arg), shared)?;
        }
        out.write_all(b")")
    }
}
