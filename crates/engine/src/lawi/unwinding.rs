//! The tree of unwound clauses, and which of its vertices cover others.
//!
//! Invariants: a vertex comes after its parent; `covered_by` is an earlier vertex of the same
//! place.

use shofar_base::{Idx, IndexVec, Map, index_type};
use shofar_chc::{ChcSystem, Definition, Interpretation, PredId, formal_params};
use shofar_term::{Term, TermStore};

use super::Search;
use super::paths::Paths;
use crate::layers::Place;

index_type!(
    /// A vertex of the tree.
    pub(super) struct VertexId
);

struct Vertex {
    place: Place,
    /// The vertex above, and the rule of the edge from it.
    parent: Option<(VertexId, usize)>,
    depth: usize,
    /// Over the parameters of the predicate.
    label: Term,
    covered_by: Option<VertexId>,
    is_expanded: bool,
}

/// The tree; see the module documentation.
pub(super) struct Unwinding {
    vertices: IndexVec<VertexId, Vertex>,
}

impl Unwinding {
    pub(super) fn new(store: &TermStore) -> Self {
        let mut vertices = IndexVec::new();
        vertices.push(Vertex {
            place: Place::Start,
            parent: None,
            depth: 0,
            label: store.top(),
            covered_by: None,
            is_expanded: false,
        });
        Self { vertices }
    }
    /// How many vertices there are.
    pub(super) fn size(&self) -> usize {
        self.vertices.len()
    }
    pub(super) fn place(&self, vertex: VertexId) -> Place {
        self.vertices[vertex].place
    }
    pub(super) fn label(&self, vertex: VertexId) -> Term {
        self.vertices[vertex].label
    }
    pub(super) fn set_label(&mut self, vertex: VertexId, label: Term) {
        self.vertices[vertex].label = label;
    }
    /// Adds to the labels of all vertices of a predicate what holds always; covers stay as they
    /// are, since both of their ends are vertices of one predicate.
    pub(super) fn assume(&mut self, store: &mut TermStore, pred: PredId, formula: Term) {
        for vertex in &mut self.vertices {
            if vertex.place == Place::Pred(pred) {
                vertex.label = store.and(&[vertex.label, formula]);
            }
        }
    }
    /// The vertices from the root to `vertex`.
    pub(super) fn path(&self, vertex: VertexId) -> Vec<VertexId> {
        let above = |&v: &VertexId| self.vertices[v].parent.map(|(parent, _)| parent);
        let mut path: Vec<VertexId> = std::iter::successors(Some(vertex), above).collect();
        path.reverse();
        path
    }
    /// The rules on a path, from its first to its last vertex.
    pub(super) fn edges(&self, path: &[VertexId]) -> Vec<usize> {
        let below = path.get(1..).unwrap_or_default();
        below.iter().map(|&v| self.vertices[v].parent.expect("it has a vertex above").1).collect()
    }
    /// The position on `path` of the last vertex that is also above `other`, or `other` itself.
    pub(super) fn common_ancestor(&self, path: &[VertexId], other: VertexId) -> usize {
        let others = self.path(other);
        path.iter().zip(&others).take_while(|(a, b)| a == b).count() - 1
    }
    /// Whether the vertex, or one above it, is covered.
    pub(super) fn is_covered(&self, vertex: VertexId) -> bool {
        self.path(vertex).iter().any(|&v| self.vertices[v].covered_by.is_some())
    }
    /// A leaf that has to be unwound.
    pub(super) fn uncovered_leaf(&self, search: Search) -> Option<VertexId> {
        let is_open = |&v: &VertexId| !self.vertices[v].is_expanded && !self.is_covered(v);
        match search {
            Search::Deep => self.vertices.handles().rev().find(is_open),
            Search::Wide => self.vertices.handles().find(is_open),
        }
    }
    /// *expand*: unwinds a leaf; returns the goals among the new vertices. Their labels begin with
    /// what is known to hold always.
    pub(super) fn expand(
        &mut self,
        store: &mut TermStore,
        paths: &mut Paths,
        vertex: VertexId,
        known: &Map<PredId, Term>,
    ) -> Vec<VertexId> {
        self.vertices[vertex].is_expanded = true;
        let (place, depth) = (self.vertices[vertex].place, self.vertices[vertex].depth);
        let mut goals = Vec::new();
        for (rule, place) in paths.leaving(store, place, depth) {
            let is_goal = place == Place::Goal;
            let label = match place {
                Place::Pred(pred) => known.get(&pred).copied(),
                Place::Start | Place::Goal => None,
            };
            let child = self.vertices.push(Vertex {
                place,
                parent: Some((vertex, rule)),
                depth: depth + 1,
                label: label.unwrap_or(store.top()),
                covered_by: None,
                is_expanded: is_goal,
            });
            if is_goal {
                goals.push(child);
            }
        }
        goals
    }
    /// Earlier vertices that might cover `vertex`.
    pub(super) fn candidates(&self, vertex: VertexId) -> Vec<VertexId> {
        let place = self.vertices[vertex].place;
        if !matches!(place, Place::Pred(_)) {
            return Vec::new();
        }
        let earlier = self.vertices.handles().take(vertex.index());
        earlier.filter(|&v| self.vertices[v].place == place && !self.is_covered(v)).collect()
    }
    /// *cover*: what is below `vertex` covers nothing any more.
    pub(super) fn cover(&mut self, vertex: VertexId, by: VertexId) {
        let lost: Vec<VertexId> = self
            .vertices
            .handles()
            .filter(|&v| {
                let by = self.vertices[v].covered_by;
                by.is_some_and(|by| self.path(by).contains(&vertex))
            })
            .collect();
        for covered in lost {
            self.uncover(covered);
        }
        self.vertices[vertex].covered_by = Some(by);
    }
    pub(super) fn uncover(&mut self, vertex: VertexId) {
        self.vertices[vertex].covered_by = None;
    }
    /// The vertices that `vertex` covers.
    pub(super) fn covered_by(&self, vertex: VertexId) -> Vec<VertexId> {
        let is_covered = |&v: &VertexId| self.vertices[v].covered_by == Some(vertex);
        self.vertices.handles().filter(is_covered).collect()
    }
    /// The labels of the vertices that are not covered, as a model.
    pub(super) fn model(&self, store: &mut TermStore, system: &ChcSystem) -> Interpretation {
        let mut model = Interpretation::new();
        for pred in system.preds() {
            let here = self
                .vertices
                .handles()
                .filter(|&v| self.vertices[v].place == Place::Pred(pred) && !self.is_covered(v));
            let labels: Vec<Term> = here.map(|v| self.vertices[v].label).collect();
            let params = formal_params(store, system, pred);
            let body = store.or(&labels);
            model.define(pred, Definition { params, body });
        }
        model
    }
}
