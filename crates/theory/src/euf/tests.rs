//! The closure as a whole against a decision by enumeration: a conjunction of equalities and
//! disequalities between a few terms is satisfiable if some partition of the terms fits the
//! literals and the functions.

use proptest::prelude::*;
use shofar_base::{Budget, Idx, Lit, Map, Var};
use shofar_term::{Kind, Sort, Term, TermStore};

use super::{Congruence, Euf};
use crate::theory::{Check, Effort, Lemma, Theory};

struct Session {
    store: TermStore,
    euf: Euf,
    atoms: Vec<Term>,
    vars: Map<Term, Var>,
}

impl Session {
    fn new(store: TermStore) -> Self {
        Self { store, euf: Euf::default(), atoms: Vec::new(), vars: Map::default() }
    }
    fn var(&mut self, atom: Term) -> Var {
        let next = Var::from_index(self.atoms.len());
        let var = *self.vars.entry(atom).or_insert(next);
        if var == next {
            self.atoms.push(atom);
            self.euf.register(&self.store, atom, var);
        }
        var
    }
    fn equality(&mut self, a: Term, b: Term) -> Var {
        let atom = self.store.eq(a, b);
        self.var(atom)
    }
    fn verify(&self, lemma: &Lemma<Congruence>) {
        let literals: Vec<(Term, bool)> =
            lemma.lits.iter().map(|l| (self.atoms[l.var().index()], l.is_positive())).collect();
        assert!(Euf::certifies(&self.store, &literals, &lemma.certificate), "{lemma:?}");
    }
    fn assert(&mut self, lit: Lit) -> bool {
        let asserted = self.euf.assert(lit);
        asserted.map_err(|lemma| self.verify(&lemma)).is_ok()
    }
    fn check(&mut self) -> bool {
        match self.euf.check(&mut self.store, &Budget::unlimited(), Effort::Final) {
            Ok(Check::Consistent) => true,
            Ok(Check::Conflict(lemma)) => {
                self.verify(&lemma);
                false
            }
            other => panic!("{other:?}"),
        }
    }
    fn implied(&mut self) -> Vec<Lit> {
        let mut implied = Vec::new();
        self.euf.implied(&mut implied);
        for &lit in &implied {
            let lemma = self.euf.explain(lit);
            assert!(lemma.lits.contains(&!lit));
            self.verify(&lemma);
        }
        implied
    }
}

/// Constants a, b, c of one sort, and applications of f and g to them.
fn few_terms(store: &mut TermStore) -> Vec<Term> {
    let s = store.declare_sort("S");
    let (f, g) = (store.declare("f", &[s], s), store.declare("g", &[s, s], s));
    let [a, b, c] = ["a", "b", "c"].map(|name| store.var(name, s));
    let fa = store.app(f, &[a]);
    let terms = [a, b, c, fa, store.app(f, &[b]), store.app(f, &[fa])];
    let pairs = [store.app(g, &[a, b]), store.app(g, &[b, fa])];
    [&terms[..], &pairs[..]].concat()
}

