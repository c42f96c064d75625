//! A clause as a few conjunctions of linear constraints.
//!
//! Disjunctions are distributed while there are few enough conjunctions, and while that is little
//! work; those that intervals find to be empty are dropped at once. What is left of larger ones is
//! a choice between conjunctions of literals, which tightens the bounds of single dimensions by the
//! hull of its sides and says nothing else.

use shofar_chc::{Clause, PredId};
use shofar_domain::{Constraint, Dim, Domain, Intervals, Leaf, Premise, Space};
use shofar_term::TermStore;

use crate::invariants::formula::{Formula, Node, NodeId};

/// A clause has so many conjunctions at most.
const MOST_CUBES: usize = 48;
/// So many choices of a conjunction are looked at.
const MOST_CHOICES: usize = 32;

/// A conjunction, and what is known of its dimensions.
#[derive(Clone, Debug)]
pub(super) struct Cube {
    pub(super) literals: Vec<Constraint>,
    /// For each, one of the conjunctions holds.
    choices: Vec<Vec<Vec<Constraint>>>,
    /// What follows for single dimensions.
    ranges: Intervals,
}

/// A predicate with the dimensions of its arguments.
pub(super) type Place = (PredId, Vec<Dim>);

/// A clause over dimensions.
#[derive(Clone, Debug)]
pub(super) struct AbstractClause {
    pub(super) space: Space,
    pub(super) body: Vec<Place>,
    pub(super) head: Option<Place>,
    /// One of these holds; without any, the clause derives nothing.
    pub(super) cubes: Vec<Cube>,
}

