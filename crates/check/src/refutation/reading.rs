//! What a term is for all indices at once.
//!
//! The evaluator of repeats: a number is an affine form, a formula is true everywhere, false
//! everywhere, or not known; other values are the same everywhere. Not to know is always right, so
//! whatever is not understood here is not known.
//!
//! - A comparison of a form is decided at the corners; see [`super::form`].
//! - A conjunction with a part that is false everywhere is false, a disjunction needs one part that
//!   is true everywhere: the strong three-valued logic of [Kle52], §64, where the third value is
//!   "not the same everywhere, or not known". So a repeat has to use one disjunct in all its
//!   iterations.
//! - `div`, `mod` and `to_int` are affine if the argument is a sum of two forms: one has slopes
//!   that are multiples of the divisor, where `m·s` more are `s` more in the quotient and nothing
//!   more in the remainder; the other one has the same quotient at all corners, hence everywhere,
//!   since the numbers with one quotient are convex.
//! - Terms of other theories must have constant arguments; their value is then that at any corner.

use shofar_base::Map;
use shofar_num::Rational;
use shofar_term::eval::{Evaluator, Model, Value};
use shofar_term::visit::postorder;
use shofar_term::{ArithKind, Kind, Symbol, Term, TermStore};

use super::form::{Form, Quantity};

/// The values of one clause's variables along repeats.
pub(crate) struct Reading<'a> {
    pub(super) store: &'a TermStore,
    /// The corners of all indices.
    pub(super) corners: &'a [Vec<Rational>],
    pub(super) values: &'a Map<Symbol, Quantity>,
    /// The values at one of the corners.
    pub(super) sample: &'a Model,
    pub(super) known: Map<Term, Option<Quantity>>,
}

