//! `∃x̄. φ` as the disjunction of its projections, one per model until there is no model left.
//!
//! Three steps for each model: an implicant of `φ`; of its literals those that really imply `φ` (a
//! core of the literals with `¬φ`, one query); their projection, which becomes a case and is
//! blocked. Projection has finitely many results, so the enumeration ends. At the end the cases are
//! trimmed against the whole: a literal goes if the rest of its case still implies the disjunction
//! of all, and a case goes if the others cover it.
//!
//! All this happens in a *context*, a formula without the variables that the result will be joined
//! with: models outside it do not matter, and what it implies need not be repeated.
//!
//! Source: [KGC16] §5 (the disjunction of finitely many projections is the quantifier elimination).
//! DIVERGENCE [KGC16]: implicants are cut down by cores, and the cases are trimmed at the end.

use shofar_base::Outcome;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::Model;
use shofar_term::{Cx, Symbol, Term, TermStore};
use shofar_theory::implicant::implicant;
use shofar_theory::{Theories, Theory};

/// Trimming beyond this many literals in all cases costs more than it gains.
const TRIM_LIMIT: usize = 200;
/// A query that only makes a result smaller may not take long.
const CHEAP_SPLITS: u32 = 50;

/// A quantifier-free formula that is equivalent to `∃ variables. formula` wherever `context` holds,
/// which has no variables.
pub(crate) fn enumerate(
    cx: &mut Cx<'_>,
    formula: Term,
    variables: &[Symbol],
    context: Term,
) -> Outcome<Term> {
    let mut models = Solver::new(Options::default());
    models.add(cx.store, context);
    models.add(cx.store, formula);
    let mut refuter = Refuter::new(cx.store, formula, context);
    let mut cases: Vec<Vec<Term>> = Vec::new();
    while let Some(model) = next_model(cx, &mut models)? {
        let cube = implicant(cx.store, formula, &model);
        let cube = refuter.reduce(cx, cube);
        let case = Theories::project(cx.store, &cube, variables, &model)?;
        let holds = cx.store.and(&case);
        cases.push(case);
        let blocked = cx.store.not(holds);
        models.add(cx.store, blocked);
    }
    trim(cx, cases, context)
}

fn next_model(cx: &mut Cx<'_>, solver: &mut Solver) -> Outcome<Option<Model>> {
    Ok(match solver.check(cx)? {
        Answer::Sat(model) => Some(model.assignment(cx.store)),
        Answer::Unsat(_) => None,
    })
}

fn cheap() -> Options {
    Options { integer_splits: Some(CHEAP_SPLITS), ..Options::default() }
}

/// Finds small sets of literals that contradict a formula's negation in a context.
struct Refuter {
    solver: Solver,
}

impl Refuter {
    fn new(store: &mut TermStore, formula: Term, context: Term) -> Self {
        let mut solver = Solver::new(cheap());
        let negation = store.not(formula);
        solver.add(store, context);
        solver.add(store, negation);
        Self { solver }
    }
    /// The core of `cube`, or all of it if the solver gives up or finds no contradiction.
    fn reduce(&mut self, cx: &mut Cx<'_>, cube: Vec<Term>) -> Vec<Term> {
        match self.solver.check_assuming(cx, &cube) {
            Ok(Answer::Unsat(core)) => core.failed(),
            Ok(Answer::Sat(_)) | Err(_) => cube,
        }
    }
}

/// The disjunction of `cases`, with literals and cases dropped that the others make superfluous.
fn trim(cx: &mut Cx<'_>, mut cases: Vec<Vec<Term>>, context: Term) -> Outcome<Term> {
    let literals: usize = cases.iter().map(Vec::len).sum();
    if literals <= TRIM_LIMIT {
        let all = disjunction(cx.store, &cases);
        let mut refuter = Refuter::new(cx.store, all, context);
        for case in &mut cases {
            shorten(cx, &mut refuter, case)?;
        }
        drop_covered(cx, &mut cases, context)?;
    }
    Ok(disjunction(cx.store, &cases))
}

fn disjunction(store: &mut TermStore, cases: &[Vec<Term>]) -> Term {
    let cases: Vec<Term> = cases.iter().map(|case| store.and(case)).collect();
    store.or(&cases)
}

/// Drops literals of `case` as long as it still implies the disjunction that `refuter` negates.
fn shorten(cx: &mut Cx<'_>, refuter: &mut Refuter, case: &mut Vec<Term>) -> Outcome<()> {
    *case = refuter.reduce(cx, std::mem::take(case));
    let mut at = 0;
    while at < case.len() {
        cx.budget.check()?;
        let without: Vec<Term> =
            case.iter().enumerate().filter(|&(i, _)| i != at).map(|(_, &l)| l).collect();
        match refuter.solver.check_assuming(cx, &without) {
            Ok(Answer::Unsat(core)) => *case = core.failed(),
            Ok(Answer::Sat(_)) => at += 1,
            Err(_) => break,
        }
    }
    Ok(())
}

/// Drops cases that the remaining ones cover, the later ones first to go.
fn drop_covered(cx: &mut Cx<'_>, cases: &mut Vec<Vec<Term>>, context: Term) -> Outcome<()> {
    let mut solver = Solver::new(cheap());
    solver.add(cx.store, context);
    for at in (0..cases.len()).rev() {
        cx.budget.check()?;
        let mut apart = cases[at].clone();
        for (_, other) in cases.iter().enumerate().filter(|&(i, _)| i != at) {
            let other = cx.store.and(other);
            apart.push(cx.store.not(other));
        }
        match solver.check_assuming(cx, &apart) {
            Ok(Answer::Unsat(_)) => {
                cases.remove(at);
            }
            Ok(Answer::Sat(_)) => {}
            // Where one query is too hard, the next ones are too.
            Err(_) => break,
        }
    }
    Ok(())
}
