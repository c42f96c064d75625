//! How fast texts become clauses, in megabytes per second, and per second of processor time: the
//! files given, or generated problems.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

use shofar_base::{Rng, Source};
use shofar_chc::read::read_horn;
use shofar_term::TermStore;

/// Clauses between `preds` predicates with `arity` arguments, until the text has so many bytes.
fn generate(preds: usize, arity: usize, bytes: usize) -> String {
    let mut rng = Rng::new(1);
    let mut text = String::from("(set-logic HORN)\n");
    let sorts = "Int ".repeat(arity);
    for p in 0..preds {
        let _ = writeln!(text, "(declare-fun state_{p} ({sorts}) Bool)");
    }
    let (mut from, mut to, mut binders) = (String::new(), String::new(), String::new());
    for k in 0..arity {
        let _ = write!(from, " x{k}");
        let _ = write!(to, " y{k}");
        let _ = write!(binders, "(x{k} Int) (y{k} Int) ");
    }
    while text.len() < bytes {
        let (p, q) = (rng.below(preds), rng.below(preds));
        let _ = write!(text, "(assert (forall ({binders})\n  (=> (and (state_{p}{from})");
        for _ in 0..4 {
            let (i, j, k) = (rng.below(arity), rng.below(arity), rng.below(arity));
            let (m, n) = (rng.range(2, 99), rng.range(1, 9999));
            let _ = write!(text, " (= y{i} (+ (* {m} x{j}) {n})) (or (<= x{k} y{i}) (> x{j} {n}))");
        }
        let _ = writeln!(text, ")\n    (state_{q}{to}))))");
    }
    text.push_str("(check-sat)\n");
    text
}

/// How long the threads of this process have been working, where the system tells.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // Behind the name in parentheses; the times are numbers 14 and 15, in hundredths of a second.
    let (_, fields) = text.rsplit_once(')')?;
    let ticks = fields.split_whitespace().skip(11).take(2).map(str::parse::<u64>);
    ticks.sum::<Result<u64, _>>().ok().map(|ticks| Duration::from_millis(ticks * 10))
}

fn report(name: &str, text: &[u8]) {
    let megabytes = f64::from(u32::try_from(text.len()).expect("below 4 GB")) / 1e6;
    let mut store = TermStore::new();
    let (begin, worked) = (Instant::now(), processor_time());
    let result = read_horn(text, &mut store);
    let elapsed = begin.elapsed();
    let worked =
        processor_time().zip(worked).map_or(elapsed, |(now, before)| now.saturating_sub(before));
    let shown = match result {
        Ok(script) => {
            let sizes: Vec<String> = script
                .problems
                .iter()
                .map(|problem| {
                    problem.system.assert_well_formed(&store);
                    let system = &problem.system;
                    format!("{} predicates, {} clauses", system.pred_count(), system.clause_count())
                })
                .collect();
            let speed = megabytes / elapsed.as_secs_f64();
            let thrift = megabytes / worked.as_secs_f64();
            let sizes = sizes.join("; ");
            format!("{speed:6.1} MB/s ({thrift:.1} of processor time): {megabytes:.1} MB, {sizes}")
        }
        Err(error) => {
            format!("{}; {}", error.headline(name, &Source::new(text)), error.notes.join("; "))
        }
    };
    let _ = writeln!(std::io::stdout(), "{name:24} {shown}");
}

fn main() {
    let files: Vec<String> = std::env::args().skip(1).collect();
    for file in &files {
        let text = std::fs::read(file).expect("the file can be read");
        report(file, &text);
    }
    if files.is_empty() {
        report("50 MB", generate(1000, 8, 50_000_000).as_bytes());
        report("100,000 clauses", generate(20_000, 3, 40_000_000).as_bytes());
        report("2,000 arguments", generate(10, 2000, 10_000_000).as_bytes());
    }
}
