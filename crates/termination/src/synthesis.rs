//! Finds a step of an argument for a component: unknown coefficients, solved for by
//! counterexamples.
//!
//! The functions of the locations have unknown coefficients. What they have to satisfy on a
//! conjunction of literals (a *cube* of a transition) is linear in these by Farkas' lemma. A solver
//! proposes coefficients that are right on the cubes seen so far; where a transition has states for
//! which they are wrong, an implicant of its condition in such a state is the next cube. There are
//! finitely many implicants, so this ends.
//! ```text
//! for each cube of a transition s from p to q:   ρ_p(x) − ρ_q(x') ≥ δ_s,   0 ≤ δ_s ≤ 1
//! for one transition s, all its cubes:           δ_s = 1, and ρ_p(x) ≥ 0 (bounded)
//!                                            or  δ_s = 1, and ρ_p(x) ≥ 0 in some state (split)
//! ```
//! Cubes may be strengthened by how their states were reached ([`crate::lasso`]).
//!
//! Source: [PR04] (Farkas' lemma), [ADFG10] (all transitions of a component at once), [LORR13]
//! (functions that are not bounded). DIVERGENCE [ADFG10]: cubes are found when they are needed, not
//! all beforehand, and one decreasing transition is enough.

use std::collections::{BTreeMap, BTreeSet};

use shofar_base::{GaveUp, Outcome};
use shofar_chc::PredId;
use shofar_num::{Rational, lcm};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::{Evaluator, Model};
use shofar_term::{Cx, Linear, Sort, Term, TermStore, Value};
use shofar_theory::implicant::implicant;

use crate::farkas::{Form, Row, follows, rows};
use crate::program::{Program, Transition};
use crate::ranking::{Rank, Step};

/// So many cubes are looked at for one step.
const MOST_CUBES: usize = 200;
/// So many coefficients are tried to be 0.
const MOST_ZEROS: usize = 40;
/// A number that is far from 0.
const FAR: i64 = 10;

/// What is asked of a decreasing transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// It is gone after the step.
    Bounded,
    /// A part of it is gone.
    Split,
}

/// A piece that is left, with its condition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Live {
    /// Its place in the argument.
    pub(crate) piece: usize,
    pub(crate) transition: Transition,
    /// The condition of the clause, with invariants and what earlier steps have added.
    pub(crate) relation: Term,
}

/// Unknown functions for the locations of a component.
struct Template {
    coefficients: BTreeMap<PredId, Vec<Option<Term>>>,
    constants: BTreeMap<PredId, Term>,
}

impl Template {
    fn new(store: &mut TermStore, program: &Program, locations: &BTreeSet<PredId>) -> Self {
        let mut template = Self { coefficients: BTreeMap::new(), constants: BTreeMap::new() };
        for &pred in locations {
            let sorts = program.system().sorts(store, pred).to_vec();
            let unknowns = sorts.iter().map(|sort| (!sort.is_bool()).then(|| unknown(store, "c")));
            let unknowns = unknowns.collect();
            template.coefficients.insert(pred, unknowns);
            template.constants.insert(pred, unknown(store, "d"));
        }
        template
    }
    /// Adds `factor` times the function of `pred` at `args`.
    fn add(
        &self,
        store: &TermStore,
        form: &mut Form,
        factor: &Rational,
        pred: PredId,
        args: &[Term],
    ) {
        for (unknown, &arg) in self.coefficients[&pred].iter().zip(args) {
            if let Some(unknown) = unknown {
                form.add(factor, *unknown, &store.linear(arg));
            }
        }
        form.add_constant(factor, self.constants[&pred]);
    }
    /// All unknowns, constants last.
    fn unknowns(&self) -> Vec<Term> {
        let coefficients = self.coefficients.values().flatten().flatten();
        coefficients.chain(self.constants.values()).copied().collect()
    }
    /// The functions that a model of the conditions gives, with integer coefficients.
    fn ranks(&self, store: &TermStore, model: &Model) -> Vec<(PredId, Rank)> {
        let mut evaluator = Evaluator::with_defaults(model);
        let mut number = |term: Term| evaluator.number(store, term).unwrap_or(Rational::ZERO);
        let mut ranks: Vec<(PredId, Rank)> = Vec::new();
        for (&pred, unknowns) in &self.coefficients {
            let coefficients =
                unknowns.iter().map(|unknown| unknown.map_or(Rational::ZERO, &mut number));
            let coefficients = coefficients.collect();
            ranks.push((pred, Rank { coefficients, constant: number(self.constants[&pred]) }));
        }
        let all = |rank: &Rank| rank.coefficients.iter().chain([&rank.constant]).cloned().collect();
        let numbers: Vec<Rational> =
            ranks.iter().flat_map(|(_, rank)| -> Vec<_> { all(rank) }).collect();
        let factor = numbers
            .iter()
            .fold(Rational::ONE, |factor, number| lcm(&factor, &number.denominator()));
        for (_, rank) in &mut ranks {
            for number in rank.coefficients.iter_mut().chain([&mut rank.constant]) {
                *number = &*number * &factor;
            }
        }
        ranks
    }
}

