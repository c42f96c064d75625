//! Examples, and ways to decide clauses that look at all the evidence.

#![allow(dead_code, reason = "no test uses all of it")]

use std::fmt::Write as _;

use shofar_base::Budget;
use shofar_chc::read::read_horn;
use shofar_chc::{
    ChcSystem, ClauseId, Definition, Derivation, Interpretation, NormalSystem, Verdict,
};
use shofar_rf::{Class, Copies, Counts, Options, Solved, solve_counting};
use shofar_smt::{Answer, Solver, implies};
use shofar_term::eval::Evaluator;
use shofar_term::{Cx, TermStore};

/// The greatest common divisor, unfolded once.
pub(crate) const GCD: &str = "(declare-fun g (Int Int Int) Bool) (declare-fun g1 (Int Int Int) Bool)
    (assert (forall ((m Int) (n Int) (r Int)) (=> (and (= m n) (= r m)) (g m n r))))
    (assert (forall ((m Int) (n Int) (r Int) (a Int)) (=> (and (> m n) (= a (- m n)) (g1 a n r)) (g m n r))))
    (assert (forall ((m Int) (n Int) (r Int) (b Int)) (=> (and (< m n) (= b (- n m)) (g1 m b r)) (g m n r))))
    (assert (forall ((m Int) (n Int) (r Int)) (=> (and (= m n) (= r m)) (g1 m n r))))
    (assert (forall ((m Int) (n Int) (r Int)) (=> (and (>= m 0) (= m n) (g m n r) (> r m)) false)))";

/// Two uses of one symbol.
pub(crate) const RENAMING: &str =
    "(declare-fun p (Int Int) Bool) (declare-fun q (Int Int) Bool) (declare-fun r (Int Int) Bool)
    (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y) (p y z)) (r x z))))
    (assert (forall ((x Int) (y Int)) (=> (q x y) (p x y))))
    (assert (forall ((x Int)) (=> (>= x 0) (q x x))))";

/// One step or two, twice.
pub(crate) const TWO_STEPS: &str = "(declare-fun r (Int Int) Bool) (declare-fun s (Int Int) Bool)
    (assert (forall ((x Int) (y Int)) (=> (= y (+ x 1)) (r x y))))
    (assert (forall ((x Int) (y Int)) (=> (= y (+ x 2)) (r x y))))
    (assert (forall ((x Int) (y Int) (z Int)) (=> (and (r x y) (r y z)) (s x z))))
    (assert (forall ((x Int) (z Int)) (=> (and (s x z) (>= x 0) (<= z 0)) false)))";

/// McCarthy's function, unwound: 17 clauses.
pub(crate) fn mc91() -> String {
    let mut text = String::new();
    let names = [
        "r0", "r1", "r2", "r3", "rf", "r4", "r5", "r6", "r0a", "r0b", "r1b", "rfb", "r0c", "r1c",
        "rfc",
    ];
    for name in names {
        writeln!(text, "(declare-fun {name} (Int Int) Bool)").unwrap();
    }
    let mut clause = |body: &str, head: &str| {
        let variables = "(n Int) (r Int) (s Int) (t Int)";
        writeln!(text, "(assert (forall ({variables}) (=> (and true {body}) {head})))").unwrap();
    };
    for copy in ["", "b", "c"] {
        clause("", &format!("(r0{copy} n r)"));
        clause(&format!("(r0{copy} n r) (> n 100)"), &format!("(r1{copy} n r)"));
        clause(&format!("(r1{copy} n r) (= s (- n 10))"), &format!("(rf{copy} n s)"));
    }
    clause("", "(r0a n r)");
    clause("(r0a n r) (<= n 100)", "(r2 n r)");
    clause("(r2 n r) (rfb (+ n 11) s)", "(r3 n s)");
    clause("(r3 n r) (rfc r s)", "(rf n s)");
    clause("", "(r4 n r)");
    clause("(r4 n r) (<= s 100)", "(r5 s r)");
    clause("(r5 n r) (rf n s)", "(r6 n s)");
    clause("(r6 n r) (not (= r 91))", "false");
    text
}

/// A step of one, doubled so many times, ends where `query` says it does not.
pub(crate) fn doubling(depth: usize, query: &str) -> String {
    let mut text = "(declare-fun p0 (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (= y (+ x 1)) (p0 x y))))\n"
        .to_owned();
    for k in 1..=depth {
        let less = k - 1;
        writeln!(text, "(declare-fun p{k} (Int Int) Bool)
             (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p{less} x y) (p{less} y z)) (p{k} x z))))").unwrap();
    }
    text + &format!("(assert (forall ((x Int) (y Int)) (=> (and (p{depth} x y) {query}) false)))")
}

