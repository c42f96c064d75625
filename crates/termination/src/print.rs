//! Answers as text.
//!
//! ```text
//! YES
//! ranking functions, in the order of the argument:
//!   loop(x, y): (y - x, x)
//! argument:
//!   1. y - x at loop; decreases in line 6
//!   2. x at loop; decreases in line 7
//! invariants:
//! (
//! (define-fun loop ((x Int) (y Int)) Bool (>= y 0))
//! )
//! ```

use std::fmt::Write as _;

use shofar_base::Source;
use shofar_chc::print::print_model;
use shofar_chc::{ChcSystem, Clause, Derivation, PredId, formal_params};
use shofar_num::Rational;
use shofar_term::print::print;
use shofar_term::substitute::rename;
use shofar_term::value::print_value;
use shofar_term::{Symbol, Term, TermStore};

use crate::{Analysis, Answer, DivergenceProof, Move, Program, Rank, TerminationProof};

/// More states of an execution are not shown.
const MOST_STATES: usize = 40;

impl Analysis {
    /// The evidence for the answer, or the reason why there is none; `text` is what the clauses
    /// were read from.
    pub fn explanation(&mut self, text: &[u8]) -> String {
        let Self { answer, store, program, .. } = self;
        let Some(program) = program else { return reason(answer) };
        let lines =
            Lines { system: program.system(), source: Source::new(text), known: !text.is_empty() };
        match answer {
            Answer::Terminates(proof) => termination(store, program, proof, &lines),
            Answer::Diverges(proof) => divergence(store, program, proof, &lines),
            Answer::Maybe(_) => reason(answer),
        }
    }
}

fn reason(answer: &Answer) -> String {
    match answer {
        Answer::Maybe(why) => format!("{why}\n"),
        Answer::Terminates(_) | Answer::Diverges(_) => String::new(),
    }
}

/// Where clauses stand.
struct Lines<'t> {
    system: &'t ChcSystem,
    source: Source<'t>,
    known: bool,
}

impl Lines<'_> {
    fn of(&self, clause: shofar_chc::ClauseId) -> String {
        let Clause { span, .. } = self.system.clause(clause);
        match span.filter(|_| self.known) {
            Some(span) => format!("line {}", self.source.position(span.start).line),
            None => format!("clause {}", shofar_base::Idx::index(clause) + 1),
        }
    }
}

fn termination(
    store: &mut TermStore,
    program: &Program,
    proof: &TerminationProof,
    lines: &Lines<'_>,
) -> String {
    let system = program.system();
    let mut out = String::new();
    if proof.steps.is_empty() {
        out += "no cycle of transitions is possible\n";
    } else {
        out += "ranking functions, in the order of the argument:\n";
    }
    for pred in system.preds() {
        let ranks = proof.steps.iter().filter_map(|step| step.rank(pred));
        let ranks: Vec<String> = ranks.map(|rank| shown(system, pred, rank)).collect();
        if !ranks.is_empty() {
            let _ = writeln!(out, "  {}: ({})", location(store, system, pred), ranks.join(", "));
        }
    }
    if !proof.steps.is_empty() {
        out += "argument:\n";
    }
    for (at, step) in proof.steps.iter().enumerate() {
        let ranks: Vec<String> = step
            .ranks
            .iter()
            .map(|(pred, rank)| {
                format!("{} at {}", shown(system, *pred, rank), name(store, system, *pred))
            })
            .collect();
        let clauses = step.decreasing.iter().filter_map(|&at| proof.pieces.get(at));
        let mut places: Vec<String> = clauses.map(|piece| lines.of(piece.clause)).collect();
        places.dedup();
        let _ = writeln!(
            out,
            "  {}. {}; decreases while not negative: {}",
            at + 1,
            ranks.join(", "),
            places.join(", ")
        );
    }
    let mut model = Vec::new();
    out += "invariants:\n";
    if print_model(&mut model, store, system, &proof.invariants).is_ok() {
        out += &String::from_utf8_lossy(&model);
    }
    out
}

fn name(store: &TermStore, system: &ChcSystem, pred: PredId) -> String {
    store.name(system.symbol(pred)).to_owned()
}

/// A location with its variables.
fn location(store: &TermStore, system: &ChcSystem, pred: PredId) -> String {
    let params = system.param_names(pred).unwrap_or_default().join(", ");
    format!("{}({params})", name(store, system, pred))
}

