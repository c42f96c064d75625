//! The switches of property-directed k-induction and of lazy abstraction.

use std::num::NonZeroUsize;

use clap::{Args, ValueEnum};
use shofar_engine::lawi::{Covering, LawiOptions};
use shofar_engine::pdkind::{Depth, Order, PdKindOptions, Sharing};
use shofar_smt::BoolAlgorithm;

use crate::spacer_options::Interpolants;

/// How the engine `pdkind` works.
#[derive(Debug, Args)]
pub(crate) struct PdKindArguments {
    /// So many instances work together, each in a thread of its own.
    #[arg(long, value_name = "N", value_parser = instance_count, help_heading = "Property-directed k-induction")]
    instances: Option<NonZeroUsize>,
    /// Instances tell each other nothing.
    #[arg(long, requires = "instances", help_heading = "Property-directed k-induction")]
    isolated: bool,
    /// How deep an induction may be; 1 is ordinary induction.
    #[arg(long = "pdkind-depth", value_name = "K", help_heading = "Property-directed k-induction")]
    depth: Option<NonZeroUsize>,
    /// Which obligation is next.
    #[arg(long = "pdkind-order", value_enum, help_heading = "Property-directed k-induction")]
    order: Option<Next>,
    /// How inequalities are interpolated.
    #[arg(
        long = "pdkind-interpolants",
        value_enum,
        help_heading = "Property-directed k-induction"
    )]
    inequalities: Option<Interpolants>,
    /// How resolution steps are interpolated.
    #[arg(long = "pdkind-labelling", value_enum, help_heading = "Property-directed k-induction")]
    labelling: Option<Labelling>,
}

/// More instances than this only take each other's time.
const MOST_INSTANCES: usize = 64;

fn instance_count(text: &str) -> Result<NonZeroUsize, String> {
    let count = text.parse().ok().filter(|count: &NonZeroUsize| count.get() <= MOST_INSTANCES);
    count.ok_or_else(|| format!("a number from 1 to {MOST_INSTANCES} is needed"))
}

/// How the engine `lawi` works.
#[derive(Debug, Args)]
pub(crate) struct LawiArguments {
    /// Strengthen labels so that one of the last N vertices covers a leaf; 0 waits for covers to happen.
    #[arg(
        long = "lawi-force",
        value_name = "N",
        default_value_t = 4,
        help_heading = "Lazy abstraction"
    )]
    force: usize,
}

/// The orders of obligations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Next {
    /// The one that was added last.
    Newest,
    /// The one that has waited longest.
    Oldest,
    /// One whose counterexample is closest to a bad state.
    Nearest,
}

/// The propositional interpolation algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Labelling {
    /// The strongest.
    Mcmillan,
    /// In the middle.
    Pudlak,
    /// The weakest.
    McmillanDual,
    /// A disjunction of inequalities where the other side is a conjunction of literals.
    Clausal,
}

impl PdKindArguments {
    /// The options that the switches stand for.
    pub(crate) fn options(&self) -> PdKindOptions {
        let mut options = PdKindOptions::default();
        if let Some(instances) = self.instances {
            options.instances = instances.get();
        }
        if self.isolated {
            options.sharing = Sharing::Nothing;
        }
        if let Some(depth) = self.depth {
            options.depth = Depth::AtMost(depth.get());
        }
        if let Some(order) = self.order {
            options.order = match order {
                Next::Newest => Order::Newest,
                Next::Oldest => Order::Oldest,
                Next::Nearest => Order::Nearest,
            };
        }
        if let Some(inequalities) = self.inequalities {
            options.interpolation.linear = inequalities.algorithm();
        }
        if let Some(labelling) = self.labelling {
            options.interpolation.boolean = match labelling {
                Labelling::Mcmillan => BoolAlgorithm::McMillan,
                Labelling::Pudlak => BoolAlgorithm::Pudlak,
                Labelling::McmillanDual => BoolAlgorithm::McMillanDual,
                Labelling::Clausal => BoolAlgorithm::Clausal,
            };
        }
        options
    }
}

impl LawiArguments {
    /// The options that the switches stand for.
    pub(crate) fn options(&self) -> LawiOptions {
        let covering = match self.force {
            0 => Covering::Found,
            limit => Covering::Forced(limit),
        };
        LawiOptions { covering, ..LawiOptions::default() }
    }
}
