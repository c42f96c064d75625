//! The laws of projection and elimination on random formulas.
//!
//! The result of elimination is checked in both directions: `φ ⇒ result` by the solver, and
//! `result ⇒ ∃x̄. φ` at points, where the remaining question, whether `φ` with the point substituted
//! has a model, goes to the solver as well.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use shofar_base::{Budget, Map, Outcome, Rng, Set};
use shofar_mbp::{eliminate, project};
use shofar_num::Rational;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::{Evaluator, Model, Value};
use shofar_term::substitute::substitute;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Sort, Symbol, Term, TermStore};

/// The first ones are eliminated.
const NAMES: [(&str, Sort); 8] = [
    ("x", Sort::INT),
    ("w", Sort::INT),
    ("r", Sort::REAL),
    ("p", Sort::BOOL),
    ("y", Sort::INT),
    ("z", Sort::INT),
    ("s", Sort::REAL),
    ("q", Sort::BOOL),
];

fn model_of(store: &mut TermStore, formula: Term) -> Outcome<Option<Model>> {
    let mut solver = Solver::new(Options::default());
    solver.add(store, formula);
    let budget = Budget::until(Instant::now() + Duration::from_secs(2));
    Ok(match solver.check(&mut Cx::new(store, &budget))? {
        Answer::Sat(model) => Some(model.assignment(store)),
        Answer::Unsat(_) => None,
    })
}

/// Whether `a` implies `b`, if the solver can tell.
fn implies(store: &mut TermStore, a: Term, b: Term) -> Option<bool> {
    let not_b = store.not(b);
    let gap = store.and(&[a, not_b]);
    Some(model_of(store, gap).ok()?.is_none())
}

/// Random terms over some of the symbols.
struct Random<'a> {
    rng: Rng,
    store: &'a mut TermStore,
    formulas: Vec<Term>,
    numbers: Vec<Term>,
}

impl<'a> Random<'a> {
    fn new(seed: u64, store: &'a mut TermStore, sorts: &[Sort]) -> Self {
        let (mut formulas, mut numbers) = (Vec::new(), Vec::new());
        for (name, sort) in NAMES {
            if sorts.contains(&sort) {
                let symbol = store.var(name, sort);
                if sort.is_bool() { &mut formulas } else { &mut numbers }.push(symbol);
            }
        }
        Self { rng: Rng::new(seed), store, formulas, numbers }
    }
    /// A sum in which an eliminated symbol is likely.
    fn sum(&mut self) -> Term {
        let constant = self.store.int(self.rng.range(-6, 6));
        let mut parts = vec![constant];
        for place in 0..3 {
            let term = *self.rng.pick(&self.numbers);
            let term = if place == 0 { self.numbers[0] } else { term };
            parts.push(self.store.scale(&self.rng.range(-3, 3).into(), term));
        }
        self.store.add(&parts)
    }
    /// A term with a `div`, a `mod` or an `ite` for later sums.
    fn grow(&mut self) {
        let sum = self.sum();
        let whole = self.store.to_int(sum);
        let divisor = self.rng.range(2, 4).into();
        let term = match self.rng.below(3) {
            0 => self.store.modulo(whole, &divisor),
            1 => self.store.div(whole, &divisor),
            _ => {
                let (condition, other) = (self.literal(), self.sum());
                self.store.ite(condition, sum, other)
            }
        };
        self.numbers.push(term);
    }
    fn literal(&mut self) -> Term {
        let (sum, zero) = (self.sum(), self.store.int(0));
        let literal = match self.rng.below(8) {
            0 => self.store.eq(sum, zero),
            1..4 => self.store.lt(sum, zero),
            4..7 => self.store.le(sum, zero),
            _ => *self.rng.pick(&self.formulas),
        };
        if self.rng.chance(30) { self.store.not(literal) } else { literal }
    }
    /// Three disjunctions of two conjunctions of up to two literals each, or an equivalence instead
    /// of one of them.
    fn formula(&mut self, inner: bool) -> Term {
        for _ in 0..if inner { 2 } else { 0 } {
            self.grow();
        }
        let mut clauses = Vec::new();
        for _ in 0..3 {
            let [a, b, c, d] = std::array::from_fn(|_| self.literal());
            let left = if self.rng.chance(50) { self.store.and(&[a, b]) } else { a };
            let right = if self.rng.chance(50) { self.store.and(&[c, d]) } else { c };
            clauses.push(if self.rng.chance(20) {
                self.store.iff(left, right)
            } else {
                self.store.or(&[left, right])
            });
        }
        self.store.and(&clauses)
    }
}

