//! An incremental CDCL solver with a hook for theories and a resolution proof log.
//!
//! The search is conflict-driven clause learning: decide, propagate, learn from conflicts, go back.
//! Around it stand what the name of each file says.
//!
//! | file | concept |
//! |---|---|
//! | `search` | the main loop, assumptions, levels |
//! | `propagate`, `watch`, `clause`, `trail` | Boolean propagation and its data |
//! | `analyze`, `minimize` | learnt clauses and failed assumptions, with their derivations |
//! | `decide`, `restart`, `reduce` | heuristics: what to decide, when to restart, what to forget |
//! | `theory`, `lemma` | what a theory is told and what it may answer; taking in clauses |
//! | `proof`, `log` | resolution proofs, their checker, and the log they are cut from |
//!
//! Architecture invariant: nothing here knows about terms. A theory speaks in literals and clauses;
//! what they mean is between it and the owner of the solver, who recognises leaves of a proof by
//! their [`Tag`].
//!
//! Source: [ES03] for the architecture; the files name the sources of their parts.

mod search;

mod clause;
mod trail;
mod watch;

mod analyze;
mod minimize;
mod postpone;
mod propagate;

mod decide;
mod reduce;
mod restart;

mod lemma;
mod theory;

mod log;
mod proof;

use shofar_base::{IndexVec, Lit, Var};

pub use proof::{CheckError, Proof, Step, StepId, Tag};
pub use theory::{Consequences, NoTheory, Propagator};

use analyze::Analysis;
use clause::{Arena, ClauseRef};
use decide::Order;
use log::Log;
use postpone::Postponed;
use reduce::ReduceSchedule;
use restart::Restarts;
use trail::Trail;
use watch::Watches;

/// How a solver is to work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Whether derivations are logged, so that [`Solver::refutation`] can give one.
    pub proofs: bool,
    /// Perturbs the initial order of decisions; 0 leaves it alone. Equal seeds give equal runs.
    pub seed: u64,
    /// Ways back of more levels than this are cut short, none is a hundred.
    pub longest_way_back: Option<u32>,
}

/// What a completed search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a model; it is what [`Solver::value`] says.
    Sat,
    /// There is none under the assumptions.
    Unsat,
}

/// What the solver did so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Decisions, assumptions apart.
    pub decisions: u64,
    /// Literals whose consequences were drawn.
    pub propagations: u64,
    /// Clauses found false.
    pub conflicts: u64,
    /// Restarts.
    pub restarts: u64,
    /// Clauses learnt from conflicts.
    pub learnt: u64,
    /// Clauses the theory added.
    pub lemmas: u64,
    /// Literals the theory implied.
    pub theory_propagations: u64,
    /// How often the theory was asked for a reason.
    pub explanations: u64,
    /// How often the theory was asked about a complete assignment.
    pub final_checks: u64,
    /// Reductions of the learnt clauses.
    pub reductions: u64,
    /// Simplifications at the root.
    pub simplifications: u64,
    /// Clauses deleted by either.
    pub deleted: u64,
    /// Steps in the proof log at present.
    pub proof_steps: u64,
    /// Learnt clauses and lemmas at present.
    pub kept: u64,
}

/// The solver.
///
/// Invariants: `clauses` and `learnts` list the attached clauses, `explained` the clauses that
/// theories gave as reasons, which nothing watches. `reported` literals of the trail are known to
/// the theory, if they are its. `assumed[k]` is the assumption that level `k + 1` belongs to.
#[derive(Debug)]
pub struct Solver {
    arena: Arena,
    clauses: Vec<ClauseRef>,
    learnts: Vec<ClauseRef>,
    explained: Vec<ClauseRef>,
    watches: Watches,
    trail: Trail,
    /// Clauses that imply literals late, and whether they have to be looked at.
    postponed: Vec<Postponed>,
    has_gone_back: bool,
    longest_way_back: u32,
    order: Order,
    restarts: Restarts,
    schedule: ReduceSchedule,
    analysis: Analysis,
    log: Option<Log>,
    consequences: Consequences,
    /// Variables of the theory.
    watched: IndexVec<Var, bool>,
    /// Literals of the root that became watched after their turn to be reported.
    late: Vec<Lit>,
    reported: usize,
    /// Whether the theory has to be asked for consequences again.
    theory_is_stale: bool,
    assumed: Vec<Lit>,
    failed: Vec<Lit>,
    /// Whether there is no model, whatever is assumed.
    refuted: bool,
    /// Literals of the root at the last simplification, propagations then, and literals of clauses
    /// added since.
    simplified_units: usize,
    simplified_at: u64,
    simplify_credit: usize,
    budget_checked_at: u64,
    stats: Stats,
}

