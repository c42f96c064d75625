//! Termination: whether all runs of a program end.
//!
//! A program is a set of clauses without procedures: facts say where runs begin, linear rules are
//! transitions ([`Program`]). A run begins with any values that a fact allows, and ends in a state
//! in which no rule applies. Numbers are those of mathematics.
//!
//! | need | use |
//! |---|---|
//! | an answer | [`analyse`], [`Analysis`], [`Answer`] |
//! | why all runs end: ranking functions and invariants | [`TerminationProof`] |
//! | why one does not: recurrent sets, and an execution that leads there | [`DivergenceProof`] |
//! | whether these are right | [`check_termination`], [`check_divergence`] |
//!
//! | file | what |
//! |---|---|
//! | `program` | clauses as locations and transitions |
//! | `ranking` | arguments by ranking functions |
//! | `flow` | which piece of a transition can follow which |
//! | `farkas`, `synthesis` | functions for a component, by Farkas' lemma and counterexamples |
//! | `prover` | the argument, component by component |
//! | `lasso` | functions from executions, confirmed by safety queries |
//! | `recurrent` | sets of states that runs need not leave |
//! | `safety` | safety queries |
//! | `validate` | the validator |
//! | `print` | answers as text |
//!
//! First, ranking functions are looked for with the invariants of abstract interpretation.
//! Components that are stuck may have recurrent sets; if none is reached, lassos are looked at for
//! stronger invariants. Safety queries get more time from round to round, until the limit is
//! reached or nothing new can be found.
//!
//! Architecture invariant: an answer other than `Maybe` has passed the validator.

mod farkas;
mod flow;
mod lasso;
mod print;
mod program;
mod prover;
mod ranking;
mod recurrent;
mod safety;
mod synthesis;
mod validate;

use std::time::Duration;

use shofar::Solver;
use shofar_base::{Budget, GaveUp, Instant, Outcome, Statistics, StopHandle};
use shofar_chc::{ChcSystem, ClauseId, Exactness, Interpretation};
use shofar_term::{Cx, TermStore};
use shofar_transform::{Invariants, Pass};

pub use program::{Program, Transition};
pub use ranking::{Piece, Rank, Step, TerminationProof};
pub use recurrent::{DivergenceProof, Move, MoveStep, Recurrence};
pub use validate::{Flaw, check_divergence, check_termination};

use prover::{Prover, settled};
use recurrent::search::Found;
use recurrent::{closed, search};
use safety::Safety;

/// How long a safety query may take at first.
const FIRST_SLICE: Duration = Duration::from_millis(700);
/// Without a limit, nothing is tried for longer.
const LONGEST_SLICE: Duration = Duration::from_mins(1);

/// How the question is decided.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Decides safety queries; a limit on its time is set for each of them.
    pub solver: Solver,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Stops it from another thread, also inside a safety query.
    pub stop: StopHandle,
    /// Whether the clauses have more runs than what is asked about; a run of them that does not
    /// end is no answer then.
    pub exactness: Exactness,
    /// The clauses without which they have no more, if these are known.
    pub surplus: Vec<ClauseId>,
}

/// Whether all runs end.
#[derive(Clone, Debug)]
pub enum Answer {
    /// They do.
    Terminates(TerminationProof),
    /// One does not.
    Diverges(DivergenceProof),
    /// It was not found out; this is why.
    Maybe(GaveUp),
}

/// An answer, with the program it is about.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The answer.
    pub answer: Answer,
    /// What was counted on the way.
    pub counts: Statistics,
    store: TermStore,
    /// The program, if the clauses are one.
    program: Option<Program>,
}

impl Analysis {
    /// The word of the termination competition for the answer: `YES`, `NO` or `MAYBE`.
    pub fn word(&self) -> &'static str {
        match &self.answer {
            Answer::Terminates(_) => "YES",
            Answer::Diverges(_) => "NO",
            Answer::Maybe(_) => "MAYBE",
        }
    }
    /// Why it was not found out.
    pub fn why(&self) -> Option<&GaveUp> {
        match &self.answer {
            Answer::Terminates(_) | Answer::Diverges(_) => None,
            Answer::Maybe(why) => Some(why),
        }
    }
    /// The program, if the clauses are one, and where its terms live.
    pub fn program(&self) -> Option<(&Program, &TermStore)> {
        self.program.as_ref().map(|program| (program, &self.store))
    }
}

