//! Blocking obligations: the heart of Spacer.
//!
//! `expand` decides one obligation by at most two queries to the solver of its node. First only facts count for the
//! premises: a model is a new fact. Then lemmas count: a model makes a premise that no fact covers the next obligation;
//! without a model, a lemma blocks the obligation.
//!
//! Source: [KGC16] rules *Must*, *May*, *Successor*, *Decide*, *Conflict*, *Induction*.

use shofar_base::{GaveUp, Outcome};
use shofar_chc::ChcSystem;
use shofar_mbp::project;
use shofar_smt::Answer;
use shofar_term::eval::{Assignment, Evaluator};
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Kind, Symbol, Term, TermStore};

use super::SpacerOptions;
use super::frames::{Frames, Lemma, Own};
use super::obligation::{Obligation, Queue};
use super::reach::{Fact, FactId, Facts};
use super::rules::{Node, RuleId, Rules, rename};

/// The state of a run.
pub(super) struct Search<'s> {
    pub(super) system: &'s ChcSystem,
    options: &'s SpacerOptions,
    pub(super) rules: Rules,
    pub(super) frames: Frames,
    pub(super) facts: Facts,
    queue: Queue,
    /// The highest level so far.
    top: usize,
}

/// What became of an obligation.
enum Fate {
    /// A point of it is derivable.
    Reached(FactId),
    /// It is blocked at its level.
    Blocked,
    /// Another one has to be decided first.
    Depends(Obligation),
}

