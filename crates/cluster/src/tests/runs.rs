//! Whole runs: submit, work, collect, on a hub in this process.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use shofar_bench::{
    Answer, Elsewhere as _, Ended, Errand, Expected, Instance, Measure, News, Printed,
};

use crate::collect::{Collector, collect_everything};
use crate::company::Company;
use crate::digest::Digest;
use crate::hub::{Hub, Store, Topic};
use crate::judge::{Judge, REJECTED, Rules};
use crate::ledger::{Ledger, Outcome};
use crate::memory::Memory;
use crate::message::{Content, Ending, Job, Report, Spec, seat_key};
use crate::options::CommandLine;
use crate::patience::Patience;
use crate::priority::Priority;
use crate::remote::Remote;
use crate::solve::Solving;
use crate::submit::{enter, send_jobs, specs};
use crate::worker::Worker;

/// The property needs that the second argument is not negative; k-induction does not find that out.
pub(super) const GROWING: &[u8] = b"(set-logic HORN)(declare-fun s (Int Int) Bool)(assert (s 0 0))
    (assert (forall ((x Int) (y Int)) (=> (s x y) (s (+ x y) (+ y 1)))))
    (assert (forall ((x Int) (y Int)) (=> (and (s x y) (< x 0)) false)))(check-sat)";

/// The version of the program, for tests.
pub(super) const VERSION: &str = "1.2.3 (abc)";

/// A safe problem about one number, and its model.
fn problem(number: usize) -> String {
    format!(
        "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p {number}))
        (assert (forall ((x Int)) (=> (p x) (>= x {number}))))(check-sat)"
    )
}
pub(super) fn model(number: usize) -> String {
    format!("sat\n((define-fun p ((x Int)) Bool (>= x {number})))\n")
}
/// The number of a problem, if it is one of ours.
pub(super) fn number_of(text: &[u8]) -> Option<usize> {
    let text = String::from_utf8_lossy(text);
    text.split("(assert (p ").nth(1)?.split(')').next()?.parse().ok()
}
pub(super) fn number(text: &[u8]) -> usize {
    number_of(text).unwrap()
}
pub(super) fn instance(number: usize) -> Instance {
    let name = format!("{number}.smt2");
    let path = PathBuf::from(&name);
    Instance { suite: "s".to_owned(), name, path, expected: Expected::Sat }
}
/// Files whose names are their numbers; those from 1000 on have the content of others.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, String> {
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    if name == "growing" {
        return Ok(GROWING.to_vec());
    }
    let number: usize = name.parse().map_err(|_| "no such file".to_owned())?;
    Ok(problem(number % 1000).into_bytes())
}
pub(crate) fn spec(seats: u32, attempts: u32) -> Spec {
    Spec {
        text: Digest::of(b""),
        language: String::new(),
        options: Vec::new(),
        milliseconds: 1000,
        measure: Measure::Wall,
        memory: None,
        seats,
        attempts,
        run: String::new(),
        version: VERSION.to_owned(),
    }
}
pub(super) fn ended(answer: Answer, output: &str) -> (Ended, Printed) {
    let ended = Ended { answer, wall: 0.01, cpu: 0.01, exit: Some(0), message: None };
    let output = output.as_bytes().to_vec();
    let statistics = Some("{\"file\":\"x\",\"engine\":\"kind\"}".to_owned());
    (ended, Printed { output, is_cut: false, statistics })
}
pub(super) fn rules() -> Rules {
    Rules { limit: Duration::from_secs(20), witnesses: None }
}

