//! Products of unknowns that the rest of their formula makes linear.
//!
//! The reader keeps `(* k x)` as a marker. Here the markers of a quantifier-free formula are
//! replaced where one factor (or the divisor) equals a number in its context. A product that is
//! left becomes a term of its own ([`TermStore::times`]), of which solvers know little; a quotient
//! that is left makes the assertion be refused at its place.
//!
//! **Why the result is equivalent to what was written.** A conjunct may be rewritten under the
//! assumption that all others are true, a disjunct under the assumption that all others are false,
//! a branch of `ite` under its condition. The assumptions come from literals without products, in
//! any conjunction (or negated disjunction) around the place. Such literals are never rewritten
//! themselves, so they still say what was assumed when all is done, and no two formulas can be
//! rewritten under each other. Under literals that imply `k = 3`, `k·x` equals `3·x`, so each
//! replacement is an equivalence. A formula that has lost its products gives literals for the next
//! round, since it will not change any more either. An equation in one branch of a disjunction
//! holds in that branch only, because disjuncts are assumed to be *false*.
//!
//! Contexts form a tree; a formula that occurs in several contexts is rewritten in each of them.

use shofar_base::Map;
use shofar_smtlib::{Operator, Product, product};
use shofar_term::substitute::Substitution;
use shofar_term::symbols::free_symbols;
use shofar_term::{Kind, Term, TermStore, visit};

use super::Trouble;
use super::contents::Contents;
use super::known::{Known, Literal};
use crate::ChcSystem;

/// So much may be visited and copied for one assertion.
const MOST_STEPS: usize = 10_000_000;
/// So many names are told in a message.
const MOST_NAMES: usize = 4;

/// A place in the list of contexts.
type Context = usize;

enum Task {
    Visit(Term, Context),
    Build(Term, Context),
    /// A conjunction or disjunction in a context, what it has become, and the context inside of it.
    Again(Term, Context, Term, Context),
}

/// Replaces the products of one assertion.
pub(super) struct Linearizer<'r> {
    store: &'r mut TermStore,
    contents: &'r mut Contents,
    system: &'r ChcSystem,
    contexts: Vec<Known>,
    extended: Map<(Context, Literal), Context>,
    done: Map<(Term, Context), Term>,
    tasks: Vec<Task>,
    steps: usize,
}

