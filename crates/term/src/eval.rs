//! The value of a term in a model.
//!
//! Evaluation walks the term graph with its own stack, visits every node at most once, and looks
//! only at the chosen branch of an `ite`. A conjunction with a part already known to be false does
//! not wait for its other parts. `div`, `mod` and `to_int` are exact.
//!
//! Not everything has a value: a constant that the model says nothing about, an application of a
//! function without a table, a quantified formula, a selector of a value that another constructor
//! made (see [`compound`]). Whoever wants such constants to be false, 0 or the first element of
//! their sort says so by [`Evaluator::with_defaults`]; this makes any model of the other constants
//! a model of them all.

mod compound;

use std::fmt;

use shofar_base::{GaveUp, Map};
use shofar_num::{Rational, div_euclid, mod_euclid};
use smallvec::SmallVec;

pub use crate::model::{FunctionTable, Model};
pub use crate::value::Value;
use crate::{ArithKind, Kind, Sum, Symbol, Term, TermStore};

/// A term that was met on the way has no value in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoValue(pub Term);

impl fmt::Display for NoValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the model has no value for {:?}", self.0)
    }
}

impl std::error::Error for NoValue {}

impl From<NoValue> for GaveUp {
    fn from(_: NoValue) -> Self {
        GaveUp::incomplete("a term has no value in a model")
    }
}

/// The value of `term`.
pub fn evaluate(store: &TermStore, term: Term, model: &Model) -> Result<Value, NoValue> {
    Evaluator::new(model).evaluate(store, term)
}

/// The value of `term`, where constants that the model says nothing about have the default of their
/// sort.
pub fn evaluate_with_defaults(
    store: &TermStore,
    term: Term,
    model: &Model,
) -> Result<Value, NoValue> {
    Evaluator::with_defaults(model).evaluate(store, term)
}

/// A borrowed value.
#[derive(Clone, Copy, PartialEq)]
enum Known<'a> {
    Bool(bool),
    Number(&'a Rational),
    /// Neither a truth value nor a number.
    Other(&'a Value),
    /// None, because of this selector.
    Unspecified(Term),
}

impl Known<'_> {
    fn value(self) -> Value {
        match self {
            Known::Bool(value) => Value::Bool(value),
            Known::Number(value) => Value::Number(value.clone()),
            Known::Other(value) => value.clone(),
            Known::Unspecified(_) => {
                unreachable!("what is not specified is never taken for a value")
            }
        }
    }
}

impl<'a> From<&'a Value> for Known<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Bool(value) => Known::Bool(*value),
            Value::Number(value) => Known::Number(value),
            Value::Element(..) | Value::Bits(_) | Value::Data(_) | Value::Array(_) => {
                Known::Other(value)
            }
        }
    }
}

/// Evaluates many terms under one model; shared subterms are evaluated once.
#[derive(Debug)]
pub struct Evaluator<'a> {
    model: &'a Model,
    /// Whether a constant without a value gets the default of its sort.
    completes: bool,
    cache: Map<Term, Value>,
    /// Terms without a value, each with the selector that is to blame.
    unspecified: Map<Term, Term>,
    stack: Vec<Term>,
}

/// What a term has: a value, or terms that must be known first, which have been pushed.
type Step = Result<Option<Value>, NoValue>;

impl<'a> Evaluator<'a> {
    /// An evaluator for which constants without a value have none.
    pub fn new(model: &'a Model) -> Self {
        let (cache, unspecified) = (Map::default(), Map::default());
        Self { model, completes: false, cache, unspecified, stack: Vec::new() }
    }
    /// An evaluator for which constants without a value have the default of their sort.
    pub fn with_defaults(model: &'a Model) -> Self {
        Self { completes: true, ..Self::new(model) }
    }
    /// The value of `term`; all calls must be about the same store.
    pub fn evaluate(&mut self, store: &TermStore, term: Term) -> Result<Value, NoValue> {
        self.run(store, term)?;
        Ok(self.known(store, term).expect("the walk ends with the root known").value())
    }
    /// Whether the formula `term` is true.
    pub fn holds(&mut self, store: &TermStore, term: Term) -> Result<bool, NoValue> {
        self.run(store, term)?;
        Ok(self.truth(store, term))
    }
    /// The value of the arithmetic `term`.
    pub fn number(&mut self, store: &TermStore, term: Term) -> Result<Rational, NoValue> {
        self.run(store, term)?;
        Ok(self.amount(store, term).clone())
    }

