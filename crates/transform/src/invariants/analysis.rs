//! Several domains one after the other.
//!
//! What a domain finds about a predicate is assumed wherever the predicate is used, so the next
//! domain starts from it: a reduced product by rounds. Invariant: all that was found is inductive
//! together, since each part is inductive where the parts before it are assumed.

use shofar_base::{IndexVec, Outcome};
use shofar_chc::{ChcSystem, NormalSystem, PredId, Translated};
use shofar_domain::{
    Congruences, Constraint, Domain, Equalities, Intervals, Octagon, Premise, Relation,
};
use shofar_num::Rational;
use shofar_term::Cx;

use crate::back::unchanged;
use crate::invariants::cubes::AbstractClause;
use crate::invariants::fixpoint::{AbstractSystem, fixpoint};
use crate::normalize::on_normal;

/// No more thresholds are used for widening, and of these the smallest.
const MOST_THRESHOLDS: usize = 24;

/// How much work an analysis may be. Limits are on steps, so they are the same in every run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Systems with more literals and variables in their clauses are not looked at.
    pub(super) largest: usize,
    /// So many of them are looked at in all.
    pub(super) effort: usize,
    /// Each of them is looked at so often, on an average, if that is limited as well.
    pub(super) looks: Option<usize>,
    /// So many literals are looked at to distribute disjunctions.
    pub(super) expansion: usize,
    /// Whether it ends when all queries are contradicted.
    pub(super) until_safe: bool,
}

/// A domain to look at the clauses with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lens {
    Intervals,
    Equalities,
    Octagons,
    Congruences,
}

/// What is known of a predicate; nothing if it is not derivable.
pub(super) type Known = IndexVec<PredId, Option<Vec<Constraint>>>;

/// What was found, and the clauses with it.
pub(super) struct Analysis<'s> {
    pub(super) clauses: AbstractSystem<'s>,
    pub(super) known: Known,
    /// How much may still be looked at.
    effort: usize,
}

/// Applies `pass` to the normal form of `source`, given what the domains find about it. The clauses
/// stay as they are if there are too many, or if `pass` makes nothing of what was found.
pub(super) fn on_analysed(
    cx: &mut Cx<'_>,
    source: ChcSystem,
    lenses: &[Lens],
    limits: Limits,
    pass: impl FnOnce(
        &mut Cx<'_>,
        &NormalSystem,
        &Analysis<'_>,
    ) -> Outcome<Option<Translated<ChcSystem, ChcSystem>>>,
) -> Outcome<Translated<ChcSystem, ChcSystem>> {
    on_normal(cx, source, |cx, source| {
        let made = match Analysis::run(cx, &source, lenses, limits)? {
            Some(found) => pass(cx, &source, &found)?,
            None => None,
        };
        Ok(made.unwrap_or_else(|| unchanged(source.into_clauses())))
    })
}

