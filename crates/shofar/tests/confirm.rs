//! Verdicts that the text itself confirms or denies.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use shofar::base::Budget;
use shofar::chc::read::{Confirmation, Evidence, Explain, HornProblem};
use shofar::chc::{Derivation, Interpretation};
use shofar::term::TermStore;
use shofar::{Answer, FRONT_ENDS, Outcome, Problem, Solver};

/// A language that says this to every verdict.
#[derive(Debug)]
struct Says(Confirmation);

impl Explain for Says {
    fn trace(&self, _: &TermStore, _: &HornProblem, _: &Derivation) -> String {
        "an execution\n".to_owned()
    }
    fn proof(&self, _: &mut TermStore, _: &HornProblem, _: &Interpretation) -> String {
        "a proof\n".to_owned()
    }
    fn confirm(&self, _: &TermStore, _: &HornProblem, _: Evidence<'_>, _: &Budget) -> Confirmation {
        self.0.clone()
    }
}

fn problem(text: &str, options: &[(&str, &str)]) -> (TermStore, HornProblem) {
    let language = FRONT_ENDS.iter().find(|row| row.name == "c").unwrap();
    let options = language.options_with(options).unwrap();
    let mut store = TermStore::new();
    let problem = (language.read)(text.as_bytes(), &options, &mut store).unwrap().remove(0);
    (store, problem)
}

fn outcome(text: &str, says: Option<Confirmation>) -> Outcome {
    let (store, mut horn) = problem(text, &[]);
    if let Some(says) = says {
        horn.explain = Some(Arc::new(Says(says)));
    }
    Solver::new().solve(Problem::from_parts(store, horn, Arc::default()))
}

const SAFE: &str = "int main(void) { int x = 0; while (x < 9) x++; assert(x == 9); }";
const UNSAFE: &str =
    "int main(void) { int x = __VERIFIER_nondet_int(); int y = 2 * x; assert(y != 8); }";

#[test]
fn what_is_denied_is_not_answered() {
    for text in [SAFE, UNSAFE] {
        let denied = outcome(text, Some(Confirmation::Refuted("line 3 says so".to_owned())));
        let Answer::Unknown(failure) = denied.answer else { panic!("{text}") };
        assert_eq!(failure.rejected, ["line 3 says so"]);
        assert!(failure.reason().contains("did not pass its check"), "{}", failure.reason());
    }
}

#[test]
fn what_is_not_denied_is_answered_and_told() {
    for (text, word) in [(SAFE, "sat"), (UNSAFE, "unsat")] {
        for (says, told) in [
            (Confirmation::NotAsked, None),
            (Confirmation::Confirmed("a".to_owned()), Some("confirmed: a")),
            (Confirmation::Undecided("b".to_owned()), Some("not confirmed: b")),
        ] {
            let outcome = outcome(text, Some(says));
            assert_eq!((outcome.word(), outcome.report.confirmation.as_deref()), (word, told));
        }
    }
}

#[test]
fn programs_are_run() {
    for (text, said) in [
        (SAFE, "confirmed: the program needs no inputs"),
        (UNSAFE, "confirmed: the program was run"),
        (
            "int f(int n) { return n ? f(n - 1) + 1 : 0; } int main(void) { assert(f(4) == 4); }",
            "confirmed",
        ),
        ("int main(void) { int a[2]; int i; assert(a[0] + i != 5); }", "confirmed"),
        (
            "int main(void) { int x = __VERIFIER_nondet_int(); assert(x != 7 || x + 1 == 8); }",
            "not confirmed: 4 runs",
        ),
    ] {
        let outcome = outcome(text, None);
        let told = outcome.report.confirmation.unwrap_or_default();
        assert!(told.starts_with(said), "{text}: {told}");
    }
}

/// A function that can fail is entered by its calls, which have been told when it returns.
#[test]
fn what_a_caller_does_is_told_once() {
    let text = "int __VERIFIER_nondet_int(void);\nint down(int n) {\n  while (n > 0) n--;\n  assert(n <= 0);\n  return n;\n}\n\
        int main(void) {\n  int x = __VERIFIER_nondet_int();\n  int y = down(x);\n  assert(y + x != 3);\n}\n";
    let outcome = outcome(text, None);
    let Answer::Unsafe(refutation) = &outcome.answer else { panic!("{}", outcome.word()) };
    let trace = refutation.in_source().unwrap();
    assert!(trace.contains("inputs: 3\n"), "{trace}");
    assert_eq!(trace.matches("down(3) is called").count(), 1, "{trace}");
    let said = outcome.report.confirmation.unwrap();
    assert!(said.starts_with("confirmed: the program was run"), "{said}");
}
