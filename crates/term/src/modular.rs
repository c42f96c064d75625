//! Sums of bit-vectors: linear forms modulo a power of two.
//!
//! A sum `c₁·t₁ + … + cₙ·tₙ + k` has its terms sorted by handle, each once, none of them a
//! constant, a sum, a product by a constant or a complement, and coefficients in `1..2^w`. So
//! vectors that are equal by the laws of a ring are one handle. `¬t` is `−t − 1`, and a shift to
//! the left by a constant is a product. Vectors made of integers are added as integers.

use shofar_num::{Bits, Rational, mod_euclid, power_of_two};

use crate::store::Op;
use crate::{ArithKind, BitsKind, BitsOp, Linear, Sort, Term, TermStore};

/// A linear form on its way; coefficients are integers of any size.
struct Form {
    width: u32,
    monomials: Vec<(Rational, Term)>,
    /// The sum of the integers that vectors were made of.
    integers: Linear,
    constant: Rational,
}

impl TermStore {
    /// The sum of vectors of one width.
    pub(crate) fn bits_sum(&mut self, args: &[Term]) -> Term {
        let mut form = Form::zero(self.width(args[0]));
        for &arg in args {
            form.add(self, &Rational::ONE, arg);
        }
        form.term(self)
    }
    /// The product of two vectors.
    pub(crate) fn bits_product(&mut self, a: Term, b: Term) -> Term {
        for (constant, other) in [(a, b), (b, a)] {
            if let Some(factor) = self.as_bits(constant) {
                let mut form = Form::zero(factor.width());
                let factor = factor.to_nat().clone();
                form.add(self, &factor, other);
                return form.term(self);
            }
        }
        let sort = self.sort(a);
        self.intern(Op::BitsMul, sort, &[a.min(b), a.max(b)], 0)
    }
    /// `a = b` for vectors of one width, as it is: no law takes it apart, so it is an atom of these
    /// two terms.
    pub fn bits_same(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            self.top()
        } else if self.is_value(a) && self.is_value(b) {
            self.bottom()
        } else {
            self.intern_same(a, b)
        }
    }
    /// `a = b` for terms that an equality of arrays or data was taken apart into. That of vectors
    /// stays about these two, so that whoever compares the parts finds them.
    pub(crate) fn part_eq(&mut self, a: Term, b: Term) -> Term {
        let simplified = self.eq(a, b);
        let is_truth = self.is_value(simplified);
        if is_truth || self.bits_width(self.sort(a)).is_none() {
            simplified
        } else {
            self.bits_same(a, b)
        }
    }
    /// `a = b` for different vectors of one width.
    pub(crate) fn bits_eq(&mut self, a: Term, b: Term) -> Term {
        if let Some(condition) = self.choice_of_constants(a, b) {
            return condition;
        }
        let mut form = Form::zero(self.width(a));
        form.add(self, &Rational::ONE, a);
        form.add(self, &Rational::MINUS_ONE, b);
        form.normalize(self);
        match &form.monomials[..] {
            [] => {
                form.integers.constant = form.constant;
                let difference = self.sum(&form.integers, Sort::INT);
                self.divisible(&power_of_two(form.width), difference)
            }
            _ if !form.integers.is_constant() => self.intern_same(a, b),
            // The only solution, if the coefficient has an inverse.
            [(factor, term)] if Bits::new(form.width, factor).bit(0) => {
                let solution = -&form.constant * inverse(factor, form.width);
                self.bits_is(*term, &Bits::new(form.width, &solution))
            }
            _ => self.intern_same(a, b),
        }
    }
    /// An integer that is congruent modulo `2^width`, with coefficients of the least size and
    /// without remainders by multiples of the modulus.
    pub(crate) fn reduced_modulo(&self, mut linear: Linear, width: u32) -> Linear {
        let (modulus, half) = (power_of_two(width), power_of_two(width - 1));
        let reduced = |n: &Rational| {
            let rest = mod_euclid(n, &modulus).expect("a power of two is not zero");
            if rest > half { rest - &modulus } else { rest }
        };
        loop {
            let mut result = Linear::of_constant(reduced(&linear.constant));
            let mut is_done = true;
            for (factor, term) in linear.monomials() {
                let factor = reduced(factor);
                match self.arith(*term) {
                    Some(ArithKind::Mod(of, divisor))
                        if reduced(&(&factor * divisor)).is_zero() =>
                    {
                        is_done = false;
                        result.add_scaled(&factor, &self.linear(of));
                    }
                    Some(_) | None => result.add_term(&factor, *term),
                }
            }
            if is_done {
                let same = |(factor, term): &(Rational, Term)| (reduced(factor), *term);
                let monomials = result.monomials().iter().map(same).collect();
                return Linear::from_monomials(monomials, reduced(&result.constant));
            }
            linear = result;
        }
    }
    /// `term = value`, where a bit is equal to zero if it is not equal to one.
    fn bits_is(&mut self, term: Term, value: &Bits) -> Term {
        if value.width() == 1 && value.is_zero() {
            let one = self.bits_of(1, 1);
            let is_one = self.intern_same(term, one);
            return self.not(is_one);
        }
        let value = self.bits(value);
        self.intern_same(term, value)
    }
    /// An equation between a choice of constants and a constant is a formula over the condition.
    fn choice_of_constants(&mut self, a: Term, b: Term) -> Option<Term> {
        let (choice, value) = if self.as_bits(b).is_some() { (a, b) } else { (b, a) };
        self.as_bits(value)?;
        let [condition, yes, no] = self.choice(choice)?;
        self.as_bits(yes)?;
        self.as_bits(no)?;
        let (yes, no) = (self.bool(yes == value), self.bool(no == value));
        Some(self.ite(condition, yes, no))
    }
}

