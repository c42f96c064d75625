//! Refutations for the eye: repeated cycles folded with their count.
//!
//! ```text
//! (refutation-summary :steps 1002
//! (step 0 :clause 0 :line 4 :derives (inv 0))
//! (repeat 500 :from 1 :to 1000 :clauses (1 2) :derives (inv 1000))
//! (step 1001 :clause 3 :line 9 :derives false)
//! )
//! ```
//! A `repeat` says what its last step derives; loops inside loops show as `(repeat 10 1 2)` among
//! the clauses. The values between are left out, so a summary cannot be checked.

use std::io::{self, Write};

use shofar_base::Idx;
use shofar_term::TermStore;
use shofar_term::value::SharedValues;

use super::fold::{Folded, Item, Repetition};
use super::refutation::{Lines, Names};
use crate::{ChcSystem, Derivation};

/// Writes a summary of `derivation`, a refutation of `system`.
pub fn print_summary(
    out: &mut dyn Write,
    store: &TermStore,
    system: &ChcSystem,
    lines: &Lines,
    derivation: &Derivation,
) -> io::Result<()> {
    let (steps, names) = (&derivation.steps, Names::new(store, system));
    let folded = Folded::new(steps.iter().map(|step| step.clause.index()));
    writeln!(out, "(refutation-summary :steps {}", steps.len())?;
    let mut from = 0;
    for &item in folded.items() {
        let last = from + folded.length(item) - 1;
        let step = &steps[last];
        match folded.repetition(item) {
            Repetition::One(_) => {
                write!(out, "(step {from}")?;
                lines.write(out, step.clause)?;
            }
            Repetition::Repeat { count, items } => {
                write!(out, "(repeat {count} :from {from} :to {last} :clauses (")?;
                write_items(out, &folded, items)?;
                write!(out, ")")?;
            }
        }
        write!(out, " :derives ")?;
        names.write_fact(out, step, &mut SharedValues::default())?;
        writeln!(out, ")")?;
        from = last + 1;
    }
    writeln!(out, ")")
}

/// Writes items and what they repeat; they nest no deeper than folding goes.
fn write_items(out: &mut dyn Write, folded: &Folded, items: &[Item]) -> io::Result<()> {
    for (i, &item) in items.iter().enumerate() {
        let space = if i == 0 { "" } else { " " };
        match folded.repetition(item) {
            Repetition::One(clause) => write!(out, "{space}{clause}")?,
            Repetition::Repeat { count, items } => {
                write!(out, "{space}(repeat {count} ")?;
                write_items(out, folded, items)?;
                write!(out, ")")?;
            }
        }
    }
    Ok(())
}
