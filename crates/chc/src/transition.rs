//! Transition systems: one loop, the shape that most engines for loops understand.
//!
//! States are values of `state`; `next` names the values after a step. Other symbols of `init`, `step` and `bad` are local
//! to that formula (inputs, auxiliary values): they are existential, and may have any value at each occurrence.

use shofar_base::Map;
use shofar_term::eval::Value;
use shofar_term::substitute::{rename, substitute};
use shofar_term::symbols::free_symbols;
use shofar_term::{Symbol, Term, TermStore};

/// `init(x)`, `step(x, x')`, `bad(x)`.
#[derive(Clone, Debug)]
pub struct TransitionSystem {
    /// The state variables.
    pub state: Vec<Symbol>,
    /// Their values after a step, in the same order.
    pub next: Vec<Symbol>,
    /// The states it may start in.
    pub init: Term,
    /// The steps it may take.
    pub step: Term,
    /// The states it must not reach.
    pub bad: Term,
}

/// A path from an initial to a bad state: the values of the state variables at each point, at least one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The states in order.
    pub states: Vec<Vec<Value>>,
}

impl TransitionSystem {
    /// The symbols of `formula` that are neither state nor next variables.
    pub fn locals(&self, store: &TermStore, formula: Term) -> Vec<Symbol> {
        let mut symbols = free_symbols(store, &[formula]);
        symbols.retain(|s| !self.state.contains(s) && !self.next.contains(s));
        symbols
    }
    /// The state variable number `index` at time `time`.
    pub fn at(&self, store: &mut TermStore, index: usize, time: usize) -> Symbol {
        let (name, sort) =
            (store.name(self.state[index]).to_owned(), store.result(self.state[index]));
        store.declare(&format!("{name}@{time}"), &[], sort)
    }
    /// `formula` with state variables at `time`, next variables at `time + 1`, and locals of their own for `time`.
    pub fn timed(&self, store: &mut TermStore, formula: Term, time: usize) -> Term {
        let mut map: Map<Term, Term> = Map::default();
        for index in 0..self.state.len() {
            for (symbol, time) in [(self.state[index], time), (self.next[index], time + 1)] {
                let (from, to) = (store.constant(symbol), self.at(store, index, time));
                map.insert(from, store.constant(to));
            }
        }
        for symbol in self.locals(store, formula) {
            let (name, sort) = (store.name(symbol).to_owned(), store.result(symbol));
            let to = store.declare(&format!("{name}@{time}"), &[], sort);
            map.insert(store.constant(symbol), store.constant(to));
        }
        substitute(store, &map, &[formula])[0]
    }
    /// `formula` over state variables, said of the next state.
    pub fn primed(&self, store: &mut TermStore, formula: Term) -> Term {
        rename(store, formula, &self.state, &self.next)
    }
    /// `formula` over next variables, said of the present state.
    pub fn unprimed(&self, store: &mut TermStore, formula: Term) -> Term {
        rename(store, formula, &self.next, &self.state)
    }
    /// `formula` over the state variables at `time`, said of the present state.
    pub fn untimed(&self, store: &mut TermStore, formula: Term, time: usize) -> Term {
        let from: Vec<Symbol> = (0..self.state.len()).map(|i| self.at(store, i, time)).collect();
        rename(store, formula, &from, &self.state)
    }
}
