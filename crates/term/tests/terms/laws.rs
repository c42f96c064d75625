//! Substitution and evaluation, export and import.

use shofar_base::Map;
use shofar_term::eval::{Evaluator, Model, evaluate_with_defaults};
use shofar_term::print::print;
use shofar_term::serial::{export, import};
use shofar_term::size::{dag_size, tree_size};
use shofar_term::substitute::{Substitution, substitute};
use shofar_term::symbols::free_symbols;
use shofar_term::{Quantifier, Sort, Term, TermStore};

use crate::generator::Generator;

#[test]
fn substituting_first_or_assigning_first_is_the_same() {
    for seed in 0..400 {
        let mut g = Generator::new(seed, 40);
        let model = g.model();
        let mut changed = model.clone();
        let mut map: Map<Term, Term> = Map::default();
        for symbol in g.constants.clone() {
            if g.rng.chance(60) {
                let sort = g.store.result(symbol);
                let (constant, replacement) = (g.store.constant(symbol), g.pick(sort));
                changed.set(
                    symbol,
                    evaluate_with_defaults(&g.store, replacement, &model).expect("it has a value"),
                );
                map.insert(constant, replacement);
            }
        }
        let terms: Vec<Term> = (0..5).map(|_| g.any()).collect();
        let replaced = substitute(&mut g.store, &map, &terms);
        let mut cached = Substitution::new(map);
        let mut evaluator = Evaluator::with_defaults(&model);
        for (&before, &after) in terms.iter().zip(&replaced) {
            let (direct, shifted) = (
                evaluator.evaluate(&g.store, after),
                evaluate_with_defaults(&g.store, before, &changed),
            );
            assert!(direct.is_ok());
            assert_eq!(direct, shifted, "seed {seed}: {}", print(&g.store, before));
            assert_eq!(cached.apply(&mut g.store, before), after);
        }
    }
}

#[test]
fn the_empty_substitution_changes_nothing() {
    for seed in 0..100 {
        let mut g = Generator::new(seed, 60);
        let terms: Vec<Term> = (0..5).map(|_| g.any()).collect();
        let before = g.store.len();
        assert_eq!(substitute(&mut g.store, &Map::default(), &terms), terms);
        assert_eq!(g.store.len(), before);
    }
}

#[test]
fn replacing_a_symbol_makes_it_disappear() {
    for seed in 0..200 {
        let mut g = Generator::new(seed, 40);
        let (term, symbol) = (g.any(), g.constants[0]);
        let fresh = g.store.fresh("new", g.store.result(symbol));
        let map: Map<Term, Term> =
            [(g.store.constant(symbol), g.store.constant(fresh))].into_iter().collect();
        let renamed = substitute(&mut g.store, &map, &[term])[0];
        let (old, new) = (free_symbols(&g.store, &[term]), free_symbols(&g.store, &[renamed]));
        assert!(!new.contains(&symbol));
        assert_eq!(new.contains(&fresh), old.contains(&symbol));
        let back: Map<Term, Term> =
            [(g.store.constant(fresh), g.store.constant(symbol))].into_iter().collect();
        assert_eq!(substitute(&mut g.store, &back, &[renamed]), [term], "seed {seed}");
        assert!(dag_size(&g.store, &[term]) as u64 <= tree_size(&g.store, &[term]));
    }
}

#[test]
fn import_undoes_export() {
    for seed in 0..400 {
        let mut g = Generator::new(seed, 60);
        let terms: Vec<Term> = (0..4).map(|_| g.any()).collect();
        let bytes = export(&g.store, &terms);
        let before = g.store.len();
        assert_eq!(import(&mut g.store, &bytes).expect("an export"), terms, "seed {seed}");
        assert_eq!(g.store.len(), before);

        let mut other = TermStore::new();
        let imported = import(&mut other, &bytes).expect("an export");
        for (&here, &there) in terms.iter().zip(&imported) {
            assert_eq!(print(&g.store, here), print(&other, there), "seed {seed}");
        }
        assert_eq!(export(&other, &imported).len(), bytes.len());
    }
}

