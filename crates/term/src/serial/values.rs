//! Values as bytes: a tag, then what the value is made of, parts in order.
//!
//! The sort is not written: whoever reads knows it. Reading keeps the values that it is in the
//! middle of in a list, so that a long list does not need a deep stack, and checks everything
//! against the sort.

use std::collections::BTreeMap;

use shofar_base::wire::{Reader, Wire, Writer};
use shofar_num::Bits;

use super::{read_number, write_number};
use crate::value::{ArrayValue, DataValue, Value};
use crate::{Constructor, Sort, SortKind, TermStore};

mod tag {
    pub(super) const FALSE: u8 = 1;
    pub(super) const TRUE: u8 = 2;
    pub(super) const NUMBER: u8 = 3;
    pub(super) const ELEMENT: u8 = 4;
    pub(super) const BITS: u8 = 5;
    pub(super) const DATA: u8 = 6;
    pub(super) const ARRAY: u8 = 7;
}

/// Writes a value; no value begins with a zero byte.
pub fn write_value(out: &mut Writer, store: &TermStore, value: &Value) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Bool(false) => out.byte(tag::FALSE),
            Value::Bool(true) => out.byte(tag::TRUE),
            Value::Number(number) => {
                out.byte(tag::NUMBER);
                write_number(out, number);
            }
            Value::Element(_, number) => {
                out.byte(tag::ELEMENT);
                out.number((*number).into());
            }
            Value::Bits(bits) => {
                out.byte(tag::BITS);
                write_number(out, bits.to_nat());
            }
            Value::Data(data) => {
                let all = store.constructors(data.sort()).expect("a data type has constructors");
                let place = all.iter().position(|&c| c == data.constructor());
                out.byte(tag::DATA);
                out.length(place.expect("it is one of them"));
            }
            Value::Array(array) => {
                out.byte(tag::ARRAY);
                out.length(array.entries().len());
            }
        }
        open.extend(value.parts().into_iter().rev());
    }
}

/// A compound value of which some parts have been read.
enum Frame {
    Data(Constructor, Vec<Value>),
    Array { sort: Sort, entries: usize, parts: Vec<Value> },
}

impl Frame {
    /// The sort of the next part; `None` if there is none.
    fn next(&self, store: &TermStore) -> Option<Sort> {
        match self {
            Frame::Data(constructor, fields) => {
                let all = store.constructor_fields(*constructor);
                all.get(fields.len()).map(|&field| store.field_sort(field))
            }
            Frame::Array { sort, entries, parts } => {
                let (index, element) = store.array_parts(*sort).expect("a sort of arrays");
                let is_index = parts.len() % 2 == 1;
                (parts.len() < 1 + 2 * entries).then_some(if is_index { index } else { element })
            }
        }
    }
    fn push(&mut self, part: Value) {
        match self {
            Frame::Data(_, parts) | Frame::Array { parts, .. } => parts.push(part),
        }
    }
    fn finish(self, store: &TermStore) -> Value {
        match self {
            Frame::Data(constructor, fields) => {
                Value::Data(DataValue::new(store, constructor, fields))
            }
            Frame::Array { sort, parts, .. } => {
                let mut parts = parts.into_iter();
                let default = parts.next().expect("an array has a default");
                let mut entries = BTreeMap::new();
                while let (Some(index), Some(element)) = (parts.next(), parts.next()) {
                    entries.insert(index, element);
                }
                Value::Array(ArrayValue::new(store, sort, default, entries))
            }
        }
    }
}

