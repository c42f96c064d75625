//! The programs that stand in for `eld` and `z3` when Solidity's compiler calls them.
//!
//! The queries have the shape of those of the compiler: an interface that says which states a
//! contract can be in, a summary of its function with an error code, and a target that is reached
//! by an error.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod feed;
mod folder;

use std::path::Path;
use std::process::{Command, Output};

use feed::feed;
use folder::Folder;

/// A counter that can reach the target with error code `code`: 1 is reached, 2 is not.
fn query(code: u32) -> String {
    format!(
        "(set-option :timeout 20000)
(set-logic HORN)
(declare-fun |interface_0_C_26| (Int Int) Bool)
(declare-fun |summary_4_function_inc__25_26| (Int Int Int Int) Bool)
(declare-fun |error_target_3| () Bool)
(assert (forall( (this_0 Int) (x_0 Int))
(=> (and (= x_0 0) (= this_0 0)) (interface_0_C_26 this_0 x_0)))
)
(assert (forall( (error_0 Int) (this_0 Int) (x_0 Int) (x_1 Int))
(=> (and (= x_1 (+ x_0 1)) (= error_0 (ite (< x_1 3) 0 1))) (summary_4_function_inc__25_26 error_0 this_0 x_0 x_1)))
)
(assert (forall( (error_0 Int) (this_0 Int) (x_0 Int) (x_1 Int))
(=> (and (and (interface_0_C_26 this_0 x_0) true) (and (summary_4_function_inc__25_26 error_0 this_0 x_0 x_1) (= error_0 0))) (interface_0_C_26 this_0 x_1)))
)
(assert (forall( (error_0 Int) (this_0 Int) (x_0 Int) (x_1 Int))
(=> (and (and (interface_0_C_26 this_0 x_0) true) (and (summary_4_function_inc__25_26 error_0 this_0 x_0 x_1) (= error_0 {code}))) error_target_3))
)(assert
(forall ((UNUSED Bool))
(=> error_target_3 false)))
(check-sat)
"
    )
}

/// The options of `z3` that the compiler uses for every query.
const Z3: &[&str] = &[
    "-in",
    "-smt2",
    "rlimit=2000000",
    "rewriter.pull_cheap_ite=true",
    "fp.spacer.q3.use_qgen=true",
    "fp.spacer.mbqi=false",
    "fp.spacer.ground_pobs=false",
    "fp.xform.slice=true",
    "fp.xform.inline_linear=true",
    "fp.xform.inline_eager=true",
];

fn run(program: &Path, arguments: &[&str], input: &str) -> Output {
    feed(Command::new(program).args(arguments), [input.as_bytes()])
}

fn install(folder: &Path) -> Output {
    let shofar = Path::new(env!("CARGO_BIN_EXE_shofar"));
    run(shofar, &["solc-shim", folder.to_str().unwrap()], "")
}

