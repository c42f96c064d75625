//! The part of YAML that definitions of verification tasks are written in.
//!
//! Mappings and sequences in block form, and scalars of one line, plain or quoted; comments, and
//! `---` in front. A line belongs to what stands further to the left above it. Everything else
//! (flow form, anchors, tags, texts of several lines) is refused at its place, never guessed.

use shofar_base::{Diagnostic, Span};

/// Deeper texts are refused, because reading recurses on their depth.
const DEEPEST: usize = 16;
/// What begins a form that is not read.
const OTHER_FORMS: &[char] = &['{', '[', '&', '*', '!', '|', '>', '%', '@', '`', '?'];

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) span: Span,
    pub(crate) content: Content,
}

/// What a part is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Nothing is written there.
    Nothing,
    Scalar(String),
    Sequence(Vec<Node>),
    /// Keys with their places.
    Mapping(Vec<(String, Span, Node)>),
}

impl Node {
    /// What a mapping has under a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        let Content::Mapping(entries) = &self.content else { return None };
        entries.iter().find(|(known, ..)| known == key).map(|(.., node)| node)
    }
}

/// What is left of a line.
#[derive(Clone, Copy)]
struct Line<'t> {
    /// How far to the right it begins.
    indent: usize,
    start: usize,
    text: &'t str,
}

impl Line<'_> {
    fn span(&self) -> Span {
        Span::new(self.start, self.start + self.text.len())
    }
    /// The line without its first bytes and the blanks behind them.
    fn behind(&self, count: usize) -> Self {
        let text = self.text[count..].trim_start_matches(' ');
        let skipped = self.text.len() - text.len();
        Self { indent: self.indent + skipped, start: self.start + skipped, text }
    }
}

/// The tree of a text.
pub(crate) fn parse(text: &str) -> Result<Node, Diagnostic> {
    let mut lines = Vec::new();
    let mut start = 0;
    for raw in text.split('\n') {
        let content = without_comment(raw).trim_end();
        let body = content.trim_start_matches(' ');
        let indent = content.len() - body.len();
        let line = Line { indent, start: start + indent, text: body };
        start += raw.len() + 1;
        if body.starts_with('\t') {
            return Err(Diagnostic::new(line.span(), "a tab cannot indent a line of YAML"));
        }
        let is_mark = body == "---" && lines.is_empty();
        if !body.is_empty() && !is_mark {
            lines.push(line);
        }
    }
    let mut reader = Reader { lines, next: 0 };
    let node = reader.block(0, text.len(), 0)?;
    match reader.lines.get(reader.next) {
        Some(line) => Err(Diagnostic::new(line.span(), "this line belongs to nothing above it")),
        None => Ok(node),
    }
}

/// A line without the comment at its end, which begins with `#` behind a blank and outside of
/// quotes.
fn without_comment(line: &str) -> &str {
    let (mut quote, mut before) = (None, ' ');
    for (at, character) in line.char_indices() {
        match quote {
            Some(open) if character == open => quote = None,
            None if character == '#' && before.is_whitespace() => return &line[..at],
            // A quote inside of a word is a part of it.
            None if matches!(character, '"' | '\'') && !before.is_alphanumeric() => {
                quote = Some(character);
            }
            Some(_) | None => {}
        }
        before = character;
    }
    line
}

struct Reader<'t> {
    lines: Vec<Line<'t>>,
    next: usize,
}

impl<'t> Reader<'t> {
    fn line(&self) -> Option<Line<'t>> {
        self.lines.get(self.next).copied()
    }
    /// The block of lines that begin at least so far to the right; `at` is where nothing is if
    /// there are none.
    fn block(&mut self, least: usize, at: usize, depth: usize) -> Result<Node, Diagnostic> {
        let Some(first) = self.line().filter(|line| line.indent >= least) else {
            return Ok(Node { span: Span::new(at, at), content: Content::Nothing });
        };
        if depth > DEEPEST {
            return Err(Diagnostic::new(first.span(), "this is nested too deeply"));
        }
        if is_item(first.text) {
            return self.sequence(first, depth);
        }
        if key_of(first.text).is_some() {
            return self.mapping(first, depth);
        }
        self.next += 1;
        scalar(&first)
    }
    fn sequence(&mut self, first: Line<'t>, depth: usize) -> Result<Node, Diagnostic> {
        let mut items = Vec::new();
        while let Some(line) =
            self.line().filter(|line| line.indent == first.indent && is_item(line.text))
        {
            let rest = line.behind(1);
            if rest.text.is_empty() {
                self.next += 1;
            } else {
                self.lines[self.next] = rest;
            }
            items.push(self.block(first.indent + 1, line.span().end, depth + 1)?);
        }
        Ok(Node { span: first.span(), content: Content::Sequence(items) })
    }
    fn mapping(&mut self, first: Line<'t>, depth: usize) -> Result<Node, Diagnostic> {
        let mut entries: Vec<(String, Span, Node)> = Vec::new();
        while let Some(line) = self.line().filter(|line| line.indent == first.indent) {
            let Some(length) = key_of(line.text) else { break };
            let at = Line { text: &line.text[..length], ..line };
            let Content::Scalar(key) = scalar(&at)?.content else {
                return Err(Diagnostic::new(at.span(), "a key is expected here"));
            };
            if entries.iter().any(|(known, ..)| *known == key) {
                return Err(Diagnostic::new(at.span(), format!("`{key}` is there twice")));
            }
            let rest = line.behind(length + 1);
            self.next += 1;
            let value = if rest.text.is_empty() {
                // The items of a sequence may begin where the key does.
                let next = self.line().filter(|next| is_item(next.text));
                let least = first.indent + usize::from(next.is_none());
                self.block(least, line.span().end, depth + 1)?
            } else {
                scalar(&rest)?
            };
            entries.push((key, at.span(), value));
        }
        Ok(Node { span: first.span(), content: Content::Mapping(entries) })
    }
}

