//! Resolution proofs and their checker.
//!
//! A proof is a sequence of steps. A *leaf* is a clause somebody vouches for: the owner of the
//! solver or a theory, known by the [`Tag`]. A *chain* starts with an earlier clause and resolves
//! it with further earlier clauses in turn, each on a named pivot; what is left is the clause the
//! chain derives. Clauses of chains are not stored, they follow.
//!
//! Invariant: a step refers to earlier steps only. [`Proof::check`] replays everything and trusts
//! nothing.
//!
//! Source: [ZM03] (checking by replay of resolutions), [BKS04] (chains as trivial, that is linear
//! input, resolution).

use std::collections::BinaryHeap;

use shofar_base::{Idx, IndexVec, Lit, Map, Var, index_type};

/// What the owner of a leaf clause wrote on it; opaque here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(pub u32);

index_type!(
    /// The number of a step.
    pub struct StepId
);

/// One step of a derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// A clause that is not derived.
    Leaf {
        /// Its literals, without repetition.
        lits: &'a [Lit],
        /// What its owner wrote on it.
        tag: Tag,
    },
    /// The clause that is left after resolving `first` with each of `rest` in turn, on the pivot
    /// variable given.
    Chain {
        /// Where the chain starts.
        first: StepId,
        /// Pivots and the steps to resolve with.
        rest: &'a [(Var, StepId)],
    },
}

#[derive(Clone, Copy, Debug)]
enum Entry {
    Leaf { tag: Tag, start: u32, end: u32 },
    Chain { first: StepId, start: u32, end: u32 },
}

/// A sequence of steps in flat storage.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steps {
    entries: IndexVec<StepId, Entry>,
    lits: Vec<Lit>,
    links: Vec<(Var, StepId)>,
}

impl Steps {
    /// How many steps there are.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }
    /// How much memory the steps need, in units of one literal or link.
    pub(crate) fn size(&self) -> usize {
        2 * self.entries.len() + self.lits.len() / 2 + self.links.len()
    }
    /// The step with this number.
    pub(crate) fn step(&self, id: StepId) -> Step<'_> {
        match self.entries[id] {
            Entry::Leaf { tag, start, end } => {
                Step::Leaf { lits: &self.lits[start as usize..end as usize], tag }
            }
            Entry::Chain { first, start, end } => {
                Step::Chain { first, rest: &self.links[start as usize..end as usize] }
            }
        }
    }
    /// Appends a leaf.
    pub(crate) fn leaf(&mut self, lits: &[Lit], tag: Tag) -> StepId {
        let start = offset(self.lits.len());
        self.lits.extend_from_slice(lits);
        self.entries.push(Entry::Leaf { tag, start, end: offset(self.lits.len()) })
    }
    /// Appends a chain.
    pub(crate) fn chain(
        &mut self,
        first: StepId,
        rest: impl Iterator<Item = (Var, StepId)>,
    ) -> StepId {
        let start = offset(self.links.len());
        self.links.extend(rest);
        self.entries.push(Entry::Chain { first, start, end: offset(self.links.len()) })
    }
    /// Marks everything the marked steps stand on. One pass from the last step suffices: references
    /// go backwards.
    pub(crate) fn close(&self, marked: &mut IndexVec<StepId, bool>) {
        for id in marked.handles().rev() {
            if !marked[id] {
                continue;
            }
            match self.step(id) {
                Step::Leaf { .. } => {}
                Step::Chain { first, rest } => {
                    marked[first] = true;
                    for &(_, other) in rest {
                        marked[other] = true;
                    }
                }
            }
        }
    }
    /// The marked steps, which are closed under references, and the new number of each.
    pub(crate) fn extract(
        &self,
        marked: &IndexVec<StepId, bool>,
    ) -> (Steps, IndexVec<StepId, Option<StepId>>) {
        let mut kept = Steps::default();
        let mut renamed: IndexVec<StepId, Option<StepId>> = IndexVec::new();
        for id in marked.handles() {
            let new = marked[id].then(|| {
                self.copy(id, &mut kept, |old| {
                    renamed[old].expect("what a marked step refers to is marked")
                })
            });
            renamed.push(new);
        }
        (kept, renamed)
    }
    /// Appends a step to another log in which the steps it refers to have other numbers.
    fn copy(&self, id: StepId, to: &mut Steps, rename: impl Fn(StepId) -> StepId) -> StepId {
        match self.step(id) {
            Step::Leaf { lits, tag } => to.leaf(lits, tag),
            Step::Chain { first, rest } => {
                to.chain(rename(first), rest.iter().map(|&(pivot, other)| (pivot, rename(other))))
            }
        }
    }
    /// The steps that `root` stands on and itself, the latest first.
    fn foundation(&self, root: StepId) -> Vec<StepId> {
        let mut waiting = BinaryHeap::from([root]);
        let mut found: Vec<StepId> = Vec::new();
        while let Some(id) = waiting.pop() {
            if found.last() == Some(&id) {
                continue;
            }
            found.push(id);
            if let Step::Chain { first, rest } = self.step(id) {
                waiting.push(first);
                waiting.extend(rest.iter().map(|&(_, other)| other));
            }
        }
        found
    }
}

