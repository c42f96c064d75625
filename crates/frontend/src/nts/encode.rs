//! From a program to clauses.
//!
//! A predicate for each control state says which values the variables may have there; a *summary*
//! of each procedure that is called says which results it may give for which arguments. No
//! predicate stands for an error state.
//! ```text
//! transition q –R→ q'           q'(x')          ← q(x) ∧ R(x, x')
//! … into a final state          summary(in, out') ← q(x) ∧ R(x, x')
//! … into an error state         false           ← q(x) ∧ R(x, x')
//! call q –z' = f(t)→ q'         q'(x[z := o])   ← q(x) ∧ summary_f(t, o)
//! ```
//! Where the arguments at the entry are needed for the summary and a procedure may overwrite them,
//! its predicates have the entry values as further arguments, `x@entry`. Global variables are
//! arguments and results of every procedure.
//!
//! **Entries are exact where it matters.** A procedure that reaches an error state, by itself or by
//! what it calls, is entered with the values of its calls only: `f(t, …) ← q(x)`. Any other may be
//! entered with any values: its summary relates arguments to results, so those of calls that do not
//! happen are never asked for.
//!
//! Source: the encoding of procedures by summaries, [HR18]; symbols: `q(x)` → `location`, `summary`
//! → `summary`.

use shofar_base::{Diagnostic, Map, Set, Span};
use shofar_chc::{ChcSystem, Clause, PredAtom, PredId};
use shofar_term::substitute::substitute;
use shofar_term::{Sort, Term, TermStore};

use super::analysis::{arguments, calls, entry, fails, kept, kept_by, position, reached};
use super::program::{Call, Edge, Label, Procedure, Program, Role, Variable};
use super::scope::frame;
use crate::names::rename_functions;

/// The clauses of a program whose text has `length` bytes.
pub(super) fn clauses(
    store: &mut TermStore,
    program: &Program,
    length: usize,
) -> Result<ChcSystem, Diagnostic> {
    let entry = entry(program, length)?;
    let order = reached(program, entry)?;
    let mut encoder = Encoder::new(store, program, entry, &order);
    for &procedure in &order {
        encoder.enter(procedure)?;
        for edge in &program.procedures[procedure].edges {
            encoder.edge(procedure, edge)?;
        }
    }
    Ok(encoder.system)
}

struct Encoder<'p> {
    store: &'p mut TermStore,
    program: &'p Program,
    entry: usize,
    system: ChcSystem,
    /// The procedures that are called.
    called: Set<usize>,
    /// Those that reach an error state, by themselves or by what they call.
    fails: Set<usize>,
    /// For each procedure whether each variable keeps its value in all of its transitions.
    kept: Map<usize, Vec<bool>>,
    /// The predicates of procedures' states.
    locations: Map<(usize, String), PredId>,
    summaries: Map<usize, PredId>,
}

/// The values of a procedure's variables.
struct Values {
    /// At its entry, for those that are carried along.
    entry: Vec<Term>,
    now: Vec<Term>,
}

