//! Scripts of Horn clauses as a conversation: every command is answered in its place.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod hard;

use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const COUNTER: &str = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))\n\
    (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))\n";
const NEVER_NEGATIVE: &str = "(assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))";
const NEVER_THREE: &str = "(assert (forall ((x Int)) (=> (and (p x) (= x 3)) false)))";

fn spawn(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_shofar"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs a script from a pipe to its end.
fn pipe(arguments: &[&str], script: &str) -> Output {
    let mut child = spawn(arguments);
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

/// Runs a script from a file of this name.
fn file(name: &str, arguments: &[&str], script: &str) -> Output {
    let path: PathBuf = [env!("CARGO_TARGET_TMPDIR"), name].iter().collect();
    std::fs::write(&path, script).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_shofar"))
        .args(arguments)
        .arg(&path)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    std::fs::remove_file(path).unwrap();
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What a script prints, from a pipe and from a file, with the name of either left out.
fn check(script: &str, expected: &str, code: i32) {
    static CHECKS: AtomicUsize = AtomicUsize::new(0);
    let name = format!("script-{}.smt2", CHECKS.fetch_add(1, Ordering::Relaxed));
    let from_file = file(&name, &[], script);
    let name: PathBuf = [env!("CARGO_TARGET_TMPDIR"), &name].iter().collect();
    for (output, name) in [(pipe(&[], script), "<stdin>"), (from_file, name.to_str().unwrap())] {
        let out = text(&output.stdout).replace(&format!("{name}:"), "");
        assert_eq!(out, expected, "for {script}\n{}", text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "for {script}");
    }
}

/// A process that is kept.
struct Conversation {
    child: Child,
    input: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Conversation {
    fn new(arguments: &[&str]) -> Self {
        let mut child = spawn(arguments);
        let input = child.stdin.take().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, input, lines }
    }
    fn ask(&mut self, commands: &str) -> String {
        self.input.write_all(commands.as_bytes()).unwrap();
        self.input.flush().unwrap();
        self.lines.next().unwrap().unwrap()
    }
    fn next(&mut self) -> String {
        self.lines.next().unwrap().unwrap()
    }
    fn end(mut self) -> Option<i32> {
        drop(self.input);
        self.child.wait().unwrap().code()
    }
}

#[test]
fn a_process_can_be_kept() {
    let mut shofar = Conversation::new(&[]);
    assert_eq!(shofar.ask(&format!("{COUNTER}{NEVER_NEGATIVE}(check-sat)")), "sat");
    assert_eq!(shofar.ask("(get-model)"), "(");
    assert!(shofar.next().starts_with("(define-fun p ((A Int)) Bool"));
    assert_eq!(shofar.next(), ")");
    assert_eq!(shofar.ask(&format!("(push 1){NEVER_THREE}(check-sat)\n")), "unsat");
    assert_eq!(shofar.ask("(get-proof)"), "(refutation");
    assert!(shofar.next().contains(":line 1 "));
    while shofar.next() != ")" {}
    assert_eq!(shofar.ask("(pop 1)(check-sat)"), "sat");
    assert_eq!(shofar.ask("(echo \"half\")(check-"), "\"half\"");
    assert_eq!(shofar.ask("sat)"), "sat");
    assert_eq!(shofar.ask("(reset-assertions)(check-sat)"), "sat");
    assert_eq!(
        shofar.ask("(reset)(declare-fun p () Bool)(assert p)(assert (not p))(check-sat)"),
        "unsat"
    );
    assert_eq!(shofar.end(), Some(0));
}

#[test]
fn answers_stand_in_their_places() {
    check(
        &format!(
            "{COUNTER}(echo \"a\")(check-sat)(echo \"b\")(get-info :status){NEVER_THREE}(check-sat)(echo \"c\")"
        ),
        "\"a\"\nsat\n\"b\"\n(:status sat)\nunsat\n\"c\"\n",
        0,
    );
    check(
        "(get-info :name)(get-info :error-behavior)(get-option :timeout)(set-option :timeout 70)(get-option :timeout)\
         (get-option :frob)(get-info :assertion-stack-levels)(push 2)(get-info :assertion-stack-levels)(check-sat)",
        "(:name \"Shofar\")\n(:error-behavior continued-execution)\n4294967295\n70\nunsupported\n\
         (:assertion-stack-levels 0)\n(:assertion-stack-levels 2)\nsat\n",
        0,
    );
    check(
        "(set-option :frob 1)(set-option :print-success true)(set-option :frob 1)(set-logic AUFLIA)\
         (declare-fun p () Bool)(assert p)(check-sat)(push)(exit)",
        "success\nunsupported\nsuccess\nsuccess\nsuccess\nsat\nsuccess\nsuccess\n",
        0,
    );
    let statistics = pipe(&[], &format!("{COUNTER}(check-sat)(get-info :all-statistics)"));
    assert!(text(&statistics.stdout).contains(":verdict \"sat\""));
}

#[test]
fn a_request_in_vain_costs_only_itself() {
    check(
        &format!(
            "{COUNTER}{NEVER_THREE}(check-sat)(get-unsat-core)(foo)(get-value (zzz))(check-sat)"
        ),
        "unsat\n(error \"3:70: cores are off: `(set-option :produce-unsat-cores true)` before the first \
         assertion switches them on\")\n\
         (error \"3:87: unknown command `foo`\")\n(error \"3:103: unknown symbol `zzz`\")\nunsat\n",
        0,
    );
    let no_model =
        "there is no model: the clauses contradict each other; `get-proof` prints the refutation";
    let no_proof = "there is no refutation: the clauses have a model, which `get-model` prints";
    check(
        &format!("{COUNTER}(check-sat)(get-proof){NEVER_THREE}(check-sat)(get-model)"),
        &format!("sat\n(error \"3:12: {no_proof}\")\nunsat\n(error \"3:92: {no_model}\")\n"),
        0,
    );
}

#[test]
fn a_refused_statement_leaves_unknown() {
    // The clause that makes it unsatisfiable is misspelt.
    let script = format!("{COUNTER}(check-sat)(asert (p 3))(check-sat)(get-info :reason-unknown)");
    check(
        &script,
        "sat\n(error \"3:13: unknown command `asert`\")\nunknown\n(:reason-unknown incomplete)\n",
        2,
    );
    let scoped = "(declare-fun p (Int) Bool)(check-sat)(push)(assert (or (p 0) (p 1)))(check-sat)(pop)(check-sat)";
    let error = "this is not Horn: it derives a disjunction of 2 atoms, of `p`";
    check(scoped, &format!("sat\n(error \"1:44: {error}\")\nunknown\nsat\n"), 2);
    check("(assert x)", "(error \"1:9: unknown symbol `x`\")\n", 2);
    let mixed = "(declare-fun r () Bool)(assert r)(check-sat)(query r)";
    let error = "`assert` and `check-sat` cannot be mixed with `rule` and `query`";
    check(mixed, &format!("sat\n(error \"1:45: {error}\")\nunknown\n"), 2);
}

#[test]
fn a_file_full_of_errors_is_no_burden() {
    let script = "(assert (q 0))\n".repeat(200_000) + "(check-sat)";
    let begin = Instant::now();
    let output = file("errors.smt2", &[], &script);
    let out = text(&output.stdout);
    assert!(out.starts_with("unknown\n(error \""), "{}", &out[..200]);
    assert!(out.ends_with("(error \"199900 further commands were refused\")\n"));
    assert_eq!(out.lines().count(), 102);
    assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
}

#[test]
fn witnesses_come_once_if_script_and_option_ask() {
    let output = pipe(&["--witness"], &format!("{COUNTER}(check-sat)(get-model)"));
    assert_eq!(text(&output.stdout).matches("(define-fun p").count(), 1);
    let output =
        pipe(&["--witness=short"], &format!("{COUNTER}{NEVER_THREE}(check-sat)(get-proof)"));
    let out = text(&output.stdout);
    assert!(out.starts_with("unsat\n"), "{out}");
    assert_eq!(out.matches(":derives false").count(), 1, "{out}");
}

#[test]
fn questions_have_limits_of_their_own() {
    let (hard, easy) = (hard::hard(), "(reset)(check-sat)");
    let script =
        format!("(set-option :timeout 300){hard}(check-sat)(get-info :reason-unknown){easy}");
    check(&script, "unknown\n(:reason-unknown timeout)\nsat\n", 0);
    let script = format!("{hard}(check-sat)(get-info :reason-unknown){easy}");
    let output = pipe(&["--query-timeout", "0.3"], &script);
    assert_eq!(text(&output.stdout), "unknown\n(:reason-unknown timeout)\nsat\n");
    // When all the time is over, questions that remain are answered at once.
    let begin = Instant::now();
    let script = format!("{hard}(check-sat){}{easy}", "(push)(check-sat)".repeat(50));
    let output = pipe(&["--timeout", "0.5"], &script);
    assert_eq!(text(&output.stdout), "unknown\n".repeat(52));
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_status_that_is_wrong_is_mentioned() {
    let script =
        format!("(set-info :status unsat){COUNTER}(check-sat)(set-info :status sat)(check-sat)");
    let output = pipe(&[], &script);
    assert_eq!(text(&output.stdout), "sat\nsat\n");
    assert_eq!(
        text(&output.stderr),
        "shofar: the answer is sat, but the script says (set-info :status unsat)\n"
    );
}

#[test]
fn a_gzipped_pipe_is_unpacked() {
    // `(check-sat)` by gzip.
    let packed: [u8; 31] = [
        0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0xd3, 0x48, 0xce, 0x48, 0x4d, 0xce, 0xd6, 0x2d,
        0x4e, 0x2c, 0xd1, 0x04, 0, 0xc1, 0x25, 0xfa, 0xca, 0x0b, 0, 0, 0,
    ];
    let mut child = spawn(&[]);
    child.stdin.take().unwrap().write_all(&packed).unwrap();
    assert_eq!(text(&child.wait_with_output().unwrap().stdout), "sat\n");
}
