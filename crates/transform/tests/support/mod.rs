//! Random bounded systems, a naive solver for them, and validators for its witnesses.

#![allow(dead_code, reason = "each test binary uses its own part")]

pub(crate) mod random;
pub(crate) mod sample;
pub(crate) mod saturate;
pub(crate) mod validate;
