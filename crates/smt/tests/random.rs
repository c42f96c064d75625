//! Random formulas: models evaluate to true, proofs replay, cores suffice, every interpolant passes
//! its check.
//!
//! In debug builds the solver checks its own models and interpolants, so running is most of the
//! test.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use shofar_base::{Budget, Rng};
use shofar_num::Rational;
use shofar_smt::{Answer, BoolAlgorithm, Interpolation, LinearAlgorithm, Options, PartId, Solver};
use shofar_term::eval::Evaluator;
use shofar_term::{Cx, Sort, Term, TermStore};

/// A generator of formulas over a few symbols of the given sorts.
struct Random {
    rng: Rng,
    sorts: Vec<Sort>,
    /// Whether integers may occur inside of terms.
    rounding: bool,
}

impl Random {
    fn symbol(&mut self, store: &mut TermStore, group: usize) -> Term {
        let sort = *self.rng.pick(&self.sorts);
        // Some symbols are shared by all groups, some belong to one.
        let local = self.rng.chance(40);
        let number = self.rng.below(2);
        let name = if local {
            format!("l{group}_{number}_{sort:?}")
        } else {
            format!("s{number}_{sort:?}")
        };
        store.var(&name, sort)
    }
    fn linear(&mut self, store: &mut TermStore, group: usize, depth: usize) -> Term {
        let mut terms = Vec::new();
        for _ in 0..=self.rng.below(3) {
            let mut t = self.symbol(store, group);
            if store.sort(t).is_int() && self.rng.chance(12) {
                let n = Rational::from(self.rng.range(2, 4));
                t = if self.rng.chance(50) { store.modulo(t, &n) } else { store.div(t, &n) };
            } else if self.rounding && store.sort(t).is_real() && self.rng.chance(8) {
                t = store.to_int(t);
            } else if depth > 0 && self.rng.chance(10) {
                let (c, other) = (self.formula(store, group, 0), self.symbol(store, group));
                t = store.ite(c, t, other);
            }
            terms.push(store.scale(&Rational::from(self.rng.range(-3, 3)), t));
        }
        store.add(&terms)
    }
    fn atom(&mut self, store: &mut TermStore, group: usize, depth: usize) -> Term {
        if self.rng.chance(15) {
            let name = format!("b{}", self.rng.below(3));
            return store.var(&name, Sort::BOOL);
        }
        let left = self.linear(store, group, depth);
        let right = store.int(self.rng.range(-5, 5));
        match self.rng.below(4) {
            0 => store.eq(left, right),
            1 => store.lt(left, right),
            _ => store.le(left, right),
        }
    }
    fn formula(&mut self, store: &mut TermStore, group: usize, depth: usize) -> Term {
        let f = if depth == 0 {
            self.atom(store, group, depth)
        } else {
            let parts: Vec<Term> =
                (0..2 + self.rng.below(2)).map(|_| self.formula(store, group, depth - 1)).collect();
            match self.rng.below(5) {
                0 => store.and(&parts),
                1 => store.iff(parts[0], parts[1]),
                2 => store.ite(parts[0], parts[1], *parts.last().unwrap()),
                _ => store.or(&parts),
            }
        };
        if self.rng.chance(30) { store.not(f) } else { f }
    }
}

fn ways() -> Vec<Interpolation> {
    let linear = [
        LinearAlgorithm::Farkas,
        LinearAlgorithm::DualFarkas,
        LinearAlgorithm::Factor(Rational::new(1, 3)),
        LinearAlgorithm::Decomposed,
        LinearAlgorithm::DualDecomposed,
    ];
    let boolean = [
        BoolAlgorithm::McMillan,
        BoolAlgorithm::Pudlak,
        BoolAlgorithm::McMillanDual,
        BoolAlgorithm::Clausal,
    ];
    boolean
        .iter()
        .flat_map(|&boolean| {
            linear.iter().map(move |l| Interpolation { boolean, linear: l.clone(), certify: true })
        })
        .collect()
}

fn examine(seed: u64, sorts: &[Sort]) -> bool {
    let mut random = Random { rng: Rng::new(seed), sorts: sorts.to_vec(), rounding: true };
    let mut store = TermStore::new();
    let mut solver = Solver::new(Options::with_proofs());
    let mut plain = Solver::new(Options::default());
    let mut groups: Vec<Vec<PartId>> = vec![Vec::new(); 3];
    let mut formulas = Vec::new();
    for i in 0..4 + random.rng.below(8) {
        let group = i % 3;
        let depth = random.rng.below(3);
        let formula = random.formula(&mut store, group, depth);
        groups[group].push(solver.add(&mut store, formula));
        plain.add(&mut store, formula);
        formulas.push(formula);
    }
    let budget = Budget::unlimited();
    let mut cx = Cx::new(&mut store, &budget);
    let plain_is_sat = matches!(plain.check(&mut cx), Ok(Answer::Sat(_)));
    match solver.check(&mut cx).unwrap_or_else(|why| panic!("seed {seed}: {why}")) {
        Answer::Sat(model) => {
            assert!(plain_is_sat, "seed {seed}");
            let model = model.assignment(cx.store);
            let mut evaluator = Evaluator::with_defaults(&model);
            assert!(
                formulas.iter().all(|&f| evaluator.holds(cx.store, f).expect("it has a value")),
                "seed {seed}"
            );
            false
        }
        Answer::Unsat(view) => {
            assert!(!plain_is_sat, "seed {seed}");
            assert_eq!(view.check_proof(&mut cx).unwrap(), Ok(()), "seed {seed}");
            let how = random.rng.pick(&ways()).clone();
            view.interpolant_with(&mut cx, &groups[0], &how).unwrap();
            view.sequence_interpolants(&mut cx, &groups, &how).unwrap();
            view.tree_interpolants(&mut cx, &groups, &[0, 1, 0], &how).unwrap();
            let core = view.minimal_core(&mut cx).unwrap();
            assert!(core.len() <= formulas.len());
            true
        }
    }
}

