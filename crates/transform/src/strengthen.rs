//! Clauses strengthened by known invariants.
//!
//! If `p(x) ⇒ φ(x)` holds in the least model, adding `φ(args)` to every body that has `p(args)`
//! changes nothing about what is derivable. A model `M` of the strengthened clauses becomes the
//! model `M ∧ φ` of the clauses themselves, provided that the invariants are inductive together; a
//! refutation stays as it is. Invariant: a [`Strengthen`] has been shown to be inductive by queries
//! of its own, or is made of what such a one kept; of candidates it keeps the largest part that is.

use shofar_base::Outcome;
use shofar_chc::{
    BackTranslation, ChcSystem, Clause, Definition, Derivation, Interpretation, NormalSystem,
    PredId, Translated,
};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::{Cx, Term, TermStore};

/// Adds invariants to the bodies of clauses.
#[derive(Clone, Debug, Default)]
pub struct Strengthen {
    invariants: Vec<(PredId, Definition)>,
}

impl Strengthen {
    /// The largest part of `candidates` that is inductive: what some clause does not preserve is
    /// dropped until all is.
    pub fn inductive(
        cx: &mut Cx<'_>,
        system: &ChcSystem,
        candidates: Vec<(PredId, Definition)>,
    ) -> Outcome<Self> {
        Self::inductive_with(cx, system, Vec::new(), candidates)
    }
    /// The same for candidates that come after `known`, which is inductive by itself and stays.
    pub fn inductive_with(
        cx: &mut Cx<'_>,
        system: &ChcSystem,
        known: Vec<(PredId, Definition)>,
        candidates: Vec<(PredId, Definition)>,
    ) -> Outcome<Self> {
        let first = known.len();
        let mut this = Self { invariants: known };
        this.invariants.extend(candidates);
        loop {
            let mut lost = None;
            for (_, clause) in system.clauses() {
                lost = this.not_preserved(cx, clause, first)?;
                if lost.is_some() {
                    break;
                }
            }
            match lost {
                Some(at) => drop(this.invariants.remove(at)),
                None => return Ok(this),
            }
        }
    }
    /// An invariant of the head, `first` or later, that does not follow from the body and the
    /// invariants there.
    fn not_preserved(
        &self,
        cx: &mut Cx<'_>,
        clause: &Clause,
        first: usize,
    ) -> Outcome<Option<usize>> {
        let Some(head) = &clause.head else { return Ok(None) };
        if !self.invariants[first..].iter().any(|(pred, _)| *pred == head.pred) {
            return Ok(None);
        }
        let mut solver = Solver::new(Options::default());
        let body = self.body(cx.store, clause);
        solver.add(cx.store, body);
        for (at, (pred, lemma)) in self.invariants.iter().enumerate().skip(first) {
            if *pred != head.pred {
                continue;
            }
            let claim = lemma.apply(cx.store, &head.args);
            let denied = cx.store.not(claim);
            match solver.check_assuming(cx, &[denied])? {
                Answer::Sat(_) => return Ok(Some(at)),
                Answer::Unsat(_) => {}
            }
        }
        Ok(None)
    }
    /// Invariants that are inductive together, as [`invariants`](Self::invariants) told.
    pub fn proved(invariants: Vec<(PredId, Definition)>) -> Self {
        Self { invariants }
    }
    /// The invariants, in the order of the candidates.
    pub fn invariants(&self) -> &[(PredId, Definition)] {
        &self.invariants
    }
    /// The constraint of a clause with what is known of the predicates in its body.
    fn body(&self, store: &mut TermStore, clause: &Clause) -> Term {
        let mut parts = vec![clause.constraint];
        for atom in &clause.body {
            let known = self.invariants.iter().filter(|(pred, _)| *pred == atom.pred);
            parts.extend(known.map(|(_, lemma)| lemma.apply(store, &atom.args)));
        }
        store.and(&parts)
    }
    /// Makes the new system and the way back.
    pub fn apply(
        self,
        store: &mut TermStore,
        source: &NormalSystem,
    ) -> Translated<NormalSystem, NormalSystem> {
        let clauses: Vec<Clause> = source
            .clauses()
            .map(|(_, clause)| Clause { constraint: self.body(store, clause), ..clause.clone() })
            .collect();
        (NormalSystem::of(store, source.with_clauses(clauses)), Box::new(self))
    }
}

impl BackTranslation<NormalSystem, NormalSystem> for Strengthen {
    fn model(&self, cx: &mut Cx<'_>, mut model: Interpretation) -> Outcome<Interpretation> {
        for (pred, lemma) in &self.invariants {
            let Some(definition) = model.get(*pred).cloned() else { continue };
            let args: Vec<Term> =
                definition.params.iter().map(|&param| cx.store.constant(param)).collect();
            let parts = [definition.body, lemma.apply(cx.store, &args)];
            let body = cx.store.and(&parts);
            model.define(*pred, Definition { body, ..definition });
        }
        Ok(model)
    }
    fn refutation(&self, _: &mut Cx<'_>, refutation: Derivation) -> Outcome<Derivation> {
        Ok(refutation)
    }
}
