//! A run folded while it is made, so that a million steps of a loop never are in memory.
//!
//! States arrive one by one, each by a step of some kind. As long as a cycle is gone through by the
//! same kinds of steps and all numbers grow by the same amounts as in the iterations before, its
//! first and last iterations and a count stand for it. Cycles that are longer or around others are
//! left as they are: [`Derivation::folded`](crate::Derivation::folded) finds them in what is
//! listed.
//!
//! Invariant: the expansion of the run is the list of the states that have arrived.

use shofar_num::Rational;
use shofar_term::eval::Value;

use super::Repeat;
use super::fold::{FEWEST, is_step};
use crate::Run;

/// Longer cycles are not looked for.
const LONGEST_CYCLE: usize = 8;

/// A run to which states are added.
#[derive(Clone, Debug)]
pub struct Arrivals {
    run: Run,
    /// How the last states were reached, as many of them as belong to no repeat; it is not known
    /// of the first one.
    kinds: Vec<usize>,
    /// The cycle that the run is in; its first and last iterations are the last states of the
    /// list.
    cycle: Option<Cycle>,
}

/// A cycle that goes on.
#[derive(Clone, Debug)]
struct Cycle {
    count: u64,
    /// The kinds of its steps.
    kinds: Vec<usize>,
    /// The states of the iteration before the last one.
    before: Vec<Vec<Value>>,
    /// The states that have arrived since the last iteration was complete.
    next: Vec<Vec<Value>>,
    /// How many these are.
    arrived: usize,
}

impl Arrivals {
    /// A run that starts in this state.
    pub fn new(start: Vec<Value>) -> Self {
        Self { run: Run::ground(vec![start]), kinds: Vec::new(), cycle: None }
    }
    /// Adds a state that was reached by a step of this kind.
    pub fn push(&mut self, kind: usize, state: &[Value]) {
        if let Some(cycle) = &mut self.cycle {
            if cycle.goes_on(&mut self.run.states, kind, state) {
                return;
            }
            self.end_cycle();
        }
        self.run.states.push(state.to_vec());
        self.kinds.push(kind);
        self.begin_cycle();
    }
    /// The run.
    pub fn finish(mut self) -> Run {
        self.end_cycle();
        self.run
    }
    /// Begins a cycle if the last states are some iterations of it.
    fn begin_cycle(&mut self) {
        let longest = LONGEST_CYCLE.min(self.kinds.len() / FEWEST);
        let Some(length) = (1..=longest).find(|&length| self.is_cycle(length)) else { return };
        let states = &mut self.run.states;
        let end = states.len();
        let before = states.drain(end - 2 * length..end - length).collect();
        self.cycle = Some(Cycle {
            count: 3,
            kinds: self.kinds[self.kinds.len() - length..].to_vec(),
            before,
            next: states[states.len() - length..].to_vec(),
            arrived: 0,
        });
        self.kinds.clear();
    }
    /// Whether the last states are three iterations of so many steps.
    fn is_cycle(&self, length: usize) -> bool {
        let kinds = &self.kinds[self.kinds.len() - FEWEST * length..];
        let states = &self.run.states[self.run.states.len() - FEWEST * length..];
        (0..length).rev().all(|i| {
            let places = [i, i + length, i + 2 * length];
            let [a, b, c] = places.map(|at| kinds[at]);
            let [earlier, old, new] = places.map(|at| states[at].as_slice());
            a == b && b == c && goes_on(earlier, old, new)
        })
    }
    /// The cycle is over; the states of an iteration that was not completed are listed.
    fn end_cycle(&mut self) {
        let Some(mut cycle) = self.cycle.take() else { return };
        let length = cycle.kinds.len();
        let (start, count) = (self.run.states.len() - 2 * length, Rational::from(cycle.count));
        self.run.repeats.push(Repeat { start, length, count });
        self.run.states.extend(cycle.next.drain(..cycle.arrived));
        self.kinds.extend_from_slice(&cycle.kinds[..cycle.arrived]);
    }
}

