//! The file in which results are kept, and from which an interrupted run continues.
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use shofar_base::Set;

use crate::record::{Conditions, FORMAT, Line, Measured};

/// A file of results, open at its end; nothing if nobody wants one.
#[derive(Debug)]
pub(crate) struct Journal(Option<(PathBuf, File)>);

impl Journal {
    /// A journal that keeps nothing.
    pub(crate) fn none() -> Self {
        Self(None)
    }
    /// Starts a journal. A file with results is never overwritten.
    pub(crate) fn create(path: &Path, conditions: &Conditions) -> Result<Self, String> {
        let created = OpenOptions::new().write(true).create_new(true).open(path);
        let file = created.map_err(|error| {
            let exists = error.kind() == io::ErrorKind::AlreadyExists;
            let why = if exists {
                "it exists; --resume continues it".to_owned()
            } else {
                error.to_string()
            };
            format!("{}: {why}", path.display())
        })?;
        let mut journal = Self(Some((path.to_owned(), file)));
        journal.write(&Line::Run(conditions.clone()))?;
        Ok(journal)
    }
    /// Continues a journal made under the same conditions, or starts one; returns the results in
    /// it.
    ///
    /// The file is written anew, without a torn line at its end and without an old summary, and
    /// takes the place of the old one only when it is complete.
    pub(crate) fn resume(
        path: &Path,
        conditions: &Conditions,
    ) -> Result<(Self, Vec<Measured>), String> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok((Self::create(path, conditions)?, Vec::new()));
            }
            Err(error) => return Err(format!("{}: {error}", path.display())),
        };
        let explain = |why: String| format!("{}: {why}", path.display());
        let (earlier, results) = read(&text).map_err(explain)?;
        let merged = match earlier {
            Some(earlier) => merge(earlier, conditions).map_err(explain)?,
            None => conditions.clone(),
        };
        let fresh = path.with_added_extension("new");
        let file = File::create(&fresh).map_err(|error| explain(error.to_string()))?;
        let mut journal = Self(Some((path.to_owned(), file)));
        journal.write(&Line::Run(merged))?;
        for result in &results {
            journal.write(&Line::Result(result.clone()))?;
        }
        fs::rename(&fresh, path).map_err(|error| explain(error.to_string()))?;
        Ok((journal, results))
    }
    /// Adds a line.
    pub(crate) fn write(&mut self, line: &Line) -> Result<(), String> {
        let Some((path, file)) = &mut self.0 else { return Ok(()) };
        let mut text = serde_json::to_string(line).map_err(|error| error.to_string())?;
        text.push('\n');
        file.write_all(text.as_bytes()).map_err(|error| format!("{}: {error}", path.display()))
    }
}

/// The conditions and the results in a file. Only what follows the last line break may be
/// unreadable.
fn read(text: &str) -> Result<(Option<Conditions>, Vec<Measured>), String> {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let (mut conditions, mut results) = (None, Vec::<Measured>::new());
    let mut seen = Set::default();
    for (number, line) in whole.lines().enumerate() {
        let line =
            serde_json::from_str(line).map_err(|error| format!("line {}: {error}", number + 1))?;
        match line {
            Line::Run(run) => conditions = Some(run),
            Line::Result(result) => {
                let key = (result.solver.clone(), result.suite.clone(), result.file.clone());
                if seen.insert(key) {
                    results.push(result);
                }
            }
            Line::Summary { .. } => {}
        }
    }
    if conditions.is_none() && !results.is_empty() {
        return Err("the first line does not describe a run".to_owned());
    }
    Ok((conditions, results))
}

/// The earlier conditions with the solvers that are new; everything else must be the same.
fn merge(mut earlier: Conditions, now: &Conditions) -> Result<Conditions, String> {
    let limits = |conditions: &Conditions| (conditions.measure, conditions.memory);
    #[expect(clippy::float_cmp, reason = "the same text gives the same number")]
    let same_timeout = earlier.timeout == now.timeout;
    if earlier.format != FORMAT || !same_timeout || limits(&earlier) != limits(now) {
        return Err(format!(
            "these results were made with other limits (--timeout {})",
            earlier.timeout
        ));
    }
    for solver in &now.solvers {
        match earlier.solvers.iter().find(|known| known.name == solver.name) {
            None => earlier.solvers.push(solver.clone()),
            Some(known) if known == solver => {}
            Some(known) => {
                let command = known.command.join(" ");
                return Err(format!("here `{}` was the command `{command}`", solver.name));
            }
        }
    }
    Ok(earlier)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Answer, Contender, Expected, Measure};
    use crate::scratch::Scratch;

    fn conditions(timeout: f64, command: &str) -> Conditions {
        let solver = Contender { name: "s".to_owned(), command: vec![command.to_owned()] };
        let measure = Measure::Wall;
        Conditions { format: FORMAT, timeout, measure, memory: None, solvers: vec![solver] }
    }

    fn result(file: &str) -> Measured {
        Measured {
            solver: "s".to_owned(),
            suite: "suite".to_owned(),
            file: file.to_owned(),
            expected: Expected::Sat,
            answer: Answer::Sat,
            wall: 0.25,
            cpu: 0.125,
            exit: Some(0),
            message: None,
        }
    }

    #[test]
    fn a_cut_off_run_continues() {
        let scratch = Scratch::new();
        let path = scratch.path().join("results.jsonl");
        let mut journal = Journal::create(&path, &conditions(1.0, "a")).unwrap();
        journal.write(&Line::Result(result("1"))).unwrap();
        journal.write(&Line::Summary { rows: Vec::new() }).unwrap();
        drop(journal);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text + "{\"record\":\"result\",\"sol").unwrap();

        let (mut journal, results) = Journal::resume(&path, &conditions(1.0, "a")).unwrap();
        assert_eq!(results, [result("1")]);
        journal.write(&Line::Result(result("2"))).unwrap();
        drop(journal);
        let (_, results) = Journal::resume(&path, &conditions(1.0, "a")).unwrap();
        assert_eq!(results, [result("1"), result("2")]);
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 3);
    }

    #[test]
    fn results_are_not_overwritten_or_mixed() {
        let scratch = Scratch::new();
        let path = scratch.path().join("results.jsonl");
        let (journal, results) = Journal::resume(&path, &conditions(1.0, "a")).unwrap();
        assert!(results.is_empty());
        drop(journal);
        let complaint = |journal: Result<(Journal, Vec<Measured>), String>| journal.unwrap_err();
        assert!(Journal::create(&path, &conditions(1.0, "a")).unwrap_err().contains("--resume"));
        let other = complaint(Journal::resume(&path, &conditions(2.0, "a")));
        assert!(other.contains("--timeout 1"), "{other}");
        let other = complaint(Journal::resume(&path, &conditions(1.0, "b")));
        assert!(other.contains("command `a`"), "{other}");
        fs::write(&path, "nonsense\n").unwrap();
        let other = complaint(Journal::resume(&path, &conditions(1.0, "a")));
        assert!(other.contains("line 1"), "{other}");
    }
}
