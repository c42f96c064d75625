//! Exchanges for tests: one that remembers, and one that is not reliable.

use std::sync::{Mutex, PoisonError};

use shofar_base::{GaveUp, Rng};
use shofar_engine::Line;
use shofar_term::{Bound, Cx, Exchange, Level, Message, Parcel, Says, TermStore};

/// Tells what it was given, once, and remembers what was said and what was taken in.
#[derive(Default)]
pub(crate) struct Recorder {
    /// What it is going to tell.
    pub(crate) news: Mutex<Vec<Parcel>>,
    /// What it was told.
    pub(crate) said: Mutex<Vec<Message>>,
    /// What its listener took in.
    pub(crate) taken: Mutex<Vec<Message>>,
}

impl Exchange for Recorder {
    fn publish(&self, _: &mut TermStore, message: &Message) {
        self.said.lock().expect("nobody panics").push(message.clone());
    }
    fn receive(&self, cx: &mut Cx<'_>) -> Result<Vec<Message>, GaveUp> {
        let news = std::mem::take(&mut *self.news.lock().expect("nobody panics"));
        Ok(news.iter().filter_map(|parcel| parcel.unpack(cx.store)).collect())
    }
    fn took(&self, message: &Message) {
        self.taken.lock().expect("nobody panics").push(message.clone());
    }
}

/// A line on which messages get lost, come twice, late or in another order, and are changed into
/// wrong ones. What holds always is believed by those who receive it, so of these messages none is
/// sent.
pub(crate) struct Faulty {
    line: Line,
    state: Mutex<(Rng, Vec<Message>)>,
}

impl Faulty {
    pub(crate) fn new(line: Line, seed: u64) -> Self {
        Self { line, state: Mutex::new((Rng::new(seed), Vec::new())) }
    }
}

impl Exchange for Faulty {
    fn publish(&self, store: &mut TermStore, message: &Message) {
        let (rng, _) = &mut *self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut message = message.clone();
        if let Says::Holds { bound, excludes } = &mut message.says {
            if rng.chance(30) {
                message.formula = store.not(message.formula);
            }
            if rng.chance(30) || *bound == Bound::Always {
                *bound = Bound::Within(Level::new(rng.below(40).try_into().expect("it is small")));
            }
            if rng.chance(20) {
                *excludes = None;
            }
        }
        for _ in 0..rng.below(3) {
            self.line.publish(store, &message);
        }
    }
    fn receive(&self, cx: &mut Cx<'_>) -> Result<Vec<Message>, GaveUp> {
        let (rng, late) = &mut *self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut news = std::mem::take(late);
        news.extend(self.line.receive(cx)?);
        let mut now: Vec<Message> = Vec::new();
        for message in news {
            if rng.chance(30) {
                late.push(message.clone());
            }
            if rng.chance(70) {
                now.insert(rng.below(now.len() + 1), message);
            }
        }
        Ok(now)
    }
}
