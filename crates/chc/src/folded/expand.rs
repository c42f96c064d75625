//! Folded refutations step by step, and how many steps that would be.
//!
//! The steps of an iteration are written in the place of the last one, so that premises can be
//! looked up there: a map says for each listed step which written one it means at present. Before
//! iteration `k + 1` the entries of the first range are those of the last one, since there a
//! premise means iteration `k`; behind the repeat they are those of iteration 0 again.
//!
//! How many steps an iteration has is a polynomial in its number, whose degree is the depth of
//! nesting; sums of its values come from Newton's forward differences.

use std::ops::Range;

use shofar_base::{GaveUp, Outcome};
use shofar_num::Rational;
use shofar_term::TermStore;
use shofar_term::eval::Model;

use super::{Repeat, before, between, interpolate_model};
use crate::{Derivation, DerivationStep};

impl Derivation {
    /// The derivation step by step; given up if these are more than `limit`.
    pub fn expanded(self, store: &TermStore, limit: usize) -> Outcome<Derivation> {
        if self.is_ground() {
            return Ok(self);
        }
        if !self.is_nested() {
            return Err(GaveUp::wrong("the repeats of a refutation are not nested"));
        }
        let mut expansion = Expansion {
            store,
            listed: &self.steps,
            means: vec![0; self.steps.len()],
            steps: Vec::new(),
            limit,
        };
        let values: Vec<Model> = self.steps.iter().map(|step| step.assignment.clone()).collect();
        expansion.write(0..self.steps.len(), &values, &self.repeats)?;
        Ok(Derivation::ground(expansion.steps))
    }
    /// How many steps the derivation has if nothing is folded.
    pub fn ground_length(&self) -> Rational {
        if self.is_ground() || !self.is_nested() {
            return whole(self.steps.len());
        }
        length(self.steps.len(), &self.repeats)
    }
}

fn whole(number: usize) -> Rational {
    Rational::from(u64::try_from(number).expect("there are not so many steps"))
}

/// How many steps a range of `listed` ones has with these repeats in it.
fn length(listed: usize, repeats: &[Repeat]) -> Rational {
    let (mut result, mut at) = (whole(listed), 0);
    while let Some(repeat) = repeats.get(at) {
        let middle = at + before(&repeats[at..], repeat.last().start);
        let end = at + before(&repeats[at..], repeat.end());
        let (first, last) = (&repeats[at + 1..middle], &repeats[middle..end]);
        result -= whole(2 * repeat.length);
        result += repeated_length(repeat, first, last);
        at = end;
    }
    result
}

/// `Σ p(k)` for `k < count`, where `p(k)` is the length of an iteration:
/// `Σ Δⁱp(0)·C(count, i + 1)`.
fn repeated_length(repeat: &Repeat, first: &[Repeat], last: &[Repeat]) -> Rational {
    let at = |k: usize| -> Rational {
        let k = whole(k);
        let inner = first.iter().zip(last).map(|(a, b)| {
            between(a, b, &k, &repeat.count).unwrap_or_else(|| a.moved(a.start, b.start))
        });
        length(repeat.length, &inner.collect::<Vec<_>>())
    };
    let mut differences: Vec<Rational> = (0..=first.len()).map(at).collect();
    let (mut result, mut choose) = (Rational::from(0), Rational::from(1));
    let mut i = 0;
    while !differences.is_empty() {
        choose = &choose * &(&(&repeat.count - &whole(i)) / &whole(i + 1));
        result += &differences[0] * &choose;
        differences = differences.windows(2).map(|pair| &pair[1] - &pair[0]).collect();
        i += 1;
    }
    result
}

struct Expansion<'a> {
    store: &'a TermStore,
    listed: &'a [DerivationStep],
    /// Which step is meant at present by each listed one.
    means: Vec<usize>,
    steps: Vec<DerivationStep>,
    limit: usize,
}

impl Expansion<'_> {
    /// Writes the steps in `range`, which have these values and repeats at present. Calls are
    /// nested as deep as repeats are, which is the logarithm of the length of the list at most.
    fn write(&mut self, range: Range<usize>, values: &[Model], repeats: &[Repeat]) -> Outcome<()> {
        let (mut at, mut number) = (range.start, 0);
        while at < range.end {
            let Some(repeat) = repeats.get(number).filter(|repeat| repeat.start == at) else {
                self.step(at, &values[at - range.start])?;
                at += 1;
                continue;
            };
            let own = &values[at - range.start..repeat.end() - range.start];
            let end = number + before(&repeats[number..], repeat.end());
            self.repeat(repeat, own, &repeats[number + 1..end])?;
            (at, number) = (repeat.end(), end);
        }
        Ok(())
    }
    fn step(&mut self, at: usize, values: &Model) -> Outcome<()> {
        if self.steps.len() >= self.limit {
            return Err(too_long(self.limit));
        }
        let DerivationStep { clause, premises, .. } = &self.listed[at];
        let means = |&premise: &usize| self.means.get(premise).copied();
        let premises = premises.iter().map(means).collect::<Option<_>>();
        let premises = premises.ok_or(GaveUp::wrong("a premise is not a step"))?;
        self.means[at] = self.steps.len();
        let (clause, assignment) = (*clause, values.clone());
        self.steps.push(DerivationStep { clause, assignment, premises });
        Ok(())
    }
    fn repeat(&mut self, repeat: &Repeat, values: &[Model], inner: &[Repeat]) -> Outcome<()> {
        let limit = i64::try_from(self.limit).unwrap_or(i64::MAX);
        let count = repeat.count.to_i64().filter(|&count| count <= limit);
        let count = count.ok_or_else(|| too_long(self.limit))?;
        let (first, last) = values.split_at(repeat.length);
        let (inner, counterparts) = inner.split_at(before(inner, repeat.last().start));
        self.write(repeat.first(), first, inner)?;
        let initial = self.means[repeat.first()].to_vec();
        self.means.copy_within(repeat.first(), repeat.last().start);
        let unclear = || GaveUp::wrong("the values of a repeat are not determined");
        for k in 1..count {
            self.means.copy_within(repeat.last(), repeat.start);
            let k = Rational::from(k);
            let of = |(a, b)| interpolate_model(self.store, a, b, &k, &repeat.count);
            let values: Option<Vec<Model>> = first.iter().zip(last).map(of).collect();
            let of = |(a, b)| between(a, b, &k, &repeat.count);
            let repeats: Option<Vec<Repeat>> = inner.iter().zip(counterparts).map(of).collect();
            let (values, repeats) = (values.ok_or_else(unclear)?, repeats.ok_or_else(unclear)?);
            if repeats.iter().any(|it| !it.count.is_integer() || !it.count.is_positive()) {
                return Err(unclear());
            }
            self.write(repeat.last(), &values, &repeats)?;
        }
        self.means[repeat.first()].copy_from_slice(&initial);
        Ok(())
    }
}

