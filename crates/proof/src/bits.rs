//! Clauses that say what a formula over bit-vectors means in terms of bits.
//!
//! Bit `i` of a vector `t` is the formula `(= ((_ extract i i) t) #b1)`. A comparison, or a bit of
//! an operation, is equivalent to a formula over the bits of the operands; a clause of such a
//! definition says that one implies the other. The formula is computed here anew, by gates, in a
//! copy of the store, in which equal terms are equal handles. Further, the number of a
//! vector is the sum of its bits, and so is an integer modulo `2^w` of the bits of the vector made
//! of it; a shift by zero leaves the number as it is.
//!
//! Source: [KS16] §6.2 for the circuits.

use shofar_base::Map;
use shofar_num::{Rational, div_euclid, mod_euclid, power_of_two};
use shofar_term::{BitsKind, BitsOp, Kind, Sort, Term, TermStore};

use crate::Literal;

/// The bits of a vector, the lowest first.
type Word = Vec<Term>;

/// What formulas over vectors mean, computed so far.
#[derive(Debug)]
pub(crate) struct Meanings {
    store: TermStore,
    words: Map<Term, Word>,
}

impl Meanings {
    /// For the terms of `store`.
    pub(crate) fn new(store: &TermStore) -> Self {
        Self { store: store.clone(), words: Map::default() }
    }
    /// Whether `clause` is valid by the meaning of `term` alone.
    pub(crate) fn is_part(&mut self, clause: &[Literal], term: Term) -> bool {
        let store = &mut self.store;
        let facts = match store.bits_kind(term) {
            Some(BitsKind::ToNat(vector)) => {
                let most = power_of_two(store.width(vector)) - Rational::ONE;
                let (sum, zero) = (total(store, vector), store.int(0));
                let most = store.number(most, Sort::INT);
                let mut facts =
                    vec![store.eq(term, sum), store.ge(term, zero), store.le(term, most)];
                facts.extend(unshifted(store, term, vector));
                facts
            }
            Some(BitsKind::OfInt(width, integer)) => {
                let rest = store.modulo(integer, &power_of_two(width));
                let sum = total(store, term);
                vec![store.eq(rest, sum)]
            }
            Some(BitsKind::Op(..) | BitsKind::Value(_)) | None => {
                let Some(meaning) = self.meaning(term) else { return false };
                let (atom, meaning) =
                    (Literal::of(&self.store, term), Literal::of(&self.store, meaning));
                let has = |literal: Literal| clause.contains(&literal);
                return has(!atom) && has(meaning) || has(atom) && has(!meaning);
            }
        };
        facts.into_iter().any(|fact| clause.contains(&Literal::of(&self.store, fact)))
    }
    /// The formula over bits of operands that `atom` is equivalent to.
    fn meaning(&mut self, atom: Term) -> Option<Term> {
        let kind = self.store.kind(atom);
        let (op, a, b) = if let Kind::Same(a, b) = kind {
            (None, a, b)
        } else if let Kind::Bits(BitsKind::Op(op @ (BitsOp::Ule | BitsOp::Sle), &[a, b])) = kind {
            (Some(op), a, b)
        } else {
            return None;
        };
        self.store.bits_width(self.store.sort(a))?;
        if op.is_none()
            && (self.is_one(a) || self.is_one(b))
            && let Some((vector, place)) = self.place(a).or_else(|| self.place(b))
        {
            return self.bit_of_operation(vector, place);
        }
        let (x, y) = (word(&mut self.store, a), word(&mut self.store, b));
        Some(self.compared(op, &x, &y))
    }
    fn is_one(&self, term: Term) -> bool {
        self.store.as_bits(term).is_some_and(|bits| bits.width() == 1 && !bits.is_zero())
    }
    /// The vector and the place of which `term`, of one bit and no constant, is the bit.
    fn place(&self, term: Term) -> Option<(Term, usize)> {
        if self.store.width(term) != 1 || self.store.as_bits(term).is_some() {
            return None;
        }
        match self.store.bits_kind(term) {
            Some(BitsKind::Op(BitsOp::Extract(high, low), &[of])) if high == low => {
                Some((of, low.into()))
            }
            Some(
                BitsKind::Op(..) | BitsKind::Value(_) | BitsKind::OfInt(..) | BitsKind::ToNat(_),
            )
            | None => Some((term, 0)),
        }
    }
    fn compared(&mut self, op: Option<BitsOp>, x: &[Term], y: &[Term]) -> Term {
        let store = &mut self.store;
        if op.is_none() {
            let same: Word = x.iter().zip(y).map(|(&x, &y)| store.iff(x, y)).collect();
            return store.and(&same);
        }
        let mut below = store.top();
        for place in 0..x.len() {
            let is_sign = op == Some(BitsOp::Sle) && place + 1 == x.len();
            let same = store.iff(x[place], y[place]);
            below = store.ite(same, below, if is_sign { x[place] } else { y[place] });
        }
        below
    }
    /// A bit of an operation over the bits of its operands; nothing for what is no operation.
    fn bit_of_operation(&mut self, vector: Term, place: usize) -> Option<Term> {
        if !self.words.contains_key(&vector) {
            let made = operation(&mut self.store, vector)?;
            self.words.insert(vector, made);
        }
        self.words[&vector].get(place).copied()
    }
}

