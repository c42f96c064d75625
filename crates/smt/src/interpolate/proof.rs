//! Interpolants from resolution proofs, by labelled interpolation systems.
//!
//! Each step of the proof gets a partial interpolant `I` of its clause `C`: A and the negated
//! A-literals of `C` imply `I`, B and the negated B-literals contradict it. At a leaf of A, `I` is
//! the disjunction of its B-labelled literals; at a leaf of B the conjunction of its negated
//! A-labelled ones; at a theory lemma the theory's interpolant; resolution joins two
//! partial interpolants by `∨`, `∧` or a choice on the pivot, as the pivot's label says. The root's
//! is the interpolant.
//!
//! Local atoms are labelled with their side; shared ones as the algorithm says. Definitions of
//! terms and instances of axioms are valid, so they may be counted as leaves of either side that
//! has their symbols.
//!
//! Source: [DKPW10] (labelled systems), [McM05] (theory leaves).

use shofar_base::{Idx, Lit, Outcome, Set, Var};
use shofar_sat::{Proof, Step, StepId};
use shofar_term::{Cx, Term};
use shofar_theory::{Certificate, Color, Labelled, Lemma, Side, Theories, Theory};

use super::color::{Coloring, meet};
use super::{BoolAlgorithm, Interpolation, Sides};
use crate::Solver;
use crate::answer::UnsatView;
use crate::leaf::Leaf;

/// Who a literal counts for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    A,
    B,
    Both,
}

struct Walk<'w, 'c> {
    cx: &'w mut Cx<'c>,
    solver: &'w Solver,
    sides: &'w Sides,
    coloring: &'w mut Coloring,
    how: &'w Interpolation,
    /// The variables in B's clauses, where the labelling depends on them.
    in_b: Set<Var>,
}

/// The interpolant of the last refutation for these sides, or nothing if the proof has a mixed
/// atom.
pub(super) fn interpolate(
    cx: &mut Cx<'_>,
    view: UnsatView<'_>,
    sides: &Sides,
    coloring: &mut Coloring,
    how: &Interpolation,
) -> Outcome<Option<Term>> {
    let Some(proof) = view.proof() else { return Ok(Some(of_contradiction(view, sides, cx))) };
    let mut walk = Walk {
        cx,
        solver: view.solver,
        sides,
        coloring,
        how,
        in_b: variables_of_b(view, sides, &proof),
    };
    let mut partial: Vec<Term> = Vec::with_capacity(proof.len());
    // Only Pudlák's system looks at the sign of a pivot, for which the clauses have to be replayed.
    let clauses = match how.boolean {
        BoolAlgorithm::Pudlak => Some(proof.clauses().expect("the solver's proofs are right")),
        BoolAlgorithm::McMillan | BoolAlgorithm::McMillanDual | BoolAlgorithm::Clausal => None,
    };
    let sign = |pivot: Var, step: StepId| {
        let in_other =
            clauses.as_ref().is_some_and(|c| c[step].binary_search(&pivot.positive()).is_ok());
        Lit::new(pivot, !in_other)
    };
    for id in proof.ids() {
        walk.cx.budget.check()?;
        let interpolant = match proof.step(id) {
            Step::Leaf { lits, tag } => walk.leaf(lits, walk.solver.known.leaves.get(tag)),
            Step::Chain { first, rest } => walk.chain(&partial, first, rest, &sign),
        };
        let Some(interpolant) = interpolant else { return Ok(None) };
        partial.push(interpolant);
    }
    let root = partial[proof.root().index()];
    Ok(walk.assumptions(root))
}

/// The variables that occur in leaves and assumptions of B.
fn variables_of_b(view: UnsatView<'_>, sides: &Sides, proof: &Proof) -> Set<Var> {
    let mut variables = Set::default();
    for id in proof.ids() {
        if let Step::Leaf { lits, tag } = proof.step(id)
            && let Leaf::Part(part) = view.solver.known.leaves.get(tag)
            && !sides.parts.contains(part)
        {
            variables.extend(lits.iter().map(|l| l.var()));
        }
    }
    let assumed = view.solver.assumed.iter().filter(|(t, _)| !sides.assumptions.contains(t));
    variables.extend(assumed.map(|(_, lit)| lit.var()));
    variables
}

/// Two failed assumptions are each other's negation: an interpolant is the one of A, unless both
/// are on one side.
fn of_contradiction(view: UnsatView<'_>, sides: &Sides, cx: &Cx<'_>) -> Term {
    let failed = view.failed();
    let (a, b): (Vec<Term>, Vec<Term>) =
        failed.iter().partition(|t| sides.assumptions.contains(*t));
    match (a.as_slice(), b.as_slice()) {
        ([], _) => cx.store.top(),
        (_, []) => cx.store.bottom(),
        ([one, ..], _) => *one,
    }
}

