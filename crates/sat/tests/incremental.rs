//! Long lives: many questions to one solver, activation literals, budgets, structured problems.

use shofar_base::{Budget, GaveUp, Idx, Lit, Rng, Var};
use shofar_sat::{Answer, NoTheory, Options, Solver, Tag};

fn solver_with(vars: usize, proofs: bool) -> Solver {
    let mut solver = Solver::new(Options { proofs, ..Options::default() });
    for _ in 0..vars {
        solver.new_var();
    }
    solver
}

/// `holes + 1` pigeons do not fit into `holes` holes.
fn pigeonhole(holes: usize, proofs: bool) -> Solver {
    let mut solver = solver_with((holes + 1) * holes, proofs);
    let sits = |pigeon: usize, hole: usize| Var::from_index(pigeon * holes + hole);
    for pigeon in 0..=holes {
        let somewhere: Vec<Lit> = (0..holes).map(|hole| sits(pigeon, hole).positive()).collect();
        solver.add_clause(&somewhere, Tag(0));
        for other in 0..pigeon {
            for hole in 0..holes {
                solver.add_clause(
                    &[sits(pigeon, hole).negative(), sits(other, hole).negative()],
                    Tag(1),
                );
            }
        }
    }
    solver
}

#[test]
fn pigeons_do_not_fit() {
    for holes in 1..=8 {
        let mut solver = pigeonhole(holes, true);
        assert_eq!(solver.solve(&mut NoTheory, &[], &Budget::unlimited()), Ok(Answer::Unsat));
        assert_eq!(solver.refutation().unwrap().check(&[]), Ok(()));
    }
}

#[test]
fn a_stopped_solver_can_be_asked_again() {
    let mut solver = pigeonhole(6, true);
    let budget = Budget::unlimited();
    budget.stop_handle().stop(GaveUp::Cancelled);
    assert_eq!(solver.solve(&mut NoTheory, &[], &budget), Err(GaveUp::Cancelled));
    assert_eq!(solver.solve(&mut NoTheory, &[], &Budget::unlimited()), Ok(Answer::Unsat));
    assert_eq!(solver.refutation().unwrap().check(&[]), Ok(()));
}

#[test]
fn contrary_assumptions_fail_without_a_proof() {
    let mut solver = solver_with(2, true);
    let lit = Var::from_index(1).positive();
    assert_eq!(solver.solve(&mut NoTheory, &[lit, !lit], &Budget::unlimited()), Ok(Answer::Unsat));
    assert_eq!(solver.failed(), [!lit, lit]);
    assert!(solver.refutation().is_none());
    assert_eq!(solver.solve(&mut NoTheory, &[lit, lit], &Budget::unlimited()), Ok(Answer::Sat));
}

#[test]
fn an_empty_clause_is_for_good() {
    let mut solver = solver_with(1, true);
    let lit = Var::from_index(0).positive();
    solver.add_clause(&[lit], Tag(0));
    solver.add_clause(&[!lit], Tag(1));
    assert_eq!(solver.solve(&mut NoTheory, &[lit], &Budget::unlimited()), Ok(Answer::Unsat));
    assert!(solver.failed().is_empty());
    assert_eq!(solver.refutation().unwrap().check(&[]), Ok(()));
}

/// Ten thousand questions about the same clauses: neither clauses nor proof steps pile up.
#[test]
fn memory_does_not_grow_with_the_number_of_questions() {
    let mut rng = Rng::new(11);
    let vars = 60;
    let mut solver = solver_with(vars, true);
    for number in 0..230 {
        let clause: Vec<Lit> =
            (0..3).map(|_| Lit::new(Var::from_index(rng.below(vars)), rng.chance(50))).collect();
        solver.add_clause(&clause, Tag(number));
    }
    let mut halfway = None;
    for round in 0..10_000 {
        let assumptions: Vec<Lit> =
            (0..8).map(|_| Lit::new(Var::from_index(rng.below(vars)), rng.chance(50))).collect();
        let answer =
            solver.solve(&mut NoTheory, &assumptions, &Budget::unlimited()).expect("no limit");
        if answer == Answer::Unsat
            && round % 50 == 0
            && let Some(proof) = solver.refutation()
        {
            let denied: Vec<Lit> = solver.failed().iter().map(|&lit| !lit).collect();
            assert_eq!(proof.check(&denied), Ok(()));
        }
        if round == 5000 {
            halfway = Some(solver.stats());
        }
    }
    let (halfway, end) = (halfway.unwrap(), solver.stats());
    assert!(end.kept <= 2 * halfway.kept + 100, "{halfway:?} {end:?}");
    assert!(end.proof_steps <= 2 * halfway.proof_steps + 50_000, "{halfway:?} {end:?}");
}

/// Clauses under an activation literal are gone once the literal is retired.
#[test]
fn retired_activation_literals_leave_nothing_behind() {
    let mut rng = Rng::new(5);
    let vars = 40;
    let mut solver = solver_with(vars, true);
    for round in 0..300 {
        let active = solver.new_var();
        for _ in 0..60 {
            let mut clause: Vec<Lit> = (0..3)
                .map(|_| Lit::new(Var::from_index(rng.below(vars)), rng.chance(50)))
                .collect();
            clause.push(active.negative());
            solver.add_clause(&clause, Tag(round));
        }
        solver.solve(&mut NoTheory, &[active.positive()], &Budget::unlimited()).expect("no limit");
        solver.backtrack_to_root(&mut NoTheory);
        solver.add_clause(&[active.negative()], Tag(round));
    }
    assert!(solver.clauses() < 60 * 30, "simplification comes by itself: {}", solver.clauses());
    solver.simplify();
    assert_eq!(solver.clauses(), 0);
}
