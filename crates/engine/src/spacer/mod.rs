//! Spacer: property-directed reachability for Horn clauses of any shape.
//!
//! Each predicate has *lemmas*, formulas that hold of everything derivable within a number of
//! levels, and *facts*, formulas all of whose points are derivable. A *proof obligation* asks for
//! points of a predicate that must not be derivable within its level. If a rule can reach one from
//! the lemmas of its premises, either the facts suffice (then there is a new fact), or a premise
//! becomes an obligation one level below; if no rule can, the obligation is blocked by a new lemma.
//! After each round lemmas are pushed up; if a level becomes empty, the lemmas above it are a
//! solution.
//!
//! Source: [KGC16]; the organisation into levels, obligations and facts follows [KGC14]. Symbols:
//! `O_i(p)` → the lemmas of `p` at level `i` or higher, `U(p)` → `facts`.
//! DIVERGENCE [KGC16]: facts carry no level, since they are true derivations; lemmas are
//! interpolants, generalised by relative induction before they are computed.

mod activity;
mod frames;
mod guide;
mod learn;
mod literal;
mod obligation;
mod options;
mod push;
mod reach;
mod rules;
mod search;
mod sharing;
mod solution;
mod statistics;

use std::rc::Rc;

use shofar_base::{GaveUp, Idx as _, Outcome};
use shofar_chc::{Engine, NormalSystem, Verdict};
use shofar_term::{Cx, Phase, PhaseTimes, Stage, TermStore};

pub(crate) use options::OPTIONS;
pub use options::{Guidance, SpacerOptions};
use rules::Rules;
use search::Search;
use statistics::Statistics;

/// The engine; see the module documentation.
#[derive(Clone, Debug, Default)]
pub struct Spacer {
    options: SpacerOptions,
    statistics: Statistics,
    times: PhaseTimes,
}

impl Spacer {
    /// An engine with these options.
    pub fn new(options: SpacerOptions) -> Self {
        Self { options, ..Self::default() }
    }
}

/// How many queries a search makes before another one has its turn.
const TURN: u64 = 200;

impl Engine<NormalSystem> for Spacer {
    fn solve(&mut self, cx: &mut Cx<'_>, system: &NormalSystem) -> Outcome<Verdict<NormalSystem>> {
        let rules = Rc::new(Rules::new(cx.store, system));
        let variants = self.options.variants().into_iter();
        let mut searches: Vec<Search<'_>> =
            variants.map(|options| Search::new(cx.store, system, rules.clone(), options)).collect();
        self.times = PhaseTimes::default();
        let outcome = take_turns(&mut cx.measured(&self.times), &mut searches);
        self.statistics = Statistics::default();
        for search in &searches {
            self.statistics.add(&search.stats);
        }
        outcome
    }
    fn statistics(&self) -> shofar_base::Statistics {
        self.statistics.rows(&self.times).into_iter().collect()
    }
}

/// Lets searches work in turn until one has a verdict or none can go on. What one finds to hold
/// always the others learn; other engines are heard between turns.
fn take_turns(cx: &mut Cx<'_>, searches: &mut [Search<'_>]) -> Outcome<Verdict<NormalSystem>> {
    let mut stuck: Vec<Option<GaveUp>> = vec![None; searches.len()];
    loop {
        sharing::hear(cx, searches)?;
        for at in 0..searches.len() {
            if stuck[at].is_some() {
                continue;
            }
            let clock = searches[at].frames.clock;
            match work(cx, &mut searches[at], TURN) {
                Ok(Some(verdict)) => return Ok(verdict),
                Ok(None) => {
                    searches[at].publish(cx, clock);
                    share(cx.store, searches, at, clock);
                }
                Err(why @ GaveUp::Incomplete(_)) => stuck[at] = Some(why),
                Err(why) => return Err(why),
            }
        }
        if let Some(Some(why)) = stuck.last()
            && stuck.iter().all(Option::is_some)
        {
            return Err(why.clone());
        }
    }
}

/// Tells the others what the search at `at` has found to hold always since `when`.
fn share(store: &mut TermStore, searches: &mut [Search<'_>], at: usize, when: u64) {
    let (before, rest) = searches.split_at_mut(at);
    let Some((giver, after)) = rest.split_first_mut() else { return };
    for taker in before.iter_mut().chain(after) {
        taker.adopt(store, giver, when);
    }
}

/// Blocks the goal level by level until it is reached, or the lemmas of a level are inductive, or
/// so many queries were made.
fn work(
    cx: &mut Cx<'_>,
    search: &mut Search<'_>,
    queries: u64,
) -> Outcome<Option<Verdict<NormalSystem>>> {
    let end = search.stats.all_queries() + queries;
    while search.stats.all_queries() < end {
        cx.budget.check()?;
        if search.is_stuck() {
            search.restart(cx.store);
        }
        if let Some(obligation) = search.next_obligation() {
            if let Some(fact) = search.process(cx, obligation)? {
                return Ok(Some(Verdict::Unsafe(search.unsafe_by(cx, fact)?)));
            }
            continue;
        }
        if let Some(empty) = cx.phase(Phase::Pushing, |cx| search.induction(cx, search.level))? {
            return Ok(Some(Verdict::Safe(search.safe(cx.store, empty))));
        }
        search.unfold(cx.store);
        cx.reached(Stage::at("level", search.level.index()).with(search.stats.lemmas, "lemmas"));
    }
    Ok(None)
}

#[cfg(test)]
mod tests;
