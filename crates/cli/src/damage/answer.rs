//! Damaged texts that are still read are also answered: within a limit, without a panic, and with
//! evidence that passes its check and can be told in the words of the text.

use std::time::{Duration, Instant};

use shofar::{Answer, Event, GaveUp, Outcome, Problem, Property, Solver};
use shofar_chc::print::Lines;
use shofar_chc::read::{FrontEnd, PROPERTY, ReadOptions};
use shofar_term::TermStore;
use shofar_termination::{Options, analyse};

/// How long a question may take.
const LIMIT: Duration = Duration::from_secs(1);
/// Of a text that asks more questions, the first ones are answered.
const QUESTIONS: usize = 2;

/// Answers the questions of a text that is read: how many answers are known, or what is wrong with
/// the program.
pub(super) fn answer(
    front_end: &FrontEnd,
    options: &ReadOptions,
    text: &[u8],
) -> Result<usize, String> {
    match property(front_end, options) {
        Property::Safety => safety(front_end, options, text),
        Property::Termination => termination(front_end, options, text),
    }
}

fn property(front_end: &FrontEnd, options: &ReadOptions) -> Property {
    let is_told = front_end.options.contains(&PROPERTY);
    if is_told { options.property() } else { front_end.asks.usual() }
}

fn safety(front_end: &FrontEnd, options: &ReadOptions, text: &[u8]) -> Result<usize, String> {
    let problems =
        Problem::read_with(front_end, options, text).map_err(|error| error.to_string())?;
    let mut known = 0;
    for problem in problems.into_iter().take(QUESTIONS) {
        let mut wrong = Vec::new();
        let solver = Solver::new().with_timeout(LIMIT).with_threads(1);
        let outcome = solver.solve_with(problem, &mut |event| wrong.extend(fault(event)));
        if let Some(wrong) = wrong.pop() {
            return Err(wrong);
        }
        known += usize::from(is_told(outcome, text)?);
    }
    Ok(known)
}

/// What is wrong with the program if this happens.
fn fault(event: &Event) -> Option<String> {
    match event {
        Event::Panicked(engine, why) => Some(format!("{engine} panics: {why}")),
        Event::Rejected(engine, why) => Some(format!("a witness of {engine} is wrong: {why}")),
        Event::Pass(_)
        | Event::Start(..)
        | Event::Pause(_)
        | Event::Stop(..)
        | Event::Found(_)
        | Event::NoThread(_)
        | Event::Hints(..)
        | Event::Misled(..)
        | Event::Exchanged(_)
        | Event::LevelBegins(_)
        | Event::LevelEnded(..) => None,
    }
}

/// Tells an answer with its evidence, as clauses and in the words of the text; whether there is
/// one.
fn is_told(outcome: Outcome, text: &[u8]) -> Result<bool, String> {
    match outcome.answer {
        Answer::Safe(mut model) => {
            let (clauses, _) = (model.to_string(), model.in_source());
            (!clauses.is_empty()).then_some(true).ok_or_else(|| "a model without words".to_owned())
        }
        Answer::Unsafe(refutation) => {
            let (mut clauses, lines) = (Vec::new(), Lines::new(refutation.horn(), text));
            refutation.print_short(&mut clauses, &lines).map_err(|error| error.to_string())?;
            let _ = refutation.in_source();
            (!clauses.is_empty()).then_some(true).ok_or_else(|| "an empty refutation".to_owned())
        }
        Answer::Unknown(failure) => match (failure.stopped, failure.rejected.first()) {
            (_, Some(rejected)) => Err(rejected.clone()),
            (Some(GaveUp::Wrong(what)), None) => Err(what.to_string()),
            (_, None) => Ok(false),
        },
    }
}

fn termination(front_end: &FrontEnd, options: &ReadOptions, text: &[u8]) -> Result<usize, String> {
    let mut store = TermStore::new();
    let problems = (front_end.read)(text, options, &mut store).map_err(|error| error.message)?;
    let mut known = 0;
    for problem in problems.into_iter().take(QUESTIONS) {
        let options = Options {
            solver: Solver::new().with_threads(1),
            deadline: Some(Instant::now() + LIMIT),
            exactness: problem.exactness,
            ..Options::default()
        };
        let mut analysis = analyse(store.clone(), &problem.system, &options);
        let told = analysis.explanation(text);
        match analysis.why() {
            Some(GaveUp::Wrong(what)) => return Err(what.to_string()),
            Some(_) => {}
            None if told.is_empty() => return Err("an answer without evidence".to_owned()),
            None => known += 1,
        }
    }
    Ok(known)
}
