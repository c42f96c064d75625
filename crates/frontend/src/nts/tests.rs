//! What programs are read as, and what is refused.

use super::*;
use crate::trial::{self, check_refused, try_read};

const TERMINATION: &[(&str, &str)] = &[("property", "termination")];

fn assertions(text: &str) -> Vec<String> {
    trial::assertions(&NTS, text, &[])
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(assertions(text), expected, "{text}");
}

/// Example X3 of the thesis in NTS.
const MC91: &str = "nts mc; main { x,y : int; initial l4; error err;
  l4->l5 { x'<=100 and havoc(x) }  l5->l6 { (y')=m91(x) and havoc(y) }  l6->err { y != 91 and havoc() } }
m91 { in n : int; out rec : int; initial l0; final f;  l0->l1 { n>100 and havoc() }  l0->l2 { n<=100 and havoc() }
  l1->f { rec'=n-10 and havoc(rec) }  l2->l3 { (rec')=m91(n+11) and havoc(rec) }  l3->f { (rec')=m91(rec) and havoc(rec) } }";

/// The ten clauses of Fig. 2.3, with the names of our predicates.
#[test]
fn the_clauses_of_mc91_are_those_of_the_thesis() {
    check(
        MC91,
        &[
            "(assert (forall ((A Int) (B Int)) (=> true (main.l4 A B))))",
            "(assert (forall ((A Int) (B Int) (C Int)) (=> (and (main.l4 A C) (<= B 100)) (main.l5 B C))))",
            "(assert (forall ((A Int) (B Int) (C Int)) (=> (and (main.l5 A B) (m91/summary A C)) (main.l6 A C))))",
            "(assert (forall ((A Int) (B Int)) (=> (and (main.l6 A B) (not (= B 91))) false)))",
            "(assert (forall ((A Int) (B Int)) (=> true (m91.l0 A B))))",
            "(assert (forall ((A Int) (B Int)) (=> (and (m91.l0 A B) (>= A 101)) (m91.l1 A B))))",
            "(assert (forall ((A Int) (B Int)) (=> (and (m91.l0 A B) (<= A 100)) (m91.l2 A B))))",
            "(assert (forall ((A Int) (B Int) (C Int)) (=> (and (m91.l1 A B) (= A (+ C 10))) (m91/summary A C))))",
            "(assert (forall ((A Int) (B Int) (C Int)) (=> (and (m91.l2 A B) (m91/summary (+ A 11) C)) (m91.l3 A C))))",
            "(assert (forall ((A Int) (B Int) (C Int)) (=> (and (m91.l3 A B) (m91/summary B C)) (m91/summary A C))))",
        ],
    );
}

#[test]
fn a_procedure_with_an_error_is_entered_by_its_calls_only() {
    check(
        "nts p; main { x : int; initial a; a->b { f(x) and havoc() } }
         f { in n : int; initial s; error e; s->e { n < 0 and havoc() } }",
        &[
            "(assert (forall ((A Int)) (=> true (main.a A))))",
            "(assert (forall ((A Int)) (=> (main.a A) (f.s A))))",
            "(assert (forall ((A Int)) (=> (and (main.a A) (f/summary A)) (main.b A))))",
            "(assert (forall ((A Int)) (=> (and (f.s A) (<= A (- 1))) false)))",
        ],
    );
}

#[test]
fn inputs_that_change_are_carried_with_their_entry_values() {
    check(
        "nts p; main { r : int; initial a; a->b { r' = f(3) and havoc(r) } }
         f { in n : int; out r : int; initial s; final t; s->s { n > 0 and n' = n - 1 and havoc(n) } s->t { r' = n and havoc(r) } }",
        &[
            "(assert (forall ((A Int)) (=> true (main.a A))))",
            "(assert (forall ((A Int) (B Int)) (=> (and (main.a A) (f/summary 3 B)) (main.b B))))",
            "(assert (forall ((A Int) (B Int)) (=> true (f.s B B A))))",
            "(assert (forall ((A Int) (B Int) (C Int) (D Int)) (=> (and (f.s D B A) (= B (+ C 1)) (>= B 1)) (f.s D C A))))",
            "(assert (forall ((A Int) (B Int) (C Int) (D Int)) (=> (and (f.s D C A) (= B C)) (f/summary D B))))",
        ],
    );
}

#[test]
fn global_variables_go_in_and_come_out() {
    let text = "nts p; g, k : int; par N : int; init g = N and k = 0;
         main { initial a; error e; a->b { inc() and havoc() } b->e { g != N + 1 and havoc() } }
         inc { initial s; final t; s->t { g' = g + 1 and havoc(g) } }";
    let shown = assertions(text);
    assert_eq!(shown.len(), 5, "{shown:?}");
    assert!(shown[0].contains("(main.a A B C)") && shown[0].contains("(= B 0)"), "{shown:?}");
    // The summary has the value of `g` before and after, those of `k` and `N` once.
    let (store, problem) = try_read(&NTS, text, &[]).unwrap();
    let system = &problem.system;
    let names = |name: &str| {
        let pred = system.preds().find(|&p| store.name(system.symbol(p)) == name).unwrap();
        system.param_names(pred).unwrap().join(" ")
    };
    assert_eq!(names("inc/summary"), "g@entry g k N");
    assert_eq!(names("inc.s"), "g@entry g k N");
    assert_eq!(names("main.b"), "g k N");
}

/// The callee runs with the value that the caller has, whatever `havoc` lists.
#[test]
fn a_global_variable_that_nobody_changes_keeps_its_value() {
    let listed = "nts p; g : int; init g = 0; main { initial s; error e; s -> t { f() and havoc(g) } t -> e { g != 0 and havoc() } }
        f { initial a; final b; a -> b { havoc() } }";
    let shown = assertions(listed);
    let call = "(assert (forall ((A Int)) (=> (and (main.s A) (f/summary A)) (main.t A))))";
    assert!(shown.iter().any(|clause| clause == call), "{shown:?}");
    assert_eq!(shown, assertions(&listed.replace("f() and havoc(g)", "f() and havoc()")));
}

/// A caller with a variable of its own, and what it calls, which changes a global one.
const CALLS: &str = "nts p; g : int; init g = 0;
main { x : int; initial s; error e; s -> s { (x') = f(x + 1) and havoc(x) } s -> e { g > 9 and havoc() } }
f { in n : int; out r : int; initial a; final b;
  a -> a { n > 0 and n' = n - 1 and g' = g + 1 and havoc(n, g) } a -> b { n <= 0 and r' = n and havoc(r) } }";

#[test]
fn calls_are_expanded_if_termination_is_asked_about() {
    assert_eq!(
        trial::assertions(&NTS, CALLS, TERMINATION),
        [
            "(assert (forall ((A Int) (B Int)) (=> (= A 0) (main.s A B))))",
            "(assert (forall ((A Int) (B Int) (C Int)) (=> (main.s A B) (f.a/1 A B (+ B 1) C))))",
            "(assert (forall ((A Int) (B Int) (C Int) (D Int) (E Int) (F Int)) (=> (and (f.a/1 A C E D) (>= E 1) (= E (+ F 1)) (= (+ A 1) B)) (f.a/1 B C F D))))",
            "(assert (forall ((A Int) (B Int) (C Int) (D Int) (E Int)) (=> (and (f.a/1 A B D C) (= D E) (<= D 0)) (main.s A E))))",
        ]
    );
    let (store, problem) = try_read(&NTS, CALLS, TERMINATION).unwrap();
    let system = &problem.system;
    let names = system.preds().map(|pred| {
        let params = system.param_names(pred).unwrap().join(" ");
        format!("{}: {params}", store.name(system.symbol(pred)))
    });
    assert_eq!(names.collect::<Vec<_>>(), ["main.s: g x", "f.a/1: g x n/1 r/1"]);
}

/// Each chain of calls has its copy; who arrives at the end of several procedures goes on behind
/// the first call.
#[test]
fn ends_of_procedures_lead_behind_their_calls() {
    let text = "nts p; main { initial s; s -> t { f() and havoc() } t -> s { f() and havoc() } }
        f { initial a; final b; a -> b { g() and havoc() } } g { initial c; final c; c -> c { havoc() } }";
    assert_eq!(
        trial::assertions(&NTS, text, TERMINATION),
        [
            "(assert (=> true main.s))",
            "(assert (=> main.s f.a/1))",
            "(assert (=> main.t f.a/2))",
            "(assert (=> f.a/1 g.c/3))",
            "(assert (=> f.a/1 main.t))",
            "(assert (=> f.a/2 g.c/4))",
            "(assert (=> f.a/2 main.s))",
            "(assert (=> g.c/3 g.c/3))",
            "(assert (=> g.c/3 main.t))",
            "(assert (=> g.c/4 g.c/4))",
            "(assert (=> g.c/4 main.s))",
        ]
    );
}

/// The caller is forgotten, or what the callee gives back is left open.
#[test]
fn recursive_calls_are_entered_or_passed() {
    assert_eq!(
        trial::assertions(&NTS, MC91, TERMINATION),
        [
            "(assert (forall ((A Int) (B Int)) (=> true (main.l4 A B))))",
            "(assert (forall ((A Int) (B Int) (C Int)) (=> (and (main.l4 A C) (<= B 100)) (main.l5 B C))))",
            "(assert (forall ((A Int) (B Int) (C Int)) (=> (main.l5 A B) (m91.l0 A C))))",
            "(assert (forall ((A Int) (B Int) (C Int)) (=> (main.l5 A B) (main.l6 A C))))",
            "(assert (forall ((A Int) (B Int)) (=> (and (m91.l0 A B) (>= A 101)) (m91.l1 A B))))",
            "(assert (forall ((A Int) (B Int)) (=> (and (m91.l0 A B) (<= A 100)) (m91.l2 A B))))",
            "(assert (forall ((A Int) (B Int) (C Int)) (=> (and (m91.l1 A B) (= A (+ C 10))) (m91.f A C))))",
            "(assert (forall ((A Int) (B Int) (C Int)) (=> (m91.l2 A B) (m91.l0 (+ A 11) C))))",
            "(assert (forall ((A Int) (B Int) (C Int)) (=> (m91.l2 A B) (m91.l3 A C))))",
            "(assert (forall ((A Int) (B Int) (C Int)) (=> (m91.l3 A B) (m91.l0 B C))))",
            "(assert (forall ((A Int) (B Int) (C Int)) (=> (m91.l3 A B) (m91.f A C))))",
        ]
    );
    let exactness = |text: &str| try_read(&NTS, text, TERMINATION).unwrap().1.exactness;
    assert_eq!((exactness(MC91), exactness(CALLS)), (Exactness::Over, Exactness::Exact));
}

#[test]
fn too_many_copies_are_refused_if_termination_is_asked_about() {
    let mut text = "nts p; main { initial s; s -> t { f0() and havoc() } }\n".to_owned();
    for at in 0..40 {
        let call = format!("{{ f{}() and havoc() }}", at + 1);
        let body = format!("x : int; initial a; final c; a -> b {call} b -> c {call}");
        text.extend(["f", &at.to_string(), " { ", &body, " }\n"]);
    }
    text += "f40 { initial a; final b; a -> b { havoc() } }";
    let error = try_read(&NTS, &text, TERMINATION).unwrap_err();
    assert!(error.message.contains("so many calls"), "{}", error.message);
}

#[test]
fn parameters_are_not_called_like_functions() {
    let text = "nts p; main { mod, modulus, store : int; initial a; a->a { mod' = store % 2 } }";
    let system = try_read(&NTS, text, &[]).unwrap().1.system;
    let pred = system.preds().next().unwrap();
    assert_eq!(system.param_names(pred).unwrap(), ["mod.", "modulus", "store."]);
}

#[test]
fn without_havoc_nothing_is_kept() {
    check(
        "nts p; main { x, y : int; initial a; a->b { } b->c { x' = x } c->d { x' = 1 and y' > x and havoc(x, y) } }",
        &[
            "(assert (forall ((A Int) (B Int)) (=> true (main.a A B))))",
            "(assert (forall ((A Int) (B Int) (C Int) (D Int)) (=> (main.a A C) (main.b B D))))",
            "(assert (forall ((A Int) (B Int) (C Int)) (=> (main.b A B) (main.c A C))))",
            "(assert (forall ((A Int) (B Int) (C Int) (D Int)) (=> (and (main.c A C) (< A D) (= B 1)) (main.d B D))))",
        ],
    );
}

#[test]
fn all_of_the_syntax_is_read() {
    let text = "@author:string:\"me; or you\"; nts all;
        // a comment
        m { in a, b : int, c : bool; out r : real; x, z : int; states s, t, u, v;
          initial s; final u; error t;
          t1: s -> u @line:int:3; { (not (a > b) || !c imply true) && (c' equiv a % 2 = 0) <-> false -> c }
          s -> t { r' = 1.5 * r + a / 2 and havoc(r) and a * b > 0 }
          u -> v { havoc(x) and ((x' = 1 and z' = z) or x' = -2) } }";
    assert_eq!(assertions(text).len(), 4);
}

#[test]
fn what_is_not_understood_is_refused_at_its_place() {
    let main = |body: &str| {
        format!(
            "nts p; main {{ x, y : int; b : bool; initial s; {body} }} f {{ in n : int; out r, q : int; initial s; final t; s->t {{ }} }}"
        )
    };
    for (text, place, message) in [
        ("main { }".to_owned(), "main", "expected `nts`"),
        ("nts p; q { initial s; } r { initial s; }".to_owned(), "", "no procedure `main`"),
        ("nts p; main { x : int; s -> t { } }".to_owned(), "main", "no initial state"),
        ("nts p; main { a[10] : int; initial s; }".to_owned(), "a[", "arrays are not supported"),
        ("nts p; instances main[2]; main { initial s; }".to_owned(), "2", "several threads"),
        ("nts p; in x : int; main { initial s; }".to_owned(), "x", "a global variable"),
        ("nts p; main { x, x : int; initial s; }".to_owned(), "x", "already declared"),
        ("nts p; main { initial s; } main { }".to_owned(), "main", "two procedures"),
        (
            "nts p; par N : int; main { initial s; s->t { N' = 1 } }".to_owned(),
            "N'",
            "does not change",
        ),
        (main("s -> t { z > 0 }"), "z", "the variable `z` is not declared"),
        (main("s -> t { x'' = 1 }"), "x''", "the variable `x'` is not declared"),
        (main("s -> t { x + 1 }"), "x + 1", "expected a formula"),
        (main("s -> t { x = b }"), "x = b", "a number and a truth value"),
        (main("s -> t { exists k : int . x = k }"), "exists", "quantifiers are not supported"),
        (main("s -> t { havoc(x + 1) }"), "x + 1", "`havoc` lists variables"),
        (main("s -> t { x > 0 and f(x) }"), "f", "a call cannot be a part of a formula"),
        (main("s -> t { (x', y') = f(x) }"), "(x', y') = f(x)", "which variables may change"),
        (main("s -> t { (x', y') = f(x) and y > 0 }"), "y", "expected `havoc`"),
        (main("s -> t { (x', y') = g(x) and havoc(x, y) }"), "(x', y') = g(x)", "not defined"),
        (
            main("s -> t { (x', y') = f() and havoc(x, y) }"),
            "(x', y') = f()",
            "1 arguments, 0 are given",
        ),
        (main("s -> t { (x') = f(x) and havoc(x) }"), "(x') = f(x)", "2 results, 1 are taken"),
        (main("s -> t { (x', y') = f(b) and havoc(x, y) }"), "b", "of another type"),
        (main("s -> t { (x', b') = f(x) and havoc() }"), "(x', b') = f(x)", "of another type"),
        (main("s -> t { (x', y') = f(x') and havoc() }"), "x'", "no next values here"),
        (main("s -> t { x > 0 y"), "y", "expected `}`"),
    ] {
        check_refused(&NTS, &text, &[], (place, message));
    }
}

#[test]
fn nesting_is_no_problem() {
    let depth = 200_000;
    let text = format!(
        "nts p; main {{ x : int; initial s; s->s {{ {}x = 1{} }} }}",
        "(".repeat(depth),
        ")".repeat(depth)
    );
    assert_eq!(assertions(&text).len(), 2);
}
