//! The validator: decides whether an argument shows what it claims, from the clauses alone.
//!
//! It shares the meaning of ranks and moves with the search, and nothing else. That all runs end:
//! the invariants are validated as a model of the clauses by [`shofar_check`]; then the steps are
//! gone through, and each claim about a transition is a query to a fresh solver. That one does not:
//! the execution is validated by [`shofar_check`] as a refutation; recurrent sets are closed by one
//! query for each location.

use shofar_base::{Map, Outcome};
use shofar_chc::{ChcSystem, Clause, Derivation, PredAtom, PredId, Verdict, formal_params};
use shofar_check::{HornInput, validate};
use shofar_num::Rational;
use shofar_smt::{Options, implies};
use shofar_term::substitute::substitute;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Sort, Symbol, Term, TermStore};

use crate::flow;
use crate::program::{Program, components};
use crate::ranking::{Piece, Step, TerminationProof};
use crate::recurrent::{DivergenceProof, Move, Recurrence};
use crate::synthesis::Live;

/// What is wrong with an argument.
pub type Flaw = &'static str;

/// Whether `proof` shows that all runs of `program` end.
pub fn check_termination(
    cx: &mut Cx<'_>,
    program: &Program,
    proof: &TerminationProof,
) -> Outcome<Result<(), Flaw>> {
    let input = HornInput::of_system(cx.store, program.system().clone());
    if validate(cx, &input, Verdict::Safe(proof.invariants.clone()))?.is_err() {
        return Ok(Err("the invariants are none"));
    }
    let mut left = match pieces(cx, program, proof)? {
        Ok(left) => left,
        Err(flaw) => return Ok(Err(flaw)),
    };
    for step in &proof.steps {
        drop_dead(cx, &mut left)?;
        if let Err(flaw) = check_step(cx, program, step, &mut left)? {
            return Ok(Err(flaw));
        }
    }
    drop_dead(cx, &mut left)?;
    let is_over = components(&flow::edges(cx, program, &left)?).is_empty();
    Ok(if is_over { Ok(()) } else { Err("transitions are left on a cycle") })
}

/// The pieces of an argument, if they cover all transitions.
fn pieces(
    cx: &mut Cx<'_>,
    program: &Program,
    proof: &TerminationProof,
) -> Outcome<Result<Vec<Live>, Flaw>> {
    let mut left = Vec::new();
    for &transition in program.transitions() {
        let relation = program.relation(cx.store, transition, &proof.invariants);
        let variables = program.system().clause(transition.clause).variables(cx.store);
        let mut conditions = Vec::new();
        for (piece, Piece { condition, .. }) in
            proof.pieces.iter().enumerate().filter(|(_, piece)| piece.clause == transition.clause)
        {
            let symbols = free_symbols(cx.store, &[*condition]);
            if !symbols.iter().all(|symbol| variables.contains(symbol)) {
                return Ok(Err("the condition of a piece is about something else"));
            }
            conditions.push(*condition);
            let relation = cx.store.and(&[relation, *condition]);
            left.push(Live { piece, transition, relation });
        }
        let whole = cx.store.or(&conditions);
        if !implies(cx, Options::default(), &[relation], whole)? {
            return Ok(Err("the pieces do not cover a transition"));
        }
    }
    Ok(Ok(left))
}

/// Drops pieces whose conditions cannot hold.
fn drop_dead(cx: &mut Cx<'_>, left: &mut Vec<Live>) -> Outcome<()> {
    let bottom = cx.store.bottom();
    for at in (0..left.len()).rev() {
        if implies(cx, Options::default(), &[left[at].relation], bottom)? {
            left.remove(at);
        }
    }
    Ok(())
}

/// Whether a step is right about the pieces that are left; it adds to their conditions.
fn check_step(
    cx: &mut Cx<'_>,
    program: &Program,
    step: &Step,
    left: &mut [Live],
) -> Outcome<Result<(), Flaw>> {
    // Otherwise a run could leave the pieces of the step and come back.
    let is_inside = |piece: &usize| step.pieces.contains(piece);
    let is_whole = |component: &Vec<usize>| {
        component.iter().all(is_inside) || !component.iter().any(is_inside)
    };
    if !components(&flow::edges(cx, program, left)?).iter().all(is_whole) {
        return Ok(Err("a step is not about whole components"));
    }
    for (pred, rank) in &step.ranks {
        let sorts = program.system().sorts(cx.store, *pred);
        let fits =
            |(coefficient, sort): (&Rational, &Sort)| coefficient.is_zero() || !sort.is_bool();
        if rank.coefficients.len() != sorts.len() || !rank.coefficients.iter().zip(sorts).all(fits)
        {
            return Ok(Err("a ranking function does not fit its location"));
        }
    }
    for Live { piece, transition, relation } in left {
        if !step.pieces.contains(piece) {
            continue;
        }
        let (Some(before), Some(after)) = (step.rank(transition.from), step.rank(transition.to))
        else {
            return Ok(Err("a location has no ranking function"));
        };
        let (body, _, head) = program.rule(*transition);
        let mut growth = after.value(cx.store, &head.args);
        growth.add_scaled(&Rational::MINUS_ONE, &before.value(cx.store, &body.args));
        let decreases = step.decreasing.contains(piece);
        if decreases {
            growth.constant += &Rational::ONE;
        }
        let claim = cx.store.le_zero(&growth);
        if !implies(cx, Options::default(), &[*relation], claim)? {
            return Ok(Err("a ranking function does not decrease"));
        }
        if decreases {
            let negative = before.is_negative(cx.store, &body.args);
            *relation = cx.store.and(&[*relation, negative]);
        }
    }
    Ok(Ok(()))
}

