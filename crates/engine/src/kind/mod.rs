//! k-induction.
//!
//! For growing `k`: the *base* looks for a bad state `k` steps from an initial one, the *step* for
//! a path of `k` steps whose last state is bad and whose other states are not. If neither exists,
//! no bad state is reachable; nor if the base finds that no run is that long. Both are unrolled
//! incrementally; the step's path starts anywhere, and states that are not bad are asserted as it
//! grows.
//!
//! What is proved is that `¬bad` is inductive *after `k` steps*. Evidence has to be inductive by
//! itself; [`crate::ts`] makes it so.
//!
//! Source: [SSS00] Algorithm 1, [ES03] for the incremental form. DIVERGENCE [SSS00]: no simple-path
//! constraints; they make the method complete for finite systems only, and a proof that uses them
//! does not turn into an invariant.

mod sharing;

use shofar_base::{GaveUp, Idx, Outcome};
use shofar_chc::{
    ChcSystem, Clause, Engine, Interpretation, NormalSystem, PredAtom, PredId, Run,
    TransitionSystem, Verdict,
};
use shofar_term::{Cx, Sort, Stage, Symbol, Term, TermStore};

use crate::bmc::bounded_model;
use crate::bmc::linear::{Found, Unrolling};
use crate::ts::{self, sharing::Invariants};

/// How k-induction is set up.
#[derive(Clone, Debug, Default)]
pub struct KindOptions {
    /// Perturbs ties in the search.
    pub seed: u64,
    /// The largest `k`; none is no limit.
    pub max_k: Option<usize>,
}

/// The engine; see the [module](self) documentation.
#[derive(Clone, Debug, Default)]
pub struct Kind {
    options: KindOptions,
}

impl Kind {
    /// An engine set up like that.
    pub fn new(options: KindOptions) -> Self {
        Self { options }
    }
    /// Paths of `k` steps that start anywhere, whose states are not bad but for the last.
    fn paths(&self, cx: &mut Cx<'_>, ts: &TransitionSystem, k: usize) -> Outcome<Unrolling> {
        let anywhere = TransitionSystem { init: cx.store.top(), ..ts.clone() };
        let mut paths = Unrolling::of_loop(cx, &anywhere, self.options.seed);
        for _ in 0..k {
            paths.exclude(cx.store);
            paths.extend(cx)?;
        }
        Ok(paths)
    }
}

impl Engine<TransitionSystem> for Kind {
    fn solve(
        &mut self,
        cx: &mut Cx<'_>,
        ts: &TransitionSystem,
    ) -> Outcome<Verdict<TransitionSystem>> {
        let ts = &ts::prepared(cx, ts)?;
        let mut base = Unrolling::of_loop(cx, ts, self.options.seed);
        let (mut known, mut stronger) = (Invariants::default(), ts.clone());
        let mut step = self.paths(cx, &stronger, 0)?;
        let mut k = 0;
        loop {
            match base.query(cx)? {
                Found::Refutation(_, path) => return Ok(Verdict::Unsafe(Run::ground(path))),
                Found::Closed => {
                    let clauses = as_clauses(cx.store, ts);
                    let model = base.model_of_points(cx, &clauses)?;
                    return Ok(Verdict::Safe(said_of_state(cx.store, ts, &model)));
                }
                Found::Exhausted => {
                    let clauses = as_clauses(cx.store, ts);
                    let model = bounded_model(cx, &clauses, &base)?;
                    return Ok(Verdict::Safe(said_of_state(cx.store, ts, &model)));
                }
                Found::Nothing => sharing::tell_safe(cx, ts, k),
            }
            if known.hear(cx, ts)? {
                stronger = known.strengthened(cx.store, ts);
                step = self.paths(cx, &stronger, k)?;
            }
            match step.query(cx)? {
                Found::Nothing | Found::Exhausted | Found::Closed => {
                    let invariant = ts::inductive(cx, &stronger, k)?;
                    return Ok(Verdict::Safe(known.with(cx.store, invariant)));
                }
                Found::Refutation(..) => (),
            }
            if self.options.max_k.is_some_and(|max| k >= max) {
                return Err(GaveUp::incomplete("not inductive within the limit"));
            }
            tracing::debug!("not inductive after {k} steps, no counterexample of {k} steps");
            cx.reached(Stage::at("k =", k));
            step.exclude(cx.store);
            step.extend(cx)?;
            base.extend(cx)?;
            k += 1;
        }
    }
}

/// `ts` as a fact, a step and a query about one predicate: what the models of an unrolling that has
/// come to its end are models of.
fn as_clauses(store: &mut TermStore, ts: &TransitionSystem) -> NormalSystem {
    let sorts: Vec<Sort> = ts.state.iter().map(|&s| store.result(s)).collect();
    let name = store.declare("state!", &sorts, Sort::BOOL);
    let mut system = ChcSystem::new();
    let pred = system.add_pred(name);
    let constants = |store: &mut TermStore, symbols: &[Symbol]| -> Vec<Term> {
        symbols.iter().map(|&s| store.constant(s)).collect()
    };
    let here = PredAtom { pred, args: constants(store, &ts.state) };
    let there = PredAtom { pred, args: constants(store, &ts.next) };
    let clause = |head, body, constraint| Clause { head, body, constraint, span: None };
    system.add_clause(clause(Some(here.clone()), Vec::new(), ts.init));
    system.add_clause(clause(Some(there), vec![here.clone()], ts.step));
    system.add_clause(clause(None, vec![here], ts.bad));
    NormalSystem::of(store, system)
}

/// What a model of [`as_clauses`] says about the state variables.
fn said_of_state(store: &mut TermStore, ts: &TransitionSystem, model: &Interpretation) -> Term {
    let definition = model.get(PredId::from_index(0)).expect("a model defines all predicates");
    let state: Vec<Term> = ts.state.iter().map(|&s| store.constant(s)).collect();
    definition.apply(store, &state)
}
