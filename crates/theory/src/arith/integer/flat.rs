//! Branches along flat directions: complete where branching on terms is not.
//!
//! A thin region between long parallel bounds may hold no integral point, while every term has many
//! values left, or infinitely many; branching on terms then takes as many steps as there are
//! values. In the coordinates of `lattice` the region is bounded and roughly round, so it is empty
//! after few branches, or one finds a point. A *plan* lists the sums to branch on. It follows from
//! bounds of formulas only, and is kept, so that it does not depend on the branches that were
//! taken, and the tree of branches is finite wherever these bounds hold. Once all sums of the plan
//! are integral, an integral point is constructed: the bounds that limit a sum on one side only are
//! pushed inwards until rounding the other coordinates stays within them.
//!
//! Source: [Len83], that a region without integral points is flat in some direction; [Bro18] for
//! regions without bounds.

use std::collections::VecDeque;

use shofar_base::{Budget, Lit, Outcome};
use shofar_num::{Delta, Rational};

use super::super::Arith;
use super::super::bounds::End;
use super::super::simplex::Feasibility;
use super::super::tableau::Column;
use super::lattice::{Integral, Lattice};
use super::region::{Form, Origin, Region};
use super::{Cut, is_integral};

/// The most case distinctions from one plan to the next.
const LONGEST_PAUSE: u32 = 16;
/// How often one-sided bounds are pushed inwards, by four times as much each time.
const MOST_PUSHES: usize = 40;

/// How many plans are kept.
const MOST_PLANS: usize = 16;

/// Sums of terms to branch on, in this order.
#[derive(Clone, Debug)]
struct Plan {
    /// The literals that bound the sums.
    lits: Vec<Lit>,
    /// The terms that are integral where the sums are.
    terms: Vec<Column>,
    forms: Vec<Vec<(Rational, Column)>>,
}

/// The plans, and when further ones are made.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Planning {
    /// The latest last.
    plans: VecDeque<Plan>,
    made: u32,
    next: u32,
}

impl Planning {
    /// Forgets everything.
    pub(in super::super) fn clear(&mut self) {
        *self = Self::default();
    }
    fn keep(&mut self, plan: Plan) {
        if self.plans.len() == MOST_PLANS {
            self.plans.pop_front();
        }
        self.plans.push_back(plan);
    }
    fn count(&mut self, splits: u32) {
        self.made += 1;
        self.next = splits + self.made.min(LONGEST_PAUSE);
    }
}

/// What a look at a region gives.
pub(super) enum Flat {
    /// Nothing that helps.
    Nothing,
    /// A split.
    Split(Cut),
    /// The terms of the region have integral values now.
    Solved,
}

impl Arith {
    /// A split on a sum of a plan, which is made if need be.
    pub(super) fn flat_split(&mut self, budget: &Budget, fractional: &[Column]) -> Outcome<Flat> {
        let start = fractional[0];
        let mut is_planned = false;
        for plan in self.integer.planning.plans.iter().rev() {
            if plan.terms.contains(&start) && plan.lits.iter().all(|&lit| self.is_asserted(lit)) {
                is_planned = true;
                if let Some(cut) = self.next_branch(&plan.forms) {
                    return Ok(Flat::Split(cut));
                }
            }
        }
        let splits = self.integer.splits;
        if !is_planned && splits < self.integer.planning.next.max(self.options.splits_before_plans)
        {
            return Ok(Flat::Nothing);
        }
        self.integer.planning.count(splits);
        for origin in [Origin::Formulas, Origin::All] {
            let found = self.look_around(budget, start, origin)?;
            if !matches!(found, Flat::Nothing) {
                return Ok(found);
            }
        }
        Ok(Flat::Nothing)
    }
    fn is_asserted(&self, lit: Lit) -> bool {
        let atom = self.atom(lit.var()).map(|id| &self.atoms[id]);
        atom.is_some_and(|atom| atom.asserted == Some(lit.is_positive()))
    }
    /// What the region of `start` says; a plan is kept if it follows from formulas, and a point is
    /// sought among all bounds.
    fn look_around(&mut self, budget: &Budget, start: Column, origin: Origin) -> Outcome<Flat> {
        let Some(mut region) = self.region(budget, start, origin)? else {
            return Ok(Flat::Nothing);
        };
        let plans = &self.integer.planning.plans;
        if origin == Origin::Formulas && plans.iter().any(|plan| plan.lits == region.lits) {
            return Ok(Flat::Nothing);
        }
        let Some(found) = region.integral_points(budget)? else { return Ok(Flat::Nothing) };
        let lattice = match found {
            Integral::Refuted { form, value } => {
                let cut = self.split_at(&parts(&region, &form), &value);
                return Ok(cut.map_or(Flat::Nothing, Flat::Split));
            }
            Integral::Points(lattice) => lattice,
        };
        let forms: Vec<_> = lattice.branches.iter().map(|form| parts(&region, form)).collect();
        let cut = self.next_branch(&forms);
        if origin == Origin::Formulas {
            let (lits, terms) = (region.lits.clone(), region.terms.clone());
            self.integer.planning.keep(Plan { lits, terms, forms });
        }
        match (cut, origin) {
            (Some(cut), _) => return Ok(Flat::Split(cut)),
            (None, Origin::Formulas) => return Ok(Flat::Nothing),
            (None, Origin::All) => {}
        }
        let Some(values) = self.lift(budget, &mut region, &lattice)? else {
            return Ok(Flat::Nothing);
        };
        let solved = self.install(budget, &values)?;
        Ok(if solved { Flat::Solved } else { Flat::Nothing })
    }
    /// The split of the first sum that is fractional.
    fn next_branch(&self, forms: &[Vec<(Rational, Column)>]) -> Option<Cut> {
        forms.iter().find_map(|form| {
            let value = self.value_of(form);
            if is_integral(&value) { None } else { self.split_at(form, &value) }
        })
    }
    fn value_of(&self, form: &[(Rational, Column)]) -> Delta {
        let mut value = Delta::ZERO;
        for (c, x) in form {
            value.add_mul(c, &self.simplex.evaluate(*x));
        }
        value
    }
    /// Integral values for the integer terms of a region where the bounded coordinates have the
    /// values they have now, which are integral.
    fn lift(
        &self,
        budget: &Budget,
        region: &mut Region,
        lattice: &Lattice,
    ) -> Outcome<Option<Vec<(Column, Rational)>>> {
        let mut place = Vec::with_capacity(lattice.forms.len());
        for form in &lattice.forms[..lattice.bounded] {
            let value = self.value_of(&parts(region, form));
            let column = region.column(form.clone());
            if !is_integral(&value) || !region.fix(column, &value.real) {
                return Ok(None);
            }
            place.push(value.real);
        }
        if region.simplex.solve(budget, &mut Vec::new())? != Feasibility::Feasible {
            return Ok(None);
        }
        let loose = region.one_sided(budget)?;
        let mut push = Rational::ONE;
        for _ in 0..MOST_PUSHES {
            place.truncate(lattice.bounded);
            let Some(point) = region.inner_point(budget, &loose, &push)? else { return Ok(None) };
            for form in &lattice.forms[lattice.bounded..] {
                let value: Rational = form.iter().zip(&point).map(|(c, x)| c * x).sum();
                place.push((value + Rational::new(1, 2)).floor());
            }
            let values = region.values_at(lattice, &place);
            if region.accepts(budget, &values)? {
                let named = values.into_iter().map(|(at, value)| (region.terms[at], value));
                return Ok(Some(named.collect()));
            }
            push *= &Rational::from(4);
        }
        Ok(None)
    }
}

