//! Difference bounds of the variables `x` and `−x` of some dimensions; see the [module
//! above](super).
//!
//! Invariant: coherent, that is, `m[a][b] = m[b̄][ā]`.

use shofar_base::Idx;
use shofar_num::Rational;

use crate::octagon::Signed;
use crate::{Constraint, Dim, Form, is_handy};

/// The matrix; a missing bound is infinite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Matrix {
    /// Twice the number of dimensions.
    size: usize,
    /// The entry of `a` and `b` is at `a·size + b`.
    bounds: Vec<Option<Rational>>,
}

impl Matrix {
    /// No bounds.
    pub(super) fn new(dims: usize) -> Self {
        let size = 2 * dims;
        Self { size, bounds: vec![None; size * size] }
    }
    pub(super) fn dims(&self) -> usize {
        self.size / 2
    }
    fn get(&self, a: usize, b: usize) -> Option<&Rational> {
        self.bounds[a * self.size + b].as_ref()
    }
    /// Lowers the bound of `V_b − V_a`, and its mirror image.
    fn lower(&mut self, a: usize, b: usize, bound: &Rational) {
        if !is_handy(bound) {
            return;
        }
        for at in [a * self.size + b, (b ^ 1) * self.size + (a ^ 1)] {
            let entry = &mut self.bounds[at];
            if entry.as_ref().is_none_or(|old| bound < old) {
                *entry = Some(bound.clone());
            }
        }
    }
    /// Assumes `x ≤ bound` for a dimension or its opposite.
    pub(super) fn bound_one(&mut self, x: Signed, bound: &Rational) {
        let b = x.variable();
        self.lower(b ^ 1, b, &(bound * Rational::from(2)));
    }
    /// Assumes `x + y ≤ bound` for two different dimensions or their opposites.
    pub(super) fn bound_two(&mut self, x: Signed, y: Signed, bound: &Rational) {
        self.lower(y.variable() ^ 1, x.variable(), bound);
    }
    /// The bound of a dimension or its opposite.
    pub(super) fn one(&self, x: Signed) -> Option<Rational> {
        let b = x.variable();
        self.get(b ^ 1, b).map(|bound| bound / Rational::from(2))
    }
    /// The bound of the sum of two different dimensions or their opposites.
    pub(super) fn two(&self, x: Signed, y: Signed) -> Option<&Rational> {
        self.get(y.variable() ^ 1, x.variable())
    }
    /// Lowers all bounds to what follows from others; false if they contradict each other.
    pub(super) fn close(&mut self, integral: &[bool]) -> bool {
        self.shortest_paths();
        for a in 0..self.size {
            if self.get(a, a).is_some_and(Rational::is_negative) {
                return false;
            }
            if integral[a / 2]
                && let Some(bound) = self.get(a, a ^ 1)
            {
                let two = Rational::from(2);
                let even = (bound / &two).floor() * two;
                self.lower(a, a ^ 1, &even);
            }
        }
        for a in 0..self.size {
            if let (Some(there), Some(back)) = (self.get(a, a ^ 1), self.get(a ^ 1, a))
                && (there + back).is_negative()
            {
                return false;
            }
        }
        self.strengthen();
        for a in 0..self.size {
            self.bounds[a * self.size + a] = None;
        }
        true
    }
    /// The algorithm of Floyd and Warshall.
    fn shortest_paths(&mut self) {
        let size = self.size;
        for k in 0..size {
            for a in 0..size {
                let Some(first) = self.get(a, k).cloned() else { continue };
                for b in 0..size {
                    let Some(second) = self.get(k, b) else { continue };
                    let sum = &first + second;
                    if is_handy(&sum) && self.get(a, b).is_none_or(|old| sum < *old) {
                        self.bounds[a * size + b] = Some(sum);
                    }
                }
            }
        }
    }
    /// `x + y ≤ c` follows from the bounds of `x` and of `y`.
    fn strengthen(&mut self) {
        let size = self.size;
        let halves: Vec<Option<Rational>> =
            (0..size).map(|a| self.get(a, a ^ 1).map(|bound| bound / Rational::from(2))).collect();
        for a in 0..size {
            let Some(first) = &halves[a] else { continue };
            for b in 0..size {
                if a == b {
                    continue;
                }
                let Some(second) = &halves[b ^ 1] else { continue };
                let sum = first + second;
                if is_handy(&sum) && self.get(a, b).is_none_or(|old| sum < *old) {
                    self.bounds[a * size + b] = Some(sum);
                }
            }
        }
    }
    pub(super) fn join(&mut self, other: &Self) {
        for (mine, theirs) in self.bounds.iter_mut().zip(&other.bounds) {
            match (&mine, theirs) {
                (Some(a), Some(b)) if a < b => mine.clone_from(theirs),
                (Some(_), Some(_)) => (),
                (_, None) | (None, _) => *mine = None,
            }
        }
    }
    /// Raises bounds that do not hold of `other` to the next threshold.
    pub(super) fn widen(&mut self, other: &Self, thresholds: &[Rational]) {
        for at in 0..self.bounds.len() {
            let is_one = (at / self.size) ^ 1 == at % self.size;
            let Some(mine) = &self.bounds[at] else { continue };
            let theirs = other.bounds[at].as_ref();
            if theirs.is_some_and(|theirs| theirs <= mine) {
                continue;
            }
            self.bounds[at] = theirs.and_then(|theirs| {
                let factor = Rational::from(if is_one { 2 } else { 1 });
                let next = thresholds.partition_point(|t| &(t * &factor) < theirs);
                thresholds.get(next).map(|t| t * factor)
            });
        }
    }
    pub(super) fn includes(&self, other: &Self) -> bool {
        self.bounds.iter().zip(&other.bounds).all(|(mine, theirs)| match (mine, theirs) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(mine), Some(theirs)) => theirs <= mine,
        })
    }
    /// Constraints that imply all bounds. An entry is left out if two others that are still there
    /// give it.
    pub(super) fn constraints(&self) -> Vec<Constraint> {
        let size = self.size;
        let mut kept: Vec<bool> = self.bounds.iter().map(Option::is_some).collect();
        for (a, b) in (0..size).flat_map(|a| (0..size).map(move |b| (a, b))) {
            let (at, mirror) = (a * size + b, (b ^ 1) * size + (a ^ 1));
            if !kept[at] || b == a ^ 1 {
                continue;
            }
            if self.is_implied(&kept, a, b) {
                kept[at] = false;
                kept[mirror] = false;
            }
        }
        let mut found = Vec::new();
        for (a, b) in (0..size).flat_map(|a| (0..size).map(move |b| (a, b))) {
            let (at, mirror) = (a * size + b, (b ^ 1) * size + (a ^ 1));
            if let Some(bound) = &self.bounds[at]
                && kept[at]
                && at <= mirror
            {
                found.push(constraint(a, b, bound));
            }
        }
        equations(found)
    }
    /// Whether entries that are kept, other than this one and its mirror image, imply this one.
    fn is_implied(&self, kept: &[bool], a: usize, b: usize) -> bool {
        let size = self.size;
        let entry = |a: usize, b: usize| -> Option<&Rational> {
            if kept[a * size + b] { self.get(a, b) } else { None }
        };
        let Some(bound) = self.get(a, b) else { return true };
        if let (Some(first), Some(second)) = (entry(a, a ^ 1), entry(b ^ 1, b))
            && first + second <= bound * Rational::from(2)
        {
            return true;
        }
        (0..size).filter(|&c| c != a && c != b).any(|c| {
            // The mirror image of the entry is (b̄, ā): a path over it would use the entry itself.
            let uses_itself = (c == b ^ 1 && b == a ^ 1) || (a == b ^ 1 && c == a ^ 1);
            match (entry(a, c), entry(c, b)) {
                (Some(first), Some(second)) => !uses_itself && first + second <= *bound,
                (Some(_) | None, Some(_) | None) => false,
            }
        })
    }
}

