//! Transitive relation learning: unrolling with relations that stand for any number of iterations.
//!
//! Bounded model checking unrolls loops step by step. Here, when a model of an unrolling goes
//! through a loop, a *transitive* relation is learned that contains the iteration, and mostly all
//! others; later steps may use it instead. Since it is transitive, it is never needed twice in a
//! row, and paths that it shortens are blocked. When there are no longer paths, all
//! reachable states have been seen: no interpolation, no induction. Searches from initial states
//! and from bad ones take turns.
//!
//! | file | concept |
//! |---|---|
//! | `search`, `frames` | the loop: paths, learning, blocking |
//! | `space`, `relation` | variables in time, implicants; relations |
//! | `projection`, `refinement` | transitive relations from loops, and what they say |
//! | `shortcuts` | accelerated bounded model checking, the other mode of the engine |
//! | `invariant` | from exhausted frames to an inductive invariant |
//! | `counterexample` | from a path of relations to a run |
//! | `sharing` | what other engines hear |
//! | `repeats`, `affine`, `linearize` | many iterations as nested repeats of a run |
//!
//! Source: [FG25]. DIVERGENCE [FG25]: relations are exact where `shofar_accelerate` knows a closed
//! form, so that runs through them are real; a relation that leads to a bad state that no run
//! reaches is withdrawn, where there is no answer.

mod affine;
mod counterexample;
mod frames;
mod invariant;
mod linearize;
mod options;
mod projection;
mod refinement;
mod relation;
mod repeats;
mod search;
mod sharing;
mod shortcuts;
mod space;
mod statistics;

use std::cmp::Reverse;

use shofar_base::{GaveUp, Idx, Outcome};
use shofar_chc::{Engine, Run, TransitionSystem, Verdict};
use shofar_term::substitute::rename;
use shofar_term::{Cx, Phase, PhaseTimes, Stage, Symbol, TermStore};

use crate::ts::{self, Beginning};
use counterexample::{Concrete, concretize};
pub(crate) use options::OPTIONS;
pub use options::{Directions, Mode, Refinement, TrlOptions};
use search::{Progress, Search};
use shortcuts::Shortcuts;
use statistics::Statistics;

/// The engine; see the [module](self) documentation.
#[derive(Clone, Debug, Default)]
pub struct Trl {
    options: TrlOptions,
    statistics: Statistics,
    times: PhaseTimes,
}

impl Trl {
    /// An engine set up like that.
    pub fn new(options: TrlOptions) -> Self {
        Self { options, ..Self::default() }
    }
}

impl Engine<TransitionSystem> for Trl {
    fn solve(
        &mut self,
        cx: &mut Cx<'_>,
        ts: &TransitionSystem,
    ) -> Outcome<Verdict<TransitionSystem>> {
        if !ts.state.iter().all(|&s| is_known(cx.store, s)) {
            return Err(GaveUp::unsupported("states that are more than numbers and truth values"));
        }
        let ts = match ts::begin(cx, ts)? {
            Beginning::Bad(run) => return Ok(Verdict::Unsafe(run)),
            Beginning::System(ts) => ts,
        };
        self.times = PhaseTimes::default();
        let cx = &mut cx.measured(&self.times);
        let mut contenders = Vec::new();
        for &method in methods(self.options.mode) {
            for &start in starts(self.options.directions) {
                contenders.push(Contender::new(cx, &ts, start, method, &self.options));
            }
        }
        let verdict = decide(cx, &mut contenders);
        let none = Statistics::default();
        self.statistics =
            contenders.iter().fold(none, |all, contender| all.and(&contender.search.stats));
        verdict
    }
    fn statistics(&self) -> shofar_base::Statistics {
        self.statistics.rows(&self.times).into_iter().collect()
    }
}

fn is_known(store: &TermStore, symbol: Symbol) -> bool {
    let sort = store.result(symbol);
    sort.is_bool() || sort.is_arithmetic()
}

/// Where the paths of a search start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    Init,
    Bad,
}

fn starts(directions: Directions) -> &'static [Start] {
    match directions {
        Directions::Forward => &[Start::Init],
        Directions::Backward => &[Start::Bad],
        Directions::Both => &[Start::Init, Start::Bad],
    }
}

/// What a search learns relations for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    Relations,
    Shortcuts,
}

