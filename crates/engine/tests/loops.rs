//! The engines for loops on systems whose answers are known.

mod support;

use std::time::{Duration, Instant};

use shofar_base::{Budget, GaveUp};
use shofar_chc::{Engine, NormalSystem, TransitionSystem, Verdict};
use shofar_engine::dar::Dar;
use shofar_engine::ic3ia::{Adopted, Ic3ia, Ic3iaOptions, Signals};
use shofar_engine::imc::Imc;
use shofar_engine::kind::{Kind, KindOptions};
use shofar_engine::lawi::{Covering, Lawi, LawiOptions, Search};
use shofar_engine::pdkind::{Depth, Order, PdKind, PdKindOptions};
use shofar_smt::{BoolAlgorithm, LinearAlgorithm};
use shofar_term::{
    Bound, Cx, Exchange, Excluded, Level, Message, Says, Sort, Subject, Term, TermStore,
};
use support::{read, validate};

/// Long enough for every engine on everything below, on a busy machine and without optimisation.
fn patience() -> Budget {
    Budget::until(Instant::now() + Duration::from_mins(1))
}

/// The number of states of the run, or nothing if the system is safe; witnesses are validated.
fn decide(
    engine: &mut dyn Engine<TransitionSystem>,
    text: &str,
    budget: &Budget,
) -> Result<Option<usize>, GaveUp> {
    let mut store = TermStore::new();
    let system = read::system(&mut store, text);
    let ts = read::transition_system(&mut store, &system).expect("it is one");
    let mut cx = Cx::new(&mut store, budget);
    Ok(match engine.solve(&mut cx, &ts)? {
        Verdict::Unsafe(run) => {
            validate::run(&mut cx, &ts, &run);
            Some(run.states.len())
        }
        Verdict::Safe(invariant) => {
            validate::invariant(&mut cx, &ts, invariant);
            None
        }
    })
}

/// The same for an engine that works on clauses; the number of steps of the refutation.
fn decide_clauses(
    engine: &mut dyn Engine<NormalSystem>,
    text: &str,
) -> Result<Option<usize>, GaveUp> {
    let (mut store, budget) = (TermStore::new(), patience());
    let system = read::system(&mut store, text);
    let mut cx = Cx::new(&mut store, &budget);
    Ok(match engine.solve(&mut cx, &system)? {
        Verdict::Unsafe(derivation) => {
            validate::derivation(cx.store, &system, &derivation);
            Some(derivation.steps.len())
        }
        Verdict::Safe(model) => {
            validate::model(&mut cx, &system, &model);
            None
        }
    })
}

fn engines() -> Vec<(&'static str, Box<dyn Engine<TransitionSystem>>)> {
    let pdkind = |depth, order| PdKindOptions { depth, order, ..PdKindOptions::default() };
    let pair = PdKindOptions { instances: 2, ..PdKindOptions::default() };
    let [few, many] = [Signals::Bad, Signals::Conditions]
        .map(|signals| Ic3iaOptions { signals, ..Ic3iaOptions::default() });
    let thorough = Ic3iaOptions { ctg_depth: 1, adopted: Adopted::All, ..Ic3iaOptions::default() };
    vec![
        ("pdkind", Box::new(PdKind::default())),
        ("pdkind, shallow", Box::new(PdKind::new(pdkind(Depth::AtMost(1), Order::Oldest)))),
        ("pdkind, nearest", Box::new(PdKind::new(pdkind(Depth::AtMost(3), Order::Nearest)))),
        ("two of pdkind", Box::new(PdKind::new(pair))),
        ("ic3ia", Box::new(Ic3ia::default())),
        ("ic3ia, few predicates", Box::new(Ic3ia::new(few))),
        ("ic3ia, many predicates", Box::new(Ic3ia::new(many))),
        ("ic3ia, thorough", Box::new(Ic3ia::new(thorough))),
        ("imc", Box::new(Imc::default())),
    ]
}

/// Those that work on linear clauses themselves.
fn clause_engines() -> Vec<(String, Box<dyn Engine<NormalSystem>>)> {
    let mut engines: Vec<(String, Box<dyn Engine<NormalSystem>>)> =
        vec![("dar".to_owned(), Box::new(Dar::default()))];
    for search in [Search::Deep, Search::Wide] {
        for covering in [Covering::Found, Covering::Forced(4)] {
            let lawi = Lawi::new(LawiOptions { search, covering, ..LawiOptions::default() });
            engines.push((format!("{lawi:?}"), Box::new(lawi)));
        }
    }
    engines
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Safe,
    Unsafe,
}

