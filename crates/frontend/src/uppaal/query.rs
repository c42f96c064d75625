//! Queries: `A[] φ` (φ holds always) and `E<> φ` (φ can be reached), where φ is about a state.
//!
//! A query becomes the formula of the states that are looked for: those that violate `φ`, or those
//! that satisfy it. Quantifiers over bounded integers may stand in front,
//! `forall (i : id_t) forall (j : id_t) P(i).cs && P(j).cs imply i == j`; they are unfolded. If
//! instances are symbols, each variable is one of the instances, and there is a formula for each
//! way of being the same or not.
//!
//! A text without queries asks whether a location named `err` or `error` is reached.

use shofar_base::{Diagnostic, Span};
use shofar_term::{Term, TermStore};

use super::MOST_MOVES;
use super::declare::Declarer;
use super::elaborate::Instances;
use super::network::Network;
use super::piece::Piece;
use super::reading::{Reading, equals, one_index, plain_name, unknown, whole};
use super::state::{Meant, Names, Range, Type};
use crate::expression::{Meaning, Operand, Reader};
use crate::lexer::{Token, TokenKind};

/// A query.
#[derive(Debug)]
pub(super) struct Query {
    pub(super) quantity: Quantity,
    /// The states that are looked for. If instances are symbols, each with how many of them it is
    /// about.
    pub(super) cases: Vec<(Term, usize)>,
    pub(super) span: Span,
}

/// What is asked about the states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    /// No state that is looked for is reached.
    Always,
    /// One is.
    Possibly,
}

/// Quantifiers in front of a query.
struct Quantifier {
    name: String,
    is_universal: bool,
    range: Range,
    span: Span,
}

/// The most quantifiers in front of a query.
const MOST_QUANTIFIERS: usize = 4;

/// What is asked, if there are no queries: whether a location is reached whose name says that it is
/// an error.
pub(super) fn error_locations(
    store: &mut TermStore,
    network: &Network,
    instances: Instances,
    end: usize,
) -> Result<Query, Diagnostic> {
    let mut errors = Vec::new();
    for process in &network.processes {
        for (number, location) in process.locations.iter().enumerate() {
            if ["err", "error"].contains(&location.name.to_ascii_lowercase().as_str()) {
                let slot = network.state.variables[process.slot].now;
                errors.push((equals(store, slot, number), location.span));
            }
        }
    }
    let Some(&(_, span)) = errors.first() else {
        let message = "there is no query, and no location is named `err` or `error`";
        return Err(Diagnostic::new(Span::new(end, end), message));
    };
    let errors: Vec<Term> = errors.into_iter().map(|(error, _)| error).collect();
    let present = usize::from(instances != Instances::Listed);
    let cases = vec![(store.or(&errors), present)];
    Ok(Query { quantity: Quantity::Always, cases, span })
}

/// Reads a query.
pub(super) fn query(
    store: &mut TermStore,
    network: &mut Network,
    names: &mut Names,
    instances: Instances,
    piece: &Piece,
) -> Result<Query, Diagnostic> {
    let span = piece.span();
    let mut questions = Questions { network, names, instances, bodies: 0 };
    let (quantity, cases) = whole(store, piece, |reader| questions.read(reader))?;
    Ok(Query { quantity, cases, span })
}

struct Questions<'a> {
    network: &'a mut Network,
    names: &'a mut Names,
    instances: Instances,
    /// How often the formula behind the quantifiers was read.
    bodies: usize,
}

