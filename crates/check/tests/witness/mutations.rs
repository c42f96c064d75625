//! Damaged witnesses. In the Fibonacci derivation every value, premise and clause is forced, so any
//! change is wrong.

use proptest::prelude::*;
use shofar_base::{Idx, Rng};
use shofar_chc::{ClauseId, Derivation, Verdict};
use shofar_term::eval::Value;

use crate::cases::{Case, counter, fibonacci, number};

/// Changes one thing in one step; returns what, or nothing if the change would change nothing.
fn mutate(case: &Case, derivation: &mut Derivation, rng: &mut Rng) -> Option<&'static str> {
    let count = derivation.steps.len();
    let at = rng.below(count);
    match rng.below(6) {
        0 | 1 => {
            let step = &mut derivation.steps[at];
            let variables = case.input.system().clause(step.clause).variables(&case.store);
            let symbol = *rng.pick(&variables);
            let changed = match step.assignment.get(symbol) {
                Some(Value::Bool(value)) => Value::Bool(!value),
                Some(Value::Number(value)) => {
                    let by = rng.range(1, 3) * if rng.chance(50) { 1 } else { -1 };
                    Value::Number(value + shofar_num::Rational::from(by))
                }
                Some(Value::Element(..) | Value::Bits(_) | Value::Data(_) | Value::Array(_))
                | None => return None,
            };
            step.assignment.set(symbol, changed);
            Some("a value")
        }
        2 => {
            let step = &mut derivation.steps[at];
            let place = step.premises.len().checked_sub(1).map(|most| rng.below(most + 1))?;
            let other = rng.below(count + 2);
            (other != step.premises[place]).then(|| step.premises[place] = other)?;
            Some("a premise")
        }
        3 => {
            let premises = &mut derivation.steps[at].premises;
            (premises.len() == 2).then(|| premises.swap(0, 1))?;
            Some("premises swapped")
        }
        4 => {
            let step = &mut derivation.steps[at];
            let other = ClauseId::from_index(rng.below(6));
            (other != step.clause).then(|| step.clause = other)?;
            Some("a clause")
        }
        _ => {
            derivation.steps.remove(at);
            Some("a step left out")
        }
    }
}

#[test]
fn two_hundred_mutations_are_rejected() {
    let mut rng = Rng::new(3);
    let mut rejected = 0;
    while rejected < 200 {
        let (mut case, mut derivation) = fibonacci(rng.range(3, 9));
        let Some(what) = mutate(&case, &mut derivation, &mut rng) else { continue };
        let in_range = |c: ClauseId| c.index() < case.input.system().clause_count();
        if derivation.steps.iter().all(|s| in_range(s.clause)) {
            let text = case.print(&Verdict::Unsafe(derivation.clone()));
            assert!(!case.accepts(&text), "{what}: {text}");
        }
        let verdict = case.validate(Verdict::Unsafe(derivation));
        let objection = verdict.expect_err(what);
        assert!(!objection.describe(&case.store, &case.input).is_empty());
        rejected += 1;
    }
}

/// Every number of a refutation's text matters, but for the lines.
#[test]
fn every_changed_number_of_a_text_is_noticed() {
    let (mut case, derivation) = fibonacci(12);
    let text = case.print(&Verdict::Unsafe(derivation));
    let mut changed = 0;
    for (at, c) in text.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
        let other = if c == '9' { '8' } else { char::from(c as u8 + 1) };
        let damaged = format!("{}{other}{}", &text[..at], &text[at + 1..]);
        assert!(!case.accepts(&damaged), "{damaged}");
        changed += 1;
    }
    assert!(changed > 100);
}

fn texts() -> [String; 2] {
    let (mut tree, derivation) = fibonacci(4);
    let mut line = counter(3);
    let model = line.model(|s, _, args| {
        let (zero, three) = (s.int(0), s.int(3));
        let (low, high) = (s.ge(args[0], zero), s.le(args[0], three));
        s.and(&[low, high])
    });
    [tree.print(&Verdict::Unsafe(derivation)), line.print(&model)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Pieces cut out, doubled or moved: read or refused, never a panic.
    #[test]
    fn damaged_texts_do_not_panic(
        which in 0..2usize,
        cuts in proptest::collection::vec((0..10_000usize, 0..40usize, 0..10_000usize), 1..4),
        noise in "[()|\"; \n:a-z0-9.-]{0,6}",
    ) {
        let mut text = texts()[which].clone().into_bytes();
        for (from, length, to) in cuts {
            let from = from % text.len().max(1);
            let piece: Vec<u8> = text[from.min(text.len())..(from + length).min(text.len())].to_vec();
            if length % 2 == 0 {
                text.drain(from..from + piece.len());
            }
            let to = to % (text.len() + 1);
            text.splice(to..to, piece.into_iter().chain(noise.bytes()));
        }
        let (mut tree, _) = fibonacci(4);
        let mut line = counter(3);
        let text = String::from_utf8_lossy(&text).into_owned();
        tree.accepts(&text);
        line.accepts(&text);
    }

    /// Any bytes at all.
    #[test]
    fn bytes_do_not_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        let mut case = counter(3);
        let system = case.input.system().clone();
        let budget = shofar_base::Budget::unlimited();
        let mut cx = shofar_term::Cx::new(&mut case.store, &budget);
        let _ = shofar_check::parse_witness(&mut cx, &bytes, &system);
    }
}

#[test]
fn a_value_of_another_step_is_noticed() {
    let (mut case, mut derivation) = fibonacci(4);
    let w = case.store.declare("w", &[], shofar_term::Sort::INT);
    derivation.steps[2].assignment.set(w, number(3));
    assert!(case.validate(Verdict::Unsafe(derivation)).is_err());
}
