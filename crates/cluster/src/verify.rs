//! Validates what workers say: nobody is trusted with a verdict.
//!
//! The text of the problem is read by the one who collects, and the answers with their witnesses
//! are judged against its clauses by [`shofar::check`], as `shofar check` does. A verdict counts if
//! the last answer is valid and none of the others is wrong. Where a text is about many things at
//! once, a refutation of the one that it lists is one of the text. What is judged comes from the
//! hub and may be anything: it is read within limits, in a thread of its own, and if the validator
//! should fail on it the verdict does not count.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use shofar::base::Budget;
use shofar::chc::read::{HornProblem, Status};
use shofar::check::{
    Evidence, GivenAnswer, HornInput, Judgement, Rigour, given_answers, instance_for, judge,
};
use shofar::term::{Cx, TermStore};
use shofar::{GaveUp, StopHandle};
use shofar_bench::Answer;

use crate::patience::{Patience, SetAtEnd};
use crate::reading::Reading;

/// How often it is looked whether somebody wants to wait.
const LOOK: Duration = Duration::from_millis(50);

/// What is known of a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verified {
    /// Its evidence is valid.
    Valid,
    /// It is not, or it could not be confirmed; this is why.
    Rejected(String),
    /// Nothing, since nobody wants to wait.
    Interrupted,
}

/// Judges the last answer of `output`, which should be `answer`, to the last question of `text`,
/// unless patience is over.
pub(crate) fn verify(
    reading: &Reading,
    text: &[u8],
    answer: Answer,
    output: &[u8],
    limit: Duration,
    patience: Patience<'_>,
) -> Verified {
    let (handle, over) = (StopHandle::default(), AtomicBool::new(false));
    let (deadline, caller) = (Instant::now().checked_add(limit), std::thread::current());
    let judged = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("validator".to_owned());
        let spawned = thread.spawn_scoped(scope, || {
            let end = SetAtEnd(&over);
            let budget = Budget::with_handle(&handle, deadline);
            let judged = confirm(reading, text, answer, output, &budget);
            drop(end);
            caller.unpark();
            judged
        });
        let thread = match spawned {
            Ok(thread) => thread,
            Err(error) => return Err(format!("the validator gets no thread: {error}")),
        };
        while !over.load(Ordering::SeqCst) {
            if patience.is_over() {
                handle.stop(GaveUp::Cancelled);
            }
            std::thread::park_timeout(LOOK);
        }
        thread.join().unwrap_or_else(|_| Err("the validator failed".to_owned()))
    });
    match judged {
        Ok(()) => Verified::Valid,
        Err(_) if patience.is_over() => Verified::Interrupted,
        Err(why) => Verified::Rejected(why),
    }
}

