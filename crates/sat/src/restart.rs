//! When to restart.
//!
//! Two regimes take turns, each for a growing number of conflicts. In the *focused* one a restart
//! comes when the clauses learnt lately are worse (have a larger LBD) than those of the long run,
//! by exponential moving averages. In the *stable* one restarts follow the Luby sequence, which
//! leaves the search alone long enough to complete a model.
//!
//! Source: [AS12] (restarts by LBD), [BF19] (moving averages in their place), [LSZ93] (the
//! sequence), [Bie19] (taking turns).

const FAST: f64 = 1.0 / 32.0;
const SLOW: f64 = 1.0 / 8192.0;
const MARGIN: f64 = 1.1;
const FOCUSED_INTERVAL: u64 = 4;
const LUBY_UNIT: u64 = 256;
const FIRST_TURN: u64 = 10_000;

/// An exponential moving average that starts as the plain mean.
#[derive(Debug)]
struct Average {
    value: f64,
    weight: f64,
    final_weight: f64,
}

impl Average {
    fn new(final_weight: f64) -> Self {
        Self { value: 0.0, weight: 1.0, final_weight }
    }
    fn add(&mut self, sample: f64) {
        self.value += self.weight * (sample - self.value);
        self.weight = (self.weight / (1.0 + self.weight)).max(self.final_weight);
    }
}

/// Reluctant doubling: yields the Luby sequence 1, 1, 2, 1, 1, 2, 4, …
#[derive(Debug)]
struct Luby {
    u: u64,
    v: u64,
}

impl Luby {
    fn advance(&mut self) -> u64 {
        let value = self.v;
        if self.u & self.u.wrapping_neg() == self.v {
            self.u += 1;
            self.v = 1;
        } else {
            self.v *= 2;
        }
        value
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Regime {
    Focused,
    Stable,
}

/// Decides when to restart.
#[derive(Debug)]
pub(crate) struct Restarts {
    fast: Average,
    slow: Average,
    luby: Luby,
    regime: Regime,
    /// Conflicts since the last restart, and how many there must be in the stable regime.
    since: u64,
    interval: u64,
    /// Conflicts left in this turn, and the length of a turn.
    left: u64,
    turn: u64,
}

impl Restarts {
    /// Starts in the focused regime.
    pub(crate) fn new() -> Self {
        Self {
            fast: Average::new(FAST),
            slow: Average::new(SLOW),
            luby: Luby { u: 1, v: 1 },
            regime: Regime::Focused,
            since: 0,
            interval: LUBY_UNIT,
            left: FIRST_TURN,
            turn: FIRST_TURN,
        }
    }
    /// Notes that a clause with this LBD was learnt.
    pub(crate) fn learnt(&mut self, lbd: u32) {
        self.fast.add(f64::from(lbd));
        self.slow.add(f64::from(lbd));
        self.since += 1;
        self.left -= 1;
        if self.left == 0 {
            self.turn += self.turn / 2;
            self.left = self.turn;
            self.regime = match self.regime {
                Regime::Focused => Regime::Stable,
                Regime::Stable => Regime::Focused,
            };
            self.interval = LUBY_UNIT;
            self.luby = Luby { u: 1, v: 1 };
        }
    }
    /// Whether it is time to restart.
    #[inline]
    pub(crate) fn is_due(&self) -> bool {
        match self.regime {
            Regime::Focused => {
                self.since >= FOCUSED_INTERVAL && self.fast.value > MARGIN * self.slow.value
            }
            Regime::Stable => self.since >= self.interval,
        }
    }
    /// Notes that a restart (or a new search) begins.
    pub(crate) fn begin(&mut self) {
        self.since = 0;
        if self.regime == Regime::Stable {
            self.interval = LUBY_UNIT * self.luby.advance();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reluctant_doubling_is_the_luby_sequence() {
        let mut luby = Luby { u: 1, v: 1 };
        let sequence: Vec<u64> = (0..15).map(|_| luby.advance()).collect();
        assert_eq!(sequence, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    #[test]
    fn worse_clauses_bring_a_restart() {
        let mut restarts = Restarts::new();
        (0..100).for_each(|_| restarts.learnt(3));
        assert!(!restarts.is_due());
        (0..20).for_each(|_| restarts.learnt(30));
        assert!(restarts.is_due());
        restarts.begin();
        assert!(!restarts.is_due());
    }
}
