//! Witnesses in the words of C: executions with lines and values, loop invariants and contracts of
//! functions.
//!
//! Invariants and contracts are expressions of C where possible, with `\old(x)` and `\result` as in
//! ACSL. A variable that has the name of another one is written with the line of its declaration,
//! `x@15`, if both occur.

use std::fmt::Write as _;

use shofar_base::{Budget, Idx as _, IndexVec};
use shofar_chc::read::{Confirmation, Evidence, Explain, HornProblem, Task};
use shofar_chc::{ClauseId, Definition, Derivation, Interpretation, PredId};
use shofar_num::Rational;
use shofar_term::{TermStore, Value};

use super::predicates::{ENTRY, Place, PlaceKind, RESULT};
use super::program::{Shape, VarId, Variable};
use super::run::Oracle;
use super::types::{Arithmetic, DataModel};
use super::yaml;
use crate::execution::{CUT, Event, Execution, Listing, Moment, Told, show};
use crate::infix::{Division, Names, Words, infix};
use crate::names::plain;

pub(super) const WORDS: Words = Words {
    top: "1",
    bottom: "0",
    and: " && ",
    or: " || ",
    not: "!",
    equal: " == ",
    unequal: " != ",
    at_most: " <= ",
    division: Division::TowardsZero,
    quantifiers: Some(("\\forall integer ", "\\exists integer ")),
};

/// Knows what clauses and predicates stand for.
#[derive(Debug)]
pub(super) struct Explanation {
    pub(super) listing: Listing,
    pub(super) events: IndexVec<ClauseId, Vec<Event>>,
    pub(super) places: IndexVec<PredId, Place>,
    pub(super) variables: IndexVec<VarId, Variable>,
    pub(super) arithmetic: Arithmetic,
    pub(super) model: DataModel,
    pub(super) oracle: Oracle,
}

impl Explanation {
    pub(super) fn execution(&self, store: &TermStore, refutation: &Derivation) -> Execution {
        Execution::of(store, refutation, &|clause| &self.events[clause])
    }
    fn moment(&self, store: &TermStore, moment: &Moment) -> String {
        let value = |value: &Value| show(store, value);
        let excerpt = || self.listing.excerpt(moment.span);
        let said = match &moment.told {
            Told::Decide(true) => format!("{}: true", excerpt()),
            Told::Decide(false) => format!("{}: false", excerpt()),
            Told::Set(name, new) => {
                let (written, now) = (excerpt(), format!("{name} = {}", value(new)));
                if written == now { now } else { format!("{written}: {now}") }
            }
            Told::SetElement(name, indices, new) => {
                let indices: Vec<String> = indices.iter().map(value).collect();
                format!("{}: {name}[{}] = {}", excerpt(), indices.join("]["), value(new))
            }
            Told::Open(variable, given) => self.open(store, *variable, given),
            Told::Input(name, given) => format!("{name}() gives {}", value(given)),
            Told::Enter(name, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(value).collect();
                format!("{name}({}) is called", arguments.join(", "))
            }
            Told::Return(Some(result)) => format!("{}: returns {}", excerpt(), value(result)),
            Told::Return(None) => "returns".to_owned(),
            Told::Violate(why, _) => format!("{}: {why}", excerpt()),
            Told::Reach(name, _) => name.clone(),
        };
        let (line, indent) = (self.listing.line(moment.span.start), "  ".repeat(moment.depth));
        format!("line {line}: {indent}{said}\n")
    }
}

impl Explanation {
    /// What a variable begins with, to which nothing gives a value. Of an array those elements are
    /// told that are there and of their type; others are never read.
    fn open(&self, store: &TermStore, variable: usize, given: &Value) -> String {
        let variable = &self.variables[VarId::from_index(variable)];
        let (name, Shape { int, lengths }) = (&variable.name, &variable.shape);
        let Value::Array(array) = given else {
            return format!("{name} begins with any value: {name} = {}", show(store, given));
        };
        let count: i64 = lengths.iter().product();
        let is_fine = |value: &Value| {
            value.as_number().is_some_and(|number| int.min() <= *number && *number <= int.max())
        };
        let mut told = Vec::new();
        for (index, element) in array.entries() {
            let place = index.as_number().and_then(Rational::to_i64);
            let Some(mut place) = place.filter(|place| (0..count).contains(place)) else {
                continue;
            };
            let mut indices = Vec::new();
            for length in lengths.iter().rev() {
                indices.push(format!("[{}]", place % length));
                place /= length;
            }
            indices.reverse();
            if is_fine(element) {
                told.push(format!("{name}{} = {}", indices.concat(), show(store, element)));
            }
        }
        if is_fine(array.default()) {
            told.push(format!("all else = {}", show(store, array.default())));
        }
        format!("{name} begins with any values: {}", told.join(", "))
    }
}

