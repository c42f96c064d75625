//! One clause over cells.
//!
//! The steps, in this order, since each may need cells of variables that later ones have to agree
//! about: the constraint and the head at its own indices; indices at which arrays differ that are
//! said to; equations between arrays, at all indices seen so far; instances of the body; congruence
//! of cells.

use shofar_base::{IndexVec, Map, Set};
use shofar_chc::{Clause, PredAtom, PredId};
use shofar_term::symbols::free_symbols;
use shofar_term::{ArrayKind, Kind, Symbol, Term, TermStore};

use super::Mode;
use super::layout::{Cell, Layout, Place, path_of};
use super::read::{Equation, Names, Reads};
use crate::foreign::{Definitions, is_simple};

/// A body atom has no more instances than this; equations between arrays hold at no more indices.
const MOST_INSTANCES: usize = 12;
/// So often it is looked which further cells the instances of a body need.
const MOST_ROUNDS: usize = 4;
/// Of so many cells of an array it is said that they are the same where their indices are.
const MOST_CONGRUENT: usize = 16;

/// A clause over cells.
pub(super) struct Made {
    pub(super) clause: Clause,
    /// Where in the body the first instance of each atom of the old body stands.
    pub(super) firsts: Vec<usize>,
}

/// `clause`, whose arguments are variables, over cells.
pub(super) fn abstraction(
    store: &mut TermStore,
    clause: &Clause,
    layouts: &IndexVec<PredId, Layout>,
    mode: &Mode,
    names: &mut Names,
) -> Made {
    let definitions = Definitions::of(store, clause.constraint, |_| true);
    let mut by = definitions.substitution();
    let constraint = by.apply(store, clause.constraint);
    let mut atom = |store: &mut TermStore, atom: &PredAtom| PredAtom {
        pred: atom.pred,
        args: atom.args.iter().map(|&arg| by.apply(store, arg)).collect(),
    };
    let body: Vec<PredAtom> = clause.body.iter().map(|it| atom(store, it)).collect();
    let head = clause.head.as_ref().map(|it| atom(store, it));
    let mut work = Work { store, reads: Reads::new(names), layouts, mode, parts: Vec::new() };
    let equal = work.constraint(constraint);
    for it in body.iter().chain(&head) {
        work.reads.visit(work.store, &it.args);
    }
    let head = head.map(|it| work.head(&it));
    work.equations(&equal);
    work.saturate(&body);
    let (mut instances, mut firsts) = (Vec::new(), Vec::new());
    for it in &body {
        firsts.push(work.instances(it, &mut instances));
    }
    work.congruence();
    let constraint = work.store.and(&work.parts);
    Made { clause: Clause { head, body: instances, constraint, span: clause.span }, firsts }
}

/// The indices of an instance, as far as they matter.
type Partial = Vec<Option<Term>>;

struct Work<'w, 'n> {
    store: &'w mut TermStore,
    reads: Reads<'n>,
    layouts: &'w IndexVec<PredId, Layout>,
    mode: &'w Mode,
    /// The conjuncts of the new constraint.
    parts: Vec<Term>,
}

