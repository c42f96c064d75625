//! A hub within this process, which can be as bad as a network: for tests.
//!
//! With faults, calls fail before or after they took effect, entries of the queue come twice, late
//! and in another order, and messages get lost. What is stored stays as it is, and what was
//! finished does not come back: that is what the real one promises.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use shofar_base::Rng;

use crate::hub::{Created, Delivery, Entry, Hub, HubError, Listener, Queue, Store, Topic};
use crate::priority::Priority;

/// The hub; clones are the same one.
#[derive(Clone)]
pub(crate) struct Memory(Arc<Mutex<State>>);

struct State {
    rng: Rng,
    /// Of so many calls one fails; none if there is no number.
    faults: Option<usize>,
    lease: Duration,
    stores: BTreeMap<(Store, String), Vec<u8>>,
    results: Vec<String>,
    jobs: Vec<Waiting>,
    /// Everything that was told.
    told: Vec<(Topic, String, Vec<u8>)>,
    next: u64,
}

struct Waiting {
    number: u64,
    priority: Priority,
    name: String,
    payload: Vec<u8>,
    /// Until when somebody has it.
    taken_until: Option<Instant>,
}

impl Memory {
    /// A hub without faults.
    pub(crate) fn new() -> Self {
        Self::make(1, None, Duration::from_mins(1))
    }
    /// A hub with faults.
    pub(crate) fn faulty(seed: u64, lease: Duration) -> Self {
        Self::make(seed, Some(6), lease)
    }
    fn make(seed: u64, faults: Option<usize>, lease: Duration) -> Self {
        Self(Arc::new(Mutex::new(State {
            rng: Rng::new(seed),
            faults,
            lease,
            stores: BTreeMap::new(),
            results: Vec::new(),
            jobs: Vec::new(),
            told: Vec::new(),
            next: 0,
        })))
    }
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// Puts a value where none belongs, as somebody hostile might.
    pub(crate) fn force(&self, store: Store, name: &str, value: &[u8]) {
        let mut state = self.lock();
        state.stores.insert((store, name.to_owned()), value.to_vec());
        if store == Store::Results {
            state.results.push(name.to_owned());
        }
    }
    /// Lets the time of everybody who has taken something be over.
    pub(crate) fn end_leases(&self) {
        for job in &mut self.lock().jobs {
            job.taken_until = None;
        }
    }
    /// Forgets everything, like a server that lost its disk.
    pub(crate) fn lose_everything(&self) {
        let mut state = self.lock();
        state.stores.clear();
        state.results.clear();
        state.jobs.clear();
    }
    fn hear(&self, topic: Topic, only: Option<String>) -> Box<dyn Listener> {
        let heard = self.lock().told.len();
        Box::new(Ear { hub: self.clone(), topic, only, heard })
    }
    /// Does something that may fail, before or after it is done.
    fn act<T>(&self, act: impl FnOnce(&mut State) -> T) -> Result<T, HubError> {
        let mut state = self.lock();
        let state = &mut *state;
        let fails = state.faults.is_some_and(|faults| state.rng.below(faults) == 0);
        if fails && state.rng.below(2) == 0 {
            return Err(HubError::passing("lost on the way"));
        }
        let done = act(state);
        if fails { Err(HubError::passing("the answer was lost")) } else { Ok(done) }
    }
}

