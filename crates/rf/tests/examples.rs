//! Recursion-free clauses of every fragment: classes, normal forms, solutions and derivations, each
//! with its evidence.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::fmt::Write as _;

use shofar_base::{Budget, GaveUp, Rng};
use shofar_rf::{Copies, Form, Options};
use shofar_term::{Cx, TermStore};
use support::{
    GCD, RENAMING, TWO_STEPS, class, decide, decide_by_expansion, doubling, ladder, mc91, read,
};

#[test]
fn fragments_and_their_forms() {
    assert_eq!(class(&mc91()).names(), ["recursion-free", "well-founded", "body-disjoint"]);
    assert_eq!(class(&mc91()).form(), Some(Form::Disjunctive));
    assert_eq!(class(TWO_STEPS).names(), ["recursion-free", "well-founded"]);
    assert_eq!(class(TWO_STEPS).form(), Some(Form::Expansion));
    let chain = "(declare-fun g (Int Int) Bool)
        (assert (forall ((m Int) (r Int)) (=> (= r m) (g m r))))
        (assert (forall ((m Int) (r Int)) (=> (and (g m r) (> r m)) false)))";
    assert_eq!(class(chain).form(), Some(Form::Sequence));
    assert!(class(chain).linear && class(chain).is_tree_like());
    let recursive = format!("{chain} (assert (forall ((m Int) (r Int)) (=> (g m r) (g r m))))");
    assert_eq!((class(&recursive).form(), class(&recursive).recursion_free), (None, false));
    assert_eq!(class(GCD).names(), ["recursion-free", "well-founded", "linear"]);
    assert_eq!(class(GCD).form(), Some(Form::Dag));
    assert_eq!(
        class(&doubling(2, "true")).names(),
        ["recursion-free", "well-founded", "head-disjoint"]
    );
}

#[test]
fn a_normal_form_has_a_copy_for_each_use() {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let system = read(&mut store, RENAMING);
    let copies = Copies::all(&mut Cx::new(&mut store, &budget), &system, 100).unwrap();
    let mut shapes: Vec<(String, Vec<String>)> = Vec::new();
    for (_, clause) in copies.form.clauses() {
        let name = |&symbol: &_| store.name(system.symbol(copies.pred(symbol))).to_owned();
        shapes.push((name(&clause.head.unwrap()), clause.body.iter().map(name).collect()));
    }
    shapes.sort();
    let wanted =
        [("p", vec!["q"]), ("p", vec!["q"]), ("q", vec![]), ("q", vec![]), ("r", vec!["p", "p"])];
    let wanted = wanted.map(|(head, body)| {
        (head.to_owned(), body.into_iter().map(str::to_owned).collect::<Vec<_>>())
    });
    assert_eq!(shapes, wanted);
    assert_eq!(copies.form.symbols().count(), 5, "p and q twice, r once");
    assert!(decide(RENAMING).0);
    assert!(
        decide(&format!(
            "{RENAMING} (assert (forall ((x Int) (z Int)) (=> (and (r x z) (< z 0)) false)))"
        ))
        .0
    );
    assert!(
        !decide(&format!(
            "{RENAMING} (assert (forall ((x Int) (z Int)) (=> (and (r x z) (> z 4)) false)))"
        ))
        .0
    );
}

#[test]
fn examples_have_solutions() {
    for text in [GCD, TWO_STEPS, &mc91()] {
        assert!(decide(text).0);
        assert!(decide_by_expansion(text).0);
    }
    let wrong = mc91().replace("(<= s 100)", "(<= s 102)");
    assert!(!decide(&wrong).0, "the result for 102 is 92");
    assert!(!decide_by_expansion(&wrong).0);
}

#[test]
fn a_chain_of_doublings_is_not_expanded() {
    let depth = 9;
    let end = "(< y (+ x 512))";
    let (is_solvable, lazy) = decide(&doubling(depth, end));
    assert!(is_solvable);
    let (is_solvable, clauses) = decide_by_expansion(&doubling(5, "(< y (+ x 32))"));
    assert!(is_solvable && clauses == 64);
    // The expansion of this one has 1024 clauses.
    assert!(lazy.copies < 200, "{lazy:?}");
    assert!(lazy.questions < 200, "{lazy:?}");
    let (is_solvable, deep) = decide(&doubling(40, "(<= y x)"));
    assert!(is_solvable && deep.copies < 1_000, "{deep:?}");
    assert!(!decide(&doubling(4, "(= y (+ x 16))")).0);
}

/// Ladders of two symbols at each step have exponentially many paths; there are not as many copies.
#[test]
fn linear_clauses_are_not_expanded() {
    let (is_solvable, counts) = decide(&ladder(12, 24));
    assert!(is_solvable && counts.copies < 100, "{counts:?}");
    let (is_solvable, counts) = decide(&ladder(12, 23));
    assert!(!is_solvable && counts.copies < 200, "{counts:?}");
}

/// Clauses that have nothing to do with each other are not in one question.
#[test]
fn components_are_solved_by_themselves() {
    let both = format!(
        "{TWO_STEPS} {}",
        GCD.replace("(g ", "(h ").replace("g1", "h1").replace("fun g ", "fun h ")
    );
    let (is_solvable, counts) = decide(&both);
    assert!(is_solvable);
    assert_eq!(counts.components, 2, "{counts:?}");
    assert_eq!(counts.questions, counts.sequences + counts.trees + counts.disjunctive);
    assert!(
        !decide(&both.replace("(> r m)", "(<= r m)")).0,
        "a part that cannot be solved is enough"
    );
}

#[test]
fn recursion_is_not_supported() {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let text = "(declare-fun p (Int) Bool) (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))";
    let system = read(&mut store, text);
    let answer = shofar_rf::solve(&mut Cx::new(&mut store, &budget), &system, &Options::default());
    assert!(matches!(answer, Err(GaveUp::Unsupported(_))));
}

/// Random clauses over a few levels; both ways agree, and all evidence is checked.
#[test]
fn random_clauses_as_their_expansion() {
    let mut rng = Rng::new(5);
    let (mut solvable, mut refuted) = (0, 0);
    for _ in 0..60 {
        let mut text = String::new();
        let levels = 4;
        for level in 0..levels {
            writeln!(text, "(declare-fun p{level} (Int Int) Bool)").unwrap();
        }
        for level in 0..=levels {
            for _ in 0..=rng.below(2) {
                let mut body = String::new();
                for _ in 0..if level == 0 { 0 } else { rng.below(3) } {
                    let (a, b) = (rng.below(3), rng.below(3));
                    write!(body, "(p{} v{a} v{b})", rng.below(level)).unwrap();
                }
                for _ in 0..=rng.below(2) {
                    let (a, b, k) = (rng.below(3), rng.below(3), rng.range(0, 4));
                    let relation = *rng.pick(&["<=", "<", "=", ">"]);
                    write!(body, "({relation} v{a} (+ v{b} {k}))").unwrap();
                }
                let head =
                    if level == levels { "false".to_owned() } else { format!("(p{level} v0 v1)") };
                let variables = "(v0 Int) (v1 Int) (v2 Int)";
                writeln!(text, "(assert (forall ({variables}) (=> (and true {body}) {head})))")
                    .unwrap();
            }
        }
        let (by_fragments, _) = decide(&text);
        let (by_expansion, _) = decide_by_expansion(&text);
        assert_eq!(by_fragments, by_expansion, "{text}");
        if by_fragments { solvable += 1 } else { refuted += 1 }
    }
    assert!(solvable > 5 && refuted > 5, "both occur: {solvable} and {refuted}");
}
