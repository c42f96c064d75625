//! A toy theory, "at most one of each group", in many moods, against the same constraints written
//! out as clauses.
//!
//! The toy speaks by implied literals with padded explanations, by lemmas, early, late or only at
//! the end, and sometimes splits a constraint on a fresh variable. It also checks that the solver
//! keeps to the protocol.

use shofar_base::{Budget, GaveUp, Idx, Lit, Map, Outcome, Rng, Var};
use shofar_sat::{Answer, Consequences, Options, Propagator, Solver, Step, Tag};

/// Some solvers cut short every way back, some the longer ones.
fn way_back(seed: u64) -> Option<u32> {
    [None, Some(0), Some(1), Some(3)][usize::try_from(seed % 4).expect("it is less than 4")]
}

const THEORY: Tag = Tag(u32::MAX);

struct AtMostOne {
    groups: Vec<Vec<Var>>,
    /// True literals in the order they were reported, and where each level begins.
    trail: Vec<Lit>,
    limits: Vec<usize>,
    reasons: Map<Lit, Vec<Lit>>,
    rng: Rng,
    /// How many times in a hundred the theory says what it could.
    zeal: u64,
    gives_up: bool,
}

impl AtMostOne {
    fn is_true(&self, lit: Lit) -> bool {
        self.trail.contains(&lit)
    }
    /// Pairs (x, y) of a group with x true and y not false.
    fn pending(&self) -> Vec<(Var, Var)> {
        let mut pairs = Vec::new();
        for group in &self.groups {
            for &x in group.iter().filter(|x| self.is_true(x.positive())) {
                pairs.extend(
                    group
                        .iter()
                        .filter(|&&y| y != x && !self.is_true(y.negative()))
                        .map(|&y| (x, y)),
                );
            }
        }
        pairs
    }
    fn lemma(&mut self, x: Var, y: Var, out: &mut Consequences) {
        let (x, y) = if self.rng.chance(50) {
            (x.negative(), y.negative())
        } else {
            (y.negative(), x.negative())
        };
        if self.rng.chance(20) {
            let fresh = out.new_var();
            out.lemma(&[x, fresh.positive(), y], THEORY);
            out.lemma(&[fresh.negative(), x, y, x], THEORY);
        } else {
            out.lemma(&[x, y], THEORY);
        }
    }
    fn imply(&mut self, x: Var, y: Var, out: &mut Consequences) {
        let mut clause = vec![x.negative()];
        for &lit in &self.trail {
            if lit.var() != y && self.rng.chance(20) {
                clause.push(!lit);
            }
        }
        clause.push(y.negative());
        // The first reason stays while the literal is assigned; a violated one is explained anew.
        self.reasons.insert(y.negative(), clause);
        out.implied(y.negative());
    }
}

impl Propagator for AtMostOne {
    fn assign(&mut self, lit: Lit) {
        assert!(!self.is_true(!lit), "an assignment stays until it is taken back");
        // A variable that is given to the theory again is reported again; nothing else is.
        assert!(!self.is_true(lit) || self.limits.is_empty(), "reported again above the root");
        if self.is_true(lit) {
            return;
        }
        self.trail.push(lit);
    }
    fn new_level(&mut self) {
        self.limits.push(self.trail.len());
    }
    fn backtrack(&mut self, level: u32) {
        let level = level as usize;
        assert!(level < self.limits.len(), "only existing levels are taken back");
        self.trail.truncate(self.limits[level]);
        self.limits.truncate(level);
    }
    fn propagate(&mut self, out: &mut Consequences) -> Outcome<()> {
        if self.gives_up && self.rng.chance(10) {
            return Err(GaveUp::incomplete("a mood"));
        }
        let mut implied: Vec<Var> = Vec::new();
        for (x, y) in self.pending() {
            if !self.rng.chance(self.zeal) {
                continue;
            }
            if self.rng.chance(60) && !implied.contains(&y) {
                implied.push(y);
                self.imply(x, y, out);
            } else {
                self.lemma(x, y, out);
            }
        }
        Ok(())
    }
    fn final_check(&mut self, out: &mut Consequences) -> Outcome<()> {
        let pending = self.pending();
        let first = self.rng.below(pending.len().max(1));
        for (number, &(x, y)) in pending.iter().enumerate() {
            if number == first || self.rng.chance(30) {
                self.lemma(x, y, out);
            }
        }
        Ok(())
    }
    fn explain(&mut self, lit: Lit, clause: &mut Vec<Lit>) -> Tag {
        clause.extend_from_slice(&self.reasons[&lit]);
        THEORY
    }
    fn phase(&self, var: Var) -> Option<bool> {
        var.index().is_multiple_of(3).then_some(true)
    }
}

fn random_lits(rng: &mut Rng, vars: usize, count: usize) -> Vec<Lit> {
    (0..count).map(|_| Lit::new(Var::from_index(rng.below(vars)), rng.chance(60))).collect()
}

fn holds(lit: Lit, model: usize) -> bool {
    (model >> lit.var().index() & 1 == 1) == lit.is_positive()
}

