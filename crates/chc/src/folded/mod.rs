//! Folded refutations: a cycle of steps that is gone through very often is listed twice.
//!
//! A [`Repeat`] names two ranges of equal length in the list of steps, one behind the other: the
//! first iteration of a cycle (number 0) and the last one (number `count − 1`). The iterations
//! between them follow: in iteration `k`, a number whose values in the listed iterations are `u`
//! and `w` is `u + k·(w − u)/(count − 1)`; all other values are the same in both. So each number is
//! an affine function of `k`, and a derivation of 10¹² steps is a list of a few.
//!
//! Repeats may be nested: what lies in the first range of a repeat has its counterpart in the last
//! one, repeats included. The counts of two counterparts may differ; then the inner count is affine
//! in the outer `k`, too. Thus the listed iterations are the corners of the set of all iterations,
//! and each number is affine in all indices of the repeats around its step.
//!
//! Premises: those of iteration 0 are the ones listed in the first range, those of all later
//! iterations `k` the ones listed in the last range, where
//! - a step in the last range means the one of iteration `k` itself,
//! - a step in the first range means the one of iteration `k − 1` (in the list, this is the jump
//!   from the first to the last),
//! - any other step means what it means outside of the repeat.
//!
//! To those outside of a repeat, its first range is iteration 0 and its last range is the last
//! iteration.
//!
//! Invariant ([`Derivation::is_nested`]): repeats are sorted by their beginning, outer ones before
//! inner ones; they are apart or one lies in one range of the other; counterparts have the same
//! clauses and the same inner repeats. A list with a broken invariant has no meaning; the validator
//! objects to it.
//!
//! Source: the compact form is our own; values along a loop in closed form as in [FG24].

mod arrivals;
mod expand;
mod fold;

use std::ops::Range;

use shofar_num::Rational;
use shofar_term::TermStore;
use shofar_term::eval::{Model, Value};

pub use arrivals::Arrivals;

use crate::{Derivation, DerivationStep};

/// A cycle that is gone through `count` times; see the module documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// Where its first iteration begins.
    pub start: usize,
    /// How many steps are listed for an iteration, at least one.
    pub length: usize,
    /// How many iterations there are: a whole number of at least 1. If it is 1, both ranges list
    /// the same one.
    pub count: Rational,
}

impl Repeat {
    /// Where the first iteration is listed.
    pub fn first(&self) -> Range<usize> {
        self.start..self.start + self.length
    }
    /// Where the last iteration is listed.
    pub fn last(&self) -> Range<usize> {
        self.start + self.length..self.end()
    }
    /// Behind the last iteration.
    pub fn end(&self) -> usize {
        self.start + 2 * self.length
    }
    /// The same repeat so many steps later.
    #[must_use]
    pub fn moved(&self, from: usize, to: usize) -> Repeat {
        Repeat { start: self.start - from + to, ..self.clone() }
    }
}

/// How many of `repeats` begin before `end`; they are sorted.
pub(crate) fn before(repeats: &[Repeat], end: usize) -> usize {
    repeats.partition_point(|repeat| repeat.start < end)
}

/// `first + k·(last − first)/(count − 1)` for numbers; nothing for other values that differ.
pub fn interpolate(first: &Value, last: &Value, k: &Rational, count: &Rational) -> Option<Value> {
    if first == last {
        return Some(first.clone());
    }
    let (Value::Number(u), Value::Number(w)) = (first, last) else { return None };
    let (rise, run) = (w - u, count - &Rational::from(1));
    if run.is_zero() {
        return None;
    }
    Some(Value::Number(u + &(&rise * &(k / &run))))
}

