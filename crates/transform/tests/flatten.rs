//! What flattening does to clauses over data types, and that their witnesses come back.

mod support;

use shofar_base::{Budget, GaveUp};
use shofar_chc::read::read_horn;
use shofar_chc::{ChcSystem, Exactness, Verdict};
use shofar_term::{Cx, TermStore};
use shofar_transform::{Flatten, Measure, Pass};
use support::{sample, saturate, validate};

fn read(store: &mut TermStore, text: &str) -> ChcSystem {
    let script = read_horn(text.as_bytes(), store).expect("the text is well-formed");
    script.problems[0].system.clone()
}

/// Flattens the clauses in `text`, which then have so many arguments; the witness comes back. Says
/// whether they are safe.
fn check(text: &str, arguments: usize, exactness: Exactness) -> bool {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let source = read(&mut store, text);
    let cx = &mut Cx::new(&mut store, &budget);
    let (target, back) = Flatten.apply(cx, source.clone()).expect("there is no limit");
    target.assert_well_formed(cx.store);
    assert_eq!(Measure::of(cx.store, &target).arguments, arguments, "{text}");
    assert_eq!(back.exactness(), exactness, "{text}");
    match saturate::solve(cx, &target, 60).expect("there are few facts") {
        Verdict::Safe(model) => {
            validate::model(cx, &target, &model);
            let model = back.model(cx, model).expect("models come back");
            validate::model(cx, &source, &model);
            assert!(sample::model(cx, &source, &model, 500) > 0, "{text}");
            true
        }
        Verdict::Unsafe(refutation) => {
            let refutation = back.refutation(cx, refutation).expect("refutations come back");
            validate::derivation(cx, &source, &refutation);
            false
        }
    }
}

fn safe(text: &str, arguments: usize) {
    assert!(check(text, arguments, Exactness::Exact), "{text}");
}

fn refuted(text: &str, arguments: usize) {
    assert!(!check(text, arguments, Exactness::Exact), "{text}");
}

/// A counter in a record inside of a record, up to 3.
fn counter(query: &str) -> String {
    format!(
        "(set-logic HORN)
  (declare-datatypes ((Pair 0)) (((pair (first Int) (second Int)))))
  (declare-datatypes ((State 0)) (((state (pc Bool) (inner Pair)))))
  (declare-fun p (State Int) Bool)
  (assert (forall ((s State)) (=> (= s (state true (pair 0 0))) (p s 1))))
  (assert (forall ((s State) (t State) (n Int)) (=>
    (and (p s n) (< (first (inner s)) 3) (pc s)
      (= (inner t) (pair (+ (first (inner s)) 1) (+ (second (inner s)) 2))) (= (pc t) (pc s)))
    (p t n))))
  (assert (forall ((s State) (n Int)) (=> (and (p s n) {query}) false))) (check-sat)"
    )
}

#[test]
fn records_become_their_fields() {
    safe(&counter("(> (second (inner s)) 6)"), 4);
    refuted(&counter("(> (second (inner s)) 5)"), 4);
    refuted(&counter("(= s (state true (pair 2 4)))"), 4);
    safe(&counter("(not (= (inner s) (pair (first (inner s)) (* 2 (first (inner s))))))"), 4);
}

/// A light that goes through its colours, and an option that says how often it was green.
fn light(query: &str) -> String {
    format!(
        "(set-logic HORN)
  (declare-datatypes ((Color 0)) (((red) (green) (yellow))))
  (declare-datatypes ((Count 0)) (((none) (some (many Int)))))
  (declare-fun p (Color Count) Bool)
  (assert (p red none))
  (assert (forall ((n Count)) (=> (p red n)
    (p green (ite ((_ is none) n) (some 1) (ite ((_ is some) n) (some (+ 1 (many n))) none))))))
  (assert (forall ((n Count)) (=> (and (p green n)) (p yellow n))))
  (assert (forall ((n Count)) (=> (and (p yellow n) (not (= n (some 2)))) (p red n))))
  (assert (forall ((c Color) (n Count)) (=> (and (p c n) {query}) false))) (check-sat)"
    )
}

#[test]
fn variants_become_a_tag_and_fields() {
    // A selector inside of a sum is not known to be guarded.
    assert!(check(&light("((_ is none) n) (not ((_ is red) c))"), 3, Exactness::Over));
    assert!(!check(&light("(= n (some 2)) (= c yellow)"), 3, Exactness::Over));
    assert!(check(&light("(= n (some 3))"), 3, Exactness::Over));
    let text = |query: &str| {
        format!(
            "(set-logic HORN) (declare-datatypes ((Opt 0)) (((none) (some (it Int)))))
      (declare-fun p (Opt Int) Bool)
      (assert (p none 0))
      (assert (forall ((o Opt) (n Int)) (=> (and (p o n) (< n 3))
        (p (some (ite ((_ is some) o) (it o) 7)) (+ n 1)))))
      (assert (forall ((o Opt) (n Int)) (=> (and (p o n) {query}) false))) (check-sat)"
        )
    };
    safe(&text("(not (= o (some 7))) (> n 0)"), 3);
    refuted(&text("(= o (some 7)) (> n 1)"), 3);
}

