//! Invariants found by abstract interpretation.
//!
//! Numerical domains (intervals, linear equalities, octagons, congruences) look at the clauses and find an inductive
//! over-approximation `A_p` of what is derivable for each predicate. It joins the bodies in which the predicate occurs, where they do not
//! imply it already. Clauses whose body becomes contradictory are dropped; predicates of which nothing is derivable are `false`.
//! A derivable fact satisfies `A`, so a refutation stays one, in both directions. A model `M` of the new clauses becomes
//! `A_p ∧ M_p`: the clauses preserve `A` by themselves, and `M` where `A` holds.
//!
//! Or nothing is added to clauses, and what is found becomes [hints](Hint) ([`Invariants::GUESSES`]).
//!
//! An engine may be slower on strengthened clauses than on others: atoms of `A` get into its lemmas. So there is a form that only drops
//! clauses ([`Invariants::PRUNING`]), for which the same ways back are right.
//!
//! Where there are very many clauses ([`Invariants::PRUNING_MANY`]), as in large programs, most queries need no more than a few bounds around them, and
//! an engine that looks at the whole takes much longer than all of this. If no query is left, the invariants are the model.
//!
//! | part | what it does |
//! |---|---|
//! | [`formula`] | constraints of clauses as graphs of linear constraints |
//! | [`cubes`] | clauses as few conjunctions |
//! | [`fixpoint`] | the iteration with widening and narrowing |
//! | [`analysis`] | several domains, each with what the others found |
//! | [`determined`] | arguments that equations determine are dropped |
//!
//! Source: [CC77]; on Horn clauses [HR18].
//! DIVERGENCE [HR18]: Eldarica propagates along clauses with intervals only, and forgets what it cannot write into the clause.

mod analysis;
mod cubes;
mod determined;
mod fixpoint;
mod formula;

pub use determined::DropDetermined;

use shofar_base::{GaveUp, Idx, IndexVec, Outcome};
use shofar_chc::{
    BackTranslation, ChcSystem, Clause, ClauseId, Definition, Derivation, Hint, HintKind,
    Interpretation, PredId, Translated, formal_params,
};
use shofar_domain::{Constraint, Dim, Form, Relation};
use shofar_num::Rational;
use shofar_term::{Cx, Linear, Term, TermStore};

use crate::Pass;
use crate::back::unchanged;
use crate::invariants::analysis::{Analysis, Known, Lens, Limits, on_analysed};
use crate::invariants::cubes::AbstractClause;
use crate::pipeline::MANY_CLAUSES;

/// Adds invariants to the bodies of clauses; see the module documentation.
#[derive(Clone, Copy, Debug)]
pub struct Invariants {
    name: &'static str,
    lenses: &'static [Lens],
    effect: Effect,
    limits: Limits,
}

/// What becomes of what is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    /// It joins the bodies of clauses.
    Strengthen,
    /// Clauses that it contradicts are dropped; others stay as they are.
    Prune,
    /// It becomes hints.
    Guess,
}

impl Invariants {
    const fn strengthening(name: &'static str, lenses: &'static [Lens]) -> Self {
        Self { name, lenses, effect: Effect::Strengthen, limits: LARGE }
    }
    /// All domains but congruences.
    pub const ALL: Self = Self::strengthening("invariants", SEVERAL);
    /// Bounds of single arguments.
    pub const INTERVALS: Self = Self::strengthening("intervals", &[Lens::Intervals]);
    /// Linear equations.
    pub const EQUALITIES: Self =
        Self::strengthening("equalities", &[Lens::Intervals, Lens::Equalities]);
    /// Bounds of sums and differences of two arguments.
    pub const OCTAGONS: Self = Self::strengthening("octagons", &[Lens::Intervals, Lens::Octagons]);
    /// Remainders of single arguments.
    pub const CONGRUENCES: Self =
        Self::strengthening("congruences", &[Lens::Intervals, Lens::Congruences]);
    /// All domains; clauses that never apply are dropped, and nothing is added to others.
    pub const PRUNING: Self =
        Self { name: "dead", lenses: ALL, effect: Effect::Prune, limits: SMALL };
    /// The same without remainders, if there are many clauses.
    pub const PRUNING_MANY: Self =
        Self { name: "dead_many", lenses: SEVERAL, effect: Effect::Prune, limits: MANY };
    /// All domains; the clauses stay as they are, and what is found becomes hints.
    pub const GUESSES: Self =
        Self { name: "guesses", lenses: SEVERAL, effect: Effect::Guess, limits: SMALL };
}

