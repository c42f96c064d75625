//! Where the classes and the values of arithmetic do not fit together.
//!
//! What counts of an argument is its value: for a number the value that arithmetic gives it, for a
//! truth value whether it is true, for anything else its class. A function is well-defined by the
//! values if applications with equal arguments have equal results. Applications with an argument or
//! a result that has no truth value yet are left out: nobody asks for them.
//!
//! Source: [DMB08] §3.

use shofar_base::{GaveUp, Idx, Map, Outcome};
use shofar_num::Rational;
use shofar_term::{Term, TermStore};
use smallvec::SmallVec;

use super::closure::Node;
use super::explain::{End, refute};
use super::head::Head;
use super::interpolate::middles;
use super::{Congruence, Euf};
use crate::combine::{MIXED, Numbers, evaluate};
use crate::theory::{Lemma, Side};

/// Two number terms on which the closure and arithmetic disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Disagreement {
    /// They are in one class and have different values.
    Values(Term, Term),
    /// They have one value and are in different classes, and some function must not tell them
    /// apart.
    Functions(Term, Term),
}

/// How often arguments of different sides are compared by way of their value before the search
/// gives up.
const MOST_DETOURS: u32 = 200;

/// What a node amounts to under the values: two nodes of one sort have equal marks if their values
/// are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Mark {
    /// The number with this index.
    Number(usize),
    /// The class of this node.
    Class(Node),
}

/// The marks of arguments.
type Signature = SmallVec<[Mark; 4]>;

/// The marks of all nodes.
pub(super) struct Marks {
    /// Of numbers: the first node with that value.
    of: Vec<Option<Mark>>,
}

impl Marks {
    pub(super) fn of(&self, node: Node) -> Option<Mark> {
        self.of[node.index()]
    }
}

