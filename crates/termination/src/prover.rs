//! Builds the argument that all runs end, component by component.
//!
//! [`Prover::advance`] takes components of the pieces that are left and looks for steps
//! ([`crate::ranking`]) until nothing is left or every component is stuck. Functions that remove a
//! piece are preferred to those that split one. [`Prover::refine`] asks safety queries about a
//! component that is stuck: for functions that hold of reachable states ([`crate::lasso`]), and for
//! pieces that never follow each other there.
//!
//! Invariant: `steps` is a valid beginning of an argument under `invariants`, and `left` is what it
//! leaves. Invariants only become stronger, so steps stay valid.

use shofar_base::{GaveUp, Outcome};
use shofar_chc::{Clause, Definition, Interpretation, formal_params};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::tidy::tidy;
use shofar_term::{Cx, Term, TermStore};
use shofar_theory::implicant::implicant;

use crate::flow;
use crate::lasso;
use crate::program::{Program, Transition, components};
use crate::ranking::{Piece, Step, TerminationProof};
use crate::safety::{Reached, Safety};
use crate::synthesis::{Goal, Live, Synthesis};

/// So many steps may split pieces.
const MOST_SPLITS: usize = 12;
/// A transition with more cases is one piece.
const MOST_CASES: usize = 6;
/// About so many pairs of pieces it is asked whether they follow each other.
const MOST_PAIRS: usize = 12;

/// A piece that is left.
#[derive(Clone, Debug)]
struct Left {
    piece: usize,
    transition: Transition,
    /// Its condition, and what steps have added.
    conditions: Vec<Term>,
}

/// The state of the search.
pub(crate) struct Prover<'p> {
    program: &'p Program,
    invariants: Interpretation,
    pieces: Vec<Piece>,
    steps: Vec<Step>,
    left: Vec<Left>,
    splits: usize,
}

