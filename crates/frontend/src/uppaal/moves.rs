//! What a network can do: its delays, and its moves, each by the processes that take part.
//!
//! A move is a local edge, two edges that meet at a channel, or one that sends to all that can
//! receive. Guards are about the state before; the sender's assignments come first, then those of
//! receivers in the order of the system; the invariants of all locations hold afterwards. If some
//! process is in a committed location, one that takes part is.
//!
//! Time passes while all invariants hold at the end of the delay (they are upper bounds, so they
//! have held before), no process is in an urgent or committed location, and no two edges could meet
//! at an urgent channel. As in UPPAAL, whether edges can meet is a matter of their guards, not of
//! the invariants behind them.
//!
//! Everything here is exact about the processes in `present`; those that are not there put no
//! restriction on others.
//!
//! Source: [BDL04] §2. DIVERGENCE [HRSY14] §3: there a receiver's guard is looked at after the
//! sender's resets, which is not what UPPAAL does.

use shofar_base::{Diagnostic, Map, Span};
use shofar_term::substitute::substitute;
use shofar_term::{Term, TermStore};

use super::draft::Urgency;
use super::label::after;
use super::network::{Direction, Edge, Location, Network, Process};
use super::reading::equals;
use super::state::VariableKind;
use super::{MOST_ARGUMENTS, MOST_MOVES};

/// A step of some processes.
#[derive(Debug)]
pub(super) struct Move {
    /// The processes with their edges, the sender first.
    pub(super) parts: Vec<(usize, usize)>,
    /// When it can be done, values being in their ranges.
    pub(super) constraint: Term,
    /// When it could be done, but a value would leave its range.
    pub(super) fault: Term,
    /// The state afterwards, by slots.
    pub(super) next: Vec<Term>,
    pub(super) span: Span,
}

impl Move {
    pub(super) fn involves(&self, process: usize) -> bool {
        self.parts.iter().any(|&(part, _)| part == process)
    }
}

