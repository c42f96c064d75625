//! When a relation is a transition invariant: `HasInvariant`.
//!
//! An element `T` of a sequence contains the identity and all short paths. If `T` followed by `k`
//! further steps stays inside `T`, it contains all paths; it is enough that this holds for paths
//! that start in initial states (*left-grounded*) or end in bad ones (*right-grounded*). `k` steps
//! are over-approximated by an element of the other sequence, so the query stays small.
//!
//! | lemma | candidate | condition, left-grounded |
//! |---|---|---|
//! | 4.13 | `ATr≤n` | `Init ◁ ATr≤n ∘ Tr ⊆ ATr≤n` |
//! | 4.20 | `ATr<n` | `Init ◁ ATr<n ∘ ATr=m ⊆ ATr<n`, `m ≤ n`, gives `k = 2ᵐ` |
//! | 4.22 | `ATr<n ∪ ATr<n ∘ ATr=n` | `Init ◁ ATr<n ∘ (ATr=n ∘ ATr=n ⊆ ATr=n)`, gives `k = 2ⁿ` |
//!
//! Source: [Bli22] §4.3.3 and §4.4.5. DIVERGENCE: a candidate need not be a whole element.
//! Conjuncts that the further steps violate are dropped until the rest is closed, and the rest has
//! to be safe, which an element as a whole always is. Fewer conjuncts also make
//! smaller certificates, so superfluous ones are dropped at the end.

use std::fmt;

use shofar_base::{Map, Outcome};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::Evaluator;
use shofar_term::{Cx, Term, TermStore};

use super::Variant;
use super::names::{Names, Place};
use super::reach::Powers;
use super::sequence::{Power, Relation};
use crate::ts::invariant::bounds;

/// Which lemma of [Bli22] proves safety.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lemma {
    /// Lemma 4.13: an element of the one sequence is inductive.
    Whole,
    /// Lemma 4.20: an element for fewer steps is k-inductive.
    Below,
    /// Lemma 4.22: an element for exactly so many steps is closed under composition.
    Exactly,
}

/// Where the paths of a grounded transition invariant are anchored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// At initial states.
    Left,
    /// At bad states.
    Right,
}

impl Side {
    /// Both, this one first.
    fn first(self) -> [Side; 2] {
        match self {
            Side::Left => [Side::Left, Side::Right],
            Side::Right => [Side::Right, Side::Left],
        }
    }
}

/// Why a system is safe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransitionInvariant {
    /// The lemma.
    pub lemma: Lemma,
    /// The side.
    pub side: Side,
    /// The level `n` of the element.
    pub level: Power,
    /// It is `2ᵉ`-inductive for this `e`.
    pub exponent: Power,
    /// Of which paths that holds.
    pub scope: Scope,
}

/// Of which paths a transition invariant is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Of those that are anchored.
    Grounded,
    /// Of all of them: the stronger condition of Observation 4.21 or 4.23, or of Lemma 4.13 without
    /// its anchor.
    Full,
}

impl fmt::Display for TransitionInvariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.level;
        let side = match self.side {
            Side::Left => "left",
            Side::Right => "right",
        };
        let (number, what) = match (self.lemma, self.side) {
            (Lemma::Whole, _) => ("4.13", format!("ATr≤{n}")),
            (Lemma::Below, _) => ("4.20", format!("ATr<{n}")),
            (Lemma::Exactly, Side::Left) => ("4.22", format!("ATr<{n} ∪ ATr<{n} ∘ ATr={n}")),
            (Lemma::Exactly, Side::Right) => ("4.22", format!("ATr<{n} ∪ ATr={n} ∘ ATr<{n}")),
        };
        let k = match self.exponent.steps() {
            Some(k) => k.to_string(),
            None => format!("2^{}", self.exponent),
        };
        write!(
            f,
            "Lemma {number}: {what} is a {side}-grounded {k}-inductive transition invariant"
        )?;
        match (self.scope, self.lemma) {
            (Scope::Grounded, _) => Ok(()),
            (Scope::Full, Lemma::Whole) => write!(f, ", full without the anchor"),
            (Scope::Full, Lemma::Below) => write!(f, ", full by Observation 4.21"),
            (Scope::Full, Lemma::Exactly) => write!(f, ", full by Observation 4.23"),
        }
    }
}