/// All engines agree.
fn check(text: &str, expected: Known) {
    for (name, mut engine) in engines() {
        let found = decide(&mut *engine, text, &patience());
        assert_eq!(found.map(|run| run.is_some()), Ok(expected == Known::Unsafe), "{name}");
    }
    check_clauses(text, expected);
}

/// All engines for linear clauses agree.
fn check_clauses(text: &str, expected: Known) {
    for (name, mut engine) in clause_engines() {
        let found = decide_clauses(&mut *engine, text).map(|steps| steps.is_some());
        assert_eq!(found, Ok(expected == Known::Unsafe), "{name}");
    }
}

#[test]
fn a_bad_start() {
    check(
        "(declare-fun s (Int) Bool) (assert (forall ((x Int)) (=> (>= x 3) (s x))))
        (assert (forall ((x Int)) (=> (s x) (s (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (s x) (< x 4)) false)))",
        Known::Unsafe,
    );
}

#[test]
fn a_counter_reaches_its_end() {
    check(
        "(declare-fun s (Int) Bool) (assert (s 0))
        (assert (forall ((x Int) (i Int)) (=> (and (s x) (<= 1 i) (<= i 2)) (s (+ x i)))))
        (assert (forall ((x Int) (y Int)) (=> (and (s x) (= x (* 2 y)) (>= y 4)) false)))",
        Known::Unsafe,
    );
}

#[test]
fn two_counters_stay_equal() {
    check(
        "(declare-fun s (Real Real) Bool)
        (assert (forall ((x Real)) (=> (<= 0.0 x 1.0) (s x x))))
        (assert (forall ((x Real) (y Real)) (=> (s x y) (s (+ x 1.0) (+ y 1.0)))))
        (assert (forall ((x Real) (y Real)) (=> (and (s x y) (> x (+ y 1.0))) false)))",
        Known::Safe,
    );
}

#[test]
fn real_numbers_that_shrink() {
    check(
        "(declare-fun s (Real Real) Bool)
        (assert (forall ((x Real) (y Real)) (=> (and (<= 0.0 x) (<= x 1.0) (= y 0.0)) (s x y))))
        (assert (forall ((x Real) (y Real)) (=> (s x y) (s (/ (+ x y) 2.0) (/ (- x y) 2.0)))))
        (assert (forall ((x Real) (y Real)) (=> (and (s x y) (> x 2.0)) false)))",
        Known::Safe,
    );
}

#[test]
fn a_switch_with_modes() {
    check(
        "(declare-fun s (Bool Bool Int) Bool) (assert (s true false 0))
        (assert (forall ((a Bool) (b Bool) (x Int))
            (=> (s a b x) (s b a (ite (and a (not b)) (+ x 1) (- x 1))))))
        (assert (forall ((a Bool) (b Bool) (x Int)) (=> (and (s a b x) (> x 1)) false)))",
        Known::Safe,
    );
}

#[test]
fn clauses_with_two_loops() {
    let text = |least: i32| {
        format!(
            "(declare-fun p (Int Int) Bool) (declare-fun q (Int Int) Bool)
            (assert (forall ((n Int)) (=> (>= n 0) (p n 0))))
            (assert (forall ((n Int) (x Int)) (=> (and (p n x) (< x n)) (p n (+ x 1)))))
            (assert (forall ((n Int) (x Int)) (=> (and (p n x) (>= x n)) (q n x))))
            (assert (forall ((n Int) (x Int)) (=> (and (q n x) (> x 0)) (q n (- x 1)))))
            (assert (forall ((n Int) (x Int)) (=> (and (q n x) (< x {least})) false)))"
        )
    };
    check_clauses(&text(0), Known::Safe);
    check_clauses(&text(1), Known::Unsafe);
}

#[test]
fn clauses_that_take_turns() {
    // Two locations of different arity and sort; only even numbers of steps lead back.
    let text = |bad: &str| {
        format!(
            "(declare-fun p (Int) Bool) (declare-fun q (Bool Int) Bool)
            (assert (forall ((x Int)) (=> (= x 0) (p x))))
            (assert (forall ((x Int) (b Bool)) (=> (and (p x) (= b (> x 5))) (q b (+ x 1)))))
            (assert (forall ((x Int)) (=> (q false x) (p (+ x 1)))))
            (assert (forall ((x Int)) (=> (q true x) (p 0))))
            (assert (forall ((x Int)) (=> (and (p x) {bad}) false)))"
        )
    };
    check_clauses(&text("(> x 6)"), Known::Safe);
    check_clauses(&text("(= x 6)"), Known::Unsafe);
}

#[test]
fn clauses_without_a_loop() {
    let text = |least: i32| {
        format!(
            "(declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
            (assert (forall ((x Int) (y Int)) (=> (and (= x (* 2 y)) (> y 1)) (p x))))
            (assert (forall ((x Int)) (=> (p x) (q (+ x 1)))))
            (assert (forall ((x Int)) (=> (and (q x) (< x {least})) false)))"
        )
    };
    check_clauses(&text(5), Known::Safe);
    check_clauses(&text(6), Known::Unsafe);
}

#[test]
fn a_query_without_a_predicate() {
    let text = "(declare-fun p (Int) Bool) (assert (p 0))
        (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
        (assert (forall ((x Int)) (=> (> x 7) false)))";
    check_clauses(text, Known::Unsafe);
}

#[test]
fn two_premises_are_refused() {
    let text = "(declare-fun p (Int) Bool) (assert (p 1))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (p (+ x y)))))
        (assert (forall ((x Int)) (=> (and (p x) (< x 1)) false)))";
    for (name, mut engine) in clause_engines() {
        let found = decide_clauses(&mut *engine, text);
        assert!(matches!(found, Err(GaveUp::Unsupported(_))), "{name}");
    }
}

/// The example of [Bli22] §3.2, over the reals.
const GROWING: &str = "(declare-fun s (Real Real) Bool) (assert (s 0.0 0.0))
    (assert (forall ((x Real) (y Real)) (=> (s x y) (s (+ x y) (+ y 1.0)))))
    (assert (forall ((x Real) (y Real)) (=> (and (s x y) (< x 0.0)) false)))";

/// With bounded invariants that are made of arithmetic interpolants only, so that it matters how
/// these are found.
fn clausal(linear: LinearAlgorithm) -> PdKindOptions {
    let mut options = PdKindOptions::default();
    options.interpolation.boolean = BoolAlgorithm::Clausal;
    options.interpolation.linear = linear;
    options
}

fn pdkind_by(linear: LinearAlgorithm) -> PdKind {
    PdKind::new(clausal(linear))
}

#[test]
fn farkas_interpolants_run_away() {
    let budget = Budget::until(Instant::now() + Duration::from_millis(1500));
    let found = decide(&mut pdkind_by(LinearAlgorithm::Farkas), GROWING, &budget);
    assert_eq!(found, Err(GaveUp::Timeout));
}

#[test]
fn decomposed_interpolants_do_not() {
    for mut engine in [pdkind_by(LinearAlgorithm::Decomposed), PdKind::default()] {
        assert_eq!(decide(&mut engine, GROWING, &patience()), Ok(None));
    }
}

#[test]
fn an_instance_learns_what_it_could_not_find() {
    // The first instance runs away; the second proves it, and the answer comes home.
    let options = PdKindOptions { instances: 2, ..clausal(LinearAlgorithm::Farkas) };
    assert_eq!(decide(&mut PdKind::new(options), GROWING, &patience()), Ok(None));
}

/// Somebody who says the same again and again.
struct Parrot(fn(&mut TermStore, &TransitionSystem) -> Said, TransitionSystem);

/// What a parrot says to hold for very long: a formula, and what it excludes, a step away from a
/// bad state.
type Said = (Term, Option<Term>);

impl Exchange for Parrot {
    fn publish(&self, _: &mut TermStore, _: &Message) {}
    fn receive(&self, cx: &mut Cx<'_>) -> Result<Vec<Message>, GaveUp> {
        let (formula, excluded) = (self.0)(cx.store, &self.1);
        let distance = Level::new(1);
        let excludes = excluded.map(|points| Excluded { points, distance });
        Ok(vec![Message {
            subject: Subject::State,
            params: self.1.state.clone(),
            formula,
            says: Says::Holds { bound: Bound::Within(Level::new(1_000)), excludes },
            sender: "parrot".into(),
        }])
    }
}

/// The verdict of an instance that hears a parrot; witnesses are validated.
fn decide_hearing(
    engine: &mut dyn Engine<TransitionSystem>,
    text: &str,
    message: fn(&mut TermStore, &TransitionSystem) -> Said,
) -> Result<bool, GaveUp> {
    let (mut store, budget) =
        (TermStore::new(), Budget::until(Instant::now() + Duration::from_secs(5)));
    let system = read::system(&mut store, text);
    let ts = read::transition_system(&mut store, &system).expect("it is one");
    let parrot = Parrot(message, ts.clone());
    let mut cx = Cx::new(&mut store, &budget).exchanging(&parrot);
    Ok(match engine.solve(&mut cx, &ts)? {
        Verdict::Unsafe(run) => {
            validate::run(&mut cx, &ts, &run);
            false
        }
        Verdict::Safe(invariant) => {
            validate::invariant(&mut cx, &ts, invariant);
            true
        }
    })
}

/// `0 ≤ y`, which is what a proof of [`GROWING`] needs, said to hold for very long.
fn y_stays_positive(store: &mut TermStore, ts: &TransitionSystem) -> Said {
    let y = store.constant(ts.state[1]);
    let zero = store.number(0.into(), Sort::REAL);
    (store.ge(y, zero), Some(store.lt(y, zero)))
}

#[test]
fn a_lemma_that_comes_in_finishes_a_proof() {
    let mut pdkind = pdkind_by(LinearAlgorithm::Farkas);
    let found = decide_hearing(&mut pdkind, GROWING, y_stays_positive);
    assert_eq!(found, Ok(true), "alone, it runs away");
    let few = Ic3iaOptions { signals: Signals::Bad, ..Ic3iaOptions::default() };
    let mut ic3ia = Ic3ia::new(few);
    assert_eq!(decide_hearing(&mut ic3ia, GROWING, y_stays_positive), Ok(true));
    let refinements = |ic3ia: &Ic3ia| ic3ia.statistics().count("refinements");
    let hearing = refinements(&ic3ia);
    assert_eq!(decide(&mut ic3ia, GROWING, &patience()), Ok(None));
    assert!(hearing < refinements(&ic3ia), "alone, it needs more predicates");
}

#[test]
fn a_lie_is_no_proof() {
    let counter = "(declare-fun s (Int) Bool) (assert (s 0))
        (assert (forall ((x Int)) (=> (s x) (s (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (s x) (= x 9)) false)))";
    // Nothing is ever reached, it says, and that 5 leads to a bad state at once.
    let nothing: fn(&mut TermStore, &TransitionSystem) -> Said = |store, _| (store.bottom(), None);
    let soon: fn(&mut TermStore, &TransitionSystem) -> Said = |store, ts| {
        let (x, five) = (store.constant(ts.state[0]), store.int(5));
        let cex = store.eq(x, five);
        (store.not(cex), Some(cex))
    };
    for lie in [nothing, soon] {
        let mut pdkind = pdkind_by(LinearAlgorithm::Decomposed);
        let engines: [&mut dyn Engine<TransitionSystem>; 2] = [&mut pdkind, &mut Ic3ia::default()];
        for engine in engines {
            let found = decide_hearing(engine, counter, lie);
            assert!(!matches!(found, Ok(true) | Err(GaveUp::Incomplete(_))), "{found:?}");
        }
    }
}

/// An array of three cells that are copied from earlier ones, round and round; the first stays 0.
const COPIES: &str = "(declare-fun s (Int Int Int Int) Bool)
    (assert (forall ((b Int) (c Int)) (s 0 0 b c)))
    (assert (forall ((i Int) (k Int) (j Int) (v Int) (a Int) (b Int) (c Int))
        (=> (and (s i a b c) (<= 0 j) (<= j i)
                (= k (ite (= i 2) 0 (+ i 1)))
                (= v (ite (= j 0) a (ite (= j 1) b c))))
            (s k (ite (= k 0) v a) (ite (= k 1) v b) (ite (= k 2) v c)))))
    (assert (forall ((i Int) (a Int) (b Int) (c Int)) (=> (and (s i a b c) (not (= a 0))) false)))";

#[test]
fn copies_are_inductive_after_one_round() {
    let size = 3;
    let kind = |max_k| Kind::new(KindOptions { max_k: Some(max_k), ..KindOptions::default() });
    assert_eq!(decide(&mut kind(size + 1), COPIES, &patience()), Ok(None));
    let shallow = decide(&mut kind(1), COPIES, &patience());
    assert!(matches!(shallow, Err(GaveUp::Incomplete(_))), "one step is not enough");
    let depth = Depth::AtMost(size + 1);
    let pdkind = PdKindOptions { depth, ..PdKindOptions::default() };
    assert_eq!(decide(&mut PdKind::new(pdkind), COPIES, &patience()), Ok(None));
}
