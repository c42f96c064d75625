//! What `shofar smt` prints, and how it ends.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn spawn(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_shofar"))
        .arg("smt")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// Runs a script from standard input to its end.
fn run(arguments: &[&str], script: &str) -> Output {
    let mut child = spawn(arguments);
    let mut input = child.stdin.take().expect("it is piped");
    let script = script.to_owned();
    // The program may end before it has read everything.
    let writer = std::thread::spawn(move || drop(input.write_all(script.as_bytes())));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer ends");
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A script that succeeds, and everything it prints.
fn check(script: &str, expected: &str) {
    let output = run(&[], script);
    assert_eq!(text(&output.stdout), expected, "for {script}\n{}", text(&output.stderr));
    assert!(output.status.success(), "for {script}");
}

/// A script that ends with an error; the message follows its position.
fn check_error(script: &str, expected: &str) {
    let output = run(&[], script);
    let out = text(&output.stdout);
    let last = out.lines().last().unwrap_or_default();
    assert_eq!(last, format!("(error \"<stdin>:{expected}\")"), "for {script}");
    assert_eq!(output.status.code(), Some(2), "for {script}");
    assert!(text(&output.stderr).contains('^'), "the place is shown");
}

#[test]
fn scopes_that_nobody_asked_about() {
    let head = "(set-logic QF_LRA)(declare-const x Real)(declare-const y Real)";
    let twice = "(assert (= (/ x 0) 1))(assert (= y x))(assert (= (/ y 0) 2))";
    check(&format!("{head}(push 1)(assert false)(pop 1)(check-sat)"), "sat\n");
    check(&format!("{head}(push 2){twice}(push 1)(pop 2){twice}(check-sat)"), "unsat\n");
    check(
        &format!("{head}(push 1){twice}(pop 1)(push 1){twice}(check-sat)(pop 1)(check-sat)"),
        "unsat\nsat\n",
    );
    check(&format!("{head}(push 1)(check-sat)(push 1){twice}(pop 2)(check-sat)"), "sat\nsat\n");
}

#[test]
fn a_compressed_script_is_unpacked() {
    // `(check-sat)` by gzip, and the same without its end.
    let packed: [u8; 31] = [
        0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0xd3, 0x48, 0xce, 0x48, 0x4d, 0xce, 0xd6, 0x2d,
        0x4e, 0x2c, 0xd1, 0x04, 0, 0xc1, 0x25, 0xfa, 0xca, 0x0b, 0, 0, 0,
    ];
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (whole, cut) = (folder.join("whole.smt2.gz"), folder.join("cut.smt2.gz"));
    std::fs::write(&whole, packed).expect("the folder is ours");
    std::fs::write(&cut, &packed[..20]).expect("the folder is ours");
    let output = run(&[whole.to_str().expect("a plain name")], "");
    assert_eq!(text(&output.stdout), "sat\n");
    let output = run(&[cut.to_str().expect("a plain name")], "");
    assert!(text(&output.stderr).starts_with("shofar: cannot unpack"), "{output:?}");
    assert_eq!(output.status.code(), Some(2));
}

const XY: &str = "(declare-const x Int)(declare-const y Int)";

#[test]
fn answers_and_models() {
    check("(check-sat)(get-model)", "sat\n(\n)\n");
    check("(declare-const p Bool)(assert p)(assert (not p))(check-sat)", "unsat\n");
    check(
        &format!(
            "{XY}(declare-const |a b| Real)(assert (and (= x 5) (= y (- x)) (= |a b| (/ (- 1) 3))))(check-sat)(get-model)"
        ),
        "sat\n(\n  (define-fun x () Int 5)\n  (define-fun y () Int (- 5))\n  (define-fun |a b| () Real (/ (- 1.0) 3.0))\n)\n",
    );
    check(
        &format!("{XY}(assert (= x 3))(check-sat)(get-value (x  (+ x 1) (< x 2)))"),
        "sat\n((x 3)\n ((+ x 1) 4)\n ((< x 2) false))\n",
    );
}

#[test]
fn scopes() {
    check(
        &format!(
            "{XY}(assert (> x 0))(push)(assert (< x 0))(check-sat)(pop)(check-sat)(push 2)(assert (= x 0))(pop 2)(check-sat)"
        ),
        "unsat\nsat\nsat\n",
    );
    check(
        "(push)(declare-const x Int)(assert false)(check-sat)(reset-assertions)(check-sat)",
        "unsat\nsat\n",
    );
    check("(declare-const x Int)(reset)(declare-const x Bool)(assert x)(check-sat)", "sat\n");
}

#[test]
fn cores_and_assumptions() {
    let script = format!(
        "(set-option :produce-unsat-cores true){XY}(assert (! (> x 0) :named a))(assert (! (> y 0) :named b))\
         (assert (! (< x 0) :named |c d|))(check-sat)(get-unsat-core)"
    );
    check(&script, "unsat\n(a |c d|)\n");
    check(&format!("(set-option :minimal-unsat-cores true){script}"), "unsat\n(a |c d|)\n");
    check(
        &format!(
            "{XY}(assert (> x 0))(check-sat-assuming ((> y 0) (< x 0)))(get-unsat-assumptions)(check-sat)"
        ),
        "unsat\n((< x 0))\nsat\n",
    );
    check(
        "(set-option :produce-assignments true)(declare-const p Bool)(assert (! p :named a))\
         (assert (or (! (not p) :named b) p))(check-sat)(get-assignment)",
        "sat\n((a true) (b false))\n",
    );
}

#[test]
fn interpolants() {
    let head = "(set-option :produce-interpolants true)(declare-const x Int)(declare-const y Int)(declare-const z Int)\
        (assert (! (< x y) :named A))(assert (! (< y z) :named B))(assert (! (< z x) :named C))(check-sat)";
    check(&format!("{head}(get-interpolants A (and B C))"), "unsat\n((< x y))\n");
    check(
        "(declare-const x Int)(declare-const y Int)(assert (< x y))(assert (< y 0))\
         (assert (> x 0))(check-sat)(get-interpolants)",
        "unsat\n((< x y)\n (<= x (- 2)))\n",
    );
    check_error(
        "(assert false)(check-sat)(get-interpolants)",
        "1:26: interpolants need at least two assertions",
    );
    let sequence = run(&[], &format!("{head}(get-interpolants A B C)(get-interpolants A (B) C)"));
    let lines: Vec<String> = text(&sequence.stdout).lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 5, "{lines:?}");
    check_error(
        &format!("{head}(get-interpolants A A)"),
        "1:201: `A` occurs twice in the partition",
    );
    check_error(&format!("{head}(get-interpolants A D)"), "1:201: no assertion has the name `D`");
    for (algorithm, value) in [
        ("bool", "pudlak"),
        ("bool", "2"),
        ("lra", "farkas"),
        ("lra", "dual-farkas"),
        ("lra", "factor"),
    ] {
        let option = format!(
            "(set-option :interpolation-{algorithm}-algorithm {value})(set-option :certify-interpolants true)"
        );
        let output = run(&[], &format!("{option}{head}(get-interpolants A B C)"));
        assert!(output.status.success(), "{value}: {}", text(&output.stderr));
    }
}

