//! Commands from a stream of bytes, one by one.
//!
//! The bytes are fed in pieces of any size; a command comes out as soon as its last parenthesis has
//! gone in, so that a script can be executed while it is being written. What has been executed is
//! forgotten, but for the line that the present command begins in, which error messages show. A
//! large text that is complete is scanned ahead.

use shofar_base::{Diagnostic, Read, Source, Span};
use std::ops::Range;
use std::sync::Arc;

use shofar_term::TermStore;

use crate::ahead::{Ahead, Found};
use crate::command::Sentence;
use crate::environment::Environment;
use crate::framing::{Framer, Framing, Inside};
use crate::parse::parse;
use crate::token::LONGEST_COMMAND;

/// Consumed input is dropped in pieces of at least this many bytes, so that each byte is moved a
/// bounded number of times.
const FORGET: usize = 1 << 16;

/// Smaller texts are not worth a thread.
const LARGE: usize = 1 << 20;

/// A text of a large size has at least one term in so many bytes, mostly.
const BYTES_PER_TERM: usize = 8;

/// More terms than this are not prepared for.
const MOST_TERMS: usize = 1 << 22;

/// The byte order mark of UTF-8, which some editors begin a file with.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// What comes next in a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A command.
    Sentence(Sentence),
    /// The input so far ends before the next command does.
    NeedInput,
    /// The input is over.
    End,
}

/// A reader of commands.
#[derive(Debug)]
pub struct Commands {
    buffer: Arc<Vec<u8>>,
    /// What a second thread has found in a large text; nothing from where it stopped.
    ahead: Option<Ahead>,
    framer: Framer,
    /// Where the command stands in the buffer that came last.
    last: Range<usize>,
    /// How many terms the store is to be prepared for.
    expected: usize,
    /// Offset in the stream, and line, of the first byte of the buffer.
    offset: usize,
    line: usize,
    finished: bool,
}

impl Default for Commands {
    fn default() -> Self {
        Self::new()
    }
}

