//! Engines that hear of those in other processes: a lemma from there decides here, and hostile
//! bytes change no verdict.
//!
//! A process is a run with a store of its own here; what goes from one to the other is bytes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod lies;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use lies::{GROWING, HELPFUL, LIAR, ROUNDS, SAFE_ROUNDS, is_safe, run, settings};
use shofar_base::Rng;
use shofar_driver::{ELSEWHERE, Preprocessing, Relay, Settings};
use shofar_engine::{EngineInfo, engine};
use shofar_term::Sharing;

/// Keeps what is sent, and hands out what it was given.
struct Mailbox {
    sent: Mutex<Vec<Vec<u8>>>,
    coming: Mutex<Vec<Vec<u8>>>,
}

impl Relay for Mailbox {
    fn send(&self, message: Vec<u8>) {
        self.sent.lock().unwrap().push(message);
    }
    fn poll(&self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.coming.lock().unwrap())
    }
}

fn relay(coming: Vec<Vec<u8>>) -> Arc<Mailbox> {
    Arc::new(Mailbox { sent: Mutex::default(), coming: Mutex::new(coming) })
}

fn with_relay(engine: &'static EngineInfo, relay: &Arc<Mailbox>) -> Settings {
    let relay = Arc::clone(relay) as Arc<dyn Relay>;
    Settings { relay: Some(relay), ..settings(&[engine], 1, Sharing::All) }
}

/// What an engine that does not end says to other processes.
fn said(text: &str, engine: &'static EngineInfo) -> Vec<Vec<u8>> {
    let relay = relay(Vec::new());
    let deadline = Some(Instant::now() + Duration::from_millis(500));
    let told = run(text, &Settings { deadline, ..with_relay(engine, &relay) });
    assert!(told.result.is_err(), "it does not end");
    let sent = told.traffic.iter().filter(|t| t.to == ELSEWHERE).map(|t| t.sent).sum::<u64>();
    let messages = std::mem::take(&mut *relay.sent.lock().unwrap());
    assert_eq!(sent, messages.len() as u64);
    messages
}

#[test]
fn a_lemma_from_elsewhere_decides_here() {
    let kind = engine("kind").unwrap();
    let lemmas = said(GROWING, &HELPFUL);
    assert!(!lemmas.is_empty());
    let told = run(GROWING, &with_relay(kind, &relay(lemmas)));
    assert!(is_safe(&told));
    let heard = told.traffic.iter().find(|t| t.from == ELSEWHERE && t.to == "kind").unwrap();
    assert!(heard.sent >= 1 && heard.taken >= 1 && heard.used >= 1, "{heard:?}");
}

#[test]
fn who_prepares_clauses_in_another_way_is_not_heard() {
    let spacer = engine("spacer").unwrap();
    let heard = |preprocessing| {
        let relay = relay(said(SAFE_ROUNDS, &LIAR));
        let told = run(SAFE_ROUNDS, &Settings { preprocessing, ..with_relay(spacer, &relay) });
        assert!(is_safe(&told));
        told.traffic.iter().any(|t| t.from == ELSEWHERE)
    };
    assert!(heard(Preprocessing::Default));
    assert!(!heard(Preprocessing::Nothing), "passes leave one predicate of two");
}

fn damage(rng: &mut Rng, bytes: &[u8]) -> Vec<u8> {
    let mut damaged = bytes.to_vec();
    for _ in 0..=rng.below(3) {
        // The first bytes say what the message is, and of which clauses; without them nobody reads
        // the rest.
        let begin = if rng.chance(90) { 26.min(damaged.len() - 1) } else { 0 };
        let at = begin + rng.below(damaged.len() - begin);
        let byte = u8::try_from(rng.below(256)).unwrap();
        match rng.below(6) {
            0 => damaged.insert(at, byte),
            1 => damaged.truncate(at.max(1)),
            2 => damaged[at] ^= 1 << rng.below(8),
            3 => damaged[at] = u8::try_from(rng.below(12)).unwrap(),
            _ => damaged[at] = byte,
        }
    }
    damaged
}

/// Lies, damaged or as they are.
fn hostile(rng: &mut Rng, lies: &[Vec<u8>]) -> Vec<u8> {
    match rng.below(10) {
        0 => (0..rng.below(100)).map(|_| u8::try_from(rng.below(256)).unwrap()).collect(),
        1..=3 => rng.pick(lies).clone(),
        _ => {
            let lie = rng.pick(lies);
            damage(rng, lie)
        }
    }
}

/// Lets every engine in turn work while it gets hostile messages, so many for each run; no verdict
/// is another one.
fn withstand(runs: usize, each: usize) {
    let names =
        ["spacer", "pa", "pdkind", "ic3ia", "imc", "kind", "dar", "lawi", "split-tpa", "trl"];
    let problems = [(ROUNDS, false), (SAFE_ROUNDS, true)];
    let lies = problems.map(|(text, _)| said(text, &LIAR));
    assert!(lies.iter().all(|lies| lies.len() > 20));
    let (mut rng, mut heard) = (Rng::new(18), 0);
    for number in 0..runs {
        let name = names[number / 2 % names.len()];
        let (text, expected) = problems[number % 2];
        let messages = (0..each).map(|_| hostile(&mut rng, &lies[number % 2])).collect();
        let told = run(text, &with_relay(engine(name).unwrap(), &relay(messages)));
        assert_eq!(is_safe(&told), expected, "{name}");
        heard += told
            .traffic
            .iter()
            .filter(|t| t.from.starts_with(ELSEWHERE))
            .map(|t| t.sent)
            .sum::<u64>();
    }
    assert!(heard > runs as u64, "some of it was understood: {heard}");
}

#[test]
fn hostile_messages_change_no_verdict() {
    withstand(40, 100);
}

#[test]
#[ignore = "takes minutes"]
fn a_hundred_thousand_hostile_messages_change_no_verdict() {
    withstand(1_000, 100);
}
