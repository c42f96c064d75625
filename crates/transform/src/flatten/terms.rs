//! The leaves of the terms of one clause.
//!
//! Every subterm is taken apart once, children first; the leaves of all of them lie in one list,
//! and a field of a record is a part of the record's piece of the list, so that the work is linear
//! in the terms and the leaves of what they construct.
//!
//! Invariant: where the variables have no junk but defaults, no term has. An equation between data
//! with tags does not look at junk, but for conjuncts of the constraint, where the equation of all
//! leaves is not stronger: whatever else is derivable is derivable with defaults as well.

mod arrays;
mod data;

use shofar_base::Map;
use shofar_chc::Clause;
use shofar_term::{Constructor, DataKind, Kind, Sort, Symbol, Term, TermStore};

use super::layout::{Layout, Shape};

/// A piece of the list of leaves.
#[derive(Clone, Copy, Debug)]
struct Piece {
    start: usize,
    len: usize,
}

/// The terms of one clause after the other.
pub(super) struct Flattening<'l> {
    layout: &'l Layout,
    /// The leaves of each variable met so far.
    pub(super) variables: Map<Symbol, Vec<Symbol>>,
    /// Whether the new clauses derive more: they have arbitrary values that are none, or tell
    /// arrays apart by their junk.
    pub(super) is_over: bool,
    leaves: Vec<Term>,
    done: Map<Term, Piece>,
    /// What is true of all tags of the clause.
    ranges: Vec<Term>,
    /// The arbitrary values of the clause.
    arbitrary: Vec<Symbol>,
}

