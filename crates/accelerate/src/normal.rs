//! Loops as updates and guards, split into independent parts.
//!
//! Equations are solved for the values after the step, which are replaced everywhere else: what is
//! left of them are *guards* over the values before. A value after the step for which no equation
//! was found is undetermined; it may be bounded by the guards. Variables that no guard and no
//! update connects do not see each other: `Rⁿ` of a conjunction of such *parts* is the conjunction
//! of their `n`-th powers, so every part is accelerated by whatever fits it.
//!
//! Source: [FF22] §2 (loops as guard and update).
//! DIVERGENCE [FF22]: an undetermined value stays one, instead of being named by a temporary
//! variable.

use shofar_base::{Map, Set};
use shofar_num::Rational;
use shofar_term::solve::solve_for;
use shofar_term::substitute::substitute;
use shofar_term::symbols::free_symbols;
use shofar_term::{Linear, LinearLiteral, Relation as Comparison, Symbol, Term, TermStore};

use crate::Relation;

/// A loop, or a part of one.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    /// The constants before and after the step, with their places in the relation.
    pub(crate) variables: Vec<Variable>,
    /// What holds of the values before and of undetermined values after the step.
    pub(crate) guards: Vec<Term>,
}

/// A variable of a loop.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    /// Its place in the relation.
    pub(crate) place: usize,
    pub(crate) pre: Symbol,
    pub(crate) post: Symbol,
    /// Its value after the step, over the values before and undetermined ones after it.
    pub(crate) update: Option<Term>,
}

impl Loop {
    /// The loop of a relation; nothing if the relation is seen to be empty.
    pub(crate) fn new(store: &mut TermStore, relation: &Relation) -> Option<Self> {
        let pairs = relation.variables().iter().enumerate();
        let variables =
            pairs.map(|(place, &(pre, post))| Variable { place, pre, post, update: None });
        let mut this = Self {
            variables: variables.collect(),
            guards: with_equations(store, relation.literals()),
        };
        for at in 0..this.variables.len() {
            this.determine(store, at);
        }
        this.use_values(store);
        let top = store.top();
        this.guards.retain(|&guard| guard != top);
        (!this.guards.contains(&store.bottom())).then_some(this)
    }
    /// Looks for an equation of the value of variable `at` after the step, and uses it.
    fn determine(&mut self, store: &mut TermStore, at: usize) {
        let Variable { pre, post, .. } = self.variables[at];
        let pre = store.constant(pre);
        let mut definition: Option<(usize, Term)> = None;
        for guard in 0..self.guards.len() {
            let Some(value) = solve_for(store, self.guards[guard], post) else { continue };
            let is_better =
                |&(_, best): &(usize, Term)| effort(store, pre, value) < effort(store, pre, best);
            let is_definition = !free_symbols(store, &[value]).contains(&post);
            if is_definition && definition.as_ref().is_none_or(is_better) {
                definition = Some((guard, value));
            }
        }
        let Some((guard, value)) = definition else { return };
        self.guards.swap_remove(guard);
        let name = store.constant(post);
        let map: Map<Term, Term> = [(name, value)].into_iter().collect();
        self.guards = substitute(store, &map, &self.guards);
        for variable in &mut self.variables {
            if let Some(update) = &mut variable.update {
                *update = substitute(store, &map, &[*update])[0];
            }
        }
        self.variables[at].update = Some(value);
    }
    /// Uses what guards say to be the value of a variable in updates that are no translations.
    fn use_values(&mut self, store: &mut TermStore) {
        let names: Vec<Term> = self.variables.iter().map(|v| store.constant(v.pre)).collect();
        let mut values: Map<Term, Term> = Map::default();
        for (variable, &name) in self.variables.iter().zip(&names) {
            let value = self.guards.iter().find_map(|&guard| {
                solve_for(store, guard, variable.pre).filter(|&value| store.is_value(value))
            });
            values.extend(value.map(|value| (name, value)));
        }
        for (variable, &name) in self.variables.iter_mut().zip(&names) {
            if let Some(update) = &mut variable.update
                && effort(store, name, *update) > 0
            {
                *update = substitute(store, &values, &[*update])[0];
            }
        }
    }
    /// Whether every value after the step is a function of the values before.
    pub(crate) fn is_deterministic(&self, store: &TermStore) -> bool {
        let updates: Option<Vec<Term>> = self.variables.iter().map(|v| v.update).collect();
        let Some(mut terms) = updates else { return false };
        terms.extend(&self.guards);
        let symbols: Set<Symbol> = free_symbols(store, &terms).into_iter().collect();
        self.variables.iter().all(|v| !symbols.contains(&v.post))
    }
    /// Whether nothing is said about its variables.
    pub(crate) fn is_free(&self) -> bool {
        self.guards.is_empty() && self.variables.iter().all(|v| v.update.is_none())
    }
    /// The conjuncts of the loop, updates as equations.
    pub(crate) fn literals(&self, store: &mut TermStore) -> Vec<Term> {
        let mut literals = self.guards.clone();
        for variable in &self.variables {
            if let Some(update) = variable.update {
                let post = store.constant(variable.post);
                literals.push(store.eq(post, update));
            }
        }
        literals
    }
    /// The loop as parts that share no variable. Guards without variables are dropped: they are
    /// true.
    pub(crate) fn parts(self, store: &TermStore) -> Vec<Loop> {
        let places: Map<Symbol, usize> = (0..self.variables.len())
            .flat_map(|at| [(self.variables[at].pre, at), (self.variables[at].post, at)])
            .collect();
        let mut groups = Groups((0..self.variables.len()).collect());
        let mentioned = |term: Term| -> Vec<usize> {
            free_symbols(store, &[term]).iter().filter_map(|s| places.get(s).copied()).collect()
        };
        for (at, variable) in self.variables.iter().enumerate() {
            for other in variable.update.into_iter().flat_map(&mentioned) {
                groups.join(at, other);
            }
        }
        for &guard in &self.guards {
            let variables = mentioned(guard);
            variables.windows(2).for_each(|pair| groups.join(pair[0], pair[1]));
        }
        let mut parts: Map<usize, Loop> = Map::default();
        let empty = || Loop { variables: Vec::new(), guards: Vec::new() };
        let guards: Vec<(usize, Term)> = (self.guards.iter())
            .filter_map(|&guard| Some((groups.root(*mentioned(guard).first()?), guard)))
            .collect();
        for (at, variable) in self.variables.into_iter().enumerate() {
            parts.entry(groups.root(at)).or_insert_with(empty).variables.push(variable);
        }
        for (root, guard) in guards {
            parts.entry(root).or_insert_with(empty).guards.push(guard);
        }
        parts.sorted().into_iter().map(|(_, part)| part.clone()).collect()
    }
}

