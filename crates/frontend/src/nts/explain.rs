//! Witnesses about programs in NTS in their own words: control states with the values that changed,
//! and invariants of control states with summaries of procedures.
//!
//! The names of predicates say all: `f.s` is a control state of the procedure `f`, `f/summary` its
//! summary; a clause whose second atom is a summary is a call.

use std::fmt::Write as _;

use shofar_base::Map;
use shofar_chc::read::{Explain, HornProblem};
use shofar_chc::{Clause, ClauseId, Derivation, Interpretation, PredAtom, PredId};
use shofar_term::value::Value;
use shofar_term::{Term, TermStore};

use super::encode::entry_name;
use super::program::{Procedure, Program, Role};
use crate::execution::{CUT, Event, Execution, Listing, Told, What, changes};
use crate::infix::{Division, Names, Words, infix};
use crate::names::plain;

const WORDS: Words = Words {
    top: "true",
    bottom: "false",
    and: " and ",
    or: " or ",
    not: "not ",
    equal: " = ",
    unequal: " != ",
    at_most: " <= ",
    division: Division::Down,
    quantifiers: None,
};

/// Knows the text, and what arguments are called in it.
#[derive(Debug)]
pub(super) struct Explanation {
    listing: Listing,
    /// The names of the arguments of each procedure.
    arguments: Map<String, Vec<String>>,
}

impl Explanation {
    pub(super) fn new(text: &[u8], program: &Program) -> Self {
        let named = |procedure: &Procedure| {
            let places = procedure.with_role(Role::In).into_iter();
            let names = places.map(|place| procedure.variables[place].name.clone()).collect();
            (procedure.name.clone(), names)
        };
        let arguments = program.procedures.iter().map(named).collect();
        Self { listing: Listing::new(text), arguments }
    }
    /// The arguments in a call, by the summary of what is called.
    fn given(&self, problem: &HornProblem, procedure: &str, summary: &PredAtom) -> Vec<Term> {
        let params = problem.system.param_names(summary.pred).unwrap_or_default();
        let names = self.arguments.get(procedure).into_iter().flatten();
        let value = |name: &String| {
            let entry = entry_name(name);
            let known = |wanted: &str| params.iter().position(|param| plain(param) == wanted);
            known(&entry).or_else(|| known(name)).map(|place| summary.args[place])
        };
        names.filter_map(value).collect()
    }
    /// What happens in a clause: a call, perhaps, and then a control state or an error.
    fn events(&self, store: &TermStore, problem: &HornProblem, clause: &Clause) -> Vec<Event> {
        let span = clause.span.unwrap_or(problem.span);
        let mut events = Vec::new();
        if let Some(summary) = clause.body.get(1) {
            let procedure = procedure(store, problem, summary.pred);
            let arguments = self.given(problem, &procedure, summary);
            events.push(What::Enter(procedure, arguments, Some(1)));
        } else if let (Some(head), [from]) = (&clause.head, &clause.body[..]) {
            let callee = procedure(store, problem, head.pred);
            if callee != procedure(store, problem, from.pred) {
                events.push(What::Enter(callee, Vec::new(), None));
            }
        }
        events.push(match &clause.head {
            Some(head) => What::Reach(name(store, problem, head), values(problem, head)),
            None => What::Violate("an error state is reached", span),
        });
        events.into_iter().map(|what| Event { span, what }).collect()
    }
}

impl Explain for Explanation {
    fn trace(&self, store: &TermStore, problem: &HornProblem, refutation: &Derivation) -> String {
        let clauses = problem.system.clauses();
        let events: Map<ClauseId, Vec<Event>> =
            clauses.map(|(id, clause)| (id, self.events(store, problem, clause))).collect();
        let execution = Execution::of(store, refutation, &|clause| &events[&clause]);
        let mut text = String::new();
        // The values that were told last, for each call that is open.
        let mut known: Vec<Vec<(String, Value)>> = Vec::new();
        for moment in &execution.moments {
            let indent = "  ".repeat(moment.depth);
            let line = self.listing.line(moment.span.start);
            let said = match &moment.told {
                Told::Reach(name, values) => {
                    known.resize(moment.depth + 1, Vec::new());
                    let before = std::mem::replace(&mut known[moment.depth], values.clone());
                    format!("{name}{}", changes(store, &before, values))
                }
                Told::Enter(name, arguments) => {
                    known.truncate(moment.depth + 1);
                    let names = self.arguments.get(name).into_iter().flatten().cloned();
                    let given: Vec<_> = names.zip(arguments.iter().cloned()).collect();
                    format!("{name} is called{}", changes(store, &[], &given))
                }
                Told::Violate(why, _) => (*why).to_owned(),
                Told::Decide(_)
                | Told::Set(..)
                | Told::SetElement(..)
                | Told::Open(..)
                | Told::Input(..)
                | Told::Return(_) => continue,
            };
            let _ = writeln!(text, "line {line}: {indent}{said}");
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
        let system = &problem.system;
        let mut text = String::new();
        for pred in system.preds() {
            let Some(definition) = model.get(pred) else { continue };
            let params = system.param_names(pred).unwrap_or_default();
            let name =
                |(&symbol, name): (_, &String)| (store.constant(symbol), plain(name).to_owned());
            let names = Names::of(definition.params.iter().zip(params).map(name));
            let said = infix(store, &WORDS, &names, definition.body)
                .unwrap_or_else(|| "(see the model)".to_owned());
            let _ = writeln!(text, "{}: {said}", store.name(system.symbol(pred)));
        }
        text
    }
}

fn name(store: &TermStore, problem: &HornProblem, atom: &PredAtom) -> String {
    let name = store.name(problem.system.symbol(atom.pred));
    match name.strip_suffix("/summary") {
        Some(procedure) => format!("{procedure} returns"),
        None => name.to_owned(),
    }
}

/// The procedure whose state or summary a predicate is.
fn procedure(store: &TermStore, problem: &HornProblem, pred: PredId) -> String {
    let name = store.name(problem.system.symbol(pred));
    let end = name.find(['.', '/']).unwrap_or(name.len());
    name[..end].to_owned()
}

/// The variables with their values; those at the entry of a procedure are not of interest.
fn values(problem: &HornProblem, atom: &PredAtom) -> Vec<(String, Term)> {
    let names = problem.system.param_names(atom.pred).unwrap_or_default();
    let pairs = names.iter().zip(&atom.args).filter(|(name, _)| !name.ends_with("@entry"));
    pairs.map(|(name, &value)| (plain(name).to_owned(), value)).collect()
}
