//! Clauses in the form that the CHC competition asks for.
//!
//! Arguments of predicates are distinct variables ([`NormalSystem`]), and there is one query:
//! several derive a predicate of their own, from which the only one follows.

use shofar_base::Set;
use shofar_term::{Sort, Symbol, TermStore};

use crate::{ChcSystem, Clause, NormalSystem, PredAtom};

/// The clauses in the form of the competition. They keep their ids; the query that several have in
/// common is behind them.
pub fn competition_form(store: &mut TermStore, system: &ChcSystem) -> ChcSystem {
    let normal = NormalSystem::of(store, system.clone()).into_clauses();
    if system.clauses().filter(|(_, clause)| clause.is_query()).count() < 2 {
        return normal;
    }
    let mut result = normal.with_clauses([]);
    let pred = result.add_pred(unused(store, system));
    let bad = PredAtom { pred, args: Vec::new() };
    for (_, clause) in normal.clauses() {
        let head = clause.head.clone().or_else(|| Some(bad.clone()));
        result.add_clause(Clause { head, ..clause.clone() });
    }
    let (body, constraint) = (vec![bad], store.top());
    result.add_clause(Clause { head: None, body, constraint, span: None });
    result
}

/// A predicate without arguments whose name no other one has.
fn unused(store: &mut TermStore, system: &ChcSystem) -> Symbol {
    let name_of = |pred| store.name(system.symbol(pred)).to_owned();
    let taken: Set<String> = system.preds().map(name_of).collect();
    let mut name = "violated".to_owned();
    while taken.contains(&name) {
        name.push('_');
    }
    store.declare(&name, &[], Sort::BOOL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print::print_horn;
    use crate::read::read_horn;

    #[test]
    fn arguments_become_variables_and_queries_one() {
        let text = b"(set-logic HORN) (declare-fun p (Int Int) Bool) (declare-fun violated () Bool)
            (assert (p 0 0))
            (assert (forall ((x Int)) (=> (p x x) (p (+ x 1) x))))
            (assert (forall ((x Int)) (=> (p x 3) false)))
            (assert (forall ((x Int)) (=> violated false))) (check-sat)";
        let mut store = TermStore::new();
        let system = read_horn(text, &mut store).unwrap().problems.remove(0).system;
        let flat = competition_form(&mut store, &system);
        flat.assert_well_formed(&store);
        assert_eq!((flat.pred_count(), flat.clause_count()), (3, 5));
        let mut out = Vec::new();
        print_horn(&mut out, &mut store, &flat, &[]).unwrap();
        let shown = String::from_utf8(out).unwrap();
        assert_eq!(shown.matches("false))").count(), 1, "{shown}");
        assert!(shown.contains("(=> violated_ false)"), "{shown}");
        assert!(NormalSystem::already(&store, flat).is_ok(), "{shown}");
    }
}