impl Commands {
    /// A reader without input.
    pub fn new() -> Self {
        Self {
            buffer: Arc::default(),
            ahead: None,
            expected: 0,
            framer: Framer::new(),
            last: 0..0,
            offset: 0,
            line: 1,
            finished: false,
        }
    }
    /// A reader of a complete text. A large one is scanned ahead.
    pub fn of_text(text: Vec<u8>) -> Self {
        if text.len() >= LARGE {
            return Self::scanned_ahead(text);
        }
        let (offset, text) = unmarked(text);
        Self { buffer: Arc::new(text), offset, finished: true, ..Self::new() }
    }
    /// A reader of a complete text that a second thread scans while this one makes terms, if there
    /// can be one.
    pub fn scanned_ahead(text: Vec<u8>) -> Self {
        let (offset, text) = unmarked(text);
        let buffer = Arc::new(text);
        let expected = (buffer.len() / BYTES_PER_TERM).min(MOST_TERMS);
        Self { ahead: Ahead::of(&buffer), buffer, expected, offset, finished: true, ..Self::new() }
    }
    /// Appends input.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.ahead = None;
        self.last = 0..0;
        self.forget();
        Arc::make_mut(&mut self.buffer).extend_from_slice(bytes);
    }
    /// Says that no more input will come.
    pub fn finish(&mut self) {
        self.finished = true;
    }
    /// The part of the input that diagnostics speak about.
    pub fn source(&self) -> Source<'_> {
        Source::resumed(&self.buffer, self.offset, self.line)
    }
    /// The text of the command that came last, or was refused; empty if what was refused is none.
    pub fn last(&self) -> &[u8] {
        &self.buffer[self.last.clone()]
    }
    /// Passes over the next commands of a stream, as long as `is_idle` says of their texts that
    /// nobody needs them: finding the end of a command is much faster than reading it.
    pub fn skip_while(&mut self, is_idle: impl Fn(&[u8]) -> bool) {
        while self.ahead.is_none() {
            let mut framer = self.framer.clone();
            match framer.scan(&self.buffer) {
                Framing::Command { start, end, .. } if is_idle(&self.buffer[start..end]) => {
                    self.framer = framer;
                }
                Framing::Command { .. } | Framing::Stray(_) => return,
                Framing::Blank | Framing::Partial => {
                    self.framer = framer;
                    return;
                }
            }
        }
    }
    /// The next command. After an error, reading can go on behind the command that had it.
    pub fn next(
        &mut self,
        env: &mut Environment,
        store: &mut TermStore,
    ) -> Result<Step, Diagnostic> {
        if self.offset == 0 && self.framer.settled() == 0 && !self.skip_mark() {
            return Ok(Step::NeedInput);
        }
        if self.expected > 0 {
            // What is prepared for and does not come costs nothing; what comes without costs
            // copies.
            store.reserve(std::mem::take(&mut self.expected));
        }
        if let Some(found) = self.found(env) {
            let (start, end) = (found.bytes.start, found.bytes.end);
            return self
                .sentence(env, store, start, end, found.plain)
                .map(Step::Sentence)
                .map_err(|error| *error);
        }
        match self.framer.scan(&self.buffer) {
            Framing::Command { start, end, plain } => self
                .sentence(env, store, start, end, plain)
                .map(Step::Sentence)
                .map_err(|error| *error),
            Framing::Stray(at) => {
                self.last = 0..0;
                self.framer.skip_line(&self.buffer);
                Err(self.stray(at))
            }
            Framing::Blank if self.finished => Ok(Step::End),
            Framing::Partial if self.finished => Err(self.unfinished()),
            Framing::Blank | Framing::Partial => Ok(Step::NeedInput),
        }
    }
    /// Drops the byte order mark at the beginning; false if more input is needed to know whether
    /// there is one.
    fn skip_mark(&mut self) -> bool {
        if self.buffer.starts_with(MARK) {
            Arc::make_mut(&mut self.buffer).drain(..MARK.len());
            self.offset = MARK.len();
        }
        let is_part = !self.buffer.is_empty() && MARK.starts_with(&self.buffer);
        self.offset > 0 || self.finished || !is_part
    }
    /// The next command, if the second thread has found it; its tokens are with the environment.
    fn found(&mut self, env: &mut Environment) -> Option<Found> {
        let ahead = self.ahead.as_mut()?;
        let found = ahead.next();
        match &found {
            Some(found) => {
                self.framer.pass(&found.bytes);
                ahead.tokens(env, &self.buffer[found.bytes.clone()], found);
            }
            None => self.ahead = None,
        }
        found
    }
    fn sentence(
        &mut self,
        env: &mut Environment,
        store: &mut TermStore,
        start: usize,
        end: usize,
        plain: bool,
    ) -> Read<Sentence> {
        self.last = start..end;
        let text = &self.buffer[start..end];
        if text.len() > LONGEST_COMMAND {
            let span = Span::new(self.offset + start, self.offset + start + 1);
            return Err(Box::new(Diagnostic::new(
                span,
                "commands of 4 GB and more are not supported",
            )));
        }
        if !plain && let Err(error) = std::str::from_utf8(text) {
            let at = self.offset + start + error.valid_up_to();
            return Err(Box::new(Diagnostic::new(Span::new(at, at + 1), "this is not UTF-8")));
        }
        parse(env, store, text, self.offset + start)
    }

    /// Drops what has been read, up to the line that the present command begins in.
    fn forget(&mut self) {
        let settled = self.framer.settled();
        if settled < FORGET || settled < self.buffer.len() / 2 {
            return;
        }
        let Some(newline) = self.buffer[..settled].iter().rposition(|&byte| byte == b'\n') else {
            return;
        };
        let count = newline + 1;
        self.line = self.source().position(self.offset + count).line;
        self.offset += count;
        Arc::make_mut(&mut self.buffer).drain(..count);
        self.framer.forget(count);
    }
    fn stray(&self, at: usize) -> Diagnostic {
        let span = Span::new(self.offset + at, self.offset + at + 1);
        if self.buffer[at] == b')' {
            return Diagnostic::new(span, "this parenthesis closes nothing");
        }
        Diagnostic::new(span, "expected a command, which begins with `(`")
    }
    /// The input ends inside a command. The command is given up, so that asking again finds the
    /// end.
    fn unfinished(&mut self) -> Diagnostic {
        let (start, depth) = (self.framer.start(), self.framer.depth());
        let (inside, opened) = self.framer.inside();
        let (at, message) = match inside {
            Inside::String => (opened, "this string is not closed".to_owned()),
            Inside::Quoted => (opened, "this quoted symbol is not closed".to_owned()),
            Inside::Plain | Inside::Comment => {
                let plural = if depth == 1 { "parenthesis is" } else { "parentheses are" };
                (start, format!("the input ends inside this command: {depth} {plural} not closed"))
            }
        };
        let mut error = Diagnostic::new(Span::new(self.offset + at, self.offset + at + 1), message);
        if let Some(next) = next_command(&self.buffer[start..]) {
            let position = self.source().position(self.offset + start + next);
            error = error.note(format!("another command seems to begin in line {}", position.line));
        }
        self.last = start..self.buffer.len();
        self.framer.abandon();
        error
    }
}

/// The text without a byte order mark, and how many bytes that was.
fn unmarked(mut text: Vec<u8>) -> (usize, Vec<u8>) {
    if !text.starts_with(MARK) {
        return (0, text);
    }
    text.drain(..MARK.len());
    (MARK.len(), text)
}

/// Where a line begins that looks like a command, after the first one.
fn next_command(text: &[u8]) -> Option<usize> {
    let heads: [&[u8]; 5] = [b"(assert", b"(declare-", b"(define-", b"(check-sat", b"(push"];
    let begins = |at: &usize| heads.iter().any(|head| text[at + 1..].starts_with(head));
    (0..text.len()).filter(|&at| text[at] == b'\n').find(begins).map(|at| at + 1)
}