impl<'p> Encoder<'p> {
    fn new(store: &'p mut TermStore, program: &'p Program, entry: usize, order: &[usize]) -> Self {
        let mut called = Set::default();
        for call in order.iter().flat_map(|&at| calls(&program.procedures[at])) {
            called.insert(position(program, call));
        }
        let fails = fails(program, order);
        let kept = kept(store, program, order);
        let (system, locations, summaries) = (ChcSystem::new(), Map::default(), Map::default());
        Self { store, program, entry, system, called, fails, kept, locations, summaries }
    }
    /// States how a procedure is entered, unless its calls do.
    fn enter(&mut self, at: usize) -> Result<(), Diagnostic> {
        let procedure = &self.program.procedures[at];
        if procedure.initial.is_empty() {
            let message = format!("the procedure `{}` has no initial state", procedure.name);
            return Err(Diagnostic::new(procedure.span, message));
        }
        if at != self.entry && self.fails.contains(&at) {
            return Ok(());
        }
        let top = self.store.top();
        let mut constraint = top;
        if at == self.entry && !self.called.contains(&at) {
            constraint = self.program.precondition.unwrap_or(top);
        } else if at == self.entry && self.program.precondition.is_some() {
            let message =
                "a program whose entry is called and that has a precondition is not supported";
            return Err(Diagnostic::new(procedure.span, message));
        }
        let now: Vec<Term> = procedure.variables.iter().map(|variable| variable.now).collect();
        let entry = self.carried(at).into_iter().map(|place| now[place]).collect();
        let values = Values { entry, now };
        for (state, span) in &procedure.initial {
            self.arrive(at, state, &values, (Vec::new(), constraint), *span);
        }
        Ok(())
    }
    /// States what a transition does.
    fn edge(&mut self, at: usize, edge: &Edge) -> Result<(), Diagnostic> {
        let procedure = &self.program.procedures[at];
        if procedure.is_error(&edge.source) {
            return Ok(());
        }
        let entry = self.entry_terms(at);
        let now: Vec<Term> = procedure.variables.iter().map(|variable| variable.now).collect();
        let source = self.location(at, &edge.source, &Values { entry: entry.clone(), now });
        match &edge.label {
            Label::Relation(relation) => {
                let (relation, next) = step(self.store, &procedure.variables, *relation);
                let body = (vec![source], relation);
                self.arrive(at, &edge.target, &Values { entry, now: next }, body, edge.span);
                Ok(())
            }
            Label::Call(call) => self.call(at, edge, call, source),
        }
    }
    fn call(
        &mut self,
        at: usize,
        edge: &Edge,
        call: &Call,
        source: PredAtom,
    ) -> Result<(), Diagnostic> {
        let procedure = &self.program.procedures[at];
        let callee = position(self.program, call);
        let inputs = arguments(self.store, &self.program.procedures[callee], call)?;
        if self.fails.contains(&callee) {
            self.enter_by_call(at, callee, &inputs, &source, edge.span);
        }
        // Its own variables by the frame, the global ones by the summary: what nobody changes has
        // one value there, whether it is listed or not.
        let globals = self.program.globals.len();
        let mut listed = call.havoc.clone();
        listed.retain(|&place| place >= globals);
        listed.extend((0..globals).filter(|&place| !self.kept[&at][place]));
        let relation = frame(self.store, &procedure.variables, &listed);
        let (mut relation, next) = step(self.store, &procedure.variables, relation);
        let outputs = self.results(at, callee, call, &next, &mut relation);
        let summary = self.summary_of_call(callee, procedure, &inputs, &next, &outputs);
        let body = (vec![source, summary], relation);
        let values = Values { entry: self.entry_terms(at), now: next };
        self.arrive(at, &edge.target, &values, body, edge.span);
        Ok(())
    }
    /// What the results of a call are called after it; nobody takes them, or variables do.
    fn results(
        &mut self,
        at: usize,
        callee: usize,
        call: &Call,
        next: &[Term],
        relation: &mut Term,
    ) -> Vec<Term> {
        let (own, other) = (&self.program.procedures[at], &self.program.procedures[callee]);
        let mut outputs = Vec::new();
        for (place, output) in other.with_role(Role::Out).into_iter().enumerate() {
            let output = &other.variables[output];
            let Some(&taker) = call.results.get(place) else {
                outputs.push(self.local(other, output));
                continue;
            };
            let variable = &own.variables[taker];
            // A variable that takes a result and is not listed has to have that value already.
            let same = self.store.eq(variable.next, next[taker]);
            *relation = self.store.and(&[*relation, same]);
            outputs.push(variable.next);
        }
        outputs
    }
    /// A variable of a procedure in a clause of another one.
    fn local(&mut self, procedure: &Procedure, variable: &Variable) -> Term {
        self.store.var(&format!("{}.{}", procedure.name, variable.name), variable.sort)
    }
    /// The entry of `callee` by a call in a state of `at`.
    fn enter_by_call(
        &mut self,
        at: usize,
        callee: usize,
        inputs: &[Term],
        source: &PredAtom,
        span: Span,
    ) {
        let (own, other) = (&self.program.procedures[at], &self.program.procedures[callee]);
        let mut inputs = inputs.iter();
        let mut now = Vec::with_capacity(other.variables.len());
        for (place, variable) in other.variables.iter().enumerate() {
            let input = if variable.role == Role::In { inputs.next() } else { None };
            now.push(match input {
                Some(&input) => input,
                None if place < self.program.globals.len() => own.variables[place].now,
                None => self.local(other, variable),
            });
        }
        let entry = self.carried(callee).into_iter().map(|place| now[place]).collect();
        let values = Values { entry, now };
        let top = self.store.top();
        for (state, _) in &other.initial {
            self.arrive(callee, state, &values, (vec![source.clone()], top), span);
        }
    }
    /// The clauses by which a state is reached with these values.
    fn arrive(
        &mut self,
        at: usize,
        state: &str,
        values: &Values,
        (body, constraint): (Vec<PredAtom>, Term),
        span: Span,
    ) {
        let procedure = &self.program.procedures[at];
        let mut heads = Vec::new();
        if procedure.is_error(state) {
            heads.push(None);
        } else {
            let returns = procedure.is_final(state) && self.called.contains(&at);
            if returns {
                heads.push(Some(self.summary(at, values)));
            }
            if !returns || procedure.goes_on(state) || at == self.entry {
                heads.push(Some(self.location(at, state, values)));
            }
        }
        if constraint == self.store.bottom() {
            return;
        }
        for head in heads {
            let body = body.clone();
            self.system.add_clause(Clause { head, body, constraint, span: Some(span) });
        }
    }

