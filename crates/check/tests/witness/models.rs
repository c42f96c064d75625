//! Models: the right one is accepted, and everything else is refuted with a falsifying point.

use shofar_base::Rng;
use shofar_chc::Verdict;
use shofar_check::{Objection, Rigour};
use shofar_term::eval::{Model, Value, evaluate};
use shofar_term::{Sort, Term, TermStore};

use crate::cases::{counter, number};

fn between(s: &mut TermStore, x: Term, low: i64, high: i64) -> Term {
    let (low, high) = (s.int(low), s.int(high));
    let (above, below) = (s.ge(x, low), s.le(x, high));
    s.and(&[above, below])
}

#[test]
fn the_invariant_survives_printing_and_reading() {
    let mut case = counter(7);
    let witness = case.model(|s, _, args| between(s, args[0], 0, 7));
    let text = case.print(&witness);
    assert!(text.contains("(define-fun |the inv| ((A Int)) Bool"), "{text}");
    assert!(case.validate(witness).is_ok());
    assert!(case.accepts(&text));
    assert!(case.accepts(&format!("sat\n{text}")));
}

#[test]
fn a_wrong_model_is_refuted_by_a_point() {
    let mut case = counter(7);
    let witness = case.model(|s, _, args| between(s, args[0], 0, 5));
    let objection = case.validate(witness).expect_err("5 has a successor");
    let x = case.store.declare("x", &[], Sort::INT);
    let Objection::Falsified { assertion: 1, clause: Some(_), values } = &objection else {
        panic!("{objection:?}")
    };
    assert_eq!(*values, [(x, number(5))]);
    let text = objection.describe(&case.store, &case.input);
    assert_eq!(text, "clause 1 is false under the definitions for x = 5");
}

#[test]
fn the_cases_of_a_disjunction_are_looked_at_one_by_one() {
    let mut case = counter(7);
    let mut halves = |low, high| {
        let witness = case.model(|s, _, args| {
            let parts = [between(s, args[0], 0, low), between(s, args[0], high, 7)];
            s.or(&parts)
        });
        case.validate(witness)
    };
    assert!(halves(3, 4).is_ok());
    let objection = halves(3, 5).expect_err("4 is missing");
    let Objection::Falsified { assertion: 1, values, .. } = objection else {
        panic!("{objection:?}")
    };
    assert_eq!(values[0].1, number(3));
}

#[test]
fn a_case_may_lead_into_several_disjuncts() {
    let mut rng = Rng::new(5);
    let (mut right, mut wrong) = (0, 0);
    while wrong < 25 || right < 25 {
        let n = rng.range(3, 9);
        // Intervals that overlap or touch, mostly.
        let mut intervals = vec![(0, rng.range(1, n))];
        while let Some(&(_, high)) = intervals.last()
            && high < n
        {
            let low = high + i64::from(rng.chance(60)) + i64::from(rng.chance(10));
            intervals.push((low - rng.range(0, 1), (low + rng.range(0, 4)).min(n)));
        }
        intervals.push((n - 1, n));
        let covers =
            |value: &i64| intervals.iter().any(|(low, high)| (low..=high).contains(&value));
        let is_invariant = (0..=n).all(|value| covers(&value));
        let mut case = counter(n);
        let witness = case.model(|s, _, args| {
            let parts = intervals.iter().map(|&(low, high)| between(s, args[0], low, high));
            let parts: Vec<Term> = parts.collect();
            s.or(&parts)
        });
        for rigour in [Rigour::Solver, Rigour::Proofs] {
            let validated = case.validate_with(witness.clone(), rigour);
            assert_eq!(validated.is_ok(), is_invariant, "n = {n}: {intervals:?}");
        }
        if is_invariant { right += 1 } else { wrong += 1 }
    }
}

