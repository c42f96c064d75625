//! How states were reached, and the run made of that.
//!
//! While the algorithm makes abstract paths real, it keeps for each set of reached states a tree: a
//! leaf is an exact query of level 0, an inner node two paths that meet. A run starts from one
//! state of the final set and walks over the leaves from that end; each leaf is one query for at
//! most two steps that end in the state found so far. No query is ever longer than that, and the
//! tree has one leaf for two steps of the run. What was [executed](super::execute) is a leaf of any
//! length: a state and the number of steps.
//!
//! Invariant: every state of the set that belongs to a tree has a path through the tree's sets;
//! that is what projection at level 0 guarantees. So the queries cannot fail.
//!
//! Source: [Bli22] Lemmas 4.8 and 4.18, whose proofs are this construction.

use std::rc::Rc;

use shofar_base::Outcome;
use shofar_chc::Run;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::Value;
use shofar_term::{Cx, Term};

use super::Direction;
use super::names::Names;
use super::reach::{Powers, Reached};
use super::sequence::{Power, Relation};

/// How a set of states was reached.
#[derive(Clone, Debug)]
pub(super) enum Path {
    /// By at most two steps, of element 0 of the relation, from (or, backward, to) the states
    /// `known`.
    Short { relation: Relation, known: Term },
    /// By so many steps from one state.
    Executed { start: Vec<Value>, steps: u64 },
    /// By one path after the other.
    Joined(Rc<Path>, Rc<Path>),
}

impl Powers {
    /// A run along the path by which bad states were reached, with its loops folded if it was
    /// executed.
    pub(super) fn folded_run(&mut self, cx: &mut Cx<'_>, reached: &Reached) -> Outcome<Run> {
        match (&*reached.path, self.options.direction) {
            (Path::Executed { start, steps }, Direction::Forward) => {
                let execution = self.execution.as_mut().expect("it was executed before");
                execution.folded(cx, start, *steps)
            }
            (Path::Executed { .. } | Path::Short { .. } | Path::Joined(..), _) => {
                self.run(cx, reached)
            }
        }
    }
    /// A run along the path by which bad states were reached.
    pub(super) fn run(&mut self, cx: &mut Cx<'_>, reached: &Reached) -> Outcome<Run> {
        let state = self.some_state(cx, reached.states)?;
        self.run_with(cx, reached, state)
    }
    /// A run along the path with this state, one of those reached, at its end (backward: at its
    /// start).
    pub(super) fn run_with(
        &mut self,
        cx: &mut Cx<'_>,
        reached: &Reached,
        state: Vec<Value>,
    ) -> Outcome<Run> {
        let mut states = vec![state];
        let mut stack = vec![Rc::clone(&reached.path)];
        while let Some(path) = stack.pop() {
            match (&*path, self.options.direction) {
                (Path::Short { relation, known }, _) => {
                    self.extend(cx, *relation, *known, &mut states)?;
                }
                (Path::Executed { start, steps }, _) => {
                    let execution = self.execution.as_mut().expect("it was executed before");
                    let run = execution.states(start, *steps);
                    assert_eq!(run.last(), states.last(), "the paths meet");
                    states.extend(run.into_iter().rev().skip(1));
                }
                (Path::Joined(first, second), Direction::Forward) => {
                    stack.extend([Rc::clone(first), Rc::clone(second)]);
                }
                (Path::Joined(first, second), Direction::Backward) => {
                    stack.extend([Rc::clone(second), Rc::clone(first)]);
                }
            }
        }
        if self.options.direction == Direction::Forward {
            states.reverse();
        }
        Ok(Run::ground(states))
    }
    fn some_state(&mut self, cx: &mut Cx<'_>, states: Term) -> Outcome<Vec<Value>> {
        let mut solver = Solver::new(Options::default());
        solver.add(cx.store, states);
        let Answer::Sat(model) = solver.check(cx)? else {
            unreachable!("sets of reached states are not empty")
        };
        Ok(Names::values(cx.store, &self.names.ts.state, &model.assignment(cx.store)))
    }
    /// Adds the states of at most two steps between `known` and the last one of `states`.
    fn extend(
        &mut self,
        cx: &mut Cx<'_>,
        relation: Relation,
        known: Term,
        states: &mut Vec<Vec<Value>>,
    ) -> Outcome<()> {
        cx.budget.check()?;
        let end = self.names.is_state(cx.store, states.last().expect("there is a first state"));
        let (source, target) = match self.options.direction {
            Direction::Forward => (known, end),
            Direction::Backward => (end, known),
        };
        let target = self.names.primed(cx.store, target);
        let model = self.composition(cx.store, relation, Power::ZERO).values(cx, source, target)?;
        let model = model.expect("every reached state has a path");
        let far = match self.options.direction {
            Direction::Forward => &self.names.ts.state,
            Direction::Backward => &self.names.ts.next,
        };
        for symbols in [&self.names.middle, far] {
            let state = Names::values(cx.store, symbols, &model);
            // A step that changes nothing can be left out.
            if states.last() != Some(&state) {
                states.push(state);
            }
        }
        Ok(())
    }
}