/// About a second of work at most.
const LARGE: Limits = Limits {
    fewest: 0,
    largest: 400_000,
    effort: 1_500_000,
    looks: usize::MAX,
    expansion: 200_000,
    until_safe: false,
};
/// About a tenth of a second of work at most.
const SMALL: Limits = Limits { largest: 30_000, effort: 400_000, expansion: 20_000, ..LARGE };
/// As much work as other passes have with so many clauses.
const MANY: Limits = Limits {
    fewest: MANY_CLAUSES,
    largest: 4_000_000,
    effort: 400_000_000,
    looks: 1_000,
    expansion: 400_000,
    until_safe: true,
};
/// Equations tighten intervals, and both tighten octagons.
const SEVERAL: &[Lens] = &[Lens::Intervals, Lens::Equalities, Lens::Intervals, Lens::Octagons];
/// The same, with remainders.
const ALL: &[Lens] =
    &[Lens::Intervals, Lens::Equalities, Lens::Intervals, Lens::Octagons, Lens::Congruences];

impl Pass for Invariants {
    fn name(&self) -> &'static str {
        self.name
    }
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        if source.clause_count() < self.limits.fewest {
            return Ok(unchanged(source));
        }
        on_analysed(cx, source, self.lenses, self.limits, |cx, source, found| {
            let source = (**source).clone();
            if self.effect == Effect::Guess {
                return Ok(Some(with_hints(cx.store, source, &found.known)));
            }
            let is_alive = |clause: &AbstractClause| !clause.cubes.is_empty();
            if self.effect == Effect::Prune && found.clauses.clauses.iter().all(is_alive) {
                return Ok(None);
            }
            Ok(Some(with_invariants(cx.store, source, found, self.effect)))
        })
    }
}

/// The same clauses, with what is known as hints.
fn with_hints(
    store: &mut TermStore,
    mut source: ChcSystem,
    known: &Known,
) -> Translated<ChcSystem, ChcSystem> {
    for pred in source.preds() {
        let params = formal_params(store, &source, pred);
        let args: Vec<Term> = params.iter().map(|&param| store.constant(param)).collect();
        for fact in known[pred].iter().flatten() {
            let (term, params) = (literal(store, fact, &args), params.clone());
            source.add_hints([Hint { pred, params, term, kind: HintKind::Predicate }]);
        }
    }
    unchanged(source)
}

/// The clauses with what is known of their bodies.
fn with_invariants(
    store: &mut TermStore,
    source: ChcSystem,
    found: &Analysis<'_>,
    effect: Effect,
) -> Translated<ChcSystem, ChcSystem> {
    let (mut clauses, mut origins) = (Vec::new(), IndexVec::new());
    let mut expansion = LARGE.expansion;
    for (id, clause) in source.clauses() {
        if found.clauses.clauses[id].cubes.is_empty() {
            continue;
        }
        let constraint = match effect {
            Effect::Prune | Effect::Guess => clause.constraint,
            Effect::Strengthen => strengthened(store, clause, &found.known, &mut expansion),
        };
        clauses.push(Clause { constraint, ..clause.clone() });
        let _: ClauseId = origins.push(id);
    }
    let target = source.with_clauses(clauses);
    let back = Back::new(store, source, origins, &found.known);
    (target, Box::new(back))
}

/// The constraint of a clause with what is known of its body and is not implied by it.
fn strengthened(
    store: &mut TermStore,
    clause: &Clause,
    known: &Known,
    expansion: &mut usize,
) -> Term {
    let seen = AbstractClause::new(store, clause, expansion);
    let mut parts = vec![clause.constraint];
    for (atom, (pred, dims)) in clause.body.iter().zip(&seen.body) {
        for fact in known[*pred].iter().flatten() {
            if !seen.implies(&fact.renamed(|dim| dims[dim.index()])) {
                parts.push(literal(store, fact, &atom.args));
            }
        }
    }
    store.and(&parts)
}