/// What was tried, with the sizes of the elements then.
pub(super) type Tried = Map<(Lemma, Side, Power, Power), (usize, usize)>;

/// The query of a lemma for some of its candidate's conjuncts.
struct Closure {
    /// What is fixed: the anchor and the further steps.
    steps: Vec<Term>,
    /// Each conjunct of the candidate in the premise, in one or two places.
    premise: Vec<Vec<Term>>,
    /// Each conjunct in the conclusion.
    conclusion: Vec<Term>,
    /// The candidate connects initial with bad states: what is fixed, and each conjunct there.
    unsafe_steps: Vec<Term>,
    unsafe_premise: Vec<Term>,
}

impl Powers {
    /// `HasInvariant(S, n)`: a transition invariant among the elements up to `n + 1`, and the state
    /// invariant it gives.
    pub(super) fn has_invariant(
        &mut self,
        cx: &mut Cx<'_>,
        n: Power,
    ) -> Outcome<Option<(TransitionInvariant, Term)>> {
        for level in n.next().from(Power::new(1)) {
            for (lemma, exponent) in candidates(self.options.variant, level) {
                for side in self.prefers.first() {
                    let scope = Scope::Grounded;
                    let mut found = TransitionInvariant { lemma, side, level, exponent, scope };
                    if let Some(kept) = self.closed_part(cx, &found)?
                        && let Some(invariant) = self.state_invariant(cx, &found, &kept)?
                    {
                        found.scope = self.scope(cx, &found, &kept)?;
                        return Ok(Some((found, invariant)));
                    }
                }
            }
        }
        Ok(None)
    }
    /// Conjuncts of the candidate that satisfy its lemma and are safe.
    fn closed_part(
        &mut self,
        cx: &mut Cx<'_>,
        candidate: &TransitionInvariant,
    ) -> Outcome<Option<Vec<Term>>> {
        let TransitionInvariant { lemma, side, level, exponent, .. } = *candidate;
        let conjuncts = self.sequences.candidates(relation(lemma), level);
        let other = match lemma {
            Lemma::Whole => 0,
            Lemma::Below => self.sequences.conjuncts(Relation::Exactly, exponent).len(),
            Lemma::Exactly => self.sequences.conjuncts(Relation::Below, level).len(),
        };
        let sizes = (conjuncts.len(), other);
        if self.tried.insert((lemma, side, level, exponent), sizes) == Some(sizes) {
            return Ok(None);
        }
        let closure = self.closure(cx, candidate, &conjuncts);
        let Some(kept) = closure.largest(cx)? else { return Ok(None) };
        let kept = closure.needed(cx, kept)?;
        Ok(Some(kept.into_iter().map(|i| conjuncts[i]).collect()))
    }
    /// Whether the conjuncts `kept` of a transition invariant satisfy the stronger condition, too.
    fn scope(
        &mut self,
        cx: &mut Cx<'_>,
        found: &TransitionInvariant,
        kept: &[Term],
    ) -> Outcome<Scope> {
        let mut closure = self.closure(cx, found, kept);
        match found.lemma {
            Lemma::Whole | Lemma::Below => {
                closure.steps.pop().expect("the anchor stands last");
            }
            Lemma::Exactly => closure.steps.clear(),
        }
        let mut closed = solver(cx, &closure.steps);
        let all: Vec<usize> = (0..kept.len()).collect();
        Ok(match closure.violated(cx, &mut closed, &all)? {
            Some(_) => Scope::Grounded,
            None => Scope::Full,
        })
    }
    /// As many conjuncts of an invariant as it takes to be closed under steps and to exclude bad
    /// states.
    pub(super) fn enough(&mut self, cx: &mut Cx<'_>, invariant: Term) -> Outcome<Term> {
        let conjuncts = bounds(cx.store, &[invariant]);
        let closure = Closure {
            steps: vec![self.names.ts.step],
            premise: conjuncts.iter().map(|&c| vec![c]).collect(),
            conclusion: conjuncts.iter().map(|&c| self.names.primed(cx.store, c)).collect(),
            unsafe_steps: vec![self.names.bad],
            unsafe_premise: conjuncts.clone(),
        };
        let kept = closure.needed(cx, (0..conjuncts.len()).collect())?;
        let kept: Vec<Term> = kept.into_iter().map(|i| conjuncts[i]).collect();
        Ok(cx.store.and(&kept))
    }
    /// The query of a candidate's lemma.
    fn closure(
        &mut self,
        cx: &mut Cx<'_>,
        candidate: &TransitionInvariant,
        conjuncts: &[Term],
    ) -> Closure {
        let store = &mut *cx.store;
        let names = &mut self.names;
        let (init, bad) = (names.init, names.primed(store, names.bad));
        let anchor = match candidate.side {
            Side::Left => init,
            Side::Right => bad,
        };
        let fixed = match candidate.lemma {
            Lemma::Whole => vec![names.ts.step],
            Lemma::Below => {
                self.sequences.conjuncts(Relation::Exactly, candidate.exponent).to_vec()
            }
            Lemma::Exactly => self.sequences.conjuncts(Relation::Below, candidate.level).to_vec(),
        };
        let places = Arrangement::of(candidate.lemma, candidate.side);
        let mut at = |terms: &[Term], place: Option<Place>| at(store, names, terms, place);
        let mut premise = vec![Vec::new(); conjuncts.len()];
        for &place in places.premise {
            for (list, term) in premise.iter_mut().zip(at(conjuncts, Some(place))) {
                list.push(term);
            }
        }
        let conclusion = at(conjuncts, places.conclusion);
        let unsafe_premise = at(conjuncts, places.connecting);
        let mut unsafe_steps = match places.fixed_connecting {
            Some(place) => at(&fixed, Some(place)),
            None => Vec::new(),
        };
        unsafe_steps.extend([init, bad]);
        let mut steps = at(&fixed, Some(places.fixed));
        steps.push(anchor);
        Closure { steps, premise, conclusion, unsafe_steps, unsafe_premise }
    }
}

