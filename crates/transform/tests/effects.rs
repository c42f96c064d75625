//! What each pass does to small systems, and that their witnesses come back.

mod support;

use shofar_base::Budget;
use shofar_chc::read::read_horn;
use shofar_chc::{ChcGraph, ChcSystem, NormalSystem, Shape, Transformation, Verdict};
use shofar_term::print::print;
use shofar_term::{Cx, TermStore};
use shofar_transform::{Accelerate, Loops, Measure, Pass, Pipeline};
use support::{saturate, validate};

fn read(store: &mut TermStore, text: &str) -> ChcSystem {
    let script = read_horn(text.as_bytes(), store).expect("the text is well-formed");
    script.problems[0].system.clone()
}

/// Applies `passes` to the clauses in `text`; says clauses, predicates and arguments of the result
/// and hands it to `look`. Witnesses of small systems are translated and validated.
fn check_and(
    passes: &str,
    text: &str,
    expected: (usize, usize, usize),
    look: impl FnOnce(&mut TermStore, &ChcSystem),
) {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let source = read(&mut store, text);
    let pipeline: Pipeline = passes.parse().expect("it is well written");
    let cx = &mut Cx::new(&mut store, &budget);
    let (target, back) = pipeline.apply(cx, source.clone()).expect("there is no limit");
    let Measure { clauses, preds, arguments } = Measure::of(cx.store, &target);
    assert_eq!((clauses, preds, arguments), expected, "{passes} on {text}");
    look(cx.store, &target);
    match saturate::solve(cx, &target, 40) {
        Some(Verdict::Safe(model)) => {
            let model = back.model(cx, model).expect("there is no limit");
            validate::model(cx, &source, &model);
        }
        Some(Verdict::Unsafe(refutation)) => {
            let refutation = back.refutation(cx, refutation).expect("there is no limit");
            let ground = refutation.expanded(cx.store, 10_000).expect("it is short");
            validate::derivation(cx, &source, &ground);
        }
        None => (),
    }
}

fn check(passes: &str, text: &str, expected: (usize, usize, usize)) {
    check_and(passes, text, expected, |_, _| ());
}

const LOOP: &str = "(set-logic HORN) (declare-fun p (Int Int Int) Bool) (declare-fun q (Int) Bool)
  (assert (p 0 0 7))
  (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (< x 5)) (p (+ x 1) (+ y x) z))))
  (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (= z 7)) (q x))))
  (assert (forall ((x Int)) (=> (and (q x) (> x 5)) false))) (check-sat)";

#[test]
fn normalize_makes_arguments_distinct_variables() {
    check_and("normalize", LOOP, (4, 2, 4), |store, target| {
        assert!(NormalSystem::already(store, target.clone()).is_ok());
    });
}

#[test]
fn constants_fixes_what_never_changes() {
    check("constants", LOOP, (4, 2, 3));
}

/// A loop between two predicates without arguments; it is left when `LEAVES`.
const BETWEEN: &str = "(set-logic HORN) (declare-fun begin () Bool) (declare-fun run (Int) Bool)
  (declare-fun done () Bool) (declare-fun bad (Int) Bool)
  (assert (forall ((x Int)) (=> (> x 3) begin)))
  (assert (=> begin (run 0)))
  (assert (forall ((x Int)) (=> (and (run x) (< x 9)) (run (+ x 1)))))
  (assert (forall ((x Int)) (=> (and (run x) (LEAVES x 5)) done)))
  (assert (forall ((x Int)) (=> (and done (= x 7)) (bad x))))
  (assert (forall ((x Int)) (=> (and (bad x) (< x 8)) false))) (check-sat)";

#[test]
fn certain_drops_what_is_derivable_whatever_follows() {
    let at_once = BETWEEN.replace("LEAVES", "<");
    check("certain", &at_once, (4, 2, 2));
    check("certain,useless", &at_once, (2, 1, 1));
    // The way through the loop is not looked for.
    check("certain", &BETWEEN.replace("LEAVES", ">"), (5, 3, 2));
    check("when(clauses>=1000,certain)", &at_once, (6, 4, 2));
}

