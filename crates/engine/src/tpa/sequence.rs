//! The sequences `ATr≤n`, `ATr<n` and `ATr=n`.
//!
//! An element is a conjunction over the state and next variables. The first is exact; the others start as *true* and only ever
//! get stronger.
//!
//! Beside the conjuncts, an element has *guesses*: relations that it implies, and that say less. They are of no use in queries, but one of
//! them may be preserved by further steps where the conjuncts are not; then it becomes a conjunct of the next element, or part of a
//! transition invariant. Decomposed interpolants, for example, tell `x′ ≥ x ∧ y′ ≤ y`, the plain ones `x′ - y′ ≥ x - y`.
//!
//! Invariant: the element number `n` contains every pair of states that the given number of steps connects.
//!
//! Source: [Bli22] §4.3 (equation 4.4) and §4.4.2 (equations 4.8 and 4.9).

use shofar_base::Set;
use shofar_term::{Term, TermStore};

use super::Order;
use super::names::Names;

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
    /// The two relations number `n` whose composition is this one number `n + 1`: equations 4.3, 4.7 and 4.6.
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
    levels: Vec<Vec<Term>>,
}

/// All sequences.
#[derive(Clone, Debug)]
pub(super) struct Sequences {
    all: [Sequence; 3],
    known: [Vec<Set<Term>>; 3],
    guesses: [Sequence; 3],
}

impl Sequences {
    /// The exact first elements: `Id ∨ Tr`, `Tr` and `Id`.
    pub(super) fn new(store: &mut TermStore, names: &Names) -> Self {
        let (step, stay) = (names.ts.step, names.identity(store));
        let either = store.or(&[stay, step]);
        let first = |conjuncts| Sequence { levels: vec![conjuncts] };
        Self {
            all: [first(vec![either]), first(vec![step]), first(vec![stay])],
            known: Default::default(),
            guesses: Default::default(),
        }
    }
    /// The conjuncts of element `n`.
    pub(super) fn conjuncts(&self, relation: Relation, n: usize) -> &[Term] {
        self.all[relation.index()].levels.get(n).map_or(&[], Vec::as_slice)
    }
    /// Element `n` as one formula.
    pub(super) fn formula(&self, store: &mut TermStore, relation: Relation, n: usize) -> Term {
        store.and(self.conjuncts(relation, n))
    }
    /// The conjuncts of element `n`, and further relations that contain it.
    pub(super) fn candidates(&self, relation: Relation, n: usize) -> Vec<Term> {
        let guesses = self.guesses[relation.index()].levels.get(n).map_or(&[][..], Vec::as_slice);
        [self.conjuncts(relation, n), guesses].concat()
    }
    /// Notes relations that contain element `n`; they do not make it stronger.
    pub(super) fn guess(&mut self, relation: Relation, n: usize, relations: &[Term]) {
        let known = &mut self.known[relation.index()];
        known.resize_with(known.len().max(n + 1), Set::default);
        let levels = &mut self.guesses[relation.index()].levels;
        levels.resize_with(levels.len().max(n + 1), Vec::new);
        levels[n].extend(relations.iter().filter(|&&r| known[n].insert(r)));
    }
    /// Whether `conjunct` is one of element `n`.
    pub(super) fn has(&self, relation: Relation, n: usize, conjunct: Term) -> bool {
        self.known[relation.index()].get(n).is_some_and(|known| known.contains(&conjunct))
    }
    /// Makes element `n` stronger.
    pub(super) fn refine(&mut self, relation: Relation, n: usize, conjuncts: &[Term]) {
        let levels = &mut self.all[relation.index()].levels;
        let known = &mut self.known[relation.index()];
        levels.resize_with(levels.len().max(n + 1), Vec::new);
        known.resize_with(known.len().max(n + 1), Set::default);
        levels[n].extend(conjuncts.iter().filter(|&&c| known[n].insert(c)));
    }
}
