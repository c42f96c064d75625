//! What Spacer can be told, and how users say it.

use shofar_smt::{BoolAlgorithm, Interpolation, LinearAlgorithm};

use crate::options::{
    Choice, EngineOption, EngineOptions, LINEAR_SOURCE, OptionGroup, OptionScope, OptionValue,
    linear_choices,
};

/// How Spacer goes about it.
#[derive(Clone, Debug)]
pub struct SpacerOptions {
    /// Perturbs ties.
    pub seed: u64,
    /// How lemmas are interpolated.
    pub interpolation: Interpolation,
    /// Which rules of global guidance are used.
    pub guidance: Guidance,
    /// How many blocked obligations are asked again one level higher within one round, if there is
    /// a limit.
    pub lifts: Option<usize>,
}

/// The rules of global guidance; see [VCSG20].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guidance {
    /// Guess a cube around those of many lemmas.
    pub subsume: bool,
    /// Guess that a drifting bound does not matter.
    pub conjecture: bool,
    /// Bound variables one by one where coefficients grow.
    pub concretize: bool,
}

impl Guidance {
    /// Every rule.
    pub const ALL: Self = Self { subsume: true, conjecture: true, concretize: true };
    /// No rule.
    pub const NONE: Self = Self { subsume: false, conjecture: false, concretize: false };
}

impl Default for SpacerOptions {
    fn default() -> Self {
        let interpolation = Interpolation {
            boolean: BoolAlgorithm::Clausal,
            linear: LinearAlgorithm::Decomposed,
            certify: false,
        };
        Self { seed: 0, interpolation, guidance: Guidance::ALL, lifts: Some(100) }
    }
}

impl SpacerOptions {
    /// The searches to be made in turn: with guidance, and without. What helps one problem to an
    /// invariant is a detour for another, above all if there is a derivation.
    pub(super) fn variants(&self) -> Vec<Self> {
        if self.guidance == Guidance::NONE {
            return vec![self.clone()];
        }
        let plain = Self { guidance: Guidance::NONE, lifts: None, ..self.clone() };
        vec![plain, self.clone()]
    }
}

/// The options of users.
pub(crate) const OPTIONS: OptionGroup = OptionGroup {
    heading: "Spacer",
    options: &[
        EngineOption::new(
            OptionScope::Job,
            "spacer-off",
            "Rules of global guidance that are not used",
            OptionValue::AnyOf { called: "OFF", choices: &RULES },
        )
        .else_told("all are used"),
        EngineOption::new(
            OptionScope::Job,
            "spacer-lifts",
            "How many blocked obligations are asked again one level higher within one round",
            OptionValue::Number {
                called: "N",
                least: 0,
                most: None,
                set: |o, n| own(o).lifts = Some(n),
            },
        )
        .with_default("100"),
        EngineOption::new(
            OptionScope::Job,
            "spacer-interpolants",
            "How lemmas are interpolated",
            OptionValue::OneOf { called: "LEMMAS", choices: &INTERPOLANTS },
        )
        .with_default("decomposed")
        .citing(LINEAR_SOURCE),
    ],
};

/// The rules of global guidance, to be left out.
const RULES: [Choice; 3] = [
    Choice {
        name: "subsume",
        about: "Guess a cube around those of many lemmas",
        set: |o| own(o).guidance.subsume = false,
    },
    Choice {
        name: "conjecture",
        about: "Guess that a drifting bound does not matter",
        set: |o| own(o).guidance.conjecture = false,
    },
    Choice {
        name: "concretize",
        about: "Bound variables one by one where coefficients grow",
        set: |o| own(o).guidance.concretize = false,
    },
];

const INTERPOLANTS: [Choice; 4] = linear_choices([
    |o| own(o).interpolation.linear = LinearAlgorithm::Farkas,
    |o| own(o).interpolation.linear = LinearAlgorithm::DualFarkas,
    |o| own(o).interpolation.linear = LinearAlgorithm::Decomposed,
    |o| own(o).interpolation.linear = LinearAlgorithm::DualDecomposed,
]);

fn own(options: &mut EngineOptions) -> &mut SpacerOptions {
    options.own_mut()
}
