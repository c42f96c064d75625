//! The constraint of a clause as a graph of linear constraints.
//!
//! Formulas become conjunctions and disjunctions of [`Constraint`]s over dimensions, one for each
//! variable. A number that is no variable (a choice, a quotient, a remainder) is a dimension of its
//! own, with what defines it as a further conjunct; what has no such definition is a dimension of
//! which nothing is known. Truth values are 0 and 1.
//!
//! Invariant: for every assignment of the variables that satisfies the constraint, some values of
//! the further dimensions satisfy all roots. What is left out for its size only makes them weaker.

use shofar_base::{Map, index_type};
use shofar_domain::{Constraint, Dim, Form, Numbers, Relation, Space};
use shofar_num::Rational;
use shofar_term::{ArithKind, Comparison, Linear, LinearLiteral, Sort, Term, TermStore, View};

/// What is beyond so many nodes is left out.
const MOST_NODES: usize = 20_000;

index_type!(
    /// A node of a formula.
    pub(super) struct NodeId
);

/// A formula in negation normal form.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Literal(Constraint),
    /// Without parts, it is true.
    And(Vec<NodeId>),
    /// Without parts, it is false.
    Or(Vec<NodeId>),
}

/// The graph of a clause; see the module documentation.
#[derive(Default)]
pub(super) struct Formula {
    pub(super) space: Space,
    pub(super) nodes: shofar_base::IndexVec<NodeId, Node>,
    /// What has to hold.
    pub(super) roots: Vec<NodeId>,
    dims: Map<Term, Dim>,
    known: Map<(Term, bool), NodeId>,
    /// Terms that are dimensions and have to be defined yet.
    undefined: Vec<Term>,
}

