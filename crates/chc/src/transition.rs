//! Transition systems: one loop, the shape that most engines for loops understand.
//!
//! States are values of `state`; `next` names the values after a step. Other symbols of `init`,
//! `step` and `bad` are local to that formula (inputs, auxiliary values): they are existential, and
//! may have any value at each occurrence.

use shofar_num::Rational;
use shofar_term::eval::Value;
use shofar_term::substitute::rename;
use shofar_term::symbols::free_symbols;
use shofar_term::{Symbol, Term, TermStore};

use crate::Repeat;

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

/// A path from an initial to a bad state: the values of the state variables at each point, at least
/// one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The states in order.
    pub states: Vec<Vec<Value>>,
    /// Which of them stand for more iterations of a cycle than are listed, as in a
    /// [`Derivation`](crate::Derivation): in each iteration the states are affine functions of
    /// its number, and the first of an iteration follows the last of the one before.
    pub repeats: Vec<Repeat>,
}

impl Run {
    /// A run through these states.
    pub fn ground(states: Vec<Vec<Value>>) -> Self {
        Self { states, repeats: Vec::new() }
    }
    /// Goes through `count` iterations of a cycle, given by its states in the first and in the last
    /// one; repeats of the run within them are those of `inner`, which begin at 0 with the
    /// first state of the first iteration.
    pub fn repeat(
        &mut self,
        first: Vec<Vec<Value>>,
        last: Vec<Vec<Value>>,
        count: Rational,
        inner: &[Repeat],
    ) {
        assert_eq!(first.len(), last.len(), "iterations are as long as each other");
        let (start, length) = (self.states.len(), first.len());
        self.repeats.push(Repeat { start, length, count });
        self.repeats.extend(inner.iter().map(|repeat| repeat.moved(0, start)));
        self.states.extend(first);
        self.states.extend(last);
    }
    /// Goes on as `other` does.
    pub fn append(&mut self, other: Run) {
        let start = self.states.len();
        self.repeats.extend(other.repeats.iter().map(|repeat| repeat.moved(0, start)));
        self.states.extend(other.states);
    }
}

impl TransitionSystem {
    /// The symbols of `formula` that are neither state nor next variables.
    pub fn locals(&self, store: &TermStore, formula: Term) -> Vec<Symbol> {
        let mut symbols = free_symbols(store, &[formula]);
        symbols.retain(|s| !self.state.contains(s) && !self.next.contains(s));
        symbols
    }
    /// `formula` over state variables, said of the next state.
    pub fn primed(&self, store: &mut TermStore, formula: Term) -> Term {
        rename(store, formula, &self.state, &self.next)
    }
    /// `formula` over next variables, said of the present state.
    pub fn unprimed(&self, store: &mut TermStore, formula: Term) -> Term {
        rename(store, formula, &self.next, &self.state)
    }
}
