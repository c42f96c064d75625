//! Small models around the states that an exhausted unrolling has gone through.
//!
//! Where all derivations end, what they derive is a model, but as large as the derivations are
//! long. Most of the time a few equations, bounds and remainders around the derived points are a
//! model as well. They are found in three steps:
//!
//! 1. *Grow*: as long as a clause leads from what the [claims](claim) allow to a point they
//!    exclude, that point joins the others, and the claims of its predicate are made anew. A few
//!    times for each predicate, since this need not end.
//! 2. *Weaken*: bounds that such a point violates are raised to the next number that the clauses
//!    suggest, and claims that cannot be weakened are dropped, until the claims are closed under
//!    all clauses with a head.
//! 3. If no query fires, only those claims stay that are [needed].
//!
//! All of it is limited by a number of questions; without success there is no model, and the caller
//! has another one.
//!
//! Source: [RSY04] for growing from counterexamples, [FL01] for dropping.

mod claim;
mod needed;

use std::collections::VecDeque;

use shofar_base::{GaveUp, IndexVec, Map, Outcome};
use shofar_chc::{
    ChcGraph, ChcSystem, Clause, ClauseId, Definition, Interpretation, PredId, formal_params,
};
use shofar_num::Rational;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::{Evaluator, Value};
use shofar_term::visit::postorder;
use shofar_term::{Cx, Term, TermStore};

use claim::{Claim, Form, Point};
pub(crate) use claim::{claims, constant_forms};
use needed::needed;

/// Points of predicates.
pub(crate) type Points = Map<PredId, Vec<Vec<Value>>>;

/// How many points of one predicate may be added.
const GROWTH: usize = 16;
/// The claims of a predicate are made anew from at most so many points in all.
const MOST_POINTS: usize = 4_000;
/// How many questions may be asked besides one for each clause.
const QUESTIONS: usize = 300;
/// How often the budget may be asked for each of these questions.
const EFFORT: u32 = 500;
/// Of more numbers than this, sums are not thresholds.
const MOST_SUMMED: usize = 12;

/// A model of `system` that contains `points`, all of which can be derived, if a small one is found
/// soon.
pub(crate) fn model(
    cx: &mut Cx<'_>,
    system: &ChcSystem,
    points: Points,
) -> Outcome<Option<Interpretation>> {
    let questions = QUESTIONS + system.clause_count();
    let effort = u32::try_from(questions).map_or(u32::MAX, |q| q.saturating_mul(EFFORT));
    let budget = cx.budget.part(effort);
    let mut part = cx.limited(&budget);
    let found = match Search::new(part.store, system, points, questions).run(&mut part) {
        Ok(Some(model)) => is_model(&mut part, system, &model).map(|holds| holds.then_some(model)),
        other => other,
    };
    match found {
        Err(GaveUp::Incomplete(_)) => Ok(None),
        other => other,
    }
}

/// Whether every clause holds under the definitions.
fn is_model(cx: &mut Cx<'_>, system: &ChcSystem, model: &Interpretation) -> Outcome<bool> {
    for (_, clause) in system.clauses() {
        let mut solver = Solver::new(Options::default());
        solver.add(cx.store, clause.constraint);
        for atom in &clause.body {
            let Some(definition) = model.get(atom.pred) else { return Ok(false) };
            let said = definition.apply(cx.store, &atom.args);
            solver.add(cx.store, said);
        }
        if let Some(head) = &clause.head {
            let Some(definition) = model.get(head.pred) else { return Ok(false) };
            let claim = definition.apply(cx.store, &head.args);
            let denied = cx.store.not(claim);
            solver.add(cx.store, denied);
        }
        match solver.check(cx)? {
            Answer::Sat(_) => return Ok(false),
            Answer::Unsat(_) => {}
        }
    }
    Ok(true)
}

/// What is known about a predicate.
enum Meaning {
    /// No point of it is known.
    Nothing,
    /// All of these hold.
    All(Vec<Claim>),
}

struct Search<'s> {
    system: &'s ChcSystem,
    points: Points,
    meanings: IndexVec<PredId, Meaning>,
    /// Combinations of arguments that are the same along a path.
    forms: IndexVec<PredId, Vec<Form>>,
    /// How many points were added.
    added: IndexVec<PredId, usize>,
    thresholds: Vec<Rational>,
    questions: usize,
}

