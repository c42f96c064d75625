//! A definition for a predicate that was resolved away.
//!
//! Let `A` say that some clause derives `p(x̄)` under the definitions of the other predicates, and
//! `B` that some clause which uses `p(x̄)` would be violated. The clauses that resolution made of
//! them are valid, so `A ∧ B` is unsatisfiable, and every interpolant is a definition of `p` that
//! makes all clauses with `p` valid: `A ⇒ I` for those that derive it, `I ⇒ ¬B` for those that use
//! it. This needs `p` at most once in each body.
//!
//! That `A ∧ B` is satisfiable means that the model of the resolvents is none: a wrong claim, not a
//! reason to give up.
//!
//! DIVERGENCE: if the solver cannot interpolate, the definition is `∃ȳ. A` with the quantifier
//! eliminated, which is the strongest one.

use shofar_base::{GaveUp, Map, Outcome};
use shofar_chc::{ChcSystem, Clause, Definition, Interpretation, PredAtom, PredId, formal_params};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::substitute::substitute;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Symbol, Term, TermStore};

use crate::back::Eliminated;

/// A definition of `eliminated.pred` that fits between the clauses that derive and those that use
/// it.
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
            return Err(GaveUp::wrong("the model makes a resolvent of the clauses false"));
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
        model.get(atom.pred).ok_or_else(|| GaveUp::wrong("the model lacks a predicate"))?;
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

#[cfg(test)]
mod tests {
    use shofar_base::Budget;
    use shofar_term::Sort;

    use super::*;

    #[test]
    fn a_model_that_is_none_is_a_wrong_claim() {
        let mut store = TermStore::new();
        let mut source = ChcSystem::new();
        let [p, q] = ["p", "q"].map(|name| store.declare(name, &[Sort::INT], Sort::BOOL));
        let (p, q) = (source.add_pred(p), source.add_pred(q));
        let (x, y) = (store.var("x", Sort::INT), store.var("y", Sort::INT));
        let atom = |pred, arg| PredAtom { pred, args: vec![arg] };
        let (top, zero) = (store.top(), store.int(0));
        let below = store.lt(y, zero);
        // q(x) → p(x), and p(y) ∧ y < 0 → false, of which q(y) ∧ y < 0 → false was made.
        let clause = |body, constraint, head| Clause { head, body, constraint, span: None };
        let eliminated = Eliminated {
            pred: p,
            incoming: vec![clause(vec![atom(q, x)], top, Some(atom(p, x)))],
            outgoing: vec![clause(vec![atom(p, y)], below, None)],
        };
        let budget = Budget::unlimited();
        let cx = &mut Cx::new(&mut store, &budget);
        let mut model = Interpretation::new();
        let missing = between(cx, &source, &model, &eliminated);
        assert!(matches!(missing, Err(GaveUp::Wrong(_))), "{missing:?}");
        model.define_constant(cx.store, &source, q, true);
        let wrong = between(cx, &source, &model, &eliminated);
        assert!(matches!(wrong, Err(GaveUp::Wrong(_))), "{wrong:?}");
        model.define_constant(cx.store, &source, q, false);
        assert!(between(cx, &source, &model, &eliminated).is_ok());
    }
}
