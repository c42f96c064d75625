//! What scripts elaborate to: `check(input, expected)` compares the printed assertions, or the
//! error.

use shofar_base::Rng;
use shofar_smtlib::{Command, Commands, Environment, Quoted, Step};
use shofar_term::TermStore;
use shofar_term::print::print;

/// The assertions of the script, side conditions included, or its first error.
fn run(text: &str) -> Vec<String> {
    let (mut env, mut store) = (Environment::new(), TermStore::new());
    let mut commands = Commands::of_text(text.as_bytes().to_vec());
    let mut shown = Vec::new();
    loop {
        match commands.next(&mut env, &mut store) {
            Ok(Step::Sentence(sentence)) => {
                shown.extend(sentence.side_conditions.iter().map(|&term| print(&store, term)));
                if let Command::Assert { term, name, .. } = sentence.command {
                    let name = name.map_or(String::new(), |name| format!("{name}: "));
                    shown.push(format!("{name}{}", print(&store, term)));
                } else if let Command::GetValue(terms) | Command::CheckSatAssuming(terms) =
                    sentence.command
                {
                    let show = |quoted: &Quoted| {
                        format!("{} ~ {}", quoted.text, print(&store, quoted.term))
                    };
                    shown.extend(terms.iter().map(show));
                }
            }
            Ok(Step::End | Step::NeedInput) => return shown,
            Err(error) => {
                let headline = error.headline("in", &commands.source());
                shown.push(headline.trim_start_matches("in:").to_owned());
                return shown;
            }
        }
    }
}

const DECLARATIONS: &str = "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)(declare-const x Int)\
    (declare-const y Int)(declare-const u Real)(declare-const v Real)\n";

/// A formula over p, q, r (Bool), x, y (Int), u, v (Real).
fn check(formula: &str, expected: &str) {
    let shown = run(&format!("{DECLARATIONS}(assert {formula})"));
    assert_eq!(shown.join(" | "), expected, "for {formula}");
}

/// An error in a formula; positions count from the formula's line.
fn check_error(formula: &str, expected: &str) {
    let shown = run(&format!("{DECLARATIONS}{formula}"));
    assert_eq!(shown.last().map(String::as_str), Some(expected), "for {formula}");
}

/// A whole script.
fn check_script(script: &str, expected: &[&str]) {
    assert_eq!(run(script), expected, "for {script}");
}

#[test]
fn propositional_connectives() {
    check("true", "true");
    check("(and p q)", "(and p q)");
    check("(=> p q r)", "(or r (not p) (not q))");
    check("(xor p q)", "(not (= p q))");
    check("(= p q r)", "(and (= p q) (= q r))");
    check("(distinct p q)", "(not (= p q))");
    check("(distinct p q r)", "(and (not (= p q)) (not (= p r)) (not (= q r)))");
    check("(ite p q r)", "(ite p q r)");
    check("(not (not |p|))", "p");
    check("(and p)", "p");
}

#[test]
fn linear_arithmetic() {
    check("(<= (+ x (* 3 y)) 5)", "(<= (+ x (* 3 y)) 5)");
    check("(< x y)", "(< x y)");
    check("(> x 3)", "(>= x 4)");
    check("(<= (- (- (- x) (- y 2)) 7) 0)", "(>= (+ x y) (- 5))");
    check("(= (* 2 (+ x 1) 3) (* y (- 2)))", "(= (+ (* 3 x) y) (- 3))");
    check("(< x y 5)", "(and (< x y) (<= y 4))");
    check("(= x y 2)", "(and (= x y) (= y 2))");
    check("(<= (/ u 3) 0.5)", "(<= u (/ 3.0 2.0))");
    check("(<= (/ 1 3) u)", "(>= u (/ 1.0 3.0))");
    check("(<= (/ u 2 3) 1)", "(<= u 6.0)");
    check("(<= (* (- x x) y) 0)", "true");
    check("(<= (* (- (+ x 2) x) y) 4)", "(<= y 2)");
    check("(<= (* x (+ y 1) 0) 0)", "true");
}

