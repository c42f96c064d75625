//! Removing quantifiers that are universal in front.
//!
//! `∀` where the formula counts positively and `∃` where it counts negatively can be pulled to the
//! front as `∀`, and there they are left out, because clauses are universal anyway. Any other
//! quantifier would need a Skolem function and is refused, unless its variables do not occur.
//!
//! Pulling out needs different variables for different quantifiers. Invariant: each variable is
//! owned by one quantified subformula; another one that binds it is renamed. Two occurrences of the
//! same subformula in the same polarity may share its variables: `F(∃x.P, ∃x.P)` and `∃x. F(P, P)`
//! are equivalent for a monotone `F`.

use shofar_base::{Map, Set};
use shofar_term::substitute::substitute;
use shofar_term::symbols::free_symbols;
use shofar_term::{Quantifier, Symbol, Term, TermStore, View, visit};

use super::Trouble;
use super::contents::Contents;
use crate::ChcSystem;

/// A subformula and whether it counts positively.
type Signed = (Term, bool);

enum Task {
    Visit(Signed),
    Build(Signed),
}

/// Removes the quantifiers of one assertion.
pub(super) struct Prenex<'r> {
    pub(super) store: &'r mut TermStore,
    pub(super) contents: &'r mut Contents,
    pub(super) system: &'r ChcSystem,
    /// Variables that are free in assertions and so belong to no quantifier.
    pub(super) free: &'r Set<Symbol>,
    owners: Map<Symbol, Term>,
    /// What quantified formulas stand for, after renaming.
    bodies: Map<Signed, Term>,
    done: Map<Signed, Term>,
    tasks: Vec<Task>,
}

impl<'r> Prenex<'r> {
    pub(super) fn new(
        store: &'r mut TermStore,
        contents: &'r mut Contents,
        system: &'r ChcSystem,
        free: &'r Set<Symbol>,
    ) -> Self {
        Self {
            store,
            contents,
            system,
            free,
            owners: Map::default(),
            bodies: Map::default(),
            done: Map::default(),
            tasks: Vec::new(),
        }
    }
    /// The formula without quantifiers.
    pub(super) fn strip(mut self, formula: Term) -> Result<Term, Trouble> {
        self.contents.update(self.store, self.system);
        if let Some(body) = self.only_quantifier(formula) {
            return Ok(body);
        }
        self.tasks.push(Task::Visit((formula, true)));
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Visit(signed) => self.visit(signed)?,
                Task::Build(signed) => self.build(signed),
            }
        }
        Ok(self.result((formula, true)))
    }
    /// The body, if the only quantifier is a `∀` in front whose variables are nobody else's; nearly
    /// all clauses are such.
    fn only_quantifier(&self, formula: Term) -> Option<Term> {
        let (quantifier, body, variables) = self.store.quantified(formula)?;
        let is_free =
            |&v: &Term| self.store.symbol(v).is_some_and(|symbol| self.free.contains(&symbol));
        let is_plain = quantifier == Quantifier::Forall && !self.contents.has_quantifier(body);
        (is_plain && (self.free.is_empty() || !variables.iter().any(is_free))).then_some(body)
    }
    fn result(&self, signed: Signed) -> Term {
        self.done.get(&signed).copied().unwrap_or(signed.0)
    }
    fn visit(&mut self, (term, positive): Signed) -> Result<(), Trouble> {
        if !self.contents.has_quantifier(term) || self.done.contains_key(&(term, positive)) {
            return Ok(());
        }
        self.tasks.push(Task::Build((term, positive)));
        let children = match self.store.view(term) {
            View::Quantified(..) => return self.enter((term, positive)),
            View::Not(inner) => return self.push(&[(inner, !positive)]),
            View::And(parts) | View::Or(parts) => parts.to_vec(),
            View::Ite(condition, a, b) if !self.contents.has_quantifier(condition) => vec![a, b],
            View::Ite(condition, ..) => return Err(self.both_ways(condition)),
            View::Iff(..) => return Err(self.both_ways(term)),
            View::Constant(_) | View::Predicate(..) | View::Atom | View::Term => {
                return Err(Trouble {
                    message: "a quantifier inside a term is not supported".to_owned(),
                    at: Some(self.some_quantifier(term)),
                    note: None,
                });
            }
        };
        let signed: Vec<Signed> = children.into_iter().map(|child| (child, positive)).collect();
        self.push(&signed)
    }
    #[expect(clippy::unnecessary_wraps, reason = "the caller returns it")]
    fn push(&mut self, children: &[Signed]) -> Result<(), Trouble> {
        self.tasks.extend(children.iter().rev().map(|&child| Task::Visit(child)));
        Ok(())
    }
    /// A quantified formula.
    fn enter(&mut self, (term, positive): Signed) -> Result<(), Trouble> {
        let (quantifier, body, variables) =
            self.store.quantified(term).expect("the caller has looked");
        let variables: Vec<Symbol> =
            variables.iter().filter_map(|&v| self.store.symbol(v)).collect();
        if (quantifier == Quantifier::Forall) != positive {
            let occurring = free_symbols(self.store, &[body]);
            if variables.iter().any(|variable| occurring.binary_search(variable).is_ok()) {
                return Err(alternation(quantifier, term));
            }
        }
        let mut renaming: Map<Term, Term> = Map::default();
        for variable in variables {
            let owner = *self.owners.entry(variable).or_insert(term);
            if owner != term || self.free.contains(&variable) {
                let (name, sort) =
                    (self.store.name(variable).to_owned(), self.store.result(variable));
                let fresh = self.store.fresh(&name, sort);
                let (old, new) = (self.store.constant(variable), self.store.constant(fresh));
                renaming.insert(old, new);
            }
        }
        let mut body = body;
        if !renaming.is_empty() {
            body = substitute(self.store, &renaming, &[body])[0];
            self.contents.update(self.store, self.system);
        }
        self.bodies.insert((term, positive), body);
        self.push(&[(body, positive)])
    }
    /// Puts the results for the children together.
    fn build(&mut self, (term, positive): Signed) {
        if self.done.contains_key(&(term, positive)) {
            return;
        }
        let result = if let Some(&body) = self.bodies.get(&(term, positive)) {
            self.result((body, positive))
        } else {
            let flips = self.store.strip_not(term).1;
            let children: Vec<Term> = self.store.children(term).to_vec();
            let children: Vec<Term> =
                children.into_iter().map(|child| self.result((child, positive != flips))).collect();
            self.store.rebuild(term, &children)
        };
        self.contents.update(self.store, self.system);
        self.done.insert((term, positive), result);
    }

    fn both_ways(&self, term: Term) -> Trouble {
        let at = self.some_quantifier(term);
        let quantifier = self.store.quantified(at).map_or(Quantifier::Exists, |(q, ..)| q);
        alternation(quantifier, at)
    }
    /// A quantified formula in the term.
    fn some_quantifier(&self, term: Term) -> Term {
        let mut order = visit::postorder(self.store, &[term]).into_iter();
        order.find(|&t| self.store.quantified(t).is_some()).unwrap_or(term)
    }
}

/// The complaint about a quantifier that is not universal.
pub(super) fn alternation(quantifier: Quantifier, at: Term) -> Trouble {
    Trouble {
        message: format!(
            "quantifier alternation is not supported: this `{}` is existential in the clause",
            quantifier.name()
        ),
        at: Some(at),
        note: Some(
            "supported are `forall` around clauses and in heads, and `exists` in bodies".into(),
        ),
    }
}
