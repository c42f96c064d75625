//! Files to be read, plain or compressed.

use std::alloc::Layout;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use crate::unpack::unpack;

/// The byte order mark of UTF-8, which some editors begin a file with.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The name of a file in messages; without a file, of standard input.
pub(crate) fn name(file: Option<&Path>) -> String {
    file.map_or_else(|| "<stdin>".to_owned(), |file| file.display().to_string())
}

/// The text in a file, or in standard input: unpacked if it is compressed, and without a byte order
/// mark.
pub(crate) fn read(file: Option<&Path>) -> Result<Vec<u8>, String> {
    let name = name(file);
    let raw = if let Some(path) = file {
        std::fs::read(path)
    } else {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    };
    let raw = raw.map_err(|error| {
        if error.kind() == ErrorKind::OutOfMemory {
            // It fails as any other allocation does, and is answered in the same way.
            std::alloc::handle_alloc_error(Layout::new::<u8>());
        }
        format!("cannot read {name}: {error}")
    })?;
    plain(raw, &name)
}

/// The text in `raw`, which was read from what is called `name`: unpacked, and without a byte order
/// mark.
pub(crate) fn plain(raw: Vec<u8>, name: &str) -> Result<Vec<u8>, String> {
    let mut text = unpack(raw).map_err(|why| format!("cannot unpack {name}: {why}"))?;
    if text.starts_with(MARK) {
        text.drain(..MARK.len());
    }
    Ok(text)
}
