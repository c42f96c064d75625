//! Transitive projection: from a loop to a transitive relation that contains its present iteration.
//!
//! `tp(λ, σ)`, for a conjunction `λ` over `x, x'` and a model `σ` of it, is a conjunction over
//! `x, x'` and a count `n` with three properties: `σ` satisfies it with `n = 1`; there are finitely
//! many results for one `λ`; and it is transitive. Its literals:
//!
//! | from | literals |
//! |---|---|
//! | what `λ` says about `x` alone, or about `x'` alone | the same |
//! | what `λ` says about changes `δ = x' - x`: `t(δ) ⋈ c` | `t(x' - x) ⋈ c·n`, for `=`, `≥`, `>` and divisibility |
//! | a bound `r(δ) + s(x) ≥ 0` with `s < 0` in the model | `s(x) < 0`, `r(x' - x) ≥ n`, and with the latter `r(x' - x) + s(x) ≥ 0` |
//! | the same with `s = 0` in the model | `s(x) ≥ 0` and `r(x' - x) ≥ 0` |
//! | `a·x' = c·x` with positive numbers | the sign of `x`, and with it the inequality that repetitions preserve |
//! | `m ∣ t(x)`, where `x'` is like that, too | `m ∣ t(x')` |
//!
//! A literal that is preserved only together with another one says so ([`Literal::needs`]); subsets
//! that respect this are transitive as well.
//!
//! Source: [FG25], there for integers. DIVERGENCE [FG25]: over the reals the count is real, and
//! `r ≥ n` becomes `r > 0`, so that everything stays linear real arithmetic.

use shofar_num::Rational;
use shofar_term::eval::{Evaluator, Model};
use shofar_term::symbols::free_symbols;
use shofar_term::{ArithKind, Comparison, Linear, LinearLiteral, Sort, Symbol, Term, TermStore};

use super::space::Space;

/// A literal of a transitive relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Literal {
    pub(super) term: Term,
    /// Another literal, without which it is not preserved.
    pub(super) needs: Option<Term>,
}

/// A linear literal.
pub(super) enum Shape {
    /// `linear ≥ 0`.
    NotNegative(Linear),
    /// `linear > 0`, over the reals.
    Positive(Linear),
    /// `linear = 0`.
    Zero(Linear),
    /// `m ∣ linear`.
    Multiple(Rational, Linear),
}

/// The literal's shape; none if it is none of these, or about more than symbols.
pub(super) fn shape(store: &TermStore, literal: Term) -> Option<Shape> {
    let read = LinearLiteral::of(store, literal)?;
    let (form, multiple) = match store.arith(read.form) {
        Some(ArithKind::Mod(inner, m)) if read.relation == Comparison::Equal => {
            (inner, Some(m.clone()))
        }
        Some(_) | None => (read.form, None),
    };
    let mut linear = store.linear(form);
    linear.constant -= &read.bound;
    if linear.monomials().iter().any(|(_, term)| store.symbol(*term).is_none()) {
        return None;
    }
    Some(match (read.relation, multiple) {
        (Comparison::Equal, Some(m)) => Shape::Multiple(m, linear),
        (Comparison::Equal, None) => Shape::Zero(linear),
        (Comparison::AtLeast, _) => Shape::NotNegative(linear),
        (Comparison::Above, _) => Shape::Positive(linear),
        (Comparison::AtMost, _) => Shape::NotNegative(linear.negated()),
        (Comparison::Below, _) => Shape::Positive(linear.negated()),
    })
}

impl Shape {
    fn literal(&self, store: &mut TermStore) -> Term {
        match self {
            Shape::NotNegative(linear) => store.le_zero(&linear.negated()),
            Shape::Positive(linear) => store.lt_zero(&linear.negated()),
            Shape::Zero(linear) => store.eq_zero(linear),
            Shape::Multiple(m, linear) => {
                let term = store.sum(linear, Sort::INT);
                store.divisible(m, term)
            }
        }
    }
    fn linear(&self) -> &Linear {
        match self {
            Shape::NotNegative(linear)
            | Shape::Positive(linear)
            | Shape::Zero(linear)
            | Shape::Multiple(_, linear) => linear,
        }
    }
    fn with(&self, linear: Linear) -> Self {
        match self {
            Shape::NotNegative(_) => Shape::NotNegative(linear),
            Shape::Positive(_) => Shape::Positive(linear),
            Shape::Zero(_) => Shape::Zero(linear),
            Shape::Multiple(m, _) => Shape::Multiple(m.clone(), linear),
        }
    }
}

