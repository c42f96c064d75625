//! Witnesses in the format of SV-COMP, version 2.0.
//!
//! A correctness witness lists loop invariants; those that are no expression of C are left out, which makes the witness weaker
//! but not wrong. A violation witness lists the values that the environment gives, each at the bracket that closes its call, and
//! the place of the violation as the target.
//!
//! Source: the format of verification witnesses 2.0, [ABLSS24].

use std::fmt::Write as _;

use shofar_chc::read::{HornProblem, Task};
use shofar_chc::{Derivation, Interpretation};
use shofar_term::TermStore;

use super::encode::{Place, PlaceKind};
use super::explain::{Explanation, formula};
use super::types::Arithmetic;
use crate::execution::{Told, show};

/// The loop invariants of a proof.
pub(super) fn correctness(
    explanation: &Explanation,
    store: &mut TermStore,
    problem: &HornProblem,
    model: &Interpretation,
    task: &Task<'_>,
) -> String {
    let mut text = metadata(explanation, "invariant_set", task);
    let mut is_empty = true;
    for (pred, place) in problem.system.preds().zip(&explanation.places) {
        let Some(definition) = model.get(pred).filter(|_| place.kind == PlaceKind::Loop) else {
            continue;
        };
        let said = formula(store, problem, pred, definition, true);
        let Some(said) = said else { continue };
        if is_empty {
            text.push_str("  content:\n");
            is_empty = false;
        }
        text.push_str("    - invariant:\n        type: loop_invariant\n");
        location(explanation, &mut text, place, place.span.start, 8, task);
        let _ = writeln!(text, "        value: {}\n        format: c_expression", quoted(&said));
    }
    if is_empty {
        text.push_str("  content: []\n");
    }
    text
}

/// The inputs of an execution, and where it ends.
pub(super) fn violation(
    explanation: &Explanation,
    store: &TermStore,
    refutation: &Derivation,
    task: &Task<'_>,
) -> String {
    let mut text = metadata(explanation, "violation_sequence", task);
    text.push_str("  content:\n");
    for moment in &explanation.execution(store, refutation).moments {
        let (kind, at, constraint) = match &moment.told {
            Told::Input(_, value) => {
                let constraint = format!("\\result == {}", show(store, value));
                ("function_return", moment.span.end.saturating_sub(1), Some(constraint))
            }
            Told::Violate(_) => ("target", moment.span.start, None),
            Told::Reach(..)
            | Told::Decide(_)
            | Told::Set(..)
            | Told::SetElement(..)
            | Told::Enter(..)
            | Told::Return(_) => continue,
        };
        let _ = write!(
            text,
            "    - segment:\n        - waypoint:\n            type: {kind}\n            action: follow\n"
        );
        if let Some(constraint) = constraint {
            let constraint = quoted(&constraint);
            let _ = write!(
                text,
                "            constraint:\n              value: {constraint}\n              format: acsl_expression\n"
            );
        }
        place_of(explanation, &mut text, at, 12, task);
    }
    text
}

/// What every witness begins with.
fn metadata(explanation: &Explanation, kind: &str, task: &Task<'_>) -> String {
    let Task { file, sha256, uuid, created, version } = task;
    let (file, created) = (quoted(file), quoted(created));
    let property = match explanation.arithmetic {
        Arithmetic::Mathematical => "G ! call(reach_error())",
        Arithmetic::Checked => "G ! overflow",
    };
    format!(
        "- entry_type: {kind}
  metadata:
    format_version: \"2.0\"
    uuid: {uuid}
    creation_time: {created}
    producer:
      name: Shofar
      version: \"{version}\"
    task:
      input_files:
        - {file}
      input_file_hashes:
        {file}: {sha256}
      specification: \"CHECK( init(main()), LTL({property}) )\"
      data_model: LP64
      language: C
"
    )
}

fn location(
    explanation: &Explanation,
    text: &mut String,
    place: &Place,
    at: usize,
    indent: usize,
    task: &Task<'_>,
) {
    place_of(explanation, text, at, indent, task);
    let indent = " ".repeat(indent + 2);
    let _ = writeln!(text, "{indent}function: {}", place.function);
}

fn place_of(
    explanation: &Explanation,
    text: &mut String,
    at: usize,
    indent: usize,
    task: &Task<'_>,
) {
    let (line, column) = (explanation.listing.line(at), explanation.listing.column(at));
    let (file, indent) = (quoted(task.file), " ".repeat(indent));
    let _ = write!(
        text,
        "{indent}location:\n{indent}  file_name: {file}\n{indent}  line: {line}\n{indent}  column: {column}\n"
    );
}

/// A text between double quotes.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            _ if character.is_control() => {}
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
