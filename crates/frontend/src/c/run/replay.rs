//! The world of a run that follows an execution which has been told.
//!
//! Inputs and the values of variables without first values are those of the execution. Every
//! assignment and every input has to be told, in the order in which they happen and with the same
//! values; decisions, calls and returns are told of some functions and conditions only, and are
//! compared where they are. Values that are not told are zero.

use std::collections::VecDeque;

use shofar_base::{Map, Span};
use shofar_num::Rational;
use shofar_term::Value;

use super::code::Shape;
use super::kind::Kind;
use super::machine::{Happening, World};
use super::memory::{Array, Contents};
use crate::execution::{Execution, Moment, Told};

/// Follows an execution.
pub(super) struct Replay<'e, F> {
    moments: &'e [Moment],
    next: usize,
    inputs: VecDeque<&'e Value>,
    /// What variables without first values hold, by name, with their places.
    open: Map<&'e str, VecDeque<(usize, &'e Value)>>,
    /// Whether something that is not told was needed.
    pub(super) has_guessed: bool,
    goes_on: F,
}

impl<'e, F: FnMut() -> bool> Replay<'e, F> {
    /// Variables have these names, by their numbers.
    pub(super) fn new(execution: &'e Execution, names: &[&'e str], goes_on: F) -> Self {
        let mut open: Map<&str, VecDeque<(usize, &Value)>> = Map::default();
        for moment in &execution.moments {
            if let Told::Open(variable, value) = &moment.told {
                let name = names.get(*variable).copied().unwrap_or_default();
                let known = open.entry(base(name)).or_default();
                known.push_back((moment.span.start, value));
            }
        }
        let inputs = execution.inputs().collect();
        let moments = &execution.moments;
        Self { moments, next: 0, inputs, open, has_guessed: false, goes_on }
    }
    /// Whether everything that was told has happened.
    pub(super) fn is_complete(&mut self) -> bool {
        self.peek().is_none()
    }
    /// What has to happen next.
    fn peek(&mut self) -> Option<&'e Moment> {
        while let Some(Told::Open(..)) = self.moments.get(self.next).map(|moment| &moment.told) {
            self.next += 1;
        }
        self.moments.get(self.next)
    }
    fn value(&mut self, name: &str, at: Span) -> Option<&'e Value> {
        let known = self.open.get_mut(name)?;
        let place = known.iter().position(|(start, _)| *start == at.start).unwrap_or(0);
        known.remove(place).map(|(_, value)| value)
    }
}

/// The name that a variable has in the text: what comes behind it tells variables of one name
/// apart.
fn base(name: &str) -> &str {
    let end = name.find(['@', '\'', '.']).unwrap_or(name.len());
    &name[..end]
}

fn number(value: &Value) -> Option<i128> {
    match value {
        Value::Number(number) => whole(number),
        Value::Bool(_) | Value::Array(_) | Value::Element(..) | Value::Data(_) | Value::Bits(_) => {
            None
        }
    }
}

fn whole(number: &Rational) -> Option<i128> {
    number.to_i64().map(i128::from).or_else(|| number.to_string().parse().ok())
}

/// Whether an array has these elements; of very large ones nothing is known.
fn is_same(array: &Array, value: &Value) -> bool {
    let (Some(elements), Value::Array(told)) = (array.elements(), value) else {
        return matches!(value, Value::Array(_));
    };
    let entries: Map<i128, Option<i128>> = told
        .entries()
        .iter()
        .filter_map(|(index, element)| Some((number(index)?, number(element))))
        .collect();
    let rest = number(told.default());
    let expected = |at: i128| entries.get(&at).copied().unwrap_or(rest);
    (0..).zip(elements).all(|(at, element)| expected(at) == Some(element))
}

