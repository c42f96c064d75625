//! Sorts of all shapes, and random terms and values of them.

use super::*;

/// A store with sorts of all shapes.
pub(super) struct World {
    pub(super) store: TermStore,
    pub(super) sorts: Vec<Sort>,
    pub(super) variables: Vec<Symbol>,
}

fn declare(
    store: &mut TermStore,
    name: &str,
    constructors: &[(&str, &[(&str, FieldSort)])],
) -> Sort {
    let constructor = |&(name, fields): &(&str, &[(&str, FieldSort)])| ConstructorDeclaration {
        name: name.into(),
        fields: fields.iter().map(|&(name, sort)| (name.into(), sort)).collect(),
    };
    let constructors = constructors.iter().map(constructor).collect();
    let data = DataDeclaration { name: name.into(), constructors };
    store.declare_data(vec![data]).expect("it is well-founded")[0]
}

impl World {
    pub(super) fn new() -> Self {
        use FieldSort::{Known, Own};
        let mut s = TermStore::new();
        let (int, bool) = (Known(Sort::INT), Known(Sort::BOOL));
        let pair = declare(&mut s, "Pair", &[("pair", &[("a", int), ("b", bool)])]);
        let color = declare(&mut s, "Color", &[("red", &[]), ("green", &[]), ("blue", &[])]);
        let unit = declare(&mut s, "Unit", &[("unit", &[])]);
        let option = declare(&mut s, "Option", &[("none", &[]), ("some", &[("it", int)])]);
        let fields: &[(&str, FieldSort)] = &[("p", Known(pair)), ("e", Known(color))];
        let cases: &[(&str, &[(&str, FieldSort)])] =
            &[("zero", &[]), ("one", &[("x", int)]), ("two", fields)];
        let variant = declare(&mut s, "Variant", cases);
        let pairs = s.array_sort(Sort::INT, pair);
        let members: &[(&str, FieldSort)] = &[("arr", Known(pairs)), ("len", int)];
        let vector = declare(&mut s, "Vector", &[("vector", members)]);
        let cons: &[(&str, FieldSort)] = &[("head", Known(pair)), ("tail", Own(0))];
        let list = declare(&mut s, "List", &[("nil", &[]), ("cons", cons)]);
        let arrays = [
            (Sort::INT, Sort::INT),
            (Sort::INT, variant),
            (pair, Sort::INT),
            (color, Sort::INT),
            (Sort::INT, vector),
            (unit, Sort::INT),
            (Sort::INT, unit),
            (variant, pair),
            (pairs, option),
            (Sort::INT, list),
        ];
        let mut sorts =
            vec![Sort::INT, Sort::BOOL, pair, color, unit, option, variant, pairs, vector, list];
        for (index, element) in arrays {
            sorts.push(s.array_sort(index, element));
        }
        let mut variables = Vec::new();
        for (at, &sort) in sorts.iter().enumerate() {
            variables.extend([0, 1].map(|copy| s.declare(&format!("v{at}_{copy}"), &[], sort)));
        }
        Self { store: s, sorts, variables }
    }
    pub(super) fn variable(&mut self, rng: &mut Rng, sort: Sort) -> Term {
        let at = self.sorts.iter().position(|&s| s == sort).expect("it is one of them");
        self.store.constant(self.variables[2 * at + rng.below(2)])
    }
    pub(super) fn sort(&self, rng: &mut Rng) -> Sort {
        self.sorts[rng.below(self.sorts.len())]
    }
    pub(super) fn term(&mut self, rng: &mut Rng, sort: Sort, depth: usize) -> Term {
        if depth == 0 || rng.chance(15) {
            return self.variable(rng, sort);
        }
        let less = depth - 1;
        match rng.below(4) {
            0 => {
                let condition = self.term(rng, Sort::BOOL, less);
                let (a, b) = (self.term(rng, sort, less), self.term(rng, sort, less));
                self.store.ite(condition, a, b)
            }
            1 => self.read(rng, sort, less),
            _ => self.made(rng, sort, less),
        }
    }
    /// An element of an array, or a field.
    pub(super) fn read(&mut self, rng: &mut Rng, sort: Sort, depth: usize) -> Term {
        let mut from: Vec<Sort> = self.sorts.clone();
        let store = &self.store;
        from.retain(|&from| match store.sort_kind(from) {
            SortKind::Array(_, element) => element == sort,
            SortKind::Data(_, constructors) => constructors
                .iter()
                .any(|&c| store.constructor_fields(c).iter().any(|&f| store.field_sort(f) == sort)),
            SortKind::Bool
            | SortKind::Int
            | SortKind::Real
            | SortKind::Bits(_)
            | SortKind::Uninterpreted(_) => false,
        });
        if from.is_empty() {
            return self.variable(rng, sort);
        }
        let from = from[rng.below(from.len())];
        let whole = self.term(rng, from, depth);
        if let Some((index, _)) = self.store.array_parts(from) {
            let index = self.term(rng, index, depth);
            return self.store.select(whole, index);
        }
        for &constructor in &self.store.constructors(from).expect("data").to_vec() {
            for field in self.store.constructor_fields(constructor).to_vec() {
                if self.store.field_sort(field) == sort {
                    // A selector of a value that another constructor made has no value.
                    let test = self.store.is(constructor, whole);
                    let read = self.store.field(field, whole);
                    let other = self.variable(rng, sort);
                    return self.store.ite(test, read, other);
                }
            }
        }
        unreachable!("the type has such a field")
    }
    pub(super) fn made(&mut self, rng: &mut Rng, sort: Sort, depth: usize) -> Term {
        match self.store.sort_kind(sort) {
            SortKind::Int => {
                let (a, b) = (self.term(rng, sort, depth), self.store.int(rng.range(-2, 2)));
                self.store.add(&[a, b])
            }
            SortKind::Bool => self.formula(rng, depth),
            SortKind::Array(index, element) => {
                let value = self.term(rng, element, depth);
                if rng.chance(30) {
                    return self.store.constant_array(sort, value);
                }
                let (array, at) = (self.term(rng, sort, depth), self.term(rng, index, depth));
                self.store.store(array, at, value)
            }
            SortKind::Data(_, constructors) => {
                let constructor = constructors[rng.below(constructors.len())];
                let fields = self.store.constructor_fields(constructor).to_vec();
                let fields: Vec<Term> = fields
                    .into_iter()
                    .map(|field| self.term(rng, self.store.field_sort(field), depth))
                    .collect();
                self.store.construct(constructor, &fields)
            }
            SortKind::Real | SortKind::Bits(_) | SortKind::Uninterpreted(_) => {
                unreachable!("there are no other sorts")
            }
        }
    }
    pub(super) fn formula(&mut self, rng: &mut Rng, depth: usize) -> Term {
        match rng.below(5) {
            0 => {
                let (a, b) = (self.term(rng, Sort::INT, depth), self.term(rng, Sort::INT, depth));
                self.store.le(a, b)
            }
            1 => {
                let (a, b) = (self.term(rng, Sort::BOOL, depth), self.term(rng, Sort::BOOL, depth));
                if rng.chance(50) { self.store.and(&[a, b]) } else { self.store.or(&[a, b]) }
            }
            2 => {
                let a = self.term(rng, Sort::BOOL, depth);
                self.store.not(a)
            }
            3 => {
                let data: Vec<Sort> = self
                    .sorts
                    .iter()
                    .copied()
                    .filter(|&s| self.store.constructors(s).is_some())
                    .collect();
                let sort = data[rng.below(data.len())];
                let term = self.term(rng, sort, depth);
                let constructors = self.store.constructors(sort).expect("data");
                let constructor = constructors[rng.below(constructors.len())];
                self.store.is(constructor, term)
            }
            _ => {
                let sort = self.sort(rng);
                let (a, b) = (self.term(rng, sort, depth), self.term(rng, sort, depth));
                self.store.eq(a, b)
            }
        }
    }
    pub(super) fn value(&self, rng: &mut Rng, sort: Sort) -> Value {
        match self.store.sort_kind(sort) {
            SortKind::Int => Value::Number(rng.range(-1, 1).into()),
            SortKind::Bool => Value::Bool(rng.chance(50)),
            SortKind::Array(index, element) => {
                let mut entries = BTreeMap::new();
                for _ in 0..rng.below(3) {
                    entries.insert(self.value(rng, index), self.value(rng, element));
                }
                let default = self.value(rng, element);
                Value::Array(ArrayValue::new(&self.store, sort, default, entries))
            }
            SortKind::Data(_, constructors) => {
                let mut constructor = constructors[rng.below(constructors.len())];
                if rng.chance(30) {
                    constructor = self.store.default_constructor(sort).expect("data");
                }
                let fields = self.store.constructor_fields(constructor).iter();
                let fields = fields.map(|&f| self.value(rng, self.store.field_sort(f))).collect();
                Value::Data(DataValue::new(&self.store, constructor, fields))
            }
            SortKind::Real | SortKind::Bits(_) | SortKind::Uninterpreted(_) => {
                unreachable!("there are no other sorts")
            }
        }
    }
}
