//! Examines scripts: runs the solver under test, compares with the reference, and has every piece
//! of evidence confirmed.

use std::path::Path;

use shofar_testkit::case::Answer;
use shofar_testkit::judge::{Fault, Judgement, Kind, Obligation, judge};
use shofar_testkit::sexp::{Sexp, parse_all};

use super::batch::{Segment, Solver, solver};
use crate::process::End;

/// The two solvers as one thread uses them.
pub(crate) struct Bench {
    subject: Solver,
    reference: Solver,
    /// Milliseconds for each question to the solver under test, if they are limited.
    patience: Option<u64>,
}

/// What came of one script.
#[derive(Clone, Debug, Default)]
pub(crate) struct Examined {
    /// Answers of the solver under test.
    pub(crate) answers: Vec<Answer>,
    /// Answers of the reference.
    pub(crate) reference: Vec<Answer>,
    /// Kinds of the obligations that were confirmed.
    pub(crate) confirmed: Vec<Kind>,
    /// Obligations that the reference could not decide.
    pub(crate) undecided: usize,
    /// What the solver under test said it cannot do.
    pub(crate) declined: Option<String>,
    /// What is wrong.
    pub(crate) faults: Vec<Fault>,
}

impl Examined {
    /// The reference in the place of the solver under test.
    pub(crate) fn of_reference(opinion: &Opinion) -> Self {
        let answers = opinion.answers.clone();
        Self { reference: answers.clone(), answers, ..Self::default() }
    }
}

/// What the reference solver says to one script.
#[derive(Clone, Debug, Default)]
pub(crate) struct Opinion {
    pub(crate) answers: Vec<Answer>,
    pub(crate) error: Option<String>,
}

impl Bench {
    /// Solvers with files of their own in `folder`.
    pub(crate) fn new(
        shofar: &Path,
        z3: &Path,
        folder: &Path,
        who: &str,
        patience: Option<u64>,
    ) -> Self {
        Self {
            patience,
            subject: solver(shofar, &["smt"], folder, &format!("{who}-shofar")),
            reference: solver(z3, &["-t:1000"], folder, &format!("{who}-z3")),
        }
    }

    /// Removes the files of both solvers.
    pub(crate) fn clean(&self) {
        self.subject.clean();
        self.reference.clean();
    }

    /// The answers of the reference solver to the checks of each script.
    pub(crate) fn opinions(&self, scripts: &[Vec<Sexp>]) -> Result<Vec<Opinion>, String> {
        let texts: Vec<String> = scripts.iter().map(|script| for_reference(script)).collect();
        Ok(self.reference.run(&texts)?.iter().map(opinion).collect())
    }

    /// Examines scripts whose answers by the reference are known.
    pub(crate) fn examine(
        &self,
        scripts: &[Vec<Sexp>],
        opinions: &[Opinion],
    ) -> Result<Vec<Examined>, String> {
        let texts: Vec<String> = scripts.iter().map(|script| self.for_subject(script)).collect();
        let segments = self.subject.run(&texts)?;
        let mut results = Vec::new();
        let mut open: Vec<(usize, Obligation)> = Vec::new();
        for (at, ((script, segment), opinion)) in
            scripts.iter().zip(&segments).zip(opinions).enumerate()
        {
            let judgement = judgement(script, segment, opinion);
            open.extend(judgement.obligations.into_iter().map(|obligation| (at, obligation)));
            results.push(Examined {
                answers: judgement.answers,
                reference: opinion.answers.clone(),
                faults: judgement.faults,
                declined: judgement.declined,
                ..Examined::default()
            });
        }
        self.confirm(&open, &mut results)?;
        Ok(results)
    }

    fn confirm(
        &self,
        open: &[(usize, Obligation)],
        results: &mut [Examined],
    ) -> Result<(), String> {
        let questions: Vec<String> = open
            .iter()
            .map(|(_, o)| {
                dialect(&format!("(push 1)\n{}\n(check-sat)\n(pop 1)", o.commands.join("\n")))
            })
            .collect();
        for ((at, obligation), segment) in open.iter().zip(self.reference.run(&questions)?) {
            let opinion = opinion(&segment);
            let result = &mut results[*at];
            match (opinion.answers.as_slice(), opinion.error) {
                ([answer], None) if *answer == obligation.expected => {
                    result.confirmed.push(obligation.kind);
                }
                ([Answer::Unknown], None) => result.undecided += 1,
                (answers, error) => {
                    let said = error.unwrap_or_else(|| format!("{answers:?}"));
                    let wanted = obligation.expected.word();
                    let question = obligation.commands.join("\n");
                    let message =
                        format!("expected {wanted}, the reference says {said} for\n{question}");
                    result.faults.push(Fault { kind: obligation.kind, message });
                }
            }
        }
        Ok(())
    }

