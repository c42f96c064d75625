//! The functions of bit-vectors: literals, and operations made of those that terms have.
//!
//! What SMT-LIB defines as an abbreviation is written out: `bvsub` by the product with −1, strict
//! comparisons by negation, rotations by concatenation, overflow by comparing with a wider vector.
//!
//! Source: [SMTLIB] theory `FixedSizeBitVectors`.

use shofar_base::Read;
use shofar_num::{Bits, Rational, power_of_two};
use shofar_term::print::print_sort;
use shofar_term::{BitsOp, Sort, Term, TermStore, WIDEST};

use crate::apply::arguments;
use crate::elaborate::{Elaborator, Frame};
use crate::operation::{OPERATIONS, Operation};
use crate::sexpr::too_wide;
use crate::token::Token;

/// A function of bit-vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BitsFunction {
    /// An operation as it is; `and`, `or`, `xor`, sums, products and concatenations of any number
    /// of arguments.
    Op(BitsOp),
    /// The complement of `and`, `or` or `xor`.
    Negated(BitsOp),
    /// A comparison by `Ule` or `Sle`.
    Compare(BitsOp, Order),
    Neg,
    Sub,
    /// One bit that tells whether two vectors are equal.
    Comp,
    Overflow(Overflow),
    /// Whether a product stays within a limit.
    Fits(Limit),
    /// One bit: all bits of a vector together, by `and`, `or` or `xor`.
    Reduce(BitsOp),
    Repeat(u32),
    RotateLeft(u32),
    RotateRight(u32),
    /// By as many places as the second vector says.
    RotateBy(Direction),
    /// A bit as a formula.
    Test(u16),
    /// A choice by one bit.
    Choose,
    /// An integer as a vector of so many bits.
    OfInt(u32),
    ToNat,
    ToInt,
}

/// How two vectors are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Le,
    Lt,
    Ge,
    Gt,
}

/// What may overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overflow {
    Neg,
    Uadd,
    Sadd,
    Usub,
    Ssub,
    Umul,
    Smul,
    Sdiv,
}

/// What a product does not exceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    /// The largest number without a sign.
    Unsigned,
    /// The largest number with a sign.
    Largest,
    /// The smallest number with a sign.
    Smallest,
}

/// Where the bits of a vector go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Left,
    Right,
}

impl BitsFunction {
    /// How many arguments it takes, at least if `any` follows.
    fn arity(self) -> (usize, bool) {
        match self {
            BitsFunction::Op(op) => match op {
                BitsOp::And
                | BitsOp::Or
                | BitsOp::Xor
                | BitsOp::Add
                | BitsOp::Mul
                | BitsOp::Concat => (1, true),
                BitsOp::Not
                | BitsOp::Extract(..)
                | BitsOp::SignExtend(_)
                | BitsOp::ZeroExtend(_) => (1, false),
                BitsOp::Udiv
                | BitsOp::Urem
                | BitsOp::Sdiv
                | BitsOp::Srem
                | BitsOp::Smod
                | BitsOp::Shl
                | BitsOp::Lshr
                | BitsOp::Ashr
                | BitsOp::Ule
                | BitsOp::Sle => (2, false),
            },
            BitsFunction::Negated(BitsOp::Xor) | BitsFunction::Compare(..) => (2, true),
            BitsFunction::Overflow(overflow) => {
                (if overflow == Overflow::Neg { 1 } else { 2 }, false)
            }
            BitsFunction::Negated(_)
            | BitsFunction::Sub
            | BitsFunction::Comp
            | BitsFunction::Fits(_)
            | BitsFunction::RotateBy(_) => (2, false),
            BitsFunction::Choose => (3, false),
            BitsFunction::Neg
            | BitsFunction::Reduce(_)
            | BitsFunction::Test(_)
            | BitsFunction::Repeat(_)
            | BitsFunction::RotateLeft(_)
            | BitsFunction::RotateRight(_)
            | BitsFunction::OfInt(_)
            | BitsFunction::ToNat
            | BitsFunction::ToInt => (1, false),
        }
    }
}

