//! Programs: clauses that are facts or linear rules, seen as locations and transitions.
//!
//! A predicate is a location, its arguments are the variables there; a fact says where runs begin,
//! a rule is a transition. Queries say nothing about runs, and are left out. An argument with a
//! case distinction becomes a variable that an equation defines, since only formulas
//! are taken apart into cases.

use std::collections::{BTreeMap, BTreeSet};

use shofar_base::{GaveUp, Outcome};
use shofar_chc::{ChcSystem, Clause, ClauseId, Interpretation, PredAtom, PredId};
use shofar_term::substitute::rename;
use shofar_term::symbols::free_symbols;
use shofar_term::visit::postorder;
use shofar_term::{Kind, Sort, Symbol, Term, TermStore};

/// A transition of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Its clause.
    pub clause: ClauseId,
    /// Where it begins.
    pub from: PredId,
    /// Where it leads.
    pub to: PredId,
}

/// Facts and linear rules over numbers and truth values.
#[derive(Clone, Debug)]
pub struct Program {
    system: ChcSystem,
    transitions: Vec<Transition>,
}

impl Program {
    /// The program that the clauses of `system` are, without its queries.
    pub fn new(store: &mut TermStore, system: &ChcSystem) -> Outcome<Self> {
        let rules = system.clauses().map(|(_, clause)| clause).filter(|c| !c.is_query()).cloned();
        let rules = rules.map(|clause| without_cases(store, clause)).collect::<Vec<_>>();
        let mut system = system.with_clauses(rules);
        system.take_hints();
        name_arguments(store, &mut system);
        let mut transitions = Vec::new();
        for (id, clause) in system.clauses() {
            let mut sorts = clause.variables(store).into_iter().map(|symbol| store.result(symbol));
            if !sorts.all(|sort| [Sort::INT, Sort::REAL, Sort::BOOL].contains(&sort)) {
                return Err(GaveUp::unsupported("termination with arrays, data or bit-vectors"));
            }
            match (clause.body.as_slice(), &clause.head) {
                ([], _) | (_, None) => {}
                ([body], Some(head)) => {
                    transitions.push(Transition { clause: id, from: body.pred, to: head.pred });
                }
                ([_, _, ..], Some(_)) => {
                    return Err(GaveUp::unsupported("termination of procedures that are called"));
                }
            }
        }
        Ok(Self { system, transitions })
    }
    /// The clauses.
    pub fn system(&self) -> &ChcSystem {
        &self.system
    }
    /// The transitions, in the order of their clauses.
    pub fn transitions(&self) -> &[Transition] {
        &self.transitions
    }
    /// The state that a transition begins in, its condition, and the state that it leads to.
    pub(crate) fn rule(&self, transition: Transition) -> (&PredAtom, Term, &PredAtom) {
        let Clause { head, body, constraint, .. } = self.system.clause(transition.clause);
        (&body[0], *constraint, head.as_ref().expect("a transition has a head"))
    }
    /// The condition of a transition, with what `invariants` say of the state that it begins in.
    pub(crate) fn relation(
        &self,
        store: &mut TermStore,
        transition: Transition,
        invariants: &Interpretation,
    ) -> Term {
        let (body, constraint, _) = self.rule(transition);
        let known = match invariants.get(body.pred) {
            Some(definition) => definition.apply(store, &body.args),
            None => store.top(),
        };
        store.and(&[known, constraint])
    }
    /// The clauses with further ones, such as queries.
    pub(crate) fn with(&self, further: impl IntoIterator<Item = Clause>) -> ChcSystem {
        let own = self.system.clauses().map(|(_, clause)| clause.clone());
        self.system.with_clauses(own.chain(further).collect::<Vec<_>>())
    }
    /// A clause with `constraint` in the place of its own and with variables that nobody else has,
    /// and what these are in the clause.
    pub(crate) fn fresh_clause(
        &self,
        store: &mut TermStore,
        id: ClauseId,
        constraint: Term,
    ) -> (Clause, Vec<(Symbol, Symbol)>) {
        let mut clause = Clause { constraint, ..self.system.clause(id).clone() };
        let own = free_symbols(store, &clause.terms());
        let fresh: Vec<Symbol> = own
            .iter()
            .map(|&symbol| {
                let sort = store.result(symbol);
                store.fresh("v", sort)
            })
            .collect();
        let mut renamed = |term: Term| rename(store, term, &own, &fresh);
        clause.constraint = renamed(clause.constraint);
        for arg in clause.body.iter_mut().chain(&mut clause.head).flat_map(|atom| &mut atom.args) {
            *arg = renamed(*arg);
        }
        (clause, own.into_iter().zip(fresh).collect())
    }
}

/// The clause with a variable for each numerical argument in which a case distinction occurs.
fn without_cases(store: &mut TermStore, mut clause: Clause) -> Clause {
    let mut parts = vec![clause.constraint];
    for arg in clause.body.iter_mut().chain(&mut clause.head).flat_map(|atom| &mut atom.args) {
        let sort = store.sort(*arg);
        let is_case = |term: &Term| matches!(store.kind(*term), Kind::Ite(..));
        if !sort.is_bool() && postorder(store, &[*arg]).iter().any(is_case) {
            let variable = store.fresh("case", sort);
            let variable = store.constant(variable);
            parts.push(store.eq(variable, *arg));
            *arg = variable;
        }
    }
    clause.constraint = store.and(&parts);
    clause
}

/// Gives names to the arguments of predicates that have none.
fn name_arguments(store: &TermStore, system: &mut ChcSystem) {
    let taken: Vec<String> =
        system.preds().map(|pred| store.name(system.symbol(pred)).to_owned()).collect();
    let preds = system.preds().filter(|&pred| system.param_names(pred).is_none());
    for pred in preds.collect::<Vec<_>>() {
        let name = |at: usize| {
            let mut name = format!("x{}", at + 1);
            while taken.contains(&name) {
                name.push('_');
            }
            name
        };
        let count = system.sorts(store, pred).len();
        system.name_params(pred, (0..count).map(name).collect());
    }
}

/// Which nodes lie on a common cycle of `edges`: the strongly connected components that have an
/// edge, each sorted.
pub(crate) fn components<T: Copy + Ord>(edges: &[(T, T)]) -> Vec<Vec<T>> {
    let mut next: BTreeMap<T, Vec<T>> = BTreeMap::new();
    for &(from, to) in edges {
        next.entry(from).or_default().push(to);
    }
    let reach = |from: T| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(node) = open.pop() {
            let new = next.get(&node).into_iter().flatten().filter(|&&to| seen.insert(to));
            open.extend(new);
        }
        seen
    };
    let reached: BTreeMap<T, BTreeSet<T>> = next.keys().map(|&node| (node, reach(node))).collect();
    let reaches = |a: T, b: T| reached.get(&a).is_some_and(|seen| seen.contains(&b));
    let (mut result, mut done) = (Vec::new(), BTreeSet::<T>::new());
    for &node in next.keys() {
        if done.contains(&node) || !reaches(node, node) {
            continue;
        }
        let targets = reached[&node].iter().copied();
        let component: Vec<T> = targets.filter(|&other| reaches(other, node)).collect();
        done.extend(&component);
        result.push(component);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_have_cycles() {
        let edges = [(0, 1), (1, 2), (2, 1), (2, 3), (3, 3), (3, 4)];
        assert_eq!(components(&edges), [vec![1, 2], vec![3]]);
        assert!(components(&edges[..2]).is_empty());
    }
}
