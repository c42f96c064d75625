//! Whoever watches hears of every recursion-free problem that was solved.
//!
//! The script has the clauses, the answer, and the fragments that they belong to. Nothing is
//! written if nobody watches, and the store stays as it is, so that watching does not change the
//! run.
//!
//! Source: [RHK13b] (a library of recursion-free problems, by class).

use shofar_base::Idx;
use shofar_chc::print::print_horn;
use shofar_chc::{ChcSystem, Clause, PredAtom, PredId};
use shofar_term::{Cx, Sort, Term, TermStore};

use crate::Class;
use crate::normal_form::NormalForm;

/// Tells whoever watches of clauses that are solvable, or not, or unknown.
pub(crate) fn tell(
    cx: &Cx<'_>,
    clauses: &dyn Fn(&mut TermStore) -> ChcSystem,
    is_solvable: Option<bool>,
) {
    let Some(watched) = cx.watched else { return };
    let status = match is_solvable {
        Some(true) => "sat",
        Some(false) => "unsat",
        None => "unknown",
    };
    watched.observer.solved(watched.who, &|| {
        let mut store = cx.store.clone();
        let system = clauses(&mut store);
        let fragments = format!("\"{}\"", Class::of(&system).names().join(", "));
        let info = [("status", status), ("fragments", fragments.as_str())];
        let mut text = Vec::new();
        print_horn(&mut text, &mut store, &system, &info).expect("memory takes every text");
        String::from_utf8(text).expect("names are text")
    });
}

/// The clauses of a normal form, with arguments.
pub(crate) fn clauses_of(store: &mut TermStore, form: &NormalForm) -> ChcSystem {
    let mut system = ChcSystem::new();
    for symbol in form.symbols() {
        let sorts: Vec<Sort> = form.params(symbol).iter().map(|&p| store.result(p)).collect();
        let name = format!("p{}", symbol.index());
        let pred = system.add_pred(store.declare(&name, &sorts, Sort::BOOL));
        debug_assert_eq!(pred, symbol, "symbols keep their numbers");
    }
    let atom = |store: &mut TermStore, pred: PredId| {
        let args: Vec<Term> = form.params(pred).iter().map(|&p| store.constant(p)).collect();
        PredAtom { pred, args }
    };
    for (_, clause) in form.clauses() {
        let head = clause.head.map(|head| atom(store, head));
        let body = clause.body.iter().map(|&symbol| atom(store, symbol)).collect();
        system.add_clause(Clause { head, body, constraint: clause.constraint, span: None });
    }
    system
}
