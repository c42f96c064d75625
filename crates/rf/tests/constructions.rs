//! Hard clauses with known answers, tree-like parts and quantified formulas.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use shofar_base::{Budget, Rng};
use shofar_chc::print::print_horn;
use shofar_chc::{ChcSystem, Interpretation, NormalSystem, Verdict};
use shofar_rf::generate::{Machine, Qbf, qbf, turing};
use shofar_rf::{Class, Options, Succinct, solve, tree_like_subsets};
use shofar_term::eval::{Evaluator, Model};
use shofar_term::{Cx, Quantifier, TermStore, Value};
use support::{TWO_STEPS, assert_derivation, assert_model, mc91, read};

/// Whether the clauses are solvable; with evidence, also after they have been written and read.
fn is_solvable(store: &mut TermStore, system: ChcSystem) -> bool {
    let mut text = Vec::new();
    print_horn(&mut text, store, &system, &[]).unwrap();
    let again = read(store, &String::from_utf8(text).unwrap().replace("(check-sat)", ""));
    let system = NormalSystem::of(store, system);
    let answers = [system, again].map(|system| {
        let budget = Budget::unlimited();
        let cx = &mut Cx::new(store, &budget);
        match solve(cx, &system, &Options::default()).unwrap() {
            Verdict::Safe(model) => {
                assert_model(cx, &system, &model);
                true
            }
            Verdict::Unsafe(derivation) => {
                assert_derivation(cx.store, &system, &derivation);
                false
            }
        }
    });
    assert_eq!(answers[0], answers[1]);
    answers[0]
}

fn holds(text: &str) -> bool {
    let mut store = TermStore::new();
    let system = qbf(&mut store, &Qbf::parse(text).unwrap());
    assert!(Class::of(&system).recursion_free);
    !is_solvable(&mut store, system)
}

#[test]
fn quantified_boolean_formulas() {
    let different = "1 2 0\n-1 -2 0\n";
    assert!(holds(&format!("p cnf 2 2\na 1 0\ne 2 0\n{different}")));
    assert!(!holds(&format!("p cnf 2 2\ne 1 0\na 2 0\n{different}")));
    assert_eq!(Qbf::parse("a 1 0\n1 2").unwrap_err().line, 2);
    assert_eq!(Qbf::parse("a 1 0\na 1 0").unwrap_err().line, 2);
    assert!(Qbf::parse("a x 0").is_err());
    let free = Qbf::parse("a 2 0\n1 2 0").unwrap();
    assert_eq!(free.prefix, [(Quantifier::Exists, 1), (Quantifier::Forall, 2)]);
}

/// The truth of a formula, by trying everything.
fn truth(formula: &Qbf, values: &mut Vec<bool>) -> bool {
    let Some(&(quantifier, _)) = formula.prefix.get(values.len()) else {
        let is_true = |&literal: &i64| {
            let variable = usize::try_from(literal.abs()).unwrap();
            let place = formula.prefix.iter().position(|&(_, v)| v == variable).unwrap();
            values[place] == (literal > 0)
        };
        return formula.clauses.iter().all(|clause| clause.iter().any(is_true));
    };
    let mut cases = [false, true].map(|value| {
        values.push(value);
        let holds = truth(formula, values);
        values.pop();
        holds
    });
    cases.sort_unstable();
    cases[usize::from(quantifier == Quantifier::Exists)]
}

#[test]
fn random_quantified_formulas() {
    let mut rng = Rng::new(2);
    let (mut yes, mut no) = (0, 0);
    for _ in 0..40 {
        let quantifier = |rng: &mut Rng| *rng.pick(&[Quantifier::Forall, Quantifier::Exists]);
        let prefix = (1..=4).map(|v| (quantifier(&mut rng), v)).collect();
        let literal = |rng: &mut Rng| rng.range(1, 4) * if rng.chance(50) { 1 } else { -1 };
        let clauses = (0..3 + rng.below(3)).map(|_| (0..3).map(|_| literal(&mut rng)).collect());
        let clauses = clauses.collect();
        let formula = Qbf { prefix, clauses };
        let mut store = TermStore::new();
        let system = qbf(&mut store, &formula);
        let expected = truth(&formula, &mut Vec::new());
        assert_eq!(is_solvable(&mut store, system), !expected, "{formula:?}");
        if expected { yes += 1 } else { no += 1 }
    }
    assert!(yes > 4 && no > 4, "{yes} and {no}");
}

fn halts(machine: &str, levels: usize) -> bool {
    let mut store = TermStore::new();
    let system = turing(&mut store, &Machine::parse(machine).unwrap(), levels);
    !is_solvable(&mut store, system)
}

#[test]
fn turing_machines() {
    let forever = "0 0 0 0 R # whatever it reads\n0 1 0 1 R\nhalt 1";
    assert!(!halts(forever, 4));
    let three = "0 0 1 1 R\n0 1 1 1 R\n1 0 2 1 L\n1 1 2 0 L\n2 1 3 0 R\nhalt 3";
    assert!(halts(three, 2));
    assert!(!halts(three, 1));
    assert_eq!(Machine::parse("0 0 1 1 X").unwrap_err().line, 1);
    assert!(Machine::parse("0 0 1 1 L").is_err(), "nothing is said about halting");
}

