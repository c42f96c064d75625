//! Contradictions planted by construction: sets of assertions that have no model, whatever else is
//! asserted.
//!
//! | kind | why there is no model |
//! |---|---|
//! | Farkas | a positive combination of the rows is `0 ≤ c` with `c < 0` [Sch86] |
//! | cycle | the same for difference constraints: a negative cycle |
//! | parity | an integer combination of the equations has all coefficients divisible by `g`, but not its constant |
//! | pigeonhole | more pigeons than holes, over Booleans or over distinct bounded integers |
//! | xor cycle | a cycle of `xor`s whose right-hand sides sum to one |
//! | congruence | see [`crate::congruence`] |
//! | axiom | see [`crate::axiom`] |
//!
//! A row may be disguised: guarded by a literal asserted elsewhere, or split into a disjunction of
//! itself and something stronger. The disguise keeps the set contradictory.

use shofar_base::Rng;

use crate::axiom;
use crate::congruence::Congruence;
use crate::formula::Formulas;
use crate::logic::{Arithmetic, Logic, Sort, Theory};
use crate::ratio::Ratio;

/// The kinds of contradiction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contradiction {
    /// A Farkas combination (for the difference logics, a negative cycle).
    Farkas,
    /// Integer equations without integer solution.
    Parity,
    /// More pigeons than holes.
    Pigeonhole,
    /// An odd cycle of exclusive ors.
    Xor,
    /// Equal terms under functions.
    Congruence(Congruence),
    /// An instance of an axiom of arrays, data types or bit-vectors is denied.
    Axiom,
}

impl Contradiction {
    /// A kind that `logic` can express.
    pub fn choose(rng: &mut Rng, logic: Logic) -> Self {
        if logic.theory != Theory::None && (logic.arithmetic == Arithmetic::None || rng.chance(75))
        {
            return Self::Axiom;
        }
        if logic == Logic::UF || logic.has_functions && rng.chance(65) {
            return Self::Congruence(Congruence::choose(rng, logic.arithmetic));
        }
        let kinds: &[Contradiction] = match logic.arithmetic {
            Arithmetic::Lra | Arithmetic::Rdl => {
                &[Self::Farkas, Self::Farkas, Self::Farkas, Self::Farkas, Self::Xor]
            }
            Arithmetic::Lia | Arithmetic::Lira => {
                &[Self::Farkas, Self::Farkas, Self::Parity, Self::Parity, Self::Pigeonhole]
            }
            Arithmetic::Idl => &[Self::Farkas, Self::Farkas, Self::Farkas, Self::Pigeonhole],
            Arithmetic::None => &[Self::Pigeonhole, Self::Xor],
        };
        *rng.pick(kinds)
    }

    /// Declarations and assertions (as terms) that are contradictory. New variables have fresh
    /// names.
    pub fn plant(self, rng: &mut Rng, formulas: &mut Formulas) -> (Vec<String>, Vec<String>) {
        let mut declarations = Vec::new();
        let terms = match (self, formulas.logic.arithmetic) {
            (Self::Farkas, Arithmetic::Idl | Arithmetic::Rdl) => {
                cycle(rng, formulas, &mut declarations)
            }
            (Self::Farkas, _) => farkas(rng, formulas, &mut declarations),
            (Self::Parity, _) => parity(rng, formulas, &mut declarations),
            (Self::Pigeonhole, Arithmetic::None) => {
                boolean_pigeons(rng, formulas, &mut declarations)
            }
            (Self::Pigeonhole, _) => integer_pigeons(rng, formulas, &mut declarations),
            (Self::Xor, _) => xor_cycle(rng, formulas, &mut declarations),
            (Self::Axiom, _) => axiom::plant(rng, formulas, &mut declarations),
            (Self::Congruence(kind), _) => kind.plant(rng, formulas, &mut declarations),
        };
        let disguised = disguise(rng, formulas, terms, &mut declarations);
        (declarations, disguised)
    }
}

/// At least `count` variables of `sort`, declaring what is missing.
pub(crate) fn names(
    rng: &mut Rng,
    formulas: &mut Formulas,
    sort: Sort,
    count: usize,
    declarations: &mut Vec<String>,
) -> Vec<String> {
    let present = |formulas: &Formulas| -> Vec<String> {
        let declared =
            formulas.variables.iter().filter(|v| v.sort == sort && !v.name.starts_with('d'));
        declared.map(|v| v.name.clone()).collect()
    };
    while present(formulas).len() < count {
        declarations.push(formulas.declare(rng, sort));
    }
    let mut all = present(formulas);
    while all.len() > count {
        all.remove(rng.below(all.len()));
    }
    all
}

/// A linear row `Σ coefficients·names  relation  bound`.
struct Row<'a> {
    names: &'a [String],
    coefficients: Vec<i128>,
    relation: &'static str,
    bound: i128,
}