/// Whether `proof` shows that some run of `program` does not end.
pub fn check_divergence(
    cx: &mut Cx<'_>,
    program: &Program,
    proof: &DivergenceProof,
) -> Outcome<Result<(), Flaw>> {
    if let Err(flaw) = check_recurrence(cx, program, &proof.recurrence)? {
        return Ok(Err(flaw));
    }
    let set = proof.recurrence.sets.iter().find(|&&(pred, _)| pred == proof.reached);
    let Some(&(pred, set)) = set else { return Ok(Err("what is reached is no recurrent set")) };
    let system = program.with([entry_query(cx.store, program.system(), pred, set)]);
    let input = HornInput::of_system(cx.store, system);
    let execution: Derivation = proof.execution.clone();
    Ok(match validate(cx, &input, Verdict::Unsafe(execution))? {
        Ok(_) => Ok(()),
        Err(_) => Err("the execution is none"),
    })
}

/// The query whether a state of a set is reached.
pub(crate) fn entry_query(
    store: &mut TermStore,
    system: &ChcSystem,
    pred: PredId,
    set: Term,
) -> Clause {
    let params = formal_params(store, system, pred);
    let args = params.iter().map(|&param| store.constant(param)).collect();
    Clause { head: None, body: vec![PredAtom { pred, args }], constraint: set, span: None }
}

/// Whether the sets are recurrent.
pub(crate) fn check_recurrence(
    cx: &mut Cx<'_>,
    program: &Program,
    recurrence: &Recurrence,
) -> Outcome<Result<(), Flaw>> {
    for &(pred, set) in &recurrence.sets {
        let params = formal_params(cx.store, program.system(), pred);
        if !free_symbols(cx.store, &[set]).iter().all(|symbol| params.contains(symbol)) {
            return Ok(Err("a recurrent set is about something else than the variables"));
        }
        let mut possible = Vec::new();
        for one in recurrence.moves.iter().filter(|one| one.from == pred) {
            let Some((guard, to, state)) = execute(cx.store, program.system(), one) else {
                return Ok(Err("a move is no path of the program"));
            };
            for &(target, set) in recurrence.sets.iter().filter(|&&(target, _)| target == to) {
                let params = formal_params(cx.store, program.system(), target);
                let inside = at(cx.store, &params, &state, set);
                possible.push(cx.store.and(&[guard, inside]));
            }
        }
        let possible = cx.store.or(&possible);
        if !implies(cx, Options::default(), &[set], possible)? {
            return Ok(Err("a set is not recurrent"));
        }
    }
    Ok(Ok(()))
}

/// A formula over `params`, said of `state`.
fn at(store: &mut TermStore, params: &[Symbol], state: &[Term], formula: Term) -> Term {
    let pairs = params.iter().zip(state).map(|(&param, &value)| (store.constant(param), value));
    let map: Map<Term, Term> = pairs.collect();
    substitute(store, &map, &[formula])[0]
}

/// What a move demands of the state at its beginning, where it leads, and to which state; nothing
/// if it is no path.
fn execute(
    store: &mut TermStore,
    system: &ChcSystem,
    one: &Move,
) -> Option<(Term, PredId, Vec<Term>)> {
    let params = formal_params(store, system, one.from);
    let mut state: Vec<Term> = params.iter().map(|&param| store.constant(param)).collect();
    let (mut location, mut guard) = (one.from, Vec::new());
    if one.steps.is_empty() {
        return None;
    }
    for step in &one.steps {
        let clause = system.clause(step.clause);
        let ([body], Some(head)) = (clause.body.as_slice(), &clause.head) else { return None };
        let given = |symbol: &Symbol| step.values.iter().find(|(own, _)| own == symbol);
        let is_complete = clause.variables(store).iter().all(|symbol| given(symbol).is_some());
        let terms: Vec<Term> = step.values.iter().map(|&(_, value)| value).collect();
        let is_closed = free_symbols(store, &terms).iter().all(|symbol| params.contains(symbol));
        let is_sorted =
            step.values.iter().all(|&(own, value)| store.result(own) == store.sort(value));
        if body.pred != location || !is_complete || !is_closed || !is_sorted {
            return None;
        }
        let pairs = step.values.iter().map(|&(own, value)| (store.constant(own), value));
        let map: Map<Term, Term> = pairs.collect();
        for (arg, &value) in substitute(store, &map, &body.args).into_iter().zip(&state) {
            guard.push(store.eq(arg, value));
        }
        guard.extend(substitute(store, &map, &[clause.constraint]));
        state = substitute(store, &map, &head.args);
        location = head.pred;
    }
    Some((store.and(&guard), location, state))
}
