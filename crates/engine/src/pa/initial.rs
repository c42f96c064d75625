//! Predicates to begin with: hints, and bounds that a single clause ensures.
//!
//! A loop that runs as long as `x > 0` and decreases `x` by 1 ensures `x ≥ 0`, whatever its other
//! premises say. Counterexamples do not tell: every one of them is excluded by a bound that fits
//! its own length. So for each clause that derives a symbol from itself, and for each form that is
//! a template of that symbol, the closest bound among the numbers of the clauses that the
//! constraint entails, or one of its cases, is a predicate from the beginning.
//!
//! Source: [FL01] for guessing annotations from the text of a program.

use shofar_base::{GaveUp, Outcome, Set};
use shofar_chc::{Hint, HintKind};
use shofar_num::Rational;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::{Cx, Term, TermStore};

use super::options::Split;
use super::predicates::Predicates;
use super::refine::said_of;
use super::template::{Direction, Families};
use crate::rule::{Rule, numbers};

/// So many forms are tried for one clause.
const MOST_FORMS: usize = 16;
/// So many cases of a constraint are looked at.
const MOST_CASES: usize = 6;

/// Adds the formulas among `hints` to `predicates`; how many there are.
pub(super) fn hints(
    store: &mut TermStore,
    hints: &[Hint],
    predicates: &mut Predicates,
    split: Split,
) -> usize {
    let mut count = 0;
    for hint in hints.iter().filter(|hint| hint.kind == HintKind::Predicate) {
        let params = predicates.params(hint.pred);
        let args: Vec<Term> = params.iter().map(|&param| store.constant(param)).collect();
        let formula = hint.apply(store, &args);
        predicates.add(store, hint.pred, formula, split, 0);
        count += 1;
    }
    count
}

/// Adds bounds to `predicates`.
pub(super) fn bounds(
    cx: &mut Cx<'_>,
    rules: &[Rule],
    families: &Families,
    predicates: &mut Predicates,
) -> Outcome<()> {
    let guards: Vec<Term> = rules.iter().map(|rule| rule.guard).collect();
    let numbers = numbers(cx.store, &guards);
    let integers: Vec<Rational> = numbers.iter().filter(|n| n.is_integer()).cloned().collect();
    for rule in rules {
        let Some((pred, args)) = &rule.head else { continue };
        if !rule.body.iter().any(|premise| premise.pred == *pred) {
            continue;
        }
        let mut solver = Solver::new(Options::default());
        solver.add(cx.store, rule.guard);
        let cases = cases(cx.store, rule.guard);
        let mut seen: Set<(Term, Direction)> = Set::default();
        let bounded = families.0[*pred].iter().filter(|t| t.direction != Direction::Both);
        for template in bounded.take(2 * MOST_FORMS) {
            if !seen.insert((template.term, template.direction)) {
                continue;
            }
            let value = said_of(cx.store, template.term, predicates.params(*pred), args);
            let candidates = if cx.store.sort(value).is_int() { &integers } else { &numbers };
            for &case in &cases {
                let claim = (value, template.direction);
                let Some(number) = closest(cx, &mut solver, case, claim, candidates)? else {
                    continue;
                };
                let predicate = bound(cx, template.term, template.direction, number);
                predicates.add(cx.store, *pred, predicate, Split::Whole, 0);
            }
        }
    }
    Ok(())
}

/// What a constraint says in any case, and what it may say: clauses of one symbol are often merged
/// into one.
fn cases(store: &TermStore, guard: Term) -> Vec<Term> {
    let mut cases = vec![store.top()];
    for conjunct in store.conjuncts(&[guard]) {
        let disjuncts = store.disjuncts(&[conjunct]);
        if disjuncts.len() > 1 {
            cases.extend(disjuncts);
        }
    }
    cases.truncate(MOST_CASES);
    cases
}

/// The closest of `numbers`, which are increasing, that bounds a value in a direction whenever the
/// formulas of `solver` hold, and `case`.
fn closest<'n>(
    cx: &mut Cx<'_>,
    solver: &mut Solver,
    case: Term,
    (value, direction): (Term, Direction),
    numbers: &'n [Rational],
) -> Outcome<Option<&'n Rational>> {
    // The numbers from the farthest bound to the closest one.
    let at = |i: usize| match direction {
        Direction::Up | Direction::Both => &numbers[i],
        Direction::Down => &numbers[numbers.len() - 1 - i],
    };
    let (mut holds, mut fails) = (None, numbers.len());
    let mut middle = 0;
    while holds.is_none_or(|holds| holds + 1 < fails) && middle < fails {
        let claim = bound(cx, value, direction, at(middle));
        let contrary = cx.store.not(claim);
        match solver.check_assuming(cx, &[case, contrary]) {
            Ok(Answer::Unsat(_)) => holds = Some(middle),
            Ok(Answer::Sat(_)) | Err(GaveUp::Incomplete(_)) => fails = middle,
            Err(why) => return Err(why),
        }
        middle = holds.map_or(fails, |holds| holds.midpoint(fails));
    }
    Ok(holds.map(at))
}

/// That `term` is at least, or at most, `number`.
fn bound(cx: &mut Cx<'_>, term: Term, direction: Direction, number: &Rational) -> Term {
    let sort = cx.store.sort(term);
    let number = cx.store.number(number.clone(), sort);
    match direction {
        Direction::Up | Direction::Both => cx.store.ge(term, number),
        Direction::Down => cx.store.le(term, number),
    }
}
