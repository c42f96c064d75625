//! Fragments of Horn clauses, and the interpolation form that solves each.
//!
//! | fragment | form | solvability over quantifier-free Presburger arithmetic |
//! |---|---|---|
//! | linear tree-like | sequence interpolants | co-NP |
//! | tree-like | tree interpolants | co-NP |
//! | linear | DAG interpolants | co-NP |
//! | body-disjoint | disjunctive interpolants | co-NP |
//! | any recursion-free | disjunctive interpolants of an expansion | co-NEXPTIME-complete |
//!
//! Clauses without recursion are exactly the Horn clauses that are well-founded: no chain of
//! resolutions with them is infinite. Head-disjoint clauses are as hard as any (co-NEXPTIME-hard),
//! so there is no form of their own.
//!
//! Source: [RHK13b] (fragments, forms and complexity).

use shofar_base::Idx as _;
use shofar_chc::{ChcGraph, ChcSystem};

/// Which fragments clauses belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "the flags are independent of each other")]
pub struct Class {
    /// No clause has two symbols in its body.
    pub linear: bool,
    /// Each symbol is in at most one body, once.
    pub body_disjoint: bool,
    /// Each symbol is the head of at most one clause.
    pub head_disjoint: bool,
    /// No symbol depends on itself.
    pub recursion_free: bool,
}

/// A form of interpolation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Along a sequence; between two formulas if there are two clauses.
    Sequence,
    /// In a tree.
    Tree,
    /// In a DAG whose paths are conjunctions.
    Dag,
    /// At positions below conjunctions and disjunctions.
    Disjunctive,
    /// The same of an expansion, which may be exponentially larger.
    Expansion,
}

impl Class {
    /// The fragments of `system`.
    pub fn of(system: &ChcSystem) -> Self {
        let graph = ChcGraph::new(system);
        let is_acyclic = graph.components().iter().all(|c| c.len() == 1 && !graph.has_loop(c[0]));
        let mut used = vec![0_usize; system.pred_count()];
        for atom in system.clauses().flat_map(|(_, clause)| &clause.body) {
            used[atom.pred.index()] += 1;
        }
        Self {
            linear: system.is_linear(),
            body_disjoint: used.iter().all(|&count| count <= 1),
            head_disjoint: system.preds().all(|pred| graph.incoming(pred).len() <= 1),
            recursion_free: is_acyclic,
        }
    }
    /// Whether no symbol is shared at all: neither in bodies nor as a head.
    pub fn is_tree_like(self) -> bool {
        self.body_disjoint && self.head_disjoint
    }
    /// The names of the fragments.
    pub fn names(self) -> Vec<&'static str> {
        let flags = [
            (self.recursion_free, "recursion-free"),
            (self.recursion_free, "well-founded"),
            (self.linear, "linear"),
            (self.body_disjoint, "body-disjoint"),
            (self.head_disjoint, "head-disjoint"),
            (self.is_tree_like(), "tree-like"),
        ];
        flags.into_iter().filter(|(holds, _)| *holds).map(|(_, name)| name).collect()
    }
    /// The form of interpolation that solves clauses of this class; none if they are recursive.
    pub fn form(self) -> Option<Form> {
        if !self.recursion_free {
            return None;
        }
        Some(match (self.linear, self.is_tree_like(), self.body_disjoint) {
            (true, true, _) => Form::Sequence,
            (false, true, _) => Form::Tree,
            (true, false, _) => Form::Dag,
            (false, false, true) => Form::Disjunctive,
            (false, false, false) => Form::Expansion,
        })
    }
}

impl Form {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Form::Sequence => "sequence",
            Form::Tree => "tree",
            Form::Dag => "DAG",
            Form::Disjunctive => "disjunctive",
            Form::Expansion => "disjunctive, of an expansion",
        }
    }
    /// How hard it is to decide whether such clauses are solvable.
    pub fn complexity(self) -> &'static str {
        match self {
            Form::Sequence | Form::Tree | Form::Dag | Form::Disjunctive => "co-NP",
            Form::Expansion => "co-NEXPTIME",
        }
    }
}