impl Elaborator<'_, '_> {
    /// A literal such as `#x0f` or `#b01`.
    pub(crate) fn bits_literal(&mut self, token: Token) -> Read<Term> {
        let literal = self.lexer.token_str(token);
        // A digit is at least one bit.
        let is_short = literal.len() <= 2 + WIDEST as usize;
        let bits = if is_short { Bits::from_literal(literal) } else { None };
        match bits.filter(|bits| bits.width() <= WIDEST) {
            Some(bits) => Ok(self.store.bits(&bits)),
            None => Err(self.lexer.error_at(token, too_wide())),
        }
    }
    /// `(_ bvN w)`, behind the underscore.
    pub(crate) fn bits_numeral(&mut self, name: Token) -> Read<Term> {
        let value: Rational = self.lexer.token_str(name)[2..].parse().expect("digits are a number");
        let (width, token) = crate::sexpr::index(self.lexer)?;
        if width == 0 {
            return Err(self.lexer.error_at(token, "a bit-vector has at least one bit"));
        }
        if value >= power_of_two(width) {
            let message = format!(
                "the number {} does not fit into {width} bits",
                &self.lexer.token_str(name)[2..]
            );
            return Err(self.lexer.error_at(name, message));
        }
        self.expect_close()?;
        Ok(self.store.bits(&Bits::new(width, &value)))
    }
    /// Checks an argument of a function of bit-vectors; the ones before it are the last values.
    pub(crate) fn accept_bits(
        &mut self,
        function: BitsFunction,
        position: usize,
        term: Term,
        start: usize,
    ) -> Read<Term> {
        let sort = self.store.sort(term);
        if let BitsFunction::OfInt(_) = function {
            return match self.coerce(term, Sort::INT) {
                Some(term) => Ok(term),
                None => Err(self.wrong_sort(start, "Int", sort)),
            };
        }
        if self.store.bits_width(sort).is_none() {
            return Err(self.wrong_sort(start, "BitVec", sort));
        }
        if function == BitsFunction::Choose
            && position == 0
            && self.store.bits_width(sort) != Some(1)
        {
            return Err(self.wrong_sort(start, "(_ BitVec 1)", sort));
        }
        let alike = usize::from(function == BitsFunction::Choose);
        if position > alike && function != BitsFunction::Op(BitsOp::Concat) {
            let before = position - alike;
            let first = self.sort_of(self.work.values[self.work.values.len() - before]);
            if first != sort {
                return Err(self.wrong_sort(start, &print_sort(self.store, first), sort));
            }
        }
        Ok(term)
    }
    /// A function of bit-vectors applied to arguments of the right sorts.
    pub(crate) fn apply_bits(
        &mut self,
        function: BitsFunction,
        terms: &[Term],
        frame: Frame,
    ) -> Read<Term> {
        let (least, is_any) = function.arity();
        if terms.len() < least || !is_any && terms.len() > least {
            let at_least = if is_any { "at least " } else { "" };
            let (name, wanted) = (name_of(function), arguments(least));
            let message = format!("`{name}` takes {at_least}{wanted}, found {}", terms.len());
            return Err(self.error(frame, message));
        }
        if self.result_width(function, terms).is_none_or(|width| width > WIDEST) {
            return Err(self.error(frame, too_wide()));
        }
        if let (BitsFunction::Op(BitsOp::Extract(high, low)), [term]) = (function, terms) {
            let width = self.store.width(*term);
            if low > high || u32::from(high) >= width {
                let message =
                    format!("`(_ extract {high} {low})` does not fit a bit-vector of {width} bits");
                return Err(self.error(frame, message));
            }
        }
        if let (BitsFunction::Test(at), [term]) = (function, terms)
            && u32::from(at) >= self.store.width(*term)
        {
            let width = self.store.width(*term);
            let message = format!("a bit-vector of {width} bits has no bit {at}");
            return Err(self.error(frame, message));
        }
        if let BitsFunction::Repeat(0) = function {
            return Err(self.error(frame, "`repeat` needs a positive index".to_owned()));
        }
        Ok(make(self.store, function, terms))
    }
    /// The widest vector that is made, if its width can be counted.
    fn result_width(&self, function: BitsFunction, terms: &[Term]) -> Option<u32> {
        let width = |term: Term| self.store.bits_width(self.store.sort(term)).unwrap_or(0);
        let first = width(terms[0]);
        match function {
            BitsFunction::Op(BitsOp::Concat) => {
                terms.iter().try_fold(0u32, |sum, &term| sum.checked_add(width(term)))
            }
            BitsFunction::Op(BitsOp::SignExtend(more) | BitsOp::ZeroExtend(more)) => {
                first.checked_add(more.into())
            }
            BitsFunction::Repeat(count) => first.checked_mul(count),
            BitsFunction::Overflow(Overflow::Umul | Overflow::Smul) | BitsFunction::Fits(_) => {
                first.checked_mul(2)
            }
            BitsFunction::Overflow(_) => first.checked_add(1),
            BitsFunction::Op(_)
            | BitsFunction::Negated(_)
            | BitsFunction::Compare(..)
            | BitsFunction::Neg
            | BitsFunction::Sub
            | BitsFunction::Comp
            | BitsFunction::Reduce(_)
            | BitsFunction::Test(_)
            | BitsFunction::RotateLeft(_)
            | BitsFunction::RotateRight(_)
            | BitsFunction::RotateBy(_)
            | BitsFunction::Choose
            | BitsFunction::OfInt(_)
            | BitsFunction::ToNat
            | BitsFunction::ToInt => Some(first),
        }
    }
}

