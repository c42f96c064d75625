//! Closures of loops with a known effect, and of random loops, against execution step by step.

mod laws;
mod random;

use shofar_base::Budget;
use shofar_num::Rational;
use shofar_term::eval::{Evaluator, Model};
use shofar_term::{Cx, Sort, Symbol, Term, TermStore, Value};

use crate::{Exact, Relation, exact};

/// A relation under construction: variables `a`, `b`, … with values after the step `a'`, `b'`, ….
pub(crate) struct Setting {
    pub(crate) store: TermStore,
    pub(crate) pairs: Vec<(Symbol, Symbol)>,
    pub(crate) count: Symbol,
}

impl Setting {
    pub(crate) fn new(sorts: &[Sort]) -> Self {
        let mut store = TermStore::new();
        let mut pairs = Vec::new();
        for (name, &sort) in ["a", "b", "c", "d"].into_iter().zip(sorts) {
            let before = store.declare(name, &[], sort);
            pairs.push((before, store.declare(&format!("{name}'"), &[], sort)));
        }
        let count = store.declare("n", &[], Sort::INT);
        Self { store, pairs, count }
    }
    pub(crate) fn ints(count: usize) -> Self {
        Self::new(&vec![Sort::INT; count])
    }
    pub(crate) fn pre(&mut self, at: usize) -> Term {
        self.store.constant(self.pairs[at].0)
    }
    pub(crate) fn post(&mut self, at: usize) -> Term {
        self.store.constant(self.pairs[at].1)
    }
    /// `c₁·t₁ + … + constant` for constants of the relation.
    pub(crate) fn sum(&mut self, monomials: &[(i64, Term)], constant: i64) -> Term {
        let mut terms = vec![self.store.int(constant)];
        for &(c, term) in monomials {
            terms.push(self.store.scale(&Rational::from(c), term));
        }
        self.store.add(&terms)
    }
    /// `post(at) = …`.
    pub(crate) fn update(&mut self, at: usize, monomials: &[(i64, usize)], constant: i64) -> Term {
        let monomials: Vec<(i64, Term)> =
            monomials.iter().map(|&(c, at)| (c, self.pre(at))).collect();
        let (value, post) = (self.sum(&monomials, constant), self.post(at));
        self.store.eq(post, value)
    }
    pub(crate) fn relation(&self, literals: &[Term]) -> Relation {
        Relation::new(&self.store, &self.pairs, literals).expect("only variables of the relation")
    }
    pub(crate) fn exact(&mut self, literals: &[Term]) -> Option<Exact> {
        let (relation, budget) = (self.relation(literals), Budget::unlimited());
        exact(&mut Cx::new(&mut self.store, &budget), &relation).unwrap()
    }
    /// Whether `formula` holds of integers before and after, with this count.
    pub(crate) fn holds(&self, formula: Term, before: &[i64], after: &[i64], count: i64) -> bool {
        let mut model = Model::new();
        let mut set = |symbol: Symbol, value: i64| {
            let value = if self.store.result(symbol).is_bool() {
                Value::Bool(value != 0)
            } else {
                Value::Number(Rational::from(value))
            };
            model.set(symbol, value);
        };
        set(self.count, count);
        for (at, &(pre, post)) in self.pairs.iter().enumerate() {
            set(pre, before[at]);
            set(post, after[at]);
        }
        Evaluator::new(&model).holds(&self.store, formula).unwrap()
    }
    /// The closure with the count, and without it.
    pub(crate) fn formulas(&mut self, closure: &Exact) -> (Term, Option<Term>) {
        let count = self.store.constant(self.count);
        let formula = closure.formula(&mut self.store, count);
        (formula, closure.without_count(&mut self.store))
    }
}

#[test]
fn a_translation_needs_its_guard_at_both_ends() {
    let mut s = Setting::ints(2);
    let (a, b, ten) = (s.pre(0), s.pre(1), s.store.int(10));
    let literals = [s.store.lt(a, ten), s.update(0, &[(1, 0)], 3), s.update(1, &[(1, 1)], -1)];
    let closure = s.exact(&literals).unwrap();
    let (formula, without) = s.formulas(&closure);
    assert!(s.holds(formula, &[0, 5], &[12, 1], 4));
    assert!(!s.holds(formula, &[0, 5], &[15, 0], 5));
    assert!(!s.holds(formula, &[0, 5], &[0, 5], 0));
    let without = without.unwrap();
    assert!(s.holds(without, &[0, 5], &[12, 1], 0) && !s.holds(without, &[0, 5], &[12, 2], 0));
    let progress = closure.progress().unwrap();
    assert_eq!((progress.prefix, progress.period), (0, 1));
    assert_eq!(progress.increments, [Rational::from(3), Rational::from(-1)]);
    assert_eq!(progress.updates, [s.sum(&[(1, a)], 3), s.sum(&[(1, b)], -1)]);
}

