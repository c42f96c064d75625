//! From invariants to models, and from runs to derivations.
//!
//! The definition of a predicate is the invariant at its location. Slots that the predicate does not use may have any value
//! there, so the invariant holds for every value of them; 0 is as good as any.
//!
//! A run becomes a derivation step by step: among the clauses between the two locations, one must allow the step.

use shofar_base::{GaveUp, Map, Outcome};
use shofar_chc::{
    BackTranslation, ClauseId, Definition, Derivation, Hint, Interpretation, NormalSystem, PredId,
    Run, TransitionSystem, formal_params,
};
use shofar_term::eval::{Model, Value};
use shofar_term::substitute::substitute;
use shofar_term::{Cx, Symbol, Term, TermStore};

use super::Layout;
use crate::back::emit;
use crate::complete::{Pins, complete};
use crate::template::Template;

/// The way back from one loop.
pub(super) struct WayBack {
    pub(super) source: NormalSystem,
    pub(super) layout: Layout,
}

/// A place on a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Nowhere,
    At(PredId),
}

impl BackTranslation<NormalSystem, TransitionSystem> for WayBack {
    /// The same about the slots of states, whatever their location: the parameters are the state variables.
    fn hints(&self, store: &mut TermStore, hints: Vec<Hint>) -> Vec<Hint> {
        let Layout { places, bits, slots, .. } = &self.layout;
        let params: Vec<Symbol> = bits.iter().chain(slots).copied().collect();
        let said = |hint: Hint| {
            let own = places[hint.pred].iter();
            let args: Vec<Term> = own.map(|&place| store.constant(slots[place])).collect();
            Hint { term: hint.apply(store, &args), params: params.clone(), ..hint }
        };
        hints.into_iter().map(said).collect()
    }
    fn model(&self, cx: &mut Cx<'_>, invariant: Term) -> Outcome<Interpretation> {
        let mut result = Interpretation::new();
        for pred in self.source.preds() {
            cx.budget.check()?;
            let layout = &self.layout;
            let mut map: Map<Term, Term> = Map::default();
            for (&bit, &value) in layout.bits.iter().zip(&layout.codes[pred]) {
                map.insert(cx.store.constant(bit), cx.store.bool(value));
            }
            for &slot in &layout.slots {
                let sort = cx.store.result(slot);
                let zero = cx.store.default_term(sort);
                map.insert(cx.store.constant(slot), zero);
            }
            let params = formal_params(cx.store, &self.source, pred);
            for (&param, &place) in params.iter().zip(&layout.places[pred]) {
                map.insert(cx.store.constant(layout.slots[place]), cx.store.constant(param));
            }
            let body = substitute(cx.store, &map, &[invariant])[0];
            result.define(pred, Definition { params, body });
        }
        Ok(result)
    }
    fn refutation(&self, cx: &mut Cx<'_>, run: Run) -> Outcome<Derivation> {
        let between = self.clauses_by_ends(cx);
        let mut result = Derivation::default();
        let (mut here, mut fact) = (Place::Nowhere, Vec::new());
        for state in run.states {
            cx.budget.check()?;
            let Some(there) = self.location(&state) else {
                // The location of queries without a body.
                break;
            };
            let next: Vec<Value> = self.layout.places[there]
                .iter()
                .map(|&at| state[self.layout.bits.len() + at].clone())
                .collect();
            let candidates = between.get(&(here, Some(there)));
            self.step(cx, &mut result, candidates, &fact, Some(&next))?;
            (here, fact) = (Place::At(there), next);
        }
        self.step(cx, &mut result, between.get(&(here, None)), &fact, None)?;
        Ok(result)
    }
}

impl WayBack {
    fn clauses_by_ends(&self, cx: &Cx<'_>) -> Map<(Place, Option<PredId>), Vec<Template>> {
        let mut between: Map<(Place, Option<PredId>), Vec<Template>> = Map::default();
        let template = |id: ClauseId| Template::of(cx.store, &self.source, id);
        for (id, clause) in self.source.clauses() {
            let from = clause.body.first().map_or(Place::Nowhere, |atom| Place::At(atom.pred));
            let to = clause.head.as_ref().map(|head| head.pred);
            between.entry((from, to)).or_default().push(template(id));
        }
        between
    }
    /// The predicate whose location `state` is in.
    fn location(&self, state: &[Value]) -> Option<PredId> {
        let bits = &state[..self.layout.bits.len()];
        let spells = |code: &Vec<bool>| {
            code.iter().zip(bits).all(|(&bit, value)| value.as_bool() == Some(bit))
        };
        self.source.preds().find(|&pred| spells(&self.layout.codes[pred]))
    }
    /// Appends the step of one of the candidates from the last fact to the next one.
    fn step(
        &self,
        cx: &mut Cx<'_>,
        derivation: &mut Derivation,
        candidates: Option<&Vec<Template>>,
        from: &[Value],
        to: Option<&[Value]>,
    ) -> Outcome<()> {
        let head = to.unwrap_or_default().iter().cloned().enumerate().collect();
        let given: Vec<usize> = derivation.steps.len().checked_sub(1).into_iter().collect();
        let pins = Pins { head, premises: given.iter().map(|_| from.to_vec()).collect() };
        let candidates = candidates.map_or(&[][..], Vec::as_slice);
        let (index, assignments) = complete(cx, &self.source, candidates, &pins, &Model::new())?
            .ok_or(GaveUp::wrong("no clause allows a step of the run"))?;
        emit(derivation, &candidates[index], assignments, &given);
        Ok(())
    }
}
