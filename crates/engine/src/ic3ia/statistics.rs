//! What a run did, and where its time went.

use shofar_term::{Phase, PhaseTimes};

/// Counters.
#[derive(Clone, Debug, Default)]
pub(super) struct Statistics {
    pub(super) levels: u64,
    pub(super) obligations: u64,
    pub(super) queries: u64,
    /// Queries of generalisation.
    pub(super) generalizing: u64,
    /// Counterexamples to generalisation.
    pub(super) ctgs: u64,
    pub(super) pushes: u64,
    pub(super) clauses: u64,
    pub(super) refinements: u64,
    pub(super) predicates: u64,
}

impl Statistics {
    /// All of it, by name, and the times of the phases.
    pub(super) fn rows(&self, times: &PhaseTimes) -> Vec<(&'static str, u64)> {
        vec![
            ("levels", self.levels),
            ("obligations", self.obligations),
            ("queries", self.queries),
            ("induction_queries", self.generalizing),
            ("counterexamples_to_generalisation", self.ctgs),
            ("push_queries", self.pushes),
            ("lemmas", self.clauses),
            ("refinements", self.refinements),
            ("predicates", self.predicates),
            ("us_solving", times.micros(Phase::Solving)),
            ("us_projection", times.micros(Phase::Projection)),
            ("us_interpolation", times.micros(Phase::Interpolation)),
            ("us_generalisation", times.micros(Phase::Generalization)),
            ("us_pushing", times.micros(Phase::Pushing)),
        ]
    }
}
