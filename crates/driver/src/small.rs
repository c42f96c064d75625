//! Models for those who are going to read them.
//!
//! Some engines find models that are far larger than needed, and most models say some things more
//! than once. Once such a model is certified, there is time to look for a shorter one, which has to
//! be certified itself; if the time is over first, the other one is still there.
//!
//! Superfluous parts of the definitions are left out ([`simplify`]), which keeps what they mean. If
//! the system is one loop, a small invariant is looked for as well ([`smaller_invariant`]), and
//! freed of superfluous parts in turn.

use std::time::Duration;

use shofar_base::{Budget, GaveUp, Instant, Outcome};
use shofar_chc::{BackTranslation, ChcSystem, Definition, Interpretation, NormalSystem};
use shofar_engine::smaller_invariant;
use shofar_mbp::simplify;
use shofar_term::print::print;
use shofar_term::tidy::tidy;
use shofar_term::{Cx, Term, TermStore};

use crate::single_loop::{self, Loop};

/// How many times as long as everything before the search for a smaller model may take.
const PATIENCE: u32 = 4;
/// How long it may take in any case.
const AT_LEAST: Duration = Duration::from_secs(2);
/// How long it may take at most.
const AT_MOST: Duration = Duration::from_secs(10);
/// How often the budget may be asked while a model is simplified.
const EFFORT: u32 = 100_000;

/// When to stop looking for a smaller model, if finding one took since `start`, and validating it
/// `validation`.
pub(crate) fn end(start: Instant, validation: Duration, deadline: Option<Instant>) -> Instant {
    let now = Instant::now();
    let end = now + ((now - start) * PATIENCE).clamp(AT_LEAST, AT_MOST);
    // The smaller model is to be validated, too; that takes no longer.
    deadline.map_or(end, |deadline| end.min(deadline.checked_sub(validation).unwrap_or(now)))
}

/// What an engine found, and how it becomes a model of the user's clauses.
pub(crate) struct Found<'f> {
    /// The clauses that the engine was given.
    pub(crate) system: &'f NormalSystem,
    /// Their model.
    pub(crate) model: &'f Interpretation,
    /// The way back.
    pub(crate) back: &'f dyn BackTranslation<ChcSystem, NormalSystem>,
}

/// A model of `system`, the user's clauses, that is shorter as text than `known`, if one is found;
/// `search` limits the search for another invariant.
pub(crate) fn shorter_model(
    cx: &mut Cx<'_>,
    search: &Budget,
    system: &ChcSystem,
    known: &Interpretation,
    found: &Found<'_>,
) -> Outcome<Option<Interpretation>> {
    let before = length(cx.store, system, known);
    let mut part = cx.limited(search);
    // Whatever ends this search, there is a model already; but a wrong claim is told.
    let other = smaller_model(&mut part, found.system, found.model)
        .and_then(|model| model.map(|model| found.back.model(cx, model)).transpose());
    let shorter = match other {
        Ok(Some(other)) if length(cx.store, system, &other) < before => other,
        Err(why @ GaveUp::Wrong(_)) => return Err(why),
        Ok(_) | Err(_) => known.clone(),
    };
    let shorter = simplified(cx, system, &shorter);
    Ok((length(cx.store, system, &shorter) < before).then_some(shorter))
}

/// `model` with definitions that mean the same and are no longer.
fn simplified(cx: &mut Cx<'_>, system: &ChcSystem, model: &Interpretation) -> Interpretation {
    let budget: Budget = cx.budget.part(EFFORT);
    let mut part = cx.limited(&budget);
    let mut result = Interpretation::new();
    for pred in system.preds() {
        if let Some(Definition { params, body }) = model.get(pred) {
            let body = simplify(&mut part, *body);
            let body = tidy(part.store, body);
            result.define(pred, Definition { params: params.clone(), body });
        }
    }
    result
}

/// How long the definitions are as text.
fn length(store: &TermStore, system: &ChcSystem, model: &Interpretation) -> usize {
    let definitions = system.preds().filter_map(|pred| model.get(pred));
    definitions.map(|definition| print(store, definition.body).len()).sum()
}

/// A smaller model of a system that is one loop, if one is found.
fn smaller_model(
    cx: &mut Cx<'_>,
    system: &NormalSystem,
    model: &Interpretation,
) -> Outcome<Option<Interpretation>> {
    let mut preds = system.preds();
    let (Some(pred), None, true) = (preds.next(), preds.next(), system.is_linear()) else {
        return Ok(None);
    };
    let Some(definition) = model.get(pred) else { return Ok(None) };
    let Loop { ts, places } = single_loop::make(cx, system)?;
    if ts.state.len() != definition.params.len() {
        return Ok(None);
    }
    let state: Vec<Term> = ts.state.iter().map(|&s| cx.store.constant(s)).collect();
    let invariant = definition.apply(cx.store, &state);
    smaller_invariant(cx, &ts, invariant)?.map(|found| places.model(cx, found)).transpose()
}

