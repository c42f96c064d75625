//! The store of terms: an append-only arena with hash-consing.
//!
//! A node is its operator, its sort, a range of child handles in one flat vector, and a payload (a symbol, a number, or
//! where the coefficients of a sum begin). Invariant: two nodes never agree in all of these, so equality of handles is
//! equality of terms; only [`TermStore::intern`] appends nodes. Children are older than their parents, so the order of
//! handles is topological.
//!
//! The table of nodes keeps 32 bits of each hash beside the handle: it grows without looking at the nodes, and most
//! nodes that are not meant are told apart without following their handle. Small integers have fixed indices and are
//! not looked up at all.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use shofar_base::{Idx, index_type};
use shofar_num::Rational;

use crate::{Kind, Sort, Sum};

index_type!(
    /// A handle of a term in its store.
    pub struct Term
);
index_type!(
    /// A declared name with its signature.
    pub struct Symbol
);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    True,
    False,
    Symbol,
    App,
    Not,
    And,
    Or,
    Iff,
    Ite,
    Number,
    Sum,
    Le,
    Lt,
    Eq,
    Div,
    Mod,
    ToInt,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    op: Op,
    sort: Sort,
    start: u32,
    len: u32,
    payload: u32,
}

/// A node in the table: its short hash and its handle.
#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u32,
    id: u32,
}

#[derive(Clone, Debug)]
struct Declaration {
    name: Box<str>,
    params: Box<[Sort]>,
    result: Sort,
}

/// Owner of all terms; see the [crate] documentation.
#[derive(Clone, Debug)]
pub struct TermStore {
    nodes: Vec<Node>,
    args: Vec<Term>,
    coefficients: Vec<u32>,
    table: HashTable<Entry>,
    numbers: Vec<Rational>,
    number_table: HashTable<u32>,
    symbols: Vec<Declaration>,
    symbol_table: HashTable<u32>,
    fresh: u32,
    top: Term,
    bottom: Term,
}

impl Default for TermStore {
    fn default() -> Self {
        Self::new()
    }
}

fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The half of a hash that is kept.
fn shorten(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// A hash for the table from the half that is kept; multiplication carries its bits into all positions.
fn lengthen(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Integers from here on have fixed indices.
const LEAST_SMALL: i64 = -128;
/// Integers below this have fixed indices.
const SMALL_END: i64 = 1024;

fn position(length: usize) -> u32 {
    u32::try_from(length).expect("fewer than 2^32 entries in a term store")
}

impl TermStore {
    /// An empty store.
    pub fn new() -> Self {
        let mut store = Self {
            nodes: Vec::new(),
            args: Vec::new(),
            coefficients: Vec::new(),
            table: HashTable::new(),
            numbers: (LEAST_SMALL..SMALL_END).map(Rational::from).collect(),
            number_table: HashTable::new(),
            symbols: Vec::new(),
            symbol_table: HashTable::new(),
            fresh: 0,
            top: Term::from_index(0),
            bottom: Term::from_index(1),
        };
        store.top = store.intern(Op::True, Sort::Bool, &[], 0);
        store.bottom = store.intern(Op::False, Sort::Bool, &[], 0);
        store
    }
    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    /// Never: truth and falsity are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
    /// Truth.
    pub fn top(&self) -> Term {
        self.top
    }
    /// Falsity.
    pub fn bottom(&self) -> Term {
        self.bottom
    }
    /// The sort of `term`.
    #[inline]
    pub fn sort(&self, term: Term) -> Sort {
        self.nodes[term.index()].sort
    }
    /// The direct subterms of `term`; for an atom its form, for a sum the terms of its monomials.
    #[inline]
    pub fn children(&self, term: Term) -> &[Term] {
        let node = self.nodes[term.index()];
        &self.args[node.start as usize..(node.start + node.len) as usize]
    }
    /// `term` taken apart.
    pub fn kind(&self, term: Term) -> Kind<'_> {
        let node = self.nodes[term.index()];
        let args = self.children(term);
        match node.op {
            Op::True => Kind::True,
            Op::False => Kind::False,
            Op::Symbol => Kind::Symbol(Symbol::from_index(node.payload as usize)),
            Op::App => Kind::App(Symbol::from_index(node.payload as usize), args),
            Op::Not => Kind::Not(args[0]),
            Op::And => Kind::And(args),
            Op::Or => Kind::Or(args),
            Op::Iff => Kind::Iff(args[0], args[1]),
            Op::Ite => Kind::Ite(args[0], args[1], args[2]),
            Op::Number => Kind::Number(self.payload_number(node)),
            Op::Sum => Kind::Sum(self.sum_view(node, args)),
            Op::Le => Kind::Le(args[0], self.payload_number(node)),
            Op::Lt => Kind::Lt(args[0], self.payload_number(node)),
            Op::Eq => Kind::Eq(args[0], self.payload_number(node)),
            Op::Div => Kind::Div(args[0], self.payload_number(node)),
            Op::Mod => Kind::Mod(args[0], self.payload_number(node)),
            Op::ToInt => Kind::ToInt(args[0]),
        }
    }
    fn payload_number(&self, node: Node) -> &Rational {
        &self.numbers[node.payload as usize]
    }
    fn sum_view<'a>(&'a self, node: Node, terms: &'a [Term]) -> Sum<'a> {
        let begin = node.payload as usize;
        Sum {
            numbers: &self.numbers,
            constant: self.coefficients[begin],
            coefficients: &self.coefficients[begin + 1..=begin + terms.len()],
            terms,
        }
    }

    /// The one handle for this node.
    pub(crate) fn intern(&mut self, op: Op, sort: Sort, args: &[Term], payload: u32) -> Term {
        let hash = shorten(hash_of((op, sort, args, payload)));
        let (nodes, all_args) = (&self.nodes, &self.args);
        let same = |entry: &Entry| {
            let node = &nodes[entry.id as usize];
            entry.hash == hash
                && node.op == op
                && node.sort == sort
                && node.payload == payload
                && args_of(node, all_args) == args
        };
        if let Some(entry) = self.table.find(lengthen(hash), same) {
            return Term::from_index(entry.id as usize);
        }
        self.append(op, sort, args, payload, hash)
    }
    /// The one handle for a sum; `numbers` holds the constant, then the coefficients.
    pub(crate) fn intern_sum(&mut self, sort: Sort, terms: &[Term], numbers: &[u32]) -> Term {
        let hash = shorten(hash_of((Op::Sum, sort, terms, numbers)));
        let (nodes, all_args, all) = (&self.nodes, &self.args, &self.coefficients);
        let same = |entry: &Entry| {
            let node = &nodes[entry.id as usize];
            entry.hash == hash
                && node.op == Op::Sum
                && node.sort == sort
                && args_of(node, all_args) == terms
                && all[node.payload as usize..][..numbers.len()] == *numbers
        };
        if let Some(entry) = self.table.find(lengthen(hash), same) {
            return Term::from_index(entry.id as usize);
        }
        let payload = position(self.coefficients.len());
        self.coefficients.extend_from_slice(numbers);
        self.append(Op::Sum, sort, terms, payload, hash)
    }
    fn append(&mut self, op: Op, sort: Sort, args: &[Term], payload: u32, hash: u32) -> Term {
        let id = position(self.nodes.len());
        let start = position(self.args.len());
        self.args.extend_from_slice(args);
        self.nodes.push(Node { op, sort, start, len: position(args.len()), payload });
        self.table.insert_unique(lengthen(hash), Entry { hash, id }, |entry| lengthen(entry.hash));
        Term::from_index(id as usize)
    }
    /// The one index of this number.
    pub(crate) fn intern_number(&mut self, number: &Rational) -> u32 {
        if let Some(value) = number.to_i64()
            && (LEAST_SMALL..SMALL_END).contains(&value)
        {
            return u32::try_from(value - LEAST_SMALL).expect("small integers have small indices");
        }
        let hash = hash_of(number);
        let numbers = &self.numbers;
        if let Some(&id) = self.number_table.find(hash, |&id| numbers[id as usize] == *number) {
            return id;
        }
        let id = position(self.numbers.len());
        self.numbers.push(number.clone());
        let numbers = &self.numbers;
        self.number_table.insert_unique(hash, id, |&id| hash_of(&numbers[id as usize]));
        id
    }

    /// The symbol of this name and signature; the same name and signature always give the same symbol.
    pub fn declare(&mut self, name: &str, params: &[Sort], result: Sort) -> Symbol {
        let hash = hash_of((name, params, result));
        let symbols = &self.symbols;
        let same = |&id: &u32| {
            let known: &Declaration = &symbols[id as usize];
            *known.name == *name && *known.params == *params && known.result == result
        };
        if let Some(&id) = self.symbol_table.find(hash, same) {
            return Symbol::from_index(id as usize);
        }
        let id = position(self.symbols.len());
        self.symbols.push(Declaration { name: name.into(), params: params.into(), result });
        let symbols = &self.symbols;
        self.symbol_table.insert_unique(hash, id, |&id| {
            let known = &symbols[id as usize];
            hash_of((&*known.name, &*known.params, known.result))
        });
        Symbol::from_index(id as usize)
    }
    /// A constant with a name that nobody has used yet.
    pub fn fresh(&mut self, prefix: &str, sort: Sort) -> Symbol {
        loop {
            let before = self.symbols.len();
            let symbol = self.declare(&format!("{prefix}!{}", self.fresh), &[], sort);
            self.fresh += 1;
            if self.symbols.len() > before {
                return symbol;
            }
        }
    }
    /// The name of `symbol`, unquoted.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.symbols[symbol.index()].name
    }
    /// The sorts of the arguments of `symbol`.
    pub fn params(&self, symbol: Symbol) -> &[Sort] {
        &self.symbols[symbol.index()].params
    }
    /// The sort of what `symbol` yields.
    pub fn result(&self, symbol: Symbol) -> Sort {
        self.symbols[symbol.index()].result
    }
    /// The declared constant `symbol` as a term.
    pub fn constant(&mut self, symbol: Symbol) -> Term {
        assert!(self.params(symbol).is_empty(), "a constant has no arguments");
        let sort = self.result(symbol);
        self.intern(Op::Symbol, sort, &[], position(symbol.index()))
    }
    /// `symbol` applied to `args`, whose sorts are those of its signature.
    pub fn app(&mut self, symbol: Symbol, args: &[Term]) -> Term {
        if args.is_empty() {
            return self.constant(symbol);
        }
        debug_assert!(args.iter().map(|&a| self.sort(a)).eq(self.params(symbol).iter().copied()));
        let sort = self.result(symbol);
        self.intern(Op::App, sort, args, position(symbol.index()))
    }
    /// The constant `name` of `sort`, declared if need be.
    pub fn var(&mut self, name: &str, sort: Sort) -> Term {
        let symbol = self.declare(name, &[], sort);
        self.constant(symbol)
    }
    pub(crate) fn op(&self, term: Term) -> Op {
        self.nodes[term.index()].op
    }
}

