//! What pictures contain.

use shofar_chc::{Clause, PredAtom};
use shofar_term::Sort;

use super::*;

/// A fact, two loops of one predicate, a clause with a body of two, and a query.
pub(crate) fn two_predicates(store: &mut TermStore) -> ChcSystem {
    let mut system = ChcSystem::new();
    let preds = ["a\"<b", "q"].map(|n| system.add_pred(store.declare(n, &[Sort::INT], Sort::BOOL)));
    let x = store.var("x", Sort::INT);
    let atom = |at: usize| PredAtom { pred: preds[at], args: vec![x] };
    let constraint = store.top();
    let mut add = |body: Vec<PredAtom>, head: Option<PredAtom>| {
        system.add_clause(Clause { head, body, constraint, span: None });
    };
    add(vec![], Some(atom(0)));
    add(vec![atom(0)], Some(atom(0)));
    add(vec![atom(0)], Some(atom(0)));
    add(vec![atom(0), atom(0)], Some(atom(1)));
    add(vec![atom(1)], None);
    system
}

fn draw(store: &TermStore, system: &ChcSystem) -> String {
    graph_svg(store, system, &Captions::unknown())
}

#[test]
fn the_picture_is_well_formed_and_complete() {
    let mut store = TermStore::new();
    let system = two_predicates(&mut store);
    let text = draw(&store, &system);
    assert!(text.contains("<title>(declare-fun |a&quot;&lt;b| (Int) Bool)</title>"), "{text}");
    assert!(text.contains(">a&quot;&lt;b/1</text>") && text.contains(">1, 2</text>"), "{text}");
    assert!(text.contains("<title>clause 1\nclause 2</title>"), "{text}");
    assert_eq!(text.matches("<title>").count(), 4 + 4);
    assert_eq!(text.matches("<g ").count(), text.matches("</g>").count());
    assert_eq!(text.matches("marker-end").count(), 4, "one arrow for each box");
    assert!(text.contains("class=\"clause fact\"") && text.contains("class=\"clause query\""));
    assert_eq!(text, draw(&store, &system), "the same system gives the same picture");
}

#[test]
fn a_system_without_anything_is_drawn() {
    let text = draw(&TermStore::new(), &ChcSystem::new());
    assert!(text.contains(">true</text>") && text.contains(">false</text>"));
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
}

#[test]
fn long_names_are_cut_and_told_in_full() {
    let mut store = TermStore::new();
    let mut system = ChcSystem::new();
    let name = format!("begin{}end", "x".repeat(200));
    system.add_pred(store.declare(&name, &[], Sort::BOOL));
    let text = draw(&store, &system);
    assert!(text.contains(&format!("<title>(declare-fun {name} () Bool)</title>")), "{text}");
    assert!(text.contains(">beginxxxxxxxxxxx…xxxxxxxxxxend/0</text>"), "{text}");
}
