//! Recurrent sets of several locations, through safety.
//!
//! Everything that the transitions of a component leave open is chosen, which leaves a
//! deterministic choice between them. If a run that begins in certain states of a location never
//! comes to a state in which no transition of the component is possible, the invariants that show
//! this are recurrent sets. An execution to such a state says which beginnings to exclude: those
//! that follow the same path.
//! ```text
//! p(x) ← C(x)         q(next_t(x)) ← p(x) ∧ guard_t(x)         false ← p(x) ∧ ¬⋁ guard_t(x)
//! ```
//! Source: [CCFNO14] §3, precondition and choice as under-approximations that safety queries
//! refine. DIVERGENCE [CCFNO14]: choices are not refined, and the component is not reached by its
//! stem but by any execution.

use shofar_base::{Idx, Map, Outcome};
use shofar_chc::{Clause, Derivation, Interpretation, PredAtom, PredId, formal_params};
use shofar_smt::{Options, implies};
use shofar_term::eval::Model;
use shofar_term::substitute::substitute;
use shofar_term::{Cx, Symbol, Term, TermStore};
use shofar_theory::implicant::implicant;

use super::choice::chosen;
use super::path::Path;
use super::search::reached_set;
use super::{DivergenceProof, Recurrence};
use crate::program::{Program, Transition};
use crate::safety::{Reached, Safety};
use crate::validate::check_recurrence;

/// So often beginnings are excluded.
const MOST_EXCLUSIONS: usize = 6;
/// In so many locations runs are tried to begin.
const MOST_BEGINNINGS: usize = 3;

/// A run that does not end, in a component with these transitions.
pub(crate) fn search(
    cx: &mut Cx<'_>,
    program: &Program,
    transitions: &[Transition],
    invariants: &Interpretation,
    safety: &mut Safety,
) -> Outcome<Option<DivergenceProof>> {
    let mut moves = Vec::new();
    for transition in transitions {
        let path = Path::of(cx.store, program.system(), &[transition.clause]);
        let Some(path) = path else { continue };
        moves.extend(chosen(cx, program, &path)?.into_iter().next());
    }
    let mut beginnings: Vec<PredId> =
        transitions.iter().map(|transition| transition.from).collect();
    beginnings.sort_unstable();
    beginnings.dedup();
    for &begin in beginnings.iter().take(MOST_BEGINNINGS) {
        let restricted = Restricted { program, moves: &moves, begin };
        if let Some(recurrence) = restricted.closed(cx, invariants, safety)?
            && let Some(proof) = reached_set(cx, program, recurrence, safety)?
        {
            return Ok(Some(proof));
        }
    }
    Ok(None)
}

/// The program that begins in a location and makes moves only.
struct Restricted<'r> {
    program: &'r Program,
    moves: &'r [Path],
    begin: PredId,
}

