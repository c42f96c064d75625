//! Runs a folder of test scripts that carry their expectations in their first lines.
//!
//! ```text
//! ; test: smt                    what the file tests, for the reader
//! ; expect: sat unsat            one word for each check-sat, or `error` for an input error
//! ; level: 0                     0 takes at most a second, 1 ten seconds, 2 longer
//! ; error-line: 4                the error must point at this line
//! ; interpolant: (<= x 0)        the interpolants must be equivalent to these, in order
//! ; unknown-ok: yes              `unknown` is accepted in the place of an answer, for what we cannot decide yet
//! ```
//! Files are found, never listed. Besides the answers, everything that a script prints is judged
//! ([`crate::judge`]), and the questions that arise are put to the same solver: models satisfy,
//! cores are unsatisfiable, interpolants separate.

use std::fs;
use std::path::{Path, PathBuf};

use crate::case::Answer;
use crate::judge::{Kind, Obligation, judge};
use crate::sexp::{Sexp, parse_all};

/// What the first lines of a test file say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Expected words: answers and `error`.
    pub expect: Vec<String>,
    /// How long the file may take.
    pub level: u32,
    /// The line an error must point at.
    pub error_line: Option<u32>,
    /// Whether `unknown` is accepted in the place of an answer.
    pub unknown_ok: bool,
    /// Formulas that the interpolants must be equivalent to.
    pub interpolants: Vec<String>,
}

impl Header {
    /// Reads the comment lines at the top of `script`; a file without `expect` is an error.
    pub fn parse(script: &str) -> Result<Self, String> {
        let mut header = Self::default();
        let mut expected = false;
        for line in script.lines().map_while(|line| line.strip_prefix(';')) {
            let Some((key, value)) = line.trim().split_once(':') else { continue };
            let value = value.trim();
            match key.trim() {
                "expect" => {
                    header.expect = value.split_whitespace().map(str::to_owned).collect();
                    expected = true;
                }
                "level" => {
                    header.level = value.parse().map_err(|_| format!("bad level {value}"))?;
                }
                "error-line" => {
                    header.error_line =
                        Some(value.parse().map_err(|_| format!("bad line {value}"))?);
                }
                "unknown-ok" => header.unknown_ok = value == "yes",
                "interpolant" => header.interpolants.push(value.to_owned()),
                _ => {}
            }
        }
        if expected { Ok(header) } else { Err("no `; expect:` line".to_owned()) }
    }

    /// Whether these words are the expected ones.
    pub fn accepts(&self, words: &[String]) -> bool {
        let fits = |(word, expected): (&String, &String)| {
            word == expected || (self.unknown_ok && word == "unknown" && expected != "error")
        };
        words.len() == self.expect.len() && words.iter().zip(&self.expect).all(fits)
    }
}

/// What became of a folder.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Files that were run.
    pub run: usize,
    /// Files of a higher level than wanted.
    pub skipped: usize,
    /// A line for each failure.
    pub failures: Vec<String>,
}

/// All `.smt2` files below `folder`, sorted.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    files_with(folder, "smt2")
}

