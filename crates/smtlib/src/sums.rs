//! Linear combinations under construction.
//!
//! While a sum such as `(+ x (* 3 (- y 2)))` is read, no term is made for its parts: the monomials
//! of all open arguments lie behind each other on one stack (a constant is a monomial without a
//! term), and an argument is a [`Combination`]: where its monomials begin, and a common factor.
//! Adding the last arguments up costs nothing but the factors, because their monomials already
//! touch.
//!
//! Invariant: the monomials of consecutive arguments are consecutive stretches of the stack, the
//! last reaching to its end. The cost of bringing factors together is paid by the shorter
//! stretches, so a chain of n nested sums and differences takes O(n log n).

use shofar_num::Rational;
use shofar_term::{Linear, Sort, Term, TermStore};

/// An argument.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Term(Term),
    Sum(Combination),
}

impl Value {
    /// The linear combination that an arithmetic function has stored.
    #[inline]
    fn combination(self) -> Combination {
        match self {
            Value::Sum(sum) => sum,
            Value::Term(_) => unreachable!("arithmetic functions store linear combinations"),
        }
    }
}

/// A linear combination whose monomials lie on the stack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Combination {
    /// Where its monomials begin.
    start: usize,
    factor: Factor,
    pub(crate) sort: Sort,
}

/// What the monomials of a combination are to be multiplied with; not zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Factor {
    One,
    /// A place in the list of factors.
    Number(u32),
}

/// `Real` if one of them is.
pub(crate) fn join(a: Sort, b: Sort) -> Sort {
    if a.is_real() || b.is_real() { Sort::REAL } else { Sort::INT }
}

/// The stack of monomials.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    stack: Vec<(Rational, Option<Term>)>,
    factors: Vec<Rational>,
    /// What was taken last, kept for its memory.
    taken: Linear,
}

