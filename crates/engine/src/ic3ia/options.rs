//! What IC3 with implicit abstraction can be told, and how users say it.

use shofar_smt::{Interpolation, LinearAlgorithm};

use crate::options::{
    Choice, EngineOption, EngineOptions, OptionGroup, OptionValue, linear_choices,
};

/// Which predicates there are from the beginning, besides those of initial and bad states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signals {
    /// None.
    Off,
    /// The conditions of the step that are about the present state: its internal signals.
    Conditions,
}

/// How the engine is set up.
#[derive(Clone, Debug)]
pub struct Ic3iaOptions {
    /// Perturbs ties in the search.
    pub seed: u64,
    /// How abstract counterexamples are interpolated.
    pub interpolation: Interpolation,
    /// Which predicates there are from the beginning.
    pub signals: Signals,
    /// How many counterexamples to generalisation may be excluded in a row.
    pub ctgs: usize,
    /// How deep counterexamples to generalisation may be nested.
    pub ctg_depth: usize,
    /// After how many literals in a row that cannot be left out generalisation stops.
    pub attempts: usize,
}

impl Default for Ic3iaOptions {
    fn default() -> Self {
        Self {
            seed: 0,
            interpolation: Interpolation::default(),
            signals: Signals::Off,
            ctgs: 3,
            ctg_depth: 1,
            attempts: usize::MAX,
        }
    }
}

/// The options of users.
pub(crate) const OPTIONS: OptionGroup = OptionGroup {
    heading: "IC3 with implicit abstraction",
    options: &[
        EngineOption::new(
            "ic3ia-signals",
            "The conditions of steps are predicates from the beginning",
            OptionValue::Flag(|o| own(o).signals = Signals::Conditions),
        ),
        EngineOption::new(
            "ic3ia-ctgs",
            "How many counterexamples to generalisation may be excluded in a row",
            OptionValue::Number {
                called: "N",
                least: 0,
                most: usize::MAX,
                set: |o, n| own(o).ctgs = n,
            },
        ),
        EngineOption::new(
            "ic3ia-ctg-depth",
            "How deep counterexamples to generalisation may be nested",
            OptionValue::Number {
                called: "N",
                least: 0,
                most: usize::MAX,
                set: |o, n| own(o).ctg_depth = n,
            },
        ),
        EngineOption::new(
            "ic3ia-attempts",
            "After how many literals in a row that cannot be left out generalisation stops",
            OptionValue::Number {
                called: "N",
                least: 1,
                most: usize::MAX,
                set: |o, n| own(o).attempts = n,
            },
        ),
        EngineOption::new(
            "ic3ia-interpolants",
            "How inequalities are interpolated",
            OptionValue::OneOf { called: "INEQUALITIES", choices: &INTERPOLANTS },
        ),
    ],
};

const INTERPOLANTS: [Choice; 4] = linear_choices([
    |o| own(o).interpolation.linear = LinearAlgorithm::Farkas,
    |o| own(o).interpolation.linear = LinearAlgorithm::DualFarkas,
    |o| own(o).interpolation.linear = LinearAlgorithm::Decomposed,
    |o| own(o).interpolation.linear = LinearAlgorithm::DualDecomposed,
]);

fn own(options: &mut EngineOptions) -> &mut Ic3iaOptions {
    options.own_mut()
}
