//! Executions and invariants in the words of the text.
//!
//! An execution is told as UPPAAL tells it: states, delays and transitions, each with its line. Of
//! a refutation it is the chain of first premises, which `encode` makes sure is one. An invariant
//! is told for each location of each process, with the clock `x` for `time − reset` of `x`.

use std::fmt::Write as _;

use shofar_base::{IndexVec, Map};
use shofar_chc::read::{Explain, HornProblem};
use shofar_chc::{ClauseId, Derivation, DerivationStep, Interpretation, PredId};
use shofar_num::Rational;
use shofar_term::eval::Evaluator;
use shofar_term::print::print;
use shofar_term::substitute::{Substitution, substitute};
use shofar_term::tidy::tidy;
use shofar_term::{ArithKind, Kind, Term, TermStore, Value, visit};

use super::encode::Step;
use super::moves::Move;
use super::network::Network;
use super::state::{TIME, Variable, VariableKind};
use crate::execution::{Listing, show};
use crate::infix::{self, Division, Names, infix};
use crate::names::plain;

const WORDS: infix::Words = infix::Words {
    top: "true",
    bottom: "false",
    and: " && ",
    or: " || ",
    not: "!",
    equal: " == ",
    unequal: " != ",
    at_most: " <= ",
    division: Division::TowardsZero,
    quantifiers: None,
};

/// What is said about the clauses of a network.
#[derive(Debug)]
pub(super) struct Words {
    /// By the names of their parameters.
    variables: Map<String, Shown>,
    processes: Vec<Automaton>,
    /// For each move what each process does.
    moves: Vec<Vec<Part>>,
    steps: IndexVec<ClauseId, Step>,
}

/// What a process does in a move.
#[derive(Debug)]
struct Part {
    /// The process, and the labels of its edge.
    label: String,
    line: usize,
    /// What it selects.
    selected: Vec<(String, Term)>,
}

/// How a variable is shown.
#[derive(Clone, Debug)]
struct Shown {
    name: String,
    kind: VariableKind,
    /// The process that it belongs to.
    owner: Option<usize>,
}

/// A process.
#[derive(Debug)]
struct Automaton {
    name: String,
    /// The names of its locations, with their lines.
    locations: Vec<(String, usize)>,
}

impl Automaton {
    /// What says that the process is at each of its locations.
    fn choices(&self) -> Vec<String> {
        self.locations.iter().map(|(location, _)| format!("{}.{location}", self.name)).collect()
    }
}

