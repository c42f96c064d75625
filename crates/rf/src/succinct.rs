//! The expansion of recursion-free clauses as a quantified formula of linear size.
//!
//! Symbols that are used several times are not copied. The clauses for `false` are said with a flag
//! in the place of each symbol of a body, which records a *check*: whenever the flag is set, the
//! symbol holds of the arguments. Symbols are then taken one after the other, each after all that
//! use it: for all arguments for which a recorded check asks, some clause derives the symbol, which
//! records further checks. So the prefix is `∃∀∃…∀∃` with two alternations for each symbol at most,
//! and the formula is true exactly if `false` can be derived. Over Booleans that decides
//! recursion-free clauses in polynomial space.
//!
//! Source: [RHK13b] (the succinct expansion, for upper bounds). DIVERGENCE [RHK13b]: the algorithm
//! is printed with two names for one set of checks; there is one here.

use shofar_base::{IndexVec, Map};
use shofar_chc::{ChcGraph, ClauseId, NormalSystem, PredId};
use shofar_term::substitute::Substitution;
use shofar_term::{Quantifier, Sort, Symbol, Term, TermStore};

use crate::Class;

/// A formula in prenex form.
#[derive(Clone, Debug)]
pub struct Succinct {
    /// The blocks of quantifiers, outermost first; none is empty.
    pub prefix: Vec<(Quantifier, Vec<Symbol>)>,
    /// A quantifier-free formula.
    pub matrix: Term,
}

/// A flag, and the arguments of which the symbol must hold if it is set.
type Check = (Term, Vec<Term>);

struct Builder<'s> {
    system: &'s NormalSystem,
    checks: IndexVec<PredId, Vec<Check>>,
    succinct: Succinct,
    conjuncts: Vec<Term>,
}

impl Succinct {
    /// The formula of recursion-free clauses, which is true exactly if they are not solvable;
    /// nothing for recursive ones.
    pub fn of(store: &mut TermStore, system: &NormalSystem) -> Option<Self> {
        if !Class::of(system).recursion_free {
            return None;
        }
        let graph = ChcGraph::new(system);
        let mut builder = Builder {
            system,
            checks: system.preds().map(|_| Vec::new()).collect(),
            succinct: Self { prefix: Vec::new(), matrix: store.top() },
            conjuncts: Vec::new(),
        };
        let queries = builder.ways(store, graph.queries(), &[]);
        builder.conjuncts.push(queries);
        // Components come with what they are derived from before them.
        for pred in graph.components().into_iter().rev().flatten() {
            builder.symbol(store, pred, graph.incoming(pred));
        }
        builder.succinct.matrix = store.and(&builder.conjuncts);
        Some(builder.succinct)
    }
    /// How often the kind of quantifier changes.
    pub fn alternations(&self) -> usize {
        self.prefix.len().saturating_sub(1)
    }
    /// The formula with its quantifiers.
    pub fn formula(&self, store: &mut TermStore) -> Term {
        let mut formula = self.matrix;
        for (quantifier, variables) in self.prefix.iter().rev() {
            let variables: Vec<Term> = variables.iter().map(|&v| store.constant(v)).collect();
            formula = store.quantify(*quantifier, formula, &variables);
        }
        formula
    }
}

impl Builder<'_> {
    /// That all checks of a symbol are met.
    fn symbol(&mut self, store: &mut TermStore, pred: PredId, clauses: &[ClauseId]) {
        let checks = std::mem::take(&mut self.checks[pred]);
        if checks.is_empty() {
            return;
        }
        let sorts = self.system.sorts(store, pred).to_vec();
        let params: Vec<Symbol> = sorts.iter().map(|&sort| store.fresh("any", sort)).collect();
        let args: Vec<Term> = params.iter().map(|&param| store.constant(param)).collect();
        self.bind(Quantifier::Forall, params);
        let mut asked = Vec::new();
        for (flag, terms) in checks {
            let mut parts = vec![flag];
            parts.extend(terms.iter().zip(&args).map(|(&term, &arg)| store.eq(term, arg)));
            asked.push(store.and(&parts));
        }
        let guard = store.or(&asked);
        let ways = self.ways(store, clauses, &args);
        self.conjuncts.push(store.implies(guard, ways));
    }
    /// That some clause derives its head with `args`, under new names, with a check for each symbol
    /// of its body.
    fn ways(&mut self, store: &mut TermStore, clauses: &[ClauseId], args: &[Term]) -> Term {
        let (mut ways, mut bound) = (Vec::new(), Vec::new());
        for &id in clauses {
            let clause = self.system.clause(id);
            let mut map: Map<Term, Term> = Map::default();
            for (&param, &arg) in clause.head.iter().flat_map(|head| &head.args).zip(args) {
                map.insert(param, arg);
            }
            for symbol in clause.variables(store) {
                let constant = store.constant(symbol);
                if !map.contains_key(&constant) {
                    let name = store.fresh("some", store.result(symbol));
                    map.insert(constant, store.constant(name));
                    bound.push(name);
                }
            }
            let mut by = Substitution::new(map);
            let mut way = vec![by.apply(store, clause.constraint)];
            for atom in &clause.body {
                let flag = store.fresh("check", Sort::BOOL);
                bound.push(flag);
                let flag = store.constant(flag);
                let terms = atom.args.iter().map(|&arg| by.apply(store, arg)).collect();
                self.checks[atom.pred].push((flag, terms));
                way.push(flag);
            }
            ways.push(store.and(&way));
        }
        self.bind(Quantifier::Exists, bound);
        store.or(&ways)
    }
    fn bind(&mut self, quantifier: Quantifier, variables: Vec<Symbol>) {
        if variables.is_empty() {
            return;
        }
        match self.succinct.prefix.last_mut() {
            Some((last, block)) if *last == quantifier => block.extend(variables),
            Some(_) | None => self.succinct.prefix.push((quantifier, variables)),
        }
    }
}