/// The literals of `tp(λ, σ)`; `model` has the values of state and next state.
pub(super) fn transitive(
    store: &mut TermStore,
    space: &mut Space,
    lambda: Term,
    model: &Model,
) -> Vec<Literal> {
    let mut model = model.clone();
    set_deltas(store, space, &mut model);
    let mut projection = Projection { space, model: &model, literals: Vec::new() };
    let n = projection.space.n(store);
    let one = store.int(1);
    let some = store.ge(n, one);
    projection.add(store, some);
    projection.sides(store, lambda);
    projection.changes(store, lambda);
    projection.pseudo_bounds(store, lambda);
    projection.exponentials(store, lambda);
    projection.divisibilities(store, lambda);
    projection.literals
}

/// Gives the changes their values.
fn set_deltas(store: &mut TermStore, space: &Space, model: &mut Model) {
    for (i, delta) in space.deltas.iter().enumerate() {
        let Some(delta) = *delta else { continue };
        let [now, then] = [space.ts.state[i], space.ts.next[i]].map(|s| store.constant(s));
        let difference = store.sub(then, now);
        let value = Evaluator::with_defaults(model).evaluate(store, difference);
        model.set(delta, value.expect("sums of symbols have values"));
    }
}

struct Projection<'p> {
    space: &'p mut Space,
    model: &'p Model,
    literals: Vec<Literal>,
}

