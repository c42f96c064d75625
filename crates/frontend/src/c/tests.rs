//! What programs are read as, and what is refused.

use shofar_term::TermStore;

use super::*;
use crate::trial::{self, check_refused};

const WRAP_CHECK: &[(&str, &str)] = &[("c-arith", "wrap-check")];

fn try_read(text: &str, options: &[(&str, &str)]) -> Result<(TermStore, HornProblem), Diagnostic> {
    trial::try_read(&C, text, options)
}

fn assertions(text: &str, options: &[(&str, &str)]) -> Vec<String> {
    trial::assertions(&C, text, options)
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(assertions(text, &[]), expected, "{text}");
}

/// The constraint of the only clause, which is a query without predicates.
fn query(body: &str, options: &[(&str, &str)]) -> Vec<String> {
    let text = format!("int nd(); int __VERIFIER_nondet_int(); int main() {{ {body} }}");
    assertions(&text, options)
}

#[test]
fn a_loop_is_a_predicate() {
    check(
        "int main() { int x = 0; while (x < 10) x++; assert(x == 10); }",
        &[
            "(assert (=> true (main.1 0)))",
            "(assert (forall ((A Int)) (=> (and (main.1 A) (<= A 9)) (main.1 (+ A 1)))))",
            "(assert (forall ((A Int)) (=> (and (main.1 A) (not (= A 10)) (>= A 10)) false)))",
        ],
    );
}

#[test]
fn a_recursive_function_has_a_summary() {
    let shown = assertions(
        "int f(int n) { if (n > 100) return n - 10; return f(f(n + 11)); }
         int main() { int x = 3; assert(f(x) == 91); }",
        &[],
    );
    assert_eq!(
        shown,
        [
            "(assert (forall ((A Int)) (=> (and (f/summary 3 A) (not (= A 91))) false)))",
            "(assert (forall ((A Int)) (=> (>= A 101) (f/summary A (+ A (- 10))))))",
            "(assert (forall ((A Int) (B Int) (C Int)) (=> (and (f/summary (+ A 11) B) (f/summary B C) (<= A 100)) (f/summary A C))))",
        ]
    );
}

#[test]
fn a_function_that_fails_is_entered_by_its_calls_only() {
    let shown = assertions(
        "void f(int n) { while (n > 0) n--; assert(n == 0); } int main() { f(3); f(4); }",
        &[],
    );
    assert!(shown.iter().any(|clause| clause == "(assert (=> true (f.entry 3 3)))"), "{shown:?}");
    assert!(
        shown.iter().any(|clause| clause.contains("(=> (f/summary 3) (f.entry 4 4))")),
        "{shown:?}"
    );
}

#[test]
fn global_variables_go_in_and_come_out() {
    let text = "int g = 1, k = 2; void f(int n) { while (n > 0) { n--; g += k; } } int main() { f(4); assert(g > k); }";
    let (store, problem) = try_read(text, &[]).unwrap();
    let system = &problem.system;
    let names = |name: &str| {
        let pred = system.preds().find(|&p| store.name(system.symbol(p)) == name).unwrap();
        system.param_names(pred).unwrap().join(" ")
    };
    assert_eq!(names("f/summary"), "n@entry g@entry k g");
    assert_eq!(names("f.1"), "n@entry g@entry g k n");
}

#[test]
fn variables_of_one_name_are_told_apart() {
    let text = "int x;\nint main() {\n int y = x;\n {\n  int x = 5, y = 7;\n  while (x > y) x--;\n }\n while (y) y--;\n}";
    let (store, problem) = try_read(text, &[]).unwrap();
    let system = &problem.system;
    let all: Vec<String> = system
        .preds()
        .map(|p| {
            format!(
                "{}: {}",
                store.name(system.symbol(p)),
                system.param_names(p).unwrap().join(" ")
            )
        })
        .collect();
    assert_eq!(all, ["main.6: y x@5 y@5", "main.8: y"]);
}

