//! Bytes of others: nothing makes a decoder fail, and what is accepted is whole.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use shofar_base::Rng;
use shofar_bench::{Answer, Measure};

use crate::blob;
use crate::digest::Digest;
use crate::hub::Hub as _;
use crate::memory::Memory;
use crate::message::{Activity, Content, Ending, Job, Presence, Record, Rejection, Report, Spec};
use crate::patience::Patience;
use crate::priority::Priority;
use crate::reading::Reading;
use crate::verify::{Verified, verify};

/// So many damaged messages are tried.
const CASES: usize = 100_000;

pub(super) fn spec() -> Spec {
    Spec {
        text: Digest::of(b"text"),
        language: "smt-lib".to_owned(),
        options: vec!["--engine=kind".to_owned(), "--seed=3".to_owned()],
        milliseconds: 60_000,
        measure: Measure::Cpu,
        memory: Some(512),
        seats: 3,
        attempts: 4,
        run: "größer".to_owned(),
        version: "1".to_owned(),
    }
}
pub(super) fn job() -> Job {
    Job { spec: spec(), seat: 2, priority: Priority::Low, name: "a/b.smt2".to_owned() }
}
pub(super) fn report() -> Report {
    Report {
        spec: spec(),
        seat: 1,
        name: "a/b.smt2".to_owned(),
        ending: Ending::Answered(Answer::Unsat),
        wall: 1234,
        cpu: 0,
        exit: Some(-1),
        message: Some("oh dear".to_owned()),
        statistics: None,
        worker: "w".to_owned(),
        version: "2".to_owned(),
        ended: 1_763_496_000_000,
        attempts: 2,
        output: Content::Inline(blob::pack(b"unsat\n")),
    }
}
pub(super) fn record() -> Record {
    Record { workers: vec!["v".to_owned(), "w".to_owned()], ended: Some(report()) }
}
pub(crate) fn presence() -> Presence {
    let task = Activity { job: Digest::of(b"x"), seat: 1, name: "b".to_owned(), milliseconds: 300 };
    Presence {
        worker: "w".to_owned(),
        version: "1".to_owned(),
        slots: 4,
        done: u64::MAX,
        uptime: 5,
        cpu: 4,
        memory: 3 << 20,
        tasks: vec![task],
    }
}

pub(super) fn rejection() -> Rejection {
    Rejection { job: Digest::of(b"x"), worker: "w".to_owned() }
}

/// Decodes as every kind; what is accepted comes back the same after it was encoded. Says whether
/// something was accepted.
fn decode_all(bytes: &[u8]) -> bool {
    let mut accepted = false;
    if let Ok(job) = Job::decode(bytes) {
        assert_eq!(Job::decode(&job.encode()), Ok(job.clone()));
        assert!(job.seat < job.spec.seats && job.spec.seats <= 64 && job.spec.attempts <= 32);
        assert!(!job.name.chars().any(char::is_control));
        accepted = true;
    }
    if let Ok(report) = Report::decode(bytes) {
        assert_eq!(Report::decode(&report.encode()), Ok(report.clone()));
        assert!(report.seat < report.spec.seats);
        accepted = true;
    }
    if let Ok(record) = Record::decode(bytes) {
        assert_eq!(Record::decode(&record.encode()), Ok(record));
        accepted = true;
    }
    if let Ok(presence) = Presence::decode(bytes) {
        assert_eq!(Presence::decode(&presence.encode()), Ok(presence));
        accepted = true;
    }
    if let Ok(rejection) = Rejection::decode(bytes) {
        assert_eq!(Rejection::decode(&rejection.encode()), Ok(rejection));
        accepted = true;
    }
    accepted
}

pub(super) fn damage(rng: &mut Rng, bytes: &[u8]) -> Vec<u8> {
    let mut damaged = bytes.to_vec();
    for _ in 0..=rng.below(4) {
        let at = rng.below(damaged.len().max(1));
        let byte = u8::try_from(rng.below(256)).unwrap_or_default();
        match rng.below(6) {
            0 if at < damaged.len() => damaged[at] = byte,
            1 if at < damaged.len() => damaged[at] ^= 1 << rng.below(8),
            2 => damaged.insert(at, byte),
            3 => damaged.truncate(at),
            4 => damaged.extend(std::iter::repeat_n(byte, rng.below(40))),
            _ => {
                let from = rng.below(damaged.len().max(1));
                let piece = damaged[from.min(damaged.len())..].to_vec();
                damaged.splice(at..at, piece);
            }
        }
    }
    damaged
}

/// A message of each kind.
fn whole() -> [Vec<u8>; 5] {
    let (presence, rejection) = (presence().encode(), rejection().encode());
    [job().encode(), report().encode(), record().encode(), presence, rejection]
}

#[test]
fn a_priority_out_of_range_is_refused() {
    let bytes = job().encode();
    let low = bytes.len() - job().name.len() - 2;
    assert_eq!(bytes[low], Priority::Low.code());
    for code in 3..=u8::MAX {
        let mut wrong = bytes.clone();
        wrong[low] = code;
        let why = Job::decode(&wrong).unwrap_err().to_string();
        assert!(why.contains("a priority out of range"), "{why}");
    }
}

