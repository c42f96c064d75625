//! Vectors that are orthogonal to given ones.

use shofar_num::{Rational, gcd, lcm};

/// A basis of the vectors orthogonal to all `rows`, each with an entry 1 where the others have 0.
pub(crate) fn orthogonals(mut rows: Vec<Vec<Rational>>, dimension: usize) -> Vec<Vec<Rational>> {
    let mut pivots: Vec<usize> = Vec::new();
    for column in 0..dimension {
        let rank = pivots.len();
        let Some(at) = (rank..rows.len()).find(|&i| !rows[i][column].is_zero()) else { continue };
        rows.swap(rank, at);
        let inverse = rows[rank][column].recip();
        for entry in &mut rows[rank] {
            *entry *= &inverse;
        }
        let pivot = rows[rank].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            if i != rank && !row[column].is_zero() {
                let factor = row[column].clone();
                for (entry, p) in row.iter_mut().zip(&pivot) {
                    entry.sub_mul(&factor, p);
                }
            }
        }
        pivots.push(column);
    }
    let free = (0..dimension).filter(|column| pivots.binary_search(column).is_err());
    free.map(|free| {
        let mut vector = vec![Rational::ZERO; dimension];
        vector[free] = Rational::ONE;
        for (row, &pivot) in rows.iter().zip(&pivots) {
            vector[pivot] = -row[free].clone();
        }
        vector
    })
    .collect()
}

/// The multiple of a vector other than 0 with coprime integral entries and the same direction.
pub(crate) fn primitive(mut vector: Vec<Rational>) -> Vec<Rational> {
    let scale = vector.iter().fold(Rational::ONE, |d, c| lcm(&d, &c.denominator()));
    for c in &mut vector {
        *c *= &scale;
    }
    let common = vector.iter().fold(Rational::ZERO, |g, c| gcd(&g, c));
    for c in &mut vector {
        *c /= &common;
    }
    vector
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_basis_of_a_plane() {
        let row = |entries: [i64; 3]| entries.map(Rational::from).to_vec();
        let rows = vec![row([1, 2, -1]), row([2, 4, -2])];
        assert_eq!(orthogonals(rows.clone(), 3), [row([-2, 1, 0]), row([1, 0, 1])]);
        let more = [rows, vec![row([0, 1, 1]), row([0, 0, 5])]].concat();
        assert!(orthogonals(more, 3).is_empty());
        assert_eq!(orthogonals(Vec::new(), 1), [[Rational::ONE]]);
        let fractions = [Rational::new(2, 3), Rational::ZERO, Rational::new(-4, 9)];
        assert_eq!(primitive(fractions.to_vec()), row([3, 0, -2]));
    }
}
