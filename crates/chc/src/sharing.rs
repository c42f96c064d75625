//! Derivations in which each fact is derived once.
//!
//! An engine that unfolds clauses into trees derives a fact as often as it is used, so that a
//! derivation may be exponentially larger than it has facts. Steps that derive the same fact are
//! replaced by the first of them, and steps that the last one does not depend on are left out.
//! Premises still come before their conclusions, because a replacement is earlier than what it
//! stands for.
//!
//! The table of facts has a hash and a number for each step and no values, since derivations may
//! have millions of steps; values are worked out again where hashes agree.

use shofar_base::{HandleTable, fixed_hash};
use shofar_term::TermStore;
use shofar_term::eval::Value;

use crate::{ChcSystem, Derivation, PredId};

impl Derivation {
    /// The derivation without repeated facts and without steps of no use; itself if its steps are
    /// out of order.
    #[must_use]
    pub fn shared(mut self, store: &TermStore, system: &ChcSystem) -> Self {
        let is_ordered =
            self.steps.iter().enumerate().all(|(i, step)| step.premises.iter().all(|&p| p < i));
        if !is_ordered || u32::try_from(self.steps.len()).is_err() {
            return self;
        }
        let first = self.first_derivations(store, system);
        for step in &mut self.steps {
            for premise in &mut step.premises {
                *premise = first[*premise];
            }
        }
        self.keep_used();
        self
    }
    /// For each step the first one that derives the same fact.
    fn first_derivations(&self, store: &TermStore, system: &ChcSystem) -> Vec<usize> {
        let mut table = HandleTable::default();
        let mut first = Vec::with_capacity(self.steps.len());
        for index in 0..self.steps.len() {
            // A step whose fact has no value stays as it is; the validator objects to it.
            let Ok(Some(fact)) = self.fact(store, system, index) else {
                first.push(index);
                continue;
            };
            let hash = hash(&fact);
            let place = |handle: u32| usize::try_from(handle).expect("steps fit into memory");
            let is_same = |handle| matches!(self.fact(store, system, place(handle)), Ok(Some(other)) if other == fact);
            if let Some(handle) = table.find(hash, is_same) {
                first.push(place(handle));
            } else {
                table.insert(hash, u32::try_from(index).expect("there are not more steps"));
                first.push(index);
            }
        }
        first
    }
    /// Leaves out what the last step does not depend on.
    fn keep_used(&mut self) {
        let mut used = vec![false; self.steps.len()];
        if let Some(last) = used.last_mut() {
            *last = true;
        }
        for (index, step) in self.steps.iter().enumerate().rev() {
            if used[index] {
                step.premises.iter().for_each(|&premise| used[premise] = true);
            }
        }
        let mut place = Vec::with_capacity(self.steps.len());
        let mut count = 0;
        for &is_used in &used {
            place.push(count);
            count += usize::from(is_used);
        }
        let mut is_used = used.into_iter();
        self.steps.retain(|_| is_used.next().expect("there is a mark for each step"));
        for premise in self.steps.iter_mut().flat_map(|step| &mut step.premises) {
            *premise = place[*premise];
        }
    }
}

/// The upper half, which depends on all bits.
fn hash(fact: &(PredId, Vec<Value>)) -> u32 {
    let hash = fixed_hash(fact);
    u32::try_from(hash >> 32).expect("half of a hash is small")
}

#[cfg(test)]
mod tests {
    use shofar_term::eval::Model;
    use shofar_term::{Sort, Symbol};

    use super::*;
    use crate::{Clause, ClauseId, DerivationStep, PredAtom};

    /// `p(x)` for all `x`, `p(x) ∧ p(y) → p(x + y)`, and a query that takes a `p`.
    struct Sums {
        store: TermStore,
        system: ChcSystem,
        symbols: [Symbol; 2],
        clauses: Vec<ClauseId>,
        derivation: Derivation,
    }

    impl Sums {
        fn new() -> Self {
            let (mut store, mut system) = (TermStore::new(), ChcSystem::new());
            let symbols = ["x", "y"].map(|name| store.declare(name, &[], Sort::INT));
            let [x, y] = symbols.map(|symbol| store.constant(symbol));
            let (sum, top) = (store.add(&[x, y]), store.top());
            let pred = store.declare("p", &[Sort::INT], Sort::BOOL);
            let pred = system.add_pred(pred);
            let atom = |arg| PredAtom { pred, args: vec![arg] };
            let clauses = [
                (Some(atom(x)), vec![]),
                (Some(atom(sum)), vec![atom(x), atom(y)]),
                (None, vec![atom(x)]),
            ];
            let clauses = clauses.map(|(head, body)| {
                system.add_clause(Clause { head, body, constraint: top, span: None })
            });
            let derivation = Derivation::default();
            Self { store, system, symbols, clauses: clauses.to_vec(), derivation }
        }
        /// Adds a step by clause number `clause` with these values for `x` and `y`.
        fn step(&mut self, clause: usize, values: [i64; 2], premises: &[usize]) -> usize {
            let mut assignment = Model::new();
            for (symbol, value) in self.symbols.into_iter().zip(values) {
                assignment.set(symbol, Value::Number(value.into()));
            }
            let (clause, premises) = (self.clauses[clause], premises.to_vec());
            self.derivation.steps.push(DerivationStep { clause, assignment, premises });
            self.derivation.steps.len() - 1
        }
        /// The premises of the steps that are left.
        fn shared(self) -> Vec<Vec<usize>> {
            let shared = self.derivation.shared(&self.store, &self.system);
            shared.steps.into_iter().map(|step| step.premises).collect()
        }
    }

    #[test]
    fn a_tree_becomes_as_large_as_it_has_facts() {
        let mut sums = Sums::new();
        let mut row: Vec<usize> = (0..1024).map(|_| sums.step(0, [1, 0], &[])).collect();
        let mut value = 1;
        while row.len() > 1 {
            row = row.chunks(2).map(|pair| sums.step(1, [value, value], pair)).collect();
            value *= 2;
        }
        sums.step(2, [value, 0], &row);
        let expected: Vec<Vec<usize>> = (0..12)
            .map(|i| match i {
                0 => vec![],
                11 => vec![10],
                _ => vec![i - 1, i - 1],
            })
            .collect();
        assert_eq!(sums.shared(), expected);
    }

    #[test]
    fn a_detour_and_what_is_of_no_use_are_left_out() {
        let mut sums = Sums::new();
        let five = sums.step(0, [5, 0], &[]);
        let zero = sums.step(0, [0, 0], &[]);
        let unused = sums.step(1, [5, 5], &[five, five]);
        let again = sums.step(1, [5, 0], &[five, zero]);
        let ten = sums.step(1, [5, 5], &[again, five]);
        assert_eq!(unused, 2);
        sums.step(2, [10, 0], &[ten]);
        assert_eq!(sums.shared(), [vec![], vec![0, 0], vec![1]]);
    }

    #[test]
    fn what_is_out_of_order_stays_for_the_validator() {
        let mut sums = Sums::new();
        sums.step(1, [0, 0], &[1, 0]);
        sums.step(2, [0, 0], &[7]);
        assert_eq!(sums.shared(), [vec![1, 0], vec![7]]);
        assert!(Sums::new().shared().is_empty());
    }
}
