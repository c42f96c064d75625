//! Values that are made of others, put together from their text on an explicit stack.
//!
//! What is expected next is a value of a known sort, so a constructor is one of that sort, whatever
//! else has its name. Writes to an array are collected in a map, which becomes an array when the
//! last one is complete.

use std::collections::BTreeMap;

use super::{Flaw, MOST_PARTS, NamedValues, Read, Word, Words};
use crate::print::{print_sort, quote};
use crate::value::{ArrayValue, DataValue};
use crate::{Constructor, Sort, SortKind, TermStore, Value};

/// An expression whose parts are being read.
enum Open {
    /// A constructor, and the fields so far.
    Construct(Constructor, Vec<Value>),
    /// The element of a constant array.
    Const(Sort),
    /// An array, an index and an element; the array once it is known, then the index.
    Store(Sort, Option<Entries>, Option<Value>),
    /// A value that is given a name behind it; so many parts had been read before it.
    Named(u64),
}

/// What an array has so far.
struct Entries {
    default: Value,
    listed: BTreeMap<Value, Value>,
}

/// What has been read.
enum Part {
    Value(Value),
    Array(Sort, Entries),
}

impl Part {
    fn into_value(self, store: &TermStore) -> Value {
        match self {
            Part::Value(value) => value,
            Part::Array(sort, Entries { default, listed }) => {
                Value::Array(ArrayValue::new(store, sort, default, listed))
            }
        }
    }
}