impl Work<'_, '_> {
    fn is_simple(&self, term: Term) -> bool {
        is_simple(self.store, self.store.sort(term))
    }
    /// The constraint but for equations between arrays among its conjuncts, which are returned.
    fn constraint(&mut self, constraint: Term) -> Vec<[Term; 2]> {
        let mut equal = Vec::new();
        for conjunct in self.store.conjuncts(&[constraint]) {
            if let Kind::Same(a, b) = self.store.kind(conjunct)
                && !self.is_simple(a)
            {
                self.reads.visit(self.store, &[a, b]);
                equal.push([a, b]);
            } else {
                self.reads.visit(self.store, &[conjunct]);
                self.parts.push(self.reads.image(conjunct));
            }
        }
        equal
    }
    /// The head at indices of its own.
    fn head(&mut self, head: &PredAtom) -> PredAtom {
        let layout = &self.layouts[head.pred];
        let slots: Vec<Term> =
            layout.slots.iter().map(|&s| self.reads.new_variable(self.store, s)).collect();
        self.atom(head, &slots)
    }
    /// `atom` with its cells at `slots`.
    fn atom(&mut self, atom: &PredAtom, slots: &[Term]) -> PredAtom {
        let layout = &self.layouts[atom.pred];
        let kept = layout.kept.iter().map(|&at| self.reads.image(atom.args[at]));
        let mut args: Vec<Term> = kept.chain(slots.iter().copied()).collect();
        for cell in &layout.cells {
            let path = Layout::path(cell, slots, |at| self.reads.image(atom.args[at]));
            args.push(self.reads.read(self.store, atom.args[cell.arg], path));
        }
        PredAtom { pred: layout.pred, args }
    }
    /// Says what equations between arrays mean for their cells; those of `equal` hold.
    fn equations(&mut self, equal: &[[Term; 2]]) {
        let conditional = std::mem::take(&mut self.reads.equations);
        for Equation { holds, sides } in &conditional {
            let Some(path) = path_of(self.store, self.store.sort(sides[0])) else { continue };
            let at = path.iter().map(|&s| self.reads.new_variable(self.store, s));
            let at: Vec<Term> = at.collect();
            let same = self.same_at(*sides, &at);
            let differ = self.store.not(same);
            self.parts.push(self.store.or(&[*holds, differ]));
        }
        let top = self.store.top();
        let all = equal.iter().map(|sides| (top, *sides));
        let all: Vec<_> = all.chain(conditional.iter().map(|e| (e.holds, e.sides))).collect();
        for (condition, sides) in all {
            if path_of(self.store, self.store.sort(sides[0])).is_none() {
                continue;
            }
            for at in self.indices(&sides, MOST_INSTANCES) {
                let same = self.same_at(sides, &at);
                self.parts.push(self.store.implies(condition, same));
            }
        }
    }
    fn same_at(&mut self, sides: [Term; 2], at: &[Term]) -> Term {
        let [a, b] = sides.map(|side| self.reads.read(self.store, side, at.to_vec()));
        self.store.eq(a, b)
    }
    /// Paths at which variables of `arrays`, which have one sort, are read, and at which the terms
    /// write.
    fn indices(&mut self, arrays: &[Term], most: usize) -> Vec<Vec<Term>> {
        let sorts = path_of(self.store, self.store.sort(arrays[0])).unwrap_or_default();
        let length = sorts.len();
        let symbols: Set<Symbol> = free_symbols(self.store, arrays).into_iter().collect();
        let is_own = |array: Term| {
            arrays.contains(&array)
                || self.store.symbol(array).is_some_and(|s| symbols.contains(&s))
        };
        let own = self.reads.cells.iter().filter(|cell| is_own(cell.array));
        let own = own.filter(|cell| cell.path.len() >= length);
        let suffixes = own.map(|cell| &cell.path[cell.path.len() - length..]);
        let (mut found, mut seen) = (Vec::new(), Set::default());
        let mut add = |path: Vec<Term>| {
            if found.len() < most && seen.insert(path.clone()) {
                found.push(path);
            }
        };
        for path in suffixes {
            // Arrays of other sorts may occur in those of this one: as indices, or in what is
            // written.
            if path.iter().zip(&sorts).all(|(&index, &sort)| self.store.sort(index) == sort) {
                add(path.to_vec());
            }
        }
        if length == 1 {
            for &array in arrays {
                let mut at = array;
                while let Some(ArrayKind::Store(inner, index, _)) = self.store.array_kind(at) {
                    add(vec![self.reads.image(index)]);
                    at = inner;
                }
            }
        }
        found
    }
    /// Reads the cells of all instances of the body until no further ones are needed: an instance
    /// of one atom reads arrays that another one has.
    fn saturate(&mut self, body: &[PredAtom]) {
        for _ in 0..MOST_ROUNDS {
            let before = self.reads.cells.len();
            for atom in body {
                for partial in self.choices(atom) {
                    if let Some(slots) = partial.into_iter().collect::<Option<Vec<Term>>>() {
                        self.atom(atom, &slots);
                    }
                }
            }
            if self.reads.cells.len() == before {
                return;
            }
        }
    }
    /// Adds the instances of a body atom that are not there already; says where the first one is.
    fn instances(&mut self, atom: &PredAtom, to: &mut Vec<PredAtom>) -> usize {
        let mut first = None;
        let sorts = &self.layouts[atom.pred].slots;
        for partial in self.choices(atom) {
            let mut slots = Vec::with_capacity(sorts.len());
            for (index, &sort) in partial.into_iter().zip(sorts) {
                slots.push(match index {
                    Some(index) => index,
                    None => self.reads.new_variable(self.store, sort),
                });
            }
            let instance = self.atom(atom, &slots);
            let at = to.iter().position(|other| *other == instance).unwrap_or_else(|| {
                to.push(instance);
                to.len() - 1
            });
            first.get_or_insert(at);
        }
        first.expect("an atom has an instance")
    }
    /// The indices of the instances of `atom`; one that is missing does not matter.
    fn choices(&mut self, atom: &PredAtom) -> Vec<Partial> {
        let layout = &self.layouts[atom.pred];
        let groups = self.groups(atom, layout);
        let mut choices = combined(&groups, layout.slots.len(), self.mode == &Mode::Pair);
        for partial in &mut choices {
            for (at, index) in partial.iter_mut().enumerate() {
                let other = || groups.iter().flatten().find_map(|partial| partial[at]);
                *index = index.or_else(other);
            }
        }
        choices
    }
    /// The indices that matter to cells of `atom`; what is chosen in one group is chosen for other
    /// indices than in the others.
    fn groups(&mut self, atom: &PredAtom, layout: &Layout) -> Vec<Vec<Partial>> {
        let mut groups: Vec<(usize, Vec<Partial>)> = Vec::new();
        let mut copies: Map<usize, usize> = Map::default();
        for cell in &layout.cells {
            let Some(slots) = slots_of(cell) else { continue };
            let copy = copies.entry(cell.arg).or_default();
            let key = match self.mode {
                Mode::Forget | Mode::Shared(_) => 0,
                Mode::Pair => *copy,
                Mode::Own => cell.arg,
            };
            *copy += 1;
            let at = groups.iter().position(|(other, _)| *other == key);
            let at = at.unwrap_or_else(|| {
                groups.push((key, Vec::new()));
                groups.len() - 1
            });
            for path in self.indices(&[atom.args[cell.arg]], MOST_INSTANCES) {
                let mut partial: Partial = vec![None; layout.slots.len()];
                for (&slot, index) in slots.iter().zip(path) {
                    partial[slot] = Some(index);
                }
                add_partial(&mut groups[at].1, partial);
            }
        }
        groups.into_iter().map(|(_, group)| group).collect()
    }
    /// Cells of one array at the same index are the same.
    fn congruence(&mut self) {
        let mut of_array: Map<Term, Vec<usize>> = Map::default();
        for (at, cell) in self.reads.cells.iter().enumerate() {
            let others = of_array.entry(cell.array).or_default();
            if others.len() >= MOST_CONGRUENT {
                continue;
            }
            for &other in others.iter() {
                let other = &self.reads.cells[other];
                if other.path.len() != cell.path.len() {
                    continue;
                }
                let pairs = other.path.iter().zip(&cell.path).map(|(&a, &b)| (a, b));
                let pairs: Vec<(Term, Term)> = pairs.filter(|(a, b)| a != b).collect();
                if pairs.iter().any(|&(a, b)| !self.is_simple(a) || self.store.differ(a, b)) {
                    continue;
                }
                let same: Vec<Term> = pairs.iter().map(|&(a, b)| self.store.eq(a, b)).collect();
                let (same, values) =
                    (self.store.and(&same), self.store.eq(other.value, cell.value));
                self.parts.push(self.store.implies(same, values));
            }
            others.push(at);
        }
    }
}