impl Walk<'_, '_> {
    /// The label of a literal's variable; nothing if its atom is mixed. Guards have no label and
    /// are skipped.
    fn label(&mut self, var: Var, term: Term) -> Option<Label> {
        let shared = match self.how.boolean {
            BoolAlgorithm::McMillan => Label::B,
            BoolAlgorithm::Pudlak => Label::Both,
            BoolAlgorithm::Clausal if self.in_b.contains(&var) => Label::B,
            BoolAlgorithm::McMillanDual | BoolAlgorithm::Clausal => Label::A,
        };
        match self.coloring.of(self.cx.store, term) {
            Color::A => Some(Label::A),
            Color::B => Some(Label::B),
            Color::Shared => Some(shared),
            Color::Mixed => None,
        }
    }
    /// Whether valid clauses over shared symbols are better counted for A.
    fn favours_a(&self) -> bool {
        match self.how.boolean {
            BoolAlgorithm::McMillanDual | BoolAlgorithm::Clausal => true,
            BoolAlgorithm::McMillan | BoolAlgorithm::Pudlak => false,
        }
    }
    fn literal(&mut self, lit: Lit, term: Term) -> Term {
        if lit.is_positive() { term } else { self.cx.store.not(term) }
    }
    fn leaf(&mut self, lits: &[Lit], leaf: &Leaf) -> Option<Term> {
        match leaf {
            Leaf::Part(id) if self.sides.parts.contains(id) => self.a_leaf(lits),
            Leaf::Part(_) => self.b_leaf(lits),
            Leaf::Definition(term) => match self.coloring.of(self.cx.store, *term) {
                Color::A => self.a_leaf(lits),
                Color::Shared if self.favours_a() => self.a_leaf(lits),
                Color::B | Color::Shared => self.b_leaf(lits),
                Color::Mixed => None,
            },
            Leaf::Lemma(lemma) => self.lemma(lemma),
            Leaf::Axiom => match self.color_of(lits) {
                Color::A => self.a_leaf(lits),
                Color::Shared if self.favours_a() => self.a_leaf(lits),
                Color::B | Color::Shared => self.b_leaf(lits),
                Color::Mixed => None,
            },
            Leaf::Retired => unreachable!("a popped scope takes no part in a refutation"),
        }
    }
    /// The side that has all symbols of a valid clause.
    fn color_of(&mut self, lits: &[Lit]) -> Color {
        lits.iter()
            .filter_map(|lit| self.solver.known.term(lit.var()))
            .fold(Color::Shared, |color, term| meet(color, self.coloring.of(self.cx.store, term)))
    }
    fn a_leaf(&mut self, lits: &[Lit]) -> Option<Term> {
        let mut kept = Vec::new();
        for &lit in lits {
            if let Some(term) = self.solver.known.term(lit.var())
                && self.label(lit.var(), term)? == Label::B
            {
                kept.push(self.literal(lit, term));
            }
        }
        Some(self.cx.store.or(&kept))
    }
    fn b_leaf(&mut self, lits: &[Lit]) -> Option<Term> {
        let mut kept = Vec::new();
        for &lit in lits {
            if let Some(term) = self.solver.known.term(lit.var())
                && self.label(lit.var(), term)? == Label::A
            {
                kept.push(self.literal(!lit, term));
            }
        }
        Some(self.cx.store.and(&kept))
    }
    /// The literals contradict each other; A's among them are those labelled A or both.
    fn lemma(&mut self, lemma: &Lemma<Certificate>) -> Option<Term> {
        // Instances of axioms may bring terms that mix sides, and equalities may pass through them.
        if self.solver.theories.needs_refinement() {
            let terms = lemma.certificate.terms();
            let is_mixed = |t: Term| self.coloring.of(self.cx.store, t) == Color::Mixed;
            if terms.into_iter().any(is_mixed) {
                return None;
            }
        }
        let mut literals = Vec::with_capacity(lemma.lits.len());
        for lit in &lemma.lits {
            let atom = self.solver.known.term(lit.var()).expect("a lemma is about atoms");
            let side = match self.label(lit.var(), atom)? {
                Label::A | Label::Both => Side::A,
                Label::B => Side::B,
            };
            literals.push(Labelled { atom, positive: lit.is_positive(), side });
        }
        let certificate = &lemma.certificate;
        let (store, algorithm) = (&mut *self.cx.store, &self.how.linear);
        Some(Theories::interpolate(store, &literals, certificate, self.coloring, algorithm))
    }
    /// `sign` gives the literal of a pivot that the running clause has.
    fn chain(
        &mut self,
        partial: &[Term],
        first: StepId,
        rest: &[(Var, StepId)],
        sign: &dyn Fn(Var, StepId) -> Lit,
    ) -> Option<Term> {
        let mut current = partial[first.index()];
        for &(pivot, step) in rest {
            current = self.resolve(current, partial[step.index()], sign(pivot, step))?;
        }
        Some(current)
    }
    /// Joins the partial interpolants of two clauses; `pivot` is the literal of the first that is
    /// resolved away.
    fn resolve(&mut self, one: Term, other: Term, pivot: Lit) -> Option<Term> {
        let Some(term) = self.solver.known.term(pivot.var()) else {
            unreachable!("guards are never resolved on")
        };
        match self.label(pivot.var(), term)? {
            Label::A => Some(self.cx.store.or(&[one, other])),
            Label::B => Some(self.cx.store.and(&[one, other])),
            Label::Both if one == other => Some(one),
            Label::Both => {
                let pivot = self.literal(pivot, term);
                let not_pivot = self.cx.store.not(pivot);
                let (first, second) =
                    (self.cx.store.or(&[pivot, one]), self.cx.store.or(&[not_pivot, other]));
                Some(self.cx.store.and(&[first, second]))
            }
        }
    }
    /// Resolves the root, which is made of negated assumptions, with each assumption as a unit
    /// clause of its side.
    fn assumptions(&mut self, root: Term) -> Option<Term> {
        let mut current = root;
        for &lit in self.solver.sat.failed() {
            if let Some(&(formula, _)) = self.solver.assumed.iter().find(|&&(_, l)| l == lit) {
                let in_a = self.sides.assumptions.contains(&formula);
                let unit = if in_a { self.a_leaf(&[lit])? } else { self.b_leaf(&[lit])? };
                current = self.resolve(current, unit, !lit)?;
            }
        }
        Some(current)
    }
}
