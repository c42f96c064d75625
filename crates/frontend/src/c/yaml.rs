//! Witnesses in the format of SV-COMP, version 2.0.
//!
//! A correctness witness lists loop invariants, each at the first character of its loop; what is no
//! expression of C there (see `invariant`) is left out, which makes the witness weaker but not
//! wrong. Invariants of loops that look at their condition last are left out, because the format
//! means what holds at the condition. A violation witness lists the values that the environment
//! gives, each at the bracket that closes its call, and as the target the expression, part of no
//! other one, in which the violation happens; its specification is the property that this violates.
//! A proof with overflow checked is one for several properties, of which the format can name one.
//!
//! Source: the format of verification witnesses 2.0, [ABLSS24].

use std::fmt::Write as _;

use shofar_chc::read::{HornProblem, Task};
use shofar_chc::{Derivation, Interpretation};
use shofar_term::{Term, TermStore};

use super::explain::Explanation;
use super::invariant::Names;
use super::predicates::{Place, PlaceKind};
use super::program::{OUT_OF_BOUNDS, OVERFLOW};
use super::types::{Arithmetic, DataModel};
use crate::execution::{Told, show};

/// The properties of SV-COMP: no error is reached, no signed number overflows, nothing outside of
/// an array is read or written.
const UNREACHABLE: &str = "G ! call(reach_error())";
const NO_OVERFLOW: &str = "G ! overflow";
const VALID: &str = "G valid-deref";

/// The loop invariants of a proof.
pub(super) fn correctness(
    explanation: &Explanation,
    store: &mut TermStore,
    problem: &HornProblem,
    model: &Interpretation,
    task: &Task<'_>,
) -> String {
    let property = match explanation.arithmetic {
        Arithmetic::Mathematical => UNREACHABLE,
        Arithmetic::Checked => NO_OVERFLOW,
    };
    let mut text = metadata("invariant_set", property, explanation.model, task);
    let variables = Names::new(&explanation.variables);
    let mut is_empty = true;
    for (pred, place) in problem.system.preds().zip(&explanation.places) {
        // Of an expanded function there is a loop for each call, and none of their invariants is
        // one of the text.
        let is_own = place.within.start <= place.span.start && place.span.end <= place.within.end;
        let is_told = place.kind == PlaceKind::Loop && is_own;
        let Some(definition) = model.get(pred).filter(|_| is_told) else { continue };
        let names = problem.system.param_names(pred).unwrap_or_default();
        let params: Vec<(Term, String)> = definition
            .params
            .iter()
            .zip(names)
            .map(|(&symbol, name)| (store.constant(symbol), name.clone()))
            .collect();
        let said = variables.invariant(store, place, &params, definition.body);
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

/// The inputs of an execution, and where it ends; nothing if it is too long to be told.
pub(super) fn violation(
    explanation: &Explanation,
    store: &TermStore,
    refutation: &Derivation,
    task: &Task<'_>,
) -> Option<String> {
    let execution = explanation.execution(store, refutation);
    if execution.is_cut {
        return None;
    }
    let moments = execution.moments;
    let violated = moments.iter().rev().find_map(|moment| match moment.told {
        Told::Violate(why, _) => Some(why),
        Told::Reach(..)
        | Told::Decide(_)
        | Told::Set(..)
        | Told::SetElement(..)
        | Told::Open(..)
        | Told::Input(..)
        | Told::Enter(..)
        | Told::Return(_) => None,
    });
    let property = match violated {
        Some(OVERFLOW) => NO_OVERFLOW,
        Some(OUT_OF_BOUNDS) => VALID,
        Some(_) | None => UNREACHABLE,
    };
    let mut text = metadata("violation_sequence", property, explanation.model, task);
    text.push_str("  content:\n");
    for moment in &moments {
        let (kind, at, constraint) = match &moment.told {
            Told::Input(_, value) => {
                let constraint = format!("\\result == {}", show(store, value));
                ("function_return", moment.span.end.saturating_sub(1), Some(constraint))
            }
            Told::Violate(_, full) => ("target", full.start, None),
            Told::Reach(..)
            | Told::Decide(_)
            | Told::Set(..)
            | Told::SetElement(..)
            | Told::Open(..)
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
    Some(text)
}

/// What every witness begins with.
fn metadata(kind: &str, property: &str, model: DataModel, task: &Task<'_>) -> String {
    let model = model.name();
    let Task { file, sha256, uuid, created, version } = task;
    let (file, created) = (quoted(file), quoted(created));
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
      data_model: {model}
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
