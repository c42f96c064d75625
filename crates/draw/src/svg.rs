//! The clause graph as a self-contained picture.
//!
//! Clauses are small boxes between the predicates that they use and the one that they derive. Lines
//! leave a box at its lower side and enter the next at its upper side; backward they run the other
//! way round, and the arrow points upward. A clause from a predicate to itself stands beside it, in
//! a loop. Boxes are drawn after the lines and cover them. Pointing at a predicate shows its
//! declaration, pointing at a clause its text.

use std::fmt::Write;

use shofar_chc::ChcSystem;
use shofar_term::TermStore;

use crate::captions::Captions;
use crate::diagram::{Caption, Diagram, EdgeId, Node};
use crate::layout::{Extent, Layout};
use crate::ports::{Ports, link_heights, spread};
use crate::rows::{Item, Link, Rows, Shape, Tip};
use crate::xml::xml_text;

/// How high predicates and the boxes of clauses are.
const HEIGHT: (f64, f64) = (28.0, 18.0);
/// How wide a character of a predicate and of a clause is: fonts in which all are alike have six
/// tenths of their size.
const CHARACTER: (f64, f64) = (7.8, 6.6);
/// The space on both sides of a text.
const PADDING: (f64, f64) = (12.0, 6.0);
/// From a predicate to the box of its loop.
const LOOP_GAP: f64 = 22.0;

const STYLE: &str = "text{font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;\
    text-anchor:middle;fill:#1b2a41}\
    .pred rect{fill:#eaf1fb;stroke:#34507a;stroke-width:1.3}.pred text{font-size:13px}\
    .constant text{font-size:13px;font-weight:bold;fill:#34507a}\
    .clause text{font-size:11px}.clause rect{fill:#fffdf4;stroke:#a38a4a}\
    .fact rect{fill:#eef8ee;stroke:#5d8f5d}.query rect{fill:#fdeeee;stroke:#b05a5a}\
    .lines path{fill:none;stroke:#6b7280;stroke-width:1.1}";

/// The clause graph of `system` as SVG.
pub fn graph_svg(store: &TermStore, system: &ChcSystem, captions: &Captions) -> String {
    let diagram = Diagram::new(store, system, captions);
    let layout = Layout::new(&diagram, |rows, shape| extent(&diagram, rows, shape));
    let mut picture = Picture { diagram: &diagram, layout: &layout, out: String::new() };
    picture.open(system);
    picture.draw_lines();
    for item in layout.rows.shapes.handles() {
        match layout.rows.shapes[item] {
            Shape::Node(node) => picture.draw_node(item, node),
            Shape::Clauses(id) => {
                picture.draw_clauses(id, layout.x[item], layout.middle(item));
            }
            Shape::Bend => (),
        }
    }
    picture.out.push_str("</svg>\n");
    picture.out
}

/// How large something is.
fn extent(diagram: &Diagram, rows: &Rows, shape: Shape) -> Extent {
    match shape {
        Shape::Node(node) => {
            let half = node_width(diagram, node) / 2.0;
            let beside =
                rows.loops[node].map_or(0.0, |id| LOOP_GAP + clauses_width(diagram, id) + 4.0);
            Extent { left: half, right: half + beside, height: HEIGHT.0 }
        }
        Shape::Clauses(id) => {
            let half = clauses_width(diagram, id) / 2.0;
            Extent { left: half, right: half, height: HEIGHT.1 }
        }
        Shape::Bend => Extent::default(),
    }
}

fn node_width(diagram: &Diagram, node: Node) -> f64 {
    text_width(&diagram.captions[node].label, CHARACTER.0) + 2.0 * PADDING.0
}

fn clauses_width(diagram: &Diagram, id: EdgeId) -> f64 {
    let label = &diagram.edges[id].caption.label;
    (text_width(label, CHARACTER.1) + 2.0 * PADDING.1).max(HEIGHT.1)
}

/// Ideographs and the like are twice as wide as other characters.
fn text_width(text: &str, character: f64) -> f64 {
    let is_wide = |c: char| {
        ('\u{1100}'..='\u{115f}').contains(&c)
            || ('\u{2e80}'..'\u{fff0}').contains(&c)
            || c >= '\u{1f300}'
    };
    let width = |c: char| if is_wide(c) { 2.0 } else { 1.0 };
    text.chars().map(width).sum::<f64>() * character
}

/// A picture in the making.
struct Picture<'a> {
    diagram: &'a Diagram,
    layout: &'a Layout,
    out: String,
}

