//! What has to be known about a program before it is encoded: which procedures are called, which of
//! them fail, and which variables keep their values.

use shofar_base::{Diagnostic, Map, Set, Span};
use shofar_term::{Term, TermStore};

use super::program::{Call, Label, Procedure, Program, Role, Variable};

/// The procedure that is run.
pub(super) fn entry(program: &Program, length: usize) -> Result<usize, Diagnostic> {
    if let Some((name, span)) = &program.instance {
        let message = || Diagnostic::new(*span, format!("there is no procedure `{name}`"));
        return program.find(name).ok_or_else(message);
    }
    let only = (program.procedures.len() == 1).then_some(0);
    program.find("main").or(only).ok_or_else(|| {
        Diagnostic::new(Span::new(length, length), "there is no procedure `main` to run")
    })
}

/// The procedures that can be called, in the order in which they are met; the entry is the first.
pub(super) fn reached(program: &Program, entry: usize) -> Result<Vec<usize>, Diagnostic> {
    let (mut order, mut seen) = (vec![entry], Set::default());
    seen.insert(entry);
    let mut next = 0;
    while let Some(&procedure) = order.get(next) {
        next += 1;
        for call in calls(&program.procedures[procedure]) {
            let callee = callee(program, &program.procedures[procedure], call)?;
            if seen.insert(callee) {
                order.push(callee);
            }
        }
    }
    Ok(order)
}

/// The calls in a procedure.
pub(super) fn calls(procedure: &Procedure) -> impl Iterator<Item = &Call> {
    procedure.edges.iter().filter_map(|edge| match &edge.label {
        Label::Call(call) => Some(call),
        Label::Relation(_) => None,
    })
}

/// The procedure that `caller` calls; the call has to fit.
fn callee(program: &Program, caller: &Procedure, call: &Call) -> Result<usize, Diagnostic> {
    let name = &call.callee;
    let refused = |message| Err(Diagnostic::new(call.span, message));
    let Some(found) = program.find(name) else {
        return refused(format!("the procedure `{name}` is not defined"));
    };
    let procedure = &program.procedures[found];
    let (inputs, outputs) = (procedure.with_role(Role::In), procedure.with_role(Role::Out));
    if inputs.len() != call.arguments.len() {
        let (wanted, given) = (inputs.len(), call.arguments.len());
        return refused(format!("`{name}` has {wanted} arguments, {given} are given"));
    }
    if !call.results.is_empty() && outputs.len() != call.results.len() {
        let (wanted, taken) = (outputs.len(), call.results.len());
        return refused(format!("`{name}` has {wanted} results, {taken} are taken"));
    }
    for (&output, &taker) in outputs.iter().zip(&call.results) {
        let taker = &caller.variables[taker];
        if taker.sort != procedure.variables[output].sort {
            return refused(format!("`{}` is of another type", taker.name));
        }
    }
    Ok(found)
}

/// The arguments of a call of `procedure`, of the sorts that it declares.
pub(super) fn arguments(
    store: &mut TermStore,
    procedure: &Procedure,
    call: &Call,
) -> Result<Vec<Term>, Diagnostic> {
    let mut terms = Vec::with_capacity(call.arguments.len());
    for (place, &(term, span)) in procedure.with_role(Role::In).into_iter().zip(&call.arguments) {
        let (wanted, given) = (procedure.variables[place].sort, store.sort(term));
        terms.push(if wanted == given {
            term
        } else if wanted.is_real() && given.is_int() {
            store.to_real(term)
        } else {
            let name = &procedure.variables[place].name;
            return Err(Diagnostic::new(span, format!("`{name}` is of another type")));
        });
    }
    Ok(terms)
}

/// The procedure of a call that fits.
pub(super) fn position(program: &Program, call: &Call) -> usize {
    program.find(&call.callee).expect("calls have been looked at")
}

/// The procedures from which an error state is reached, whatever they are called with.
pub(super) fn fails(program: &Program, order: &[usize]) -> Set<usize> {
    let mut callers: Map<usize, Vec<usize>> = Map::default();
    for &at in order {
        for call in calls(&program.procedures[at]) {
            callers.entry(position(program, call)).or_default().push(at);
        }
    }
    let own = order.iter().copied().filter(|&at| !program.procedures[at].errors.is_empty());
    let (mut fails, mut open): (Set<usize>, Vec<usize>) = (Set::default(), own.collect());
    while let Some(at) = open.pop() {
        if fails.insert(at) {
            open.extend(callers.get(&at).into_iter().flatten());
        }
    }
    fails
}

/// For each procedure, which variables keep their values in all transitions; a global one, in those
/// of all procedures.
pub(super) fn kept(
    store: &mut TermStore,
    program: &Program,
    order: &[usize],
) -> Map<usize, Vec<bool>> {
    let mut kept: Map<usize, Vec<bool>> = Map::default();
    let mut globals = vec![true; program.globals.len()];
    for &at in order {
        let procedure = &program.procedures[at];
        let mut own = vec![true; procedure.variables.len()];
        for edge in &procedure.edges {
            let by_edge = match &edge.label {
                Label::Relation(relation) => kept_by(store, &procedure.variables, *relation),
                Label::Call(call) => {
                    let mut kept = vec![true; procedure.variables.len()];
                    for &at in call.havoc.iter().filter(|&&at| at >= globals.len()) {
                        kept[at] = false;
                    }
                    kept
                }
            };
            for (own, kept) in own.iter_mut().zip(by_edge) {
                *own &= kept;
            }
        }
        for (place, global) in globals.iter_mut().enumerate() {
            *global &= own[place];
        }
        kept.insert(at, own);
    }
    for &at in order {
        if let Some(own) = kept.get_mut(&at) {
            own[..globals.len()].copy_from_slice(&globals);
        }
    }
    kept
}

/// Which variables keep their values, because they are parameters or a conjunct says so.
pub(super) fn kept_by(store: &mut TermStore, variables: &[Variable], relation: Term) -> Vec<bool> {
    let conjuncts: Set<Term> = store.conjuncts(&[relation]).into_iter().collect();
    let mut keeps = |variable: &Variable| {
        let same = store.eq(variable.next, variable.now);
        variable.role == Role::Parameter || conjuncts.contains(&same)
    };
    variables.iter().map(&mut keeps).collect()
}
