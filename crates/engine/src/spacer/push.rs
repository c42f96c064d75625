//! Raising lemmas, until a level is empty and the lemmas above it are a solution.
//!
//! Why a lemma could not be raised is kept as a model, and the lemma is not tried again while that
//! model stands.
//!
//! Source: [KGC16] rules *Induction* and *Safe*.

use shofar_base::{Idx, Outcome};
use shofar_smt::Answer;
use shofar_term::eval::{Evaluator, Model};
use shofar_term::{Bound, Cx, Level, TermStore};

use super::frames::{Obstacle, Own};
use super::rules::Node;
use super::search::{Search, decided};

impl Search<'_> {
    /// *Induction*: lifts lemmas of levels up to `top` as far as they hold; returns a level that
    /// has become empty.
    pub(super) fn induction(&mut self, cx: &mut Cx<'_>, top: Level) -> Outcome<Option<Level>> {
        let nodes: Vec<Node> = self.rules.deriving.handles().collect();
        for level in (0..=top.index()).map(Level::from_index) {
            let mut is_empty = true;
            for &node in &nodes {
                for index in 0..self.frames.lemmas[node].len() {
                    if self.frames.lemmas[node][index].bound == Bound::Within(level) {
                        cx.budget.check()?;
                        is_empty &= self.push_lemma(cx, node, index, level)?;
                    }
                }
            }
            if is_empty {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }
    /// Tries to raise one lemma above `level`.
    fn push_lemma(
        &mut self,
        cx: &mut Cx<'_>,
        node: Node,
        index: usize,
        level: Level,
    ) -> Outcome<bool> {
        if self.obstacle_stands(cx.store, node, index, level) {
            self.stats.skipped_pushes += 1;
            return Ok(false);
        }
        let mut assumptions =
            self.frames.step_switches(cx.store, &self.rules, node, level.next(), Own::Known);
        assumptions.extend(&self.frames.lemmas[node][index].cube);
        self.stats.pushes += 1;
        let failed = match decided(self.frames.steps(node).check_assuming(cx, &assumptions))? {
            None => return Ok(false),
            Some(Answer::Unsat(view)) => view.failed(),
            Some(Answer::Sat(view)) => {
                let model = view.assignment(cx.store);
                let obstacle = self.obstacle(cx.store, node, &model);
                self.frames.lemmas[node][index].obstacle = Some(obstacle);
                return Ok(false);
            }
        };
        let until = self.frames.holds_until(cx.store, &self.rules, (node, level.next()), &failed);
        self.frames.raise(cx.store, &self.rules, node, index, until);
        Ok(true)
    }
    /// The step that `model` shows.
    fn obstacle(&self, store: &TermStore, node: Node, model: &Model) -> Obstacle {
        let (rule, _) = self.chosen_rule(store, node, model);
        let mut points = vec![(node, model.clone())];
        for premise in &self.rules.all[rule].body {
            let mut point = Model::new();
            let node = Node::of(premise.pred);
            for (&formal, arg) in self.rules.formals[node].iter().zip(&premise.formals) {
                point.set(formal, model.get_or_default(store, *arg));
            }
            points.push((node, point));
        }
        Obstacle { points, when: self.frames.clock }
    }
    /// Whether no lemma that has come to count since rules out the step that keeps the lemma at
    /// `level`. If so, these lemmas need not be looked at again.
    fn obstacle_stands(
        &mut self,
        store: &TermStore,
        node: Node,
        index: usize,
        level: Level,
    ) -> bool {
        let Some(obstacle) = &self.frames.lemmas[node][index].obstacle else { return false };
        let stands = obstacle.points.iter().enumerate().all(|(i, (node, point))| {
            let counts_from = if i == 0 { level.next() } else { level };
            let mut evaluator = Evaluator::with_defaults(point);
            self.frames.lemmas[*node]
                .iter()
                .filter(|l| l.bound.reaches(counts_from) && l.since > obstacle.when)
                .all(|l| evaluator.holds(store, l.formula) == Ok(true))
        });
        let clock = self.frames.clock;
        if let Some(obstacle) = &mut self.frames.lemmas[node][index].obstacle
            && stands
        {
            obstacle.when = clock;
        }
        stands
    }
}
