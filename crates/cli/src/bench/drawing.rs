//! The two plots of a comparison.
//!
//! The cactus plot shows for every solver how many files it solves, each within so many seconds: further right is more,
//! lower is faster. The scatter plot shows every file as a point whose coordinates are the seconds of two solvers; what a
//! solver did not solve lies behind the dashed line at the end of its axis.

use std::fs;
use std::path::Path;

use super::plot::{Axis, LEAST, Plot, Scale, colour};
use super::record::{Measure, Measured};
use super::table;

/// Where an axis ends, relative to the limit, so that there is room for files that were not solved.
const BEYOND: f64 = 1.6;

/// What is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Picture<'a> {
    /// Those of a file stand together.
    pub(crate) results: &'a [Measured],
    pub(crate) solvers: &'a [&'a str],
    pub(crate) timeout: f64,
    pub(crate) measure: Measure,
}

/// Writes the plots into a folder.
pub(crate) fn write(picture: Picture<'_>, folder: &Path) -> Result<(), String> {
    let explain = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(explain)?;
    fs::write(folder.join("cactus.svg"), picture.cactus()).map_err(explain)?;
    let Some((first, others)) = picture.solvers.split_first() else { return Ok(()) };
    for other in others {
        let name = format!("scatter-{first}-{other}.svg");
        fs::write(folder.join(name), picture.scatter(first, other)).map_err(explain)?;
    }
    Ok(())
}

impl Picture<'_> {
    fn seconds_of(&self, solver: &str) -> Vec<f64> {
        let solved = self.results.iter().filter(|r| r.solver == solver && r.is_solved());
        let mut seconds: Vec<f64> = solved.map(|result| result.seconds(self.measure)).collect();
        seconds.sort_by(f64::total_cmp);
        seconds
    }
    fn unit(&self) -> &'static str {
        match self.measure {
            Measure::Wall => "seconds",
            Measure::Cpu => "CPU seconds",
        }
    }
    /// The largest value of a logarithmic axis; it must lie above the least one.
    fn limit(&self) -> f64 {
        self.timeout.max(LEAST * 10.0)
    }

    fn cactus(&self) -> String {
        let curves: Vec<Vec<f64>> =
            self.solvers.iter().map(|solver| self.seconds_of(solver)).collect();
        let most = curves.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let across = Axis { title: "files solved", scale: Scale::Linear(count(most)) };
        let up = Axis { title: self.unit(), scale: Scale::Logarithmic(self.limit()) };
        let title = format!("Files solved, each within {} {}", self.timeout, self.unit());
        let mut plot = Plot::new(&title, across, up);
        for (number, (solver, curve)) in self.solvers.iter().zip(&curves).enumerate() {
            let place = |(solved, seconds): (usize, &f64)| {
                (across.scale.position(count(solved + 1)), up.scale.position(*seconds))
            };
            let points: Vec<(f64, f64)> = curve.iter().enumerate().map(place).collect();
            plot.path(&points, colour(number));
            for (point, seconds) in points.iter().zip(curve) {
                plot.point(*point, colour(number), &format!("{solver}: {seconds}"));
            }
            plot.explain(colour(number), &format!("{solver} ({})", curve.len()));
        }
        plot.finish()
    }

    fn scatter(&self, first: &str, other: &str) -> String {
        let scale = Scale::Logarithmic(self.limit() * BEYOND);
        let (across, up) =
            (format!("{first}, {}", self.unit()), format!("{other}, {}", self.unit()));
        let title = format!("{first} and {other}: above the diagonal {first} is faster");
        let (across, up) = (Axis { title: &across, scale }, Axis { title: &up, scale });
        let mut plot = Plot::new(&title, across, up);
        let limit = scale.position(self.limit());
        plot.line((0.0, 0.0), (1.0, 1.0), "#888", "");
        plot.line((limit, 0.0), (limit, 1.0), "#888", "4 4");
        plot.line((0.0, limit), (1.0, limit), "#888", "4 4");
        let mut suites: Vec<&str> = Vec::new();
        for on_file in table::by_file(self.results) {
            let find = |solver: &str| on_file.iter().find(|result| result.solver == solver);
            let (Some(one), Some(two)) = (find(first), find(other)) else { continue };
            let known = suites.iter().position(|suite| *suite == one.suite);
            let number = known.unwrap_or_else(|| {
                suites.push(&one.suite);
                plot.explain(colour(suites.len() - 1), &one.suite);
                suites.len() - 1
            });
            let place = |result: &Measured| {
                let solved = result.is_solved();
                if solved {
                    scale.position(result.seconds(self.measure))
                } else {
                    f64::midpoint(limit, 1.0)
                }
            };
            let tell = |r: &Measured| {
                format!("{}: {} {}", r.solver, r.answer.word(), r.seconds(self.measure))
            };
            let about = format!("{} {}\n{}\n{}", one.suite, one.file, tell(one), tell(two));
            plot.point((place(one), place(two)), colour(number), &about);
        }
        plot.finish()
    }
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::record::{Answer, Expected};
    use crate::bench::scratch::Scratch;

    fn result(solver: &str, file: &str, answer: Answer, wall: f64) -> Measured {
        Measured {
            solver: solver.to_owned(),
            suite: "s".to_owned(),
            file: file.to_owned(),
            expected: Expected::Unknown,
            answer,
            wall,
            cpu: wall,
            exit: None,
            message: None,
        }
    }

    #[test]
    fn every_solved_file_is_a_point() {
        let results = [
            result("p", "1", Answer::Sat, 1.0),
            result("q", "1", Answer::Sat, 0.1),
            result("p", "2", Answer::Timeout, 10.0),
            result("q", "2", Answer::Unsat, 5.0),
            result("p", "3", Answer::Timeout, 10.0),
        ];
        let picture = Picture {
            results: &results,
            solvers: &["p", "q"],
            timeout: 10.0,
            measure: Measure::Wall,
        };
        let scratch = Scratch::new();
        let folder = scratch.path().join("plots");
        write(picture, &folder).unwrap();
        let points = |name: &str| {
            let svg = fs::read_to_string(folder.join(name)).unwrap();
            svg.matches("</title></circle>").count()
        };
        assert_eq!(points("cactus.svg"), 3);
        assert_eq!(points("scatter-p-q.svg"), 2, "a file that only one has run is not compared");
    }

    #[test]
    fn nothing_can_be_drawn_too() {
        let picture =
            Picture { results: &[], solvers: &["p"], timeout: 0.001, measure: Measure::Cpu };
        let svg = picture.cactus();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
