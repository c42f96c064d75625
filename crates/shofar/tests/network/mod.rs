//! Small random networks of timed automata, their texts, and an explicit search through their
//! states in units of time.
//!
//! It shares nothing with the reader: what a network does is written down here once more, after
//! UPPAAL's reference.

use std::collections::BTreeSet;
use std::fmt;

use shofar_base::Rng;

/// Constants in bounds are at most this; clocks that read more are alike.
const LARGEST: u8 = 3;
/// The values of the shared variable.
const HIGHEST: u8 = 2;

/// A network of processes with one clock each, one shared variable and three channels.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    processes: Vec<Process>,
}

#[derive(Clone, Debug)]
struct Process {
    locations: Vec<Location>,
    edges: Vec<Edge>,
}

#[derive(Clone, Debug)]
struct Location {
    urgency: Urgency,
    /// A bound on the own clock, and whether it is strict.
    invariant: Option<(u8, bool)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Urgency {
    Normal,
    Urgent,
    Committed,
}

#[derive(Clone, Debug)]
struct Edge {
    source: usize,
    target: usize,
    /// A comparison of the own clock.
    clock: Option<(Comparison, u8)>,
    /// A comparison of the variable.
    data: Option<(Comparison, u8)>,
    sync: Option<(Channel, bool)>,
    resets: bool,
    update: Option<Update>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Less,
    AtMost,
    Equal,
    AtLeast,
    More,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Channel {
    Binary,
    Urgent,
    Broadcast,
}

#[derive(Clone, Copy, Debug)]
enum Update {
    Set(u8),
    /// May leave the range.
    Increase,
}

/// Locations, clocks and the variable.
type State = (Vec<usize>, Vec<u8>, u8);

impl Comparison {
    const ALL: [Comparison; 5] = [
        Comparison::Less,
        Comparison::AtMost,
        Comparison::Equal,
        Comparison::AtLeast,
        Comparison::More,
    ];
    fn holds(self, a: u8, b: u8) -> bool {
        match self {
            Comparison::Less => a < b,
            Comparison::AtMost => a <= b,
            Comparison::Equal => a == b,
            Comparison::AtLeast => a >= b,
            Comparison::More => a > b,
        }
    }
    fn sign(self) -> &'static str {
        match self {
            Comparison::Less => "<",
            Comparison::AtMost => "<=",
            Comparison::Equal => "==",
            Comparison::AtLeast => ">=",
            Comparison::More => ">",
        }
    }
    fn is_strict(self) -> bool {
        matches!(self, Comparison::Less | Comparison::More)
    }
}

impl Network {
    pub(crate) fn random(rng: &mut Rng) -> Self {
        let count = 2 + usize::from(rng.below(3) == 0);
        let closed = rng.below(2) == 0;
        let processes = (0..count).map(|_| Process::random(rng, closed)).collect();
        Self { processes }
    }
    /// Whether no bound on a clock is strict.
    pub(crate) fn is_closed(&self) -> bool {
        let closed_edge = |edge: &Edge| edge.clock.is_none_or(|(sign, _)| !sign.is_strict());
        let closed_location =
            |location: &Location| location.invariant.is_none_or(|(_, strict)| !strict);
        self.processes.iter().all(|process| {
            process.edges.iter().all(closed_edge) && process.locations.iter().all(closed_location)
        })
    }
    /// Whether the last location of the first process is reached, or a value leaves its range.
    pub(crate) fn reaches_error(&self) -> bool {
        let count = self.processes.len();
        let start: State = (vec![0; count], vec![0; count], 0);
        let mut seen = BTreeSet::from([start.clone()]);
        let mut open = vec![start];
        let error = self.processes[0].locations.len() - 1;
        while let Some(state) = open.pop() {
            if state.0[0] == error {
                return true;
            }
            let Some(next) = self.successors(&state) else { return true };
            for next in next {
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        false
    }
    /// The states one step away; none if a value leaves its range.
    fn successors(&self, state: &State) -> Option<Vec<State>> {
        let mut next = Vec::new();
        next.extend(self.delayed(state));
        for (process, automaton) in self.processes.iter().enumerate() {
            for edge in automaton.edges.iter().filter(|edge| is_enabled(state, process, edge)) {
                match edge.sync {
                    None => self.take(state, &[(process, edge)], &mut next)?,
                    Some((_, false)) => {}
                    Some((Channel::Broadcast, true)) => {
                        for parts in self.broadcasts(state, process, edge) {
                            self.take(state, &parts, &mut next)?;
                        }
                    }
                    Some((channel, true)) => {
                        for (other, partner) in self.receivers(state, process, channel) {
                            self.take(state, &[(process, edge), (other, partner)], &mut next)?;
                        }
                    }
                }
            }
        }
        Some(next)
    }
    /// The edges of others that can receive.
    fn receivers(&self, state: &State, sender: usize, channel: Channel) -> Vec<(usize, &Edge)> {
        let mut found = Vec::new();
        for (process, automaton) in self.processes.iter().enumerate() {
            let fits = |edge: &&Edge| {
                edge.sync == Some((channel, false)) && is_enabled(state, process, edge)
            };
            if process != sender {
                found.extend(automaton.edges.iter().filter(fits).map(|edge| (process, edge)));
            }
        }
        found
    }
    /// All ways in which everybody who can receive does.
    fn broadcasts<'a>(
        &'a self,
        state: &State,
        sender: usize,
        edge: &'a Edge,
    ) -> Vec<Vec<(usize, &'a Edge)>> {
        let receivers = self.receivers(state, sender, Channel::Broadcast);
        let mut ways = vec![vec![(sender, edge)]];
        for process in 0..self.processes.len() {
            let own: Vec<_> = receivers.iter().filter(|(at, _)| *at == process).collect();
            if !own.is_empty() {
                let longer = |way: &Vec<(usize, &'a Edge)>| {
                    let way = way.clone();
                    own.clone().into_iter().map(move |&part| [way.as_slice(), &[part]].concat())
                };
                ways = ways.iter().flat_map(longer).collect();
            }
        }
        ways
    }
    /// Adds the state after a move; none if a value leaves its range.
    fn take(&self, state: &State, parts: &[(usize, &Edge)], next: &mut Vec<State>) -> Option<()> {
        let is_committed = |process: usize| {
            self.processes[process].locations[state.0[process]].urgency == Urgency::Committed
        };
        let any_committed = (0..self.processes.len()).any(is_committed);
        if any_committed && !parts.iter().any(|&(process, _)| is_committed(process)) {
            return Some(());
        }
        let (mut locations, mut clocks, mut value) = state.clone();
        for &(process, edge) in parts {
            match edge.update {
                None => {}
                Some(Update::Set(number)) => value = number,
                Some(Update::Increase) => value += 1,
            }
            if value > HIGHEST {
                return None;
            }
            if edge.resets {
                clocks[process] = 0;
            }
            locations[process] = edge.target;
        }
        let after = (locations, clocks, value);
        if self.satisfies_invariants(&after) {
            next.push(after);
        }
        Some(())
    }
    fn satisfies_invariants(&self, (locations, clocks, _): &State) -> bool {
        (0..self.processes.len()).all(|process| {
            let invariant = self.processes[process].locations[locations[process]].invariant;
            invariant.is_none_or(|(bound, strict)| {
                clocks[process] < bound || !strict && clocks[process] == bound
            })
        })
    }
    /// The state a unit of time later.
    fn delayed(&self, state: &State) -> Option<State> {
        let hurried = |process: usize| {
            self.processes[process].locations[state.0[process]].urgency != Urgency::Normal
        };
        if (0..self.processes.len()).any(hurried) {
            return None;
        }
        for (process, automaton) in self.processes.iter().enumerate() {
            for edge in &automaton.edges {
                if edge.sync == Some((Channel::Urgent, true))
                    && is_enabled(state, process, edge)
                    && !self.receivers(state, process, Channel::Urgent).is_empty()
                {
                    return None;
                }
            }
        }
        let clocks = state.1.iter().map(|clock| (clock + 1).min(LARGEST + 1)).collect();
        let later = (state.0.clone(), clocks, state.2);
        self.satisfies_invariants(&later).then_some(later)
    }
}

/// Whether an edge of a process can be taken, as far as its own location and its guard are
/// concerned.
fn is_enabled((locations, clocks, value): &State, process: usize, edge: &Edge) -> bool {
    locations[process] == edge.source
        && edge.clock.is_none_or(|(sign, bound)| sign.holds(clocks[process], bound))
        && edge.data.is_none_or(|(sign, bound)| sign.holds(*value, bound))
}

impl Process {
    fn random(rng: &mut Rng, closed: bool) -> Self {
        let small = |rng: &mut Rng, below: usize| u8::try_from(rng.below(below)).unwrap();
        let count = 3 + rng.below(2);
        let mut locations = Vec::new();
        for number in 0..count {
            let urgency = match rng.below(8) {
                0 => Urgency::Urgent,
                1 => Urgency::Committed,
                _ => Urgency::Normal,
            };
            let bound = 1 + small(rng, usize::from(LARGEST));
            let strict = !closed && rng.below(3) == 0;
            let invariant = (rng.below(3) == 0).then_some((bound, strict));
            let is_first = number == 0;
            let urgency = if is_first { Urgency::Normal } else { urgency };
            locations.push(Location { urgency, invariant });
        }
        let signs = Comparison::ALL;
        let mut edges = Vec::new();
        for _ in 0..count + rng.below(4) {
            let sync = match rng.below(6) {
                0 | 1 => Some((Channel::Binary, rng.below(2) == 0)),
                2 => Some((Channel::Urgent, rng.below(2) == 0)),
                3 => Some((Channel::Broadcast, rng.below(2) == 0)),
                _ => None,
            };
            let is_urgent = matches!(sync, Some((Channel::Urgent, _)));
            let mut sign = *rng.pick(&signs);
            if closed && sign.is_strict() {
                sign = Comparison::AtLeast;
            }
            let clock = (sign, small(rng, usize::from(LARGEST) + 1));
            let data = (*rng.pick(&signs), small(rng, usize::from(HIGHEST) + 1));
            let update = match rng.below(5) {
                0 | 1 => Some(Update::Set(small(rng, usize::from(HIGHEST) + 1))),
                2 if data.0 == Comparison::Less || rng.below(4) == 0 => Some(Update::Increase),
                _ => None,
            };
            let is_increase = matches!(update, Some(Update::Increase));
            edges.push(Edge {
                source: rng.below(count),
                target: rng.below(count),
                clock: (!is_urgent && rng.below(2) == 0).then_some(clock),
                data: (is_increase || rng.below(3) == 0).then_some(data),
                sync,
                resets: rng.below(2) == 0,
                update,
            });
        }
        Self { locations, edges }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "int[0,{HIGHEST}] v;\nchan c;\nurgent chan u;\nbroadcast chan b;")?;
        for (number, process) in self.processes.iter().enumerate() {
            writeln!(f, "process P{number}() {{\n  clock x;")?;
            let last = process.locations.len() - 1;
            let name = |at: usize| {
                if number == 0 && at == last { "err".to_owned() } else { format!("l{at}") }
            };
            let mut states = Vec::new();
            for (at, location) in process.locations.iter().enumerate() {
                states.push(match location.invariant {
                    Some((bound, true)) => format!("{} {{ x < {bound} }}", name(at)),
                    Some((bound, false)) => format!("{} {{ x <= {bound} }}", name(at)),
                    None => name(at),
                });
            }
            writeln!(f, "  state {};", states.join(", "))?;
            for (word, urgency) in [("commit", Urgency::Committed), ("urgent", Urgency::Urgent)] {
                let such = |at: &usize| process.locations[*at].urgency == urgency;
                let marked: Vec<String> = (0..=last).filter(such).map(name).collect();
                if !marked.is_empty() {
                    writeln!(f, "  {word} {};", marked.join(", "))?;
                }
            }
            writeln!(f, "  init l0;")?;
            let edges: Vec<String> = process.edges.iter().map(|edge| edge.text(&name)).collect();
            writeln!(f, "  trans\n    {};\n}}", edges.join(",\n    "))?;
        }
        let names: Vec<String> = (0..self.processes.len()).map(|at| format!("P{at}")).collect();
        writeln!(f, "system {};", names.join(", "))
    }
}

impl Edge {
    fn text(&self, name: &dyn Fn(usize) -> String) -> String {
        let mut labels = Vec::new();
        let compared = |what: &str, part: Option<(Comparison, u8)>| {
            part.map(|(sign, bound)| format!("{what} {} {bound}", sign.sign()))
        };
        let guards: Vec<String> =
            [compared("x", self.clock), compared("v", self.data)].into_iter().flatten().collect();
        if !guards.is_empty() {
            labels.push(format!("guard {};", guards.join(" && ")));
        }
        if let Some((channel, sends)) = self.sync {
            let channel = match channel {
                Channel::Binary => "c",
                Channel::Urgent => "u",
                Channel::Broadcast => "b",
            };
            labels.push(format!("sync {channel}{};", if sends { "!" } else { "?" }));
        }
        let mut updates = Vec::new();
        match self.update {
            None => {}
            Some(Update::Set(number)) => updates.push(format!("v = {number}")),
            Some(Update::Increase) => updates.push("v++".to_owned()),
        }
        if self.resets {
            updates.push("x := 0".to_owned());
        }
        if !updates.is_empty() {
            labels.push(format!("assign {};", updates.join(", ")));
        }
        let labels = labels.join(" ");
        format!("{} -> {} {{ {labels} }}", name(self.source), name(self.target))
    }
}