/// What a message calls the function.
fn name_of(function: BitsFunction) -> &'static str {
    let found = OPERATIONS.iter().find(|(_, known)| *known == Operation::Bits(function));
    found.map_or("an indexed function", |&(name, _)| name)
}

/// The term, when arguments and widths have been checked.
fn make(store: &mut TermStore, function: BitsFunction, terms: &[Term]) -> Term {
    match function {
        BitsFunction::Op(BitsOp::Add) if terms.len() > 1 => store.bits_op(BitsOp::Add, terms),
        BitsFunction::Op(op) if terms.len() == 1 => match op {
            BitsOp::Not | BitsOp::Extract(..) | BitsOp::SignExtend(_) | BitsOp::ZeroExtend(_) => {
                store.bits_op(op, terms)
            }
            BitsOp::And
            | BitsOp::Or
            | BitsOp::Xor
            | BitsOp::Add
            | BitsOp::Mul
            | BitsOp::Udiv
            | BitsOp::Urem
            | BitsOp::Sdiv
            | BitsOp::Srem
            | BitsOp::Smod
            | BitsOp::Shl
            | BitsOp::Lshr
            | BitsOp::Ashr
            | BitsOp::Concat
            | BitsOp::Ule
            | BitsOp::Sle => terms[0],
        },
        BitsFunction::Op(BitsOp::Concat) => concat(store, terms.to_vec()),
        BitsFunction::Op(op) => fold(store, op, terms),
        BitsFunction::Negated(op) => {
            let inner = fold(store, op, &terms[..2]);
            let first = store.bits_op(BitsOp::Not, &[inner]);
            terms[2..].iter().fold(first, |left, &right| {
                let inner = store.bits_op(op, &[left, right]);
                store.bits_op(BitsOp::Not, &[inner])
            })
        }
        BitsFunction::Compare(op, order) => {
            let mut links = Vec::with_capacity(terms.len());
            for pair in terms.windows(2) {
                links.push(compare(store, op, order, pair[0], pair[1]));
            }
            store.and(&links)
        }
        BitsFunction::Neg => negate(store, terms[0]),
        BitsFunction::Sub => subtract(store, terms[0], terms[1]),
        BitsFunction::Comp => {
            let equal = store.eq(terms[0], terms[1]);
            as_bit(store, equal)
        }
        BitsFunction::Overflow(kind) => overflows(store, kind, terms),
        BitsFunction::Fits(limit) => fits(store, limit, terms),
        BitsFunction::Reduce(op) => reduce(store, op, terms[0]),
        BitsFunction::Test(at) => {
            let (bit, one) =
                (store.bits_op(BitsOp::Extract(at, at), &terms[..1]), store.bits_of(1, 1));
            store.eq(bit, one)
        }
        BitsFunction::Choose => {
            let one = store.bits_of(1, 1);
            let is_set = store.eq(terms[0], one);
            store.ite(is_set, terms[1], terms[2])
        }
        BitsFunction::RotateBy(direction) => rotate_by(store, direction, terms),
        BitsFunction::Repeat(count) => {
            let copies = vec![terms[0]; count as usize];
            concat(store, copies)
        }
        BitsFunction::RotateLeft(count) => {
            let width = store.width(terms[0]);
            rotate(store, terms[0], count % width)
        }
        BitsFunction::RotateRight(count) => {
            let width = store.width(terms[0]);
            rotate(store, terms[0], (width - count % width) % width)
        }
        BitsFunction::OfInt(width) => store.bits_of_int(width, terms[0]),
        BitsFunction::ToNat => store.bits_to_nat(terms[0]),
        BitsFunction::ToInt => store.bits_to_int(terms[0]),
    }
}