#[test]
fn interpolants_of_graphs() {
    let head =
        "(set-option :produce-interpolants true)(declare-const x Int)(declare-const y Int)\n";
    let edges = "(en a (= x 0)) (a |b c| (= y (+ x 1))) (|b c| ex (< y 0))";
    check(
        &format!("{head}(get-dag-interpolants ({edges}) ((a (>= x 0))))(check-sat)"),
        "((en true)\n (a (>= x 0))\n (|b c| (>= y 1))\n (ex false))\nsat\n",
    );
    for (arguments, complaint) in [
        ("()", "2:23: a graph needs an edge"),
        ("((a b))", "2:28: expected a term, found `)`"),
        ("((a b x))", "2:29: expected a term of sort Bool, found Int"),
        ("((a a true))", "2:24: the graph has a cycle through `a`"),
        ("((a b true) (a c true))", "2:38: no edge leaves `b`, nor `c`: a graph has one exit"),
        ("((a b true)) ((c true))", "2:38: no edge mentions the vertex `c`"),
        ("((a b true)) ((a true) (a true))", "2:47: the vertex `a` has two labels"),
        ("((a b true))", "2:1: there are no interpolants: the path a b can be taken"),
        (
            "((a b (= x 0)) (b c (> x 0))) ((b (> x 0)))",
            "2:1: there are no interpolants: the path a b can be taken to where its last label does not hold",
        ),
        (
            "((a b (= x (div y 0))))",
            "2:1: the interpolants speak about divisions by zero, which is not supported",
        ),
    ] {
        check_error(&format!("{head}(get-dag-interpolants {arguments})"), complaint);
    }
    check(
        "(declare-const x Int)(get-dag-interpolants ((a b (> x 0)) (b c (< x 0))))",
        "((a true)\n (b (>= x 1))\n (c false))\n",
    );
}