/// The indices of a cell that is not at a fixed one.
fn slots_of(cell: &Cell) -> Option<Vec<usize>> {
    let slot = |place: &Place| match place {
        Place::Slot(at) => Some(*at),
        Place::Fixed(_) | Place::Argument(_) => None,
    };
    cell.at.iter().map(slot).collect()
}

/// Adds what no other says, and drops what it says better.
fn add_partial(group: &mut Vec<Partial>, new: Partial) {
    let says = |a: &Partial, b: &Partial| a.iter().zip(b).all(|(a, b)| b.is_none() || a == b);
    if !group.iter().any(|old| says(old, &new)) {
        group.retain(|old| !says(&new, old));
        group.push(new);
    }
}

/// Choices of one element of each group, put together: every element is chosen at least once,
/// within the limit.
fn combined(groups: &[Vec<Partial>], count: usize, apart: bool) -> Vec<Partial> {
    let lengths: Vec<usize> = groups.iter().map(|group| group.len().max(1)).collect();
    let longest = lengths.iter().copied().max().unwrap_or(1);
    let diagonal = (0..longest)
        .map(|at| lengths.iter().map(|&length| at.min(length - 1)).collect::<Vec<usize>>());
    let all = lengths.iter().fold(1usize, |product, &length| product.saturating_mul(length));
    let further = (0..all.min(64 * MOST_INSTANCES)).map(|number| {
        let mut rest = number;
        let digit = |&length: &usize| {
            let digit = rest % length;
            rest /= length;
            digit
        };
        lengths.iter().map(digit).collect::<Vec<usize>>()
    });
    // Two indices that are always the same say no more than one.
    let is_apart =
        |choice: &Vec<usize>| !apart || longest == 1 || choice.windows(2).all(|w| w[0] != w[1]);
    let (mut result, mut seen) = (Vec::new(), Set::default());
    for choice in diagonal.chain(further).filter(is_apart) {
        if result.len() == MOST_INSTANCES {
            break;
        }
        if seen.insert(choice.clone()) {
            let mut whole: Partial = vec![None; count];
            for (group, &at) in groups.iter().zip(&choice) {
                for (slot, index) in whole.iter_mut().zip(group.get(at).into_iter().flatten()) {
                    *slot = slot.or(*index);
                }
            }
            result.push(whole);
        }
    }
    result
}