impl Form {
    fn zero(width: u32) -> Self {
        let (monomials, integers) = (Vec::new(), Linear::new());
        Self { width, monomials, integers, constant: Rational::ZERO }
    }
    /// Adds `factor·term`.
    fn add(&mut self, store: &TermStore, factor: &Rational, term: Term) {
        let mut work = vec![(factor.clone(), term)];
        while let Some((factor, term)) = work.pop() {
            match store.bits_kind(term) {
                Some(BitsKind::Value(value)) => self.constant.add_mul(&factor, value.to_nat()),
                Some(BitsKind::Op(BitsOp::Add, args)) => {
                    work.extend(args.iter().map(|&arg| (factor.clone(), arg)));
                }
                Some(BitsKind::Op(BitsOp::Not, &[inner])) => {
                    self.constant -= &factor;
                    work.push((-factor, inner));
                }
                Some(BitsKind::Op(BitsOp::Mul, &[a, b])) => {
                    let constant = |t: Term| store.as_bits(t).map(Bits::to_nat);
                    match (constant(a), constant(b)) {
                        (Some(by), _) => work.push((factor * by, b)),
                        (None, Some(by)) => work.push((factor * by, a)),
                        (None, None) => self.monomials.push((factor, term)),
                    }
                }
                Some(BitsKind::OfInt(_, integer)) => {
                    self.integers.add_scaled(&factor, &store.linear(integer));
                }
                Some(BitsKind::Op(..) | BitsKind::ToNat(_)) | None => {
                    self.monomials.push((factor, term));
                }
            }
        }
    }
    /// Sorts and joins the monomials, and reduces the numbers.
    fn normalize(&mut self, store: &TermStore) {
        self.integers = store.reduced_modulo(std::mem::take(&mut self.integers), self.width);
        self.constant += std::mem::take(&mut self.integers.constant);
        let modulus = power_of_two(self.width);
        let reduced = |n: &Rational| mod_euclid(n, &modulus).expect("a power of two is not zero");
        self.monomials.sort_unstable_by_key(|&(_, term)| term);
        let mut joined: Vec<(Rational, Term)> = Vec::with_capacity(self.monomials.len());
        for (factor, term) in self.monomials.drain(..) {
            match joined.last_mut() {
                Some((sum, last)) if *last == term => *sum += factor,
                Some(_) | None => joined.push((factor, term)),
            }
        }
        for (factor, _) in &mut joined {
            *factor = reduced(factor);
        }
        joined.retain(|(factor, _)| !factor.is_zero());
        self.monomials = joined;
        self.constant = reduced(&self.constant);
    }
    fn term(mut self, store: &mut TermStore) -> Term {
        self.normalize(store);
        let sort = store.bits_sort(self.width);
        if self.monomials.is_empty() {
            self.integers.constant = self.constant;
            let integer = store.sum(&self.integers, Sort::INT);
            return store.bits_of_int(self.width, integer);
        }
        let ones = Bits::ones(self.width);
        if let [(factor, term)] = &self.monomials[..]
            && self.integers.is_constant()
            && factor == ones.to_nat()
            && self.constant == *ones.to_nat()
        {
            return store.intern(Op::BitsNot, sort, &[*term], 0);
        }
        let mut summands = Vec::with_capacity(self.monomials.len() + 2);
        if !self.integers.is_constant() {
            let integer = store.sum(&self.integers, Sort::INT);
            summands.push(store.bits_of_int(self.width, integer));
        }
        for (factor, term) in self.monomials {
            if factor.is_one() {
                summands.push(term);
                continue;
            }
            let factor = store.bits(&Bits::new(self.width, &factor));
            let pair = [factor.min(term), factor.max(term)];
            summands.push(store.intern(Op::BitsMul, sort, &pair, 0));
        }
        if !self.constant.is_zero() {
            summands.push(store.bits(&Bits::new(self.width, &self.constant)));
        }
        summands.sort_unstable();
        match summands[..] {
            [single] => single,
            _ => store.intern(Op::BitsAdd, sort, &summands, 0),
        }
    }
}

