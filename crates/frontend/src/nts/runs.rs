//! From a program to clauses that are the steps of its runs, one for one.
//!
//! A summary says what a call comes to, not whether it comes to an end. So calls are expanded: a
//! procedure is copied for each chain of calls that leads to it, and the predicates of a copy carry
//! the variables of all callers along.
//! ```text
//! transition q –R→ q'       q'(g', y, x')             ← q(g, y, x) ∧ R(g, x, g', x')
//! call q –z' = f(t)→ q'     s(g, x, (t, l))           ← q(g, x)                        s initial in f, l any values
//! … from p into final       q'(g', x[z := o'])        ← p(g, x, y) ∧ R(g, y, g', y')   o the results in y
//! into an error state       nothing: the run ends there
//! ```
//! with `g` for the global variables, `x` for those of the caller, `y` for those of the callee. A
//! run that finds no transition ends, in a callee as elsewhere. The states of the entry are called
//! as in the other encoding, those of the copy with the number k `f.s/k`, its variables `x/k`.
//!
//! Recursion has no finite expansion; then the clauses are those of [`descent`], which allow more
//! than the runs.

use shofar_base::{Diagnostic, Map, Span};
use shofar_chc::{ChcSystem, Clause, ClauseId, PredAtom, PredId};
use shofar_term::substitute::substitute;
use shofar_term::{Sort, Term, TermStore};

use super::analysis::{arguments, entry, position, reached};
use super::descent;
use super::encode::step;
use super::program::{Call, Edge, Label, Procedure, Program, Role, Variable};
use crate::names::rename_functions;

/// So many arguments may the predicates of all steps have together.
const MOST_ARGUMENTS: usize = 1_000_000;

/// The steps of a program whose text has `length` bytes; if there is recursion, also those by which
/// they are more than the steps of its runs.
pub(super) fn clauses(
    store: &mut TermStore,
    program: &Program,
    length: usize,
) -> Result<(ChcSystem, Option<Vec<ClauseId>>), Diagnostic> {
    let entry = entry(program, length)?;
    let order = reached(program, entry)?;
    for procedure in order.iter().map(|&at| &program.procedures[at]) {
        if procedure.initial.is_empty() {
            let message = format!("the procedure `{}` has no initial state", procedure.name);
            return Err(Diagnostic::new(procedure.span, message));
        }
    }
    if descent::is_recursive(program, &order) {
        let (steps, passed) = descent::clauses(store, program, &order)?;
        return Ok((steps, Some(passed)));
    }
    let mut runs = Runs {
        store,
        program,
        system: ChcSystem::new(),
        copies: Vec::new(),
        locations: Map::default(),
        arguments: 0,
    };
    runs.begin(entry);
    let mut next = 0;
    while next < runs.copies.len() {
        for edge in &program.procedures[runs.copies[next].procedure].edges {
            runs.edge(next, edge)?;
        }
        next += 1;
    }
    Ok((runs.system, None))
}

struct Runs<'p> {
    store: &'p mut TermStore,
    program: &'p Program,
    system: ChcSystem,
    /// The entry is the first one.
    copies: Vec<Copied<'p>>,
    /// The predicates of copies' states.
    locations: Map<(usize, &'p str), PredId>,
    /// How many arguments the steps have so far.
    arguments: usize,
}

/// A procedure as it is run for one chain of calls.
struct Copied<'p> {
    procedure: usize,
    /// Who calls it, and where.
    caller: Option<(usize, &'p Edge, &'p Call)>,
}

/// A state of a run.
#[derive(Clone)]
struct State {
    globals: Vec<Term>,
    /// The variables of all procedures that are being run; those of the one that was called last
    /// come last.
    frames: Vec<Vec<Term>>,
}

/// The present or the next state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Now,
    Next,
}

