//! Declarations: types, constants, variables, clocks and channels.
//!
//! An integer without bounds has the range of UPPAAL, −32768 to 32767. Arrays have one dimension
//! and become single variables. Refused by name are functions, records, scalar sets, floating-point
//! numbers, meta variables and priorities.

use shofar_base::{Diagnostic, Span};
use shofar_term::{Term, TermStore};

use super::piece::Piece;
use super::plan::{Plan, instance, system};
use super::reading::{Reading, choice, plain_name, unknown};
use super::state::{Channel, Meant, Names, Range, State, Type, VariableKind};
use super::{MOST_VARIABLES, OPERATORS};
use crate::expression::Reader;
use crate::lexer::{Cursor, Token, TokenKind};

/// Where declarations go.
pub(super) struct Declarer<'r> {
    pub(super) store: &'r mut TermStore,
    pub(super) names: &'r mut Names,
    pub(super) state: &'r mut State,
    pub(super) channels: &'r mut Vec<(String, Channel)>,
    /// The process that the declarations belong to, with its name.
    pub(super) owner: Option<(usize, String)>,
}

/// How a declared name is to be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Variable,
    Constant,
    Type,
}

impl Declarer<'_> {
    /// Takes over the declarations of a piece; instantiations and the list of processes go to
    /// `plan`, if they may be there.
    pub(super) fn read(
        &mut self,
        piece: &Piece,
        mut plan: Option<&mut Plan>,
    ) -> Result<(), Diagnostic> {
        let mut cursor = piece.cursor()?;
        while cursor.peek().kind != TokenKind::End {
            let is_instance = cursor.is(cursor.look(1), "=");
            let done = match &mut plan {
                Some(plan) if cursor.is(cursor.peek(), "system") => {
                    system(&mut cursor, piece, plan)
                }
                Some(plan) if is_instance => instance(&mut cursor, piece, plan),
                Some(_) | None => self.declaration(&mut cursor),
            };
            done.map_err(|error| piece.locate(error))?;
        }
        Ok(())
    }
    fn declaration(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        let usage = if cursor.eat("typedef") {
            Use::Type
        } else if cursor.eat("const") {
            Use::Constant
        } else {
            Use::Variable
        };
        let of = self.type_of(cursor)?;
        loop {
            let name = plain_name(cursor, "a name")?;
            let text = cursor.text(name).to_owned();
            if text == "priority" {
                return refused(name, "priorities are not supported");
            }
            if cursor.is(cursor.peek(), "(") {
                return Err(Diagnostic::new(name.span, "functions are not supported"));
            }
            if self.names.is_taken(&text) {
                return Err(Diagnostic::new(name.span, format!("`{text}` is declared already")));
            }
            let length = self.length(cursor)?;
            let values = self.initialiser(cursor, of, length)?;
            let meant = self.meant(usage, of, (&text, name.span), length, values)?;
            self.names.add(&text, meant);
            if !cursor.eat(",") {
                break;
            }
        }
        cursor.expect(";").map(drop)
    }
    /// What a declared name stands for.
    fn meant(
        &mut self,
        usage: Use,
        of: Type,
        (name, at): (&str, Span),
        length: Option<usize>,
        values: Option<Vec<Term>>,
    ) -> Result<Meant, Diagnostic> {
        let refused = |message: &str| Err(Diagnostic::new(at, message));
        match (usage, of, length) {
            (Use::Type, _, Some(_)) => refused("types of arrays are not supported"),
            (Use::Type, _, None) => Ok(Meant::Type(of)),
            (_, Type::Clock | Type::Channel(_), _) if values.is_some() => {
                refused("clocks and channels have no initial values")
            }
            (Use::Constant, _, _) => match (values, length) {
                (Some(values), Some(_)) => Ok(Meant::Table(values)),
                (Some(values), None) => Ok(Meant::Constant(values[0])),
                (None, _) => refused("a constant needs a value"),
            },
            (Use::Variable, Type::Channel(kind), length) => {
                let first = self.channels.len();
                let named = |at: Option<usize>| (element_name(&self.qualified(name), at), kind);
                let new: Vec<_> = places(length).map(named).collect();
                self.channels.extend(new);
                Ok(match length {
                    Some(length) => Meant::Channels { first, length },
                    None => Meant::Channel(first),
                })
            }
            (Use::Variable, Type::Integer(_) | Type::Boolean | Type::Clock, length) => {
                if self.state.variables.len() + length.unwrap_or(1) > MOST_VARIABLES {
                    return refused("there are too many variables");
                }
                let first = self.state.variables.len();
                let kind = kind(of);
                let owner = self.owner.as_ref().map(|(owner, _)| *owner);
                for place in places(length) {
                    let initial = values.as_ref().map(|values| values[place.unwrap_or(0)]);
                    let full = element_name(&self.qualified(name), place);
                    self.state.add(self.store, full, kind, owner, initial);
                }
                Ok(match length {
                    Some(length) => Meant::Array { first, length },
                    None => Meant::Variable(first),
                })
            }
        }
    }
    fn qualified(&self, name: &str) -> String {
        match &self.owner {
            Some((_, owner)) => format!("{owner}.{name}"),
            None => name.to_owned(),
        }
    }
    /// A type; what is not supported is refused by name.
    pub(super) fn type_of(&mut self, cursor: &mut Cursor<'_>) -> Result<Type, Diagnostic> {
        let mut channel = Channel { is_urgent: false, is_broadcast: false };
        loop {
            let token = cursor.next();
            let is_marked = channel.is_urgent || channel.is_broadcast;
            match cursor.text(token) {
                "urgent" => channel.is_urgent = true,
                "broadcast" => channel.is_broadcast = true,
                "chan" => return Ok(Type::Channel(channel)),
                _ if is_marked => return Err(Diagnostic::new(token.span, "expected `chan`")),
                "int" => return self.range(cursor).map(Type::Integer),
                "bool" => return Ok(Type::Boolean),
                "clock" => return Ok(Type::Clock),
                "void" => return refused(token, "functions are not supported"),
                "struct" => return refused(token, "records are not supported"),
                "scalar" => return refused(token, "scalar sets are not supported"),
                "double" => return refused(token, "floating-point numbers are not supported"),
                "hybrid" => return refused(token, "hybrid clocks are not supported"),
                "meta" => return refused(token, "meta variables are not supported"),
                name => {
                    return match self.names.find(name) {
                        Some(Meant::Type(named)) => Ok(*named),
                        Some(_) => refused(token, &format!("`{name}` is no type")),
                        None => refused(token, &format!("expected a type, found `{name}`")),
                    };
                }
            }
        }
    }
    /// The bounds behind `int`, if there are any.
    fn range(&mut self, cursor: &mut Cursor<'_>) -> Result<Range, Diagnostic> {
        let start = cursor.peek().span.start;
        if !cursor.eat("[") {
            return Ok(Range::DEFAULT);
        }
        let low = self.integer(cursor)?;
        cursor.expect(",")?;
        let high = self.integer(cursor)?;
        let end = cursor.expect("]")?.span.end;
        if low > high {
            return Err(Diagnostic::new(Span::new(start, end), "there is no number in this range"));
        }
        Ok(Range { low, high })
    }
    /// The length of an array, if one is declared.
    fn length(&mut self, cursor: &mut Cursor<'_>) -> Result<Option<usize>, Diagnostic> {
        let start = cursor.peek().span.start;
        if !cursor.eat("[") {
            return Ok(None);
        }
        let named = cursor.look(0);
        let is_named = cursor.is(cursor.look(1), "]");
        let found = self.names.find(cursor.text(named)).cloned();
        let length = match found {
            Some(Meant::Type(Type::Integer(range))) if is_named => {
                cursor.next();
                if range.low == 0 { Some(range.size()) } else { None }
            }
            _ => u64::try_from(self.integer(cursor)?).ok(),
        };
        let span = Span::new(start, cursor.expect("]")?.span.end);
        if cursor.is(cursor.peek(), "[") {
            return Err(Diagnostic::new(span, "an array has one dimension"));
        }
        let length = length.and_then(|length| usize::try_from(length).ok());
        match length.filter(|&length| length > 0 && length <= MOST_VARIABLES) {
            Some(length) => Ok(Some(length)),
            None => Err(Diagnostic::new(span, "this is no length of an array")),
        }
    }
    /// The initial values, if there are any: one, or as many as the array has elements.
    fn initialiser(
        &mut self,
        cursor: &mut Cursor<'_>,
        of: Type,
        length: Option<usize>,
    ) -> Result<Option<Vec<Term>>, Diagnostic> {
        if !cursor.eat("=") && !cursor.eat(":=") {
            return Ok(None);
        }
        let Some(length) = length else { return Ok(Some(vec![self.element(cursor, of)?])) };
        let start = cursor.expect("{")?.span.start;
        let mut values = vec![self.element(cursor, of)?];
        while cursor.eat(",") {
            values.push(self.element(cursor, of)?);
        }
        let span = Span::new(start, cursor.expect("}")?.span.end);
        if values.len() == length {
            return Ok(Some(values));
        }
        let message = format!("{length} values are needed, {} are given", values.len());
        Err(Diagnostic::new(span, message))
    }
    /// A constant of this type.
    pub(super) fn element(
        &mut self,
        cursor: &mut Cursor<'_>,
        of: Type,
    ) -> Result<Term, Diagnostic> {
        let start = cursor.peek().span.start;
        let value = self.constant(cursor)?;
        let at = Span::new(start, cursor.end_of_last());
        let number = self.store.as_number(value).and_then(shofar_num::Rational::to_i64);
        match (of, number) {
            (Type::Integer(range), Some(number))
                if range.contains(Range { low: number, high: number }) =>
            {
                Ok(value)
            }
            (Type::Integer(_), Some(_)) => Err(Diagnostic::new(at, "this is outside of the range")),
            (Type::Boolean, None) if self.store.sort(value).is_bool() => Ok(value),
            (Type::Boolean, Some(number @ (0 | 1))) => Ok(self.store.bool(number == 1)),
            (Type::Integer(_) | Type::Boolean | Type::Clock | Type::Channel(_), _) => {
                Err(Diagnostic::new(at, "this value is of another type"))
            }
        }
    }
    fn integer(&mut self, cursor: &mut Cursor<'_>) -> Result<i64, Diagnostic> {
        const LARGEST: i64 = 2_147_483_647;
        let start = cursor.peek().span.start;
        let value = self.constant(cursor)?;
        let number = self.store.as_number(value).and_then(shofar_num::Rational::to_i64);
        number.filter(|number| number.abs() <= LARGEST).ok_or_else(|| {
            let span = Span::new(start, cursor.end_of_last());
            Diagnostic::new(span, "an integer is needed that is known here, and not too large")
        })
    }
    /// An expression whose value is known.
    fn constant(&mut self, cursor: &mut Cursor<'_>) -> Result<Term, Diagnostic> {
        let start = cursor.peek().span.start;
        let values = self.state.now();
        let mut reading = Reading { names: self.names, state: self.state, values: &values };
        let mut reader = Reader { store: self.store, cursor, operators: &OPERATORS };
        let value = choice(&mut reader, &mut reading)?;
        if self.store.is_value(value) {
            return Ok(value);
        }
        let span = Span::new(start, cursor.end_of_last());
        Err(Diagnostic::new(span, "this value is not known here"))
    }
}