impl Euf {
    pub(crate) fn are_equal(&self, a: Term, b: Term) -> bool {
        match (self.closure.find(a), self.closure.find(b)) {
            (Some(a), Some(b)) => self.closure.are_equal(a, b),
            (None, _) | (_, None) => false,
        }
    }
    pub(super) fn marks(&self, store: &TermStore, numbers: &Numbers) -> Marks {
        let mut indices: Map<Rational, usize> = Map::default();
        let of = self.closure.nodes().map(|node| {
            let sort = store.sort(self.closure.term(node));
            if sort.is_arithmetic() {
                let next = indices.len();
                let value = evaluate(store, numbers, self.closure.term(node));
                Some(Mark::Number(*indices.entry(value).or_insert(next)))
            } else if sort.is_bool() {
                self.closure.constant(node).map(Mark::Class)
            } else {
                Some(Mark::Class(self.closure.class(node)))
            }
        });
        Marks { of: of.collect() }
    }
    /// Whether a table or a case distinction has to care for the application: all its Boolean
    /// arguments have values.
    fn signature_of(&self, node: Node, marks: &Marks) -> Option<Signature> {
        self.closure.application(node)?.args.iter().map(|&arg| marks.of(arg)).collect()
    }
    /// Applications with their function, the marks of the arguments and the mark of the result, in
    /// the order of the nodes.
    pub(super) fn rows<'a>(
        &'a self,
        marks: &'a Marks,
    ) -> impl Iterator<Item = (Node, Head, Signature, Mark)> + 'a {
        self.closure.nodes().filter_map(move |node| {
            let head = self.closure.application(node)?.head;
            // Writes and constructor terms are compared by those who know what they are.
            if matches!(head, Head::Store | Head::Construct(_)) {
                return None;
            }
            Some((node, head, self.signature_of(node, marks)?, marks.of(node)?))
        })
    }
    /// Pairs of terms on which the closure and arithmetic have to agree; the values of one class
    /// come first.
    pub(crate) fn disagreements(&self, store: &TermStore, numbers: &Numbers) -> Vec<Disagreement> {
        let marks = self.marks(store, numbers);
        let mut found = Vec::new();
        for node in self.closure.nodes() {
            let class = self.closure.class(node);
            if let (Some(Mark::Number(one)), Some(Mark::Number(_))) =
                (marks.of(node), marks.of(class))
            {
                let reference = self.reference(class);
                if marks.of(reference) != Some(Mark::Number(one)) {
                    let (one, other) = (self.closure.term(reference), self.closure.term(node));
                    found.push(Disagreement::Values(one, other));
                }
            }
        }
        if !found.is_empty() {
            return found;
        }
        let mut first: Map<(Head, Signature), (Node, Mark)> = Map::default();
        for (node, head, signature, result) in self.rows(&marks) {
            let &mut (other, expected) = first.entry((head, signature)).or_insert((node, result));
            if result != expected {
                self.push_different_arguments(node, other, &mut found);
            }
        }
        found
    }
    /// The node of a class that the others are compared with: where sides must not mix, a shared
    /// one if there is one.
    fn reference(&self, class: Node) -> Node {
        if self.side.is_empty() || !self.side.contains_key(&self.closure.term(class)) {
            return class;
        }
        let is_shared = |node: &&Node| !self.side.contains_key(&self.closure.term(**node));
        self.closure.members(class).iter().find(is_shared).copied().unwrap_or(class)
    }
    /// Whether case distinctions must not mix sides.
    pub(crate) fn is_restricted(&self) -> bool {
        !self.side.is_empty()
    }
    /// Which side the terms belong to that are not shared.
    pub(crate) fn sides(&self) -> &Map<Term, Side> {
        &self.side
    }
    /// Whether the terms belong to different sides, and sides must not mix.
    pub(crate) fn is_mixed(&self, disagreement: Disagreement) -> bool {
        let (Disagreement::Values(a, b) | Disagreement::Functions(a, b)) = disagreement;
        match (self.side.get(&a), self.side.get(&b)) {
            (Some(one), Some(other)) => one != other,
            (None, _) | (_, None) => false,
        }
    }
    /// Two terms of different sides, that of A first.
    pub(crate) fn by_side(&self, a: Term, b: Term) -> (Term, Term) {
        if self.side.get(&a) == Some(&Side::A) { (a, b) } else { (b, a) }
    }
    /// Notes the applications to shared terms that would divide the way between two terms of
    /// different sides.
    pub(crate) fn want_middles(&mut self, store: &mut TermStore, a: Term, b: Term) {
        let [a, b] = [a, b].map(|t| self.closure.find(t).expect("the terms are shared"));
        let proof = refute(&self.closure, (a, b), End::Values).certificate;
        self.wanted.extend(middles(store, &proof, &self.side));
    }
    /// Makes a shared number term a node, by which terms of different sides are compared.
    pub(crate) fn detour(&mut self, store: &TermStore, term: Term) -> Outcome<()> {
        self.detours += 1;
        if self.detours > MOST_DETOURS {
            return Err(GaveUp::incomplete(MIXED));
        }
        self.node(store, term);
        Ok(())
    }
    /// Terms over shared symbols that would have helped to keep sides apart.
    pub(crate) fn wanted(&self) -> &[Term] {
        &self.wanted
    }
    /// The arguments of two applications that are in different classes.
    fn push_different_arguments(&self, a: Node, b: Node, found: &mut Vec<Disagreement>) {
        let args = [a, b].map(|n| &self.closure.application(n).expect("an application").args);
        for (&left, &right) in args[0].iter().zip(args[1]) {
            if !self.closure.are_equal(left, right) {
                let (left, right) = (self.closure.term(left), self.closure.term(right));
                found.push(Disagreement::Functions(left, right));
            }
        }
    }
    /// The atom `a = b` for two terms of the closure, which the closure will know as such. An `Err`
    /// is a contradiction.
    pub(crate) fn equate(
        &mut self,
        store: &mut TermStore,
        a: Term,
        b: Term,
    ) -> Result<Term, Lemma<Congruence>> {
        let atom = store.eq(a, b);
        let [a, b] = [a, b].map(|t| self.closure.find(t).expect("the terms are shared"));
        if atom == store.bottom() {
            debug_assert!(self.closure.are_equal(a, b), "terms of one value can be equal");
            return Err(refute(&self.closure, (a, b), End::Values));
        }
        match self.atom_of_term.get(&atom) {
            Some(&id) => self.add_pair(a, b, id)?,
            None => self.awaited.entry(atom).or_default().push((a, b)),
        }
        Ok(atom)
    }
}
