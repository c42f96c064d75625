//! What engines tell each other about a problem, in one vocabulary for all of them.
//!
//! A [`Message`] is a formula over parameters, which stand for the arguments of a predicate or for
//! the variables of a state, and what is said of it ([`Says`]):
//!
//! | | the formula | the receiver |
//! |---|---|---|
//! | `Holds` | holds of all that is derived, by derivations of a bounded height or by all | may assume it where its own rules allow that |
//! | `Holds`, with what it excludes | the same, and points are named from which the goal is so many steps away | knows what the lemma is good for |
//! | `Reached` | describes points that are derivable | need not look for lemmas that exclude one |
//! | `Hint` | may be part of a solution; nothing is claimed | takes it as a predicate or a candidate |
//!
//! Engines for Horn clauses speak of predicates, engines for transition systems of the state.
//!
//! Terms live in the store of a thread. A [`Parcel`] is a message on its way to another one: its
//! terms are bytes. Names of parameters and the predicate's handle are those of the common ancestor
//! of both stores, in which the problem was read; `shofar_chc::serial` has a form for other
//! processes.
//!
//! Invariant: nobody has to believe a message. What is concluded from one is checked, by its
//! receiver or by the validator.

use std::borrow::Cow;

use shofar_base::{Outcome, fixed_hash, index_type};

use crate::serial::{export, import};
use crate::{Cx, Symbol, Term, TermStore};

index_type!(
    /// The height of derivations: that of a fact is 0, others are one higher than their highest
    /// premise. For a transition system this is the number of steps.
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

/// What a message is about.
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
    /// Over the parameters of the message.
    pub points: Term,
    /// In how many steps.
    pub distance: Level,
}

/// What is said of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// It holds of all that is derived within the bound.
    Holds {
        /// How long.
        bound: Bound,
        /// What it was found for, if that is known.
        excludes: Option<Excluded>,
    },
    /// All its points are derivable.
    Reached,
    /// It may be of use.
    Hint,
}

impl Says {
    /// It holds of all that is derived within the bound.
    pub const fn holds(bound: Bound) -> Self {
        Says::Holds { bound, excludes: None }
    }
    /// What it excludes, if it says so.
    pub const fn excludes(&self) -> Option<Excluded> {
        match *self {
            Says::Holds { excludes, .. } => excludes,
            Says::Reached | Says::Hint => None,
        }
    }
}

/// Something that an engine tells others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// What it is about.
    pub subject: Subject,
    /// What stands for the arguments of the predicate, or the state variables.
    pub params: Vec<Symbol>,
    /// A formula over these.
    pub formula: Term,
    /// What is said of it.
    pub says: Says,
    /// Who says so.
    pub sender: Cow<'static, str>,
}

/// Which messages are exchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sharing {
    /// None: a race, which is what sharing has to beat.
    None,
    /// What is and is not reachable in a bounded number of steps.
    Reach,
    /// Invariants, and lemmas that were pushed, with what they exclude. The default, since all
    /// messages together decided neither more nor fewer problems (40 files of five suites,
    /// 2026-11).
    #[default]
    Induct,
    /// All.
    All,
}

impl Sharing {
    /// Whether such a message is exchanged.
    pub const fn admits(self, says: &Says) -> bool {
        match self {
            Sharing::None => false,
            Sharing::All => true,
            Sharing::Reach => match says {
                Says::Holds { bound: Bound::Within(_), excludes: None } | Says::Reached => true,
                Says::Holds { .. } | Says::Hint => false,
            },
            Sharing::Induct => match says {
                Says::Holds { bound: Bound::Always, .. }
                | Says::Holds { excludes: Some(_), .. } => true,
                Says::Holds { .. } | Says::Reached | Says::Hint => false,
            },
        }
    }
}

/// Takes messages from engines, and hands on those of others; several threads may use it at the
/// same time.
///
/// What is received as holding always is inductive together with all that was received so before,
/// so an engine may assume it wherever it looks if its invariant has all of it as conjuncts.
/// Everything else may be wrong.
pub trait Exchange: Send + Sync {
    /// Takes a message.
    fn publish(&self, store: &mut TermStore, message: &Message);
    /// Takes messages that are inductive together, and with what was received or said so before, as
    /// queries of the sender have shown; whether they count as such. Else they are messages
    /// like others.
    fn publish_inductive(&self, store: &mut TermStore, messages: &[Message]) -> bool {
        for message in messages {
            self.publish(store, message);
        }
        false
    }
    /// What others have published since the last time, as terms of the store.
    fn receive(&self, cx: &mut Cx<'_>) -> Outcome<Vec<Message>>;
    /// Hears that the engine makes use of a message that it received.
    fn took(&self, message: &Message) {
        let _ = message;
    }
}

/// A message outside of any store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parcel {
    subject: Subject,
    kind: Kind,
    sender: Cow<'static, str>,
    /// The parameters, the formula, and what is excluded.
    terms: Vec<u8>,
}

/// [`Says`] without its terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Holds(Bound, Option<Level>),
    Reached,
    Hint,
}

