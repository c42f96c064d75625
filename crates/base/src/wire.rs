//! Bytes for another process, and how to read bytes that may be anything.
//!
//! Numbers are written seven bits a byte, lowest first, texts and lists with their length in front.
//! Whoever adds a serialised form writes with a [`Writer`] and reads with a [`Reader`]. Invariant:
//! no bytes make reading panic, and nothing is allocated that is larger than the bytes that are
//! left; so a list is read element by element, each of at least one byte.
//!
//! Reasons for giving up and statistics have their form here; terms, clauses and witnesses in the
//! crates that know them.

use std::borrow::Cow;
use std::fmt;

use crate::{GaveUp, Statistics};

/// Why bytes could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireError {
    /// Where.
    pub offset: usize,
    /// What is wrong there.
    pub reason: &'static str,
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.reason)
    }
}

impl std::error::Error for WireError {}

/// A result of reading.
pub type Wire<T> = Result<T, WireError>;

/// Bytes in the making.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// Bytes that begin with `magic`, by which their reader knows them.
    pub fn new(magic: &[u8]) -> Self {
        Self { bytes: magic.to_vec() }
    }
    /// A single byte.
    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }
    /// A number.
    pub fn number(&mut self, mut number: u64) {
        loop {
            let [low, ..] = number.to_le_bytes();
            number >>= 7;
            if number == 0 {
                return self.bytes.push(low & 0x7f);
            }
            self.bytes.push(low | 0x80);
        }
    }
    /// A length or an index.
    pub fn length(&mut self, length: usize) {
        self.number(length as u64);
    }
    /// A text.
    pub fn text(&mut self, text: &str) {
        self.block(text.as_bytes());
    }
    /// Bytes of another form.
    pub fn block(&mut self, bytes: &[u8]) {
        self.length(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }
    /// The bytes.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// Bytes that are being read.
#[derive(Clone, Debug)]
pub struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    /// Reads what [`Writer::new`] began with the same magic.
    pub fn new(bytes: &'b [u8], magic: &[u8]) -> Wire<Self> {
        let mut reader = Self { bytes, at: 0 };
        reader.require(bytes.starts_with(magic), "these bytes are of another kind")?;
        reader.at = magic.len();
        Ok(reader)
    }
    /// How many bytes have been read.
    pub fn offset(&self) -> usize {
        self.at
    }
    /// An error at the present place.
    pub fn error(&self, reason: &'static str) -> WireError {
        WireError { offset: self.at, reason }
    }
    /// An error at the present place unless `condition` holds.
    pub fn require(&self, condition: bool, reason: &'static str) -> Wire<()> {
        if condition { Ok(()) } else { Err(self.error(reason)) }
    }
    /// A single byte.
    pub fn byte(&mut self) -> Wire<u8> {
        let byte = *self.bytes.get(self.at).ok_or_else(|| self.error("unexpected end"))?;
        self.at += 1;
        Ok(byte)
    }
    /// A number.
    pub fn number(&mut self) -> Wire<u64> {
        let mut number = 0u64;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            let digit = u64::from(byte & 0x7f);
            self.require(digit << shift >> shift == digit, "a number is too large")?;
            number |= digit << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(self.error("a number is too large"))
    }
    /// How many things of at least one byte follow.
    pub fn length(&mut self) -> Wire<usize> {
        let length = self.number()?;
        let left = self.bytes.len() - self.at;
        let length = usize::try_from(length).ok().filter(|&length| length <= left);
        length.ok_or_else(|| self.error("a length exceeds the bytes"))
    }
    /// The index of one of `count` things.
    pub fn index(&mut self, count: usize, reason: &'static str) -> Wire<usize> {
        let index = usize::try_from(self.number()?).ok().filter(|&index| index < count);
        index.ok_or_else(|| self.error(reason))
    }
    /// A text.
    pub fn text(&mut self) -> Wire<&'b str> {
        let bytes = self.block()?;
        std::str::from_utf8(bytes).map_err(|_| self.error("a text is not UTF-8"))
    }
    /// Bytes of another form.
    pub fn block(&mut self) -> Wire<&'b [u8]> {
        let length = self.length()?;
        let block = &self.bytes[self.at..self.at + length];
        self.at += length;
        Ok(block)
    }
    /// Makes sure that nothing is left.
    pub fn end(&self) -> Wire<()> {
        self.require(self.at == self.bytes.len(), "bytes after the end")
    }
}

