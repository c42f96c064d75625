//! How long a lemma takes from one solver to another, over a real hub: a measurement, made by hand.
//!
//! `SHOFAR_HUB=nats://127.0.0.1:4222 cargo test --release -p shofar-cluster latency -- --ignored
//! --nocapture`

use std::io::Write as _;
use std::os::unix::net::UnixListener;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::access::{Access, HubArguments};
use crate::company::Company;
use crate::digest::Digest;
use crate::nats::Nats;
use crate::socket::{carry, relay_to};

/// How many lemmas are sent, one after the other.
const LEMMAS: usize = 2_000;
/// How many are sent at once.
const BURST: usize = 500;

#[test]
#[ignore = "a measurement; needs a hub"]
fn latency_of_lemmas() {
    let access = Access::needed(&HubArguments::default()).unwrap();
    let hubs = [0, 1].map(|_| Nats::connect(&access, Duration::from_secs(30)).unwrap());
    let (job, over) = (Digest::of(b"latency"), &AtomicBool::new(false));
    let folder = std::env::temp_dir().join(format!("shofar-latency-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let paths = [0, 1].map(|number| folder.join(format!("{number}.socket")));
    let listeners = paths.each_ref().map(|path| UnixListener::bind(path).unwrap());
    let seats = [0, 1].map(|seat| {
        let number = u32::try_from(seat).unwrap();
        Company::join(&hubs[seat], &job, number).unwrap()
    });
    std::thread::scope(|scope| {
        for (listener, seat) in listeners.iter().zip(&seats) {
            scope.spawn(move || carry(listener, seat, over));
        }
        let relays = paths.each_ref().map(|path| relay_to(path).unwrap());
        std::thread::sleep(Duration::from_millis(500));
        let wait = |count: usize| {
            let begin = Instant::now();
            let mut got = 0;
            while got < count && begin.elapsed() < Duration::from_secs(5) {
                got += relays[1].poll().len();
                // Whoever looks all the time takes the processor from those who are looked at.
                std::thread::sleep(Duration::from_micros(50));
            }
            got
        };
        let mut times = Vec::new();
        for number in 0..LEMMAS {
            let begin = Instant::now();
            relays[0].send(number.to_le_bytes().repeat(40));
            assert_eq!(wait(1), 1, "nothing is lost on this machine");
            times.push(begin.elapsed());
        }
        times.sort_unstable();
        let begin = Instant::now();
        for number in 0..BURST {
            relays[0].send(number.to_be_bytes().repeat(40));
        }
        let got = wait(BURST);
        let burst = begin.elapsed();
        over.store(true, Ordering::SeqCst);
        let line = format!(
            "320 bytes from solver to solver: 1 of 10 within {:?}, half within {:?}, 99 of 100 within {:?}; {got} of {BURST} at once in {burst:?}",
            times[LEMMAS / 10],
            times[LEMMAS / 2],
            times[LEMMAS * 99 / 100],
        );
        let _ = writeln!(std::io::stderr(), "{line}");
    });
    std::fs::remove_dir_all(&folder).unwrap();
}
