//! The elements of a network in XML: what they are by their names, their attributes and where they
//! stand.

use quick_xml::events::BytesStart;
use shofar_base::{Diagnostic, Span};

/// An element that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Nta,
    Declaration,
    System,
    Template,
    TemplateName,
    Parameter,
    Location,
    LocationName,
    Committed,
    Urgent,
    Init,
    Transition,
    Source,
    Target,
    Invariant,
    Select,
    Guard,
    Sync,
    Update,
    Queries,
    Query,
    Formula,
    /// Something that says nothing about what a model does.
    Ignored,
}

impl Tag {
    /// Whether the text inside matters.
    pub(super) fn has_text(self) -> bool {
        match self {
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
            | Tag::Formula => true,
            Tag::Nta
            | Tag::Template
            | Tag::Location
            | Tag::Committed
            | Tag::Urgent
            | Tag::Init
            | Tag::Transition
            | Tag::Source
            | Tag::Target
            | Tag::Queries
            | Tag::Query
            | Tag::Ignored => false,
        }
    }
    /// What an element is, by its name and the element it is in.
    pub(super) fn of(
        element: &BytesStart<'_>,
        within: Option<Tag>,
        span: Span,
    ) -> Result<Self, Diagnostic> {
        let name = element.name().0;
        let known = match (within, name) {
            (None, "nta") => Tag::Nta,
            (Some(Tag::Nta | Tag::Template), "declaration") => Tag::Declaration,
            (Some(Tag::Nta), "instantiation" | "system") => Tag::System,
            (Some(Tag::Nta), "template") => Tag::Template,
            (Some(Tag::Nta), "queries") => Tag::Queries,
            (Some(Tag::Template), "name") => Tag::TemplateName,
            (Some(Tag::Template), "parameter") => Tag::Parameter,
            (Some(Tag::Template), "location") => Tag::Location,
            (Some(Tag::Template), "init") => Tag::Init,
            (Some(Tag::Template), "transition") => Tag::Transition,
            (Some(Tag::Location), "name") => Tag::LocationName,
            (Some(Tag::Location), "committed") => Tag::Committed,
            (Some(Tag::Location), "urgent") => Tag::Urgent,
            (Some(Tag::Location | Tag::Transition), "label") => {
                Tag::of_label(element, within, span)?
            }
            (Some(Tag::Transition), "source") => Tag::Source,
            (Some(Tag::Transition), "target") => Tag::Target,
            (Some(Tag::Queries), "query") => Tag::Query,
            (Some(Tag::Query), "formula") => Tag::Formula,
            (Some(Tag::Transition), "nail")
            | (Some(Tag::Queries | Tag::Query | Tag::Ignored), _) => Tag::Ignored,
            _ => {
                let message = format!("the element `{name}` is not supported here");
                return Err(Diagnostic::new(span, message));
            }
        };
        Ok(known)
    }
    /// What a label of a location or a transition is.
    fn of_label(
        element: &BytesStart<'_>,
        within: Option<Tag>,
        span: Span,
    ) -> Result<Self, Diagnostic> {
        let kind = attribute(element, "kind", span)?;
        match (kind.as_str(), within == Some(Tag::Location)) {
            ("invariant", true) => Ok(Tag::Invariant),
            ("select", false) => Ok(Tag::Select),
            ("guard", false) => Ok(Tag::Guard),
            ("synchronisation", false) => Ok(Tag::Sync),
            ("assignment", false) => Ok(Tag::Update),
            ("comments" | "testcode" | "testcodeEnter" | "testcodeExit", _) => Ok(Tag::Ignored),
            _ => {
                let message = format!("labels of the kind `{kind}` are not supported here");
                Err(Diagnostic::new(span, message))
            }
        }
    }
}

/// The value of an attribute that has to be there.
pub(super) fn attribute(
    element: &BytesStart<'_>,
    name: &str,
    span: Span,
) -> Result<String, Diagnostic> {
    let found = element
        .attributes()
        .with_checks(false)
        .find_map(|attribute| attribute.ok().filter(|attribute| attribute.key.0 == name));
    let found =
        found.ok_or_else(|| Diagnostic::new(span, format!("the attribute `{name}` is missing")))?;
    Ok(found.value.into_owned())
}
