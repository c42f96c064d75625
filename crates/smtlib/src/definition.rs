//! Functions that the script defines.
//!
//! A call is replaced by the body. The body is elaborated once, over fresh constants for the
//! parameters, and a call rebuilds those of its subterms that a parameter occurs in. Two kinds of
//! body do not allow this: a product of parameters is no linear term (but may become one when a
//! number is passed), and a division by zero means another unspecified value for every argument.
//! Such a body is kept as text and elaborated anew for each call.

use std::sync::Arc;

use shofar_base::{Map, Set, index_type};
use shofar_term::{Sort, Term, TermStore, visit};

use crate::names::Name;

index_type!(
    /// A function that the script defines.
    pub(crate) struct DefinitionId
);

/// A defined function with at least one parameter.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) name: Name,
    pub(crate) params: Vec<(Name, Sort)>,
    pub(crate) result: Sort,
    pub(crate) body: Body,
}

/// What a defined function stands for.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Template(Arc<Template>),
    Text(Arc<[u8]>),
}

/// An elaborated body.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    params: Vec<Term>,
    body: Term,
    /// The subterms of the body that a parameter occurs in, children first, without the parameters
    /// themselves.
    order: Vec<Term>,
}

impl Template {
    /// The template of a body over these parameters.
    pub(crate) fn new(store: &TermStore, params: Vec<Term>, body: Term) -> Self {
        let mut affected: Set<Term> = params.iter().copied().collect();
        let mut order = Vec::new();
        for term in visit::postorder(store, &[body]) {
            if store.children(term).iter().any(|child| affected.contains(child)) {
                affected.insert(term);
                order.push(term);
            }
        }
        Self { params, body, order }
    }
    /// The body with arguments in place of the parameters.
    pub(crate) fn instantiate(&self, store: &mut TermStore, arguments: &[Term]) -> Term {
        let mut image: Map<Term, Term> =
            self.params.iter().copied().zip(arguments.iter().copied()).collect();
        let mut children = Vec::new();
        for &term in &self.order {
            children.clear();
            children.extend(
                store
                    .children(term)
                    .iter()
                    .map(|child| image.get(child).copied().unwrap_or(*child)),
            );
            let rebuilt = store.rebuild(term, &children);
            image.insert(term, rebuilt);
        }
        image.get(&self.body).copied().unwrap_or(self.body)
    }
}
