//! Loops whose states form arithmetic progressions.
//!
//! Let `a` be the update of a deterministic loop and `s_j = aʲ(x)` its state after `j` steps, as
//! terms over `x`. If `s_{p+q} = s_p + D` for a constant vector `D`, and `a(x + D) = a(x) + D`,
//! then by induction `s_{p+r+qm} = s_{p+r} + mD` for all `m`: after a *prefix* of `p` steps, states
//! progress by the *increment* `D` in every *period* of `q` steps. An affine update `Ax + b` has
//! this property if `A^{p+q} = A^p` (the powers of `A` are a finite monoid): translations have
//! prefix 0 and period 1, a swap has period 2, a reset has prefix 1. Both equations are checked on
//! canonical terms, so remainders, quotients and truth values may take part: what cannot be seen to
//! be equal is refused.
//!
//! A guard whose left side grows by a constant along the progression holds all the time if it holds
//! at the first and at the last repetition (its solutions are convex). If a remainder in it does
//! not stay the same from period to period, a multiple of the period is taken. A disequality holds
//! if the ends are on one side, or if the progression does not meet the number.
//!
//! So `Rⁿ` for `n < p + q` is written down as it is, and for `n = p + r + q(k + 1)` with guards at
//! the ends of their progressions.
//!
//! Source: [FL02] (finite monoids); [FF22] §4 for guards of first and last iterations.
//! DIVERGENCE [FL02]: the monoid is recognised by its effect on canonical terms, within
//! [`MOST_STATES`] states.

use shofar_base::Map;
use shofar_num::Rational;
use shofar_term::size::dag_size;
use shofar_term::substitute::Substitution;
use shofar_term::{Linear, Relation, Term, TermStore};

use crate::closure::{Case, Part, Steps};
use crate::constraint::Constraint;
use crate::normal::{Loop, side};

/// So many states are looked at to find a prefix and a period.
const MOST_STATES: usize = 12;
/// A period is multiplied for the sake of remainders up to this length.
const LONGEST_PERIOD: usize = 24;
/// States with larger terms are not looked at.
const LARGEST: usize = 400;

/// The closure of a deterministic loop with states in arithmetic progression; nothing if it is
/// none.
pub(crate) fn accelerate(store: &mut TermStore, part: &Loop) -> Option<Part> {
    let pre: Vec<Term> = part.variables.iter().map(|v| store.constant(v.pre)).collect();
    let updates: Option<Vec<Term>> = part.variables.iter().map(|v| v.update).collect();
    let mut states = States::new(pre, updates?);
    let (prefix, short, mut increment) = states.find_period(store)?;
    let once = increment.clone();
    let mut period = short;
    let guards = loop {
        if let Some(guards) = guards_along(store, part, &states.pre, &increment) {
            break guards;
        }
        period += short;
        for (sum, summand) in increment.iter_mut().zip(&once) {
            *sum += summand;
        }
        if period > LONGEST_PERIOD {
            return None;
        }
    };
    states.extend(store, prefix + 2 * period)?;
    let progression = Progression { part, states, guards, prefix, period, increment };
    let cases = progression.cases(store);
    let Progression { increment, states, .. } = progression;
    let places = || part.variables.iter().map(|v| v.place);
    let increments = places().zip(increment).collect();
    let updates = places().zip(states.updates).collect();
    let steps = Steps { prefix, period, increments, updates };
    Some(Part { cases, steps: Some(steps) })
}

/// The states after 0, 1, … steps, as terms over the values before.
struct States {
    pre: Vec<Term>,
    updates: Vec<Term>,
    after: Vec<Vec<Term>>,
}

impl States {
    fn new(pre: Vec<Term>, updates: Vec<Term>) -> Self {
        let after = vec![pre.clone()];
        Self { pre, updates, after }
    }
    /// Computes states until there are `count`.
    fn extend(&mut self, store: &mut TermStore, count: usize) -> Option<()> {
        while self.after.len() < count {
            let last = &self.after[self.after.len() - 1];
            let mut to_last = replacing(&self.pre, last);
            let next: Vec<Term> =
                self.updates.iter().map(|&update| to_last.apply(store, update)).collect();
            if dag_size(store, &next) > LARGEST {
                return None;
            }
            self.after.push(next);
        }
        Some(())
    }
    /// A prefix, a period and its increment, with the smallest sum of both.
    fn find_period(&mut self, store: &mut TermStore) -> Option<(usize, usize, Vec<Rational>)> {
        for total in 1..=MOST_STATES {
            self.extend(store, total + 1)?;
            for period in 1..=total {
                let prefix = total - period;
                let increment = difference(store, &self.after[prefix], &self.after[total]);
                if let Some(increment) = increment
                    && self.is_kept_by_updates(store, &increment)
                {
                    return Some((prefix, period, increment));
                }
            }
        }
        None
    }
    /// Whether `a(x + D) = a(x) + D`.
    fn is_kept_by_updates(&self, store: &mut TermStore, increment: &[Rational]) -> bool {
        let mut shift = shift(store, &self.pre, increment);
        let pairs = self.updates.iter().zip(increment);
        pairs.into_iter().all(|(&update, by)| {
            let moved = shift.apply(store, update);
            plus(store, update, by) == moved
        })
    }
}

