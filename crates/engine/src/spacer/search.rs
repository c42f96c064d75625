//! Blocking obligations: the rules of Spacer.
//!
//! | rule | when | what it does |
//! |---|---|---|
//! | *Candidate* | a level begins | the goal becomes an obligation at that level |
//! | *Successor* | facts of the premises reach the obligation (*must*) | a new fact; of the goal: *Unsafe* |
//! | *Decide* | lemmas of the premises do (*may*) | a premise that no fact covers becomes an obligation one level below |
//! | *Conflict* | neither | new lemmas block the obligation, generalised by relative induction |
//! | *Leaf* | the obligation is blocked below the top | it is asked again one level higher |
//! | *Induction* | no obligation is left | lemmas are lifted as far as they hold; an empty level: *Safe* |
//! | *Unfold* | no level is empty | the top is one level higher |
//!
//! `expand` decides one obligation by queries to the solver of its node, and so which of
//! *Successor*, *Decide* and *Conflict* applies. *Conflict* is in [`learn`](super::learn),
//! *Induction* in [`push`](super::push), *Safe* and *Unsafe* are in [`solution`](super::solution),
//! the guesses of guidance in [`guide`](super::guide).
//!
//! Source: [KGC16]; the rules have the names under which [VCSG20] and later papers know them.
//! DIVERGENCE [KGC16] *Decide*: facts are preferred where the model can have them; one premise at a
//! time.

use std::rc::Rc;

use shofar_base::{GaveUp, Map, Outcome, Set};
use shofar_chc::NormalSystem;
use shofar_mbp::project;
use shofar_smt::{Answer, LinearAlgorithm};
use shofar_term::eval::{Evaluator, Model};
use shofar_term::substitute::rename;
use shofar_term::symbols::free_symbols;
use shofar_term::{Bound, Cx, Level, Phase, Symbol, Term, TermStore};

use super::SpacerOptions;
use super::activity::Activity;
use super::frames::{Frames, Own};
use super::guide::{Advice, Guide, concretize};
use super::obligation::{Guess, Obligation, Queue};
use super::reach::{Fact, FactId, Facts};
use super::rules::{Node, RuleId, Rules};
use super::statistics::Statistics;

/// How many predecessors a guess may have.
const GUESS_GAS: u32 = 20;
/// After how many queries at one level the search is first begun anew.
const PATIENCE: u64 = 4_000;
/// How often one obligation is split by the values of a model.
const SPLITS: u32 = 15;

/// The state of a run.
pub(super) struct Search<'s> {
    pub(super) system: &'s NormalSystem,
    pub(super) options: SpacerOptions,
    pub(super) rules: Rc<Rules>,
    pub(super) frames: Frames,
    pub(super) facts: Facts,
    pub(super) guide: Guide,
    pub(super) activity: Activity,
    pub(super) stats: Statistics,
    /// The level at which the goal is asked for.
    pub(super) level: Level,
    /// After how many queries without a new level it begins anew.
    patience: u64,
    /// How many queries had been made when the level began, or the search was begun anew.
    fresh_since: u64,
    queue: Queue,
    /// How many blocked obligations may still be lifted in this round, if there is a limit.
    lifts: Option<usize>,
    /// Points that other engines have reached.
    pub(super) reached: Vec<(Node, Model)>,
    /// How many facts others have been told.
    pub(super) facts_told: usize,
    /// Obligations to be split by bounds on these variables, and how often yet.
    splitting: Map<(Node, Vec<Term>), (Set<Term>, u32)>,
}

/// What became of an obligation.
enum Fate {
    /// A point of it is derivable.
    Reached(FactId),
    /// It is blocked at its level.
    Blocked(Vec<Advice>),
    /// Another one has to be decided first.
    Depends(Obligation),
}

