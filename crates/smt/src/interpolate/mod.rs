//! Craig interpolants, computed after the fact from one proof, for any split of the parts.
//!
//! The usual way is [`proof::interpolate`]: a walk over the resolution proof. It needs every atom
//! of the proof to belong to one side. The only atoms that may not are case distinctions: of the
//! integers over a mixed form, or on the equality of arguments of a function; then the
//! contradiction is derived again with case distinctions of one side only, and if that does not end
//! soon, the interpolant is built by projection ([`project`]), which always succeeds without
//! functions, and otherwise may give up.
//!
//! Interpolants of sequences and trees come from the same proof. They fit together for the strong
//! labellings with plain Farkas leaves [GRS13], and in sequences, read backwards, for their duals;
//! for other choices the conditions are checked, and where one fails the tree is interpolated node
//! by node, each with the interpolants of its children in place of their subtrees.
//!
//! Strength: over the reals, for one proof, split and labelling,
//! `decomposed ⇒ farkas ⇒ dual-farkas ⇒ dual-decomposed`. It holds for every lemma ([Bli22]
//! §3.3.2), and the walk over the proof is monotone in what it finds at the lemmas. In sequences
//! and trees it therefore holds at every node, between algorithms whose interpolants were taken
//! from the proof. It need not hold where a tree was interpolated node by node: what a node is
//! interpolated against then depends on the interpolants below it, so different algorithms answer
//! different questions by different proofs. Nor need it hold over the integers, where inequalities
//! are rounded one by one: a weighted sum may be rounded though its summands are not.

mod color;
mod dag;
mod disjunctive;
mod project;
mod proof;

use shofar_base::{GaveUp, Outcome, Set};
use shofar_sat::Step;
use shofar_term::compact::compact;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Term, TermStore};
use shofar_theory::interpolate::LinearAlgorithm;
use shofar_theory::{Side, Theory};

use crate::answer::{Answer, UnsatView};
use crate::leaf::Leaf;
use crate::options::Options;
use crate::{PartId, Solver, certify, implies};
use color::Coloring;
pub use dag::{Dag, DagAnswer, DagEdge, DagVertex};
pub use disjunctive::{Disjunctive, Marked, Position};

/// How resolution steps are interpolated; see [DKPW10] for the order by strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum BoolAlgorithm {
    /// Shared atoms count as B's: the strongest.
    #[default]
    McMillan,
    /// Shared atoms count as both's.
    Pudlak,
    /// Shared atoms count as A's: the weakest.
    McMillanDual,
    /// Shared atoms count as B's if B's clauses contain them, else as A's. If B is a conjunction of
    /// literals, the interpolant is a disjunction of inequalities, one for each lemma where the
    /// sides meet, which is what property-directed engines want of a lemma.
    Clausal,
}

/// How interpolants are made.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Interpolation {
    /// For resolution steps.
    pub boolean: BoolAlgorithm,
    /// For arithmetic leaves.
    pub linear: LinearAlgorithm,
    /// Check each interpolant with a fresh solver.
    pub certify: bool,
}

impl Interpolation {
    /// The weakest interpolants that come from a proof as it is; with them, images reach a fixpoint
    /// soonest (lra-ts, 2026-11).
    pub fn weakest() -> Self {
        Self {
            boolean: BoolAlgorithm::McMillanDual,
            linear: LinearAlgorithm::DualFarkas,
            certify: false,
        }
    }
}

/// How many case distinctions the second derivation may take.
const PURE_SPLITS: u32 = 200;

/// How often a derivation is tried again with more terms over shared symbols.
const MOST_ROUNDS: usize = 8;

/// What belongs to A; the rest is B.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sides {
    /// Parts.
    pub(crate) parts: Set<PartId>,
    /// Assumptions of the check.
    pub(crate) assumptions: Set<Term>,
}

impl Sides {
    /// A is made of these parts.
    pub(crate) fn of_parts(a: &[PartId]) -> Self {
        Self { parts: a.iter().copied().collect(), assumptions: Set::default() }
    }
    /// The formulas of both sides.
    fn formulas(&self, view: UnsatView<'_>) -> (Vec<Term>, Vec<Term>) {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (id, formula) in view.solver.formulas() {
            if self.parts.contains(&id) { left.push(formula) } else { right.push(formula) }
        }
        for &(formula, _) in &view.solver.assumed {
            if self.assumptions.contains(&formula) {
                left.push(formula);
            } else {
                right.push(formula);
            }
        }
        (left, right)
    }
    /// Which side the symbols belong to.
    fn coloring(&self, store: &TermStore, view: UnsatView<'_>) -> Coloring {
        let mut coloring = Coloring::new(store);
        let side = |is_a| if is_a { Side::A } else { Side::B };
        for part in &view.solver.parts {
            coloring.add(&part.symbols, side(self.parts.contains(&part.id)));
        }
        for &(formula, _) in &view.solver.assumed {
            let symbols = free_symbols(store, &[formula]);
            coloring.add(&symbols, side(self.assumptions.contains(&formula)));
        }
        coloring
    }
}

