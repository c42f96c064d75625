//! What is done to jobs after they were submitted: taken by priority, cancelled, retried; and the
//! versions of programs.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use shofar_bench::{Answer, Ended, Printed};

use crate::blob;
use crate::cancel::{Cancelled, cancel_all};
use crate::collect::Collector;
use crate::failure::Failure;
use crate::hub::{Hub as _, Store, Topic};
use crate::ledger::{Ledger, Outcome};
use crate::memory::Memory;
use crate::message::{Content, Ending, Job, LONGEST_ANSWER, Rejection, Report, Spec};
use crate::patience::Patience;
use crate::priority::Priority;
use crate::retry::{Changes, reopen};
use crate::submit::{enter, send_jobs, specs};
use crate::worker::Worker;

use super::damage::report;
use super::runs::{
    Honest, Scripted, VERSION, ended, finish, instance, model, number, read, rules, spec, submitted,
};

fn failed(answer: Answer, exit: Option<i32>) -> (Ended, Printed) {
    let (ended, printed) = ended(answer, "");
    (Ended { exit, ..ended }, printed)
}

/// Submits files with a priority each; the journal is one.
fn submitted_by_priority(hub: &Memory, numbers: &[(usize, Priority)]) -> Ledger {
    let go_on = AtomicBool::new(false);
    let mut ledger = Ledger::in_memory();
    for &(number, priority) in numbers {
        let instances = [instance(number)];
        let specs = specs(&instances, &spec(1, 4), &read).unwrap();
        let entered = enter(&mut ledger, priority, instances.iter().zip(specs)).unwrap();
        send_jobs(hub, Patience::until(&go_on), &ledger, &entered.jobs, &read).unwrap();
    }
    ledger
}

#[test]
fn jobs_of_a_higher_priority_are_taken_first() {
    let hub = Memory::new();
    let numbers = [
        (0, Priority::Low),
        (1, Priority::Normal),
        (2, Priority::High),
        (3, Priority::Low),
        (4, Priority::High),
        (5, Priority::Normal),
    ];
    submitted_by_priority(&hub, &numbers);
    assert_eq!(hub.queue().unwrap().waiting, [2, 2, 2]);
    let (taken, go_on) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    let solver = Scripted(|job: &Job, text: &[u8], _: &AtomicBool| {
        taken.lock().unwrap().push((number(text), job.priority));
        Some(ended(Answer::Sat, &model(number(text))))
    });
    let worker = Worker::new(&hub, &solver, "w", 1, &go_on);
    for _ in 0..numbers.len() {
        worker.take_one();
    }
    let order: Vec<usize> = taken.lock().unwrap().iter().map(|(number, _)| *number).collect();
    assert_eq!(order, [2, 4, 1, 5, 0, 3]);
    assert!(taken.lock().unwrap().iter().all(|job| numbers.contains(job)));
}

#[test]
fn one_job_is_cancelled_and_the_others_are_not() {
    let (hub, go_on) = (Memory::new(), AtomicBool::new(false));
    let patience = Patience::until(&go_on);
    let ledger = submitted(&hub, patience, &[1, 2, 3], &spec(2, 4));
    let cancel = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        cancel_all(&hub, patience, &ledger, &names)
    };
    let why = cancel(&["2.smt2", "9.smt2"]).unwrap_err();
    assert!(why.contains("9.smt2 is neither"), "{why}");
    assert_eq!(hub.queue().unwrap().open, 6, "nothing was cancelled");
    let files = vec!["2.smt2".to_owned()];
    let expected = Cancelled { files: files.clone(), ..Cancelled::default() };
    assert_eq!(cancel(&["2.smt2"]), Ok(expected));
    assert_eq!(hub.queue().unwrap().open, 4);
    let again = Cancelled { late: files, ..Cancelled::default() };
    let job = ledger.open_jobs().find(|open| open.is_called("2.smt2")).unwrap().spec.job();
    assert_eq!(cancel(&[job.as_str()]), Ok(again));
    let outcomes = finish(&hub, ledger, &[&Honest]);
    for outcome in &outcomes {
        let is_cancelled = outcome.file == "2.smt2";
        let failure = is_cancelled.then_some(Failure::Cancelled);
        let answer = if is_cancelled { "withdrawn" } else { "sat" };
        assert_eq!((outcome.answer.as_str(), outcome.failure), (answer, failure));
    }
    assert_eq!(outcomes.len(), 3);
}