/// Every option is good.
pub(super) struct Anything;
impl CommandLine for Anything {
    fn is_about_solving(&self, _: &str) -> bool {
        true
    }
    fn objection(&self, _: &[String]) -> Option<String> {
        None
    }
    fn version(&self) -> &'static str {
        VERSION
    }
}
/// Solves at once, and knows the models.
pub(super) struct Honest;
impl Solving for Honest {
    fn solve(
        &self,
        _: &Job,
        text: &[u8],
        _: Option<&Company<'_>>,
        _: &AtomicBool,
    ) -> Result<Option<(Ended, Printed)>, String> {
        Ok(Some(ended(Answer::Sat, &model(number(text)))))
    }
}
/// Does what a function says.
pub(super) struct Scripted<F>(pub(super) F);
impl<F: Fn(&Job, &[u8], &AtomicBool) -> Option<(Ended, Printed)> + Sync> Solving for Scripted<F> {
    fn solve(
        &self,
        job: &Job,
        text: &[u8],
        _: Option<&Company<'_>>,
        stop: &AtomicBool,
    ) -> Result<Option<(Ended, Printed)>, String> {
        Ok((self.0)(job, text, stop))
    }
}

/// Submits files; the journal is that of this process.
pub(super) fn submitted(
    hub: &dyn Hub,
    patience: Patience<'_>,
    numbers: &[usize],
    spec: &Spec,
) -> Ledger {
    let mut ledger = Ledger::in_memory();
    let instances: Vec<Instance> = numbers.iter().map(|&number| instance(number)).collect();
    let specs = specs(&instances, spec, &read).unwrap();
    let entered = enter(&mut ledger, Priority::Normal, instances.iter().zip(specs)).unwrap();
    send_jobs(hub, patience, &ledger, &entered.jobs, &read).unwrap();
    ledger
}
/// Lets workers work until everything is collected.
pub(super) fn finish(hub: &Memory, ledger: Ledger, solvers: &[&dyn Solving]) -> Vec<Outcome> {
    let (stop, go_on) = (AtomicBool::new(false), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for (number, &solving) in solvers.iter().enumerate() {
            let (hub, stop) = (hub.clone(), &stop);
            scope.spawn(move || Worker::new(&hub, solving, &format!("w{number}"), 2, stop).work());
        }
        let mut outcomes = Vec::new();
        let mut collector = Collector::new(hub, Patience::until(&go_on), &read, rules(), ledger);
        let taken = collector.take_all(
            &mut |outcome| {
                outcomes.push(outcome.clone());
                Ok(())
            },
            &mut || (),
        );
        stop.store(true, Ordering::SeqCst);
        taken.unwrap();
        outcomes
    })
}

