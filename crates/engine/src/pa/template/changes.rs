//! How steps change the arguments of a symbol.
//!
//! A step of symbol `p` is a clause that derives `p` from `p`, as one of its premises; the change
//! is the difference of the arguments of the head and of that premise. Forms that no step changes
//! are found by refutation: the vectors orthogonal to the changes of known steps are put to the
//! solvers of all steps, and a step that changes one of them is a further one; with every such step
//! there is one vector less.
//!
//! Source: [MS04] for linear relations from a spanning set of changes; here, models of the clauses
//! span it.

use shofar_base::{GaveUp, Outcome};
use shofar_chc::PredId;
use shofar_num::Rational;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::Evaluator;
use shofar_term::visit::postorder;
use shofar_term::{Cx, Term, TermStore};

use super::form;
use crate::orthogonal::{orthogonals, primitive};
use crate::rule::Rule;

/// Remainders by more than twice this number are no templates.
const LARGEST_STRIDE: i64 = 16;
/// So many remainders are templates of one symbol.
const MOST_STRIDES: usize = 24;

/// A clause that derives a symbol from itself.
struct Step {
    solver: Solver,
    guard: Term,
    before: Vec<Term>,
    after: Vec<Term>,
}

/// The steps of a symbol, restricted to the arguments that are numbers.
pub(super) struct Changes {
    /// The parameters that are numbers.
    args: Vec<Term>,
    steps: Vec<Step>,
    /// Changes that were seen.
    seen: Vec<Vec<Rational>>,
}

