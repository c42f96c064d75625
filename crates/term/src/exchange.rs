//! What engines tell each other about a problem: lemmas, in one vocabulary for all of them.
//!
//! A [`Lemma`] says that a formula over parameters holds wherever a predicate is derived, by derivations of a bounded height
//! or by all, and who proved it. Engines for Horn clauses speak of predicates, engines for transition systems of the state,
//! whose parameters are the state variables. A lemma may name what it excludes: points from which the goal is so many steps
//! away, so that the receiver knows what the lemma is good for.
//!
//! Terms live in the store of a thread. A [`Parcel`] is a lemma on its way to another one: its terms are bytes. Names of
//! parameters and the predicate's handle are those of the common ancestor of both stores, in which the problem was read.
//!
//! Invariant: nobody has to believe a lemma. What is concluded from one is checked, by its receiver or by the validator.

use std::borrow::Cow;

use shofar_base::index_type;

use crate::serial::{export, import};
use crate::{Symbol, Term, TermStore};

index_type!(
    /// The height of derivations: that of a fact is 0, others are one higher than their highest premise. For a transition
    /// system this is the number of steps.
    pub struct Level
);

impl Level {
    /// The level of facts.
    pub const ZERO: Self = Self(0);
    /// The level number `n`.
    pub const fn new(n: u32) -> Self {
        Self(n)
    }
    /// One higher.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
    /// One lower, if this is not that of facts.
    pub const fn previous(self) -> Option<Self> {
        match self.0.checked_sub(1) {
            Some(n) => Some(Self(n)),
            None => None,
        }
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Of which derivations a lemma holds; the order is that of strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bound {
    /// Of those up to this height.
    Within(Level),
    /// Of all.
    Always,
}

impl Bound {
    /// Whether it says something about derivations of height `level`.
    pub fn reaches(self, level: Level) -> bool {
        self >= Bound::Within(level)
    }
    /// One level higher; what holds always stays.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Bound::Within(level) => Bound::Within(level.next()),
            Bound::Always => Bound::Always,
        }
    }
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Bound::Within(level) => write!(f, "{level}"),
            Bound::Always => f.write_str("always"),
        }
    }
}

/// What a lemma is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// What this predicate holds of.
    Predicate(Symbol),
    /// The states of the transition system that all who share an exchange work on.
    State,
}

/// Points that a lemma excludes, and from each of which the goal is derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Excluded {
    /// Over the parameters of the lemma.
    pub points: Term,
    /// In how many steps.
    pub distance: Level,
}

/// Something that an engine has proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lemma {
    /// What it is about.
    pub subject: Subject,
    /// What stands for the arguments of the predicate, or the state variables.
    pub params: Vec<Symbol>,
    /// What holds of them.
    pub formula: Term,
    /// How long.
    pub bound: Bound,
    /// Which engine proved it.
    pub prover: Cow<'static, str>,
    /// What it was found for, if that is known.
    pub excludes: Option<Excluded>,
}

/// Takes lemmas from engines, and hands on those of others; several threads may use it at the same time.
pub trait Exchange: Send + Sync {
    /// Takes a lemma.
    fn publish(&self, store: &mut TermStore, lemma: &Lemma);
    /// What others have published since the last time, as terms of `store`.
    fn receive(&self, store: &mut TermStore) -> Vec<Lemma>;
}

/// A lemma outside of any store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parcel {
    subject: Subject,
    bound: Bound,
    prover: Cow<'static, str>,
    distance: Option<Level>,
    /// The parameters, the formula, and what is excluded.
    terms: Vec<u8>,
}

impl Lemma {
    /// The lemma without a store.
    pub fn pack(&self, store: &mut TermStore) -> Parcel {
        let mut roots: Vec<Term> = self.params.iter().map(|&param| store.constant(param)).collect();
        roots.push(self.formula);
        roots.extend(self.excludes.map(|excluded| excluded.points));
        Parcel {
            subject: self.subject,
            bound: self.bound,
            prover: self.prover.clone(),
            distance: self.excludes.map(|excluded| excluded.distance),
            terms: export(store, &roots),
        }
    }
}

impl Parcel {
    /// The lemma in a store; nothing if it was damaged on the way.
    pub fn unpack(&self, store: &mut TermStore) -> Option<Lemma> {
        let mut roots = import(store, &self.terms).ok()?;
        let excludes = match self.distance {
            Some(distance) => Some(Excluded { points: roots.pop()?, distance }),
            None => None,
        };
        let formula = roots.pop()?;
        let param = |&root: &Term| store.symbol(root);
        let params = roots.iter().map(param).collect::<Option<Vec<Symbol>>>()?;
        let prover = self.prover.clone();
        Some(Lemma { subject: self.subject, params, formula, bound: self.bound, prover, excludes })
    }
    /// Whether both say the same, whoever proved it.
    pub fn says_the_same(&self, other: &Self) -> bool {
        (self.subject, self.bound, &self.terms) == (other.subject, other.bound, &other.terms)
    }
}

#[cfg(test)]
mod tests {
    use shofar_base::Idx;

    use super::*;
    use crate::Sort;

    #[test]
    fn bounds_are_ordered_by_what_they_say() {
        let three = Bound::Within(Level::new(3));
        assert!(three < three.next() && three.next() < Bound::Always);
        assert_eq!(Bound::Always.next(), Bound::Always);
        assert!(three.reaches(Level::new(3)) && !three.reaches(Level::new(4)));
        assert_eq!((Level::ZERO.previous(), Level::new(2).previous()), (None, Some(Level::new(1))));
        assert_eq!(Level::from_index(7).to_string(), "7");
    }

    #[test]
    fn lemmas_travel_between_stores() {
        let mut store = TermStore::new();
        let predicate = store.declare("p", &[Sort::INT], Sort::BOOL);
        let mut other = store.clone();
        let param = store.declare("x", &[], Sort::INT);
        let (x, zero) = (store.constant(param), store.int(0));
        let lemma = Lemma {
            subject: Subject::Predicate(predicate),
            params: vec![param],
            formula: store.ge(x, zero),
            bound: Bound::Within(Level::new(4)),
            prover: "spacer".into(),
            excludes: Some(Excluded { points: store.lt(x, zero), distance: Level::new(2) }),
        };
        let parcel = lemma.pack(&mut store);
        let there = parcel.unpack(&mut other).expect("nothing happened to it");
        assert_eq!(there.pack(&mut other), parcel);
        assert_eq!(other.name(there.params[0]), "x");
        let always = Lemma { bound: Bound::Always, excludes: None, ..lemma.clone() };
        assert!(!always.pack(&mut store).says_the_same(&parcel));
        let by_another = Lemma { prover: "imc".into(), ..lemma };
        assert!(by_another.pack(&mut store).says_the_same(&parcel));
    }
}
