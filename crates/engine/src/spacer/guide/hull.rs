//! The least polyhedron with normals that are nowhere negative around finitely many points.
//!
//! Cubes `A·x ≤ vᵢ` are all contained in `A·x ∈ conv(v₁, …) - ℝ₊ᵖ`, the downward closed hull of
//! their bounds. Its facets `n·v ≤ m` have `n ≥ 0`, and `n·A·x ≤ m` is an inequality that every
//! cube implies. In few dimensions the facets are found by trying all ways to span one by points
//! and by coordinate directions.

use shofar_num::Rational;

use crate::orthogonal::{orthogonals, primitive};

/// `normal·v ≤ offset`, with coprime integral coefficients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Facet {
    pub(super) normal: Vec<Rational>,
    pub(super) offset: Rational,
}

/// The facets of the downward closed hull of `points`, all of the same dimension.
pub(super) fn facets(points: &[Vec<Rational>]) -> Vec<Facet> {
    let dimension = points.first().map_or(0, Vec::len);
    let elements = points.len() + dimension;
    let mut found: Vec<Facet> = Vec::new();
    for chosen in subsets(elements, dimension) {
        let Some(&base) = chosen.first().filter(|&&i| i < points.len()) else { continue };
        let rows = chosen[1..].iter().map(|&i| {
            if i < points.len() {
                points[i].iter().zip(&points[base]).map(|(a, b)| a - b).collect()
            } else {
                let unit = |j: usize| Rational::from(i64::from(j + points.len() == i));
                (0..dimension).map(unit).collect()
            }
        });
        let Some(normal) = orthogonal(rows.collect(), dimension) else { continue };
        let Some(normal) = upward(normal) else { continue };
        let offset = product(&normal, &points[base]);
        if points.iter().all(|p| product(&normal, p) <= offset) {
            let facet = Facet { normal, offset };
            if !found.contains(&facet) {
                found.push(facet);
            }
        }
    }
    found
}

/// The subsets of `0..n` with `size` elements, in order.
fn subsets(n: usize, size: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..size {
        let longer = all.iter().flat_map(|s: &Vec<usize>| {
            let from = s.last().map_or(0, |&last| last + 1);
            (from..n).map(move |i| s.iter().copied().chain([i]).collect())
        });
        all = longer.collect();
    }
    all
}

fn product(a: &[Rational], b: &[Rational]) -> Rational {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// The vector orthogonal to all rows, unless there is more than one direction of such.
fn orthogonal(rows: Vec<Vec<Rational>>, dimension: usize) -> Option<Vec<Rational>> {
    let mut basis = orthogonals(rows, dimension);
    if basis.len() == 1 { basis.pop() } else { None }
}

/// The vector or its opposite, whichever is nowhere negative, with coprime integral entries.
fn upward(mut vector: Vec<Rational>) -> Option<Vec<Rational>> {
    if vector.iter().any(Rational::is_negative) {
        if vector.iter().any(Rational::is_positive) {
            return None;
        }
        vector = vector.into_iter().map(|c| -c).collect();
    }
    Some(primitive(vector))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(values: &[&[i64]]) -> Vec<Vec<Rational>> {
        values.iter().map(|p| p.iter().map(|&v| Rational::from(v)).collect()).collect()
    }
    fn facet(normal: &[i64], offset: i64) -> Facet {
        Facet {
            normal: normal.iter().map(|&v| Rational::from(v)).collect(),
            offset: Rational::from(offset),
        }
    }

    #[test]
    fn points_on_a_line() {
        let mut found = facets(&points(&[&[3, -7], &[5, -11], &[9, -19]]));
        found.sort_by_key(|f| f.normal.clone());
        assert_eq!(found, [facet(&[0, 1], -7), facet(&[1, 0], 9), facet(&[2, 1], -1)]);
    }

    #[test]
    fn points_around_a_corner() {
        let found = facets(&points(&[&[0, 8], &[5, 5], &[8, 0]]));
        assert_eq!(found.len(), 4);
        for expected in [facet(&[3, 5], 40), facet(&[5, 3], 40)] {
            assert!(found.contains(&expected), "{expected:?}");
        }
    }

    #[test]
    fn one_dimension() {
        assert_eq!(facets(&points(&[&[4], &[9], &[-2]])), [facet(&[1], 9)]);
    }
}
