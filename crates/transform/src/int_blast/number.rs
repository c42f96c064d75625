//! Integers that stand for bit-vectors.
//!
//! A [`Number`] is an integer term that is congruent to a vector modulo `2^w`, with what is known
//! of its range. Sums, products by constants and complements are those of the integers, so a linear
//! term is reduced once, where it is compared, and not at every operator. Reducing costs nothing if
//! the range lies in the window already, a few cases if it overlaps a few windows, and a remainder
//! otherwise.
//!
//! Invariant: wherever the constraint of the clause holds, the term lies in the range.

use shofar_num::{Rational, gcd, mod_euclid, power_of_two};
use shofar_term::{Kind, Sort, Term, TermStore};

/// So many windows are told apart by cases; beyond, there is a remainder.
const MOST_CASES: i64 = 3;
/// Choices are looked into so deeply for the numbers they end in.
const DEEPEST_CHOICE: usize = 8;

/// How a vector is read as an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Reading {
    /// In two's complement.
    Signed,
    /// In the binary system.
    Unsigned,
}

/// The integers between two bounds, if there are such.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) low: Option<Rational>,
    pub(super) high: Option<Rational>,
}

impl Range {
    /// All integers.
    pub(super) const ALL: Range = Range { low: None, high: None };
    pub(super) fn new(low: Rational, high: Rational) -> Self {
        Self { low: Some(low), high: Some(high) }
    }
    /// One integer.
    pub(super) fn point(value: &Rational) -> Self {
        Self::new(value.clone(), value.clone())
    }
    /// What vectors of `width` bits are.
    pub(super) fn window(width: u32, reading: Reading) -> Self {
        match reading {
            Reading::Unsigned => Self::new(Rational::ZERO, power_of_two(width) - Rational::ONE),
            Reading::Signed => {
                let half = power_of_two(width - 1);
                Self::new(-&half, half - Rational::ONE)
            }
        }
    }
    pub(super) fn bounds(&self) -> Option<(&Rational, &Rational)> {
        Some((self.low.as_ref()?, self.high.as_ref()?))
    }
    pub(super) fn is_within(&self, other: &Range) -> bool {
        let above = match (&self.low, &other.low) {
            (_, None) => true,
            (Some(own), Some(limit)) => own >= limit,
            (None, Some(_)) => false,
        };
        let below = match (&self.high, &other.high) {
            (_, None) => true,
            (Some(own), Some(limit)) => own <= limit,
            (None, Some(_)) => false,
        };
        above && below
    }
    pub(super) fn is_natural(&self) -> bool {
        self.low.as_ref().is_some_and(|low| !low.is_negative())
    }
    pub(super) fn add(&self, other: &Range) -> Self {
        let sum = |a: &Option<Rational>, b: &Option<Rational>| Some(a.as_ref()? + b.as_ref()?);
        Self { low: sum(&self.low, &other.low), high: sum(&self.high, &other.high) }
    }
    pub(super) fn scale(&self, factor: &Rational) -> Self {
        let times = |a: &Option<Rational>| Some(a.as_ref()? * factor);
        let (low, high) = (times(&self.low), times(&self.high));
        if factor.is_negative() { Self { low: high, high: low } } else { Self { low, high } }
    }
    pub(super) fn join(&self, other: &Range) -> Self {
        let low = self.low.as_ref().zip(other.low.as_ref()).map(|(a, b)| a.min(b).clone());
        let high = self.high.as_ref().zip(other.high.as_ref()).map(|(a, b)| a.max(b).clone());
        Self { low, high }
    }
    /// Takes up that integers are at most `bound`.
    pub(super) fn lower_to(&mut self, bound: &Rational) {
        if self.high.as_ref().is_none_or(|high| bound < high) {
            self.high = Some(bound.clone());
        }
    }
    /// Takes up that integers are at least `bound`.
    pub(super) fn raise_to(&mut self, bound: &Rational) {
        if self.low.as_ref().is_none_or(|low| bound > low) {
            self.low = Some(bound.clone());
        }
    }
    /// The quotients, rounded down, by a positive integer.
    pub(super) fn quotients(&self, divisor: &Rational) -> Self {
        let floor = |a: &Option<Rational>| Some((a.as_ref()? / divisor).floor());
        Self { low: floor(&self.low), high: floor(&self.high) }
    }
}

