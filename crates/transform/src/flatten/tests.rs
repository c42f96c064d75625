//! Random terms mean the same before and after, and what is said of leaves can be said of the
//! source.

mod world;

use std::collections::BTreeMap;

use shofar_base::{Budget, GaveUp, Rng};
use shofar_term::eval::{Model, evaluate_with_defaults};
use shofar_term::print::print;
use shofar_term::value::{ArrayValue, DataValue};
use shofar_term::{
    ConstructorDeclaration, DataDeclaration, FieldSort, Kind, SortKind, Symbol, Value,
};

use self::world::World;
use super::layout::{Index, Shape};
use super::*;

/// A query with this constraint.
fn query(constraint: Term) -> ChcSystem {
    let mut system = ChcSystem::new();
    system.add_clause(Clause { head: None, body: Vec::new(), constraint, span: None });
    system
}

/// The leaves of a value, with defaults for junk.
fn leaves(store: &TermStore, layout: &Layout, sort: Sort, value: &Value) -> Vec<Value> {
    let fields = |constructor, values: &[Value]| -> Vec<Value> {
        let sorts = store.constructor_fields(constructor).iter().map(|&f| store.field_sort(f));
        sorts.zip(values).flat_map(|(sort, value)| leaves(store, layout, sort, value)).collect()
    };
    let entry = layout.get(sort);
    match &entry.shape {
        Shape::Whole => vec![value.clone()],
        Shape::Record(constructor) => fields(*constructor, value.as_data().expect("data").fields()),
        Shape::Variant(constructors) => {
            let data = value.as_data().expect("data");
            let place = constructors.iter().position(|&c| c == data.constructor()).expect("one");
            let mut result = vec![match constructors.len() {
                2 => Value::Bool(place == 1),
                _ => Value::Number(i64::try_from(place).expect("few").into()),
            }];
            for &constructor in constructors {
                if constructor == data.constructor() {
                    result.extend(fields(constructor, data.fields()));
                } else {
                    let width = layout.fields_width(store, constructor);
                    let sorts = &entry.leaves[result.len()..result.len() + width];
                    result.extend(sorts.iter().map(|&sort| Value::default_of(store, sort)));
                }
            }
            result
        }
        Shape::Array(index, element) => {
            let array = value.as_array().expect("an array");
            let mut flat: Vec<Value> = leaves(store, layout, *element, array.default());
            for (leaf, &sort) in flat.iter_mut().zip(&entry.leaves) {
                *leaf = nested(store, sort, layout.indices(*index).len(), leaf);
            }
            for (at, element_value) in array.entries() {
                let at = match index {
                    Index::Whole(_) => vec![at.clone()],
                    Index::Split(sort) => leaves(store, layout, *sort, at),
                };
                let new = leaves(store, layout, *element, element_value);
                for (leaf, new) in flat.iter_mut().zip(new) {
                    *leaf = written(store, leaf, &at, new);
                }
            }
            flat
        }
    }
}

fn nested(store: &TermStore, sort: Sort, depth: usize, value: &Value) -> Value {
    if depth == 0 {
        return value.clone();
    }
    let (_, element) = store.array_parts(sort).expect("an array");
    Value::Array(ArrayValue::constant(sort, nested(store, element, depth - 1, value)))
}

fn written(store: &TermStore, array: &Value, at: &[Value], value: Value) -> Value {
    let Some((first, rest)) = at.split_first() else { return value };
    let array = array.as_array().expect("an array");
    let inner = written(store, array.get(first), rest, value);
    Value::Array(array.with(store, first.clone(), inner))
}

/// What the tests found.
#[derive(Debug, Default)]
struct Tally {
    same: usize,
    said: usize,
    with_junk: usize,
    over: usize,
}

/// One random formula under random values.
fn check(seed: u64, tally: &mut Tally) {
    let (mut world, mut rng) = (World::new(), Rng::new(seed));
    let depth = 1 + rng.below(4);
    let constraint = world.term(&mut rng, Sort::BOOL, depth);
    let source = query(constraint);
    let Some(layout) = Layout::of(&mut world.store, &source) else { return };
    let mut flattening = Flattening::new(&layout);
    let (_, clause) = source.clauses().next().expect("one");
    let flat = flat(&mut world.store, &mut flattening, clause);
    tally.over += usize::from(flattening.is_over);
    let variables = clause.variables(&world.store);
    let leaf_symbols = |variable: Symbol| match flattening.variables.get(&variable) {
        Some(leaves) => leaves.clone(),
        None => vec![variable],
    };
    let params: Vec<Symbol> = variables.iter().flat_map(|&v| leaf_symbols(v)).collect();
    let said = layout.say(&mut world.store, flat.constraint, &params, &variables);
    for _ in 0..8 {
        let (mut before, mut after) = (Model::new(), Model::new());
        for &variable in &variables {
            let sort = world.store.result(variable);
            let value = world.value(&mut rng, sort);
            let parts = leaves(&world.store, &layout, sort, &value);
            assert_eq!(
                layout.value(&world.store, sort, &parts.iter().collect::<Vec<_>>()).as_ref(),
                Some(&value)
            );
            for (leaf, part) in leaf_symbols(variable).into_iter().zip(parts) {
                after.set(leaf, part);
            }
            before.set(variable, value);
        }
        let store = &world.store;
        let expected =
            evaluate_with_defaults(store, constraint, &before).expect("selectors are guarded");
        let found = evaluate_with_defaults(store, flat.constraint, &after).expect("no selectors");
        assert_eq!(expected, found, "seed {seed}: {constraint:?}");
        tally.same += 1;
        match said {
            Ok(said) => {
                tally.said += 1;
                is_said(&world, &mut rng, said, &before, &expected, seed);
            }
            Err(GaveUp::Incomplete(_)) => (),
            Err(ref why) => panic!("{why}"),
        }
        junk(
            &world,
            &mut rng,
            &layout,
            (constraint, flat.constraint),
            &flattening,
            &mut before,
            &mut after,
            tally,
        );
    }
}

