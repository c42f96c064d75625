//! What nearly every computation on terms needs: the store and the budget.

use shofar_base::Budget;

use crate::TermStore;

/// The context of a computation.
pub struct Cx<'a> {
    /// Where terms live.
    pub store: &'a mut TermStore,
    /// When to stop.
    pub budget: &'a Budget,
}

impl<'a> Cx<'a> {
    /// A context over `store`, limited by `budget`.
    pub fn new(store: &'a mut TermStore, budget: &'a Budget) -> Self {
        Self { store, budget }
    }
}