/// A binary operation of at least one argument, from the left.
fn fold(store: &mut TermStore, op: BitsOp, terms: &[Term]) -> Term {
    terms[1..].iter().fold(terms[0], |left, &right| store.bits_op(op, &[left, right]))
}

/// The bits of at least one vector, in a tree without long branches, whose parts would be as wide
/// as the whole.
fn concat(store: &mut TermStore, mut terms: Vec<Term>) -> Term {
    while terms.len() > 1 {
        terms = terms
            .chunks(2)
            .map(|pair| match pair {
                [high, low] => store.bits_op(BitsOp::Concat, &[*high, *low]),
                _ => pair[0],
            })
            .collect();
    }
    terms[0]
}

fn negate(store: &mut TermStore, term: Term) -> Term {
    let minus_one = store.bits_of(store.width(term), -1);
    store.bits_op(BitsOp::Mul, &[minus_one, term])
}

fn subtract(store: &mut TermStore, a: Term, b: Term) -> Term {
    let minus = negate(store, b);
    store.bits_op(BitsOp::Add, &[a, minus])
}

fn compare(store: &mut TermStore, op: BitsOp, order: Order, a: Term, b: Term) -> Term {
    match order {
        Order::Le => store.bits_op(op, &[a, b]),
        Order::Ge => store.bits_op(op, &[b, a]),
        Order::Lt => {
            let at_least = store.bits_op(op, &[b, a]);
            store.not(at_least)
        }
        Order::Gt => {
            let at_most = store.bits_op(op, &[a, b]);
            store.not(at_most)
        }
    }
}

/// The first `count` bits, of fewer than there are, behind the others.
fn rotate(store: &mut TermStore, term: Term, count: u32) -> Term {
    if count == 0 {
        return term;
    }
    let position = |bit: u32| u16::try_from(bit).expect("widths are short");
    let width = store.width(term);
    let (last, cut) = (position(width - 1), position(width - count));
    let low = store.bits_op(BitsOp::Extract(cut - 1, 0), &[term]);
    let high = store.bits_op(BitsOp::Extract(last, cut), &[term]);
    store.bits_op(BitsOp::Concat, &[low, high])
}

/// A formula as one bit.
fn as_bit(store: &mut TermStore, formula: Term) -> Term {
    let (one, zero) = (store.bits_of(1, 1), store.bits_of(1, 0));
    store.ite(formula, one, zero)
}

