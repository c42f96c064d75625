//! Answers to questions: the word, the evidence, or neither.

use shofar_base::{Budget, GaveUp};
use shofar_chc::Exactness;
use shofar_chc::read::read_horn;
use shofar_check::{Blame, Doubt, HornInput, Judgement, Rigour, given_answers, judge};
use shofar_term::{Cx, TermStore};

const SAFE: &str = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))(check-sat)";
const UNSAFE: &str = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (= x 0)) false)))(check-sat)";
/// The same clauses as rules; `sat` says that the query can be derived.
const UNDERIVABLE: &str =
    "(declare-rel p (Int))(declare-var x Int)(rule (p 0))\n(query (and (p x) (< x 0)))";
const DERIVABLE: &str =
    "(declare-rel p (Int))(declare-var x Int)(rule (p 0))\n(query (and (p x) (= x 0)))";

const MODEL: &str = "((define-fun p ((A Int)) Bool (= A 0)))";
const REFUTATION: &str = "(refutation (step 0 :clause 0 :values () :premises () :derives (p 0))
(step 1 :clause 1 :values ((x 0)) :premises (0) :derives false))";

/// The judgement on the first answer of a text, in words.
fn check(problem: &str, text: &str) -> String {
    let mut store = TermStore::new();
    let script = read_horn(problem.as_bytes(), &mut store).expect("the problem is well-formed");
    let question = &script.problems[0];
    let input = HornInput::of_problem(question);
    let answers = given_answers(text.as_bytes()).expect(text);
    let budget = Budget::unlimited();
    match judge(
        &mut Cx::new(&mut store, &budget),
        &input,
        question.polarity,
        &answers[0],
        Rigour::Proofs,
    ) {
        Judgement::Valid(certified) => certified.describe(&input, question.polarity),
        Judgement::Invalid(Blame::Word(message)) => message,
        Judgement::Invalid(Blame::Text(diagnostic)) => format!("misfit: {}", diagnostic.message),
        Judgement::Invalid(Blame::Witness(objection)) => {
            format!("objection: {}", objection.describe(&store, &input))
        }
        Judgement::Refused(diagnostic) => format!("refused: {}", diagnostic.message),
        Judgement::Unknown(doubt) => format!("unknown: {doubt}"),
    }
}

#[test]
fn the_word_must_be_what_the_evidence_shows() {
    let by_model = "is confirmed by a model of 1 predicate";
    let by_refutation = "is confirmed by a refutation of 2 steps";
    assert_eq!(check(SAFE, &format!("sat {MODEL}")), format!("sat {by_model}"));
    assert_eq!(check(SAFE, MODEL), format!("sat {by_model}"));
    assert_eq!(check(UNSAFE, &format!("unsat {REFUTATION}")), format!("unsat {by_refutation}"));
    assert_eq!(check(UNDERIVABLE, &format!("unsat {MODEL}")), format!("unsat {by_model}"));
    assert_eq!(check(DERIVABLE, &format!("sat {REFUTATION}")), format!("sat {by_refutation}"));
    assert_eq!(check(DERIVABLE, REFUTATION), format!("sat {by_refutation}"));

    let for_sat = "the answer is unsat, but a model is evidence for sat";
    assert_eq!(check(SAFE, &format!("unsat {MODEL}")), for_sat);
    let for_unsat = "the answer is sat, but a refutation is evidence for unsat";
    assert_eq!(check(UNSAFE, &format!("sat {REFUTATION}")), for_unsat);
    // The word is looked at before what is in the evidence.
    assert_eq!(check(SAFE, "sat (refutation nonsense)"), for_unsat);
    assert_eq!(check(SAFE, "unsat (model nonsense)"), for_sat);
    assert_eq!(
        check(UNDERIVABLE, &format!("sat {MODEL}")),
        "the answer is sat, but a model is evidence for unsat"
    );
    assert_eq!(
        check(DERIVABLE, "unsat (refutation-summary :steps 2)"),
        "the answer is unsat, but a refutation is evidence for sat"
    );
}

#[test]
fn wrong_evidence_is_told_from_none() {
    assert_eq!(
        check(UNSAFE, &format!("sat {MODEL}")),
        "objection: clause 1 is false under the definitions for x = 0"
    );
    assert_eq!(
        check(UNSAFE, &REFUTATION.replace("(p 0)", "(p 1)")),
        "misfit: clause and values derive something else"
    );
    assert_eq!(
        check(UNSAFE, &REFUTATION.replace("((x 0))", "((x 1))")),
        "objection: step 1, by clause 1: the constraint is false for x = 1"
    );
    assert_eq!(
        check(SAFE, "sat (define-fun p)"),
        "refused: expected the list of parameters, found `)`"
    );
    assert_eq!(check(SAFE, "unknown"), "unknown: the answer is unknown");
    assert_eq!(check(SAFE, &format!("unknown {MODEL}")), "unknown: the answer is unknown");
    assert_eq!(check(SAFE, "sat"), "unknown: there is no evidence for sat");
    assert!(check(UNSAFE, "unsat (refutation-summary :steps 2)").starts_with("unknown: a summary"));
}

#[test]
fn an_ended_budget_is_a_doubt() {
    let mut store = TermStore::new();
    let script = read_horn(SAFE.as_bytes(), &mut store).expect("the problem is well-formed");
    let input = HornInput::of_problem(&script.problems[0]);
    let budget = Budget::unlimited();
    budget.stop_handle().stop(GaveUp::Timeout);
    for text in [MODEL, REFUTATION] {
        let answers = given_answers(text.as_bytes()).expect(text);
        let polarity = script.problems[0].polarity;
        let judgement =
            judge(&mut Cx::new(&mut store, &budget), &input, polarity, &answers[0], Rigour::Proofs);
        assert!(
            matches!(judgement, Judgement::Unknown(Doubt::GaveUp(GaveUp::Timeout))),
            "{judgement:?}"
        );
    }
}

#[test]
fn a_refutation_of_clauses_that_say_too_much_is_a_doubt() {
    let mut store = TermStore::new();
    let mut script = read_horn(UNSAFE.as_bytes(), &mut store).expect("the problem is well-formed");
    script.problems[0].exactness = Exactness::Over;
    let problem = &script.problems[0];
    let (input, budget) = (HornInput::of_problem(problem), Budget::unlimited());
    let answers = given_answers(REFUTATION.as_bytes()).expect(REFUTATION);
    let cx = &mut Cx::new(&mut store, &budget);
    let judgement = judge(cx, &input, problem.polarity, &answers[0], Rigour::Proofs);
    assert!(
        matches!(judgement, Judgement::Unknown(Doubt::GaveUp(GaveUp::Incomplete(_)))),
        "{judgement:?}"
    );
}
