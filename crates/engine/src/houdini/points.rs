//! Derivations made at random, and the points that they derive.
//!
//! A clause, points for its body, and a model of its constraint there give a point of its head. The
//! newest points are preferred, so that paths grow long; now and then an argument of the head is
//! asked to be beyond a number of the clauses. Linear clauses are also [executed](super::execute),
//! which is much faster.
//!
//! Of many points of a predicate some are forgotten, the oldest and the newest last; so what is
//! left is spread along the paths.
//!
//! Invariant: every point is derivable, and its derivation is kept.

use shofar_base::{IndexVec, Map, Outcome, Rng, Set};
use shofar_chc::{Clause, ClauseId, Derivation, DerivationStep, NormalSystem, PredId};
use shofar_num::Rational;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::{Evaluator, Model, Value};
use shofar_term::{Cx, Symbol, Term, TermStore};

use crate::hull::thresholds;
use crate::link::is_value;
use crate::rule::Rule;

/// If there are more points of a predicate, some are forgotten.
const MOST: usize = 300;
/// The oldest and newest points, which are not.
const OLDEST: usize = 16;
const LATEST: usize = 64;
/// No more steps are made.
const MOST_STEPS: usize = 20_000;
/// For each attempt with a query so many steps are executed.
const RUN: usize = 16;
/// So many of a hundred premises are the newest point of their predicate.
const NEWEST: u64 = 60;
/// So many of a hundred conclusions are asked to be far away.
const FAR: u64 = 30;

/// A point of a predicate.
pub(super) struct Point {
    pub(super) values: Vec<Value>,
    /// The values of the usual parameters.
    pub(super) model: Model,
    /// The step that derives it.
    pub(super) step: usize,
}

/// See the module documentation.
pub(super) struct Explorer<'s> {
    pub(super) system: &'s NormalSystem,
    params: &'s IndexVec<PredId, Vec<Symbol>>,
    pub(super) points: IndexVec<PredId, Vec<Point>>,
    seen: Set<(PredId, Vec<Value>)>,
    steps: Vec<DerivationStep>,
    solvers: IndexVec<ClauseId, Solver>,
    /// Numbers of the clauses.
    pub(super) numbers: Vec<Rational>,
    /// The linear clauses with a premise, by its predicate.
    pub(super) rules: IndexVec<PredId, Vec<Rule>>,
}

