//! What a run did.

use shofar_term::{Phase, PhaseTimes};

/// Counters; the nouns are those of [RHK13].
#[derive(Clone, Debug, Default)]
pub(super) struct Statistics {
    pub(super) nodes: u64,
    pub(super) edges: u64,
    pub(super) subsumed: u64,
    /// Questions put to the solvers of clauses.
    pub(super) queries: u64,
    /// Questions answered from what is known.
    pub(super) cached: u64,
    pub(super) refinements: u64,
    /// Refinements whose predicates came from templates.
    pub(super) abstractions: u64,
    /// Questions about which templates are enough.
    pub(super) template_queries: u64,
    pub(super) predicates: u64,
    /// Predicates that were forgotten.
    pub(super) forgotten: u64,
    /// Hints that became predicates or templates.
    pub(super) hints: u64,
    /// Predicates that other engines suggested.
    pub(super) heard: u64,
    /// Nodes that refinements deleted.
    pub(super) deleted: u64,
    /// Nodes of and/or trees.
    pub(super) tree_nodes: u64,
    /// Refinements by exact closures, by over- and by under-approximations.
    pub(super) exact: u64,
    pub(super) over: u64,
    pub(super) under: u64,
}

impl Statistics {
    /// All of it, by name, and the times of the phases.
    pub(super) fn rows(&self, times: &PhaseTimes) -> Vec<(&'static str, u64)> {
        vec![
            ("nodes", self.nodes),
            ("edges", self.edges),
            ("subsumed_nodes", self.subsumed),
            ("deleted_nodes", self.deleted),
            ("entailment_queries", self.queries),
            ("cached_entailments", self.cached),
            ("refinements", self.refinements),
            ("abstract_refinements", self.abstractions),
            ("template_queries", self.template_queries),
            ("predicates", self.predicates),
            ("tree_nodes", self.tree_nodes),
            ("forgotten_predicates", self.forgotten),
            ("hints", self.hints),
            ("heard_predicates", self.heard),
            ("exact_accelerations", self.exact),
            ("over_accelerations", self.over),
            ("under_accelerations", self.under),
            ("us_solving", times.micros(Phase::Solving)),
            ("us_interpolation", times.micros(Phase::Interpolation)),
            ("us_generalisation", times.micros(Phase::Generalization)),
        ]
    }
}

/// What is worth telling at every refinement.
impl std::fmt::Display for Statistics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { nodes, edges, queries, cached, predicates, .. } = self;
        write!(
            f,
            "{nodes} nodes, {edges} edges, {predicates} predicates, {queries} queries, {cached} cached"
        )
    }
}
