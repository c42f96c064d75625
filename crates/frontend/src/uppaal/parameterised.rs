//! Any number of instances of a template: invariants about pairs of them.
//!
//! One template of the system has a parameter that is not bound, the number of the instance; there
//! may be any number of instances from two on, all different. The only predicate,
//! `P(c, g, x₁, x₂)`, is about the time, the variables and the processes that are there once (`g`),
//! and the numbers, locations, variables and clocks of *two* different instances:
//! ```text
//! P(c, g₀, x₀, x₀') ← numbers differ            false ← bad(g, x₁, …, xₘ) ∧ P of each two of x₁ … xₘ
//! P(c', …)          ← P(c, …) ∧ delay of g, x₁, x₂
//! P(c, g', x₁', x₂') ← P of each two of x₁, x₂ and those that take part ∧ move of g, x₁, x₂, x₃, x₄
//! ```
//! A move may be done by instances that the head is about, or by a third and a fourth one. By
//! induction on executions of a network with any number of instances, any two of them satisfy `P`
//! in every state that is reached; so a model is an invariant of all these networks, and a proof.
//! What instances know about each other beyond pairs is lost, and so is that other instances may
//! forbid a delay or a move: a refutation need not be an execution, so it is *no* verdict about the
//! networks ([`Exactness::Over`](shofar_chc::Exactness)). The network with the instances that the
//! text lists is then asked about, exactly: an execution of it is a verdict. Values are not held to
//! their declared ranges, which depend on how many instances there are; constants of the text keep
//! their values. Instances that receive from a broadcast channel are refused: any number of them
//! would take part in one move.
//!
//! Source: [HRSY14] §4.4 with one instance for each predicate; [HMP17] for more. DIVERGENCE
//! [HRSY14] §4.4: two instances, because Fischer's protocol needs the relation between the clocks
//! of two.

use shofar_base::{Diagnostic, Span};
use shofar_chc::{PredAtom, PredId};
use shofar_term::{Term, TermStore};

use super::encode::{Clauses, Encoder, Step, declare, named};
use super::moves::Move;
use super::network::{Direction, Edge, Network};
use super::query::Query;
use super::state::TIME;

/// How many instances a predicate is about.
const WIDTH: usize = 2;
/// How many instances a clause is about at most: those of the head, and a sender and a receiver.
pub(super) const INSTANCES: usize = WIDTH + 2;

/// The clauses for any number of instances.
pub(super) struct Parameterised<'n> {
    network: &'n Network,
    pred: PredId,
    /// The slots of what is there once.
    shared: Vec<usize>,
    /// The instances as processes, each with its slots.
    instances: Vec<(usize, Vec<usize>)>,
    pub(super) clauses: Clauses,
    pub(super) moves: Vec<Move>,
}

