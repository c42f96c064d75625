//! Files to be read, plain or compressed.

use std::io::Read as _;
use std::path::Path;

/// The name of a file in messages; without a file, of standard input.
pub(crate) fn name(file: Option<&Path>) -> String {
    file.map_or_else(|| "<stdin>".to_owned(), |file| file.display().to_string())
}

/// Everything in a file, or in standard input; unpacked if it is gzipped.
pub(crate) fn read(file: Option<&Path>) -> Result<Vec<u8>, String> {
    let name = name(file);
    let raw = if let Some(path) = file {
        std::fs::read(path)
    } else {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    };
    let raw = raw.map_err(|error| format!("cannot read {name}: {error}"))?;
    if !raw.starts_with(&[0x1f, 0x8b]) {
        return Ok(raw);
    }
    let mut bytes = Vec::new();
    let mut plain = flate2::read::MultiGzDecoder::new(&raw[..]);
    plain.read_to_end(&mut bytes).map_err(|error| format!("cannot unpack {name}: {error}"))?;
    Ok(bytes)
}