/// Many predicates with an argument that matters, before one without.
#[test]
fn certain_follows_long_chains() {
    let step = |at: usize| {
        let before = at - 1;
        format!(
            "(declare-fun p{at} (Int) Bool)
             (assert (forall ((x Int) (y Int)) (=> (and (p{before} x) (>= x 0) (> y x)) (p{at} y))))"
        )
    };
    let steps: String = (1..=100).map(step).collect();
    let text = format!(
        "(set-logic HORN) (declare-fun p0 (Int) Bool) (declare-fun done () Bool)
         (assert (forall ((x Int)) (=> (> x 3) (p0 x)))) {steps}
         (assert (forall ((x Int)) (=> (and (p100 x) (> x 9)) done)))
         (assert (=> done false)) (check-sat)"
    );
    check("certain,useless", &text, (1, 0, 0));
}

/// Where `i ≤ n` always holds, `i ≥ n` and `i ≠ n` contradict each other.
#[test]
fn dead_clauses_are_also_those_whose_sides_differ() {
    let text = "(set-logic HORN) (declare-fun p (Int Int) Bool)
      (assert (forall ((n Int)) (=> (>= n 0) (p 0 n))))
      (assert (forall ((i Int) (n Int)) (=> (and (p i n) (< i n)) (p (+ i 1) n))))
      (assert (forall ((i Int) (n Int)) (=> (and (p i n) (>= i n) (distinct i n)) false))) (check-sat)";
    check("invariants(domains=all,effect=drop)", text, (2, 1, 2));
    check("invariants(effect=drop),useless", text, (0, 0, 0));
    check("invariants(domains=all,effect=drop)", &text.replace("(>= i n)", "(>= n i)"), (3, 1, 2));
}

#[test]
fn constants_follows_copies_and_sums() {
    let text = "(set-logic HORN) (declare-fun p (Int Int) Bool) (declare-fun q (Int Bool) Bool)
      (assert (p 1 2))
      (assert (forall ((x Int) (y Int)) (=> (p x y) (p (- y 1) (+ x 1)))))
      (assert (forall ((x Int) (y Int)) (=> (p x y) (q (+ x y) (> x y)))))
      (assert (forall ((x Int) (b Bool)) (=> (and (q x b) (or b (= x 4))) false))) (check-sat)";
    check("constants", text, (4, 2, 0));
    check("constants,simplify", text, (3, 2, 0));
}

#[test]
fn slice_drops_what_no_query_needs() {
    // The sum y is not needed; z is tested.
    check("slice", LOOP, (4, 2, 3));
    check("constants,slice", LOOP, (4, 2, 2));
}

#[test]
fn slice_keeps_what_flows_into_a_test() {
    let text = "(set-logic HORN) (declare-fun p (Int Int Int Real) Bool)
      (assert (forall ((r Real)) (=> (> r 0.5) (p 0 0 0 r))))
      (assert (forall ((a Int) (b Int) (c Int) (r Real))
        (=> (and (p a b c r) (< a 4)) (p (+ a 1) (+ b a) (+ c b) (* 2.0 r)))))
      (assert (forall ((a Int) (b Int) (c Int) (r Real)) (=> (and (p a b c r) (> b 5)) false)))
      (check-sat)";
    check("slice", text, (3, 1, 2));
}

#[test]
fn slice_drops_what_is_only_passed_on_and_compared() {
    // The second arguments say which p and q belong together, and nothing else.
    let text = |start: &str| {
        format!(
            "(set-logic HORN) (declare-fun p (Int Int) Bool) (declare-fun q (Int Int Bool) Bool)
      (assert (forall ((i Int)) (=> {start} (p 0 i))))
      (assert (forall ((x Int) (i Int)) (=> (and (p x i) (< x 5)) (p (+ x 1) i))))
      (assert (forall ((i Int) (b Bool)) (q 3 i b)))
      (assert (forall ((x Int) (y Int) (i Int) (b Bool))
        (=> (and (p x i) (q y i b) (q x i b) (> (+ x y) 7)) false))) (check-sat)"
        )
    };
    check("slice", &text("true"), (4, 2, 2));
    check("slice", &text("(> i 3)"), (4, 2, 4));
}

