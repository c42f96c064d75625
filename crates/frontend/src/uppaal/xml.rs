//! From XML to a draft.
//!
//! The file is read event by event: elements that are open are a stack of [`Tag`]s, so that depth
//! costs memory but no recursion, and a text with a meaning is collected as a [`Piece`]. Entities
//! are the five of XML and numbers of characters; others are refused, so nothing is expanded. What
//! a draft cannot say (branch points, rates, sequence charts) is refused by name.

use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};
use shofar_base::{Diagnostic, Map, Set, Span};

use super::draft::{Draft, Edge, Location, Template, Urgency};
use super::piece::Piece;
use super::tag::{Tag, attribute};

/// Reads a text in XML.
pub(super) fn read(text: &str) -> Result<Draft, Diagnostic> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    let mut builder = Builder::default();
    loop {
        let start = offset(reader.buffer_position(), text);
        let event = reader.read_event().map_err(|error| {
            let at = offset(reader.error_position(), text);
            Diagnostic::new(Span::new(at, at), format!("this is no XML: {error}"))
        })?;
        let span = Span::new(start, offset(reader.buffer_position(), text).max(start));
        match event {
            Event::Start(element) => builder.open(&element, span)?,
            Event::End(_) => builder.close(span)?,
            Event::Text(_) => builder.text(&text.as_bytes()[span.start..span.end], span)?,
            Event::CData(content) => {
                let start = span.start + "<![CDATA[".len();
                builder.text(content.as_bytes(), Span::new(start, start + content.len()))?;
            }
            Event::GeneralRef(reference) => {
                let character = referred(&reference, span)?;
                builder.text(character.encode_utf8(&mut [0; 4]).as_bytes(), span)?;
            }
            Event::Empty(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_) => {}
            Event::Eof => return builder.end(text.len()),
        }
    }
}

