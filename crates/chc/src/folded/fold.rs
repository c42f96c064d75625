//! Ground refutations folded: runs through the same cycle of clauses with constant increments
//! become repeats.
//!
//! A list of steps is a sequence of *units*: steps, and repeats that were found before. Cycles of
//! at most [`LONGEST_CYCLE`] units are looked for from left to right; at each place the one is
//! taken that saves most. Iterations follow each other if they are by the same clauses with the
//! same repeats, if all numbers (values and counts) grow by the same amounts as before, and if
//! premises are the same ones, or the same number of steps away. Doing it again finds loops around
//! loops.
//!
//! Invariant: the expansion of the result is what was given. What lies between the first and the
//! last iteration is not used behind the repeat, so that it can be left out.
//!
//! Cost: a place looks at each period for as long as it matches, but at no longer one after a long
//! match, and then skips the match; so a pass is linear in the list, times the longest period at
//! worst.

use shofar_base::Idx;
use shofar_num::Rational;
use shofar_term::eval::{Model, Value};

use super::Repeat;
use crate::{Derivation, DerivationStep};

/// Longer cycles, in units, are not looked for.
const LONGEST_CYCLE: usize = 32;
/// Fewer iterations are not folded.
pub(super) const FEWEST: usize = 3;
/// After so many iterations no longer cycle is looked for.
const LONG_RUN: usize = 16;
/// What is used so many iterations later ends a run.
const FARTHEST: usize = 100;
/// More levels of loops in loops are not looked for.
const DEEPEST: usize = 4;

impl Derivation {
    /// The derivation with its repetitions folded; as it is if steps are out of order.
    #[must_use]
    pub fn folded(&self) -> Derivation {
        self.folded_by(&|step| step.clause.index())
    }
    /// The same, where the iterations of a repeat have steps of the same kind.
    #[must_use]
    pub fn folded_by(&self, kind: &dyn Fn(&DerivationStep) -> usize) -> Derivation {
        let is_ordered =
            self.steps.iter().enumerate().all(|(i, step)| step.premises.iter().all(|&p| p < i));
        let mut folded: Option<Derivation> = None;
        for _ in 0..DEEPEST {
            let present = folded.as_ref().unwrap_or(self);
            if !is_ordered || !(present.is_ground() || present.is_nested()) {
                break;
            }
            let runs = runs(present, kind);
            if runs.is_empty() {
                break;
            }
            folded = Some(without_middles(present, &runs));
        }
        folded.unwrap_or_else(|| self.clone())
    }
}

/// A cycle of so many listed steps, gone through `count` times from `start` on.
struct Run {
    start: usize,
    length: usize,
    count: usize,
}

impl Run {
    fn end(&self) -> usize {
        self.start + self.length * self.count
    }
    /// How many steps need not be listed.
    fn saved(&self) -> usize {
        self.length * (self.count - 2)
    }
}

fn runs(derivation: &Derivation, kind: &dyn Fn(&DerivationStep) -> usize) -> Vec<Run> {
    let list = List::new(derivation, kind);
    let (mut runs, mut unit) = (Vec::new(), 0);
    while unit + 1 < list.units.len() {
        let mut best: Option<Run> = None;
        let most = LONGEST_CYCLE.min((list.units.len() - 1 - unit) / FEWEST);
        for period in 1..=most {
            let start = list.units[unit];
            let length = list.units[unit + period] - start;
            let count = list.count(start, length);
            if count >= FEWEST
                && best.as_ref().is_none_or(|best| length * (count - 2) > best.saved())
            {
                best = Some(Run { start, length, count });
            }
            if count >= LONG_RUN {
                // Multiples of the period match as well.
                break;
            }
        }
        match best {
            Some(run) => {
                let end = run.end();
                runs.push(run);
                unit = list.units.partition_point(|&start| start < end);
            }
            None => unit += 1,
        }
    }
    runs
}

struct List<'a> {
    derivation: &'a Derivation,
    /// What kind of a step each is.
    kinds: Vec<usize>,
    /// Where units begin, and the end.
    units: Vec<usize>,
    /// Whether a unit begins at each step, and at the end.
    is_boundary: Vec<bool>,
    /// The last user of each step.
    last_use: Vec<usize>,
    /// How many repeats begin before each step, and at the end.
    begun: Vec<usize>,
}

