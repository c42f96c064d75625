//! Equality with uninterpreted functions, predicates and sorts.
//!
//! The theory of `s = t` where functions are known by congruence only. Terms are nodes of a
//! congruence closure; an equality that is asserted merges two nodes, a formula that is an
//! argument, or a predicate, is merged with `true` or `false` when it gets its value. Numbers
//! differ from each other; everything else about numbers is left to arithmetic, and terms of
//! arithmetic sorts are constants of the closure.
//!
//! | part | job |
//! |---|---|
//! | `closure` | classes of equal nodes, with a proof forest and backtracking |
//! | `explain` | lemmas from the proof forest |
//! | `certificate` | what a lemma comes with, and its check |
//! | `interpolate` | interpolants of lemmas |
//! | `shared` | where classes and the values of arithmetic do not fit together |
//! | `model` | elements for classes, tables for functions |
//! | `structures` | what the theories of arrays and data see of the classes, and the values that they give |
//!
//! Invariant: after every call no merge is waiting, but for those that a scope which was closed has
//! taken back too early (`late`); these are carried out at the next check. Invariant: nodes and
//! atoms are permanent.
//!
//! Source: [NO07].

mod certificate;
mod closure;
mod explain;
pub(crate) mod head;
mod interpolate;
pub(crate) mod model;
mod shared;
mod shortcut;
mod structures;

#[cfg(test)]
mod tests;

use shofar_base::{Budget, Idx, IndexVec, Lit, Map, Outcome, Var, index_type};
use shofar_term::eval::Model;
use shofar_term::{ArithKind, Kind, Sort, SortKind, Symbol, Term, TermStore};

pub use self::certificate::{Clash, Congruence, Edge, Path, Why};
pub(crate) use self::closure::Node;
use self::closure::{Closure, Merged, Reason};
use self::explain::{Bridge, End, refute, refute_bridge, refute_by_shortcuts};
use self::head::application;
pub(crate) use self::shared::Disagreement;
use self::shortcut::Shortcuts;
pub(crate) use self::structures::Structures;
use crate::theory::{Check, Coloring, Effort, Labelled, Lemma, SharedValues, Side, Split, Theory};

index_type!(
    /// A formula whose value matters to the closure.
    struct AtomId
);
index_type!(
    /// Two nodes that an atom makes equal.
    struct PairId
);

/// Two nodes that are equal if the atom is true, and differ if it is false.
#[derive(Clone, Copy, Debug)]
struct Pair {
    left: Node,
    right: Node,
    atom: AtomId,
}

/// A formula that says that nodes are equal, or is a node itself, or both.
#[derive(Clone, Debug)]
struct Atom {
    term: Term,
    var: Var,
    pairs: Vec<PairId>,
    /// Nodes that stand for the formula, or for its negation if the sign is wrong.
    formulas: Vec<(Node, bool)>,
    asserted: Option<bool>,
    implied: Option<(bool, Cause)>,
}

/// Why an atom has its value.
#[derive(Clone, Copy, Debug)]
enum Cause {
    /// The nodes of the pair are in one class.
    Equal(PairId),
    /// They are in the classes of these nodes, whose values differ.
    Apart(PairId, [Node; 2]),
    /// The node that stands for the atom is in the class of this truth value.
    Truth(Node, Node),
}

/// The lengths of the trails when a scope began.
#[derive(Clone, Copy, Debug)]
struct Level {
    closure: usize,
    asserted: usize,
    implied: usize,
}

/// The solver for equality with uninterpreted functions; see the module documentation.
#[derive(Clone, Debug, Default)]
pub struct Euf {
    closure: Closure,
    /// The nodes of `false` and `true`.
    truths: Option<[Node; 2]>,
    pairs: IndexVec<PairId, Pair>,
    /// The pairs that a node is in.
    pairs_of: IndexVec<Node, Vec<PairId>>,
    atoms: IndexVec<AtomId, Atom>,
    atom_of: IndexVec<Var, Option<AtomId>>,
    atom_of_term: Map<Term, AtomId>,
    /// Which atom a Boolean node stands for, and with which sign.
    atom_of_node: IndexVec<Node, Option<(AtomId, bool)>>,
    /// Of a formula: the node of its negation, if that is an argument.
    negations: Map<Term, Node>,
    /// Pairs that atoms will stand for when they are registered.
    awaited: Map<Term, Vec<(Node, Node)>>,
    /// Pairs of asserted atoms that became known after the assertion; a scope that is closed takes
    /// their merge back even if the atom was asserted before it.
    late: Vec<PairId>,
    has_applications: bool,
    /// Whether there are arrays, data or bit-vectors.
    has_structures: bool,
    asserted: Vec<AtomId>,
    implied: Vec<AtomId>,
    delivered: usize,
    levels: Vec<Level>,
    side: Map<Term, Side>,
    /// Terms that would divide equalities between terms of different sides, and comparisons made
    /// for want of them.
    wanted: Vec<Term>,
    detours: u32,
    shortcuts: Shortcuts,
    /// The values of arrays and data in the last candidate that was a model.
    structures: Structures,
}