#[test]
fn everything_comes_back_once_from_a_bad_network() {
    for seed in 0..6 {
        let hub = Memory::faulty(seed, Duration::from_millis(60));
        let go_on = AtomicBool::new(false);
        let numbers: Vec<usize> = (0..40).chain([1003, 1004, 1003]).collect();
        let ledger = submitted(&hub, Patience::until(&go_on), &numbers, &spec(1, 32));
        let outcomes = finish(&hub, ledger, &[&Honest, &Honest, &Honest]);
        let mut names: Vec<&str> = outcomes.iter().map(|o| o.file.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!((names.len(), outcomes.len()), (40, 40), "seed {seed}");
        assert!(outcomes.iter().all(|outcome| outcome.answer == "sat"), "seed {seed}");
        let also: Vec<&str> =
            outcomes.iter().flat_map(|outcome| &outcome.also).map(String::as_str).collect();
        assert_eq!(also.len(), 2, "{also:?}");
    }
}

#[test]
fn a_worker_that_lies_costs_time_and_no_truth() {
    let lies = AtomicUsize::new(0);
    let liar = Scripted(|job: &Job, text: &[u8], _: &AtomicBool| {
        // What is submitted again reaches somebody honest in the end.
        if job.spec.run.is_empty() {
            lies.fetch_add(1, Ordering::SeqCst);
            let lie = match number(text) % 3 {
                0 => ended(Answer::Unsat, "unsat\n"),
                1 => ended(Answer::Sat, &model(number(text) + 1)),
                _ => ended(Answer::Unsat, &model(number(text))),
            };
            return Some(lie);
        }
        Some(ended(Answer::Sat, &model(number(text))))
    });
    let hub = Memory::new();
    let go_on = AtomicBool::new(false);
    let numbers: Vec<usize> = (0..12).collect();
    let ledger = submitted(&hub, Patience::until(&go_on), &numbers, &spec(1, 4));
    let outcomes = finish(&hub, ledger, &[&liar]);
    assert_eq!((outcomes.len(), lies.load(Ordering::SeqCst)), (12, 12));
    assert!(outcomes.iter().all(|outcome| outcome.answer == "sat"));

    let always =
        Scripted(|_: &Job, _: &[u8], _: &AtomicBool| Some(ended(Answer::Unsat, "unsat\n")));
    let hub = Memory::new();
    let ledger = submitted(&hub, Patience::until(&go_on), &[5], &spec(1, 4));
    let outcomes = finish(&hub, ledger, &[&always]);
    assert_eq!(outcomes.len(), 1);
    assert_eq!(outcomes[0].answer, REJECTED);
    assert!(outcomes[0].message.as_deref().unwrap().contains("unsat by w0"), "{outcomes:?}");
}

#[test]
fn nonsense_on_the_hub_is_stepped_over() {
    let hub = Memory::new();
    let go_on = AtomicBool::new(false);
    hub.enqueue(Priority::High, "nonsense", b"nonsense").unwrap();
    hub.tell(Topic::Cancel, "everything", b"\xff").unwrap();
    let ledger = submitted(&hub, Patience::until(&go_on), &[1, 2], &spec(1, 4));
    let jobs: Vec<Digest> = ledger.open_jobs().map(|open| open.spec.job()).collect();
    // One result is no report, the other one is about another job.
    hub.force(Store::Results, jobs[0].as_str(), b"nonsense");
    let other = Job { spec: spec(1, 1), seat: 0, priority: Priority::Low, name: String::new() };
    let other = Report::without_answer(&other, Ending::Crashed, "w", "").encode();
    hub.force(Store::Results, jobs[1].as_str(), &other);
    hub.force(Store::Attempts, &seat_key(&jobs[0], 0), b"nonsense");
    let outcomes = finish(&hub, ledger, &[&Honest]);
    assert_eq!(outcomes.len(), 2);
    assert!(outcomes.iter().all(|outcome| outcome.answer == "sat"), "{outcomes:?}");
    assert_eq!(hub.queue().unwrap().open, 0, "nothing is left in the queue");
}

#[test]
fn what_is_withdrawn_leaves_the_queue() {
    let (hub, go_on) = (Memory::new(), AtomicBool::new(false));
    let patience = Patience::until(&go_on);
    let ledger = submitted(&hub, patience, &[1, 2], &spec(2, 4));
    let kept = submitted(&hub, patience, &[3], &spec(1, 4));
    assert_eq!(hub.queue().unwrap().open, 5);
    let mut collector = Collector::new(&hub, patience, &read, rules(), ledger);
    collector.withdraw();
    let mut answers = Vec::new();
    let taken = collector.take_stored(&mut |outcome| {
        answers.push(outcome.answer.clone());
        Ok(())
    });
    taken.unwrap();
    assert_eq!((answers, hub.queue().unwrap().open), (vec!["withdrawn".to_owned(); 2], 1));
    assert_eq!(finish(&hub, kept, &[&Honest])[0].answer, "sat");
}

/// Who ends the collector while a lie is judged has not judged it.
#[test]
fn what_nobody_waited_for_is_open() {
    let hub = Memory::new();
    let (go_on, over) = (AtomicBool::new(false), AtomicBool::new(true));
    let ledger = submitted(&hub, Patience::until(&go_on), &[3], &spec(1, 4));
    let lie = Scripted(|_: &Job, _: &[u8], _: &AtomicBool| Some(ended(Answer::Unsat, "unsat\n")));
    Worker::new(&hub, &lie, "liar", 1, &go_on).take_one();
    let open = ledger.open_jobs().next().unwrap().clone();
    let report = hub.read(Store::Results, open.spec.job().as_str()).unwrap().unwrap();
    let mut told = 0;
    for (patience, again, expected) in [(&over, 0, 0), (&go_on, 1, 0)] {
        let ledger = submitted(&hub, Patience::until(&go_on), &[3], &spec(1, 4));
        let mut collector = Collector::new(&hub, Patience::until(patience), &read, rules(), ledger);
        collector
            .take(&[(open.clone(), report.clone())], &mut |_| {
                told += 1;
                Ok(())
            })
            .unwrap();
        let left = collector.ledger().open_jobs().next().unwrap();
        assert_eq!((left.again, told), (again, expected));
    }
}

#[test]
fn what_never_ends_counts_as_crashed() {
    let hub = Memory::new();
    let go_on = AtomicBool::new(false);
    let ledger = submitted(&hub, Patience::until(&go_on), &[1], &spec(1, 3));
    // Each of these takes the job, and is killed before it says another word.
    for worker in 0..3 {
        let dead = AtomicBool::new(false);
        let killed = Scripted(|_: &Job, _: &[u8], _: &AtomicBool| panic!("killed"));
        let name = format!("w{worker}");
        let tried = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            Worker::new(&hub, &killed, &name, 1, &dead).take_one();
        }));
        assert!(tried.is_err());
        hub.end_leases();
    }
    let outcomes = finish(&hub, ledger, &[&Honest]);
    assert_eq!(outcomes[0].answer, "crashed");
    assert_eq!(outcomes[0].attempts, 3);
    assert!(outcomes[0].message.as_deref().unwrap().contains("w0, w1, w2"));
}

