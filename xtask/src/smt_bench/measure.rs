//! Runs problems side by side, prints the tables and writes `target/smt-bench/results.json`.

use std::path::Path;
use std::time::Duration;

use super::Options;
use super::problem::{Family, Problem};
use crate::process::{self, Input};
use crate::table::Table;

/// What one solver did with one problem.
#[derive(Clone, Debug, Default)]
struct Timed {
    /// Least time over the rounds, in seconds.
    seconds: f64,
    /// The answers in order; empty if it did not finish.
    answers: Vec<String>,
}

impl Timed {
    fn solved(&self) -> bool {
        !self.answers.is_empty() && !self.answers.iter().any(|answer| answer == "unknown")
    }
    fn verdict(&self) -> String {
        match self.answers.as_slice() {
            [] => "timeout".to_owned(),
            [one] => one.clone(),
            many => format!("{} answers", many.len()),
        }
    }
}

/// All measurements of one problem.
struct Measured<'p> {
    problem: &'p Problem,
    ours: Timed,
    theirs: Timed,
    with_proofs: Option<Timed>,
}

impl Measured<'_> {
    /// Whether two answers contradict each other.
    fn disagrees(&self) -> bool {
        let proofs = self.with_proofs.as_ref().map_or(&[][..], |timed| &timed.answers);
        let contradicts = |a: &[String], b: &[String]| {
            a.iter().zip(b).any(|(a, b)| a != b && a != "unknown" && b != "unknown")
        };
        contradicts(&self.ours.answers, &self.theirs.answers)
            || contradicts(&self.ours.answers, proofs)
    }
}

/// Measures all problems; false if answers disagree or a problem that needs cuts is not solved.
pub(super) fn run(
    problems: &[Problem],
    folder: &Path,
    shofar: &Path,
    z3: &Path,
    options: &Options,
) -> Result<bool, String> {
    let limit = Duration::from_secs(options.timeout);
    let mut results = Vec::new();
    for problem in problems {
        let file = folder.join(format!("{}-{}.smt2", problem.family.letter(), problem.name));
        let proof_file = folder.join(format!("with-proofs-{}.smt2", std::process::id()));
        let prefixed = format!("(set-option :produce-interpolants true)\n{}", problem.script);
        process::write(&proof_file, prefixed.as_bytes())?;
        let (file, proof_file) = (file.to_string_lossy(), proof_file.to_string_lossy());
        let mut measured = Measured {
            problem,
            ours: Timed::default(),
            theirs: Timed::default(),
            with_proofs: None,
        };
        for round in 0..options.rounds {
            // The solvers take turns, so that a slow moment of the machine hits all of them.
            time(shofar, &["smt", &file], limit, round, &mut measured.ours)?;
            time(z3, &[&file], limit, round, &mut measured.theirs)?;
            if !options.no_proofs {
                let timed = measured.with_proofs.get_or_insert_default();
                time(shofar, &["smt", &proof_file], limit, round, timed)?;
            }
        }
        eprintln!(
            "{} {}: {:.3} s ({}), z3 {:.3} s ({})",
            problem.family.letter(),
            problem.name,
            measured.ours.seconds,
            measured.ours.verdict(),
            measured.theirs.seconds,
            measured.theirs.verdict()
        );
        results.push(measured);
    }
    std::fs::remove_file(folder.join(format!("with-proofs-{}.smt2", std::process::id())))
        .unwrap_or_default();
    println!("{}", problem_table(&results).text());
    println!("{}", family_table(&results).text());
    println!("{}", logic_table(&results).text());
    process::write(&folder.join("results.json"), json(&results).as_bytes())?;
    let disagreements: Vec<&str> =
        results.iter().filter(|m| m.disagrees()).map(|m| m.problem.name.as_str()).collect();
    println!(
        "disagreements: {}",
        if disagreements.is_empty() { "none".into() } else { disagreements.join(" ") }
    );
    let cuts_solved =
        results.iter().filter(|m| m.problem.family == Family::Cuts).all(|m| m.ours.solved());
    Ok(disagreements.is_empty() && cuts_solved)
}