impl<'l> Flattening<'l> {
    pub(super) fn new(layout: &'l Layout) -> Self {
        Self {
            layout,
            variables: Map::default(),
            is_over: false,
            leaves: Vec::new(),
            done: Map::default(),
            ranges: Vec::new(),
            arbitrary: Vec::new(),
        }
    }
    /// Forgets the terms of the clause before.
    pub(super) fn begin(&mut self) {
        self.leaves.clear();
        self.done.clear();
        self.ranges.clear();
        self.arbitrary.clear();
    }
    /// Looks whether the clause that was made has arbitrary values.
    pub(super) fn end(&mut self, store: &TermStore, clause: &Clause) {
        if !self.arbitrary.is_empty() {
            let left = clause.variables(store);
            self.is_over |= self.arbitrary.iter().any(|any| left.binary_search(any).is_ok());
        }
    }
    /// What is true of the tags of the terms since [`begin`](Self::begin).
    pub(super) fn ranges(&self) -> &[Term] {
        &self.ranges
    }
    /// The leaves of `args`, one after the other.
    pub(super) fn arguments(&mut self, store: &mut TermStore, args: &[Term]) -> Vec<Term> {
        let mut all = Vec::new();
        for &arg in args {
            let piece = self.flatten(store, arg);
            all.extend_from_slice(self.of(piece));
        }
        all
    }
    /// Appends what the conjunct `part` of a constraint says.
    pub(super) fn conjunct(&mut self, store: &mut TermStore, part: Term, parts: &mut Vec<Term>) {
        if let Kind::Same(a, b) = store.kind(part) {
            let (a, b) = (self.flatten(store, a), self.flatten(store, b));
            for at in 0..a.len {
                let (a, b) = (self.leaves[a.start + at], self.leaves[b.start + at]);
                parts.push(store.eq(a, b));
            }
            return;
        }
        let piece = self.flatten(store, part);
        parts.push(self.leaves[piece.start]);
    }
    fn of(&self, piece: Piece) -> &[Term] {
        &self.leaves[piece.start..piece.start + piece.len]
    }
    fn flatten(&mut self, store: &mut TermStore, root: Term) -> Piece {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.done.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(
                store.children(term).iter().filter(|child| !self.done.contains_key(*child)),
            );
            if stack.len() == before {
                let piece = self.node(store, term);
                self.done.insert(term, piece);
                stack.pop();
            }
        }
        self.done[&root]
    }
    /// The leaves of a term whose children have theirs.
    fn node(&mut self, store: &mut TermStore, term: Term) -> Piece {
        let children: Vec<Term> = store.children(term).to_vec();
        let pieces: Vec<Piece> = children.iter().map(|child| self.done[child]).collect();
        let kind = store.kind(term);
        if let Kind::Symbol(symbol) = kind {
            self.variable(store, term, symbol)
        } else if let Kind::Ite(..) = kind {
            self.choice(store, &pieces)
        } else if let Kind::Same(a, _) = kind {
            let sort = store.sort(a);
            let same = self.same(store, sort, pieces[0], pieces[1]);
            self.push(&[same])
        } else if let Kind::Array(kind) = kind {
            self.array(store, term, kind, &pieces)
        } else if let Kind::Data(kind) = kind {
            match kind {
                DataKind::Construct(constructor, _) => {
                    self.construct(store, constructor, &children, &pieces)
                }
                DataKind::Field(field, _) => self.field(store, field, pieces[0]),
                DataKind::Is(constructor, _) => self.is(store, constructor, pieces[0]),
            }
        } else {
            let children: Vec<Term> = pieces.iter().map(|p| self.leaves[p.start]).collect();
            let result = store.rebuild(term, &children);
            self.push(&[result])
        }
    }
    fn push(&mut self, leaves: &[Term]) -> Piece {
        let start = self.leaves.len();
        self.leaves.extend_from_slice(leaves);
        Piece { start, len: leaves.len() }
    }
    /// Says that the tags among the leaves of a term of `sort` are those of constructors.
    fn say_ranges(&mut self, store: &mut TermStore, sort: Sort, piece: Piece) {
        for &(at, count) in &self.layout.get(sort).tags {
            let tag = self.leaves[piece.start + at];
            let (first, last) = (store.int(0), Layout::tag(store, count - 1, count));
            let range = [store.le(first, tag), store.le(tag, last)];
            self.ranges.extend(range);
        }
    }
    fn variable(&mut self, store: &mut TermStore, term: Term, symbol: Symbol) -> Piece {
        let sort = store.sort(term);
        let entry = self.layout.get(sort);
        if matches!(entry.shape, Shape::Whole) {
            return self.push(&[term]);
        }
        let symbols = self.variables.entry(symbol).or_insert_with(|| {
            let name = store.name(symbol).to_owned();
            let leaf =
                |(rest, &sort): (&String, &Sort)| store.fresh(&format!("{name}{rest}"), sort);
            entry.names.iter().zip(&entry.leaves).map(leaf).collect()
        });
        let leaves: Vec<Term> = symbols.iter().map(|&leaf| store.constant(leaf)).collect();
        let piece = self.push(&leaves);
        self.say_ranges(store, sort, piece);
        piece
    }
    fn choice(&mut self, store: &mut TermStore, pieces: &[Piece]) -> Piece {
        let [condition, a, b] = *pieces else { unreachable!("a choice has three parts") };
        let condition = self.leaves[condition.start];
        let start = self.leaves.len();
        for at in 0..a.len {
            let (a, b) = (self.leaves[a.start + at], self.leaves[b.start + at]);
            let leaf = choose(store, condition, a, b);
            self.leaves.push(leaf);
        }
        Piece { start, len: a.len }
    }
    /// Whether two terms of `sort` are equal, apart from junk where that can be said.
    fn same(&mut self, store: &mut TermStore, sort: Sort, a: Piece, b: Piece) -> Term {
        let entry = self.layout.get(sort);
        let Shape::Variant(constructors) = &entry.shape else {
            if entry.has_junk_arrays && matches!(entry.shape, Shape::Array(..)) {
                self.is_over = true;
            }
            if let Shape::Record(constructor) = entry.shape {
                return self.same_fields(store, constructor, a.start, b.start);
            }
            let equal =
                (0..a.len).map(|at| store.eq(self.leaves[a.start + at], self.leaves[b.start + at]));
            let equal: Vec<Term> = equal.collect();
            return store.and(&equal);
        };
        let tag = self.leaves[a.start];
        let mut parts = vec![store.eq(tag, self.leaves[b.start])];
        let mut offset = 1;
        for (place, &constructor) in constructors.iter().enumerate() {
            let equal = self.same_fields(store, constructor, a.start + offset, b.start + offset);
            let test = Layout::is_tagged(store, tag, place, constructors.len());
            parts.push(store.implies(test, equal));
            offset += self.layout.fields_width(store, constructor);
        }
        store.and(&parts)
    }
    fn same_fields(
        &mut self,
        store: &mut TermStore,
        constructor: Constructor,
        mut a: usize,
        mut b: usize,
    ) -> Term {
        let mut parts = Vec::new();
        for field in store.constructor_fields(constructor).to_vec() {
            let sort = store.field_sort(field);
            let len = self.layout.width(sort);
            parts.push(self.same(store, sort, Piece { start: a, len }, Piece { start: b, len }));
            (a, b) = (a + len, b + len);
        }
        store.and(&parts)
    }
    fn assembled(&self, store: &mut TermStore, sort: Sort, piece: Piece) -> Term {
        self.layout.assemble(store, sort, self.of(piece))
    }
    fn taken_apart(&mut self, store: &mut TermStore, term: Term) -> Piece {
        let start = self.leaves.len();
        self.layout.take_apart(store, term, &mut self.leaves);
        Piece { start, len: self.leaves.len() - start }
    }
}

/// `a` if `condition` holds, else `b`; a choice under the same condition inside of them is made.
fn choose(store: &mut TermStore, condition: Term, a: Term, b: Term) -> Term {
    let (condition, negated) = store.strip_not(condition);
    let (mut a, mut b) = if negated { (b, a) } else { (a, b) };
    if let Kind::Ite(inner, yes, _) = store.kind(a)
        && inner == condition
    {
        a = yes;
    }
    if let Kind::Ite(inner, _, no) = store.kind(b)
        && inner == condition
    {
        b = no;
    }
    store.ite(condition, a, b)
}
