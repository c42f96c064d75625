//! What z3 says about systems and about our models of them.

use std::path::PathBuf;
use std::time::Duration;

use shofar_testkit::case::Answer;
use shofar_testkit::sexp::{Sexp, parse_all};

use super::contest::{Contest, Fault, FaultKind};
use crate::crosscheck::without_divisible;
use crate::process::{self, Input};

/// How long z3 may think about a model.
const CONFIRMING: Duration = Duration::from_secs(5);

/// z3 and how long it may think about a system.
pub(crate) struct Reference {
    program: PathBuf,
    limit: Duration,
}

impl Reference {
    pub(crate) fn new(program: PathBuf, limit: Duration) -> Self {
        Self { program, limit }
    }
    /// Its verdict on each script, where it has one.
    pub(crate) fn verdicts(&self, scripts: &[&[Sexp]]) -> Result<Vec<Option<Answer>>, String> {
        let flat = |script: &&[Sexp]| {
            script.iter().map(|command| flatten(command).to_string()).collect::<Vec<_>>().join("\n")
        };
        let answers = self.ask(&scripts.iter().map(flat).collect::<Vec<_>>(), self.limit)?;
        let trusted = |(script, answer): (&&[Sexp], Option<Answer>)| {
            if script.iter().any(has_finite_index) { Some(Answer::Unknown) } else { answer }
        };
        Ok(scripts.iter().zip(answers).map(trusted).collect())
    }
    /// Puts every model to z3: no clause may be violated once the definitions are in place of the
    /// predicates.
    pub(crate) fn confirm(&self, contests: &mut [Contest]) -> Result<(), String> {
        let mut questions: Vec<String> = Vec::new();
        let mut origins: Vec<(usize, String, u64)> = Vec::new();
        for (at, contest) in contests.iter().enumerate() {
            for result in &contest.results {
                let Some(model) = &result.model else { continue };
                let question = violation(&contest.script, model)?;
                if questions.last() == Some(&question)
                    && let Some((place, _, times)) = origins.last_mut()
                    && *place == at
                {
                    *times += 1;
                    continue;
                }
                questions.push(question);
                origins.push((at, result.manner.name(), 1));
            }
        }
        let answers = self.ask(&questions, CONFIRMING)?;
        for ((at, name, times), (answer, question)) in
            origins.into_iter().zip(answers.into_iter().zip(questions))
        {
            match answer {
                Some(Answer::Unsat) => contests[at].confirmed += times,
                Some(Answer::Unknown) => {}
                Some(Answer::Sat) | None => {
                    let message = format!("{name}: z3 does not confirm\n{question}");
                    contests[at].faults.push(Fault { kind: FaultKind::Model, message });
                }
            }
        }
        Ok(())
    }
    /// One answer within the limit for each question, each with one `check-sat`; a question that z3
    /// refuses has none.
    fn ask(&self, questions: &[String], limit: Duration) -> Result<Vec<Option<Answer>>, String> {
        let mut answers: Vec<Option<Answer>> = Vec::new();
        while answers.len() < questions.len() {
            let rest = &questions[answers.len()..];
            let millis = limit.as_millis();
            let script: Vec<String> = rest
                .iter()
                .map(|q| format!("(set-option :timeout {millis})\n{q}\n(reset)\n(echo \"next\")\n"))
                .collect();
            let count = u32::try_from(rest.len()).unwrap_or(u32::MAX);
            let patience = limit * count + Duration::from_secs(5);
            let script = script.concat();
            let input = Input::Bytes(script.as_bytes());
            let ran = process::run(&self.program, &["-in"], &input, patience)?;
            let (mut answer, mut refused) = (None, false);
            let before = answers.len();
            for line in ran.stdout.lines() {
                if line == "next" {
                    let said = answer.take();
                    answers.push(if std::mem::take(&mut refused) { None } else { said });
                } else if let Some(word) = Answer::from_word(line.trim()) {
                    answer = Some(word);
                } else if line.starts_with("(error") && !line.contains("canceled") {
                    refused = true;
                }
            }
            if answers.len() < questions.len() {
                // It has no opinion on what it died of.
                answers.push(Some(Answer::Unknown));
            }
            debug_assert!(answers.len() > before, "every round ends with fewer questions");
        }
        answers.truncate(questions.len());
        Ok(answers)
    }
}

