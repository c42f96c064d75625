//! Formulas over integers as comparisons of vectors.
//!
//! An integer term over numbers that vectors are has a range, since its variables have one; so it
//! is a vector that is wide enough to hold every value on the way, and a comparison of such vectors
//! says exactly what the comparison of the integers says. In `3x − y ≤ 5` each side is a sum with
//! positive coefficients, `3x ≤ y + 5`, so that comparisons of single vectors stay what they are.
//! Atoms over other variables keep their integers, which conversions make of the vectors.

use shofar_base::{GaveUp, Map, Outcome};
use shofar_num::{Bits, Rational, power_of_two};
use shofar_term::substitute::Substitution;
use shofar_term::visit::postorder;
use shofar_term::{ArithKind, BitsOp, Cx, Linear, Relation, Symbol, Term, TermStore, WIDEST};

use super::number::{Range, Reading};

/// Coefficients and terms.
type Monomials = Vec<(Rational, Term)>;

/// A vector and the integer that it is.
#[derive(Clone, Debug)]
struct Vector {
    term: Term,
    reading: Reading,
    low: Rational,
    high: Rational,
}

/// A translation of formulas; see the module documentation.
pub(super) struct Comparisons {
    /// Integer terms as vectors, as far as they are.
    vectors: Map<Term, Vector>,
    formulas: Map<Term, Term>,
    /// The conversions of vectors to integers for the variables that stand for them.
    conversions: Substitution,
}