impl Row<'_> {
    fn text(&self, rng: &mut Rng, formulas: &Formulas, sort: Sort) -> String {
        let literal = |rng: &mut Rng, n: i128| {
            if sort == Sort::Real { formulas.real_text(rng, n, 1) } else { Ratio::int_text(n) }
        };
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (name, &c) in self.names.iter().zip(&self.coefficients) {
            let away = rng.chance(25);
            let c = if away { -c } else { c };
            let text = match c {
                0 => continue,
                1 => name.clone(),
                -1 => format!("(- {name})"),
                _ => format!("(* {} {name})", literal(rng, c)),
            };
            if away { right.push(text) } else { left.push(text) }
        }
        if self.bound != 0 || right.is_empty() {
            right.push(literal(rng, self.bound));
        }
        if left.is_empty() {
            left.push(literal(rng, 0));
        }
        let (left, right) = (sum(&left), sum(&right));
        match (self.relation, rng.below(4)) {
            ("<=", 0) => format!("(>= {right} {left})"),
            ("<=", 1) => format!("(not (> {left} {right}))"),
            ("<", 0) => format!("(> {right} {left})"),
            ("<", 1) => format!("(not (>= {left} {right}))"),
            ("=", 0) => format!("(= {right} {left})"),
            ("=", 1) => format!("(and (<= {left} {right}) (>= {left} {right}))"),
            (relation, _) => format!("({relation} {left} {right})"),
        }
    }
}

fn sum(parts: &[String]) -> String {
    match parts {
        [one] => one.clone(),
        _ => format!("(+ {})", parts.join(" ")),
    }
}

/// Rows whose combination with positive multipliers is `0 ≤ negative`.
fn farkas(rng: &mut Rng, formulas: &mut Formulas, declarations: &mut Vec<String>) -> Vec<String> {
    let sort = formulas.number_sort(rng);
    let (width, count) = (2 + rng.below(4), 1 + rng.below(4));
    let names = names(rng, formulas, sort, width, declarations);
    let large = if rng.chance(4) { 1_000_000_007 } else { 5 };
    let mut rows = Vec::new();
    let (mut total, mut bound) = (vec![0i128; width], 0i128);
    for _ in 0..count {
        let multiplier = i128::from(rng.range(1, 3));
        let coefficients: Vec<i128> = (0..width)
            .map(|_| if rng.chance(40) { 0 } else { crate::formula::random_below(rng, large) })
            .collect();
        let row = Row {
            names: &names,
            coefficients,
            relation: "<=",
            bound: i128::from(rng.range(-6, 6)),
        };
        for (sum, c) in total.iter_mut().zip(&row.coefficients) {
            *sum += multiplier * c;
        }
        bound += multiplier * row.bound;
        rows.push(row);
    }
    let last = total.iter().map(|c| -c).collect();
    // The last row closes the sum; strictly below zero, or at zero with a strict relation
    // somewhere.
    let strict = rng.chance(30);
    let gap = if strict { 0 } else { 1 + i128::from(rng.range(0, 3)) };
    let relation = if strict { "<" } else { "<=" };
    rows.push(Row { names: &names, coefficients: last, relation, bound: -bound - gap });
    rows.iter().map(|row| row.text(rng, formulas, sort)).collect()
}

/// Difference constraints around a cycle of negative weight.
fn cycle(rng: &mut Rng, formulas: &mut Formulas, declarations: &mut Vec<String>) -> Vec<String> {
    let sort = formulas.number_sort(rng);
    let length = 2 + rng.below(4);
    let names = names(rng, formulas, sort, length, declarations);
    let mut weights: Vec<i128> = (1..length).map(|_| i128::from(rng.range(-5, 5))).collect();
    let strict = rng.chance(30);
    weights
        .push(-weights.iter().sum::<i128>() - if strict { 0 } else { i128::from(rng.range(1, 3)) });
    let mut terms = Vec::new();
    for (i, weight) in weights.iter().enumerate() {
        let (x, y) = (&names[i], &names[(i + 1) % length]);
        let operator = if strict && i + 1 == length { "<" } else { "<=" };
        let bound = if sort == Sort::Real {
            formulas.real_text(rng, *weight, 1)
        } else {
            Ratio::int_text(*weight)
        };
        terms.push(format!("({operator} (- {x} {y}) {bound})"));
    }
    terms
}

