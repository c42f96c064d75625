//! Rules for single files: size, name, module doc, and words that do not belong into a finished
//! file.

use super::{Findings, Source};

/// Lines from which a file is worth a look, and from which it is too long.
const LONG: usize = 600;
const TOO_LONG: usize = 900;

/// Names that say nothing.
const FORBIDDEN_NAMES: &[&str] =
    &["util", "utils", "common", "helper", "helpers", "misc", "manager"];

/// Checks every file.
pub(super) fn check(sources: &[Source], findings: &mut Findings) {
    for source in sources {
        check_name(source, findings);
        if source.is_rust() {
            check_size(source, findings);
            check_doc(source, findings);
        }
        if !source.path.ends_with("Cargo.lock") {
            check_words(source, findings);
        }
    }
}

fn check_name(source: &Source, findings: &mut Findings) {
    let folders = source.path.split('/').rev().skip(1);
    for name in folders.chain([source.stem()]) {
        if FORBIDDEN_NAMES.contains(&name) {
            findings.error(format!("{}: `{name}` is no name for anything", source.path));
        }
    }
}

fn check_size(source: &Source, findings: &mut Findings) {
    let lines = source.text.lines().count();
    if lines > TOO_LONG {
        findings.error(format!("{}: {lines} lines, at most {TOO_LONG}", source.path));
    } else if lines > LONG {
        findings.warn(format!("{}: {lines} lines, more than {LONG}", source.path));
    }
}

fn check_doc(source: &Source, findings: &mut Findings) {
    let first = source.text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    if !first.starts_with("//!") {
        findings.error(format!("{}: no module doc at the top", source.path));
    }
}

/// Words that are refused, put together here so that this file does not contain them.
fn refused_words() -> Vec<(String, &'static str)> {
    let join = |parts: [&str; 2]| parts.concat();
    vec![
        (join(["TO", "DO"]), "a reminder belongs into an issue"),
        (join(["FIX", "ME"]), "a reminder belongs into an issue"),
        (join(["crates", ".io"]), "name packages, not registry hosts"),
        (join(["pypi", ".org"]), "name packages, not registry hosts"),
        (join(["pythonhosted", ".org"]), "name packages, not registry hosts"),
        (join(["npmjs", ".org"]), "name packages, not registry hosts"),
        (join(["debian", ".org"]), "name packages, not registry hosts"),
        (join(["/root", "/"]), "an absolute path of some machine"),
        (join(["/home", "/"]), "an absolute path of some machine"),
        (join(["/work", "/"]), "an absolute path of some machine"),
    ]
}

fn check_words(source: &Source, findings: &mut Findings) {
    for (word, reason) in refused_words() {
        for (number, line) in (1..).zip(source.text.lines()) {
            if contains_word(line, &word) {
                findings.error(format!("{}:{number}: `{word}`: {reason}", source.path));
            }
        }
    }
}

/// Whether `word` occurs and is not part of a longer one.
fn contains_word(line: &str, word: &str) -> bool {
    let boundary = |c: Option<char>| !c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    let path = word.ends_with('/');
    line.match_indices(word).any(|(at, _)| {
        let before = boundary(line[..at].chars().next_back());
        let after = boundary(line[at + word.len()..].chars().next());
        before && (after || path)
    })
}

#[cfg(test)]
mod tests {
    use super::super::errors_of;
    use super::*;

    fn errors(path: &str, text: &str) -> Vec<String> {
        errors_of(check, path, text)
    }

    #[test]
    fn each_rule_can_fail() {
        assert!(errors("crates/sat/src/heap.rs", "//! A heap.\n").is_empty());
        assert_eq!(errors("crates/sat/src/utils.rs", "//! Things.\n").len(), 1);
        assert_eq!(errors("crates/sat/src/heap.rs", "fn f() {}\n").len(), 1);
        assert_eq!(errors("crates/sat/src/heap.rs", &"//! x\n".repeat(901)).len(), 1);
        let reminder = format!("//! x\n// {}: later\n", ["TO", "DO"].concat());
        assert_eq!(errors("crates/sat/src/heap.rs", &reminder).len(), 1);
        assert_eq!(errors("README.md", &["see /ho", "me/x/y"].concat()).len(), 1);
        assert!(errors("README.md", "a framework/design and MASTODON").is_empty());
    }
}
