//! Disjunctive interpolants: what can be said at marked positions of an unsatisfiable formula.
//!
//! The marked positions lie under conjunctions and disjunctions only. An interpolant `I` gives each a formula such that
//! what stands at a position, with `I(q)` in place of each marked position `q` directly below, implies `I(p)`; the root's is
//! `false`; and `I(p)` has only symbols that occur both at `p` and elsewhere. One marked conjunct is a binary
//! interpolant, nested conjunctions are a sequence, positions that are never below a disjunction a tree.
//!
//! A formula with marked positions is given in pieces ([`Position`]): a *flag*, a propositional constant, stands in each
//! piece for a marked position directly below. The labels `¬flag ∨ piece` form a tree, the root's without a flag, and they
//! contradict each other exactly if the formula is unsatisfiable. Flags of positions below `p` are local to the subtree of `p`,
//! so `p`'s tree interpolant has at most its own flag, in the shape `¬flag ∨ I(p)`: with the flag set, it is `I(p)`.
//! So one proof serves all positions, however many conjunctions the disjunctions stand for. Flags of positions that are below no
//! disjunction are set from the beginning.
//!
//! Invariant: no flag occurs in a result. Debug builds check all side conditions.
//!
//! Source: [RHK13] (the reduction to tree interpolation), [RHK13b] (the fragments that need it).

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
    /// The marked position directly above, and the flag that stands for this one there; none for the root.
    pub place: Option<(usize, Symbol)>,
}

