//! Smaller formulas that mean the same.
//!
//! Formulas that are put together piece by piece, interpolants above all, repeat themselves. Here
//! nested conjunctions are flattened where nobody else uses the inner one, and beside a conjunct
//! `p` the disjunction `p ∨ q` goes and `¬p ∨ q` becomes `q`; the same with conjunctions and
//! disjunctions exchanged. Atoms stay as they are.
//!
//! Every law looks at a conjunct and its own parts only, so the work is linear in the size of the
//! graph.

use shofar_base::{Map, Set};

use crate::visit::postorder;
use crate::{Kind, Term, TermStore};

/// How often the laws are applied to the parts of one formula, since one may make room for another.
const ROUNDS: usize = 3;

/// A formula that is equivalent to `root`.
///
/// ```
/// use shofar_term::compact::compact;
/// use shofar_term::{Sort, TermStore};
/// let mut store = TermStore::new();
/// let [p, q, r] = ["p", "q", "r"].map(|name| store.var(name, Sort::BOOL));
/// let (not_p, inner) = (store.not(p), store.and(&[p, q]));
/// let choice = store.or(&[not_p, r]);
/// let nested = store.and(&[p, inner, choice]);
/// assert_eq!(compact(&mut store, nested), store.and(&[p, q, r]));
/// ```
pub fn compact(store: &mut TermStore, root: Term) -> Term {
    compact_by(store, root, |store, junction, parts| junction.make(store, parts))
}

/// Makes the junction of parts to which the laws were applied.
type Finish = fn(&mut TermStore, Junction, &[Term]) -> Term;

/// The same with a further law for the parts of a junction.
pub(crate) fn compact_by(store: &mut TermStore, root: Term, finish: Finish) -> Term {
    let mut uses: Map<Term, u32> = Map::default();
    for term in postorder(store, &[root]) {
        for &child in store.children(term) {
            *uses.entry(child).or_default() += 1;
        }
    }
    let mut compactor = Compactor { store, uses, done: Map::default(), finish };
    compactor.run(root)
}

/// Conjunction or disjunction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Junction {
    And,
    Or,
}

impl Junction {
    pub(crate) fn dual(self) -> Self {
        match self {
            Junction::And => Junction::Or,
            Junction::Or => Junction::And,
        }
    }
    pub(crate) fn make(self, store: &mut TermStore, parts: &[Term]) -> Term {
        match self {
            Junction::And => store.and(parts),
            Junction::Or => store.or(parts),
        }
    }
}

struct Compactor<'s> {
    store: &'s mut TermStore,
    /// How many parents each subterm has.
    uses: Map<Term, u32>,
    done: Map<Term, Term>,
    finish: Finish,
}

impl Compactor<'_> {
    fn run(&mut self, root: Term) -> Term {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.done.contains_key(&term) {
                stack.pop();
                continue;
            }
            let Some(junction) = self.junction(term) else {
                self.done.insert(term, term);
                continue;
            };
            let parts = self.gather(term, junction);
            let before = stack.len();
            stack.extend(parts.iter().filter(|part| !self.done.contains_key(*part)));
            if stack.len() == before {
                let parts = parts.iter().map(|part| self.done[part]).collect();
                let result = self.combine(junction, parts);
                self.done.insert(term, result);
            }
        }
        self.done[&root]
    }
    /// What `term` is, seen through a negation.
    fn junction(&self, term: Term) -> Option<Junction> {
        let (inner, negated) = self.store.strip_not(term);
        let junction = if let Kind::And(_) = self.store.kind(inner) {
            Junction::And
        } else if let Kind::Or(_) = self.store.kind(inner) {
            Junction::Or
        } else {
            return None;
        };
        Some(if negated { junction.dual() } else { junction })
    }
    /// The parts of a junction, negated if it is.
    fn parts(&mut self, term: Term) -> Vec<Term> {
        let (inner, negated) = self.store.strip_not(term);
        let mut parts = self.store.children(inner).to_vec();
        if negated {
            for part in &mut parts {
                *part = self.store.not(*part);
            }
        }
        parts
    }
    /// The parts of a junction and of all those inside it that are of the same kind and not used
    /// elsewhere.
    fn gather(&mut self, term: Term, junction: Junction) -> Vec<Term> {
        let mut found = Vec::new();
        let mut open = self.parts(term);
        while let Some(part) = open.pop() {
            let (inner, _) = self.store.strip_not(part);
            let is_private = self.uses.get(&inner).is_none_or(|&uses| uses <= 1);
            if is_private && self.junction(part) == Some(junction) {
                open.extend(self.parts(part));
            } else {
                found.push(part);
            }
        }
        found
    }
    /// The junction of `parts`, which are compact, by the laws.
    ///
    /// What is used to change a part is a part of it or the negation of one, so no two parts
    /// justify each other.
    fn combine(&mut self, junction: Junction, mut parts: Vec<Term>) -> Term {
        for _ in 0..ROUNDS {
            let beside: Set<Term> = parts.iter().copied().collect();
            let mut changed = false;
            let mut next = Vec::with_capacity(parts.len());
            for part in parts {
                if self.junction(part) != Some(junction.dual()) {
                    next.push(part);
                    continue;
                }
                let mut inside = self.parts(part);
                if inside.iter().any(|p| beside.contains(p)) {
                    changed = true;
                    continue;
                }
                let before = inside.len();
                inside.retain(|&p| !beside.contains(&self.store.not(p)));
                if inside.len() == before {
                    next.push(part);
                    continue;
                }
                changed = true;
                let rest = junction.dual().make(self.store, &inside);
                if self.junction(rest) == Some(junction) {
                    next.extend(self.parts(rest));
                } else {
                    next.push(rest);
                }
            }
            parts = next;
            if !changed {
                break;
            }
        }
        (self.finish)(self.store, junction, &parts)
    }
}

