//! The question whether target states are reachable from source states within exponentially many steps.
//!
//! [`Powers::is_reachable`] is Algorithms 4.2, 4.4 and 4.5 in one: they differ in which relations are composed
//! ([`Relation::halves`]) and whether one half may be left out.
//!
//! Invariant: a call that returns nothing has refined element `n + 1` so that it connects no source with a target; a call that
//! returns states returns target states that the stated number of steps reaches from the source (in the backward direction: source states from
//! which the target is reached), and every one of them is.
//!
//! Source: [Bli22] §4.3.1, §4.3.4 and §4.4.4; §4.5 for the other order and direction.

use std::rc::Rc;

use shofar_base::Outcome;
use shofar_chc::TransitionSystem;
use shofar_smt::Interpolation;
use shofar_term::eval::Model;
use shofar_term::{Cx, Symbol, Term, TermStore};

use super::compose::{Composition, Connected};
use super::execute::{Execution, Start, is_point};
use super::fixpoint::{Side, Tried};
use super::names::Names;
use super::path::Path;
use super::sequence::{Half, Relation, Sequences};
use super::{Direction, Elimination, TpaOptions};

/// States that are truly reached, and how.
#[derive(Clone, Debug)]
pub(super) struct Reached {
    pub(super) states: Term,
    pub(super) path: Rc<Path>,
}

/// The sequences of a transition system, and the solvers that ask about them.
pub(super) struct Powers {
    pub(super) names: Names,
    pub(super) sequences: Sequences,
    pub(super) options: TpaOptions,
    pub(super) tried: Tried,
    pub(super) execution: Option<Execution>,
    /// Where transition invariants are anchored if there is a choice.
    pub(super) prefers: Side,
    compositions: Vec<(Relation, Vec<Composition>)>,
    how: Interpolation,
}