/// Which variables belong together: each points to an older one of its group, or to itself.
struct Groups(Vec<usize>);

impl Groups {
    fn root(&self, mut at: usize) -> usize {
        while self.0[at] != at {
            at = self.0[at];
        }
        at
    }
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}

/// How hard the powers of an update are expected to be; 0 for a translation.
fn effort(store: &TermStore, name: Term, update: Term) -> usize {
    let mut linear = store.linear(update);
    match linear.remove(name) {
        Some(c) if c.is_one() && linear.is_constant() => 0,
        Some(_) | None => 1 + linear.monomials().len(),
    }
}

/// `literals`, with two opposite inequalities as an equation.
fn with_equations(store: &mut TermStore, literals: &[Term]) -> Vec<Term> {
    let known: Set<Term> = literals.iter().copied().collect();
    let mut result: Vec<Term> = Vec::new();
    for &literal in literals {
        let read = LinearLiteral::of(store, literal);
        let inequality = read.and_then(|read| read.inequality(store));
        let equation = inequality.filter(|(_, strict)| !strict).and_then(|(linear, _)| {
            let opposite = store.le_zero(&linear.negated());
            known.contains(&opposite).then(|| store.eq_zero(&linear))
        });
        result.push(equation.unwrap_or(literal));
    }
    result.sort_unstable();
    result.dedup();
    result
}

/// What a literal compares with 0; without a relation it differs from it.
pub(crate) fn side(store: &TermStore, literal: Term) -> Option<(Linear, Option<Comparison>)> {
    let minus = |form: Term, bound: &Rational| {
        let mut linear = store.linear(form);
        linear.constant -= bound;
        linear
    };
    let Some(read) = LinearLiteral::of(store, literal) else {
        let (form, bound) = store.equation(store.strip_not(literal).0)?;
        return Some((minus(form, bound), None));
    };
    Some(match read.inequality(store) {
        Some((linear, strict)) => {
            (linear, Some(if strict { Comparison::Lt } else { Comparison::Le }))
        }
        None => (minus(read.form, &read.bound), Some(Comparison::Eq)),
    })
}