/// The number of a vector that is shifted by nothing is that of the vector before.
fn unshifted(store: &mut TermStore, number: Term, vector: Term) -> Option<Term> {
    let Some(BitsKind::Op(BitsOp::Shl | BitsOp::Lshr | BitsOp::Ashr, &[before, by])) =
        store.bits_kind(vector)
    else {
        return None;
    };
    let (before, by, one) = (store.bits_to_nat(before), store.bits_to_nat(by), store.int(1));
    let (is_moved, is_same) = (store.ge(by, one), store.eq(number, before));
    Some(store.or(&[is_moved, is_same]))
}

/// The bits of a vector as atoms.
fn word(store: &mut TermStore, vector: Term) -> Word {
    let one = store.bits_of(1, 1);
    let places = 0..u16::try_from(store.width(vector)).unwrap_or(u16::MAX);
    let mut bit = |place| {
        let bit = store.bits_op(BitsOp::Extract(place, place), &[vector]);
        store.eq(bit, one)
    };
    places.map(&mut bit).collect()
}

/// The number that the bits of a vector are.
fn total(store: &mut TermStore, vector: Term) -> Term {
    let (zero, one) = (store.int(0), store.int(1));
    let mut parts = Vec::new();
    for (bit, place) in word(store, vector).into_iter().zip(0..) {
        let digit = store.ite(bit, one, zero);
        parts.push(store.scale(&power_of_two(place), digit));
    }
    store.add(&parts)
}

fn operation(store: &mut TermStore, vector: Term) -> Option<Word> {
    if let Kind::Ite(condition, a, b) = store.kind(vector) {
        let (a, b) = (word(store, a), word(store, b));
        return Some(select(store, condition, &a, &b));
    }
    let Some(BitsKind::Op(op, args)) = store.bits_kind(vector) else { return None };
    let args = args.to_vec();
    let words: Vec<Word> = args.iter().map(|&arg| word(store, arg)).collect();
    let zero = store.bottom();
    Some(match (op, &words[..]) {
        (BitsOp::Not, [a]) => complement(store, a),
        (BitsOp::And, [a, b]) => each(a, b, |a, b| store.and(&[a, b])),
        (BitsOp::Or, [a, b]) => each(a, b, |a, b| store.or(&[a, b])),
        (BitsOp::Xor, [a, b]) => each(a, b, |a, b| store.xor(a, b)),
        (BitsOp::Add, [first, rest @ ..]) => {
            rest.iter().fold(first.clone(), |sum, next| plus(store, &sum, next, zero))
        }
        (BitsOp::Mul, [a, b]) => {
            let factor = |store: &TermStore, at: usize| Some(store.as_bits(args[at])?.to_int());
            match (factor(store, 0), factor(store, 1)) {
                (Some(factor), _) => times_constant(store, b, factor),
                (None, Some(factor)) => times_constant(store, a, factor),
                (None, None) => times(store, a, b),
            }
        }
        (BitsOp::Udiv, [a, b]) => long_division(store, a, b).0,
        (BitsOp::Urem, [a, b]) => long_division(store, a, b).1,
        (BitsOp::Sdiv | BitsOp::Srem | BitsOp::Smod, [a, b]) => signed_division(store, op, a, b),
        (BitsOp::Shl, [a, b]) => {
            let turned: Word = a.iter().rev().copied().collect();
            shifted(store, &turned, b, zero).into_iter().rev().collect()
        }
        (BitsOp::Lshr, [a, b]) => shifted(store, a, b, zero),
        (BitsOp::Ashr, [a, b]) => shifted(store, a, b, *a.last()?),
        (BitsOp::Concat, [high, low]) => [&low[..], high].concat(),
        (BitsOp::Extract(high, low), [a]) => a.get(low.into()..=high.into())?.to_vec(),
        (BitsOp::SignExtend(more), [a]) => [&a[..], &vec![*a.last()?; more.into()]].concat(),
        (BitsOp::ZeroExtend(more), [a]) => [&a[..], &vec![zero; more.into()]].concat(),
        _ => return None,
    })
}