impl Cycle {
    /// Takes in a state if it is the next one of the cycle, whose last iteration is at the end of
    /// `states`.
    fn goes_on(&mut self, states: &mut [Vec<Value>], kind: usize, state: &[Value]) -> bool {
        let (length, at) = (self.kinds.len(), self.arrived);
        let last = states.len() - length;
        if self.kinds[at] != kind || !goes_on(&self.before[at], &states[last + at], state) {
            return false;
        }
        self.next[at].clone_from_slice(state);
        self.arrived += 1;
        if self.arrived == length {
            self.before.swap_with_slice(&mut states[last..]);
            self.next.swap_with_slice(&mut states[last..]);
            self.arrived = 0;
            self.count += 1;
        }
        true
    }
}

/// Whether the numbers of the third state are as far from those of the second as these are from
/// those of the first, and all other values are the same.
fn goes_on(earlier: &[Value], old: &[Value], new: &[Value]) -> bool {
    earlier.iter().zip(old).zip(new).all(|values| match values {
        ((Value::Number(a), Value::Number(b)), Value::Number(c)) => is_step(a, b, c),
        ((a, b), c) => a == b && b == c,
    })
}

#[cfg(test)]
mod tests {
    use shofar_base::Rng;

    use super::*;

    fn state(values: &[i64]) -> Vec<Value> {
        values.iter().map(|&n| Value::Number(Rational::from(n))).collect()
    }

    /// All states of a run whose repeats are not nested.
    fn expanded(run: &Run) -> Vec<Vec<Value>> {
        let (mut states, mut at) = (Vec::new(), 0);
        for repeat in &run.repeats {
            states.extend_from_slice(&run.states[at..repeat.start]);
            let mut k = Rational::ZERO;
            while k < repeat.count {
                for (first, last) in repeat.first().zip(repeat.last()) {
                    let ends = run.states[first].iter().zip(&run.states[last]);
                    let values = ends.map(|(a, b)| crate::interpolate(a, b, &k, &repeat.count));
                    states.push(values.collect::<Option<_>>().expect("it is affine"));
                }
                k += &Rational::from(1);
            }
            at = repeat.end();
        }
        states.extend_from_slice(&run.states[at..]);
        states
    }

    #[test]
    fn two_phases_are_two_repeats() {
        let mut arrivals = Arrivals::new(state(&[0, 5]));
        for x in 1..=1000 {
            arrivals.push(0, &state(&[x, 5]));
        }
        for x in 0..1000 {
            arrivals.push(1, &state(&[1000 - 2 * x, 5]));
        }
        let run = arrivals.finish();
        assert_eq!(run.states.len(), 5);
        assert_eq!(run.repeats.iter().map(|r| r.start).collect::<Vec<_>>(), [1, 3]);
        assert!(run.repeats.iter().all(|repeat| repeat.count == Rational::from(1000)));
    }

    #[test]
    fn a_cycle_of_two_steps_is_listed_twice() {
        let mut arrivals = Arrivals::new(state(&[0, 0]));
        for x in 1..=1001 {
            arrivals.push(usize::from(x % 2 == 0), &state(&[x, x / 2]));
        }
        let run = arrivals.finish();
        assert_eq!((run.states.len(), run.repeats.len()), (6, 1));
        assert_eq!(run.repeats[0], Repeat { start: 1, length: 2, count: Rational::from(500) });
        assert_eq!(expanded(&run).len(), 1002);
    }

    #[test]
    fn the_expansion_is_what_arrived() {
        let mut rng = Rng::new(7);
        for _ in 0..2_000 {
            let (mut x, mut y) = (0, 0);
            let mut arrivals = Arrivals::new(state(&[x, y]));
            let mut all = vec![state(&[x, y])];
            for _ in 0..rng.below(6) {
                let cycle: Vec<[usize; 3]> =
                    (0..=rng.below(4)).map(|_| [2, 2, 2].map(|bound| rng.below(bound))).collect();
                for &[kind, dx, dy] in cycle.iter().cycle().take(rng.below(25)) {
                    x += i64::try_from(dx).expect("it is small");
                    y += i64::try_from(dy).expect("it is small");
                    arrivals.push(kind, &state(&[x, y]));
                    all.push(state(&[x, y]));
                }
            }
            let run = arrivals.finish();
            assert_eq!(expanded(&run), all);
            assert!(run.states.len() <= all.len());
        }
    }
}
