//! The copies of the state variables in which relations are said.
//!
//! A relation is a formula over `state` and `next`. Two steps go from `state` over `middle` to `next`, so that an interpolant of both is
//! a relation again; the longest chain that is ever needed has one more copy, `late`, between `middle` and `next`.
//!
//! The local variables of a step get copies of their own in each position; those of `init` and `bad` are renamed apart when these are
//! set, which may happen again: nothing else depends on them.
//!
//! Source: [Bli22] §4.3.1.

use shofar_base::Map;
use shofar_chc::TransitionSystem;
use shofar_term::eval::{Model, Value};
use shofar_term::substitute::{Substitution, renaming, substitute};
use shofar_term::{Symbol, Term, TermStore};

use crate::link::is_value;

/// A renaming that remembers what it has done.
#[derive(Clone, Debug, Default)]
pub(super) struct Renaming(Substitution);

impl Renaming {
    fn new(store: &mut TermStore, pairs: &[(&[Symbol], &[Symbol])]) -> Self {
        let pairs = pairs.iter().flat_map(|(from, to)| from.iter().zip(*to));
        Self(renaming(store, pairs.map(|(&from, &to)| (from, to))))
    }
    pub(super) fn apply(&mut self, store: &mut TermStore, term: Term) -> Term {
        self.0.apply(store, term)
    }
}

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
    places: [Renaming; 6],
    primed: Renaming,
    unprimed: Renaming,
    from_middle: Renaming,
}

impl Names {
    pub(super) fn new(store: &mut TermStore, ts: TransitionSystem) -> Self {
        let of_step = ts.locals(store, ts.step);
        let (state, next) = (&ts.state, &ts.next);
        let (middle, late) = (copies(store, state, "mid"), copies(store, state, "late"));
        let steps: [Vec<Symbol>; 6] =
            ["first", "second", "inner", "last", "far", "back"].map(|n| copies(store, &of_step, n));
        let ends = [
            (state, &middle),
            (&middle, next),
            (&middle, &late),
            (&late, next),
            (state, &late),
            (next, state),
        ];
        let mut index = 0;
        let places = ends.map(|(from, to)| {
            let pairs: [(&[Symbol], &[Symbol]); 3] =
                [(state, from), (next, to), (&of_step, &steps[index])];
            index += 1;
            Renaming::new(store, &pairs)
        });
        let mut this = Self {
            primed: Renaming::new(store, &[(state, next)]),
            unprimed: Renaming::new(store, &[(next, state)]),
            from_middle: Renaming::new(store, &[(&middle, state)]),
            init: ts.init,
            bad: ts.bad,
            ts,
            middle,
            late,
            end_locals: Vec::new(),
            step_locals: steps.concat(),
            places,
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
        let index = match place {
            Place::First => 0,
            Place::Second => 1,
            Place::Inner => 2,
            Place::Last => 3,
            Place::UpToLate => 4,
            Place::Reversed => 5,
        };
        self.places[index].apply(store, relation)
    }
    /// `states`, said of the next variables.
    pub(super) fn primed(&mut self, store: &mut TermStore, states: Term) -> Term {
        self.primed.apply(store, states)
    }
    /// `states` over the next variables, said of the state variables.
    pub(super) fn unprimed(&mut self, store: &mut TermStore, states: Term) -> Term {
        self.unprimed.apply(store, states)
    }
    /// `states` over the middle variables, said of the state variables.
    pub(super) fn moved_from_middle(&mut self, store: &mut TermStore, states: Term) -> Term {
        self.from_middle.apply(store, states)
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
