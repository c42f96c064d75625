//! From invariants to models, and from runs to derivations.
//!
//! The definition of a predicate is the invariant at its location ([`Locations::at`]).
//!
//! A run becomes a derivation step by step: among the clauses between the two locations, one must
//! allow the step.

use shofar_base::{GaveUp, Idx, Map, Outcome};
use shofar_chc::{
    BackTranslation, ChcSystem, ClauseId, Derivation, DerivationStep, Hint, Interpretation,
    NormalSystem, PredId, Run, TransitionSystem,
};
use shofar_term::eval::{Model, Value};
use shofar_term::{Cx, Symbol, Term, TermStore};

use super::{Layout, Locations};
use crate::back::emit;
use crate::complete::{Pins, complete};
use crate::stepwise::{Made, StepWise, translate};
use crate::template::Template;

/// A place on a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Nowhere,
    At(PredId),
}

impl BackTranslation<NormalSystem, TransitionSystem> for Locations {
    /// The same about the slots of states, whatever their location: the parameters are the state
    /// variables.
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
            let definition = self.at(cx.store, pred, invariant);
            result.define(pred, definition);
        }
        Ok(result)
    }
    fn refutation(&self, cx: &mut Cx<'_>, run: Run) -> Outcome<Derivation> {
        let steps = Steps { back: self, between: self.clauses_by_ends(cx) };
        let run = self.as_steps(run);
        if run.is_ground() && run.steps.len() < LONG {
            return translate(cx, &steps, run);
        }
        let folded = if run.steps.len() < LONG { run.clone() } else { run.folded() };
        if !folded.is_ground()
            && let Ok(found) = translate(cx, &steps, folded)
        {
            return Ok(found);
        }
        // Not all iterations are by the same clauses.
        let ground = run.expanded(cx.store, LONGEST)?;
        translate(cx, &steps, ground)
    }
}

/// Runs of so many steps are folded first, so that each clause of a loop is looked for three times
/// only.
const LONG: usize = 1_000;
/// A run whose loops cannot be translated as such is expanded up to so many steps.
const LONGEST: usize = 1 << 22;

/// The clauses between places, by which the steps of a run become those of a derivation.
struct Steps<'a> {
    back: &'a Locations,
    between: Map<(Place, Option<PredId>), Vec<Template>>,
}

impl StepWise for Steps<'_> {
    fn source(&self) -> &ChcSystem {
        &self.back.source
    }
    fn step(
        &self,
        cx: &mut Cx<'_>,
        made: &mut Made,
        step: DerivationStep,
        premises: Vec<usize>,
    ) -> Outcome<()> {
        let back = self.back;
        let here = match premises.first() {
            Some(&premise) => {
                let clause = back.source.clause(made.derivation.steps[premise].clause);
                let head = clause.head.as_ref().ok_or(GaveUp::wrong("a premise derives false"))?;
                Place::At(head.pred)
            }
            None => Place::Nowhere,
        };
        let there = if step.clause.index() == END {
            None
        } else {
            Some(back.location(&step.assignment).ok_or(GaveUp::wrong("a state is nowhere"))?)
        };
        let head = there.map_or_else(Vec::new, |there| {
            let value =
                |&at: &usize| step.assignment.get_or_default(cx.store, back.layout.slots[at]);
            back.layout.places[there].iter().map(value).enumerate().collect()
        });
        let pins = Pins { head, premises: made.facts(cx.store, &back.source, &premises)? };
        let candidates = self.between.get(&(here, there)).map_or(&[][..], Vec::as_slice);
        let (index, assignments) = complete(cx, &back.source, candidates, &pins, &Model::new())?
            .ok_or(GaveUp::wrong("no clause allows a step of the run"))?;
        emit(&mut made.derivation, &candidates[index], assignments, &premises);
        Ok(())
    }
}

/// The clause that stands for the arrival in a state.
const STATE: usize = 0;
/// The clause that stands for the step from the last state to `false`.
const END: usize = 1;

impl Locations {
    /// The run as a chain of steps, one for each state and one behind them.
    fn as_steps(&self, run: Run) -> Derivation {
        let symbols: Vec<Symbol> =
            self.layout.bits.iter().chain(&self.layout.slots).copied().collect();
        let mut steps: Vec<DerivationStep> = Vec::with_capacity(run.states.len() + 1);
        for state in run.states {
            let mut assignment = Model::with_capacity(symbols.len());
            for (&symbol, value) in symbols.iter().zip(state) {
                assignment.set(symbol, value);
            }
            if self.location(&assignment).is_none() {
                // The location of queries without a body.
                break;
            }
            let premises = steps.len().checked_sub(1).into_iter().collect();
            steps.push(DerivationStep {
                clause: ClauseId::from_index(STATE),
                assignment,
                premises,
            });
        }
        let premises = steps.len().checked_sub(1).into_iter().collect();
        steps.push(DerivationStep {
            clause: ClauseId::from_index(END),
            assignment: Model::new(),
            premises,
        });
        Derivation { steps, repeats: run.repeats }
    }
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
    /// The predicate whose location a state is in.
    fn location(&self, state: &Model) -> Option<PredId> {
        let bits = &self.layout.bits;
        let spells = |code: &Vec<bool>| {
            let spelt = |(&bit, &value): (&Symbol, &bool)| {
                state.get(bit).and_then(Value::as_bool) == Some(value)
            };
            bits.iter().zip(code).all(spelt)
        };
        self.source.preds().find(|&pred| spells(&self.layout.codes[pred]))
    }
}
