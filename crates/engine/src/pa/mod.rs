//! Predicate abstraction for Horn clauses of any shape.
//!
//! States are abstracted by predicates: an [abstract reachability graph](arg) says which sets of
//! predicates hold of what the clauses derive. If a query can be applied to nodes of the graph, the
//! derivations that lead there are an and/or [tree]. Either one of them is real and refutes the
//! clauses, or interpolants of the tree exclude all of them; these become predicates, and what was
//! made without them is made anew ([refine]). If no query can be applied, the graph is a solution:
//! a relation symbol means the disjunction of its nodes.
//!
//! | need | file |
//! |---|---|
//! | sets of predicates | [`predicates`] |
//! | the image of a clause | [`image`] |
//! | nodes, edges, subsumption | [`arg`] |
//! | counterexamples | [`tree`], as formulas [`unwound`] |
//! | predicates from counterexamples | [`refine`] |
//! | the same for any number of repetitions of its loops | [`accelerate`] |
//! | predicates to begin with | [`initial`] |
//! | what predicates are to speak about | [`template`], [`lattice`] |
//! | what other engines hear and say | [`sharing`] |
//! | the formulas of symbols | [`solution`] |
//!
//! The *global* variant keeps one node for each symbol: a clause that leads outside of it makes it
//! weaker, so predicates have to be disjunctive where the graph has several nodes. Every refinement
//! begins from `false` everywhere, as Houdini does; what images are is known from before.
//!
//! Invariant: a refinement brings a predicate that is new, or deletes a node that was made before
//! all predicates of its symbol were known. Else the same tree is refined without templates and
//! without splitting, which always does.
//!
//! Source: [RHK13]; interpolation abstraction is from [LRS16], acceleration from [HIKKR12].
//! Symbols: `Π` → `predicates`, `(S, E)` → `arg`, TI and DI → [`Refinement`].

mod accelerate;
mod arg;
mod cases;
mod image;
mod initial;
mod lattice;
mod options;
mod predicates;
mod refine;
mod sharing;
mod solution;
mod statistics;
mod template;
mod tree;
mod unwound;

use shofar_base::{GaveUp, Idx, Outcome};
use shofar_chc::{Derivation, Engine, NormalSystem, PredId, Preparation, Verdict};
use shofar_term::print::print;
use shofar_term::{Cx, Phase, PhaseTimes, Stage, Symbol, Term};

use crate::rule::Rule;
use accelerate::{Accelerator, Folded};
use arg::{Arg, NodeId, Task};
use image::Images;
pub(crate) use options::OPTIONS;
pub use options::{
    Acceleration, Initial, Order, PaOptions, Refinement, Split, Strength, Templates, Variant,
};
use predicates::Predicates;
use refine::{Guided, Refined, Refiner};
use statistics::Statistics;
use template::Families;
use tree::Tree;

/// The engine; see the [module](self) documentation.
#[derive(Clone, Debug, Default)]
pub struct Pa {
    options: PaOptions,
    statistics: Statistics,
    times: PhaseTimes,
}

impl Pa {
    /// An engine set up like that.
    pub fn new(options: PaOptions) -> Self {
        Self { options, ..Self::default() }
    }
}

impl Engine<NormalSystem> for Pa {
    fn solve(&mut self, cx: &mut Cx<'_>, system: &NormalSystem) -> Outcome<Verdict<NormalSystem>> {
        self.times = PhaseTimes::default();
        self.statistics = Statistics::default();
        let rules = match self.options.acceleration {
            Acceleration::None | Acceleration::Static => Rule::of_system(cx.store, system),
            Acceleration::Dynamic => cases::rules(cx.store, system),
        };
        let mut cx = cx.measured(&self.times);
        let mut run = Run::new(&mut cx, system, &rules, &self.options)?;
        let outcome = run.construct_arg(&mut cx, system);
        self.statistics = run.stats;
        outcome
    }
    fn statistics(&self) -> shofar_base::Statistics {
        self.statistics.rows(&self.times).into_iter().collect()
    }
    fn preparation(&self) -> Preparation {
        match self.options.acceleration {
            Acceleration::None | Acceleration::Dynamic => Preparation::Nothing,
            Acceleration::Static => Preparation::Shortcuts,
        }
    }
}

