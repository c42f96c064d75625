//! A program as blocks of instructions: what a text in C says, before it becomes clauses.
//!
//! Expressions are terms over the variables; everything that has an effect is an instruction, in
//! the order in which it happens. Invariant: the variables in a term have the values that they have
//! when its instruction is executed.

use shofar_base::{IndexVec, Map, Span, index_type};
use shofar_chc::read::Property;
use shofar_num::Rational;
use shofar_term::{Sort, Symbol, Term, TermStore};

use super::types::{Arithmetic, Int};

index_type!(
    /// A variable of the program.
    pub(super) struct VarId
);
index_type!(
    /// A function that is not expanded where it is called.
    pub(super) struct FunctionId
);
index_type!(
    /// A block of a function.
    pub(super) struct BlockId
);

/// Why a program fails, where others have to know.
pub(super) const OVERFLOW: &str = "a signed number overflows";
pub(super) const OUT_OF_BOUNDS: &str = "an index is out of bounds";

/// What is a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    /// Everything that must not happen.
    All,
    /// An overflow alone; where anything else happens, the program ends.
    Overflows,
}

/// A whole program.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) arithmetic: Arithmetic,
    pub(super) property: Property,
    pub(super) variables: IndexVec<VarId, Variable>,
    /// The global variables with their values in the beginning.
    pub(super) globals: Vec<(VarId, Term)>,
    /// The first one is run.
    pub(super) functions: IndexVec<FunctionId, Function>,
}

/// A variable; that of a function is there once, however often the function is active.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    /// No other variable of the same function has it.
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) role: Role,
    pub(super) term: Term,
}

/// What a variable is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It lives as long as the program.
    Global,
    /// It belongs to a function, and is declared there.
    Local(Span),
    /// The value of a part of an expression, or of a function.
    Hidden,
}

/// A number, or an array of numbers with as many indices as there are lengths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) int: Int,
    pub(super) lengths: Vec<i64>,
}

/// In longer arrays the first elements are not looked at one by one.
const MOST_NOTED: i64 = 64;

impl Shape {
    pub(super) fn number(int: Int) -> Self {
        Self { int, lengths: Vec::new() }
    }
    pub(super) fn is_array(&self) -> bool {
        !self.lengths.is_empty()
    }
    /// Whether it has so many elements that these are not treated one by one.
    pub(super) fn is_long(&self) -> bool {
        self.lengths.iter().product::<i64>() > MOST_NOTED
    }
    pub(super) fn sort(&self, store: &mut TermStore) -> Sort {
        if self.is_array() { store.array_sort(Sort::INT, Sort::INT) } else { Sort::INT }
    }
    /// Zero, everywhere.
    pub(super) fn zero(&self, store: &mut TermStore) -> Term {
        let (sort, zero) = (self.sort(store), store.number(Rational::ZERO, Sort::INT));
        if self.is_array() { store.constant_array(sort, zero) } else { zero }
    }
}

impl Variable {
    /// What holds of every value that the variable can have, if that is not everything.
    pub(super) fn invariant(
        &self,
        store: &mut TermStore,
        arithmetic: Arithmetic,
        value: Term,
    ) -> Option<Term> {
        let int = self.shape.int;
        let is_bounded = !int.signed || arithmetic == Arithmetic::Checked;
        (is_bounded && !self.shape.is_array()).then(|| int.range(store, value))
    }
}

/// A function.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) parameters: Vec<VarId>,
    /// Holds what is returned.
    pub(super) result: Option<VarId>,
    pub(super) blocks: IndexVec<BlockId, Block>,
    /// All variables that occur, by their terms.
    pub(super) variables: Map<Term, VarId>,
}

/// Instructions that follow each other.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) instructions: Vec<Instruction>,
    pub(super) end: End,
    /// The loop whose head it is, or the label in front of it.
    pub(super) head: Option<Head>,
}

/// Where the invariant of a block belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) span: Span,
    pub(super) kind: HeadKind,
}

/// What is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeadKind {
    /// A loop that looks at its condition first.
    Loop,
    /// A loop that looks at its condition last.
    Repeat,
    Label,
}

/// What happens at the end of a block.
#[derive(Clone, Debug)]
pub(super) enum End {
    Goto(BlockId),
    /// Where the condition stands, if somebody wrote it.
    Branch {
        condition: Term,
        span: Option<Span>,
        yes: BlockId,
        no: BlockId,
    },
    Return(Span),
    /// Something that must not happen, and where, in the evaluation of an expression that stands by
    /// itself.
    Violation {
        why: &'static str,
        span: Span,
        full: Span,
    },
    /// The program ends, or what would follow is not of interest.
    Stop,
}

/// What a block does.
#[derive(Clone, Debug)]
pub(super) enum Instruction {
    Set {
        variable: VarId,
        value: Term,
        span: Span,
    },
    /// An element is set: `array` is the new array.
    SetElement {
        variable: VarId,
        indices: Vec<Term>,
        array: Term,
        element: Term,
        span: Span,
    },
    /// Any value of the type; if the environment gives it, by which function.
    Any {
        variable: VarId,
        input: Option<String>,
        span: Span,
    },
    Assume(Term),
    Call {
        callee: FunctionId,
        arguments: Vec<Term>,
        result: Option<VarId>,
        span: Span,
    },
}

impl Block {
    /// A block that ends nowhere yet.
    pub(super) fn new() -> Self {
        Self { instructions: Vec::new(), end: End::Stop, head: None }
    }
    /// The blocks that may follow.
    pub(super) fn successors(&self) -> Vec<BlockId> {
        match &self.end {
            End::Goto(next) => vec![*next],
            End::Branch { yes, no, .. } => vec![*yes, *no],
            End::Return(_) | End::Violation { .. } | End::Stop => Vec::new(),
        }
    }
}

impl Function {
    /// The variables by the symbols that stand for them.
    pub(super) fn symbols(&self, store: &TermStore) -> Map<Symbol, VarId> {
        let symbol = |(&term, &id): (&Term, &VarId)| Some((store.symbol(term)?, id));
        self.variables.sorted().into_iter().filter_map(symbol).collect()
    }
    /// Where it begins.
    pub(super) fn entry(&self) -> BlockId {
        self.blocks.handles().next().expect("a function has a block")
    }
}
