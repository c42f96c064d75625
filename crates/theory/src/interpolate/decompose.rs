//! Decomposition of Farkas coefficients: one weighted sum becomes several, each without local
//! terms.
//!
//! The weights `v` of one side eliminate the local terms, so `v` lies in the kernel of the matrix
//! of local coefficients. A basis of that kernel whose vectors are non-negative, and in which `v`
//! has positive coordinates, splits `v` into as many summands as the kernel has dimensions.
//!
//! Source: [Bli22] Algorithm 3.1 and §3.4.1 (inequalities without local terms stand alone).
//! Symbols: `M` → `matrix`, `b_i` → `basis[i]`, `α` → `coordinates`.

use shofar_num::Rational;
use shofar_term::Term;

use super::Weighted;

/// Vectors that add up to the weights of `side`, each a set of weights that eliminates all local
/// terms.
pub fn decompose(side: &[Weighted], is_shared: &dyn Fn(Term) -> bool) -> Vec<Vec<Rational>> {
    let is_local = |monomial: &&(Rational, Term)| !is_shared(monomial.1);
    let mut parts = Vec::new();
    let mut with_locals = Vec::new();
    for (i, (k, inequality)) in side.iter().enumerate() {
        if inequality.linear.monomials().iter().any(|m| is_local(&m)) {
            with_locals.push(i);
        } else {
            let mut alone = vec![Rational::ZERO; side.len()];
            alone[i] = k.clone();
            parts.push(alone);
        }
    }
    if with_locals.is_empty() {
        return parts;
    }
    let mut locals: Vec<Term> = with_locals
        .iter()
        .flat_map(|&i| side[i].1.linear.monomials().iter().filter(is_local).map(|&(_, t)| t))
        .collect();
    locals.sort_unstable();
    locals.dedup();
    let entry = |t: Term, i: usize| side[i].1.linear.coefficient(t).cloned().unwrap_or_default();
    let matrix =
        locals.iter().map(|&t| with_locals.iter().map(|&i| entry(t, i)).collect()).collect();
    let weights: Vec<Rational> = with_locals.iter().map(|&i| side[i].0.clone()).collect();
    for summand in decompose_in_kernel(matrix, &weights) {
        let mut full = vec![Rational::ZERO; side.len()];
        for (&i, w) in with_locals.iter().zip(summand) {
            full[i] = w;
        }
        parts.push(full);
    }
    parts
}

/// Algorithm 3.1: non-negative vectors in the kernel of `matrix` that add up to `v`, which is
/// positive and in the kernel.
fn decompose_in_kernel(mut matrix: Vec<Vec<Rational>>, v: &[Rational]) -> Vec<Vec<Rational>> {
    let pivots = reduce_to_echelon(&mut matrix, v.len());
    let free: Vec<usize> = (0..v.len()).filter(|c| !pivots.contains(c)).collect();
    if free.len() <= 1 {
        return vec![v.to_vec()];
    }
    let mut basis: Vec<Vec<Rational>> =
        free.iter().map(|&f| kernel_vector(&matrix, &pivots, f, v.len())).collect();
    let mut coordinates: Vec<Rational> = free.iter().map(|&f| v[f].clone()).collect();
    for i in 0..basis.len() {
        // One step with the largest -bᵢⱼ/vⱼ makes the whole vector non-negative.
        let worst = basis[i].iter().zip(v).map(|(b, v)| -(b / v)).max().unwrap_or_default();
        if worst.is_positive() {
            let c = Rational::ONE + &worst * &coordinates[i];
            for (b, v) in basis[i].iter_mut().zip(v) {
                b.add_mul(&worst, v);
            }
            for alpha in &mut coordinates {
                *alpha /= &c;
            }
        }
    }
    for (vector, alpha) in basis.iter_mut().zip(&coordinates) {
        for b in vector {
            *b *= alpha;
        }
    }
    basis
}

/// Reduced row echelon form; returns the pivot column of each non-zero row and drops the others.
fn reduce_to_echelon(matrix: &mut Vec<Vec<Rational>>, columns: usize) -> Vec<usize> {
    let mut pivots = Vec::new();
    for column in 0..columns {
        let row = pivots.len();
        let Some(found) = (row..matrix.len()).find(|&r| !matrix[r][column].is_zero()) else {
            continue;
        };
        matrix.swap(row, found);
        let inverse = matrix[row][column].recip();
        for entry in &mut matrix[row] {
            *entry *= &inverse;
        }
        let pivot_row = matrix[row].clone();
        for (r, other) in matrix.iter_mut().enumerate() {
            let factor = other[column].clone();
            if r != row && !factor.is_zero() {
                for (entry, p) in other.iter_mut().zip(&pivot_row) {
                    entry.sub_mul(&factor, p);
                }
            }
        }
        pivots.push(column);
    }
    matrix.truncate(pivots.len());
    pivots
}

/// The kernel vector with 1 at the free column `free` and 0 at the other free columns.
fn kernel_vector(
    matrix: &[Vec<Rational>],
    pivots: &[usize],
    free: usize,
    columns: usize,
) -> Vec<Rational> {
    let mut vector = vec![Rational::ZERO; columns];
    vector[free] = Rational::ONE;
    for (row, &pivot) in matrix.iter().zip(pivots) {
        vector[pivot] = -&row[free];
    }
    vector
}
