//! The largest part of a set of candidates that is inductive together with what is known.
//!
//! As long as a clause leads from points that all candidates allow to one that some of them
//! exclude, these are dropped, all that the model of the query falsifies at once. What is left is
//! the largest inductive part, whatever the order.
//!
//! A solver is kept for each clause; candidates are assumptions, what is known is asserted. Where a
//! query takes too long, all candidates of the head are dropped.

use std::collections::VecDeque;

use shofar_base::{GaveUp, IndexVec, Outcome, Set};
use shofar_chc::{Clause, ClauseId, Definition, NormalSystem, PredAtom, PredId};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::Evaluator;
use shofar_term::{Cx, Symbol, Term, TermStore};

use super::Formulas;

/// How often the budget may be asked in one query.
const EFFORT: u32 = 1_000;
/// A solver that has seen so many candidates is made anew.
const WORN: usize = 2_000;

/// See the module documentation.
pub(super) struct Filter<'s> {
    system: &'s NormalSystem,
    params: &'s IndexVec<PredId, Vec<Symbol>>,
    known: Formulas,
    is_known: Set<(PredId, Term)>,
    solvers: IndexVec<ClauseId, Option<(Solver, usize)>>,
}

impl<'s> Filter<'s> {
    /// Nothing is known.
    pub(super) fn new(system: &'s NormalSystem, params: &'s IndexVec<PredId, Vec<Symbol>>) -> Self {
        Self {
            system,
            params,
            known: system.preds().map(|_| Vec::new()).collect(),
            is_known: Set::default(),
            solvers: system.clauses().map(|_| None).collect(),
        }
    }
    /// What is known of each predicate.
    pub(super) fn known(&self) -> &Formulas {
        &self.known
    }
    /// Drops candidates that are known.
    pub(super) fn forget_known(&self, candidates: &mut Formulas) {
        for pred in self.system.preds() {
            candidates[pred].retain(|&formula| !self.is_known.contains(&(pred, formula)));
        }
    }
    /// Takes in a formula that is inductive together with what is known; whether it is new.
    pub(super) fn believe(&mut self, store: &mut TermStore, pred: PredId, formula: Term) -> bool {
        let is_new = self.is_known.insert((pred, formula));
        if is_new {
            self.known[pred].push(formula);
            for (id, clause) in self.system.clauses() {
                let Some((solver, _)) = &mut self.solvers[id] else { continue };
                for atom in clause.body.iter().filter(|atom| atom.pred == pred) {
                    let said = said(store, &self.params[pred], formula, &atom.args);
                    solver.add(store, said);
                }
            }
        }
        is_new
    }
    /// Takes in formulas that are inductive together with what is known; returns those that do not
    /// follow from the others.
    pub(super) fn learn(&mut self, cx: &mut Cx<'_>, inductive: &Formulas) -> Outcome<Formulas> {
        let mut new: Formulas = self.system.preds().map(|_| Vec::new()).collect();
        for pred in self.system.preds() {
            let mut solver = Solver::new(Options::default());
            for &formula in &self.known[pred] {
                solver.add(cx.store, formula);
            }
            // What was proposed last is the simplest.
            for &formula in inductive[pred].iter().rev() {
                let denied = cx.store.not(formula);
                let part = cx.budget.part(EFFORT);
                let follows = match solver.check_assuming(&mut cx.limited(&part), &[denied]) {
                    Ok(Answer::Unsat(_)) => true,
                    Ok(Answer::Sat(_)) | Err(GaveUp::Incomplete(_)) => false,
                    Err(why) => return Err(why),
                };
                if !follows {
                    solver.add(cx.store, formula);
                    new[pred].push(formula);
                }
            }
        }
        for pred in self.system.preds() {
            for &formula in &new[pred] {
                self.believe(cx.store, pred, formula);
            }
            // The others follow, and need not be proposed again.
            self.is_known.extend(inductive[pred].iter().map(|&formula| (pred, formula)));
        }
        Ok(new)
    }
    /// Drops candidates until the rest is inductive together with what is known.
    pub(super) fn largest_inductive_part(
        &mut self,
        cx: &mut Cx<'_>,
        candidates: &mut Formulas,
    ) -> Outcome<()> {
        let system = self.system;
        let mut open: VecDeque<ClauseId> = system.clauses().map(|(id, _)| id).collect();
        while let Some(id) = open.pop_front() {
            let clause = system.clause(id);
            let Some(head) = &clause.head else { continue };
            if !self.weaken(cx, id, clause, head, candidates)? {
                continue;
            }
            for (other, clause) in system.clauses() {
                let is_affected = clause.body.iter().any(|atom| atom.pred == head.pred);
                if is_affected && !open.contains(&other) {
                    open.push_back(other);
                }
            }
        }
        Ok(())
    }
    /// Drops the candidates of the head that a clause does not preserve; whether there were any.
    fn weaken(
        &mut self,
        cx: &mut Cx<'_>,
        id: ClauseId,
        clause: &Clause,
        head: &PredAtom,
        candidates: &mut Formulas,
    ) -> Outcome<bool> {
        let before = candidates[head.pred].len();
        let params = &self.params[head.pred];
        let mut claims: Vec<Term> = Vec::new();
        for &formula in &candidates[head.pred] {
            claims.push(said(cx.store, params, formula, &head.args));
        }
        while !claims.is_empty() {
            let mut assumptions = self.of_body(cx.store, clause, candidates);
            let all = cx.store.and(&claims);
            assumptions.push(cx.store.not(all));
            let solver = self.solver(cx.store, id, assumptions.len());
            let part = cx.budget.part(EFFORT);
            let model = match solver.check_assuming(&mut cx.limited(&part), &assumptions) {
                Ok(Answer::Unsat(_)) => break,
                Ok(Answer::Sat(model)) => model.assignment(cx.store),
                Err(GaveUp::Incomplete(_)) => {
                    // Whether they are preserved is not worth the time.
                    self.solvers[id] = None;
                    candidates[head.pred].clear();
                    break;
                }
                Err(why) => return Err(why),
            };
            let mut evaluator = Evaluator::with_defaults(&model);
            let is_kept: Vec<bool> =
                claims.iter().map(|&claim| evaluator.holds(cx.store, claim) == Ok(true)).collect();
            let mut kept = is_kept.iter();
            candidates[head.pred].retain(|_| kept.next().copied().unwrap_or(true));
            let mut kept = is_kept.iter();
            claims.retain(|_| kept.next().copied().unwrap_or(true));
            if is_kept.iter().all(|&kept| kept) {
                // The model leaves something open on which the claims depend.
                candidates[head.pred].clear();
                claims.clear();
            }
        }
        Ok(candidates[head.pred].len() < before)
    }
    /// Whether no query fires from what is known.
    pub(super) fn excludes_queries(&mut self, cx: &mut Cx<'_>) -> Outcome<bool> {
        let system = self.system;
        for (id, _) in system.clauses().filter(|(_, clause)| clause.is_query()) {
            let part = cx.budget.part(EFFORT);
            match self.solver(cx.store, id, 1).check(&mut cx.limited(&part)) {
                Ok(Answer::Unsat(_)) => {}
                Ok(Answer::Sat(_)) | Err(GaveUp::Incomplete(_)) => return Ok(false),
                Err(why) => return Err(why),
            }
        }
        Ok(true)
    }
    /// What the candidates say of the body of a clause.
    fn of_body(&self, store: &mut TermStore, clause: &Clause, candidates: &Formulas) -> Vec<Term> {
        let mut said_of_body = Vec::new();
        for atom in &clause.body {
            for &formula in &candidates[atom.pred] {
                said_of_body.push(said(store, &self.params[atom.pred], formula, &atom.args));
            }
        }
        said_of_body
    }
    /// The solver of a clause, which is going to see so many candidates: its constraint, and what
    /// is known of its body.
    fn solver(&mut self, store: &mut TermStore, id: ClauseId, seen: usize) -> &mut Solver {
        let clause = self.system.clause(id);
        let (params, known) = (self.params, &self.known);
        let slot = &mut self.solvers[id];
        if slot.as_ref().is_some_and(|(_, worn)| *worn > WORN) {
            *slot = None;
        }
        let (solver, worn) = slot.get_or_insert_with(|| {
            let mut solver = Solver::new(Options::default());
            solver.add(store, clause.constraint);
            for atom in &clause.body {
                for &formula in &known[atom.pred] {
                    let said = said(store, &params[atom.pred], formula, &atom.args);
                    solver.add(store, said);
                }
            }
            (solver, 0)
        });
        *worn += seen;
        solver
    }
}

/// What a formula over `params` says of `args`.
fn said(store: &mut TermStore, params: &[Symbol], body: Term, args: &[Term]) -> Term {
    Definition { params: params.to_vec(), body }.apply(store, args)
}
