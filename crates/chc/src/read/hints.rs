//! Hints of a file about the predicates of a problem.

use shofar_base::{Diagnostic, Span};
use shofar_smtlib::HintRole;
use shofar_term::TermStore;
use shofar_term::print::print_sort;
use shofar_term::symbols::free_symbols;

use crate::{ChcSystem, Hint, HintKind, PredId};

/// The hints of a text about the predicates of `system`; see [`shofar_smtlib::read_hints`] for the
/// language.
pub fn read_hints(
    text: &[u8],
    store: &mut TermStore,
    system: &ChcSystem,
) -> Result<Vec<Hint>, Diagnostic> {
    let mut hints = Vec::new();
    for command in shofar_smtlib::read_hints(text, store)? {
        let sorts: Vec<_> = command.params.iter().map(|&param| store.result(param)).collect();
        let pred = find(store, system, &command.name, command.span)?;
        if system.sorts(store, pred) != sorts {
            let shown = |sorts: &[_]| {
                let names: Vec<String> =
                    sorts.iter().map(|&sort| print_sort(store, sort).into_owned()).collect();
                format!("({})", names.join(" "))
            };
            let (found, wanted) = (shown(&sorts), shown(system.sorts(store, pred)));
            let name = &command.name;
            let message = format!("`{name}` has arguments of the sorts {wanted}, not {found}");
            return Err(Diagnostic::new(command.span, message));
        }
        for (role, term) in command.terms {
            let mut mentioned = free_symbols(store, &[term]).into_iter();
            if mentioned.any(|symbol| !command.params.contains(&symbol)) {
                let message = "a hint whose value depends on more than its parameters";
                return Err(Diagnostic::new(command.span, message));
            }
            let kind = match role {
                HintRole::Predicate => HintKind::Predicate,
                HintRole::Term(cost) => HintKind::Term { cost },
                HintRole::InequalityTerm(cost) => HintKind::Bounds { cost },
            };
            hints.push(Hint { pred, params: command.params.clone(), term, kind });
        }
    }
    Ok(hints)
}

/// The predicate of this name.
fn find(
    store: &TermStore,
    system: &ChcSystem,
    name: &str,
    span: Span,
) -> Result<PredId, Diagnostic> {
    let is_named = |&pred: &PredId| store.name(system.symbol(pred)) == name;
    system
        .preds()
        .find(is_named)
        .ok_or_else(|| Diagnostic::new(span, format!("the problem has no predicate `{name}`")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read_horn;

    const PROBLEM: &[u8] = b"(declare-fun p (Int Bool) Bool) (declare-fun q () Bool)
(assert (forall ((x Int) (b Bool)) (=> q (p x b)))) (check-sat)";

    /// How many hints there are about each predicate, or the complaint with its place.
    fn check(text: &str, expected: Result<[usize; 2], (usize, &str)>) {
        let mut store = TermStore::new();
        let script = read_horn(PROBLEM, &mut store).expect("it is well written");
        let system = &script.problems[0].system;
        let found = read_hints(text.as_bytes(), &mut store, system);
        let [p, q] = [0, 1].map(|at| system.preds().nth(at).expect("there are two"));
        let count = |hints: &[Hint], pred| hints.iter().filter(|hint| hint.pred == pred).count();
        let found = found.map(|hints| [count(&hints, p), count(&hints, q)]);
        let expected = expected.map_err(|(at, message)| (at, message.to_owned()));
        assert_eq!(found.map_err(|error| (error.span.start, error.message)), expected);
    }

    #[test]
    fn names_are_those_of_the_problem() {
        check("(initial-predicates p ((y Int) (c Bool)) (> y 0) c)", Ok([2, 0]));
        check("(templates q ()) (templates p ((x Int) (c Bool)) (term x))", Ok([1, 0]));
        check(
            "(initial-predicates p ((x Int) (b Bool)) (> (div x 0) 1))",
            Err((20, "a hint whose value depends on more than its parameters")),
        );
        check("(initial-predicates r () true)", Err((20, "the problem has no predicate `r`")));
        check(
            "(initial-predicates p ((b Bool) (x Int)) b)",
            Err((20, "`p` has arguments of the sorts (Int Bool), not (Bool Int)")),
        );
    }
}
