//! Exported proofs pass the checker, and no proof with one thing changed does.
//!
//! Random contradictory formulas give proofs with every kind of leaf. In each proof single things
//! are changed: the sign or the atom of a literal, a Farkas coefficient, a pivot, the number of a
//! premise, a defined term, a reference, the conclusion.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use shofar_base::{Budget, Idx as _, Rng};
use shofar_num::Rational;
use shofar_proof::{Checker, Proof, Rule, Step, StepId};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::{Cx, Sort, Term, TermStore};

/// A refuted set of formulas.
struct Case {
    store: TermStore,
    premises: Vec<Term>,
    assumptions: Vec<Term>,
    proof: Proof,
}

impl Case {
    fn is_accepted(&self, proof: &Proof) -> bool {
        let budget = Budget::unlimited();
        let mut checker = Checker::new();
        let checked = checker.check(&self.store, &budget, &self.premises, &self.assumptions, proof);
        checked.unwrap().is_ok()
    }
}

fn number(store: &mut TermStore, rng: &mut Rng, sort: Sort, depth: usize) -> Term {
    let mut terms = Vec::new();
    for _ in 0..=rng.below(3) {
        let x = store.var(&format!("x{}_{sort:?}", rng.below(3)), sort);
        let n = Rational::from(rng.range(2, 3));
        let term = match rng.below(8) {
            0 if sort == Sort::INT => store.modulo(x, &n),
            1 if sort == Sort::INT => store.div(x, &n),
            2 if sort == Sort::REAL => store.to_int(x),
            3 if depth > 0 => {
                let (c, other) = (formula(store, rng, sort, 0), number(store, rng, sort, 0));
                store.ite(c, x, other)
            }
            4 if depth > 0 => {
                let c = formula(store, rng, sort, 0);
                let (low, high) = (store.int(rng.range(-3, 0)), store.int(rng.range(1, 3)));
                store.ite(c, low, high)
            }
            _ => x,
        };
        terms.push(store.scale(&Rational::from(rng.range(-2, 3)), term));
    }
    store.add(&terms)
}

fn formula(store: &mut TermStore, rng: &mut Rng, sort: Sort, depth: usize) -> Term {
    if depth == 0 {
        if rng.chance(15) {
            return store.var(&format!("b{}", rng.below(3)), Sort::BOOL);
        }
        let (left, right) = (number(store, rng, sort, depth), store.int(rng.range(-3, 3)));
        return match rng.below(4) {
            0 => store.eq(left, right),
            1 => store.lt(left, right),
            _ => store.le(left, right),
        };
    }
    let parts: Vec<Term> = (0..3).map(|_| formula(store, rng, sort, depth - 1)).collect();
    let whole = match rng.below(5) {
        0 => store.and(&parts),
        1 => store.iff(parts[0], parts[1]),
        2 => store.ite(parts[0], parts[1], parts[2]),
        _ => store.or(&parts),
    };
    if rng.chance(30) { store.not(whole) } else { whole }
}

/// The proof for random formulas, if they contradict each other.
fn case(rng: &mut Rng, sort: Sort) -> Option<Case> {
    let mut store = TermStore::new();
    let mut solver = Solver::new(Options::with_proofs());
    let depths: Vec<usize> = (0..8 + rng.below(6)).map(|_| rng.below(3)).collect();
    let mut formulas: Vec<Term> =
        depths.into_iter().map(|depth| formula(&mut store, rng, sort, depth)).collect();
    let assumptions = formulas.split_off(formulas.len() - 2);
    // A scope, so that there are activation literals to leave out.
    solver.push();
    for &formula in &formulas {
        solver.add(&mut store, formula);
    }
    let budget = Budget::unlimited();
    let proof = {
        let mut cx = Cx::new(&mut store, &budget);
        let Ok(Answer::Unsat(view)) = solver.check_assuming(&mut cx, &assumptions) else {
            return None;
        };
        view.export_proof().unwrap()
    };
    Some(Case { store, premises: formulas, assumptions, proof })
}