#[test]
fn integers_and_reals_mix() {
    check("(<= x u)", "(<= (to_real x) u)");
    check("(< (to_real x) 2.5)", "(<= x 2)");
    check("(= (ite p x 1.5) u)", "(= u (ite p (to_real x) (/ 3.0 2.0)))");
    check("(is_int u)", "(= u (to_real (to_int u)))");
    check("(is_int x)", "true");
    check("(= (to_int u) x)", "(= x (to_int u))");
    check("(distinct x u)", "(not (= (to_real x) u))");
}

#[test]
fn integer_division() {
    check("(= (div x 2) 3)", "(= (div x 2) 3)");
    check("(= (mod (+ x 5) 3) 1)", "(= (mod (+ x 2) 3) 1)");
    check("(= (div x 2 3) 1)", "(= (div (div x 2) 3) 1)");
    check("(= (div x (- 2)) 1)", "(= (div x 2) (- 1))");
    check("((_ divisible 3) x)", "(= (mod x 3) 0)");
    check("(> (abs x) 2)", "(>= (ite (<= x (- 1)) (- x) x) 3)");
}

#[test]
fn binding_and_annotation() {
    check("(let ((a p) (b q)) (and a b))", "(and p q)");
    check("(let ((p q) (q p)) (=> p q))", "(or p (not q))");
    check("(let ((p q)) (let ((r p)) (and r p)))", "q");
    check("(let ((a (+ x 1))) (<= a (+ a a)))", "(>= x (- 1))");
    check("(! (and p q) :named top)", "top: (and p q)");
    check("(and (! p :named n) (! q :weight 5 :pattern (p q) :named m))", "(and p q)");
    check("(= (as x Int) 1)", "(= x 1)");
    check("(let ((and p)) (or and q))", "(or p q)");
}

#[test]
fn names_and_definitions_last_as_long_as_their_scope() {
    check_script(
        "(declare-const p Bool)(assert (! p :named a))(assert (not a))",
        &["a: p", "(not p)"],
    );
    check_script("(push)(declare-const p Int)(pop)(declare-const p Bool)(assert p)", &["p"]);
    check_script(
        "(set-option :global-declarations true)(push 2)(declare-const p Bool)(pop 2)(assert p)(declare-const p Bool)",
        &["p", "1:101: `p` is already declared or defined"],
    );
    check_script(
        "(push)(declare-const p Bool)(reset-assertions)(declare-const p Bool)(assert p)(pop)",
        &["p", "1:79: cannot pop 1 scopes: 0 are open"],
    );
    check_script("(set-logic QF_LRA)(reset)(set-logic QF_LIA)(assert (= 1 1.0))", &["true"]);
}

/// Declared sorts S and T, constants a, b (S), c (T), and functions f (S S) S, g (Int) Real, h
/// (Bool) S, t (S) T, is (S Real) Bool.
const SIGNATURE: &str = "(declare-sort S 0)(declare-sort |T 1| 0)(declare-const a S)(declare-fun b () S)\
    (declare-const c |T 1|)(declare-fun f (S S) S)(declare-fun g (Int) Real)(declare-fun h (Bool) S)\
    (declare-fun t (S) |T 1|)(declare-fun is (S Real) Bool)";

/// A formula over the signature and the usual constants.
fn check_function(formula: &str, expected: &str) {
    let shown = run(&format!("{SIGNATURE}{DECLARATIONS}(assert {formula})"));
    assert_eq!(shown.join(" | "), expected, "for {formula}");
}

