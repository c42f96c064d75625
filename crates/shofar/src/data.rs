//! Evidence as data: what a model says of values, and the steps of a refutation with the names and
//! values of their variables.

use shofar_chc::ClauseId;
use shofar_term::eval::{Evaluator, Value};

use crate::{Model, Refutation};

impl Model {
    /// Whether a predicate holds of these arguments. There is no answer if no predicate has the
    /// name, if the arguments do not fit it, or if its definition has a quantifier.
    ///
    /// ```
    /// use shofar::{Answer, Problem, Solver};
    /// let text = b"(declare-fun p (Int Int) Bool)
    ///     (assert (forall ((x Int)) (=> (> x 2) (p x 0))))
    ///     (assert (forall ((x Int) (n Int)) (=> (p x n) (p (+ x 1) (+ n 1)))))
    ///     (assert (forall ((x Int) (n Int)) (=> (p x n) (> x n))))(check-sat)";
    /// let outcome = Solver::new().solve(Problem::from_text(text)?);
    /// let Answer::Safe(model) = outcome.answer else { panic!("it is safe") };
    /// assert_eq!(model.holds("p", &[3, 0]), Some(true));
    /// assert_eq!(model.holds("p", &[4, 4]), Some(false));
    /// assert_eq!(model.holds("p", &[3]), None);
    /// # Ok::<(), shofar::InputError>(())
    /// ```
    pub fn holds<V: Clone + Into<Value>>(&self, predicate: &str, args: &[V]) -> Option<bool> {
        let definition = self.definition(predicate)?;
        let values: Vec<Value> = args.iter().cloned().map(Into::into).collect();
        let fits =
            |(&param, value): (_, &Value)| value.has_sort(self.store(), self.store().result(param));
        let params = &definition.params;
        if params.len() != values.len() || !params.iter().zip(&values).all(fits) {
            return None;
        }
        let mut assignment = shofar_term::eval::Model::new();
        for (&param, value) in params.iter().zip(values) {
            assignment.set(param, value);
        }
        Evaluator::new(&assignment).holds(self.store(), definition.body).ok()
    }
}

/// An instance of a clause in a refutation.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedStep {
    /// The clause.
    pub clause: ClauseId,
    /// The variables of the clause by their names, with their values.
    pub values: Vec<(String, Value)>,
    /// The steps that derive its body, in the order of the body.
    pub premises: Vec<usize>,
    /// The predicate that the step derives, and of which arguments; nothing for `false`.
    pub derives: Option<(String, Vec<Value>)>,
}

impl Refutation {
    /// The steps as they are listed, from facts to `false`. Cycles that are gone through often are
    /// listed by their first and last iteration, see [`Refutation::length`].
    ///
    /// ```
    /// use shofar::{Answer, Problem, Solver};
    /// let text = b"(declare-fun p (Int) Bool)(assert (p 7))
    ///     (assert (forall ((x Int)) (=> (p x) (< x 7))))(check-sat)";
    /// let outcome = Solver::new().solve(Problem::from_text(text)?);
    /// let Answer::Unsafe(refutation) = outcome.answer else { panic!("7 is not less than 7") };
    /// let steps: Vec<_> = refutation.named_steps().collect();
    /// assert_eq!(steps[0].derives, Some(("p".to_owned(), vec![7.into()])));
    /// assert_eq!(steps[1].values, [("x".to_owned(), 7.into())]);
    /// assert_eq!((&steps[1].premises[..], &steps[1].derives), (&[0][..], &None));
    /// # Ok::<(), shofar::InputError>(())
    /// ```
    pub fn named_steps(&self) -> impl Iterator<Item = NamedStep> + '_ {
        let (store, system) = (&self.store, &self.horn.system);
        self.derivation.steps.iter().map(move |step| {
            let clause = system.clause(step.clause);
            let named = |symbol| {
                (store.name(symbol).to_owned(), step.assignment.get_or_default(store, symbol))
            };
            let values = clause.variables(store).into_iter().map(named).collect();
            let derives = clause.head.as_ref().map(|head| {
                let mut evaluator = Evaluator::with_defaults(&step.assignment);
                let value =
                    |&arg: &_| evaluator.evaluate(store, arg).expect("a validated step has values");
                let args = head.args.iter().map(value).collect();
                (store.name(system.symbol(head.pred)).to_owned(), args)
            });
            NamedStep { clause: step.clause, values, premises: step.premises.clone(), derives }
        })
    }
}
