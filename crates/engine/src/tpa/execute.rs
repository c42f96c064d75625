//! Running the system from one state.
//!
//! If the step relation is a function of the state, or several with guards, a single state needs no
//! query to move on. So when the abstraction says that a target may be reached, and the source is a
//! single state, the system is simply run: if it meets the target in the right number of steps, the
//! question is answered, and the path is a state and a number. If not, the question is answered as
//! usual, because what is learned on the way matters.
//!
//! At the top, where any path from an initial to a bad state is an answer, one initial state that
//! the abstraction suggests is run, and values that a step leaves open are 0.
//!
//! Source: the explicit counterpart of the level-0 queries of [Bli22] §4.3.1; the idea of executing
//! where values are known is that of our bounded model checking.

use shofar_base::Outcome;
use shofar_chc::{Arrivals, Run, TransitionSystem};
use shofar_term::eval::Value;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Symbol, Term, TermStore};

use super::program::Program;
use super::sequence::{Power, Relation};
use crate::definitions::Definitions;

/// The longest run.
const LONGEST: u64 = 1 << 22;
/// A run from an initial state may always be that long: wherever it meets a bad state, the search
/// is over.
const LONG_ENOUGH: u64 = 1 << 16;
/// The longest run inside a larger question.
const LONGEST_INSIDE: u64 = 1 << 14;
/// A step with more cases is not executed.
const CASES: usize = 64;
/// Numbers with more bits are too large to go on.
const BITS: usize = 512;
/// How often limits are looked at.
const PERIOD: u64 = 64;

/// A deterministic case of the step.
#[derive(Clone, Debug)]
struct Case {
    guard: Program,
    next: Program,
}

/// The step relation as code.
#[derive(Clone, Debug)]
pub(super) struct Execution {
    state: Vec<Symbol>,
    cases: Vec<Case>,
    /// Whether all values after a step are functions of the state.
    is_functional: bool,
}