/// `to − from`, if it is constant; what is no number must be the same.
fn difference(store: &TermStore, from: &[Term], to: &[Term]) -> Option<Vec<Rational>> {
    let pairs = from.iter().zip(to);
    pairs.map(|(&from, &to)| constant_difference(store, from, to)).collect()
}

fn constant_difference(store: &TermStore, from: Term, to: Term) -> Option<Rational> {
    if from == to {
        return Some(Rational::ZERO);
    }
    if !store.sort(from).is_arithmetic() {
        return None;
    }
    let mut difference = store.linear(to);
    difference.add_scaled(&Rational::MINUS_ONE, &store.linear(from));
    difference.is_constant().then_some(difference.constant)
}

fn plus(store: &mut TermStore, term: Term, by: &Rational) -> Term {
    if by.is_zero() {
        return term;
    }
    let mut linear = store.linear(term);
    linear.constant += by;
    store.sum(&linear, store.sort(term))
}

fn replacing(from: &[Term], to: &[Term]) -> Substitution {
    let map: Map<Term, Term> = from.iter().copied().zip(to.iter().copied()).collect();
    Substitution::new(map)
}

/// The substitution of `x + D` for `x`.
fn shift(store: &mut TermStore, pre: &[Term], increment: &[Rational]) -> Substitution {
    let moved: Vec<Term> = pre.iter().zip(increment).map(|(&x, by)| plus(store, x, by)).collect();
    replacing(pre, &moved)
}

/// A guard along a progression.
enum Guard {
    /// `linear ⋈ 0`, and how much each period adds.
    Compares(Linear, Rational, Relation),
    /// `linear ≠ 0`, and how much each period adds.
    Differs(Linear, Rational),
    /// The same formula in every period.
    Fixed(Term),
}

/// The guards of a loop, if the increment changes their sides by constants.
fn guards_along(
    store: &mut TermStore,
    part: &Loop,
    pre: &[Term],
    increment: &[Rational],
) -> Option<Vec<Guard>> {
    let mut shift = shift(store, pre, increment);
    let mut guards = Vec::new();
    for &literal in &part.guards {
        if shift.apply(store, literal) == literal {
            guards.push(Guard::Fixed(literal));
            continue;
        }
        let (linear, relation) = side(store, literal)?;
        let mut slope = Rational::ZERO;
        for (c, term) in linear.monomials() {
            let moved = shift.apply(store, *term);
            slope.add_mul(c, &constant_difference(store, *term, moved)?);
        }
        guards.push(match relation {
            Some(relation) => Guard::Compares(linear, slope, relation),
            None => Guard::Differs(linear, slope),
        });
    }
    Some(guards)
}

/// A loop with all that is known about its states.
struct Progression<'l> {
    part: &'l Loop,
    states: States,
    guards: Vec<Guard>,
    prefix: usize,
    period: usize,
    increment: Vec<Rational>,
}

/// The repetitions for which a guard has to hold.
#[derive(Clone, Copy)]
enum During {
    /// The first only.
    Once,
    /// From 0 to `k + shift`.
    Until { shift: i64 },
}

