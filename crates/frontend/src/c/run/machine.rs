//! Executes code.
//!
//! Calls have a stack of their own, so that recursion of the program is no recursion here; memory
//! and instructions are limited. What the program does not determine is asked from a [`World`],
//! which also hears what happens.

use std::sync::Arc;

use shofar_base::Span;

use super::code::{Function, Op, Program, Shape, Target, Var};
use super::compute::{Failed, Fault, compute, fit};
use super::kind::{Kind, Signed};
use super::memory::{Array, Contents, Slot};

/// The world is asked whether the run is to go on after so many instructions.
const ROUND: u64 = 1 << 14;

/// How long a run may be and how much memory it may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) instructions: u64,
    /// In variables, elements and operands.
    pub(super) numbers: usize,
}

/// How a run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// `main` returns, or the program is ended.
    Finished,
    Violation(Fault, Span),
    /// An assumption does not hold.
    Excluded(Span),
    /// It takes more than it may.
    OverLimit,
    /// Something that is not determined is needed, and the world does not say it.
    Open(Span),
    /// Something that is not modelled.
    Inconclusive(&'static str, Span),
    /// The world has something against what happens.
    Objection(String, Span),
}

/// Something that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Happening<'r> {
    Decide(bool),
    Set(&'r str, i128),
    /// An array gets its first value.
    Fill(&'r str, &'r Array),
    SetElement(&'r str, Vec<i64>, i128),
    Input(&'r str, i128),
    /// A parameter gets its value.
    Pass(&'r str, i128),
    Enter(&'r str),
    Return(Option<i128>),
    Violate(Fault),
}

impl PartialEq for Array {
    fn eq(&self, other: &Self) -> bool {
        self.shape == other.shape && self.elements() == other.elements()
    }
}
impl Eq for Array {}

/// What is around a program.
pub(super) trait World {
    /// What a function of the environment gives.
    fn input(&mut self, name: &str, kind: Kind, at: Span) -> Option<i128>;
    /// What a variable without a first value holds. If nothing is said, it is open, and reading it
    /// ends the run.
    fn open(&mut self, name: &str, kind: Kind, at: Span) -> Option<i128>;
    /// The same for an array.
    fn open_array(&mut self, name: &str, shape: &Shape, at: Span) -> Contents;
    /// What is returned by a function that ends without a value.
    fn open_result(&mut self, function: &str, kind: Kind, at: Span) -> Option<i128>;
    /// Hears what happens; an error ends the run.
    fn happens(&mut self, at: Span, what: &Happening<'_>) -> Result<(), String>;
    /// Whether the run is to go on.
    fn goes_on(&mut self) -> bool;
}

/// A call that has not returned.
#[derive(Clone, Copy, Debug)]
struct Frame {
    function: usize,
    next: Target,
    /// How many operands, variables and arrays there were before.
    operands: usize,
    slots: usize,
    arrays: usize,
}

/// A program being executed.
pub(super) struct Machine<'p, W> {
    program: &'p Program,
    world: W,
    frames: Vec<Frame>,
    operands: Vec<i128>,
    slots: Vec<Slot>,
    globals: Vec<Slot>,
    arrays: Vec<Array>,
    /// What arrays take.
    weight: usize,
    /// Of the instruction at hand.
    at: Span,
}

type Step = Result<(), End>;

impl<'p, W: World> Machine<'p, W> {
    pub(super) fn new(program: &'p Program, world: W) -> Self {
        let mut machine = Self {
            program,
            world,
            frames: Vec::new(),
            operands: Vec::new(),
            slots: Vec::new(),
            globals: Vec::new(),
            arrays: Vec::new(),
            weight: 0,
            at: Span::new(0, 0),
        };
        for global in &program.globals {
            let slot = if global.shape.is_array() {
                let contents = Contents { rest: Some(0), listed: global.first.clone() };
                machine.allocate(Array::new(&global.name, &global.shape, &contents))
            } else {
                Slot::Number(global.first.first().map_or(0, |(_, number)| *number))
            };
            machine.globals.push(slot);
        }
        machine
    }
    /// Runs the program from the beginning.
    pub(super) fn run(&mut self, limits: Limits) -> End {
        let main = &self.program.functions[0];
        for _ in &main.parameters {
            self.operands.push(0);
        }
        let mut result = self.enter(0, true);
        let mut executed = 0u64;
        while result.is_ok() {
            let Some(frame) = self.frames.last_mut() else { return End::Finished };
            let code = &self.program.functions[frame.function].code;
            let Some((op, at)) = code.get(frame.next) else {
                return End::Inconclusive("the end of a function", self.at);
            };
            frame.next += 1;
            self.at = *at;
            result = self.execute(op);
            executed += 1;
            if executed >= limits.instructions || self.weighs() > limits.numbers {
                return result.err().unwrap_or(End::OverLimit);
            }
            if executed.is_multiple_of(ROUND) && !self.world.goes_on() {
                return result.err().unwrap_or(End::OverLimit);
            }
        }
        result.err().unwrap_or(End::Finished)
    }
    pub(super) fn into_world(self) -> W {
        self.world
    }
    /// What `main` has returned, or the value of a constant.
    pub(super) fn result(&self) -> Option<i128> {
        self.operands.last().copied()
    }
    /// The elements of all variables that live as long as the program, or the number; nothing for
    /// those that are very large.
    pub(super) fn finals(&self) -> Vec<(String, Vec<i128>)> {
        let mut finals = Vec::new();
        for (global, slot) in self.program.globals.iter().zip(&self.globals) {
            let numbers = match slot {
                Slot::Open => None,
                Slot::Number(number) => Some(vec![*number]),
                Slot::Array(array) => self.arrays[*array].elements(),
            };
            finals.extend(numbers.map(|numbers| (global.name.to_string(), numbers)));
        }
        finals
    }
    fn weighs(&self) -> usize {
        self.operands.len() + self.slots.len() + self.weight
    }

    fn allocate(&mut self, array: Array) -> Slot {
        self.weight += array.weight();
        self.arrays.push(array);
        Slot::Array(self.arrays.len() - 1)
    }
    fn pop(&mut self) -> Result<i128, End> {
        self.operands.pop().ok_or(End::Inconclusive("an operand that is not there", self.at))
    }
    fn frame(&self) -> Frame {
        self.frames.last().copied().unwrap_or(Frame {
            function: 0,
            next: 0,
            operands: 0,
            slots: 0,
            arrays: 0,
        })
    }
    fn function(&self) -> &'p Function {
        &self.program.functions[self.frame().function]
    }
    fn slot_mut(&mut self, var: Var) -> &mut Slot {
        match var {
            Var::Global(at) => &mut self.globals[at],
            Var::Local(at) => {
                let first = self.frame().slots;
                &mut self.slots[first + at]
            }
        }
    }
    fn slot(&self, var: Var) -> Slot {
        match var {
            Var::Global(at) => self.globals[at],
            Var::Local(at) => self.slots[self.frame().slots + at],
        }
    }
    fn named(&self, var: Var) -> (&'p Arc<str>, &'p Shape) {
        match var {
            Var::Global(at) => (&self.program.globals[at].name, &self.program.globals[at].shape),
            Var::Local(at) => {
                let local = &self.function().locals[at];
                (&local.name, &local.shape)
            }
        }
    }
    fn array(&self, var: Var) -> Result<usize, End> {
        match self.slot(var) {
            Slot::Array(array) => Ok(array),
            Slot::Open | Slot::Number(_) => Err(End::Inconclusive("an array", self.at)),
        }
    }
    fn tell(&mut self, what: &Happening<'_>) -> Step {
        let at = self.at;
        self.world.happens(at, what).map_err(|objection| End::Objection(objection, at))
    }
    fn violate(&mut self, fault: Fault) -> End {
        match self.tell(&Happening::Violate(fault)) {
            Ok(()) => End::Violation(fault, self.at),
            Err(end) => end,
        }
    }
    fn failed(&mut self, failed: Failed) -> End {
        match failed {
            Failed::Fault(fault) => self.violate(fault),
            Failed::TooLarge => End::Inconclusive("a number of this size", self.at),
        }
    }

    fn execute(&mut self, op: &'p Op) -> Step {
        match op {
            Op::Constant(number) => self.operands.push(*number),
            Op::Load(var) => self.load(*var)?,
            Op::Store(var) => self.store(*var)?,
            Op::Keep(var) => {
                let number = self.pop()?;
                *self.slot_mut(*var) = Slot::Number(number);
            }
            Op::Array(var) => {
                let array = self.array(*var)?;
                self.operands.push(i128::try_from(array).unwrap_or(i128::MAX));
            }
            Op::Subscript { array, dimension } => self.subscript(*array, *dimension)?,
            Op::LoadElement { array, below } => self.load_element(*array, *below)?,
            Op::StoreElement { array, below } => self.store_element(*array, *below)?,
            Op::Convert(from, to) => {
                let number = self.pop()?;
                self.operands.push(from.convert(number, *to));
            }
            Op::Compute(operator, kind) => {
                let (b, a) = (self.pop()?, self.pop()?);
                let result = compute(*operator, *kind, self.program.signed, (a, b));
                self.push(result)?;
            }
            Op::Negate(kind) => {
                let negated = self.pop()?.checked_neg().ok_or(Failed::TooLarge);
                let signed = self.program.signed;
                self.push(negated.and_then(|negated| fit(negated, *kind, signed)))?;
            }
            Op::Complement(kind) => {
                let complement = !self.pop()?;
                let wrapped = if kind.is_signed { complement } else { kind.wrap(complement) };
                self.operands.push(wrapped);
            }
            Op::Not => {
                let is_zero = self.pop()? == 0;
                self.operands.push(is_zero.into());
            }
            Op::Truth => {
                let is_zero = self.pop()? == 0;
                self.operands.push((!is_zero).into());
            }
            Op::Copy => {
                let number = self.pop()?;
                self.operands.extend([number, number]);
            }
            Op::Swap => {
                let (b, a) = (self.pop()?, self.pop()?);
                self.operands.extend([b, a]);
            }
            Op::Drop => {
                self.pop()?;
            }
            Op::DropBelow => {
                let (b, _) = (self.pop()?, self.pop()?);
                self.operands.push(b);
            }
            Op::Jump(target) => self.jump(*target),
            Op::JumpIfZero(target) => {
                if self.pop()? == 0 {
                    self.jump(*target);
                }
            }
            Op::JumpUnlessZero(target) => {
                if self.pop()? != 0 {
                    self.jump(*target);
                }
            }
            Op::Decide => {
                let holds = self.operands.last().is_some_and(|number| *number != 0);
                self.tell(&Happening::Decide(holds))?;
            }
            Op::Cut(count) => {
                let first = self.frame().operands;
                self.operands.truncate(first + count);
            }
            Op::Call(function) => self.enter(*function, false)?,
            Op::Return => self.leave()?,
            Op::Input(name, kind) => self.input(name, *kind)?,
            Op::Open(var) => self.open(*var),
            Op::OpenResult(kind) => self.open_result(*kind)?,
            Op::Fill(var, places) => self.fill(*var, places)?,
            Op::Assert(fault) => {
                if self.pop()? == 0 {
                    return Err(self.violate(*fault));
                }
            }
            Op::Assume => {
                if self.pop()? == 0 {
                    return Err(End::Excluded(self.at));
                }
            }
            Op::Stop => return Err(End::Finished),
        }
        Ok(())
    }
    fn open_result(&mut self, kind: Kind) -> Step {
        let (at, function) = (self.at, self.function());
        let number = self.world.open_result(&function.name, kind, at);
        self.operands.push(number.ok_or(End::Open(at))?);
        Ok(())
    }
    fn load(&mut self, var: Var) -> Step {
        match self.slot(var) {
            Slot::Number(number) => self.operands.push(number),
            Slot::Open => return Err(End::Open(self.at)),
            Slot::Array(_) => return Err(End::Inconclusive("an array as a whole", self.at)),
        }
        Ok(())
    }
    /// The number stays on the stack, as the value of the assignment.
    fn store(&mut self, var: Var) -> Step {
        let number = self.pop()?;
        self.operands.push(number);
        *self.slot_mut(var) = Slot::Number(number);
        let name = self.named(var).0;
        self.tell(&Happening::Set(name, number))
    }
    fn push(&mut self, result: Result<i128, Failed>) -> Step {
        match result {
            Ok(number) => self.operands.push(number),
            Err(failed) => return Err(self.failed(failed)),
        }
        Ok(())
    }
    fn jump(&mut self, target: Target) {
        if let Some(frame) = self.frames.last_mut() {
            frame.next = target;
        }
    }

    fn subscript(&mut self, array: Var, dimension: usize) -> Step {
        let array = self.array(array)?;
        let index = self.pop()?;
        let Some(&length) = self.arrays[array].shape.lengths.get(dimension) else {
            return Err(End::Inconclusive("a dimension", self.at));
        };
        if !(0..i128::from(length)).contains(&index) {
            return Err(self.violate(Fault::Bounds));
        }
        let outer = if dimension == 0 { 0 } else { self.pop()? };
        self.operands.push(outer * i128::from(length) + index);
        Ok(())
    }
    /// A place that lies so far below the last operand.
    fn place(&self, below: usize) -> Result<i64, End> {
        let at = self.operands.len().checked_sub(below + 1);
        let place = at.and_then(|at| i64::try_from(self.operands[at]).ok());
        place.ok_or(End::Inconclusive("a place in an array", self.at))
    }
    fn load_element(&mut self, array: Var, below: usize) -> Step {
        let (array, place) = (self.array(array)?, self.place(below)?);
        let number = self.arrays[array].element(place).ok_or(End::Open(self.at))?;
        self.operands.push(number);
        Ok(())
    }
    fn store_element(&mut self, array: Var, below: usize) -> Step {
        let (array, place) = (self.array(array)?, self.place(below)?);
        let number = self.pop()?;
        self.operands.push(number);
        self.weight -= self.arrays[array].weight();
        self.arrays[array].set(place, number);
        self.weight += self.arrays[array].weight();
        let name = Arc::clone(&self.arrays[array].name);
        let indices = self.arrays[array].indices(place);
        self.tell(&Happening::SetElement(&name, indices, number))
    }
    fn enter(&mut self, function: usize, is_start: bool) -> Step {
        let callee = &self.program.functions[function];
        let operands = self.operands.len() - callee.parameters.len();
        let frame = Frame {
            function,
            next: 0,
            operands,
            slots: self.slots.len(),
            arrays: self.arrays.len(),
        };
        let arguments = self.operands.split_off(operands);
        if !is_start {
            self.tell(&Happening::Enter(&callee.name))?;
        }
        self.frames.push(frame);
        for (at, number) in arguments.into_iter().enumerate() {
            let Some(&parameter) = callee.parameters.get(at) else { continue };
            if parameter.is_array {
                let array = usize::try_from(number).unwrap_or(usize::MAX);
                self.slots.push(Slot::Array(array));
                continue;
            }
            self.slots.push(Slot::Number(number));
            if is_start {
                self.open(Var::Local(at));
                self.count_words(at);
            } else if parameter.is_named {
                self.tell(&Happening::Pass(&callee.locals[at].name, number))?;
            }
        }
        self.slots.resize(frame.slots + callee.locals.len(), Slot::Open);
        Ok(())
    }
    /// The first parameter of `main` is the number of words on a command line, which is not
    /// negative.
    fn count_words(&mut self, parameter: usize) {
        if let (0, Slot::Number(number)) = (parameter, self.slot_mut(Var::Local(parameter))) {
            *number = (*number).max(0);
        }
    }
    fn leave(&mut self) -> Step {
        let function = self.function();
        let result = if function.result.is_some() { Some(self.pop()?) } else { None };
        self.tell(&Happening::Return(result))?;
        if let Some(frame) = self.frames.pop() {
            self.operands.truncate(frame.operands);
            self.slots.truncate(frame.slots);
            for array in self.arrays.drain(frame.arrays..) {
                self.weight -= array.weight();
            }
        }
        self.operands.extend(result);
        Ok(())
    }
    fn input(&mut self, name: &str, kind: Kind) -> Step {
        let at = self.at;
        let number = self.world.input(name, kind, at).ok_or(End::Open(at))?;
        self.operands.push(number);
        self.tell(&Happening::Input(name, number))
    }
    fn open(&mut self, var: Var) {
        let (at, (name, shape)) = (self.at, self.named(var));
        if shape.is_array() {
            let contents = self.world.open_array(name, shape, at);
            self.replace(var, Array::new(name, shape, &contents));
        } else {
            let number = self.world.open(name, shape.kind, at);
            *self.slot_mut(var) = number.map_or(Slot::Open, Slot::Number);
        }
    }
    fn fill(&mut self, var: Var, places: &[i64]) -> Step {
        let first = self.operands.len().saturating_sub(places.len());
        let numbers = self.operands.split_off(first);
        let listed = places.iter().copied().zip(numbers).collect();
        let (name, shape) = self.named(var);
        let array = Array::new(name, shape, &Contents { rest: Some(0), listed });
        self.tell(&Happening::Fill(name, &array))?;
        self.replace(var, array);
        Ok(())
    }
    /// Puts an array into a variable of the function at hand.
    fn replace(&mut self, var: Var, array: Array) {
        match self.slot(var) {
            Slot::Array(old) => {
                self.weight -= self.arrays[old].weight();
                self.weight += array.weight();
                self.arrays[old] = array;
            }
            Slot::Open | Slot::Number(_) => {
                let slot = self.allocate(array);
                *self.slot_mut(var) = slot;
            }
        }
    }
}

/// A world in which nothing is determined, and that hears nothing.
pub(super) struct Nothing;

impl World for Nothing {
    fn input(&mut self, _: &str, _: Kind, _: Span) -> Option<i128> {
        None
    }
    fn open(&mut self, _: &str, _: Kind, _: Span) -> Option<i128> {
        None
    }
    fn open_array(&mut self, _: &str, _: &Shape, _: Span) -> Contents {
        Contents::default()
    }
    fn open_result(&mut self, _: &str, _: Kind, _: Span) -> Option<i128> {
        None
    }
    fn happens(&mut self, _: Span, _: &Happening<'_>) -> Result<(), String> {
        Ok(())
    }
    fn goes_on(&mut self) -> bool {
        true
    }
}

/// The value of a constant expression, whose instructions are pure and return it.
pub(super) fn constant_value(code: Vec<(Op, Span)>, result: Kind) -> Option<i128> {
    if !code.iter().all(|(op, _)| op.is_pure()) {
        return None;
    }
    let instructions = u64::try_from(code.len()).ok()? + 1;
    let (name, parameters, locals) = ("".into(), Vec::new(), Vec::new());
    let function = Function { name, parameters, result: Some(result), locals, code };
    let functions = vec![function];
    let program = Program { signed: Signed::Mathematical, functions, globals: Vec::new() };
    let mut machine = Machine::new(&program, Nothing);
    match machine.run(Limits { instructions, numbers: usize::MAX }) {
        End::Finished => machine.result(),
        End::Violation(..)
        | End::Excluded(_)
        | End::OverLimit
        | End::Open(_)
        | End::Inconclusive(..)
        | End::Objection(..) => None,
    }
}