#[test]
fn functions_and_elements() {
    check_function("(= a (f b a))", "(= a (f b a))");
    check_function("(= (t (f a b)) c)", "(= c (t (f a b)))");
    check_function("(= a a)", "true");
    check_function("(= a b (f a b))", "(and (= a b) (= b (f a b)))");
    check_function("(distinct a b)", "(not (= a b))");
    check_function("(not (distinct b a))", "(= a b)");
    check_function(
        "(distinct a b (h p))",
        "(and (not (= a b)) (not (= a (h p))) (not (= b (h p))))",
    );
    check_function("(= (ite p a b) (ite (not p) b a))", "true");
    check_function("(= (ite p a b) b)", "(= b (ite p a b))");
    check_function("(= (let ((a b) (z (f a a))) (f a z)) a)", "(= a (f b (f a a)))");
    check_function("(= (h (= a b)) (h (and p q)))", "(= (h (= a b)) (h (and p q)))");
    check_function("(is (as a S) (g x))", "(is a (g x))");
    check_function("(let ((f p)) (and f (= a b)))", "(and p (= a b))");
}

#[test]
fn applications_are_numbers_in_sums() {
    check_function("(<= (+ (g x) (* 2 (g (+ x 1)))) (g x))", "(<= (g (+ x 1)) 0.0)");
    check_function("(= (g (+ x y 1)) (g (+ y (- x (- 1)))))", "true");
    check_function("(< (g (* 2 x)) x)", "(> (to_real x) (g (* 2 x)))");
    check_function("(is a x)", "(is a (to_real x))");
    check_function("(is a 1)", "(is a 1.0)");
    check_function("(= (g 2.0) u)", "(= u (g 2))");
    let reals = "(set-logic QF_UFLRA)(declare-fun k (Real) Real)(assert (= (k 1) (k (k (- 1)))))";
    check_script(reals, &["(= (k 1.0) (k (k (- 1.0))))"]);
}

#[test]
fn functions_in_definitions() {
    let script = format!(
        "{SIGNATURE}(define-fun twice ((x S)) S (f x x))(define-sort U () S)(define-const d U (twice (twice a)))\
         (declare-fun e (U) U)(assert (= (twice b) d))(assert (= a (e d)))"
    );
    check_script(&script, &["(= (f (f a a) (f a a)) (f b b))", "(= a (e (f (f a a) (f a a))))"]);
}

#[test]
fn functions_and_sorts_last_as_long_as_their_scope() {
    check_script(
        "(push)(declare-sort S 0)(declare-fun f (S) S)(pop)(declare-sort S)(declare-fun f (Bool) S)\
         (assert (= (f true) (f false)))",
        &["(= (f true) (f false))"],
    );
    check_script(
        "(set-option :global-declarations true)(push)(declare-sort S 0)(pop)(declare-const a S)\n(declare-sort S 0)",
        &["2:15: the sort `S` is already declared or defined"],
    );
    check_script(
        "(push)(declare-fun f (Int) Bool)(pop)\n(assert (f 1))",
        &["2:10: unknown function `f`"],
    );
    check_script(
        "(declare-sort S 0)(reset-assertions)\n(declare-const a S)",
        &["2:18: unknown sort `S`"],
    );
}

#[test]
fn misuse_of_functions_and_elements() {
    let check = |formula: &str, expected: &str| {
        let shown = run(&format!("{SIGNATURE}{DECLARATIONS}(assert {formula})"));
        assert_eq!(shown.last().map(String::as_str), Some(expected), "for {formula}");
    };
    check("(= a c)", "2:14: expected a term of sort S, found |T 1|");
    check("(= 1 a)", "2:14: expected a term of sort Int, found S");
    check("(= (f a b) p)", "2:20: expected a term of sort S, found Bool");
    check("(= c (ite p a c))", "2:23: expected a term of sort S, found |T 1|");
    check("(distinct a b c)", "2:23: expected a term of sort S, found |T 1|");
    check("(< a b)", "2:12: expected a term of sort Int or Real, found S");
    check("(= (f a) b)", "2:12: `f` takes 2 arguments, found 1");
    check("(= (h p q) b)", "2:12: `h` takes 1 argument, found 2");
    check("(= (f a c) b)", "2:17: expected a term of sort S, found |T 1|");
    check("(is a p)", "2:15: expected a term of sort Real, found Bool");
    check("(= (g 1.5) 1.0)", "2:15: expected a term of sort Int, found Real");
    check("(= f a)", "2:12: `f` is a function and needs arguments");
    check("(h p)", "2:9: expected a term of sort Bool, found S");
    check("(= (as a |T 1|) c)", "2:12: expected a term of sort |T 1|, found S");
}