impl<'s> Search<'s> {
    fn new(store: &TermStore, system: &'s ChcSystem, points: Points, questions: usize) -> Self {
        let useful = ChcGraph::new(system).useful();
        let forms: IndexVec<PredId, Vec<Form>> = system
            .preds()
            .map(|pred| {
                // Sampled paths are twice as long each time.
                let points = points.get(&pred).map_or(&[][..], Vec::as_slice);
                constant_forms(system.sorts(store, pred), &points[points.len() / 2..])
            })
            .collect();
        let meaning = |pred| match points.get(&pred) {
            _ if !useful[pred] => Meaning::All(Vec::new()),
            Some(points) if !points.is_empty() => {
                Meaning::All(claims(system.sorts(store, pred), points, &forms[pred]))
            }
            Some(_) | None => Meaning::Nothing,
        };
        Self {
            system,
            meanings: system.preds().map(meaning).collect(),
            forms,
            added: system.preds().map(|_| 0).collect(),
            thresholds: thresholds(store, system),
            points,
            questions,
        }
    }
    fn run(mut self, cx: &mut Cx<'_>) -> Outcome<Option<Interpretation>> {
        let clauses = self.system.clauses().filter(|(_, clause)| clause.head.is_some());
        let mut open: VecDeque<ClauseId> = clauses.map(|(id, _)| id).collect();
        while let Some(id) = open.pop_front() {
            let clause = self.system.clause(id);
            let Some(head) = &clause.head else { continue };
            let Some(point) = self.violation(cx, clause)? else { continue };
            self.include(cx.store, head.pred, point);
            let uses = |clause: &Clause| clause.body.iter().any(|atom| atom.pred == head.pred);
            let affected = self.system.clauses().filter(|&(other, c)| other == id || uses(c));
            for (other, _) in affected.filter(|(_, clause)| clause.head.is_some()) {
                if !open.contains(&other) {
                    open.push_back(other);
                }
            }
        }
        for (_, clause) in self.system.clauses() {
            if clause.head.is_none() && self.violation(cx, clause)?.is_some() {
                return Ok(None);
            }
        }
        let kept = needed(cx, self.system, &self.meanings)?;
        Ok(Some(self.interpretation(cx.store, &kept)))
    }
    /// A point that `clause` derives from what is claimed, but that the claims exclude; for
    /// queries, anything.
    fn violation(&mut self, cx: &mut Cx<'_>, clause: &Clause) -> Outcome<Option<Point>> {
        self.questions = self
            .questions
            .checked_sub(1)
            .ok_or(GaveUp::incomplete("claims are not closed under clauses for long"))?;
        let mut solver = Solver::new(Options::default());
        for atom in &clause.body {
            let Meaning::All(claims) = &self.meanings[atom.pred] else { return Ok(None) };
            for claim in claims {
                let claim = claim.term(cx.store, &atom.args);
                solver.add(cx.store, claim);
            }
        }
        solver.add(cx.store, clause.constraint);
        let head = clause.head.as_ref();
        if let Some(head) = head
            && let Meaning::All(claims) = &self.meanings[head.pred]
        {
            let claims: Vec<Term> = claims.iter().map(|c| c.term(cx.store, &head.args)).collect();
            let all = cx.store.and(&claims);
            let outside = cx.store.not(all);
            solver.add(cx.store, outside);
        }
        let model = match solver.check(cx)? {
            Answer::Unsat(_) => return Ok(None),
            Answer::Sat(model) => model.assignment(cx.store),
        };
        let mut evaluator = Evaluator::with_defaults(&model);
        let args = head.map_or(&[][..], |head| &head.args);
        let values = args.iter().map(|&arg| evaluator.evaluate(cx.store, arg));
        Ok(Some(values.collect::<Result<_, _>>()?))
    }
    /// Changes the claims about `pred` such that they allow `point`.
    fn include(&mut self, store: &TermStore, pred: PredId, point: Point) {
        let points = self.points.entry(pred).or_default();
        let may_grow = self.added[pred] < GROWTH && points.len() * self.added[pred] < MOST_POINTS;
        match &mut self.meanings[pred] {
            Meaning::All(claims) if !may_grow => {
                let thresholds = &self.thresholds;
                claims.retain_mut(|c| c.holds(&point) || c.widen(&point, thresholds));
            }
            meaning @ (Meaning::All(_) | Meaning::Nothing) => {
                self.added[pred] += 1;
                points.push(point);
                let (sorts, forms) = (self.system.sorts(store, pred), &self.forms[pred]);
                *meaning = Meaning::All(claims(sorts, points, forms));
            }
        }
    }
    fn interpretation(
        &self,
        store: &mut TermStore,
        kept: &IndexVec<PredId, Vec<usize>>,
    ) -> Interpretation {
        let mut result = Interpretation::new();
        for pred in self.system.preds() {
            let params = formal_params(store, self.system, pred);
            let body = match &self.meanings[pred] {
                Meaning::Nothing => store.bottom(),
                Meaning::All(claims) => {
                    let args: Vec<Term> = params.iter().map(|&p| store.constant(p)).collect();
                    let kept = kept[pred].iter().map(|&i| claims[i].term(store, &args));
                    let kept: Vec<Term> = kept.collect();
                    store.and(&kept)
                }
            };
            result.define(pred, Definition { params, body });
        }
        result
    }
}

/// Numbers that bounds are raised to: those in the clauses, their neighbours, and sums of two of
/// them.
pub(crate) fn thresholds(store: &TermStore, system: &ChcSystem) -> Vec<Rational> {
    let mut roots = Vec::new();
    for (_, clause) in system.clauses() {
        roots.push(clause.constraint);
        roots.extend(clause.head.iter().flat_map(|head| &head.args));
    }
    let mut numbers: Vec<Rational> = vec![Rational::ZERO, Rational::ONE];
    for term in postorder(store, &roots) {
        let compared = store.comparison(term).map(|(.., bound)| bound);
        if let Some(n) = compared.or_else(|| store.as_number(term)) {
            numbers.push(n.clone());
        } else if let Some(sum) = store.as_sum(term) {
            numbers.push(sum.constant().clone());
        }
    }
    numbers.extend(numbers.clone().into_iter().map(|number| -number));
    numbers.sort_unstable();
    numbers.dedup();
    let steps = if numbers.len() <= 2 * MOST_SUMMED {
        numbers.clone()
    } else {
        [-1, 0, 1].map(Rational::from).to_vec()
    };
    let mut sums: Vec<Rational> =
        numbers.iter().flat_map(|n| steps.iter().map(move |step| n + step)).collect();
    sums.sort_unstable();
    sums.dedup();
    sums
}
