//! Seats of one job that exchange lemmas: on a hub in this process, through sockets as the
//! processes of solvers do.

use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use shofar::chc::{Engine, NormalSystem, Verdict, formal_params};
use shofar::engine::{EngineInfo, Fragment, Make, engine};
use shofar::term::{Bound, Cx, Message, Says, Sharing, Subject};
use shofar::{Answer as Solved, GaveUp, Problem, Solver};
use shofar_base::Rng;
use shofar_bench::{Answer, Ended, Expected, Instance, Printed};

use crate::company::{Company, Says as Spoken, Word};
use crate::hub::{Hub as _, Topic};
use crate::ledger::{Ledger, Outcome};
use crate::memory::Memory;
use crate::message::Job;
use crate::patience::{Patience, SetAtEnd};
use crate::priority::Priority;
use crate::socket::{carry, relay_to};
use crate::solve::Solving;
use crate::submit::{enter, send_jobs, specs};

use super::runs::{ended, finish, read, spec};

/// Says all the time that arguments are not negative, which is so, and small, which is not.
struct Talkative;

impl Engine<NormalSystem> for Talkative {
    fn solve(
        &mut self,
        cx: &mut Cx<'_>,
        system: &NormalSystem,
    ) -> Result<Verdict<NormalSystem>, GaveUp> {
        for number in 0.. {
            cx.budget.check()?;
            let pred = system.preds().next().unwrap();
            let params = formal_params(cx.store, system, pred);
            for &param in &params {
                let (param, zero) = (cx.store.constant(param), cx.store.int(0));
                let large = cx.store.int(number);
                for formula in [cx.store.ge(param, zero), cx.store.le(param, large)] {
                    let message = Message {
                        subject: Subject::Predicate(system.symbol(pred)),
                        params: params.clone(),
                        formula,
                        says: Says::holds(Bound::Always),
                        sender: "talkative".into(),
                    };
                    if let Some(exchange) = cx.exchange {
                        exchange.publish(cx.store, &message);
                    }
                }
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        unreachable!("it ends when it is told to")
    }
}

static TALKATIVE: EngineInfo = EngineInfo {
    name: "talkative",
    cites: "",
    about: "for tests",
    fragment: Fragment::Any,
    is_strengthened: true,
    options: None,
    make: Make::Chc(|_| Box::new(Talkative)),
};

/// Solves in this process: seat 0 by k-induction, the others by an engine that decides nothing.
struct Seated {
    folder: PathBuf,
    sockets: AtomicU64,
    limit: Duration,
}

impl Seated {
    fn new(name: &str, limit: Duration) -> Self {
        let folder = std::env::temp_dir().join(format!("shofar-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self { folder, sockets: AtomicU64::new(0), limit }
    }
}

impl Drop for Seated {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Solving for Seated {
    fn solve(
        &self,
        job: &Job,
        text: &[u8],
        company: Option<&Company<'_>>,
        stop: &AtomicBool,
    ) -> Result<Option<(Ended, Printed)>, String> {
        let number = self.sockets.fetch_add(1, Ordering::SeqCst);
        let path = self.folder.join(format!("{number}.socket"));
        let listener = UnixListener::bind(&path).unwrap();
        let info = if job.seat == 0 { engine("kind").unwrap() } else { &TALKATIVE };
        let (over, listener) = (&AtomicBool::new(false), &listener);
        std::thread::scope(|scope| {
            if let Some(company) = company {
                scope.spawn(move || carry(listener, company, over));
            }
            let _end = SetAtEnd(over);
            let solver = Solver::new()
                .with_engine_table(vec![info])
                .with_sharing(Sharing::All)
                .with_timeout(self.limit)
                .with_relay(relay_to(&path).unwrap());
            let handle = solver.stop_handle();
            scope.spawn(move || {
                while !over.load(Ordering::SeqCst) && !stop.load(Ordering::SeqCst) {
                    std::thread::sleep(Duration::from_millis(1));
                }
                handle.stop(GaveUp::Cancelled);
            });
            let mut outcome = solver.solve(Problem::from_text(text).unwrap());
            if stop.load(Ordering::SeqCst) {
                return Ok(None);
            }
            let traffic = outcome.report.traffic.iter().map(|t| {
                let (from, to) = (&t.from, &t.to);
                format!(
                    "\"exchange_{from}_to_{to}_sent\":{},\"exchange_{from}_to_{to}_taken\":{}",
                    t.sent, t.taken
                )
            });
            let statistics = format!("{{{}}}", traffic.collect::<Vec<_>>().join(","));
            let (ended, printed) = match &mut outcome.answer {
                Solved::Safe(model) => {
                    let mut text = b"sat\n".to_vec();
                    model.print(&mut text).unwrap();
                    ended(Answer::Sat, &String::from_utf8(text).unwrap())
                }
                Solved::Unsafe(_) => panic!("it is safe"),
                Solved::Unknown(_) => ended(Answer::Timeout, ""),
            };
            Ok(Some((ended, Printed { statistics: Some(statistics), ..printed })))
        })
    }
}

/// Gives the problem to so many seats.
fn solve(hub: &Memory, seats: u32, solving: &Seated) -> Outcome {
    let go_on = AtomicBool::new(false);
    let (name, path) = ("growing.smt2".to_owned(), PathBuf::from("growing.smt2"));
    let instance = Instance { suite: String::new(), name, path, expected: Expected::Sat };
    let mut ledger = Ledger::in_memory();
    let instances = [instance];
    let specs = specs(&instances, &spec(seats, 4), &read).unwrap();
    let entered = enter(&mut ledger, Priority::Normal, instances.iter().zip(specs)).unwrap();
    send_jobs(hub, Patience::until(&go_on), &ledger, &entered.jobs, &read).unwrap();
    finish(hub, ledger, &[solving, solving]).remove(0)
}

#[test]
fn a_lemma_of_another_seat_decides() {
    let alone = solve(&Memory::new(), 1, &Seated::new("alone", Duration::from_secs(1)));
    assert_eq!((alone.answer.as_str(), alone.lemmas), ("timeout", None));
    let both = solve(&Memory::new(), 2, &Seated::new("both", Duration::from_secs(30)));
    assert_eq!((both.answer.as_str(), both.seat), ("sat", 0));
    let lemmas = both.lemmas.unwrap();
    assert!(lemmas.heard >= 1 && lemmas.taken >= 1, "{lemmas:?}");
}

/// While somebody sends hostile words all the time, the problem is decided as before.
#[test]
fn hostile_words_change_no_verdict() {
    let hub = Memory::new();
    let over = AtomicBool::new(false);
    let sent = std::thread::scope(|scope| {
        let flood = scope.spawn(|| flood(&hub, &over));
        let _end = SetAtEnd(&over);
        let outcome = solve(&hub, 2, &Seated::new("hostile", Duration::from_mins(1)));
        assert_eq!((outcome.answer.as_str(), outcome.seat), ("sat", 0));
        over.store(true, Ordering::SeqCst);
        flood.join().unwrap()
    });
    assert!(sent > 100, "{sent}");
}

/// Repeats what it hears of lemmas, whole and damaged, under the names of all seats.
fn flood(hub: &Memory, over: &AtomicBool) -> usize {
    let (mut rng, mut sent, begin) = (Rng::new(4), 0, Instant::now());
    let mut ear = hub.listen(Topic::Lemma).unwrap();
    while !over.load(Ordering::SeqCst) && begin.elapsed() < Duration::from_secs(50) {
        let Some((job, bytes)) = ear.next(Duration::from_millis(1)) else { continue };
        let Ok(Word { says: Spoken::Lemma(lemma), .. }) = Word::decode(&bytes) else { continue };
        // It hears itself, too, and must not drown in that.
        if sent > 20_000 {
            continue;
        }
        for _ in 0..3 {
            let mut lemma = lemma.clone();
            let at = rng.below(lemma.len().max(1));
            if let Some(byte) = lemma.get_mut(at) {
                *byte = u8::try_from(rng.below(256)).unwrap();
            }
            let seat = u32::try_from(rng.below(3)).unwrap();
            let says = if rng.chance(10) { Spoken::Hello } else { Spoken::Lemma(lemma) };
            hub.tell(Topic::Lemma, &job, &Word { seat, says }.encode()).unwrap();
            sent += 1;
        }
    }
    sent
}
