//! Problems as bytes: the clauses, and the assertions that they come from.
//!
//! What a script asks for besides the answer does not travel. Assertions travel without their
//! quantifiers: what the bytes say is what was written, for whoever reads them.

use shofar_base::wire::{Reader, Wire, Writer};
use shofar_base::{Diagnostic, IndexVec, Span};
use shofar_term::{Term, TermStore};

use super::system::{read_span, read_system, write_system};
use super::{is_quantifier_free, read_terms, write_terms};
use crate::read::{Asks, Assertion, FrontEnd, HornProblem, Polarity, Status, Texts};
use crate::{ChcSystem, ClauseId, Exactness};

const MAGIC: &[u8] = b"shofar problem 2\n";

/// The front end for problems as bytes.
pub const SERIALISED: FrontEnd = FrontEnd {
    name: "serialised",
    about: "a problem as bytes, from another process",
    extensions: &["shofar"],
    recognises: |bytes| bytes.starts_with(MAGIC),
    texts: Texts::Whole,
    asks: Asks::Safety,
    options: &[],
    read: |bytes, _, store| {
        let mut problem = import_problem(store, bytes).map_err(|error| {
            Diagnostic::new(Span::new(error.offset, error.offset + 1), error.reason)
        })?;
        // Places are those of a text that is not here.
        let clauses: Vec<_> = problem.system.clauses().map(|(_, clause)| clause.clone()).collect();
        let placeless = clauses.into_iter().map(|clause| crate::Clause { span: None, ..clause });
        problem.system = problem.system.with_clauses(placeless);
        Ok(vec![problem])
    },
};

/// A problem as bytes.
pub fn export_problem(store: &mut TermStore, problem: &HornProblem) -> Vec<u8> {
    let mut out = Writer::new(MAGIC);
    write_system(&mut out, store, &problem.system);
    let formulas: Vec<Term> = problem.assertions.iter().map(|a| a.formula).collect();
    write_terms(&mut out, store, &formulas);
    for assertion in &problem.assertions {
        write_span(&mut out, assertion.span);
        out.length(assertion.name.as_ref().map_or(0, |_| 1));
        if let Some(name) = &assertion.name {
            out.text(name);
        }
    }
    for &origin in &problem.origin {
        out.length(origin);
    }
    out.byte(match problem.polarity {
        Polarity::Normal => 0,
        Polarity::Inverted => 1,
    });
    out.byte(match problem.status {
        None => 0,
        Some(Status::Sat) => 1,
        Some(Status::Unsat) => 2,
        Some(Status::Unknown) => 3,
    });
    out.byte(match problem.exactness {
        Exactness::Exact => 0,
        Exactness::Over => 1,
    });
    write_span(&mut out, problem.span);
    out.finish()
}

/// The problem in `bytes`, with terms of `store`.
pub fn import_problem(store: &mut TermStore, bytes: &[u8]) -> Wire<HornProblem> {
    let bytes = &mut Reader::new(bytes, MAGIC)?;
    let system = read_system(bytes, store)?;
    let assertions = read_assertions(bytes, store, &system)?;
    let origin: IndexVec<ClauseId, usize> = (0..system.clause_count())
        .map(|_| bytes.index(assertions.len(), "there is no such assertion"))
        .collect::<Wire<_>>()?;
    let polarity = match bytes.byte()? {
        0 => Polarity::Normal,
        1 => Polarity::Inverted,
        _ => return Err(bytes.error("an unknown polarity")),
    };
    let status = match bytes.byte()? {
        0 => None,
        1 => Some(Status::Sat),
        2 => Some(Status::Unsat),
        3 => Some(Status::Unknown),
        _ => return Err(bytes.error("an unknown status")),
    };
    let exactness = match bytes.byte()? {
        0 => Exactness::Exact,
        1 => Exactness::Over,
        _ => return Err(bytes.error("an unknown exactness")),
    };
    let span = read_place(bytes)?;
    bytes.end()?;
    let (requests, surplus, instance, explain) = (Vec::new(), Vec::new(), None, None);
    Ok(HornProblem {
        system,
        origin,
        assertions,
        polarity,
        status,
        span,
        requests,
        exactness,
        surplus,
        instance,
        explain,
    })
}

fn read_assertions(
    bytes: &mut Reader<'_>,
    store: &mut TermStore,
    system: &ChcSystem,
) -> Wire<Vec<Assertion>> {
    let mut roots = read_terms(bytes, store)?;
    let mut assertions = Vec::new();
    while roots.len() > 0 {
        let formula = roots.formula(bytes, store)?;
        let span = read_place(bytes)?;
        let name = match bytes.byte()? {
            0 => None,
            1 => Some(bytes.text()?.to_owned()),
            _ => return Err(bytes.error("an assertion has one name or none")),
        };
        assertions.push(Assertion { written: formula, formula, span, name, variables: Vec::new() });
    }
    let formulas: Vec<Term> = assertions.iter().map(|a| a.formula).collect();
    bytes.require(is_quantifier_free(store, &formulas), "an assertion with a quantifier")?;
    let symbols = shofar_term::symbols::free_symbols(store, &formulas);
    let known = |&symbol: &_| store.params(symbol).is_empty() || system.pred(symbol).is_some();
    bytes.require(symbols.iter().all(known), "an assertion with a function")?;
    Ok(assertions)
}

fn write_span(out: &mut Writer, span: Span) {
    out.length(span.start + 1);
    out.length(span.end - span.start);
}

fn read_place(bytes: &mut Reader<'_>) -> Wire<Span> {
    read_span(bytes)?.ok_or_else(|| bytes.error("an assertion without a place"))
}
