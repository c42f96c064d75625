//! Random formulas against enumeration: answers, models, failed assumptions, proofs; one solver
//! asked many times.

use shofar_base::{Budget, Idx, Lit, Rng, Var};
use shofar_sat::{Answer, NoTheory, Options, Solver, Step, Tag};

/// Some solvers cut short every way back, some the longer ones.
fn way_back(seed: u64) -> Option<u32> {
    [None, Some(0), Some(1), Some(3)][usize::try_from(seed % 4).expect("it is less than 4")]
}

fn random_clause(rng: &mut Rng, vars: usize, width: usize) -> Vec<Lit> {
    (0..width).map(|_| Lit::new(Var::from_index(rng.below(vars)), rng.chance(50))).collect()
}

fn holds(lit: Lit, model: usize) -> bool {
    (model >> lit.var().index() & 1 == 1) == lit.is_positive()
}

/// Whether some assignment satisfies all clauses and all of `assumptions`.
fn has_model(vars: usize, clauses: &[Vec<Lit>], assumptions: &[Lit]) -> bool {
    (0..1_usize << vars).any(|model| {
        assumptions.iter().all(|&lit| holds(lit, model))
            && clauses.iter().all(|clause| clause.iter().any(|&lit| holds(lit, model)))
    })
}

/// Leaves must be clauses that were added, up to repetitions.
fn check_leaves(solver: &Solver, clauses: &[Vec<Lit>]) {
    let proof = solver.refutation().expect("proofs are on");
    for id in proof.ids() {
        if let Step::Leaf { lits, tag } = proof.step(id) {
            let original = &clauses[tag.0 as usize];
            assert!(
                lits.iter().all(|lit| original.contains(lit))
                    && original.iter().all(|lit| lits.contains(lit))
            );
        }
    }
}

fn check_unsat(
    solver: &Solver,
    vars: usize,
    clauses: &[Vec<Lit>],
    assumptions: &[Lit],
    proofs: bool,
) {
    let failed = solver.failed();
    assert!(failed.iter().all(|lit| assumptions.contains(lit)));
    assert!(!has_model(vars, clauses, failed), "failed assumptions are contradictory");
    let contrary = failed.iter().any(|&lit| failed.contains(&!lit));
    if proofs && !contrary {
        let denied: Vec<Lit> = failed.iter().map(|&lit| !lit).collect();
        let proof = solver.refutation().expect("proofs are on");
        assert_eq!(proof.check(&denied), Ok(()));
        check_leaves(solver, clauses);
    } else {
        assert!(solver.refutation().is_none());
    }
}

/// Alternates between adding clauses and asking, with and without assumptions.
fn play(seed: u64, proofs: bool) {
    let mut rng = Rng::new(seed);
    let vars = 3 + rng.below(10);
    let mut solver =
        Solver::new(Options { proofs, seed: seed % 3, longest_way_back: way_back(seed) });
    for _ in 0..vars {
        solver.new_var();
    }
    let mut clauses: Vec<Vec<Lit>> = Vec::new();
    for _ in 0..12 {
        solver.backtrack_to_root(&mut NoTheory);
        for _ in 0..=rng.below(vars) {
            let width = 1 + rng.below(4).max(rng.below(4));
            let clause = random_clause(&mut rng, vars, width);
            solver.add_clause(&clause, Tag(u32::try_from(clauses.len()).expect("few clauses")));
            clauses.push(clause);
        }
        if rng.chance(20) {
            solver.simplify();
        }
        for _ in 0..4 {
            let count = rng.below(6);
            let assumptions = random_clause(&mut rng, vars, count);
            let answer =
                solver.solve(&mut NoTheory, &assumptions, &Budget::unlimited()).expect("no limit");
            assert_eq!(answer == Answer::Sat, has_model(vars, &clauses, &assumptions));
            match answer {
                Answer::Sat => {
                    let is_true = |&lit: &Lit| solver.value(lit) == Some(true);
                    assert!(assumptions.iter().all(is_true));
                    assert!(clauses.iter().all(|clause| clause.iter().any(is_true)));
                }
                Answer::Unsat => check_unsat(&solver, vars, &clauses, &assumptions, proofs),
            }
        }
    }
}

#[test]
fn random_formulas_agree_with_enumeration() {
    for seed in 0..400 {
        play(seed, seed % 2 == 0);
    }
}

#[test]
fn three_sat_near_the_threshold_agrees_with_enumeration() {
    for seed in 0..150 {
        let mut rng = Rng::new(1000 + seed);
        let vars = 12;
        let mut solver =
            Solver::new(Options { proofs: true, seed, longest_way_back: way_back(seed) });
        for _ in 0..vars {
            solver.new_var();
        }
        let clauses: Vec<Vec<Lit>> = (0..52).map(|_| random_clause(&mut rng, vars, 3)).collect();
        for (number, clause) in clauses.iter().enumerate() {
            solver.add_clause(clause, Tag(u32::try_from(number).unwrap()));
        }
        let answer = solver.solve(&mut NoTheory, &[], &Budget::unlimited()).expect("no limit");
        assert_eq!(answer == Answer::Sat, has_model(vars, &clauses, &[]));
        if answer == Answer::Unsat {
            assert!(solver.failed().is_empty());
            assert_eq!(solver.refutation().unwrap().check(&[]), Ok(()));
        }
    }
}

/// Restarts decide anew before they look at what follows: a clause that implied a literal late must
/// not do so again after its other literals are gone.
#[test]
fn restarts_leave_no_stale_reasons_behind() {
    for seed in 0..16 {
        let mut rng = Rng::new(seed);
        let vars = 200;
        let longest_way_back = Some(u32::try_from(seed % 4).unwrap());
        let mut solver = Solver::new(Options { proofs: true, seed, longest_way_back });
        for _ in 0..vars {
            solver.new_var();
        }
        for number in 0..850 {
            solver.add_clause(&random_clause(&mut rng, vars, 3), Tag(number));
        }
        let answer = solver.solve(&mut NoTheory, &[], &Budget::unlimited()).expect("no limit");
        if answer == Answer::Unsat {
            assert_eq!(solver.refutation().unwrap().check(&[]), Ok(()), "seed {seed}");
        }
    }
}

#[test]
fn larger_refutations_replay_and_runs_repeat() {
    let run = |seed: u64| {
        let mut rng = Rng::new(seed);
        let vars = 120;
        let mut solver =
            Solver::new(Options { proofs: true, seed, longest_way_back: way_back(seed) });
        for _ in 0..vars {
            solver.new_var();
        }
        for number in 0..600 {
            let clause = random_clause(&mut rng, vars, 3);
            solver.add_clause(&clause, Tag(number));
        }
        let answer = solver.solve(&mut NoTheory, &[], &Budget::unlimited()).expect("no limit");
        if answer == Answer::Unsat {
            assert_eq!(solver.refutation().unwrap().check(&[]), Ok(()));
        }
        (answer, solver.stats())
    };
    for seed in 0..8 {
        assert_eq!(run(seed), run(seed));
    }
}
