//! Values as SMT-LIB writes them.

use super::shared::{SharedValues, Written, writes};
use crate::print::{print_constructor, print_number, print_sort, quote};
use crate::{Sort, TermStore, Value};

/// A piece of text still to be written.
enum Piece<'v> {
    Value(&'v Value, Sort),
    Text(String),
}

/// With more parts, a value is written as a term whose common parts have names.
const MOST_PARTS: usize = 100_000;

/// `value`, which is one of `sort`, as a term of SMT-LIB: a literal, the name of an element, a
/// constructor term, or writes to a constant array. [`read_value`](super::read_value) reads it,
/// unless it is so large that it has `let`s.
pub fn print_value(store: &TermStore, value: &Value, sort: Sort) -> String {
    if value.is_longer_than(MOST_PARTS) {
        let mut store = store.clone();
        let term = store.value_term(value, sort);
        return crate::print::print(&store, term);
    }
    print_with(store, value, sort, None)
}

/// The same with names for values that occur again.
pub(super) fn print_with(
    store: &TermStore,
    value: &Value,
    sort: Sort,
    mut shared: Option<&mut SharedValues>,
) -> String {
    let (mut out, mut open) = (String::new(), vec![Piece::Value(value, sort)]);
    while let Some(piece) = open.pop() {
        let mut base = None;
        if let Piece::Value(value @ (Value::Data(_) | Value::Array(_)), _) = piece
            && let Some(shared) = &mut shared
        {
            match shared.write(value) {
                Ok(name) => {
                    out.push_str(&name);
                    continue;
                }
                Err(Written { around, base: known }) => {
                    if let Some((before, behind)) = around {
                        out.push_str(&before);
                        open.push(Piece::Text(behind));
                    }
                    base = known;
                }
            }
        }
        match piece {
            Piece::Text(text) => out.push_str(&text),
            Piece::Value(Value::Bool(value), _) => out.push_str(&value.to_string()),
            Piece::Value(Value::Number(number), sort) => out.push_str(&print_number(number, sort)),
            Piece::Value(Value::Element(sort, number), _) => {
                out.push_str(&quote(&store.element_name(*sort, *number)));
            }
            Piece::Value(Value::Bits(bits), _) => out.push_str(&bits.to_string()),
            Piece::Value(value @ Value::Data(data), _) => {
                let name = print_constructor(store, data.constructor());
                let parts = parts(store, value);
                if parts.is_empty() {
                    out.push_str(&name);
                    continue;
                }
                open.push(Piece::Text(")".to_owned()));
                push_parts(&mut open, parts);
                out.push('(');
                out.push_str(&name);
            }
            Piece::Value(Value::Array(array), sort) if base.is_some() => {
                let (name, base) = base.expect("the guard has looked");
                let (index, element) = store.array_parts(sort).expect("a sort of arrays");
                for (at, value) in writes(&base, array).unwrap_or_default().into_iter().rev() {
                    open.push(Piece::Text(")".to_owned()));
                    push_parts(&mut open, vec![(at, index), (value, element)]);
                    out.push_str("(store ");
                }
                out.push_str(&name);
            }
            Piece::Value(value @ Value::Array(array), _) => {
                let mut parts = parts(store, value).into_iter();
                let default = parts.next().expect("an array has a default");
                let entries: Vec<_> = parts.collect();
                for entry in entries.chunks_exact(2).rev() {
                    open.push(Piece::Text(")".to_owned()));
                    push_parts(&mut open, entry.to_vec());
                    out.push_str("(store ");
                }
                open.push(Piece::Text(")".to_owned()));
                push_parts(&mut open, vec![default]);
                out.extend(["((as const ", &print_sort(store, array.sort()), ")"]);
            }
        }
    }
    out
}

fn parts<'v>(store: &TermStore, value: &'v Value) -> Vec<(&'v Value, Sort)> {
    value.parts().into_iter().zip(store.part_sorts(value)).collect()
}

/// Each part with a space in front.
fn push_parts<'v>(open: &mut Vec<Piece<'v>>, parts: Vec<(&'v Value, Sort)>) {
    for (value, sort) in parts.into_iter().rev() {
        open.push(Piece::Value(value, sort));
        open.push(Piece::Text(" ".to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{ArrayValue, DataValue};
    use crate::{ConstructorDeclaration, DataDeclaration, FieldSort};

    #[test]
    fn arrays_and_data_are_terms() {
        let mut s = TermStore::new();
        let sort = s.array_sort(Sort::INT, Sort::BOOL);
        let number = |n: i64| Value::Number(n.into());
        let array = ArrayValue::constant(sort, Value::Bool(false))
            .with(&s, number(-2), Value::Bool(true))
            .with(&s, number(5), Value::Bool(true));
        let text = print_value(&s, &Value::Array(array), sort);
        let base = "((as const (Array Int Bool)) false)";
        assert_eq!(text, format!("(store (store {base} (- 2) true) 5 true)"));
    }

    #[test]
    fn a_list_of_a_million_is_made_compared_printed_and_dropped() {
        let mut s = TermStore::new();
        let cons = ConstructorDeclaration {
            name: "cons".into(),
            fields: vec![
                ("head".into(), FieldSort::Known(Sort::INT)),
                ("tail".into(), FieldSort::Own(0)),
            ],
        };
        let nil = ConstructorDeclaration { name: "nil".into(), fields: Vec::new() };
        let list = DataDeclaration { name: "List".into(), constructors: vec![nil, cons] };
        let sort = s.declare_data(vec![list]).expect("well-founded")[0];
        let [nil, cons] = *s.constructors(sort).expect("data") else { panic!("two") };
        let make = |s: &TermStore, length: i64| {
            (0..length).fold(Value::Data(DataValue::new(s, nil, Vec::new())), |tail, n| {
                Value::Data(DataValue::new(s, cons, vec![Value::Number(n.into()), tail]))
            })
        };
        let (one, other) = (make(&s, 1_000_000), make(&s, 1_000_000));
        assert_eq!(one, other);
        assert!(one.cmp(&other).is_eq() && one > make(&s, 999_999));
        assert_eq!(print_value(&s, &make(&s, 2), sort), "(cons 1 (cons 0 nil))");
        assert!(print_value(&s, &one, sort).len() > 10_000_000);
        let term = s.value_term(&one, sort);
        assert_eq!(s.sort(term), sort);
    }
}
