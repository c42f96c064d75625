//! Refutations as text.
//!
//! ```text
//! (refutation
//! (step 0 :clause 0 :line 4 :values ((x 0)) :premises () :derives (inv 0))
//! (step 1 :clause 1 :line 7 :values ((x 0) (y 1)) :premises (0) :derives (inv 1))
//! (step 2 :clause 2 :line 9 :values ((x 1)) :premises (1) :derives false)
//! )
//! ```
//! Steps and clauses are numbered from 0; clauses in the order of the input. A step names the clause it instantiates, the
//! values of all variables of that clause, and the earlier steps that derive its body, in the order of the body. The line
//! and what is derived can be worked out from the rest; they are there for the reader, and checked when the text is read.

use std::io::{self, Write};

use shofar_base::Idx;
use shofar_term::eval::{Assignment, Value, evaluate};
use shofar_term::print::{print_number, quote};
use shofar_term::{Sort, Symbol, TermStore};

use crate::{ChcSystem, ClauseId, Derivation, PredAtom};

/// In which line of the input each clause begins.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    lines: Vec<Option<usize>>,
}

impl Lines {
    /// The lines of the clauses of `system`, which was read from `text`; one pass over the text.
    pub fn new(system: &ChcSystem, text: &[u8]) -> Self {
        let newlines: Vec<usize> = text
            .iter()
            .enumerate()
            .filter(|&(_, &byte)| byte == b'\n')
            .map(|(offset, _)| offset)
            .collect();
        let line = |offset: usize| newlines.partition_point(|&newline| newline < offset) + 1;
        let lines = system.clauses().map(|(_, clause)| clause.span.map(|s| line(s.start)));
        Self { lines: lines.collect() }
    }
    /// Nothing is known about lines.
    pub fn unknown() -> Self {
        Self::default()
    }
    /// The line of a clause.
    pub fn of(&self, clause: ClauseId) -> Option<usize> {
        self.lines.get(clause.index()).copied().flatten()
    }
}

/// Writes `derivation`, a refutation of `system`, in full.
pub fn print_refutation(
    out: &mut dyn Write,
    store: &TermStore,
    system: &ChcSystem,
    lines: &Lines,
    derivation: &Derivation,
) -> io::Result<()> {
    let mut variables = Variables::new(system);
    writeln!(out, "(refutation")?;
    for (number, step) in derivation.steps.iter().enumerate() {
        write!(out, "(step {number} :clause {}", step.clause.index())?;
        if let Some(line) = lines.of(step.clause) {
            write!(out, " :line {line}")?;
        }
        write!(out, " :values (")?;
        for (i, &symbol) in variables.of(store, system, step.clause).iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            let sort = store.result(symbol);
            write!(out, "{space}({} ", quote(store.name(symbol)))?;
            match step.assignment.get(symbol) {
                Some(value) => write!(out, "{})", print_value(value, sort))?,
                None => write!(out, "{})", print_value(&Value::default_of(sort), sort))?,
            }
        }
        let premises: Vec<String> = step.premises.iter().map(usize::to_string).collect();
        write!(out, ") :premises ({}) :derives ", premises.join(" "))?;
        let head = system.clause(step.clause).head.as_ref();
        write_fact(out, store, system, head, &step.assignment)?;
        writeln!(out, ")")?;
    }
    writeln!(out, ")")
}

/// Writes the instance of a head, `false` if there is none.
pub(super) fn write_fact(
    out: &mut dyn Write,
    store: &TermStore,
    system: &ChcSystem,
    head: Option<&PredAtom>,
    assignment: &Assignment,
) -> io::Result<()> {
    let Some(head) = head else { return write!(out, "false") };
    let name = quote(store.name(system.symbol(head.pred)));
    if head.args.is_empty() {
        return write!(out, "{name}");
    }
    write!(out, "({name}")?;
    for &arg in &head.args {
        let value = evaluate(store, arg, assignment);
        write!(out, " {}", print_value(&value, store.sort(arg)))?;
    }
    write!(out, ")")
}

/// A value as a literal of its sort.
pub fn print_value(value: &Value, sort: Sort) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => print_number(number, sort),
    }
}

/// The variables of the clauses, worked out once for each clause that is used.
struct Variables {
    known: Vec<Option<Vec<Symbol>>>,
}

impl Variables {
    fn new(system: &ChcSystem) -> Self {
        Self { known: vec![None; system.clause_count()] }
    }
    fn of(&mut self, store: &TermStore, system: &ChcSystem, clause: ClauseId) -> &[Symbol] {
        self.known[clause.index()].get_or_insert_with(|| system.clause(clause).variables(store))
    }
}
