//! Invariants found by abstract interpretation.
//!
//! Numerical domains (intervals, linear equalities, octagons, congruences) look at the clauses and
//! find an inductive over-approximation `A_p` of what is derivable for each predicate. It joins the
//! bodies in which the predicate occurs, where they do not imply it already. Clauses whose body
//! becomes contradictory are dropped; predicates of which nothing is derivable are `false`.
//! A derivable fact satisfies `A`, so a refutation stays one, in both directions. A model `M` of
//! the new clauses becomes `A_p ∧ M_p`: the clauses preserve `A` by themselves, and `M` where `A`
//! holds.
//!
//! Or nothing is added to clauses, and what is found becomes [hints](Hint) ([`Effect::Hint`]).
//!
//! An engine may be slower on strengthened clauses than on others: atoms of `A` get into its
//! lemmas. So there is a form that only drops clauses ([`Effect::Drop`]), for which the same ways
//! back are right. If no query is left, the invariants are the model.
//!
//! Where there are very many clauses, as in large programs, most queries need no more than a few
//! bounds around them, and an engine that looks at the whole takes much longer than all of this
//! ([`Effort::High`]).
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
//! DIVERGENCE [HR18]: Eldarica propagates along clauses with intervals only, and forgets what it
//! cannot write into the clause.

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

/// Finds invariants; see the module documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invariants {
    /// What is looked for.
    pub domains: Domains,
    /// What becomes of what is found.
    pub effect: Effect,
    /// How much work it may be.
    pub effort: Effort,
}

impl Default for Invariants {
    /// All domains but congruences, about a second.
    fn default() -> Self {
        let domains = Domains { congruences: false, ..Domains::ALL };
        Self { domains, effect: Effect::default(), effort: Effort::default() }
    }
}

/// Domains beside intervals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Domains {
    /// Linear equations.
    pub equalities: bool,
    /// Bounds of sums and differences of two arguments.
    pub octagons: bool,
    /// Remainders of single arguments.
    pub congruences: bool,
}

impl Domains {
    /// All of them.
    pub const ALL: Self = Self { equalities: true, octagons: true, congruences: true };

    /// Equations tighten intervals, and both tighten octagons.
    fn lenses(self) -> impl Iterator<Item = Lens> {
        let Self { equalities, octagons, congruences } = self;
        let of = |lens, is_used: bool| is_used.then_some(lens);
        [
            Some(Lens::Intervals),
            of(Lens::Equalities, equalities),
            of(Lens::Intervals, equalities && (octagons || congruences)),
            of(Lens::Octagons, octagons),
            of(Lens::Congruences, congruences),
        ]
        .into_iter()
        .flatten()
    }
}

/// What becomes of what is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effect {
    /// It joins the bodies of clauses.
    #[default]
    Strengthen,
    /// It becomes hints.
    Hint,
    /// Clauses that it contradicts are dropped; others stay as they are.
    Drop,
}

/// How much work an analysis may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// About a tenth of a second at most.
    Low,
    /// About a second at most.
    #[default]
    Medium,
    /// As much work as other passes have with thousands of clauses.
    High,
}

impl Effort {
    fn limits(self) -> Limits {
        match self {
            Effort::Low => Limits { largest: 30_000, effort: 400_000, expansion: 20_000, ..MEDIUM },
            Effort::Medium => MEDIUM,
            Effort::High => Limits {
                largest: 4_000_000,
                effort: 400_000_000,
                looks: Some(1_000),
                expansion: 400_000,
                until_safe: false,
            },
        }
    }
}

const MEDIUM: Limits = Limits {
    largest: 400_000,
    effort: 1_500_000,
    looks: None,
    expansion: 200_000,
    until_safe: false,
};

impl Pass for Invariants {
    fn name(&self) -> &'static str {
        "invariants"
    }
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        let lenses: Vec<Lens> = self.domains.lenses().collect();
        let until_safe = self.effect == Effect::Drop;
        let limits = Limits { until_safe, ..self.effort.limits() };
        on_analysed(cx, source, &lenses, limits, |cx, source, found| {
            let source = (**source).clone();
            if self.effect == Effect::Hint {
                return Ok(Some(with_hints(cx.store, source, &found.known)));
            }
            let is_alive = |clause: &AbstractClause| !clause.cubes.is_empty();
            if self.effect == Effect::Drop && found.clauses.clauses.iter().all(is_alive) {
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
    let mut expansion = MEDIUM.expansion;
    for (id, clause) in source.clauses() {
        if found.clauses.clauses[id].cubes.is_empty() {
            continue;
        }
        let constraint = match effect {
            Effect::Drop | Effect::Hint => clause.constraint,
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
