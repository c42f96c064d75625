//! Recursion-free clauses of every fragment: classes, normal forms, solutions and derivations, each with its evidence.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use shofar_base::{Budget, GaveUp, Rng};
use shofar_chc::read::read_horn;
use shofar_chc::{ChcSystem, Derivation, Interpretation, NormalSystem, Verdict};
use shofar_rf::{Class, Copies, Counts, Form, Options, Solved, solve_counting};
use shofar_smt::{Answer, Solver, implies};
use shofar_term::eval::Evaluator;
use shofar_term::{Cx, TermStore};

/// The greatest common divisor, unfolded once.
const GCD: &str = "(declare-fun g (Int Int Int) Bool) (declare-fun g1 (Int Int Int) Bool)
    (assert (forall ((m Int) (n Int) (r Int)) (=> (and (= m n) (= r m)) (g m n r))))
    (assert (forall ((m Int) (n Int) (r Int) (a Int)) (=> (and (> m n) (= a (- m n)) (g1 a n r)) (g m n r))))
    (assert (forall ((m Int) (n Int) (r Int) (b Int)) (=> (and (< m n) (= b (- n m)) (g1 m b r)) (g m n r))))
    (assert (forall ((m Int) (n Int) (r Int)) (=> (and (= m n) (= r m)) (g1 m n r))))
    (assert (forall ((m Int) (n Int) (r Int)) (=> (and (>= m 0) (= m n) (g m n r) (> r m)) false)))";

/// Two uses of one symbol.
const RENAMING: &str =
    "(declare-fun p (Int Int) Bool) (declare-fun q (Int Int) Bool) (declare-fun r (Int Int) Bool)
    (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y) (p y z)) (r x z))))
    (assert (forall ((x Int) (y Int)) (=> (q x y) (p x y))))
    (assert (forall ((x Int)) (=> (>= x 0) (q x x))))";

/// One step or two, twice.
const TWO_STEPS: &str = "(declare-fun r (Int Int) Bool) (declare-fun s (Int Int) Bool)
    (assert (forall ((x Int) (y Int)) (=> (= y (+ x 1)) (r x y))))
    (assert (forall ((x Int) (y Int)) (=> (= y (+ x 2)) (r x y))))
    (assert (forall ((x Int) (y Int) (z Int)) (=> (and (r x y) (r y z)) (s x z))))
    (assert (forall ((x Int) (z Int)) (=> (and (s x z) (>= x 0) (<= z 0)) false)))";

/// McCarthy's function, unwound: 17 clauses.
fn mc91() -> String {
    let mut text = String::new();
    let names = [
        "r0", "r1", "r2", "r3", "rf", "r4", "r5", "r6", "r0a", "r0b", "r1b", "rfb", "r0c", "r1c",
        "rfc",
    ];
    for name in names {
        text += &format!("(declare-fun {name} (Int Int) Bool)\n");
    }
    let mut clause = |body: &str, head: &str| {
        let variables = "(n Int) (r Int) (s Int) (t Int)";
        text += &format!("(assert (forall ({variables}) (=> (and true {body}) {head})))\n");
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
fn doubling(depth: usize, query: &str) -> String {
    let mut text = "(declare-fun p0 (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (= y (+ x 1)) (p0 x y))))\n"
        .to_owned();
    for k in 1..=depth {
        let less = k - 1;
        text += &format!(
            "(declare-fun p{k} (Int Int) Bool)
             (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p{less} x y) (p{less} y z)) (p{k} x z))))\n"
        );
    }
    text + &format!("(assert (forall ((x Int) (y Int)) (=> (and (p{depth} x y) {query}) false)))")
}

fn read(store: &mut TermStore, text: &str) -> NormalSystem {
    let script = format!("(set-logic HORN)\n{text}\n(check-sat)");
    let system = read_horn(script.as_bytes(), store).unwrap().problems.remove(0).system;
    NormalSystem::of(store, system)
}

