//! The leaves of the terms of one clause.
//!
//! Every subterm is taken apart once, children first; the leaves of all of them lie in one list, and a field of a record is a
//! part of the record's piece of the list, so that the work is linear in the terms and the leaves of what they construct.
//!
//! Invariant: where the variables have no junk but defaults, no term has. An equation between data with tags does not look at
//! junk, but for conjuncts of the constraint, where the equation of all leaves is not stronger: whatever else is derivable is
//! derivable with defaults as well.

use shofar_base::Map;
use shofar_chc::Clause;
use shofar_term::{ArrayKind, DataKind, Field, Kind, Sort, Symbol, Term, TermStore};

use super::layout::{Index, Layout, Shape};

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
    /// Whether the new clauses derive more: they have arbitrary values that are none, or tell arrays apart by their junk.
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
        match store.kind(term) {
            Kind::Symbol(symbol) => self.variable(store, term, symbol),
            Kind::Ite(..) => self.choice(store, &pieces),
            Kind::Same(a, _) => {
                let sort = store.sort(a);
                let same = self.same(store, sort, pieces[0], pieces[1]);
                self.push(&[same])
            }
            Kind::Array(kind) => self.array(store, term, kind, &pieces),
            Kind::Data(DataKind::Construct(constructor, _)) => {
                self.construct(store, constructor, &children, &pieces)
            }
            Kind::Data(DataKind::Field(field, _)) => self.field(store, field, pieces[0]),
            Kind::Data(DataKind::Is(constructor, _)) => self.is(store, constructor, pieces[0]),
            Kind::True
            | Kind::False
            | Kind::Not(_)
            | Kind::And(_)
            | Kind::Or(_)
            | Kind::Iff(..)
            | Kind::App(..)
            | Kind::Quantified(..)
            | Kind::Arith(_)
            | Kind::Bits(_) => {
                let children: Vec<Term> = pieces.iter().map(|p| self.leaves[p.start]).collect();
                let result = store.rebuild(term, &children);
                self.push(&[result])
            }
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
        constructor: shofar_term::Constructor,
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
    fn array(
        &mut self,
        store: &mut TermStore,
        term: Term,
        kind: ArrayKind,
        pieces: &[Piece],
    ) -> Piece {
        let sort = match kind {
            ArrayKind::Select(array, _) | ArrayKind::Store(array, ..) => store.sort(array),
            ArrayKind::Const(_) => store.sort(term),
        };
        let Shape::Array(index, element) = self.layout.get(sort).shape else {
            return self.whole_array(store, sort, kind, pieces);
        };
        let indices = match kind {
            ArrayKind::Select(..) | ArrayKind::Store(..) => {
                self.index_terms(store, index, pieces[1])
            }
            ArrayKind::Const(_) => Vec::new(),
        };
        let width = self.layout.width(element);
        let start = self.leaves.len();
        for at in 0..width {
            let leaf = match kind {
                ArrayKind::Select(..) => {
                    let array = self.leaves[pieces[0].start + at];
                    indices.iter().fold(array, |array, &index| store.select(array, index))
                }
                ArrayKind::Store(..) => {
                    let (array, value) =
                        (self.leaves[pieces[0].start + at], self.leaves[pieces[2].start + at]);
                    store_at(store, array, &indices, value)
                }
                ArrayKind::Const(_) => {
                    let (sort, value) =
                        (self.layout.get(sort).leaves[at], self.leaves[pieces[0].start + at]);
                    let depth = self.layout.indices(index).len();
                    constant(store, sort, depth, value)
                }
            };
            self.leaves.push(leaf);
        }
        let piece = Piece { start, len: width };
        if matches!(kind, ArrayKind::Select(..)) {
            self.say_ranges(store, element, piece);
        }
        piece
    }
    fn index_terms(&mut self, store: &mut TermStore, index: Index, piece: Piece) -> Vec<Term> {
        match index {
            Index::Whole(sort) => vec![self.assembled(store, sort, piece)],
            Index::Split(_) => self.of(piece).to_vec(),
        }
    }
    fn assembled(&self, store: &mut TermStore, sort: Sort, piece: Piece) -> Term {
        self.layout.assemble(store, sort, self.of(piece))
    }
    /// An operation on arrays that stay as they are.
    fn whole_array(
        &mut self,
        store: &mut TermStore,
        sort: Sort,
        kind: ArrayKind,
        pieces: &[Piece],
    ) -> Piece {
        let (index, element) = store.array_parts(sort).expect("an array");
        match kind {
            ArrayKind::Select(..) => {
                let at = self.assembled(store, index, pieces[1]);
                let read = store.select(self.leaves[pieces[0].start], at);
                self.taken_apart(store, read)
            }
            ArrayKind::Store(..) => {
                let at = self.assembled(store, index, pieces[1]);
                let value = self.assembled(store, element, pieces[2]);
                let written = store.store(self.leaves[pieces[0].start], at, value);
                self.push(&[written])
            }
            ArrayKind::Const(_) => {
                let value = self.assembled(store, element, pieces[0]);
                let array = store.constant_array(sort, value);
                self.push(&[array])
            }
        }
    }
    fn taken_apart(&mut self, store: &mut TermStore, term: Term) -> Piece {
        let start = self.leaves.len();
        self.layout.take_apart(store, term, &mut self.leaves);
        Piece { start, len: self.leaves.len() - start }
    }
    fn construct(
        &mut self,
        store: &mut TermStore,
        constructor: shofar_term::Constructor,
        children: &[Term],
        pieces: &[Piece],
    ) -> Piece {
        let sort = store.constructor_sort(constructor);
        let entry = self.layout.get(sort);
        let start = self.leaves.len();
        match &entry.shape {
            Shape::Whole => {
                let fields: Vec<Term> = children
                    .iter()
                    .zip(pieces)
                    .map(|(&child, &piece)| self.assembled(store, store.sort(child), piece))
                    .collect();
                let made = store.construct(constructor, &fields);
                return self.push(&[made]);
            }
            Shape::Record(_) => self.copy(pieces),
            Shape::Variant(constructors) => {
                let count = constructors.len();
                let place = constructors.iter().position(|&c| c == constructor);
                let tag = Layout::tag(store, place.expect("it is one of them"), count);
                self.leaves.push(tag);
                for &other in constructors {
                    if other == constructor {
                        self.copy(pieces);
                        continue;
                    }
                    for _ in 0..self.layout.fields_width(store, other) {
                        let sort = entry.leaves[self.leaves.len() - start];
                        let junk = store.default_term(sort);
                        self.leaves.push(junk);
                    }
                }
            }
            Shape::Array(..) => unreachable!("an array is not constructed"),
        }
        Piece { start, len: self.leaves.len() - start }
    }
    fn copy(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            self.leaves.extend_from_within(piece.start..piece.start + piece.len);
        }
    }
    fn field(&mut self, store: &mut TermStore, field: Field, whole: Piece) -> Piece {
        let (constructor, sort) = (store.field_constructor(field), store.field_sort(field));
        let place = store.field_place(field);
        let before: usize = store.constructor_fields(constructor)[..place]
            .iter()
            .map(|&other| self.layout.width(store.field_sort(other)))
            .sum();
        let len = self.layout.width(sort);
        match &self.layout.get(store.constructor_sort(constructor)).shape {
            Shape::Whole => {
                let part = store.field(field, self.leaves[whole.start]);
                self.taken_apart(store, part)
            }
            Shape::Record(_) => Piece { start: whole.start + before, len },
            Shape::Variant(constructors) => {
                let (mut start, mut own) = (whole.start + 1 + before, 0);
                for (at, &other) in constructors.iter().enumerate() {
                    if other == constructor {
                        own = at;
                        break;
                    }
                    start += self.layout.fields_width(store, other);
                }
                let tag = self.leaves[whole.start];
                let test = Layout::is_tagged(store, tag, own, constructors.len());
                self.guarded(store, field, test, Piece { start, len })
            }
            Shape::Array(..) => unreachable!("an array has no fields"),
        }
    }
    /// The leaves of a field if `test` holds, and arbitrary values otherwise.
    fn guarded(&mut self, store: &mut TermStore, field: Field, test: Term, piece: Piece) -> Piece {
        if test == store.top() || piece.len == 0 {
            return piece;
        }
        let (name, sort) = (format!("any.{}", store.field_name(field)), store.field_sort(field));
        let start = self.leaves.len();
        for at in 0..piece.len {
            let leaf = self.leaves[piece.start + at];
            let any = store.fresh(&name, store.sort(leaf));
            self.arbitrary.push(any);
            let any = store.constant(any);
            let leaf = choose(store, test, leaf, any);
            self.leaves.push(leaf);
        }
        let guarded = Piece { start, len: piece.len };
        self.say_ranges(store, sort, guarded);
        guarded
    }
    fn is(
        &mut self,
        store: &mut TermStore,
        constructor: shofar_term::Constructor,
        whole: Piece,
    ) -> Piece {
        let test = match &self.layout.get(store.constructor_sort(constructor)).shape {
            Shape::Whole => store.is(constructor, self.leaves[whole.start]),
            Shape::Record(_) => store.top(),
            Shape::Variant(constructors) => {
                let place = constructors.iter().position(|&c| c == constructor);
                let (place, tag) = (place.expect("it is one of them"), self.leaves[whole.start]);
                Layout::is_tagged(store, tag, place, constructors.len())
            }
            Shape::Array(..) => unreachable!("an array has no constructors"),
        };
        self.push(&[test])
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

/// `array` with `value` at the indices, one array inside of the other.
fn store_at(store: &mut TermStore, array: Term, indices: &[Term], value: Term) -> Term {
    let mut arrays = vec![array];
    for &index in indices.iter().take(indices.len().saturating_sub(1)) {
        let inner = store.select(arrays[arrays.len() - 1], index);
        arrays.push(inner);
    }
    indices
        .iter()
        .zip(&arrays)
        .rev()
        .fold(value, |value, (&index, &array)| store.store(array, index, value))
}

/// The arrays of `sort`, one inside of the other, that are `value` everywhere.
fn constant(store: &mut TermStore, sort: Sort, depth: usize, value: Term) -> Term {
    let mut sorts = vec![sort];
    for _ in 1..depth {
        let (_, element) = store.array_parts(sorts[sorts.len() - 1]).expect("a nested array");
        sorts.push(element);
    }
    sorts.iter().take(depth).rev().fold(value, |value, &sort| store.constant_array(sort, value))
}
