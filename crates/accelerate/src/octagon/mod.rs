//! Closures of octagonal relations: bounds of sums and differences of two values, before or after
//! the step.
//!
//! The powers `M¹, M², …` of the matrix of such a relation are ultimately periodic: there are a
//! prefix `b`, a period `c` and a rate `Λ` with `M^{b+c(k+1)} = M^{b+ck} + Λ` for all `k`, as long
//! as the power is not empty. Few powers are computed, prefix and period are guessed from two equal
//! differences in a row, and the guess is proved for all `k` at once: the composition of `M^b + kΛ`
//! with `M^c` is computed with `k` as a parameter, and must be `M^{b+c} + kΛ`. It also says up to
//! which `k` there is a composition; from there on all powers are empty. The powers between are
//! compositions with `M¹, …, M^{c−1}`, computed in the same way.
//!
//! Values after the step need not be determined, and difference bounds are octagons. Over the
//! integers closures are tight. A conjunct of another kind is allowed if the octagonal ones imply
//! it, which one query each finds out.
//!
//! Source: [BIK10]; [HIKKR12] §2. Symbols: `b`, `c`, `Λ` → `prefix`, `period`, `rate`.
//! DIVERGENCE [BIK10]: prefix and period are bounded by [`MOST_POWERS`]; the check with a parameter
//! is on closed matrices whose entries are minima of lines, instead of on terms with a parameter.

mod line;
mod matrix;

use shofar_base::{Map, Outcome};
use shofar_num::Rational;
use shofar_smt::{Options, implies};
use shofar_term::{Cx, Linear, Relation, Term, TermStore};

use crate::closure::{Case, Part};
use crate::constraint::Constraint;
use crate::normal::{Loop, side};
use line::{Line, Lines, Until};
use matrix::{Matrix, Numbers, TooComplex};

/// So many powers are looked at.
const MOST_POWERS: usize = 14;
/// Relations with more variables are not looked at.
const MOST_VARIABLES: usize = 5;

/// The closure of an octagonal relation; nothing if it is none, or if no period was found.
pub(crate) fn accelerate(cx: &mut Cx<'_>, part: &Loop) -> Outcome<Option<Part>> {
    let literals = part.literals(cx.store);
    let Some((relation, rest)) = Octagonal::new(cx.store, part, &literals) else { return Ok(None) };
    let known: Vec<Term> =
        literals.iter().copied().filter(|literal| !rest.contains(literal)).collect();
    for literal in rest {
        if !implies(cx, Options::default(), &known, literal)? {
            return Ok(None);
        }
    }
    cx.budget.check()?;
    Ok(relation.closure(cx.store))
}

/// The powers `M^{b+i} + kΛᵢ`, with the largest `k`.
type Phase = (Matrix<Lines>, Until);

/// A relation as a matrix.
struct Octagonal {
    /// The constants: all before the step, then all after it.
    names: Vec<Term>,
    numbers: Numbers,
    matrix: Matrix<Rational>,
}