/// Whether arrays over a finite sort occur; z3 5.4 does not see that writes everywhere make such an
/// array constant.
fn has_finite_index(term: &Sexp) -> bool {
    let Sexp::List(items) = term else { return false };
    let is_infinite = |sort: &Sexp| match sort {
        Sexp::Atom(name) => name == "Int" || name == "Real",
        Sexp::List(_) => sort.head() == Some("Array"),
    };
    match items.as_slice() {
        [Sexp::Atom(array), index, _] if array == "Array" && !is_infinite(index) => true,
        _ => items.iter().any(has_finite_index),
    }
}

/// Joins adjacent quantifiers, without which z3 says `unknown`, and spells what z3 does not read.
fn flatten(term: &Sexp) -> Sexp {
    join_quantifiers(&without_divisible(term))
}

fn join_quantifiers(term: &Sexp) -> Sexp {
    let Sexp::List(items) = term else { return term.clone() };
    if let [forall, Sexp::List(outer), inner] = items.as_slice()
        && term.head() == Some("forall")
        && let Sexp::List(nested) = join_quantifiers(inner)
        && let [further, Sexp::List(binders), body] = nested.as_slice()
        && further == forall
    {
        let binders = outer.iter().chain(binders).cloned().collect();
        return Sexp::List(vec![forall.clone(), Sexp::List(binders), body.clone()]);
    }
    Sexp::List(items.iter().map(join_quantifiers).collect())
}

fn in_dialect(term: &Sexp) -> String {
    without_divisible(term).to_string()
}

/// A script that is satisfiable if the model violates a clause.
fn violation(script: &[Sexp], model: &str) -> Result<String, String> {
    let model = parse_all(model)?;
    let definitions = model.first().and_then(Sexp::list).unwrap_or(&[]);
    let is_type = |c: &&Sexp| c.head().is_some_and(|head| head.starts_with("declare-datatype"));
    let types = script.iter().filter(is_type);
    let mut lines: Vec<String> = types.chain(definitions).map(in_dialect).collect();
    let clauses = script.iter().filter(|c| c.head() == Some("assert"));
    let negated: Vec<String> = clauses
        .flat_map(Sexp::arguments)
        .map(|clause| format!("(not {})", in_dialect(clause)))
        .collect();
    lines.push(format!("(assert (or false {}))", negated.join("\n  ")));
    lines.push("(check-sat)".to_owned());
    Ok(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjacent_quantifiers_are_joined() {
        let text = "(assert (forall ((x Int)) (forall ((y Int)) (=> (p x) (p y)))))";
        let command = parse_all(text).expect("the text is well-formed").remove(0);
        let flat = "(assert (forall ((x Int) (y Int)) (=> (p x) (p y))))";
        assert_eq!(flatten(&command).to_string(), flat);
    }

    #[test]
    fn finite_index_sorts_are_seen() {
        let check = |text: &str, expected: bool| {
            let command = parse_all(text).expect("the text is well-formed").remove(0);
            assert_eq!(has_finite_index(&command), expected, "{text}");
        };
        check("(declare-fun p ((Array Int (Array Bool Int))) Bool)", true);
        check("(declare-fun p ((Array (_ BitVec 3) Int)) Bool)", true);
        check("(declare-fun p ((Array (Array Int Bool) Int) Color) Bool)", false);
    }

    #[test]
    fn a_model_is_put_in_place_of_the_predicates() {
        let script = parse_all("(declare-fun p () Bool)(assert p)(assert (=> p false))(check-sat)");
        let question = violation(&script.expect("it is a script"), "((define-fun p () Bool true))");
        let expected = "(define-fun p () Bool true)\n(assert (or false (not p)\n  (not (=> p false))))\n(check-sat)";
        assert_eq!(question.as_deref(), Ok(expected));
    }
}
