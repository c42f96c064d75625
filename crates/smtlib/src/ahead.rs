//! Scanning ahead, in a second thread.
//!
//! Of the work on a large text, finding commands, tokens and names needs nothing but the text. A
//! second thread does it in front of the one that makes terms, so that reading takes the time of
//! the longer part. It delivers chunks of tokens through a channel that holds a few of them; an
//! empty chunk goes back, so memory is allocated only at the beginning.
//!
//! The thread understands the plain case only. It stops at whatever is not a complete command, and
//! of a command that has something wrong in it, or is very long, it delivers no tokens; the reader
//! scans that alone and says what is wrong, as it does without help. So nothing depends on whether
//! a text was scanned ahead.
//!
//! Invariant: tokens of a chunk name a symbol by its number in the thread's own table;
//! `translation` says which name of the environment that is. It belongs to one table of names and
//! is forgotten when another one comes.

use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

use crate::environment::Environment;
use crate::framing::{Framer, Framing};
use crate::names::{Names, NamesId};
use crate::scanner::Scanner;
use crate::token::Token;

/// A chunk has commands of about so many bytes.
const CHUNK: usize = 1 << 16;
/// So many chunks may wait.
const WAITING: usize = 4;
/// The tokens of longer commands would take too much memory.
const LONGEST: usize = 1 << 22;

/// A command that was found.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) bytes: Range<usize>,
    /// Whether all bytes are ASCII.
    pub(crate) plain: bool,
    /// Its tokens in the chunk; none if the reader has to scan them.
    tokens: Range<usize>,
}

#[derive(Debug, Default)]
struct Chunk {
    commands: Vec<Found>,
    tokens: Vec<Token>,
}

/// The commands that the thread has found and nobody has read.
#[derive(Debug)]
pub(crate) struct Ahead {
    chunks: Receiver<Chunk>,
    used: Sender<Chunk>,
    chunk: Chunk,
    /// How many commands of the chunk have been read.
    read: usize,
    translation: Vec<Option<NonZeroU32>>,
    /// What the translation is into.
    names: Option<NamesId>,
}

impl Ahead {
    /// Begins to scan a text, if there can be a thread.
    pub(crate) fn of(text: &Arc<Vec<u8>>) -> Option<Self> {
        let text = Arc::clone(text);
        let (full, chunks) = sync_channel(WAITING);
        let (used, empty) = channel();
        let thread = std::thread::Builder::new().name("scanner".to_owned());
        thread.spawn(move || scan(&text, &full, &empty)).ok()?;
        let (chunk, translation) = (Chunk::default(), Vec::new());
        Some(Self { chunks, used, chunk, read: 0, translation, names: None })
    }
    /// The next command, unless the thread has come to something else.
    pub(crate) fn next(&mut self) -> Option<Found> {
        while self.read == self.chunk.commands.len() {
            let next = self.chunks.recv().ok()?;
            // If the thread has ended, nobody needs the chunk.
            let _ = self.used.send(std::mem::replace(&mut self.chunk, next));
            self.read = 0;
        }
        let found = self.chunk.commands[self.read].clone();
        self.read += 1;
        Some(found)
    }
    /// Gives the environment the tokens of the command that came last, whose text this is.
    pub(crate) fn tokens(&mut self, env: &mut Environment, text: &[u8], found: &Found) {
        if self.names.as_ref() != Some(env.names.id()) {
            self.translation.clear();
            self.names = Some(env.names.id().clone());
        }
        let mut tokens = std::mem::take(&mut env.tokens);
        tokens.clear();
        tokens.extend_from_slice(&self.chunk.tokens[found.tokens.clone()]);
        for token in &mut tokens {
            if let Some(number) = token.name {
                let known = self.translation.get(number.get() as usize).copied().flatten();
                token.name = known.or_else(|| self.learn(env, *token, text));
            }
        }
        env.tokens = tokens;
    }
    /// The number of the name that a symbol of this text has in the environment.
    #[cold]
    fn learn(&mut self, env: &mut Environment, token: Token, text: &[u8]) -> Option<NonZeroU32> {
        let place = token.name?.get() as usize;
        let name = env.intern(&text[token.start()..token.end()]);
        if self.translation.len() <= place {
            self.translation.resize(place + 1, None);
        }
        self.translation[place] = token.named(name).name;
        self.translation[place]
    }
}

/// What the thread does.
fn scan(text: &[u8], full: &SyncSender<Chunk>, empty: &Receiver<Chunk>) {
    let (mut framer, mut names) = (Framer::new(), Names::default());
    let mut chunk = Chunk::default();
    let mut begin = 0;
    while let Some(found) = find(text, &mut framer, &mut names, &mut chunk.tokens) {
        let end = found.bytes.end;
        chunk.commands.push(found);
        if end - begin >= CHUNK {
            begin = end;
            let mut next = empty.try_recv().unwrap_or_default();
            next.commands.clear();
            next.tokens.clear();
            if full.send(std::mem::replace(&mut chunk, next)).is_err() {
                return; // Nobody reads on.
            }
        }
    }
    // If nobody reads on, nobody misses it.
    let _ = full.send(chunk);
}

/// The next command. Where its parentheses balance, a command ends whose tokens are all sound; of
/// others only the end is looked for.
fn find(
    text: &[u8],
    framer: &mut Framer,
    names: &mut Names,
    tokens: &mut Vec<Token>,
) -> Option<Found> {
    let start = framer.begin(text)?;
    let window = &text[start..text.len().min(start + LONGEST)];
    let first = tokens.len();
    let bytes = if let Some(length) = Scanner::new(window, 0, 0).command(names, tokens) {
        framer.pass(&(start..start + length));
        start..start + length
    } else {
        tokens.truncate(first);
        let Framing::Command { start, end, .. } = framer.scan(text) else { return None };
        start..end
    };
    let plain = text[bytes.clone()].is_ascii();
    Some(Found { bytes, plain, tokens: first..tokens.len() })
}