fn class(text: &str) -> Class {
    Class::of(&read(&mut TermStore::new(), text))
}

fn assert_model(cx: &mut Cx<'_>, system: &ChcSystem, model: &Interpretation) {
    for (id, clause) in system.clauses() {
        let mut premises = vec![clause.constraint];
        for atom in &clause.body {
            premises.push(model.get(atom.pred).unwrap().apply(cx.store, &atom.args));
        }
        let head = match &clause.head {
            Some(head) => model.get(head.pred).unwrap().apply(cx.store, &head.args),
            None => cx.store.bottom(),
        };
        let holds = implies(cx, shofar_smt::Options::default(), &premises, head).unwrap();
        assert!(holds, "clause {id:?} is not valid");
    }
}

fn assert_derivation(store: &TermStore, system: &ChcSystem, derivation: &Derivation) {
    for (at, step) in derivation.steps.iter().enumerate() {
        let clause = system.clause(step.clause);
        let mut evaluator = Evaluator::with_defaults(&step.assignment);
        assert_eq!(evaluator.holds(store, clause.constraint), Ok(true));
        assert_eq!(step.premises.len(), clause.body.len());
        for (&premise, atom) in step.premises.iter().zip(&clause.body) {
            assert!(premise < at);
            let args = atom.args.iter().map(|&arg| evaluator.evaluate(store, arg).unwrap());
            let wanted = Some((atom.pred, args.collect()));
            assert_eq!(derivation.fact(store, system, premise), wanted);
        }
    }
    assert!(system.clause(derivation.steps.last().unwrap().clause).is_query());
}