/// What the bound of `V_b − V_a` says.
fn constraint(a: usize, b: usize, bound: &Rational) -> Constraint {
    let sign =
        |variable: usize| if variable.is_multiple_of(2) { Rational::ONE } else { -Rational::ONE };
    if b == a ^ 1 {
        let form = Form::new(vec![(Dim::from_index(b / 2), sign(b))]);
        return Constraint::at_most(form, bound / Rational::from(2));
    }
    let monomials = vec![(Dim::from_index(b / 2), sign(b)), (Dim::from_index(a / 2), -sign(a))];
    Constraint::at_most(Form::new(monomials), bound.clone())
}

/// Replaces two opposite inequalities by an equation.
fn equations(mut constraints: Vec<Constraint>) -> Vec<Constraint> {
    let mut found: Vec<Constraint> = Vec::new();
    while let Some(last) = constraints.pop() {
        let (opposite, bound) = (last.form.negated(), -&last.bound);
        match constraints.iter().position(|c| c.form == opposite && c.bound == bound) {
            Some(at) => {
                constraints.swap_remove(at);
                let is_positive = |f: &Form| f.monomials()[0].1.is_positive();
                let (form, bound) = if is_positive(&last.form) {
                    (last.form, last.bound)
                } else {
                    (opposite, bound)
                };
                found.push(Constraint::equal(form, bound));
            }
            None => found.push(last),
        }
    }
    found.reverse();
    found
}
