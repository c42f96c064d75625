//! Options of the solver as a job carries them: each one a word, with its value behind `=`.

use std::time::Duration;

/// Longest option.
const LONGEST: usize = 200;

/// Puts options and their values into one word each, and refuses those that are not about solving.
pub(crate) fn whole(words: &[String], is_allowed: fn(&str) -> bool) -> Result<Vec<String>, String> {
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
    match options.iter().find(|option| option.len() > LONGEST || !is_allowed(option)) {
        Some(option) => Err(format!("{option} is not an option about solving")),
        None => Ok(options),
    }
}

/// A limit on time in milliseconds, at least one.
pub(crate) fn milliseconds(seconds: f64) -> u64 {
    let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<String, String> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        whole(&words, |word| !word.contains("dump")).map(|options| options.join(" "))
    }

    #[test]
    fn values_join_their_options() {
        assert_eq!(
            check("--engine kind --seed=3 --check-proofs").unwrap(),
            "--engine=kind --seed=3 --check-proofs"
        );
        assert_eq!(check("").unwrap(), "");
        for wrong in ["kind", "-e kind", "--seed=3 4", "--dump-queries /tmp"] {
            assert!(check(wrong).is_err(), "{wrong}");
        }
        assert_eq!((milliseconds(0.5), milliseconds(1e-9)), (500, 1));
    }
}
