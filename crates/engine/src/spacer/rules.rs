//! Clauses as rules between nodes, with variables of their own.
//!
//! A node is a predicate, or the goal that queries derive. Each node has formal parameters. A rule is a clause with all
//! variables renamed apart: its head arguments are the formals of its node, its body arguments are symbols that occur in no
//! other place.

use shofar_base::{Idx, IndexVec, Map, Set, index_type};
use shofar_chc::{ChcSystem, ClauseId, PredAtom};
use shofar_num::Rational;
use shofar_term::substitute::Substitution;
use shofar_term::symbols::free_symbols;
use shofar_term::visit::postorder;
use shofar_term::{Sort, Symbol, Term, TermStore};

index_type!(
    /// A predicate or the goal.
    pub(super) struct Node
);
index_type!(
    /// A clause as a rule.
    pub(super) struct RuleId
);

/// A premise of a rule: a node and the symbols that stand for its arguments.
#[derive(Clone, Debug)]
pub(super) struct Premise {
    pub(super) node: Node,
    pub(super) args: Vec<Symbol>,
}

/// A clause over variables of its own.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) clause: ClauseId,
    pub(super) head: Node,
    pub(super) body: Vec<Premise>,
    /// Over the head's formals, the body's arguments, and local symbols.
    pub(super) constraint: Term,
    /// A truth value that switches the rule on.
    pub(super) tag: Term,
    /// For each variable of the clause, the term that stands for it here.
    pub(super) variables: Vec<(Symbol, Term)>,
}

/// The rules of a system, by what they derive and what they use.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub(super) formals: IndexVec<Node, Vec<Symbol>>,
    pub(super) all: IndexVec<RuleId, Rule>,
    pub(super) deriving: IndexVec<Node, Vec<RuleId>>,
    /// The rules with a premise on a node, with the position of each such premise.
    pub(super) uses: IndexVec<Node, Vec<(RuleId, usize)>>,
    pub(super) goal: Node,
    /// The numbers in the constraints, in increasing order.
    pub(super) numbers: Vec<Rational>,
}

impl Rules {
    pub(super) fn new(store: &mut TermStore, system: &ChcSystem) -> Self {
        let mut formals: IndexVec<Node, Vec<Symbol>> = IndexVec::new();
        for pred in system.preds() {
            let sorts = system.sorts(store, pred).to_vec();
            let name = format!("{}.{}", store.name(system.symbol(pred)), pred.index());
            formals.push(fresh_symbols(store, &name, &sorts));
        }
        let goal = formals.push(Vec::new());
        let mut this = Self {
            deriving: formals.iter().map(|_| Vec::new()).collect(),
            uses: formals.iter().map(|_| Vec::new()).collect(),
            formals,
            all: IndexVec::new(),
            goal,
            numbers: Vec::new(),
        };
        for (id, clause) in system.clauses() {
            let head = clause.head.as_ref().map_or(goal, |h| Node::from_index(h.pred.index()));
            let rule = this.rule(store, id, head, clause);
            let rule = this.all.push(rule);
            this.deriving[head].push(rule);
            for (j, premise) in this.all[rule].body.iter().enumerate() {
                this.uses[premise.node].push((rule, j));
            }
        }
        let constraints: Vec<Term> = this.all.iter().map(|r| r.constraint).collect();
        this.numbers = numbers(store, &constraints);
        this
    }
    fn rule(
        &self,
        store: &mut TermStore,
        id: ClauseId,
        head: Node,
        clause: &shofar_chc::Clause,
    ) -> Rule {
        let mut renaming = Renaming::default();
        if let Some(atom) = &clause.head {
            renaming.bind(store, atom, &self.formals[head]);
        }
        let mut body = Vec::new();
        for (j, atom) in clause.body.iter().enumerate() {
            let sorts: Vec<Sort> = atom.args.iter().map(|&t| store.sort(t)).collect();
            let args = fresh_symbols(store, &format!("r{}.{j}", id.index()), &sorts);
            renaming.bind(store, atom, &args);
            body.push(Premise { node: Node::from_index(atom.pred.index()), args });
        }
        for symbol in free_symbols(store, &clause.terms()) {
            let variable = store.constant(symbol);
            if !renaming.map.contains_key(&variable) {
                let local = store.fresh(&format!("r{}", id.index()), store.result(symbol));
                let local = store.constant(local);
                renaming.map.insert(variable, local);
            }
        }
        let variables = renaming.variables(store, clause);
        let constraint = renaming.apply(store, clause.constraint);
        let tag = store.fresh("rule", Sort::BOOL);
        Rule { clause: id, head, body, constraint, tag: store.constant(tag), variables }
    }
}

/// The numbers that forms are compared to, and their neighbours, in increasing order.
fn numbers(store: &TermStore, formulas: &[Term]) -> Vec<Rational> {
    let mut numbers = vec![Rational::ZERO];
    for term in postorder(store, formulas) {
        let compared = store.comparison(term).map(|(.., bound)| bound);
        if let Some(n) = compared.or_else(|| store.as_number(term)) {
            numbers.extend([n - &Rational::ONE, n.clone(), n + &Rational::ONE]);
        } else if let Some(sum) = store.as_sum(term) {
            numbers.push(sum.constant().clone());
        }
    }
    let negated: Vec<Rational> = numbers.iter().map(|n| -n).collect();
    numbers.extend(negated);
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

fn fresh_symbols(store: &mut TermStore, prefix: &str, sorts: &[Sort]) -> Vec<Symbol> {
    sorts.iter().map(|&sort| store.fresh(prefix, sort)).collect()
}

/// From a clause's variables to a rule's; an argument that is no new variable becomes an equation.
#[derive(Default)]
struct Renaming {
    map: Map<Term, Term>,
    equations: Vec<(Term, Term)>,
    taken: Set<Term>,
}

impl Renaming {
    fn bind(&mut self, store: &mut TermStore, atom: &PredAtom, args: &[Symbol]) {
        for (&term, &symbol) in atom.args.iter().zip(args) {
            let symbol = store.constant(symbol);
            if store.symbol(term).is_some() && self.taken.insert(term) {
                self.map.insert(term, symbol);
            } else {
                self.equations.push((symbol, term));
            }
        }
    }
    fn variables(&self, store: &mut TermStore, clause: &shofar_chc::Clause) -> Vec<(Symbol, Term)> {
        let symbols = free_symbols(store, &clause.terms());
        symbols.into_iter().map(|s| (s, self.map[&store.constant(s)])).collect()
    }
    fn apply(mut self, store: &mut TermStore, constraint: Term) -> Term {
        let equations = std::mem::take(&mut self.equations);
        let mut substitution = Substitution::new(self.map);
        let mut parts = vec![substitution.apply(store, constraint)];
        for (symbol, term) in equations {
            let term = substitution.apply(store, term);
            parts.push(store.eq(symbol, term));
        }
        store.and(&parts)
    }
}
