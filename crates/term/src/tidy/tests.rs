//! Each law by an example, and all of them on random formulas.

use shofar_base::Rng;
use shofar_num::Rational;

use super::tidy;
use crate::eval::{Model, Value, evaluate};
use crate::print::print;
use crate::{Sort, Term, TermStore};

struct Names {
    s: TermStore,
    x: Term,
    y: Term,
    r: Term,
    p: Term,
}

impl Names {
    fn new() -> Self {
        let mut s = TermStore::new();
        let [x, y] = ["x", "y"].map(|name| s.var(name, Sort::INT));
        let (r, p) = (s.var("r", Sort::REAL), s.var("p", Sort::BOOL));
        Self { s, x, y, r, p }
    }
    fn eq(&mut self, term: Term, value: i64) -> Term {
        let value = self.s.number(value.into(), self.s.sort(term));
        self.s.eq(term, value)
    }
    fn le(&mut self, term: Term, value: i64) -> Term {
        let value = self.s.number(value.into(), self.s.sort(term));
        self.s.le(term, value)
    }
    fn ge(&mut self, term: Term, value: i64) -> Term {
        let value = self.s.number(value.into(), self.s.sort(term));
        self.s.ge(term, value)
    }
    fn check(&mut self, formula: Term, expected: &str) {
        let tidied = tidy(&mut self.s, formula);
        assert_eq!(print(&self.s, tidied), expected, "{}", print(&self.s, formula));
    }
}

#[test]
fn bounds_of_one_term() {
    let mut n = Names::new();
    let (x, r) = (n.x, n.r);
    let (low, high) = (n.ge(x, 3), n.le(x, 3));
    let point = n.s.and(&[low, high]);
    n.check(point, "(= x 3)");
    let (looser, other) = (n.ge(x, 1), n.eq(x, 4));
    let not_four = n.s.not(other);
    let several = n.s.and(&[low, looser, not_four]);
    n.check(several, "(and (>= x 3) (not (= x 4)))");
    let above = n.le(x, 4);
    let only = n.s.and(&[several, above]);
    n.check(only, "(= x 3)");
    let (low, high) = (n.ge(r, 3), n.le(r, 3));
    let point = n.s.and(&[low, high]);
    n.check(point, "(= r 3.0)");
    let differs = n.s.not(point);
    n.check(differs, "(not (= r 3.0))");
    let below = n.s.not(low);
    let either = n.s.or(&[below, low]);
    n.check(either, "true");
}

#[test]
fn lists_of_values() {
    let mut n = Names::new();
    let x = n.x;
    let values: Vec<Term> = (0..10).map(|i| n.eq(x, i)).collect();
    let list = n.s.or(&values);
    n.check(list, "(and (>= x 0) (<= x 9))");
    let mut others: Vec<Term> = (1..10).map(|i| n.s.not(values[i])).collect();
    let (low, high) = (n.ge(x, 0), n.le(x, 20));
    others.extend([low, high]);
    let gaps = n.s.and(&others);
    n.check(gaps, "(or (= x 0) (and (>= x 10) (<= x 20)))");
}

#[test]
fn remainders() {
    let mut n = Names::new();
    let x = n.x;
    let [half, third] = [2, 3].map(|m| n.s.modulo(x, &Rational::from(m)));
    let even = n.le(half, 0);
    n.check(even, "(= (mod x 2) 0)");
    let last = n.ge(third, 2);
    n.check(last, "(= (mod x 3) 2)");
    let middle = n.eq(third, 1);
    let ends = n.s.not(middle);
    n.check(ends, "(not (= (mod x 3) 1))");
    let (low, always) = (n.le(third, 1), n.ge(third, 0));
    let both = n.s.and(&[low, always]);
    n.check(both, "(<= (mod x 3) 1)");
}

