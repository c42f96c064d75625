//! What Spacer tells other engines, and what it hears from them.
//!
//! | sent | when |
//! |---|---|
//! | lemmas that hold always | after every turn |
//! | small lemmas of the top level | after every turn |
//! | small facts, as points that are reached | after every turn |
//!
//! | taken | how |
//! |---|---|
//! | what holds always | joins the frames as it is: all of it is inductive together, and stays in the model |
//! | what holds within a bound, hints | as candidates: one joins the frames where the rules show it inductive relative to them, and up to the level where they do |
//! | points that are reached | a guess that would exclude one is not followed |
//!
//! So the invariant of the frames, that a step from one leads into the next, does not rest on what
//! others say.

use shofar_base::{Idx, Outcome};
use shofar_chc::PredId;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::{Evaluator, Model};
use shofar_term::size::tree_size;
use shofar_term::substitute::rename;
use shofar_term::{Bound, Cx, Level, Message, Says, Subject, Term, TermStore};

use super::frames::Lemma;
use super::literal::refuted_cubes;
use super::reach::{Fact, FactId};
use super::rules::Node;
use super::search::Search;

/// The name under which messages are published.
const SENDER: &str = "spacer";
/// Larger lemmas that hold within a bound are not told.
const SMALL: u64 = 24;
/// So many facts are told after one turn, the newest ones.
const FACTS: usize = 4;
/// So many candidates are tried in one turn, the newest ones.
const CANDIDATES: usize = 16;

/// A formula about a node that may be a lemma.
struct Candidate {
    node: Node,
    formula: Term,
    /// The level at which it is said to hold, if any.
    level: Option<Level>,
    message: Message,
}

/// Lets all searches learn from what others have said since the last time.
pub(super) fn hear(cx: &mut Cx<'_>, searches: &mut [Search<'_>]) -> Outcome<()> {
    let Some(exchange) = cx.exchange else { return Ok(()) };
    let Some(first) = searches.first() else { return Ok(()) };
    let (system, rules) = (first.system, first.rules.clone());
    let mut candidates = Vec::new();
    for message in exchange.receive(cx)? {
        let Subject::Predicate(symbol) = message.subject else { continue };
        let Some(node) = system.pred(symbol).map(Node::of) else { continue };
        let formula = rename(cx.store, message.formula, &message.params, &rules.formals[node]);
        let level = match message.says {
            Says::Holds { bound: Bound::Always, .. } => {
                exchange.took(&message);
                for search in searches.iter_mut() {
                    search.believe(cx, node, formula);
                }
                continue;
            }
            Says::Holds { bound: Bound::Within(level), .. } => Some(level),
            Says::Hint => None,
            Says::Reached => {
                if let Some(point) = point_of(cx, formula)? {
                    exchange.took(&message);
                    for search in searches.iter_mut() {
                        search.reached.push((node, point.clone()));
                    }
                }
                continue;
            }
        };
        candidates.push(Candidate { node, formula, level, message });
    }
    let old = candidates.len().saturating_sub(CANDIDATES);
    for Candidate { node, formula, level, message } in candidates.drain(old..) {
        let mut is_taken = false;
        for search in searches.iter_mut() {
            is_taken |= search.consider(cx, node, formula, level)?;
        }
        if is_taken {
            exchange.took(&message);
        }
    }
    Ok(())
}

/// A point of a formula.
fn point_of(cx: &mut Cx<'_>, formula: Term) -> Outcome<Option<Model>> {
    let mut solver = Solver::new(Options::default());
    solver.add(cx.store, formula);
    Ok(match solver.check(cx)? {
        Answer::Sat(model) => Some(model.assignment(cx.store)),
        Answer::Unsat(_) => None,
    })
}

impl Search<'_> {
    /// Whether a point of a cube is reached, as others say.
    pub(super) fn is_reached(&self, store: &TermStore, node: Node, cube: &[Term]) -> bool {
        self.reached.iter().filter(|(at, _)| *at == node).any(|(_, point)| {
            let mut evaluator = Evaluator::with_defaults(point);
            cube.iter().all(|&literal| evaluator.holds(store, literal) == Ok(true))
        })
    }
    /// Adds a lemma that holds always.
    fn believe(&mut self, cx: &mut Cx<'_>, node: Node, formula: Term) {
        let whole = vec![vec![cx.store.not(formula)]];
        for cube in refuted_cubes(cx.store, formula).unwrap_or(whole) {
            let is_new = self.frames.add(cx.store, &self.rules, node, cube, Bound::Always);
            self.stats.adopted += u64::from(is_new);
        }
    }
    /// Adds those clauses of `formula` that are inductive relative to the frames, at `level` or at
    /// the top; whether there are any.
    fn consider(
        &mut self,
        cx: &mut Cx<'_>,
        node: Node,
        formula: Term,
        level: Option<Level>,
    ) -> Outcome<bool> {
        let level = level.map_or(self.level, |level| level.min(self.level));
        let mut is_taken = false;
        for cube in refuted_cubes(cx.store, formula).unwrap_or_default() {
            if cube.is_empty() {
                continue;
            }
            let Some((cube, bound)) = self.excluded(cx, node, &cube, level)? else { continue };
            let is_new = self.frames.add(cx.store, &self.rules, node, cube, bound);
            self.stats.adopted += u64::from(is_new);
            is_taken |= is_new;
        }
        Ok(is_taken)
    }
    /// Gives what was found since `when` to the exchange: lemmas that hold always, small ones of
    /// the top level, small facts.
    pub(super) fn publish(&mut self, cx: &mut Cx<'_>, when: u64) {
        if cx.exchange.is_none() {
            return;
        }
        for node in self.system.preds().map(Node::of) {
            for index in 0..self.frames.lemmas[node].len() {
                let Lemma { formula, bound, since, .. } = self.frames.lemmas[node][index];
                let is_burden = bound < Bound::Always && tree_size(cx.store, &[formula]) > SMALL;
                if since > when && bound.reaches(self.level) && !is_burden {
                    self.tell(cx, node, formula, Says::holds(bound));
                }
            }
        }
        let first = self.facts_told.max(self.facts.all.len().saturating_sub(FACTS));
        for fact in (first..self.facts.all.len()).map(FactId::from_index) {
            let Fact { formula, rule, .. } = self.facts.all[fact];
            let node = self.rules.heads[rule];
            if node != self.rules.goal && tree_size(cx.store, &[formula]) <= SMALL {
                self.tell(cx, node, formula, Says::Reached);
            }
        }
        self.facts_told = self.facts.all.len();
    }
    fn tell(&self, cx: &mut Cx<'_>, node: Node, formula: Term, says: Says) {
        let Some(exchange) = cx.exchange else { return };
        let message = Message {
            subject: Subject::Predicate(self.system.symbol(PredId::from_index(node.index()))),
            params: self.rules.formals[node].clone(),
            formula,
            says,
            sender: SENDER.into(),
        };
        exchange.publish(cx.store, &message);
    }
}
