//! The files of a run, the suites they belong to, and the verdicts expected of them.
//!
//! They come from a list (tabs between suite, path, expected verdict and what else there may be; a
//! line with one column is a path alone), or from a folder, whose subfolders are the suites. A
//! folder with a `list.tsv` is read through it. Where no list says what to expect,
//! `(set-info :status …)` in the file does, or a comment at its beginning such as `; expect: sat`
//! or `// expect: NO`.
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use shofar::FRONT_ENDS;
use shofar_base::Set;

use crate::record::Expected;

/// How much of a file is searched for its status.
const STATUS_WITHIN: u64 = 1 << 20;
/// So many lines may come before what is expected, and with it.
const HEADER: usize = 3;
/// So many bad lines of a list are named.
const COMPLAINTS: usize = 5;

/// A file to be solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The suite.
    pub suite: String,
    /// What the file is called in results: its path as listed, or from the folder searched.
    pub name: String,
    /// Where the file is.
    pub path: PathBuf,
    /// The verdict it should get.
    pub expected: Expected,
}

/// The instances below a folder or in a list, in the order of the list or of their paths; none of
/// them twice.
pub fn instances(source: &Path, suites: &[String]) -> Result<Vec<Instance>, String> {
    let explain = |error: io::Error| format!("{}: {error}", source.display());
    let mut found = if source.is_dir() {
        let list = source.join("list.tsv");
        if list.is_file() { read_list(&list)? } else { search(source).map_err(explain)? }
    } else if is_problem(source) {
        let folder = source.parent().unwrap_or(Path::new(""));
        vec![of_path(source.to_owned(), folder).map_err(explain)?]
    } else {
        read_list(source)?
    };
    for suite in suites {
        if !found.iter().any(|instance| instance.suite == *suite) {
            return Err(format!("{}: no suite `{suite}`", source.display()));
        }
    }
    found.retain(|instance| suites.is_empty() || suites.contains(&instance.suite));
    let mut seen = Set::default();
    found.retain(|instance| seen.insert((instance.suite.clone(), instance.name.clone())));
    if found.is_empty() {
        return Err(format!("{}: no problems (files such as .smt2)", source.display()));
    }
    Ok(found)
}

fn read_list(list: &Path) -> Result<Vec<Instance>, String> {
    let text = fs::read_to_string(list).map_err(|error| format!("{}: {error}", list.display()))?;
    let folder = list.parent().unwrap_or(Path::new(""));
    let (mut found, mut complaints) = (Vec::new(), Vec::new());
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match read_line(line, folder) {
            Ok(instance) => found.push(instance),
            Err(why) => complaints.push(format!("{}:{}: {why}", list.display(), number + 1)),
        }
    }
    if complaints.is_empty() {
        return Ok(found);
    }
    let more = complaints.len().saturating_sub(COMPLAINTS);
    complaints.truncate(COMPLAINTS);
    let more = if more > 0 { format!("\n… and {more} more lines") } else { String::new() };
    Err(complaints.join("\n") + &more)
}

fn read_line(line: &str, folder: &Path) -> Result<Instance, String> {
    let mut columns = line.trim_end_matches('\r').split('\t');
    let first = columns.next().unwrap_or_default();
    let Some(name) = columns.next() else {
        let path = folder.join(first);
        return if path.is_file() {
            of_path(path, folder).map_err(|error| format!("{first}: {error}"))
        } else {
            Err(missing(first))
        };
    };
    let path = [folder.join(name), folder.join("files").join(first).join(name)]
        .into_iter()
        .find(|path| path.is_file())
        .ok_or_else(|| missing(name))?;
    let expected = match columns.next() {
        Some(word) => Expected::of_word(word)
            .ok_or_else(|| format!("`{word}` where sat, unsat, YES, NO or unknown is expected"))?,
        None => status_of(&path).map_err(|error| format!("{name}: {error}"))?,
    };
    Ok(Instance { suite: first.to_owned(), name: name.to_owned(), path, expected })
}

fn missing(name: &str) -> String {
    format!("there is no file {name}")
}

/// All problems below a folder, sorted by path.
fn search(root: &Path) -> io::Result<Vec<Instance>> {
    let mut folders = vec![root.to_owned()];
    let mut paths = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            // Links to folders are not followed: they may lead in circles.
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else if is_problem(&entry.path()) {
                paths.push(entry.path());
            }
        }
    }
    paths.sort();
    paths.into_iter().map(|path| of_path(path, root)).collect()
}

/// Whether the extension is that of a front end.
fn is_problem(path: &Path) -> bool {
    let name = path.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let extensions = FRONT_ENDS.iter().flat_map(|front_end| front_end.extensions);
    name.rsplit_once('.').is_some_and(|(_, own)| extensions.into_iter().any(|e| *e == own))
}

/// A file without a line in a list: its suite is its folder, seen from the root.
fn of_path(path: PathBuf, root: &Path) -> io::Result<Instance> {
    let name = path.strip_prefix(root).unwrap_or(&path);
    let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty());
    let root = root.canonicalize().ok();
    let root = root.as_deref().and_then(Path::file_name).map(Path::new);
    let suite = folder.or(root).unwrap_or(Path::new(".")).to_string_lossy().into_owned();
    let name = name.to_string_lossy().into_owned();
    let expected = status_of(&path)?;
    Ok(Instance { suite, name, path, expected })
}