/// The interpolant of two sides of a refutation.
pub(crate) fn single(
    cx: &mut Cx<'_>,
    view: UnsatView<'_>,
    sides: &Sides,
    how: &Interpolation,
) -> Outcome<Term> {
    Ok(single_with_origin(cx, view, sides, how)?.0)
}

/// Where an interpolant comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// The proof of the refutation.
    Proof,
    /// Another derivation, because the proof mixes symbols of both sides.
    Elsewhere,
}

fn single_with_origin(
    cx: &mut Cx<'_>,
    view: UnsatView<'_>,
    sides: &Sides,
    how: &Interpolation,
) -> Outcome<(Term, Origin)> {
    let (left, right) = sides.formulas(view);
    let mut coloring = sides.coloring(cx.store, view);
    let (interpolant, origin) = match proof::interpolate(cx, view, sides, &mut coloring, how)? {
        Some(interpolant) => (interpolant, Origin::Proof),
        None => (pure_interpolant(cx, &left, &right, how)?, Origin::Elsewhere),
    };
    let interpolant = compact(cx.store, interpolant);
    // With arrays and data, nothing is taken on trust.
    let certify = how.certify || view.solver.theories.needs_refinement();
    certify_if_asked(cx, &left, &right, interpolant, certify)?;
    Ok((interpolant, origin))
}

fn certify_if_asked(
    cx: &mut Cx<'_>,
    a: &[Term],
    b: &[Term],
    interpolant: Term,
    certify: bool,
) -> Outcome<()> {
    if !certify && !cfg!(debug_assertions) {
        return Ok(());
    }
    let checked = certify::check_interpolant(cx, a, b, interpolant)?;
    debug_assert_eq!(checked, Ok(()), "an interpolant is wrong");
    checked.map_err(|objection| GaveUp::wrong(format!("an interpolant: {objection}")))
}

/// An interpolant of two contradictory sides whose proof had mixed atoms.
fn pure_interpolant(
    cx: &mut Cx<'_>,
    left: &[Term],
    right: &[Term],
    how: &Interpolation,
) -> Outcome<Term> {
    let mut coloring = Coloring::of_formulas(cx.store, left, right);
    // Terms over shared symbols, in which the theories can say what both sides have to know.
    let mut shared: Vec<Term> = Vec::new();
    for _ in 0..MOST_ROUNDS {
        let before = shared.len();
        if let Some(interpolant) = derive_again(cx, left, right, &mut coloring, &mut shared, how)? {
            return Ok(interpolant);
        }
        if shared.len() == before {
            break;
        }
    }
    project::interpolate(cx, left, right, &coloring)
}

/// The interpolant of a derivation whose case distinctions do not mix sides. If there is none,
/// `shared` may get terms with which it is worth another try.
fn derive_again(
    cx: &mut Cx<'_>,
    left: &[Term],
    right: &[Term],
    coloring: &mut Coloring,
    shared: &mut Vec<Term>,
    how: &Interpolation,
) -> Outcome<Option<Term>> {
    let mut solver =
        Solver::new(Options { integer_splits: Some(PURE_SPLITS), ..Options::with_proofs() });
    let a: Vec<PartId> = left.iter().map(|&t| solver.add(cx.store, t)).collect();
    for &t in right {
        solver.add(cx.store, t);
    }
    for &t in shared.iter() {
        solver.mention(cx.store, t);
    }
    let sides = coloring.local_terms(cx.store, &solver.known);
    solver.theories.restrict_splits(&sides);
    let found = match solver.check(cx) {
        Ok(Answer::Unsat(view)) => {
            proof::interpolate(cx, view, &Sides::of_parts(&a), coloring, how)?
        }
        Ok(Answer::Sat(_)) => unreachable!("the sides contradict each other"),
        Err(GaveUp::Incomplete(_)) => None,
        Err(why) => return Err(why),
    };
    if found.is_none() {
        for &term in solver.theories.wanted() {
            if !shared.contains(&term) {
                shared.push(term);
            }
        }
    }
    Ok(found)
}

/// An interpolant of two sets of formulas that contradict each other.
fn of_formulas(
    cx: &mut Cx<'_>,
    left: &[Term],
    right: &[Term],
    how: &Interpolation,
) -> Outcome<Term> {
    let mut solver = Solver::new(Options::with_proofs());
    let a: Vec<PartId> = left.iter().map(|&t| solver.add(cx.store, t)).collect();
    for &t in right {
        solver.add(cx.store, t);
    }
    match solver.check(cx)? {
        Answer::Unsat(view) => single(cx, view, &Sides::of_parts(&a), how),
        Answer::Sat(_) => unreachable!("the sides contradict each other"),
    }
}

