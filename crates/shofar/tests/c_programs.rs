//! The programs of `examples/c`: each has the verdict that its first line says, and what is
//! reported about a bug makes the compiled program fail.
//!
//! A bug is replayed by the compiler of the system: the functions that give inputs return those of
//! the execution, one after the other, and the program has to end by an assertion, or by an error
//! of the sanitizer for undefined behaviour.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stderr, reason = "a test says what it leaves out")]

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use shofar::{Answer, Problem, Solver, front_end_for};

/// What `abort` ends a program with.
const ABORTED: i32 = 6;

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/c");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    files
}

/// What stands behind a word in the comments in front of a program.
fn said<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    text.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(word))
}

fn solve(file: &Path) -> Answer {
    let text = fs::read_to_string(file).unwrap();
    let front_end = front_end_for(Some(file), text.as_bytes());
    let given: Vec<(&str, &str)> = said(&text, "options: ").map_or_else(Vec::new, |options| {
        options.split(' ').filter_map(|o| o.split_once('=')).collect()
    });
    let options = front_end.options_with(&given).unwrap();
    let problem = Problem::read_with(front_end, &options, text.as_bytes()).unwrap().remove(0);
    let outcome = Solver::new().with_timeout(Duration::from_secs(100)).solve(problem);
    assert_eq!(Some(outcome.word()), said(&text, "expect: "), "{}", file.display());
    outcome.answer
}

#[test]
fn safe_programs_have_proofs_in_c() {
    let mut count = 0;
    for file in programs() {
        let text = fs::read_to_string(&file).unwrap();
        if said(&text, "expect: ") != Some("sat") {
            continue;
        }
        count += 1;
        let Answer::Safe(mut model) = solve(&file) else { panic!("{}", file.display()) };
        let proof = model.in_source().unwrap();
        let has_cycle = ["while", "for (", "goto"].iter().any(|word| text.contains(word));
        let tells = proof.contains("invariant") || proof.contains("ensures");
        assert!(tells || !has_cycle, "{}: {proof}", file.display());
    }
    assert!(count >= 15, "{count}");
}

#[test]
fn reported_bugs_happen() {
    let has_compiler = compiler("--version").stdout(Stdio::null()).status().is_ok();
    if !has_compiler {
        eprintln!("there is no compiler cc: bugs are not replayed");
    }
    let mut count = 0;
    for file in programs() {
        let text = fs::read_to_string(&file).unwrap();
        if said(&text, "expect: ") != Some("unsat") {
            continue;
        }
        count += 1;
        let Answer::Unsafe(refutation) = solve(&file) else { panic!("{}", file.display()) };
        let trace = refutation.in_source().unwrap();
        if has_compiler {
            replay(&file, &trace);
        }
    }
    assert!(count >= 10, "{count}");
}

fn compiler(argument: &str) -> Command {
    let mut command = Command::new("cc");
    command.arg(argument);
    command
}

/// Runs the program with the inputs of an execution, and sees it fail.
fn replay(file: &Path, trace: &str) {
    let inputs = trace.lines().find_map(|line| line.strip_prefix("inputs: ")).unwrap_or_default();
    let name = file.file_stem().unwrap().to_str().unwrap();
    let folder = std::env::temp_dir().join(format!("shofar-replay-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let (environment, program) = (folder.join("environment.c"), folder.join("program"));
    fs::write(&environment, surroundings(inputs)).unwrap();
    let built = compiler("-fsanitize=undefined")
        .args(["-fno-sanitize-recover=all", "-w", "-o"])
        .args([&program, &file.to_owned(), &environment])
        .output()
        .unwrap();
    assert!(built.status.success(), "{name}: {}", String::from_utf8_lossy(&built.stderr));
    let run = Command::new(&program).output().unwrap();
    let errors = String::from_utf8_lossy(&run.stderr).into_owned();
    let has_failed = run.status.signal() == Some(ABORTED) || errors.contains("runtime error");
    assert!(has_failed, "{name} ends with {}: {errors}\n{trace}", run.status);
    fs::remove_dir_all(&folder).unwrap();
}

/// The functions that a program calls and does not define.
fn surroundings(inputs: &str) -> String {
    let count = inputs.split(", ").filter(|input| !input.is_empty()).count();
    format!(
        "#include <stdlib.h>
static long long inputs[] = {{{inputs}{separator} 0}};
static int next;
static long long take(void) {{ if (next >= {count}) exit(77); return inputs[next++]; }}
int __VERIFIER_nondet_int(void) {{ return (int) take(); }}
unsigned __VERIFIER_nondet_uint(void) {{ return (unsigned) take(); }}
unsigned char __VERIFIER_nondet_uchar(void) {{ return (unsigned char) take(); }}
void __VERIFIER_assume(int condition) {{ if (!condition) exit(78); }}
void reach_error(void) {{ abort(); }}
",
        separator = if count == 0 { "" } else { "," },
    )
}
