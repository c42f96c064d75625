//! Equations between integer terms that hold at the present vertex, and the sums that they say
//! something about.
//!
//! Constraints are tight at the vertex if their column sits on a bound. They may mention real
//! terms; these are eliminated by Gauss's method, so what remains is what the constraints say about
//! integers alone. An equation that strict bounds make tight holds up to an infinitesimal, which is
//! why right sides are numbers with an infinitesimal part.

use shofar_base::Set;
use shofar_num::{Delta, Rational, lcm};

use super::super::Arith;
use super::super::tableau::{Column, Row};

/// Systems with more constraints or terms than this are left to branching.
const LARGEST: usize = 60;

/// Equations between opaque integer terms, and other sums over them.
pub(super) struct System {
    /// The left sides of the equations, then the sums; all coefficients are integral.
    pub(super) matrix: Vec<Vec<Rational>>,
    /// The right sides of the equations.
    pub(super) right: Vec<Delta>,
    /// The bounded columns that the sums stand for.
    pub(super) bounded: Vec<Bounded>,
    /// The terms that the coefficients belong to, in increasing order.
    pub(super) terms: Vec<Column>,
}

/// A column `x` with `scale·x = sum + offset`.
pub(super) struct Bounded {
    pub(super) column: Column,
    pub(super) scale: Rational,
    pub(super) offset: Delta,
}

/// Which of the tight constraints take part.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Those of the fixed columns of the row.
    Fixed,
    /// Those of all fixed columns that are connected with the row by common terms; bounded columns
    /// are looked at as well.
    Connected,
    /// All tight ones of the row.
    Tight,
    /// All tight ones that are connected with the row by common terms.
    Vertex,
}

/// A sum of terms and a constant.
struct Sum {
    coefficients: Vec<Rational>,
    constant: Delta,
}

impl Sum {
    /// Removes the term at `at` with the help of the equation `other = 0`.
    fn eliminate(&mut self, at: usize, other: &Sum) {
        if self.coefficients[at].is_zero() {
            return;
        }
        let factor = &self.coefficients[at] / &other.coefficients[at];
        for (c, o) in self.coefficients.iter_mut().zip(&other.coefficients) {
            c.sub_mul(&factor, o);
        }
        self.constant.sub_mul(&factor, &other.constant);
    }
    /// Multiplies so that the coefficients are integral, and returns the factor.
    fn make_integral(&mut self) -> Rational {
        let scale = self.coefficients.iter().fold(Rational::ONE, |d, c| lcm(&d, &c.denominator()));
        for c in &mut self.coefficients {
            *c = &*c * &scale;
        }
        self.constant = self.constant.scale(&scale);
        scale
    }
}

