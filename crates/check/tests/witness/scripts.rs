//! From the text of a problem and the text of a witness to the decision.

use std::fmt::Write;

use shofar_base::{Budget, Source};
use shofar_chc::print::{Lines, print_refutation};
use shofar_chc::read::read_horn;
use shofar_check::{HornInput, Rigour, Unread, parse_witness, validate_with};
use shofar_term::{Cx, TermStore};

/// `valid`, or the objection with the line it is about, or the complaint.
fn check(problem: &str, witness: &str) -> String {
    let mut store = TermStore::new();
    let script = read_horn(problem.as_bytes(), &mut store).expect("the problem is well-formed");
    let input = HornInput::of_problem(&script.problems[0]);
    let budget = Budget::unlimited();
    let mut cx = Cx::new(&mut store, &budget);
    let witness = match parse_witness(&mut cx, witness.as_bytes(), input.system()) {
        Ok(witness) => witness,
        Err(Unread::Malformed(error) | Unread::Misfit(error)) => {
            return error.headline("witness", &Source::new(witness.as_bytes()));
        }
        Err(Unread::GaveUp(why)) => return why.to_string(),
    };
    match validate_with(&mut cx, &input, witness, Rigour::Proofs).expect("there is no limit") {
        Ok(_) => "valid".to_owned(),
        Err(objection) => {
            let text = objection.describe(&store, &input);
            match objection.span(&input) {
                Some(span) => {
                    let line = Source::new(problem.as_bytes()).position(span.start).line;
                    format!("line {line}: {text}")
                }
                None => text,
            }
        }
    }
}

const SHAPES: &str = "(set-logic HORN)
(declare-fun p (Int Int) Bool)
(declare-fun done () Bool)
(assert (forall ((x Int)) (or (not (= x 0)) (p x (+ x 1)))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (and (p y (+ y 1)) (=> (> x 7) done)))))
(assert (not (exists ((x Int)) (and done (or (p x x) (and (< x 0) (exists ((y Int)) (p x y))))))))
(check-sat)
";

#[test]
fn models_are_checked_against_assertions_of_any_shape() {
    let model = |p: &str, done: &str| {
        format!("sat\n((define-fun p ((A Int) (B Int)) Bool {p}) (define-fun done () Bool {done}))")
    };
    assert_eq!(check(SHAPES, &model("(and (>= A 0) (= B (+ A 1)))", "true")), "valid");
    assert_eq!(
        check(SHAPES, &model("(and (>= A 0) (= B (+ A 1)))", "(not true)")),
        "line 5: clause 2 is false under the definitions for x = 8, y = 9"
    );
    let wrong = check(SHAPES, &model("(>= A 0)", "true"));
    assert!(
        wrong.starts_with("line 5: clause 1 is false under the definitions for x = 0, y = (- ")
    );
    assert_eq!(
        check(SHAPES, "sat\n((define-fun done () Bool true))"),
        "witness:2:1: the predicate `p` is not defined"
    );
}

#[test]
fn refutations_are_checked_against_assertions_of_any_shape() {
    let problem = SHAPES.replace("(p x x)", "(p x 9)");
    let mut steps = String::from("(step 0 :clause 0 :values ((x 0)) :premises ())\n");
    for x in 0..8 {
        let (y, premise) = (x + 1, x);
        writeln!(
            steps,
            "(step {y} :clause 1 :values ((x {x}) (y {y})) :premises ({premise}) :derives (p {y} {}))",
            y + 1
        )
        .expect("strings accept text");
    }
    steps.push_str("(step 9 :clause 2 :values ((x 8) (y 9)) :premises (8) :derives done)\n");
    let query = "(step 10 :clause 3 :values ((x 8)) :premises (9 8) :derives false)";
    assert_eq!(check(&problem, &format!("unsat (refutation {steps} {query})")), "valid");
    let early = query.replace("(9 8)", "(9 7)");
    assert_eq!(
        check(&problem, &format!("(refutation {steps} {early})")),
        "line 6: step 10, by clause 3: the body needs (p 8 9), but step 7 derives (p 7 8) for x = 8"
    );
}

#[test]
fn lines_are_told() {
    let mut store = TermStore::new();
    let script = read_horn(SHAPES.as_bytes(), &mut store).expect("the problem is well-formed");
    let problem = &script.problems[0];
    let system = &problem.system;
    let step = shofar_chc::DerivationStep {
        clause: system.clauses().next().expect("there are clauses").0,
        assignment: shofar_term::eval::Model::new(),
        premises: Vec::new(),
    };
    let derivation = shofar_chc::Derivation::ground(vec![step]);
    let lines = Lines::new(problem, SHAPES.as_bytes());
    let mut out = Vec::new();
    print_refutation(&mut out, &store, system, &lines, &derivation).expect("vectors accept text");
    let text = String::from_utf8(out).expect("the text is UTF-8");
    assert!(text.contains("(step 0 :clause 0 :line 4 :values ((x 0)) :premises ()"), "{text}");
}
