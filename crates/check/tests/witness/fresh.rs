//! The problem is read again, and what readers and others made of it is not believed.

use std::sync::{Arc, Mutex};

use shofar_base::Budget;
use shofar_chc::read::{HornProblem, read_horn};
use shofar_check::{HornInput, InputText, Objection, Rereader, parse_witness, validate};
use shofar_term::{Cx, TermStore};

const POSITIVE: &str = "(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (> x 0) (p x))))
(assert (not (exists ((x Int)) (and (p x) (< x 0)))))
(check-sat)";

fn rereader(text: &str) -> Arc<Mutex<Rereader>> {
    let mut rereader = Rereader::new();
    // In pieces, as from a pipe.
    for piece in text.as_bytes().chunks(7) {
        rereader.hear(piece);
    }
    Arc::new(Mutex::new(rereader))
}

/// Validates a witness for the last question of `text`, of whose problem `change` makes another
/// one; `again` says whether the text is read again.
fn check(
    text: &str,
    witness: &str,
    again: bool,
    change: impl Fn(&mut TermStore, &mut HornProblem),
) -> Result<(), String> {
    let mut store = TermStore::new();
    let mut script = read_horn(text.as_bytes(), &mut store).expect("the problem is well-formed");
    let question = script.problems.len() - 1;
    let mut problem = script.problems.remove(question);
    change(&mut store, &mut problem);
    let mut input = HornInput::of_problem(&problem);
    if again {
        input = input.with_text(InputText::script(&rereader(text), question));
    }
    let budget = Budget::unlimited();
    let mut cx = Cx::new(&mut store, &budget);
    let witness = parse_witness(&mut cx, witness.as_bytes(), input.system()).expect("it is read");
    match validate(&mut cx, &input, witness) {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(objection)) => Err(objection.describe(&store, &input)),
        Err(why) => Err(why.to_string()),
    }
}

#[test]
fn what_the_reader_made_of_an_assertion_is_not_believed() {
    let blind = |store: &mut TermStore, problem: &mut HornProblem| {
        problem.assertions[0].formula = store.top();
    };
    for again in [false, true] {
        let right = "((define-fun p ((A Int)) Bool (>= A 0)))";
        assert_eq!(check(POSITIVE, right, again, blind), Ok(()));
        let wrong = check(POSITIVE, "((define-fun p ((A Int)) Bool false))", again, blind);
        assert_eq!(wrong.unwrap_err(), "clause 0 is false under the definitions for x = 1");
        let wrong = check(POSITIVE, "((define-fun p ((A Int)) Bool true))", again, blind);
        assert!(wrong.unwrap_err().starts_with("clause 1 is false under the definitions for x = "));
    }
}

#[test]
fn what_became_of_the_problem_since_is_not_believed() {
    let nothing = "((define-fun p ((A Int)) Bool false))";
    let forget = |store: &mut TermStore, problem: &mut HornProblem| {
        problem.assertions[0].written = store.top();
        problem.assertions[0].formula = store.top();
    };
    assert_eq!(check(POSITIVE, nothing, false, forget), Ok(()));
    assert!(check(POSITIVE, nothing, true, forget).is_err());
    let drop_clauses = |_: &mut TermStore, problem: &mut HornProblem| {
        problem.system = problem.system.with_clauses([]);
        problem.origin.truncate(0);
    };
    assert_eq!(
        check(POSITIVE, nothing, true, drop_clauses).unwrap_err(),
        "an internal check failed: the problem is another one when it is read again"
    );
}

#[test]
fn scopes_and_questions_are_found_again() {
    let text = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))(check-sat)
(push 1)(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))(check-sat)(pop 1)
(assert (forall ((x Int)) (=> (p x) (< x 5))))(check-sat)";
    let same = |_: &mut TermStore, _: &mut HornProblem| ();
    assert_eq!(check(text, "((define-fun p ((A Int)) Bool (= A 0)))", true, same), Ok(()));
    assert!(check(text, "((define-fun p ((A Int)) Bool (>= A 0)))", true, same).is_err());
}

/// One definition with a quantifier, called twice: its variable is needed twice in one clause.
const TWICE: &str = "(set-logic HORN)
(declare-fun p (Int) Bool)
(define-fun some ((n Int)) Bool (exists ((k Int)) (and (p k) (> k n))))
(assert (p 3))
(assert (p 8))
(assert (not (and (some 2) (some 7))))
(check-sat)";

#[test]
fn variables_of_a_definition_that_is_called_twice() {
    let same = |_: &mut TermStore, _: &mut HornProblem| ();
    let mut store = TermStore::new();
    let script = read_horn(TWICE.as_bytes(), &mut store).unwrap();
    let (_, query) = script.problems[0].system.clauses().last().unwrap();
    let names: Vec<&str> =
        query.variables(&store).into_iter().map(|symbol| store.name(symbol)).collect();
    assert_eq!(names.len(), 2);
    let facts = "(step 0 :clause 0 :premises () :derives (p 3)) (step 1 :clause 1 :premises ())";
    let mut valid = 0;
    for values in [[3, 8], [8, 3]] {
        for premises in ["0 1", "1 0"] {
            let [a, b] = values;
            let witness = format!(
                "(refutation {facts} (step 2 :clause 2 :values ((|{}| {a}) (|{}| {b})) :premises ({premises})))",
                names[0], names[1]
            );
            let results = [false, true].map(|again| check(TWICE, &witness, again, same));
            assert_eq!(results[0], results[1]);
            valid += usize::from(results[0].is_ok());
        }
    }
    assert_eq!(valid, 1, "each variable belongs to one call");
    assert!(check(TWICE, "((define-fun p ((A Int)) Bool (= A 3)))", true, same).is_err());
}

#[test]
fn an_objection_speaks_in_the_symbols_of_who_asked() {
    let mut store = TermStore::new();
    // Symbols of its own, so that the same handles mean other things in a fresh store.
    store.declare("another", &[], shofar_term::Sort::BOOL);
    let script = read_horn(POSITIVE.as_bytes(), &mut store).unwrap();
    let input = HornInput::of_problem(&script.problems[0])
        .with_text(InputText::script(&rereader(POSITIVE), 0));
    let budget = Budget::unlimited();
    let mut cx = Cx::new(&mut store, &budget);
    let text = b"((define-fun p ((A Int)) Bool (> A 1)))";
    let witness = parse_witness(&mut cx, text, input.system()).unwrap();
    let Ok(Err(Objection::Falsified { values, .. })) = validate(&mut cx, &input, witness) else {
        panic!("it is no model")
    };
    let names: Vec<&str> = values.iter().map(|&(symbol, _)| store.name(symbol)).collect();
    assert_eq!(names, ["x"]);
}
