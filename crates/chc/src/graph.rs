//! Who derives whom: the predicates of a system as nodes, its clauses as hyperedges.

use shofar_base::{Idx, IndexVec};

use crate::{ChcSystem, ClauseId, PredId};

/// What a system looks like, from the easiest to the hardest shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// No predicate depends on itself.
    Acyclic,
    /// One predicate with facts, steps and queries.
    TransitionSystem,
    /// Linear; every cycle is a clause from a predicate to itself, and the loops form a chain.
    ChainOfLoops,
    /// Linear; every cycle is a clause from a predicate to itself.
    DagOfLoops,
    /// Linear.
    Linear,
    /// Anything.
    Nonlinear,
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Shape::Acyclic => "acyclic",
            Shape::TransitionSystem => "transition system",
            Shape::ChainOfLoops => "chain of loops",
            Shape::DagOfLoops => "DAG of loops",
            Shape::Linear => "linear",
            Shape::Nonlinear => "nonlinear",
        })
    }
}

/// Adjacency of a system.
#[derive(Clone, Debug)]
pub struct ChcGraph<'s> {
    system: &'s ChcSystem,
    /// The clauses that derive each predicate.
    incoming: IndexVec<PredId, Vec<ClauseId>>,
    /// The clauses that use each predicate in their body, each once.
    outgoing: IndexVec<PredId, Vec<ClauseId>>,
    queries: Vec<ClauseId>,
}