/// What `(set-info :status …)` or a comment says, in a plain or a compressed file.
fn status_of(path: &Path) -> io::Result<Expected> {
    let file = File::open(path)?;
    let mut text = Vec::new();
    if path.extension() == Some(OsStr::new("gz")) {
        // The solvers will complain about a damaged file; its status is what can be read of it.
        let _ = GzDecoder::new(file).take(STATUS_WITHIN).read_to_end(&mut text);
    } else {
        file.take(STATUS_WITHIN).read_to_end(&mut text)?;
    }
    Ok(status_in(&String::from_utf8_lossy(&text)))
}

fn status_in(text: &str) -> Expected {
    // A comment may mention a status without setting it.
    let code: Vec<&str> = text.lines().map(|line| line.split(';').next().unwrap_or("")).collect();
    let code = code.join("\n");
    let status = code.split("set-info").skip(1).find_map(|rest| {
        let word = rest.trim_start().strip_prefix(":status")?.trim_start();
        Expected::of_word(word.split([')', ' ', '\n', '\t', '\r']).next()?)
    });
    status.or_else(|| announced(text)).unwrap_or(Expected::Unknown)
}

/// What a comment in the first lines says; of several answers, the last one counts.
fn announced(text: &str) -> Option<Expected> {
    let is_mark = |c: char| c.is_whitespace() || ";%/*<!-".contains(c);
    let mut lines = text.lines().take(HEADER).map(|line| line.trim_start_matches(is_mark));
    let words = lines.find_map(|line| line.strip_prefix("expect:"))?;
    words.split_whitespace().last().and_then(Expected::of_word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn a_status_is_found() {
        assert_eq!(status_in("(set-logic HORN)\n(set-info :status unsat)"), Expected::Unsat);
        assert_eq!(status_in("(set-info :source |x|)\n(set-info\n :status  sat )"), Expected::Sat);
        assert_eq!(status_in("; (set-info :status sat)\n(check-sat)"), Expected::Unknown);
        assert_eq!(status_in("(set-info :status-of sat)"), Expected::Unknown);
    }

    #[test]
    fn a_comment_may_say_what_to_expect() {
        for (text, expected) in [
            ("; expect: YES\n(format LCTRS)", Expected::Yes),
            ("// expect: NO\nint main() { }", Expected::No),
            ("% expect: sat\np(0).", Expected::Sat),
            ("<!--\nexpect: unsat\n-->", Expected::Unsat),
            ("; expect: sat unsat\n(set-logic ALL)", Expected::Unsat),
            ("; expect: unsat\n(set-info :status sat)", Expected::Sat),
            ("; expect: MAYBE", Expected::Unknown),
            ("; expect: error", Expected::Unknown),
            ("p(0). % this is\n\n\n% expect: sat", Expected::Unknown),
        ] {
            assert_eq!(status_in(text), expected, "{text}");
        }
    }

    #[test]
    fn folders_are_suites() {
        let scratch = Scratch::new();
        scratch.write("b/2.smt2", "(set-info :status sat)");
        scratch.write("b/1.smt2", "");
        scratch.write("a/c/3.smt2.gz", "");
        scratch.write("a/notes.txt", "");
        let found = instances(scratch.path(), &[]).unwrap();
        let seen: Vec<_> =
            found.iter().map(|i| (i.suite.as_str(), i.name.as_str(), i.expected)).collect();
        let expected = [
            ("a/c", "a/c/3.smt2.gz", Expected::Unknown),
            ("b", "b/1.smt2", Expected::Unknown),
            ("b", "b/2.smt2", Expected::Sat),
        ];
        assert_eq!(seen, expected);
        assert_eq!(instances(scratch.path(), &["b".to_owned()]).unwrap().len(), 2);
        assert!(instances(scratch.path(), &["x".to_owned()]).unwrap_err().contains("`x`"));
    }

    #[test]
    fn a_list_says_what_to_expect() {
        let scratch = Scratch::new();
        scratch.write("files/s/1.smt2", "(set-info :status sat)");
        scratch.write("files/s/2.smt2", "(set-info :status sat)");
        let list = "s\tfiles/s/1.smt2\tunsat\t17\n\ns\t2.smt2\nfiles/s/2.smt2\n";
        scratch.write("list.tsv", list);
        let found = instances(scratch.path(), &[]).unwrap();
        let seen: Vec<_> = found.iter().map(|i| (i.suite.as_str(), i.expected)).collect();
        let expected = [("s", Expected::Unsat), ("s", Expected::Sat), ("files/s", Expected::Sat)];
        assert_eq!(seen, expected);
    }

    #[test]
    fn bad_lists_name_the_line() {
        let scratch = Scratch::new();
        scratch.write("1.smt2", "");
        scratch.write("missing", "s\t1.smt2\tsat\ns\t2.smt2\tsat\n");
        scratch.write("word", "s\t1.smt2\tsafe\n");
        let complaint = |name: &str| instances(&scratch.path().join(name), &[]).unwrap_err();
        assert!(complaint("missing").contains("missing:2: there is no file 2.smt2"));
        scratch.write("many", &"9.smt2\n".repeat(9));
        let many = complaint("many");
        assert!(many.contains("many:5: there is no file 9.smt2\n… and 4 more lines"), "{many}");
        assert!(complaint("word").contains("word:1: `safe`"));
        assert!(complaint("nothing").contains("nothing"));
    }
}
