//! Models as SMT-LIB text.
//!
//! ```text
//! (
//! (define-fun inv ((A Int) (B Int)) Bool (and (>= A 0) (<= A B)))
//! )
//! ```
//! Every predicate of the system gets a definition, in the order of declaration, because the
//! validator of the competition rejects models that leave one out. Bodies call no other definition;
//! they are quantifier-free, or begin with the only `forall`. Parameters have the names that the
//! language of the user gives to them; where it gives none, they are called `A`, `B`, …, `Z`, `AA`,
//! …, leaving out the names of predicates, constructors and selectors, so that no name has two
//! meanings in the text.

use std::io::{self, Write};

use shofar_base::Set;
use shofar_term::print::{print, print_sort, quote};
use shofar_term::substitute::rename;
use shofar_term::{Symbol, Term, TermStore};

use crate::{ChcSystem, Interpretation, PredId};

/// Writes `model`, which defines every predicate of `system`, as a list of `define-fun`s.
pub fn print_model(
    out: &mut dyn Write,
    store: &mut TermStore,
    system: &ChcSystem,
    model: &Interpretation,
) -> io::Result<()> {
    let mut names = ParamNames::avoiding(store, system);
    writeln!(out, "(")?;
    for pred in system.preds() {
        print_definition(out, store, system, model, pred, &mut names)?;
    }
    writeln!(out, ")")
}

fn print_definition(
    out: &mut dyn Write,
    store: &mut TermStore,
    system: &ChcSystem,
    model: &Interpretation,
    pred: PredId,
    names: &mut ParamNames,
) -> io::Result<()> {
    let definition = model.get(pred).expect("a model defines every predicate");
    let sorts = system.sorts(store, pred).to_vec();
    let own = system.param_names(pred);
    let own = |at: usize, names: &mut ParamNames| match own.and_then(|own| own.get(at)) {
        Some(name) => name.clone(),
        None => names.name(at).to_owned(),
    };
    let params: Vec<Symbol> = sorts
        .iter()
        .enumerate()
        .map(|(i, &sort)| store.declare(&own(i, names), &[], sort))
        .collect();
    let body = rename(store, definition.body, &definition.params, &params);
    let body = rename_bound(store, body, sorts.len(), names);
    write!(out, "(define-fun {} (", quote(store.name(system.symbol(pred))))?;
    for (i, sort) in sorts.iter().enumerate() {
        let space = if i == 0 { "" } else { " " };
        let name = own(i, names);
        write!(out, "{space}({} {})", quote(&name), print_sort(store, *sort))?;
    }
    writeln!(out, ") Bool {})", print(store, body))
}

/// `body` with the names behind those of `params` parameters for the variables of its quantifier.
fn rename_bound(store: &mut TermStore, body: Term, params: usize, names: &mut ParamNames) -> Term {
    let Some((_, _, bound)) = store.quantified(body) else { return body };
    let bound: Vec<Symbol> = bound.iter().copied().filter_map(|v| store.symbol(v)).collect();
    let mut fresh = Vec::with_capacity(bound.len());
    for (at, &symbol) in bound.iter().enumerate() {
        let sort = store.result(symbol);
        fresh.push(store.declare(names.name(params + at), &[], sort));
    }
    rename(store, body, &bound, &fresh)
}

/// `A`, `B`, … without the names that predicates, constructors and selectors have.
pub(super) struct ParamNames {
    taken: Set<String>,
    names: Vec<String>,
    /// The number of the next name to try.
    next: usize,
}

impl ParamNames {
    pub(super) fn avoiding(store: &TermStore, system: &ChcSystem) -> Self {
        let mut taken: Set<String> =
            system.preds().map(|p| store.name(system.symbol(p)).to_owned()).collect();
        taken.extend(store.data_names().map(str::to_owned));
        Self { taken, names: Vec::new(), next: 0 }
    }
    /// The name of parameter `index`.
    pub(super) fn name(&mut self, index: usize) -> &str {
        while self.names.len() <= index {
            let name = letters(self.next);
            self.next += 1;
            if !self.taken.contains(&name) {
                self.names.push(name);
            }
        }
        &self.names[index]
    }
}

/// The columns of a spreadsheet: `A` … `Z`, `AA`, `AB`, ….
fn letters(mut number: usize) -> String {
    let mut name = Vec::new();
    loop {
        name.push(char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number % 26]));
        if number < 26 {
            return name.into_iter().rev().collect();
        }
        number = number / 26 - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Definition;
    use shofar_term::{ConstructorDeclaration, DataDeclaration, FieldSort, Sort};

    #[test]
    fn parameters_are_named_like_columns() {
        let names: Vec<String> = [0, 25, 26, 27, 51, 52, 701, 702].map(letters).to_vec();
        assert_eq!(names, ["A", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA"]);
    }

    #[test]
    fn definitions_are_standard_text() {
        let mut store = TermStore::new();
        let mut system = ChcSystem::new();
        let odd = store.declare("odd name", &[Sort::INT, Sort::REAL, Sort::BOOL], Sort::BOOL);
        let clash = store.declare("A", &[], Sort::BOOL);
        let (odd, clash) = (system.add_pred(odd), system.add_pred(clash));
        let mut model = Interpretation::new();
        let params = crate::formal_params(&mut store, &system, odd);
        let [x, r, b] = [0, 1, 2].map(|i| store.constant(params[i]));
        let (minus, half) = (store.int(-5), store.number("1/2".parse().unwrap(), Sort::REAL));
        let (low, high, not_b) = (store.ge(x, minus), store.lt(r, half), store.not(b));
        let body = store.and(&[low, high, not_b]);
        model.define(odd, Definition { params, body });
        model.define_constant(&mut store, &system, clash, false);
        let mut out = Vec::new();
        print_model(&mut out, &mut store, &system, &model).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.starts_with("(\n(define-fun |odd name| ((B Int) (C Real) (D Bool)) Bool (and ")
        );
        assert!(text.contains("(>= B (- 5))") && text.contains("(< C (/ 1.0 2.0))"), "{text}");
        assert!(text.ends_with("(define-fun A () Bool false)\n)\n"), "{text}");
    }

    #[test]
    fn parameters_are_not_named_like_constructors() {
        let mut store = TermStore::new();
        let fields = vec![("B".into(), FieldSort::Known(Sort::INT))];
        let constructors = vec![
            ConstructorDeclaration { name: "A".into(), fields },
            ConstructorDeclaration { name: "C".into(), fields: Vec::new() },
        ];
        let data = DataDeclaration { name: "T".into(), constructors };
        let sort = store.declare_data(vec![data]).expect("it has values")[0];
        let table = store.array_sort(Sort::INT, sort);
        let pred = store.declare("p", &[sort, table], Sort::BOOL);
        let mut system = ChcSystem::new();
        let pred = system.add_pred(pred);
        let params = crate::formal_params(&mut store, &system, pred);
        let (value, array) = (store.constant(params[0]), store.constant(params[1]));
        let zero = store.int(0);
        let first = store.select(array, zero);
        let body = store.eq(first, value);
        let mut model = Interpretation::new();
        model.define(pred, Definition { params, body });
        let mut out = Vec::new();
        print_model(&mut out, &mut store, &system, &model).unwrap();
        let text = String::from_utf8(out).unwrap();
        let expected = "(\n(define-fun p ((D T) (E (Array Int T))) Bool (= D (select E 0)))\n)\n";
        assert_eq!(text, expected);
    }
}