/// Decides whether all runs of the program that `system` is end; its terms live in `store`.
///
/// ```
/// use shofar_chc::read::read_horn;
/// use shofar_term::TermStore;
/// use shofar_termination::{Options, analyse};
///
/// let text = b"(declare-fun p (Int Int) Bool)
///     (assert (forall ((x Int) (y Int)) (p x y)))
///     (assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x 0) (> y 0)) (p (- x y) y))))(check-sat)";
/// let mut store = TermStore::new();
/// let script = read_horn(text, &mut store).unwrap();
/// let analysis = analyse(store, &script.problems[0].system, &Options::default());
/// assert_eq!(analysis.word(), "YES");
/// ```
pub fn analyse(store: TermStore, system: &ChcSystem, options: &Options) -> Analysis {
    let is_exact = options.exactness == Exactness::Exact;
    let copy = (!is_exact && !options.surplus.is_empty()).then(|| store.clone());
    let mut analysis = analyse_clauses(store, system, options);
    if is_exact || matches!(analysis.answer, Answer::Terminates(_)) {
        return analysis;
    }
    if let Some(store) = copy {
        let certain = system.clauses().filter(|(id, _)| !options.surplus.contains(id));
        let certain = system.with_clauses(certain.map(|(_, clause)| clause.clone()));
        let sure = analyse_clauses(store, &certain, options);
        if matches!(sure.answer, Answer::Diverges(_)) {
            return sure;
        }
    }
    if matches!(analysis.answer, Answer::Diverges(_)) {
        let why = "the clauses have a run that does not end, which need not be one of the input";
        analysis.answer = Answer::Maybe(GaveUp::incomplete(why));
    }
    analysis
}

/// Decides whether all runs of the clauses end, whatever they are to what is asked about.
fn analyse_clauses(mut store: TermStore, system: &ChcSystem, options: &Options) -> Analysis {
    let program = match Program::new(&mut store, system) {
        Ok(program) => program,
        Err(why) => {
            let (answer, counts) = (Answer::Maybe(why), Statistics::new());
            return Analysis { answer, counts, store, program: None };
        }
    };
    let budget = Budget::nested(&StopHandle::default(), &options.stop, options.deadline);
    let mut cx = Cx::new(&mut store, &budget);
    let mut safety = Safety::new(options, FIRST_SLICE);
    let answer = decide(&mut cx, &program, &mut safety).unwrap_or_else(Answer::Maybe);
    let counts = counts(&program, &safety, &answer);
    Analysis { answer, counts, store, program: Some(program) }
}

fn counts(program: &Program, safety: &Safety, answer: &Answer) -> Statistics {
    let mut counts = Statistics::new();
    let mut count = |name: &'static str, number: usize| {
        counts.push(name, u64::try_from(number).unwrap_or(u64::MAX));
    };
    count("locations", program.system().preds().count());
    count("transitions", program.transitions().len());
    count("safety_queries", safety.asked);
    count("safety_queries_open", safety.open);
    match answer {
        Answer::Terminates(proof) => count("ranking_functions", proof.steps.len()),
        Answer::Diverges(proof) => count("recurrent_sets", proof.recurrence.sets.len()),
        Answer::Maybe(_) => {}
    }
    counts
}

fn decide(cx: &mut Cx<'_>, program: &Program, safety: &mut Safety) -> Outcome<Answer> {
    let answer = find(cx, program, safety)?;
    let checked = match &answer {
        Answer::Terminates(proof) => check_termination(cx, program, proof)?,
        Answer::Diverges(proof) => check_divergence(cx, program, proof)?,
        Answer::Maybe(_) => Ok(()),
    };
    checked.map_err(GaveUp::wrong)?;
    Ok(answer)
}

fn find(cx: &mut Cx<'_>, program: &Program, safety: &mut Safety) -> Outcome<Answer> {
    let invariants = first_invariants(cx, program)?;
    let mut prover = Prover::new(cx, program, invariants)?;
    // Components that have been searched for recurrent sets since the last change of the slice.
    let mut searched: Vec<Vec<usize>> = Vec::new();
    loop {
        let stuck = prover.advance(cx)?;
        if stuck.is_empty() {
            return Ok(Answer::Terminates(prover.proof(cx.store)));
        }
        let mut has_moved = false;
        for component in &stuck {
            if searched.contains(component) {
                continue;
            }
            searched.push(component.clone());
            let transitions = prover.transitions(component);
            match search::search(cx, program, &transitions, prover.invariants(), safety)? {
                Found::Run(proof) => return Ok(Answer::Diverges(proof)),
                Found::Unreached(invariants) => {
                    prover.strengthen(cx, &invariants);
                    has_moved = true;
                }
                Found::Nothing => {}
            }
        }
        if has_moved {
            continue;
        }
        for component in &stuck {
            has_moved |= prover.refine(cx, component, safety)?;
        }
        if has_moved {
            continue;
        }
        for component in &stuck {
            let transitions = prover.transitions(component);
            let found = closed::search(cx, program, &transitions, prover.invariants(), safety);
            if let Some(proof) = settled(found)?.flatten() {
                return Ok(Answer::Diverges(proof));
            }
        }
        if !std::mem::take(&mut safety.was_short) || safety.slice > LONGEST_SLICE {
            let why = "neither ranking functions nor recurrent sets were found";
            return Err(GaveUp::incomplete(why));
        }
        safety.slice *= 3;
        searched.clear();
    }
}

/// What abstract interpretation finds.
fn first_invariants(cx: &mut Cx<'_>, program: &Program) -> Outcome<Interpretation> {
    let mut nothing = Interpretation::new();
    for pred in program.system().preds() {
        nothing.define_constant(cx.store, program.system(), pred, true);
    }
    let found = Invariants::default()
        .apply(cx, program.system().clone())
        .and_then(|(_, back)| back.model(cx, nothing.clone()));
    Ok(settled(found)?.unwrap_or(nothing))
}
