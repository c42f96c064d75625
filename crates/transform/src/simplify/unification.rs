//! Equations between data are solved.
//!
//! An equation `x = t` between data is used in all other conjuncts, whether `x` is an argument or
//! not; it stays, unless another rule finds `x` superfluous. What comes out is a most general
//! unifier: two different terms for one variable are taken apart into equations of their fields,
//! different constructors or a term inside of itself contradict each other, both by the laws of
//! equality. Sharing keeps the result from growing beyond what the draft allows; if it does,
//! nothing is done.
//!
//! Source: unification by solved equations [MM82].

use shofar_base::Map;
use shofar_term::size::dag_size;
use shofar_term::substitute::Substitution;
use shofar_term::symbols::free_symbols;
use shofar_term::{Kind, Symbol, Term, TermStore};

use super::Draft;

/// More equations are left as they are.
const EQUATIONS: usize = 200;

/// Solves equations between data; false if the conjuncts contradict each other.
pub(super) fn unify(store: &mut TermStore, draft: &mut Draft) -> bool {
    let is_data = |&part: &Term| data_equation(store, part).is_some();
    if !draft.parts.iter().any(is_data) {
        return true;
    }
    let mut open = draft.parts.clone();
    let mut solved: Vec<(Symbol, Term)> = Vec::new();
    while solved.len() < EQUATIONS {
        let Some((at, symbol, term)) = next(store, &open) else { break };
        open.remove(at);
        let variable = store.constant(symbol);
        let mut by = Substitution::new(Map::from_iter([(variable, term)]));
        for part in open.iter_mut().chain(solved.iter_mut().map(|(_, term)| term)) {
            *part = by.apply(store, *part);
        }
        open = store.conjuncts(&open);
        if open.contains(&store.bottom()) {
            return false;
        }
        solved.push((symbol, term));
    }
    for (symbol, term) in solved {
        let variable = store.constant(symbol);
        open.push(store.eq(variable, term));
    }
    if dag_size(store, &open) > draft.limit {
        return true;
    }
    draft.set(store, &open)
}

/// The sides of an equation between data.
fn data_equation(store: &TermStore, part: Term) -> Option<(Term, Term)> {
    let Kind::Same(a, b) = store.kind(part) else { return None };
    store.constructors(store.sort(a)).map(|_| (a, b))
}

/// The first equation for a variable, with its place.
fn next(store: &TermStore, open: &[Term]) -> Option<(usize, Symbol, Term)> {
    for (at, &part) in open.iter().enumerate() {
        let Some((a, b)) = data_equation(store, part) else { continue };
        for (variable, term) in [(a, b), (b, a)] {
            let Some(symbol) = store.symbol(variable) else { continue };
            if free_symbols(store, &[term]).binary_search(&symbol).is_err() {
                return Some((at, symbol, term));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use shofar_term::{ConstructorDeclaration, DataDeclaration, FieldSort, Sort};

    use super::*;

    /// Lists, with `nil`, the variables `x`, `y`, `z` and lists of one more element.
    struct Lists {
        store: TermStore,
        nil: Term,
        variables: [Term; 3],
    }

    impl Lists {
        fn new() -> Self {
            let mut store = TermStore::new();
            let head = ("head".into(), FieldSort::Known(Sort::INT));
            let fields = vec![head, ("tail".into(), FieldSort::Own(0))];
            let cons = ConstructorDeclaration { name: "cons".into(), fields };
            let nil = ConstructorDeclaration { name: "nil".into(), fields: Vec::new() };
            let list = DataDeclaration { name: "List".into(), constructors: vec![nil, cons] };
            let sort = store.declare_data(vec![list]).expect("well-founded")[0];
            let nil = store.constructors(sort).expect("a data type")[0];
            let nil = store.construct(nil, &[]);
            let variables = ["x", "y", "z"].map(|name| store.var(name, sort));
            Self { store, nil, variables }
        }
        fn cons(&mut self, head: &str, tail: Term) -> Term {
            let cons = self.store.constructors(self.store.sort(tail)).expect("a data type")[1];
            let head = self.store.var(head, Sort::INT);
            self.store.construct(cons, &[head, tail])
        }
        /// The conjuncts after unification if all variables are arguments; nothing if they
        /// contradict each other.
        fn unified(&mut self, pairs: &[(Term, Term)]) -> Option<Vec<Term>> {
            let parts: Vec<Term> = pairs.iter().map(|&(a, b)| self.store.eq(a, b)).collect();
            let mut draft = Draft::new(&self.store, parts.clone(), &parts);
            unify(&mut self.store, &mut draft).then_some(draft.parts)
        }
    }

    #[test]
    fn two_terms_for_one_variable_are_taken_apart() {
        let mut s = Lists::new();
        let [x, y, z] = s.variables;
        let (one, other) = (s.cons("g", y), s.cons("h", z));
        let parts = s.unified(&[(x, one), (x, other)]).expect("there is a unifier");
        let (g, h) = (s.store.var("g", Sort::INT), s.store.var("h", Sort::INT));
        for (a, b) in [(g, h), (y, z)] {
            let equation = s.store.eq(a, b);
            assert!(parts.contains(&equation));
        }
        assert_eq!(parts.len(), 3);
        let again: Vec<(Term, Term)> = parts.iter().map(|&part| (part, s.store.top())).collect();
        assert_eq!(s.unified(&again).map(|p| p.len()), Some(3));
    }

    #[test]
    fn clashes_and_cycles_are_contradictions() {
        let mut s = Lists::new();
        let ([x, y, _], nil) = (s.variables, s.nil);
        let (longer_y, longer_x) = (s.cons("g", y), s.cons("h", x));
        assert_eq!(s.unified(&[(x, y), (x, nil), (y, longer_x)]), None);
        assert_eq!(s.unified(&[(x, longer_y), (y, longer_x)]), None);
        assert_eq!(s.unified(&[(x, longer_y), (y, x)]), None);
        assert!(s.unified(&[(x, longer_y), (y, nil)]).is_some());
    }
}
