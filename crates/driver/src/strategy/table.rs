//! The table of the default strategy, written by `cargo xtask strategy`.

use super::Condition::AtLeast;
use super::Row;
use crate::features::Feature::{Nonlinear, Reals};

/// The rows, in the order in which they are tried; milliseconds.
pub const TABLE: &[Row] = &[
    Row { when: &[AtLeast(Nonlinear, 1)], slices: &[("spacer", 500), ("bmc", 200)] },
    Row {
        when: &[AtLeast(Reals, 1)],
        slices: &[("imc", 300), ("kind", 100), ("spacer", 100), ("pdkind", 100), ("imc", 2000)],
    },
    Row { when: &[], slices: &[("spacer", 400), ("split-tpa", 200), ("spacer", 2000)] },
];
