//! Dimensions that are another one up to sign and a constant, by the equations of a conjunction.

use shofar_base::IndexVec;
use shofar_num::Rational;

use crate::{Constraint, Dim, Leaf, Numbers, Relation};

/// `±root + constant`
#[derive(Clone, Debug)]
pub(super) struct Alias {
    pub(super) root: Dim,
    pub(super) negative: bool,
    pub(super) constant: Rational,
}

impl Alias {
    fn itself(root: Dim) -> Self {
        Self { root, negative: false, constant: Rational::ZERO }
    }
    /// `±self + constant`
    fn then(&self, negative: bool, constant: &Rational) -> Self {
        let own = if negative { -&self.constant } else { self.constant.clone() };
        Self { root: self.root, negative: self.negative != negative, constant: own + constant }
    }
}

/// What each dimension is. Invariant: roots are themselves.
pub(super) struct Aliases(IndexVec<Dim, Alias>);

impl Aliases {
    /// The aliases by equations of two dimensions; nothing if they contradict each other.
    pub(super) fn of(leaf: &Leaf<'_>) -> Option<Self> {
        let mut this = Self(leaf.space.handles().map(Alias::itself).collect());
        let mut members: IndexVec<Dim, Vec<Dim>> =
            leaf.space.handles().map(|dim| vec![dim]).collect();
        for Constraint { form, relation, bound } in leaf.cube {
            let (Relation::Equal, [(x, c), (y, d)]) = (relation, form.monomials()) else {
                continue;
            };
            let kind = |dim: &Dim| leaf.space[*dim];
            if c.abs() != d.abs() || kind(x) != kind(y) || kind(x) == Numbers::Boolean {
                continue;
            }
            // x = ±y + constant
            let (negative, constant) = (c.signum() == d.signum(), bound / c);
            if kind(x).are_integral() && !constant.is_integer() {
                return None;
            }
            let (mine, theirs) = (this.0[*x].clone(), this.0[*y].then(negative, &constant));
            if mine.root == theirs.root {
                if mine.negative == theirs.negative && mine.constant != theirs.constant {
                    return None;
                }
                continue;
            }
            // ±root + k = theirs, so root = ±(theirs − k).
            let root = {
                let shifted = theirs.then(false, &-&mine.constant);
                shifted.then(mine.negative, &Rational::ZERO)
            };
            let moved = std::mem::take(&mut members[mine.root]);
            for &dim in &moved {
                let old = this.0[dim].clone();
                this.0[dim] = root.then(old.negative, &old.constant);
            }
            members[root.root].extend(moved);
        }
        Some(this)
    }
    /// What a dimension is.
    pub(super) fn of_dim(&self, dim: Dim) -> &Alias {
        &self.0[dim]
    }
}

#[cfg(test)]
mod tests {
    use shofar_base::Idx;

    use super::*;
    use crate::{Domain, Form, Intervals, Space};

    #[test]
    fn equations_are_chained() {
        let space: Space = [Numbers::Integer; 4].into_iter().collect();
        let dim = Dim::from_index;
        let equation = |x: usize, c: i64, y: usize, d: i64, bound: i64| {
            let form = Form::new(vec![(dim(x), c.into()), (dim(y), d.into())]);
            Constraint::equal(form, bound.into())
        };
        // x₀ = x₁ + 1, x₂ = −x₁ + 5, x₃ = x₂
        let mut cube =
            vec![equation(0, 1, 1, -1, 1), equation(2, 2, 1, 2, 10), equation(3, 1, 2, -1, 0)];
        let ranges = Intervals::top(4);
        let leaf = Leaf { space: &space, cube: &cube, ranges: &ranges };
        let aliases = Aliases::of(&leaf).expect("there are solutions");
        // With x₁ = 2: x₀ = 3, x₂ = x₃ = 3.
        let point = [3, 2, 3, 3].map(Rational::from);
        for (at, value) in point.iter().enumerate() {
            let alias = aliases.of_dim(dim(at));
            assert_eq!(alias.root, aliases.of_dim(dim(1)).root, "all are one");
            let root = &point[alias.root.index()];
            let signed = if alias.negative { -root } else { root.clone() };
            assert_eq!(*value, signed + &alias.constant);
        }
        cube.push(equation(0, 1, 1, -1, 2));
        let leaf = Leaf { space: &space, cube: &cube, ranges: &ranges };
        assert!(Aliases::of(&leaf).is_none());
    }
}
