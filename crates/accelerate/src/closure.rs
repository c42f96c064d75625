//! What acceleration yields: the powers of a relation as formulas with a count.
//!
//! A closure is a conjunction of independent [parts](Part), each a disjunction of [cases](Case). A
//! case belongs to the counts `n = first + stride·k` with an *index* `k ≥ 0`, or to one count only,
//! and says what holds of the values before and after.
//!
//! Invariant: the formula of a closure implies `n ≥ 1`.

use shofar_num::{Rational, lcm};
use shofar_term::{Linear, Symbol, Term, TermStore};

use crate::constraint::{Constraint, is_integral};

/// `Rⁿ` for every `n ≥ 1`, neither more nor less.
#[derive(Clone, Debug)]
pub struct Exact(pub(crate) Closure);

/// Something that `Rⁿ` implies for every `n ≥ 1`.
#[derive(Clone, Debug)]
pub struct Over(pub(crate) Closure);

/// Something that implies `Rⁿ` for every `n ≥ 1`, by a function of the values before.
#[derive(Clone, Debug)]
pub struct Under(pub(crate) Closure, pub(crate) Progress);

/// A formula over the variables of a relation and a count; see the module documentation.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    pub(crate) variables: Vec<(Symbol, Symbol)>,
    pub(crate) parts: Vec<Part>,
}

/// The powers of a loop that shares no variable with other parts.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) cases: Vec<Case>,
    /// How states follow each other, if the loop is deterministic.
    pub(crate) steps: Option<Steps>,
}

/// The increments of some variables, by their place in the relation.
#[derive(Clone, Debug)]
pub(crate) struct Steps {
    pub(crate) prefix: usize,
    pub(crate) period: usize,
    pub(crate) increments: Vec<(usize, Rational)>,
    /// The values after one step, over the constants before it.
    pub(crate) updates: Vec<(usize, Term)>,
}

/// What holds for some counts.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// The smallest count.
    first: Rational,
    /// The distance between counts, if there are several.
    stride: Option<Rational>,
    /// The largest index, if there is one.
    pub(crate) most: Option<Rational>,
    constraints: Vec<Constraint>,
}

/// How the states of a deterministic loop follow each other: after a prefix, every period adds the
/// increments.
///
/// For folded witnesses: iterations `prefix + i` and `prefix + i + period` have values that differ
/// by the increments, so do all later ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// How many iterations come before the progression.
    pub prefix: usize,
    /// How many iterations it takes to add the increments.
    pub period: usize,
    /// What is added, for each variable of the relation; 0 for what is no number.
    pub increments: Vec<Rational>,
    /// The values after one step over the constants before it, for each variable of the relation.
    pub updates: Vec<Term>,
}

impl Case {
    /// The case of `count`, and of all counts that follow at this distance; nothing if no values
    /// satisfy the constraints.
    pub(crate) fn new(
        store: &TermStore,
        count: usize,
        stride: Option<usize>,
        constraints: Vec<Constraint>,
    ) -> Option<Self> {
        let mut kept: Vec<Constraint> = Vec::new();
        for constraint in constraints {
            match &constraint {
                Constraint::Fixed(formula) if *formula == store.bottom() => return None,
                Constraint::Fixed(formula) if *formula == store.top() => (),
                _ if kept.contains(&constraint) => (),
                Constraint::Fixed(_) | Constraint::Linear { .. } | Constraint::Never { .. } => {
                    kept.push(constraint);
                }
            }
        }
        let (first, stride) = (number(count), stride.map(number));
        Some(Self { first, stride, most: None, constraints: kept })
    }
    /// What holds if the count is `count`, which is an integer.
    fn formula(&self, store: &mut TermStore, count: &Linear) -> Term {
        let mut beyond = count.clone();
        beyond.constant -= &self.first;
        let Some(stride) = &self.stride else {
            let is_count = store.eq_zero(&beyond);
            return self.formula_at(store, &Linear::new(), vec![is_count]);
        };
        let mut index = beyond;
        index.scale(&stride.recip());
        let is_count = is_integral(store, &index);
        self.formula_at(store, &index, vec![is_count])
    }
    /// What holds at this index, besides `parts`.
    fn formula_at(&self, store: &mut TermStore, index: &Linear, mut parts: Vec<Term>) -> Term {
        parts.push(store.le_zero(&index.negated()));
        if let Some(most) = &self.most {
            let mut beyond = index.clone();
            beyond.constant -= most;
            parts.push(store.le_zero(&beyond));
        }
        parts.extend(self.constraints.iter().map(|c| c.formula(store, index)));
        store.and(&parts)
    }
    /// The index as the values before and after determine it, if they do; 0 if there is no other.
    fn pinned_index(&self, store: &TermStore) -> Option<Linear> {
        if self.stride.is_none() {
            return Some(Linear::new());
        }
        let pinned = self.constraints.iter().filter_map(|c| c.pinned_index(store));
        pinned.min_by_key(|index| index.monomials().iter().map(|(c, _)| c.bits()).max())
    }
    /// The count that belongs to an index.
    fn count(&self, index: &Linear) -> Linear {
        let mut count = index.clone();
        count.scale(self.stride.as_ref().unwrap_or(&Rational::ONE));
        count.constant += &self.first;
        count
    }
    /// Whether the index plays no role beyond the count.
    fn is_fixed(&self) -> bool {
        self.most.is_none() && self.constraints.iter().all(Constraint::is_fixed)
    }
}

fn number(count: usize) -> Rational {
    Rational::from(i64::try_from(count).expect("counts are small"))
}

