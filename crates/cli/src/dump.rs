//! `--dump-queries`: every question put to the SMT solver as a script for `shofar smt`.
//!
//! The scripts are numbered in the order of their answers. The first line says who asked: an engine, preprocessing, the
//! translation of the witness or its validation.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use shofar_smt::script;
use shofar_term::{Observer, Question};

/// Writes questions to files.
#[derive(Debug)]
pub(crate) struct Dump {
    folder: PathBuf,
    written: AtomicU64,
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
            failed: OnceLock::new(),
        })
    }
    /// Why a script could not be written, if so.
    pub(crate) fn failure(&self) -> Option<&str> {
        self.failed.get().map(String::as_str)
    }
}

impl Observer for Dump {
    fn asked(&self, who: &str, question: &Question<'_>) {
        if self.failed.get().is_some() {
            return;
        }
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        let reason = match question.answer {
            Ok(_) => String::new(),
            Err(why) => format!("; {why}\n"),
        };
        let text = format!("; query {number} of {who}\n{reason}{}", script(question));
        let path = self.folder.join(format!("{number:06}-{who}.smt2"));
        if let Err(error) = std::fs::write(&path, text) {
            self.failed.get_or_init(|| format!("cannot write {}: {error}", path.display()));
        }
    }
}
