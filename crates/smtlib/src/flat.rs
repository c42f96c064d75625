//! Flat sums and comparisons, such as `(<= (+ x (* 3 y)) 5)`, read at one go.
//!
//! Most arithmetic of most inputs is flat: sums of numbers, of symbols and of products of a number
//! and a symbol, with numbers that fit into a machine word. Where the tokens of such a sum are
//! known already, or those of two with a comparison around them, they are read here without frames.
//! Whatever is not as simple is left to the frames, which come to the same result, or to the right
//! complaint. What is given up is read at most three times, as part of a comparison, as a sum and
//! by the frames: a flat sum has no comparison inside and a bounded depth.

use shofar_num::Rational;
use shofar_term::{Difference, Relation, Sort, Term, TermStore};

use crate::builtin::Builtin;
use crate::elaborate::Elaborator;
use crate::environment::{Environment, Meaning};
use crate::lexer::{Lexer, short_integer};
use crate::sums::{Combination, join};
use crate::token::{Token, TokenKind};

/// A flat sum: machine integers times terms that are neither sums nor numbers, and a constant.
#[derive(Debug, Default)]
pub(crate) struct FlatSum {
    monomials: Vec<(i64, Term)>,
    constant: i64,
}

impl FlatSum {
    /// The same as two terms and a number, if it is that simple.
    fn as_difference(&self) -> Option<Difference> {
        let constant = self.constant;
        let (plus, minus) = match *self.monomials {
            [] => (None, None),
            [(1, a)] => (Some(a), None),
            [(-1, a)] => (None, Some(a)),
            [(1, a), (-1, b)] | [(-1, b), (1, a)] => (Some(a), Some(b)),
            _ => return None,
        };
        Some(Difference { plus, minus, constant })
    }
    /// The monomials, and behind them the constant, if it is needed, as a monomial without a term.
    fn iter(&self) -> impl Iterator<Item = (Rational, Option<Term>)> {
        let monomials = self.monomials.iter().map(|&(k, term)| (Rational::from(k), Some(term)));
        let constant = (self.constant != 0 || self.monomials.is_empty())
            .then(|| (Rational::from(self.constant), None));
        monomials.chain(constant)
    }
}

impl Elaborator<'_, '_> {
    /// The sum, difference or product whose first symbol has been read, if it is flat.
    pub(crate) fn flat_sum(&mut self, builtin: Builtin) -> Option<Combination> {
        let sort = self.flat(|flat| flat.sum(builtin, 1))?;
        Some(self.work.sums.put(self.work.flat.iter(), sort))
    }
    /// The comparison whose first symbol has been read, if it is one of two flat sums.
    pub(crate) fn flat_comparison(&mut self, minuend: usize, relation: Relation) -> Option<Term> {
        let sign = if minuend == 0 { 1 } else { -1 };
        self.flat(|flat| {
            flat.side(sign)?;
            flat.side(-sign)?;
            flat.close()
        })?;
        let flat = &self.work.flat;
        let atom = flat.as_difference().and_then(|d| self.store.compare_difference(d, relation));
        Some(atom.unwrap_or_else(|| {
            self.store.compare_zero(self.work.sums.linear(flat.iter()), relation)
        }))
    }
    /// Reads something flat, or nothing. The sort is that of all that was read.
    #[inline]
    fn flat(&mut self, read: impl FnOnce(&mut Flat<'_, '_>) -> Option<()>) -> Option<Sort> {
        let (env, store, lexer) = (&mut *self.env, &*self.store, &*self.lexer);
        let sum = &mut self.work.flat;
        sum.monomials.clear();
        sum.constant = 0;
        let mut flat = Flat { env, store, lexer, sum, read: 0, sort: Sort::INT };
        read(&mut flat)?;
        let (count, sort) = (flat.read, flat.sort);
        self.lexer.skip(count);
        Some(sort)
    }
}

/// A reader of tokens that are known. Where it returns `None`, things are not flat.
struct Flat<'f, 'a> {
    env: &'f mut Environment,
    store: &'f TermStore,
    lexer: &'f Lexer<'a>,
    sum: &'f mut FlatSum,
    /// How many of the tokens have been read.
    read: usize,
    sort: Sort,
}

