//! Invariants that engines have proved, confirmed before anybody else relies on them.
//!
//! An engine says that a lemma holds always; whether it is inductive by itself it does not say. So
//! what it said is kept as a candidate, and of all candidates the largest part that is inductive
//! together is found by queries about the clauses. That part is *confirmed*, for all engines on the
//! problem: the union of sets that are inductive each is inductive, too. Engines that start get the
//! clauses strengthened by it; those at work get it as messages. A candidate that is not confirmed
//! may be as soon as others have come, so it waits for them.
//!
//! Invariant: what is confirmed is inductive together, whatever was said.

use shofar_base::{GaveUp, Outcome};
use shofar_chc::{ChcSystem, Definition, HintKind, NormalSystem, PredId};
use shofar_term::{Cx, TermStore};
use shofar_transform::Strengthen;

/// How many candidates are tried together, the newest ones.
const MOST_TRIED: usize = 64;
/// How many candidates may wait.
const MOST_WAITING: usize = 32;

/// A formula about a predicate, and who says that it holds always.
#[derive(Clone, Debug)]
pub(super) struct Invariant {
    pub(super) pred: PredId,
    pub(super) definition: Definition,
    pub(super) sender: String,
}

impl Invariant {
    /// Whether both say the same; their parameters are the usual ones.
    pub(super) fn says_the_same(&self, other: &Self) -> bool {
        self.pred == other.pred && self.definition.body == other.definition.body
    }
    fn pair(&self) -> (PredId, Definition) {
        (self.pred, self.definition.clone())
    }
}

/// The invariants that one engine may rely on, in its store.
#[derive(Clone, Debug, Default)]
pub(super) struct Invariants {
    /// In the clauses that it got.
    pub(super) given: Vec<Invariant>,
    /// Told since.
    pub(super) told: Vec<Invariant>,
    /// Not confirmed.
    waiting: Vec<Invariant>,
}

impl Invariants {
    /// Whether an invariant is relied on already.
    pub(super) fn contains(&self, other: &Invariant) -> bool {
        self.given.iter().chain(&self.told).any(|known| known.says_the_same(other))
    }
    /// The part of `new` and of those that wait that is inductive for `system`, whose clauses have
    /// what is given, within the effort; it counts as told.
    pub(super) fn confirm(
        &mut self,
        cx: &mut Cx<'_>,
        system: &NormalSystem,
        new: Vec<Invariant>,
        effort: u32,
    ) -> Outcome<Vec<Invariant>> {
        let before = self.waiting.len();
        for invariant in new {
            let is_waiting = self.waiting.iter().any(|other| other.says_the_same(&invariant));
            if !is_waiting && !self.contains(&invariant) {
                self.waiting.push(invariant);
            }
        }
        // Those that waited before have failed without the new ones.
        if self.waiting.len() == before {
            return Ok(Vec::new());
        }
        let mut candidates = std::mem::take(&mut self.waiting);
        candidates.retain(|candidate| !self.contains(candidate));
        let old = candidates.len().saturating_sub(MOST_TRIED);
        candidates.drain(..old);
        let known: Vec<(PredId, Definition)> = self.told.iter().map(Invariant::pair).collect();
        let pairs = candidates.iter().map(Invariant::pair).collect();
        let first = known.len();
        let part = cx.budget.part(effort);
        let found = Strengthen::inductive_with(&mut cx.limited(&part), system, known, pairs);
        let kept = match &found {
            Ok(found) => &found.invariants()[first..],
            Err(GaveUp::Incomplete(_)) => return Ok(Vec::new()),
            Err(why) => return Err(why.clone()),
        };
        let is_kept = |invariant: &Invariant| {
            let same = |(pred, definition): &(PredId, Definition)| {
                *pred == invariant.pred && definition.body == invariant.definition.body
            };
            kept.iter().any(same)
        };
        let (confirmed, mut waiting): (Vec<_>, Vec<_>) = candidates.into_iter().partition(is_kept);
        let superfluous = waiting.len().saturating_sub(MOST_WAITING);
        waiting.drain(..superfluous);
        self.waiting = waiting;
        self.told.extend(confirmed.iter().cloned());
        Ok(confirmed)
    }
    /// What has been told counts as given: it is in the clauses now.
    pub(super) fn give(&mut self) {
        self.given.append(&mut self.told);
    }
}

/// Who guesses.
const USER: &str = "user";

/// The conjuncts of the formulas that users guess.
pub(super) fn guessed(store: &mut TermStore, system: &ChcSystem) -> Vec<Invariant> {
    let mut result = Vec::new();
    for hint in system.hints().iter().filter(|hint| hint.kind == HintKind::Predicate) {
        let params = shofar_chc::formal_params(store, system, hint.pred);
        let args: Vec<_> = params.iter().map(|&param| store.constant(param)).collect();
        let formula = hint.apply(store, &args);
        for body in store.conjuncts(&[formula]) {
            let definition = Definition { params: params.clone(), body };
            result.push(Invariant { pred: hint.pred, definition, sender: USER.to_owned() });
        }
    }
    result
}
