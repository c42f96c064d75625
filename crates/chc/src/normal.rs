//! Clauses whose arguments are distinct variables.
//!
//! In a normal clause all arguments of all atoms are variables, and no variable is an argument twice; what an argument has
//! to be is said by equations in the constraint. To resolve two such clauses is to rename, and so is to say one of states
//! at some time. So passes, rules of engines and the single-loop construction ask for a [`NormalSystem`], and nobody looks at
//! arguments again.
//!
//! Invariant: [`NormalSystem`] is made by normalising only. A clause keeps its id and all its variables when it is made
//! normal, so both kinds of witness stay what they are: a model is a model, and a derivation only knows the values of some
//! further variables.

use std::ops::Deref;

use shofar_base::{Map, Set};
use shofar_term::{Sort, Symbol, Term, TermStore};

use crate::{ChcSystem, Clause, Derivation, Interpretation, Problem, Verdict};

/// A system of normal clauses; see the module documentation.
#[derive(Clone, Debug, Default)]
pub struct NormalSystem(ChcSystem);

impl NormalSystem {
    /// The normal form of `system`; clauses that are normal stay as they are.
    pub fn of(store: &mut TermStore, system: ChcSystem) -> Self {
        if Self::is_normal(store, &system) {
            return Self(system);
        }
        let mut names = Names::default();
        let clauses: Vec<Clause> =
            system.clauses().map(|(_, clause)| normal(store, clause, &mut names)).collect();
        Self(system.with_clauses(clauses))
    }
    /// Whether all clauses of `system` are normal.
    pub fn is_normal(store: &TermStore, system: &ChcSystem) -> bool {
        system.clauses().all(|(_, clause)| is_normal(store, clause))
    }
    /// The clauses, whatever their form.
    pub fn into_clauses(self) -> ChcSystem {
        self.0
    }
}

impl Deref for NormalSystem {
    type Target = ChcSystem;
    fn deref(&self) -> &ChcSystem {
        &self.0
    }
}

impl Problem for NormalSystem {
    type Model = Interpretation;
    type Refutation = Derivation;
}

impl From<Verdict<NormalSystem>> for Verdict<ChcSystem> {
    fn from(verdict: Verdict<NormalSystem>) -> Self {
        match verdict {
            Verdict::Safe(model) => Verdict::Safe(model),
            Verdict::Unsafe(refutation) => Verdict::Unsafe(refutation),
        }
    }
}

fn is_normal(store: &TermStore, clause: &Clause) -> bool {
    let mut seen: Set<Term> = Set::default();
    let mut args = clause.body.iter().chain(&clause.head).flat_map(|atom| &atom.args);
    args.all(|&arg| store.symbol(arg).is_some() && seen.insert(arg))
}

/// New variables by sort; clauses share them.
#[derive(Default)]
struct Names(Map<Sort, Vec<Symbol>>);

impl Names {
    /// The new variable number `index` of `sort`.
    fn get(&mut self, store: &mut TermStore, sort: Sort, index: usize) -> Term {
        let names = self.0.entry(sort).or_default();
        while names.len() <= index {
            names.push(store.fresh("a", sort));
        }
        store.constant(names[index])
    }
}

fn normal(store: &mut TermStore, clause: &Clause, names: &mut Names) -> Clause {
    if is_normal(store, clause) {
        return clause.clone();
    }
    let mut result = clause.clone();
    let mut parts = vec![clause.constraint];
    let mut seen: Set<Term> = Set::default();
    let mut used: Map<Sort, usize> = Map::default();
    // Body first, so that its variables keep their names.
    for arg in result.body.iter_mut().chain(&mut result.head).flat_map(|atom| &mut atom.args) {
        if store.symbol(*arg).is_some() && seen.insert(*arg) {
            continue;
        }
        let sort = store.sort(*arg);
        let next = used.entry(sort).or_default();
        let name = names.get(store, sort, *next);
        *next += 1;
        parts.push(store.eq(name, *arg));
        *arg = name;
    }
    result.constraint = store.and(&parts);
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PredAtom;

    #[test]
    fn arguments_become_distinct_variables() {
        let mut s = TermStore::new();
        let mut system = ChcSystem::new();
        let pred = system.add_pred(s.declare("p", &[Sort::INT, Sort::INT], Sort::BOOL));
        let (x, one) = (s.var("x", Sort::INT), s.int(1));
        let more = s.add(&[x, one]);
        let (twice, next) = (vec![x, x], vec![x, more]);
        let clause = Clause {
            head: Some(PredAtom { pred, args: next }),
            body: vec![PredAtom { pred, args: twice }],
            constraint: s.top(),
            span: None,
        };
        let id = system.add_clause(clause.clone());
        assert!(!NormalSystem::is_normal(&s, &system));
        let normal = NormalSystem::of(&mut s, system);
        assert!(NormalSystem::is_normal(&s, &normal));
        let made = normal.clause(id);
        let head = made.head.as_ref().expect("it keeps its head");
        assert_eq!(made.body[0].args[0], x, "what is a variable already stays");
        let equations = [(made.body[0].args[1], x), (head.args[0], x), (head.args[1], more)];
        let equations = equations.map(|(name, term)| s.eq(name, term));
        assert_eq!(made.constraint, s.and(&equations));
        let again = NormalSystem::of(&mut s, normal.clone().into_clauses());
        assert_eq!(again.clause(id), made);
    }
}
