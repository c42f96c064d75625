//! From the textual form (`.xta`, `.ta`) to a draft.
//!
//! ```text
//! process Lamp(chan &press) {
//!   clock y;
//!   state off, low { y <= 5 };  commit c;  urgent u;
//!   init off;
//!   trans off -> low { sync press?; assign y := 0; },
//!         -> off { guard y >= 5; };
//! }
//! ```
//! An edge without a source begins where the one before it does. What stands between processes
//! (declarations, instantiations, the list of processes) stays text; a statement ends with its `;`.

use shofar_base::{Diagnostic, Map, Span};

use super::SYNTAX;
use super::draft::{Draft, Edge, Location, Template, Urgency};
use super::piece::Piece;
use super::reading::plain_name;
use crate::lexer::{Cursor, TokenKind};

/// Reads a text.
pub(super) fn read(text: &[u8]) -> Result<Draft, Diagnostic> {
    let cursor = Cursor::new(text, &SYNTAX)?;
    let mut parser = Parser { text, cursor, locations: Map::default() };
    let mut draft = Draft::default();
    while parser.cursor.peek().kind != TokenKind::End {
        if parser.cursor.eat("process") {
            draft.add(parser.process()?)?;
        } else {
            draft.declarations.push(parser.declarations(&["process"])?);
        }
    }
    Ok(draft)
}

struct Parser<'t> {
    text: &'t [u8],
    cursor: Cursor<'t>,
    /// The numbers of the locations of the process.
    locations: Map<String, usize>,
}

