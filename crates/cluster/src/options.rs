//! Options of the solver as a job carries them: each one a word, with its value behind `=`.

use std::time::Duration;

/// Longest option.
const LONGEST: usize = 200;

/// What the command line knows about the options of the solver.
pub trait CommandLine: Sync {
    /// Whether a word is an option that says how to solve or to read a problem: none that names a
    /// file, or says what is printed.
    fn is_about_solving(&self, word: &str) -> bool;
    /// The option about solving that a misspelt one may be meant to be.
    fn nearest(&self, word: &str) -> Option<String> {
        let _ = word;
        None
    }
    /// What is wrong with these options, if they are given together.
    fn objection(&self, options: &[String]) -> Option<String>;
    /// The version of this program, with its commit if that is known.
    fn version(&self) -> &str;
}

/// Puts options and their values into one word each, and refuses those that are not about solving.
pub(crate) fn whole(words: &[String], line: &dyn CommandLine) -> Result<Vec<String>, String> {
    let mut options: Vec<String> = Vec::new();
    for word in words {
        match options.last_mut() {
            _ if word.starts_with("--") => options.push(word.clone()),
            Some(option) if !word.starts_with('-') && !option.contains('=') => {
                option.push('=');
                option.push_str(word);
            }
            Some(_) | None => {
                return Err(format!("`{word}` is no option with a long name"));
            }
        }
    }
    let is_refused = |option: &&String| option.len() > LONGEST || !line.is_about_solving(option);
    if let Some(option) = options.iter().find(is_refused) {
        let near = line.nearest(option).map(|near| format!("; did you mean {near}?"));
        return Err(format!("{option} is not an option about solving{}", near.unwrap_or_default()));
    }
    line.objection(&options).map_or(Ok(options), Err)
}

/// A limit on time in milliseconds, at least one.
pub(crate) fn milliseconds(seconds: f64) -> u64 {
    let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nothing may be dumped, and seeds are even.
    struct Strict;
    impl CommandLine for Strict {
        fn is_about_solving(&self, word: &str) -> bool {
            !word.contains("dump")
        }
        fn nearest(&self, word: &str) -> Option<String> {
            word.contains("jump").then(|| "--jumps".to_owned())
        }
        fn objection(&self, options: &[String]) -> Option<String> {
            options.contains(&"--seed=5".to_owned()).then(|| "5 is odd".to_owned())
        }
        fn version(&self) -> &'static str {
            "1"
        }
    }
    fn check(text: &str) -> Result<String, String> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        whole(&words, &Strict).map(|options| options.join(" "))
    }

    #[test]
    fn values_join_their_options() {
        assert_eq!(
            check("--engine kind --seed=3 --check-proofs").unwrap(),
            "--engine=kind --seed=3 --check-proofs"
        );
        assert_eq!(check("").unwrap(), "");
        for wrong in ["kind", "-e kind", "--seed=3 4", "--dump-queries /tmp", "--seed 5"] {
            assert!(check(wrong).is_err(), "{wrong}");
        }
        let refusal = check("--dump-jump=3").unwrap_err();
        assert!(refusal.ends_with("did you mean --jumps?"), "{refusal}");
        assert_eq!((milliseconds(0.5), milliseconds(1e-9)), (500, 1));
    }
}
