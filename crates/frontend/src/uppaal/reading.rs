//! What expressions of a text mean.
//!
//! Expressions become terms over the symbols of the state, with constants, parameters and array
//! elements put in: an element with an index that is not known is a choice between all elements. An
//! index has to be inside its array by the declared ranges; UPPAAL would abort otherwise.
//!
//! Versions of UPPAAL disagree about how tightly `and`, `or` and `not` bind beside `&&`, `||` and
//! `!`; where it matters, the expression is refused ([`refuse_ambiguity`]).

use shofar_base::{Diagnostic, Span};
use shofar_term::{Term, TermStore};

use super::OPERATORS;
use super::bounds::bounds;
use super::piece::Piece;
use super::state::{Meant, Names, Range, State, VariableKind};
use crate::expression::{Meaning, Operand, Reader};
use crate::lexer::{Cursor, Token, TokenKind};

/// Words that are no names, besides those that begin a declaration or are operators.
const RESERVED: [&str; 6] = ["true", "false", "forall", "exists", "sum", "deadlock"];

/// What expressions are about.
pub(super) struct Reading<'a> {
    pub(super) names: &'a Names,
    pub(super) state: &'a State,
    /// The values of the variables at the moment when the expression is looked at.
    pub(super) values: &'a [Term],
}

impl Reading<'_> {
    /// The value of the variable in a slot, of a clock what it reads.
    fn variable(&self, store: &mut TermStore, slot: usize) -> Term {
        match self.state.variables[slot].kind {
            VariableKind::Clock => self.state.reading(store, self.values[slot]),
            VariableKind::Integer(_)
            | VariableKind::Boolean
            | VariableKind::Location
            | VariableKind::Identity => self.values[slot],
        }
    }
    fn element(&self, store: &mut TermStore, meant: &Meant, place: usize) -> Option<Term> {
        match meant {
            Meant::Array { first, .. } => Some(self.variable(store, first + place)),
            Meant::Table(elements) => elements.get(place).copied(),
            Meant::Constant(_)
            | Meant::Variable(_)
            | Meant::Channel(_)
            | Meant::Channels { .. }
            | Meant::Type(_) => None,
        }
    }
    /// The value that a name stands for.
    pub(super) fn meant(
        &self,
        store: &mut TermStore,
        meant: &Meant,
        name: &str,
        at: Span,
    ) -> Result<Term, Diagnostic> {
        let message = match meant {
            Meant::Constant(term) => return Ok(*term),
            Meant::Variable(slot) => return Ok(self.variable(store, *slot)),
            Meant::Table(_) | Meant::Array { .. } => format!("`{name}` is an array"),
            Meant::Channel(_) | Meant::Channels { .. } => format!("`{name}` is a channel"),
            Meant::Type(_) => format!("`{name}` is a type"),
        };
        Err(Diagnostic::new(at, message))
    }
    /// The element of an array at an index that is in it.
    pub(super) fn indexed(
        &self,
        store: &mut TermStore,
        meant: &Meant,
        index: Term,
        at: Span,
    ) -> Result<Term, Diagnostic> {
        let length = match meant {
            Meant::Array { length, .. } => *length,
            Meant::Table(elements) => elements.len(),
            Meant::Constant(_)
            | Meant::Variable(_)
            | Meant::Channel(_)
            | Meant::Channels { .. }
            | Meant::Type(_) => return Err(Diagnostic::new(at, "this is no array")),
        };
        let places = places(store, self.state, index, length, at)?;
        let mut chosen = None;
        for place in places.rev() {
            let element = self.element(store, meant, place).expect("the place is in the array");
            chosen = Some(match chosen {
                None => element,
                Some(other) => {
                    let is_here = equals(store, index, place);
                    store.ite(is_here, element, other)
                }
            });
        }
        chosen.ok_or_else(|| Diagnostic::new(at, "this array has no elements"))
    }
}

/// `index = place`.
pub(super) fn equals(store: &mut TermStore, index: Term, place: usize) -> Term {
    let place = store.int(i64::try_from(place).unwrap_or(i64::MAX));
    store.eq(index, place)
}

/// The places that an index may have, all of which are in an array of this length.
pub(super) fn places(
    store: &TermStore,
    state: &State,
    index: Term,
    length: usize,
    at: Span,
) -> Result<std::ops::Range<usize>, Diagnostic> {
    let last = i64::try_from(length).unwrap_or(i64::MAX) - 1;
    if !store.sort(index).is_int() || state.mentions_time(store, index) {
        return Err(Diagnostic::new(at, "an index is an integer"));
    }
    let known = bounds(store, &state.ranges, index);
    let inside = known.filter(|&known| Range { low: 0, high: last }.contains(known));
    let Some(Range { low, high }) = inside else {
        return Err(Diagnostic::new(at, "this index may be outside of the array")
            .note("the declared range of a variable says where it can be"));
    };
    let place = |at: i64| usize::try_from(at).unwrap_or(0);
    Ok(place(low)..place(high) + 1)
}

impl Meaning for Reading<'_> {
    fn value(&mut self, store: &mut TermStore, name: &str, at: Span) -> Result<Term, Diagnostic> {
        match name {
            "true" => return Ok(store.top()),
            "false" => return Ok(store.bottom()),
            _ => {}
        }
        let Some(meant) = self.names.find(name) else { return Err(unknown(name, at)) };
        self.meant(store, meant, name, at)
    }
    fn apply(
        &mut self,
        reader: &mut Reader<'_, '_>,
        name: Token,
        arguments: &[Operand],
    ) -> Result<(Term, bool), Diagnostic> {
        let text = reader.cursor.text(name);
        let index = one_index(reader, name, arguments)?;
        let term = reader.number(index, self)?;
        let Some(meant) = self.names.find(text) else { return Err(unknown(text, name.span)) };
        Ok((self.indexed(reader.store, meant, term, index.span)?, false))
    }
}

