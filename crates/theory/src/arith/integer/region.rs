//! The polyhedron around a fractional term: all bounds that are connected with it by common terms,
//! as a problem of its own.
//!
//! Fixed terms are constants here, so what only they connect stays apart. The region has its own
//! simplex, in which values can be moved, columns added and bounds tried without the search
//! noticing. The bounds are those of formulas, so that regions do not depend on how the integers
//! were searched, or all.

use shofar_base::{Budget, Idx, Lit, Map, Outcome, Var};
use shofar_num::{Delta, Rational};

use super::super::Arith;
use super::super::bounds::{Bound, End};
use super::super::simplex::{Feasibility, Simplex};
use super::super::tableau::Column;

/// Regions with more terms or bounded sums than this are left to branching.
const LARGEST: usize = 100;

/// Which bounds a region has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// Those of formulas.
    Formulas,
    /// Those of case distinctions as well.
    All,
}

/// A sum of the terms of a region.
pub(super) type Form = Vec<Rational>;

/// See the module documentation.
pub(super) struct Region {
    pub(super) simplex: Simplex,
    /// What the terms are in the solver. Column `i` of the region is term `i`.
    pub(super) terms: Vec<Column>,
    /// Whether a term is an integer.
    pub(super) integer: Vec<bool>,
    /// The columns of the region with bounds, each as a sum of terms.
    pub(super) limited: Vec<(Column, Form)>,
    /// The literals of the bounds, those of constants included.
    pub(super) lits: Vec<Lit>,
}

/// A literal for bounds that explain nothing.
pub(super) fn no_lit() -> Lit {
    Var::from_index(0).positive()
}

/// The bounds of a column, each with its literal.
type Ends = [Option<Bound>; 2];

fn is_constant(ends: &Ends) -> bool {
    matches!(ends, [Some(low), Some(high)] if low.value == high.value)
}

impl Arith {
    /// The region of `start`; nothing if it is large.
    pub(super) fn region(
        &self,
        budget: &Budget,
        start: Column,
        origin: Origin,
    ) -> Outcome<Option<Region>> {
        let ends = |x: Column| self.ends(x, origin);
        let Some((terms, sums)) = self.connected(start, &ends) else { return Ok(None) };
        let mut region = Region {
            simplex: Simplex::default(),
            integer: terms.iter().map(|&x| self.forms[x].integer).collect(),
            terms,
            limited: Vec::new(),
            lits: Vec::new(),
        };
        for at in 0..region.terms.len() {
            let column = region.simplex.add_column(Box::default(), region.integer[at]);
            region.adopt(column, ends(region.terms[at]), &Rational::ZERO);
        }
        for x in sums {
            let mut constant = Rational::ZERO;
            let mut form = vec![Rational::ZERO; region.terms.len()];
            for (c, y) in self.simplex.definition(x) {
                match (region.terms.binary_search(y), ends(*y)) {
                    (Ok(at), _) => form[at] = c.clone(),
                    (Err(_), fixed) => {
                        let [low, high] = fixed.map(|end| end.expect("it is constant"));
                        constant.add_mul(c, &low.value.real);
                        region.lits.extend([low.lit, high.lit]);
                    }
                }
            }
            let column = region.column(form);
            region.adopt(column, ends(x), &constant);
        }
        let found = region.simplex.solve(budget, &mut Vec::new())?;
        Ok((found == Feasibility::Feasible).then_some(region))
    }
    fn is_split(&self, bound: &Bound) -> bool {
        self.atom(bound.lit.var()).is_some_and(|id| self.atoms[id].is_split)
    }
    /// The bounds of a column.
    fn ends(&self, x: Column, origin: Origin) -> Ends {
        let limits = self.simplex.bounds.of(x);
        [(End::Lower, &limits.lower), (End::Upper, &limits.upper)].map(|(end, bound)| {
            let bound = bound.as_ref()?;
            let is_wanted = origin == Origin::All || !self.is_split(bound);
            if is_wanted { Some(bound.clone()) } else { self.older_bound(x, end) }
        })
    }
    /// The strongest bound of a column that stems from a formula.
    fn older_bound(&self, x: Column, end: End) -> Option<Bound> {
        let atoms = self.forms[x].atoms.iter().map(|&id| &self.atoms[id]);
        let bounds = atoms.filter(|atom| !atom.is_split).filter_map(|atom| {
            let positive = atom.asserted?;
            let lit = Lit::new(atom.var, positive);
            let (_, own, value) = self.meaning(lit);
            (own == end).then(|| Bound { value: value.clone(), lit })
        });
        match end {
            End::Lower => bounds.max_by(|a, b| a.value.cmp(&b.value)),
            End::Upper => bounds.min_by(|a, b| a.value.cmp(&b.value)),
        }
    }
    /// The terms and the bounded sums of the region of `start`.
    fn connected(
        &self,
        start: Column,
        ends: &dyn Fn(Column) -> Ends,
    ) -> Option<(Vec<Column>, Vec<Column>)> {
        let mut sums_of: Map<Column, Vec<Column>> = Map::default();
        for x in self.simplex.tableau.columns() {
            let definition = self.simplex.definition(x);
            if !definition.is_empty() && ends(x).iter().any(Option::is_some) {
                for (_, y) in definition {
                    sums_of.entry(*y).or_default().push(x);
                }
            }
        }
        let (mut terms, mut sums) = (vec![start], Vec::new());
        let mut next = 0;
        while let Some(&term) = terms.get(next) {
            next += 1;
            for &sum in sums_of.get(&term).map_or(&[][..], Vec::as_slice) {
                if sums.contains(&sum) {
                    continue;
                }
                sums.push(sum);
                for (_, y) in self.simplex.definition(sum) {
                    if !terms.contains(y) && !is_constant(&ends(*y)) {
                        terms.push(*y);
                    }
                }
            }
            if terms.len() > LARGEST || sums.len() > LARGEST {
                return None;
            }
        }
        terms.sort_unstable();
        sums.sort_unstable();
        Some((terms, sums))
    }
    /// Gives integer terms these values, if the real terms can be chosen to fit.
    pub(super) fn install(
        &mut self,
        budget: &Budget,
        values: &[(Column, Rational)],
    ) -> Outcome<bool> {
        let mark = self.simplex.bounds.mark();
        for (x, value) in values {
            let value = Delta::from(value.clone());
            let limits = self.simplex.bounds.of(*x);
            if limits.is_below(&value) || limits.is_above(&value) {
                self.simplex.backtrack(mark);
                return Ok(false);
            }
            for end in [End::Lower, End::Upper] {
                let bound = Bound { value: value.clone(), lit: no_lit() };
                self.simplex.bounds.tighten(*x, end, bound);
            }
            self.simplex.touch(*x);
        }
        let found = self.simplex.solve(budget, &mut Vec::new());
        if matches!(found, Ok(Feasibility::Feasible)) {
            self.simplex.bounds.undo_to(mark);
            self.simplex.settle();
            return Ok(true);
        }
        self.simplex.backtrack(mark);
        found.map(|_| false)
    }
}

