//! How long large texts of every language take to become clauses, and how much memory.
//!
//! `throughput MEGABYTES…` makes texts of these sizes for each language and each shape (many
//! clauses, many variables, long terms, deep nesting) and prints a row for each. Each text is read
//! in a process of its own, so that memory can be told.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Command;
use std::time::Instant;

use shofar_base::Source;
use shofar_chc::read::{FrontEnd, SMT_LIB};
use shofar_frontend::{ARI, C, NTS, PROLOG, UPPAAL, VMT};
use shofar_term::TermStore;

/// Makes a text of about so many bytes.
type Generator = fn(usize) -> String;

/// What is read, by the names of language and shape.
const TEXTS: &[(&str, &FrontEnd, &str, Generator)] = &[
    ("SMT-LIB", &SMT_LIB, "clauses", |bytes| {
        let begin = "(set-logic HORN)\n(declare-fun p (Int Int) Bool)\n".to_owned();
        repeat(begin, bytes, "(check-sat)", |k| {
            format!(
                "(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x {k})) (p (+ x {k}) y))))\n"
            )
        })
    }),
    ("SMT-LIB", &SMT_LIB, "variables", |bytes| {
        let count = bytes / 33;
        let (sorts, binders) =
            (list(count, " ", |_| "Int".into()), list(count, " ", |k| format!("(x{k} Int)")));
        let names = list(count, " ", |k| format!("x{k}"));
        format!(
            "(set-logic HORN)(declare-fun p ({sorts}) Bool)\n(assert (forall ({binders}) (=> (p {names}) (p {names}))))\n(check-sat)"
        )
    }),
    ("SMT-LIB", &SMT_LIB, "terms", |bytes| {
        let begin = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (forall ((x Int) (y Int)) (=> (and (p x) (= y (+ 0".to_owned();
        repeat(begin, bytes, "))) (p y))))(check-sat)", |k| format!(" (ite (< x {k}) {k} x)"))
    }),
    ("SMT-LIB", &SMT_LIB, "nesting", |bytes| {
        let term = nested("(ite (< x 5) 1 (- 3 ", "x", "))", bytes);
        format!(
            "(set-logic HORN)(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (p x) (p {term}))))(check-sat)"
        )
    }),
    ("Prolog", &PROLOG, "clauses", |bytes| {
        repeat(String::new(), bytes, "false :- p0(X, Y), X < 0.", |k| {
            format!("p{k}(X, Y) :- p{}(Z, Y), X = Z + {k}, Z < {k}.\n", k / 2)
        })
    }),
    ("Prolog", &PROLOG, "variables", |bytes| {
        let names = list(bytes / 18, ", ", |k| format!("X{k}"));
        format!("p({names}) :- p({names}).\nfalse :- q(X), X < 0.")
    }),
    ("Prolog", &PROLOG, "terms", |bytes| {
        repeat("p(Y) :- p(X), Y = 0".to_owned(), bytes, ".", |k| format!(" + {k} * X"))
    }),
    ("Prolog", &PROLOG, "nesting", |bytes| {
        format!("p(Y) :- p(X), Y = {}.", nested("(1 - ", "X", ")", bytes))
    }),
    ("NTS", &NTS, "transitions", |bytes| {
        let begin =
            "nts n; main { x, y : int; initial s0; error e; s0 -> e { x < 0 and havoc() }\n"
                .to_owned();
        repeat(begin, bytes, "}", |k| {
            format!("s{} -> s{k} {{ x > {k} and x' = x + {k} and havoc(x) }}\n", k / 2)
        })
    }),
    ("NTS", &NTS, "variables", |bytes| {
        let names = list(bytes / 18, ", ", |k| format!("x{k}"));
        format!(
            "nts n; main {{ {names} : int; initial s; s -> t {{ x0 > 0 and havoc({names}) }} t -> t {{ havoc(x0) }} }}"
        )
    }),
    ("NTS", &NTS, "procedures", |bytes| {
        let last = bytes / 86;
        let begin = format!(
            "nts n; main {{ initial s; s -> t {{ f{last}() and havoc() }} }} f0 {{ initial a; final a; }}\n"
        );
        begin
            + &list(last, "", |k| {
                let own = k + 1;
                format!(
                    "f{own} {{ x : int; initial a; final c; a -> b {{ x > 0 and havoc() }} b -> c {{ f{k}() and havoc() }} }}\n"
                )
            })
    }),
    ("NTS", &NTS, "terms", |bytes| {
        repeat("nts n; main { x : int; initial s; s -> s { x' = 0".to_owned(), bytes, " } }", |k| {
            format!(" + {k} * x")
        })
    }),
    ("NTS", &NTS, "nesting", |bytes| {
        format!(
            "nts n; main {{ x : int; initial s; s -> s {{ x' = {} }} }}",
            nested("(1 - ", "x", ")", bytes)
        )
    }),
    ("VMT", &VMT, "definitions", |bytes| {
        let begin = "(declare-fun x () Int)(declare-fun x1 () Int)(define-fun nx () Int (! x :next x1))\n(define-fun i () Bool (! (= x 0) :init true))\n(define-fun d0 () Int x)\n".to_owned();
        repeat(
            begin,
            bytes,
            "(define-fun t () Bool (! (= x1 d1) :trans true))(define-fun p () Bool (! (>= x 0) :invar-property 0))",
            |k| format!("(define-fun d{k} () Int (ite (< d{} {k}) (+ x {k}) x))\n", k - 1),
        )
    }),
    ("VMT", &VMT, "variables", |bytes| {
        let count = bytes / 150;
        let mut text = String::new();
        for k in 0..count {
            let _ = writeln!(
                text,
                "(declare-fun x{k} () Int)(declare-fun y{k} () Int)(define-fun n{k} () Int (! x{k} :next y{k}))"
            );
        }
        let (start, step) = (
            list(count, " ", |k| format!("(= x{k} {k})")),
            list(count, " ", |k| format!("(= y{k} (+ x{k} 1))")),
        );
        text + &format!(
            "(define-fun i () Bool (! (and {start}) :init true))\n(define-fun t () Bool (! (and {step}) :trans true))\n(define-fun p () Bool (! (>= x0 0) :invar-property 0))"
        )
    }),
    ("VMT", &VMT, "nesting", |bytes| {
        let term = nested("(ite (< x 5) 1 (- 3 ", "x", "))", bytes);
        format!(
            "(declare-fun x () Int)(declare-fun x1 () Int)(define-fun nx () Int (! x :next x1))(define-fun i () Bool (! (= x 0) :init true))(define-fun t () Bool (! (= x1 {term}) :trans true))(define-fun p () Bool (! (>= x 0) :invar-property 0))"
        )
    }),
    ("UPPAAL, XML", &UPPAAL, "locations", |bytes| {
        let begin = "<nta><declaration>int n;</declaration><template><name>P</name>\n".to_owned();
        let end = "<init ref=\"id1\"/><transition><source ref=\"id1\"/><target ref=\"id2\"/></transition></template><system>system P;</system><queries><query><formula>A[] n == 0</formula></query></queries></nta>";
        repeat(begin, bytes, end, |k| {
            format!("<location id=\"id{k}\"><name>l{k}</name></location>\n")
        })
    }),
    ("UPPAAL, XML", &UPPAAL, "terms", |bytes| {
        let begin = "<nta><declaration>int n;</declaration><template><name>P</name><location id=\"a\"/><init ref=\"a\"/><transition><source ref=\"a\"/><target ref=\"a\"/><label kind=\"guard\">n == 0".to_owned();
        let end = "</label></transition></template><system>system P;</system><queries><query><formula>A[] n == 0</formula></query></queries></nta>";
        repeat(begin, bytes, end, |k| format!(" or n &lt; {k}"))
    }),
    ("UPPAAL, textual", &UPPAAL, "locations", |bytes| {
        let begin = "int n; process P() { state err".to_owned();
        repeat(begin, bytes, "; init l1; trans l1 -> l2 { guard n > 0; }; } system P;", |k| {
            format!(", l{k}")
        })
    }),
    ("UPPAAL, textual", &UPPAAL, "nesting", |bytes| {
        let term = nested("(1 - ", "n", ")", bytes);
        format!(
            "int n; process P() {{ state a, err; init a; trans a -> err {{ guard n == {term}; }}; }} system P;"
        )
    }),
    ("C", &C, "statements", |bytes| {
        let begin = "int main() { int x = 0;\n".to_owned();
        repeat(begin, bytes, "assert(x > 0); }", |k| format!("  x = x + {};\n", k % 100))
    }),
    ("C", &C, "loops", |bytes| {
        let begin = "int main() { int x = 0;\n".to_owned();
        repeat(begin, bytes, "assert(x > 0); }", |k| format!("  while (x < {k}) x++;\n"))
    }),
    ("C", &C, "variables", |bytes| {
        let begin = "int main() { int x0 = 0;\n".to_owned();
        repeat(begin, bytes, "assert(x0 == 0); }", |k| format!("  int x{k} = x{};\n", k - 1))
    }),
    ("C", &C, "functions", |bytes| {
        let last = bytes / 70;
        let begin = "int f0(int n) { while (n > 0) n--; return n; }\n".to_owned();
        let functions = list(last, "", |k| {
            let own = k + 1;
            format!("int f{own}(int n) {{ while (n > {k}) n = f{k}(n - 1); return n; }}\n")
        });
        begin + &functions + &format!("int main() {{ assert(f{last}(1) > 0); }}")
    }),
    ("ARI", &ARI, "rules", |bytes| {
        let begin =
            "(format LCTRS)(theory Ints)(fun f (-> Int Int Int))(entrypoint f)\n".to_owned();
        repeat(begin, bytes, "", |k| format!("(rule (f x y) (f (- x {k}) y) :guard (> x {k}))\n"))
    }),
    ("ARI", &ARI, "variables", |bytes| {
        let count = bytes / 22;
        let (sorts, names) =
            (list(count, " ", |_| "Int".into()), list(count, " ", |k| format!("x{k}")));
        format!(
            "(format LCTRS)(theory Ints)(fun f (-> {sorts} Int))(entrypoint f)(rule (f {names}) (f {names}) :guard (> x0 0))"
        )
    }),
    ("ARI", &ARI, "nesting", |bytes| {
        let term = nested("(- 3 ", "x", ")", bytes);
        format!(
            "(format LCTRS)(theory Ints)(fun f (-> Int Int))(entrypoint f)(rule (f x) (f {term}) :guard (> x 0))"
        )
    }),
];

/// `begin`, as many parts as there is room for, counted from 1, and `end`.
fn repeat(begin: String, bytes: usize, end: &str, part: impl Fn(usize) -> String) -> String {
    let mut text = begin;
    for k in 1.. {
        if text.len() >= bytes {
            break;
        }
        text.push_str(&part(k));
    }
    text + end
}

fn list(count: usize, between: &str, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(between)
}

fn nested(open: &str, inner: &str, close: &str, bytes: usize) -> String {
    let depth = bytes / (open.len() + close.len());
    [&open.repeat(depth), inner, &close.repeat(depth)].concat()
}

/// The most memory that this process has had, in megabytes.
fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.unwrap_or(f64::NAN) / 1024.0
}

/// Reads the text with this number, of so many megabytes, and tells what came of it.
fn read(number: usize, megabytes: usize) {
    let (language, front_end, shape, generate) = TEXTS[number];
    let text = generate(megabytes * 1_000_000);
    let before = peak();
    let mut store = TermStore::new();
    let begin = Instant::now();
    let result = front_end.read_plainly(text.as_bytes(), &mut store);
    let seconds = begin.elapsed().as_secs_f64();
    let what = match result {
        Ok(problems) => {
            let clauses: usize = problems.iter().map(|p| p.system.clause_count()).sum();
            format!("{clauses} clauses")
        }
        Err(error) => error.headline("refused", &Source::new(text.as_bytes())),
    };
    let memory = peak() - before;
    let row =
        format!("| {language} | {shape} | {megabytes} | {seconds:.2} | {memory:.0} | {what} |");
    let _ = writeln!(std::io::stdout(), "{row}");
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, number, megabytes] = &arguments[..]
        && flag == "--one"
    {
        return read(number.parse().unwrap_or(0), megabytes.parse().unwrap_or(1));
    }
    let _ = writeln!(
        std::io::stdout(),
        "| language | many, long or deep | MB | seconds | MB of memory | what |\n|---|---|---|---|---|---|"
    );
    let Ok(program) = std::env::current_exe() else { return };
    for number in 0..TEXTS.len() {
        for megabytes in &arguments {
            let number = number.to_string();
            let status = Command::new(&program).args(["--one", &number, megabytes]).status();
            if !status.is_ok_and(|status| status.success()) {
                let _ =
                    writeln!(std::io::stdout(), "| text {number} of {megabytes} MB: a failure |");
            }
        }
    }
}
