//! Literals about a quotient or a remainder as linear literals and divisibilities, which hold
//! between their solutions.
//!
//! | literal, with `t`, `r` linear | becomes |
//! |---|---|
//! | `t div m ≤ r`, `t div m ≥ r`, `t div m = r` | `t ≤ m·r + m - 1`, `t ≥ m·r`, both |
//! | `t mod m = r`, or a bound of `t mod m`, if the quotient `q` of `t` is -1, 0 or 1 in a model | the same of `t - q·m`, and `q·m ≤ t < (q + 1)·m` |
//! | `t mod m = r` otherwise | `m ∣ t - r` and `0 ≤ r < m` |
//! | `t mod m ≠ c`, or otherwise a bound of `t mod m` by a number, for a small `m` | `t mod m = c'`, as in the model |
//!
//! So a chain of relations between iterations has literals that hold between two iterations if they
//! hold in both. Cases by quotients are limited to three, and are not wanted where quotients grow
//! from iteration to iteration ([`Quotients`]). Other literals stay as they are, but for false
//! equations, which become the inequality that is true.
//!
//! Invariant: the result is true in the model and implies what was given.

use shofar_num::{Rational, div_euclid, mod_euclid};
use shofar_term::eval::{Evaluator, Model};
use shofar_term::{ArithKind, Comparison, Linear, LinearLiteral, Sort, Term, TermStore};

use super::projection::shape;

/// Remainders by greater numbers are not taken one by one.
const MOST_REMAINDERS: i64 = 8;

/// Which cases of remainders are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quotients {
    /// A small quotient is the same in all iterations.
    Same,
    /// Quotients differ, and remainders are the same.
    Any,
}

/// A cube in which variables that are remainders are linear where the quotient is small in the
/// model: an index that wraps around mostly does not.
pub(super) fn without_wrapping(store: &mut TermStore, cube: Term, model: &Model) -> Term {
    let literals = store.conjuncts(&[cube]);
    if literals.iter().all(|&literal| is_linear(store, literal)) {
        return cube;
    }
    let mut result = Vec::new();
    for literal in literals {
        match definition(store, literal, model) {
            Some(literals) => result.extend(literals),
            None => result.push(literal),
        }
    }
    store.and(&result)
}

/// The case of an equation between a variable and a remainder.
fn definition(store: &mut TermStore, literal: Term, model: &Model) -> Option<Vec<Term>> {
    if is_linear(store, literal) {
        return None;
    }
    let bounded = Bounded::of(store, literal, model)?;
    let (_, _, rest) = bounded.compound(store)?;
    if !bounded.is_equation || rest.is_constant() {
        return None;
    }
    let literals = case(store, literal, model, Quotients::Same)?;
    let is_divisibility = |&literal: &Term| LinearLiteral::of(store, literal).is_none();
    (!literals.iter().any(is_divisibility)).then_some(literals)
}

/// Whether a literal is about a truth value, linear, or a divisibility.
pub(super) fn is_linear(store: &TermStore, literal: Term) -> bool {
    store.symbol(store.strip_not(literal).0).is_some() || shape(store, literal).is_some()
}

/// The literals of a cube, as linear ones where that is possible.
pub(super) fn linearized(
    store: &mut TermStore,
    cube: Term,
    model: &Model,
    quotients: Quotients,
) -> Vec<Term> {
    let mut result = Vec::new();
    for literal in store.conjuncts(&[cube]) {
        let is_known = is_linear(store, literal);
        match if is_known { None } else { case(store, literal, model, quotients) } {
            Some(literals) => result.extend(literals),
            None => result.push(literal),
        }
    }
    result
}

/// A literal over integers: the sum is 0, or at most 0.
struct Bounded {
    sum: Linear,
    is_equation: bool,
    /// A false equation.
    is_apart: bool,
}