fn run(sorts: &[Sort], cases: u64) {
    let unsat = (0..cases).filter(|&seed| examine(seed, sorts)).count() as u64;
    assert!(
        unsat * 10 > cases && unsat * 10 < 9 * cases,
        "both answers are common: {unsat} of {cases}"
    );
}

#[test]
fn reals() {
    run(&[Sort::REAL], 300);
}

#[test]
fn integers() {
    run(&[Sort::INT], 300);
}

#[test]
fn mixed() {
    run(&[Sort::INT, Sort::REAL], 300);
}

/// The strongest first.
const BY_STRENGTH: [LinearAlgorithm; 4] = [
    LinearAlgorithm::Decomposed,
    LinearAlgorithm::Farkas,
    LinearAlgorithm::DualFarkas,
    LinearAlgorithm::DualDecomposed,
];

fn implies(cx: &mut Cx<'_>, strong: Term, weak: Term) -> bool {
    let mut solver = Solver::default();
    solver.add(cx.store, strong);
    let negated = cx.store.not(weak);
    solver.add(cx.store, negated);
    matches!(solver.check(cx), Ok(Answer::Unsat(_)))
}

/// The interpolants of all nodes of a tree by all algorithms, strongest first, if the formulas are
/// contradictory: those of the split at each node are in order, and so are those of the tree
/// wherever they are the same.
fn compare_strengths(seed: u64, first: &[usize], boolean: BoolAlgorithm) -> Option<usize> {
    let mut random = Random { rng: Rng::new(seed), sorts: vec![Sort::REAL], rounding: false };
    let mut store = TermStore::new();
    let mut solver = Solver::new(Options::with_proofs());
    let mut groups: Vec<Vec<PartId>> = vec![Vec::new(); first.len()];
    for i in 0..2 * first.len() + random.rng.below(6) {
        let (group, depth) = (i % first.len(), random.rng.below(2));
        let formula = random.formula(&mut store, group, depth);
        groups[group].push(solver.add(&mut store, formula));
    }
    let budget = Budget::unlimited();
    let mut cx = Cx::new(&mut store, &budget);
    let Answer::Unsat(view) = solver.check(&mut cx).unwrap() else { return None };
    let is_sequence = first.iter().all(|&f| f == 0);
    let (mut singles, mut as_they_are) = (Vec::new(), 0);
    for linear in BY_STRENGTH {
        let how = Interpolation { boolean, linear: linear.clone(), certify: false };
        let single = |cx: &mut Cx<'_>, node: usize| {
            view.interpolant_with(cx, &groups[first[node]..=node].concat(), &how).unwrap()
        };
        let own: Vec<Term> = (0..first.len() - 1).map(|node| single(&mut cx, node)).collect();
        let tree = view.tree_interpolants(&mut cx, &groups, first, &how).unwrap();
        let must = match boolean {
            BoolAlgorithm::McMillan => linear == LinearAlgorithm::Farkas,
            BoolAlgorithm::McMillanDual => is_sequence && linear == LinearAlgorithm::DualFarkas,
            BoolAlgorithm::Pudlak | BoolAlgorithm::Clausal => false,
        };
        assert!(!must || own == tree, "seed {seed}: the proof's own interpolants fit");
        as_they_are += usize::from(own == tree);
        singles.push(own);
    }
    for pair in singles.windows(2) {
        for (&strong, &weak) in pair[0].iter().zip(&pair[1]) {
            assert!(implies(&mut cx, strong, weak), "seed {seed}, {boolean:?}, {first:?}");
        }
    }
    Some(as_they_are)
}

#[test]
fn strengths_are_in_order_at_every_node() {
    let labellings = [BoolAlgorithm::McMillan, BoolAlgorithm::Pudlak, BoolAlgorithm::McMillanDual];
    for first in [&[0, 0, 0, 0][..], &[0, 1, 0, 0], &[0, 1, 0, 3, 0]] {
        for boolean in labellings {
            let results: Vec<usize> =
                (0..40).filter_map(|seed| compare_strengths(seed, first, boolean)).collect();
            let as_they_are: usize = results.iter().sum();
            assert!(results.len() >= 8, "{} of 40 are contradictory", results.len());
            assert!(as_they_are > 2 * results.len(), "most are taken from the proof");
        }
    }
}