impl Words<'_> {
    /// Reads a value of `sort`.
    pub(super) fn value(
        &mut self,
        store: &TermStore,
        sort: Sort,
        named: &mut NamedValues,
    ) -> Read<Value> {
        let (mut stack, mut wanted) = (Vec::new(), sort);
        let mut parts = 0;
        loop {
            parts += 1;
            let mut part = match self.begin(store, wanted, named, parts)? {
                Begun::Whole(value) => Part::Value(value),
                Begun::Known(value, more) => {
                    parts += more;
                    if parts > MOST_PARTS {
                        let word = Word { text: &self.text[..self.at], start: 0 };
                        return Err(word.bad(Flaw::Malformed, "this value is too large"));
                    }
                    Part::Value(value)
                }
                Begun::Open(open, first) => {
                    stack.push(open);
                    wanted = first;
                    continue;
                }
            };
            loop {
                let Some(open) = stack.pop() else { return Ok(part.into_value(store)) };
                match self.go_on(store, open, part, named, parts)? {
                    Next::Complete(whole) => part = whole,
                    Next::Wants(open, next) => {
                        stack.push(open);
                        wanted = next;
                        break;
                    }
                }
            }
        }
    }
    /// The beginning of a value of `sort`.
    fn begin(
        &mut self,
        store: &TermStore,
        sort: Sort,
        named: &NamedValues,
        parts: u64,
    ) -> Read<Begun> {
        if self.peek().text.starts_with('@') {
            let (value, more) = named.get(store, &self.next(), sort)?;
            return Ok(Begun::Known(value, more));
        }
        if self.opens_named() {
            return Ok(Begun::Open(Open::Named(parts), sort));
        }
        match store.sort_kind(sort) {
            SortKind::Bool | SortKind::Int | SortKind::Real | SortKind::Uninterpreted(_) => {
                self.scalar(store, sort).map(Begun::Whole)
            }
            SortKind::Bits(width) => self.bits(width).map(Begun::Whole),
            SortKind::Array(_, element) => self.array(store, sort, element),
            SortKind::Data(..) => self.data(store, sort),
        }
    }
    fn peek(&self) -> Word<'_> {
        Words { text: self.text, at: self.at }.next()
    }
    /// Whether `(!` comes next, which is then read.
    fn opens_named(&mut self) -> bool {
        let mut ahead = Words { text: self.text, at: self.at };
        let opens = ahead.next().text == "(" && ahead.next().text == "!";
        if opens {
            self.at = ahead.at;
        }
        opens
    }
    /// `((as const S) …` or `(store …`.
    fn array(&mut self, store: &TermStore, sort: Sort, element: Sort) -> Read<Begun> {
        let open = self.next();
        if open.text != "(" {
            let expected = format!("an array of sort {}", print_sort(store, sort));
            return Err(open.unexpected(&expected));
        }
        let head = self.next();
        match head.text {
            "store" => Ok(Begun::Open(Open::Store(sort, None, None), sort)),
            "(" => {
                self.expect("as")?;
                self.expect("const")?;
                self.sort(store, sort)?;
                self.expect(")")?;
                Ok(Begun::Open(Open::Const(sort), element))
            }
            _ => Err(head.unexpected("`store` or `(as const …)`")),
        }
    }
    /// A constructor, alone, in front of its fields, or with its sort.
    fn data(&mut self, store: &TermStore, sort: Sort) -> Read<Begun> {
        let first = self.next();
        if first.text != "(" {
            let constructor = constructor(store, sort, &first)?;
            return constant(store, constructor, &first);
        }
        let head = self.next();
        if head.text == "as" {
            let name = self.next();
            let constructor = constructor(store, sort, &name)?;
            self.sort(store, sort)?;
            self.expect(")")?;
            return constant(store, constructor, &name);
        }
        let (name, constructor) = if head.text == "(" {
            self.expect("as")?;
            let name = self.next();
            let constructor = constructor(store, sort, &name)?;
            self.sort(store, sort)?;
            self.expect(")")?;
            (name, constructor)
        } else {
            let constructor = constructor(store, sort, &head)?;
            (head, constructor)
        };
        match store.constructor_fields(constructor).first() {
            Some(&field) => {
                let fields = Vec::with_capacity(store.constructor_fields(constructor).len());
                Ok(Begun::Open(Open::Construct(constructor, fields), store.field_sort(field)))
            }
            None => Err(name.bad(Flaw::Malformed, "this constructor takes no arguments")),
        }
    }
    /// What follows a part of an expression.
    fn go_on(
        &mut self,
        store: &TermStore,
        open: Open,
        part: Part,
        named: &mut NamedValues,
        parts: u64,
    ) -> Read<Next> {
        match open {
            Open::Named(before) => {
                self.expect(":named")?;
                let name = self.next();
                let value = part.into_value(store);
                if !name.text.starts_with('@') {
                    return Err(name.unexpected("a name such as `@0`"));
                }
                let new = (value.clone(), parts - before);
                if named.known.insert(name.text.to_owned(), new).is_some() {
                    return Err(name.bad(Flaw::Malformed, "this name is already given"));
                }
                self.expect(")")?;
                Ok(Next::Complete(Part::Value(value)))
            }
            Open::Construct(constructor, mut values) => {
                values.push(part.into_value(store));
                if let Some(&field) = store.constructor_fields(constructor).get(values.len()) {
                    let open = Open::Construct(constructor, values);
                    return Ok(Next::Wants(open, store.field_sort(field)));
                }
                self.expect(")")?;
                let value = DataValue::new(store, constructor, values);
                Ok(Next::Complete(Part::Value(Value::Data(value))))
            }
            Open::Const(sort) => {
                self.expect(")")?;
                let entries = Entries { default: part.into_value(store), listed: BTreeMap::new() };
                Ok(Next::Complete(Part::Array(sort, entries)))
            }
            Open::Store(sort, None, _) => {
                let entries = match part {
                    Part::Array(_, entries) => entries,
                    Part::Value(value) => {
                        let array = value.as_array().expect("an array is read first");
                        Entries {
                            default: array.default().clone(),
                            listed: array.entries().clone(),
                        }
                    }
                };
                let (index, _) = store.array_parts(sort).expect("a sort of arrays");
                Ok(Next::Wants(Open::Store(sort, Some(entries), None), index))
            }
            Open::Store(sort, entries, None) => {
                let (_, element) = store.array_parts(sort).expect("a sort of arrays");
                let index = Some(part.into_value(store));
                Ok(Next::Wants(Open::Store(sort, entries, index), element))
            }
            Open::Store(sort, Some(mut entries), Some(index)) => {
                self.expect(")")?;
                entries.listed.insert(index, part.into_value(store));
                Ok(Next::Complete(Part::Array(sort, entries)))
            }
        }
    }
    fn expect(&mut self, text: &str) -> Read<()> {
        let word = self.next();
        if word.text == text { Ok(()) } else { Err(word.unexpected(&format!("`{text}`"))) }
    }
    /// The text of a sort, which must be this one.
    fn sort(&mut self, store: &TermStore, sort: Sort) -> Read<()> {
        let expected = print_sort(store, sort);
        let mut words = Words { text: &expected, at: 0 };
        loop {
            let word = words.next();
            if word.text.is_empty() {
                return Ok(());
            }
            let found = self.next();
            if found.name() != word.name() {
                return Err(found.misfit(format!("a value of {expected} is expected here")));
            }
        }
    }
}

/// The beginning of a value.
enum Begun {
    Whole(Value),
    /// What a name stands for, and how many parts it has.
    Known(Value, u64),
    /// An expression, and the sort of its first part.
    Open(Open, Sort),
}

/// What follows.
enum Next {
    Complete(Part),
    /// An expression, and the sort of its next part.
    Wants(Open, Sort),
}

/// The constructor of `sort` with this name.
fn constructor(store: &TermStore, sort: Sort, name: &Word<'_>) -> Read<Constructor> {
    let written = |&c: &Constructor| quote(store.constructor_name(c));
    let all = store.constructors(sort).unwrap_or(&[]);
    if name.is_parenthesis() {
        return Err(name.unexpected("a constructor"));
    }
    all.iter().find(|c| written(c).trim_matches('|') == name.name()).copied().ok_or_else(|| {
        let sort = print_sort(store, sort);
        name.misfit(format!("`{}` is no constructor of {sort}", name.name()))
    })
}

fn constant(store: &TermStore, constructor: Constructor, name: &Word<'_>) -> Read<Begun> {
    if !store.constructor_fields(constructor).is_empty() {
        return Err(name.bad(Flaw::Malformed, "this constructor takes arguments"));
    }
    Ok(Begun::Whole(Value::Data(DataValue::new(store, constructor, Vec::new()))))
}
