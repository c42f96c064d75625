//! The question whether target states are reachable from source states within exponentially many
//! steps.
//!
//! [`Powers::is_reachable`] is Algorithms 4.2, 4.4 and 4.5 in one: they differ in which relations
//! are composed ([`Relation::halves`]) and whether one half may be left out.
//!
//! Invariant: a call that returns nothing has refined element `n + 1` so that it connects no source
//! with a target; a call that returns states returns target states that the stated number of steps
//! reaches from the source (in the backward direction: source states from which the target is
//! reached), and every one of them is.
//!
//! Source: [Bli22] §4.3.1, §4.3.4 and §4.4.4; §4.5 for the other order and direction.

use std::rc::Rc;

use shofar_base::{Idx, IndexVec, Outcome};
use shofar_chc::TransitionSystem;
use shofar_smt::Interpolation;
use shofar_term::eval::Model;
use shofar_term::{Cx, Symbol, Term, TermStore};

use super::compose::{Composition, Connected};
use super::execute::{Execution, Start, is_point};
use super::fixpoint::{Side, Tried};
use super::names::Names;
use super::path::Path;
use super::sequence::{Half, Power, Relation, Sequences};
use super::{Direction, Elimination, TpaOptions};

/// States that are truly reached, and how.
#[derive(Clone, Debug)]
pub(super) struct Reached {
    pub(super) states: Term,
    pub(super) path: Rc<Path>,
}

/// The halves of two steps that a model takes.
enum Remaining {
    /// One, the other being left out.
    One(Relation),
    /// Both.
    Both([Relation; 2]),
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
    compositions: Vec<(Relation, IndexVec<Power, Composition>)>,
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
    /// `IsReachable(n, source, target)`: the states reached within `2ⁿ⁺¹` steps, as `relation`
    /// counts them.
    pub(super) fn is_reachable(
        &mut self,
        cx: &mut Cx<'_>,
        relation: Relation,
        n: Power,
        source: Term,
        target: Term,
    ) -> Outcome<Option<Reached>> {
        loop {
            cx.budget.check()?;
            let Some(model) = self.connect(cx, relation, n, source, target)? else {
                return Ok(None);
            };
            let Some(below) = n.previous() else {
                return self.reached(cx, relation, source, target, &model).map(Some);
            };
            if let Some(reached) = self.executed(cx, relation, n, [source, target], &model)? {
                return Ok(Some(reached));
            }
            let found = match self.remaining(cx.store, relation, n, &model) {
                Remaining::One(half) => self.is_reachable(cx, half, below, source, target)?,
                Remaining::Both(halves) => {
                    let middle = self.intermediate(cx, relation, n, [source, target], &model)?;
                    self.through(cx, halves, below, [source, middle, target])?
                }
            };
            if found.is_some() {
                return Ok(found);
            }
        }
    }
    /// Two steps of element `n` from `source` to `target`; if there are none, element `n + 1` is
    /// refined by why not.
    fn connect(
        &mut self,
        cx: &mut Cx<'_>,
        relation: Relation,
        n: Power,
        source: Term,
        target: Term,
    ) -> Outcome<Option<Model>> {
        let primed = self.names.primed(cx.store, target);
        let how = self.how.clone();
        match self.composition(cx.store, relation, n).check(cx, source, primed, &how)? {
            Connected::By(model) => Ok(Some(model)),
            Connected::Not { why, coarse } => {
                let conjuncts = cx.store.conjuncts(&[why]);
                self.sequences.refine(relation, n.next(), &conjuncts);
                let guesses = cx.store.conjuncts(&[coarse]);
                self.sequences.guess(relation, n.next(), &guesses);
                Ok(None)
            }
        }
    }
    /// The halves that `model` takes.
    fn remaining(
        &mut self,
        store: &mut TermStore,
        relation: Relation,
        n: Power,
        model: &Model,
    ) -> Remaining {
        let composition = self.composition(store, relation, n);
        let halves = composition.halves();
        if !composition.is_skipped(model) {
            return Remaining::Both(halves.map(Half::relation));
        }
        let taken = halves.into_iter().find_map(|half| match half {
            Half::Taken(relation) => Some(relation),
            Half::Optional(_) => None,
        });
        Remaining::One(taken.expect("at most one half is optional"))
    }
    /// The states in the middle of two steps of element `n`.
    fn intermediate(
        &mut self,
        cx: &mut Cx<'_>,
        relation: Relation,
        n: Power,
        [source, target]: [Term; 2],
        model: &Model,
    ) -> Outcome<Term> {
        let primed = self.names.primed(cx.store, target);
        let mut query = self.query(cx.store, relation, n, source, primed);
        if self.options.elimination == Elimination::Full {
            // Nothing is left out on the way over the middle; a projection does what the model
            // does.
            let taken = self.composition(cx.store, relation, n).is_taken(cx.store);
            query = cx.store.and(&[query, taken]);
        }
        let middle = self.names.middle.clone();
        let middle = self.qe(cx, query, &middle, relation, n, model)?;
        Ok(self.names.moved_from_middle(cx.store, middle))
    }
    /// The state that running the system from a source state reaches.
    fn executed(
        &mut self,
        cx: &mut Cx<'_>,
        relation: Relation,
        n: Power,
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
    pub(super) fn push(&mut self, cx: &mut Cx<'_>, n: Power) -> Outcome<()> {
        for &relation in super::asked(self.options.variant) {
            for level in n.from(Power::new(1)) {
                let conjuncts = self.sequences.candidates(relation, level);
                for conjunct in conjuncts {
                    if self.sequences.has(relation, level.next(), conjunct) {
                        continue;
                    }
                    let steps = self.composition(cx.store, relation, level);
                    if steps.is_within(cx, conjunct)? {
                        self.sequences.refine(relation, level.next(), &[conjunct]);
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
        n: Power,
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
        let query = self.query(cx.store, relation, Power::ZERO, source, primed);
        let (states, known) = match self.options.direction {
            Direction::Forward => {
                let next = self.names.ts.next.clone();
                let states = self.qe(cx, query, &next, relation, Power::ZERO, model)?;
                (self.names.unprimed(cx.store, states), source)
            }
            Direction::Backward => {
                let state = self.names.ts.state.clone();
                (self.qe(cx, query, &state, relation, Power::ZERO, model)?, target)
            }
        };
        Ok(Reached { states, path: Rc::new(Path::Short { relation, known }) })
    }
    fn query(
        &mut self,
        store: &mut TermStore,
        relation: Relation,
        n: Power,
        source: Term,
        primed: Term,
    ) -> Term {
        let steps = self.composition(store, relation, n).formula();
        store.and(&[source, steps, primed])
    }
    /// What `query` says about the symbols `kept`: `QE` of the algorithms, or what a model shows of
    /// it.
    fn qe(
        &mut self,
        cx: &mut Cx<'_>,
        query: Term,
        kept: &[Symbol],
        relation: Relation,
        n: Power,
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
        n: Power,
    ) -> &mut Composition {
        let position = self.compositions.iter().position(|(r, _)| *r == relation);
        let position = position.unwrap_or_else(|| {
            self.compositions.push((relation, IndexVec::new()));
            self.compositions.len() - 1
        });
        let levels = &mut self.compositions[position].1;
        while levels.len() <= n.index() {
            let halves = relation.halves(self.options.order);
            levels.push(Composition::new(store, &mut self.names, halves, self.options.seed));
        }
        let composition = &mut levels[n];
        composition.load(store, &mut self.names, &self.sequences, n);
        composition
    }
}
