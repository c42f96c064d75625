//! Formulas in the notations of programs.

use shofar_term::Sort;

use super::*;

const C: Words = Words {
    top: "1",
    bottom: "0",
    and: " && ",
    or: " || ",
    not: "!",
    equal: " == ",
    unequal: " != ",
    at_most: " <= ",
    division: Division::TowardsZero,
    quantifiers: Some(("\\forall integer ", "\\exists integer ")),
};

#[test]
fn formulas_read_as_a_programmer_writes_them() {
    let mut s = TermStore::new();
    let (x, y, p) = (s.var("x", Sort::INT), s.var("y!1", Sort::INT), s.var("p", Sort::BOOL));
    let names = Names::of([(y, "y".to_owned())]);
    let three = s.int(3);
    let sum = s.add(&[y, three]);
    let (le, lt) = (s.le(x, sum), s.gt(x, y));
    let (eq, product) = (s.eq(x, three), s.times(x, y));
    let (ne, odd) = (s.not(eq), s.modulo(x, &Rational::from(2)));
    let zero = s.int(0);
    let (is_even, not_p) = (s.eq(odd, zero), s.not(p));
    let both = s.and(&[le, not_p]);
    let big = s.le(product, three);
    for (formula, expected) in [
        (le, "x <= y + 3"),
        (lt, "x >= y + 1"),
        (ne, "x != 3"),
        (is_even, "((x % 2 + 2) % 2) == 0"),
        (both, "(x <= y + 3) && (!p)"),
        (big, "(x * y) <= 3"),
        (s.top(), "1"),
    ] {
        assert_eq!(infix(&s, &C, &names, formula).unwrap(), expected);
    }
}

#[test]
fn numbers_of_things_are_told_by_name() {
    let mut s = TermStore::new();
    let at = s.var("P.location", Sort::INT);
    let choices = ["P.idle", "P.req", "P.wait", "P.cs"].map(str::to_owned).to_vec();
    let choices = std::iter::once((at, choices)).collect();
    let names = Names { choices, ..Names::default() };
    let numbers: Vec<Term> = (-1..4).map(|number| s.int(number)).collect();
    let is_req = s.eq(at, numbers[2]);
    for (formula, expected) in [
        (is_req, "P.req"),
        (s.not(is_req), "!P.req"),
        (s.le(at, numbers[3]), "!P.cs"),
        (s.gt(at, numbers[3]), "P.cs"),
        (s.le(at, numbers[2]), "(P.idle || P.req)"),
        (s.ge(at, numbers[0]), "1"),
        (s.le(at, numbers[0]), "0"),
    ] {
        assert_eq!(infix(&s, &C, &names, formula).unwrap(), expected);
    }
}

#[test]
fn variables_of_quantifiers_have_names_of_their_own() {
    let mut s = TermStore::new();
    let (x, k) = (s.var("x", Sort::INT), s.var("k!3", Sort::INT));
    let below = s.le(x, k);
    let all = s.quantify(Quantifier::Forall, below, &[k]);
    let names = Names::of([(x, "i1".to_owned())]);
    let said = infix(&s, &C, &names, all).unwrap();
    assert_eq!(said, "(\\forall integer i2; i1 <= i2)");
    let mute = Words { quantifiers: None, ..C };
    assert_eq!(infix(&s, &mute, &names, all), None);
}