/// The values of iteration `k` of a step with these values in its first and last iteration.
pub(crate) fn interpolate_model(
    store: &TermStore,
    first: &Model,
    last: &Model,
    k: &Rational,
    count: &Rational,
) -> Option<Model> {
    let mut result = Model::new();
    for (symbol, value) in first.entries() {
        let later = last.get_or_default(store, symbol);
        result.set(symbol, interpolate(value, &later, k, count)?);
    }
    for (symbol, later) in last.entries() {
        if first.get(symbol).is_none() {
            let value = first.get_or_default(store, symbol);
            result.set(symbol, interpolate(&value, later, k, count)?);
        }
    }
    Some(result)
}

/// One iteration of a repeat, in the place of its last one.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// The values of its steps.
    pub values: Vec<Model>,
    /// What is repeated within it.
    pub repeats: Vec<Repeat>,
}

impl Derivation {
    /// A derivation without repeats.
    pub fn ground(steps: Vec<DerivationStep>) -> Self {
        Self { steps, repeats: Vec::new() }
    }
    /// Whether nothing is repeated.
    pub fn is_ground(&self) -> bool {
        self.repeats.is_empty()
    }
    /// The repeats in the first and in the last range of repeat number `at`, by number.
    pub fn inner_repeats(&self, at: usize) -> (Range<usize>, Range<usize>) {
        let repeat = &self.repeats[at];
        let middle = before(&self.repeats, repeat.last().start);
        let end = before(&self.repeats, repeat.end());
        (at + 1..middle.max(at + 1), middle.max(at + 1)..end.max(at + 1))
    }
    /// Iteration `k` of repeat number `at`; nothing if its values are not determined.
    pub fn iteration(&self, store: &TermStore, at: usize, k: &Rational) -> Option<Iteration> {
        let repeat = &self.repeats[at];
        let (first, last) = (&self.steps[repeat.first()], &self.steps[repeat.last()]);
        let value = |(first, last): (&DerivationStep, &DerivationStep)| {
            interpolate_model(store, &first.assignment, &last.assignment, k, &repeat.count)
        };
        let values = first.iter().zip(last).map(value).collect::<Option<_>>()?;
        let (inner, counterparts) = self.inner_repeats(at);
        let inner = self.repeats[inner].iter().zip(&self.repeats[counterparts]);
        let repeats = inner.map(|(a, b)| between(a, b, k, &repeat.count)).collect::<Option<_>>()?;
        Some(Iteration { values, repeats })
    }
    /// Whether the repeats are as they must be; see the module documentation.
    pub fn is_nested(&self) -> bool {
        let is_whole = |repeat: &Repeat| repeat.count.is_integer() && repeat.count.is_positive();
        let fits = |repeat: &Repeat| {
            let end = repeat.length.checked_mul(2).and_then(|two| repeat.start.checked_add(two));
            repeat.length > 0 && end.is_some_and(|end| end <= self.steps.len())
        };
        self.repeats.iter().all(|repeat| is_whole(repeat) && fits(repeat))
            && self.is_laminar()
            && (0..self.repeats.len()).all(|at| self.has_counterparts(at))
    }
    /// Whether repeats are sorted, and apart or in one range of each other.
    fn is_laminar(&self) -> bool {
        let mut around: Vec<&Repeat> = Vec::new();
        for repeat in &self.repeats {
            while around.last().is_some_and(|outer| outer.end() <= repeat.start) {
                around.pop();
            }
            if let Some(outer) = around.last() {
                let half =
                    if repeat.start < outer.last().start { outer.first() } else { outer.last() };
                if repeat.start < half.start || half.end < repeat.end() {
                    return false;
                }
            }
            around.push(repeat);
        }
        self.repeats.windows(2).all(|pair| pair[0].start <= pair[1].start)
    }
    fn has_counterparts(&self, at: usize) -> bool {
        let repeat = &self.repeats[at];
        let (first, last) = (&self.steps[repeat.first()], &self.steps[repeat.last()]);
        let (inner, counterparts) = self.inner_repeats(at);
        let (inner, counterparts) = (&self.repeats[inner], &self.repeats[counterparts]);
        let same = |a: &Repeat, b: &Repeat| {
            (a.start - repeat.start, a.length) == (b.start - repeat.last().start, b.length)
        };
        first.iter().zip(last).all(|(a, b)| a.clause == b.clause)
            && inner.len() == counterparts.len()
            && inner.iter().zip(counterparts).all(|(a, b)| same(a, b))
    }
}

