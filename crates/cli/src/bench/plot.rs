//! Drawing plots as self-contained SVG: a frame, axes, points, lines, a legend.
//!
//! Positions on an axis are between 0 and 1; a [`Scale`] computes them from values. Seconds are drawn on a logarithmic
//! scale, because solving times spread over several orders of magnitude.

use std::fmt::Write as _;

/// The inner width and height of a plot.
const SIZE: (f64, f64) = (560.0, 420.0);
/// The space to the left, above, to the right, and below.
const MARGIN: (f64, f64, f64, f64) = (64.0, 36.0, 150.0, 52.0);
/// The least number of seconds that is drawn.
pub(super) const LEAST: f64 = 0.01;
/// Colours that people with colour-blindness can tell from each other, and that look well on white and on black.
const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a6a00"];

/// The colour of the n-th thing.
pub(super) fn colour(number: usize) -> &'static str {
    COLOURS[number % COLOURS.len()]
}

/// How values lie on an axis.
#[derive(Clone, Copy, Debug)]
pub(super) enum Scale {
    /// From zero to a largest value.
    Linear(f64),
    /// From [`LEAST`] to a largest value, by order of magnitude.
    Logarithmic(f64),
}

impl Scale {
    /// Where a value lies, between 0 and 1.
    pub(super) fn position(self, value: f64) -> f64 {
        let position = match self {
            Self::Linear(most) => value / most,
            Self::Logarithmic(most) => (value.max(LEAST) / LEAST).ln() / (most / LEAST).ln(),
        };
        position.clamp(0.0, 1.0)
    }
    /// The values that are marked.
    fn ticks(self) -> Vec<f64> {
        match self {
            Self::Linear(most) => {
                let step = round_step(most / 6.0);
                (0..100).map(|n| f64::from(n) * step).take_while(|value| *value <= most).collect()
            }
            Self::Logarithmic(most) => {
                (-2..9).map(|n| 10_f64.powi(n)).take_while(|value| *value <= most).collect()
            }
        }
    }
}

/// The least of 1, 2, 5, 10, 20, … that is not below.
fn round_step(least: f64) -> f64 {
    let steps = (0..9).flat_map(|n| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(n)));
    steps.into_iter().find(|step| *step >= least).unwrap_or(1e9)
}

/// An axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis<'a> {
    pub(super) title: &'a str,
    pub(super) scale: Scale,
}

/// A plot in the making.
#[derive(Debug)]
pub(super) struct Plot {
    svg: String,
    legend: usize,
}

