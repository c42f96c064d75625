//! Numbers made of zero and successor as integers: verdicts stay, and witnesses come back.

mod support;

use shofar_base::{Budget, GaveUp};
use shofar_chc::{
    ChcSystem, Clause, Definition, Exactness, Interpretation, PredAtom, PredId, Verdict,
    formal_params,
};
use shofar_term::eval::{Model, Value, evaluate};
use shofar_term::{
    ConstructorDeclaration, Cx, DataDeclaration, FieldSort, Sort, Symbol, Term, TermStore,
};
use shofar_transform::{Naturals, Pass};
use support::{saturate, validate};

/// The terms over `nat` that tests need.
struct Nat {
    sort: Sort,
    zero: Term,
}

impl Nat {
    fn declare(store: &mut TermStore) -> Self {
        let field = ("p".into(), FieldSort::Own(0));
        let constructors = vec![
            ConstructorDeclaration { name: "z".into(), fields: Vec::new() },
            ConstructorDeclaration { name: "s".into(), fields: vec![field] },
        ];
        let declaration = DataDeclaration { name: "nat".into(), constructors };
        let sort = store.declare_data(vec![declaration]).expect("it is well-formed")[0];
        let zero = store.constructors(sort).expect("it is a data type")[0];
        Self { sort, zero: store.construct(zero, &[]) }
    }
    fn next(&self, store: &mut TermStore, term: Term) -> Term {
        let successor = store.constructors(self.sort).expect("it is a data type")[1];
        store.construct(successor, &[term])
    }
    fn before(&self, store: &mut TermStore, term: Term) -> Term {
        let successor = store.constructors(self.sort).expect("it is a data type")[1];
        let field = store.constructor_fields(successor)[0];
        store.field(field, term)
    }
    /// The numeral of a small number.
    fn numeral(&self, store: &mut TermStore, number: usize) -> Term {
        (0..number).fold(self.zero, |term, _| self.next(store, term))
    }
}

fn clause(body: &[(PredId, Term)], constraint: Term, head: Option<(PredId, Term)>) -> Clause {
    let atom = |&(pred, arg): &(PredId, Term)| PredAtom { pred, args: vec![arg] };
    let body = body.iter().map(atom).collect();
    Clause { head: head.as_ref().map(atom), body, constraint, span: None }
}

/// `p(0)`, `p(n) ∧ n ≠ last → p(n + 2)`, and `p(bad) → false`.
fn even(store: &mut TermStore, nat: &Nat, last: usize, bad: usize) -> ChcSystem {
    let mut system = ChcSystem::new();
    let symbol = store.declare("p", &[nat.sort], Sort::BOOL);
    let pred = system.add_pred(symbol);
    let n = store.var("n", nat.sort);
    let top = store.top();
    system.add_clause(clause(&[], top, Some((pred, nat.zero))));
    let (one, last) = (nat.next(store, n), nat.numeral(store, last));
    let two = nat.next(store, one);
    let same = store.eq(n, last);
    let other = store.not(same);
    system.add_clause(clause(&[(pred, n)], other, Some((pred, two))));
    let bad = nat.numeral(store, bad);
    let is_bad = store.eq(n, bad);
    system.add_clause(clause(&[(pred, n)], is_bad, None));
    system
}

#[test]
fn witnesses_come_back() {
    for (bad, is_safe) in [(4, false), (5, true), (8, true)] {
        let (mut store, budget) = (TermStore::new(), Budget::unlimited());
        let nat = Nat::declare(&mut store);
        let source = even(&mut store, &nat, 6, bad);
        let cx = &mut Cx::new(&mut store, &budget);
        let (target, back) = Naturals.apply(cx, source.clone()).expect("there is no limit");
        assert_eq!(back.exactness(), Exactness::Exact);
        let pred = target.preds().next().expect("there is one");
        assert_eq!(target.sorts(cx.store, pred), [Sort::INT]);
        match saturate::solve(cx, &target, 40).expect("there are few facts") {
            Verdict::Safe(model) => {
                assert!(is_safe);
                let model = back.model(cx, model).expect("models come back");
                let definition = model.get(pred).expect("it is defined").clone();
                for number in 0..10 {
                    let numeral = nat.numeral(cx.store, number);
                    let holds = definition.apply(cx.store, &[numeral]);
                    let even = Value::Bool(number % 2 == 0 && number <= 6);
                    assert_eq!(evaluate(cx.store, holds, &Model::new()), Ok(even), "{number}");
                }
            }
            Verdict::Unsafe(refutation) => {
                assert!(!is_safe);
                let refutation = back.refutation(cx, refutation).expect("refutations come back");
                validate::derivation(cx, &source, &refutation);
            }
        }
    }
}

