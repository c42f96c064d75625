//! Models looked at where random values are, for clauses that no solver here decides.

use std::collections::BTreeMap;

use shofar_base::Rng;
use shofar_chc::{ChcSystem, Interpretation};
use shofar_term::eval::{Model, Value, evaluate_with_defaults};
use shofar_term::value::{ArrayValue, DataValue};
use shofar_term::{Cx, Sort, SortKind, TermStore};

/// Panics if a clause of `system` is false under `model` for one of `count` random assignments.
/// Says how often a body was true.
pub(crate) fn model(
    cx: &mut Cx<'_>,
    system: &ChcSystem,
    model: &Interpretation,
    count: usize,
) -> usize {
    let (mut rng, mut used) = (Rng::new(7), 0);
    for (id, clause) in system.clauses() {
        let mut body = vec![clause.constraint];
        for atom in &clause.body {
            let definition = model.get(atom.pred).expect("every predicate is defined");
            body.push(definition.apply(cx.store, &atom.args));
        }
        let body = cx.store.and(&body);
        let head = match &clause.head {
            Some(head) => {
                let definition = model.get(head.pred).expect("every predicate is defined");
                definition.apply(cx.store, &head.args)
            }
            None => cx.store.bottom(),
        };
        for _ in 0..count {
            let mut assignment = Model::new();
            for symbol in clause.variables(cx.store) {
                assignment.set(symbol, value(cx.store, &mut rng, cx.store.result(symbol)));
            }
            if evaluate_with_defaults(cx.store, body, &assignment) == Ok(Value::Bool(true)) {
                used += 1;
                let head = evaluate_with_defaults(cx.store, head, &assignment);
                assert_eq!(head, Ok(Value::Bool(true)), "clause {id:?} under {assignment:?}");
            }
        }
    }
    used
}

fn value(store: &TermStore, rng: &mut Rng, sort: Sort) -> Value {
    match store.sort_kind(sort) {
        SortKind::Bool => Value::Bool(rng.chance(50)),
        SortKind::Int | SortKind::Real => Value::Number(rng.range(-1, 6).into()),
        SortKind::Array(index, element) => {
            let mut entries = BTreeMap::new();
            for _ in 0..rng.below(3) {
                entries.insert(value(store, rng, index), value(store, rng, element));
            }
            let default = value(store, rng, element);
            Value::Array(ArrayValue::new(store, sort, default, entries))
        }
        SortKind::Data(_, constructors) => {
            let constructor = *rng.pick(constructors);
            let constructor = if rng.chance(70) {
                constructor
            } else {
                store.default_constructor(sort).expect("data")
            };
            let fields = store.constructor_fields(constructor).iter();
            let fields = fields.map(|&field| value(store, rng, store.field_sort(field))).collect();
            Value::Data(DataValue::new(store, constructor, fields))
        }
        SortKind::Bits(_) | SortKind::Uninterpreted(_) => Value::default_of(store, sort),
    }
}
