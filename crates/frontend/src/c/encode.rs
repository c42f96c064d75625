//! From a program to clauses.
//!
//! A predicate for each cut point says which values the live variables may have there; a *summary*
//! of each function that is called says which results it may give for which arguments. Each path
//! between cut points is a clause:
//! ```text
//! path from p to q        q(x')               ← p(x) ∧ path(x, x')
//! path to a return        summary(in, out)    ← p(x) ∧ path(x, x')
//! path to a violation     false               ← p(x) ∧ path(x, x')
//! call z = f(t) on it     … ∧ summary_f(t, g, z', g')
//! ```
//! A function that can fail, by itself or by what it calls, is entered with the values of its calls
//! only; any other with any values. Where the arguments at the entry are needed for the summary and
//! the function may overwrite them, they are arguments of its predicates, `x@entry`. Global
//! variables that a function uses are arguments of its summary, those that it writes are results as
//! well.
//!
//! If termination is asked about, functions that are recursive have no summaries: a call is
//! entered, and its caller forgotten, or passed with any values in the place of what it gives back.
//! A run that does not end is an infinite path of such steps; an infinite path that passes no call
//! is a run.
//!
//! Bodies also say that numbers are within the ranges of their types where this is so of all
//! values; it makes proofs shorter.
//!
//! Source: the encoding of procedures by summaries, [HR18]; paths as large blocks, [BCGKS09];
//! termination with recursion, [CPR09], with `true` in the place of summaries.

use shofar_base::{Idx as _, IndexVec, Map, Span};
use shofar_chc::{ChcSystem, Clause, ClauseId, PredAtom, PredId};
use shofar_term::substitute::substitute;
use shofar_term::{Term, TermStore};

use super::flow::{Flow, Signature, signatures};
use super::predicates::Place;
use super::program::{
    BlockId, End, FunctionId, Instruction, Program, Role, Shape, VarId, Variable,
};
use super::types::Arithmetic;
use crate::execution::{Event, Listing, What};

/// The clauses of a program, and what they stand for.
pub(super) struct Encoded {
    pub(super) system: ChcSystem,
    /// What happens in the clauses.
    pub(super) events: IndexVec<ClauseId, Vec<Event>>,
    /// What the predicates are about.
    pub(super) places: IndexVec<PredId, Place>,
    /// The clauses that go on behind calls with any values.
    pub(super) surplus: Vec<ClauseId>,
}

/// The clauses of a program whose text is `listing`.
pub(super) fn encode(store: &mut TermStore, program: &Program, listing: &Listing) -> Encoded {
    let signatures = signatures(store, program);
    let ids = program.functions.handles();
    let flows = ids.map(|id| Flow::of(store, program, &signatures, id)).collect();
    let (system, events, places) = (ChcSystem::new(), IndexVec::new(), IndexVec::new());
    let encoded = Encoded { system, events, places, surplus: Vec::new() };
    let (cuts, summaries, names) = (Map::default(), Map::default(), Map::default());
    let mut encoder =
        Encoder { store, program, listing, signatures, flows, encoded, cuts, summaries, names };
    for id in program.functions.handles() {
        encoder.function(id);
    }
    encoder.encoded
}

pub(super) struct Encoder<'p> {
    pub(super) store: &'p mut TermStore,
    pub(super) program: &'p Program,
    pub(super) listing: &'p Listing,
    pub(super) signatures: IndexVec<FunctionId, Signature>,
    pub(super) flows: IndexVec<FunctionId, Flow>,
    pub(super) encoded: Encoded,
    /// The predicates of cut points.
    pub(super) cuts: Map<(FunctionId, BlockId), PredId>,
    pub(super) summaries: Map<FunctionId, PredId>,
    /// How many predicates wanted to have a name.
    pub(super) names: Map<String, usize>,
}

/// A path in the making.
#[derive(Clone)]
pub(super) struct Path {
    block: BlockId,
    /// The values of variables that are not as they were at the beginning.
    values: Map<Term, Term>,
    /// The values of the carried variables at the entry of the function.
    pub(super) entry: Vec<Term>,
    body: Vec<PredAtom>,
    constraint: Vec<Term>,
    events: Vec<Event>,
    /// How many values were chosen.
    fresh: usize,
    /// Whether it goes on behind a call with any values.
    passes_calls: bool,
}

