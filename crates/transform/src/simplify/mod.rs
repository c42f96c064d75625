//! Simpler constraints.
//!
//! Four rules take turns on the conjuncts of a constraint until none of them finds anything:
//! equations between data are solved ([`unification`]), unit facts are used in the other conjuncts
//! ([`units`]), equations define variables away that are not arguments ([`equations`]), and bounds
//! of such a variable are replaced by what they say about each other ([`bounds`]). In the
//! end the last few such variables are eliminated in full where that is cheap ([`residue`]). Each
//! rule keeps the constraint equivalent once the variables that are not arguments are read as
//! existential, so predicates keep their meaning. Clauses whose constraint is contradictory are
//! dropped, also when only a small query shows it.

mod bounds;
mod equations;
mod residue;
mod unification;
mod units;

use shofar_base::{GaveUp, IndexVec, Outcome, Set};
use shofar_chc::{ChcSystem, Clause, ClauseId, Translated};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::size::dag_size;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Symbol, Term, TermStore};

use crate::Pass;
use crate::back::{Origin, WayBack, unchanged};
use crate::template::Template;

/// How often the rules take turns at most.
const ROUNDS: usize = 64;
/// Substitutions may make constraints twice as large, and larger by this many subterms.
const GROWTH: usize = 100;

/// Simplifies constraints; see the module documentation.
#[derive(Clone, Copy, Debug)]
pub struct Simplify {
    /// Constraints with more subterms are not checked by a query.
    pub check_size: usize,
    /// So many subterms are checked by queries in all.
    pub check_total: usize,
    /// From so many subterms in all the last variables are eliminated in full.
    pub eliminate_total: usize,
}

impl Default for Simplify {
    fn default() -> Self {
        Self { check_size: 400, check_total: 60_000, eliminate_total: 20_000 }
    }
}

impl Pass for Simplify {
    fn name(&self) -> &'static str {
        "simplify"
    }
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        let (mut quota, mut eliminate) = (self.check_total, self.eliminate_total);
        let mut clauses: Vec<Clause> = Vec::with_capacity(source.clause_count());
        let mut origins: IndexVec<ClauseId, Origin> = IndexVec::new();
        let mut changed = false;
        for (id, clause) in source.clauses() {
            cx.budget.check()?;
            let Some((constraint, completion)) = simplified(cx, clause, &mut eliminate)? else {
                changed = true;
                continue;
            };
            if self.is_contradictory(cx, constraint, &mut quota)? {
                changed = true;
                continue;
            }
            if constraint == clause.constraint {
                origins.push(Origin::Same(id));
            } else {
                changed = true;
                let mut template = Template::of(cx.store, &source, id);
                template.completion = completion;
                let head = clause.head.as_ref().map_or_else(Vec::new, |head| head.args.clone());
                origins.push(Origin::Made { head, templates: vec![template] });
            }
            clauses.push(Clause { constraint, ..clause.clone() });
        }
        if !changed {
            return Ok(unchanged(source));
        }
        let target = source.with_clauses(clauses);
        Ok((target, Box::new(WayBack::of_clauses(cx.store, source, origins))))
    }
}

impl Simplify {
    /// Whether a query says that `constraint` is unsatisfiable; large constraints are not asked
    /// about.
    fn is_contradictory(
        &self,
        cx: &mut Cx<'_>,
        constraint: Term,
        quota: &mut usize,
    ) -> Outcome<bool> {
        let size = dag_size(cx.store, &[constraint]);
        if size <= 2 || size > self.check_size || size > *quota {
            return Ok(false);
        }
        *quota -= size;
        let options = Options { integer_splits: Some(20), ..Options::default() };
        let mut solver = Solver::new(options);
        solver.add(cx.store, constraint);
        match solver.check(cx) {
            Ok(Answer::Unsat(_)) => Ok(true),
            Ok(Answer::Sat(_)) | Err(GaveUp::Incomplete(_) | GaveUp::Unsupported(_)) => Ok(false),
            Err(why) => Err(why),
        }
    }
}

/// Conjuncts on their way to a simpler form.
pub(crate) struct Draft {
    /// The conjuncts; none of them is `true` or a conjunction.
    pub(crate) parts: Vec<Term>,
    /// Variables that must stay.
    pub(crate) arguments: Set<Symbol>,
    /// What eliminated variables were, the first one eliminated first.
    pub(crate) eliminated: Vec<(Symbol, Term)>,
    /// Substitutions may not make the conjuncts larger than this.
    limit: usize,
}

impl Draft {
    pub(crate) fn new(store: &TermStore, parts: Vec<Term>, arguments: &[Term]) -> Self {
        let arguments = free_symbols(store, arguments).into_iter().collect();
        let limit = 2 * dag_size(store, &parts) + GROWTH;
        Self { parts, arguments, eliminated: Vec::new(), limit }
    }
    /// Replaces the conjuncts; false if they contradict each other.
    fn set(&mut self, store: &TermStore, parts: &[Term]) -> bool {
        self.parts = store.conjuncts(parts);
        !self.parts.contains(&store.bottom())
    }
    /// Applies the rules until nothing changes; false if the conjuncts are found contradictory.
    pub(crate) fn simplify(&mut self, cx: &mut Cx<'_>) -> Outcome<bool> {
        let parts = std::mem::take(&mut self.parts);
        if !self.set(cx.store, &parts) {
            return Ok(false);
        }
        for _ in 0..ROUNDS {
            cx.budget.check()?;
            let before = (self.parts.clone(), self.eliminated.len());
            if !unification::unify(cx.store, self)
                || !units::propagate(cx.store, self)
                || !equations::eliminate(cx.store, self)
                || !bounds::eliminate(cx, self)?
            {
                return Ok(false);
            }
            if (&before.0, before.1) == (&self.parts, self.eliminated.len()) {
                break;
            }
        }
        Ok(true)
    }
    /// The values of eliminated variables, those that others need first.
    pub(crate) fn completion(self) -> Vec<(Symbol, Term)> {
        self.eliminated.into_iter().rev().collect()
    }
}

/// A constraint and the values of the variables that it lost.
type Simplified = (Term, Vec<(Symbol, Term)>);

/// The simpler constraint of `clause`; nothing if it is contradictory.
fn simplified(cx: &mut Cx<'_>, clause: &Clause, quota: &mut usize) -> Outcome<Option<Simplified>> {
    let arguments: Vec<Term> =
        clause.body.iter().chain(&clause.head).flat_map(|a| a.args.iter().copied()).collect();
    let parts = cx.store.conjuncts(&[clause.constraint]);
    let mut draft = Draft::new(cx.store, parts, &arguments);
    if !draft.simplify(cx)? || !residue::eliminate(cx, &mut draft, quota)? {
        return Ok(None);
    }
    let constraint = cx.store.and(&draft.parts);
    let contradictory = constraint == cx.store.bottom();
    Ok((!contradictory).then(|| (constraint, draft.completion())))
}
