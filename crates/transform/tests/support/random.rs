//! Random systems whose predicates have finitely many derivable facts.
//!
//! Integer arguments stay in 0..=3, real ones are multiples of 1/2 in [0, 2]. Facts, steps, joins
//! and queries are made of copies, constants, increments, choices and local variables.

use shofar_base::Rng;
use shofar_chc::{ChcSystem, Clause, PredAtom, PredId};
use shofar_num::Rational;
use shofar_term::{Sort, Term, TermStore};

/// What a random system looks like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Config {
    pub(crate) preds: usize,
    pub(crate) clauses: usize,
    pub(crate) max_body: usize,
    /// All predicates have the same arguments.
    pub(crate) uniform: bool,
    /// Arguments may be any terms.
    pub(crate) wild_arguments: bool,
}

pub(crate) fn system(store: &mut TermStore, rng: &mut Rng, config: Config) -> ChcSystem {
    let mut system = ChcSystem::new();
    let shared = sorts(rng);
    let mut preds = Vec::new();
    for index in 0..config.preds {
        let sorts = if config.uniform { shared.clone() } else { sorts(rng) };
        let symbol = store.declare(&format!("p{index}"), &sorts, Sort::BOOL);
        preds.push(system.add_pred(symbol));
    }
    for index in 0..config.clauses {
        let body_len = match index {
            0 | 1 => 0,
            _ => 1 + rng.below(config.max_body),
        };
        let query = index + 1 == config.clauses || (index > 1 && rng.chance(12));
        let clause = clause(store, rng, &system, &preds, body_len, query, config.wild_arguments);
        system.add_clause(clause);
    }
    system.assert_well_formed(store);
    system
}

fn sorts(rng: &mut Rng) -> Vec<Sort> {
    let count = rng.below(4);
    (0..count).map(|_| *rng.pick(&[Sort::INT, Sort::INT, Sort::BOOL, Sort::REAL])).collect()
}

fn clause(
    store: &mut TermStore,
    rng: &mut Rng,
    system: &ChcSystem,
    preds: &[PredId],
    body_len: usize,
    query: bool,
    wild: bool,
) -> Clause {
    let mut parts = Vec::new();
    let mut pool: Vec<Term> = Vec::new();
    let mut body = Vec::new();
    for number in 0..body_len {
        let pred = *rng.pick(preds);
        let sorts = system.sorts(store, pred).to_vec();
        let mut args = Vec::new();
        for (at, &sort) in sorts.iter().enumerate() {
            let mut arg = store.var(&format!("b{number}_{at}"), sort);
            if wild && rng.chance(25) {
                arg = source(store, rng, &pool, sort);
            }
            args.push(arg);
            pool.push(arg);
        }
        body.push(PredAtom { pred, args });
    }
    for number in 0..rng.below(3) {
        let sort = *rng.pick(&[Sort::INT, Sort::REAL, Sort::BOOL]);
        let local = store.var(&format!("l{number}"), sort);
        if sort.is_real() {
            let value = source(store, rng, &pool, sort);
            parts.push(store.eq(local, value));
        } else if rng.chance(70) {
            bound(store, &mut parts, local, sort);
        }
        pool.push(local);
    }
    for _ in 0..rng.below(if query { 4 } else { 2 }) {
        parts.push(guard(store, rng, &pool));
    }
    let head = (!query).then(|| {
        let pred = *rng.pick(preds);
        let sorts = system.sorts(store, pred).to_vec();
        let mut args = Vec::new();
        for (at, &sort) in sorts.iter().enumerate() {
            let value = source(store, rng, &pool, sort);
            let mut arg = store.var(&format!("h{at}"), sort);
            if wild && rng.chance(40) {
                arg = value;
            } else if sort.is_real() || rng.chance(80) {
                parts.push(store.eq(arg, value));
            }
            bound(store, &mut parts, arg, sort);
            args.push(arg);
        }
        PredAtom { pred, args }
    });
    let constraint = store.and(&parts);
    Clause { head, body, constraint, span: None }
}

fn bound(store: &mut TermStore, parts: &mut Vec<Term>, term: Term, sort: Sort) {
    let limit = match sort {
        Sort::BOOL => return,
        Sort::INT => 3,
        _ => 2,
    };
    let (low, high) = (store.number(Rational::ZERO, sort), store.number(limit.into(), sort));
    parts.push(store.ge(term, low));
    parts.push(store.le(term, high));
}

/// A term of `sort` over the pool.
fn source(store: &mut TermStore, rng: &mut Rng, pool: &[Term], sort: Sort) -> Term {
    let same: Vec<Term> = pool.iter().copied().filter(|&t| store.sort(t) == sort).collect();
    if same.is_empty() || rng.chance(25) {
        return match sort {
            Sort::BOOL => store.bool(rng.chance(50)),
            Sort::INT => store.int(rng.range(0, 3)),
            _ => store.number(Rational::new(rng.range(0, 3), 2), Sort::REAL),
        };
    }
    let base = *rng.pick(&same);
    if rng.chance(50) {
        return base;
    }
    match sort {
        Sort::BOOL => store.not(base),
        Sort::INT => {
            let step = store.int(rng.range(-1, 2));
            let sum = store.add(&[base, step]);
            if rng.chance(20) { store.modulo(sum, &2.into()) } else { sum }
        }
        _ => {
            let step = store.number(Rational::new(rng.range(-1, 2), 2), Sort::REAL);
            store.add(&[base, step])
        }
    }
}

fn guard(store: &mut TermStore, rng: &mut Rng, pool: &[Term]) -> Term {
    if pool.is_empty() {
        return store.top();
    }
    let one = atom(store, rng, pool);
    if rng.chance(60) {
        return one;
    }
    let other = atom(store, rng, pool);
    if rng.chance(70) { store.or(&[one, other]) } else { store.iff(one, other) }
}

fn atom(store: &mut TermStore, rng: &mut Rng, pool: &[Term]) -> Term {
    let term = *rng.pick(pool);
    let sort = store.sort(term);
    let other = source(store, rng, pool, sort);
    match sort {
        Sort::BOOL => {
            if rng.chance(50) {
                store.iff(term, other)
            } else {
                term
            }
        }
        _ => match rng.below(4) {
            0 => store.le(term, other),
            1 => store.lt(term, other),
            2 => store.eq(term, other),
            _ => store.distinct(&[term, other]),
        },
    }
}
