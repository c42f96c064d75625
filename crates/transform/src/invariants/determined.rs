//! Arguments that linear equations determine.
//!
//! If every derivable `p(x̄)` satisfies `xᵢ = t(x̄)`, where `t` does not mention `xᵢ`, the argument
//! can be left out: where `p` is used, the equation says what it is. A derivable fact satisfies the
//! equation, so derivations stay what they are, with the values of the arguments that
//! were left out. A model `M` of the new clauses becomes `A_p ∧ M_p`, where `A` is all that
//! abstract interpretation found: the clauses preserve `A` by themselves, and `A` implies the
//! equations.
//!
//! Invariant: no term of an argument that is left out mentions another one that is.
//!
//! Source: [Kar76] for the equations.

use shofar_base::{GaveUp, IndexVec, Map, Outcome};
use shofar_chc::{
    BackTranslation, ChcSystem, Clause, Definition, Derivation, Hint, Interpretation, NormalSystem,
    PredId, Translated, formal_params,
};
use shofar_domain::Relation;
use shofar_term::substitute::substitute;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Symbol, Term, TermStore};

use super::analysis::{Known, Lens, on_analysed};
use super::{Back, MEDIUM, literal};
use crate::Pass;
use crate::reshape::{Kept, all, positions, reshape, reshaped};
use crate::solve::definition_of;

/// Drops arguments that linear equations determine; see the module documentation.
#[derive(Clone, Copy, Debug, Default)]
pub struct DropDetermined;

impl Pass for DropDetermined {
    fn name(&self) -> &'static str {
        "determined"
    }
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        let lenses = &[Lens::Intervals, Lens::Equalities];
        on_analysed(cx, source, lenses, MEDIUM, |cx, source, found| {
            let determined: IndexVec<PredId, Determined> = source
                .preds()
                .map(|p| Determined::new(cx.store, source, &found.known, p))
                .collect();
            if determined.iter().all(|own| own.terms.is_empty()) {
                return Ok(None);
            }
            Ok(Some(without(cx.store, source, &found.known, determined)))
        })
    }
}

/// The arguments of a predicate that are left out.
struct Determined {
    params: Vec<Symbol>,
    /// Their positions, with what they are in terms of the parameters.
    terms: Vec<(usize, Term)>,
}

impl Determined {
    fn new(store: &mut TermStore, source: &ChcSystem, known: &Known, pred: PredId) -> Self {
        let params = formal_params(store, source, pred);
        let args: Vec<Term> = params.iter().map(|&param| store.constant(param)).collect();
        let mut this = Self { params, terms: Vec::new() };
        for fact in known[pred].iter().flatten() {
            if fact.relation == Relation::Equal {
                let equation = literal(store, fact, &args);
                this.solve(store, &args, equation);
            }
        }
        this
    }
    /// Leaves out the last argument that `equation` determines, given the others that are left out.
    fn solve(&mut self, store: &mut TermStore, args: &[Term], equation: Term) {
        let map: Map<Term, Term> = self.terms.iter().map(|&(at, term)| (args[at], term)).collect();
        let equation = substitute(store, &map, &[equation])[0];
        let mentioned = free_symbols(store, &[equation]);
        for (at, &param) in self.params.iter().enumerate().rev() {
            if mentioned.binary_search(&param).is_ok()
                && let Some(term) = definition_of(store, equation, param)
            {
                let map = [(args[at], term)].into_iter().collect();
                for (_, other) in &mut self.terms {
                    *other = substitute(store, &map, &[*other])[0];
                }
                self.terms.push((at, term));
                return;
            }
        }
    }
    /// The equations of `args`.
    fn equations(&self, store: &mut TermStore, args: &[Term]) -> Vec<Term> {
        let pairs = self.params.iter().zip(args);
        let map: Map<Term, Term> =
            pairs.map(|(&param, &arg)| (store.constant(param), arg)).collect();
        let said = |&(at, term): &(usize, Term)| {
            let term = substitute(store, &map, &[term])[0];
            store.eq(args[at], term)
        };
        self.terms.iter().map(said).collect()
    }
}

/// The clauses without the arguments that are determined.
fn without(
    store: &mut TermStore,
    source: &NormalSystem,
    known: &Known,
    determined: IndexVec<PredId, Determined>,
) -> Translated<ChcSystem, ChcSystem> {
    let mut kept: Kept = all(store, source, true);
    for pred in source.preds() {
        for &(at, _) in &determined[pred].terms {
            kept[pred][at] = false;
        }
    }
    let mut target = reshape(store, source, &kept);
    for (_, clause) in source.clauses() {
        let mut parts = vec![clause.constraint];
        for atom in &clause.body {
            parts.extend(determined[atom.pred].equations(store, &atom.args));
        }
        let head = clause.head.as_ref().map(|head| reshaped(head, &kept));
        let body = clause.body.iter().map(|atom| reshaped(atom, &kept)).collect();
        let constraint = store.and(&parts);
        target.add_clause(Clause { head, body, constraint, span: clause.span });
    }
    let origins = source.clauses().map(|(id, _)| id).collect();
    let back = Back::new(store, (**source).clone(), origins, known);
    let kept = kept.iter().map(|kept| positions(kept)).collect();
    (target, Box::new(WithDetermined { back, kept, determined }))
}

/// The way back.
struct WithDetermined {
    /// For models over all arguments.
    back: Back,
    /// The arguments that are left.
    kept: IndexVec<PredId, Vec<usize>>,
    determined: IndexVec<PredId, Determined>,
}

impl BackTranslation<ChcSystem, ChcSystem> for WithDetermined {
    fn hints(&self, store: &mut TermStore, hints: Vec<Hint>) -> Vec<Hint> {
        let follow = |hint: Hint| {
            let own = &self.determined[hint.pred];
            let formals: Vec<Term> =
                own.params.iter().map(|&param| store.constant(param)).collect();
            let mut args = formals.clone();
            for &(at, term) in &own.terms {
                args[at] = term;
            }
            let term = hint.apply(store, &args);
            let hint = Hint { params: own.params.clone(), term, ..hint };
            hint.projected(store, hint.pred, &self.kept[hint.pred])
        };
        hints.into_iter().filter_map(follow).collect()
    }
    fn model(&self, cx: &mut Cx<'_>, model: Interpretation) -> Outcome<Interpretation> {
        let mut whole = Interpretation::new();
        for pred in self.back.source.preds() {
            let found = model.get(pred).ok_or(GaveUp::wrong("the model lacks a predicate"))?;
            let params = self.determined[pred].params.clone();
            let args: Vec<Term> =
                self.kept[pred].iter().map(|&at| cx.store.constant(params[at])).collect();
            let body = found.apply(cx.store, &args);
            whole.define(pred, Definition { params, body });
        }
        self.back.model(cx, whole)
    }
    fn refutation(&self, cx: &mut Cx<'_>, refutation: Derivation) -> Outcome<Derivation> {
        self.back.refutation(cx, refutation)
    }
}
