//! Disjunctive interpolants: what can be said at marked positions of an unsatisfiable formula.
//!
//! The marked positions lie under conjunctions and disjunctions only. An interpolant `I` gives each
//! a formula such that what stands at a position, with `I(q)` in place of each marked position `q`
//! directly below, implies `I(p)`; the root's is `false`; and `I(p)` has only symbols that occur
//! both at `p` and elsewhere. One marked conjunct is a binary interpolant, nested conjunctions are
//! a sequence, positions that are never below a disjunction a tree; [`nested`] writes these.
//!
//! A formula with marked positions is given in pieces ([`Position`]): a *flag*, a propositional
//! constant, stands in each piece for a marked position directly below. The labels `¬flag ∨ piece`
//! form a tree, the root's without a flag, and they contradict each other exactly if the formula is
//! unsatisfiable. Flags of positions below `p` are local to the subtree of `p`, so `p`'s tree
//! interpolant has at most its own flag, in the shape `¬flag ∨ I(p)`: with the flag set, it is
//! `I(p)`. So one proof serves all positions, however many conjunctions the disjunctions stand for.
//! Flags of positions that are below no disjunction are set from the beginning.
//!
//! Invariant: no flag occurs in a result. Debug builds check all side conditions.
//!
//! Source: [RHK13] (the reduction to tree interpolation), [RHK13b] (the fragments that need it).

mod nested;

use shofar_base::{GaveUp, Map, Outcome, Set};
use shofar_term::compact::compact;
use shofar_term::eval::{Model, Value};
use shofar_term::print::print;
use shofar_term::substitute::Substitution;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Sort, Symbol, Term, TermStore};

use super::Interpolation;
use crate::answer::Answer;
use crate::certify::{self, Objection};
use crate::{Options, PartId, Solver, implies};

/// A marked position of a formula.
#[derive(Clone, Debug)]
pub struct Position {
    /// What stands there, with a flag for each marked position directly below.
    pub formula: Term,
    /// The marked position directly above, and the flag that stands for this one there; none for
    /// the root.
    pub place: Option<(usize, Symbol)>,
}

/// A formula with marked positions, one of which is the root.
///
/// A flag occurs in the formula of the position above only, below conjunctions and disjunctions
/// only.
#[derive(Clone, Debug, Default)]
pub struct Marked {
    /// The positions, in any order.
    pub positions: Vec<Position>,
}

/// What is known of a formula with marked positions.
#[derive(Clone, Debug)]
pub enum Disjunctive {
    /// It is satisfiable; the model has values for the flags as well.
    Model(Model),
    /// A formula for each position, in the order of the positions.
    Interpolants(Vec<Term>),
}

