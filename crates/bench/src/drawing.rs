//! The two plots of a comparison.
//!
//! The cactus plot shows how many files each solver solves within a given time for each file:
//! further right is more, lower is faster. The scatter plot shows every file as a point whose
//! coordinates are the seconds of two solvers, and whose shape and colour are its verdict; what a
//! solver did not solve lies behind the dashed line at the limit.
use std::fs;
use std::path::Path;

use shofar_base::Set;
use shofar_draw::plot::{Axis, Headings, LEAST, Mark, Plot, Scale, colour};

use crate::record::{Expected, Measure, Measured};
use crate::table;

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

/// What became of a file in the scatter plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Sat,
    Unsat,
    Yes,
    No,
    /// `sat` for one, `unsat` for the other.
    Contradictory,
    /// `YES` for one, `NO` for the other.
    ContradictoryRuns,
    Unsolved,
}

impl Fate {
    const ALL: [Self; 7] = [
        Self::Sat,
        Self::Unsat,
        Self::Yes,
        Self::No,
        Self::Contradictory,
        Self::ContradictoryRuns,
        Self::Unsolved,
    ];

    /// The verdict of those that have one.
    fn of(results: [&Measured; 2]) -> Self {
        let solved = results.iter().filter(|result| result.is_solved());
        let mut verdicts = solved.map(|result| result.answer.verdict());
        match (verdicts.next(), verdicts.next()) {
            (Some(Expected::Sat), Some(Expected::Unsat))
            | (Some(Expected::Unsat), Some(Expected::Sat)) => Self::Contradictory,
            (Some(Expected::Yes), Some(Expected::No))
            | (Some(Expected::No), Some(Expected::Yes)) => Self::ContradictoryRuns,
            (Some(Expected::Sat), _) => Self::Sat,
            (Some(Expected::Unsat), _) => Self::Unsat,
            (Some(Expected::Yes), _) => Self::Yes,
            (Some(Expected::No), _) => Self::No,
            (Some(Expected::Unknown) | None, _) => Self::Unsolved,
        }
    }
    fn word(self) -> &'static str {
        match self {
            Self::Sat => "sat",
            Self::Unsat => "unsat",
            Self::Yes => "YES",
            Self::No => "NO",
            Self::Contradictory => "sat and unsat",
            Self::ContradictoryRuns => "YES and NO",
            Self::Unsolved => "solved by neither",
        }
    }
    fn look(self) -> (Mark, &'static str) {
        match self {
            Self::Sat => (Mark::Circle, colour(0)),
            Self::Unsat => (Mark::Triangle, colour(1)),
            Self::Yes => (Mark::Circle, colour(2)),
            Self::No => (Mark::Triangle, colour(3)),
            Self::Contradictory | Self::ContradictoryRuns => (Mark::Square, "#c00000"),
            Self::Unsolved => (Mark::Cross, "#777777"),
        }
    }
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
    fn limit_text(&self) -> String {
        match self.measure {
            Measure::Wall => format!("limit: {} s", self.timeout),
            Measure::Cpu => format!("limit: {} s CPU", self.timeout),
        }
    }
    /// The suites, and of how many files and under which limit.
    fn subtitle(&self) -> String {
        const SHOWN: usize = 3;
        let mut seen = Set::default();
        let mut suites: Vec<&str> = self.results.iter().map(|r| r.suite.as_str()).collect();
        suites.retain(|suite| seen.insert(*suite));
        let named = if suites.len() > SHOWN {
            format!("{} suites", suites.len())
        } else {
            suites.join(", ")
        };
        let files = match table::by_file(self.results).count() {
            1 => "1 file".to_owned(),
            count => format!("{count} files"),
        };
        let facts = [named, files, self.limit_text()];
        facts.into_iter().filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join(" · ")
    }

    fn cactus(&self) -> String {
        let curves: Vec<Vec<f64>> =
            self.solvers.iter().map(|solver| self.seconds_of(solver)).collect();
        let most = curves.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let across = Axis { title: "files solved", scale: Scale::Linear(count(most)) };
        let scale = Scale::Logarithmic(self.limit() * BEYOND);
        let up = Axis { title: &format!("{} for each file", self.unit()), scale };
        let headings = Headings { title: "Files solved over time", subtitle: &self.subtitle() };
        let mut plot = Plot::new((600.0, 420.0), headings, across, up);
        plot.limit_up(scale.position(self.limit()), &self.limit_text());
        for (number, (solver, curve)) in self.solvers.iter().zip(&curves).enumerate() {
            let place = |(solved, seconds): (usize, &f64)| {
                (across.scale.position(count(solved + 1)), scale.position(*seconds))
            };
            let points: Vec<(f64, f64)> = curve.iter().enumerate().map(place).collect();
            plot.path(&points, colour(number));
            for (point, seconds) in points.iter().zip(curve) {
                let about = format!("{solver}: {seconds}");
                plot.point(*point, Mark::Circle, colour(number), &about);
            }
            plot.explain(Mark::Circle, colour(number), &format!("{solver} ({})", curve.len()));
        }
        plot.finish()
    }

    fn scatter(&self, first: &str, other: &str) -> String {
        let scale = Scale::Logarithmic(self.limit() * BEYOND);
        let (across, up) =
            (format!("{first}, {}", self.unit()), format!("{other}, {}", self.unit()));
        let title = format!("{first} against {other}: above the diagonal {first} is faster");
        let (across, up) = (Axis { title: &across, scale }, Axis { title: &up, scale });
        let headings = Headings { title: &title, subtitle: &self.subtitle() };
        let mut plot = Plot::new((480.0, 480.0), headings, across, up);
        let limit = scale.position(self.limit());
        plot.line((0.0, 0.0), (1.0, 1.0), "#999999", "");
        plot.limit_across(limit, &self.limit_text());
        plot.limit_up(limit, &self.limit_text());
        let mut fates: Vec<Fate> = Vec::new();
        for on_file in table::by_file(self.results) {
            let find = |solver: &str| on_file.iter().find(|result| result.solver == solver);
            let (Some(one), Some(two)) = (find(first), find(other)) else { continue };
            let fate = Fate::of([one, two]);
            fates.push(fate);
            let place = |result: &Measured| {
                if result.is_solved() {
                    scale.position(result.seconds(self.measure))
                } else {
                    f64::midpoint(limit, 1.0)
                }
            };
            let (mark, colour) = fate.look();
            plot.point((place(one), place(two)), mark, colour, &self.about([one, two]));
        }
        for fate in Fate::ALL {
            let files = fates.iter().filter(|&&other| other == fate).count();
            if files > 0 {
                let (mark, colour) = fate.look();
                plot.explain(mark, colour, &format!("{} ({files})", fate.word()));
            }
        }
        plot.finish()
    }
    /// What is told of a file.
    fn about(&self, results: [&Measured; 2]) -> String {
        let tell = |r: &Measured| {
            format!("\n{}: {} {}", r.solver, r.answer.word(), r.seconds(self.measure))
        };
        let file = format!("{} {}", results[0].suite, results[0].file);
        file + &results.map(tell).concat()
    }
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Answer;
    use crate::scratch::Scratch;

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
            svg.matches("class=\"point\"").count()
        };
        assert_eq!(points("cactus.svg"), 3);
        assert_eq!(points("scatter-p-q.svg"), 2, "a file that only one has run is not compared");
        let scatter = fs::read_to_string(folder.join("scatter-p-q.svg")).unwrap();
        for text in ["sat (1)", "unsat (1)", "limit: 10 s", "s · 3 files · limit: 10 s"] {
            assert!(scatter.contains(&format!(">{text}</text>")), "no {text} in {scatter}");
        }
    }

    #[test]
    fn nothing_can_be_drawn_too() {
        let picture =
            Picture { results: &[], solvers: &["p"], timeout: 0.001, measure: Measure::Cpu };
        let svg = picture.cactus();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