fn is_item(text: &str) -> bool {
    text == "-" || text.starts_with("- ")
}

/// How long the key is that a line begins with.
fn key_of(text: &str) -> Option<usize> {
    let from = match text.chars().next() {
        Some(quote @ ('"' | '\'')) => text[1..].find(quote)? + 2,
        Some(_) | None => 0,
    };
    let colon = from + text[from..].find(':')?;
    let is_key = text[colon + 1..].is_empty() || text[colon + 1..].starts_with(' ');
    is_key.then_some(colon)
}

/// A scalar of one line.
fn scalar(line: &Line<'_>) -> Result<Node, Diagnostic> {
    let (text, span) = (line.text.trim_end(), line.span());
    let refused = |message: &str| Err(Diagnostic::new(span, message));
    let value = match text.chars().next() {
        Some(quote @ ('"' | '\'')) => {
            let inner = text[1..].strip_suffix(quote);
            match inner.filter(|inner| !inner.contains([quote, '\\'])) {
                Some(inner) => inner.to_owned(),
                None => return refused("this form of a text between quotes is not supported"),
            }
        }
        Some(first) if OTHER_FORMS.contains(&first) => {
            return refused("this form of YAML is not supported");
        }
        Some(_) if text.contains(": ") => return refused("a key is not expected here"),
        Some(_) | None => text.to_owned(),
    };
    Ok(Node { span, content: Content::Scalar(value) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree in one line.
    fn shown(node: &Node) -> String {
        match &node.content {
            Content::Nothing => "~".to_owned(),
            Content::Scalar(text) => text.clone(),
            Content::Sequence(items) => {
                format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", "))
            }
            Content::Mapping(entries) => {
                let entry =
                    |(key, _, node): &(String, Span, Node)| format!("{key}={}", shown(node));
                format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
            }
        }
    }

    #[test]
    fn blocks_are_trees() {
        for (text, expected) in [
            ("", "~"),
            ("# only a comment\n---\n", "~"),
            ("a: b\nc: 'd # e' # f\n", "{a=b, c=d # e}"),
            ("a:\n  - b\n  - c: 1\n    d: \"x\"\ne:\n", "{a=[b, {c=1, d=x}], e=~}"),
            ("a:\n- b\n-\n  c: d\nf: it's\n", "{a=[b, {c=d}], f=it's}"),
            ("'a b': c#d\n", "{a b=c#d}"),
            ("a:\n  b:\n    c: ../d.prp\n  e: f\n", "{a={b={c=../d.prp}, e=f}}"),
        ] {
            assert_eq!(shown(&parse(text).unwrap()), expected, "{text}");
        }
    }

    #[test]
    fn other_forms_are_refused_at_their_place() {
        let deep = (0..40).fold(String::new(), |deep, depth| deep + &" ".repeat(depth) + "a:\n");
        for (text, place, message) in [
            ("a: [b]\n", "[b]", "not supported"),
            ("a: |\n  b\n", "|", "not supported"),
            ("a: b\n  c: d\n", "c: d", "belongs to nothing"),
            ("a: 'b\n", "'b", "quotes"),
            ("a: b\na: c\n", "a", "twice"),
            ("\ta: b\n", "\ta: b", "tab"),
            ("a: b: c\n", "b: c", "not expected"),
            (&deep, "a:", "too deeply"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.message.contains(message), "{text}: {}", error.message);
            assert_eq!(&text[error.span.start..error.span.end], place, "{text}");
        }
    }
}
