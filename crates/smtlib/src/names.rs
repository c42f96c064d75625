//! Names as small numbers.
//!
//! Every symbol of the input is looked up once, by its bytes; from then on a name is an index, and what it means is found
//! in a vector. `x` and `|x|` are one name, as [SMTLIB] §3.1 says.

use shofar_base::{IndexVec, Map, index_type};

index_type!(
    /// A symbol of the input.
    pub(crate) struct Name
);

/// All symbols seen so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    table: Map<Box<[u8]>, Name>,
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
        match self.table.get(bytes) {
            Some(&name) => name,
            None => self.insert(bytes),
        }
    }
    #[cold]
    fn insert(&mut self, bytes: &[u8]) -> Name {
        let text = std::str::from_utf8(bytes).expect("the command's UTF-8 was checked");
        let name = self.texts.push(text.into());
        self.table.insert(bytes.into(), name);
        name
    }
    /// The text of a name, without bars.
    pub(crate) fn text(&self, name: Name) -> &str {
        &self.texts[name]
    }
}
