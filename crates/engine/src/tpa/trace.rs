//! From visits of loops to a derivation.
//!
//! From the query backward, each visit becomes a run that ends in the state known so far; a query
//! for the edge before it gives the state that the run of the visit before has to end in. Then the
//! runs are read forward, and every step names its clause.
//!
//! Source: [Bli22] §5.5.5; the runs are those of [`path`](super::path).

use shofar_base::{GaveUp, Outcome};
use shofar_chc::{Derivation, DerivationStep};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::Value;
use shofar_term::{Cx, Symbol, Term};

use super::flow::{Flow, Visit, Way};
use super::names::Names;
use super::network::Edge;
use super::reach::Reached;
use crate::link::{Link, is_value};

/// The values of a state.
type State = Vec<Value>;

impl Flow<'_> {
    /// A derivation along the visits of `path`, of which the last is left by `query`.
    pub(super) fn derivation(
        &mut self,
        cx: &mut Cx<'_>,
        path: &mut [Visit],
        query: &Edge,
    ) -> Outcome<Derivation> {
        let mut runs = Vec::new();
        let (mut left_by, mut behind) = (*query, Vec::new());
        for visit in path.iter_mut().rev() {
            let run = match visit.way.take().expect("the visits of the path were left") {
                Way::One(run) => run,
                Way::Any(reached) => {
                    let to = left_by.to.map_or(&[][..], |pred| &self.network.nodes[pred].state);
                    let from = &self.network.nodes[visit.pred].state;
                    let end = state_before(cx, from, &reached, left_by.formula, to, &behind)?;
                    self.network.nodes[visit.pred].powers.run_with(cx, &reached, end)?
                }
            };
            left_by = visit.entered;
            behind.clone_from(run.states.first().expect("a run has a state"));
            runs.push(run);
        }
        let mut trace = Trace { links: &self.network.links, derivation: Derivation::default() };
        let mut here: State = Vec::new();
        for visit in path.iter() {
            let run = runs.pop().expect("there is a run for each visit");
            let steps = &self.network.nodes[visit.pred].steps;
            let mut candidates: &[usize] = &[visit.entered.link];
            for state in run.states {
                trace.step(cx, candidates, &here, &state)?;
                (here, candidates) = (state, steps);
            }
        }
        trace.step(cx, &[query.link], &here, &[])?;
        Ok(trace.derivation)
    }
}

/// One of the `reached` states from which an edge leads to the state `behind` over the variables
/// `to`.
fn state_before(
    cx: &mut Cx<'_>,
    from: &[Symbol],
    reached: &Reached,
    edge: Term,
    to: &[Symbol],
    behind: &[Value],
) -> Outcome<State> {
    let mut solver = Solver::new(Options::default());
    solver.add(cx.store, reached.states);
    solver.add(cx.store, edge);
    for (&symbol, value) in to.iter().zip(behind) {
        let equation = is_value(cx.store, symbol, value);
        solver.add(cx.store, equation);
    }
    let Answer::Sat(model) = solver.check(cx)? else {
        unreachable!("what a loop was entered in is behind the edge by which it was")
    };
    Ok(Names::values(cx.store, from, &model.assignment(cx.store)))
}

/// A derivation in the making.
struct Trace<'n> {
    links: &'n [Link],
    derivation: Derivation,
}

impl Trace<'_> {
    /// Appends the step of one of `candidates` between two facts.
    fn step(
        &mut self,
        cx: &mut Cx<'_>,
        candidates: &[usize],
        from: &[Value],
        to: &[Value],
    ) -> Outcome<()> {
        cx.budget.check()?;
        let last = self.derivation.steps.len().checked_sub(1);
        for &candidate in candidates {
            let link = &self.links[candidate];
            if let Some(assignment) = link.between(cx, from, to)? {
                let (clause, premises) = (link.rule().clause, last.into_iter().collect());
                self.derivation.steps.push(DerivationStep { clause, assignment, premises });
                return Ok(());
            }
        }
        Err(GaveUp::wrong("no clause allows a step of the run"))
    }
}
