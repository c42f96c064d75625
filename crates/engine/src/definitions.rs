//! Solving the equations of a conjunction: which variables are functions of the others.
//!
//! A conjunct such as `x' = x + 1` or `p ↔ φ` is used up as the definition of one of the variables
//! to be solved for, as long as the definitions stay acyclic. What remains of the conjunction, and
//! any other term, can then be said without the defined variables.
//!
//! Invariant: a definition depends on no variable that, through other definitions, depends on it.
//! An integer variable is solved for only where its coefficient is ±1, so that the definition has
//! integer values.

use shofar_base::{Map, Set};
use shofar_term::solve::{solvable, solve_for};
use shofar_term::symbols::free_symbols;
use shofar_term::{Symbol, Term, TermStore};

/// How often what remains is searched for further equations.
const ROUNDS: usize = 4;

/// Acyclic definitions of variables by terms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Definitions {
    /// The defining term of each defined constant, as found.
    of: Map<Term, Term>,
    /// The symbols of each defining term.
    mentions: Map<Symbol, Vec<Symbol>>,
    /// Terms already said without defined variables.
    done: Map<Term, Term>,
}

impl Definitions {
    /// Solves `conjuncts` for `variables`; returns the definitions and the conjuncts that remain,
    /// without defined variables.
    pub(crate) fn solve(
        store: &mut TermStore,
        conjuncts: &[Term],
        variables: &[Symbol],
    ) -> (Self, Vec<Term>) {
        let mut this = Self::default();
        let mut open: Set<Symbol> = variables.iter().copied().collect();
        let mut conjuncts = store.conjuncts(conjuncts);
        for _ in 0..ROUNDS {
            let before = this.of.len();
            conjuncts.retain(|&conjunct| !this.read(store, conjunct, &mut open));
            if this.of.len() == before {
                break;
            }
            this.done.clear();
            let rest: Vec<Term> = conjuncts.iter().map(|&c| this.apply(store, c)).collect();
            conjuncts = store.conjuncts(&rest);
        }
        (this, conjuncts)
    }
    /// `term` without defined variables.
    pub(crate) fn apply(&mut self, store: &mut TermStore, term: Term) -> Term {
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.done.contains_key(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            if let Some(&value) = self.of.get(&top) {
                if let Some(&done) = self.done.get(&value) {
                    self.done.insert(top, done);
                } else {
                    stack.push(value);
                }
                continue;
            }
            stack.extend(store.children(top).iter().filter(|c| !self.done.contains_key(*c)));
            if stack.len() == before {
                let children: Vec<Term> =
                    store.children(top).iter().map(|c| self.done[c]).collect();
                let result = store.rebuild(top, &children);
                self.done.insert(top, result);
                stack.pop();
            }
        }
        self.done[&term]
    }
    /// Takes `conjunct` as a definition if it is one; whether it did.
    fn read(&mut self, store: &mut TermStore, conjunct: Term, open: &mut Set<Symbol>) -> bool {
        solvable(store, conjunct).into_iter().any(|symbol| {
            open.contains(&symbol)
                && solve_for(store, conjunct, symbol)
                    .is_some_and(|value| self.offer(store, symbol, value, open))
        })
    }
    /// Defines `symbol`, which is open, as `value`, unless the definitions would become cyclic.
    fn offer(
        &mut self,
        store: &mut TermStore,
        symbol: Symbol,
        value: Term,
        open: &mut Set<Symbol>,
    ) -> bool {
        let mentions = free_symbols(store, &[value]);
        if self.depends(&mentions, symbol) {
            return false;
        }
        open.remove(&symbol);
        self.of.insert(store.constant(symbol), value);
        self.mentions.insert(symbol, mentions);
        true
    }
    /// Whether one of `symbols` is `target` or is defined, directly or not, by it.
    fn depends(&self, symbols: &[Symbol], target: Symbol) -> bool {
        let mut seen: Set<Symbol> = Set::default();
        let mut stack = symbols.to_vec();
        while let Some(symbol) = stack.pop() {
            if symbol == target {
                return true;
            }
            if let Some(next) = self.mentions.get(&symbol)
                && seen.insert(symbol)
            {
                stack.extend(next);
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use shofar_term::Sort;

    use super::*;

    #[test]
    fn equations_are_used_up_as_long_as_they_are_acyclic() {
        let mut s = TermStore::new();
        let [x, y, z] = ["x", "y", "z"].map(|n| s.var(n, Sort::INT));
        let one = s.int(1);
        let (y1, z1) = (s.add(&[y, one]), s.add(&[z, one]));
        let (first, second, third) = (s.eq(x, y1), s.eq(y, z1), s.le(x, z));
        let symbols = ["x", "y"].map(|n| s.declare(n, &[], Sort::INT));
        let (mut definitions, rest) = Definitions::solve(&mut s, &[first, second, third], &symbols);
        assert_eq!(rest, [s.bottom()], "x is z + 2, which is not at most z");
        let two = s.int(2);
        assert_eq!(definitions.apply(&mut s, x), s.add(&[z, two]));
    }

    #[test]
    fn halves_of_integers_are_no_definitions() {
        let mut s = TermStore::new();
        let (x, y) = (s.var("x", Sort::INT), s.var("y", Sort::INT));
        let (twice, thrice) = (s.scale(&2.into(), x), s.scale(&3.into(), y));
        let equation = s.eq(twice, thrice);
        let symbols = ["x", "y"].map(|n| s.declare(n, &[], Sort::INT));
        assert_eq!(Definitions::solve(&mut s, &[equation], &symbols).1, [equation]);
    }
}
