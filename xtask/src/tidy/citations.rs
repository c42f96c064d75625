//! Papers are cited in comments by a key such as `[Knu68]`; `docs/bibliography.md` explains each
//! key.
//!
//! An entry of the bibliography is a heading `### Key` with lines `- authors: …`, `- title: …`,
//! `- venue: …` and `- year: …`; a DOI and remarks may follow. Folders that implement a published
//! algorithm must cite one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::{Findings, Source};

const BIBLIOGRAPHY: &str = "docs/bibliography.md";
const FIELDS: [&str; 4] = ["authors", "title", "venue", "year"];

/// Files and folders that follow no publication, each with the reason.
const WITHOUT_SOURCE: &[(&str, &str)] = &[
    ("crates/engine/src/definitions.rs", "bookkeeping of equations"),
    ("crates/engine/src/layers.rs", "shared data of engines that follow paths"),
    ("crates/engine/src/link.rs", "renaming between a clause and a loop"),
    ("crates/engine/src/fixpoint_options.rs", "settings"),
    ("crates/engine/src/options", "settings"),
    ("crates/engine/src/orthogonal.rs", "Gauss elimination"),
    ("crates/engine/src/papers.rs", "the papers themselves"),
    ("crates/engine/src/pool.rs", "a list that threads share"),
    ("crates/engine/src/registry.rs", "the table of engines"),
    ("crates/engine/src/rule.rs", "a clause in the form that engines use"),
    ("crates/mbp/src/scope.rs", "bookkeeping of variables"),
    ("crates/theory/src/inequality.rs", "what a literal says"),
    ("crates/theory/src/theory.rs", "the interface"),
];

/// Whether citations in a file must resolve: sources and prose, but not the bibliography nor the
/// examples in this tool.
fn cites(source: &Source) -> bool {
    let is_prose = source.extension() == Some("md") && source.path != BIBLIOGRAPHY;
    (source.is_rust() || is_prose) && !source.path.starts_with("xtask/")
}

/// Checks the bibliography, that every key resolves, and that files of algorithms cite one.
pub(super) fn check(sources: &[Source], findings: &mut Findings) {
    let Some(bibliography) = sources.iter().find(|source| source.path == BIBLIOGRAPHY) else {
        findings.error(format!("{BIBLIOGRAPHY} is missing"));
        return;
    };
    let known = entries(bibliography, findings);
    let mut cited = BTreeSet::new();
    // For each place that must cite something: whether it does.
    let mut places: BTreeMap<String, bool> = BTreeMap::new();
    for source in sources.iter().filter(|source| cites(source)) {
        let keys = if source.is_rust() { keys(&source.text) } else { prose_keys(&source.text) };
        for (key, line) in &keys {
            if !known.contains(key) {
                findings.error(format!("{}:{line}: [{key}] is not in {BIBLIOGRAPHY}", source.path));
            }
        }
        if let Some(place) = place(source) {
            *places.entry(place).or_default() |= !keys.is_empty();
        }
        cited.extend(keys.into_keys());
    }
    for (place, _) in places.iter().filter(|(_, cites)| !**cites) {
        if WITHOUT_SOURCE.iter().any(|(path, _)| path == place) {
            continue;
        }
        if Path::new(place).extension().is_none() {
            findings.error(format!("{place}: no file cites a source"));
        } else {
            findings.error(format!("{place}: cites no source"));
        }
    }
    for key in known.difference(&cited) {
        findings.warn(format!("{BIBLIOGRAPHY}: nothing cites [{key}]"));
    }
}

/// The keys that the bibliography explains.
fn entries(bibliography: &Source, findings: &mut Findings) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    for entry in bibliography.text.split("\n### ").skip(1) {
        let (key, body) = entry.split_once('\n').unwrap_or((entry, ""));
        let key = key.trim();
        for field in FIELDS {
            let prefix = format!("- {field}: ");
            if !body.lines().any(|line| {
                line.strip_prefix(&prefix).is_some_and(|value| !value.trim().is_empty())
            }) {
                findings.error(format!("{BIBLIOGRAPHY}: [{key}] has no {field}"));
            }
        }
        if !is_key(key) || !known.insert(key.to_owned()) {
            findings.error(format!("{BIBLIOGRAPHY}: bad or repeated key `{key}`"));
        }
    }
    known
}

