//! What lazy abstraction can be told, and how users say it.

use shofar_smt::Interpolation;

use crate::options::{EngineOption, EngineOptions, OptionGroup, OptionScope, OptionValue};

/// Which leaf is unwound next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// The newest: depth first.
    Deep,
    /// The oldest: breadth first.
    Wide,
}

/// Whether covers are only noticed or also brought about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covering {
    /// When labels happen to imply each other.
    Found,
    /// Labels are strengthened in order to, before a leaf is unwound; so many earlier vertices are
    /// tried.
    Forced(usize),
}

/// How lazy abstraction is set up.
#[derive(Clone, Debug)]
pub struct LawiOptions {
    /// Perturbs ties in the search.
    pub seed: u64,
    /// Which leaf comes next.
    pub search: Search,
    /// How covers come about.
    pub covering: Covering,
    /// How labels are interpolated.
    pub interpolation: Interpolation,
}

impl Default for LawiOptions {
    fn default() -> Self {
        // Forced covers solve as many transition systems and more linear clauses (lra-ts and
        // lia-lin, 2026-11).
        let (covering, interpolation) = (Covering::Forced(4), Interpolation::weakest());
        Self { seed: 0, search: Search::Wide, covering, interpolation }
    }
}

/// The options of users.
pub(crate) const OPTIONS: OptionGroup = OptionGroup {
    heading: "Lazy abstraction",
    options: &[EngineOption::new(OptionScope::Job,
        "lawi-force",
        "Strengthen labels so that one of the last N vertices covers a leaf; 0 waits for covers to happen",
        OptionValue::Number { called: "N", least: 0, most: None, set: force },
    )
    .with_default("4")],
};

fn force(options: &mut EngineOptions, limit: usize) {
    options.own_mut::<LawiOptions>().covering = match limit {
        0 => Covering::Found,
        limit => Covering::Forced(limit),
    };
}