/// Runs once more and keeps the better time.
fn time(
    program: &Path,
    arguments: &[&str],
    limit: Duration,
    round: usize,
    timed: &mut Timed,
) -> Result<(), String> {
    // What did not finish in the first round is not tried again.
    if round > 0 && timed.answers.is_empty() {
        return Ok(());
    }
    let ran = process::run(program, arguments, &Input::Nothing, limit)?;
    let seconds = ran.time.as_secs_f64();
    timed.seconds = if round == 0 { seconds } else { seconds.min(timed.seconds) };
    let answers: Vec<String> = ran
        .stdout
        .lines()
        .filter(|line| matches!(*line, "sat" | "unsat" | "unknown"))
        .map(str::to_owned)
        .collect();
    timed.answers = if ran.end == process::End::Code(0) { answers } else { Vec::new() };
    Ok(())
}

fn problem_table(results: &[Measured<'_>]) -> Table {
    let mut table =
        Table::new(&["problem", "shofar s", "z3 s", "ratio", "proofs s", "shofar", "z3"]);
    for m in results {
        table.row(vec![
            format!("{} {}", m.problem.family.letter(), m.problem.name),
            format!("{:.3}", m.ours.seconds),
            format!("{:.3}", m.theirs.seconds),
            format!("{:.2}", m.ours.seconds / m.theirs.seconds),
            m.with_proofs.as_ref().map_or(String::new(), |timed| format!("{:.3}", timed.seconds)),
            m.ours.verdict(),
            m.theirs.verdict(),
        ]);
    }
    table
}

fn family_table(results: &[Measured<'_>]) -> Table {
    let heading = [
        "family",
        "problems",
        "solved",
        "z3 solved",
        "shofar s",
        "z3 s",
        "ratio",
        "target",
        "proofs s",
        "proofs ratio",
    ];
    let mut table = Table::new(&heading);
    for family in Family::ALL {
        let members: Vec<&Measured<'_>> =
            results.iter().filter(|m| m.problem.family == family).collect();
        if members.is_empty() {
            continue;
        }
        let total = |of: &dyn Fn(&Measured<'_>) -> f64| members.iter().map(|m| of(m)).sum::<f64>();
        let (ours, theirs) = (total(&|m| m.ours.seconds), total(&|m| m.theirs.seconds));
        let proofs = total(&|m| m.with_proofs.as_ref().map_or(0.0, |timed| timed.seconds));
        table.row(vec![
            family.label().to_owned(),
            members.len().to_string(),
            members.iter().filter(|m| m.ours.solved()).count().to_string(),
            members.iter().filter(|m| m.theirs.solved()).count().to_string(),
            format!("{ours:.2}"),
            format!("{theirs:.2}"),
            format!("{:.2}", ours / theirs),
            family.target().map_or("all solved".to_owned(), |target| format!("{target:.1}")),
            format!("{proofs:.2}"),
            format!("{:.2}", proofs / ours),
        ]);
    }
    table
}

/// Solved problems and times by logic.
fn logic_table(results: &[Measured<'_>]) -> Table {
    let mut logics: Vec<&str> = results.iter().map(|m| m.problem.logic()).collect();
    logics.sort_unstable();
    logics.dedup();
    let mut table =
        Table::new(&["logic", "problems", "solved", "z3 solved", "shofar s", "z3 s", "ratio"]);
    for logic in logics {
        let members: Vec<&Measured<'_>> =
            results.iter().filter(|m| m.problem.logic() == logic).collect();
        let ours: f64 = members.iter().map(|m| m.ours.seconds).sum();
        let theirs: f64 = members.iter().map(|m| m.theirs.seconds).sum();
        table.row(vec![
            logic.to_owned(),
            members.len().to_string(),
            members.iter().filter(|m| m.ours.solved()).count().to_string(),
            members.iter().filter(|m| m.theirs.solved()).count().to_string(),
            format!("{ours:.2}"),
            format!("{theirs:.2}"),
            format!("{:.2}", ours / theirs),
        ]);
    }
    table
}

/// The measurements as JSON; names contain nothing that needs escaping.
fn json(results: &[Measured<'_>]) -> String {
    let rows: Vec<String> = results
        .iter()
        .map(|m| {
            let proofs = m.with_proofs.as_ref().map_or("null".to_owned(), |timed| format!("{:.6}", timed.seconds));
            format!(
                "  {{\"family\": \"{}\", \"name\": \"{}\", \"shofar\": {:.6}, \"z3\": {:.6}, \"proofs\": {proofs}, \
                 \"shofar_verdict\": \"{}\", \"z3_verdict\": \"{}\"}}",
                m.problem.family.letter(),
                m.problem.name,
                m.ours.seconds,
                m.theirs.seconds,
                m.ours.verdict(),
                m.theirs.verdict()
            )
        })
        .collect();
    format!("[\n{}\n]\n", rows.join(",\n"))
}