impl<'s> Analysis<'s> {
    /// Looks at the clauses of `system`, whose arguments are distinct variables; nothing if there
    /// are too many.
    pub(super) fn run(
        cx: &mut Cx<'_>,
        system: &'s ChcSystem,
        lenses: &[Lens],
        limits: Limits,
    ) -> Outcome<Option<Self>> {
        let (mut clauses, mut size, mut expansion) = (IndexVec::new(), 0, limits.expansion);
        for (_, clause) in system.clauses() {
            cx.budget.check()?;
            let clause = AbstractClause::new(cx.store, clause, &mut expansion);
            size += clause.size();
            if size > limits.largest {
                return Ok(None);
            }
            clauses.push(clause);
        }
        let thresholds = thresholds(&clauses);
        let known = system.preds().map(|_| Some(Vec::new())).collect();
        let clauses = AbstractSystem { system, clauses, thresholds };
        let looks = limits.looks.map(|looks| size.saturating_mul(looks));
        let effort = looks.map_or(limits.effort, |looks| limits.effort.min(looks));
        let mut this = Self { clauses, known, effort };
        let mut news = true;
        for (at, lens) in lenses.iter().enumerate() {
            if limits.until_safe && this.is_safe() {
                break;
            }
            // A second look needs something to look at.
            if lenses[..at].contains(lens) && !news {
                continue;
            }
            news = match lens {
                Lens::Intervals => this.look::<Intervals>(cx)?,
                Lens::Equalities => this.look::<Equalities>(cx)?,
                Lens::Octagons => this.look::<Octagon>(cx)?,
                Lens::Congruences => this.look::<Congruences>(cx)?,
            };
        }
        Ok(Some(this))
    }
    /// Whether what is known contradicts all queries.
    fn is_safe(&self) -> bool {
        self.clauses.clauses.iter().all(|clause| clause.head.is_some() || clause.cubes.is_empty())
    }
    /// Looks for what a domain has to say; whether that is new.
    fn look<D: Domain>(&mut self, cx: &mut Cx<'_>) -> Outcome<bool> {
        let Some(values) = fixpoint::<D>(cx, &self.clauses, &mut self.effort)? else {
            return Ok(false);
        };
        let mut fresh: IndexVec<PredId, Vec<Constraint>> =
            self.known.iter().map(|_| Vec::new()).collect();
        let mut news = false;
        for pred in self.clauses.system.preds() {
            let Some(known) = &mut self.known[pred] else { continue };
            let Some(value) = &values[pred] else {
                self.known[pred] = None;
                news = true;
                continue;
            };
            for constraint in value.constraints() {
                if add(known, &constraint) {
                    fresh[pred].push(constraint);
                    news = true;
                }
            }
        }
        for clause in &mut self.clauses.clauses {
            cx.budget.check()?;
            let body = clause.body.clone();
            let mut premises: Option<Vec<Premise<'_, D>>> = Some(Vec::new());
            for (pred, dims) in &body {
                match (&mut premises, &values[*pred]) {
                    (Some(premises), Some(value)) => premises.push((value, dims)),
                    (premises, _) => *premises = None,
                }
            }
            match premises {
                Some(premises) => clause.prune(&premises),
                None => clause.cubes.clear(),
            }
            for (pred, dims) in &body {
                if !fresh[*pred].is_empty() {
                    clause.assume(&fresh[*pred], dims);
                }
            }
        }
        Ok(news)
    }
}

/// Adds a constraint to others unless one of them says more about the same form; takes out what
/// says less. Whether it was added.
fn add(known: &mut Vec<Constraint>, new: &Constraint) -> bool {
    if known.iter().any(|old| says_more(old, new)) {
        return false;
    }
    known.retain(|old| !says_more(new, old));
    known.push(new.clone());
    true
}

/// Whether a constraint implies another one about the same form, or is it.
fn says_more(a: &Constraint, b: &Constraint) -> bool {
    if a.form != b.form {
        return false;
    }
    match (&a.relation, &b.relation) {
        (Relation::AtMost | Relation::Below, Relation::AtMost)
        | (Relation::Below, Relation::Below) => a.bound <= b.bound,
        (Relation::AtMost, Relation::Below) => a.bound < b.bound,
        (
            Relation::AtMost
            | Relation::Below
            | Relation::Equal
            | Relation::Differs
            | Relation::Congruent(_),
            _,
        ) => a == b,
    }
}

/// The numbers that single variables are compared with, and their neighbours; 0 and 1 are always
/// among them.
fn thresholds(clauses: &IndexVec<shofar_chc::ClauseId, AbstractClause>) -> Vec<Rational> {
    let mut found = Vec::new();
    let literals = clauses.iter().flat_map(|clause| &clause.cubes).flat_map(|cube| &cube.literals);
    for Constraint { form, bound, .. } in literals {
        if let [(_, c)] = form.monomials() {
            let number = bound / c;
            let one = Rational::ONE;
            found.extend([&number - &one, &number + &one, number]);
        }
    }
    found.sort_unstable_by_key(|number| (number.abs(), number.is_negative()));
    found.dedup();
    found.truncate(MOST_THRESHOLDS);
    found.extend([Rational::ZERO, Rational::ONE]);
    found.sort_unstable();
    found.dedup();
    found
}
