//! Witnesses about Prolog-style clauses in their own words.
//!
//! A refutation is told as instances of clauses without variables, each with its line, so that
//! every literal of a body is the head of an instance before it. A model is told as what the
//! arguments of each predicate satisfy; they are called as in the first clause that has different
//! variables as arguments of its head.

use std::fmt::Write as _;

use shofar_base::Set;
use shofar_chc::read::{Explain, HornProblem};
use shofar_chc::{Derivation, DerivationStep, Interpretation, PredAtom, PredId};
use shofar_term::eval::Evaluator;
use shofar_term::value::Value;
use shofar_term::{Term, TermStore};

use crate::execution::{CUT, Listing, MOST_STEPS, show};
use crate::infix::{Division, Names, Words, infix};

const WORDS: Words = Words {
    top: "true",
    bottom: "false",
    and: ", ",
    or: " ; ",
    not: "\\+ ",
    equal: " = ",
    unequal: " \\= ",
    at_most: " =< ",
    division: Division::Named,
    quantifiers: None,
};

/// Knows the lines of the text.
#[derive(Debug)]
pub(super) struct Explanation {
    listing: Listing,
}

impl Explanation {
    pub(super) fn new(text: &[u8]) -> Self {
        Self { listing: Listing::new(text) }
    }
    /// An instance of a clause.
    fn instance(&self, store: &TermStore, problem: &HornProblem, step: &DerivationStep) -> String {
        let clause = problem.system.clause(step.clause);
        let mut evaluator = Evaluator::with_defaults(&step.assignment);
        let mut atom = |atom: &PredAtom| {
            let mut values = Vec::new();
            for &arg in &atom.args {
                let default = Value::default_of(store, store.sort(arg));
                values.push(show(store, &evaluator.evaluate(store, arg).unwrap_or(default)));
            }
            literal(name(store, problem, atom.pred), &values)
        };
        let head = clause.head.as_ref().map_or("false".to_owned(), &mut atom);
        let body: Vec<String> = clause.body.iter().map(atom).collect();
        let body = if body.is_empty() { String::new() } else { format!(" :- {}", body.join(", ")) };
        let line = self.listing.line(clause.span.unwrap_or(problem.span).start);
        format!("line {line}: {head}{body}.\n")
    }
}

/// The name in the text: a predicate with the name of another one is told apart by the number of
/// its arguments.
fn name<'s>(store: &'s TermStore, problem: &HornProblem, pred: PredId) -> &'s str {
    let name = store.name(problem.system.symbol(pred));
    name.split_once('/').map_or(name, |(name, _)| name)
}

fn literal(name: &str, arguments: &[String]) -> String {
    if arguments.is_empty() { name.to_owned() } else { format!("{name}({})", arguments.join(", ")) }
}

/// What the arguments of a predicate are called.
fn params(store: &TermStore, problem: &HornProblem, pred: PredId) -> Vec<String> {
    let arity = problem.system.sorts(store, pred).len();
    let heads = problem.system.clauses().filter_map(|(_, clause)| clause.head.as_ref());
    let named = heads.filter(|head| head.pred == pred).find_map(|head| {
        let mut taken: Set<&str> = Set::default();
        let name = |&arg: &Term| {
            let name = store.name(store.symbol(arg)?);
            let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            (is_plain && taken.insert(name)).then(|| name.to_owned())
        };
        head.args.iter().map(name).collect::<Option<Vec<String>>>()
    });
    named.unwrap_or_else(|| (1..=arity).map(|number| format!("X{number}")).collect())
}

impl Explain for Explanation {
    fn trace(&self, store: &TermStore, problem: &HornProblem, refutation: &Derivation) -> String {
        let expanded = refutation.clone().expanded(store, MOST_STEPS);
        let is_cut = expanded.is_err();
        let told = expanded.unwrap_or_else(|_| refutation.clone());
        let instances = told.steps.iter().map(|step| self.instance(store, problem, step));
        let mut text: String = instances.collect();
        if is_cut {
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
        let mut text = String::new();
        for pred in problem.system.preds() {
            let Some(definition) = model.get(pred) else { continue };
            let params = params(store, problem, pred);
            let constants = definition.params.iter().map(|&param| store.constant(param));
            let names = Names::of(constants.zip(params.iter().cloned()).collect::<Vec<_>>());
            let said = infix(store, &WORDS, &names, definition.body)
                .unwrap_or_else(|| "(see the model)".to_owned());
            let _ = writeln!(text, "{}: {said}", literal(name(store, problem, pred), &params));
        }
        text
    }
}
