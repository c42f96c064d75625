//! Model-based projection: variables are eliminated from a conjunction of literals, guided by one
//! of its models.
//!
//! For a cube `C`, variables `x̄` and a model `M ⊨ C`, the result `R` satisfies: `M ⊨ R`;
//! `R ⇒ ∃x̄. C`; no `x` of `x̄` occurs in `R`; and over all models of one cube there are finitely
//! many results, so that enumerating models and blocking their projections ends with `∃x̄. C`. Where
//! the literature would split into cases, the case that the model is in is taken.
//!
//! The steps, in this order:
//!
//! 1. A Boolean literal over an eliminated symbol is dropped.
//! 2. [`purify`]: `div`, `mod` and `to_int` over eliminated symbols become variables of their own,
//!    with constraints that define them; `t mod n = k` becomes a divisibility constraint.
//! 3. [`real`]: real variables, by the virtual substitution of [LW93].
//! 4. [`integer`]: integer variables, in the manner of [Coo72] with the refinements of [BJ15].
//!    Real terms that remain beside an integer variable are rounded first: `a·x + i ≤ r` is
//!    `a·x + i ≤ to_int(r)`.
//! 5. [`tighten`]: of several bounds on one form the tightest stays.
//!
//! A variable is a term: a symbol, or a `div` or `to_int` term that has been purified. Its value is
//! the value of that term, so no fresh symbols are needed and none pile up in the store.
//!
//! Invariant: after every step all constraints are true in the model and imply the existence of
//! values for the variables eliminated so far.
//!
//! Source: [KGC16] §5 (the notion, and linear real arithmetic), [BJ15] §3 (linear integer
//! arithmetic), [LW93], [Coo72].

mod constraint;
pub(crate) mod functions;
mod integer;
mod purify;
mod real;
mod tighten;

use shofar_base::{Map, Set};
use shofar_num::Rational;
use shofar_term::eval::{Evaluator, Model};
use shofar_term::symbols::free_symbols;
use shofar_term::{Linear, Sort, Symbol, Term, TermStore};

use constraint::{Constraint, Relation};

use crate::implicant::VALUED;
pub use tighten::tighten;

/// Literals over the symbols outside `eliminate` that are true in `model` and imply
/// `∃ eliminate. ∧ cube`.
///
/// `cube` holds literals as [`implicant`](crate::implicant::implicant) makes them, all true in
/// `model`; uninterpreted functions must not be applied to eliminated symbols.
///
/// ```
/// use shofar_term::eval::{Model, Value};
/// use shofar_term::{Sort, TermStore};
/// use shofar_theory::project::project;
/// let mut store = TermStore::new();
/// let [x, low, high] = ["x", "low", "high"].map(|name| store.var(name, Sort::INT));
/// let cube = [store.le(low, x), store.le(x, high)];
/// let x = store.declare("x", &[], Sort::INT);
/// // Everything is 0 in this model.
/// assert_eq!(project(&mut store, &cube, &[x], &Model::new()), [store.le(low, high)]);
/// ```
pub fn project(
    store: &mut TermStore,
    cube: &[Term],
    eliminate: &[Symbol],
    model: &Model,
) -> Vec<Term> {
    let cube = tighten(store, cube);
    let mut projection = Projection::new(store, model);
    projection.load(&cube, eliminate);
    projection.eliminate_all(Sort::REAL);
    projection.round();
    projection.eliminate_all(Sort::INT);
    let done = projection.done;
    tighten(store, &done)
}

/// A projection on its way.
struct Projection<'a> {
    store: &'a mut TermStore,
    evaluator: Evaluator<'a>,
    /// What is still to be eliminated.
    variables: Vec<Term>,
    /// Constraints with at least one of the variables.
    constraints: Vec<Constraint>,
    /// Literals without any of them.
    done: Vec<Term>,
}

/// How a variable occurs in the constraints.
#[derive(Clone, Debug, Default)]
struct Occurrences {
    /// The smallest coefficient, without its sign, in an equality.
    equality: Option<Rational>,
    lower: usize,
    upper: usize,
    divisibilities: usize,
    /// Whether some bound has a coefficient other than ±1.
    scaled: bool,
}

