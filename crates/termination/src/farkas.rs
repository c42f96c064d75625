//! Linear inequalities that follow from others: conditions on unknown coefficients by Farkas'
//! lemma.
//!
//! If the rows `L_r ≤ 0` can hold together, `F ≥ b` follows from them exactly if
//! `F − b = Σ λ_r · (−L_r) + s` for some `λ_r, s ≥ 0`; for an equation `L_r = 0` the multiplier may
//! be negative. If `F` has unknown coefficients, this is a linear condition on these and on the
//! multipliers, which a solver for linear arithmetic over the reals decides. Rows come from a
//! conjunction of literals ([`rows`]); what `div`, `mod` and `to_int` yield is bounded by rows of
//! its own. Over the integers literals are not strict, which is all the tightening there is; strict
//! ones over the reals are taken for weak ones.
//!
//! Source: [PR04] §3 for ranking functions of conjunctions.

use std::collections::BTreeMap;

use shofar_base::Set;
use shofar_num::Rational;
use shofar_term::{ArithKind, Comparison, Kind, Linear, LinearLiteral, Sort, Term, TermStore};

/// A linear constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// At most 0, or 0.
    pub(crate) linear: Linear,
    pub(crate) is_equation: bool,
}

impl Row {
    fn at_most_zero(linear: Linear) -> Self {
        Self { linear, is_equation: false }
    }
}

/// What the arithmetic literals of a conjunction say, and what the operations in them and in `args`
/// mean.
pub(crate) fn rows(store: &TermStore, cube: &[Term], args: &[Term]) -> Vec<Row> {
    let mut rows = Vec::new();
    for &literal in cube {
        let Some(read) = LinearLiteral::of(store, literal) else { continue };
        if read.relation == Comparison::Equal {
            let mut linear = store.linear(read.form);
            linear.constant -= &read.bound;
            rows.push(Row { linear, is_equation: true });
        } else if let Some((linear, _)) = read.inequality(store) {
            rows.push(Row::at_most_zero(linear));
        }
    }
    let terms = |linear: &Linear| linear.monomials().iter().map(|&(_, term)| term).collect();
    let numbers = args.iter().filter(|&&arg| !store.sort(arg).is_bool());
    let mut open: Vec<Term> =
        numbers.flat_map(|&arg| -> Vec<Term> { terms(&store.linear(arg)) }).collect();
    open.extend(rows.iter().flat_map(|row| -> Vec<Term> { terms(&row.linear) }));
    let mut known: Set<Term> = Set::default();
    while let Some(term) = open.pop() {
        if known.insert(term) {
            let meaning = meaning(store, term);
            open.extend(meaning.iter().flat_map(|row| -> Vec<Term> { terms(&row.linear) }));
            rows.extend(meaning);
        }
    }
    rows
}

/// Bounds of what an operation yields.
fn meaning(store: &TermStore, term: Term) -> Vec<Row> {
    let Kind::Arith(kind) = store.kind(term) else { return Vec::new() };
    let value = Linear::from_monomials(vec![(Rational::ONE, term)], Rational::ZERO);
    // 0 ≤ rest ≤ limit
    let between = |rest: Linear, limit: Rational| {
        let mut above = rest.clone();
        above.constant -= limit;
        vec![Row::at_most_zero(rest.negated()), Row::at_most_zero(above)]
    };
    match kind {
        ArithKind::Mod(_, divisor) => between(value, divisor.abs() - Rational::ONE),
        ArithKind::Div(inner, divisor) => {
            let mut rest = store.linear(inner);
            rest.add_scaled(&-divisor.clone(), &value);
            between(rest, divisor.abs() - Rational::ONE)
        }
        ArithKind::ToInt(inner) => {
            let mut rest = store.linear(inner);
            rest.add_scaled(&Rational::MINUS_ONE, &value);
            between(rest, Rational::ONE)
        }
        ArithKind::Number(_)
        | ArithKind::Sum(_)
        | ArithKind::Le(..)
        | ArithKind::Lt(..)
        | ArithKind::Eq(..) => Vec::new(),
    }
}