impl Sums {
    pub(crate) fn clear(&mut self) {
        self.stack.clear();
        self.factors.clear();
    }
    #[inline]
    fn next(&self, sort: Sort) -> Combination {
        Combination { start: self.stack.len(), factor: Factor::One, sort }
    }
    /// A number as the last argument.
    #[inline]
    pub(crate) fn number(&mut self, value: Rational, sort: Sort) -> Combination {
        let combination = self.next(sort);
        self.stack.push((value, None));
        combination
    }
    /// An arithmetic term as the last argument.
    #[inline]
    pub(crate) fn term(&mut self, store: &TermStore, term: Term) -> Combination {
        let combination = self.next(store.sort(term));
        if store.is_plain(term) {
            self.stack.push((Rational::ONE, Some(term)));
        } else if let Some(sum) = store.as_sum(term) {
            self.stack.extend(sum.iter().map(|(coefficient, t)| (coefficient.clone(), Some(t))));
            self.stack.push((sum.constant().clone(), None));
        } else if let Some(value) = store.as_number(term) {
            self.stack.push((value.clone(), None));
        }
        combination
    }
    /// Puts monomials on the stack as the last argument.
    #[inline]
    pub(crate) fn put(
        &mut self,
        monomials: impl Iterator<Item = (Rational, Option<Term>)>,
        sort: Sort,
    ) -> Combination {
        let combination = self.next(sort);
        self.stack.extend(monomials);
        combination
    }
    /// Brings monomials together.
    #[inline]
    pub(crate) fn linear(
        &mut self,
        monomials: impl Iterator<Item = (Rational, Option<Term>)>,
    ) -> &Linear {
        self.taken.assign(monomials);
        &self.taken
    }
    /// Puts a linear combination on the stack as the last argument.
    pub(crate) fn give(&mut self, linear: Linear, sort: Sort) -> Combination {
        let constant = (linear.constant.clone(), None);
        let monomials = linear.into_monomials().into_iter().map(|(k, term)| (k, Some(term)));
        self.put(std::iter::once(constant).chain(monomials), sort)
    }
    fn factor(&self, combination: Combination) -> Rational {
        match combination.factor {
            Factor::One => Rational::ONE,
            Factor::Number(place) => self.factors[place as usize].clone(),
        }
    }
    fn keep_factor(&mut self, factor: Rational) -> Factor {
        if factor.is_one() {
            return Factor::One;
        }
        let place =
            u32::try_from(self.factors.len()).expect("fewer factors than tokens in a command");
        self.factors.push(factor);
        Factor::Number(place)
    }
    /// Where the monomials of argument number `k` end.
    #[inline]
    fn end(&self, arguments: &[Value], k: usize) -> usize {
        arguments.get(k + 1).map_or(self.stack.len(), |next| next.combination().start)
    }
    /// The value of argument number `k` if it has no terms.
    pub(crate) fn as_number(&self, arguments: &[Value], k: usize) -> Option<Rational> {
        let argument = arguments[k].combination();
        match &self.stack[argument.start..self.end(arguments, k)] {
            [(value, None)] if argument.factor == Factor::One => Some(value.clone()),
            [(_, Some(_)), ..] => None,
            monomials if monomials.iter().all(|(_, term)| term.is_none()) => Some(
                self.factor(argument)
                    * monomials.iter().map(|(value, _)| value.clone()).sum::<Rational>(),
            ),
            _ => None,
        }
    }
    /// Takes the arguments from the stack, for which something else will be put.
    #[inline]
    pub(crate) fn drop_all(&mut self, arguments: &[Value]) {
        self.stack.truncate(arguments[0].combination().start);
    }
    /// Argument number `main` times `factor`; all other arguments are numbers and disappear.
    pub(crate) fn product(
        &mut self,
        arguments: &[Value],
        main: usize,
        factor: &Rational,
    ) -> Combination {
        let first = arguments[0].combination();
        let main_end = self.end(arguments, main);
        let argument = arguments[main].combination();
        self.stack.truncate(main_end);
        self.stack.drain(first.start..argument.start);
        let mut product = Combination { start: first.start, ..argument };
        self.scale(&mut product, factor);
        product
    }
    /// The last argument times a number.
    pub(crate) fn scale(&mut self, last: &mut Combination, factor: &Rational) {
        if factor.is_zero() {
            self.stack.truncate(last.start);
            self.stack.push((Rational::ZERO, None));
            last.factor = Factor::One;
        } else if let [(coefficient, _)] = &mut self.stack[last.start..] {
            *coefficient *= factor;
        } else {
            let factor = self.factor(*last) * factor;
            last.factor = self.keep_factor(factor);
        }
    }
    /// The sum of the last arguments: the first minus all others if `minus`, else all of them.
    pub(crate) fn add(&mut self, arguments: &[Value], minus: bool) -> Combination {
        let first = arguments[0].combination();
        let sort = arguments
            .iter()
            .fold(first.sort, |sort, argument| join(sort, argument.combination().sort));
        if !minus && arguments.iter().all(|argument| argument.combination().factor == Factor::One) {
            return Combination { start: first.start, factor: Factor::One, sort };
        }
        let length = |k: usize| self.end(arguments, k) - arguments[k].combination().start;
        // Of equally long ones the first.
        let longest =
            (0..arguments.len()).rev().max_by_key(|&k| length(k)).expect("a sum has arguments");
        let signed = |sums: &Self, k: usize| {
            let factor = sums.factor(arguments[k].combination());
            if minus && k > 0 { -factor } else { factor }
        };
        let common = signed(self, longest);
        for (k, argument) in arguments.iter().enumerate() {
            let factor = signed(self, k);
            if factor != common {
                let range = argument.combination().start..self.end(arguments, k);
                multiply(&mut self.stack[range], &(factor / &common));
            }
        }
        Combination { start: first.start, factor: self.keep_factor(common), sort }
    }
    /// Takes the last argument from the stack.
    pub(crate) fn take_linear(&mut self, last: Combination) -> &Linear {
        if last.factor != Factor::One {
            let factor = self.factor(last);
            multiply(&mut self.stack[last.start..], &factor);
        }
        self.taken.assign(self.stack.drain(last.start..));
        &self.taken
    }
    /// Takes two arguments from the stack: one of them, number `minuend`, minus the other.
    pub(crate) fn take_difference(&mut self, arguments: [Value; 2], minuend: usize) -> &Linear {
        for (k, argument) in arguments.iter().enumerate() {
            let combination = argument.combination();
            let range = combination.start..self.end(&arguments, k);
            if combination.factor != Factor::One {
                let factor = self.factor(combination);
                multiply(&mut self.stack[range.clone()], &factor);
            }
            if k != minuend {
                multiply(&mut self.stack[range], &Rational::MINUS_ONE);
            }
        }
        self.taken.assign(self.stack.drain(arguments[0].combination().start..));
        &self.taken
    }
    /// Takes all arguments from the stack.
    pub(crate) fn take_all(&mut self, arguments: &[Value]) -> Vec<Linear> {
        let backwards = arguments.iter().rev();
        let mut linears: Vec<Linear> =
            backwards.map(|last| self.take_linear(last.combination()).clone()).collect();
        linears.reverse();
        linears
    }
    /// Takes the last argument from the stack and makes a term of it.
    pub(crate) fn take_term(&mut self, store: &mut TermStore, last: Combination) -> Term {
        if let [(coefficient, Some(term))] = &self.stack[last.start..]
            && coefficient.is_one()
            && last.factor == Factor::One
            && store.sort(*term) == last.sort
        {
            let term = *term;
            self.stack.truncate(last.start);
            return term;
        }
        let linear = self.take_linear(last);
        store.sum(linear, last.sort)
    }
}

fn multiply(monomials: &mut [(Rational, Option<Term>)], factor: &Rational) {
    if *factor == Rational::MINUS_ONE {
        for (coefficient, _) in monomials {
            *coefficient = -&*coefficient;
        }
    } else {
        for (coefficient, _) in monomials {
            *coefficient *= factor;
        }
    }
}
