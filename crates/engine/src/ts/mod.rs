//! What engines for transition systems share: formulas in time, runs, and inductive invariants.
//!
//! | need | use |
//! |---|---|
//! | a property whose negation has no quantifier | [`prepared`] |
//! | initial states without quantifiers as well, none of which is bad | [`begin`] |
//! | that a bad state is at most so many steps away | [`soon_bad`] |
//! | what can make a step into given states | [`before`] |
//! | a run through known waypoints | [`run_through`] |
//! | an inductive invariant from a k-inductive one | [`inductive`] |
//! | a small inductive invariant from a large one | [`smaller_invariant`] |
//! | invariants of other engines | [`sharing`] |
//!
//! Formulas over state variables are said of a time by a [`Timeline`] and taken back by it; nothing
//! else renames variables.

mod equalities;
pub(crate) mod invariant;
pub(crate) mod sharing;
mod shrink;
mod trim;

use shofar_base::{Map, Outcome};
use shofar_chc::{Run, Timeline, TransitionSystem};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::{Model, Value};
use shofar_term::substitute::substitute;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Sort, Term, TermStore};

pub(crate) use invariant::inductive;
pub use shrink::smaller_invariant;
pub(crate) use trim::Choice;

/// `ts` with the local variables of `bad` eliminated, so that its negation needs no quantifier, and
/// with locals of `init` that `step` does not know, so that both can be said of the same time.
pub(crate) fn prepared(cx: &mut Cx<'_>, ts: &TransitionSystem) -> Outcome<TransitionSystem> {
    let locals = ts.locals(cx.store, ts.bad);
    let bad = shofar_mbp::eliminate(cx, ts.bad, &locals)?;
    let mut apart: Map<Term, Term> = Map::default();
    for local in ts.locals(cx.store, ts.init) {
        let (name, sort) = (cx.store.name(local).to_owned(), cx.store.result(local));
        let copy = cx.store.fresh(&name, sort);
        apart.insert(cx.store.constant(local), cx.store.constant(copy));
    }
    let init = substitute(cx.store, &apart, &[ts.init])[0];
    Ok(TransitionSystem { init, bad, ..ts.clone() })
}

/// What a search over sets of states begins with.
pub(crate) enum Beginning {
    /// An initial state is bad.
    Bad(Run),
    /// None is; the system is [`prepared`], and its initial states have no locals either.
    System(TransitionSystem),
}

/// Looks at the initial states before the search begins.
pub(crate) fn begin(cx: &mut Cx<'_>, ts: &TransitionSystem) -> Outcome<Beginning> {
    let ts = prepared(cx, ts)?;
    if let Some(run) = run_through(cx, &ts, 0, &[])? {
        return Ok(Beginning::Bad(run));
    }
    let locals = ts.locals(cx.store, ts.init);
    let init = shofar_mbp::eliminate(cx, ts.init, &locals)?;
    Ok(Beginning::System(TransitionSystem { init, ..ts }))
}

/// A new literal that implies `formula` in `solver`.
pub(crate) fn switch(store: &mut TermStore, solver: &mut Solver, formula: Term) -> Term {
    let switch = store.fresh("on", Sort::BOOL);
    let switch = store.constant(switch);
    let meaning = store.implies(switch, formula);
    solver.add(store, meaning);
    switch
}

/// That the state at `from` is bad, or a later one up to `to`, through steps.
pub(crate) fn soon_bad(
    store: &mut TermStore,
    timeline: &mut Timeline<'_>,
    from: usize,
    to: usize,
) -> Term {
    let TransitionSystem { bad, step, .. } = *timeline.system();
    let mut result = timeline.timed(store, bad, to);
    for time in (from..to).rev() {
        let (bad, step) = (timeline.timed(store, bad, time), timeline.timed(store, step, time));
        let later = store.and(&[step, result]);
        result = store.or(&[bad, later]);
    }
    result
}

/// States that can make a step into `target`, as a cube that contains the present state of `model`,
/// which makes such a step.
pub(crate) fn before(
    store: &mut TermStore,
    ts: &TransitionSystem,
    target: Term,
    model: &Model,
) -> Term {
    let next = ts.primed(store, target);
    let stepping = store.and(&[ts.step, next]);
    let mut others = ts.locals(store, stepping);
    others.extend(&ts.next);
    shofar_mbp::project(store, stepping, &others, model)
}

/// The same for the step from `time` of a model of unrolled steps; `target` and the result are
/// about the present state.
pub(crate) fn before_at(
    store: &mut TermStore,
    timeline: &mut Timeline<'_>,
    time: usize,
    target: Term,
    model: &Model,
) -> Term {
    let step = timeline.timed(store, timeline.system().step, time);
    let next = timeline.timed(store, target, time + 1);
    let stepping = store.and(&[step, next]);
    let present = timeline.state(store, time);
    let mut others = free_symbols(store, &[stepping]);
    others.retain(|s| !present.contains(s));
    let cube = shofar_mbp::project(store, stepping, &others, model);
    timeline.untimed(store, cube, time)
}

/// A run of `length` steps that is in the given states at the given times, if there is one.
pub(crate) fn run_through(
    cx: &mut Cx<'_>,
    ts: &TransitionSystem,
    length: usize,
    waypoints: &[(usize, Term)],
) -> Outcome<Option<Run>> {
    let mut solver = Solver::new(Options::default());
    let mut timeline = Timeline::new(cx.store, ts);
    let ends = [(0, ts.init), (length, ts.bad)];
    let steps = (0..length).map(|time| (time, ts.step));
    for (time, formula) in ends.into_iter().chain(steps).chain(waypoints.iter().copied()) {
        let formula = timeline.timed(cx.store, formula, time);
        solver.add(cx.store, formula);
    }
    let model = match solver.check(cx)? {
        Answer::Unsat(_) => return Ok(None),
        Answer::Sat(model) => model.assignment(cx.store),
    };
    let states = (0..=length).map(|time| state_at(cx.store, &mut timeline, time, &model)).collect();
    Ok(Some(Run::ground(states)))
}

/// The values of the state variables at `time`.
pub(crate) fn state_at(
    store: &mut TermStore,
    timeline: &mut Timeline<'_>,
    time: usize,
    model: &Model,
) -> Vec<Value> {
    let symbols = timeline.state(store, time);
    symbols.iter().map(|&symbol| model.get_or_default(store, symbol)).collect()
}
