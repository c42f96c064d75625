//! Making the scope of `∃` small before anything is enumerated.
//!
//! A conjunction is flattened; a conjunct that defines an eliminated variable (`x = t`, `p ↔ φ`, or just `p`) is used up by
//! substitution (the *one-point rule*); what remains falls into groups that share no eliminated variable, because
//! `∃x. (φ(x) ∧ ψ)` is `ψ ∧ ∃x. φ(x)`.
//!
//! An integer variable is only solved for if its coefficient is ±1 in an equality between integers; others would need
//! divisibility, which is left to projection.

use shofar_base::{Map, Set};
use shofar_num::Rational;
use shofar_term::substitute::Substitution;
use shofar_term::symbols::free_symbols;
use shofar_term::{Kind, Linear, Sort, Symbol, Term, TermStore};

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

/// Definitions that can be substituted at the same time: no defined symbol occurs in what replaces another.
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
        let (atom, negated) = store.strip_not(conjunct);
        if store.symbol(atom).is_some() {
            let value = store.bool(!negated);
            self.offer(store, conjunct, atom, value, open);
        } else if let Kind::Iff(p, q) = store.kind(atom) {
            for (name, body) in [(p, q), (q, p)] {
                let value = if negated { store.not(body) } else { body };
                if self.offer(store, conjunct, name, value, open) {
                    return;
                }
            }
        } else if let Some((form, bound)) = store.equation(atom)
            && !negated
        {
            let mut linear = store.linear(form);
            linear.constant -= bound;
            let sort = store.sort(form);
            for (coefficient, x) in linear.monomials().to_vec() {
                if let Some(solution) = solve(store, &linear, sort, &coefficient, x)
                    && self.offer(store, conjunct, x, solution, open)
                {
                    return;
                }
            }
        }
    }
    /// Takes the definition of the term `name` as `value` if it fits with the others.
    fn offer(
        &mut self,
        store: &TermStore,
        conjunct: Term,
        name: Term,
        value: Term,
        open: &Set<Symbol>,
    ) -> bool {
        let Some(symbol) = store.symbol(name) else { return false };
        if !open.contains(&symbol)
            || self.map.contains_key(&name)
            || self.mentioned.contains(&symbol)
        {
            return false;
        }
        let inside = free_symbols(store, &[value]);
        if inside.iter().any(|s| *s == symbol || self.defined.contains(s)) {
            return false;
        }
        self.mentioned.extend(inside);
        self.map.insert(name, value);
        self.defined.push(symbol);
        self.used_up.insert(conjunct);
        true
    }
}

/// What `x`, with this coefficient in `linear`, is equal to if `linear = 0`, whose terms are all integers if `sort` is `Int`.
fn solve(
    store: &mut TermStore,
    linear: &Linear,
    sort: Sort,
    coefficient: &Rational,
    x: Term,
) -> Option<Term> {
    if !store.symbol(x).is_some() {
        return None;
    }
    let fits = store.sort(x).is_real() || (sort.is_int() && coefficient.abs().is_one());
    if !fits {
        return None;
    }
    let mut rest = linear.clone();
    rest.remove(x);
    rest.scale(&-coefficient.recip());
    Some(store.sum(&rest, store.sort(x)))
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
