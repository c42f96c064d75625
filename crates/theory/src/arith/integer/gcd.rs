//! The gcd test: a row whose free part cannot be integral.
//!
//! In a row of integer columns `Σ a_j·x_j = 0` let the fixed columns add up to `c` and let `g` be
//! the greatest common divisor of the other coefficients. If `g` does not divide `c`, there is no
//! integral solution: the form `Σ (a_j/g)·x_j` over the others equals `-c/g`, which is not an
//! integer. Splitting on this form closes both cases.
//!
//! Source: [DdM06b], the gcd test.

use shofar_num::{Rational, gcd};

use super::super::Arith;
use super::super::tableau::{Column, Place, Row};
use super::Cut;

impl Arith {
    /// A split that refutes the row of one of the fractional columns.
    pub(super) fn gcd_split(&self, fractional: &[Column]) -> Option<Cut> {
        fractional.iter().find_map(|&x| match self.simplex.tableau.place(x) {
            Place::Basic(row) => self.gcd_test(row),
            Place::NonBasic | Place::Dormant => None,
        })
    }
    fn gcd_test(&self, row: Row) -> Option<Cut> {
        let (mut common, mut constant) = (Rational::ZERO, Rational::ZERO);
        for entry in self.simplex.tableau.entries(row) {
            if !self.forms[entry.column].integer {
                return None;
            }
            if self.simplex.bounds.of(entry.column).is_fixed() {
                constant.add_mul(&entry.coefficient, &self.simplex.value(entry.column).real);
            } else {
                common = gcd(&common, &entry.coefficient);
                if common.is_one() {
                    return None;
                }
            }
        }
        let value = -(constant / &common);
        if value.is_integer() {
            return None;
        }
        let entries = self.simplex.tableau.entries(row).iter();
        let form: Vec<(Rational, Column)> = entries
            .filter(|entry| !self.simplex.bounds.of(entry.column).is_fixed())
            .map(|entry| (&entry.coefficient / &common, entry.column))
            .collect();
        self.split_at(&form, &value.into())
    }
}