#[test]
fn definitions_are_expanded() {
    let script = "(declare-const x Int)(declare-const y Int)(define-fun f ((x Int) (b Bool)) Int (ite b (+ x y) 0))\
        (define-fun c () Real 1)(define-const d Int 2)(assert (< (f (+ y y) true) d))(assert (< c (f x (< x 1))))";
    let expected = ["(<= (* 3 y) 1)", "(>= (ite (<= x 0) (+ x y) 0) 2)"];
    let shown = run(script);
    assert_eq!(shown.len(), 2, "{shown:?}");
    assert_eq!(shown[1], expected[1]);
    // The parameter is not captured by the call's surroundings, nor the other way round.
    check_script(
        "(declare-const y Int)(define-fun f ((x Int)) Int (+ x y))(assert (let ((y 5)) (= (f y) 7)))",
        &["(= y 2)"],
    );
}

#[test]
fn products_of_parameters_are_expanded_for_each_call() {
    let head =
        "(declare-const x Int)(declare-const k Int)(define-fun m ((k Int) (t Int)) Int (* k t))";
    check_script(&format!("{head}(assert (= (m 3 x) (let ((k 3)) (m k 1))))"), &["(= x 1)"]);
    check_script(
        &format!("{head}\n(assert (= (m x x) 1))"),
        &["2:12: in the expansion of `m`: a product of terms is not linear"],
    );
    check_script(
        &format!("{head}(define-fun s ((t Int)) Int (m t t))(assert (= (+ (s 3) k) 10))"),
        &["(= k 1)"],
    );
}

#[test]
fn division_by_zero_is_a_function_of_the_dividend() {
    let head = "(declare-const u Real)(declare-const v Real)(define-fun d ((a Real)) Real (/ a 0))";
    check_script(
        &format!("{head}(assert (= (/ u 0) 1.0))(assert (= (d u) (d v)))(assert (= (/ v 0.0) 2))"),
        &[
            "(= real-division-by-zero!1 1.0)",
            "(or (= real-division-by-zero!1 real-division-by-zero!2) (not (= u v)))",
            "(= real-division-by-zero!1 real-division-by-zero!2)",
            "(= real-division-by-zero!2 2.0)",
        ],
    );
    // What a pop takes away comes back.
    let shown =
        run(&format!("{head}(push)(assert (= (/ u 0) (/ v 0)))(pop)(assert (= (/ v 0) 1))"));
    assert_eq!(shown.len(), 4, "{shown:?}");
    assert_eq!(shown[0], shown[2]);
    let shown = run(
        "(declare-const x Int)(assert (= (div x 0) (mod x 0)))(assert (= (div 1 0) (div 2 0)))",
    );
    assert_eq!(shown.len(), 4, "div and mod are unrelated, different numbers too: {shown:?}");
}

#[test]
fn numerals_follow_the_logic() {
    check_script(
        "(set-logic QF_LRA)(declare-const u Real)(assert (= (ite (= u 1) 2 3) u))",
        &["(= u (ite (= u 1.0) 2.0 3.0))"],
    );
    check_script(
        "(set-logic QF_RDL)(declare-const u Real)(assert (< (- u 007) 1))",
        &["(< u 8.0)"],
    );
}

#[test]
fn terms_keep_their_text() {
    check_script(
        "(declare-const |a b| Int)(get-value ((+ |a b|   1) |a b|))(check-sat-assuming ((= |a b| 1) true))",
        &[
            "(+ |a b|   1) ~ (+ |a b| 1)",
            "|a b| ~ |a b|",
            "(= |a b| 1) ~ (= |a b| 1)",
            "true ~ true",
        ],
    );
}

