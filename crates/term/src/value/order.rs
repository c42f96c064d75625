//! Comparing and hashing values without recursion.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use shofar_base::Set;

use crate::Value;

/// So many pairs are compared before any are kept in mind.
const PATIENCE: usize = 256;

/// The hash of a compound value: of its head, and of its parts, which know their own if they are
/// compound.
pub(super) fn hash_parts<'v>(head: &impl Hash, parts: impl Iterator<Item = &'v Value>) -> u64 {
    let mut hasher = FxHasher::default();
    head.hash(&mut hasher);
    for part in parts {
        part.hash(&mut hasher);
    }
    hasher.finish()
}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Value::Bool(value) => value.hash(state),
            Value::Number(value) => value.hash(state),
            Value::Element(sort, number) => (sort, number).hash(state),
            Value::Bits(bits) => bits.hash(state),
            Value::Data(data) => data.hash_word().hash(state),
            Value::Array(array) => array.hash_word().hash(state),
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Number(a), Value::Number(b)) => a == b,
            (Value::Data(a), Value::Data(b)) if a.hash_word() != b.hash_word() => false,
            (Value::Array(a), Value::Array(b)) if a.hash_word() != b.hash_word() => false,
            _ => compare(self, other).is_eq(),
        }
    }
}
impl Eq for Value {}
impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        compare(self, other)
    }
}

/// Which kind of value comes first.
fn rank(value: &Value) -> u8 {
    match value {
        Value::Bool(_) => 0,
        Value::Number(_) => 1,
        Value::Element(..) => 2,
        Value::Bits(_) => 3,
        Value::Data(_) => 4,
        Value::Array(_) => 5,
    }
}

/// Compares heads first, then part by part from the left.
///
/// Parts that two values share within themselves are met again and again, exponentially often in
/// records of records. So after [`PATIENCE`] pairs, pairs are kept in mind: one that comes again
/// was found equal, or the result would be there.
fn compare(a: &Value, b: &Value) -> Ordering {
    let mut open = Vec::new();
    let mut pair = Some((a, b));
    let (mut count, mut seen) = (0, Set::default());
    while let Some((a, b)) = pair {
        count += 1;
        if count > PATIENCE
            && let (Some(x), Some(y)) = (a.place(), b.place())
            && !seen.insert((x, y))
        {
            pair = open.pop();
            continue;
        }
        let here = match (a, b) {
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Number(a), Value::Number(b)) => a.cmp(b),
            (Value::Element(s, a), Value::Element(t, b)) => (s, a).cmp(&(t, b)),
            (Value::Bits(a), Value::Bits(b)) => a.cmp(b),
            (Value::Data(a), Value::Data(b)) if a.is_shared_with(b) => Ordering::Equal,
            (Value::Array(a), Value::Array(b)) if a.is_shared_with(b) => Ordering::Equal,
            (Value::Data(x), Value::Data(y)) => {
                open.extend(x.fields().iter().zip(y.fields()).rev());
                x.constructor().cmp(&y.constructor())
            }
            (Value::Array(x), Value::Array(y)) => {
                let pairs: Vec<(&Value, &Value)> = x.parts().zip(y.parts()).collect();
                open.extend(pairs.into_iter().rev());
                (x.sort(), x.entries().len()).cmp(&(y.sort(), y.entries().len()))
            }
            _ => rank(a).cmp(&rank(b)),
        };
        if here.is_ne() {
            return here;
        }
        pair = open.pop();
    }
    Ordering::Equal
}
