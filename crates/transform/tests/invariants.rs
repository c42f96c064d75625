//! What abstract interpretation finds, that it is inductive on every file of the corpus, and that
//! witnesses come back.

mod support;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use shofar_base::Budget;
use shofar_chc::read::read_horn;
use shofar_chc::{ChcSystem, Clause, Interpretation, PredAtom, PredId, Transformation};
use shofar_term::print::print;
use shofar_term::{Cx, Sort, Term, TermStore};
use shofar_transform::{Pipeline, passes_before_abstraction};
use support::validate;

fn read(store: &mut TermStore, text: &[u8]) -> ChcSystem {
    read_horn(text, store).expect("the text is well-formed").problems[0].system.clone()
}

/// What is true everywhere as a model of `system`.
fn everything(store: &mut TermStore, system: &ChcSystem) -> Interpretation {
    let mut model = Interpretation::new();
    for pred in system.preds() {
        model.define_constant(store, system, pred, true);
    }
    model
}

/// What the pass with these parameters finds about the predicates of `system`: its way back makes
/// it of a model that says nothing.
fn found(cx: &mut Cx<'_>, system: &ChcSystem, parameters: &str) -> (ChcSystem, Interpretation) {
    let pipeline: Pipeline =
        format!("invariants({parameters})").parse().expect("it is well written");
    let (target, back) = pipeline.apply(cx, system.clone()).expect("there is no limit");
    let nothing = everything(cx.store, &target);
    let model = back.model(cx, nothing).expect("there is no limit");
    (target, model)
}

fn without_queries(system: &ChcSystem) -> ChcSystem {
    let clauses = system.clauses().filter(|(_, clause)| !clause.is_query());
    system.with_clauses(clauses.map(|(_, clause)| clause.clone()).collect::<Vec<_>>())
}

/// Checks what the pass finds about the first predicate of `text`, and that all it finds is
/// inductive; says how many clauses are left.
fn check(parameters: &str, text: &str, expected: &[&str]) -> usize {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let source = read(&mut store, text.as_bytes());
    let cx = &mut Cx::new(&mut store, &budget);
    let (target, model) = found(cx, &source, parameters);
    validate::model(cx, &without_queries(&source), &model);
    let first = source.preds().next().expect("there is a predicate");
    let definition = model.get(first).expect("it is defined");
    let conjuncts = cx.store.conjuncts(&[definition.body]);
    let mut texts: Vec<String> = conjuncts.iter().map(|&part| print(cx.store, part)).collect();
    texts.sort_unstable();
    assert_eq!(texts, expected, "{parameters} on {text}");
    target.clause_count()
}

/// A counter to 1000, twice; the second time from where the first one ended.
const TWICE: &str = "(set-logic HORN) (declare-fun p (Int Int) Bool) (declare-fun q (Int Int) Bool)
  (assert (p 0 0))
  (assert (forall ((k Int) (j Int)) (=> (and (p k j) (< j 1000)) (p (+ k 1) (+ j 1)))))
  (assert (forall ((k Int) (j Int)) (=> (and (p k j) (>= j 1000)) (q k 0))))
  (assert (forall ((k Int) (j Int)) (=> (and (q k j) (< j 1000)) (q (+ k 1) (+ j 1)))))
  (assert (forall ((k Int) (j Int)) (=> (and (q k j) (>= j 1000) (< k 2000)) false))) (check-sat)";

#[test]
fn intervals_and_equalities_help_each_other() {
    let bounds = ["(<= x!1 1000)", "(>= x!0 0)", "(>= x!1 0)"];
    assert_eq!(check("domains=intervals", TWICE, &bounds), 5);
    let both = ["(<= x!1 1000)", "(= x!0 x!1)", "(>= x!0 0)", "(>= x!1 0)"];
    assert_eq!(check("domains=equalities", TWICE, &both), 4, "the query is gone");
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let source = read(&mut store, TWICE.as_bytes());
    let cx = &mut Cx::new(&mut store, &budget);
    let (_, model) = found(cx, &source, "effect=strengthen");
    validate::model(cx, &source, &model);
}

#[test]
fn dead_clauses_go_and_others_stay_as_they_are() {
    let both = ["(<= x!1 1000)", "(= x!0 x!1)", "(>= x!0 0)", "(>= x!1 0)"];
    assert_eq!(check("domains=all,effect=drop", TWICE, &both), 4, "the query is gone");
    let alive = TWICE.replace("2000", "2001");
    assert_eq!(
        check("domains=all,effect=drop", &alive, &[]),
        5,
        "nothing to drop, nothing to remember"
    );
}

#[test]
fn octagons_compare_arguments() {
    let text = "(set-logic HORN) (declare-fun p (Int Int) Bool)
      (assert (forall ((n Int)) (=> (>= n 0) (p 0 n))))
      (assert (forall ((i Int) (n Int)) (=> (and (p i n) (< i n)) (p (+ i 1) n))))
      (assert (forall ((i Int) (n Int)) (=> (and (p i n) (> i n)) false))) (check-sat)";
    assert_eq!(check("domains=octagons", text, &["(<= x!0 x!1)", "(>= x!0 0)", "(>= x!1 0)"]), 2);
}

#[test]
fn congruences_see_steps() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool)
      (assert (p 1))
      (assert (forall ((x Int)) (=> (p x) (p (+ x 6)))))
      (assert (forall ((x Int)) (=> (and (p x) (= (mod x 3) 0)) false))) (check-sat)";
    assert_eq!(check("domains=congruences", text, &["(= (mod x!0 6) 1)", "(>= x!0 1)"]), 2);
}

