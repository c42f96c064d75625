//! The predicates by which states are abstracted, and sets of them.
//!
//! `Π(p)` is a growing list of formulas over the parameters of the relation symbol `p`; a set of them is a bit set, so that nodes
//! are compared by words. A predicate keeps its number for good.
//!
//! Invariants: a predicate of `p` is neither `true` nor `false` and occurs once in `Π(p)`; a [`Subset`] has no trailing empty
//! word, so equal sets are equal values.
//!
//! Source: [GS97] for abstraction by predicates, [RHK13] for predicate maps of relation symbols. Symbols: `Π` → [`Predicates`], `Q` → [`Subset`], `p` → `PredId`.

use shofar_base::{IndexVec, Set};
use shofar_chc::{ChcSystem, PredId, formal_params};
use shofar_term::{Symbol, Term, TermStore, View};

use super::options::Split;

const BITS: usize = u64::BITS as usize;

/// A set of predicates of one relation symbol, by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Subset(Vec<u64>);

impl Subset {
    /// The first `count` predicates.
    pub(super) fn first(count: usize) -> Self {
        let mut words = vec![u64::MAX; count / BITS];
        if !count.is_multiple_of(BITS) {
            words.push((1 << (count % BITS)) - 1);
        }
        Self(words)
    }
    /// Adds a predicate.
    pub(super) fn insert(&mut self, index: usize) {
        if self.0.len() <= index / BITS {
            self.0.resize(index / BITS + 1, 0);
        }
        self.0[index / BITS] |= 1 << (index % BITS);
    }
    /// Removes a predicate.
    pub(super) fn remove(&mut self, index: usize) {
        if let Some(word) = self.0.get_mut(index / BITS) {
            *word &= !(1 << (index % BITS));
        }
        self.trim();
    }
    /// Whether a predicate is in it.
    pub(super) fn contains(&self, index: usize) -> bool {
        self.0.get(index / BITS).is_some_and(|word| word >> (index % BITS) & 1 == 1)
    }
    /// Whether `other` has all that this one has.
    pub(super) fn is_subset(&self, other: &Self) -> bool {
        self.0.len() <= other.0.len() && self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }
    /// Keeps what `other` has as well.
    pub(super) fn intersect(&mut self, other: &Self) {
        self.0.truncate(other.0.len());
        for (word, &with) in self.0.iter_mut().zip(&other.0) {
            *word &= with;
        }
        self.trim();
    }
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
    /// The numbers, in increasing order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let bits = |(at, &word): (usize, &u64)| {
            (0..BITS).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * BITS + bit)
        };
        self.0.iter().enumerate().flat_map(bits)
    }
    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}

/// `Π`: the predicates of every relation symbol; see the module documentation.
#[derive(Clone, Debug)]
pub(super) struct Predicates {
    params: IndexVec<PredId, Vec<Symbol>>,
    of: IndexVec<PredId, Vec<Term>>,
    known: Set<(PredId, Term)>,
}

impl Predicates {
    /// No predicate yet.
    pub(super) fn new(store: &mut TermStore, system: &ChcSystem) -> Self {
        let params: IndexVec<PredId, Vec<Symbol>> =
            system.preds().map(|pred| formal_params(store, system, pred)).collect();
        let of = params.iter().map(|_| Vec::new()).collect();
        Self { params, of, known: Set::default() }
    }
    /// The parameters that predicates of `pred` speak about.
    pub(super) fn params(&self, pred: PredId) -> &[Symbol] {
        &self.params[pred]
    }
    /// `Π(pred)`.
    pub(super) fn of(&self, pred: PredId) -> &[Term] {
        &self.of[pred]
    }
    /// How many there are of all symbols.
    pub(super) fn count(&self) -> usize {
        self.of.iter().map(Vec::len).sum()
    }
    /// Adds `formula` to `Π(pred)`, split as asked; whether something is new.
    pub(super) fn add(
        &mut self,
        store: &mut TermStore,
        pred: PredId,
        formula: Term,
        split: Split,
    ) -> bool {
        let mut is_new = false;
        for part in parts(store, formula, split) {
            if part != store.top() && part != store.bottom() && self.known.insert((pred, part)) {
                self.of[pred].push(part);
                is_new = true;
            }
        }
        is_new
    }
    /// The conjunction of some of the predicates of `pred`.
    pub(super) fn conjunction(&self, store: &mut TermStore, pred: PredId, set: &Subset) -> Term {
        let members: Vec<Term> = set.iter().map(|at| self.of[pred][at]).collect();
        store.and(&members)
    }
}

/// What is to be a predicate of its own.
fn parts(store: &TermStore, formula: Term, split: Split) -> Vec<Term> {
    match split {
        Split::Whole => vec![formula],
        Split::Conjuncts => store.conjuncts(&[formula]),
        Split::Atoms => {
            let mut result = Vec::new();
            for part in store.conjuncts(&[formula]) {
                let disjuncts = store.disjuncts(&[part]);
                if disjuncts.len() > 1 {
                    result.extend(atoms(store, &disjuncts));
                }
                result.push(part);
            }
            result
        }
    }
}

/// The literals below the connectives of `formulas`, each once, in the order in which they are met.
fn atoms(store: &TermStore, formulas: &[Term]) -> Vec<Term> {
    let mut stack: Vec<Term> = formulas.iter().rev().copied().collect();
    let mut seen: Set<Term> = Set::default();
    let mut result = Vec::new();
    while let Some(formula) = stack.pop() {
        if !seen.insert(formula) {
            continue;
        }
        match store.view(store.strip_not(formula).0) {
            View::And(parts) | View::Or(parts) => stack.extend(parts.iter().rev()),
            View::Iff(a, b) => stack.extend([b, a]),
            View::Ite(condition, a, b) => stack.extend([b, a, condition]),
            View::Not(_)
            | View::Constant(_)
            | View::Quantified(..)
            | View::Predicate(..)
            | View::Atom
            | View::Term => result.push(formula),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(members: &[usize]) -> Subset {
        let mut set = Subset::default();
        for &member in members {
            set.insert(member);
        }
        set
    }

    #[test]
    fn sets_are_compared_by_their_members() {
        let (small, large) = (set(&[1, 70]), set(&[1, 5, 70, 200]));
        assert!(small.is_subset(&large) && !large.is_subset(&small));
        assert_eq!(large.iter().collect::<Vec<usize>>(), [1, 5, 70, 200]);
        let mut common = large.clone();
        common.intersect(&set(&[5, 200, 300]));
        assert_eq!((common.clone(), common.len()), (set(&[5, 200]), 2));
        common.remove(200);
        assert_eq!(common, set(&[5]), "no empty word is left behind");
        assert!(common.contains(5) && !common.contains(200));
        assert_eq!(Subset::first(66), set(&(0..66).collect::<Vec<usize>>()));
        assert_eq!(Subset::first(64).len(), 64);
    }
}
