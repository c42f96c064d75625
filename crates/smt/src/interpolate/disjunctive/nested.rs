//! Binary, sequence, tree and symmetric interpolants as disjunctive ones.
//!
//! Their marked positions are below conjunctions only. [`Marked::solve`] needs no flag for these,
//! so the labels are the formulas themselves and what comes out is a tree interpolant.
//!
//! | form | given | interpolants |
//! |---|---|---|
//! | binary | `A`, `B` | `A ⊨ I`, and `I ∧ B` is unsatisfiable |
//! | sequence | `T₁ … Tₙ` | `I₀ = true`, `Iᵢ₋₁ ∧ Tᵢ ⊨ Iᵢ`, `Iₙ = false` |
//! | tree | a formula for each node | the node's and the interpolants of its children imply its own; the root's is `false` |
//! | symmetric | formulas of equal rank | each implies its own, which contradict each other |
//!
//! Source: [RHK13] (the special cases of disjunctive interpolation).

use shofar_term::{Term, TermStore};

use super::{Marked, Position};

impl Marked {
    /// Binary interpolation of `a` and `b`: the root, and then the position of `a`.
    pub fn binary(store: &mut TermStore, a: Term, b: Term) -> Self {
        Self::tree(store, &[(b, None), (a, Some(0))])
    }
    /// A sequence: position `i` says what follows from the first `i + 1` formulas; the last one is
    /// the root.
    pub fn sequence(store: &mut TermStore, formulas: &[Term]) -> Self {
        let last = formulas.len() - 1;
        let node = |(at, &formula)| (formula, (at < last).then_some(at + 1));
        let nodes: Vec<(Term, Option<usize>)> = formulas.iter().enumerate().map(node).collect();
        Self::tree(store, &nodes)
    }
    /// Symmetric interpolation: a position for each formula, in order, and then the root.
    pub fn symmetric(store: &mut TermStore, formulas: &[Term]) -> Self {
        let mut nodes: Vec<(Term, Option<usize>)> =
            formulas.iter().map(|&formula| (formula, Some(formulas.len()))).collect();
        nodes.push((store.top(), None));
        Self::tree(store, &nodes)
    }
    /// A tree of formulas, each with the place of its parent; the one root has none. Positions are
    /// in the same order.
    pub fn tree(store: &mut TermStore, nodes: &[(Term, Option<usize>)]) -> Self {
        let mut parts: Vec<Vec<Term>> = nodes.iter().map(|&(formula, _)| vec![formula]).collect();
        let mut places = Vec::with_capacity(nodes.len());
        for &(_, parent) in nodes {
            places.push(parent.map(|parent| {
                let flag = Self::flag(store);
                parts[parent].push(store.constant(flag));
                (parent, flag)
            }));
        }
        let position =
            |(parts, place): (&Vec<Term>, _)| Position { formula: store.and(parts), place };
        Self { positions: parts.iter().zip(places).map(position).collect() }
    }
}

#[cfg(test)]
mod tests {
    use shofar_base::{Budget, Rng};
    use shofar_term::{Cx, Sort};

    use super::super::Disjunctive;
    use super::*;
    use crate::{Interpolation, Options};

    /// The interpolants, if there are any; they are accepted by the check.
    fn interpolants(store: &mut TermStore, marked: &Marked) -> Option<Vec<Term>> {
        let budget = Budget::unlimited();
        let cx = &mut Cx::new(store, &budget);
        match marked.solve(cx, &Options::default(), &Interpolation::default()).expect("no limit") {
            Disjunctive::Model(_) => None,
            Disjunctive::Interpolants(found) => {
                assert_eq!(marked.check(cx, &found), Ok(Ok(())));
                Some(found)
            }
        }
    }

    fn accepts(store: &mut TermStore, marked: &Marked, interpolants: &[Term]) -> bool {
        let budget = Budget::unlimited();
        marked.check(&mut Cx::new(store, &budget), interpolants).expect("no limit").is_ok()
    }

    fn ints<const N: usize>(store: &mut TermStore, names: [&str; N]) -> [Term; N] {
        names.map(|name| store.var(name, Sort::INT))
    }

    /// A path through a loop that is left at once; the difference is an invariant of the loop.
    #[test]
    fn binary_with_a_sum_of_equations() {
        let s = &mut TermStore::new();
        let [i, j, x, y] = ints(s, ["i", "j", "x", "y"]);
        let zero = s.int(0);
        let path = [s.ge(i, zero), s.ge(j, zero), s.eq(x, i), s.eq(y, j), s.eq(x, zero)];
        let (path, equal, same) = (s.and(&path), s.eq(i, j), s.eq(x, y));
        let differs = s.not(same);
        let error = s.and(&[equal, differs]);
        let marked = Marked::binary(s, path, error);
        assert!(interpolants(s, &marked).is_some());
        let (before, now) = (s.sub(i, j), s.sub(x, y));
        let (invariant, bottom) = (s.eq(before, now), s.bottom());
        assert!(accepts(s, &marked, &[bottom, invariant]));
        let weak = s.ge(before, now);
        assert!(!accepts(s, &marked, &[bottom, weak]), "it does not exclude the error");
        let positive = s.ge(x, i);
        let strong = s.and(&[invariant, positive]);
        assert!(accepts(s, &marked, &[bottom, strong]));
        let wrong = s.gt(x, i);
        assert!(!accepts(s, &marked, &[bottom, wrong]), "it does not follow");
    }

