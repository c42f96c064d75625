//! The transition relation as IC3 asks about it: what must hold before a step so that something
//! holds after it.
//!
//! The step is solved for the next state ([`Rule`]): `next` are terms over the state and the
//! *locals*, which are inputs and next values that no equation defines; the *guard* is what else
//! the step says. So a literal said of the next state is a formula over the present one, and a
//! query contains the definitions of those variables only that it is about. In a system of many
//! Boolean variables this is the cone of influence of the cube, not the whole step.

use shofar_base::Map;
use shofar_chc::TransitionSystem;
use shofar_term::eval::Model;
use shofar_term::substitute::Substitution;
use shofar_term::{Symbol, Term, TermStore};

use crate::rule::Rule;

/// A step, solved for the next state; see the module documentation.
pub(super) struct Step {
    pub(super) guard: Term,
    /// The terms for the next state.
    pub(super) next: Vec<Term>,
    locals: Vec<Symbol>,
    /// From state variables to the terms for the next state.
    advance: Substitution,
}

impl Step {
    pub(super) fn new(store: &mut TermStore, ts: &TransitionSystem) -> Self {
        let [_, rule, _] = Rule::of_loop(store, ts);
        let next = rule.head.map_or_else(Vec::new, |(_, args)| args);
        let mut map: Map<Term, Term> = Map::default();
        for (&symbol, &term) in ts.state.iter().zip(&next) {
            map.insert(store.constant(symbol), term);
        }
        Self { guard: rule.guard, next, locals: rule.locals, advance: Substitution::new(map) }
    }
    /// `formula` over state variables, said of the next state.
    pub(super) fn after(&mut self, store: &mut TermStore, formula: Term) -> Term {
        self.advance.apply(store, formula)
    }
    /// Literals over state variables, true in `model`, all of whose states can make a step into
    /// `target`, as `model` shows for one of them.
    pub(super) fn before(
        &mut self,
        store: &mut TermStore,
        target: Term,
        model: &Model,
    ) -> Vec<Term> {
        let after = self.after(store, target);
        let stepping = store.and(&[self.guard, after]);
        let cube = shofar_mbp::project(store, stepping, &self.locals, model);
        store.conjuncts(&[cube])
    }
}