#[test]
fn free_drops_what_has_every_value() {
    let text = |condition: &str| {
        format!(
            "(set-logic HORN) (declare-fun p (Int Int) Bool) (declare-fun q (Int Int) Bool)
      (assert (forall ((n Int)) (p 0 n)))
      (assert (forall ((x Int) (n Int)) (=> (and (p x n) {condition}) (p (+ x 1) n))))
      (assert (forall ((x Int) (n Int)) (=> (and (p x n) (p 2 n)) (q x n))))
      (assert (forall ((x Int) (n Int) (m Int)) (=> (and (q x n) (q x m) (> n m) (> x 4)) false)))
      (check-sat)"
        )
    };
    // The two facts q in the query have different values.
    check("free", &text("(< x 6)"), (4, 2, 2));
    check("free", &text("(< x 3)"), (4, 2, 2));
    check("free", &text("(< x n)"), (4, 2, 4));
}

#[test]
fn eliminate_resolves_what_is_no_loop() {
    check_and("eliminate", LOOP, (3, 1, 3), |_, target| {
        assert_eq!(ChcGraph::new(target).shape(), Shape::TransitionSystem);
    });
}

#[test]
fn eliminate_contracts_cycles_and_joins() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
      (declare-fun r (Int) Bool) (declare-fun s (Int) Bool)
      (assert (p 0))
      (assert (forall ((x Int)) (=> (and (p x) (< x 3)) (q (+ x 1)))))
      (assert (forall ((x Int)) (=> (q x) (p x))))
      (assert (forall ((x Int)) (=> (and (q x) (> x 1)) (r x))))
      (assert (r 9))
      (assert (forall ((x Int) (y Int)) (=> (and (p x) (r y)) (s (+ x y)))))
      (assert (forall ((x Int)) (=> (and (s x) (> x 12)) false))) (check-sat)";
    // q and s go; r has two clauses that derive it and one that uses it.
    check("eliminate", text, (4, 1, 1));
}

#[test]
fn drops() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
      (declare-fun r (Int) Bool)
      (assert (p 0))
      (assert (forall ((x Int)) (=> (p x) (q x))))
      (assert (forall ((x Int)) (=> (and (r x) (p x)) (r (+ x 1)))))
      (assert (forall ((x Int)) (=> (r x) false)))
      (assert (forall ((x Int)) (=> (and (p x) (> x 0)) false))) (check-sat)";
    check("underivable", text, (3, 2, 2));
    check("useless", text, (4, 2, 2));
    check("underivable,useless", text, (2, 1, 1));
}

#[test]
fn subsume_drops_copies_weaker_clauses_and_tautologies() {
    let text = "(set-logic HORN) (declare-fun p (Int Int) Bool)
      (assert (p 0 0))
      (assert (forall ((x Int) (y Int)) (=> (p x y) (p x y))))
      (assert (forall ((x Int) (y Int) (l Int)) (=> (and (p x y) (< l x)) (p l y))))
      (assert (forall ((a Int) (b Int) (c Int)) (=> (and (p a b) (< c a) (< b 3)) (p c b))))
      (assert (forall ((u Int) (v Int)) (=> (and (p u v) (> u 0)) false)))
      (assert (forall ((a Int) (b Int)) (=> (and (p a b) (> a 0)) false))) (check-sat)";
    check("subsume", text, (3, 1, 2));
}

#[test]
fn merge_makes_one_step_of_many() {
    let text = "(set-logic HORN) (declare-fun p (Int Int) Bool)
      (assert (p 0 0)) (assert (p 1 1))
      (assert (forall ((x Int) (y Int) (l Int)) (=> (and (p x y) (< x 3) (= l 1)) (p (+ x l) y))))
      (assert (forall ((x Int) (y Int) (l Int)) (=> (and (p x y) (< x 3) (= l 2)) (p (+ x l) l))))
      (assert (forall ((a Int) (b Int)) (=> (and (p a b) (> a 4)) false)))
      (assert (forall ((a Int) (b Int)) (=> (and (p a b) (> b 2)) false))) (check-sat)";
    check("merge", text, (3, 1, 2));
    check("merge,simplify,eliminate", text, (3, 1, 2));
}

