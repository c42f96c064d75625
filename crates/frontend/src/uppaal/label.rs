//! The labels of locations and edges as terms.
//!
//! Assignments are put together in their order: each reads the values that those before it have
//! left. A value that may leave the range of its variable becomes a check. Invariants are
//! conjunctions of conditions without clocks, upper bounds on clocks, and conditions on differences
//! of clocks: then an invariant that holds at the end of a delay has held all the time.

use shofar_base::{Diagnostic, Map, Span};
use shofar_term::{Relation, Sort, Term, TermStore};

use super::bounds::bounds;
use super::network::{Direction, Sync};
use super::piece::Piece;
use super::reading::{Reading, choice, condition, equals, places, unknown, whole};
use super::state::{Meant, Names, Range, State, VariableKind};
use crate::expression::Reader;
use crate::lexer::TokenKind;

/// What labels are read with.
pub(super) struct Labels<'a> {
    pub(super) store: &'a mut TermStore,
    pub(super) names: &'a Names,
    pub(super) state: &'a State,
    /// Whether values that leave their ranges are the model's fault.
    pub(super) checks_ranges: bool,
}

/// What a list of assignments does.
#[derive(Debug, Default)]
pub(super) struct Effect {
    pub(super) changes: Vec<(usize, Term)>,
    pub(super) checks: Vec<Term>,
}

/// What is assigned to: a variable, or an element of an array.
struct Target {
    meant: Meant,
    index: Option<(Term, Span)>,
    span: Span,
}

impl Labels<'_> {
    /// A guard; truth if there is none.
    pub(super) fn guard(&mut self, piece: Option<&Piece>) -> Result<Term, Diagnostic> {
        let Some(piece) = piece else { return Ok(self.store.top()) };
        let values = self.state.now();
        let mut reading = Reading { names: self.names, state: self.state, values: &values };
        whole(self.store, piece, |reader| condition(reader, &mut reading))
    }
    /// An invariant; truth if there is none.
    pub(super) fn invariant(&mut self, piece: Option<&Piece>) -> Result<Term, Diagnostic> {
        let invariant = self.guard(piece)?;
        let Some(piece) = piece else { return Ok(invariant) };
        for part in self.store.conjuncts(&[invariant]) {
            if self.state.mentions_time(self.store, part) && !self.holds_before(part) {
                let message = "an invariant bounds clocks from above";
                return Err(Diagnostic::new(piece.span(), message)
                    .note("`x <= e` or `x < e`, where `e` is an expression without clocks"));
            }
        }
        Ok(invariant)
    }
    /// Whether a comparison that holds now has held at all times before.
    fn holds_before(&self, part: Term) -> bool {
        let (atom, is_negated) = self.store.strip_not(part);
        let Some((relation, form, _)) = self.store.comparison(atom) else { return false };
        let linear = self.store.linear(form);
        let has_inside =
            |term| self.store.symbol(term).is_none() && self.state.mentions_time(self.store, term);
        if linear.monomials().iter().any(|(_, term)| has_inside(*term)) {
            return false;
        }
        match linear.coefficient(self.state.time) {
            None => true,
            Some(_) if relation == Relation::Eq => false,
            Some(coefficient) => coefficient.is_positive() != is_negated,
        }
    }
    /// A synchronisation: `c!`, `c?`, or `c[i]!` with an index that is known.
    pub(super) fn sync(&mut self, piece: Option<&Piece>) -> Result<Option<Sync>, Diagnostic> {
        let Some(piece) = piece else { return Ok(None) };
        let values = self.state.now();
        let mut reading = Reading { names: self.names, state: self.state, values: &values };
        whole(self.store, piece, |reader| {
            let name = reader.cursor.next();
            let text = reader.cursor.text(name);
            let meant = self.names.find(text).ok_or_else(|| unknown(text, name.span))?;
            let channel = match meant {
                Meant::Channel(channel) => *channel,
                Meant::Channels { first, length } => {
                    let index = subscript(reader, &mut reading)?;
                    let at = Span::new(name.span.start, reader.cursor.end_of_last());
                    let place = places(reader.store, self.state, index, *length, at)?;
                    if place.len() != 1 {
                        let message = "the index of a channel has to be known here";
                        return Err(Diagnostic::new(at, message));
                    }
                    first + place.start
                }
                Meant::Constant(_)
                | Meant::Table(_)
                | Meant::Variable(_)
                | Meant::Array { .. }
                | Meant::Type(_) => {
                    return Err(Diagnostic::new(name.span, format!("`{text}` is no channel")));
                }
            };
            let direction = if reader.cursor.eat("!") {
                Direction::Send
            } else if reader.cursor.eat("?") {
                Direction::Receive
            } else {
                return Err(reader.cursor.unexpected("`!` or `?`"));
            };
            Ok(Some(Sync { channel, direction }))
        })
    }
    /// The assignments of an edge.
    pub(super) fn update(&mut self, piece: Option<&Piece>) -> Result<Effect, Diagnostic> {
        let Some(piece) = piece else { return Ok(Effect::default()) };
        let (names, state, checks_ranges) = (self.names, self.state, self.checks_ranges);
        let (mut values, mut checks) = (state.now(), Vec::new());
        whole(self.store, piece, |reader| {
            loop {
                let (target, value) = assignment(reader, names, state, &values)?;
                assign(reader.store, state, (&target, value), &mut values, &mut checks)?;
                if !reader.cursor.eat(",") {
                    return Ok(());
                }
            }
        })?;
        let changed = |(slot, value): (usize, Term)| {
            (value != state.variables[slot].now).then_some((slot, value))
        };
        let changes = values.into_iter().enumerate().filter_map(changed).collect();
        if !checks_ranges {
            checks.clear();
        }
        Ok(Effect { changes, checks })
    }
}

