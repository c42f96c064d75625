//! The channels that answers and messages are written to.
//!
//! Answers go through one lock, so that the watchdog can end the process between two of them, never inside one.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Where a channel leads.
#[derive(Debug)]
enum Target {
    Stdout(BufWriter<io::Stdout>),
    Stderr(io::Stderr),
    File(BufWriter<File>),
}

/// A channel that can be redirected while others hold it.
#[derive(Clone, Debug)]
pub(crate) struct Channel(Arc<Mutex<Target>>);

impl Channel {
    /// Standard output, buffered.
    pub(crate) fn stdout() -> Self {
        Self(Arc::new(Mutex::new(Target::Stdout(BufWriter::new(io::stdout())))))
    }
    /// Standard error.
    pub(crate) fn stderr() -> Self {
        Self(Arc::new(Mutex::new(Target::Stderr(io::stderr()))))
    }
    /// Leads the channel to `stdout`, `stderr`, or the end of a file.
    pub(crate) fn redirect(&self, name: &str) -> io::Result<()> {
        let target = match name {
            "stdout" => Target::Stdout(BufWriter::new(io::stdout())),
            "stderr" => Target::Stderr(io::stderr()),
            path => Target::File(BufWriter::new(
                OpenOptions::new().append(true).create(true).open(path)?,
            )),
        };
        let mut guard = self.lock();
        guard.flush()?;
        *guard = target;
        Ok(())
    }
    /// Writes a text as a whole.
    pub(crate) fn write(&self, text: &str) -> io::Result<()> {
        self.lock().write_all(text.as_bytes())
    }
    /// Hands everything written to the system.
    pub(crate) fn flush(&self) -> io::Result<()> {
        self.lock().flush()
    }
    /// Writes a last text and ends the process; nobody can write after that.
    pub(crate) fn write_and_exit(&self, text: &str, status: i32) -> ! {
        let mut guard = self.lock();
        // The process ends whether or not somebody reads the text.
        let _ = guard.write_all(text.as_bytes()).and_then(|()| guard.flush());
        std::process::exit(status)
    }
    fn lock(&self) -> MutexGuard<'_, Target> {
        // A thread that panicked while writing leaves at worst a torn line.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::Stdout(out) => out.write(bytes),
            Target::Stderr(out) => out.write(bytes),
            Target::File(out) => out.write(bytes),
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::Stdout(out) => out.flush(),
            Target::Stderr(out) => out.flush(),
            Target::File(out) => out.flush(),
        }
    }
}
