//! Witnesses in the words of programs.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use shofar::chc::read::Task;
use shofar::{Answer, FRONT_ENDS, Problem, Solver};

fn answer(language: &str, options: &[(&str, &str)], text: &str) -> Answer {
    let front_end = FRONT_ENDS.iter().find(|row| row.name == language).unwrap();
    let options = front_end.options_with(options).unwrap();
    let problem = Problem::read_with(front_end, &options, text.as_bytes()).unwrap().remove(0);
    Solver::new().solve(problem).answer
}

fn told(language: &str, text: &str) -> String {
    match answer(language, &[], text) {
        Answer::Safe(mut model) => model.in_source().unwrap(),
        Answer::Unsafe(refutation) => refutation.in_source().unwrap(),
        Answer::Unknown(why) => panic!("{why}"),
    }
}

const TASK: Task<'_> =
    Task { file: "a.c", sha256: "0", uuid: "1", created: "1970-01-01T00:00:00Z", version: "1" };

#[test]
fn an_execution_of_a_program_in_nts() {
    let text = "nts p; main { x : int; initial a; error e;\n  a->b { x' = 3 and havoc(x) }\n  b->c { x' = f(x) and havoc(x) }\n  c->e { x = 4 and havoc() } }\n\
        f { in n : int; out r : int; initial s; final t;\n  s->t { r' = n + 1 and havoc(r) } }";
    let trace = told("nts", text);
    for line in [
        "line 2: main.b: x = 3",
        "line 3: f is called: n = 3",
        "  f returns",
        "main.c: x = 4",
        "line 4: an error state is reached",
    ] {
        assert!(trace.contains(line), "{line}\n{trace}");
    }
}

#[test]
fn invariants_of_a_program_in_nts() {
    let text = "nts p; main { x : int; initial a; error e; a->b { x' = 0 and havoc(x) } b->b { x < 5 and x' = x + 1 and havoc(x) } b->e { x > 5 and havoc() } }";
    let proof = told("nts", text);
    assert!(proof.contains("main.b: x <= 5"), "{proof}");
}

#[test]
fn an_execution_of_a_program_in_c() {
    let text = "int __VERIFIER_nondet_int();\nint down(int n) {\n  if (n <= 0) return n;\n  return down(n - 1);\n}\n\
        int main() {\n  int x = __VERIFIER_nondet_int();\n  if (x == 2)\n    assert(down(x) != 0);\n}\n";
    let trace = told("c", text);
    let expected = [
        "line 7: __VERIFIER_nondet_int() gives 2",
        "line 7: x = __VERIFIER_nondet_int(): x = 2",
        "line 8: x == 2: true",
        "line 9: down(2) is called",
        "line 3:   n <= 0: false",
        "line 4:   down(1) is called",
        "line 4:     down(0) is called",
        "line 3:       n <= 0: true",
        "line 3:       return n;: returns 0",
        "line 9: assert(down(x) != 0): an assertion is violated",
        "inputs: 2",
    ];
    let mut rest = trace.as_str();
    for line in expected {
        let at = rest.find(line).unwrap_or_else(|| panic!("{line}\n{trace}"));
        rest = &rest[at + line.len()..];
    }
}

#[test]
fn contracts_and_invariants_in_c() {
    let text = "int __VERIFIER_nondet_int();\nint up(int n) {\n  if (n >= 10) return n;\n  return up(n + 1);\n}\n\
        int main() {\n  int x = 0;\n  while (x < 7) x++;\n  assert(x == 7);\n  assert(up(__VERIFIER_nondet_int()) >= 10);\n}\n";
    let proof = told("c", text);
    assert!(proof.contains("line 8: loop invariant x <= 7"), "{proof}");
    assert!(proof.contains("line 2: up ensures ") && proof.contains("\\result >= 10"), "{proof}");
}

