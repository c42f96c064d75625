//! Strategies for the seats of a job: workers that try the same problem try it in different ways.
//!
//! Seat 0 does what was asked for. The others have seeds of their own, unless a seed was asked for.
//! If engines were asked for, by name or by their options, that is all; else each gets three, until
//! there are no more. How the text is read is the same for all. Seats tell each other everything,
//! unless something else was asked for.
//!
//! The first engine of a seat is there for what it decides alone. Their order is by what the
//! default strategy leaves undecided: of 14 such files in 5 s of processor time (lia-lin, lra-ts,
//! multi-phase-safe; 2026-11-18) `trl` decides two, `ic3ia`, `kind` and `split-tpa` one each. Most
//! of them know linear clauses only, and some of them take in nothing. The other two know all
//! clauses, so no seat ends at once, and they talk: `spacer` or `pa`, with another seed than
//! elsewhere, and `houdini`, which puts together what all seats say.

use crate::message::Spec;
use crate::reading::is_about_reading;

/// What further seats begin with, in this order.
const FIRST: &[&str] = &["trl", "ic3ia", "split-tpa", "kind", "pdkind", "imc", "lawi"];
/// With what they go on, by turns.
const OTHERS: [&str; 2] = ["spacer,houdini", "pa,houdini"];

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
pub(crate) fn strategy(spec: &Spec, seat: u32) -> Vec<String> {
    if spec.seats == 1 {
        return Vec::new();
    }
    let name = |word: &String| word.split('=').next().unwrap_or_default().to_owned();
    let names: Vec<String> = spec.options.iter().map(name).collect();
    let unless_given = |name: &str, value: &str| {
        (!names.iter().any(|n| n == name)).then(|| format!("{name}={value}"))
    };
    let share = unless_given("--share", "all");
    let Some(number) = seat.checked_sub(1) else { return share.into_iter().collect() };
    let seed = unless_given("--seed", &seat.to_string());
    engines(&names, number).into_iter().chain(seed).chain(share).collect()
}

/// The engines of the seats behind the first one, by their numbers from 0, if these are free to
/// choose.
fn engines(names: &[String], number: u32) -> Option<String> {
    let is_general = |name: &String| {
        GENERAL.contains(&name.as_str()) || name.strip_prefix("--").is_some_and(is_about_reading)
    };
    let number = usize::try_from(number).unwrap_or(usize::MAX);
    let first = FIRST.get(number).filter(|_| names.iter().all(is_general))?;
    Some(format!("--engine={first},{}", OTHERS[number % OTHERS.len()]))
}

#[cfg(test)]
mod tests {
    use shofar::engine::{Fragment, engine};

    use super::*;
    use crate::tests::runs::spec;

    fn words(options: &[&str], seats: u32, seat: u32) -> String {
        let options = options.iter().map(|&word| word.to_owned()).collect();
        strategy(&Spec { options, ..spec(seats, 4) }, seat).join(" ")
    }

    #[test]
    fn seats_differ() {
        let words = |options: &[&str], seat| words(options, 12, seat);
        assert_eq!(words(&[], 0), "--share=all");
        assert_eq!(words(&["--share=none"], 0), "");
        assert_eq!(words(&[], 1), "--engine=trl,spacer,houdini --seed=1 --share=all");
        assert_eq!(words(&[], 10), "--seed=10 --share=all");
        assert_eq!(words(&["--engine=kind"], 2), "--seed=2 --share=all");
        let second = "--engine=ic3ia,pa,houdini --seed=2";
        assert_eq!(words(&["--threads=1", "--share=induct"], 2), second);
        let languages = ["--c-arith=int", "--property=safety", "--share=reach"];
        assert_eq!(words(&languages, 2), second);
        assert_eq!(words(&["--seed=5", "--share=all"], 2), "--engine=ic3ia,pa,houdini");
        assert_eq!(words(&["--pdkind-instances=2"], 2), "--seed=2 --share=all");
        assert_eq!(words(&["--engine=kind", "--seed=5", "--share=all"], 2), "");
    }

    #[test]
    fn who_is_alone_does_what_was_asked_for() {
        assert_eq!(words(&["--engine=kind"], 1, 0), "");
    }

    #[test]
    fn no_seat_ends_at_once() {
        for first in FIRST {
            assert!(engine(first).is_some(), "{first}");
        }
        for other in OTHERS.iter().flat_map(|others| others.split(',')) {
            assert_eq!(engine(other).unwrap().fragment, Fragment::Any, "{other}");
        }
    }
}