impl Questions<'_> {
    fn read(
        &mut self,
        reader: &mut Reader<'_, '_>,
    ) -> Result<(Quantity, Vec<(Term, usize)>), Diagnostic> {
        let start = reader.cursor.peek().span;
        let quantity = if reader.cursor.eat("A") && reader.cursor.eat("[") {
            reader.cursor.expect("]")?;
            Quantity::Always
        } else if reader.cursor.eat("E") && reader.cursor.eat("<") {
            reader.cursor.expect(">")?;
            Quantity::Possibly
        } else {
            let message = "only queries `A[] …` and `E<> …` are supported";
            return Err(Diagnostic::new(start, message));
        };
        let quantifiers = self.quantifiers(reader)?;
        let body = reader.cursor.place();
        self.names.enter();
        let cases = match self.instances {
            Instances::Listed => {
                let formula = self.unfold(reader, &quantifiers, body)?;
                vec![(formula, 0)]
            }
            Instances::Symbolic(count) => {
                self.partitions(reader, quantity, &quantifiers, body, count)?
            }
        };
        self.names.leave();
        let looked_for = |(formula, present): (Term, usize)| match quantity {
            Quantity::Always => (reader.store.not(formula), present),
            Quantity::Possibly => (formula, present),
        };
        Ok((quantity, cases.into_iter().map(looked_for).collect()))
    }
    fn quantifiers(&mut self, reader: &mut Reader<'_, '_>) -> Result<Vec<Quantifier>, Diagnostic> {
        let mut quantifiers = Vec::new();
        loop {
            let start = reader.cursor.peek();
            let is_universal = reader.cursor.eat("forall");
            if !is_universal && !reader.cursor.eat("exists") {
                return Ok(quantifiers);
            }
            reader.cursor.expect("(")?;
            let name = plain_name(reader.cursor, "a name")?;
            reader.cursor.expect(":")?;
            let mut declarer = Declarer {
                store: reader.store,
                names: self.names,
                state: &mut self.network.state,
                channels: &mut self.network.channels,
                owner: None,
            };
            let of = declarer.type_of(reader.cursor)?;
            reader.cursor.expect(")")?;
            let Type::Integer(range) = of else {
                return Err(Diagnostic::new(start.span, "quantifiers are about bounded integers"));
            };
            if quantifiers.len() == MOST_QUANTIFIERS {
                return Err(Diagnostic::new(start.span, "there are too many quantifiers"));
            }
            let name = reader.cursor.text(name).to_owned();
            quantifiers.push(Quantifier { name, is_universal, range, span: start.span });
        }
    }
    /// The formula for all values of the quantified variables, the last one of which changes
    /// fastest.
    fn unfold(
        &mut self,
        reader: &mut Reader<'_, '_>,
        quantifiers: &[Quantifier],
        body: usize,
    ) -> Result<Term, Diagnostic> {
        let Some((first, rest)) = quantifiers.split_first() else {
            return self.body(reader, body);
        };
        let mut parts = Vec::new();
        for value in first.range.low..=first.range.high {
            let value = reader.store.int(value);
            self.names.add(&first.name, Meant::Constant(value));
            parts.push(self.unfold(reader, rest, body)?);
        }
        Ok(if first.is_universal { reader.store.and(&parts) } else { reader.store.or(&parts) })
    }
    /// The formula for each way in which the quantified variables are the same instance or not.
    fn partitions(
        &mut self,
        reader: &mut Reader<'_, '_>,
        quantity: Quantity,
        quantifiers: &[Quantifier],
        body: usize,
        count: usize,
    ) -> Result<Vec<(Term, usize)>, Diagnostic> {
        let wanted = quantity == Quantity::Always;
        if let Some(other) = quantifiers.iter().find(|other| other.is_universal != wanted) {
            let message =
                "for arbitrarily many processes, `A[]` goes with `forall` and `E<>` with `exists`";
            return Err(Diagnostic::new(other.span, message));
        }
        let identities: Vec<Term> = self.network.identities();
        // The partitions of so many variables, as the number of the class of each.
        let mut partitions: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in quantifiers {
            let longer = |classes: &Vec<usize>| {
                let (classes, fresh) = (classes.clone(), classes.iter().max().map_or(0, |m| m + 1));
                (0..=fresh).map(move |class| [classes.as_slice(), &[class]].concat())
            };
            partitions = partitions.iter().flat_map(longer).collect();
        }
        let mut cases = Vec::new();
        for classes in partitions {
            let present = classes.iter().max().map_or(0, |most| most + 1);
            if present > count.min(identities.len()) {
                continue;
            }
            for (quantifier, &class) in quantifiers.iter().zip(&classes) {
                self.names.add(&quantifier.name, Meant::Constant(identities[class]));
            }
            cases.push((self.body(reader, body)?, present));
        }
        Ok(cases)
    }
    /// The formula behind the quantifiers, as names stand now.
    fn body(&mut self, reader: &mut Reader<'_, '_>, body: usize) -> Result<Term, Diagnostic> {
        self.bodies += 1;
        if self.bodies > MOST_MOVES {
            return Err(Diagnostic::new(reader.cursor.peek().span, "this query is too large"));
        }
        reader.cursor.return_to(body);
        let values = self.network.state.now();
        let reading = Reading { names: self.names, state: &self.network.state, values: &values };
        let mut meaning = About { reading, network: self.network };
        let operand = reader.expression(&mut meaning)?;
        Ok(reader.formula(operand, &mut meaning)?.0)
    }
}

