//! Making the scope of `∃` small before anything is enumerated.
//!
//! A conjunction is flattened; a conjunct that defines an eliminated variable (`x = t`, `p ↔ φ`, or
//! just `p`) is used up by substitution (the *one-point rule*); what remains falls into groups that
//! share no eliminated variable, because `∃x. (φ(x) ∧ ψ)` is `ψ ∧ ∃x. φ(x)`.
//!
//! An integer variable is only solved for if its coefficient is ±1 in an equality between integers;
//! others would need divisibility, which is left to projection.

use shofar_base::{Map, Set};
use shofar_term::solve::{solvable, solve_for};
use shofar_term::substitute::Substitution;
use shofar_term::symbols::free_symbols;
use shofar_term::{Symbol, Term, TermStore};

/// Conjuncts that belong together, and the eliminated variables in them.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) conjuncts: Vec<Term>,
    pub(crate) variables: Vec<Symbol>,
}

/// The conjuncts of `formula` after all definitions of `variables` have been substituted.
pub(crate) fn use_definitions(
    store: &mut TermStore,
    formula: Term,
    variables: &[Symbol],
) -> Vec<Term> {
    let mut open: Set<Symbol> = variables.iter().copied().collect();
    let mut conjuncts = store.conjuncts(&[formula]);
    loop {
        let round = Definitions::find(store, &conjuncts, &open);
        if round.map.is_empty() {
            return conjuncts;
        }
        for symbol in &round.defined {
            open.remove(symbol);
        }
        let mut substitution = Substitution::new(round.map);
        let rest: Vec<Term> = conjuncts
            .iter()
            .filter(|conjunct| !round.used_up.contains(*conjunct))
            .map(|&conjunct| substitution.apply(store, conjunct))
            .collect();
        conjuncts = store.conjuncts(&rest);
    }
}

/// Definitions that can be substituted at the same time: no defined symbol occurs in what replaces
/// another.
#[derive(Default)]
struct Definitions {
    map: Map<Term, Term>,
    defined: Vec<Symbol>,
    used_up: Set<Term>,
    /// Symbols of the replacements.
    mentioned: Set<Symbol>,
}

impl Definitions {
    fn find(store: &mut TermStore, conjuncts: &[Term], open: &Set<Symbol>) -> Self {
        let mut found = Self::default();
        for &conjunct in conjuncts {
            found.read(store, conjunct, open);
        }
        found
    }
    fn read(&mut self, store: &mut TermStore, conjunct: Term, open: &Set<Symbol>) {
        for symbol in solvable(store, conjunct) {
            let is_free = open.contains(&symbol)
                && !self.map.contains_key(&store.constant(symbol))
                && !self.mentioned.contains(&symbol);
            if is_free
                && let Some(value) = solve_for(store, conjunct, symbol)
                && self.offer(store, conjunct, symbol, value)
            {
                return;
            }
        }
    }
    /// Takes the definition of `symbol` as `value` if it fits with the others.
    fn offer(
        &mut self,
        store: &mut TermStore,
        conjunct: Term,
        symbol: Symbol,
        value: Term,
    ) -> bool {
        let inside = free_symbols(store, &[value]);
        if inside.iter().any(|s| *s == symbol || self.defined.contains(s)) {
            return false;
        }
        self.mentioned.extend(inside);
        self.map.insert(store.constant(symbol), value);
        self.defined.push(symbol);
        self.used_up.insert(conjunct);
        true
    }
}

/// `conjuncts` in groups connected by the variables; those without any come first, alone.
pub(crate) fn groups(
    store: &TermStore,
    conjuncts: &[Term],
    variables: &[Symbol],
) -> (Vec<Term>, Vec<Group>) {
    let eliminated: Set<Symbol> = variables.iter().copied().collect();
    let mut free = Vec::new();
    let mut groups: Vec<Group> = Vec::new();
    for &conjunct in conjuncts {
        let mut inside = free_symbols(store, &[conjunct]);
        inside.retain(|symbol| eliminated.contains(symbol));
        if inside.is_empty() {
            free.push(conjunct);
            continue;
        }
        let touches = |g: &Group| g.variables.iter().any(|v| inside.binary_search(v).is_ok());
        let (touched, mut apart): (Vec<Group>, Vec<Group>) =
            std::mem::take(&mut groups).into_iter().partition(touches);
        let mut merged = Group { conjuncts: Vec::new(), variables: inside.clone() };
        for group in touched {
            merged.conjuncts.extend(group.conjuncts);
            merged.variables.extend(group.variables);
        }
        merged.conjuncts.push(conjunct);
        merged.variables.sort_unstable();
        merged.variables.dedup();
        apart.push(merged);
        groups = apart;
    }
    (free, groups)
}