/// The only clause of the result as text.
fn constraint(passes: &str, text: &str) -> String {
    let mut found = String::new();
    check_and(passes, text, (1, 0, 0), |store, target| {
        let (_, clause) = target.clauses().next().expect("there is a clause");
        found = shofar_term::print::print(store, clause.constraint);
    });
    found
}

#[test]
fn simplify_eliminates_what_is_no_argument() {
    let query = |body: &str| {
        format!(
            "(set-logic HORN) (assert (forall ((x Int) (y Int) (z Int) (r Real) (s Real) (a Bool)
               (b Bool)) (=> (and {body}) false))) (check-sat)"
        )
    };
    for (body, expected) in [
        ("(= x (+ y 1)) (= y (* 2 z)) (> x 4)", "true"),
        ("(<= x y) (<= y z)", "true"),
        ("(< r s) (<= s (to_real x)) (= a b) (or b (> r 1.0))", "true"),
        ("a (or b (not a)) (= x 3) (=> b (= y x))", "true"),
        ("(= x (+ y 1)) (= (mod y 2) 0) (< x z)", "(= (mod y 2) 0)"),
    ] {
        assert_eq!(constraint("simplify", &query(body)), expected, "{body}");
    }
    check("simplify", &query("(< x y) (< y z) (< z x)"), (0, 0, 0));
    check("simplify", &query("(or (< x y) (> x (+ y 2))) (= x y)"), (0, 0, 0));
    check("simplify", &query("(< (* 2 x) 1) (> (* 2 x) (- 1))"), (1, 0, 0));
    check("simplify", &query("(or a b) (or a (not b)) (not a)"), (0, 0, 0));
}

const SWITCH: &str = "(set-logic HORN) (declare-fun p (Bool Int) Bool)
  (assert (p true 0))
  (assert (forall ((b Bool) (x Int)) (=> (and (p b x) b (< x 3)) (p b (+ x 1)))))
  (assert (forall ((b Bool) (x Int)) (=> (and (p b x) b (or (= x 2) (= x 3))) (p false x))))
  (assert (forall ((b Bool) (x Int)) (=> (and (p b x) (not b) (> x 3)) false))) (check-sat)";

#[test]
fn split_makes_clauses_of_disjuncts() {
    check("split", SWITCH, (5, 1, 2));
    let most = "(set-logic HORN) (declare-fun p (Int Int) Bool)
      (assert (forall ((x Int) (y Int)) (=> (and (<= 0 x 9) (or (= y 1) (= y 2) (= y x)) (or (= x 3) (= y 5))) (p x y))))
      (assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x 9)) false))) (check-sat)";
    check_and("split", most, (7, 1, 2), |store, target| {
        let is_plain = |clause: &shofar_chc::Clause| {
            let parts = store.conjuncts(&[clause.constraint]);
            parts.iter().all(|&part| store.disjunction(part).is_none())
        };
        assert!(target.clauses().all(|(_, clause)| is_plain(clause)));
    });
}

/// The terms of the hints that are left after the passes.
fn hints(passes: &str, text: &str, hints: &str) -> Vec<String> {
    let mut store = TermStore::new();
    let mut system = read(&mut store, text);
    let given = shofar_chc::read::read_hints(hints.as_bytes(), &mut store, &system)
        .expect("it is well written");
    system.add_hints(given);
    let budget = Budget::unlimited();
    let mut cx = Cx::new(&mut store, &budget);
    let pipeline: Pipeline = passes.parse().expect("it is well written");
    let (target, _) = pipeline.run(&mut cx, system, &mut |_| ()).expect("it is well written");
    target.assert_well_formed(cx.store);
    let shown = |hint: &shofar_chc::Hint| {
        let name = cx.store.name(target.symbol(hint.pred));
        format!("{name}/{}: {}", hint.params.len(), print(cx.store, hint.term))
    };
    target.hints().iter().map(shown).collect()
}

