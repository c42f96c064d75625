//! Elimination of an integer variable from linear constraints and divisibilities.
//!
//! - An equality `a·x = t` replaces `x` everywhere after scaling, and leaves `a | t`.
//! - Two divisibilities with `x` are merged into one with `x` and one without, so there is at most
//!   one, `n | b·x + s`, which lets `x` repeat with the period `p = n / gcd(n, b)` and can be met
//!   at all exactly if `gcd(n, b) | s`.
//! - If `x` is unbounded on one side, that last condition is all that remains.
//! - Otherwise the model tells the greatest lower bound `a·x ≥ t`, say (or the least upper one, by
//!   mirroring `x`). If the model leaves so much room below every upper bound that each interval of
//!   this size has a point of the right residue, the room is demanded and `x` is gone without a
//!   trace (the *dark shadow*; with all coefficients 1 and no divisibility it is exact). If it is
//!   not so, the model's residue is fixed: with `d = (a·x - t) mod a·p`, the point `(t + d)/a` is
//!   not above the model's `x` and behaves like it, so `x` is replaced by it and `a | t + d` is
//!   added.
//!
//! Finitely many results: a choice of bound, a choice of shadow or residue `d`, all from finite
//! sets fixed by the cube.
//!
//! Source: [Coo72] (test points and the merging of divisibilities), [BJ15] §3 (choice of bounds by
//! the model, dark shadow), [KGC16] §5.
//! DIVERGENCE [BJ15]: the dark shadow is used with divisibilities too, with the period in its size,
//! and is taken only if it suits all the opposite bounds.

use shofar_num::{Rational, div_euclid, extended_gcd, gcd, mod_euclid};
use shofar_term::{Linear, Sort, Term};

use super::Projection;
use super::constraint::{Constraint, Relation, common_denominator};
use crate::implicant::VALUED;

/// `a·x ≥ t` with `a > 0`, for the variable or its mirror image.
struct Bound {
    a: Rational,
    t: Linear,
}

/// `n | b·x + s`.
struct Residue {
    n: Rational,
    b: Rational,
    s: Linear,
}

impl Residue {
    /// Whatever `x` is, `b·x + s` can only be a multiple of `n` if this number divides `s`.
    fn common(&self) -> Rational {
        gcd(&self.n, &self.b)
    }
    fn solvable(&self) -> Constraint {
        Constraint::divides(self.common(), self.s.clone())
    }
    fn period(&self) -> Rational {
        &self.n / self.common()
    }
}

