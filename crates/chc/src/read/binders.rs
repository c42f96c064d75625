//! Quantifiers removed one by one, as `docs/formats.md` says, so that whoever reads it knows what
//! each variable is called.
//!
//! The page speaks about occurrences: a quantified formula that occurs twice, by a definition or a
//! `let`, has two sets of variables. The formula is walked from left to right, and each binder that
//! is met gives its variables their names. [`super::prenex`] does the same for solvers, who do not
//! care what variables are called, and shares what occurs twice.
//!
//! Invariant: the results of the parts that have been visited lie on a stack, in their order.

use shofar_base::{Map, Set};
use shofar_smtlib::Environment;
use shofar_term::substitute::substitute;
use shofar_term::symbols::free_symbols;
use shofar_term::{Quantifier, Symbol, Term, TermStore, View, visit};

use super::Trouble;
use super::contents::Contents;
use super::prenex::alternation;
use crate::ChcSystem;

/// The most occurrences that are walked through in one assertion.
const MOST_OCCURRENCES: usize = 4_000_000;

/// A formula without quantifiers, and the variables that it is universal in.
pub(super) struct Opened {
    pub(super) formula: Term,
    pub(super) variables: Vec<Symbol>,
}

/// What binders stand for, by their number in the list of scopes.
type Scope = usize;

enum Task {
    /// An occurrence, whether it counts positively, and where it stands.
    Visit(Term, bool, Scope),
    /// Put this number of results together, as in this formula.
    Build(Term, usize),
}

/// Removes the quantifiers of one assertion.
pub(super) struct Binders<'r> {
    pub(super) store: &'r mut TermStore,
    pub(super) contents: &'r mut Contents,
    pub(super) system: &'r ChcSystem,
    pub(super) env: &'r Environment,
    /// The names of predicates and variables that the script has declared.
    pub(super) declared: &'r Set<String>,
}

impl Binders<'_> {
    /// The formula without quantifiers.
    pub(super) fn open(self, formula: Term) -> Result<Opened, Trouble> {
        self.contents.update(self.store, self.system);
        if let Some(opened) = self.only_binder(formula) {
            return Ok(opened);
        }
        let mut bound: Set<String> = Set::default();
        for term in visit::postorder(self.store, &[formula]) {
            let Some((_, _, variables)) = self.store.quantified(term) else { continue };
            let symbols = variables.iter().filter_map(|&v| self.store.symbol(v));
            bound.extend(symbols.map(|v| self.env.written_name(self.store, v).to_owned()));
        }
        let (scopes, taken, variables) = (vec![Map::default()], Set::default(), Vec::new());
        let walk = Walk { binders: self, bound, scopes, taken, variables, results: Vec::new() };
        walk.run(formula)
    }
    /// The body, if the only binder stands in front and all of its variables keep their names;
    /// nearly all clauses are such.
    fn only_binder(&self, formula: Term) -> Option<Opened> {
        if !self.contents.has_quantifier(formula) {
            return Some(Opened { formula, variables: Vec::new() });
        }
        let (quantifier, body, variables) = self.store.quantified(formula)?;
        let symbols: Option<Vec<Symbol>> =
            variables.iter().map(|&variable| self.store.symbol(variable)).collect();
        let variables = symbols?;
        let keeps_name = |&variable: &Symbol| {
            let name = self.store.name(variable);
            self.env.written_name(self.store, variable) == name && !self.declared.contains(name)
        };
        let is_plain = quantifier == Quantifier::Forall && !self.contents.has_quantifier(body);
        (is_plain && variables.iter().all(keeps_name))
            .then_some(Opened { formula: body, variables })
    }
}

/// The walk through the occurrences.
struct Walk<'r> {
    binders: Binders<'r>,
    /// The names that binders of the assertion have in the text.
    bound: Set<String>,
    /// What the variables of all binders around a place are replaced by.
    scopes: Vec<Map<Term, Term>>,
    /// The names that have been given.
    taken: Set<String>,
    variables: Vec<Symbol>,
    results: Vec<Term>,
}

