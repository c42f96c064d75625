//! Equalities between state variables that hold initially and that steps preserve, each under a
//! guard.
//!
//! The guards are `true` and the literals of Boolean state variables. For each guard, the other
//! variables are partitioned: at first all of a sort are together. A state that satisfies the guard
//! and gives members of one class different values splits the class; such states are found among
//! the initial ones, and among those that a step leads to from states that respect all partitions.
//! When there are none, the partitions are an invariant, the strongest of this form.
//!
//! Source: [FL01], with partitions instead of lists of candidates.

use shofar_base::{Map, Outcome};
use shofar_chc::TransitionSystem;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::{Model, Value};
use shofar_term::{Cx, Sort, Symbol, Term, TermStore};

use super::switch;

/// More splitting states than this are not looked for; there is then no result.
const STATES: usize = 4_000;

/// Variables that are equal whenever the guard holds.
struct Partition {
    /// A Boolean state variable with the value that makes the guard true; none for `true`.
    guard: Option<(Symbol, bool)>,
    /// Classes with at least two members.
    classes: Vec<Vec<Symbol>>,
}

/// Conjuncts of an inductive invariant made of guarded equalities.
pub(super) fn equalities(cx: &mut Cx<'_>, ts: &TransitionSystem) -> Outcome<Vec<Term>> {
    let mut refinement = Refinement { ts, partitions: coarsest(cx.store, ts), states: 0 };
    let mut init = Solver::new(Options::default());
    init.add(cx.store, ts.init);
    refinement.refine(cx, &mut init, &ts.state)?;
    // A round assumes what was known when it began; states found under stronger assumptions split
    // as well.
    loop {
        let mut steps = Solver::new(Options::default());
        steps.add(cx.store, ts.step);
        for formula in meaning(cx.store, &refinement.partitions) {
            steps.add(cx.store, formula);
        }
        let before = refinement.states;
        refinement.refine(cx, &mut steps, &ts.next)?;
        if refinement.states >= STATES {
            return Ok(Vec::new());
        }
        if refinement.states == before {
            return Ok(meaning(cx.store, &refinement.partitions));
        }
    }
}

/// The partitions as they get finer.
struct Refinement<'t> {
    ts: &'t TransitionSystem,
    partitions: Vec<Partition>,
    /// How many states have split a partition.
    states: usize,
}

impl Refinement<'_> {
    /// Splits by states that `solver` knows about, named by `symbols`, until it knows none that
    /// splits.
    fn refine(&mut self, cx: &mut Cx<'_>, solver: &mut Solver, symbols: &[Symbol]) -> Outcome<()> {
        let mut open: Vec<usize> = (0..self.partitions.len()).collect();
        let mut broken: Vec<Option<Term>> = vec![None; self.partitions.len()];
        let mut preferred = true;
        while !open.is_empty() && self.states < STATES {
            preferred = !preferred;
            // One state is to split as many partitions as possible; guards that exclude each other
            // take turns.
            let mut wanted: Vec<(usize, Term)> = Vec::new();
            for &p in &open {
                let is_alone = |guard: Symbol| {
                    let same =
                        |&&q: &&usize| self.partitions[q].guard.is_some_and(|g| g.0 == guard);
                    open.iter().filter(same).count() == 1
                };
                if self.partitions[p].guard.is_none_or(|(s, v)| v == preferred || is_alone(s)) {
                    let lit = *broken[p].get_or_insert_with(|| self.broken(cx, solver, p, symbols));
                    wanted.push((p, lit));
                }
            }
            match split_state(cx, solver, &mut wanted)? {
                Ok(model) => {
                    self.states += 1;
                    let values = symbols.iter().map(|&s| model.get_or_default(cx.store, s));
                    let values = self.ts.state.iter().copied().zip(values).collect();
                    for (p, partition) in self.partitions.iter_mut().enumerate() {
                        if partition.split(&values)
                            && let Some(old) = broken[p].take()
                        {
                            let old = cx.store.not(old);
                            solver.add(cx.store, old);
                        }
                    }
                }
                Err(closed) => open.retain(|&p| p != closed),
            }
        }
        Ok(())
    }
    /// A literal that implies that the state named by `symbols` does not respect partition `p`.
    fn broken(&self, cx: &mut Cx<'_>, solver: &mut Solver, p: usize, symbols: &[Symbol]) -> Term {
        let formulas = meaning(cx.store, &self.partitions[p..=p]);
        let all = cx.store.and(&formulas);
        let mut broken = cx.store.not(all);
        if *symbols != self.ts.state {
            broken = self.ts.primed(cx.store, broken);
        }
        switch(cx.store, solver, broken)
    }
}

