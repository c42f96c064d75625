//! How fast scripts become terms: reads a file, or a generated script of 50 MB, and tells megabytes per second.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Instant;

use shofar_base::Rng;
use shofar_smtlib::{Commands, Environment, Step};
use shofar_term::TermStore;

/// A script with many assertions over a few thousand variables.
fn generate(bytes: usize) -> String {
    let mut rng = Rng::new(1);
    let mut text = String::from("(set-logic QF_LIA)\n");
    for k in 0..5000 {
        let _ = writeln!(text, "(declare-fun var_{k} () Int)\n(declare-fun flag_{k} () Bool)");
    }
    while text.len() < bytes {
        text.push_str("(assert (or");
        for _ in 0..3 {
            let (a, b, c) = (rng.below(5000), rng.below(5000), rng.below(5000));
            let (m, n) = (rng.range(2, 99), rng.range(1, 9999));
            let _ = write!(
                text,
                " (and (not flag_{a}) (<= (+ (* {m} var_{b}) (- var_{c}) var_{a}) {n}))"
            );
        }
        let (a, b) = (rng.below(5000), rng.below(5000));
        let _ = writeln!(text, " (let ((t (- var_{a} var_{b}))) (= (+ t 1) (ite flag_{b} 3 t)))))");
    }
    text.push_str("(check-sat)\n");
    text
}

fn main() {
    let text = match std::env::args().nth(1) {
        Some(path) => std::fs::read(path).expect("the file can be read"),
        None => generate(50_000_000).into_bytes(),
    };
    let megabytes = f64::from(u32::try_from(text.len()).expect("below 4 GB")) / 1e6;
    let (mut env, mut store) = (Environment::new(), TermStore::new());
    let begin = Instant::now();
    let mut commands = Commands::of_text(text);
    let mut count = 0u32;
    loop {
        match commands.next(&mut env, &mut store) {
            Ok(Step::Sentence(_)) => count += 1,
            Ok(Step::NeedInput | Step::End) => break,
            Err(error) => {
                let shown = error.render("input", &commands.source());
                let _ = std::io::stderr().write_all(shown.as_bytes());
                return;
            }
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    let speed = megabytes / seconds;
    let terms = store.len();
    let _ = writeln!(
        std::io::stdout(),
        "{megabytes:.1} MB, {count} commands, {terms} terms in {seconds:.2} s: {speed:.1} MB/s"
    );
}
