//! Groups of terms whose values all differ, kept without an atom for each pair.
//!
//! A group of n terms stands for n·(n-1)/2 disequalities, of which the search would have to split
//! every one. Nearly all of them hold of their own accord, or can be made to: at the final check,
//! columns whose values are taken move to values that nobody has, as far as their bounds and the
//! rows permit. Only for pairs that still agree does the search need a case distinction
//! ([`Collision`]).
//!
//! Invariant: moving keeps all bounds and all rows. It may spoil the integrality of dormant terms,
//! so a final check has to follow. What counts in the end are the concrete values, in which δ is a
//! number: terms that differ by multiples of δ only may come to agree.
//!
//! Source: ours; the shift is that of the patches of [BN24].

use shofar_base::{Budget, Map, Outcome};
use shofar_num::{Delta, Rational};
use shofar_term::{Linear, Term, TermStore};

use super::Arith;
use super::distinct::all_different;
use super::tableau::{Column, Place};
use crate::theory::{Check, Collision, Farkas};

/// A term plus an offset, the value of which differs from those of the others in its group.
pub(super) type Member = (Term, Rational);

/// How often values are moved away from each other in one final check; moving may spoil other
/// values.
const MOST_ROUNDS: u32 = 3;
/// Columns of more rows than this do not move.
const MOST_ROWS: usize = 200;

/// The groups that are kept apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    groups: Vec<Vec<(Column, Rational)>>,
}

/// How often the values of the members of a group occur.
type Taken = Map<Delta, u32>;

impl Arith {
    /// Takes over the conjunction of `equations`, each negated if `negated`, if it says that many
    /// terms have different values; the result is those terms. The groups are numbered from 0.
    pub fn keep_apart(
        &mut self,
        store: &TermStore,
        equations: &[Term],
        negated: bool,
    ) -> Option<Vec<Term>> {
        let members = all_different(store, equations, negated)?;
        self.add_group(store, &members);
        Some(members.into_iter().map(|(term, _)| term).collect())
    }
    fn add_group(&mut self, store: &TermStore, members: &[Member]) {
        let group = members.iter().map(|(t, offset)| (self.column(store, *t), offset.clone()));
        let group = group.collect();
        self.apart.groups.push(group);
    }
    /// The final check of the integers, and of the groups: values move away from each other as long
    /// as that helps.
    pub(super) fn check_final(
        &mut self,
        store: &mut TermStore,
        budget: &Budget,
    ) -> Outcome<Check<Farkas>> {
        let mut rounds = 0;
        loop {
            if let Some(lemma) = self.refute_relaxation(budget)? {
                return Ok(Check::Conflict(lemma));
            }
            match self.check_integers(store, budget)? {
                Check::Consistent if rounds < MOST_ROUNDS && self.separate() => rounds += 1,
                Check::Consistent => return Ok(self.collision_check(store)),
                found @ (Check::Conflict(_) | Check::Split(_) | Check::Collision(_)) => {
                    return Ok(found);
                }
            }
        }
    }
    fn collision_check(&self, store: &mut TermStore) -> Check<Farkas> {
        let collisions: Vec<Collision> = self
            .collisions()
            .into_iter()
            .map(|(group, (x, x_offset), (y, y_offset))| {
                let monomials = vec![(Rational::ONE, x), (Rational::MINUS_ONE, y)];
                let mut linear = Linear::from_monomials(monomials, x_offset - y_offset);
                let below = store.lt_zero(&linear);
                linear.scale(&Rational::MINUS_ONE);
                Collision { group, cases: [below, store.lt_zero(&linear)] }
            })
            .collect();
        if collisions.is_empty() { Check::Consistent } else { Check::Collision(collisions) }
    }
    /// Forgets all groups but the first `count`.
    pub fn forget_groups(&mut self, count: usize) {
        self.apart.groups.truncate(count);
    }
    /// Moves values away from each other; tells whether any moved. A further final check is due
    /// then.
    fn separate(&mut self) -> bool {
        if self.apart.groups.is_empty() {
            return false;
        }
        let groups = std::mem::take(&mut self.apart.groups);
        let mut roles: Map<Column, Vec<(usize, &Rational)>> = Map::default();
        let mut taken: Vec<Taken> = vec![Taken::default(); groups.len()];
        let mut columns = Vec::new();
        for (g, group) in groups.iter().enumerate() {
            for (x, offset) in group {
                let role = roles.entry(*x).or_default();
                if role.is_empty() {
                    columns.push(*x);
                }
                role.push((g, offset));
                *taken[g].entry(plus(self.simplex.evaluate(*x), offset)).or_default() += 1;
            }
        }
        columns.retain(|&x| self.is_movable(x));
        // Those with the fewest values to choose from choose first.
        columns.sort_by_cached_key(|&x| (self.freedom(x), x));
        let mut moved = false;
        for x in columns {
            let roles = &roles[&x];
            let at = |g: usize, value: Delta| taken[g].get(&value).copied().unwrap_or(0);
            let value = self.simplex.value(x);
            if roles.iter().all(|&(g, offset)| at(g, plus(value.clone(), offset)) <= 1) {
                continue;
            }
            let is_free = |step: &Rational| {
                let target = plus(value.clone(), step);
                roles.iter().all(|&(g, offset)| at(g, plus(target.clone(), offset)) == 0)
            };
            let crowd = roles.iter().map(|&(g, _)| taken[g].len()).sum::<usize>() + 1;
            let Some(step) = self.find_step(x, crowd, is_free) else { continue };
            for &(g, offset) in roles {
                let before = plus(self.simplex.value(x).clone(), offset);
                *taken[g].entry(plus(before.clone(), &step)).or_default() += 1;
                *taken[g].entry(before).or_default() -= 1;
            }
            self.simplex.shift(x, &Delta::from(step));
            moved = true;
        }
        self.simplex.settle();
        drop(roles);
        self.apart.groups = groups;
        moved
    }
    fn is_movable(&self, x: Column) -> bool {
        self.simplex.tableau.place(x) == Place::NonBasic
            && !self.simplex.bounds.of(x).is_fixed()
            && self.simplex.tableau.occurrence_count(x) <= MOST_ROWS
    }
    /// The width of the bounds, if there are two.
    fn width(&self, x: Column) -> Option<Rational> {
        let limits = self.simplex.bounds.of(x);
        let (lower, upper) = (limits.lower.as_ref()?, limits.upper.as_ref()?);
        Some(&upper.value.real - &lower.value.real)
    }
    fn freedom(&self, x: Column) -> (bool, Rational) {
        let width = self.width(x);
        (width.is_none(), width.unwrap_or_default())
    }
    /// The shortest way to a value that is free, among twice `crowd` of them.
    fn find_step(
        &self,
        x: Column,
        crowd: usize,
        is_free: impl Fn(&Rational) -> bool,
    ) -> Option<Rational> {
        let unit = match self.width(x) {
            Some(width) if !self.forms[x].integer => {
                let parts = Rational::from(i64::try_from(crowd).ok()? + 1);
                Rational::ONE.min(width / parts)
            }
            Some(_) | None => Rational::ONE,
        };
        let (limits, value) = (self.simplex.bounds.of(x), self.simplex.value(x));
        let (mut up, mut down) = (true, true);
        let mut step = Rational::ZERO;
        for _ in 0..crowd {
            step += &unit;
            let back = -&step;
            up &= !limits.is_above(&plus(value.clone(), &step));
            down &= !limits.is_below(&plus(value.clone(), &back));
            if !up && !down {
                return None;
            }
            for (open, way) in [(up, &step), (down, &back)] {
                if open && is_free(way) && self.allows_shift(x, way) {
                    return Some(way.clone());
                }
            }
        }
        None
    }