/// A state that splits many of the wanted partitions, or one of them that no state splits.
fn split_state(
    cx: &mut Cx<'_>,
    solver: &mut Solver,
    wanted: &mut Vec<(usize, Term)>,
) -> Outcome<Result<Model, usize>> {
    loop {
        let lits: Vec<Term> = wanted.iter().map(|w| w.1).collect();
        let failed = match solver.check_assuming(cx, &lits)? {
            Answer::Sat(model) => return Ok(Ok(model.assignment(cx.store))),
            Answer::Unsat(why) => why.failed(),
        };
        // Without failed assumptions there are no states at all, and no partition is split.
        let last = wanted.iter().rposition(|w| failed.contains(&w.1)).unwrap_or(0);
        if failed.len() <= 1 {
            return Ok(Err(wanted[last].0));
        }
        wanted.remove(last);
    }
}

/// The partitions into sorts.
fn coarsest(store: &TermStore, ts: &TransitionSystem) -> Vec<Partition> {
    let of_sort = |sort: Sort| -> Vec<Symbol> {
        ts.state.iter().copied().filter(|&s| store.result(s) == sort).collect()
    };
    let guards = of_sort(Sort::BOOL).into_iter().flat_map(|s| [Some((s, true)), Some((s, false))]);
    std::iter::once(None)
        .chain(guards)
        .map(|guard| {
            let mut classes = vec![of_sort(Sort::INT), of_sort(Sort::REAL)];
            classes.retain(|c| c.len() > 1);
            Partition { guard, classes }
        })
        .collect()
}

impl Partition {
    /// Splits the classes by `values`, if they satisfy the guard; whether there is a difference.
    fn split(&mut self, values: &Map<Symbol, Value>) -> bool {
        if self.guard.is_some_and(|(symbol, value)| values[&symbol] != Value::Bool(value)) {
            return false;
        }
        let equations =
            |classes: &[Vec<Symbol>]| -> usize { classes.iter().map(|c| c.len() - 1).sum() };
        let before = equations(&self.classes);
        let mut finer: Vec<Vec<Symbol>> = Vec::new();
        for class in self.classes.drain(..) {
            let first_new = finer.len();
            for symbol in class {
                let same = |c: &Vec<Symbol>| values[&c[0]] == values[&symbol];
                match finer[first_new..].iter().position(same) {
                    Some(i) => finer[first_new + i].push(symbol),
                    None => finer.push(vec![symbol]),
                }
            }
        }
        finer.retain(|c| c.len() > 1);
        self.classes = finer;
        equations(&self.classes) < before
    }
    fn guard(&self, store: &mut TermStore) -> Term {
        let Some((symbol, value)) = self.guard else { return store.top() };
        let symbol = store.constant(symbol);
        if value { symbol } else { store.not(symbol) }
    }
    /// The equalities between neighbours in classes.
    fn equations(&self, store: &mut TermStore) -> Vec<Term> {
        let mut equations = Vec::new();
        for pair in self.classes.iter().flat_map(|c| c.windows(2)) {
            let (a, b) = (store.constant(pair[0]), store.constant(pair[1]));
            equations.push(store.eq(a, b));
        }
        equations
    }
}

/// What the partitions say, one formula each, without those that say nothing.
fn meaning(store: &mut TermStore, partitions: &[Partition]) -> Vec<Term> {
    let mut result = Vec::new();
    for partition in partitions {
        let (guard, equations) = (partition.guard(store), partition.equations(store));
        let equations = store.and(&equations);
        let formula = store.implies(guard, equations);
        if formula != store.top() {
            result.push(formula);
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use shofar_base::Budget;

    #[test]
    fn equalities_under_a_guard() {
        let mut s = TermStore::new();
        let [x, y, z, x1, y1, z1] = ["x", "y", "z", "x'", "y'", "z'"].map(|n| s.var(n, Sort::INT));
        let [b, b1] = ["b", "b'"].map(|n| s.var(n, Sort::BOOL));
        // Initially all are 0 and b is false; a step copies a new value to x and y, to z as well
        // unless b becomes true.
        let zero = s.int(0);
        let init: Vec<Term> = [x, y, z].iter().map(|&v| s.eq(v, zero)).collect();
        let not_b = s.not(b);
        let init = s.and(&[&init[..], &[not_b]].concat());
        let (copied, both) = (s.eq(y1, x1), s.eq(z1, x1));
        let unless = s.or(&[b1, both]);
        let step = s.and(&[copied, unless]);
        let state = [x, y, z, b].map(|t| symbol(&s, t)).to_vec();
        let next = [x1, y1, z1, b1].map(|t| symbol(&s, t)).to_vec();
        let ts = TransitionSystem { state, next, init, step, bad: s.bottom() };
        let budget = Budget::unlimited();
        let found = equalities(&mut Cx::new(&mut s, &budget), &ts).expect("there is no limit");
        let (first, second) = (s.eq(x, y), s.eq(y, z));
        let under_guard = s.and(&[first, second]);
        let expected = [first, s.implies(b, first), s.implies(not_b, under_guard)];
        assert_eq!(found, expected);
    }

    fn symbol(store: &TermStore, term: Term) -> Symbol {
        shofar_term::symbols::free_symbols(store, &[term])[0]
    }
}
