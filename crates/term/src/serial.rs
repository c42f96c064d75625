//! Terms as bytes, to carry them from one store to another.
//!
//! The format is a magic word, the sorts that are not built in (data types group by group), the
//! declarations of the symbols, the nodes, and the roots; all lengths and references are LEB128
//! numbers. A node refers to its children by the distance back to them. Nodes come in the order of
//! their handles, which is topological, so a fresh store gives the imported terms the same relative
//! order, and with it the same canonical forms; a store with terms of its own may sort monomials
//! differently, but the meaning is the same.
//!
//! Import trusts nothing: every node goes through the canonical constructors after its sorts and
//! references are checked. Nodes that no store can contain, such as a sum inside a sum, are
//! refused, because rebuilding them could multiply the size of the input. Lengths are compared with
//! the bytes that are left before anything is allocated.

mod import;
mod sorts;
mod theories;
mod values;

use shofar_base::{Idx, Map, wire};
use shofar_num::Rational;

use crate::sort::BUILT_IN;
use crate::symbols::{applied_symbols, declared_sorts, with_parts};
use crate::visit::postorder;
use crate::{
    ArithKind, ArrayKind, BitsKind, DataKind, Kind, Quantifier, Sort, Symbol, Term, TermStore,
};

pub use import::{import, read_number};
pub use values::{read_value, write_value};

const MAGIC: &[u8; 4] = b"SHT3";

/// The first byte of a node.
mod tag {
    pub(super) const TRUE: u8 = 0;
    pub(super) const FALSE: u8 = 1;
    pub(super) const SYMBOL: u8 = 2;
    pub(super) const APP: u8 = 3;
    pub(super) const NOT: u8 = 4;
    pub(super) const AND: u8 = 5;
    pub(super) const OR: u8 = 6;
    pub(super) const IFF: u8 = 7;
    pub(super) const ITE: u8 = 8;
    pub(super) const NUMBER: u8 = 9;
    pub(super) const SUM: u8 = 10;
    pub(super) const LE: u8 = 11;
    pub(super) const LT: u8 = 12;
    pub(super) const EQ: u8 = 13;
    pub(super) const DIV: u8 = 14;
    pub(super) const MOD: u8 = 15;
    pub(super) const TO_INT: u8 = 16;
    pub(super) const SAME: u8 = 17;
    pub(super) const FORALL: u8 = 18;
    pub(super) const EXISTS: u8 = 19;
    pub(super) const SELECT: u8 = 20;
    pub(super) const STORE: u8 = 21;
    pub(super) const CONST_ARRAY: u8 = 22;
    pub(super) const CONSTRUCT: u8 = 23;
    pub(super) const FIELD: u8 = 24;
    pub(super) const IS: u8 = 25;
    pub(super) const BITS_VALUE: u8 = 26;
    pub(super) const BITS_OP: u8 = 27;
    pub(super) const OF_INT: u8 = 28;
    pub(super) const TO_NAT: u8 = 29;
}

/// `roots` and everything below them as bytes.
pub fn export(store: &TermStore, roots: &[Term]) -> Vec<u8> {
    let mut nodes = postorder(store, roots);
    nodes.sort_unstable();
    let symbols = applied_symbols(store, roots);
    let mut writer = Writer {
        store,
        out: wire::Writer::new(MAGIC),
        sorts: used_sorts(store, &symbols, &nodes),
        symbols: symbols.iter().enumerate().map(|(at, &symbol)| (symbol, at)).collect(),
        nodes: nodes.iter().enumerate().map(|(at, &term)| (term, at)).collect(),
    };
    writer.sorts();
    writer.out.length(symbols.len());
    for symbol in symbols {
        writer.declaration(symbol);
    }
    writer.out.length(nodes.len());
    for (at, &node) in nodes.iter().enumerate() {
        writer.node(at, node);
    }
    writer.out.length(roots.len());
    for root in roots {
        writer.out.length(writer.nodes[root]);
    }
    writer.out.finish()
}

/// All sorts that the symbols and nodes speak about.
fn used_sorts(store: &TermStore, symbols: &[Symbol], nodes: &[Term]) -> Vec<Sort> {
    let of_nodes = nodes.iter().map(|&node| store.sort(node));
    with_parts(store, of_nodes.chain(declared_sorts(store, symbols)))
}

/// Writes a number, short if it is a small integer.
pub fn write_number(out: &mut wire::Writer, value: &Rational) {
    if let Some(word) = value.to_i64() {
        out.byte(0);
        out.number((word.cast_unsigned() << 1) ^ (word >> 63).cast_unsigned());
    } else {
        out.byte(1);
        out.text(&value.to_string());
    }
}

struct Writer<'a> {
    store: &'a TermStore,
    out: wire::Writer,
    /// The sorts that are not built in, in order.
    sorts: Vec<Sort>,
    symbols: Map<Symbol, usize>,
    nodes: Map<Term, usize>,
}

