//! The line to other processes that work on the same problem.
//!
//! What engines here say about predicates goes out in the form of `shofar_chc::serial`, behind a
//! mark of the clauses that all engines here work on. Everybody prepares the clauses by himself;
//! passes do the same wherever they run, so equal marks mean equal clauses, and predicates and
//! parameters of equal names mean the same. What comes in with another mark, from other
//! passes, another question or another version, is about something else and is dropped. The mark is
//! a filter, no lock: two systems may have one mark by chance, or because somebody wants it so.
//!
//! Nothing that comes in is trusted. Bytes that are no message, formulas that are large, not
//! arithmetic or about no predicate here are dropped at this door. Behind it a message is one like
//! those of engines here: what holds always is confirmed by queries ([`super::invariants`]), and
//! every witness is validated against the input. So what others say may cost time, and how much is
//! limited, too: so many messages and bytes in all, so many at once.
//!
//! Invariant: what [`Outside::receive`] returns is about a predicate of the clauses, over
//! parameters of its sorts.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use shofar_base::wire::{Reader, Wire, Writer};
use shofar_base::{Map, Set, fixed_hash};
use shofar_chc::ChcSystem;
use shofar_chc::serial::{export_message, export_system, import_message};
use shofar_engine::engine;
use shofar_term::size::dag_size;
use shofar_term::{Message, Subject, Symbol, Term, TermStore};
use shofar_transform::are_arithmetic;

use super::seat::LARGEST;

/// What other processes are called where it is told who said something to whom; the engine there
/// follows behind a dash.
pub const ELSEWHERE: &str = "elsewhere";

const MAGIC: &[u8] = b"shofar lemma 1\n";
/// Longer messages are neither sent nor read.
const LONGEST: usize = 8 << 10;
/// At most this many messages of others about one view are read, and this many bytes of them.
const MOST: usize = 4_000;
const MOST_BYTES: usize = 4 << 20;
/// Messages are kept for at most this many views, prepared or not.
const MOST_MARKS: usize = 16;
/// So many are handed over at once, so that no engine is held up by those who talk much.
const AT_ONCE: usize = 32;

/// Carries messages to and from other processes that work on the same problem. Each message is
/// bytes. Nothing is believed of what comes in: bytes that are no message about the clauses as they
/// are prepared here are dropped, and messages are treated like those of engines here.
pub trait Relay: Send + Sync {
    /// Sends a message to the others; does not wait.
    fn send(&self, message: Vec<u8>);
    /// What has come from the others since the last time; does not wait.
    fn poll(&self) -> Vec<Vec<u8>>;
}

/// What other processes send, sorted by the clauses that it is about: the views of a question have
/// one relay.
pub(crate) struct Incoming {
    relay: Arc<dyn Relay>,
    /// By the mark of the clauses. Some may come before their view has been prepared.
    inboxes: Mutex<Map<u64, Inbox>>,
}

/// The line to other processes that work on the same view.
pub(crate) struct Outside {
    incoming: Arc<Incoming>,
    /// Of the clauses.
    mark: u64,
    preds: Vec<Symbol>,
}

/// What has come in about the clauses of one mark.
#[derive(Default)]
struct Inbox {
    waiting: VecDeque<Vec<u8>>,
    /// All of it, by hash: others may say a thing several times.
    seen: Set<u64>,
    messages: usize,
    bytes: usize,
}

impl Incoming {
    pub(crate) fn new(relay: Arc<dyn Relay>) -> Self {
        Self { relay, inboxes: Mutex::default() }
    }
    /// The next messages that may be about the clauses with this mark.
    fn take(&self, mark: u64) -> Vec<Vec<u8>> {
        // What has come in is pushed whole, so a thread that panicked did no harm.
        let mut inboxes = self.inboxes.lock().unwrap_or_else(PoisonError::into_inner);
        for bytes in self.relay.poll() {
            let Ok((mark, _)) = opened(&bytes) else { continue };
            if !inboxes.contains_key(&mark) && inboxes.len() >= MOST_MARKS {
                continue;
            }
            inboxes.entry(mark).or_default().add(bytes);
        }
        inboxes.entry(mark).or_default().take()
    }
}

impl Inbox {
    fn add(&mut self, bytes: Vec<u8>) {
        let has_room = self.messages < MOST && self.bytes + bytes.len() <= MOST_BYTES;
        if has_room && self.seen.insert(fixed_hash(&bytes)) {
            self.messages += 1;
            self.bytes += bytes.len();
            self.waiting.push_back(bytes);
        }
    }
    fn take(&mut self) -> Vec<Vec<u8>> {
        let count = self.waiting.len().min(AT_ONCE);
        self.waiting.drain(..count).collect()
    }
}

/// The mark of a message, and what is inside.
fn opened(bytes: &[u8]) -> Wire<(u64, &[u8])> {
    let mut reader = Reader::new(bytes, MAGIC)?;
    reader.require(bytes.len() <= LONGEST, "the message is too long")?;
    let (mark, body) = (reader.number()?, reader.block()?);
    reader.end()?;
    Ok((mark, body))
}

impl Outside {
    /// A line for those who work on `system`.
    pub(crate) fn new(incoming: Arc<Incoming>, store: &mut TermStore, system: &ChcSystem) -> Self {
        let mark = fixed_hash(&export_system(store, system));
        let preds = system.preds().map(|pred| system.symbol(pred)).collect();
        Self { incoming, mark, preds }
    }
    /// Tells other processes of a message; says whether it is short enough for that.
    pub(super) fn send(&self, store: &mut TermStore, message: &Message) -> bool {
        let mut out = Writer::new(MAGIC);
        out.number(self.mark);
        out.block(&export_message(store, message));
        let bytes = out.finish();
        let fits = bytes.len() <= LONGEST;
        if fits {
            self.incoming.relay.send(bytes);
        }
        fits
    }
    /// Some of what others have sent; terms are those of `store`.
    pub(super) fn receive(&self, store: &mut TermStore) -> Vec<Message> {
        let received = self.incoming.take(self.mark);
        received.iter().filter_map(|bytes| self.read(store, bytes)).collect()
    }
    fn read(&self, store: &mut TermStore, bytes: &[u8]) -> Option<Message> {
        let message = import_message(store, opened(bytes).ok()?.1).ok()?;
        let is_about_us = match message.subject {
            Subject::Predicate(symbol) => self.preds.contains(&symbol),
            Subject::State => false,
        };
        let excluded = message.says.excludes().map(|excluded| excluded.points);
        let formulas: Vec<Term> = excluded.into_iter().chain([message.formula]).collect();
        let is_usable = is_about_us
            && dag_size(store, &formulas) <= LARGEST * formulas.len()
            && are_arithmetic(store, &formulas);
        // Who counts does not take names of strangers.
        let sender = match engine(&message.sender) {
            Some(info) => format!("{ELSEWHERE}-{}", info.name),
            None => ELSEWHERE.to_owned(),
        };
        is_usable.then(|| Message { sender: sender.into(), ..message })
    }
}