/// Whether some partition of `terms` satisfies all literals, given by the places of their terms.
fn is_satisfiable(store: &TermStore, terms: &[Term], literals: &[(usize, usize, bool)]) -> bool {
    let place = |t: Term| terms.iter().position(|&u| u == t).unwrap();
    let mut block = vec![0_usize; terms.len()];
    loop {
        let fits_literals = literals.iter().all(|&(a, b, same)| (block[a] == block[b]) == same);
        let congruent = |i: usize, j: usize| match (store.kind(terms[i]), store.kind(terms[j])) {
            (Kind::App(f, left), Kind::App(g, right)) => {
                f == g && left.iter().zip(right).all(|(&a, &b)| block[place(a)] == block[place(b)])
            }
            _ => false,
        };
        let mut pairs = (0..terms.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        if fits_literals && pairs.all(|(i, j)| !congruent(i, j) || block[i] == block[j]) {
            return true;
        }
        if !next_partition(&mut block) {
            return false;
        }
    }
}

/// The next restricted growth string.
fn next_partition(block: &mut [usize]) -> bool {
    for i in (1..block.len()).rev() {
        let most = block[..i].iter().max().copied().unwrap_or(0);
        if block[i] <= most {
            block[i] += 1;
            block[i + 1..].fill(0);
            return true;
        }
    }
    false
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn conjunctions_agree_with_enumeration(
        literals in prop::collection::vec((0_usize..8, 0_usize..8, any::<bool>()), 1..9),
    ) {
        let mut store = TermStore::new();
        let terms = few_terms(&mut store);
        let mut session = Session::new(store);
        for &term in &terms {
            session.euf.share(&session.store, term);
        }
        // A search asserts an atom in one polarity only.
        let mut seen = Vec::new();
        let mut literals: Vec<_> = literals.into_iter().filter(|(a, b, _)| a != b).collect();
        literals.retain(|&(a, b, _)| {
            let pair = (a.min(b), a.max(b));
            let is_new = !seen.contains(&pair);
            seen.push(pair);
            is_new
        });
        let vars: Vec<Var> =
            literals.iter().map(|&(a, b, _)| session.equality(terms[a], terms[b])).collect();
        session.euf.push();
        let mut consistent = true;
        let mut trail: Vec<(usize, usize, bool)> = Vec::new();
        for (&var, &(a, b, same)) in vars.iter().zip(&literals) {
            trail.push((a, b, same));
            consistent = consistent && session.assert(Lit::new(var, same)) && session.check();
            prop_assert_eq!(consistent, is_satisfiable(&session.store, &terms, &trail));
            if !consistent {
                break;
            }
            for lit in session.implied() {
                let at = vars.iter().position(|&v| v == lit.var()).unwrap();
                let (a, b, _) = literals[at];
                trail.push((a, b, !lit.is_positive()));
                prop_assert!(!is_satisfiable(&session.store, &terms, &trail));
                trail.pop();
            }
        }
        // After backtracking, the literals in the opposite order give the same answer.
        session.euf.pop(1);
        let mut again = true;
        for (&var, &(.., same)) in vars.iter().zip(&literals).rev() {
            again = again && session.assert(Lit::new(var, same));
        }
        prop_assert_eq!(again, is_satisfiable(&session.store, &terms, &literals));
    }
}

#[test]
fn a_long_chain_of_applications_needs_no_stack() {
    let mut store = TermStore::new();
    let s = store.declare_sort("S");
    let f = store.declare("f", &[s], s);
    let (a, b) = (store.var("a", s), store.var("b", s));
    let (mut left, mut right) = (a, b);
    for _ in 0..50_000 {
        (left, right) = (store.app(f, &[left]), store.app(f, &[right]));
    }
    let mut session = Session::new(store);
    let (low, high) = (session.equality(a, b), session.equality(left, right));
    session.euf.share(&session.store, left);
    assert!(session.assert(low.positive()));
    assert_eq!(session.implied(), [high.positive()]);
    assert!(!session.assert(high.negative()));
}

#[test]
fn truth_values_are_arguments_and_results() {
    let mut store = TermStore::new();
    let (f, q) = (
        store.declare("f", &[Sort::BOOL], Sort::INT),
        store.declare("q", &[Sort::INT], Sort::BOOL),
    );
    let (p, top) = (store.var("p", Sort::BOOL), store.top());
    let not_p = store.not(p);
    let (of_p, of_not_p, of_top) =
        (store.app(f, &[p]), store.app(f, &[not_p]), store.app(f, &[top]));
    let predicates = [of_p, of_not_p, of_top].map(|t| store.app(q, &[t]));
    let mut session = Session::new(store);
    for t in [of_p, of_not_p, of_top].into_iter().chain(predicates) {
        session.euf.share(&session.store, t);
    }
    let [first, second, third] = predicates.map(|t| session.var(t));
    let p = session.var(p);
    session.euf.push();
    assert!(session.assert(third.positive()) && session.implied().is_empty());
    assert!(session.assert(first.negative()));
    // If p were true, f(p) would be f(true).
    assert!(!session.assert(p.positive()));
    session.euf.pop(1);
    assert!(session.assert(p.negative()) && session.assert(third.positive()));
    assert_eq!(session.implied(), [second.positive()]);
}

#[test]
fn numbers_differ() {
    let mut store = TermStore::new();
    let f = store.declare("f", &[Sort::INT], Sort::INT);
    let (one, two, x) = (store.int(1), store.int(2), store.var("x", Sort::INT));
    let terms = [one, two].map(|n| store.app(f, &[n]));
    let mut session = Session::new(store);
    for t in [terms[0], terms[1], x] {
        session.euf.share(&session.store, t);
    }
    // The atoms `f(1) = 1` and so on are awaited before they are registered.
    let atoms = [(terms[0], one), (terms[1], two), (terms[0], terms[1])].map(|(a, b)| {
        let atom = session.euf.equate(&mut session.store, a, b).unwrap();
        session.var(atom)
    });
    assert!(session.assert(atoms[0].positive()));
    assert!(session.assert(atoms[1].positive()));
    assert_eq!(session.implied(), [atoms[2].negative()]);
    assert!(!session.assert(atoms[2].positive()));
}
