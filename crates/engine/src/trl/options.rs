//! What transitive relation learning can be told, and how users say it.

use crate::options::{Choice, EngineOption, EngineOptions, OptionGroup, OptionValue};

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

/// How the engine is set up.
#[derive(Clone, Debug)]
pub struct TrlOptions {
    /// Perturbs ties in the search.
    pub seed: u64,
    /// Where paths start.
    pub directions: Directions,
}

impl Default for TrlOptions {
    fn default() -> Self {
        Self { seed: 0, directions: Directions::Both }
    }
}

/// The options of users.
pub(crate) const OPTIONS: OptionGroup = OptionGroup {
    heading: "Transitive relation learning",
    options: &[EngineOption::new(
        "trl-direction",
        "Where paths start",
        OptionValue::OneOf { called: "DIRECTION", choices: &DIRECTIONS },
    )
    .with_default("both")],
};

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
