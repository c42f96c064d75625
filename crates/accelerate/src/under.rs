//! Under-approximations that contain a given step.
//!
//! A relation that has no closure of a known kind is made smaller until it has one: undetermined
//! values change as they do in the step, values that do not change and that others depend on are
//! those of the step, and at last every value changes as it does in the step, which is a
//! translation. What is left is a relation with an exact closure, and each of its powers is
//! included in that of the whole.
//!
//! Source: [HIKKR12] §5 (under-approximation); [FF22] for the use of fixed values.

use shofar_base::{Outcome, Set};
use shofar_num::Rational;
use shofar_term::eval::{Model, Value};
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Symbol, Term, TermStore};

use crate::closure::Under;
use crate::normal::Loop;
use crate::{Relation, exact};

/// What is fixed to make a relation smaller.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fixed {
    Nothing,
    /// How undetermined values change.
    Choices,
    /// Also the values of unchanged variables that others depend on.
    Factors,
    /// How all values change.
    Everything,
}

/// Powers of a relation whose iterations can be computed, the step of `model` among the first;
/// nothing if values that are no numbers are in the way. `model` satisfies the relation.
pub fn under(cx: &mut Cx<'_>, relation: &Relation, model: &Model) -> Outcome<Option<Under>> {
    for fixed in [Fixed::Nothing, Fixed::Choices, Fixed::Factors, Fixed::Everything] {
        cx.budget.check()?;
        let mut literals = relation.literals().to_vec();
        literals.extend(restrictions(cx.store, relation, model, fixed));
        let smaller = Relation::new(cx.store, relation.variables(), &literals)
            .expect("restrictions are about the same variables");
        if let Some(closure) = exact(cx, &smaller)?
            && let Some(progress) = closure.progress()
        {
            return Ok(Some(Under(closure.0, progress)));
        }
    }
    Ok(None)
}

/// Literals that hold of the step of `model`.
fn restrictions(
    store: &mut TermStore,
    relation: &Relation,
    model: &Model,
    fixed: Fixed,
) -> Vec<Term> {
    let Some(whole) = Loop::new(store, relation) else { return Vec::new() };
    let used: Set<Symbol> = (whole.variables.iter())
        .flat_map(|v| {
            let own = store.constant(v.pre);
            let update = v.update.filter(|&update| update != own);
            update.map_or_else(Vec::new, |update| free_symbols(store, &[update]))
        })
        .collect();
    let mut literals = Vec::new();
    for variable in &whole.variables {
        let (pre, post) = (variable.pre, variable.post);
        let is_choice = variable.update.is_none();
        let is_factor = variable.update == Some(store.constant(pre)) && used.contains(&pre);
        let (changes, keeps_value) = match fixed {
            Fixed::Nothing => (false, false),
            Fixed::Choices => (is_choice, false),
            Fixed::Factors => (is_choice, is_factor),
            Fixed::Everything => (true, false),
        };
        if changes {
            literals.extend(same_change(store, pre, post, model));
        }
        if keeps_value {
            literals.extend(same_value(store, pre, model));
        }
    }
    literals
}

/// That a number changes by as much as in the model, and that anything else becomes what it becomes
/// there.
fn same_change(store: &mut TermStore, pre: Symbol, post: Symbol, model: &Model) -> Option<Term> {
    let after = model.get_or_default(store, post);
    match (model.get_or_default(store, pre), after) {
        (Value::Number(before), Value::Number(after)) => {
            let (x, y) = (store.constant(pre), store.constant(post));
            let mut linear = store.linear(y);
            linear.add_scaled(&Rational::MINUS_ONE, &store.linear(x));
            linear.constant += before - after;
            Some(store.eq_zero(&linear))
        }
        (_, Value::Bool(value)) => {
            let post = store.constant(post);
            Some(if value { post } else { store.not(post) })
        }
        (_, _) => None,
    }
}

/// That a number has the value it has in the model.
fn same_value(store: &mut TermStore, symbol: Symbol, model: &Model) -> Option<Term> {
    let value = model.get_or_default(store, symbol);
    let value = value.as_number().cloned()?;
    let number = store.number(value, store.result(symbol));
    let name = store.constant(symbol);
    Some(store.eq(name, number))
}

#[cfg(test)]
mod tests {
    use shofar_base::Budget;

    use super::*;
    use crate::tests::Setting;

    /// The formula of the powers of a relation around a step.
    fn around(s: &mut Setting, literals: &[Term], before: &[i64], after: &[i64]) -> Term {
        let relation = s.relation(literals);
        let mut model = Model::new();
        for (at, &(pre, post)) in s.pairs.iter().enumerate() {
            model.set(pre, Value::Number(before[at].into()));
            model.set(post, Value::Number(after[at].into()));
        }
        let (count, budget) = (s.store.constant(s.count), Budget::unlimited());
        let found = under(&mut Cx::new(&mut s.store, &budget), &relation, &model).unwrap().unwrap();
        let formula = found.formula(&mut s.store, count);
        assert!(s.holds(formula, before, after, 1), "the step is among the powers");
        formula
    }

    #[test]
    fn a_factor_that_does_not_change_is_fixed() {
        // x' = x + y.
        let mut s = Setting::ints(2);
        let literals = [s.update(0, &[(1, 0), (1, 1)], 0), s.update(1, &[(1, 1)], 0)];
        let formula = around(&mut s, &literals, &[1, 5], &[6, 5]);
        assert!(s.holds(formula, &[0, 5], &[50, 5], 10) && !s.holds(formula, &[0, 4], &[8, 4], 2));
    }

    #[test]
    fn growth_is_kept_to_one_step_and_choices_to_one_value() {
        let mut s = Setting::ints(1);
        let doubled = [s.update(0, &[(2, 0)], 0)];
        let formula = around(&mut s, &doubled, &[3], &[6]);
        assert!(!s.holds(formula, &[3], &[12], 2));
        let (a, b) = (s.pre(0), s.post(0));
        let far = s.sum(&[(2, a)], 7);
        let bounded = [s.store.le(b, far), s.store.le(a, b)];
        let formula = around(&mut s, &bounded, &[3], &[5]);
        assert!(s.holds(formula, &[3], &[23], 10) && !s.holds(formula, &[3], &[24], 10));
    }
}
