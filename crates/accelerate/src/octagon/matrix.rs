//! Octagonal matrices over bounds of any kind, closed exactly.
//!
//! Variable `i` is two nodes, `2i` for its value and `2i + 1` for the opposite; the entry of `a`
//! and `b` bounds `V_b − V_a`, and is the same as that of `b̄` and `ā`. A matrix over the values
//! before and after a step is a relation; the composition of two is the closure of both over three
//! times the variables, with the middle ones left out.
//!
//! Invariant: projection of a closed matrix is exact, over the reals and over the integers; nothing
//! is ever forgotten.
//!
//! Source: [Min06] §3; [BHZ08] for the integer closure.
//! DIVERGENCE: the domain of octagons (`shofar_domain`) forgets large numbers and knows no
//! parameter, so matrices are apart.

use super::line::{Bound, Until};

/// Entries without a bound are infinite.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matrix<B> {
    size: usize,
    bounds: Vec<Option<B>>,
}

/// What the variables range over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbers {
    /// The integers.
    Integer,
    /// The reals.
    Real,
}

/// Why a matrix could not be closed.
pub(super) struct TooComplex;

impl<B: Bound> Matrix<B> {
    /// No bounds.
    pub(super) fn new(variables: usize) -> Self {
        let size = 2 * variables;
        Self { size, bounds: vec![None; size * size] }
    }
    /// How many variables there are.
    pub(super) fn variables(&self) -> usize {
        self.size / 2
    }
    /// The bound of `V_b − V_a`.
    pub(super) fn get(&self, a: usize, b: usize) -> Option<&B> {
        self.bounds[a * self.size + b].as_ref()
    }
    /// Lowers the bound of `V_b − V_a`, and its mirror image.
    pub(super) fn lower(&mut self, a: usize, b: usize, bound: &B) {
        for at in [a * self.size + b, (b ^ 1) * self.size + (a ^ 1)] {
            let entry = &mut self.bounds[at];
            match entry {
                Some(old) if bound.is_above(old) => (),
                Some(old) => *old = old.min(bound),
                None => *entry = Some(bound.clone()),
            }
        }
    }
    /// The same bounds of another kind.
    pub(super) fn map<C: Bound>(&self, image: impl Fn(usize, &B) -> C) -> Matrix<C> {
        let entries = self.bounds.iter().enumerate();
        let bounds = entries.map(|(at, bound)| bound.as_ref().map(|b| image(at, b))).collect();
        Matrix { size: self.size, bounds }
    }
    /// The entries, in order.
    pub(super) fn entries(&self) -> &[Option<B>] {
        &self.bounds
    }
    /// Lowers all bounds to what follows from others; up to which parameter there is a point.
    pub(super) fn close(&mut self, numbers: Numbers) -> Result<Until, TooComplex> {
        self.shortest_paths()?;
        let mut until = Until::Always;
        for a in 0..self.size {
            if let Some(cycle) = self.get(a, a) {
                until = until.min(cycle.while_not_negative());
            }
            if numbers == Numbers::Integer
                && let Some(bound) = self.get(a, a ^ 1)
            {
                let even = bound.even().ok_or(TooComplex)?;
                self.bounds[a * self.size + (a ^ 1)] = Some(even);
            }
        }
        for a in 0..self.size {
            if let (Some(there), Some(back)) = (self.get(a, a ^ 1), self.get(a ^ 1, a)) {
                until = until.min(there.plus(back).ok_or(TooComplex)?.while_not_negative());
            }
        }
        self.strengthen()?;
        for a in 0..self.size {
            self.bounds[a * self.size + a] = None;
        }
        Ok(until)
    }
    fn shortest_paths(&mut self) -> Result<(), TooComplex> {
        let size = self.size;
        for k in 0..size {
            for a in 0..size {
                let Some(first) = self.get(a, k).cloned() else { continue };
                for b in 0..size {
                    let Some(second) = self.get(k, b) else { continue };
                    let sum = first.plus(second).ok_or(TooComplex)?;
                    self.lower_one(a, b, &sum);
                }
            }
        }
        Ok(())
    }
    /// `x + y ≤ c` follows from the bounds of `x` and of `y`.
    fn strengthen(&mut self) -> Result<(), TooComplex> {
        let size = self.size;
        let halves: Vec<Option<B>> =
            (0..size).map(|a| self.get(a, a ^ 1).map(Bound::half)).collect();
        for (a, b) in (0..size).flat_map(|a| (0..size).map(move |b| (a, b))) {
            if let (Some(first), Some(second)) = (&halves[a], &halves[b ^ 1])
                && a != b
            {
                let sum = first.plus(second).ok_or(TooComplex)?;
                self.lower_one(a, b, &sum);
            }
        }
        Ok(())
    }
    fn lower_one(&mut self, a: usize, b: usize, bound: &B) {
        let entry = &mut self.bounds[a * self.size + b];
        match entry {
            Some(old) if bound.is_above(old) => (),
            Some(old) => *old = old.min(bound),
            None => *entry = Some(bound.clone()),
        }
    }
    /// First one relation, then another, both over values before and after; up to which parameter
    /// they compose.
    pub(super) fn then(&self, next: &Self, numbers: Numbers) -> Result<(Self, Until), TooComplex> {
        let own = self.variables() / 2;
        let mut all = Self::new(3 * own);
        for (relation, offset) in [(self, 0), (next, 2 * own)] {
            for (a, b) in (0..self.size).flat_map(|a| (0..self.size).map(move |b| (a, b))) {
                if let Some(bound) = relation.get(a, b) {
                    all.lower(a + offset, b + offset, bound);
                }
            }
        }
        let until = all.close(numbers)?;
        let outer = |a: usize| if a < 2 * own { a } else { a + 2 * own };
        let mut result = Self::new(2 * own);
        for (a, b) in (0..self.size).flat_map(|a| (0..self.size).map(move |b| (a, b))) {
            result.bounds[a * self.size + b] = all.get(outer(a), outer(b)).cloned();
        }
        Ok((result, until))
    }
    /// Which entries say something that others which are kept do not imply, one of each pair of
    /// mirror images.
    pub(super) fn needed(&self) -> Vec<(usize, usize)> {
        let size = self.size;
        let mut kept: Vec<bool> = self.bounds.iter().map(Option::is_some).collect();
        let pairs = || (0..size).flat_map(|a| (0..size).map(move |b| (a, b)));
        let mirror = |a: usize, b: usize| (b ^ 1) * size + (a ^ 1);
        for (a, b) in pairs() {
            if kept[a * size + b] && b != a ^ 1 && self.is_implied(&kept, a, b) {
                kept[a * size + b] = false;
                kept[mirror(a, b)] = false;
            }
        }
        pairs().filter(|&(a, b)| kept[a * size + b] && a * size + b <= mirror(a, b)).collect()
    }
    /// Whether two entries that are kept imply this one, which is of two variables; its mirror
    /// image is not on a path to it.
    fn is_implied(&self, kept: &[bool], a: usize, b: usize) -> bool {
        let entry =
            |a: usize, b: usize| if kept[a * self.size + b] { self.get(a, b) } else { None };
        let Some(bound) = self.get(a, b) else { return true };
        let gives = |first: Option<&B>, second: Option<&B>, halved: bool| match (first, second) {
            (Some(first), Some(second)) => first
                .plus(second)
                .is_some_and(|sum| bound.is_above(&if halved { sum.half() } else { sum })),
            (Some(_) | None, Some(_) | None) => false,
        };
        if gives(entry(a, a ^ 1), entry(b ^ 1, b), true) {
            return true;
        }
        (0..self.size).filter(|&c| c != a && c != b).any(|c| gives(entry(a, c), entry(c, b), false))
    }
}
