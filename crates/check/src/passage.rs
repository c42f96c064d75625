//! The way of a problem and of a witness into a store of their own.
//!
//! The problem is read again from its text, if there is one, and carried over in the serialised
//! form of terms otherwise. Definitions of a model travel in the serialised form; the values of a
//! refutation are looked up by the names of variables.
//!
//! Invariant: predicates and clauses have the same numbers on both sides; that is compared, name by
//! name.

use std::borrow::Cow;
use std::sync::Arc;

use shofar_base::wire::{Reader, Writer};
use shofar_base::{GaveUp, Map, Outcome};
use shofar_chc::read::{Assertion, HornProblem};
use shofar_chc::serial::{export_system, import_system};
use shofar_chc::{ChcSystem, Clause, Definition, Derivation, Interpretation};
use shofar_term::eval::{Model, Value};
use shofar_term::print::print_sort;
use shofar_term::serial::{export, import, read_value, write_value};
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Sort, Symbol, Term, TermStore};

use crate::HornInput;

/// How many sorts a store has that knows Bool, Int and Real only.
const NUMBERS_ONLY: usize = 3;

/// What is said if the two sides do not speak about the same problem.
const OTHER_PROBLEM: &str = "the problem is another one when it is read again";

fn not_carried() -> GaveUp {
    GaveUp::wrong("terms cannot be carried into another store")
}

/// A problem in a store of its own.
pub(crate) struct Passage {
    pub(crate) store: TermStore,
    pub(crate) input: HornInput,
    /// The variable in the store where the witness lives, for each one of the problem here.
    pub(crate) origins: Map<Symbol, Symbol>,
}

impl Passage {
    /// Takes the problem to a fresh store.
    pub(crate) fn new(cx: &mut Cx<'_>, input: &HornInput) -> Outcome<Self> {
        let (store, copy) = match input.text() {
            Some(text) => {
                let (store, problem) = text.read_again(cx.budget)?;
                (store, HornInput::new(Arc::new(problem)))
            }
            None => carried(cx.store, input)?,
        };
        if !is_same(cx.store, input.system(), &store, copy.system())
            || input.assertions().len() != copy.assertions().len()
        {
            return Err(GaveUp::wrong(OTHER_PROBLEM));
        }
        let origins = origins(cx.store, input, &store, &copy);
        Ok(Self { store, input: copy, origins })
    }
    /// Takes a model to the store of the problem.
    pub(crate) fn model(
        &mut self,
        from: &mut TermStore,
        model: &Interpretation,
    ) -> Outcome<Interpretation> {
        let preds: Vec<_> = self.input.system().preds().collect();
        let mut roots: Vec<Term> = Vec::new();
        for definition in preds.iter().filter_map(|&pred| model.get(pred)) {
            roots.extend(definition.params.iter().map(|&param| from.constant(param)));
            roots.push(definition.body);
        }
        let roots = carry(from, &mut self.store, &roots)?;
        let mut roots = roots.into_iter();
        let mut copy = Interpretation::new();
        for pred in preds {
            let Some(definition) = model.get(pred) else { continue };
            let params: Vec<Term> = roots.by_ref().take(definition.params.len()).collect();
            let symbols = params.into_iter().map(|param| self.store.symbol(param));
            let params: Vec<Symbol> = symbols.collect::<Option<_>>().ok_or_else(not_carried)?;
            let body = roots.next().ok_or_else(not_carried)?;
            copy.define(pred, Definition { params, body });
        }
        Ok(copy)
    }
}

impl Passage {
    /// A refutation with values of the store of the problem, under the names that variables have at
    /// home.
    pub(crate) fn refutation<'d>(
        &self,
        home: &TermStore,
        derivation: &'d Derivation,
    ) -> Cow<'d, Derivation> {
        if self.store.sort_count() == NUMBERS_ONLY {
            return Cow::Borrowed(derivation);
        }
        let here: Map<Symbol, Symbol> =
            self.origins.sorted().into_iter().map(|(&here, &there)| (there, here)).collect();
        let mut copy = derivation.clone();
        for step in &mut copy.steps {
            let mut assignment = Model::new();
            for (symbol, value) in step.assignment.entries() {
                let sort = here.get(&symbol).map(|&symbol| self.store.result(symbol));
                let carried = sort.and_then(|sort| {
                    value.has_sort(home, home.result(symbol)).then_some(())?;
                    carry_value(home, &self.store, value, sort)
                });
                // A value that cannot be carried is an objection to its step.
                assignment.set(symbol, carried.unwrap_or_else(|| value.clone()));
            }
            step.assignment = assignment;
        }
        Cow::Owned(copy)
    }
}

