//! Solving a conjunct for a variable.
//!
//! `p`, `p ↔ φ` and `a·x + … = b` say what a variable is equal to. An integer is solved for only
//! where its coefficient is ±1 and everything else is an integer, so that the solution has integer
//! values whatever the others are.

use smallvec::SmallVec;

use crate::{Kind, Symbol, Term, TermStore};

/// The variables that `conjunct` might be an equation for, in order; see [`solve_for`].
pub fn solvable(store: &TermStore, conjunct: Term) -> SmallVec<[Symbol; 4]> {
    let symbol = |term: Term| store.symbol(store.strip_not(term).0);
    let (atom, negated) = store.strip_not(conjunct);
    let kind = store.kind(atom);
    if let Kind::Symbol(symbol) = kind {
        SmallVec::from_slice(&[symbol])
    } else if let Kind::Iff(a, b) = kind {
        [a, b].into_iter().filter_map(symbol).collect()
    } else if negated {
        SmallVec::new()
    } else if let Kind::Same(a, b) = kind {
        [a, b].into_iter().filter_map(symbol).collect()
    } else if let Some((form, _)) = store.equation(atom) {
        match store.as_sum(form) {
            Some(sum) => sum.iter().filter_map(|(_, part)| symbol(part)).collect(),
            None => symbol(form).into_iter().collect(),
        }
    } else {
        SmallVec::new()
    }
}

/// The term that `conjunct` says `symbol` equals, if it is equivalent to such an equation.
///
/// The term has the sort of `symbol`. It may mention `symbol` itself, below a function or a
/// division: the conjunct is a definition only if it does not.
pub fn solve_for(store: &mut TermStore, conjunct: Term, symbol: Symbol) -> Option<Term> {
    let variable = store.constant(symbol);
    let (atom, negated) = store.strip_not(conjunct);
    if atom == variable {
        return Some(store.bool(!negated));
    }
    if let Kind::Iff(a, b) = store.kind(atom) {
        let other = other_side(variable, a, b)?;
        return Some(if negated { store.not(other) } else { other });
    }
    if negated {
        return None;
    }
    if let Kind::Same(a, b) = store.kind(atom) {
        return other_side(variable, a, b);
    }
    let (form, bound) = store.equation(atom)?;
    let (is_integral, sort) = (store.sort(form).is_int(), store.sort(variable));
    let mut rest = store.linear(form);
    rest.constant -= bound;
    let coefficient = rest.remove(variable)?;
    let is_solvable = sort.is_real() || is_integral && coefficient.abs().is_one();
    if !is_solvable {
        return None;
    }
    rest.scale(&-coefficient.recip());
    Some(store.sum(&rest, sort))
}

/// The sides of an equivalence or an equality: the one that is not the variable.
fn other_side(variable: Term, a: Term, b: Term) -> Option<Term> {
    if a == variable {
        Some(b)
    } else if b == variable {
        Some(a)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn equations_are_solved_for_each_of_their_variables() {
        let mut s = TermStore::new();
        let (x, y, r) = (s.var("x", Sort::INT), s.var("y", Sort::INT), s.var("r", Sort::REAL));
        let [xs, ys] = ["x", "y"].map(|name| s.declare(name, &[], Sort::INT));
        let rs = s.declare("r", &[], Sort::REAL);
        let (twice, three) = (s.scale(&2.into(), y), s.int(3));
        let sum = s.add(&[twice, three]);
        // x = 2y + 3 has no integer solution for y if x is even.
        let equation = s.eq(x, sum);
        assert_eq!(solvable(&s, equation).as_slice(), [xs, ys]);
        assert_eq!(solve_for(&mut s, equation, xs), Some(sum));
        assert_eq!(solve_for(&mut s, equation, ys), None);
        let differs = s.not(equation);
        assert_eq!(solve_for(&mut s, differs, xs), None);
        assert!(solvable(&s, differs).is_empty());
        // An integer that equals a real number need not have a solution.
        let mixed = s.eq(r, sum);
        assert_eq!(solve_for(&mut s, mixed, ys), None);
        let real = s.to_real(sum);
        assert_eq!(solve_for(&mut s, mixed, rs), Some(real));
    }

    #[test]
    fn truth_values_and_elements_are_solved_for() {
        let mut s = TermStore::new();
        let sort = s.declare_sort("S");
        let (p, q) = (s.var("p", Sort::BOOL), s.var("q", Sort::BOOL));
        let (u, v) = (s.var("u", sort), s.var("v", sort));
        let [ps, qs] = ["p", "q"].map(|name| s.declare(name, &[], Sort::BOOL));
        let us = s.declare("u", &[], sort);
        let (not_p, not_q) = (s.not(p), s.not(q));
        assert_eq!(solve_for(&mut s, not_p, ps), Some(s.bottom()));
        let differs = s.xor(p, q);
        assert_eq!(solvable(&s, differs).as_slice(), [ps, qs]);
        assert_eq!(solve_for(&mut s, differs, ps), Some(not_q));
        let same = s.eq(u, v);
        assert_eq!(solve_for(&mut s, same, us), Some(v));
        let apart = s.not(same);
        assert_eq!(solve_for(&mut s, apart, us), None);
    }
}
