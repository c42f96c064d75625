//! Lazy abstraction with interpolants.
//!
//! The clauses are unwound into a tree whose vertices are labelled with formulas. A path from the
//! root to the goal is either a refutation, or its interpolants, all from one proof, strengthen the
//! labels on it. A vertex whose label implies that of an earlier vertex of the same predicate is
//! *covered* by it and need not be unwound. When all leaves are covered, the labels of the vertices
//! that are not are a model.
//!
//! Invariants: the label of a vertex and the clause of an edge imply the label below; a refuted
//! goal is labelled `false`. A covered vertex implies the vertex that covers it, which is not
//! covered itself, nor is anything above it.
//!
//! Source: [McM06] §3 and §4 (the procedures *expand*, *refine*, *cover*, *close*; *force cover* of
//! §5 as an option). Symbols: `ψ(v)` → `Vertex::label`, `M_v` → `Vertex::place`, `⊲` →
//! `Vertex::covered_by`. DIVERGENCE [McM06] §4.1: a cover whose target was strengthened is removed
//! only if it does not hold any more.

mod options;
mod paths;
mod sharing;
mod unwinding;

use shofar_base::{GaveUp, Map, Outcome};
use shofar_chc::{Engine, LinearSystem, NormalSystem, PredId, Verdict};
use shofar_smt::{Answer, Solver};
use shofar_term::{Cx, Stage, Term};

use crate::layers::Place;
pub(crate) use options::OPTIONS;
pub use options::{Covering, LawiOptions, Search};
use paths::{Found, Paths};
use unwinding::{Unwinding, VertexId};

/// The engine; see the [module](self) documentation.
#[derive(Clone, Debug, Default)]
pub struct Lawi {
    options: LawiOptions,
}

impl Lawi {
    /// An engine set up like that.
    pub fn new(options: LawiOptions) -> Self {
        Self { options }
    }
}

impl Engine<NormalSystem> for Lawi {
    fn solve(&mut self, cx: &mut Cx<'_>, system: &NormalSystem) -> Outcome<Verdict<NormalSystem>> {
        let Some(linear) = LinearSystem::of(system) else {
            return Err(GaveUp::unsupported("a nonlinear system has no paths"));
        };
        let mut run = Unwind {
            options: &self.options,
            paths: Paths::new(cx.store, linear, &self.options),
            tree: Unwinding::new(cx.store),
            implication: Implication::default(),
            known: Map::default(),
        };
        run.unwind(cx, system)
    }
}

/// The state of the procedure *unwind*.
struct Unwind<'o> {
    options: &'o LawiOptions,
    paths: Paths,
    tree: Unwinding,
    implication: Implication,
    /// What others have proved to hold always, with the usual parameters.
    known: Map<PredId, Term>,
}

impl Unwind<'_> {
    /// *unwind*: closes, refines and expands until every leaf is covered.
    fn unwind(&mut self, cx: &mut Cx<'_>, system: &NormalSystem) -> Outcome<Verdict<NormalSystem>> {
        while let Some(leaf) = self.tree.uncovered_leaf(self.options.search) {
            cx.budget.check()?;
            self.hear(cx, system)?;
            cx.reached(Stage::of(self.tree.size(), "vertices"));
            for vertex in self.tree.path(leaf) {
                self.close(cx, vertex)?;
            }
            if self.tree.is_covered(leaf) || self.force_cover(cx, leaf)? {
                continue;
            }
            for goal in self.tree.expand(cx.store, &mut self.paths, leaf, &self.known) {
                if self.tree.is_covered(goal) {
                    break;
                }
                if let Some(refutation) = self.refine(cx, goal)? {
                    return Ok(Verdict::Unsafe(refutation));
                }
                self.tell(cx, system, goal);
                for vertex in self.tree.path(goal) {
                    self.close(cx, vertex)?;
                }
            }
        }
        Ok(Verdict::Safe(self.tree.model(cx.store, system)))
    }
    /// *refine*: a refutation along the path to `goal`, or labels that exclude it.
    fn refine(
        &mut self,
        cx: &mut Cx<'_>,
        goal: VertexId,
    ) -> Outcome<Option<shofar_chc::Derivation>> {
        let path = self.tree.path(goal);
        let edges = self.tree.edges(&path);
        match self.paths.refute(cx, &edges, self.options)? {
            Found::Refutation(derivation) => Ok(Some(derivation)),
            Found::Labels(labels) => {
                for (&vertex, label) in path[1..].iter().zip(labels) {
                    self.strengthen(cx, vertex, label)?;
                }
                Ok(None)
            }
        }
    }
    /// Adds to the label of `vertex`, and removes the covers that hold no more.
    fn strengthen(&mut self, cx: &mut Cx<'_>, vertex: VertexId, label: Term) -> Outcome<()> {
        let old = self.tree.label(vertex);
        if self.implication.holds(cx, old, label)? {
            return Ok(());
        }
        let new = cx.store.and(&[old, label]);
        self.tree.set_label(vertex, new);
        for covered in self.tree.covered_by(vertex) {
            if !self.implication.holds(cx, self.tree.label(covered), new)? {
                self.tree.uncover(covered);
            }
        }
        Ok(())
    }
    /// *close*: covers `vertex` by an earlier one, if possible.
    fn close(&mut self, cx: &mut Cx<'_>, vertex: VertexId) -> Outcome<()> {
        if self.tree.is_covered(vertex) {
            return Ok(());
        }
        for earlier in self.tree.candidates(vertex) {
            if self.implication.holds(cx, self.tree.label(vertex), self.tree.label(earlier))? {
                self.tree.cover(vertex, earlier);
                return Ok(());
            }
        }
        Ok(())
    }
    /// *force cover*: strengthens the labels above `leaf` so that an earlier vertex covers it, if
    /// possible.
    fn force_cover(&mut self, cx: &mut Cx<'_>, leaf: VertexId) -> Outcome<bool> {
        let Covering::Forced(limit) = self.options.covering else { return Ok(false) };
        let Place::Pred(pred) = self.tree.place(leaf) else { return Ok(false) };
        let path = self.tree.path(leaf);
        for earlier in self.tree.candidates(leaf).into_iter().rev().take(limit) {
            let common = self.tree.common_ancestor(&path, earlier);
            let (above, wanted) = (self.tree.label(path[common]), self.tree.label(earlier));
            let edges = self.tree.edges(&path[common..]);
            let Some(labels) =
                self.paths.enforce(cx, common, above, &edges, (pred, wanted), self.options)?
            else {
                continue;
            };
            for (&vertex, label) in path[common + 1..].iter().zip(labels) {
                self.strengthen(cx, vertex, label)?;
            }
            self.strengthen(cx, leaf, wanted)?;
            self.tree.cover(leaf, earlier);
            return Ok(true);
        }
        Ok(false)
    }
}

/// Which labels imply which, each asked once.
#[derive(Default)]
struct Implication {
    solver: Solver,
    known: Map<(Term, Term), bool>,
}

impl Implication {
    fn holds(&mut self, cx: &mut Cx<'_>, premise: Term, conclusion: Term) -> Outcome<bool> {
        if premise == conclusion || conclusion == cx.store.top() || premise == cx.store.bottom() {
            return Ok(true);
        }
        if let Some(&known) = self.known.get(&(premise, conclusion)) {
            return Ok(known);
        }
        let contrary = cx.store.not(conclusion);
        let holds =
            matches!(self.solver.check_assuming(cx, &[premise, contrary])?, Answer::Unsat(_));
        self.known.insert((premise, conclusion), holds);
        Ok(holds)
    }
}