/// All bits of a vector together.
fn reduce(store: &mut TermStore, op: BitsOp, term: Term) -> Term {
    let width = store.width(term);
    if op != BitsOp::Xor {
        let is_and = op == BitsOp::And;
        let neutral = store.bits_of(width, if is_and { -1 } else { 0 });
        let is_neutral = store.eq(term, neutral);
        let formula = if is_and { is_neutral } else { store.not(is_neutral) };
        return as_bit(store, formula);
    }
    let mut bits = Vec::new();
    for at in 0..u16::try_from(width).expect("widths are short") {
        bits.push(store.bits_op(BitsOp::Extract(at, at), &[term]));
    }
    fold(store, op, &bits)
}

/// A rotation by the value of the second vector, modulo the width.
fn rotate_by(store: &mut TermStore, direction: Direction, terms: &[Term]) -> Term {
    let width = store.width(terms[0]);
    let size = store.bits_of(width, i64::from(width));
    let places = store.bits_op(BitsOp::Urem, &[terms[1], size]);
    let rest = subtract(store, size, places);
    let (first, second) = match direction {
        Direction::Left => (BitsOp::Shl, BitsOp::Lshr),
        Direction::Right => (BitsOp::Lshr, BitsOp::Shl),
    };
    let moved = store.bits_op(first, &[terms[0], places]);
    let round = store.bits_op(second, &[terms[0], rest]);
    store.bits_op(BitsOp::Or, &[moved, round])
}

/// Whether the product of two vectors stays within a limit.
fn fits(store: &mut TermStore, limit: Limit, terms: &[Term]) -> Term {
    let width = store.width(terms[0]);
    let overflow = match limit {
        Limit::Unsigned => overflows(store, Overflow::Umul, terms),
        Limit::Largest | Limit::Smallest => {
            // A product that overflows is above the largest number if its factors have one sign.
            let beyond = overflows(store, Overflow::Smul, terms);
            let zero = store.bits_of(width, 0);
            let [a, b] =
                [terms[0], terms[1]].map(|term| compare(store, BitsOp::Sle, Order::Lt, term, zero));
            let alike = store.iff(a, b);
            let side = if limit == Limit::Largest { alike } else { store.not(alike) };
            store.and(&[beyond, side])
        }
    };
    store.not(overflow)
}

/// Whether the result of an operation is another number than that of the integers.
fn overflows(store: &mut TermStore, kind: Overflow, terms: &[Term]) -> Term {
    let width = store.width(terms[0]);
    let more = u16::try_from(width).expect("widths are short");
    let smallest = store.bits(&Bits::new(width, &power_of_two(width - 1)));
    let is_smallest = store.eq(terms[0], smallest);
    let wrong =
        |store: &mut TermStore, extend: BitsOp, op: fn(&mut TermStore, Term, Term) -> Term| {
            let narrow = op(store, terms[0], terms[1]);
            let (a, b) = (store.bits_op(extend, &terms[..1]), store.bits_op(extend, &terms[1..]));
            let (wide, narrow) = (op(store, a, b), store.bits_op(extend, &[narrow]));
            let same = store.eq(wide, narrow);
            store.not(same)
        };
    let add: fn(&mut TermStore, Term, Term) -> Term = |s, a, b| s.bits_op(BitsOp::Add, &[a, b]);
    let multiply: fn(&mut TermStore, Term, Term) -> Term =
        |s, a, b| s.bits_op(BitsOp::Mul, &[a, b]);
    match kind {
        Overflow::Neg => is_smallest,
        Overflow::Uadd => wrong(store, BitsOp::ZeroExtend(1), add),
        Overflow::Sadd => wrong(store, BitsOp::SignExtend(1), add),
        Overflow::Usub => compare(store, BitsOp::Ule, Order::Lt, terms[0], terms[1]),
        Overflow::Ssub => wrong(store, BitsOp::SignExtend(1), subtract),
        Overflow::Umul => wrong(store, BitsOp::ZeroExtend(more), multiply),
        Overflow::Smul => wrong(store, BitsOp::SignExtend(more), multiply),
        Overflow::Sdiv => {
            let minus_one = store.bits_of(width, -1);
            let by_minus_one = store.eq(terms[1], minus_one);
            store.and(&[is_smallest, by_minus_one])
        }
    }
}
