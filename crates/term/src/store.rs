//! The store of terms: an append-only arena with hash-consing.
//!
//! A node is its operator, its sort, its child handles, and a payload (a symbol, a number, or where
//! the coefficients of a sum begin). Invariant: two nodes never agree in all of these, so equality
//! of handles is equality of terms; only [`TermStore::intern`] and its kin append nodes. Children
//! are older than their parents, so the order of handles is topological.
//!
//! Looking a node up waits for memory more than for anything else. Therefore one or two children
//! lie in the node itself and only longer lists in one flat vector, and the table of nodes answers
//! with one access. Small integers, which have fixed indices, negations and the first atom about a
//! form, which their arguments know, and constants, which their symbols know, are not looked up at
//! all.

mod intern;
mod kinds;

use std::hash::{Hash, Hasher};
use std::num::NonZeroU32;

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use shofar_base::{HandleTable, Idx, index_type};
use shofar_num::{Bits, Rational};

pub(crate) use kinds::encode;

use crate::data::DataTables;
use crate::sort::{SortEntry, SortFacts};
use crate::value::ELEMENT;
use crate::{ArithKind, Kind, Quantifier, Sort, Sum};

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
    Same,
    Forall,
    Exists,
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
    Select,
    Store,
    ConstArray,
    Construct,
    Field,
    Is,
    BitsValue,
    BitsOfInt,
    BitsToNat,
    BitsNot,
    BitsAnd,
    BitsOr,
    BitsXor,
    BitsAdd,
    BitsMul,
    BitsUdiv,
    BitsUrem,
    BitsSdiv,
    BitsSrem,
    BitsSmod,
    BitsShl,
    BitsLshr,
    BitsAshr,
    BitsConcat,
    BitsExtract,
    BitsSignExtend,
    BitsZeroExtend,
    BitsUle,
    BitsSle,
}