    fn run(&mut self, store: &TermStore, term: Term) -> Result<(), NoValue> {
        // Most arguments of clauses are constants; they need no walk.
        if self.known(store, term).is_some() {
            return self.specified(term);
        }
        self.stack.clear();
        self.stack.push(term);
        while let Some(&top) = self.stack.last() {
            if self.known(store, top).is_some() {
                self.stack.pop();
            } else if let Some(value) = self.step(store, top)? {
                self.cache.insert(top, value);
                self.stack.pop();
            }
        }
        self.specified(term)
    }
    fn step(&mut self, store: &TermStore, term: Term) -> Step {
        if self.has_unspecified_child(store, term) {
            return Ok(self.unspecified_step(store, term));
        }
        let kind = store.kind(term);
        if let Kind::App(symbol, arguments) = kind {
            self.application(store, term, symbol, arguments)
        } else if let Kind::Symbol(symbol) = kind
            && self.completes
        {
            Ok(Some(Value::default_of(store, store.result(symbol))))
        } else if let Kind::Symbol(_) | Kind::Quantified(..) = kind {
            Err(NoValue(term))
        } else {
            Ok(self.connective(store, term, kind))
        }
    }
    /// The table of the function decides.
    fn application(
        &mut self,
        store: &TermStore,
        term: Term,
        symbol: Symbol,
        arguments: &[Term],
    ) -> Step {
        if let Some((a, b)) = store.as_times(term) {
            let known = self.need(store, arguments);
            return Ok(known.map(|()| Value::Number(self.amount(store, a) * self.amount(store, b))));
        }
        let table = self.model.function(symbol).ok_or(NoValue(term))?;
        if self.need(store, arguments).is_none() {
            return Ok(None);
        }
        let values: SmallVec<[Value; 4]> =
            arguments.iter().filter_map(|&argument| self.cached(store, argument)).collect();
        Ok(Some(table.get(&values).clone()))
    }
    /// The value of a term that has one if its children have, or `None` after pushing what must be
    /// known first.
    fn connective(&mut self, store: &TermStore, term: Term, kind: Kind<'_>) -> Option<Value> {
        let truth = match kind {
            Kind::True => true,
            Kind::False => false,
            Kind::Not(p) => {
                self.need(store, &[p])?;
                !self.truth(store, p)
            }
            Kind::And(parts) => self.junction(store, parts, false)?,
            Kind::Or(parts) => self.junction(store, parts, true)?,
            Kind::Iff(p, q) => {
                self.need(store, &[p, q])?;
                self.truth(store, p) == self.truth(store, q)
            }
            Kind::Ite(condition, yes, no) => {
                self.need(store, &[condition])?;
                let chosen = if self.truth(store, condition) { yes } else { no };
                self.need(store, &[chosen])?;
                return self.cached(store, chosen);
            }
            Kind::Same(a, b) => {
                self.need(store, &[a, b])?;
                self.known(store, a) == self.known(store, b)
            }
            Kind::Arith(kind) => return self.arithmetic(store, term, kind),
            Kind::Array(kind) => return self.array(store, term, kind),
            Kind::Data(kind) => return self.data(store, term, kind),
            Kind::Bits(kind) => return self.bits(store, kind),
            Kind::Symbol(_) | Kind::App(..) | Kind::Quantified(..) => {
                unreachable!("the caller has looked")
            }
        };
        Some(Value::Bool(truth))
    }
    fn arithmetic(&mut self, store: &TermStore, term: Term, kind: ArithKind<'_>) -> Option<Value> {
        let truth = match kind {
            ArithKind::Number(value) => return Some(Value::Number(value.clone())),
            ArithKind::Sum(sum) => return self.sum(store, term, sum),
            ArithKind::Le(form, bound) => self.compared(store, form, |value| value <= bound)?,
            ArithKind::Lt(form, bound) => self.compared(store, form, |value| value < bound)?,
            ArithKind::Eq(form, bound) => self.compared(store, form, |value| value == bound)?,
            ArithKind::Div(a, divisor) => {
                return self.mapped(store, a, |value| div_euclid(value, divisor));
            }
            ArithKind::Mod(a, divisor) => {
                return self.mapped(store, a, |value| mod_euclid(value, divisor));
            }
            ArithKind::ToInt(a) => return self.mapped(store, a, |value| Some(value.floor())),
        };
        Some(Value::Bool(truth))
    }
    fn junction(&mut self, store: &TermStore, parts: &[Term], zero: bool) -> Option<bool> {
        let decides = |&part: &Term| matches!(self.known(store, part), Some(Known::Bool(value)) if value == zero);
        if parts.iter().any(decides) {
            return Some(zero);
        }
        self.need(store, parts)?;
        Some(!zero)
    }
    fn sum(&mut self, store: &TermStore, term: Term, sum: Sum<'_>) -> Option<Value> {
        self.need(store, store.children(term))?;
        let mut total = sum.constant().clone();
        for (coefficient, part) in sum.iter() {
            total.add_mul(coefficient, self.amount(store, part));
        }
        Some(Value::Number(total))
    }
    fn compared(
        &mut self,
        store: &TermStore,
        form: Term,
        holds: impl Fn(&Rational) -> bool,
    ) -> Option<bool> {
        self.need(store, &[form])?;
        Some(holds(self.amount(store, form)))
    }
    fn mapped(
        &mut self,
        store: &TermStore,
        term: Term,
        f: impl Fn(&Rational) -> Option<Rational>,
    ) -> Option<Value> {
        self.need(store, &[term])?;
        let value = f(self.amount(store, term));
        Some(Value::Number(value.expect("divisors in terms are not zero")))
    }

