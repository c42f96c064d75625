//! Formulas in infix notation, for those who write programs.
//!
//! Comparisons are told with positive coefficients only, each on its side: `x <= y + 3` rather than `x - y <= 3`. Every compound
//! operand stands in brackets, but for sums and products in comparisons. What a notation cannot say (quantifiers, arrays as a
//! whole) or what would be too long is not written at all.

use shofar_base::Map;
use shofar_num::Rational;
use shofar_term::size::tree_size;
use shofar_term::{ArithKind, ArrayKind, Kind, Term, TermStore};

/// Larger formulas are not written out.
const MOST_NODES: u64 = 100_000;

/// What the connectives and operations are called.
#[derive(Debug)]
pub(crate) struct Words {
    pub(crate) top: &'static str,
    pub(crate) bottom: &'static str,
    pub(crate) and: &'static str,
    pub(crate) or: &'static str,
    pub(crate) not: &'static str,
    pub(crate) equal: &'static str,
    pub(crate) unequal: &'static str,
    pub(crate) division: Division,
}

/// What `/` and `%` do with negative dividends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Division {
    /// They round down, as those of terms do.
    Down,
    /// They round towards zero.
    TowardsZero,
}

/// The formula, with these names for its symbols; nothing if it cannot be said.
pub(crate) fn infix(
    store: &TermStore,
    words: &Words,
    names: &Map<Term, String>,
    formula: Term,
) -> Option<String> {
    if tree_size(store, &[formula]) > MOST_NODES {
        return None;
    }
    let mut writer = Writer { store, words, names, text: String::new() };
    let mut todo = vec![Piece::Loose(formula)];
    while let Some(piece) = todo.pop() {
        match piece {
            Piece::Text(text) => writer.text.push_str(text),
            Piece::Own(text) => writer.text.push_str(&text),
            Piece::Loose(term) => todo.extend(writer.pieces(term)?.into_iter().rev()),
            Piece::Tight(term) => {
                let pieces = writer.pieces(term)?;
                let is_simple = pieces.len() == 1 || matches!(pieces[0], Piece::Text("("));
                if is_simple {
                    todo.extend(pieces.into_iter().rev());
                } else {
                    todo.push(Piece::Text(")"));
                    todo.extend(pieces.into_iter().rev());
                    todo.push(Piece::Text("("));
                }
            }
        }
    }
    Some(writer.text)
}

/// What is still to be written.
enum Piece {
    Text(&'static str),
    Own(String),
    /// A term, without brackets around it.
    Loose(Term),
    /// A term, in brackets if it is compound.
    Tight(Term),
}

struct Writer<'s> {
    store: &'s TermStore,
    words: &'s Words,
    names: &'s Map<Term, String>,
    text: String,
}

