//! Frames: what paths may do at each depth.
//!
//! The frame at depth `d` offers all relations that are known when it is made, each behind a
//! selector, and has three kinds of blocking clauses, which forbid what a learned relation makes
//! superfluous: no learned relation twice in a row; no step that a newer relation covers
//! (*covers*); no part of a path that one step of a relation replaces (*blocks*).
//!
//! Invariant (O3): a block that starts at depth `s`, and a cover in a frame, belong to a relation
//! which that frame offers.

use shofar_base::{Idx, Map};
use shofar_smt::Solver;
use shofar_term::eval::{Model, Value};
use shofar_term::{Sort, Term, TermStore};

use super::relation::{Kind, RelId, Relations};
use super::space::Space;

/// What is true between the ends of a part of a path that a relation replaces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Replaced {
    pub(super) relation: RelId,
    /// Over state and next state, without locals; implies the relation for some count.
    pub(super) pairs: Term,
}

/// A frame; see the module documentation.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// The relations on offer, with their selectors, oldest first.
    pub(super) offered: Vec<(RelId, Term)>,
    /// Which selector is true, and what it means.
    pub(super) steps: Vec<Term>,
    /// Steps must not be like that, unless the selected relation is at least as new.
    pub(super) covers: Vec<Replaced>,
    /// Paths from these depths to behind this frame must not be like that.
    pub(super) blocks: Vec<(usize, Replaced)>,
}

impl Frame {
    /// The newest relation whose selector `model` makes true.
    pub(super) fn selected(&self, store: &TermStore, model: &Model) -> RelId {
        let is_on = |selector: Term| {
            store.symbol(selector).is_some_and(|s| model.get(s) == Some(&Value::Bool(true)))
        };
        let on = self.offered.iter().rev().find(|(_, selector)| is_on(*selector));
        on.expect("a frame demands a selector").0
    }
    pub(super) fn offers(&self, relation: RelId) -> bool {
        self.offered.binary_search_by_key(&relation, |&(id, _)| id).is_ok()
    }
}

/// All frames, and what the next ones will have in them.
#[derive(Default)]
pub(super) struct Frames {
    pub(super) stack: Vec<Frame>,
    pub(super) covers: Vec<Replaced>,
    /// By the depth of the frame.
    pub(super) blocks: Vec<Vec<(usize, Replaced)>>,
    /// Further clauses, by the depth of the frame.
    pub(super) clauses: Map<usize, Vec<Term>>,
    selectors: Map<(RelId, usize), Term>,
}

impl Frames {
    pub(super) fn depth(&self) -> usize {
        self.stack.len()
    }
    /// Opens a scope with the next frame.
    pub(super) fn push(
        &mut self,
        store: &mut TermStore,
        solver: &mut Solver,
        space: &mut Space,
        relations: &Relations,
    ) {
        let depth = self.depth();
        let frame = self.next(store, space, relations);
        solver.push();
        for &formula in &frame.steps {
            solver.add(store, formula);
        }
        for formula in self.blocking(store, space, relations, &frame, depth) {
            solver.add(store, formula);
        }
        self.stack.push(frame);
    }
    /// Closes the frames from this depth on.
    pub(super) fn pop_to(&mut self, solver: &mut Solver, depth: usize) {
        solver.pop(self.depth() - depth);
        self.stack.truncate(depth);
    }
    /// The literal that says that the frame at `depth` uses a relation.
    pub(super) fn selector(&mut self, store: &mut TermStore, id: RelId, depth: usize) -> Term {
        *self.selectors.entry((id, depth)).or_insert_with(|| {
            let symbol = store.fresh("use", Sort::BOOL);
            store.constant(symbol)
        })
    }
    /// Blocks what `replaced` says between `start` and `end`.
    pub(super) fn block(&mut self, start: usize, end: usize, replaced: Replaced) {
        debug_assert!(self.depth() <= start, "frames from the start on are made anew");
        if self.blocks.len() < end {
            self.blocks.resize(end, Vec::new());
        }
        self.blocks[end - 1].push((start, replaced));
    }
    /// Forgets the clauses of a relation.
    pub(super) fn forget(&mut self, relation: RelId) {
        self.covers.retain(|cover| cover.relation != relation);
        for blocks in &mut self.blocks {
            blocks.retain(|(_, block)| block.relation != relation);
        }
    }
    fn next(&mut self, store: &mut TermStore, space: &mut Space, relations: &Relations) -> Frame {
        let depth = self.depth();
        let (mut offered, mut steps) = (Vec::new(), Vec::new());
        for (id, relation) in relations.handles().zip(relations.iter()) {
            if !relation.is_offered {
                continue;
            }
            let selector = self.selector(store, id, depth);
            let step = space.timed(store, relation.formula, depth, depth + 1);
            steps.push(store.implies(selector, step));
            offered.push((id, selector));
        }
        let selectors: Vec<Term> = offered.iter().map(|&(_, selector)| selector).collect();
        steps.push(store.or(&selectors));
        let blocks = self.blocks.get(depth).cloned().unwrap_or_default();
        Frame { offered, steps, covers: self.covers.clone(), blocks }
    }
    /// The blocking clauses of a frame that is or will be at `depth`.
    pub(super) fn blocking(
        &self,
        store: &mut TermStore,
        space: &mut Space,
        relations: &Relations,
        frame: &Frame,
        depth: usize,
    ) -> Vec<Term> {
        let mut clauses = Vec::new();
        if let Some(before) = depth.checked_sub(1).map(|before| &self.stack[before]) {
            for &(id, selector) in &before.offered {
                let again = frame.offered.iter().find(|(other, _)| *other == id);
                if let (Some((_, again)), true) = (again, relations[id].kind != Kind::Original) {
                    let twice = store.and(&[selector, *again]);
                    clauses.push(store.not(twice));
                }
            }
        }
        for cover in &frame.covers {
            debug_assert!(frame.offers(cover.relation), "covering relations are on offer");
            let pairs = space.timed(store, cover.pairs, depth, depth + 1);
            let mut cases = vec![store.not(pairs)];
            let newer = |(id, _): &&(RelId, Term)| *id >= cover.relation;
            cases.extend(frame.offered.iter().filter(newer).map(|&(_, selector)| selector));
            clauses.push(store.or(&cases));
        }
        for (start, block) in &frame.blocks {
            let first = self.stack.get(*start).unwrap_or(frame);
            debug_assert!(first.offers(block.relation), "replacing relations are on offer");
            let pairs = space.timed(store, block.pairs, *start, depth + 1);
            clauses.push(store.not(pairs));
        }
        clauses.extend(self.clauses.get(&depth).into_iter().flatten());
        clauses
    }
}

impl Replaced {
    /// Whether a step that uses `relation` may be like that.
    pub(super) fn allows(self, relation: RelId) -> bool {
        relation.index() >= self.relation.index()
    }
}
