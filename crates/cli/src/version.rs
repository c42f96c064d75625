//! Which version of the program this is.

/// The number with the commit and its date, as in `0.1.0 (6d3c6ff8 2026-11-18)`; the number alone
/// if the program was not built in its repository.
pub(crate) const VERSION: &str = env!("SHOFAR_VERSION");
