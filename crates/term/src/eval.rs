//! The value of a term under an assignment of its symbols.
//!
//! Evaluation walks the term graph with its own stack, visits every node at most once, and looks only at the chosen branch
//! of an `ite`. A conjunction with a part already known to be false does not wait for its other parts.
//!
//! Semantics: unassigned symbols are false or 0, and so is every application of an uninterpreted function or predicate,
//! which makes an assignment of constants a total interpretation. `div`, `mod` and `to_int` are exact.

use shofar_base::Map;
use shofar_num::{Rational, div_euclid, mod_euclid};

pub use crate::value::Value;
use crate::{ArithKind, Kind, Sort, Sum, Symbol, Term, TermStore};

/// Values of declared constants; the other ones are false or 0.
///
/// Refutations have one for each step, and may have millions of steps, so a small one is a sorted list without a gap.
#[derive(Clone, Debug)]
pub struct Assignment(Values);

#[derive(Clone, Debug)]
enum Values {
    /// Sorted by symbol.
    Few(Vec<(Symbol, Value)>),
    Many(Box<Map<Symbol, Value>>),
}

/// How many values a list may have.
const FEW: usize = 16;

impl Default for Assignment {
    fn default() -> Self {
        Self(Values::Few(Vec::new()))
    }
}

impl Assignment {
    /// The assignment that makes everything false or 0.
    pub fn new() -> Self {
        Self::default()
    }
    /// The same with room for so many values.
    pub fn with_capacity(count: usize) -> Self {
        Self(Values::Few(Vec::with_capacity(count.min(FEW))))
    }
    /// Gives `symbol` a value of its sort.
    pub fn set(&mut self, symbol: Symbol, value: Value) {
        match &mut self.0 {
            Values::Many(values) => {
                values.insert(symbol, value);
            }
            Values::Few(values) => match values.binary_search_by_key(&symbol, |entry| entry.0) {
                Ok(at) => values[at].1 = value,
                Err(at) if values.len() < FEW => values.insert(at, (symbol, value)),
                Err(_) => {
                    let all = values.drain(..).chain([(symbol, value)]);
                    self.0 = Values::Many(Box::new(all.collect()));
                }
            },
        }
    }
    /// The value given to `symbol`, if any.
    pub fn get(&self, symbol: Symbol) -> Option<&Value> {
        match &self.0 {
            Values::Many(values) => values.get(&symbol),
            Values::Few(values) => {
                let at = values.binary_search_by_key(&symbol, |entry| entry.0).ok()?;
                Some(&values[at].1)
            }
        }
    }
    /// The assigned symbols with their values, sorted by symbol.
    pub fn entries(&self) -> Vec<(Symbol, &Value)> {
        match &self.0 {
            Values::Few(values) => values.iter().map(|(symbol, value)| (*symbol, value)).collect(),
            Values::Many(values) => {
                let mut entries: Vec<_> =
                    values.iter().map(|(&symbol, value)| (symbol, value)).collect();
                entries.sort_unstable_by_key(|&(symbol, _)| symbol);
                entries
            }
        }
    }
}

/// The value of `term`.
pub fn evaluate(store: &TermStore, term: Term, assignment: &Assignment) -> Value {
    Evaluator::new(assignment).evaluate(store, term)
}

/// A borrowed value.
#[derive(Clone, Copy, PartialEq)]
enum Known<'a> {
    Bool(bool),
    Number(&'a Rational),
    Element(Sort, u32),
}

impl Known<'_> {
    fn value(self) -> Value {
        match self {
            Known::Bool(value) => Value::Bool(value),
            Known::Number(value) => Value::Number(value.clone()),
            Known::Element(sort, number) => Value::Element(sort, number),
        }
    }
}

impl<'a> From<&'a Value> for Known<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Bool(value) => Known::Bool(*value),
            Value::Number(value) => Known::Number(value),
            Value::Element(sort, number) => Known::Element(*sort, *number),
        }
    }
}