fn args_of<'a>(node: &Node, args: &'a [Term]) -> &'a [Term] {
    &args[node.start as usize..(node.start + node.len) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_are_one_handle() {
        let mut store = TermStore::new();
        let (x, y) = (store.var("x", Sort::Bool), store.var("y", Sort::Bool));
        assert_eq!(store.and(&[x, y]), store.and(&[y, x]));
        assert_ne!(store.and(&[x, y]), store.or(&[x, y]));
        assert_eq!(store.var("x", Sort::Bool), x);
        assert_ne!(store.var("x", Sort::Int), x);
    }

    #[test]
    fn small_integers_keep_their_fixed_index() {
        let mut store = TermStore::new();
        for value in [LEAST_SMALL - 1, LEAST_SMALL, -1, 0, 1, SMALL_END - 1, SMALL_END] {
            let number = Rational::from(value);
            let id = store.intern_number(&number);
            assert_eq!(store.numbers[id as usize], number);
            assert_eq!(store.intern_number(&number), id);
        }
        assert_eq!(store.numbers.len(), usize::try_from(SMALL_END - LEAST_SMALL + 2).unwrap());
        let half = Rational::new(1, 2);
        let id = store.intern_number(&half);
        assert_eq!(store.numbers[id as usize], half);
    }

    #[test]
    fn a_fresh_name_avoids_declared_ones() {
        let mut store = TermStore::new();
        let taken = store.declare("k!0", &[], Sort::Int);
        assert_ne!(store.fresh("k", Sort::Int), taken);
    }
}
