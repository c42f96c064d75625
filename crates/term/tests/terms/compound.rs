//! Terms over arrays and data mean what their parts mean, whatever laws their constructors apply.

use shofar_base::Rng;
use shofar_term::eval::{Evaluator, Model};
use shofar_term::serial::{export, import};
use shofar_term::value::{ArrayValue, DataValue, Value};
use shofar_term::{
    Constructor, ConstructorDeclaration, DataDeclaration, FieldSort, Sort, Term, TermStore,
};

/// A term and the value that it must have.
type Pair = (Term, Value);

struct World {
    s: TermStore,
    rng: Rng,
    model: Model,
    list: Sort,
    nil: Constructor,
    cons: Constructor,
    /// Terms by sort: truth values, integers, arrays of integers by integers, arrays of truth
    /// values by truth values, arrays of lists by arrays, lists.
    pools: Vec<(Sort, Vec<Pair>)>,
}

fn world(seed: u64) -> World {
    let mut s = TermStore::new();
    let head = ("head".into(), FieldSort::Known(Sort::INT));
    let fields = vec![head, ("tail".into(), FieldSort::Own(0))];
    let constructors = vec![
        ConstructorDeclaration { name: "nil".into(), fields: Vec::new() },
        ConstructorDeclaration { name: "cons".into(), fields },
    ];
    let declaration = DataDeclaration { name: "List".into(), constructors };
    let list = s.declare_data(vec![declaration]).expect("well-founded")[0];
    let [nil, cons] = *s.constructors(list).expect("data") else { panic!("two constructors") };
    let plain = s.array_sort(Sort::INT, Sort::INT);
    let small = s.array_sort(Sort::BOOL, Sort::BOOL);
    let nested = s.array_sort(plain, list);
    let sorts = [Sort::BOOL, Sort::INT, plain, small, nested, list];
    let pools = sorts.map(|sort| (sort, Vec::new())).to_vec();
    let (rng, model) = (Rng::new(seed), Model::new());
    World { s, rng, model, list, nil, cons, pools }
}