impl Region {
    /// Gives a column bounds of the solver, less a constant.
    fn adopt(&mut self, column: Column, ends: Ends, constant: &Rational) {
        if ends.iter().all(Option::is_none) {
            return;
        }
        let form = self.form(column);
        self.limited.push((column, form));
        for (end, bound) in [End::Lower, End::Upper].into_iter().zip(ends) {
            if let Some(bound) = bound {
                self.limit(column, end, &bound.value - &Delta::from(constant.clone()));
                self.lits.push(bound.lit);
            }
        }
    }
    /// A column for a sum of terms.
    pub(super) fn column(&mut self, form: Form) -> Column {
        let parts = form.into_iter().enumerate().filter(|(_, c)| !c.is_zero());
        let parts: Vec<_> = parts.map(|(at, c)| (c, Column::from_index(at))).collect();
        if let [(c, x)] = &parts[..]
            && c.is_one()
        {
            return *x;
        }
        let is_integer = |(c, x): &(Rational, Column)| c.is_integer() && self.integer[x.index()];
        let integer = parts.iter().all(is_integer);
        self.simplex.add_column(parts.into(), integer)
    }
    /// The column as a sum of terms.
    fn form(&self, column: Column) -> Form {
        let mut form = vec![Rational::ZERO; self.terms.len()];
        if self.simplex.is_opaque(column) {
            form[column.index()] = Rational::ONE;
        }
        for (c, x) in self.simplex.definition(column) {
            form[x.index()] = c.clone();
        }
        form
    }
    /// Adds a bound, unless there is a stronger one.
    pub(super) fn limit(&mut self, column: Column, end: End, value: Delta) {
        let stronger = self.simplex.bounds.of(column).at(end).is_some_and(|bound| match end {
            End::Upper => bound.value <= value,
            End::Lower => bound.value >= value,
        });
        if !stronger {
            self.simplex.bounds.tighten(column, end, Bound { value, lit: no_lit() });
            self.simplex.touch(column);
        }
    }
    /// Adds bounds by which `column` has this value; false if that contradicts a bound that is
    /// there.
    pub(super) fn fix(&mut self, column: Column, value: &Rational) -> bool {
        let value = Delta::from(value.clone());
        let limits = self.simplex.bounds.of(column);
        if limits.is_below(&value) || limits.is_above(&value) {
            return false;
        }
        self.limit(column, End::Lower, value.clone());
        self.limit(column, End::Upper, value);
        true
    }
    /// The least and the greatest value of a column, if it has both.
    pub(super) fn range(
        &mut self,
        budget: &Budget,
        column: Column,
    ) -> Outcome<Option<(Delta, Delta)>> {
        let Some(low) = self.simplex.extreme(budget, column, End::Lower)? else { return Ok(None) };
        let high = self.simplex.extreme(budget, column, End::Upper)?;
        Ok(high.map(|high| (low, high)))
    }
}
