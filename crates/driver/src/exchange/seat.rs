//! The place of one worker at the board: what its engine says and hears.
//!
//! An engine for clauses speaks of predicates with parameters of its own; here they get the usual
//! ones. An engine for transition systems speaks of states of the single loop; here a formula about
//! states is taken apart into one about each predicate, and what is said about a predicate is said
//! about the states at its location. Both are exact ([`Locations`]).
//!
//! Invariants: what goes out is a formula over its parameters and not large; what comes in as
//! holding always is confirmed, and inductive together with all that came in before.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use shofar_base::{Idx, Outcome, Set};
use shofar_chc::{ChcSystem, Definition, Interpretation, NormalSystem, PredId, formal_params};
use shofar_engine::Line;
use shofar_term::size::dag_size;
use shofar_term::symbols::free_symbols;
use shofar_term::visit::postorder;
use shofar_term::{
    Bound, Cx, Exchange, Excluded, Message, Parcel, Says, Subject, Symbol, Term, TermStore,
};
use shofar_transform::Locations;

use super::invariants::{Invariant, Invariants};
use super::{Board, Given, Local, invariant, read};
use crate::schedule::ItemId;

/// Larger formulas are not handed on: they are seldom of use to others, and make every query of
/// theirs slower.
pub(super) const LARGEST: usize = 40;
/// One engine may say so much about one problem, and so many times that something holds always.
const MOST: usize = 400;
/// What is said about states of more locations than these is not taken apart.
const MOST_LOCATIONS: usize = 12;
/// How often the budget may be asked while it is found out which new lemmas are inductive, in the
/// middle of the work.
const EFFORT: u32 = 2_000;

/// What an engine speaks of.
#[derive(Clone, Copy)]
pub(crate) enum Subjects<'a> {
    /// The predicates of clauses.
    Predicates,
    /// The states of one loop.
    States(&'a Locations),
}

/// Who sits at the board.
#[derive(Clone, Copy)]
pub(crate) struct Member<'a> {
    /// The name of the engine.
    pub(crate) name: &'static str,
    /// In the schedule.
    pub(crate) item: ItemId,
    /// Set when it takes in what others said.
    pub(crate) heard: &'a AtomicBool,
}

/// A seat at the board; see the module documentation.
pub(crate) struct Seat<'a> {
    board: &'a Board,
    member: Member<'a>,
    line: Line,
    /// The clauses that the engine got, with what was given to it.
    system: &'a NormalSystem,
    subjects: Subjects<'a>,
    notes: Mutex<Notes>,
}

/// What a seat remembers; terms live in the store of its engine.
struct Notes {
    known: Invariants,
    /// How many confirmed invariants have been looked at.
    read: usize,
    /// How many messages went out, and how many of them say that something holds always.
    published: usize,
    always: usize,
    taken: Vec<Message>,
}