#[test]
fn witnesses_of_verification_tasks() {
    let loops = "int main() {\n  int x = 0;\n  while (x < 7)\n    x++;\n  assert(x == 7);\n}\n";
    let Answer::Safe(mut model) = answer("c", &[], loops) else { panic!("it is safe") };
    let yaml = model.yaml(&TASK).unwrap();
    for part in [
        "- entry_type: invariant_set",
        "type: loop_invariant",
        "line: 3\n",
        "column: 3\n",
        "value: \"x <= 7\"",
        "function: main",
    ] {
        assert!(yaml.contains(part), "{part}\n{yaml}");
    }
    let bug = "int __VERIFIER_nondet_int();\nvoid reach_error();\nint main() {\n  if (__VERIFIER_nondet_int() == 4)\n    reach_error();\n}\n";
    let Answer::Unsafe(mut refutation) = answer("c", &[], bug) else { panic!("it is not safe") };
    let yaml = refutation.yaml(&TASK).unwrap();
    for part in [
        "- entry_type: violation_sequence",
        "type: function_return",
        "value: \"\\\\result == 4\"",
        "line: 4\n",
        "column: 29\n",
        "type: target",
        "line: 5\n",
    ] {
        assert!(yaml.contains(part), "{part}\n{yaml}");
    }
}

/// What is said at the loop of a program, whose text begins with `int main() {` in a line of its
/// own.
fn loop_invariant(lines: &[&str]) -> Vec<String> {
    let text = format!("int main() {{\n{}\n}}\n", lines.join("\n"));
    let Answer::Safe(mut model) = answer("c", &[], &text) else { panic!("it is safe: {text}") };
    let yaml = model.yaml(&TASK).unwrap();
    let values = yaml.lines().filter_map(|line| line.trim_start().strip_prefix("value: "));
    values.map(str::to_owned).collect()
}

/// Numbers of C are no mathematical ones, and names have to be visible where the loop begins.
#[test]
fn invariants_mean_to_a_compiler_what_they_mean() {
    let signed =
        loop_invariant(&["int x = 0, y = 3;", "while (x < 7) { x++; y++; }", "assert(y == 10);"]);
    assert!(signed.iter().all(|said| said.contains("(long long)x")), "{signed:?}");
    let mixed = loop_invariant(&[
        "int x = -1; unsigned n = 5;",
        "while (n < 9) { n++; x--; }",
        "assert(x + (int)n == 4);",
    ]);
    assert!(
        mixed.iter().all(|said| !said.contains("n <= x") && said.contains("(long long)n")),
        "{mixed:?}"
    );
    let wide =
        loop_invariant(&["long x = 0, y = 3;", "while (x < 7) { x++; y++; }", "assert(y == 10);"]);
    assert!(wide.iter().all(|said| !said.contains(" + ") && !said.contains(" - ")), "{wide:?}");
    let header =
        ["int s = 0;", "for (int i = 0; i < 4; i++) { if (i > 8) s = 1; }", "assert(s == 0);"];
    let header = loop_invariant(&header);
    assert!(header.iter().all(|said| !said.contains('i') && said.contains('s')), "{header:?}");
    let last = loop_invariant(&["int x = 0;", "do x++; while (x < 7);", "assert(x == 7);"]);
    assert_eq!(last, [] as [&str; 0], "the format means what holds at the condition");
}

#[test]
fn the_target_is_an_expression_that_stands_by_itself() {
    let text = "int __VERIFIER_nondet_int();\nint main() {\n  int x = __VERIFIER_nondet_int();\n  if (x > 0) {\n    x =\n      x + 1;\n  }\n}\n";
    let options = [("c-arith", "wrap-check")];
    let Answer::Unsafe(mut refutation) = answer("c", &options, text) else { panic!("it is not") };
    let yaml = refutation.yaml(&TASK).unwrap();
    let target = &yaml[yaml.find("type: target").unwrap()..];
    assert!(target.contains("line: 5\n") && target.contains("column: 5\n"), "{yaml}");
    assert!(yaml.contains("LTL(G ! overflow)"), "{yaml}");
    let text = text.replace("x =\n      x + 1;", "int y = 2, z[2] = {1, (x + 1) / 2};");
    let Answer::Unsafe(mut refutation) = answer("c", &options, &text) else { panic!("it is not") };
    let yaml = refutation.yaml(&TASK).unwrap();
    let target = &yaml[yaml.find("type: target").unwrap()..];
    assert!(target.contains("line: 5\n") && target.contains("column: 27\n"), "{yaml}");
}

#[test]
fn quantified_invariants_in_c() {
    let text = "int __VERIFIER_nondet_int();\nint main() {\n  int a[100];\n  int k = __VERIFIER_nondet_int();\n  for (int i = 0; i < 100; i++) a[i] = 0;\n  if (k >= 0 && k < 100) assert(a[k] == 0);\n}\n";
    let proof = told("c", text);
    assert!(
        proof.starts_with("line 5: loop invariant ") && !proof.contains("see the model"),
        "{proof}"
    );
}

