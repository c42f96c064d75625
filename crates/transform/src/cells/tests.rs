//! What becomes of a loop that writes into an array.

use shofar_base::Budget;
use shofar_chc::{Clause, DerivationStep, PredAtom};
use shofar_term::eval::Model;

use super::*;

/// `init: a[k] is 0 everywhere, i = 0`; a loop writes 1 at `i`; the query reads at `j` in range
/// something negative.
fn filling(store: &mut TermStore) -> ChcSystem {
    let sort = store.array_sort(Sort::INT, Sort::INT);
    let mut system = ChcSystem::new();
    let p = store.declare("p", &[Sort::INT, sort], Sort::BOOL);
    let p = system.add_pred(p);
    let (i, a, j) = (store.var("i", Sort::INT), store.var("a", sort), store.var("j", Sort::INT));
    let (zero, one) = (store.int(0), store.int(1));
    let empty = store.constant_array(sort, zero);
    let clause = |head, body, constraint| Clause { head, body, constraint, span: None };
    let atom = |i, a| PredAtom { pred: p, args: vec![i, a] };
    let top = store.top();
    system.add_clause(clause(Some(atom(zero, empty)), vec![], top));
    let (next, written) = (store.add(&[i, one]), store.store(a, i, one));
    system.add_clause(clause(Some(atom(next, written)), vec![atom(i, a)], top));
    let read = store.select(a, j);
    let negative = store.lt(read, zero);
    system.add_clause(clause(None, vec![atom(i, a)], negative));
    system
}

fn made(
    store: &mut TermStore,
    mode: Mode,
) -> (ChcSystem, Box<dyn BackTranslation<ChcSystem, ChcSystem>>) {
    let system = filling(store);
    let budget = Budget::unlimited();
    let mut cx = Cx::new(store, &budget);
    let (target, back) = Cells::new(mode).apply(&mut cx, system).expect("there is no limit");
    target.assert_well_formed(store);
    assert!(is_arithmetic(store, &target));
    assert_eq!(back.exactness(), Exactness::Over);
    (target, back)
}

#[test]
fn forgotten_arrays_leave_scalars_and_one_instance_each() {
    let mut store = TermStore::new();
    let (target, back) = made(&mut store, Mode::Forget);
    let pred = target.preds().next().expect("there is one");
    assert_eq!(target.sorts(&store, pred), [Sort::INT]);
    assert!(target.clauses().all(|(_, clause)| clause.body.len() <= 1));
    let mut model = Interpretation::new();
    model.define_constant(&mut store, &target, pred, true);
    let budget = Budget::unlimited();
    let model = back.model(&mut Cx::new(&mut store, &budget), model).expect("no limit");
    let body = model.get(pred).expect("it is defined").body;
    assert_eq!(body, store.top());
}

#[test]
fn a_cell_is_followed_through_writes() {
    let mut store = TermStore::new();
    let (target, back) = made(&mut store, Mode::Shared(Vec::new()));
    let pred = target.preds().next().expect("there is one");
    assert_eq!(target.sorts(&store, pred), [Sort::INT, Sort::INT, Sort::INT]);
    // `p'(i, k, c) := c ≥ 0` is a model, and comes back as `∀k. a[k] ≥ 0`.
    let params = formal_params(&mut store, &target, pred);
    let (cell, zero) = (store.constant(params[2]), store.int(0));
    let body = store.ge(cell, zero);
    let mut model = Interpretation::new();
    model.define(pred, Definition { params, body });
    for (id, _) in target.clauses() {
        assert!(is_valid(&mut store, &target, &model, id), "clause {id:?}");
    }
    let budget = Budget::unlimited();
    let model = back.model(&mut Cx::new(&mut store, &budget), model).expect("no limit");
    let body = model.get(pred).expect("the same number").body;
    let (quantifier, _, variables) = store.quantified(body).expect("it speaks of all indices");
    assert_eq!((quantifier, variables.len()), (Quantifier::Forall, 1));
}