impl Bounded {
    fn of(store: &TermStore, literal: Term, model: &Model) -> Option<Self> {
        let (atom, _) = store.strip_not(literal);
        let (_, form, bound) = store.comparison(atom)?;
        let mut sum = store.linear(form);
        if !store.sort(form).is_int() {
            return None;
        }
        let Some(read) = LinearLiteral::of(store, literal) else {
            sum.constant -= bound;
            let sum = if value(store, &sum, model)?.is_negative() { sum } else { sum.negated() };
            let sum = plus(sum, &Rational::ONE);
            return Some(Self { sum, is_equation: false, is_apart: true });
        };
        sum.constant -= &read.bound;
        let (sum, is_equation) = match read.relation {
            Comparison::AtMost => (sum, false),
            Comparison::AtLeast => (sum.negated(), false),
            Comparison::Equal => (sum, true),
            Comparison::Below | Comparison::Above => return None,
        };
        Some(Self { sum, is_equation, is_apart: false })
    }
    /// The only term of the sum that is no symbol, its sign, and the rest.
    fn compound(&self, store: &TermStore) -> Option<(Term, bool, Linear)> {
        let is_compound = |(_, term): &&(Rational, Term)| store.symbol(*term).is_none();
        let mut compound = self.sum.monomials().iter().filter(is_compound);
        let ((c, term), None) = (compound.next()?, compound.next()) else { return None };
        let is_unit = c.abs().is_one() && self.sum.monomials().iter().all(|(c, _)| c.is_integer());
        let mut rest = self.sum.clone();
        rest.add_term(&-c, *term);
        is_unit.then_some((*term, c.is_negative(), rest))
    }
    fn literal(&self, store: &mut TermStore, sum: &Linear) -> Term {
        if self.is_equation { store.eq_zero(sum) } else { store.le_zero(sum) }
    }
}

fn value(store: &TermStore, linear: &Linear, model: &Model) -> Option<Rational> {
    let mut value = linear.constant.clone();
    for (c, term) in linear.monomials() {
        value.add_mul(c, &Evaluator::with_defaults(model).number(store, *term).ok()?);
    }
    Some(value)
}

fn plus(mut linear: Linear, constant: &Rational) -> Linear {
    linear.constant += constant;
    linear
}

fn is_over_symbols(store: &TermStore, linear: &Linear) -> bool {
    linear.monomials().iter().all(|(_, term)| store.symbol(*term).is_some())
}

/// The case of a literal in the model, as linear literals; none if it stays as it is.
fn case(
    store: &mut TermStore,
    literal: Term,
    model: &Model,
    quotients: Quotients,
) -> Option<Vec<Term>> {
    let bounded = Bounded::of(store, literal, model)?;
    if is_over_symbols(store, &bounded.sum) {
        return Some(vec![bounded.literal(store, &bounded.sum)]);
    }
    let (term, is_negative, rest) = bounded.compound(store)?;
    match store.arith(term)? {
        ArithKind::Div(inner, m) => {
            let (inner, m) = (store.linear(inner), m.clone());
            is_over_symbols(store, &inner)
                .then(|| quotient(store, &bounded, (&inner, &m), is_negative, &rest))
        }
        ArithKind::Mod(inner, m) => {
            let (inner, m) = (store.linear(inner), m.clone());
            let at = value(store, &inner, model)?;
            let at = match quotients {
                Quotients::Same => (Some(div_euclid(&at, &m)?), mod_euclid(&at, &m)?),
                Quotients::Any => (None, mod_euclid(&at, &m)?),
            };
            let is_known = is_over_symbols(store, &inner);
            is_known
                .then(|| remainder(store, &bounded, (&inner, &m), is_negative, &rest, &at))
                .flatten()
        }
        ArithKind::Number(_)
        | ArithKind::Sum(_)
        | ArithKind::Le(..)
        | ArithKind::Lt(..)
        | ArithKind::Eq(..)
        | ArithKind::ToInt(_) => None,
    }
}

/// `±(t div m) + rest ≤ 0`, or `= 0`.
fn quotient(
    store: &mut TermStore,
    bounded: &Bounded,
    (t, m): (&Linear, &Rational),
    is_negative: bool,
    rest: &Linear,
) -> Vec<Term> {
    // The quotient is at most or at least `r`.
    let r = if is_negative { rest.clone() } else { rest.negated() };
    let mut below = t.clone();
    below.add_scaled(&-m, &r);
    let above = below.negated();
    let below = plus(below, &(&Rational::ONE - m));
    match (bounded.is_equation, is_negative) {
        (true, _) => vec![store.le_zero(&below), store.le_zero(&above)],
        (false, false) => vec![store.le_zero(&below)],
        (false, true) => vec![store.le_zero(&above)],
    }
}

