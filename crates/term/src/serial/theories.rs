//! Terms over arrays, data and bit-vectors as bytes.

use shofar_base::wire::Wire;
use shofar_num::Bits;

use super::import::Reader;
use super::{Writer, tag};
use crate::{ArrayKind, BitsKind, BitsOp, DataKind, Term, WIDEST};

/// The operation without its parameters, and these.
fn parameters(op: BitsOp) -> (BitsOp, Vec<u16>) {
    if let BitsOp::Extract(high, low) = op {
        (BitsOp::Extract(0, 0), vec![high, low])
    } else if let BitsOp::SignExtend(more) = op {
        (BitsOp::SignExtend(0), vec![more])
    } else if let BitsOp::ZeroExtend(more) = op {
        (BitsOp::ZeroExtend(0), vec![more])
    } else {
        (op, Vec::new())
    }
}

impl Writer<'_> {
    pub(super) fn array(&mut self, at: usize, term: Term) {
        if let Some(ArrayKind::Const(_)) = self.store.array_kind(term) {
            self.sort(self.store.sort(term));
        }
        self.children(at, self.store.children(term));
    }
    pub(super) fn data(&mut self, at: usize, kind: DataKind<'_>) {
        match kind {
            DataKind::Construct(constructor, fields) => {
                self.constructor(constructor);
                self.children(at, fields);
            }
            DataKind::Field(field, term) => {
                self.constructor(self.store.field_constructor(field));
                self.out.length(self.store.field_place(field));
                self.child(at, term);
            }
            DataKind::Is(constructor, term) => {
                self.constructor(constructor);
                self.child(at, term);
            }
        }
    }
    pub(super) fn bits(&mut self, at: usize, kind: BitsKind<'_>) {
        match kind {
            BitsKind::Value(bits) => {
                self.out.number(bits.width().into());
                self.number(bits.to_nat());
            }
            BitsKind::Op(op, args) => {
                let (op, parameters) = parameters(op);
                let code = BitsOp::ALL.iter().position(|&known| known == op);
                self.out.length(code.expect("every operation has a code"));
                for parameter in parameters {
                    self.out.number(parameter.into());
                }
                self.out.length(args.len());
                self.children(at, args);
            }
            BitsKind::OfInt(width, term) => {
                self.out.number(width.into());
                self.child(at, term);
            }
            BitsKind::ToNat(term) => self.child(at, term),
        }
    }
}