impl Execution {
    /// Code for the steps of `ts`, if there are not too many cases.
    pub(super) fn new(store: &mut TermStore, ts: &TransitionSystem) -> Option<Self> {
        let unknowns = [ts.next.as_slice(), &ts.locals(store, ts.step)].concat();
        let mut this = Self { state: ts.state.clone(), cases: Vec::new(), is_functional: true };
        let mut open = vec![vec![ts.step]];
        while let Some(conjuncts) = open.pop() {
            if this.cases.len() + open.len() >= CASES {
                return None;
            }
            let (definitions, rest) = Definitions::solve(store, &conjuncts, &unknowns);
            let conjuncts = store.conjuncts(&conjuncts);
            let choice = split(store, &conjuncts, &unknowns);
            match choice.filter(|_| split(store, &rest, &unknowns).is_some()) {
                None => this.add_case(store, ts, &unknowns, definitions, &rest),
                Some((choice, parts)) => {
                    for part in parts.into_iter().rev() {
                        let mut case = conjuncts.clone();
                        case.retain(|&c| c != choice);
                        case.push(part);
                        open.push(case);
                    }
                }
            }
        }
        Some(this)
    }
    fn add_case(
        &mut self,
        store: &mut TermStore,
        ts: &TransitionSystem,
        unknowns: &[Symbol],
        mut definitions: Definitions,
        rest: &[Term],
    ) {
        let guard = store.and(rest);
        let next: Vec<Term> = ts.next.iter().map(|&s| store.constant(s)).collect();
        let next: Vec<Term> = next.into_iter().map(|t| definitions.apply(store, t)).collect();
        let all: Vec<Term> = next.iter().copied().chain([guard]).collect();
        self.is_functional &= free_symbols(store, &all).iter().all(|s| !unknowns.contains(s));
        self.cases.push(Case {
            guard: Program::new(store, &[guard], &ts.state),
            next: Program::new(store, &next, &ts.state),
        });
    }
    /// Makes a step; the number of its case, if there was one.
    fn step(&mut self, state: &mut [Value]) -> Option<usize> {
        for (number, case) in self.cases.iter_mut().enumerate() {
            case.guard.run(state);
            if case.guard.holds(0) {
                case.next.run(state);
                for (index, value) in state.iter_mut().enumerate() {
                    value.clone_from(case.next.output(index));
                }
                return Some(number);
            }
        }
        None
    }
    /// How many steps lead from `start` into `target`, where they number as many as `relation` says
    /// for level `n + 1`.
    pub(super) fn reaches(
        &mut self,
        cx: &mut Cx<'_>,
        relation: Relation,
        n: Power,
        start: Start,
        target: Term,
    ) -> Outcome<Option<(u64, Vec<Value>)>> {
        let power = n.next().steps().unwrap_or(u64::MAX);
        let (mut state, first, last) = match (start, relation) {
            (Start::Top(state), _) => (state, 0, power.clamp(LONG_ENOUGH, LONGEST)),
            (Start::Inside(_), _) if !self.is_functional => return Ok(None),
            (Start::Inside(_), Relation::Exactly) if power > LONGEST_INSIDE => return Ok(None),
            (Start::Inside(state), Relation::Exactly) => (state, power, power),
            (Start::Inside(state), Relation::AtMost) => (state, 0, power.min(LONGEST_INSIDE)),
            (Start::Inside(state), Relation::Below) => (state, 0, (power - 1).min(LONGEST_INSIDE)),
        };
        let mut goal = Program::new(cx.store, &[target], &self.state);
        for steps in 0..=last {
            if steps >= first {
                goal.run(&state);
                if goal.holds(0) {
                    return Ok(Some((steps, state)));
                }
            }
            if steps % PERIOD == 0 {
                cx.budget.check()?;
                if state.iter().any(|v| v.as_number().is_some_and(|v| v.bits() > BITS)) {
                    return Ok(None);
                }
            }
            if self.step(&mut state).is_none() {
                return Ok(None);
            }
        }
        Ok(None)
    }
    /// The states of a run of so many steps.
    pub(super) fn states(&mut self, start: &[Value], steps: u64) -> Vec<Vec<Value>> {
        let mut state = start.to_vec();
        let mut states = vec![state.clone()];
        for _ in 0..steps {
            self.step(&mut state).expect("the run was made before");
            states.push(state.clone());
        }
        states
    }
    /// The same run, folded while it is made.
    pub(super) fn folded(&mut self, cx: &Cx<'_>, start: &[Value], steps: u64) -> Outcome<Run> {
        let mut state = start.to_vec();
        let mut run = Arrivals::new(state.clone());
        for step in 0..steps {
            if step % PERIOD == 0 {
                cx.budget.check()?;
            }
            let case = self.step(&mut state).expect("the run was made before");
            run.push(case, &state);
        }
        Ok(run.finish())
    }
}

/// Where a run starts, and what it is for.
pub(super) enum Start {
    /// In an initial state, to meet a bad one.
    Top(Vec<Value>),
    /// In the only source state of another question.
    Inside(Vec<Value>),
}

/// A conjunct that is a disjunction about `unknowns`, with its parts.
fn split(store: &TermStore, rest: &[Term], unknowns: &[Symbol]) -> Option<(Term, Vec<Term>)> {
    rest.iter().find_map(|&conjunct| {
        let parts = store.disjunction(conjunct)?;
        let symbols = free_symbols(store, &[conjunct]);
        symbols.iter().any(|s| unknowns.contains(s)).then(|| (conjunct, parts.to_vec()))
    })
}

/// Whether `states` is a single state: each variable has a value.
pub(super) fn is_point(store: &TermStore, states: Term, variables: &[Symbol]) -> bool {
    let mut fixed: Vec<Symbol> = Vec::new();
    for literal in store.conjuncts(&[states]) {
        let (atom, negated) = store.strip_not(literal);
        if let Some(symbol) = store.symbol(atom) {
            fixed.push(symbol);
        } else if let Some((form, _)) = store.equation(atom)
            && let Some(symbol) = store.symbol(form)
            && !negated
        {
            fixed.push(symbol);
        }
    }
    variables.iter().all(|v| fixed.contains(v))
}
