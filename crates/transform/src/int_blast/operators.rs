//! Products, quotients, shifts and bitwise operators over integers.
//!
//! With a constant on one side all of them are linear: a mask is a sum of runs of bits, a shift a
//! product or a quotient by a power of two. Otherwise bitwise operators and products work bit by
//! bit up to a width, shifts by cases up to a width; beyond, the result is an unknown of which a
//! few laws are known, and the clause is no longer exact.

use shofar_num::{Bits, Rational, power_of_two};
use shofar_term::{Sort, Term};

use super::number::{Number, Range, Reading, alignment};
use super::translate::Translation;

/// A bitwise operator of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gate {
    And,
    Or,
    Xor,
}

/// A shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shift {
    Left,
    /// To the right, zeros follow.
    Logical,
    /// To the right, copies of the sign follow.
    Arithmetic,
}

/// What is asked of a division.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Quotient,
    /// With the sign of the dividend.
    Remainder,
    /// With the sign of the divisor.
    Modulus,
}

impl Translation<'_> {
    pub(super) fn product(&mut self, a: Term, b: Term, width: u32) -> Number {
        let (x, y) = (self.number(a), self.number(b));
        for (constant, other) in [(&x, &y), (&y, &x)] {
            if let Some(factor) = constant.value() {
                let factor = Bits::new(width, factor).to_int();
                return other.scale(self.store, &factor);
            }
        }
        if width <= self.limits.bitwise {
            return self.product_by_bits(&x, &y, width);
        }
        let (x, y) = (self.read(a, Reading::Unsigned), self.read(b, Reading::Unsigned));
        let result = self.unknown_result(width, Reading::Unsigned);
        for (small, other) in [(&x, &y), (&y, &x)] {
            let zero = Number::constant(self.store, &Rational::ZERO);
            self.law(small, &Rational::ZERO, &result, &zero);
            self.law(small, &Rational::ONE, &result, other);
        }
        result
    }
    /// `x = value → result = other`.
    fn law(&mut self, x: &Number, value: &Rational, result: &Number, other: &Number) {
        let value = self.store.number(value.clone(), Sort::INT);
        let (premise, conclusion) =
            (self.store.eq(x.term, value), self.store.eq(result.term, other.term));
        let law = self.store.implies(premise, conclusion);
        self.facts.push(law);
    }
    /// An unknown result; the clause is not exact any more.
    fn unknown_result(&mut self, width: u32, reading: Reading) -> Number {
        self.exact = false;
        self.unknown(Range::window(width, reading))
    }
    fn product_by_bits(&mut self, x: &Number, y: &Number, width: u32) -> Number {
        let bits = self.bits_of(y, width);
        let zero = Number::constant(self.store, &Rational::ZERO);
        let mut summands = Vec::with_capacity(bits.len());
        for (bit, weight) in bits.into_iter().zip(0..) {
            let shifted = x.scale(self.store, &power_of_two(weight));
            summands.push(Number::choose(self.store, bit, &shifted, &zero));
        }
        Number::add(self.store, &summands)
    }
    /// The bits of a number modulo `2^width`, the lowest first.
    fn bits_of(&mut self, number: &Number, width: u32) -> Vec<Term> {
        if let Some(bits) = self.bits.get(&(number.term, width)) {
            return bits.clone();
        }
        if let Some(value) = number.value() {
            let value = Bits::new(width, value);
            return (0..width).map(|at| self.store.bool(value.bit(at))).collect();
        }
        let signed = number.range.is_within(&Range::window(width, Reading::Signed));
        let reading = if signed { Reading::Signed } else { Reading::Unsigned };
        let reduced = number.wrapped(self.store, width, reading);
        let mut bits = Vec::with_capacity(width as usize);
        let mut summands = Vec::with_capacity(width as usize);
        for at in 0..width {
            let past = reduced.range.is_natural()
                && reduced.range.high.as_ref().is_some_and(|high| *high < power_of_two(at));
            if past {
                bits.push(self.store.bottom());
                continue;
            }
            let symbol = self.store.fresh("b", Sort::BOOL);
            let bit = self.store.constant(symbol);
            let sign = signed && at + 1 == width;
            let weight = if sign { -power_of_two(at) } else { power_of_two(at) };
            summands.push(self.weighted(bit, weight));
            bits.push(bit);
        }
        let sum = self.store.add(&summands);
        let fact = self.store.eq(reduced.term, sum);
        self.facts.push(fact);
        self.bits.insert((number.term, width), bits.clone());
        bits
    }
    /// `weight` if `bit` holds, else 0.
    fn weighted(&mut self, bit: Term, weight: Rational) -> Term {
        let (weight, zero) = (self.store.number(weight, Sort::INT), self.store.int(0));
        self.store.ite(bit, weight, zero)
    }
    /// The vector of these bits, the lowest first.
    fn of_bits(&mut self, bits: Vec<Term>, width: u32) -> Number {
        let mut summands = Vec::with_capacity(bits.len());
        for (&bit, at) in bits.iter().zip(0..) {
            summands.push(self.weighted(bit, power_of_two(at)));
        }
        let term = self.store.add(&summands);
        self.bits.insert((term, width), bits);
        Number { term, range: Range::window(width, Reading::Unsigned) }
    }
    pub(super) fn bitwise(&mut self, gate: Gate, a: Term, b: Term, width: u32) -> Number {
        let (x, y) = (self.number(a), self.number(b));
        for (constant, other) in [(&x, &y), (&y, &x)] {
            if let Some(value) = constant.value() {
                let value = Bits::new(width, value);
                return self.with_mask(gate, other, &value);
            }
        }
        let (x, y) = (self.read(a, Reading::Unsigned), self.read(b, Reading::Unsigned));
        if let Some(result) = self.of_disjoint(gate, &x, &y, width) {
            return result;
        }
        if width <= self.limits.bitwise {
            let (x, y) = (self.number(a), self.number(b));
            let (x, y) = (self.bits_of(&x, width), self.bits_of(&y, width));
            let gates = x.into_iter().zip(y).map(|(x, y)| match gate {
                Gate::And => self.store.and(&[x, y]),
                Gate::Or => self.store.or(&[x, y]),
                Gate::Xor => self.store.xor(x, y),
            });
            let gates = gates.collect();
            return self.of_bits(gates, width);
        }
        let result = self.unknown_result(width, Reading::Unsigned);
        self.bitwise_laws(gate, &x, &y, &result);
        result
    }
    /// What is known of an unknown result of numbers in the binary system.
    fn bitwise_laws(&mut self, gate: Gate, x: &Number, y: &Number, result: &Number) {
        let sum = self.store.add(&[x.term, y.term]);
        let laws = match gate {
            Gate::And => {
                vec![self.store.le(result.term, x.term), self.store.le(result.term, y.term)]
            }
            Gate::Or => vec![
                self.store.ge(result.term, x.term),
                self.store.ge(result.term, y.term),
                self.store.le(result.term, sum),
            ],
            Gate::Xor => vec![self.store.le(result.term, sum)],
        };
        self.facts.extend(laws);
        let zero = Number::constant(self.store, &Rational::ZERO);
        for (one, other) in [(x, y), (y, x)] {
            let other = if gate == Gate::And { &zero } else { other };
            self.law(one, &Rational::ZERO, result, other);
        }
        let (same, alone) =
            (self.store.eq(x.term, y.term), if gate == Gate::Xor { &zero } else { x });
        let is_alone = self.store.eq(result.term, alone.term);
        let law = self.store.implies(same, is_alone);
        self.facts.push(law);
    }
    /// Of vectors that have no bit in common, disjunction and difference are the sum.
    fn of_disjoint(&mut self, gate: Gate, x: &Number, y: &Number, width: u32) -> Option<Number> {
        let apart = [(x, y), (y, x)].into_iter().any(|(high, low)| {
            let aligned = alignment(self.store, high.term, width);
            low.range.high.as_ref().is_some_and(|limit| *limit < aligned)
        });
        apart.then(|| match gate {
            Gate::And => Number::constant(self.store, &Rational::ZERO),
            Gate::Or | Gate::Xor => Number::add(self.store, &[x.clone(), y.clone()]),
        })
    }
    fn with_mask(&mut self, gate: Gate, x: &Number, mask: &Bits) -> Number {
        let constant = Number::constant(self.store, mask.to_nat());
        match gate {
            Gate::And => self.masked(x, mask),
            Gate::Or => {
                let rest = self.masked(x, &mask.not());
                Number::add(self.store, &[constant, rest])
            }
            Gate::Xor => {
                let common = self.masked(x, mask).scale(self.store, &Rational::from(-2));
                Number::add(self.store, &[x.clone(), constant, common])
            }
        }
    }
    /// The bits of `x` where `mask` has ones, as a sum over its runs of ones.
    fn masked(&mut self, x: &Number, mask: &Bits) -> Number {
        let width = mask.width();
        let mut runs = vec![Number::constant(self.store, &Rational::ZERO)];
        let mut at = 0;
        while at < width {
            let first = at;
            while at < width && mask.bit(at) {
                at += 1;
            }
            if at > first {
                let run = if at == width && first == 0 {
                    x.clone()
                } else {
                    let high = x.quotient(self.store, &power_of_two(first));
                    let cut = high.wrapped(self.store, at - first, Reading::Unsigned);
                    cut.scale(self.store, &power_of_two(first))
                };
                runs.push(run);
            }
            at += 1;
        }
        Number::add(self.store, &runs)
    }
    pub(super) fn shift(&mut self, shift: Shift, a: Term, b: Term, width: u32) -> Number {
        let places = self.read(b, Reading::Unsigned);
        if let Some(places) = places.value() {
            let places = places.to_i64().and_then(|places| u32::try_from(places).ok());
            return self.shifted(shift, a, places, width);
        }
        let most = places.range.high.as_ref().and_then(Rational::to_i64).unwrap_or(i64::MAX);
        let most = u32::try_from(most).unwrap_or(u32::MAX).min(width - 1);
        if most >= self.limits.shifts {
            return self.unknown_shift(shift, a, &places, width);
        }
        let mut result = self.shifted(shift, a, None, width);
        for count in (0..=most).rev() {
            let value = self.store.int(count.into());
            let here = self.store.eq(places.term, value);
            let shifted = self.shifted(shift, a, Some(count), width);
            result = Number::choose(self.store, here, &shifted, &result);
        }
        result
    }
    /// Shifted by a known number of places; `None` is too many to count.
    fn shifted(&mut self, shift: Shift, a: Term, places: Option<u32>, width: u32) -> Number {
        let beyond = places.is_none_or(|places| places >= width);
        let factor = power_of_two(places.unwrap_or(width).min(width));
        match shift {
            Shift::Arithmetic => self.read(a, Reading::Signed).quotient(self.store, &factor),
            Shift::Left | Shift::Logical if beyond => Number::constant(self.store, &Rational::ZERO),
            Shift::Left => self.number(a).scale(self.store, &factor),
            Shift::Logical => self.read(a, Reading::Unsigned).quotient(self.store, &factor),
        }
    }
    fn unknown_shift(&mut self, shift: Shift, a: Term, places: &Number, width: u32) -> Number {
        let reading = if shift == Shift::Arithmetic { Reading::Signed } else { Reading::Unsigned };
        let x = self.read(a, reading);
        let result = self.unknown_result(width, reading);
        self.law(places, &Rational::ZERO, &result, &x);
        let zero = Number::constant(self.store, &Rational::ZERO);
        self.law(&x, &Rational::ZERO, &result, &zero);
        match shift {
            Shift::Logical => {
                let law = self.store.le(result.term, x.term);
                self.facts.push(law);
            }
            Shift::Arithmetic => {
                let zero = self.store.int(0);
                let (positive, kept) =
                    (self.store.ge(x.term, zero), self.store.ge(result.term, zero));
                let law = self.store.iff(positive, kept);
                self.facts.push(law);
            }
            Shift::Left => (),
        }
        result
    }
    pub(super) fn unsigned_division(&mut self, part: Part, a: Term, b: Term, width: u32) -> Number {
        let (x, y) = (self.read(a, Reading::Unsigned), self.read(b, Reading::Unsigned));
        let (quotient, remainder) = self.divided(&x, &y, width);
        match part {
            Part::Quotient => quotient,
            Part::Remainder | Part::Modulus => remainder,
        }
    }
    /// The quotient and the remainder of natural numbers below `2^width`.
    fn divided(&mut self, x: &Number, y: &Number, width: u32) -> (Number, Number) {
        let ones = Number::constant(self.store, Bits::ones(width).to_nat());
        match y.value() {
            Some(zero) if zero.is_zero() => (ones, x.clone()),
            Some(divisor) => (x.quotient(self.store, divisor), x.remainder(self.store, divisor)),
            None => self.divided_by_unknown(x, y, &ones, width),
        }
    }
    /// `x = y·q + r` with `r < y`, where `y·q` is a sum over the bits of `q`, or unknown if there
    /// are too many.
    fn divided_by_unknown(
        &mut self,
        x: &Number,
        y: &Number,
        ones: &Number,
        width: u32,
    ) -> (Number, Number) {
        let quotient = self.unknown(Range::window(width, Reading::Unsigned));
        let remainder = self.unknown(Range::window(width, Reading::Unsigned));
        let product = if width <= self.limits.bitwise {
            self.product_by_bits(y, &quotient, width)
        } else {
            self.exact = false;
            let zero = Number::constant(self.store, &Rational::ZERO);
            let high = x.range.high.clone();
            let product = self.unknown(Range { low: Some(Rational::ZERO), high });
            self.law(&quotient, &Rational::ZERO, &product, &zero);
            self.law(&quotient, &Rational::ONE, &product, y);
            self.law(y, &Rational::ONE, &product, &quotient);
            let (zero, at_least) = (zero.term, self.store.ge(product.term, y.term));
            let none = self.store.eq(quotient.term, zero);
            let law = self.store.or(&[none, at_least]);
            self.facts.push(law);
            product
        };
        let zero = self.store.int(0);
        let by_zero = self.store.eq(y.term, zero);
        let (all, rest) =
            (self.store.eq(quotient.term, ones.term), self.store.eq(remainder.term, x.term));
        let undefined = self.store.and(&[all, rest]);
        let whole = self.store.add(&[product.term, remainder.term]);
        let (sum, below) = (self.store.eq(whole, x.term), self.store.lt(remainder.term, y.term));
        let defined = self.store.and(&[sum, below]);
        let meaning = self.store.ite(by_zero, undefined, defined);
        self.facts.push(meaning);
        (quotient, remainder)
    }
    pub(super) fn signed_division(&mut self, part: Part, a: Term, b: Term, width: u32) -> Number {
        let (x, y) = (self.read(a, Reading::Signed), self.read(b, Reading::Signed));
        let (x_natural, x_size) = self.magnitude(&x);
        let (y_natural, y_size) = self.magnitude(&y);
        // The remainder with the sign of the divisor needs no cases if the divisor is known.
        if let (Part::Modulus, Some(divisor)) = (part, y.value())
            && !divisor.is_zero()
        {
            let sign = Rational::from(i64::from(divisor.signum()));
            let dividend = x.scale(self.store, &sign);
            return dividend.remainder(self.store, &divisor.abs()).scale(self.store, &sign);
        }
        let (quotient, remainder) = self.divided(&x_size, &y_size, width);
        let negated =
            |this: &mut Self, number: &Number| number.scale(this.store, &Rational::MINUS_ONE);
        match part {
            Part::Quotient => {
                let same = self.store.iff(x_natural, y_natural);
                let opposite = negated(self, &quotient);
                Number::choose(self.store, same, &quotient, &opposite)
            }
            Part::Remainder => {
                let opposite = negated(self, &remainder);
                Number::choose(self.store, x_natural, &remainder, &opposite)
            }
            Part::Modulus => {
                let opposite = negated(self, &remainder);
                let signed = Number::choose(self.store, x_natural, &remainder, &opposite);
                let zero = self.store.int(0);
                let same = self.store.iff(x_natural, y_natural);
                let whole = self.store.eq(remainder.term, zero);
                let right = self.store.or(&[same, whole]);
                let shifted = Number::add(self.store, &[signed.clone(), y]);
                Number::choose(self.store, right, &signed, &shifted)
            }
        }
    }
    /// Whether a number is natural, and its size.
    fn magnitude(&mut self, x: &Number) -> (Term, Number) {
        let zero = self.store.int(0);
        let natural = self.store.ge(x.term, zero);
        let negated = x.scale(self.store, &Rational::MINUS_ONE);
        let mut size = Number::choose(self.store, natural, x, &negated);
        let most = x.range.bounds().map(|(low, high)| low.abs().max(high.abs()));
        size.range = Range { low: Some(Rational::ZERO), high: most };
        if let Some(value) = x.value() {
            size.range = Range::point(&value.abs());
        }
        (natural, size)
    }
}