/// Letters, two digits of the year, and a letter if there were several.
fn is_key(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '+');
    let letters = text.len() - rest.len();
    let (year, suffix) = rest.split_at_checked(2).unwrap_or((rest, ""));
    letters >= 1
        && text.starts_with(|c: char| c.is_ascii_uppercase())
        && year.len() == 2
        && year.bytes().all(|b| b.is_ascii_digit())
        && suffix.len() <= 1
        && suffix.bytes().all(|b| b.is_ascii_lowercase())
}

/// Keys cited in comments, with the first line of each.
fn keys(text: &str) -> BTreeMap<String, usize> {
    let comment = |line| str::split_once(line, "//").map_or("", |(_, comment)| comment);
    keys_of_lines(text.lines().map(comment))
}

/// Keys cited in prose, with the first line of each.
fn prose_keys(text: &str) -> BTreeMap<String, usize> {
    keys_of_lines(text.lines())
}

fn keys_of_lines<'t>(lines: impl Iterator<Item = &'t str>) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for (number, line) in (1..).zip(lines) {
        for part in line.split('[').skip(1) {
            if let Some((key, _)) = part.split_once(']')
                && key.split(", ").all(is_key)
            {
                for key in key.split(", ") {
                    found.entry(key.to_owned()).or_insert(number);
                }
            }
        }
    }
    found
}

/// The place whose algorithm must have a source: a folder of an engine, theory or interpolation, or
/// a file outside such folders.
fn place(source: &Source) -> Option<String> {
    let parts: Vec<&str> = source.path.split('/').collect();
    let ["crates", name, "src", inner @ ..] = &parts[..] else { return None };
    let algorithmic = matches!(*name, "engine" | "theory" | "mbp");
    let interpolates = *name == "smt" && inner.iter().any(|part| part.contains("interpol"));
    if (!algorithmic && !interpolates) || inner.contains(&"tests") {
        return None;
    }
    match inner {
        ["lib.rs" | "tests.rs"] => None,
        [_] => Some(source.path.clone()),
        _ => Some(parts[..parts.len() - 1].join("/")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_in_comments_only() {
        let text = "//! Source: [DdM06] §3, [KGC16, SLF14].\nlet x = a[B12]; // as in [McM03a]\n/// [`Vec`] [x] [ABC]";
        let found: Vec<String> = keys(text).into_keys().collect();
        assert_eq!(found, ["DdM06", "KGC16", "McM03a", "SLF14"]);
    }

    #[test]
    fn broken_entries_and_missing_citations_are_errors() {
        let bibliography = "# B\n\n### DdM06\n- authors: A\n- title: T\n- venue: V\n- year: 2006\n\n### Bad\n- title: T\n";
        let check_with = |path: &str, text: &str| {
            let sources = [
                Source { path: BIBLIOGRAPHY.into(), text: bibliography.into() },
                Source { path: path.into(), text: text.into() },
            ];
            let mut findings = Findings::default();
            check(&sources, &mut findings);
            findings.errors.len()
        };
        // The entry `Bad` lacks three fields and is no key.
        assert_eq!(check_with("crates/theory/src/arith/simplex.rs", "//! See [DdM06]."), 4);
        assert_eq!(check_with("crates/theory/src/arith/simplex.rs", "//! See [Knu68]."), 5);
        assert_eq!(check_with("crates/theory/src/arith/simplex.rs", "//! Nothing."), 5);
        assert_eq!(check_with("crates/theory/src/lib.rs", "//! Nothing."), 4);
        assert_eq!(check_with("crates/theory/src/closure.rs", "//! Nothing."), 5);
        assert_eq!(check_with("crates/theory/src/theory.rs", "//! Nothing."), 4);
        assert_eq!(check_with("docs/style.md", "As in [DdM06]."), 4);
        assert_eq!(check_with("docs/style.md", "As in [Knu68]."), 5);
    }
}
