//! Witnesses about transition systems in their own words: runs state by state, and the invariant.
//!
//! A run is told by the variables that change in each step, with the inputs that the step has
//! chosen. Formulas are those of SMT-LIB, as in the text.

use std::fmt::Write as _;
use std::sync::Arc;

use shofar_base::{IndexVec, Map, Set};
use shofar_chc::read::{Explain, HornProblem};
use shofar_chc::{ChcSystem, Clause, ClauseId, Derivation, Interpretation};
use shofar_term::print::print;
use shofar_term::substitute::substitute;
use shofar_term::value::Value;
use shofar_term::{Symbol, Term, TermStore, visit};

use super::system::{Model, PropertyKind};
use crate::execution::{CUT, Event, Execution, Listing, Told, What, changes};

/// Knows the text, and what happens in each clause.
#[derive(Debug)]
pub(super) struct Explanation {
    listing: Arc<Listing>,
    events: IndexVec<ClauseId, Vec<Event>>,
    kind: PropertyKind,
}

impl Explanation {
    pub(super) fn new(
        store: &TermStore,
        listing: &Arc<Listing>,
        model: &Model,
        kind: PropertyKind,
        system: &ChcSystem,
    ) -> Self {
        let clauses = system.clauses();
        let events = clauses.map(|(_, clause)| events(store, model, kind, clause)).collect();
        Self { listing: Arc::clone(listing), events, kind }
    }
}

/// What happens in a clause: inputs are chosen and a state is reached, or the property fails.
fn events(store: &TermStore, model: &Model, kind: PropertyKind, clause: &Clause) -> Vec<Event> {
    let Some(span) = clause.span else { return Vec::new() };
    let event = |what| Event { span, what };
    let Some(head) = &clause.head else {
        return vec![event(What::Violate(failure(kind), span))];
    };
    let is_step = !clause.body.is_empty();
    let inputs = if is_step { inputs(store, model, clause) } else { Vec::new() };
    let mut events: Vec<Event> =
        inputs.into_iter().map(|(name, term)| event(What::Input(name, term))).collect();
    let name = |(now, _): &(Symbol, Symbol)| store.name(*now).to_owned();
    let values = model.variables.iter().map(name).zip(head.args.iter().copied()).collect();
    // Behind the variables of a lasso stands whether a state has been saved.
    let saves = head.args.get(model.variables.len()) == Some(&store.top());
    let place = match (is_step, saves) {
        (false, _) => "initial state",
        (true, false) => "next state",
        (true, true) => "a cycle begins, next state",
    };
    events.push(event(What::Reach(place.to_owned(), values)));
    events
}

fn failure(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Invariant => "the property does not hold",
        PropertyKind::Liveness => {
            "the cycle is closed, and somewhere in it the property does not hold"
        }
    }
}

/// The symbols of a step that belong to no state.
fn inputs(store: &TermStore, model: &Model, clause: &Clause) -> Vec<(String, Term)> {
    let mut known: Set<Symbol> =
        model.variables.iter().flat_map(|&(now, next)| [now, next]).collect();
    let atoms = clause.body.iter().chain(&clause.head);
    let of_states: Vec<Term> = atoms.flat_map(|atom| atom.args.iter().copied()).collect();
    known.extend(of_states.into_iter().filter_map(|term| store.symbol(term)));
    let terms = visit::postorder(store, &[clause.constraint]).into_iter();
    let symbols = terms.filter_map(|term| Some((store.symbol(term)?, term)));
    let chosen = symbols.filter(|(symbol, _)| !known.contains(symbol));
    chosen.map(|(symbol, term)| (store.name(symbol).to_owned(), term)).collect()
}

impl Explain for Explanation {
    fn trace(&self, store: &TermStore, _: &HornProblem, refutation: &Derivation) -> String {
        let execution = Execution::of(store, refutation, &|clause| &self.events[clause]);
        let mut text = String::new();
        let mut known: Vec<(String, Value)> = Vec::new();
        let mut inputs: Vec<(String, Value)> = Vec::new();
        for moment in &execution.moments {
            let line = self.listing.line(moment.span.start);
            let said = match &moment.told {
                Told::Input(name, value) => {
                    inputs.push((name.clone(), value.clone()));
                    continue;
                }
                Told::Reach(place, values) => {
                    if !inputs.is_empty() {
                        let chosen = changes(store, &[], &inputs);
                        let _ = writeln!(text, "line {line}: inputs{chosen}");
                        inputs.clear();
                    }
                    let before = std::mem::replace(&mut known, values.clone());
                    format!("{place}{}", changes(store, &before, values))
                }
                Told::Violate(why, _) => (*why).to_owned(),
                Told::Decide(_)
                | Told::Set(..)
                | Told::SetElement(..)
                | Told::Open(..)
                | Told::Enter(..)
                | Told::Return(_) => continue,
            };
            let _ = writeln!(text, "line {line}: {said}");
        }
        if execution.is_cut {
            text.push_str(CUT);
        }
        text
    }
    fn proof(
        &self,
        store: &mut TermStore,
        problem: &HornProblem,
        model: &Interpretation,
    ) -> String {
        let line = self.listing.line(problem.span.start);
        let mut text = String::new();
        for pred in problem.system.preds() {
            let Some(definition) = model.get(pred) else { continue };
            let names = problem.system.param_names(pred).unwrap_or_default();
            let mut map: Map<Term, Term> = Map::default();
            for (&param, name) in definition.params.iter().zip(names) {
                let (param, named) = (store.constant(param), store.result(param));
                map.insert(param, store.var(name, named));
            }
            let body = substitute(store, &map, &[definition.body])[0];
            let holds = match self.kind {
                PropertyKind::Invariant => "the property holds",
                PropertyKind::Liveness => "the property holds from some moment on",
            };
            let _ = writeln!(text, "line {line}: {holds}, by the invariant {}", print(store, body));
        }
        text
    }
}
