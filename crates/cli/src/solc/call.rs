//! The command lines with which Solidity's compiler calls `eld` and `z3`, and verifiers of C
//! programs `golem` as well.
//!
//! ```text
//! eld -hsmt -in [-t:SECONDS] [-ssol]                     the compiler itself; the query is on standard input
//! z3 -in -smt2 [-model] (-t:MS | rlimit=N) KEY=VALUE*
//! eld -horn -t:SECONDS FILE                              solcjs
//! z3 -smt2 rlimit=N KEY=VALUE* FILE
//! eld -t:SECONDS [-ssol -cex] FILE                       Korn
//! z3 -t:MS FILE
//! golem -l LOGIC -e ENGINE [--print-witness] FILE
//! z3 | golem | eld ARGUMENTS FILE                       Hornix, whose user chooses the solver and its arguments
//! ```
//! Korn can also write the query into a pipe, which it leaves open.
//!
//! What is not known is passed over with a note: a newer compiler may have further options, and a
//! query that is not answered because of one helps nobody.
//!
//! Without a limit on time the compiler waits as long as the solver takes, so there is one of our
//! own. solcjs ends a solver after ten seconds without looking at its output, so the answer comes a
//! little before the limit.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ValueEnum;

use super::Dialect;

/// Seconds for a query if the compiler sets no limit.
pub(super) const USUAL_SECONDS: f64 = 10.0;
/// This part of the limit is left for the answer and the start of the process.
const RESERVE: f64 = 0.03;

/// A solver whose name we bear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Guise {
    /// Eldarica.
    Eld,
    /// Golem.
    Golem,
    /// Z3.
    Z3,
}

/// What an option means to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    /// Nothing that has to be done.
    Nothing,
    /// The same, and the next word belongs to it.
    NextWord,
    /// A model is to be printed after `sat`.
    Model,
    /// A counterexample is to be printed after `unsat`.
    Counterexample,
    /// The query is on standard input.
    StandardInput,
    /// The version is asked for.
    Version,
    /// A limit in seconds, behind the option.
    Seconds,
    /// A limit in milliseconds, behind the option.
    Milliseconds,
}

/// The options of Eldarica; a colon at the end stands before a value.
const ELD: [(&str, Meaning); 10] = [
    ("-t:", Meaning::Seconds),
    ("-ssol", Meaning::Model),
    ("-in", Meaning::StandardInput),
    ("-hsmt", Meaning::Nothing),
    ("-horn", Meaning::Nothing),
    ("-cex", Meaning::Counterexample),
    ("-scex", Meaning::Nothing),
    ("-abstract:", Meaning::Nothing),
    ("-portfolio", Meaning::Nothing),
    ("--version", Meaning::Version),
];

/// The options of Golem. Its engines are here as well, but which of them works is for the strategy
/// to say.
const GOLEM: [(&str, Meaning); 11] = [
    ("-l", Meaning::NextWord),
    ("--logic", Meaning::NextWord),
    ("--logic=", Meaning::Nothing),
    ("-e", Meaning::NextWord),
    ("--engine", Meaning::NextWord),
    ("--engine=", Meaning::Nothing),
    ("-i", Meaning::NextWord),
    ("--input", Meaning::NextWord),
    ("--print-witness", Meaning::Model),
    ("--validate", Meaning::Nothing),
    ("--version", Meaning::Version),
];

/// The options of z3; an equals sign at the end stands before a value, a full stop before the rest
/// of a name and a value.
const Z3: [(&str, Meaning); 12] = [
    ("-t:", Meaning::Milliseconds),
    ("-T:", Meaning::Seconds),
    ("timeout=", Meaning::Milliseconds),
    ("-model", Meaning::Model),
    ("-in", Meaning::StandardInput),
    ("-smt2", Meaning::Nothing),
    ("rlimit=", Meaning::Nothing),
    ("rewriter.", Meaning::Nothing),
    ("fp.", Meaning::Nothing),
    ("smt.", Meaning::Nothing),
    ("-version", Meaning::Version),
    ("--version", Meaning::Version),
];

/// What a command line asks for.
#[derive(Debug, PartialEq)]
pub(super) enum Request {
    /// Who we are.
    Version,
    /// An answer.
    Solve(Call),
}