/// What was said is true where it should be, and false where it should be if it has no quantifier.
fn is_said(world: &World, rng: &mut Rng, said: Term, values: &Model, expected: &Value, seed: u64) {
    let store = &world.store;
    let Kind::Quantified(_, matrix, bound) = store.kind(said) else {
        let found = evaluate_with_defaults(store, said, values);
        assert_eq!(Ok(expected), found.as_ref(), "seed {seed}: {}", print(store, said));
        return;
    };
    for _ in 0..5 {
        let mut values = values.clone();
        for &variable in bound {
            let symbol = store.symbol(variable).expect("variables are bound");
            values.set(symbol, world.value(rng, store.result(symbol)));
        }
        let found = evaluate_with_defaults(store, matrix, &values).expect("it has a value");
        assert!(*expected == Value::Bool(false) || found == Value::Bool(true), "seed {seed}");
    }
}

/// Leaves of any value: if the new constraint holds, then the old one does.
#[expect(clippy::too_many_arguments, reason = "one step of a test")]
fn junk(
    world: &World,
    rng: &mut Rng,
    layout: &Layout,
    (constraint, flat): (Term, Term),
    flattening: &Flattening<'_>,
    before: &mut Model,
    after: &mut Model,
    tally: &mut Tally,
) {
    let store = &world.store;
    if flattening.is_over {
        return;
    }
    for (&variable, leaves) in flattening.variables.sorted() {
        let sort = store.result(variable);
        for &leaf in leaves {
            if rng.chance(30)
                && let SortKind::Int | SortKind::Bool = store.sort_kind(store.result(leaf))
            {
                after.set(leaf, world.value(rng, store.result(leaf)));
            }
        }
        let values: Vec<Value> =
            leaves.iter().map(|&leaf| after.get_or_default(store, leaf)).collect();
        let Some(value) = layout.value(store, sort, &values.iter().collect::<Vec<_>>()) else {
            return;
        };
        before.set(variable, value);
    }
    if evaluate_with_defaults(store, flat, after) == Ok(Value::Bool(true)) {
        tally.with_junk += 1;
        assert_eq!(evaluate_with_defaults(store, constraint, before), Ok(Value::Bool(true)));
    }
}

#[test]
fn formulas_mean_the_same() {
    let mut tally = Tally::default();
    for seed in 0..3_000 {
        check(seed, &mut tally);
    }
    assert!(
        tally.same > 10_000 && tally.said > 3_000 && tally.with_junk > 2_000 && tally.over > 10,
        "{tally:?}"
    );
}

/// The pass on a system of one clause.
fn apply(store: &mut TermStore, source: ChcSystem) -> (ChcSystem, Exactness) {
    let budget = Budget::unlimited();
    let (target, back) = Flatten.apply(&mut Cx::new(store, &budget), source).expect("no limit");
    target.assert_well_formed(store);
    (target, back.exactness())
}

#[test]
fn data_types_are_gone() {
    let mut world = World::new();
    let mut flat = 0;
    for seed in 0..500 {
        let mut rng = Rng::new(seed);
        let constraint = world.term(&mut rng, Sort::BOOL, 4);
        let source = query(constraint);
        let (target, _) = apply(&mut world.store, source);
        let store = &world.store;
        let (_, clause) = target.clauses().next().expect("one");
        for symbol in clause.variables(store) {
            let parts = shofar_term::symbols::with_parts(store, [store.result(symbol)]);
            // What stays is a recursive type, or an index with several constructors.
            let stays = parts.iter().any(|&sort| {
                store.is_recursive(sort) || store.constructors(sort).is_some_and(|c| c.len() > 1)
            });
            let has_data = parts.iter().any(|&sort| store.constructors(sort).is_some());
            assert!(stays || !has_data, "seed {seed}");
            flat += usize::from(!has_data);
        }
    }
    assert!(flat > 1_000, "{flat}");
}
