//! Refinement by lassos: ranking functions from executions, and the invariants that confirm them.
//!
//! Where the invariants at hand are too weak, cubes of transitions are taken only from states that
//! are reached: a proposal is put to the solver for Horn clauses as the safety query whether a
//! reachable state contradicts it. If not, the invariants of the answer confirm the proposal. If
//! so, the execution that leads there is a *lasso*: its stem, a conjunction of literals along the
//! path, joins the cube of the transition, so that the next proposal may rest on what the stem has
//! established, for all executions that follow the same path.
//! ```text
//! query for each transition s of the component:   p(x) ∧ R_s(x, x') ∧ ¬(ρ_p(x) − ρ_q(x') ≥ δ_s ∧ …) → false
//! ```
//! Source: [CPR06] (lassos as counterexamples to an argument), [BCF13] (one safety query for a
//! lexicographic argument of a component). DIVERGENCE [BCF13]: the previous state is not copied,
//! since a function is asked to decrease in each transition.

use shofar_base::Outcome;
use shofar_chc::{Clause, Derivation, Interpretation};
use shofar_term::Cx;
use shofar_term::eval::Model;
use shofar_theory::implicant::implicant;

use crate::farkas::{Row, rows};
use crate::program::Program;
use crate::ranking::Step;
use crate::safety::{Reached, Safety};
use crate::synthesis::{Live, Synthesis, values};

/// So many lassos are looked at for one step.
const MOST_LASSOS: usize = 16;
/// Of longer stems, only the state at their end is used.
const LONGEST_STEM: usize = 24;

/// A step, with invariants under which its claims hold.
pub(crate) fn run(
    cx: &mut Cx<'_>,
    program: &Program,
    mut synthesis: Synthesis<'_>,
    safety: &mut Safety,
) -> Outcome<Option<(Step, Interpretation)>> {
    for _ in 0..MOST_LASSOS {
        let Some(proposal) = synthesis.propose(cx)? else { return Ok(None) };
        let live: Vec<Live> = synthesis.live().to_vec();
        let mut queries = Vec::new();
        for (at, one) in live.iter().enumerate() {
            let claim = synthesis.claim(cx.store, &proposal.ranks, at, proposal.decreases[at]);
            let contrary = cx.store.not(claim);
            let (body, ..) = program.rule(one.transition);
            let constraint = cx.store.and(&[one.relation, contrary]);
            queries.push(Clause { head: None, body: vec![body.clone()], constraint, span: None });
        }
        match safety.ask(cx, program, queries)? {
            Reached::Unknown => return Ok(None),
            Reached::Never(invariants) => {
                let decreasing = live.iter().zip(&proposal.decreases).filter(|(_, is)| **is);
                let decreasing = decreasing.map(|(one, _)| one.piece).collect();
                let pieces = live.iter().map(|one| one.piece).collect();
                let step = Step { pieces, ranks: proposal.ranks, decreasing };
                return Ok(Some((step, invariants)));
            }
            Reached::ByExecution(derivation, at) => {
                let (rows, model) = lasso(cx, program, &derivation, live[at])?;
                synthesis.learn(cx.store, at, &rows, &model)?;
            }
        }
    }
    Ok(None)
}

/// The cube of a transition at the end of an execution, with the stem that leads there, and a state
/// in it.
fn lasso(
    cx: &mut Cx<'_>,
    program: &Program,
    derivation: &Derivation,
    live: Live,
) -> Outcome<(Vec<Row>, Model)> {
    let (body, _, head) = program.rule(live.transition);
    let last = derivation.steps.last().map(|step| step.assignment.clone());
    let mut model = last.unwrap_or_default();
    let mut parts = vec![live.relation];
    let stem = derivation.steps.len() - 1;
    if stem > LONGEST_STEM {
        let state = values(cx.store, &body.args, &model)?;
        parts.extend(body.args.iter().zip(&state).map(|(&arg, &value)| cx.store.eq(arg, value)));
    } else {
        let mut previous: Option<Vec<_>> = None;
        for step in &derivation.steps[..stem] {
            let constraint = program.system().clause(step.clause).constraint;
            let (clause, names) = program.fresh_clause(cx.store, step.clause, constraint);
            for (own, fresh) in names {
                model.set(fresh, step.assignment.get_or_default(cx.store, own));
            }
            parts.push(clause.constraint);
            if let (Some(state), [atom]) = (&previous, clause.body.as_slice()) {
                let pairs = atom.args.iter().zip(state);
                parts.extend(pairs.map(|(&arg, &value)| cx.store.eq(arg, value)));
            }
            previous = clause.head.map(|head| head.args);
        }
        for (&arg, &value) in body.args.iter().zip(previous.iter().flatten()) {
            parts.push(cx.store.eq(arg, value));
        }
    }
    let path = cx.store.and(&parts);
    let cube = implicant(cx.store, path, &model);
    let args = [body.args.as_slice(), &head.args].concat();
    Ok((rows(cx.store, &cube, &args), model))
}
