//! What transitive relation learning can be told, and how users say it.

use crate::options::{Choice, EngineOption, EngineOptions, OptionGroup, OptionScope, OptionValue};

/// Where paths start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directions {
    /// At initial states.
    Forward,
    /// At bad states, over reversed steps.
    Backward,
    /// In turns at both.
    Both,
}

/// What relations are learned for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Transitive relation learning: any path may use them at any time.
    Relations,
    /// Accelerated bounded model checking: the next step may use them.
    Shortcuts,
    /// In turns both.
    Both,
}

/// What learned relations say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refinement {
    /// All that is known to be preserved.
    Off,
    /// As little as possible, and more when a path needs it.
    On,
}

/// How the engine is set up.
#[derive(Clone, Debug)]
pub struct TrlOptions {
    /// Perturbs ties in the search.
    pub seed: u64,
    /// Where paths start.
    pub directions: Directions,
    /// What relations are learned for.
    pub mode: Mode,
    /// What learned relations say.
    pub refinement: Refinement,
}

impl Default for TrlOptions {
    fn default() -> Self {
        Self {
            seed: 0,
            directions: Directions::Both,
            mode: Mode::Relations,
            refinement: Refinement::On,
        }
    }
}

/// The options of users.
pub(crate) const OPTIONS: OptionGroup = OptionGroup {
    heading: "Transitive relation learning",
    options: &[
        EngineOption::new(
            OptionScope::Job,
            "trl-mode",
            "What relations are learned for",
            OptionValue::OneOf { called: "MODE", choices: &MODES },
        )
        .with_default("trl")
        .citing("FG24"),
        EngineOption::new(
            OptionScope::Job,
            "trl-direction",
            "Where paths start",
            OptionValue::OneOf { called: "DIRECTION", choices: &DIRECTIONS },
        )
        .with_default("both"),
        EngineOption::new(
            OptionScope::Job,
            "trl-refine",
            "Whether learned relations say no more than was needed so far",
            OptionValue::OneOf { called: "WHEN", choices: &REFINEMENTS },
        )
        .with_default("on"),
    ],
};

const REFINEMENTS: [Choice; 2] = [
    Choice {
        name: "off",
        about: "They say all that is known to be preserved",
        set: |o| own(o).refinement = Refinement::Off,
    },
    Choice {
        name: "on",
        about: "They say more when a path needs it",
        set: |o| own(o).refinement = Refinement::On,
    },
];

const MODES: [Choice; 3] = [
    Choice {
        name: "trl",
        about: "Transitive relation learning: all later steps may use them",
        set: |o| own(o).mode = Mode::Relations,
    },
    Choice {
        name: "abmc",
        about: "Accelerated bounded model checking: the next step may use them",
        set: |o| own(o).mode = Mode::Shortcuts,
    },
    Choice { name: "both", about: "In turns both", set: |o| own(o).mode = Mode::Both },
];

const DIRECTIONS: [Choice; 3] = [
    Choice {
        name: "forward",
        about: "At initial states",
        set: |o| own(o).directions = Directions::Forward,
    },
    Choice {
        name: "backward",
        about: "At bad states, over reversed steps",
        set: |o| own(o).directions = Directions::Backward,
    },
    Choice {
        name: "both",
        about: "In turns at both",
        set: |o| own(o).directions = Directions::Both,
    },
];

fn own(options: &mut EngineOptions) -> &mut TrlOptions {
    options.own_mut()
}