impl Parser<'_> {
    fn process(&mut self) -> Result<Template, Diagnostic> {
        let name = plain_name(&mut self.cursor, "the name of a process")?;
        let mut template = Template::at(name.span);
        self.locations = Map::default();
        template.name = self.cursor.text(name).to_owned();
        if self.cursor.eat("(") {
            template.parameters = self.until(&[")"])?;
            self.cursor.expect(")")?;
        }
        self.cursor.expect("{")?;
        while !self.cursor.eat("}") {
            if self.cursor.eat("state") {
                self.states(&mut template)?;
            } else if self.cursor.eat("commit") {
                self.mark(&mut template, Urgency::Committed)?;
            } else if self.cursor.is(self.cursor.peek(), "urgent")
                && !self.cursor.is(self.cursor.look(1), "chan")
                && !self.cursor.is(self.cursor.look(1), "broadcast")
            {
                self.cursor.next();
                self.mark(&mut template, Urgency::Urgent)?;
            } else if self.cursor.eat("init") {
                template.initial = Some(self.location()?);
                self.cursor.expect(";")?;
            } else if self.cursor.eat("trans") {
                self.transitions(&mut template)?;
            } else {
                let others = ["state", "commit", "urgent", "init", "trans", "}"];
                template.declarations.push(self.declarations(&others)?);
            }
        }
        Ok(template)
    }
    /// `state a, b { x <= 5 };`
    fn states(&mut self, template: &mut Template) -> Result<(), Diagnostic> {
        loop {
            let token = plain_name(&mut self.cursor, "the name of a location")?;
            let (name, span) = (self.cursor.text(token).to_owned(), token.span);
            if self.locations.insert(name.clone(), template.locations.len()).is_some() {
                return Err(Diagnostic::new(span, format!("there are two locations `{name}`")));
            }
            let mut invariant = None;
            if self.cursor.eat("{") {
                invariant = Some(self.until(&["}"])?).filter(|piece| !piece.is_blank());
                self.cursor.expect("}")?;
            }
            template.locations.push(Location { name, span, urgency: Urgency::Normal, invariant });
            if !self.cursor.eat(",") {
                break;
            }
        }
        self.cursor.expect(";").map(drop)
    }
    /// `commit a, b;` or `urgent a, b;`
    fn mark(&mut self, template: &mut Template, urgency: Urgency) -> Result<(), Diagnostic> {
        loop {
            let location = self.location()?;
            template.locations[location].urgency = urgency;
            if !self.cursor.eat(",") {
                break;
            }
        }
        self.cursor.expect(";").map(drop)
    }
    fn transitions(&mut self, template: &mut Template) -> Result<(), Diagnostic> {
        let mut source = None;
        loop {
            let start = self.cursor.peek().span;
            if !self.cursor.is(self.cursor.peek(), "->") {
                source = Some(self.location()?);
            }
            let Some(source) = source else {
                return Err(self.cursor.unexpected("the name of a location"));
            };
            self.cursor.expect("->")?;
            let target = self.location()?;
            let mut edge = Edge::between(source, target, start);
            self.cursor.expect("{")?;
            self.labels(&mut edge)?;
            edge.span = Span::new(start.start, self.cursor.end_of_last());
            template.edges.push(edge);
            if !self.cursor.eat(",") {
                break;
            }
        }
        self.cursor.expect(";").map(drop)
    }
    /// The labels of an edge, and the brace behind them.
    fn labels(&mut self, edge: &mut Edge) -> Result<(), Diagnostic> {
        while !self.cursor.eat("}") {
            let kind = self.cursor.next();
            let label = match self.cursor.text(kind) {
                "select" => &mut edge.select,
                "guard" => &mut edge.guard,
                "sync" => &mut edge.sync,
                "assign" => &mut edge.update,
                _ => {
                    let message = "expected `select`, `guard`, `sync`, `assign` or `}`";
                    return Err(Diagnostic::new(kind.span, message));
                }
            };
            if label.is_some() {
                return Err(Diagnostic::new(kind.span, "this label is there already"));
            }
            *label = Some(self.until(&[";"])?).filter(|piece| !piece.is_blank());
            self.cursor.expect(";")?;
        }
        Ok(())
    }
    /// Declarations, each with its `;`, up to one of these words or the end of the text; there is
    /// at least one.
    fn declarations(&mut self, ends: &[&str]) -> Result<Piece, Diagnostic> {
        let start = self.cursor.peek().span.start;
        loop {
            self.skip_until(&[";"])?;
            let end = self.cursor.expect(";")?.span.end;
            let next = self.cursor.peek();
            let is_over = ends.iter().any(|word| self.cursor.is(next, word));
            if is_over || next.kind == TokenKind::End {
                return Ok(Piece::of(self.text, Span::new(start, end)));
            }
        }
    }
    /// What stands before one of these signs, brackets being complete.
    fn until(&mut self, ends: &[&str]) -> Result<Piece, Diagnostic> {
        let span = self.skip_until(ends)?;
        Ok(Piece::of(self.text, span))
    }
    fn skip_until(&mut self, ends: &[&str]) -> Result<Span, Diagnostic> {
        let start = self.cursor.peek().span.start;
        let (mut depth, mut end) = (0_usize, start);
        loop {
            let token = self.cursor.peek();
            if depth == 0 && ends.iter().any(|sign| self.cursor.is(token, sign)) {
                return Ok(Span::new(start, end));
            }
            match self.cursor.text(token) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" if depth > 0 => depth -= 1,
                ")" | "]" | "}" | "" => return Err(self.cursor.unexpected(&quoted(ends))),
                _ => {}
            }
            self.cursor.next();
            end = token.span.end;
        }
    }
    fn location(&mut self) -> Result<usize, Diagnostic> {
        let token = plain_name(&mut self.cursor, "the name of a location")?;
        let name = self.cursor.text(token);
        self.locations.get(name).copied().ok_or_else(|| {
            Diagnostic::new(token.span, format!("there is no location `{name}` in this process"))
        })
    }
}

fn quoted(signs: &[&str]) -> String {
    let signs: Vec<String> = signs.iter().map(|sign| format!("`{sign}`")).collect();
    signs.join(" or ")
}
