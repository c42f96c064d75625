//! Clauses by the cases of their constraints.
//!
//! Clauses with the same predicates are often merged into one, whose constraint is a disjunction. A
//! cycle that takes one case again and again has a closure where the cycle of the whole clause has
//! none, so acceleration looks at cases as clauses of their own.
//!
//! Invariant: the rules of a clause are its cases; a step by one of them is a step by the clause.
//!
//! Source: [HIKKR12] §2, where a transition is a conjunction.

use shofar_chc::{Clause, ClauseId, NormalSystem};
use shofar_term::{Term, TermStore};

use crate::rule::Rule;

/// A clause with more cases stays whole.
const MOST_CASES: usize = 12;

/// The rules of all clauses, one for each case.
pub(super) fn rules(store: &mut TermStore, system: &NormalSystem) -> Vec<Rule> {
    let (mut clauses, mut origins): (Vec<Clause>, Vec<ClauseId>) = (Vec::new(), Vec::new());
    for (id, clause) in system.clauses() {
        // Facts and queries are in no cycle.
        let constraints = if clause.is_fact() || clause.is_query() {
            vec![clause.constraint]
        } else {
            cases(store, clause.constraint)
        };
        for constraint in constraints {
            clauses.push(Clause { constraint, ..clause.clone() });
            origins.push(id);
        }
    }
    let split = NormalSystem::of(store, (**system).clone().with_clauses(clauses));
    let mut rules = Rule::of_system(store, &split);
    for (rule, origin) in rules.iter_mut().zip(origins) {
        rule.clause = origin;
    }
    rules
}

/// Formulas whose disjunction is `formula`, each with fewer disjunctions among its conjuncts.
fn cases(store: &mut TermStore, formula: Term) -> Vec<Term> {
    let mut done = Vec::new();
    let mut open = vec![formula];
    while let Some(case) = open.pop() {
        let conjuncts = store.conjuncts(&[case]);
        let choice = conjuncts.iter().position(|&part| store.disjunction(part).is_some());
        match choice {
            Some(at) => {
                let parts = store.disjuncts(&[conjuncts[at]]);
                if done.len() + open.len() + parts.len() > MOST_CASES {
                    return vec![formula];
                }
                for part in parts.into_iter().rev() {
                    let mut with = conjuncts.clone();
                    with[at] = part;
                    open.push(store.and(&with));
                }
            }
            None if case == store.bottom() => (),
            None => done.push(case),
        }
    }
    done
}
