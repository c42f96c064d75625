//! Steps of a rule between two known facts.
//!
//! The facts fix the arguments of a rule's body and head. Its locals mostly follow from these by
//! solving the equations of the head, so that values for all variables of the clause come from
//! evaluation; where they do not, a query finds them. Long derivations are made of runs in this
//! way, one step at a time.

use shofar_base::Outcome;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::{Evaluator, Model, Value};
use shofar_term::{Cx, Symbol, Term, TermStore};

use crate::definitions::Definitions;
use crate::rule::LinearRule;

/// A linear rule whose head is named: symbols stand for the arguments of what it derives.
#[derive(Debug)]
pub(crate) struct Link {
    rule: LinearRule,
    /// What stands for the arguments of the head.
    to: Vec<Symbol>,
    /// Locals as terms over formals, `to` and other locals before them in the list.
    locals: Vec<(Symbol, Term)>,
    /// The guard, and that the head's arguments are `to`.
    condition: Term,
}

impl Link {
    /// The link of a rule.
    pub(crate) fn new(store: &mut TermStore, rule: LinearRule) -> Self {
        let args = rule.head.as_ref().map_or(&[][..], |(_, args)| args.as_slice()).to_vec();
        let mut to = Vec::new();
        let mut equations = Vec::new();
        for arg in args {
            let symbol = store.fresh("to", store.sort(arg));
            let constant = store.constant(symbol);
            equations.push(store.eq(constant, arg));
            to.push(symbol);
        }
        equations.push(rule.guard);
        let condition = store.and(&equations);
        let (mut definitions, _) = Definitions::solve(store, &equations, &rule.locals);
        let mut locals = Vec::new();
        for &local in &rule.locals {
            let constant = store.constant(local);
            let value = definitions.apply(store, constant);
            if value != constant {
                locals.push((local, value));
            }
        }
        Self { rule, to, locals, condition }
    }
    /// The rule.
    pub(crate) fn rule(&self) -> &LinearRule {
        &self.rule
    }
    /// Values of the clause's variables with which it derives the fact `to` from `from`, if there
    /// are any.
    pub(crate) fn between(
        &self,
        cx: &mut Cx<'_>,
        from: &[Value],
        to: &[Value],
    ) -> Outcome<Option<Model>> {
        let mut known = Model::new();
        let formals = self.rule.premise().into_iter().flat_map(|premise| &premise.formals);
        for (&symbol, value) in formals.zip(from).chain(self.to.iter().zip(to)) {
            known.set(symbol, value.clone());
        }
        for &(local, term) in &self.locals {
            let value = Evaluator::with_defaults(&known).evaluate(cx.store, term)?;
            known.set(local, value);
        }
        if Evaluator::with_defaults(&known).holds(cx.store, self.condition)? {
            return Ok(Some(self.rule.solved(cx.store, &known)?));
        }
        if self.rule.locals.is_empty() {
            return Ok(None);
        }
        self.query(cx, &known)
    }
    /// The same with locals that evaluation did not find.
    fn query(&self, cx: &mut Cx<'_>, known: &Model) -> Outcome<Option<Model>> {
        let mut solver = Solver::new(Options::default());
        solver.add(cx.store, self.condition);
        let formals = self.rule.premise().into_iter().flat_map(|premise| &premise.formals);
        for &symbol in formals.chain(&self.to) {
            let value = known.get(symbol).expect("both facts are known");
            let equation = is_value(cx.store, symbol, value);
            solver.add(cx.store, equation);
        }
        Ok(match solver.check(cx)? {
            Answer::Sat(model) => Some(self.rule.solved(cx.store, &model.assignment(cx.store))?),
            Answer::Unsat(_) => None,
        })
    }
}

/// That `symbol` has this value.
pub(crate) fn is_value(store: &mut TermStore, symbol: Symbol, value: &Value) -> Term {
    let (x, sort) = (store.constant(symbol), store.result(symbol));
    let value = store.value_term(value, sort);
    store.eq(x, value)
}