#[test]
fn small_functions_are_expanded() {
    let text = "void __VERIFIER_assert(int c) { if (!c) { ERROR: reach_error(); } }
        int twice(int n) { return 2 * n; }
        int main() { int x = __VERIFIER_nondet_int(); __VERIFIER_assert(twice(x) != 6); }";
    let shown = assertions(text, &[]);
    assert_eq!(shown.len(), 1, "{shown:?}");
    assert!(shown[0].contains("(= A 3)"), "{shown:?}");
}

#[test]
fn paths_are_clauses_until_there_are_too_many() {
    let choices = "if (__VERIFIER_nondet_int()) x++; ".repeat(20);
    let text = format!("int main() {{ int x = 0; {choices} assert(x <= 20); }}");
    let count = assertions(&text, &[]).len();
    assert!((20..200).contains(&count), "{count}");
}

/// Values of expressions, computed by the reader: nothing is left to be violated.
#[test]
fn constants_are_computed_as_c_does() {
    for expression in [
        "-7 / 2 == -3 && -7 % 2 == -1 && 7 / -2 == -3 && 7 % -2 == 1",
        "(unsigned char) 300 == 44 && (signed char) 200 == -56 && (char) 128 == -128",
        "0u - 1 == 4294967295u && -1 == 4294967295u && (unsigned) -1 > 0",
        "-1 < 0 && !(-1 < 0u) && -1L < 0u",
        "(6 & 3) == 2 && (6 | 3) == 7 && (6 ^ 3) == 5 && ~5 == -6 && (-6 & 3) == 2",
        "(-8 >> 1) == -4 && (1 << 4) == 16 && (3u << 31) == 2147483648u",
        "(1 ? 2 : 3u) == 2 && (5, 6) == 6 && !0 == 1 && !7 == 0 && (2 > 1) + 1 == 2",
        "'a' == 97 && '\\n' == 10 && 0x1F == 31 && 017 == 15",
        "sizeof(int) == 4 && sizeof(long) == 8 && sizeof 'a' == 4 && sizeof(short) == 2",
        "(_Bool) 7 == 1 && (_Bool) 0 == 0 && -2147483647 - 1 < 0",
    ] {
        for options in [&[][..], WRAP_CHECK] {
            let shown = query(&format!("assert({expression});"), options);
            assert_eq!(shown, Vec::<String>::new(), "{expression}");
        }
    }
}

#[test]
fn signed_numbers_overflow_only_if_they_are_checked() {
    let body = "int x = __VERIFIER_nondet_int(); int y = x + 1;";
    assert_eq!(query(body, &[]).len(), 0);
    let checked = query(body, WRAP_CHECK);
    assert_eq!(checked.len(), 1, "{checked:?}");
    assert!(checked[0].contains("2147483647"), "{checked:?}");
    assert_eq!(query("unsigned x = __VERIFIER_nondet_int(); x++; x *= 3;", WRAP_CHECK).len(), 0);
}

#[test]
fn what_is_undefined_is_a_violation() {
    for body in [
        "int x = __VERIFIER_nondet_int(); int y = 7 / x;",
        "int x = __VERIFIER_nondet_int(); int y = 7 % x;",
        "int a[3]; int x = __VERIFIER_nondet_int(); a[x] = 1;",
        "int a[2][3]; int x = __VERIFIER_nondet_int(); a[1][x] = 1;",
        "assert(0);",
    ] {
        assert!(!query(body, &[]).is_empty(), "{body}");
    }
    for body in [
        "int x = __VERIFIER_nondet_int(); int y = x != 0 && 7 / x > 1;",
        "int a[3]; a[2] = 1; int y = a[0];",
        "__VERIFIER_assume(0); assert(0);",
        "exit(1); assert(0);",
        "abort(); assert(0);",
        "return 0; assert(0);",
    ] {
        assert_eq!(query(body, &[]), Vec::<String>::new(), "{body}");
    }
}

