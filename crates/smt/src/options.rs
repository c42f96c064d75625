//! What a solver is asked to keep in mind while it searches.

/// How much evidence an `unsat` answer has to carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Evidence {
    /// Only which assumptions failed; cheapest.
    #[default]
    Plain,
    /// Also which parts were used.
    Cores,
    /// A proof, and with it cores and interpolants.
    Proofs,
}

/// How a solver is set up.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What an `unsat` answer carries.
    pub evidence: Evidence,
    /// Perturbs ties in the search; the same seed gives the same run.
    pub seed: u64,
    /// How many case distinctions integers may take in one check before the answer is `unknown`;
    /// none is the theory's own generous limit.
    pub integer_splits: Option<u32>,
    /// Whether a check of integers without such a limit goes on until its budget ends, instead of
    /// answering `unknown`.
    pub is_patient: bool,
}

impl Options {
    /// Proofs on, everything else as usual.
    pub fn with_proofs() -> Self {
        Self { evidence: Evidence::Proofs, ..Self::default() }
    }
    /// Cores on, everything else as usual.
    pub fn with_cores() -> Self {
        Self { evidence: Evidence::Cores, ..Self::default() }
    }
}
