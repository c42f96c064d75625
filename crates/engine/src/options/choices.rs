//! Words that options of several engines have in common.

use super::{Choice, EngineOptions};

/// Where [`linear_choices`] come from.
pub(crate) const LINEAR_SOURCE: &str = "BHKS19";

/// The algorithms that interpolate linear arithmetic, each with the setter of one engine: Farkas,
/// dual Farkas, decomposed, dual decomposed.
pub(crate) const fn linear_choices(set: [fn(&mut EngineOptions); 4]) -> [Choice; 4] {
    let [farkas, dual_farkas, decomposed, dual_decomposed] = set;
    [
        Choice { name: "farkas", about: "The sum of one side", set: farkas },
        Choice {
            name: "dual-farkas",
            about: "The negated sum of the other side",
            set: dual_farkas,
        },
        Choice {
            name: "decomposed",
            about: "A conjunction, stronger than Farkas",
            set: decomposed,
        },
        Choice {
            name: "dual-decomposed",
            about: "A disjunction, weaker than dual Farkas",
            set: dual_decomposed,
        },
    ]
}