impl World {
    fn pick(&mut self, sort: Sort) -> Pair {
        let pool = &self.pools.iter().find(|(s, _)| *s == sort).expect("a known sort").1;
        pool[self.rng.below(pool.len())].clone()
    }
    fn put(&mut self, term: Term, value: Value) {
        let sort = self.s.sort(term);
        let pool = self.pools.iter_mut().find(|(s, _)| *s == sort).expect("a known sort");
        pool.1.push((term, value));
    }
    fn variables(&mut self) {
        for (sort, _) in self.pools.clone() {
            for number in 0..2 {
                let symbol = self.s.declare(&format!("v{number}"), &[], sort);
                let value = self.value(sort);
                self.model.set(symbol, value.clone());
                let term = self.s.constant(symbol);
                self.put(term, value);
            }
        }
        for n in -1..=1 {
            let term = self.s.int(n);
            self.put(term, Value::Number(n.into()));
        }
    }
    fn value(&mut self, sort: Sort) -> Value {
        if sort.is_bool() {
            return Value::Bool(self.rng.chance(50));
        }
        if sort.is_int() {
            return Value::Number(i64::try_from(self.rng.below(3)).expect("small").into());
        }
        if let Some((index, element)) = self.s.array_parts(sort) {
            let mut array = ArrayValue::constant(sort, self.value(element));
            for _ in 0..self.rng.below(3) {
                let (i, v) = (self.value(index), self.value(element));
                array = array.with(&self.s, i, v);
            }
            return Value::Array(array);
        }
        let mut value = Value::Data(DataValue::new(&self.s, self.nil, Vec::new()));
        for _ in 0..self.rng.below(3) {
            let head = self.value(Sort::INT);
            value = Value::Data(DataValue::new(&self.s, self.cons, vec![head, value]));
        }
        value
    }
    fn array_step(&mut self, sort: Sort, index: Sort, element: Sort) {
        let (array, array_value) = self.pick(sort);
        let (i, iv) = self.pick(index);
        let (v, vv) = self.pick(element);
        let known = array_value.as_array().expect("an array");
        match self.rng.below(3) {
            0 => {
                let value = known.get(&iv).clone();
                let term = self.s.select(array, i);
                self.put(term, value);
            }
            1 => {
                let value = Value::Array(known.with(&self.s, iv, vv));
                let term = self.s.store(array, i, v);
                self.put(term, value);
            }
            _ => {
                let term = self.s.constant_array(sort, v);
                self.put(term, Value::Array(ArrayValue::constant(sort, vv)));
            }
        }
    }
    fn data_step(&mut self) {
        let (list, value) = self.pick(self.list);
        let data = value.as_data().expect("data").clone();
        let is_cons = data.constructor() == self.cons;
        let [head, tail] = *self.s.constructor_fields(self.cons) else { panic!("two fields") };
        match self.rng.below(4) {
            0 => {
                let (x, xv) = self.pick(Sort::INT);
                let term = self.s.construct(self.cons, &[x, list]);
                let value = Value::Data(DataValue::new(&self.s, self.cons, vec![xv, value]));
                self.put(term, value);
            }
            1 => {
                let which = if self.rng.chance(50) { self.cons } else { self.nil };
                let term = self.s.is(which, list);
                self.put(term, Value::Bool((which == self.cons) == is_cons));
            }
            2 if is_cons => {
                let (first, rest) = (self.s.field(head, list), self.s.field(tail, list));
                self.put(first, data.fields()[0].clone());
                self.put(rest, data.fields()[1].clone());
            }
            _ => {
                let term = self.s.construct(self.nil, &[]);
                self.put(term, Value::Data(DataValue::new(&self.s, self.nil, Vec::new())));
            }
        }
    }
    fn step(&mut self) {
        let sorts: Vec<Sort> = self.pools.iter().map(|pool| pool.0).collect();
        let sort = *self.rng.pick(&sorts);
        match self.rng.below(4) {
            0 => {
                let ((a, av), (b, bv)) = (self.pick(sort), self.pick(sort));
                let term = self.s.eq(a, b);
                self.put(term, Value::Bool(av == bv));
            }
            1 => {
                let ((c, cv), (a, av), (b, bv)) =
                    (self.pick(Sort::BOOL), self.pick(sort), self.pick(sort));
                let term = self.s.ite(c, a, b);
                self.put(term, if cv == Value::Bool(true) { av } else { bv });
            }
            2 => self.data_step(),
            _ => {
                if let Some((index, element)) = self.s.array_parts(sort) {
                    self.array_step(sort, index, element);
                }
            }
        }
    }
}

#[test]
fn random_terms_have_the_value_of_their_parts() {
    for seed in 0..300 {
        let mut w = world(seed);
        w.variables();
        for _ in 0..120 {
            w.step();
        }
        let mut evaluator = Evaluator::new(&w.model);
        for (sort, pool) in &w.pools {
            for (term, value) in pool {
                assert_eq!(evaluator.evaluate(&w.s, *term).as_ref(), Ok(value), "seed {seed}");
                assert!(value.has_sort(&w.s, *sort));
            }
        }
    }
}

#[test]
fn terms_travel_to_other_stores_and_back() {
    for seed in 0..60 {
        let mut w = world(seed);
        w.variables();
        for _ in 0..80 {
            w.step();
        }
        let terms: Vec<Term> = w.pools.iter().flat_map(|p| p.1.iter().map(|pair| pair.0)).collect();
        let bytes = export(&w.s, &terms);
        let mut other = TermStore::new();
        let imported = import(&mut other, &bytes).expect("an export");
        assert_eq!(import(&mut w.s, &export(&other, &imported)), Ok(terms), "seed {seed}");
        for cut in 0..bytes.len().min(200) {
            assert!(import(&mut TermStore::new(), &bytes[..bytes.len() - 1 - cut]).is_err());
        }
    }
}

#[test]
fn values_as_terms_have_themselves_as_values() {
    let mut w = world(7);
    let sorts: Vec<Sort> = w.pools.iter().map(|pool| pool.0).collect();
    for round in 0..600 {
        let sort = sorts[round % sorts.len()];
        let value = w.value(sort);
        let term = w.s.value_term(&value, sort);
        assert_eq!(shofar_term::eval::evaluate(&w.s, term, &Model::new()), Ok(value));
    }
}
