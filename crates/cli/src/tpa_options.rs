//! The switches of transition power abstraction.

use clap::Args;
use shofar_engine::tpa::{Direction, Elimination, Order, TpaOptions};

use crate::spacer_options::Interpolants;

/// How the engines `tpa` and `split-tpa` work.
#[derive(Debug, Args)]
pub(crate) struct TpaArguments {
    /// Compute all states in the middle of a path by quantifier elimination, not only those that a model shows.
    #[arg(long = "tpa-qe", help_heading = "Transition power abstraction")]
    qe: bool,
    /// Take few steps apart with the larger power first.
    #[arg(long = "tpa-power-first", help_heading = "Transition power abstraction")]
    power_first: bool,
    /// Build paths from the bad states.
    #[arg(long = "tpa-backward", help_heading = "Transition power abstraction")]
    backward: bool,
    /// How refinements are interpolated.
    #[arg(
        long = "tpa-interpolants",
        value_enum,
        default_value = "decomposed",
        help_heading = "Transition power abstraction"
    )]
    interpolants: Interpolants,
}

impl TpaArguments {
    /// The options that the switches stand for.
    pub(crate) fn options(&self) -> TpaOptions {
        let elimination = if self.qe { Elimination::Full } else { Elimination::Projection };
        let order = if self.power_first { Order::PowerFirst } else { Order::FewFirst };
        let direction = if self.backward { Direction::Backward } else { Direction::Forward };
        let linear = self.interpolants.algorithm();
        TpaOptions { elimination, order, direction, linear, ..TpaOptions::default() }
    }
}
