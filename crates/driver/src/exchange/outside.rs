//! The line to other processes that work on the same problem.
//!
//! What engines here say about predicates goes out in the form of `shofar_chc::serial`, behind a mark of the clauses that all engines
//! here work on. Everybody prepares the clauses by himself; passes do the same wherever they run, so equal marks mean equal
//! clauses, and predicates and parameters of equal names mean the same. What comes in with another mark, from other
//! passes, another question or another version, is about something else and is dropped. The mark is a filter, no lock: two
//! systems may have one mark by chance, or because somebody wants it so.
//!
//! Nothing that comes in is trusted. Bytes that are no message, formulas that are large, not arithmetic or about no predicate here are
//! dropped at this door. Behind it a message is one like those of engines here: what holds always is confirmed by queries
//! ([`super::invariants`]), and every witness is validated against the input. So what others say may cost time, and how much is limited,
//! too: so many messages and bytes in all, so many at once.
//!
//! Invariant: what [`Outside::receive`] returns is about a predicate of the clauses, over parameters of its sorts.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use shofar_base::wire::{Reader, Wire, Writer};
use shofar_base::{Set, fixed_hash};
use shofar_chc::ChcSystem;
use shofar_chc::serial::{export_message, export_system, import_message};
use shofar_engine::engine;
use shofar_term::size::dag_size;
use shofar_term::{Message, Subject, Symbol, Term, TermStore};
use shofar_transform::are_arithmetic;

use super::seat::LARGEST;

/// What other processes are called where it is told who said something to whom; the engine there follows behind a dash.
pub const ELSEWHERE: &str = "elsewhere";

const MAGIC: &[u8] = b"shofar lemma 1\n";
/// Longer messages are neither sent nor read.
const LONGEST: usize = 8 << 10;
/// So many messages of others are read, and so many bytes of them.
const MOST: usize = 4_000;
const MOST_BYTES: usize = 4 << 20;
/// So many are handed over at once, so that no engine is held up by those who talk much.
const AT_ONCE: usize = 32;

/// Carries messages to and from other processes that work on the same problem. Each message is bytes. Nothing is believed of what
/// comes in: bytes that are no message about the clauses as they are prepared here are dropped, and messages are treated like those
/// of engines here.
pub trait Relay: Send + Sync {
    /// Sends a message to the others; does not wait.
    fn send(&self, message: Vec<u8>);
    /// What has come from the others since the last time; does not wait.
    fn poll(&self) -> Vec<Vec<u8>>;
}

/// The line to other processes.
pub(crate) struct Outside {
    relay: Arc<dyn Relay>,
    /// Of the clauses.
    mark: u64,
    preds: Vec<Symbol>,
    inbox: Mutex<Inbox>,
}

/// What has come in.
#[derive(Default)]
struct Inbox {
    waiting: VecDeque<Vec<u8>>,
    /// All of it, by hash: others may say a thing several times.
    seen: Set<u64>,
    messages: usize,
    bytes: usize,
}

impl Outside {
    /// A line for those who work on `system`.
    pub(crate) fn new(relay: Arc<dyn Relay>, store: &mut TermStore, system: &ChcSystem) -> Self {
        let mark = fixed_hash(&export_system(store, system));
        let preds = system.preds().map(|pred| system.symbol(pred)).collect();
        Self { relay, mark, preds, inbox: Mutex::default() }
    }
    /// Tells other processes of a message; says whether it is short enough for that.
    pub(super) fn send(&self, store: &mut TermStore, message: &Message) -> bool {
        let mut out = Writer::new(MAGIC);
        out.number(self.mark);
        out.block(&export_message(store, message));
        let bytes = out.finish();
        let fits = bytes.len() <= LONGEST;
        if fits {
            self.relay.send(bytes);
        }
        fits
    }
    /// Some of what others have sent; terms are those of `store`.
    pub(super) fn receive(&self, store: &mut TermStore) -> Vec<Message> {
        self.take().iter().filter_map(|bytes| self.read(store, bytes)).collect()
    }
    /// The next messages that may be about the clauses.
    fn take(&self) -> Vec<Vec<u8>> {
        let mut inbox = self.inbox();
        for bytes in self.relay.poll() {
            let has_room = inbox.messages < MOST && inbox.bytes + bytes.len() <= MOST_BYTES;
            if has_room && self.body(&bytes).is_ok() && inbox.seen.insert(fixed_hash(&bytes)) {
                inbox.messages += 1;
                inbox.bytes += bytes.len();
                inbox.waiting.push_back(bytes);
            }
        }
        let count = inbox.waiting.len().min(AT_ONCE);
        inbox.waiting.drain(..count).collect()
    }
    /// What is inside bytes with our mark.
    fn body<'b>(&self, bytes: &'b [u8]) -> Wire<&'b [u8]> {
        let mut reader = Reader::new(bytes, MAGIC)?;
        reader.require(bytes.len() <= LONGEST, "the message is too long")?;
        let mark = reader.number()?;
        reader.require(mark == self.mark, "the message is about other clauses")?;
        let body = reader.block()?;
        reader.end()?;
        Ok(body)
    }
    fn read(&self, store: &mut TermStore, bytes: &[u8]) -> Option<Message> {
        let message = import_message(store, self.body(bytes).ok()?).ok()?;
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
    /// What has come in is pushed whole, so a thread that panicked did no harm.
    fn inbox(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
