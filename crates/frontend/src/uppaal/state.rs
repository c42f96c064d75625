//! What a state of a network is made of, and what names stand for.
//!
//! A state is the absolute time, and for each clock the time of its last reset, so that a clock
//! reads `time − reset` and a delay changes one number; further the values of the variables and the
//! numbers of the current locations.
//!
//! Source: [HRSY14] §3, symbols: `c` → `State::time`, `ū` → variables of the kind `Clock`, `l̄` → of
//! the kind `Location`.

use shofar_base::{Map, Set};
use shofar_term::symbols::free_symbols;
use shofar_term::{Sort, Symbol, Term, TermStore};

/// What a state is made of.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// The absolute time.
    pub(super) time: Term,
    /// The sort of times.
    pub(super) time_sort: Sort,
    pub(super) variables: Vec<Variable>,
    /// What is known of the values of symbols.
    pub(super) ranges: Map<Term, Range>,
    /// The symbols of the time and of resets.
    times: Set<Symbol>,
}

/// A part of the state; its place in [`State::variables`] is its slot.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    /// Its name in the text, with the process in front if it belongs to one.
    pub(super) name: String,
    pub(super) kind: VariableKind,
    /// The process that it belongs to.
    pub(super) owner: Option<usize>,
    pub(super) sort: Sort,
    /// The symbol for its value; of a clock the time of its last reset.
    pub(super) now: Term,
    /// Its value in the beginning.
    pub(super) initial: Term,
}

/// What a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VariableKind {
    Clock,
    Integer(Range),
    Boolean,
    /// The number of the location of the process that owns it.
    Location,
    /// The number by which an instance is told from others; it does not change.
    Identity,
}

/// The values from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) low: i64,
    pub(super) high: i64,
}

impl Range {
    /// The range of `int` without bounds.
    pub(super) const DEFAULT: Range = Range { low: -32768, high: 32767 };

    pub(super) fn contains(self, other: Range) -> bool {
        self.low <= other.low && other.high <= self.high
    }
    /// How many values there are.
    pub(super) fn size(self) -> u64 {
        if self.low > self.high { 0 } else { self.high.abs_diff(self.low).saturating_add(1) }
    }
}

impl State {
    pub(super) fn new(store: &mut TermStore, time_sort: Sort) -> Self {
        let time = store.var(TIME, time_sort);
        let times = store.symbol(time).into_iter().collect();
        Self { time, time_sort, variables: Vec::new(), ranges: Map::default(), times }
    }
    /// Adds a variable; returns its slot.
    pub(super) fn add(
        &mut self,
        store: &mut TermStore,
        name: String,
        kind: VariableKind,
        owner: Option<usize>,
        initial: Option<Term>,
    ) -> usize {
        let (symbol, sort) = match kind {
            VariableKind::Clock => (format!("{name}.reset"), self.time_sort),
            VariableKind::Boolean => (name.clone(), Sort::BOOL),
            VariableKind::Location => (format!("{name}.location"), Sort::INT),
            VariableKind::Integer(_) | VariableKind::Identity => (name.clone(), Sort::INT),
        };
        let now = store.var(&symbol, sort);
        if let VariableKind::Integer(range) = kind {
            self.ranges.insert(now, range);
        }
        if let (VariableKind::Clock, Some(symbol)) = (kind, store.symbol(now)) {
            self.times.insert(symbol);
        }
        let initial = initial.unwrap_or(match kind {
            VariableKind::Clock => self.time,
            VariableKind::Integer(range) => store.int(0_i64.clamp(range.low, range.high)),
            VariableKind::Boolean => store.bottom(),
            VariableKind::Location => store.int(0),
            VariableKind::Identity => now,
        });
        self.variables.push(Variable { name, kind, owner, sort, now, initial });
        self.variables.len() - 1
    }
    /// The symbols of all variables.
    pub(super) fn now(&self) -> Vec<Term> {
        self.variables.iter().map(|variable| variable.now).collect()
    }
    /// What the clock in this slot reads, if its last reset has this value.
    pub(super) fn reading(&self, store: &mut TermStore, reset: Term) -> Term {
        store.sub(self.time, reset)
    }
    /// Whether a term depends on the time.
    pub(super) fn mentions_time(&self, store: &TermStore, term: Term) -> bool {
        free_symbols(store, &[term]).iter().any(|symbol| self.times.contains(symbol))
    }
}

/// The name of the absolute time; no name of a text ends with a full stop.
pub(super) const TIME: &str = "time.";

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Meant {
    /// A number or a truth value, or a symbol that stands for one.
    Constant(Term),
    /// Constants, by their places.
    Table(Vec<Term>),
    /// The variable or clock in a slot.
    Variable(usize),
    /// Variables or clocks in neighbouring slots.
    Array {
        first: usize,
        length: usize,
    },
    Channel(usize),
    Channels {
        first: usize,
        length: usize,
    },
    Type(Type),
}

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Integer(Range),
    Boolean,
    Clock,
    Channel(Channel),
}

/// A kind of channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Channel {
    pub(super) is_urgent: bool,
    pub(super) is_broadcast: bool,
}

/// Names in nested scopes; inner ones hide outer ones.
#[derive(Clone, Debug)]
pub(super) struct Names {
    scopes: Vec<Map<String, Meant>>,
}

impl Names {
    pub(super) fn new() -> Self {
        Self { scopes: vec![Map::default()] }
    }
    pub(super) fn find(&self, name: &str) -> Option<&Meant> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }
    /// Whether the innermost scope has the name.
    pub(super) fn is_taken(&self, name: &str) -> bool {
        self.scopes.last().is_some_and(|scope| scope.contains_key(name))
    }
    pub(super) fn add(&mut self, name: &str, meant: Meant) {
        let scope = self.scopes.last_mut().expect("there is a global scope");
        scope.insert(name.to_owned(), meant);
    }
    pub(super) fn enter(&mut self) {
        self.scopes.push(Map::default());
    }
    /// Leaves the innermost scope, which is returned.
    pub(super) fn leave(&mut self) -> Map<String, Meant> {
        self.scopes.pop().expect("a scope that is left was entered")
    }
}
