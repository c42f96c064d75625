//! A transition system in time: copies of its variables for each moment, made once.
//!
//! The moment number `t` has a copy of every state variable, `x@t`; what is said of the state and the next state is said of
//! the moments `t` and `t + 1`. Locals get copies of their own at each moment. A timeline remembers the copies, and what it has
//! renamed, so saying a formula of a moment again costs nothing.
//!
//! Copies are known by their names, so all timelines of one system in one store have the same.

use shofar_base::{Map, Set};
use shofar_term::substitute::Substitution;
use shofar_term::symbols::free_symbols;
use shofar_term::{Symbol, Term, TermStore};

use crate::TransitionSystem;

/// A system and its moments; see the module documentation.
#[derive(Clone, Debug)]
pub struct Timeline<'t> {
    ts: &'t TransitionSystem,
    moments: Vec<Moment>,
}

/// The renamings of one moment.
#[derive(Clone, Debug)]
struct Moment {
    /// The state variables then.
    state: Vec<Symbol>,
    /// From the variables of the system to those of this moment and the next one.
    to: Substitution,
    /// The variables that `to` knows.
    known: Set<Symbol>,
    /// From the state variables of this moment to those of the system.
    from: Substitution,
}

impl<'t> Timeline<'t> {
    /// The timeline of `ts`.
    pub fn new(ts: &'t TransitionSystem) -> Self {
        Self { ts, moments: Vec::new() }
    }
    /// The system.
    pub fn system(&self) -> &'t TransitionSystem {
        self.ts
    }
    /// The state variables at `time`.
    pub fn state(&mut self, store: &mut TermStore, time: usize) -> &[Symbol] {
        &self.moment(store, time).state
    }
    /// `formula` with state variables at `time`, next variables at `time + 1`, and locals of their own for `time`.
    pub fn timed(&mut self, store: &mut TermStore, formula: Term, time: usize) -> Term {
        let moment = self.moment(store, time);
        for symbol in free_symbols(store, &[formula]) {
            if moment.known.insert(symbol) {
                let (from, to) = (store.constant(symbol), copy(store, symbol, time));
                let to = store.constant(to);
                moment.to.bind(from, to);
            }
        }
        moment.to.apply(store, formula)
    }
    /// `formula` over the state variables at `time`, said of the present state.
    pub fn untimed(&mut self, store: &mut TermStore, formula: Term, time: usize) -> Term {
        self.moment(store, time).from.apply(store, formula)
    }
    fn moment(&mut self, store: &mut TermStore, time: usize) -> &mut Moment {
        while self.moments.len() <= time {
            let moment = Moment::new(store, self.ts, self.moments.len());
            self.moments.push(moment);
        }
        &mut self.moments[time]
    }
}

impl Moment {
    fn new(store: &mut TermStore, ts: &TransitionSystem, time: usize) -> Self {
        let (mut to, mut from): (Map<Term, Term>, Map<Term, Term>) = Default::default();
        let mut state = Vec::with_capacity(ts.state.len());
        for (&here, &there) in ts.state.iter().zip(&ts.next) {
            let (now, then) = (copy(store, here, time), copy(store, here, time + 1));
            let constants = [here, there, now, then].map(|symbol| store.constant(symbol));
            to.insert(constants[0], constants[2]);
            to.insert(constants[1], constants[3]);
            from.insert(constants[2], constants[0]);
            state.push(now);
        }
        let known = ts.state.iter().chain(&ts.next).copied().collect();
        Self { state, to: Substitution::new(to), known, from: Substitution::new(from) }
    }
}

/// The copy of a variable at `time`.
fn copy(store: &mut TermStore, symbol: Symbol, time: usize) -> Symbol {
    let (name, sort) = (format!("{}@{time}", store.name(symbol)), store.result(symbol));
    store.declare(&name, &[], sort)
}

#[cfg(test)]
mod tests {
    use shofar_term::Sort;

    use super::*;

    #[test]
    fn moments_share_the_state_between_them_and_no_locals() {
        let mut s = TermStore::new();
        let [x, next, input] = ["x", "x'", "i"].map(|name| s.declare(name, &[], Sort::INT));
        let [from, to, by] = [x, next, input].map(|symbol| s.constant(symbol));
        let sum = s.add(&[from, by]);
        let step = s.eq(to, sum);
        let (init, bad) = (s.top(), s.bottom());
        let ts = TransitionSystem { state: vec![x], next: vec![next], init, step, bad };
        let mut timeline = Timeline::new(&ts);
        let second = timeline.timed(&mut s, step, 1);
        let first = timeline.timed(&mut s, step, 0);
        let names = |s: &TermStore, term: Term| -> Vec<String> {
            let mut names: Vec<String> =
                free_symbols(s, &[term]).iter().map(|&f| s.name(f).to_owned()).collect();
            names.sort_unstable();
            names
        };
        assert_eq!(names(&s, first), ["i@0", "x@0", "x@1"]);
        assert_eq!(names(&s, second), ["i@1", "x@1", "x@2"]);
        assert_eq!(Timeline::new(&ts).timed(&mut s, step, 1), second, "copies have names");
        let zero = s.int(0);
        let states = s.le(from, zero);
        let later = timeline.timed(&mut s, states, 1);
        assert_eq!(timeline.untimed(&mut s, later, 1), states);
        let third = timeline.state(&mut s, 2)[0];
        assert_eq!(s.name(third), "x@2");
    }
}