#[test]
fn cases_that_differ_in_one_term() {
    let mut n = Names::new();
    let (x, y, p) = (n.x, n.y, n.p);
    let mut cases = Vec::new();
    for i in 0..5 {
        for j in 2..4 {
            let (first, second) = (n.eq(x, i), n.eq(y, j));
            cases.push(n.s.and(&[first, second, p]));
        }
    }
    let grid = n.s.or(&cases);
    n.check(grid, "(and p (>= x 0) (<= x 4) (>= y 2) (<= y 3))");
    let not_p = n.s.not(p);
    let (first, second) = (n.s.and(&[cases[0], p]), n.eq(y, 7));
    let second = n.s.and(&[not_p, second]);
    let either = n.s.or(&[first, second, p]);
    n.check(either, "(or p (= y 7))");
}

#[test]
fn what_all_cases_say_is_said_once() {
    let mut n = Names::new();
    let (x, y) = (n.x, n.y);
    let (low, one, two) = (n.ge(x, 0), n.eq(y, 1), n.le(x, 5));
    let (first, second) = (n.s.and(&[low, one]), n.s.and(&[low, two]));
    let either = n.s.or(&[first, second]);
    n.check(either, "(and (>= x 0) (or (= y 1) (<= x 5)))");
}

#[test]
fn a_conjunct_follows_from_a_bound() {
    let mut n = Names::new();
    let (x, p) = (n.x, n.p);
    let (low, lower, negative) = (n.ge(x, 3), n.ge(x, 1), n.le(x, -1));
    let (implied, left) = (n.s.or(&[lower, p]), n.s.or(&[negative, p]));
    let both = n.s.and(&[low, implied, left]);
    n.check(both, "(and p (>= x 3))");
}

#[test]
fn random_formulas_keep_their_meaning_and_do_not_grow() {
    let mut rng = Rng::new(11);
    for _ in 0..2_000 {
        let mut n = Names::new();
        let formula = random_formula(&mut rng, &mut n);
        let tidied = tidy(&mut n.s, formula);
        assert!(print(&n.s, tidied).len() <= print(&n.s, formula).len());
        for _ in 0..60 {
            let mut assignment = Model::new();
            for (name, sort) in [("x", Sort::INT), ("y", Sort::INT), ("r", Sort::REAL)] {
                let halves = small(&mut rng, 5) * if sort.is_int() { 2 } else { 1 };
                let symbol = n.s.declare(name, &[], sort);
                assignment.set(symbol, Value::Number(Rational::new(halves, 2)));
            }
            let symbol = n.s.declare("p", &[], Sort::BOOL);
            assignment.set(symbol, Value::Bool(rng.chance(50)));
            let is = evaluate(&n.s, tidied, &assignment);
            let was = evaluate(&n.s, formula, &assignment);
            assert_eq!(is, was, "{} became {}", print(&n.s, formula), print(&n.s, tidied));
        }
    }
}

/// A number of at most this magnitude.
fn small(rng: &mut Rng, most: i64) -> i64 {
    let count = usize::try_from(2 * most + 1).expect("it is positive");
    i64::try_from(rng.below(count)).expect("it is small") - most
}

fn random_formula(rng: &mut Rng, n: &mut Names) -> Term {
    let sum = n.s.add(&[n.x, n.y]);
    let remainder = n.s.modulo(n.x, &Rational::from(3));
    let mut pool = vec![n.p];
    for _ in 0..8 {
        let term = *rng.pick(&[n.x, n.y, n.r, sum, remainder]);
        let value = small(rng, 4);
        let atom = match rng.below(3) {
            0 => n.eq(term, value),
            1 => n.le(term, value),
            _ => n.ge(term, value),
        };
        pool.push(atom);
    }
    for _ in 0..rng.below(12) {
        let mut parts = Vec::new();
        for _ in 0..2 + rng.below(4) {
            let part = *rng.pick(&pool);
            parts.push(if rng.chance(30) { n.s.not(part) } else { part });
        }
        let made = if rng.chance(50) { n.s.and(&parts) } else { n.s.or(&parts) };
        pool.push(made);
    }
    pool[pool.len() - 1]
}