    /// The script for our solver; `reset` separates it from its predecessor.
    fn for_subject(&self, script: &[Sexp]) -> String {
        let lines: Vec<String> = script.iter().map(Sexp::to_string).collect();
        let limit = self.patience.map(|millis| format!("(set-option :timeout {millis})\n"));
        format!("(reset)\n{}{}", limit.unwrap_or_default(), lines.join("\n"))
    }

    /// The faults of a single script, for the shrinker; none if the reference refuses the script.
    pub(crate) fn faults(&self, script: &[Sexp]) -> Vec<Fault> {
        let scripts = [script.to_vec()];
        let Ok(opinions) = self.opinions(&scripts) else { return Vec::new() };
        if opinions[0].error.is_some() {
            return Vec::new();
        }
        self.examine(&scripts, &opinions)
            .map(|mut results| results.remove(0).faults)
            .unwrap_or_default()
    }
}

fn judgement(script: &[Sexp], segment: &Segment, opinion: &Opinion) -> Judgement {
    match segment {
        Segment::Output(output) => judge(script, output, &opinion.answers),
        Segment::Died(end, stderr) => {
            let kind = if *end == End::Timeout { Kind::Timeout } else { Kind::Crash };
            let message = format!("{end:?}: {stderr}");
            Judgement { faults: vec![Fault { kind, message }], ..Judgement::default() }
        }
    }
}

/// The part of a script that decides its answers, in a scope of its own (which is much cheaper for
/// z3 than a `reset`).
fn for_reference(script: &[Sexp]) -> String {
    let mut depth: i64 = 1;
    let mut lines = vec!["(push 1)".to_owned()];
    for command in script {
        let levels = || {
            command
                .arguments()
                .first()
                .and_then(Sexp::atom)
                .and_then(|n| n.parse::<i64>().ok())
                .unwrap_or(1)
        };
        match command.head() {
            Some("push") => depth += levels(),
            Some("pop") => depth -= levels(),
            Some("assert" | "check-sat" | "check-sat-assuming") => {}
            Some(head) if head.starts_with("declare-") || head.starts_with("define-") => {}
            Some(_) | None => continue,
        }
        lines.push(command.to_string());
    }
    if depth > 0 {
        lines.push(format!("(pop {depth})"));
    }
    dialect(&lines.join("\n"))
}

/// Rewrites `((_ divisible n) t)`, which recent versions of z3 no longer read.
fn dialect(text: &str) -> String {
    if !text.contains("divisible") {
        return text.to_owned();
    }
    let commands = parse_all(text).expect("obligations and scripts are well formed");
    let lines: Vec<String> =
        commands.iter().map(|command| without_divisible(command).to_string()).collect();
    lines.join("\n")
}

/// Spells divisibility by `mod`.
pub(crate) fn without_divisible(term: &Sexp) -> Sexp {
    let Sexp::List(items) = term else { return term.clone() };
    let items: Vec<Sexp> = items.iter().map(without_divisible).collect();
    if let [operator, argument] = items.as_slice()
        && let Some([_, name, by]) = operator.list()
        && name.atom() == Some("divisible")
    {
        let atom = |text: &str| Sexp::Atom(text.to_owned());
        let remainder = Sexp::List(vec![atom("mod"), argument.clone(), by.clone()]);
        return Sexp::List(vec![atom("="), remainder, atom("0")]);
    }
    Sexp::List(items)
}

fn opinion(segment: &Segment) -> Opinion {
    match segment {
        Segment::Output(output) => Opinion {
            answers: output.lines().filter_map(Answer::from_word).collect(),
            error: output.lines().find(|line| line.starts_with("(error")).map(str::to_owned),
        },
        // A reference that dies has no opinion on anything in this script.
        Segment::Died(..) => Opinion { answers: vec![Answer::Unknown], error: None },
    }
}

/// Parses generated commands, which are always well formed.
pub(crate) fn parse(commands: &[impl AsRef<str>]) -> Vec<Sexp> {
    commands
        .iter()
        .flat_map(|text| parse_all(text.as_ref()).expect("generated scripts are well formed"))
        .collect()
}