fn unknown(store: &mut TermStore, name: &str) -> Term {
    let symbol = store.fresh(name, Sort::REAL);
    store.constant(symbol)
}

/// The search for one step.
pub(crate) struct Synthesis<'p> {
    program: &'p Program,
    goal: Goal,
    live: Vec<Live>,
    template: Template,
    /// `δ_s` and whether `s` decreases.
    decrease: Vec<(Term, Term)>,
    /// Has the conditions on the coefficients.
    proposer: Solver,
    /// Whether a state is known for each transition.
    has_sample: Vec<bool>,
}

/// Functions that are right on the cubes so far.
pub(crate) struct Proposal {
    pub(crate) ranks: Vec<(PredId, Rank)>,
    /// Which of the transitions decrease.
    pub(crate) decreases: Vec<bool>,
}

impl<'p> Synthesis<'p> {
    /// The search for a step about the pieces `live` of a component.
    pub(crate) fn new(cx: &mut Cx<'_>, program: &'p Program, live: Vec<Live>, goal: Goal) -> Self {
        let store = &mut *cx.store;
        let ends = live.iter().flat_map(|one| [one.transition.from, one.transition.to]);
        let template = Template::new(store, program, &ends.collect());
        let mut proposer = Solver::new(Options::default());
        let mut decrease = Vec::new();
        let (zero, one) =
            (store.number(Rational::ZERO, Sort::REAL), store.number(Rational::ONE, Sort::REAL));
        for _ in &live {
            let delta = unknown(store, "delta");
            let chosen = store.fresh("decreases", Sort::BOOL);
            let chosen = store.constant(chosen);
            let (least, most) = (store.ge(delta, zero), store.le(delta, one));
            let all = store.ge(delta, one);
            let whole = store.implies(chosen, all);
            for part in [least, most, whole] {
                proposer.add(store, part);
            }
            decrease.push((delta, chosen));
        }
        if let (Goal::Split, Some(&constant)) = (goal, template.constants.values().next()) {
            // Where a piece is split is arbitrary; at 0 of a form without a constant it is mostly
            // right.
            let none = store.eq(constant, zero);
            proposer.add(store, none);
        }
        let any: Vec<Term> = decrease.iter().map(|&(_, chosen)| chosen).collect();
        let any = store.or(&any);
        proposer.add(store, any);
        let has_sample = vec![false; live.len()];
        Self { program, goal, live, template, decrease, proposer, has_sample }
    }
    /// The transitions, in the order of [`Proposal::decreases`].
    pub(crate) fn live(&self) -> &[Live] {
        &self.live
    }
    /// Functions that are right on the cubes so far, if there are any; few coefficients are other
    /// than 0.
    pub(crate) fn propose(&mut self, cx: &mut Cx<'_>) -> Outcome<Option<Proposal>> {
        let Some(mut model) = self.model(cx, &[])? else { return Ok(None) };
        let mut assumed: Vec<Term> = Vec::new();
        let zero = cx.store.number(Rational::ZERO, Sort::REAL);
        for unknown in self.template.unknowns() {
            if assumed.len() >= MOST_ZEROS {
                break;
            }
            assumed.push(cx.store.eq(unknown, zero));
            match self.model(cx, &assumed)? {
                Some(simpler) => model = simpler,
                None => {
                    assumed.pop();
                }
            }
        }
        let ranks = self.template.ranks(cx.store, &model);
        let mut evaluator = Evaluator::with_defaults(&model);
        let holds = |&(_, chosen): &(Term, Term)| evaluator.holds(cx.store, chosen) == Ok(true);
        let decreases = self.decrease.iter().map(holds).collect();
        Ok(Some(Proposal { ranks, decreases }))
    }
    fn model(&mut self, cx: &mut Cx<'_>, assumed: &[Term]) -> Outcome<Option<Model>> {
        Ok(match self.proposer.check_assuming(cx, assumed)? {
            Answer::Sat(view) => Some(view.assignment(cx.store)),
            Answer::Unsat(_) => None,
        })
    }
    /// What a proposal says about a transition; with `decreasing`, that it decreases as the goal
    /// wants it.
    pub(crate) fn claim(
        &self,
        store: &mut TermStore,
        ranks: &[(PredId, Rank)],
        at: usize,
        decreasing: bool,
    ) -> Term {
        claim(store, self.program, ranks, self.live[at].transition, decreasing.then_some(self.goal))
    }
    /// Takes note of a cube of transition `at`; `model` is a state in it.
    pub(crate) fn learn(
        &mut self,
        store: &mut TermStore,
        at: usize,
        rows: &[Row],
        model: &Model,
    ) -> Outcome<()> {
        let transition = self.live[at].transition;
        let (body, _, head) = self.program.rule(transition);
        let mut difference = Form::default();
        self.template.add(store, &mut difference, &Rational::ONE, body.pred, &body.args);
        self.template.add(store, &mut difference, &Rational::MINUS_ONE, head.pred, &head.args);
        let (delta, chosen) = self.decrease[at];
        let mut bound = Linear::new();
        bound.add_term(&Rational::ONE, delta);
        let decreases = follows(store, rows, &difference, &bound);
        self.proposer.add(store, decreases);
        let is_enough = match self.goal {
            Goal::Bounded => {
                let mut value = Form::default();
                self.template.add(store, &mut value, &Rational::ONE, body.pred, &body.args);
                follows(store, rows, &value, &Linear::new())
            }
            Goal::Split if self.has_sample[at] => return Ok(()),
            Goal::Split => self.is_positive(store, at, model)?,
        };
        self.has_sample[at] = true;
        let demanded = store.implies(chosen, is_enough);
        self.proposer.add(store, demanded);
        Ok(())
    }
    /// The condition that the function of a piece is not negative in a state.
    fn is_positive(&self, store: &mut TermStore, at: usize, model: &Model) -> Outcome<Term> {
        let (body, ..) = self.program.rule(self.live[at].transition);
        let values = values(store, &body.args, model)?;
        let mut value = Form::default();
        self.template.add(store, &mut value, &Rational::ONE, body.pred, &values);
        Ok(store.le_zero(&value.constant.negated()))
    }
    /// Demands that a part of the piece that decreases is gone: the function is not negative in one
    /// of several states, some of them far out.
    fn demand_part(&mut self, cx: &mut Cx<'_>, checker: &mut Solver, at: usize) -> Outcome<()> {
        let (body, ..) = self.program.rule(self.live[at].transition);
        let mut bounds = Vec::new();
        for &arg in &body.args {
            if !cx.store.sort(arg).is_bool() {
                let (low, high) = (cx.store.int(-FAR), cx.store.int(FAR));
                bounds.extend([cx.store.ge(arg, high), cx.store.le(arg, low)]);
            }
        }
        let mut samples = Vec::new();
        for bound in bounds {
            if let Answer::Sat(view) = checker.check_assuming(cx, &[bound])? {
                let model = view.assignment(cx.store);
                samples.push(self.is_positive(cx.store, at, &model)?);
            }
        }
        if !samples.is_empty() {
            self.has_sample[at] = true;
            let any = cx.store.or(&samples);
            let demanded = cx.store.implies(self.decrease[at].1, any);
            self.proposer.add(cx.store, demanded);
        }
        Ok(())
    }
    /// A step whose claims hold for all states that the conditions allow, if there is one.
    pub(crate) fn run(mut self, cx: &mut Cx<'_>) -> Outcome<Option<Step>> {
        let mut checkers: Vec<Solver> = Vec::new();
        for live in &self.live {
            let mut solver = Solver::new(Options::default());
            solver.add(cx.store, live.relation);
            checkers.push(solver);
        }
        // A first cube of each transition keeps proposals from being far off.
        for (at, checker) in checkers.iter_mut().enumerate() {
            if self.goal == Goal::Split {
                self.demand_part(cx, checker, at)?;
            }
            self.counterexample(cx, checker, at, None)?;
        }
        for _ in 0..MOST_CUBES {
            cx.budget.check()?;
            let Some(proposal) = self.propose(cx)? else { return Ok(None) };
            let mut is_right = true;
            for (at, checker) in checkers.iter_mut().enumerate() {
                let claim = self.claim(cx.store, &proposal.ranks, at, proposal.decreases[at]);
                is_right &= !self.counterexample(cx, checker, at, Some(claim))?;
            }
            if is_right {
                return self.step(cx, &mut checkers, proposal).map(Some);
            }
        }
        Err(GaveUp::incomplete("the conditions of transitions have too many cases"))
    }
    /// Looks for a state of a transition in which `claim` is false, and learns its cube.
    fn counterexample(
        &mut self,
        cx: &mut Cx<'_>,
        checker: &mut Solver,
        at: usize,
        claim: Option<Term>,
    ) -> Outcome<bool> {
        let assumed: Vec<Term> = claim.map(|claim| cx.store.not(claim)).into_iter().collect();
        let Answer::Sat(view) = checker.check_assuming(cx, &assumed)? else { return Ok(false) };
        let model = view.assignment(cx.store);
        let cube = implicant(cx.store, self.live[at].relation, &model);
        let (body, _, head) = self.program.rule(self.live[at].transition);
        let args = [body.args.as_slice(), &head.args].concat();
        let rows = rows(cx.store, &cube, &args);
        self.learn(cx.store, at, &rows, &model)?;
        Ok(true)
    }
    /// The step of a proposal that is right, with all transitions that decrease.
    fn step(&self, cx: &mut Cx<'_>, checkers: &mut [Solver], proposal: Proposal) -> Outcome<Step> {
        let mut decreasing = Vec::new();
        for (at, checker) in checkers.iter_mut().enumerate() {
            let claim = self.claim(cx.store, &proposal.ranks, at, true);
            let contrary = cx.store.not(claim);
            let decreases = proposal.decreases[at]
                || matches!(checker.check_assuming(cx, &[contrary])?, Answer::Unsat(_));
            if decreases {
                decreasing.push(self.live[at].piece);
            }
        }
        let pieces = self.live.iter().map(|one| one.piece).collect();
        Ok(Step { pieces, ranks: proposal.ranks, decreasing })
    }
}

