//! A pool of messages in memory, for engines in threads that work on copies of one store.
//!
//! Each of them has a [`Line`] to the pool: what it publishes the others receive, once, in the
//! order in which it was published. Messages lie in the pool as bytes, so that no thread touches
//! the store of another one. What is said already, with that bound or a higher one, is not taken in
//! again, whoever says it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use shofar_base::{Map, Outcome};
use shofar_term::{Bound, Cx, Exchange, Message, Parcel, Sharing, TermStore};

/// The messages of those who work on one problem.
#[derive(Debug)]
pub struct Pool {
    sharing: Sharing,
    posted: Mutex<Posted>,
}

#[derive(Debug, Default)]
struct Posted {
    /// All in their order, each with the number of the line it came by.
    all: Vec<(usize, Arc<Parcel>)>,
    /// What is said already, by its digest, and the highest bound of it.
    known: Map<u64, Option<Bound>>,
}

impl Pool {
    /// A pool for such messages.
    pub fn new(sharing: Sharing) -> Arc<Self> {
        Arc::new(Self { sharing, posted: Mutex::default() })
    }
    /// A line to it; others hear what comes by a line of another number.
    pub fn line(self: &Arc<Self>, me: usize) -> Line {
        Line { pool: Arc::clone(self), me, read: Mutex::new(0) }
    }
    /// Which messages it is for.
    pub fn sharing(&self) -> Sharing {
        self.sharing
    }
    /// All that was posted, in order.
    pub fn all(&self) -> Vec<Arc<Parcel>> {
        self.lock().all.iter().map(|(_, parcel)| Arc::clone(parcel)).collect()
    }
    /// What a panicking engine left behind is as good as before: messages are pushed whole.
    fn lock(&self) -> MutexGuard<'_, Posted> {
        self.posted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A line to a pool.
#[derive(Debug)]
pub struct Line {
    pool: Arc<Pool>,
    me: usize,
    /// How much of the pool has been read.
    read: Mutex<usize>,
}

impl Line {
    /// Puts a parcel into the pool; whether it says something new.
    pub fn post(&self, parcel: Parcel) -> bool {
        let (digest, bound) = (parcel.digest(), parcel.bound());
        let mut posted = self.pool.lock();
        let is_known = posted.known.get(&digest).is_some_and(|&known| known >= bound);
        if !is_known {
            posted.known.insert(digest, bound);
            posted.all.push((self.me, Arc::new(parcel)));
        }
        !is_known
    }
    /// What others have posted since the last time.
    pub fn news(&self) -> Vec<Arc<Parcel>> {
        let posted = self.pool.lock();
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let news = posted.all[*read..].iter().filter(|(sender, _)| *sender != self.me);
        let news = news.map(|(_, parcel)| Arc::clone(parcel)).collect();
        *read = posted.all.len();
        news
    }
}

impl Exchange for Line {
    fn publish(&self, store: &mut TermStore, message: &Message) {
        if self.pool.sharing.admits(&message.says) {
            self.post(message.pack(store));
        }
    }
    fn receive(&self, cx: &mut Cx<'_>) -> Outcome<Vec<Message>> {
        Ok(self.news().iter().filter_map(|parcel| parcel.unpack(cx.store)).collect())
    }
}

#[cfg(test)]
mod tests {
    use shofar_base::Budget;
    use shofar_term::{Level, Says, Sort, Subject, Symbol};

    use super::*;

    fn lemma(store: &mut TermStore, param: Symbol, bound: Bound) -> Message {
        let (x, zero) = (store.constant(param), store.int(0));
        Message {
            subject: Subject::State,
            params: vec![param],
            formula: store.ge(x, zero),
            says: Says::holds(bound),
            sender: "imc".into(),
        }
    }

    #[test]
    fn messages_reach_the_others_once() {
        let (mut store, budget) = (TermStore::new(), Budget::unlimited());
        let param = store.declare("x", &[], Sort::INT);
        let mut other_store = store.clone();
        let pool = Pool::new(Sharing::All);
        let lines = [pool.line(0), pool.line(1)];
        let three = Bound::Within(Level::new(3));
        let published = lemma(&mut store, param, three);
        lines[0].publish(&mut store, &published);
        let mut own = Cx::new(&mut store, &budget);
        assert_eq!(lines[0].receive(&mut own), Ok(Vec::new()), "nobody hears himself");
        let expected = lemma(&mut other_store, param, three);
        let mut cx = Cx::new(&mut other_store, &budget);
        assert_eq!(lines[1].receive(&mut cx), Ok(vec![expected]));
        assert_eq!(lines[1].receive(&mut cx), Ok(Vec::new()));
        // Less is not new, more is.
        for (bound, is_new) in [(three, false), (Bound::Always, true), (three.next(), false)] {
            let parcel = lemma(cx.store, param, bound).pack(cx.store);
            assert_eq!(lines[1].post(parcel), is_new, "{bound}");
        }
        assert_eq!(pool.all().len(), 2);
    }

    #[test]
    fn what_is_not_shared_stays_at_home() {
        let mut store = TermStore::new();
        let param = store.declare("x", &[], Sort::INT);
        let pool = Pool::new(Sharing::Induct);
        let line = pool.line(0);
        for bound in [Bound::Within(Level::ZERO), Bound::Always] {
            let message = lemma(&mut store, param, bound);
            line.publish(&mut store, &message);
        }
        assert_eq!(pool.all().iter().map(|p| p.bound()).collect::<Vec<_>>(), [Some(Bound::Always)]);
    }
}
