//! The two sequences of dual approximated reachability, and how they strengthen each other.
//!
//! Source: [VGS13] §4: *local* and *global strengthening* and the fixpoint checks; the invariants
//! are those of the [parent](super).

use shofar_base::{IndexVec, Outcome};
use shofar_chc::{Definition, Derivation, Interpretation, LinearSystem, PredId, formal_params};
use shofar_smt::{Answer, Interpolation, Options, Solver};
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Symbol, Term, TermStore};

use super::Region;
use super::paths::{Found, Paths};
use super::steps::{Side, Steps};
use crate::FixpointOptions;
use crate::layers::{Layers, Place};

/// What unrolling finds.
pub(super) enum Global {
    /// The forward sequence is strong enough: the element at this position has no step into its
    /// counterpart.
    Strengthened(usize),
    /// A refutation.
    Reachable(Derivation),
}

/// The sequences; see the module documentation.
pub(super) struct Sequences<'t> {
    pub(super) system: LinearSystem<'t>,
    interpolation: &'t Interpolation,
    layers: Layers,
    pub(super) forward: Vec<Region>,
    backward: Vec<Region>,
    /// The steps into each location.
    into: IndexVec<PredId, Steps>,
    /// The steps out of each location.
    out_of: IndexVec<PredId, Steps>,
    paths: Paths,
    /// What others have proved to hold always.
    pub(super) known: Vec<(PredId, Term)>,
}

