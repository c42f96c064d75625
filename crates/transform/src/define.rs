//! A definition for a predicate that was resolved away.
//!
//! Let `A` say that some clause derives `p(x̄)` under the definitions of the other predicates, and `B` that some clause which
//! uses `p(x̄)` would be violated. The clauses that resolution made of them are valid, so `A ∧ B` is unsatisfiable, and every
//! interpolant is a definition of `p` that makes all clauses with `p` valid: `A ⇒ I` for those that derive it, `I ⇒ ¬B` for
//! those that use it. This needs `p` at most once in each body.
//!
//! DIVERGENCE: if the solver cannot interpolate, the definition is `∃ȳ. A` with the quantifier eliminated, which is the
//! strongest one.

use shofar_base::{GaveUp, Map, Outcome};
use shofar_chc::{ChcSystem, Clause, Definition, Interpretation, PredAtom, PredId, formal_params};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::substitute::substitute;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Symbol, Term, TermStore};

use crate::back::Eliminated;

/// A definition of `eliminated.pred` that fits between the clauses that derive and those that use it.
pub(crate) fn between(
    cx: &mut Cx<'_>,
    source: &ChcSystem,
    model: &Interpretation,
    eliminated: &Eliminated,
) -> Outcome<Definition> {
    let pred = eliminated.pred;
    let sorts = source.sorts(cx.store, pred).to_vec();
    // These names are new, so that they mean nothing to the clauses.
    let params: Vec<Symbol> = sorts.iter().map(|&sort| cx.store.fresh("p", sort)).collect();
    let mut derived = Vec::new();
    for clause in &eliminated.incoming {
        derived.push(derives(cx.store, model, clause, &params)?);
    }
    let mut violated = Vec::new();
    for clause in &eliminated.outgoing {
        violated.push(violates(cx.store, model, clause, pred, &params)?);
    }
    let (a, b) = (cx.store.or(&derived), cx.store.or(&violated));
    let body = if let Some(interpolant) = interpolant(cx, a, b)? {
        interpolant
    } else {
        let mut locals = free_symbols(cx.store, &[a]);
        locals.retain(|symbol| !params.contains(symbol));
        shofar_mbp::eliminate(cx, a, &locals)?
    };
    let formal = formal_params(cx.store, source, pred);
    let map: Map<Term, Term> = params
        .iter()
        .zip(&formal)
        .map(|(&from, &to)| (cx.store.constant(from), cx.store.constant(to)))
        .collect();
    Ok(Definition { params: formal, body: substitute(cx.store, &map, &[body])[0] })
}

/// An interpolant; nothing if the solver cannot find one.
fn interpolant(cx: &mut Cx<'_>, a: Term, b: Term) -> Outcome<Option<Term>> {
    if a == cx.store.bottom() || b == cx.store.bottom() {
        return Ok(Some(cx.store.bool(b == cx.store.bottom())));
    }
    let mut solver = Solver::new(Options::with_proofs());
    let part = solver.add(cx.store, a);
    solver.add(cx.store, b);
    let found = match solver.check(cx) {
        Ok(Answer::Sat(_)) => {
            return Err(GaveUp::incomplete("the definitions do not make the clauses valid"));
        }
        Ok(Answer::Unsat(proof)) => proof.interpolant(cx, &[part]),
        Err(why) => Err(why),
    };
    match found {
        Ok(interpolant) => Ok(Some(interpolant)),
        Err(GaveUp::Incomplete(_) | GaveUp::Unsupported(_)) => Ok(None),
        Err(why) => Err(why),
    }
}

/// What `model` says about `atom`.
pub(crate) fn meaning(
    store: &mut TermStore,
    model: &Interpretation,
    atom: &PredAtom,
) -> Outcome<Term> {
    let definition =
        model.get(atom.pred).ok_or(GaveUp::incomplete("a predicate has no definition yet"))?;
    Ok(definition.apply(store, &atom.args))
}

/// `clause` derives its head with arguments `params`.
fn derives(
    store: &mut TermStore,
    model: &Interpretation,
    clause: &Clause,
    params: &[Symbol],
) -> Outcome<Term> {
    let mut parts = vec![clause.constraint];
    for atom in &clause.body {
        parts.push(meaning(store, model, atom)?);
    }
    let head = clause.head.as_ref().expect("the clause derives the predicate");
    equate(store, &mut parts, params, &head.args);
    Ok(store.and(&parts))
}

/// `clause` is violated if `pred` holds for `params`.
fn violates(
    store: &mut TermStore,
    model: &Interpretation,
    clause: &Clause,
    pred: PredId,
    params: &[Symbol],
) -> Outcome<Term> {
    let mut parts = vec![clause.constraint];
    for atom in &clause.body {
        if atom.pred == pred {
            equate(store, &mut parts, params, &atom.args);
        } else {
            parts.push(meaning(store, model, atom)?);
        }
    }
    if let Some(head) = &clause.head {
        let head = meaning(store, model, head)?;
        parts.push(store.not(head));
    }
    Ok(store.and(&parts))
}

fn equate(store: &mut TermStore, parts: &mut Vec<Term>, params: &[Symbol], args: &[Term]) {
    for (&param, &arg) in params.iter().zip(args) {
        let param = store.constant(param);
        parts.push(store.eq(param, arg));
    }
}
