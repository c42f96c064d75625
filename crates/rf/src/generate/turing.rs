//! Runs of Turing machines as clauses.
//!
//! The tape is two integers: `l` is what is left of the head, `r` what is under it and to its
//! right, the bit closest to the head least significant. A symbol `step_k(q, l, r, q', l', r')`
//! relates configurations that are `2ᵏ` steps apart: `step_0` by the transitions of the machine,
//! `step_{k+1}` by two of `step_k`. The halting state repeats itself, so the machine halts
//! on some input within `2ⁿ` steps exactly if `false` can be derived from `step_n`; the clauses are
//! solvable otherwise.
//!
//! Source: [RHK13b] (the lower bound for Presburger arithmetic).

use shofar_chc::{ChcSystem, Clause, PredAtom, PredId};
use shofar_term::{Sort, Term, TermStore};

/// Where the head goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the left.
    Left,
    /// To the right.
    Right,
}

/// In a state, reading a bit: what is written, where the head goes, and the next state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The state.
    pub state: u32,
    /// The bit under the head.
    pub read: bool,
    /// The next state.
    pub next: u32,
    /// The bit that takes its place.
    pub write: bool,
    /// Where the head goes.
    pub direction: Direction,
}

/// A machine over bits, which starts in state 0 on an empty left half of the tape and any right
/// half.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The rules; several may apply.
    pub rules: Vec<Rule>,
    /// The state in which it halts.
    pub halt: u32,
}

/// Why a text is no machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: &'static str,
}

impl std::fmt::Display for MachineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl Machine {
    /// Reads lines `STATE BIT STATE BIT L` or `… R`, and one line `halt STATE`; `#` begins a
    /// comment.
    pub fn parse(text: &str) -> Result<Self, MachineError> {
        let (mut rules, mut halt) = (Vec::new(), None);
        for (at, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default();
            let words: Vec<&str> = line.split_whitespace().collect();
            let wrong = |message| MachineError { line: at + 1, message };
            let state = |word: &str| word.parse::<u32>().map_err(|_| wrong("a state is a number"));
            let bit = |word: &str| match word {
                "0" => Ok(false),
                "1" => Ok(true),
                _ => Err(wrong("a bit is 0 or 1")),
            };
            match words.as_slice() {
                [] => (),
                ["halt", word] => halt = Some(state(word)?),
                [from, read, next, write, to] => rules.push(Rule {
                    state: state(from)?,
                    read: bit(read)?,
                    next: state(next)?,
                    write: bit(write)?,
                    direction: match *to {
                        "L" => Direction::Left,
                        "R" => Direction::Right,
                        _ => return Err(wrong("a direction is L or R")),
                    },
                }),
                _ => {
                    return Err(wrong("a rule has a state, a bit, a state, a bit and a direction"));
                }
            }
        }
        let lines = text.lines().count();
        let halt = halt.ok_or(MachineError { line: lines, message: "there is no line `halt`" })?;
        Ok(Self { rules, halt })
    }
}

/// Clauses that are solvable exactly if no run of `machine` halts within `2^levels` steps.
pub fn turing(store: &mut TermStore, machine: &Machine, levels: usize) -> ChcSystem {
    let mut system = ChcSystem::new();
    let steps: Vec<PredId> = (0..=levels)
        .map(|k| {
            let symbol = store.declare(&format!("step_{k}"), &[Sort::INT; 6], Sort::BOOL);
            system.add_pred(symbol)
        })
        .collect();
    let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, Sort::INT));
    let top = store.top();
    for rule in &machine.rules {
        let [read, write] = [rule.read, rule.write].map(|bit| store.int(bit.into()));
        let [state, next] = [rule.state, rule.next].map(|state| store.int(state.into()));
        let (constraint, args) = match rule.direction {
            Direction::Right => {
                let (right, left) = (pushed(store, read, y), pushed(store, write, x));
                (top, vec![state, x, right, next, left, y])
            }
            Direction::Left => {
                let (left, right) = (pushed(store, x, y), pushed(store, read, z));
                let written = pushed(store, write, z);
                let moved = pushed(store, x, written);
                let [zero, one] = [0, 1].map(|n| store.int(n));
                let (low, high) = (store.le(zero, x), store.le(x, one));
                (store.and(&[low, high]), vec![state, left, right, next, y, moved])
            }
        };
        let head = Some(PredAtom { pred: steps[0], args });
        system.add_clause(Clause { head, body: Vec::new(), constraint, span: None });
    }
    let halt = store.int(machine.halt.into());
    let head = Some(PredAtom { pred: steps[0], args: vec![halt, x, y, halt, x, y] });
    system.add_clause(Clause { head, body: Vec::new(), constraint: top, span: None });
    let mut names = |prefix: &str| -> Vec<Term> {
        (0..3).map(|i| store.var(&format!("{prefix}{i}"), Sort::INT)).collect()
    };
    let (from, middle, to) = (names("a"), names("b"), names("c"));
    for pair in steps.windows(2) {
        let atom =
            |pred, one: &[Term], other: &[Term]| PredAtom { pred, args: [one, other].concat() };
        let body = vec![atom(pair[0], &from, &middle), atom(pair[0], &middle, &to)];
        let head = Some(atom(pair[1], &from, &to));
        system.add_clause(Clause { head, body, constraint: top, span: None });
    }
    let zero = store.int(0);
    let body = vec![PredAtom { pred: steps[levels], args: vec![zero, zero, z, halt, x, y] }];
    system.add_clause(Clause { head: None, body, constraint: top, span: None });
    system
}

/// `bit + 2 * rest`.
fn pushed(store: &mut TermStore, bit: Term, rest: Term) -> Term {
    let twice = store.scale(&2.into(), rest);
    store.add(&[bit, twice])
}
