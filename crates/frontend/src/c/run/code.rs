//! The code that the interpreter executes: instructions of a machine with a stack of operands.
//!
//! Each instruction knows its place in the text. Jumps name labels while a function is being made
//! and instructions afterwards; see `Body`.

use std::sync::Arc;

use shofar_base::Span;

use super::compute::{Binary, Fault};
use super::kind::{Kind, Signed};

/// A program that can be executed.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) signed: Signed,
    /// The first one is `main`.
    pub(super) functions: Vec<Function>,
    pub(super) globals: Vec<Global>,
}

/// A variable that lives as long as the program.
#[derive(Clone, Debug)]
pub(super) struct Global {
    pub(super) name: Arc<str>,
    pub(super) shape: Shape,
    /// Elements that are not zero in the beginning, by their places; that of a number is 0.
    pub(super) first: Vec<(i64, i128)>,
}

/// A number, or an array of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) kind: Kind,
    pub(super) lengths: Arc<[i64]>,
}

impl Shape {
    pub(super) fn number(kind: Kind) -> Self {
        Self { kind, lengths: Arc::new([]) }
    }
    pub(super) fn is_array(&self) -> bool {
        !self.lengths.is_empty()
    }
    /// How many numbers there are; nothing if they are more than can be counted.
    pub(super) fn count(&self) -> Option<i64> {
        self.lengths.iter().try_fold(1, |count: i64, &length| count.checked_mul(length))
    }
}

/// A function.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: Arc<str>,
    pub(super) parameters: Vec<Parameter>,
    pub(super) result: Option<Kind>,
    /// The variables that it declares, parameters first.
    pub(super) locals: Vec<Local>,
    pub(super) code: Vec<(Op, Span)>,
}

#[derive(Clone, Debug)]
pub(super) struct Local {
    pub(super) name: Arc<str>,
    pub(super) shape: Shape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parameter {
    pub(super) is_array: bool,
    pub(super) is_named: bool,
}

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Var {
    Global(usize),
    /// Of the function that is being executed.
    Local(usize),
}

/// Where a jump goes: a label, and an instruction in the end.
pub(super) type Target = usize;

/// An instruction. The operands that it takes are the last ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Constant(i128),
    Load(Var),
    /// Assigns the last operand, which stays.
    Store(Var),
    /// Keeps the last operand in a variable that no one has written.
    Keep(Var),
    /// The array itself, as an argument.
    Array(Var),
    /// An index, behind the place that the indices before it give, becomes a place.
    Subscript {
        array: Var,
        dimension: usize,
    },
    /// The element whose place lies so far below the last operand.
    LoadElement {
        array: Var,
        below: usize,
    },
    /// Assigns the last operand, which stays, to the element whose place lies so far below it.
    StoreElement {
        array: Var,
        below: usize,
    },
    Convert(Kind, Kind),
    Compute(Binary, Kind),
    Negate(Kind),
    Complement(Kind),
    /// 1 if it is zero, else 0.
    Not,
    /// 0 if it is zero, else 1.
    Truth,
    Copy,
    Swap,
    Drop,
    /// Drops what lies below the last operand.
    DropBelow,
    Jump(Target),
    JumpIfZero(Target),
    JumpUnlessZero(Target),
    /// A condition is decided; it stays.
    Decide,
    /// Leaves so many operands of the function.
    Cut(usize),
    Call(usize),
    Return,
    Input(Arc<str>, Kind),
    /// A variable has any value from now on.
    Open(Var),
    /// A function ends without a value where it should have one.
    OpenResult(Kind),
    /// An array gets its first value: the last operands at these places, zero elsewhere.
    Fill(Var, Vec<i64>),
    Assert(Fault),
    Assume,
    Stop,
}

impl Op {
    /// Where it may jump to.
    pub(super) fn target_mut(&mut self) -> Option<&mut Target> {
        if let Op::Jump(target) | Op::JumpIfZero(target) | Op::JumpUnlessZero(target) = self {
            return Some(target);
        }
        None
    }
    /// How many operands there are more afterwards; calls are counted where they are made.
    pub(super) fn effect(&self) -> isize {
        match self {
            Op::Constant(_)
            | Op::Load(_)
            | Op::Array(_)
            | Op::LoadElement { .. }
            | Op::Copy
            | Op::Input(..)
            | Op::OpenResult(_) => 1,
            Op::Subscript { dimension: 0, .. }
            | Op::Store(_)
            | Op::StoreElement { .. }
            | Op::Convert(..)
            | Op::Negate(_)
            | Op::Complement(_)
            | Op::Not
            | Op::Truth
            | Op::Swap
            | Op::Jump(_)
            | Op::Decide
            | Op::Cut(_)
            | Op::Call(_)
            | Op::Return
            | Op::Open(_)
            | Op::Stop => 0,
            Op::Subscript { .. }
            | Op::Keep(_)
            | Op::Compute(..)
            | Op::Drop
            | Op::DropBelow
            | Op::JumpIfZero(_)
            | Op::JumpUnlessZero(_)
            | Op::Assert(_)
            | Op::Assume => -1,
            Op::Fill(_, places) => -isize::try_from(places.len()).unwrap_or(isize::MAX),
        }
    }
    /// Whether it computes with operands alone.
    pub(super) fn is_pure(&self) -> bool {
        match self {
            Op::Constant(_)
            | Op::Convert(..)
            | Op::Compute(..)
            | Op::Negate(_)
            | Op::Complement(_)
            | Op::Not
            | Op::Truth
            | Op::Copy
            | Op::Swap
            | Op::Drop
            | Op::DropBelow
            | Op::Jump(_)
            | Op::JumpIfZero(_)
            | Op::JumpUnlessZero(_)
            | Op::Decide
            | Op::Return => true,
            Op::Load(_)
            | Op::Store(_)
            | Op::Keep(_)
            | Op::Array(_)
            | Op::Subscript { .. }
            | Op::LoadElement { .. }
            | Op::StoreElement { .. }
            | Op::Cut(_)
            | Op::Call(_)
            | Op::Input(..)
            | Op::Open(_)
            | Op::OpenResult(_)
            | Op::Fill(..)
            | Op::Assert(_)
            | Op::Assume
            | Op::Stop => false,
        }
    }
}