impl<'a> List<'a> {
    fn new(derivation: &'a Derivation, kind: &dyn Fn(&DerivationStep) -> usize) -> Self {
        let Derivation { steps, repeats } = derivation;
        let (mut units, mut begun) = (Vec::new(), Vec::with_capacity(steps.len() + 1));
        let (mut number, mut end) = (0, 0);
        for at in 0..=steps.len() {
            begun.push(number);
            while let Some(repeat) = repeats.get(number).filter(|repeat| repeat.start == at) {
                if end <= at {
                    units.push(at);
                    end = repeat.end();
                }
                number += 1;
            }
            if end <= at {
                units.push(at);
                end = at + 1;
            }
        }
        let mut last_use = vec![0; steps.len()];
        for (at, step) in steps.iter().enumerate() {
            for &premise in &step.premises {
                last_use[premise] = at;
            }
        }
        let mut is_boundary = vec![false; steps.len() + 1];
        for &unit in &units {
            is_boundary[unit] = true;
        }
        let kinds = steps.iter().map(kind).collect();
        Self { derivation, kinds, units, is_boundary, last_use, begun }
    }
    /// How often the cycle of `length` steps at `start` is gone through.
    fn count(&self, start: usize, length: usize) -> usize {
        // The last user of what lies between the first and the last iteration.
        let (mut count, mut allowed, mut used) = (1, 1, 0);
        while self.is_next(start, start + count * length, length) {
            count += 1;
            let end = start + count * length;
            if count > 2 {
                let middle = &self.last_use[end - 2 * length..end - length];
                used = used.max(middle.iter().copied().max().unwrap_or(0));
            }
            if used < end {
                allowed = count;
            } else if used >= end + FARTHEST * length {
                break;
            }
        }
        allowed
    }
    /// Whether the steps at `from` are the iteration behind those `length` steps before, in a run
    /// from `start` on.
    fn is_next(&self, start: usize, from: usize, length: usize) -> bool {
        let steps = &self.derivation.steps;
        if from + length > steps.len() || !self.is_boundary[from + length] {
            return false;
        }
        let before = from - length;
        let is_second = before == start;
        let earlier = |at: usize| (!is_second).then(|| &steps[at - 2 * length]);
        (from..from + length).all(|at| {
            let (old, new) = (&steps[at - length], &steps[at]);
            (old.clause, self.kinds[at - length]) == (new.clause, self.kinds[at])
                && if is_second {
                    new.premises.iter().all(|&it| it < start || it >= before)
                } else {
                    is_shifted(start, length, &old.premises, &new.premises)
                }
                && follows(
                    earlier(at).map(|step| &step.assignment),
                    &old.assignment,
                    &new.assignment,
                )
        }) && self.repeats_follow(start, from, length)
    }
    fn repeats_follow(&self, start: usize, from: usize, length: usize) -> bool {
        let within =
            |from: usize| &self.derivation.repeats[self.begun[from]..self.begun[from + length]];
        let (old, new) = (within(from - length), within(from));
        if old.is_empty() && new.is_empty() {
            return true;
        }
        let alike = |a: &Repeat, b: &Repeat| (a.start + length, a.length) == (b.start, b.length);
        let grows = |at: usize| {
            if from - length == start {
                return true;
            }
            let earlier = &within(from - 2 * length)[at].count;
            is_step(earlier, &old[at].count, &new[at].count)
        };
        old.len() == new.len()
            && old.iter().zip(new).all(|(a, b)| alike(a, b))
            && (0..new.len()).all(grows)
    }
}

/// Whether premises are the same ones before `start`, or else `length` steps later.
fn is_shifted(start: usize, length: usize, old: &[usize], new: &[usize]) -> bool {
    let same = |(&a, &b): (&usize, &usize)| if a < start { a == b } else { a + length == b };
    old.len() == new.len() && old.iter().zip(new).all(same)
}

pub(super) fn is_step(earlier: &Rational, old: &Rational, new: &Rational) -> bool {
    new - old == old - earlier
}

/// Whether the numbers of the third model are as far from those of the second as these are from
/// those of the first, if there is one, and all other values are the same.
fn follows(earlier: Option<&Model>, old: &Model, new: &Model) -> bool {
    let (olds, news) = (old.entries(), new.entries());
    olds.len() == news.len()
        && olds.iter().zip(&news).all(|(&(symbol, a), &(other, b))| {
            symbol == other
                && match (a, b) {
                    (Value::Number(a), Value::Number(b)) => match earlier {
                        None => true,
                        Some(model) => {
                            let number = model.get(symbol).and_then(Value::as_number);
                            number.is_some_and(|earlier| is_step(earlier, a, b))
                        }
                    },
                    (a, b) => a == b,
                }
        })
}