impl<'a> Seat<'a> {
    /// The seat of an engine that works on `system`.
    pub(crate) fn new(
        board: &'a Board,
        member: Member<'a>,
        system: &'a NormalSystem,
        given: Given,
        subjects: Subjects<'a>,
    ) -> Self {
        let notes = Notes { known: given.0, read: 0, published: 0, always: 0, taken: Vec::new() };
        let line = board.pool.line(member.item.index());
        Self { board, member, line, system, subjects, notes: Mutex::new(notes) }
    }
    /// Takes note of what the invariant of the engine, about states, owes to others.
    pub(crate) fn credit_states(&self, store: &TermStore, invariant: Term) {
        let parts: Set<Term> = postorder(store, &[invariant]).into_iter().collect();
        for message in &self.notes().taken {
            if parts.contains(&message.formula) {
                self.board.note(&message.sender, self.member.name, |t| t.used += 1);
            }
        }
    }
    /// Takes note of what the model of the engine owes to others.
    pub(crate) fn credit_model(&self, store: &mut TermStore, model: &Interpretation) {
        for message in &self.notes().taken {
            let Subject::Predicate(symbol) = message.subject else { continue };
            let definition = self.system.pred(symbol).and_then(|pred| model.get(pred));
            let Some(Definition { params, body }) = definition else { continue };
            let args: Vec<Term> = params.iter().map(|&param| store.constant(param)).collect();
            let own = Definition { params: message.params.clone(), body: message.formula };
            let formula = own.apply(store, &args);
            if postorder(store, &[*body]).contains(&formula) {
                self.board.note(&message.sender, self.member.name, |t| t.used += 1);
            }
        }
    }
    /// A thread that panicked is not going to use its seat again.
    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// Whether the engine may say more of this kind.
    fn may_say(&self, says: &Says) -> bool {
        let notes = self.notes();
        let said = if is_always(says) { notes.always } else { notes.published - notes.always };
        self.board.pool.sharing().admits(says) && said < MOST
    }
    fn count(&self, says: &Says) {
        let mut notes = self.notes();
        notes.published += 1;
        notes.always += usize::from(is_always(says));
    }
    /// What a message says about the predicates.
    fn outgoing(&self, store: &mut TermStore, message: &Message) -> Vec<Local> {
        match (message.subject, self.subjects) {
            (Subject::Predicate(symbol), _) => {
                let pred = self.system.pred(symbol);
                pred.and_then(|pred| localized(store, self.system, pred, message))
                    .into_iter()
                    .collect()
            }
            (Subject::State, Subjects::States(places)) => {
                let is_ours = places.state().eq(message.params.iter().copied());
                if !is_ours || self.system.pred_count() > MOST_LOCATIONS {
                    return Vec::new();
                }
                let preds = self.system.preds();
                preds.map(|pred| at_location(store, places, pred, message)).collect()
            }
            (Subject::State, Subjects::Predicates) => Vec::new(),
        }
    }
    fn post(&self, store: &mut TermStore, local: Local) {
        if !is_fit(store, &local) {
            return;
        }
        let Local { pred, definition: Definition { params, body }, says, sender } = local;
        // An invariant is of use conjunct by conjunct.
        let formulas = match says {
            Says::Holds { bound: Bound::Always, excludes: None } => store.conjuncts(&[body]),
            Says::Holds { .. } | Says::Reached | Says::Hint => vec![body],
        };
        let subject = Subject::Predicate(self.system.symbol(pred));
        for formula in formulas {
            let (params, sender) = (params.clone(), sender.clone().into());
            let message = Message { subject, params, formula, says, sender };
            if self.line.post(message.pack(store)) {
                self.count(&says);
                self.board.send(store, &message);
            }
        }
    }
    /// What is said about a predicate, in the terms of the engine.
    fn incoming(&self, store: &mut TermStore, local: Local) -> Message {
        let Local { pred, definition, says, sender } = local;
        let sender = sender.into();
        let places = match self.subjects {
            Subjects::Predicates => {
                let subject = Subject::Predicate(self.system.symbol(pred));
                let Definition { params, body: formula } = definition;
                return Message { subject, params, formula, says, sender };
            }
            Subjects::States(places) => places,
        };
        let here = places.location_of(store, pred);
        let about = |store: &mut TermStore, body: Term| {
            places.said(store, pred, &Definition { body, ..definition.clone() })
        };
        let body = about(store, definition.body);
        let (formula, says) = match says {
            Says::Holds { bound, excludes } => {
                let excludes = excludes.map(|Excluded { points, distance }| {
                    let points = about(store, points);
                    Excluded { points: store.and(&[here, points]), distance }
                });
                (store.implies(here, body), Says::Holds { bound, excludes })
            }
            Says::Reached => (store.and(&[here, body]), says),
            Says::Hint => (body, says),
        };
        Message { subject: Subject::State, params: places.state().collect(), formula, says, sender }
    }
    /// Invariants that have been confirmed since the last time, by others or now.
    fn invariants(&self, cx: &mut Cx<'_>, news: Vec<Local>) -> Outcome<Vec<Message>> {
        let mut notes = self.notes();
        let confirmed: Vec<Arc<Parcel>> = self.board.confirmed()[notes.read..].to_vec();
        notes.read += confirmed.len();
        let mut heard = Vec::new();
        for parcel in confirmed {
            let known = read(cx.store, self.system, &parcel).and_then(invariant);
            if let Some(known) = known.filter(|known| !notes.known.contains(known)) {
                heard.push(known.clone());
                notes.known.told.push(known);
            }
        }
        let candidates = news.into_iter().filter_map(invariant).collect();
        // No lock is held while queries are asked, since the engine may be paused then.
        let mut known = std::mem::take(&mut notes.known);
        drop(notes);
        let found = known.confirm(cx, self.system, candidates, EFFORT);
        self.notes().known = known;
        let found = found?;
        self.board.confirm(cx.store, self.system, &found);
        heard.extend(found);
        let local = |Invariant { pred, definition, sender }: Invariant| Local {
            pred,
            definition,
            says: Says::holds(Bound::Always),
            sender,
        };
        Ok(heard.into_iter().map(|known| self.incoming(cx.store, local(known))).collect())
    }
}

