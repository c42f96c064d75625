//! `--dump-queries`: every question put to the SMT solver as a script for `shofar smt`.
//! `--dump-recursion-free`: every problem of recursion-free clauses as a script for `shofar`.
//!
//! The scripts are numbered in the order of their answers. The first line says who asked: an
//! engine, preprocessing, the translation of the witness or its validation.
//!
//! Engines that lost go on for a moment after the verdict. Invariant: a script is in the folder as
//! a whole or not at all, even if the process ends while an engine asks.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{OnceLock, PoisonError, RwLock};

use shofar_smt::script;
use shofar_term::{Observer, Question};

/// Writes questions and problems to files.
#[derive(Debug)]
pub(crate) struct Dump {
    /// Where questions go.
    queries: Option<PathBuf>,
    /// Where problems go.
    problems: Option<PathBuf>,
    written: AtomicU64,
    /// Whether questions are still written; who writes one holds it for reading.
    is_open: RwLock<bool>,
    /// The first file that could not be written.
    failed: OnceLock<String>,
}

impl Dump {
    /// Writes into these folders, which are made if they are not there; nothing if there is none.
    pub(crate) fn new(
        queries: Option<&Path>,
        problems: Option<&Path>,
    ) -> Result<Option<Self>, String> {
        for folder in queries.iter().chain(&problems) {
            std::fs::create_dir_all(folder)
                .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        }
        if queries.is_none() && problems.is_none() {
            return Ok(None);
        }
        Ok(Some(Self {
            queries: queries.map(Path::to_path_buf),
            problems: problems.map(Path::to_path_buf),
            written: AtomicU64::new(0),
            is_open: RwLock::new(true),
            failed: OnceLock::new(),
        }))
    }
    /// Writes a script of `who` into `folder`.
    fn write(&self, folder: &Path, who: &str, script: &dyn Fn(u64) -> String) {
        if self.failed.get().is_some() {
            return;
        }
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        let text = script(number);
        let is_open = self.is_open.read().unwrap_or_else(PoisonError::into_inner);
        if !*is_open {
            return; // The verdict is printed, and nobody waits for this.
        }
        let path = folder.join(format!("{number:06}-{who}.smt2"));
        let part = path.with_extension("part");
        if let Err(error) = std::fs::write(&part, text).and_then(|()| std::fs::rename(&part, &path))
        {
            self.failed.get_or_init(|| format!("cannot write {}: {error}", path.display()));
        }
    }
    /// Waits for the scripts that are being written and takes no more; why one could not be
    /// written, if so.
    pub(crate) fn close(&self) -> Option<&str> {
        *self.is_open.write().unwrap_or_else(PoisonError::into_inner) = false;
        self.failed.get().map(String::as_str)
    }
}

impl Observer for Dump {
    fn asked(&self, who: &str, question: &Question<'_>) {
        let Some(folder) = &self.queries else { return };
        let reason = match &question.answer {
            Ok(_) => String::new(),
            Err(why) => format!("; {why}\n"),
        };
        self.write(folder, who, &|number| {
            format!("; query {number} of {who}\n{reason}{}", script(question))
        });
    }
    fn solved(&self, who: &str, script: &dyn Fn() -> String) {
        let Some(folder) = &self.problems else { return };
        self.write(folder, who, &|number| format!("; problem {number} of {who}\n{}", script()));
    }
}