impl Euf {
    /// Whether there is anything that equality has to care for.
    #[inline]
    pub fn is_in_use(&self) -> bool {
        !self.closure.is_empty()
    }
    /// Whether `atom` is an equality that matters as soon as functions are applied to its sides.
    pub(crate) fn watches(store: &TermStore, atom: Term) -> bool {
        let kind = store.kind(atom);
        if let Kind::Same(a, b) = kind {
            return compares_vectors(store, a, b);
        }
        matches!(kind, Kind::Arith(ArithKind::Eq(..)))
    }
    /// Whether functions or predicates are applied.
    pub(crate) fn has_applications(&self) -> bool {
        self.has_applications
    }
    fn atom(&self, var: Var) -> Option<AtomId> {
        self.atom_of.get(var).copied().flatten()
    }
    fn node(&mut self, store: &TermStore, term: Term) -> Node {
        if self.truths.is_none() {
            let [no, yes] = [store.bottom(), store.top()].map(|t| self.closure.add(store, t));
            self.truths = Some([no, yes]);
        }
        let node = self.closure.add(store, term);
        let count = self.closure.len();
        if self.pairs_of.len() < count {
            for new in self.closure.nodes().skip(self.pairs_of.len()) {
                let sort = store.sort(self.closure.term(new));
                self.has_structures |= has_candidates(store, sort);
            }
            self.pairs_of.resize(count, Vec::new());
            self.atom_of_node.resize(count, None);
        }
        node
    }
    fn truth(&self, value: bool) -> Node {
        self.truths.expect("they come before any other node")[usize::from(value)]
    }
    fn ensure_atom(&mut self, atom: Term, var: Var) -> AtomId {
        if let Some(id) = self.atom(var) {
            return id;
        }
        let (pairs, formulas) = (Vec::new(), Vec::new());
        let id = self.atoms.push(Atom {
            term: atom,
            var,
            pairs,
            formulas,
            asserted: None,
            implied: None,
        });
        if self.atom_of.len() <= var.index() {
            self.atom_of.resize(var.index() + 1, None);
        }
        self.atom_of[var] = Some(id);
        self.atom_of_term.insert(atom, id);
        id
    }
    /// Ties a Boolean node to the atom it stands for, if that is registered.
    fn tie(&mut self, store: &TermStore, node: Node) {
        let (formula, negated) = store.strip_not(self.closure.term(node));
        let Some(&id) = self.atom_of_term.get(&formula) else { return };
        if self.atom_of_node[node].is_some() {
            return;
        }
        self.atom_of_node[node] = Some((id, !negated));
        self.atoms[id].formulas.push((node, !negated));
        if let Some(value) = self.atoms[id].asserted {
            let lit = Lit::new(self.atoms[id].var, value);
            let truth = self.truth(value != negated);
            self.closure.merge(node, truth, Reason::Literal(lit));
        }
    }
    /// Makes `atom` stand for the equality of two nodes. An `Err` is a contradiction with what is
    /// asserted.
    fn add_pair(&mut self, left: Node, right: Node, atom: AtomId) -> Result<(), Lemma<Congruence>> {
        let known = |&p: &PairId| {
            let Pair { left: l, right: r, .. } = self.pairs[p];
            (l, r) == (left, right) || (l, r) == (right, left)
        };
        if left == right || self.atoms[atom].pairs.iter().any(known) {
            return Ok(());
        }
        let pair = self.pairs.push(Pair { left, right, atom });
        self.atoms[atom].pairs.push(pair);
        self.pairs_of[left].push(pair);
        self.pairs_of[right].push(pair);
        if self.atoms[atom].asserted == Some(true) {
            let lit = self.atoms[atom].var.positive();
            self.closure.merge(left, right, Reason::Literal(lit));
            self.late.push(pair);
            return self.settle();
        }
        self.look_at_pair(pair)
    }
    /// Draws the consequences of the classes for a pair.
    fn look_at_pair(&mut self, id: PairId) -> Result<(), Lemma<Congruence>> {
        let Pair { left, right, atom } = self.pairs[id];
        let state = &self.atoms[atom];
        if self.closure.are_equal(left, right) {
            match state.asserted {
                Some(true) => {}
                None => self.imply(atom, true, Cause::Equal(id)),
                Some(false) => {
                    let end = End::Literal(state.var.negative());
                    return Err(self.contradiction((left, right), end));
                }
            }
        } else if state.asserted.is_none()
            && let (Some(one), Some(other)) =
                (self.closure.constant(left), self.closure.constant(right))
        {
            self.imply(atom, false, Cause::Apart(id, [one, other]));
        }
        Ok(())
    }
    fn imply(&mut self, id: AtomId, value: bool, cause: Cause) {
        let atom = &mut self.atoms[id];
        if atom.asserted.is_none() && atom.implied.is_none() {
            atom.implied = Some((value, cause));
            self.implied.push(id);
        }
    }
    /// Carries out all merges.
    fn settle(&mut self) -> Result<(), Lemma<Congruence>> {
        while let Some(merged) = self.closure.step() {
            if let Err(lemma) = self.absorb(merged) {
                self.closure.clear_pending();
                return Err(lemma);
            }
        }
        Ok(())
    }
    /// Draws the consequences of a merge.
    fn absorb(&mut self, merged: Merged) -> Result<(), Lemma<Congruence>> {
        let Merged { small, large, constants } = merged;
        if let (Some(one), Some(other)) = constants {
            return Err(self.contradiction((one, other), End::Values));
        }
        let moved = self.closure.members(small).len();
        for at in 0..moved {
            self.look_at(self.closure.members(small)[at])?;
        }
        match constants {
            (Some(constant), _) => {
                let stayed = self.closure.members(large).len() - moved;
                for at in 0..stayed {
                    let node = self.closure.members(large)[at];
                    self.look_at(node)?;
                    self.reveal(node, constant);
                }
            }
            (None, Some(constant)) => {
                for at in 0..moved {
                    self.reveal(self.closure.members(small)[at], constant);
                }
            }
            (None, None) => {}
        }
        Ok(())
    }
    /// The contradiction of `end` with the equality of two nodes of one class, by way of shortcuts
    /// that are asserted.
    fn contradiction(&mut self, ends: (Node, Node), end: End) -> Lemma<Congruence> {
        let shortcut = |a: Node, b: Node| {
            let (a, b) = (self.closure.term(a), self.closure.term(b));
            if !self.shortcuts.has(a, b) {
                return None;
            }
            let found = self.pairs_of[self.closure.find(a)?].iter().find(|&&pair| {
                let Pair { left, right, atom } = self.pairs[pair];
                let ends = [left, right].map(|node| self.closure.term(node));
                (ends == [a, b] || ends == [b, a]) && self.atoms[atom].asserted == Some(true)
            })?;
            Some(self.atoms[self.pairs[*found].atom].var.positive())
        };
        let lemma = refute_by_shortcuts(&self.closure, &shortcut, ends, end);
        if !self.is_restricted() {
            self.shortcuts.count(&lemma.certificate);
        }
        lemma
    }
    /// Case distinctions on the equalities that contradictions pass through again and again.
    fn shortcut_splits(&mut self, store: &mut TermStore) -> Vec<Split> {
        let mut pairs = self.shortcuts.take();
        // Those of vectors mean formulas over bits, which are not written in the middle of a
        // search.
        let is_plain = |sort: Sort| {
            !sort.is_bool() && !sort.is_arithmetic() && store.bits_width(sort).is_none()
        };
        pairs.retain(|&(a, _)| is_plain(store.sort(a)));
        pairs.into_iter().map(|(a, b)| Split { atom: store.eq(a, b), phase: None }).collect()
    }
    fn look_at(&mut self, node: Node) -> Result<(), Lemma<Congruence>> {
        for at in 0..self.pairs_of[node].len() {
            self.look_at_pair(self.pairs_of[node][at])?;
        }
        Ok(())
    }
    /// The node has come into a class with a fixed value: if that is a truth value, so is the value
    /// of its atom.
    fn reveal(&mut self, node: Node, constant: Node) {
        let Some((atom, sign)) = self.atom_of_node[node] else { return };
        let value = constant == self.truth(true);
        self.imply(atom, value == sign, Cause::Truth(node, constant));
    }
    /// Whether `lit` was implied by this theory.
    pub(crate) fn has_implied(&self, lit: Lit) -> bool {
        let implied = self.atom(lit.var()).and_then(|id| self.atoms[id].implied);
        implied.is_some_and(|(value, _)| value == lit.is_positive())
    }
    fn assert_pairs(&mut self, id: AtomId, lit: Lit) -> Result<(), Lemma<Congruence>> {
        for at in 0..self.atoms[id].pairs.len() {
            let pair = self.atoms[id].pairs[at];
            let Pair { left, right, .. } = self.pairs[pair];
            if lit.is_positive() {
                self.closure.merge(left, right, Reason::Literal(lit));
            } else if self.closure.are_equal(left, right) {
                self.closure.clear_pending();
                return Err(self.contradiction((left, right), End::Literal(lit)));
            }
        }
        for &(node, sign) in &self.atoms[id].formulas {
            let truth = self.truth(lit.is_positive() == sign);
            self.closure.merge(node, truth, Reason::Literal(lit));
        }
        self.settle()
    }
    /// Takes a literal as true, if the closure cares for it.
    pub(crate) fn assert_own(&mut self, lit: Lit) -> Result<(), Lemma<Congruence>> {
        let Some(id) = self.atom(lit.var()) else { return Ok(()) };
        if self.atoms[id].asserted == Some(lit.is_positive()) {
            return Ok(());
        }
        self.atoms[id].asserted = Some(lit.is_positive());
        self.asserted.push(id);
        self.assert_pairs(id, lit)
    }
}

