//! Times the arithmetic solver on unrolled counters: `chain [steps] [counters] [rounds]`.
//!
//! Each step adds a constant to every counter and ties the counters by a guard; the rounds then
//! assert and retract a goal, and a few bounds in the middle, as an engine would do. Prints the
//! time and the statistics to the standard output.

use std::io::Write;
use std::time::Instant;

use shofar_base::{Budget, Idx, Lit, Rng, Var};
use shofar_num::Rational;
use shofar_term::{Kind, Linear, Sort, Term, TermStore};
use shofar_theory::{Arith, Check, Effort, Options, Theory};

struct Bench {
    store: TermStore,
    arith: Arith,
    atoms: usize,
}

impl Bench {
    fn literal(&mut self, form: &[(i64, Term)], bound: i64) -> Lit {
        let mut linear = Linear::new();
        for (c, t) in form {
            linear.add_term(&Rational::from(*c), *t);
        }
        linear.constant = Rational::from(-bound);
        let term = self.store.le_zero(&linear);
        let (atom, positive) =
            if let Kind::Not(atom) = self.store.kind(term) { (atom, false) } else { (term, true) };
        let var = Var::from_index(self.atoms);
        self.atoms += 1;
        self.arith.register(&self.store, atom, var);
        Lit::new(var, positive)
    }
    fn equation(&mut self, form: &[(i64, Term)], value: i64) {
        let upper = self.literal(form, value);
        let negated: Vec<(i64, Term)> = form.iter().map(|(c, t)| (-c, *t)).collect();
        let lower = self.literal(&negated, -value);
        self.arith.assert(upper).expect("the chain has a model");
        self.arith.assert(lower).expect("the chain has a model");
    }
    fn check(&mut self, effort: Effort) -> bool {
        let budget = Budget::unlimited();
        loop {
            match self.arith.check(&mut self.store, &budget, effort).expect("there is no limit") {
                Check::Consistent => return true,
                Check::Conflict(_) => return false,
                Check::Collision(_) => unreachable!("there are no groups"),
                Check::Split(splits) => {
                    let (atom, negated) = self.store.strip_not(splits[0].atom);
                    let var = Var::from_index(self.atoms);
                    self.atoms += 1;
                    self.arith.register(&self.store, atom, var);
                    let lit = Lit::new(var, !negated);
                    if self.arith.assert(lit).is_err() {
                        return false;
                    }
                }
            }
        }
    }
}

fn argument(at: usize, default: usize) -> usize {
    std::env::args().nth(at).and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn main() {
    let (steps, counters, rounds) = (argument(1, 500), argument(2, 4), argument(3, 2000));
    let mut bench =
        Bench { store: TermStore::new(), arith: Arith::new(Options::default()), atoms: 0 };
    let xs: Vec<Vec<Term>> = (0..=steps)
        .map(|i| (0..counters).map(|c| bench.store.var(&format!("x{c}_{i}"), Sort::INT)).collect())
        .collect();
    let begin = Instant::now();
    for &x in &xs[0] {
        bench.equation(&[(1, x)], 0);
    }
    for i in 0..steps {
        for c in 0..counters {
            let step = i64::try_from(c).expect("small") + 1;
            let neighbour = xs[i][(c + 1) % counters];
            if c % 3 == 2 {
                // x' lies between x and x + neighbour + step.
                let low = bench.literal(&[(1, xs[i][c]), (-1, xs[i + 1][c])], 0);
                let high =
                    bench.literal(&[(1, xs[i + 1][c]), (-1, xs[i][c]), (-1, neighbour)], step);
                bench.arith.assert(low).expect("the chain has a model");
                bench.arith.assert(high).expect("the chain has a model");
            } else {
                bench.equation(&[(1, xs[i + 1][c]), (-1, xs[i][c])], step);
            }
        }
    }
    assert!(bench.check(Effort::Final));
    let built = begin.elapsed();
    let mut rng = Rng::new(1);
    let goals: Vec<Lit> = (0..200)
        .map(|_| {
            let (i, c) = (1 + rng.below(steps), rng.below(counters));
            let sign = if rng.chance(50) { 1 } else { -1 };
            let other = xs[i - 1][rng.below(counters)];
            let bound = rng.range(-200, 200);
            if rng.chance(50) {
                bench.literal(&[(sign, xs[i][c])], bound)
            } else {
                bench.literal(&[(sign, xs[i][c]), (-sign, other)], bound)
            }
        })
        .collect();
    let mut consistent = 0;
    let mut implied = Vec::new();
    for _ in 0..rounds {
        bench.arith.push();
        let asserted = (0..4).all(|_| {
            let ok = bench.arith.assert(*rng.pick(&goals)).is_ok() && bench.check(Effort::Quick);
            bench.arith.implied(&mut implied);
            ok
        });
        consistent += usize::from(asserted && bench.check(Effort::Final));
        bench.arith.pop(1);
    }
    let report = format!(
        "built {built:?}, {rounds} rounds {:?}, consistent {consistent}, {:?}\n",
        begin.elapsed().saturating_sub(built),
        bench.arith.stats()
    );
    std::io::stdout().write_all(report.as_bytes()).expect("the standard output is open");
}
