//! The switches of Spacer, and how interpolation algorithms are called.

use clap::{Args, ValueEnum};
use shofar_engine::spacer::{Guidance, SpacerOptions};
use shofar_smt::{Interpolation, LinearAlgorithm};

/// How the engine `spacer` works.
#[derive(Debug, Args)]
pub(crate) struct SpacerArguments {
    /// Rules of global guidance that are not used.
    #[arg(long = "spacer-off", value_enum, value_delimiter = ',', help_heading = "Spacer")]
    off: Vec<Rule>,
    /// How many blocked obligations are asked again one level higher within one round.
    #[arg(long = "spacer-lifts", value_name = "N", help_heading = "Spacer")]
    lifts: Option<u32>,
    /// How lemmas are interpolated.
    #[arg(
        long = "spacer-interpolants",
        value_enum,
        default_value = "decomposed",
        help_heading = "Spacer"
    )]
    lemmas: Interpolants,
}

/// The rules of global guidance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Rule {
    /// Guess a cube around those of many lemmas.
    Subsume,
    /// Guess that a drifting bound does not matter.
    Conjecture,
    /// Bound variables one by one where coefficients grow.
    Concretize,
}

/// The arithmetic interpolation algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Interpolants {
    /// The sum of one side.
    Farkas,
    /// The negated sum of the other side.
    DualFarkas,
    /// A conjunction, stronger than Farkas.
    Decomposed,
    /// A disjunction, weaker than dual Farkas.
    DualDecomposed,
}

impl Interpolants {
    /// The algorithm of that name.
    pub(crate) fn algorithm(self) -> LinearAlgorithm {
        match self {
            Self::Farkas => LinearAlgorithm::Farkas,
            Self::DualFarkas => LinearAlgorithm::DualFarkas,
            Self::Decomposed => LinearAlgorithm::Decomposed,
            Self::DualDecomposed => LinearAlgorithm::DualDecomposed,
        }
    }
}

impl SpacerArguments {
    /// The options that the switches stand for.
    pub(crate) fn options(&self) -> SpacerOptions {
        let default = SpacerOptions::default();
        let is_on = |rule: Rule| !self.off.contains(&rule);
        let guidance = Guidance {
            subsume: is_on(Rule::Subsume),
            conjecture: is_on(Rule::Conjecture),
            concretize: is_on(Rule::Concretize),
        };
        let linear = self.lemmas.algorithm();
        let interpolation = Interpolation { linear, ..default.interpolation.clone() };
        let lifts = self.lifts.unwrap_or(default.lifts);
        SpacerOptions { guidance, interpolation, lifts, ..default }
    }
}
