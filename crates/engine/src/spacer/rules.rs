//! The rules of a system between nodes.
//!
//! A node is a predicate, or the goal that queries derive. Each node has formal parameters. Rules
//! are [apart](Rule::apart): the arguments of a head are the formals of its node, all other symbols
//! occur in no other rule.

use shofar_base::{Idx, IndexVec, index_type};
use shofar_chc::{NormalSystem, PredId};
use shofar_num::Rational;
use shofar_term::{Sort, Symbol, Term, TermStore};

pub(super) use crate::rule::Rule;
use crate::rule::numbers;

index_type!(
    /// A predicate or the goal.
    pub(super) struct Node
);
index_type!(
    /// A clause as a rule.
    pub(super) struct RuleId
);

impl Node {
    /// The node of a predicate.
    pub(super) fn of(pred: PredId) -> Self {
        Self::from_index(pred.index())
    }
}

/// The rules of a system, by what they derive and what they use.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub(super) formals: IndexVec<Node, Vec<Symbol>>,
    pub(super) all: IndexVec<RuleId, Rule>,
    /// For each rule, the node that it derives.
    pub(super) heads: IndexVec<RuleId, Node>,
    /// For each rule, a truth value that switches it on.
    pub(super) tags: IndexVec<RuleId, Term>,
    pub(super) deriving: IndexVec<Node, Vec<RuleId>>,
    /// The rules with a premise on a node, with the position of each such premise.
    pub(super) uses: IndexVec<Node, Vec<(RuleId, usize)>>,
    pub(super) goal: Node,
    /// The numbers in the constraints, in increasing order.
    pub(super) numbers: Vec<Rational>,
}

impl Rules {
    pub(super) fn new(store: &mut TermStore, system: &NormalSystem) -> Self {
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
            heads: IndexVec::new(),
            tags: IndexVec::new(),
            goal,
            numbers: Vec::new(),
        };
        for (id, clause) in system.clauses() {
            let head = clause.head.as_ref().map_or(goal, |atom| Node::of(atom.pred));
            let rule = Rule::apart(store, id, clause, &this.formals[head]);
            let rule = this.all.push(rule);
            this.heads.push(head);
            let tag = store.fresh("rule", Sort::BOOL);
            this.tags.push(store.constant(tag));
            this.deriving[head].push(rule);
            for (j, premise) in this.all[rule].body.iter().enumerate() {
                this.uses[Node::of(premise.pred)].push((rule, j));
            }
        }
        let constraints: Vec<Term> = this.all.iter().map(|r| r.guard).collect();
        this.numbers = numbers(store, &constraints);
        this
    }
}

fn fresh_symbols(store: &mut TermStore, prefix: &str, sorts: &[Sort]) -> Vec<Symbol> {
    sorts.iter().map(|&sort| store.fresh(prefix, sort)).collect()
}
