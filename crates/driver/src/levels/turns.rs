//! Whose turn it is among levels.
//!
//! The first level works alone in its first turn, since most problems are decided there. Then as many work at a time as there are
//! threads, one turn after the other, in rounds whose turns are twice as long as before. A level that has ended makes room at once;
//! where nobody waits, turns have no end.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// No turn grows beyond this.
const LONGEST: Duration = Duration::from_secs(1 << 20);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Waiting,
    Working { since: Instant, length: Duration },
    Out,
}

/// A turn of the level at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) place: usize,
}

/// The turns to come.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    states: Vec<State>,
    lengths: Vec<Duration>,
    queue: VecDeque<usize>,
    threads: usize,
    /// Whether the first level has had its first turn.
    is_open: bool,
}

impl Turns {
    /// Turns for levels whose first ones have these lengths.
    pub(super) fn new(lengths: impl Iterator<Item = Duration>, threads: usize) -> Self {
        let lengths: Vec<Duration> = lengths.collect();
        let (states, queue) = (vec![State::Waiting; lengths.len()], (0..lengths.len()).collect());
        Self { states, lengths, queue, threads, is_open: false }
    }
    fn working(&self) -> usize {
        self.states.iter().filter(|state| matches!(state, State::Working { .. })).count()
    }
    /// The next turn, if one can begin.
    pub(super) fn next(&mut self, now: Instant) -> Option<Turn> {
        let threads = if self.is_open { self.threads } else { 1 };
        if self.working() >= threads {
            return None;
        }
        let place = self.queue.pop_front()?;
        let length = self.lengths[place];
        self.lengths[place] = length.saturating_mul(2).min(LONGEST);
        self.states[place] = State::Working { since: now, length };
        Some(Turn { place })
    }
    /// A level whose turn is over, if others wait; it has to be paused.
    pub(super) fn over(&mut self, now: Instant) -> Option<usize> {
        if self.queue.is_empty() {
            return None;
        }
        let is_over = |state: &State| match *state {
            State::Working { since, length } => now.saturating_duration_since(since) >= length,
            State::Waiting | State::Out => false,
        };
        let place = self.states.iter().position(is_over)?;
        self.is_open = true;
        self.states[place] = State::Waiting;
        self.queue.push_back(place);
        Some(place)
    }
    /// How long nothing happens by itself.
    pub(super) fn patience(&self, now: Instant) -> Duration {
        let left = |state: &State| match *state {
            State::Working { since, length } => {
                Some(length.saturating_sub(now.saturating_duration_since(since)))
            }
            State::Waiting | State::Out => None,
        };
        let left = self.states.iter().filter_map(left).min().unwrap_or_default();
        left.max(Duration::from_millis(1))
    }
    /// The level at this place has ended.
    pub(super) fn leave(&mut self, place: usize) {
        self.is_open = true;
        self.states[place] = State::Out;
        self.queue.retain(|&other| other != place);
    }
    /// A further level, which is next; its first turn has this length.
    pub(super) fn add(&mut self, length: Duration) {
        self.queue.push_front(self.states.len());
        self.states.push(State::Waiting);
        self.lengths.push(length);
    }
    /// Whether the level at this place has ended.
    pub(super) fn is_out(&self, place: usize) -> bool {
        self.states[place] == State::Out
    }
    /// Whether all levels have ended.
    pub(super) fn is_over(&self) -> bool {
        self.states.iter().all(|state| *state == State::Out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_works_alone_and_then_they_take_turns() {
        let length = Duration::from_millis(10);
        let mut turns = Turns::new(std::iter::repeat_n(length, 3), 2);
        let start = Instant::now();
        assert_eq!(turns.next(start), Some(Turn { place: 0 }));
        assert_eq!(turns.next(start), None);
        assert_eq!(turns.over(start + length / 2), None);
        let later = start + length;
        assert_eq!(turns.over(later), Some(0));
        assert_eq!(turns.next(later), Some(Turn { place: 1 }));
        assert_eq!(turns.next(later), Some(Turn { place: 2 }));
        assert_eq!(turns.next(later), None);
        turns.leave(2);
        assert_eq!(turns.next(later), Some(Turn { place: 0 }));
        // Nobody waits, so nobody is paused.
        assert_eq!(turns.over(later + 100 * length), None);
        turns.leave(0);
        turns.leave(1);
        assert!(turns.is_over());
    }

    #[test]
    fn a_level_that_ends_makes_room_at_once() {
        let length = Duration::from_secs(10);
        let mut turns = Turns::new(std::iter::repeat_n(length, 2), 1);
        let start = Instant::now();
        assert_eq!(turns.next(start), Some(Turn { place: 0 }));
        turns.leave(0);
        assert_eq!(turns.next(start), Some(Turn { place: 1 }));
        assert!(!turns.is_over());
    }

    #[test]
    fn a_level_that_comes_later_is_next() {
        let length = Duration::from_secs(10);
        let mut turns = Turns::new(std::iter::repeat_n(length, 2), 1);
        let start = Instant::now();
        assert_eq!(turns.next(start), Some(Turn { place: 0 }));
        turns.leave(0);
        turns.add(length);
        assert_eq!(turns.next(start), Some(Turn { place: 2 }));
        assert!(turns.is_out(0) && !turns.is_out(2));
    }
}