impl Writer<'_> {
    /// The handle of a built-in sort, or the place of another one behind these.
    fn sort(&mut self, sort: Sort) {
        match self.sorts.binary_search(&sort) {
            Ok(at) => self.out.length(BUILT_IN.len() + at),
            Err(_) => self.out.length(sort.index()),
        }
    }
    /// Zero and the zigzag code of a word, or one and the text of the number.
    fn number(&mut self, value: &Rational) {
        write_number(&mut self.out, value);
    }
    fn declaration(&mut self, symbol: Symbol) {
        self.out.text(self.store.name(symbol));
        self.out.length(self.store.params(symbol).len());
        for &sort in self.store.params(symbol) {
            self.sort(sort);
        }
        self.sort(self.store.result(symbol));
    }
    fn symbol(&mut self, symbol: Symbol) {
        self.out.length(self.symbols[&symbol]);
    }
    fn child(&mut self, at: usize, child: Term) {
        self.out.length(at - self.nodes[&child]);
    }
    fn children(&mut self, at: usize, children: &[Term]) {
        for &child in children {
            self.child(at, child);
        }
    }
    fn node(&mut self, at: usize, term: Term) {
        let store = self.store;
        let kind = store.kind(term);
        self.out.byte(tag_of(kind));
        match kind {
            Kind::True | Kind::False => {}
            Kind::Symbol(symbol) => self.symbol(symbol),
            Kind::App(symbol, args) => {
                self.symbol(symbol);
                self.children(at, args);
            }
            Kind::And(parts) | Kind::Or(parts) => {
                self.out.length(parts.len());
                self.children(at, parts);
            }
            Kind::Not(_) | Kind::Iff(..) | Kind::Ite(..) | Kind::Same(..) => {
                self.children(at, store.children(term));
            }
            Kind::Quantified(_, body, bound) => {
                self.child(at, body);
                self.out.length(bound.len());
                self.children(at, bound);
            }
            Kind::Arith(kind) => self.arithmetic(at, kind, store.sort(term)),
            Kind::Array(_) => self.array(at, term),
            Kind::Data(kind) => self.data(at, kind),
            Kind::Bits(kind) => self.bits(at, kind),
        }
    }
    fn arithmetic(&mut self, at: usize, kind: ArithKind<'_>, sort: Sort) {
        match kind {
            ArithKind::Number(value) => {
                self.sort(sort);
                self.number(value);
            }
            ArithKind::Sum(sum) => {
                self.sort(sort);
                self.number(sum.constant());
                self.out.length(sum.len());
                for (coefficient, child) in sum.iter() {
                    self.number(coefficient);
                    self.child(at, child);
                }
            }
            ArithKind::Le(a, value)
            | ArithKind::Lt(a, value)
            | ArithKind::Eq(a, value)
            | ArithKind::Div(a, value)
            | ArithKind::Mod(a, value) => {
                self.child(at, a);
                self.number(value);
            }
            ArithKind::ToInt(a) => self.child(at, a),
        }
    }
}

fn tag_of(kind: Kind<'_>) -> u8 {
    match kind {
        Kind::True => tag::TRUE,
        Kind::False => tag::FALSE,
        Kind::Symbol(_) => tag::SYMBOL,
        Kind::App(..) => tag::APP,
        Kind::Not(_) => tag::NOT,
        Kind::And(_) => tag::AND,
        Kind::Or(_) => tag::OR,
        Kind::Iff(..) => tag::IFF,
        Kind::Ite(..) => tag::ITE,
        Kind::Same(..) => tag::SAME,
        Kind::Quantified(Quantifier::Forall, ..) => tag::FORALL,
        Kind::Quantified(Quantifier::Exists, ..) => tag::EXISTS,
        Kind::Arith(ArithKind::Number(_)) => tag::NUMBER,
        Kind::Arith(ArithKind::Sum(_)) => tag::SUM,
        Kind::Arith(ArithKind::Le(..)) => tag::LE,
        Kind::Arith(ArithKind::Lt(..)) => tag::LT,
        Kind::Arith(ArithKind::Eq(..)) => tag::EQ,
        Kind::Arith(ArithKind::Div(..)) => tag::DIV,
        Kind::Arith(ArithKind::Mod(..)) => tag::MOD,
        Kind::Arith(ArithKind::ToInt(_)) => tag::TO_INT,
        Kind::Array(ArrayKind::Select(..)) => tag::SELECT,
        Kind::Array(ArrayKind::Store(..)) => tag::STORE,
        Kind::Array(ArrayKind::Const(_)) => tag::CONST_ARRAY,
        Kind::Data(DataKind::Construct(..)) => tag::CONSTRUCT,
        Kind::Data(DataKind::Field(..)) => tag::FIELD,
        Kind::Data(DataKind::Is(..)) => tag::IS,
        Kind::Bits(BitsKind::Value(_)) => tag::BITS_VALUE,
        Kind::Bits(BitsKind::Op(..)) => tag::BITS_OP,
        Kind::Bits(BitsKind::OfInt(..)) => tag::OF_INT,
        Kind::Bits(BitsKind::ToNat(_)) => tag::TO_NAT,
    }
}
