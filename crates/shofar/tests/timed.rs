//! Networks of timed automata: the examples have their verdicts in every encoding, and random
//! networks have the verdicts of an explicit search through their states.
//!
//! The search counts time in units, which is the meaning of `--time int`; if no bound is strict,
//! real time reaches the same locations and values [HMP92]. With `SHOFAR_LONG_TESTS=1`, many more
//! networks.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod network;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use network::Network;
use shofar::{Answer, Outcome, Problem, Solver, front_end_for};
use shofar_base::Rng;

/// The answer to the only question of a text.
fn solve(file: &str, text: &str, encode: &str, time: &str, patience: u64) -> Outcome {
    let front_end = front_end_for(Some(Path::new(file)), text.as_bytes());
    let options = front_end.options_with(&[("encode", encode), ("time", time)]).unwrap();
    let problems = Problem::read_with(front_end, &options, text.as_bytes());
    let mut problems = problems.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let solver = Solver::new().with_timeout(Duration::from_secs(patience));
    solver.solve(problems.pop().unwrap())
}

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/timed");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "xml" || e == "xta"));
    files.sort();
    files
}

/// Whether somebody wants to wait.
fn is_patient() -> bool {
    std::env::var_os("SHOFAR_LONG_TESTS").is_some()
}

fn check_examples(encode: &str) {
    let mut solved = 0;
    for file in examples() {
        let name = file.file_name().unwrap().to_str().unwrap();
        let expected = if name.contains("-mutant") { "unsat" } else { "sat" };
        let text = fs::read_to_string(&file).unwrap();
        // The one has three processes, which is more than the other encodings are tried with; the
        // other takes seconds or longer, depending on the order of terms, so the answer may
        // be missing, but is never the wrong one.
        let is_long = encode == "rg" && name.starts_with("train-gate");
        if name.starts_with("fischer-parameterised") || is_long && !is_patient() {
            continue;
        }
        let times: &[&str] = if encode == "product" { &["real", "int"] } else { &["real"] };
        for time in times {
            let outcome = solve(name, &text, encode, time, 120);
            if is_long && outcome.word() == "unknown" {
                continue;
            }
            assert_eq!(outcome.word(), expected, "{name} {encode} {time}");
            solved += 1;
        }
    }
    assert!(solved >= 12, "{solved}");
}

#[test]
fn examples_as_one_product() {
    check_examples("product");
}

#[test]
fn examples_by_owicki_and_gries() {
    check_examples("og");
}

#[test]
fn examples_by_rely_and_guarantee() {
    check_examples("rg");
}

/// Any number of processes: a proof counts, a refutation only if the network that the text lists
/// has it, too.
#[test]
fn any_number_of_instances() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/timed");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let text = read("fischer-parameterised.xml");
    let outcome = solve("p.xml", &text, "parameterised", "real", 120);
    assert_eq!(outcome.word(), "sat");
    let mutant = read("fischer-parameterised-mutant.xml");
    let outcome = solve("p.xml", &mutant, "parameterised", "real", 60);
    assert_eq!(outcome.word(), "unsat");
    assert!(outcome.instance.unwrap().contains("with 3 instances"));
    let Answer::Unsafe(refutation) = outcome.answer else { panic!("it has an execution") };
    let told = refutation.in_source().unwrap();
    assert!(told.starts_with("State: ( P(1).idle P(2).idle P(3).idle )"), "{told}");
    // One instance alone is none of the networks that are asked about; of the two that are listed,
    // three never entered.
    let counted = "int[0,9] n; process P(const int[1,2] me) { state a, b, err; init a;
        trans a -> b { assign n = n + 1; }, b -> err { guard n > 2; }; } system P;";
    for (file, few) in
        [("p.xml", mutant.replace("int[1,3]", "int[1,1]")), ("p.xta", counted.to_owned())]
    {
        let outcome = solve(file, &few, "parameterised", "real", 60);
        let Answer::Unknown(failure) = outcome.answer else { panic!("it is no verdict: {few}") };
        assert!(failure.to_string().contains("need not be"), "{failure}");
    }
    assert_eq!(solve("p.xta", counted, "product", "real", 60).word(), "sat");
}

#[test]
fn an_execution_is_told_as_uppaal_tells_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/timed");
    let text = fs::read_to_string(folder.join("fischer-mutant.xml")).unwrap();
    for encode in ["product", "og", "rg"] {
        let Answer::Unsafe(refutation) = solve("f.xml", &text, encode, "real", 60).answer else {
            panic!("{encode}")
        };
        let told = refutation.in_source().unwrap();
        let lines: Vec<&str> = told.lines().collect();
        assert_eq!(lines[0], "State: ( P1.idle P2.idle ) id=0 P1.x=0 P2.x=0", "{told}");
        assert!(lines.last().unwrap().starts_with("State: ( P1.cs P2.cs )"), "{told}");
        assert!(told.contains("Delay: ") && told.contains("(line "), "{told}");
        assert!(told.contains("P2: req -> wait { x <= 2; tau; x = 0, id = me; }"), "{told}");
    }
}

#[test]
fn invariants_are_told_for_each_location() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/timed");
    let text = fs::read_to_string(folder.join("fischer.xml")).unwrap();
    for encode in ["product", "og"] {
        let Answer::Safe(mut model) = solve("f.xml", &text, encode, "real", 60).answer else {
            panic!("{encode}")
        };
        let told = model.in_source().unwrap();
        assert_eq!(told.lines().count(), 8, "{told}");
        assert!(told.starts_with("P1.idle (line "), "{told}");
    }
}

/// What a random network was judged to be.
#[derive(Default)]
struct Tally {
    safe: usize,
    bad: usize,
    open: usize,
}

impl Tally {
    fn check(&mut self, network: &Network, is_bad: bool, encode: &str, time: &str) {
        let text = network.to_string();
        match solve("random.xta", &text, encode, time, 20).word() {
            "sat" if !is_bad => self.safe += 1,
            "unsat" if is_bad => self.bad += 1,
            "unknown" => self.open += 1,
            word => panic!("{encode}, {time}: {word}\n{text}"),
        }
    }
}

#[test]
fn random_networks_have_the_verdicts_of_a_search() {
    let count = if is_patient() { 1_000 } else { 60 };
    let mut rng = Rng::new(14);
    let mut tally = Tally::default();
    for number in 0..count {
        let network = Network::random(&mut rng);
        let is_bad = network.reaches_error();
        let encode = ["product", "og", "rg"][number % 3];
        tally.check(&network, is_bad, encode, "int");
        if network.is_closed() {
            tally.check(&network, is_bad, "product", "real");
        }
    }
    let Tally { safe, bad, open } = tally;
    assert!(safe > count / 5 && bad > count / 5 && open < count / 10, "{safe}, {bad}, {open}");
}
