//! Instances of each axiom, of which no literal is superfluous.

use shofar_term::{ConstructorDeclaration, DataDeclaration, FieldSort, Sort, TermStore};

use super::*;

/// The clause is valid, and neither without one of its literals nor with one of them flipped.
fn check(store: &TermStore, clause: &[Term]) {
    let clause: Vec<Literal> = clause.iter().map(|&t| Literal::of(store, t)).collect();
    assert!(is_instance(store, &clause), "{clause:?}");
    for at in 0..clause.len() {
        let mut shorter = clause.clone();
        shorter.remove(at);
        assert!(!is_instance(store, &shorter), "{clause:?} without {at}");
        let mut flipped = clause.clone();
        flipped[at] = !flipped[at];
        assert!(!is_instance(store, &flipped), "{clause:?} with {at} flipped");
    }
}

#[test]
fn reads_pass_over_writes_at_other_indices() {
    let mut s = TermStore::new();
    let sort = s.array_sort(Sort::INT, Sort::INT);
    let [a, b] = ["a", "b"].map(|name| s.var(name, sort));
    let [i, j, v] = ["i", "j", "v"].map(|name| s.var(name, Sort::INT));
    let after = s.store(a, i, v);
    let (aj, bj) = (s.select(a, j), s.select(b, j));
    let (is_after, same, kept, new) = (s.eq(b, after), s.eq(i, j), s.eq(aj, bj), s.eq(bj, v));
    let [not_after, not_same] = [is_after, same].map(|t| s.not(t));
    check(&s, &[not_after, same, kept]);
    check(&s, &[not_after, not_same, new]);
    let all = s.constant_array(sort, v);
    let is_constant = s.eq(b, all);
    let not_constant = s.not(is_constant);
    check(&s, &[not_constant, new]);
}

#[test]
fn arrays_are_equal_if_they_agree_where_they_were_written() {
    let mut s = TermStore::new();
    let sort = s.array_sort(Sort::INT, Sort::INT);
    let [a, b, c] = ["a", "b", "c"].map(|name| s.var(name, sort));
    let [i, j, v, w] = ["i", "j", "v", "w"].map(|name| s.var(name, Sort::INT));
    let (one, other) = (s.store(a, i, v), s.store(b, j, w));
    let both = s.eq(one, other);
    let not_both = s.not(both);
    let mut clause = vec![not_both, s.eq(a, b)];
    for index in [i, j] {
        let (x, y) = (s.select(a, index), s.select(b, index));
        let agree = s.eq(x, y);
        clause.push(s.not(agree));
    }
    check(&s, &clause);
    // Constant arrays: finitely many writes do not turn one into another.
    let (x, y) = (s.constant_array(sort, v), s.constant_array(sort, w));
    let x = s.store(x, i, w);
    let (is_x, is_y, equal) = (s.eq(c, x), s.eq(c, y), s.eq(v, w));
    let [not_x, not_y] = [is_x, is_y].map(|t| s.not(t));
    check(&s, &[not_x, not_y, equal]);
}

#[test]
fn over_two_indices_constant_arrays_may_be_written_full() {
    let mut s = TermStore::new();
    let sort = s.array_sort(Sort::BOOL, Sort::INT);
    let (v, w) = (s.var("v", Sort::INT), s.var("w", Sort::INT));
    let (p, q) = (s.var("p", Sort::BOOL), s.var("q", Sort::BOOL));
    let (x, y) = (s.constant_array(sort, v), s.constant_array(sort, w));
    let written = s.store(x, p, w);
    let written = s.store(written, q, w);
    let (same, equal) = (s.eq(written, y), s.eq(v, w));
    let not_same = s.not(same);
    assert!(!is_axiom(&s, &[not_same, equal]));
    // One write is not enough, whatever else is written elsewhere.
    let once = s.store(x, p, w);
    let same_once = s.eq(once, y);
    let not_same_once = s.not(same_once);
    assert!(is_axiom(&s, &[not_same_once, equal, same]));
    // Two arrays that agree at both indices are equal.
    let [a, b] = ["a", "b"].map(|name| s.var(name, sort));
    let whole = s.eq(a, b);
    let mut clause = vec![whole];
    for index in [s.top(), s.bottom()] {
        let (x, y) = (s.select(a, index), s.select(b, index));
        let agree = s.eq(x, y);
        clause.push(s.not(agree));
    }
    check(&s, &clause);
}

#[test]
fn elements_that_are_negations() {
    let mut s = TermStore::new();
    let sort = s.array_sort(Sort::INT, Sort::BOOL);
    let (b, i) = (s.var("b", sort), s.var("i", Sort::INT));
    let [p, q] = ["p", "q"].map(|name| s.var(name, Sort::BOOL));
    let not_q = s.not(q);
    let [one, other] = ["a", "c"].map(|name| s.var(name, sort));
    let (one, other) = (s.store(one, i, p), s.store(other, i, not_q));
    let (is_one, is_other, same) = (s.eq(b, one), s.eq(b, other), s.eq(p, not_q));
    let [not_one, not_other] = [is_one, is_other].map(|t| s.not(t));
    check(&s, &[not_one, not_other, same]);
}

#[test]
fn indices_that_are_arrays_differ_in_an_element() {
    let mut s = TermStore::new();
    let inner = s.array_sort(Sort::BOOL, Sort::BOOL);
    let outer = s.array_sort(inner, Sort::BOOL);
    let (top, bottom, b) = (s.top(), s.bottom(), s.var("b", Sort::BOOL));
    let (full, all) = (s.constant_array(outer, top), s.constant_array(inner, b));
    let changed = s.store(all, top, top);
    let (one, other) = (s.store(full, changed, bottom), s.store(full, all, b));
    let same = s.eq(one, other);
    let not_same = s.not(same);
    assert!(is_axiom(&s, &[b, not_same]));
    assert!(!is_axiom(&s, &[b]) && !is_axiom(&s, &[b, same]));
    // An array of a formula everywhere is not one of its negation.
    let not_b = s.not(b);
    let none = s.constant_array(inner, not_b);
    let written = s.store(full, all, b);
    let kept = s.select(written, none);
    check(&s, &[kept]);
}

