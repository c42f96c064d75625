//! The clock by which limits are told.
//!
//! It is the one of the standard library where there is one. WebAssembly without an operating
//! system has none, so whoever embeds the library there hands one in ([`set_clock`]); before that,
//! time stands still, and limits on time have no effect.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use handed_in::{Instant, set_clock};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod handed_in {
    use std::ops::{Add, Sub};
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Hands in the clock: the time since a moment of its choice, which never runs backwards. Says
    /// whether it is the first one, which stays.
    pub fn set_clock(clock: fn() -> Duration) -> bool {
        CLOCK.set(clock).is_ok()
    }

    /// A moment on the clock, with the methods of [`std::time::Instant`] that are used here.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Instant(Duration);

    impl Instant {
        /// The present moment.
        pub fn now() -> Self {
            Self(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
        }
        /// The time since then.
        pub fn elapsed(&self) -> Duration {
            Self::now().saturating_duration_since(*self)
        }
        /// The time from another moment to this one; nothing if the other one is later.
        pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
        /// The moment that much later, if there is one.
        pub fn checked_add(&self, time: Duration) -> Option<Self> {
            self.0.checked_add(time).map(Self)
        }
        /// The moment that much earlier, if there is one.
        pub fn checked_sub(&self, time: Duration) -> Option<Self> {
            self.0.checked_sub(time).map(Self)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;
        fn add(self, time: Duration) -> Self {
            self.checked_add(time).expect("deadlines are within reach")
        }
    }

    impl Sub for Instant {
        type Output = Duration;
        fn sub(self, earlier: Self) -> Duration {
            self.saturating_duration_since(earlier)
        }
    }
}
