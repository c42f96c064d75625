//! A front end of one's own: a language of counters, as `docs/adding-a-front-end.md` shows it.
//!
//! ```text
//! start 0          the counter begins here
//! add 2 below 10   a step, taken while the counter is smaller
//! never 7          what must not be reached
//! ```
//! Any number of steps and goals; one line is one clause.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use shofar::base::{Diagnostic, Span};
use shofar::chc::read::HornProblem;
use shofar::chc::{ChcSystem, Clause, PredAtom};
use shofar::term::{Sort, TermStore};
use shofar::{Answer, Asks, FrontEnd, Problem, Solver, Texts};

const COUNTERS: FrontEnd = FrontEnd {
    name: "counters",
    about: "one counter, a line for each clause",
    extensions: &["counter"],
    recognises: |text| text.starts_with(b"start "),
    texts: Texts::Whole,
    asks: Asks::Safety,
    options: &[],
    read: |text, _, store| read_counter(text, store),
};

fn read_counter(text: &[u8], store: &mut TermStore) -> Result<Vec<HornProblem>, Diagnostic> {
    let mut system = ChcSystem::new();
    let counter = system.add_pred(store.declare("counter", &[Sort::INT], Sort::BOOL));
    let x = store.var("x", Sort::INT);
    let state = |value| PredAtom { pred: counter, args: vec![value] };
    let mut start = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let span = Span::new(start, start + line.trim_ascii_end().len());
        start += line.len();
        let words = std::str::from_utf8(line)
            .map_err(|_| Diagnostic::new(span, "the line is not UTF-8"))?;
        let words: Vec<&str> = words.split_whitespace().collect();
        let number = |word: &str| {
            let not_a_number = |_| Diagnostic::new(span, format!("`{word}` is not a number"));
            word.parse::<i64>().map_err(not_a_number)
        };
        let (body, constraint, head) = match words[..] {
            [] => continue,
            ["start", value] => {
                let value = store.int(number(value)?);
                (vec![], store.top(), Some(state(value)))
            }
            ["add", step, "below", limit] => {
                let (step, limit) = (store.int(number(step)?), store.int(number(limit)?));
                let next = store.add(&[x, step]);
                (vec![state(x)], store.lt(x, limit), Some(state(next)))
            }
            ["never", value] => {
                let value = store.int(number(value)?);
                (vec![state(x)], store.eq(x, value), None)
            }
            _ => {
                return Err(Diagnostic::new(span, "this is neither a start, a step nor a goal")
                    .note("a step is written `add 2 below 10`"));
            }
        };
        system.add_clause(Clause { head, body, constraint, span: Some(span) });
    }
    Ok(vec![HornProblem::of_system(store, system)])
}

fn problem(text: &str) -> Problem {
    Problem::read(&COUNTERS, text.as_bytes()).unwrap().swap_remove(0)
}

#[test]
fn safe_counters_have_a_model() {
    let outcome = Solver::new().solve(problem("start 0\nadd 2 below 10\nnever 7\n"));
    assert_eq!(outcome.word(), "sat");
    let Answer::Safe(model) = outcome.answer else { panic!("7 is odd") };
    assert!(model.to_string().contains("(define-fun counter ((A Int)) Bool"), "{model}");
}

#[test]
fn the_steps_of_a_refutation_lead_back_to_lines() {
    let problem = problem("start 0\n\nadd 2 below 10\nnever 7\nnever 6\n");
    let lines = problem.system().clauses().map(|(id, _)| problem.position(id).unwrap().line);
    assert_eq!(lines.collect::<Vec<_>>(), [1, 3, 4, 5]);
    let outcome = Solver::new().solve(problem);
    let Answer::Unsafe(refutation) = outcome.answer else { panic!("6 is reached") };
    assert_eq!(refutation.len(), 5);
    let shown = refutation.to_string();
    for line in [":line 1", ":line 3", ":line 5"] {
        assert!(shown.contains(line), "{shown}");
    }
}

#[test]
fn errors_have_a_place() {
    let refused = |text: &str| Problem::read(&COUNTERS, text.as_bytes()).unwrap_err();
    assert_eq!(refused("start 0\nadd x below 3\n").to_string(), "2:1: `x` is not a number");
    let error = refused("start 0\n\n  jump 5\n");
    assert_eq!(error.position().line, 3);
    assert!(error.picture("jump.counter").contains("note: a step is written"));
}

#[test]
fn it_is_recognised_as_any_row_of_the_table_is() {
    assert!((COUNTERS.recognises)(b"start 5") && !(COUNTERS.recognises)(b"(check-sat)"));
    assert!(shofar::FRONT_ENDS.iter().all(|row| row.name != COUNTERS.name));
    assert!(shofar::FRONT_ENDS.iter().all(|row| !(row.recognises)(b"start 5")));
}
