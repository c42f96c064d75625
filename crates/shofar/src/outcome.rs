//! Answers with their evidence.
//!
//! A [`Model`] or [`Refutation`] has been validated against the problem before anybody sees it.
//! Each owns the store its terms live in, so it outlives the solver and can go to another thread.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

use shofar_base::{Budget, GaveUp};
use shofar_chc::print::{Lines, print_core, print_model, print_refutation, print_summary};
use shofar_chc::read::{Evidence, HornProblem, Polarity, Task};
use shofar_chc::{ChcSystem, ClauseId, Definition, Derivation, Exactness, Interpretation, Verdict};
use shofar_check::{InputText, Stored, as_written};
use shofar_driver::{Failure, Solved};
use shofar_num::Rational;
use shofar_term::TermStore;
use shofar_term::visit::postorder;

use crate::Report;

/// The answer to a question, and what was done to find it.
#[derive(Debug)]
pub struct Outcome {
    /// The answer.
    pub answer: Answer,
    /// Times and counts.
    pub report: Report,
    /// How the answer is said.
    polarity: Polarity,
    /// What the refutation is about, if the text is about more.
    pub instance: Option<String>,
}

/// An answer with its evidence.
#[derive(Debug)]
pub enum Answer {
    /// The clauses have a model: no query can be derived.
    Safe(Model),
    /// They have none: a query can be derived.
    Unsafe(Refutation),
    /// Neither was found; this is why.
    Unknown(Failure),
}

impl Outcome {
    pub(crate) fn new(
        horn: Arc<HornProblem>,
        text: Arc<[u8]>,
        origin: Option<InputText>,
        result: Result<Solved, Failure>,
        report: Report,
    ) -> Self {
        let polarity = horn.polarity;
        let answer = match result {
            Err(failure) => Answer::Unknown(failure),
            Ok(Solved { certified, store, .. }) => match certified.into_verdict() {
                Verdict::Safe(interpretation) => {
                    Answer::Safe(Model { store, interpretation, horn })
                }
                Verdict::Unsafe(_) if horn.exactness == Exactness::Over => {
                    Answer::Unknown(Failure { stopped: Some(no_verdict()), ..Failure::default() })
                }
                Verdict::Unsafe(derivation) => {
                    Answer::Unsafe(Refutation { store, derivation, horn, text, origin })
                }
            },
        };
        Self { answer, report, polarity, instance: None }
    }
    /// The outcome of a question about more than the instance that the refutation is about.
    pub(crate) fn about_instance(self, instance: String) -> Self {
        Self { instance: Some(instance), ..self }
    }
    /// The outcome of a question that is given up before it is tried.
    pub fn gave_up(why: GaveUp) -> Self {
        let failure = Failure { stopped: Some(why), ..Failure::default() };
        let (report, polarity) = (Report::default(), Polarity::Normal);
        Self { answer: Answer::Unknown(failure), report, polarity, instance: None }
    }
    /// The outcome that a refutation is.
    pub fn of_refutation(refutation: Refutation) -> Self {
        let polarity = refutation.horn.polarity;
        let (answer, report) = (Answer::Unsafe(refutation), Report::default());
        Self { answer, report, polarity, instance: None }
    }
    /// The word of SMT-LIB for the answer: `sat`, `unsat` or `unknown`. After z3's `query` it is
    /// the other way round.
    pub fn word(&self) -> &'static str {
        let is_safe = match &self.answer {
            Answer::Safe(_) => true,
            Answer::Unsafe(_) => false,
            Answer::Unknown(_) => return "unknown",
        };
        if is_safe == (self.polarity == Polarity::Normal) { "sat" } else { "unsat" }
    }
}

/// Why a refutation of clauses that are more than what the text is about says nothing about it.
fn no_verdict() -> GaveUp {
    GaveUp::incomplete("the clauses have a refutation, which need not be an execution of the input")
}

/// A definition of every predicate under which all clauses hold: inductive invariants.
///
/// It is shown as `define-fun`s that any SMT-LIB tool reads.
#[derive(Clone, Debug)]
pub struct Model {
    store: TermStore,
    interpretation: Interpretation,
    horn: Arc<HornProblem>,
}