impl Changes {
    /// The steps from `pred` to itself among `users`, the rules whose bodies have it.
    pub(super) fn new(store: &mut TermStore, users: &[&Rule], pred: PredId, args: &[Term]) -> Self {
        let numbers: Vec<usize> =
            (0..args.len()).filter(|&at| store.sort(args[at]).is_arithmetic()).collect();
        let mut steps = Vec::new();
        for rule in users {
            let Some((head, after)) = &rule.head else { continue };
            for premise in rule.body.iter().filter(|p| p.pred == pred && *head == pred) {
                let mut solver = Solver::new(Options::default());
                solver.add(store, rule.guard);
                let before = numbers.iter().map(|&at| store.constant(premise.formals[at]));
                let before = before.collect();
                let after = numbers.iter().map(|&at| after[at]).collect();
                steps.push(Step { solver, guard: rule.guard, before, after });
            }
        }
        let args = numbers.iter().map(|&at| args[at]).collect();
        Self { args, steps, seen: Vec::new() }
    }
    /// Forms that no step changes, with the number of their arguments; none if there are no steps.
    pub(super) fn constant_forms(&mut self, cx: &mut Cx<'_>) -> Outcome<Vec<(Term, usize)>> {
        if self.steps.is_empty() {
            return Ok(Vec::new());
        }
        let vectors = loop {
            cx.budget.check()?;
            let vectors = orthogonals(self.seen.clone(), self.args.len());
            let Some(change) = self.change_of_one(cx, &vectors)? else { break vectors };
            self.seen.push(change);
        };
        let mut forms = Vec::new();
        for vector in vectors {
            let vector = primitive(vector);
            let size = vector.iter().filter(|entry| !entry.is_zero()).count();
            forms.push((form(cx.store, &vector, &self.args), size));
        }
        Ok(forms)
    }
    /// A change that is not orthogonal to one of `vectors`, if there is one.
    fn change_of_one(
        &mut self,
        cx: &mut Cx<'_>,
        vectors: &[Vec<Rational>],
    ) -> Outcome<Option<Vec<Rational>>> {
        for step in &mut self.steps {
            let mut changed = Vec::new();
            for vector in vectors {
                let [before, after] =
                    [&step.before, &step.after].map(|args| form(cx.store, vector, args));
                let same = cx.store.eq(before, after);
                changed.push(cx.store.not(same));
            }
            let changed = cx.store.or(&changed);
            match step.solver.check_assuming(cx, &[changed]) {
                Ok(Answer::Unsat(_)) => (),
                Ok(Answer::Sat(view)) => {
                    let model = view.assignment(cx.store);
                    return Ok(Some(step.change(cx.store, &mut Evaluator::with_defaults(&model))));
                }
                // Whoever claims too much loses a template only, not a proof.
                Err(GaveUp::Incomplete(_)) => return Ok(None),
                Err(why) => return Err(why),
            }
        }
        Ok(None)
    }
    /// Whether all steps let `term`, a form over the parameters, grow or stay, and whether they let
    /// it fall or stay.
    pub(super) fn monotone(&mut self, cx: &mut Cx<'_>, term: Term) -> Outcome<(bool, bool)> {
        let linear = cx.store.linear(term);
        let coefficients: Vec<Rational> = self
            .args
            .iter()
            .map(|&arg| linear.coefficient(arg).cloned().unwrap_or(Rational::ZERO))
            .collect();
        let (mut grows, mut falls) = (!self.steps.is_empty(), !self.steps.is_empty());
        for step in &mut self.steps {
            let [before, after] =
                [&step.before, &step.after].map(|args| form(cx.store, &coefficients, args));
            let (less, more) = (cx.store.lt(after, before), cx.store.gt(after, before));
            grows = grows && step.excludes(cx, less)?;
            falls = falls && step.excludes(cx, more)?;
        }
        Ok((grows, falls))
    }
    /// Numbers by which steps change integer arguments, or multiply them, and their doubles; with
    /// each such argument.
    pub(super) fn strides(&self, store: &TermStore) -> Vec<(Term, Rational)> {
        let integers = |at: &usize| store.sort(self.args[*at]).is_int();
        let mut numbers: Vec<Rational> = Vec::new();
        for step in &self.steps {
            for at in (0..self.args.len()).filter(integers) {
                let mut change = store.linear(step.after[at]);
                change.add_term(&Rational::MINUS_ONE, step.before[at]);
                numbers.extend(change.monomials().iter().map(|(factor, _)| factor.clone()));
                numbers.push(change.constant);
            }
            // Where a clause says several things, its equations say what it changes.
            for atom in postorder(store, &[step.guard]) {
                let Some((form, constant)) = store.equation(atom) else { continue };
                let form = store.linear(form);
                if form.monomials().len() > 1 {
                    numbers.extend(form.monomials().iter().map(|(factor, _)| factor.clone()));
                    numbers.push(constant.clone());
                }
            }
        }
        let mut divisors: Vec<Rational> = Vec::new();
        for number in numbers {
            let size = if number < Rational::ZERO { -number } else { number };
            if size > Rational::ONE && size <= Rational::from(LARGEST_STRIDE) && size.is_integer() {
                divisors.push(&size + &size);
                divisors.push(size);
            }
        }
        divisors.sort_unstable();
        divisors.dedup();
        let args = (0..self.args.len()).filter(integers).map(|at| self.args[at]);
        args.flat_map(|arg| divisors.iter().map(move |divisor| (arg, divisor.clone())))
            .take(MOST_STRIDES)
            .collect()
    }
}

impl Step {
    /// The change of the arguments in a model.
    fn change(&self, store: &TermStore, model: &mut Evaluator<'_>) -> Vec<Rational> {
        let mut value =
            |term| model.number(store, term).expect("arithmetic has values in every model");
        self.before.iter().zip(&self.after).map(|(&b, &a)| value(a) - &value(b)).collect()
    }
    /// Whether `formula` does not happen in this step.
    fn excludes(&mut self, cx: &mut Cx<'_>, formula: Term) -> Outcome<bool> {
        match self.solver.check_assuming(cx, &[formula]) {
            Ok(answer) => Ok(matches!(answer, Answer::Unsat(_))),
            Err(GaveUp::Incomplete(_)) => Ok(false),
            Err(why) => Err(why),
        }
    }
}
