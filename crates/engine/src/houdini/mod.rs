//! Houdini over what executions, clauses and other engines suggest.
//!
//! In rounds: some more derivations are made at random ([`points`], [`execute`]); candidates are
//! formulas that hold of all points that are known ([`candidates`]), and what other engines have
//! said ([`sharing`]), be it true, true for a while or a guess; the largest part of them that is
//! inductive together is found by queries ([`filter`]). That part is known from then on, and others
//! are told. If no query of the problem fires from it, it is a model. A query that fires from known
//! points is a refutation.
//!
//! On its own the engine decides loops with simple invariants. Among others it puts together what
//! no single one of them has, lemmas of several engines that are inductive only with each other,
//! and gives them invariants early.
//!
//! Invariants: every point is derivable, with its derivation kept; what is `known` is inductive
//! together.
//!
//! Source: [FL01]; [FKB17] for candidates taken from the text of the clauses, [RSY04] for those
//! taken from points. DIVERGENCE [FKB17]: no grammar is sampled, guards are; what follows from a
//! guard is read off the points.

mod candidates;
mod execute;
mod filter;
mod points;
mod sharing;

use shofar_base::{GaveUp, IndexVec, Outcome, Rng, Statistics};
use shofar_chc::{
    Definition, Engine, Interpretation, NormalSystem, PredId, Verdict, formal_params,
};
use shofar_term::{Cx, Stage, Symbol, Term, TermStore};

use candidates::{Candidates, Proposed};
use filter::Filter;
use points::Explorer;
use sharing::Teller;

/// How many derivations are tried in the first round.
const FIRST_TRIES: usize = 32;
/// And at most in one.
const MOST_TRIES: usize = 512;
/// After so many rounds without a new candidate there are none.
const IDLE: u32 = 64;

/// Formulas for each predicate, over its usual parameters.
type Formulas = IndexVec<PredId, Vec<Term>>;

/// How Houdini is set up.
#[derive(Clone, Debug, Default)]
pub struct HoudiniOptions {
    /// Which derivations and guards are tried.
    pub seed: u64,
}

/// The engine; see the [module](self) documentation.
#[derive(Clone, Debug, Default)]
pub struct Houdini {
    options: HoudiniOptions,
    counts: Counts,
}

/// What a run did.
#[derive(Clone, Debug, Default)]
struct Counts {
    rounds: u64,
    points: u64,
    candidates: u64,
    invariants: u64,
    heard: u64,
}

impl Houdini {
    /// An engine set up like that.
    pub fn new(options: HoudiniOptions) -> Self {
        Self { options, counts: Counts::default() }
    }
    fn run(&mut self, cx: &mut Cx<'_>, system: &NormalSystem) -> Outcome<Verdict<NormalSystem>> {
        let params: IndexVec<PredId, Vec<Symbol>> =
            system.preds().map(|pred| formal_params(cx.store, system, pred)).collect();
        let mut rng = Rng::new(self.options.seed);
        let mut explorer = Explorer::new(cx.store, system, &params);
        let mut candidates = Candidates::new(cx.store, system, &params);
        let mut filter = Filter::new(system, &params);
        let mut teller = Teller::new(system, &params);
        let (mut tries, mut idle) = (FIRST_TRIES, 0);
        while idle < IDLE {
            cx.budget.check()?;
            self.counts.rounds += 1;
            let heard = sharing::hear(cx, system, &params, &mut candidates, &mut filter)?;
            self.counts.heard += heard.taken;
            if let Some(refutation) = explorer.explore(cx, &mut rng, tries)? {
                return Ok(Verdict::Unsafe(refutation));
            }
            self.counts.points = explorer.count();
            let Counts { candidates: before, invariants: known, .. } = self.counts;
            let Proposed { simple, others } = candidates.propose(cx, &mut rng, &explorer)?;
            let new = self.learn(cx, &mut filter, simple)?;
            teller.tell(cx, &new);
            teller.keep(&self.learn(cx, &mut filter, others)?);
            tracing::debug!("{:?}", self.counts);
            let Counts { rounds, invariants, .. } = self.counts;
            cx.reached(Stage::at("round", rounds).with(invariants, "invariants"));
            idle = if self.counts.candidates > before { 0 } else { idle + 1 };
            let is_stronger = self.counts.invariants > known || heard.is_news;
            if (is_stronger || self.counts.rounds == 1) && filter.excludes_queries(cx)? {
                return Ok(Verdict::Safe(model(cx.store, &params, filter.known())));
            }
            tries = (2 * tries).min(MOST_TRIES);
        }
        Err(GaveUp::incomplete("there are no further candidates"))
    }
    /// Learns the largest part of candidates that is inductive; returns what is new of it.
    fn learn(
        &mut self,
        cx: &mut Cx<'_>,
        filter: &mut Filter<'_>,
        mut candidates: Formulas,
    ) -> Outcome<Formulas> {
        filter.forget_known(&mut candidates);
        self.counts.candidates += count(&candidates);
        filter.largest_inductive_part(cx, &mut candidates)?;
        let new = filter.learn(cx, &candidates)?;
        self.counts.invariants += count(&new);
        Ok(new)
    }
}

/// How many formulas there are.
fn count(formulas: &Formulas) -> u64 {
    formulas.iter().map(|formulas| formulas.len() as u64).sum()
}

/// The model in which exactly these formulas hold.
fn model(
    store: &mut TermStore,
    params: &IndexVec<PredId, Vec<Symbol>>,
    known: &Formulas,
) -> Interpretation {
    let mut model = Interpretation::new();
    for pred in params.handles() {
        let body = store.and(&known[pred]);
        model.define(pred, Definition { params: params[pred].clone(), body });
    }
    model
}

impl Engine<NormalSystem> for Houdini {
    fn solve(&mut self, cx: &mut Cx<'_>, system: &NormalSystem) -> Outcome<Verdict<NormalSystem>> {
        self.counts = Counts::default();
        self.run(cx, system)
    }
    fn statistics(&self) -> Statistics {
        let Counts { rounds, points, candidates, invariants, heard } = self.counts;
        let mut statistics = Statistics::new();
        for (name, count) in [
            ("rounds", rounds),
            ("points", points),
            ("candidates", candidates),
            ("invariants", invariants),
            ("heard", heard),
        ] {
            statistics.push(name, count);
        }
        statistics
    }
}

#[cfg(test)]
mod tests;