/// An index in brackets.
fn subscript(reader: &mut Reader<'_, '_>, reading: &mut Reading<'_>) -> Result<Term, Diagnostic> {
    reader.cursor.expect("[")?;
    let operand = reader.expression(reading)?;
    let index = reader.number(operand, reading)?;
    reader.cursor.expect("]")?;
    Ok(index)
}

/// One assignment: what gets a new value, and the value.
fn assignment(
    reader: &mut Reader<'_, '_>,
    names: &Names,
    state: &State,
    values: &[Term],
) -> Result<(Target, Term), Diagnostic> {
    let mut reading = Reading { names, state, values };
    let steps = [("++", 1), ("--", -1)];
    let mut step = None;
    for (sign, by) in steps {
        if reader.cursor.eat(sign) {
            step = Some(by);
        }
    }
    let name = reader.cursor.next();
    let text = reader.cursor.text(name);
    if name.kind != TokenKind::Name {
        return Err(Diagnostic::new(name.span, format!("expected a variable, found `{text}`")));
    }
    let Some(meant) = names.find(text).cloned() else { return Err(unknown(text, name.span)) };
    let mut target = Target { meant, index: None, span: name.span };
    if reader.cursor.is(reader.cursor.peek(), "[") {
        let start = reader.cursor.peek().span.start;
        let index = subscript(reader, &mut reading)?;
        let span = Span::new(start, reader.cursor.end_of_last());
        target.index = Some((index, span));
    }
    for (sign, by) in steps {
        if step.is_none() && reader.cursor.eat(sign) {
            step = Some(by);
        }
    }
    if let Some(by) = step {
        let old = old_value(reader.store, &reading, &target, text)?;
        let by = reader.store.int(by);
        return Ok((target, reader.store.add(&[old, by])));
    }
    let sign = reader.cursor.next();
    let operator = reader.cursor.text(sign);
    if matches!(operator, "=" | ":=") {
        return Ok((target, choice(reader, &mut reading)?));
    }
    let old = match operator {
        "+=" | "-=" | "*=" => old_value(reader.store, &reading, &target, text)?,
        _ => return Err(Diagnostic::new(sign.span, "expected an assignment")),
    };
    let start = reader.cursor.peek().span.start;
    let value = choice(reader, &mut reading)?;
    if reader.store.sort(value) != Sort::INT {
        let span = Span::new(start, reader.cursor.end_of_last());
        return Err(Diagnostic::new(span, "expected an integer"));
    }
    let store = &mut *reader.store;
    let value = match operator {
        "+=" => store.add(&[old, value]),
        "-=" => store.sub(old, value),
        _ => match store.mul(old, value) {
            Some(product) => product,
            None => store.times(old, value),
        },
    };
    Ok((target, value))
}

/// The value before an assignment that computes with it; of integers only.
fn old_value(
    store: &mut TermStore,
    reading: &Reading<'_>,
    target: &Target,
    name: &str,
) -> Result<Term, Diagnostic> {
    let value = match target.index {
        Some((index, at)) => reading.indexed(store, &target.meant, index, at)?,
        None => reading.meant(store, &target.meant, name, target.span)?,
    };
    if store.sort(value).is_int() && !reading.state.mentions_time(store, value) {
        return Ok(value);
    }
    Err(Diagnostic::new(target.span, "only integers are computed with"))
}

