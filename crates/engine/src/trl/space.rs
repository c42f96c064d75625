//! The variables that relations are about, in time and as differences.
//!
//! A relation is over the state, the next state and its locals, one of which may be the *count*:
//! how many iterations of a loop it stands for. At each time step all locals have copies of their
//! own. For every number of the state there is a symbol for its change in one step, `δ = x' - x`,
//! in which increments are expressed.

use shofar_base::Map;
use shofar_chc::{Moment, Moments, TransitionSystem};
use shofar_term::eval::Model;
use shofar_term::substitute::{Substitution, rename, substitute};
use shofar_term::{Linear, Sort, Symbol, Term, TermStore};

use super::linearize::without_wrapping;

/// See the module documentation.
pub(super) struct Space {
    pub(super) ts: TransitionSystem,
    pub(super) moments: Moments,
    /// How often a loop is repeated; real if no state variable is an integer, so that everything
    /// stays real.
    pub(super) count: Symbol,
    /// A count that is an integer in any case.
    pub(super) integral_count: Symbol,
    /// The change of each state variable that is a number.
    pub(super) deltas: Vec<Option<Symbol>>,
    /// From next variables to sums of state variables and changes.
    forward: Substitution,
    /// From state variables to differences of next variables and changes.
    backward: Substitution,
    /// From changes to differences.
    differences: Map<Term, (Term, Term)>,
}

