//! Copies of state variables in time, made once and known by name.
//!
//! The variables of a state have two names of their own, for the present state and for the next
//! one; at the moment number `t` they are called `x@t`. A formula over present and next variables,
//! a relation, is said of any two moments; its other variables are local to it and get copies that
//! belong to these two moments. What has been renamed is remembered, so saying a formula of the
//! same moments again costs one look-up.
//!
//! Copies are known by their names, so all moments of the same variables in one store are the same.
//! Invariant: no copy has the name of a variable of the present or of the next state, because the
//! sign before the number of the moment is longer than any that these names contain.
//!
//! [`Timeline`](crate::Timeline) is this for a transition system as a whole.

use std::fmt;

use shofar_base::{Map, Set};
use shofar_term::substitute::{Substitution, renaming};
use shofar_term::symbols::free_symbols;
use shofar_term::{Symbol, Term, TermStore};

/// When a state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moment {
    /// The present state, in its own variables.
    Present,
    /// The next state, in the variables that a step has for it.
    Next,
    /// The state at this time.
    At(usize),
}

impl Moment {
    /// One step later, if that is known.
    fn successor(self) -> Option<Moment> {
        match self {
            Moment::Present => Some(Moment::Next),
            Moment::Next => None,
            Moment::At(time) => Some(Moment::At(time + 1)),
        }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Moment::Present => f.write_str("present"),
            Moment::Next => f.write_str("next"),
            Moment::At(time) => write!(f, "{time}"),
        }
    }
}

/// The variables of a state at all moments; see the module documentation.
#[derive(Clone, Debug)]
pub struct Moments {
    state: Vec<Symbol>,
    next: Vec<Symbol>,
    /// Stands before the names of copies.
    prefix: String,
    /// Stands between the name of a variable and the moment.
    sign: String,
    /// The state at the moments with a number.
    copies: Vec<Vec<Symbol>>,
    relations: Map<(Moment, Moment), Renaming>,
    states: Map<(Moment, Moment), Substitution>,
}

/// From the variables of a relation to those of two moments.
#[derive(Clone, Debug)]
struct Renaming {
    to: Substitution,
    /// The variables that it knows.
    known: Set<Symbol>,
}

impl Moments {
    /// The moments of a state with these variables, which are called `next` after a step.
    pub fn new(store: &TermStore, state: &[Symbol], next: &[Symbol]) -> Self {
        Self::prefixed(store, String::new(), state, next)
    }
    /// The moments of a predicate's arguments, which have the name of the predicate in theirs, so
    /// that those of several predicates at the same time differ; there is no next state.
    pub fn of_predicate(store: &TermStore, name: &str, params: &[Symbol]) -> Self {
        Self::prefixed(store, format!("{name}."), params, &[])
    }
    fn prefixed(store: &TermStore, prefix: String, state: &[Symbol], next: &[Symbol]) -> Self {
        let mut sign = String::from("@");
        while state.iter().chain(next).any(|&symbol| store.name(symbol).contains(&sign)) {
            sign.push('@');
        }
        Self {
            state: state.to_vec(),
            next: next.to_vec(),
            prefix,
            sign,
            copies: Vec::new(),
            relations: Map::default(),
            states: Map::default(),
        }
    }
    /// The state variables at `moment`.
    pub fn state(&mut self, store: &mut TermStore, moment: Moment) -> &[Symbol] {
        match moment {
            Moment::Present => &self.state,
            Moment::Next => &self.next,
            Moment::At(time) => {
                while self.copies.len() <= time {
                    let moment = Moment::At(self.copies.len());
                    let copy = |&symbol: &Symbol| self.copy(store, symbol, moment);
                    let copies = self.state.iter().map(copy).collect();
                    self.copies.push(copies);
                }
                &self.copies[time]
            }
        }
    }
    /// The state variable number `index` at `time`; the others need not be made for it.
    pub fn variable(&self, store: &mut TermStore, index: usize, time: usize) -> Symbol {
        self.copy(store, self.state[index], Moment::At(time))
    }
    /// `relation` with the present state at `from`, the next state at `to`, and locals that belong
    /// to both.
    pub fn between(
        &mut self,
        store: &mut TermStore,
        relation: Term,
        from: Moment,
        to: Moment,
    ) -> Term {
        if let Some(done) = self.renaming(store, from, to).to.get(relation) {
            return done;
        }
        let symbols = free_symbols(store, &[relation]);
        self.bind(store, &symbols, from, to);
        self.renaming(store, from, to).to.apply(store, relation)
    }
    /// The copies of `locals`, which are no state or next variables, that belong to `from` and
    /// `to`.
    pub fn locals(
        &mut self,
        store: &mut TermStore,
        locals: &[Symbol],
        from: Moment,
        to: Moment,
    ) -> Vec<Symbol> {
        self.bind(store, locals, from, to);
        locals.iter().map(|&local| self.local(store, local, from, to)).collect()
    }
    /// Tells the renaming to `from` and `to` of those of `symbols` that it does not know.
    fn bind(&mut self, store: &mut TermStore, symbols: &[Symbol], from: Moment, to: Moment) {
        let known = &mut self.renaming(store, from, to).known;
        let new: Vec<Symbol> = symbols.iter().copied().filter(|&s| known.insert(s)).collect();
        for symbol in new {
            let copy = self.local(store, symbol, from, to);
            let (symbol, copy) = (store.constant(symbol), store.constant(copy));
            self.renaming(store, from, to).to.bind(symbol, copy);
        }
    }
    /// `states`, over the state variables at `from`, said of the state at `to`.
    pub fn moved(&mut self, store: &mut TermStore, states: Term, from: Moment, to: Moment) -> Term {
        if !self.states.contains_key(&(from, to)) {
            let (here, there) = (self.state(store, from).to_vec(), self.state(store, to).to_vec());
            let pairs = here.into_iter().zip(there);
            self.states.insert((from, to), renaming(store, pairs));
        }
        let renaming = self.states.get_mut(&(from, to)).expect("it has just been made");
        renaming.apply(store, states)
    }
    fn renaming(&mut self, store: &mut TermStore, from: Moment, to: Moment) -> &mut Renaming {
        if !self.relations.contains_key(&(from, to)) {
            let (here, there) = (self.state(store, from).to_vec(), self.state(store, to).to_vec());
            let (state, next) = (self.state.iter().zip(here), self.next.iter().zip(there));
            let to_both = renaming(store, state.chain(next).map(|(&old, new)| (old, new)));
            let known = self.state.iter().chain(&self.next).copied().collect();
            self.relations.insert((from, to), Renaming { to: to_both, known });
        }
        self.relations.get_mut(&(from, to)).expect("it has just been made")
    }
    /// The copy of a state variable.
    fn copy(&self, store: &mut TermStore, symbol: Symbol, moment: Moment) -> Symbol {
        let name = format!("{}{}{}{moment}", self.prefix, store.name(symbol), self.sign);
        store.declare(&name, &[], store.result(symbol))
    }
    /// The copy of a local variable.
    fn local(&self, store: &mut TermStore, symbol: Symbol, from: Moment, to: Moment) -> Symbol {
        if from.successor() == Some(to) {
            return self.copy(store, symbol, from);
        }
        let name = format!("{}{}{}{from}-{to}", self.prefix, store.name(symbol), self.sign);
        store.declare(&name, &[], store.result(symbol))
    }
}