/// What a constraint says about arguments.
fn literal(store: &mut TermStore, constraint: &Constraint, args: &[Term]) -> Term {
    let Constraint { form, relation, bound } = constraint;
    if let [(dim, c)] = form.monomials()
        && store.sort(args[dim.index()]).is_bool()
    {
        return truth(store, args[dim.index()], c, relation, bound);
    }
    let monomials = form.monomials().iter().map(|(dim, c)| (c.clone(), args[dim.index()]));
    let mut linear = Linear::from_monomials(monomials.collect(), Rational::ZERO);
    match relation {
        Relation::Congruent(modulus) => {
            let sort = shofar_term::Sort::INT;
            let (sum, rest) = (store.sum(&linear, sort), store.number(bound.clone(), sort));
            let is = store.modulo(sum, modulus);
            return store.eq(is, rest);
        }
        Relation::AtMost | Relation::Below | Relation::Equal | Relation::Differs => (),
    }
    linear.constant -= bound;
    match relation {
        Relation::AtMost => store.le_zero(&linear),
        Relation::Below => store.lt_zero(&linear),
        Relation::Equal => store.eq_zero(&linear),
        Relation::Differs => {
            let equal = store.eq_zero(&linear);
            store.not(equal)
        }
        Relation::Congruent(_) => unreachable!("congruences are above"),
    }
}

/// What `c·b` compared with `bound` says about a truth value `b`.
fn truth(
    store: &mut TermStore,
    value: Term,
    c: &Rational,
    relation: &Relation,
    bound: &Rational,
) -> Term {
    let form = Form::of(Dim::from_index(0));
    let constraint = Constraint { form, relation: relation.clone(), bound: bound.clone() };
    let holds = |number: Rational| constraint.holds(&[number * c].into_iter().collect());
    match (holds(Rational::ZERO), holds(Rational::ONE)) {
        (true, true) => store.top(),
        (false, true) => value,
        (true, false) => store.not(value),
        (false, false) => store.bottom(),
    }
}

/// The way back; see the module documentation.
struct Back {
    source: ChcSystem,
    /// The clauses that are still there.
    origins: IndexVec<ClauseId, ClauseId>,
    /// What is known of the formal parameters of each predicate.
    known: IndexVec<PredId, Term>,
}

impl Back {
    fn new(
        store: &mut TermStore,
        source: ChcSystem,
        origins: IndexVec<ClauseId, ClauseId>,
        known: &Known,
    ) -> Self {
        let mut terms = IndexVec::new();
        for pred in source.preds() {
            let params = formal_params(store, &source, pred);
            let args: Vec<Term> = params.iter().map(|&param| store.constant(param)).collect();
            let _: PredId = terms.push(match &known[pred] {
                None => store.bottom(),
                Some(facts) => {
                    let parts: Vec<Term> =
                        facts.iter().map(|fact| literal(store, fact, &args)).collect();
                    store.and(&parts)
                }
            });
        }
        Self { source, origins, known: terms }
    }
}

impl BackTranslation<ChcSystem, ChcSystem> for Back {
    fn hints(&self, _: &mut TermStore, hints: Vec<Hint>) -> Vec<Hint> {
        hints
    }
    fn model(&self, cx: &mut Cx<'_>, model: Interpretation) -> Outcome<Interpretation> {
        let mut result = Interpretation::new();
        for pred in self.source.preds() {
            cx.budget.check()?;
            let found = model.get(pred).ok_or(GaveUp::wrong("the model lacks a predicate"))?;
            let params = formal_params(cx.store, &self.source, pred);
            let args: Vec<Term> = params.iter().map(|&param| cx.store.constant(param)).collect();
            let (found, known) = (found.apply(cx.store, &args), self.known[pred]);
            let body = cx.store.and(&[known, found]);
            result.define(pred, Definition { params, body });
        }
        Ok(result)
    }
    fn refutation(&self, _: &mut Cx<'_>, mut refutation: Derivation) -> Outcome<Derivation> {
        for step in &mut refutation.steps {
            step.clause = self.origins[step.clause];
        }
        Ok(refutation)
    }
}
