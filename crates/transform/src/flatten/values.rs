//! Values of structured sorts from the values of their leaves.

use std::collections::{BTreeMap, BTreeSet};

use shofar_num::Bits;
use shofar_term::value::{ArrayValue, DataValue};
use shofar_term::{Constructor, Sort, TermStore, Value};

use super::layout::{Index, Layout, Shape};

/// Indices of at most so many bits are all listed.
const FEW_BITS: u32 = 4;

impl Layout {
    /// The value of `sort` with these leaves; nothing if a tag is not that of a constructor.
    ///
    /// An array from pairs has finitely many elements that are not its default; what arrays of
    /// arrays say beyond is left out.
    pub(super) fn value(&self, store: &TermStore, sort: Sort, leaves: &[&Value]) -> Option<Value> {
        match &self.get(sort).shape {
            Shape::Whole => leaves.first().map(|&value| value.clone()),
            Shape::Record(constructor) => self.data_value(store, *constructor, leaves),
            Shape::Variant(constructors) => {
                let tag = leaves.first()?;
                let place = match tag.as_bool() {
                    Some(tag) => usize::from(tag),
                    None => usize::try_from(tag.as_number()?.to_i64()?).ok()?,
                };
                let constructor = *constructors.get(place)?;
                let before: usize =
                    constructors[..place].iter().map(|&c| self.fields_width(store, c)).sum();
                let width = self.fields_width(store, constructor);
                self.data_value(store, constructor, &leaves[1 + before..1 + before + width])
            }
            Shape::Array(index, element) => self.array_value(store, sort, *index, *element, leaves),
        }
    }
    fn data_value(
        &self,
        store: &TermStore,
        constructor: Constructor,
        leaves: &[&Value],
    ) -> Option<Value> {
        let mut rest = leaves;
        let mut fields = Vec::new();
        for &field in store.constructor_fields(constructor) {
            let sort = store.field_sort(field);
            let (own, others) = rest.split_at(self.width(sort));
            fields.push(self.value(store, sort, own)?);
            rest = others;
        }
        Some(Value::Data(DataValue::new(store, constructor, fields)))
    }
    fn array_value(
        &self,
        store: &TermStore,
        sort: Sort,
        index: Index,
        element: Sort,
        leaves: &[&Value],
    ) -> Option<Value> {
        let indices = self.indices(index);
        let default = elements(leaves, &vec![None; indices.len()])?;
        let default = self.value(store, element, &default)?;
        let mut entries = BTreeMap::new();
        for tuple in tuples(store, leaves, &indices)? {
            let places: Vec<Option<&Value>> = tuple.iter().map(Some).collect();
            let at = match index {
                Index::Whole(_) => tuple[0].clone(),
                Index::Split(sort) => self.value(store, sort, &tuple.iter().collect::<Vec<_>>())?,
            };
            entries.insert(at, self.value(store, element, &elements(leaves, &places)?)?);
        }
        Some(Value::Array(ArrayValue::new(store, sort, default, entries)))
    }
}

/// What the arrays have at these indices; their default where there is none.
fn elements<'v>(arrays: &[&'v Value], indices: &[Option<&Value>]) -> Option<Vec<&'v Value>> {
    let element = |array: &&'v Value| {
        indices.iter().try_fold(*array, |array, index| {
            let array = array.as_array()?;
            Some(index.map_or(array.default(), |index| array.get(index)))
        })
    };
    arrays.iter().map(element).collect()
}

/// The indices that nested arrays list, from these sorts; of Bool, both.
///
/// An array over few indices may have any of its elements as its default, so what it lists does not
/// tell where it differs from arrays beside it.
fn tuples(store: &TermStore, arrays: &[&Value], sorts: &[Sort]) -> Option<Vec<Vec<Value>>> {
    let mut open: Vec<(Vec<Value>, Vec<&Value>)> = vec![(Vec::new(), arrays.to_vec())];
    for &sort in sorts {
        let mut next = Vec::new();
        for (tuple, arrays) in open {
            let mut listed: BTreeSet<Value> = few_values(store, sort).into_iter().collect();
            for array in &arrays {
                listed.extend(array.as_array()?.entries().keys().cloned());
            }
            for index in listed {
                let inner = elements(&arrays, &[Some(&index)])?;
                next.push(([tuple.as_slice(), &[index]].concat(), inner));
            }
        }
        open = next;
    }
    // Without an index there is the default only.
    open.retain(|(tuple, _)| !tuple.is_empty());
    Some(open.into_iter().map(|(tuple, _)| tuple).collect())
}

/// All values of a sort, if they are very few and are no data.
fn few_values(store: &TermStore, sort: Sort) -> Vec<Value> {
    match (sort.is_bool(), store.bits_width(sort)) {
        (true, _) => vec![Value::Bool(false), Value::Bool(true)],
        (false, Some(width)) if width <= FEW_BITS => {
            let bits = |number: i64| Value::bits(Bits::new(width, &number.into()));
            (0..1i64 << width).map(bits).collect()
        }
        (false, Some(_) | None) => Vec::new(),
    }
}
