//! Strategies for the seats of a job: workers that try the same problem try it in different ways.
//!
//! Seat 0 does what was asked for. If engines were asked for, by name or by their options, the others differ by the seed only; else
//! each gets an engine of its own, and when there are no more the default strategy with another seed. How the text is read is the same
//! for all.
//!
//! The order of engines is by what the default strategy leaves undecided: of 14 such files in 5 s of processor time (lia-lin, lra-ts,
//! multi-phase-safe; 2026-11-18) `trl` decides two, `ic3ia`, `kind` and `split-tpa` one each. Most engines
//! know linear clauses only: on others their seats end at once, so the two that know all come early.

use crate::reading::is_about_reading;

/// Engines of further seats, in this order.
const ENGINES: &[&str] =
    &["trl", "spacer", "ic3ia", "pa", "split-tpa", "kind", "pdkind", "imc", "lawi"];

/// Options that are not about engines.
const GENERAL: &[&str] = &[
    "--seed",
    "--threads",
    "--share",
    "--steps-per-ms",
    "--check-proofs",
    "--no-preprocess",
    "--passes",
];

/// What a seat adds to the options of its job.
pub(crate) fn strategy(options: &[String], seat: u32) -> Vec<String> {
    if seat == 0 {
        return Vec::new();
    }
    let name = |word: &String| word.split('=').next().unwrap_or_default().to_owned();
    let names: Vec<String> = options.iter().map(name).collect();
    let is_general = |name: &str| {
        GENERAL.contains(&name) || name.strip_prefix("--").is_some_and(is_about_reading)
    };
    let is_free = names.iter().all(|name| is_general(name));
    let index = usize::try_from(seat).unwrap_or(usize::MAX) - 1;
    match ENGINES.get(index) {
        Some(engine) if is_free => vec![format!("--engine={engine}")],
        Some(_) | None if names.iter().any(|name| name == "--seed") => Vec::new(),
        Some(_) | None => vec![format!("--seed={seat}")],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(options: &[&str], seat: u32) -> String {
        let options: Vec<String> = options.iter().map(|&word| word.to_owned()).collect();
        strategy(&options, seat).join(" ")
    }

    #[test]
    fn seats_differ() {
        assert_eq!(words(&[], 0), "");
        assert_eq!(words(&[], 1), "--engine=trl");
        assert_eq!(words(&[], 10), "--seed=10");
        assert_eq!(words(&["--engine=kind"], 2), "--seed=2");
        assert_eq!(words(&["--threads=1", "--share=all"], 2), "--engine=spacer");
        assert_eq!(words(&["--c-arith=int", "--property=safety"], 2), "--engine=spacer");
        assert_eq!(words(&["--pdkind-instances=2"], 2), "--seed=2");
        assert_eq!(words(&["--engine=kind", "--seed=5"], 2), "");
    }

    #[test]
    fn every_engine_exists() {
        for engine in ENGINES {
            assert!(shofar::engine::engine(engine).is_some(), "{engine}");
        }
    }
}