/// What names in a query stand for: also processes with their locations and variables.
struct About<'a> {
    reading: Reading<'a>,
    network: &'a Network,
}

impl About<'_> {
    /// What `P.name` stands for.
    fn member(
        &self,
        store: &mut TermStore,
        process: usize,
        name: &str,
        at: Span,
    ) -> Result<Term, Diagnostic> {
        let process = &self.network.processes[process];
        let found = process.locations.iter().position(|location| location.name == name);
        if let Some(location) = found {
            let slot = self.network.state.variables[process.slot].now;
            return Ok(equals(store, slot, location));
        }
        match process.names.get(name) {
            Some(meant) => self.reading.meant(store, meant, name, at),
            None => Err(Diagnostic::new(at, format!("`{}` has no `{name}`", process.name))),
        }
    }
    fn process(&self, name: &str, at: Span) -> Result<usize, Diagnostic> {
        let found = self.network.processes.iter().position(|process| process.name == name);
        found.ok_or_else(|| Diagnostic::new(at, format!("there is no process `{name}`")))
    }
    /// `P(1).name`, where the bracket was closed last.
    fn instance(
        &mut self,
        reader: &mut Reader<'_, '_>,
        name: Token,
        arguments: &[Operand],
    ) -> Result<Term, Diagnostic> {
        let template = reader.cursor.text(name);
        let mut values = Vec::new();
        for &argument in arguments {
            values.push(reader.number(argument, self)?);
        }
        let is_meant = |process: &super::network::Process| {
            process.template == template && process.arguments == values
        };
        let span = Span::new(name.span.start, reader.cursor.end_of_last());
        let Some(process) = self.network.processes.iter().position(is_meant) else {
            return Err(Diagnostic::new(span, "there is no such process"));
        };
        reader.cursor.expect(".")?;
        let member = reader.cursor.next();
        if member.kind != TokenKind::Name {
            return Err(Diagnostic::new(member.span, "expected a location or a variable"));
        }
        let text = reader.cursor.text(member);
        self.member(reader.store, process, text, member.span)
    }
}

impl Meaning for About<'_> {
    fn value(&mut self, store: &mut TermStore, name: &str, at: Span) -> Result<Term, Diagnostic> {
        if name == "deadlock" {
            return Err(Diagnostic::new(at, "`deadlock` is not supported"));
        }
        match name.split_once('.') {
            Some((process, member)) => {
                let process = self.process(process, at)?;
                self.member(store, process, member, at)
            }
            None => self.reading.value(store, name, at),
        }
    }
    fn apply(
        &mut self,
        reader: &mut Reader<'_, '_>,
        name: Token,
        arguments: &[Operand],
    ) -> Result<(Term, bool), Diagnostic> {
        let text = reader.cursor.text(name);
        if reader.cursor.is(reader.cursor.last(), ")") {
            let is_template = self.network.processes.iter().any(|process| process.template == text);
            if is_template {
                return Ok((self.instance(reader, name, arguments)?, false));
            }
        }
        let index = one_index(reader, name, arguments)?;
        let term = reader.number(index, self)?;
        let meant = match text.split_once('.') {
            Some((process, member)) => {
                let process = self.process(process, name.span)?;
                self.network.processes[process].names.get(member)
            }
            None => self.reading.names.find(text),
        };
        let Some(meant) = meant else { return Err(unknown(text, name.span)) };
        Ok((self.reading.indexed(reader.store, meant, term, index.span)?, false))
    }
}
