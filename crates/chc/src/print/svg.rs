//! The clause graph as a self-contained picture.
//!
//! Forward edges leave a box at its lower side and enter the next at its upper side; edges that go back, or to the same
//! box, swing around on the right. A clause with several predicates in its body joins them in a point. Pointing at a box
//! shows its whole name, pointing at an edge the numbers of all its clauses.

use std::fmt::Write;

use shofar_base::Idx;
use shofar_term::TermStore;

use super::diagram::{Diagram, Edge, Node};
use super::layout::{LAYER_HEIGHT, Layout, NODE_HEIGHT, Place};
use crate::ChcSystem;

/// Longer names are cut.
const LONGEST_LABEL: usize = 32;

const STYLE: &str = "text{font:13px sans-serif;text-anchor:middle}\
    .box{fill:#f4f6fb;stroke:#34507a}.edge{fill:none;stroke:#555}\
    .label{font-size:10px;fill:#7a3434}.join{fill:#555}";

/// The clause graph of `system` as SVG.
pub fn graph_svg(store: &TermStore, system: &ChcSystem) -> String {
    let diagram = Diagram::new(store, system);
    let layout = Layout::new(&diagram, |label| 24 + 8 * shortened(label).chars().count());
    let mut out = String::new();
    // Swinging edges and their labels need some room on the right.
    let (width, height) = (layout.width + LAYER_HEIGHT, layout.height);
    line(
        &mut out,
        &format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">"
        ),
    );
    line(&mut out, &format!("<style>{STYLE}</style>"));
    line(
        &mut out,
        "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0,0L8,4L0,8z\" fill=\"#555\"/></marker></defs>",
    );
    for edge in &diagram.edges {
        draw_edge(&mut out, &layout, edge);
    }
    for node in diagram.labels.handles() {
        draw_node(&mut out, &diagram, node, layout.places[node]);
    }
    out.push_str("</svg>\n");
    out
}

fn draw_node(out: &mut String, diagram: &Diagram, node: Node, place: Place) {
    let Place { x, y, width, .. } = place;
    let label = &diagram.labels[node];
    let (left, upper) = (x - width / 2, y - NODE_HEIGHT / 2);
    let (text, whole) = (escaped(&shortened(label)), escaped(label));
    let shape = if node == Diagram::top() || node == diagram.bottom() {
        String::new()
    } else {
        format!(
            "<rect class=\"box\" x=\"{left}\" y=\"{upper}\" width=\"{width}\" height=\"{NODE_HEIGHT}\" rx=\"6\"/>"
        )
    };
    let base = y + 5;
    line(
        out,
        &format!("<g><title>{whole}</title>{shape}<text x=\"{x}\" y=\"{base}\">{text}</text></g>"),
    );
}

fn draw_edge(out: &mut String, layout: &Layout, edge: &Edge) {
    let numbers: Vec<String> = edge.clauses.iter().map(|c| c.index().to_string()).collect();
    line(out, &format!("<g><title>clauses {}</title>", numbers.join(", ")));
    let target = layout.places[edge.target];
    let (label_x, label_y) = if let [source] = edge.sources[..] {
        draw_single(out, layout.places[source], target)
    } else {
        draw_joined(out, layout, edge, target)
    };
    let label = escaped(&edge.label());
    line(out, &format!("<text class=\"label\" x=\"{label_x}\" y=\"{label_y}\">{label}</text></g>"));
}

/// An arrow from box to box; returns where its label goes.
fn draw_single(out: &mut String, source: Place, target: Place) -> (usize, usize) {
    if source.layer < target.layer {
        let (from, to) = (source.y + NODE_HEIGHT / 2, target.y - NODE_HEIGHT / 2);
        let bend = (to - from) / 2;
        draw_path(
            out,
            &format!(
                "M{},{from}C{},{} {},{} {},{to}",
                source.x,
                source.x,
                from + bend,
                target.x,
                to - bend,
                target.x
            ),
        );
        return (usize::midpoint(source.x, target.x), usize::midpoint(from, to));
    }
    let (from, to) = (source.x + source.width / 2, target.x + target.width / 2);
    let out_right = from.max(to) + LAYER_HEIGHT / 2;
    // A loop leaves a little below the place where it comes back.
    let (low, high) = (source.y + NODE_HEIGHT / 4, target.y.saturating_sub(NODE_HEIGHT / 4));
    draw_path(out, &format!("M{from},{low}C{out_right},{low} {out_right},{high} {to},{high}"));
    (out_right, usize::midpoint(low, high))
}