/// The index in `name[index]`, which was read last; anything else is refused.
pub(super) fn one_index(
    reader: &Reader<'_, '_>,
    name: Token,
    arguments: &[Operand],
) -> Result<Operand, Diagnostic> {
    if !reader.cursor.is(reader.cursor.last(), "]") {
        return Err(Diagnostic::new(name.span, "functions are not supported"));
    }
    match arguments {
        [index] => Ok(*index),
        _ => Err(Diagnostic::new(name.span, "an array has one index")),
    }
}

/// A name without members.
pub(super) fn plain_name(cursor: &mut Cursor<'_>, what: &str) -> Result<Token, Diagnostic> {
    let token = cursor.peek();
    let text = cursor.text(token);
    let is_plain = !text.contains(['.', '\'']) && !RESERVED.contains(&text);
    if token.kind == TokenKind::Name && is_plain {
        return Ok(cursor.next());
    }
    Err(cursor.unexpected(what))
}

pub(super) fn unknown(name: &str, at: Span) -> Diagnostic {
    if name.ends_with('\'') {
        return Diagnostic::new(at, "rates of clocks are not supported");
    }
    let quantifiers = ["forall", "exists", "sum"];
    if quantifiers.contains(&name) {
        return Diagnostic::new(at, format!("`{name}` is not supported here"));
    }
    Diagnostic::new(at, format!("`{name}` is not declared"))
}

/// Reads expressions of a piece, which ends behind the last one.
pub(super) fn whole<T>(
    store: &mut TermStore,
    piece: &Piece,
    read: impl FnOnce(&mut Reader<'_, '_>) -> Result<T, Diagnostic>,
) -> Result<T, Diagnostic> {
    let mut cursor = piece.cursor()?;
    let mut reader = Reader { store, cursor: &mut cursor, operators: &OPERATORS };
    let result = refuse_ambiguity(reader.cursor).and_then(|()| read(&mut reader));
    let result = result.and_then(|value| match reader.cursor.peek().kind {
        TokenKind::End => Ok(value),
        TokenKind::Name
        | TokenKind::Quoted
        | TokenKind::Number
        | TokenKind::Decimal
        | TokenKind::Sign => Err(reader.cursor.unexpected("the end of the label")),
    });
    result.map_err(|error| piece.locate(error))
}

/// A condition, or several with commas between them.
pub(super) fn condition(
    reader: &mut Reader<'_, '_>,
    meaning: &mut dyn Meaning,
) -> Result<Term, Diagnostic> {
    let mut parts = Vec::new();
    loop {
        let operand = reader.expression(meaning)?;
        parts.push(reader.formula(operand, meaning)?.0);
        if !reader.cursor.eat(",") {
            return Ok(reader.store.and(&parts));
        }
    }
}

/// A value, which may be chosen by conditions: `c ? a : b`.
pub(super) fn choice(
    reader: &mut Reader<'_, '_>,
    meaning: &mut dyn Meaning,
) -> Result<Term, Diagnostic> {
    let (start, mut arms) = (reader.cursor.peek().span.start, Vec::new());
    let mut chosen = loop {
        let operand = reader.expression(meaning)?;
        if !reader.cursor.eat("?") {
            break reader.value(operand, meaning)?;
        }
        let (condition, _) = reader.formula(operand, meaning)?;
        let first = reader.expression(meaning)?;
        arms.push((condition, reader.value(first, meaning)?));
        reader.cursor.expect(":")?;
    };
    for (condition, value) in arms.into_iter().rev() {
        if reader.store.sort(value) != reader.store.sort(chosen) {
            let span = Span::new(start, reader.cursor.end_of_last());
            return Err(Diagnostic::new(span, "both values of a choice have the same type"));
        }
        chosen = reader.store.ite(condition, value, chosen);
    }
    Ok(chosen)
}

/// What stands in a bracket so far.
#[derive(Clone, Copy, Default)]
struct Beside {
    has_and: bool,
    has_bars: bool,
    /// Whether the operand of a `not` is what comes now.
    negates: bool,
}

/// Refuses what versions of UPPAAL read differently: `a and b || c`, and `not a && b` or
/// `not a == b` without brackets.
fn refuse_ambiguity(cursor: &Cursor<'_>) -> Result<(), Diagnostic> {
    let mut open = vec![Beside::default()];
    let mut next = cursor.look(0);
    let mut text = cursor.text(next);
    for ahead in 1.. {
        let (token, word) = (next, text);
        if token.kind == TokenKind::End {
            break;
        }
        next = cursor.look(ahead);
        text = cursor.text(next);
        match word {
            "(" | "[" => {
                open.push(Beside::default());
                continue;
            }
            ")" | "]" if open.len() > 1 => drop(open.pop()),
            _ => {}
        }
        let Some(beside) = open.last_mut() else { break };
        match word {
            "not" => {
                beside.negates = true;
                continue;
            }
            "and" => beside.has_and = true,
            "||" => beside.has_bars = true,
            "," | "imply" | "?" | ":" | ";" => (beside.has_and, beside.has_bars) = (false, false),
            _ => {}
        }
        let goes_on = matches!(text, "(" | "[" | ".") || matches!(word, "!" | ".");
        let ends = next.kind == TokenKind::End
            || matches!(text, "and" | "or" | "imply" | ")" | "]" | "," | "?" | ":" | ";");
        let is_split = beside.negates && !goes_on && !ends;
        beside.negates &= goes_on;
        if is_split || beside.has_and && beside.has_bars {
            let message = "versions of UPPAAL read this differently: brackets are needed";
            return Err(Diagnostic::new(token.span, message));
        }
    }
    Ok(())
}