impl AbstractClause {
    /// A clause whose arguments are distinct variables. While disjunctions are distributed,
    /// `expansion` literals are looked at at most; what is used is taken from it.
    pub(super) fn new(store: &mut TermStore, clause: &Clause, expansion: &mut usize) -> Self {
        let mut formula = Formula::new(store, clause.constraint);
        let mut place = |atom: &shofar_chc::PredAtom| -> Place {
            (atom.pred, atom.args.iter().map(|&arg| formula.dim(store, arg)).collect())
        };
        let body = clause.body.iter().map(&mut place).collect();
        let head = clause.head.as_ref().map(&mut place);
        let cubes = expand(&formula, expansion);
        Self { space: formula.space, body, head, cubes }
    }
    /// What the clause derives from `premises` about the dimensions `to`.
    pub(super) fn image<D: Domain>(&self, premises: &[Premise<'_, D>], to: &[Dim]) -> Option<D> {
        let mut result: Option<D> = None;
        for cube in &self.cubes {
            let Some(image) = self.image_of(cube, premises, to) else { continue };
            match &mut result {
                None => result = Some(image),
                Some(result) => result.join(&image),
            }
        }
        result
    }
    fn image_of<D: Domain>(
        &self,
        cube: &Cube,
        premises: &[Premise<'_, D>],
        to: &[Dim],
    ) -> Option<D> {
        let mut ranges = cube.ranges.clone();
        for &premise in premises {
            if !D::tighten(&mut ranges, &self.space, premise) {
                return None;
            }
        }
        if ranges != cube.ranges && !cube.propagate(&mut ranges, &self.space) {
            return None;
        }
        let leaf = Leaf { space: &self.space, cube: &cube.literals, ranges: &ranges };
        D::image(leaf, premises, to)
    }
    /// Drops the conjunctions that contradict the premises.
    pub(super) fn prune<D: Domain>(&mut self, premises: &[Premise<'_, D>]) {
        let cubes = std::mem::take(&mut self.cubes);
        let has_points = |cube: &Cube| self.image_of(cube, premises, &[]).is_some();
        self.cubes = cubes.into_iter().filter(has_points).collect();
    }
    /// How much there is to look at.
    pub(super) fn size(&self) -> usize {
        let of_cube = |cube: &Cube| {
            let choices = cube.choices.iter().flatten().map(|side| side.len() + 1);
            cube.literals.len() + choices.sum::<usize>() + self.space.len()
        };
        1 + self.cubes.iter().map(of_cube).sum::<usize>()
    }
    /// Uses what was found about an atom of the body, or of the head.
    pub(super) fn assume(&mut self, facts: &[Constraint], dims: &[Dim]) {
        use shofar_base::Idx;
        for cube in &mut self.cubes {
            let renamed = facts.iter().map(|fact| fact.renamed(|dim| dims[dim.index()]));
            cube.literals.extend(renamed);
        }
        let space = &self.space;
        self.cubes.retain_mut(|cube| {
            let mut ranges = std::mem::replace(&mut cube.ranges, Intervals::top(0));
            let has_points = cube.propagate(&mut ranges, space);
            cube.ranges = ranges;
            has_points
        });
    }
    /// Whether the constraint implies a fact about some dimensions, as far as is easily seen.
    pub(super) fn implies(&self, fact: &Constraint) -> bool {
        self.cubes.iter().all(|cube| cube.ranges.imply(fact) || cube.literals.contains(fact))
    }
}

impl Cube {
    /// Tightens bounds by all literals and choices; false if no point is left.
    fn propagate(&self, ranges: &mut Intervals, space: &Space) -> bool {
        if !ranges.propagate(space, &self.literals) {
            return false;
        }
        if self.choices.is_empty() {
            return true;
        }
        for sides in &self.choices {
            let mut hull: Option<Intervals> = None;
            for side in sides {
                let mut inside = ranges.clone();
                if !inside.propagate(space, side) {
                    continue;
                }
                match &mut hull {
                    None => hull = Some(inside),
                    Some(hull) => hull.join(&inside),
                }
            }
            match hull {
                None => return false,
                Some(hull) => *ranges = hull,
            }
        }
        ranges.propagate(space, &self.literals)
    }
}

/// A conjunction that is being made.
#[derive(Clone, Default)]
struct Partial {
    literals: Vec<Constraint>,
    choices: Vec<NodeId>,
}

impl Partial {
    /// Adds conjuncts; false if one of them is false.
    #[must_use]
    fn add(&mut self, formula: &Formula, parts: &[NodeId]) -> bool {
        let mut work: Vec<NodeId> = parts.iter().rev().copied().collect();
        while let Some(node) = work.pop() {
            match &formula.nodes[node] {
                Node::Literal(constraint) => self.literals.push(constraint.clone()),
                Node::And(parts) => work.extend(parts.iter().rev()),
                Node::Or(sides) => match &sides[..] {
                    [] => return false,
                    [only] => work.push(*only),
                    [_, _, ..] => self.choices.push(node),
                },
            }
        }
        true
    }
}

fn sides(formula: &Formula, choice: NodeId) -> &[NodeId] {
    match &formula.nodes[choice] {
        Node::Or(sides) => sides,
        Node::Literal(_) | Node::And(_) => unreachable!("choices are disjunctions"),
    }
}

/// The conjunctions of a formula.
fn expand(formula: &Formula, effort: &mut usize) -> Vec<Cube> {
    let mut start = Partial::default();
    if !start.add(formula, &formula.roots) {
        return Vec::new();
    }
    let (mut work, mut done, mut alive) = (vec![start], Vec::new(), 1);
    while let Some(mut partial) = work.pop() {
        *effort = effort.saturating_sub(1 + partial.literals.len());
        let mut ranges = Intervals::of_space(&formula.space);
        if !ranges.propagate(&formula.space, &partial.literals) {
            alive -= 1;
            continue;
        }
        let count = |&at: &usize| sides(formula, partial.choices[at]).len();
        let smallest = (0..partial.choices.len()).min_by_key(count);
        let chosen = smallest.filter(|at| *effort > 0 && alive + count(at) <= MOST_CUBES + 1);
        let Some(at) = chosen else {
            done.push(cube(formula, partial, ranges));
            continue;
        };
        let choice = partial.choices.remove(at);
        alive -= 1;
        for &side in sides(formula, choice) {
            let mut next = partial.clone();
            if next.add(formula, &[side]) {
                alive += 1;
                work.push(next);
            }
        }
    }
    done
}

/// The conjunction with its remaining choices.
fn cube(formula: &Formula, partial: Partial, ranges: Intervals) -> Cube {
    let choice = |&node: &NodeId| -> Vec<Vec<Constraint>> {
        let side = |&side: &NodeId| {
            let mut inner = Partial::default();
            inner.add(formula, &[side]).then_some(inner.literals)
        };
        sides(formula, node).iter().filter_map(side).collect()
    };
    let choices = partial.choices.iter().take(MOST_CHOICES).map(choice).collect();
    Cube { literals: partial.literals, choices, ranges }
}
