//! What cannot be written is reported, unless nobody reads any more; and what is written to a
//! terminal stays tidy.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod hard;

use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const UNSAFE: &str = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))\
    (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))\
    (assert (forall ((x Int)) (=> (and (p x) (> x 20)) false)))(check-sat)";

fn problem(name: &str, text: &str) -> PathBuf {
    let path: PathBuf = [env!("CARGO_TARGET_TMPDIR"), name].iter().collect();
    std::fs::write(&path, text).unwrap();
    path
}

fn shofar(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shofar"));
    command.args(arguments).stdin(Stdio::null()).stderr(Stdio::piped());
    command
}

#[test]
fn a_full_disk_is_reported_by_every_command() {
    let Ok(full) = OpenOptions::new().write(true).open("/dev/full") else { return };
    let path = problem("full.smt2", UNSAFE);
    let script = problem("full-script.smt2", "(check-sat)");
    let (path, script) = (path.to_str().unwrap(), script.to_str().unwrap());
    let folder = env!("CARGO_TARGET_TMPDIR");
    let commands: [&[&str]; 10] = [
        &[path],
        &["--witness", path],
        &["info", path],
        &["graph", path],
        &["graph", "--svg", path],
        &["smt", script],
        &["manual"],
        &["completions", "bash"],
        &["--help"],
        &["bench", "--timeout", "0.1", folder],
    ];
    for arguments in commands {
        let output = shofar(arguments).stdout(full.try_clone().unwrap()).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(err.contains("cannot write standard output"), "{arguments:?}: {err}");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
    let witness = problem("full-witness.txt", "(\n(define-fun p ((x Int)) Bool true)\n)");
    let arguments = ["check", path, witness.to_str().unwrap()];
    let output = shofar(&arguments).stdout(full).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write"), "{output:?}");
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let path = problem("closed.smt2", UNSAFE);
    for arguments in [&["--witness"][..], &["graph"], &["info"]] {
        let mut child = shofar(arguments).arg(&path).stdout(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!((err.as_str(), child.wait().unwrap().code()), ("", Some(0)), "{arguments:?}");
    }
}

#[test]
fn a_redirected_channel_that_is_full_is_reported() {
    if File::open("/dev/full").is_err() {
        return;
    }
    let script = "(set-option :regular-output-channel \"/dev/full\")(check-sat)";
    let path = problem("channel.smt2", script);
    for arguments in [&[][..], &["smt"]] {
        let output = shofar(arguments).arg(&path).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(err.contains("cannot write /dev/full"), "{arguments:?}: {err}");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_closed_standard_output_is_reported() {
    let path = problem("none.smt2", UNSAFE);
    let script = problem("none-script.smt2", "(check-sat)");
    let (path, script) = (path.to_str().unwrap(), script.to_str().unwrap());
    let run = |shell: &str, arguments: &[&str]| {
        let mut command = Command::new("sh");
        command.args(["-c", shell, env!("CARGO_BIN_EXE_shofar")]).args(arguments);
        let output = command.stdin(Stdio::null()).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let commands: [&[&str]; 6] = [
        &[path],
        &["--witness", path],
        &["smt", script],
        &["info", path],
        &["--help"],
        &["manual"],
    ];
    for arguments in commands {
        // With a limit on memory there are two processes.
        for limit in ["", "ulimit -v 4000000;"] {
            let (code, err) = run(&format!("{limit} exec \"$0\" \"$@\" >&-"), arguments);
            assert!(
                err.starts_with("shofar: cannot write standard output"),
                "{arguments:?}: {err}"
            );
            assert_eq!((code, err.lines().count()), (Some(2), 1), "{arguments:?}: {err}");
            let (code, err) = run(&format!("{limit} exec \"$0\" \"$@\" >/dev/null"), arguments);
            assert_eq!((code, err.as_str()), (Some(0), ""), "{arguments:?}");
        }
    }
}

#[test]
fn an_answer_by_the_watchdog_is_not_lost_on_a_full_disk() {
    let Ok(full) = OpenOptions::new().write(true).open("/dev/full") else { return };
    let path = problem("full-hard.smt2", &(hard::hard() + "(check-sat)"));
    let arguments = ["--timeout", "0.3", path.to_str().unwrap()];
    let output = shofar(&arguments).stdout(full).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(err.contains("cannot write standard output"), "{err}");
    assert_eq!(output.status.code(), Some(2), "{err}");
}