/// Gives variables their new values; what may leave its range is checked.
fn assign(
    store: &mut TermStore,
    state: &State,
    (target, value): (&Target, Term),
    values: &mut [Term],
    checks: &mut Vec<Term>,
) -> Result<(), Diagnostic> {
    let (slots, index) = match (&target.meant, target.index) {
        (Meant::Variable(slot), None) => (*slot..slot + 1, None),
        (Meant::Array { first, length }, Some((index, at))) => {
            let places = places(store, state, index, *length, at)?;
            (first + places.start..first + places.end, Some((index, *first)))
        }
        (Meant::Constant(_) | Meant::Table(_), _) => {
            return Err(Diagnostic::new(target.span, "a constant cannot be assigned to"));
        }
        (
            Meant::Variable(_)
            | Meant::Array { .. }
            | Meant::Channel(_)
            | Meant::Channels { .. }
            | Meant::Type(_),
            _,
        ) => return Err(Diagnostic::new(target.span, "this cannot be assigned to")),
    };
    let kind = state.variables[slots.start].kind;
    let value = converted(store, state, kind, value, target.span)?;
    checks.extend(check(store, state, kind, value));
    let value = if kind == VariableKind::Clock { reset_time(store, state, value) } else { value };
    for slot in slots {
        values[slot] = match index {
            None => value,
            Some((index, first)) => {
                let is_here = equals(store, index, slot - first);
                store.ite(is_here, value, values[slot])
            }
        };
    }
    Ok(())
}

/// The value as one of the kind of a variable.
fn converted(
    store: &mut TermStore,
    state: &State,
    kind: VariableKind,
    value: Term,
    at: Span,
) -> Result<Term, Diagnostic> {
    let wants_bool = match kind {
        VariableKind::Boolean => true,
        VariableKind::Integer(_) | VariableKind::Clock => false,
        VariableKind::Location | VariableKind::Identity => {
            return Err(Diagnostic::new(at, "this cannot be assigned to"));
        }
    };
    let is_bool = store.sort(value).is_bool();
    if wants_bool && !is_bool {
        let number = store.as_number(value).and_then(shofar_num::Rational::to_i64);
        if let Some(number @ (0 | 1)) = number {
            return Ok(store.bool(number == 1));
        }
    }
    let is_fitting = wants_bool == is_bool && (is_bool || store.sort(value).is_int());
    if !is_fitting || state.mentions_time(store, value) {
        return Err(Diagnostic::new(at, "the value is of another type"));
    }
    Ok(value)
}

/// What has to hold so that the value is inside the range of a variable; nothing if the declared
/// ranges say so.
fn check(store: &mut TermStore, state: &State, kind: VariableKind, value: Term) -> Option<Term> {
    let range = match kind {
        VariableKind::Integer(range) => range,
        VariableKind::Clock => Range { low: 0, high: i64::MAX },
        VariableKind::Boolean | VariableKind::Location | VariableKind::Identity => return None,
    };
    if bounds(store, &state.ranges, value).is_some_and(|known| range.contains(known)) {
        return None;
    }
    let low = store.int(range.low);
    let mut parts = vec![store.ge(value, low)];
    if kind != VariableKind::Clock {
        let high = store.int(range.high);
        parts.push(store.le(value, high));
    }
    Some(store.and(&parts))
}

/// The reset at which a clock that reads `value` now would have been zero.
fn reset_time(store: &mut TermStore, state: &State, value: Term) -> Term {
    let value = if state.time_sort.is_real() { store.to_real(value) } else { value };
    store.sub(state.time, value)
}

/// Selections: each name with its values and the symbol that stands for them.
pub(super) type Selections = Vec<(String, Range, Term)>;

/// The formula that selections have values of their ranges.
pub(super) fn selected(store: &mut TermStore, selections: &Selections) -> Term {
    let mut parts = Vec::new();
    for &(_, range, symbol) in selections {
        let (low, high) = (store.int(range.low), store.int(range.high));
        parts.push(store.ge(symbol, low));
        parts.push(store.le(symbol, high));
    }
    store.and(&parts)
}

/// The terms with the changes made to the symbols in them.
pub(super) fn after(
    store: &mut TermStore,
    state: &State,
    values: &[Term],
    terms: &[Term],
) -> Vec<Term> {
    let pairs = state.variables.iter().zip(values);
    let changed = pairs.filter(|(variable, value)| variable.now != **value);
    let map: Map<Term, Term> = changed.map(|(variable, &value)| (variable.now, value)).collect();
    if map.is_empty() {
        return terms.to_vec();
    }
    shofar_term::substitute::substitute(store, &map, terms)
}
