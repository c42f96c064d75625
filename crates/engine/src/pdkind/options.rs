//! What property-directed k-induction can be told, and how users say it.

use shofar_base::Idx;
use shofar_smt::{BoolAlgorithm, Interpolation, LinearAlgorithm};
use shofar_term::{Level, Sharing};

use crate::options::{
    Choice, EngineOption, EngineOptions, LINEAR_SOURCE, OptionGroup, OptionScope, OptionValue,
    linear_choices,
};

/// κ: how deep the induction at level `n` is; never deeper than `n + 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// As deep as possible.
    Level,
    /// At most so deep; 1 is ordinary induction.
    AtMost(usize),
}

impl Depth {
    pub(super) fn at(self, level: Level) -> usize {
        let deepest = level.next().index();
        match self {
            Depth::Level => deepest,
            Depth::AtMost(limit) => deepest.min(limit.max(1)),
        }
    }
}

/// ω: which obligation is looked at next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The one that was added last.
    Newest,
    /// The one that has waited longest.
    Oldest,
    /// One whose counterexample is closest to a bad state.
    Nearest,
}

/// How property-directed k-induction is set up.
#[derive(Clone, Debug)]
pub struct PdKindOptions {
    /// Perturbs ties in the search.
    pub seed: u64,
    /// κ.
    pub depth: Depth,
    /// ω.
    pub order: Order,
    /// σ.
    pub interpolation: Interpolation,
    /// How many instances work together, each in a thread of its own and with strategies of its
    /// own.
    pub instances: usize,
    /// What they learn from each other.
    pub sharing: Sharing,
}

impl Default for PdKindOptions {
    fn default() -> Self {
        // Clausal labelling is as good on transition systems over reals, and worse on small loops
        // over integers (lra-ts and extra-small-lia, 2026-11).
        let interpolation = Interpolation {
            boolean: BoolAlgorithm::McMillan,
            linear: LinearAlgorithm::Decomposed,
            certify: false,
        };
        Self {
            seed: 0,
            depth: Depth::Level,
            order: Order::Newest,
            interpolation,
            instances: 1,
            sharing: Sharing::default(),
        }
    }
}

/// More instances than this only take each other's time.
const MOST_INSTANCES: usize = 64;

/// The options of users.
pub(crate) const OPTIONS: OptionGroup = OptionGroup {
    heading: "Property-directed k-induction",
    options: &[
        EngineOption::new(
            OptionScope::Job,
            "instances",
            "So many instances work together, each in a thread of its own",
            OptionValue::Number {
                called: "N",
                least: 1,
                most: Some(MOST_INSTANCES),
                set: |o, n| own(o).instances = n,
            },
        )
        .with_default("1")
        .citing("Bli22"),
        EngineOption::new(
            OptionScope::Job,
            "pdkind-depth",
            "How deep an induction may be; 1 is ordinary induction",
            OptionValue::Number {
                called: "K",
                least: 1,
                most: None,
                set: |o, n| own(o).depth = Depth::AtMost(n),
            },
        )
        .else_told("one more than the level")
        .citing("Bli22"),
        EngineOption::new(
            OptionScope::Job,
            "pdkind-order",
            "Which obligation is next",
            OptionValue::OneOf { called: "ORDER", choices: &ORDERS },
        )
        .with_default("newest")
        .citing("Bli22"),
        EngineOption::new(
            OptionScope::Job,
            "pdkind-interpolants",
            "How inequalities are interpolated",
            OptionValue::OneOf { called: "INEQUALITIES", choices: &INTERPOLANTS },
        )
        .with_default("decomposed")
        .citing(LINEAR_SOURCE),
        EngineOption::new(
            OptionScope::Job,
            "pdkind-labelling",
            "How resolution steps are interpolated",
            OptionValue::OneOf { called: "LABELLING", choices: &LABELLINGS },
        )
        .with_default("mcmillan")
        .citing("DKPW10"),
    ],
};

const ORDERS: [Choice; 3] = [
    Choice {
        name: "newest",
        about: "The one that was added last",
        set: |o| own(o).order = Order::Newest,
    },
    Choice {
        name: "oldest",
        about: "The one that has waited longest",
        set: |o| own(o).order = Order::Oldest,
    },
    Choice {
        name: "nearest",
        about: "One whose counterexample is closest to a bad state",
        set: |o| own(o).order = Order::Nearest,
    },
];

const INTERPOLANTS: [Choice; 4] = linear_choices([
    |o| own(o).interpolation.linear = LinearAlgorithm::Farkas,
    |o| own(o).interpolation.linear = LinearAlgorithm::DualFarkas,
    |o| own(o).interpolation.linear = LinearAlgorithm::Decomposed,
    |o| own(o).interpolation.linear = LinearAlgorithm::DualDecomposed,
]);

const LABELLINGS: [Choice; 4] = [
    Choice {
        name: "mcmillan",
        about: "The strongest",
        set: |o| own(o).interpolation.boolean = BoolAlgorithm::McMillan,
    },
    Choice {
        name: "pudlak",
        about: "In the middle",
        set: |o| own(o).interpolation.boolean = BoolAlgorithm::Pudlak,
    },
    Choice {
        name: "mcmillan-dual",
        about: "The weakest",
        set: |o| own(o).interpolation.boolean = BoolAlgorithm::McMillanDual,
    },
    Choice {
        name: "clausal",
        about: "A disjunction of inequalities where the other side is a conjunction of literals",
        set: |o| own(o).interpolation.boolean = BoolAlgorithm::Clausal,
    },
];

fn own(options: &mut EngineOptions) -> &mut PdKindOptions {
    options.own_mut()
}