impl Comparisons {
    /// Variables of the target, those of the source, and how the integer is made of a vector if it
    /// is one.
    pub(super) fn new(
        store: &mut TermStore,
        variables: &[(Symbol, Symbol, Option<Reading>)],
    ) -> Self {
        let (mut vectors, mut conversions) = (Map::default(), Map::default());
        for &(from, to, reading) in variables {
            let (from, to) = (store.constant(from), store.constant(to));
            let Some(reading) = reading else {
                conversions.insert(from, to);
                continue;
            };
            let window = Range::window(store.width(to), reading);
            if let Some((low, high)) = window.bounds() {
                let (low, high) = (low.clone(), high.clone());
                vectors.insert(from, Vector { term: to, reading, low, high });
            }
            let integer = match reading {
                Reading::Signed => store.bits_to_int(to),
                Reading::Unsigned => store.bits_to_nat(to),
            };
            conversions.insert(from, integer);
        }
        let conversions = Substitution::new(conversions);
        Self { vectors, formulas: Map::default(), conversions }
    }
    /// `formula` over the variables of the source.
    pub(super) fn translate(&mut self, cx: &mut Cx<'_>, formula: Term) -> Outcome<Term> {
        for term in postorder(cx.store, &[formula]) {
            cx.budget.check()?;
            if cx.store.sort(term).is_bool() {
                let image = match cx.store.map_connective(term, |part| self.formulas[part]) {
                    Some(image) => image,
                    None => self.atom(cx.store, term)?,
                };
                self.formulas.insert(term, image);
            } else if cx.store.sort(term).is_int()
                && !self.vectors.contains_key(&term)
                && let Some(vector) = self.integer(cx.store, term)?
            {
                self.vectors.insert(term, vector);
            }
        }
        Ok(self.formulas[&formula])
    }
    fn atom(&mut self, store: &mut TermStore, term: Term) -> Outcome<Term> {
        let Some((relation, form, bound)) = store.comparison(term) else {
            return Ok(self.conversions.apply(store, term));
        };
        let (linear, bound) = (store.linear(form), bound.clone());
        let known = linear.monomials().iter().all(|(_, t)| self.vectors.contains_key(t));
        match relation {
            Relation::Le if known => self.at_most(store, &linear, &bound),
            Relation::Eq if known => self.equal(store, &linear, &bound),
            Relation::Le | Relation::Eq | Relation::Lt => Ok(self.conversions.apply(store, term)),
        }
    }
    /// `linear ≤ bound`.
    fn at_most(&self, store: &mut TermStore, linear: &Linear, bound: &Rational) -> Outcome<Term> {
        let (left, right) = sides(linear);
        // An integer is below another one if the other is not at most the one.
        if *bound == Rational::MINUS_ONE {
            let left = self.sum(store, &left, &Rational::ZERO)?;
            let right = self.sum(store, &right, &Rational::ZERO)?;
            let contrary = compare(store, BitsOp::Ule, right, left)?;
            return Ok(store.not(contrary));
        }
        let (left, right) = self.both(store, &left, &right, bound)?;
        compare(store, BitsOp::Ule, left, right)
    }
    fn equal(&self, store: &mut TermStore, linear: &Linear, bound: &Rational) -> Outcome<Term> {
        let (left, right) = sides(linear);
        let (left, right) = self.both(store, &left, &right, bound)?;
        if left.high < right.low || right.high < left.low {
            return Ok(store.bottom());
        }
        let (_, left, right) = alike(store, left, right)?;
        Ok(store.eq(left, right))
    }
    /// Two sums, with the bound at the side where it is positive.
    fn both(
        &self,
        store: &mut TermStore,
        left: &[(Rational, Term)],
        right: &[(Rational, Term)],
        bound: &Rational,
    ) -> Outcome<(Vector, Vector)> {
        let zero = Rational::ZERO;
        let (to_left, to_right) =
            if bound.is_negative() { (-bound, zero) } else { (zero, bound.clone()) };
        Ok((self.sum(store, left, &to_left)?, self.sum(store, right, &to_right)?))
    }
    /// An integer term as a vector, if all its variables are.
    fn integer(&self, store: &mut TermStore, term: Term) -> Outcome<Option<Vector>> {
        if let Some([condition, a, b]) = store.choice(term) {
            let (Some(a), Some(b)) = (self.vectors.get(&a), self.vectors.get(&b)) else {
                return Ok(None);
            };
            let (low, high) =
                (a.low.clone().min(b.low.clone()), a.high.clone().max(b.high.clone()));
            let (reading, a, b) = alike(store, a.clone(), b.clone())?;
            let term = store.ite(self.formulas[&condition], a, b);
            return Ok(Some(Vector { term, reading, low, high }));
        }
        match store.arith(term) {
            Some(ArithKind::Number(number)) => {
                let number = number.clone();
                self.sum(store, &[], &number).map(Some)
            }
            Some(ArithKind::Sum(_)) => {
                let linear = store.linear(term);
                if !linear.monomials().iter().all(|(_, t)| self.vectors.contains_key(t)) {
                    return Ok(None);
                }
                self.sum(store, linear.monomials(), &linear.constant).map(Some)
            }
            Some(ArithKind::Div(of, divisor)) => {
                let divisor = divisor.clone();
                self.division(store, of, &divisor, BitsOp::Udiv)
            }
            Some(ArithKind::Mod(of, divisor)) => {
                let divisor = divisor.clone();
                self.division(store, of, &divisor, BitsOp::Urem)
            }
            Some(
                ArithKind::Le(..) | ArithKind::Lt(..) | ArithKind::Eq(..) | ArithKind::ToInt(_),
            )
            | None => Ok(None),
        }
    }
    /// The quotient or the remainder of what has been made natural by adding a multiple of the
    /// divisor.
    fn division(
        &self,
        store: &mut TermStore,
        of: Term,
        divisor: &Rational,
        op: BitsOp,
    ) -> Outcome<Option<Vector>> {
        let linear = store.linear(of);
        if !linear.monomials().iter().all(|(_, t)| self.vectors.contains_key(t)) {
            return Ok(None);
        }
        let low = self.range(&linear).0;
        let turns = if low.is_negative() { (-&low / divisor).ceil() } else { Rational::ZERO };
        let constant = &linear.constant + &turns * divisor;
        let dividend = self.sum(store, linear.monomials(), &constant)?;
        let needed = natural_width(&dividend.high).max(natural_width(divisor));
        let width = needed.max(store.width(dividend.term));
        let number = widened(store, &dividend, width)?;
        let divisor_term = store.bits(&Bits::new(width, divisor));
        let term = store.bits_op(op, &[number, divisor_term]);
        let high = if op == BitsOp::Udiv {
            (&dividend.high / divisor).floor()
        } else {
            divisor - Rational::ONE
        };
        let result = Vector { term, reading: Reading::Unsigned, low: Rational::ZERO, high };
        if op == BitsOp::Urem || turns.is_zero() {
            return Ok(Some(result));
        }
        Self::total(store, &[(Rational::ONE, result)], &-turns).map(Some)
    }
    fn sum(
        &self,
        store: &mut TermStore,
        monomials: &[(Rational, Term)],
        constant: &Rational,
    ) -> Outcome<Vector> {
        let parts: Vec<(Rational, Vector)> =
            monomials.iter().map(|(c, t)| (c.clone(), self.vectors[t].clone())).collect();
        Self::total(store, &parts, constant)
    }
    /// The least and the greatest value.
    fn range(&self, linear: &Linear) -> (Rational, Rational) {
        let parts: Vec<(Rational, Vector)> =
            linear.monomials().iter().map(|(c, t)| (c.clone(), self.vectors[t].clone())).collect();
        range(&parts, &linear.constant)
    }
    /// A sum in a width that no summand and no partial sum exceeds.
    fn total(
        store: &mut TermStore,
        parts: &[(Rational, Vector)],
        constant: &Rational,
    ) -> Outcome<Vector> {
        let (low, high) = range(parts, constant);
        if let [(factor, vector)] = parts
            && factor.is_one()
            && constant.is_zero()
        {
            return Ok(vector.clone());
        }
        let natural = !constant.is_negative()
            && parts.iter().all(|(c, v)| c.is_positive() && v.reading == Reading::Unsigned);
        let reading = if natural { Reading::Unsigned } else { Reading::Signed };
        let sizes = parts.iter().map(|(c, v)| c.abs() * v.low.abs().max(v.high.abs()));
        let most = sizes.fold(constant.abs(), |sum, size| sum + size);
        let mut width = needed_width(&most, reading);
        for (_, vector) in parts {
            width = width.max(width_as(store, vector, reading));
        }
        let mut summands = Vec::with_capacity(parts.len() + 1);
        for (factor, vector) in parts {
            let mut term = widened(store, vector, width)?;
            if !factor.is_one() {
                let factor = store.bits(&Bits::new(width, factor));
                term = store.bits_op(BitsOp::Mul, &[factor, term]);
            }
            summands.push(term);
        }
        if !constant.is_zero() || summands.is_empty() {
            if width > WIDEST {
                return Err(too_wide());
            }
            summands.push(store.bits(&Bits::new(width, constant)));
        }
        let term = match summands[..] {
            [single] => single,
            _ => store.bits_op(BitsOp::Add, &summands),
        };
        Ok(Vector { term, reading, low, high })
    }
}

