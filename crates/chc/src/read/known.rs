//! What a context of a formula says about the values of variables.
//!
//! A context is a set of literals that are true there. A linear equation with one unknown fixes it,
//! and so do two bounds that meet; what is fixed may leave another equation with one unknown.
//! Nothing else is concluded: this is propagation, not solving, and takes time in proportion to the
//! literals.
//!
//! Invariant: the literals imply every value.

use shofar_base::{Map, Set};
use shofar_num::Rational;
use shofar_term::substitute::substitute;
use shofar_term::symbols::free_symbols;
use shofar_term::{Comparison, LinearLiteral, Term, TermStore, View};

use super::contents::Contents;

/// A formula and whether it is true or false.
pub(super) type Literal = (Term, bool);

/// The least and the greatest value, as far as they are known.
#[derive(Clone, Debug, Default)]
struct Bounds {
    lower: Option<Rational>,
    upper: Option<Rational>,
}

/// The literals of a context and what follows from them.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    literals: Set<Literal>,
    /// Comparisons whose variables are not all known, with their variables.
    open: Vec<(Literal, Vec<Term>)>,
    bounds: Map<Term, Bounds>,
    /// A number or truth value for variables.
    values: Map<Term, Term>,
}

impl Known {
    /// A measure of what copying costs.
    pub(super) fn size(&self) -> usize {
        self.literals.len() + self.open.len() + self.values.len()
    }
    /// The literals among the conjuncts of a formula that are not known yet and have no products.
    pub(super) fn news(
        &self,
        store: &TermStore,
        contents: &Contents,
        fact: Literal,
    ) -> Vec<Literal> {
        let (mut stack, mut news) = (vec![fact], Vec::new());
        while let Some((term, holds)) = stack.pop() {
            match store.view(term) {
                View::Not(inner) => stack.push((inner, !holds)),
                View::And(parts) if holds => stack.extend(parts.iter().map(|&part| (part, true))),
                View::Or(parts) if !holds => stack.extend(parts.iter().map(|&part| (part, false))),
                View::Atom | View::Predicate(_, [])
                    if !contents.has_product(term) && !contents.has_predicate(term) =>
                {
                    if !self.literals.contains(&(term, holds)) {
                        news.push((term, holds));
                    }
                }
                View::Constant(_)
                | View::And(_)
                | View::Or(_)
                | View::Iff(..)
                | View::Ite(..)
                | View::Quantified(..)
                | View::Predicate(..)
                | View::Atom
                | View::Term => {}
            }
        }
        news
    }
    /// Adds literals and what follows from them.
    pub(super) fn assume(&mut self, store: &mut TermStore, news: &[Literal]) {
        for &(term, holds) in news {
            if !self.literals.insert((term, holds)) {
                continue;
            }
            if store.symbol(term).is_some() {
                self.values.entry(term).or_insert(store.bool(holds));
            } else {
                let variables = variables(store, term);
                self.open.push(((term, holds), variables));
            }
        }
        self.propagate(store);
    }
    /// Follows the comparisons with one unknown.
    fn propagate(&mut self, store: &mut TermStore) {
        let open = std::mem::take(&mut self.open);
        let mut using: Map<Term, Vec<usize>> = Map::default();
        for (at, (_, variables)) in open.iter().enumerate() {
            for &variable in variables {
                using.entry(variable).or_default().push(at);
            }
        }
        let mut work: Vec<usize> = (0..open.len()).rev().collect();
        while let Some(at) = work.pop() {
            let (literal, variables) = &open[at];
            let mut unknown = variables.iter().filter(|&v| !self.values.contains_key(v));
            let (Some(&variable), None) = (unknown.next(), unknown.next()) else { continue };
            if let Some(value) = self.solve(store, *literal, variables) {
                self.values.insert(variable, value);
                work.extend(&using[&variable]);
            }
        }
        let is_open = |(_, variables): &(Literal, Vec<Term>)| {
            variables.iter().any(|variable| !self.values.contains_key(variable))
        };
        self.open = open.into_iter().filter(is_open).collect();
    }
    /// The value of the only unknown of a comparison, if it is fixed by it, or by it and earlier
    /// ones.
    fn solve(
        &mut self,
        store: &mut TermStore,
        (atom, holds): Literal,
        variables: &[Term],
    ) -> Option<Term> {
        let LinearLiteral { form, relation, bound } = LinearLiteral::of_atom(store, atom, holds)?;
        let form = self.with_values(store, form, variables);
        let linear = store.linear(form);
        let [(coefficient, variable)] = linear.monomials() else { return None };
        store.symbol(*variable)?;
        let limit = (bound - &linear.constant) / coefficient;
        let value = if relation == Comparison::Equal {
            limit
        } else {
            let is_upper = relation.is_upper() != coefficient.is_negative();
            self.narrow(store, *variable, limit, is_upper, relation.is_strict())?
        };
        let sort = store.sort(*variable);
        // An integer that equals a fraction contradicts the context; nothing is to be won there.
        (sort.is_real() || value.is_integer()).then(|| store.number(value, sort))
    }
    /// Takes note of a bound; the value if it meets the opposite one.
    fn narrow(
        &mut self,
        store: &TermStore,
        variable: Term,
        limit: Rational,
        is_upper: bool,
        strict: bool,
    ) -> Option<Rational> {
        let is_int = store.sort(variable).is_int();
        let limit = match (is_int, strict, is_upper) {
            (true, false, true) => limit.floor(),
            (true, false, false) => limit.ceil(),
            (true, true, true) => limit.ceil() - &Rational::ONE,
            (true, true, false) => limit.floor() + &Rational::ONE,
            (false, false, _) => limit,
            (false, true, _) => return None,
        };
        let bounds = self.bounds.entry(variable).or_default();
        let own = if is_upper { &mut bounds.upper } else { &mut bounds.lower };
        let is_tighter = own.as_ref().is_none_or(|old| (limit < *old) == is_upper);
        if is_tighter {
            *own = Some(limit);
        }
        if bounds.lower == bounds.upper { bounds.lower.clone() } else { None }
    }
    /// The term with the values of these variables.
    fn with_values(&self, store: &mut TermStore, term: Term, variables: &[Term]) -> Term {
        let known = variables.iter().filter_map(|v| Some((*v, *self.values.get(v)?)));
        let map: Map<Term, Term> = known.collect();
        substitute(store, &map, &[term])[0]
    }
    /// The number that a term equals in this context.
    pub(super) fn number(&self, store: &mut TermStore, term: Term) -> Option<Rational> {
        let variables = variables(store, term);
        let term = self.with_values(store, term, &variables);
        store.as_number(term).cloned()
    }
}

/// The constants of a term; functions, such as those that mark products, are none.
fn variables(store: &mut TermStore, term: Term) -> Vec<Term> {
    let mut symbols = free_symbols(store, &[term]);
    symbols.retain(|&symbol| store.params(symbol).is_empty());
    symbols.into_iter().map(|symbol| store.constant(symbol)).collect()
}
