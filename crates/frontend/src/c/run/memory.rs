//! The variables of a run: numbers and arrays, some of which have no value yet.

use std::sync::Arc;

use shofar_base::Map;

use super::code::Shape;

/// Larger arrays keep only elements that differ from the others.
const MOST_DENSE: i64 = 1 << 14;

/// What a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// Nothing has been said.
    Open,
    Number(i128),
    /// The array with this number.
    Array(usize),
}

/// What an array without a first value holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Contents {
    /// What is not listed; nothing if it is open.
    pub(super) rest: Option<i128>,
    pub(super) listed: Vec<(i64, i128)>,
}

/// An array.
#[derive(Clone, Debug)]
pub(super) struct Array {
    /// Of the variable that it belongs to.
    pub(super) name: Arc<str>,
    pub(super) shape: Shape,
    cells: Cells,
}

#[derive(Clone, Debug)]
enum Cells {
    Dense(Vec<Option<i128>>),
    Sparse { rest: Option<i128>, other: Map<i64, i128> },
}

impl Array {
    pub(super) fn new(name: &Arc<str>, shape: &Shape, contents: &Contents) -> Self {
        let small = shape.count().filter(|count| *count <= MOST_DENSE);
        let cells = match small.and_then(|count| usize::try_from(count).ok()) {
            Some(count) => Cells::Dense(vec![contents.rest; count]),
            None => Cells::Sparse { rest: contents.rest, other: Map::default() },
        };
        let mut array = Self { name: Arc::clone(name), shape: shape.clone(), cells };
        for &(place, number) in &contents.listed {
            array.set(place, number);
        }
        array
    }
    /// The element at a place; nothing if it is open.
    pub(super) fn element(&self, place: i64) -> Option<i128> {
        match &self.cells {
            Cells::Dense(cells) => *usize::try_from(place).ok().and_then(|at| cells.get(at))?,
            Cells::Sparse { rest, other } => other.get(&place).copied().or(*rest),
        }
    }
    pub(super) fn set(&mut self, place: i64, number: i128) {
        match &mut self.cells {
            Cells::Dense(cells) => {
                if let Some(cell) = usize::try_from(place).ok().and_then(|at| cells.get_mut(at)) {
                    *cell = Some(number);
                }
            }
            Cells::Sparse { other, .. } => {
                other.insert(place, number);
            }
        }
    }
    /// How much memory it takes, in elements.
    pub(super) fn weight(&self) -> usize {
        match &self.cells {
            Cells::Dense(cells) => cells.len() + 1,
            Cells::Sparse { other, .. } => 2 * other.len() + 1,
        }
    }
    /// All elements in order; nothing if they are many or some are open.
    pub(super) fn elements(&self) -> Option<Vec<i128>> {
        match &self.cells {
            Cells::Dense(cells) => cells.iter().copied().collect(),
            Cells::Sparse { .. } => None,
        }
    }
    /// The indices of a place.
    pub(super) fn indices(&self, place: i64) -> Vec<i64> {
        let mut rest = place;
        let mut indices: Vec<i64> = Vec::with_capacity(self.shape.lengths.len());
        for length in self.shape.lengths.iter().rev() {
            indices.push(rest % length);
            rest /= length;
        }
        indices.reverse();
        indices
    }
}

#[cfg(test)]
mod tests {
    use super::super::kind::Kind;
    use super::*;

    #[test]
    fn small_and_large_arrays_behave_alike() {
        for lengths in [[3, 4], [3, 1 << 30]] {
            let shape = Shape { kind: Kind::INT, lengths: Arc::new(lengths) };
            let contents = Contents { rest: None, listed: vec![(1, 7)] };
            let mut array = Array::new(&"a".into(), &shape, &contents);
            array.set(5, -2);
            assert_eq!(
                [array.element(1), array.element(5), array.element(2)],
                [Some(7), Some(-2), None]
            );
            let place = 2 * lengths[1] + 3;
            assert_eq!(array.indices(place), [2, 3]);
            let zeros = Contents { rest: Some(0), listed: Vec::new() };
            let zero = Array::new(&"a".into(), &shape, &zeros);
            assert_eq!(zero.element(place), Some(0));
        }
    }
}
