//! Where commands begin and end, before anybody looks at what they say.
//!
//! A scan counts parentheses outside strings, quoted symbols and comments, and can stop in the
//! middle of anything when the input does; it goes on from there when more has arrived. So a
//! command is ready as soon as its last parenthesis is.

use std::ops::Range;

/// What the scan is inside of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inside {
    Plain,
    String,
    Quoted,
    Comment,
}

/// What the scan came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// The bytes from the first to before the second are a command; `plain` if they are all ASCII.
    Command { start: usize, end: usize, plain: bool },
    /// Something else than an opening parenthesis stands between the commands.
    Stray(usize),
    /// The input ends here, between commands.
    Blank,
    /// The input ends here, inside a command.
    Partial,
}

/// What a byte does to the depth. Where something begins that is not plain, it falls below zero
/// from any depth.
const STEP: [i64; 256] = steps();

const fn steps() -> [i64; 256] {
    let mut table = [0; 256];
    table[b'(' as usize] = 1;
    table[b')' as usize] = -1;
    table[b'"' as usize] = i64::MIN / 2;
    table[b'|' as usize] = i64::MIN / 2;
    table[b';' as usize] = i64::MIN / 2;
    table
}

/// The state of the scan.
#[derive(Clone, Debug)]
pub(crate) struct Framer {
    at: usize,
    start: usize,
    /// Where the string or quoted symbol began.
    opened: usize,
    /// How many parentheses are open.
    depth: i64,
    inside: Inside,
}

impl Framer {
    pub(crate) fn new() -> Self {
        Self { at: 0, start: 0, opened: 0, depth: 0, inside: Inside::Plain }
    }
    /// How many parentheses are open.
    pub(crate) fn depth(&self) -> i64 {
        self.depth
    }
    /// Where the present command began.
    pub(crate) fn start(&self) -> usize {
        self.start
    }
    /// What the scan is inside of, and where that began.
    pub(crate) fn inside(&self) -> (Inside, usize) {
        (self.inside, self.opened)
    }
    /// Bytes before this one are no longer needed.
    pub(crate) fn settled(&self) -> usize {
        if self.depth == 0 { self.at } else { self.start }
    }
    /// The first `count` bytes of the buffer are gone.
    pub(crate) fn forget(&mut self, count: usize) {
        self.at -= count;
        self.start = self.start.saturating_sub(count);
        self.opened = self.opened.saturating_sub(count);
    }
    /// Gives up the present command; the next one is looked for behind what has been scanned.
    pub(crate) fn abandon(&mut self) {
        (self.depth, self.inside) = (0, Inside::Plain);
    }
    /// Goes on to where the next command begins, if nothing else stands before it.
    pub(crate) fn begin(&mut self, buffer: &[u8]) -> Option<usize> {
        while self.depth == 0 && self.at < buffer.len() {
            if self.inside == Inside::Comment {
                self.scan_until(buffer, b'\n');
            } else if self.scan_between(buffer).is_some() {
                return None;
            }
        }
        (self.depth > 0).then_some(self.start)
    }
    /// Passes over a command that somebody else has found.
    pub(crate) fn pass(&mut self, command: &Range<usize>) {
        *self = Self { at: command.end, start: command.start, ..Self::new() };
    }
    /// Goes on to the end of the line, after an error between commands.
    pub(crate) fn skip_line(&mut self, buffer: &[u8]) {
        let rest = &buffer[self.at..];
        self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    }

    /// Goes on through the buffer to the end of a command, or of the buffer.
    pub(crate) fn scan(&mut self, buffer: &[u8]) -> Framing {
        while self.at < buffer.len() {
            match self.inside {
                Inside::Plain => {
                    if let Some(framing) = self.scan_plain(buffer) {
                        return framing;
                    }
                }
                Inside::String => self.scan_until(buffer, b'"'),
                Inside::Quoted => self.scan_until(buffer, b'|'),
                Inside::Comment => self.scan_until(buffer, b'\n'),
            }
        }
        if self.depth == 0 { Framing::Blank } else { Framing::Partial }
    }

    /// Up to the byte that ends what the scan is inside of.
    fn scan_until(&mut self, buffer: &[u8], last: u8) {
        while let Some(&byte) = buffer.get(self.at) {
            self.at += 1;
            if byte == last {
                // A doubled quote reads as the end of one string and the beginning of the next,
                // which frames alike.
                self.inside = Inside::Plain;
                return;
            }
        }
    }

    fn scan_plain(&mut self, buffer: &[u8]) -> Option<Framing> {
        if self.depth == 0 {
            return self.scan_between(buffer);
        }
        // One addition and one test that is nearly always the same for all bytes but the last.
        let (rest, mut depth) = (&buffer[self.at..], self.depth);
        let ends = |&byte: &u8| {
            depth += STEP[byte as usize];
            depth <= 0
        };
        let Some(length) = rest.iter().position(ends) else {
            (self.at, self.depth) = (buffer.len(), depth);
            return None;
        };
        let byte = rest[length];
        self.at += length + 1;
        self.depth = depth - STEP[byte as usize];
        match byte {
            b'"' => self.enter(Inside::String, self.at - 1),
            b'|' => self.enter(Inside::Quoted, self.at - 1),
            b';' => self.enter(Inside::Comment, self.at - 1),
            _ => {
                self.depth = 0;
                let plain = buffer[self.start..self.at].is_ascii();
                return Some(Framing::Command { start: self.start, end: self.at, plain });
            }
        }
        None
    }
    /// Goes on to the beginning of a command.
    fn scan_between(&mut self, buffer: &[u8]) -> Option<Framing> {
        while let Some(&byte) = buffer.get(self.at) {
            let here = self.at;
            self.at += 1;
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => {}
                b'(' => {
                    (self.start, self.depth) = (here, 1);
                    return None;
                }
                b';' => {
                    self.enter(Inside::Comment, here);
                    return None;
                }
                _ => return Some(Framing::Stray(here)),
            }
        }
        None
    }

    fn enter(&mut self, inside: Inside, here: usize) {
        (self.inside, self.opened) = (inside, here);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All commands of the text, fed in pieces of the given size.
    fn commands(text: &str, piece: usize) -> Vec<String> {
        let (mut framer, mut buffer, mut found) = (Framer::new(), Vec::new(), Vec::new());
        for piece in text.as_bytes().chunks(piece) {
            buffer.extend_from_slice(piece);
            while let Framing::Command { start, end, plain } = framer.scan(&buffer) {
                assert_eq!(plain, buffer[start..end].is_ascii());
                found.push(String::from_utf8(buffer[start..end].to_vec()).unwrap());
            }
        }
        found
    }

    #[test]
    fn pieces_of_any_size_frame_alike() {
        let text = "; (x\n(a \"(\"\"(\" |)|) ; )\n (b (c) ; ))\n d)\n(ä)";
        let expected = ["(a \"(\"\"(\" |)|)", "(b (c) ; ))\n d)", "(ä)"];
        for piece in 1..text.len() {
            assert_eq!(commands(text, piece), expected);
        }
    }

    #[test]
    fn what_stands_between_commands() {
        assert_eq!(Framer::new().scan(b"  ) (a)"), Framing::Stray(2));
        assert_eq!(Framer::new().scan(b"x"), Framing::Stray(0));
        assert_eq!(Framer::new().scan(b" ; (\n"), Framing::Blank);
        assert_eq!(Framer::new().scan(b"(a \"b)"), Framing::Partial);
    }
}
