//! How a clause was made of source clauses.
//!
//! A template is the tree of source clauses that a target clause was resolved from, flattened:
//! every node is an instance of a source clause with names of its own for the clause's variables,
//! and says for every atom of its body who derives it, another instance or a premise of the target
//! clause. A ground step of the target clause becomes one ground step per instance once all
//! variables have values; see [`complete`](crate::complete).
//!
//! Invariant: instances form a tree with root `root`, and every premise of the target clause is
//! used exactly once.

use shofar_base::Map;
use shofar_chc::{ChcSystem, ClauseId};
use shofar_term::substitute::{self, Substitution};
use shofar_term::{Symbol, Term, TermStore};

/// Who derives an atom of an instance's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Premise {
    /// A premise of the target clause.
    Given(usize),
    /// Another instance.
    Inner(usize),
}

/// A source clause with names of its own for its variables.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    /// The source clause.
    pub(crate) clause: ClauseId,
    /// All variables of the clause and what they are called here.
    pub(crate) variables: Vec<(Symbol, Symbol)>,
    /// Who derives the body, in its order.
    pub(crate) premises: Vec<Premise>,
}

/// A tree of instances.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    /// The nodes in any order.
    pub(crate) instances: Vec<Instance>,
    /// The instance that derives the head of the target clause.
    pub(crate) root: usize,
    /// Values for variables that the target clause lacks, as terms over its own variables and
    /// those before in the list.
    ///
    /// They are a suggestion that saves a query; a value that does not fit is found otherwise.
    pub(crate) completion: Vec<(Symbol, Term)>,
    /// If there are several templates: what is true in the steps of the target clause that this
    /// one explains.
    pub(crate) guard: Option<Term>,
}

impl Template {
    /// One source clause under the names it has.
    pub(crate) fn of(store: &TermStore, source: &ChcSystem, clause: ClauseId) -> Self {
        let it = source.clause(clause);
        let variables = it.variables(store).into_iter().map(|v| (v, v)).collect();
        let premises = (0..it.body.len()).map(Premise::Given).collect();
        let instances = vec![Instance { clause, variables, premises }];
        Self { instances, root: 0, completion: Vec::new(), guard: None }
    }
    /// The template with its variables renamed; those without a new name keep theirs.
    pub(crate) fn renamed(&self, store: &mut TermStore, names: &Map<Symbol, Symbol>) -> Self {
        let name = |symbol: &Symbol| names.get(symbol).copied().unwrap_or(*symbol);
        let mut by = renaming(store, names);
        let mut result = self.clone();
        for instance in &mut result.instances {
            for (_, here) in &mut instance.variables {
                *here = name(here);
            }
        }
        for (symbol, term) in &mut result.completion {
            (*symbol, *term) = (name(symbol), by.apply(store, *term));
        }
        result
    }
    /// All names that the template uses, sorted.
    pub(crate) fn symbols(&self) -> Vec<Symbol> {
        let own = self.instances.iter().flat_map(|i| i.variables.iter().map(|&(_, here)| here));
        let mut symbols: Vec<Symbol> = own.collect();
        symbols.sort_unstable();
        symbols.dedup();
        symbols
    }
    /// The tree in which `inner` derives the premise number `at` of `self`.
    ///
    /// The premises of the result are those of `self` before `at`, those of `inner`, then the rest
    /// of `self`. The names of both must be apart.
    pub(crate) fn resolved(mut self, at: usize, inner: Self) -> Self {
        let inner_premises = inner.premise_count();
        let offset = self.instances.len();
        for premise in self.instances.iter_mut().flat_map(|i| &mut i.premises) {
            match premise {
                Premise::Given(index) if *index == at => {
                    *premise = Premise::Inner(offset + inner.root);
                }
                Premise::Given(index) if *index > at => *index = *index + inner_premises - 1,
                Premise::Given(_) | Premise::Inner(_) => (),
            }
        }
        for mut instance in inner.instances {
            for premise in &mut instance.premises {
                match premise {
                    Premise::Given(index) => *index += at,
                    Premise::Inner(index) => *index += offset,
                }
            }
            self.instances.push(instance);
        }
        self.completion.extend(inner.completion);
        self
    }
    fn premise_count(&self) -> usize {
        let premises = self.instances.iter().flat_map(|i| &i.premises);
        premises.filter(|p| matches!(p, Premise::Given(_))).count()
    }
    /// The instances such that those that derive others come first.
    pub(crate) fn order(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.instances.len());
        let mut work = vec![self.root];
        while let Some(index) = work.pop() {
            order.push(index);
            for premise in &self.instances[index].premises {
                if let Premise::Inner(inner) = premise {
                    work.push(*inner);
                }
            }
        }
        order.reverse();
        order
    }
}

/// The substitution that replaces constants by constants.
pub(crate) fn renaming(store: &mut TermStore, names: &Map<Symbol, Symbol>) -> Substitution {
    // Sorted, since making terms in another order gives other handles.
    let pairs: Vec<(Symbol, Symbol)> =
        names.sorted().into_iter().map(|(&from, &to)| (from, to)).collect();
    substitute::renaming(store, pairs)
}