fn each(a: &[Term], b: &[Term], mut gate: impl FnMut(Term, Term) -> Term) -> Word {
    a.iter().zip(b).map(|(&a, &b)| gate(a, b)).collect()
}

fn select(store: &mut TermStore, condition: Term, a: &[Term], b: &[Term]) -> Word {
    each(a, b, |a, b| store.ite(condition, a, b))
}

fn complement(store: &mut TermStore, a: &[Term]) -> Word {
    a.iter().map(|&bit| store.not(bit)).collect()
}

/// A chain of full adders.
fn plus(store: &mut TermStore, a: &[Term], b: &[Term], mut carry: Term) -> Word {
    let mut sum = Word::with_capacity(a.len());
    for (&a, &b) in a.iter().zip(b) {
        let half = store.xor(a, b);
        sum.push(store.xor(half, carry));
        let cases = [store.and(&[a, b]), store.and(&[half, carry])];
        carry = store.or(&cases);
    }
    sum
}

fn minus(store: &mut TermStore, a: &[Term], b: &[Term]) -> Word {
    let b = complement(store, b);
    plus(store, a, &b, store.top())
}

fn negation(store: &mut TermStore, a: &[Term]) -> Word {
    minus(store, &vec![store.bottom(); a.len()], a)
}

fn raised(store: &TermStore, a: &[Term], places: usize) -> Word {
    [&vec![store.bottom(); places], &a[..a.len() - places]].concat()
}

fn times(store: &mut TermStore, a: &[Term], b: &[Term]) -> Word {
    let mut result = vec![store.bottom(); a.len()];
    for (places, &bit) in b.iter().enumerate() {
        let row = raised(store, a, places).into_iter().map(|other| store.and(&[bit, other]));
        let row: Word = row.collect();
        result = plus(store, &result, &row, store.bottom());
    }
    result
}

/// Digit by digit; the digits 1 and -1 never stand next to each other.
fn times_constant(store: &mut TermStore, a: &[Term], mut factor: Rational) -> Word {
    let mut result = vec![store.bottom(); a.len()];
    for places in 0..a.len() {
        let low = mod_euclid(&factor, &4.into()).and_then(|rest| rest.to_i64());
        let row = raised(store, a, places);
        let mut digit = Rational::ZERO;
        if low == Some(1) {
            digit = Rational::ONE;
            result = plus(store, &result, &row, store.bottom());
        } else if low == Some(3) {
            digit = Rational::MINUS_ONE;
            result = minus(store, &result, &row);
        }
        factor = div_euclid(&(factor - digit), &2.into()).expect("two is not zero");
    }
    result
}

fn shifted(store: &mut TermStore, a: &[Term], by: &[Term], fill: Term) -> Word {
    let mut result = a.to_vec();
    let mut distance = 1usize;
    for &bit in by {
        let kept = distance.min(a.len());
        let moved = [&result[kept..], &vec![fill; kept]].concat();
        result = select(store, bit, &moved, &result);
        distance = distance.saturating_mul(2);
    }
    result
}

fn long_division(store: &mut TermStore, a: &[Term], b: &[Term]) -> (Word, Word) {
    let divisor = [b, &[store.bottom()]].concat();
    let mut rest = vec![store.bottom(); divisor.len()];
    let mut quotient = Word::new();
    for &bit in a.iter().rev() {
        rest = [&[bit][..], &rest[..b.len()]].concat();
        let mut fits = store.top();
        for (&d, &r) in divisor.iter().zip(&rest) {
            let same = store.iff(d, r);
            fits = store.ite(same, fits, r);
        }
        let less = minus(store, &rest, &divisor);
        rest = select(store, fits, &less, &rest);
        quotient.insert(0, fits);
    }
    rest.truncate(b.len());
    (quotient, rest)
}