/// Whether the clause holds under the model.
fn is_valid(
    store: &mut TermStore,
    system: &ChcSystem,
    model: &Interpretation,
    id: ClauseId,
) -> bool {
    let clause = system.clause(id);
    let mut parts = vec![clause.constraint];
    let meaning = |store: &mut TermStore, atom: &PredAtom| {
        model.get(atom.pred).expect("it is defined").apply(store, &atom.args)
    };
    for atom in &clause.body {
        parts.push(meaning(store, atom));
    }
    if let Some(head) = &clause.head {
        let head = meaning(store, head);
        parts.push(store.not(head));
    }
    let violated = store.and(&parts);
    let budget = Budget::unlimited();
    let mut solver = shofar_smt::Solver::new(shofar_smt::Options::default());
    solver.add(store, violated);
    let answer = solver.check(&mut Cx::new(store, &budget));
    matches!(answer, Ok(shofar_smt::Answer::Unsat(_)))
}

#[test]
fn two_cells_and_own_cells_have_as_many_arguments() {
    let mut store = TermStore::new();
    let (target, _) = made(&mut store, Mode::Pair);
    let pred = target.preds().next().expect("there is one");
    assert_eq!(target.sorts(&store, pred).len(), 5);
    let (target, _) = made(&mut store, Mode::Own);
    let pred = target.preds().next().expect("there is one");
    assert_eq!(target.sorts(&store, pred).len(), 3);
}

/// `p(a) ∧ q(a, b) → r(b)`: the head asks for a cell of `b`, whose instance of `q` asks for one of
/// `a`.
#[test]
fn a_cell_is_asked_for_through_another_atom() {
    let mut store = TermStore::new();
    let sort = store.array_sort(Sort::INT, Sort::INT);
    let mut system = ChcSystem::new();
    let [p, q, r] = [("p", 1), ("q", 2), ("r", 1)].map(|(name, count)| {
        let symbol = store.declare(name, &vec![sort; count], Sort::BOOL);
        system.add_pred(symbol)
    });
    let (a, b, constraint) = (store.var("a", sort), store.var("b", sort), store.top());
    let atom = |pred, args: &[Term]| PredAtom { pred, args: args.to_vec() };
    let (body, head) = (vec![atom(p, &[a]), atom(q, &[a, b])], Some(atom(r, &[b])));
    let id = system.add_clause(Clause { head, body, constraint, span: None });
    let budget = Budget::unlimited();
    let mut cx = Cx::new(&mut store, &budget);
    let (target, _) =
        Cells::new(Mode::Shared(Vec::new())).apply(&mut cx, system).expect("no limit");
    // All atoms speak of the index of the head, and agree about the cells there.
    let clause = target.clause(id);
    let head = clause.head.as_ref().expect("it keeps its head");
    let [p, q] = clause.body.as_slice() else { panic!("one instance each") };
    assert_eq!((p.args[0], q.args[0]), (head.args[0], head.args[0]));
    assert_eq!((p.args[1], head.args[1]), (q.args[1], q.args[2]));
}

/// `p(a) ∧ p(b) → false`: without the arrays both atoms are the same, and have one premise.
#[test]
fn atoms_that_become_the_same_share_their_premise() {
    let mut store = TermStore::new();
    let sort = store.array_sort(Sort::INT, Sort::INT);
    let mut system = ChcSystem::new();
    let symbol = store.declare("p", &[sort], Sort::BOOL);
    let pred = system.add_pred(symbol);
    let (a, b, constraint) = (store.var("a", sort), store.var("b", sort), store.top());
    let atom = |array| PredAtom { pred, args: vec![array] };
    let fact = Clause { head: Some(atom(a)), body: vec![], constraint, span: None };
    let query = Clause { head: None, body: vec![atom(a), atom(b)], constraint, span: None };
    let [fact, query] = [fact, query].map(|clause| system.add_clause(clause));
    let budget = Budget::unlimited();
    let mut cx = Cx::new(&mut store, &budget);
    let (target, back) = Cells::new(Mode::Forget).apply(&mut cx, system).expect("no limit");
    assert_eq!(target.clause(query).body.len(), 1);
    let step = |clause, premises| DerivationStep { clause, assignment: Model::new(), premises };
    let refutation = Derivation::ground(vec![step(fact, vec![]), step(query, vec![0])]);
    let found = back.refutation(&mut cx, refutation).expect("it is one");
    assert_eq!(found.steps[1].premises, [0, 0]);
}

