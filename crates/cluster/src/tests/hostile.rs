//! Somebody hostile at the hub: noise, damage and lies in the queue, in every store and on every
//! topic, while problems are solved.
//!
//! All problems are safe, and every verdict is validated by who collects. So what may come of a lie
//! is that a problem is done again, or ends without a verdict; a wrong verdict, a panic or a
//! problem that never ends is a failure of the test.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use shofar_base::Rng;
use shofar_bench::{Answer, Ended, Printed};

use crate::blob;
use crate::company::{Company, Says, Word};
use crate::digest::Digest;
use crate::hub::{Hub as _, Store, Topic};
use crate::ledger::Outcome;
use crate::memory::Memory;
use crate::message::{Content, Ending, Job, Presence, Record, Report, Spec, seat_key};
use crate::overview::Watcher;
use crate::patience::{Patience, SetAtEnd};
use crate::priority::Priority;
use crate::solve::Solving;

use super::damage::{damage, job, presence, record, rejection, report};
use super::runs::{ended, finish, model, number_of, spec, submitted};

/// So many messages are sent, a part of them in each round.
const MESSAGES: usize = 100_000;
const ROUNDS: usize = 10;
/// Problems of a round.
const PROBLEMS: usize = 20;

/// Talks with those on other seats for a moment, then answers, if the text is one of ours.
struct Sociable;
impl Solving for Sociable {
    fn solve(
        &self,
        _: &Job,
        text: &[u8],
        company: Option<&Company<'_>>,
        _: &AtomicBool,
    ) -> Result<Option<(Ended, Printed)>, String> {
        if let Some(company) = company {
            company.say(text.to_vec());
            for _ in 0..100 {
                company.hear(Duration::ZERO);
            }
        }
        let number = number_of(text).ok_or("this is no problem")?;
        Ok(Some(ended(Answer::Sat, &model(number))))
    }
}

/// Sends what nobody should believe.
struct Hostile<'h> {
    hub: &'h Memory,
    rng: Rng,
    /// Jobs that are being worked on.
    jobs: Vec<Spec>,
}

impl Hostile<'_> {
    /// One message; the kinds take turns.
    fn send(&mut self, number: usize) {
        let spec = self.rng.pick(&self.jobs).clone();
        let id = spec.job();
        let seat = u32::try_from(self.rng.below(2)).unwrap();
        // Most of it is about jobs that nobody has heard of.
        let is_ours = self.rng.chance(10);
        let name = if is_ours { id.clone() } else { Digest::of(&number.to_le_bytes()) };
        let name = name.as_str();
        let told = |topic, bytes: &[u8]| self.hub.tell(topic, name, bytes).unwrap();
        match number % 10 {
            0 => {
                let lie = Job { spec: Spec { text: Digest::of(name.as_bytes()), ..spec }, ..job() };
                let bytes = self.bytes(&lie.encode());
                let priority = *self.rng.pick(&Priority::ALL);
                self.hub.enqueue(priority, &format!("hostile-{number}"), &bytes).unwrap();
            }
            1 => {
                let bytes = self.bytes(&lie(spec, seat).encode());
                self.hub.create(Store::Results, name, &bytes).unwrap();
            }
            2 => {
                let ended = Some(lie(spec, seat));
                let bytes = self.bytes(&Record { ended, ..record() }.encode());
                self.hub.replace(Store::Attempts, &seat_key(&id, seat), &bytes).unwrap();
            }
            3 => {
                let part = [&[0], blob::pack(name.as_bytes()).as_slice()].concat();
                let text = if is_ours { spec.text } else { Digest::of(name.as_bytes()) };
                let bytes = self.bytes(&part);
                self.hub.create(Store::Texts, &blob::beginning(&text), &bytes).unwrap();
            }
            4 => told(Topic::Cancel, &number.to_le_bytes()),
            8 => {
                // A call to stop that names nothing, or a job that does not exist.
                let name = if is_ours { "no job" } else { name };
                self.hub.tell(Topic::Cancel, name, b"").unwrap();
            }
            9 => {
                let bytes = self.bytes(&rejection().encode());
                self.hub.tell(Topic::Rejected, "all", &bytes).unwrap();
            }
            5 => told(Topic::Hello, &number.to_le_bytes()),
            6 => {
                let lie = Presence { worker: format!("w{number}"), ..presence() };
                let bytes = self.bytes(&lie.encode());
                self.hub.tell(Topic::Worker, name, &bytes).unwrap();
            }
            _ => {
                let says = if is_ours { Says::Hello } else { Says::Lemma(b"false holds".to_vec()) };
                let bytes = self.bytes(&Word { seat, says }.encode());
                self.hub.tell(Topic::Lemma, id.as_str(), &bytes).unwrap();
            }
        }
    }
    /// A message as it is, damaged, or noise.
    fn bytes(&mut self, whole: &[u8]) -> Vec<u8> {
        match self.rng.below(4) {
            0 => whole.to_vec(),
            1 => {
                let length = self.rng.below(200);
                (0..length).map(|_| u8::try_from(self.rng.below(256)).unwrap()).collect()
            }
            _ => damage(&mut self.rng, whole),
        }
    }
}

/// A report about a job that is well made, and not true.
fn lie(spec: Spec, seat: u32) -> Report {
    let output = Content::Inline(blob::pack(b"unsat\n"));
    let ending = Ending::Answered(Answer::Unsat);
    Report { seat: seat % spec.seats, spec, ending, output, ..report() }
}

/// Has problems solved while so many hostile messages are sent, and while somebody watches.
fn round(hub: &Memory, number: usize, messages: usize) -> Vec<Outcome> {
    let go_on = AtomicBool::new(false);
    let numbers: Vec<usize> = (number * PROBLEMS..(number + 1) * PROBLEMS).collect();
    let seats = if number.is_multiple_of(2) { 1 } else { 2 };
    let ledger = submitted(hub, Patience::until(&go_on), &numbers, &spec(seats, 4));
    let jobs = ledger.open_jobs().map(|open| open.spec.clone()).collect();
    let mut hostile = Hostile { hub, rng: Rng::new(number as u64), jobs };
    let over = &AtomicBool::new(false);
    std::thread::scope(|scope| {
        let sent = scope.spawn(move || (0..messages).for_each(|number| hostile.send(number)));
        scope.spawn(move || {
            let mut watcher = Watcher::new(hub).unwrap();
            while !over.load(Ordering::SeqCst) {
                let seen = watcher.look(Duration::from_millis(20)).unwrap();
                assert!(seen.workers.len() <= 5_000, "workers may be made up, but not without end");
                assert!(!seen.text().contains('\u{1b}') && !seen.page().is_empty());
            }
        });
        let _end = SetAtEnd(over);
        let outcomes = finish(hub, ledger, &[&Sociable, &Sociable]);
        sent.join().unwrap();
        outcomes
    })
}

#[test]
fn a_hundred_thousand_hostile_messages_on_all_subjects() {
    let hub = Memory::new();
    let mut decided = 0;
    for number in 0..ROUNDS {
        let outcomes = round(&hub, number, MESSAGES / ROUNDS);
        assert_eq!(outcomes.len(), PROBLEMS, "each has one result");
        assert!(outcomes.iter().all(|outcome| outcome.answer != "unsat"), "{outcomes:?}");
        decided += outcomes.iter().filter(|outcome| outcome.answer == "sat").count();
    }
    assert!(decided > ROUNDS * PROBLEMS / 2, "most are decided all the same: {decided}");
}
