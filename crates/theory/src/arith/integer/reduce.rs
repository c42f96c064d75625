//! Reduced bases of lattices, by their Gram matrix.
//!
//! The lattice is that of the values which bounded sums take at the integral points, each sum
//! scaled by its width. In a reduced basis the last vectors stick out furthest from those before,
//! so the coordinates that belong to them take few values between the bounds: they are the forms to
//! branch on. Only inner products are needed, and coordinates transform by the inverse of what the
//! basis does.
//!
//! Source: [LLL82]; branching on such coordinates [Len83].

use shofar_num::Rational;

/// Exchanges of vectors before the basis is taken as it is.
const MOST_STEPS: usize = 3_000;

/// Reduces the basis with the inner products `gram`, and rewrites `forms`, the coordinates with
/// respect to it.
pub(super) fn reduce(gram: Vec<Vec<Rational>>, forms: &mut [Vec<Rational>]) {
    let size = gram.len();
    let zeros = vec![vec![Rational::ZERO; size]; size];
    let mut work = Basis {
        gram,
        forms,
        ratios: zeros.clone(),
        parts: zeros,
        heights: vec![Rational::ZERO; size],
    };
    if size == 0 {
        return;
    }
    work.project(0);
    let (mut at, mut steps) = (1, 0);
    while at < size && steps < MOST_STEPS {
        work.project(at);
        for below in (0..at).rev() {
            work.shorten(at, below);
        }
        let ratio = &work.ratios[at][at - 1];
        let wanted = (Rational::new(3, 4) - ratio * ratio) * &work.heights[at - 1];
        if work.heights[at] >= wanted {
            at += 1;
        } else {
            work.exchange(at);
            steps += 1;
            at = if at == 1 { 1 } else { at - 1 };
            work.project(at - 1);
        }
    }
}

struct Basis<'a> {
    gram: Vec<Vec<Rational>>,
    forms: &'a mut [Vec<Rational>],
    /// How much of an earlier orthogonal vector is in a vector.
    ratios: Vec<Vec<Rational>>,
    /// The inner products of vectors with earlier orthogonal ones.
    parts: Vec<Vec<Rational>>,
    /// The squares of the lengths of the orthogonal vectors.
    heights: Vec<Rational>,
}

impl Basis<'_> {
    /// Gram and Schmidt for one vector; those before it have been done.
    fn project(&mut self, at: usize) {
        let mut height = self.gram[at][at].clone();
        for below in 0..at {
            let mut part = self.gram[at][below].clone();
            for l in 0..below {
                part.sub_mul(&self.ratios[below][l], &self.parts[at][l]);
            }
            let ratio = &part / &self.heights[below];
            height.sub_mul(&ratio, &part);
            self.parts[at][below] = part;
            self.ratios[at][below] = ratio;
        }
        self.heights[at] = height;
    }
    /// Subtracts the multiple of the vector `below` that brings the ratio to at most a half.
    fn shorten(&mut self, at: usize, below: usize) {
        let factor = (&self.ratios[at][below] + &Rational::new(1, 2)).floor();
        if factor.is_zero() {
            return;
        }
        for l in 0..below {
            let ratio = self.ratios[below][l].clone();
            self.ratios[at][l].sub_mul(&factor, &ratio);
        }
        self.ratios[at][below] -= &factor;
        for column in 0..self.gram.len() {
            let entry = self.gram[below][column].clone();
            self.gram[at][column].sub_mul(&factor, &entry);
        }
        for row in 0..self.gram.len() {
            let entry = self.gram[row][below].clone();
            self.gram[row][at].sub_mul(&factor, &entry);
        }
        let [target, source] = self.forms.get_disjoint_mut([below, at]).expect("two forms");
        for (t, s) in target.iter_mut().zip(source.iter()) {
            t.add_mul(&factor, s);
        }
    }
    /// Exchanges a vector with the one before it.
    fn exchange(&mut self, at: usize) {
        self.gram.swap(at, at - 1);
        for row in &mut self.gram {
            row.swap(at, at - 1);
        }
        self.forms.swap(at, at - 1);
    }
}

#[cfg(test)]
mod tests {
    use shofar_base::Rng;

    use super::*;

    fn gram(basis: &[Vec<Rational>]) -> Vec<Vec<Rational>> {
        let product = |a: &[Rational], b: &[Rational]| a.iter().zip(b).map(|(x, y)| x * y).sum();
        basis.iter().map(|a| basis.iter().map(|b| product(a, b)).collect()).collect()
    }

    fn unit(size: usize) -> Vec<Vec<Rational>> {
        let entry = |i, j| if i == j { Rational::ONE } else { Rational::ZERO };
        (0..size).map(|i| (0..size).map(|j| entry(i, j)).collect()).collect()
    }

    /// The vectors (1, 0) and (1000, 1) generate the plane's integral points; the second coordinate
    /// of the reduced basis has no large coefficient any more.
    #[test]
    fn skew_bases_become_straight() {
        let row = |values: [i64; 2]| values.map(Rational::from).to_vec();
        let mut forms = unit(2);
        reduce(gram(&[row([1, 0]), row([1000, 1])]), &mut forms);
        assert_eq!(forms, [row([1, 1000]), row([0, 1])]);
    }

    /// With `T` the change of the basis, the forms are `T⁻¹`: a point has the same place whichever
    /// way it is written.
    #[test]
    fn forms_stay_unimodular() {
        let mut rng = Rng::new(2);
        for _ in 0..100 {
            let size = 1 + rng.below(5);
            let mut entry = || Rational::from(rng.range(-50, 50));
            let mut basis: Vec<Vec<Rational>> =
                (0..size).map(|_| (0..size).map(|_| entry()).collect()).collect();
            for (i, vector) in basis.iter_mut().enumerate() {
                vector[i] += &Rational::from(300);
            }
            let mut forms = unit(size);
            reduce(gram(&basis), &mut forms);
            assert!(forms.iter().flatten().all(Rational::is_integer));
            assert_eq!(determinant(forms).abs(), Rational::ONE);
        }
    }

    fn determinant(mut matrix: Vec<Vec<Rational>>) -> Rational {
        let mut product = Rational::ONE;
        for at in 0..matrix.len() {
            let Some(pivot) = (at..matrix.len()).find(|&i| !matrix[i][at].is_zero()) else {
                return Rational::ZERO;
            };
            if pivot != at {
                matrix.swap(pivot, at);
                product = -product;
            }
            product *= &matrix[at][at];
            let source = matrix[at].clone();
            for row in &mut matrix[at + 1..] {
                let factor = &row[at] / &source[at];
                for (entry, s) in row.iter_mut().zip(&source) {
                    entry.sub_mul(&factor, s);
                }
            }
        }
        product
    }
}