#[test]
fn interpolants_in_the_words_of_other_solvers() {
    let head = "(declare-const x Int)(declare-const y Int)(declare-const z Int)\
        (assert (! (< x y) :named A :interpolation-group left))\
        (assert (! (< y z) :named B :interpolation-group |the rest|))\
        (assert (! (< z x) :interpolation-group |the rest|))";
    check(&format!("{head}(check-sat)(get-interpolants A B)"), "unsat\n((< x y))\n");
    check(&format!("{head}(check-sat)(get-interpolant A B)"), "unsat\n((< x y))\n");
    check(&format!("{head}(check-sat)(get-interpolant (left))"), "unsat\n(< x y)\n");
    check(&format!("{head}(check-sat)(get-interpolant (|the rest|))"), "unsat\n(>= x (+ y 2))\n");
    check_error(
        &format!("{head}(check-sat)(get-interpolant (A none))"),
        "1:243: no assertion belongs to the group `none`",
    );
    check(
        "(declare-const x Int)(declare-const y Int)(assert (> x 3))(assert (= y 0))\
         (get-interpolant I (> (* 2 x) 5))(get-interpolant J (> x 4))",
        "(define-fun I () Bool (>= x 4))\nfail\n",
    );
    check(
        "(declare-const x Int)(declare-const y Int)(compute-interpolant (and (> x 1) (= y x)) (< y 0))",
        "((>= y 2))\n",
    );
    check(
        "(declare-const x Real)(declare-const y Real)(assert (and (< x y) (< y 4.0)))\
         (check-sat-assuming-model (x) (5.0))(get-unsat-model-interpolant)\
         (check-sat-assuming-model (x y) (1.0 2.0))",
        "unsat\n(< x 4.0)\nsat\n",
    );
    check_error(
        "(declare-const x Int)(check-sat-assuming-model (x) (y))",
        "1:53: unknown symbol `y`",
    );
    check_error(
        "(declare-const x Int)(check-sat-assuming-model (x) (x))",
        "1:53: expected a value of sort Int",
    );
}

#[test]
fn interpolants_at_marked_positions() {
    let head =
        "(set-option :produce-interpolants true)(declare-const x Int)(declare-const y Int)\n";
    let formula = "(and (< x 0) (or (! (and (= x y) (! (> y 0) :named x)) :named q) (> x 1)))";
    check(
        &format!("{head}(get-disjunctive-interpolants {formula})(assert (> x 5))(check-sat)"),
        "((x (>= y 1))\n (q (>= x 1)))\nsat\n",
    );
    for (formula, complaint) in [
        ("(> x 0)", "2:31: no position is marked by `(! … :named p)`"),
        ("(! (> x 0) :named p)", "2:1: there are no interpolants: the formula is satisfiable"),
        ("(and (! x :named p) true)", "2:48: only positions of formulas can be marked"),
        (
            "(and (! (< x 0) :named p) (! (> x 0) :named p))",
            "2:75: two positions have the name `p`",
        ),
        ("(=> (! (< x 0) :named p) false)", "2:53: `p` is not below `and` and `or` only"),
    ] {
        check_error(&format!("{head}(get-disjunctive-interpolants {formula})"), complaint);
    }
}