#[test]
fn truth_values_strict_bounds_and_choices() {
    let text = "(set-logic HORN) (declare-fun p (Real Bool Int) Bool)
      (assert (forall ((x Real)) (=> (and (> x 0.0) (< x 1.0)) (p x true 3))))
      (assert (forall ((x Real) (b Bool) (n Int) (y Real) (m Int))
        (=> (and (p x b n) (= y (/ x 2.0)) (= m (ite (and b (< y 0.25)) 5 (mod n 4)))) (p y b m))))
      (assert (forall ((x Real) (b Bool) (n Int)) (=> (and (p x b n) (<= x 0.0)) false))) (check-sat)";
    let expected = ["(< x!0 1.0)", "(<= x!2 5)", "(> x!0 0.0)", "(>= x!2 0)", "x!1"];
    assert_eq!(check("domains=intervals", text, &expected), 2);
}

#[test]
fn what_cannot_be_derived_is_false() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
      (assert (forall ((x Int)) (=> (and (q x) (< x 0)) (p x))))
      (assert (q 0)) (assert (forall ((x Int)) (=> (q x) (q (+ x 1)))))
      (assert (forall ((x Int)) (=> (p x) false))) (check-sat)";
    assert_eq!(check("domains=intervals", text, &["false"]), 2);
}

#[test]
fn two_premises() {
    let text = "(set-logic HORN) (declare-fun p (Int Int) Bool)
      (assert (forall ((x Int)) (=> (<= 0 x 3) (p x x))))
      (assert (forall ((x Int) (y Int) (u Int) (v Int)) (=> (and (p x y) (p u v) (< x 10)) (p (+ x u) (+ y v)))))
      (assert (forall ((x Int) (y Int)) (=> (and (p x y) (distinct x y)) false))) (check-sat)";
    assert_eq!(check("domains=equalities", text, &["(= x!0 x!1)", "(>= x!0 0)", "(>= x!1 0)"]), 2);
}

#[test]
fn everything_found_on_the_corpus_is_inductive() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/chc");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the corpus is there")
        .map(|file| file.expect("a file").path())
        .collect();
    files.sort();
    let mut facts = 0;
    for file in files {
        let text = std::fs::read(&file).expect("it can be read");
        let (mut store, budget) = (TermStore::new(), Budget::unlimited());
        let source = read(&mut store, &text);
        let cx = &mut Cx::new(&mut store, &budget);
        let (source, _) = passes_before_abstraction().apply(cx, source).expect("there is no limit");
        for parameters in ["effect=strengthen", "domains=congruences"] {
            let (_, model) = found(cx, &source, parameters);
            validate::model(cx, &without_queries(&source), &model);
            let bodies = source.preds().map(|pred| model.get(pred).expect("defined").body);
            facts += bodies.map(|body| cx.store.conjuncts(&[body]).len()).sum::<usize>();
        }
    }
    assert!(facts > 100, "{facts} facts only");
}

/// Each of forty numbers is 0 or 2, and their sum is odd: no bound shows the contradiction before
/// all of them are fixed.
#[test]
fn many_disjunctions_are_not_distributed_for_ever() {
    let names: Vec<String> = (0..40).map(|at| format!("x{at}")).collect();
    let joined = |text: fn(&String) -> String| -> String {
        names.iter().map(text).collect::<Vec<String>>().join(" ")
    };
    let declared = joined(|name| format!("({name} Int)"));
    let choices = joined(|name| format!("(or (= {name} 0) (= {name} 2))"));
    let sum = names.join(" ");
    let text = format!(
        "(set-logic HORN) (declare-fun p (Int) Bool)
         (assert (forall ({declared}) (=> (and {choices} (= (+ {sum}) 39)) (p x0))))
         (assert (forall ((x Int)) (=> (and (p x) (> x 2)) false))) (check-sat)"
    );
    let start = Instant::now();
    assert_eq!(
        check("domains=intervals", &text, &["(<= x!0 2)", "(>= x!0 0)"]),
        1,
        "the query is gone"
    );
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

fn atom(pred: PredId, args: &[Term]) -> PredAtom {
    PredAtom { pred, args: args.to_vec() }
}

/// A thousand loops one after the other, each of them a counter beside its copy.
#[test]
fn a_thousand_loops() {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let mut source = ChcSystem::new();
    let vars = ["x", "y", "n"].map(|name| store.var(name, Sort::INT));
    let [x, y, n] = vars;
    let (zero, one) = (store.int(0), store.int(1));
    let [next_x, next_y] = [x, y].map(|v| store.add(&[v, one]));
    let (inside, outside, sum) = (store.lt(x, n), store.ge(x, n), store.distinct(&[x, y]));
    let mut add = |head, body, constraint| {
        source.add_clause(Clause { head, body, constraint, span: None });
    };
    let mut preds = ChcSystem::new();
    let places: Vec<PredId> = (0..1_000)
        .map(|at| preds.add_pred(store.declare(&format!("p{at}"), &[Sort::INT; 3], Sort::BOOL)))
        .collect();
    let positive = store.ge(n, one);
    add(Some(atom(places[0], &[zero, zero, n])), vec![], positive);
    for (at, &place) in places.iter().enumerate() {
        add(Some(atom(place, &[next_x, next_y, n])), vec![atom(place, &vars)], inside);
        if let Some(&next) = places.get(at + 1) {
            add(Some(atom(next, &[zero, zero, x])), vec![atom(place, &vars)], outside);
        }
    }
    add(None, vec![atom(places[999], &vars)], sum);
    let source = preds.with_clauses(source.clauses().map(|(_, c)| c.clone()).collect::<Vec<_>>());
    let cx = &mut Cx::new(&mut store, &budget);
    let start = Instant::now();
    let (target, model) = found(cx, &source, "domains=equalities");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert_eq!(target.clauses().filter(|(_, clause)| clause.is_query()).count(), 0);
    validate::model(cx, &source, &model);
}