impl Writer<'_> {
    fn pieces(&self, term: Term) -> Option<Vec<Piece>> {
        use Piece::{Text as S, Tight as T};
        let words = self.words;
        Some(match self.store.kind(term) {
            Kind::True => vec![S(words.top)],
            Kind::False => vec![S(words.bottom)],
            Kind::Symbol(symbol) => {
                let known = self.names.get(&term).cloned();
                vec![Piece::Own(known.unwrap_or_else(|| self.store.name(symbol).to_owned()))]
            }
            Kind::Not(inner) => match self.store.kind(inner) {
                Kind::Arith(atom) => self.negated(atom)?,
                Kind::Iff(p, q) | Kind::Same(p, q) => vec![T(p), S(words.unequal), T(q)],
                Kind::True
                | Kind::False
                | Kind::Symbol(_)
                | Kind::Not(_)
                | Kind::And(_)
                | Kind::Or(_)
                | Kind::Ite(..)
                | Kind::App(..)
                | Kind::Quantified(..)
                | Kind::Array(_)
                | Kind::Data(_)
                | Kind::Bits(_) => vec![S(words.not), T(inner)],
            },
            Kind::And(parts) => between(parts, words.and),
            Kind::Or(parts) => between(parts, words.or),
            Kind::Iff(p, q) | Kind::Same(p, q) => vec![T(p), S(words.equal), T(q)],
            Kind::Ite(c, a, b) => vec![S("("), T(c), S(" ? "), T(a), S(" : "), T(b), S(")")],
            Kind::App(..) => {
                let (a, b) = self.store.as_times(term)?;
                vec![T(a), S(" * "), T(b)]
            }
            Kind::Arith(kind) => self.arithmetic(kind)?,
            Kind::Array(ArrayKind::Select(array, index)) => {
                vec![T(array), S("["), Piece::Loose(index), S("]")]
            }
            Kind::Array(ArrayKind::Store(..) | ArrayKind::Const(_))
            | Kind::Quantified(..)
            | Kind::Data(_)
            | Kind::Bits(_) => return None,
        })
    }
    fn arithmetic(&self, kind: ArithKind<'_>) -> Option<Vec<Piece>> {
        Some(match kind {
            ArithKind::Number(number) => vec![Piece::Own(number.to_string())],
            ArithKind::Sum(sum) => {
                Self::sum(sum.iter().map(|(c, t)| (c.clone(), t)).collect(), sum.constant())
            }
            ArithKind::Le(form, bound) => self.compared(form, " <= ", bound),
            ArithKind::Lt(form, bound) => self.compared(form, " < ", bound),
            ArithKind::Eq(form, bound) => self.compared(form, self.words.equal, bound),
            ArithKind::Div(a, b) => self.divided(a, b),
            ArithKind::Mod(a, b) => self.remainder(a, b),
            ArithKind::ToInt(_) => return None,
        })
    }
    /// The negation of an atom.
    fn negated(&self, atom: ArithKind<'_>) -> Option<Vec<Piece>> {
        Some(match atom {
            ArithKind::Le(form, bound) if self.store.sort(form).is_int() => {
                self.compared(form, " >= ", &(bound + &Rational::from(1)))
            }
            ArithKind::Le(form, bound) => self.compared(form, " > ", bound),
            ArithKind::Lt(form, bound) => self.compared(form, " >= ", bound),
            ArithKind::Eq(form, bound) => self.compared(form, self.words.unequal, bound),
            ArithKind::Number(_)
            | ArithKind::Sum(_)
            | ArithKind::Div(..)
            | ArithKind::Mod(..)
            | ArithKind::ToInt(_) => return None,
        })
    }
    /// `form sign bound`, with each summand on the side where it is positive.
    fn compared(&self, form: Term, sign: &'static str, bound: &Rational) -> Vec<Piece> {
        let monomials: Vec<(Rational, Term)> = match self.store.as_sum(form) {
            Some(sum) => sum.iter().map(|(c, t)| (c.clone(), t)).collect(),
            None => vec![(Rational::from(1), form)],
        };
        let (left, right): (Vec<_>, Vec<_>) =
            monomials.into_iter().partition(|(factor, _)| !factor.is_negative());
        let right = right.into_iter().map(|(factor, term)| (factor.abs(), term)).collect();
        let mut pieces = Self::sum(left, &Rational::ZERO);
        pieces.push(Piece::Text(sign));
        pieces.extend(Self::sum(right, bound));
        pieces
    }
    fn sum(monomials: Vec<(Rational, Term)>, constant: &Rational) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for (factor, term) in monomials {
            match (pieces.is_empty(), factor.is_negative()) {
                (true, true) => pieces.push(Piece::Text("-")),
                (true, false) => {}
                (false, true) => pieces.push(Piece::Text(" - ")),
                (false, false) => pieces.push(Piece::Text(" + ")),
            }
            if !factor.abs().is_one() {
                pieces.push(Piece::Own(format!("{} * ", factor.abs())));
            }
            pieces.push(Piece::Tight(term));
        }
        if pieces.is_empty() {
            return vec![Piece::Own(constant.to_string())];
        }
        if constant.is_negative() {
            pieces.push(Piece::Own(format!(" - {}", constant.abs())));
        } else if !constant.is_zero() {
            pieces.push(Piece::Own(format!(" + {constant}")));
        }
        pieces
    }
    fn divided(&self, a: Term, b: &Rational) -> Vec<Piece> {
        use Piece::{Text as S, Tight as T};
        match self.words.division {
            Division::Down => vec![T(a), Piece::Own(format!(" / {b}"))],
            Division::TowardsZero => {
                let mut pieces = vec![S("("), S("("), T(a), S(" - ")];
                pieces.extend(self.remainder(a, b));
                pieces.push(Piece::Own(format!(") / {b})")));
                pieces
            }
        }
    }
    fn remainder(&self, a: Term, b: &Rational) -> Vec<Piece> {
        use Piece::{Text as S, Tight as T};
        match self.words.division {
            Division::Down => vec![T(a), Piece::Own(format!(" % {b}"))],
            Division::TowardsZero => {
                vec![S("("), S("("), T(a), Piece::Own(format!(" % {b} + {b}) % {b})"))]
            }
        }
    }
}

fn between(parts: &[Term], sign: &'static str) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(2 * parts.len());
    for (at, &part) in parts.iter().enumerate() {
        if at > 0 {
            pieces.push(Piece::Text(sign));
        }
        pieces.push(Piece::Tight(part));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use shofar_term::Sort;

    use super::*;

    const C: Words = Words {
        top: "1",
        bottom: "0",
        and: " && ",
        or: " || ",
        not: "!",
        equal: " == ",
        unequal: " != ",
        division: Division::TowardsZero,
    };

    #[test]
    fn formulas_read_as_a_programmer_writes_them() {
        let mut s = TermStore::new();
        let (x, y, p) = (s.var("x", Sort::INT), s.var("y!1", Sort::INT), s.var("p", Sort::BOOL));
        let names = std::iter::once((y, "y".to_owned())).collect();
        let three = s.int(3);
        let sum = s.add(&[y, three]);
        let (le, lt) = (s.le(x, sum), s.gt(x, y));
        let (eq, product) = (s.eq(x, three), s.times(x, y));
        let (ne, odd) = (s.not(eq), s.modulo(x, &Rational::from(2)));
        let zero = s.int(0);
        let (is_even, not_p) = (s.eq(odd, zero), s.not(p));
        let both = s.and(&[le, not_p]);
        let big = s.le(product, three);
        for (formula, expected) in [
            (le, "x <= y + 3"),
            (lt, "x >= y + 1"),
            (ne, "x != 3"),
            (is_even, "((x % 2 + 2) % 2) == 0"),
            (both, "(x <= y + 3) && (!p)"),
            (big, "(x * y) <= 3"),
            (s.top(), "1"),
        ] {
            assert_eq!(infix(&s, &C, &names, formula).unwrap(), expected);
        }
    }
}
