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
        "line 3: f is called: 3",
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

#[test]
fn clauses_have_no_other_words() {
    let text = "(declare-fun p (Int) Bool)(assert (p 0))(assert (forall ((x Int)) (=> (p x) (>= x 0))))(check-sat)";
    let Answer::Safe(mut model) = answer("smt-lib", &[], text) else { panic!("it is safe") };
    assert_eq!((model.in_source(), model.yaml(&TASK)), (None, None));
}
