//! Which atoms of its clause hold in a step of a refutation.
//!
//! A folded refutation is confirmed if one and the same disjunct of a clause's constraint holds in
//! all iterations of a repeat. So a run through a loop in which the disjuncts change is folded in
//! pieces, at whose borders the truth of an atom changes.

use shofar_base::{Idx, fixed_hash};
use shofar_chc::{ChcSystem, DerivationStep};
use shofar_term::eval::Evaluator;
use shofar_term::visit::postorder;
use shofar_term::{Term, TermStore, View};

/// The atoms of all clauses.
pub(crate) struct Cases<'a> {
    store: &'a TermStore,
    /// By clause.
    atoms: Vec<Vec<Term>>,
}

impl<'a> Cases<'a> {
    pub(crate) fn new(store: &'a TermStore, system: &ChcSystem) -> Self {
        let is_atom = |&term: &Term| matches!(store.view(term), View::Atom | View::Predicate(..));
        let atoms = |constraint: Term| -> Vec<Term> {
            postorder(store, &[constraint]).into_iter().filter(is_atom).collect()
        };
        let atoms = system.clauses().map(|(_, clause)| atoms(clause.constraint)).collect();
        Self { store, atoms }
    }
    /// A number for each step: equal ones have the same atoms.
    pub(crate) fn of_steps(self) -> impl Fn(&DerivationStep) -> usize {
        move |step| {
            let mut evaluator = Evaluator::with_defaults(&step.assignment);
            let atoms = &self.atoms[step.clause.index()];
            let holds = atoms.iter().map(|&atom| evaluator.holds(self.store, atom).ok());
            let truths: Vec<Option<bool>> = holds.collect();
            usize::try_from(fixed_hash(&truths) >> 32).expect("half of a hash is small")
        }
    }
}

#[cfg(test)]
mod tests {
    use shofar_chc::read::read_horn;
    use shofar_chc::{ClauseId, Derivation};
    use shofar_term::eval::{Model, Value};

    use super::*;

    const EITHER: &[u8] = b"(set-logic HORN) (declare-fun p (Int) Bool) (assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (or (< x 50) (> x 20))) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (= x 100)) false))) (check-sat)";

    #[test]
    fn a_loop_is_cut_where_an_atom_changes() {
        let mut store = TermStore::new();
        let script = read_horn(EITHER, &mut store).expect("it is well written");
        let system = &script.problems[0].system;
        let ids: Vec<ClauseId> = system.clauses().map(|(id, _)| id).collect();
        let x = system.clause(ids[1]).variables(&store)[0];
        let step = |k: i64| {
            let mut assignment = Model::new();
            assignment.set(x, Value::Number(k.into()));
            let premises = usize::try_from(k).ok().and_then(|k| k.checked_sub(1));
            DerivationStep { clause: ids[1], assignment, premises: premises.into_iter().collect() }
        };
        let run = Derivation::ground((0..100).map(step).collect());
        assert_eq!(run.folded().repeats.len(), 1);
        let cut = run.folded_by(&Cases::new(&store, system).of_steps());
        let counts: Vec<String> = cut.repeats.iter().map(|it| it.count.to_string()).collect();
        assert_eq!(counts, ["21", "29", "50"]);
    }
}