/// All files with this extension below `folder`, sorted.
pub fn files_with(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Runs every file below `folder` up to `level`; `solve` maps the text of a script to what the
/// solver prints on standard output.
pub fn run(folder: &Path, level: u32, mut solve: impl FnMut(&Path, &str) -> String) -> Report {
    let mut report = Report::default();
    for path in files(folder) {
        let outcome = fs::read(&path).map_err(|error| error.to_string()).and_then(|bytes| {
            let script = String::from_utf8_lossy(&bytes).into_owned();
            let header = Header::parse(&script)?;
            if header.level > level {
                return Ok(false);
            }
            check(&path, &script, &header, &mut solve).map(|()| true)
        });
        match outcome {
            Ok(true) => report.run += 1,
            Ok(false) => report.skipped += 1,
            Err(message) => {
                report.run += 1;
                report.failures.push(format!("{}: {message}", path.display()));
            }
        }
    }
    report
}

/// Checks one file.
fn check(
    path: &Path,
    script: &str,
    header: &Header,
    solve: &mut impl FnMut(&Path, &str) -> String,
) -> Result<(), String> {
    let output = solve(path, script);
    let words = words(&output);
    if !header.accepts(&words) {
        return Err(format!(
            "expected {:?}, got {words:?}; output:\n{output}",
            header.expect.join(" ")
        ));
    }
    if let Some(line) = header.error_line {
        let error = output.lines().find(|line| line.starts_with("(error")).unwrap_or_default();
        if !error.contains(&format!(":{line}:")) {
            return Err(format!("the error does not point at line {line}: {error}"));
        }
    }
    if words.iter().any(|word| word == "error") {
        return Ok(());
    }
    // What follows an exit need not be well formed.
    let commands = parse_all(script.split("\n(exit)").next().unwrap_or(script))?;
    let judgement = judge(&commands, &output, &[]);
    if let Some(fault) = judgement.faults.first() {
        return Err(format!("{:?}: {}", fault.kind, fault.message));
    }
    let mut obligations = judgement.obligations;
    obligations.extend(equivalences(&commands, &output, header)?);
    for obligation in obligations {
        let question = format!("{}\n(check-sat)\n", obligation.commands.join("\n"));
        let reply = solve(path, &question);
        let answer = reply.lines().next().and_then(Answer::from_word);
        if answer != Some(obligation.expected) {
            let wanted = obligation.expected.word();
            return Err(format!(
                "{:?}: expected {wanted} for\n{question}but got {reply}",
                obligation.kind
            ));
        }
    }
    Ok(())
}

/// The answers and errors among the lines of an output.
pub fn words(output: &str) -> Vec<String> {
    let word = |line: &str| {
        let line = line.trim();
        if line.starts_with("(error") {
            Some("error".to_owned())
        } else {
            Answer::from_word(line).map(|answer| answer.word().to_owned())
        }
    };
    output.lines().filter_map(word).collect()
}

/// Obligations that the printed interpolants are equivalent to those of the header.
fn equivalences(
    commands: &[Sexp],
    output: &str,
    header: &Header,
) -> Result<Vec<Obligation>, String> {
    if header.interpolants.is_empty() {
        return Ok(Vec::new());
    }
    let replies = parse_all(output)?;
    let printed: Vec<&Sexp> = replies
        .iter()
        .filter_map(Sexp::list)
        .filter(|l| l.first() != Some(&Sexp::Atom("error".into())))
        .flatten()
        .collect();
    if printed.len() != header.interpolants.len() {
        return Err(format!(
            "{} interpolants in the header, {} printed",
            header.interpolants.len(),
            printed.len()
        ));
    }
    let declarations: Vec<String> = commands
        .iter()
        .filter(|c| c.head().is_some_and(|h| h.starts_with("de")))
        .map(Sexp::to_string)
        .collect();
    let pairs = printed.iter().zip(&header.interpolants);
    Ok(pairs
        .map(|(printed, expected)| {
            let mut commands = declarations.clone();
            commands.push(format!("(assert (not (= {printed} {expected})))"));
            Obligation { kind: Kind::Interpolant, commands, expected: Answer::Unsat }
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers() {
        let header = Header::parse(
            "; test: smt\n; expect: sat error\n; level: 1\n; error-line: 7\n(check-sat)",
        )
        .unwrap();
        assert_eq!(header.expect, ["sat", "error"]);
        assert_eq!((header.level, header.error_line), (1, Some(7)));
        assert!(Header::parse("(check-sat)\n; expect: sat").is_err());
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert!(header.accepts(&words("sat error")) && !header.accepts(&words("unknown error")));
        let lenient = Header::parse("; expect: sat unsat\n; unknown-ok: yes").unwrap();
        assert!(lenient.accepts(&words("sat unknown")) && !lenient.accepts(&words("unsat unsat")));
    }

    #[test]
    fn words_of_an_output() {
        assert_eq!(words("sat\n(\n)\nunsat\n(error \"x\")\n"), ["sat", "unsat", "error"]);
    }
}