impl<'s> ChcGraph<'s> {
    /// The graph of `system`.
    pub fn new(system: &'s ChcSystem) -> Self {
        let empty =
            || -> IndexVec<PredId, Vec<ClauseId>> { system.preds().map(|_| Vec::new()).collect() };
        let (mut incoming, mut outgoing, mut queries) = (empty(), empty(), Vec::new());
        for (id, clause) in system.clauses() {
            match &clause.head {
                Some(head) => incoming[head.pred].push(id),
                None => queries.push(id),
            }
            for atom in &clause.body {
                if outgoing[atom.pred].last() != Some(&id) {
                    outgoing[atom.pred].push(id);
                }
            }
        }
        Self { system, incoming, outgoing, queries }
    }
    /// The clauses that derive `pred`.
    pub fn incoming(&self, pred: PredId) -> &[ClauseId] {
        &self.incoming[pred]
    }
    /// The clauses that have `pred` in their body.
    pub fn outgoing(&self, pred: PredId) -> &[ClauseId] {
        &self.outgoing[pred]
    }
    /// The clauses that derive `false`.
    pub fn queries(&self) -> &[ClauseId] {
        &self.queries
    }
    /// For each predicate, whether some chain of clauses derives it from facts (ignoring
    /// constraints).
    pub fn derivable(&self) -> IndexVec<PredId, bool> {
        let mut derivable: IndexVec<PredId, bool> = self.system.preds().map(|_| false).collect();
        let mut open: Vec<usize> = self.system.clauses().map(|(_, c)| c.body.len()).collect();
        let mut ready: Vec<ClauseId> =
            self.system.clauses().filter(|(_, c)| c.body.is_empty()).map(|(id, _)| id).collect();
        while let Some(id) = ready.pop() {
            let Some(head) = &self.system.clause(id).head else { continue };
            if std::mem::replace(&mut derivable[head.pred], true) {
                continue;
            }
            for &user in &self.outgoing[head.pred] {
                let uses =
                    self.system.clause(user).body.iter().filter(|a| a.pred == head.pred).count();
                open[user.index()] -= uses;
                if open[user.index()] == 0 {
                    ready.push(user);
                }
            }
        }
        derivable
    }
    /// For each predicate, whether a query depends on it.
    pub fn useful(&self) -> IndexVec<PredId, bool> {
        let mut useful: IndexVec<PredId, bool> = self.system.preds().map(|_| false).collect();
        let mut work: Vec<ClauseId> = self.queries.clone();
        while let Some(id) = work.pop() {
            for atom in &self.system.clause(id).body {
                if !std::mem::replace(&mut useful[atom.pred], true) {
                    work.extend(&self.incoming[atom.pred]);
                }
            }
        }
        useful
    }
    /// The strongly connected components, those that derive others first; edges run from body to
    /// head.
    pub fn components(&self) -> Vec<Vec<PredId>> {
        let all: Vec<PredId> = self.system.preds().collect();
        Components::new(self).within(&all, 1)
    }
    /// The predicates in a weak topological order: every cycle has a predicate that is marked, its
    /// head, and an edge that leads back leads to the head of a component around its start.
    /// Components nest, and each is contiguous.
    ///
    /// Source: [Bou93], by splitting components again without their heads.
    pub fn weak_topological_order(&self) -> Vec<(PredId, bool)> {
        enum Work {
            Emit(PredId, bool),
            Split(Vec<PredId>),
        }
        let mut components = Components::new(self);
        let (mut order, mut part) = (Vec::with_capacity(self.system.pred_count()), 0);
        let mut work = vec![Work::Split(self.system.preds().collect())];
        while let Some(next) = work.pop() {
            let preds = match next {
                Work::Emit(pred, is_head) => {
                    order.push((pred, is_head));
                    continue;
                }
                Work::Split(preds) => preds,
            };
            part += 1;
            for mut component in components.within(&preds, part).into_iter().rev() {
                let head = component.swap_remove(self.entry(&component));
                let is_head = !component.is_empty() || self.has_loop(head);
                if !component.is_empty() {
                    component.sort_unstable();
                    work.push(Work::Split(component));
                }
                work.push(Work::Emit(head, is_head));
            }
        }
        order
    }
    /// The place of a predicate of a component that is derived without the others, if there is one.
    fn entry(&self, component: &[PredId]) -> usize {
        let is_inside = |pred: PredId| component.binary_search(&pred).is_ok();
        let is_entered = |clause: &ClauseId| {
            !self.system.clause(*clause).body.iter().any(|atom| is_inside(atom.pred))
        };
        component.iter().position(|&p| self.incoming[p].iter().any(is_entered)).unwrap_or(0)
    }
    /// Whether `pred` is in the body of a clause that derives it.
    pub fn has_loop(&self, pred: PredId) -> bool {
        self.incoming[pred]
            .iter()
            .any(|&c| self.system.clause(c).body.iter().any(|a| a.pred == pred))
    }
    /// What the system looks like.
    pub fn shape(&self) -> Shape {
        let components = self.components();
        let simple = components.iter().all(|c| c.len() == 1);
        let loops: Vec<PredId> =
            components.iter().flatten().copied().filter(|&p| self.has_loop(p)).collect();
        if simple && loops.is_empty() {
            Shape::Acyclic
        } else if !self.system.is_linear() {
            Shape::Nonlinear
        } else if !simple {
            Shape::Linear
        } else if self.system.pred_count() == 1 {
            Shape::TransitionSystem
        } else if self.is_chain() {
            Shape::ChainOfLoops
        } else {
            Shape::DagOfLoops
        }
    }
    /// Whether every predicate is entered from at most one other and left to at most one other.
    fn is_chain(&self) -> bool {
        self.system.preds().all(|p| {
            let entered = self.incoming[p]
                .iter()
                .filter(|&&c| !self.system.clause(c).body.iter().any(|a| a.pred == p));
            let left = self.outgoing[p]
                .iter()
                .filter(|&&c| self.system.clause(c).head.as_ref().is_none_or(|h| h.pred != p));
            entered.count() <= 1 && left.count() <= 1
        })
    }
}

/// Tarjan's algorithm with an explicit stack, on a part of the graph at a time.
struct Components<'g, 's> {
    graph: &'g ChcGraph<'s>,
    /// The part that a predicate belongs to at present.
    part: IndexVec<PredId, usize>,
    number: IndexVec<PredId, Option<usize>>,
    low: IndexVec<PredId, usize>,
    on_stack: IndexVec<PredId, bool>,
    stack: Vec<PredId>,
    next: usize,
    found: Vec<Vec<PredId>>,
}

