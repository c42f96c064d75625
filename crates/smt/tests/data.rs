//! Data types: what follows from constructors, selectors and testers, with models and proofs.
//!
//! In debug builds the solver checks its own models, instances of axioms and proofs, so running is
//! half of the test.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use shofar_base::Budget;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::{
    Constructor, ConstructorDeclaration, Cx, DataDeclaration, FieldSort, Sort, Term, TermStore,
};

fn declare(s: &mut TermStore, name: &str, constructors: &[(&str, &[(&str, FieldSort)])]) -> Sort {
    let constructors = constructors
        .iter()
        .map(|(name, fields)| ConstructorDeclaration {
            name: (*name).into(),
            fields: fields.iter().map(|(name, sort)| ((*name).into(), *sort)).collect(),
        })
        .collect();
    s.declare_data(vec![DataDeclaration { name: name.into(), constructors }]).unwrap()[0]
}

fn list(s: &mut TermStore) -> (Sort, Constructor, Constructor) {
    let head = ("head", FieldSort::Known(Sort::INT));
    let sort = declare(s, "List", &[("nil", &[]), ("cons", &[head, ("tail", FieldSort::Own(0))])]);
    let &[nil, cons] = s.constructors(sort).unwrap() else { panic!("two") };
    (sort, nil, cons)
}

fn differ(s: &mut TermStore, a: Term, b: Term) -> Term {
    let equal = s.eq(a, b);
    s.not(equal)
}

fn all_differ(s: &mut TermStore, terms: &[Term]) -> Vec<Term> {
    let mut formulas = Vec::new();
    for (at, &x) in terms.iter().enumerate() {
        for &y in &terms[..at] {
            formulas.push(differ(s, x, y));
        }
    }
    formulas
}

fn check(store: &mut TermStore, formulas: &[Term], expected: bool) {
    for options in [Options::default(), Options::with_cores(), Options::with_proofs()] {
        let mut solver = Solver::new(options);
        for &formula in formulas {
            solver.add(store, formula);
        }
        let budget = Budget::unlimited();
        let cx = &mut Cx::new(store, &budget);
        let found = matches!(solver.check(cx).unwrap(), Answer::Sat(_));
        assert_eq!(found, expected);
    }
}

#[test]
fn constructors_are_injective_and_disjoint() {
    let mut s = TermStore::new();
    let (sort, nil, cons) = list(&mut s);
    let [x, y] = ["x", "y"].map(|name| s.var(name, Sort::INT));
    let [l, m, n] = ["l", "m", "n"].map(|name| s.var(name, sort));
    let (xm, yn, empty) =
        (s.construct(cons, &[x, m]), s.construct(cons, &[y, n]), s.construct(nil, &[]));
    let (one, other, none) = (s.eq(l, xm), s.eq(l, yn), s.eq(l, empty));
    let (heads, tails) = (differ(&mut s, x, y), differ(&mut s, m, n));
    check(&mut s, &[one, other], true);
    check(&mut s, &[one, other, heads], false);
    check(&mut s, &[one, other, tails], false);
    check(&mut s, &[one, none], false);
    check(&mut s, &[one, tails, heads], true);
}

#[test]
fn no_list_contains_itself() {
    let mut s = TermStore::new();
    let (sort, _, cons) = list(&mut s);
    let x = s.var("x", Sort::INT);
    let [l, m, n] = ["l", "m", "n"].map(|name| s.var(name, sort));
    let step = |s: &mut TermStore, a: Term, b: Term| {
        let longer = s.construct(cons, &[x, b]);
        s.eq(a, longer)
    };
    let chain = [step(&mut s, l, m), step(&mut s, m, n), step(&mut s, n, l)];
    check(&mut s, &chain[..2], true);
    check(&mut s, &chain, false);
}

