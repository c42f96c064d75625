//! What a worker tells its supervisor: texts for standard output, and what it owes.
//!
//! The worker's standard output is a pipe to the supervisor. A command that gives answers writes
//! frames to it: a byte for the kind, four for the length (the lowest first), then the bytes. The
//! first frame has the kind 0, which no text begins with, so that the supervisor knows whether
//! there are frames or plain text.
//!
//! Invariant: what an answer settles and the beginning of its text are in one frame. A frame that
//! is not complete is dropped, so a question has one answer, wherever the worker ends: its own, or
//! the word that is owed.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::AsFd as _;

/// The longest payload.
const LONGEST: usize = 1 << 16;
/// The bytes in front of the payload.
const HEADER: usize = 5;
/// Set in the kind if the text goes on in the next frame.
const MORE: u8 = 0x80;

const TERMS: u8 = 0;
const OWED: u8 = 1;
const TEXT: u8 = 2;
const ANSWER: u8 = 3;

/// How a command ends if its memory is used up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Terms {
    /// The exit status.
    pub(crate) status: u8,
    /// What is said of it; nothing if that is the word that is owed.
    pub(crate) told: Option<String>,
}

/// A message of the worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Message {
    Terms(Terms),
    /// From now on this text is owed.
    Owed(String),
    /// For standard output.
    Text {
        bytes: Vec<u8>,
        /// Whether nothing is owed any more.
        settles: bool,
        /// Whether the text goes on in the next message.
        goes_on: bool,
    },
}

/// The worker's end of the pipe.
#[derive(Debug)]
pub(crate) struct Sender {
    pipe: File,
    frame: Vec<u8>,
}

impl Sender {
    /// Writes frames to standard output from now on.
    pub(crate) fn new(terms: &Terms) -> io::Result<Self> {
        let pipe = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        // Room that is there when there is no memory left.
        let mut sender = Self { pipe, frame: Vec::with_capacity(HEADER + LONGEST) };
        let told = terms.told.as_deref().unwrap_or_default().as_bytes();
        sender.send(TERMS, &[&[terms.status], told].concat())?;
        Ok(sender)
    }
    /// Says what is owed.
    pub(crate) fn owe(&mut self, word: &str) -> io::Result<()> {
        self.send(OWED, word.as_bytes())
    }
    /// Writes a text; it may settle what is owed.
    pub(crate) fn write(&mut self, text: &[u8], settles: bool) -> io::Result<()> {
        if text.is_empty() && settles {
            return self.send(ANSWER, &[]);
        }
        let last = text.len().saturating_sub(1) / LONGEST;
        for (place, piece) in text.chunks(LONGEST).enumerate() {
            let kind = if settles && place == 0 { ANSWER } else { TEXT };
            self.send(if place < last { kind | MORE } else { kind }, piece)?;
        }
        Ok(())
    }
    fn send(&mut self, kind: u8, payload: &[u8]) -> io::Result<()> {
        let length = u32::try_from(payload.len()).unwrap_or(u32::MAX);
        self.frame.clear();
        self.frame.push(kind);
        self.frame.extend_from_slice(&length.to_le_bytes());
        self.frame.extend_from_slice(payload);
        self.pipe.write_all(&self.frame)
    }
}

/// The supervisor's end: makes messages of what comes through the pipe.
#[derive(Debug, Default)]
pub(crate) struct Receiver {
    /// What has come and is not yet a message.
    rest: Vec<u8>,
    /// Whether there are frames; nothing before anything has come.
    is_framed: Option<bool>,
}

impl Receiver {
    /// Takes what has come; `hear` is called for every message that is complete.
    pub(crate) fn take(&mut self, bytes: &[u8], mut hear: impl FnMut(Message)) {
        let Some(&first) = bytes.first() else { return };
        if !*self.is_framed.get_or_insert(first == TERMS) {
            hear(Message::Text { bytes: bytes.to_vec(), settles: false, goes_on: false });
            return;
        }
        self.rest.extend_from_slice(bytes);
        let mut begin = 0;
        while let Some((message, length)) = first_frame(&self.rest[begin..]) {
            hear(message);
            begin += length;
        }
        self.rest.drain(..begin);
    }
}

/// The message at the beginning of `bytes` and how long its frame is; nothing if it is not
/// complete.
fn first_frame(bytes: &[u8]) -> Option<(Message, usize)> {
    let (&[kind, a, b, c, d], rest) = bytes.split_first_chunk::<HEADER>()?;
    let length = usize::try_from(u32::from_le_bytes([a, b, c, d])).ok()?;
    let payload = rest.get(..length)?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let message = match kind & !MORE {
        TERMS => {
            let (&status, told) = payload.split_first()?;
            let told = Some(text(told)).filter(|told| !told.is_empty());
            Message::Terms(Terms { status, told })
        }
        OWED => Message::Owed(text(payload)),
        kind => Message::Text {
            bytes: payload.to_vec(),
            settles: kind == ANSWER,
            goes_on: bytes[0] & MORE != 0,
        },
    };
    Some((message, HEADER + length))
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Seek as _};

    use super::*;

    fn frames(write: impl FnOnce(&mut Sender)) -> Vec<u8> {
        let name =
            format!("shofar-frames-{}-{:?}", std::process::id(), std::thread::current().id());
        let path = std::env::temp_dir().join(name);
        let options =
            File::options().read(true).write(true).create(true).truncate(true).open(&path);
        let mut sender = Sender { pipe: options.unwrap(), frame: Vec::new() };
        write(&mut sender);
        let mut bytes = Vec::new();
        sender.pipe.rewind().unwrap();
        sender.pipe.read_to_end(&mut bytes).unwrap();
        std::fs::remove_file(path).unwrap();
        bytes
    }
    fn heard(pieces: &[&[u8]]) -> Vec<Message> {
        let (mut receiver, mut messages) = (Receiver::default(), Vec::new());
        for piece in pieces {
            receiver.take(piece, |message| messages.push(message));
        }
        messages
    }
    fn message(bytes: &[u8], settles: bool, goes_on: bool) -> Message {
        Message::Text { bytes: bytes.to_vec(), settles, goes_on }
    }

    #[test]
    fn frames_come_back_however_they_are_cut() {
        let long = vec![b'x'; LONGEST + 1];
        let sent = frames(|sender| {
            sender.send(TERMS, b"\x7dstopped").unwrap();
            sender.owe("unknown\n").unwrap();
            sender.write(b"sat\n", true).unwrap();
            sender.write(b"", false).unwrap();
            sender.write(b"", true).unwrap();
            sender.write(&long, true).unwrap();
        });
        let told = Terms { status: 125, told: Some("stopped".to_owned()) };
        let expected = [
            Message::Terms(told),
            Message::Owed("unknown\n".to_owned()),
            message(b"sat\n", true, false),
            message(b"", true, false),
            message(&long[1..], true, true),
            message(b"x", false, false),
        ];
        assert_eq!(heard(&[&sent]), expected);
        let singly: Vec<&[u8]> = sent.chunks(1).collect();
        assert_eq!(heard(&singly), expected);
        // What is not complete is not heard.
        assert_eq!(heard(&[&sent[..sent.len() - 1]]), expected[..5]);
    }

    #[test]
    fn plain_text_is_passed_on() {
        let expected = [message(b"usage", false, false), message(b"\0\x01", false, false)];
        assert_eq!(heard(&[b"usage", b"", b"\0\x01"]), expected);
    }
}