#[test]
fn tree_like_parts() {
    let mut store = TermStore::new();
    let system = read(&mut store, &mc91());
    let subsets = tree_like_subsets(&system, 100).unwrap();
    assert_eq!(subsets.len(), 2);
    let budget = Budget::unlimited();
    let mut common = Vec::new();
    for subset in &subsets {
        let clauses = subset.iter().map(|&id| system.clause(id).clone());
        let part = NormalSystem::of(&mut store, system.with_clauses(clauses));
        assert!(Class::of(&part).is_tree_like());
        let cx = &mut Cx::new(&mut store, &budget);
        assert!(matches!(solve(cx, &part, &Options::default()), Ok(Verdict::Safe(_))));
        common.push(subset.len());
    }
    common.sort_unstable();
    // The calls that return at once, and those that call twice; what belongs to the other is left
    // out.
    assert_eq!(common, [7, 14]);
    assert_eq!(tree_like_subsets(&read(&mut store, TWO_STEPS), 100), None);
}

/// In the published combination of both solutions one symbol is `true`, which violates a clause; a
/// bound repairs it.
#[test]
fn a_combined_solution() {
    let mut store = TermStore::new();
    let system = read(&mut store, &mc91());
    let budget = Budget::unlimited();
    let solution = |store: &mut TermStore, r5: &str| {
        let formulas = [
            ("r2", "(<= x 100)"),
            ("r3", "(<= y 101)"),
            ("rf", "(or (= y 91) (and (>= (- x y) 10) (>= x 101)))"),
            ("r1", "(> x 100)"),
            ("r1b", "(> x 100)"),
            ("r1c", "(> x 100)"),
            ("rfb", "(and (>= x 101) (= y (- x 10)))"),
            ("rfc", "(and (>= x 101) (= y (- x 10)))"),
            ("r6", "(= y 91)"),
            ("r5", r5),
        ];
        let mut model = Interpretation::new();
        for pred in system.preds() {
            let name = store.name(system.symbol(pred)).to_owned();
            let text = formulas.iter().find(|(other, _)| *other == name).map_or("true", |f| f.1);
            model.define(pred, support::definition(store, text));
        }
        model
    };
    for (r5, is_valid) in [("(<= x 100)", true), ("true", false)] {
        let model = solution(&mut store, r5);
        let cx = &mut Cx::new(&mut store, &budget);
        assert_eq!(support::violated(cx, &system, &model).is_empty(), is_valid, "{r5}");
    }
}

/// The truth of a formula over Booleans with its quantifiers, by trying everything.
fn value(store: &TermStore, formula: &Succinct, at: usize, model: &mut Model) -> bool {
    let flat: Vec<_> =
        formula.prefix.iter().flat_map(|(q, vs)| vs.iter().map(|v| (*q, *v))).collect();
    let Some(&(quantifier, variable)) = flat.get(at) else {
        return Evaluator::new(model).holds(store, formula.matrix).unwrap();
    };
    let mut cases = [false, true].into_iter().map(|case| {
        model.set(variable, Value::Bool(case));
        value(store, formula, at + 1, model)
    });
    match quantifier {
        Quantifier::Forall => cases.all(|case| case),
        Quantifier::Exists => cases.any(|case| case),
    }
}

#[test]
fn quantified_formulas_of_clauses() {
    let mut store = TermStore::new();
    let system = read(&mut store, TWO_STEPS);
    let formula = Succinct::of(&mut store, &system).unwrap();
    let prefix: Vec<Quantifier> = formula.prefix.iter().map(|(q, _)| *q).collect();
    let (all, some) = (Quantifier::Forall, Quantifier::Exists);
    assert_eq!(prefix, [some, all, some, all], "the clauses of r have no variables of their own");
    assert!(formula.alternations() <= 2 * system.pred_count());
    let quantified = formula.formula(&mut store);
    assert!(store.quantified(quantified).is_some());
    for (query, is_derivable) in
        [("(not (= x z))", false), ("(and x (not z))", false), ("(= x z)", true)]
    {
        let mut store = TermStore::new();
        let text = format!(
            "(declare-fun r (Bool Bool) Bool) (declare-fun s (Bool Bool) Bool)
            (assert (forall ((x Bool)) (=> (not x) (r x true))))
            (assert (forall ((x Bool)) (=> x (r x false))))
            (assert (forall ((x Bool) (y Bool) (z Bool)) (=> (and (r x y) (r y z)) (s x z))))
            (assert (forall ((x Bool) (z Bool)) (=> (and (s x z) {query}) false)))"
        );
        let system = read(&mut store, &text);
        let formula = Succinct::of(&mut store, &system).unwrap();
        assert!(formula.alternations() <= 2 * system.pred_count());
        assert_eq!(value(&store, &formula, 0, &mut Model::new()), is_derivable, "{query}");
    }
    let recursive = "(declare-fun p (Int) Bool) (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))";
    let system = read(&mut store, recursive);
    assert!(Succinct::of(&mut store, &system).is_none());
}
