//! Programs as Horn clauses, with parts drawn by lot: loops over arrays, contracts, heaps, lists,
//! naturals and words.

use shofar_base::Rng;

use crate::horn::Shape;

/// Shape, declarations and clauses.
type System = (Shape, Vec<String>, Vec<String>);

fn texts(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

fn number(n: i64) -> String {
    if n < 0 { format!("(- {})", n.abs()) } else { n.to_string() }
}

/// `forall` over these binders.
fn rule(binders: &str, body: &str, head: &str) -> String {
    format!("(forall ({binders}) (=> {body} {head}))")
}

/// A loop over one or two arrays, with a property of one cell or of a sum at its end.
pub(crate) fn array_loop(rng: &mut Rng) -> System {
    const STATE: &str = "(i Int) (n Int) (s Int) (a (Array Int Int)) (b (Array Int Int))";
    let (c, d) = (number(rng.range(-1, 3)), number(rng.range(0, 4)));
    let start_a = *rng.pick(&["a", "a", "((as const (Array Int Int)) 0)"]);
    let mut clauses = vec![rule(
        STATE,
        &format!("(and (= i 0) (= s {c}) (<= n {}))", rng.range(1, 9)),
        &format!("(inv i n s {start_a} b)"),
    )];
    let updates_a = [
        format!("(store a i {c})"),
        "(store a i i)".to_owned(),
        "(store a i (select b i))".to_owned(),
        format!("(store a (+ i 1) (+ (select a i) {d}))"),
        "a".to_owned(),
    ];
    let updates_s = [
        "s".to_owned(),
        "(+ s 1)".to_owned(),
        "(select a i)".to_owned(),
        "(ite (< s (select a i)) (select a i) s)".to_owned(),
    ];
    let updates_b = ["b", "b", "(store b i (select a i))", "(store b 0 s)"];
    for _ in 0..=rng.below(2) {
        let (a, s, b) = (rng.pick(&updates_a), rng.pick(&updates_s), rng.pick(&updates_b));
        let guard = *rng.pick(&["", " (< s 5)", " (distinct (select a i) 2)"]);
        let body = format!("(and (inv i n s a b) (< i n){guard})");
        clauses.push(rule(STATE, &body, &format!("(inv (+ i 1) n {s} {a} {b})")));
    }
    let bad = [
        format!("(and (<= 0 k) (< k i) (distinct (select a k) {c}))"),
        format!("(and (<= 0 k) (<= k i) (> (select a k) {d}))"),
        "(and (<= 0 k) (< k i) (distinct (select a k) (select b k)))".to_owned(),
        "(and (<= 0 k) (< k i) (< s (select a k)))".to_owned(),
        format!("(> s {})", rng.range(2, 9)),
        "(and (= k 0) (distinct a b))".to_owned(),
    ];
    let body = format!("(and (inv i n s a b) (>= i n) {})", rng.pick(&bad));
    clauses.push(rule(&format!("{STATE} (k Int)"), &body, "false"));
    let declarations =
        texts(&["(declare-fun inv (Int Int Int (Array Int Int) (Array Int Int)) Bool)"]);
    (Shape::Loop, declarations, clauses)
}

/// A contract with a state of balances and counters, functions with summaries, and an invariant
/// that each asserts.
pub(crate) fn contract(rng: &mut Rng) -> System {
    let mut declarations = texts(&[
        "(declare-datatypes ((State 0)) (((state (balances (Array Int Int)) (total Int) (owner Int)))))",
        "(declare-datatypes ((Tx 0)) (((tx (sender Int) (value Int)))))",
        "(declare-fun interface (State) Bool)",
    ]);
    let owner = rng.below(2);
    let mut clauses = vec![rule(
        "(s State)",
        &format!(
            "(= s (state ((as const (Array Int Int)) 0) {} {owner}))",
            u8::from(rng.chance(20))
        ),
        "(interface s)",
    )];
    let property = rng
        .pick(&[
            "(>= (total u) 0)",
            "(>= (select (balances u) (sender t)) 0)",
            "(<= (select (balances u) (sender t)) (total u))",
            "(= (owner u) (owner s))",
            "(distinct (total u) 3)",
        ])
        .to_owned();
    let functions = 1 + rng.below(3);
    for function in 0..functions {
        declarations.push(format!("(declare-fun body{function} (Tx State State) Bool)"));
        declarations.push(format!("(declare-fun summary{function} (Int Tx State State) Bool)"));
        let binders = "(t Tx) (s State) (u State)";
        let entry = rng.pick(&[
            "(>= (value t) 0)",
            "(and (<= 0 (value t)) (< (value t) 100))",
            "(= (sender t) (owner s))",
        ]);
        clauses.push(rule("(t Tx) (s State)", entry, &format!("(body{function} t s s)")));
        for _ in 0..=rng.below(2) {
            let (guard, next) = assignment(rng);
            clauses.push(rule(
                binders,
                &format!("(and (body{function} t s u) {guard})"),
                &format!("(body{function} t s {next})"),
            ));
            if rng.chance(60) {
                break;
            }
        }
        let body = format!("(body{function} t s u)");
        let summary = |error: &str| format!("(summary{function} {error} t s u)");
        clauses.push(rule(binders, &body, &summary("0")));
        if function == 0 || rng.chance(50) {
            let failed = format!("(and {body} (not {property}))");
            clauses.push(rule(binders, &failed, &summary("1")));
        }
        let called = format!("(and (interface s) {})", summary("0"));
        clauses.push(rule(binders, &called, "(interface u)"));
        let failed = format!("(and (interface s) {} (= e 1))", summary("e"));
        clauses.push(rule(&format!("{binders} (e Int)"), &failed, "false"));
    }
    (Shape::Nonlinear, declarations, clauses)
}

/// A guard and the state after a statement of a contract.
fn assignment(rng: &mut Rng) -> (String, String) {
    let balance = "(select (balances u) (sender t))";
    let store = |content: &str| format!("(store (balances u) (sender t) {content})");
    let state = |balances: &str, total: &str| format!("(state {balances} {total} (owner u))");
    match rng.below(5) {
        0 => (
            "true".to_owned(),
            state(&store(&format!("(+ {balance} (value t))")), "(+ (total u) (value t))"),
        ),
        1 => (
            if rng.chance(70) { format!("(>= {balance} (value t))") } else { "true".to_owned() },
            state(&store(&format!("(- {balance} (value t))")), "(- (total u) (value t))"),
        ),
        2 => (
            format!("(and (>= {balance} (value t)) (distinct (sender t) (owner u)))"),
            state(
                &format!(
                    "(store {} (owner u) (+ (select (balances u) (owner u)) (value t)))",
                    store(&format!("(- {balance} (value t))"))
                ),
                "(total u)",
            ),
        ),
        3 => ("(< (total u) 5)".to_owned(), state("(balances u)", "(+ (total u) 1)")),
        _ => (
            "(= (sender t) (owner u))".to_owned(),
            "(state (balances u) (total u) (value t))".to_owned(),
        ),
    }
}

/// A heap of cells: numbers, pointers and holes.
pub(crate) fn heap(rng: &mut Rng) -> System {
    const STATE: &str = "(h (Array Int Cell)) (n Int) (p Int)";
    let declarations = texts(&[
        "(declare-datatypes ((Cell 0)) (((hole) (num (get Int)) (ptr (to Int)))))",
        "(declare-fun inv ((Array Int Cell) Int Int) Bool)",
        "(declare-fun read ((Array Int Cell) Int Cell) Bool)",
    ]);
    let c = number(rng.range(-1, 3));
    let mut clauses = vec![rule(
        STATE,
        "(and (= h ((as const (Array Int Cell)) hole)) (= n 0) (= p 0))",
        "(inv h n p)",
    )];
    let steps = [
        (
            format!("(< n {})", rng.range(2, 6)),
            format!("(inv (store h (+ n 1) (num {c})) (+ n 1) p)"),
        ),
        ("(> n 0)".to_owned(), "(inv h n n)".to_owned()),
        ("(> p 0)".to_owned(), "(inv (store h p (ptr n)) n p)".to_owned()),
        (
            "((_ is num) (select h p))".to_owned(),
            "(inv (store h p (num (+ 1 (get (select h p))))) n p)".to_owned(),
        ),
        ("((_ is ptr) (select h p))".to_owned(), "(inv h n (to (select h p)))".to_owned()),
    ];
    for (guard, head) in &steps {
        if rng.chance(55) {
            clauses.push(rule(STATE, &format!("(and (inv h n p) {guard})"), head));
        }
    }
    clauses.push(rule(STATE, "(inv h n p)", "(read h p (select h p))"));
    let bad = [
        "(and (read h p c) (> p 0) ((_ is hole) c))".to_owned(),
        format!("(and (read h p c) ((_ is num) c) (< (get c) {c}))"),
        "(and (read h p c) ((_ is ptr) c) (< (to c) 1))".to_owned(),
        format!("(and (read h p c) (= c (num {})))", rng.range(0, 4)),
    ];
    clauses.push(rule("(h (Array Int Cell)) (p Int) (c Cell)", rng.pick(&bad).as_str(), "false"));
    (Shape::Linear, declarations, clauses)
}

/// Relations on lists of integers.
pub(crate) fn lists(rng: &mut Rng) -> System {
    let declarations = texts(&[
        "(declare-datatypes ((IntList 0)) (((nil) (cons (hd Int) (tl IntList)))))",
        "(declare-fun append (IntList IntList IntList) Bool)",
        "(declare-fun length (IntList Int) Bool)",
        "(declare-fun below (IntList Int) Bool)",
    ]);
    let mut clauses = texts(&["(forall ((y IntList)) (append nil y y))", "(length nil 0)"]);
    clauses.push(rule(
        "(x Int) (u IntList) (y IntList) (z IntList)",
        "(append u y z)",
        "(append (cons x u) y (cons x z))",
    ));
    clauses.push(rule(
        "(x Int) (u IntList) (n Int)",
        "(length u n)",
        "(length (cons x u) (+ n 1))",
    ));
    clauses.push(rule("(n Int)", "(> n 0)", "(below nil n)"));
    clauses.push(rule(
        "(x Int) (u IntList) (n Int)",
        &format!("(and (below u n) (< x n) {})", rng.pick(&["true", "(>= x 0)"])),
        "(below (cons x u) n)",
    ));
    let binders = "(u IntList) (y IntList) (z IntList) (n Int) (m Int) (k Int)";
    let bad = [
        "(and (append u y z) (length u n) (length z m) (< m n))".to_owned(),
        "(and (append u y z) (length u n) (length y m) (length z k) (distinct k (+ n m)))"
            .to_owned(),
        format!("(and (length u n) (= n {}) (= u (cons k y)) (= y nil))", rng.range(1, 2)),
        format!("(and (length u n) (> n {}))", rng.range(1, 4)),
        "(and (length u n) (< n 0))".to_owned(),
        "(and (below u n) ((_ is cons) u) (>= (hd u) n))".to_owned(),
        "(and (append u y z) (= z nil) ((_ is cons) u))".to_owned(),
        "(and (append u y u) ((_ is cons) y))".to_owned(),
        format!("(and (append u y z) (= z (cons k nil)) (length y n) (> n {}))", rng.range(0, 1)),
    ];
    clauses.push(rule(binders, rng.pick(&bad).as_str(), "false"));
    (Shape::Nonlinear, declarations, clauses)
}

/// Relations on naturals.
pub(crate) fn naturals(rng: &mut Rng) -> System {
    let declarations = texts(&[
        "(declare-datatypes ((Nat 0)) (((zero) (succ (pred Nat)))))",
        "(declare-fun plus (Nat Nat Nat) Bool)",
        "(declare-fun le (Nat Nat) Bool)",
        "(declare-fun even (Nat) Bool)",
    ]);
    let mut clauses =
        texts(&["(forall ((y Nat)) (plus zero y y))", "(forall ((y Nat)) (le zero y))"]);
    clauses.push(rule("(x Nat) (y Nat) (z Nat)", "(plus x y z)", "(plus (succ x) y (succ z))"));
    clauses.push(rule("(x Nat) (y Nat)", "(le x y)", "(le (succ x) (succ y))"));
    clauses.push("(even zero)".to_owned());
    let step =
        if rng.chance(80) { "(even (succ (succ x)))" } else { "(even (succ (succ (succ x))))" };
    clauses.push(rule("(x Nat)", "(even x)", step));
    let numeral = |n: usize| format!("{}zero{}", "(succ ".repeat(n), ")".repeat(n));
    let (n, m) = (numeral(rng.below(4)), numeral(rng.below(5)));
    let bad = [
        "(and (plus x y z) (le z x) ((_ is succ) y))".to_owned(),
        "(and (plus x y z) (not (= x zero)) (= z y))".to_owned(),
        format!("(and (plus x {n} z) (= z {m}))"),
        "(and (even x) (even (succ x)))".to_owned(),
        format!("(and (even x) (= x {m}))"),
        "(and (le x y) (le y x) (distinct x y))".to_owned(),
        "(and (le (succ x) y) (le y x))".to_owned(),
        "(and (even x) (plus x x y) (= y (succ z)) (even z))".to_owned(),
    ];
    clauses.push(rule("(x Nat) (y Nat) (z Nat)", rng.pick(&bad).as_str(), "false"));
    (Shape::Nonlinear, declarations, clauses)
}

/// A loop over two words.
pub(crate) fn words(rng: &mut Rng) -> System {
    let width = *rng.pick(&[2, 3, 4, 5, 8, 8, 16, 32]);
    let largest = 1i64 << width.min(5);
    let literal = |rng: &mut Rng| format!("(_ bv{} {width})", rng.range(0, largest - 1));
    let sort = format!("(_ BitVec {width})");
    let binders = format!("(x {sort}) (y {sort})");
    let mut clauses = Vec::new();
    let (start, other) = (literal(rng), literal(rng));
    clauses.push(rule(&binders, &format!("(and (= x {start}) (= y {other}))"), "(inv x y)"));
    for _ in 0..=rng.below(2) {
        let compare = *rng.pick(&["bvult", "bvule", "bvslt", "bvsgt"]);
        let bound = literal(rng);
        let small = format!("(_ bv{} {width})", rng.range(1, 3));
        let operators =
            ["bvadd", "bvadd", "bvsub", "bvmul", "bvand", "bvor", "bvxor", "bvlshr", "bvurem"];
        let (f, g) = (*rng.pick(&operators), *rng.pick(&["bvadd", "bvsub", "bvxor"]));
        let argument = *rng.pick(&["x", small.as_str()]);
        clauses.push(rule(
            &binders,
            &format!("(and (inv x y) ({compare} x {bound}))"),
            &format!("(inv ({f} x {small}) ({g} y {argument}))"),
        ));
    }
    let (compare, bound) = (*rng.pick(&["bvugt", "bvuge", "bvslt", "="]), literal(rng));
    let bad = [
        format!("({compare} x {bound})"),
        format!("({compare} (bvadd x y) {bound})"),
        "(= (bvand x #b1) #b1)".replace("#b1", &format!("(_ bv1 {width})")),
        format!("(and (bvult y x) (= ((_ extract 0 0) y) #b1) ({compare} y {bound}))"),
    ];
    clauses.push(rule(&binders, &format!("(and (inv x y) {})", rng.pick(&bad)), "false"));
    (Shape::Loop, vec![format!("(declare-fun inv ({sort} {sort}) Bool)")], clauses)
}
