//! Evidence in its several forms: clauses as they are written, what stands there twice, JSON,
//! cores.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod folder;

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use folder::Folder;
use serde_json::Value;

/// Has a trivially true clause, a clause without instances, and an atom that occurs three times.
const NUMBERED: &str = "(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun b () Bool)
(assert (and (p 0) (= 1 1)))
(assert (forall ((y Int)) (=> (p y) (p y))))
(assert (forall ((y Int)) (=> (and (p y) (< y y)) (p 7))))
(assert (forall ((x Int)) (=> (and (p x) (p x) (p (+ x 0))) (p (+ x 1)))))
(assert (=> (p 1) b))
(assert (forall ((x Int)) (or (not (p x)) (not b) (< x 2) false)))
(check-sat)
";
const NAMED: &str = "(set-option :produce-unsat-cores true)
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(assert (! (p 0) :named init))
(assert (! (q 100) :named other))
(assert (forall ((x Int)) (=> (q x) (p x))))
(assert (! (forall ((x Int)) (=> (p x) (not (= x 0)))) :named |the bad one|))
(check-sat)
(get-unsat-core)
";

/// Runs the program in the folder, with `input` on its standard input; what it prints.
fn shofar(folder: &Folder, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_shofar"))
        .args(arguments)
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn printed(folder: &Folder, arguments: &[&str], input: &str) -> String {
    String::from_utf8(shofar(folder, arguments, input).stdout).unwrap()
}

/// What `shofar check` says about a text, in its first line.
fn judged(folder: &Folder, problem: &str, witness: &str) -> String {
    folder.write("p.smt2", problem);
    folder.write("w.txt", witness);
    let said = printed(folder, &["check", "p.smt2", "w.txt"], "");
    said.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn clauses_have_the_numbers_that_the_text_gives_them() {
    let folder = Folder::new("numbers");
    let by_hand = "unsat (refutation
        (step 0 :clause 0 :premises () :derives (p 0))
        (step 1 :clause 2 :values ((y 0)) :premises (0) :derives (p 0))
        (step 2 :clause 4 :values ((x 0)) :premises (0 1 0) :derives (p 1))
        (step 3 :clause 4 :values ((x 1)) :premises (2 2 2) :derives (p 2))
        (step 4 :clause 5 :premises (2) :derives b)
        (step 5 :clause 6 :values ((x 2)) :premises (3 4) :derives false))";
    assert_eq!(judged(&folder, NUMBERED, by_hand), "valid");
    let wrong = [
        ("(0 1 0)", "(0)", "one premise for each occurrence"),
        ("(3 4)", "(4 3)", "in the order of the body"),
        (":clause 5", ":clause 4", "another clause"),
        ("(step 1 :clause 2", "(step 1 :clause 1", "a clause without a head"),
        ("(step 1 :clause 2 :values ((y 0))", "(step 1 :clause 3 :values ((y 0))", "no instance"),
        ("((y 0))", "((z 0))", "no such variable"),
    ];
    for (old, new, why) in wrong {
        assert!(by_hand.contains(old), "{old}");
        assert_eq!(judged(&folder, NUMBERED, &by_hand.replacen(old, new, 1)), "invalid", "{why}");
    }
    for style in ["--witness", "--witness=short"] {
        let own = printed(&folder, &[style], NUMBERED);
        assert!(own.contains(":clause 6 :line 9 :values ((x 2)) :premises"), "{own}");
        assert_eq!(judged(&folder, NUMBERED, &own), "valid", "{own}");
    }
}

#[test]
fn variables_of_one_name_are_told_apart() {
    let folder = Folder::new("names");
    let problem = "(set-logic HORN)
        (declare-fun p (Int) Bool)
        (define-fun above ((x Int)) Bool (exists ((y Int)) (and (p y) (> y x))))
        (assert (p 3)) (assert (p 1))
        (assert (not (and (exists ((x Int)) (and (p x) (< x 2))) (exists ((x Int)) (and (p x) (> x 2))) (above 1) (above 2))))
        (check-sat)";
    let by_hand = |values: &str| {
        format!(
            "unsat (refutation (step 0 :clause 0 :premises ()) (step 1 :clause 1 :premises ())
            (step 2 :clause 2 :values ({values}) :premises (1 0 0 0)))"
        )
    };
    assert_eq!(judged(&folder, problem, &by_hand("(x 1) (x!1 3) (y 3) (y!1 3)")), "valid");
    assert_eq!(judged(&folder, problem, &by_hand("(x 3) (x!1 1) (y 3) (y!1 3)")), "invalid");
    assert_eq!(judged(&folder, problem, &by_hand("(x 1) (x!2 3) (y 3) (y!1 3)")), "invalid");
    let own = printed(&folder, &["--witness"], problem);
    for value in ["(x 1)", "(x!1 3)", "(y 3)", "(y!1 3)"] {
        assert!(own.contains(value), "{own}");
    }
    assert_eq!(judged(&folder, problem, &own), "valid");
}