impl Arith {
    /// The tight constraints of a row, with the terms that are themselves constrained replaced by
    /// their values.
    pub(super) fn tight_system(&self, row: Row, reach: Reach) -> Option<System> {
        let basic = self.simplex.tableau.basic(row);
        let (mut sums, mut loose) = (Vec::new(), Vec::new());
        let mut constant: Set<Column> = Set::default();
        for entry in self.simplex.tableau.entries(row) {
            let x = entry.column;
            let takes_part = x != basic && self.takes_part(x, reach);
            match (takes_part, self.simplex.is_opaque(x)) {
                (true, true) => {
                    constant.insert(x);
                }
                (true, false) => sums.push(x),
                (false, _) => loose.push(x),
            }
        }
        if matches!(reach, Reach::Connected | Reach::Vertex) {
            self.connect(reach, &mut sums, &loose, &mut constant);
        }
        let terms = self.terms_of(sums.iter().chain(&loose), &constant);
        if sums.is_empty() || sums.len() > LARGEST || terms.len() > LARGEST {
            return None;
        }
        let mut bounded = Vec::new();
        if reach == Reach::Connected {
            let columns = self.simplex.tableau.columns().filter(|&x| self.is_bounded(x));
            bounded.extend(columns.filter_map(|x| Some((x, self.sum(x, &terms, &constant)?))));
            bounded.truncate(LARGEST);
        }
        let mut equations = Vec::with_capacity(sums.len());
        for x in sums {
            let mut equation = self.sum(x, &terms, &constant)?;
            equation.constant -= self.simplex.value(x);
            equations.push(equation);
        }
        self.integer_part(terms, equations, bounded)
    }
    fn takes_part(&self, x: Column, reach: Reach) -> bool {
        let limits = self.simplex.bounds.of(x);
        match reach {
            Reach::Fixed | Reach::Connected => limits.is_fixed(),
            Reach::Tight | Reach::Vertex => limits.is_tight(self.simplex.value(x)),
        }
    }
    fn is_bounded(&self, x: Column) -> bool {
        let limits = self.simplex.bounds.of(x);
        (limits.lower.is_some() || limits.upper.is_some()) && !limits.is_fixed()
    }
    /// Adds the sums that take part and share a term, directly or through others, with those that
    /// are there.
    fn connect(
        &self,
        reach: Reach,
        sums: &mut Vec<Column>,
        loose: &[Column],
        constant: &mut Set<Column>,
    ) {
        let takes_part = |x: &Column| self.takes_part(*x, reach);
        let (opaque, mut rest): (Vec<_>, Vec<_>) = self
            .simplex
            .tableau
            .columns()
            .filter(takes_part)
            .partition(|&x| self.simplex.is_opaque(x));
        constant.extend(opaque);
        rest.retain(|x| !sums.contains(x));
        let mut reached: Set<Column> =
            self.terms_of(sums.iter().chain(loose), constant).into_iter().collect();
        while sums.len() <= LARGEST {
            let touches = |x: &mut Column| {
                self.simplex.definition(*x).iter().any(|(_, y)| reached.contains(y))
            };
            let new: Vec<Column> = rest.extract_if(.., touches).collect();
            if new.is_empty() {
                return;
            }
            reached.extend(self.terms_of(new.iter(), constant));
            sums.extend(new);
        }
    }
    /// The opaque terms in the definitions of `columns`, without the constant ones.
    fn terms_of<'a>(
        &self,
        columns: impl Iterator<Item = &'a Column>,
        constant: &Set<Column>,
    ) -> Vec<Column> {
        let mut terms: Vec<Column> = Vec::new();
        for &x in columns {
            if self.simplex.is_opaque(x) {
                terms.push(x);
            }
            terms.extend(self.simplex.definition(x).iter().map(|(_, y)| *y));
        }
        terms.sort_unstable();
        terms.dedup();
        terms.retain(|x| !constant.contains(x));
        terms
    }
    /// A column as a sum over `terms`, the constant ones replaced by their values; `None` if it has
    /// others.
    fn sum(&self, x: Column, terms: &[Column], constant: &Set<Column>) -> Option<Sum> {
        let zero = Delta::from(Rational::ZERO);
        let mut sum = Sum { coefficients: vec![Rational::ZERO; terms.len()], constant: zero };
        let mut add = |c: &Rational, y: Column| {
            if constant.contains(&y) {
                sum.constant.add_mul(c, self.simplex.value(y));
            } else {
                sum.coefficients[terms.binary_search(&y).ok()?] = c.clone();
            }
            Some(())
        };
        if self.simplex.is_opaque(x) {
            add(&Rational::ONE, x)?;
        }
        for (c, y) in self.simplex.definition(x) {
            add(c, *y)?;
        }
        Some(sum)
    }
    /// Eliminates the real terms; what cannot do without them is dropped. `None` if no equation is
    /// left.
    fn integer_part(
        &self,
        mut terms: Vec<Column>,
        mut equations: Vec<Sum>,
        mut bounded: Vec<(Column, Sum)>,
    ) -> Option<System> {
        for at in (0..terms.len()).rev() {
            if self.forms[terms[at]].integer {
                continue;
            }
            if let Some(i) = equations.iter().position(|e| !e.coefficients[at].is_zero()) {
                let pivot = equations.swap_remove(i);
                let rest = equations.iter_mut().chain(bounded.iter_mut().map(|(_, sum)| sum));
                rest.for_each(|sum| sum.eliminate(at, &pivot));
            }
            bounded.retain(|(_, sum)| sum.coefficients[at].is_zero());
            terms.remove(at);
            let rest = equations.iter_mut().chain(bounded.iter_mut().map(|(_, sum)| sum));
            rest.for_each(|sum| {
                sum.coefficients.remove(at);
            });
        }
        equations.retain(|e| e.coefficients.iter().any(|c| !c.is_zero()));
        if equations.is_empty() {
            return None;
        }
        let mut system =
            System { matrix: Vec::new(), right: Vec::new(), bounded: Vec::new(), terms };
        for mut equation in equations {
            equation.make_integral();
            system.matrix.push(equation.coefficients);
            system.right.push(-equation.constant);
        }
        for (column, mut sum) in bounded {
            let scale = sum.make_integral();
            system.matrix.push(sum.coefficients);
            system.bounded.push(Bounded { column, scale, offset: sum.constant });
        }
        Some(system)
    }
}
