//! Rules for Markdown: no line of text is very long, and programs are not spoken of as persons; and
//! for comments in Rust, which end at column 100.
//!
//! Code blocks, code between backquotes, tables and addresses are left out.

use super::{Findings, Source};

/// At most so many characters in a line of text. A line has one sentence, so a longer one is two
/// sentences, or a list.
const LONGEST: usize = 400;

/// The last column of a comment.
const LAST_COLUMN: usize = 100;

/// Words for persons, which are no names for programs.
const REFUSED: &[&str] = &["anybody", "everybody", "nobody", "somebody", "whoever"];

/// Checks every page and every comment.
pub(super) fn check(sources: &[Source], findings: &mut Findings) {
    for source in sources.iter().filter(|source| source.is_rust()) {
        check_comments(source, findings);
    }
    for source in sources.iter().filter(|source| source.extension() == Some("md")) {
        let mut is_code = false;
        for (number, line) in (1..).zip(source.text.lines()) {
            let text = line.trim_start();
            if text.starts_with("```") {
                is_code = !is_code;
            } else if !is_code {
                check_line(source, number, text, findings);
            }
        }
    }
}

fn check_comments(source: &Source, findings: &mut Findings) {
    let mut is_code = false;
    for (number, line) in (1..).zip(source.text.lines()) {
        let Some(comment) = line.trim_start().strip_prefix("//") else {
            is_code = false;
            continue;
        };
        let text = comment.trim_start_matches(['/', '!']).trim_start();
        let is_fence = text.starts_with("```");
        is_code ^= is_fence;
        if is_fence || is_code || text.starts_with('|') || text.contains("://") {
            continue;
        }
        // Marks above letters have no column of their own.
        let columns = line.chars().filter(|c| !('\u{300}'..='\u{36f}').contains(c)).count();
        if columns > LAST_COLUMN {
            let path = &source.path;
            findings.error(format!("{path}:{number}: the comment ends at column {columns}"));
        }
    }
}

fn check_line(source: &Source, number: usize, line: &str, findings: &mut Findings) {
    let path = &source.path;
    let length = line.chars().count();
    if length > LONGEST && !line.starts_with('|') {
        findings.error(format!("{path}:{number}: {length} characters, at most {LONGEST}"));
    }
    // Every other part stands between backquotes.
    for part in line.split('`').step_by(2) {
        for word in part.split(|c: char| !c.is_alphabetic()) {
            if REFUSED.contains(&word.to_lowercase().as_str()) {
                findings.error(format!("{path}:{number}: `{word}`: name the program or the user"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::errors_of;
    use super::*;

    fn errors(path: &str, text: &str) -> usize {
        errors_of(check, path, text).len()
    }

    #[test]
    fn long_lines_are_text_only() {
        let long = "a ".repeat(LONGEST);
        assert_eq!(errors("docs/style.md", &long), 1);
        assert_eq!(errors("docs/style.md", &format!("  {long}")), 1);
        assert_eq!(errors("docs/style.md", &format!("| {long} |")), 0);
        assert_eq!(errors("docs/style.md", &format!("```\n{long}\n```\n")), 0);
        assert_eq!(errors("crates/sat/src/heap.rs", &long), 0);
    }

    #[test]
    fn comments_end_at_column_100() {
        let long = "a ".repeat(LAST_COLUMN);
        assert_eq!(errors("crates/sat/src/heap.rs", &format!("//! {long}")), 1);
        assert_eq!(errors("crates/sat/src/heap.rs", &format!("fn f() {{}}\n    // {long}")), 1);
        assert_eq!(errors("crates/sat/src/heap.rs", &format!("/// | {long} |")), 0);
        assert_eq!(errors("crates/sat/src/heap.rs", &format!("//! ```\n//! {long}\n//! ```")), 0);
        let marked = "a\u{304}".repeat(60);
        assert_eq!(errors("crates/sat/src/heap.rs", &format!("// {marked}")), 0);
    }

    #[test]
    fn programs_are_no_persons() {
        let word = ["No", "body"].concat();
        assert_eq!(errors("docs/style.md", &format!("{word} trusts a pass.")), 1);
        assert_eq!(errors("docs/style.md", &format!("The user `{word}` has no home.")), 0);
        assert_eq!(errors("docs/style.md", &format!("```\nUSER {word}\n```\n{word}")), 1);
        assert_eq!(errors("docs/style.md", "The body of a clause."), 0);
    }
}
