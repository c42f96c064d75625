//! The language of a text, and how it is read, from who submits to who collects.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use shofar::{Answer as Solved, FRONT_ENDS, Problem, Property, Solver};
use shofar_bench::{Answer, Expected, Instance};

use crate::blob::pack;
use crate::judge::{Judge, Worth, blank};
use crate::memory::Memory;
use crate::message::{Content, Ending, Job, Report, Spec};
use crate::patience::Patience;
use crate::priority::Priority;
use crate::reading::Reading;
use crate::submit::{spec_of, specs};
use crate::verify::{Verified, verify};

use super::runs::{instance, read, rules, spec};

/// A file with this extension, whose text is nothing that anybody recognises.
fn spec_for(extension: &str, options: &[&str]) -> Result<Spec, String> {
    let name = format!("1.{extension}");
    let path = PathBuf::from(&name);
    let instance = Instance { suite: String::new(), name, path, expected: Expected::Unknown };
    let options = options.iter().map(|&word| word.to_owned()).collect();
    spec_of(&instance, &Spec { options, ..spec(1, 1) }, &|_| Ok(b"x".to_vec()))
}

/// Some languages are known by the extension of the file alone, which workers do not see.
#[test]
fn the_language_of_a_file_travels_with_its_text() {
    for front_end in FRONT_ENDS {
        let spec = spec_for(front_end.extensions[0], &[]);
        if front_end.asks.usual() == Property::Termination {
            let why = spec.unwrap_err();
            assert!(why.starts_with("1.") && why.contains("whether all runs end"), "{why}");
            continue;
        }
        let job =
            Job { spec: spec.unwrap(), seat: 0, priority: Priority::Normal, name: String::new() };
        assert_eq!(job.spec.language, front_end.name);
        assert_eq!(Job::decode(&job.encode()), Ok(job));
    }
}

#[test]
fn what_a_language_does_not_know_is_refused_with_all_its_files() {
    assert!(spec_for("c", &["--c-arith=wrap-check", "--seed=3"]).is_ok());
    assert!(spec_for("c", &["--property=termination"]).is_err());
    let instances: Vec<Instance> = (0..7).map(instance).collect();
    let options = vec!["--c-arith=int".to_owned()];
    let why = specs(&instances, &Spec { options, ..spec(1, 1) }, &read).unwrap_err();
    assert!(why.contains("0.smt2: --c-arith has no meaning"), "{why}");
    assert!(why.ends_with("and 2 more files"), "{why}");
}

/// What is safe with the numbers of mathematics overflows with those of the machine.
#[test]
fn whoever_collects_reads_as_the_worker_does() {
    const PROGRAM: &[u8] = b"#include <assert.h>
        extern int __VERIFIER_nondet_int(void);
        int main() { int x = __VERIFIER_nondet_int(); int y = x + 1; assert(y > x); return 0; }";
    let solve = |options: &[&str]| {
        let language = FRONT_ENDS.iter().find(|row| row.name == "c").unwrap();
        let given: Vec<(&str, &str)> =
            options.iter().filter_map(|word| word.strip_prefix("--")?.split_once('=')).collect();
        let options = language.options_with(&given).unwrap();
        let problems = Problem::read_with(language, &options, PROGRAM).unwrap();
        let outcome = Solver::new().solve(problems.into_iter().next().unwrap());
        let mut text = format!("{}\n", outcome.word()).into_bytes();
        match outcome.answer {
            Solved::Safe(mut model) => model.print(&mut text).unwrap(),
            Solved::Unsafe(refutation) => refutation.print(&mut text).unwrap(),
            Solved::Unknown(why) => panic!("it is easy: {why}"),
        }
        String::from_utf8(text).unwrap()
    };
    let words = [&["--c-arith=int"][..], &["--c-arith=wrap-check"]];
    let said = words.map(solve);
    let (go_on, hub) = (AtomicBool::new(false), Memory::new());
    let judge = Judge { hub: &hub, patience: Patience::until(&go_on), rules: rules() };
    for (options, right) in words.into_iter().zip([0, 1]) {
        let job = Job {
            spec: spec_for("c", options).unwrap(),
            seat: 0,
            priority: Priority::Normal,
            name: String::new(),
        };
        for (number, output) in said.iter().enumerate() {
            let answer = if number == 0 { Answer::Sat } else { Answer::Unsat };
            assert!(output.starts_with(answer.word()), "{output}");
            let report = Report {
                ending: Ending::Answered(answer),
                output: Content::Inline(pack(output.as_bytes())),
                ..Report::without_answer(&job, Ending::Crashed, "w", "")
            };
            let outcome = blank(&report, job.spec.job());
            let worth = judge.weigh(&report, outcome, &|| Ok(PROGRAM.to_vec())).unwrap();
            let counts = matches!(worth, Worth::Counts(_));
            assert_eq!(counts, number == right, "{options:?}, {output}: {worth:?}");
        }
    }
}

/// Clauses about any number of processes have no refutations that count, but the network that the
/// text lists has.
#[test]
fn a_refutation_of_the_instance_is_one_of_the_text() {
    const TEXTS: [&[u8]; 2] = [
        include_bytes!("../../../../examples/timed/fischer-parameterised-mutant.xml"),
        include_bytes!("../../../../examples/timed/fischer-parameterised.xml"),
    ];
    let language = FRONT_ENDS.iter().find(|row| row.name == "uppaal").unwrap();
    let options = language.options_with(&[("encode", "parameterised")]).unwrap();
    let mut problems = Problem::read_with(language, &options, TEXTS[0]).unwrap();
    let outcome = Solver::new().solve(problems.remove(0));
    let Solved::Unsafe(refutation) = outcome.answer else { panic!("it is a mutant") };
    let mut output = b"unsat\n".to_vec();
    refutation.print(&mut output).unwrap();
    let reading = Reading::new("uppaal", &["--encode=parameterised".to_owned()]).unwrap();
    let (go_on, limit) = (AtomicBool::new(false), Duration::from_mins(1));
    let judged = |text: &[u8]| {
        verify(&reading, text, Answer::Unsat, &output, limit, Patience::until(&go_on))
    };
    assert_eq!(judged(TEXTS[0]), Verified::Valid);
    assert!(matches!(judged(TEXTS[1]), Verified::Rejected(_)));
}
