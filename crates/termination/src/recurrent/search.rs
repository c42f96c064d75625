//! Looks for recurrent sets of a component that are reached.
//!
//! The simple cycles of the component, and pairs of them, are paths that lead back; candidates for
//! their sets are checked to be recurrent, which is cheap, and then one safety query asks whether
//! any of them is reached.

use shofar_base::{Idx, Outcome};
use shofar_chc::{Clause, ClauseId, Derivation, Interpretation, PredId, formal_params};
use shofar_smt::{Options, implies};
use shofar_term::tidy::tidy;
use shofar_term::{Cx, Symbol, Term};

use super::candidates::candidates;
use super::choice::chosen;
use super::path::Path;
use super::{DivergenceProof, Recurrence};
use crate::program::{Program, Transition};
use crate::prover::settled;
use crate::safety::{Reached, Safety};
use crate::synthesis::values;
use crate::validate::{check_recurrence, entry_query};

/// Longer cycles are not looked at.
const LONGEST_CYCLE: usize = 8;
/// So many cycles are looked at, pairs included.
const MOST_CYCLES: usize = 40;
/// So many sets are put into one query.
const MOST_SETS: usize = 24;

/// What may be reached.
enum Candidate {
    /// Recurrent sets.
    Ready(Recurrence),
    /// States to which the path leads back, for some choice of what it leaves open.
    Fixpoint(Path),
}

/// What was found.
pub(crate) enum Found {
    /// A run that does not end.
    Run(DivergenceProof),
    /// Candidates that are not reached, and the invariants that say so.
    Unreached(Interpretation),
    /// Nothing.
    Nothing,
}

/// Looks for a run that does not end, in a component with these transitions.
pub(crate) fn search(
    cx: &mut Cx<'_>,
    program: &Program,
    transitions: &[Transition],
    invariants: &Interpretation,
    safety: &mut Safety,
) -> Outcome<Found> {
    let (mut found, mut queries): (Vec<Candidate>, Vec<Clause>) = (Vec::new(), Vec::new());
    for cycle in cycles(transitions) {
        cx.budget.check()?;
        let Some(path) = Path::of(cx.store, program.system(), &cycle) else { continue };
        let mut sets = Vec::new();
        let _ = settled(gather(cx, program, &path, invariants, &mut sets))?;
        for (candidate, query) in sets {
            if !queries.contains(&query) && found.len() < MOST_SETS {
                found.push(candidate);
                queries.push(query);
            }
        }
    }
    if found.is_empty() {
        return Ok(Found::Nothing);
    }
    Ok(match safety.ask(cx, program, queries)? {
        Reached::ByExecution(execution, at) => {
            Found::Run(proof(cx, program, found.swap_remove(at), execution)?)
        }
        Reached::Never(invariants) => Found::Unreached(invariants),
        Reached::Unknown => Found::Nothing,
    })
}

/// The proof that sets are reached, if the first of them is.
pub(super) fn reached_set(
    cx: &mut Cx<'_>,
    program: &Program,
    recurrence: Recurrence,
    safety: &mut Safety,
) -> Outcome<Option<DivergenceProof>> {
    let Some(&(pred, set)) = recurrence.sets.first() else { return Ok(None) };
    let query = entry_query(cx.store, program.system(), pred, set);
    match safety.ask(cx, program, vec![query])? {
        Reached::ByExecution(execution, _) => {
            proof(cx, program, Candidate::Ready(recurrence), execution).map(Some)
        }
        Reached::Never(_) | Reached::Unknown => Ok(None),
    }
}

/// The candidates for a path, each with the query whether it is reached.
fn gather(
    cx: &mut Cx<'_>,
    program: &Program,
    path: &Path,
    invariants: &Interpretation,
    sets: &mut Vec<(Candidate, Clause)>,
) -> Outcome<()> {
    let params = formal_params(cx.store, program.system(), path.from);
    let args: Vec<Term> = params.iter().map(|&param| cx.store.constant(param)).collect();
    let known = match invariants.get(path.from) {
        Some(definition) => definition.apply(cx.store, &args),
        None => cx.store.top(),
    };
    let fixpoint = fixpoint(cx, path, &args);
    if is_possible(cx, fixpoint, known)? {
        let query = entry_query(cx.store, program.system(), path.from, fixpoint);
        sets.push((Candidate::Fixpoint(path.clone()), query));
    }
    for path in chosen(cx, program, path)? {
        let Some(one) = path.to_move() else { continue };
        for set in candidates(cx, &path, &params, known)? {
            if !is_possible(cx, set, known)? {
                continue;
            }
            let both = cx.store.and(&[set, known]);
            for set in [set, both] {
                let recurrence =
                    Recurrence { sets: vec![(path.from, set)], moves: vec![one.clone()] };
                if check_recurrence(cx, program, &recurrence)?.is_ok() {
                    let query = entry_query(cx.store, program.system(), path.from, set);
                    sets.push((Candidate::Ready(recurrence), query));
                    break;
                }
            }
        }
    }
    Ok(())
}