impl Words {
    pub(super) fn new(
        listing: &Listing,
        network: &Network,
        moves: &[Move],
        steps: IndexVec<ClauseId, Step>,
    ) -> Self {
        let line = |at: usize| listing.line(at);
        let processes = network.processes.iter().map(|process| Automaton {
            name: process.name.clone(),
            locations: process
                .locations
                .iter()
                .map(|location| (location.name.clone(), line(location.span.start)))
                .collect(),
        });
        let told = |step: &Move| {
            let part = |&(process, edge): &(usize, usize)| {
                let process = &network.processes[process];
                let edge = &process.edges[edge];
                Part {
                    label: format!("{}: {}", process.name, edge.label),
                    line: line(edge.span.start),
                    selected: edge.selected.clone(),
                }
            };
            step.parts.iter().map(part).collect()
        };
        let shown = network.state.variables.iter().map(|variable| {
            let suffix = match variable.kind {
                VariableKind::Clock => ".reset",
                VariableKind::Location => ".location",
                VariableKind::Integer(_) | VariableKind::Boolean | VariableKind::Identity => "",
            };
            let Variable { name, kind, owner, .. } = variable;
            let shown = Shown { name: name.clone(), kind: *kind, owner: *owner };
            (format!("{name}{suffix}"), shown)
        });
        Self {
            variables: shown.collect(),
            processes: processes.collect(),
            moves: moves.iter().map(told).collect(),
            steps,
        }
    }
    /// The variables of a predicate, behind the time.
    fn shown(&self, problem: &HornProblem, pred: PredId) -> Vec<Option<&Shown>> {
        let names = problem.system.param_names(pred).unwrap_or_default();
        names.iter().skip(1).map(|name| self.variables.get(plain(name))).collect()
    }
    /// A state as UPPAAL writes it.
    fn state(&self, problem: &HornProblem, pred: PredId, values: &[Value]) -> String {
        let (mut locations, mut others) = (Vec::new(), Vec::new());
        let time = number(values.first());
        for (shown, value) in self.shown(problem, pred).into_iter().zip(&values[1..]) {
            let Some(Shown { name, kind, owner }) = shown else { continue };
            match kind {
                VariableKind::Location => {
                    let location = owner.and_then(|owner| {
                        let at = usize::try_from(number(Some(value)).to_i64()?).ok()?;
                        self.processes[owner].locations.get(at)
                    });
                    let location = location.map_or("?", |(name, _)| name.as_str());
                    locations.push(format!("{name}.{location}"));
                }
                VariableKind::Clock => {
                    let mut reads = time.clone();
                    reads -= number(Some(value));
                    others.push(format!("{name}={reads}"));
                }
                VariableKind::Boolean => {
                    others.push(format!("{name}={}", value.as_bool().unwrap_or_default()));
                }
                VariableKind::Integer(_) | VariableKind::Identity => {
                    others.push(format!("{name}={}", number(Some(value))));
                }
            }
        }
        format!("State: ( {} ) {}\n", locations.join(" "), others.join(" "))
    }
    /// A move, as the step of a refutation does it.
    fn transitions(
        &self,
        out: &mut String,
        store: &TermStore,
        number: usize,
        step: &DerivationStep,
    ) {
        out.push_str("Transitions:\n");
        let mut evaluator = Evaluator::with_defaults(&step.assignment);
        for Part { label, line, selected } in &self.moves[number] {
            // Writing to a string cannot fail.
            let _ = write!(out, "  {label} (line {line}");
            for (name, value) in selected {
                if let Ok(value) = evaluator.evaluate(store, *value) {
                    let _ = write!(out, ", {name} = {}", show(store, &value));
                }
            }
            out.push_str(")\n");
        }
    }
    /// What is done by a step, before its state.
    fn action(
        &self,
        out: &mut String,
        store: &TermStore,
        refutation: &Derivation,
        (at, delay): (usize, &Rational),
    ) {
        let step = &refutation.steps[at];
        match self.steps[step.clause] {
            Step::Delay => {
                let _ = writeln!(out, "Delay: {delay}");
            }
            Step::Move(number) => self.transitions(out, store, number, step),
            Step::Environment => {
                let Some(guarantee) = step.premises.get(1).map(|&at| &refutation.steps[at]) else {
                    return;
                };
                if let Step::Move(number) = self.steps[guarantee.clause] {
                    self.transitions(out, store, number, guarantee);
                }
            }
            Step::Start | Step::Goal | Step::Fault(_) => {}
        }
    }
}

fn number(value: Option<&Value>) -> Rational {
    value.and_then(Value::as_number).cloned().unwrap_or_default()
}