#[test]
fn arrays_that_agree_at_all_arrays_are_equal() {
    let mut s = TermStore::new();
    let inner = s.array_sort(Sort::BOOL, Sort::BOOL);
    let outer = s.array_sort(inner, Sort::INT);
    let (top, bottom) = (s.top(), s.bottom());
    let [a, b] = ["a", "b"].map(|name| s.var(name, outer));
    let [full, empty] = [top, bottom].map(|t| s.constant_array(inner, t));
    let indices = [full, empty, s.store(full, top, bottom), s.store(empty, top, top)];
    let mut clause = vec![s.eq(a, b)];
    for index in indices {
        let (x, y) = (s.select(a, index), s.select(b, index));
        let agree = s.eq(x, y);
        clause.push(s.not(agree));
    }
    check(&s, &clause);
    // The same index in another form is no further one.
    let again = s.store(full, bottom, bottom);
    let again = s.store(again, top, bottom);
    let (x, y) = (s.select(a, again), s.select(b, again));
    let agree = s.eq(x, y);
    *clause.last_mut().expect("it has literals") = s.not(agree);
    assert!(!is_axiom(&s, &clause));
}

#[test]
fn integers_that_no_multiple_is() {
    let mut s = TermStore::new();
    let sort = s.array_sort(Sort::INT, Sort::INT);
    let (x, one, zero) = (s.var("x", Sort::INT), s.int(1), s.int(0));
    let index = s.scale(&5.into(), x);
    let all = s.constant_array(sort, one);
    let changed = s.store(all, one, zero);
    let read = s.select(changed, index);
    let kept = s.eq(read, one);
    check(&s, &[kept]);
    // The same for a constant that equals it.
    let y = s.var("y", Sort::INT);
    let (is_index, at_y) = (s.eq(y, index), s.select(all, y));
    let (b, not_index) = (s.var("b", sort), s.not(is_index));
    let (is_b, read) = (s.eq(b, changed), s.select(b, y));
    let (not_b, kept) = (s.not(is_b), s.eq(read, at_y));
    let at_index = s.select(b, index);
    let same = s.eq(at_index, one);
    check(&s, &[not_index, not_b, kept]);
    check(&s, &[not_b, same]);
}

#[test]
fn lists() {
    let mut s = TermStore::new();
    let fields =
        vec![("head".into(), FieldSort::Known(Sort::INT)), ("tail".into(), FieldSort::Own(0))];
    let constructors = vec![
        ConstructorDeclaration { name: "nil".into(), fields: Vec::new() },
        ConstructorDeclaration { name: "cons".into(), fields },
    ];
    let data = DataDeclaration { name: "List".into(), constructors };
    let sort = s.declare_data(vec![data]).expect("well-founded")[0];
    let &[nil, cons] = s.constructors(sort).expect("a data type") else { panic!("two") };
    let &[head, tail] = s.constructor_fields(cons) else { panic!("two fields") };
    let [l, m, n] = ["l", "m", "n"].map(|name| s.var(name, sort));
    let [x, y] = ["x", "y"].map(|name| s.var(name, Sort::INT));
    let (xm, yn, xl) =
        (s.construct(cons, &[x, m]), s.construct(cons, &[y, n]), s.construct(cons, &[x, l]));
    let (one, other, circle) = (s.eq(l, xm), s.eq(l, yn), s.eq(m, xl));
    let [not_one, not_other, not_circle] = [one, other, circle].map(|t| s.not(t));
    let both = s.eq(xm, yn);
    check(&s, &[not_one, not_other, both]);
    check(&s, &[not_one, not_circle]);
    let (first, test, empty) = (s.field(head, l), s.is(cons, l), s.is(nil, l));
    let (is_x, no_test, not_empty) = (s.eq(first, x), s.not(test), s.not(empty));
    check(&s, &[not_one, is_x]);
    check(&s, &[not_one, test]);
    check(&s, &[not_one, not_empty]);
    check(&s, &[test, empty]);
    let rest = s.field(tail, l);
    let rebuilt = s.construct(cons, &[first, rest]);
    let is_rebuilt = s.eq(l, rebuilt);
    check(&s, &[no_test, is_rebuilt]);
}

#[test]
fn fields_that_are_negations() {
    let mut s = TermStore::new();
    let fields =
        vec![("x".into(), FieldSort::Known(Sort::INT)), ("b".into(), FieldSort::Known(Sort::BOOL))];
    let constructors = vec![ConstructorDeclaration { name: "card".into(), fields }];
    let data = DataDeclaration { name: "Card".into(), constructors };
    let sort = s.declare_data(vec![data]).expect("well-founded")[0];
    let &[card] = s.constructors(sort).expect("a data type") else { panic!("one") };
    let t = s.var("t", sort);
    let [x, y] = ["x", "y"].map(|name| s.var(name, Sort::INT));
    let [p, q] = ["p", "q"].map(|name| s.var(name, Sort::BOOL));
    let not_q = s.not(q);
    let (one, other) = (s.construct(card, &[x, p]), s.construct(card, &[y, not_q]));
    let (is_one, is_other, both) = (s.eq(t, one), s.eq(t, other), s.eq(one, other));
    let [not_one, not_other] = [is_one, is_other].map(|t| s.not(t));
    check(&s, &[not_one, not_other, both]);
}