/// That a transition does not increase the functions; with a goal, that it decreases them as this
/// wants it.
fn claim(
    store: &mut TermStore,
    program: &Program,
    ranks: &[(PredId, Rank)],
    transition: Transition,
    goal: Option<Goal>,
) -> Term {
    let (body, _, head) = program.rule(transition);
    let rank = |pred: PredId| ranks.iter().find(|(own, _)| *own == pred).map(|(_, rank)| rank);
    let (Some(before), Some(after)) = (rank(body.pred), rank(head.pred)) else {
        return store.bottom();
    };
    let value = before.value(store, &body.args);
    let mut growth = after.value(store, &head.args);
    growth.add_scaled(&Rational::MINUS_ONE, &value);
    if goal.is_some() {
        growth.constant += &Rational::ONE;
    }
    let decreases = store.le_zero(&growth);
    match goal {
        Some(Goal::Bounded) => {
            let bounded = store.le_zero(&value.negated());
            store.and(&[decreases, bounded])
        }
        Some(Goal::Split) | None => decreases,
    }
}

/// The values of terms, as terms.
pub(crate) fn values(store: &mut TermStore, terms: &[Term], model: &Model) -> Outcome<Vec<Term>> {
    let mut evaluator = Evaluator::with_defaults(model);
    let mut values: Vec<Value> = Vec::with_capacity(terms.len());
    for &term in terms {
        let value = evaluator.evaluate(store, term);
        values.push(value.map_err(|_| GaveUp::incomplete("a state has no values"))?);
    }
    Ok(values
        .iter()
        .zip(terms)
        .map(|(value, &term)| {
            let sort = store.sort(term);
            store.value_term(value, sort)
        })
        .collect())
}