impl Powers {
    pub(super) fn new(store: &mut TermStore, ts: TransitionSystem, options: TpaOptions) -> Self {
        let execution = Execution::new(store, &ts);
        let names = Names::new(store, ts);
        Self {
            sequences: Sequences::new(store, &names),
            names,
            how: options.interpolation(),
            options,
            tried: Tried::default(),
            execution,
            prefers: Side::Left,
            compositions: Vec::new(),
        }
    }
    /// From now on, these are the initial and the bad states. What was learned about steps stays.
    pub(super) fn set_ends(&mut self, store: &mut TermStore, init: Term, bad: Term) {
        self.names.set_ends(store, init, bad);
        self.tried = Tried::default();
    }
    /// `IsReachable(n, source, target)`: the states reached within `2ⁿ⁺¹` steps, as `relation` counts them.
    pub(super) fn is_reachable(
        &mut self,
        cx: &mut Cx<'_>,
        relation: Relation,
        n: usize,
        source: Term,
        target: Term,
    ) -> Outcome<Option<Reached>> {
        let primed = self.names.primed(cx.store, target);
        loop {
            cx.budget.check()?;
            let how = self.how.clone();
            let query = self.composition(cx.store, relation, n);
            let model = match query.check(cx, source, primed, &how)? {
                Connected::Not { why, coarse } => {
                    let conjuncts = cx.store.conjuncts(&[why]);
                    self.sequences.refine(relation, n + 1, &conjuncts);
                    let guesses = cx.store.conjuncts(&[coarse]);
                    self.sequences.guess(relation, n + 1, &guesses);
                    return Ok(None);
                }
                Connected::By(model) => model,
            };
            let halves = query.halves();
            let is_skipped = query.is_skipped(&model);
            if n == 0 {
                return self.reached(cx, relation, source, target, &model).map(Some);
            }
            if let Some(reached) = self.executed(cx, relation, n, [source, target], &model)? {
                return Ok(Some(reached));
            }
            if is_skipped {
                let taken = halves.into_iter().find_map(|half| match half {
                    Half::Taken(relation) => Some(relation),
                    Half::Optional(_) => None,
                });
                let taken = taken.expect("at most one half is optional");
                match self.is_reachable(cx, taken, n - 1, source, target)? {
                    Some(reached) => return Ok(Some(reached)),
                    None => continue,
                }
            }
            let mut query = self.query(cx.store, relation, n, source, primed);
            if self.options.elimination == Elimination::Full {
                // Nothing is left out on the way over the middle; a projection does what the model does.
                let taken = self.composition(cx.store, relation, n).is_taken(cx.store);
                query = cx.store.and(&[query, taken]);
            }
            let middle = self.names.middle.clone();
            let middle = self.keep(cx, query, &middle, relation, n, &model)?;
            let middle = self.names.moved_from_middle(cx.store, middle);
            let halves = halves.map(Half::relation);
            if let Some(reached) = self.through(cx, halves, n - 1, [source, middle, target])? {
                return Ok(Some(reached));
            }
        }
    }
    /// The state that running the system from a source state reaches.
    fn executed(
        &mut self,
        cx: &mut Cx<'_>,
        relation: Relation,
        n: usize,
        [source, target]: [Term; 2],
        model: &Model,
    ) -> Outcome<Option<Reached>> {
        let (Some(execution), Direction::Forward) = (&mut self.execution, self.options.direction)
        else {
            return Ok(None);
        };
        let variables = &self.names.ts.state;
        let start = Names::values(cx.store, variables, model);
        let start_at = if [source, target] == [self.names.init, self.names.bad] {
            Start::Top(start.clone())
        } else if is_point(cx.store, source, variables) {
            Start::Inside(start.clone())
        } else {
            return Ok(None);
        };
        let found = execution.reaches(cx, relation, n, start_at, target)?;
        Ok(found.map(|(steps, end)| Reached {
            states: self.names.is_state(cx.store, &end),
            path: Rc::new(Path::Executed { start, steps }),
        }))
    }
    /// Gives the elements up to `n + 1` the conjuncts of the ones before that two steps preserve.
    pub(super) fn push(&mut self, cx: &mut Cx<'_>, n: usize) -> Outcome<()> {
        for &relation in super::asked(self.options.variant) {
            for level in 1..=n {
                let conjuncts = self.sequences.candidates(relation, level);
                for conjunct in conjuncts {
                    if self.sequences.has(relation, level + 1, conjunct) {
                        continue;
                    }
                    let steps = self.composition(cx.store, relation, level);
                    if steps.is_within(cx, conjunct)? {
                        self.sequences.refine(relation, level + 1, &[conjunct]);
                    }
                }
            }
        }
        Ok(())
    }
    /// Makes a path over states in the middle real, one half after the other.
    fn through(
        &mut self,
        cx: &mut Cx<'_>,
        [first, second]: [Relation; 2],
        n: usize,
        [source, middle, target]: [Term; 3],
    ) -> Outcome<Option<Reached>> {
        let joined = |first: Reached, second: Reached, states| Reached {
            states,
            path: Rc::new(Path::Joined(first.path, second.path)),
        };
        match self.options.direction {
            Direction::Forward => {
                let Some(first) = self.is_reachable(cx, first, n, source, middle)? else {
                    return Ok(None);
                };
                let Some(second) = self.is_reachable(cx, second, n, first.states, target)? else {
                    return Ok(None);
                };
                let states = second.states;
                Ok(Some(joined(first, second, states)))
            }
            Direction::Backward => {
                let Some(second) = self.is_reachable(cx, second, n, middle, target)? else {
                    return Ok(None);
                };
                let Some(first) = self.is_reachable(cx, first, n, source, second.states)? else {
                    return Ok(None);
                };
                let states = first.states;
                Ok(Some(joined(first, second, states)))
            }
        }
    }
    /// The states that the exact query of level 0 reaches.
    fn reached(
        &mut self,
        cx: &mut Cx<'_>,
        relation: Relation,
        source: Term,
        target: Term,
        model: &Model,
    ) -> Outcome<Reached> {
        let primed = self.names.primed(cx.store, target);
        let query = self.query(cx.store, relation, 0, source, primed);
        let (states, known) = match self.options.direction {
            Direction::Forward => {
                let next = self.names.ts.next.clone();
                let states = self.keep(cx, query, &next, relation, 0, model)?;
                (self.names.unprimed(cx.store, states), source)
            }
            Direction::Backward => {
                let state = self.names.ts.state.clone();
                (self.keep(cx, query, &state, relation, 0, model)?, target)
            }
        };
        Ok(Reached { states, path: Rc::new(Path::Short { relation, known }) })
    }
    fn query(
        &mut self,
        store: &mut TermStore,
        relation: Relation,
        n: usize,
        source: Term,
        primed: Term,
    ) -> Term {
        let steps = self.composition(store, relation, n).formula();
        store.and(&[source, steps, primed])
    }
    /// What `query` says about the symbols `kept`: `QE` of the algorithms, or what a model shows of it.
    fn keep(
        &mut self,
        cx: &mut Cx<'_>,
        query: Term,
        kept: &[Symbol],
        relation: Relation,
        n: usize,
        model: &Model,
    ) -> Outcome<Term> {
        let mut others = self.names.all_but(kept);
        others.extend(self.composition(cx.store, relation, n).skip());
        match self.options.elimination {
            Elimination::Projection => Ok(shofar_mbp::project(cx.store, query, &others, model)),
            Elimination::Full => shofar_mbp::eliminate(cx, query, &others),
        }
    }
    /// The solver for two steps of level `n`, up to date.
    pub(super) fn composition(
        &mut self,
        store: &mut TermStore,
        relation: Relation,
        n: usize,
    ) -> &mut Composition {
        let position = self.compositions.iter().position(|(r, _)| *r == relation);
        let position = position.unwrap_or_else(|| {
            self.compositions.push((relation, Vec::new()));
            self.compositions.len() - 1
        });
        let levels = &mut self.compositions[position].1;
        while levels.len() <= n {
            let halves = relation.halves(self.options.order);
            levels.push(Composition::new(store, &mut self.names, halves, self.options.seed));
        }
        let composition = &mut levels[n];
        composition.load(store, &mut self.names, &self.sequences, n);
        composition
    }
}