/// `terms`, which are relations, in their place; without one, from this state to the next.
fn at(store: &mut TermStore, names: &mut Names, terms: &[Term], place: Option<Place>) -> Vec<Term> {
    match place {
        Some(place) => terms.iter().map(|&term| names.at(store, term, place)).collect(),
        None => terms.to_vec(),
    }
}

/// Where the relations of a lemma's query stand.
struct Arrangement {
    /// The candidate's conjuncts in the premise.
    premise: &'static [Place],
    /// The relation beside them, which is fixed.
    fixed: Place,
    /// The conjuncts in the conclusion.
    conclusion: Option<Place>,
    /// The conjuncts on a path from initial to bad states.
    connecting: Option<Place>,
    /// The fixed relation on such a path, if it is a part of it.
    fixed_connecting: Option<Place>,
}

impl Arrangement {
    fn of(lemma: Lemma, side: Side) -> Self {
        let element = |premise: &'static [Place], fixed| Self {
            premise,
            fixed,
            conclusion: None,
            connecting: None,
            fixed_connecting: None,
        };
        match (lemma, side) {
            (Lemma::Whole | Lemma::Below, Side::Left) => element(&[Place::First], Place::Second),
            (Lemma::Whole | Lemma::Below, Side::Right) => element(&[Place::Second], Place::First),
            (Lemma::Exactly, Side::Left) => Self {
                premise: &[Place::Inner, Place::Last],
                fixed: Place::First,
                conclusion: Some(Place::Second),
                connecting: Some(Place::Second),
                fixed_connecting: Some(Place::First),
            },
            (Lemma::Exactly, Side::Right) => Self {
                premise: &[Place::First, Place::Inner],
                fixed: Place::Last,
                conclusion: Some(Place::UpToLate),
                connecting: Some(Place::First),
                fixed_connecting: Some(Place::Second),
            },
        }
    }
}

