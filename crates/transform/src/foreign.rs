//! Sorts that the engines have no theory for, and equations that say what a variable of such a sort
//! is.

use shofar_base::Map;
use shofar_chc::ChcSystem;
use shofar_term::substitute::Substitution;
use shofar_term::symbols::free_symbols;
use shofar_term::visit::postorder;
use shofar_term::{Kind, Sort, Symbol, Term, TermStore};

/// Whether values of the sort are truth values or numbers.
pub(crate) fn is_scalar(sort: Sort) -> bool {
    sort.is_bool() || sort.is_arithmetic()
}

/// Whether values of this sort are simple: truth values, numbers and bit-vectors, of which
/// `int_blast` makes numbers.
pub(crate) fn is_simple(store: &TermStore, sort: Sort) -> bool {
    is_scalar(sort) || store.bits_width(sort).is_some()
}

/// Whether all predicates and clauses of `system` are about truth values and numbers only, so that
/// every engine understands them.
pub fn is_arithmetic(store: &TermStore, system: &ChcSystem) -> bool {
    let has_scalars =
        system.preds().all(|pred| system.sorts(store, pred).iter().all(|&sort| is_scalar(sort)));
    let terms: Vec<Term> = system.clauses().flat_map(|(_, clause)| clause.terms()).collect();
    has_scalars && are_arithmetic(store, &terms)
}

/// Whether these terms are about truth values and numbers only.
pub fn are_arithmetic(store: &TermStore, terms: &[Term]) -> bool {
    let is_foreign = |term: Term| {
        let kind = store.kind(term);
        matches!(kind, Kind::Same(..) | Kind::Array(_) | Kind::Data(_) | Kind::Bits(_))
    };
    postorder(store, terms).into_iter().all(|term| match store.symbol(term) {
        Some(_) => is_scalar(store.sort(term)),
        None => !is_foreign(term),
    })
}

/// What the equations among the conjuncts of `formula` say about variables of other sorts than
/// Bool, Int and Real.
///
/// Invariant: no variable that has a term occurs in a term.
#[derive(Default)]
pub(crate) struct Definitions {
    bound: Vec<(Term, Term)>,
}

impl Definitions {
    /// The definitions of variables for which `may_bind` holds.
    pub(crate) fn of(
        store: &mut TermStore,
        formula: Term,
        may_bind: impl Fn(Symbol) -> bool,
    ) -> Self {
        let mut this = Self::default();
        for conjunct in store.conjuncts(&[formula]) {
            let Kind::Same(a, b) = store.kind(conjunct) else { continue };
            let mut by = this.substitution();
            let sides = [by.apply(store, a), by.apply(store, b)];
            for (variable, term) in [(sides[0], sides[1]), (sides[1], sides[0])] {
                if let Some(symbol) = store.symbol(variable)
                    && may_bind(symbol)
                    && free_symbols(store, &[term]).binary_search(&symbol).is_err()
                {
                    this.bind(store, variable, term);
                    break;
                }
            }
        }
        this
    }
    fn bind(&mut self, store: &mut TermStore, variable: Term, term: Term) {
        let mut by = Substitution::new([(variable, term)].into_iter().collect());
        for (_, value) in &mut self.bound {
            *value = by.apply(store, *value);
        }
        self.bound.push((variable, term));
    }
    /// Puts the terms in place of the variables.
    pub(crate) fn substitution(&self) -> Substitution {
        Substitution::new(self.bound.iter().copied().collect::<Map<Term, Term>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_go_into_each_other_but_not_into_themselves() {
        let mut s = TermStore::new();
        let sort = s.array_sort(Sort::INT, Sort::INT);
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| s.var(name, sort));
        let (i, one) = (s.var("i", Sort::INT), s.int(1));
        let written = s.store(a, i, one);
        let first = s.eq(b, written);
        let second = s.eq(c, b);
        let above = s.store(d, i, one);
        let above = s.store(above, one, i);
        let circular = s.eq(d, above);
        let formula = s.and(&[first, second, circular]);
        let found = Definitions::of(&mut s, formula, |_| true);
        let mut by = found.substitution();
        assert_eq!([by.apply(&mut s, b), by.apply(&mut s, c)], [written, written]);
        assert_eq!(by.apply(&mut s, formula), circular);
        let symbol = s.symbol(b).expect("it is a variable");
        let mut none = Definitions::of(&mut s, first, |other| other != symbol).substitution();
        assert_eq!(none.apply(&mut s, b), b);
    }
}
