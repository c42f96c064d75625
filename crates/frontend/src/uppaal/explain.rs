//! Executions and invariants in the words of the text.
//!
//! An execution is told as UPPAAL tells it: states, delays and transitions, each with its line. Of a refutation it is the
//! chain of first premises, which `encode` makes sure is one. An invariant is told for each location of each process, with
//! the clock `x` for `time − reset` of `x`.

use std::fmt::Write as _;

use shofar_base::{IndexVec, Map};
use shofar_chc::read::{Explain, HornProblem};
use shofar_chc::{ClauseId, Derivation, Interpretation, PredId};
use shofar_num::Rational;
use shofar_term::print::print;
use shofar_term::substitute::substitute;
use shofar_term::tidy::tidy;
use shofar_term::{Term, TermStore, Value};

use super::encode::Step;
use super::moves::Move;
use super::network::Network;
use super::state::{TIME, Variable, VariableKind};
use crate::execution::Listing;
use crate::names::plain;

/// What is said about the clauses of a network.
#[derive(Debug)]
pub(super) struct Words {
    /// By the names of their parameters.
    variables: Map<String, Shown>,
    processes: Vec<Automaton>,
    /// For each move what each process does.
    moves: Vec<Vec<String>>,
    steps: IndexVec<ClauseId, Step>,
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
                format!("{}: {} (line {})", process.name, edge.label, line(edge.span.start))
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
    fn transitions(&self, out: &mut String, step: usize) {
        out.push_str("Transitions:\n");
        for part in &self.moves[step] {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "  {part}");
        }
    }
    /// What is done by a step, before its state.
    fn action(&self, out: &mut String, refutation: &Derivation, at: usize, delay: &Rational) {
        let step = &refutation.steps[at];
        match self.steps[step.clause] {
            Step::Delay => {
                let _ = writeln!(out, "Delay: {delay}");
            }
            Step::Move(number) => self.transitions(out, number),
            Step::Environment => {
                let guarantee = step.premises.get(1).map(|&at| refutation.steps[at].clause);
                if let Some(Step::Move(number)) = guarantee.map(|clause| self.steps[clause]) {
                    self.transitions(out, number);
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
                self.action(&mut out, refutation, step, &delay);
            }
            if !is_idle {
                out.push_str(&self.state(problem, pred, &values));
            }
            time = number(values.first());
        }
        if let Step::Fault(number) = self.steps[last.clause] {
            self.transitions(&mut out, number);
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
        let names = problem.system.param_names(pred).unwrap_or_default().to_vec();
        let params: Vec<Term> = definition.params.iter().map(|&p| store.constant(p)).collect();
        let Some(&first) = params.first() else { return };
        let time = store.var(TIME, store.sort(first));
        let mut own = None;
        let mut map: Map<Term, Term> = Map::default();
        map.insert(first, time);
        for (name, &param) in names.iter().zip(&params).skip(1) {
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
            let body = tidy(store, body);
            let _ = writeln!(out, "{name}.{location} (line {line}): {}", print(store, body));
        }
    }
}
