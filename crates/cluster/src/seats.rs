//! Strategies for the seats of a job: workers that try the same problem try it in different ways.
//!
//! Seat 0 does what was asked for. If engines were asked for, by name or by their options, the others differ by the seed only; else
//! each gets an engine of its own, those first that decide most by themselves, and when there are no more the default strategy
//! with another seed.

/// Engines of further seats, in this order; of each kind one that sees problems in its own way.
const ENGINES: &[&str] = &["spacer", "pdkind", "pa", "split-tpa", "ic3ia", "trl", "lawi", "imc"];

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
    let is_free = names.iter().all(|name| GENERAL.contains(&name.as_str()));
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
        assert_eq!(words(&[], 1), "--engine=spacer");
        assert_eq!(words(&[], 9), "--seed=9");
        assert_eq!(words(&["--engine=kind"], 2), "--seed=2");
        assert_eq!(words(&["--threads=1", "--share=all"], 2), "--engine=pdkind");
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
