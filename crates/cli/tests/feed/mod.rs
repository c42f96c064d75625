//! Programs with a text on their standard input.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

/// Runs a command to whose standard input `pieces` are written one after the other.
pub(crate) fn feed<'t>(
    command: &mut Command,
    pieces: impl IntoIterator<Item = &'t [u8]>,
) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    for piece in pieces {
        // A program that refuses its arguments does not read.
        if input.write_all(piece).is_err() {
            break;
        }
    }
    drop(input);
    child.wait_with_output().unwrap()
}
