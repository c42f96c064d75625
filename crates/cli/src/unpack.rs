//! Compressed inputs, recognised by their first bytes.
//!
//! gzip, zstd and xz are unpacked, several archives behind each other as one text; bzip2 is refused with the name of the
//! tool. No archive becomes larger than [`MOST_BYTES`], and none asks for a larger window than [`LARGEST_WINDOW`], so that a
//! few kilobytes of malice do not fill the memory; `--memory` ends the process earlier.

use std::io::Read;

use ruzstd::decoding::StreamingDecoder;
use xz4rust::{XzDecoder, XzNextBlockResult};

/// An archive that becomes larger is refused.
const MOST_BYTES: usize = 1 << 30;
/// An archive that refers further back is refused.
const LARGEST_WINDOW: usize = 1 << 28;
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

/// The text in a file that may be compressed.
pub(crate) fn unpack(raw: Vec<u8>) -> Result<Vec<u8>, String> {
    if raw.starts_with(GZIP) {
        let mut text = Vec::new();
        append(&mut text, flate2::read::MultiGzDecoder::new(&raw[..])).map_err(damaged("gzip"))?;
        Ok(text)
    } else if raw.starts_with(ZSTD) {
        zstd(&raw).map_err(damaged("zstd"))
    } else if raw.starts_with(XZ) {
        xz(&raw).map_err(damaged("xz"))
    } else if raw.starts_with(BZIP2) {
        Err("it is compressed by bzip2, which is not supported; unpack it with `bunzip2`"
            .to_owned())
    } else {
        Ok(raw)
    }
}

fn damaged(tool: &str) -> impl Fn(String) -> String {
    move |error| format!("it is compressed by {tool}, and damaged or too large: {error}")
}

/// Appends what a decoder gives.
fn append(text: &mut Vec<u8>, decoder: impl Read) -> Result<(), String> {
    let most = u64::try_from(MOST_BYTES - text.len()).unwrap_or(u64::MAX);
    decoder.take(most + 1).read_to_end(text).map_err(|error| error.to_string())?;
    check_size(text)
}

fn check_size(text: &[u8]) -> Result<(), String> {
    if text.len() <= MOST_BYTES {
        return Ok(());
    }
    Err(format!("it has more than {} megabytes when unpacked", MOST_BYTES >> 20))
}

fn zstd(mut rest: &[u8]) -> Result<Vec<u8>, String> {
    let mut text = Vec::new();
    while !rest.is_empty() {
        let window = u64::try_from(LARGEST_WINDOW).unwrap_or(u64::MAX);
        let mut decoder = StreamingDecoder::new_with_max_window_size(&mut rest, window)
            .map_err(|error| error.to_string())?;
        append(&mut text, &mut decoder)?;
        let frame = decoder.into_frame_decoder();
        let stored = frame.get_checksum_from_data();
        if stored.is_some() && stored != frame.get_calculated_checksum() {
            return Err("the check sum is wrong".to_owned());
        }
    }
    Ok(text)
}

fn xz(mut rest: &[u8]) -> Result<Vec<u8>, String> {
    let mut text = Vec::new();
    let mut piece = vec![0; PIECE];
    let mut decoder = XzDecoder::in_heap_with_alloc_dict_size(PIECE, LARGEST_WINDOW);
    loop {
        let step = decoder.decode(rest, &mut piece).map_err(|error| error.to_string())?;
        let (read, written) = (step.input_consumed(), step.output_produced());
        rest = &rest[read..];
        text.extend_from_slice(&piece[..written]);
        check_size(&text)?;
        match step {
            XzNextBlockResult::EndOfStream(..) => {
                // Streams may follow each other, with zeros between them.
                let zeros = rest.iter().take_while(|&&byte| byte == 0).count();
                rest = &rest[zeros..];
                if rest.is_empty() {
                    return Ok(text);
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