impl<'s> Search<'s> {
    pub(super) fn new(
        store: &mut TermStore,
        system: &'s NormalSystem,
        rules: Rc<Rules>,
        options: SpacerOptions,
    ) -> Self {
        let mut frames = Frames::new(store, &rules, options.seed);
        let facts = Facts::new(store, &rules, &mut frames);
        let mut this = Self {
            system,
            guide: Guide::new(options.guidance),
            activity: Activity::default(),
            options,
            rules,
            frames,
            facts,
            stats: Statistics::default(),
            level: Level::ZERO,
            patience: PATIENCE,
            fresh_since: 0,
            queue: Queue::default(),
            lifts: Some(0),
            reached: Vec::new(),
            facts_told: 0,
            splitting: Map::default(),
        };
        this.candidate();
        this
    }
    /// *Candidate*: starts to ask for the goal at the present level.
    pub(super) fn candidate(&mut self) {
        self.queue.clear();
        self.lifts = self.options.lifts;
        self.fresh_since = self.stats.all_queries();
        let (node, level) = (self.rules.goal, self.level);
        self.queue.push(Obligation { node, cube: Vec::new(), level, widen: false, guess: None });
    }
    /// Takes over what another search has found to hold always since `when` by that one's clock.
    pub(super) fn adopt(&mut self, store: &mut TermStore, other: &Self, when: u64) {
        for node in self.rules.deriving.handles() {
            let always = other.frames.lemmas[node].iter().filter(|l| l.bound == Bound::Always);
            for lemma in always.filter(|l| l.since > when) {
                let cube = lemma.cube.clone();
                let is_new = self.frames.add(store, &self.rules, node, cube, Bound::Always);
                self.stats.adopted += u64::from(is_new);
            }
        }
    }
    /// Leaves what it was about and asks for the goal anew, with new solvers and another way to
    /// interpolate. Lemmas and facts stay.
    pub(super) fn restart(&mut self, store: &mut TermStore) {
        self.stats.restarts += 1;
        self.patience *= 2;
        self.options.seed = self.options.seed.wrapping_add(1);
        self.options.interpolation.linear = match self.options.interpolation.linear {
            LinearAlgorithm::Decomposed => LinearAlgorithm::Farkas,
            LinearAlgorithm::Farkas => LinearAlgorithm::DualFarkas,
            LinearAlgorithm::DualFarkas
            | LinearAlgorithm::Factor(_)
            | LinearAlgorithm::DualDecomposed => LinearAlgorithm::Decomposed,
        };
        self.frames.renew(store, &self.rules, self.options.seed);
        self.facts.tell(store, &mut self.frames);
        self.candidate();
    }
    /// *Unfold*: the goal is asked for one level higher.
    pub(super) fn unfold(&mut self, store: &TermStore) {
        self.level = self.level.next();
        self.stats.levels += 1;
        tracing::debug!("level {}: {}", self.level, self.stats);
        self.log_frames(store);
        self.candidate();
    }
    /// Whether there has been no new level for a long time.
    pub(super) fn is_stuck(&self) -> bool {
        self.stats.all_queries() - self.fresh_since > self.patience
    }
    /// The next obligation; none if the goal is not derivable within the present level.
    pub(super) fn next_obligation(&mut self) -> Option<Obligation> {
        self.queue.pop()
    }
    /// Decides one obligation; returns the fact that the goal is derivable.
    pub(super) fn process(
        &mut self,
        cx: &mut Cx<'_>,
        obligation: Obligation,
    ) -> Outcome<Option<FactId>> {
        if obligation.guess.is_some_and(|g| g.gas == 0) {
            self.stats.abandoned += 1;
            return Ok(None);
        }
        self.stats.obligations += 1;
        let fate = match self.expand(cx, &obligation) {
            // What cannot be decided is no reason to stop as long as nothing depends on it.
            Err(GaveUp::Incomplete(_)) if obligation.guess.is_some() => {
                self.stats.abandoned += 1;
                return Ok(None);
            }
            fate => fate?,
        };
        match fate {
            Fate::Reached(fact) if obligation.node == self.rules.goal => return Ok(Some(fact)),
            Fate::Reached(_) => self.stats.refuted += u64::from(obligation.guess.is_some()),
            Fate::Blocked(advice) => {
                for advice in advice {
                    self.follow(cx.store, advice, &obligation);
                }
                self.leaf(obligation);
            }
            Fate::Depends(child) => {
                let mut parent = obligation;
                if let Some(guess) = &mut parent.guess {
                    guess.gas -= 1;
                }
                self.queue.push(parent);
                self.queue.push(child);
            }
        }
        Ok(None)
    }
    /// *Leaf*: asks a blocked obligation again one level higher: a guess until it has got as far as
    /// it should, others as long as the round has lifts left. They find deep derivations at low
    /// levels, but there may be no end to them.
    fn leaf(&mut self, mut obligation: Obligation) {
        let top = self.level;
        let again = match obligation.guess {
            Some(guess) => obligation.level < guess.until.min(top),
            None if obligation.level < top && self.lifts != Some(0) => {
                self.lifts = self.lifts.map(|left| left - 1);
                true
            }
            None => false,
        };
        if again {
            obligation.level = obligation.level.next();
            self.queue.push(obligation);
        }
    }
    /// Takes up what a lemma against `obligation` suggests.
    fn follow(&mut self, store: &TermStore, advice: Advice, obligation: &Obligation) {
        let node = obligation.node;
        match advice {
            Advice::Guess { cube, .. } if self.is_reached(store, node, &cube) => {
                self.stats.refuted += 1;
            }
            Advice::Guess { cube, level, rule } => {
                self.stats.guessed(rule);
                let gas = obligation.guess.map_or(GUESS_GAS, |g| g.gas / 2);
                let until = obligation.level.min(self.level);
                let level = level.min(until);
                self.queue.push(Obligation {
                    node,
                    cube,
                    level,
                    widen: true,
                    guess: Some(Guess { gas, until }),
                });
            }
            Advice::Concretize(variables) => {
                let key = (node, obligation.cube.clone());
                self.splitting.entry(key).or_insert((variables, SPLITS));
            }
        }
    }
    fn expand(&mut self, cx: &mut Cx<'_>, obligation: &Obligation) -> Outcome<Fate> {
        let Obligation { node, cube, level, .. } = obligation;
        if let Some(part) = self.part(cx, obligation)? {
            return Ok(Fate::Depends(part));
        }
        if let Some(model) = cx.phase(Phase::Solving, |cx| self.must(cx, *node, cube, *level))? {
            return Ok(Fate::Reached(self.successor(cx, *node, &model)));
        }
        match cx.phase(Phase::Solving, |cx| self.may(cx, *node, cube, *level))? {
            Ok(model) => Ok(Fate::Depends(self.decide(cx, obligation, &model)?)),
            Err(core) => Ok(Fate::Blocked(self.conflict(cx, obligation, &core)?)),
        }
    }
    /// A part of the obligation with bounds for single variables, if guidance wants it split.
    fn part(&mut self, cx: &mut Cx<'_>, obligation: &Obligation) -> Outcome<Option<Obligation>> {
        let key = (obligation.node, obligation.cube.clone());
        let Some((_, gas)) = self.splitting.get_mut(&key).filter(|(_, gas)| *gas > 0) else {
            return Ok(None);
        };
        *gas -= 1;
        let mut assumptions = self.frames.point_switches(obligation.node, obligation.level);
        assumptions.extend(&obligation.cube);
        let solver = self.frames.points(obligation.node);
        let Some(Answer::Sat(view)) = decided(solver.check_assuming(cx, &assumptions))? else {
            return Ok(None);
        };
        let model = view.assignment(cx.store);
        let (variables, _) = &self.splitting[&key];
        let cube = concretize(cx.store, &obligation.cube, variables, &model);
        if cube == obligation.cube {
            return Ok(None);
        }
        self.stats.concretized += 1;
        Ok(Some(Obligation { cube, widen: true, ..obligation.clone() }))
    }
    /// A step into `cube` from facts.
    fn must(
        &mut self,
        cx: &mut Cx<'_>,
        node: Node,
        cube: &[Term],
        level: Level,
    ) -> Outcome<Option<Model>> {
        let (demand, demands) = self.facts.demands(cx.store, &self.rules, node);
        let mut assumptions = vec![demand];
        assumptions.extend(demands.into_iter().map(|(_, t)| t));
        if level == Level::ZERO {
            assumptions.extend(self.frames.step_switches(
                cx.store,
                &self.rules,
                node,
                level,
                Own::Known,
            ));
        }
        assumptions.extend(cube);
        self.stats.queries += 1;
        match decided(self.frames.steps(node).check_assuming(cx, &assumptions))? {
            None | Some(Answer::Unsat(_)) => Ok(None),
            Some(Answer::Sat(view)) => Ok(Some(view.assignment(cx.store))),
        }
    }
    /// A step into `cube` from the lemmas of the premises, with facts where possible; else the
    /// literals that exclude it.
    fn may(
        &mut self,
        cx: &mut Cx<'_>,
        node: Node,
        cube: &[Term],
        level: Level,
    ) -> Outcome<Result<Model, Vec<Term>>> {
        let mut assumptions =
            self.frames.step_switches(cx.store, &self.rules, node, level, Own::Known);
        assumptions.extend(cube);
        let (demand, mut wishes) = self.facts.demands(cx.store, &self.rules, node);
        wishes.retain(|(r, _)| self.rules.all[*r].body.len() > 1);
        let mut wishes: Vec<Term> = wishes.into_iter().map(|(_, t)| t).collect();
        if !wishes.is_empty() {
            assumptions.push(demand);
        }
        loop {
            let together: Vec<Term> = wishes.iter().chain(&assumptions).copied().collect();
            self.stats.queries += 1;
            match self.frames.steps(node).check_assuming(cx, &together)? {
                Answer::Sat(view) => return Ok(Ok(view.assignment(cx.store))),
                Answer::Unsat(view) => {
                    let failed: Set<Term> = view.failed().into_iter().collect();
                    let Some(at) = wishes.iter().position(|t| failed.contains(t)) else {
                        let core = cube.iter().copied().filter(|t| failed.contains(t));
                        return Ok(Err(core.collect()));
                    };
                    wishes.remove(at);
                }
            }
        }
    }
    /// The rule of `node` that the model switches on, and a fact for each premise that has one.
    pub(super) fn chosen_rule(
        &self,
        store: &TermStore,
        node: Node,
        model: &Model,
    ) -> (RuleId, Vec<Option<FactId>>) {
        let mut best: Option<(usize, RuleId, Vec<Option<FactId>>)> = None;
        let mut evaluator = Evaluator::with_defaults(model);
        for &r in &self.rules.deriving[node] {
            let rule = &self.rules.all[r];
            let mut holds = |formula| evaluator.holds(store, formula) == Ok(true);
            if holds(self.rules.tags[r]) && holds(rule.guard) {
                let cover: Vec<Option<FactId>> = (0..rule.body.len())
                    .map(|j| self.facts.covering(store, (r, j), &mut evaluator))
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
    /// *Successor*: the fact that the model shows, all premises being covered by facts.
    fn successor(&mut self, cx: &mut Cx<'_>, node: Node, model: &Model) -> FactId {
        let (r, cover) = self.chosen_rule(cx.store, node, model);
        let premises: Vec<FactId> =
            cover.into_iter().map(|c| c.expect("facts were demanded")).collect();
        let mut parts = vec![self.rules.all[r].guard];
        for (premise, &fact) in self.rules.all[r].body.iter().zip(&premises) {
            let formula = self.facts.all[fact].formula;
            let formals = &self.rules.formals[Node::of(premise.pred)];
            parts.push(rename(cx.store, formula, formals, &premise.formals));
        }
        let body = cx.store.and(&parts);
        let formula = cx.phase(Phase::Projection, |cx| {
            project_onto(cx.store, body, &self.rules.formals[node], model)
        });
        self.stats.facts += 1;
        let fact = Fact { formula, rule: r, premises };
        self.facts.add(cx.store, &self.rules, &mut self.frames, node, fact)
    }
    /// *Decide*: the points of one uncovered premise from which the model reaches the obligation.
    fn decide(
        &mut self,
        cx: &mut Cx<'_>,
        obligation: &Obligation,
        model: &Model,
    ) -> Outcome<Obligation> {
        let (r, cover) = self.chosen_rule(cx.store, obligation.node, model);
        let Some(open) = cover.iter().position(Option::is_none) else {
            return Err(GaveUp::wrong("facts cover all premises, but no fact was derived"));
        };
        let below =
            obligation.level.previous().expect("at level 0 only rules without premises are on");
        let rule = &self.rules.all[r];
        let mut parts = obligation.cube.clone();
        parts.push(rule.guard);
        for (j, premise) in rule.body.iter().enumerate().filter(|&(j, _)| j != open) {
            let formulas: Vec<Term> = match cover[j] {
                Some(fact) => vec![self.facts.all[fact].formula],
                None => self.frames.at(Node::of(premise.pred), below).collect(),
            };
            for formula in formulas {
                let formals = &self.rules.formals[Node::of(premise.pred)];
                parts.push(rename(cx.store, formula, formals, &premise.formals));
            }
        }
        let body = cx.store.and(&parts);
        let premise = &rule.body[open];
        let points =
            cx.phase(Phase::Projection, |cx| project_onto(cx.store, body, &premise.formals, model));
        let node = Node::of(premise.pred);
        let points = rename(cx.store, points, &premise.formals, &self.rules.formals[node]);
        Ok(Obligation {
            node,
            cube: cx.store.conjuncts(&[points]),
            level: below,
            widen: obligation.guess.is_some(),
            guess: obligation.guess.map(|g| Guess { gas: g.gas - 1, until: g.until }),
        })
    }
}

/// An answer, or none if the solver could not find one; running out of means is passed on.
pub(super) fn decided<T>(answer: Outcome<T>) -> Outcome<Option<T>> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(GaveUp::Incomplete(_)) => Ok(None),
        Err(why) => Err(why),
    }
}

/// The projection of `formula` onto `keep`, by the model.
fn project_onto(store: &mut TermStore, formula: Term, keep: &[Symbol], model: &Model) -> Term {
    let mut eliminate = free_symbols(store, &[formula]);
    eliminate.retain(|s| !keep.contains(s));
    project(store, formula, &eliminate, model)
}
