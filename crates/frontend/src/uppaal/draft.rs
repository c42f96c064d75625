//! What a text says before names have meanings: templates with their labels as pieces of text.
//!
//! XML and the textual form become the same draft; `elaborate` makes a network of it, label by
//! label and instance by instance.

use shofar_base::{Diagnostic, Set, Span};

use super::piece::Piece;

/// A whole text.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// Declarations, instantiations and the list of processes, in the order of the text.
    pub(super) declarations: Vec<Piece>,
    pub(super) templates: Vec<Template>,
    /// The names of the templates.
    names: Set<String>,
    pub(super) queries: Vec<Piece>,
}

/// A template of processes.
#[derive(Debug)]
pub(super) struct Template {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) parameters: Piece,
    pub(super) declarations: Vec<Piece>,
    pub(super) locations: Vec<Location>,
    /// The initial location, by its number.
    pub(super) initial: Option<usize>,
    pub(super) edges: Vec<Edge>,
}

/// A location of a template.
#[derive(Debug)]
pub(super) struct Location {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) urgency: Urgency,
    pub(super) invariant: Option<Piece>,
}

/// Whether time may pass in a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Urgency {
    Normal,
    /// No time passes.
    Urgent,
    /// No time passes, and the next step begins in such a location.
    Committed,
}

/// An edge between two locations, by their numbers.
#[derive(Debug)]
pub(super) struct Edge {
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) select: Option<Piece>,
    pub(super) guard: Option<Piece>,
    pub(super) sync: Option<Piece>,
    pub(super) update: Option<Piece>,
    pub(super) span: Span,
}

impl Edge {
    /// An edge without labels.
    pub(super) fn between(source: usize, target: usize, span: Span) -> Self {
        Self { source, target, select: None, guard: None, sync: None, update: None, span }
    }
}

impl Template {
    /// A template without anything, which stands there.
    pub(super) fn at(span: Span) -> Self {
        Self {
            name: String::new(),
            span,
            parameters: Piece::at(span.start),
            declarations: Vec::new(),
            locations: Vec::new(),
            initial: None,
            edges: Vec::new(),
        }
    }
}

impl Draft {
    /// Adds a template whose name nobody has.
    pub(super) fn add(&mut self, template: Template) -> Result<(), Diagnostic> {
        if !self.names.insert(template.name.clone()) {
            let message = format!("there are two templates `{}`", template.name);
            return Err(Diagnostic::new(template.span, message));
        }
        self.templates.push(template);
        Ok(())
    }
}
