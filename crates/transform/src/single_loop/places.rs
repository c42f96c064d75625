//! What is said about states, said about predicates, and the other way round.
//!
//! A formula about states says at the location of a predicate something about its arguments. Slots
//! that the predicate does not use may have any value there, so what holds of all reachable states
//! holds for every value of them; 0 is as good as any. What is said about a predicate is said about
//! the states at its location. Both ways are exact for what holds of all that is reached
//! within so many steps: a derivation of height `n` is a run of `n` steps.

use shofar_base::Map;
use shofar_chc::{Definition, NormalSystem, PredId, formal_params};
use shofar_term::substitute::substitute;
use shofar_term::{Symbol, Term, TermStore};

use super::{Locations, code};

impl Locations {
    /// The clauses that the loop was made of.
    pub fn source(&self) -> &NormalSystem {
        &self.source
    }
    /// The state variables, in the order of the transition system.
    pub fn state(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.layout.bits.iter().chain(&self.layout.slots).copied()
    }
    /// What `formula`, about states, says about the predicate at its location.
    pub fn at(&self, store: &mut TermStore, pred: PredId, formula: Term) -> Definition {
        let layout = &self.layout;
        let mut map: Map<Term, Term> = Map::default();
        for (&bit, &value) in layout.bits.iter().zip(&layout.codes[pred]) {
            map.insert(store.constant(bit), store.bool(value));
        }
        for &slot in &layout.slots {
            let zero = store.default_term(store.result(slot));
            map.insert(store.constant(slot), zero);
        }
        let params = formal_params(store, &self.source, pred);
        for (&param, &place) in params.iter().zip(&layout.places[pred]) {
            map.insert(store.constant(layout.slots[place]), store.constant(param));
        }
        let body = substitute(store, &map, &[formula])[0];
        Definition { params, body }
    }
    /// That the state is at the location of `pred`.
    pub fn location_of(&self, store: &mut TermStore, pred: PredId) -> Term {
        code(store, &self.layout.bits, &self.layout.codes[pred])
    }
    /// What `definition` says of the slots of the arguments of `pred`, whatever the location.
    pub fn said(&self, store: &mut TermStore, pred: PredId, definition: &Definition) -> Term {
        let layout = &self.layout;
        let places = layout.places[pred].iter();
        let args: Vec<Term> = places.map(|&place| store.constant(layout.slots[place])).collect();
        definition.apply(store, &args)
    }
}

#[cfg(test)]
mod tests {
    use shofar_base::Budget;
    use shofar_chc::read::read_horn;
    use shofar_term::Cx;
    use shofar_term::print::print;

    use super::super::SingleLoop;
    use super::*;

    #[test]
    fn what_is_said_of_a_predicate_comes_back_from_its_location() {
        let text = b"(declare-fun p (Int) Bool) (declare-fun q (Real Int) Bool)
(assert (p 0)) (assert (forall ((x Int)) (=> (p x) (q 1.0 (+ x 1)))))
(assert (forall ((x Int) (r Real)) (=> (q r x) (p x))))
(assert (forall ((x Int)) (=> (p x) (>= x 0)))) (check-sat)";
        let (mut store, budget) = (TermStore::new(), Budget::unlimited());
        let script = read_horn(text, &mut store).expect("it is well written");
        let system = NormalSystem::of(&mut store, script.problems[0].system.clone());
        let (ts, places) =
            SingleLoop::of(&mut Cx::new(&mut store, &budget), system).expect("it is linear");
        assert!(places.state().eq(ts.state.iter().copied()));
        let preds: Vec<PredId> = places.source().preds().collect();
        for (&pred, &other) in preds.iter().zip(preds.iter().rev()) {
            let params = formal_params(&mut store, places.source(), pred);
            let last = store.constant(params[params.len() - 1]);
            let zero = store.int(0);
            let body = store.ge(last, zero);
            let definition = Definition { params, body };
            let said = places.said(&mut store, pred, &definition);
            let here = places.location_of(&mut store, pred);
            let formula = store.implies(here, said);
            let back = places.at(&mut store, pred, formula).body;
            assert_eq!(print(&store, back), print(&store, body));
            assert_eq!(places.at(&mut store, other, formula).body, store.top());
        }
    }
}
