//! The clause graph in the language of Graphviz.

use std::fmt::Write;

use shofar_base::Idx;
use shofar_chc::ChcSystem;
use shofar_term::TermStore;

use crate::captions::Captions;
use crate::diagram::{Caption, Diagram, EdgeId, Node};

/// The clause graph of `system`: predicates as rounded boxes, clauses as small boxes between what
/// they use and what they derive.
pub fn graph_dot(store: &TermStore, system: &ChcSystem, captions: &Captions) -> String {
    let diagram = Diagram::new(store, system, captions);
    let mut out = String::from(
        "digraph clauses {\n  bgcolor=white;\n  node [shape=box, style=\"rounded,filled\", fillcolor=\"#eef3fb\", color=\"#34507a\", fontname=\"sans-serif\"];\n  edge [color=\"#555555\"];\n",
    );
    for node in diagram.captions.handles() {
        let style = if diagram.is_pred(node) { "" } else { ", shape=plaintext, style=\"\"" };
        let caption = described(&diagram.captions[node]);
        line(&mut out, &format!("{} [{caption}{style}];", name(node)));
    }
    for id in diagram.edges.handles() {
        draw_clauses(&mut out, &diagram, id);
    }
    out.push_str("}\n");
    out
}

fn draw_clauses(out: &mut String, diagram: &Diagram, id: EdgeId) {
    let (edge, clauses) = (&diagram.edges[id], format!("e{}", id.index()));
    let caption = described(&edge.caption);
    line(
        out,
        &format!(
            "{clauses} [{caption}, style=filled, fillcolor=\"#fffdf5\", color=\"#a08a4c\", fontsize=10, height=0.2, width=0.2, margin=\"0.05,0.02\"];"
        ),
    );
    for &source in &edge.sources {
        line(out, &format!("{} -> {clauses} [arrowhead=none];", name(source)));
    }
    line(out, &format!("{clauses} -> {};", name(edge.target)));
}

fn line(out: &mut String, text: &str) {
    writeln!(out, "  {text}").expect("strings accept text");
}

fn name(node: Node) -> String {
    format!("n{}", node.index())
}

fn described(caption: &Caption) -> String {
    format!("label={}, tooltip={}", quoted(&caption.label), quoted(&caption.about))
}

/// A string literal of the language, in which line breaks and backslashes are written with a
/// backslash; other control characters become `�`.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            '\n' => out.push_str("\\n"),
            '\t' => out.push(' '),
            c if c.is_control() => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::tests::two_predicates;

    #[test]
    fn clauses_are_small_boxes() {
        let mut store = TermStore::new();
        let system = two_predicates(&mut store);
        let text = graph_dot(&store, &system, &Captions::unknown());
        let has = |line: &str| assert!(text.contains(line), "no {line} in\n{text}");
        has("n1 [label=\"a\\\"<b/1\", tooltip=\"(declare-fun |a\\\"<b| (Int) Bool)\"];");
        has("e1 [label=\"1, 2\", tooltip=\"clause 1\\nclause 2\", ");
        has("n1 -> e1 [arrowhead=none];\n  e1 -> n1;");
        has("n1 -> e2 [arrowhead=none];\n  n1 -> e2 [arrowhead=none];\n  e2 -> n2;");
        has("n2 -> e3 [arrowhead=none];\n  e3 -> n3;");
    }
}