    /// Pushes the terms that are not known; `None` if there are such.
    fn need(&mut self, store: &TermStore, terms: &[Term]) -> Option<()> {
        let before = self.stack.len();
        for &term in terms {
            if self.known(store, term).is_none() {
                self.stack.push(term);
            }
        }
        (self.stack.len() == before).then_some(())
    }
    /// Assigned constants and numbers are known without the cache, which keeps it small.
    fn known<'s>(&'s self, store: &'s TermStore, term: Term) -> Option<Known<'s>> {
        let kind = store.kind(term);
        if let Kind::Arith(ArithKind::Number(value)) = kind {
            return Some(Known::Number(value));
        }
        if let Kind::Symbol(symbol) = kind
            && let Some(value) = self.model.get(symbol)
        {
            return Some(value.into());
        }
        self.cache.get(&term).map(Known::from).or_else(|| self.unspecified_at(term))
    }
    fn cached(&self, store: &TermStore, term: Term) -> Option<Value> {
        self.known(store, term).map(Known::value)
    }
    fn truth(&self, store: &TermStore, term: Term) -> bool {
        match self.known(store, term) {
            Some(Known::Bool(value)) => value,
            Some(Known::Number(_) | Known::Other(_) | Known::Unspecified(_)) | None => {
                panic!("a formula has a truth value")
            }
        }
    }
    fn amount<'s>(&'s self, store: &'s TermStore, term: Term) -> &'s Rational {
        match self.known(store, term) {
            Some(Known::Number(value)) => value,
            Some(Known::Bool(_) | Known::Other(_) | Known::Unspecified(_)) | None => {
                panic!("an arithmetic term has a number as its value")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn division_and_floor_are_exact() {
        let mut s = TermStore::new();
        let (x, r) = (s.var("x", Sort::INT), s.var("r", Sort::REAL));
        let (xs, rs) = (s.declare("x", &[], Sort::INT), s.declare("r", &[], Sort::REAL));
        let (two, minus_two) = (Rational::from(2), Rational::from(-2));
        let terms =
            [s.div(x, &two), s.modulo(x, &two), s.div(x, &minus_two), s.to_int(r), s.abs(x)];
        let mut model = Model::new();
        model.set(xs, Value::Number(Rational::from(-7)));
        model.set(rs, Value::Number(Rational::new(-5, 2)));
        let mut evaluator = Evaluator::new(&model);
        let values = terms.map(|t| evaluator.number(&s, t).ok().and_then(|n| n.to_i64()));
        assert_eq!(values, [Some(-4), Some(1), Some(4), Some(-3), Some(7)]);
    }

    #[test]
    fn constants_have_no_value_unless_defaults_are_asked_for() {
        let mut s = TermStore::new();
        let sort = s.declare_sort("S");
        let (x, b) = (s.var("x", Sort::INT), s.var("b", Sort::BOOL));
        let (u, v, zero) = (s.var("u", sort), s.var("v", sort), s.int(0));
        let (is_zero, not_b, same) = (s.eq(x, zero), s.not(b), s.eq(u, v));
        let all = s.and(&[is_zero, not_b, same]);
        let mut model = Model::new();
        assert_eq!(evaluate_with_defaults(&s, all, &model), Ok(Value::Bool(true)));
        assert!(Evaluator::new(&model).holds(&s, all).is_err());
        assert_eq!(Evaluator::new(&model).holds(&s, not_b), Err(NoValue(b)));
        // What decides is enough, even if other parts have no value.
        model.set(s.declare("x", &[], Sort::INT), Value::Number(1.into()));
        let mut evaluator = Evaluator::new(&model);
        assert_eq!(evaluator.holds(&s, is_zero), Ok(false));
        assert_eq!(evaluator.holds(&s, all), Ok(false));
        // An error leaves nothing behind.
        assert_eq!(evaluator.holds(&s, same), Err(NoValue(v)));
        assert_eq!(evaluator.number(&s, x), Ok(Rational::ONE));
    }

    #[test]
    fn functions_have_the_values_of_their_tables() {
        let mut s = TermStore::new();
        let (f, p) =
            (s.declare("f", &[Sort::INT], Sort::INT), s.declare("p", &[Sort::INT], Sort::BOOL));
        let x = s.var("x", Sort::INT);
        let fx = s.app(f, &[x]);
        let ffx = s.app(f, &[fx]);
        let pffx = s.app(p, &[ffx]);
        let number = |n: i64| Value::Number(n.into());
        let mut table = FunctionTable::constant(number(9));
        table.set(&[number(0)], number(4));
        let mut model = Model::new();
        model.set(s.declare("x", &[], Sort::INT), number(0));
        model.set_function(f, table);
        assert_eq!(evaluate(&s, ffx, &model), Ok(number(9)));
        assert_eq!(evaluate(&s, fx, &model), Ok(number(4)));
        assert_eq!(evaluate(&s, pffx, &model), Err(NoValue(pffx)));
        model.set_function(p, FunctionTable::constant(Value::Bool(true)));
        assert_eq!(evaluate(&s, pffx, &model), Ok(Value::Bool(true)));
    }

    #[test]
    fn a_quantified_formula_has_no_value() {
        let mut s = TermStore::new();
        let x = s.var("x", Sort::INT);
        let zero = s.int(0);
        let body = s.le(x, zero);
        let all = s.quantify(crate::Quantifier::Forall, body, &[x]);
        assert_eq!(evaluate(&s, all, &Model::new()), Err(NoValue(all)));
    }

    #[test]
    fn a_million_levels() {
        let mut s = TermStore::new();
        let (x, one) = (s.var("x", Sort::INT), s.int(1));
        let b = s.var("b", Sort::BOOL);
        let mut t = x;
        for _ in 0..500_000 {
            let next = s.ite(b, x, t);
            t = s.add(&[next, one]);
        }
        let value = evaluate_with_defaults(&s, t, &Model::new());
        assert_eq!(value, Ok(Value::Number(Rational::from(500_000))));
    }
}