fn eliminated(store: &mut TermStore) -> Vec<Symbol> {
    NAMES[..4].iter().map(|(name, sort)| store.declare(name, &[], *sort)).collect()
}

fn random_point(rng: &mut Rng, store: &mut TermStore) -> (Model, Map<Term, Term>) {
    let (mut point, mut map) = (Model::new(), Map::default());
    for (name, sort) in &NAMES[4..] {
        let value = match *sort {
            Sort::BOOL => Value::Bool(rng.chance(50)),
            Sort::INT => Value::Number(rng.range(-8, 8).into()),
            _ => Value::Number(Rational::new(rng.range(-16, 16), 2)),
        };
        let symbol = store.declare(name, &[], *sort);
        let name = store.constant(symbol);
        let term = store.value_term(&value, *sort);
        map.insert(name, term);
        point.set(symbol, value);
    }
    (point, map)
}

/// Whether the formula of this seed was eliminated; the solver may give up on integers.
fn check_elimination(seed: u64, sorts: &[Sort], inner: bool) -> bool {
    let mut store = TermStore::new();
    let formula = Random::new(seed, &mut store, sorts).formula(inner);
    let symbols = eliminated(&mut store);
    let budget = Budget::until(Instant::now() + Duration::from_secs(2));
    let Ok(result) = eliminate(&mut Cx::new(&mut store, &budget), formula, &symbols) else {
        return false;
    };
    let free: Set<Symbol> = free_symbols(&store, &[result]).into_iter().collect();
    assert!(symbols.iter().all(|s| !free.contains(s)), "seed {seed}: not eliminated");
    assert_ne!(implies(&mut store, formula, result), Some(false), "seed {seed}: too strong");
    let rng = &mut Rng::new(seed);
    for _ in 0..10 {
        let (point, map) = random_point(rng, &mut store);
        let expected =
            Evaluator::with_defaults(&point).holds(&store, result).expect("it has a value");
        let question = substitute(&mut store, &map, &[formula])[0];
        if let Ok(found) = model_of(&mut store, question) {
            assert_eq!(found.is_some(), expected, "seed {seed}: wrong at {point:?}");
        }
    }
    true
}

fn check_projection(seed: u64, sorts: &[Sort]) {
    let mut store = TermStore::new();
    let formula = Random::new(seed, &mut store, sorts).formula(true);
    let symbols = eliminated(&mut store);
    let Ok(Some(model)) = model_of(&mut store, formula) else { return };
    let result = project(&mut store, formula, &symbols, &model);
    assert!(
        Evaluator::with_defaults(&model).holds(&store, result).expect("it has a value"),
        "seed {seed}: false in the model"
    );
    let free = free_symbols(&store, &[result]);
    assert!(symbols.iter().all(|s| !free.contains(s)), "seed {seed}: not eliminated");
    let rng = &mut Rng::new(seed);
    for _ in 0..10 {
        let (point, map) = random_point(rng, &mut store);
        if Evaluator::with_defaults(&point).holds(&store, result).expect("it has a value") {
            let question = substitute(&mut store, &map, &[formula])[0];
            let found = model_of(&mut store, question);
            assert!(!matches!(found, Ok(None)), "seed {seed}: wrong at {point:?}");
        }
    }
}

/// Checks many seeds, of which at least `percent` must be eliminated.
fn check_many(seeds: u64, sorts: &[Sort], inner: bool, percent: u64) {
    let solved: u64 = (0..seeds).map(|seed| u64::from(check_elimination(seed, sorts, inner))).sum();
    assert!(100 * solved >= percent * seeds, "only {solved} of {seeds} were eliminated");
}

#[test]
fn reals_are_eliminated() {
    check_many(150, &[Sort::REAL, Sort::BOOL], false, 100);
}

#[test]
fn integers_are_eliminated() {
    check_many(60, &[Sort::INT, Sort::BOOL], false, 90);
}

#[test]
fn integers_under_division_are_eliminated() {
    check_many(30, &[Sort::INT, Sort::BOOL], true, 75);
}

