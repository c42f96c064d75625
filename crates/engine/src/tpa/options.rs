//! What transition power abstraction can be told, and how users say it.

use shofar_smt::{BoolAlgorithm, Interpolation, LinearAlgorithm};

use crate::options::{
    Choice, EngineOption, EngineOptions, LINEAR_SOURCE, OptionGroup, OptionScope, OptionValue,
    linear_choices,
};

/// Which sequences are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variant {
    /// One for at most `2ⁿ` steps.
    Whole,
    /// One for fewer than `2ⁿ` steps, one for exactly `2ⁿ`.
    #[default]
    Split,
}

/// How the states in the middle are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Elimination {
    /// Those that a model shows: cheap, and some of them only.
    #[default]
    Projection,
    /// All of them.
    Full,
}

/// In which order fewer than `2ⁿ⁺¹` steps are taken apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// First fewer than `2ⁿ`, then exactly `2ⁿ` or none.
    #[default]
    FewFirst,
    /// First exactly `2ⁿ` or none, then fewer than `2ⁿ`.
    PowerFirst,
}

/// From which end a path is made real.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// From the source.
    #[default]
    Forward,
    /// From the target.
    Backward,
}

/// How transition power abstraction is set up.
#[derive(Clone, Debug, Default)]
pub struct TpaOptions {
    /// Perturbs ties in the search.
    pub seed: u64,
    /// Which sequences are kept.
    pub variant: Variant,
    /// How the states in the middle are computed.
    pub elimination: Elimination,
    /// In which order few steps are taken apart.
    pub order: Order,
    /// From which end a path is made real.
    pub direction: Direction,
    /// How refinements are interpolated.
    pub linear: LinearAlgorithm,
}

impl TpaOptions {
    pub(super) fn interpolation(&self) -> Interpolation {
        Interpolation {
            boolean: BoolAlgorithm::default(),
            linear: self.linear.clone(),
            certify: false,
        }
    }
}

/// The options of users, for both variants.
pub(crate) const OPTIONS: OptionGroup = OptionGroup {
    heading: "Transition power abstraction",
    options: &[
        EngineOption::new(
            OptionScope::Job,
            "tpa-qe",
            "Compute all states in the middle of a path by quantifier elimination, not only those that a model shows",
            OptionValue::Flag(|o| own(o).elimination = Elimination::Full),
        ),
        EngineOption::new(
            OptionScope::Job,
            "tpa-power-first",
            "Take few steps apart with the larger power first",
            OptionValue::Flag(|o| own(o).order = Order::PowerFirst),
        ),
        EngineOption::new(
            OptionScope::Job,
            "tpa-backward",
            "Build paths from the bad states",
            OptionValue::Flag(|o| own(o).direction = Direction::Backward),
        ),
        EngineOption::new(
            OptionScope::Job,
            "tpa-interpolants",
            "How refinements are interpolated",
            OptionValue::OneOf { called: "INTERPOLANTS", choices: &INTERPOLANTS },
        )
        .with_default("decomposed")
        .citing(LINEAR_SOURCE),
    ],
};

const INTERPOLANTS: [Choice; 4] = linear_choices([
    |o| own(o).linear = LinearAlgorithm::Farkas,
    |o| own(o).linear = LinearAlgorithm::DualFarkas,
    |o| own(o).linear = LinearAlgorithm::Decomposed,
    |o| own(o).linear = LinearAlgorithm::DualDecomposed,
]);

fn own(options: &mut EngineOptions) -> &mut TpaOptions {
    options.own_mut()
}
