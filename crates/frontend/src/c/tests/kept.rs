//! Values that are used behind what writes the variables in them: what each program asserts was run
//! with gcc.

use super::*;

/// Programs in which every assertion holds.
const HOLD: &[&str] = &[
    // The value of a step or an assignment, of an element.
    "int a[2] = {0, 0}; int z = ++a[0]; assert(z == 1 && a[0] == 1);",
    "int a[2] = {0, 0}; int z = a[0]++; assert(z == 0 && a[0] == 1);",
    "int a[2] = {5, 7}; int z = --a[1] + 10; assert(z == 16 && a[1] == 6);",
    "int a[2] = {5, 7}; int z = a[1]-- * 2; assert(z == 14 && a[1] == 6);",
    "int a[2] = {1, 0}; int z = a[0] += 1; assert(z == 2);",
    "int a[2] = {1, 6}; int z = a[0] = a[0] + a[1]; assert(z == 7 && a[0] == 7);",
    "int a[2] = {9, 6}; int z = (a[0] %= 4) ? a[0] : 100; assert(z == 1);",
    "int a[1] = {1}, b[1] = {2}, c[1] = {3}; a[0] = b[0] = c[0] += a[0]; assert(a[0] == 4 && b[0] == 4);",
    "int a[1] = {1}, b[1] = {3}, z; z = a[0] = b[0] -= a[0] * b[0]; assert(z == 0 && a[0] == 0);",
    "unsigned char a[1] = {255}; int z = ++a[0]; assert(z == 0 && a[0] == 0);",
    "unsigned char a[1] = {0}; int z = a[0] -= 1; assert(z == 255);",
    "signed char a[1] = {127}; int z = ++a[0]; assert(z == -128);",
    "unsigned a[1] = {0}; long z = a[0]--; long y = --a[0]; assert(z == 0 && y == 4294967294);",
    "_Bool a[1] = {0}; int z = a[0] = 7; int y = ++a[0]; assert(z == 1 && y == 1);",
    "_Bool a[2] = {0, 1}; int z = a[0] = (a[0] == a[1]); int y = a[1] = !a[1]; assert(!z && !y);",
    "long a[2] = {1, 2}; int z = a[0] <<= a[1]; assert(z == 4); z = a[0] ^= 3; assert(z == 7);",
    // Truth values that speak of the array.
    "int a[1] = {3}; int z = (a[0] = a[0] > 2); assert(z == 1 && a[0] == 1);",
    "int a[1] = {3}; int z = (a[0] = !a[0]) || a[0]; assert(z == 0);",
    "int a[1] = {3}; int z = -(a[0] = a[0] == 3); assert(z == -1);",
    // Several dimensions, and indices that do something.
    "int m[2][3] = {{1, 2, 3}, {4, 5, 6}}; int z = m[1][2] -= m[0][1]; assert(z == 4);",
    "int a[3] = {4, 5, 6}, i = 0; int z = a[i++] = 9; assert(z == 9 && a[0] == 9 && i == 1);",
    "int a[3] = {4, 5, 6}, i = 0; int z = a[++i]++; assert(z == 5 && a[1] == 6 && i == 1);",
    "int a[3] = {4, 5, 6}, i = 0; a[i++] += 3; assert(a[0] == 7 && a[1] == 5 && i == 1);",
    "int a[3] = {2, 1, 0}, b[1] = {0}; int z = a[a[b[0]++]]; assert(z == 0 && b[0] == 1);",
    "int a[3] = {2, 1, 0}; int z = a[a[0]] = 8; assert(z == 8 && a[2] == 8);",
    "int a[3] = {0, 1, 2}; int z = a[a[0]] = 1; assert(z == 1 && a[0] == 1 && a[1] == 1);",
    "int a[3] = {0, 1, 2}; int z = ++a[a[0]]; assert(z == 1 && a[0] == 1);",
    "int m[2][2] = {{0, 1}, {2, 3}}, i = 0, j = 0; int z = m[i++][++j]--; assert(z == 1 && m[0][1] == 0);",
    // Operands, commas, choices, connections.
    "int a[2] = {1, 2}, b[2] = {3, 4}; int z = ++a[0] + b[1]-- * 2; assert(z == 10 && b[1] == 3);",
    "int a[2] = {1, 2}; int z = (++a[0], a[0] + 1); assert(z == 3);",
    "int a[2] = {1, 2}; int z = (a[1]++, ++a[1]); assert(z == 4);",
    "int a[2] = {1, 2}, c = 1; int z = c ? ++a[0] : --a[1]; assert(z == 2 && a[1] == 2);",
    "int a[2] = {1, 2}; int z = ++a[0] == 2 ? a[0]++ : 50; assert(z == 2 && a[0] == 3);",
    "int a[2] = {0, 2}; int z = a[0]++ || a[0]++; assert(z == 1 && a[0] == 2);",
    "int a[2] = {0, 2}; int z = ++a[0] == 1 && ++a[0] == 2 && a[0] == 2; assert(z);",
    "int a[2] = {0, 2}; int z = a[0]++ && ++a[1]; assert(z == 0 && a[0] == 1 && a[1] == 2);",
    "int x = 1; int z = x++ == 1 && x++ == 2 && ++x == 4; assert(z && x == 4);",
    "int a[1] = {1}; int z = !++a[0]; assert(!z); z = ~a[0]++; assert(z == -3 && a[0] == 3);",
    "int a[1] = {300}; int z = (unsigned char) ++a[0]; assert(z == 45);",
    // First values, conditions of statements.
    "int a[1] = {1}; int b[2] = {++a[0], 5}; assert(b[0] == 2);",
    "int a[1] = {1}, c[2] = {3, 4}, x = 7; int b[2][2] = {{++a[0], c[0]++}, {x, 6}}; assert(b[0][0] == 2 && b[0][1] == 3 && b[1][0] == 7);",
    "int a[1] = {1}, z = 0; switch (++a[0]) { case 2: z = a[0]++; break; case 3: z = 9; } assert(z == 2);",
    "int a[1] = {1}, z = 0; switch (a[0] -= 1) { case 0: z = 1; } assert(z == 1);",
    "int a[1] = {0}, n = 0; if (++a[0] == 1) n = 1; else n = 2; assert(n == 1);",
    "int a[1] = {1}; assert(++a[0] == 2 && (a[0] *= 3) == 6);",
    "int a[1] = {1}, z = 0; z += a[0] += 4; z -= --a[0]; assert(z == 1);",
    "int a[1] = {1}, z = (({ a[0]++; }), a[0]++) + 1; assert(z == 3 && a[0] == 3);",
    // Calls: what is given, what is given back, and what is done on the way.
    "int z = bump(); assert(z == 2 && g[0] == 2);",
    "int z = bump() + 10; int y = twice(++g[0]); assert(z == 12 && y == 6);",
    "int a[2] = {1, 2}; int z = inc(a, 1) * 2; assert(z == 6 && a[1] == 3);",
    "int a[2] = {1, 2}, b[1] = {2}; int z = twice(inc(a, 0)) + twice(b[0]); assert(z == 8);",
    "int z = twice(k++) + 1; assert(z == 7 && k == 4);",
    "int z = (k, tick(), k); assert(z == 4);",
    "int b[2] = {tick(), 5}; assert(b[0] == 4 && b[1] == 5 && k == 4);",
    "int z = (g[0] = tick()); assert(z == 4 && g[0] == 4);",
    "int a[2] = {1, 2}, z = a[0] + tick(); assert(z == 5);",
];