/// A form over the terms of a region, by columns of the solver.
fn parts(region: &Region, form: &Form) -> Vec<(Rational, Column)> {
    let all = form.iter().cloned().zip(region.terms.iter().copied());
    all.filter(|(c, _)| !c.is_zero()).collect()
}

impl Region {
    /// Whether a column has a least and a greatest value.
    pub(super) fn is_bounded(&mut self, budget: &Budget, column: Column) -> Outcome<bool> {
        for end in [End::Lower, End::Upper] {
            let is_known = self.simplex.bounds.of(column).at(end).is_some();
            if !is_known && self.simplex.extreme(budget, column, end)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }
    /// The bounds of columns that may move away from them for ever.
    fn one_sided(&mut self, budget: &Budget) -> Outcome<Vec<(Column, End, Delta)>> {
        let mut found = Vec::new();
        for (column, _) in self.limited.clone() {
            if !self.is_bounded(budget, column)? {
                let limits = self.simplex.bounds.of(column);
                for end in [End::Lower, End::Upper] {
                    found.extend(limits.at(end).map(|bound| (column, end, bound.value.clone())));
                }
            }
        }
        Ok(found)
    }
    /// The terms at a point that is this far away from the bounds `loose`.
    fn inner_point(
        &mut self,
        budget: &Budget,
        loose: &[(Column, End, Delta)],
        push: &Rational,
    ) -> Outcome<Option<Vec<Rational>>> {
        let mark = self.simplex.bounds.mark();
        for (column, end, value) in loose {
            let step = Delta::from(match end {
                End::Lower => push.clone(),
                End::Upper => -push,
            });
            self.limit(*column, *end, value + &step);
        }
        let found = self.simplex.solve(budget, &mut Vec::new())?;
        let columns = self.simplex.tableau.columns().take(self.terms.len());
        let point = (found == Feasibility::Feasible)
            .then(|| columns.map(|x| self.simplex.evaluate(x).real).collect());
        self.simplex.backtrack(mark);
        Ok(point)
    }
    /// The integer terms, by place, where the coordinates are `place`.
    fn values_at(&self, lattice: &Lattice, place: &[Rational]) -> Vec<(usize, Rational)> {
        let mut values = lattice.origin.clone();
        for (direction, z) in lattice.directions.iter().zip(place) {
            for (value, d) in values.iter_mut().zip(direction) {
                value.add_mul(d, z);
            }
        }
        let integers = (0..self.terms.len()).filter(|&i| self.integer[i]);
        integers.zip(values).collect()
    }
    /// Whether real terms fit to these values of the integer terms.
    fn accepts(&mut self, budget: &Budget, values: &[(usize, Rational)]) -> Outcome<bool> {
        let mark = self.simplex.bounds.mark();
        let columns: Vec<Column> = self.simplex.tableau.columns().collect();
        let fits = values.iter().all(|(at, value)| self.fix(columns[*at], value));
        let found = fits && self.simplex.solve(budget, &mut Vec::new())? == Feasibility::Feasible;
        self.simplex.backtrack(mark);
        Ok(found)
    }
}
