//! The line that tells a person how far the work is, in a terminal of the kernel.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod folder;
mod hard;

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Read as _;
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};

use folder::Folder;
use hard::hard;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// Goes to the beginning of the line and clears it.
const CLEAR: &str = "\r\x1b[K";
/// The terminal's width.
const WIDTH: u16 = 60;

/// What the program writes to a terminal on standard error, and what to standard output.
fn watched(words: &[&str]) -> (String, String) {
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&controller).unwrap();
    unlockpt(&controller).unwrap();
    let size = Winsize { ws_row: 24, ws_col: WIDTH, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&controller, size).unwrap();
    let name = ptsname(&controller, Vec::new()).unwrap();
    let terminal = OpenOptions::new().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_shofar"));
    command.args(words).stdin(Stdio::null()).stdout(Stdio::piped());
    let child = command.stderr(OwnedFd::from(terminal)).spawn().unwrap();
    // The terminal ends when nothing has it open any more.
    drop(command);
    let reader = std::thread::spawn(move || {
        let (mut shown, mut piece) = (Vec::new(), [0; 4096]);
        let mut file = std::fs::File::from(controller);
        while let Ok(length @ 1..) = file.read(&mut piece) {
            shown.extend_from_slice(&piece[..length]);
        }
        String::from_utf8(shown).unwrap()
    });
    let output = child.wait_with_output().unwrap();
    (reader.join().unwrap(), String::from_utf8(output.stdout).unwrap())
}

/// The lines that were drawn one over the other, and what is left in the end.
fn drawn(shown: &str) -> (Vec<&str>, &str) {
    let mut lines: Vec<&str> = shown.split(CLEAR).collect();
    let left = lines.pop().unwrap();
    (lines.into_iter().filter(|line| !line.is_empty()).collect(), left)
}

#[test]
fn a_line_tells_what_is_done_and_is_removed() {
    let folder = Folder::new("progress");
    folder.write("hard.smt2", format!("{}\n(check-sat)\n", hard()));
    let file = folder.path().join("hard.smt2");
    let file = file.to_str().unwrap();
    let (shown, answer) = watched(&["--engine", "bmc", "--timeout", "4", "--memory", "3000", file]);
    assert_eq!(answer, "unknown\n");
    let (lines, left) = drawn(&shown);
    assert!(lines.len() >= 2, "{shown:?}");
    // A few times a second, and no more.
    assert!(lines.len() <= 20, "{} lines", lines.len());
    for line in &lines {
        assert!(line.len() < usize::from(WIDTH) && !line.contains('\n'), "{line:?}");
        assert!(line.contains(" of 0:04, ") && line.contains(" of 3000 MB | "), "{line:?}");
    }
    assert!(lines.iter().any(|line| line.contains("| bmc: depth ")), "{lines:?}");
    assert!(left.starts_with("shofar: unknown (") && left.ends_with("\r\n"), "{left:?}");
    // What is logged is not mixed with a line.
    let (shown, _) = watched(&["--engine", "bmc", "--timeout", "2", "-v", file]);
    assert!(!shown.contains('\x1b') && shown.contains("bmc works"), "{shown:?}");
    // Nothing is left of a line where there is an answer.
    folder.write("soon.smt2", "(set-logic HORN)(declare-fun p () Bool)(assert p)(check-sat)");
    let soon = folder.path().join("soon.smt2");
    let (shown, answer) = watched(&[soon.to_str().unwrap()]);
    assert_eq!((drawn(&shown).1, answer.as_str()), ("", "sat\n"), "{shown:?}");
}

#[test]
fn nothing_is_drawn_where_nothing_is_watched() {
    let folder = Folder::new("progress-piped");
    folder.write("hard.smt2", format!("{}\n(check-sat)\n", hard()));
    let mut command = Command::new(env!("CARGO_BIN_EXE_shofar"));
    command.args(["--timeout", "2"]).arg(folder.path().join("hard.smt2"));
    let output = command.output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.starts_with("shofar: unknown (") && errors.lines().count() == 1, "{errors:?}");
}

#[test]
fn scripts_and_witnesses_have_a_line_as_well() {
    let folder = Folder::new("progress-smt");
    // Eleven pigeons in ten holes.
    let mut script = "(set-logic QF_UF)\n".to_owned();
    let hole = |pigeon: usize, hole: usize| format!("p{pigeon}_{hole}");
    for pigeon in 0..11 {
        let holes: Vec<String> = (0..10).map(|h| hole(pigeon, h)).collect();
        for name in &holes {
            let _ = write!(script, "(declare-const {name} Bool)");
        }
        let _ = writeln!(script, "(assert (or {}))", holes.join(" "));
    }
    for place in 0..10 {
        for (a, b) in (0..11).flat_map(|a| (0..a).map(move |b| (a, b))) {
            let (a, b) = (hole(a, place), hole(b, place));
            let _ = writeln!(script, "(assert (not (and {a} {b})))");
        }
    }
    folder.write("pigeons.smt2", script + "(check-sat)\n");
    let file = folder.path().join("pigeons.smt2");
    let (shown, answer) = watched(&["smt", "--timeout", "3", file.to_str().unwrap()]);
    let (lines, left) = drawn(&shown);
    assert!(answer.starts_with("un"), "{answer}");
    assert!(lines.iter().all(|line| line.contains(" | question 1")), "{lines:?}");
    assert!(!lines.is_empty() && !left.contains(" | "), "{shown:?}");
}