/// The derivation with the first and the last iteration of each run, and a repeat in place of the
/// others.
fn without_middles(derivation: &Derivation, runs: &[Run]) -> Derivation {
    let Derivation { steps, repeats } = derivation;
    let mut places = vec![0; steps.len()];
    let (mut kept, mut result): (Vec<DerivationStep>, Vec<Repeat>) = (Vec::new(), Vec::new());
    let mut runs = runs.iter().peekable();
    let mut repeats = repeats.iter().peekable();
    for (at, step) in steps.iter().enumerate() {
        while runs.peek().is_some_and(|run| run.end() <= at) {
            runs.next();
        }
        let run = runs.peek().filter(|run| run.start <= at);
        if let Some(run) = run {
            let last = run.end() - run.length;
            if run.start == at {
                let count = u64::try_from(run.count).expect("there are not so many steps");
                let (start, length) = (kept.len(), run.length);
                result.push(Repeat { start, length, count: Rational::from(count) });
            }
            if (run.start + run.length..last).contains(&at) {
                // Whoever names it as the iteration before means the first one in the list.
                places[at] = places[at - run.length];
                while repeats.peek().is_some_and(|repeat| repeat.start == at) {
                    repeats.next();
                }
                continue;
            }
        }
        while let Some(repeat) = repeats.next_if(|repeat| repeat.start == at) {
            result.push(repeat.moved(at, kept.len()));
        }
        places[at] = kept.len();
        let premises = step.premises.iter().map(|&premise| places[premise]).collect();
        kept.push(DerivationStep { premises, ..step.clone() });
    }
    Derivation { steps: kept, repeats: result }
}

#[cfg(test)]
mod tests {
    use shofar_base::Rng;

    use super::super::tests::{Counter, repeat};
    use super::*;

    type Steps = Vec<(usize, i64, Vec<usize>)>;

    /// Folds the steps and expands them again.
    fn fold(steps: &Steps) -> Derivation {
        let mut counter = Counter::new();
        for (clause, value, premises) in steps {
            counter.steps(&[(*clause, *value, premises)]);
        }
        let folded = counter.derivation.folded();
        assert!(folded.is_nested() || folded.is_ground());
        let expanded = folded.clone().expanded(&counter.store, steps.len());
        assert_eq!(&counter.shown(&expanded.expect("it is as long as it was")), steps);
        folded
    }

    /// Each step is derived from the one before it.
    fn chain(values: &[(usize, i64)]) -> Steps {
        let step = |(at, &(clause, value)): (usize, &(usize, i64))| {
            (clause, value, at.checked_sub(1).into_iter().collect())
        };
        values.iter().enumerate().map(step).collect()
    }

    #[test]
    fn a_loop_is_as_long_as_its_cycle() {
        let mut values = vec![(0, 0)];
        for k in 0..1000 {
            values.extend([(1, 3 * k), (2, 7 - k)]);
        }
        values.push((3, 3000));
        let folded = fold(&chain(&values));
        assert_eq!((folded.steps.len(), &folded.repeats[..]), (6, &[repeat(1, 2, 1000)][..]));
    }

    #[test]
    fn loops_in_loops_are_found() {
        let mut values = vec![(0, 0)];
        for i in 0..40 {
            values.extend((0..i).map(|j| (1, 5 * i + j)));
            values.push((2, i));
        }
        let folded = fold(&chain(&values));
        assert!(folded.steps.len() < 20, "{}", folded.steps.len());
        assert!(folded.repeats.len() == 3);
    }

    #[test]
    fn a_phase_ends_where_increments_change() {
        let mut values: Vec<(usize, i64)> = (0..50).map(|k| (1, k)).collect();
        values.extend((0..50).map(|k| (1, 50 + 2 * k)));
        let folded = fold(&chain(&values));
        assert_eq!(folded.repeats.len(), 2);
        assert!(folded.steps.len() <= 6);
    }

    #[test]
    fn what_is_used_later_stays() {
        let mut steps = chain(&(0..30).map(|k| (1, k)).collect::<Vec<_>>());
        steps.push((2, 0, vec![17, 29]));
        let folded = fold(&steps);
        assert!(folded.steps.len() < 10);
    }

    #[test]
    fn nothing_is_lost() {
        let mut rng = Rng::new(3);
        for _ in 0..400 {
            let mut steps: Steps = Vec::new();
            for _ in 0..=rng.below(4) {
                let cycle: Vec<(usize, i64, i64)> = (0..=rng.below(3))
                    .map(|_| (rng.below(2), rng.range(0, 3), rng.range(-1, 2)))
                    .collect();
                for k in 0..rng.range(1, 9) {
                    for &(clause, base, step) in &cycle {
                        let mut premises: Vec<usize> =
                            steps.len().checked_sub(1).into_iter().collect();
                        if rng.chance(15) && !steps.is_empty() {
                            premises.push(rng.below(steps.len()));
                        }
                        let noise = i64::from(rng.chance(5));
                        steps.push((clause, base + k * step + noise, premises));
                    }
                }
            }
            fold(&steps);
        }
    }
}