impl Projection<'_> {
    /// Brings every constraint into integer form: real parts are rounded, coefficients become
    /// coprime integers.
    pub(super) fn round(&mut self) {
        for constraint in std::mem::take(&mut self.constraints) {
            let rounded = self.rounded(constraint);
            self.push_integer(rounded);
        }
    }
    /// With `i` the integer part and `r` the rest: `i ≤ -r` is `i ≤ to_int(-r)`, `i < -r` is
    /// `i ≤ -to_int(r) - 1`, and `i = -r` is `is_int(r)` and `i = -to_int(r)`.
    fn rounded(&mut self, constraint: Constraint) -> Constraint {
        let Constraint { relation, mut linear } = constraint;
        if let Relation::Divides(_) = relation {
            return Constraint { relation, linear };
        }
        let store = &mut *self.store;
        let integral = |t: Term| store.sort(t).is_int();
        let integer_coefficients = linear.monomials().iter().filter(|(_, t)| integral(*t));
        let scale = common_denominator(integer_coefficients.map(|(c, _)| c));
        linear.scale(&scale);
        let constant = std::mem::take(&mut linear.constant);
        let (integers, reals): (Vec<_>, Vec<_>) =
            linear.into_monomials().into_iter().partition(|(_, t)| integral(*t));
        let mut linear = Linear::from_monomials(integers, Rational::ZERO);
        let rest = Linear::from_monomials(reals, constant);
        match relation {
            Relation::Le => {
                let bound = store.sum(&rest.negated(), Sort::REAL);
                let bound = store.to_int(bound);
                linear.add_scaled(&Rational::MINUS_ONE, &store.linear(bound));
            }
            Relation::Lt | Relation::Eq => {
                let rest = store.sum(&rest, Sort::REAL);
                let floor = store.to_int(rest);
                linear.add_scaled(&Rational::ONE, &store.linear(floor));
                if relation == Relation::Lt {
                    linear.constant += Rational::ONE;
                    return Constraint::le(linear);
                }
                let whole = store.is_int(rest);
                self.finish(whole);
            }
            Relation::Divides(_) => unreachable!("divisibilities are integral"),
        }
        Constraint { relation, linear }
    }
    /// Adds a constraint between integers.
    fn push_integer(&mut self, constraint: Constraint) {
        if let Some(constraint) = constraint.normalized() {
            self.push(constraint.rounded());
        }
    }

    /// Replaces the constraints `with` the integer variable `x` by ones without it.
    pub(super) fn eliminate_integer(&mut self, x: Term, with: Vec<Constraint>) {
        let size = |c: &Constraint| c.linear.coefficient(x).map(Rational::abs);
        let equalities = with.iter().filter(|c| c.relation == Relation::Eq);
        if let Some(definition) = equalities.min_by_key(|c| (size(c), c.linear.monomials().len())) {
            let mut t = definition.linear.clone();
            let a = t.remove(x).expect("the constraint has the variable");
            if a.is_positive() {
                t = t.negated();
            }
            self.substitute_integer(x, &a.abs(), &t, &with);
            return;
        }
        let (mut lower, mut upper, mut residues) = (Vec::new(), Vec::new(), Vec::new());
        for Constraint { relation, linear: mut t } in with {
            let c = t.remove(x).expect("the constraint has the variable");
            if let Relation::Divides(n) = relation {
                residues.push(Residue { n, b: c, s: t });
            } else {
                let side = if c.is_negative() { &mut lower } else { &mut upper };
                side.push(Bound { a: c.abs(), t });
            }
        }
        let residue = self.merge(x, residues);
        if lower.is_empty() || upper.is_empty() {
            if let Some(residue) = residue {
                self.push_integer(residue.solvable());
            }
            return;
        }
        let value = self.evaluator.number(self.store, x).expect(VALUED);
        let (low, high) = (self.tightest(&lower), self.tightest(&upper));
        if (upper[high].a.is_one(), lower.len()) > (lower[low].a.is_one(), upper.len()) {
            let mirrored = residue.map(|r| Residue { b: -r.b, ..r });
            self.resolve_integer(&upper, high, &lower, mirrored, &-value);
        } else {
            self.resolve_integer(&lower, low, &upper, residue, &value);
        }
    }
    /// Replaces `a·x` by `t`, of which `a` must be a divisor.
    fn substitute_integer(&mut self, x: Term, a: &Rational, t: &Linear, with: &[Constraint]) {
        self.push_integer(Constraint::divides(a.clone(), t.clone()));
        for constraint in with {
            self.push_integer(constraint.resolve(x, a, t));
        }
    }
    /// One divisibility for `x` that, with the constraints added on the way, says the same as all
    /// of `residues`.
    ///
    /// [Coo72]: with `d = gcd(b₁n₂, b₂n₁) = p·b₁n₂ + q·b₂n₁`, the two `nᵢ | bᵢx + sᵢ` hold
    /// exactly if `n₁n₂ | d·x + p·n₂s₁ + q·n₁s₂` and `d | b₂s₁ - b₁s₂`.
    fn merge(&mut self, x: Term, residues: Vec<Residue>) -> Option<Residue> {
        let mut residues = residues.into_iter();
        let mut all = residues.next()?;
        for next in residues {
            let (d, p, q) = extended_gcd(&(&all.b * &next.n), &(&next.b * &all.n));
            let mut apart = Linear::new();
            apart.add_scaled(&next.b, &all.s);
            apart.add_scaled(&-&all.b, &next.s);
            let mut s = Linear::new();
            s.add_scaled(&(p * &next.n), &all.s);
            s.add_scaled(&(q * &all.n), &next.s);
            self.push_integer(Constraint::divides(d.clone(), apart));
            // Reduced, so that the numbers do not grow with every merging.
            s.add_term(&d, x);
            let merged = Constraint::divides(&all.n * &next.n, s).normalized();
            let Some(Constraint { relation: Relation::Divides(n), linear: mut s }) = merged else {
                unreachable!("the period of x is at least that of the first divisibility")
            };
            let b =
                s.remove(x).expect("the period of x is at least that of the first divisibility");
            all = Residue { n, b, s };
        }
        Some(all)
    }
    /// The bound that is the greatest in the model; of equal ones the one with the smallest
    /// coefficient.
    fn tightest(&mut self, bounds: &[Bound]) -> usize {
        let values: Vec<Rational> =
            bounds.iter().map(|bound| self.value(&bound.t) / &bound.a).collect();
        let order = |&i: &usize, &j: &usize| {
            values[i].cmp(&values[j]).then_with(|| bounds[j].a.cmp(&bounds[i].a))
        };
        (0..bounds.len()).max_by(order).expect("there are bounds on this side")
    }
    /// `near` bounds `x` from below, `far` bounds `-x` from below; `chosen` is the tightest near
    /// bound.
    fn resolve_integer(
        &mut self,
        near: &[Bound],
        chosen: usize,
        far: &[Bound],
        residue: Option<Residue>,
        value: &Rational,
    ) {
        let Bound { a, t } = &near[chosen];
        let period = residue.as_ref().map_or(Rational::ONE, Residue::period);
        let others = near.iter().enumerate().filter(|&(i, _)| i != chosen).map(|(_, bound)| bound);
        let far: Vec<(&Bound, Linear)> = far
            .iter()
            .map(|bound| {
                // b·t + a·s + slack ≤ 0, where b·x ≤ -s: enough room for a point of any residue.
                let mut room = Linear::of_constant(slack(a, &bound.a, &period));
                room.add_scaled(&bound.a, t);
                room.add_scaled(a, &bound.t);
                (bound, room)
            })
            .collect();
        if far.iter().all(|(_, room)| !self.value(room).is_positive()) {
            for (_, room) in far {
                self.push_integer(Constraint::le(room));
            }
            for other in others {
                let mut linear = Linear::new();
                linear.add_scaled(a, &other.t);
                linear.add_scaled(&-&other.a, t);
                self.push_integer(Constraint::le(linear));
            }
            if let Some(residue) = residue {
                self.push_integer(residue.solvable());
            }
            return;
        }
        let distance = a * value - self.value(t);
        let distance =
            mod_euclid(&distance, &(a * &period)).expect("coefficients and periods are positive");
        let mut point = t.clone();
        point.constant += distance;
        self.push_integer(Constraint::divides(a.clone(), point.clone()));
        for other in others {
            // a'·x ≥ t' with a·x = point.
            self.push_integer(at_point(&-&other.a, &other.t, Relation::Le, a, &point));
        }
        for (bound, _) in &far {
            self.push_integer(at_point(&bound.a, &bound.t, Relation::Le, a, &point));
        }
        if let Some(Residue { n, b, s }) = residue {
            self.push_integer(at_point(&b, &s, Relation::Divides(n), a, &point));
        }
    }
}

/// `b·x + s ⋈ 0` where `a·x = point`.
fn at_point(
    b: &Rational,
    s: &Linear,
    relation: Relation,
    a: &Rational,
    point: &Linear,
) -> Constraint {
    let common = gcd(a, b);
    let scale = a / &common;
    let mut linear = Linear::new();
    linear.add_scaled(&scale, s);
    linear.add_scaled(&(b / &common), point);
    let relation = match relation {
        Relation::Divides(n) => Relation::Divides(n * scale),
        other @ (Relation::Le | Relation::Lt | Relation::Eq) => other,
    };
    Constraint { relation, linear }
}

/// The least `k` such that `b·t + k ≤ a·s` leaves a point of every residue modulo `period` with
/// `t ≤ a·x` and `b·x ≤ s`.
///
/// With `x = ρ + p·y` this is the dark shadow `(ap - 1)(bp - 1)` of `y`, divided by `p`.
fn slack(a: &Rational, b: &Rational, period: &Rational) -> Rational {
    let below = |c: &Rational| c * period - Rational::ONE;
    let shadow = below(a) * below(b);
    -div_euclid(&-shadow, period).expect("a period is positive")
}