impl Op {
    /// Whether nodes with it are in the table of sums, numbers and atoms.
    #[inline]
    fn is_arithmetic(self) -> bool {
        matches!(self, Op::Sum | Op::Number | Op::Le | Op::Lt | Op::Eq)
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    op: Op,
    arity: Arity,
    sort: Sort,
    payload: u32,
    /// The children, if there are at most two; otherwise, as bare numbers, where in the flat
    /// vector they begin and how many they are.
    args: [Term; 2],
    /// The index of the negation of a formula, or of the first atom about a form, if it has been
    /// made; the first terms are truth values and neither.
    dependent: Option<NonZeroU32>,
}

/// How many children a node has.
#[derive(Clone, Copy, Debug)]
enum Arity {
    None,
    One,
    Two,
    /// As many as the node says, in the flat vector.
    Many,
}

impl Node {
    #[inline]
    fn args<'a>(&'a self, all: &'a [Term]) -> &'a [Term] {
        let [first, second] = self.args;
        match self.arity {
            Arity::None => &[],
            Arity::One => &self.args[..1],
            Arity::Two => &self.args,
            Arity::Many => &all[first.index()..][..second.index()],
        }
    }
}

#[derive(Clone, Debug)]
struct Declaration {
    name: Box<str>,
    params: Box<[Sort]>,
    result: Sort,
    /// The index of the term, once there is one, if there are no parameters.
    constant: Option<NonZeroU32>,
}

/// Owner of all terms; see the [crate] documentation.
#[derive(Clone, Debug)]
pub struct TermStore {
    nodes: Vec<Node>,
    args: Vec<Term>,
    /// Lists of indices of numbers, each behind its length.
    coefficients: Vec<u32>,
    coefficient_table: HandleTable,
    /// Where the coefficients of a difference lie: 0, 1, -1.
    difference: u32,
    /// Sums, numbers and atoms, apart from all else: they recur more often, and so lie closer
    /// together.
    arithmetic_table: HandleTable,
    table: HandleTable,
    numbers: Vec<Rational>,
    number_table: HashTable<u32>,
    symbols: Vec<Declaration>,
    /// The names of symbols that look like those of elements of sorts.
    pub(crate) names_like_elements: Vec<Box<str>>,
    symbol_table: HashTable<u32>,
    /// The sorts that are not built in.
    pub(crate) sorts: Vec<SortEntry>,
    pub(crate) sort_facts: Vec<SortFacts>,
    pub(crate) sort_table: HashTable<u32>,
    pub(crate) data: DataTables,
    bits: Vec<Bits>,
    bits_table: HashTable<u32>,
    fresh: u32,
    /// Whether connectives of formulas are kept as they are written.
    pub(crate) is_literal: bool,
    top: Term,
    bottom: Term,
}

impl Default for TermStore {
    fn default() -> Self {
        Self::new()
    }
}

pub(crate) fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Integers from here on have fixed indices.
const LEAST_SMALL: i64 = -128;
/// Integers below this have fixed indices.
const SMALL_END: i64 = 1024;

pub(crate) fn position(length: usize) -> u32 {
    u32::try_from(length).expect("fewer than 2^32 entries in a term store")
}

impl TermStore {
    /// Prepares for so many more terms, which need not come.
    pub fn reserve(&mut self, terms: usize) {
        self.nodes.reserve(terms);
        self.args.reserve(terms);
    }
    /// An empty store.
    pub fn new() -> Self {
        let mut store = Self {
            nodes: Vec::new(),
            args: Vec::new(),
            coefficients: Vec::new(),
            coefficient_table: HandleTable::default(),
            difference: 0,
            arithmetic_table: HandleTable::default(),
            table: HandleTable::default(),
            numbers: (LEAST_SMALL..SMALL_END).map(Rational::from).collect(),
            number_table: HashTable::new(),
            symbols: Vec::new(),
            names_like_elements: Vec::new(),
            symbol_table: HashTable::new(),
            sorts: Vec::new(),
            sort_facts: Vec::new(),
            sort_table: HashTable::new(),
            data: DataTables::default(),
            bits: Vec::new(),
            bits_table: HashTable::new(),
            fresh: 0,
            is_literal: false,
            top: Term::from_index(0),
            bottom: Term::from_index(1),
        };
        let numbers = [0, 1, -1].map(|number| store.intern_number(&Rational::from(number)));
        store.difference = store.intern_coefficients(&numbers);
        store.top = store.intern(Op::True, Sort::BOOL, &[], 0);
        store.bottom = store.intern(Op::False, Sort::BOOL, &[], 0);
        store
    }
    /// From now on, `∧`, `∨`, `↔` and `ite` of formulas keep their parts in the order in which they
    /// are given, repeated ones and truth values included: for those who have to know what was
    /// written. Solvers want the usual forms.
    pub fn keep_connectives(&mut self) {
        self.is_literal = true;
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
        self.nodes[term.index()].args(&self.args)
    }
    /// `term` taken apart.
    pub fn kind(&self, term: Term) -> Kind<'_> {
        let node = &self.nodes[term.index()];
        let args = node.args(&self.args);
        let arith = match node.op {
            Op::True => return Kind::True,
            Op::False => return Kind::False,
            Op::Symbol => return Kind::Symbol(Symbol::from_index(node.payload as usize)),
            Op::Not => return Kind::Not(args[0]),
            Op::And => return Kind::And(args),
            Op::Or => return Kind::Or(args),
            Op::Iff => return Kind::Iff(args[0], args[1]),
            Op::Ite => return Kind::Ite(args[0], args[1], args[2]),
            Op::Same => return Kind::Same(args[0], args[1]),
            Op::App => return Kind::App(Symbol::from_index(node.payload as usize), args),
            Op::Forall => return Kind::Quantified(Quantifier::Forall, args[0], &args[1..]),
            Op::Exists => return Kind::Quantified(Quantifier::Exists, args[0], &args[1..]),
            Op::Number => ArithKind::Number(self.payload_number(node)),
            Op::Sum => ArithKind::Sum(self.sum_view(node, args)),
            Op::Le => ArithKind::Le(args[0], self.payload_number(node)),
            Op::Lt => ArithKind::Lt(args[0], self.payload_number(node)),
            Op::Eq => ArithKind::Eq(args[0], self.payload_number(node)),
            Op::Div => ArithKind::Div(args[0], self.payload_number(node)),
            Op::Mod => ArithKind::Mod(args[0], self.payload_number(node)),
            Op::ToInt => ArithKind::ToInt(args[0]),
            Op::Select
            | Op::Store
            | Op::ConstArray
            | Op::Construct
            | Op::Field
            | Op::Is
            | Op::BitsValue
            | Op::BitsOfInt
            | Op::BitsToNat
            | Op::BitsNot
            | Op::BitsAnd
            | Op::BitsOr
            | Op::BitsXor
            | Op::BitsAdd
            | Op::BitsMul
            | Op::BitsUdiv
            | Op::BitsUrem
            | Op::BitsSdiv
            | Op::BitsSrem
            | Op::BitsSmod
            | Op::BitsShl
            | Op::BitsLshr
            | Op::BitsAshr
            | Op::BitsConcat
            | Op::BitsExtract
            | Op::BitsSignExtend
            | Op::BitsZeroExtend
            | Op::BitsUle
            | Op::BitsSle => return self.theory_kind(node, args),
        };
        Kind::Arith(arith)
    }
    /// The one index of this bit-vector.
    pub(crate) fn intern_bits(&mut self, value: &Bits) -> u32 {
        let hash = hash_of(value);
        let known = &self.bits;
        if let Some(&id) = self.bits_table.find(hash, |&id| known[id as usize] == *value) {
            return id;
        }
        let id = position(self.bits.len());
        self.bits.push(value.clone());
        let known = &self.bits;
        self.bits_table.insert_unique(hash, id, |&id| hash_of(&known[id as usize]));
        id
    }
    fn payload_number(&self, node: &Node) -> &Rational {
        &self.numbers[node.payload as usize]
    }
    fn sum_view<'a>(&'a self, node: &Node, terms: &'a [Term]) -> Sum<'a> {
        let begin = node.payload as usize;
        Sum {
            numbers: &self.numbers,
            constant: self.coefficients[begin],
            coefficients: &self.coefficients[begin + 1..=begin + terms.len()],
            terms,
        }
    }

