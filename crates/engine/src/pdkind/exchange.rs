//! What instances may tell each other.
//!
//! - A *bounded invariant* with its bound: it holds in all states that are at most that many steps away from an initial
//!   one. Its receiver may add it to its own reachability frames as it is, because all instances work on the same system.
//! - A *pushed lemma* with its counterexample: the lemma is a bounded invariant; every state of the counterexample reaches
//!   a bad one in exactly the given number of steps. Its receiver may add it to its base frame if the bound is at least its
//!   own level, which is the condition of the rule Add-Lemma; otherwise it must leave it.
//!
//! Nothing else crosses, and not all of that is of use: large bounded invariants are not told, and a pushed lemma comes in
//! only if it excludes a counterexample that is still there, and is inductive for its receiver as well.
//! What is concluded from messages is safe either way: an invariant that rests on them is checked from the initial states
//! on, and a refutation is a run that was found by evaluation.
//!
//! Source: [Bli22] §6.2.3 and §6.3.3.

use std::sync::{Arc, Mutex, PoisonError};

use shofar_term::serial::{export, import};
use shofar_term::{Term, TermStore};

/// Something one instance found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    /// A bounded invariant of the reachability engine.
    Bounded {
        /// Over the state variables.
        invariant: Term,
        /// It holds within so many steps.
        bound: usize,
    },
    /// A lemma that the induction engine pushed.
    Pushed {
        /// Over the state variables.
        lemma: Term,
        /// It holds within so many steps.
        bound: usize,
        /// States that the lemma excludes.
        cex: Term,
        /// They reach a bad state in so many steps.
        distance: usize,
    },
}

/// A line to other instances.
pub trait Exchange {
    /// Tells the others.
    fn send(&mut self, store: &TermStore, message: Message);
    /// What the others told since the last time, as terms of `store`.
    fn receive(&mut self, store: &mut TermStore) -> Vec<Message>;
}

/// Nobody is there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Isolated;

impl Exchange for Isolated {
    fn send(&mut self, _: &TermStore, _: Message) {}
    fn receive(&mut self, _: &mut TermStore) -> Vec<Message> {
        Vec::new()
    }
}

/// A message on its way between stores.
#[derive(Clone, Debug)]
enum Parcel {
    Bounded { terms: Vec<u8>, bound: usize },
    Pushed { terms: Vec<u8>, bound: usize, distance: usize },
}

/// All messages in their order, each with its sender.
type Pool = Vec<(usize, Arc<Parcel>)>;

/// A pool in memory; instances in threads share it.
#[derive(Clone, Debug)]
pub struct InProcess {
    pool: Arc<Mutex<Pool>>,
    me: usize,
    /// How much of the pool has been read.
    read: usize,
}

impl InProcess {
    /// Lines for `count` instances.
    pub fn new(count: usize) -> Vec<Self> {
        let pool = Arc::new(Mutex::new(Vec::new()));
        (0..count).map(|me| Self { pool: Arc::clone(&pool), me, read: 0 }).collect()
    }
}

impl Exchange for InProcess {
    fn send(&mut self, store: &TermStore, message: Message) {
        let parcel = match message {
            Message::Bounded { invariant, bound } => {
                Parcel::Bounded { terms: export(store, &[invariant]), bound }
            }
            Message::Pushed { lemma, bound, cex, distance } => {
                Parcel::Pushed { terms: export(store, &[lemma, cex]), bound, distance }
            }
        };
        // A pool that a panicking instance left behind is as good as before: messages are pushed whole.
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        pool.push((self.me, Arc::new(parcel)));
    }
    fn receive(&mut self, store: &mut TermStore) -> Vec<Message> {
        let news: Vec<Arc<Parcel>> = {
            let pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
            let news = pool[self.read..].iter().filter(|(sender, _)| *sender != self.me);
            let news = news.map(|(_, parcel)| Arc::clone(parcel)).collect();
            self.read = pool.len();
            news
        };
        news.iter().map(|parcel| unpack(store, parcel)).collect()
    }
}

fn unpack(store: &mut TermStore, parcel: &Parcel) -> Message {
    let mut terms = |bytes: &[u8]| import(store, bytes).expect("an instance exported it");
    match parcel {
        Parcel::Bounded { terms: bytes, bound } => {
            Message::Bounded { invariant: terms(bytes)[0], bound: *bound }
        }
        Parcel::Pushed { terms: bytes, bound, distance } => {
            let terms = terms(bytes);
            Message::Pushed { lemma: terms[0], bound: *bound, cex: terms[1], distance: *distance }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shofar_term::Sort;

    #[test]
    fn messages_reach_the_others_once() {
        let mut store = TermStore::new();
        let x = store.var("x", Sort::INT);
        let mut other_store = store.clone();
        let zero = store.int(0);
        let invariant = store.ge(x, zero);
        let mut lines = InProcess::new(2);
        let message = Message::Bounded { invariant, bound: 3 };
        lines[0].send(&store, message);
        assert_eq!(lines[0].receive(&mut store), [], "nobody hears himself");
        let zero = other_store.int(0);
        let invariant = other_store.ge(x, zero);
        assert_eq!(lines[1].receive(&mut other_store), [Message::Bounded { invariant, bound: 3 }]);
        assert_eq!(lines[1].receive(&mut other_store), []);
    }
}
