//! The copies of the state variables in which relations are said.
//!
//! A relation is a formula over `state` and `next`. Two steps go from `state` over `middle` to
//! `next`, so that an interpolant of both is a relation again; the longest chain that is ever
//! needed has one more copy, `late`, between `middle` and `next`. These are [`Moments`] of the
//! system.
//!
//! The local variables of a step get copies of their own in each position; those of `init` and
//! `bad` are renamed apart when these are set, which may happen again: nothing else depends on
//! them.
//!
//! Source: [Bli22] §4.3.1.

use shofar_base::Map;
use shofar_chc::{Moment, Moments, TransitionSystem};
use shofar_term::eval::{Model, Value};
use shofar_term::substitute::substitute;
use shofar_term::{Symbol, Term, TermStore};

use crate::link::is_value;

/// Between the two steps of a path.
const MIDDLE: Moment = Moment::At(0);
/// Between `MIDDLE` and the next state, where three steps are needed.
const LATE: Moment = Moment::At(1);

/// Where in a chain of steps a relation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// From `state` to `middle`.
    First,
    /// From `middle` to `next`.
    Second,
    /// From `middle` to `late`.
    Inner,
    /// From `late` to `next`.
    Last,
    /// From `state` to `late`.
    UpToLate,
    /// From `next` to `state`.
    Reversed,
}

impl Place {
    const ALL: [Place; 6] =
        [Place::First, Place::Second, Place::Inner, Place::Last, Place::UpToLate, Place::Reversed];
    /// From where to where.
    fn ends(self) -> (Moment, Moment) {
        match self {
            Place::First => (Moment::Present, MIDDLE),
            Place::Second => (MIDDLE, Moment::Next),
            Place::Inner => (MIDDLE, LATE),
            Place::Last => (LATE, Moment::Next),
            Place::UpToLate => (Moment::Present, LATE),
            Place::Reversed => (Moment::Next, Moment::Present),
        }
    }
}

/// The variables of a transition system in their copies.
#[derive(Clone, Debug)]
pub(super) struct Names {
    pub(super) ts: TransitionSystem,
    /// The initial states, with local variables of their own.
    pub(super) init: Term,
    /// The bad states, with local variables of their own.
    pub(super) bad: Term,
    pub(super) middle: Vec<Symbol>,
    late: Vec<Symbol>,
    /// The local variables of `init` and `bad`.
    end_locals: Vec<Symbol>,
    /// The local variables of steps.
    step_locals: Vec<Symbol>,
    moments: Moments,
}

impl Names {
    pub(super) fn new(store: &mut TermStore, ts: TransitionSystem) -> Self {
        let mut moments = Moments::new(store, &ts.state, &ts.next);
        let [middle, late] = [MIDDLE, LATE].map(|moment| moments.state(store, moment).to_vec());
        let of_step = ts.locals(store, ts.step);
        let mut step_locals = Vec::new();
        for (from, to) in Place::ALL.map(Place::ends) {
            step_locals.extend(moments.locals(store, &of_step, from, to));
        }
        let mut this = Self {
            init: ts.init,
            bad: ts.bad,
            ts,
            middle,
            late,
            end_locals: Vec::new(),
            step_locals,
            moments,
        };
        this.set_ends(store, this.ts.init, this.ts.bad);
        this
    }
    /// From now on, these are the initial and the bad states.
    pub(super) fn set_ends(&mut self, store: &mut TermStore, init: Term, bad: Term) {
        (self.ts.init, self.ts.bad) = (init, bad);
        let (init, of_init) = apart(store, &self.ts, init);
        let (bad, of_bad) = apart(store, &self.ts, bad);
        (self.init, self.bad) = (init, bad);
        self.end_locals = [of_init, of_bad].concat();
    }
    /// `relation`, which is over `state` and `next`, in its place.
    pub(super) fn at(&mut self, store: &mut TermStore, relation: Term, place: Place) -> Term {
        let (from, to) = place.ends();
        self.moments.between(store, relation, from, to)
    }
    /// `states`, said of the next variables.
    pub(super) fn primed(&mut self, store: &mut TermStore, states: Term) -> Term {
        self.moments.moved(store, states, Moment::Present, Moment::Next)
    }
    /// `states` over the next variables, said of the state variables.
    pub(super) fn unprimed(&mut self, store: &mut TermStore, states: Term) -> Term {
        self.moments.moved(store, states, Moment::Next, Moment::Present)
    }
    /// `states` over the middle variables, said of the state variables.
    pub(super) fn moved_from_middle(&mut self, store: &mut TermStore, states: Term) -> Term {
        self.moments.moved(store, states, MIDDLE, Moment::Present)
    }
    /// That the next state is this one.
    pub(super) fn identity(&self, store: &mut TermStore) -> Term {
        let pairs = self.ts.state.iter().zip(&self.ts.next);
        let equations: Vec<Term> = pairs
            .map(|(&x, &y)| {
                let (x, y) = (store.constant(x), store.constant(y));
                store.eq(x, y)
            })
            .collect();
        store.and(&equations)
    }
    /// Every symbol but those in `kept`.
    pub(super) fn all_but(&self, kept: &[Symbol]) -> Vec<Symbol> {
        let states = [&self.ts.state, &self.middle, &self.late, &self.ts.next];
        let groups = states.into_iter().chain([&self.end_locals, &self.step_locals]);
        let all = groups.filter(|group| group.as_slice() != kept);
        all.flatten().copied().collect()
    }
    /// The values of `symbols`.
    pub(super) fn values(store: &mut TermStore, symbols: &[Symbol], model: &Model) -> Vec<Value> {
        symbols.iter().map(|&symbol| model.get_or_default(store, symbol)).collect()
    }
    /// That the state variables have these values.
    pub(super) fn is_state(&self, store: &mut TermStore, values: &[Value]) -> Term {
        let equations: Vec<Term> = self
            .ts
            .state
            .iter()
            .zip(values)
            .map(|(&symbol, value)| is_value(store, symbol, value))
            .collect();
        store.and(&equations)
    }
}

/// `formula` with local variables of its own, and these.
fn apart(store: &mut TermStore, ts: &TransitionSystem, formula: Term) -> (Term, Vec<Symbol>) {
    let locals = ts.locals(store, formula);
    let fresh = copies(store, &locals, "own");
    let map: Map<Term, Term> =
        locals.iter().zip(&fresh).map(|(&l, &f)| (store.constant(l), store.constant(f))).collect();
    (substitute(store, &map, &[formula])[0], fresh)
}

fn copies(store: &mut TermStore, symbols: &[Symbol], name: &str) -> Vec<Symbol> {
    symbols.iter().map(|&s| store.fresh(name, store.result(s))).collect()
}