fn refused<T>(token: Token, message: &str) -> Result<T, Diagnostic> {
    Err(Diagnostic::new(token.span, message))
}

/// The kind of a variable of this type; channels are no variables.
fn kind(of: Type) -> VariableKind {
    match of {
        Type::Integer(range) => VariableKind::Integer(range),
        Type::Boolean => VariableKind::Boolean,
        Type::Clock | Type::Channel(_) => VariableKind::Clock,
    }
}

/// The places of an array, or none for a single variable.
fn places(length: Option<usize>) -> Box<dyn Iterator<Item = Option<usize>>> {
    match length {
        Some(length) => Box::new((0..length).map(Some)),
        None => Box::new(std::iter::once(None)),
    }
}

fn element_name(name: &str, place: Option<usize>) -> String {
    match place {
        Some(place) => format!("{name}[{place}]"),
        None => name.to_owned(),
    }
}

/// The variable, array or channel that an argument for a reference names: `x` or `x[1]`.
pub(super) fn referred(declarer: &mut Declarer<'_>, piece: &Piece) -> Result<Meant, Diagnostic> {
    let mut cursor = piece.cursor()?;
    let name = cursor.next();
    let text = cursor.text(name);
    let located = |error| piece.locate(error);
    let found = declarer.names.find(text).cloned();
    let found = found.ok_or_else(|| located(unknown(text, name.span)))?;
    if cursor.peek().kind == TokenKind::End {
        return Ok(found);
    }
    cursor.expect("[").map_err(located)?;
    let place = declarer.integer(&mut cursor).map_err(located)?;
    cursor.expect("]").map_err(located)?;
    let place = usize::try_from(place).unwrap_or(usize::MAX);
    match found {
        Meant::Array { first, length } if place < length => Ok(Meant::Variable(first + place)),
        Meant::Channels { first, length } if place < length => Ok(Meant::Channel(first + place)),
        Meant::Constant(_)
        | Meant::Table(_)
        | Meant::Variable(_)
        | Meant::Array { .. }
        | Meant::Channel(_)
        | Meant::Channels { .. }
        | Meant::Type(_) => Err(Diagnostic::new(piece.span(), "there is no such element")),
    }
}
