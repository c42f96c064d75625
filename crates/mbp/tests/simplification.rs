//! Simplified formulas mean the same, are no longer, and have no superfluous parts.

use shofar_base::{Budget, Rng};
use shofar_mbp::simplify;
use shofar_num::Rational;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::print::print;
use shofar_term::tidy::tidy;
use shofar_term::{Cx, Sort, Term, TermStore};

fn simple(store: &mut TermStore, formula: Term) -> Term {
    simplify(&mut Cx::new(store, &Budget::unlimited()), formula)
}

fn is_equivalent(store: &mut TermStore, a: Term, b: Term) -> bool {
    let differ = store.xor(a, b);
    let mut solver = Solver::new(Options::default());
    solver.add(store, differ);
    let budget = Budget::unlimited();
    matches!(solver.check(&mut Cx::new(store, &budget)), Ok(Answer::Unsat(_)))
}

#[test]
fn each_thing_is_said_once() {
    let mut s = TermStore::new();
    let x = s.var("x", Sort::INT);
    let half = s.modulo(x, &Rational::from(2));
    let [zero, one, five] = [0, 1, 5].map(|n| s.int(n));
    let even = s.le(half, zero);
    let mut parts = vec![even];
    for value in [one, five] {
        let there = s.eq(x, value);
        parts.push(s.not(there));
    }
    let formula = s.and(&parts);
    let result = simple(&mut s, formula);
    assert_eq!(print(&s, result), "(= (mod x 2) 0)");
}

#[test]
fn parts_of_parts_see_their_context() {
    let mut s = TermStore::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| s.var(name, Sort::REAL));
    let (below, above) = (s.le(x, y), s.le(y, z));
    let (backwards, far) = (s.lt(z, x), s.lt(y, x));
    let ten = s.number(10.into(), Sort::REAL);
    let small = s.le(x, ten);
    let either = s.or(&[backwards, small, far]);
    let formula = s.and(&[below, above, either]);
    let (result, expected) = (simple(&mut s, formula), s.and(&[below, above, small]));
    assert_eq!(result, expected);
    let contradiction = s.and(&[below, above, backwards]);
    assert_eq!(simple(&mut s, contradiction), s.bottom());
    let tautology = s.not(contradiction);
    assert_eq!(simple(&mut s, tautology), s.top());
}

#[test]
fn without_a_budget_the_formula_stays() {
    let mut s = TermStore::new();
    let [x, y] = ["x", "y"].map(|name| s.var(name, Sort::INT));
    let zero = s.int(0);
    let (first, second, third) = (s.ge(x, zero), s.ge(y, x), s.ge(y, zero));
    let formula = s.and(&[first, second, third]);
    let budget = Budget::unlimited().part(0);
    assert_eq!(simplify(&mut Cx::new(&mut s, &budget), formula), formula);
}

#[test]
fn random_formulas_keep_their_meaning_and_do_not_grow() {
    let mut rng = Rng::new(3);
    for _ in 0..250 {
        let mut s = TermStore::new();
        let formula = random_formula(&mut rng, &mut s);
        for result in [tidy(&mut s, formula), simple(&mut s, formula)] {
            let [before, after] = [formula, result].map(|f| print(&s, f));
            assert!(after.len() <= before.len(), "{before} became {after}");
            assert!(is_equivalent(&mut s, formula, result), "{before} became {after}");
        }
        let result = simple(&mut s, formula);
        for conjunct in s.conjuncts(&[result]) {
            let others: Vec<Term> =
                s.conjuncts(&[result]).into_iter().filter(|&c| c != conjunct).collect();
            let others = s.and(&others);
            assert!(!is_equivalent(&mut s, others, result), "{}", print(&s, result));
        }
    }
}

fn random_formula(rng: &mut Rng, s: &mut TermStore) -> Term {
    let [x, y] = ["x", "y"].map(|name| s.var(name, Sort::INT));
    let [u, v] = ["u", "v"].map(|name| s.var(name, Sort::REAL));
    let terms = [
        x,
        y,
        u,
        s.add(&[x, y]),
        s.sub(x, y),
        s.sub(u, v),
        s.modulo(x, &Rational::from(3)),
        s.modulo(y, &Rational::from(2)),
    ];
    let mut pool = vec![s.var("p", Sort::BOOL)];
    for _ in 0..9 {
        let term = *rng.pick(&terms);
        let value = Rational::from(i64::try_from(rng.below(7)).expect("it is small") - 3);
        let value = s.number(value, s.sort(term));
        pool.push(match rng.below(3) {
            0 => s.eq(term, value),
            1 => s.le(term, value),
            _ => s.ge(term, value),
        });
    }
    for _ in 0..=rng.below(10) {
        let mut parts = Vec::new();
        for _ in 0..2 + rng.below(4) {
            let part = *rng.pick(&pool);
            parts.push(if rng.chance(30) { s.not(part) } else { part });
        }
        let made = if rng.chance(50) { s.and(&parts) } else { s.or(&parts) };
        pool.push(made);
    }
    pool[pool.len() - 1]
}
