//! From a network to clauses: as one product, by Owicki and Gries, or by rely and guarantee.
//!
//! With `s` for a state (time, resets, values, locations of *all* processes) and `τ(s, s')` for a
//! move of the processes `A`:
//! ```text
//! product   R(s₀);   R(s') ← R(s) ∧ τ;   R(s[c := c']) ← R(s) ∧ delay(s, c');   false ← R(s) ∧ bad(s)
//! og        Pᵢ(s₀);  Pᵢ(s') ← Pᵢ(s) ∧ ⋀ₐ Pₐ(s) ∧ τ for each i;  delays for each location of i;  false ← ⋀ᵢ Pᵢ(s) ∧ bad(s)
//! rg        Pᵢ(s₀);  Pₐ(s') ← ⋀ₐ Pₐ(s) ∧ τ for a ∈ A;  Eⱼ(s, s') ← ⋀ₐ Pₐ(s) ∧ τ for j ∉ A;
//!           Pⱼ(s') ← Pⱼ(s) ∧ Eⱼ(s, s') ∧ lⱼ' = lⱼ;  delays and `false` as before
//! ```
//! **All three are exact.** Let `Reach` be the states that the network reaches. Every clause with a
//! head `Pᵢ(s')` has `Pᵢ(s)` in its body and the exact relation of a step from `s` to `s'` (with
//! the invariants, urgency and commitments of all processes), or a pair of states that `Eⱼ` has
//! from such a step. So by induction on derivations `Pᵢ ⊆ Reach`, and by induction on executions
//! `Reach ⊆ Pᵢ`, because each move has a clause for each process. Hence in the least model each
//! `Pᵢ` is `Reach`, and `false` is derivable iff a bad state is reached: a refutation is an
//! execution, which is found by following, from the last step, the first premise of each step. What
//! differs is what proofs look like: a model may give each `Pᵢ` a weaker invariant, about its
//! own process mostly, as long as together they exclude the bad states.
//!
//! Values that leave their declared ranges: UPPAAL aborts then. Such moves are not done; `A[] φ` is
//! violated by them, so that nothing is called safe of which UPPAAL gives no verdict; `E<> φ` asks
//! for executions without them.
//!
//! Source: [HRSY14] §4, [OG76], [Jon83]; symbols: `Pᵢ` → `own`, `Eᵢ` → `environment`.
//! DIVERGENCE [HRSY14] Fig. 3: delays respect the invariants of all processes, not only of their
//! own one. There, clocks are not shared and urgency is left out; with urgent locations the clauses
//! of the paper would have refutations that are no executions. DIVERGENCE [HRSY14] §4.3: for `rg` a
//! handshake is one step of both processes. The paper lets the sender go first, by a variable for
//! each channel, which lets it go on although nobody receives.

use shofar_base::{IndexVec, Span};
use shofar_chc::{ChcSystem, Clause, ClauseId, PredAtom, PredId};
use shofar_term::{Sort, Term, TermStore};

use super::moves::Move;
use super::network::Network;
use super::query::{Quantity, Query};
use super::state::TIME;
use crate::names::rename_functions;

/// How a network becomes clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Product,
    OwickiGries,
    RelyGuarantee,
}

/// What a clause stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Start,
    Delay,
    /// A move, by its number.
    Move(usize),
    /// A move of others, which the second premise has.
    Environment,
    /// A state that is looked for.
    Goal,
    /// A move after which a value would be out of its range.
    Fault(usize),
}

/// Clauses, and what they stand for.
#[derive(Clone, Debug, Default)]
pub(super) struct Clauses {
    pub(super) system: ChcSystem,
    pub(super) steps: IndexVec<ClauseId, Step>,
}

impl Clauses {
    pub(super) fn add(
        &mut self,
        step: Step,
        head: Option<PredAtom>,
        body: Vec<PredAtom>,
        constraint: Term,
        span: Span,
    ) {
        self.system.add_clause(Clause { head, body, constraint, span: Some(span) });
        self.steps.push(step);
    }
}

/// What predicates are about: the time and some slots of the state.
pub(super) struct Encoder<'n> {
    pub(super) network: &'n Network,
    pub(super) moves: &'n [Move],
    pub(super) later: Term,
    pub(super) clauses: Clauses,
}

