//! Equations that say what a variable is, used up before a query.
//!
//! A claim over bit-vectors made of integers is hard for a solver that looks at bits on one side
//! and at numbers on the other: `x = y` says nothing of the bits of `x` and of `y` until all of
//! them are decided. Where such an equation is a conjunct, one variable is replaced by the other
//! side in everything else, which leaves the claim equivalent once the variable is read as defined.
//! Values of replaced variables are computed from the others afterwards.

use shofar_base::Map;
use shofar_term::eval::{Model, evaluate_with_defaults};
use shofar_term::solve::{solvable, solve_for};
use shofar_term::substitute::substitute;
use shofar_term::symbols::free_symbols;
use shofar_term::visit::postorder;
use shofar_term::{BitsKind, Symbol, Term, TermStore};

/// So many variables are replaced at most.
const MOST: usize = 64;

/// What was replaced, the first one first.
#[derive(Default)]
pub(crate) struct Replaced(Vec<(Symbol, Term)>);

/// Replaces variables in `given` and in `others`, if vectors are made of integers there.
pub(crate) fn replace(
    store: &mut TermStore,
    given: &mut Term,
    mut others: Vec<&mut Term>,
) -> Replaced {
    let mut replaced = Replaced::default();
    let roots: Vec<Term> = others.iter().map(|other| **other).chain([*given]).collect();
    let has_conversions = postorder(store, &roots)
        .into_iter()
        .any(|term| matches!(store.bits_kind(term), Some(BitsKind::OfInt(..))));
    while has_conversions && replaced.0.len() < MOST {
        let Some((symbol, term)) = definition(store, *given) else { break };
        let map: Map<Term, Term> = [(store.constant(symbol), term)].into_iter().collect();
        *given = substitute(store, &map, &[*given])[0];
        for other in &mut others {
            **other = substitute(store, &map, &[**other])[0];
        }
        replaced.0.push((symbol, term));
    }
    replaced
}

/// A variable and what a conjunct says that it is.
fn definition(store: &mut TermStore, given: Term) -> Option<(Symbol, Term)> {
    store.conjuncts(&[given]).into_iter().find_map(|part| {
        solvable(store, part).into_iter().find_map(|symbol| {
            let term = solve_for(store, part, symbol)?;
            let is_own = free_symbols(store, &[term]).binary_search(&symbol).is_ok();
            (!is_own).then_some((symbol, term))
        })
    })
}

impl Replaced {
    /// Gives the replaced variables their values.
    pub(crate) fn complete(&self, store: &TermStore, assignment: &mut Model) {
        for (symbol, term) in self.0.iter().rev() {
            if let Ok(value) = evaluate_with_defaults(store, *term, assignment) {
                assignment.set(*symbol, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use shofar_term::Sort;
    use shofar_term::eval::Value;

    use super::*;

    #[test]
    fn equations_are_used_up_and_values_come_back() {
        let mut s = TermStore::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| s.var(name, Sort::INT));
        let (one, five) = (s.int(1), s.bits_of(8, 5));
        let next = s.add(&[y, one]);
        let (first, second) = (s.eq(x, next), s.eq(y, z));
        let mut given = s.and(&[first, second]);
        let vector = s.bits_of_int(8, x);
        let mut goals = [s.bits_op(shofar_term::BitsOp::Ule, &[vector, five])];
        let replaced = replace(&mut s, &mut given, goals.iter_mut().collect());
        assert_eq!(given, s.top());
        assert_eq!(free_symbols(&s, &goals).len(), 1);
        let mut model = Model::new();
        let rest = free_symbols(&s, &goals)[0];
        model.set(rest, Value::Number(7.into()));
        replaced.complete(&s, &mut model);
        for (equation, name) in [(first, "first"), (second, "second")] {
            let value = evaluate_with_defaults(&s, equation, &model);
            assert_eq!(value, Ok(Value::Bool(true)), "{name}");
        }
    }

    #[test]
    fn claims_without_conversions_stay() {
        let mut s = TermStore::new();
        let (x, y) = (s.var("x", Sort::INT), s.var("y", Sort::INT));
        let (same, mut goals) = (s.eq(x, y), [s.le(x, y)]);
        let mut given = same;
        assert!(replace(&mut s, &mut given, goals.iter_mut().collect()).0.is_empty());
        assert_eq!(given, same);
    }
}
