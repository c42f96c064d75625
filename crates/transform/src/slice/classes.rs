//! Variables and arguments that are always equal to each other, as classes.
//!
//! Two variables of a clause are connected by a conjunct that is their equality; a variable and an
//! argument position by the occurrence of the one at the other. Such equalities are what is left of
//! a variable that occurs in several arguments when a clause is made normal.

use shofar_base::{Map, Set};
use shofar_chc::PredId;
use shofar_num::Rational;
use shofar_term::{Kind, Symbol, Term, TermStore};

use crate::reshape::Kept;

/// The two variables that `part` says are equal, if it says that and nothing else.
pub(crate) fn equal_variables(store: &TermStore, part: Term) -> Option<(Symbol, Symbol)> {
    if let Kind::Same(a, b) | Kind::Iff(a, b) = store.kind(part) {
        return Some((store.symbol(a)?, store.symbol(b)?));
    }
    let (form, bound) = store.equation(part)?;
    if !bound.is_zero() {
        return None;
    }
    let sum = store.as_sum(form)?;
    let mut monomials = sum.iter();
    let (Some((c, a)), Some((d, b)), None) = (monomials.next(), monomials.next(), monomials.next())
    else {
        return None;
    };
    let cancels = sum.constant().is_zero() && *c == Rational::ONE && *d == -Rational::ONE;
    let (a, b) = (store.symbol(a)?, store.symbol(b)?);
    (cancels && store.result(a) == store.result(b)).then_some((a, b))
}

/// A partition of numbers, of which some are marked.
#[derive(Default)]
pub(crate) struct Partition {
    parents: Vec<usize>,
    marked: Vec<bool>,
}

impl Partition {
    pub(crate) fn push(&mut self) -> usize {
        self.parents.push(self.parents.len());
        self.marked.push(false);
        self.parents.len() - 1
    }
    /// The number that stands for the class of `node`.
    pub(crate) fn find(&mut self, mut node: usize) -> usize {
        while self.parents[node] != node {
            self.parents[node] = self.parents[self.parents[node]];
            node = self.parents[node];
        }
        node
    }
    pub(crate) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parents[a] = b;
        self.marked[b] |= self.marked[a];
    }
    /// Marks the class of `node`.
    pub(crate) fn mark(&mut self, node: usize) {
        let root = self.find(node);
        self.marked[root] = true;
    }
    pub(crate) fn is_marked(&mut self, node: usize) -> bool {
        let root = self.find(node);
        self.marked[root]
    }
}

/// The classes of a system: of its argument positions, and of the variables of one clause after the
/// other.
pub(super) struct Classes {
    pub(super) partition: Partition,
    positions: Vec<usize>,
    variables: Map<Symbol, usize>,
    /// The variables of all clauses so far.
    pub(super) members: Vec<Vec<(Symbol, usize)>>,
}

impl Classes {
    pub(super) fn new(kept: &Kept) -> Self {
        let mut partition = Partition::default();
        let mut positions = Vec::new();
        for arguments in kept {
            positions.push(partition.parents.len());
            for _ in arguments {
                partition.push();
            }
        }
        Self { partition, positions, variables: Map::default(), members: Vec::new() }
    }
    /// The next clause, whose variables have nothing to do with those of the clause before.
    pub(super) fn begin(&mut self) {
        self.variables.clear();
        self.members.push(Vec::new());
    }
    /// The number of a variable of the current clause.
    pub(super) fn variable(&mut self, symbol: Symbol) -> usize {
        let (partition, members) = (&mut self.partition, &mut self.members);
        *self.variables.entry(symbol).or_insert_with(|| {
            let node = partition.push();
            members.last_mut().expect("a clause has begun").push((symbol, node));
            node
        })
    }
    /// The variable stands at an argument position.
    pub(super) fn occurs(&mut self, symbol: Symbol, pred: PredId, at: usize) {
        use shofar_base::Idx;
        let node = self.variable(symbol);
        self.partition.join(node, self.positions[pred.index()] + at);
    }
    /// The variables of classes that are not marked, clause by clause.
    pub(super) fn unmarked(&mut self) -> Vec<Set<Symbol>> {
        let partition = &mut self.partition;
        let clause = |members: &Vec<(Symbol, usize)>| {
            members.iter().filter(|(_, node)| !partition.is_marked(*node)).map(|m| m.0).collect()
        };
        self.members.iter().map(clause).collect()
    }
}