    /// The variables whose entry values the predicates of a procedure carry along.
    fn carried(&self, at: usize) -> Vec<usize> {
        if !self.called.contains(&at) {
            return Vec::new();
        }
        let procedure = &self.program.procedures[at];
        let kept = &self.kept[&at];
        let is_input = |place: &usize| match procedure.variables[*place].role {
            Role::Global | Role::In => !kept[*place],
            Role::Parameter | Role::Out | Role::Local => false,
        };
        (0..procedure.variables.len()).filter(is_input).collect()
    }
    /// The entry values in the clauses of a procedure.
    fn entry_terms(&mut self, at: usize) -> Vec<Term> {
        let procedure = &self.program.procedures[at];
        let carried = self.carried(at);
        let name = |place: usize| entry_name(&procedure.variables[place].name);
        carried
            .into_iter()
            .map(|place| self.store.var(&name(place), procedure.variables[place].sort))
            .collect()
    }
    fn location(&mut self, at: usize, state: &str, values: &Values) -> PredAtom {
        let args: Vec<Term> = values.entry.iter().chain(&values.now).copied().collect();
        let key = (at, state.to_owned());
        if let Some(&pred) = self.locations.get(&key) {
            return PredAtom { pred, args };
        }
        let procedure = &self.program.procedures[at];
        let entry = self.carried(at).into_iter().map(|place| &procedure.variables[place]);
        let entry: Vec<_> = entry.map(|v| (entry_name(&v.name), v.sort)).collect();
        let own = procedure.variables.iter().map(|v| (v.name.clone(), v.sort));
        let params = entry.into_iter().chain(own).collect();
        let pred = self.declare(&format!("{}.{state}", procedure.name), params);
        self.locations.insert(key, pred);
        PredAtom { pred, args }
    }
    /// The summary of a procedure that ends with these values.
    fn summary(&mut self, at: usize, values: &Values) -> PredAtom {
        let procedure = &self.program.procedures[at];
        let kept = self.kept[&at].clone();
        let (mut args, mut params) = (values.entry.clone(), Vec::new());
        for place in self.carried(at) {
            let variable = &procedure.variables[place];
            params.push((entry_name(&variable.name), variable.sort));
        }
        for (place, variable) in procedure.variables.iter().enumerate() {
            let is_result = match variable.role {
                Role::Global | Role::Parameter | Role::Out => true,
                Role::In => kept[place],
                Role::Local => false,
            };
            if is_result {
                args.push(values.now[place]);
                params.push((variable.name.clone(), variable.sort));
            }
        }
        let pred = match self.summaries.get(&at) {
            Some(&pred) => pred,
            None => self.declare(&format!("{}/summary", procedure.name), params),
        };
        self.summaries.insert(at, pred);
        PredAtom { pred, args }
    }
    /// The summary in the clause of a call by `caller`, whose next values are `next`.
    fn summary_of_call(
        &mut self,
        callee: usize,
        caller: &Procedure,
        inputs: &[Term],
        next: &[Term],
        outputs: &[Term],
    ) -> PredAtom {
        let procedure = &self.program.procedures[callee];
        let (mut inputs, mut outputs) = (inputs.iter(), outputs.iter());
        let (mut before, mut now) = (Vec::new(), Vec::new());
        for (place, variable) in procedure.variables.iter().enumerate() {
            let (first, last) = match variable.role {
                Role::Global | Role::Parameter if place < self.program.globals.len() => {
                    (caller.variables[place].now, next[place])
                }
                Role::In => {
                    let input = *inputs.next().expect("a call has all arguments");
                    (input, input)
                }
                Role::Out => {
                    let output = *outputs.next().expect("a call has all results");
                    (output, output)
                }
                Role::Global | Role::Parameter | Role::Local => {
                    let local = self.local(procedure, variable);
                    (local, local)
                }
            };
            before.push(first);
            now.push(last);
        }
        let entry = self.carried(callee).into_iter().map(|place| before[place]).collect();
        self.summary(callee, &Values { entry, now })
    }
    fn declare(&mut self, name: &str, params: Vec<(String, Sort)>) -> PredId {
        let (mut names, sorts): (Vec<String>, Vec<Sort>) = params.into_iter().unzip();
        rename_functions(&mut names);
        let pred = self.system.add_pred(self.store.declare(name, &sorts, Sort::BOOL));
        self.system.name_params(pred, names);
        pred
    }
}

/// What the value of a variable at the entry of a procedure is called.
pub(super) fn entry_name(variable: &str) -> String {
    format!("{variable}@entry")
}

/// A relation as a constraint, and the next values: a variable that keeps its value is not
/// mentioned twice.
pub(super) fn step(
    store: &mut TermStore,
    variables: &[Variable],
    relation: Term,
) -> (Term, Vec<Term>) {
    let kept = kept_by(store, variables, relation);
    let of =
        |(variable, &kept): (&Variable, &bool)| if kept { variable.now } else { variable.next };
    let next: Vec<Term> = variables.iter().zip(&kept).map(of).collect();
    let same = variables.iter().zip(&next).map(|(variable, &next)| (variable.next, next)).collect();
    (substitute(store, &same, &[relation])[0], next)
}