#[test]
fn a_run_of_a_transition_system() {
    let text = "(declare-fun x () Int)(declare-fun xn () Int)(declare-fun up () Int)\n(define-fun .x () Int (! x :next xn))\n\
        (define-fun .init () Bool (! (= x 0) :init true))\n(define-fun .trans () Bool (! (and (>= up 2) (= xn (+ x up)) (< up 3)) :trans true))\n\
        (define-fun .p () Bool (! (< x 4) :invar-property 0))\n";
    let expected = "line 3: initial state: x = 0\nline 4: inputs: up = 2\nline 4: next state: x = 2\n\
        line 4: inputs: up = 2\nline 4: next state: x = 4\nline 5: the property does not hold\n";
    assert_eq!(told("vmt", text), expected);
    let proof = told("vmt", &text.replace("(< x 4)", "(>= x 0)"));
    assert_eq!(proof, "line 5: the property holds, by the invariant (>= x 0)\n");
}

#[test]
fn a_lasso_of_a_transition_system() {
    let text = "(declare-fun b () Bool)(declare-fun bn () Bool)\n(define-fun .b () Bool (! b :next bn))\n\
        (define-fun .init () Bool (! b :init true))\n(define-fun .trans () Bool (! (= bn (not b)) :trans true))\n\
        (define-fun .p () Bool (! b :live-property 0))\n";
    let trace = told("vmt", text);
    assert!(trace.starts_with("line 3: initial state: b = true\n"), "{trace}");
    assert!(trace.contains("line 4: a cycle begins, next state"), "{trace}");
    assert!(
        trace.ends_with(
            "line 5: the cycle is closed, and somewhere in it the property does not hold\n"
        ),
        "{trace}"
    );
    let proof = told("vmt", &text.replace("(not b)", "b"));
    assert!(
        proof.starts_with("line 5: the property holds from some moment on, by the invariant "),
        "{proof}"
    );
}

#[test]
fn clauses_in_prolog_style() {
    let text = "sum(N, S) :- N = 0, S = 0.\nsum(N, S) :- sum(M, T), N = M + 1, S = T + N.\nfalse :- sum(N, S), S BOUND.\n";
    let trace = told("prolog", &text.replace("BOUND", "> 2"));
    let expected = "line 1: sum(0, 0).\nline 2: sum(1, 1) :- sum(0, 0).\nline 2: sum(2, 3) :- sum(1, 1).\nline 3: false :- sum(2, 3).\n";
    assert_eq!(trace, expected);
    let proof = told("prolog", &text.replace("BOUND", "< N"));
    assert!(proof.starts_with("sum(N, S): ") && proof.contains("N =< S"), "{proof}");
}

#[test]
fn locations_and_selections_of_a_network() {
    let text = "int[0,9] n;\nprocess P() {\n  state a, b, err; init a;\n  trans a -> b { select k : int[3,5]; guard k > 4; assign n = k; },\n  b -> err { guard n == BAD; };\n}\n\
        process Q() { state idle, busy; init idle; trans idle -> busy { }; }\nsystem P, Q;\n";
    let trace = told("uppaal", &text.replace("BAD", "5"));
    assert!(trace.contains("  P: a -> b { k > 4; tau; n = k; } (line 4, k = 5)\n"), "{trace}");
    let text = text.replace("BAD", "5 && 1 > 2");
    let Answer::Safe(mut model) = answer("uppaal", &[("encode", "og")], &text) else {
        panic!("it is safe")
    };
    let proof = model.in_source().unwrap();
    assert!(proof.starts_with("P.a (line 3): ") && proof.contains("!P.err"), "{proof}");
    assert!(!proof.contains("true &&") && !proof.contains("(="), "{proof}");
}

#[test]
fn clauses_have_no_other_words() {
    let text = "(declare-fun p (Int) Bool)(assert (p 0))(assert (forall ((x Int)) (=> (p x) (>= x 0))))(check-sat)";
    let Answer::Safe(mut model) = answer("smt-lib", &[], text) else { panic!("it is safe") };
    assert_eq!((model.in_source(), model.yaml(&TASK)), (None, None));
}
