//! What predicate abstraction can be told, and how users say it.

use shofar_smt::Interpolation;

use crate::options::{Choice, EngineOption, EngineOptions, OptionGroup, OptionScope, OptionValue};

/// Which counterexamples a refinement excludes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refinement {
    /// One of minimal depth (TI).
    Tree,
    /// All of minimal depth at once (DI).
    Disjunctive,
}

/// How many nodes a relation symbol may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// As many as there are sets of predicates: a disjunction of conjunctions.
    Graph,
    /// One: a conjunction.
    Global,
}

/// Which clause is looked at next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// That of the shallowest nodes.
    Breadth,
    /// That of the newest nodes.
    Depth,
    /// That of the nodes with the fewest predicates.
    General,
}

/// What becomes a predicate of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// An interpolant as it is.
    Whole,
    /// Its conjuncts.
    Conjuncts,
    /// Its conjuncts and their literals.
    Atoms,
}

/// Which templates guide interpolation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Templates {
    /// Forms that no step changes, and what is kept of a form in a ring of residues.
    pub relational: bool,
    /// Forms that clauses compare, from above and from below.
    pub terms: bool,
    /// Sums and differences of two arguments, from above and from below.
    pub octagons: bool,
}

impl Templates {
    /// None.
    pub const OFF: Self = Self { relational: false, terms: false, octagons: false };
    /// All of them.
    pub const ALL: Self = Self { relational: true, terms: true, octagons: true };
    /// Whether there are any.
    pub(super) fn is_on(self) -> bool {
        self != Self::OFF
    }
}

/// Which predicates there are to begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    /// None.
    None,
    /// Bounds on templates that a single clause ensures.
    Bounds,
}

/// How strong interpolants are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// As strong as the refutation allows.
    Strong,
    /// As weak as the refutation allows.
    Weak,
    /// Strong and weak ones in turn.
    Alternate,
}

impl Strength {
    /// How the refinement with this number interpolates.
    pub(super) fn interpolation(self, refinement: u64) -> Interpolation {
        let is_strong = match self {
            Strength::Strong => true,
            Strength::Weak => false,
            Strength::Alternate => refinement.is_multiple_of(2),
        };
        if is_strong { Interpolation::default() } else { Interpolation::weakest() }
    }
}

/// Which loops are replaced by their closures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceleration {
    /// None.
    None,
    /// All that have one, by further clauses, before the search.
    Static,
    /// Those that counterexamples repeat, when these are refined.
    Dynamic,
}

/// How predicate abstraction is set up.
#[derive(Clone, Debug)]
pub struct PaOptions {
    /// Perturbs ties in the search.
    pub seed: u64,
    /// Which counterexamples a refinement excludes.
    pub refinement: Refinement,
    /// Which clause is looked at next.
    pub order: Order,
    /// What becomes a predicate of its own.
    pub split: Split,
    /// Which templates guide interpolation.
    pub templates: Templates,
    /// How many nodes a symbol may have.
    pub variant: Variant,
    /// How strong interpolants are.
    pub strength: Strength,
    /// Which predicates there are to begin with.
    pub initial: Initial,
    /// After how many refinements a predicate is forgotten that no node has; nothing keeps all.
    pub patience: Option<u64>,
    /// Which loops are accelerated.
    pub acceleration: Acceleration,
    /// A cycle that follows so many copies of itself is a loop.
    pub delay: usize,
}

impl Default for PaOptions {
    fn default() -> Self {
        Self {
            seed: 0,
            refinement: Refinement::Tree,
            order: Order::Breadth,
            split: Split::Conjuncts,
            templates: Templates::ALL,
            variant: Variant::Graph,
            strength: Strength::Alternate,
            initial: Initial::Bounds,
            patience: Some(16),
            acceleration: Acceleration::None,
            delay: 1,
        }
    }
}