impl<'s> Search<'s> {
    pub(super) fn new(cx: &mut Cx<'_>, system: &'s ChcSystem, options: &'s SpacerOptions) -> Self {
        let rules = Rules::new(cx.store, system);
        let mut frames = Frames::new(cx.store, &rules, options.seed);
        let facts = Facts::new(cx.store, &rules, &mut frames);
        Self { system, options, rules, frames, facts, queue: Queue::default(), top: 0 }
    }
    /// Shows that the goal is not derivable within `level`, or returns the fact that it is.
    pub(super) fn block_goal(&mut self, cx: &mut Cx<'_>, level: usize) -> Outcome<Option<FactId>> {
        self.top = level;
        self.queue.clear();
        self.queue.push(Obligation { node: self.rules.goal, cube: Vec::new(), level });
        while let Some(obligation) = self.queue.pop() {
            cx.budget.check()?;
            match self.expand(cx, &obligation)? {
                Fate::Reached(fact) if obligation.node == self.rules.goal => return Ok(Some(fact)),
                Fate::Blocked if obligation.level < level => {
                    self.queue.push(Obligation { level: obligation.level + 1, ..obligation });
                }
                Fate::Reached(_) | Fate::Blocked => (),
                Fate::Depends(child) => {
                    self.queue.push(obligation);
                    self.queue.push(child);
                }
            }
        }
        Ok(None)
    }
    fn expand(&mut self, cx: &mut Cx<'_>, obligation: &Obligation) -> Outcome<Fate> {
        let Obligation { node, cube, level } = obligation;
        if *level > 0
            || self.rules.deriving[*node].iter().any(|&r| self.rules.all[r].body.is_empty())
        {
            let mut assumptions = self.facts.demands(cx.store, &self.rules, *node);
            assumptions.extend(cube);
            if *level == 0 {
                assumptions.extend(Frames::switches(
                    cx.store,
                    &self.rules,
                    *node,
                    0,
                    self.top,
                    Own::Known,
                ));
            }
            if let Answer::Sat(view) =
                self.frames.solvers[*node].check_assuming(cx, &assumptions)?
            {
                let model = view.assignment().clone();
                return Ok(Fate::Reached(self.new_fact(cx, *node, &model)));
            }
        }
        let mut assumptions =
            Frames::switches(cx.store, &self.rules, *node, *level, self.top, Own::Known);
        assumptions.extend(cube);
        let model = match self.frames.solvers[*node].check_assuming(cx, &assumptions)? {
            Answer::Sat(view) => view.assignment().clone(),
            Answer::Unsat(view) => {
                let failed = view.failed();
                let core: Vec<Term> = cube.iter().copied().filter(|t| failed.contains(t)).collect();
                self.learn(cx, *node, core, *level)?;
                return Ok(Fate::Blocked);
            }
        };
        Ok(Fate::Depends(self.predecessor(cx, obligation, &model)?))
    }
    /// The rule of `node` that the model switches on, and a fact for each premise that has one.
    fn chosen_rule(
        &self,
        store: &mut TermStore,
        node: Node,
        model: &Assignment,
    ) -> (RuleId, Vec<Option<FactId>>) {
        let mut best: Option<(usize, RuleId, Vec<Option<FactId>>)> = None;
        for &r in &self.rules.deriving[node] {
            let rule = &self.rules.all[r];
            let holds = {
                let mut evaluator = Evaluator::new(model);
                evaluator.holds(store, rule.tag) && evaluator.holds(store, rule.constraint)
            };
            if holds {
                let cover: Vec<Option<FactId>> = (0..rule.body.len())
                    .map(|j| self.facts.covering(store, &self.rules, (r, j), model))
                    .collect();
                let open = cover.iter().filter(|c| c.is_none()).count();
                if best.as_ref().is_none_or(|(least, ..)| open < *least) {
                    best = Some((open, r, cover));
                }
            }
        }
        let (_, rule, cover) = best.expect("some rule is switched on");
        (rule, cover)
    }
    /// The fact that the model shows, all premises being covered by facts.
    fn new_fact(&mut self, cx: &mut Cx<'_>, node: Node, model: &Assignment) -> FactId {
        let (r, cover) = self.chosen_rule(cx.store, node, model);
        let premises: Vec<FactId> =
            cover.into_iter().map(|c| c.expect("facts were demanded")).collect();
        let mut parts = vec![self.rules.all[r].constraint];
        for (premise, &fact) in self.rules.all[r].body.iter().zip(&premises) {
            let formula = self.facts.all[fact].formula;
            parts.push(rename(cx.store, formula, &self.rules.formals[premise.node], &premise.args));
        }
        let body = cx.store.and(&parts);
        let formula = project_onto(cx.store, body, &self.rules.formals[node], model);
        let fact = Fact { formula, rule: r, premises };
        self.facts.add(cx.store, &self.rules, &mut self.frames, node, fact)
    }
    /// The points of one uncovered premise from which the model reaches the obligation.
    fn predecessor(
        &mut self,
        cx: &mut Cx<'_>,
        obligation: &Obligation,
        model: &Assignment,
    ) -> Outcome<Obligation> {
        let (r, cover) = self.chosen_rule(cx.store, obligation.node, model);
        let Some(open) = cover.iter().position(Option::is_none) else {
            return Err(GaveUp::Incomplete("spacer: covered premises were not seen as facts"));
        };
        let rule = &self.rules.all[r];
        let mut parts = obligation.cube.clone();
        parts.push(rule.constraint);
        for (j, premise) in rule.body.iter().enumerate().filter(|&(j, _)| j != open) {
            let formulas: Vec<Term> = match cover[j] {
                Some(fact) => vec![self.facts.all[fact].formula],
                None => self.frames.at(premise.node, obligation.level - 1).collect(),
            };
            for formula in formulas {
                parts.push(rename(
                    cx.store,
                    formula,
                    &self.rules.formals[premise.node],
                    &premise.args,
                ));
            }
        }
        let body = cx.store.and(&parts);
        let premise = &rule.body[open];
        let points = project_onto(cx.store, body, &premise.args, model);
        let points = rename(cx.store, points, &premise.args, &self.rules.formals[premise.node]);
        Ok(Obligation {
            node: premise.node,
            cube: literals(cx.store, points),
            level: obligation.level - 1,
        })
    }
    /// Blocks `cube`, which is not derivable within `level`, by lemmas.
    fn learn(&mut self, cx: &mut Cx<'_>, node: Node, cube: Vec<Term>, level: usize) -> Outcome<()> {
        let cube = self.generalize(cx, node, cube, level)?;
        let lemma = self.interpolant(cx, node, &cube, level)?;
        for formula in conjuncts(cx.store, lemma) {
            self.frames.add(cx.store, &self.rules, Lemma { node, formula, level });
        }
        Ok(())
    }
    /// Drops literals from `cube` as long as it stays underivable, relative to its own absence from the premises.
    fn generalize(
        &mut self,
        cx: &mut Cx<'_>,
        node: Node,
        mut cube: Vec<Term>,
        level: usize,
    ) -> Outcome<Vec<Term>> {
        let mut at = 0;
        let mut failures = 0;
        while at < cube.len() && cube.len() > 1 && failures < 12 {
            let mut smaller = cube.clone();
            smaller.remove(at);
            let assumptions = self.inductive_assumptions(cx, node, &smaller, level, Own::Known);
            match self.frames.solvers[node].check_assuming(cx, &assumptions)? {
                Answer::Sat(_) => {
                    at += 1;
                    failures += 1;
                }
                Answer::Unsat(view) => {
                    let failed = view.failed();
                    cube = smaller;
                    // What stands before `at` was needed before, but perhaps not any more.
                    let before = cube.len();
                    cube.retain(|t| failed.contains(t));
                    if cube.len() < before {
                        at = 0;
                    }
                }
            }
        }
        Ok(cube)
    }
    /// `cube` within `level`, from premises that are not in it if they are of the same node.
    fn inductive_assumptions(
        &mut self,
        cx: &mut Cx<'_>,
        node: Node,
        cube: &[Term],
        level: usize,
        own: Own,
    ) -> Vec<Term> {
        let mut assumptions = Frames::switches(cx.store, &self.rules, node, level, self.top, own);
        if level > 0 {
            let inside = cx.store.and(cube);
            let outside = cx.store.not(inside);
            for &r in &self.rules.deriving[node] {
                let rule = &self.rules.all[r];
                for premise in rule.body.iter().filter(|p| p.node == node) {
                    let said = rename(cx.store, outside, &self.rules.formals[node], &premise.args);
                    assumptions.push(cx.store.implies(rule.tag, said));
                }
            }
        }
        assumptions.extend(cube);
        assumptions
    }
    /// A formula that everything derivable within `level` satisfies and no point of `cube` does.
    fn interpolant(
        &mut self,
        cx: &mut Cx<'_>,
        node: Node,
        cube: &[Term],
        level: usize,
    ) -> Outcome<Term> {
        let mut found = Err(GaveUp::Incomplete("nothing found yet"));
        for own in [Own::Forgotten, Own::Known] {
            let assumptions = self.inductive_assumptions(cx, node, cube, level, own);
            if let Answer::Unsat(view) =
                self.frames.solvers[node].check_assuming(cx, &assumptions)?
            {
                found = view.interpolant_of_assumptions(cx, cube, &self.options.interpolation);
                break;
            }
        }
        match found {
            Ok(lemma) => Ok(lemma),
            Err(GaveUp::Incomplete(_)) => {
                let inside = cx.store.and(cube);
                Ok(cx.store.not(inside))
            }
            Err(why) => Err(why),
        }
    }
    /// Lifts lemmas as far as they hold; returns a level that has become empty.
    pub(super) fn push_lemmas(&mut self, cx: &mut Cx<'_>, top: usize) -> Outcome<Option<usize>> {
        self.top = top + 1;
        for level in 0..=top {
            for index in 0..self.frames.lemmas.len() {
                let Lemma { node, formula, level: own } = self.frames.lemmas[index];
                if own != level {
                    continue;
                }
                cx.budget.check()?;
                let mut assumptions =
                    Frames::switches(cx.store, &self.rules, node, level + 1, self.top, Own::Known);
                assumptions.push(cx.store.not(formula));
                if let Answer::Unsat(_) =
                    self.frames.solvers[node].check_assuming(cx, &assumptions)?
                {
                    self.frames.raise(cx.store, &self.rules, index, level + 1);
                }
            }
            if self.frames.lemmas.iter().all(|l| l.level != level) {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }
}

/// The projection of `formula` onto `keep`, by the model.
fn project_onto(store: &mut TermStore, formula: Term, keep: &[Symbol], model: &Assignment) -> Term {
    let mut eliminate = free_symbols(store, &[formula]);
    eliminate.retain(|s| !keep.contains(s));
    project(store, formula, &eliminate, model)
}

fn conjuncts(store: &TermStore, formula: Term) -> Vec<Term> {
    if let Kind::And(parts) = store.kind(formula) { parts.to_vec() } else { vec![formula] }
}

/// The literals of a cube; truth has none.
fn literals(store: &TermStore, cube: Term) -> Vec<Term> {
    if cube == store.top() { Vec::new() } else { conjuncts(store, cube) }
}
