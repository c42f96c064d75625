//! Proofs by congruence, and the check that they are.
//!
//! A proof is a list of paths. A path is a chain of terms, each equal to the next because a literal
//! of the lemma says so or because both apply one function to arguments that earlier paths connect.
//! The last path ends in a contradiction: a literal says that its ends differ, or they have
//! different values whatever the symbols mean.
//!
//! What a literal says: `a = b` makes its sides equal (for numbers: every pair of terms whose
//! difference is that of the atom), and any formula is equal to `true` or `false`.
//!
//! Invariant: a path refers to earlier paths only, so the proof is well-founded.
//!
//! Source: [NO07] §4 for the paths; [FGGKT12] §3, *congruence graphs*, for their use in
//! interpolation.

use shofar_num::Rational;
use shofar_term::{ArithKind, DataKind, Kind, Linear, Term, TermStore};

use super::head::application;

/// Why the literals of a lemma contradict each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Congruence {
    /// Chains of equal terms; the last one is contradictory.
    pub paths: Vec<Path>,
    /// What contradicts the last path.
    pub clash: Clash,
}

/// A chain of equal terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// Where it begins.
    pub from: Term,
    /// Its steps.
    pub edges: Vec<Edge>,
}

/// One step of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it leads.
    pub to: Term,
    /// Why the term before it is equal to that.
    pub why: Why,
}

/// Why two terms are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// The literal of the lemma with this index says so.
    Literal(usize),
    /// They apply the same function; for each argument, the path between the two, or nothing if
    /// they are one term.
    Congruent(Box<[Option<usize>]>),
}

/// What is wrong with the ends of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clash {
    /// The literal of the lemma with this index says that they differ.
    Literal(usize),
    /// They have different values: truth and falsity, numbers whose difference cannot be zero,
    /// different bit-vectors, or data made by different constructors.
    Values,
}

impl Path {
    /// Where it ends.
    pub fn to(&self) -> Term {
        self.edges.last().map_or(self.from, |edge| edge.to)
    }
    /// The steps with the terms before and behind them.
    pub fn steps(&self) -> impl Iterator<Item = (Term, &Edge)> {
        let starts = std::iter::once(self.from).chain(self.edges.iter().map(|edge| edge.to));
        starts.zip(&self.edges)
    }
}

impl Congruence {
    /// A measure of the memory it takes.
    pub(crate) fn weight(&self) -> usize {
        self.paths.iter().map(|path| path.edges.len() + 1).sum()
    }
    /// Whether this proves that `literals` contradict each other.
    pub(crate) fn is_proof(&self, store: &TermStore, literals: &[(Term, bool)]) -> bool {
        let sound = self.paths.iter().enumerate().all(|(at, path)| {
            path.steps().all(|(from, edge)| match &edge.why {
                Why::Literal(i) => {
                    literals.get(*i).is_some_and(|&l| equates(store, l, from, edge.to))
                }
                Why::Congruent(args) => self.is_congruence(store, at, [from, edge.to], args),
            })
        });
        let Some(path) = self.paths.last() else { return false };
        let (from, to) = (path.from, path.to());
        sound
            && match self.clash {
                Clash::Literal(i) => literals.get(i).is_some_and(|&(atom, positive)| {
                    !positive && equates(store, (atom, true), from, to)
                }),
                Clash::Values => have_different_values(store, from, to),
            }
    }
    fn is_congruence(
        &self,
        store: &TermStore,
        at: usize,
        ends: [Term; 2],
        args: &[Option<usize>],
    ) -> bool {
        let [Some((f, left)), Some((g, right))] = ends.map(|t| application(store, t)) else {
            return false;
        };
        let connects = |(i, path): (usize, &Option<usize>)| match *path {
            None => left[i] == right[i],
            Some(p) => {
                let ends = (self.paths[p].from, self.paths[p].to());
                p < at && (ends == (left[i], right[i]) || ends == (right[i], left[i]))
            }
        };
        f == g
            && left.len() == right.len()
            && args.len() == left.len()
            && args.iter().enumerate().all(connects)
    }
}

/// Whether the literal says that `a` and `b` are equal.
fn equates(store: &TermStore, (atom, positive): (Term, bool), a: Term, b: Term) -> bool {
    let (truth, other) = if a == store.top() || a == store.bottom() { (a, b) } else { (b, a) };
    if truth == store.top() || truth == store.bottom() {
        let (formula, negated) = store.strip_not(other);
        return formula == atom && (truth == store.top()) == (positive != negated);
    }
    if !positive {
        return false;
    }
    if let Kind::Same(left, right) = store.kind(atom) {
        return (left, right) == (a, b) || (right, left) == (a, b);
    }
    equation(store, atom).is_some_and(|one| are_proportional(&one, &difference(store, a, b)))
}

/// What an equation between numbers says is zero.
pub(super) fn equation(store: &TermStore, atom: Term) -> Option<Linear> {
    let Kind::Arith(ArithKind::Eq(form, bound)) = store.kind(atom) else { return None };
    let mut linear = store.linear(form);
    linear.constant -= bound;
    Some(linear)
}

fn difference(store: &TermStore, a: Term, b: Term) -> Linear {
    let mut difference = store.linear(a);
    difference.add_scaled(&Rational::MINUS_ONE, &store.linear(b));
    difference
}

/// Whether one is a multiple of the other, and neither is a number.
fn are_proportional(one: &Linear, other: &Linear) -> bool {
    let (Some((p, _)), Some((q, _))) = (one.monomials().first(), other.monomials().first()) else {
        return false;
    };
    let mut scaled = one.clone();
    scaled.scale(&(q / p));
    scaled == *other
}

/// Whether the terms differ whatever their symbols mean.
pub(crate) fn have_different_values(store: &TermStore, a: Term, b: Term) -> bool {
    let truths = [store.top(), store.bottom()];
    if truths.contains(&a) && truths.contains(&b) {
        return a != b;
    }
    if !(store.sort(a).is_arithmetic() && store.sort(b).is_arithmetic()) {
        return match (store.kind(a), store.kind(b)) {
            (Kind::Data(DataKind::Construct(c, _)), Kind::Data(DataKind::Construct(d, _))) => {
                c != d
            }
            _ => store.as_bits(a).zip(store.as_bits(b)).is_some_and(|(a, b)| a != b),
        };
    }
    let difference = difference(store, a, b);
    if difference.is_constant() {
        return !difference.constant.is_zero();
    }
    // Coprime integer multiples of integers do not add up to a fraction.
    let integral = difference.monomials().iter().all(|&(_, t)| store.sort(t).is_int());
    integral && !(&difference.constant * difference.primitive_factor()).is_integer()
}
