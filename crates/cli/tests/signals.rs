//! Signals, and a system that gives little: the program ends in good order, with the status that
//! belongs to the signal.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod hard;

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
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

/// Waits until the process catches `SIGTERM`.
#[cfg(target_os = "linux")]
fn until_it_listens(child: &Child) {
    const TERM: u64 = 1 << 14;
    let path = format!("/proc/{}/status", child.id());
    for _ in 0..2_000 {
        let status = std::fs::read_to_string(&path).unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        if u64::from_str_radix(caught.unwrap().trim(), 16).unwrap() & TERM != 0 {
            return;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    panic!("it does not catch the signal");
}

#[cfg(target_os = "linux")]
#[test]
fn two_early_signals_leave_the_answer() {
    let name = format!("shofar-early-{}.smt2", std::process::id());
    let problem = std::env::temp_dir().join(name);
    std::fs::write(&problem, hard::hard() + "(check-sat)").unwrap();
    // With a limit on memory there are two processes.
    for limit in ["", "ulimit -v 4000000;"] {
        for pause in [1, 2, 3, 4, 5, 7, 10, 14, 20, 30, 70, 200] {
            let mut child = Command::new("sh")
                .args(["-c", &format!("{limit} exec \"$0\" \"$1\""), env!("CARGO_BIN_EXE_shofar")])
                .arg(&problem)
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            until_it_listens(&child);
            std::thread::sleep(Duration::from_millis(pause));
            let pid = child.id().to_string();
            let twice = "kill -TERM \"$0\"; kill -TERM \"$0\"";
            Command::new("sh").args(["-c", twice, &pid]).stderr(Stdio::null()).status().unwrap();
            let (mut out, mut err) = (String::new(), String::new());
            child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
            child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
            let what = format!("{limit} after {pause} ms: {err}");
            assert_eq!(out, "unknown\n", "{what}");
            assert_eq!(child.wait().unwrap().code(), Some(143), "{what}");
        }
    }
    std::fs::remove_file(problem).unwrap();
}

#[test]
fn commands_that_answer_nothing_are_ended_by_signals() {
    let mut child = start(&["info", "-"]);
    std::thread::sleep(Duration::from_millis(300));
    signal(&child, "-TERM");
    assert!(!child.wait().unwrap().success());
    drop(child.stdin.take());
}

#[test]
fn a_small_stack_is_enough() {
    let deep = "(assert ".to_owned() + &"(not ".repeat(100_001) + "p" + &")".repeat(100_002);
    let script = format!("(declare-fun p () Bool){deep}(check-sat)");
    for command in ["", "smt"] {
        let output = limited(&format!("ulimit -s 64; exec \"$0\" {command}"), &script);
        assert_eq!(text(&output.stdout), "sat\n", "{command}: {}", text(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "{command}");
    }
    let output = limited("ulimit -s 64; exec \"$0\" --help", "");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}
