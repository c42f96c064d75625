//! The conjuncts of an inductive invariant without which it would be none.
//!
//! An invariant found bit by bit keeps what was of use only on the way. A conjunct is needed if it
//! excludes bad states, or if steps preserve a needed one because of it. To begin with, a core of
//! the conjuncts that excludes the bad states is needed; then each needed conjunct in turn brings
//! in a core of those because of which steps preserve it, as small as possible.
//!
//! Source: [IGB14], the part on inductive subsets.

use shofar_base::Outcome;
use shofar_chc::TransitionSystem;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::{Cx, Term, TermStore};

use super::switch;

/// Those of `conjuncts`, which are an inductive invariant of `ts`, that are one by themselves.
pub(super) fn needed(
    cx: &mut Cx<'_>,
    ts: &TransitionSystem,
    conjuncts: &[Term],
) -> Outcome<Vec<Term>> {
    let mut harmless = Choice::new(cx, ts.bad, conjuncts);
    let mut closed = Choice::new(cx, ts.step, conjuncts);
    let all = [(0..conjuncts.len()).collect::<Vec<usize>>()];
    let mut chosen = Vec::new();
    harmless.extend(cx, &mut chosen, None, &all)?;
    let mut position = 0;
    while position < chosen.len() {
        let next = ts.primed(cx.store, conjuncts[chosen[position]]);
        let violated = cx.store.not(next);
        closed.extend(cx, &mut chosen, Some(violated), &all)?;
        position += 1;
    }
    chosen.sort_unstable();
    Ok(chosen.into_iter().map(|i| conjuncts[i]).collect())
}

/// Conjuncts that mean the same together, and are as small as can be: `a ∨ (b ∧ c)` becomes two.
pub(super) fn parts(store: &mut TermStore, formulas: &[Term]) -> Vec<Term> {
    let mut result = Vec::new();
    for conjunct in store.conjuncts(formulas) {
        let mut disjuncts = store.disjuncts(&[conjunct]);
        let size = |&at: &usize| store.conjuncts(&[disjuncts[at]]).len();
        let Some(largest) = (0..disjuncts.len()).max_by_key(size) else { return vec![conjunct] };
        for part in store.conjuncts(&[disjuncts[largest]]) {
            disjuncts[largest] = part;
            result.push(store.or(&disjuncts));
        }
    }
    result
}

/// Conjuncts that can be chosen to contradict a formula.
pub(crate) struct Choice {
    solver: Solver,
    /// For each conjunct, a literal that implies it.
    switches: Vec<Term>,
}

impl Choice {
    pub(crate) fn new(cx: &mut Cx<'_>, formula: Term, conjuncts: &[Term]) -> Self {
        let mut solver = Solver::new(Options::default());
        solver.add(cx.store, formula);
        let switches = conjuncts.iter().map(|&c| switch(cx.store, &mut solver, c)).collect();
        Self { solver, switches }
    }
    /// Adds to `chosen` what contradicts the formula together with `goal`, if it does not do so
    /// yet; if the first of `tiers` has enough of that, from there, else from the next, and so
    /// on.
    pub(crate) fn extend(
        &mut self,
        cx: &mut Cx<'_>,
        chosen: &mut Vec<usize>,
        goal: Option<Term>,
        tiers: &[Vec<usize>],
    ) -> Outcome<()> {
        let goal: Vec<Term> =
            goal.map(|g| switch(cx.store, &mut self.solver, g)).into_iter().collect();
        let known: Vec<Term> = chosen.iter().map(|&i| self.switches[i]).chain(goal).collect();
        if self.core(cx, &known, &[])?.is_some() {
            return Ok(());
        }
        let mut found = None;
        for tier in tiers {
            let others: Vec<usize> = tier.iter().copied().filter(|i| !chosen.contains(i)).collect();
            found = self.core(cx, &known, &others)?;
            if found.is_some() {
                break;
            }
        }
        let mut new = found.expect("all conjuncts are an invariant");
        let mut position = 0;
        while position < new.len() {
            let mut fewer = new.clone();
            fewer.remove(position);
            match self.core(cx, &known, &fewer)? {
                Some(core) => new = core,
                None => position += 1,
            }
        }
        chosen.extend(new);
        Ok(())
    }
    /// Those of `others` because of which they contradict the formula together with `known`, if
    /// they do.
    fn core(
        &mut self,
        cx: &mut Cx<'_>,
        known: &[Term],
        others: &[usize],
    ) -> Outcome<Option<Vec<usize>>> {
        let mut assumed = known.to_vec();
        assumed.extend(others.iter().map(|&i| self.switches[i]));
        Ok(match self.solver.check_assuming(cx, &assumed)? {
            Answer::Sat(_) => None,
            Answer::Unsat(why) => {
                let failed = why.failed();
                let is_in = |i: &usize| failed.contains(&self.switches[*i]);
                Some(others.iter().copied().filter(is_in).collect())
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use shofar_base::Budget;
    use shofar_term::Sort;

    use super::*;

    #[test]
    fn what_only_helped_on_the_way_goes() {
        let mut s = TermStore::new();
        let names = ["x", "y", "z", "x'", "y'", "z'"].map(|n| s.declare(n, &[], Sort::INT));
        let [x, y, z, next_x, next_y, next_z] = names.map(|n| s.constant(n));
        let zero = s.int(0);
        // x grows by y, which grows by something that is not negative; z is of no use.
        let init: Vec<Term> = [x, y, z].map(|v| s.eq(v, zero)).to_vec();
        let (sum, grows, same) = (s.add(&[x, y]), s.ge(next_y, y), s.eq(next_z, z));
        let moved = s.eq(next_x, sum);
        let ts = TransitionSystem {
            state: names[..3].to_vec(),
            next: names[3..].to_vec(),
            init: s.and(&init),
            step: s.and(&[moved, grows, same]),
            bad: s.lt(x, zero),
        };
        let [first, second, third] = [x, y, z].map(|v| s.ge(v, zero));
        let at_zero = s.eq(z, zero);
        let both = s.and(&[second, at_zero]);
        let either = s.or(&[both, third]);
        let budget = Budget::unlimited();
        let mut cx = Cx::new(&mut s, &budget);
        let invariant = [third, first, either, second];
        let parts = parts(cx.store, &invariant);
        assert_eq!(parts.len(), 5);
        assert_eq!(needed(&mut cx, &ts, &parts), Ok(vec![first, second]));
    }
}