/// An integer term that is congruent to a vector; see the module documentation.
#[derive(Clone, Debug)]
pub(super) struct Number {
    pub(super) term: Term,
    pub(super) range: Range,
}

impl Number {
    pub(super) fn constant(store: &mut TermStore, value: &Rational) -> Self {
        let term = store.number(value.clone(), Sort::INT);
        Self { term, range: Range::point(value) }
    }
    pub(super) fn value(&self) -> Option<&Rational> {
        self.range.bounds().filter(|(low, high)| low == high).map(|(low, _)| low)
    }
    pub(super) fn add(store: &mut TermStore, summands: &[Number]) -> Self {
        let terms: Vec<Term> = summands.iter().map(|number| number.term).collect();
        let zero = Range::point(&Rational::ZERO);
        let range = summands.iter().fold(zero, |range, number| range.add(&number.range));
        Self { term: store.add(&terms), range }
    }
    pub(super) fn scale(&self, store: &mut TermStore, factor: &Rational) -> Self {
        Self { term: store.scale(factor, self.term), range: self.range.scale(factor) }
    }
    pub(super) fn sub(&self, store: &mut TermStore, other: &Number) -> Self {
        let negated = other.scale(store, &Rational::MINUS_ONE);
        Self::add(store, &[self.clone(), negated])
    }
    pub(super) fn choose(store: &mut TermStore, condition: Term, a: &Number, b: &Number) -> Self {
        let term = store.ite(condition, a.term, b.term);
        let range = if a.term == b.term { a.range.clone() } else { a.range.join(&b.range) };
        Self { term, range }
    }
    /// The same vector of `width` bits as the integer that `reading` makes of it.
    pub(super) fn wrapped(&self, store: &mut TermStore, width: u32, reading: Reading) -> Self {
        let window = Range::window(width, reading);
        if self.range.is_within(&window) {
            return self.clone();
        }
        let modulus = power_of_two(width);
        let base = window.low.clone().expect("a window has bounds");
        let base = Self::constant(store, &base);
        let above = self.sub(store, &base);
        let term = if let Some(windows) = few(&above.range.quotients(&modulus)) {
            above.by_cases(store, &modulus, &windows, |store, quotient| {
                let shift = store.number(quotient * &modulus, Sort::INT);
                store.sub(self.term, shift)
            })
        } else {
            let rest = store.modulo(above.term, &modulus);
            store.add(&[rest, base.term])
        };
        Self { term, range: window }
    }
    /// The quotient by a positive integer, rounded down.
    pub(super) fn quotient(&self, store: &mut TermStore, divisor: &Rational) -> Self {
        let range = self.range.quotients(divisor);
        let term = match few(&range) {
            Some(values) => self.by_cases(store, divisor, &values, |store, quotient| {
                store.number(quotient.clone(), Sort::INT)
            }),
            None => store.div(self.term, divisor),
        };
        Self { term, range }
    }
    /// The remainder by a positive integer.
    pub(super) fn remainder(&self, store: &mut TermStore, divisor: &Rational) -> Self {
        let range = Range::new(Rational::ZERO, divisor - Rational::ONE);
        if self.range.is_within(&range) {
            return self.clone();
        }
        let term = match few(&self.range.quotients(divisor)) {
            Some(windows) => self.by_cases(store, divisor, &windows, |store, quotient| {
                let shift = store.number(quotient * divisor, Sort::INT);
                store.sub(self.term, shift)
            }),
            None => store.modulo(self.term, divisor),
        };
        Self { term, range }
    }
    /// A term for each quotient by `divisor`, of which there are few.
    fn by_cases(
        &self,
        store: &mut TermStore,
        divisor: &Rational,
        quotients: &[Rational],
        mut case: impl FnMut(&mut TermStore, &Rational) -> Term,
    ) -> Term {
        let mut cases = quotients.iter().rev();
        let last = cases.next().expect("a range is not empty");
        let mut result = case(store, last);
        for quotient in cases {
            let limit = store.number((quotient + Rational::ONE) * divisor, Sort::INT);
            let (below, here) = (store.lt(self.term, limit), case(store, quotient));
            result = store.ite(below, here, result);
        }
        result
    }
    /// Whether both are the same vector of `width` bits.
    pub(super) fn congruent(&self, store: &mut TermStore, other: &Number, width: u32) -> Term {
        if let Some(value) = other.value() {
            return self.is_congruent_to(store, value, width);
        }
        if let Some(value) = self.value() {
            return other.is_congruent_to(store, value, width);
        }
        // An equation that says what a variable is can be solved for it.
        for (variable, number) in [(self, other), (other, self)] {
            let natural = variable.range.is_natural();
            let reading = if natural { Reading::Unsigned } else { Reading::Signed };
            let reduced = variable.range.is_within(&Range::window(width, reading));
            if reduced && store.symbol(variable.term).is_some() {
                let wrapped = number.wrapped(store, width, reading);
                return store.eq(variable.term, wrapped.term);
            }
        }
        let difference = self.sub(store, other);
        difference.is_congruent_to(store, &Rational::ZERO, width)
    }
    fn is_congruent_to(&self, store: &mut TermStore, value: &Rational, width: u32) -> Term {
        let modulus = power_of_two(width);
        let first = mod_euclid(value, &modulus).expect("a power of two is not zero");
        let shifted = Range::point(&-&first).add(&self.range);
        if let Some((low, high)) = shifted.bounds() {
            let (low, high) = ((low / &modulus).ceil(), (high / &modulus).floor());
            let multiples = Range::new(low.clone(), high.clone());
            if low > high {
                return store.bottom();
            }
            if let Some(multiples) = few(&multiples) {
                let mut cases = Vec::with_capacity(multiples.len());
                for multiple in multiples {
                    let value = &first + multiple * &modulus;
                    cases.push(equals(store, self.term, &value, DEEPEST_CHOICE));
                }
                return store.or(&cases);
            }
        }
        let rest = store.modulo(self.term, &modulus);
        let first = store.number(first, Sort::INT);
        store.eq(rest, first)
    }
}