/// Changes one thing in a step; says what.
fn mutate(rng: &mut Rng, case: &Case, steps: &mut [Step], at: usize) -> Option<&'static str> {
    let atoms: Vec<Term> = case
        .proof
        .steps
        .iter()
        .filter_map(|step| match step {
            Step::Leaf { clause, .. } => clause.first().map(|literal| literal.atom),
            Step::Chain { .. } => None,
        })
        .collect();
    if atoms.is_empty() {
        return None;
    }
    let other = *rng.pick(&atoms);
    match &mut steps[at] {
        Step::Leaf { clause, rule } => {
            let place = if clause.is_empty() { None } else { Some(rng.below(clause.len())) };
            match (rng.below(4), rule, place) {
                (0, _, Some(place)) => {
                    clause[place] = !clause[place];
                    Some("sign")
                }
                (1, _, Some(place)) if clause[place].atom != other => {
                    clause[place].atom = other;
                    Some("atom")
                }
                (_, Rule::Farkas(coefficients), Some(place)) => {
                    coefficients[place] += Rational::new(1, 3);
                    Some("coefficient")
                }
                (_, Rule::Premise(premise), _) => {
                    *premise = case.premises.len();
                    Some("premise")
                }
                // A clause with a truth value in it may be valid whatever is defined.
                (_, Rule::Definition(_), _)
                    if clause.iter().any(|l| case.store.children(l.atom).is_empty()) =>
                {
                    None
                }
                (_, Rule::Definition(term), _) => {
                    *term = case.store.top();
                    Some("definition")
                }
                (_, Rule::Farkas(_) | Rule::Congruence | Rule::Axiom, _) => None,
            }
        }
        Step::Chain { rest, .. } if rest.is_empty() => None,
        Step::Chain { first, rest } => {
            let place = rng.below(rest.len());
            if rng.chance(30) {
                *first = StepId::from_index(at);
                return Some("reference");
            }
            if rest[place].0 == other {
                return None;
            }
            rest[place].0 = other;
            Some("pivot")
        }
    }
}

fn run(sort: Sort, cases: usize) {
    let mut rng = Rng::new(7);
    let (mut proofs, mut mutants) = (0, 0);
    let mut kinds: Vec<&'static str> = Vec::new();
    while proofs < cases {
        let Some(case) = case(&mut rng, sort) else { continue };
        proofs += 1;
        assert!(case.is_accepted(&case.proof), "proof {proofs}");
        for _ in 0..20 {
            let mut mutant = case.proof.clone();
            if mutant.steps.is_empty() {
                continue;
            }
            let at = rng.below(mutant.steps.len());
            let Some(kind) = mutate(&mut rng, &case, &mut mutant.steps, at) else { continue };
            assert!(!case.is_accepted(&mutant), "proof {proofs}, step {at}: {kind} changed");
            mutants += 1;
            kinds.push(kind);
        }
    }
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(
        kinds,
        ["atom", "coefficient", "definition", "pivot", "premise", "reference", "sign"],
        "every kind of change is tried"
    );
    assert!(mutants > 5 * cases, "{mutants} mutants");
}

#[test]
fn changed_proofs_over_integers_are_refused() {
    run(Sort::INT, 300);
}

#[test]
fn changed_proofs_over_reals_are_refused() {
    run(Sort::REAL, 300);
}

#[test]
fn a_proof_is_about_its_premises_and_assumptions() {
    let mut rng = Rng::new(3);
    let mut tried = 0;
    while tried < 100 {
        let Some(mut case) = case(&mut rng, Sort::INT) else { continue };
        tried += 1;
        let (premises, assumptions) = (case.premises.clone(), case.assumptions.clone());
        let is_used = |wanted: Option<usize>| {
            case.proof.steps.iter().any(|step| {
                let Step::Leaf { rule: Rule::Premise(premise), .. } = step else { return false };
                wanted.is_none_or(|wanted| *premise == wanted)
            })
        };
        let used: Vec<usize> = (0..premises.len()).filter(|&at| is_used(Some(at))).collect();
        for at in used {
            case.premises[at] = case.store.top();
            assert!(!case.is_accepted(&case.proof), "without premise {at}");
            case.premises[at] = premises[at];
        }
        case.assumptions.clear();
        let needs_none = case.is_accepted(&case.proof);
        case.assumptions = assumptions.iter().map(|&a| case.store.not(a)).collect();
        assert_eq!(case.is_accepted(&case.proof), needs_none);
    }
}

#[test]
fn assumptions_that_deny_each_other_need_no_step() {
    let mut store = TermStore::new();
    let p = store.var("p", Sort::BOOL);
    let not_p = store.not(p);
    let budget = Budget::unlimited();
    let mut checker = Checker::new();
    let mut check =
        |assumptions: &[Term]| checker.check(&store, &budget, &[], assumptions, &Proof::default());
    assert!(check(&[p, not_p]).unwrap().is_ok());
    assert!(check(&[p]).unwrap().is_err());
}
