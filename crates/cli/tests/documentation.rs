//! What the documentation shows is what the program prints.
//!
//! The fenced blocks of a page are followed in order, in a folder that has a copy of the examples.
//! The first word behind the fence says what a block is:
//!
//! | block | what is done |
//! |---|---|
//! | `console` | lines that begin with `$ ` are run by the shell, and must print the lines below them, on both channels |
//! | `sh` | nothing: commands without output, such as those that build the program |
//! | `rust` | nothing here: the documentation tests of `shofar` run those of the README |
//! | `ebnf` | nothing: a grammar |
//! | other ones | must have a second word, the name of the file that the block is written to |
//!
//! A line of JSON must have the keys that are shown, texts that are equal, and numbers where
//! numbers are shown; it may have more keys. Times differ, and statistics grow.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod folder;

use std::path::Path;
use std::process::Command;

use folder::Folder;
use serde_json::Value;

/// A block of a page, with the line it begins in.
struct Block<'t> {
    line: usize,
    words: Vec<&'t str>,
    text: String,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut is_open = false;
    for (number, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), is_open) {
            (Some(info), false) => {
                let words = info.split_whitespace().collect();
                blocks.push(Block { line: number + 1, words, text: String::new() });
                is_open = true;
            }
            (Some(_), true) => is_open = false,
            (None, true) => {
                let text = &mut blocks.last_mut().unwrap().text;
                text.push_str(line);
                text.push('\n');
            }
            (None, false) => {}
        }
    }
    assert!(!is_open, "the last block is not closed");
    blocks
}

/// A folder in which commands run one after the other.
struct Shell {
    folder: Folder,
    status: i32,
}

impl Shell {
    fn new(name: &str) -> Self {
        let folder = Folder::new(name);
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        for entry in std::fs::read_dir(examples).unwrap() {
            let path = entry.unwrap().path();
            // Examples in other languages have folders of their own.
            if path.is_dir() {
                continue;
            }
            let name = path.file_name().unwrap().to_str().unwrap();
            folder.write(&format!("examples/{name}"), std::fs::read(&path).unwrap());
        }
        Self { folder, status: 0 }
    }
    /// What a command prints.
    fn run(&mut self, command: &str) -> String {
        let program = Path::new(env!("CARGO_BIN_EXE_shofar"));
        let known = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{known}", program.parent().unwrap().display());
        let output = Command::new("sh")
            // `$?` is the exit status of the command before.
            .args(["-c", &format!("exec 2>&1\n(exit {})\n{command}", self.status)])
            .env("PATH", path)
            .current_dir(self.folder.path())
            .output()
            .unwrap();
        self.status = output.status.code().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }
    /// Runs the commands of a block and compares.
    fn follow(&mut self, page: &str, block: &Block<'_>) {
        for part in format!("\n{}", block.text).split("\n$ ").skip(1) {
            let (command, expected) = part.split_once('\n').unwrap_or((part, ""));
            let found = self.run(command);
            let (expected, printed): (Vec<&str>, Vec<&str>) =
                (expected.trim_end().lines().collect(), found.lines().collect());
            let place = format!("{page}, block in line {}, {command}", block.line);
            assert_eq!(expected.len(), printed.len(), "{place}:\n{found}");
            for (expected, printed) in expected.iter().zip(&printed) {
                assert!(agrees(expected, printed), "{place}:\n- {expected}\n+ {printed}");
            }
        }
    }
}

fn agrees(expected: &str, printed: &str) -> bool {
    let read = |line: &str| serde_json::from_str::<Value>(line).ok().filter(Value::is_object);
    match (read(expected), read(printed)) {
        (Some(expected), Some(printed)) => has(&printed, &expected),
        _ => expected == printed,
    }
}

/// Whether `value` has all that is shown.
fn has(value: &Value, shown: &Value) -> bool {
    match (value, shown) {
        (Value::Number(_), Value::Number(_)) => true,
        (Value::Array(values), Value::Array(shown)) => {
            values.len() == shown.len() && values.iter().zip(shown).all(|(v, s)| has(v, s))
        }
        (Value::Object(fields), Value::Object(shown)) => {
            shown.iter().all(|(key, shown)| fields.get(key).is_some_and(|value| has(value, shown)))
        }
        _ => value == shown,
    }
}

fn check(page: &str, least: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    let text = std::fs::read_to_string(path).unwrap();
    let mut shell = Shell::new(&page.replace(['/', '.'], "-"));
    let mut consoles = 0;
    for block in blocks(&text) {
        match block.words[..] {
            ["console"] => {
                shell.follow(page, &block);
                consoles += 1;
            }
            ["sh" | "rust" | "ebnf"] => {}
            [_, name] => shell.folder.write(name, &block.text),
            _ => panic!("{page}: the block in line {} does not say what it is", block.line),
        }
    }
    assert!(consoles >= least, "{page} shows {consoles} runs only");
}

#[test]
fn the_readme_shows_what_is_printed() {
    check("README.md", 2);
}

#[test]
fn the_page_about_formats_shows_what_is_printed() {
    check("docs/formats.md", 7);
}

#[test]
fn the_page_about_solc_shows_what_is_printed() {
    check("docs/solc.md", 1);
}

#[test]
fn the_page_about_smt_shows_what_is_printed() {
    check("docs/smt.md", 1);
}

#[test]
fn the_page_about_unknown_shows_what_is_printed() {
    check("docs/after-unknown.md", 1);
}

#[test]
fn differences_are_noticed() {
    assert!(agrees("sat", "sat") && !agrees("sat", "unsat"));
    assert!(agrees("{\"a\":1}", "{\"a\":2,\"b\":3}") && !agrees("{\"a\":1}", "{\"b\":1}"));
    assert!(!agrees("{\"a\":\"x\"}", "{\"a\":\"y\"}") && !agrees("{\"a\":null}", "{\"a\":1}"));
    let mut shell = Shell::new("differences");
    assert_eq!(shell.run("false; echo no >&2; exit 3"), "no\n");
    assert_eq!(shell.run("echo $?"), "3\n");
}