impl Exchange for Seat<'_> {
    fn publish(&self, store: &mut TermStore, message: &Message) {
        if !self.may_say(&message.says) {
            return;
        }
        for local in self.outgoing(store, message) {
            self.post(store, local);
        }
    }
    fn publish_inductive(&self, store: &mut TermStore, messages: &[Message]) -> bool {
        let said = |message: &Message| self.outgoing(store, message);
        let locals: Vec<Local> = messages.iter().flat_map(said).collect();
        let may_say = messages.iter().all(|message| self.may_say(&message.says));
        let is_whole = may_say
            && locals.len() == messages.len()
            && locals.iter().all(|local| is_fit(store, local) && is_always(&local.says));
        if !is_whole {
            for message in messages {
                self.publish(store, message);
            }
            return false;
        }
        let mut invariants = Vec::new();
        for Local { pred, definition: Definition { params, body }, sender, .. } in &locals {
            for body in store.conjuncts(&[*body]) {
                let definition = Definition { params: params.clone(), body };
                invariants.push(Invariant { pred: *pred, definition, sender: sender.clone() });
            }
        }
        self.notes().known.told.extend(invariants.iter().cloned());
        self.board.confirm(store, self.system, &invariants);
        for local in locals {
            self.post(store, local);
        }
        true
    }
    fn receive(&self, cx: &mut Cx<'_>) -> Outcome<Vec<Message>> {
        let (mut always, mut messages) = (Vec::new(), Vec::new());
        self.board.poll(cx.store);
        for parcel in self.line.news() {
            self.board.note(parcel.sender(), self.member.name, |t| t.sent += 1);
            let Some(local) = read(cx.store, self.system, &parcel) else { continue };
            match local.says {
                Says::Holds { bound: Bound::Always, .. } => always.push(local),
                Says::Holds { .. } | Says::Reached | Says::Hint => {
                    messages.push(self.incoming(cx.store, local));
                }
            }
        }
        let mut all = self.invariants(cx, always)?;
        all.append(&mut messages);
        Ok(all)
    }
    fn took(&self, message: &Message) {
        self.member.heard.store(true, Ordering::Relaxed);
        self.board.note(&message.sender, self.member.name, |t| t.taken += 1);
        self.notes().taken.push(message.clone());
    }
}

/// Whether a message says something about its parameters, and is not large.
fn is_fit(store: &mut TermStore, local: &Local) -> bool {
    let Definition { params, body } = &local.definition;
    let is_empty = match local.says {
        Says::Holds { .. } => *body == store.top(),
        Says::Reached => *body == store.bottom(),
        Says::Hint => *body == store.top() || *body == store.bottom(),
    };
    !is_empty && dag_size(store, &[*body]) <= LARGEST && is_over(store, *body, params)
}

fn is_always(says: &Says) -> bool {
    matches!(says, Says::Holds { bound: Bound::Always, .. })
}

/// A message about `pred` with the usual parameters; nothing if it is not about its arguments.
pub(super) fn localized(
    store: &mut TermStore,
    system: &ChcSystem,
    pred: PredId,
    message: &Message,
) -> Option<Local> {
    let params = formal_params(store, system, pred);
    let sorts =
        |symbols: &[Symbol]| -> Vec<_> { symbols.iter().map(|&s| store.result(s)).collect() };
    if sorts(&params) != sorts(&message.params) {
        return None;
    }
    let args: Vec<Term> = params.iter().map(|&param| store.constant(param)).collect();
    let said = |store: &mut TermStore, body: Term| {
        let is_over = is_over(store, body, &message.params) && store.sort(body).is_bool();
        let own = Definition { params: message.params.clone(), body };
        is_over.then(|| own.apply(store, &args))
    };
    let body = said(store, message.formula)?;
    let says = match message.says {
        Says::Holds { bound, excludes: Some(Excluded { points, distance }) } => {
            let points = said(store, points)?;
            Says::Holds { bound, excludes: Some(Excluded { points, distance }) }
        }
        says @ (Says::Holds { excludes: None, .. } | Says::Reached | Says::Hint) => says,
    };
    let sender = message.sender.clone().into_owned();
    Some(Local { pred, definition: Definition { params, body }, says, sender })
}

/// What a message about states says about the predicate at its location.
fn at_location(
    store: &mut TermStore,
    places: &Locations,
    pred: PredId,
    message: &Message,
) -> Local {
    let definition = places.at(store, pred, message.formula);
    let says = match message.says {
        Says::Holds { bound, excludes: Some(Excluded { points, distance }) } => {
            let points = places.at(store, pred, points).body;
            let excludes = (points != store.bottom()).then_some(Excluded { points, distance });
            Says::Holds { bound, excludes }
        }
        says @ (Says::Holds { excludes: None, .. } | Says::Reached | Says::Hint) => says,
    };
    Local { pred, definition, says, sender: message.sender.clone().into_owned() }
}

/// Whether a formula is about these symbols only.
fn is_over(store: &TermStore, formula: Term, symbols: &[Symbol]) -> bool {
    free_symbols(store, &[formula]).iter().all(|symbol| symbols.contains(symbol))
}