#[test]
fn a_hub_that_lost_everything_gets_it_again() {
    let hub = Memory::new();
    let go_on = AtomicBool::new(false);
    let ledger = submitted(&hub, Patience::until(&go_on), &[1, 2, 3], &spec(1, 4));
    hub.lose_everything();
    let outcomes = finish(&hub, ledger, &[&Honest]);
    assert_eq!(outcomes.len(), 3);
}

#[test]
fn the_first_verdict_ends_the_other_seats() {
    let hub = Memory::new();
    let go_on = AtomicBool::new(false);
    let ledger = submitted(&hub, Patience::until(&go_on), &[7], &spec(3, 4));
    let stopped = AtomicUsize::new(0);
    let solver = Scripted(|job: &Job, text: &[u8], stop: &AtomicBool| {
        if job.seat == 2 {
            return Some(ended(Answer::Sat, &model(number(text))));
        }
        while !stop.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(1));
        }
        stopped.fetch_add(1, Ordering::SeqCst);
        None
    });
    let outcomes = finish(&hub, ledger, &[&solver, &solver]);
    assert_eq!((outcomes.len(), outcomes[0].seat, outcomes[0].answer.as_str()), (1, 2, "sat"));
    assert_eq!(outcomes[0].engine.as_deref(), Some("kind"));
    // Everybody has stopped when `finish` returns: called off, or because the workers ended.
    assert!(stopped.load(Ordering::SeqCst) <= 2);
}

#[test]
fn without_a_verdict_all_seats_are_waited_for() {
    let hub = Memory::new();
    let go_on = AtomicBool::new(false);
    let ledger = submitted(&hub, Patience::until(&go_on), &[7], &spec(3, 4));
    let seats = Mutex::new(BTreeMap::new());
    let solver = Scripted(|job: &Job, _: &[u8], _: &AtomicBool| {
        *seats.lock().unwrap().entry(job.seat).or_insert(0) += 1;
        Some(ended(Answer::Timeout, ""))
    });
    let outcomes = finish(&hub, ledger, &[&solver]);
    assert_eq!((outcomes.len(), outcomes[0].answer.as_str()), (1, "timeout"));
    assert_eq!(seats.into_inner().unwrap(), BTreeMap::from([(0, 1), (1, 1), (2, 1)]));
}