/// The model that says `body` of the only argument.
fn model_of(
    cx: &mut Cx<'_>,
    target: &ChcSystem,
    body: impl FnOnce(&mut TermStore, &[Term]) -> Term,
) -> Interpretation {
    let pred = target.preds().next().expect("there is one");
    let params: Vec<Symbol> = formal_params(cx.store, target, pred);
    let args: Vec<Term> = params.iter().map(|&param| cx.store.constant(param)).collect();
    let body = body(cx.store, &args);
    let mut model = Interpretation::new();
    model.define(pred, Definition { params, body });
    model
}

#[test]
fn bounds_are_unfolded_and_more_is_given_up() {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let nat = Nat::declare(&mut store);
    let source = even(&mut store, &nat, 6, 5);
    let cx = &mut Cx::new(&mut store, &budget);
    let (target, back) = Naturals.apply(cx, source).expect("there is no limit");
    let bounded = model_of(cx, &target, |store, args| {
        let (two, four) = (store.int(2), store.int(4));
        let parts = [store.ge(args[0], two), store.le(args[0], four)];
        store.and(&parts)
    });
    let model = back.model(cx, bounded).expect("bounds come back");
    let definition = model.get(target.preds().next().expect("one")).expect("defined").clone();
    for number in 0..8 {
        let numeral = nat.numeral(cx.store, number);
        let holds = definition.apply(cx.store, &[numeral]);
        let within = Value::Bool((2..=4).contains(&number));
        assert_eq!(evaluate(cx.store, holds, &Model::new()), Ok(within), "{number}");
    }
    let even = model_of(cx, &target, |store, args| store.divisible(&2.into(), args[0]));
    assert!(matches!(back.model(cx, even), Err(GaveUp::Incomplete(_))));
}

#[test]
fn a_predecessor_of_zero_is_any_number() {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let nat = Nat::declare(&mut store);
    let mut source = ChcSystem::new();
    let n = store.var("n", nat.sort);
    let (before, seven) = (nat.before(&mut store, n), nat.numeral(&mut store, 7));
    let parts = [store.eq(n, nat.zero), store.eq(before, seven)];
    let constraint = store.and(&parts);
    source.add_clause(clause(&[], constraint, None));
    let cx = &mut Cx::new(&mut store, &budget);
    let (target, back) = Naturals.apply(cx, source).expect("there is no limit");
    assert_eq!(back.exactness(), Exactness::Over);
    let Some(Verdict::Unsafe(refutation)) = saturate::solve(cx, &target, 10) else {
        panic!("the numbers have a refutation")
    };
    assert!(matches!(back.refutation(cx, refutation), Err(GaveUp::Incomplete(_))));
}

/// Lists of numbers stay as they are.
#[test]
fn numbers_inside_other_data_are_left_alone() {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let nat = Nat::declare(&mut store);
    let fields =
        vec![("head".into(), FieldSort::Known(nat.sort)), ("tail".into(), FieldSort::Own(0))];
    let constructors = vec![
        ConstructorDeclaration { name: "nil".into(), fields: Vec::new() },
        ConstructorDeclaration { name: "cons".into(), fields },
    ];
    let list = DataDeclaration { name: "list".into(), constructors };
    let list = store.declare_data(vec![list]).expect("it is well-formed")[0];
    let mut source = even(&mut store, &nat, 6, 5);
    let symbol = store.declare("q", &[list], Sort::BOOL);
    let pred = source.add_pred(symbol);
    let (l, top) = (store.var("l", list), store.top());
    source.add_clause(clause(&[], top, Some((pred, l))));
    let cx = &mut Cx::new(&mut store, &budget);
    let (target, _) = Naturals.apply(cx, source).expect("there is no limit");
    let pred = target.preds().next().expect("there is one");
    assert_eq!(target.sorts(cx.store, pred), [nat.sort]);
}