impl Progression<'_> {
    /// The cases of the closure: counts below prefix and period, then one for every phase of the
    /// period.
    fn cases(&self, store: &mut TermStore) -> Vec<Case> {
        let mut cases = Vec::new();
        let still = vec![Rational::ZERO; self.increment.len()];
        for count in 1..self.prefix + self.period {
            let mut constraints = Vec::new();
            for step in 0..count {
                self.guard(store, step, During::Once, &mut constraints);
            }
            self.arrive(store, count, &still, &mut constraints);
            cases.extend(Case::new(store, count, None, constraints));
        }
        for phase in 0..self.period {
            cases.extend(self.phase(store, phase));
        }
        cases
    }
    /// The case of the counts `p + r + q(k + 1)`.
    fn phase(&self, store: &mut TermStore, phase: usize) -> Option<Case> {
        let mut constraints = Vec::new();
        for step in 0..self.prefix {
            self.guard(store, step, During::Once, &mut constraints);
        }
        for step in 0..self.period {
            let shift = i64::from(step < phase);
            self.guard(store, self.prefix + step, During::Until { shift }, &mut constraints);
        }
        let target = self.prefix + phase;
        self.arrive(store, target, &self.increment, &mut constraints);
        Case::new(store, target + self.period, Some(self.period), constraints)
    }
    /// That the guards hold in the state after `step` steps, and in those that repeat it.
    fn guard(
        &self,
        store: &mut TermStore,
        step: usize,
        during: During,
        constraints: &mut Vec<Constraint>,
    ) {
        let mut to_state = replacing(&self.states.pre, &self.states.after[step]);
        for guard in &self.guards {
            match guard {
                Guard::Fixed(literal) => {
                    constraints.push(Constraint::Fixed(to_state.apply(store, *literal)));
                }
                Guard::Compares(linear, slope, relation) => {
                    let linear = replaced(store, &mut to_state, linear);
                    compare(&linear, slope, *relation, during, constraints);
                }
                Guard::Differs(linear, slope) => {
                    let linear = replaced(store, &mut to_state, linear);
                    differ(store, linear, slope, during, constraints);
                }
            }
        }
    }
    /// That the values after the loop are those of the state after `step` steps plus `k + 1` times
    /// the increment.
    fn arrive(
        &self,
        store: &mut TermStore,
        step: usize,
        increment: &[Rational],
        constraints: &mut Vec<Constraint>,
    ) {
        let state = &self.states.after[step];
        for ((variable, &value), by) in self.part.variables.iter().zip(state).zip(increment) {
            let post = store.constant(variable.post);
            if !store.sort(post).is_arithmetic() {
                constraints.push(Constraint::Fixed(store.eq(post, value)));
                continue;
            }
            let mut linear = store.linear(post);
            linear.add_scaled(&Rational::MINUS_ONE, &store.linear(value));
            linear.constant -= by;
            constraints.push(Constraint::Linear { linear, slope: -by, relation: Relation::Eq });
        }
    }
}

/// `linear` with its terms replaced.
fn replaced(store: &mut TermStore, substitution: &mut Substitution, linear: &Linear) -> Linear {
    let mut result = Linear::of_constant(linear.constant.clone());
    for (c, term) in linear.monomials() {
        let image = substitution.apply(store, *term);
        result.add_scaled(c, &store.linear(image));
    }
    result
}

/// That `linear` compares with 0 at the first and at the last repetition; one of both implies the
/// other for inequalities.
fn compare(
    linear: &Linear,
    slope: &Rational,
    relation: Relation,
    during: During,
    constraints: &mut Vec<Constraint>,
) {
    let at_first =
        || Constraint::Linear { linear: linear.clone(), slope: Rational::ZERO, relation };
    let at_last = |shift: i64| {
        let mut last = linear.clone();
        last.constant += slope * Rational::from(shift);
        Constraint::Linear { linear: last, slope: slope.clone(), relation }
    };
    match (during, relation) {
        (During::Once, _) => constraints.push(at_first()),
        (During::Until { .. }, Relation::Le | Relation::Lt) if !slope.is_positive() => {
            constraints.push(at_first());
        }
        (During::Until { shift }, Relation::Le | Relation::Lt) => constraints.push(at_last(shift)),
        (During::Until { shift }, Relation::Eq) => {
            constraints.push(at_first());
            if !slope.is_zero() {
                constraints.push(at_last(shift));
            }
        }
    }
}

/// That `linear` is not 0 during these repetitions.
fn differ(
    store: &mut TermStore,
    linear: Linear,
    slope: &Rational,
    during: During,
    constraints: &mut Vec<Constraint>,
) {
    let shift = match during {
        During::Until { shift } if !slope.is_zero() => Rational::from(shift),
        During::Until { .. } | During::Once => {
            let meets = store.eq_zero(&linear);
            constraints.push(Constraint::Fixed(store.not(meets)));
            return;
        }
    };
    constraints.push(Constraint::Never { linear, slope: slope.clone(), shift });
}
