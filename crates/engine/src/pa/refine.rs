//! Refinement: a counterexample, or predicates that exclude it.
//!
//! The formulas of an and/or tree, with the values of every copy equal to its arguments, have a
//! model if and only if the tree has a derivation of `false`. Otherwise the clauses of the tree,
//! said of its copies, are recursion-free and solvable, and what [`NormalForm::solve`] finds for a
//! copy becomes a predicate of its symbol: tree interpolants if there is one way to derive each
//! copy, disjunctive ones if there are several.
//!
//! *Interpolation abstraction*: the values and the arguments of a copy need not be equal if the
//! refutation does not depend on it. A [selection](super::lattice) of templates `tᵢ` says what has
//! to be equal, or ordered: a copy `p(x̄)` in a head becomes `p'(z̄)` with `tᵢ(x̄) ⋈ zᵢ`, in a body
//! `p'(t₁(x̄), …, tₖ(x̄))`. If the clauses stay solvable, `p(x̄)` means `p'(t₁(x̄), …, tₖ(x̄))`.
//!
//! Source: [RHK13] (disjunctive interpolants by tree interpolants; TI and DI); [LRS16] §3 and §5
//! for interpolation abstraction.

use shofar_base::{Map, Outcome};
use shofar_chc::{Derivation, PredId};
use shofar_rf::{NormalForm, Solved};
use shofar_smt::{Answer, Interpolation, Options, Solver};
use shofar_term::compact::compact;
use shofar_term::substitute::substitute;
use shofar_term::{Cx, Phase, Sort, Symbol, Term, TermStore};

use super::lattice::{Selection, select};
use super::predicates::Predicates;
use super::statistics::Statistics;
use super::template::{Direction, Families};
use super::tree::Tree;
use super::unwound::{SaidWay, Unwound};
use crate::rule::Rule;

/// What a tree is good for.
pub(super) enum Refined {
    /// It derives `false`.
    Counterexample(Derivation),
    /// A formula for each copy but the root that excludes all its derivations, over the parameters
    /// of its symbol.
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
            let derivation = unwound.derivation(cx.store, self.rules, tree, &model)?;
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
        cx.phase(Phase::Interpolation, |cx| self.solve(cx, predicates, tree, &unwound, &selection))
            .map(Refined::Excluded)
    }
    /// Formulas for all copies but the root that solve the clauses of the tree, tied as `selection`
    /// says.
    fn solve(
        &self,
        cx: &mut Cx<'_>,
        predicates: &Predicates,
        tree: &Tree,
        unwound: &Unwound,
        selection: &Selection,
    ) -> Outcome<Vec<Term>> {
        let count = tree.copies.len();
        let mut form = NormalForm::new();
        let ties: Vec<Tie> = (1..count)
            .map(|at| Tie::new(cx.store, &mut form, predicates, tree, unwound, selection, at))
            .collect();
        for at in 0..count {
            let ways = tree.copies[at].ways.iter().zip(&unwound.copies[at].ways);
            for (way, SaidWay { instance, known, .. }) in ways {
                let own = at.checked_sub(1).map(|at| &ties[at]);
                let mut parts = vec![instance.guard, *known];
                parts.extend(own.map(|tie| tie.below(cx.store, &instance.head)));
                parts.extend(way.kids.iter().map(|&kid| ties[kid - 1].above));
                let body = way.kids.iter().map(|&kid| ties[kid - 1].symbol).collect();
                let constraint = cx.store.and(&parts);
                form.add_clause(own.map(|tie| tie.symbol), body, constraint);
            }
        }
        let options =
            shofar_rf::Options { seed: self.seed, interpolation: self.interpolation.clone() };
        let found = match form.solve(cx, &options)? {
            Solved::Solution(found) => found,
            Solved::Counterexample(_) => unreachable!("a selection keeps the tree contradictory"),
        };
        let mut result = Vec::new();
        for tie in ties {
            let formula = substitute(cx.store, &tie.meaning, &[found[tie.symbol]])[0];
            result.push(compact(cx.store, formula));
        }
        Ok(result)
    }
}

/// How a copy hangs together with the clause above it.
struct Tie {
    /// The copy among the recursion-free clauses; its parameters are the links.
    symbol: PredId,
    /// What a clause that derives the copy says about the links: what of the values, over the
    /// parameters of the symbol, is related to which link, and how.
    links: Vec<(Term, Direction, Term)>,
    /// What the clause above says about them.
    above: Term,
    /// The links in terms of the parameters of the symbol.
    meaning: Map<Term, Term>,
    params: Vec<Symbol>,
}

impl Tie {
    fn new(
        store: &mut TermStore,
        form: &mut NormalForm,
        predicates: &Predicates,
        tree: &Tree,
        unwound: &Unwound,
        selection: &Selection,
        at: usize,
    ) -> Self {
        let pred = tree.copies[at].pred.expect("only the root has no symbol");
        let args = &unwound.copies[at].args;
        let params = predicates.params(pred).to_vec();
        let (mut links, mut above) = (Vec::new(), Vec::new());
        if let Some(templates) = selection.of(pred) {
            for &(template, direction) in templates {
                let link = store.fresh("z", store.sort(template));
                let link = store.constant(link);
                let arg = said_of(store, template, &params, args);
                above.push(store.eq(link, arg));
                links.push((template, direction, link));
            }
        } else {
            for (&param, &arg) in params.iter().zip(args) {
                links.push((store.constant(param), Direction::Both, arg));
            }
        }
        let names =
            links.iter().map(|&(.., link)| store.symbol(link).expect("links are constants"));
        let symbol = form.add_symbol(names.collect());
        let meaning = links.iter().map(|&(template, _, link)| (link, template)).collect();
        Self { symbol, links, above: store.and(&above), meaning, params }
    }
    /// That the copy is derived with these values.
    fn below(&self, store: &mut TermStore, values: &[Term]) -> Term {
        let mut parts = Vec::new();
        for &(template, direction, link) in &self.links {
            let value = said_of(store, template, &self.params, values);
            parts.push(direction.relate(store, value, link));
        }
        store.and(&parts)
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