/// The state of the algorithm.
struct Run<'r> {
    options: &'r PaOptions,
    rules: &'r [Rule],
    /// How many relation symbols there are.
    preds: usize,
    predicates: Predicates,
    families: Families,
    images: Images,
    arg: Arg,
    /// What the symbols of relations are called.
    symbols: Vec<Symbol>,
    stats: Statistics,
}

impl<'r> Run<'r> {
    fn new(
        cx: &mut Cx<'_>,
        system: &NormalSystem,
        rules: &'r [Rule],
        options: &'r PaOptions,
    ) -> Outcome<Self> {
        let mut predicates = Predicates::new(cx.store, system);
        let mut families = Families::new(cx, system, rules, &predicates, options.templates)?;
        let mut hints = initial::hints(cx.store, system.hints(), &mut predicates, options.split);
        hints += families.add_hints(cx.store, system.hints(), &predicates);
        if options.initial == Initial::Bounds {
            initial::bounds(cx, rules, &families, &mut predicates)?;
        }
        predicates.keep();
        Ok(Self {
            options,
            rules,
            preds: system.pred_count(),
            predicates,
            families,
            images: Images::new(cx.store, rules, options.seed),
            arg: Arg::new(rules, system.pred_count(), options.order),
            symbols: system.preds().map(|pred| system.symbol(pred)).collect(),
            stats: Statistics { hints: hints as u64, ..Statistics::default() },
        })
    }
    /// *construct_arg*: does tasks until there are none, or a query is reached by a real
    /// derivation.
    fn construct_arg(
        &mut self,
        cx: &mut Cx<'_>,
        system: &NormalSystem,
    ) -> Outcome<Verdict<NormalSystem>> {
        self.hear(cx)?;
        while let Some(task) = self.arg.next() {
            cx.budget.check()?;
            let body = self.arg.sets(&task);
            let image =
                self.images.image(cx, &self.predicates, &mut self.stats, task.clause, &body)?;
            match (&self.rules[task.clause].head, image) {
                (_, None) => (),
                (Some((pred, _)), Some(mut image)) => {
                    let considered = self.predicates.news(*pred);
                    if self.options.variant == Variant::Global {
                        self.arg.join(*pred, &mut image);
                    }
                    self.arg.derive(&mut self.stats, task, *pred, image, considered);
                }
                (None, Some(_)) => {
                    if let Some(derivation) = self.refine(cx, &task)? {
                        return Ok(Verdict::Unsafe(derivation));
                    }
                    if self.options.variant == Variant::Graph {
                        self.arg.reopen(task);
                    }
                }
            }
        }
        tracing::debug!("the graph is closed: {}", self.stats);
        let Self { predicates, images, arg, stats, .. } = self;
        solution::solution(cx, system, predicates, images, arg, stats).map(Verdict::Safe)
    }
    /// A derivation among the counterexamples that end with `task`, a query, or predicates that
    /// exclude them.
    fn refine(&mut self, cx: &mut Cx<'_>, task: &Task) -> Outcome<Option<Derivation>> {
        let tree = match self.options.variant {
            Variant::Graph => Tree::extract(&self.arg, task, self.options.refinement)?,
            Variant::Global => Tree::extract_global(&self.arg, task)?,
        };
        self.hear(cx)?;
        self.stats.refinements += 1;
        let refinement = Stage::at("refinement", self.stats.refinements);
        cx.reached(refinement.with(self.stats.predicates, "predicates"));
        self.stats.tree_nodes += tree.copies.len() as u64;
        match self.accelerate(cx, &tree)? {
            Some(Folded::Counterexample(derivation)) => return Ok(Some(derivation)),
            Some(Folded::Excluded(formulas)) => {
                let is_new = self.add_all(cx, &formulas, self.options.split);
                if self.is_forgotten(&tree, is_new) {
                    tracing::debug!(
                        "accelerated refinement {}: {}",
                        self.stats.refinements,
                        self.stats
                    );
                    return Ok(None);
                }
            }
            None => (),
        }
        for (guided, split) in [(Guided::Yes, self.options.split), (Guided::No, Split::Whole)] {
            let formulas = match self.refined(cx, &tree, guided) {
                Ok(Refined::Counterexample(derivation)) => return Ok(Some(derivation)),
                Ok(Refined::Excluded(formulas)) => formulas,
                Err(GaveUp::Incomplete(_)) if guided == Guided::Yes => continue,
                Err(why) => return Err(why),
            };
            let is_new = self.add_predicates(cx, &tree, &formulas, split);
            if self.is_forgotten(&tree, is_new) {
                tracing::debug!("refinement {}: {}", self.stats.refinements, self.stats);
                return Ok(None);
            }
        }
        Err(GaveUp::incomplete(
            "the predicates of a counterexample are known and do not exclude it",
        ))
    }
    /// What the scheme of a counterexample is good for, if it has loops that are accelerated.
    fn accelerate(&mut self, cx: &mut Cx<'_>, tree: &Tree) -> Outcome<Option<Folded>> {
        match self.options.acceleration {
            Acceleration::None | Acceleration::Static => return Ok(None),
            Acceleration::Dynamic => (),
        }
        let accelerator = Accelerator {
            rules: self.rules,
            predicates: &self.predicates,
            interpolation: &self.options.strength.interpolation(self.stats.refinements),
            seed: self.options.seed,
            delay: self.options.delay,
        };
        cx.phase(Phase::Generalization, |cx| accelerator.refine(cx, &mut self.stats, tree))
    }
    /// Forgets what was made without the predicates of `tree`; whether there is anything new to do.
    fn is_forgotten(&mut self, tree: &Tree, is_new: bool) -> bool {
        match self.options.variant {
            Variant::Graph => {
                let stale = self.stale(tree);
                self.arg.delete(&mut self.stats, &stale);
                self.forget();
                is_new || !stale.is_empty()
            }
            Variant::Global => {
                self.arg = Arg::new(self.rules, self.preds, self.options.order);
                is_new
            }
        }
    }
    /// Forgets predicates that no node has had for some refinements.
    fn forget(&mut self) {
        let Some(patience) = self.options.patience else { return };
        for pred in self.predicates.preds() {
            let used = self.arg.used(pred);
            let now = self.stats.refinements;
            self.stats.forgotten += self.predicates.forget(pred, &used, now, patience);
        }
    }
    fn refined(&mut self, cx: &mut Cx<'_>, tree: &Tree, guided: Guided) -> Outcome<Refined> {
        let refiner = Refiner {
            rules: self.rules,
            families: &self.families,
            interpolation: &self.options.strength.interpolation(self.stats.refinements),
            seed: self.options.seed,
        };
        refiner.refine(cx, &mut self.stats, &self.predicates, tree, guided)
    }
    /// Adds the formulas of the copies to the predicates of their symbols; whether there is
    /// something new.
    fn add_predicates(
        &mut self,
        cx: &mut Cx<'_>,
        tree: &Tree,
        formulas: &[Term],
        split: Split,
    ) -> bool {
        let copies = tree.copies[1..].iter().zip(formulas);
        let formulas: Vec<(PredId, Term)> =
            copies.filter_map(|(copy, &formula)| Some((copy.pred?, formula))).collect();
        self.add_all(cx, &formulas, split)
    }
    /// Adds formulas to the predicates of their symbols; whether there is something new.
    fn add_all(&mut self, cx: &mut Cx<'_>, formulas: &[(PredId, Term)], split: Split) -> bool {
        let mut is_new = false;
        for &(pred, formula) in formulas {
            tracing::trace!("predicate of {}: {}", pred.index(), print(cx.store, formula));
            let now = self.stats.refinements;
            if self.predicates.add(cx.store, pred, formula, split, now) {
                self.tell(cx, pred, formula);
                is_new = true;
            }
        }
        self.stats.predicates = self.predicates.count() as u64;
        is_new
    }
    /// The nodes of `tree` that were made before all predicates of their symbols were known.
    fn stale(&self, tree: &Tree) -> Vec<NodeId> {
        let mut stale: Vec<NodeId> = tree.copies.iter().filter_map(|copy| copy.node).collect();
        stale.sort_unstable();
        stale.dedup();
        stale.retain(|&node| {
            let node = &self.arg.nodes[node];
            node.considered < self.predicates.news(node.pred)
        });
        stale
    }
}

#[cfg(test)]
mod tests;