impl Picture<'_> {
    fn open(&mut self, system: &ChcSystem) {
        let Layout { width, height, .. } = self.layout;
        let (preds, clauses) = (system.pred_count(), system.clause_count());
        self.line(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" \
             aria-label=\"clause graph: predicates {preds}, clauses {clauses}\">"
        ));
        self.line(&format!("<style>{STYLE}</style>"));
        self.line(
            "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7.5\" refY=\"4\" \
             markerWidth=\"8\" markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
             <path d=\"M0,0.8L8,4L0,7.2z\" fill=\"#6b7280\"/></marker></defs>",
        );
        self.line(&format!("<rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#ffffff\"/>"));
    }
    fn draw_lines(&mut self) {
        self.line("<g class=\"lines\">");
        let ports = Ports::new(self.layout);
        for (number, link) in self.layout.rows.links.iter().enumerate() {
            self.draw_link(link, ports.ends[number]);
        }
        for item in self.layout.rows.shapes.handles() {
            if let Shape::Node(node) = self.layout.rows.shapes[item]
                && let Some(id) = self.layout.rows.loops[node]
            {
                self.draw_loop(item, node, id);
            }
        }
        self.line("</g>");
    }
    /// A line from box to box, or from bend to bend; at a bend it runs straight through the row.
    fn draw_link(&mut self, link: &Link, (from_x, to_x): (f64, f64)) {
        let (from, to) = link_heights(self.layout, link);
        let middle = f64::midpoint(from, to);
        let path = match link.tip {
            Tip::Upper => {
                format!(
                    "M{to_x:.1},{to:.1}C{to_x:.1},{middle:.1} {from_x:.1},{middle:.1} {from_x:.1},{from:.1}"
                )
            }
            Tip::None | Tip::Lower => {
                let (upper, _) = self.layout.y[self.layout.rows.row[link.upper]];
                let through = match self.layout.rows.shapes[link.upper] {
                    Shape::Bend => format!("M{from_x:.1},{upper:.1}V{from:.1}"),
                    Shape::Node(_) | Shape::Clauses(_) => format!("M{from_x:.1},{from:.1}"),
                };
                format!("{through}C{from_x:.1},{middle:.1} {to_x:.1},{middle:.1} {to_x:.1},{to:.1}")
            }
        };
        let tip = match link.tip {
            Tip::None => "",
            Tip::Upper | Tip::Lower => " marker-end=\"url(#tip)\"",
        };
        self.line(&format!("<path d=\"{path}\"{tip}/>"));
    }
    /// Lines from the right side of a predicate below to the box of its loop, one for each
    /// occurrence, and an arrow back above.
    fn draw_loop(&mut self, item: Item, node: Node, id: EdgeId) {
        let (right, center) = self.loop_ends(item, node, id);
        let y = self.layout.middle(item);
        let half = HEIGHT.1 / 2.0;
        let occurrences = self.diagram.edges[id].sources.len();
        for number in 0..occurrences {
            let apart = spread(number, occurrences, 9.0);
            let (start, below, end) = (y + 7.0 + apart / 2.0, y + 17.0 + apart, center + apart);
            self.line(&format!(
                "<path d=\"M{right:.1},{start:.1}C{:.1},{below:.1} {end:.1},{below:.1} {end:.1},{:.1}\"/>",
                right + 12.0,
                y + half
            ));
        }
        let above = y - 17.0;
        self.line(&format!(
            "<path d=\"M{center:.1},{:.1}C{center:.1},{above:.1} {:.1},{above:.1} {right:.1},{:.1}\" marker-end=\"url(#tip)\"/>",
            y - half,
            right + 14.0,
            y - 7.0
        ));
    }
    /// The right side of a predicate and the middle of the box of its loop.
    fn loop_ends(&self, item: Item, node: Node, id: EdgeId) -> (f64, f64) {
        let right = self.layout.x[item] + node_width(self.diagram, node) / 2.0;
        (right, right + LOOP_GAP + clauses_width(self.diagram, id) / 2.0)
    }
    fn draw_node(&mut self, item: Item, node: Node) {
        let (x, y) = (self.layout.x[item], self.layout.middle(item));
        let Caption { label, about } = &self.diagram.captions[node];
        let (label, about) = (xml_text(label), xml_text(about));
        let class = if self.diagram.is_pred(node) { "pred" } else { "constant" };
        let shape = if self.diagram.is_pred(node) {
            rectangle(x, y, node_width(self.diagram, node), HEIGHT.0, 7)
        } else {
            String::new()
        };
        let base = y + 4.5;
        self.line(&format!(
            "<g class=\"{class}\"><title>{about}</title>{shape}<text x=\"{x:.1}\" y=\"{base:.1}\">{label}</text></g>"
        ));
        if let Some(id) = self.layout.rows.loops[node] {
            let (_, center) = self.loop_ends(item, node, id);
            self.draw_clauses(id, center, y);
        }
    }
    fn draw_clauses(&mut self, id: EdgeId, x: f64, y: f64) {
        let edge = &self.diagram.edges[id];
        let Caption { label, about } = &edge.caption;
        let (label, about) = (xml_text(label), xml_text(about));
        let class = if edge.target == self.diagram.bottom() {
            "clause query"
        } else if edge.sources[..] == [Diagram::top()] {
            "clause fact"
        } else {
            "clause"
        };
        let (shape, base) =
            (rectangle(x, y, clauses_width(self.diagram, id), HEIGHT.1, 2), y + 4.0);
        self.line(&format!(
            "<g class=\"{class}\"><title>{about}</title>{shape}<text x=\"{x:.1}\" y=\"{base:.1}\">{label}</text></g>"
        ));
    }
    fn line(&mut self, text: &str) {
        writeln!(self.out, "{text}").expect("strings accept text");
    }
}

/// A rectangle around a point.
fn rectangle(x: f64, y: f64, width: f64, height: f64, round: u32) -> String {
    let (left, upper) = (x - width / 2.0, y - height / 2.0);
    format!(
        "<rect x=\"{left:.1}\" y=\"{upper:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"{round}\"/>"
    )
}

#[cfg(test)]
pub(crate) mod tests;