#[cfg(test)]
mod tests {
    use shofar_term::Sort;

    use super::*;

    fn names(store: &TermStore, term: Term) -> Vec<String> {
        let symbols = free_symbols(store, &[term]);
        let mut names: Vec<String> = symbols.iter().map(|&f| store.name(f).to_owned()).collect();
        names.sort_unstable();
        names
    }

    /// A relation `x' = x + i`, with `x` called `name`, and the moments of its variables.
    fn sum(store: &mut TermStore, name: &str) -> (Term, Moments) {
        let [x, next, input] = [name, "x'", "i"].map(|name| store.declare(name, &[], Sort::INT));
        let [from, to, by] = [x, next, input].map(|symbol| store.constant(symbol));
        let sum = store.add(&[from, by]);
        (store.eq(to, sum), Moments::new(store, &[x], &[next]))
    }

    #[test]
    fn relations_in_other_places_share_no_locals() {
        let mut s = TermStore::new();
        let (step, mut moments) = sum(&mut s, "x");
        let [now, next, late] = [Moment::Present, Moment::Next, Moment::At(0)];
        let first = moments.between(&mut s, step, now, late);
        let second = moments.between(&mut s, step, late, next);
        assert_eq!(names(&s, first), ["i@present-0", "x", "x@0"]);
        assert_eq!(names(&s, second), ["i@0-next", "x'", "x@0"]);
        assert_eq!(moments.between(&mut s, step, late, next), second);
        let input = s.declare("i", &[], Sort::INT);
        let local = moments.locals(&mut s, &[input], now, late)[0];
        assert_eq!(s.name(local), "i@present-0");
    }

    #[test]
    fn a_copy_has_the_name_of_no_variable() {
        let mut s = TermStore::new();
        let (step, mut moments) = sum(&mut s, "x'@0");
        let copy = moments.between(&mut s, step, Moment::At(0), Moment::Next);
        assert_eq!(names(&s, copy), ["i@@0-next", "x'", "x'@0@@0"]);
        let param = s.declare("x'@0", &[], Sort::INT);
        let [p, q] = ["p", "q"].map(|name| Moments::of_predicate(&s, name, &[param]));
        assert_ne!(p.variable(&mut s, 0, 1), q.variable(&mut s, 0, 1));
    }

    #[test]
    fn states_move_between_moments() {
        let mut s = TermStore::new();
        let (_, mut moments) = sum(&mut s, "x");
        let (x, zero) = (s.var("x", Sort::INT), s.int(0));
        let states = s.le(x, zero);
        let there = moments.moved(&mut s, states, Moment::Present, Moment::At(3));
        assert_eq!(names(&s, there), ["x@3"]);
        assert_eq!(moments.moved(&mut s, there, Moment::At(3), Moment::Present), states);
        let variable = moments.variable(&mut s, 0, 3);
        assert_eq!(moments.state(&mut s, Moment::At(3)), [variable]);
    }
}