#[test]
fn sort_errors() {
    check_error("(assert (+ x 1))", "2:9: expected a term of sort Bool, found Int");
    check_error("(assert (and p x))", "2:16: expected a term of sort Bool, found Int");
    check_error("(assert (<= (+ x p) 1))", "2:18: expected a term of sort Int or Real, found Bool");
    check_error("(assert (= p (+ x 1)))", "2:14: expected a term of sort Bool, found Int");
    check_error("(assert (= x (not p)))", "2:14: expected a term of sort Int, found Bool");
    check_error("(assert (ite x p q))", "2:14: expected a term of sort Bool, found Int");
    check_error("(assert (ite p q 2))", "2:18: expected a term of sort Bool, found Int");
    check_error("(assert (= (div u 2) 1))", "2:17: expected a term of sort Int, found Real");
    check_error("(define-fun f () Int 1.5)", "2:22: expected a term of sort Int, found Real");
    check_error("(define-fun f ((a Int)) Bool a)", "2:30: expected a term of sort Bool, found Int");
    check_error(
        "(define-fun f ((a Int)) Bool (< a 1))(assert (f p))",
        "2:49: expected a term of sort Int, found Bool",
    );
}

#[test]
fn arity_and_linearity_errors() {
    check_error("(assert (not p q))", "2:9: `not` takes 1 argument, found 2");
    check_error("(assert (= p))", "2:9: `=` takes at least 2 arguments, found 1");
    check_error("(assert (and))", "2:9: `and` takes at least 1 argument, found 0");
    check_error(
        "(define-fun f ((a Int)) Int a)(assert (= (f) 1))",
        "2:42: `f` takes 1 argument, found 0",
    );
    check_error("(assert (= (* x y) 1))", "2:12: a product of terms is not linear");
    check_error(
        "(assert (= (/ 1 u) 1))",
        "2:12: a quotient whose divisor is not a number is not linear",
    );
    check_error("(assert (= (mod x y) 1))", "2:12: `mod` needs a number as divisor to be linear");
    check_error("(assert (x 1))", "2:10: `x` is a constant and takes no arguments");
    check_error("(assert and)", "2:9: `and` is a function and needs arguments");
}

#[test]
fn unsupported_things_are_named() {
    check_error("(assert (forall ((z Int)) true))", "2:10: quantifiers are not supported");
    check_error("(declare-const a (Seq Int))", "2:19: the sort `Seq` is not supported");
    check_error(
        "(declare-const a (_ FloatingPoint 8 24))",
        "2:21: the sort `FloatingPoint` is not supported",
    );
    check_error("(declare-sort P 1)", "2:15: sorts with parameters are not supported: `P`");
    check_error("(assert (= #xff x))", "2:17: expected a term of sort (_ BitVec 8), found Int");
    check_error("(assert (bvfoo x y))", "2:10: unknown function `bvfoo`");
    check_error("(assert (= x -5))", "2:14: unknown symbol `-5`");
    check_error("(assert ((_ foo 3) x))", "2:13: the indexed function `foo` is not supported");
    check_error("(assert (_ bvx 3))", "2:10: the indexed identifier `bvx` is not supported");
    check_error("(set-logic QF_FP)", "2:12: the logic `QF_FP` is not supported");
    check_error(
        "(define-fun-rec f ((x Int)) Int (f x))",
        "2:34: recursive functions are not supported: `f` is defined through itself",
    );
    check_error(
        "(define-funs-rec ((f ((x Int)) Int) (g ((x Int)) Int)) ((g x) (+ x 1)))",
        "2:58: `f` is defined through `g`, which is defined later",
    );
    check_error("(frobnicate)", "2:2: unknown command `frobnicate`");
}