#[test]
fn options_and_infos() {
    check(
        "(set-option :print-success true)(set-logic QF_LIA)(set-info :status sat)(declare-const x Int)(push)(exit)",
        "success\nsuccess\nsuccess\nsuccess\nsuccess\nsuccess\n",
    );
    check(
        "(set-option :frobnicate 1)(get-option :frobnicate)(get-info :frobnicate)",
        "unsupported\nunsupported\nunsupported\n",
    );
    check(
        "(get-info :name)(get-info :error-behavior)(get-option :produce-models)(get-option :random-seed)(echo \"a\"\"b\")",
        "(:name \"Shofar\")\n(:error-behavior immediate-exit)\ntrue\n0\n\"a\"\"b\"\n",
    );
    check("(push 3)(get-info :assertion-stack-levels)", "(:assertion-stack-levels 3)\n");
    check("(get-proof)", "unsupported\n");
    let output = run(
        &["--stats", "--seed", "7"],
        "(set-option :regular-output-channel \"stderr\")(check-sat)",
    );
    assert_eq!(text(&output.stdout), "");
    assert!(text(&output.stderr).starts_with("sat\n(:terms "), "{}", text(&output.stderr));
}

#[test]
fn errors_end_the_script() {
    check_error("(check-sat)\n (assert x)(check-sat)", "2:10: unknown symbol `x`");
    check_error(
        "(assert true",
        "1:1: the input ends inside this command: 1 parenthesis is not closed",
    );
    check_error(
        "(set-logic HORN)",
        "1:1: the logic HORN is not for `shofar smt`, which decides formulas without quantifiers",
    );
    check_error(
        "(assert true)(set-option :produce-unsat-cores true)",
        "1:14: `:produce-unsat-cores` must be set before the first assertion",
    );
    let no_model = "there is no model: the last command that changed or checked something was not a check-sat that answered sat";
    check_error("(get-model)", &format!("1:1: {no_model}"));
    check_error("(check-sat)(assert true)(get-model)", &format!("1:25: {no_model}"));
}

#[test]
fn division_by_zero_is_a_function() {
    check(
        &format!("{XY}(assert (= x y))(assert (not (= (div x 0) (div y 0))))(check-sat)"),
        "unsat\n",
    );
    check(
        &format!(
            "{XY}(push)(assert (= (div x 0) 1))(assert (= (div y 0) 2))(check-sat)(pop)(assert (= x y))\
            (assert (= (div x 0) (+ 1 (div y 0))))(check-sat)"
        ),
        "sat\nunsat\n",
    );
    // A value asked for after the check agrees with the model, and the model survives the question.
    check(
        &format!(
            "{XY}(assert (= x 4))(assert (= (mod x 0) 9))(check-sat)(get-value ((mod 4 0) (mod 5 0)))(get-value (x))"
        ),
        "sat\n(((mod 4 0) 9)\n ((mod 5 0) 0))\n((x 4))\n",
    );
}

#[test]
fn a_pipe_is_answered_command_by_command() {
    let mut child = spawn(&["-"]);
    let mut input = child.stdin.take().expect("it is piped");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let mut ask = |question: &str| {
        input.write_all(question.as_bytes()).expect("the program reads");
        input.flush().expect("the program reads");
        lines.next().expect("there is an answer").expect("it is text")
    };
    assert_eq!(ask("(declare-const p Bool)(assert p)(check-sat)"), "sat");
    assert_eq!(ask("(assert (not p))(echo \"half\")(check-"), "\"half\"");
    assert_eq!(ask("sat)"), "unsat");
    drop(input);
    assert!(child.wait().expect("the program ends").success());
}

