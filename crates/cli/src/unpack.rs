//! Compressed inputs, recognised by their first bytes.
//!
//! gzip, zstd and xz are unpacked, several archives behind each other as one text; bzip2 is refused
//! with the name of the tool. Texts are unpacked piece by piece, and no further than the [`Cap`]
//! allows, so that a few kilobytes of malice do not fill the memory: no text becomes larger than
//! [`MOST_BYTES`], or than a part of what `ulimit -v` leaves; a text of more than [`HARMLESS`]
//! bytes may not be more than [`LARGEST_RATIO`] times as long as its archive, which texts are not;
//! and no archive may ask for a larger window than [`LARGEST_WINDOW`]. The watchdog looks at
//! `--memory` and the limits on time meanwhile.

use std::io::Read;

use rustix::process::{Resource, getrlimit};

use ruzstd::decoding::StreamingDecoder;
use xz4rust::{XzDecoder, XzNextBlockResult};

/// An archive that becomes larger is refused: reading it would take gigabytes.
const MOST_BYTES: usize = 1 << 28;
/// A text may take this part of the memory that the system gives: it is copied when it grows.
const SHARE: u64 = 3;
/// Texts up to this size may be packed as densely as the tool can.
const HARMLESS: usize = 1 << 24;
/// Larger texts are no more than so many times as long as their archives; generated clauses come to
/// a hundred.
const LARGEST_RATIO: usize = 250;
/// An archive that refers further back is refused; no level of a tool refers further.
const LARGEST_WINDOW: usize = 1 << 27;
/// How much is unpacked at once.
const PIECE: usize = 1 << 16;

const GZIP: &[u8] = b"\x1f\x8b";
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";
const XZ: &[u8] = b"\xfd7zXZ\x00";
const BZIP2: &[u8] = b"BZh";

/// Every kind of archive that is recognised.
const ARCHIVES: [&[u8]; 4] = [GZIP, ZSTD, XZ, BZIP2];

/// Whether a text that begins like this is compressed.
pub(crate) fn is_archive(begin: &[u8]) -> bool {
    ARCHIVES.iter().any(|archive| begin.starts_with(archive))
}

/// Whether more bytes have to be seen to know that.
pub(crate) fn may_be_archive(begin: &[u8]) -> bool {
    !is_archive(begin) && ARCHIVES.iter().any(|archive| archive.starts_with(begin))
}

/// How large a text may become.
#[derive(Clone, Copy, Debug)]
struct Cap {
    bytes: usize,
    why: &'static str,
}

impl Cap {
    /// That of an archive of so many bytes.
    fn of(archive: usize) -> Self {
        let space = getrlimit(Resource::As).current.unwrap_or(u64::MAX) / SHARE;
        let space = usize::try_from(space).unwrap_or(usize::MAX);
        let dense = archive.saturating_mul(LARGEST_RATIO).max(HARMLESS);
        [
            Self { bytes: MOST_BYTES, why: "which is too much; unpack it with the tool" },
            Self { bytes: space, why: "and `ulimit -v` leaves too little memory for that" },
            Self { bytes: dense, why: "far more than such a file has if it is a text" },
        ]
        .into_iter()
        .min_by_key(|cap| cap.bytes)
        .unwrap_or(Self { bytes: 0, why: "" })
    }
    fn check(self, text: &[u8]) -> Result<(), String> {
        if text.len() <= self.bytes {
            return Ok(());
        }
        let megabytes = self.bytes >> 20;
        Err(format!("it has more than {megabytes} megabytes when unpacked, {}", self.why))
    }
    /// Appends what a decoder gives.
    fn append(self, text: &mut Vec<u8>, mut decoder: impl Read) -> Result<(), String> {
        let mut piece = vec![0; PIECE];
        loop {
            let count = decoder.read(&mut piece).map_err(|error| error.to_string())?;
            if count == 0 {
                return Ok(());
            }
            self.push(text, &piece[..count])?;
        }
    }
    /// Appends a piece; a large text grows by less than it would by itself, as it is in memory
    /// twice meanwhile.
    fn push(self, text: &mut Vec<u8>, piece: &[u8]) -> Result<(), String> {
        if text.len() >= HARMLESS && text.capacity() - text.len() < piece.len() {
            text.reserve_exact((text.len() / 2).max(piece.len()));
        }
        text.extend_from_slice(piece);
        self.check(text)
    }
}

/// The text in a file that may be compressed.
pub(crate) fn unpack(raw: Vec<u8>) -> Result<Vec<u8>, String> {
    let (mut text, cap) = (Vec::new(), Cap::of(raw.len()));
    let (tool, done) = if raw.starts_with(GZIP) {
        ("gzip", cap.append(&mut text, flate2::read::MultiGzDecoder::new(&raw[..])))
    } else if raw.starts_with(ZSTD) {
        ("zstd", zstd(&mut text, &raw, cap))
    } else if raw.starts_with(XZ) {
        ("xz", xz(&mut text, &raw, cap))
    } else if raw.starts_with(BZIP2) {
        return Err("it is compressed by bzip2, which is not supported; unpack it with `bunzip2`"
            .to_owned());
    } else {
        return Ok(raw);
    };
    let damaged = |error| format!("it is compressed by {tool}, and damaged or too large: {error}");
    done.map_err(damaged).map(|()| text)
}

fn zstd(text: &mut Vec<u8>, mut rest: &[u8], cap: Cap) -> Result<(), String> {
    while !rest.is_empty() {
        let window = u64::try_from(LARGEST_WINDOW).unwrap_or(u64::MAX);
        let mut decoder = StreamingDecoder::new_with_max_window_size(&mut rest, window)
            .map_err(|error| error.to_string())?;
        cap.append(text, &mut decoder)?;
        let frame = decoder.into_frame_decoder();
        let stored = frame.get_checksum_from_data();
        if stored.is_some() && stored != frame.get_calculated_checksum() {
            return Err("the check sum is wrong".to_owned());
        }
    }
    Ok(())
}

fn xz(text: &mut Vec<u8>, mut rest: &[u8], cap: Cap) -> Result<(), String> {
    let mut piece = vec![0; PIECE];
    let mut decoder = XzDecoder::in_heap_with_alloc_dict_size(PIECE, LARGEST_WINDOW);
    loop {
        let step = decoder.decode(rest, &mut piece).map_err(|error| error.to_string())?;
        let (read, written) = (step.input_consumed(), step.output_produced());
        rest = &rest[read..];
        cap.push(text, &piece[..written])?;
        match step {
            XzNextBlockResult::EndOfStream(..) => {
                // Streams may follow each other, with zeros between them.
                let zeros = rest.iter().take_while(|&&byte| byte == 0).count();
                rest = &rest[zeros..];
                if rest.is_empty() {
                    return Ok(());
                }
                decoder.reset();
            }
            XzNextBlockResult::NeedMoreData(..) if read == 0 && written == 0 => {
                return Err("it ends too early".to_owned());
            }
            XzNextBlockResult::NeedMoreData(..) => {}
        }
    }
}