impl<'g, 's> Components<'g, 's> {
    fn new(graph: &'g ChcGraph<'s>) -> Self {
        let count = graph.system.pred_count();
        Self {
            graph,
            part: (0..count).map(|_| 0).collect(),
            number: (0..count).map(|_| None).collect(),
            low: (0..count).map(|_| 0).collect(),
            on_stack: (0..count).map(|_| false).collect(),
            stack: Vec::new(),
            next: 0,
            found: Vec::new(),
        }
    }
    /// The components of the graph restricted to `preds`, those that derive others first; `part` is
    /// a number not used before.
    fn within(&mut self, preds: &[PredId], part: usize) -> Vec<Vec<PredId>> {
        for &pred in preds {
            self.part[pred] = part;
            self.number[pred] = None;
        }
        for &root in preds {
            if self.number[root].is_none() {
                self.visit(root);
            }
        }
        std::mem::take(&mut self.found)
    }
    /// The predicates of the same part that `pred` is derived from.
    fn sources(&self, pred: PredId) -> Vec<PredId> {
        let bodies = self.graph.incoming[pred].iter();
        let atoms = bodies.flat_map(|&c| &self.graph.system.clause(c).body);
        atoms.map(|a| a.pred).filter(|&other| self.part[other] == self.part[pred]).collect()
    }
    fn visit(&mut self, root: PredId) {
        let mut path = vec![(root, self.sources(root), 0)];
        self.enter(root);
        while let Some((node, sources, at)) = path.last_mut() {
            let node = *node;
            if let Some(&source) = sources.get(*at) {
                *at += 1;
                match self.number[source] {
                    None => {
                        self.enter(source);
                        path.push((source, self.sources(source), 0));
                    }
                    Some(number) if self.on_stack[source] => {
                        self.low[node] = self.low[node].min(number);
                    }
                    Some(_) => (),
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _, _)) = path.last() {
                self.low[parent] = self.low[parent].min(self.low[node]);
            }
            if Some(self.low[node]) == self.number[node] {
                self.close(node);
            }
        }
    }
    fn enter(&mut self, node: PredId) {
        self.number[node] = Some(self.next);
        self.low[node] = self.next;
        self.next += 1;
        self.stack.push(node);
        self.on_stack[node] = true;
    }
    fn close(&mut self, root: PredId) {
        let mut component = Vec::new();
        while let Some(node) = self.stack.pop() {
            self.on_stack[node] = false;
            component.push(node);
            if node == root {
                break;
            }
        }
        component.sort_unstable();
        self.found.push(component);
    }
}

#[cfg(test)]
mod tests {
    use shofar_term::{Sort, TermStore};

    use super::*;
    use crate::{Clause, PredAtom};

    /// The system with these edges, from body to head, between predicates without arguments; a fact
    /// derives the first one.
    fn system(count: usize, edges: &[(usize, usize)]) -> ChcSystem {
        let (mut store, mut system) = (TermStore::new(), ChcSystem::new());
        let preds: Vec<PredId> = (0..count)
            .map(|i| system.add_pred(store.declare(&format!("p{i}"), &[], Sort::BOOL)))
            .collect();
        let atom = |i: usize| PredAtom { pred: preds[i], args: Vec::new() };
        let mut add = |body: Vec<PredAtom>, head| {
            let (constraint, span) = (store.top(), None);
            system.add_clause(Clause { head: Some(head), body, constraint, span });
        };
        add(Vec::new(), atom(0));
        for &(from, to) in edges {
            add(vec![atom(from)], atom(to));
        }
        system
    }

    fn check(count: usize, edges: &[(usize, usize)], expected: &[(usize, bool)]) {
        let system = system(count, edges);
        let order = ChcGraph::new(&system).weak_topological_order();
        let found: Vec<(usize, bool)> = order.iter().map(|(p, head)| (p.index(), *head)).collect();
        assert_eq!(found, expected, "{edges:?}");
        let place =
            |node| found.iter().position(|&(other, _)| other == node).expect("all are there");
        for &(from, to) in edges {
            assert!(place(from) < place(to) || found[place(to)].1, "{from} to {to} in {found:?}");
        }
    }

    #[test]
    fn loops_are_contiguous() {
        // The example of the source: 1 2 (3 4 (5 6) 7) 8, counted from 0.
        let edges = [
            (0, 1),
            (1, 2),
            (1, 7),
            (2, 3),
            (3, 4),
            (4, 5),
            (5, 4),
            (3, 6),
            (5, 6),
            (6, 2),
            (6, 7),
        ];
        let heads =
            [(0, false), (1, false), (2, true), (3, false), (4, true), (5, false), (6, false)];
        check(8, &edges, &[&heads[..], &[(7, false)]].concat());
    }

    #[test]
    fn a_loop_of_one_is_its_own_head() {
        check(2, &[(0, 1), (1, 1)], &[(0, false), (1, true)]);
    }
}
