//! Values that come from outside, and the sizes of types: what is asserted holds for gcc, by `-m32`
//! or without.

use super::*;

const ILP32: &[(&str, &str)] = &[("data-model", "ILP32")];
const ILP32_CHECKED: &[(&str, &str)] = &[("data-model", "ILP32"), ("c-arith", "wrap-check")];

/// Whether nothing is left to be violated.
fn holds(text: &str, options: &[(&str, &str)]) -> bool {
    assertions(text, options).is_empty()
}

/// The clauses of a body that may be violated.
fn bounds(body: &str, options: &[(&str, &str)]) -> String {
    query(body, options).join("\n")
}

#[test]
fn values_from_outside_are_within_their_types() {
    let (int, long) = ("2147483647", "9223372036854775807");
    for options in [&[][..], WRAP_CHECK] {
        for (value, bound) in [
            ("int x;", int),
            ("unsigned x;", "4294967295"),
            ("long x = __VERIFIER_nondet_longlong();", long),
            ("long x = __VERIFIER_nondet_loff_t();", long),
            ("short x = __VERIFIER_nondet_short();", "32767"),
            ("unsigned char x = __VERIFIER_nondet_uchar();", "255"),
            ("goto in; int x; in:;", int),
        ] {
            let shown = bounds(&format!("{value} assert(x <= 0);"), options);
            assert!(shown.contains(bound), "{value}: {shown}");
        }
    }
}

/// Elements without a first value are as numbers without one.
#[test]
fn elements_without_a_first_value_are_within_their_types() {
    for (array, bound) in [
        ("int a[2]; assert(a[i] <= 0);", "2147483647"),
        ("int a[2][3]; assert(a[1][i] <= 0);", "2147483647"),
        ("long a[2]; assert(a[i] <= 0);", "9223372036854775807"),
        ("int a[99]; assert(a[i] <= 0);", "2147483647"),
        ("long a[9][9]; a[0][0] = 1; assert(a[1][i] <= 0);", "9223372036854775807"),
        ("unsigned a[99]; assert(a[i] <= 0);", "4294967295"),
        ("signed char a[99]; assert(a[i] <= 0);", "127"),
        ("unsigned short a[99]; assert(a[i] <= 0);", "65535"),
    ] {
        let body =
            format!("int i = __VERIFIER_nondet_int(); __VERIFIER_assume(0 <= i && i < 2); {array}");
        for options in [&[][..], WRAP_CHECK] {
            let shown = bounds(&body, options);
            assert!(shown.contains(bound), "{array} {options:?}: {shown}");
        }
    }
}

#[test]
fn parameters_of_main_and_missing_results_are_within_their_types() {
    let shown = assertions("int main(int argc, char **argv) { assert(argc + 0 != 7); }", &[]);
    assert_eq!(shown.len(), 1, "{shown:?}");
    let shown = assertions("int main(int argc) { int x = argc; while (x > 5) x--; }", &[]);
    assert!(shown[0].contains("(>= A 0)") && shown[0].contains("(<= A 2147483647)"), "{shown:?}");
    let text = "int f(int n) { if (n) return 1; } int main() { int x = f(0); while (x) x++; }";
    let shown = assertions(text, &[]);
    assert!(shown[0].contains("2147483647"), "{shown:?}");
}

#[test]
fn sizes_are_those_of_the_data_model() {
    for (expression, options) in [
        (
            "sizeof(long) == 8 && sizeof(long long) == 8 && sizeof 1L == 8 && sizeof 1ul == 8",
            &[][..],
        ),
        ("sizeof(long) == 4 && sizeof(long long) == 8 && sizeof 1L == 4 && sizeof 1ul == 4", ILP32),
        ("sizeof sizeof 1 == 4 && sizeof 2147483648 == 8 && sizeof 0x80000000L == 4", ILP32),
        ("sizeof(int) == 4 && sizeof(short) == 2 && sizeof 1ll == 8 && sizeof 'a' == 4", ILP32),
        ("4294967295ul + 1 == 0 && -1L > 0u && -1 > 0ul && -1LL < 0ul", ILP32),
        ("4294967295ul + 1 != 0 && -1L < 0u && -1 > 0ul && -1LL > 0ull", &[][..]),
        ("(long) 4294967296ll == 0 && (unsigned long) -1 == 4294967295u", ILP32),
        ("(1ul << 31) * 2 == 0 && (unsigned long) 1 << 31 == 2147483648ll", ILP32),
    ] {
        for more in [None, Some(("c-arith", "wrap-check"))] {
            let options: Vec<(&str, &str)> = options.iter().copied().chain(more).collect();
            let shown = query(&format!("assert({expression});"), &options);
            assert_eq!(shown, Vec::<String>::new(), "{expression} {options:?}");
        }
    }
    let limits = "#include <limits.h>\n#include <stdint.h>\n#include <stddef.h>\nint main() {
        assert(LONG_MAX == 2147483647 && LONG_MIN == -LONG_MAX - 1 && ULONG_MAX == 4294967295);
        assert(LLONG_MAX > LONG_MAX && INT64_MAX == LLONG_MAX && sizeof(int64_t) == 8);
        assert(sizeof(size_t) == 4 && sizeof(intptr_t) == 4 && ULONG_MAX + 1 == 0); }";
    assert!(holds(limits, ILP32));
    assert!(!holds(limits, &[]));
    let pointer = "unsigned size(int a[9]) { return sizeof a; } int main() { int v[9]; assert(size(v) == 4); }";
    assert!(holds(pointer, ILP32) && !holds(pointer, &[]));
}

#[test]
fn inputs_and_overflows_follow_the_data_model() {
    for (input, options, bound) in [
        ("ulong", ILP32, "4294967295"),
        ("ulong", &[][..], "18446744073709551615"),
        ("size_t", ILP32, "4294967295"),
        ("long", ILP32, "2147483647"),
        ("longlong", ILP32, "9223372036854775807"),
        ("sector_t", ILP32, "4294967295"),
    ] {
        let body = format!("long long x = __VERIFIER_nondet_{input}(); while (x) x--;");
        let shown = query(&body, options);
        assert!(shown[0].contains(bound), "{input}: {shown:?}");
    }
    let overflow = "long x = __VERIFIER_nondet_int(); x++;";
    for (options, top) in
        [(ILP32_CHECKED, "(<= A 2147483646)"), (WRAP_CHECK, "(<= A 9223372036854775806)")]
    {
        let shown = query(overflow, options);
        assert!(shown[0].contains(top), "{shown:?}");
    }
}

/// An overflow as the only violation: where something else goes wrong the program ends.
#[test]
fn an_overflow_can_be_the_only_violation() {
    let only = &[("c-arith", "overflow-only")];
    for body in
        ["assert(0);", "reach_error();", "int a[2], i = 7; a[i] = 1;", "int x = 0; x = 1 / x;"]
    {
        assert_eq!(query(body, only), Vec::<String>::new(), "{body}");
        assert!(!query(body, WRAP_CHECK).is_empty(), "{body}");
    }
    assert!(!query("int x = __VERIFIER_nondet_int(); x++;", only).is_empty());
    assert_eq!(query("assert(0); int x = 2147483647; x++;", only), Vec::<String>::new());
}
