//! What interpolants of graphs and of formulas with marked positions have to satisfy.
//!
//! | asked for | obligations |
//! |---|---|
//! | `get-dag-interpolants` | along each edge, the interpolant and the label of its start and its own label imply interpolant and label of its end; `true` at the entry, `false` at the exit |
//! | `get-disjunctive-interpolants` | what stands at a position, with the interpolants of those directly below, implies its own; the whole implies `false` |
//!
//! Constants of an interpolant must be shared: by incoming and outgoing edges, or by a position and
//! what is around it.

use std::collections::{BTreeMap, BTreeSet};

use crate::context::Context;
use crate::sexp::Sexp;

/// What has to be looked at.
#[derive(Debug, Default)]
pub(crate) struct Claims {
    /// Formulas that contradict each other, in each list.
    pub(crate) contradictions: Vec<Vec<String>>,
    /// Interpolants with the constants that they may have.
    pub(crate) scopes: Vec<(Sexp, BTreeSet<String>)>,
}

/// The interpolants that were printed, by the names they were printed with.
fn interpolants(reply: &Sexp) -> Result<BTreeMap<String, Sexp>, String> {
    let mut found = BTreeMap::new();
    for pair in reply.list().unwrap_or(&[]) {
        let Some([name, interpolant]) = pair.list() else {
            return Err(format!("{pair} is not a name with an interpolant"));
        };
        found.insert(name.to_string(), interpolant.clone());
    }
    Ok(found)
}

/// A term, or the asserted one of that name.
fn resolved(context: &Context, term: &Sexp) -> Sexp {
    let assertion = term.atom().and_then(|name| context.named(name));
    assertion.map_or_else(|| term.clone(), |assertion| assertion.term.clone())
}

/// The claims of an answer to `get-dag-interpolants`.
pub(crate) fn graph(context: &Context, command: &Sexp, reply: &Sexp) -> Result<Claims, String> {
    let found = interpolants(reply)?;
    let [edges, labels @ ..] = command.arguments() else { return Err("no edges".to_owned()) };
    let mut label_of: BTreeMap<String, Sexp> = BTreeMap::new();
    for label in labels.iter().filter_map(Sexp::list).flatten() {
        if let Some([vertex, formula]) = label.list() {
            label_of.insert(vertex.to_string(), resolved(context, formula));
        }
    }
    let at = |vertex: &String| {
        let label = label_of.get(vertex).map_or_else(|| "true".to_owned(), Sexp::to_string);
        let interpolant = found.get(vertex).ok_or_else(|| format!("none for {vertex}: {reply}"))?;
        Ok::<_, String>(format!("(and {interpolant} {label})"))
    };
    let mut claims = Claims::default();
    let (mut entering, mut leaving) = (BTreeMap::new(), BTreeMap::new());
    for edge in edges.list().unwrap_or(&[]) {
        let Some([from, to, label]) = edge.list() else { return Err(format!("{edge}: no edge")) };
        let (from, to, label) = (from.to_string(), to.to_string(), resolved(context, label));
        claims.contradictions.push(vec![
            at(&from)?,
            label.to_string(),
            format!("(not {})", at(&to)?),
        ]);
        for (side, vertex) in [(&mut leaving, from), (&mut entering, to)] {
            let symbols: &mut BTreeSet<String> = side.entry(vertex).or_default();
            symbols.extend(context.symbols(&label));
        }
    }
    for (vertex, interpolant) in &found {
        let shared = match (entering.get(vertex), leaving.get(vertex)) {
            (Some(entering), Some(leaving)) => entering & leaving,
            (entering, leaving) => {
                let wanted = if entering.is_some() { "false" } else { "true" };
                if (entering.is_none() && leaving.is_none()) || interpolant.atom() != Some(wanted) {
                    return Err(format!("{interpolant} at the end {vertex}"));
                }
                BTreeSet::new()
            }
        };
        claims.scopes.push((interpolant.clone(), shared));
    }
    Ok(claims)
}

/// The claims of an answer to `get-disjunctive-interpolants`.
pub(crate) fn marked(context: &Context, command: &Sexp, reply: &Sexp) -> Result<Claims, String> {
    let found = interpolants(reply)?;
    let [whole] = command.arguments() else { return Err("no formula".to_owned()) };
    let mut marks: Vec<(String, &Sexp)> = Vec::new();
    let mut open = vec![whole];
    while let Some(term) = open.pop() {
        if let Some((name, inner)) = mark(term) {
            marks.push((name, inner));
        }
        open.extend(term.list().unwrap_or(&[]));
    }
    if let Some((name, _)) = marks.iter().find(|(name, _)| !found.contains_key(name)) {
        return Err(format!("no interpolant for {name}: {reply}"));
    }
    let mut claims = Claims::default();
    claims
        .contradictions
        .push(vec![replaced(whole, &|name| Some(found[name].clone())).to_string()]);
    for (name, inner) in &marks {
        let premise = replaced(inner, &|below| Some(found[below].clone()));
        claims.contradictions.push(vec![premise.to_string(), format!("(not {})", found[name])]);
        let inside = context.symbols(&replaced(inner, &|_| None));
        let hidden = |other: &str| (other == name).then(|| Sexp::Atom("true".into()));
        let outside = context.symbols(&replaced(whole, &hidden));
        claims.scopes.push((found[name].clone(), &inside & &outside));
    }
    Ok(claims)
}

/// The name of a marked position, and what stands there.
fn mark(term: &Sexp) -> Option<(String, &Sexp)> {
    match term.list()? {
        [Sexp::Atom(word), inner, Sexp::Atom(key), name] if word == "!" && key == ":named" => {
            Some((name.to_string(), inner))
        }
        _ => None,
    }
}

/// `term` with something else at marked positions; where there is nothing else, what stands there
/// without its mark.
fn replaced(term: &Sexp, by: &dyn Fn(&str) -> Option<Sexp>) -> Sexp {
    if let Some((name, inner)) = mark(term) {
        return by(&name).unwrap_or_else(|| replaced(inner, by));
    }
    match term {
        Sexp::Atom(_) => term.clone(),
        Sexp::List(parts) => Sexp::List(parts.iter().map(|part| replaced(part, by)).collect()),
    }
}
