//! Recursion-free clauses: lazy expansion and disjunctive interpolation.
//!
//! All the work is done by [`shofar_rf::solve`]; see there. Clauses with recursion are outside what
//! it supports.
//!
//! Source: [RHK13b].

use shofar_base::{Outcome, Statistics};
use shofar_chc::{Engine, NormalSystem, Verdict};
use shofar_rf::{Counts, Options};
use shofar_term::Cx;

/// The engine; see the [module](self) documentation.
#[derive(Clone, Debug, Default)]
pub struct Rf {
    options: Options,
    counts: Counts,
}

impl Rf {
    /// An engine with this seed.
    pub fn new(seed: u64) -> Self {
        Self { options: Options { seed, ..Options::default() }, counts: Counts::default() }
    }
}

impl Engine<NormalSystem> for Rf {
    fn solve(&mut self, cx: &mut Cx<'_>, system: &NormalSystem) -> Outcome<Verdict<NormalSystem>> {
        let (verdict, counts) = shofar_rf::solve_counting(cx, system, &self.options)?;
        self.counts = counts;
        Ok(verdict)
    }
    fn statistics(&self) -> Statistics {
        let Counts { questions, fragments, copies, components, .. } = self.counts;
        let Counts { sequences, trees, disjunctive, .. } = self.counts;
        let counts = [
            ("questions", questions),
            ("fragments", fragments),
            ("copies", copies),
            ("components", components),
            ("sequences", sequences),
            ("trees", trees),
            ("disjunctive", disjunctive),
        ];
        counts.into_iter().collect()
    }
}