fn offset(position: usize) -> u32 {
    u32::try_from(position).expect("a proof log holds fewer than 2^32 links")
}

/// A derivation of one clause: steps in topological order, the last one being the root.
#[derive(Clone, Debug)]
pub struct Proof {
    steps: Steps,
    root: StepId,
}

/// Why a proof is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// The step refers to itself or to a later one.
    ForwardReference(StepId),
    /// The pivot does not occur in the two clauses with opposite signs.
    NoPivot(StepId, Var),
    /// A leaf or resolvent contains a variable with both signs.
    Tautology(StepId, Var),
    /// The derived clause is another one than expected: this is it, sorted.
    OtherRoot(Vec<Lit>),
}

impl std::fmt::Display for CheckError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CheckError::ForwardReference(step) => write!(f, "{step:?} refers to a later step"),
            CheckError::NoPivot(step, var) => write!(f, "{step:?} cannot resolve on {var:?}"),
            CheckError::Tautology(step, var) => write!(f, "{step:?} has {var:?} with both signs"),
            CheckError::OtherRoot(lits) => write!(f, "the proof derives {lits:?}"),
        }
    }
}

impl std::error::Error for CheckError {}

impl Proof {
    /// The part of `steps` that derives `root`.
    ///
    /// It looks at that part only: the log of a long-lived solver is much larger than one proof.
    pub(crate) fn trimmed(steps: &Steps, root: StepId) -> Self {
        let needed = steps.foundation(root);
        let mut kept = Steps::default();
        let mut renamed: Map<StepId, StepId> = Map::default();
        for &id in needed.iter().rev() {
            let new = steps.copy(id, &mut kept, |old| renamed[&old]);
            renamed.insert(id, new);
        }
        Self { steps: kept, root: renamed[&root] }
    }
    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }
    /// Whether there is no step; never so for a proof the solver made.
    pub fn is_empty(&self) -> bool {
        self.steps.len() == 0
    }
    /// The step with this number.
    pub fn step(&self, id: StepId) -> Step<'_> {
        self.steps.step(id)
    }
    /// All step numbers; a step comes after those it refers to.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = StepId> + use<> {
        self.steps.entries.handles()
    }
    /// The step that derives the clause the proof is about.
    pub fn root(&self) -> StepId {
        self.root
    }
    /// Replays every resolution and compares the outcome, as a set, with `expected_root`.
    pub fn check(&self, expected_root: &[Lit]) -> Result<(), CheckError> {
        let derived = self.clauses()?;
        let mut expected = expected_root.to_vec();
        expected.sort_unstable();
        expected.dedup();
        let root = &derived[self.root];
        if *root == expected { Ok(()) } else { Err(CheckError::OtherRoot(root.clone())) }
    }
    /// The clause every step derives, sorted; `Err` if some step is wrong.
    pub fn clauses(&self) -> Result<IndexVec<StepId, Vec<Lit>>, CheckError> {
        let mut derived: IndexVec<StepId, Vec<Lit>> = IndexVec::new();
        let mut resolvent = Resolvent::default();
        for id in self.ids() {
            match self.step(id) {
                Step::Leaf { lits, .. } => resolvent.add(id, lits)?,
                Step::Chain { first, rest } => {
                    let clause =
                        |of: StepId| derived.get(of).ok_or(CheckError::ForwardReference(id));
                    resolvent.add(id, clause(first)?)?;
                    for &(pivot, other) in rest {
                        resolvent.resolve(id, pivot, clause(other)?)?;
                    }
                }
            }
            derived.push(resolvent.take());
        }
        Ok(derived)
    }
}

