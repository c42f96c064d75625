//! A folder for one test, removed with everything in it when the test ends.
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The folder.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// A new folder, empty.
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder =
            std::env::temp_dir().join(format!("shofar-bench-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).expect("the folder for temporary files is writable");
        Self(folder)
    }
    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
    /// Writes a file, and the folders it needs; returns where it is.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("it is writable");
        fs::write(&path, text).expect("it is writable");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed stays.
        let _ = fs::remove_dir_all(&self.0);
    }
}
