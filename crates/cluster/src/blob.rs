//! Texts in the store: packed, in parts, under the digest of what they are when unpacked.
//!
//! The store has a limit on each message, so a text is compressed and cut into parts, with the
//! names `DIGEST.0`, `DIGEST.1` and so on; the first byte of a part tells whether another one
//! follows. Whoever reads puts them together, unpacks them within a limit and compares the digest:
//! a part that is missing, damaged or of another text is noticed. Parts are written last one first,
//! so a text whose first part is there is there as a whole, and is not written twice.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use crate::digest::Digest;
use crate::hub::{Hub, HubError, Store};
use crate::message::LONGEST_TEXT;

/// Bytes of a part, far enough below what the hub takes.
const PART: usize = 512 << 10;
/// A text that does not become shorter becomes longer by less than this: 5 bytes for each block of
/// 32 kB, and the ends.
const LONGER: usize = 1 << 20;
/// Most parts of a text.
const MOST_PARTS: usize = 1 << 10;
const LAST: u8 = 0;
const FOLLOWED: u8 = 1;

/// Compresses a text.
pub(crate) fn pack(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).and_then(|()| encoder.finish()).expect("memory takes every byte")
}

/// What [`pack`] compressed; nothing if it is damaged or becomes longer than `longest`.
pub(crate) fn unpack(packed: &[u8], longest: usize) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    GzDecoder::new(packed).take(longest as u64 + 1).read_to_end(&mut text).ok()?;
    (text.len() <= longest).then_some(text)
}

/// Puts a text into the store, if it is not there.
pub(crate) fn put(hub: &dyn Hub, text: &[u8]) -> Result<Digest, HubError> {
    let digest = Digest::of(text);
    if text.len() > LONGEST_TEXT {
        return Err(HubError::refused(format!("a text of {} bytes is too long", text.len())));
    }
    let packed = pack(text);
    let parts: Vec<&[u8]> = packed.chunks(PART).collect();
    // A short text is sent as fast as one asks whether it is there.
    if parts.len() > 1 && hub.read(Store::Texts, &name(&digest, 0))?.is_some() {
        return Ok(digest);
    }
    for (number, part) in parts.iter().enumerate().rev() {
        let mark = if number + 1 == parts.len() { LAST } else { FOLLOWED };
        hub.create(Store::Texts, &name(&digest, number), &[&[mark], *part].concat())?;
    }
    Ok(digest)
}

/// A text from the store; nothing if it is not there, longer than `longest`, or not what its name
/// says.
pub(crate) fn get(
    hub: &dyn Hub,
    digest: &Digest,
    longest: usize,
) -> Result<Option<Vec<u8>>, HubError> {
    let first = hub.read(Store::Texts, &beginning(digest))?;
    complete(hub, digest, longest, first)
}

/// Where the first part of a text is.
pub(crate) fn beginning(digest: &Digest) -> String {
    name(digest, 0)
}

/// Likewise, if the first part was looked for already.
pub(crate) fn complete(
    hub: &dyn Hub,
    digest: &Digest,
    longest: usize,
    first: Option<Vec<u8>>,
) -> Result<Option<Vec<u8>>, HubError> {
    let (mut packed, mut next) = (Vec::new(), first);
    for number in 1..=MOST_PARTS {
        let Some((mark, part)) = next.as_deref().and_then(<[u8]>::split_first) else {
            return Ok(None);
        };
        packed.extend_from_slice(part);
        // What is longer packed than unpacked is not ours, and what follows is not fetched.
        if packed.len() > longest + LONGER {
            return Ok(None);
        }
        if *mark == LAST {
            return Ok(unpack(&packed, longest).filter(|text| Digest::of(text) == *digest));
        }
        next = hub.read(Store::Texts, &name(digest, number))?;
    }
    Ok(None)
}

fn name(digest: &Digest, number: usize) -> String {
    format!("{digest}.{number}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Memory;

    /// A text that does not become smaller.
    fn noise(length: usize) -> Vec<u8> {
        let mut rng = shofar_base::Rng::new(3);
        (0..length).map(|_| u8::try_from(rng.below(256)).unwrap_or_default()).collect()
    }

    #[test]
    fn texts_of_any_length_come_back() {
        let hub = Memory::new();
        for length in [0, 1, 1000, PART + 5, 3 * PART] {
            let text = noise(length);
            let digest = put(&hub, &text).unwrap();
            assert_eq!(put(&hub, &text).unwrap(), digest);
            assert_eq!(get(&hub, &digest, LONGEST_TEXT).unwrap(), Some(text));
        }
        assert_eq!(get(&hub, &Digest::of(b"another"), LONGEST_TEXT).unwrap(), None);
    }

    #[test]
    fn a_text_that_is_not_whole_is_none() {
        let text = noise(2 * PART);
        let digest = Digest::of(&text);
        let packed = pack(&text);
        let part = |mark: u8, part: &[u8]| [&[mark], part].concat();
        let stored = |parts: &[Vec<u8>]| {
            let hub = Memory::new();
            for (number, part) in parts.iter().enumerate() {
                hub.create(Store::Texts, &name(&digest, number), part).unwrap();
            }
            get(&hub, &digest, LONGEST_TEXT).unwrap()
        };
        let (front, back) = packed.split_at(PART);
        assert_eq!(stored(&[part(FOLLOWED, front), part(LAST, back)]), Some(text));
        assert_eq!(stored(&[part(FOLLOWED, front)]), None);
        assert_eq!(stored(&[part(LAST, front)]), None);
        assert_eq!(stored(&[part(FOLLOWED, back), part(LAST, front)]), None);
        assert_eq!(stored(&[Vec::new()]), None);
        assert_eq!(stored(&[part(LAST, &pack(b"another"))]), None);
    }

    #[test]
    fn what_becomes_too_large_is_refused() {
        let zeros = vec![0; LONGEST_TEXT + 1];
        let packed = pack(&zeros);
        assert!(packed.len() < 4 << 20);
        assert_eq!(unpack(&packed, LONGEST_TEXT), None);
        assert_eq!(unpack(b"nonsense", LONGEST_TEXT), None);
        // What is fetched is limited as well, whatever follows.
        let (hub, text) = (Memory::new(), noise(8 * PART));
        let digest = put(&hub, &text).unwrap();
        assert_eq!(get(&hub, &digest, text.len()).unwrap(), Some(text));
        assert_eq!(get(&hub, &digest, 5 * PART).unwrap(), None);
    }
}
