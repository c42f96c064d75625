//! Which processes a network is made of: instantiations of templates, and the list of processes.

use shofar_base::{Diagnostic, Set, Span};

use super::piece::Piece;
use super::reading::plain_name;
use crate::lexer::Cursor;

/// A process that is to be made of a template.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) template: String,
    pub(super) arguments: Vec<Piece>,
}

/// What stands between templates, besides declarations.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) instances: Vec<Instance>,
    /// The names of the instances.
    names: Set<String>,
    /// The processes of the system, as they are named there.
    pub(super) system: Option<Vec<(String, Span)>>,
}

/// `P1 = P(1, x);`
pub(super) fn instance(
    cursor: &mut Cursor<'_>,
    piece: &Piece,
    plan: &mut Plan,
) -> Result<(), Diagnostic> {
    let name = plain_name(cursor, "the name of a process")?;
    cursor.expect("=")?;
    let template = plain_name(cursor, "the name of a template")?;
    cursor.expect("(")?;
    let mut arguments = Vec::new();
    let (mut depth, mut start) = (0_usize, cursor.peek().span.start);
    loop {
        let token = cursor.next();
        let text = cursor.text(token);
        if depth == 0 && matches!(text, ")" | ",") {
            let argument = piece.part(Span::new(start, token.span.start));
            if text == "," || !argument.is_blank() || !arguments.is_empty() {
                arguments.push(argument);
            }
            start = token.span.end;
        }
        match text {
            "(" | "[" => depth += 1,
            ")" | "]" if depth > 0 => depth -= 1,
            ")" => break,
            "" | ";" | "]" => return Err(Diagnostic::new(token.span, "expected `)`")),
            _ => {}
        }
    }
    cursor.expect(";")?;
    let (at, span) = (name.span, piece.place(name.span));
    let (name, template) = (cursor.text(name).to_owned(), cursor.text(template).to_owned());
    if !plan.names.insert(name.clone()) {
        return Err(Diagnostic::new(at, format!("there are two processes `{name}`")));
    }
    plan.instances.push(Instance { name, span, template, arguments });
    Ok(())
}

/// `system P1, P2;`
pub(super) fn system(
    cursor: &mut Cursor<'_>,
    piece: &Piece,
    plan: &mut Plan,
) -> Result<(), Diagnostic> {
    let start = cursor.next();
    let mut processes = Vec::new();
    loop {
        let name = plain_name(cursor, "the name of a process")?;
        processes.push((cursor.text(name).to_owned(), piece.place(name.span)));
        if cursor.is(cursor.peek(), "<") {
            return Err(Diagnostic::new(cursor.peek().span, "priorities are not supported"));
        }
        if !cursor.eat(",") {
            break;
        }
    }
    cursor.expect(";")?;
    if plan.system.replace(processes).is_some() {
        return Err(Diagnostic::new(start.span, "the system is described twice"));
    }
    Ok(())
}
