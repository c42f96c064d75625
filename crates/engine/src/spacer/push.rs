//! Raising lemmas, until a level is empty and the lemmas above it are a solution.
//!
//! Why a lemma could not be raised is kept as a model, and the lemma is not tried again while that model stands.
//!
//! Source: [KGC16] rules *Unfold* and *Push*.

use shofar_base::Outcome;
use shofar_smt::Answer;
use shofar_term::eval::Evaluator;
use shofar_term::{Cx, TermStore};

use super::frames::{Obstacle, Own};
use super::rules::{Node, rename};
use super::search::Search;

impl Search<'_> {
    /// Lifts lemmas of levels up to `top` as far as they hold; returns a level that has become empty.
    pub(super) fn push_lemmas(&mut self, cx: &mut Cx<'_>, top: usize) -> Outcome<Option<usize>> {
        let nodes: Vec<Node> = self.rules.deriving.handles().collect();
        for level in 0..=top {
            let mut is_empty = true;
            for &node in &nodes {
                for index in 0..self.frames.lemmas[node].len() {
                    if self.frames.lemmas[node][index].level == level {
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
        level: usize,
    ) -> Outcome<bool> {
        if self.obstacle_stands(cx.store, node, index, level) {
            self.stats.skipped_pushes += 1;
            return Ok(false);
        }
        let mut assumptions =
            self.frames.step_switches(cx.store, &self.rules, node, level + 1, Own::Known);
        assumptions.extend(&self.frames.lemmas[node][index].cube);
        self.stats.pushes += 1;
        let failed = match self.frames.steps(node).check_assuming(cx, &assumptions)? {
            Answer::Unsat(view) => view.failed(),
            Answer::Sat(view) => {
                let model = view.assignment().clone();
                let (rule, _) = self.chosen_rule(cx.store, node, &model);
                let when = self.frames.clock;
                self.frames.lemmas[node][index].obstacle = Some(Obstacle { rule, model, when });
                return Ok(false);
            }
        };
        let until = self.frames.holds_until(cx.store, &self.rules, (node, level + 1), &failed);
        self.frames.raise(cx.store, &self.rules, node, index, until);
        Ok(true)
    }
    /// Whether no lemma that has come to count since rules out the step that keeps the lemma at `level`.
    fn obstacle_stands(
        &self,
        store: &mut TermStore,
        node: Node,
        index: usize,
        level: usize,
    ) -> bool {
        let Some(obstacle) = &self.frames.lemmas[node][index].obstacle else { return false };
        let mut evaluator = Evaluator::new(&obstacle.model);
        let own = self.frames.lemmas[node].iter();
        if own
            .filter(|l| l.level > level && l.since > obstacle.when)
            .any(|l| !evaluator.holds(store, l.formula))
        {
            return false;
        }
        for premise in &self.rules.all[obstacle.rule].body {
            let formals = &self.rules.formals[premise.node];
            for lemma in &self.frames.lemmas[premise.node] {
                if lemma.level >= level && lemma.since > obstacle.when {
                    let said = rename(store, lemma.formula, formals, &premise.args);
                    if !evaluator.holds(store, said) {
                        return false;
                    }
                }
            }
        }
        true
    }
}