/// `±(t mod m) + rest ≤ 0`, or `= 0`, where `t` has this quotient, if it matters, and this
/// remainder.
fn remainder(
    store: &mut TermStore,
    bounded: &Bounded,
    (t, m): (&Linear, &Rational),
    is_negative: bool,
    rest: &Linear,
    (q, remainder): &(Option<Rational>, Rational),
) -> Option<Vec<Term>> {
    let multiple = |store: &mut TermStore, of: &Linear| {
        let of = store.sum(of, Sort::INT);
        store.divisible(m, of)
    };
    let most = plus(Linear::new(), &(&Rational::ONE - m));
    let quotient = q.as_ref().filter(|q| q.abs() <= Rational::ONE);
    let is_one_of_few = rest.is_constant() && *m <= Rational::from(MOST_REMAINDERS);
    let is_bound = !bounded.is_equation && quotient.is_none();
    if is_one_of_few && (bounded.is_apart || is_bound) {
        return Some(vec![multiple(store, &plus(t.clone(), &-remainder))]);
    }
    if let Some(q) = quotient {
        let within = plus(t.clone(), &-&(q * m));
        let mut sum = rest.clone();
        let sign = if is_negative { Rational::MINUS_ONE } else { Rational::ONE };
        sum.add_scaled(&sign, &within);
        let mut below = within.clone();
        below.add_scaled(&Rational::ONE, &most);
        let bounds = [bounded.literal(store, &sum), store.le_zero(&within.negated())];
        return Some([&bounds[..], &[store.le_zero(&below)]].concat());
    }
    if !bounded.is_equation {
        return None;
    }
    let r = if is_negative { rest.clone() } else { rest.negated() };
    let (mut difference, mut below) = (t.clone(), r.clone());
    difference.add_scaled(&Rational::MINUS_ONE, &r);
    below.add_scaled(&Rational::ONE, &most);
    let bounds = [store.le_zero(&r.negated()), store.le_zero(&below)];
    Some([&bounds[..], &[multiple(store, &difference)]].concat())
}

#[cfg(test)]
mod tests {
    use shofar_term::eval::Value;

    use super::*;

    /// For all small values: the literals are true in the model, linear, and imply the literal they
    /// came from.
    fn check(literal: fn(&mut TermStore, Term, Term) -> Term) {
        let mut store = TermStore::new();
        let [x, y] = ["x", "y"].map(|name| store.var(name, Sort::INT));
        let literal = literal(&mut store, x, y);
        let symbols = [x, y].map(|term| store.symbol(term).expect("a constant"));
        let points = || (-9..10).flat_map(|a| (-9..10).map(move |b| [a, b]));
        let model = |point: [i64; 2]| -> Model {
            let mut model = Model::new();
            for (symbol, value) in symbols.into_iter().zip(point) {
                model.set(symbol, Value::Number(value.into()));
            }
            model
        };
        let holds = |store: &TermStore, formula: Term, point: [i64; 2]| {
            Evaluator::new(&model(point)).holds(store, formula).expect("all have values")
        };
        for point in points().filter(|&point| holds(&store, literal, point)).collect::<Vec<_>>() {
            for quotients in [Quotients::Same, Quotients::Any] {
                let literals = linearized(&mut store, literal, &model(point), quotients);
                let are_linear = literals.iter().all(|&it| is_linear(&store, it));
                assert!(are_linear || quotients == Quotients::Any, "{point:?}");
                let cube = store.and(&literals);
                assert!(holds(&store, cube, point), "{point:?}");
                let implies = |other| holds(&store, literal, other) || !holds(&store, cube, other);
                assert!(points().all(implies), "{point:?}");
            }
        }
    }

    fn number(value: i64) -> Rational {
        Rational::from(value)
    }

    #[test]
    fn quotients_are_bounds() {
        check(|s, x, y| {
            let d = s.div(x, &number(3));
            s.le(d, y)
        });
        check(|s, x, y| {
            let d = s.div(x, &number(3));
            s.le(y, d)
        });
        check(|s, x, y| {
            let d = s.div(x, &number(3));
            s.eq(y, d)
        });
        check(|s, x, y| {
            let d = s.div(x, &number(3));
            let e = s.eq(y, d);
            s.not(e)
        });
    }

    #[test]
    fn remainders_have_cases() {
        check(|s, x, y| {
            let d = s.modulo(x, &number(4));
            s.eq(y, d)
        });
        check(|s, x, _| {
            let (d, c) = (s.modulo(x, &number(4)), s.int(1));
            let e = s.eq(d, c);
            s.not(e)
        });
        check(|s, x, y| {
            let d = s.modulo(x, &number(10));
            s.le(d, y)
        });
    }
}