#[test]
fn messages_come_back() {
    assert_eq!(Job::decode(&job().encode()), Ok(job()));
    assert_eq!(Report::decode(&report().encode()), Ok(report()));
    assert_eq!(Record::decode(&record().encode()), Ok(record()));
    assert_eq!(Presence::decode(&presence().encode()), Ok(presence()));
    assert_eq!(Rejection::decode(&rejection().encode()), Ok(rejection()));
    let endings = [Ending::Crashed, Ending::Withdrawn, Ending::Answered(Answer::Memory)];
    for ending in endings {
        let report = Report { ending, output: Content::Stored(Digest::of(b"w")), ..report() };
        assert_eq!(Report::decode(&report.encode()), Ok(report));
    }
}

#[test]
fn parts_and_extensions_are_refused() {
    for bytes in whole() {
        assert!(decode_all(&bytes));
        for end in 0..bytes.len() {
            assert!(!decode_all(&bytes[..end]), "a part is not the whole");
        }
        assert!(!decode_all(&[bytes.as_slice(), &[0]].concat()));
        assert!(!decode_all(&[bytes.as_slice(), &vec![0; 2 << 20]].concat()));
    }
}

#[test]
fn what_breaks_the_rules_is_refused() {
    let wrong = [
        Job { seat: 3, ..job() },
        Job { name: "a\x1b[2Jb".to_owned(), ..job() },
        Job { name: "x".repeat(2000), ..job() },
        Job { spec: Spec { seats: 0, ..spec() }, seat: 0, ..job() },
        Job { spec: Spec { seats: 65, ..spec() }, ..job() },
        Job { spec: Spec { attempts: 0, ..spec() }, ..job() },
        Job { spec: Spec { milliseconds: 0, ..spec() }, ..job() },
        Job { spec: Spec { milliseconds: u64::MAX, ..spec() }, ..job() },
        Job { spec: Spec { options: vec![String::new(); 65], ..spec() }, ..job() },
    ];
    for job in wrong {
        assert!(Job::decode(&job.encode()).is_err(), "{job:?}");
    }
}

#[test]
fn damaged_and_hostile_messages_do_no_harm() {
    let whole = whole();
    let (mut rng, mut accepted) = (Rng::new(18), 0);
    for case in 0..CASES {
        let bytes = match case % 8 {
            0 => {
                let length = rng.below(200);
                let random = (0..length).map(|_| u8::try_from(rng.below(256)).unwrap_or_default());
                random.collect()
            }
            1 => {
                let magic = &whole[rng.below(whole.len())][..13];
                let length = rng.below(100);
                let random = (0..length).map(|_| u8::try_from(rng.below(256)).unwrap_or_default());
                magic.iter().copied().chain(random.collect::<Vec<u8>>()).collect()
            }
            _ => damage(&mut rng, &whole[case % whole.len()]),
        };
        accepted += usize::from(decode_all(&bytes));
    }
    assert!(accepted > 100, "damage is not always seen, and that was tried too: {accepted}");
}

#[test]
fn damaged_texts_are_noticed() {
    let mut rng = Rng::new(7);
    let text: Vec<u8> = (0..5000u32).flat_map(u32::to_le_bytes).collect();
    let packed = blob::pack(&text);
    for _ in 0..2000 {
        let damaged = damage(&mut rng, &packed);
        let hub = Memory::new();
        let part = [&[0], damaged.as_slice()].concat();
        let digest = Digest::of(&text);
        hub.create(crate::hub::Store::Texts, &format!("{digest}.0"), &part).unwrap();
        let got = blob::get(&hub, &digest, crate::message::LONGEST_TEXT).unwrap();
        assert!(got.is_none() || got.as_deref() == Some(&text[..]));
    }
}

#[test]
fn a_damaged_witness_is_no_proof_of_what_is_wrong() {
    const PROBLEM: &[u8] = b"(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 1))
        (assert (forall ((x Int)) (=> (and (p x) (< x 5)) (p (+ x 1)))))
        (assert (forall ((x Int)) (=> (p x) (< x 7))))(check-sat)";
    let model = b"sat\n((define-fun p ((x Int)) Bool (and (>= x 1) (< x 6))))\n";
    let mut rng = Rng::new(5);
    let (go_on, limit) = (AtomicBool::new(false), Duration::from_secs(20));
    let patience = Patience::until(&go_on);
    let reading = Reading::new("smt-lib", &[]).unwrap();
    let verify = |answer, output: &[u8]| verify(&reading, PROBLEM, answer, output, limit, patience);
    assert_eq!(verify(Answer::Sat, model), Verified::Valid);
    for _ in 0..1000 {
        let damaged = damage(&mut rng, model);
        for answer in [Answer::Sat, Answer::Unsat] {
            let verified = verify(answer, &damaged);
            if verified == Verified::Valid {
                assert_eq!(answer, Answer::Sat, "{}", String::from_utf8_lossy(&damaged));
            }
        }
    }
}