#[test]
fn problems_about_termination_have_no_question() {
    let text = "int f(int n) { while (n > 0) n--; return n; } int main() { int x = f(9); assert(x == 0); }";
    let termination = &[("property", "termination")];
    let shown = assertions(text, termination);
    assert!(
        shown.iter().all(|clause| !clause.contains("false") && !clause.contains("summary")),
        "{shown:?}"
    );
    assert_eq!(shown.len(), 2, "{shown:?}");
    let recursive = "int f(int n) { return f(n); } int main() { f(1); }";
    let error = try_read(recursive, termination).unwrap_err();
    assert!(error.message.contains("recursion"), "{}", error.message);
}

#[test]
fn what_is_not_supported_is_refused_at_its_place() {
    let main = |body: &str| {
        format!(
            "int g; int f(int n) {{ g = n; return n; }} int main() {{ int x = 0, y = 0; int a[3]; {body} }}"
        )
    };
    for (text, place, message) in [
        ("int x;".to_owned(), "", "no function `main`"),
        ("int main() { int x = ; }".to_owned(), ";", "not understood"),
        ("int main() { int *p; }".to_owned(), "p", "a pointer is not supported"),
        ("int main() { struct s { int a; } v; }".to_owned(), "v", "a structure"),
        ("int main() { double d = 1.0; }".to_owned(), "d", "a floating-point number"),
        ("double d; int main() { d = 1; }".to_owned(), "d", "a floating-point number"),
        ("int x; volatile int v; int main() { return v; }".to_owned(), "v", "volatile"),
        (main("x = &y;"), "&y", "the address"),
        (main("x = *y;"), "*y", "a pointer"),
        (main("x = 1.5;"), "1.5", "a floating-point number"),
        (main("x = \"a\";"), "\"a\"", "a string"),
        (main("x = x++;"), "x++", "order"),
        (main("x = y + y++;"), "y++", "order"),
        (main("x = g + f(1);"), "f(1)", "order"),
        (main("a[x] = x++;"), "x++", "order"),
        (main("f(x++ + x);"), "x", "order"),
        (main("x = x & y;"), "x & y", "a bit operation"),
        (main("x = 1 << y;"), "1 << y", "a shift"),
        (main("x = z;"), "z", "`z` is not declared"),
        (main("x = h(1);"), "h(1)", "`h` is not defined"),
        (main("x = f();"), "f()", "1 parameters, 0 arguments"),
        (main("goto nowhere;"), "nowhere", "no label"),
        (main("goto later; int w = 5; later: x = w;"), "later", "a jump over a declaration"),
        (main("switch (x) { int w; case 1: x = w; }"), "case 1", "a case behind a declaration"),
        (main("break;"), "break;", "no loop"),
        (main("x = a;"), "a", "an array as a whole"),
        (main("int b[x];"), "b", "an array whose length is no constant"),
        (main("__asm__(\"nop\");"), "__asm__(\"nop\");", "assembler"),
        (
            main("x = __VERIFIER_nondet_float();"),
            "__VERIFIER_nondet_float()",
            "an input of this type",
        ),
    ] {
        check_refused(&C, &text, &[], (place, message));
    }
}

#[test]
fn deep_programs_are_refused_and_the_deepest_allowed_ones_read() {
    let nested = |depth: usize| {
        format!("int main() {{ int x; x = {}1{}; }}", "(".repeat(depth), ")".repeat(depth))
    };
    assert!(try_read(&nested(950), &[]).is_ok());
    let error = try_read(&nested(100_000), &[]).err().unwrap();
    assert!(error.message.contains("nested"), "{}", error.message);
    let sum = format!("int main() {{ int x = 1; x = {}x; }}", "x + ".repeat(900));
    assert!(try_read(&sum, &[]).is_ok());
    let chain = format!("int main() {{ int x = 1; {} ; }}", "if (x) x++; else ".repeat(150));
    assert!(try_read(&chain, &[]).is_ok());
}
