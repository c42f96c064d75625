//! What the strategy is fitted on: for each problem its figures, and what every engine did alone.

use std::path::Path;
use std::time::{Duration, Instant};

use shofar_base::{Budget, Map};
use shofar_chc::read::read_horn;
use shofar_driver::Features;
use shofar_engine::ENGINES;
use shofar_term::{Cx, TermStore};
use shofar_transform::default_pipeline;

/// How long simplifying a problem may take; one that takes longer is left out.
const SIMPLIFYING: Duration = Duration::from_secs(20);

/// What an engine did alone; milliseconds of CPU time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ran {
    /// It had the answer after this time.
    Decided(u64),
    /// It gave up after this time.
    GaveUp(u64),
    /// It did not end within the limit.
    Endless,
}

/// A problem.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) suite: String,
    pub(crate) features: Features,
    /// For each engine of the registry, in its order.
    pub(crate) runs: Vec<Ran>,
}

/// Reads the results and looks at the problems they are about. An engine without any result counts
/// as one that decides nothing; problems that another engine has not seen are left out.
pub(crate) fn read(list: &Path, results: &Path, suites: &[String]) -> Result<Vec<Sample>, String> {
    let text = std::fs::read_to_string(results)
        .map_err(|error| format!("cannot read {}: {error}", results.display()))?;
    let mut files: Vec<(String, String)> = Vec::new();
    let mut runs: Map<(String, String), Ran> = Map::default();
    let mut measured: Vec<String> = Vec::new();
    for line in text.lines() {
        let value: serde_json::Value =
            serde_json::from_str(line).map_err(|error| format!("{line}: {error}"))?;
        let field = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
        if field("record") != "result" || !(suites.is_empty() || suites.contains(&field("suite"))) {
            continue;
        }
        let entry = (field("suite"), field("file"));
        runs.insert((field("solver"), field("file")), outcome(&value));
        if !measured.contains(&field("solver")) {
            measured.push(field("solver"));
        }
        if files.last() != Some(&entry) && !files.contains(&entry) {
            files.push(entry);
        }
    }
    let folder = list.parent().unwrap_or(Path::new("."));
    let mut samples = Vec::new();
    for (suite, file) in files {
        let run = |name: &str| match runs.get(&(name.to_owned(), file.clone())) {
            Some(&ran) => Some(ran),
            None => (!measured.iter().any(|other| other == name)).then_some(Ran::Endless),
        };
        let all: Option<Vec<Ran>> = ENGINES.iter().map(|info| run(info.name)).collect();
        let features = features(&folder.join(&file))?;
        if let (Some(runs), Some(features)) = (all, features) {
            samples.push(Sample { suite, features, runs });
        }
    }
    Ok(samples)
}

fn outcome(value: &serde_json::Value) -> Ran {
    let time =
        Duration::try_from_secs_f64(value["cpu"].as_f64().unwrap_or(0.0)).unwrap_or_default();
    let time = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    match value["answer"].as_str() {
        Some("sat" | "unsat") => Ran::Decided(time),
        Some("unknown") => Ran::GaveUp(time),
        Some(_) | None => Ran::Endless,
    }
}

/// The figures of the simplified clauses in a file; nothing if that takes too long.
fn features(path: &Path) -> Result<Option<Features>, String> {
    let text =
        std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let mut store = TermStore::new();
    let script = read_horn(&text, &mut store)
        .map_err(|error| format!("{}: {}", path.display(), error.message))?;
    let Some(problem) = script.problems.first() else { return Ok(None) };
    let budget = Budget::until(Instant::now() + SIMPLIFYING);
    let mut cx = Cx::new(&mut store, &budget);
    let simplified = default_pipeline().run(&mut cx, problem.system.clone(), &mut |_| ());
    Ok(simplified.ok().map(|(system, _)| Features::of(&store, &system)))
}
