//! A small inductive invariant from a large one.
//!
//! Unions of interpolants say far more than the proof needs, and who checks them has to read it
//! all. Starting from `¬bad`, cubes of states from which a step leaves the set are taken out, as in
//! [`invariant`](super::invariant). Each cube is outside the large invariant, because that is
//! closed under steps. So a cube that steps enter can be enlarged as long as it stays outside, and
//! the set always contains the large invariant; when no step leaves it any more, it is an invariant
//! itself. Of its conjuncts, only those stay that are [needed](super::trim).

use shofar_base::Outcome;
use shofar_chc::TransitionSystem;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::size::dag_size;
use shofar_term::{Cx, Term};

use super::equalities::equalities;
use super::invariant::{Fate, Search};
use super::prepared;
use super::trim::{needed, parts};

/// Invariants of at most so many terms are small.
const SMALL: usize = 500;
/// How many cubes are taken out before the large invariant is accepted.
const CUBES: usize = 400;

/// An inductive invariant of `ts` that is smaller than `invariant`, if that is large and one is
/// found soon.
pub fn smaller_invariant(
    cx: &mut Cx<'_>,
    ts: &TransitionSystem,
    invariant: Term,
) -> Outcome<Option<Term>> {
    let size = dag_size(cx.store, &[invariant]);
    if size <= SMALL {
        return Ok(None);
    }
    let ts = &prepared(cx, ts)?;
    let mut best = cx.store.conjuncts(&[invariant]);
    best = needed(cx, ts, &best)?;
    if dag_size(cx.store, &best) > SMALL
        && let Some(other) = from_above(cx, ts, &best)?
    {
        best = parts(cx.store, &other);
        best = needed(cx, ts, &best)?;
    }
    Ok((dag_size(cx.store, &best) < size).then(|| cx.store.and(&best)))
}

/// The conjuncts of the invariant that is left when no step leaves it any more, if that is soon the
/// case.
fn from_above(
    cx: &mut Cx<'_>,
    ts: &TransitionSystem,
    invariant: &[Term],
) -> Outcome<Option<Vec<Term>>> {
    let mut search = Search::new(cx.store, ts);
    // Whatever is kept and is closed under steps, too, makes the large invariant smaller, and cubes
    // larger.
    let mut inside = Solver::new(Options::default());
    for &conjunct in invariant {
        inside.add(cx.store, conjunct);
    }
    for conjunct in equalities(cx, ts)? {
        search.keep(cx.store, conjunct);
        inside.add(cx.store, conjunct);
    }
    while let Some(conjunct) = search.open.pop() {
        let Some(cube) = search.leaving_cube(cx, &conjunct)? else { continue };
        search.open.push(conjunct);
        if search.kept.len() > CUBES {
            return Ok(None);
        }
        let (mut cube, fate) = search.enlarged(cx, cube)?;
        match fate {
            Fate::Entered => cube = enlarged(cx, &mut inside, cube)?,
            Fate::NeverEntered => {
                let unreachable = cx.store.and(&cube);
                let others = cx.store.not(unreachable);
                inside.add(cx.store, others);
            }
        }
        search.take_out(cx.store, &cube, fate);
    }
    Ok(Some(search.kept))
}

/// A part of `cube` that is disjoint from the formulas of `inside`, and no literal of which can be
/// missed; all of it if that is not known.
fn enlarged(cx: &mut Cx<'_>, inside: &mut Solver, cube: Vec<Term>) -> Outcome<Vec<Term>> {
    let Some(mut cube) = disjoint(cx, inside, &cube)? else { return Ok(cube) };
    let mut position = 0;
    while position < cube.len() {
        let mut fewer = cube.clone();
        fewer.remove(position);
        match disjoint(cx, inside, &fewer)? {
            Some(core) => cube = core,
            None => position += 1,
        }
    }
    Ok(cube)
}

/// The literals of `cube` because of which it is disjoint from the formulas of `inside`, if it is.
fn disjoint(cx: &mut Cx<'_>, inside: &mut Solver, cube: &[Term]) -> Outcome<Option<Vec<Term>>> {
    Ok(match inside.check_assuming(cx, cube)? {
        Answer::Unsat(why) => {
            let failed = why.failed();
            Some(cube.iter().copied().filter(|l| failed.contains(l)).collect())
        }
        Answer::Sat(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use shofar_base::Budget;
    use shofar_term::{Sort, TermStore};

    use super::super::invariant::is_invariant;
    use super::*;

    /// `x` counts up to a limit as long as `y`, which stays 1, is not negative, and down otherwise;
    /// it is never negative.
    fn counter(s: &mut TermStore, limit: i64) -> TransitionSystem {
        let names = ["x", "y", "x'", "y'"].map(|n| s.declare(n, &[], Sort::INT));
        let [x, y, next_x, next_y] = names.map(|n| s.constant(n));
        let (zero, one, limit) = (s.int(0), s.int(1), s.int(limit));
        let (starts, up) = (s.eq(x, zero), s.eq(y, one));
        let (more, less, down) = (s.add(&[x, one]), s.sub(x, one), s.lt(y, zero));
        let counted = s.ite(down, less, more);
        let (below, counts, stays) = (s.lt(x, limit), s.eq(next_x, counted), s.eq(next_y, y));
        TransitionSystem {
            state: names[..2].to_vec(),
            next: names[2..].to_vec(),
            init: s.and(&[starts, up]),
            step: s.and(&[below, counts, stays]),
            bad: s.lt(x, zero),
        }
    }

    #[test]
    fn an_enumeration_of_states_becomes_a_few_bounds() {
        let mut s = TermStore::new();
        let ts = counter(&mut s, 300);
        let [x, y] = [0, 1].map(|i| s.constant(ts.state[i]));
        let one = s.int(1);
        let slow = s.eq(y, one);
        let states: Vec<Term> = (0..=300)
            .map(|i| {
                let value = s.int(i);
                let there = s.eq(x, value);
                s.and(&[there, slow])
            })
            .collect();
        let large = s.or(&states);
        let budget = Budget::unlimited();
        let mut cx = Cx::new(&mut s, &budget);
        assert_eq!(is_invariant(&mut cx, &ts, large), Ok(true));
        let small = smaller_invariant(&mut cx, &ts, large).expect("there is no limit");
        let small = small.expect("there are smaller ones");
        assert_eq!(is_invariant(&mut cx, &ts, small), Ok(true));
        assert!(dag_size(cx.store, &[small]) < 30, "a few bounds are enough");
    }

    #[test]
    fn a_small_invariant_stays() {
        let mut s = TermStore::new();
        let ts = counter(&mut s, 3);
        let budget = Budget::unlimited();
        let init = ts.init;
        let mut cx = Cx::new(&mut s, &budget);
        assert_eq!(smaller_invariant(&mut cx, &ts, init), Ok(None));
    }
}
