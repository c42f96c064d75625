//! Small systems with known answers; every witness is checked against the clauses.

use shofar_base::Budget;
use shofar_chc::{ChcSystem, Clause, Derivation, Interpretation, PredAtom, PredId, Verdict};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::Evaluator;
use shofar_term::{Sort, Term, TermStore};

use super::*;

/// A system over one store.
struct Builder {
    store: TermStore,
    system: ChcSystem,
}

impl Builder {
    fn new() -> Self {
        Self { store: TermStore::new(), system: ChcSystem::new() }
    }
    fn pred(&mut self, name: &str, sorts: &[Sort]) -> PredId {
        let symbol = self.store.declare(name, sorts, Sort::BOOL);
        self.system.add_pred(symbol)
    }
    fn int(&mut self, name: &str) -> Term {
        self.store.var(name, Sort::INT)
    }
    fn clause(
        &mut self,
        body: &[(PredId, &[Term])],
        constraint: &[Term],
        head: Option<(PredId, &[Term])>,
    ) {
        let atom = |&(pred, args): &(PredId, &[Term])| PredAtom { pred, args: args.to_vec() };
        let constraint = self.store.and(constraint);
        let clause = Clause {
            head: head.as_ref().map(atom),
            body: body.iter().map(atom).collect(),
            constraint,
            span: None,
        };
        self.system.add_clause(clause);
    }
    fn plus(&mut self, x: Term, n: i64) -> Term {
        let n = self.store.int(n);
        self.store.add(&[x, n])
    }
    fn decide(self) -> bool {
        self.decide_with(SpacerOptions::default())
    }
    fn decide_with(mut self, options: SpacerOptions) -> bool {
        self.system.assert_well_formed(&self.store);
        let budget = Budget::until(std::time::Instant::now() + std::time::Duration::from_secs(10));
        let mut cx = Cx::new(&mut self.store, &budget);
        let normal = NormalSystem::of(cx.store, self.system.clone());
        match Spacer::new(options).solve(&mut cx, &normal).expect("it is decided in time") {
            Verdict::Safe(model) => {
                check_model(&mut cx, &self.system, &model);
                true
            }
            Verdict::Unsafe(refutation) => {
                check_refutation(cx.store, &self.system, &refutation);
                false
            }
        }
    }
}

fn check_model(cx: &mut Cx<'_>, system: &ChcSystem, model: &Interpretation) {
    for (id, clause) in system.clauses() {
        let mut solver = Solver::new(Options::default());
        solver.add(cx.store, clause.constraint);
        for atom in &clause.body {
            let said = model.get(atom.pred).expect("all are defined").apply(cx.store, &atom.args);
            solver.add(cx.store, said);
        }
        if let Some(head) = &clause.head {
            let said = model.get(head.pred).expect("all are defined").apply(cx.store, &head.args);
            let not = cx.store.not(said);
            solver.add(cx.store, not);
        }
        assert!(matches!(solver.check(cx), Ok(Answer::Unsat(_))), "clause {id:?} holds");
    }
}

fn check_refutation(store: &TermStore, system: &ChcSystem, refutation: &Derivation) {
    for (index, step) in refutation.steps.iter().enumerate() {
        let clause = system.clause(step.clause);
        let mut evaluator = Evaluator::with_defaults(&step.assignment);
        assert!(evaluator.holds(store, clause.constraint).expect("it has a value"), "step {index}");
        assert_eq!(clause.body.len(), step.premises.len());
        for (atom, &premise) in clause.body.iter().zip(&step.premises) {
            assert!(premise < index);
            let values = atom
                .args
                .iter()
                .map(|&t| evaluator.evaluate(store, t).expect("it has a value"))
                .collect();
            assert_eq!(refutation.fact(store, system, premise), Ok(Some((atom.pred, values))));
        }
    }
    let last = refutation.steps.last().expect("a refutation is not empty");
    assert!(system.clause(last.clause).is_query());
}

/// x = 0; x += 1 while x < 10; x ≤ `limit`.
fn counter(limit: i64) -> Builder {
    let mut b = Builder::new();
    let (p, x) = (b.pred("p", &[Sort::INT]), b.int("x"));
    let (zero, ten, limit) = (b.store.int(0), b.store.int(10), b.store.int(limit));
    b.clause(&[], &[], Some((p, &[zero])));
    let (below, next) = (b.store.lt(x, ten), b.plus(x, 1));
    b.clause(&[(p, &[x])], &[below], Some((p, &[next])));
    let above = b.store.gt(x, limit);
    b.clause(&[(p, &[x])], &[above], None);
    b
}

#[test]
fn counters() {
    assert!(counter(10).decide());
    assert!(counter(12).decide());
    assert!(!counter(9).decide());
}

/// x = 0, y = 0; x += y, y += 1; x ≥ 0 ([Bli22] §3.2).
fn growing(sort: Sort) -> Builder {
    let mut b = Builder::new();
    let p = b.pred("p", &[sort, sort]);
    let (x, y) = (b.store.var("x", sort), b.store.var("y", sort));
    let zero = b.store.number(shofar_num::Rational::ZERO, sort);
    let one = b.store.number(shofar_num::Rational::ONE, sort);
    b.clause(&[], &[], Some((p, &[zero, zero])));
    let (sum, next) = (b.store.add(&[x, y]), b.store.add(&[y, one]));
    b.clause(&[(p, &[x, y])], &[], Some((p, &[sum, next])));
    let negative = b.store.lt(x, zero);
    b.clause(&[(p, &[x, y])], &[negative], None);
    b
}