impl Octagonal {
    /// The matrix of the octagonal ones of `literals`, and the others; nothing if variables are not
    /// all integers or all reals.
    fn new(store: &mut TermStore, part: &Loop, literals: &[Term]) -> Option<(Self, Vec<Term>)> {
        let own = part.variables.len();
        let before = part.variables.iter().map(|v| v.pre);
        let symbols: Vec<_> = before.chain(part.variables.iter().map(|v| v.post)).collect();
        let names: Vec<Term> = symbols.into_iter().map(|s| store.constant(s)).collect();
        let all = |is: fn(shofar_term::Sort) -> bool| names.iter().all(|&t| is(store.sort(t)));
        let numbers = if all(shofar_term::Sort::is_int) {
            Numbers::Integer
        } else if all(shofar_term::Sort::is_real) {
            Numbers::Real
        } else {
            return None;
        };
        if own > MOST_VARIABLES {
            return None;
        }
        let places: Map<Term, usize> = names.iter().enumerate().map(|(at, &t)| (t, at)).collect();
        let (mut matrix, mut rest) = (Matrix::new(2 * own), Vec::new());
        for &literal in literals {
            if !enter(store, &mut matrix, &places, literal) {
                rest.push(literal);
            }
        }
        Some((Self { names, numbers, matrix }, rest))
    }
    /// The powers in closed form.
    fn closure(mut self, store: &mut TermStore) -> Option<Part> {
        if self.matrix.close(self.numbers).ok()? == Until::Never {
            return Some(Part::empty());
        }
        let mut powers = vec![self.matrix.clone()];
        while powers.len() < MOST_POWERS {
            let last = &powers[powers.len() - 1];
            let (next, until) = last.then(&self.matrix, self.numbers).ok()?;
            if until == Until::Never {
                let cases = (1..=powers.len()).filter_map(|n| self.once(store, n, &powers[n - 1]));
                return Some(Part { cases: cases.collect(), steps: None });
            }
            powers.push(next);
            if let Some(cases) = self.periodic(store, &powers) {
                return Some(Part { cases, steps: None });
            }
        }
        None
    }
    /// The cases of the closure, if the last power is the last of two equal differences, and the
    /// guess is right.
    fn periodic(&self, store: &mut TermStore, powers: &[Matrix<Rational>]) -> Option<Vec<Case>> {
        let power = |n: usize| &powers[n - 1];
        let last = powers.len();
        for period in 1..=(last - 1) / 2 {
            let prefix = last - 2 * period;
            let guess = differences(power(prefix), power(prefix + period));
            let Some(rate) = guess else { continue };
            if differences(power(prefix + period), power(last)).as_ref() != Some(&rate) {
                continue;
            }
            if let Ok(Some(phases)) = self.phases(powers, prefix, period, &rate) {
                let mut cases: Vec<Case> =
                    (1..prefix).filter_map(|n| self.once(store, n, power(n))).collect();
                for (phase, (lines, until)) in phases.iter().enumerate() {
                    cases.extend(self.case(store, prefix + phase, Some(period), lines, until));
                }
                return Some(cases);
            }
        }
        None
    }
    /// `M^{b+i} + kΛᵢ` for each phase `i` of the period, with the largest `k`; nothing if the guess
    /// is wrong.
    fn phases(
        &self,
        powers: &[Matrix<Rational>],
        prefix: usize,
        period: usize,
        rate: &[Rational],
    ) -> Result<Option<Vec<Phase>>, TooComplex> {
        let constant = |bound: &Rational| Lines::of(bound.clone(), Rational::ZERO);
        let moving = powers[prefix - 1].map(|at, bound| Lines::of(bound.clone(), rate[at].clone()));
        let composed = |steps: usize| {
            let next = powers[steps - 1].map(|_, bound| constant(bound));
            moving.then(&next, self.numbers)
        };
        let (whole, until) = composed(period)?;
        if !is_progression(&whole, &powers[prefix + period - 1], rate, &until) {
            return Ok(None);
        }
        let most = match until {
            Until::Never => return Ok(None),
            Until::Last(last) => Until::Last(last + Rational::ONE),
            Until::Always => Until::Always,
        };
        let mut phases = vec![(moving.clone(), most.clone())];
        for phase in 1..period {
            let (start, after) =
                (&powers[prefix + phase - 1], &powers[prefix + phase + period - 1]);
            let Some(rate) = differences(start, after) else { return Ok(None) };
            let (between, until) = composed(phase)?;
            if !is_progression(&between, start, &rate, &until) {
                return Ok(None);
            }
            let moving = start.map(|at, bound| Lines::of(bound.clone(), rate[at].clone()));
            phases.push((moving, until.min(most.clone())));
        }
        Ok(Some(phases))
    }
    /// The case of one count.
    fn once(&self, store: &mut TermStore, count: usize, power: &Matrix<Rational>) -> Option<Case> {
        let lines = power.map(|_, bound| Lines::of(bound.clone(), Rational::ZERO));
        self.case(store, count, None, &lines, &Until::Always)
    }
    /// The case of the counts `count + stride·k`.
    fn case(
        &self,
        store: &mut TermStore,
        count: usize,
        stride: Option<usize>,
        lines: &Matrix<Lines>,
        until: &Until,
    ) -> Option<Case> {
        let mut constraints: Vec<Constraint> = Vec::new();
        for (a, b) in lines.needed() {
            let Some(line) = lines.get(a, b).and_then(Lines::single) else { continue };
            let constraint = self.constraint(a, b, line);
            match constraints.iter_mut().find_map(|old| joined(old, &constraint).map(|j| (old, j)))
            {
                Some((old, equation)) => *old = equation,
                None => constraints.push(constraint),
            }
        }
        let mut case = Case::new(store, count, stride, constraints)?;
        if let Until::Last(last) = until {
            case.most = Some(last.clone());
        }
        Some(case)
    }
    /// `V_b − V_a ≤ line`.
    fn constraint(&self, a: usize, b: usize, line: &Line) -> Constraint {
        let sign =
            |node: usize| if node.is_multiple_of(2) { Rational::ONE } else { -Rational::ONE };
        let monomials = vec![(sign(b), self.names[b / 2]), (-sign(a), self.names[a / 2])];
        let linear = Linear::from_monomials(monomials, -&line.start);
        Constraint::Linear { linear, slope: -&line.slope, relation: Relation::Le }
    }
}

