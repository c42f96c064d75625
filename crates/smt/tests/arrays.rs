//! Arrays: what follows from reads, writes and constant arrays, with models, proofs and
//! interpolants.
//!
//! In debug builds the solver checks its own models, instances of axioms, proofs and interpolants,
//! so running is half of the test.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use shofar_base::Budget;
use shofar_smt::{Answer, Options, PartId, Solver};
use shofar_term::{Cx, Sort, Term, TermStore};

/// A store with arrays from integers to integers.
struct Arrays {
    store: TermStore,
    sort: Sort,
}

impl Arrays {
    fn new() -> Self {
        let mut store = TermStore::new();
        let sort = store.array_sort(Sort::INT, Sort::INT);
        Self { store, sort }
    }
    fn array(&mut self, name: &str) -> Term {
        self.store.var(name, self.sort)
    }
    fn int(&mut self, name: &str) -> Term {
        self.store.var(name, Sort::INT)
    }
    fn differ(&mut self, a: Term, b: Term) -> Term {
        let equal = self.store.eq(a, b);
        self.store.not(equal)
    }
    fn check(&mut self, formulas: &[Term], expected: bool) {
        check(&mut self.store, formulas, expected);
    }
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
fn a_write_is_read_at_its_index_only() {
    let mut s = Arrays::new();
    let (a, b) = (s.array("a"), s.array("b"));
    let [i, j, v, w] = ["i", "j", "v", "w"].map(|name| s.int(name));
    let written = s.store.store(a, i, v);
    let is_b = s.store.eq(b, written);
    let (bj, aj) = (s.store.select(b, j), s.store.select(a, j));
    let (changed, same) = (s.differ(bj, aj), s.store.eq(i, j));
    let other = s.store.not(same);
    s.check(&[is_b, changed], true);
    s.check(&[is_b, changed, other], false);
    let (is_w, not_v) = (s.store.eq(bj, w), s.differ(w, v));
    s.check(&[is_b, is_w, not_v], true);
    s.check(&[is_b, is_w, not_v, same], false);
}

#[test]
fn writes_in_another_order_are_the_same_array() {
    let mut s = Arrays::new();
    let a = s.array("a");
    let [i, j, v, w] = ["i", "j", "v", "w"].map(|name| s.int(name));
    let one = s.store.store(a, i, v);
    let one = s.store.store(one, j, w);
    let other = s.store.store(a, j, w);
    let other = s.store.store(other, i, v);
    let (different, apart) = (s.differ(one, other), s.differ(i, j));
    s.check(&[different], true);
    s.check(&[different, apart], false);
    let same = s.store.eq(v, w);
    s.check(&[different, same], false);
}

#[test]
fn swapping_twice_changes_nothing() {
    let mut s = Arrays::new();
    let a = s.array("a");
    let [i, j] = ["i", "j"].map(|name| s.int(name));
    let swap = |s: &mut Arrays, a: Term| {
        let (x, y) = (s.store.select(a, i), s.store.select(a, j));
        let once = s.store.store(a, i, y);
        s.store.store(once, j, x)
    };
    let once = swap(&mut s, a);
    let twice = swap(&mut s, once);
    let (changed, once_changed) = (s.differ(a, twice), s.differ(a, once));
    s.check(&[changed], false);
    s.check(&[once_changed], true);
}

#[test]
fn arrays_that_agree_everywhere_are_equal_and_others_have_a_witness() {
    let mut s = Arrays::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| s.array(name));
    let i = s.int("i");
    let (ab, bc, ac) = (s.differ(a, b), s.differ(b, c), s.differ(a, c));
    let (ai, bi) = (s.store.select(a, i), s.store.select(b, i));
    let same = s.store.eq(ai, bi);
    s.check(&[ab, bc, ac, same], true);
    let zero = s.store.int(0);
    let all = s.store.constant_array(s.sort, zero);
    let (a_all, b_all) = (s.store.eq(a, all), s.store.eq(b, all));
    s.check(&[ab, a_all], true);
    s.check(&[ab, a_all, b_all], false);
}

