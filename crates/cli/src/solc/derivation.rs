//! Refutations as Eldarica (`-cex`) and Golem (`--print-witness`) list them.
//!
//! ```text
//! Eldarica                              Golem
//!                                       0: true
//! 0: FALSE -> 1                         1: (input 7) ->  0
//! 1: state(7, 1) -> 2, 3                2: (state 7 0) ->  1
//! 2: state(7, 0) -> 3                   3: (state 7 1) ->  2 1
//! 3: input(7)                           4: false ->  3
//! ```
//! Golem writes a tab behind the colon. Eldarica begins with what is wrong, Golem with what is
//! true. Korn reads the inputs of a failing run out of both: from Eldarica's lines by
//! `__VERIFIER_nondet_int(7)`, from Golem's by the predicate and the numbers behind the arrow.
//!
//! Source: the printers of both programs, and the reader of Korn 0.4.

use std::fmt::Write as _;

use shofar_chc::{ChcSystem, Derivation};
use shofar_term::print::quote;
use shofar_term::value::print_value;
use shofar_term::{Sort, TermStore, Value};

/// `derivation`, a refutation of `system`, as Eldarica lists it.
pub(super) fn eldarica(store: &TermStore, system: &ChcSystem, derivation: &Derivation) -> String {
    let last = derivation.steps.len() - 1;
    let mut text = String::from("\n");
    for (place, step) in derivation.steps.iter().enumerate().rev() {
        let fact = match fact(store, system, derivation, place) {
            None => "FALSE".to_owned(),
            Some((name, values)) if values.is_empty() => name,
            Some((name, values)) => {
                let values = values.iter().map(|(value, sort)| plain(store, value, *sort));
                format!("{name}({})", values.collect::<Vec<_>>().join(", "))
            }
        };
        let _ = write!(text, "{}: {fact}", last - place);
        let premises: Vec<String> =
            step.premises.iter().map(|premise| (last - premise).to_string()).collect();
        if !premises.is_empty() {
            let _ = write!(text, " -> {}", premises.join(", "));
        }
        text.push('\n');
    }
    text
}

/// `derivation`, a refutation of `system`, as Golem lists it.
pub(super) fn golem(store: &TermStore, system: &ChcSystem, derivation: &Derivation) -> String {
    let mut text = String::from("0:\ttrue\n");
    for (place, step) in derivation.steps.iter().enumerate() {
        let fact = match fact(store, system, derivation, place) {
            None => "false".to_owned(),
            Some((name, values)) if values.is_empty() => quote(&name).into_owned(),
            Some((name, values)) => {
                let values = values.iter().map(|(value, sort)| print_value(store, value, *sort));
                format!("({} {})", quote(&name), values.collect::<Vec<_>>().join(" "))
            }
        };
        let _ = write!(text, "{}:\t{fact} -> ", place + 1);
        for premise in &step.premises {
            let _ = write!(text, " {}", premise + 1);
        }
        // What has no premises follows from the first line.
        text.push_str(if step.premises.is_empty() { " 0\n\n" } else { "\n\n" });
    }
    text.push('\n');
    text
}

/// A value with its sort.
type Argument = (Value, Sort);

/// The predicate that a step derives with its arguments; nothing for `false`.
fn fact(
    store: &TermStore,
    system: &ChcSystem,
    derivation: &Derivation,
    step: usize,
) -> Option<(String, Vec<Argument>)> {
    let fact = derivation.fact(store, system, step).expect("what was validated has values");
    let (pred, values) = fact?;
    let sorts = system.sorts(store, pred).iter().copied();
    Some((store.name(system.symbol(pred)).to_owned(), values.into_iter().zip(sorts).collect()))
}

/// A value as Eldarica writes it: negative numbers have a sign.
fn plain(store: &TermStore, value: &Value, sort: Sort) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Bool(_) | Value::Array(_) | Value::Element(..) | Value::Data(_) | Value::Bits(_) => {
            print_value(store, value, sort)
        }
    }
}

#[cfg(test)]
mod tests {
    use shofar::{Answer, Problem, Refutation, Solver};

    fn refutation() -> Refutation {
        let text = "(declare-fun $__VERIFIER_nondet_int (Int) Bool)(declare-fun |s 1| (Int Int) Bool)
            (declare-fun start () Bool)(assert start)
            (assert (forall ((x Int)) (=> (= x (- 7)) ($__VERIFIER_nondet_int x))))
            (assert (forall ((x Int)) (=> (and start ($__VERIFIER_nondet_int x)) (|s 1| x 0))))
            (assert (forall ((x Int) (n Int)) (=> (|s 1| x n) (|s 1| x (+ n 1)))))
            (assert (forall ((x Int) (n Int)) (=> (and (|s 1| x n) (= n 1) (< x 0)) false)))(check-sat)";
        let outcome = Solver::new().solve(Problem::from_text(text.as_bytes()).unwrap());
        let Answer::Unsafe(refutation) = outcome.answer else { panic!("it is unsafe") };
        refutation
    }

    #[test]
    fn eldarica_begins_with_what_is_wrong() {
        assert_eq!(
            crate::solc::print_eldarica(&refutation()),
            "\n0: FALSE -> 1\n1: s 1(-7, 1) -> 2\n2: s 1(-7, 0) -> 4, 3\n\
            3: $__VERIFIER_nondet_int(-7)\n4: start\n"
        );
    }

    #[test]
    fn golem_begins_with_what_is_true() {
        assert_eq!(
            crate::solc::print_golem(&refutation()),
            "0:\ttrue\n1:\tstart ->  0\n\n2:\t($__VERIFIER_nondet_int (- 7)) ->  0\n\n\
            3:\t(|s 1| (- 7) 0) ->  1 2\n\n4:\t(|s 1| (- 7) 1) ->  3\n\n5:\tfalse ->  4\n\n\n"
        );
    }
}
