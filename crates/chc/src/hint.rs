//! Hints: guesses about predicates.
//!
//! A hint is a formula or a term over the arguments of a predicate that may occur in a solution. It
//! says nothing about what the clauses mean: engines take it as a candidate for an invariant, as a
//! predicate of an abstraction or as a template for interpolants, and find out for themselves what
//! it is good for. A hint that is wrong costs time, never an answer.
//!
//! Hints belong to a [`ChcSystem`](crate::ChcSystem) and follow it through the passes as far as
//! they can be said of what a pass makes
//! ([`BackTranslation::hints`](crate::BackTranslation::hints)).
//!
//! Invariant: the symbols of a hint are parameters of it, and have the sorts of the arguments of
//! its predicate.
//!
//! Source: [HR18], whose users give initial predicates and templates.

use shofar_base::Map;
use shofar_term::eval::Value;
use shofar_term::substitute::substitute;
use shofar_term::symbols::free_symbols;
use shofar_term::{Symbol, Term, TermStore};

use crate::PredId;

/// What a hint is meant for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HintKind {
    /// A formula: a predicate of an abstraction, perhaps an invariant.
    Predicate,
    /// A term that any condition may be about; what costs less is tried first.
    Term {
        /// Its cost.
        cost: u32,
    },
    /// A number for which bounds are to be found.
    Bounds {
        /// Its cost.
        cost: u32,
    },
}

/// A guess about a predicate; see the module documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The predicate.
    pub pred: PredId,
    /// Distinct constants that stand for its arguments.
    pub params: Vec<Symbol>,
    /// A formula or a term over them, without quantifiers.
    pub term: Term,
    /// What it is meant for.
    pub kind: HintKind,
}

impl Hint {
    /// What the hint says of `args`.
    pub fn apply(&self, store: &mut TermStore, args: &[Term]) -> Term {
        let map: Map<Term, Term> =
            self.params.iter().zip(args).map(|(&p, &a)| (store.constant(p), a)).collect();
        substitute(store, &map, &[self.term])[0]
    }
    /// The hint with these values for arguments, by position.
    #[must_use]
    pub fn with_values(&self, store: &mut TermStore, fixed: &[(usize, Value)]) -> Self {
        let mut args: Vec<Term> = self.params.iter().map(|&param| store.constant(param)).collect();
        for (at, value) in fixed {
            args[*at] = store.value_term(value, store.result(self.params[*at]));
        }
        Self { term: self.apply(store, &args), ..self.clone() }
    }
    /// The hint about `pred`, which has these of the arguments only; none if it mentions others, or
    /// says nothing.
    pub fn projected(&self, store: &TermStore, pred: PredId, args: &[usize]) -> Option<Self> {
        let params: Vec<Symbol> = args.iter().map(|&at| self.params[at]).collect();
        let mentioned = free_symbols(store, &[self.term]);
        let says_something = !mentioned.is_empty();
        (says_something && mentioned.iter().all(|symbol| params.contains(symbol))).then(|| Self {
            pred,
            params,
            ..self.clone()
        })
    }
}

#[cfg(test)]
mod tests {
    use shofar_term::Sort;

    use super::*;
    use crate::ChcSystem;

    #[test]
    fn a_hint_follows_the_arguments_that_are_left() {
        let (mut s, mut system) = (TermStore::new(), ChcSystem::new());
        let pred = system.add_pred(s.declare("p", &[Sort::INT, Sort::INT, Sort::BOOL], Sort::BOOL));
        let params = vec![
            s.declare("x", &[], Sort::INT),
            s.declare("y", &[], Sort::INT),
            s.declare("b", &[], Sort::BOOL),
        ];
        let [x, y, b] = [0, 1, 2].map(|at| s.constant(params[at]));
        let below = s.le(x, y);
        let term = s.implies(b, below);
        let hint = Hint { pred, params, term, kind: HintKind::Predicate };
        assert_eq!(hint.projected(&s, pred, &[0, 1]), None, "the condition is gone");
        let is_true = hint.with_values(&mut s, &[(2, Value::Bool(true))]);
        assert_eq!(is_true.projected(&s, pred, &[1, 0]).map(|hint| hint.term), Some(below));
        let is_false = hint.with_values(&mut s, &[(2, Value::Bool(false))]);
        assert_eq!(is_false.projected(&s, pred, &[0, 1]), None, "nothing is left to say");
        let swapped = hint.with_values(&mut s, &[(2, Value::Bool(true))]);
        let swapped = swapped.projected(&s, pred, &[1, 0]).expect("it has both arguments");
        let [one, two] = [1, 2].map(|number| s.int(number));
        assert_eq!(swapped.apply(&mut s, &[one, two]), s.bottom(), "2 is not at most 1");
    }
}
