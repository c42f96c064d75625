//! A line on standard error that tells how far a run is, if somebody looks at it.
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Stderr, Write as _};
use std::time::{Duration, Instant};

use shofar_base::Map;

use crate::record::{Answer, Measured};
use crate::table;

/// The width of the bar in characters.
const BAR: usize = 24;
/// The columns of a terminal that does not tell.
const WIDTH: usize = 79;
/// So many failures of a solver are told at once; all of them stand in the report.
const FAILURES_TOLD: usize = 3;

/// The state of a run as far as the line tells it.
#[derive(Debug)]
pub(crate) struct Progress {
    err: Stderr,
    /// Whether the line is drawn; bad news is told in any case.
    drawn: bool,
    start: Instant,
    total: usize,
    counts: Counts,
    /// How often each solver failed.
    failures: Map<String, usize>,
}

/// What has happened so far.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    done: usize,
    solved: usize,
    wrong: usize,
    failed: usize,
}

impl Progress {
    /// A line for a run of so many results.
    pub(crate) fn start(total: usize) -> Self {
        let err = io::stderr();
        let drawn = err.is_terminal();
        Self {
            err,
            drawn,
            start: Instant::now(),
            total,
            counts: Counts::default(),
            failures: Map::default(),
        }
    }
    /// Counts a result; a wrong verdict and the first failures of a solver are told at once.
    pub(crate) fn count(&mut self, result: &Measured) {
        self.counts.done += 1;
        if result.is_solved() {
            self.counts.solved += 1;
        } else if result.is_wrong() {
            self.counts.wrong += 1;
            let (suite, file) = (&result.suite, &result.file);
            self.tell(&format!(
                "WRONG {suite} {file}: {} by {}",
                result.answer.word(),
                result.solver
            ));
        } else if result.answer == Answer::Failed {
            self.counts.failed += 1;
            let failures = self.failures.entry(result.solver.clone()).or_default();
            *failures += 1;
            if *failures <= FAILURES_TOLD {
                self.tell(&format!("FAILED {}", table::describe_failure(result)));
            }
        }
        self.draw();
    }
    /// Draws the line anew.
    pub(crate) fn draw(&mut self) {
        if self.drawn {
            let line = line(self.counts, self.total, self.start.elapsed());
            let line: String = line.chars().take(width(&self.err)).collect();
            self.write(&format!("\r{line}\x1b[K"));
        }
    }
    /// Removes the line.
    pub(crate) fn clear(&mut self) {
        if self.drawn {
            self.write("\r\x1b[K");
        }
    }
    fn tell(&mut self, message: &str) {
        self.clear();
        self.write(&format!("{message}\n"));
    }
    fn write(&mut self, text: &str) {
        // A run goes on when nobody can see how far it is.
        let _ = self.err.write_all(text.as_bytes()).and_then(|()| self.err.flush());
    }
}

/// How many columns the line may have: one that is longer would be wrapped, and could not be
/// removed.
fn width(err: &Stderr) -> usize {
    let told = rustix::termios::tcgetwinsize(err).map_or(0, |size| usize::from(size.ws_col));
    if told > 0 { told.saturating_sub(1) } else { WIDTH }
}

fn line(counts: Counts, total: usize, elapsed: Duration) -> String {
    let Counts { done, solved, wrong, failed } = counts;
    let full = (BAR * done).checked_div(total).unwrap_or(BAR);
    let bar = "#".repeat(full) + &".".repeat(BAR - full);
    let left = elapsed.as_secs() * (total - done) as u64 / (done as u64).max(1);
    let left = if done == 0 { "?".to_owned() } else { minutes(left) };
    let elapsed = minutes(elapsed.as_secs());
    let mut line = format!("[{bar}] {done}/{total}, {solved} solved");
    for (count, what) in [(wrong, "wrong"), (failed, "failed")] {
        if count > 0 {
            let _ = write!(line, ", {count} {what}");
        }
    }
    line + &format!(", {elapsed}, {left} left")
}

fn minutes(seconds: u64) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_tells_how_far_a_run_is() {
        let counts = Counts { done: 2, solved: 1, wrong: 0, failed: 1 };
        let expected = "[############............] 2/4, 1 solved, 1 failed, 1:10, 1:10 left";
        assert_eq!(line(counts, 4, Duration::from_secs(70)), expected);
        let nothing = line(Counts::default(), 0, Duration::ZERO);
        assert_eq!(nothing, "[########################] 0/0, 0 solved, 0:00, ? left");
    }
}
