//! Lemmas that differ in numbers only.
//!
//! The shape of a cube is its literals without their bounds. Cubes of one shape form a *cluster*;
//! each is a vector of bounds. Cubes whose literals have the same variables, but different
//! coefficients, form a *family*.
//!
//! Source: [VCSG20], clustering by anti-unification. DIVERGENCE: literals are kept in a normal form
//! in which anti-unification is comparison by coordinates.

use shofar_base::{Map, Set};
use shofar_num::Rational;
use shofar_term::{Comparison, Level, LinearLiteral, Term, TermStore};

use super::super::rules::Node;

/// How often a cluster may be the occasion of a guess.
const GAS: u32 = 10;
/// How many cubes of a cluster take part in a guess.
const MOST_MEMBERS: usize = 6;

/// The literals of a cube without the numbers on the right.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Shape {
    /// The forms of inequalities, in increasing order.
    pub(super) forms: Vec<(Term, Comparison)>,
    /// All other literals.
    pub(super) others: Vec<Term>,
}

/// A cube as shape and bounds.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub(super) shape: Shape,
    pub(super) bounds: Vec<Rational>,
}

impl Point {
    pub(super) fn of(store: &TermStore, cube: &[Term]) -> Self {
        let mut inequalities = Vec::new();
        let mut others = Vec::new();
        for &literal in cube {
            match LinearLiteral::of(store, literal) {
                Some(i) => inequalities.push(i),
                None => others.push(literal),
            }
        }
        inequalities
            .sort_by(|a, b| (a.form, a.relation, &a.bound).cmp(&(b.form, b.relation, &b.bound)));
        others.sort_unstable();
        let forms = inequalities.iter().map(|i| (i.form, i.relation)).collect();
        let bounds = inequalities.into_iter().map(|i| i.bound).collect();
        Self { shape: Shape { forms, others }, bounds }
    }
}

/// Cubes of one shape.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    /// The bounds of the largest cubes, the latest last.
    pub(super) members: Vec<Vec<Rational>>,
    /// For each form, whether its bound was seen to vary.
    pub(super) varies: Vec<bool>,
    /// How many cubes there were.
    pub(super) seen: usize,
    /// The lowest level of a member.
    pub(super) level: Level,
    pub(super) gas: u32,
    /// How many more lemmas of this shape are to be given up for their obligations, since guesses
    /// did not help.
    pub(super) detours: u32,
}

/// Whether the cube with bounds `small` is contained in the one with bounds `large`.
fn contained(shape: &Shape, small: &[Rational], large: &[Rational]) -> bool {
    shape.forms.iter().zip(small.iter().zip(large)).all(|((_, relation), (s, l))| match relation {
        Comparison::AtMost | Comparison::Below => s <= l,
        Comparison::AtLeast | Comparison::Above => s >= l,
        Comparison::Equal => s == l,
    })
}

impl Cluster {
    fn new(point: &Point, level: Level) -> Self {
        Self {
            members: vec![point.bounds.clone()],
            varies: vec![false; point.bounds.len()],
            seen: 1,
            level,
            gas: GAS,
            detours: 0,
        }
    }
    /// Takes in a cube; false if it was there.
    fn add(&mut self, point: &Point, level: Level) -> bool {
        if self.members.contains(&point.bounds) {
            return false;
        }
        self.seen += 1;
        self.level = self.level.min(level);
        let last = self.members.last().expect("clusters are not empty");
        for (varies, (a, b)) in self.varies.iter_mut().zip(last.iter().zip(&point.bounds)) {
            *varies |= a != b;
        }
        self.members.retain(|m| !contained(&point.shape, m, &point.bounds));
        if self.members.len() == MOST_MEMBERS {
            self.members.remove(0);
        }
        self.members.push(point.bounds.clone());
        true
    }
}

/// The variables of each form of a cube, and its other literals.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Kinship {
    forms: Vec<(Vec<Term>, bool)>,
    others: Vec<Term>,
}

/// Cubes with the same variables in their forms.
#[derive(Clone, Debug)]
pub(super) struct Family {
    shapes: Set<Shape>,
    /// The variables whose coefficient was seen to vary.
    pub(super) varying: Set<Term>,
    pub(super) gas: u32,
}

impl Family {
    /// How many shapes there are.
    pub(super) fn len(&self) -> usize {
        self.shapes.len()
    }
}

/// All clusters and families.
#[derive(Clone, Debug, Default)]
pub(super) struct Clusters {
    clusters: Map<(Node, Shape), Cluster>,
    families: Map<(Node, Kinship), Family>,
}

impl Clusters {
    /// The cluster of a shape.
    pub(super) fn get(&mut self, node: Node, shape: &Shape) -> Option<&mut Cluster> {
        self.clusters.get_mut(&(node, shape.clone()))
    }
    /// Enters a lemma's cube, and returns its cluster unless the cube was there.
    pub(super) fn enter(
        &mut self,
        node: Node,
        point: &Point,
        level: Level,
    ) -> Option<&mut Cluster> {
        let key = (node, point.shape.clone());
        let mut is_new = true;
        let cluster = self
            .clusters
            .entry(key)
            .and_modify(|c| is_new = c.add(point, level))
            .or_insert_with(|| Cluster::new(point, level));
        is_new.then_some(cluster)
    }
    /// Enters a shape, and returns its family unless the shape was there.
    pub(super) fn relate(
        &mut self,
        store: &TermStore,
        node: Node,
        shape: &Shape,
    ) -> Option<&mut Family> {
        let variables = |form: Term| -> Vec<Term> {
            store.linear(form).monomials().iter().map(|&(_, t)| t).collect()
        };
        let mut forms: Vec<(Vec<Term>, bool)> =
            shape.forms.iter().map(|&(f, r)| (variables(f), r.is_upper())).collect();
        if forms.iter().all(|(v, _)| v.len() < 2) {
            return None;
        }
        forms.sort();
        let kinship = Kinship { forms, others: shape.others.clone() };
        let family = self.families.entry((node, kinship)).or_insert_with(|| Family {
            shapes: Set::default(),
            varying: Set::default(),
            gas: GAS,
        });
        if !family.shapes.insert(shape.clone()) {
            return None;
        }
        let shapes = family.shapes.sorted().into_iter();
        let varying: Vec<Term> = shapes.flat_map(|other| differing(store, shape, other)).collect();
        family.varying.extend(varying);
        Some(family)
    }
}

/// The variables whose coefficients differ between forms of the two shapes with the same variables.
fn differing(store: &TermStore, a: &Shape, b: &Shape) -> Vec<Term> {
    let mut found = Vec::new();
    for (&(form, _), &(other, _)) in a.forms.iter().zip(&b.forms) {
        let (form, other) = (store.linear(form), store.linear(other));
        for (c, t) in form.monomials() {
            if other.coefficient(*t).is_some_and(|d| d != c) {
                found.push(*t);
            }
        }
    }
    found
}