impl Network {
    fn location_is(&self, store: &mut TermStore, process: usize, location: usize) -> Term {
        let slot = self.state.variables[self.processes[process].slot].now;
        equals(store, slot, location)
    }
    /// The symbols by which instances are told apart.
    pub(super) fn identities(&self) -> Vec<Term> {
        let of_kind = |kind| self.state.variables.iter().filter(move |v| v.kind == kind);
        of_kind(VariableKind::Identity).map(|variable| variable.now).collect()
    }
    /// For each channel the edges that send or receive there.
    fn edges(&self, present: &[usize], direction: Direction) -> Vec<Vec<(usize, usize)>> {
        let mut edges = vec![Vec::new(); self.channels.len()];
        for &process in present {
            for (number, edge) in self.processes[process].edges.iter().enumerate() {
                if let Some(sync) = edge.sync.filter(|sync| sync.direction == direction) {
                    edges[sync.channel].push((process, number));
                }
            }
        }
        edges
    }
    fn edge(&self, (process, edge): (usize, usize)) -> &Edge {
        &self.processes[process].edges[edge]
    }
    /// All moves of the processes that are present.
    pub(super) fn moves(
        &self,
        store: &mut TermStore,
        present: &[usize],
    ) -> Result<Vec<Move>, Diagnostic> {
        let mut moves = Vec::new();
        let receivers = self.edges(present, Direction::Receive);
        let constrained: usize =
            present.iter().map(|&process| self.processes[process].constrained.len()).sum();
        for &process in present {
            for (number, edge) in self.processes[process].edges.iter().enumerate() {
                let own = (process, number);
                if moves.len() > MOST_MOVES || moves.len() * constrained > MOST_ARGUMENTS {
                    return Err(Diagnostic::new(edge.span, "there are too many moves"));
                }
                let Some(sync) = edge.sync else {
                    moves.extend(self.joint(store, present, &[own], &[]));
                    continue;
                };
                if sync.direction == Direction::Receive {
                    continue;
                }
                let others = receivers[sync.channel].iter().copied();
                let others: Vec<_> = others.filter(|(other, _)| *other != process).collect();
                if self.channels[sync.channel].1.is_broadcast {
                    self.broadcasts(store, present, own, &others, &mut moves)?;
                } else {
                    for other in others {
                        moves.extend(self.joint(store, present, &[own, other], &[]));
                    }
                }
            }
        }
        Ok(moves)
    }
    /// The moves in which one process sends to all that can receive.
    fn broadcasts(
        &self,
        store: &mut TermStore,
        present: &[usize],
        sender: (usize, usize),
        receivers: &[(usize, usize)],
        moves: &mut Vec<Move>,
    ) -> Result<(), Diagnostic> {
        let mut choices = vec![(vec![sender], Vec::new())];
        for &process in present {
            let own: Vec<_> = receivers.iter().copied().filter(|(at, _)| *at == process).collect();
            if own.is_empty() {
                continue;
            }
            if choices.len().saturating_mul(own.len() + 1) > MOST_MOVES {
                let message = "there are too many ways to receive this";
                return Err(Diagnostic::new(self.edge(sender).span, message));
            }
            let mut longer = Vec::new();
            for (taken, left) in choices {
                for &edge in &own {
                    longer.push(([taken.as_slice(), &[edge]].concat(), left.clone()));
                }
                longer.push((taken, [left.as_slice(), &own].concat()));
            }
            choices = longer;
        }
        for (taken, left) in choices {
            moves.extend(self.joint(store, present, &taken, &left));
        }
        Ok(())
    }
    /// When an edge can be taken, as far as its process and its guard are concerned.
    fn enabled(&self, store: &mut TermStore, part: (usize, usize)) -> Term {
        let edge = self.edge(part);
        let here = self.location_is(store, part.0, edge.source);
        store.and(&[here, edge.guard])
    }
    /// The move of these edges, while those in `left` cannot be taken; none if it is never
    /// possible.
    fn joint(
        &self,
        store: &mut TermStore,
        present: &[usize],
        parts: &[(usize, usize)],
        left: &[(usize, usize)],
    ) -> Option<Move> {
        let mut conditions = Vec::new();
        for &part in parts {
            conditions.push(self.enabled(store, part));
        }
        for &part in left {
            let enabled = self.enabled(store, part);
            conditions.push(store.not(enabled));
        }
        conditions.push(self.commitment(store, present, parts));
        let (mut next, mut checks) = (self.state.now(), Vec::new());
        for &part in parts {
            let edge = self.edge(part);
            checks.extend(after(store, &self.state, &next, &edge.checks));
            let values: Vec<Term> = edge.effect.iter().map(|&(_, value)| value).collect();
            let values = after(store, &self.state, &next, &values);
            for (&(slot, _), value) in edge.effect.iter().zip(values) {
                next[slot] = value;
            }
        }
        for &part in parts {
            let target = i64::try_from(self.edge(part).target).unwrap_or(i64::MAX);
            next[self.processes[part.0].slot] = store.int(target);
        }
        let possible = store.and(&conditions);
        let in_range = store.and(&checks);
        let out_of_range = store.not(in_range);
        let fault = store.and(&[possible, out_of_range]);
        let invariants = self.invariants_after(store, present, parts, &next);
        let constraint = store.and(&[possible, in_range, invariants]);
        if constraint == store.bottom() && fault == store.bottom() {
            return None;
        }
        let span = self.edge(parts[0]).span;
        Some(Move { parts: parts.to_vec(), constraint, fault, next, span })
    }
    /// That no process is in a committed location, unless one that takes part is.
    fn commitment(
        &self,
        store: &mut TermStore,
        present: &[usize],
        parts: &[(usize, usize)],
    ) -> Term {
        let source = |&(process, edge): &(usize, usize)| {
            let process = &self.processes[process];
            process.locations[process.edges[edge].source].urgency
        };
        if parts.iter().any(|part| source(part) == Urgency::Committed) {
            return store.top();
        }
        let mut free = Vec::new();
        for &process in present {
            if parts.iter().all(|&(part, _)| part != process) {
                for &location in &self.processes[process].committed {
                    let here = self.location_is(store, process, location);
                    free.push(store.not(here));
                }
            }
        }
        store.and(&free)
    }
    /// That a process is in no location in which no time may pass, location by location.
    fn unhurried(&self, store: &mut TermStore, process: usize) -> Vec<Term> {
        let mut conditions = Vec::new();
        for (number, location) in self.processes[process].locations.iter().enumerate() {
            if is_hurried(location.urgency) {
                let here = self.location_is(store, process, number);
                conditions.push(store.not(here));
            }
        }
        conditions
    }
    /// That the invariants hold after a move: those of the targets, and those of others that the
    /// move may violate.
    fn invariants_after(
        &self,
        store: &mut TermStore,
        present: &[usize],
        parts: &[(usize, usize)],
        next: &[Term],
    ) -> Term {
        let mut concerned = Vec::new();
        for &process in present {
            let part = parts.iter().find(|(part, _)| *part == process);
            for &number in &self.processes[process].constrained {
                if part.is_none_or(|&part| self.edge(part).target == number) {
                    let invariant = self.processes[process].locations[number].invariant;
                    concerned.push((process, number, part.is_some(), invariant));
                }
            }
        }
        let old: Vec<Term> = concerned.iter().map(|&(.., invariant)| invariant).collect();
        let new = after(store, &self.state, next, &old);
        let mut conditions = Vec::new();
        for ((process, number, is_target, old), new) in concerned.into_iter().zip(new) {
            if is_target {
                conditions.push(new);
            } else if new != old {
                let here = self.location_is(store, process, number);
                conditions.push(store.implies(here, new));
            }
        }
        store.and(&conditions)
    }
    /// The processes that can send or meet at an urgent channel, as formulas that say when.
    fn urgent_moves(&self, store: &mut TermStore, present: &[usize]) -> Vec<Term> {
        let mut formulas = Vec::new();
        let (senders, receivers) =
            (self.edges(present, Direction::Send), self.edges(present, Direction::Receive));
        for (channel, &(_, kind)) in self.channels.iter().enumerate() {
            if !kind.is_urgent {
                continue;
            }
            for &sender in &senders[channel] {
                let sends = self.enabled(store, sender);
                if kind.is_broadcast {
                    formulas.push(sends);
                    continue;
                }
                for &receiver in &receivers[channel] {
                    if receiver.0 != sender.0 {
                        let receives = self.enabled(store, receiver);
                        formulas.push(store.and(&[sends, receives]));
                    }
                }
            }
        }
        formulas
    }
    /// When time may pass until `later`, as far as urgency is concerned and all processes but
    /// `apart`.
    fn patience(
        &self,
        store: &mut TermStore,
        present: &[usize],
        later: Term,
        apart: Option<usize>,
    ) -> Vec<Term> {
        let mut conditions = vec![store.ge(later, self.state.time)];
        for formula in self.urgent_moves(store, present) {
            conditions.push(store.not(formula));
        }
        for &process in present.iter().filter(|&&process| Some(process) != apart) {
            conditions.extend(self.unhurried(store, process));
            for (number, _) in self.timed(process) {
                let here = self.location_is(store, process, number);
                let then = self.invariant_at(store, process, number, later);
                conditions.push(store.implies(here, then));
            }
        }
        conditions
    }
    /// The locations in which time may pass, but not for ever: those whose invariants speak of
    /// clocks.
    fn timed(&self, process: usize) -> Vec<(usize, &Location)> {
        let locations = self.processes[process].locations.iter().enumerate();
        let is_timed =
            |(_, location): &(usize, &Location)| !is_hurried(location.urgency) && location.is_timed;
        locations.filter(is_timed).collect()
    }
    fn invariant_at(
        &self,
        store: &mut TermStore,
        process: usize,
        location: usize,
        later: Term,
    ) -> Term {
        let invariant = self.processes[process].locations[location].invariant;
        let map: Map<Term, Term> = [(self.state.time, later)].into_iter().collect();
        substitute(store, &map, &[invariant])[0]
    }
    /// When time may pass until `later`: one formula.
    pub(super) fn delay(&self, store: &mut TermStore, present: &[usize], later: Term) -> Term {
        let conditions = self.patience(store, present, later, None);
        store.and(&conditions)
    }
    /// When time may pass until `later`, as one formula for each location of `own` that bounds it,
    /// and one for the others; each with a place in the text.
    pub(super) fn delays_of(
        &self,
        store: &mut TermStore,
        present: &[usize],
        later: Term,
        own: usize,
    ) -> Vec<(Term, Span)> {
        let others = self.patience(store, present, later, Some(own));
        let (mut formulas, mut rest) = (Vec::new(), others.clone());
        for (number, location) in self.timed(own) {
            let here = self.location_is(store, own, number);
            let then = self.invariant_at(store, own, number, later);
            rest.push(store.not(here));
            let all = [others.as_slice(), &[here, then]].concat();
            formulas.push((store.and(&all), location.span));
        }
        let is_free = |process: &Process| {
            let hurried = process.locations.iter().filter(|l| is_hurried(l.urgency)).count();
            hurried + formulas.len() < process.locations.len()
        };
        if is_free(&self.processes[own]) {
            rest.extend(self.unhurried(store, own));
            let process = &self.processes[own];
            formulas.push((store.and(&rest), process.locations[process.initial].span));
        }
        formulas
    }
}

fn is_hurried(urgency: Urgency) -> bool {
    match urgency {
        Urgency::Urgent | Urgency::Committed => true,
        Urgency::Normal => false,
    }
}
