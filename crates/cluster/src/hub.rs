//! What the cluster asks of its hub, without saying which one it is.
//!
//! There is a queue, whose entries come back unless whoever took them says that they are done;
//! stores, in which every name has one value; and messages to whoever listens, which may get lost.
//! [`crate::nats`] offers that by a NATS server, [`crate::memory`] within a process, with faults on
//! purpose. All calls wait for their answer; what is concurrent stays behind the trait.

use std::fmt;
use std::time::Duration;

use crate::priority::Priority;

/// A store of values with names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Store {
    /// Texts of problems and answers, in parts, by digest; written once.
    Texts,
    /// Reports by job; written once.
    Results,
    /// Who has tried what, by seat; the last one counts.
    Attempts,
}

impl Store {
    /// All of them.
    pub(crate) const ALL: [Self; 3] = [Self::Texts, Self::Results, Self::Attempts];
    /// What it is called on the hub.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Store::Texts => "text",
            Store::Results => "result",
            Store::Attempts => "attempt",
        }
    }
    /// Whether a name gets a value only once.
    pub(crate) fn is_written_once(self) -> bool {
        match self {
            Store::Texts | Store::Results => true,
            Store::Attempts => false,
        }
    }
}

/// What messages are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Topic {
    /// A job has a result.
    Cancel,
    /// A worker tells what it is doing.
    Worker,
    /// Somebody wants all workers to tell.
    Hello,
    /// A seat of a job tells the others what it found out.
    Lemma,
    /// A collector does not accept a result.
    Rejected,
}

impl Topic {
    /// What it is called on the hub.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Topic::Cancel => "cancel",
            Topic::Worker => "worker",
            Topic::Hello => "hello",
            Topic::Lemma => "lemma",
            Topic::Rejected => "rejected",
        }
    }
}

/// Whether a value was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Created {
    /// It was.
    New,
    /// The name has a value already.
    Exists,
}

/// Something in a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Its place in the order in which things were stored.
    pub place: u64,
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Vec<u8>,
}

/// What is in the queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Queue {
    /// All entries that are not done.
    pub open: u64,
    /// Those of them that were not taken yet, by priority, the highest first.
    pub waiting: [u64; Priority::ALL.len()],
    /// Those of them that a worker has taken.
    pub taken: u64,
    /// How many results are stored.
    pub results: u64,
}

impl Queue {
    /// Whether no worker has, or will get, an entry. The server may keep some that it gives to
    /// none.
    pub(crate) fn is_empty(&self) -> bool {
        self.taken == 0 && self.waiting.iter().all(|&waiting| waiting == 0)
    }
}

/// An entry of the queue that was taken.
pub(crate) trait Delivery: Send + Sync {
    /// What it says.
    fn payload(&self) -> &[u8];
    /// Says that it is still being worked on.
    fn extend(&self) -> Result<(), HubError>;
    /// Says that it is done: it never comes back.
    fn finish(&self) -> Result<(), HubError>;
    /// Gives it to somebody else, after a while.
    fn give_back(&self, after: Duration) -> Result<(), HubError>;
}

/// Hears messages.
pub(crate) trait Listener: Send {
    /// The next message with its name, if there is one within this time.
    fn next(&mut self, wait: Duration) -> Option<(String, Vec<u8>)>;
}

/// What a hub does.
pub(crate) trait Hub: Send + Sync {
    /// Stores a value unless there is one.
    fn create(&self, store: Store, name: &str, value: &[u8]) -> Result<Created, HubError>;
    /// Stores a value in place of what there was.
    fn replace(&self, store: Store, name: &str, value: &[u8]) -> Result<(), HubError>;
    /// A value, if there is one.
    fn read(&self, store: Store, name: &str) -> Result<Option<Vec<u8>>, HubError>;
    /// Several values at once.
    fn read_all(&self, wanted: &[(Store, String)]) -> Result<Vec<Option<Vec<u8>>>, HubError>;
    /// Some results that were stored behind a place, in order; waits so long for them if there are
    /// none.
    fn results_after(&self, place: u64, wait: Duration) -> Result<Vec<Entry>, HubError>;
    /// The place of the last result.
    fn last_result(&self) -> Result<u64, HubError>;
    /// Puts an entry into the queue, unless one of this name was put there a short time ago.
    fn enqueue(&self, priority: Priority, name: &str, payload: &[u8]) -> Result<(), HubError>;
    /// Takes the entry of this name off the queue, if it is there.
    fn drop_entry(&self, priority: Priority, name: &str) -> Result<(), HubError>;
    /// Takes an entry of the highest priority that there is, if there is one within this time.
    fn take(&self, wait: Duration) -> Result<Option<Box<dyn Delivery>>, HubError>;
    /// After how long without a word an entry that was taken goes to somebody else.
    fn lease(&self) -> Duration;
    /// How much there is.
    fn queue(&self) -> Result<Queue, HubError>;
    /// Sends a message to whoever listens.
    fn tell(&self, topic: Topic, name: &str, payload: &[u8]) -> Result<(), HubError>;
    /// Listens to all messages about something from now on.
    fn listen(&self, topic: Topic) -> Result<Box<dyn Listener>, HubError>;
    /// Listens to the messages of one name from now on.
    fn follow(&self, topic: Topic, name: &str) -> Result<Box<dyn Listener>, HubError>;
}

/// Why something could not be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HubError {
    /// What went wrong.
    pub message: String,
    /// Whether trying again helps.
    pub trouble: Trouble,
}

/// What can be hoped for after something could not be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// It may work soon.
    Passing,
    /// It works when somebody has made room on the hub.
    Full,
    /// It never works.
    Final,
}

impl HubError {
    /// The hub does not answer, or not in good order: it may later.
    pub(crate) fn passing(message: impl fmt::Display) -> Self {
        Self { message: message.to_string(), trouble: Trouble::Passing }
    }
    /// There is no room for it on the hub.
    pub(crate) fn full(message: impl fmt::Display) -> Self {
        Self { message: format!("the hub is full: {message}"), trouble: Trouble::Full }
    }
    /// It will never be done.
    pub(crate) fn refused(message: impl fmt::Display) -> Self {
        Self { message: message.to_string(), trouble: Trouble::Final }
    }
}

impl fmt::Display for HubError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for HubError {}
