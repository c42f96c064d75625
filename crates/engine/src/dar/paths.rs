//! Paths of a fixed number of steps from the initial states.
//!
//! At each depth a path is at one location; a literal for each location says so. An interpolant
//! between two depths speaks about all locations. Said of one of them it loses these literals, and
//! the arguments of the other locations, which a path that is not there leaves open, so that any
//! value will do for them.

use shofar_base::{Map, Outcome};
use shofar_chc::{Derivation, PredId};
use shofar_smt::{Answer, Interpolation, Options, PartId, Solver};
use shofar_term::eval::{Evaluator, Model};
use shofar_term::substitute::substitute;
use shofar_term::{Cx, Sort, Term, TermStore};

use super::Region;
use crate::layers::{Layers, Place};

/// Whether a path ends where it should.
pub(super) enum Found {
    /// Yes.
    Path(Model),
    /// No; the regions after 1, 2, … steps say why.
    Regions(Vec<Region>),
}

/// The paths; see the module documentation.
pub(super) struct Paths {
    preds: Vec<PredId>,
    at: Map<(PredId, usize), Term>,
    solver: Solver,
    /// The initial states, then one part for each step.
    parts: Vec<PartId>,
}

impl Paths {
    pub(super) fn new(
        store: &mut TermStore,
        layers: &mut Layers,
        preds: &[PredId],
        seed: u64,
    ) -> Self {
        let solver = Solver::new(Options { seed, ..Options::with_proofs() });
        let mut this =
            Self { preds: preds.to_vec(), at: Map::default(), solver, parts: Vec::new() };
        let start = this.located(store, 1, |store, pred| {
            let facts = layers.between(Place::Start, Place::Pred(pred));
            layers.any_edge(store, &facts, 0)
        });
        let start = this.at_one(store, start, 1);
        this.parts.push(this.solver.add(store, start));
        this.solver.push();
        this
    }
    /// The number of steps.
    fn length(&self) -> usize {
        self.parts.len() - 1
    }
    /// Back to no step.
    pub(super) fn restart(&mut self) {
        self.solver.pop(1);
        self.parts.truncate(1);
        self.solver.push();
    }
    /// One step more.
    pub(super) fn extend(&mut self, store: &mut TermStore, layers: &mut Layers) {
        let depth = self.length() + 1;
        let mut cases = Vec::new();
        for (rule, from, to) in layers.steps() {
            let edge = layers.edge(store, rule, depth).formula;
            let (here, there) = (self.at(store, from, depth), self.at(store, to, depth + 1));
            cases.push(store.and(&[here, there, edge]));
        }
        let step = store.or(&cases);
        let step = self.at_one(store, step, depth + 1);
        self.parts.push(self.solver.add(store, step));
    }
    /// That the path ends in `region`.
    pub(super) fn end(
        &mut self,
        store: &mut TermStore,
        layers: &mut Layers,
        region: &Region,
    ) -> Term {
        let depth = self.length() + 1;
        self.located(store, depth, |store, pred| layers.timed(store, region[pred], pred, depth))
    }
    /// That the path ends in a bad state.
    pub(super) fn goal(&mut self, store: &mut TermStore, layers: &mut Layers) -> Term {
        let depth = self.length() + 1;
        self.located(store, depth, |store, pred| {
            let queries = layers.between(Place::Pred(pred), Place::Goal);
            layers.any_edge(store, &queries, depth)
        })
    }
    /// Whether a path ends in `end`.
    pub(super) fn to(
        &mut self,
        cx: &mut Cx<'_>,
        layers: &mut Layers,
        end: Term,
        interpolation: &Interpolation,
    ) -> Outcome<Found> {
        self.solver.push();
        let end = self.solver.add(cx.store, end);
        // The first step belongs to the initial states: what is wanted are the states after it.
        let (first, later) = self.parts.split_at(self.parts.len().min(2));
        let mut groups = vec![first.to_vec()];
        groups.extend(later.iter().chain([&end]).map(|&part| vec![part]));
        let found = match self.solver.check(cx)? {
            Answer::Sat(model) => Err(model.assignment(cx.store)),
            Answer::Unsat(proof) => Ok(proof.sequence_interpolants(cx, &groups, interpolation)?),
        };
        self.solver.pop(1);
        Ok(match found {
            Err(model) => Found::Path(model),
            Ok(interpolants) => {
                let regions = interpolants.iter().zip(2..);
                Found::Regions(
                    regions.map(|(&i, depth)| self.region(cx.store, layers, i, depth)).collect(),
                )
            }
        })
    }
    /// The refutation along a path to a bad state.
    pub(super) fn derivation(
        &mut self,
        store: &mut TermStore,
        layers: &mut Layers,
        model: &Model,
    ) -> Derivation {
        let mut evaluator = Evaluator::with_defaults(model);
        let mut places = vec![Place::Start];
        for depth in 1..=self.length() + 1 {
            let mut preds = self.preds.clone().into_iter();
            let here = preds.find(|&pred| {
                let at = self.at(store, pred, depth);
                evaluator.holds(store, at) == Ok(true)
            });
            places.push(Place::Pred(here.expect("a path is somewhere")));
        }
        places.push(Place::Goal);
        let mut path = Vec::new();
        for (depth, ends) in places.windows(2).enumerate() {
            let rules = layers.between(ends[0], ends[1]);
            let taken = rules.into_iter().find(|&rule| {
                let edge = layers.edge(store, rule, depth);
                evaluator.holds(store, edge.formula) == Ok(true)
            });
            path.push(taken.expect("a path follows the edges"));
        }
        layers.derivation(store, &path, model)
    }
    /// The literal that says that a path is at `pred` at `depth`.
    fn at(&mut self, store: &mut TermStore, pred: PredId, depth: usize) -> Term {
        if self.preds.len() == 1 {
            return store.top();
        }
        *self.at.entry((pred, depth)).or_insert_with(|| {
            let at = store.fresh("here", Sort::BOOL);
            store.constant(at)
        })
    }
    /// That a path is at some location at `depth`, and what is said about that location holds.
    fn located(
        &mut self,
        store: &mut TermStore,
        depth: usize,
        mut said: impl FnMut(&mut TermStore, PredId) -> Term,
    ) -> Term {
        let mut cases = Vec::new();
        for pred in self.preds.clone() {
            let (at, said) = (self.at(store, pred, depth), said(store, pred));
            cases.push(store.and(&[at, said]));
        }
        store.or(&cases)
    }
    /// `formula`, and that a path is not at two locations at `depth`.
    fn at_one(&mut self, store: &mut TermStore, formula: Term, depth: usize) -> Term {
        let mut facts = vec![formula];
        let preds = self.preds.clone();
        for (i, &pred) in preds.iter().enumerate() {
            for &other in &preds[..i] {
                let both = [self.at(store, pred, depth), self.at(store, other, depth)];
                let both = store.and(&both);
                facts.push(store.not(both));
            }
        }
        store.and(&facts)
    }
    /// An interpolant at `depth`, said of each location.
    fn region(
        &mut self,
        store: &mut TermStore,
        layers: &mut Layers,
        interpolant: Term,
        depth: usize,
    ) -> Region {
        let mut region = Region::new();
        for here in self.preds.clone() {
            let mut map: Map<Term, Term> = Map::default();
            for other in self.preds.clone() {
                let at = self.at(store, other, depth);
                if other == here {
                    map.insert(at, store.top());
                } else {
                    map.insert(at, store.bottom());
                    let args = layers.args(store, other, depth);
                    map.extend(
                        args.into_iter().map(|arg| (arg, store.default_term(store.sort(arg)))),
                    );
                }
            }
            let said = substitute(store, &map, &[interpolant])[0];
            region.push(layers.untimed(store, said, here, depth));
        }
        region
    }
}