#[test]
fn import_into_a_used_store_keeps_the_meaning() {
    for seed in 0..300 {
        let mut g = Generator::new(seed, 60);
        let mut other = Generator::new(seed + 1_000_000, 30);
        let terms: Vec<Term> = (0..4).map(|_| g.any()).collect();
        let imported = import(&mut other.store, &export(&g.store, &terms)).expect("an export");
        let model = g.model();
        let mut translated = Model::new();
        for (symbol, table) in model.functions() {
            let (name, params) = (g.store.name(symbol), g.store.params(symbol));
            let there = other.store.declare(name, params, g.store.result(symbol));
            translated.set_function(there, table.clone());
        }
        for (symbol, value) in model.entries() {
            // Both stores have made the one uninterpreted sort first, so it has one handle.
            let there = other.store.declare(g.store.name(symbol), &[], g.store.result(symbol));
            translated.set(there, value.clone());
        }
        for (&here, &there) in terms.iter().zip(&imported) {
            assert_eq!(
                evaluate_with_defaults(&g.store, here, &model).expect("it has a value"),
                evaluate_with_defaults(&other.store, there, &translated).expect("it has a value"),
                "seed {seed}"
            );
        }
        // There and back again is the identity.
        let back = import(&mut g.store, &export(&other.store, &imported)).expect("an export");
        assert_eq!(back, terms, "seed {seed}");
    }
}

#[test]
fn broken_bytes_are_refused_without_panic() {
    for seed in 0..300 {
        let mut g = Generator::new(seed, 30);
        let term = g.any();
        let bytes = export(&g.store, &[term]);
        for length in 0..bytes.len() {
            assert!(import(&mut TermStore::new(), &bytes[..length]).is_err());
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(import(&mut TermStore::new(), &longer).is_err());
        for _ in 0..200 {
            let mut noisy = bytes.clone();
            for _ in 0..=g.rng.below(3) {
                let at = g.rng.below(noisy.len());
                noisy[at] = g.rng.bits().to_le_bytes()[0];
            }
            // Some noise is still a term; then it must be a good one.
            let mut store = TermStore::new();
            if let Ok(terms) = import(&mut store, &noisy) {
                let again = export(&store, &terms);
                assert_eq!(import(&mut store, &again), Ok(terms));
            }
        }
    }
    let huge = [b"SHT3".as_slice(), &[0xff, 0xff, 0xff, 0xff, 0x7f]].concat();
    assert!(import(&mut TermStore::new(), &huge).is_err());
}

#[test]
fn quantifiers_and_declared_sorts_travel() {
    let mut store = TermStore::new();
    let sorts = ["B", "A"].map(|name| store.declare_sort(name));
    let f = store.declare("f", &[sorts[0]], sorts[1]);
    let (x, y) = (store.var("x", sorts[0]), store.var("y", sorts[1]));
    let fx = store.app(f, &[x]);
    let equal = store.eq(fx, y);
    let some = store.quantify(Quantifier::Exists, equal, &[x]);
    let all = store.quantify(Quantifier::Forall, some, &[y]);
    let mut other = TermStore::new();
    // The sorts have other handles here.
    other.declare_sort("A");
    let imported = import(&mut other, &export(&store, &[all, fx])).expect("an export");
    assert_eq!(print(&other, imported[0]), "(forall ((y A)) (exists ((x B)) (= y (f x))))");
    assert_eq!(other.sort(imported[1]), other.declare_sort("A"));
    let back = import(&mut store, &export(&other, &imported)).expect("an export");
    assert_eq!(back, [all, fx]);
}

#[test]
fn bytes_that_no_store_has_made_are_refused() {
    let refused = |bytes: &[u8], reason: &str| {
        let bytes = [b"SHT3".as_slice(), bytes].concat();
        let error = import(&mut TermStore::new(), &bytes).expect_err(reason);
        assert_eq!(error.reason, reason);
    };
    refused(&[1, 0, 3, b'I', b'n', b't'], "a declared sort has the name of a built-in one");
    // A constant of the fourth sort, of which there is none, and an equality of it with itself.
    refused(&[0, 1, 1, b'x', 0, 3, 0, 0], "unknown sort");
    let constant = [1, 0, 1, b'S', 1, 1, b'x', 0, 3];
    refused(
        &[&constant, [2, 2, 0, 17, 1, 1].as_slice()].concat(),
        "an equality that has another form",
    );
    // Quantifiers that bind nothing, or something that is no constant.
    refused(&[0, 0, 2, 0, 18, 1, 0, 0], "a quantifier without variables");
    refused(&[0, 0, 2, 0, 19, 1, 1, 1, 0], "what is bound is no constant");
}

#[test]
fn a_million_levels_survive_the_journey() {
    let mut store = TermStore::new();
    let f = store.declare("f", &[Sort::INT], Sort::INT);
    let mut term = store.var("x", Sort::INT);
    for _ in 0..1_000_000 {
        term = store.app(f, &[term]);
    }
    let bytes = export(&store, &[term]);
    assert_eq!(import(&mut store, &bytes).expect("an export"), [term]);
    assert_eq!(tree_size(&store, &[term]), 1_000_001);
    assert_eq!(free_symbols(&store, &[term]).len(), 2);
}
