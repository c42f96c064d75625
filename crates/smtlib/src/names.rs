//! Names as small numbers.
//!
//! Every symbol of the input is looked up once, by its bytes; from then on a name is an index, and
//! what it means is found in a vector. `x` and `|x|` are one name, as [SMTLIB] §3.1 says.
//!
//! Nearly all names are short; two words and the length tell them apart, and the lookup follows no
//! pointer.

use std::sync::Arc;

use shofar_base::{HandleTable, Idx, IndexVec, WordHash, index_type};

index_type!(
    /// A symbol of the input.
    pub(crate) struct Name
);

/// The bytes of longer names are compared.
const SHORT: usize = 16;

/// The first and the last bytes of a name, which overlap in a short one, and how many bytes it has.
type Key = (u64, u64, usize);

/// Which table of names it is; names of different tables have nothing to do with each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct NamesId(Arc<()>);

impl PartialEq for NamesId {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// All symbols seen so far.
#[derive(Debug, Default)]
pub(crate) struct Names {
    id: NamesId,
    table: HandleTable,
    keys: IndexVec<Name, Key>,
    texts: IndexVec<Name, Box<str>>,
}

impl Names {
    /// Which table this is.
    pub(crate) fn id(&self) -> &NamesId {
        &self.id
    }
    /// How many names there are.
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }
    /// The name with these bytes, which are UTF-8.
    #[inline]
    pub(crate) fn intern(&mut self, bytes: &[u8]) -> Name {
        let key = key(bytes);
        let hash = hash(key, bytes);
        let same = |id: u32| {
            let name = Name::from_index(id as usize);
            self.keys[name] == key && (bytes.len() <= SHORT || self.texts[name].as_bytes() == bytes)
        };
        match self.table.find(hash, same) {
            Some(id) => Name::from_index(id as usize),
            None => self.insert(bytes, key, hash),
        }
    }
    #[cold]
    fn insert(&mut self, bytes: &[u8], key: Key, hash: u32) -> Name {
        let text = std::str::from_utf8(bytes).expect("the command's UTF-8 was checked");
        let name = self.texts.push(text.into());
        self.keys.push(key);
        self.table.insert(hash, u32::try_from(name.index()).expect("names are counted in 32 bits"));
        name
    }
    /// The text of a name, without bars.
    pub(crate) fn text(&self, name: Name) -> &str {
        &self.texts[name]
    }
}

#[inline]
fn key(bytes: &[u8]) -> Key {
    let length = bytes.len();
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        return (u64::from_le_bytes(*first), u64::from_le_bytes(*last), length);
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        return (u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into(), length);
    }
    // At most three bytes: the first, the middle and the last one are all.
    let (Some(&first), Some(&last)) = (bytes.first(), bytes.last()) else { return (0, 0, 0) };
    (u64::from(first) << 8 | u64::from(bytes[length / 2]), last.into(), length)
}

#[inline]
fn hash((first, last, length): Key, bytes: &[u8]) -> u32 {
    let mut hash = WordHash::new(first ^ (length as u64) << 56).word(last);
    if length > SHORT {
        for chunk in bytes[8..].as_chunks().0 {
            hash = hash.word(u64::from_le_bytes(*chunk));
        }
    }
    hash.finish()
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