/// A folder with both programs.
fn shims(name: &str) -> Folder {
    let folder = Folder::new(name);
    let output = install(folder.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn answer(folder: &Folder, name: &str, arguments: &[&str], input: &str) -> String {
    let output = run(&folder.path().join(name), arguments, input);
    assert!(output.status.success(), "{name} {arguments:?}: {}", stdout(&output));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{name} {arguments:?}");
    stdout(&output)
}

#[test]
fn the_compiler_calls_eld() {
    let folder = shims("solc-eld");
    assert_eq!(answer(&folder, "eld", &["-hsmt", "-in"], &query(1)), "unsat\n");
    assert_eq!(answer(&folder, "eld", &["-hsmt", "-in", "-t:20"], &query(2)), "sat\n");
    let model = answer(&folder, "eld", &["-hsmt", "-in", "-t:20", "-ssol"], &query(2));
    assert!(model.starts_with("sat\n(\n(define-fun interface_0_C_26 ((A Int) (B Int)) Bool "));
    assert!(model.ends_with("(define-fun error_target_3 () Bool false)\n)\n"), "{model}");
    // There is no way to ask for a trace under this name.
    assert_eq!(answer(&folder, "eld", &["-hsmt", "-in", "-ssol"], &query(1)), "unsat\n");
}

#[test]
fn the_compiler_calls_z3() {
    let folder = shims("solc-z3");
    assert_eq!(answer(&folder, "z3", Z3, &query(1)), "unsat\n");
    assert_eq!(answer(&folder, "z3", Z3, &query(2)), "sat\n");
    let with_model = [Z3, &["-model"]].concat();
    assert!(answer(&folder, "z3", &with_model, &query(2)).starts_with("sat\n(\n(define-fun "));
    assert_eq!(answer(&folder, "z3", &with_model, &query(1)), "unsat\n");
    let asked = format!("(set-option :produce-proofs true){}\n(get-proof)", query(1));
    let [node, inc] = ["((_ hyper-res 0) true", "(summary_4_function_inc__25_26"];
    let expected = format!(
        "unsat\n((proof (mp {node} \
        {node} {node} {node} (interface_0_C_26 0 0)) {node} {inc} 0 0 0 1)) (interface_0_C_26 0 1)) \
        {node} {inc} 0 0 1 2)) (interface_0_C_26 0 2)) \
        {node} {inc} 1 0 2 3)) error_target_3) true false)))\n"
    );
    assert_eq!(answer(&folder, "z3", Z3, &asked), expected);
}

#[test]
fn solcjs_calls_both_with_a_file() {
    let folder = shims("solc-files");
    folder.write("unsafe.smt2", query(1));
    folder.write("safe.smt2", query(2));
    let [bad, good] = ["unsafe.smt2", "safe.smt2"].map(|name| folder.path().join(name));
    let [bad, good] = [bad.to_str().unwrap(), good.to_str().unwrap()];
    assert_eq!(answer(&folder, "eld", &["-horn", "-t:10", bad], ""), "unsat\n");
    assert_eq!(answer(&folder, "z3", &["-smt2", "rlimit=20000000", bad], ""), "unsat\n");
    // The compiler reads models although solcjs cannot ask for them.
    for (name, options) in [("eld", "-t:10"), ("z3", "-smt2")] {
        let model = answer(&folder, name, &[options, good], "");
        assert!(model.starts_with("sat\n(\n(define-fun interface_0_C_26 "), "{model}");
    }
}

#[test]
fn whatever_happens_there_is_an_answer() {
    let folder = shims("solc-faults");
    let check = |name: &str, arguments: &[&str], input: &str, told: &str| {
        let output = run(&folder.path().join(name), arguments, input);
        assert!(stdout(&output).starts_with("unknown\n"), "{input}: {}", stdout(&output));
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(errors.contains(told), "{input}: {errors}");
    };
    check("eld", &["-hsmt", "-in"], "(set-logic HORN)(assert (nonsense))(check-sat)", "nonsense");
    check("z3", &["-in"], "(set-logic ALL)(assert (nonsense))(check-sat)", "nonsense");
    check("z3", &["-in"], "(set-logic ALL)(declare-const x Int)", "");
    check("eld", &["-horn", "-t:10", "/nowhere/query.smt2"], "", "cannot read");
    // A limit that is over before the work begins.
    check("z3", &["-in", "-t:0.001"], &query(1), "");
}

#[test]
fn further_options_do_no_harm() {
    let folder = shims("solc-options");
    let output = run(&folder.path().join("eld"), &["-hsmt", "-in", "-future", "-t:9"], &query(1));
    assert_eq!(stdout(&output), "unsat\n");
    assert!(String::from_utf8_lossy(&output.stderr).contains("-future is not known here"));
    let output = run(&folder.path().join("z3"), &["--version"], "");
    assert!(stdout(&output).starts_with("shofar "), "{}", stdout(&output));
}

#[test]
fn questions_without_predicates_go_to_the_smt_solver() {
    let folder = shims("solc-ground");
    let declarations = "(set-option :produce-models true)\n(set-logic ALL)\n(declare-const x Int)";
    let text = format!("{declarations}(assert (= x 3))(check-sat)(get-value (x))");
    assert_eq!(answer(&folder, "z3", Z3, &text), "sat\n((x 3))\n");
    let text = format!("{declarations}(assert (< x x))(check-sat)(get-value (x))");
    let output = run(&folder.path().join("z3"), Z3, &text);
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("unsat\n", Some(0)));
}

#[test]
fn files_of_others_are_left_alone() {
    let folder = Folder::new("solc-foreign");
    folder.write("z3", "#!/bin/sh\necho sat\n");
    let output = install(folder.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("is not ours"));
    assert!(!folder.path().join("eld").exists());
    std::fs::remove_file(folder.path().join("z3")).unwrap();
    // Ours are made anew.
    assert!(install(folder.path()).status.success());
    assert!(install(folder.path()).status.success());
    assert_eq!(answer(&folder, "eld", &["-hsmt", "-in"], &query(1)), "unsat\n");
}
