//! The atoms of formulas that are about certain symbols: the first guess at what an invariant is
//! made of [FKB17].

use shofar_base::Set;
use shofar_term::symbols::free_symbols;
use shofar_term::{Symbol, Term, TermStore, View};

/// The atoms of `formulas` all of whose symbols are among `symbols`, equations as their bounds,
/// each once, in order.
pub(crate) fn atoms(store: &mut TermStore, formulas: &[Term], symbols: &Set<Symbol>) -> Vec<Term> {
    let mut found = Vec::new();
    let mut seen: Set<Term> = Set::default();
    let mut stack: Vec<Term> = formulas.iter().rev().copied().collect();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match store.view(term) {
            View::Atom | View::Predicate(..) => {
                let halves = store.equation_bounds(term).map_or(vec![term], |b| b.to_vec());
                let is_known = |symbol: &Symbol| symbols.contains(symbol);
                if free_symbols(store, &halves).iter().all(is_known) {
                    found.extend(halves);
                }
                stack.extend(store.children(term).iter().rev());
            }
            View::Constant(_)
            | View::Not(_)
            | View::And(_)
            | View::Or(_)
            | View::Iff(..)
            | View::Ite(..)
            | View::Quantified(..)
            | View::Term => stack.extend(store.children(term).iter().rev()),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use shofar_term::Sort;

    use super::*;

    #[test]
    fn atoms_are_about_the_state() {
        let mut s = TermStore::new();
        let [x, y, input] = ["x", "y", "i"].map(|name| s.var(name, Sort::INT));
        let state: Set<Symbol> =
            ["x", "y"].map(|name| s.declare(name, &[], Sort::INT)).into_iter().collect();
        let (zero, one) = (s.int(0), s.int(1));
        let (condition, equation, by) = (s.lt(x, y), s.eq(x, zero), s.le(input, x));
        let choice = s.ite(condition, one, input);
        let outer = s.le(choice, y);
        let formula = s.and(&[equation, by, outer]);
        let mut expected: Vec<Term> = s.equation_bounds(equation).expect("it is one").to_vec();
        expected.push(condition);
        assert_eq!(atoms(&mut s, &[formula], &state), expected);
    }
}