#[test]
fn constant_arrays_have_one_element() {
    let mut s = Arrays::new();
    let [i, j, v, w] = ["i", "j", "v", "w"].map(|name| s.int(name));
    let (x, y) = (s.store.constant_array(s.sort, v), s.store.constant_array(s.sort, w));
    let (x, y) = (s.store.store(x, i, w), s.store.store(y, j, v));
    let (same, apart) = (s.store.eq(x, y), s.differ(v, w));
    s.check(&[same], true);
    s.check(&[same, apart], false);
}

#[test]
fn arrays_of_arrays_and_arrays_as_indices() {
    let mut s = Arrays::new();
    let outer = s.store.array_sort(Sort::INT, s.sort);
    let hash = s.store.array_sort(s.sort, Sort::INT);
    let (m, h) = (s.store.var("m", outer), s.store.var("h", hash));
    let [i, j, k, v] = ["i", "j", "k", "v"].map(|name| s.int(name));
    let row = s.store.select(m, i);
    let written = s.store.store(row, k, v);
    let m2 = s.store.store(m, i, written);
    let row_j = s.store.select(m2, j);
    let (read, own) = (s.store.select(row_j, k), s.store.select(m, j));
    let own = s.store.select(own, k);
    let (ij, changed, not_v) = (s.store.eq(i, j), s.differ(read, own), s.differ(read, v));
    s.check(&[changed], true);
    s.check(&[changed, not_v], false);
    s.check(&[ij, not_v], false);
    let (a, b) = (s.array("a"), s.array("b"));
    let (ha, hb) = (s.store.select(h, a), s.store.select(h, b));
    let (apart, equal) = (s.differ(ha, hb), s.store.eq(a, b));
    s.check(&[apart], true);
    s.check(&[apart, equal], false);
    let (before, v_read) = (s.store.select(a, i), s.store.store(a, i, v));
    let (hv, is_v) = (s.store.select(h, v_read), s.store.eq(before, v));
    let apart = s.differ(ha, hv);
    s.check(&[apart], true);
    s.check(&[apart, is_v], false);
}

#[test]
fn truth_values_as_indices_and_elements() {
    let mut s = Arrays::new();
    let (bits, set) =
        (s.store.array_sort(Sort::BOOL, Sort::BOOL), s.store.array_sort(Sort::INT, Sort::BOOL));
    let names = ["a", "b", "c", "d", "e"];
    let all = names.map(|name| s.store.var(name, bits));
    let mut formulas = Vec::new();
    for (at, &x) in all.iter().enumerate() {
        for &y in &all[..at] {
            formulas.push(s.differ(x, y));
        }
    }
    // There are four functions from truth values to truth values.
    s.check(&formulas, false);
    s.check(&formulas[..6], true);
    let sets = names.map(|name| s.store.var(&format!("{name}s"), set));
    let mut formulas = Vec::new();
    for (at, &x) in sets.iter().enumerate() {
        for &y in &sets[..at] {
            formulas.push(s.differ(x, y));
        }
    }
    s.check(&formulas, true);
    let (i, j) = (s.int("i"), s.int("j"));
    let (x, y) = (s.store.select(sets[0], i), s.store.select(sets[0], j));
    let (same, not_y) = (s.store.eq(i, j), s.store.not(y));
    s.check(&[x, not_y], true);
    s.check(&[x, not_y, same], false);
    let p = s.store.var("p", Sort::BOOL);
    let written = s.store.store(sets[0], i, p);
    let (read, not_p) = (s.store.select(written, j), s.store.not(p));
    s.check(&[read, not_p], true);
    s.check(&[read, not_p, same], false);
}