#[test]
fn a_case_may_lead_into_many_disjuncts() {
    let mut case = counter(40);
    let mut pieces = |last| {
        let witness = case.model(|s, _, args| {
            // One disjunct covers most, but is longer than the others, so these are looked at
            // first.
            let [five, three] = [5, 3].map(|value| s.int(value));
            let [below, above] = [s.le(args[0], five), s.ge(args[0], three)];
            let (whole, longer) = (between(s, args[0], 0, 39), s.or(&[below, above]));
            let mut parts = vec![s.and(&[whole, longer])];
            for piece in 0..20 {
                parts.push(between(s, args[0], 2 * piece, (2 * piece + 1).min(last)));
            }
            parts.push(between(s, args[0], 38, last));
            s.or(&parts)
        });
        [Rigour::Solver, Rigour::Proofs].map(|rigour| case.validate_with(witness.clone(), rigour))
    };
    assert!(pieces(40).iter().all(Result::is_ok));
    for objection in pieces(39) {
        let objection = objection.expect_err("40 is missing");
        let Objection::Falsified { assertion: 1, values, .. } = objection else {
            panic!("{objection:?}")
        };
        assert_eq!(values[0].1, number(39));
    }
}

#[test]
fn definitions_must_be_there_and_speak_about_their_parameters() {
    let mut case = counter(3);
    let nothing = Verdict::Safe(shofar_chc::Interpretation::new());
    assert!(matches!(case.validate(nothing), Err(Objection::Undefined { .. })));
    // The clause variable x must not be captured: `x ≤ 3` about it would make all clauses true.
    let captured = case.model(|s, _, _| {
        let x = s.var("x", Sort::INT);
        between(s, x, 0, 3)
    });
    assert!(matches!(case.validate(captured), Err(Objection::IllFormed { .. })));
}

/// A random formula about `x`, near the right one more often than not.
fn random_body(s: &mut TermStore, rng: &mut Rng, x: Term, n: i64) -> Term {
    let mut body = between(s, x, rng.range(-1, 1), n + rng.range(-1, 1));
    for _ in 0..rng.below(3) {
        let bound = s.int(rng.range(-4, n + 4));
        let other = match rng.below(4) {
            0 => s.le(x, bound),
            1 => s.ge(x, bound),
            2 => s.eq(x, bound),
            _ => {
                let (rest, divisor) = (s.int(rng.range(0, 2)), 3.into());
                let modulo = s.modulo(x, &divisor);
                s.eq(modulo, rest)
            }
        };
        let other = if rng.chance(50) { s.not(other) } else { other };
        body = if rng.chance(50) { s.and(&[body, other]) } else { s.or(&[body, other]) };
    }
    body
}

#[test]
fn random_definitions_are_accepted_exactly_if_they_are_the_invariant() {
    let mut rng = Rng::new(11);
    let (mut right, mut wrong) = (0, 0);
    while wrong < 200 || right < 20 {
        let n = rng.range(0, 6);
        let mut case = counter(n);
        let mut rng_of_body = Rng::new(rng.bits());
        let x = case.store.var("x", Sort::INT);
        let body = random_body(&mut case.store, &mut rng_of_body.clone(), x, n);
        // Beyond these bounds the formula only knows a remainder modulo 3.
        let is_invariant = (-20..=20).all(|value| {
            let mut point = Model::new();
            point.set(case.store.declare("x", &[], Sort::INT), number(value));
            let expected = Value::Bool((0..=n).contains(&value));
            evaluate(&case.store, body, &point) == Ok(expected)
        });
        let body_rng = std::cell::RefCell::new(&mut rng_of_body);
        let witness =
            case.model(|s, _, args| random_body(s, &mut body_rng.borrow_mut(), args[0], n));
        let text = case.print(&witness);
        assert_eq!(case.validate(witness).is_ok(), is_invariant, "n = {n}: {text}");
        assert_eq!(case.accepts(&text), is_invariant, "n = {n}: {text}");
        if is_invariant { right += 1 } else { wrong += 1 }
    }
}