/// A worker that is solving a cancelled job stops, and goes on with the next one.
#[test]
fn a_cancelled_job_stops_its_worker() {
    let (hub, go_on) = (Memory::new(), AtomicBool::new(false));
    let patience = Patience::until(&go_on);
    let ledger = submitted(&hub, patience, &[1, 2], &spec(1, 4));
    let names = ["1.smt2".to_owned()];
    let stopped = AtomicUsize::new(0);
    let solver = Scripted(|_: &Job, text: &[u8], stop: &AtomicBool| {
        if number(text) == 2 {
            return Some(ended(Answer::Sat, &model(2)));
        }
        cancel_all(&hub, patience, &ledger, &names).unwrap();
        for _ in 0..2000 {
            if stop.load(Ordering::SeqCst) {
                stopped.fetch_add(1, Ordering::SeqCst);
                return None;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Some(ended(Answer::Sat, &model(1)))
    });
    let copy = submitted(&hub, patience, &[1, 2], &spec(1, 4));
    let outcomes = finish(&hub, copy, &[&solver]);
    assert_eq!((outcomes.len(), stopped.load(Ordering::SeqCst)), (2, 1));
}

#[test]
fn jobs_are_retried_by_their_failures() {
    let (hub, go_on) = (Memory::new(), AtomicBool::new(false));
    let patience = Patience::until(&go_on);
    let ledger = submitted(&hub, patience, &[0, 1, 2, 3, 4], &spec(1, 4));
    let solver = Scripted(|job: &Job, text: &[u8], _: &AtomicBool| {
        let is_second = job.spec.run.contains('~');
        Some(match number(text) {
            number if number == 0 || is_second => ended(Answer::Sat, &model(number)),
            1 => failed(Answer::Timeout, None),
            2 => failed(Answer::Failed, Some(2)),
            3 => failed(Answer::Failed, None),
            _ => failed(Answer::Unknown, Some(0)),
        })
    });
    let (stop, mut outcomes) = (AtomicBool::new(false), Vec::new());
    std::thread::scope(|scope| {
        scope.spawn(|| Worker::new(&hub, &solver, "w", 1, &stop).work());
        let mut collector = Collector::new(&hub, patience, &read, rules(), ledger);
        let mut tell = |outcome: &Outcome| {
            outcomes.push((outcome.file.clone(), outcome.failure));
            Ok(())
        };
        collector.take_all(&mut tell, &mut || ()).unwrap();
        let mut ledger = collector.into_ledger();
        let failures = [Failure::Timeout, Failure::RefusedInput];
        let jobs = reopen(&mut ledger, &failures, &Changes::default(), "9").unwrap();
        assert_eq!((jobs.len(), ledger.open_count(), ledger.outcomes().count()), (2, 2, 3));
        assert!(ledger.open_jobs().all(|open| open.spec.version == "9"));
        send_jobs(&hub, patience, &ledger, &jobs, &read).unwrap();
        let mut collector = Collector::new(&hub, patience, &read, rules(), ledger);
        collector.take_all(&mut tell, &mut || ()).unwrap();
        let ledger = collector.into_ledger();
        let left: Vec<Failure> = ledger.outcomes().filter_map(|outcome| outcome.failure).collect();
        assert_eq!((left.len(), ledger.open_count()), (2, 0));
        assert!(left.contains(&Failure::Error) && left.contains(&Failure::Unknown));
        stop.store(true, Ordering::SeqCst);
    });
    assert_eq!(outcomes.len(), 7);
}

/// What another version has found is not taken for what this one would find, and the version of the
/// worker is told.
#[test]
fn results_of_another_version_are_not_served() {
    let (hub, go_on) = (Memory::new(), AtomicBool::new(false));
    let patience = Patience::until(&go_on);
    let solved = AtomicUsize::new(0);
    let solver = Scripted(|_: &Job, text: &[u8], _: &AtomicBool| {
        solved.fetch_add(1, Ordering::SeqCst);
        Some(ended(Answer::Sat, &model(number(text))))
    });
    let run = |version: &str| {
        let spec = Spec { version: version.to_owned(), ..spec(1, 4) };
        let ledger = submitted(&hub, patience, &[1, 2], &spec);
        finish(&hub, ledger, &[&solver])
    };
    let first = run(VERSION);
    run(VERSION);
    assert_eq!(solved.load(Ordering::SeqCst), 2, "the same version is served");
    let other = run("1.2.4 (def)");
    assert_eq!(solved.load(Ordering::SeqCst), 4);
    assert_ne!(first[0].job, other[0].job);
    let worker = Worker::new(&hub, &Honest, "w", 1, &go_on).with_version("0.9");
    let ledger = submitted(&hub, patience, &[3], &spec(1, 4));
    worker.take_one();
    let outcomes = finish(&hub, ledger, &[]);
    assert_eq!(outcomes[0].version, "0.9");
    assert!(outcomes[0].ended.starts_with("20"), "{}", outcomes[0].ended);
}

/// A watcher hears that a result was rejected.
#[test]
fn rejections_are_told() {
    let (hub, go_on) = (Memory::new(), AtomicBool::new(false));
    let mut listener = hub.listen(Topic::Rejected).unwrap();
    let ledger = submitted(&hub, Patience::until(&go_on), &[5], &spec(1, 4));
    let job = ledger.open_jobs().next().unwrap().spec.job();
    let liar = Scripted(|job: &Job, text: &[u8], _: &AtomicBool| {
        let is_first = job.spec.run.is_empty();
        let lie = ended(Answer::Unsat, "unsat\n");
        Some(if is_first { lie } else { ended(Answer::Sat, &model(number(text))) })
    });
    let outcomes = finish(&hub, ledger, &[&liar]);
    assert_eq!(outcomes[0].answer, "sat");
    let told = (0..1000).find_map(|_| listener.next(Duration::from_millis(1))).unwrap();
    let rejection = Rejection { job: job.clone(), worker: "w0".to_owned() };
    assert_eq!(Rejection::decode(&told.1), Ok(rejection));
    assert!(hub.read(Store::Results, job.as_str()).unwrap().is_some());
}

/// A witness above the limit is not sent; one that a worker sends all the same is not unpacked.
#[test]
fn a_witness_above_the_limit_is_no_verdict() {
    let (hub, go_on) = (Memory::new(), AtomicBool::new(false));
    let patience = Patience::until(&go_on);
    let cut = Scripted(|_: &Job, text: &[u8], _: &AtomicBool| {
        let (ended, printed) = ended(Answer::Sat, &model(number(text)));
        Some((ended, Printed { is_cut: true, ..printed }))
    });
    let ledger = submitted(&hub, patience, &[1], &spec(1, 4));
    let outcomes = finish(&hub, ledger, &[&cut]);
    assert_eq!(outcomes[0].failure, Some(Failure::Unknown));
    assert_eq!(outcomes[0].message.as_deref(), Some("the witness is longer than 64 MB"));

    let ledger = submitted(&hub, patience, &[2], &spec(1, 4));
    let spec = ledger.open_jobs().next().unwrap().spec.clone();
    let large = [model(2).into_bytes(), vec![b' '; LONGEST_ANSWER]].concat();
    let output = Content::Stored(blob::put(&hub, &large).unwrap());
    let ending = Ending::Answered(Answer::Sat);
    let forged = Report { spec: spec.clone(), seat: 0, ending, output, ..report() };
    hub.force(Store::Results, spec.job().as_str(), &forged.encode());
    let outcomes = finish(&hub, ledger, &[&Honest]);
    assert_eq!(outcomes[0].answer, "sat", "the second attempt counts");
    assert_eq!(outcomes[0].worker, "w0");
}
