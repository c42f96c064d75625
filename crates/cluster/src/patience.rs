//! Trying again: a hub that is restarted, or out of reach, comes back.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::hub::{HubError, Trouble};

/// How long the first pause is, and how long the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(2));
/// How often somebody looks whether to stop.
const LOOK: Duration = Duration::from_millis(20);

/// Tries again until it works, or until somebody says stop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience<'a> {
    stop: &'a AtomicBool,
    /// Whether it lasts until somebody makes room on the hub.
    waits_for_room: bool,
}

impl<'a> Patience<'a> {
    /// Patience until `stop` is set.
    pub(crate) fn until(stop: &'a AtomicBool) -> Self {
        Self { stop, waits_for_room: true }
    }
    /// Patience that ends where the hub has no room.
    pub(crate) fn unless_full(self) -> Self {
        Self { waits_for_room: false, ..self }
    }
    fn is_in_vain(self, trouble: Trouble) -> bool {
        match trouble {
            Trouble::Passing => false,
            Trouble::Full => !self.waits_for_room,
            Trouble::Final => true,
        }
    }
    /// Whether it is over.
    pub(crate) fn is_over(self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }
    /// Does something that the hub may be unable to do at present. The error is the last one: it is
    /// final, or patience is over.
    pub(crate) fn with<T>(
        self,
        mut act: impl FnMut() -> Result<T, HubError>,
    ) -> Result<T, HubError> {
        let (mut pause, longest) = PAUSES;
        loop {
            match act() {
                Ok(done) => return Ok(done),
                Err(error) if self.is_in_vain(error.trouble) || self.is_over() => {
                    return Err(error);
                }
                Err(error) => tracing::warn!("hub: {error}; trying again"),
            }
            self.wait(pause);
            pause = (pause * 2).min(longest);
        }
    }
    /// Waits, unless patience is over.
    pub(crate) fn wait(self, time: Duration) {
        let mut left = time;
        while !left.is_zero() && !self.is_over() {
            let piece = left.min(LOOK);
            std::thread::sleep(piece);
            left -= piece;
        }
    }
}

/// Sets a flag when it goes, by whatever way.
pub(crate) struct SetAtEnd<'f>(pub(crate) &'f AtomicBool);

impl Drop for SetAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_is_tried_again_unless_it_is_in_vain() {
        let go_on = AtomicBool::new(false);
        let patience = Patience::until(&go_on);
        let mut tries = 0;
        let done = patience.with(|| {
            tries += 1;
            if tries < 3 { Err(HubError::passing("away")) } else { Ok(tries) }
        });
        assert_eq!(done, Ok(3));
        let refused = patience.with(|| Err::<(), _>(HubError::refused("never")));
        assert_eq!(refused, Err(HubError::refused("never")));
        let full = patience.unless_full().with(|| Err::<(), _>(HubError::full("")));
        assert!(full.is_err());
        let over = AtomicBool::new(true);
        let given_up = Patience::until(&over).with(|| Err::<(), _>(HubError::passing("away")));
        assert_eq!(given_up, Err(HubError::passing("away")));
    }
}