#[test]
fn swaps_resets_negations_and_shifts_have_finite_monoids() {
    type Update = (&'static [(i64, usize)], i64);
    let cases: [(&[Update], (usize, usize)); 5] = [
        (&[(&[(1, 1)], 0), (&[(1, 0)], 0)], (0, 2)),
        (&[(&[(-1, 0)], 3)], (0, 2)),
        (&[(&[], 5)], (1, 1)),
        (&[(&[(1, 1)], 1), (&[], 1)], (2, 1)),
        (&[(&[(1, 1)], 1), (&[(1, 0)], 1)], (0, 2)),
    ];
    for (updates, expected) in cases {
        let mut s = Setting::ints(updates.len());
        let literals: Vec<Term> =
            updates.iter().enumerate().map(|(at, (m, c))| s.update(at, m, *c)).collect();
        let closure = s.exact(&literals).unwrap();
        let progress = closure.progress().unwrap();
        assert_eq!((progress.prefix, progress.period), expected);
    }
}

#[test]
fn growth_is_refused() {
    // x' = 2x, and y' = 2(x + y).
    let mut s = Setting::ints(2);
    let doubled = s.update(0, &[(2, 0)], 0);
    assert!(s.exact(&[doubled]).is_none());
    let both = [s.update(0, &[(1, 0)], 0), s.update(1, &[(2, 0), (2, 1)], 0)];
    assert!(s.exact(&both).is_none());
    // x' = x + y is a polynomial of the count.
    let triangular = [s.update(0, &[(1, 0), (1, 1)], 0), s.update(1, &[(1, 1)], 0)];
    assert!(s.exact(&triangular).is_none());
}

#[test]
fn a_contradiction_has_an_empty_closure() {
    let mut s = Setting::ints(1);
    let literals = [s.store.bottom(), s.update(0, &[(1, 0)], 1)];
    let closure = s.exact(&literals).unwrap();
    let (formula, without) = s.formulas(&closure);
    assert_eq!((formula, without), (s.store.bottom(), Some(s.store.bottom())));
}

#[test]
fn reals_keep_their_count() {
    let mut s = Setting::new(&[Sort::REAL]);
    let (a, b) = (s.pre(0), s.post(0));
    let half = s.store.number(Rational::new(1, 2), Sort::REAL);
    let next = s.store.add(&[a, half]);
    let step = s.store.eq(b, next);
    let closure = s.exact(&[step]).unwrap();
    let (formula, without) = s.formulas(&closure);
    assert!(s.holds(formula, &[1], &[3], 4) && !s.holds(formula, &[1], &[3], 3));
    assert_eq!(without, None);
}

#[test]
fn flags_are_swapped_and_set() {
    let mut s = Setting::new(&[Sort::BOOL, Sort::BOOL, Sort::INT]);
    let (a, b, c) = (s.pre(0), s.pre(1), s.pre(2));
    let (a1, b1, c1) = (s.post(0), s.post(1), s.post(2));
    let (negated, next) = (s.store.not(a), s.sum(&[(1, c)], 1));
    let literals = [s.store.iff(a1, b), s.store.iff(b1, negated), s.store.eq(c1, next)];
    let closure = s.exact(&literals).unwrap();
    let (formula, without) = s.formulas(&closure);
    let without = without.unwrap();
    // (a, b) → (b, ¬a) has period 4.
    assert!(s.holds(formula, &[1, 0, 0], &[1, 0, 8], 8));
    assert!(!s.holds(formula, &[1, 0, 0], &[1, 0, 9], 9));
    assert!(s.holds(without, &[1, 0, 0], &[0, 0, 9], 0));
    assert!(!s.holds(without, &[1, 0, 0], &[0, 0, 8], 0));
}