fn methods(mode: Mode) -> &'static [Method] {
    match mode {
        Mode::Relations => &[Method::Relations],
        Mode::Shortcuts => &[Method::Shortcuts],
        Mode::Both => &[Method::Relations, Method::Shortcuts],
    }
}

/// A search with its direction and its method.
struct Contender {
    start: Start,
    method: Method,
    search: Search,
    shortcuts: Shortcuts,
}

/// All take turns, one iteration each, until one of them knows; one that gives up leaves the others
/// alone.
fn decide(cx: &mut Cx<'_>, contenders: &mut [Contender]) -> Outcome<Verdict<TransitionSystem>> {
    let mut lost = vec![None; contenders.len()];
    loop {
        for (contender, lost) in contenders.iter_mut().zip(&mut lost) {
            if lost.is_some() {
                continue;
            }
            cx.reached(contender.stage());
            match contender.advance(cx) {
                Ok(Some(verdict)) => return Ok(verdict),
                Ok(None) => (),
                Err(why @ GaveUp::Incomplete(_)) => {
                    tracing::debug!("from {:?}: {why}", contender.start);
                    *lost = Some(why);
                }
                Err(why) => return Err(why),
            }
        }
        if lost.iter().all(Option::is_some) {
            let first = lost.into_iter().flatten().next();
            return Err(first.unwrap_or_else(|| GaveUp::incomplete("no direction")));
        }
    }
}

impl Contender {
    fn new(
        cx: &mut Cx<'_>,
        ts: &TransitionSystem,
        start: Start,
        method: Method,
        options: &TrlOptions,
    ) -> Self {
        let ts = match start {
            Start::Init => ts.clone(),
            Start::Bad => reversed(cx.store, ts),
        };
        let search = Search::new(cx, ts, options);
        Self { start, method, search, shortcuts: Shortcuts::default() }
    }
    /// How far it has come.
    fn stage(&self) -> Stage {
        let learned = self.search.stats.learned;
        Stage::at("depth", self.search.frames.depth()).with(learned, "relations")
    }
    /// One iteration.
    fn advance(&mut self, cx: &mut Cx<'_>) -> Outcome<Option<Verdict<TransitionSystem>>> {
        let progress = match self.method {
            Method::Relations => self.search.iterate(cx)?,
            Method::Shortcuts => self.search.unroll(cx, &mut self.shortcuts)?,
        };
        match progress {
            Progress::Open => Ok(None),
            Progress::Exhausted => {
                let depth = self.search.frames.depth();
                tracing::debug!("from {:?}: no path is longer than {depth}", self.start);
                let search = &mut self.search;
                let closed =
                    cx.phase(Phase::Generalization, |cx| invariant::invariant(cx, search))?;
                let invariant = match self.start {
                    Start::Init => closed,
                    Start::Bad => cx.store.not(closed),
                };
                Ok(Some(Verdict::Safe(invariant)))
            }
            Progress::Reached(trace) => match concretize(cx, &mut self.search, &trace)? {
                Concrete::Run(run) => Ok(Some(Verdict::Unsafe(self.directed(run)))),
                Concrete::Spurious(relation) => {
                    tracing::debug!("relation {} is withdrawn", relation.index());
                    self.search.stats.refinements += 1;
                    self.search.withdraw(relation);
                    Ok(None)
                }
            },
        }
    }
    /// `run` from its initial state on.
    fn directed(&self, mut run: Run) -> Run {
        if self.start == Start::Bad {
            run.states.reverse();
            let all = run.states.len();
            for repeat in &mut run.repeats {
                repeat.start = all - repeat.start - 2 * repeat.length;
            }
            // What is around others comes before them.
            run.repeats.sort_by_key(|repeat| (repeat.start, Reverse(repeat.length)));
        }
        run
    }
}

/// `ts` from its bad to its initial states.
fn reversed(store: &mut TermStore, ts: &TransitionSystem) -> TransitionSystem {
    let forth = [ts.state.as_slice(), &ts.next].concat();
    let back = [ts.next.as_slice(), &ts.state].concat();
    let step = rename(store, ts.step, &forth, &back);
    TransitionSystem { init: ts.bad, step, bad: ts.init, ..ts.clone() }
}

#[cfg(test)]
mod tests;
