//! Names by content: equal texts have equal names, on every machine.
//!
//! A digest is the first half of SHA-256, written as 32 hexadecimal digits, which fit into a
//! subject of the hub and into the name of a file. Invariant: a digest consists of such digits
//! only, so nothing that comes from the hub can lead a path astray.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// How many hexadecimal digits a digest has.
const LENGTH: usize = 32;

/// The name of a content.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest(String);

impl Digest {
    /// The name of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let hash = Sha256::digest(bytes);
        let digits = hash.iter().take(LENGTH / 2).map(|byte| format!("{byte:02x}"));
        Self(digits.collect())
    }
    /// Reads a name; nothing else than the digits is one.
    pub fn parse(text: &str) -> Option<Self> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (text.len() == LENGTH && text.bytes().all(is_digit)).then(|| Self(text.to_owned()))
    }
    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Digest {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text).ok_or_else(|| format!("`{text}` is no digest"))
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_sha256() {
        let empty = Digest::of(b"");
        assert_eq!(empty.as_str(), "e3b0c44298fc1c149afbf4c8996fb924");
        assert_ne!(Digest::of(b"a"), empty);
        assert_eq!(Digest::parse(empty.as_str()), Some(empty));
    }

    #[test]
    fn nothing_else_is_a_name() {
        for text in
            ["", "e3b0", "../../../../../../../../etc/pass", &"E".repeat(32), &"a".repeat(33)]
        {
            assert_eq!(Digest::parse(text), None, "{text}");
        }
    }
}