/// The equation that two opposite inequalities are.
fn joined(old: &Constraint, new: &Constraint) -> Option<Constraint> {
    let (
        Constraint::Linear { linear, slope, relation: Relation::Le },
        Constraint::Linear { linear: other, slope: rate, relation: Relation::Le },
    ) = (old, new)
    else {
        return None;
    };
    let is_opposite = *slope == -rate && *linear == other.negated();
    is_opposite.then(|| Constraint::Linear {
        linear: linear.clone(),
        slope: slope.clone(),
        relation: Relation::Eq,
    })
}

/// `to − from`, entry by entry; nothing if some bound exists in one of them only.
fn differences(from: &Matrix<Rational>, to: &Matrix<Rational>) -> Option<Vec<Rational>> {
    let pairs = from.entries().iter().zip(to.entries());
    pairs
        .map(|(from, to)| match (from, to) {
            (Some(from), Some(to)) => Some(to - from),
            (None, None) => Some(Rational::ZERO),
            (Some(_), None) | (None, Some(_)) => None,
        })
        .collect()
}

/// Whether `composed` is `start + k·rate` as long as there is a composition.
fn is_progression(
    composed: &Matrix<Lines>,
    start: &Matrix<Rational>,
    rate: &[Rational],
    until: &Until,
) -> bool {
    let entries = composed.entries().iter().zip(start.entries()).zip(rate);
    entries.into_iter().all(|((lines, start), rate)| match (lines, start) {
        (Some(lines), Some(start)) => {
            let line = Line { start: start.clone(), slope: rate.clone() };
            lines.is_line_until(&line, until)
        }
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    })
}

/// Enters a literal into a matrix; false if it is not octagonal.
fn enter(
    store: &TermStore,
    matrix: &mut Matrix<Rational>,
    places: &Map<Term, usize>,
    literal: Term,
) -> bool {
    let Some((linear, Some(relation))) = side(store, literal) else { return false };
    let mut nodes = Vec::new();
    for (c, term) in linear.monomials() {
        let Some(&at) = places.get(term) else { return false };
        match c.signum() {
            1 if c.is_one() => nodes.push(2 * at),
            -1 if c.abs().is_one() => nodes.push(2 * at + 1),
            _ => return false,
        }
    }
    let (a, b) = match nodes[..] {
        [one] => (one ^ 1, one),
        [one, two] => (two ^ 1, one),
        _ => return false,
    };
    let factor = Rational::from(if nodes.len() == 1 { 2 } else { 1 });
    let bound = -&linear.constant * &factor;
    match relation {
        Relation::Le => matrix.lower(a, b, &bound),
        Relation::Eq => {
            matrix.lower(a, b, &bound);
            matrix.lower(b, a, &-bound);
        }
        // A strict bound is none of a closed set.
        Relation::Lt => return false,
    }
    true
}