/// The monomials with positive coefficients, and the negations of the others.
fn sides(linear: &Linear) -> (Monomials, Monomials) {
    let (left, mut right): (Vec<_>, Vec<_>) =
        linear.monomials().iter().cloned().partition(|(c, _)| c.is_positive());
    for (coefficient, _) in &mut right {
        *coefficient = -&*coefficient;
    }
    (left, right)
}

fn range(parts: &[(Rational, Vector)], constant: &Rational) -> (Rational, Rational) {
    let point = Range::point(constant);
    let range = parts.iter().fold(point, |range, (factor, vector)| {
        range.add(&Range::new(vector.low.clone(), vector.high.clone()).scale(factor))
    });
    range.bounds().map(|(low, high)| (low.clone(), high.clone())).expect("vectors have bounds")
}

/// `a ≤ b` as a comparison of vectors that are read alike.
fn compare(store: &mut TermStore, unsigned: BitsOp, a: Vector, b: Vector) -> Outcome<Term> {
    if a.high <= b.low {
        return Ok(store.top());
    }
    if a.low > b.high {
        return Ok(store.bottom());
    }
    let (reading, a, b) = alike(store, a, b)?;
    let op = match reading {
        Reading::Unsigned => unsigned,
        Reading::Signed => BitsOp::Sle,
    };
    Ok(store.bits_op(op, &[a, b]))
}

/// Both vectors in one width and one reading.
fn alike(store: &mut TermStore, a: Vector, b: Vector) -> Outcome<(Reading, Term, Term)> {
    let natural = a.reading == Reading::Unsigned && b.reading == Reading::Unsigned;
    // A constant may be read in either way.
    let (a, b) =
        if natural { (a, b) } else { (constant_as_signed(store, a), constant_as_signed(store, b)) };
    let natural = a.reading == Reading::Unsigned && b.reading == Reading::Unsigned;
    let reading = if natural { Reading::Unsigned } else { Reading::Signed };
    let width = width_as(store, &a, reading).max(width_as(store, &b, reading));
    Ok((reading, widened(store, &a, width)?, widened(store, &b, width)?))
}

/// A constant in the least width that holds it in two's complement.
fn constant_as_signed(store: &mut TermStore, vector: Vector) -> Vector {
    let Some(value) = constant(store, &vector) else { return vector };
    let width = needed_width(&value.abs(), Reading::Signed);
    let term = store.bits(&Bits::new(width, &value));
    Vector { term, reading: Reading::Signed, low: value.clone(), high: value }
}

/// The number that a constant is; its range may be wider, if it was chosen by a condition that is
/// always true.
fn constant(store: &TermStore, vector: &Vector) -> Option<Rational> {
    let bits = store.as_bits(vector.term)?;
    Some(match vector.reading {
        Reading::Signed => bits.to_int(),
        Reading::Unsigned => bits.to_nat().clone(),
    })
}

/// How wide `vector` is if it is to be read in this way.
fn width_as(store: &TermStore, vector: &Vector, reading: Reading) -> u32 {
    let extra = vector.reading == Reading::Unsigned && reading == Reading::Signed;
    store.width(vector.term) + u32::from(extra)
}

/// The vector in at least its own width.
fn widened(store: &mut TermStore, vector: &Vector, width: u32) -> Outcome<Term> {
    if width > WIDEST {
        return Err(too_wide());
    }
    let more = u16::try_from(width - store.width(vector.term)).map_err(|_| too_wide())?;
    if let Some(number) = constant(store, vector) {
        return Ok(store.bits(&Bits::new(width, &number)));
    }
    let op = match vector.reading {
        Reading::Signed => BitsOp::SignExtend(more),
        Reading::Unsigned => BitsOp::ZeroExtend(more),
    };
    Ok(store.bits_op(op, &[vector.term]))
}

fn too_wide() -> GaveUp {
    GaveUp::incomplete("a comparison of integers needs vectors that are too wide")
}

/// The least width that holds all integers of at most this size.
fn needed_width(most: &Rational, reading: Reading) -> u32 {
    natural_width(most) + u32::from(reading == Reading::Signed)
}

/// The least width that holds a natural number.
fn natural_width(number: &Rational) -> u32 {
    let mut width = u32::try_from(number.bits()).unwrap_or(u32::MAX).max(1);
    while width > 1 && *number < power_of_two(width - 1) {
        width -= 1;
    }
    width
}
