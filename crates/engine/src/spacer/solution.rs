//! Witnesses: a model from the lemmas, a refutation from the facts.
//!
//! A fact says that its points are derivable by its rule from points of its premises' facts;
//! grounding goes from the goal down: values of the head are given, one query finds values of the
//! premises, and so on. Equal questions are answered once.

use shofar_base::{Map, Outcome};
use shofar_chc::{Definition, Derivation, DerivationStep, Interpretation};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::{Evaluator, Model};
use shofar_term::print::print;
use shofar_term::substitute::rename;
use shofar_term::{Cx, Level, Term, TermStore};

use super::reach::FactId;
use super::rules::Node;
use super::search::Search;

/// A point to be derived: a fact and the values of its node's formals.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Question {
    fact: FactId,
    values: Vec<Term>,
}

/// A question whose rule instance is known; its premises are answered first.
struct Open {
    question: Question,
    assignment: Model,
    premises: Vec<Question>,
}

impl Search<'_> {
    /// Tells the lemmas of each predicate to who listens closely.
    pub(super) fn log_frames(&self, store: &TermStore) {
        if !tracing::enabled!(tracing::Level::TRACE) {
            return;
        }
        for (pred, node) in self.system.preds().zip(self.rules.formals.handles()) {
            let name = store.name(self.system.symbol(pred));
            for lemma in &self.frames.lemmas[node] {
                let bound = lemma.bound;
                tracing::trace!("{name} at {bound}: {}", print(store, lemma.formula));
            }
        }
    }
    /// *Safe*: every lemma above the empty level is in the solution.
    pub(super) fn safe(&self, store: &mut TermStore, empty: Level) -> Interpretation {
        let mut model = Interpretation::new();
        for (pred, node) in self.system.preds().zip(self.rules.formals.handles()) {
            let lemmas: Vec<Term> = self.frames.at(node, empty.next()).collect();
            let params = self.rules.formals[node].clone();
            model.define(pred, Definition { params, body: store.and(&lemmas) });
        }
        model
    }
    /// *Unsafe*: the ground derivation of the goal.
    pub(super) fn unsafe_by(&self, cx: &mut Cx<'_>, goal: FactId) -> Outcome<Derivation> {
        let mut steps: Vec<DerivationStep> = Vec::new();
        let mut answered: Map<Question, usize> = Map::default();
        let mut stack = vec![self.open(cx, Question { fact: goal, values: Vec::new() })?];
        while let Some(top) = stack.last() {
            if let Some(next) = top.premises.iter().find(|q| !answered.contains_key(*q)) {
                let next = self.open(cx, next.clone())?;
                stack.push(next);
                continue;
            }
            let Open { question, assignment, premises } = stack.pop().expect("there is a last one");
            let clause = self.rules.all[self.facts.all[question.fact].rule].clause;
            let premises = premises.iter().map(|q| answered[q]).collect();
            answered.insert(question, steps.len());
            steps.push(DerivationStep { clause, assignment, premises });
        }
        Ok(Derivation::ground(steps))
    }
    /// Finds the instance of the fact's rule that derives these values.
    fn open(&self, cx: &mut Cx<'_>, question: Question) -> Outcome<Open> {
        let fact = &self.facts.all[question.fact];
        let rule = &self.rules.all[fact.rule];
        let mut solver = Solver::new(Options::default());
        solver.add(cx.store, rule.guard);
        let head = self.rules.heads[fact.rule];
        for (&formal, &value) in self.rules.formals[head].iter().zip(&question.values) {
            let formal = cx.store.constant(formal);
            let equation = cx.store.eq(formal, value);
            solver.add(cx.store, equation);
        }
        for (premise, &id) in rule.body.iter().zip(&fact.premises) {
            let formula = self.facts.all[id].formula;
            let formals = &self.rules.formals[Node::of(premise.pred)];
            let said = rename(cx.store, formula, formals, &premise.formals);
            solver.add(cx.store, said);
        }
        let model = match solver.check(cx)? {
            Answer::Sat(view) => view.assignment(cx.store),
            Answer::Unsat(_) => unreachable!("every point of a fact is derivable by its rule"),
        };
        let mut evaluator = Evaluator::with_defaults(&model);
        let mut assignment = Model::new();
        for &(variable, term) in &rule.variables {
            assignment.set(variable, evaluator.evaluate(cx.store, term)?);
        }
        let mut premises = Vec::new();
        for (premise, &id) in rule.body.iter().zip(&fact.premises) {
            let values = premise.formals.iter().map(|&arg| {
                let value = model.get_or_default(cx.store, arg);
                cx.store.value_term(&value, cx.store.result(arg))
            });
            premises.push(Question { fact: id, values: values.collect() });
        }
        Ok(Open { question, assignment, premises })
    }
}
