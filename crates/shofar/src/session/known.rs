//! What a session has learned: models of its clauses without their queries.
//!
//! The clauses are told apart by a *state*: statements that are no queries lead to a new one, and
//! popping a scope leads back to the one in which it was opened. Models belong to states; two
//! models of one state are one together, since clauses with heads hold under the conjunction of two
//! models.
//!
//! Models are kept as bytes, because every question has a store of its own.

use shofar_base::{Budget, Instant, Statistics};
use shofar_chc::read::CommandRole;
use shofar_chc::serial::{export_model, import_model};
use shofar_chc::{ChcSystem, Definition, Hint, HintKind, Interpretation, Verdict};
use shofar_check::{Certified, validate_with};
use shofar_driver::{Settings, Solved, Times};
use shofar_smtlib::Command;
use shofar_term::size::dag_size;
use shofar_term::visit::postorder;
use shofar_term::{Cx, Kind, Term, TermStore};

use crate::{Model, Outcome, Problem, Report, Solver};

/// What answers by a known model are attributed to.
const KNOWN: &str = "known model";
/// Definitions of more terms are not joined with others.
const MOST_JOINED: usize = 400;
/// Conjuncts of more terms are no hints.
const LARGEST_HINT: usize = 40;
/// So many hints are given for one question.
const MOST_HINTS: usize = 64;
/// How often the budget may be asked while a known model is tried.
const EFFORT: u32 = 20_000;

/// The models that a session knows.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The present state of the clauses, and how many there have been.
    state: usize,
    states: usize,
    /// The states in which scopes were opened.
    scopes: Vec<usize>,
    /// The last model.
    last: Option<Remembered>,
}

#[derive(Debug)]
struct Remembered {
    state: usize,
    /// The names of the predicates, by whose places the model knows them.
    preds: Vec<String>,
    model: Vec<u8>,
}

/// The names of the predicates, in their order.
fn names(store: &TermStore, system: &ChcSystem) -> Vec<String> {
    system.preds().map(|pred| store.name(system.symbol(pred)).to_owned()).collect()
}

impl Known {
    /// Takes note of a statement. Queries are recognised later, so every assertion leads to a new
    /// state unless [`Known::stay`] says that it was none.
    pub(super) fn follow(&mut self, command: &Command) {
        if let Command::Push(count) = command {
            self.scopes.extend(std::iter::repeat_n(self.state, *count));
        } else if let Command::Pop(count) = command {
            let level = self.scopes.len().saturating_sub(*count);
            self.state = self.scopes.get(level).copied().unwrap_or(self.state);
            self.scopes.truncate(level);
        } else if CommandRole::of(command) == CommandRole::Statement {
            self.states += 1;
            self.state = self.states;
        }
    }
    /// The last statement was a query: the clauses with heads are as in `state`.
    pub(super) fn stay(&mut self, state: usize) {
        self.state = state;
    }
    /// The state of the clauses.
    pub(super) fn state(&self) -> usize {
        self.state
    }
    /// The answer to a question by the known model, if it is a model of this problem, too; else the
    /// problem comes back.
    #[expect(clippy::result_large_err, reason = "what is not answered is needed again")]
    pub(super) fn outcome(
        &self,
        mut problem: Problem,
        solver: &Solver,
    ) -> Result<Outcome, Problem> {
        let start = Instant::now();
        let Some(certified) = self.certified(&mut problem, &solver.settings(start), solver) else {
            return Err(problem);
        };
        let times = Times { validation: start.elapsed(), ..Times::default() };
        let Problem { store, horn, text, origin } = problem;
        let (level, statistics) = (None, Statistics::new());
        let solved = Solved { certified, store, engine: KNOWN, level, times, statistics };
        let mut report = Report { total: start.elapsed(), ..Report::default() };
        report.solved(&solved);
        Ok(Outcome::new(horn, text, origin, Ok(solved), report))
    }
    /// The known model, if the validator finds it to be one of the problem.
    fn certified(
        &self,
        problem: &mut Problem,
        settings: &Settings,
        solver: &Solver,
    ) -> Option<Certified> {
        let model = self.model(&mut problem.store, &problem.horn.system)?;
        let input = problem.input();
        let budget = Budget::with_handle(&solver.stop, settings.deadline);
        let part = budget.part(EFFORT);
        let mut cx = Cx::new(&mut problem.store, &part);
        validate_with(&mut cx, &input, Verdict::Safe(model), settings.rigour).ok()?.ok()
    }
    /// The known model of the present clauses.
    fn model(&self, store: &mut TermStore, system: &ChcSystem) -> Option<Interpretation> {
        let last = self.last.as_ref().filter(|last| last.state == self.state)?;
        import_model(store, system, &last.model).ok()
    }
    /// What the last model says of predicates of the problem, as hints.
    pub(super) fn hints(&self, store: &mut TermStore, system: &ChcSystem) -> Vec<Hint> {
        let Some(last) = &self.last else { return Vec::new() };
        // Predicates may have come or gone since.
        if !names(store, system).starts_with(&last.preds) {
            return Vec::new();
        }
        let Ok(model) = import_model(store, system, &last.model) else { return Vec::new() };
        let mut hints = Vec::new();
        for pred in system.preds() {
            let Some(Definition { params, body }) = model.get(pred) else { continue };
            for term in store.conjuncts(&[*body]) {
                if dag_size(store, &[term]) <= LARGEST_HINT && !is_quantified(store, term) {
                    let (params, kind) = (params.clone(), HintKind::Predicate);
                    hints.push(Hint { pred, params, term, kind });
                }
            }
        }
        hints.truncate(MOST_HINTS);
        hints
    }
    /// Remembers a model of the present clauses.
    pub(super) fn remember(&mut self, model: &mut Model) {
        let (store, system, interpretation) = model.parts();
        let before = self.last.as_ref().filter(|last| last.state == self.state);
        let before = before.and_then(|last| import_model(store, system, &last.model).ok());
        let joined = before.map_or_else(
            || interpretation.clone(),
            |before| joined(store, system, &before, interpretation),
        );
        let model = export_model(store, system, &joined);
        let preds = names(store, system);
        self.last = Some(Remembered { state: self.state, preds, model });
    }
}

/// The conjunction of two models of clauses with heads, where it is not large.
fn joined(
    store: &mut TermStore,
    system: &ChcSystem,
    before: &Interpretation,
    now: &Interpretation,
) -> Interpretation {
    let mut result = Interpretation::new();
    let mut is_large = false;
    for pred in system.preds() {
        let (Some(old), Some(new)) = (before.get(pred), now.get(pred)) else { return now.clone() };
        let args: Vec<Term> = new.params.iter().map(|&param| store.constant(param)).collect();
        let parts = [new.body, old.apply(store, &args)];
        let body = store.and(&parts);
        is_large |= dag_size(store, &[body]) > MOST_JOINED || is_quantified(store, body);
        result.define(pred, Definition { params: new.params.clone(), body });
    }
    if is_large { now.clone() } else { result }
}

fn is_quantified(store: &TermStore, term: Term) -> bool {
    postorder(store, &[term]).iter().any(|&term| matches!(store.kind(term), Kind::Quantified(..)))
}