impl<'r> Linearizer<'r> {
    pub(super) fn new(
        store: &'r mut TermStore,
        contents: &'r mut Contents,
        system: &'r ChcSystem,
    ) -> Self {
        Self {
            store,
            contents,
            system,
            contexts: vec![Known::default()],
            extended: Map::default(),
            done: Map::default(),
            tasks: Vec::new(),
            steps: 0,
        }
    }
    /// The formula without products; it has no quantifiers.
    pub(super) fn linear(mut self, formula: Term) -> Result<Term, Trouble> {
        self.contents.update(self.store, self.system);
        if !self.contents.has_product(formula) {
            return Ok(formula);
        }
        self.tasks.push(Task::Visit(formula, 0));
        while let Some(task) = self.tasks.pop() {
            self.count(1, formula)?;
            match task {
                Task::Visit(term, context) => self.visit(term, context, formula)?,
                Task::Build(term, context) => self.build(term, context)?,
                Task::Again(term, context, now, inner) => {
                    self.again((term, context), now, inner, formula)?;
                }
            }
        }
        let result = self.result(formula, 0);
        if !self.contents.has_product(result) {
            return Ok(result);
        }
        self.with_products(result)
    }
    /// The formula with products in place of their markers; quotients by unknowns are refused.
    fn with_products(self, formula: Term) -> Result<Term, Trouble> {
        let mut done = Substitution::default();
        for term in visit::postorder(self.store, &[formula]) {
            match product(self.store, term) {
                Some(Product { operator: Operator::Times, left, right, .. }) => {
                    let (left, right) =
                        (done.apply(self.store, left), done.apply(self.store, right));
                    let times = self.store.times(left, right);
                    done.bind(term, times);
                }
                Some(_) => return Err(self.nonlinear(term)),
                None => {}
            }
        }
        Ok(done.apply(self.store, formula))
    }
    fn count(&mut self, steps: usize, formula: Term) -> Result<(), Trouble> {
        self.steps += steps;
        if self.steps <= MOST_STEPS {
            return Ok(());
        }
        let mut trouble = self.nonlinear(formula);
        trouble.note =
            Some("there are too many cases to look for values that make it linear".into());
        Err(trouble)
    }
    fn result(&self, term: Term, context: Context) -> Term {
        self.done.get(&(term, context)).copied().unwrap_or(term)
    }
    fn visit(&mut self, term: Term, context: Context, formula: Term) -> Result<(), Trouble> {
        if !self.contents.has_product(term) || self.done.contains_key(&(term, context)) {
            return Ok(());
        }
        let kind = self.store.kind(term);
        if let Kind::And(_) | Kind::Or(_) = kind {
            let inner = self.inside(context, term, formula)?;
            self.tasks.push(Task::Again(term, context, term, inner));
            self.visit_children(term, inner);
        } else if let Kind::Ite(condition, a, b) = kind {
            self.tasks.push(Task::Build(term, context));
            let on_true = self.extend(context, (condition, true), formula)?;
            let on_false = self.extend(context, (condition, false), formula)?;
            self.tasks.push(Task::Visit(b, on_false));
            self.tasks.push(Task::Visit(a, on_true));
            self.tasks.push(Task::Visit(condition, context));
        } else {
            self.tasks.push(Task::Build(term, context));
            self.visit_children(term, context);
        }
        Ok(())
    }
    fn visit_children(&mut self, term: Term, context: Context) {
        let children = self.store.children(term).iter().rev();
        self.tasks.extend(children.map(|&child| Task::Visit(child, context)));
    }
    /// The context of the parts of a conjunction, or of a disjunction.
    fn inside(&mut self, context: Context, term: Term, formula: Term) -> Result<Context, Trouble> {
        let holds = self.store.conjunction(term).is_some();
        self.extend(context, (term, holds), formula)
    }
    /// The context in which a further formula is true or false.
    fn extend(
        &mut self,
        context: Context,
        fact: Literal,
        formula: Term,
    ) -> Result<Context, Trouble> {
        if let Some(&known) = self.extended.get(&(context, fact)) {
            return Ok(known);
        }
        let news = self.contexts[context].news(self.store, self.contents, fact);
        let inner = if news.is_empty() {
            context
        } else {
            self.count(self.contexts[context].size() + news.len(), formula)?;
            let mut known = self.contexts[context].clone();
            known.assume(self.store, &news);
            self.contents.update(self.store, self.system);
            self.contexts.push(known);
            self.contexts.len() - 1
        };
        self.extended.insert((context, fact), inner);
        Ok(inner)
    }
    /// Puts the parts of a conjunction or disjunction together; if they say more than before, it is
    /// gone through again.
    fn again(
        &mut self,
        key: (Term, Context),
        now: Term,
        inner: Context,
        formula: Term,
    ) -> Result<(), Trouble> {
        let parts: Vec<Term> =
            self.store.children(now).iter().map(|&part| self.result(part, inner)).collect();
        let next = self.rebuild(now, &parts);
        let is_same_kind = matches!(
            (self.store.kind(now), self.store.kind(next)),
            (Kind::And(_), Kind::And(_)) | (Kind::Or(_), Kind::Or(_))
        );
        if is_same_kind && self.contents.has_product(next) {
            let wider = self.inside(inner, next, formula)?;
            if wider != inner {
                self.count(parts.len(), formula)?;
                self.tasks.push(Task::Again(key.0, key.1, next, wider));
                self.visit_children(next, wider);
                return Ok(());
            }
        }
        self.done.insert(key, next);
        Ok(())
    }
    fn rebuild(&mut self, term: Term, children: &[Term]) -> Term {
        let result = self.store.rebuild(term, children);
        self.contents.update(self.store, self.system);
        result
    }
    /// Puts the results for the children together.
    fn build(&mut self, term: Term, context: Context) -> Result<(), Trouble> {
        let children: Vec<Term> = if let Kind::Ite(condition, a, b) = self.store.kind(term) {
            let branch = |holds: bool| self.extended[&(context, (condition, holds))];
            vec![
                self.result(condition, context),
                self.result(a, branch(true)),
                self.result(b, branch(false)),
            ]
        } else {
            let children = self.store.children(term).iter();
            children.map(|&child| self.result(child, context)).collect()
        };
        let rebuilt = self.rebuild(term, &children);
        let result = match product(self.store, rebuilt) {
            Some(product) => self.replace(product, context, rebuilt)?,
            None => rebuilt,
        };
        self.done.insert((term, context), result);
        Ok(())
    }
    /// The product as a linear term, if it is one in this context.
    fn replace(
        &mut self,
        Product { operator, left, right, .. }: Product,
        context: Context,
        term: Term,
    ) -> Result<Term, Trouble> {
        let known = &self.contexts[context];
        let store = &mut *self.store;
        let divisor = known.number(store, right);
        if operator == Operator::Times {
            let scaled = match (divisor, known.number(store, left)) {
                (Some(a), Some(b)) => store.number(a * b, store.sort(term)),
                (Some(factor), None) => store.scaled(&factor, left),
                (None, Some(factor)) => store.scaled(&factor, right),
                (None, None) => term,
            };
            self.contents.update(self.store, self.system);
            return Ok(scaled);
        }
        let Some(divisor) = divisor else { return Ok(term) };
        if divisor.is_zero() {
            return Err(Trouble {
                message: "division by zero has no fixed value and is not supported in Horn clauses"
                    .to_owned(),
                at: Some(term),
                note: None,
            });
        }
        let quotient = match operator {
            Operator::Times | Operator::Divide => store.scaled(&divisor.recip(), left),
            Operator::Div => store.div(left, &divisor),
            Operator::Mod => store.modulo(left, &divisor),
        };
        self.contents.update(self.store, self.system);
        Ok(quotient)
    }
    /// The complaint about the first product that is left.
    fn nonlinear(&self, formula: Term) -> Trouble {
        let found = visit::postorder(self.store, &[formula])
            .into_iter()
            .find_map(|term| Some((term, product(self.store, term)?)));
        let Some((at, Product { operator, left, right, .. })) = found else {
            unreachable!("the caller has seen a product")
        };
        let unknown = if operator == Operator::Times { vec![left, right] } else { vec![right] };
        let names: Vec<String> = free_symbols(self.store, &unknown)
            .into_iter()
            .take(MOST_NAMES)
            .map(|symbol| format!("`{}`", self.store.name(symbol)))
            .collect();
        let note = format!(
            "only linear arithmetic is supported, and its clause does not fix the value of {}",
            names.join(" or ")
        );
        Trouble { message: operator.complaint().to_owned(), at: Some(at), note: Some(note.into()) }
    }
}