impl Solver {
    /// A solver without variables and clauses.
    pub fn new(options: Options) -> Self {
        Self {
            arena: Arena::default(),
            clauses: Vec::new(),
            learnts: Vec::new(),
            explained: Vec::new(),
            watches: Watches::default(),
            trail: Trail::default(),
            postponed: Vec::new(),
            has_gone_back: false,
            longest_way_back: options.longest_way_back.unwrap_or(postpone::FAR),
            order: Order::new(options.seed),
            restarts: Restarts::new(),
            schedule: ReduceSchedule::new(),
            analysis: Analysis::default(),
            log: options.proofs.then(Log::new),
            consequences: Consequences::default(),
            watched: IndexVec::new(),
            late: Vec::new(),
            reported: 0,
            theory_is_stale: true,
            assumed: Vec::new(),
            failed: Vec::new(),
            refuted: false,
            simplified_units: 0,
            simplified_at: 0,
            simplify_credit: 0,
            budget_checked_at: 0,
            stats: Stats::default(),
        }
    }
    /// A fresh variable.
    pub fn new_var(&mut self) -> Var {
        self.watches.add_var();
        self.order.add_var();
        self.analysis.add_var();
        self.watched.push(false);
        if let Some(log) = &mut self.log {
            log.add_var();
        }
        self.trail.add_var()
    }
    /// How many variables there are.
    pub fn vars(&self) -> usize {
        self.trail.vars()
    }
    /// How many clauses of the owner are held; units and satisfied ones are not.
    pub fn clauses(&self) -> usize {
        self.clauses.len()
    }
    /// Says that `var` belongs to the theory, which is told its assignments from now on. Only at
    /// the root level; if the variable is assigned there already, the theory is told at the
    /// next `solve`, once more if it has been told before.
    pub fn watch(&mut self, var: Var) {
        assert!(self.trail.level() == 0, "variables are given to the theory at the root level");
        self.watched[var] = true;
        if !self.trail.is_assigned(var) {
            return;
        }
        let at = self.trail.position(var) as usize;
        if at < self.reported {
            self.late.push(self.trail.lits()[at]);
        }
    }
    /// Lets the search decide `var` (as it may by default), or leaves it to propagation. A model
    /// then need not assign it; the owner answers for it that some value fits.
    pub fn set_decision(&mut self, var: Var, on: bool) {
        self.order.set_eligible(var, on);
    }
    /// The value of a literal under the current assignment.
    #[inline]
    pub fn value(&self, lit: Lit) -> Option<bool> {
        self.trail.value(lit)
    }
    /// After `Unsat`: assumptions that are contradictory together; none if there is no model at
    /// all.
    pub fn failed(&self) -> &[Lit] {
        &self.failed
    }
    /// After `Unsat`, if proofs are on: a derivation of the clause `{¬a | a ∈ failed}`. Two
    /// complementary assumptions have none, for that clause is a tautology.
    pub fn refutation(&self) -> Option<Proof> {
        let log = self.log.as_ref()?;
        log.answer.map(|root| Proof::trimmed(&log.steps, root))
    }
    /// What happened so far.
    pub fn stats(&self) -> Stats {
        let proof_steps = self.log.as_ref().map_or(0, |log| log.steps.len() as u64);
        Stats { proof_steps, kept: self.learnts.len() as u64, ..self.stats }
    }
}