/// A ranking function as it is written on paper.
fn shown(system: &ChcSystem, pred: PredId, rank: &Rank) -> String {
    let names = system.param_names(pred).unwrap_or_default();
    let mut out = String::new();
    let mut summand = |number: &Rational, name: Option<&str>| {
        let sign = match (out.is_empty(), number.is_negative()) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        out += sign;
        let size = number.abs();
        match name {
            Some(name) if size.is_one() => out += name,
            Some(name) => out += &[&size.to_string(), "*", name].concat(),
            None => out += &size.to_string(),
        }
    };
    for (coefficient, name) in rank.coefficients.iter().zip(names) {
        if !coefficient.is_zero() {
            summand(coefficient, Some(name));
        }
    }
    if !rank.constant.is_zero() {
        summand(&rank.constant, None);
    }
    if out.is_empty() { "0".to_owned() } else { out }
}

fn divergence(
    store: &mut TermStore,
    program: &Program,
    proof: &DivergenceProof,
    lines: &Lines<'_>,
) -> String {
    let system = program.system();
    let mut out = String::from("a run reaches states that it need not leave:\n");
    for &(pred, set) in &proof.recurrence.sets {
        let set = named(store, system, pred, set);
        let _ = writeln!(out, "  {}: {}", location(store, system, pred), print(store, set));
    }
    out += "there, these transitions are possible and lead back:\n";
    for one in &proof.recurrence.moves {
        out += &moved(store, system, one, lines);
    }
    out += "execution:\n";
    out += &execution(store, system, &proof.execution, lines);
    out
}

/// A term over formal parameters, with the user's names.
fn named(store: &mut TermStore, system: &ChcSystem, pred: PredId, term: Term) -> Term {
    let params = formal_params(store, system, pred);
    let names = system.param_names(pred).unwrap_or_default().to_vec();
    let own: Vec<Symbol> = params
        .iter()
        .zip(&names)
        .map(|(&param, name)| {
            let sort = store.result(param);
            store.declare(name, &[], sort)
        })
        .collect();
    if own.len() == params.len() { rename(store, term, &params, &own) } else { term }
}

fn moved(store: &mut TermStore, system: &ChcSystem, one: &Move, lines: &Lines<'_>) -> String {
    let mut out = format!("  from {}:", name(store, system, one.from));
    for (at, step) in one.steps.iter().enumerate() {
        let clause = system.clause(step.clause);
        out += if at == 0 { " " } else { ", then " };
        out += &lines.of(step.clause);
        let taken: Vec<Term> = clause.body.iter().flat_map(|atom| atom.args.clone()).collect();
        let open = step.values.iter().filter(|(symbol, _)| {
            let variable = taken.iter().filter_map(|&arg| store.symbol(arg));
            !variable.into_iter().any(|own| own == *symbol)
        });
        let open: Vec<(Symbol, Term)> = open.copied().collect();
        for (at, (symbol, value)) in open.into_iter().enumerate() {
            let value = named(store, system, one.from, value);
            let and = if at == 0 { " with " } else { ", " };
            let _ = write!(out, "{and}{} = {}", store.name(symbol), print(store, value));
        }
    }
    out.push('\n');
    out
}

fn execution(
    store: &TermStore,
    system: &ChcSystem,
    derivation: &Derivation,
    lines: &Lines<'_>,
) -> String {
    let mut out = String::new();
    let states = derivation.steps.len() - 1;
    for at in 0..states {
        if states > MOST_STATES && at == MOST_STATES / 2 {
            let _ = writeln!(out, "  … {} more", states - MOST_STATES);
        }
        if states > MOST_STATES && (MOST_STATES / 2..states - MOST_STATES / 2).contains(&at) {
            continue;
        }
        let Ok(Some((pred, values))) = derivation.fact(store, system, at) else { continue };
        let sorts = system.sorts(store, pred);
        let values: Vec<String> = values
            .iter()
            .zip(sorts)
            .map(|(value, &sort)| print_value(store, value, sort))
            .collect();
        let place = lines.of(derivation.steps[at].clause);
        let _ = writeln!(out, "  {}({})   {place}", name(store, system, pred), values.join(", "));
    }
    out
}