/// `p(i, a)` begins with `a[i] = 0`; a step adds 1 to `a[i]` and may do anything to `b`; the query
/// says that `a[i]` is negative.
fn counting(store: &mut TermStore) -> ChcSystem {
    let sort = store.array_sort(Sort::INT, Sort::INT);
    let mut system = ChcSystem::new();
    let p = store.declare("p", &[Sort::INT, sort, sort], Sort::BOOL);
    let p = system.add_pred(p);
    let (i, a) = (store.var("i", Sort::INT), store.var("a", sort));
    let [b, c] = ["b", "c"].map(|name| store.var(name, sort));
    let (zero, one) = (store.int(0), store.int(1));
    let atom = |i, a, b| PredAtom { pred: p, args: vec![i, a, b] };
    let clause = |head, body, constraint| Clause { head, body, constraint, span: None };
    let read = store.select(a, i);
    let begin = store.eq(read, zero);
    system.add_clause(clause(Some(atom(i, a, b)), vec![], begin));
    let more = store.add(&[read, one]);
    let written = store.store(a, i, more);
    let top = store.top();
    system.add_clause(clause(Some(atom(i, written, c)), vec![atom(i, a, b)], top));
    let negative = store.lt(read, zero);
    system.add_clause(clause(None, vec![atom(i, a, b)], negative));
    system
}

/// The refutation that forgets what is in the array is spurious and asks for `a[i]`; with it the
/// clauses have a model without `∀`.
#[test]
fn a_spurious_refutation_says_which_cell_to_watch() {
    let mut store = TermStore::new();
    let system = counting(&mut store);
    let budget = Budget::unlimited();
    let mut cx = Cx::new(&mut store, &budget);
    let forget = Cells::new(Mode::Forget);
    let (_, back) = forget.apply(&mut cx, system.clone()).expect("no limit");
    let ids: Vec<ClauseId> = system.clauses().map(|(id, _)| id).collect();
    let step = |clause, premises| DerivationStep { clause, assignment: Model::new(), premises };
    let refutation = Derivation::ground(vec![step(ids[0], vec![]), step(ids[2], vec![0])]);
    let outcome = back.refutation(&mut cx, refutation);
    assert!(matches!(outcome, Err(GaveUp::Incomplete(_))), "{outcome:?}");
    let watched = forget.wanted.watches();
    assert_eq!(watched.len(), 1, "{watched:?}");
    let watching = Cells { mode: Mode::Forget, watched, wanted: Wanted::default() };
    assert_eq!(watching.name(), "watched cells");
    let (target, back) = watching.apply(&mut cx, system).expect("no limit");
    let pred = target.preds().next().expect("there is one");
    assert_eq!(target.sorts(cx.store, pred), [Sort::INT, Sort::INT]);
    assert!(target.clauses().all(|(_, clause)| clause.body.len() <= 1));
    let params = formal_params(cx.store, &target, pred);
    let (cell, zero) = (cx.store.constant(params[1]), cx.store.int(0));
    let body = cx.store.ge(cell, zero);
    let mut model = Interpretation::new();
    model.define(pred, Definition { params, body });
    for (id, _) in target.clauses() {
        assert!(is_valid(cx.store, &target, &model, id), "clause {id:?}");
    }
    let model = back.model(&mut cx, model).expect("no limit");
    let body = model.get(pred).expect("the same number").body;
    assert!(cx.store.quantified(body).is_none());
}