/// The interpolants of the nodes of a tree, without the root's.
pub(crate) fn tree(
    cx: &mut Cx<'_>,
    view: UnsatView<'_>,
    groups: &[Vec<PartId>],
    first: &[usize],
    how: &Interpolation,
) -> Outcome<Vec<Term>> {
    assert_eq!(groups.len(), first.len(), "every group has its place in the tree");
    let mut interpolants = Vec::new();
    let mut from_proof = true;
    for node in 0..groups.len().saturating_sub(1) {
        let a: Vec<PartId> = groups[first[node]..=node].iter().flatten().copied().collect();
        let (interpolant, origin) = single_with_origin(cx, view, &Sides::of_parts(&a), how)?;
        interpolants.push(interpolant);
        from_proof &= origin == Origin::Proof;
    }
    if interpolants.len() < 2 {
        return Ok(interpolants);
    }
    let formulas = group_formulas(view, groups);
    let is_fitting = from_proof && is_fitting(how, first) && has_fitting_leaves(view);
    if is_fitting && !how.certify && !cfg!(debug_assertions) {
        return Ok(interpolants);
    }
    if fits_together(cx, &formulas, first, &interpolants)? {
        return Ok(interpolants);
    }
    debug_assert!(!is_fitting, "interpolants of this kind fit together");
    node_by_node(cx, formulas, first, how)
}

/// Whether interpolants made like that from one proof fit together in every case.
fn is_fitting(how: &Interpolation, first: &[usize]) -> bool {
    let is_sequence = first.iter().all(|&f| f == 0);
    match how.boolean {
        BoolAlgorithm::McMillan => how.linear == LinearAlgorithm::Farkas,
        BoolAlgorithm::McMillanDual => is_sequence && how.linear == LinearAlgorithm::DualFarkas,
        BoolAlgorithm::Pudlak | BoolAlgorithm::Clausal => false,
    }
}

/// Whether the interpolants of all theory lemmas fit together.
fn has_fitting_leaves(view: UnsatView<'_>) -> bool {
    view.proof().is_none_or(|proof| {
        proof.ids().all(|id| match proof.step(id) {
            Step::Leaf { tag, .. } => match view.solver.known.leaves.get(tag) {
                Leaf::Lemma(lemma) => lemma.certificate.fits_trees(),
                // One over shared symbols may be given to either side.
                Leaf::Axiom => false,
                Leaf::Part(_) | Leaf::Definition(_) | Leaf::Retired => true,
            },
            Step::Chain { .. } => true,
        })
    })
}

/// The formulas of each group; what is in no group belongs to the root.
fn group_formulas(view: UnsatView<'_>, groups: &[Vec<PartId>]) -> Vec<Vec<Term>> {
    let mut formulas = vec![Vec::new(); groups.len()];
    for (id, formula) in view.solver.formulas() {
        let home = groups.iter().position(|g| g.contains(&id)).unwrap_or(groups.len() - 1);
        formulas[home].push(formula);
    }
    formulas[groups.len() - 1].extend(view.solver.assumed.iter().map(|&(t, _)| t));
    formulas
}

/// The children of `node`: the roots of the subtrees just before it.
fn children(first: &[usize], node: usize) -> Vec<usize> {
    let mut children = Vec::new();
    let mut end = node;
    while end > first[node] {
        children.push(end - 1);
        end = first[end - 1];
    }
    children
}

fn fits_together(
    cx: &mut Cx<'_>,
    formulas: &[Vec<Term>],
    first: &[usize],
    interpolants: &[Term],
) -> Outcome<bool> {
    for (node, group) in formulas.iter().enumerate() {
        let mut premises = group.clone();
        premises.extend(children(first, node).into_iter().map(|c| interpolants[c]));
        let conclusion = interpolants.get(node).copied().unwrap_or(cx.store.bottom());
        match implies(cx, certify::limited(), &premises, conclusion) {
            Ok(true) => (),
            Ok(false) | Err(GaveUp::Incomplete(_)) => return Ok(false),
            Err(why) => return Err(why),
        }
    }
    Ok(true)
}

/// Interpolates in post-order, each subtree that is done replaced by its interpolant.
fn node_by_node(
    cx: &mut Cx<'_>,
    mut formulas: Vec<Vec<Term>>,
    first: &[usize],
    how: &Interpolation,
) -> Outcome<Vec<Term>> {
    let mut interpolants = Vec::new();
    for node in 0..formulas.len() - 1 {
        let left: Vec<Term> = formulas[first[node]..=node].concat();
        let right: Vec<Term> = [&formulas[..first[node]], &formulas[node + 1..]].concat().concat();
        let interpolant = of_formulas(cx, &left, &right, how)?;
        for inner in &mut formulas[first[node]..node] {
            inner.clear();
        }
        formulas[node] = vec![interpolant];
        interpolants.push(interpolant);
    }
    Ok(interpolants)
}
