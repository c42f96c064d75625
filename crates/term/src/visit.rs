//! Walking over formulas without recursion.

use shofar_base::Set;

use crate::{Kind, Term, TermStore};

/// All subterms of `roots`, each once, children before parents.
pub fn postorder(store: &TermStore, roots: &[Term]) -> Vec<Term> {
    let mut seen = Set::default();
    let mut order = Vec::new();
    let mut stack: Vec<(Term, bool)> = roots.iter().rev().map(|&t| (t, false)).collect();
    while let Some((term, expanded)) = stack.pop() {
        if expanded {
            order.push(term);
        } else if seen.insert(term) {
            stack.push((term, true));
            stack.extend(
                store
                    .children(term)
                    .iter()
                    .rev()
                    .filter(|t| !seen.contains(*t))
                    .map(|&t| (t, false)),
            );
        }
    }
    order
}

impl TermStore {
    /// `term` with its children replaced, through the canonical constructors.
    pub fn rebuild(&mut self, term: Term, children: &[Term]) -> Term {
        if self.children(term) == children {
            return term;
        }
        match self.kind(term) {
            Kind::Arith(_) => self.rebuild_arithmetic(term, children),
            Kind::Array(_) => self.rebuild_array(term, children),
            Kind::Data(_) => self.rebuild_data(term, children),
            Kind::Bits(_) => self.rebuild_bits(term, children),
            Kind::Not(_) => self.not(children[0]),
            Kind::And(_) => self.and(children),
            Kind::Or(_) => self.or(children),
            Kind::Iff(..) => self.iff(children[0], children[1]),
            Kind::Ite(..) => self.ite(children[0], children[1], children[2]),
            Kind::Same(..) => self.eq(children[0], children[1]),
            Kind::App(symbol, _) if self.is_times(symbol) => self.times(children[0], children[1]),
            Kind::App(symbol, _) => self.app(symbol, children),
            Kind::Quantified(quantifier, ..) => {
                self.quantify(quantifier, children[0], &children[1..])
            }
            Kind::True | Kind::False | Kind::Symbol(_) => term,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn a_million_levels_need_no_stack() {
        let mut store = TermStore::new();
        let (x, y) = (store.var("x", Sort::BOOL), store.var("y", Sort::BOOL));
        let mut t = x;
        for level in 0..1_000_000 {
            let other = if level % 2 == 0 { y } else { x };
            t = if level % 3 == 0 { store.iff(t, other) } else { store.ite(other, t, y) };
            t = store.not(t);
        }
        assert!(postorder(&store, &[t]).len() <= store.len());
    }
}
