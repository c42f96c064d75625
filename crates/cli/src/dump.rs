//! `--dump-queries`: every question put to the SMT solver as a script for `shofar smt`.
//!
//! The scripts are numbered in the order of their answers. The first line says who asked: an engine, preprocessing, the
//! translation of the witness or its validation.
//!
//! Engines that lost go on for a moment after the verdict. Invariant: a script is in the folder as a whole or not at all, even
//! if the process ends while an engine asks.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{OnceLock, PoisonError, RwLock};

use shofar_smt::script;
use shofar_term::{Observer, Question};

/// Writes questions to files.
#[derive(Debug)]
pub(crate) struct Dump {
    folder: PathBuf,
    written: AtomicU64,
    /// Whether questions are still written; who writes one holds it for reading.
    is_open: RwLock<bool>,
    /// The first file that could not be written.
    failed: OnceLock<String>,
}

impl Dump {
    /// Writes into `folder`, which is made if it is not there.
    pub(crate) fn new(folder: &Path) -> Result<Self, String> {
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        Ok(Self {
            folder: folder.to_path_buf(),
            written: AtomicU64::new(0),
            is_open: RwLock::new(true),
            failed: OnceLock::new(),
        })
    }
    /// Waits for the scripts that are being written and takes no more; why one could not be written, if so.
    pub(crate) fn close(&self) -> Option<&str> {
        *self.is_open.write().unwrap_or_else(PoisonError::into_inner) = false;
        self.failed.get().map(String::as_str)
    }
}

impl Observer for Dump {
    fn asked(&self, who: &str, question: &Question<'_>) {
        if self.failed.get().is_some() {
            return;
        }
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        let reason = match &question.answer {
            Ok(_) => String::new(),
            Err(why) => format!("; {why}\n"),
        };
        let text = format!("; query {number} of {who}\n{reason}{}", script(question));
        let is_open = self.is_open.read().unwrap_or_else(PoisonError::into_inner);
        if !*is_open {
            return; // The verdict is printed, and nobody waits for this.
        }
        let path = self.folder.join(format!("{number:06}-{who}.smt2"));
        let part = path.with_extension("part");
        if let Err(error) = std::fs::write(&part, text).and_then(|()| std::fs::rename(&part, &path))
        {
            self.failed.get_or_init(|| format!("cannot write {}: {error}", path.display()));
        }
    }
}
