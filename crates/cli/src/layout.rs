//! Texts for people, laid out in the width of their terminal.
//!
//! Texts are stored as paragraphs, in a form that is read as it stands, as in Markdown: lines that
//! follow each other and are not indented are one paragraph, which an empty line or a colon at the
//! end of a line ends. An indented line is an item: what does not fit hangs below it. An item with
//! a gap of two blanks or more is a row, a term and its explanation, which starts in the column in
//! which it stands; where too little room is left beside the term, it stands below.
//!
//! Invariant: a line is longer than the width only if it is a single word, or a term in front of
//! its explanation.

use std::io::{self, IsTerminal as _};

/// Longer lines are hard to read.
const WIDEST: usize = 100;
/// What is narrower is laid out as if it had this width.
const NARROWEST: usize = 20;
/// An explanation that would have fewer columns beside its term stands below it.
const LEAST_BESIDE: usize = 24;
/// How much further what hangs below an item is indented.
const HANGING: usize = 4;

/// How many columns a text may have that is printed now: those of the terminal, if there is one.
pub(crate) fn width() -> usize {
    told_width().unwrap_or(WIDEST).clamp(NARROWEST, WIDEST)
}

/// The same for a list, whose lines stay whole if another program reads them.
pub(crate) fn list_width() -> usize {
    let is_read = io::stdout().is_terminal() || columns_variable().is_some();
    if is_read { width() } else { usize::MAX }
}

fn told_width() -> Option<usize> {
    let of = |told: rustix::io::Result<rustix::termios::Winsize>| told.ok().map(|size| size.ws_col);
    let told = [
        of(rustix::termios::tcgetwinsize(io::stdout())),
        of(rustix::termios::tcgetwinsize(io::stderr())),
        of(rustix::termios::tcgetwinsize(io::stdin())),
    ];
    let told = told.into_iter().flatten().find(|&columns| columns > 0).map(usize::from);
    told.or_else(columns_variable)
}

fn columns_variable() -> Option<usize> {
    std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok())
}

/// A text of paragraphs, items and rows in this width.
pub(crate) fn fill(text: &str, width: usize) -> String {
    let mut out = String::new();
    let mut paragraph = String::new();
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        if indent > 0 || line.is_empty() {
            flow(&mut out, &std::mem::take(&mut paragraph), 0, 0, width);
        }
        if line.is_empty() {
            out.push('\n');
        } else if indent > 0 {
            item(&mut out, line, indent, width);
        } else {
            paragraph.push_str(line);
            paragraph.push(' ');
            if line.ends_with(':') {
                flow(&mut out, &std::mem::take(&mut paragraph), 0, 0, width);
            }
        }
    }
    flow(&mut out, &paragraph, 0, 0, width);
    out
}

/// A term with its explanation from `column` on, or below the term.
pub(crate) fn row(
    out: &mut String,
    indent: usize,
    term: &str,
    column: usize,
    text: &str,
    width: usize,
) {
    let end = indent + columns(term);
    if text.is_empty() || (end < column && column + LEAST_BESIDE <= width) {
        let blanks = " ".repeat(if text.is_empty() { 0 } else { column - end });
        let head = format!("{}{term}{blanks}", " ".repeat(indent));
        hang(out, &head, column, text, width);
    } else {
        // A long command is an item like others.
        flow(out, term, indent, indent + HANGING, width);
        let below = if column + LEAST_BESIDE <= width { column } else { indent + HANGING };
        flow(out, text, below, below, width);
    }
}

/// How far an explanation is indented that stands in `column` if there is room.
pub(crate) fn below(column: usize, width: usize) -> usize {
    if column + LEAST_BESIDE <= width { column } else { 2 + HANGING }
}

fn item(out: &mut String, line: &str, indent: usize, width: usize) {
    let text = &line[indent..];
    match text.find("  ") {
        Some(gap) => {
            let explanation = text[gap..].trim_start();
            row(out, indent, &text[..gap], line.len() - explanation.len(), explanation, width);
        }
        None => flow(out, text, indent, indent + HANGING, width),
    }
}

/// The words of a text, the first line indented by `first`, the others by `rest`.
fn flow(out: &mut String, text: &str, first: usize, rest: usize, width: usize) {
    if !text.trim().is_empty() {
        hang(out, &" ".repeat(first), rest, text, width);
    }
}

/// The words of a text behind `head`; further lines are indented.
fn hang(out: &mut String, head: &str, indent: usize, text: &str, width: usize) {
    let mut line = head.to_owned();
    let mut is_begun = false;
    for word in text.split_whitespace() {
        if is_begun && columns(&line) + 1 + columns(word) > width {
            out.push_str(line.trim_end());
            out.push('\n');
            line = " ".repeat(indent);
            is_begun = false;
        }
        if is_begun {
            line.push(' ');
        }
        line.push_str(word);
        is_begun = true;
    }
    out.push_str(line.trim_end());
    out.push('\n');
}

/// How many columns a text takes; sequences that set a colour take none.
pub(crate) fn columns(text: &str) -> usize {
    let mut is_sequence = false;
    let visible = |c: &char| {
        is_sequence |= *c == '\x1b';
        let counts = !is_sequence;
        is_sequence &= *c != 'm';
        counts
    };
    text.chars().filter(visible).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, width: usize, expected: &str) {
        assert_eq!(fill(text, width), expected, "{width}");
    }

    #[test]
    fn paragraphs_are_joined_and_wrapped() {
        check("one two\nthree four\n\nfive\n", 9, "one two\nthree\nfour\n\nfive\n");
        check("one two\nthree four", 80, "one two three four\n");
        check("Below:\none", 80, "Below:\none\n");
        check("unbreakable a", 5, "unbreakable\na\n");
    }

    #[test]
    fn items_hang() {
        check("  a command with words\n  b\n", 16, "  a command with\n      words\n  b\n");
    }

    #[test]
    fn explanations_stand_beside_or_below_their_terms() {
        let text = "  0    every question was answered\n  130  Ctrl-C";
        check(text, 32, "  0    every question was\n       answered\n  130  Ctrl-C\n");
        check(text, 30, "  0\n      every question was\n      answered\n  130\n      Ctrl-C\n");
    }

    #[test]
    fn colours_take_no_room() {
        assert_eq!(columns("\x1b[1mab\x1b[0m c"), 4);
        let mut out = String::new();
        row(&mut out, 2, "\x1b[1m-x\x1b[0m", 6, "does it", 40);
        assert_eq!(out, "  \x1b[1m-x\x1b[0m  does it\n");
    }
}