fn too_long(limit: usize) -> GaveUp {
    GaveUp::incomplete(format!("the refutation has more than {limit} steps"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Counter, repeat};
    use super::*;

    fn expand(counter: &Counter, limit: usize) -> Outcome<Vec<(usize, i64, Vec<usize>)>> {
        let expanded = counter.derivation.clone().expanded(&counter.store, limit)?;
        let length = counter.derivation.ground_length();
        assert_eq!(length, whole(expanded.steps.len()), "the length is known before");
        Ok(counter.shown(&expanded))
    }

    #[test]
    fn iterations_follow_each_other() {
        let mut counter = Counter::new();
        counter.steps(&[(0, 0, &[]), (1, 0, &[0]), (1, 12, &[1]), (2, 15, &[2])]);
        counter.derivation.repeats = vec![repeat(1, 1, 5)];
        let expected = [(0, 0, vec![]), (1, 0, vec![0]), (1, 3, vec![1]), (1, 6, vec![2])];
        let expected =
            expected.into_iter().chain([(1, 9, vec![3]), (1, 12, vec![4]), (2, 15, vec![5])]);
        assert_eq!(expand(&counter, 7), Ok(expected.collect()));
        assert!(expand(&counter, 6).is_err());
        counter.derivation.repeats[0].count = "1000000000000".parse().expect("a number");
        assert_eq!(counter.derivation.ground_length().to_string(), "1000000000002");
        assert!(expand(&counter, 1_000_000).is_err());
    }

    /// Iteration `k` of the outer repeat has `k + 1` of the inner one: 1 + 2 + 3 and a step of its
    /// own for each.
    #[test]
    fn inner_counts_grow() {
        let mut counter = Counter::new();
        let first: [(usize, i64, &[usize]); 3] = [(1, 0, &[0]), (1, 0, &[1]), (3, 0, &[2])];
        let last: [(usize, i64, &[usize]); 3] = [(1, 20, &[3]), (1, 22, &[4]), (3, 24, &[5])];
        counter.steps(&[(0, 0, &[])]);
        counter.steps(&first);
        counter.steps(&last);
        counter.steps(&[(2, 26, &[6])]);
        counter.derivation.repeats = vec![repeat(1, 3, 3), repeat(1, 1, 1), repeat(4, 1, 3)];
        let steps = expand(&counter, 100).expect("it is short");
        let values: Vec<(usize, i64)> = steps.iter().map(|step| (step.0, step.1)).collect();
        let loops = [(1, 0), (3, 0), (1, 10), (1, 11), (3, 12), (1, 20), (1, 21), (1, 22), (3, 24)];
        assert_eq!(values[1..10], loops);
        assert!(steps[1..].iter().enumerate().all(|(at, step)| step.2 == [at]), "a chain");
        assert_eq!(values.len(), 11);
    }

    /// What is used from outside of a repeat, and what refers to its first iteration afterwards.
    #[test]
    fn premises_mean_what_they_say() {
        let mut counter = Counter::new();
        counter.steps(&[
            (0, 7, &[]),
            (0, 0, &[]),
            (4, 0, &[0, 1]),
            (4, 2, &[0, 2]),
            (4, 9, &[2, 3]),
        ]);
        counter.derivation.repeats = vec![repeat(2, 1, 3)];
        let premises: Vec<Vec<usize>> =
            expand(&counter, 10).expect("it is short").into_iter().map(|step| step.2).collect();
        assert_eq!(premises[2..], [vec![0, 1], vec![0, 2], vec![0, 3], vec![2, 4]]);
    }

    #[test]
    fn deep_counts_are_summed() {
        let mut counter = Counter::new();
        for _ in 0..8 {
            counter.steps(&[(1, 0, &[])]);
        }
        let counts = [9, 9, 4, 4, 9, 4, 4];
        let places = [(0, 4), (0, 2), (0, 1), (2, 1), (4, 2), (4, 1), (6, 1)];
        let all = places.iter().zip(counts).map(|(&(at, length), n)| repeat(at, length, n));
        counter.derivation.repeats = all.collect();
        assert_eq!(counter.derivation.ground_length(), Rational::from(9 * 9 * 4));
    }
}