/// Evaluates many terms under one assignment; shared subterms are evaluated once.
#[derive(Debug)]
pub struct Evaluator<'a> {
    assignment: &'a Assignment,
    cache: Map<Term, Value>,
    stack: Vec<Term>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator with an empty cache.
    pub fn new(assignment: &'a Assignment) -> Self {
        Self { assignment, cache: Map::default(), stack: Vec::new() }
    }
    /// The value of `term`; all calls must be about the same store.
    pub fn evaluate(&mut self, store: &TermStore, term: Term) -> Value {
        self.run(store, term);
        self.known(store, term).expect("the walk ends with the root known").value()
    }
    /// Whether the formula `term` is true.
    pub fn holds(&mut self, store: &TermStore, term: Term) -> bool {
        self.run(store, term);
        self.truth(store, term)
    }
    /// The value of the arithmetic `term`.
    pub fn number(&mut self, store: &TermStore, term: Term) -> Rational {
        self.run(store, term);
        self.amount(store, term).clone()
    }

    fn run(&mut self, store: &TermStore, term: Term) {
        // Most arguments of clauses are constants; they need no walk.
        if self.known(store, term).is_some() {
            return;
        }
        self.stack.push(term);
        while let Some(&top) = self.stack.last() {
            if self.known(store, top).is_some() {
                self.stack.pop();
            } else if let Some(value) = self.step(store, top) {
                self.cache.insert(top, value);
                self.stack.pop();
            }
        }
    }
    /// The value of `term`, or `None` after pushing what must be known first.
    fn step(&mut self, store: &TermStore, term: Term) -> Option<Value> {
        let truth = match store.kind(term) {
            Kind::True => true,
            Kind::False => false,
            Kind::Symbol(symbol) | Kind::App(symbol, _) => {
                return Some(Value::default_of(store.result(symbol)));
            }
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
            Kind::Quantified(..) => false,
            Kind::Arith(kind) => return self.arithmetic(store, term, kind),
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
            && let Some(value) = self.assignment.get(symbol)
        {
            return Some(value.into());
        }
        self.cache.get(&term).map(Known::from)
    }
    fn cached(&self, store: &TermStore, term: Term) -> Option<Value> {
        self.known(store, term).map(Known::value)
    }
    fn truth(&self, store: &TermStore, term: Term) -> bool {
        match self.known(store, term) {
            Some(Known::Bool(value)) => value,
            Some(Known::Number(_) | Known::Element(..)) | None => {
                panic!("a formula has a truth value")
            }
        }
    }
    fn amount<'s>(&'s self, store: &'s TermStore, term: Term) -> &'s Rational {
        match self.known(store, term) {
            Some(Known::Number(value)) => value,
            Some(Known::Bool(_) | Known::Element(..)) | None => {
                panic!("an arithmetic term has a number as its value")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_and_floor_are_exact() {
        let mut s = TermStore::new();
        let (x, r) = (s.var("x", Sort::INT), s.var("r", Sort::REAL));
        let (xs, rs) = (s.declare("x", &[], Sort::INT), s.declare("r", &[], Sort::REAL));
        let (two, minus_two) = (Rational::from(2), Rational::from(-2));
        let terms =
            [s.div(x, &two), s.modulo(x, &two), s.div(x, &minus_two), s.to_int(r), s.abs(x)];
        let mut assignment = Assignment::new();
        assignment.set(xs, Value::Number(Rational::from(-7)));
        assignment.set(rs, Value::Number(Rational::new(-5, 2)));
        let mut evaluator = Evaluator::new(&assignment);
        let values = terms.map(|t| evaluator.number(&s, t).to_i64());
        assert_eq!(values, [Some(-4), Some(1), Some(4), Some(-3), Some(7)]);
    }

    #[test]
    fn many_values_are_kept_like_few() {
        let mut s = TermStore::new();
        let symbols: Vec<Symbol> =
            (0..2 * FEW).map(|i| s.declare(&format!("x{i}"), &[], Sort::INT)).collect();
        let mut assignment = Assignment::new();
        for (i, &symbol) in symbols.iter().enumerate().rev() {
            assignment.set(symbol, Value::Bool(true));
            assignment.set(symbol, Value::Number(Rational::from(i64::try_from(i).expect("small"))));
            let entries = assignment.entries();
            assert_eq!(entries.len(), symbols.len() - i);
            assert!(entries.iter().map(|e| e.0).eq(symbols[i..].iter().copied()));
        }
        for (i, &symbol) in symbols.iter().enumerate() {
            let value =
                assignment.get(symbol).and_then(Value::as_number).and_then(Rational::to_i64);
            assert_eq!(value.and_then(|v| usize::try_from(v).ok()), Some(i));
        }
    }

    #[test]
    fn what_is_not_assigned_is_false_or_zero() {
        let mut s = TermStore::new();
        let p = s.declare("P", &[Sort::INT], Sort::BOOL);
        let f = s.declare("f", &[Sort::INT], Sort::INT);
        let x = s.var("x", Sort::INT);
        let b = s.var("b", Sort::BOOL);
        let (px, fx) = (s.app(p, &[x]), s.app(f, &[x]));
        let zero = s.int(0);
        let (xz, fz, not_b, not_px) = (s.eq(x, zero), s.eq(fx, zero), s.not(b), s.not(px));
        let all = s.and(&[xz, fz, not_b, not_px]);
        assert_eq!(evaluate(&s, all, &Assignment::new()), Value::Bool(true));
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
        assert_eq!(evaluate(&s, t, &Assignment::new()), Value::Number(Rational::from(500_000)));
    }
}
