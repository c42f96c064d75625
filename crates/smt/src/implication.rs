//! Whether formulas imply another one, by a fresh solver.

use shofar_base::Outcome;
use shofar_term::{Cx, Term};

use crate::{Answer, Options, Solver};

/// Whether `premises` together imply `conclusion`.
pub fn implies(
    cx: &mut Cx<'_>,
    options: Options,
    premises: &[Term],
    conclusion: Term,
) -> Outcome<bool> {
    let mut solver = Solver::new(options);
    for &premise in premises {
        solver.add(cx.store, premise);
    }
    let contrary = cx.store.not(conclusion);
    solver.add(cx.store, contrary);
    Ok(matches!(solver.check(cx)?, Answer::Unsat(_)))
}

#[cfg(test)]
mod tests {
    use shofar_base::Budget;
    use shofar_term::{Sort, TermStore};

    use super::*;

    #[test]
    fn premises_are_taken_together() {
        let (mut store, budget) = (TermStore::new(), Budget::unlimited());
        let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, Sort::INT));
        let (first, second, third) = (store.lt(x, y), store.lt(y, z), store.lt(x, z));
        let cx = &mut Cx::new(&mut store, &budget);
        assert_eq!(implies(cx, Options::default(), &[first, second], third), Ok(true));
        assert_eq!(implies(cx, Options::default(), &[first], third), Ok(false));
    }
}
