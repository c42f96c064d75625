//! What is accelerated: a conjunctive relation between values before and after a step.

use shofar_base::Set;
use shofar_term::symbols::free_symbols;
use shofar_term::{Symbol, Term, TermStore};

/// A conjunction of literals over pairs of constants.
///
/// Invariant: all constants are different, both of a pair have the same sort, and literals mention
/// nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    variables: Vec<(Symbol, Symbol)>,
    literals: Vec<Term>,
}

impl Relation {
    /// The relation that the conjuncts of `formulas` describe between the first and the second of
    /// each pair; nothing if they mention other constants.
    pub fn new(
        store: &TermStore,
        variables: &[(Symbol, Symbol)],
        formulas: &[Term],
    ) -> Option<Self> {
        debug_assert!(variables.iter().all(|&(x, y)| store.result(x) == store.result(y)));
        let known: Set<Symbol> = variables.iter().flat_map(|&(x, y)| [x, y]).collect();
        debug_assert_eq!(known.len(), 2 * variables.len(), "a constant has one meaning");
        let is_known = free_symbols(store, formulas).iter().all(|symbol| known.contains(symbol));
        let literals = store.conjuncts(formulas);
        is_known.then(|| Self { variables: variables.to_vec(), literals })
    }
    /// The constants before and after the step.
    pub fn variables(&self) -> &[(Symbol, Symbol)] {
        &self.variables
    }
    /// What holds of them, as a conjunction.
    pub fn literals(&self) -> &[Term] {
        &self.literals
    }
}
