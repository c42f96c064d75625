//! Values by number: the first ones of any sort, all different as far as there are that many.
//!
//! Who needs a value that differs from some others goes through the numbers until one fits. Sorts
//! nest a little only, so walks over sorts may recurse; a value of a recursive type is built by a
//! loop.
//!
//! Source: [BST07] for leaves of data types that get values of different sizes.

use std::collections::BTreeMap;

use shofar_base::Map;
use shofar_num::{Bits, Rational};
use shofar_term::eval::Value;
use shofar_term::value::{ArrayValue, DataValue};
use shofar_term::{Cardinality, Constructor, Sort, SortKind, TermStore};

/// The value of `sort` with this number; nothing if there are fewer.
pub(crate) fn nth(store: &TermStore, sort: Sort, number: u64) -> Option<Value> {
    shared_nth(store, sort, number, &mut Map::default())
}

/// Likewise; the first value of each data type is made once, as records of records have
/// exponentially many parts.
fn shared_nth(
    store: &TermStore,
    sort: Sort,
    number: u64,
    first: &mut Map<Sort, Value>,
) -> Option<Value> {
    if let Some(value) = first.get(&sort).filter(|_| number == 0) {
        return Some(value.clone());
    }
    if let Cardinality::Few(count) = store.cardinality(sort)
        && number >= count
    {
        return None;
    }
    match store.sort_kind(sort) {
        SortKind::Bool => Some(Value::Bool(number == 1)),
        SortKind::Int | SortKind::Real => Some(Value::Number(Rational::from(number))),
        SortKind::Uninterpreted(_) => Some(Value::Element(sort, u32::try_from(number).ok()?)),
        SortKind::Bits(width) => Some(Value::bits(Bits::new(width, &Rational::from(number)))),
        SortKind::Array(index, element) => nth_array(store, sort, (index, element), number),
        SortKind::Data(_, constructors) if store.is_finite(sort) => {
            let value = nth_of_few(store, constructors, number, first)?;
            if number == 0 {
                first.insert(sort, value.clone());
            }
            Some(value)
        }
        SortKind::Data(_, constructors) => {
            let endless = constructors.iter().find(|&&c| is_endless(store, c))?;
            nth_made_by(store, *endless, number)
        }
    }
}

/// Whether the constructor makes infinitely many values.
pub(crate) fn is_endless(store: &TermStore, constructor: Constructor) -> bool {
    store.constructor_fields(constructor).iter().any(|&f| !store.is_finite(store.field_sort(f)))
}

fn nth_array(
    store: &TermStore,
    sort: Sort,
    (index, element): (Sort, Sort),
    number: u64,
) -> Option<Value> {
    if !store.is_finite(element) {
        return Some(Value::Array(ArrayValue::constant(sort, nth(store, element, number)?)));
    }
    let default = nth(store, element, 0)?;
    let mut entries = BTreeMap::new();
    match (store.cardinality(index), store.cardinality(element)) {
        // The digits of the number are the elements.
        (Cardinality::Few(places), Cardinality::Few(base)) if places < 64 && base > 1 => {
            let mut rest = number;
            for place in 0..places {
                entries.insert(nth(store, index, place)?, nth(store, element, rest % base)?);
                rest /= base;
            }
        }
        (Cardinality::Few(_) | Cardinality::Many | Cardinality::Infinite, _) if number > 0 => {
            entries.insert(nth(store, index, number - 1)?, nth(store, element, 1)?);
        }
        (Cardinality::Few(_) | Cardinality::Many | Cardinality::Infinite, _) => {}
    }
    Some(Value::Array(ArrayValue::new(store, sort, default, entries)))
}

/// How many values a constructor makes, if that is a small number.
fn count(store: &TermStore, constructor: Constructor) -> Option<u64> {
    store.constructor_fields(constructor).iter().try_fold(1_u64, |product, &field| {
        match store.cardinality(store.field_sort(field)) {
            Cardinality::Few(count) => product.checked_mul(count),
            Cardinality::Many | Cardinality::Infinite => None,
        }
    })
}

fn nth_of_few(
    store: &TermStore,
    constructors: &[Constructor],
    number: u64,
    first: &mut Map<Sort, Value>,
) -> Option<Value> {
    let mut rest = number;
    for &constructor in constructors {
        let count = count(store, constructor);
        if count.is_none_or(|count| rest < count) {
            let mut fields = Vec::new();
            for &field in store.constructor_fields(constructor) {
                let sort = store.field_sort(field);
                let place = match store.cardinality(sort) {
                    Cardinality::Few(count) => {
                        let place = rest % count;
                        rest /= count;
                        place
                    }
                    Cardinality::Many | Cardinality::Infinite => std::mem::take(&mut rest),
                };
                fields.push(shared_nth(store, sort, place, first)?);
            }
            return Some(Value::Data(DataValue::new(store, constructor, fields)));
        }
        rest -= count?;
    }
    None
}

/// The value with this number among those that begin with a constructor that makes infinitely many.
/// The numbers go into the first field that has infinitely many values and is not of a recursive
/// type, or else count how often constructors nest.
pub(crate) fn nth_made_by(
    store: &TermStore,
    constructor: Constructor,
    number: u64,
) -> Option<Value> {
    let mut nesting: Vec<(Constructor, usize)> = Vec::new();
    let mut at = constructor;
    let mut core = loop {
        let fields = store.constructor_fields(at);
        let sorts: Vec<Sort> = fields.iter().map(|&f| store.field_sort(f)).collect();
        let plain = sorts.iter().position(|&s| !store.is_finite(s) && !store.is_recursive(s));
        if let Some(place) = plain {
            break with_field(store, at, place, nth(store, sorts[place], number)?);
        }
        let place = sorts.iter().position(|&s| !store.is_finite(s))?;
        nesting.push((at, place));
        if u64::try_from(nesting.len()).ok()? > number {
            break Value::default_of(store, sorts[place]);
        }
        at = *store.constructors(sorts[place])?.iter().find(|&&c| is_endless(store, c))?;
    };
    while let Some((constructor, place)) = nesting.pop() {
        core = with_field(store, constructor, place, core);
    }
    Some(core)
}

/// A value with one field given and defaults in the others.
fn with_field(store: &TermStore, constructor: Constructor, place: usize, value: Value) -> Value {
    let fields = store.constructor_fields(constructor).iter();
    let mut fields: Vec<Value> =
        fields.map(|&f| Value::default_of(store, store.field_sort(f))).collect();
    fields[place] = value;
    Value::Data(DataValue::new(store, constructor, fields))
}
