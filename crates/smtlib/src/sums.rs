//! Linear combinations under construction.
//!
//! While a sum such as `(+ x (* 3 (- y 2)))` is read, no term is made for its parts: the monomials of all open arguments
//! lie behind each other on one stack, and an argument is a [`Combination`]: where its monomials begin, a common factor, and a
//! constant. Adding the last arguments up costs nothing but the factors, because their monomials already touch.
//!
//! Invariant: the monomials of consecutive arguments are consecutive stretches of the stack, the last reaching to its end.
//! The cost of bringing factors together is paid by the shorter stretches, so a chain of n nested sums and differences
//! takes O(n log n).

use shofar_num::Rational;
use shofar_term::{Kind, Linear, Sort, Term, TermStore};

/// A linear combination whose monomials lie on the stack.
#[derive(Clone, Debug)]
pub(crate) struct Combination {
    /// Where its monomials begin.
    start: usize,
    /// What its monomials are to be multiplied with; not zero.
    factor: Rational,
    /// Its constant, not to be multiplied with the factor.
    constant: Rational,
    pub(crate) sort: Sort,
}

impl Combination {
    /// Its constant; its value if it has no monomials.
    pub(crate) fn constant(&self) -> &Rational {
        &self.constant
    }
}

/// `Real` if one of them is.
pub(crate) fn join(a: Sort, b: Sort) -> Sort {
    if a == Sort::Real || b == Sort::Real { Sort::Real } else { Sort::Int }
}

/// The stack of monomials.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    stack: Vec<(Rational, Term)>,
}

impl Sums {
    pub(crate) fn clear(&mut self) {
        self.stack.clear();
    }
    /// A number as the last argument.
    pub(crate) fn number(&self, value: Rational, sort: Sort) -> Combination {
        Combination { start: self.stack.len(), factor: Rational::ONE, constant: value, sort }
    }
    /// An arithmetic term as the last argument.
    pub(crate) fn term(&mut self, store: &TermStore, term: Term) -> Combination {
        let mut combination = self.number(Rational::ZERO, store.sort(term));
        if let Kind::Sum(sum) = store.kind(term) {
            self.stack.extend(sum.iter().map(|(coefficient, t)| (coefficient.clone(), t)));
            combination.constant = sum.constant().clone();
        } else if let Kind::Number(value) = store.kind(term) {
            combination.constant = value.clone();
        } else {
            self.stack.push((Rational::ONE, term));
        }
        combination
    }
    /// Whether argument number `k` has no monomials.
    pub(crate) fn is_number(&self, arguments: &[Combination], k: usize) -> bool {
        let end = arguments.get(k + 1).map_or(self.stack.len(), |next| next.start);
        arguments[k].start == end
    }
    /// Takes all arguments from the stack.
    pub(crate) fn take_all(&mut self, arguments: &[Combination]) -> Vec<Linear> {
        let mut linears: Vec<Linear> =
            arguments.iter().rev().map(|last| self.take_linear(last)).collect();
        linears.reverse();
        linears
    }
    /// Puts a linear combination on the stack as the last argument.
    pub(crate) fn give(&mut self, linear: Linear, sort: Sort) -> Combination {
        let combination = self.number(linear.constant.clone(), sort);
        self.stack.extend(linear.into_monomials());
        combination
    }
    /// The last argument times a number.
    pub(crate) fn scale(&mut self, last: &mut Combination, factor: &Rational) {
        last.constant *= factor;
        if factor.is_zero() {
            self.stack.truncate(last.start);
        } else {
            last.factor *= factor;
        }
    }
    /// The sum of the last arguments: the first minus all others if `minus`, else all of them.
    pub(crate) fn add(&mut self, arguments: &[Combination], minus: bool) -> Combination {
        let end_of = |k: usize| arguments.get(k + 1).map_or(self.stack.len(), |next| next.start);
        let sign =
            |k: usize, factor: &Rational| if minus && k > 0 { -factor } else { factor.clone() };
        let longest =
            (0..arguments.len()).max_by_key(|&k| (end_of(k) - arguments[k].start, usize::MAX - k));
        let longest = longest.expect("a sum has arguments");
        let mut sum = Combination {
            start: arguments[0].start,
            factor: sign(longest, &arguments[longest].factor),
            constant: Rational::ZERO,
            sort: arguments[0].sort,
        };
        for (k, argument) in arguments.iter().enumerate() {
            sum.sort = join(sum.sort, argument.sort);
            sum.constant += sign(k, &argument.constant);
            let end = arguments.get(k + 1).map_or(self.stack.len(), |next| next.start);
            let mut factor = sign(k, &argument.factor);
            if factor != sum.factor {
                factor /= &sum.factor;
                for (coefficient, _) in &mut self.stack[argument.start..end] {
                    *coefficient *= &factor;
                }
            }
        }
        sum
    }
    /// Takes the last argument from the stack.
    pub(crate) fn take_linear(&mut self, last: &Combination) -> Linear {
        let mut monomials: Vec<(Rational, Term)> = self.stack.drain(last.start..).collect();
        if !last.factor.is_one() {
            for (coefficient, _) in &mut monomials {
                *coefficient *= &last.factor;
            }
        }
        Linear::from_monomials(monomials, last.constant.clone())
    }
    /// Takes the last argument from the stack and makes a term of it.
    pub(crate) fn take_term(&mut self, store: &mut TermStore, last: &Combination) -> Term {
        if let Some((coefficient, term)) = self.stack.get(last.start)
            && self.stack.len() == last.start + 1
            && last.constant.is_zero()
            && coefficient.is_one()
            && last.factor.is_one()
            && store.sort(*term) == last.sort
        {
            let term = *term;
            self.stack.pop();
            return term;
        }
        let linear = self.take_linear(last);
        store.sum(&linear, last.sort)
    }
}
