//! The examples have the answers that their first lines say, with evidence that passes the
//! validator.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use shofar::Solver;
use shofar_frontend::ARI;
use shofar_term::TermStore;
use shofar_termination::{Analysis, Answer, Options, analyse};

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/termination");
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "ari"));
    paths.sort();
    paths
}

fn answer(text: &str) -> Analysis {
    let mut store = TermStore::new();
    let problem = ARI.read_plainly(text.as_bytes(), &mut store).unwrap().remove(0);
    let deadline = Some(Instant::now() + Duration::from_mins(2));
    let solver = Solver::new().with_threads(1);
    analyse(store, &problem.system, &Options { solver, deadline, ..Options::default() })
}

#[test]
fn examples_have_their_answers() {
    let examples = examples();
    assert!(examples.len() >= 30);
    let mut wrong = Vec::new();
    for path in examples {
        let text = fs::read_to_string(&path).unwrap();
        let expected = text.lines().next().unwrap().strip_prefix("; expect: ").unwrap();
        let mut analysis = answer(&text);
        let explanation = analysis.explanation(text.as_bytes());
        if analysis.word() != expected {
            wrong.push(format!("{}: {}\n{explanation}", path.display(), analysis.word()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A system with one loop over `x` and `y`.
fn system(rules: &str) -> String {
    format!(
        "(format LCTRS)(theory Ints)(fun f (-> Int Int Int))(fun g (-> Int Int Int))\n(entrypoint f)\n(rule (f x y) (g x y))\n{rules}"
    )
}

#[test]
fn evidence_is_told_in_the_words_of_the_input() {
    let text = system("(rule (g x y) (g (+ x 1) y) :guard (< x y))");
    let mut analysis = answer(&text);
    let explanation = analysis.explanation(text.as_bytes());
    assert!(
        explanation.contains("g(x, y): (-x + y - 1)") || explanation.contains("g(x, y): (-x + y)"),
        "{explanation}"
    );
    assert!(explanation.contains("line 4"), "{explanation}");
    let text = system("(rule (g x y) (g z y) :guard (and (> z x) (< y 3)))");
    let mut analysis = answer(&text);
    assert!(matches!(analysis.answer, Answer::Diverges(_)));
    let explanation = analysis.explanation(text.as_bytes());
    assert!(explanation.contains("from g: line 4 with z = "), "{explanation}");
    assert!(explanation.contains("\n  f("), "{explanation}");
}

#[test]
fn what_is_no_program_is_not_answered() {
    let text = b"(declare-fun p (Int) Bool)
        (assert (forall ((x Int)) (p x)))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (p (+ x y)))))(check-sat)";
    let mut store = TermStore::new();
    let script = shofar_chc::read::read_horn(text, &mut store).unwrap();
    let analysis = analyse(store, &script.problems[0].system, &Options::default());
    assert_eq!(analysis.word(), "MAYBE");
}

#[test]
fn a_limit_is_kept() {
    let text = system("(rule (g x y) (g (+ x y) (- y 1)) :guard (> x 0))");
    let mut store = TermStore::new();
    let problem = ARI.read_plainly(text.as_bytes(), &mut store).unwrap().remove(0);
    let options = Options { deadline: Some(Instant::now()), ..Options::default() };
    let analysis = analyse(store, &problem.system, &options);
    assert!(matches!(analysis.answer, Answer::Maybe(shofar_base::GaveUp::Timeout)));
}
