//! Random terms over a fixed vocabulary, and random assignments of it.

use shofar_base::Rng;
use shofar_num::Rational;
use shofar_term::eval::{FunctionTable, Model, Value};
use shofar_term::{Sort, SortKind, Symbol, Term, TermStore};

/// A store with random terms of every sort.
pub(crate) struct Generator {
    pub(crate) store: TermStore,
    pub(crate) rng: Rng,
    pub(crate) constants: Vec<Symbol>,
    functions: Vec<Symbol>,
    /// An uninterpreted sort.
    things: Sort,
    pool: Vec<Term>,
}

impl Generator {
    /// A store that knows the vocabulary, in an order that depends on the seed, and has grown
    /// `steps` terms.
    pub(crate) fn new(seed: u64, steps: usize) -> Self {
        let (mut store, mut rng) = (TermStore::new(), Rng::new(seed));
        let things = store.declare_sort("some things");
        let mut names = [
            ("p", Sort::BOOL),
            ("q", Sort::BOOL),
            ("x", Sort::INT),
            ("y z", Sort::INT),
            ("k!1", Sort::INT),
            ("r", Sort::REAL),
            ("a!1", Sort::REAL),
            ("u", things),
            ("v", things),
            ("w", things),
        ];
        for i in (1..names.len()).rev() {
            names.swap(i, rng.below(i + 1));
        }
        let constants: Vec<Symbol> =
            names.iter().map(|&(name, sort)| store.declare(name, &[], sort)).collect();
        let functions = vec![
            store.declare("f", &[Sort::INT], Sort::INT),
            store.declare("P", &[Sort::INT, Sort::REAL, Sort::BOOL], Sort::BOOL),
            store.declare("g", &[things, Sort::INT], things),
        ];
        let pool = constants.iter().map(|&symbol| store.constant(symbol)).collect();
        let mut generator = Self { store, rng, constants, functions, things, pool };
        for _ in 0..steps {
            let term = generator.step();
            generator.pool.push(term);
        }
        generator
    }
    /// A term of `sort`, younger ones more likely.
    pub(crate) fn pick(&mut self, sort: Sort) -> Term {
        loop {
            let newest = self.pool.len();
            let from = if self.rng.chance(50) { newest.saturating_sub(12) } else { 0 };
            let term = self.pool[from + self.rng.below(newest - from)];
            if self.store.sort(term) == sort {
                return term;
            }
            // The vocabulary has every sort, so a pick from the whole pool ends the loop.
        }
    }
    /// A term of any sort.
    pub(crate) fn any(&mut self) -> Term {
        let at = self.pool.len() - 1 - self.rng.below(self.pool.len().min(6));
        self.pool[at]
    }
    fn quantity(&mut self) -> Term {
        let sort = if self.rng.chance(60) { Sort::INT } else { Sort::REAL };
        self.pick(sort)
    }
    pub(crate) fn rational(&mut self) -> Rational {
        match self.rng.below(12) {
            0 => "123456789012345678901234567890".parse().expect("a number"),
            1 => "-98765432109876543210/7".parse().expect("a number"),
            2..=4 => Rational::new(self.rng.range(-9, 9), self.rng.range(1, 6)),
            _ => Rational::from(self.rng.range(-4, 4)),
        }
    }
    fn divisor(&mut self) -> Rational {
        Rational::from(*self.rng.pick(&[-3, -1, 1, 2, 3, 5, 12]))
    }
    fn step(&mut self) -> Term {
        match self.rng.below(10) {
            0..=2 => self.formula(),
            3..=5 => self.atom(),
            6 => self.thing(),
            _ => self.arithmetic(),
        }
    }
    /// A term of the uninterpreted sort, or an equality of two.
    fn thing(&mut self) -> Term {
        let (a, b) = (self.pick(self.things), self.pick(self.things));
        match self.rng.below(4) {
            0 => {
                let p = self.pick(Sort::BOOL);
                self.store.ite(p, a, b)
            }
            1 => {
                let x = self.pick(Sort::INT);
                self.store.app(self.functions[2], &[a, x])
            }
            _ => self.store.eq(a, b),
        }
    }
    fn formula(&mut self) -> Term {
        let parts: Vec<Term> = (0..2 + self.rng.below(3)).map(|_| self.pick(Sort::BOOL)).collect();
        let (p, q, r) = (parts[0], parts[1], *parts.last().expect("there are two or more"));
        match self.rng.below(7) {
            0 => self.store.and(&parts),
            1 => self.store.or(&parts),
            2 => self.store.not(p),
            3 => self.store.iff(p, q),
            4 => self.store.implies(p, q),
            5 => self.store.ite(p, q, r),
            _ => {
                let (x, a) = (self.pick(Sort::INT), self.pick(Sort::REAL));
                self.store.app(self.functions[1], &[x, a, p])
            }
        }
    }
    fn atom(&mut self) -> Term {
        let (a, b) = (self.quantity(), self.quantity());
        let limit = Rational::from(self.rng.range(-6, 6));
        let b = if self.rng.chance(60) { self.store.number(limit, Sort::INT) } else { b };
        match self.rng.below(7) {
            0 => self.store.le(a, b),
            1 => self.store.lt(a, b),
            2 => self.store.ge(a, b),
            3 => self.store.gt(a, b),
            4 => self.store.eq(a, b),
            5 => self.store.is_int(a),
            _ => {
                let (divisor, x) = (self.divisor(), self.pick(Sort::INT));
                self.store.divisible(&divisor, x)
            }
        }
    }
    fn arithmetic(&mut self) -> Term {
        let (a, b, x) = (self.quantity(), self.quantity(), self.pick(Sort::INT));
        let (factor, divisor) = (self.rational(), self.divisor());
        match self.rng.below(9) {
            0 => self.store.add(&[a, b]),
            1 => self.store.sub(a, b),
            2 => self.store.scale(&factor, a),
            3 => self.store.div(x, &divisor),
            4 => self.store.modulo(x, &divisor),
            5 => self.store.to_int(a),
            6 => self.store.app(self.functions[0], &[x]),
            7 => {
                let p = self.pick(Sort::BOOL);
                self.store.ite(p, a, b)
            }
            _ => {
                let sort =
                    if factor.is_integer() && self.rng.chance(50) { Sort::INT } else { Sort::REAL };
                self.store.number(factor, sort)
            }
        }
    }
    /// Tables for the functions, and values for most of the constants.
    pub(crate) fn model(&mut self) -> Model {
        let mut model = Model::new();
        let number = |value: i64| Value::Number(value.into());
        let mut table = FunctionTable::constant(number(1));
        table.set(&[number(0)], number(5));
        model.set_function(self.functions[0], table);
        model.set_function(self.functions[1], FunctionTable::constant(Value::Bool(false)));
        let thing = Value::Element(self.things, 0);
        model.set_function(self.functions[2], FunctionTable::constant(thing));
        for symbol in self.constants.clone() {
            let number = self.rational();
            let sort = self.store.result(symbol);
            let value = match self.store.sort_kind(sort) {
                SortKind::Bool => Value::Bool(self.rng.chance(50)),
                SortKind::Int => Value::Number(number.floor()),
                SortKind::Real => Value::Number(number),
                SortKind::Uninterpreted(_) => Value::Element(sort, u32::from(self.rng.chance(50))),
                SortKind::Bits(_) | SortKind::Array(..) | SortKind::Data(..) => {
                    unreachable!("the generator makes none")
                }
            };
            if self.rng.chance(90) {
                model.set(symbol, value);
            }
        }
        model
    }
}
