//! What printed terms look like; what they mean is tested from outside the crate.

use super::*;
use crate::{ConstructorDeclaration, DataDeclaration, FieldSort};

fn check(build: impl FnOnce(&mut TermStore) -> Term, expected: &str) {
    let mut store = TermStore::new();
    let term = build(&mut store);
    assert_eq!(print(&store, term), expected);
}

#[test]
fn atoms_are_readable() {
    let int = |s: &mut TermStore| (s.var("x", Sort::INT), s.var("y", Sort::INT), s.int(-3));
    check(
        |s| {
            let (x, y, c) = int(s);
            let d = s.sub(x, y);
            s.le(d, c)
        },
        "(<= (+ x 3) y)",
    );
    check(
        |s| {
            let (x, y, _) = int(s);
            s.gt(x, y)
        },
        "(> x y)",
    );
    check(
        |s| {
            let (x, y, c) = int(s);
            let (twice, far) = (s.scale(&Rational::from(2), y), s.scale(&Rational::from(5), x));
            let right = s.sub(twice, c);
            s.lt(far, right)
        },
        "(<= (* 5 x) (+ (* 2 y) 2))",
    );
    check(
        |s| {
            let (x, _, c) = int(s);
            s.gt(x, c)
        },
        "(>= x (- 2))",
    );
    check(
        |s| {
            let (x, y, c) = int(s);
            let t = s.scale(&Rational::from(3), y);
            let t = s.add(&[x, t]);
            let same = s.eq(t, c);
            s.not(same)
        },
        "(not (= (+ x (* 3 y)) (- 3)))",
    );
    let real =
        |s: &mut TermStore| (s.var("r", Sort::REAL), s.number(Rational::new(-1, 3), Sort::REAL));
    check(
        |s| {
            let (r, c) = real(s);
            s.gt(r, c)
        },
        "(> r (/ (- 1.0) 3.0))",
    );
    check(
        |s| {
            let (r, c) = real(s);
            s.ge(r, c)
        },
        "(>= r (/ (- 1.0) 3.0))",
    );
}

#[test]
fn reals_with_integers_inside_are_coerced() {
    check(
        |s| {
            let (x, r, two) = (
                s.var("x", Sort::INT),
                s.var("r", Sort::REAL),
                s.number(Rational::from(2), Sort::REAL),
            );
            let half = s.scale(&Rational::new(1, 2), x);
            s.add(&[half, r, two])
        },
        "(+ (* (/ 1.0 2.0) (to_real x)) r 2.0)",
    );
    check(
        |s| {
            let x = s.var("x", Sort::INT);
            s.to_real(x)
        },
        "(to_real x)",
    );
}

#[test]
fn names_are_quoted_when_they_must_be() {
    let cases = [
        ("x", "x"),
        ("x!1", "x!1"),
        ("", "||"),
        ("1x", "|1x|"),
        ("a b", "|a b|"),
        ("let", "|let|"),
        ("é", "|é|"),
        ("<=x", "<=x"),
        ("a|b\\", "|a!7cb!5c|"),
    ];
    for (name, text) in cases {
        assert_eq!(quote(name), text);
    }
    check(|s| s.var("x y", Sort::BOOL), "|x y|");
}

#[test]
fn shared_subterms_are_bound_once() {
    check(
        |s| {
            let [p, q, r] = ["p", "q", "r"].map(|name| s.var(name, Sort::BOOL));
            let pq = s.iff(p, q);
            let inner = s.ite(r, pq, p);
            let (left, right) = (s.iff(inner, p), s.ite(q, inner, r));
            s.and(&[left, right])
        },
        "(let ((a!1 (ite r (= p q) p))) (and (= p a!1) (ite q a!1 r)))",
    );
}

#[test]
fn let_names_capture_nothing() {
    check(
        |s| {
            let [p, q, r] = ["a!1", "a!!2", "r"].map(|name| s.var(name, Sort::BOOL));
            let pq = s.iff(p, q);
            let inner = s.ite(r, pq, p);
            s.iff(inner, r);
            let (left, right) = (s.iff(inner, p), s.ite(q, inner, r));
            s.and(&[left, right])
        },
        "(let ((a!!!1 (ite r (= a!1 a!!2) a!1))) (and (= a!1 a!!!1) (ite a!!2 a!!!1 r)))",
    );
}

#[test]
fn the_text_is_linear_in_the_graph() {
    let mut s = TermStore::new();
    let f = s.declare("f", &[Sort::INT, Sort::INT], Sort::INT);
    let mut t = s.var("x", Sort::INT);
    for _ in 0..100_000 {
        t = s.app(f, &[t, t]);
    }
    assert!(print(&s, t).len() < 100_000 * 60);
}

#[test]
fn a_million_levels() {
    let mut s = TermStore::new();
    let f = s.declare("f", &[Sort::INT], Sort::INT);
    let mut t = s.var("x", Sort::INT);
    for _ in 0..1_000_000 {
        t = s.app(f, &[t]);
    }
    assert_eq!(print(&s, t).len(), 1_000_000 * "(f )".len() + 1);
}

#[test]
fn what_a_quantified_body_shares_is_bound_inside() {
    let mut s = TermStore::new();
    let terms = ["x", "y", "z", "u", "v", "w"].map(|name| s.var(name, Sort::INT));
    let (x, sum) = (terms[0], s.add(&terms));
    let [low, high] = [0, 9].map(|n| s.int(n));
    let (above, below) = (s.ge(sum, low), s.le(sum, high));
    let body = s.and(&[above, below]);
    let all = s.quantify(Quantifier::Forall, body, &[x]);
    let both = s.or(&[all, above]);
    // The sum within the quantifier is another one than the sum outside.
    let inner = "(let ((a!1 (+ x y z u v w))) (and (>= a!1 0) (<= a!1 9)))";
    assert_eq!(print(&s, all), format!("(forall ((x Int)) {inner})"));
    assert_eq!(print(&s, both), format!("(or (>= (+ x y z u v w) 0) (forall ((x Int)) {inner}))"));
}

#[test]
fn sorts_are_quoted_like_symbols() {
    let mut s = TermStore::new();
    let (plain, odd) = (s.declare_sort("S"), s.declare_sort("a sort"));
    let shown = [Sort::BOOL, Sort::INT, Sort::REAL, plain, odd]
        .map(|sort| print_sort(&s, sort).into_owned());
    assert_eq!(shown, ["Bool", "Int", "Real", "S", "|a sort|"]);
}

#[test]
fn shared_subterms_are_not_named_like_constructors() {
    let mut s = TermStore::new();
    let fields = vec![("get".into(), FieldSort::Known(Sort::INT))];
    let constructors = vec![
        ConstructorDeclaration { name: "a!1".into(), fields: Vec::new() },
        ConstructorDeclaration { name: "make".into(), fields },
    ];
    let data = DataDeclaration { name: "T".into(), constructors };
    let sort = s.declare_data(vec![data]).expect("it has values")[0];
    let [constant, make] = *s.constructors(sort).expect("a data type") else { panic!("two") };
    let get = s.constructor_fields(make)[0];
    let t = s.var("t", sort);
    let (value, five) = (s.field(get, t), s.int(5));
    let double = s.add(&[value, value, five]);
    let (constant, made) = (s.construct(constant, &[]), s.construct(make, &[double]));
    let (one, other, positive) = (s.eq(t, constant), s.eq(t, made), s.le(five, double));
    let both = s.or(&[one, other, positive]);
    let text = print(&s, both);
    assert!(text.contains("(= t a!1)") && !text.contains("((a!1 "), "{text}");
}