impl Hub for Memory {
    fn create(&self, store: Store, name: &str, value: &[u8]) -> Result<Created, HubError> {
        self.act(|state| {
            let key = (store, name.to_owned());
            if state.stores.contains_key(&key) {
                return Created::Exists;
            }
            state.stores.insert(key, value.to_vec());
            if store == Store::Results {
                state.results.push(name.to_owned());
            }
            Created::New
        })
    }
    fn replace(&self, store: Store, name: &str, value: &[u8]) -> Result<(), HubError> {
        assert!(!store.is_written_once(), "what is written once is not replaced");
        self.act(|state| {
            state.stores.insert((store, name.to_owned()), value.to_vec());
        })
    }
    fn read(&self, store: Store, name: &str) -> Result<Option<Vec<u8>>, HubError> {
        self.act(|state| state.stores.get(&(store, name.to_owned())).cloned())
    }
    fn read_all(&self, wanted: &[(Store, String)]) -> Result<Vec<Option<Vec<u8>>>, HubError> {
        self.act(|state| wanted.iter().map(|key| state.stores.get(key).cloned()).collect())
    }
    fn results_after(&self, place: u64, wait: Duration) -> Result<Vec<Entry>, HubError> {
        let found = self.act(|state| {
            let begin = usize::try_from(place).unwrap_or(usize::MAX).min(state.results.len());
            let names = state.results[begin..].iter().zip(place + 1..);
            let value = |name: &String| state.stores[&(Store::Results, name.clone())].clone();
            let entry = |(name, place): (&String, u64)| Entry {
                place,
                name: name.clone(),
                value: value(name),
            };
            names.map(entry).collect::<Vec<_>>()
        })?;
        if found.is_empty() {
            std::thread::sleep(wait.min(Duration::from_millis(1)));
        }
        Ok(found)
    }
    fn last_result(&self) -> Result<u64, HubError> {
        self.act(|state| state.results.len() as u64)
    }
    fn enqueue(&self, priority: Priority, name: &str, payload: &[u8]) -> Result<(), HubError> {
        self.act(|state| {
            let twice = state.faults.is_some_and(|faults| state.rng.below(faults) == 0);
            if state.jobs.iter().any(|job| job.name == name) {
                return;
            }
            for _ in 0..=usize::from(twice) {
                state.next += 1;
                state.jobs.push(Waiting {
                    number: state.next,
                    priority,
                    name: name.to_owned(),
                    payload: payload.to_vec(),
                    taken_until: None,
                });
            }
        })
    }
    fn drop_entry(&self, priority: Priority, name: &str) -> Result<(), HubError> {
        self.act(|state| state.jobs.retain(|job| job.name != name || job.priority != priority))
    }
    fn take(&self, wait: Duration) -> Result<Option<Box<dyn Delivery>>, HubError> {
        let taken = self.act(|state| {
            let now = Instant::now();
            let is_free = |job: &Waiting| job.taken_until.is_none_or(|until| until <= now);
            let free: Vec<usize> =
                (0..state.jobs.len()).filter(|&at| is_free(&state.jobs[at])).collect();
            let highest = free.iter().map(|&at| state.jobs[at].priority).min()?;
            let free: Vec<usize> =
                free.into_iter().filter(|&at| state.jobs[at].priority == highest).collect();
            let at = if state.faults.is_some() { state.rng.below(free.len()) } else { 0 };
            let lease = state.lease;
            let job = &mut state.jobs[free[at]];
            job.taken_until = Some(now + lease);
            Some((job.number, job.payload.clone()))
        })?;
        if taken.is_none() {
            std::thread::sleep(wait.min(Duration::from_millis(1)));
        }
        Ok(taken.map(|(number, payload)| {
            Box::new(Taken { hub: self.clone(), number, payload }) as Box<dyn Delivery>
        }))
    }
    fn lease(&self) -> Duration {
        self.lock().lease
    }
    fn queue(&self) -> Result<Queue, HubError> {
        self.act(|state| {
            let taken = state.jobs.iter().filter(|job| job.taken_until.is_some()).count();
            Queue {
                open: state.jobs.len() as u64,
                waiting: Priority::ALL.map(|priority| {
                    let is_waiting =
                        |job: &&Waiting| job.priority == priority && job.taken_until.is_none();
                    state.jobs.iter().filter(is_waiting).count() as u64
                }),
                taken: taken as u64,
                results: state.results.len() as u64,
            }
        })
    }
    fn tell(&self, topic: Topic, name: &str, payload: &[u8]) -> Result<(), HubError> {
        self.act(|state| state.told.push((topic, name.to_owned(), payload.to_vec())))
    }
    fn listen(&self, topic: Topic) -> Result<Box<dyn Listener>, HubError> {
        Ok(self.hear(topic, None))
    }
    fn follow(&self, topic: Topic, name: &str) -> Result<Box<dyn Listener>, HubError> {
        Ok(self.hear(topic, Some(name.to_owned())))
    }
}

struct Taken {
    hub: Memory,
    number: u64,
    payload: Vec<u8>,
}

impl Taken {
    fn set(&self, until: Option<Instant>) -> Result<(), HubError> {
        self.hub.act(|state| {
            let job = state.jobs.iter_mut().find(|job| job.number == self.number);
            if let Some(job) = job {
                job.taken_until = until;
            }
        })
    }
}

impl Delivery for Taken {
    fn payload(&self) -> &[u8] {
        &self.payload
    }
    fn extend(&self) -> Result<(), HubError> {
        let lease = self.hub.lease();
        self.set(Some(Instant::now() + lease))
    }
    fn finish(&self) -> Result<(), HubError> {
        self.hub.act(|state| state.jobs.retain(|job| job.number != self.number))
    }
    fn give_back(&self, after: Duration) -> Result<(), HubError> {
        self.set(Some(Instant::now() + after))
    }
}

struct Ear {
    hub: Memory,
    topic: Topic,
    /// Messages of this name only.
    only: Option<String>,
    heard: usize,
}

impl Listener for Ear {
    fn next(&mut self, wait: Duration) -> Option<(String, Vec<u8>)> {
        loop {
            let mut state = self.hub.lock();
            let Some((topic, name, payload)) = state.told.get(self.heard).cloned() else {
                drop(state);
                std::thread::sleep(wait.min(Duration::from_millis(1)));
                return None;
            };
            self.heard += 1;
            let lost = state.faults.is_some_and(|faults| state.rng.below(faults) == 0);
            let is_ours = self.only.as_ref().is_none_or(|only| *only == name);
            if topic == self.topic && is_ours && !lost {
                return Some((name, payload));
            }
        }
    }
}
