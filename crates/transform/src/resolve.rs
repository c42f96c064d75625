//! Clauses that know how they were made, and the resolvent of two of them.

use shofar_base::{Map, Outcome};
use shofar_chc::{Clause, ClauseId, NormalAtom, NormalSystem, PredId};
use shofar_term::size::dag_size;
use shofar_term::substitute::Substitution;
use shofar_term::{Cx, Symbol, Term, TermStore};

use crate::simplify::Draft;
use crate::template::{Template, renaming};

/// A normal clause that knows how it was made.
#[derive(Clone)]
pub(crate) struct Work {
    pub(crate) head: Option<NormalAtom>,
    pub(crate) body: Vec<NormalAtom>,
    /// The conjuncts of the constraint.
    parts: Vec<Term>,
    pub(crate) template: Template,
    /// The subterms of the constraint.
    pub(crate) size: usize,
    /// The source clause that it still is.
    pub(crate) untouched: Option<ClauseId>,
}

impl Work {
    /// A clause with another constraint, or its own.
    pub(crate) fn new(
        store: &TermStore,
        source: &NormalSystem,
        id: ClauseId,
        constraint: Term,
    ) -> Self {
        Self {
            head: source.head(id).cloned(),
            body: source.body(id).to_vec(),
            parts: store.conjuncts(&[constraint]),
            template: Template::of(store, source, id),
            size: dag_size(store, &[constraint]),
            untouched: Some(id),
        }
    }
    pub(crate) fn to_clause(&self, store: &mut TermStore) -> Clause {
        let constraint = store.and(&self.parts);
        let head = self.head.as_ref().map(|head| head.to_atom(store));
        let body = self.body.iter().map(|atom| atom.to_atom(store)).collect();
        Clause { head, body, constraint, span: None }
    }
    /// The clause with variables of its own. Clauses that resolution made have such variables
    /// already.
    pub(crate) fn apart(self, store: &mut TermStore) -> Self {
        if self.untouched.is_some() { self.copy(store) } else { self }
    }
    /// The clause itself if it is used for the last time, otherwise a copy with new variables.
    pub(crate) fn copy_unless(&self, store: &mut TermStore, last: bool) -> Self {
        if last { self.clone() } else { self.copy(store) }
    }
    /// A copy with variables of its own.
    pub(crate) fn copy(&self, store: &mut TermStore) -> Self {
        let mut names: Map<Symbol, Symbol> = Map::default();
        for symbol in self.template.symbols() {
            let (name, sort) = (store.name(symbol), store.result(symbol));
            // A copy of a copy takes the name of the original.
            let name = name.split('!').next().unwrap_or_default().to_owned();
            names.insert(symbol, store.fresh(&name, sort));
        }
        let mut by = renaming(store, &names);
        let mut result = self.clone();
        let args = result.body.iter_mut().chain(&mut result.head).flat_map(|atom| &mut atom.args);
        for arg in args {
            *arg = names.get(arg).copied().unwrap_or(*arg);
        }
        for part in &mut result.parts {
            *part = by.apply(store, *part);
        }
        result.template = self.template.renamed(store, &names);
        result.untouched = None;
        result
    }
    /// The clause without variables that are no arguments, as far as they can be eliminated;
    /// nothing if it never applies.
    pub(crate) fn simplified(mut self, cx: &mut Cx<'_>) -> Outcome<Option<Self>> {
        let atoms = self.body.iter().chain(&self.head);
        let arguments = atoms.flat_map(|atom| &atom.args);
        let arguments: Vec<Term> = arguments.map(|&symbol| cx.store.constant(symbol)).collect();
        let mut draft = Draft::new(cx.store, self.parts, &arguments);
        if !draft.simplify(cx)? {
            return Ok(None);
        }
        self.parts = std::mem::take(&mut draft.parts);
        let older = std::mem::take(&mut self.template.completion);
        self.template.completion = draft.completion();
        self.template.completion.extend(older);
        self.size = dag_size(cx.store, &self.parts);
        self.untouched = None;
        Ok(Some(self))
    }
}

/// The clause that derives what `outer` derives, with `pred` in its body derived by `inner`;
/// nothing if that is never possible. The variables of both are apart.
pub(crate) fn resolve(
    cx: &mut Cx<'_>,
    pred: PredId,
    inner: Work,
    outer: Work,
) -> Outcome<Option<Work>> {
    let at = outer.body.iter().position(|atom| atom.pred == pred).expect("the clause uses it");
    let derived = inner.head.expect("the clause derives it");
    let used = &outer.body[at];
    // Either side's arguments may stand for both; the smaller constraint is rewritten.
    let (gone, stay) = if inner.size <= outer.size { (&derived, used) } else { (used, &derived) };
    let mut completion: Vec<(Symbol, Term)> = Vec::new();
    let mut map: Map<Term, Term> = Map::default();
    for (&from, &to) in gone.args.iter().zip(&stay.args) {
        let to = cx.store.constant(to);
        completion.push((from, to));
        map.insert(cx.store.constant(from), to);
    }
    let mut by = Substitution::new(map);
    let (mut parts, rewritten) = if inner.size <= outer.size {
        (outer.parts, inner.parts)
    } else {
        (inner.parts, outer.parts)
    };
    parts.extend(rewritten.iter().map(|&part| by.apply(cx.store, part)));
    let mut body = outer.body.clone();
    body.splice(at..=at, inner.body);
    let mut template = outer.template.resolved(at, inner.template);
    completion.append(&mut template.completion);
    template.completion = completion;
    Work { head: outer.head, body, parts, template, size: 0, untouched: None }.simplified(cx)
}