/// Whether the clauses are solvable, with evidence, and what it took.
fn decide(text: &str) -> (bool, Counts) {
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
fn decide_by_expansion(text: &str) -> (bool, usize) {
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

#[test]
fn fragments_and_their_forms() {
    assert_eq!(class(&mc91()).names(), ["recursion-free", "well-founded", "body-disjoint"]);
    assert_eq!(class(&mc91()).form(), Some(Form::Disjunctive));
    assert_eq!(class(TWO_STEPS).names(), ["recursion-free", "well-founded"]);
    assert_eq!(class(TWO_STEPS).form(), Some(Form::Expansion));
    let chain = "(declare-fun g (Int Int) Bool)
        (assert (forall ((m Int) (r Int)) (=> (= r m) (g m r))))
        (assert (forall ((m Int) (r Int)) (=> (and (g m r) (> r m)) false)))";
    assert_eq!(class(chain).form(), Some(Form::Sequence));
    assert!(class(chain).linear && class(chain).is_tree_like());
    let recursive = format!("{chain} (assert (forall ((m Int) (r Int)) (=> (g m r) (g r m))))");
    assert_eq!((class(&recursive).form(), class(&recursive).recursion_free), (None, false));
    assert_eq!(class(GCD).names(), ["recursion-free", "well-founded", "linear"]);
    assert_eq!(class(GCD).form(), Some(Form::Dag));
    assert_eq!(
        class(&doubling(2, "true")).names(),
        ["recursion-free", "well-founded", "head-disjoint"]
    );
}

#[test]
fn a_normal_form_has_a_copy_for_each_use() {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let system = read(&mut store, RENAMING);
    let copies = Copies::all(&mut Cx::new(&mut store, &budget), &system, 100).unwrap();
    let mut shapes: Vec<(String, Vec<String>)> = Vec::new();
    for (_, clause) in copies.form.clauses() {
        let name = |&symbol: &_| store.name(system.symbol(copies.pred(symbol))).to_owned();
        shapes.push((name(&clause.head.unwrap()), clause.body.iter().map(name).collect()));
    }
    shapes.sort();
    let wanted =
        [("p", vec!["q"]), ("p", vec!["q"]), ("q", vec![]), ("q", vec![]), ("r", vec!["p", "p"])];
    let wanted = wanted.map(|(head, body)| {
        (head.to_owned(), body.into_iter().map(str::to_owned).collect::<Vec<_>>())
    });
    assert_eq!(shapes, wanted);
    assert_eq!(copies.form.symbols().count(), 5, "p and q twice, r once");
    assert!(decide(RENAMING).0);
    assert!(
        decide(&format!(
            "{RENAMING} (assert (forall ((x Int) (z Int)) (=> (and (r x z) (< z 0)) false)))"
        ))
        .0
    );
    assert!(
        !decide(&format!(
            "{RENAMING} (assert (forall ((x Int) (z Int)) (=> (and (r x z) (> z 4)) false)))"
        ))
        .0
    );
}

#[test]
fn examples_have_solutions() {
    for text in [GCD, TWO_STEPS, &mc91()] {
        assert!(decide(text).0);
        assert!(decide_by_expansion(text).0);
    }
    let wrong = mc91().replace("(<= s 100)", "(<= s 102)");
    assert!(!decide(&wrong).0, "the result for 102 is 92");
    assert!(!decide_by_expansion(&wrong).0);
}

#[test]
fn a_chain_of_doublings_is_not_expanded() {
    let depth = 9;
    let end = "(< y (+ x 512))";
    let (is_solvable, lazy) = decide(&doubling(depth, end));
    assert!(is_solvable);
    let (is_solvable, clauses) = decide_by_expansion(&doubling(5, "(< y (+ x 32))"));
    assert!(is_solvable && clauses == 64);
    // The expansion of this one has 1024 clauses.
    assert!(lazy.copies < 200, "{lazy:?}");
    assert!(lazy.questions < 200, "{lazy:?}");
    let (is_solvable, deep) = decide(&doubling(40, "(<= y x)"));
    assert!(is_solvable && deep.copies < 1_000, "{deep:?}");
    assert!(!decide(&doubling(4, "(= y (+ x 16))")).0);
}

#[test]
fn recursion_is_not_supported() {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let text = "(declare-fun p (Int) Bool) (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))";
    let system = read(&mut store, text);
    let answer = shofar_rf::solve(&mut Cx::new(&mut store, &budget), &system, &Options::default());
    assert!(matches!(answer, Err(GaveUp::Unsupported(_))));
}

/// Random clauses over a few levels; both ways agree, and all evidence is checked.
#[test]
fn random_clauses_as_their_expansion() {
    let mut rng = Rng::new(5);
    let (mut solvable, mut refuted) = (0, 0);
    for _ in 0..60 {
        let mut text = String::new();
        let levels = 4;
        for level in 0..levels {
            text += &format!("(declare-fun p{level} (Int Int) Bool)\n");
        }
        for level in 0..=levels {
            for _ in 0..=rng.below(2) {
                let mut body = String::new();
                for _ in 0..if level == 0 { 0 } else { rng.below(3) } {
                    let (a, b) = (rng.below(3), rng.below(3));
                    body += &format!("(p{} v{a} v{b})", rng.below(level));
                }
                for _ in 0..1 + rng.below(2) {
                    let (a, b, k) = (rng.below(3), rng.below(3), rng.range(0, 4));
                    let relation = *rng.pick(&["<=", "<", "=", ">"]);
                    body += &format!("({relation} v{a} (+ v{b} {k}))");
                }
                let head =
                    if level == levels { "false".to_owned() } else { format!("(p{level} v0 v1)") };
                let variables = "(v0 Int) (v1 Int) (v2 Int)";
                text += &format!("(assert (forall ({variables}) (=> (and true {body}) {head})))\n");
            }
        }
        let (by_fragments, _) = decide(&text);
        let (by_expansion, _) = decide_by_expansion(&text);
        assert_eq!(by_fragments, by_expansion, "{text}");
        if by_fragments { solvable += 1 } else { refuted += 1 }
    }
    assert!(solvable > 5 && refuted > 5, "both occur: {solvable} and {refuted}");
}
