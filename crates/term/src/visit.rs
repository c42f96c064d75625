//! Walking over formulas without recursion.

use shofar_base::Set;

use crate::store::Op;
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
        match self.op(term) {
            Op::Sum | Op::Le | Op::Lt | Op::Eq | Op::Div | Op::Mod | Op::ToInt => {
                self.rebuild_arithmetic(term, children)
            }
            Op::Not => self.not(children[0]),
            Op::And => self.and(children),
            Op::Or => self.or(children),
            Op::Iff => self.iff(children[0], children[1]),
            Op::Ite => self.ite(children[0], children[1], children[2]),
            Op::App => {
                let Kind::App(symbol, _) = self.kind(term) else {
                    unreachable!("the operator is App")
                };
                self.app(symbol, children)
            }
            Op::True | Op::False | Op::Symbol | Op::Number => term,
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
        let (x, y) = (store.var("x", Sort::Bool), store.var("y", Sort::Bool));
        let mut t = x;
        for level in 0..1_000_000 {
            let other = if level % 2 == 0 { y } else { x };
            t = if level % 3 == 0 { store.iff(t, other) } else { store.ite(other, t, y) };
            t = store.not(t);
        }
        assert!(postorder(&store, &[t]).len() <= store.len());
    }
}
