//! Tells the program which commit it is built from, if it is built in its repository.
//!
//! The same commit gives the same text: the date is that of the commit. Outside of a repository, in
//! an archive or in a folder of another project there is no commit to tell, and that is no failure.
//! Cargo runs this again when the commit changes, by the files in which git keeps it, and at no
//! other time.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let number = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let version = match package.and_then(|package| commit(&package)) {
        Some(commit) => format!("{number} ({commit})"),
        None => number,
    };
    println!("cargo::rustc-env=SHOFAR_VERSION={version}");
}

/// The commit and its date.
fn commit(package: &Path) -> Option<String> {
    // A repository that merely has ours somewhere inside has commits of its own.
    let root = package.parent()?.parent()?;
    let top = PathBuf::from(git(package, &["rev-parse", "--show-toplevel"])?);
    if top.canonicalize().ok()? != root.canonicalize().ok()? {
        return None;
    }
    for place in ["HEAD", "packed-refs", "refs/heads"] {
        let path = PathBuf::from(git(package, &["rev-parse", "--git-path", place])?);
        let path = if path.is_absolute() { path } else { package.join(path) };
        // What is not there would let Cargo run this every time.
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    git(package, &["log", "-1", "--abbrev=8", "--date=short", "--format=%h %cd"])
}

/// What git says, in a line; nothing if there is no git or no repository.
fn git(folder: &Path, words: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .args(words)
        .current_dir(folder)
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty() && !text.contains('\n')).then_some(text)
}