impl GaveUp {
    /// Writes the reason.
    pub fn write(&self, out: &mut Writer) {
        let (code, text) = match self {
            GaveUp::Timeout => (0, None),
            GaveUp::Memory => (1, None),
            GaveUp::Cancelled => (2, None),
            GaveUp::Unsupported(text) => (3, Some(text)),
            GaveUp::Incomplete(text) => (4, Some(text)),
            GaveUp::Wrong(text) => (5, Some(text)),
        };
        out.byte(code);
        if let Some(text) = text {
            out.text(text);
        }
    }
    /// Reads what [`write`](Self::write) wrote.
    pub fn read(bytes: &mut Reader<'_>) -> Wire<Self> {
        let text = |bytes: &mut Reader<'_>| bytes.text().map(|text| Cow::Owned(text.to_owned()));
        Ok(match bytes.byte()? {
            0 => GaveUp::Timeout,
            1 => GaveUp::Memory,
            2 => GaveUp::Cancelled,
            3 => GaveUp::Unsupported(text(bytes)?),
            4 => GaveUp::Incomplete(text(bytes)?),
            5 => GaveUp::Wrong(text(bytes)?),
            _ => return Err(bytes.error("an unknown reason for giving up")),
        })
    }
}

impl Statistics {
    /// Writes the entries.
    pub fn write(&self, out: &mut Writer) {
        out.length(self.iter().len());
        for (name, count) in self.iter() {
            out.text(name);
            out.number(count);
        }
    }
    /// Reads what [`write`](Self::write) wrote.
    pub fn read(bytes: &mut Reader<'_>) -> Wire<Self> {
        let length = bytes.length()?;
        (0..length).map(|_| Ok((bytes.text()?.to_owned(), bytes.number()?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    const MAGIC: &[u8] = b"test";

    /// A message with a reason and statistics.
    fn written(why: &GaveUp, statistics: &Statistics) -> Vec<u8> {
        let mut out = Writer::new(MAGIC);
        why.write(&mut out);
        statistics.write(&mut out);
        out.finish()
    }
    fn read(bytes: &[u8]) -> Wire<(GaveUp, Statistics)> {
        let mut reader = Reader::new(bytes, MAGIC)?;
        let message = (GaveUp::read(&mut reader)?, Statistics::read(&mut reader)?);
        reader.end()?;
        Ok(message)
    }
    fn messages() -> Vec<(GaveUp, Statistics)> {
        let reasons = [
            GaveUp::Timeout,
            GaveUp::Memory,
            GaveUp::Cancelled,
            GaveUp::unsupported("arrays"),
            GaveUp::incomplete(String::from("größer")),
            GaveUp::wrong(""),
        ];
        let counted = [("lemmas", 0), ("queries", 127), ("time µs", 128), ("", u64::MAX)];
        reasons.into_iter().map(|why| (why, counted.into_iter().collect())).collect()
    }

    #[test]
    fn reasons_and_statistics_come_back() {
        for (why, statistics) in messages() {
            let bytes = written(&why, &statistics);
            assert_eq!(read(&bytes), Ok((why, statistics)));
            for end in 0..bytes.len() {
                assert!(read(&bytes[..end]).is_err(), "a part is not the whole");
            }
            assert!(read(&[bytes.as_slice(), &[0]].concat()).is_err());
        }
    }

    #[test]
    fn changed_bytes_are_read_or_refused() {
        let mut rng = Rng::new(14);
        let (why, statistics) = messages().swap_remove(4);
        let bytes = written(&why, &statistics);
        for _ in 0..20_000 {
            let mut changed = bytes.clone();
            for _ in 0..=rng.below(3) {
                let at = rng.below(changed.len());
                changed[at] = rng.below(256).try_into().unwrap_or_default();
            }
            if let Ok((why, statistics)) = read(&changed) {
                let again = written(&why, &statistics);
                assert_eq!(read(&again), Ok((why, statistics)));
            }
        }
    }

    #[test]
    fn a_length_beyond_the_bytes_is_refused() {
        let mut out = Writer::new(MAGIC);
        out.number(u64::MAX);
        let bytes = out.finish();
        assert!(Reader::new(&bytes, MAGIC).is_ok_and(|mut bytes| bytes.length().is_err()));
        assert!(Reader::new(&bytes, MAGIC).is_ok_and(|mut bytes| bytes.block().is_err()));
        assert!(Reader::new(&bytes, b"tests").is_err());
    }
}
