//! What may be part of an invariant.
//!
//! | candidates | where they come from |
//! |---|---|
//! | atoms and their negations | the constraints of clauses, if they are about the arguments of one atom |
//! | equations, bounds, remainders | what holds of all known points; bounds also moved to the next number of the clauses |
//! | the same behind a guard | what holds of the points where a random atom does, and where it does not |
//! | what others say | other engines |
//! | `false` | no point is known |
//!
//! Only those are proposed that hold of all known points.

use shofar_base::{IndexVec, Outcome, Rng, Set};
use shofar_chc::{NormalSystem, PredId};
use shofar_num::Rational;
use shofar_term::eval::{Evaluator, Value};
use shofar_term::substitute::rename;
use shofar_term::{Cx, Sort, Symbol, Term, TermStore};

use super::Formulas;
use super::points::{Explorer, Point};
use crate::atoms::atoms;
use crate::hull::{claims, constant_forms, thresholds};

/// So many atoms of the clauses are kept for a predicate.
const MOST_ATOMS: usize = 200;
/// So many that others have said are kept for a predicate, the newest ones.
const MOST_HEARD: usize = 100;
/// So many claims about points are proposed at a time, the simplest ones.
const MOST_CLAIMS: usize = 60;
/// Of more arguments so many are chosen at random in each round, and claims are about these.
const MOST_ARGUMENTS: usize = 12;
/// So many guards are tried in a round.
const GUARDS: usize = 2;

/// What may be inductive.
pub(super) struct Proposed {
    /// What points and clauses suggest, without guards.
    pub(super) simple: Formulas,
    /// The same, with what they suggest behind guards, and with what others say.
    pub(super) others: Formulas,
}

/// See the module documentation.
pub(super) struct Candidates<'s> {
    params: &'s IndexVec<PredId, Vec<Symbol>>,
    sorts: IndexVec<PredId, Vec<Sort>>,
    atoms: Formulas,
    heard: Formulas,
    seen: Set<(PredId, Term)>,
    numbers: Vec<Rational>,
}

