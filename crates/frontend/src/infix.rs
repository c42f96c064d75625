//! Formulas in infix notation, for those who write programs.
//!
//! Comparisons are told with positive coefficients only, each on its side: `x <= y + 3` rather than
//! `x - y <= 3`. Every compound operand stands in brackets, but for sums and products in
//! comparisons. A symbol may be the number of one of several things, such as the locations of a
//! process; a comparison of it with a constant is told by their names. What a notation cannot say
//! (arrays as a whole, quantifiers in most) or what would be too long is not written at all.

use shofar_base::Map;
use shofar_num::Rational;
use shofar_term::size::tree_size;
use shofar_term::{ArithKind, ArrayKind, Kind, Quantifier, Term, TermStore};

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
    pub(crate) at_most: &'static str,
    pub(crate) division: Division,
    /// What stands in front of a variable that is an integer for all values, and for some value.
    pub(crate) quantifiers: Option<(&'static str, &'static str)>,
}

/// What symbols are called.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// The names of variables.
    pub(crate) variables: Map<Term, String>,
    /// For symbols that are numbers, counted from 0, of one of several things: what says that it
    /// is this one.
    pub(crate) choices: Map<Term, Vec<String>>,
}

impl Names {
    /// Names of variables alone.
    pub(crate) fn of(variables: impl IntoIterator<Item = (Term, String)>) -> Self {
        Self { variables: variables.into_iter().collect(), choices: Map::default() }
    }
}

/// What `/` and `%` do with negative dividends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Division {
    /// They round down, as those of terms do.
    Down,
    /// They round towards zero.
    TowardsZero,
    /// There are `div` and `mod`, which round down.
    Named,
}

/// The formula, with these names for its symbols; nothing if it cannot be said.
pub(crate) fn infix(
    store: &TermStore,
    words: &Words,
    names: &Names,
    formula: Term,
) -> Option<String> {
    if tree_size(store, &[formula]) > MOST_NODES {
        return None;
    }
    let mut writer = Writer { store, words, names, bound: Map::default(), text: String::new() };
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
    names: &'s Names,
    /// What variables of quantifiers are called.
    bound: Map<Term, String>,
    text: String,
}

impl Writer<'_> {
    fn pieces(&mut self, term: Term) -> Option<Vec<Piece>> {
        use Piece::{Text as S, Tight as T};
        let words = self.words;
        Some(match self.store.kind(term) {
            Kind::True => vec![S(words.top)],
            Kind::False => vec![S(words.bottom)],
            Kind::Symbol(symbol) => {
                let known = self.bound.get(&term).or_else(|| self.names.variables.get(&term));
                let known = known.cloned();
                vec![Piece::Own(known.unwrap_or_else(|| self.store.name(symbol).to_owned()))]
            }
            Kind::Not(inner) => {
                let inside = self.store.kind(inner);
                if let Kind::Arith(atom) = inside {
                    self.negated(atom)?
                } else if let Kind::Iff(p, q) | Kind::Same(p, q) = inside {
                    vec![T(p), S(words.unequal), T(q)]
                } else {
                    vec![S(words.not), T(inner)]
                }
            }
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
            Kind::Quantified(quantifier, body, bound) => {
                let bound = bound.to_vec();
                self.quantified(quantifier, body, &bound)?
            }
            Kind::Array(ArrayKind::Store(..) | ArrayKind::Const(_))
            | Kind::Data(_)
            | Kind::Bits(_) => return None,
        })
    }
    /// A formula about all or some integers, which get names that nobody else has.
    fn quantified(
        &mut self,
        quantifier: Quantifier,
        body: Term,
        bound: &[Term],
    ) -> Option<Vec<Piece>> {
        let (all, some) = self.words.quantifiers?;
        let word = match quantifier {
            Quantifier::Forall => all,
            Quantifier::Exists => some,
        };
        let mut pieces = vec![Piece::Text("(")];
        for &variable in bound {
            if !self.store.sort(variable).is_int() {
                return None;
            }
            let mut number = self.bound.len() + 1;
            let taken = self.names.variables.sorted();
            while taken.iter().any(|(_, name)| **name == format!("i{number}")) {
                number += 1;
            }
            let name = format!("i{number}");
            pieces.push(Piece::Own(format!("{word}{name}; ")));
            self.bound.insert(variable, name);
        }
        pieces.extend([Piece::Loose(body), Piece::Text(")")]);
        Some(pieces)
    }
    fn arithmetic(&self, kind: ArithKind<'_>) -> Option<Vec<Piece>> {
        Some(match kind {
            ArithKind::Number(number) => vec![Piece::Own(number.to_string())],
            ArithKind::Sum(sum) => {
                Self::sum(sum.iter().map(|(c, t)| (c.clone(), t)).collect(), sum.constant())
            }
            ArithKind::Le(form, bound) => match self.chosen(form, |at| at <= bound) {
                Some(pieces) => pieces,
                None => self.compared(form, self.words.at_most, bound),
            },
            ArithKind::Lt(form, bound) => self.compared(form, " < ", bound),
            ArithKind::Eq(form, bound) => match self.chosen(form, |at| at == bound) {
                Some(pieces) => pieces,
                None => self.compared(form, self.words.equal, bound),
            },
            ArithKind::Div(a, b) => self.divided(a, b),
            ArithKind::Mod(a, b) => self.remainder(a, b),
            ArithKind::ToInt(_) => return None,
        })
    }
    /// The negation of an atom.
    fn negated(&self, atom: ArithKind<'_>) -> Option<Vec<Piece>> {
        let chosen = match atom {
            ArithKind::Le(form, bound) => self.chosen(form, |at| at > bound),
            ArithKind::Eq(form, bound) => self.chosen(form, |at| at != bound),
            ArithKind::Lt(..)
            | ArithKind::Number(_)
            | ArithKind::Sum(_)
            | ArithKind::Div(..)
            | ArithKind::Mod(..)
            | ArithKind::ToInt(_) => None,
        };
        if chosen.is_some() {
            return chosen;
        }
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
    /// That a number which stands for one of several things is one that is wanted; nothing if the
    /// term is no such number.
    fn chosen(&self, form: Term, is_wanted: impl Fn(&Rational) -> bool) -> Option<Vec<Piece>> {
        let choices = self.names.choices.get(&form)?;
        let numbered = (0_i64..).map(Rational::from).zip(choices);
        let (wanted, others): (Vec<_>, Vec<_>) = numbered.partition(|(at, _)| is_wanted(at));
        let own = |name: &String| Piece::Own(name.clone());
        Some(match (&wanted[..], &others[..]) {
            (_, []) => vec![Piece::Text(self.words.top)],
            ([], _) => vec![Piece::Text(self.words.bottom)],
            ([(_, only)], _) => vec![own(only)],
            (_, [(_, only)]) => vec![Piece::Text(self.words.not), own(only)],
            (several, _) => {
                let mut pieces = Vec::new();
                for (_, name) in several {
                    let sign = if pieces.is_empty() { "(" } else { self.words.or };
                    pieces.extend([Piece::Text(sign), own(name)]);
                }
                pieces.push(Piece::Text(")"));
                pieces
            }
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
            Division::Named => vec![T(a), Piece::Own(format!(" div {b}"))],
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
            Division::Named => vec![T(a), Piece::Own(format!(" mod {b}"))],
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
mod tests;
