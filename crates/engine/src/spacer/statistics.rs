//! What a run did, and where its time went.

use shofar_term::{Phase, PhaseTimes};

use super::guide::GuessRule;

/// Counters.
#[derive(Clone, Debug, Default)]
pub(super) struct Statistics {
    pub(super) levels: u64,
    pub(super) obligations: u64,
    pub(super) queries: u64,
    pub(super) inductions: u64,
    pub(super) pushes: u64,
    pub(super) skipped_pushes: u64,
    pub(super) lemmas: u64,
    pub(super) facts: u64,
    pub(super) subsumed: u64,
    pub(super) conjectured: u64,
    pub(super) concretized: u64,
    /// Lemmas given up for the obligation itself.
    pub(super) detours: u64,
    /// Guesses that were reached.
    pub(super) refuted: u64,
    /// Guesses that ran out of gas.
    pub(super) abandoned: u64,
    /// Lemmas that came from another search.
    pub(super) adopted: u64,
    /// How often it was begun anew.
    pub(super) restarts: u64,
}

impl Statistics {
    /// Counts a guess.
    pub(super) fn guessed(&mut self, rule: GuessRule) {
        match rule {
            GuessRule::Subsume => self.subsumed += 1,
            GuessRule::Conjecture => self.conjectured += 1,
        }
    }
    /// How many questions were asked.
    pub(super) fn all_queries(&self) -> u64 {
        self.queries + self.inductions + self.pushes
    }
    /// Adds what another search did.
    pub(super) fn add(&mut self, other: &Self) {
        self.levels = self.levels.max(other.levels);
        self.obligations += other.obligations;
        self.queries += other.queries;
        self.inductions += other.inductions;
        self.pushes += other.pushes;
        self.skipped_pushes += other.skipped_pushes;
        self.lemmas += other.lemmas;
        self.facts += other.facts;
        self.subsumed += other.subsumed;
        self.conjectured += other.conjectured;
        self.concretized += other.concretized;
        self.detours += other.detours;
        self.refuted += other.refuted;
        self.abandoned += other.abandoned;
        self.adopted += other.adopted;
        self.restarts += other.restarts;
    }
    /// All of it, by name, and the times of the phases.
    pub(super) fn rows(&self, times: &PhaseTimes) -> Vec<(&'static str, u64)> {
        vec![
            ("levels", self.levels),
            ("obligations", self.obligations),
            ("queries", self.queries),
            ("induction_queries", self.inductions),
            ("push_queries", self.pushes),
            ("skipped_pushes", self.skipped_pushes),
            ("lemmas", self.lemmas),
            ("facts", self.facts),
            ("guesses_subsume", self.subsumed),
            ("guesses_conjecture", self.conjectured),
            ("guesses_refuted", self.refuted),
            ("guesses_abandoned", self.abandoned),
            ("concretized", self.concretized),
            ("detours", self.detours),
            ("adopted_lemmas", self.adopted),
            ("restarts", self.restarts),
            ("us_solving", times.micros(Phase::Solving)),
            ("us_projection", times.micros(Phase::Projection)),
            ("us_interpolation", times.micros(Phase::Interpolation)),
            ("us_generalisation", times.micros(Phase::Generalization)),
            ("us_pushing", times.micros(Phase::Pushing)),
        ]
    }
}

/// What is worth telling at every level.
impl std::fmt::Display for Statistics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { obligations, lemmas, facts, .. } = self;
        let queries = self.all_queries();
        write!(f, "{obligations} obligations, {lemmas} lemmas, {facts} facts, {queries} queries")
    }
}
