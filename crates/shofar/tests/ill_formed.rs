//! Clauses that a program makes are refused if they have no meaning; nothing ill-formed reaches an
//! engine.

use shofar::base::Idx;
use shofar::chc::{ChcSystem, Clause, PredAtom, PredId};
use shofar::term::{Sort, Symbol, Term, TermStore};
use shofar::{Answer, Problem, Solver};

/// A store with a predicate over integers and a variable.
struct Maker {
    store: TermStore,
    system: ChcSystem,
    pred: PredId,
    symbol: Symbol,
    x: Term,
}

impl Maker {
    fn new() -> Self {
        let (mut store, mut system) = (TermStore::new(), ChcSystem::new());
        let symbol = store.declare("p", &[Sort::INT], Sort::BOOL);
        let (pred, x) = (system.add_pred(symbol), store.var("x", Sort::INT));
        Self { store, system, pred, symbol, x }
    }
    /// What is said of `p(args) ← constraint`.
    fn complaint(mut self, pred: PredId, args: Vec<Term>, constraint: Term) -> String {
        let head = Some(PredAtom { pred, args });
        self.system.add_clause(Clause { head, body: Vec::new(), constraint, span: None });
        match Problem::from_clauses(self.store, self.system) {
            Ok(_) => "nothing".to_owned(),
            Err(error) => error.to_string(),
        }
    }
}

#[test]
fn constraints_are_formulas_without_predicates() {
    let mut maker = Maker::new();
    let one = maker.store.int(1);
    let sum = maker.store.add(&[maker.x, one]);
    let (pred, x) = (maker.pred, maker.x);
    let said = maker.complaint(pred, vec![x], sum);
    assert_eq!(said, "clause 0: the constraint `(+ x 1)` is of sort Int, not Bool");

    let mut maker = Maker::new();
    let inner = maker.store.app(maker.symbol, &[maker.x]);
    let (pred, x) = (maker.pred, maker.x);
    let said = maker.complaint(pred, vec![x], inner);
    assert!(said.contains("`p` has arguments or is a predicate"), "{said}");

    let mut maker = Maker::new();
    let f = maker.store.declare("f", &[Sort::INT], Sort::INT);
    let applied = maker.store.app(f, &[maker.x]);
    let (pred, top) = (maker.pred, maker.store.top());
    let said = maker.complaint(pred, vec![applied], top);
    assert!(said.contains("`f` has arguments"), "{said}");
}

#[test]
fn atoms_fit_their_signatures() {
    let maker = Maker::new();
    let (pred, x, top) = (maker.pred, maker.x, maker.store.top());
    let said = maker.complaint(pred, vec![x, x], top);
    assert_eq!(said, "clause 0: `p` takes 1 arguments, 2 are given");

    let mut maker = Maker::new();
    let real = maker.store.var("r", Sort::REAL);
    let (pred, top) = (maker.pred, maker.store.top());
    let said = maker.complaint(pred, vec![real], top);
    assert_eq!(said, "clause 0: argument 1 of `p` is of sort Int, but `r` of sort Real");

    let maker = Maker::new();
    let (x, top) = (maker.x, maker.store.top());
    let said = maker.complaint(PredId::from_index(7), vec![x], top);
    assert_eq!(said, "clause 0: there is no predicate with number 7");

    let mut maker = Maker::new();
    let f = maker.store.declare("f", &[Sort::INT], Sort::INT);
    let f = maker.system.add_pred(f);
    let (x, top) = (maker.x, maker.store.top());
    assert_eq!(maker.complaint(f, vec![x], top), "`f` is a function, not a predicate");
}

#[test]
fn what_is_well_formed_is_solved() {
    let mut maker = Maker::new();
    let zero = maker.store.int(0);
    let positive = maker.store.gt(maker.x, zero);
    let head = Some(PredAtom { pred: maker.pred, args: vec![maker.x] });
    let fact = Clause { head, body: Vec::new(), constraint: positive, span: None };
    maker.system.add_clause(fact);
    let problem = Problem::from_clauses(maker.store, maker.system).expect("it has a meaning");
    assert!(matches!(Solver::new().solve(problem).answer, Answer::Safe(_)));
}
