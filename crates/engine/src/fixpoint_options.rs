//! What engines that look for fixpoints of interpolants can be told.

use shofar_smt::Interpolation;

/// How [`imc`](crate::imc) and [`dar`](crate::dar) are set up.
#[derive(Clone, Debug)]
pub struct FixpointOptions {
    /// Perturbs ties in the search.
    pub seed: u64,
    /// How approximations are interpolated.
    pub interpolation: Interpolation,
}

impl Default for FixpointOptions {
    fn default() -> Self {
        Self { seed: 0, interpolation: Interpolation::weakest() }
    }
}