/// What stands there twice is printed once if the script asks as well, and read in any case.
#[test]
fn evidence_may_stand_there_twice() {
    let folder = Folder::new("twice");
    let safe = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))(check-sat)";
    let model = printed(&folder, &["--witness"], safe);
    let asking = format!("{safe}(get-model)(echo \"sat\")(get-info :version)");
    folder.write("asking.smt2", &asking);
    let once = printed(&folder, &["--witness", "asking.smt2"], "");
    assert_eq!(once.matches("define-fun").count(), 1, "{once}");
    assert_eq!(judged(&folder, &asking, &once), "valid");
    let body = model.strip_prefix("sat\n").unwrap();
    assert_eq!(
        judged(&folder, safe, &format!("sat {body} {} ((x 1)) (a b)", body.replace('\n', " "))),
        "valid"
    );
    let other = "((define-fun p ((A Int)) Bool (= A 1)))";
    assert_eq!(judged(&folder, safe, &format!("sat {body} {other}")), "invalid");
    assert_eq!(judged(&folder, safe, &format!("sat {other} {body}")), "invalid");
    assert_eq!(judged(&folder, safe, &format!("sat {body} (refutation)")), "invalid");
    let asking = NUMBERED.to_owned() + "(get-proof)(get-info :name)";
    folder.write("asking.smt2", &asking);
    for arguments in [&["--witness", "asking.smt2"][..], &["asking.smt2"]] {
        let proof = printed(&folder, arguments, "");
        assert_eq!(proof.matches("(refutation").count(), 1, "{proof}");
        assert_eq!(judged(&folder, &asking, &proof), "valid");
    }
}

#[test]
fn json_says_what_is_printed() {
    let folder = Folder::new("json");
    let text = printed(&folder, &["--engine", "spacer", "--witness=json"], NUMBERED);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("unsat"));
    let line: Value = serde_json::from_str(lines.next().unwrap()).unwrap();
    assert_eq!((&line["verdict"], &line["kind"]), (&"unsat".into(), &"refutation".into()));
    let steps = line["steps"].as_array().unwrap();
    let last = steps.last().unwrap();
    assert_eq!(
        (&last["clause"], &last["line"], &last["derives"]),
        (&6.into(), &9.into(), &"false".into())
    );
    assert_eq!(last["premises"].as_array().unwrap().len(), 2);
    let rules = "(declare-rel p (Int))(declare-var x Int)(rule (p 0))(query (and (p x) (> x 5)))";
    let text = printed(&folder, &["--witness=json"], rules);
    let line: Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    assert_eq!((&line["verdict"], &line["kind"]), (&"unsat".into(), &"model".into()));
    assert_eq!(line["definitions"][0]["name"], "p");
    let output = shofar(&folder, &["--stats=json"], rules);
    let stats: Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!(stats["witness"], "model");
    assert!(0 < stats["witness_size"].as_u64().unwrap());
}

#[test]
fn cores_have_the_clauses_that_are_needed() {
    let folder = Folder::new("cores");
    let text = printed(&folder, &["--core"], NAMED);
    let core =
        "unsat\n(core\n(clause 0 :name init :line 5)\n(clause 3 :name |the bad one| :line 8)\n)\n";
    assert_eq!(text, format!("{core}(init |the bad one|)\n"));
    let minimal = NAMED.replacen("produce-unsat", "minimal-unsat", 1);
    assert!(printed(&folder, &[], &minimal).ends_with("(init |the bad one|)\n"));
    let off = NAMED.replacen("true", "false", 1);
    assert!(printed(&folder, &[], &off).contains("cores are off"));
    let safe = NAMED.replacen("(= x 0)", "(= x 1)", 1).replacen("(p 0)", "(p 2)", 1);
    assert!(printed(&folder, &["--core"], &safe).contains("there is no core"));
    // A core is no evidence, and what is behind it is read.
    let whole = printed(&folder, &["--core", "--witness"], NAMED);
    assert_eq!(judged(&folder, NAMED, &whole), "valid");
    let program = "extern void __assert_fail(); int main() { int x = 3; if (x > 2) reach_error(); return 0; }";
    folder.write("p.c", program);
    let told = printed(&folder, &["--core", "p.c"], "");
    assert!(!told.starts_with("unsat") || told.contains("(core\n(clause"), "{told}");
}

#[test]
fn several_questions_have_their_clauses() {
    let folder = Folder::new("several");
    let script = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (=> (p 1) (p 1)))(push)
        (assert (p 0)) (assert (forall ((x Int)) (=> (and (p x) (p x)) false)))(check-sat)(get-proof)(pop)
        (assert (p 5)) (push) (assert (=> (and (p 5) (p 5) (p 5)) false)) (check-sat) (get-proof)";
    let text = printed(&folder, &[], script);
    assert!(
        text.contains(":clause 2 :line 2 :values ((x 0)) :premises (0 0) :derives false"),
        "{text}"
    );
    assert!(
        text.contains(":clause 2 :line 3 :values () :premises (0 0 0) :derives false"),
        "{text}"
    );
    folder.write("p.smt2", script);
    folder.write("w.txt", &text);
    assert!(shofar(&folder, &["check", "p.smt2", "w.txt"], "").status.success());
}