    /// Pairs of members that agree in the model, each with the number of its group; after a
    /// consistent final check.
    fn collisions(&self) -> Vec<(usize, Member, Member)> {
        let mut found = Vec::new();
        if self.apart.groups.is_empty() {
            return found;
        }
        let values: Map<Term, Rational> = self.concrete_values().into_iter().collect();
        for (g, group) in self.apart.groups.iter().enumerate() {
            let mut first: Map<Rational, Member> = Map::default();
            for (x, offset) in group {
                let term = self.forms[*x].term;
                let member = (term, offset.clone());
                let value = values.get(&term).cloned().unwrap_or_default() + offset;
                if let Some(other) = first.get(&value) {
                    found.push((g, other.clone(), member));
                } else {
                    first.insert(value, member);
                }
            }
        }
        found
    }
}

fn plus(mut value: Delta, step: &Rational) -> Delta {
    value.real += step;
    value
}

#[cfg(test)]
mod tests {
    use shofar_base::{Budget, Idx, Lit, Var};
    use shofar_term::Sort;

    use super::*;
    use crate::arith::Options;
    use crate::theory::{Check, Effort, Theory};

    /// Asserts `low ≤ x ≤ high`.
    fn confine(arith: &mut Arith, store: &mut TermStore, x: Term, low: i64, high: i64) {
        let (low, high) = (store.int(low), store.int(high));
        for bound in [store.le(low, x), store.le(x, high)] {
            let (atom, negated) = store.strip_not(bound);
            let var = Var::from_index(atom.index());
            arith.register(store, atom, var);
            assert_eq!(arith.assert(Lit::new(var, !negated)), Ok(()));
        }
    }

    /// Whether a final check gets by without a case distinction.
    fn settle(arith: &mut Arith, store: &mut TermStore) -> bool {
        match arith.check(store, &Budget::unlimited(), Effort::Final).unwrap() {
            Check::Consistent => arith.collisions().is_empty(),
            Check::Collision(_) => false,
            Check::Conflict(_) | Check::Split(_) => panic!("bounds alone are consistent"),
        }
    }

    #[test]
    fn values_move_apart_as_far_as_bounds_permit() {
        let mut store = TermStore::new();
        let names = ["x", "y", "z", "u", "v"];
        let terms = names.map(|name| store.var(name, Sort::INT));
        let mut arith = Arith::new(Options::default());
        let members = terms.map(|t| (t, Rational::ZERO));
        arith.add_group(&store, &members);
        assert!(settle(&mut arith, &mut store));
        for &x in &terms[..3] {
            confine(&mut arith, &mut store, x, 0, 2);
        }
        assert!(settle(&mut arith, &mut store));
        confine(&mut arith, &mut store, terms[0], 1, 1);
        confine(&mut arith, &mut store, terms[4], 1, 1);
        assert!(!settle(&mut arith, &mut store));
        let (group, first, second) = &arith.collisions()[0];
        assert_eq!((*group, first.0, second.0), (0, terms[0], terms[4]));
        arith.forget_groups(0);
        assert!(settle(&mut arith, &mut store));
    }

    #[test]
    fn several_groups_with_offsets_at_once() {
        let mut store = TermStore::new();
        let terms: Vec<Term> = (0..5).map(|k| store.var(&format!("q{k}"), Sort::INT)).collect();
        let mut arith = Arith::new(Options::default());
        for slope in [0, 1, -1] {
            let offsets = (0..5).map(|k| Rational::from(slope * k));
            let members: Vec<Member> = terms.iter().copied().zip(offsets).collect();
            arith.add_group(&store, &members);
        }
        assert!(settle(&mut arith, &mut store));
    }
}