/// The options of users.
pub(crate) const OPTIONS: OptionGroup = OptionGroup {
    heading: "Predicate abstraction",
    options: &[
        EngineOption::new(OptionScope::Job,
            "pa-refine",
            "Which counterexamples a refinement excludes",
            OptionValue::OneOf { called: "STRATEGY", choices: &REFINEMENTS },
        )
        .with_default("ti"),
        EngineOption::new(OptionScope::Job,
            "pa-global",
            "Keep one conjunction of predicates for each symbol",
            OptionValue::Flag(|o| own(o).variant = Variant::Global),
        ),
        EngineOption::new(OptionScope::Job,
            "pa-abstraction",
            "Which templates guide interpolation",
            OptionValue::OneOf { called: "TEMPLATES", choices: &TEMPLATES },
        )
        .with_default("all")
        .citing("LRS16"),
        EngineOption::new(
            OptionScope::Job,
            "pa-split",
            "What of an interpolant becomes a predicate of its own",
            OptionValue::OneOf { called: "PARTS", choices: &SPLITS },
        )
        .with_default("conjuncts"),
        EngineOption::new(OptionScope::Job,
            "pa-interpolants",
            "How strong interpolants are",
            OptionValue::OneOf { called: "STRENGTH", choices: &STRENGTHS },
        )
        .with_default("alternate"),
        EngineOption::new(OptionScope::Job,
            "pa-initial",
            "Which predicates there are to begin with",
            OptionValue::OneOf { called: "PREDICATES", choices: &INITIAL },
        )
        .with_default("bounds")
        .citing("FL01"),
        EngineOption::new(
            OptionScope::Job,
            "pa-forget",
            "After how many refinements a predicate is forgotten that no node has; 0 keeps all",
            OptionValue::Number {
                called: "N",
                least: 0,
                most: None,
                set: |o, n| own(o).patience = (n > 0).then_some(n as u64),
            },
        )
        .with_default("16"),
        EngineOption::new(OptionScope::Job,
            "pa-order",
            "Which clause is looked at next",
            OptionValue::OneOf { called: "ORDER", choices: &ORDERS },
        )
        .with_default("bfs"),
        EngineOption::new(OptionScope::Job,
            "pa-accelerate",
            "Which loops are replaced by their closures",
            OptionValue::OneOf { called: "LOOPS", choices: &ACCELERATIONS },
        )
        .with_default("none")
        .citing("HIKKR12"),
        EngineOption::new(
            OptionScope::Job,
            "pa-delay",
            "With `--pa-accelerate dynamic`, a cycle that follows so many copies of itself is a loop",
            OptionValue::Number {
                called: "N",
                least: 0,
                most: Some(1_000_000),
                set: |o, delay| own(o).delay = delay,
            },
        )
        .with_default("1")
        .citing("HIKKR12"),
    ],
};

const ACCELERATIONS: [Choice; 3] = [
    Choice { name: "none", about: "None", set: |o| own(o).acceleration = Acceleration::None },
    Choice {
        name: "static",
        about: "All that have one, before the search",
        set: |o| own(o).acceleration = Acceleration::Static,
    },
    Choice {
        name: "dynamic",
        about: "Those that a counterexample repeats",
        set: |o| own(o).acceleration = Acceleration::Dynamic,
    },
];

const REFINEMENTS: [Choice; 2] = [
    Choice {
        name: "ti",
        about: "One of minimal depth, by tree interpolants",
        set: |o| own(o).refinement = Refinement::Tree,
    },
    Choice {
        name: "di",
        about: "All of minimal depth, by disjunctive interpolants",
        set: |o| own(o).refinement = Refinement::Disjunctive,
    },
];

const TEMPLATES: [Choice; 5] = [
    Choice { name: "off", about: "None", set: |o| own(o).templates = Templates::OFF },
    Choice {
        name: "relational",
        about: "Forms that no step changes, and residues",
        set: |o| own(o).templates = Templates { relational: true, ..Templates::OFF },
    },
    Choice {
        name: "terms",
        about: "Those, and forms that clauses compare",
        set: |o| own(o).templates = Templates { octagons: false, ..Templates::ALL },
    },
    Choice {
        name: "octagons",
        about: "Sums and differences of two arguments",
        set: |o| own(o).templates = Templates { octagons: true, ..Templates::OFF },
    },
    Choice { name: "all", about: "All of these", set: |o| own(o).templates = Templates::ALL },
];

const SPLITS: [Choice; 3] = [
    Choice { name: "whole", about: "All of it", set: |o| own(o).split = Split::Whole },
    Choice { name: "conjuncts", about: "Each conjunct", set: |o| own(o).split = Split::Conjuncts },
    Choice {
        name: "atoms",
        about: "Each conjunct and its literals",
        set: |o| own(o).split = Split::Atoms,
    },
];

const STRENGTHS: [Choice; 3] = [
    Choice {
        name: "strong",
        about: "As strong as the refutation allows",
        set: |o| own(o).strength = Strength::Strong,
    },
    Choice {
        name: "weak",
        about: "As weak as the refutation allows",
        set: |o| own(o).strength = Strength::Weak,
    },
    Choice {
        name: "alternate",
        about: "Strong and weak ones in turn",
        set: |o| own(o).strength = Strength::Alternate,
    },
];

const INITIAL: [Choice; 2] = [
    Choice { name: "none", about: "None", set: |o| own(o).initial = Initial::None },
    Choice {
        name: "bounds",
        about: "Bounds that a single clause ensures",
        set: |o| own(o).initial = Initial::Bounds,
    },
];

const ORDERS: [Choice; 3] = [
    Choice {
        name: "bfs",
        about: "That of the shallowest nodes",
        set: |o| own(o).order = Order::Breadth,
    },
    Choice { name: "dfs", about: "That of the newest nodes", set: |o| own(o).order = Order::Depth },
    Choice {
        name: "general",
        about: "That of the nodes with the fewest predicates",
        set: |o| own(o).order = Order::General,
    },
];

fn own(options: &mut EngineOptions) -> &mut PaOptions {
    options.own_mut()
}