/// Integer equations; their sum has coefficients divisible by `g` and a constant that is not.
fn parity(rng: &mut Rng, formulas: &mut Formulas, declarations: &mut Vec<String>) -> Vec<String> {
    let (width, count) = (2 + rng.below(3), rng.below(3));
    let g = i128::from(rng.range(2, 5));
    let names = names(rng, formulas, Sort::Int, width, declarations);
    let mut rows = Vec::new();
    let (mut total, mut bound) = (vec![0i128; width], 0i128);
    for _ in 0..count {
        let coefficients: Vec<i128> = (0..width).map(|_| i128::from(rng.range(-4, 4))).collect();
        let row =
            Row { names: &names, coefficients, relation: "=", bound: i128::from(rng.range(-6, 6)) };
        for (sum, c) in total.iter_mut().zip(&row.coefficients) {
            *sum += c;
        }
        bound += row.bound;
        rows.push(row);
    }
    let last: Vec<i128> = total.iter().map(|c| g * i128::from(rng.range(-2, 2)) - c).collect();
    let rest = g * i128::from(rng.range(-3, 3))
        + i128::from(rng.range(1, i64::try_from(g).unwrap_or(2) - 1));
    rows.push(Row { names: &names, coefficients: last, relation: "=", bound: rest - bound });
    let mut terms: Vec<String> =
        rows.iter().map(|row| row.text(rng, formulas, Sort::Int)).collect();
    if count == 0 && rng.chance(50) {
        // The same contradiction, said with `mod`.
        let monomials: Vec<String> = names.iter().map(|n| format!("(* {} {n})", g * 2)).collect();
        terms = vec![format!("(= (mod {} {g}) {})", sum(&monomials), rest.rem_euclid(g))];
    }
    terms
}

/// Every pigeon has a hole, no two share one; one hole too few.
fn boolean_pigeons(
    rng: &mut Rng,
    formulas: &mut Formulas,
    declarations: &mut Vec<String>,
) -> Vec<String> {
    let holes = 1 + rng.below(3);
    let names = names(rng, formulas, Sort::Bool, holes * (holes + 1), declarations);
    let sits = |pigeon: usize, hole: usize| names[pigeon * holes + hole].clone();
    let mut terms = Vec::new();
    for pigeon in 0..=holes {
        let somewhere: Vec<String> = (0..holes).map(|hole| sits(pigeon, hole)).collect();
        terms.push(if holes == 1 {
            somewhere[0].clone()
        } else {
            format!("(or {})", somewhere.join(" "))
        });
    }
    for hole in 0..holes {
        for pigeon in 0..=holes {
            for other in 0..pigeon {
                terms.push(format!("(not (and {} {}))", sits(pigeon, hole), sits(other, hole)));
            }
        }
    }
    terms
}

/// `n + 1` distinct integers in an interval of `n`.
fn integer_pigeons(
    rng: &mut Rng,
    formulas: &mut Formulas,
    declarations: &mut Vec<String>,
) -> Vec<String> {
    let holes = 2 + rng.below(2);
    let pigeons = names(rng, formulas, Sort::Int, holes + 2, declarations);
    let (base, pigeons) = pigeons.split_first().expect("at least four names");
    let mut terms = vec![format!("(distinct {})", pigeons.join(" "))];
    for pigeon in pigeons {
        terms.push(format!("(>= (- {pigeon} {base}) 1)"));
        terms.push(format!("(<= (- {pigeon} {base}) {holes})"));
    }
    terms
}

/// `b1 ⊕ b2 = c1, …, bn ⊕ b1 = cn` with an odd sum of the right-hand sides.
fn xor_cycle(
    rng: &mut Rng,
    formulas: &mut Formulas,
    declarations: &mut Vec<String>,
) -> Vec<String> {
    let length = 2 + rng.below(4);
    let names = names(rng, formulas, Sort::Bool, length, declarations);
    let mut odd = true;
    let mut terms = Vec::new();
    for i in 0..length {
        let one = if i + 1 == length { odd } else { rng.chance(50) };
        odd ^= one;
        let (x, y) = (&names[i], &names[(i + 1) % length]);
        terms.push(match (one, rng.below(3)) {
            (true, 0) => format!("(xor {x} {y})"),
            (true, 1) => format!("(= {x} (not {y}))"),
            (true, _) => format!("(and (or {x} {y}) (or (not {x}) (not {y})))"),
            (false, 0) => format!("(= {x} {y})"),
            (false, 1) => format!("(not (xor {x} {y}))"),
            (false, _) => format!("(and (=> {x} {y}) (=> {y} {x}))"),
        });
    }
    terms
}

/// Wraps some of the terms so that the set stays contradictory but needs propositional reasoning.
fn disguise(
    rng: &mut Rng,
    formulas: &mut Formulas,
    terms: Vec<String>,
    declarations: &mut Vec<String>,
) -> Vec<String> {
    let mut result = Vec::new();
    for term in terms {
        match rng.below(10) {
            0 => {
                let guard = names(rng, formulas, Sort::Bool, 1, declarations).remove(0);
                result.push(format!("(=> {guard} {term})"));
                result.push(format!("(or {guard} {term})"));
            }
            1 => {
                let other = formulas.boolean(rng, 1);
                result.push(format!("(or {term} (and {} {term}))", other.text));
            }
            2 => {
                let condition = formulas.atom(rng);
                let stronger = formulas.atom(rng);
                result.push(format!(
                    "(ite {} {term} (and {term} {}))",
                    condition.text, stronger.text
                ));
            }
            _ => result.push(term),
        }
    }
    result
}
