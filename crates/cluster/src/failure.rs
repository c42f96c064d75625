//! Why a job has no verdict.
//!
//! Answers are those of a run on one machine; a failure tells the causes apart that share an
//! answer, and those that only a cluster has. Every result without a verdict has exactly one.

use serde::{Deserialize, Serialize};
use shofar_bench::Answer;

use crate::judge::REJECTED;
use crate::message::Ending;

/// The exit status of a solver that refuses its input.
const REFUSED_INPUT: i32 = 2;

/// Why there is no verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Failure {
    /// The solver gave up before it reached a limit.
    Unknown,
    /// The limit on time was reached.
    Timeout,
    /// The limit on memory was reached.
    Memout,
    /// The solver does not read the text or the options.
    RefusedInput,
    /// The solver ended without an answer.
    Error,
    /// What workers said is not true, or not proved.
    RejectedWitness,
    /// No attempt came to its end, because workers were killed or cut off.
    WorkerLost,
    /// The submitter has withdrawn it.
    Cancelled,
}

impl Failure {
    /// All of them.
    pub(crate) const ALL: [Self; 8] = [
        Self::Unknown,
        Self::Timeout,
        Self::Memout,
        Self::RefusedInput,
        Self::Error,
        Self::RejectedWitness,
        Self::WorkerLost,
        Self::Cancelled,
    ];

    /// The word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Failure::Unknown => "unknown",
            Failure::Timeout => "timeout",
            Failure::Memout => "memout",
            Failure::RefusedInput => "refused-input",
            Failure::Error => "error",
            Failure::RejectedWitness => "rejected-witness",
            Failure::WorkerLost => "worker-lost",
            Failure::Cancelled => "cancelled",
        }
    }
    /// The word of `answer` that it has, of two the one that is its own.
    fn answer(self) -> &'static str {
        match self {
            Failure::Unknown => "unknown",
            Failure::Timeout => "timeout",
            Failure::Memout => "memory",
            Failure::RefusedInput | Failure::Error => "failed",
            Failure::RejectedWitness => REJECTED,
            Failure::WorkerLost => "crashed",
            Failure::Cancelled => "withdrawn",
        }
    }
    /// The failures that a word of the command line means: its own word, that of an answer, or
    /// `all`.
    pub(crate) fn of_word(word: &str) -> Vec<Self> {
        let is_meant = |failure: &Self| [failure.word(), failure.answer(), "all"].contains(&word);
        Self::ALL.into_iter().filter(is_meant).collect()
    }
    /// The failure of a job that ended in this way; nothing if that is a verdict.
    pub(crate) fn of_ending(ending: Ending, exit: Option<i32>) -> Option<Self> {
        match ending {
            Ending::Crashed => Some(Failure::WorkerLost),
            Ending::Withdrawn => Some(Failure::Cancelled),
            Ending::Answered(answer) => match answer {
                Answer::Sat | Answer::Unsat | Answer::Yes | Answer::No => None,
                // A question about clauses of which some were refused is answered by `unknown`.
                Answer::Unknown | Answer::Failed if exit == Some(REFUSED_INPUT) => {
                    Some(Failure::RefusedInput)
                }
                Answer::Unknown => Some(Failure::Unknown),
                Answer::Timeout => Some(Failure::Timeout),
                Answer::Memory => Some(Failure::Memout),
                Answer::Failed => Some(Failure::Error),
            },
        }
    }
    /// The failure of a result with this answer, such as a journal of an older version has it.
    pub(crate) fn of_answer(answer: &str, exit: Option<i32>) -> Option<Self> {
        if exit == Some(REFUSED_INPUT) && ["failed", "unknown"].contains(&answer) {
            return Some(Failure::RefusedInput);
        }
        let others = Self::ALL.into_iter().filter(|failure| *failure != Failure::RefusedInput);
        others.into_iter().find(|failure| failure.answer() == answer)
    }
}

/// Reads a list of failures, separated by commas, from the command line.
pub(crate) fn failures(text: &str) -> Result<Vec<Failure>, String> {
    let mut all = Vec::new();
    for word in text.split(',') {
        let meant = Failure::of_word(word);
        if meant.is_empty() {
            let words: Vec<&str> = Failure::ALL.into_iter().map(Failure::word).collect();
            return Err(format!("`{word}` is none of all, {}", words.join(", ")));
        }
        all.extend(meant);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_without_a_verdict_has_a_failure() {
        let of = |answer, exit| Failure::of_ending(Ending::Answered(answer), exit);
        assert_eq!(of(Answer::Sat, Some(0)), None);
        assert_eq!(of(Answer::Failed, Some(2)), Some(Failure::RefusedInput));
        assert_eq!(of(Answer::Unknown, Some(2)), Some(Failure::RefusedInput));
        assert_eq!(of(Answer::Unknown, Some(0)), Some(Failure::Unknown));
        assert_eq!(of(Answer::Failed, None), Some(Failure::Error));
        assert_eq!(Failure::of_ending(Ending::Crashed, None), Some(Failure::WorkerLost));
        for failure in Failure::ALL {
            let exit = (failure == Failure::RefusedInput).then_some(2);
            assert_eq!(Failure::of_answer(failure.answer(), exit), Some(failure));
        }
        assert_eq!(Failure::of_answer("unsat", Some(0)), None);
    }

    #[test]
    fn words_of_failures_and_of_answers_are_understood() {
        assert_eq!(failures("timeout,memory"), Ok(vec![Failure::Timeout, Failure::Memout]));
        assert_eq!(failures("failed"), Ok(vec![Failure::RefusedInput, Failure::Error]));
        assert_eq!(failures("worker-lost"), failures("crashed"));
        assert_eq!(failures("all").map(|all| all.len()), Ok(Failure::ALL.len()));
        assert!(failures("sat").unwrap_err().contains("cancelled"));
        assert!(failures("").is_err());
    }
}