#[test]
fn types_that_refer_to_each_other() {
    let mut s = TermStore::new();
    let field = |name: &str, sort| (name.into(), sort);
    let node = ConstructorDeclaration {
        name: "node".into(),
        fields: vec![
            field("label", FieldSort::Known(Sort::INT)),
            field("children", FieldSort::Own(1)),
        ],
    };
    let none = ConstructorDeclaration { name: "none".into(), fields: Vec::new() };
    let some = ConstructorDeclaration {
        name: "some".into(),
        fields: vec![field("first", FieldSort::Own(0)), field("rest", FieldSort::Own(1))],
    };
    let tree = DataDeclaration { name: "Tree".into(), constructors: vec![node] };
    let forest = DataDeclaration { name: "Forest".into(), constructors: vec![none, some] };
    let sorts = s.declare_data(vec![tree, forest]).unwrap();
    let rows = s.array_sort(Sort::INT, sorts[1]);
    let &[node] = s.constructors(sorts[0]).unwrap() else { panic!("one") };
    let &[_, some] = s.constructors(sorts[1]).unwrap() else { panic!("two") };
    let &[label, children] = s.constructor_fields(node) else { panic!("two fields") };
    let [t, u] = ["t", "u"].map(|name| s.var(name, sorts[0]));
    let [f, g] = ["f", "g"].map(|name| s.var(name, sorts[1]));
    let (a, i, x) = (s.var("a", rows), s.var("i", Sort::INT), s.var("x", Sort::INT));
    let (tg, read) = (s.construct(some, &[t, g]), s.select(a, i));
    let (is_tg, is_read, apart) = (s.eq(f, tg), s.eq(read, f), differ(&mut s, f, g));
    check(&mut s, &[is_tg, is_read, apart], true);
    let (inside, below) = (s.field(children, t), s.construct(node, &[x, f]));
    let (circle, other) = (s.eq(inside, f), s.eq(t, below));
    check(&mut s, &[circle], true);
    check(&mut s, &[circle, is_tg], false);
    check(&mut s, &[other, is_tg], false);
    let (labels, inner) = ([t, u].map(|w| s.field(label, w)), [t, u].map(|w| s.field(children, w)));
    let (same_label, same_inner) = (s.eq(labels[0], labels[1]), s.eq(inner[0], inner[1]));
    let trees = differ(&mut s, t, u);
    check(&mut s, &[trees, same_label], true);
    check(&mut s, &[trees, same_label, same_inner], false);
}

#[test]
fn selectors_and_testers() {
    let mut s = TermStore::new();
    let (sort, nil, cons) = list(&mut s);
    let &[head, tail] = s.constructor_fields(cons) else { panic!("two fields") };
    let [l, m] = ["l", "m"].map(|name| s.var(name, sort));
    let (x, three, four) = (s.var("x", Sort::INT), s.int(3), s.int(4));
    let (hl, hm, tl, tm) = (s.field(head, l), s.field(head, m), s.field(tail, l), s.field(tail, m));
    let (is_l, is_m, empty_l, empty_m) = (s.is(cons, l), s.is(cons, m), s.is(nil, l), s.is(nil, m));
    let (h3, h4) = (s.eq(hl, three), s.eq(hm, four));
    let (tails, apart) = (s.eq(tl, tm), differ(&mut s, l, m));
    check(&mut s, &[h3, h4, tails, is_l, is_m], true);
    // Selectors of the empty list are not specified, but a function of it.
    check(&mut s, &[h3, empty_l], true);
    check(&mut s, &[h3, h4, empty_l, empty_m], false);
    check(&mut s, &[h3, h4, empty_l, is_m], true);
    let heads = s.eq(hl, hm);
    check(&mut s, &[is_l, is_m, heads, tails, apart], false);
    check(&mut s, &[heads, tails, apart], true);
    let neither = [s.not(is_l), s.not(empty_l)];
    check(&mut s, &neither, false);
    let made = s.construct(cons, &[x, m]);
    let (is_made, not_x) = (s.eq(l, made), differ(&mut s, hl, x));
    check(&mut s, &[is_made, not_x], false);
    check(&mut s, &[is_made, neither[0]], false);
}

#[test]
fn finite_types_have_so_many_values() {
    let mut s = TermStore::new();
    let color = declare(&mut s, "Color", &[("red", &[]), ("green", &[]), ("blue", &[])]);
    let vars: Vec<Term> = (0..4).map(|i| s.var(&format!("c{i}"), color)).collect();
    let formulas = all_differ(&mut s, &vars[..3]);
    check(&mut s, &formulas, true);
    let formulas = all_differ(&mut s, &vars);
    check(&mut s, &formulas, false);
    let flag = |name| (name, FieldSort::Known(Sort::BOOL));
    let pair = declare(&mut s, "Flags", &[("flags", &[flag("p"), flag("q")])]);
    let vars: Vec<Term> = (0..5).map(|i| s.var(&format!("f{i}"), pair)).collect();
    let formulas = all_differ(&mut s, &vars[..4]);
    check(&mut s, &formulas, true);
    let formulas = all_differ(&mut s, &vars);
    check(&mut s, &formulas, false);
    let option = declare(&mut s, "Opt", &[("none", &[]), ("some", &[flag("it")])]);
    let vars: Vec<Term> = (0..4).map(|i| s.var(&format!("o{i}"), option)).collect();
    let formulas = all_differ(&mut s, &vars[..3]);
    check(&mut s, &formulas, true);
    let formulas = all_differ(&mut s, &vars);
    check(&mut s, &formulas, false);
    // A function on a finite type has at most so many values.
    let f = s.declare("f", &[color], Sort::INT);
    let images: Vec<Term> = (0..4).map(|i| s.var(&format!("c{i}"), color)).collect();
    let images: Vec<Term> = images.into_iter().map(|c| s.app(f, &[c])).collect();
    let formulas = all_differ(&mut s, &images);
    check(&mut s, &formulas, false);
}