impl Explain for Words {
    fn trace(&self, store: &TermStore, problem: &HornProblem, refutation: &Derivation) -> String {
        let mut out = String::new();
        let Some(last) = refutation.steps.last() else { return out };
        let mut chain = Vec::new();
        let mut at = last.premises.first().copied();
        while let Some(step) = at {
            chain.push(step);
            at = refutation.steps[step].premises.first().copied();
        }
        let mut time = Rational::default();
        for (position, &step) in chain.iter().rev().enumerate() {
            let Ok(Some((pred, values))) = refutation.fact(store, &problem.system, step) else {
                continue;
            };
            if let Some(repeat) = refutation.repeats.iter().find(|r| r.last().start == step) {
                let _ = writeln!(out, "… {} times in all, the last time:", repeat.count);
            }
            let mut delay = number(values.first());
            delay -= &time;
            let is_idle =
                self.steps[refutation.steps[step].clause] == Step::Delay && delay.is_zero();
            if position > 0 && !is_idle {
                self.action(&mut out, store, refutation, (step, &delay));
            }
            if !is_idle {
                out.push_str(&self.state(problem, pred, &values));
            }
            time = number(values.first());
        }
        if let Step::Fault(number) = self.steps[last.clause] {
            self.transitions(&mut out, store, number, last);
            out.push_str("A value would be out of its range.\n");
        }
        out
    }
    fn proof(
        &self,
        store: &mut TermStore,
        problem: &HornProblem,
        model: &Interpretation,
    ) -> String {
        let mut out = String::new();
        for pred in problem.system.preds() {
            let name = plain(store.name(problem.system.symbol(pred))).to_owned();
            if name.ends_with("/environment") {
                continue;
            }
            let is_own = self.processes.iter().any(|process| process.name == name);
            for process in 0..self.processes.len() {
                if !is_own || self.processes[process].name == name {
                    self.invariants(&mut out, store, problem, model, (pred, process));
                }
            }
        }
        out
    }
}

impl Words {
    /// The invariants of the locations of a process, by the definition of a predicate about it.
    fn invariants(
        &self,
        out: &mut String,
        store: &mut TermStore,
        problem: &HornProblem,
        model: &Interpretation,
        (pred, process): (PredId, usize),
    ) {
        let Some(definition) = model.get(pred) else { return };
        let given = problem.system.param_names(pred).unwrap_or_default().to_vec();
        let mut names = Names::default();
        let params: Vec<Term> = definition.params.iter().map(|&p| store.constant(p)).collect();
        let Some(&first) = params.first() else { return };
        let time = store.var(TIME, store.sort(first));
        let mut own = None;
        let mut map: Map<Term, Term> = Map::default();
        map.insert(first, time);
        for (name, &param) in given.iter().zip(&params).skip(1) {
            let name = plain(name);
            let sort = store.sort(param);
            let term = match self.variables.get(name) {
                Some(shown) if shown.kind == VariableKind::Clock => {
                    let clock = store.var(&shown.name, sort);
                    store.sub(time, clock)
                }
                Some(shown)
                    if shown.kind == VariableKind::Location && shown.owner == Some(process) =>
                {
                    own = Some(param);
                    continue;
                }
                Some(Shown { kind: VariableKind::Location, owner: Some(owner), .. }) => {
                    let term = store.var(name, sort);
                    names.choices.insert(term, self.processes[*owner].choices());
                    term
                }
                Some(_) => store.var(name, sort),
                None => continue,
            };
            map.insert(param, term);
        }
        let Some(own) = own else { return };
        let Automaton { name, locations } = &self.processes[process];
        for (at, (location, line)) in locations.iter().enumerate() {
            let number = store.int(i64::try_from(at).unwrap_or(i64::MAX));
            map.insert(own, number);
            let body = substitute(store, &map, &[definition.body])[0];
            let body = settled(store, &names, body);
            let body = tidy(store, body);
            let said = infix(store, &WORDS, &names, body).unwrap_or_else(|| print(store, body));
            let _ = writeln!(out, "{name}.{location} (line {line}): {said}");
        }
    }
}

/// A formula without the comparisons that hold for all numbers of locations, or for none.
fn settled(store: &mut TermStore, names: &Names, body: Term) -> Term {
    let mut done = Substitution::default();
    for atom in visit::postorder(store, &[body]) {
        let kind = store.kind(atom);
        let Kind::Arith(ArithKind::Le(form, bound) | ArithKind::Eq(form, bound)) = kind else {
            continue;
        };
        let Some(choices) = names.choices.get(&form) else { continue };
        let is_equation = matches!(kind, Kind::Arith(ArithKind::Eq(..)));
        let holds = |at: &Rational| if is_equation { at == bound } else { at <= bound };
        let count = (0_i64..).map(Rational::from).take(choices.len()).filter(holds).count();
        if count == 0 || count == choices.len() {
            done.bind(atom, store.bool(count > 0));
        }
    }
    done.apply(store, body)
}