impl Walk<'_> {
    fn run(mut self, formula: Term) -> Result<Opened, Trouble> {
        let mut tasks = vec![Task::Visit(formula, true, 0)];
        let mut occurrences = 0;
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(term, positive, scope) => {
                    occurrences += 1;
                    if MOST_OCCURRENCES < occurrences {
                        return Err(too_many());
                    }
                    self.visit(&mut tasks, (term, positive), scope)?;
                }
                Task::Build(term, count) => {
                    let parts = self.results.split_off(self.results.len() - count);
                    let built = self.binders.store.rebuild(term, &parts);
                    self.results.push(built);
                }
            }
        }
        let formula = self.results.pop().expect("the walk leaves the whole formula");
        Ok(Opened { formula, variables: self.variables })
    }
    fn visit(
        &mut self,
        tasks: &mut Vec<Task>,
        (term, positive): (Term, bool),
        scope: Scope,
    ) -> Result<(), Trouble> {
        let contents = &*self.binders.contents;
        if !contents.has_quantifier(term) {
            let result = substitute(self.binders.store, &self.scopes[scope], &[term])[0];
            self.results.push(result);
            return Ok(());
        }
        let (parts, sign) = match self.binders.store.view(term) {
            View::Quantified(quantifier, body, variables) => {
                let variables = variables.to_vec();
                let inner = self.enter((term, positive), (quantifier, body), &variables, scope)?;
                tasks.push(Task::Visit(body, positive, inner));
                return Ok(());
            }
            View::Not(inner) => (vec![inner], !positive),
            View::And(parts) | View::Or(parts) => (parts.to_vec(), positive),
            View::Ite(condition, a, b) if !contents.has_quantifier(condition) => {
                (vec![condition, a, b], positive)
            }
            View::Ite(..)
            | View::Iff(..)
            | View::Constant(_)
            | View::Predicate(..)
            | View::Atom
            | View::Term => return Err(alternation(Quantifier::Exists, term)),
        };
        tasks.push(Task::Build(term, parts.len()));
        tasks.extend(parts.into_iter().rev().map(|part| Task::Visit(part, sign, scope)));
        Ok(())
    }
    /// The scope within a quantified formula, whose variables get their names.
    fn enter(
        &mut self,
        (term, positive): (Term, bool),
        (quantifier, body): (Quantifier, Term),
        variables: &[Term],
        scope: Scope,
    ) -> Result<Scope, Trouble> {
        let store = &mut *self.binders.store;
        let symbols: Vec<Symbol> = variables.iter().filter_map(|&v| store.symbol(v)).collect();
        if (quantifier == Quantifier::Forall) != positive {
            let occurring = free_symbols(store, &[body]);
            if symbols.iter().any(|symbol| occurring.binary_search(symbol).is_ok()) {
                return Err(alternation(quantifier, term));
            }
        }
        let mut renaming = self.scopes[scope].clone();
        for symbol in symbols {
            let name = self.name(symbol);
            let store = &mut *self.binders.store;
            let sort = store.result(symbol);
            let named = store.declare(&name, &[], sort);
            self.taken.insert(name);
            self.variables.push(named);
            renaming.insert(store.constant(symbol), store.constant(named));
        }
        self.scopes.push(renaming);
        self.binders.contents.update(self.binders.store, self.binders.system);
        Ok(self.scopes.len() - 1)
    }
    /// What a variable is called: as it is written, or with the least number that makes it differ
    /// from all others.
    fn name(&self, variable: Symbol) -> String {
        let Binders { store, env, declared, .. } = &self.binders;
        let written = env.written_name(store, variable);
        let is_given = |name: &str| declared.contains(name) || self.taken.contains(name);
        if !is_given(written) {
            return written.to_owned();
        }
        let numbered = (1..).map(|number: usize| format!("{written}!{number}"));
        let mut free = numbered.filter(|name| !is_given(name) && !self.bound.contains(name));
        free.next().expect("there are more numbers than names")
    }
}

fn too_many() -> Trouble {
    Trouble {
        message: "the quantifiers of this assertion occur too often".to_owned(),
        at: None,
        note: Some("definitions and `let` are put in place, and every binder counts".into()),
    }
}
