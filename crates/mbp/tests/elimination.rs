//! The laws of projection and elimination on random formulas.
//!
//! The result of elimination is checked in both directions: `φ ⇒ result` by the solver, and `result ⇒ ∃x̄. φ` at points, where the
//! remaining question, whether `φ` with the point substituted has a model, goes to the solver as well.

use shofar_base::{Budget, Map, Rng, Set};
use shofar_mbp::{eliminate, project};
use shofar_num::Rational;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::{Assignment, Evaluator, Value};
use shofar_term::substitute::substitute;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Sort, Symbol, Term, TermStore};

/// The first ones are eliminated.
const NAMES: [(&str, Sort); 8] = [
    ("x", Sort::Int),
    ("w", Sort::Int),
    ("r", Sort::Real),
    ("p", Sort::Bool),
    ("y", Sort::Int),
    ("z", Sort::Int),
    ("s", Sort::Real),
    ("q", Sort::Bool),
];

fn model_of(store: &mut TermStore, formula: Term) -> Option<Assignment> {
    let mut solver = Solver::new(Options::default());
    solver.add(store, formula);
    let budget = Budget::unlimited();
    match solver.check(&mut Cx::new(store, &budget)).expect("the formula is small") {
        Answer::Sat(model) => Some(model.assignment().clone()),
        Answer::Unsat(_) => None,
    }
}

fn implies(store: &mut TermStore, a: Term, b: Term) -> bool {
    let not_b = store.not(b);
    let gap = store.and(&[a, not_b]);
    model_of(store, gap).is_none()
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
                if sort == Sort::Bool { &mut formulas } else { &mut numbers }.push(symbol);
            }
        }
        Self { rng: Rng::new(seed), store, formulas, numbers }
    }
    fn sum(&mut self) -> Term {
        let constant = self.store.int(self.rng.range(-6, 6));
        let mut parts = vec![constant];
        for _ in 0..self.rng.range(1, 3) {
            let term = *self.rng.pick(&self.numbers);
            parts.push(self.store.scale(&self.rng.range(-3, 3).into(), term));
        }
        self.store.add(&parts)
    }
    fn integer_sum(&mut self) -> Term {
        let sum = self.sum();
        self.store.to_int(sum)
    }
    fn grow(&mut self, inner: bool) {
        let (a, b) = (self.sum(), self.sum());
        match self.rng.below(if inner { 9 } else { 5 }) {
            0 | 1 => self.formulas.push(self.store.le(a, b)),
            2 | 3 => self.formulas.push(self.store.lt(a, b)),
            4 => self.formulas.push(self.store.eq(a, b)),
            5 => {
                let sum = self.integer_sum();
                let divisor = self.rng.range(2, 4).into();
                self.numbers.push(self.store.modulo(sum, &divisor));
            }
            6 => {
                let sum = self.integer_sum();
                self.numbers.push(self.store.div(sum, &Rational::from(3)));
            }
            7 => {
                let sum = self.integer_sum();
                self.formulas.push(self.store.divisible(&Rational::from(3), sum));
            }
            _ => {
                let condition = *self.rng.pick(&self.formulas);
                self.numbers.push(self.store.ite(condition, a, b));
            }
        }
    }
    fn formula(&mut self, inner: bool) -> Term {
        let first = self.sum();
        let zero = self.store.int(0);
        self.formulas.push(self.store.le(first, zero));
        for _ in 0..6 {
            self.grow(inner);
        }
        for _ in 0..4 {
            let mut parts = Vec::new();
            for _ in 0..self.rng.range(2, 3) {
                let part = *self.rng.pick(&self.formulas);
                parts.push(if self.rng.chance(40) { self.store.not(part) } else { part });
            }
            let next = match self.rng.below(5) {
                0 | 1 => self.store.or(&parts),
                2 | 3 => self.store.and(&parts),
                _ => self.store.iff(parts[0], parts[1]),
            };
            self.formulas.push(next);
        }
        let last = self.formulas.split_off(self.formulas.len() - 2);
        self.store.and(&last)
    }
}

fn eliminated(store: &mut TermStore) -> Vec<Symbol> {
    NAMES[..4].iter().map(|(name, sort)| store.declare(name, &[], *sort)).collect()
}

fn random_point(rng: &mut Rng, store: &mut TermStore) -> (Assignment, Map<Term, Term>) {
    let (mut point, mut map) = (Assignment::new(), Map::default());
    for (name, sort) in &NAMES[4..] {
        let value = match sort {
            Sort::Bool => Value::Bool(rng.chance(50)),
            Sort::Int => Value::Number(rng.range(-8, 8).into()),
            Sort::Real => Value::Number(Rational::new(rng.range(-16, 16), 2)),
        };
        let symbol = store.declare(name, &[], *sort);
        let name = store.constant(symbol);
        let term = match &value {
            Value::Bool(value) => store.bool(*value),
            Value::Number(value) => store.number(value.clone(), *sort),
        };
        map.insert(name, term);
        point.set(symbol, value);
    }
    (point, map)
}