impl Reading<'_> {
    /// What `term` is everywhere, if that is known.
    pub(crate) fn evaluate(&mut self, term: Term) -> Option<Quantity> {
        if !self.known.contains_key(&term) {
            for term in postorder(self.store, &[term]) {
                if !self.known.contains_key(&term) {
                    let quantity = self.node(term);
                    self.known.insert(term, quantity);
                }
            }
        }
        self.known[&term].clone()
    }
    /// Whether `formula` is true everywhere or false everywhere.
    pub(crate) fn truth(&mut self, formula: Term) -> Option<bool> {
        self.evaluate(formula)?.truth()
    }
    /// The value of a term whose parts have been looked at.
    fn node(&self, term: Term) -> Option<Quantity> {
        let part = |part: Term| self.known.get(&part).and_then(Option::as_ref);
        let truth = |formula: Term| part(formula).and_then(Quantity::truth);
        let bool = |value: bool| Quantity::Fixed(Value::Bool(value));
        match self.store.kind(term) {
            Kind::True => Some(bool(true)),
            Kind::False => Some(bool(false)),
            Kind::Symbol(symbol) => self.symbol(symbol),
            Kind::Not(p) => truth(p).map(|value| bool(!value)),
            Kind::And(parts) => junction(parts.iter().map(|&p| truth(p)), false).map(bool),
            Kind::Or(parts) => junction(parts.iter().map(|&p| truth(p)), true).map(bool),
            Kind::Iff(p, q) => truth(p).zip(truth(q)).map(|(p, q)| bool(p == q)),
            Kind::Ite(condition, yes, no) => match truth(condition) {
                Some(true) => part(yes).cloned(),
                Some(false) => part(no).cloned(),
                None if part(yes) == part(no) => part(yes).cloned(),
                None => None,
            },
            Kind::Same(a, b) => match (part(a)?, part(b)?) {
                (Quantity::Fixed(a), Quantity::Fixed(b)) => Some(bool(a == b)),
                (Quantity::Number(_), _) | (_, Quantity::Number(_)) => None,
            },
            Kind::App(..) | Kind::Quantified(..) => None,
            Kind::Arith(kind) => self.arithmetic(kind),
            Kind::Array(_) | Kind::Data(_) | Kind::Bits(_) => self.constant(term),
        }
    }
    fn symbol(&self, symbol: Symbol) -> Option<Quantity> {
        if !self.store.params(symbol).is_empty() {
            return None;
        }
        let default = || Value::default_of(self.store, self.store.result(symbol));
        let known = self.values.get(&symbol).cloned();
        Some(known.unwrap_or_else(|| Quantity::constant(default())))
    }
    fn arithmetic(&self, kind: ArithKind<'_>) -> Option<Quantity> {
        let form = |term: Term| self.known.get(&term)?.as_ref()?.form();
        let number = |form: Form| Some(Quantity::Number(form));
        let bool = |value: bool| Quantity::Fixed(Value::Bool(value));
        match kind {
            ArithKind::Number(value) => number(Form::constant(value.clone())),
            ArithKind::Sum(sum) => {
                let start = Some(Form::constant(sum.constant().clone()));
                let mut parts = sum.iter();
                let sum = parts.try_fold(start?, |all, (c, t)| Some(all.plus(c, form(t)?)))?;
                number(sum)
            }
            ArithKind::Le(t, bound) => self.everywhere(form(t)?, |v| v <= bound).map(bool),
            ArithKind::Lt(t, bound) => self.everywhere(form(t)?, |v| v < bound).map(bool),
            ArithKind::Eq(t, bound) => self.equals(form(t)?, bound).map(bool),
            ArithKind::Div(t, m) => number(self.quotient(form(t)?, m)?),
            ArithKind::Mod(t, m) => {
                let dividend = form(t)?;
                number(dividend.clone().plus(&-m, &self.quotient(dividend, m)?))
            }
            ArithKind::ToInt(t) => number(self.quotient(form(t)?, &Rational::from(1))?),
        }
    }
    /// Whether a half-space contains all values of the form, or none.
    fn everywhere(&self, form: &Form, inside: impl Fn(&Rational) -> bool) -> Option<bool> {
        let mut corners = self.corners.iter().map(|corner| inside(&form.at(corner)));
        let first = corners.next()?;
        corners.all(|other| other == first).then_some(first)
    }
    /// Whether all values of the form are `bound`, or all lie on one side of it.
    fn equals(&self, form: &Form, bound: &Rational) -> Option<bool> {
        let mut corners = self.corners.iter().map(|corner| form.at(corner).cmp(bound));
        let first = corners.next()?;
        corners.all(|other| other == first).then_some(first.is_eq())
    }
    /// The largest integers that are not above `form / m`, if they are affine; `m` is positive.
    fn quotient(&self, form: &Form, m: &Rational) -> Option<Form> {
        let (mut whole, mut rest) = (Vec::new(), Vec::new());
        for slope in form.slopes() {
            let times = slope / m;
            let (times, slope) = if times.is_integer() {
                (times, Rational::from(0))
            } else {
                (Rational::from(0), slope.clone())
            };
            whole.push(times);
            rest.push(slope);
        }
        let rest = Form::new(form.base.clone(), rest);
        let mut quotients = self.corners.iter().map(|corner| (&rest.at(corner) / m).floor());
        let first = quotients.next()?;
        quotients.all(|other| other == first).then(|| Form::new(first, whole))
    }
    /// The value of a term all of whose parts are constant.
    fn constant(&self, term: Term) -> Option<Quantity> {
        let is_constant =
            |part: &Term| matches!(self.known.get(part), Some(Some(it)) if it.is_constant());
        if !self.store.children(term).iter().all(is_constant) {
            return None;
        }
        let value = Evaluator::with_defaults(self.sample).evaluate(self.store, term);
        value.ok().map(Quantity::constant)
    }
}

/// The value of a conjunction (`zero` is false) or a disjunction (`zero` is true).
fn junction(parts: impl Iterator<Item = Option<bool>>, zero: bool) -> Option<bool> {
    let mut all = Some(!zero);
    for part in parts {
        match part {
            Some(value) if value == zero => return Some(zero),
            Some(_) => {}
            None => all = None,
        }
    }
    all
}