fn signed_division(store: &mut TermStore, op: BitsOp, a: &[Term], b: &[Term]) -> Word {
    let (&a_sign, &b_sign) =
        (a.last().expect("a vector has a bit"), b.last().expect("a vector has a bit"));
    let mut size = |word: &[Term], sign: Term| {
        let negated = negation(store, word);
        select(store, sign, &negated, word)
    };
    let (a_size, b_size) = (size(a, a_sign), size(b, b_sign));
    let (quotient, rest) = long_division(store, &a_size, &b_size);
    if op == BitsOp::Sdiv {
        let negated = negation(store, &quotient);
        let differ = store.xor(a_sign, b_sign);
        return select(store, differ, &negated, &quotient);
    }
    let negated = negation(store, &rest);
    let rest = select(store, a_sign, &negated, &rest);
    if op == BitsOp::Srem {
        return rest;
    }
    let zero = store.bottom();
    let zeros: Word = rest.iter().map(|&bit| store.iff(bit, zero)).collect();
    let agree = [store.and(&zeros), store.iff(a_sign, b_sign)];
    let is_right = store.or(&agree);
    let moved = plus(store, &rest, b, zero);
    select(store, is_right, &rest, &moved)
}

#[cfg(test)]
mod tests {
    use shofar_num::Bits;
    use shofar_term::eval::{Model, Value, evaluate};

    use super::*;

    /// All pairs of vectors of `width` bits for `x` and `y`, and the terms.
    fn pairs(store: &mut TermStore, width: u32) -> (Term, Term, Vec<Model>) {
        let sort = store.bits_sort(width);
        let [x, y] = ["x", "y"].map(|name| store.declare(name, &[], sort));
        let mut models = Vec::new();
        for number in 0..1i64 << (2 * width) {
            let mut model = Model::new();
            model.set(x, Value::bits(Bits::new(width, &(number >> width).into())));
            model.set(y, Value::bits(Bits::new(width, &number.into())));
            models.push(model);
        }
        (store.constant(x), store.constant(y), models)
    }

    #[test]
    fn operations_are_what_evaluation_says() {
        let ops = BitsOp::ALL.into_iter().filter(|op| op.is_binary()).chain([BitsOp::Concat]);
        for width in 1..=4 {
            let mut store = TermStore::new();
            let (x, y, models) = pairs(&mut store, width);
            let mut vectors: Vec<Term> = ops.clone().map(|op| store.bits_op(op, &[x, y])).collect();
            for factor in [3, -3, 5, 6] {
                let factor = store.bits_of(width, factor);
                vectors.push(store.bits_op(BitsOp::Mul, &[factor, x]));
            }
            for vector in vectors {
                let Some(made) = operation(&mut store, vector) else { continue };
                for model in &models {
                    let expected = evaluate(&store, vector, model).expect("it has a value");
                    let expected = expected.as_bits().expect("it is a vector").clone();
                    for (&bit, place) in made.iter().zip(0..) {
                        let found = evaluate(&store, bit, model).expect("it has a value");
                        assert_eq!(found, Value::Bool(expected.bit(place)), "{vector:?} {model:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn clauses_of_definitions() {
        let mut store = TermStore::new();
        let (x, y, _) = pairs(&mut store, 1);
        let sum = store.bits_op(BitsOp::Add, &[x, y]);
        let one = store.bits_of(1, 1);
        let [bit, x_bit, y_bit] = [sum, x, y].map(|vector| store.eq(vector, one));
        let differ = store.xor(x_bit, y_bit);
        let mut meanings = Meanings::new(&store);
        let literal = |formula| Literal::of(&store, formula);
        assert!(meanings.is_part(&[!literal(bit), literal(differ)], bit));
        assert!(meanings.is_part(&[literal(bit), !literal(differ)], bit));
        assert!(!meanings.is_part(&[literal(bit), literal(differ)], bit));
        assert!(!meanings.is_part(&[!literal(bit), literal(x_bit)], bit));
        assert!(!meanings.is_part(&[!literal(x_bit), literal(y_bit)], x_bit));
    }
}