/// A formula with marked positions, one of which is the root.
///
/// A flag occurs in the formula of the position above only, below conjunctions and disjunctions only.
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
    /// The positions in post-order, each with the place in this order where its subtree begins.
    fn postorder(&self) -> Vec<(usize, usize)> {
        let mut below: Vec<Vec<usize>> = vec![Vec::new(); self.positions.len()];
        let mut root = None;
        for (index, position) in self.positions.iter().enumerate() {
            if let Some((above, _)) = position.place {
                below[above].push(index);
            } else {
                assert!(root.is_none(), "a formula has one root");
                root = Some(index);
            }
        }
        let mut order = Vec::with_capacity(self.positions.len());
        let mut stack: Vec<(usize, usize, usize)> = root.into_iter().map(|r| (r, 0, 0)).collect();
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
    /// The flags of positions that are below no disjunction: they are set in every model, and labels are simpler without them.
    fn certain_flags(&self, store: &mut TermStore, order: &[(usize, usize)]) -> Vec<Symbol> {
        let mut is_certain = vec![false; self.positions.len()];
        let mut flags = Vec::new();
        // Backwards, a position comes after the one above it.
        for &(position, _) in order.iter().rev() {
            let Some((above, flag)) = self.positions[position].place else {
                is_certain[position] = true;
                continue;
            };
            let is_conjunct = {
                let flag = store.constant(flag);
                store.conjuncts(&[self.positions[above].formula]).contains(&flag)
            };
            if is_certain[above] && is_conjunct {
                is_certain[position] = true;
                flags.push(flag);
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
mod tests {
    use shofar_base::{Budget, Rng};

    use super::*;

    struct Test {
        store: TermStore,
        budget: Budget,
    }

    impl Test {
        fn new() -> Self {
            Self { store: TermStore::new(), budget: Budget::unlimited() }
        }
        fn solve(&mut self, marked: &Marked) -> Disjunctive {
            let cx = &mut Cx::new(&mut self.store, &self.budget);
            marked.solve(cx, &Options::default(), &Interpolation::default()).expect("no limit")
        }
        fn interpolants(&mut self, marked: &Marked) -> Vec<Term> {
            match self.solve(marked) {
                Disjunctive::Interpolants(interpolants) => interpolants,
                Disjunctive::Model(_) => panic!("the formula is unsatisfiable"),
            }
        }
        fn accepts(&mut self, marked: &Marked, interpolants: &[Term]) -> bool {
            let cx = &mut Cx::new(&mut self.store, &self.budget);
            marked.check(cx, interpolants).expect("no limit").is_ok()
        }
    }

    /// The formula of the thrice unfolded greatest common divisor: root, `g`, and two copies of `g1`.
    fn gcd(s: &mut TermStore) -> Marked {
        let [m, n, r, a, b] = ["M", "N", "R", "A", "B"].map(|name| s.var(name, Sort::INT));
        let zero = s.int(0);
        let [g, left, right] = [0, 1, 2].map(|_| Marked::flag(s));
        let [g_holds, left_holds, right_holds] = [g, left, right].map(|flag| s.constant(flag));
        let query = [s.ge(m, zero), s.eq(m, n), g_holds, s.gt(r, m)];
        let root = s.and(&query);
        let base = [s.eq(m, n), s.eq(r, m)];
        let difference = s.sub(m, n);
        let first = [s.gt(m, n), s.eq(a, difference), left_holds];
        let difference = s.sub(n, m);
        let second = [s.lt(m, n), s.eq(b, difference), right_holds];
        let ways = [s.and(&base), s.and(&first), s.and(&second)];
        let at_g = s.or(&ways);
        let (equal, same) = (s.eq(a, n), s.eq(r, a));
        let at_left = s.and(&[equal, same]);
        let (equal, same) = (s.eq(m, b), s.eq(r, m));
        let at_right = s.and(&[equal, same]);
        Marked {
            positions: vec![
                Position { formula: root, place: None },
                Position { formula: at_g, place: Some((0, g)) },
                Position { formula: at_left, place: Some((1, left)) },
                Position { formula: at_right, place: Some((1, right)) },
            ],
        }
    }

    #[test]
    fn positions_below_a_disjunction() {
        let mut t = Test::new();
        let marked = gcd(&mut t.store);
        let found = t.interpolants(&marked);
        assert!(t.accepts(&marked, &found));
        let s = &mut t.store;
        let [m, n, r] = ["M", "N", "R"].map(|name| s.var(name, Sort::INT));
        let (equal, bound) = (s.eq(m, n), s.ge(m, r));
        let (reference, top, bottom) = (s.implies(equal, bound), s.top(), s.bottom());
        assert!(t.accepts(&marked, &[bottom, reference, top, top]));
        assert!(!t.accepts(&marked, &[bottom, top, top, top]), "the root does not imply false");
        assert!(!t.accepts(&marked, &[bottom, bound, top, top]), "g does not imply it");
        let s = &mut t.store;
        let (foreign, zero) = (s.var("A", Sort::INT), s.int(0));
        let local = s.ge(foreign, zero);
        let weaker = s.or(&[reference, local]);
        assert!(!t.accepts(&marked, &[bottom, weaker, top, top]), "A does not occur outside");
    }

    #[test]
    fn a_satisfiable_formula_has_a_model() {
        let mut t = Test::new();
        let mut marked = gcd(&mut t.store);
        let (m, r) = (t.store.var("M", Sort::INT), t.store.var("R", Sort::INT));
        let g = marked.positions[1].place.expect("it is below the root").1;
        let g_holds = t.store.constant(g);
        let less = t.store.lt(r, m);
        marked.positions[0].formula = t.store.and(&[less, g_holds]);
        let Disjunctive::Model(model) = t.solve(&marked) else { panic!("gcd(3, 5) is less") };
        let mut evaluator = shofar_term::eval::Evaluator::with_defaults(&model);
        assert_eq!(evaluator.holds(&t.store, less), Ok(true));
        assert_eq!(evaluator.holds(&t.store, marked.positions[1].formula), Ok(true));
    }

    #[test]
    fn nested_conjunctions_are_a_sequence_with_divisibility() {
        let mut t = Test::new();
        let s = &mut t.store;
        let [z, k, m] = ["z", "k", "m"].map(|name| s.var(name, Sort::INT));
        let (twice, one) = (s.scale(&2.into(), k), s.int(1));
        let even = s.eq(z, twice);
        let odd = s.scale(&2.into(), m);
        let odd = s.add(&[odd, one]);
        let odd = s.eq(z, odd);
        let flag = Marked::flag(s);
        let holds = s.constant(flag);
        let mut marked = Marked::root(s.and(&[odd, holds]));
        marked.positions.push(Position { formula: even, place: Some((0, flag)) });
        let found = t.interpolants(&marked);
        assert!(t.accepts(&marked, &found));
        assert_eq!(free_symbols(&t.store, &found), [t.store.declare("z", &[], Sort::INT)]);
    }

    /// Random and/or trees over a few variables, marked at every second level.
    #[test]
    fn random_formulas() {
        let mut rng = Rng::new(3);
        let (mut refuted, mut satisfied) = (0, 0);
        for _ in 0..120 {
            let mut t = Test::new();
            let s = &mut t.store;
            let mut marked = Marked::root(s.top());
            let mut next = 0;
            while next < marked.positions.len() {
                let mut ways = Vec::new();
                for _ in 0..=rng.below(3) {
                    let mut way = Vec::new();
                    for _ in 0..2 {
                        let name = |rng: &mut Rng| format!("x{}", rng.below(4));
                        let x = s.var(&name(&mut rng), Sort::INT);
                        let y = s.var(&name(&mut rng), Sort::INT);
                        let more = s.int(rng.range(-2, 3));
                        let sum = s.add(&[y, more]);
                        way.push(if rng.chance(40) { s.eq(x, sum) } else { s.lt(x, sum) });
                    }
                    if marked.positions.len() < 6 && rng.chance(60) {
                        let flag = Marked::flag(s);
                        way.push(s.constant(flag));
                        let (formula, place) = (s.top(), Some((next, flag)));
                        marked.positions.push(Position { formula, place });
                    }
                    ways.push(s.and(&way));
                }
                marked.positions[next].formula = s.or(&ways);
                next += 1;
            }
            match t.solve(&marked) {
                Disjunctive::Model(_) => satisfied += 1,
                Disjunctive::Interpolants(found) => {
                    assert!(t.accepts(&marked, &found));
                    refuted += 1;
                }
            }
        }
        assert!(refuted > 20 && satisfied > 20, "both occur: {refuted} and {satisfied}");
    }
}