/// A clause under construction: `present` says which literals it has, `lits` lists them and perhaps
/// some that left.
#[derive(Default)]
struct Resolvent {
    present: IndexVec<Lit, bool>,
    lits: Vec<Lit>,
}

impl Resolvent {
    fn has(&self, lit: Lit) -> bool {
        self.present.get(lit).copied().unwrap_or(false)
    }
    fn add(&mut self, step: StepId, lits: &[Lit]) -> Result<(), CheckError> {
        for &lit in lits {
            if self.has(!lit) {
                return Err(CheckError::Tautology(step, lit.var()));
            }
            if !self.has(lit) {
                let needed = lit.index().max((!lit).index()) + 1;
                if self.present.len() < needed {
                    self.present.resize(needed, false);
                }
                self.present[lit] = true;
                self.lits.push(lit);
            }
        }
        Ok(())
    }
    fn resolve(&mut self, step: StepId, pivot: Var, other: &[Lit]) -> Result<(), CheckError> {
        let here = [pivot.positive(), pivot.negative()].into_iter().find(|&lit| self.has(lit));
        let there = here.map(|lit| !lit).filter(|lit| other.contains(lit));
        let (Some(here), Some(there)) = (here, there) else {
            return Err(CheckError::NoPivot(step, pivot));
        };
        self.present[here] = false;
        self.lits.retain(|&lit| lit != here);
        let others: Vec<Lit> = other.iter().copied().filter(|&lit| lit != there).collect();
        self.add(step, &others)
    }
    fn take(&mut self) -> Vec<Lit> {
        let mut lits = std::mem::take(&mut self.lits);
        for &lit in &lits {
            self.present[lit] = false;
        }
        lits.sort_unstable();
        lits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn var(index: usize) -> Var {
        Var::from_index(index)
    }

    /// (a ∨ b), (¬a ∨ b), (¬b): `second` is the clause to resolve with on a.
    fn sample(second: [Lit; 2]) -> Proof {
        let (a, b) = (var(0), var(1));
        let mut steps = Steps::default();
        let unused = steps.leaf(&[b.positive()], Tag(9));
        let first = steps.leaf(&[a.positive(), b.positive()], Tag(0));
        let second = steps.leaf(&second, Tag(1));
        let third = steps.leaf(&[b.negative()], Tag(2));
        let root = steps.chain(first, [(a, second), (b, third)].into_iter());
        steps.chain(root, [(a, unused)].into_iter());
        Proof::trimmed(&steps, root)
    }

    #[test]
    fn a_right_proof_is_trimmed_and_accepted() {
        let proof = sample([var(0).negative(), var(1).positive()]);
        assert_eq!(proof.len(), 4);
        assert_eq!(proof.check(&[]), Ok(()));
        assert_eq!(proof.check(&[var(0).positive()]), Err(CheckError::OtherRoot(Vec::new())));
    }

    #[test]
    fn wrong_pivots_and_tautologies_are_refused() {
        let root = StepId::from_index(3);
        let no_pivot = sample([var(0).positive(), var(1).positive()]);
        assert_eq!(no_pivot.check(&[]), Err(CheckError::NoPivot(root, var(0))));
        let tautology = sample([var(0).negative(), var(1).negative()]);
        assert_eq!(tautology.check(&[]), Err(CheckError::Tautology(root, var(1))));
    }
}