#[test]
fn records_are_their_fields() {
    let mut s = TermStore::new();
    let known = FieldSort::Known;
    let array = s.array_sort(Sort::INT, Sort::INT);
    let record = declare(&mut s, "R", &[("mk", &[("n", known(Sort::INT)), ("a", known(array))])]);
    let mk = s.constructors(record).unwrap()[0];
    let &[n, a] = s.constructor_fields(mk) else { panic!("two fields") };
    let [p, q] = ["p", "q"].map(|name| s.var(name, record));
    let (i, v) = (s.var("i", Sort::INT), s.var("v", Sort::INT));
    let (pn, qn, pa, qa) = (s.field(n, p), s.field(n, q), s.field(a, p), s.field(a, q));
    let (numbers, arrays, apart) = (s.eq(pn, qn), s.eq(pa, qa), differ(&mut s, p, q));
    check(&mut s, &[apart], true);
    check(&mut s, &[numbers, apart], true);
    check(&mut s, &[numbers, arrays, apart], false);
    let written = s.store(pa, i, v);
    let updated = s.construct(mk, &[pn, written]);
    let (is_q, read) = (s.eq(q, updated), s.select(qa, i));
    let (not_v, was) = (differ(&mut s, read, v), s.select(pa, i));
    check(&mut s, &[is_q, not_v], false);
    let same = s.eq(was, v);
    check(&mut s, &[is_q, same, apart], false);
    check(&mut s, &[is_q, apart], true);
    // Records in arrays, and as indices.
    let (rows, hash) = (s.array_sort(Sort::INT, record), s.array_sort(record, Sort::INT));
    let (m, h) = (s.var("m", rows), s.var("h", hash));
    let (mi, hp, hq) = (s.select(m, i), s.select(h, p), s.select(h, q));
    let (is_p, images) = (s.eq(mi, p), differ(&mut s, hp, hq));
    check(&mut s, &[is_p, images, numbers], true);
    check(&mut s, &[is_p, images, numbers, arrays], false);
}

#[test]
fn functions_over_data_and_arrays() {
    let mut s = TermStore::new();
    let it = ("it", FieldSort::Known(Sort::BOOL));
    let maybe = declare(&mut s, "Maybe", &[("nothing", &[]), ("just", &[it])]);
    let array = s.array_sort(Sort::INT, Sort::INT);
    let (g, h) = (s.declare("g", &[maybe, maybe], Sort::BOOL), s.declare("h", &[Sort::INT], array));
    let [t, u] = ["t", "u"].map(|name| s.var(name, maybe));
    let (a, zero, one) = (s.var("a", array), s.int(0), s.int(1));
    let (tt, tu, uu) = (s.app(g, &[t, t]), s.app(g, &[t, u]), s.app(g, &[u, u]));
    let [not_tu, not_uu] = [tu, uu].map(|p| s.not(p));
    check(&mut s, &[tt], true);
    check(&mut s, &[tt, not_tu, not_uu], true);
    let same = s.eq(t, u);
    check(&mut s, &[tt, not_uu, same], false);
    let (h0, h1) = (s.app(h, &[zero]), s.app(h, &[one]));
    let apart = [differ(&mut s, h0, a), differ(&mut s, h1, a), differ(&mut s, h0, h1)];
    check(&mut s, &apart, true);
    let (at0, at1) = (s.select(h0, zero), s.select(h1, zero));
    let (is_one, is_zero, equal) = (s.eq(at0, one), s.eq(at1, zero), s.eq(h0, h1));
    check(&mut s, &[is_one, is_zero], true);
    check(&mut s, &[is_one, is_zero, equal], false);
}

#[test]
fn choices_between_data() {
    let mut s = TermStore::new();
    let (sort, nil, cons) = list(&mut s);
    let (c, l, x) = (s.var("c", Sort::BOOL), s.var("l", sort), s.var("x", Sort::INT));
    let (empty, longer) = (s.construct(nil, &[]), s.construct(cons, &[x, l]));
    let chosen = s.ite(c, empty, longer);
    let m = s.var("m", sort);
    let (is_m, test, not_c) = (s.eq(m, chosen), s.is(cons, m), s.not(c));
    check(&mut s, &[is_m, test], true);
    check(&mut s, &[is_m, test, c], false);
    let &[head, _] = s.constructor_fields(cons) else { panic!("two fields") };
    let (first, three) = (s.field(head, m), s.int(3));
    let (is_three, not_x) = (s.eq(first, three), differ(&mut s, x, three));
    check(&mut s, &[is_m, is_three, not_x, not_c], false);
    check(&mut s, &[is_m, is_three, not_x], true);
}
