//! Witnesses in the words of C: executions with lines and values, loop invariants and contracts of functions.
//!
//! Invariants and contracts are expressions of C where possible, with `\old(x)` and `\result` as in ACSL. A variable that has the
//! name of another one is written with the line of its declaration, `x@15`, if both occur.

use std::fmt::Write as _;

use shofar_base::{IndexVec, Map};
use shofar_chc::read::{Evidence, Explain, HornProblem, Task};
use shofar_chc::{ClauseId, Definition, Derivation, Interpretation, PredId};
use shofar_term::symbols::free_symbols;
use shofar_term::{Term, TermStore, Value};

use super::predicates::{ENTRY, Place, PlaceKind, RESULT};
use super::types::Arithmetic;
use super::yaml;
use crate::execution::{Event, Execution, Listing, Moment, Told, show};
use crate::infix::{Division, Words, infix};
use crate::names::plain;

const WORDS: Words = Words {
    top: "1",
    bottom: "0",
    and: " && ",
    or: " || ",
    not: "!",
    equal: " == ",
    unequal: " != ",
    division: Division::TowardsZero,
};

/// Knows what clauses and predicates stand for.
#[derive(Debug)]
pub(super) struct Explanation {
    pub(super) listing: Listing,
    pub(super) events: IndexVec<ClauseId, Vec<Event>>,
    pub(super) places: IndexVec<PredId, Place>,
    pub(super) arithmetic: Arithmetic,
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
            Told::Set(name, new) => format!("{}: {name} = {}", excerpt(), value(new)),
            Told::SetElement(name, indices, new) => {
                let indices: Vec<String> = indices.iter().map(value).collect();
                format!("{}: {name}[{}] = {}", excerpt(), indices.join("]["), value(new))
            }
            Told::Input(name, given) => format!("{name}() gives {}", value(given)),
            Told::Enter(name, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(value).collect();
                format!("{name}({}) is called", arguments.join(", "))
            }
            Told::Return(Some(result)) => format!("{}: returns {}", excerpt(), value(result)),
            Told::Return(None) => "returns".to_owned(),
            Told::Violate(why) => format!("{}: {why}", excerpt()),
            Told::Reach(name, _) => name.clone(),
        };
        let (line, indent) = (self.listing.line(moment.span.start), "  ".repeat(moment.depth));
        format!("line {line}: {indent}{said}\n")
    }
}

/// What a definition says, in C; nothing if that cannot be said. With `strict`, it has to be an expression that a compiler
/// would accept at the place.
pub(super) fn formula(
    store: &mut TermStore,
    problem: &HornProblem,
    pred: PredId,
    definition: &Definition,
    strict: bool,
) -> Option<String> {
    let params = problem.system.param_names(pred).unwrap_or_default();
    let used = free_symbols(store, &[definition.body]);
    let mut names: Map<Term, String> = Map::default();
    for (&symbol, param) in definition.params.iter().zip(params) {
        let name = in_c(param, params);
        let is_plain =
            |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if strict && used.contains(&symbol) && !is_plain(&name) {
            return None;
        }
        names.insert(store.constant(symbol), name);
    }
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
            text.push_str("the execution is longer than what is told here\n");
        }
        let inputs: Vec<String> = execution.inputs().map(|value| show(store, value)).collect();
        if !inputs.is_empty() {
            let _ = writeln!(text, "inputs: {}", inputs.join(", "));
        }
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
            let said = formula(store, problem, pred, definition, false);
            let said = said.unwrap_or_else(|| "(see the model)".to_owned());
            let line = self.listing.line(place.span.start);
            let function = &place.function;
            let (order, text) = match place.kind {
                PlaceKind::Entry => (0, format!("{function} requires {said}")),
                PlaceKind::Summary => (1, format!("{function} ensures {said}")),
                PlaceKind::Loop => (2, format!("loop invariant {said}")),
                PlaceKind::Label => (2, format!("invariant {said}")),
                // They help to put the proof together, and say nothing of interest.
                PlaceKind::Inside => continue,
            };
            lines.push((line, order, text));
        }
        if lines.is_empty() {
            return "no loop and no function needs an invariant\n".to_owned();
        }
        lines.sort();
        let mut text = String::new();
        for (line, _, said) in lines {
            let _ = writeln!(text, "line {line}: {said}");
        }
        text
    }
    fn yaml(
        &self,
        store: &mut TermStore,
        problem: &HornProblem,
        evidence: Evidence<'_>,
        task: &Task<'_>,
    ) -> Option<String> {
        Some(match evidence {
            Evidence::Model(model) => yaml::correctness(self, store, problem, model, task),
            Evidence::Refutation(refutation) => yaml::violation(self, store, refutation, task),
        })
    }
}
