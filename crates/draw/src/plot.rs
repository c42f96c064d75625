//! Drawing plots as self-contained SVG: a frame, axes, marks, lines, a legend.
//!
//! Positions on an axis are between 0 and 1; a [`Scale`] computes them from values. Seconds are
//! drawn on a logarithmic scale, because solving times spread over several orders of magnitude. The
//! picture is as wide as its texts need, with the same margin on all sides.

use std::fmt::Write as _;

use crate::xml_text;

/// Around everything.
const MARGIN: f64 = 20.0;
/// From the left margin to the frame: a title and numbers.
const LEFT: f64 = 62.0;
/// From the upper margin to the frame: title and subtitle.
const ABOVE: f64 = 50.0;
/// From the frame to the lower margin: numbers and a title.
const BELOW: f64 = 40.0;
/// From the frame to the legend.
const LEGEND: f64 = 20.0;
/// How wide a character of twelve pixels is on average, generously.
const CHARACTER: f64 = 6.8;
/// The least number of seconds that is drawn.
pub const LEAST: f64 = 0.01;
/// An axis over fewer orders of magnitude than this has numbers between the powers of ten.
const FEW_DECADES: f64 = 2.6;
/// How the text at a limit looks: grid lines do not run through it.
const LIMIT: &str = "font-size=\"11\" fill=\"#a33b3b\" stroke=\"#ffffff\" stroke-width=\"4\" paint-order=\"stroke\"";
/// Colours that people with colour-blindness can tell from each other on white.
const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a6a00"];

/// The colour of the n-th thing.
pub fn colour(number: usize) -> &'static str {
    COLOURS[number % COLOURS.len()]
}

/// How values lie on an axis.
#[derive(Clone, Copy, Debug)]
pub enum Scale {
    /// From zero to a largest value.
    Linear(f64),
    /// From [`LEAST`] to a largest value, by order of magnitude.
    Logarithmic(f64),
}

impl Scale {
    /// Where a value lies, between 0 and 1.
    pub fn position(self, value: f64) -> f64 {
        let position = match self {
            Self::Linear(most) => value / most,
            Self::Logarithmic(most) => (value.max(LEAST) / LEAST).ln() / (most / LEAST).ln(),
        };
        position.clamp(0.0, 1.0)
    }
    /// The values that have a line, with their text; empty for a line between.
    fn ticks(self) -> Vec<(f64, String)> {
        match self {
            Self::Linear(most) => {
                let step = round_step(most / 6.0);
                let values = (0..100).map(|n| f64::from(n) * step);
                values.take_while(|v| *v <= most).map(|v| (v, v.to_string())).collect()
            }
            Self::Logarithmic(most) => {
                let few = (most / LEAST).log10() < FEW_DECADES;
                let values = (-2..9).flat_map(|n| (1..10).map(move |digit| (digit, n)));
                let values = values.map(|(digit, n)| (digit, decimal(digit, n)));
                let told =
                    values.take_while(|(_, text)| text.parse::<f64>().is_ok_and(|v| v <= most));
                told.map(|(digit, text)| label(digit, text, few)).collect()
            }
        }
    }
}

/// `digit · 10^power`, exactly.
fn decimal(digit: i32, power: i32) -> String {
    let count = usize::try_from(power.unsigned_abs()).unwrap_or(0);
    if power < 0 {
        format!("0.{}{digit}", "0".repeat(count - 1))
    } else {
        format!("{digit}{}", "0".repeat(count))
    }
}

fn label(digit: i32, text: String, few: bool) -> (f64, String) {
    let value = text.parse().unwrap_or(LEAST);
    let shown = digit == 1 || (few && (digit == 2 || digit == 5));
    if value <= LEAST {
        // Everything faster is drawn here as well.
        (value, format!("≤{text}"))
    } else if shown {
        (value, text)
    } else {
        (value, String::new())
    }
}

/// The least of 1, 2, 5, 10, 20, … that is not below.
fn round_step(least: f64) -> f64 {
    let steps = (0..9).flat_map(|n| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(n)));
    steps.into_iter().find(|step| *step >= least).unwrap_or(1e9)
}

/// An axis.
#[derive(Clone, Copy, Debug)]
pub struct Axis<'a> {
    /// What it shows.
    pub title: &'a str,
    /// How values lie on it.
    pub scale: Scale,
}

/// The shape of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// `●`
    Circle,
    /// `▲`
    Triangle,
    /// `■`
    Square,
    /// `×`
    Cross,
}