impl Space {
    pub(super) fn new(store: &mut TermStore, ts: TransitionSystem) -> Self {
        let moments = Moments::new(store, &ts.state, &ts.next);
        let is_integral = ts.state.iter().any(|&s| store.result(s).is_int());
        let integral_count = store.fresh("n", Sort::INT);
        let count = if is_integral { integral_count } else { store.fresh("n", Sort::REAL) };
        let mut deltas = Vec::new();
        let (mut forward, mut backward): (Map<Term, Term>, Map<Term, Term>) = Default::default();
        let mut differences: Map<Term, (Term, Term)> = Map::default();
        for (&now, &then) in ts.state.iter().zip(&ts.next) {
            let sort = store.result(now);
            if !sort.is_arithmetic() {
                deltas.push(None);
                continue;
            }
            let symbol = store.fresh("delta", sort);
            let [now, then, delta] = [now, then, symbol].map(|s| store.constant(s));
            forward.insert(then, store.add(&[now, delta]));
            backward.insert(now, store.sub(then, delta));
            differences.insert(delta, (now, then));
            deltas.push(Some(symbol));
        }
        let (forward, backward) = (Substitution::new(forward), Substitution::new(backward));
        Self { ts, moments, count, integral_count, deltas, forward, backward, differences }
    }
    /// The count as a term.
    pub(super) fn n(&self, store: &mut TermStore) -> Term {
        store.constant(self.count)
    }
    /// `relation` over state variables and changes instead of next variables.
    pub(super) fn over_state(&mut self, store: &mut TermStore, relation: Term) -> Term {
        self.forward.apply(store, relation)
    }
    /// `relation` over next variables and changes instead of state variables.
    pub(super) fn over_next(&mut self, store: &mut TermStore, relation: Term) -> Term {
        self.backward.apply(store, relation)
    }
    /// Whether `term` is the change of a state variable, and of which: the variable now and then.
    pub(super) fn difference(&self, delta: Term) -> Option<(Term, Term)> {
        self.differences.get(&delta).copied()
    }
    /// `linear` with `x' - x` for every change, and no constant.
    pub(super) fn said_of_differences(&self, linear: &Linear) -> Linear {
        let mut result = Linear::new();
        for (coefficient, term) in linear.monomials() {
            match self.difference(*term) {
                Some((now, then)) => {
                    result.add_term(coefficient, then);
                    result.add_term(&-coefficient, now);
                }
                None => result.add_term(coefficient, *term),
            }
        }
        result
    }
    /// The values of the states at two times of `model`, as state and next state.
    pub(super) fn pair(
        &mut self,
        store: &mut TermStore,
        model: &Model,
        from: usize,
        to: usize,
    ) -> Model {
        let mut pair = Model::new();
        for (time, own) in [(from, &self.ts.state), (to, &self.ts.next)] {
            let there = self.moments.state(store, Moment::At(time)).to_vec();
            for (&symbol, copy) in own.iter().zip(there) {
                pair.set(symbol, model.get_or_default(store, copy));
            }
        }
        pair
    }
    /// `relation` between two times.
    pub(super) fn timed(
        &mut self,
        store: &mut TermStore,
        relation: Term,
        from: usize,
        to: usize,
    ) -> Term {
        self.moments.between(store, relation, Moment::At(from), Moment::At(to))
    }
    /// `relation`, which has no locals, between states that are given by terms.
    pub(super) fn between(
        &self,
        store: &mut TermStore,
        relation: Term,
        from: &[Term],
        to: &[Term],
    ) -> Term {
        let symbols = self.ts.state.iter().chain(&self.ts.next);
        let terms = from.iter().chain(to).copied();
        let map = symbols.map(|&symbol| store.constant(symbol)).zip(terms).collect();
        substitute(store, &map, &[relation])[0]
    }
    /// Conjunctive variable projection: literals over state and next state, true in the step from
    /// `time` of `model`, that imply `relation` for some values of its `locals`.
    pub(super) fn implicant(
        &mut self,
        store: &mut TermStore,
        (relation, locals): (Term, &[Symbol]),
        model: &Model,
        time: usize,
    ) -> Term {
        let mut pair = self.pair(store, model, time, time + 1);
        let (from, to) = (Moment::At(time), Moment::At(time + 1));
        let copies = self.moments.locals(store, locals, from, to);
        for (&local, copy) in locals.iter().zip(copies) {
            pair.set(local, model.get_or_default(store, copy));
        }
        let cube = shofar_mbp::project(store, relation, locals, &pair);
        let cube = without_wrapping(store, cube, &pair);
        sorted(store, cube)
    }
    /// The composition of relations without locals that follow each other in `model` from the time
    /// `start` on, as literals over state and next state.
    pub(super) fn chain(
        &mut self,
        store: &mut TermStore,
        relations: &[Term],
        model: &Model,
        start: usize,
    ) -> Term {
        let end = start + relations.len();
        let mut timed = Vec::new();
        let mut middle = Vec::new();
        for (&relation, time) in relations.iter().zip(start..) {
            timed.push(self.timed(store, relation, time, time + 1));
            if time > start {
                middle.extend_from_slice(self.moments.state(store, Moment::At(time)));
            }
        }
        let all = store.and(&timed);
        let cube = shofar_mbp::project(store, all, &middle, model);
        let mut ends = self.moments.state(store, Moment::At(start)).to_vec();
        ends.extend_from_slice(self.moments.state(store, Moment::At(end)));
        let own = [self.ts.state.as_slice(), &self.ts.next].concat();
        let cube = rename(store, cube, &ends, &own);
        sorted(store, cube)
    }
    /// Two steps of `relation`, from the state over some middle state to the next one.
    pub(super) fn twice(&mut self, store: &mut TermStore, relation: Term) -> [Term; 2] {
        let middle = Moment::At(0);
        let first = self.moments.between(store, relation, Moment::Present, middle);
        [first, self.moments.between(store, relation, middle, Moment::Next)]
    }
    /// The counts of the two steps of [`twice`](Self::twice).
    pub(super) fn counts_of_two(&mut self, store: &mut TermStore) -> [Term; 2] {
        let (count, middle) = ([self.count], Moment::At(0));
        let first = self.moments.locals(store, &count, Moment::Present, middle)[0];
        let second = self.moments.locals(store, &count, middle, Moment::Next)[0];
        [first, second].map(|symbol| store.constant(symbol))
    }
}

/// `cube` with its literals in the order of their handles, so that equal sets of literals are equal
/// terms.
pub(super) fn sorted(store: &mut TermStore, cube: Term) -> Term {
    let mut literals = store.conjuncts(&[cube]);
    literals.sort_unstable();
    store.and(&literals)
}
