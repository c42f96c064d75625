//! Clauses without products of unknowns.
//!
//! Every product becomes a variable of its clause, of which a few facts are said: when it is zero,
//! its sign, and how it compares with its factors; and two products of a clause are the same if
//! their factors are. So a model of the new clauses is a model of the old ones; a refutation may
//! give a product a value that it does not have, and is therefore replayed on the old clauses,
//! where the SMT solver looks for factors that fit.

use shofar_base::{Map, Outcome};
use shofar_chc::{
    BackTranslation, ChcSystem, Clause, Derivation, Exactness, Hint, Interpretation, PredAtom,
    Translated,
};
use shofar_term::substitute::Substitution;
use shofar_term::visit::postorder;
use shofar_term::{Cx, Term, TermStore};

use crate::Pass;
use crate::back::unchanged;
use crate::replay::{Candidate, replay};
use crate::stepwise::LONGEST;

/// Of so many products of a clause it is said that they are the same if their factors are.
const MOST_CONGRUENT: usize = 8;

/// Replaces products of unknowns by variables; see the module documentation.
#[derive(Clone, Copy, Debug, Default)]
pub struct AbstractProducts;

impl Pass for AbstractProducts {
    fn name(&self) -> &'static str {
        "products"
    }
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        let all: Vec<Term> = source.clauses().flat_map(|(_, clause)| clause.terms()).collect();
        if products(cx.store, &all).is_empty() {
            return Ok(unchanged(source));
        }
        let clauses: Vec<Clause> =
            source.clauses().map(|(_, clause)| linear(cx.store, clause)).collect();
        let target = source.with_clauses(clauses);
        Ok((target, Box::new(WithProducts { source })))
    }
}

/// The products in `terms`, inner ones first.
fn products(store: &TermStore, terms: &[Term]) -> Vec<Term> {
    let mut found = postorder(store, terms);
    found.retain(|&term| store.as_times(term).is_some());
    found
}

/// The clause with variables in place of its products.
fn linear(store: &mut TermStore, clause: &Clause) -> Clause {
    let terms = clause.terms();
    let mut by = Substitution::new(Map::default());
    let (mut parts, mut known) = (Vec::new(), Vec::new());
    for product in products(store, &terms) {
        let symbol = store.fresh("product", store.sort(product));
        let variable = store.constant(symbol);
        // The factors may have products in them, which have variables by now.
        by.bind(product, variable);
        for fact in store.product_facts(product) {
            let fact: Vec<Term> = fact.iter().map(|&literal| by.apply(store, literal)).collect();
            parts.push(store.or(&fact));
        }
        let (a, b) = store.as_times(product).expect("it is a product");
        let factors = [a, b].map(|factor| by.apply(store, factor));
        if known.len() < MOST_CONGRUENT {
            known.push((factors, variable));
        }
    }
    congruence(store, &known, &mut parts);
    let mut atom = |store: &mut TermStore, atom: &PredAtom| PredAtom {
        pred: atom.pred,
        args: atom.args.iter().map(|&arg| by.apply(store, arg)).collect(),
    };
    let body = clause.body.iter().map(|a| atom(store, a)).collect();
    let head = clause.head.as_ref().map(|a| atom(store, a));
    parts.push(by.apply(store, clause.constraint));
    Clause { body, head, constraint: store.and(&parts), ..clause.clone() }
}

/// Says of every two products, given by their factors and their variables, that they are the same
/// if their factors are.
fn congruence(store: &mut TermStore, known: &[([Term; 2], Term)], parts: &mut Vec<Term>) {
    for (at, &([a, b], product)) in known.iter().enumerate() {
        for &(factors, other) in &known[..at] {
            if store.sort(product) != store.sort(other) {
                continue;
            }
            for [c, d] in [factors, [factors[1], factors[0]]] {
                let same = [store.eq(a, c), store.eq(b, d)];
                let same = store.and(&same);
                let result = store.eq(product, other);
                parts.push(store.implies(same, result));
            }
        }
    }
}

/// The way back: models stay as they are, refutations are replayed.
struct WithProducts {
    source: ChcSystem,
}

impl BackTranslation<ChcSystem, ChcSystem> for WithProducts {
    fn exactness(&self) -> Exactness {
        Exactness::Over
    }
    fn hints(&self, _: &mut TermStore, hints: Vec<Hint>) -> Vec<Hint> {
        hints
    }
    fn model(&self, _: &mut Cx<'_>, model: Interpretation) -> Outcome<Interpretation> {
        Ok(model)
    }
    fn refutation(&self, cx: &mut Cx<'_>, refutation: Derivation) -> Outcome<Derivation> {
        let refutation = refutation.expanded(cx.store, LONGEST)?;
        let steps: Vec<Candidate> = refutation.steps.into_iter().map(Candidate::from).collect();
        replay(cx, &self.source, &steps)
    }
}
