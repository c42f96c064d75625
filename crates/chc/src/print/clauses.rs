//! Clauses as a script in the logic HORN.
//!
//! ```text
//! (set-logic HORN)
//! (set-info :status sat)
//! (declare-fun inv (Int) Bool)
//! (assert (forall ((A Int)) (=> (= A 0) (inv A))))
//! (assert (forall ((A Int)) (=> (and (inv A) (< A 0)) false)))
//! (check-sat)
//! ```
//! Every clause is an implication whose variables are called like the parameters of models, so that
//! neither the names that passes make nor symbols of one name and different sorts matter.

use std::io::{self, Write};

use shofar_term::print::{print, print_sort, print_sort_declarations, quote};
use shofar_term::substitute::renaming;
use shofar_term::symbols::with_parts;
use shofar_term::{Sort, Symbol, Term, TermStore};

use super::model::ParamNames;
use crate::{ChcSystem, Clause, ClauseId};

/// Writes `system` as a script; `info` are the attributes that it sets.
pub fn print_horn(
    out: &mut dyn Write,
    store: &mut TermStore,
    system: &ChcSystem,
    info: &[(&str, &str)],
) -> io::Result<()> {
    print_horn_with(out, store, system, info, &|_| None)
}

/// Writes `system` as a script, with a line in front of each clause that `comment` says something
/// about.
pub fn print_horn_with(
    out: &mut dyn Write,
    store: &mut TermStore,
    system: &ChcSystem,
    info: &[(&str, &str)],
    comment: &dyn Fn(ClauseId) -> Option<String>,
) -> io::Result<()> {
    writeln!(out, "(set-logic HORN)")?;
    for (keyword, value) in info {
        writeln!(out, "(set-info :{keyword} {value})")?;
    }
    for declaration in declarations(store, system) {
        writeln!(out, "{declaration}")?;
    }
    print_clauses(out, store, system, comment)?;
    writeln!(out, "(check-sat)")
}

/// The declarations of the sorts and predicates of `system`, one by one.
pub fn declarations(store: &TermStore, system: &ChcSystem) -> Vec<String> {
    let used = |(_, clause): (_, &Clause)| clause.variables(store);
    let variables: Vec<Symbol> = system.clauses().flat_map(used).collect();
    let mut sorts: Vec<Sort> = variables.iter().map(|&symbol| store.result(symbol)).collect();
    sorts.extend(system.preds().flat_map(|pred| system.sorts(store, pred).iter().copied()));
    let mut all = print_sort_declarations(store, &with_parts(store, sorts));
    all.extend(system.preds().map(|pred| declaration(store, system.symbol(pred))));
    all
}

/// The declaration of a predicate.
pub fn declaration(store: &TermStore, pred: Symbol) -> String {
    let sorts = store.params(pred).iter().map(|&sort| print_sort(store, sort));
    let sorts: Vec<_> = sorts.collect();
    format!("(declare-fun {} ({}) Bool)", quote(store.name(pred)), sorts.join(" "))
}

/// Writes the clauses of `system` as assertions, with a line in front of each one that `comment`
/// says something about.
pub fn print_clauses(
    out: &mut dyn Write,
    store: &mut TermStore,
    system: &ChcSystem,
    comment: &dyn Fn(ClauseId) -> Option<String>,
) -> io::Result<()> {
    let mut names = ParamNames::avoiding(store, system);
    for (id, clause) in system.clauses() {
        if let Some(comment) = comment(id) {
            writeln!(out, "; {comment}")?;
        }
        print_clause(out, store, system, clause, &mut names)?;
    }
    Ok(())
}

fn print_clause(
    out: &mut dyn Write,
    store: &mut TermStore,
    system: &ChcSystem,
    clause: &Clause,
    names: &mut ParamNames,
) -> io::Result<()> {
    let variables = clause.variables(store);
    let mut own = Vec::with_capacity(variables.len());
    for (at, &symbol) in variables.iter().enumerate() {
        own.push(store.declare(names.name(at), &[], store.result(symbol)));
    }
    let mut by = renaming(store, variables.iter().copied().zip(own.iter().copied()));
    let mut parts: Vec<Term> = Vec::new();
    for atom in &clause.body {
        let atom = store.app(system.symbol(atom.pred), &atom.args);
        parts.push(by.apply(store, atom));
    }
    let constraint = by.apply(store, clause.constraint);
    parts.extend(store.conjuncts(&[constraint]));
    parts.retain(|&part| part != store.top());
    let head = match &clause.head {
        Some(head) => store.app(system.symbol(head.pred), &head.args),
        None => store.bottom(),
    };
    let head = by.apply(store, head);
    write!(out, "(assert ")?;
    if !own.is_empty() {
        write!(out, "(forall (")?;
        for (at, &symbol) in own.iter().enumerate() {
            let space = if at == 0 { "" } else { " " };
            let sort = print_sort(store, store.result(symbol));
            write!(out, "{space}({} {sort})", quote(store.name(symbol)))?;
        }
        write!(out, ") ")?;
    }
    match parts.as_slice() {
        [] => write!(out, "(=> true {})", print(store, head))?,
        [part] => write!(out, "(=> {} {})", print(store, *part), print(store, head))?,
        [_, _, ..] => {
            let parts: Vec<String> = parts.iter().map(|&part| print(store, part)).collect();
            write!(out, "(=> (and {}) {})", parts.join(" "), print(store, head))?;
        }
    }
    writeln!(out, "{})", if own.is_empty() { "" } else { ")" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read_horn;

    #[test]
    fn what_is_written_can_be_read() {
        let mut store = TermStore::new();
        let text = "(set-logic HORN) (declare-fun |a b| (Int Bool) Bool) (declare-fun A () Bool)
            (assert (forall ((x Int) (b Bool)) (=> (and (= x 0) b) (|a b| (+ x 1) b))))
            (assert (forall ((x Int) (y Bool)) (=> (and (|a b| x y) (> x 3)) A)))
            (assert (=> A false)) (check-sat)";
        let system = read_horn(text.as_bytes(), &mut store).unwrap().problems.remove(0).system;
        let mut out = Vec::new();
        print_horn(&mut out, &mut store, &system, &[("status", "sat")]).unwrap();
        let again = read_horn(&out, &mut store).unwrap().problems.remove(0).system;
        let mut second = Vec::new();
        print_horn(&mut second, &mut store, &again, &[("status", "sat")]).unwrap();
        assert_eq!(String::from_utf8(second).unwrap(), String::from_utf8(out.clone()).unwrap());
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("(declare-fun |a b| (Int Bool) Bool)"), "{text}");
        assert!(text.contains("(assert (=> A false))"), "{text}");
        assert_eq!((again.pred_count(), again.clause_count()), (2, 3));
    }
}