impl Path {
    fn new(block: BlockId, entry: Vec<Term>) -> Self {
        let (values, body, constraint) = (Map::default(), Vec::new(), Vec::new());
        let events = Vec::new();
        Self { block, values, entry, body, constraint, events, fresh: 0, passes_calls: false }
    }
    fn tell(&mut self, span: Span, what: What) {
        self.events.push(Event { span, what });
    }
    pub(super) fn value(&self, variable: &Variable) -> Term {
        self.values.get(&variable.term).copied().unwrap_or(variable.term)
    }
    /// A term with the values that its variables have now.
    fn now(&self, store: &mut TermStore, term: Term) -> Term {
        substitute(store, &self.values, &[term])[0]
    }
}

impl<'p> Encoder<'p> {
    pub(super) fn variable(&self, id: VarId) -> &'p Variable {
        &self.program.variables[id]
    }
    /// The clauses of a function.
    fn function(&mut self, id: FunctionId) {
        let function = &self.program.functions[id];
        let entry = function.entry();
        let is_called = self.signatures[id].is_called;
        let fails = self.signatures[id].fails;
        if id == FunctionId::from_index(0) && (fails || !is_called) {
            self.start(id);
        }
        if is_called && !fails {
            // Any values.
            let carried = self.signatures[id].carried.clone();
            let entry_values = carried.iter().map(|&id| self.variable(id).term).collect();
            let mut path = Path::new(entry, entry_values);
            for input in self.signatures[id].inputs.clone() {
                self.bound(&mut path, input);
            }
            self.follow(id, path);
        }
        for cut in self.flows[id].cuts.clone() {
            let entry_terms = self.entry_terms(id);
            let mut path = Path::new(cut, entry_terms);
            path.body.push(self.location(id, cut, &path));
            for variable in self.flows[id].live(cut) {
                self.bound(&mut path, variable);
            }
            self.follow(id, path);
        }
    }
    /// The beginning of the program: global variables have their first values, parameters any.
    fn start(&mut self, id: FunctionId) {
        let function = &self.program.functions[id];
        let mut path = Path::new(function.entry(), Vec::new());
        for &(global, value) in &self.program.globals {
            path.values.insert(self.variable(global).term, value);
        }
        for (place, &parameter) in function.parameters.iter().enumerate() {
            let variable = self.variable(parameter);
            path.constraint.push(variable.shape.int.range(self.store, variable.term));
            if place == 0 {
                // The number of words on a command line is not negative.
                let zero = self.store.int(0);
                path.constraint.push(self.store.ge(variable.term, zero));
            }
            if let Role::Local(span) = variable.role {
                path.tell(span, What::Open(parameter.index(), variable.term));
            }
        }
        let carried = self.signatures[id].carried.clone();
        path.entry = carried.iter().map(|&variable| path.value(self.variable(variable))).collect();
        if self.flows[id].is_cut(function.entry()) {
            let head = self.location(id, function.entry(), &path);
            self.clause(Some(head), path, function.span);
        } else {
            self.follow(id, path);
        }
    }
    /// Notes what holds of all values of a variable.
    fn bound(&mut self, path: &mut Path, variable: VarId) {
        let variable = self.variable(variable);
        let value = path.value(variable);
        let invariant = variable.invariant(self.store, self.program.arithmetic, value);
        path.constraint.extend(invariant);
    }
    /// Follows all paths from the block of `path` to cut points and ends.
    fn follow(&mut self, id: FunctionId, path: Path) {
        let function = &self.program.functions[id];
        let mut open = vec![path];
        while let Some(mut path) = open.pop() {
            let block = &function.blocks[path.block];
            for (place, instruction) in block.instructions.iter().enumerate() {
                let is_open = matches!(instruction, Instruction::Any { input: None, .. });
                let at = (path.block, place);
                let flow = &self.flows[id];
                let is_used = is_open && flow.is_used(self.store, self.program, function, at);
                self.execute(&mut path, instruction, is_used);
            }
            match &block.end {
                End::Goto(next) => open.extend(self.arrive(id, path, *next)),
                End::Branch { condition, span, yes, no } => {
                    let condition = path.now(self.store, *condition);
                    let negated = self.store.not(condition);
                    let arms = [(*no, negated, false), (*yes, condition, true)];
                    for (next, condition, holds) in arms {
                        if condition == self.store.bottom() {
                            continue;
                        }
                        let mut arm = path.clone();
                        arm.constraint.push(condition);
                        if let Some(span) = span {
                            arm.tell(*span, What::Decide(holds));
                        }
                        open.extend(self.arrive(id, arm, next));
                    }
                }
                End::Return(span) => self.leave(id, path, *span),
                End::Violation { why, span, full } => {
                    path.tell(*span, What::Violate(why, *full));
                    self.clause(None, path, *span);
                }
                End::Stop => {}
            }
        }
    }
    /// Goes on in a block, unless a piece ends there.
    fn arrive(&mut self, id: FunctionId, path: Path, next: BlockId) -> Option<Path> {
        if !self.flows[id].is_cut(next) {
            return Some(Path { block: next, ..path });
        }
        let span = self.place_of(id, next).0;
        let head = self.location(id, next, &path);
        self.clause(Some(head), path, span);
        None
    }
    fn leave(&mut self, id: FunctionId, mut path: Path, span: Span) {
        let function = &self.program.functions[id];
        let result = function.result.map(|result| path.value(self.variable(result)));
        path.tell(span, What::Return(result));
        if !self.signatures[id].has_summary {
            return;
        }
        let signature = &self.signatures[id];
        let mut args = Vec::new();
        for &input in &signature.inputs {
            let carried = signature.carried.iter().position(|&carried| carried == input);
            args.push(match carried {
                Some(place) => path.entry[place],
                None => path.value(self.variable(input)),
            });
        }
        args.extend(result);
        let outputs = signature.outputs();
        args.extend(outputs.iter().map(|&output| path.value(self.variable(output))));
        let pred = self.summary(id);
        self.clause(Some(PredAtom { pred, args }), path, span);
    }
    fn clause(&mut self, head: Option<PredAtom>, path: Path, span: Span) {
        let constraint = self.store.and(&path.constraint);
        if constraint == self.store.bottom() {
            return;
        }
        let clause = Clause { head, body: path.body, constraint, span: Some(span) };
        let id = self.encoded.system.add_clause(clause);
        if path.passes_calls {
            self.encoded.surplus.push(id);
        }
        self.encoded.events.push(path.events);
    }

    /// What an instruction does; `is_used` says whether the value that it leaves open is read.
    fn execute(&mut self, path: &mut Path, instruction: &Instruction, is_used: bool) {
        match instruction {
            Instruction::Set { variable, value, span } => {
                let variable = self.variable(*variable);
                let value = path.now(self.store, *value);
                path.values.insert(variable.term, value);
                if variable.role != Role::Hidden {
                    path.tell(*span, What::Set(variable.name.clone(), value));
                }
            }
            Instruction::SetElement { variable, indices, array, element, span } => {
                let variable = self.variable(*variable);
                let mut values = vec![*array, *element];
                values.extend(indices);
                let values = substitute(self.store, &path.values, &values);
                path.values.insert(variable.term, values[0]);
                let (name, indices) = (variable.name.clone(), values[2..].to_vec());
                path.tell(*span, What::SetElement(name, indices, values[1]));
            }
            Instruction::Any { variable, input, span } => {
                let value = self.any(path, *variable);
                let (id, variable) = (*variable, self.variable(*variable));
                let is_told = variable.role != Role::Hidden;
                // A hidden variable without an input is defined by an assumption behind it.
                let is_mathematical = self.program.arithmetic == Arithmetic::Mathematical
                    && variable.shape.int.signed;
                if is_told || input.is_some() || !is_mathematical {
                    self.within(path, variable, value);
                }
                match input {
                    Some(input) => path.tell(*span, What::Input(input.clone(), value)),
                    None if is_told && is_used => path.tell(*span, What::Open(id.index(), value)),
                    None => {}
                }
            }
            Instruction::Assume(condition) => {
                let condition = path.now(self.store, *condition);
                path.constraint.push(condition);
            }
            Instruction::Call { callee, arguments, result, span } => {
                let arguments = substitute(self.store, &path.values, arguments);
                self.call(path, *callee, arguments, *result, *span);
            }
        }
    }
    /// Notes that a value comes from outside, so it is one of the type. Of arrays this is noted
    /// where elements are read, but of elements that may be larger when the program has
    /// computed them: of short arrays one by one, of long ones where they are read (see `lower`).
    fn within(&mut self, path: &mut Path, variable: &Variable, value: Term) {
        let Shape { int, lengths } = &variable.shape;
        if lengths.is_empty() {
            path.constraint.push(int.range(self.store, value));
            return;
        }
        let count: i64 = lengths.iter().product();
        if int.is_bounded(self.program.arithmetic) || variable.shape.is_long() {
            return;
        }
        for place in 0..count {
            let place = self.store.int(place);
            let element = self.store.select(value, place);
            path.constraint.push(int.range(self.store, element));
        }
    }
    /// Gives a variable a value that nothing is known of.
    fn any(&mut self, path: &mut Path, variable: VarId) -> Term {
        let variable = self.variable(variable);
        path.fresh += 1;
        let sort = variable.shape.sort(self.store);
        let value = self.store.var(&format!("{}!{}", variable.name, path.fresh), sort);
        path.values.insert(variable.term, value);
        value
    }
    fn call(
        &mut self,
        path: &mut Path,
        callee: FunctionId,
        arguments: Vec<Term>,
        result: Option<VarId>,
        span: Span,
    ) {
        let function = &self.program.functions[callee];
        if self.signatures[callee].fails {
            self.enter(path, callee, &arguments, span);
        }
        let globals = &self.signatures[callee].inputs[arguments.len()..];
        let mut args = arguments.clone();
        args.extend(globals.iter().map(|&global| path.value(self.variable(global))));
        if let Some(result) = result {
            args.push(self.any(path, result));
            self.bound(path, result);
        }
        for output in self.signatures[callee].outputs() {
            args.push(self.any(path, output));
            self.bound(path, output);
        }
        if !self.signatures[callee].has_summary {
            path.passes_calls = true;
            return;
        }
        let pred = self.summary(callee);
        let enter = What::Enter(function.name.clone(), arguments, Some(path.body.len()));
        path.tell(span, enter);
        path.body.push(PredAtom { pred, args });
    }
    /// The entry of a function by a call, which may not return.
    fn enter(&mut self, path: &Path, callee: FunctionId, arguments: &[Term], span: Span) {
        let function = &self.program.functions[callee];
        let mut path = path.clone();
        let call = What::Enter(function.name.clone(), arguments.to_vec(), None);
        path.tell(span, call);
        let mut inner = Path::new(function.entry(), Vec::new());
        for &global in &self.signatures[callee].inputs[arguments.len()..] {
            let variable = self.variable(global);
            inner.values.insert(variable.term, path.value(variable));
        }
        for (&parameter, &argument) in function.parameters.iter().zip(arguments) {
            inner.values.insert(self.variable(parameter).term, argument);
        }
        inner.fresh = path.fresh;
        let known = |id: &VarId| self.signatures[callee].inputs.contains(id);
        let live = self.flows[callee].live(function.entry());
        for variable in live.into_iter().filter(|id| !known(id)).collect::<Vec<_>>() {
            let value = self.any(&mut inner, variable);
            self.within(&mut path, self.variable(variable), value);
        }
        let carried = self.signatures[callee].carried.clone();
        inner.entry = carried.iter().map(|&id| inner.value(self.variable(id))).collect();
        let head = self.location(callee, function.entry(), &inner);
        self.clause(Some(head), path, span);
    }
}