impl<'p> Runs<'p> {
    fn procedure(&self, copy: usize) -> &'p Procedure {
        &self.program.procedures[self.copies[copy].procedure]
    }
    /// A procedure's own variables.
    fn own(&self, copy: usize) -> &'p [Variable] {
        &self.procedure(copy).variables[self.program.globals.len()..]
    }
    /// The value of an own variable in the clauses of a copy.
    fn value(&mut self, copy: usize, variable: &Variable, when: When) -> Term {
        match (copy, when) {
            (0, When::Now) => variable.now,
            (0, When::Next) => variable.next,
            (_, When::Now) => self.store.var(&format!("{}/{copy}", variable.name), variable.sort),
            (_, When::Next) => self.store.var(&format!("{}'/{copy}", variable.name), variable.sort),
        }
    }
    fn frame(&mut self, copy: usize, when: When) -> Vec<Term> {
        self.own(copy).iter().map(|variable| self.value(copy, variable, when)).collect()
    }
    /// Terms over the variables of a procedure, said of a copy.
    fn of_copy(&mut self, copy: usize, terms: &[Term]) -> Vec<Term> {
        let mut renamed: Map<Term, Term> = Map::default();
        for variable in self.own(copy) {
            renamed.insert(variable.now, self.value(copy, variable, When::Now));
            renamed.insert(variable.next, self.value(copy, variable, When::Next));
        }
        substitute(self.store, &renamed, terms)
    }
    /// The copies that are being run when this one is, the entry first.
    fn stack(&self, copy: usize) -> Vec<usize> {
        let caller = |&at: &usize| self.copies[at].caller.map(|(caller, _, _)| caller);
        let mut stack: Vec<usize> = std::iter::successors(Some(copy), caller).collect();
        stack.reverse();
        stack
    }
    /// The state before a step of a copy.
    fn state(&mut self, copy: usize) -> State {
        let globals = self.program.globals.iter().map(|variable| variable.now).collect();
        let stack = self.stack(copy);
        let frames = stack.into_iter().map(|at| self.frame(at, When::Now)).collect();
        State { globals, frames }
    }

    /// States where runs begin.
    fn begin(&mut self, entry: usize) {
        self.copies.push(Copied { procedure: entry, caller: None });
        let constraint = self.program.precondition.unwrap_or(self.store.top());
        let state = self.state(0);
        for (name, span) in &self.procedure(0).initial {
            self.arrive((0, name.as_str()), state.clone(), &[], constraint, *span);
        }
    }
    /// States what a transition of a copy does.
    fn edge(&mut self, copy: usize, edge: &'p Edge) -> Result<(), Diagnostic> {
        let procedure = self.procedure(copy);
        if procedure.is_error(&edge.source) {
            return Ok(());
        }
        let mut state = self.state(copy);
        let source = self.location((copy, edge.source.as_str()), &state);
        match &edge.label {
            Label::Relation(relation) => {
                let (relation, next) = step(self.store, &procedure.variables, *relation);
                let mut terms = self.of_copy(copy, &[&next[..], &[relation]].concat());
                let relation = terms.pop().expect("the relation comes last");
                let own = terms.split_off(self.program.globals.len());
                state.globals = terms;
                state.frames.pop();
                state.frames.push(own);
                self.arrive((copy, edge.target.as_str()), state, &[source], relation, edge.span);
                Ok(())
            }
            Label::Call(call) => self.call(copy, edge, call, state, &source),
        }
    }
    /// States how a call enters a further copy of the procedure that is called.
    fn call(
        &mut self,
        copy: usize,
        edge: &'p Edge,
        call: &'p Call,
        mut state: State,
        source: &PredAtom,
    ) -> Result<(), Diagnostic> {
        if self.arguments > MOST_ARGUMENTS {
            let message = "so many calls are not supported if termination is asked about";
            return Err(Diagnostic::new(call.span, message));
        }
        let callee = position(self.program, call);
        let inputs = arguments(self.store, &self.program.procedures[callee], call)?;
        let mut inputs = self.of_copy(copy, &inputs).into_iter();
        self.copies.push(Copied { procedure: callee, caller: Some((copy, edge, call)) });
        let called = self.copies.len() - 1;
        let mut frame = Vec::new();
        for variable in self.own(called) {
            let input = if variable.role == Role::In { inputs.next() } else { None };
            frame.push(input.unwrap_or_else(|| self.value(called, variable, When::Now)));
        }
        state.frames.push(frame);
        let top = self.store.top();
        for (name, _) in &self.procedure(called).initial {
            self.arrive(
                (called, name.as_str()),
                state.clone(),
                std::slice::from_ref(source),
                top,
                edge.span,
            );
        }
        Ok(())
    }
    /// The steps by which a state is reached: whoever arrives at the end of a procedure goes on
    /// behind its call at once.
    fn arrive(
        &mut self,
        (copy, name): (usize, &'p str),
        state: State,
        body: &[PredAtom],
        constraint: Term,
        span: Span,
    ) {
        let mut arrived = Some(((copy, name), state, constraint));
        while let Some(((copy, name), mut state, constraint)) = arrived.take() {
            let procedure = self.procedure(copy);
            if procedure.is_error(name) || constraint == self.store.bottom() {
                return;
            }
            let caller = self.copies[copy].caller.filter(|_| procedure.is_final(name));
            if caller.is_none() || procedure.goes_on(name) {
                let head = Some(self.location((copy, name), &state));
                let body = body.to_vec();
                self.system.add_clause(Clause { head, body, constraint, span: Some(span) });
            }
            if let Some((caller, edge, call)) = caller {
                let same = self.give_back(copy, caller, call, &mut state);
                let constraint = self.store.and(&[constraint, same]);
                arrived = Some(((caller, edge.target.as_str()), state, constraint));
            }
        }
    }
    /// Leaves the frame of a copy: its results go to variables of the caller, and what is listed
    /// may have any value. Returns what has to hold, since a variable that takes a result and
    /// is not listed has to have that value already.
    fn give_back(&mut self, copy: usize, caller: usize, call: &Call, state: &mut State) -> Term {
        let globals = self.program.globals.len();
        let results = state.frames.pop().expect("a copy has a frame");
        let frame = state.frames.last_mut().expect("a caller has a frame");
        let before = frame.clone();
        let mut is_listed = vec![false; before.len()];
        for place in call.havoc.iter().filter_map(|place| place.checked_sub(globals)) {
            is_listed[place] = true;
            frame[place] = self.value(caller, &self.own(caller)[place], When::Next);
        }
        let outputs = self.procedure(copy).with_role(Role::Out);
        let mut same = Vec::new();
        for (output, taker) in outputs.into_iter().zip(&call.results) {
            let (result, taker) = (results[output - globals], taker - globals);
            if !is_listed[taker] {
                same.push(self.store.eq(before[taker], result));
            }
            frame[taker] = result;
        }
        self.store.and(&same)
    }
    fn location(&mut self, (copy, name): (usize, &'p str), state: &State) -> PredAtom {
        let args: Vec<Term> =
            state.globals.iter().chain(state.frames.iter().flatten()).copied().collect();
        self.arguments += args.len();
        if let Some(&pred) = self.locations.get(&(copy, name)) {
            return PredAtom { pred, args };
        }
        let mut names: Vec<String> =
            self.program.globals.iter().map(|variable| variable.name.clone()).collect();
        for at in self.stack(copy) {
            names.extend(self.own(at).iter().map(|variable| numbered(&variable.name, at)));
        }
        rename_functions(&mut names);
        let sorts: Vec<Sort> = args.iter().map(|&arg| self.store.sort(arg)).collect();
        let full = numbered(&format!("{}.{name}", self.procedure(copy).name), copy);
        let pred = self.system.add_pred(self.store.declare(&full, &sorts, Sort::BOOL));
        self.system.name_params(pred, names);
        self.locations.insert((copy, name), pred);
        PredAtom { pred, args }
    }
}

/// A name in a copy.
fn numbered(name: &str, copy: usize) -> String {
    if copy == 0 { name.to_owned() } else { format!("{name}/{copy}") }
}
