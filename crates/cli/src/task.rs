//! What the witness of a verification task says about the task and about itself.
//!
//! The identifier is made from the digest of input and verdict, so equal runs write equal
//! witnesses; so that also the time of making is the same, `SOURCE_DATE_EPOCH` may say it, in
//! seconds since 1970, as for reproducible builds.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use sha2::{Digest as _, Sha256};
use shofar_chc::read::Task;

/// A task with all that its witness says about it.
pub(crate) struct TaskFacts {
    file: String,
    sha256: String,
    uuid: String,
    created: String,
}

impl TaskFacts {
    /// The facts about the input `text` of the file `name`, about which `word` is the verdict.
    pub(crate) fn of(name: &str, text: &[u8], word: &str) -> Self {
        let file = Path::new(name).file_name().map_or(name.into(), |file| file.to_string_lossy());
        let sha256 = hexadecimal(&Sha256::digest(text));
        let own = Sha256::new().chain_update(text).chain_update(word).finalize();
        let file = file.into_owned();
        Self { file, sha256, uuid: uuid(&hexadecimal(&own)), created: iso_8601(now()) }
    }
    /// As the front ends want them.
    pub(crate) fn task(&self) -> Task<'_> {
        let Self { file, sha256, uuid, created } = self;
        Task { file, sha256, uuid, created, version: env!("CARGO_PKG_VERSION") }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).expect("it is below 16");
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// An identifier of the kind that is made from a digest (version 8), of the first hexadecimal
/// digits.
fn uuid(digits: &str) -> String {
    let (a, b, c, d) = (&digits[..8], &digits[8..12], &digits[13..16], &digits[17..20]);
    format!("{a}-{b}-8{c}-8{d}-{}", &digits[20..32])
}

/// Seconds since 1970.
fn now() -> u64 {
    let said = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    said.unwrap_or_else(clock)
}

/// The date and time, so many seconds after the beginning of 1970.
fn iso_8601(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The date so many days after the beginning of 1970, in the Gregorian calendar: years begin in
/// March, so that leap days come last, and 400 of them have 146,097 days.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let in_year = day - (365 * year + year / 4 - year / 100);
    let from_march = (5 * in_year + 2) / 153;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    (year, month, in_year - (153 * from_march + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_200, "2024-03-01T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(iso_8601(seconds), expected);
        }
    }

    #[test]
    fn equal_inputs_have_equal_witnesses() {
        let (one, same) =
            (TaskFacts::of("a/b.c", b"text", "sat"), TaskFacts::of("b.c", b"text", "sat"));
        assert_eq!((one.file.as_str(), &one.uuid), ("b.c", &same.uuid));
        let other = TaskFacts::of("b.c", b"text", "unsat");
        assert_eq!(one.sha256, other.sha256);
        assert_ne!(one.uuid, other.uuid);
        let parts: Vec<usize> = one.uuid.split('-').map(str::len).collect();
        assert_eq!(parts, [8, 4, 4, 4, 12]);
    }
}
