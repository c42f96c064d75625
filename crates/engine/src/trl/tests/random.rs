//! Random loops: transitive projections are what they are said to be, and verdicts agree with a
//! search of all states.

use shofar_base::{Rng, Set};
use shofar_term::Sort;

use super::super::projection::{Literal, transitive};
use super::super::relation::is_transitive;
use super::super::space::Space;
use super::*;

/// Two integers with a random conjunction about one step, and a model of it.
fn random_loop(rng: &mut Rng, s: &mut TermStore) -> (TransitionSystem, Term, Model) {
    let state = ["x", "y"].map(|name| s.declare(name, &[], Sort::INT)).to_vec();
    let next = ["x'", "y'"].map(|name| s.declare(name, &[], Sort::INT)).to_vec();
    let mut model = Model::new();
    for &symbol in state.iter().chain(&next) {
        model.set(symbol, Value::Number(rng.range(-3, 3).into()));
    }
    let mut literals = Vec::new();
    for _ in 0..rng.range(1, 4) {
        let mut parts = Vec::new();
        for &symbol in state.iter().chain(&next) {
            let term = s.constant(symbol);
            parts.push(s.scale(&rng.range(-2, 2).into(), term));
        }
        let form = s.add(&parts);
        let value = Evaluator::with_defaults(&model).number(s, form).unwrap();
        let exact = s.number(value.clone(), Sort::INT);
        let less = s.number(value - &rng.range(0, 2).into(), Sort::INT);
        literals.push(match rng.below(4) {
            0 => s.eq(form, exact),
            1 => {
                let difference = s.sub(form, exact);
                s.divisible(&rng.range(2, 3).into(), difference)
            }
            _ => s.ge(form, less),
        });
    }
    let (lambda, top, bottom) = (s.and(&literals), s.top(), s.bottom());
    (TransitionSystem { state, next, init: top, step: lambda, bad: bottom }, lambda, model)
}

/// Some of the literals, with those that they need; the first one says that the count is positive.
fn some(rng: &mut Rng, literals: &[Literal]) -> Vec<Term> {
    let mut chosen = vec![literals[0].term];
    for literal in literals {
        if rng.chance(50) {
            chosen.push(literal.term);
            chosen.extend(literal.needs);
        }
    }
    chosen
}

#[test]
fn transitive_projections_and_their_groups_are_transitive() {
    let budget = Budget::unlimited();
    for seed in 0..150 {
        let (mut s, rng) = (TermStore::new(), &mut Rng::new(seed));
        let (ts, lambda, mut model) = random_loop(rng, &mut s);
        let mut space = Space::new(&mut s, ts);
        let literals = transitive(&mut s, &mut space, lambda, &model);
        model.set(space.count, Value::Number(1.into()));
        let all: Vec<Term> = literals.iter().map(|literal| literal.term).collect();
        let mut evaluator = Evaluator::with_defaults(&model);
        assert!(all.iter().all(|&l| evaluator.holds(&s, l) == Ok(true)), "seed {seed}");
        let mut cx = Cx::new(&mut s, &budget);
        for subset in [all, some(rng, &literals)] {
            let relation = cx.store.and(&subset);
            assert_eq!(is_transitive(&mut cx, &mut space, relation), Ok(true), "seed {seed}");
        }
    }
}

/// A step of a random system: a guard `low ≤ x ≤ high`, and what is added to both numbers, which
/// stay in a box.
struct Step {
    low: i64,
    high: i64,
    by: [i64; 2],
}

/// So often a run may look at its budget.
const EFFORT: u32 = 5_000;
/// The largest number.
const MOST: i64 = 5;

fn as_text(steps: &[Step], bad: [i64; 2]) -> String {
    let step = |Step { low, high, by: [dx, dy] }: &Step| {
        let (dx, dy) = (dx + 2, dy + 2);
        format!(
            "(assert (forall ((x Int) (y Int) (u Int) (v Int)) (=> (and (p x y) (<= {low} x {high})
  (= (+ u 2) (+ x {dx})) (= (+ v 2) (+ y {dy})) (<= 0 u {MOST}) (<= 0 v {MOST})) (p u v))))\n"
        )
    };
    let steps: String = steps.iter().map(step).collect();
    let [x, y] = bad;
    let query = format!("(=> (and (p x y) (= x {x}) (= y {y})) false)");
    format!(
        "(declare-fun p (Int Int) Bool)
(assert (p 0 0))
{steps}(assert (forall ((x Int) (y Int)) {query}))"
    )
}

/// All states that can be reached, in the order in which a search finds them.
fn reachable(steps: &[Step]) -> Vec<[i64; 2]> {
    let mut seen: Set<[i64; 2]> = [[0, 0]].into_iter().collect();
    let mut found = vec![[0, 0]];
    let mut next = 0;
    while let Some(&[x, y]) = found.get(next) {
        next += 1;
        for Step { low, high, by: [dx, dy] } in steps {
            let to = [x + dx, y + dy];
            let is_step = (*low..=*high).contains(&x) && to.iter().all(|v| (0..=MOST).contains(v));
            if is_step && seen.insert(to) {
                found.push(to);
            }
        }
    }
    found
}

#[test]
fn verdicts_agree_with_a_search_of_all_states() {
    let (mut safe, mut deep) = (0, 0);
    for seed in 0..40 {
        let rng = &mut Rng::new(seed);
        let step = |rng: &mut Rng| {
            let low = if rng.chance(70) { 0 } else { rng.range(0, MOST) };
            Step { low, high: rng.range(low, MOST), by: [rng.range(-1, 2), rng.range(-1, 2)] }
        };
        let steps: Vec<Step> = (0..rng.range(1, 3)).map(|_| step(rng)).collect();
        let reachable = reachable(&steps);
        let last = reachable[reachable.len() - 1];
        let bad = if rng.chance(50) { last } else { [rng.range(0, MOST), rng.range(1, MOST)] };
        let (text, expected) = (as_text(&steps, bad), reachable.contains(&bad));
        for mode in [Mode::Relations, Mode::Shortcuts] {
            // Cycles without shortcuts are unrolled for ever.
            let unlimited = Budget::unlimited();
            let budget = unlimited.part(EFFORT);
            let Ok(found) = check_within(&budget, &text, Directions::Both, mode) else { continue };
            assert_eq!(found.is_some(), expected, "seed {seed}, {mode:?}");
            safe += usize::from(found.is_none());
            deep += usize::from(found.is_some_and(|length| length > 1));
        }
    }
    assert!(safe > 10 && deep > 5, "{safe} safe, {deep} deep");
}
