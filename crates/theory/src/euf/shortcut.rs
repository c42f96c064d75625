//! Atoms for equalities that contradictions pass through again and again.
//!
//! A chain `a = b = c` that stands in many contradictions gets an atom `a = c`. Where that is
//! asserted, later contradictions take it in the place of the two steps. What the search learns
//! then no longer depends on the way from `a` to `c`, so that `n` places with two ways each cost
//! `n` conflicts and not `2ⁿ`. The atom needs no clause: the closure implies it and can say why.
//!
//! Invariant: only contradictions take shortcuts. The reason of an implied literal must be older
//! than the literal, which a shortcut need not be.
//!
//! Source: [NO07] for the chains. That axioms of equality are instantiated where conflicts need
//! them often is an idea of Z3.

use shofar_base::{Map, Set};
use shofar_term::Term;

use super::certificate::{Congruence, Path, Why};

/// How many contradictions have to pass through a chain.
const USES: u32 = 8;
/// How many shortcuts there may be.
const MOST: usize = 4_000;
/// How many chains are counted.
const MOST_COUNTED: usize = 200_000;

/// The chains that were counted, and the shortcuts.
#[derive(Clone, Debug, Default)]
pub(super) struct Shortcuts {
    uses: Map<(Term, Term), u32>,
    pending: Vec<(Term, Term)>,
    /// The ends of all shortcuts.
    known: Set<(Term, Term)>,
}

fn key(a: Term, b: Term) -> (Term, Term) {
    (a.min(b), a.max(b))
}

impl Shortcuts {
    /// Counts the chains of two literals in a contradiction.
    pub(super) fn count(&mut self, proof: &Congruence) {
        if self.known.len() < MOST && self.uses.len() < MOST_COUNTED {
            for path in &proof.paths {
                self.count_path(path);
            }
        }
    }
    fn count_path(&mut self, path: &Path) {
        let steps: Vec<(Term, Term, bool)> = path
            .steps()
            .map(|(from, edge)| (from, edge.to, matches!(edge.why, Why::Literal(_))))
            .collect();
        for pair in steps.windows(2) {
            let [(from, _, true), (_, to, true)] = *pair else { continue };
            let ends = key(from, to);
            let uses = self.uses.entry(ends).or_default();
            *uses += 1;
            if *uses == USES && from != to && self.known.insert(ends) {
                self.pending.push(ends);
            }
        }
    }
    /// Whether there is a shortcut between these terms.
    pub(super) fn has(&self, a: Term, b: Term) -> bool {
        self.known.contains(&key(a, b))
    }
    /// The shortcuts that nobody has asked for yet.
    pub(super) fn take(&mut self) -> Vec<(Term, Term)> {
        std::mem::take(&mut self.pending)
    }
    pub(super) fn is_waiting(&self) -> bool {
        !self.pending.is_empty()
    }
}
