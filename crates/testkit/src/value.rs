//! Values of the planted model.
//!
//! Invariant: equal values are equal as data. Numbers are in lowest terms; an array lists its
//! exceptions in a fixed order and none of them equals its default; over a finite index sort it
//! lists every element instead, since there a default may be invisible.

use shofar_base::Rng;

use crate::logic::Sort;
use crate::ratio::Ratio;
use crate::word::Word;
use crate::{arrays, data};

/// A value of the planted model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A number, integral for sort Int.
    Number(Ratio),
    /// An element of a declared sort, by its number.
    Element(u8),
    /// A bit-vector.
    Bits(Word),
    /// An array.
    Array(Box<Map>),
    /// A constructor applied to values: its number within the type, and the fields.
    Data(usize, Vec<Value>),
}

impl Value {
    /// A random value of the sort; small, so that equal ones are frequent.
    pub fn random(rng: &mut Rng, sort: Sort) -> Self {
        match sort {
            Sort::Bool => Value::Bool(rng.chance(50)),
            Sort::Int => Value::Number(Ratio::int(i128::from(rng.range(-6, 6)))),
            Sort::Real => Value::Number(
                Ratio::new(i128::from(rng.range(-9, 9)), i128::from(rng.range(1, 4)))
                    .expect("no overflow"),
            ),
            Sort::Free(_) => Value::Element(u8::try_from(rng.below(4)).expect("below four")),
            Sort::Bits(width) => Value::Bits(Word::random(rng, width)),
            Sort::Array(_) => {
                let (index, element) = arrays::parts(sort);
                let default = Value::random(rng, element);
                let count = rng.below(3);
                let draw = |_| (Value::random(rng, index), Value::random(rng, element));
                Value::Array(Box::new(Map::new(index, default, (0..count).map(draw).collect())))
            }
            Sort::Data(_) => data::random_value(rng, sort, 3),
        }
    }
    /// All values of a sort with few of them; `None` for infinite and for large sorts.
    pub fn all(sort: Sort) -> Option<Vec<Self>> {
        match sort {
            Sort::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
            Sort::Bits(width) => (width <= 4).then(|| {
                (0..1u64 << width).map(|bits| Value::Bits(Word::new(width, bits))).collect()
            }),
            Sort::Data(_) => data::all_values(sort),
            Sort::Array(_) => {
                let (index, element) = arrays::parts(sort);
                let (places, contents) = (Value::all(index)?, Value::all(element)?);
                let mut maps = vec![Vec::new()];
                for place in &places {
                    let extend = |map: &Vec<(Value, Value)>| -> Vec<Vec<(Value, Value)>> {
                        let entry = |content: &Value| (place.clone(), content.clone());
                        contents.iter().map(|c| [&map[..], &[entry(c)]].concat()).collect()
                    };
                    maps = maps.iter().flat_map(extend).collect();
                }
                let default = contents.first()?.clone();
                let map =
                    |entries| Value::Array(Box::new(Map::new(index, default.clone(), entries)));
                Some(maps.into_iter().map(map).collect())
            }
            Sort::Int | Sort::Real | Sort::Free(_) => None,
        }
    }
    /// A text that tells the value from others.
    pub fn key(&self) -> String {
        match self {
            Value::Bool(truth) => truth.to_string(),
            Value::Number(number) => number.to_string(),
            Value::Element(element) => format!("@{element}"),
            Value::Bits(word) => word.to_string(),
            Value::Array(map) => {
                let entries = map.entries.iter().map(|(i, v)| format!("{}:{}", i.key(), v.key()));
                format!("[{} {}]", map.default.key(), entries.collect::<Vec<_>>().join(" "))
            }
            Value::Data(constructor, fields) => {
                let fields = fields.iter().map(Value::key).collect::<Vec<_>>();
                format!("{constructor}({})", fields.join(" "))
            }
        }
    }
}

/// An array: exceptions from a default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    default: Value,
    entries: Vec<(Value, Value)>,
}

impl Map {
    /// The array over `index` that is `default` everywhere but for `entries`, of which earlier ones
    /// win.
    pub fn new(index: Sort, default: Value, entries: Vec<(Value, Value)>) -> Self {
        let mut normal: Vec<(Value, Value)> = Vec::new();
        let everywhere = Value::all(index).unwrap_or_default();
        let is_finite = !everywhere.is_empty();
        let rest = everywhere.into_iter().map(|place| (place, default.clone()));
        for (place, content) in entries.into_iter().chain(rest) {
            if normal.iter().all(|(known, _)| *known != place) {
                normal.push((place, content));
            }
        }
        normal.retain(|(_, content)| is_finite || *content != default);
        normal.sort_by_key(|(place, _)| place.key());
        let default = if is_finite { normal[0].1.clone() } else { default };
        Self { default, entries: normal }
    }
    /// Its element at a place.
    pub fn at(&self, place: &Value) -> Value {
        let entry = self.entries.iter().find(|(known, _)| known == place);
        entry.map_or(&self.default, |(_, content)| content).clone()
    }
    /// The array with another element at a place.
    pub fn with(&self, index: Sort, place: Value, content: Value) -> Self {
        let entries = std::iter::once((place, content)).chain(self.entries.iter().cloned());
        Self::new(index, self.default.clone(), entries.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_arrays_are_equal_values() {
        let int = |n| Value::Number(Ratio::int(n));
        let constant = Map::new(Sort::Int, int(0), Vec::new());
        let changed = constant.with(Sort::Int, int(3), int(5));
        assert_ne!(constant, changed);
        assert_eq!(changed.with(Sort::Int, int(3), int(0)), constant);
        assert_eq!((changed.at(&int(3)), changed.at(&int(4))), (int(5), int(0)));
        let two = changed.with(Sort::Int, int(-1), int(2));
        let other = constant.with(Sort::Int, int(-1), int(2)).with(Sort::Int, int(3), int(5));
        assert_eq!(two, other);
    }

    #[test]
    fn defaults_over_finite_sorts_are_invisible() {
        let (no, yes) = (Value::Bool(false), Value::Bool(true));
        let all = |default: &Value| Map::new(Sort::Bool, default.clone(), Vec::new());
        let turned = all(&no).with(Sort::Bool, no.clone(), yes.clone());
        assert_eq!(turned.with(Sort::Bool, yes.clone(), yes.clone()), all(&yes));
        let count = Value::all(Sort::Array(arrays::BOOL_TO_BOOL)).map(|all| all.len());
        assert_eq!(count, Some(4));
    }
}
