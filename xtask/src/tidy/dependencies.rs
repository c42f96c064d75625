//! Dependencies that nothing uses.
//!
//! A package that a manifest lists under `dependencies` must be named in the sources of its crate,
//! one for tests anywhere in the crate's folder, and one of the workspace by some crate.

use std::collections::BTreeSet;

use super::{Findings, Source};

/// Checks the manifest of every crate, and that of the workspace.
pub(super) fn check(sources: &[Source], findings: &mut Findings) {
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for manifest in sources.iter().filter(|source| source.path.ends_with("/Cargo.toml")) {
        let folder = manifest.path.trim_end_matches("Cargo.toml");
        for (section, package) in packages(&manifest.text) {
            used.insert(package);
            let place = if section == "dependencies" { "src/" } else { "" };
            if !is_named(sources, &format!("{folder}{place}"), package) {
                let path = &manifest.path;
                findings.error(format!("{path}: nothing uses `{package}` ({section})"));
            }
        }
    }
    for root in sources.iter().filter(|source| source.path == "Cargo.toml") {
        for (section, package) in packages(&root.text) {
            if section == "workspace.dependencies" && !used.contains(package) {
                findings.error(format!("{}: no crate uses `{package}`", root.path));
            }
        }
    }
}

/// The packages that a manifest lists, with their sections.
fn packages(manifest: &str) -> Vec<(&str, &str)> {
    let mut section = "";
    let mut found = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line.trim_matches(['[', ']']);
        } else if section.ends_with("dependencies") && !line.is_empty() && !line.starts_with('#') {
            let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
            found.push((section, name.trim_matches('"')));
        }
    }
    found
}

/// Whether some source in a folder, or the build script beside it, names a package.
fn is_named(sources: &[Source], folder: &str, package: &str) -> bool {
    let word = package.replace('-', "_");
    let is_inside = |source: &&Source| {
        source.is_rust()
            && (source.path.starts_with(folder)
                || source.path == format!("{}build.rs", folder.trim_end_matches("src/")))
    };
    sources.iter().filter(is_inside).any(|source| names(&source.text, &word))
}

/// Whether a text has a word that is not a part of a longer one.
fn names(text: &str, word: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !is_part(before.chars().next_back()) && !is_part(after.chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_listed_is_used() {
        let errors = |manifest: &str, path: &str, code: &str| {
            let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
            let sources = [
                source("crates/sat/Cargo.toml", manifest),
                source(path, code),
                source("Cargo.toml", "[workspace.dependencies]\nsmall-vec = \"1\"\n"),
            ];
            let mut findings = Findings::default();
            check(&sources, &mut findings);
            findings.errors.len()
        };
        let (manifest, inside) =
            ("[dependencies]\nsmall-vec.workspace = true\n", "crates/sat/src/lib.rs");
        assert_eq!(errors(manifest, inside, "use small_vec::SmallVec;"), 0);
        assert_eq!(errors(manifest, inside, "use my_small_vec::SmallVec;"), 1);
        assert_eq!(errors(manifest, "crates/term/src/lib.rs", "use small_vec::SmallVec;"), 1);
        assert_eq!(errors(manifest, "crates/sat/tests/x.rs", "use small_vec::SmallVec;"), 1);
        let for_tests = manifest.replace("[dep", "[dev-dep");
        assert_eq!(errors(&for_tests, "crates/sat/tests/x.rs", "use small_vec::SmallVec;"), 0);
        assert_eq!(errors("", inside, "use small_vec::SmallVec;"), 1);
    }
}