#[test]
fn a_field_of_another_constructor_is_anything() {
    // The value of (many none) is not said, so no step may depend on it.
    let text = light("((_ is none) n) (= (many n) 5)");
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let source = read(&mut store, &text);
    let cx = &mut Cx::new(&mut store, &budget);
    let (target, back) = Flatten.apply(cx, source).expect("there is no limit");
    assert_eq!(back.exactness(), Exactness::Over);
    let Some(Verdict::Unsafe(refutation)) = saturate::solve(cx, &target, 60) else {
        panic!("an arbitrary value may be 5")
    };
    assert!(back.refutation(cx, refutation).is_err());
    // Where it does not matter, the refutation holds.
    let text = light("(or (= (many n) 5) ((_ is none) n))");
    assert!(!check(&text, 3, Exactness::Over));
}

#[test]
fn types_without_fields_vanish() {
    let text = "(set-logic HORN) (declare-datatypes ((Unit 0)) (((unit))))
      (declare-datatypes ((Box 0)) (((box (content Unit) (number Int)))))
      (declare-fun p (Unit Box) Bool)
      (assert (forall ((u Unit)) (p u (box u 4))))
      (assert (forall ((u Unit) (b Box)) (=> (and (p u b) (= (content b) u) (> (number b) 3)) false)))
      (check-sat)";
    refuted(text, 1);
}

#[test]
fn arrays_are_taken_apart_and_recursive_types_stay() {
    let text = "(set-logic HORN)
      (declare-datatypes ((Pair 0)) (((pair (first Int) (second Bool)))))
      (declare-datatypes ((List 0)) (((nil) (cons (head Pair) (tail List)))))
      (declare-fun p ((Array Int Pair) (Array Pair Int) List) Bool)
      (declare-fun q ((Array Pair Pair) (Array Int Int)) Bool)
      (assert (forall ((a (Array Int Pair)) (h (Array Pair Int)) (l List) (i Int))
        (=> (and (p (store a i (head l)) h l) (= (select h (select a i)) 3)) (p a h (tail l)))))
      (assert (forall ((a (Array Int Pair)) (h (Array Pair Int)) (l List)) (=> (p a h l) false)))
      (assert (forall ((a (Array Pair Pair)) (b (Array Int Int))) (=> (q a b) false)))
      (check-sat)";
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let source = read(&mut store, text);
    let cx = &mut Cx::new(&mut store, &budget);
    let (target, back) = Flatten.apply(cx, source).expect("there is no limit");
    assert_eq!(back.exactness(), Exactness::Exact);
    let signature = |pred| -> Vec<String> {
        let sorts = target.sorts(cx.store, pred).iter();
        sorts.map(|&sort| shofar_term::print::print_sort(cx.store, sort).into_owned()).collect()
    };
    let signatures: Vec<Vec<String>> = target.preds().map(signature).collect();
    let nested = |sort| format!("(Array Int (Array Bool {sort}))");
    assert_eq!(
        signatures[0],
        ["(Array Int Int)", "(Array Int Bool)", &nested("Int"), "List"].map(str::to_owned)
    );
    assert_eq!(
        signatures[1],
        [&nested("Int"), &nested("Bool"), "(Array Int Int)"].map(String::from)
    );
}

/// The verdict on a system with arrays and its witness, if that comes back.
fn with_arrays(text: &str) -> (bool, Result<(), GaveUp>) {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let source = read(&mut store, text);
    let cx = &mut Cx::new(&mut store, &budget);
    let (target, back) = Flatten.apply(cx, source.clone()).expect("there is no limit");
    assert_eq!(back.exactness(), Exactness::Exact, "{text}");
    match saturate::solve(cx, &target, 60).expect("there are few facts") {
        Verdict::Safe(model) => {
            (true, back.model(cx, model).map(|model| validate::model(cx, &source, &model)))
        }
        Verdict::Unsafe(refutation) => {
            let refutation = back.refutation(cx, refutation);
            (false, refutation.map(|it| validate::derivation(cx, &source, &it)))
        }
    }
}

#[test]
fn arrays_of_records_and_by_records() {
    let records = |query: &str| {
        format!(
            "(set-logic HORN) (declare-datatypes ((Pair 0)) (((pair (first Int) (second Int)))))
      (declare-fun p ((Array Int Pair) Int) Bool)
      (assert (forall ((a (Array Int Pair)))
        (=> (= a ((as const (Array Int Pair)) (pair 0 1))) (p a 0))))
      (assert (forall ((a (Array Int Pair)) (i Int)) (=> (and (p a i) (< i 2))
        (p (store a i (pair (+ i 5) (second (select a i)))) (+ i 1)))))
      (assert (forall ((a (Array Int Pair)) (i Int)) (=> (and (p a i) {query}) false)))
      (check-sat)"
        )
    };
    assert_eq!(with_arrays(&records("(= (select a 1) (pair 6 1))")), (false, Ok(())));
    // The model is a disjunction of equations of whole arrays.
    let (safe, model) = with_arrays(&records("(> (first (select a 1)) 6)"));
    assert!(safe && matches!(model, Err(GaveUp::Incomplete(_))), "{model:?}");
    let by_records = |query: &str| {
        format!(
            "(set-logic HORN) (declare-datatypes ((Pair 0)) (((pair (first Int) (second Bool)))))
      (declare-fun q ((Array Pair Int)) Bool)
      (assert (q (store ((as const (Array Pair Int)) 0) (pair 1 true) 7)))
      (assert (forall ((h (Array Pair Int)) (k Pair)) (=> (and (q h) {query}) false))) (check-sat)"
        )
    };
    assert_eq!(with_arrays(&by_records("(= (select h k) 7) (second k)")), (false, Ok(())));
    assert_eq!(with_arrays(&by_records("(= (select h k) 7) (not (second k))")), (true, Ok(())));
}
