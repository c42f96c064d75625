//! A newcomer among the engines, as `docs/adding-an-engine.md` tells it: the engine, its options
//! and its row stand in this file, and nothing else knows of it. Inside the project the file would
//! be a folder of `crates/engine/src`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use shofar_base::StopHandle;
use shofar_chc::Verdict;
use shofar_chc::read::read_horn;
use shofar_check::HornInput;
use shofar_driver::{Failure, Settings, Solved, solve};
use shofar_engine::{EngineInfo, EngineOptions, Fragment, Make};
use shofar_term::TermStore;

use bounds::{Bounds, BoundsOptions};

/// The row of the registry.
static BOUNDS: EngineInfo = EngineInfo {
    name: "bounds",
    cites: "FL01",
    about: "bounds on single arguments, as many as are inductive together: any clauses",
    fragment: Fragment::Any,
    is_strengthened: true,
    options: Some(&bounds::OPTIONS),
    make: Make::Chc(|o| Box::new(Bounds::new(BoundsOptions { seed: o.seed, ..o.own() }))),
};

// The folder of the engine.
mod bounds {
    //! Bounds on single arguments, as many as are inductive together.
    //!
    //! The candidates are the bounds `x ≤ c` and `x ≥ c` on single arguments, for small numbers
    //! `c`. Those that some clause does not preserve are dropped until all are preserved; if no
    //! query fires from the rest, that is a model. There are no refutations.
    //!
    //! Invariant: every candidate that is left contains what is derivable by fewer rounds than were
    //! made.
    //!
    //! Source: [FL01].

    use shofar_base::{GaveUp, IndexVec, Outcome};
    use shofar_chc::{
        Clause, Definition, Engine, Interpretation, NormalSystem, PredAtom, PredId, Verdict,
        formal_params,
    };
    use shofar_engine::{EngineOption, OptionGroup, OptionScope, OptionValue};
    use shofar_smt::{Answer, Options, Solver};
    use shofar_term::{Cx, Term, TermStore};

    /// What the engine can be told.
    #[derive(Clone, Debug)]
    pub(crate) struct BoundsOptions {
        /// Perturbs ties.
        pub(crate) seed: u64,
        /// Bounds are at most so far from 0.
        pub(crate) range: i64,
    }

    impl Default for BoundsOptions {
        fn default() -> Self {
            Self { seed: 0, range: 1 }
        }
    }

    /// The options of users.
    pub(crate) const OPTIONS: OptionGroup = OptionGroup {
        heading: "Bounds",
        options: &[EngineOption::new(
            OptionScope::Job,
            "bounds-range",
            "How far from 0 bounds may be",
            OptionValue::Number {
                called: "N",
                least: 0,
                most: Some(1_000),
                set: |o, n| o.own_mut::<BoundsOptions>().range = i64::try_from(n).unwrap_or(0),
            },
        )
        .with_default("1")],
    };

    /// The engine; see the module documentation.
    pub(crate) struct Bounds {
        options: BoundsOptions,
    }

    impl Bounds {
        /// An engine with these options.
        pub(crate) fn new(options: BoundsOptions) -> Self {
            Self { options }
        }
        fn candidates(&self, store: &mut TermStore, system: &NormalSystem) -> Candidates {
            let mut all = Candidates::new();
            for pred in system.preds() {
                let params = formal_params(store, system, pred);
                let mut bounds = Vec::new();
                for &param in &params {
                    let (x, sort) = (store.constant(param), store.result(param));
                    if !sort.is_arithmetic() {
                        continue;
                    }
                    for number in -self.options.range..=self.options.range {
                        let number = store.number(number.into(), sort);
                        bounds.extend([store.le(x, number), store.ge(x, number)]);
                    }
                }
                all.push((Definition { params, body: store.top() }, bounds));
            }
            all
        }
        /// Drops the candidates of a clause's head that the clause does not preserve; whether there
        /// were any.
        fn weaken(
            &self,
            cx: &mut Cx<'_>,
            clause: &Clause,
            head: &PredAtom,
            candidates: &mut Candidates,
        ) -> Outcome<bool> {
            let mut solver = self.body(cx, clause, candidates);
            let (definition, bounds) = &mut candidates[head.pred];
            let before = bounds.len();
            let mut kept = Vec::new();
            for &bound in bounds.iter() {
                let claim = Definition { body: bound, ..definition.clone() };
                let claim = claim.apply(cx.store, &head.args);
                let violated = cx.store.not(claim);
                if let Answer::Unsat(_) = solver.check_assuming(cx, &[violated])? {
                    kept.push(bound);
                }
            }
            *bounds = kept;
            Ok(bounds.len() < before)
        }
        /// A solver that knows the body of a clause, with the candidates of its predicates.
        fn body(&self, cx: &mut Cx<'_>, clause: &Clause, candidates: &Candidates) -> Solver {
            let mut solver = Solver::new(Options { seed: self.options.seed, ..Options::default() });
            solver.add(cx.store, clause.constraint);
            for atom in &clause.body {
                let (definition, bounds) = &candidates[atom.pred];
                let meaning = Definition { body: cx.store.and(bounds), ..definition.clone() };
                let meaning = meaning.apply(cx.store, &atom.args);
                solver.add(cx.store, meaning);
            }
            solver
        }
    }