impl<'s> Explorer<'s> {
    /// No points are known.
    pub(super) fn new(
        store: &mut TermStore,
        system: &'s NormalSystem,
        params: &'s IndexVec<PredId, Vec<Symbol>>,
    ) -> Self {
        let solver = |(_, clause): (ClauseId, &Clause)| {
            let mut solver = Solver::new(Options::default());
            solver.add(store, clause.constraint);
            solver
        };
        let solvers = system.clauses().map(solver).collect();
        let mut rules: IndexVec<PredId, Vec<Rule>> = system.preds().map(|_| Vec::new()).collect();
        for rule in Rule::of_system(store, system) {
            if let [premise] = &rule.body[..] {
                rules[premise.pred].push(rule);
            }
        }
        Self {
            system,
            params,
            points: system.preds().map(|_| Vec::new()).collect(),
            seen: Set::default(),
            steps: Vec::new(),
            solvers,
            numbers: thresholds(store, system),
            rules,
        }
    }
    /// The points of a predicate.
    pub(super) fn of(&self, pred: PredId) -> &[Point] {
        &self.points[pred]
    }
    /// How many points there are.
    pub(super) fn count(&self) -> u64 {
        self.points.iter().map(|points| points.len() as u64).sum()
    }
    /// Whether a formula over the usual parameters holds of all points of a predicate.
    pub(super) fn allow(&self, store: &TermStore, pred: PredId, formula: Term) -> bool {
        let holds = |point: &Point| {
            Evaluator::with_defaults(&point.model).holds(store, formula) == Ok(true)
        };
        self.points[pred].iter().all(holds)
    }
    /// Makes so many attempts at a further step; a refutation if one derives `false`.
    pub(super) fn explore(
        &mut self,
        cx: &mut Cx<'_>,
        rng: &mut Rng,
        tries: usize,
    ) -> Outcome<Option<Derivation>> {
        let ids: Vec<ClauseId> = self.system.clauses().map(|(id, _)| id).collect();
        for at in 0..tries {
            cx.budget.check()?;
            if ids.is_empty() || self.is_exhausted() {
                break;
            }
            // Each clause has its turn, then in any order.
            let id = if at < ids.len() { ids[at] } else { *rng.pick(&ids) };
            if let Some(last) = self.step(cx, rng, id)? {
                return Ok(Some(self.derivation(last)));
            }
        }
        let last = self.execute(cx, rng, RUN * tries)?;
        Ok(last.map(|last| self.derivation(last)))
    }
    /// Whether no further steps are made.
    pub(super) fn is_exhausted(&self) -> bool {
        self.steps.len() >= MOST_STEPS
    }
    /// One attempt; the step that derives `false`, if it does.
    fn step(&mut self, cx: &mut Cx<'_>, rng: &mut Rng, id: ClauseId) -> Outcome<Option<usize>> {
        let clause = self.system.clause(id);
        let (mut premises, mut assumptions) = (Vec::new(), Vec::new());
        for atom in self.system.body(id) {
            let points = &self.points[atom.pred];
            if points.is_empty() {
                return Ok(None);
            }
            let at = if rng.chance(NEWEST) { points.len() - 1 } else { rng.below(points.len()) };
            premises.push(points[at].step);
            for (&arg, value) in atom.args.iter().zip(&points[at].values) {
                assumptions.push(is_value(cx.store, arg, value));
            }
        }
        let found = match self.far_away(cx.store, rng, clause) {
            Some(wish) => {
                assumptions.push(wish);
                let found = self.values(cx, id, &assumptions)?;
                assumptions.pop();
                found
            }
            None => None,
        };
        let found = match found {
            Some(found) => Some(found),
            None => self.values(cx, id, &assumptions)?,
        };
        let Some(assignment) = found else { return Ok(None) };
        let step = DerivationStep { clause: id, assignment, premises };
        self.conclude(cx.store, step)
    }
    /// That an argument of the head is beyond some number.
    fn far_away(&self, store: &mut TermStore, rng: &mut Rng, clause: &Clause) -> Option<Term> {
        let head = clause.head.as_ref().filter(|head| !head.args.is_empty())?;
        if !rng.chance(FAR) {
            return None;
        }
        let arg = *rng.pick(&head.args);
        let sort = store.sort(arg);
        if !sort.is_arithmetic() {
            return None;
        }
        let number = rng.pick(&self.numbers).clone();
        if sort.is_int() && !number.is_integer() {
            return None;
        }
        let number = store.number(number, sort);
        Some(if rng.chance(50) { store.le(arg, number) } else { store.ge(arg, number) })
    }
    /// Values of the variables of a clause.
    fn values(&mut self, cx: &mut Cx<'_>, id: ClauseId, said: &[Term]) -> Outcome<Option<Model>> {
        let model = match self.solvers[id].check_assuming(cx, said)? {
            Answer::Unsat(_) => return Ok(None),
            Answer::Sat(model) => model.assignment(cx.store),
        };
        let mut own = Model::new();
        let mut evaluator = Evaluator::with_defaults(&model);
        for variable in self.system.clause(id).variables(cx.store) {
            let term = cx.store.constant(variable);
            own.set(variable, evaluator.evaluate(cx.store, term)?);
        }
        Ok(Some(own))
    }
    /// Keeps what a step derives; its number if that is `false`.
    pub(super) fn conclude(
        &mut self,
        store: &TermStore,
        step: DerivationStep,
    ) -> Outcome<Option<usize>> {
        let number = self.steps.len();
        let clause = self.system.clause(step.clause);
        let Some(head) = &clause.head else {
            self.steps.push(step);
            return Ok(Some(number));
        };
        let mut evaluator = Evaluator::with_defaults(&step.assignment);
        let values = head.args.iter().map(|&arg| evaluator.evaluate(store, arg));
        let values = values.collect::<Result<Vec<Value>, _>>()?;
        if self.seen.insert((head.pred, values.clone())) {
            let mut model = Model::new();
            for (&param, value) in self.params[head.pred].iter().zip(&values) {
                model.set(param, value.clone());
            }
            self.steps.push(step);
            let points = &mut self.points[head.pred];
            points.push(Point { values, model, step: number });
            if points.len() > MOST {
                let newest = points.len() - LATEST;
                let mut at = 0..;
                points.retain(|_| {
                    let at = at.next().unwrap_or(0);
                    at < OLDEST || at >= newest || at % 2 == 0
                });
            }
        }
        Ok(None)
    }
    /// How many steps there are.
    pub(super) fn count_of_steps(&self) -> usize {
        self.steps.len()
    }
    /// The point that the step of this number has derived, if it was made.
    pub(super) fn newest(&self, step: usize) -> Option<(PredId, Vec<Value>)> {
        let made = self.steps.get(step)?;
        let head = self.system.clause(made.clause).head.as_ref()?;
        let point = self.points[head.pred].last().filter(|point| point.step == step)?;
        Some((head.pred, point.values.clone()))
    }
    /// The steps that `last` rests on.
    fn derivation(&self, last: usize) -> Derivation {
        let mut needed = vec![false; self.steps.len()];
        needed[last] = true;
        for at in (0..=last).rev() {
            if needed[at] {
                for &premise in &self.steps[at].premises {
                    needed[premise] = true;
                }
            }
        }
        let mut places: Map<usize, usize> = Map::default();
        let mut steps = Vec::new();
        for at in (0..=last).filter(|&at| needed[at]) {
            let mut step = self.steps[at].clone();
            for premise in &mut step.premises {
                *premise = places.get(premise).copied().expect("premises come first");
            }
            places.insert(at, steps.len());
            steps.push(step);
        }
        Derivation { steps, repeats: Vec::new() }
    }
}