/// A value in another store, where its sort is `sort`.
pub(crate) fn carry_value(
    from: &TermStore,
    to: &TermStore,
    value: &Value,
    sort: Sort,
) -> Option<Value> {
    match value {
        Value::Bool(_) | Value::Number(_) | Value::Bits(_) => return Some(value.clone()),
        Value::Element(..) | Value::Data(_) | Value::Array(_) => {}
    }
    let mut out = Writer::new(b"");
    write_value(&mut out, from, value);
    let bytes = out.finish();
    let mut reader = Reader::new(&bytes, b"").ok()?;
    let first = reader.byte().ok()?;
    read_value(&mut reader, to, first, sort).ok()
}

/// The terms in another store.
fn carry(from: &TermStore, to: &mut TermStore, roots: &[Term]) -> Outcome<Vec<Term>> {
    import(to, &export(from, roots)).map_err(|_| not_carried())
}

/// The problem in a fresh store, by its serialised form.
fn carried(from: &mut TermStore, input: &HornInput) -> Outcome<(TermStore, HornInput)> {
    let (system, mut store) = (input.system(), TermStore::new());
    let bytes = export_system(from, system);
    let copy = import_system(&mut store, &bytes).map_err(|_| not_carried())?;
    let roots: Vec<Term> = input.assertions().iter().flat_map(formulas).collect();
    let carried = carry(from, &mut store, &roots)?;
    let assertion = |(known, formulas): (&Assertion, &[Term])| Assertion {
        written: formulas[0],
        formula: formulas[1],
        variables: Vec::new(),
        ..known.clone()
    };
    let assertions = input.assertions().iter().zip(carried.chunks_exact(2)).map(assertion);
    let problem = input.problem();
    let problem = HornProblem {
        assertions: assertions.collect(),
        origin: problem.origin.clone(),
        exactness: problem.exactness,
        ..HornProblem::of_system(&mut store, copy)
    };
    Ok((store, HornInput::new(Arc::new(problem))))
}

/// An assertion as it was written and as it was read.
fn formulas(assertion: &Assertion) -> [Term; 2] {
    [assertion.written, assertion.formula]
}

/// Whether the two systems have the same predicates, and clauses about the same ones.
fn is_same(store: &TermStore, system: &ChcSystem, other: &TermStore, copy: &ChcSystem) -> bool {
    let signature = |store: &TermStore, system: &ChcSystem| -> Vec<String> {
        let preds = system.preds().map(|pred| system.symbol(pred));
        let sorts =
            |symbol| store.params(symbol).iter().map(|&sort| print_sort(store, sort).into_owned());
        preds
            .map(|symbol| {
                let sorts: Vec<String> = sorts(symbol).collect();
                format!("{} {}", store.name(symbol), sorts.join(" "))
            })
            .collect()
    };
    let shape = |clause: &Clause| {
        let preds = clause.body.iter().map(|atom| atom.pred);
        (preds.collect::<Vec<_>>(), clause.head.as_ref().map(|head| head.pred))
    };
    system.pred_count() == copy.pred_count()
        && system.clause_count() == copy.clause_count()
        && signature(store, system) == signature(other, copy)
        && system.clauses().zip(copy.clauses()).all(|((_, a), (_, b))| shape(a) == shape(b))
}

/// The variables of the problem in `copy`, each with the symbol of the same name and sort in
/// `home`.
fn origins(
    home: &mut TermStore,
    input: &HornInput,
    store: &TermStore,
    copy: &HornInput,
) -> Map<Symbol, Symbol> {
    let here = variables(store, copy);
    if store.sort_count() == NUMBERS_ONLY {
        let origin = |symbol| (symbol, home.declare(store.name(symbol), &[], store.result(symbol)));
        return here.into_iter().map(origin).collect();
    }
    // Sorts may have other handles at home, but they look the same.
    let key = |store: &TermStore, symbol: Symbol| {
        (store.name(symbol).to_owned(), print_sort(store, store.result(symbol)).into_owned())
    };
    let there: Map<(String, String), Symbol> =
        variables(home, input).into_iter().map(|symbol| (key(home, symbol), symbol)).collect();
    let origin = |symbol| Some((symbol, *there.get(&key(store, symbol))?));
    here.into_iter().filter_map(origin).collect()
}

/// All variables of a problem.
fn variables(store: &TermStore, input: &HornInput) -> Vec<Symbol> {
    let mut terms: Vec<Term> = input.assertions().iter().flat_map(formulas).collect();
    terms.extend(input.system().clauses().flat_map(|(_, clause)| clause.terms()));
    let mut symbols = free_symbols(store, &terms);
    symbols.retain(|&symbol| store.params(symbol).is_empty());
    symbols
}