/// The inverse of an odd number modulo `2^width`: each step doubles the number of right bits.
fn inverse(odd: &Rational, width: u32) -> Rational {
    let (modulus, two) = (power_of_two(width), Rational::from(2));
    let mut result = Rational::ONE;
    let mut right = 1;
    while right < width {
        let next = &result * (&two - odd * &result);
        result = mod_euclid(&next, &modulus).expect("a power of two is not zero");
        right *= 2;
    }
    result
}

#[cfg(test)]
mod tests {
    use shofar_base::Rng;

    use super::*;
    use crate::bitvector::{Folded, fold};
    use crate::eval::{Model, Value, evaluate};

    /// A term and its value under each valuation, computed without the laws of constructors.
    type Known = (Term, Vec<Bits>);

    fn apply(store: &mut TermStore, op: BitsOp, args: &[&Known]) -> Known {
        let terms: Vec<Term> = args.iter().map(|known| known.0).collect();
        let values = (0..args[0].1.len()).map(|at| {
            let constants: Vec<&Bits> = args.iter().map(|known| &known.1[at]).collect();
            match fold(op, &constants) {
                Folded::Bits(bits) => bits,
                Folded::Truth(value) => Bits::bit_of(value),
            }
        });
        let values = values.collect();
        (store.bits_op(op, &terms), values)
    }

    /// Models of `x` and `y`, and the two as known terms.
    fn variables(store: &mut TermStore, width: u32) -> (Vec<Model>, Vec<Known>) {
        let sort = store.bits_sort(width);
        let symbols = ["x", "y"].map(|name| store.declare(name, &[], sort));
        let mut models = Vec::new();
        let mut values = [Vec::new(), Vec::new()];
        for number in 0..1i64 << (2 * width) {
            let pair = [number >> width, number].map(|n| Bits::new(width, &n.into()));
            let mut model = Model::new();
            for at in 0..2 {
                model.set(symbols[at], Value::bits(pair[at].clone()));
                values[at].push(pair[at].clone());
            }
            models.push(model);
        }
        let [x, y] = symbols.map(|symbol| store.constant(symbol));
        let [of_x, of_y] = values;
        (models, vec![(x, of_x), (y, of_y)])
    }

    fn grow(store: &mut TermStore, rng: &mut Rng, pool: &[Known], depth: usize) -> Known {
        let (count, width) = (pool[0].1.len(), pool[0].1[0].width());
        if depth == 0 {
            if rng.chance(40) {
                let value = Bits::new(width, &rng.range(-2, 9).into());
                return (store.bits(&value), vec![value; count]);
            }
            return rng.pick(pool).clone();
        }
        let (a, b) = (grow(store, rng, pool, depth - 1), grow(store, rng, pool, depth - 1));
        let narrow = u16::try_from(width).expect("small");
        let ops = [
            BitsOp::And,
            BitsOp::Or,
            BitsOp::Xor,
            BitsOp::Add,
            BitsOp::Add,
            BitsOp::Mul,
            BitsOp::Mul,
            BitsOp::Udiv,
            BitsOp::Urem,
            BitsOp::Sdiv,
            BitsOp::Srem,
            BitsOp::Smod,
            BitsOp::Shl,
            BitsOp::Lshr,
            BitsOp::Ashr,
        ];
        match rng.below(ops.len() + 6) {
            0 => apply(store, BitsOp::Not, &[&a]),
            1 => apply(store, BitsOp::Add, &[&a, &b, &a]),
            2 => {
                let both = apply(store, BitsOp::Concat, &[&a, &b]);
                let low = u16::try_from(rng.below(width as usize + 1)).expect("small");
                apply(store, BitsOp::Extract(low + narrow - 1, low), &[&both])
            }
            3 => {
                let op = *rng.pick(&[BitsOp::SignExtend(2), BitsOp::ZeroExtend(1)]);
                let wide = apply(store, op, &[&a]);
                let op = *rng.pick(&[BitsOp::SignExtend(1), BitsOp::ZeroExtend(3)]);
                let wide = apply(store, op, &[&wide]);
                let low = u16::try_from(rng.below(3)).expect("small");
                apply(store, BitsOp::Extract(low + narrow - 1, low), &[&wide])
            }
            4 => {
                let place = u16::try_from(rng.below(width as usize)).expect("small");
                let high = apply(store, BitsOp::Extract(narrow - 1, place), &[&a]);
                if place == 0 {
                    return high;
                }
                let low = apply(store, BitsOp::Extract(place - 1, 0), &[&a]);
                apply(store, BitsOp::Concat, &[&high, &low])
            }
            5 => {
                let (number, shift) = (store.bits_to_nat(a.0), rng.range(-9, 9));
                let (tripled, shift_term) = (store.scale(&3.into(), number), store.int(shift));
                let integer = store.add(&[tripled, shift_term]);
                let value = |bits: &Bits| {
                    let number = bits.to_nat() * Rational::from(3) + Rational::from(shift);
                    Bits::new(width, &number)
                };
                (store.bits_of_int(width, integer), a.1.iter().map(value).collect())
            }
            op => apply(store, ops[op - 6], &[&a, &b]),
        }
    }

