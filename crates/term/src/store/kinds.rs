//! Nodes of arrays, data and bit-vectors taken apart.

use shofar_base::Idx;

use super::{Node, Op, Term, TermStore};
use crate::{ArrayKind, BitsKind, BitsOp, Constructor, DataKind, Field, Kind};

impl TermStore {
    /// The view of a node that belongs to one of these theories.
    pub(super) fn theory_kind<'a>(&'a self, node: &'a Node, args: &'a [Term]) -> Kind<'a> {
        let payload = node.payload as usize;
        let (low, high) = halves(node.payload);
        let operation = match node.op {
            Op::Select => return Kind::Array(ArrayKind::Select(args[0], args[1])),
            Op::Store => return Kind::Array(ArrayKind::Store(args[0], args[1], args[2])),
            Op::ConstArray => return Kind::Array(ArrayKind::Const(args[0])),
            Op::Construct => {
                return Kind::Data(DataKind::Construct(Constructor::from_index(payload), args));
            }
            Op::Field => return Kind::Data(DataKind::Field(Field::from_index(payload), args[0])),
            Op::Is => return Kind::Data(DataKind::Is(Constructor::from_index(payload), args[0])),
            Op::BitsValue => return Kind::Bits(BitsKind::Value(&self.bits[payload])),
            Op::BitsOfInt => return Kind::Bits(BitsKind::OfInt(node.payload, args[0])),
            Op::BitsToNat => return Kind::Bits(BitsKind::ToNat(args[0])),
            Op::BitsNot => BitsOp::Not,
            Op::BitsAnd => BitsOp::And,
            Op::BitsOr => BitsOp::Or,
            Op::BitsXor => BitsOp::Xor,
            Op::BitsAdd => BitsOp::Add,
            Op::BitsMul => BitsOp::Mul,
            Op::BitsUdiv => BitsOp::Udiv,
            Op::BitsUrem => BitsOp::Urem,
            Op::BitsSdiv => BitsOp::Sdiv,
            Op::BitsSrem => BitsOp::Srem,
            Op::BitsSmod => BitsOp::Smod,
            Op::BitsShl => BitsOp::Shl,
            Op::BitsLshr => BitsOp::Lshr,
            Op::BitsAshr => BitsOp::Ashr,
            Op::BitsConcat => BitsOp::Concat,
            Op::BitsUle => BitsOp::Ule,
            Op::BitsSle => BitsOp::Sle,
            Op::BitsExtract => BitsOp::Extract(high, low),
            Op::BitsSignExtend => BitsOp::SignExtend(low),
            Op::BitsZeroExtend => BitsOp::ZeroExtend(low),
            Op::True
            | Op::False
            | Op::Symbol
            | Op::App
            | Op::Same
            | Op::Forall
            | Op::Exists
            | Op::Not
            | Op::And
            | Op::Or
            | Op::Iff
            | Op::Ite
            | Op::Number
            | Op::Sum
            | Op::Le
            | Op::Lt
            | Op::Eq
            | Op::Div
            | Op::Mod
            | Op::ToInt => unreachable!("the caller has looked"),
        };
        Kind::Bits(BitsKind::Op(operation, args))
    }
    /// `term` as an array operation.
    #[inline]
    pub fn array_kind(&self, term: Term) -> Option<ArrayKind> {
        if let Kind::Array(kind) = self.kind(term) { Some(kind) } else { None }
    }
    /// `term` as an operation on data.
    #[inline]
    pub fn data_kind(&self, term: Term) -> Option<DataKind<'_>> {
        if let Kind::Data(kind) = self.kind(term) { Some(kind) } else { None }
    }
    /// `term` as an operation on bit-vectors.
    #[inline]
    pub fn bits_kind(&self, term: Term) -> Option<BitsKind<'_>> {
        if let Kind::Bits(kind) = self.kind(term) { Some(kind) } else { None }
    }
}

/// How an operation on bit-vectors is kept in a node.
pub(crate) fn encode(op: BitsOp) -> (Op, u32) {
    match op {
        BitsOp::Not => (Op::BitsNot, 0),
        BitsOp::And => (Op::BitsAnd, 0),
        BitsOp::Or => (Op::BitsOr, 0),
        BitsOp::Xor => (Op::BitsXor, 0),
        BitsOp::Add => (Op::BitsAdd, 0),
        BitsOp::Mul => (Op::BitsMul, 0),
        BitsOp::Udiv => (Op::BitsUdiv, 0),
        BitsOp::Urem => (Op::BitsUrem, 0),
        BitsOp::Sdiv => (Op::BitsSdiv, 0),
        BitsOp::Srem => (Op::BitsSrem, 0),
        BitsOp::Smod => (Op::BitsSmod, 0),
        BitsOp::Shl => (Op::BitsShl, 0),
        BitsOp::Lshr => (Op::BitsLshr, 0),
        BitsOp::Ashr => (Op::BitsAshr, 0),
        BitsOp::Concat => (Op::BitsConcat, 0),
        BitsOp::Ule => (Op::BitsUle, 0),
        BitsOp::Sle => (Op::BitsSle, 0),
        BitsOp::Extract(high, low) => (Op::BitsExtract, u32::from(high) << 16 | u32::from(low)),
        BitsOp::SignExtend(more) => (Op::BitsSignExtend, more.into()),
        BitsOp::ZeroExtend(more) => (Op::BitsZeroExtend, more.into()),
    }
}

/// The low and the high half of a payload.
fn halves(payload: u32) -> (u16, u16) {
    let [a, b, c, d] = payload.to_le_bytes();
    (u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]))
}