impl Projection<'_> {
    fn add(&mut self, store: &TermStore, term: Term) {
        self.add_with(store, term, None);
    }
    fn add_with(&mut self, store: &TermStore, term: Term, needs: Option<Term>) {
        if term != store.top() && !self.literals.iter().any(|literal| literal.term == term) {
            self.literals.push(Literal { term, needs });
        }
    }
    fn value(&self, store: &TermStore, linear: &Linear) -> Rational {
        let mut evaluator = Evaluator::with_defaults(self.model);
        let mut total = linear.constant.clone();
        for (coefficient, term) in linear.monomials() {
            let value = evaluator.number(store, *term).expect("symbols have values");
            total.add_mul(coefficient, &value);
        }
        total
    }
    /// What is said about the state alone, and about the next one alone.
    fn sides(&mut self, store: &mut TermStore, lambda: Term) {
        for others in [self.space.ts.next.clone(), self.space.ts.state.clone()] {
            let cube = shofar_mbp::project(store, lambda, &others, self.model);
            for literal in store.conjuncts(&[cube]) {
                self.add(store, literal);
            }
        }
    }
    /// What is said about changes, as often as the count says.
    fn changes(&mut self, store: &mut TermStore, lambda: Term) {
        let formula = self.space.over_state(store, lambda);
        let others = [self.space.ts.state.as_slice(), &self.space.ts.next].concat();
        let cube = shofar_mbp::project(store, formula, &others, self.model);
        let n = self.space.n(store);
        for literal in store.conjuncts(&[cube]) {
            let Some(shape) = shape(store, literal) else { continue };
            let mut linear = self.space.said_of_differences(shape.linear());
            linear.add_term(&shape.linear().constant, n);
            let literal = shape.with(linear).literal(store);
            self.add(store, literal);
        }
    }
    fn pseudo_bounds(&mut self, store: &mut TermStore, lambda: Term) {
        for formula in [self.space.over_state(store, lambda), self.space.over_next(store, lambda)] {
            for literal in store.conjuncts(&[formula]) {
                match shape(store, literal) {
                    Some(shape @ (Shape::NotNegative(_) | Shape::Positive(_) | Shape::Zero(_))) => {
                        self.pseudo_bound(store, &shape);
                    }
                    Some(Shape::Multiple(..)) | None => (),
                }
            }
        }
    }
    /// `r(δ) + s ⋈ 0`, where `s` is about the state or about the next one.
    fn pseudo_bound(&mut self, store: &mut TermStore, shape: &Shape) {
        let (mut r, mut s) = (Linear::new(), Linear::of_constant(shape.linear().constant.clone()));
        for (coefficient, term) in shape.linear().monomials() {
            let side = if self.space.difference(*term).is_some() { &mut r } else { &mut s };
            side.add_term(coefficient, *term);
        }
        let is_own = |(_, delta): &(Rational, Term)| {
            let (now, then) = self.space.difference(*delta).expect("r is about changes");
            s.coefficient(now).is_some() || s.coefficient(then).is_some()
        };
        if r.is_constant() || s.is_constant() || r.monomials().iter().any(is_own) {
            return;
        }
        let mut value = self.value(store, &s);
        if matches!(shape, Shape::Zero(_)) && value.is_positive() {
            (r, s, value) = (r.negated(), s.negated(), -value);
        }
        if value.is_positive() {
            return;
        }
        let r = self.space.said_of_differences(&r);
        if value.is_zero() {
            let literals = match shape {
                Shape::Zero(_) => [Shape::Zero(r), Shape::Zero(s)],
                Shape::Positive(_) => [Shape::Positive(r), Shape::NotNegative(s)],
                Shape::NotNegative(_) | Shape::Multiple(..) => {
                    [Shape::NotNegative(r), Shape::NotNegative(s)]
                }
            };
            for shape in literals {
                let literal = shape.literal(store);
                self.add(store, literal);
            }
            return;
        }
        let below = store.lt_zero(&s);
        let is_integral = r.monomials().iter().all(|(_, term)| store.sort(*term).is_int());
        let grows = if is_integral {
            let mut more = r.clone();
            more.add_term(&Rational::MINUS_ONE, self.space.n(store));
            Shape::NotNegative(more).literal(store)
        } else {
            Shape::Positive(r.clone()).literal(store)
        };
        let mut sum = r;
        sum.add_scaled(&Rational::ONE, &s);
        let bound = match shape {
            Shape::Positive(_) => Shape::Positive(sum),
            Shape::NotNegative(_) | Shape::Zero(_) | Shape::Multiple(..) => Shape::NotNegative(sum),
        };
        let bound = bound.literal(store);
        self.add(store, below);
        self.add(store, grows);
        self.add_with(store, bound, Some(grows));
    }
    /// `a·x' = c·x`: growth if `a < c`, shrinking if `c < a`.
    fn exponentials(&mut self, store: &mut TermStore, lambda: Term) {
        for literal in store.conjuncts(&[lambda]) {
            let Some(Shape::Zero(linear)) = shape(store, literal) else { continue };
            let Some((now, a, c)) = self.exponential(store, &linear) else { continue };
            let x = Linear::from_monomials(vec![(Rational::ONE, now)], Rational::ZERO);
            let is_negative = self.value(store, &x).is_negative();
            let sign = if is_negative { store.lt_zero(&x) } else { store.le_zero(&x.negated()) };
            // The sign of a·x' - c·x; with a negative number everything is the other way round.
            let mut gain = linear;
            if !gain.coefficient(now).is_some_and(Rational::is_negative) {
                gain = gain.negated();
            }
            if (a < c) == is_negative {
                gain = gain.negated();
            }
            let bound = Shape::NotNegative(gain).literal(store);
            self.add(store, sign);
            self.add_with(store, bound, Some(sign));
        }
    }
    /// `x`, `a` and `c`, both positive and different, if `linear` is `a·x' - c·x` or the negation.
    fn exponential(
        &self,
        store: &mut TermStore,
        linear: &Linear,
    ) -> Option<(Term, Rational, Rational)> {
        if linear.monomials().len() != 2 || !linear.constant.is_zero() {
            return None;
        }
        for (&now, &then) in self.space.ts.state.iter().zip(&self.space.ts.next) {
            let [now, then] = [now, then].map(|s| store.constant(s));
            let (Some(c), Some(a)) = (linear.coefficient(now), linear.coefficient(then)) else {
                continue;
            };
            let (a, c) = (a.abs(), c.abs());
            let is_opposite = linear.coefficient(now).is_some_and(Rational::is_negative)
                != linear.coefficient(then).is_some_and(Rational::is_negative);
            return (is_opposite && a != c).then_some((now, a, c));
        }
        None
    }
    /// Divisibilities of one side that the other one has, too.
    fn divisibilities(&mut self, store: &mut TermStore, lambda: Term) {
        for literal in store.conjuncts(&[lambda]) {
            let Some(Shape::Multiple(..)) = shape(store, literal) else { continue };
            for moved in
                [self.space.ts.primed(store, literal), self.space.ts.unprimed(store, literal)]
            {
                let symbols = free_symbols(store, &[moved]);
                let is_of = |side: &[Symbol]| symbols.iter().all(|s| side.contains(s));
                let is_of_one_side = is_of(&self.space.ts.state) || is_of(&self.space.ts.next);
                let holds = Evaluator::with_defaults(self.model).holds(store, moved);
                if is_of_one_side && holds == Ok(true) {
                    self.add(store, moved);
                }
            }
        }
    }
}
