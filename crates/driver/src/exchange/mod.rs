//! What engines on one problem tell each other.
//!
//! The [`Board`] of a problem has all messages. Every worker has a [`Seat`] at it: what its engine
//! publishes is said there about the predicates of the clauses, in their usual parameters, whatever
//! the engine works on; what others have published since the engine last asked is handed to it in
//! its own terms, those of the clauses or those of the single loop. So all engines understand each
//! other, and the filters are in one place: what the user wants to be shared, size, novelty.
//!
//! | message | what is done with it here |
//! |---|---|
//! | holds always | confirmed before anybody gets it ([`invariants`]), unless the sender has shown by queries that it is inductive; strengthens the clauses of engines that start later |
//! | holds within a bound, is reached, is a hint | handed over as it is; the receiver has to be careful |
//!
//! Other processes on the same clauses hear what is said here, and are heard, by the line
//! [`outside`].
//!
//! Terms live in the store of a thread, so messages lie on the board as bytes. With one thread the
//! exchange works between time slices. Nothing is taken on trust: whatever an engine concludes is
//! validated against the input. An engine whose witness does not pass after it heard others works
//! once more without them ([`Member::heard`]).

mod invariants;
mod outside;
mod seat;
mod traffic;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use shofar_base::Outcome;
use shofar_chc::{ChcSystem, Definition, NormalSystem, PredId, Translated};
use shofar_engine::Pool;
use shofar_term::{Bound, Cx, Message, Parcel, Says, Sharing, Subject, TermStore};
use shofar_transform::Strengthen;

use invariants::{Invariant, Invariants, guessed};
pub use outside::{ELSEWHERE, Relay};
pub(crate) use outside::{Incoming, Outside};
pub(crate) use seat::{Member, Seat, Subjects};
use traffic::Ledger;
pub use traffic::Traffic;

/// How often the budget may be asked while it is found out which lemmas are inductive together,
/// before an engine starts.
const EFFORT: u32 = 20_000;

/// The number of the line by which messages of other processes come; no engine has this place.
const OUTSIDE: usize = usize::MAX;

/// The messages of one problem.
pub(crate) struct Board {
    pool: Arc<Pool>,
    outside: Option<Outside>,
    /// Invariants that are inductive together, as messages.
    confirmed: Mutex<Vec<Arc<Parcel>>>,
    ledger: Mutex<Ledger>,
}

/// Clauses that are strengthened by what is known, and the way back from them.
pub(crate) type Strengthened = Translated<NormalSystem, NormalSystem>;

/// What an engine may rely on when it starts.
#[derive(Clone, Default)]
pub(crate) struct Given(Invariants);

impl Board {
    /// A board for such messages, which other processes hear as well if there is a line to them.
    pub(crate) fn new(sharing: Sharing, outside: Option<Outside>) -> Self {
        let (confirmed, ledger) = (Mutex::default(), Mutex::default());
        Self { pool: Pool::new(sharing), outside, confirmed, ledger }
    }
    /// Tells other processes of a message.
    fn send(&self, store: &mut TermStore, message: &Message) {
        if self.outside.as_ref().is_some_and(|outside| outside.send(store, message)) {
            self.note(&message.sender, ELSEWHERE, |t| t.sent += 1);
        }
    }
    /// Puts what other processes have sent into the pool; terms pass through `store`.
    fn poll(&self, store: &mut TermStore) {
        let Some(outside) = &self.outside else { return };
        let line = self.pool.line(OUTSIDE);
        for message in outside.receive(store) {
            if self.pool.sharing().admits(&message.says) {
                line.post(message.pack(store));
            }
        }
    }
    /// The clauses strengthened by what is known now, and the way back, if something is known that
    /// helps; and what that is.
    pub(crate) fn strengthen(
        &self,
        cx: &mut Cx<'_>,
        me: &'static str,
        system: &NormalSystem,
    ) -> Outcome<(Option<Strengthened>, Given)> {
        let mut known = Invariants::default();
        let confirmed: Vec<Arc<Parcel>> = self.confirmed().clone();
        known.told = confirmed
            .iter()
            .filter_map(|parcel| read(cx.store, system, parcel).and_then(invariant))
            .collect();
        let mut candidates: Vec<Invariant> = Vec::new();
        self.poll(cx.store);
        for parcel in self.pool.all() {
            if parcel.bound() == Some(Bound::Always) {
                candidates.extend(read(cx.store, system, &parcel).and_then(invariant));
            }
        }
        for invariant in &candidates {
            self.note(&invariant.sender, me, |t| t.sent += 1);
        }
        candidates.extend(guessed(cx.store, system));
        let found = known.confirm(cx, system, candidates, EFFORT)?;
        self.confirm(cx.store, system, &found);
        let all = known.told.clone();
        if all.is_empty() {
            return Ok((None, Given(known)));
        }
        for invariant in &all {
            self.note(&invariant.sender, me, |t| t.taken += 1);
        }
        known.give();
        let pairs = all.into_iter().map(|i| (i.pred, i.definition)).collect();
        let strengthened = Strengthen::proved(pairs).apply(cx.store, system);
        Ok((Some(strengthened), Given(known)))
    }
    /// Takes note that the model of an engine has all that was given to it.
    pub(crate) fn used(&self, me: &'static str, given: &Given) {
        for invariant in &given.0.given {
            self.note(&invariant.sender, me, |t| t.used += 1);
        }
    }
    /// What engines got from each other so far. An engine hears its own invariants when others have
    /// confirmed them; that is no traffic.
    pub(crate) fn traffic(&self) -> Vec<Traffic> {
        let mut entries = self.ledger().entries();
        entries.retain(|entry| entry.sent > 0);
        entries
    }
    fn confirm(&self, store: &mut TermStore, system: &NormalSystem, invariants: &[Invariant]) {
        let mut confirmed = self.confirmed();
        for invariant in invariants {
            let parcel = Arc::new(said(system, invariant).pack(store));
            if !confirmed.iter().any(|other| other.digest() == parcel.digest()) {
                confirmed.push(parcel);
            }
        }
    }
    /// What is confirmed is pushed whole, so a thread that panicked did no harm.
    fn confirmed(&self) -> MutexGuard<'_, Vec<Arc<Parcel>>> {
        self.confirmed.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn note(&self, from: &str, to: &'static str, change: impl FnOnce(&mut Traffic)) {
        change(self.ledger().of(from, to));
    }
}

/// A message about a predicate of the clauses, with the usual parameters.
struct Local {
    pred: PredId,
    definition: Definition,
    says: Says,
    sender: String,
}

/// What a parcel says about the predicates of `system`; nothing if it was damaged, or is about
/// something else.
fn read(store: &mut TermStore, system: &ChcSystem, parcel: &Parcel) -> Option<Local> {
    let message = parcel.unpack(store)?;
    let Subject::Predicate(symbol) = message.subject else { return None };
    seat::localized(store, system, system.pred(symbol)?, &message)
}

fn invariant(local: Local) -> Option<Invariant> {
    let Local { pred, definition, says, sender } = local;
    match says {
        Says::Holds { bound: Bound::Always, .. } => Some(Invariant { pred, definition, sender }),
        Says::Holds { .. } | Says::Reached | Says::Hint => None,
    }
}

/// An invariant as a message.
fn said(system: &ChcSystem, invariant: &Invariant) -> Message {
    Message {
        subject: Subject::Predicate(system.symbol(invariant.pred)),
        params: invariant.definition.params.clone(),
        formula: invariant.definition.body,
        says: Says::holds(Bound::Always),
        sender: invariant.sender.clone().into(),
    }
}

#[cfg(test)]
mod tests;