fn confirm(
    reading: &Reading,
    text: &[u8],
    answer: Answer,
    output: &[u8],
    budget: &Budget,
) -> Result<(), String> {
    let said = match answer {
        Answer::Sat => Status::Sat,
        Answer::Unsat => Status::Unsat,
        Answer::Yes | Answer::No => {
            return Err("an answer about termination is not confirmed from its text".to_owned());
        }
        Answer::Unknown | Answer::Timeout | Answer::Memory | Answer::Failed => {
            return Err("there is no verdict".to_owned());
        }
    };
    let mut store = TermStore::new();
    let problems = reading
        .problems(text, &mut store)
        .map_err(|error| format!("the problem is not understood: {}", error.message))?;
    let answers = given_answers(output)
        .map_err(|error| format!("the answer is not understood: {}", error.message))?;
    if answers.len() != problems.len() {
        return Err(format!("{} answers to {} questions", answers.len(), problems.len()));
    }
    if answers.last().and_then(GivenAnswer::word) != Some(said) {
        return Err(format!("the last answer is not {}", answer.word()));
    }
    let last = answers.len() - 1;
    let text: Arc<[u8]> = text.into();
    let mut written: Option<(TermStore, Vec<HornProblem>)> = None;
    for (number, (problem, answer)) in problems.iter().zip(&answers).enumerate() {
        let judged = match instance_for(problem, &reading.input(&text, number), answer, budget) {
            Ok(None) if answer.evidence() == Evidence::Refutation => {
                // A refutation is about clauses as they are written.
                if written.is_none() {
                    let text = reading.input(&text, number).as_written();
                    written = text.and_then(|text| text.read_all());
                }
                let (store, problems) = written.as_mut().ok_or("the clauses cannot be numbered")?;
                assess(store, budget, &problems[number], answer)
            }
            Ok(None) => assess(&mut store, budget, problem, answer),
            Ok(Some((mut store, instance))) => assess(&mut store, budget, &instance, answer),
            Err(why) => return Err(format!("not confirmed: {why}")),
        };
        match judged {
            Judgement::Valid(_) => {}
            Judgement::Unknown(_) if number < last => {}
            Judgement::Unknown(doubt) => return Err(format!("not confirmed: {doubt}")),
            Judgement::Invalid(_) => return Err("the witness is wrong".to_owned()),
            Judgement::Refused(error) => {
                return Err(format!("the witness is not understood: {}", error.message));
            }
        }
    }
    Ok(())
}

fn assess(
    store: &mut TermStore,
    budget: &Budget,
    problem: &HornProblem,
    answer: &GivenAnswer<'_>,
) -> Judgement {
    let (input, mut cx) = (HornInput::of_problem(problem), Cx::new(store, budget));
    judge(&mut cx, &input, problem.polarity, answer, Rigour::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAFE: &[u8] = b"(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 1))
        (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
        (assert (forall ((x Int)) (=> (p x) (>= x 0))))(check-sat)";
    const MODEL: &str = "sat\n((define-fun p ((x Int)) Bool (>= x 0)))\n";

    fn check(answer: Answer, output: &str) -> Verified {
        judged("smt-lib", &[], SAFE, answer, output, false)
    }
    fn judged(
        language: &str,
        options: &[String],
        text: &[u8],
        answer: Answer,
        output: &str,
        stop: bool,
    ) -> Verified {
        let (stop, limit) = (AtomicBool::new(stop), Duration::from_secs(20));
        let reading = Reading::new(language, options).unwrap();
        verify(&reading, text, answer, output.as_bytes(), limit, Patience::until(&stop))
    }

    #[test]
    fn what_is_proved_counts() {
        assert_eq!(check(Answer::Sat, MODEL), Verified::Valid);
    }

    #[test]
    fn who_does_not_wait_knows_nothing() {
        let lie = MODEL.replace(">= x 0", "true");
        let verified = judged("smt-lib", &[], SAFE, Answer::Sat, &lie, true);
        assert_eq!(verified, Verified::Interrupted);
    }

    #[test]
    fn a_lie_does_not() {
        let lies = [
            (Answer::Unsat, MODEL.to_owned()),
            (Answer::Unsat, MODEL.replace("sat", "unsat")),
            (Answer::Sat, MODEL.replace(">= x 0", ">= x 2")),
            (Answer::Sat, MODEL.replace(">= x 0", "true")),
            (Answer::Sat, "sat\n".to_owned()),
            (Answer::Sat, String::new()),
            (Answer::Unsat, "unsat\n".to_owned()),
            (Answer::Sat, format!("{MODEL}{MODEL}")),
            (Answer::Sat, "sat\n)".to_owned()),
            (Answer::Timeout, MODEL.to_owned()),
        ];
        for (answer, output) in lies {
            let verified = check(answer, &output);
            assert!(matches!(verified, Verified::Rejected(_)), "{output}: {verified:?}");
        }
        let other = judged("smt-lib", &[], b"(check-sat", Answer::Sat, MODEL, false);
        assert!(matches!(other, Verified::Rejected(_)));
    }
}
