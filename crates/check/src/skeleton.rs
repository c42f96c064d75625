//! Whether an assertion allows a step, by three-valued evaluation.
//!
//! A step from premises `P` to a conclusion `c` follows from an assertion `F` if the instance of
//! `F` under the step's values cannot hold together with `P` and `¬c`. So the applications in `F`
//! that are instances of `P` count as true, those that are instances of `c` as false, all others as
//! unknown, and the value of `F` must be false. The rest of the formula is evaluated as usual.
//!
//! Source: the strong three-valued logic of [Kle52], §64.

use shofar_base::{Map, Set};
use shofar_chc::{ChcSystem, PredId};
use shofar_term::eval::{Evaluator, Value};
use shofar_term::visit::postorder;
use shofar_term::{Term, TermStore, View};

use crate::instance::application;
use crate::refutation::{Quantity, Reading};

/// A ground application.
type Ground = (PredId, Vec<Value>);

/// The part of an assertion above its predicates; places refer to earlier nodes.
#[derive(Clone, Debug)]
pub(crate) struct Skeleton {
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
enum Node {
    Application(PredId, Vec<Term>),
    /// A formula without predicates.
    Plain(Term),
    Not(usize),
    And(Vec<usize>),
    Or(Vec<usize>),
    Iff(usize, usize),
    Ite(usize, usize, usize),
    /// Something whose value is not looked for.
    Opaque,
}

/// What the evaluation of a skeleton asks for.
enum Question<'a> {
    /// The values of an application's arguments.
    Arguments(&'a [Term]),
    /// Whether a formula without predicates is true.
    Truth(Term),
}

enum Reply<V> {
    Arguments(Vec<V>),
    Truth(bool),
    Unknown,
}

impl Skeleton {
    /// The skeleton of an assertion about the predicates of `system`.
    pub(crate) fn new(store: &TermStore, system: &ChcSystem, formula: Term) -> Self {
        let mut builder =
            Builder { store, nodes: Vec::new(), places: Map::default(), speaking: Set::default() };
        for term in postorder(store, &[formula]) {
            if let Some((pred, args)) = application(store, system, term) {
                builder.speaking.insert(term);
                builder.push(term, Node::Application(pred, args.to_vec()));
            } else if store.children(term).iter().any(|t| builder.speaking.contains(t)) {
                builder.speaking.insert(term);
                let node = builder.connective(term);
                builder.push(term, node);
            }
        }
        builder.place(formula);
        Self { nodes: builder.nodes }
    }
    /// Whether the formula is false under the values, if the premises are true and the conclusion
    /// is false.
    pub(crate) fn is_false(
        &self,
        store: &TermStore,
        evaluator: &mut Evaluator<'_>,
        premises: &[Ground],
        conclusion: Option<&Ground>,
    ) -> bool {
        self.is_false_by(premises, conclusion, |question| match question {
            Question::Arguments(args) => {
                let values = args.iter().map(|&t| evaluator.evaluate(store, t));
                values.collect::<Result<_, _>>().map_or(Reply::Unknown, Reply::Arguments)
            }
            Question::Truth(formula) => {
                evaluator.holds(store, formula).map_or(Reply::Unknown, Reply::Truth)
            }
        })
    }
    /// The same for all iterations of repeats.
    pub(crate) fn is_false_along(
        &self,
        reading: &mut Reading<'_>,
        premises: &[(PredId, Vec<Quantity>)],
        conclusion: Option<&(PredId, Vec<Quantity>)>,
    ) -> bool {
        self.is_false_by(premises, conclusion, |question| match question {
            Question::Arguments(args) => {
                let values = args.iter().map(|&t| reading.evaluate(t));
                values.collect::<Option<_>>().map_or(Reply::Unknown, Reply::Arguments)
            }
            Question::Truth(formula) => reading.truth(formula).map_or(Reply::Unknown, Reply::Truth),
        })
    }
    /// Whether the formula is false by the replies to questions about terms without predicates.
    fn is_false_by<V: PartialEq>(
        &self,
        premises: &[(PredId, Vec<V>)],
        conclusion: Option<&(PredId, Vec<V>)>,
        mut ask: impl FnMut(Question<'_>) -> Reply<V>,
    ) -> bool {
        let mut values: Vec<Option<bool>> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let value = match node {
                Node::Application(pred, args) => match ask(Question::Arguments(args)) {
                    Reply::Arguments(args) => {
                        let ground = (*pred, args);
                        if premises.contains(&ground) {
                            Some(true)
                        } else {
                            (conclusion == Some(&ground)).then_some(false)
                        }
                    }
                    Reply::Truth(_) | Reply::Unknown => None,
                },
                Node::Plain(term) => match ask(Question::Truth(*term)) {
                    Reply::Truth(value) => Some(value),
                    Reply::Arguments(_) | Reply::Unknown => None,
                },
                Node::Not(at) => values[*at].map(|value| !value),
                Node::And(parts) => junction(&values, parts, false),
                Node::Or(parts) => junction(&values, parts, true),
                Node::Iff(a, b) => values[*a].zip(values[*b]).map(|(a, b)| a == b),
                Node::Ite(condition, yes, no) => match values[*condition] {
                    Some(true) => values[*yes],
                    Some(false) => values[*no],
                    None if values[*yes] == values[*no] => values[*yes],
                    None => None,
                },
                Node::Opaque => None,
            };
            values.push(value);
        }
        values.last() == Some(&Some(false))
    }
}

/// The value of a conjunction (`zero` is false) or a disjunction (`zero` is true).
fn junction(values: &[Option<bool>], parts: &[usize], zero: bool) -> Option<bool> {
    if parts.iter().any(|&at| values[at] == Some(zero)) {
        return Some(zero);
    }
    parts.iter().all(|&at| values[at].is_some()).then_some(!zero)
}

struct Builder<'a> {
    store: &'a TermStore,
    nodes: Vec<Node>,
    places: Map<Term, usize>,
    /// The terms that contain a predicate.
    speaking: Set<Term>,
}

impl Builder<'_> {
    fn push(&mut self, term: Term, node: Node) -> usize {
        let place = self.nodes.len();
        self.nodes.push(node);
        self.places.insert(term, place);
        place
    }
    /// The place of a formula; one without predicates gets it now.
    fn place(&mut self, term: Term) -> usize {
        match self.places.get(&term) {
            Some(&place) => place,
            None => self.push(term, Node::Plain(term)),
        }
    }
    /// The node for a term that has predicates below it.
    fn connective(&mut self, term: Term) -> Node {
        let store = self.store;
        match store.view(term) {
            View::Not(p) => Node::Not(self.place(p)),
            View::And(parts) => Node::And(parts.iter().map(|&p| self.place(p)).collect()),
            View::Or(parts) => Node::Or(parts.iter().map(|&p| self.place(p)).collect()),
            View::Iff(p, q) => Node::Iff(self.place(p), self.place(q)),
            View::Ite(condition, yes, no) => {
                Node::Ite(self.place(condition), self.place(yes), self.place(no))
            }
            View::Constant(_)
            | View::Quantified(..)
            | View::Predicate(..)
            | View::Atom
            | View::Term => Node::Opaque,
        }
    }
}