#[cfg(test)]
mod tests {
    use shofar_base::Rng;

    use super::*;
    use crate::Sort;
    use crate::eval::{Model, Value, evaluate};

    /// How often symbols stand in a formula.
    fn occurrences(store: &TermStore, term: Term) -> u64 {
        match store.children(term) {
            [] => u64::from(matches!(store.kind(term), Kind::Symbol(_))),
            children => children.iter().map(|&child| occurrences(store, child)).sum(),
        }
    }

    #[test]
    fn random_formulas_keep_their_meaning() {
        let mut rng = Rng::new(7);
        let mut s = TermStore::new();
        let names = ["a", "b", "c", "d"];
        let symbols = names.map(|name| s.declare(name, &[], Sort::BOOL));
        for _ in 0..3_000 {
            let mut pool: Vec<Term> = symbols.iter().map(|&x| s.constant(x)).collect();
            for _ in 0..rng.below(25) {
                let mut parts = Vec::new();
                for _ in 0..2 + rng.below(3) {
                    let part = *rng.pick(&pool);
                    parts.push(if rng.chance(30) { s.not(part) } else { part });
                }
                let made = if rng.chance(50) { s.and(&parts) } else { s.or(&parts) };
                pool.push(made);
            }
            let root = pool[pool.len() - 1];
            let small = compact(&mut s, root);
            assert!(occurrences(&s, small) <= occurrences(&s, root));
            for case in 0..16 {
                let mut assignment = Model::new();
                for (bit, &symbol) in symbols.iter().enumerate() {
                    assignment.set(symbol, Value::Bool(case >> bit & 1 == 1));
                }
                let (is, was) = (evaluate(&s, small, &assignment), evaluate(&s, root, &assignment));
                assert_eq!(is, was);
            }
        }
    }

    #[test]
    fn a_long_chain_is_flattened_at_once() {
        let mut s = TermStore::new();
        let xs: Vec<Term> = (0..20_000).map(|i| s.var(&format!("x{i}"), Sort::BOOL)).collect();
        let chain = xs[1..].iter().fold(xs[0], |chain, &x| s.and(&[x, chain]));
        assert_eq!(compact(&mut s, chain), s.and(&xs));
    }

    #[test]
    fn what_is_shared_is_not_copied() {
        let mut s = TermStore::new();
        let mut p = s.var("p", Sort::BOOL);
        for level in 0..60 {
            let [q, r] = ["q", "r"].map(|n| s.var(&format!("{n}{level}"), Sort::BOOL));
            let (left, right) = (s.and(&[p, q]), s.and(&[p, r]));
            p = s.or(&[left, right]);
        }
        let small = compact(&mut s, p);
        assert!(crate::size::dag_size(&s, &[small]) <= crate::size::dag_size(&s, &[p]));
    }
}