/// What a definition says, in C; nothing if that cannot be said.
fn formula(
    store: &mut TermStore,
    problem: &HornProblem,
    pred: PredId,
    definition: &Definition,
) -> Option<String> {
    let params = problem.system.param_names(pred).unwrap_or_default();
    let name = |(&symbol, param): (_, &String)| (store.constant(symbol), in_c(param, params));
    let names = Names::of(definition.params.iter().zip(params).map(name));
    infix(store, &WORDS, &names, definition.body)
}

/// The name of a parameter as a programmer writes it.
fn in_c(param: &str, all: &[String]) -> String {
    let param = plain(param);
    if param == RESULT {
        return "\\result".to_owned();
    }
    if let Some(variable) = param.strip_suffix(ENTRY) {
        return format!("\\old({variable})");
    }
    let Some((base, _)) = param.split_once('@') else { return param.to_owned() };
    let same = |other: &&String| {
        let other = plain(other);
        other == base || other.strip_prefix(base).is_some_and(|rest| rest.starts_with('@'))
    };
    if all.iter().filter(same).count() > 1 { param.to_owned() } else { base.to_owned() }
}

impl Explain for Explanation {
    fn trace(&self, store: &TermStore, _: &HornProblem, refutation: &Derivation) -> String {
        let execution = self.execution(store, refutation);
        let mut text: String =
            execution.moments.iter().map(|moment| self.moment(store, moment)).collect();
        if execution.is_cut {
            text.push_str(CUT);
        }
        let inputs: Vec<String> = execution.inputs().map(|value| show(store, value)).collect();
        if !inputs.is_empty() {
            let _ = writeln!(text, "inputs: {}", inputs.join(", "));
        }
        let _ = writeln!(text, "data model: {}", self.model.name());
        text
    }
    fn proof(
        &self,
        store: &mut TermStore,
        problem: &HornProblem,
        model: &Interpretation,
    ) -> String {
        let mut lines: Vec<(usize, u8, String)> = Vec::new();
        for (pred, place) in problem.system.preds().zip(&self.places) {
            let Some(definition) = model.get(pred) else { continue };
            let said = formula(store, problem, pred, definition);
            let said = said.unwrap_or_else(|| "(see the model)".to_owned());
            let line = self.listing.line(place.span.start);
            let function = &place.function;
            let (order, text) = match place.kind {
                PlaceKind::Entry => (0, format!("{function} requires {said}")),
                PlaceKind::Summary => (1, format!("{function} ensures {said}")),
                PlaceKind::Loop | PlaceKind::Repeat => (2, format!("loop invariant {said}")),
                PlaceKind::Label => (2, format!("invariant {said}")),
                // They help to put the proof together, and say nothing of interest.
                PlaceKind::Inside => continue,
            };
            lines.push((line, order, text));
        }
        if lines.is_empty() {
            lines.push((0, 0, "no loop and no function needs an invariant".to_owned()));
        }
        lines.sort();
        let mut text = String::new();
        for (line, _, said) in lines {
            let place = if line > 0 { format!("line {line}: ") } else { String::new() };
            let _ = writeln!(text, "{place}{said}");
        }
        let _ = writeln!(text, "data model: {}", self.model.name());
        text
    }
    fn confirm(
        &self,
        store: &TermStore,
        _: &HornProblem,
        evidence: Evidence<'_>,
        budget: &Budget,
    ) -> Confirmation {
        match evidence {
            Evidence::Model(_) => self.oracle.finds_nothing(&self.listing, budget),
            Evidence::Refutation(refutation) => {
                let execution = self.execution(store, refutation);
                let names: Vec<&str> =
                    self.variables.iter().map(|variable| variable.name.as_str()).collect();
                self.oracle.replays(&self.listing, (&execution, &names), budget)
            }
        }
    }
    fn confirm_divergence(&self, budget: &Budget) -> Confirmation {
        self.oracle.goes_on(&self.listing, budget)
    }
    fn facts(&self) -> Vec<(&'static str, String)> {
        vec![("data model", self.model.name().to_owned())]
    }
    fn yaml(
        &self,
        store: &mut TermStore,
        problem: &HornProblem,
        evidence: Evidence<'_>,
        task: &Task<'_>,
    ) -> Option<String> {
        match evidence {
            Evidence::Model(model) => Some(yaml::correctness(self, store, problem, model, task)),
            Evidence::Refutation(refutation) => yaml::violation(self, store, refutation, task),
        }
    }
}