#[test]
fn hints_follow_the_predicates() {
    let text = "(declare-fun p (Int Int Bool) Bool) (declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (>= x 0) (q x))))
(assert (forall ((x Int)) (=> (q x) (p x 3 true))))
(assert (forall ((x Int) (y Int) (b Bool)) (=> (p x y b) (p (+ x y) y (not b)))))
(assert (forall ((x Int) (y Int) (b Bool)) (=> (and (p x y b) (< x y) b) false))) (check-sat)";
    let about = "(initial-predicates p ((a Int) (c Int) (d Bool)) (=> d (< a c)) (> c 2) d)
(initial-predicates q ((a Int)) (> a 7)) (templates p ((a Int) (c Int) (d Bool)) (term (- a c)))";
    let left = hints("normalize, constants, eliminate", text, about);
    assert_eq!(
        left.len(),
        3,
        "the second argument is 3, and the other predicate is gone: {left:?}"
    );
    assert!(left.iter().all(|hint| hint.starts_with("p/2: ")), "{left:?}");
    assert!(left[1].starts_with("p/2: d"), "{left:?}");
    assert_eq!(hints("normalize", text, about).len(), 5);
}

#[test]
fn determined_arguments_are_dropped() {
    let text = "(declare-fun p (Int Int Int) Bool)
(assert (p 0 0 5))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (< x 3)) (p (+ x 1) (+ y 2) (- z 1)))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) LAST) false))) (check-sat)";
    // One of the three arguments is left: y = 2x and z = 5 - x.
    check("determined", &text.replace("LAST", "(> (+ y z) (+ x 5))"), (3, 1, 1));
    check("determined", &text.replace("LAST", "(> (+ y z) 7)"), (3, 1, 1));
    // These clauses are linear.
    check("when(nonlinear,determined)", &text.replace("LAST", "(> (+ y z) 7)"), (3, 1, 3));
    let two = text.replace("LAST", "(p y x z) (> (+ y z) 7)");
    check("when(nonlinear,determined)", &two, (3, 1, 1));
    let about = "(initial-predicates p ((a Int) (b Int) (c Int)) (<= b 6))";
    let left = hints("determined", &text.replace("LAST", "false"), about);
    assert_eq!(left.len(), 1, "{left:?}");
    assert!(left[0].starts_with("p/1: "), "{left:?}");
}

#[test]
fn loops_with_a_closed_form_get_a_shortcut() {
    // x grows by 2 and y does not change; z is reset, so its loop gains nothing.
    let text = |bad: i64| {
        format!(
            "(set-logic HORN) (declare-fun p (Int Int) Bool) (declare-fun q (Int) Bool)
  (assert (p 0 3))
  (assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 1000)) (p (+ x 2) y))))
  (assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x {bad})) (q y))))
  (assert (forall ((z Int)) (=> (q z) (q 5))))
  (assert (forall ((z Int)) (=> (and (q z) (> z 2)) false))) (check-sat)"
        )
    };
    check("accelerate", &text(6), (6, 2, 3));
    check("accelerate", &text(7), (6, 2, 3));
    check("accelerate,merge", &text(6), (5, 2, 3));
}

/// `p` and `q` take turns; `y` grows by 2 with every turn.
fn turns(bad: i64) -> String {
    format!(
        "(declare-fun p (Int Int) Bool) (declare-fun q (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 12)) (q (+ x 1) y))))
(assert (forall ((x Int) (y Int)) (=> (q x y) (p x (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x {bad}) (= y 20)) false))) (check-sat)"
    )
}