impl Occurrences {
    fn note(&mut self, relation: &Relation, coefficient: &Rational) {
        match relation {
            Relation::Le | Relation::Lt => {
                let side =
                    if coefficient.is_positive() { &mut self.upper } else { &mut self.lower };
                *side += 1;
                self.scaled |= !coefficient.abs().is_one();
            }
            Relation::Eq => {
                let size = coefficient.abs();
                if self.equality.as_ref().is_none_or(|known| size < *known) {
                    self.equality = Some(size);
                }
            }
            Relation::Divides(_) => self.divisibilities += 1,
        }
    }
    /// Smaller is better: exact steps first, then those with few cases.
    fn rank(&self) -> (u32, usize) {
        let one_sided = self.lower == 0 || self.upper == 0;
        let class = match &self.equality {
            Some(coefficient) if coefficient.is_one() => 0,
            None if one_sided && self.divisibilities == 0 => 1,
            Some(_) => 2,
            None if one_sided => 3,
            None if !self.scaled && self.divisibilities == 0 => 4,
            None => 5,
        };
        (class, self.lower.min(self.upper))
    }
}

impl<'a> Projection<'a> {
    fn new(store: &'a mut TermStore, model: &'a Model) -> Self {
        Self {
            store,
            evaluator: Evaluator::with_defaults(model),
            variables: Vec::new(),
            constraints: Vec::new(),
            done: Vec::new(),
        }
    }
    /// The value of `linear` in the model.
    fn value(&mut self, linear: &Linear) -> Rational {
        let mut total = linear.constant.clone();
        for (coefficient, term) in linear.monomials() {
            total.add_mul(coefficient, &self.evaluator.number(self.store, *term).expect(VALUED));
        }
        total
    }
    /// Eliminates the variables of `sort`, the cheapest one first.
    fn eliminate_all(&mut self, sort: Sort) {
        while let Some(x) = self.cheapest(sort) {
            self.variables.retain(|&other| other != x);
            let (with, without) = std::mem::take(&mut self.constraints)
                .into_iter()
                .partition(|c| c.linear.coefficient(x).is_some());
            self.constraints = without;
            if sort.is_real() {
                self.eliminate_real(x, with);
            } else {
                self.eliminate_integer(x, with);
            }
        }
        self.settle();
    }
    /// The variable of `sort` with the best rank; ties go to the older term.
    fn cheapest(&self, sort: Sort) -> Option<Term> {
        let of_sort = self.variables.iter().filter(|&&x| self.store.sort(x) == sort);
        let mut ranked: Map<Term, Occurrences> =
            of_sort.clone().map(|&x| (x, Occurrences::default())).collect();
        for constraint in &self.constraints {
            for (coefficient, term) in constraint.linear.monomials() {
                if let Some(occurrences) = ranked.get_mut(term) {
                    occurrences.note(&constraint.relation, coefficient);
                }
            }
        }
        of_sort.copied().min_by_key(|x| (ranked[x].rank(), *x))
    }
    /// Moves the constraints in which no variable is left to the result.
    fn settle(&mut self) {
        let variables: Set<Term> = self.variables.iter().copied().collect();
        let (open, settled): (Vec<_>, Vec<_>) = std::mem::take(&mut self.constraints)
            .into_iter()
            .partition(|c| c.linear.monomials().iter().any(|(_, t)| variables.contains(t)));
        self.constraints = open;
        for constraint in settled {
            let literal = constraint.to_literal(self.store);
            self.finish(literal);
        }
    }
    fn finish(&mut self, literal: Term) {
        debug_assert!(
            self.evaluator.holds(self.store, literal) == Ok(true),
            "what projection derives is true in the model"
        );
        if literal != self.store.top() {
            self.done.push(literal);
        }
    }
    /// Adds a constraint unless it says nothing.
    fn push(&mut self, constraint: Constraint) {
        if let Some(constraint) = constraint.normalized()
            && !self.constraints.contains(&constraint)
        {
            self.constraints.push(constraint);
        }
    }
    /// The literals of `cube`: those without eliminated symbols are done, the others become
    /// purified constraints.
    fn load(&mut self, cube: &[Term], eliminate: &[Symbol]) {
        let eliminated: Set<Symbol> = eliminate.iter().copied().collect();
        let touched = purify::touched(self.store, cube, &eliminated);
        let mut raw = Vec::new();
        for &literal in cube {
            if !touched.contains(&literal) {
                self.finish(literal);
            } else if let (atom, _) = self.store.strip_not(literal)
                && self.store.symbol(atom).is_none()
            {
                raw.push(Constraint::of_literal(self.store, &mut self.evaluator, literal));
            }
        }
        // What does not occur is eliminated already, and must not cost anything.
        let used: Set<Symbol> = free_symbols(self.store, cube).into_iter().collect();
        for &symbol in eliminate {
            if self.store.result(symbol).is_arithmetic() && used.contains(&symbol) {
                let x = self.store.constant(symbol);
                self.variables.push(x);
            }
        }
        self.purify(raw, &touched);
        self.variables.sort_unstable();
        self.variables.dedup();
    }
}

#[cfg(test)]
mod tests;