#[cfg(test)]
mod tests {
    use shofar_base::Budget;
    use shofar_chc::read::read_horn;
    use shofar_chc::{Definition, Verdict, formal_params};
    use shofar_check::{HornInput, validate};
    use shofar_term::size::dag_size;
    use shofar_transform::default_pipeline;

    use super::*;

    const COUNTER: &[u8] = b"
(declare-fun p (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 1)) (p x y))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 300)) (p (ite (< y 0) (- x 1) (+ x 1)) y))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (>= x 0))))
(check-sat)";

    #[test]
    fn a_list_of_states_becomes_a_few_bounds() {
        let mut store = TermStore::new();
        let script = read_horn(COUNTER, &mut store).expect("it is well written");
        let problem = &script.problems[0];
        let system = &problem.system;
        let pred = system.preds().next().expect("there is one");
        let params = formal_params(&mut store, system, pred);
        let [x, y] = [params[0], params[1]].map(|p| store.constant(p));
        let one = store.int(1);
        let slow = store.eq(y, one);
        let states: Vec<Term> = (0..=300)
            .map(|i| {
                let value = store.int(i);
                let there = store.eq(x, value);
                store.and(&[there, slow])
            })
            .collect();
        let mut model = Interpretation::new();
        model.define(pred, Definition { params, body: store.or(&states) });
        let budget = Budget::unlimited();
        let mut cx = Cx::new(&mut store, &budget);
        let normal = NormalSystem::of(cx.store, system.clone());
        let found = smaller_model(&mut cx, &normal, &model).expect("there is no limit");
        let found = found.expect("there are smaller ones");
        let body = found.get(pred).expect("it is defined").body;
        assert!(dag_size(cx.store, &[body]) < 30);
        let input = HornInput::of_problem(problem);
        let checked = validate(&mut cx, &input, Verdict::Safe(found)).expect("there is no limit");
        assert!(checked.is_ok(), "the smaller model is one");
    }

    #[test]
    fn what_is_said_twice_is_said_once() {
        let mut store = TermStore::new();
        let text = b"(declare-fun p (Int) Bool) (assert (p 0))
            (assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))
            (assert (forall ((x Int)) (=> (p x) (not (= x 5))))) (check-sat)";
        let script = read_horn(text, &mut store).expect("it is well written");
        let system = &script.problems[0].system;
        let pred = system.preds().next().expect("there is one");
        let params = formal_params(&mut store, system, pred);
        let x = store.constant(params[0]);
        let (half, zero) = (store.modulo(x, &2.into()), store.int(0));
        let mut parts = vec![store.le(half, zero)];
        for odd in [1, 5] {
            let odd = store.int(odd);
            let there = store.eq(x, odd);
            parts.push(store.not(there));
        }
        let mut model = Interpretation::new();
        model.define(pred, Definition { params, body: store.and(&parts) });
        let budget = Budget::unlimited();
        let mut cx = Cx::new(&mut store, &budget);
        let pipeline = default_pipeline();
        let made = pipeline.run_to_normal(&mut cx, system.clone(), &mut |_| ());
        let (_, back) = made.expect("there is no limit");
        let normal = NormalSystem::of(cx.store, system.clone());
        let found = Found { system: &normal, model: &model, back: &*back };
        let shorter = shorter_model(&mut cx, &budget, system, &model, &found)
            .expect("no limit")
            .expect("there is one");
        let body = shorter.get(pred).expect("it is defined").body;
        assert_eq!(body, cx.store.eq(half, zero));
        assert!(
            shorter_model(&mut cx, &budget, system, &shorter, &found).expect("no limit").is_none()
        );
    }

    #[test]
    fn the_search_ends_in_time_for_validation() {
        let (start, second) = (Instant::now(), Duration::from_secs(1));
        let (deadline, soon, nearly) =
            (start + 10 * second, start + 5 * second, start + 4 * second);
        assert!(end(start, 3 * second, Some(start + 4 * second)) <= start + second);
        assert!(end(start, second, Some(deadline)) >= start + AT_LEAST);
        let early = start.checked_sub(2 * second).expect("the clock has run for a while");
        assert!(end(early, second, None) >= start + 8 * second);
        assert_eq!(end(early, second, Some(soon)), nearly);
    }
}