    /// The symbol of this name and signature; the same name and signature always give the same
    /// symbol.
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
        if name.contains(ELEMENT) {
            self.names_like_elements.push(name.into());
        }
        let (name, params) = (name.into(), params.into());
        self.symbols.push(Declaration { name, params, result, constant: None });
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
    /// How many symbols there are.
    pub fn symbol_count(&self) -> usize {
        self.symbols.len()
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
        let declaration = &self.symbols[symbol.index()];
        if let Some(id) = declaration.constant {
            return Term::from_index(id.get() as usize);
        }
        assert!(declaration.params.is_empty(), "a constant has no arguments");
        let term = self.push(Op::Symbol, declaration.result, &[], position(symbol.index()));
        self.symbols[symbol.index()].constant = NonZeroU32::new(position(term.index()));
        term
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
    /// The constant that `term` is, or the function or predicate that it applies.
    #[inline]
    pub(crate) fn head_symbol(&self, term: Term) -> Option<Symbol> {
        let node = &self.nodes[term.index()];
        matches!(node.op, Op::Symbol | Op::App).then(|| Symbol::from_index(node.payload as usize))
    }
    #[inline]
    pub(crate) fn op(&self, term: Term) -> Op {
        self.nodes[term.index()].op
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_are_one_handle() {
        let mut store = TermStore::new();
        let (x, y) = (store.var("x", Sort::BOOL), store.var("y", Sort::BOOL));
        assert_eq!(store.and(&[x, y]), store.and(&[y, x]));
        assert_ne!(store.and(&[x, y]), store.or(&[x, y]));
        assert_eq!(store.var("x", Sort::BOOL), x);
        assert_ne!(store.var("x", Sort::INT), x);
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
        let taken = store.declare("k!0", &[], Sort::INT);
        assert_ne!(store.fresh("k", Sort::INT), taken);
    }
}
