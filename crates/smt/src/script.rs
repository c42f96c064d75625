//! A question to a solver as a script that can be asked again.
//!
//! Symbols of the same name and different sorts, which a store allows and a script does not, get
//! new names.

use shofar_base::{Map, Set};
use shofar_term::print::{print, print_sort, print_sort_declarations, quote};
use shofar_term::substitute::substitute;
use shofar_term::symbols::{declared_sorts, free_symbols, with_parts};
use shofar_term::visit::postorder;
use shofar_term::{Question, Sort, Symbol, Term, TermStore};

/// Declarations, assertions, the expected status and `(check-sat)`.
pub fn script(question: &Question<'_>) -> String {
    let formulas: Vec<Term> =
        question.formulas.iter().chain(question.assumptions).copied().collect();
    let symbols = free_symbols(question.store, &formulas);
    let mut names = Set::default();
    let clashing: Vec<Symbol> =
        symbols.iter().copied().filter(|&s| !names.insert(question.store.name(s))).collect();
    if clashing.iter().all(|&s| question.store.params(s).is_empty()) && !clashing.is_empty() {
        // The store itself stays as it is, so that watching does not change the run.
        let mut store = question.store.clone();
        let map: Map<Term, Term> = clashing
            .into_iter()
            .map(|symbol| {
                let (name, sort) = (store.name(symbol).to_owned(), store.result(symbol));
                let prefix = format!("{name}!{}", print_sort(&store, sort));
                let fresh = store.fresh(&prefix, sort);
                (store.constant(symbol), store.constant(fresh))
            })
            .collect();
        let renamed = substitute(&mut store, &map, &formulas);
        return write(&store, &renamed, question);
    }
    write(question.store, &formulas, question)
}

fn write(store: &TermStore, formulas: &[Term], question: &Question<'_>) -> String {
    let status = match question.answer {
        Ok(true) => "sat",
        Ok(false) => "unsat",
        Err(_) => "unknown",
    };
    let mut lines = vec!["(set-logic ALL)".to_owned(), format!("(set-info :status {status})")];
    let symbols = free_symbols(store, formulas);
    let terms = postorder(store, formulas).into_iter().map(|term| store.sort(term));
    let sorts = with_parts(store, terms.chain(declared_sorts(store, &symbols)));
    lines.extend(print_sort_declarations(store, &sorts));
    for symbol in symbols {
        let sort = |&sort: &Sort| print_sort(store, sort).into_owned();
        let params: Vec<String> = store.params(symbol).iter().map(sort).collect();
        lines.push(format!(
            "(declare-fun {} ({}) {})",
            quote(store.name(symbol)),
            params.join(" "),
            print_sort(store, store.result(symbol))
        ));
    }
    for (i, &formula) in formulas.iter().enumerate() {
        if i == question.formulas.len() {
            lines.push("; assumed for this question".to_owned());
        }
        lines.push(format!("(assert {})", print(store, formula)));
    }
    lines.push("(check-sat)\n".to_owned());
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_of_one_name_are_told_apart() {
        let mut store = TermStore::new();
        let (x, flag) = (store.var("x", Sort::INT), store.var("x", Sort::BOOL));
        let zero = store.int(0);
        let formulas = [store.le(x, zero), flag];
        let question =
            Question { store: &store, formulas: &formulas, assumptions: &[], answer: Ok(true) };
        let text = script(&question);
        assert!(text.contains("(declare-fun x () Int)"), "{text}");
        assert!(text.contains("(assert x!Bool!0)"), "{text}");
    }
}