    /// McCarthy's function called once, as a tree of states, with its published interpolants.
    #[test]
    fn a_tree_of_states() {
        let s = &mut TermStore::new();
        let [n0, n1, nf, rec0, rec1, recf] = ints(s, ["n0", "n1", "nf", "rec0", "rec1", "recf"]);
        let [x5, x6, y4, y5, y6] = ints(s, ["x5", "x6", "y4", "y5", "y6"]);
        let [ten, ninety_one, hundred] = [10, 91, 100].map(|n| s.int(n));
        let (top, bottom) = (s.top(), s.bottom());
        let right = s.eq(y6, ninety_one);
        let wrong = s.not(right);
        let call = [s.eq(x5, x6), s.eq(x6, nf), s.eq(y6, recf)];
        let less = s.sub(nf, ten);
        let returned = [s.eq(nf, n1), s.eq(recf, less)];
        let entered = [s.eq(n0, n1), s.eq(rec0, rec1), s.gt(n1, hundred)];
        let called = [s.le(x5, hundred), s.eq(y4, y5)];
        let nodes = [
            (wrong, None),
            (s.and(&call), Some(0)),
            (s.and(&returned), Some(1)),
            (s.and(&entered), Some(2)),
            (top, Some(3)),
            (s.and(&called), Some(1)),
            (top, Some(5)),
        ];
        let marked = Marked::tree(s, &nodes);
        assert!(interpolants(s, &marked).is_some());
        let (rf, r1, r5) = (s.gt(nf, hundred), s.gt(n1, hundred), s.le(x5, hundred));
        assert!(accepts(s, &marked, &[bottom, bottom, rf, r1, top, r5, top]));
        assert!(!accepts(s, &marked, &[bottom, bottom, rf, r1, top, top, top]), "r5 is needed");
        assert!(!accepts(s, &marked, &[bottom, bottom, rf, rf, top, r5, top]), "nf is foreign");
        // Without the bound on the argument there is no contradiction.
        let mut open = nodes;
        open[5].0 = top;
        let marked = Marked::tree(s, &open);
        assert!(interpolants(s, &marked).is_none());
    }

    /// Random chains of steps between few values; half of the constraints are made to contradict
    /// each other.
    #[test]
    fn random_sequences() {
        let mut rng = Rng::new(23);
        let (mut refuted, mut satisfied) = (0, 0);
        for _ in 0..80 {
            let s = &mut TermStore::new();
            let length = 2 + rng.below(5);
            let mut formulas = Vec::new();
            for at in 0..length {
                let [before, after] = [at, at + 1].map(|at| s.var(&format!("v{at}"), Sort::INT));
                let local = s.var(&format!("l{at}"), Sort::INT);
                let (by, zero, one) = (s.int(rng.range(-2, 1)), s.int(0), s.int(1));
                let step = s.add(&[before, by, local]);
                let first = if at == 0 { s.eq(before, zero) } else { s.top() };
                let last = if at + 1 == length { s.gt(after, zero) } else { s.top() };
                let parts = [s.eq(after, step), s.le(local, one), s.ge(local, zero), first, last];
                formulas.push(s.and(&parts));
            }
            let marked = Marked::sequence(s, &formulas);
            let all = s.and(&formulas);
            let budget = Budget::unlimited();
            let bottom = s.bottom();
            let cx = &mut Cx::new(s, &budget);
            let is_refuted = crate::implies(cx, Options::default(), &[all], bottom) == Ok(true);
            let found = interpolants(s, &marked);
            assert_eq!(found.is_some(), is_refuted, "exactly contradictions have interpolants");
            let Some(found) = found else {
                satisfied += 1;
                continue;
            };
            refuted += 1;
            assert_eq!(found[length - 1], s.bottom());
            // Each follows from the one before, and has the symbol between the two formulas only.
            let cx = &mut Cx::new(s, &budget);
            let mut before = cx.store.top();
            for (at, &interpolant) in found.iter().enumerate() {
                let premises = [before, formulas[at]];
                assert_eq!(
                    crate::implies(cx, Options::default(), &premises, interpolant),
                    Ok(true)
                );
                let between = cx.store.declare(&format!("v{}", at + 1), &[], Sort::INT);
                let symbols = shofar_term::symbols::free_symbols(cx.store, &[interpolant]);
                assert!(symbols.iter().all(|&symbol| symbol == between));
                before = interpolant;
            }
        }
        assert!(refuted > 10 && satisfied > 10, "both occur: {refuted} and {satisfied}");
    }

    #[test]
    fn symmetric_interpolants_are_flat_trees() {
        let s = &mut TermStore::new();
        let [x, y, z, a] = ints(s, ["x", "y", "z", "a"]);
        let low = [s.lt(x, a), s.lt(a, y)];
        let formulas = [s.and(&low), s.lt(y, z), s.lt(z, x)];
        let marked = Marked::symmetric(s, &formulas);
        let found = interpolants(s, &marked).expect("the order has a cycle");
        assert_eq!((found.len(), found[3]), (4, s.bottom()));
        assert!(!accepts(s, &marked, &[found[0], found[1], s.top(), s.bottom()]));
    }
}
