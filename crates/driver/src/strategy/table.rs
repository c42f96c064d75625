//! The table of the default strategy, written by `cargo xtask strategy`.
//!
//! Fitted on 321 problems with a limit of 5 CPU seconds each: the row of nonlinear clauses anew with `pa` on 90 of them, that of reals
//! on 60, the last one with `trl` on 171. The slices of these two were chosen from the times of each engine alone; for 90 problems `bmc`,
//! `imc` and `pdkind` were counted as unsuccessful. By these times the last row decides 159 of 171; rows that a search finds for four fifths of
//! the problems decide 156 when tried on the last fifth, so there is nothing to be gained by fitting more closely.

use super::Condition::AtLeast;
use super::Row;
use crate::features::Feature::{Nonlinear, Reals};

/// The rows, in the order in which they are tried; milliseconds.
pub const TABLE: &[Row] = &[
    // 65 problems
    Row { when: &[AtLeast(Nonlinear, 1)], slices: &[("spacer", 390), ("pa", 4610)] },
    // 59 problems
    Row { when: &[AtLeast(Reals, 1)], slices: &[("spacer", 400), ("imc", 4600)] },
    // 197 problems
    Row {
        when: &[],
        slices: &[
            ("spacer", 60),
            ("trl", 150),
            ("bmc", 100),
            ("imc", 30),
            ("split-tpa", 180),
            ("spacer", 2480),
            ("trl", 900),
            ("split-tpa", 640),
            ("pdkind", 460),
        ],
    },
];