    /// For each predicate its parameters and the bounds that are left.
    type Candidates = IndexVec<PredId, (Definition, Vec<Term>)>;

    impl Engine<NormalSystem> for Bounds {
        fn solve(
            &mut self,
            cx: &mut Cx<'_>,
            system: &NormalSystem,
        ) -> Outcome<Verdict<NormalSystem>> {
            let mut candidates = self.candidates(cx.store, system);
            let mut is_weaker = true;
            while std::mem::take(&mut is_weaker) {
                for (_, clause) in system.clauses() {
                    cx.budget.check()?;
                    if let Some(head) = &clause.head {
                        is_weaker |= self.weaken(cx, clause, head, &mut candidates)?;
                    }
                }
            }
            for (_, clause) in system.clauses().filter(|(_, clause)| clause.is_query()) {
                if let Answer::Sat(_) = self.body(cx, clause, &candidates).check(cx)? {
                    return Err(GaveUp::incomplete("bounds on single arguments are too weak"));
                }
            }
            let mut model = Interpretation::new();
            for pred in system.preds() {
                let (definition, bounds) = &candidates[pred];
                let body = cx.store.and(bounds);
                model.define(pred, Definition { body, ..definition.clone() });
            }
            Ok(Verdict::Safe(model))
        }
    }
}

/// `x` stays between 0 and 3, `y` above.
const BOUNDED: &str = "(set-logic HORN) (declare-fun p (Int Int) Bool) (assert (p 0 5))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 3)) (p (+ x 1) (+ y x)))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (and (<= 0 x) (<= x 3) (<= 1 y)))))
(check-sat)";

fn decide(text: &str, options: EngineOptions) -> Result<Solved, Failure> {
    let mut store = TermStore::new();
    let script = read_horn(text.as_bytes(), &mut store).unwrap();
    let input = HornInput::of_problem(&script.problems[0]);
    let settings = Settings { engines: vec![&BOUNDS], options, ..Settings::default() };
    solve(store, &input, &settings, &StopHandle::default(), &mut |_| ())
}

/// The options that a user sets.
fn given(range: &str) -> EngineOptions {
    let mut options = EngineOptions::default();
    bounds::OPTIONS.options[0].set(&mut options, range).unwrap();
    options
}

#[test]
fn the_newcomer_decides_problems_and_its_models_are_validated() {
    let solved = decide(BOUNDED, given("3")).ok().unwrap();
    assert_eq!(solved.engine, "bounds");
    assert!(matches!(solved.certified.verdict(), Verdict::Safe(_)));
}

#[test]
fn its_options_are_its_own() {
    let failure = decide(BOUNDED, given("2")).err().unwrap();
    assert!(failure.reason().contains("bounds on single arguments are too weak"), "{failure:?}");
    assert_eq!(decide(BOUNDED, EngineOptions::default()).err().unwrap().engines.len(), 1);
    let refused = bounds::OPTIONS.options[0].set(&mut EngineOptions::default(), "2000");
    assert_eq!(refused, Err("a number from 0 to 1000 is needed".to_owned()));
}
