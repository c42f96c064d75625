//! What the annotations of a text say: a transition system with properties, and its clauses.
//! ```text
//! reachable(x)  ← init(x)
//! reachable(x') ← reachable(x) ∧ trans(x, i, x')
//! false         ← reachable(x) ∧ ¬p(x)
//! ```

use std::sync::Arc;

use shofar_base::{Diagnostic, Map, Set, Span};
use shofar_chc::read::HornProblem;
use shofar_chc::{ChcSystem, Clause, PredAtom, PredId};
use shofar_smtlib::{Annotation, Environment};
use shofar_term::symbols::free_symbols;
use shofar_term::{Sort, Symbol, Term, TermStore};

use super::explain::Explanation;
use super::lasso;
use crate::execution::Listing;

/// A transition system.
#[derive(Default)]
pub(super) struct Model {
    /// Each variable with its next value.
    pub(super) variables: Vec<(Symbol, Symbol)>,
    /// The pairs that symbols belong to.
    pairs: Map<Symbol, (Symbol, Symbol)>,
    /// The symbols that have been declared, by their names; a text only adds to them.
    declared: Map<String, Symbol>,
    pub(super) init: Option<(Term, Span)>,
    pub(super) trans: Option<(Term, Span)>,
    properties: Vec<Property>,
}