/// Reads a value of `sort` whose first byte has been read.
pub fn read_value(bytes: &mut Reader<'_>, store: &TermStore, first: u8, sort: Sort) -> Wire<Value> {
    let (mut frames, mut byte, mut sort) = (Vec::<Frame>::new(), first, sort);
    loop {
        let mut done = match head(bytes, store, byte, sort)? {
            Ok(value) => Some(value),
            Err(frame) => {
                frames.push(frame);
                None
            }
        };
        loop {
            let Some(mut frame) = frames.pop() else {
                return Ok(done.expect("without a frame, the value is complete"));
            };
            if let Some(value) = done.take() {
                frame.push(value);
            }
            match frame.next(store) {
                Some(next) => {
                    frames.push(frame);
                    sort = next;
                    byte = bytes.byte()?;
                    break;
                }
                None => done = Some(frame.finish(store)),
            }
        }
    }
}

/// A value that has no parts, or the beginning of one that may have some.
fn head(
    bytes: &mut Reader<'_>,
    store: &TermStore,
    byte: u8,
    sort: Sort,
) -> Wire<Result<Value, Frame>> {
    let value = match (byte, store.sort_kind(sort)) {
        (tag::FALSE, SortKind::Bool) => Value::Bool(false),
        (tag::TRUE, SortKind::Bool) => Value::Bool(true),
        (tag::NUMBER, SortKind::Int | SortKind::Real) => Value::Number(read_number(bytes)?),
        (tag::ELEMENT, SortKind::Uninterpreted(_)) => {
            let number = u32::try_from(bytes.number()?);
            Value::Element(sort, number.map_err(|_| bytes.error("a number is too large"))?)
        }
        (tag::BITS, SortKind::Bits(width)) => {
            let number = read_number(bytes)?;
            bytes.require(number.is_integer(), "a bit-vector is no integer")?;
            Value::bits(Bits::new(width, &number))
        }
        (tag::DATA, SortKind::Data(_, constructors)) => {
            let place = bytes.index(constructors.len(), "no such constructor")?;
            return Ok(Err(Frame::Data(constructors[place], Vec::new())));
        }
        (tag::ARRAY, SortKind::Array(..)) => {
            let entries = bytes.length()?;
            return Ok(Err(Frame::Array { sort, entries, parts: Vec::new() }));
        }
        _ => return Err(bytes.error("a value has the wrong sort")),
    };
    bytes.require(value.has_sort(store, sort), "a value has the wrong sort")?;
    Ok(Ok(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ConstructorDeclaration, DataDeclaration, FieldSort};

    #[test]
    fn values_travel() {
        let mut s = TermStore::new();
        let byte = s.bits_sort(8);
        let array = s.array_sort(Sort::INT, byte);
        let cons = ConstructorDeclaration {
            name: "cons".into(),
            fields: vec![("h".into(), FieldSort::Known(array)), ("t".into(), FieldSort::Own(0))],
        };
        let nil = ConstructorDeclaration { name: "nil".into(), fields: Vec::new() };
        let list = DataDeclaration { name: "L".into(), constructors: vec![cons, nil] };
        let sort = s.declare_data(vec![list]).expect("well-founded")[0];
        let [cons, nil] = *s.constructors(sort).expect("data") else { panic!("two") };
        let bits = |n: i64| Value::bits(Bits::new(8, &n.into()));
        let a = ArrayValue::constant(array, bits(7)).with(&s, Value::Number(3.into()), bits(1));
        let mut value = Value::Data(DataValue::new(&s, nil, Vec::new()));
        for _ in 0..100_000 {
            let fields = vec![Value::Array(a.clone()), value];
            value = Value::Data(DataValue::new(&s, cons, fields));
        }
        let mut out = Writer::new(b"TEST");
        write_value(&mut out, &s, &value);
        let bytes = out.finish();
        let mut reader = Reader::new(&bytes, b"TEST").expect("the magic word");
        let first = reader.byte().expect("a tag");
        assert_eq!(read_value(&mut reader, &s, first, sort), Ok(value));
        let mut reader = Reader::new(&bytes, b"TEST").expect("the magic word");
        let first = reader.byte().expect("a tag");
        assert!(read_value(&mut reader, &s, first, array).is_err());
    }
}
