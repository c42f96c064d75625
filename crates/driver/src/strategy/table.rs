//! The table of the default strategy, written by `cargo xtask strategy`.
//!
//! Fitted on 321 problems with a limit of 5 CPU seconds each: the row of nonlinear clauses anew
//! with `pa` on 90 of them, that of reals on 60, the last one with `trl` on 171. The slices of
//! these two were chosen from the times of each engine alone; for 90 problems `bmc`,
//! `imc` and `pdkind` were counted as unsuccessful. `pdkind` decides none of them that is not
//! decided before it, and comes behind the row.
//!
//! What engines tell each other is not in the times of each alone. So the slices of `houdini` were
//! put into the last row by runs of the whole with and without exchange, on the 35 files of
//! lia-lin, lia-nonlin, multi-phase-safe and extra-small-lia that took more than 0.6 s: more of
//! them, or longer ones before the long slice of `spacer`, cost files that `spacer` decides at the
//! end of it.
//!
//! None of these problems is nonlinear and over reals. That row was chosen from the times of
//! `spacer`, `bmc` and `pa` alone on the networks of `examples/timed`, by Owicki-Gries and by
//! rely-guarantee: `spacer` decides all of them, the slowest in 2.7 s, `pa` 26 of 32, `bmc` 14.

use super::Condition::AtLeast;
use super::Row;
use crate::features::Feature::{Nonlinear, Reals};

/// The rows, in the order in which they are tried; milliseconds.
pub const TABLE: &[Row] = &[
    // 32 problems
    Row {
        when: &[AtLeast(Nonlinear, 1), AtLeast(Reals, 1)],
        slices: &[("spacer", 4000), ("pa", 1000)],
    },
    // 65 problems
    Row { when: &[AtLeast(Nonlinear, 1)], slices: &[("spacer", 390), ("pa", 4610)] },
    // 59 problems
    Row { when: &[AtLeast(Reals, 1)], slices: &[("spacer", 400), ("imc", 4600)] },
    // 197 problems
    Row {
        when: &[],
        slices: &[
            ("spacer", 60),
            ("houdini", 40),
            ("trl", 150),
            ("bmc", 100),
            ("imc", 30),
            ("split-tpa", 180),
            ("spacer", 500),
            ("houdini", 100),
            ("spacer", 2640),
            ("houdini", 200),
            ("trl", 300),
            ("split-tpa", 400),
            ("trl", 190),
            ("houdini", 200),
        ],
    },
];
