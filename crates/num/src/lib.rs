//! Exact numbers: rationals with an inline fast path, rationals with an infinitesimal part, and
//! integer helpers.
//!
//! | need | use |
//! |---|---|
//! | an exact rational or integer of any size | [`Rational`] |
//! | a value `r + k·δ` that tells `<` from `<=` | [`Delta`] |
//! | numbers modulo a power of two, by their bits | [`Bits`] |
//! | divisors and quotients of integers | [`gcd`], [`lcm`], [`extended_gcd`], [`div_exact`], [`div_euclid`], [`mod_euclid`] |
//!
//! ```
//! use shofar_num::{Rational, div_euclid, mod_euclid};
//!
//! let third = Rational::new(1, 3);
//! assert_eq!(&third + &third, "2/3".parse().unwrap());
//! assert!(third < Rational::new(1, 2));
//! let (a, b) = (Rational::from(-7), Rational::from(2));
//! assert_eq!(div_euclid(&a, &b), Some(Rational::from(-4)));
//! assert_eq!(mod_euclid(&a, &b), Some(Rational::ONE));
//! ```
//!
//! Architecture invariant: a value has exactly one representation, so equality and hashing are by
//! value, and no operation rounds or overflows.

mod big;
mod bits;
mod delta;
mod integer;
mod ops;
mod rational;
mod small;
mod text;

pub use bits::{Bits, power_of_two};
pub use delta::Delta;
pub use integer::{div_euclid, div_exact, extended_gcd, gcd, lcm, mod_euclid};
pub use rational::Rational;
pub use text::ParseRationalError;