/// A question about a system.
#[derive(Clone, Copy)]
pub(super) struct Property {
    pub(super) kind: PropertyKind,
    pub(super) formula: Term,
    pub(super) span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PropertyKind {
    /// It always holds.
    Invariant,
    /// It holds from some moment on.
    Liveness,
}

impl Model {
    /// Takes note of an annotation in the command at `span`.
    pub(super) fn note(
        &mut self,
        store: &TermStore,
        env: &Environment,
        annotation: Annotation,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let Annotation { keyword, value, term, is_closed, span: at } = annotation;
        let refused = |message: String| Err(Diagnostic::new(at, message));
        let kind = match keyword.as_str() {
            ":next" => return self.variable(store, env, (term, &value), at),
            ":init" | ":trans" => None,
            ":invar-property" => Some(PropertyKind::Invariant),
            ":live-property" => Some(PropertyKind::Liveness),
            other if other.ends_with("-property") => {
                return refused(format!("the property `{other}` is not supported"));
            }
            _ => return Ok(()),
        };
        if !is_closed {
            return refused(format!("`{keyword}` cannot stand where parameters occur"));
        }
        if !store.sort(term).is_bool() {
            return refused(format!("`{keyword}` is for formulas"));
        }
        let place = match kind {
            Some(kind) => {
                self.properties.push(Property { kind, formula: term, span });
                return Ok(());
            }
            None if keyword == ":init" => &mut self.init,
            None => &mut self.trans,
        };
        if place.is_some() {
            return refused(format!("there are two formulas with `{keyword}`"));
        }
        *place = Some((term, span));
        Ok(())
    }
    /// `(! x :next xn)`
    fn variable(
        &mut self,
        store: &TermStore,
        env: &Environment,
        (term, next): (Term, &str),
        at: Span,
    ) -> Result<(), Diagnostic> {
        let refused = |message: String| Err(Diagnostic::new(at, message));
        let is_constant = |symbol: &Symbol| store.params(*symbol).is_empty();
        let Some(now) = store.symbol(term).filter(is_constant) else {
            return refused("only a symbol has a next value".to_owned());
        };
        for &symbol in env.declared().get(self.declared.len()..).unwrap_or_default() {
            self.declared.insert(store.name(symbol).to_owned(), symbol);
        }
        let found = self.declared.get(next).copied();
        let Some(next) = found.filter(is_constant) else {
            return refused(format!("the next value `{next}` is not declared"));
        };
        if store.result(now) != store.result(next) || now == next {
            return refused(format!("`{}` is of another sort, or itself", store.name(next)));
        }
        let pair = (now, next);
        if self.pairs.get(&now) == Some(&pair) {
            return Ok(());
        }
        if [now, next].iter().any(|symbol| self.pairs.contains_key(symbol)) {
            return refused(format!("`{}` has another next value", store.name(now)));
        }
        self.pairs.extend([(now, pair), (next, pair)]);
        self.variables.push(pair);
        Ok(())
    }
    /// A problem for each property of `text`.
    pub(super) fn problems(
        &self,
        store: &mut TermStore,
        text: &[u8],
    ) -> Result<Vec<HornProblem>, Diagnostic> {
        let end = Span::new(text.len(), text.len());
        let missing =
            |what: &str| Diagnostic::new(end, format!("there is no formula with `{what}`"));
        let init = self.init.ok_or_else(|| missing(":init"))?;
        let trans = self.trans.ok_or_else(|| missing(":trans"))?;
        if self.properties.is_empty() {
            return Err(Diagnostic::new(end, "there is no property"));
        }
        self.is_about_states(store, init.0, init.1, "the initial states")?;
        has_no_functions(store, trans.0, trans.1)?;
        let mut problems = Vec::with_capacity(self.properties.len());
        let listing = Arc::new(Listing::new(text));
        for &property in &self.properties {
            self.is_about_states(store, property.formula, property.span, "a property")?;
            let system = match property.kind {
                PropertyKind::Invariant => self.invariant(store, init, trans, property),
                PropertyKind::Liveness => lasso::clauses(store, self, init, trans, property)?,
            };
            let words = Explanation::new(store, &listing, self, property.kind, &system);
            let mut problem = HornProblem::of_system(store, system);
            problem.span = property.span;
            problem.explain = Some(Arc::new(words));
            problems.push(problem);
        }
        Ok(problems)
    }
    /// Refuses inputs, next values and functions in a formula.
    fn is_about_states(
        &self,
        store: &TermStore,
        formula: Term,
        span: Span,
        what: &str,
    ) -> Result<(), Diagnostic> {
        has_no_functions(store, formula, span)?;
        let states: Set<Symbol> = self.variables.iter().map(|&(now, _)| now).collect();
        let other = free_symbols(store, &[formula]).into_iter().find(|s| !states.contains(s));
        match other {
            None => Ok(()),
            Some(symbol) => {
                let name = store.name(symbol);
                let message =
                    format!("`{name}` is no variable of the state, so {what} cannot depend on it");
                Err(Diagnostic::new(span, message))
            }
        }
    }
    fn invariant(
        &self,
        store: &mut TermStore,
        (init, at_init): (Term, Span),
        (trans, at_trans): (Term, Span),
        property: Property,
    ) -> ChcSystem {
        let mut system = ChcSystem::new();
        let names: Vec<(String, Sort)> = self
            .variables
            .iter()
            .map(|&(now, _)| (store.name(now).to_owned(), store.result(now)))
            .collect();
        let pred = reachable(store, &mut system, names);
        let (now, next) = self.values(store);
        let state = |args: &[Term]| PredAtom { pred, args: args.to_vec() };
        let bad = store.not(property.formula);
        for (head, body, constraint, span) in [
            (Some(state(&now)), vec![], init, at_init),
            (Some(state(&next)), vec![state(&now)], trans, at_trans),
            (None, vec![state(&now)], bad, property.span),
        ] {
            system.add_clause(Clause { head, body, constraint, span: Some(span) });
        }
        system
    }
    /// The present and the next values of the variables.
    pub(super) fn values(&self, store: &mut TermStore) -> (Vec<Term>, Vec<Term>) {
        let now = self.variables.iter().map(|&(now, _)| store.constant(now)).collect();
        let next = self.variables.iter().map(|&(_, next)| store.constant(next)).collect();
        (now, next)
    }
}

/// The predicate of the reachable states, whose name none of its arguments has.
pub(super) fn reachable(
    store: &mut TermStore,
    system: &mut ChcSystem,
    arguments: Vec<(String, Sort)>,
) -> PredId {
    let (names, sorts): (Vec<String>, Vec<Sort>) = arguments.into_iter().unzip();
    let mut name = "reachable".to_owned();
    while names.contains(&name) {
        name.push('_');
    }
    let pred = system.add_pred(store.declare(&name, &sorts, Sort::BOOL));
    system.name_params(pred, names);
    pred
}

/// Refuses functions in a formula.
fn has_no_functions(store: &TermStore, formula: Term, span: Span) -> Result<(), Diagnostic> {
    let symbols = free_symbols(store, &[formula]);
    match symbols.into_iter().find(|&symbol| !store.params(symbol).is_empty()) {
        None => Ok(()),
        Some(symbol) => {
            let message = format!("the function `{}` is not supported", store.name(symbol));
            Err(Diagnostic::new(span, message))
        }
    }
}