impl Formula {
    /// The graph of `constraint`.
    pub(super) fn new(store: &mut TermStore, constraint: Term) -> Self {
        let mut this = Self::default();
        let root = this.compile(store, constraint, true);
        this.roots.push(root);
        while let Some(term) = this.undefined.pop() {
            if this.nodes.len() > MOST_NODES {
                break;
            }
            this.define(store, term);
        }
        this
    }
    /// The dimension of a term.
    pub(super) fn dim(&mut self, store: &TermStore, term: Term) -> Dim {
        if let Some(&dim) = self.dims.get(&term) {
            return dim;
        }
        let sort = store.sort(term);
        let dim = self.space.push(match sort {
            Sort::BOOL => Numbers::Boolean,
            sort if sort.is_int() => Numbers::Integer,
            _ => Numbers::Real,
        });
        self.dims.insert(term, dim);
        if store.symbol(term).is_none() && !sort.is_bool() {
            self.undefined.push(term);
        }
        dim
    }
    fn literal(&mut self, constraint: Constraint) -> NodeId {
        self.nodes.push(Node::Literal(constraint))
    }
    /// The form of a sum, and its constant.
    fn form(&mut self, store: &TermStore, linear: &Linear) -> (Form, Rational) {
        let monomials = linear.monomials().iter();
        let form = Form::new(monomials.map(|(c, t)| (self.dim(store, *t), c.clone())).collect());
        (form, linear.constant.clone())
    }
    /// The node of a formula, or of its negation.
    fn compile(&mut self, store: &TermStore, formula: Term, positive: bool) -> NodeId {
        let mut work = vec![(formula, positive, false)];
        while let Some((term, positive, is_ready)) = work.pop() {
            if self.known.contains_key(&(term, positive)) {
                continue;
            }
            let parts = parts(store, term, positive);
            if is_ready || parts.is_empty() || self.nodes.len() > MOST_NODES {
                let node = if self.nodes.len() > MOST_NODES {
                    self.nodes.push(Node::And(Vec::new()))
                } else {
                    self.node(store, term, positive)
                };
                self.known.insert((term, positive), node);
            } else {
                work.push((term, positive, true));
                work.extend(parts.into_iter().map(|(part, positive)| (part, positive, false)));
            }
        }
        self.known[&(formula, positive)]
    }
    /// The node of a formula whose parts have theirs.
    fn node(&mut self, store: &TermStore, term: Term, positive: bool) -> NodeId {
        let known = |this: &Self, term: Term, positive: bool| this.known[&(term, positive)];
        match store.view(term) {
            View::Constant(value) => {
                let nothing = Vec::new();
                self.nodes.push(if value == positive {
                    Node::And(nothing)
                } else {
                    Node::Or(nothing)
                })
            }
            View::Not(inner) => known(self, inner, !positive),
            View::And(parts) | View::Or(parts) => {
                let is_and = matches!(store.view(term), View::And(_)) == positive;
                let parts = parts.iter().map(|&part| known(self, part, positive)).collect();
                self.nodes.push(if is_and { Node::And(parts) } else { Node::Or(parts) })
            }
            View::Iff(p, q) if is_variable(store, p) && is_variable(store, q) => {
                let (p, q) = (self.dim(store, p), self.dim(store, q));
                let sign = if positive { -Rational::ONE } else { Rational::ONE };
                let form = Form::new(vec![(p, Rational::ONE), (q, sign)]);
                let sum = if positive { Rational::ZERO } else { Rational::ONE };
                self.literal(Constraint::equal(form, sum))
            }
            View::Iff(p, q) => {
                let [yes, no] = [(true, positive), (false, !positive)]
                    .map(|(first, second)| vec![known(self, p, first), known(self, q, second)]);
                self.choice([yes, no])
            }
            View::Ite(condition, a, b) => {
                let [yes, no] = [(true, a), (false, b)].map(|(side, then)| {
                    vec![known(self, condition, side), known(self, then, positive)]
                });
                self.choice([yes, no])
            }
            View::Atom => self.atom(store, term, positive),
            View::Quantified(..) | View::Predicate(..) => self.truth(store, term, positive),
            View::Term => unreachable!("a constraint is a formula"),
        }
    }
    /// One of two conjunctions.
    fn choice(&mut self, sides: [Vec<NodeId>; 2]) -> NodeId {
        let sides = sides.map(|parts| self.nodes.push(Node::And(parts)));
        self.nodes.push(Node::Or(sides.to_vec()))
    }
    /// That a truth value is 1, or 0.
    fn truth(&mut self, store: &TermStore, term: Term, positive: bool) -> NodeId {
        let form = Form::of(self.dim(store, term));
        let value = if positive { Rational::ONE } else { Rational::ZERO };
        self.literal(Constraint::equal(form, value))
    }
    fn atom(&mut self, store: &TermStore, atom: Term, positive: bool) -> NodeId {
        let Some((_, form, bound)) = store.comparison(atom) else {
            return self.truth(store, atom, positive);
        };
        let (form, constant) = self.form(store, &store.linear(form));
        let Some(literal) = LinearLiteral::of_atom(store, atom, positive) else {
            let bound = bound - constant;
            return self.literal(Constraint { form, relation: Relation::Differs, bound });
        };
        let bound = literal.bound - constant;
        let (form, relation, bound) = match literal.relation {
            Comparison::AtMost => (form, Relation::AtMost, bound),
            Comparison::Below => (form, Relation::Below, bound),
            Comparison::AtLeast => (form.negated(), Relation::AtMost, -bound),
            Comparison::Above => (form.negated(), Relation::Below, -bound),
            Comparison::Equal => (form, Relation::Equal, bound),
        };
        self.literal(Constraint { form, relation, bound })
    }
    /// Says what a term is whose dimension has been used.
    fn define(&mut self, store: &mut TermStore, term: Term) {
        let value = Linear::from_monomials(vec![(Rational::ONE, term)], Rational::ZERO);
        if let Some([condition, a, b]) = store.choice(term) {
            let sides = [(true, a), (false, b)].map(|(side, then)| {
                let guard = self.compile(store, condition, side);
                let one = &Rational::ONE;
                let equal = self.compared(store, &value, then, one, Relation::Equal, 0.into());
                vec![guard, equal]
            });
            let root = self.choice(sides);
            self.roots.push(root);
            return;
        }
        match store.arith(term) {
            Some(ArithKind::Div(of, divisor)) => {
                // divisor·value ≤ of ≤ divisor·value + divisor − 1
                let divisor = divisor.clone();
                let mut scaled = value;
                scaled.scale(&divisor);
                let most = &divisor - &Rational::ONE;
                self.between(store, &scaled, of, &Relation::AtMost, &most);
            }
            Some(ArithKind::Mod(of, divisor)) => {
                let divisor = divisor.clone();
                let quotient = store.div(of, &divisor);
                let mut sum = store.linear(quotient);
                sum.scale(&divisor);
                sum.add_scaled(&Rational::ONE, &value);
                let equal =
                    self.compared(store, &sum, of, &Rational::ONE, Relation::Equal, 0.into());
                let form = Form::of(self.dim(store, term));
                let lower = self.literal(Constraint::at_least(&form, &Rational::ZERO));
                let upper = self.literal(Constraint::at_most(form, divisor - Rational::ONE));
                self.roots.extend([equal, lower, upper]);
            }
            Some(ArithKind::ToInt(of)) => {
                self.between(store, &value, of, &Relation::Below, &Rational::ONE);
            }
            Some(
                ArithKind::Number(_)
                | ArithKind::Sum(_)
                | ArithKind::Le(..)
                | ArithKind::Lt(..)
                | ArithKind::Eq(..),
            )
            | None => (),
        }
    }
    /// `low ≤ of`, and `of` is at most, or below, `low + width`.
    fn between(
        &mut self,
        store: &TermStore,
        low: &Linear,
        of: Term,
        upper: &Relation,
        width: &Rational,
    ) {
        let below = self.compared(store, low, of, &Rational::ONE, Relation::AtMost, 0.into());
        let above =
            self.compared(store, low, of, &Rational::MINUS_ONE, upper.clone(), width.clone());
        self.roots.extend([below, above]);
    }
    /// `sign·(left − right)` compared with `bound`.
    fn compared(
        &mut self,
        store: &TermStore,
        left: &Linear,
        right: Term,
        sign: &Rational,
        relation: Relation,
        bound: Rational,
    ) -> NodeId {
        let mut difference = left.clone();
        difference.add_scaled(&Rational::MINUS_ONE, &store.linear(right));
        difference.scale(sign);
        let (form, constant) = self.form(store, &difference);
        self.literal(Constraint { form, relation, bound: bound - constant })
    }
}

fn is_variable(store: &TermStore, formula: Term) -> bool {
    store.symbol(formula).is_some()
}

/// The parts of a formula that need nodes before it, each with its polarity.
fn parts(store: &TermStore, term: Term, positive: bool) -> Vec<(Term, bool)> {
    match store.view(term) {
        View::Not(inner) => vec![(inner, !positive)],
        View::And(parts) | View::Or(parts) => parts.iter().map(|&part| (part, positive)).collect(),
        View::Iff(p, q) if is_variable(store, p) && is_variable(store, q) => Vec::new(),
        View::Iff(p, q) => vec![(p, true), (p, false), (q, true), (q, false)],
        View::Ite(c, a, b) => vec![(c, true), (c, false), (a, positive), (b, positive)],
        View::Constant(_)
        | View::Quantified(..)
        | View::Predicate(..)
        | View::Atom
        | View::Term => Vec::new(),
    }
}