impl Plot {
    /// A frame with axes.
    pub(super) fn new(title: &str, across: Axis<'_>, up: Axis<'_>) -> Self {
        let (left, above, right, below) = MARGIN;
        let (width, height) = (SIZE.0 + left + right, SIZE.1 + above + below);
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <title>{0}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n\
             <text x=\"{left}\" y=\"22\" font-size=\"15\">{0}</text>\n",
            escape(title)
        );
        let mut plot = Self { svg, legend: 0 };
        plot.draw_across(across);
        plot.draw_up(up);
        let (x, y) = place(0.0, 1.0);
        plot.add(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"black\"/>",
            SIZE.0, SIZE.1
        ));
        plot
    }
    fn draw_across(&mut self, axis: Axis<'_>) {
        for value in axis.scale.ticks() {
            let position = axis.scale.position(value);
            self.line((position, 0.0), (position, 1.0), "#ddd", "");
            let (x, y) = place(position, 0.0);
            let y = y + 16.0;
            self.add(&format!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{value}</text>"
            ));
        }
        let (x, y) = place(0.5, 0.0);
        let (y, title) = (y + 38.0, escape(axis.title));
        self.add(&format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{title}</text>"));
    }
    fn draw_up(&mut self, axis: Axis<'_>) {
        for value in axis.scale.ticks() {
            let position = axis.scale.position(value);
            self.line((0.0, position), (1.0, position), "#ddd", "");
            let (x, y) = place(0.0, position);
            let (x, y) = (x - 6.0, y + 4.0);
            self.add(&format!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"end\">{value}</text>"
            ));
        }
        let (_, y) = place(0.0, 0.5);
        let title = escape(axis.title);
        self.add(&format!(
            "<text transform=\"translate(16 {y:.1}) rotate(-90)\" text-anchor=\"middle\">{title}</text>"
        ));
    }
    /// A straight line between two positions; dashes as in `stroke-dasharray`.
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, dashes: &str) {
        let ((x1, y1), (x2, y2)) = (place(from.0, from.1), place(to.0, to.1));
        self.add(&format!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\" \
             stroke-dasharray=\"{dashes}\"/>"
        ));
    }
    /// A line through positions.
    pub(super) fn path(&mut self, points: &[(f64, f64)], colour: &str) {
        let mut coordinates = String::new();
        for &(across, up) in points {
            let (x, y) = place(across, up);
            let _ = write!(coordinates, "{x:.1},{y:.1} ");
        }
        self.add(&format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"/>",
            coordinates.trim_end()
        ));
    }
    /// A point, which tells more when pointed at.
    pub(super) fn point(&mut self, at: (f64, f64), colour: &str, about: &str) {
        let ((x, y), about) = (place(at.0, at.1), escape(about));
        self.add(&format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\" fill=\"{colour}\" \
             fill-opacity=\"0.65\"><title>{about}</title></circle>"
        ));
    }
    /// A line of the legend, to the right of the frame.
    pub(super) fn explain(&mut self, colour: &str, text: &str) {
        let (x, y) = place(1.0, 1.0);
        let number = f64::from(u32::try_from(self.legend).unwrap_or(u32::MAX));
        let (x, y) = (x + 12.0, y + 12.0 + 18.0 * number);
        self.legend += 1;
        self.add(&format!(
            "<circle cx=\"{x:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{colour}\"/>",
            y - 4.0
        ));
        self.add(&format!("<text x=\"{:.1}\" y=\"{y:.1}\">{}</text>", x + 10.0, escape(text)));
    }
    /// The whole file.
    pub(super) fn finish(mut self) -> String {
        self.svg.push_str("</svg>\n");
        self.svg
    }
    fn add(&mut self, element: &str) {
        self.svg.push_str(element);
        self.svg.push('\n');
    }
}

/// The coordinates of a position; those of SVG grow downwards.
fn place(across: f64, up: f64) -> (f64, f64) {
    (MARGIN.0 + across * SIZE.0, MARGIN.1 + (1.0 - up) * SIZE.1)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_keep_their_ends() {
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} is not {b}");
        near(Scale::Linear(40.0).position(10.0), 0.25);
        let scale = Scale::Logarithmic(100.0);
        near(scale.position(0.0), 0.0);
        near(scale.position(LEAST), 0.0);
        near(scale.position(1.0), 0.5);
        near(scale.position(100.0), 1.0);
        near(scale.position(1e9), 1.0);
    }

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(Scale::Linear(5.0).ticks(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(Scale::Linear(461.0).ticks(), [0.0, 100.0, 200.0, 300.0, 400.0]);
        let ticks: Vec<String> =
            Scale::Logarithmic(60.0).ticks().iter().map(f64::to_string).collect();
        assert_eq!(ticks, ["0.01", "0.1", "1", "10"]);
    }

    #[test]
    fn names_are_escaped() {
        let axis = Axis { title: "a<b", scale: Scale::Linear(1.0) };
        let mut plot = Plot::new("x & y", axis, axis);
        plot.point((0.0, 0.0), colour(9), "\"f\"");
        let svg = plot.finish();
        assert!(
            svg.contains("x &amp; y") && svg.contains("a&lt;b") && svg.contains("&quot;f&quot;")
        );
        assert!(svg.ends_with("</svg>\n"));
    }
}
