//! `shofar stand-by`: a process that is there before its problem, so that nobody waits for its
//! start.
//!
//! Starting a process, and understanding the first command line, takes about as long as a small
//! problem. Who has many problems starts one of these while another one is at work. It reads the
//! words of a command line, each with a zero byte behind it, up to an empty one, and is from then
//! on what it would be if it had been started with them. Time counts from there. If standard
//! input ends instead, so does the process: whoever started it is gone.
//!
//! Invariant: nothing is computed before the words are there, so no problem gains from another one.

use std::ffi::OsString;
use std::io::{self, BufRead, Read as _};
use std::os::unix::ffi::OsStringExt as _;
use std::process::ExitCode;
use std::time::Instant;

use crate::command_line::parse_words;
use crate::horn;
use crate::leash::ABANDONED;
use crate::output::Channel;
use crate::text::fail;

/// No command line has more bytes.
const LONGEST: u64 = 1 << 20;
/// What the program is called in complaints.
const NAME: &str = "shofar";
/// A command line as it will be: what is needed to understand it is in memory then.
const USUAL: [&str; 7] =
    [NAME, "--timeout=1", "--memory=100", "--witness=short", "--stats=json", "--leash", "a.smt2"];

/// Waits for the words of a command line, and follows them.
pub(crate) fn stand_by() -> ExitCode {
    // Nobody wants to know what it says.
    let _ = parse_words(USUAL.map(OsString::from).to_vec());
    let Ok(Some(words)) = words(&mut io::stdin().lock()) else {
        return ExitCode::from(ABANDONED);
    };
    let begin = Instant::now();
    match parse_words(words) {
        Ok(mut arguments) if arguments.task.is_none() => {
            arguments.solve.begin = Some(begin);
            horn::run(&arguments.solve)
        }
        Ok(_) => fail("who stands by solves problems, and does nothing else", &Channel::stderr()),
        Err(error) => error.exit(),
    }
}

/// The words up to an empty one, with the name of the program in front; nothing if the stream ends
/// before.
fn words(stream: &mut impl BufRead) -> io::Result<Option<Vec<OsString>>> {
    let mut stream = stream.take(LONGEST);
    let mut words = vec![NAME.into()];
    loop {
        let mut word = Vec::new();
        stream.read_until(0, &mut word)?;
        match word.split_last() {
            Some((0, [])) => return Ok(Some(words)),
            Some((0, word)) => words.push(OsString::from_vec(word.to_vec())),
            Some(_) | None => return Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_with_an_empty_one() {
        let read = |bytes: &[u8]| words(&mut io::BufReader::new(bytes)).unwrap();
        assert_eq!(
            read(b"--seed=3\0a b\n.smt2\0\0more"),
            Some(vec![NAME.into(), "--seed=3".into(), "a b\n.smt2".into()])
        );
        for torn in [&b""[..], b"--seed=3", b"--seed=3\0", b"--seed=3\0a"] {
            assert_eq!(read(torn), None);
        }
        assert_eq!(read(&b"x\0".repeat(1 << 20)), None);
    }
}
