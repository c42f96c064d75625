//! Arrays, data types and bit-vectors: what scripts elaborate to, and what is refused, with its
//! place.

use shofar_smtlib::{Command, Commands, Environment, Step};
use shofar_term::TermStore;
use shofar_term::print::print;

/// The assertions of the script, or its first error.
fn run(text: &str) -> Vec<String> {
    run_in(Environment::new(), text)
}

fn run_in(mut env: Environment, text: &str) -> Vec<String> {
    let mut store = TermStore::new();
    let mut commands = Commands::of_text(text.as_bytes().to_vec());
    let mut shown = Vec::new();
    loop {
        match commands.next(&mut env, &mut store) {
            Ok(Step::Sentence(sentence)) => {
                if let Command::Assert { term, .. } = sentence.command {
                    shown.push(print(&store, term));
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

const DECLARATIONS: &str = "(declare-datatypes ((List 0) (Tree 0) (Color 0) (Pair 0)) (\
    ((nil) (cons (head Int) (tail List)))\
    ((leaf) (node (left Tree) (value Real) (right Tree)))\
    ((red) (green))\
    ((pair (first Int) (second Bool)))))\
    (declare-const a (Array Int Int))(declare-const m (Array Int (Array Int Bool)))\
    (declare-const l List)(declare-const t Tree)(declare-const c Color)(declare-const d Pair)\
    (declare-const x Int)(declare-const y Int)(declare-const p Bool)\
    (declare-const b (_ BitVec 8))(declare-const e (_ BitVec 8))(declare-const s (_ BitVec 3))\n";

/// A formula over these constants.
fn check(formula: &str, expected: &str) {
    let shown = run(&format!("{DECLARATIONS}(assert {formula})"));
    assert_eq!(shown.join(" | "), expected, "for {formula}");
}

/// What is wrong with a command; positions count from its line.
fn check_error(command: &str, expected: &str) {
    let shown = run(&format!("{DECLARATIONS}{command}"));
    assert_eq!(shown.last().map(String::as_str), Some(expected), "for {command}");
}

/// Two formulas that become the same term.
fn check_same(one: &str, other: &str) {
    let shown = run(&format!("{DECLARATIONS}(assert {one})(assert {other})"));
    assert_eq!(shown.len(), 2, "{one}, {other}: {shown:?}");
    assert_eq!(shown[0], shown[1], "{one}, {other}");
}

#[test]
fn arrays() {
    check("(= (select a x) 3)", "(= (select a x) 3)");
    check("(= (select (store a x 3) x) 3)", "true");
    check("(select (select m x) y)", "(select (select m x) y)");
    check(
        "(= (store a x 3) ((as const (Array Int Int)) 0))",
        "(= (store a x 3) ((as const (Array Int Int)) 0))",
    );
    check(
        "(= m (store m y ((as const (Array Int Bool)) (> x 0))))",
        "(= ((as const (Array Int Bool)) (>= x 1)) (select m y))",
    );
    check_error("(assert (= (select x 1) 2))", "2:20: expected a term of sort Array, found Int");
    check_error("(assert (= (select a p) 2))", "2:22: expected a term of sort Int, found Bool");
    check_error("(assert (= (store a x) a))", "2:12: `store` takes 3 arguments, found 2");
    check_error("(assert (= (select a x y) x))", "2:12: `select` takes 2 arguments, found 3");
    check_error(
        "(assert (= a ((as const Int) 3)))",
        "2:19: expected a term of sort Array, found Int",
    );
    check_error("(assert (= select a))", "2:12: `select` is a function and needs arguments");
}

#[test]
fn reals_in_arrays_and_fields_take_integers() {
    let script = "(declare-const r (Array Real Real))(assert (= (select (store r 1 2) 1) 2))";
    assert_eq!(run(script), ["true"]);
    check("(= t (node leaf 1 leaf))", "(= t (node leaf 1.0 leaf))");
}

#[test]
fn data_types() {
    check("(= l (cons x (tail l)))", "(= l (cons x (tail l)))");
    check("((_ is cons) l)", "((_ is cons) l)");
    check("(is-cons l)", "((_ is cons) l)");
    check("((_ is (cons (Int List) List)) l)", "((_ is cons) l)");
    check("((_ is nil) l)", "(= l nil)");
    check("(= (as nil List) l)", "(= l nil)");
    check("(= ((as cons List) 1 nil) l)", "(= l (cons 1 nil))");
    check("(= (head (cons x nil)) x)", "true");
    check("(second d)", "(second d)");
    check("(= c red)", "(= c red)");
    check("((_ is pair) d)", "true");
    check("(let ((head (head l))) (= head 1))", "(= (head l) 1)");
    check_error("(assert (= l (cons 1)))", "2:14: `cons` takes 2 arguments, found 1");
    check_error("(assert (= l (cons nil 1)))", "2:20: expected a term of sort Int, found List");
    check_error("(assert ((_ is snoc) l))", "2:16: unknown constructor `snoc`");
    check_error("(assert ((_ is node) l))", "2:22: expected a term of sort Tree, found List");
    check_error("(assert (= l cons))", "2:14: `cons` is a function and needs arguments");
    check_error("(assert (= l (as nil Tree)))", "2:18: `nil` is no constructor of Tree");
}

#[test]
fn matches_are_choices() {
    check("(match l ((nil p) ((cons h r) (> h 0))))", "(ite (= l nil) p (>= (head l) 1))");
    check("(match c ((red p) (other (not p))))", "(= p (= c red))");
    check("(= (match d (((pair f g) (ite g f 0)))) x)", "(= x (ite (second d) (first d) 0))");
    check("(match l ((l (= l nil))))", "(= l nil)");
    check_error("(assert (match l ((nil p))))", "2:9: the constructor `cons` has no case");
    check_error(
        "(assert (match x ((nil p))))",
        "2:16: expected a term of sort a data type, found Int",
    );
    check_error(
        "(assert (match l (((cons h) p) (nil p))))",
        "2:21: `cons` takes 2 arguments, found 1",
    );
    check_error("(assert (match l ((nil p) (nil p))))", "2:9: the constructor `cons` has no case");
    check("(match l ((nil p) (nil false) (w p) ((cons h r) false) (l (= l nil))))", "p");
    check_error(
        "(assert (match l (((cons h h) p) (nil p))))",
        "2:28: `h` occurs twice in one pattern",
    );
    check_error(
        "(assert (match l ((nil p) ((cons h r) h))))",
        "2:39: expected a term of sort Bool, found Int",
    );
}

#[test]
fn bit_vectors() {
    check("(= b #x0f)", "(= b #x0f)");
    check("(= s #b101)", "(= s #b101)");
    check_same("(= b (_ bv15 8))", "(= b #x0f)");
    check_same("(bvult b e)", "(not (bvule e b))");
    check_same("(bvsgt b e)", "(not (bvsle b e))");
    check_same("(bvuge b e)", "(bvule e b)");
    check_same("(= (bvsub b e) #x00)", "(= (bvadd b (bvneg e)) #x00)");
    check_same("(= (bvadd b e b) #x00)", "(= (bvadd b b e) #x00)");
    check_same("(= (bvnand b e) #x00)", "(= (bvnot (bvand b e)) #x00)");
    check_same("(= (bvudiv_i b e) #x00)", "(= (bvudiv b e) #x00)");
    check_same("(= (bv2nat b) 3)", "(= (ubv_to_int b) 3)");
    check_same("(= ((_ int2bv 8) x) b)", "(= ((_ int_to_bv 8) x) b)");
    check_same("(= ((_ rotate_right 5) b) e)", "(= ((_ rotate_left 3) b) e)");
    check_same(
        "(= ((_ rotate_left 3) b) e)",
        "(= (concat ((_ extract 4 0) b) ((_ extract 7 5) b)) e)",
    );
    check("(= (concat s s s) #b111000111)", "(= (concat (concat s s) s) #b111000111)");
    check("(= ((_ repeat 3) #b10) #b101010)", "true");
    check("(= ((_ sign_extend 4) #x8) #xf8)", "true");
    check("(= ((_ zero_extend 4) #x8) #x08)", "true");
    check("(= (sbv_to_int #xff) (- 1))", "true");
    check("(= (bvcomp b b) #b1)", "true");
    check("(bvslt #xff #x00)", "true");
}

#[test]
fn overflow_is_what_integers_do_not_do() {
    let signed = |n: i64| if n >= 4 { n - 8 } else { n };
    let is_signed = |n: i64| (-4..4).contains(&n);
    let is_unsigned = |n: i64| (0..8).contains(&n);
    for a in 0..8i64 {
        for b in 0..8i64 {
            let (s, t) = (signed(a), signed(b));
            let divides = t != 0 && !is_signed(s / t);
            let cases = [
                ("bvuaddo", !is_unsigned(a + b)),
                ("bvusubo", !is_unsigned(a - b)),
                ("bvumulo", !is_unsigned(a * b)),
                ("bvsaddo", !is_signed(s + t)),
                ("bvssubo", !is_signed(s - t)),
                ("bvsmulo", !is_signed(s * t)),
                ("bvsdivo", divides),
            ];
            for (name, expected) in cases {
                check(&format!("({name} #b{a:03b} #b{b:03b})"), &expected.to_string());
            }
            check(&format!("(bvnego #b{a:03b})"), &(!is_signed(-s)).to_string());
        }
    }
}

#[test]
fn wrong_widths_are_refused() {
    check_error(
        "(assert (= (bvadd b s) b))",
        "2:21: expected a term of sort (_ BitVec 8), found (_ BitVec 3)",
    );
    check_error(
        "(assert (= b #b1))",
        "2:14: expected a term of sort (_ BitVec 8), found (_ BitVec 1)",
    );
    check_error(
        "(assert (= ((_ extract 8 0) b) b))",
        "2:12: `(_ extract 8 0)` does not fit a bit-vector of 8 bits",
    );
    check_error(
        "(assert (= ((_ extract 0 3) b) b))",
        "2:12: `(_ extract 0 3)` does not fit a bit-vector of 8 bits",
    );
    check_error("(assert (= b (_ bv256 8)))", "2:17: the number 256 does not fit into 8 bits");
    check_error("(assert (= b (_ bv0 0)))", "2:21: a bit-vector has at least one bit");
    check_error("(assert (= b (bvnot x)))", "2:21: expected a term of sort BitVec, found Int");
    check_error("(assert (= b (bvnot b b)))", "2:14: `bvnot` takes 1 argument, found 2");
    check_error("(assert (= b (bvudiv b)))", "2:14: `bvudiv` takes 2 arguments, found 1");
    check_error("(declare-const w (_ BitVec 0))", "2:28: a bit-vector has at least one bit");
    let wide = "bit-vectors of more than 65535 bits are not supported";
    check_error("(declare-const w (_ BitVec 1000000000))", &format!("2:28: {wide}"));
    check_error("(declare-const w (_ BitVec 99999999999999999999))", &format!("2:28: {wide}"));
    check_error("(assert (= b ((_ zero_extend 65535) b)))", &format!("2:14: {wide}"));
    check_error("(assert (= b ((_ repeat 65535) b)))", &format!("2:14: {wide}"));
    check_error("(assert (= b ((_ int2bv 65536) x)))", &format!("2:25: {wide}"));
    check_error(&format!("(assert (= b #x{}))", "0".repeat(20_000)), &format!("2:14: {wide}"));
}

#[test]
fn all_forms_of_declarations_are_read() {
    let list = "(assert (forall ((l L)) (= l (c 1 n))))";
    for declaration in [
        "(declare-datatypes ((L 0)) (((n) (c (h Int) (t L)))))",
        "(declare-datatypes ((L 0)) ((n (c (h Int) (t L)))))",
        "(declare-datatype L ((n) (c (h Int) (t L))))",
        "(declare-datatypes () ((L n (c (h Int) (t L)))))",
        "(declare-datatypes () ((L (n) (c (h Int) (t L))) (E one two)))",
        "(declare-datatypes ((T 0) (L 0)) (((m (k T)) (o)) ((n) (c (h Int) (t L)))))",
    ] {
        let shown = run_in(Environment::for_horn(), &format!("{declaration}{list}"));
        assert_eq!(shown, ["(forall ((l L)) (= l (c 1 n)))"], "{declaration}");
    }
}

#[test]
fn types_of_one_declaration_are_used_inside_arrays() {
    let script = "(declare-datatypes ((Outer 0) (Inner 0) (Node 0) (Forest 0)) (\
        ((outer (inners (Array Int Inner)) (node Node)))\
        ((inner (number Int)))\
        ((branch (forest Forest)))\
        ((empty) (more (first Node) (rest Forest)))))\
        (declare-const o Outer)(declare-const f Forest)\
        (assert (= (number (select (inners o) 3)) 7))(assert (= f (more (node o) empty)))";
    assert_eq!(
        run(script),
        ["(= (number (select (inners o) 3)) 7)", "(= f (more (node o) empty))"]
    );
}

#[test]
fn declarations_that_mean_nothing_are_refused() {
    let check = |declaration: &str, expected: &str| {
        assert_eq!(run(declaration), [expected], "{declaration}");
    };
    check("(declare-datatype T ((c (f T))))", "1:19: the data type `T` has no finite value");
    check("(declare-datatype T ())", "1:19: the data type `T` has no constructor");
    check(
        "(declare-datatypes ((T 1)) ((par (X) ((c (f X))))))",
        "1:22: data types with parameters are not supported: `T`",
    );
    check(
        "(declare-datatype T (par (X) ((c (f X)))))",
        "1:19: data types with parameters are not supported: `T`",
    );
    check(
        "(declare-datatypes (X) ((T (c (f X)))))",
        "1:21: data types with parameters are not supported: `X`",
    );
    check(
        "(declare-datatype T ((n) (c (f (Array Int T)))))",
        "1:30: data types that contain themselves inside arrays are not supported: `f`",
    );
    check("(declare-datatype T ((c (f U))))", "1:28: unknown sort `U`");
    check(
        "(declare-datatype T ((c) (c)))",
        "1:27: the constructor `c` occurs twice in one data type",
    );
    check(
        "(declare-datatype T ((c (f Int)) (d (f Int))))",
        "1:38: the selector `f` occurs twice in one data type",
    );
    check("(declare-datatype Int ((c)))", "1:19: the sort `Int` is already declared or defined");
    check(
        "(declare-datatypes ((T 0) (T 0)) (((c)) ((d))))",
        "1:28: the data type `T` is declared twice",
    );
    check("(declare-datatype T ((and)))", "1:23: `and` is a function of the theories");
    check(
        "(declare-const x Int)(declare-datatype T ((x)))",
        "1:44: `x` is already declared or defined",
    );
    check(
        "(declare-datatype T ((c (f Int))))(declare-const f Int)",
        "1:50: `f` is already a constructor or selector",
    );
    check(
        "(declare-datatype T ((c)))(declare-datatype T ((c)))",
        "1:45: the sort `T` is already declared or defined",
    );
    check("(declare-datatypes () ())", "1:23: no data type is declared");
}

#[test]
fn names_may_repeat_across_types() {
    let types = "(declare-datatype A ((nil) (cons (head Int) (tail A))))\
        (declare-datatype B ((nil) (cons (head Bool) (tail B))))\
        (declare-const a A)(declare-const b B)";
    let shown =
        run(&format!("{types}(assert (= (head a) 1))(assert (head b))(assert (= a (cons 1 a a)))"));
    assert_eq!(shown[..2], ["(= (head a) 1)", "(head b)"]);
    assert!(shown[2].contains("no `cons` takes arguments of sorts (Int A A)"), "{shown:?}");
    let shown = run(&format!(
        "{types}(assert (= a (cons 1 (as nil A))))(assert (= b (cons true (tail b))))\
         (assert ((_ is nil) b))(assert (= a nil))"
    ));
    assert_eq!(
        shown[..3],
        ["(= a (cons 1 (as nil A)))", "(= b (cons true (tail b)))", "(= b (as nil B))"]
    );
    assert!(
        shown[3].contains("`nil` is a constant of several data types: write `(as nil A)`"),
        "{shown:?}"
    );
}

#[test]
fn what_a_scope_declares_is_gone_behind_it() {
    let script = "(push 1)(declare-datatype T ((c (f Int))))(declare-const t T)(assert (= (f t) 1))(pop 1)\
        (declare-datatype T ((f (c Bool))))(declare-const t T)(assert (c t))(assert (= t (f true)))";
    assert_eq!(run(script), ["(= (f t) 1)", "(c t)", "(= t (f true))"]);
}

#[test]
fn the_names_of_functions_are_free_for_declarations() {
    let script = "(declare-fun select (Int) Bool)(declare-fun store (Int Int) Int)(declare-const concat Bool)\
        (assert (select (store 1 2)))(assert concat)";
    assert_eq!(run(script), ["(select (store 1 2))", "concat"]);
}

#[test]
fn abbreviations_of_sorts_have_parameters() {
    let script = "(define-sort Map (K V) (Array K (Array K V)))(define-sort Word () (_ BitVec 16))\
        (declare-const m (Map Word Bool))(assert (select (select m #x0001) #x0002))";
    assert_eq!(run(script), ["(select (select m #x0001) #x0002)"]);
    let check = |text: &str, expected: &str| assert_eq!(run(text), [expected]);
    check("(declare-const a Array)", "1:18: the sort `Array` has 2 parameters, found 0");
    check("(declare-const a (Array Int))", "1:19: the sort `Array` has 2 parameters, found 1");
    check("(declare-sort Array 0)", "1:15: the sort `Array` is already declared or defined");
}

#[test]
fn deep_and_large_sorts_are_refused() {
    let nested = |depth: usize| "(Array Int ".repeat(depth) + "Int" + &")".repeat(depth);
    assert_eq!(run(&format!("(declare-const a {})", nested(200))), Vec::<String>::new());
    let shown = run(&format!("(declare-const a {})", nested(100_000)));
    assert!(shown[0].contains("sorts that nest more than 200 deep are not supported"), "{shown:?}");
    let mut script = "(define-sort D0 (X) (Array X X))".to_owned();
    for k in 1..60 {
        script.extend([format!("(define-sort D{k} (X) (D{} (D{} X)))", k - 1, k - 1)]);
    }
    assert!(run(&script)[0].contains("not supported"));
    let mut chain = String::new();
    for k in 0..300 {
        let field = if k == 0 { "Int".to_owned() } else { format!("T{}", k - 1) };
        chain.extend([format!("(declare-datatype T{k} ((c{k} (f{k} {field}))))")]);
    }
    assert!(run(&chain)[0].contains("nests more than 200 deep"));
}

#[test]
fn deep_terms_are_read() {
    let deep = |open: &str, last: &str, close: &str| {
        let count = 200_000;
        run(&format!(
            "{DECLARATIONS}(assert (= x {}{last}{}))",
            open.repeat(count),
            close.repeat(count)
        ))
    };
    for (open, last, close) in [
        ("(select a ", "0", ")"),
        ("(head (cons ", "0", " nil))"),
        ("(bv2nat ((_ int2bv 8) ", "x", "))"),
        ("(match l ((nil ", "0", ") (other x)))"),
        ("(select (store a y ", "0", ") x)"),
    ] {
        assert_eq!(deep(open, last, close).len(), 1, "{open}");
    }
    let list = "(cons 1 ".repeat(200_000) + "nil" + &")".repeat(200_000);
    assert_eq!(run(&format!("{DECLARATIONS}(assert (= l {list}))")).len(), 1);
}

#[test]
fn all_logics_with_these_theories_are_known() {
    for logic in [
        "QF_AX",
        "QF_ALIA",
        "QF_AUFLIA",
        "QF_AUFLIRA",
        "QF_ALRA",
        "QF_DT",
        "QF_UFDT",
        "QF_UFDTLIA",
        "QF_BV",
        "QF_ABV",
        "QF_AUFBV",
        "QF_UFBV",
        "ALL",
    ] {
        assert_eq!(run(&format!("(set-logic {logic})(assert true)")), ["true"], "{logic}");
    }
    let script =
        "(set-logic QF_ALRA)(declare-const a (Array Real Real))(assert (= (select a 1) 2))";
    assert_eq!(run(script), ["(= (select a 1.0) 2.0)"]);
}

/// In Horn scripts only, and only while sorts are declared.
#[test]
fn data_types_may_refer_to_the_next_declarations() {
    let outer = "(declare-datatypes ((Outer 0)) (((outer (inners (Array Int Inner)) (size Int)))))";
    let inner = "(declare-datatype Inner ((inner (number Int))))";
    let pair = "(declare-datatype Pair ((pair (one Outer) (two Inner))))";
    let clause = "(declare-fun p (Pair) Bool)\
        (assert (forall ((x Pair)) (=> (= (number (select (inners (one x)) 3)) 7) (p x))))";
    let horn = |text: String| run_in(Environment::for_horn(), &text);
    let ordered = horn(format!("{inner}{outer}{pair}{clause}"));
    assert!(
        ordered.len() == 1 && ordered[0].contains("(number (select (inners (one x)) 3))"),
        "{ordered:?}"
    );
    for text in [format!("{outer}{inner}{pair}{clause}"), format!("{pair}{outer}{inner}{clause}")] {
        assert_eq!(horn(text), ordered);
    }
    assert_eq!(run(&format!("{outer}{inner}")), ["1:60: unknown sort `Inner`"]);
    // What never gets a meaning is an error where it stands, and no other command comes between.
    assert_eq!(horn(format!("{outer}\n(declare-fun q () Bool)")), ["1:60: unknown sort `Inner`"]);
    assert_eq!(
        horn(format!("{outer}\n(declare-fun q () Bool)\n{inner}")),
        ["1:60: unknown sort `Inner`"]
    );
    assert_eq!(horn("(declare-fun q (Inner) Bool)".to_owned()), ["1:17: unknown sort `Inner`"]);
}
