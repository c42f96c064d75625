//! Global guidance: guesses and case distinctions suggested by all lemmas of a node together.
//!
//! Lemmas are generalised one at a time, which can go wrong in three ways. Many lemmas stand where
//! one would do: *subsume* guesses a cube around theirs. One bound drifts for ever: *conjecture*
//! guesses that it does not matter. Coefficients grow for ever: *concretize* asks for a part of the
//! obligation that bounds the variables one by one. A guess is an obligation that nothing depends
//! on. If it is blocked, its lemma replaces the many; if it is reached or runs out of gas, it is
//! forgotten. So guidance never affects soundness.
//!
//! Source: [VCSG20] rules *Subsume*, *Concretize*, *Conjecture*. DIVERGENCE: the closure of a
//! cluster is computed exactly ([`hull`]), not by projection along a model.

mod cluster;
mod concretize;
mod hull;

use shofar_base::Set;
use shofar_num::{Rational, gcd};
use shofar_term::{Comparison, Level, Linear, LinearLiteral, Sort, Term, TermStore};

pub(super) use self::concretize::concretize;

use self::cluster::{Cluster, Clusters, Point, Shape};
use super::Guidance;
use super::rules::Node;

/// A cluster gives advice from this many cubes on.
const ENOUGH: usize = 3;
/// How many lemmas of a cluster are given up for their obligations after a guess has failed.
const DETOURS: u32 = 20;
/// The moduli of guesses by residues.
const MODULI: [i64; 2] = [2, 4];
/// Facets with a larger coefficient are left out.
const LARGEST_COEFFICIENT: i64 = 64;
/// More varying bounds than this are not put into a hull.
const MOST_DIMENSIONS: usize = 5;

/// What a new lemma suggests.
#[derive(Clone, Debug)]
pub(super) enum Advice {
    /// Try to block this cube, first at this level.
    Guess { cube: Vec<Term>, level: Level, rule: GuessRule },
    /// Split the obligation by bounds on these variables the next time.
    Concretize(Set<Term>),
}

/// Which rule made a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GuessRule {
    Subsume,
    Conjecture,
}

/// What guidance remembers.
#[derive(Clone, Debug)]
pub(super) struct Guide {
    rules: Guidance,
    lemmas: Clusters,
    obligations: Clusters,
    guessed: Set<(Node, Vec<Term>)>,
}

impl Guide {
    /// Guidance by some rules.
    pub(super) fn new(rules: Guidance) -> Self {
        Self {
            rules,
            lemmas: Clusters::default(),
            obligations: Clusters::default(),
            guessed: Set::default(),
        }
    }
    /// Enters the cube of a new lemma, which blocks `obligation`, and tells what to do.
    ///
    /// Obligations that were blocked form clusters of their own: if their lemmas only ever speak of
    /// a part of them, it may be the other part that matters.
    pub(super) fn advise(
        &mut self,
        store: &mut TermStore,
        node: Node,
        cube: &[Term],
        level: Level,
        obligation: &[Term],
    ) -> Vec<Advice> {
        let mut lemmas = std::mem::take(&mut self.lemmas);
        let mut advice = Vec::new();
        advice.extend(self.advise_on(&mut lemmas, store, node, cube, level, obligation));
        self.lemmas = lemmas;
        if obligation != cube {
            let mut obligations = std::mem::take(&mut self.obligations);
            advice.extend(self.advise_on(
                &mut obligations,
                store,
                node,
                obligation,
                level,
                obligation,
            ));
            self.obligations = obligations;
        }
        advice
    }
    /// Whether a lemma with this cube is one of many whose common guess has failed, so that the
    /// obligation itself is the better lemma.
    pub(super) fn is_stuck(&mut self, store: &TermStore, node: Node, cube: &[Term]) -> bool {
        let point = Point::of(store, cube);
        match self.lemmas.get(node, &point.shape) {
            Some(cluster) if cluster.detours > 0 => {
                cluster.detours -= 1;
                true
            }
            _ => false,
        }
    }
    fn advise_on(
        &mut self,
        clusters: &mut Clusters,
        store: &mut TermStore,
        node: Node,
        cube: &[Term],
        level: Level,
        obligation: &[Term],
    ) -> Option<Advice> {
        let point = Point::of(store, cube);
        if point.bounds.is_empty() || self.rules == Guidance::NONE {
            return None;
        }
        if let Some(cluster) = clusters.enter(node, &point, level)
            && cluster.seen >= ENOUGH
            && cluster.gas > 0
        {
            cluster.gas -= 1;
            let level = cluster.level;
            let varying = cluster.varies.iter().filter(|v| **v).count();
            let mut guesses = Vec::new();
            if self.rules.conjecture && varying == 1 {
                let guess = conjecture(store, &point.shape, cluster, cube, obligation);
                guesses.extend(guess.map(|cube| (cube, GuessRule::Conjecture)));
            }
            if self.rules.subsume {
                let guess = congruent(store, &point.shape, cluster);
                guesses.extend(guess.map(|cube| (cube, GuessRule::Subsume)));
            }
            if self.rules.conjecture {
                for modulus in MODULI {
                    let guess = residues(store, &point, cluster, &modulus.into());
                    guesses.extend(guess.map(|cube| (cube, GuessRule::Conjecture)));
                }
            }
            if self.rules.subsume && varying > 1 {
                let guess = subsume(store, &point.shape, cluster);
                guesses.extend(guess.map(|cube| (cube, GuessRule::Subsume)));
            }
            for (cube, _) in &mut guesses {
                cube.sort_unstable();
            }
            let is_new =
                |(cube, _): &(Vec<Term>, GuessRule)| self.guessed.insert((node, cube.clone()));
            let Some((cube, rule)) = guesses.into_iter().find(is_new) else {
                cluster.detours = cluster.detours.max(DETOURS);
                return None;
            };
            return Some(Advice::Guess { cube, level, rule });
        }
        let family = clusters.relate(store, node, &point.shape)?;
        let is_time = family.len() >= ENOUGH && family.gas > 0 && !family.varying.is_empty();
        if !is_time || !self.rules.concretize {
            return None;
        }
        family.gas -= 1;
        Some(Advice::Concretize(family.varying.clone()))
    }
}

