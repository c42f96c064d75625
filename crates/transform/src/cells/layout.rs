//! What stands for the arguments of a predicate: its scalars, indices, and what its arrays have
//! there.
//!
//! An array argument of sort `I₁ → … → I_d → E` with scalars `I_j` and `E` is seen at an index path
//! `k₁ … k_d`. The indices are arguments themselves; arrays share them as the mode says. Further
//! cells are at constants and at scalar arguments. All other arguments that are no scalars are left
//! out.

use shofar_base::Map;
use shofar_chc::{ChcSystem, PredId};
use shofar_term::{Sort, Term, TermStore};

use super::Mode;
use super::watch::Watches;
use crate::foreign::is_simple;

/// The index sorts of an array of scalars, or of arrays of scalars, and so on; nothing if a part is
/// no scalar.
pub(super) fn path_of(store: &TermStore, sort: Sort) -> Option<Vec<Sort>> {
    let (mut path, mut at) = (Vec::new(), sort);
    while let Some((index, element)) = store.array_parts(at) {
        if !is_simple(store, index) {
            return None;
        }
        path.push(index);
        at = element;
    }
    (!path.is_empty() && is_simple(store, at)).then_some(path)
}

/// Where a cell gets an index from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// From the index argument of this number.
    Slot(usize),
    /// It is always the same.
    Fixed(Term),
    /// It is the value of the old argument at this place.
    Argument(usize),
}

/// What an array has at an index path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// The argument.
    pub(super) arg: usize,
    /// The path.
    pub(super) at: Vec<Place>,
}

/// The new arguments of a predicate: scalars, then indices, then cells.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The predicate that stands for it.
    pub(super) pred: PredId,
    /// The scalars.
    pub(super) kept: Vec<usize>,
    /// The sorts of the indices.
    pub(super) slots: Vec<Sort>,
    /// The cells.
    pub(super) cells: Vec<Cell>,
}

impl Layout {
    /// The layout of `pred`, whose new self becomes a predicate of `target`.
    pub(super) fn new(
        store: &mut TermStore,
        source: &ChcSystem,
        target: &mut ChcSystem,
        pred: PredId,
        mode: &Mode,
        watched: &Watches,
    ) -> Self {
        let sorts = source.sorts(store, pred).to_vec();
        let kept: Vec<usize> = (0..sorts.len()).filter(|&at| is_simple(store, sorts[at])).collect();
        let (mut slots, mut cells) = (Slots::default(), Vec::new());
        for (arg, &sort) in sorts.iter().enumerate() {
            let Some(path) = path_of(store, sort) else { continue };
            for copy in 0..mode.copies() {
                let place = |(depth, &sort): (usize, &Sort)| {
                    Place::Slot(slots.get(mode.key(arg, depth, copy, sort), sort))
                };
                cells.push(Cell { arg, at: path.iter().enumerate().map(place).collect() });
            }
            if let [index] = path.as_slice() {
                let fits = |&&at: &&Term| store.sort(at) == *index;
                let fixed = mode.fixed().iter().filter(fits);
                cells.extend(fixed.map(|&at| Cell { arg, at: vec![Place::Fixed(at)] }));
            }
            let own = watched.iter().filter(|watch| watch.pred() == pred && watch.arg() == arg);
            for watch in own {
                let cell = Cell { arg, at: watch.places(store, &path) };
                if !cells.contains(&cell) {
                    cells.push(cell);
                }
            }
        }
        let slots = slots.sorts;
        let symbol = source.symbol(pred);
        let mut new: Vec<Sort> = kept.iter().map(|&at| sorts[at]).collect();
        new.extend(&slots);
        new.extend(cells.iter().map(|cell| element(store, sorts[cell.arg])));
        let symbol = if new == sorts {
            symbol
        } else {
            // A fresh constant only lends its unused name.
            let name = store.name(symbol).to_owned();
            let unused = store.fresh(&name, Sort::BOOL);
            let unused = format!("{}@", store.name(unused));
            store.declare(&unused, &new, Sort::BOOL)
        };
        Self { pred: target.add_pred(symbol), kept, slots, cells }
    }
    /// The path of `cell` if the indices are `slots` and `argument` says what the scalar at a place
    /// is.
    pub(super) fn path(cell: &Cell, slots: &[Term], argument: impl Fn(usize) -> Term) -> Vec<Term> {
        let term = |place: &Place| match *place {
            Place::Slot(at) => slots[at],
            Place::Fixed(term) => term,
            Place::Argument(at) => argument(at),
        };
        cell.at.iter().map(term).collect()
    }
}

/// What is read at the end of all paths.
fn element(store: &TermStore, sort: Sort) -> Sort {
    let mut at = sort;
    while let Some((_, element)) = store.array_parts(at) {
        at = element;
    }
    at
}

/// The indices of a predicate; those with the same key are one.
#[derive(Default)]
struct Slots {
    sorts: Vec<Sort>,
    known: Map<(usize, usize, usize, Sort), usize>,
}

impl Slots {
    fn get(&mut self, key: (usize, usize, usize, Sort), sort: Sort) -> usize {
        *self.known.entry(key).or_insert_with(|| {
            self.sorts.push(sort);
            self.sorts.len() - 1
        })
    }
}
