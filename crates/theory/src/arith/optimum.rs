//! The extreme values of a column: the simplex method with an objective.
//!
//! From a feasible assignment the column is moved up or down as far as the bounds permit: a
//! non-basic column of its row that improves it moves until it, or a basic column that depends on
//! it, meets a bound; in the second case the two change places. If nothing stops it, the column has
//! no bound on that side.
//!
//! Invariant: the assignment stays within all bounds. Termination: both choices follow Bland's
//! rule.
//!
//! Source: [Sch86] §11, the simplex method for bounded variables.

use shofar_base::{Budget, Outcome};
use shofar_num::{Delta, Rational};

use super::bounds::End;
use super::simplex::Simplex;
use super::tableau::{Column, Place, Row};

/// What stops a non-basic column.
enum Stop {
    /// Its own bound, after this step.
    Own(Delta),
    /// The bound of the basic column of a row.
    Basic(Row, End),
}

impl Simplex {
    /// The least or greatest value of `column`, or nothing if there is no bound. The assignment has
    /// to be feasible, and takes that value.
    pub(crate) fn extreme(
        &mut self,
        budget: &Budget,
        column: Column,
        end: End,
    ) -> Outcome<Option<Delta>> {
        loop {
            budget.check()?;
            if self.tableau.place(column) == Place::Dormant {
                self.wake(column);
            }
            let Some((entering, direction)) = self.improving(column, end) else {
                self.settle();
                return Ok(Some(self.value(column).clone()));
            };
            match self.stop(entering, direction) {
                None => {
                    self.settle();
                    return Ok(None);
                }
                Some(Stop::Own(step)) => self.shift(entering, &step),
                Some(Stop::Basic(row, end)) => self.repair(row, end, entering),
            }
        }
    }
    /// The first non-basic column, with a direction, that moves `column` towards `end`.
    fn improving(&self, column: Column, end: End) -> Option<(Column, End)> {
        let has_room = |x: Column, direction: End| {
            let (limits, value) = (self.bounds.of(x), self.value(x));
            match direction {
                End::Upper => limits.has_room_above(value),
                End::Lower => limits.has_room_below(value),
            }
        };
        let Place::Basic(row) = self.tableau.place(column) else {
            return has_room(column, end).then_some((column, end));
        };
        let sign = self.tableau.pivot_coefficient(row).is_positive();
        let others = self.tableau.entries(row).iter().filter(|entry| entry.column != column);
        let moves = others.map(|entry| {
            let same = entry.coefficient.is_positive() != sign;
            (entry.column, if same { end } else { end.opposite() })
        });
        moves.filter(|&(x, direction)| has_room(x, direction)).min_by_key(|&(x, _)| x)
    }
    /// What stops a non-basic column that moves in this direction; nothing if it can go on for
    /// ever.
    fn stop(&self, entering: Column, direction: End) -> Option<Stop> {
        let own = self.bounds.of(entering).at(direction);
        let mut least = own.map(|bound| {
            let step = &bound.value - self.value(entering);
            (length(&step), entering, Stop::Own(step))
        });
        for (row, coefficient) in self.tableau.mentions(entering) {
            let basic = self.tableau.basic(row);
            let same =
                coefficient.is_positive() != self.tableau.pivot_coefficient(row).is_positive();
            let end = if same { direction } else { direction.opposite() };
            let Some(bound) = self.bounds.of(basic).at(end) else { continue };
            let ratio = (self.tableau.pivot_coefficient(row) / coefficient).abs();
            let room = length(&(&bound.value - self.value(basic))).scale(&ratio);
            let closer = least.as_ref().is_none_or(|(l, x, _)| (&room, basic) < (l, *x));
            if closer {
                least = Some((room, basic, Stop::Basic(row, end)));
            }
        }
        least.map(|(_, _, stop)| stop)
    }
}

fn length(step: &Delta) -> Delta {
    if *step < Delta::ZERO { step.scale(&Rational::MINUS_ONE) } else { step.clone() }
}

#[cfg(test)]
mod tests {
    use shofar_base::{Idx, Rng, Var};

    use super::super::bounds::Bound;
    use super::super::simplex::Feasibility;
    use super::*;

    fn limit(simplex: &mut Simplex, column: Column, low: Option<i64>, high: Option<i64>) {
        for (end, value) in [(End::Lower, low), (End::Upper, high)] {
            if let Some(value) = value {
                let bound = Bound {
                    value: Rational::from(value).into(),
                    lit: Var::from_index(0).positive(),
                };
                simplex.bounds.tighten(column, end, bound);
                simplex.touch(column);
            }
        }
    }

    /// The greatest value of `x + y` for `x`, `y` in boxes and `x - y` within limits, compared with
    /// all points of the grid.
    #[test]
    fn extremes_agree_with_enumeration() {
        let budget = Budget::unlimited();
        let mut rng = Rng::new(8);
        for _ in 0..300 {
            let mut simplex = Simplex::default();
            let [x, y] = [(); 2].map(|()| simplex.add_column(Box::default(), true));
            let one = Rational::ONE;
            let sum = simplex.add_column(Box::new([(one.clone(), x), (one.clone(), y)]), true);
            let difference =
                simplex.add_column(Box::new([(one.clone(), x), (Rational::MINUS_ONE, y)]), true);
            let (wide, narrow) = (rng.range(0, 6), rng.range(-4, 4));
            limit(&mut simplex, x, Some(-wide), Some(wide));
            limit(&mut simplex, y, Some(-3), Some(5));
            limit(&mut simplex, difference, None, Some(narrow));
            let found = simplex.solve(&budget, &mut Vec::new()).unwrap();
            let points = (-wide..=wide).flat_map(|a| (-3..=5).map(move |b| (a, b)));
            let sums: Vec<i64> =
                points.filter(|(a, b)| a - b <= narrow).map(|(a, b)| a + b).collect();
            assert_eq!(found == Feasibility::Feasible, !sums.is_empty());
            if let (Some(&low), Some(&high)) = (sums.iter().min(), sums.iter().max()) {
                let high: Delta = Rational::from(high).into();
                let low: Delta = Rational::from(low).into();
                assert_eq!(simplex.extreme(&budget, sum, End::Upper).unwrap(), Some(high));
                assert_eq!(simplex.extreme(&budget, sum, End::Lower).unwrap(), Some(low));
            }
        }
    }

    #[test]
    fn what_nothing_limits_has_no_extreme() {
        let budget = Budget::unlimited();
        let mut simplex = Simplex::default();
        let [x, y] = [(); 2].map(|()| simplex.add_column(Box::default(), false));
        let parts = Box::new([(Rational::ONE, x), (Rational::MINUS_ONE, y)]);
        let difference = simplex.add_column(parts, false);
        limit(&mut simplex, difference, Some(0), Some(2));
        limit(&mut simplex, x, Some(1), None);
        assert_eq!(simplex.solve(&budget, &mut Vec::new()).unwrap(), Feasibility::Feasible);
        assert_eq!(simplex.extreme(&budget, x, End::Upper).unwrap(), None);
        let low = simplex.extreme(&budget, y, End::Lower).unwrap();
        assert_eq!(low, Some(Rational::from(-1).into()));
    }
}
