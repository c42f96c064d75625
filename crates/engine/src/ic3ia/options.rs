//! What IC3 with implicit abstraction can be told, and how users say it.

use shofar_smt::{Interpolation, LinearAlgorithm};
use shofar_term::Term;

use crate::options::{
    Choice, EngineOption, EngineOptions, LINEAR_SOURCE, OptionGroup, OptionScope, OptionValue,
    linear_choices,
};

/// Which predicates there are from the beginning, besides the Boolean state variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signals {
    /// What bad states are about.
    Bad,
    /// What initial and bad states are about.
    Ends,
    /// Also the conditions of the step that are about the present state: its internal signals.
    Conditions,
}

/// Which atoms of interpolants become predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adopted {
    /// Those that are needed to exclude the abstract counterexample.
    Needed,
    /// All.
    All,
}

/// How the engine is set up.
#[derive(Clone, Debug)]
pub struct Ic3iaOptions {
    /// Perturbs ties in the search.
    pub seed: u64,
    /// Formulas whose atoms are predicates from the beginning.
    pub hints: Vec<Term>,
    /// How abstract counterexamples are interpolated.
    pub interpolation: Interpolation,
    /// Which predicates there are from the beginning.
    pub signals: Signals,
    /// Which atoms of interpolants become predicates.
    pub adopted: Adopted,
    /// How many counterexamples to generalisation may be excluded in a row.
    pub ctgs: usize,
    /// How deep counterexamples to generalisation may be nested.
    pub ctg_depth: usize,
    /// After how many literals in a row that cannot be left out generalisation stops, if it does.
    pub attempts: Option<usize>,
}

impl Default for Ic3iaOptions {
    fn default() -> Self {
        Self {
            seed: 0,
            hints: Vec::new(),
            interpolation: Interpolation::default(),
            signals: Signals::Ends,
            adopted: Adopted::Needed,
            ctgs: 3,
            ctg_depth: 0,
            attempts: None,
        }
    }
}

/// The options of users.
pub(crate) const OPTIONS: OptionGroup = OptionGroup {
    heading: "IC3 with implicit abstraction",
    options: &[
        EngineOption::new(
            OptionScope::Job,
            "ic3ia-signals",
            "Which predicates there are from the beginning, besides Boolean variables",
            OptionValue::OneOf { called: "SIGNALS", choices: &SIGNALS },
        )
        .with_default("ends"),
        EngineOption::new(
            OptionScope::Job,
            "ic3ia-adopt-all",
            "All atoms of interpolants become predicates, not only those that are needed",
            OptionValue::Flag(|o| own(o).adopted = Adopted::All),
        ),
        EngineOption::new(
            OptionScope::Job,
            "ic3ia-ctgs",
            "How many counterexamples to generalisation may be excluded in a row",
            OptionValue::Number { called: "N", least: 0, most: None, set: |o, n| own(o).ctgs = n },
        )
        .with_default("3")
        .citing("HBS13"),
        EngineOption::new(
            OptionScope::Job,
            "ic3ia-ctg-depth",
            "How deep counterexamples to generalisation may be nested",
            OptionValue::Number {
                called: "N",
                least: 0,
                most: None,
                set: |o, n| own(o).ctg_depth = n,
            },
        )
        .with_default("0")
        .citing("HBS13"),
        EngineOption::new(
            OptionScope::Job,
            "ic3ia-attempts",
            "After how many literals in a row that cannot be left out generalisation stops",
            OptionValue::Number {
                called: "N",
                least: 1,
                most: None,
                set: |o, n| own(o).attempts = Some(n),
            },
        )
        .else_told("it does not stop")
        .citing("Bra11"),
        EngineOption::new(
            OptionScope::Job,
            "ic3ia-interpolants",
            "How inequalities are interpolated",
            OptionValue::OneOf { called: "INEQUALITIES", choices: &INTERPOLANTS },
        )
        .with_default("decomposed")
        .citing(LINEAR_SOURCE),
    ],
};

const SIGNALS: [Choice; 3] = [
    Choice {
        name: "bad",
        about: "What bad states are about",
        set: |o| own(o).signals = Signals::Bad,
    },
    Choice {
        name: "ends",
        about: "What initial and bad states are about",
        set: |o| own(o).signals = Signals::Ends,
    },
    Choice {
        name: "conditions",
        about: "Also the conditions of steps",
        set: |o| own(o).signals = Signals::Conditions,
    },
];

const INTERPOLANTS: [Choice; 4] = linear_choices([
    |o| own(o).interpolation.linear = LinearAlgorithm::Farkas,
    |o| own(o).interpolation.linear = LinearAlgorithm::DualFarkas,
    |o| own(o).interpolation.linear = LinearAlgorithm::Decomposed,
    |o| own(o).interpolation.linear = LinearAlgorithm::DualDecomposed,
]);

fn own(options: &mut EngineOptions) -> &mut Ic3iaOptions {
    options.own_mut()
}
