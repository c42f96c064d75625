//! Whether witnesses are witnesses.

use shofar_chc::{ChcSystem, Derivation, Interpretation};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::Cx;
use shofar_term::eval::{Value, evaluate_with_defaults};
use shofar_term::print::print;

/// Panics if `derivation` is not a refutation of `system`.
pub(crate) fn derivation(cx: &Cx<'_>, system: &ChcSystem, derivation: &Derivation) {
    let last = derivation.steps.len().checked_sub(1).expect("a refutation has a step");
    for (at, step) in derivation.steps.iter().enumerate() {
        let clause = system.clause(step.clause);
        let holds = evaluate_with_defaults(cx.store, clause.constraint, &step.assignment)
            .expect("it has a value");
        assert_eq!(holds, Value::Bool(true), "step {at}: the constraint of {clause:?}");
        assert_eq!(clause.body.len(), step.premises.len(), "step {at}: premises");
        for (atom, &premise) in clause.body.iter().zip(&step.premises) {
            assert!(premise < at, "step {at}: premises come first");
            let values = atom
                .args
                .iter()
                .map(|&t| {
                    evaluate_with_defaults(cx.store, t, &step.assignment).expect("it has a value")
                })
                .collect();
            let fact = derivation.fact(cx.store, system, premise);
            assert_eq!(fact, Ok(Some((atom.pred, values))), "step {at}: premise {premise}");
        }
        assert_eq!(at == last, clause.is_query(), "the last step, and no other, is a query");
    }
}

/// Panics if `model` does not make all clauses of `system` valid.
pub(crate) fn model(cx: &mut Cx<'_>, system: &ChcSystem, model: &Interpretation) {
    for (id, clause) in system.clauses() {
        let mut solver = Solver::new(Options::default());
        solver.add(cx.store, clause.constraint);
        for atom in &clause.body {
            let definition = model.get(atom.pred).expect("every predicate is defined");
            let holds = definition.apply(cx.store, &atom.args);
            solver.add(cx.store, holds);
        }
        if let Some(head) = &clause.head {
            let definition = model.get(head.pred).expect("every predicate is defined");
            let holds = definition.apply(cx.store, &head.args);
            let fails = cx.store.not(holds);
            solver.add(cx.store, fails);
        }
        let valid =
            matches!(solver.check(cx).expect("small queries are decided"), Answer::Unsat(_));
        assert!(
            valid,
            "clause {id:?} is not valid: {clause:?} with constraint {}",
            print(cx.store, clause.constraint)
        );
    }
}