impl Model {
    /// The definitions.
    pub fn interpretation(&self) -> &Interpretation {
        &self.interpretation
    }
    /// How many different terms they have.
    pub fn size(&self) -> usize {
        let preds = self.horn.system.preds();
        let bodies = preds.filter_map(|pred| self.interpretation.get(pred)).map(|d| d.body);
        postorder(&self.store, &bodies.collect::<Vec<_>>()).len()
    }
    /// Where their terms live.
    pub fn store(&self) -> &TermStore {
        &self.store
    }
    /// The clauses that hold under the definitions.
    pub fn system(&self) -> &ChcSystem {
        &self.horn.system
    }
    /// The store, the clauses, and the definitions of their predicates.
    pub(crate) fn parts(&mut self) -> (&mut TermStore, &ChcSystem, &Interpretation) {
        (&mut self.store, &self.horn.system, &self.interpretation)
    }
    /// The definition of the predicate with this name.
    ///
    /// ```
    /// use shofar::term::print::print;
    /// use shofar::{Answer, Problem, Solver};
    /// let text = b"(declare-fun p (Int) Bool)(assert (p 1))
    ///     (assert (forall ((x Int)) (=> (p x) (>= x 1))))(check-sat)";
    /// let outcome = Solver::new().solve(Problem::from_text(text)?);
    /// let Answer::Safe(model) = &outcome.answer else { panic!("it is safe") };
    /// let definition = model.definition("p").expect("p is declared");
    /// assert_eq!(definition.params.len(), 1);
    /// println!("{}", print(model.store(), definition.body));
    /// # Ok::<(), shofar::InputError>(())
    /// ```
    pub fn definition(&self, predicate: &str) -> Option<&Definition> {
        let system = &self.horn.system;
        let named = |pred: &_| self.store.name(system.symbol(*pred)) == predicate;
        self.interpretation.get(system.preds().find(named)?)
    }
    /// The model in the words of the text, if its language has any besides the clauses: invariants
    /// of places, contracts.
    pub fn in_source(&mut self) -> Option<String> {
        let explain = self.horn.explain.clone()?;
        Some(explain.proof(&mut self.store, &self.horn, &self.interpretation))
    }
    /// The model as a witness of a verification task, if the language has such a format.
    pub fn yaml(&mut self, task: &Task<'_>) -> Option<String> {
        let explain = self.horn.explain.clone()?;
        let evidence = Evidence::Model(&self.interpretation);
        explain.yaml(&mut self.store, &self.horn, evidence, task)
    }
    /// Writes the `define-fun`s; nothing is copied for it, unlike for `Display`.
    pub fn print(&mut self, out: &mut dyn Write) -> io::Result<()> {
        print_model(out, &mut self.store, &self.horn.system, &self.interpretation)
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut copy = self.clone();
        written(f, |out| copy.print(out))
    }
}

/// Steps from facts to a query: an execution that leads to a bad state. Cycles may be folded.
#[derive(Clone, Debug)]
pub struct Refutation {
    pub(crate) store: TermStore,
    pub(crate) derivation: Derivation,
    pub(crate) horn: Arc<HornProblem>,
    pub(crate) text: Arc<[u8]>,
    /// Where the clauses are read as they are written.
    pub(crate) origin: Option<InputText>,
}

