//! What the tests of engines share: systems from texts, and validation of witnesses that knows
//! nothing of engines.

#![allow(dead_code, reason = "each test binary uses what it needs")]

pub(crate) mod exchange;
pub(crate) mod read;
pub(crate) mod validate;