impl<'n> Parameterised<'n> {
    pub(super) fn new(
        store: &mut TermStore,
        network: &'n Network,
        whole: Span,
    ) -> Result<Self, Diagnostic> {
        let identities = network.identities();
        let is_instance = |process: &usize| {
            network.processes[*process].arguments.iter().any(|a| identities.contains(a))
        };
        let slots = |owner: Option<usize>| {
            let variables = network.state.variables.iter().enumerate();
            variables.filter(move |(_, v)| v.owner == owner).map(|(slot, _)| slot)
        };
        let processes = 0..network.processes.len();
        let instances: Vec<(usize, Vec<usize>)> = processes
            .clone()
            .filter(is_instance)
            .map(|process| (process, slots(Some(process)).collect()))
            .collect();
        let Some((first, _)) = instances.first() else {
            let message = "no template of the system has an open parameter";
            return Err(Diagnostic::new(whole, message)
                .note("`--encode parameterised` needs one, as in `process P(const id_t id)` and `system P;`"));
        };
        for (process, _) in &instances {
            let receives = |edge: &&Edge| {
                edge.sync.is_some_and(|sync| {
                    sync.direction == Direction::Receive
                        && network.channels[sync.channel].1.is_broadcast
                })
            };
            if let Some(edge) = network.processes[*process].edges.iter().find(receives) {
                let message = "arbitrarily many processes cannot receive from a broadcast channel";
                return Err(Diagnostic::new(edge.span, message));
            }
        }
        let mut shared: Vec<usize> = slots(None).collect();
        for process in processes.filter(|process| !is_instance(process)) {
            shared.extend(slots(Some(process)));
        }
        let mut clauses = Clauses::default();
        let mut params = vec![(TIME.to_owned(), network.state.time_sort)];
        params.extend(named(store, network, &shared, ""));
        for (_, slots) in &instances[..WIDTH] {
            params.extend(named(store, network, slots, ""));
        }
        let name = &network.processes[*first].template;
        let pred = declare(store, &mut clauses.system, name, params);
        Ok(Self { network, pred, shared, instances, clauses, moves: Vec::new() })
    }
    /// The clauses without those of a query.
    pub(super) fn encode(&mut self, store: &mut TermStore) -> Result<(), Diagnostic> {
        let pair: Vec<usize> = (0..WIDTH).collect();
        let state = &self.network.state;
        let initial: Vec<Term> = state.variables.iter().map(|variable| variable.initial).collect();
        let first = &self.network.processes[self.instances[0].0];
        let span = first.locations[first.initial].span;
        let (head, differ) = (self.atom(state.time, &initial, &pair), self.differ(store, &pair));
        self.clauses.add(Step::Start, Some(head), Vec::new(), differ, span);
        let later = Encoder::new(store, self.network, &[]).later;
        let before = self.atom(state.time, &state.now(), &pair);
        let after = self.atom(later, &state.now(), &pair);
        let delay = self.network.delay(store, &self.present(&pair), later);
        self.clauses.add(Step::Delay, Some(after), vec![before], delay, span);
        for outsiders in 0..=INSTANCES - WIDTH {
            let about: Vec<usize> = (0..WIDTH + outsiders).collect();
            let needed: Vec<usize> =
                about[WIDTH..].iter().map(|&instance| self.instances[instance].0).collect();
            let moves = self.network.moves(store, &self.present(&about))?;
            for step in moves.into_iter().filter(|step| takes_part(step, &needed)) {
                let differ = self.differ(store, &about);
                let constraint = store.and(&[step.constraint, differ]);
                let head = self.atom(state.time, &step.next, &pair);
                let number = Step::Move(self.moves.len());
                let body = self.pairs(&about);
                self.clauses.add(number, Some(head), body, constraint, step.span);
                self.moves.push(step);
            }
        }
        Ok(())
    }
    /// The clauses with those of a query.
    pub(super) fn ask(&self, store: &mut TermStore, query: &Query) -> Clauses {
        let mut clauses = self.clauses.clone();
        for &(goal, present) in &query.cases {
            let about: Vec<usize> = (0..present.max(WIDTH)).collect();
            let differ = self.differ(store, &about);
            let constraint = store.and(&[goal, differ]);
            clauses.add(Step::Goal, None, self.pairs(&about), constraint, query.span);
        }
        clauses
    }
    /// The processes that are there once, and some instances.
    fn present(&self, instances: &[usize]) -> Vec<usize> {
        let is_present = |process: &usize| {
            let number = self.instances.iter().position(|(instance, _)| instance == process);
            number.is_none_or(|number| instances.contains(&number))
        };
        (0..self.network.processes.len()).filter(is_present).collect()
    }
    /// The predicate about two instances, with the values of slots.
    fn atom(&self, time: Term, values: &[Term], pair: &[usize]) -> PredAtom {
        let mut args = vec![time];
        args.extend(self.shared.iter().map(|&slot| values[slot]));
        for &instance in pair {
            args.extend(self.instances[instance].1.iter().map(|&slot| values[slot]));
        }
        PredAtom { pred: self.pred, args }
    }
    /// The predicate about each two of some instances.
    fn pairs(&self, about: &[usize]) -> Vec<PredAtom> {
        let state = &self.network.state;
        let now = state.now();
        let mut atoms = Vec::new();
        for (at, &one) in about.iter().enumerate() {
            for &other in &about[at + 1..] {
                atoms.push(self.atom(state.time, &now, &[one, other]));
            }
        }
        atoms
    }
    /// That the numbers of instances are different, and numbers of instances.
    fn differ(&self, store: &mut TermStore, about: &[usize]) -> Term {
        let identities = self.network.identities();
        let numbers: Vec<Term> = about.iter().map(|&instance| identities[instance]).collect();
        let mut parts = Vec::new();
        for (at, &one) in numbers.iter().enumerate() {
            if let Some(range) = self.network.state.ranges.get(&one) {
                let low = store.int(range.low);
                parts.push(store.ge(one, low));
            }
            for &other in &numbers[at + 1..] {
                let same = store.eq(one, other);
                parts.push(store.not(same));
            }
        }
        store.and(&parts)
    }
}

/// Whether these take part, and the first of two as the sender: the other way round is the same up
/// to names.
fn takes_part(step: &Move, needed: &[usize]) -> bool {
    needed.iter().all(|&process| step.involves(process))
        && needed.first().is_none_or(|&first| needed.len() < 2 || step.parts[0].0 == first)
}