#[test]
fn names_must_be_new_and_known() {
    check_error("(declare-const x Int)", "2:16: `x` is already declared or defined");
    check_error("(declare-const and Bool)", "2:16: `and` is a function of the theories");
    check_error("(declare-const let Bool)", "2:16: expected a name, found the reserved word `let`");
    check_error("(assert z)", "2:9: unknown symbol `z`");
    check_error("(assert (let ((a p) (a q)) a))", "2:22: `a` is bound twice in one `let`");
    check_error("(assert (let ((a p)) p))(assert a)", "2:33: unknown symbol `a`");
    check_error("(assert (! p :named x))", "2:21: the name `x` is already in use");
    check_error("(define-fun f ((a Int) (a Int)) Int a)", "2:25: the parameter `a` occurs twice");
    check_error("(pop)", "2:1: cannot pop 1 scopes: 0 are open");
}

#[test]
fn broken_syntax() {
    check_error(
        "(assert p",
        "2:1: the input ends inside this command: 1 parenthesis is not closed",
    );
    check_error("(assert p))", "2:11: this parenthesis closes nothing");
    check_error("foo", "2:1: expected a command, which begins with `(`");
    check_error("(echo \"abc)", "2:7: this string is not closed");
    check_error("(assert |abc)", "2:9: this quoted symbol is not closed");
    check_error("(assert )", "2:9: expected a term, found `)`");
    check_error("(assert p q)", "2:11: expected `)`, found a symbol");
    check_error("(assert (let p q))", "2:14: expected the bindings of `let`, found a symbol");
    check_error("(assert (let ((a)) p))", "2:17: expected a term, found `)`");
    check_error("(assert (! p))", "2:13: an annotation needs an attribute");
    check_error(
        "(assert \u{1})",
        "2:9: the byte 0x01 cannot stand outside strings, quoted symbols and comments",
    );
    check_error("()", "2:2: expected the name of a command, found `)`");
    check_error("(push 99999999999999999999)", "2:7: more than 1000000 scopes are not supported");
}

#[test]
fn reading_goes_on_after_an_error() {
    let (mut env, mut store) = (Environment::new(), TermStore::new());
    let mut commands = Commands::of_text(
        b"(assert (let ((a true)) (and a b)))\n(assert a) \xff\n(check-sat)".to_vec(),
    );
    let mut seen = Vec::new();
    loop {
        match commands.next(&mut env, &mut store) {
            Ok(Step::Sentence(sentence)) => seen.push(format!("{:?}", sentence.command)),
            Ok(Step::NeedInput | Step::End) => break,
            Err(error) => seen.push(error.message),
        }
    }
    let expected = [
        "unknown symbol `b`",
        "unknown symbol `a`",
        "expected a command, which begins with `(`",
        "CheckSat",
    ];
    assert_eq!(seen, expected);
}

#[test]
fn invalid_utf8_is_an_error_where_it_stands() {
    let (mut env, mut store) = (Environment::new(), TermStore::new());
    let mut commands = Commands::of_text(b"(echo \"ab\xffc\")".to_vec());
    let error = commands.next(&mut env, &mut store).unwrap_err();
    assert_eq!((error.message.as_str(), error.span.start), ("this is not UTF-8", 9));
}

#[test]
fn sort_abbreviations() {
    check_script(
        "(define-sort Word () Int)(define-sort Id (T) T)(define-sort Second (A B) (Id B))\
         (declare-const x Word)(declare-fun y () (Id (Second Bool Word)))(assert (< x y))",
        &["(< x y)"],
    );
    check_script(
        "(push)(define-sort W () Int)(pop)\n(declare-const x W)",
        &["2:18: unknown sort `W`"],
    );
    check_script(
        "(define-sort Int () Bool)",
        &["1:14: the sort `Int` is already declared or defined"],
    );
    check_script(
        "(define-sort Id (T) T)\n(declare-const x Id)",
        &["2:18: the sort `Id` has 1 parameters, found 0"],
    );
    check_script("(define-sort A (T) (Seq T))", &["1:21: the sort `Seq` is not supported"]);
    check_script(
        "(declare-const x (Int))",
        &["1:19: the sort `Int` takes no parameters and no parentheses"],
    );
    check_script("(define-sort A (T T) T)", &["1:19: the parameter `T` occurs twice"]);
}

