//! The clause graph in the language of Graphviz.

use std::fmt::Write;

use shofar_base::Idx;
use shofar_term::TermStore;

use super::diagram::{Diagram, Node};
use crate::ChcSystem;

/// The clause graph of `system`: predicates as boxes, clauses as arrows that carry their numbers; a clause with several
/// predicates in its body goes through a point.
pub fn graph_dot(store: &TermStore, system: &ChcSystem) -> String {
    let diagram = Diagram::new(store, system);
    let mut out = String::from(
        "digraph clauses {\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", fontsize=10];\n",
    );
    for node in diagram.labels.handles() {
        let plain = node == Diagram::top() || node == diagram.bottom();
        let style = if plain { ", shape=plaintext" } else { "" };
        line(
            &mut out,
            &format!("{} [label={}{style}];", name(node), quoted(&diagram.labels[node])),
        );
    }
    for (number, edge) in diagram.edges.iter().enumerate() {
        let (target, label) = (name(edge.target), quoted(&edge.label()));
        if let [source] = edge.sources[..] {
            line(&mut out, &format!("{} -> {target} [label={label}];", name(source)));
            continue;
        }
        line(&mut out, &format!("e{number} [shape=point];"));
        for &source in &edge.sources {
            line(&mut out, &format!("{} -> e{number} [arrowhead=none];", name(source)));
        }
        line(&mut out, &format!("e{number} -> {target} [label={label}];"));
    }
    out.push_str("}\n");
    out
}

fn line(out: &mut String, text: &str) {
    writeln!(out, "  {text}").expect("strings accept text");
}

fn name(node: Node) -> String {
    format!("n{}", node.index())
}

/// A string literal of the language.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::super::svg::tests::two_predicates;
    use super::*;

    #[test]
    fn clauses_are_arrows_and_hyperedges_go_through_a_point() {
        let mut store = TermStore::new();
        let system = two_predicates(&mut store);
        let text = graph_dot(&store, &system);
        assert!(text.contains("n1 [label=\"a\\\"<b/1\"];"), "{text}");
        assert!(text.contains("n0 -> n1 [label=\"0\"];"), "{text}");
        assert!(text.contains("n1 -> n1 [label=\"1, 2\"];"), "{text}");
        assert!(text.contains("e2 -> n2 [label=\"3\"];"), "{text}");
        assert!(text.contains("n2 -> n3 [label=\"4\"];"), "{text}");
    }
}
