//! The predicates by which states are abstracted, and sets of them.
//!
//! `Π(p)` is a growing list of formulas over the parameters of the relation symbol `p`; a set of
//! them is a bit set, so that nodes are compared by words. A predicate keeps its number for good.
//!
//! A predicate that no node has had for some refinements is *forgotten*: images do not mention it
//! any more, so they become weaker and cheaper. If an interpolant brings it back, it stays for
//! good; so every predicate is forgotten once at most, and refinement makes progress as before.
//!
//! Invariants: a predicate of `p` is neither `true` nor `false` and occurs once in `Π(p)`; a
//! [`Subset`] has no trailing empty word, so equal sets are equal values.
//!
//! Source: [GS97] for abstraction by predicates, [RHK13] for predicate maps of relation symbols.
//! Symbols: `Π` → [`Predicates`], `Q` → [`Subset`], `p` → `PredId`.

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
    /// Adds what `other` has.
    pub(super) fn unite(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, &with) in self.0.iter_mut().zip(&other.0) {
            *word |= with;
        }
    }
    /// Removes what `other` has.
    pub(super) fn subtract(&mut self, other: &Self) {
        for (word, &with) in self.0.iter_mut().zip(&other.0) {
            *word &= !with;
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

/// Whether a predicate may be forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// A node had it at this refinement, or it came then.
    Last(u64),
    /// It is forgotten.
    None,
    /// It stays for good.
    Lasting,
}

/// `Π`: the predicates of every relation symbol; see the module documentation.
#[derive(Clone, Debug)]
pub(super) struct Predicates {
    params: IndexVec<PredId, Vec<Symbol>>,
    of: IndexVec<PredId, Vec<Term>>,
    known: Set<(PredId, Term)>,
    uses: IndexVec<PredId, Vec<Use>>,
    forgotten: IndexVec<PredId, Subset>,
    /// How often each symbol got a predicate, new or back again.
    news: IndexVec<PredId, usize>,
}

impl Predicates {
    /// No predicate yet.
    pub(super) fn new(store: &mut TermStore, system: &ChcSystem) -> Self {
        let params: IndexVec<PredId, Vec<Symbol>> =
            system.preds().map(|pred| formal_params(store, system, pred)).collect();
        let of = params.iter().map(|_| Vec::new()).collect();
        let uses = params.iter().map(|_| Vec::new()).collect();
        let forgotten = params.iter().map(|_| Subset::default()).collect();
        let news = params.iter().map(|_| 0).collect();
        Self { params, of, known: Set::default(), uses, forgotten, news }
    }
    /// The parameters that predicates of `pred` speak about.
    pub(super) fn params(&self, pred: PredId) -> &[Symbol] {
        &self.params[pred]
    }
    /// The relation symbols.
    pub(super) fn preds(&self) -> impl Iterator<Item = PredId> + use<> {
        self.of.handles()
    }
    /// `Π(pred)`.
    pub(super) fn of(&self, pred: PredId) -> &[Term] {
        &self.of[pred]
    }
    /// How often `pred` got a predicate, new or back again.
    pub(super) fn news(&self, pred: PredId) -> usize {
        self.news[pred]
    }
    /// The predicates of `pred` that images do not mention.
    pub(super) fn forgotten(&self, pred: PredId) -> &Subset {
        &self.forgotten[pred]
    }
    /// No predicate that is there now will be forgotten.
    pub(super) fn keep(&mut self) {
        for uses in &mut self.uses {
            uses.fill(Use::Lasting);
        }
    }
    /// Takes note at refinement number `now` that nodes of `pred` have `used`, and forgets what
    /// none has had for `patience` refinements; how many these are.
    pub(super) fn forget(&mut self, pred: PredId, used: &Subset, now: u64, patience: u64) -> u64 {
        let mut count = 0;
        for (at, usage) in self.uses[pred].iter_mut().enumerate() {
            match usage {
                Use::Last(last) if used.contains(at) => *last = now,
                Use::Last(last) if now > *last + patience => {
                    *usage = Use::None;
                    self.forgotten[pred].insert(at);
                    count += 1;
                }
                Use::Last(_) | Use::None | Use::Lasting => (),
            }
        }
        count
    }
    /// How many there are of all symbols.
    pub(super) fn count(&self) -> usize {
        self.of.iter().map(Vec::len).sum()
    }
    /// Adds `formula` to `Π(pred)`, split as asked, at refinement number `now`; whether something
    /// is new, or back again.
    pub(super) fn add(
        &mut self,
        store: &mut TermStore,
        pred: PredId,
        formula: Term,
        split: Split,
        now: u64,
    ) -> bool {
        let mut is_new = false;
        for part in parts(store, formula, split) {
            if part == store.top() || part == store.bottom() {
                continue;
            }
            if self.known.insert((pred, part)) {
                self.of[pred].push(part);
                self.uses[pred].push(Use::Last(now));
            } else if !self.remember(pred, part) {
                continue;
            }
            self.news[pred] += 1;
            is_new = true;
        }
        is_new
    }
    /// Brings a predicate back; whether it was forgotten.
    fn remember(&mut self, pred: PredId, formula: Term) -> bool {
        let is_it = |&at: &usize| self.of[pred][at] == formula;
        let Some(at) = self.forgotten[pred].iter().find(is_it) else { return false };
        self.forgotten[pred].remove(at);
        self.uses[pred][at] = Use::Lasting;
        true
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

    #[test]
    fn a_predicate_is_forgotten_once() {
        let (mut s, mut system) = (TermStore::new(), ChcSystem::new());
        let pred =
            system.add_pred(s.declare("p", &[shofar_term::Sort::INT], shofar_term::Sort::BOOL));
        let mut predicates = Predicates::new(&mut s, &system);
        let x = s.constant(predicates.params(pred)[0]);
        let [zero, nine] = [0, 9].map(|number| s.int(number));
        let (low, high) = (s.ge(x, zero), s.le(x, nine));
        for formula in [low, high] {
            assert!(predicates.add(&mut s, pred, formula, Split::Whole, 1));
        }
        assert_eq!(predicates.forget(pred, &set(&[0]), 3, 2), 0, "the time is not over");
        assert_eq!(
            predicates.forget(pred, &set(&[]), 4, 2),
            1,
            "nobody had the second one since 1"
        );
        assert_eq!(predicates.forgotten(pred), &set(&[1]));
        assert!(!predicates.add(&mut s, pred, low, Split::Whole, 4), "it is there");
        assert_eq!(predicates.news(pred), 2);
        assert!(predicates.add(&mut s, pred, high, Split::Whole, 4), "it is back");
        assert_eq!((predicates.news(pred), predicates.of(pred).len()), (3, 2));
        assert_eq!(predicates.forget(pred, &set(&[]), 99, 2), 1, "only the first one may go now");
        assert_eq!(predicates.forgotten(pred), &set(&[0]));
    }
}