impl Flat<'_, '_> {
    #[inline]
    fn next(&mut self) -> Option<Token> {
        let token = *self.lexer.ahead().get(self.read)?;
        self.read += 1;
        Some(token)
    }
    #[inline]
    fn close(&mut self) -> Option<()> {
        (self.next()?.kind == TokenKind::Close).then_some(())
    }
    #[inline]
    fn meaning(&mut self, symbol: Token) -> Option<Meaning> {
        if symbol.kind != TokenKind::Symbol {
            return None;
        }
        let name = self.env.name_of(self.lexer, symbol);
        Some(self.env.meaning(name))
    }
    #[inline]
    fn function(&mut self) -> Option<Builtin> {
        let symbol = self.next()?;
        if let Meaning::Builtin(builtin) = self.meaning(symbol)? { Some(builtin) } else { None }
    }
    /// Something that can be compared, times `factor`.
    fn side(&mut self, factor: i64) -> Option<()> {
        let first = self.next()?;
        if first.kind != TokenKind::Open {
            return self.leaf(first, factor);
        }
        let builtin = self.function()?;
        self.sum(builtin, factor)
    }
    /// A function applied to what follows, times `factor`.
    fn sum(&mut self, builtin: Builtin, factor: i64) -> Option<()> {
        let later = if builtin == Builtin::Add {
            factor
        } else if builtin == Builtin::Sub {
            -factor
        } else if builtin == Builtin::Mul {
            return self.product(factor);
        } else {
            return None;
        };
        let first = self.next()?;
        if builtin == Builtin::Sub && self.closes() {
            self.leaf(first, later)?;
            return self.close();
        }
        self.argument(first, factor)?;
        if builtin == Builtin::Sub && self.closes() {
            return None; // The only argument of a difference is negated, and not only leaves can be.
        }
        loop {
            let next = self.next()?;
            if next.kind == TokenKind::Close {
                return Some(());
            }
            self.argument(next, later)?;
        }
    }
    /// Whether the next token is a closing parenthesis.
    #[inline]
    fn closes(&self) -> bool {
        self.lexer.ahead().get(self.read).is_some_and(|next| next.kind == TokenKind::Close)
    }
    /// An argument of a sum, times `factor`.
    #[inline]
    fn argument(&mut self, first: Token, factor: i64) -> Option<()> {
        if first.kind != TokenKind::Open {
            return self.leaf(first, factor);
        }
        let builtin = self.function()?;
        if builtin == Builtin::Mul {
            return self.product(factor);
        }
        if builtin != Builtin::Sub {
            return None;
        }
        let negated = self.next()?;
        self.leaf(negated, -factor)?;
        self.close()
    }
    /// A number and a symbol behind `*`, times `factor`.
    fn product(&mut self, factor: i64) -> Option<()> {
        let first = self.next()?;
        let number = if first.kind == TokenKind::Open {
            if self.function()? != Builtin::Sub {
                return None;
            }
            let number = self.next()?;
            let number = self.number(number)?;
            self.close()?;
            -number
        } else {
            self.number(first)?
        };
        let symbol = self.next()?;
        self.term(symbol, number.checked_mul(factor)?)?;
        self.close()
    }
    /// A number or a symbol, times `factor`.
    #[inline]
    fn leaf(&mut self, token: Token, factor: i64) -> Option<()> {
        if token.kind == TokenKind::Symbol {
            return self.term(token, factor);
        }
        let number = self.number(token)?.checked_mul(factor)?;
        self.sum.constant = self.sum.constant.checked_add(number)?;
        Some(())
    }
    /// A symbol that stands for a number, times `factor`.
    #[inline]
    fn term(&mut self, symbol: Token, factor: i64) -> Option<()> {
        let Meaning::Term(term) = self.meaning(symbol)? else { return None };
        let sort = self.store.sort(term);
        if !sort.is_arithmetic() {
            return None;
        }
        self.sort = join(self.sort, sort);
        if factor == 0 {
            return Some(());
        }
        if self.store.is_plain(term) {
            self.sum.monomials.push((factor, term));
            return Some(());
        }
        self.inner_sum(term, factor)
    }
    /// A term that is a sum or a number, times `factor`.
    fn inner_sum(&mut self, term: Term, factor: i64) -> Option<()> {
        let times = |number: &Rational| number.to_i64()?.checked_mul(factor);
        let constant = if let Some(sum) = self.store.as_sum(term) {
            for (coefficient, inner) in sum.iter() {
                self.sum.monomials.push((times(coefficient)?, inner));
            }
            times(sum.constant())?
        } else if let Some(value) = self.store.as_number(term) {
            times(value)?
        } else {
            unreachable!("all other terms are plain");
        };
        self.sum.constant = self.sum.constant.checked_add(constant)?;
        Some(())
    }
    /// An integer that is not long, also as a decimal.
    #[inline]
    fn number(&mut self, token: Token) -> Option<i64> {
        let bytes = self.lexer.token_bytes(token);
        let digits = if token.kind == TokenKind::Numeral {
            self.sort = join(self.sort, self.env.numeral_sort());
            bytes
        } else if token.kind == TokenKind::Decimal {
            self.sort = Sort::REAL;
            let point = bytes.iter().position(|&byte| byte == b'.')?;
            let (digits, fraction) = bytes.split_at(point);
            if fraction[1..].iter().any(|&digit| digit != b'0') {
                return None;
            }
            digits
        } else {
            return None;
        };
        short_integer(digits)
    }
}
