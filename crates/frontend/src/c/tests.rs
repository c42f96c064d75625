//! What programs are read as, and what is refused.

mod kept;
mod outside;

use shofar_base::Idx as _;
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
}

/// A call is entered, which is a step, or passed, with any value in the place of the result, which
/// is more than the program does.
#[test]
fn recursion_is_entered_or_passed_if_termination_is_asked_about() {
    let text = "int f(int n) { int r = 0; if (n > 0) r = f(n - 1); while (r > 0) r--; return r; } int main() { f(5); }";
    let termination = &[("property", "termination")];
    let (_, problem) = try_read(text, termination).unwrap();
    let passed: Vec<usize> = problem.surplus.iter().map(|clause| clause.index()).collect();
    assert_eq!((problem.exactness, passed), (Exactness::Over, vec![2]));
    assert_eq!(
        assertions(text, termination),
        [
            "(assert (=> true (f.entry 5)))",
            "(assert (forall ((A Int)) (=> (and (f.entry A) (>= A 1)) (f.entry (+ A (- 1))))))",
            "(assert (forall ((A Int) (B Int)) (=> (and (f.entry A) (>= A 1)) (f.1 B))))",
            "(assert (forall ((A Int)) (=> (and (f.entry A) (<= A 0)) (f.1 0))))",
            "(assert (forall ((A Int)) (=> (and (f.1 A) (>= A 1)) (f.1 (+ A (- 1))))))",
        ]
    );
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
        (main("x = x & y;"), "x & y", "a bit operation of two signed numbers"),
        (main("x = 1 << 40;"), "1 << 40", "a shift"),
        (main("x = z;"), "z", "`z` is not declared"),
        (main("x = h(1);"), "h(1)", "`h` is not defined"),
        (main("x = f();"), "f()", "1 parameters, 0 arguments"),
        (main("goto nowhere;"), "nowhere", "no label"),
        (main("break;"), "break;", "no loop"),
        (main("x = a;"), "a", "an array as a whole"),
        (main("int b[x];"), "b", "an array whose length is no constant"),
        (main("x = printf(\"a\");"), "printf(\"a\")", "this has no value"),
        (main("x = printf(a);"), "printf(a)", "`printf` is not defined"),
        (
            "extern int e; int main() { return e; }".to_owned(),
            "e",
            "a variable that is defined elsewhere",
        ),
        (
            "int f(int p[]) { return *p; } int main() { int a[2]; f(a); }".to_owned(),
            "*p",
            "a pointer",
        ),
        (
            "int f(int p[]) { return p == 0; } int main() { int a[2]; f(a); }".to_owned(),
            "p",
            "an array as a whole",
        ),
        (
            "int f(int p[]) { return p[0]; } int main() { char a[2]; f(a); }".to_owned(),
            "a",
            "an array of another type",
        ),
        (
            "int f(int *p) { return p[0]; } int main() { int a; f(&a); }".to_owned(),
            "&a",
            "a pointer as an argument",
        ),
        (
            "int f(int p[], int n) { return n ? f(p, n - 1) : p[0]; } int main() { int a[2]; f(a, 1); }"
                .to_owned(),
            "f(a, 1)",
            "recursion with an array",
        ),
        (
            "int f(int p[]) { return p[0]++; } int main() { int a[2]; return f(a) - a[0]; }".to_owned(),
            "a[0]",
            "order",
        ),
        (
            "int g(int p[]) { return p[0]; } int f(int p[], int q[]) { return p[0]++ - g(q); }
             int main() { int a[2]; f(a, a); }"
                .to_owned(),
            "g(q)",
            "order",
        ),
        (
            "int n() { static int k; return k++; } int main() { return n() - n(); }".to_owned(),
            "n()",
            "order",
        ),
        ("_Static_assert(sizeof(int) == 8, \"no\"); int main() { }".to_owned(), "_Static_assert(sizeof(int) == 8, \"no\");", "does not hold"),
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

/// A variable of a function that is called is not the one of the same name here.
#[test]
fn names_of_other_functions_are_theirs() {
    let text = "int f(int s) { s = s + 1; return s; } int main() { int s = 3; return s + f(s); }";
    assert_eq!(assertions(text, &[]), Vec::<String>::new());
}

#[test]
fn constants_may_be_chosen() {
    let text = "enum { A = 1 ? 4 : 5, B = A > 3 && 1 }; int g[0 ? 2 : 3] = { 1 ? 7 : 8 };
        _Static_assert(sizeof(long) == 8, \"size\");
        int main() { _Static_assert(1, \"one\"); assert(A == 4 && B == 1 && sizeof g == 12); assert(g[0] == 7); }";
    assert_eq!(assertions(text, &[]), Vec::<String>::new());
}

#[test]
fn arrays_are_passed_by_reference() {
    let text = "typedef int row[3];
        void set(int a[], int i) { a[i] = 7; } int get(const int *a, int i) { return a[i]; }
        int second(row r) { return r[1]; } unsigned long size(int a[9]) { return sizeof(a); }
        int sum(int m[][3]) { return m[0][1] + m[1][2]; }
        int main() { int v[3] = {1, 2, 3}; int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
            set(v, 0); v[1] = get(v, 1); assert(v[0] == 7 && get(v, 2) == 3 && second(v) == 2);
            assert(size(v) == 8); assert(sum(m) == 8); }";
    assert_eq!(assertions(text, &[]), Vec::<String>::new());
    let outside = "void set(int a[100], int i) { a[i] = 7; } int main() { int v[3]; set(v, 3); }";
    assert!(!assertions(outside, &[]).is_empty());
}

#[test]
fn unknown_places_and_bits() {
    let places = "int n = __VERIFIER_nondet_int(); int y = 1 << n;";
    assert_eq!(query(places, &[]).len(), 1, "a number of places that has no meaning");
    let bits =
        "unsigned x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); unsigned z = x ^ y;";
    assert_eq!(query(bits, &[]).len(), 0);
    let signed = "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); int z = x | y;";
    assert_eq!(query(signed, WRAP_CHECK).len(), 0);
}

#[test]
fn a_jump_over_a_declaration_leaves_the_value_open() {
    let goto = query("goto later; int w = 5; later: assert(w == 5);", &[]);
    assert_eq!(goto.len(), 1, "{goto:?}");
    let case = query("int x = 1; switch (x) { int w = 5; case 1: assert(w == 5); }", &[]);
    assert_eq!(case.len(), 1, "{case:?}");
    let kept = query("goto later; static int w = 5; later: assert(w == 5);", &[]);
    assert_eq!(kept, Vec::<String>::new());
    let inside = query("int x = 0; goto in; { int a; in: a = 1; x = a; } assert(x == 1);", &[]);
    assert_eq!(inside, Vec::<String>::new());
}

#[test]
fn what_is_printed_is_of_no_interest() {
    let body =
        "int x = 3; printf(\"%d %s\", x++, \"a\"); puts(\"b\"); putchar('c'); assert(x == 4);";
    assert_eq!(query(body, &[]), Vec::<String>::new());
}

/// What compilers put into texts that have been preprocessed.
#[test]
fn preprocessed_texts() {
    let text = "# 1 \"a.c\"\n#pragma GCC diagnostic push\ntypedef struct _F { char *p; int n; } F;\n\
        extern F *in; extern int opt;\nextern int f(F *, const char *restrict, ...) \
        __asm__ (\"\" \"__f\") __attribute__ ((__nothrow__ , __leaf__));\n\
        extern __inline __attribute__ ((__gnu_inline__)) int g(F *x) { return x->n; }\n\
        __extension__ typedef long long q; static inline double h(double d) { return d; }\n\
        enum { S = ((0) < 8 ? ((1 << (0)) << 8) : ((1 << (0)) >> 8)) };\n\
        int main(void) { q k = S; assert(k == 256); return 0; }";
    assert_eq!(assertions(text, &[]), Vec::<String>::new());
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