impl<'p> Prover<'p> {
    /// Nothing is proved yet but `invariants`.
    pub(crate) fn new(
        cx: &mut Cx<'_>,
        program: &'p Program,
        invariants: Interpretation,
    ) -> Outcome<Self> {
        let (mut pieces, mut left) = (Vec::new(), Vec::new());
        for &transition in program.transitions() {
            for condition in cases(cx, program, transition)? {
                left.push(Left { piece: pieces.len(), transition, conditions: vec![condition] });
                pieces.push(Piece { clause: transition.clause, condition });
            }
        }
        Ok(Self { program, invariants, pieces, steps: Vec::new(), left, splits: 0 })
    }
    /// What holds at each location.
    pub(crate) fn invariants(&self) -> &Interpretation {
        &self.invariants
    }
    /// The argument so far, with invariants that somebody can read.
    pub(crate) fn proof(&self, store: &mut TermStore) -> TerminationProof {
        let mut invariants = Interpretation::new();
        for pred in self.program.system().preds() {
            if let Some(Definition { params, body }) = self.invariants.get(pred) {
                let body = tidy(store, *body);
                invariants.define(pred, Definition { params: params.clone(), body });
            }
        }
        TerminationProof { invariants, pieces: self.pieces.clone(), steps: self.steps.clone() }
    }
    /// Finds steps with the invariants that are known; the result is the components that are stuck.
    pub(crate) fn advance(&mut self, cx: &mut Cx<'_>) -> Outcome<Vec<Vec<usize>>> {
        loop {
            self.drop_dead(cx)?;
            let components = self.components(cx)?;
            let mut has_moved = false;
            for component in &components {
                has_moved |= self.rank(cx, component)?;
            }
            if !has_moved {
                return Ok(components);
            }
        }
    }
    /// Finds a step for a component, or makes it smaller, with the help of safety queries.
    pub(crate) fn refine(
        &mut self,
        cx: &mut Cx<'_>,
        component: &[usize],
        safety: &mut Safety,
    ) -> Outcome<bool> {
        for goal in self.goals() {
            let live = self.live(cx, Some(component));
            let synthesis = Synthesis::new(cx, self.program, live, goal);
            let found = settled(lasso::run(cx, self.program, synthesis, safety))?.flatten();
            if let Some((step, invariants)) = found {
                self.strengthen(cx, &invariants);
                self.take(cx, step, goal);
                return Ok(true);
            }
        }
        self.separate(cx, component, safety)
    }
    /// Looks for two pieces that never follow each other in a run.
    fn separate(
        &mut self,
        cx: &mut Cx<'_>,
        component: &[usize],
        safety: &mut Safety,
    ) -> Outcome<bool> {
        let live = self.live(cx, Some(component));
        let mut pairs = flow::edges(cx, self.program, &live)?;
        pairs.retain(|(first, second)| first != second);
        for (first, second) in pairs.into_iter().take(MOST_PAIRS) {
            let piece = |wanted: usize| live.iter().find(|one| one.piece == wanted);
            let (Some(first), Some(second)) = (piece(first), piece(second)) else { continue };
            let constraint = flow::in_a_row(cx, self.program, first, second);
            let body = vec![self.program.rule(first.transition).0.clone()];
            let query = Clause { head: None, body, constraint, span: None };
            if let Reached::Never(invariants) = safety.ask(cx, self.program, vec![query])? {
                self.strengthen(cx, &invariants);
                return Ok(true);
            }
        }
        Ok(false)
    }
    /// The transitions of which pieces are left in a component.
    pub(crate) fn transitions(&self, component: &[usize]) -> Vec<Transition> {
        let inside = self.left.iter().filter(|left| component.contains(&left.piece));
        let mut transitions: Vec<Transition> = inside.map(|left| left.transition).collect();
        transitions.dedup();
        transitions
    }
    fn components(&self, cx: &mut Cx<'_>) -> Outcome<Vec<Vec<usize>>> {
        let live = self.live(cx, None);
        Ok(components(&flow::edges(cx, self.program, &live)?))
    }
    /// The goals that may still be pursued.
    fn goals(&self) -> Vec<Goal> {
        if self.splits < MOST_SPLITS {
            vec![Goal::Bounded, Goal::Split]
        } else {
            vec![Goal::Bounded]
        }
    }
    /// What is left, of a component or of all.
    fn live(&self, cx: &mut Cx<'_>, component: Option<&[usize]>) -> Vec<Live> {
        let is_asked = |left: &&Left| component.is_none_or(|pieces| pieces.contains(&left.piece));
        let mut live = Vec::new();
        for Left { piece, transition, conditions } in self.left.iter().filter(is_asked) {
            let mut parts = vec![self.program.relation(cx.store, *transition, &self.invariants)];
            parts.extend(conditions);
            let relation = cx.store.and(&parts);
            live.push(Live { piece: *piece, transition: *transition, relation });
        }
        live
    }
    /// Drops pieces whose conditions cannot hold.
    fn drop_dead(&mut self, cx: &mut Cx<'_>) -> Outcome<()> {
        let mut dead = Vec::new();
        for one in self.live(cx, None) {
            cx.budget.check()?;
            let mut solver = Solver::new(Options::default());
            solver.add(cx.store, one.relation);
            let answer = solver.check(cx).map(|answer| matches!(answer, Answer::Unsat(_)));
            if settled(answer)? == Some(true) {
                dead.push(one.piece);
            }
        }
        self.left.retain(|left| !dead.contains(&left.piece));
        Ok(())
    }
    /// Finds a step for a component; false if there is none.
    fn rank(&mut self, cx: &mut Cx<'_>, component: &[usize]) -> Outcome<bool> {
        for goal in self.goals() {
            let live = self.live(cx, Some(component));
            let synthesis = Synthesis::new(cx, self.program, live, goal);
            if let Some(step) = settled(synthesis.run(cx))?.flatten() {
                self.take(cx, step, goal);
                return Ok(true);
            }
        }
        Ok(false)
    }
    /// Takes a step: decreasing pieces go on where their functions are negative.
    fn take(&mut self, cx: &mut Cx<'_>, step: Step, goal: Goal) {
        self.splits += usize::from(goal == Goal::Split);
        for left in &mut self.left {
            if step.decreasing.contains(&left.piece)
                && let Some(rank) = step.rank(left.transition.from)
            {
                let (body, _, _) = self.program.rule(left.transition);
                left.conditions.push(rank.is_negative(cx.store, &body.args));
            }
        }
        self.steps.push(step);
    }
    /// Adds further invariants.
    pub(crate) fn strengthen(&mut self, cx: &mut Cx<'_>, further: &Interpretation) {
        let mut both = Interpretation::new();
        for pred in self.program.system().preds() {
            let params = formal_params(cx.store, self.program.system(), pred);
            let args: Vec<Term> = params.iter().map(|&param| cx.store.constant(param)).collect();
            let parts = [&self.invariants, further].map(|known| match known.get(pred) {
                Some(definition) => definition.apply(cx.store, &args),
                None => cx.store.top(),
            });
            let body = cx.store.and(&parts);
            both.define(pred, Definition { params, body });
        }
        self.invariants = both;
    }
}

/// The cases of a transition: few conjunctions that cover its constraint, or the constraint itself.
fn cases(cx: &mut Cx<'_>, program: &Program, transition: Transition) -> Outcome<Vec<Term>> {
    let (_, constraint, _) = program.rule(transition);
    let mut solver = Solver::new(Options::default());
    solver.add(cx.store, constraint);
    let mut cases = Vec::new();
    while cases.len() <= MOST_CASES {
        let model = match solver.check(cx) {
            Ok(Answer::Sat(view)) => view.assignment(cx.store),
            Ok(Answer::Unsat(_)) => return Ok(cases),
            Err(why) => {
                settled::<()>(Err(why))?;
                break;
            }
        };
        let literals = implicant(cx.store, constraint, &model);
        let case = cx.store.and(&literals);
        cases.push(case);
        let other = cx.store.not(case);
        solver.add(cx.store, other);
    }
    Ok(vec![constraint])
}

/// What a part of the work found; nothing if that part alone could not decide.
pub(crate) fn settled<T>(outcome: Outcome<T>) -> Outcome<Option<T>> {
    match outcome {
        Ok(found) => Ok(Some(found)),
        Err(GaveUp::Incomplete(_) | GaveUp::Unsupported(_)) => Ok(None),
        Err(why @ (GaveUp::Timeout | GaveUp::Memory | GaveUp::Cancelled | GaveUp::Wrong(_))) => {
            Err(why)
        }
    }
}