/// A linear combination of terms whose coefficients are linear combinations of unknowns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Form {
    pub(crate) at: BTreeMap<Term, Linear>,
    pub(crate) constant: Linear,
}

impl Form {
    /// Adds `factor · unknown · linear`.
    pub(crate) fn add(&mut self, factor: &Rational, unknown: Term, linear: &Linear) {
        for (coefficient, term) in linear.monomials() {
            self.at.entry(*term).or_default().add_term(&(factor * coefficient), unknown);
        }
        self.constant.add_term(&(factor * &linear.constant), unknown);
    }
    /// Adds `factor · unknown`.
    pub(crate) fn add_constant(&mut self, factor: &Rational, unknown: Term) {
        self.constant.add_term(factor, unknown);
    }
}

/// The condition on unknowns that `form ≥ bound` follows from `rows`.
pub(crate) fn follows(store: &mut TermStore, rows: &[Row], form: &Form, bound: &Linear) -> Term {
    let mut parts = Vec::new();
    let mut sums = form.at.clone();
    let mut rest = form.constant.clone();
    rest.add_scaled(&Rational::MINUS_ONE, bound);
    for row in rows {
        let multiplier = store.fresh("l", Sort::REAL);
        let multiplier = store.constant(multiplier);
        for (coefficient, term) in row.linear.monomials() {
            sums.entry(*term).or_default().add_term(coefficient, multiplier);
        }
        rest.add_term(&row.linear.constant, multiplier);
        if !row.is_equation {
            let mut sign = Linear::new();
            sign.add_term(&Rational::MINUS_ONE, multiplier);
            parts.push(store.le_zero(&sign));
        }
    }
    parts.extend(sums.values().map(|sum| store.eq_zero(sum)));
    parts.push(store.le_zero(&rest.negated()));
    store.and(&parts)
}

#[cfg(test)]
mod tests {
    use shofar_base::Budget;
    use shofar_smt::{Answer, Options, Solver};
    use shofar_term::Cx;

    use super::*;

    /// Whether `x + c·y ≥ b` follows from a cube for some `c`.
    fn some_coefficient(cube: &str, bound: i64) -> bool {
        let mut store = TermStore::new();
        let [x, y] = ["x", "y"].map(|name| store.var(name, Sort::INT));
        let numbers = [0, 1, 2, 3].map(|number| store.int(number));
        let half = store.div(x, &2.into());
        let cube = match cube {
            "x ≥ y, y ≥ 1" => vec![store.ge(x, y), store.ge(y, numbers[1])],
            "x = 2y" => {
                let twice = store.scale(&2.into(), y);
                vec![store.eq(x, twice)]
            }
            "x div 2 ≥ 1" => vec![store.ge(half, numbers[1])],
            other => panic!("{other}"),
        };
        let unknown = store.var("c", Sort::REAL);
        let one = store.var("one", Sort::REAL);
        let mut form = Form::default();
        form.add(&Rational::ONE, one, &store.linear(x));
        form.add(&Rational::ONE, unknown, &store.linear(y));
        let rows = rows(&store, &cube, &[x, y]);
        let condition = follows(&mut store, &rows, &form, &Linear::of_constant(bound.into()));
        let mut fixed = Linear::of_constant(Rational::MINUS_ONE);
        fixed.add_term(&Rational::ONE, one);
        let fixed = store.eq_zero(&fixed);
        let mut solver = Solver::new(Options::default());
        solver.add(&mut store, condition);
        solver.add(&mut store, fixed);
        let budget = Budget::unlimited();
        matches!(solver.check(&mut Cx::new(&mut store, &budget)), Ok(Answer::Sat(_)))
    }

    #[test]
    fn consequences_are_found_and_nothing_else() {
        assert!(some_coefficient("x ≥ y, y ≥ 1", 1));
        // x - y can be 0, and x + 5y is at least 6.
        assert!(some_coefficient("x ≥ y, y ≥ 1", 6));
        assert!(some_coefficient("x = 2y", 0));
        assert!(!some_coefficient("x = 2y", 1));
        assert!(some_coefficient("x div 2 ≥ 1", 2));
        assert!(!some_coefficient("x div 2 ≥ 1", 3));
    }
}
