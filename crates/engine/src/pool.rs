//! A pool of lemmas in memory, for engines in threads that work on copies of one store.
//!
//! Each of them has a [`Line`] to the pool: what it publishes the others receive, once, in the order in which it was published.
//! Lemmas lie in the pool as bytes, so that no thread touches the store of another one.

use std::sync::{Arc, Mutex, PoisonError};

use shofar_term::{Exchange, Lemma, Parcel, TermStore};

/// All lemmas in their order, each with the number of the line it came by.
type Pool = Vec<(usize, Arc<Parcel>)>;

/// A line to a pool.
#[derive(Debug)]
pub struct Line {
    pool: Arc<Mutex<Pool>>,
    me: usize,
    /// How much of the pool has been read.
    read: Mutex<usize>,
}

impl Line {
    /// Lines for `count` engines to a new pool.
    pub fn to_new_pool(count: usize) -> Vec<Self> {
        let pool = Arc::new(Mutex::new(Vec::new()));
        let line = |me| Self { pool: Arc::clone(&pool), me, read: Mutex::new(0) };
        (0..count).map(line).collect()
    }
}

impl Exchange for Line {
    fn publish(&self, store: &mut TermStore, lemma: &Lemma) {
        let parcel = Arc::new(lemma.pack(store));
        // A pool that a panicking engine left behind is as good as before: lemmas are pushed whole.
        self.pool.lock().unwrap_or_else(PoisonError::into_inner).push((self.me, parcel));
    }
    fn receive(&self, store: &mut TermStore) -> Vec<Lemma> {
        let news: Vec<Arc<Parcel>> = {
            let pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
            let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
            let news = pool[*read..].iter().filter(|(sender, _)| *sender != self.me);
            let news = news.map(|(_, parcel)| Arc::clone(parcel)).collect();
            *read = pool.len();
            news
        };
        let unpack = |parcel: &Arc<Parcel>| parcel.unpack(store).expect("a line packed it");
        news.iter().map(unpack).collect()
    }
}

#[cfg(test)]
mod tests {
    use shofar_term::{Bound, Level, Sort, Subject};

    use super::*;

    #[test]
    fn lemmas_reach_the_others_once() {
        let mut store = TermStore::new();
        let param = store.declare("x", &[], Sort::INT);
        let mut other_store = store.clone();
        let lemma = |store: &mut TermStore| {
            let (x, zero) = (store.constant(param), store.int(0));
            Lemma {
                subject: Subject::State,
                params: vec![param],
                formula: store.ge(x, zero),
                bound: Bound::Within(Level::new(3)),
                prover: "imc".into(),
                excludes: None,
            }
        };
        let lines = Line::to_new_pool(2);
        let published = lemma(&mut store);
        lines[0].publish(&mut store, &published);
        assert_eq!(lines[0].receive(&mut store), [], "nobody hears himself");
        let expected = lemma(&mut other_store);
        assert_eq!(lines[1].receive(&mut other_store), [expected]);
        assert_eq!(lines[1].receive(&mut other_store), []);
    }
}