fn offset(position: u64, text: &str) -> usize {
    let mut offset = usize::try_from(position).unwrap_or(usize::MAX).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// The character that an entity stands for.
fn referred(reference: &BytesRef<'_>, span: Span) -> Result<char, Diagnostic> {
    let name: &str = reference;
    if reference.is_char_ref() {
        let character = reference.resolve_char_ref().ok().flatten();
        let message = format!("`&{name};` is no character");
        return character.ok_or_else(|| Diagnostic::new(span, message));
    }
    match name {
        "lt" => Ok('<'),
        "gt" => Ok('>'),
        "amp" => Ok('&'),
        "apos" => Ok('\''),
        "quot" => Ok('"'),
        _ => Err(Diagnostic::new(span, format!("the entity `{name}` is not supported"))),
    }
}

/// A draft in the making.
#[derive(Default)]
struct Builder {
    draft: Draft,
    open: Vec<Tag>,
    has_network: bool,
    /// The text of the innermost element, if it matters.
    piece: Option<Piece>,
    template: Option<Template>,
    /// The numbers of the locations of the template, by their identifiers.
    locations: Map<String, usize>,
    /// The names of these locations.
    names: Set<String>,
    location: Option<Location>,
    transition: Option<Transition>,
}

/// An edge in the making.
struct Transition {
    source: Option<usize>,
    target: Option<usize>,
    edge: Edge,
}

impl Builder {
    fn open(&mut self, element: &BytesStart<'_>, span: Span) -> Result<(), Diagnostic> {
        let tag = Tag::of(element, self.open.last().copied(), span)?;
        match tag {
            Tag::Nta if self.has_network => {
                return Err(Diagnostic::new(span, "there are two networks"));
            }
            Tag::Nta => self.has_network = true,
            Tag::Template => {
                self.template = Some(Template::at(span));
                (self.locations, self.names) = (Map::default(), Set::default());
            }
            Tag::Location => self.open_location(element, span)?,
            Tag::Committed => self.mark(Urgency::Committed),
            Tag::Urgent => self.mark(Urgency::Urgent),
            Tag::Init => {
                let initial = self.referred_location(element, span)?;
                if let Some(template) = &mut self.template {
                    template.initial = Some(initial);
                }
            }
            Tag::Transition => {
                let edge = Edge::between(0, 0, span);
                self.transition = Some(Transition { source: None, target: None, edge });
            }
            Tag::Source | Tag::Target => {
                let location = self.referred_location(element, span)?;
                if let Some(transition) = &mut self.transition {
                    let end = if tag == Tag::Source {
                        &mut transition.source
                    } else {
                        &mut transition.target
                    };
                    *end = Some(location);
                }
            }
            Tag::Declaration
            | Tag::System
            | Tag::TemplateName
            | Tag::Parameter
            | Tag::LocationName
            | Tag::Invariant
            | Tag::Select
            | Tag::Guard
            | Tag::Sync
            | Tag::Update
            | Tag::Queries
            | Tag::Query
            | Tag::Formula
            | Tag::Ignored => {}
        }
        if tag.has_text() {
            self.piece = Some(Piece::at(span.end));
        }
        self.open.push(tag);
        Ok(())
    }
    fn open_location(&mut self, element: &BytesStart<'_>, span: Span) -> Result<(), Diagnostic> {
        let id = attribute(element, "id", span)?;
        if self.locations.insert(id.clone(), self.locations.len()).is_some() {
            return Err(Diagnostic::new(span, format!("there are two locations `{id}`")));
        }
        let urgency = Urgency::Normal;
        self.location = Some(Location { name: id, span, urgency, invariant: None });
        Ok(())
    }
    fn mark(&mut self, urgency: Urgency) {
        if let Some(location) = &mut self.location {
            location.urgency = urgency;
        }
    }
    /// The location that an element refers to.
    fn referred_location(&self, element: &BytesStart<'_>, span: Span) -> Result<usize, Diagnostic> {
        let id = attribute(element, "ref", span)?;
        let message = || format!("there is no location `{id}` in this template");
        self.locations.get(&id).copied().ok_or_else(|| Diagnostic::new(span, message()))
    }
    fn text(&mut self, bytes: &[u8], span: Span) -> Result<(), Diagnostic> {
        match (self.open.last(), &mut self.piece) {
            (Some(tag), Some(piece)) if tag.has_text() => piece.append(bytes, span),
            (Some(Tag::Ignored), _) => {}
            _ if bytes.trim_ascii().is_empty() || bytes == "\u{feff}".as_bytes() => {}
            _ => return Err(Diagnostic::new(span, "a text has no meaning here")),
        }
        Ok(())
    }
    fn close(&mut self, span: Span) -> Result<(), Diagnostic> {
        let Some(tag) = self.open.pop() else { return Ok(()) };
        let piece = if tag.has_text() { self.piece.take() } else { None };
        let piece = piece.unwrap_or_else(|| Piece::at(span.start));
        match tag {
            Tag::Declaration => match &mut self.template {
                Some(template) => template.declarations.push(piece),
                None => self.draft.declarations.push(piece),
            },
            Tag::System => self.draft.declarations.push(piece),
            Tag::Parameter => {
                if let Some(template) = &mut self.template {
                    template.parameters = piece;
                }
            }
            Tag::TemplateName => {
                let name = name(&piece)?;
                if let Some(template) = &mut self.template {
                    (template.name, template.span) = (name, piece.span());
                }
            }
            Tag::LocationName | Tag::Formula if piece.is_blank() => {}
            Tag::LocationName => {
                let name = name(&piece)?;
                if let Some(location) = &mut self.location {
                    (location.name, location.span) = (name, piece.span());
                }
            }
            Tag::Invariant => {
                if let Some(location) = &mut self.location {
                    location.invariant = Some(piece);
                }
            }
            Tag::Select => self.attach(piece, |edge| &mut edge.select),
            Tag::Guard => self.attach(piece, |edge| &mut edge.guard),
            Tag::Sync => self.attach(piece, |edge| &mut edge.sync),
            Tag::Update => self.attach(piece, |edge| &mut edge.update),
            Tag::Formula => self.draft.queries.push(piece),
            Tag::Location => self.close_location()?,
            Tag::Transition => self.close_transition(span)?,
            Tag::Template => {
                if let Some(template) = self.template.take() {
                    self.draft.add(template)?;
                }
            }
            Tag::Nta
            | Tag::Committed
            | Tag::Urgent
            | Tag::Init
            | Tag::Source
            | Tag::Target
            | Tag::Queries
            | Tag::Query
            | Tag::Ignored => {}
        }
        Ok(())
    }
    /// Gives a label to the edge in the making.
    fn attach(&mut self, piece: Piece, label: fn(&mut Edge) -> &mut Option<Piece>) {
        if let Some(transition) = &mut self.transition {
            *label(&mut transition.edge) = Some(piece).filter(|piece| !piece.is_blank());
        }
    }
    fn close_location(&mut self) -> Result<(), Diagnostic> {
        let (Some(template), Some(location)) = (&mut self.template, self.location.take()) else {
            return Ok(());
        };
        if !self.names.insert(location.name.clone()) {
            let message = format!("there are two locations `{}`", location.name);
            return Err(Diagnostic::new(location.span, message));
        }
        template.locations.push(location);
        Ok(())
    }
    fn close_transition(&mut self, end: Span) -> Result<(), Diagnostic> {
        let (Some(template), Some(transition)) = (&mut self.template, self.transition.take())
        else {
            return Ok(());
        };
        let (Some(source), Some(target)) = (transition.source, transition.target) else {
            let message = "a transition has a source and a target";
            return Err(Diagnostic::new(transition.edge.span, message));
        };
        let span = Span::new(transition.edge.span.start, end.end);
        template.edges.push(Edge { source, target, span, ..transition.edge });
        Ok(())
    }
    fn end(self, length: usize) -> Result<Draft, Diagnostic> {
        let end = Span::new(length, length);
        if !self.open.is_empty() {
            return Err(Diagnostic::new(end, "an element has no end"));
        }
        if !self.has_network {
            return Err(Diagnostic::new(end, "there is no element `nta`"));
        }
        Ok(self.draft)
    }
}

/// A name that stands by itself.
fn name(piece: &Piece) -> Result<String, Diagnostic> {
    let text = piece.line();
    let is_name = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_name { Ok(text) } else { Err(Diagnostic::new(piece.span(), "this is no name")) }
}