#[test]
fn arrays_over_uninterpreted_sorts() {
    let mut s = TermStore::new();
    let (index, element) = (s.declare_sort("I"), s.declare_sort("E"));
    let sort = s.array_sort(index, element);
    let [a, b] = ["a", "b"].map(|name| s.var(name, sort));
    let [i, j] = ["i", "j"].map(|name| s.var(name, index));
    let [v, w] = ["v", "w"].map(|name| s.var(name, element));
    let (x, y) = (s.store(a, i, v), s.store(b, j, w));
    let same = s.eq(x, y);
    let (ai, bi) = (s.select(a, i), s.select(b, i));
    let (aj, bj) = (s.select(a, j), s.select(b, j));
    let (at_i, at_j, whole) = (s.eq(ai, bi), s.eq(aj, bj), s.eq(a, b));
    let apart = s.not(whole);
    check(&mut s, &[same, apart], true);
    check(&mut s, &[same, apart, at_i], true);
    check(&mut s, &[same, apart, at_i, at_j], false);
}

#[test]
fn an_array_that_is_its_own_update() {
    let mut s = TermStore::new();
    let (index, element) = (s.declare_sort("I"), s.declare_sort("E"));
    let sort = s.array_sort(index, element);
    let [a, b] = ["a", "b"].map(|name| s.var(name, sort));
    let (i, v, w) = (s.var("i", index), s.var("v", element), s.var("w", element));
    let (written, read) = (s.store(a, i, v), s.select(a, i));
    let (same, update, is_w) = (s.eq(a, b), s.eq(b, written), s.eq(w, read));
    let equal = s.eq(v, w);
    let apart = s.not(equal);
    check(&mut s, &[same, update, is_w], true);
    check(&mut s, &[same, update, is_w, apart], false);
}

#[test]
fn scopes_and_assumptions() {
    let mut s = Arrays::new();
    let a = s.array("a");
    let [i, j, v] = ["i", "j", "v"].map(|name| s.int(name));
    let written = s.store.store(a, i, v);
    let (read, one, two) = (s.store.select(written, j), s.store.int(1), s.store.int(2));
    let is_one = s.store.eq(read, one);
    let (v_two, same) = (s.store.eq(v, two), s.store.eq(i, j));
    let mut solver = Solver::new(Options::default());
    let budget = Budget::unlimited();
    solver.add(&mut s.store, is_one);
    let mut cx = Cx::new(&mut s.store, &budget);
    for _ in 0..3 {
        assert!(matches!(
            solver.check_assuming(&mut cx, &[v_two, same]).unwrap(),
            Answer::Unsat(_)
        ));
        assert!(matches!(solver.check_assuming(&mut cx, &[v_two]).unwrap(), Answer::Sat(_)));
        solver.push();
        solver.add(cx.store, same);
        assert!(matches!(solver.check(&mut cx).unwrap(), Answer::Sat(_)));
        assert!(matches!(solver.check_assuming(&mut cx, &[v_two]).unwrap(), Answer::Unsat(_)));
        solver.pop(1);
    }
}

#[test]
fn interpolants_of_pure_reads_and_no_leak_from_mixed_ones() {
    let mut s = Arrays::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| s.array(name));
    let [i, v] = ["i", "v"].map(|name| s.int(name));
    // A: b = store(a, i, v), c = b; B: c[i] ≠ v.
    let written = s.store.store(a, i, v);
    let left = [s.store.eq(b, written), s.store.eq(c, b)];
    let read = s.store.select(c, i);
    let right = s.differ(read, v);
    let mut solver = Solver::new(Options::with_proofs());
    let parts: Vec<PartId> = left.iter().map(|&t| solver.add(&mut s.store, t)).collect();
    solver.add(&mut s.store, right);
    let budget = Budget::unlimited();
    let mut cx = Cx::new(&mut s.store, &budget);
    let Answer::Unsat(view) = solver.check(&mut cx).unwrap() else { panic!("it is read") };
    assert_eq!(view.check_proof(&mut cx), Ok(Ok(())));
    // The check of debug builds looks at the symbols and both implications; giving up is allowed.
    if let Ok(interpolant) = view.interpolant(&mut cx, &parts) {
        assert_ne!(interpolant, cx.store.top());
        assert_ne!(interpolant, cx.store.bottom());
    }
}