impl Refutation {
    /// The steps.
    pub fn derivation(&self) -> &Derivation {
        &self.derivation
    }
    /// Where the terms of the clauses live.
    pub fn store(&self) -> &TermStore {
        &self.store
    }
    /// The clauses that the steps instantiate.
    pub fn system(&self) -> &ChcSystem {
        &self.horn.system
    }
    /// The problem that is refuted.
    pub fn horn(&self) -> &HornProblem {
        &self.horn
    }
    /// How many steps there are; a cycle that is gone through often is listed by its first and last
    /// iteration, so these may be very many.
    pub fn length(&self) -> Rational {
        self.derivation.ground_length()
    }
    /// How many steps are listed.
    pub fn listed(&self) -> usize {
        self.derivation.steps.len()
    }
    /// How many steps there are, if this is not more than fits.
    #[expect(
        clippy::len_without_is_empty,
        reason = "the last step, which derives false, is always there"
    )]
    pub fn len(&self) -> usize {
        let length = self.length().to_i64().and_then(|length| usize::try_from(length).ok());
        length.unwrap_or(usize::MAX)
    }
    /// The execution in the words of the text, if its language has any besides the clauses.
    pub fn in_source(&self) -> Option<String> {
        let explain = self.horn.explain.as_ref()?;
        Some(explain.trace(&self.store, &self.horn, &self.derivation))
    }
    /// The refutation as a witness of a verification task, if the language has such a format.
    pub fn yaml(&mut self, task: &Task<'_>) -> Option<String> {
        let explain = self.horn.explain.clone()?;
        let evidence = Evidence::Refutation(&self.derivation);
        explain.yaml(&mut self.store, &self.horn, evidence, task)
    }
    /// The clauses that its steps instantiate, each once, in their order.
    pub fn clauses(&self) -> Vec<ClauseId> {
        let mut clauses: Vec<_> = self.derivation.steps.iter().map(|step| step.clause).collect();
        clauses.sort_unstable();
        clauses.dedup();
        clauses
    }
    /// Writes these clauses with their names and lines.
    pub fn print_core(&self, out: &mut dyn Write, lines: &Lines) -> io::Result<()> {
        print_core(out, lines, &self.clauses())
    }
    /// The refutation in clauses as they are written, which have the numbers that its printed form
    /// uses; read from the text that the problem came from. A problem that came from no text has
    /// the clauses that it was made of.
    pub fn in_written_clauses(&self) -> Result<Cow<'_, Self>, GaveUp> {
        let Some(origin) = self.origin.as_ref().and_then(InputText::as_written) else {
            return Ok(Cow::Borrowed(self));
        };
        let (store, horn) = origin.read_again(&Budget::unlimited())?;
        self.in_clauses_of(store, horn).map(Cow::Owned)
    }
    /// The refutation in the clauses of `horn`, which is the same problem as it is written; its
    /// terms are in `store`.
    pub fn in_clauses_of(&self, store: TermStore, horn: HornProblem) -> Result<Self, GaveUp> {
        let solved = Stored { store: &self.store, problem: &self.horn };
        let written = Stored { store: &store, problem: &horn };
        let expanded = || self.derivation.clone().expanded(&self.store, MOST_PRINTED);
        let derivation = match as_written(solved, written, &self.derivation) {
            Err(_) if !self.derivation.is_ground() => as_written(solved, written, &expanded()?)?,
            found => found?,
        };
        let horn = Arc::new(horn);
        Ok(Self { store, derivation, horn, text: self.text.clone(), origin: None })
    }
    /// Writes every step, so that it can be checked.
    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let written = self.in_written_clauses().map_err(io::Error::other)?;
        written.print_with(out, &Lines::new(&written.horn, &written.text))
    }
    /// Writes every step, by the clauses of [`Self::horn`]; `lines` tells the lines of the clauses.
    /// If there are more than a million, cycles are folded.
    pub fn print_with(&self, out: &mut dyn Write, lines: &Lines) -> io::Result<()> {
        let (store, system) = (&self.store, &self.horn.system);
        if self.len() <= MOST_PRINTED
            && let Ok(expanded) = self.derivation.clone().expanded(store, MOST_PRINTED)
        {
            return print_refutation(out, store, system, lines, &expanded);
        }
        let length = self.length();
        writeln!(out, "; {length} steps, more than {MOST_PRINTED}: cycles are folded")?;
        print_refutation(out, store, system, lines, &self.derivation)
    }
    /// Writes the steps with cycles folded where they repeat evenly, and every step elsewhere: what
    /// is written can always be checked. `lines` tells the lines of the clauses.
    pub fn print_short(&self, out: &mut dyn Write, lines: &Lines) -> io::Result<()> {
        print_refutation(out, &self.store, &self.horn.system, lines, &self.derivation)
    }
    /// Writes a summary for people, which says so in its first line: it leaves values and premises
    /// out, and cannot be checked. What is folded already is shorter than a summary, and is written
    /// as it is.
    pub fn print_summary(&self, out: &mut dyn Write, lines: &Lines) -> io::Result<()> {
        if !self.derivation.is_ground() {
            return self.print_short(out, lines);
        }
        let length = self.length();
        writeln!(
            out,
            "; a summary of {length} steps for people, which cannot be checked; --witness prints them"
        )?;
        print_summary(out, &self.store, &self.horn.system, lines, &self.derivation)
    }
}

/// Longer refutations are not printed step by step.
const MOST_PRINTED: usize = 1_000_000;

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        written(f, |out| self.print(out))
    }
}

/// Shows what is written.
fn written(
    f: &mut fmt::Formatter<'_>,
    write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>,
) -> fmt::Result {
    let mut bytes = Vec::new();
    write(&mut bytes).map_err(|_| fmt::Error)?;
    f.write_str(String::from_utf8_lossy(&bytes).trim_end())
}