impl Mark {
    /// A path around a point.
    fn path(self, x: f64, y: f64) -> String {
        let m = format!("M{x:.1},{y:.1}");
        match self {
            Self::Circle => format!("{m}m-3.4,0a3.4,3.4 0 1 0 6.8,0a3.4,3.4 0 1 0 -6.8,0z"),
            Self::Triangle => format!("{m}m0,-4.4l4.2,7.4h-8.4z"),
            Self::Square => format!("{m}m-3.1,-3.1h6.2v6.2h-6.2z"),
            Self::Cross => format!(
                "{m}m-4,-2.6l1.4,-1.4l2.6,2.6l2.6,-2.6l1.4,1.4l-2.6,2.6l2.6,2.6l-1.4,1.4l-2.6,-2.6l-2.6,2.6l-1.4,-1.4l2.6,-2.6z"
            ),
        }
    }
}

/// The texts above a plot.
#[derive(Clone, Copy, Debug)]
pub struct Headings<'a> {
    /// What is drawn.
    pub title: &'a str,
    /// Of what, and under which conditions.
    pub subtitle: &'a str,
}

/// A plot in the making.
#[derive(Debug)]
pub struct Plot {
    /// The inner width and height.
    size: (f64, f64),
    title: String,
    /// Everything inside.
    svg: String,
    /// The lines of the legend so far.
    legend: u32,
    /// How far texts reach to the right.
    right: f64,
}

impl Plot {
    /// A frame of the given size with axes.
    pub fn new(size: (f64, f64), headings: Headings<'_>, across: Axis<'_>, up: Axis<'_>) -> Self {
        let mut plot = Self {
            size,
            title: xml_text(headings.title),
            svg: String::new(),
            legend: 0,
            right: MARGIN + LEFT + size.0,
        };
        let left = MARGIN + LEFT;
        plot.text((left, MARGIN + 14.0), headings.title, "font-size=\"15\" font-weight=\"bold\"");
        plot.text((left, MARGIN + 33.0), headings.subtitle, "fill=\"#555555\"");
        // Letters of the title are larger and bold.
        plot.reach(left + text_width(headings.title) * 1.35);
        plot.reach(left + text_width(headings.subtitle));
        plot.draw_across(across);
        plot.draw_up(up);
        let (x, y) = plot.place((0.0, 1.0));
        plot.add(&format!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#333333\"/>",
            size.0, size.1
        ));
        plot
    }
    fn draw_across(&mut self, axis: Axis<'_>) {
        for (value, text) in axis.scale.ticks() {
            let position = axis.scale.position(value);
            self.line((position, 0.0), (position, 1.0), grid(&text), "");
            let (x, y) = self.place((position, 0.0));
            self.text((x, y + 17.0), &text, "text-anchor=\"middle\"");
        }
        let (x, y) = self.place((0.5, 0.0));
        self.text((x, y + 38.0), axis.title, "text-anchor=\"middle\"");
    }
    fn draw_up(&mut self, axis: Axis<'_>) {
        for (value, text) in axis.scale.ticks() {
            let position = axis.scale.position(value);
            self.line((0.0, position), (1.0, position), grid(&text), "");
            let (x, y) = self.place((0.0, position));
            self.text((x - 7.0, y + 4.0), &text, "text-anchor=\"end\"");
        }
        let (_, y) = self.place((0.0, 0.5));
        let turned = format!("transform=\"rotate(-90 {:.1} {y:.1})\"", MARGIN + 11.0);
        self.text((MARGIN + 11.0, y), axis.title, &format!("{turned} text-anchor=\"middle\""));
    }
    /// A straight line between two positions; dashes as in `stroke-dasharray`.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, dashes: &str) {
        let ((x1, y1), (x2, y2)) = (self.place(from), self.place(to));
        let dashes = if dashes.is_empty() {
            String::new()
        } else {
            format!(" stroke-dasharray=\"{dashes}\"")
        };
        self.add(&format!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"{dashes}/>"
        ));
    }
    /// The limit of the upward axis: a dashed line with a text above it.
    pub fn limit_up(&mut self, position: f64, text: &str) {
        self.line((0.0, position), (1.0, position), "#a33b3b", "5 4");
        let (x, y) = self.place((0.0, position));
        self.text((x + 8.0, y - 5.0), text, LIMIT);
    }
    /// The limit of the other axis: a dashed line with a text along it.
    pub fn limit_across(&mut self, position: f64, text: &str) {
        self.line((position, 0.0), (position, 1.0), "#a33b3b", "5 4");
        let (x, y) = self.place((position, 0.0));
        let (x, y) = (x + 13.0, y - 8.0);
        let turned = format!("transform=\"rotate(-90 {x:.1} {y:.1})\"");
        self.text((x, y), text, &format!("{turned} {LIMIT}"));
    }
    /// A line through positions.
    pub fn path(&mut self, points: &[(f64, f64)], colour: &str) {
        let mut coordinates = String::new();
        for &point in points {
            let (x, y) = self.place(point);
            let _ = write!(coordinates, "{x:.1},{y:.1} ");
        }
        self.add(&format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"/>",
            coordinates.trim_end()
        ));
    }
    /// A point, which tells more when pointed at.
    pub fn point(&mut self, at: (f64, f64), mark: Mark, colour: &str, about: &str) {
        let (x, y) = self.place(at);
        let (path, about) = (mark.path(x, y), xml_text(about));
        self.add(&format!(
            "<path class=\"point\" d=\"{path}\" fill=\"{colour}\" fill-opacity=\"0.65\"><title>{about}</title></path>"
        ));
    }
    /// A line of the legend, to the right of the frame.
    pub fn explain(&mut self, mark: Mark, colour: &str, text: &str) {
        let (x, y) = self.place((1.0, 1.0));
        let (x, y) = (x + LEGEND, y + 12.0 + 20.0 * f64::from(self.legend));
        self.legend += 1;
        let path = mark.path(x, y - 4.0);
        self.add(&format!("<path d=\"{path}\" fill=\"{colour}\"/>"));
        self.text((x + 11.0, y), text, "");
        self.reach(x + 11.0 + text_width(text));
    }
    /// The whole file.
    pub fn finish(self) -> String {
        let width = (self.right + MARGIN).ceil();
        let height = 2.0 * MARGIN + ABOVE + self.size.1 + BELOW;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\" \
             fill=\"#222222\" role=\"img\" aria-label=\"{}\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n{}</svg>\n",
            self.title, self.svg
        )
    }
    fn text(&mut self, (x, y): (f64, f64), text: &str, style: &str) {
        if !text.is_empty() {
            let space = if style.is_empty() { "" } else { " " };
            let text = xml_text(text);
            self.add(&format!("<text x=\"{x:.1}\" y=\"{y:.1}\"{space}{style}>{text}</text>"));
        }
    }
    fn reach(&mut self, right: f64) {
        self.right = self.right.max(right);
    }
    /// The coordinates of a position; those of SVG grow downwards.
    fn place(&self, (across, up): (f64, f64)) -> (f64, f64) {
        (MARGIN + LEFT + across * self.size.0, MARGIN + ABOVE + (1.0 - up) * self.size.1)
    }
    fn add(&mut self, element: &str) {
        self.svg.push_str(element);
        self.svg.push('\n');
    }
}

