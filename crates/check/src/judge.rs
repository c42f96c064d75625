//! Whether an answer that somebody gave to a question is right.
//!
//! The word comes first: evidence for the opposite of what is said settles the matter, whatever is
//! in it. Then the evidence is read and validated.

use shofar_base::{Budget, Diagnostic, GaveUp, Outcome};
use shofar_chc::read::{Form, HornProblem, Polarity, ReadOptions, Status};
use shofar_chc::{Exactness, Verdict};
use shofar_term::{Cx, TermStore};

use crate::objection::counted;
use crate::parse::{Evidence, GivenAnswer, Unread};
use crate::validate::validate_in_place;
use crate::{Certified, Fault, HornInput, InputText, Objection, Rigour};

/// What is found out about an answer.
#[derive(Clone, Debug)]
pub enum Judgement {
    /// The evidence proves the word.
    Valid(Certified),
    /// The answer is wrong, or its evidence is.
    Invalid(Blame),
    /// The evidence is not understood; the place is one in its text.
    Refused(Diagnostic),
    /// Nothing is found out.
    Unknown(Doubt),
}

/// What is wrong with an answer.
#[derive(Clone, Debug)]
pub enum Blame {
    /// The evidence is for the opposite word; said in words.
    Word(String),
    /// The evidence speaks about another problem, or contradicts itself; the place is one in its
    /// text.
    Text(Diagnostic),
    /// The evidence is read, and wrong.
    Witness(Objection),
}

/// Why nothing is found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// The answer is `unknown`.
    Undecided,
    /// There is nothing behind the word.
    NoEvidence(Status),
    /// A refutation is there, but without its values.
    Summary,
    /// This step is in a repeat, and its clause cannot be judged for all iterations at once.
    Unsettled(usize),
    /// The decision was given up.
    GaveUp(GaveUp),
}

/// The word that a model of the clauses proves: where a question asks for a derivation, there is
/// none.
fn word_for_model(polarity: Polarity) -> Status {
    match polarity {
        Polarity::Normal => Status::Sat,
        Polarity::Inverted => Status::Unsat,
    }
}

fn word_for_refutation(polarity: Polarity) -> Status {
    match polarity {
        Polarity::Normal => Status::Unsat,
        Polarity::Inverted => Status::Sat,
    }
}

/// A word as it is printed.
fn printed(word: Status) -> &'static str {
    match word {
        Status::Sat => "sat",
        Status::Unsat => "unsat",
        Status::Unknown => "unknown",
    }
}

impl Certified {
    /// Which answer to a question of this polarity is confirmed, and by what.
    pub fn describe(&self, input: &HornInput, polarity: Polarity) -> String {
        let (word, witness) = match self.verdict() {
            Verdict::Safe(_) => {
                let size = counted(input.system().preds().count(), "predicate");
                (word_for_model(polarity), format!("a model of {size}"))
            }
            Verdict::Unsafe(refutation) => {
                let size = counted(refutation.steps.len(), "step");
                let folded = if refutation.is_ground() {
                    String::new()
                } else {
                    format!(", which stand for {}", refutation.ground_length())
                };
                (word_for_refutation(polarity), format!("a refutation of {size}{folded}"))
            }
        };
        format!("{} is confirmed by {witness}", printed(word))
    }
}

impl std::fmt::Display for Doubt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Undecided => f.write_str("the answer is unknown"),
            Self::NoEvidence(word) => write!(f, "there is no evidence for {}", printed(*word)),
            Self::Summary => f.write_str(
                "a summary leaves values out and cannot be checked; `--witness` prints the whole refutation",
            ),
            Self::Unsettled(step) => {
                write!(f, "the clause of step {step} cannot be judged for all iterations at once")
            }
            Self::GaveUp(why) => why.fmt(f),
        }
    }
}

impl std::fmt::Display for Evidence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Nothing => "nothing",
            Self::Model => "a model",
            Self::Refutation | Self::Summary => "a refutation",
        })
    }
}

