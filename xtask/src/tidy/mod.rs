//! `cargo xtask tidy`: the house rules that the compiler does not know.
//!
//! | rule | where |
//! |---|---|
//! | a crate uses strictly lower layers only, and the checker of proofs no solver | [`layers`] |
//! | what a manifest lists is used | [`dependencies`] |
//! | libraries do not look at the clock, at files or at the order of hash tables | [`code`] |
//! | files are small, have a module doc and a telling name; no reminders, no hosts, no machine paths | [`files`] |
//! | papers are cited by keys that the bibliography explains | [`citations`] |
//! | lines of Markdown are short, and speak of programs as programs | [`prose`] |

mod citations;
mod code;
mod dependencies;
mod files;
mod layers;
mod prose;

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::process;

/// Options of the task.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// List where the code departs from the papers it follows.
    #[arg(long)]
    divergences: bool,
}

/// A text file of the repository.
pub(crate) struct Source {
    /// Relative to the root, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    fn is_rust(&self) -> bool {
        self.extension() == Some("rs")
    }
    fn stem(&self) -> &str {
        Path::new(&self.path).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default()
    }
    fn extension(&self) -> Option<&str> {
        Path::new(&self.path).extension()?.to_str()
    }
}

/// What the rules have to say.
#[derive(Default)]
pub(crate) struct Findings {
    warnings: Vec<String>,
    errors: Vec<String>,
}

impl Findings {
    /// Something to look at.
    pub(crate) fn warn(&mut self, message: String) {
        self.warnings.push(message);
    }
    /// Something that must not stay.
    pub(crate) fn error(&mut self, message: String) {
        self.errors.push(message);
    }
}

/// What a rule finds wrong with one file.
#[cfg(test)]
fn errors_of(check: impl Fn(&[Source], &mut Findings), path: &str, text: &str) -> Vec<String> {
    let mut findings = Findings::default();
    check(&[Source { path: path.into(), text: text.into() }], &mut findings);
    findings.errors
}

/// Runs the task; false if a rule is broken.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    let sources = sources()?;
    if options.divergences {
        for source in sources.iter().filter(|source| source.is_rust()) {
            for (number, line) in
                (1..).zip(source.text.lines()).filter(|(_, line)| is_divergence(line))
            {
                println!("{}:{number}: {}", source.path, line.trim_start_matches(['/', '!', ' ']));
            }
        }
        return Ok(true);
    }
    let mut findings = Findings::default();
    layers::check(&sources, &mut findings);
    dependencies::check(&sources, &mut findings);
    code::check(&sources, &mut findings);
    files::check(&sources, &mut findings);
    citations::check(&sources, &mut findings);
    prose::check(&sources, &mut findings);
    for warning in &findings.warnings {
        println!("warning: {warning}");
    }
    for error in &findings.errors {
        println!("error: {error}");
    }
    println!(
        "tidy: {} files, {} warnings, {} errors",
        sources.len(),
        findings.warnings.len(),
        findings.errors.len()
    );
    Ok(findings.errors.is_empty())
}

/// Whether a line is a comment that states a divergence.
fn is_divergence(line: &str) -> bool {
    line.trim_start().starts_with("//") && line.contains("DIVERGENCE")
}

/// All text files that git tracks or would track.
fn sources() -> Result<Vec<Source>, String> {
    let root = process::root();
    let listed = Command::new("git")
        .current_dir(&root)
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .output()
        .map_err(|error| format!("git: {error}"))?;
    let mut paths: Vec<String> =
        String::from_utf8_lossy(&listed.stdout).lines().map(str::to_owned).collect();
    paths.sort();
    paths.dedup();
    // A listed file may be deleted, or be no text.
    let read =
        |path: String| fs::read_to_string(root.join(&path)).ok().map(|text| Source { path, text });
    Ok(paths.into_iter().filter_map(read).collect())
}