impl<'s> Candidates<'s> {
    /// Those of the clauses.
    pub(super) fn new(
        store: &mut TermStore,
        system: &NormalSystem,
        params: &'s IndexVec<PredId, Vec<Symbol>>,
    ) -> Self {
        let nothing = || -> Formulas { system.preds().map(|_| Vec::new()).collect() };
        let mut this = Self {
            params,
            sorts: system.preds().map(|pred| system.sorts(store, pred).to_vec()).collect(),
            atoms: nothing(),
            heard: nothing(),
            seen: Set::default(),
            numbers: thresholds(store, system),
        };
        for (id, clause) in system.clauses() {
            for place in system.atoms(id) {
                let args = place.args.iter().copied().collect();
                for atom in atoms(store, &[clause.constraint], &args) {
                    this.add_atom(store, place.pred, &place.args, atom);
                }
            }
        }
        this
    }
    /// An atom about `args`, and its negation.
    fn add_atom(&mut self, store: &mut TermStore, pred: PredId, args: &[Symbol], atom: Term) {
        if self.atoms[pred].len() >= MOST_ATOMS {
            return;
        }
        let own = rename(store, atom, args, &self.params[pred]);
        let denied = store.not(own);
        for formula in [own, denied] {
            if self.seen.insert((pred, formula)) {
                self.atoms[pred].push(formula);
            }
        }
    }
    /// Takes in what others say; whether it is new.
    pub(super) fn hear(&mut self, pred: PredId, formula: Term) -> bool {
        let is_new = self.seen.insert((pred, formula));
        if is_new {
            self.heard[pred].push(formula);
            let old = self.heard[pred].len().saturating_sub(MOST_HEARD);
            self.heard[pred].drain(..old);
        }
        is_new
    }
    /// Candidates, each of which holds of all known points; the simplest come last.
    pub(super) fn propose(
        &mut self,
        cx: &mut Cx<'_>,
        rng: &mut Rng,
        explorer: &Explorer<'_>,
    ) -> Outcome<Proposed> {
        let nothing = || -> Formulas { self.params.handles().map(|_| Vec::new()).collect() };
        let (mut simple, mut others) = (nothing(), nothing());
        for pred in self.params.handles() {
            cx.budget.check()?;
            for formulas in [&mut self.atoms[pred], &mut self.heard[pred]] {
                formulas.retain(|&formula| explorer.allow(cx.store, pred, formula));
            }
            let points: Vec<&Point> = explorer.of(pred).iter().collect();
            let columns = self.columns(rng, pred);
            let (mut found, mut further) = (Vec::new(), Vec::new());
            if points.is_empty() {
                found.push(cx.store.bottom());
            } else {
                self.claims(cx.store, pred, &columns, &points, &mut found);
                for _ in 0..GUARDS {
                    self.behind_guard(cx.store, rng, pred, &columns, &points, &mut further);
                }
            }
            found.extend(&self.atoms[pred]);
            further.extend(&self.heard[pred]);
            let mut seen = Set::default();
            for formulas in [&mut found, &mut further] {
                formulas.retain(|&formula| {
                    seen.insert(formula) && explorer.allow(cx.store, pred, formula)
                });
            }
            further.extend(&found);
            (simple[pred], others[pred]) = (found, further);
        }
        Ok(Proposed { simple, others })
    }
    /// The arguments that claims are about in this round, in order.
    fn columns(&self, rng: &mut Rng, pred: PredId) -> Vec<usize> {
        let mut columns: Vec<usize> = (0..self.sorts[pred].len()).collect();
        while columns.len() > MOST_ARGUMENTS {
            columns.remove(rng.below(columns.len()));
        }
        columns
    }
    /// What holds of all `points`, at least one, and bounds beyond them.
    fn claims(
        &self,
        store: &mut TermStore,
        pred: PredId,
        columns: &[usize],
        points: &[&Point],
        found: &mut Vec<Term>,
    ) {
        let params = &self.params[pred];
        let args: Vec<Term> = columns.iter().map(|&at| store.constant(params[at])).collect();
        let sorts: Vec<Sort> = columns.iter().map(|&at| self.sorts[pred][at]).collect();
        let values = |point: &&Point| columns.iter().map(|&at| point.values[at].clone()).collect();
        let values: Vec<Vec<Value>> = points.iter().map(values).collect();
        let forms = constant_forms(&sorts, &values[values.len() / 2..]);
        let all = claims(&sorts, &values, &forms);
        for claim in &all[all.len().saturating_sub(MOST_CLAIMS)..] {
            if let Some(weaker) = claim.moved_to(&self.numbers) {
                found.push(weaker.term(store, &args));
            }
            found.push(claim.term(store, &args));
        }
    }
    /// What holds of the points where a random atom does, and of the others. Equations among it are
    /// kept, since the two sides of several guards may be inductive only together.
    fn behind_guard(
        &mut self,
        store: &mut TermStore,
        rng: &mut Rng,
        pred: PredId,
        columns: &[usize],
        points: &[&Point],
        found: &mut Vec<Term>,
    ) {
        let Some(guard) = self.guard(store, rng, pred) else { return };
        let is_behind =
            |p: &&&Point| Evaluator::with_defaults(&p.model).holds(store, guard) == Ok(true);
        let (there, elsewhere): (Vec<&Point>, Vec<&Point>) =
            points.iter().copied().partition(|p| is_behind(&p));
        let denied = store.not(guard);
        for (guard, points) in [(guard, there), (denied, elsewhere)] {
            let mut behind = Vec::new();
            if points.is_empty() {
                behind.push(store.bottom());
            } else {
                self.claims(store, pred, columns, &points, &mut behind);
            }
            for claim in behind {
                let guarded = store.implies(guard, claim);
                if store.equation_bounds(claim).is_some() {
                    self.hear(pred, guarded);
                }
                found.push(guarded);
            }
        }
    }
    /// An atom about two arguments, or one of the clauses.
    fn guard(&self, store: &mut TermStore, rng: &mut Rng, pred: PredId) -> Option<Term> {
        let (params, sorts) = (&self.params[pred], &self.sorts[pred]);
        if !self.atoms[pred].is_empty() && rng.chance(50) {
            return Some(*rng.pick(&self.atoms[pred]));
        }
        if params.is_empty() {
            return None;
        }
        let at = rng.below(params.len());
        let (x, sort) = (store.constant(params[at]), sorts[at]);
        if sort.is_bool() {
            return Some(if rng.chance(50) { x } else { store.not(x) });
        }
        if !sort.is_arithmetic() {
            return None;
        }
        let other = rng.below(params.len());
        let y = if other != at && sorts[other] == sort && rng.chance(50) {
            store.constant(params[other])
        } else {
            let number = rng.pick(&self.numbers).clone();
            store.number(if sort.is_int() { number.floor() } else { number }, sort)
        };
        Some(if rng.chance(50) { store.le(x, y) } else { store.lt(y, x) })
    }
}
