//! Refinement: a counterexample, or predicates that exclude it.
//!
//! The formulas of an and/or tree, with the values of every copy equal to its arguments, have a model if and only if the tree has
//! a derivation of `false`. Otherwise tree interpolants, all from one refutation, solve the recursion-free clauses of the tree:
//! the interpolant of a copy speaks about its arguments only, and becomes a predicate of its symbol. With choices in the tree
//! these are disjunctive interpolants: an interpolant has the shape `¬a ∨ I`, where `a` says that the copy is wanted, and `I` is
//! what it becomes when `a` is true.
//!
//! *Interpolation abstraction*: the values and the arguments of a copy need not be equal if the refutation does not depend on it.
//! A [selection](super::lattice) of templates `tᵢ` says what has to be equal, or ordered: the copy is tied by `tᵢ(values) ⋈ zᵢ` and
//! `zᵢ = tᵢ(args)`, its interpolant speaks about the `zᵢ`, and the predicate is what it says with `tᵢ` for `zᵢ`.
//!
//! Source: [RHK13] (disjunctive interpolants by tree interpolants; TI and DI); [LRS16] §3 and §5 for interpolation abstraction.

use shofar_base::{Map, Outcome};
use shofar_chc::Derivation;
use shofar_smt::{Answer, Interpolation, Options, PartId, Solver};
use shofar_term::compact::compact;
use shofar_term::substitute::{Substitution, substitute};
use shofar_term::{Cx, Phase, Sort, Symbol, Term, TermStore};

use super::lattice::{Selection, select};
use super::predicates::Predicates;
use super::statistics::Statistics;
use super::template::Families;
use super::tree::Tree;
use super::unwound::Unwound;
use crate::rule::Rule;

/// What a tree is good for.
pub(super) enum Refined {
    /// It derives `false`.
    Counterexample(Derivation),
    /// A formula for each copy but the root that excludes all its derivations, over the parameters of its symbol.
    Excluded(Vec<Term>),
}

/// How trees are refined.
pub(super) struct Refiner<'r> {
    pub(super) rules: &'r [Rule],
    pub(super) families: &'r Families,
    pub(super) interpolation: &'r Interpolation,
    pub(super) seed: u64,
}

/// Whether templates are used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Guided {
    /// They are, where there are any.
    Yes,
    /// They are not.
    No,
}

impl Refiner<'_> {
    /// Finds out about `tree`.
    pub(super) fn refine(
        &self,
        cx: &mut Cx<'_>,
        stats: &mut Statistics,
        predicates: &Predicates,
        tree: &Tree,
        guided: Guided,
    ) -> Outcome<Refined> {
        let unwound = Unwound::new(cx.store, self.rules, predicates, tree);
        let mut solver = Solver::new(Options { seed: self.seed, ..Options::default() });
        for copy in &unwound.copies {
            solver.add(cx.store, copy.formula);
        }
        let same = cx.store.fresh("same", Sort::BOOL);
        let same = cx.store.constant(same);
        for at in 1..unwound.copies.len() {
            let tie = unwound.same(cx.store, at);
            let tie = cx.store.implies(same, tie);
            solver.add(cx.store, tie);
        }
        if let Answer::Sat(model) = solver.check_assuming(cx, &[same])? {
            let model = model.assignment(cx.store);
            let derivation = unwound.derivation(cx.store, self.rules, tree, &model);
            return Ok(Refined::Counterexample(derivation));
        }
        let selection = match guided {
            Guided::Yes => cx.phase(Phase::Generalization, |cx| {
                select(cx, stats, self.families, predicates, tree, &unwound, &mut solver)
            })?,
            Guided::No => None,
        };
        drop(solver);
        stats.abstractions += u64::from(selection.is_some());
        let selection = selection.unwrap_or_default();
        cx.phase(Phase::Interpolation, |cx| {
            self.interpolate(cx, predicates, tree, &unwound, &selection)
        })
        .map(Refined::Excluded)
    }
    /// The interpolants of all copies but the root, tied as `selection` says.
    fn interpolate(
        &self,
        cx: &mut Cx<'_>,
        predicates: &Predicates,
        tree: &Tree,
        unwound: &Unwound,
        selection: &Selection,
    ) -> Outcome<Vec<Term>> {
        let count = tree.copies.len();
        let mut solver = Solver::new(Options { seed: self.seed, ..Options::with_proofs() });
        let ties: Vec<Tie> = (1..count)
            .map(|at| Tie::new(cx.store, predicates, tree, unwound, selection, at))
            .collect();
        let mut groups: Vec<Vec<PartId>> = Vec::new();
        let mut first = Vec::new();
        // Backwards, depth-first order is post-order.
        for at in (0..count).rev() {
            let mut parts = vec![unwound.copies[at].formula];
            parts.extend(at.checked_sub(1).map(|tie| ties[tie].below));
            let kids = tree.copies[at].ways.iter().flat_map(|way| &way.kids);
            parts.extend(kids.map(|&kid| ties[kid - 1].above));
            groups.push(parts.into_iter().map(|part| solver.add(cx.store, part)).collect());
            first.push(count - tree.copies[at].end);
        }
        let found = match solver.check(cx)? {
            Answer::Unsat(proof) => {
                proof.tree_interpolants(cx, &groups, &first, self.interpolation)?
            }
            Answer::Sat(_) => unreachable!("a selection keeps the tree contradictory"),
        };
        let mut result = Vec::new();
        for (tie, interpolant) in ties.into_iter().zip(found.into_iter().rev()) {
            let formula = Substitution::new(tie.meaning).apply(cx.store, interpolant);
            result.push(compact(cx.store, formula));
        }
        Ok(result)
    }
}

/// How a copy hangs together with the clause above it.
struct Tie {
    /// What is said on its own side.
    below: Term,
    /// What is said on the side of the clause above.
    above: Term,
    /// What its interpolant speaks about, in terms of the parameters of its symbol.
    meaning: Map<Term, Term>,
}

impl Tie {
    fn new(
        store: &mut TermStore,
        predicates: &Predicates,
        tree: &Tree,
        unwound: &Unwound,
        selection: &Selection,
        at: usize,
    ) -> Self {
        let pred = tree.copies[at].pred.expect("only the root has no symbol");
        let copy = &unwound.copies[at];
        let mut meaning: Map<Term, Term> = Map::default();
        if copy.wanted != store.top() {
            meaning.insert(copy.wanted, store.top());
        }
        let params = predicates.params(pred);
        let Some(templates) = selection.of(pred) else {
            for (&arg, &param) in copy.args.iter().zip(params) {
                meaning.insert(arg, store.constant(param));
            }
            return Self { below: unwound.same(store, at), above: store.top(), meaning };
        };
        let (mut below, mut above) = (Vec::new(), Vec::new());
        for &(template, direction) in templates {
            let [value, arg] =
                [&copy.values, &copy.args].map(|terms| said_of(store, template, params, terms));
            let link = store.fresh("z", store.sort(template));
            let link = store.constant(link);
            below.push(direction.relate(store, value, link));
            above.push(store.eq(link, arg));
            meaning.insert(link, template);
        }
        let below = store.and(&below);
        Self { below: store.implies(copy.wanted, below), above: store.and(&above), meaning }
    }
}

/// `template`, which is over `params`, of `terms`.
pub(super) fn said_of(
    store: &mut TermStore,
    template: Term,
    params: &[Symbol],
    terms: &[Term],
) -> Term {
    let map: Map<Term, Term> =
        params.iter().zip(terms).map(|(&param, &term)| (store.constant(param), term)).collect();
    substitute(store, &map, &[template])[0]
}
