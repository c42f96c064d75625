//! The view of a term that [`TermStore::kind`](crate::TermStore::kind) gives, grouped by theory.

use shofar_num::{Bits, Rational};

use crate::{Constructor, Field, Quantifier, Symbol, Term};

/// A term taken apart.
///
/// What a theory owns is one variant with a type of its own, so that a list of kinds outside the
/// theory does not change when the theory gets another one.
#[derive(Clone, Copy, Debug)]
pub enum Kind<'a> {
    /// Truth.
    True,
    /// Falsity.
    False,
    /// A declared constant.
    Symbol(Symbol),
    /// Negation; never of a negation or of a truth value.
    Not(Term),
    /// Conjunction of at least two distinct formulas, sorted by handle.
    And(&'a [Term]),
    /// Disjunction of at least two distinct formulas, sorted by handle.
    Or(&'a [Term]),
    /// Equivalence of two formulas that are no negations, sorted by handle.
    Iff(Term, Term),
    /// Choice, of any sort; the condition is no negation.
    Ite(Term, Term, Term),
    /// Equality of two different terms of one sort that is neither Bool nor arithmetic, sorted by
    /// handle.
    Same(Term, Term),
    /// A declared function or predicate applied to at least one argument.
    App(Symbol, &'a [Term]),
    /// A quantified formula: its body, and at least one declared constant that is bound in it.
    Quantified(Quantifier, Term, &'a [Term]),
    /// A number, an arithmetic term or a comparison of one.
    Arith(ArithKind<'a>),
    /// An array, or what it holds; of sort Bool if the elements are formulas.
    Array(ArrayKind),
    /// A term made by a constructor, a field or a test; of sort Bool if it is a test or the field
    /// is a formula.
    Data(DataKind<'a>),
    /// A bit-vector, a comparison of bit-vectors, or the number of one.
    Bits(BitsKind<'a>),
}

/// What the theory of arrays owns, equality apart.
#[derive(Clone, Copy, Debug)]
pub enum ArrayKind {
    /// `a[i]`.
    Select(Term, Term),
    /// `a` with `v` at `i`: array, index, element.
    Store(Term, Term, Term),
    /// The array that is the same everywhere; its sort is that of the term.
    Const(Term),
}

/// What the theory of data types owns, equality apart.
#[derive(Clone, Copy, Debug)]
pub enum DataKind<'a> {
    /// A constructor applied to its fields.
    Construct(Constructor, &'a [Term]),
    /// A selector. Of a value that another constructor made, it is not specified, but a function of
    /// the value.
    Field(Field, Term),
    /// Whether a value was made by the constructor.
    Is(Constructor, Term),
}

/// What the theory of bit-vectors owns, equality apart.
#[derive(Clone, Copy, Debug)]
pub enum BitsKind<'a> {
    /// A constant.
    Value(&'a Bits),
    /// An operation on vectors of one width (but for `Concat`, `Extract` and the extensions), with
    /// as many arguments as it takes.
    Op(BitsOp, &'a [Term]),
    /// The last bits of an integer in two's complement.
    OfInt(u32, Term),
    /// The number in the binary system.
    ToNat(Term),
}

/// The operations on bit-vectors, as in SMT-LIB; what is not here is made of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BitsOp {
    /// Bitwise negation.
    Not,
    /// Bitwise conjunction of two.
    And,
    /// Bitwise disjunction of two.
    Or,
    /// Bitwise difference of two.
    Xor,
    /// The sum of at least two.
    Add,
    /// The product of two.
    Mul,
    /// The unsigned quotient.
    Udiv,
    /// The unsigned remainder.
    Urem,
    /// The signed quotient, rounded towards zero.
    Sdiv,
    /// The signed remainder, with the sign of the dividend.
    Srem,
    /// The signed remainder, with the sign of the divisor.
    Smod,
    /// Shift to the left.
    Shl,
    /// Shift to the right, zeros follow.
    Lshr,
    /// Shift to the right, copies of the sign follow.
    Ashr,
    /// The bits of two vectors, the high ones first.
    Concat,
    /// The bits from the first position down to the second, both included.
    Extract(u16, u16),
    /// So many copies of the sign in front.
    SignExtend(u16),
    /// So many zeros in front.
    ZeroExtend(u16),
    /// Unsigned comparison `≤`, a formula.
    Ule,
    /// Signed comparison `≤`, a formula.
    Sle,
}

impl BitsOp {
    /// All operations, those with positions or counts at zero. Serialised terms name an operation
    /// by its place here.
    pub const ALL: [BitsOp; 20] = [
        BitsOp::Not,
        BitsOp::And,
        BitsOp::Or,
        BitsOp::Xor,
        BitsOp::Add,
        BitsOp::Mul,
        BitsOp::Udiv,
        BitsOp::Urem,
        BitsOp::Sdiv,
        BitsOp::Srem,
        BitsOp::Smod,
        BitsOp::Shl,
        BitsOp::Lshr,
        BitsOp::Ashr,
        BitsOp::Concat,
        BitsOp::Extract(0, 0),
        BitsOp::SignExtend(0),
        BitsOp::ZeroExtend(0),
        BitsOp::Ule,
        BitsOp::Sle,
    ];
    /// Whether it makes a vector of two that are as wide.
    pub fn is_binary(self) -> bool {
        let changes_width = matches!(
            self,
            BitsOp::Concat | BitsOp::Extract(..) | BitsOp::SignExtend(_) | BitsOp::ZeroExtend(_)
        );
        self != BitsOp::Not && !changes_width && !self.is_comparison()
    }
    /// Whether it is a comparison.
    pub fn is_comparison(self) -> bool {
        matches!(self, BitsOp::Ule | BitsOp::Sle)
    }
}

/// What linear arithmetic owns.
///
/// The *form* of an atom is a term that is not a sum, or a sum with constant 0, coprime integer
/// coefficients and a positive leading one. `≥` and `>` are negations. If every monomial of the
/// form is an integer, only `Le` and `Eq` occur, with an integral bound.
#[derive(Clone, Copy, Debug)]
pub enum ArithKind<'a> {
    /// A number.
    Number(&'a Rational),
    /// A linear combination that is neither a number nor a single monomial.
    Sum(Sum<'a>),
    /// `form ≤ bound`.
    Le(Term, &'a Rational),
    /// `form < bound`, for forms that are not all integer.
    Lt(Term, &'a Rational),
    /// `form = bound`.
    Eq(Term, &'a Rational),
    /// Euclidean quotient by an integer of at least 2.
    Div(Term, &'a Rational),
    /// Euclidean remainder by an integer of at least 2.
    Mod(Term, &'a Rational),
    /// The largest integer that is not above a real term.
    ToInt(Term),
}

/// `c₁·t₁ + … + cₙ·tₙ + k`, with the `tᵢ` sorted by handle, none of them a number or a sum.
#[derive(Clone, Copy, Debug)]
pub struct Sum<'a> {
    pub(crate) numbers: &'a [Rational],
    pub(crate) constant: u32,
    pub(crate) coefficients: &'a [u32],
    pub(crate) terms: &'a [Term],
}

impl<'a> Sum<'a> {
    /// The constant summand.
    pub fn constant(self) -> &'a Rational {
        &self.numbers[self.constant as usize]
    }
    /// How many monomials there are.
    pub fn len(self) -> usize {
        self.terms.len()
    }
    /// Whether there is no monomial; false for every sum in a store.
    pub fn is_empty(self) -> bool {
        self.terms.is_empty()
    }
    /// The monomials.
    pub fn iter(self) -> impl ExactSizeIterator<Item = (&'a Rational, Term)> {
        self.coefficients.iter().zip(self.terms).map(move |(&c, &t)| (&self.numbers[c as usize], t))
    }
}
