//! The Hermite normal form of an integer matrix, by columns, as far as it is needed to find a
//! fractional form.
//!
//! For a matrix `A` there is a unimodular `U` with `A·U = [H 0]`, `H` lower triangular. With
//! `V = U⁻¹`, which is integral as well, the system `A·x = b` says `H·y = b` for the first entries
//! of `y = V·x`. Forward substitution gives the `y_i` one after the other; the first one that is
//! not an integer is a proof that `A·x = b` has no integral solution: row `i` of `V` is an integral
//! form that has to be fractional. If all are integral, the remaining rows of `V` are forms that
//! the system leaves open and that make `x` integral as soon as they are.
//!
//! Column operations on `A` are row operations on `V`, so `U` itself is never built. Rows of `A`
//! that depend on earlier ones are skipped. Numbers may grow; the computation ends without a result
//! when they pass a limit.
//!
//! Source: [DDA09]; the form itself [Sch86] §4.1. Symbols: `H⁻¹A` → the first rows of `forms`,
//! `H⁻¹b` → `solution`. DIVERGENCE [DDA09]: entries left of the diagonal are not reduced, because
//! only `V` is of interest.

use shofar_num::{Delta, Rational};

use super::is_integral;

/// Entries with more bits than this end the computation.
const WIDEST: usize = 160;

/// An integral form that is not integral under the constraints, or the open forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Forms {
    /// The constraints force the form to the fractional value.
    Refuted { form: Vec<Rational>, value: Delta },
    /// The constraints have an integral solution; these forms are independent of them.
    Open { forms: Vec<Vec<Rational>>, others: Vec<Affine> },
}

/// A sum in terms of the open forms: a constant and the coefficients of the forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Affine {
    pub(super) constant: Delta,
    pub(super) coefficients: Vec<Rational>,
}

/// Runs the computation on the system `Σ_j matrix[i][j]·x_j = right[i]`; `None` if numbers grow too
/// much.
///
/// Rows of the matrix without a right side are sums to be written in terms of the open forms.
pub(super) fn decompose(matrix: &[Vec<Rational>], right: &[Delta], width: usize) -> Option<Forms> {
    let mut work = Decomposition::new(matrix, width);
    for (row, constant) in right.iter().enumerate() {
        if !work.triangulate(row)? {
            continue;
        }
        let rank = work.solution.len();
        let mut value = constant.clone();
        for (column, y) in work.columns.iter().zip(&work.solution) {
            value.sub_mul(&column[row], y);
        }
        value = value.scale(&work.columns[rank][row].recip());
        if !is_integral(&value) {
            return Some(Forms::Refuted { form: work.forms.swap_remove(rank), value });
        }
        work.solution.push(value);
    }
    let rank = work.solution.len();
    let others = (right.len()..matrix.len()).map(|row| work.affine(row)).collect();
    Some(Forms::Open { forms: work.forms.split_off(rank), others })
}

/// The rows of a matrix in terms of a basis that the first of them span.
pub(super) struct Span {
    /// The matrix `V`: its first `rank` rows generate all integral forms that are combinations of
    /// the spanning rows.
    pub(super) forms: Vec<Vec<Rational>>,
    pub(super) rank: usize,
    /// The coefficients of the rows in terms of the forms, form by form.
    pub(super) columns: Vec<Vec<Rational>>,
}

/// Runs the computation on the first `height` rows of `matrix` without right sides, and writes all
/// rows in terms of the forms.
pub(super) fn saturate(matrix: &[Vec<Rational>], height: usize, width: usize) -> Option<Span> {
    let mut work = Decomposition::new(matrix, width);
    for row in 0..height {
        if work.triangulate(row)? {
            work.solution.push(Delta::ZERO);
        }
    }
    Some(Span { rank: work.solution.len(), forms: work.forms, columns: work.columns })
}

struct Decomposition {
    /// The matrix `A·U`, column by column.
    columns: Vec<Vec<Rational>>,
    /// The matrix `V`, row by row.
    forms: Vec<Vec<Rational>>,
    /// The values of the first forms.
    solution: Vec<Delta>,
}