/// What stands in front of `main`.
const BEFORE: &str = "int g[2] = {1, 0}; int k = 3;
    int bump(void) { return g[0] += 1; } int twice(int n) { return 2 * n; }
    int inc(int p[], int i) { return ++p[i]; } int tick(void) { return ++k; }";

#[test]
fn values_are_those_of_the_time_when_they_were_computed() {
    let mut wrong = Vec::new();
    for body in HOLD {
        for options in [&[][..], WRAP_CHECK] {
            let text = format!("{BEFORE} int main() {{ {body} }}");
            let read = try_read(&text, options).map_err(|error| error.message);
            let shown = read.map(|_| assertions(&text, options));
            if shown != Ok(Vec::new()) {
                wrong.push((body, shown));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What C leaves open is refused in lists, indices and first values, too; what it does not leave
/// open is not.
#[test]
fn the_order_of_elements_and_indices_is_not_guessed() {
    let order = "the order";
    let own = "its own first value";
    for (body, place, message) in [
        ("int x = 1, a[2] = {x++, x};", "x", order),
        ("int x = 1, a[2] = {x + x++, 1};", "x++", order),
        ("int a[2] = {k, tick()};", "tick()", order),
        ("int a[2] = {tick(), tick()};", "tick()", order),
        ("int x = 1, y = { x + x++ };", "x++", order),
        ("int m[2][2] = {{0}}, i = 0; m[i][i++] = 1;", "i++", order),
        ("int m[9][9] = {{0}}; m[k][tick()] = 1;", "tick()", order),
        ("int a[2] = {0, 1}; a[a[0]++] = 1;", "a[0]++", order),
        ("int a[2] = {0, 1}; int z = a[a[0] = 1];", "a[0] = 1", order),
        ("int x = 1, a[2] = {x, x}; a[x = 0] = x;", "x", order),
        ("int x = 1; { int x = x = 3; }", "x = 3", own),
        ("int a[2] = {7, 7}; { int a[2] = {a[0], 1}; }", "a[0]", own),
        ("char x = 1; { int x = sizeof x; }", "sizeof x", own),
    ] {
        let text = format!("{BEFORE} int main() {{ {body} }}");
        check_refused(&C, &text, &[], (place, message));
    }
    for body in [
        "int a[9] = {0}; a[tick()] = 1;",
        "int a[9] = {0}; a[a[tick()]] = a[3];",
        "int x = 1, a[3] = {x, twice(x), k};",
    ] {
        assert!(try_read(&format!("{BEFORE} int main() {{ {body} }}"), &[]).is_ok(), "{body}");
    }
}

/// Terms of programs without arrays are as they were: nothing is kept that nothing writes.
#[test]
fn nothing_is_kept_without_need() {
    let text = "int f(int n) { while (n > 9) n--; return n; }
        int main() { int x = __VERIFIER_nondet_int(), y = x + f(x) * f(x + 1); while (y) y = y - x + f(y); }";
    let (store, problem) = try_read(text, &[]).unwrap();
    for pred in problem.system.preds() {
        let names = problem.system.param_names(pred).unwrap().join(" ");
        assert!(!names.contains("kept"), "{}: {names}", store.name(problem.system.symbol(pred)));
    }
}
