//! Signals, and a system that gives little: the program ends in good order, with the status that belongs to the signal.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod hard;

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

fn start(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_shofar"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_status_tells_the_signal() {
    for (name, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let mut child = start(&[]);
        let script = format!("{}(echo \"begin\")(check-sat)(check-sat)\n", hard::hard());
        let mut input = child.stdin.take().unwrap();
        input.write_all(script.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(400));
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        assert_eq!(text(&output.stdout), "\"begin\"\nunknown\n", "{name}");
        assert!(text(&output.stderr).contains("cancelled"), "{name}");
        assert_eq!(output.status.code(), Some(code), "{name}");
    }
}

#[test]
fn used_up_processor_time_is_a_timeout() {
    let mut child = start(&[]);
    let mut input = child.stdin.take().unwrap();
    let script = format!("{}(check-sat)\n", hard::hard());
    input.write_all(script.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(400));
    signal(&child, "-XCPU");
    let output = child.wait_with_output().unwrap();
    assert_eq!(text(&output.stdout), "unknown\n");
    assert!(text(&output.stderr).contains("timeout"), "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn who_waits_for_commands_ends_silently() {
    for (arguments, name, code) in [(&[][..], "-INT", 130), (&["smt"], "-TERM", 143)] {
        let mut child = start(arguments);
        let mut input = child.stdin.take().unwrap();
        input.write_all(b"(check-sat)").unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        assert_eq!(line, "sat\n");
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert_eq!(text(&output.stderr), "", "{arguments:?}");
    }
}

/// Runs a script in a shell that has limited what the system gives; `$0` is the program.
fn limited(shell: &str, script: &str) -> Output {
    let mut child = Command::new("sh")
        .args(["-c", shell, env!("CARGO_BIN_EXE_shofar")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may end before it has read everything.
    drop(child.stdin.take().unwrap().write_all(script.as_bytes()));
    child.wait_with_output().unwrap()
}

#[test]
fn addresses_that_the_system_limits_are_not_used_up() {
    // Hundreds of megabytes of terms.
    let mut script = String::from("(declare-const x Int)\n");
    for number in 0..3_000_000 {
        writeln!(script, "(assert (< (* {number} x) {number}))").unwrap();
    }
    let output = limited("ulimit -v 400000; exec \"$0\" smt", &(script + "(check-sat)"));
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(out, "", "{err}");
    assert!(err.contains("stopped (memout)"), "{err}");
    assert_eq!(output.status.code(), Some(125), "{err}");
}