fn check_elimination(seed: u64, sorts: &[Sort], inner: bool) {
    let mut store = TermStore::new();
    let formula = Random::new(seed, &mut store, sorts).formula(inner);
    let symbols = eliminated(&mut store);
    let budget = Budget::unlimited();
    let result =
        eliminate(&mut Cx::new(&mut store, &budget), formula, &symbols).expect("there is no limit");
    let free: Set<Symbol> = free_symbols(&store, &[result]).into_iter().collect();
    assert!(symbols.iter().all(|s| !free.contains(s)), "seed {seed}: not eliminated");
    assert!(implies(&mut store, formula, result), "seed {seed}: too strong");
    let rng = &mut Rng::new(seed);
    for _ in 0..10 {
        let (point, map) = random_point(rng, &mut store);
        let expected = Evaluator::new(&point).holds(&store, result);
        let question = substitute(&mut store, &map, &[formula])[0];
        let found = model_of(&mut store, question).is_some();
        assert_eq!(found, expected, "seed {seed}: wrong at {point:?}");
    }
}

fn check_projection(seed: u64, sorts: &[Sort]) {
    let mut store = TermStore::new();
    let formula = Random::new(seed, &mut store, sorts).formula(true);
    let symbols = eliminated(&mut store);
    let Some(model) = model_of(&mut store, formula) else { return };
    let result = project(&mut store, formula, &symbols, &model);
    assert!(Evaluator::new(&model).holds(&store, result), "seed {seed}: false in the model");
    let free = free_symbols(&store, &[result]);
    assert!(symbols.iter().all(|s| !free.contains(s)), "seed {seed}: not eliminated");
    let rng = &mut Rng::new(seed);
    for _ in 0..10 {
        let (point, map) = random_point(rng, &mut store);
        if Evaluator::new(&point).holds(&store, result) {
            let question = substitute(&mut store, &map, &[formula])[0];
            assert!(model_of(&mut store, question).is_some(), "seed {seed}: wrong at {point:?}");
        }
    }
}

#[test]
fn reals_are_eliminated() {
    (0..150).for_each(|seed| check_elimination(seed, &[Sort::Real, Sort::Bool], false));
}

#[test]
fn integers_are_eliminated() {
    (0..100).for_each(|seed| check_elimination(seed, &[Sort::Int, Sort::Bool], false));
}

#[test]
fn integers_under_division_are_eliminated() {
    (0..60).for_each(|seed| check_elimination(seed, &[Sort::Int, Sort::Bool], true));
}

#[test]
fn mixed_formulas_are_eliminated() {
    (0..60).for_each(|seed| check_elimination(seed, &[Sort::Int, Sort::Real, Sort::Bool], true));
}

#[test]
fn projections_imply() {
    (0..300).for_each(|seed| check_projection(seed, &[Sort::Int, Sort::Real, Sort::Bool]));
}

/// A chain of steps with a choice in each: six variables in the middle, and only the ends stay.
fn chain(store: &mut TermStore, sort: Sort) -> (Term, Vec<Symbol>) {
    let points: Vec<Symbol> = (0..8).map(|i| store.declare(&format!("v{i}"), &[], sort)).collect();
    let terms: Vec<Term> = points.iter().map(|&p| store.constant(p)).collect();
    let (one, three) = (store.int(1), store.int(3));
    let mut parts = Vec::new();
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

#[test]
fn six_variables_finish() {
    for sort in [Sort::Int, Sort::Real] {
        let mut store = TermStore::new();
        let (formula, middle) = chain(&mut store, sort);
        let budget = Budget::unlimited();
        let result = eliminate(&mut Cx::new(&mut store, &budget), formula, &middle)
            .expect("there is no limit");
        assert!(free_symbols(&store, &[result]).iter().all(|s| !middle.contains(s)));
        assert!(implies(&mut store, formula, result));
    }
}

#[test]
fn definitions_need_no_enumeration() {
    let mut store = TermStore::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, Sort::Int));
    let (p, q) = (store.var("p", Sort::Bool), store.var("q", Sort::Bool));
    let sum = store.add(&[y, z]);
    let (defines, order) = (store.eq(x, sum), store.le(x, y));
    let (named, used) = (store.iff(p, order), store.or(&[p, q]));
    let formula = store.and(&[defines, named, used]);
    let symbols = [store.declare("x", &[], Sort::Int), store.declare("p", &[], Sort::Bool)];
    let budget = Budget::unlimited();
    let result = eliminate(&mut Cx::new(&mut store, &budget), formula, &symbols);
    let zero = store.int(0);
    let below = store.le(z, zero);
    assert_eq!(result, Ok(store.or(&[below, q])));
}

#[test]
fn a_limit_is_kept() {
    let mut store = TermStore::new();
    let (formula, middle) = chain(&mut store, Sort::Int);
    let budget = Budget::until(std::time::Instant::now());
    assert!(eliminate(&mut Cx::new(&mut store, &budget), formula, &middle).is_err());
}