/// The problem that an answer is judged about in the place of `problem`, which stands in `text`,
/// and a store with its terms.
///
/// Where the clauses are more than what the text is about, a refutation of them is no evidence, but
/// one of the instance that the text lists is. A model is always one of the clauses: a model of one
/// instance says nothing about the others.
pub fn instance_for(
    problem: &HornProblem,
    text: &InputText,
    answer: &GivenAnswer<'_>,
    budget: &Budget,
) -> Outcome<Option<(TermStore, HornProblem)>> {
    let is_refutation = match answer.evidence() {
        Evidence::Refutation | Evidence::Summary => true,
        Evidence::Nothing | Evidence::Model => false,
    };
    let listed = problem.instance.as_ref().filter(|_| is_refutation);
    let written = |options: &ReadOptions| options.clone().in_form(Form::Written);
    let instance = listed.and_then(|instance| text.with_options(&written(&instance.options)));
    instance.map(|instance| instance.read_again(budget)).transpose()
}

/// Judges the answer to a question of this polarity about `input`, whose clauses are as they are
/// written if the evidence is a refutation.
///
/// If there are several pieces of evidence, each has to be right.
pub fn judge(
    cx: &mut Cx<'_>,
    input: &HornInput,
    polarity: Polarity,
    answer: &GivenAnswer<'_>,
    rigour: Rigour,
) -> Judgement {
    let mut first = None;
    for answer in answer.alternatives() {
        match judge_alone(cx, input, polarity, &answer, rigour) {
            Judgement::Valid(certified) => first = first.or(Some(certified)),
            judgement @ (Judgement::Invalid(_) | Judgement::Refused(_) | Judgement::Unknown(_)) => {
                return judgement;
            }
        }
    }
    Judgement::Valid(first.expect("an answer is an alternative of its own"))
}

fn judge_alone(
    cx: &mut Cx<'_>,
    input: &HornInput,
    polarity: Polarity,
    answer: &GivenAnswer<'_>,
    rigour: Rigour,
) -> Judgement {
    if answer.word() == Some(Status::Unknown) {
        return Judgement::Unknown(Doubt::Undecided);
    }
    let evidence = answer.evidence();
    if let Some(said) = answer.word() {
        let shown = match evidence {
            Evidence::Nothing => return Judgement::Unknown(Doubt::NoEvidence(said)),
            Evidence::Model => word_for_model(polarity),
            Evidence::Refutation | Evidence::Summary => word_for_refutation(polarity),
        };
        if said != shown {
            let (said, shown) = (printed(said), printed(shown));
            return Judgement::Invalid(Blame::Word(format!(
                "the answer is {said}, but {evidence} is evidence for {shown}"
            )));
        }
    }
    let is_refutation = matches!(evidence, Evidence::Refutation | Evidence::Summary);
    if is_refutation && input.exactness() == Exactness::Over {
        let why = "a refutation of the clauses need not be an execution of the input";
        return Judgement::Unknown(Doubt::GaveUp(GaveUp::incomplete(why)));
    }
    if evidence == Evidence::Summary {
        return Judgement::Unknown(Doubt::Summary);
    }
    let variables = |clause| input.variables(clause).to_vec();
    let witness = match answer.witness(cx, input.system(), &variables) {
        Ok(witness) => witness,
        Err(Unread::Malformed(diagnostic)) => return Judgement::Refused(diagnostic),
        Err(Unread::Misfit(diagnostic)) => return Judgement::Invalid(Blame::Text(diagnostic)),
        Err(Unread::GaveUp(why)) => return Judgement::Unknown(Doubt::GaveUp(why)),
    };
    match validate_in_place(cx, input, witness, rigour) {
        Ok(Ok(certified)) => Judgement::Valid(certified),
        Ok(Err(Objection::Step { step, fault: Fault::Unsettled, .. })) => {
            Judgement::Unknown(Doubt::Unsettled(step))
        }
        Ok(Err(objection)) => Judgement::Invalid(Blame::Witness(objection)),
        Err(why) => Judgement::Unknown(Doubt::GaveUp(why)),
    }
}