#[test]
fn monomials_and_what_looks_like_them() {
    check("(< (* 3 x) (* (- 2) y))", "(<= (+ (* 3 x) (* 2 y)) (- 1))");
    check("(< (* 0 x) (- 2))", "false");
    check("(= (* 2.5 x) u)", "(= (* 5.0 (to_real x)) (* 2.0 u))");
    check("(= (* 2 u) (- 3.5))", "(= u (/ (- 7.0) 4.0))");
    check("(let ((t (+ x 1))) (<= (* 3 t) (* 3 y)))", "(< x y)");
    check("(let ((t 4)) (<= (* (- 3) t) x))", "(>= x (- 12))");
    check("(<= (- 3 x) (* x 2))", "(>= x 1)");
    check("(<= (* 3 (- x)) (- (- 3)))", "(>= x (- 1))");
    check_error("(assert (< (* 3 p) 1))", "2:17: expected a term of sort Int or Real, found Bool");
    check_error("(assert (< (* (- 3) z) 1))", "2:21: unknown symbol `z`");
    check_error("(assert (< (* 3 x y) 1))", "2:12: a product of terms is not linear");
    check_error("(assert (< (* 3 x 1y) 1))", "2:19: `1y` is neither a number nor a symbol");
    check_error(
        "(assert (< (- #b01) 1))",
        "2:15: expected a term of sort Int or Real, found (_ BitVec 2)",
    );
}

/// A random sum as it may be written, and again with `(+ …)` around its parts, which is not read at
/// one go.
fn random_sum(rng: &mut Rng, depth: usize) -> (String, String) {
    if depth == 0 {
        let leaves =
            ["x", "y", "u", "v", "s", "n", "0", "7", "123456789012345678901", "2.0", "0.5"];
        let leaf = *rng.pick(&leaves);
        return (leaf.to_owned(), format!("(+ {leaf})"));
    }
    let function = *rng.pick(&["+", "-", "*"]);
    let mut texts = [String::new(), String::new()];
    if function == "*" {
        let factor = *rng.pick(&["3", "(- 2)", "0", "99999999999999999", "1.50", "(- 4.00)"]);
        texts = [format!(" {factor}"), format!(" (+ {factor})")];
    }
    let count = if function == "*" { 1 } else { 1 + rng.below(3) };
    for _ in 0..count {
        let deeper = if rng.chance(60) { 0 } else { depth - 1 };
        let (plain, wrapped) = random_sum(rng, deeper);
        for (text, part) in texts.iter_mut().zip([plain, wrapped]) {
            text.push(' ');
            text.push_str(&part);
        }
    }
    (format!("({function}{})", texts[0]), format!("(+ ({function}{}))", texts[1]))
}

#[test]
fn what_is_read_at_one_go_is_the_same() {
    let mut rng = Rng::new(7);
    for _ in 0..20_000 {
        let depths = [rng.below(3), rng.below(3)];
        let [left, right] = depths.map(|depth| random_sum(&mut rng, depth));
        let relation = *rng.pick(&["=", "<", "<=", ">", ">="]);
        let shown = run(&format!(
            "{DECLARATIONS}(define-fun s () Int (+ x (* 2 y) 5)) (define-fun n () Int 4)
            (assert ({relation} {} {})) (assert ({relation} {} {}))",
            left.0, right.0, left.1, right.1
        ));
        assert!(
            shown.len() == 2 && shown[0] == shown[1],
            "{left:?} {relation} {right:?}: {shown:?}"
        );
    }
}

#[test]
fn distinct_does_not_run_away() {
    let terms = "x ".repeat(5001);
    check_error(
        &format!("(assert (distinct {terms}))"),
        "2:9: `distinct` takes at most 5000 arguments, found 5001",
    );
}