impl Restricted<'_> {
    fn params(&self, store: &mut TermStore, pred: PredId) -> Vec<Symbol> {
        formal_params(store, self.program.system(), pred)
    }
    fn state(&self, store: &mut TermStore, pred: PredId) -> PredAtom {
        let params = self.params(store, pred);
        PredAtom { pred, args: params.iter().map(|&param| store.constant(param)).collect() }
    }
    /// That no move is possible in a location.
    fn stuck(&self, store: &mut TermStore, pred: PredId) -> Term {
        let own = self.moves.iter().filter(|path| path.from == pred);
        let guards: Vec<Term> = own.map(|path| path.condition(store)).collect();
        let any = store.or(&guards);
        store.not(any)
    }
    /// Recurrent sets from some beginnings, if they are found.
    fn closed(
        &self,
        cx: &mut Cx<'_>,
        invariants: &Interpretation,
        safety: &mut Safety,
    ) -> Outcome<Option<Recurrence>> {
        let mut locations: Vec<PredId> =
            self.moves.iter().flat_map(|path| [path.from, path.to]).collect();
        locations.sort_unstable();
        locations.dedup();
        let begin = self.state(cx.store, self.begin);
        let stuck = self.stuck(cx.store, self.begin);
        let known = invariants.get(self.begin);
        let known = known.map_or(cx.store.top(), |known| known.apply(cx.store, &begin.args));
        let goes_on = cx.store.not(stuck);
        let mut allowed = cx.store.and(&[known, goes_on]);
        let queries: Vec<Clause> = locations
            .iter()
            .map(|&pred| {
                let (body, constraint) =
                    (vec![self.state(cx.store, pred)], self.stuck(cx.store, pred));
                Clause { head: None, body, constraint, span: None }
            })
            .collect();
        for _ in 0..MOST_EXCLUSIONS {
            let bottom = cx.store.bottom();
            if implies(cx, Options::default(), &[allowed], bottom)? {
                return Ok(None);
            }
            let restricted = self.clauses(cx, allowed)?;
            match safety.ask(cx, &restricted, queries.clone())? {
                Reached::Unknown => return Ok(None),
                Reached::Never(sets) => return self.recurrence(cx, &locations, &sets),
                Reached::ByExecution(execution, _) => {
                    let excluded = self.precondition(cx, &execution);
                    let others = cx.store.not(excluded);
                    allowed = cx.store.and(&[allowed, others]);
                }
            }
        }
        Ok(None)
    }
    /// The clauses; the fact comes first, the moves follow in their order.
    fn clauses(&self, cx: &mut Cx<'_>, allowed: Term) -> Outcome<Program> {
        let head = Some(self.state(cx.store, self.begin));
        let mut clauses = vec![Clause { head, body: Vec::new(), constraint: allowed, span: None }];
        for path in self.moves {
            let head = Some(PredAtom { pred: path.to, args: path.state.clone() });
            let body = vec![self.state(cx.store, path.from)];
            let constraint = path.condition(cx.store);
            clauses.push(Clause { head, body, constraint, span: None });
        }
        Program::new(cx.store, &self.program.system().with_clauses(clauses))
    }
    /// The beginnings from which a run follows the path of an execution and is stuck at its end, as
    /// the literals of this one.
    fn precondition(&self, cx: &mut Cx<'_>, execution: &Derivation) -> Term {
        let store = &mut *cx.store;
        let mut state = self.state(store, self.begin).args;
        let (mut location, mut parts) = (self.begin, Vec::new());
        let (first, last) = (0, execution.steps.len() - 1);
        for step in &execution.steps[first + 1..last] {
            let path = &self.moves[step.clause.index() - 1];
            let params = self.params(store, location);
            let map: Map<Term, Term> = params
                .iter()
                .zip(&state)
                .map(|(&param, &value)| (store.constant(param), value))
                .collect();
            parts.extend(substitute(store, &map, &path.guard));
            state = substitute(store, &map, &path.state);
            location = path.to;
        }
        let params = self.params(store, location);
        let map: Map<Term, Term> = params
            .iter()
            .zip(&state)
            .map(|(&param, &value)| (store.constant(param), value))
            .collect();
        let stuck = self.stuck(store, location);
        parts.extend(substitute(store, &map, &[stuck]));
        let whole = store.and(&parts);
        let model: &Model = &execution.steps[first].assignment;
        let literals = implicant(store, whole, model);
        store.and(&literals)
    }
    /// The invariants of the restricted program as recurrent sets.
    fn recurrence(
        &self,
        cx: &mut Cx<'_>,
        locations: &[PredId],
        sets: &Interpretation,
    ) -> Outcome<Option<Recurrence>> {
        let mut found = Vec::new();
        // The location in which runs begin comes first: it is the one that has to be reached.
        let others = locations.iter().copied().filter(|&pred| pred != self.begin);
        for pred in std::iter::once(self.begin).chain(others) {
            let args = self.state(cx.store, pred).args;
            let set = sets.get(pred).map(|set| set.apply(cx.store, &args));
            found.extend(set.map(|set| (pred, set)));
        }
        let moves = self.moves.iter().filter_map(Path::to_move).collect();
        let recurrence = Recurrence { sets: found, moves };
        let is_right = check_recurrence(cx, self.program, &recurrence)?.is_ok();
        Ok(is_right.then_some(recurrence))
    }
}
