//! Writes a fitted strategy as Rust.

use std::fmt::Write as _;

use shofar_driver::Condition;
use shofar_engine::ENGINES;

use super::tree::Tree;

/// The text of the table.
pub(crate) fn table(tree: &Tree, problems: usize, seconds: u64) -> String {
    let rows = tree.rows();
    let mut conditions: Vec<&str> = Vec::new();
    let mut features: Vec<String> = Vec::new();
    for condition in rows.iter().flat_map(|(when, ..)| when) {
        let (name, feature) = match condition {
            Condition::AtLeast(feature, _) => ("AtLeast", feature),
            Condition::Below(feature, _) => ("Below", feature),
        };
        conditions.push(name);
        features.push(format!("{feature:?}"));
    }
    let mut text = format!(
        "//! The table of the default strategy, written by `cargo xtask strategy`.\n//!\n\
         //! Fitted on {problems} problems with a limit of {seconds} CPU seconds each.\n\n"
    );
    let uses =
        [import("super::Condition", conditions), import("crate::features::Feature", features)];
    for line in [&"use super::Row;".to_owned()].into_iter().chain(uses.iter().flatten()) {
        let _ = writeln!(text, "{line}");
    }
    text.push_str(
        "\n/// The rows, in the order in which they are tried; milliseconds.\npub const TABLE: &[Row] = &[\n",
    );
    for (when, slices, count) in rows {
        let when: Vec<String> = when.iter().map(|condition| format!("{condition:?}")).collect();
        let slices: Vec<String> = slices
            .iter()
            .map(|&(engine, slice)| format!("({:?}, {slice})", ENGINES[engine].name))
            .collect();
        let _ = writeln!(text, "    // {count} problems");
        let _ = writeln!(
            text,
            "    Row {{ when: &[{}], slices: &[{}] }},",
            when.join(", "),
            slices.join(", ")
        );
    }
    text.push_str("];\n");
    text
}

/// The line that imports these variants, if there are any.
fn import<S: AsRef<str> + Ord>(from: &str, mut names: Vec<S>) -> Option<String> {
    names.sort();
    names.dedup_by(|a, b| a.as_ref() == b.as_ref());
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    (!names.is_empty()).then(|| format!("use {from}::{{{}}};", names.join(", ")))
}