    #[test]
    fn laws_agree_with_evaluation() {
        for seed in 0..600 {
            let (mut store, mut rng) = (TermStore::new(), Rng::new(seed));
            let width = 1 + u32::try_from(seed % 4).expect("small");
            let (models, pool) = variables(&mut store, width);
            let a = grow(&mut store, &mut rng, &pool, 3);
            let b = grow(&mut store, &mut rng, &pool, 2);
            let (same, below) = (store.eq(a.0, b.0), store.bits_op(BitsOp::Ule, &[a.0, b.0]));
            let signed = store.bits_op(BitsOp::Sle, &[a.0, b.0]);
            let number = store.bits_to_nat(a.0);
            for (at, model) in models.iter().enumerate() {
                let (x, y) = (&a.1[at], &b.1[at]);
                let is = |term: Term, expected: Value| {
                    assert_eq!(evaluate(&store, term, model), Ok(expected), "seed {seed}");
                };
                is(a.0, Value::bits(x.clone()));
                is(number, Value::Number(x.to_nat().clone()));
                is(same, Value::Bool(x == y));
                is(below, Value::Bool(x.ucmp(y).is_le()));
                is(signed, Value::Bool(x.scmp(y).is_le()));
            }
        }
    }

    #[test]
    fn equal_sums_are_one_term() {
        let mut s = TermStore::new();
        let sort = s.bits_sort(32);
        let (x, y, one) = (s.var("x", sort), s.var("y", sort), s.bits_of(32, 1));
        let minus = s.bits_of(32, -1);
        let (left, right) = (s.bits_op(BitsOp::Add, &[x, y]), s.bits_op(BitsOp::Add, &[y, x, one]));
        let next = s.bits_op(BitsOp::Add, &[left, one]);
        assert_eq!(next, right);
        let negated = s.bits_op(BitsOp::Mul, &[minus, x]);
        assert_eq!(s.bits_op(BitsOp::Add, &[negated, left]), y);
        assert_eq!(s.bits_op(BitsOp::Add, &[negated, minus]), s.bits_op(BitsOp::Not, &[x]));
        let three = s.bits_of(32, 3);
        let (tripled, twelve) = (s.bits_op(BitsOp::Mul, &[x, three]), s.bits_of(32, 12));
        let (four, solved) = (s.bits_of(32, 4), s.eq(tripled, twelve));
        assert_eq!(solved, s.eq(x, four));
        let n = s.var("n", Sort::INT);
        let (negated, vector) = (s.neg(n), s.bits_of_int(32, n));
        let of_negated = s.bits_of_int(32, negated);
        assert_eq!(s.bits_op(BitsOp::Mul, &[minus, of_negated]), vector);
        let mask = s.bits_of(32, 255);
        let masked = s.bits_op(BitsOp::And, &[vector, mask]);
        assert_eq!(s.bits_to_nat(masked), s.modulo(n, &256.into()));
        let two = s.bits_of(32, 2);
        let halved = s.bits_op(BitsOp::Lshr, &[x, two]);
        let (low, quarter) = (s.bits_to_nat(halved), s.bits_op(BitsOp::Extract(31, 2), &[x]));
        assert_eq!(low, s.bits_to_nat(quarter));
        assert_eq!(s.bits_op(BitsOp::Shl, &[x, one]), s.bits_op(BitsOp::Mul, &[two, x]));
    }
}
