//! How fast scripts become terms, in megabytes per second, and per second of processor time: the
//! files given, or generated scripts of several shapes, 20 MB each.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

use shofar_base::Rng;
use shofar_smtlib::{Commands, Environment, Step};
use shofar_term::TermStore;

/// How many variables of each sort the scripts speak about.
const VARIABLES: usize = 1000;
const BYTES: usize = 20_000_000;

/// Writes one assertion.
type Shape = fn(&mut Rng, &mut String);

/// What the scripts consist of.
const SHAPES: [(&str, Shape); 6] = [
    ("mixed formulas", mixed),
    ("comparisons", comparisons),
    ("long sums", sums),
    ("nested let, sums", lets),
    ("nested let, formulas", boolean_lets),
    ("propositional clauses", clauses),
];

fn mixed(rng: &mut Rng, text: &mut String) {
    text.push_str("(assert (or");
    for _ in 0..3 {
        let (a, b, c) = (rng.below(VARIABLES), rng.below(VARIABLES), rng.below(VARIABLES));
        let (m, n) = (rng.range(2, 99), rng.range(1, 9999));
        let _ = write!(text, " (and (not b{a}) (<= (+ (* {m} x{b}) (- x{c}) x{a}) {n}))");
    }
    let (a, b) = (rng.below(VARIABLES), rng.below(VARIABLES));
    let _ = writeln!(text, " (let ((t (- x{a} x{b}))) (= (+ t 1) (ite b{b} 3 t)))))");
}

fn comparisons(rng: &mut Rng, text: &mut String) {
    let (i, j, k) = (rng.below(100), rng.below(100), rng.below(100));
    let _ = writeln!(text, "(assert (or (not (<= x{i} x{j})) (> (+ x{j} {k}) x{k}) b{i}))");
}

fn sums(rng: &mut Rng, text: &mut String) {
    text.push_str("(assert (<= (+");
    for _ in 0..rng.range(10, 60) {
        let (factor, k) = (rng.range(1, 50), rng.below(VARIABLES));
        let _ = if rng.below(2) == 0 {
            write!(text, " (* {factor} x{k})")
        } else {
            write!(text, " (* (- {factor}) x{k})")
        };
    }
    let _ = writeln!(text, ") {}))", rng.below(10_000));
}

fn lets(rng: &mut Rng, text: &mut String) {
    text.push_str("(assert (let ((v0 x0) (p0 b0)) ");
    let depth = 20 + rng.below(180);
    for k in 1..depth {
        let (earlier, a, b, c) =
            (rng.below(k), rng.below(VARIABLES), rng.below(VARIABLES), rng.below(VARIABLES));
        let _ = writeln!(
            text,
            "(let ((v{k} (+ v{earlier} x{a})) (p{k} (and b{b} (< v{} x{c}))))",
            k - 1
        );
    }
    let last = depth - 1;
    let _ = writeln!(text, "(or p{last} (= v{last} 0)){}", ")".repeat(depth + 1));
}

fn boolean_lets(rng: &mut Rng, text: &mut String) {
    text.push_str("(assert (let ((p0 b0)) ");
    let depth = 20 + rng.below(180);
    for k in 1..depth {
        let (earlier, a, b, n) =
            (rng.below(k), rng.below(VARIABLES), rng.below(VARIABLES), rng.below(100));
        let _ = writeln!(text, "(let ((p{k} (or (not p{earlier}) b{a} (< x{b} {n}))))");
    }
    let _ = writeln!(text, "p{}{}", depth - 1, ")".repeat(depth + 1));
}

fn clauses(rng: &mut Rng, text: &mut String) {
    let (a, b, c) = (rng.below(VARIABLES), rng.below(VARIABLES), rng.below(VARIABLES));
    let _ = writeln!(text, "(assert (or b{a} (not b{b}) b{c}))");
}

fn generate(shape: Shape) -> String {
    let mut rng = Rng::new(1);
    let mut text = String::from("(set-logic QF_LIA)\n");
    for k in 0..VARIABLES {
        let _ = writeln!(text, "(declare-fun x{k} () Int)\n(declare-fun b{k} () Bool)");
    }
    while text.len() < BYTES {
        shape(&mut rng, &mut text);
    }
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

fn report(name: &str, text: Vec<u8>) {
    let megabytes = f64::from(u32::try_from(text.len()).expect("below 4 GB")) / 1e6;
    let (mut env, mut store) = (Environment::new(), TermStore::new());
    let (begin, worked) = (Instant::now(), processor_time());
    let mut commands = Commands::of_text(text);
    let mut count = 0u32;
    loop {
        match commands.next(&mut env, &mut store) {
            Ok(Step::Sentence(_)) => count += 1,
            Ok(Step::NeedInput | Step::End) => break,
            Err(error) => {
                let shown = error.render(name, &commands.source());
                let _ = std::io::stderr().write_all(shown.as_bytes());
                return;
            }
        }
    }
    let elapsed = begin.elapsed();
    let worked =
        processor_time().zip(worked).map_or(elapsed, |(now, before)| now.saturating_sub(before));
    let (speed, terms) = (megabytes / elapsed.as_secs_f64(), store.len());
    let thrift = megabytes / worked.as_secs_f64();
    let _ = writeln!(
        std::io::stdout(),
        "{name:24} {speed:6.1} MB/s ({thrift:.1} of processor time): {megabytes:.1} MB, {count} commands, {terms} terms"
    );
}

fn main() {
    let files: Vec<String> = std::env::args().skip(1).collect();
    for file in &files {
        report(file, std::fs::read(file).expect("the file can be read"));
    }
    if files.is_empty() {
        for (name, shape) in SHAPES {
            report(name, generate(shape).into_bytes());
        }
    }
}