/// `term = value`, where choices between numbers become their conditions.
fn equals(store: &mut TermStore, term: Term, value: &Rational, depth: usize) -> Term {
    if let Some(number) = store.as_number(term) {
        return store.bool(number == value);
    }
    if let Kind::Ite(condition, a, b) = store.kind(term)
        && depth > 0
        && (store.as_number(a).is_some() || store.as_number(b).is_some())
    {
        let (a, b) = (equals(store, a, value, depth - 1), equals(store, b, value, depth - 1));
        return store.ite(condition, a, b);
    }
    let value = store.number(value.clone(), Sort::INT);
    store.eq(term, value)
}

/// The integers of a range, if they are few.
fn few(range: &Range) -> Option<Vec<Rational>> {
    let (low, high) = range.bounds()?;
    let count = (high - low + Rational::ONE).to_i64();
    let count = count.filter(|count| (1..=MOST_CASES).contains(count))?;
    Some((0..count).map(|step| low + Rational::from(step)).collect())
}

/// The largest power of two that divides every value of `term`, as far as its form shows; at most
/// `2^limit`.
pub(super) fn alignment(store: &TermStore, term: Term, limit: u32) -> Rational {
    let linear = store.linear(term);
    let numbers = linear.monomials().iter().map(|(c, _)| c).chain([&linear.constant]);
    numbers.fold(power_of_two(limit), |power, number| gcd(&power, number))
}