impl Marked {
    /// A formula whose only marked position is its root.
    pub fn root(formula: Term) -> Self {
        Self { positions: vec![Position { formula, place: None }] }
    }
    /// A new flag.
    pub fn flag(store: &mut TermStore) -> Symbol {
        store.fresh("flag", Sort::BOOL)
    }
    /// A model, or an interpolant for every position, by one call of a solver.
    pub fn solve(
        &self,
        cx: &mut Cx<'_>,
        options: &Options,
        how: &Interpolation,
    ) -> Outcome<Disjunctive> {
        let order = self.postorder();
        let mut solver =
            Solver::new(Options { evidence: crate::Evidence::Proofs, ..options.clone() });
        let certain = self.certain_flags(cx.store, &order);
        let set: Map<Term, Term> =
            certain.iter().map(|&flag| (cx.store.constant(flag), cx.store.top())).collect();
        let mut set = Substitution::new(set);
        let mut groups: Vec<Vec<PartId>> = Vec::with_capacity(order.len());
        for &(position, _) in &order {
            let label = self.label(cx.store, position);
            let label = set.apply(cx.store, label);
            groups.push(vec![solver.add(cx.store, label)]);
        }
        let first: Vec<usize> = order.iter().map(|&(_, first)| first).collect();
        let tree = match solver.check(cx)? {
            Answer::Sat(view) => {
                let mut model = view.assignment(cx.store);
                for flag in certain {
                    model.set(flag, Value::Bool(true));
                }
                return Ok(Disjunctive::Model(model));
            }
            Answer::Unsat(view) => view.tree_interpolants(cx, &groups, &first, how)?,
        };
        let mut interpolants = vec![cx.store.bottom(); self.positions.len()];
        for (&(position, _), labelled) in order.iter().zip(tree) {
            interpolants[position] = self.without_flag(cx.store, position, labelled);
        }
        self.certify(cx, &interpolants, how)?;
        Ok(Disjunctive::Interpolants(interpolants))
    }
    /// Whether `interpolants`, one for each position, meet all side conditions.
    pub fn check(&self, cx: &mut Cx<'_>, interpolants: &[Term]) -> Outcome<Result<(), Objection>> {
        assert_eq!(interpolants.len(), self.positions.len(), "every position has an interpolant");
        if let Some(objection) = self.foreign_symbol(cx.store, interpolants) {
            return Ok(Err(objection));
        }
        for (position, &interpolant) in interpolants.iter().enumerate() {
            let premise = self.with_interpolants(cx.store, position, interpolants);
            let is_root = self.positions[position].place.is_none();
            let conclusion = if is_root { cx.store.bottom() } else { interpolant };
            if !implies(cx, certify::limited(), &[premise], conclusion)? {
                let text = print(cx.store, conclusion);
                return Ok(Err(Objection(format!("position {position} does not imply {text}"))));
            }
        }
        Ok(Ok(()))
    }
    fn certify(&self, cx: &mut Cx<'_>, interpolants: &[Term], how: &Interpolation) -> Outcome<()> {
        if !how.certify && !cfg!(debug_assertions) {
            return Ok(());
        }
        match self.check(cx, interpolants) {
            Ok(Err(objection)) => {
                debug_assert!(false, "a disjunctive interpolant is wrong: {objection}");
                Err(GaveUp::wrong(format!("a disjunctive interpolant: {objection}")))
            }
            // What cannot be decided within the limits of a check is no objection.
            Ok(Ok(())) | Err(GaveUp::Incomplete(_)) => Ok(()),
            Err(why) => Err(why),
        }
    }
    /// The positions directly below each.
    fn below(&self) -> Vec<Vec<usize>> {
        let mut below: Vec<Vec<usize>> = vec![Vec::new(); self.positions.len()];
        for (index, position) in self.positions.iter().enumerate() {
            if let Some((above, _)) = position.place {
                below[above].push(index);
            }
        }
        below
    }
    /// The positions in post-order, each with the place in this order where its subtree begins.
    fn postorder(&self) -> Vec<(usize, usize)> {
        let below = self.below();
        let mut roots = (0..self.positions.len()).filter(|&p| self.positions[p].place.is_none());
        let root = roots.next().expect("a formula has a root");
        assert!(roots.next().is_none(), "a formula has one root");
        let mut order = Vec::with_capacity(self.positions.len());
        let mut stack: Vec<(usize, usize, usize)> = vec![(root, 0, 0)];
        while let Some(&mut (position, ref mut next, first)) = stack.last_mut() {
            if let Some(&child) = below[position].get(*next) {
                *next += 1;
                stack.push((child, 0, order.len()));
            } else {
                stack.pop();
                order.push((position, first));
            }
        }
        assert_eq!(order.len(), self.positions.len(), "every position is below the root");
        order
    }
    /// The flags of positions that are below no disjunction: they are set in every model, and
    /// labels are simpler without them.
    fn certain_flags(&self, store: &mut TermStore, order: &[(usize, usize)]) -> Vec<Symbol> {
        let below = self.below();
        let mut is_certain: Vec<bool> = self.positions.iter().map(|p| p.place.is_none()).collect();
        let mut flags = Vec::new();
        // Backwards, a position comes after the one above it.
        for &(position, _) in order.iter().rev().filter(|&&(p, _)| !below[p].is_empty()) {
            if !is_certain[position] {
                continue;
            }
            let conjuncts = store.conjuncts(&[self.positions[position].formula]);
            let conjuncts: Set<Term> = conjuncts.into_iter().collect();
            for &child in &below[position] {
                let (_, flag) = self.positions[child].place.expect("it is below another one");
                if conjuncts.contains(&store.constant(flag)) {
                    is_certain[child] = true;
                    flags.push(flag);
                }
            }
        }
        flags
    }
    /// `¬flag ∨ piece`.
    fn label(&self, store: &mut TermStore, position: usize) -> Term {
        let Position { formula, place } = self.positions[position];
        let Some((_, flag)) = place else { return formula };
        let flag = store.constant(flag);
        store.implies(flag, formula)
    }
    /// `I` of the interpolant `¬flag ∨ I` of a label.
    fn without_flag(&self, store: &mut TermStore, position: usize, labelled: Term) -> Term {
        let Some((_, flag)) = self.positions[position].place else { return labelled };
        let map: Map<Term, Term> = [(store.constant(flag), store.top())].into_iter().collect();
        let interpolant = Substitution::new(map).apply(store, labelled);
        compact(store, interpolant)
    }
    /// What stands at a position, with the interpolants of those directly below.
    fn with_interpolants(
        &self,
        store: &mut TermStore,
        position: usize,
        interpolants: &[Term],
    ) -> Term {
        let mut map: Map<Term, Term> = Map::default();
        for (other, &interpolant) in self.positions.iter().zip(interpolants) {
            if let Some((above, flag)) = other.place
                && above == position
            {
                map.insert(store.constant(flag), interpolant);
            }
        }
        Substitution::new(map).apply(store, self.positions[position].formula)
    }
    /// A symbol of an interpolant that does not occur both at its position and elsewhere.
    fn foreign_symbol(&self, store: &TermStore, interpolants: &[Term]) -> Option<Objection> {
        let order = self.postorder();
        let formulas: Vec<Term> =
            order.iter().map(|&(position, _)| self.positions[position].formula).collect();
        let flags: Set<Symbol> =
            self.positions.iter().filter_map(|p| p.place.map(|(_, flag)| flag)).collect();
        for (at, &(position, first)) in order.iter().enumerate() {
            if self.positions[position].place.is_none() {
                continue;
            }
            let inside = free_symbols(store, &formulas[first..=at]);
            let outside = [&formulas[..first], &formulas[at + 1..]].concat();
            let outside = free_symbols(store, &outside);
            for symbol in free_symbols(store, &[interpolants[position]]) {
                let is_shared =
                    inside.binary_search(&symbol).is_ok() && outside.binary_search(&symbol).is_ok();
                if !is_shared || flags.contains(&symbol) {
                    let name = store.name(symbol);
                    return Some(Objection(format!("`{name}` is foreign to position {position}")));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests;