/// Whether terms of this sort have to fit by their values, which no class tells: what values are
/// built of, and the bits of vectors.
fn has_candidates(store: &TermStore, sort: Sort) -> bool {
    match store.sort_kind(sort) {
        SortKind::Array(..) | SortKind::Data(..) | SortKind::Bits(_) => true,
        SortKind::Bool | SortKind::Int | SortKind::Real | SortKind::Uninterpreted(_) => false,
    }
}

/// Whether `a = b` is an equality of vectors and not just a bit of one, which most atoms over
/// vectors are.
fn compares_vectors(store: &TermStore, a: Term, b: Term) -> bool {
    match store.bits_width(store.sort(a)) {
        None => false,
        Some(1) => !store.is_value(a) && !store.is_value(b),
        Some(_) => true,
    }
}

/// The terms that an equation `x - y = 0` between numbers of one sort makes equal.
fn sides(store: &TermStore, atom: Term) -> Option<(Term, Term)> {
    let Kind::Arith(ArithKind::Eq(form, bound)) = store.kind(atom) else { return None };
    let Kind::Arith(ArithKind::Sum(sum)) = store.kind(form) else { return None };
    let mut monomials = sum.iter();
    let (Some((a, x)), Some((b, y)), None) = (monomials.next(), monomials.next(), monomials.next())
    else {
        return None;
    };
    let opposite = a.is_one() && (-b).is_one() && bound.is_zero();
    (opposite && store.sort(x) == store.sort(y)).then_some((x, y))
}