#[test]
fn mixed_formulas_are_eliminated() {
    check_many(30, &[Sort::INT, Sort::REAL, Sort::BOOL], true, 55);
}

#[test]
fn projections_imply() {
    (0..300).for_each(|seed| check_projection(seed, &[Sort::INT, Sort::REAL, Sort::BOOL]));
}

/// A chain of steps with a choice in each: six variables in the middle, and only the ends stay.
fn chain(store: &mut TermStore, sort: Sort) -> (Term, Vec<Symbol>) {
    let points: Vec<Symbol> = (0..8).map(|i| store.declare(&format!("v{i}"), &[], sort)).collect();
    let terms: Vec<Term> = points.iter().map(|&p| store.constant(p)).collect();
    let (zero, one, three, five) = (store.int(0), store.int(1), store.int(3), store.int(5));
    let mut parts = vec![store.ge(terms[0], zero), store.le(terms[0], five)];
    for pair in terms.windows(2) {
        let (near, far) = (store.add(&[pair[0], one]), store.add(&[pair[0], three]));
        let (low, high) = (store.le(near, pair[1]), store.le(pair[1], far));
        let jump = store.and(&[low, high]);
        let twice = store.scale(&2.into(), pair[0]);
        let double = store.eq(pair[1], twice);
        parts.push(store.or(&[jump, double]));
    }
    (store.and(&parts), points[1..7].to_vec())
}

/// The halves of the ends that the chain reaches from `start`, found by walking along it.
fn reachable(start: i64, sort: Sort) -> BTreeSet<i64> {
    let mut reached = BTreeSet::from([(start, start)]);
    for _ in 0..7 {
        let mut next = BTreeSet::new();
        for (low, high) in reached {
            next.extend([(low + 1, high + 3), (2 * low, 2 * high)]);
            if sort.is_int() {
                next.remove(&(low + 1, high + 3));
                next.extend((low + 1..=high + 3).map(|point| (point, point)));
            }
        }
        reached = next;
    }
    reached.into_iter().flat_map(|(low, high)| 2 * low..=2 * high).collect()
}

#[test]
fn six_variables_finish() {
    for sort in [Sort::INT, Sort::REAL] {
        let mut store = TermStore::new();
        let (formula, middle) = chain(&mut store, sort);
        let budget = Budget::unlimited();
        let result = eliminate(&mut Cx::new(&mut store, &budget), formula, &middle)
            .expect("there is no limit");
        assert!(free_symbols(&store, &[result]).iter().all(|s| !middle.contains(s)));
        let [first, last] = ["v0", "v7"].map(|name| store.declare(name, &[], sort));
        for start in -1..=6 {
            let ends =
                if (0..=5).contains(&start) { reachable(start, sort) } else { BTreeSet::new() };
            for half in (-10..=1300).filter(|half| sort.is_real() || half % 2 == 0) {
                let mut point = Model::new();
                point.set(first, Value::Number(start.into()));
                point.set(last, Value::Number(Rational::new(half, 2)));
                let holds =
                    Evaluator::with_defaults(&point).holds(&store, result).expect("it has a value");
                assert_eq!(holds, ends.contains(&half), "{sort:?}: {start} to {half}/2");
            }
        }
    }
}

#[test]
fn definitions_need_no_enumeration() {
    let mut store = TermStore::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, Sort::INT));
    let (p, q) = (store.var("p", Sort::BOOL), store.var("q", Sort::BOOL));
    let sum = store.add(&[y, z]);
    let (defines, order) = (store.eq(x, sum), store.le(x, y));
    let (named, used) = (store.iff(p, order), store.or(&[p, q]));
    let formula = store.and(&[defines, named, used]);
    let symbols = [store.declare("x", &[], Sort::INT), store.declare("p", &[], Sort::BOOL)];
    let budget = Budget::unlimited();
    let result = eliminate(&mut Cx::new(&mut store, &budget), formula, &symbols);
    let zero = store.int(0);
    let below = store.le(z, zero);
    assert_eq!(result, Ok(store.or(&[below, q])));
}

#[test]
fn a_limit_is_kept() {
    let mut store = TermStore::new();
    let (formula, middle) = chain(&mut store, Sort::INT);
    let budget = Budget::until(Instant::now());
    assert!(eliminate(&mut Cx::new(&mut store, &budget), formula, &middle).is_err());
}
