//! Models and refutations as bytes. Both are about a system that the reader has already.
//!
//! The values of a refutation are written step by step; the variables of a clause are named once,
//! where it first occurs.

use shofar_base::wire::{Reader, Wire, Writer};
use shofar_base::{Idx, Map, Set};
use shofar_term::eval::{Model, Value};
use shofar_term::serial::{read_number, read_value, write_number, write_value};
use shofar_term::{Sort, Symbol, Term, TermStore};

use super::{is_quantifier_free, read_terms, write_terms};
use crate::{
    ChcSystem, ClauseId, Definition, Derivation, DerivationStep, Interpretation, PredId, Repeat,
};

const MODEL: &[u8] = b"shofar model 1\n";
const REFUTATION: &[u8] = b"shofar refutation 2\n";

/// A model of `system` as bytes.
pub fn export_model(store: &mut TermStore, system: &ChcSystem, model: &Interpretation) -> Vec<u8> {
    let mut out = Writer::new(MODEL);
    let mut roots = Vec::new();
    let defined: Vec<(PredId, &Definition)> =
        system.preds().filter_map(|pred| Some((pred, model.get(pred)?))).collect();
    for (_, definition) in &defined {
        roots.extend(definition.params.iter().map(|&param| store.constant(param)));
        roots.push(definition.body);
    }
    write_terms(&mut out, store, &roots);
    out.length(defined.len());
    for (pred, _) in defined {
        out.length(pred.index());
    }
    out.finish()
}

/// The model of `system` in `bytes`, with terms of `store`.
pub fn import_model(
    store: &mut TermStore,
    system: &ChcSystem,
    bytes: &[u8],
) -> Wire<Interpretation> {
    let bytes = &mut Reader::new(bytes, MODEL)?;
    let mut roots = read_terms(bytes, store)?;
    let mut model = Interpretation::new();
    for _ in 0..bytes.length()? {
        let pred = bytes.index(system.pred_count(), "there is no such predicate")?;
        let pred = PredId::from_index(pred);
        bytes.require(model.get(pred).is_none(), "a predicate is defined twice")?;
        let (mut params, mut seen) = (Vec::new(), Set::default());
        for &sort in system.sorts(store, pred) {
            let param = roots.constant(bytes, store)?;
            bytes.require(store.result(param) == sort, "a parameter has the wrong sort")?;
            bytes.require(seen.insert(param), "a parameter occurs twice")?;
            params.push(param);
        }
        let body = roots.formula(bytes, store)?;
        let matrix = store.quantified(body).map_or(body, |(_, matrix, _)| matrix);
        bytes
            .require(is_quantifier_free(store, &[matrix]), "quantifiers inside of a definition")?;
        model.define(pred, Definition { params, body });
    }
    roots.end(bytes)?;
    bytes.end()?;
    Ok(model)
}

/// A refutation of `system` as bytes.
pub fn export_refutation(
    store: &mut TermStore,
    system: &ChcSystem,
    refutation: &Derivation,
) -> Vec<u8> {
    let mut out = Writer::new(REFUTATION);
    let mut places: Map<ClauseId, usize> = Map::default();
    let mut used: Vec<(ClauseId, Vec<Symbol>)> = Vec::new();
    for step in &refutation.steps {
        places.entry(step.clause).or_insert_with(|| {
            used.push((step.clause, system.clause(step.clause).variables(store)));
            used.len() - 1
        });
    }
    let roots: Vec<Term> =
        used.iter().flat_map(|(_, variables)| variables).map(|&v| store.constant(v)).collect();
    write_terms(&mut out, store, &roots);
    out.length(used.len());
    for (clause, variables) in &used {
        out.length(clause.index());
        out.length(variables.len());
    }
    out.length(refutation.steps.len());
    for (at, step) in refutation.steps.iter().enumerate() {
        let place = places[&step.clause];
        out.length(place);
        for &variable in &used[place].1 {
            write_optional(&mut out, store, step.assignment.get(variable));
        }
        out.length(step.premises.len());
        for &premise in &step.premises {
            out.length(at - premise);
        }
    }
    out.length(refutation.repeats.len());
    for Repeat { start, length, count } in &refutation.repeats {
        out.length(*start);
        out.length(*length);
        write_number(&mut out, count);
    }
    out.finish()
}

/// The refutation of `system` in `bytes`, whose clauses have terms of `store`.
pub fn import_refutation(
    store: &mut TermStore,
    system: &ChcSystem,
    bytes: &[u8],
) -> Wire<Derivation> {
    let bytes = &mut Reader::new(bytes, REFUTATION)?;
    let used = read_variables(bytes, store, system)?;
    let mut steps = Vec::new();
    for at in 0..bytes.length()? {
        let (clause, variables) = &used[bytes.index(used.len(), "there is no such clause")?];
        let mut assignment = Model::new();
        for &(variable, sort) in variables {
            if let Some(value) = read_optional(bytes, store, sort)? {
                assignment.set(variable, value);
            }
        }
        let premise = |bytes: &mut Reader<'_>| {
            let back = bytes.index(at + 1, "there is no such step")?;
            bytes.require(back > 0, "a step is its own premise")?;
            Ok(at - back)
        };
        let count = bytes.length()?;
        let premises = (0..count).map(|_| premise(bytes)).collect::<Wire<Vec<usize>>>()?;
        steps.push(DerivationStep { clause: *clause, assignment, premises });
    }
    let mut repeats = Vec::new();
    for _ in 0..bytes.length()? {
        let start = bytes.index(steps.len(), "there is no such step")?;
        let length = bytes.index(steps.len(), "there are fewer steps")?;
        let count = read_number(bytes)?;
        repeats.push(Repeat { start, length, count });
    }
    let derivation = Derivation { steps, repeats };
    bytes.require(derivation.is_ground() || derivation.is_nested(), "repeats are not nested")?;
    bytes.end()?;
    Ok(derivation)
}

/// Clauses with their variables and the sorts of these.
type Variables = Vec<(ClauseId, Vec<(Symbol, Sort)>)>;

fn read_variables(
    bytes: &mut Reader<'_>,
    store: &mut TermStore,
    system: &ChcSystem,
) -> Wire<Variables> {
    let mut roots = read_terms(bytes, store)?;
    let mut used = Vec::new();
    for _ in 0..bytes.length()? {
        let clause = bytes.index(system.clause_count(), "there is no such clause")?;
        let count = bytes.index(roots.len() + 1, "there are too few variables")?;
        let mut variables = Vec::new();
        for _ in 0..count {
            let variable = roots.constant(bytes, store)?;
            variables.push((variable, store.result(variable)));
        }
        used.push((ClauseId::from_index(clause), variables));
    }
    roots.end(bytes)?;
    Ok(used)
}

/// What stands for no value.
const NO_VALUE: u8 = 0;

fn write_optional(out: &mut Writer, store: &TermStore, value: Option<&Value>) {
    match value {
        None => out.byte(NO_VALUE),
        Some(value) => write_value(out, store, value),
    }
}

fn read_optional(bytes: &mut Reader<'_>, store: &TermStore, sort: Sort) -> Wire<Option<Value>> {
    match bytes.byte()? {
        NO_VALUE => Ok(None),
        first => read_value(bytes, store, first, sort).map(Some),
    }
}
