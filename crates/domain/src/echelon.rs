//! Sparse matrices in reduced row echelon form.
//!
//! Rows are [`Form`]s over columns. Invariant: the first column of a row, its pivot, has the
//! coefficient 1 and occurs in no other row; rows are sorted by pivot. So equal row spaces have
//! equal matrices.

use shofar_num::Rational;

use crate::{Dim, Form, is_handy};

/// The row space of the rows that were added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Echelon {
    rows: Vec<Form>,
}

impl Echelon {
    /// The rows, sorted by pivot.
    pub(crate) fn rows(&self) -> &[Form] {
        &self.rows
    }
    /// What is left of a row without the pivots of the matrix; 0 if it is in the row space.
    pub(crate) fn reduced(&self, row: &Form) -> Form {
        let mut monomials = row.monomials().to_vec();
        for (column, c) in row.monomials() {
            let Some(at) = self.position(*column) else { continue };
            let others = self.rows[at].monomials().iter();
            monomials.extend(others.map(|(column, d)| (*column, -(c * d))));
        }
        Form::new(monomials)
    }
    /// The row with this pivot.
    fn position(&self, pivot: Dim) -> Option<usize> {
        self.rows.binary_search_by_key(&pivot, leading).ok()
    }
    /// Adds a row. One with numbers that are too large is left out.
    pub(crate) fn add(&mut self, row: &Form) {
        let row = self.reduced(row);
        let Some((pivot, first)) = row.monomials().first().cloned() else { return };
        let inverse = first.recip();
        let row = scaled(&row, &inverse);
        if !row.monomials().iter().all(|(_, c)| is_handy(c)) {
            return;
        }
        for other in &mut self.rows {
            let at = other.monomials().binary_search_by_key(&pivot, |&(column, _)| column);
            let Ok(at) = at else { continue };
            let factor = -&other.monomials()[at].1;
            let mut monomials = other.monomials().to_vec();
            monomials.extend(scaled(&row, &factor).monomials().iter().cloned());
            *other = Form::new(monomials);
        }
        self.rows.retain(|other| other.monomials().iter().all(|(_, c)| is_handy(c)));
        let at = self.rows.partition_point(|other| leading(other) < pivot);
        self.rows.insert(at, row);
    }
}

/// The pivot of a row.
fn leading(row: &Form) -> Dim {
    row.monomials().first().expect("no row is 0").0
}

fn scaled(row: &Form, factor: &Rational) -> Form {
    Form::new(row.monomials().iter().map(|(column, c)| (*column, c * factor)).collect())
}