/// A query.
#[derive(Debug, PartialEq)]
pub(super) struct Call {
    guise: Guise,
    /// Where the query is, if not on standard input.
    pub(super) file: Option<PathBuf>,
    /// The smallest limit of the command line, in seconds.
    limit: Option<f64>,
    wants_model: bool,
    wants_counterexample: bool,
}

impl Request {
    /// Reads the words behind the name of the solver; the second part is what there is to say about
    /// them.
    pub(super) fn read(guise: Guise, words: &[OsString]) -> (Self, Vec<String>) {
        let (file, limit) = (None, None);
        let mut call = Call { guise, file, limit, wants_model: false, wants_counterexample: false };
        let (mut notes, mut asks_version) = (Vec::new(), false);
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let text = word.to_string_lossy();
            match guise.meaning(&text) {
                Some((Meaning::Nothing | Meaning::StandardInput, _)) => {}
                Some((Meaning::NextWord, _)) => {
                    let value = words.next();
                    if matches!(&*text, "-i" | "--input") {
                        call.file = value.map(PathBuf::from);
                    }
                }
                Some((Meaning::Model, _)) => call.wants_model = true,
                Some((Meaning::Counterexample, _)) => call.wants_counterexample = true,
                Some((Meaning::Version, _)) => asks_version = true,
                Some((Meaning::Seconds, value)) => call.limit_to(value, 1.0, &text, &mut notes),
                Some((Meaning::Milliseconds, value)) => {
                    call.limit_to(value, 1e-3, &text, &mut notes);
                }
                None if text.starts_with('-') || text.contains('=') => {
                    notes.push(format!("{text} is not known here, and has no effect"));
                }
                None => call.file = Some(word.into()),
            }
        }
        (if asks_version { Self::Version } else { Self::Solve(call) }, notes)
    }
}

impl Guise {
    /// What an option means, and the value in it.
    fn meaning(self, text: &str) -> Option<(Meaning, &str)> {
        let table: &[(&str, Meaning)] = match self {
            Guise::Eld => &ELD,
            Guise::Golem => &GOLEM,
            Guise::Z3 => &Z3,
        };
        table.iter().find_map(|&(option, meaning)| {
            let value = text.strip_prefix(option)?;
            (value.is_empty() || option.ends_with([':', '=', '.'])).then_some((meaning, value))
        })
    }
}