impl<F: FnMut() -> bool> World for Replay<'_, F> {
    fn input(&mut self, _: &str, kind: Kind, _: Span) -> Option<i128> {
        let told = self.inputs.pop_front().and_then(number);
        Some(told.filter(|told| kind.holds(*told)).unwrap_or(0))
    }
    fn open(&mut self, name: &str, kind: Kind, at: Span) -> Option<i128> {
        let told = self.value(name, at).and_then(number);
        Some(told.filter(|told| kind.holds(*told)).unwrap_or(0))
    }
    fn open_array(&mut self, name: &str, shape: &Shape, at: Span) -> Contents {
        let holds = |told: &i128| shape.kind.holds(*told);
        let Some(Value::Array(told)) = self.value(name, at) else {
            return Contents { rest: Some(0), listed: Vec::new() };
        };
        let mut listed = Vec::new();
        for (index, element) in told.entries() {
            let place = number(index).and_then(|index| i64::try_from(index).ok());
            listed.extend(place.zip(number(element).filter(holds)));
        }
        Contents { rest: Some(number(told.default()).filter(holds).unwrap_or(0)), listed }
    }
    fn open_result(&mut self, _: &str, _: Kind, _: Span) -> Option<i128> {
        self.has_guessed = true;
        Some(0)
    }
    fn happens(&mut self, at: Span, what: &Happening<'_>) -> Result<(), String> {
        let is_number = |told: &Value, found: i128| number(told) == Some(found);
        let next = self.peek();
        let is_told = next.is_some_and(|moment| {
            moment.span == at
                && match (what, &moment.told) {
                    (Happening::Decide(found), Told::Decide(told)) => found == told,
                    (
                        Happening::Set(name, found) | Happening::Pass(name, found),
                        Told::Set(own, told),
                    ) => base(own) == *name && is_number(told, *found),
                    (Happening::Input(name, found), Told::Input(own, told)) => {
                        own == name && is_number(told, *found)
                    }
                    (Happening::Fill(name, array), Told::Set(own, told)) => {
                        base(own) == *name && is_same(array, told)
                    }
                    (
                        Happening::SetElement(name, indices, found),
                        Told::SetElement(own, places, told),
                    ) => {
                        let told_indices: Option<Vec<i128>> = places.iter().map(number).collect();
                        let indices = indices.iter().map(|&index| index.into()).collect();
                        base(own) == *name
                            && told_indices == Some(indices)
                            && is_number(told, *found)
                    }
                    (Happening::Enter(name), Told::Enter(own, _)) => own == name,
                    (Happening::Return(found), Told::Return(told)) => match (found, told) {
                        (Some(found), Some(told)) => is_number(told, *found),
                        (None, None) => true,
                        (Some(_), None) | (None, Some(_)) => false,
                    },
                    (Happening::Violate(fault), Told::Violate(why, _)) => fault.words() == *why,
                    (_, _) => false,
                }
        });
        if is_told {
            self.next += 1;
            return Ok(());
        }
        match what {
            Happening::Decide(_)
            | Happening::Pass(..)
            | Happening::Enter(_)
            | Happening::Return(_) => Ok(()),
            Happening::Set(..)
            | Happening::Fill(..)
            | Happening::SetElement(..)
            | Happening::Input(..)
            | Happening::Violate(_) => Err(words(what)),
        }
    }
    fn goes_on(&mut self) -> bool {
        (self.goes_on)()
    }
}

/// What happens, for a person.
fn words(what: &Happening<'_>) -> String {
    match what {
        Happening::Set(name, number) | Happening::Pass(name, number) => {
            format!("{name} = {number}")
        }
        Happening::Fill(name, _) => format!("{name} gets its first value"),
        Happening::SetElement(name, indices, number) => {
            let indices: Vec<String> = indices.iter().map(|index| format!("[{index}]")).collect();
            let indices = indices.concat();
            format!("{name}{indices} = {number}")
        }
        Happening::Input(name, number) => format!("{name}() gives {number}"),
        Happening::Violate(fault) => fault.words().to_owned(),
        Happening::Decide(holds) => format!("a condition is {holds}"),
        Happening::Enter(name) => format!("{name} is called"),
        Happening::Return(_) => "a function returns".to_owned(),
    }
}
