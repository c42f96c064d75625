//! What engines and passes rely on without looking.
//!
//! Readers make systems that satisfy this, passes keep it, and whoever builds clauses in another
//! way has them checked once, at the door: below it nothing is checked again.
//!
//! Invariant of a system: constraints are formulas without predicates, functions and quantifiers;
//! atoms are about predicates of the system and fit their signatures; hints fit them as well.

use std::fmt;

use shofar_base::Idx as _;
use shofar_term::print::{print, print_sort};
use shofar_term::symbols::free_symbols;
use shofar_term::visit::postorder;
use shofar_term::{Kind, Sort, Term, TermStore};

use crate::{ChcSystem, Clause, ClauseId, PredAtom};

/// Why a system of clauses cannot be solved: something in it has no meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllFormed {
    /// The clause, if one is to blame.
    pub clause: Option<ClauseId>,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for IllFormed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.clause {
            Some(clause) => write!(f, "clause {}: {}", clause.index(), self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for IllFormed {}

/// Terms are shown up to this many characters.
const SHOWN: usize = 60;

impl ChcSystem {
    /// Whether the system has a meaning; else, the first thing that has none.
    pub fn check_well_formed(&self, store: &TermStore) -> Result<(), IllFormed> {
        for pred in self.preds() {
            let symbol = self.symbol(pred);
            if store.result(symbol) != Sort::BOOL {
                let message = format!("`{}` is a function, not a predicate", store.name(symbol));
                return Err(IllFormed { clause: None, message });
            }
        }
        for (id, clause) in self.clauses() {
            self.check_clause(store, clause)
                .map_err(|message| IllFormed { clause: Some(id), message })?;
        }
        for hint in self.hints() {
            let sorts: Vec<Sort> = hint.params.iter().map(|&param| store.result(param)).collect();
            if hint.pred.index() >= self.pred_count() || sorts != self.sorts(store, hint.pred) {
                let message = "the parameters of a hint do not fit its predicate".to_owned();
                return Err(IllFormed { clause: None, message });
            }
        }
        Ok(())
    }
    fn check_clause(&self, store: &TermStore, clause: &Clause) -> Result<(), String> {
        let sort = store.sort(clause.constraint);
        if sort != Sort::BOOL {
            let (term, sort) = (shown(store, clause.constraint), print_sort(store, sort));
            return Err(format!("the constraint `{term}` is of sort {sort}, not Bool"));
        }
        for atom in clause.body.iter().chain(&clause.head) {
            self.check_atom(store, atom)?;
        }
        let terms = clause.terms();
        for symbol in free_symbols(store, &terms) {
            if !store.params(symbol).is_empty() || self.pred(symbol).is_some() {
                let name = store.name(symbol);
                let what = "only variables may occur in constraints and arguments";
                return Err(format!("`{name}` has arguments or is a predicate: {what}"));
            }
        }
        let is_quantified = |&term: &Term| matches!(store.kind(term), Kind::Quantified(..));
        match postorder(store, &terms).into_iter().find(is_quantified) {
            Some(term) => Err(format!("`{}` has a quantifier", shown(store, term))),
            None => Ok(()),
        }
    }
    fn check_atom(&self, store: &TermStore, atom: &PredAtom) -> Result<(), String> {
        if atom.pred.index() >= self.pred_count() {
            return Err(format!("there is no predicate with number {}", atom.pred.index()));
        }
        let (name, sorts) = (store.name(self.symbol(atom.pred)), self.sorts(store, atom.pred));
        if atom.args.len() != sorts.len() {
            let (wanted, given) = (sorts.len(), atom.args.len());
            return Err(format!("`{name}` takes {wanted} arguments, {given} are given"));
        }
        for (at, (&arg, &sort)) in atom.args.iter().zip(sorts).enumerate() {
            if store.sort(arg) != sort {
                let (wanted, given) = (print_sort(store, sort), print_sort(store, store.sort(arg)));
                let (term, place) = (shown(store, arg), at + 1);
                return Err(format!(
                    "argument {place} of `{name}` is of sort {wanted}, but `{term}` of sort {given}"
                ));
            }
        }
        Ok(())
    }
    /// Panics if the system is not well formed; for tests and debug builds.
    pub fn assert_well_formed(&self, store: &TermStore) {
        if let Err(error) = self.check_well_formed(store) {
            panic!("{error}");
        }
    }
}

fn shown(store: &TermStore, term: Term) -> String {
    let text = print(store, term);
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