/// What is left of the obligation, or else of the lemma's cube, without the literals whose bound
/// drifts.
fn conjecture(
    store: &TermStore,
    shape: &Shape,
    cluster: &Cluster,
    cube: &[Term],
    obligation: &[Term],
) -> Option<Vec<Term>> {
    let at = cluster.varies.iter().position(|&v| v)?;
    let (form, relation) = shape.forms[at];
    let drifts = |literal: Term| {
        LinearLiteral::of(store, literal)
            .is_some_and(|i| i.form == form && i.relation.agrees(relation))
    };
    [obligation, cube].into_iter().find_map(|literals| {
        let rest: Vec<Term> = literals.iter().copied().filter(|&t| !drifts(t)).collect();
        (!rest.is_empty() && rest.len() < literals.len()).then_some(rest)
    })
}

/// What all members of the cluster have in common besides their bounds, if some values agree modulo
/// a number.
fn congruent(store: &mut TermStore, shape: &Shape, cluster: &Cluster) -> Option<Vec<Term>> {
    let mut cube = shape.others.clone();
    let mut agrees = false;
    for (i, &(form, relation)) in shape.forms.iter().enumerate() {
        if !cluster.varies[i] {
            let bound = cluster.members[0][i].clone();
            cube.push(LinearLiteral { form, relation, bound }.literal(store));
        } else if relation == Comparison::Equal
            && let Some(literal) = congruence(store, form, cluster.members.iter().map(|m| &m[i]))
        {
            cube.push(literal);
            agrees = true;
        }
    }
    agrees.then_some(cube)
}

/// The cube of `point` with its varying values known modulo a number only.
fn residues(
    store: &mut TermStore,
    point: &Point,
    cluster: &Cluster,
    modulus: &Rational,
) -> Option<Vec<Term>> {
    let mut cube = point.shape.others.clone();
    let mut weaker = false;
    for (i, (&(form, relation), bound)) in point.shape.forms.iter().zip(&point.bounds).enumerate() {
        if !cluster.varies[i] {
            let bound = bound.clone();
            cube.push(LinearLiteral { form, relation, bound }.literal(store));
        } else if relation == Comparison::Equal && store.sort(form).is_int() {
            cube.push(residue(store, form, bound, modulus)?);
            weaker = true;
        }
    }
    weaker.then_some(cube)
}

/// `form ≡ value (mod modulus)`
fn residue(
    store: &mut TermStore,
    form: Term,
    value: &Rational,
    modulus: &Rational,
) -> Option<Term> {
    let rest = store.modulo(form, modulus);
    let value = shofar_num::mod_euclid(value, modulus)?;
    let value = store.number(value, Sort::INT);
    Some(store.eq(rest, value))
}

/// A cube that contains all members of the cluster.
fn subsume(store: &mut TermStore, shape: &Shape, cluster: &Cluster) -> Option<Vec<Term>> {
    let mut cube = shape.others.clone();
    // Coordinates `form ≤ value`: lower bounds are upper bounds of the negated form, equations are
    // both.
    let mut coordinates: Vec<(usize, Rational)> = Vec::new();
    for (i, &(form, relation)) in shape.forms.iter().enumerate() {
        if !cluster.varies[i] {
            let bound = cluster.members[0][i].clone();
            cube.push(LinearLiteral { form, relation, bound }.literal(store));
            continue;
        }
        if relation.is_upper() {
            coordinates.push((i, Rational::ONE));
        }
        if relation.is_lower() {
            coordinates.push((i, Rational::MINUS_ONE));
        }
        if relation == Comparison::Equal {
            cube.extend(congruence(store, form, cluster.members.iter().map(|m| &m[i])));
        }
    }
    if cluster.members.len() < 2 || coordinates.len() > MOST_DIMENSIONS {
        return None;
    }
    let points: Vec<Vec<Rational>> = cluster
        .members
        .iter()
        .map(|m| coordinates.iter().map(|(i, sign)| sign * &m[*i]).collect())
        .collect();
    for facet in hull::facets(&points) {
        if facet.normal.iter().any(|c| *c > Rational::from(LARGEST_COEFFICIENT)) {
            continue;
        }
        let mut linear = Linear::of_constant(-facet.offset);
        let mut strict = false;
        for (c, (i, sign)) in facet.normal.iter().zip(&coordinates).filter(|(c, _)| !c.is_zero()) {
            linear.add_scaled(&(c * sign), &store.linear(shape.forms[*i].0));
            strict |= shape.forms[*i].1.is_strict();
        }
        let literal = if strict { store.lt_zero(&linear) } else { store.le_zero(&linear) };
        if literal != store.top() {
            cube.push(literal);
        }
    }
    cube.sort_unstable();
    cube.dedup();
    (!cube.is_empty()).then_some(cube)
}

/// `form ≡ r (mod d)` if all values agree on it for some `d` of at least 2.
fn congruence<'a>(
    store: &mut TermStore,
    form: Term,
    mut values: impl Iterator<Item = &'a Rational>,
) -> Option<Term> {
    let first = values.next().filter(|v| store.sort(form).is_int() && v.is_integer())?;
    let modulus = values.fold(Rational::ZERO, |g, v| gcd(&g, &(v - first)));
    if modulus <= Rational::ONE {
        return None;
    }
    residue(store, form, first, &modulus)
}