#[test]
fn a_forged_call_to_stop_is_not_believed() {
    let hub = Memory::new();
    let go_on = AtomicBool::new(false);
    let ledger = submitted(&hub, Patience::until(&go_on), &[7], &spec(2, 4));
    let job = ledger.open_jobs().next().unwrap().spec.job();
    let solver = Scripted(|_: &Job, text: &[u8], stop: &AtomicBool| {
        for _ in 0..60 {
            hub.tell(Topic::Cancel, job.as_str(), b"").unwrap();
            std::thread::sleep(Duration::from_millis(5));
            // Only the other seat's result may stop this one.
            if stop.load(Ordering::SeqCst) {
                assert!(hub.read(Store::Results, job.as_str()).unwrap().is_some());
                return None;
            }
        }
        Some(ended(Answer::Sat, &model(number(text))))
    });
    let outcomes = finish(&hub, ledger, &[&solver]);
    assert_eq!((outcomes.len(), outcomes[0].answer.as_str()), (1, "sat"));
}

#[test]
fn large_witnesses_travel_beside_their_report() {
    let hub = Memory::new();
    let go_on = AtomicBool::new(false);
    let ledger = submitted(&hub, Patience::until(&go_on), &[3], &spec(1, 4));
    let id = ledger.open_jobs().next().unwrap().spec.job();
    let mut rng = shofar_base::Rng::new(1);
    let noise: String =
        (0..400_000).map(|_| char::from(b"0123456789abcdef"[rng.below(16)])).collect();
    let large = format!("{}; {noise}\n", model(3));
    let solver = Scripted(|_: &Job, _: &[u8], _: &AtomicBool| Some(ended(Answer::Sat, &large)));
    let outcomes = finish(&hub, ledger, &[&solver]);
    assert_eq!(outcomes[0].answer, "sat");
    let report = hub.read(Store::Results, id.as_str()).unwrap().unwrap();
    let report = Report::decode(&report).unwrap();
    assert!(matches!(report.output, Content::Stored(_)));
}

#[test]
fn results_of_everybody_are_judged_by_the_text_on_the_hub() {
    let hub = Memory::new();
    let go_on = AtomicBool::new(false);
    let patience = Patience::until(&go_on);
    let ledger = submitted(&hub, patience, &[1, 2], &spec(1, 4));
    finish(&hub, ledger, &[&Honest]);
    let lie = Scripted(|_: &Job, _: &[u8], _: &AtomicBool| Some(ended(Answer::Unsat, "unsat\n")));
    let again = submitted(&hub, patience, &[3], &spec(1, 4));
    Worker::new(&hub, &lie, "liar", 1, &go_on).take_one();
    drop(again);
    let mut answers = Vec::new();
    let judge = Judge { hub: &hub, patience, rules: rules() };
    collect_everything(&judge, &mut |outcome| {
        answers.push(outcome.answer.clone());
        Ok(())
    })
    .unwrap();
    answers.sort_unstable();
    assert_eq!(answers, [REJECTED, "sat", "sat"]);
}

#[test]
fn a_suite_is_measured_by_the_cluster() {
    let hub = Memory::new();
    let stop = AtomicBool::new(false);
    let solver = Scripted(|_: &Job, text: &[u8], _: &AtomicBool| {
        let number = number(text);
        Some(match number {
            2 => ended(Answer::Timeout, ""),
            number => ended(Answer::Sat, &model(number)),
        })
    });
    let errand = Errand {
        instances: [1, 2, 1001].into_iter().map(instance).collect(),
        options: vec!["--engine".to_owned(), "kind".to_owned()],
        timeout: 5.0,
        measure: Measure::Cpu,
        memory: None,
    };
    let mut answers = BTreeMap::new();
    std::thread::scope(|scope| {
        scope.spawn(|| Worker::new(&hub, &solver, "w", 1, &stop).work());
        let remote = Remote {
            hub: &hub,
            read: &read,
            line: &Anything,
            limit: Duration::from_secs(20),
            attempts: 4,
        };
        let done = remote.run(&errand, &AtomicBool::new(false), &mut |news| {
            if let News::Result(place, ended) = news {
                answers.insert(place, ended.answer);
            }
            Ok(())
        });
        stop.store(true, Ordering::SeqCst);
        done.unwrap();
    });
    let expected = [(0, Answer::Sat), (1, Answer::Timeout), (2, Answer::Sat)];
    assert_eq!(answers, BTreeMap::from(expected));
}
