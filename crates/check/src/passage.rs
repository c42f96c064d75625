//! The way of a problem and of a witness into a store of their own.
//!
//! The problem is read again from its text, if there is one, and carried over in the serialised form of terms otherwise.
//! Definitions of a model travel in the serialised form; the values of a refutation are looked up by the names of variables.
//!
//! Invariant: predicates and clauses have the same numbers on both sides; that is compared, name by name.

use std::borrow::Cow;

use shofar_base::{GaveUp, Idx as _, Map, Outcome};
use shofar_chc::{ChcSystem, Clause, Definition, Interpretation, PredAtom};
use shofar_term::serial::{export, import};
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Symbol, Term, TermStore};

use crate::{Assertion, HornInput};

/// What is said if the two sides do not speak about the same problem.
const OTHER_PROBLEM: &str = "the problem is another one when it is read again";

fn not_carried() -> GaveUp {
    GaveUp::wrong("terms cannot be carried into another store")
}

/// A problem in a store of its own.
pub(crate) struct Passage {
    pub(crate) store: TermStore,
    pub(crate) input: HornInput<'static>,
    /// The variable in the store where the witness lives, for each one of the problem here.
    pub(crate) origins: Map<Symbol, Symbol>,
}

impl Passage {
    /// Takes the problem to a fresh store.
    pub(crate) fn new(cx: &mut Cx<'_>, input: &HornInput<'_>) -> Outcome<Self> {
        let (store, copy) = match input.text() {
            Some(text) => {
                let (store, problem) = text.read_again(cx.budget)?;
                (store, HornInput::of_problem(&problem).into_owned())
            }
            None => carried(cx.store, input)?,
        };
        if !is_same(cx.store, input.system(), &store, copy.system())
            || input.assertions().len() != copy.assertions().len()
        {
            return Err(GaveUp::wrong(OTHER_PROBLEM));
        }
        let origins = origins(cx.store, &store, &copy);
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

/// The terms in another store.
fn carry(from: &TermStore, to: &mut TermStore, roots: &[Term]) -> Outcome<Vec<Term>> {
    import(to, &export(from, roots)).map_err(|_| not_carried())
}

/// The problem in a fresh store, by the serialised form of its terms.
fn carried(from: &TermStore, input: &HornInput<'_>) -> Outcome<(TermStore, HornInput<'static>)> {
    let (system, mut store) = (input.system(), TermStore::new());
    let mut roots: Vec<Term> = input.assertions().iter().map(|a| a.formula).collect();
    roots.extend_from_slice(input.translations());
    let atoms = |clause: &Clause| -> Vec<PredAtom> {
        clause.body.iter().chain(&clause.head).cloned().collect()
    };
    for (_, clause) in system.clauses() {
        roots.push(clause.constraint);
        roots.extend(atoms(clause).into_iter().flat_map(|atom| atom.args));
    }
    let mut roots = carry(from, &mut store, &roots)?.into_iter();
    let mut next = || roots.next().ok_or_else(not_carried);
    let mut assertions = Vec::with_capacity(input.assertions().len());
    for assertion in input.assertions() {
        assertions.push(Assertion { formula: next()?, ..*assertion });
    }
    let translations = input.translations().iter().map(|_| next()).collect::<Outcome<_>>()?;
    let mut copy = ChcSystem::new();
    for pred in system.preds() {
        let own = system.symbol(pred);
        let symbol = store.declare(from.name(own), from.params(own), from.result(own));
        copy.add_pred(symbol);
    }
    for (_, clause) in system.clauses() {
        let constraint = next()?;
        let mut moved = Clause { constraint, ..clause.clone() };
        for atom in moved.body.iter_mut().chain(&mut moved.head) {
            for arg in &mut atom.args {
                *arg = next()?;
            }
        }
        copy.add_clause(moved);
    }
    let origins = (0..system.clause_count())
        .map(|clause| input.origin(shofar_chc::ClauseId::from_index(clause)))
        .collect();
    let input = HornInput::new(Cow::Owned(copy), assertions, origins);
    Ok((store, input.translated(translations)))
}

/// Whether the two systems have the same predicates, and clauses about the same ones.
fn is_same(store: &TermStore, system: &ChcSystem, other: &TermStore, copy: &ChcSystem) -> bool {
    let signature = |store: &TermStore, system: &ChcSystem| -> Vec<String> {
        let preds = system.preds().map(|pred| system.symbol(pred));
        preds.map(|symbol| format!("{} {:?}", store.name(symbol), store.params(symbol))).collect()
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

/// The variables of the problem in `copy`, each with the symbol of the same name and sort in `home`.
fn origins(home: &mut TermStore, store: &TermStore, copy: &HornInput<'_>) -> Map<Symbol, Symbol> {
    let mut terms: Vec<Term> = copy.assertions().iter().map(|a| a.formula).collect();
    terms.extend_from_slice(copy.translations());
    terms.extend(copy.system().clauses().flat_map(|(_, clause)| clause.terms()));
    free_symbols(store, &terms)
        .into_iter()
        .filter(|&symbol| store.params(symbol).is_empty())
        .map(|symbol| (symbol, home.declare(store.name(symbol), &[], store.result(symbol))))
        .collect()
}
