//! The example of `docs/adding-a-pass.md`: a pass that this crate does not have, written against
//! its public interface.
//!
//! `p(t) ∧ φ → p(t)` holds whatever `p` means. Such clauses are dropped; models stay as they are,
//! and the steps of a refutation get the numbers of their clauses back.

mod support;

use shofar_base::{Budget, IndexVec, Outcome, Rng};
use shofar_chc::{
    BackTranslation, ChcSystem, Clause, ClauseId, Derivation, Interpretation, Transformation,
    Translated, Verdict,
};
use shofar_term::{Cx, TermStore};
use shofar_transform::{Pass, Pipeline};
use support::random::{Config, system};
use support::{saturate, validate};

/// Drops clauses whose head is in their body.
struct DropTautologies;

impl Pass for DropTautologies {
    fn name(&self) -> &'static str {
        "tautologies"
    }
    fn apply(
        &self,
        _: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        let (mut clauses, mut origins) = (Vec::new(), IndexVec::new());
        for (id, clause) in source.clauses() {
            if !is_tautology(clause) {
                clauses.push(clause.clone());
                let _: ClauseId = origins.push(id);
            }
        }
        Ok((source.with_clauses(clauses), Box::new(Renumbered { origins })))
    }
}

fn is_tautology(clause: &Clause) -> bool {
    clause.head.as_ref().is_some_and(|head| clause.body.contains(head))
}

/// The way back: which clause of the source each clause of the target was.
struct Renumbered {
    origins: IndexVec<ClauseId, ClauseId>,
}

impl BackTranslation<ChcSystem, ChcSystem> for Renumbered {
    fn model(&self, _: &mut Cx<'_>, model: Interpretation) -> Outcome<Interpretation> {
        Ok(model)
    }
    fn refutation(&self, _: &mut Cx<'_>, mut refutation: Derivation) -> Outcome<Derivation> {
        for step in &mut refutation.steps {
            step.clause = self.origins[step.clause];
        }
        Ok(refutation)
    }
}

/// A random system with a tautology in front of every clause that has a head.
fn with_tautologies(store: &mut TermStore, seed: u64) -> ChcSystem {
    let config =
        Config { preds: 3, clauses: 8, max_body: 2, uniform: false, wild_arguments: false };
    let plain = system(store, &mut Rng::new(seed), config);
    let mut clauses = Vec::new();
    for (_, clause) in plain.clauses() {
        if let Some(head) = &clause.head {
            clauses.push(Clause { body: vec![head.clone()], ..clause.clone() });
        }
        clauses.push(clause.clone());
    }
    plain.with_clauses(clauses)
}

#[test]
fn tautologies_go_and_witnesses_come_back() {
    let (mut safe, mut with_refutation) = (0, 0);
    for seed in 0..60 {
        let mut store = TermStore::new();
        let source = with_tautologies(&mut store, seed);
        let budget = Budget::unlimited();
        let cx = &mut Cx::new(&mut store, &budget);
        let pipeline = Pipeline::new(vec![Box::new(DropTautologies)]);
        let (target, back) = pipeline.apply(cx, source.clone()).expect("there is no limit");
        assert!(target.clauses().all(|(_, clause)| !is_tautology(clause)));
        assert!(target.clause_count() < source.clause_count());
        match saturate::solve(cx, &target, 150) {
            Some(Verdict::Safe(model)) => {
                safe += 1;
                let model = back.model(cx, model).expect("models come back");
                validate::model(cx, &source, &model);
            }
            Some(Verdict::Unsafe(refutation)) => {
                with_refutation += 1;
                let refutation = back.refutation(cx, refutation).expect("refutations come back");
                validate::derivation(cx, &source, &refutation);
            }
            None => (),
        }
    }
    assert!(safe >= 3 && with_refutation >= 3, "both verdicts: {safe}, {with_refutation}");
}