#[test]
fn a_missing_file_is_an_error() {
    let output = run(&["/no/such/file.smt2"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("/no/such/file.smt2"));
}

/// More pigeons than holes: easy to say, hard to refute.
fn pigeons(holes: usize) -> String {
    let mut script = String::new();
    for pigeon in 0..=holes {
        let mut somewhere = String::new();
        for hole in 0..holes {
            let _ = write!(script, "(declare-const p{pigeon}_{hole} Bool)");
            let _ = write!(somewhere, " p{pigeon}_{hole}");
            for other in 0..pigeon {
                let _ = write!(script, "(assert (not (and p{pigeon}_{hole} p{other}_{hole})))");
            }
        }
        let _ = write!(script, "(assert (or{somewhere}))");
    }
    script
}

#[test]
fn the_time_limit_is_kept() {
    let begin = Instant::now();
    let script = pigeons(14) + "(check-sat)(get-info :reason-unknown)";
    let output = run(&["--timeout", "0.5"], &script);
    assert_eq!(text(&output.stdout), "unknown\n(:reason-unknown timeout)\n");
    assert!(output.status.success());
    assert!(begin.elapsed() < Duration::from_secs(20), "took {:?}", begin.elapsed());
}

#[test]
fn the_memory_limit_is_kept() {
    let output = run(&["--memory", "1"], &(pigeons(14) + "(check-sat)"));
    assert_eq!(text(&output.stdout), "unknown\n");
}

#[cfg(unix)]
#[test]
fn an_interrupt_answers_unknown() {
    let mut child = spawn(&[]);
    let mut input = child.stdin.take().expect("it is piped");
    let script = pigeons(14) + "(check-sat)(get-info :reason-unknown)(exit)";
    input.write_all(script.as_bytes()).expect("the program reads");
    std::thread::sleep(Duration::from_millis(1500));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("there is a kill").success());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(text(&output.stdout), "unknown\n(:reason-unknown cancelled)\n");
}

#[test]
fn models_of_what_is_only_declared() {
    check(
        "(declare-sort S 0)(declare-sort |T 1| 0)(declare-fun f (S Int) |T 1|)(declare-fun p (Bool) Bool)\
         (declare-const a S)(declare-const x Real)(check-sat)(get-model)(get-value (a x))",
        "sat\n(\n  (declare-fun S!val!0 () S)\n  (declare-fun |T 1!val!0| () |T 1|)\n  \
         (define-fun f ((x!0 S) (x!1 Int)) |T 1| |T 1!val!0|)\n  \
         (define-fun p ((x!0 Bool)) Bool false)\n  (define-fun a () S S!val!0)\n  \
         (define-fun x () Real 0.0)\n)\n((a S!val!0)\n (x 0.0))\n",
    );
}

#[test]
fn one_value_by_eval() {
    let script =
        "(declare-const x Int)(declare-const |p q| Bool)(assert (and |p q| (= x 5)))(check-sat)";
    check(&format!("{script}(eval (+ x x))(eval |p q|)"), "sat\n10\ntrue\n");
    check_error(&format!("{script}(eval y)"), "1:93: unknown symbol `y`");
    check_error(
        "(eval true)",
        "1:1: there is no model: the last command that changed or checked something was not a check-sat that answered sat",
    );
}

#[test]
fn sorts_and_functions_of_the_script() {
    check_error("(declare-sort P 2)", "1:15: sorts with parameters are not supported: `P`");
    check_error("(declare-fun f (Int S) Int)", "1:21: unknown sort `S`");
    check(
        "(set-option :print-success true)(set-logic QF_UFLIA)(declare-sort S 0)(declare-fun f (S) S)",
        "success\nsuccess\nsuccess\nsuccess\n",
    );
}