impl Call {
    fn limit_to(&mut self, value: &str, unit: f64, text: &str, notes: &mut Vec<String>) {
        match value.parse::<f64>() {
            Ok(number) if number > 0.0 && number.is_finite() => {
                let seconds = number * unit;
                self.limit = Some(self.limit.map_or(seconds, |limit| limit.min(seconds)));
            }
            Ok(_) | Err(_) => notes.push(format!("{text} has no effect: a number is needed")),
        }
    }
    /// How long the answer may take. Golem has no limits of its own: who calls it ends it.
    pub(super) fn seconds(&self) -> Option<f64> {
        let usual = match self.guise {
            Guise::Eld | Guise::Z3 => Some(USUAL_SECONDS),
            Guise::Golem => None,
        };
        self.limit.or(usual).map(|limit| limit * (1.0 - RESERVE))
    }
    /// In which form witnesses are printed.
    pub(super) fn dialect(&self) -> Dialect {
        match self.guise {
            Guise::Eld if self.wants_counterexample => Dialect::Eldarica,
            Guise::Eld | Guise::Z3 => Dialect::Solc,
            Guise::Golem => Dialect::Golem,
        }
    }
    /// The command line of `shofar` that does the same. Without `-in` it is solcjs that calls: it
    /// has no option for a model, but the compiler behind it reads one. Golem prints a witness
    /// if it is asked to.
    pub(super) fn words(&self) -> Vec<String> {
        let mut words = vec!["shofar".to_owned()];
        words.extend(self.seconds().map(|seconds| format!("--timeout={seconds}")));
        let wants_witness = self.wants_model || self.wants_counterexample;
        if wants_witness || (self.file.is_some() && self.guise != Guise::Golem) {
            words.push("--witness".to_owned());
        }
        words
    }
    /// Whether a query that begins like this is one of Horn clauses, as soon as that can be told.
    /// Eldarica and Golem get no others; of z3, the logic or the first clause says it.
    pub(super) fn is_horn(&self, text: &[u8]) -> Option<bool> {
        if matches!(self.guise, Guise::Eld | Guise::Golem) {
            return Some(true);
        }
        let text = String::from_utf8_lossy(text);
        let before = text.find("(assert").unwrap_or(text.len());
        if text[..before].contains("(declare-rel") {
            return Some(true);
        }
        if let Some((_, rest)) = text[..before].split_once("(set-logic") {
            return rest.split_once(')').map(|(logic, _)| logic.trim() == "HORN");
        }
        (before < text.len() || text.contains("(check-sat")).then_some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(guise: Guise, line: &str) -> (Request, Vec<String>) {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        Request::read(guise, &words)
    }

    fn check(guise: Guise, line: &str, ours: &str, notes: usize) {
        let (request, found) = read(guise, line);
        let Request::Solve(call) = request else { panic!("{line}: {request:?}") };
        assert_eq!((call.words()[1..].join(" ").as_str(), found.len()), (ours, notes), "{line}");
    }

    #[test]
    fn the_calls_of_the_compiler() {
        check(Guise::Eld, "-hsmt -in", "--timeout=9.7", 0);
        check(Guise::Eld, "-hsmt -in -t:20 -ssol", "--timeout=19.4 --witness", 0);
        let options = "rewriter.pull_cheap_ite=true fp.spacer.q3.use_qgen=true \
            fp.spacer.mbqi=false fp.spacer.ground_pobs=false";
        let xform = "fp.xform.slice=true fp.xform.inline_linear=true fp.xform.inline_eager=true";
        let line = format!("-in -smt2 -t:2000 {options} {xform}");
        check(Guise::Z3, &line, "--timeout=1.94", 0);
        let line = format!("-in -smt2 -model rlimit=2000000 {options} {xform}");
        check(Guise::Z3, &line, "--timeout=9.7 --witness", 0);
    }

    #[test]
    fn the_calls_of_solcjs() {
        check(Guise::Eld, "-horn -t:10 query.smt2", "--timeout=9.7 --witness", 0);
        check(Guise::Z3, "-smt2 rlimit=20000000 query.smt2", "--timeout=9.7 --witness", 0);
        let (request, _) = read(Guise::Z3, "-smt2 rlimit=20000000 query.smt2");
        let Request::Solve(call) = request else { panic!("a query") };
        assert_eq!(call.file, Some("query.smt2".into()));
    }

    #[test]
    fn the_calls_of_korn() {
        check(Guise::Eld, "-t:900 -ssol -cex task.smt2", "--timeout=873 --witness", 0);
        check(Guise::Z3, "-t:2000 task.smt2", "--timeout=1.94 --witness", 0);
        check(Guise::Golem, "-l QF_LIA -e spacer task.smt2", "", 0);
        let line = "--logic=QF_LIA -e lawi --print-witness -i task.smt2";
        check(Guise::Golem, line, "--witness", 0);
        let (Request::Solve(golem), _) = read(Guise::Golem, line) else { panic!("a query") };
        assert_eq!(golem.file, Some("task.smt2".into()));
    }

    #[test]
    fn what_is_not_known_is_passed_over() {
        check(Guise::Eld, "-hsmt -in -newOption -t:x", "--timeout=9.7", 2);
        check(Guise::Z3, "-in -smt2 sat.threads=2 -st", "--timeout=9.7", 2);
        assert_eq!(read(Guise::Z3, "-in --version"), (Request::Version, vec![]));
    }

    #[test]
    fn the_logic_tells_horn_clauses() {
        let (Request::Solve(z3), _) = read(Guise::Z3, "-in") else { panic!("a query") };
        let (Request::Solve(eld), _) = read(Guise::Eld, "-in") else { panic!("a query") };
        for (text, expected) in [
            ("(set-option :produce-proofs true)(set-logic HORN)", Some(true)),
            ("(set-option :produce-models true)\n(set-logic ALL)", Some(false)),
            ("(set-option :produce-models true)\n(set-logic HOR", None),
            ("(declare-fun x () Int)", None),
            ("(declare-fun x () Int)(assert (< x 1))", Some(false)),
            ("(declare-rel p (Int))", Some(true)),
            ("(check-sat)", Some(false)),
        ] {
            assert_eq!(z3.is_horn(text.as_bytes()), expected, "{text}");
        }
        assert_eq!(eld.is_horn(b"(set-logic ALL)"), Some(true));
    }
}