impl Decomposition {
    fn new(matrix: &[Vec<Rational>], width: usize) -> Self {
        let column = |j: usize| matrix.iter().map(|row| row[j].clone()).collect();
        let unit = |j: usize| {
            (0..width).map(|i| if i == j { Rational::ONE } else { Rational::ZERO }).collect()
        };
        Self {
            columns: (0..width).map(column).collect(),
            forms: (0..width).map(unit).collect(),
            solution: Vec::new(),
        }
    }
    /// The sum of `row`, in terms of the forms that the equations leave open.
    fn affine(&self, row: usize) -> Affine {
        let (solved, open) = self.columns.split_at(self.solution.len());
        let mut constant = Delta::from(Rational::ZERO);
        for (column, y) in solved.iter().zip(&self.solution) {
            constant.add_mul(&column[row], y);
        }
        Affine { constant, coefficients: open.iter().map(|column| column[row].clone()).collect() }
    }
    /// Clears `row` right of the diagonal by the algorithm of Euclid; false if the row depends on
    /// earlier ones.
    fn triangulate(&mut self, row: usize) -> Option<bool> {
        let rank = self.solution.len();
        loop {
            let nonzero = |&j: &usize| !self.columns[j][row].is_zero();
            let candidates = (rank..self.columns.len()).filter(nonzero);
            let Some(pivot) = candidates.min_by_key(|&j| self.columns[j][row].abs()) else {
                return Some(false);
            };
            self.columns.swap(rank, pivot);
            self.forms.swap(rank, pivot);
            let mut done = true;
            for j in rank + 1..self.columns.len() {
                if !self.columns[j][row].is_zero() {
                    self.reduce(row, rank, j)?;
                    done &= self.columns[j][row].is_zero();
                }
            }
            if done {
                return Some(true);
            }
        }
    }
    /// Subtracts the multiple of column `pivot` from column `j` that leaves the least remainder in
    /// `row`.
    fn reduce(&mut self, row: usize, pivot: usize, j: usize) -> Option<()> {
        let [from, to] = self.columns.get_disjoint_mut([pivot, j]).expect("two columns");
        let quotient = (&to[row] / &from[row] + Rational::new(1, 2)).floor();
        if quotient.bits() > WIDEST {
            return None;
        }
        for (t, f) in to.iter_mut().zip(from.iter()).skip(row) {
            t.sub_mul(&quotient, f);
        }
        let [target, source] = self.forms.get_disjoint_mut([pivot, j]).expect("two forms");
        for (t, s) in target.iter_mut().zip(source.iter()) {
            t.add_mul(&quotient, s);
            if t.bits() > WIDEST {
                return None;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use shofar_base::Rng;

    use super::*;

    fn numbers(values: &[i64]) -> Vec<Rational> {
        values.iter().map(|&v| Rational::from(v)).collect()
    }

    fn deltas(values: &[i64]) -> Vec<Delta> {
        values.iter().map(|&v| Rational::from(v).into()).collect()
    }

    #[test]
    fn parity_is_refuted() {
        // x + y = 1 and x - y = 0 force 2x = 1.
        let matrix = [numbers(&[1, 1]), numbers(&[1, -1])];
        let forms = decompose(&matrix, &deltas(&[1, 0]), 2).unwrap();
        let Forms::Refuted { form, value } = forms else { panic!("{forms:?}") };
        assert!(form.iter().all(Rational::is_integer) && !is_integral(&value));
        // The form has this value at the only rational solution (1/2, 1/2).
        let half = Rational::new(1, 2);
        assert_eq!(form.iter().map(|c| c * &half).sum::<Rational>(), value.real);
    }

    #[test]
    fn other_sums_are_written_in_open_forms() {
        // With 2x + 3y = 1 the sum 4x + 9y is 2 + 3y, and y is odd.
        let matrix = [numbers(&[2, 3]), numbers(&[4, 9])];
        let forms = decompose(&matrix, &deltas(&[1]), 2).unwrap();
        let Forms::Open { forms, others } = forms else { panic!("{forms:?}") };
        assert_eq!((forms.len(), others.len()), (1, 1));
        for (x, y) in [(-1, 1), (2, -1), (-4, 3)] {
            let value = &forms[0][0] * &Rational::from(x) + &forms[0][1] * &Rational::from(y);
            let sum = &others[0].constant.real + &(&others[0].coefficients[0] * &value);
            assert_eq!(sum, Rational::from(4 * x + 9 * y));
        }
        assert_eq!(others[0].coefficients[0].abs(), Rational::from(6));
    }

    #[test]
    fn solvable_systems_are_never_refuted() {
        let mut rng = Rng::new(3);
        for _ in 0..500 {
            let (height, width) = (1 + rng.below(4), 1 + rng.below(5));
            let solution: Vec<i64> = (0..width).map(|_| rng.range(-9, 9)).collect();
            let mut entries = || (0..width).map(|_| rng.range(-6, 6)).collect::<Vec<i64>>();
            let rows: Vec<Vec<i64>> = (0..height).map(|_| entries()).collect();
            let value = |row: &Vec<i64>| row.iter().zip(&solution).map(|(a, x)| a * x).sum::<i64>();
            let right: Vec<i64> = rows.iter().map(value).collect();
            let matrix: Vec<_> = rows.iter().map(|row| numbers(row)).collect();
            let forms = decompose(&matrix, &deltas(&right), width).unwrap();
            let Forms::Open { forms: open, .. } = forms else { panic!("{rows:?} {solution:?}") };
            assert!(open.len() >= width.saturating_sub(height));
        }
    }
}
