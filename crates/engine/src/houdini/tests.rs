//! Small systems that the engine decides by itself, and one for which it has to hear others.

use shofar_base::Budget;
use shofar_chc::read::read_horn;
use shofar_term::{Exchange, Message, Says, Sharing, Subject};

use super::*;
use crate::Pool;

/// The system of a text, in a store.
fn system(text: &str) -> (TermStore, NormalSystem) {
    let mut store = TermStore::new();
    let script = read_horn(text.as_bytes(), &mut store).expect("it is well written");
    let system = NormalSystem::of(&mut store, script.problems[0].system.clone());
    (store, system)
}

/// What the engine says of a text within so many questions to the budget.
fn decide(text: &str, effort: u32) -> Outcome<Verdict<NormalSystem>> {
    let (mut store, system) = system(text);
    let budget = Budget::unlimited().part(effort);
    Houdini::default().solve(&mut Cx::new(&mut store, &budget), &system)
}

/// All points are on a line.
const LINE: &str = "(declare-fun p (Int Int) Bool) (assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 3) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x 30)) (= y 20)))) (check-sat)";

#[test]
fn equations_are_read_off_the_points() {
    assert!(matches!(decide(LINE, 100_000), Ok(Verdict::Safe(_))));
}

#[test]
fn what_holds_behind_a_guard_is_found() {
    let text = "(declare-fun p (Int Int) Bool) (assert (p 0 50))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 100)) (p (+ x 1) (ite (< x 50) y (+ y 1))))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (>= x 100)) (= y 100)))) (check-sat)";
    assert!(matches!(decide(text, 10_000_000), Ok(Verdict::Safe(_))));
}

#[test]
fn a_query_that_fires_from_points_is_a_refutation() {
    let text = "(declare-fun p (Int) Bool) (declare-fun q (Int Int) Bool) (assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x) (p y) (< x y)) (q x y))))
(assert (forall ((x Int) (y Int)) (=> (q x y) (< (- y x) 3)))) (check-sat)";
    let Ok(Verdict::Unsafe(refutation)) = decide(text, 1_000_000) else { panic!("it is unsafe") };
    let (store, system) = system(text);
    let last = refutation.steps.len() - 1;
    for at in 0..=last {
        let step = &refutation.steps[at];
        assert!(step.premises.iter().all(|&premise| premise < at));
        let fact = refutation.fact(&store, &system, at).expect("all have values");
        assert_eq!(fact.is_none(), at == last);
    }
}

/// Two bounds that are inductive with each other only; one of them is in no clause.
const TOGETHER: &str = "(declare-fun p (Int Int) Bool) (assert (p 4 0))
(assert (forall ((x Int) (y Int) (a Int) (b Int)) (=> (and (p x y)
  (>= (+ (* 3 a) (* 5 b)) (+ (* 2 x) (* 7 y) 4)) (>= (+ (* 2 a) (* 7 b)) (- (+ (* 3 x) (* 5 y)) 4))) (p a b))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (>= (+ (* 3 x) (* 5 y)) 7)))) (check-sat)";

#[test]
fn what_others_guess_is_put_together_with_the_rest() {
    assert!(decide(TOGETHER, 20_000).is_err(), "the second bound is missing");
    let (mut store, system) = system(TOGETHER);
    let pred = system.preds().next().expect("there is one");
    let params = formal_params(&mut store, &system, pred);
    let [x, y] = [0, 1].map(|at: usize| store.constant(params[at]));
    let (two, seven) = (store.scale(&2.into(), x), store.scale(&7.into(), y));
    let (sum, three) = (store.add(&[two, seven]), store.int(3));
    let formula = store.ge(sum, three);
    let pool = Pool::new(Sharing::All);
    let message = Message {
        subject: Subject::Predicate(system.symbol(pred)),
        params,
        formula,
        says: Says::Hint,
        sender: "somebody".into(),
    };
    let (other, own) = (pool.line(0), pool.line(1));
    other.publish(&mut store, &message);
    let budget = Budget::unlimited();
    let mut engine = Houdini::default();
    let mut cx = Cx::new(&mut store, &budget);
    let verdict = engine.solve(&mut cx.sharing(Some(&own)), &system);
    assert!(matches!(verdict, Ok(Verdict::Safe(_))));
    assert_eq!(engine.statistics().count("heard"), Some(1));
    assert!(other.news().is_empty(), "what rests on a guess is kept");
}

#[test]
fn what_points_suggest_is_told() {
    let (mut store, system) = system(LINE);
    let pool = Pool::new(Sharing::All);
    let (other, own) = (pool.line(0), pool.line(1));
    let budget = Budget::unlimited();
    let mut cx = Cx::new(&mut store, &budget);
    let verdict = Houdini::default().solve(&mut cx.sharing(Some(&own)), &system);
    assert!(matches!(verdict, Ok(Verdict::Safe(_))));
    assert!(!other.news().is_empty());
}

#[test]
fn there_may_be_nothing_to_show() {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let system = NormalSystem::of(&mut store, shofar_chc::ChcSystem::new());
    let verdict = Houdini::default().solve(&mut Cx::new(&mut store, &budget), &system);
    assert!(matches!(verdict, Ok(Verdict::Safe(_))));
}