fn has_model(vars: usize, clauses: &[Vec<Lit>], groups: &[Vec<Var>], assumptions: &[Lit]) -> bool {
    (0..1_usize << vars).any(|model| {
        assumptions.iter().all(|&lit| holds(lit, model))
            && clauses.iter().all(|clause| clause.iter().any(|&lit| holds(lit, model)))
            && groups
                .iter()
                .all(|group| group.iter().filter(|var| holds(var.positive(), model)).count() <= 1)
    })
}

fn check_proof(solver: &Solver, clauses: &[Vec<Lit>], groups: &[Vec<Var>]) {
    let denied: Vec<Lit> = solver.failed().iter().map(|&lit| !lit).collect();
    let proof = solver.refutation().expect("proofs are on");
    assert_eq!(proof.check(&denied), Ok(()));
    for id in proof.ids() {
        let Step::Leaf { lits, tag } = proof.step(id) else { continue };
        if tag == THEORY {
            let denies = |group: &Vec<Var>| {
                group.iter().filter(|var| lits.contains(&var.negative())).count() >= 2
            };
            assert!(groups.iter().any(denies), "theory leaves are valid: {lits:?}");
        } else {
            assert!(lits.iter().all(|lit| clauses[tag.0 as usize].contains(lit)));
        }
    }
}

fn play(seed: u64) {
    let mut rng = Rng::new(seed);
    let vars = 4 + rng.below(7);
    let proofs = rng.chance(70);
    let mut solver =
        Solver::new(Options { proofs, seed: seed % 2, longest_way_back: way_back(seed) });
    for _ in 0..vars {
        solver.new_var();
    }
    let mut theory = AtMostOne {
        groups: Vec::new(),
        trail: Vec::new(),
        limits: Vec::new(),
        reasons: Map::default(),
        rng: Rng::new(seed ^ 0x63),
        zeal: *rng.pick(&[0, 30, 70, 100]),
        gives_up: rng.chance(20),
    };
    let mut clauses: Vec<Vec<Lit>> = Vec::new();
    for round in 0..8 {
        solver.backtrack_to_root(&mut theory);
        if round % 3 == 0 {
            let group: Vec<Var> =
                (0..vars).map(Var::from_index).filter(|_| rng.chance(45)).collect();
            for &var in &group {
                solver.watch(var);
            }
            theory.groups.push(group);
        }
        for _ in 0..=rng.below(vars) {
            let width = 1 + rng.below(3).max(rng.below(4));
            let clause = random_lits(&mut rng, vars, width);
            solver.add_clause(&clause, Tag(u32::try_from(clauses.len()).expect("few clauses")));
            clauses.push(clause);
        }
        for _ in 0..4 {
            let count = rng.below(5);
            let assumptions = random_lits(&mut rng, vars, count);
            let Ok(answer) = solver.solve(&mut theory, &assumptions, &Budget::unlimited()) else {
                continue;
            };
            assert_eq!(
                answer == Answer::Sat,
                has_model(vars, &clauses, &theory.groups, &assumptions),
                "seed {seed}"
            );
            if answer == Answer::Unsat {
                let failed = solver.failed();
                assert!(failed.iter().all(|lit| assumptions.contains(lit)));
                assert!(!has_model(vars, &clauses, &theory.groups, failed));
                if proofs && !failed.iter().any(|&lit| failed.contains(&!lit)) {
                    check_proof(&solver, &clauses, &theory.groups);
                }
            }
        }
    }
}

#[test]
fn lazy_constraints_agree_with_enumeration() {
    (0..1500).for_each(play);
}

/// Pigeons and holes with the "one pigeon per hole" part left to the theory: a longer search with
/// reductions in between.
#[test]
fn a_theory_keeps_pigeons_out() {
    for zeal in [0, 50, 100] {
        let holes = 6;
        let mut solver = Solver::new(Options { proofs: true, ..Options::default() });
        let vars: Vec<Var> = (0..holes * (holes + 1)).map(|_| solver.new_var()).collect();
        for &var in &vars {
            solver.watch(var);
        }
        let groups: Vec<Vec<Var>> = (0..holes)
            .map(|hole| vars.iter().copied().skip(hole).step_by(holes).collect())
            .collect();
        let clauses: Vec<Vec<Lit>> = vars
            .chunks(holes)
            .map(|pigeon| pigeon.iter().map(|var| var.positive()).collect())
            .collect();
        for (number, clause) in clauses.iter().enumerate() {
            solver.add_clause(clause, Tag(u32::try_from(number).expect("few clauses")));
        }
        let mut theory = AtMostOne {
            groups,
            trail: Vec::new(),
            limits: Vec::new(),
            reasons: Map::default(),
            rng: Rng::new(1),
            zeal,
            gives_up: false,
        };
        assert_eq!(solver.solve(&mut theory, &[], &Budget::unlimited()), Ok(Answer::Unsat));
        check_proof(&solver, &clauses, &theory.groups);
    }
}