/// The relation whose conjuncts may be dropped.
fn relation(lemma: Lemma) -> Relation {
    match lemma {
        Lemma::Whole => Relation::AtMost,
        Lemma::Below => Relation::Below,
        Lemma::Exactly => Relation::Exactly,
    }
}

/// The lemmas to be tried for a level, and the exponents.
fn candidates(variant: Variant, level: Power) -> Vec<(Lemma, Power)> {
    match variant {
        Variant::Whole => vec![(Lemma::Whole, Power::ZERO)],
        Variant::Split => {
            let below = level.from(Power::ZERO).map(|m| (Lemma::Below, m));
            below.chain([(Lemma::Exactly, level)]).collect()
        }
    }
}

impl Closure {
    /// The largest set of conjuncts that is closed, if it is safe.
    fn largest(&self, cx: &mut Cx<'_>) -> Outcome<Option<Vec<usize>>> {
        let mut safety = solver(cx, &self.unsafe_steps);
        let mut closed = solver(cx, &self.steps);
        let mut kept: Vec<usize> = (0..self.conclusion.len()).collect();
        loop {
            let connecting: Vec<Term> = kept.iter().map(|&i| self.unsafe_premise[i]).collect();
            if let Answer::Sat(_) = safety.check_assuming(cx, &connecting)? {
                return Ok(None);
            }
            let Some(violated) = self.violated(cx, &mut closed, &kept)? else {
                return Ok(Some(kept));
            };
            kept.retain(|i| !violated.contains(i));
        }
    }
    /// Conjuncts of `kept` that further steps violate.
    fn violated(
        &self,
        cx: &mut Cx<'_>,
        closed: &mut Solver,
        kept: &[usize],
    ) -> Outcome<Option<Vec<usize>>> {
        let conclusion: Vec<Term> = kept.iter().map(|&i| self.conclusion[i]).collect();
        let conclusion = cx.store.and(&conclusion);
        let violation = cx.store.not(conclusion);
        closed.push();
        closed.add(cx.store, violation);
        let premise: Vec<Term> = kept.iter().flat_map(|&i| self.premise[i].clone()).collect();
        let violated = match closed.check_assuming(cx, &premise)? {
            Answer::Unsat(_) => None,
            Answer::Sat(model) => {
                let model = model.assignment(cx.store);
                let mut evaluator = Evaluator::with_defaults(&model);
                let fails = |i: &usize| evaluator.holds(cx.store, self.conclusion[*i]) != Ok(true);
                Some(kept.iter().copied().filter(fails).collect())
            }
        };
        closed.pop(1);
        Ok(violated)
    }
    /// `kept` without conjuncts that are not needed.
    fn needed(&self, cx: &mut Cx<'_>, mut kept: Vec<usize>) -> Outcome<Vec<usize>> {
        let mut safety = solver(cx, &self.unsafe_steps);
        let mut closed = solver(cx, &self.steps);
        let mut position = kept.len();
        while position > 0 {
            position -= 1;
            let mut fewer = kept.clone();
            fewer.remove(position);
            let connecting: Vec<Term> = fewer.iter().map(|&i| self.unsafe_premise[i]).collect();
            if let Answer::Unsat(_) = safety.check_assuming(cx, &connecting)?
                && self.violated(cx, &mut closed, &fewer)?.is_none()
            {
                kept = fewer;
            }
        }
        Ok(kept)
    }
}

fn solver(cx: &mut Cx<'_>, formulas: &[Term]) -> Solver {
    let mut solver = Solver::new(Options::default());
    for &formula in formulas {
        solver.add(cx.store, formula);
    }
    solver
}