/// Two symbols at each step, derived from both of the step before by one or two more; the end is at
/// most `bound`.
pub(crate) fn ladder(steps: usize, bound: usize) -> String {
    let mut text = String::new();
    for at in 0..=steps {
        for side in ["a", "b"] {
            writeln!(text, "(declare-fun {side}{at} (Int) Bool)").unwrap();
            let before = if at == 0 { &[][..] } else { &["a", "b"] };
            for from in before {
                let (less, by) = (at - 1, if *from == side { 1 } else { 2 });
                let clause = format!("(=> ({from}{less} x) ({side}{at} (+ x {by})))");
                writeln!(text, "(assert (forall ((x Int)) {clause}))").unwrap();
            }
            if at == 0 {
                writeln!(text, "(assert ({side}0 0))").unwrap();
            }
        }
    }
    text + &format!("(assert (forall ((x Int)) (=> (and (a{steps} x) (> x {bound})) false)))")
}

pub(crate) fn read(store: &mut TermStore, text: &str) -> NormalSystem {
    let script = format!("(set-logic HORN)\n{text}\n(check-sat)");
    let system = read_horn(script.as_bytes(), store).unwrap().problems.remove(0).system;
    NormalSystem::of(store, system)
}

pub(crate) fn class(text: &str) -> Class {
    Class::of(&read(&mut TermStore::new(), text))
}

/// The clauses that a model does not make valid.
pub(crate) fn violated(
    cx: &mut Cx<'_>,
    system: &ChcSystem,
    model: &Interpretation,
) -> Vec<ClauseId> {
    let mut violated = Vec::new();
    for (id, clause) in system.clauses() {
        let mut premises = vec![clause.constraint];
        for atom in &clause.body {
            premises.push(model.get(atom.pred).unwrap().apply(cx.store, &atom.args));
        }
        let head = match &clause.head {
            Some(head) => model.get(head.pred).unwrap().apply(cx.store, &head.args),
            None => cx.store.bottom(),
        };
        if !implies(cx, shofar_smt::Options::default(), &premises, head).unwrap() {
            violated.push(id);
        }
    }
    violated
}

pub(crate) fn assert_model(cx: &mut Cx<'_>, system: &ChcSystem, model: &Interpretation) {
    assert_eq!(violated(cx, system, model), []);
}

/// The pairs of integers `x` and `y` of which the text is true.
pub(crate) fn definition(store: &mut TermStore, text: &str) -> Definition {
    let clause = format!(
        "(declare-fun pair (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> {text} (pair x y))))"
    );
    let system = read(store, &clause);
    let (_, clause) = system.clauses().next().unwrap();
    let args = &clause.head.as_ref().unwrap().args;
    let params = args.iter().map(|&arg| store.symbol(arg).unwrap()).collect();
    Definition { params, body: clause.constraint }
}

pub(crate) fn assert_derivation(store: &TermStore, system: &ChcSystem, derivation: &Derivation) {
    for (at, step) in derivation.steps.iter().enumerate() {
        let clause = system.clause(step.clause);
        let mut evaluator = Evaluator::with_defaults(&step.assignment);
        assert_eq!(evaluator.holds(store, clause.constraint), Ok(true));
        assert_eq!(step.premises.len(), clause.body.len());
        for (&premise, atom) in step.premises.iter().zip(&clause.body) {
            assert!(premise < at);
            let args = atom.args.iter().map(|&arg| evaluator.evaluate(store, arg).unwrap());
            let wanted = Ok(Some((atom.pred, args.collect())));
            assert_eq!(derivation.fact(store, system, premise), wanted);
        }
    }
    assert!(system.clause(derivation.steps.last().unwrap().clause).is_query());
}

/// Whether the clauses are solvable, with evidence, and what it took.
pub(crate) fn decide(text: &str) -> (bool, Counts) {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let system = read(&mut store, text);
    let cx = &mut Cx::new(&mut store, &budget);
    let (verdict, counts) = solve_counting(cx, &system, &Options::default()).unwrap();
    match verdict {
        Verdict::Safe(model) => {
            assert_model(cx, &system, &model);
            (true, counts)
        }
        Verdict::Unsafe(derivation) => {
            assert_derivation(cx.store, &system, &derivation);
            (false, counts)
        }
    }
}

/// The same by the whole expansion: a plain question about it, and its solution mapped back.
pub(crate) fn decide_by_expansion(text: &str) -> (bool, usize) {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let system = read(&mut store, text);
    let cx = &mut Cx::new(&mut store, &budget);
    let copies = Copies::all(cx, &system, 10_000).unwrap();
    let formula = copies.form.formula(cx.store);
    let mut solver = Solver::default();
    solver.add(cx.store, formula);
    let is_solvable = matches!(solver.check(cx).unwrap(), Answer::Unsat(_));
    match copies.form.solve(cx, &Options::default()).unwrap() {
        Solved::Solution(solution) => {
            assert!(is_solvable);
            let model = copies.solution(cx.store, &system, &solution);
            assert_model(cx, &system, &model);
        }
        Solved::Counterexample(derivation) => {
            assert!(!is_solvable);
            assert_derivation(cx.store, &system, &copies.derivation(&derivation));
        }
    }
    (is_solvable, copies.form.clauses().count())
}
