//! Assertions without quantifiers, where variables have the names that the page about formats gives
//! them.
//!
//! What [`crate::universal`] does for solvers' clauses is done here for clauses as they are
//! written, again by other code than the reader's: each occurrence of a quantifier has variables of
//! its own, and from left to right they are called as the reader has listed them. The reader is not
//! believed: its names are used only if they differ from each other and from all that is free.

use shofar_base::{Map, Set};
use shofar_term::substitute::substitute;
use shofar_term::symbols::free_symbols;
use shofar_term::visit::postorder;
use shofar_term::{Kind, Quantifier, Symbol, Term, TermStore};

use crate::universal::{symbols, unbound};

/// What `written` says, without quantifiers, with these variables for those that are bound; nothing
/// if it is not universal, or if they do not fit.
pub(crate) fn opened(store: &mut TermStore, written: Term, variables: &[Symbol]) -> Option<Term> {
    let taken = unbound(store, written);
    let quantified = quantified(store, written);
    let (scopes, results) = (vec![Map::default()], Vec::new());
    let mut walk = Walk { store, variables, quantified, taken, scopes, results, met: 0 };
    let mut tasks = vec![Task::Visit(written, true, 0)];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Visit(term, positive, scope) => walk.visit(&mut tasks, term, positive, scope)?,
            Task::Build(term, count) => {
                let parts = walk.results.split_off(walk.results.len() - count);
                let built = walk.store.rebuild(term, &parts);
                walk.results.push(built);
            }
        }
    }
    walk.results.pop()
}

/// The terms that have a quantifier in them.
fn quantified(store: &TermStore, formula: Term) -> Set<Term> {
    let mut found: Set<Term> = Set::default();
    for term in postorder(store, &[formula]) {
        let below = store.children(term).iter().any(|child| found.contains(child));
        if below || store.quantified(term).is_some() {
            found.insert(term);
        }
    }
    found
}

enum Task {
    Visit(Term, bool, usize),
    Build(Term, usize),
}

struct Walk<'a> {
    store: &'a mut TermStore,
    variables: &'a [Symbol],
    quantified: Set<Term>,
    /// The variables that stand for something already.
    taken: Set<Symbol>,
    scopes: Vec<Map<Term, Term>>,
    results: Vec<Term>,
    /// How many bound variables have been met.
    met: usize,
}

impl Walk<'_> {
    fn visit(
        &mut self,
        tasks: &mut Vec<Task>,
        term: Term,
        positive: bool,
        scope: usize,
    ) -> Option<()> {
        if !self.quantified.contains(&term) {
            let result = substitute(self.store, &self.scopes[scope], &[term])[0];
            self.results.push(result);
            return Some(());
        }
        let mut sign = positive;
        let kind = self.store.kind(term);
        let parts = if let Kind::Quantified(quantifier, body, variables) = kind {
            let variables = symbols(self.store, variables);
            let inner = self.enter(quantifier, positive, body, &variables, scope)?;
            tasks.push(Task::Visit(body, positive, inner));
            return Some(());
        } else if let Kind::Not(inner) = kind {
            sign = !positive;
            vec![inner]
        } else if let Kind::And(parts) | Kind::Or(parts) = kind {
            parts.to_vec()
        } else {
            let choice = self.store.choice(term);
            choice.filter(|[condition, ..]| !self.quantified.contains(condition))?.to_vec()
        };
        tasks.push(Task::Build(term, parts.len()));
        tasks.extend(parts.into_iter().rev().map(|part| Task::Visit(part, sign, scope)));
        Some(())
    }
    /// The scope within a quantified formula.
    fn enter(
        &mut self,
        quantifier: Quantifier,
        positive: bool,
        body: Term,
        bound: &[Symbol],
        scope: usize,
    ) -> Option<usize> {
        if (quantifier == Quantifier::Forall) != positive {
            let occurring = free_symbols(self.store, &[body]);
            if bound.iter().any(|symbol| occurring.binary_search(symbol).is_ok()) {
                return None;
            }
        }
        let mut renaming = self.scopes[scope].clone();
        for &symbol in bound {
            let named = *self.variables.get(self.met)?;
            self.met += 1;
            let fits = self.store.result(named) == self.store.result(symbol)
                && self.store.params(named).is_empty();
            if !fits || !self.taken.insert(named) {
                return None;
            }
            renaming.insert(self.store.constant(symbol), self.store.constant(named));
        }
        self.scopes.push(renaming);
        Some(self.scopes.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use shofar_term::Sort;
    use shofar_term::print::print;

    use super::*;

    #[test]
    fn each_occurrence_has_its_variables() {
        let mut s = TermStore::new();
        s.keep_connectives();
        let p = s.declare("p", &[Sort::INT], Sort::BOOL);
        let [x, y, z] = ["x", "y", "z"].map(|name| s.declare(name, &[], Sort::INT));
        let bound = s.constant(x);
        let atom = s.app(p, &[bound]);
        let some = s.quantify(Quantifier::Exists, atom, &[bound]);
        let both = s.and(&[some, some]);
        let denied = s.not(both);
        let shown = |s: &mut TermStore, names: &[Symbol]| {
            opened(s, denied, names).map(|term| print(s, term))
        };
        assert_eq!(shown(&mut s, &[y, z]).as_deref(), Some("(not (and (p y) (p z)))"));
        assert_eq!(shown(&mut s, &[y, y]), None, "two variables are two");
        assert_eq!(shown(&mut s, &[y]), None, "each variable has a name");
        assert_eq!(opened(&mut s, both, &[y, z]), None, "it is not universal");
    }
}