impl<'t> Sequences<'t> {
    pub(super) fn new(
        cx: &mut Cx<'_>,
        system: LinearSystem<'t>,
        options: &'t FixpointOptions,
    ) -> Outcome<Self> {
        let mut layers = Layers::new(cx.store, system);
        let preds: Vec<PredId> = system.preds().collect();
        let (mut initial, mut bad) = (Region::new(), Region::new());
        for &pred in &preds {
            let facts = layers.between(Place::Start, Place::Pred(pred));
            let facts = layers.any_edge(cx.store, &facts, 0);
            initial.push(states(cx, &mut layers, pred, facts)?);
            let queries = layers.between(Place::Pred(pred), Place::Goal);
            let queries = layers.any_edge(cx.store, &queries, 1);
            bad.push(states(cx, &mut layers, pred, queries)?);
        }
        let mut steps = |side: Side| -> IndexVec<PredId, Steps> {
            let of =
                |&p: &PredId| Steps::new(cx.store, &mut layers, &preds, (p, side), options.seed);
            preds.iter().map(of).collect()
        };
        let (into, out_of) = (steps(Side::Forward), steps(Side::Backward));
        let paths = Paths::new(cx.store, &mut layers, &preds, options.seed);
        Ok(Self {
            system,
            interpolation: &options.interpolation,
            layers,
            forward: vec![initial],
            backward: vec![bad],
            into,
            out_of,
            paths,
            known: Vec::new(),
        })
    }
    /// A refutation without a step.
    pub(super) fn at_once(&mut self, cx: &mut Cx<'_>) -> Outcome<Option<Derivation>> {
        for rule in self.layers.between(Place::Start, Place::Goal) {
            let mut solver = Solver::new(Options::default());
            let edge = self.layers.edge(cx.store, rule, 0);
            solver.add(cx.store, edge.formula);
            if let Answer::Sat(model) = solver.check(cx)? {
                let model = model.assignment(cx.store);
                return Ok(Some(self.layers.derivation(cx.store, &[rule], &model)));
            }
        }
        let goal = self.paths.goal(cx.store, &mut self.layers);
        Ok(match self.paths.to(cx, &mut self.layers, goal, self.interpolation)? {
            Found::Path(model) => Some(self.paths.derivation(cx.store, &mut self.layers, &model)),
            Found::Regions(_) => None,
        })
    }
    /// The last position of both sequences.
    pub(super) fn last(&self) -> usize {
        self.forward.len() - 1
    }
    /// Interpolants of the steps from `forward[position]` into its counterpart, if there is no such
    /// step.
    fn separate(
        &mut self,
        cx: &mut Cx<'_>,
        position: usize,
        side: Side,
    ) -> Outcome<Option<Region>> {
        let (from, to) = (&self.forward[position], &self.backward[self.last() - position]);
        let (steps, there, here) = match side {
            Side::Forward => (&mut self.into, from, to),
            Side::Backward => (&mut self.out_of, to, from),
        };
        let mut region = Region::new();
        for (steps, &here) in steps.iter_mut().zip(here) {
            let ends = (there, here);
            match steps.separate(cx, &mut self.layers, ends, self.interpolation)? {
                Some(interpolant) => region.push(interpolant),
                None => return Ok(None),
            };
        }
        Ok(Some(region))
    }
    /// The last position from which no step leads to the counterpart.
    pub(super) fn local(&mut self, cx: &mut Cx<'_>) -> Outcome<Option<usize>> {
        for position in (0..=self.last()).rev() {
            if self.separate(cx, position, Side::Forward)?.is_some() {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }
    /// Strengthens the forward sequence by unrolling as few steps as necessary.
    pub(super) fn global(&mut self, cx: &mut Cx<'_>) -> Outcome<Global> {
        let last = self.last();
        self.paths.restart();
        for length in 1..=last + 1 {
            self.paths.extend(cx.store, &mut self.layers);
            let end = if length == last + 1 {
                self.paths.goal(cx.store, &mut self.layers)
            } else {
                let region = &self.backward[last + 1 - length];
                self.paths.end(cx.store, &mut self.layers, region)
            };
            match self.paths.to(cx, &mut self.layers, end, self.interpolation)? {
                Found::Regions(regions) => {
                    for (element, why) in self.forward[1..].iter_mut().zip(&regions) {
                        intersect(cx.store, element, why);
                    }
                    return Ok(Global::Strengthened(length - 1));
                }
                Found::Path(model) if length == last + 1 => {
                    let refutation = self.paths.derivation(cx.store, &mut self.layers, &model);
                    return Ok(Global::Reachable(refutation));
                }
                Found::Path(_) => (),
            }
        }
        unreachable!("the longest path ends in a bad state or nowhere")
    }
    /// Makes both sequences longer by one, from `position`, where no step leads to the counterpart.
    pub(super) fn extend(&mut self, cx: &mut Cx<'_>, position: usize) -> Outcome<()> {
        let last = self.last();
        let (mut image, mut preimage) = (Region::new(), Region::new());
        for i in position..=last {
            image = self.separate(cx, i, Side::Forward)?.expect("no step leads to the counterpart");
            if i < last {
                intersect(cx.store, &mut self.forward[i + 1], &image);
            }
        }
        for i in (0..=position).rev() {
            preimage =
                self.separate(cx, i, Side::Backward)?.expect("no step leads to the counterpart");
            if i > 0 {
                intersect(cx.store, &mut self.backward[last - i + 1], &preimage);
            }
        }
        self.forward.push(image);
        self.backward.push(preimage);
        Ok(())
    }
    /// A model, if one of the sequences reaches nothing new.
    pub(super) fn fixpoint(&self, cx: &mut Cx<'_>) -> Outcome<Option<Interpretation>> {
        if let Some(reached) = closed(cx, &self.forward)? {
            return Ok(Some(self.model(cx.store, &reached)));
        }
        let Some(mut doomed) = closed(cx, &self.backward)? else { return Ok(None) };
        for states in &mut doomed {
            *states = cx.store.not(*states);
        }
        Ok(Some(self.model(cx.store, &doomed)))
    }
    fn model(&self, store: &mut TermStore, region: &Region) -> Interpretation {
        let mut model = Interpretation::new();
        for pred in self.system.preds() {
            let params = formal_params(store, &self.system, pred);
            model.define(pred, Definition { params, body: region[pred] });
        }
        model
    }
}

/// `formula` about the arguments of `pred` at depth 1, said of its parameters; all other symbols
/// are eliminated.
fn states(cx: &mut Cx<'_>, layers: &mut Layers, pred: PredId, formula: Term) -> Outcome<Term> {
    let args = layers.args(cx.store, pred, 1);
    let args = free_symbols(cx.store, &args);
    let mut others: Vec<Symbol> = free_symbols(cx.store, &[formula]);
    others.retain(|s| !args.contains(s));
    let states = shofar_mbp::eliminate(cx, formula, &others)?;
    Ok(layers.untimed(cx.store, states, pred, 1))
}

/// Takes the states that are not in `other` out of `region`.
fn intersect(store: &mut TermStore, region: &mut Region, other: &Region) {
    for (states, &others) in region.iter_mut().zip(other) {
        *states = store.and(&[*states, others]);
    }
}

/// The union of the elements before one that is contained in it.
fn closed(cx: &mut Cx<'_>, sequence: &[Region]) -> Outcome<Option<Region>> {
    let mut outside: Vec<Solver> =
        sequence[0].iter().map(|_| Solver::new(Options::default())).collect();
    for (i, pair) in sequence.windows(2).enumerate() {
        let mut is_closed = true;
        for ((solver, &before), &after) in outside.iter_mut().zip(&pair[0]).zip(&pair[1]) {
            let not_before = cx.store.not(before);
            solver.add(cx.store, not_before);
            is_closed =
                is_closed && matches!(solver.check_assuming(cx, &[after])?, Answer::Unsat(_));
        }
        if is_closed {
            let union = |pred: PredId| {
                let states: Vec<Term> = sequence[..=i].iter().map(|region| region[pred]).collect();
                cx.store.or(&states)
            };
            return Ok(Some(sequence[0].handles().map(union).collect()));
        }
    }
    Ok(None)
}