/// Lines from the boxes of the body to a point above (or beside) the head, and an arrow from there.
fn draw_joined(out: &mut String, layout: &Layout, edge: &Edge, target: Place) -> (usize, usize) {
    let places: Vec<Place> = edge.sources.iter().map(|&s| layout.places[s]).collect();
    let mean = places.iter().map(|p| p.x).sum::<usize>() / places.len();
    let x = usize::midpoint(mean, target.x);
    let y = if places.iter().all(|p| p.layer < target.layer) {
        target.y - LAYER_HEIGHT / 2
    } else {
        target.y + LAYER_HEIGHT / 2
    };
    for place in &places {
        draw_line(out, place.x, edge_y(place, y), x, y, "");
    }
    line(out, &format!("<circle class=\"join\" cx=\"{x}\" cy=\"{y}\" r=\"3\"/>"));
    draw_line(out, x, y, target.x, edge_y(&target, y), " marker-end=\"url(#tip)\"");
    (x + 14, y)
}

/// The side of a box that faces the height `y`.
fn edge_y(place: &Place, y: usize) -> usize {
    if y < place.y { place.y - NODE_HEIGHT / 2 } else { place.y + NODE_HEIGHT / 2 }
}

fn draw_line(out: &mut String, x: usize, y: usize, to_x: usize, to_y: usize, tip: &str) {
    line(out, &format!("<path class=\"edge\" d=\"M{x},{y}L{to_x},{to_y}\"{tip}/>"));
}

fn draw_path(out: &mut String, path: &str) {
    line(out, &format!("<path class=\"edge\" d=\"{path}\" marker-end=\"url(#tip)\"/>"));
}

fn line(out: &mut String, text: &str) {
    writeln!(out, "{text}").expect("strings accept text");
}

fn shortened(label: &str) -> String {
    if label.chars().count() <= LONGEST_LABEL {
        return label.to_owned();
    }
    label.chars().take(LONGEST_LABEL - 1).chain(['…']).collect()
}

/// Text that XML does not mistake for markup; control characters, which it forbids, become `�`.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::{Clause, PredAtom};
    use shofar_term::Sort;

    /// A fact, two loops of one predicate, a clause with a body of two, and a query.
    pub(in super::super) fn two_predicates(store: &mut TermStore) -> ChcSystem {
        let mut system = ChcSystem::new();
        let preds =
            ["a\"<b", "q"].map(|n| system.add_pred(store.declare(n, &[Sort::Int], Sort::Bool)));
        let x = store.var("x", Sort::Int);
        let atom = |at: usize| PredAtom { pred: preds[at], args: vec![x] };
        let constraint = store.top();
        let mut add = |body: Vec<PredAtom>, head: Option<PredAtom>| {
            system.add_clause(Clause { head, body, constraint, span: None });
        };
        add(vec![], Some(atom(0)));
        add(vec![atom(0)], Some(atom(0)));
        add(vec![atom(0)], Some(atom(0)));
        add(vec![atom(0), atom(0)], Some(atom(1)));
        add(vec![atom(1)], None);
        system
    }

    #[test]
    fn the_picture_is_well_formed_and_complete() {
        let mut store = TermStore::new();
        let system = two_predicates(&mut store);
        let text = graph_svg(&store, &system);
        assert!(text.contains("<title>a&quot;&lt;b/1</title>"), "{text}");
        assert_eq!(text.matches("<g>").count(), 4 + 4);
        assert_eq!(text.matches("<g>").count(), text.matches("</g>").count());
        assert_eq!(text.matches("class=\"join\"").count(), 1);
    }

    #[test]
    fn a_system_without_anything_is_drawn() {
        let store = TermStore::new();
        let text = graph_svg(&store, &ChcSystem::new());
        assert!(text.contains(">true</text>") && text.contains(">false</text>"));
    }

    #[test]
    fn layers_follow_the_derivation() {
        let mut store = TermStore::new();
        let system = two_predicates(&mut store);
        let diagram = Diagram::new(&store, &system);
        let layout = Layout::new(&diagram, |_| 50);
        let layers: Vec<usize> = layout.places.iter().map(|p| p.layer).collect();
        assert_eq!(layers, [0, 1, 2, 3]);
    }
}