#[test]
fn short_cycles_get_a_shortcut_at_their_entry() {
    let is_about_entry = |_: &mut TermStore, target: &ChcSystem| {
        let (_, last) = target.clauses().next_back().expect("there are clauses");
        let entry = target.preds().next();
        assert_eq!(last.head.as_ref().map(|head| head.pred), entry);
        assert_eq!(last.body.first().map(|atom| atom.pred), entry);
    };
    check_and("accelerate", &turns(10), (5, 2, 4), is_about_entry);
    check_and("accelerate", &turns(11), (5, 2, 4), is_about_entry);
    // Three predicates, and a way round that leaves one of them out.
    let text = |bad: i64| {
        format!(
            "(declare-fun p (Int) Bool) (declare-fun q (Int) Bool) (declare-fun r (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (< x 12)) (q (+ x 1)))))
(assert (forall ((x Int) (z Int)) (=> (and (q x) (= z (+ x 2)) (< z 15)) (r z))))
(assert (forall ((x Int)) (=> (r x) (p x))))
(assert (forall ((x Int)) (=> (q x) (p (+ x 5)))))
(assert (forall ((x Int)) (=> (and (r x) (= x {bad})) false))) (check-sat)"
        )
    };
    check("accelerate", &text(9), (8, 3, 3));
    check("accelerate", &text(10), (8, 3, 3));
}

#[test]
fn disjuncts_and_periods_get_shortcuts() {
    // Two phases in one clause, each with a shortcut of its own; `k` is no argument.
    let text = |bad: i64| {
        format!(
            "(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int) (z Int) (k Int)) (=> (and (p x y) (= k (+ x y)) (< k 90)
  (or (and (< x 6) (= z y)) (and (>= x 6) (< x 12) (= z (+ y 3))))) (p (+ x 1) z))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= y {bad})) false))) (check-sat)"
        )
    };
    check("accelerate", &text(18), (5, 1, 2));
    check("accelerate", &text(19), (5, 1, 2));
    // The flag changes with every step.
    let flag = |bad: i64| {
        format!(
            "(declare-fun p (Int Bool) Bool)
(assert (p 0 true))
(assert (forall ((x Int) (b Bool)) (=> (and (p x b) (< x 30)) (p (+ x 1) (not b)))))
(assert (forall ((x Int) (b Bool)) (=> (and (p x b) b (= x {bad})) false))) (check-sat)"
        )
    };
    check("accelerate", &flag(20), (4, 1, 2));
    check("accelerate", &flag(21), (4, 1, 2));
}

#[test]
fn loops_are_replaced_if_all_their_disjuncts_have_a_shortcut() {
    // The first clause of `p` is replaced; of the second only one disjunct has a closure, of `q`
    // none.
    let text = "(declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
(assert (p 0))
(assert (forall ((x Int) (y Int)) (=> (and (p x) (or (and (< x 5) (= y (+ x 1)))
  (and (>= x 5) (< x 9) (= y (+ x 2))))) (p y))))
(assert (forall ((x Int) (y Int)) (=> (and (p x) (< x 9) (or (= y (+ x 3)) (= y (* 5 x)))) (p y))))
(assert (forall ((x Int)) (=> (and (p x) (> x 20)) (q x))))
(assert (forall ((x Int)) (=> (and (q x) (< x 30)) (q (* 2 x)))))
(assert (forall ((x Int)) (=> (and (q x) (= x LAST)) false))) (check-sat)";
    for (last, is_safe) in [("25", false), ("50", false), ("47", true)] {
        let (mut store, budget) = (TermStore::new(), Budget::unlimited());
        let source = read(&mut store, &text.replace("LAST", last));
        let cx = &mut Cx::new(&mut store, &budget);
        let pass = Accelerate { loops: Loops::Replaced };
        let (target, back) = Pass::apply(&pass, cx, source.clone()).expect("there is no limit");
        assert_eq!(target.clause_count(), source.clause_count() - 1 + 3);
        match saturate::solve(cx, &target, 60).expect("there are few facts") {
            Verdict::Safe(model) => {
                assert!(is_safe);
                let model = back.model(cx, model).expect("there is no limit");
                validate::model(cx, &source, &model);
            }
            Verdict::Unsafe(refutation) => {
                assert!(!is_safe);
                let refutation = back.refutation(cx, refutation).expect("there is no limit");
                let ground = refutation.expanded(cx.store, 1_000).expect("it is short");
                validate::derivation(cx, &source, &ground);
            }
        }
    }
}