/// Lines with a number are darker than those between.
fn grid(text: &str) -> &'static str {
    if text.is_empty() { "#f1f1f1" } else { "#d9d9d9" }
}

fn text_width(text: &str) -> f64 {
    f64::from(u32::try_from(text.chars().count()).unwrap_or(u32::MAX)) * CHARACTER
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
        let texts = |scale: Scale| {
            let texts = scale.ticks().into_iter().map(|(_, text)| text);
            texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(texts(Scale::Linear(5.0)), "0 1 2 3 4 5");
        assert_eq!(texts(Scale::Linear(461.0)), "0 100 200 300 400");
        assert_eq!(texts(Scale::Logarithmic(60.0)), "≤0.01 0.1 1 10");
        assert_eq!(texts(Scale::Logarithmic(1.6)), "≤0.01 0.02 0.05 0.1 0.2 0.5 1");
        assert_eq!(Scale::Logarithmic(60.0).ticks().len(), 9 + 9 + 9 + 6);
    }

    #[test]
    fn names_are_escaped_and_have_room() {
        let axis = Axis { title: "a<b", scale: Scale::Linear(1.0) };
        let headings = Headings { title: "x & y", subtitle: "z" };
        let plot = |name: &str| {
            let mut plot = Plot::new((100.0, 100.0), headings, axis, axis);
            plot.point((0.0, 0.0), Mark::Circle, colour(9), "\"f\"");
            plot.explain(Mark::Cross, colour(1), name);
            plot
        };
        let svg = plot("n").finish();
        assert!(
            svg.contains("x &amp; y") && svg.contains("a&lt;b") && svg.contains("&quot;f&quot;")
        );
        assert!(svg.ends_with("</svg>\n"));
        assert!(plot(&"n".repeat(50)).right > plot("n").right + 40.0 * CHARACTER);
    }
}