/// McCarthy's function is 91 up to 101; `claim` is what is asked of the result above `from`.
fn mc91(claim: i64) -> Builder {
    let mut b = Builder::new();
    let m = b.pred("mc", &[Sort::INT, Sort::INT]);
    let (n, r, t) = (b.int("n"), b.int("r"), b.int("t"));
    let (hundred, result) = (b.store.int(100), b.store.int(claim));
    let (above, less) = (b.store.gt(n, hundred), b.plus(n, -10));
    b.clause(&[], &[above], Some((m, &[n, less])));
    let (below, more) = (b.store.le(n, hundred), b.plus(n, 11));
    b.clause(&[(m, &[more, t]), (m, &[t, r])], &[below], Some((m, &[n, r])));
    let at_most = {
        let limit = b.store.int(101);
        b.store.le(n, limit)
    };
    let differs = {
        let same = b.store.eq(r, result);
        b.store.not(same)
    };
    b.clause(&[(m, &[n, r])], &[at_most, differs], None);
    b
}

#[test]
fn nonlinear_recursion() {
    assert!(mc91(91).decide());
    assert!(!mc91(92).decide());
}

#[test]
fn sums_grow() {
    assert!(growing(Sort::INT).decide());
    assert!(growing(Sort::REAL).decide());
}

/// Without guidance, with each rule alone, and with all of them.
fn guidances() -> [Guidance; 5] {
    [
        Guidance::NONE,
        Guidance { subsume: true, ..Guidance::NONE },
        Guidance { conjecture: true, ..Guidance::NONE },
        Guidance { concretize: true, ..Guidance::NONE },
        Guidance::ALL,
    ]
}

#[test]
fn no_way_to_search_changes_the_verdict() {
    for guidance in guidances() {
        for seed in 0..3 {
            let options = || SpacerOptions { seed, guidance, ..SpacerOptions::default() };
            assert!(counter(10).decide_with(options()), "{:?}", options());
            assert!(!counter(9).decide_with(options()), "{:?}", options());
            assert!(mc91(91).decide_with(options()), "{:?}", options());
            assert!(!mc91(92).decide_with(options()), "{:?}", options());
        }
    }
}

#[test]
fn no_interpolation_changes_the_verdict() {
    use shofar_smt::LinearAlgorithm::{Decomposed, DualDecomposed, DualFarkas, Farkas};
    for linear in [Farkas, DualFarkas, Decomposed, DualDecomposed] {
        let mut options = SpacerOptions::default();
        options.interpolation.linear = linear;
        assert!(counter(10).decide_with(options.clone()), "{options:?}");
        assert!(mc91(91).decide_with(options.clone()), "{options:?}");
        assert!(!mc91(92).decide_with(options.clone()), "{options:?}");
    }
}

/// x = 0, y = 0; x += 1, y += 1; x = y: without guidance, lemmas that forbid single points never
/// end.
fn diagonal() -> Builder {
    let mut b = Builder::new();
    let p = b.pred("p", &[Sort::INT, Sort::INT]);
    let (x, y) = (b.int("x"), b.int("y"));
    let zero = b.store.int(0);
    b.clause(&[], &[], Some((p, &[zero, zero])));
    let (more_x, more_y) = (b.plus(x, 1), b.plus(y, 1));
    b.clause(&[(p, &[x, y])], &[], Some((p, &[more_x, more_y])));
    let differs = {
        let same = b.store.eq(x, y);
        b.store.not(same)
    };
    b.clause(&[(p, &[x, y])], &[differs], None);
    b
}

#[test]
fn a_search_that_is_begun_anew_goes_on_from_what_it_knows() {
    for (builder, is_safe) in [(mc91(91), true), (mc91(92), false), (diagonal(), true)] {
        let Builder { mut store, system } = builder;
        let budget = Budget::until(std::time::Instant::now() + std::time::Duration::from_secs(10));
        let mut cx = Cx::new(&mut store, &budget);
        let normal = NormalSystem::of(cx.store, system.clone());
        let rules = Rc::new(Rules::new(cx.store, &normal));
        let mut search = Search::new(cx.store, &normal, rules, SpacerOptions::default());
        let verdict = loop {
            if let Some(verdict) = work(&mut cx, &mut search, 10).expect("nothing stops it") {
                break verdict;
            }
            let lemmas = search.frames.lemmas.iter().map(Vec::len).sum::<usize>();
            search.restart(cx.store);
            assert_eq!(lemmas, search.frames.lemmas.iter().map(Vec::len).sum::<usize>());
        };
        match verdict {
            Verdict::Safe(ref model) => check_model(&mut cx, &system, model),
            Verdict::Unsafe(ref run) => check_refutation(cx.store, &system, run),
        }
        assert_eq!(matches!(verdict, Verdict::Safe(_)), is_safe);
    }
}
