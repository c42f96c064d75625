//! The predicates of the abstraction, and abstract states as cubes over them.
//!
//! Predicates are atoms over the state variables; a Boolean state variable is one. An abstract
//! state says of each predicate whether it holds. Equations are split into their two bounds, which
//! say the same together and more on their own.
//!
//! *Lifting*: the abstract state of a model says more than is needed for a step into the target.
//! Let `κ` be a cube over the state that is enough for the step
//! ([`Step::before`](super::step::Step::before)). Literals of `κ` that are predicates' are kept
//! themselves. The variables of its other literals are *fixed*, and with them those of all
//! predicates that mention a fixed one; all these predicates are kept. The result is a cube of
//! abstract states each of which has a concrete state that makes the step: take the values of the
//! model for fixed variables and those of any state of the abstract state for the others. So a path
//! of lifted cubes is a path of the abstract system, and refinement by its interpolants makes
//! progress.
//!
//! Source: [CGMT14] §3. DIVERGENCE [CGMT14]: predecessors are lifted by the variables of an
//! implicant, because steps need not be functions of the state and the inputs.

use shofar_base::Set;
use shofar_term::eval::{Evaluator, Model};
use shofar_term::symbols::free_symbols;
use shofar_term::{Symbol, Term, TermStore};

/// An abstract state, or several: literals of different predicates, sorted.
pub(super) type Cube = Vec<Term>;

/// A predicate and its variables.
struct Predicate {
    atom: Term,
    symbols: Vec<Symbol>,
}

/// All predicates; see the module documentation.
#[derive(Default)]
pub(super) struct Predicates {
    all: Vec<Predicate>,
    known: Set<Term>,
}

impl Predicates {
    /// Adds a predicate; whether it is new.
    pub(super) fn add(&mut self, store: &TermStore, literal: Term) -> bool {
        let (atom, _) = store.strip_not(literal);
        if !self.known.insert(atom) {
            return false;
        }
        self.all.push(Predicate { atom, symbols: free_symbols(store, &[atom]) });
        true
    }
    /// Whether the atom of `literal` is one.
    pub(super) fn contains(&self, store: &TermStore, literal: Term) -> bool {
        self.known.contains(&store.strip_not(literal).0)
    }
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }
    /// The predicates from this position on.
    pub(super) fn from(&self, position: usize) -> Vec<Term> {
        self.all[position..].iter().map(|predicate| predicate.atom).collect()
    }
    /// The abstract states around that of `model` all of which have the cube `enough` in common
    /// with it; see the module documentation.
    pub(super) fn lifted(&self, store: &mut TermStore, enough: &[Term], model: &Model) -> Cube {
        let mut kept: Set<Term> = Set::default();
        let mut fixed: Set<Symbol> = Set::default();
        for &literal in enough {
            let halves = store.equation_bounds(literal).map_or(vec![literal], |b| b.to_vec());
            for half in halves {
                let (atom, _) = store.strip_not(half);
                if self.contains(store, half) {
                    kept.insert(atom);
                } else {
                    fixed.extend(free_symbols(store, &[atom]));
                }
            }
        }
        self.close(&mut kept, &mut fixed);
        let mut evaluator = Evaluator::with_defaults(model);
        let mut cube = Cube::new();
        for predicate in self.all.iter().filter(|p| kept.contains(&p.atom)) {
            let holds = evaluator.holds(store, predicate.atom).expect(VALUED);
            cube.push(if holds { predicate.atom } else { store.not(predicate.atom) });
        }
        cube.sort_unstable();
        cube
    }
    /// Keeps every predicate with a fixed variable, and fixes its other variables.
    fn close(&self, kept: &mut Set<Term>, fixed: &mut Set<Symbol>) {
        let mut open: Vec<&Predicate> = self.all.iter().collect();
        loop {
            let before = open.len();
            open.retain(|predicate| {
                let is_fixed = predicate.symbols.iter().any(|symbol| fixed.contains(symbol));
                if is_fixed {
                    kept.insert(predicate.atom);
                    fixed.extend(predicate.symbols.iter().copied());
                }
                !is_fixed
            });
            if open.len() == before {
                return;
            }
        }
    }
}

/// Why a predicate has a value in every model.
const VALUED: &str = "predicates have no functions and no quantifiers";

#[cfg(test)]
mod tests {
    use shofar_term::Sort;
    use shofar_term::eval::Value;

    use super::*;

    #[test]
    fn lifting_keeps_what_the_step_needs_and_what_hangs_together_with_it() {
        let mut s = TermStore::new();
        let [x, y, z, u] = ["x", "y", "z", "u"].map(|name| s.var(name, Sort::INT));
        let [p, q] = ["p", "q"].map(|name| s.var(name, Sort::BOOL));
        let (zero, five) = (s.int(0), s.int(5));
        let [small, linked, far, lone] = [s.le(x, zero), s.le(x, y), s.le(y, z), s.le(u, zero)];
        let mut predicates = Predicates::default();
        for atom in [p, q, small, linked, far, lone] {
            assert!(predicates.add(&s, atom));
        }
        assert!(!predicates.add(&s, small), "it is known");
        let mut model = Model::new();
        for (name, value) in [("x", -1), ("y", 3), ("z", 1), ("u", 7)] {
            model.set(s.declare(name, &[], Sort::INT), Value::Number(value.into()));
        }
        model.set(s.declare("q", &[], Sort::BOOL), Value::Bool(true));
        let sorted = |mut cube: Cube| {
            cube.sort_unstable();
            cube
        };
        // Literals of predicates need no other ones.
        let not_lone = s.not(lone);
        let lifted = predicates.lifted(&mut s, &[small, not_lone], &model);
        assert_eq!(lifted, sorted(vec![small, not_lone]));
        // A bound that no predicate says fixes its variable, and so all that hangs together with
        // it.
        let bound = s.le(x, five);
        let not_far = s.not(far);
        let lifted = predicates.lifted(&mut s, &[bound, q], &model);
        assert_eq!(lifted, sorted(vec![small, linked, not_far, q]));
    }
}