impl Reader<'_> {
    pub(super) fn array(&mut self, tag: u8) -> Wire<Term> {
        let wrong = "an array has parts of the wrong sort";
        if tag == tag::CONST_ARRAY {
            let (sort, element) = (self.sort()?, self.child()?);
            let parts = self.store.array_parts(sort);
            self.bytes.require(parts.is_some_and(|p| p.1 == self.store.sort(element)), wrong)?;
            return Ok(self.store.constant_array(sort, element));
        }
        let (array, index) = (self.child()?, self.child()?);
        let (own_index, own_element) = self
            .store
            .array_parts(self.store.sort(array))
            .ok_or_else(|| self.bytes.error("an array is expected"))?;
        self.bytes.require(self.store.sort(index) == own_index, wrong)?;
        if tag == tag::SELECT {
            return Ok(self.store.select(array, index));
        }
        let element = self.child()?;
        self.bytes.require(self.store.sort(element) == own_element, wrong)?;
        Ok(self.store.store(array, index, element))
    }
    pub(super) fn data(&mut self, tag: u8) -> Wire<Term> {
        let constructor = self.constructor()?;
        let fields = self.store.constructor_fields(constructor).to_vec();
        if tag == tag::CONSTRUCT {
            let mut args = Vec::new();
            for field in fields {
                let arg = self.child()?;
                let fits = self.store.sort(arg) == self.store.field_sort(field);
                self.bytes.require(fits, "a field has the wrong sort")?;
                args.push(arg);
            }
            return Ok(self.store.construct(constructor, &args));
        }
        let place = match tag {
            tag::FIELD => Some(self.bytes.index(fields.len(), "no such field")?),
            _ => None,
        };
        let term = self.child()?;
        let fits = self.store.sort(term) == self.store.constructor_sort(constructor);
        self.bytes.require(fits, "a value of another data type is expected")?;
        Ok(match place {
            Some(place) => self.store.field(fields[place], term),
            None => self.store.is(constructor, term),
        })
    }
    fn width(&mut self) -> Wire<u32> {
        let width = u32::try_from(self.bytes.number()?).unwrap_or(0);
        self.bytes.require((1..=WIDEST).contains(&width), "no width of bit-vectors")?;
        Ok(width)
    }
    fn vector(&mut self) -> Wire<(Term, u32)> {
        let child = self.child()?;
        let width = self.store.bits_width(self.store.sort(child));
        Ok((child, width.ok_or_else(|| self.bytes.error("a bit-vector is expected"))?))
    }
    pub(super) fn bits(&mut self, tag: u8) -> Wire<Term> {
        match tag {
            tag::BITS_VALUE => {
                let (width, number) = (self.width()?, self.number()?);
                self.bytes.require(number.is_integer(), "a bit-vector is no integer")?;
                Ok(self.store.bits(&Bits::new(width, &number)))
            }
            tag::OF_INT => {
                let (width, integer) = (self.width()?, self.child()?);
                self.bytes.require(self.store.sort(integer).is_int(), "an integer is expected")?;
                Ok(self.store.bits_of_int(width, integer))
            }
            tag::TO_NAT => {
                let (bits, _) = self.vector()?;
                Ok(self.store.bits_to_nat(bits))
            }
            _ => self.bits_operation(),
        }
    }
    fn bits_operation(&mut self) -> Wire<Term> {
        let code = self.bytes.index(BitsOp::ALL.len(), "unknown operation on bit-vectors")?;
        let op = self.with_parameters(BitsOp::ALL[code])?;
        let count = self.bytes.length()?;
        let mut args = Vec::new();
        for _ in 0..count {
            args.push(self.vector()?);
        }
        let first = args.first().map_or(0, |arg| arg.1);
        let sum = args.iter().fold(0u32, |sum, arg| sum.saturating_add(arg.1));
        let fits = match op {
            BitsOp::Not => count == 1,
            BitsOp::Extract(high, low) => count == 1 && low <= high && u32::from(high) < first,
            BitsOp::SignExtend(more) | BitsOp::ZeroExtend(more) => {
                count == 1 && first + u32::from(more) <= WIDEST
            }
            BitsOp::Concat => count == 2 && sum <= WIDEST,
            BitsOp::Add => count >= 2 && args.iter().all(|arg| arg.1 == first),
            BitsOp::And
            | BitsOp::Or
            | BitsOp::Xor
            | BitsOp::Mul
            | BitsOp::Udiv
            | BitsOp::Urem
            | BitsOp::Sdiv
            | BitsOp::Srem
            | BitsOp::Smod
            | BitsOp::Shl
            | BitsOp::Lshr
            | BitsOp::Ashr
            | BitsOp::Ule
            | BitsOp::Sle => count == 2 && args.iter().all(|arg| arg.1 == first),
        };
        self.bytes.require(fits, "an operation on bit-vectors has the wrong arguments")?;
        let args: Vec<Term> = args.into_iter().map(|arg| arg.0).collect();
        Ok(self.store.bits_op(op, &args))
    }
    fn with_parameters(&mut self, op: BitsOp) -> Wire<BitsOp> {
        Ok(if let BitsOp::Extract(..) = op {
            BitsOp::Extract(self.small()?, self.small()?)
        } else if let BitsOp::SignExtend(_) = op {
            BitsOp::SignExtend(self.small()?)
        } else if let BitsOp::ZeroExtend(_) = op {
            BitsOp::ZeroExtend(self.small()?)
        } else {
            op
        })
    }
    fn small(&mut self) -> Wire<u16> {
        let number = self.bytes.number()?;
        u16::try_from(number).map_err(|_| self.bytes.error("a position is too large"))
    }
}
