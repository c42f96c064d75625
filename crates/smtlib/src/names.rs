//! Names as small numbers.
//!
//! Every symbol of the input is looked up once, by its bytes; from then on a name is an index, and what it means is found
//! in a vector. `x` and `|x|` are one name, as [SMTLIB] §3.1 says.
//!
//! Nearly all names are short, so they are keys by value: the lookup follows no pointer and compares two words.

use shofar_base::{IndexVec, Map, index_type};

index_type!(
    /// A symbol of the input.
    pub(crate) struct Name
);

/// Longer names are looked up by reference.
const SHORT: usize = 16;

/// The bytes of a short name in two words, and how many they are.
type Packed = (u64, u64, u8);

/// All symbols seen so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    short: Map<Packed, Name>,
    long: Map<Box<[u8]>, Name>,
    texts: IndexVec<Name, Box<str>>,
}

impl Names {
    /// How many names there are.
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }
    /// The name with these bytes, which are UTF-8.
    #[inline]
    pub(crate) fn intern(&mut self, bytes: &[u8]) -> Name {
        let known = match pack(bytes) {
            Some(packed) => self.short.get(&packed),
            None => self.long.get(bytes),
        };
        match known {
            Some(&name) => name,
            None => self.insert(bytes),
        }
    }
    #[cold]
    fn insert(&mut self, bytes: &[u8]) -> Name {
        let text = std::str::from_utf8(bytes).expect("the command's UTF-8 was checked");
        let name = self.texts.push(text.into());
        match pack(bytes) {
            Some(packed) => self.short.insert(packed, name),
            None => self.long.insert(bytes.into(), name),
        };
        name
    }
    /// The text of a name, without bars.
    pub(crate) fn text(&self, name: Name) -> &str {
        &self.texts[name]
    }
}

/// The key of a short name; two overlapping words cover it, whatever its length.
#[inline]
fn pack(bytes: &[u8]) -> Option<Packed> {
    let length = bytes.len();
    if length > SHORT {
        return None;
    }
    let word = |at: usize| {
        bytes.get(at..at + 8).and_then(|word| word.try_into().ok()).map(u64::from_le_bytes)
    };
    let (first, last) = match (word(0), length.checked_sub(8).and_then(word)) {
        (Some(first), Some(last)) => (first, last),
        _ => (bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)), 0),
    };
    Some((first, last, u8::try_from(length).expect("short names are short")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_its_own_number() {
        let mut names = Names::default();
        let texts: Vec<String> = (0..40)
            .flat_map(|length| {
                ["a", "b", "\0"].map(|letter| format!("{}{letter}", "a".repeat(length)))
            })
            .chain([String::new(), "aaaaaaaabaaaaaaaa".to_owned(), "abcdefghabcdefg".to_owned()])
            .collect();
        let first: Vec<Name> = texts.iter().map(|text| names.intern(text.as_bytes())).collect();
        let again: Vec<Name> = texts.iter().map(|text| names.intern(text.as_bytes())).collect();
        assert_eq!(first, again);
        assert_eq!(names.len(), texts.len());
        assert!(first.iter().zip(&texts).all(|(&name, text)| names.text(name) == text));
    }
}
