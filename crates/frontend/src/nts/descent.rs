//! The steps of programs with recursion: into calls and over them.
//!
//! A run that does not end either stays in some call for ever or leaves all of them. So it has an
//! infinite path on which each call is entered, and its caller forgotten, or passed:
//! ```text
//! transition q –R→ q'            q'(g', x')  ← q(g, x) ∧ R(g, x, g', x')
//! call q –z' = f(t)→ q', entered  s(g, (t, l)) ← q(g, x)       s initial in f, l any values
//! … passed                       q'(g', x[z := o]) ← q(g, x)  g' and o any values, but for what no procedure changes
//! ```
//! What a call gives back is left open, so these clauses have paths that are no runs: if none of
//! them is infinite, all runs end; an infinite one says nothing, unless it passes no call, which
//! makes it a run. A caller need not be remembered, since whoever enters a call on the path does
//! not come back.
//!
//! Source: [CPR09], with `true` in the place of summaries.

use shofar_base::{Diagnostic, Map, Span};
use shofar_chc::{ChcSystem, Clause, ClauseId, PredAtom, PredId};
use shofar_term::{Sort, Term, TermStore};

use super::analysis::{arguments, calls, kept, position};
use super::encode::step;
use super::program::{Call, Edge, Label, Program, Role};
use super::scope::frame;
use crate::names::rename_functions;

/// Whether a procedure among those that can be called calls itself, perhaps through others.
pub(super) fn is_recursive(program: &Program, order: &[usize]) -> bool {
    // Procedures that nobody calls are taken away, until nothing or only recursion is left.
    let mut callers: Map<usize, usize> = order.iter().map(|&at| (at, 0)).collect();
    let callees = |at: usize| calls(&program.procedures[at]).map(|call| position(program, call));
    for callee in order.iter().flat_map(|&at| callees(at)) {
        *callers.entry(callee).or_default() += 1;
    }
    let mut open: Vec<usize> = order.iter().copied().filter(|at| callers[at] == 0).collect();
    let mut taken = 0;
    while let Some(at) = open.pop() {
        taken += 1;
        for callee in callees(at) {
            let count = callers.entry(callee).or_default();
            *count -= 1;
            if *count == 0 {
                open.push(callee);
            }
        }
    }
    taken < order.len()
}

/// The steps into and over calls, and which of them are over calls; `order` is the procedures that
/// can be called, the entry first.
pub(super) fn clauses(
    store: &mut TermStore,
    program: &Program,
    order: &[usize],
) -> Result<(ChcSystem, Vec<ClauseId>), Diagnostic> {
    let kept = kept(store, program, order);
    let (system, passed, locations) = (ChcSystem::new(), Vec::new(), Map::default());
    let mut steps = Steps { store, program, system, passed, kept, locations };
    let top = steps.store.top();
    let entry = &program.procedures[order[0]];
    for (state, span) in &entry.initial {
        let now = entry.variables.iter().map(|variable| variable.now).collect();
        let constraint = program.precondition.unwrap_or(top);
        steps.arrive((order[0], state.as_str()), now, None, constraint, *span);
    }
    for &at in order {
        for edge in &program.procedures[at].edges {
            steps.edge(at, edge)?;
        }
    }
    Ok((steps.system, steps.passed))
}

struct Steps<'p> {
    store: &'p mut TermStore,
    program: &'p Program,
    system: ChcSystem,
    /// The steps over calls.
    passed: Vec<ClauseId>,
    /// For each procedure whether each variable keeps its value in all of its transitions.
    kept: Map<usize, Vec<bool>>,
    /// The predicates of procedures' states.
    locations: Map<(usize, &'p str), PredId>,
}

impl<'p> Steps<'p> {
    fn edge(&mut self, at: usize, edge: &'p Edge) -> Result<(), Diagnostic> {
        let procedure = &self.program.procedures[at];
        if procedure.is_error(&edge.source) {
            return Ok(());
        }
        let now = procedure.variables.iter().map(|variable| variable.now).collect();
        let source = self.location((at, edge.source.as_str()), now);
        let relation = match &edge.label {
            Label::Relation(relation) => *relation,
            Label::Call(call) => {
                self.enter(at, edge, call, &source)?;
                let globals = self.program.globals.len();
                let own = call.havoc.iter().copied().filter(|&place| place >= globals);
                let changed = (0..globals).filter(|&place| !self.kept[&at][place]);
                let listed: Vec<usize> = own.chain(changed).collect();
                frame(self.store, &procedure.variables, &listed)
            }
        };
        let (relation, next) = step(self.store, &procedure.variables, relation);
        let target = (at, edge.target.as_str());
        let clause = self.arrive(target, next, Some(source), relation, edge.span);
        match edge.label {
            Label::Relation(_) => {}
            Label::Call(_) => self.passed.extend(clause),
        }
        Ok(())
    }
    /// The step into a call.
    fn enter(
        &mut self,
        at: usize,
        edge: &Edge,
        call: &Call,
        source: &PredAtom,
    ) -> Result<(), Diagnostic> {
        let (caller, at) = (&self.program.procedures[at], position(self.program, call));
        let callee = &self.program.procedures[at];
        let mut inputs = arguments(self.store, callee, call)?.into_iter();
        let mut values = Vec::with_capacity(callee.variables.len());
        for (place, variable) in callee.variables.iter().enumerate() {
            let input = if variable.role == Role::In { inputs.next() } else { None };
            values.push(match input {
                Some(input) => input,
                None if place < self.program.globals.len() => caller.variables[place].now,
                None => {
                    self.store.var(&format!("{}.{}", callee.name, variable.name), variable.sort)
                }
            });
        }
        let top = self.store.top();
        for (state, _) in &callee.initial {
            self.arrive((at, state.as_str()), values.clone(), Some(source.clone()), top, edge.span);
        }
        Ok(())
    }
    fn arrive(
        &mut self,
        (at, state): (usize, &'p str),
        values: Vec<Term>,
        source: Option<PredAtom>,
        constraint: Term,
        span: Span,
    ) -> Option<ClauseId> {
        if self.program.procedures[at].is_error(state) || constraint == self.store.bottom() {
            return None;
        }
        let (head, body) = (Some(self.location((at, state), values)), Vec::from_iter(source));
        Some(self.system.add_clause(Clause { head, body, constraint, span: Some(span) }))
    }
    fn location(&mut self, (at, state): (usize, &'p str), args: Vec<Term>) -> PredAtom {
        if let Some(&pred) = self.locations.get(&(at, state)) {
            return PredAtom { pred, args };
        }
        let procedure = &self.program.procedures[at];
        let variables = procedure.variables.iter();
        let (mut names, sorts): (Vec<String>, Vec<Sort>) =
            variables.map(|variable| (variable.name.clone(), variable.sort)).unzip();
        rename_functions(&mut names);
        let name = format!("{}.{state}", procedure.name);
        let pred = self.system.add_pred(self.store.declare(&name, &sorts, Sort::BOOL));
        self.system.name_params(pred, names);
        self.locations.insert((at, state), pred);
        PredAtom { pred, args }
    }
}