/// Iteration `k` of a repeat within a repeat of `count` iterations, in the place of its last one.
pub(crate) fn between(
    first: &Repeat,
    last: &Repeat,
    k: &Rational,
    count: &Rational,
) -> Option<Repeat> {
    let (a, b) = (Value::Number(first.count.clone()), Value::Number(last.count.clone()));
    let number = interpolate(&a, &b, k, count)?.as_number()?.clone();
    Some(Repeat { count: number, ..*last })
}

#[cfg(test)]
mod tests {
    use shofar_term::{Sort, Symbol};

    use super::*;
    use crate::ClauseId;
    use shofar_base::Idx;

    /// Steps with one number each; clauses are numbers only.
    pub(super) struct Counter {
        pub(super) store: TermStore,
        x: Symbol,
        pub(super) derivation: Derivation,
    }

    pub(super) fn repeat(start: usize, length: usize, count: i64) -> Repeat {
        Repeat { start, length, count: count.into() }
    }

    impl Counter {
        pub(super) fn new() -> Self {
            let mut store = TermStore::new();
            let x = store.declare("x", &[], Sort::INT);
            Self { store, x, derivation: Derivation::default() }
        }
        pub(super) fn steps(&mut self, steps: &[(usize, i64, &[usize])]) {
            for &(clause, value, premises) in steps {
                let mut assignment = Model::new();
                assignment.set(self.x, Value::Number(value.into()));
                let (clause, premises) = (ClauseId::from_index(clause), premises.to_vec());
                self.derivation.steps.push(DerivationStep { clause, assignment, premises });
            }
        }
        pub(super) fn shown(&self, derivation: &Derivation) -> Vec<(usize, i64, Vec<usize>)> {
            let number = |step: &DerivationStep| step.assignment.get(self.x)?.as_number()?.to_i64();
            let shown = |step: &DerivationStep| {
                (step.clause.index(), number(step).expect("small"), step.premises.clone())
            };
            derivation.steps.iter().map(shown).collect()
        }
    }

    #[test]
    fn repeats_that_cross_are_refused() {
        let mut counter = Counter::new();
        for _ in 0..8 {
            counter.steps(&[(0, 0, &[])]);
        }
        let mut check = |repeats: &[Repeat], expected: bool| {
            counter.derivation.repeats = repeats.to_vec();
            assert_eq!(counter.derivation.is_nested(), expected, "{repeats:?}");
        };
        check(&[repeat(0, 1, 2), repeat(2, 3, 1)], true);
        check(&[repeat(0, 4, 9), repeat(1, 1, 2), repeat(5, 1, 3)], true);
        check(&[repeat(0, 4, 9), repeat(1, 1, 2)], false);
        check(&[repeat(0, 4, 9), repeat(1, 1, 2), repeat(6, 1, 2)], false);
        check(&[repeat(0, 2, 9), repeat(1, 1, 2)], false);
        check(&[repeat(0, 2, 9), repeat(3, 1, 2)], false);
        check(&[repeat(2, 3, 1), repeat(0, 1, 2)], false);
        check(&[repeat(0, 4, 0)], false);
        check(&[repeat(0, 0, 2)], false);
        check(&[repeat(1, 4, 2)], false);
        check(&[repeat(0, usize::MAX, 2)], false);
        counter.derivation.steps[5].clause = ClauseId::from_index(1);
        counter.derivation.repeats = vec![repeat(0, 4, 9)];
        assert!(!counter.derivation.is_nested(), "other clauses");
    }
}
