//! A transition system in time.
//!
//! What is said of the state and the next state is said of the moments `t` and `t + 1`; locals get
//! copies of their own at each time. The variables of all times are those of [`Moments`].

use shofar_term::{Symbol, Term, TermStore};

use crate::TransitionSystem;
use crate::moments::{Moment, Moments};

/// A system and its moments; see the module documentation.
#[derive(Clone, Debug)]
pub struct Timeline<'t> {
    ts: &'t TransitionSystem,
    moments: Moments,
}

impl<'t> Timeline<'t> {
    /// The timeline of `ts`.
    pub fn new(store: &TermStore, ts: &'t TransitionSystem) -> Self {
        Self { ts, moments: Moments::new(store, &ts.state, &ts.next) }
    }
    /// The system.
    pub fn system(&self) -> &'t TransitionSystem {
        self.ts
    }
    /// The state variables at `time`.
    pub fn state(&mut self, store: &mut TermStore, time: usize) -> &[Symbol] {
        self.moments.state(store, Moment::At(time))
    }
    /// `formula` with state variables at `time`, next variables at `time + 1`, and locals of their
    /// own for `time`.
    pub fn timed(&mut self, store: &mut TermStore, formula: Term, time: usize) -> Term {
        self.moments.between(store, formula, Moment::At(time), Moment::At(time + 1))
    }
    /// `formula` over the state variables at `time`, said of the present state.
    pub fn untimed(&mut self, store: &mut TermStore, formula: Term, time: usize) -> Term {
        self.moments.moved(store, formula, Moment::At(time), Moment::Present)
    }
}

#[cfg(test)]
mod tests {
    use shofar_term::Sort;
    use shofar_term::symbols::free_symbols;

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
        let mut timeline = Timeline::new(&s, &ts);
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
        let mut other = Timeline::new(&s, &ts);
        assert_eq!(other.timed(&mut s, step, 1), second, "copies have names");
        let zero = s.int(0);
        let states = s.le(from, zero);
        let later = timeline.timed(&mut s, states, 1);
        assert_eq!(timeline.untimed(&mut s, later, 1), states);
        let third = timeline.state(&mut s, 2)[0];
        assert_eq!(s.name(third), "x@2");
    }
}
