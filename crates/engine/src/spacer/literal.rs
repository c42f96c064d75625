//! Arithmetic literals as inequalities between a form and a number.

use shofar_num::Rational;
use shofar_term::{Kind, Relation as Comparison, Term, TermStore};

/// How a form compares to its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Relation {
    /// `form ≤ bound`
    AtMost,
    /// `form < bound`
    Below,
    /// `form ≥ bound`
    AtLeast,
    /// `form > bound`
    Above,
    /// `form = bound`
    Equal,
}

impl Relation {
    /// Whether it bounds the form from above.
    pub(super) fn is_upper(self) -> bool {
        matches!(self, Self::AtMost | Self::Below | Self::Equal)
    }
    /// Whether it bounds the form from below.
    pub(super) fn is_lower(self) -> bool {
        matches!(self, Self::AtLeast | Self::Above | Self::Equal)
    }
    /// Whether the bound itself is excluded.
    pub(super) fn is_strict(self) -> bool {
        matches!(self, Self::Below | Self::Above)
    }
    /// Whether both bound from the same side.
    pub(super) fn agrees(self, other: Self) -> bool {
        (self.is_upper() && other.is_upper()) || (self.is_lower() && other.is_lower())
    }
}

/// A literal `form ~ bound`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Inequality {
    pub(super) form: Term,
    pub(super) relation: Relation,
    pub(super) bound: Rational,
}

impl Inequality {
    /// What `literal` says, if it is an inequality or an equation; over integers no relation is strict.
    pub(super) fn of(store: &TermStore, literal: Term) -> Option<Self> {
        let (atom, negated) = store.strip_not(literal);
        let (relation, form, bound) = store.comparison(atom)?;
        let (relation, bound) = match (relation, negated) {
            (Comparison::Le, false) => (Relation::AtMost, bound.clone()),
            (Comparison::Le, true) if store.sort(form).is_int() => {
                (Relation::AtLeast, bound + &Rational::ONE)
            }
            (Comparison::Le, true) => (Relation::Above, bound.clone()),
            (Comparison::Lt, false) => (Relation::Below, bound.clone()),
            (Comparison::Lt, true) => (Relation::AtLeast, bound.clone()),
            (Comparison::Eq, false) => (Relation::Equal, bound.clone()),
            (Comparison::Eq, true) => return None,
        };
        Some(Self { form, relation, bound })
    }
    /// The literal.
    pub(super) fn literal(&self, store: &mut TermStore) -> Term {
        let mut linear = store.linear(self.form);
        linear.constant -= &self.bound;
        match self.relation {
            Relation::AtMost => store.le_zero(&linear),
            Relation::Below => store.lt_zero(&linear),
            Relation::AtLeast => store.le_zero(&linear.negated()),
            Relation::Above => store.lt_zero(&linear.negated()),
            Relation::Equal => store.eq_zero(&linear),
        }
    }
}

fn is_literal(store: &TermStore, term: Term) -> bool {
    let (atom, _) = store.strip_not(term);
    !matches!(store.kind(atom), Kind::And(_) | Kind::Or(_) | Kind::Iff(..) | Kind::Ite(..))
}

/// The cubes whose negations are the clauses of `formula`; `None` if it is not close to a conjunction of clauses.
pub(super) fn refuted_cubes(store: &mut TermStore, formula: Term) -> Option<Vec<Vec<Term>>> {
    let mut cubes = Vec::new();
    for clause in store.conjuncts(&[formula]) {
        let parts = if clause == store.bottom() {
            Vec::new()
        } else if let Some(parts) = store.disjunction(clause) {
            parts.to_vec()
        } else {
            vec![clause]
        };
        for part in distribute(store, &parts)? {
            cubes.push(part.into_iter().map(|t| store.not(t)).collect());
        }
    }
    Some(cubes)
}

/// How many clauses one disjunction may become.
const MOST_CLAUSES: usize = 8;

/// A disjunction of literals and conjunctions of literals as a conjunction of clauses.
fn distribute(store: &TermStore, parts: &[Term]) -> Option<Vec<Vec<Term>>> {
    let mut clauses: Vec<Vec<Term>> = vec![Vec::new()];
    for &part in parts {
        let alternatives = store.conjuncts(&[part]);
        if clauses.len() * alternatives.len() > MOST_CLAUSES
            || alternatives.iter().any(|&t| !is_literal(store, t))
        {
            return None;
        }
        clauses = clauses
            .iter()
            .flat_map(|clause| {
                alternatives.iter().map(move |&t| {
                    let mut clause = clause.clone();
                    clause.push(t);
                    clause
                })
            })
            .collect();
    }
    Some(clauses)
}