/// That a path can lead back to the state where it begins.
fn fixpoint(cx: &mut Cx<'_>, path: &Path, args: &[Term]) -> Term {
    let mut parts = path.guard.clone();
    parts.extend(args.iter().zip(&path.state).map(|(&arg, &value)| cx.store.eq(arg, value)));
    cx.store.and(&parts)
}

fn is_possible(cx: &mut Cx<'_>, set: Term, known: Term) -> Outcome<bool> {
    let bottom = cx.store.bottom();
    Ok(!implies(cx, Options::default(), &[set, known], bottom)?)
}

/// The proof that an execution into a candidate gives.
fn proof(
    cx: &mut Cx<'_>,
    program: &Program,
    candidate: Candidate,
    mut execution: Derivation,
) -> Outcome<DivergenceProof> {
    let own = program.system().clause_count();
    let state = execution.steps.last_mut().expect("a refutation has a last step");
    state.clause = ClauseId::from_index(own);
    let recurrence = match candidate {
        Candidate::Ready(mut recurrence) => {
            for (_, set) in &mut recurrence.sets {
                *set = tidy(cx.store, *set);
            }
            recurrence
        }
        Candidate::Fixpoint(mut path) => {
            let model = state.assignment.clone();
            for symbol in path.open.clone() {
                let variable = cx.store.constant(symbol);
                let value = values(cx.store, &[variable], &model)?[0];
                path.choose(cx.store, symbol, value);
            }
            let params: Vec<Symbol> = formal_params(cx.store, program.system(), path.from);
            let args: Vec<Term> = params.iter().map(|&param| cx.store.constant(param)).collect();
            let numbers = values(cx.store, &args, &model)?;
            let same = args.iter().zip(&numbers).map(|(&arg, &value)| cx.store.eq(arg, value));
            let same: Vec<Term> = same.collect();
            let moves = path.to_move().into_iter().collect();
            Recurrence { sets: vec![(path.from, cx.store.and(&same))], moves }
        }
    };
    let reached = recurrence.sets[0].0;
    Ok(DivergenceProof { recurrence, reached, execution })
}

/// Cycles of transitions: simple ones, and pairs of those that begin at the same location.
fn cycles(transitions: &[Transition]) -> Vec<Vec<ClauseId>> {
    let mut locations: Vec<PredId> = transitions.iter().map(|t| t.from).collect();
    locations.sort_unstable();
    locations.dedup();
    let mut simple: Vec<(PredId, Vec<ClauseId>)> = Vec::new();
    for &start in &locations {
        // Paths that visit no location before `start` again; the number of steps is limited, so the
        // stack is small.
        let mut open = vec![(vec![start], Vec::new())];
        while let Some((visited, path)) = open.pop() {
            if simple.len() >= MOST_CYCLES || open.len() > 1_000 {
                break;
            }
            let last = visited[visited.len() - 1];
            for transition in transitions.iter().filter(|t| t.from == last && t.to >= start) {
                let mut longer = path.clone();
                longer.push(transition.clause);
                if transition.to == start {
                    simple.push((start, longer));
                } else if !visited.contains(&transition.to) && longer.len() < LONGEST_CYCLE {
                    let mut seen = visited.clone();
                    seen.push(transition.to);
                    open.push((seen, longer));
                }
            }
        }
    }
    simple.sort_by_key(|(_, path)| path.len());
    let mut pairs = Vec::new();
    for (start, first) in &simple {
        for (_, second) in simple.iter().filter(|(other, _)| other == start) {
            pairs.push([first.as_slice(), second].concat());
        }
    }
    let mut result: Vec<Vec<ClauseId>> = simple.into_iter().map(|(_, path)| path).collect();
    result.extend(pairs);
    result.truncate(MOST_CYCLES);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_simple_or_pairs() {
        let one = |clause: usize, from: usize, to: usize| Transition {
            clause: ClauseId::from_index(clause),
            from: PredId::from_index(from),
            to: PredId::from_index(to),
        };
        let transitions = [one(0, 0, 1), one(1, 1, 0), one(2, 1, 1)];
        let found: Vec<Vec<usize>> = cycles(&transitions)
            .iter()
            .map(|cycle| cycle.iter().map(|clause| clause.index()).collect())
            .collect();
        assert_eq!(found, [vec![2], vec![0, 1], vec![2, 2], vec![0, 1, 0, 1]]);
    }
}