impl Theory for Euf {
    type Certificate = Congruence;
    type Algorithm = ();

    fn owns(&self, store: &TermStore, atom: Term) -> bool {
        let kind = store.kind(atom);
        // Those of bit-vectors are defined bit by bit as well.
        if let Kind::Same(a, b) = kind {
            return store.bits_width(store.sort(a)).is_none()
                || self.has_applications && compares_vectors(store, a, b);
        }
        if let Kind::App(..) | Kind::Array(_) | Kind::Data(_) = kind {
            return store.sort(atom).is_bool();
        }
        self.has_applications && matches!(kind, Kind::Arith(ArithKind::Eq(..)))
    }
    /// The formula may also be one that is the argument of a function, whoever owns it.
    fn register(&mut self, store: &TermStore, atom: Term, var: Var) {
        let id = self.ensure_atom(atom, var);
        let mut pairs = self.awaited.remove(&atom).unwrap_or_default();
        if let Kind::Same(a, b) = store.kind(atom) {
            pairs.push((self.node(store, a), self.node(store, b)));
        } else if let Some((a, b)) = sides(store, atom) {
            pairs.push((self.node(store, a), self.node(store, b)));
        } else if application(store, atom).is_some() {
            self.node(store, atom);
        }
        for (left, right) in pairs {
            let added = self.add_pair(left, right, id);
            debug_assert!(added.is_ok(), "a new atom contradicts nothing");
        }
        if let Some(node) = self.closure.find(atom) {
            self.tie(store, node);
        }
        if let Some(&node) = self.negations.get(&atom) {
            self.tie(store, node);
        }
    }
    fn share(&mut self, store: &TermStore, term: Term) {
        self.node(store, term);
        let Some((_, args)) = application(store, term) else { return };
        self.has_applications = true;
        for &arg in args.iter().chain([&term]) {
            if store.sort(arg).is_bool() {
                let node = self.node(store, arg);
                if let Kind::Not(formula) = store.kind(arg) {
                    self.negations.insert(formula, node);
                }
                self.tie(store, node);
            }
        }
    }
    fn assert(&mut self, lit: Lit) -> Result<(), Lemma<Congruence>> {
        self.assert_own(lit)
    }
    fn check(
        &mut self,
        store: &mut TermStore,
        _: &Budget,
        _: Effort,
    ) -> Outcome<Check<Congruence>> {
        if let Err(lemma) = self.settle() {
            return Ok(Check::Conflict(lemma));
        }
        if self.shortcuts.is_waiting() {
            let splits = self.shortcut_splits(store);
            if !splits.is_empty() {
                return Ok(Check::Split(splits));
            }
        }
        Ok(Check::Consistent)
    }
    fn implied(&mut self, out: &mut Vec<Lit>) {
        for &id in &self.implied[self.delivered..] {
            let atom = &self.atoms[id];
            let (value, _) = atom.implied.expect("atoms on the trail are implied");
            out.push(Lit::new(atom.var, value));
        }
        self.delivered = self.implied.len();
    }
    fn explain(&mut self, lit: Lit) -> Lemma<Congruence> {
        let id = self.atom(lit.var()).expect("an implied literal is registered");
        let (value, cause) = self.atoms[id].implied.expect("the literal is implied");
        debug_assert_eq!(value, lit.is_positive());
        match cause {
            Cause::Equal(pair) => {
                let Pair { left, right, .. } = self.pairs[pair];
                refute(&self.closure, (left, right), End::Literal(!lit))
            }
            Cause::Apart(pair, [one, other]) => {
                let Pair { left, right, .. } = self.pairs[pair];
                let bridge = Bridge { lit: !lit, from: left, to: right };
                refute_bridge(&self.closure, (one, other), bridge)
            }
            Cause::Truth(node, truth) => {
                let opposite = self.truth(truth != self.truth(true));
                let bridge = Bridge { lit: !lit, from: node, to: opposite };
                refute_bridge(&self.closure, (truth, opposite), bridge)
            }
        }
    }
    fn push(&mut self) {
        self.levels.push(Level {
            closure: self.closure.mark(),
            asserted: self.asserted.len(),
            implied: self.implied.len(),
        });
    }
    fn pop(&mut self, levels: u32) {
        let keep = self.levels.len().checked_sub(levels as usize).expect("as many scopes are open");
        let Some(&level) = self.levels.get(keep) else { return };
        self.levels.truncate(keep);
        self.closure.undo_to(level.closure);
        for id in self.asserted.drain(level.asserted..) {
            self.atoms[id].asserted = None;
        }
        for id in self.implied.drain(level.implied..) {
            self.atoms[id].implied = None;
        }
        self.delivered = self.delivered.min(self.implied.len());
        let (pairs, atoms) = (&self.pairs, &self.atoms);
        self.late.retain(|&p| atoms[pairs[p].atom].asserted == Some(true));
        for &p in &self.late {
            let Pair { left, right, atom } = self.pairs[p];
            let lit = self.atoms[atom].var.positive();
            self.closure.merge(left, right, Reason::Literal(lit));
        }
    }
    fn phase(&self, _: Var) -> Option<bool> {
        None
    }
    fn begin_query(&mut self) {
        self.detours = 0;
    }
    fn restrict_splits(&mut self, side: &Map<Term, Side>) {
        self.side.clone_from(side);
    }
    fn complete(&self, store: &TermStore, shared: &mut SharedValues, model: &mut Model) {
        self.fill(store, shared, model);
    }
    fn certifies(store: &TermStore, literals: &[(Term, bool)], proof: &Congruence) -> bool {
        proof.is_proof(store, literals)
    }
    fn interpolate(
        store: &mut TermStore,
        literals: &[Labelled],
        proof: &Congruence,
        coloring: &mut dyn Coloring,
        (): &(),
    ) -> Term {
        interpolate::interpolate(store, literals, proof, coloring)
    }
    fn project(
        store: &mut TermStore,
        cube: &[Term],
        eliminate: &[Symbol],
        model: &Model,
    ) -> Outcome<Vec<Term>> {
        crate::project::functions::project(store, cube, eliminate, model)
    }
}
