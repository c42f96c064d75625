//! The sequences `ATr≤n`, `ATr<n` and `ATr=n`.
//!
//! An element is a conjunction over the state and next variables. The first is exact; the others
//! start as *true* and only ever get stronger.
//!
//! Beside the conjuncts, an element has *guesses*: relations that it implies, and that say less.
//! They are of no use in queries, but one of them may be preserved by further steps where the
//! conjuncts are not; then it becomes a conjunct of the next element, or part of a transition
//! invariant. Decomposed interpolants, for example, tell `x′ ≥ x ∧ y′ ≤ y`, the plain ones
//! `x′ - y′ ≥ x - y`.
//!
//! Invariant: the element number `n` contains every pair of states that the given number of steps
//! connects.
//!
//! Source: [Bli22] §4.3 (equation 4.4) and §4.4.2 (equations 4.8 and 4.9).

use shofar_base::{Idx, IndexVec, Set, index_type};
use shofar_term::{Term, TermStore};

use super::Order;
use super::names::Names;

index_type!(
    /// The number `n` of an element, which stands for about `2ⁿ` steps.
    pub struct Power
);

impl Power {
    /// The exact element.
    pub const ZERO: Self = Self(0);
    /// The power number `n`.
    pub const fn new(n: u32) -> Self {
        Self(n)
    }
    /// Twice as many steps.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
    /// Half as many steps; nothing below the exact element.
    pub(super) fn previous(self) -> Option<Self> {
        self.0.checked_sub(1).map(Self)
    }
    /// `2ⁿ`, if that is a number of the machine.
    pub(super) fn steps(self) -> Option<u64> {
        1_u64.checked_shl(self.0)
    }
    /// The powers from `first` to this one.
    pub(super) fn from(self, first: Self) -> impl Iterator<Item = Self> {
        (first.0..=self.0).map(Self)
    }
}

impl std::fmt::Display for Power {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// How many steps an element number `n` stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// At most `2ⁿ`.
    AtMost,
    /// Exactly `2ⁿ`.
    Exactly,
    /// Fewer than `2ⁿ`.
    Below,
}

/// A relation that is a part of the next one, and whether it may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    /// A step of it.
    Taken(Relation),
    /// A step of it or none.
    Optional(Relation),
}

impl Half {
    pub(super) fn relation(self) -> Relation {
        match self {
            Half::Taken(relation) | Half::Optional(relation) => relation,
        }
    }
}

impl Relation {
    /// The two relations number `n` whose composition is this one number `n + 1`: equations 4.3,
    /// 4.7 and 4.6.
    pub(super) fn halves(self, order: Order) -> [Half; 2] {
        match (self, order) {
            (Relation::AtMost | Relation::Exactly, _) => [Half::Taken(self); 2],
            (Relation::Below, Order::FewFirst) => {
                [Half::Taken(Relation::Below), Half::Optional(Relation::Exactly)]
            }
            (Relation::Below, Order::PowerFirst) => {
                [Half::Optional(Relation::Exactly), Half::Taken(Relation::Below)]
            }
        }
    }
    fn index(self) -> usize {
        match self {
            Relation::AtMost => 0,
            Relation::Exactly => 1,
            Relation::Below => 2,
        }
    }
}

/// One sequence: the conjuncts of each element.
#[derive(Clone, Debug, Default)]
pub(super) struct Sequence {
    elements: IndexVec<Power, Vec<Term>>,
}

/// All sequences.
#[derive(Clone, Debug)]
pub(super) struct Sequences {
    all: [Sequence; 3],
    known: [IndexVec<Power, Set<Term>>; 3],
    guesses: [Sequence; 3],
}

impl Sequences {
    /// The exact first elements: `Id ∨ Tr`, `Tr` and `Id`.
    pub(super) fn new(store: &mut TermStore, names: &Names) -> Self {
        let (step, stay) = (names.ts.step, names.identity(store));
        let either = store.or(&[stay, step]);
        let first = |conjuncts| Sequence { elements: [conjuncts].into_iter().collect() };
        Self {
            all: [first(vec![either]), first(vec![step]), first(vec![stay])],
            known: Default::default(),
            guesses: Default::default(),
        }
    }
    /// The conjuncts of element `n`.
    pub(super) fn conjuncts(&self, relation: Relation, n: Power) -> &[Term] {
        self.all[relation.index()].elements.get(n).map_or(&[], Vec::as_slice)
    }
    /// Element `n` as one formula.
    pub(super) fn formula(&self, store: &mut TermStore, relation: Relation, n: Power) -> Term {
        store.and(self.conjuncts(relation, n))
    }
    /// The conjuncts of element `n`, and further relations that contain it.
    pub(super) fn candidates(&self, relation: Relation, n: Power) -> Vec<Term> {
        let guesses = self.guesses[relation.index()].elements.get(n).map_or(&[][..], Vec::as_slice);
        [self.conjuncts(relation, n), guesses].concat()
    }
    /// Notes relations that contain element `n`; they do not make it stronger.
    pub(super) fn guess(&mut self, relation: Relation, n: Power, relations: &[Term]) {
        let known = grown(&mut self.known[relation.index()], n);
        let guesses = grown(&mut self.guesses[relation.index()].elements, n);
        guesses.extend(relations.iter().filter(|&&r| known.insert(r)));
    }
    /// Whether `conjunct` is one of element `n`.
    pub(super) fn has(&self, relation: Relation, n: Power, conjunct: Term) -> bool {
        self.known[relation.index()].get(n).is_some_and(|known| known.contains(&conjunct))
    }
    /// Makes element `n` stronger.
    pub(super) fn refine(&mut self, relation: Relation, n: Power, conjuncts: &[Term]) {
        let element = grown(&mut self.all[relation.index()].elements, n);
        let known = grown(&mut self.known[relation.index()], n);
        element.extend(conjuncts.iter().filter(|&&c| known.insert(c)));
    }
}

/// The item number `n` of `items`, which are made up to there if need be.
fn grown<T: Default>(items: &mut IndexVec<Power, T>, n: Power) -> &mut T {
    while items.len() <= n.index() {
        items.push(T::default());
    }
    &mut items[n]
}