impl Part {
    /// No values are related, however often.
    pub(crate) fn empty() -> Self {
        Self { cases: Vec::new(), steps: None }
    }
    /// All values are related.
    pub(crate) fn free(store: &TermStore) -> Self {
        Self::always(store, Vec::new())
    }
    /// These formulas hold, whatever the count is.
    pub(crate) fn always(store: &TermStore, formulas: Vec<Term>) -> Self {
        let constraints = formulas.into_iter().map(Constraint::Fixed).collect();
        let case = Case::new(store, 1, Some(1), constraints);
        Self { cases: case.into_iter().collect(), steps: None }
    }
    /// Whether all values are related.
    pub(crate) fn is_free(&self) -> bool {
        matches!(&self.cases[..], [only] if only.constraints.is_empty() && only.most.is_none())
    }
    fn formula(&self, store: &mut TermStore, count: &Linear) -> Term {
        let cases: Vec<Term> = self.cases.iter().map(|case| case.formula(store, count)).collect();
        store.or(&cases)
    }
    /// Whether the values before and after determine the count in every case.
    fn is_pinned(&self, store: &TermStore) -> bool {
        self.cases.iter().all(|case| case.pinned_index(store).is_some())
    }
}

/// Counts up to this one are looked at one by one when none determines anything.
const MOST_COUNTS: usize = 24;

impl Closure {
    /// What holds of the values before and after `count` steps.
    fn formula(&self, store: &mut TermStore, count: Term) -> Term {
        debug_assert!(store.sort(count).is_int(), "iterations are counted by integers");
        let count = store.linear(count);
        self.formula_with(store, &count)
    }
    fn formula_with(&self, store: &mut TermStore, count: &Linear) -> Term {
        let mut least = count.negated();
        least.constant += &Rational::ONE;
        let mut parts = vec![store.le_zero(&least)];
        parts.extend(self.parts.iter().map(|part| part.formula(store, count)));
        store.and(&parts)
    }
    /// What holds of the values before and after some number of steps.
    fn without_count(&self, store: &mut TermStore) -> Option<Term> {
        let pinned = (0..self.parts.len()).filter(|&at| self.parts[at].is_pinned(store));
        let Some(pinned) = pinned.min_by_key(|&at| self.parts[at].cases.len()) else {
            return self.over_counts(store);
        };
        let mut cases = Vec::new();
        for case in &self.parts[pinned].cases {
            let index = case.pinned_index(store)?;
            let whole = is_integral(store, &index);
            let mut parts = vec![case.formula_at(store, &index, vec![whole])];
            let others = (0..self.parts.len()).filter(|&at| at != pinned);
            let count = case.count(&index);
            parts.extend(others.map(|at| self.parts[at].formula(store, &count)));
            cases.push(store.and(&parts));
        }
        Some(store.or(&cases))
    }
    /// The same by looking at one count of each residue, if nothing else about the count matters.
    fn over_counts(&self, store: &mut TermStore) -> Option<Term> {
        let cases = || self.parts.iter().flat_map(|part| &part.cases);
        if !cases().all(Case::is_fixed) {
            return None;
        }
        let largest = cases().map(|case| &case.first).max().cloned().unwrap_or(Rational::ONE);
        let period = cases().filter_map(|case| case.stride.as_ref());
        let period = period.fold(Rational::ONE, |all, stride| lcm(&all, stride));
        let counts = usize::try_from((largest + period).to_i64()?).ok()?;
        if counts > MOST_COUNTS {
            return None;
        }
        let formulas: Vec<Term> = (1..=counts)
            .map(|count| self.formula_with(store, &Linear::of_constant(number(count))))
            .collect();
        Some(store.or(&formulas))
    }
    fn progress(&self) -> Option<Progress> {
        let (mut prefix, mut period) = (0, 1);
        for part in &self.parts {
            let steps = part.steps.as_ref()?;
            prefix = prefix.max(steps.prefix);
            let common = lcm(&number(period), &number(steps.period));
            period = usize::try_from(common.to_i64()?).ok()?;
        }
        let mut increments = vec![Rational::ZERO; self.variables.len()];
        let mut updates: Vec<(usize, Term)> = Vec::new();
        for steps in self.parts.iter().filter_map(|part| part.steps.as_ref()) {
            let times = Rational::ratio(&number(period), &number(steps.period));
            for (place, by) in &steps.increments {
                increments[*place] = by * &times;
            }
            updates.extend(&steps.updates);
        }
        updates.sort_unstable();
        let updates = updates.into_iter().map(|(_, update)| update).collect();
        Some(Progress { prefix, period, increments, updates })
    }
}

macro_rules! closure_methods {
    ($($name:ident)*) => {$(
        impl $name {
            /// The constants before and after, as in the relation.
            pub fn variables(&self) -> &[(Symbol, Symbol)] {
                &self.0.variables
            }
            /// What it says of the values before and after `count` steps; `count` is an integer
            /// term. Implies `count ≥ 1`.
            pub fn formula(&self, store: &mut TermStore, count: Term) -> Term {
                self.0.formula(store, count)
            }
            /// What it says of the values before and after some number of steps, at least one:
            /// `∃n. formula(n)`. Nothing if that cannot be read off; quantifier elimination
            /// (`shofar_mbp::eliminate`) finds it then.
            pub fn without_count(&self, store: &mut TermStore) -> Option<Term> {
                self.0.without_count(store)
            }
        }
    )*};
}
closure_methods!(Exact Over Under);

impl Under {
    /// How states follow each other.
    pub fn progress(&self) -> &Progress {
        &self.1
    }
}

impl Exact {
    /// How states follow each other, if the relation is deterministic and all variables are
    /// determined.
    pub fn progress(&self) -> Option<Progress> {
        self.0.progress()
    }
}