impl<'n> Encoder<'n> {
    pub(super) fn new(store: &mut TermStore, network: &'n Network, moves: &'n [Move]) -> Self {
        let later = store.var(&format!("{TIME}later"), network.state.time_sort);
        Self { network, moves, later, clauses: Clauses::default() }
    }
    /// The clauses without those of a query; and the predicates that are about reachable states.
    pub(super) fn encode(&mut self, store: &mut TermStore, encoding: Encoding) -> Vec<PredId> {
        match encoding {
            Encoding::Product => vec![self.product(store)],
            Encoding::OwickiGries => self.owicki_gries(store),
            Encoding::RelyGuarantee => self.rely_guarantee(store),
        }
    }
    fn product(&mut self, store: &mut TermStore) -> PredId {
        let reachable = self.declare(store, "reachable", &[""]);
        let everybody = self.everybody();
        self.start(store, reachable, 0);
        let delay = self.network.delay(store, &everybody, self.later);
        let span = self.place(0);
        self.wait(reachable, delay, span);
        for (number, step) in self.moves.iter().enumerate() {
            let (before, after) = (self.now(reachable), self.next(reachable, step));
            self.step(number, after, vec![before]);
        }
        reachable
    }
    fn owicki_gries(&mut self, store: &mut TermStore) -> Vec<PredId> {
        let own = self.own(store);
        for (number, step) in self.moves.iter().enumerate() {
            for (process, &pred) in own.iter().enumerate() {
                let mut body = vec![self.now(pred)];
                let others = step.parts.iter().filter(|(part, _)| *part != process);
                body.extend(others.map(|&(part, _)| self.now(own[part])));
                let after = self.next(pred, step);
                self.step(number, after, body);
            }
        }
        own
    }
    fn rely_guarantee(&mut self, store: &mut TermStore) -> Vec<PredId> {
        let own = self.own(store);
        let environments: Vec<PredId> = (0..own.len())
            .map(|process| {
                let name = format!("{}/environment", self.network.processes[process].name);
                self.declare(store, &name, &["", "@next"])
            })
            .collect();
        for (number, step) in self.moves.iter().enumerate() {
            for process in 0..own.len() {
                let mut body: Vec<PredAtom> =
                    step.parts.iter().map(|&(part, _)| self.now(own[part])).collect();
                if let Some(at) = step.parts.iter().position(|&(part, _)| part == process) {
                    body.swap(0, at);
                    let after = self.next(own[process], step);
                    self.step(number, after, body);
                } else {
                    let mut pair = self.now(environments[process]);
                    pair.args.extend(&step.next);
                    self.step(number, pair, body);
                }
            }
        }
        for (process, &pred) in own.iter().enumerate() {
            self.rely(store, process, pred, environments[process]);
        }
        own
    }
    /// `Pⱼ(s') ← Pⱼ(s) ∧ Eⱼ(s, s')`, where the location of `j` stays.
    fn rely(&mut self, store: &mut TermStore, process: usize, pred: PredId, environment: PredId) {
        let slot = self.network.processes[process].slot;
        let variables = self.network.state.variables.iter().enumerate();
        let next: Vec<Term> = variables
            .map(|(at, variable)| {
                let symbol = store.name(store.symbol(variable.now).expect("it is a symbol"));
                let symbol = format!("{symbol}@next");
                if at == slot { variable.now } else { store.var(&symbol, variable.sort) }
            })
            .collect();
        let mut pair = self.now(environment);
        pair.args.extend(&next);
        let mut args = vec![self.network.state.time];
        args.extend(&next);
        let (head, before, top) = (PredAtom { pred, args }, self.now(pred), store.top());
        let span = self.place(process);
        self.clauses.add(Step::Environment, Some(head), vec![before, pair], top, span);
    }
    /// A predicate for each process, with its beginning and its delays.
    fn own(&mut self, store: &mut TermStore) -> Vec<PredId> {
        let everybody = self.everybody();
        let mut own = Vec::new();
        for process in 0..self.network.processes.len() {
            let name = self.network.processes[process].name.clone();
            let pred = self.declare(store, &name, &[""]);
            self.start(store, pred, process);
            for (delay, span) in self.network.delays_of(store, &everybody, self.later, process) {
                self.wait(pred, delay, span);
            }
            own.push(pred);
        }
        own
    }
    fn start(&mut self, store: &TermStore, pred: PredId, process: usize) {
        let state = &self.network.state;
        let mut args = vec![state.time];
        args.extend(state.variables.iter().map(|variable| variable.initial));
        let (head, span) = (Some(PredAtom { pred, args }), self.place(process));
        self.clauses.add(Step::Start, head, Vec::new(), store.top(), span);
    }
    fn wait(&mut self, pred: PredId, delay: Term, span: Span) {
        let before = self.now(pred);
        let mut after = before.clone();
        after.args[0] = self.later;
        self.clauses.add(Step::Delay, Some(after), vec![before], delay, span);
    }
    /// The clause of a move.
    fn step(&mut self, number: usize, head: PredAtom, body: Vec<PredAtom>) {
        let Move { constraint, span, .. } = self.moves[number];
        self.clauses.add(Step::Move(number), Some(head), body, constraint, span);
    }
    /// The clauses with those of a query, which is about states in all of `preds`.
    pub(super) fn ask(&self, store: &TermStore, preds: &[PredId], query: &Query) -> Clauses {
        let mut clauses = self.clauses.clone();
        let body: Vec<PredAtom> = preds.iter().map(|&pred| self.now(pred)).collect();
        for &(goal, _) in &query.cases {
            clauses.add(Step::Goal, None, body.clone(), goal, query.span);
        }
        if query.quantity == Quantity::Always {
            for (number, step) in self.moves.iter().enumerate() {
                if step.fault != store.bottom() {
                    clauses.add(Step::Fault(number), None, body.clone(), step.fault, step.span);
                }
            }
        }
        clauses
    }
    fn everybody(&self) -> Vec<usize> {
        (0..self.network.processes.len()).collect()
    }
    /// Where the beginning of a process stands.
    fn place(&self, process: usize) -> Span {
        let process = self.network.processes.get(process);
        let place = process.map(|process| process.locations[process.initial].span);
        place.unwrap_or_else(|| Span::new(0, 0))
    }
    fn now(&self, pred: PredId) -> PredAtom {
        let mut args = vec![self.network.state.time];
        args.extend(self.network.state.now());
        PredAtom { pred, args }
    }
    fn next(&self, pred: PredId, step: &Move) -> PredAtom {
        let mut args = vec![self.network.state.time];
        args.extend(&step.next);
        PredAtom { pred, args }
    }
    /// A predicate about the time, and a state for each suffix of names.
    fn declare(&mut self, store: &mut TermStore, name: &str, suffixes: &[&str]) -> PredId {
        let slots: Vec<usize> = (0..self.network.state.variables.len()).collect();
        let mut params = vec![(TIME.to_owned(), self.network.state.time_sort)];
        for suffix in suffixes {
            params.extend(named(store, self.network, &slots, suffix));
        }
        declare(store, &mut self.clauses.system, name, params)
    }
}

/// The names and sorts of the parameters for some slots.
pub(super) fn named(
    store: &TermStore,
    network: &Network,
    slots: &[usize],
    suffix: &str,
) -> Vec<(String, Sort)> {
    let of = |&slot: &usize| {
        let variable = &network.state.variables[slot];
        let symbol = store.symbol(variable.now).expect("a variable has a symbol");
        (format!("{}{suffix}", store.name(symbol)), variable.sort)
    };
    slots.iter().map(of).collect()
}

/// Declares a predicate with names for its parameters.
pub(super) fn declare(
    store: &mut TermStore,
    system: &mut ChcSystem,
    name: &str,
    params: Vec<(String, Sort)>,
) -> PredId {
    let (mut names, sorts): (Vec<String>, Vec<Sort>) = params.into_iter().unzip();
    let mut name = [name.to_owned()];
    rename_functions(&mut names);
    rename_functions(&mut name);
    let pred = system.add_pred(store.declare(&name[0], &sorts, Sort::BOOL));
    system.name_params(pred, names);
    pred
}