impl Message {
    /// The message without a store.
    pub fn pack(&self, store: &mut TermStore) -> Parcel {
        let mut roots: Vec<Term> = self.params.iter().map(|&param| store.constant(param)).collect();
        roots.push(self.formula);
        roots.extend(self.says.excludes().map(|excluded| excluded.points));
        let kind = match self.says {
            Says::Holds { bound, excludes } => Kind::Holds(bound, excludes.map(|e| e.distance)),
            Says::Reached => Kind::Reached,
            Says::Hint => Kind::Hint,
        };
        let terms = export(store, &roots);
        Parcel { subject: self.subject, kind, sender: self.sender.clone(), terms }
    }
    /// The terms that stand for the parameters.
    pub fn args(&self, store: &mut TermStore) -> Vec<Term> {
        self.params.iter().map(|&param| store.constant(param)).collect()
    }
}

impl Parcel {
    /// The message in a store; nothing if it was damaged on the way.
    pub fn unpack(&self, store: &mut TermStore) -> Option<Message> {
        let mut roots = import(store, &self.terms).ok()?;
        let says = match self.kind {
            Kind::Holds(bound, distance) => {
                let excludes = match distance {
                    Some(distance) => Some(Excluded { points: roots.pop()?, distance }),
                    None => None,
                };
                Says::Holds { bound, excludes }
            }
            Kind::Reached => Says::Reached,
            Kind::Hint => Says::Hint,
        };
        let formula = roots.pop()?;
        let param = |&root: &Term| store.symbol(root);
        let params = roots.iter().map(param).collect::<Option<Vec<Symbol>>>()?;
        Some(Message { subject: self.subject, params, formula, says, sender: self.sender.clone() })
    }
    /// Who says so.
    pub fn sender(&self) -> &str {
        &self.sender
    }
    /// Of which derivations it holds, if it says so.
    pub fn bound(&self) -> Option<Bound> {
        match self.kind {
            Kind::Holds(bound, _) => Some(bound),
            Kind::Reached | Kind::Hint => None,
        }
    }
    /// A number that is the same for parcels that say the same, whoever does and whatever the
    /// bound.
    pub fn digest(&self) -> u64 {
        let kind = match self.kind {
            Kind::Holds(_, distance) => Kind::Holds(Bound::Always, distance),
            kind @ (Kind::Reached | Kind::Hint) => kind,
        };
        fixed_hash(&(self.subject, kind, &self.terms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn bounds_are_ordered_by_what_they_say() {
        let three = Bound::Within(Level::new(3));
        assert!(three < three.next() && three.next() < Bound::Always);
        assert_eq!(Bound::Always.next(), Bound::Always);
        assert!(three.reaches(Level::new(3)) && !three.reaches(Level::new(4)));
        assert_eq!((Level::ZERO.previous(), Level::new(2).previous()), (None, Some(Level::new(1))));
        assert_eq!(Level::new(7).to_string(), "7");
    }

    /// A lemma about a predicate, in a store that knows it.
    fn lemma() -> (TermStore, TermStore, Message) {
        let mut store = TermStore::new();
        let predicate = store.declare("p", &[Sort::INT], Sort::BOOL);
        let other = store.clone();
        let param = store.declare("x", &[], Sort::INT);
        let (x, zero) = (store.constant(param), store.int(0));
        let excluded = Excluded { points: store.lt(x, zero), distance: Level::new(2) };
        let message = Message {
            subject: Subject::Predicate(predicate),
            params: vec![param],
            formula: store.ge(x, zero),
            says: Says::Holds { bound: Bound::Within(Level::new(4)), excludes: Some(excluded) },
            sender: "spacer".into(),
        };
        (store, other, message)
    }

    #[test]
    fn messages_travel_between_stores() {
        let (mut store, mut other, lemma) = lemma();
        let parcel = lemma.pack(&mut store);
        let there = parcel.unpack(&mut other).expect("nothing happened to it");
        assert_eq!(there.pack(&mut other), parcel);
        assert_eq!(other.name(there.params[0]), "x");
        let bounded = Message { says: Says::holds(Bound::Within(Level::new(1))), ..lemma.clone() };
        let always = Message { says: Says::holds(Bound::Always), sender: "imc".into(), ..lemma };
        let [bounded, always] = [bounded, always].map(|message| message.pack(&mut store));
        assert_eq!(bounded.digest(), always.digest());
        assert!(bounded.bound() < always.bound());
        assert_ne!(parcel.digest(), always.digest(), "one says what it excludes");
    }

    #[test]
    fn sharing_is_by_kind() {
        let (_, _, lemma) = lemma();
        let bounded = Says::holds(Bound::Within(Level::new(3)));
        let always = Says::holds(Bound::Always);
        let admitted = |sharing: Sharing| {
            [lemma.says, bounded, always, Says::Reached, Says::Hint].map(|s| sharing.admits(&s))
        };
        assert_eq!(admitted(Sharing::None), [false; 5]);
        assert_eq!(admitted(Sharing::Reach), [false, true, false, true, false]);
        assert_eq!(admitted(Sharing::Induct), [true, false, true, false, false]);
        assert_eq!(admitted(Sharing::All), [true; 5]);
    }
}
