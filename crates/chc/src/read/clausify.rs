//! From a quantifier-free assertion to Horn clauses.
//!
//! The formula is brought into conjunctive form by distribution, but subformulas without predicates
//! are left whole: a disjunct without predicates goes, negated, into the constraint. The
//! distribution is lazy. A [`Draft`] is a clause some of whose disjuncts are still conjunctions; it
//! is split at one of them into several drafts, until none is left. Splitting copies, so the sizes
//! of all drafts together are bounded.

use shofar_base::Span;
use shofar_term::{Term, TermStore, View, visit};

use super::Trouble;
use super::contents::Contents;
use crate::{ChcSystem, Clause, PredAtom};

/// So many literals may be copied for the clauses of one assertion.
const MOST_COPIES: usize = 4_000_000;

/// A disjunct and whether it stands there as it is or negated.
type Signed = (Term, bool);

/// A clause under construction, as a disjunction.
#[derive(Clone, Debug, Default)]
struct Draft {
    /// Disjuncts that have not been looked at.
    todo: Vec<Signed>,
    /// Disjuncts that are conjunctions and contain predicates.
    splits: Vec<Signed>,
    /// Predicates as they are.
    heads: Vec<Term>,
    /// Negated predicates.
    body: Vec<Term>,
    /// Negations of the other disjuncts.
    constraint: Vec<Term>,
}

impl Draft {
    fn size(&self) -> usize {
        self.todo.len()
            + self.splits.len()
            + self.heads.len()
            + self.body.len()
            + self.constraint.len()
    }
}

/// Turns assertions into clauses.
pub(super) struct Clausifier<'r> {
    pub(super) store: &'r mut TermStore,
    pub(super) contents: &'r mut Contents,
    pub(super) system: &'r ChcSystem,
}

impl Clausifier<'_> {
    /// The clauses of a formula without quantifiers.
    pub(super) fn clauses(&mut self, formula: Term, span: Span) -> Result<Vec<Clause>, Trouble> {
        self.contents.update(self.store, self.system);
        let mut clauses = Vec::new();
        let mut copies = 0;
        let mut drafts = vec![Draft { todo: vec![(formula, true)], ..Draft::default() }];
        while let Some(mut draft) = drafts.pop() {
            self.sort_out(&mut draft)?;
            let Some(split) = draft.splits.pop() else {
                clauses.extend(self.finish(draft, span)?);
                continue;
            };
            let branches = self.branches(split);
            copies += branches.len().saturating_sub(1) * draft.size();
            if copies > MOST_COPIES {
                return Err(Trouble {
                    message: "this assertion stands for too many clauses".to_owned(),
                    at: None,
                    note: Some(
                        "disjunctions in bodies and conjunctions in heads are distributed".into(),
                    ),
                });
            }
            for branch in branches.into_iter().rev() {
                let mut next = draft.clone();
                next.todo.extend(branch);
                drafts.push(next);
            }
        }
        Ok(clauses)
    }
    /// Puts the disjuncts of a draft where they belong.
    fn sort_out(&mut self, draft: &mut Draft) -> Result<(), Trouble> {
        while let Some((term, positive)) = draft.todo.pop() {
            if !self.contents.has_predicate(term) {
                draft.constraint.push(if positive { self.store.not(term) } else { term });
                continue;
            }
            match self.store.view(term) {
                View::Not(inner) => draft.todo.push((inner, !positive)),
                View::Or(parts) if positive => push_all(&mut draft.todo, parts, positive),
                View::And(parts) if !positive => push_all(&mut draft.todo, parts, positive),
                View::And(_) | View::Or(_) | View::Iff(..) | View::Ite(..) => {
                    draft.splits.push((term, positive));
                }
                View::Predicate(_, arguments) => {
                    if let Some(&nested) =
                        arguments.iter().find(|&&argument| self.contents.has_predicate(argument))
                    {
                        return Err(self.misplaced(nested));
                    }
                    if positive { draft.heads.push(term) } else { draft.body.push(term) }
                }
                View::Constant(_) | View::Quantified(..) | View::Atom | View::Term => {
                    return Err(self.misplaced(term));
                }
            }
        }
        Ok(())
    }
    /// The conjuncts of a disjunct, each a list of disjuncts; those without predicates stay
    /// together.
    fn branches(&mut self, (term, positive): Signed) -> Vec<Vec<Signed>> {
        let store = &mut *self.store;
        match store.view(term) {
            View::And(parts) | View::Or(parts) => {
                let is_and = store.conjunction(term).is_some();
                let (split, whole): (Vec<Term>, Vec<Term>) =
                    parts.iter().partition(|&&part| self.contents.has_predicate(part));
                let mut branches: Vec<Vec<Signed>> =
                    split.into_iter().map(|part| vec![(part, positive)]).collect();
                if !whole.is_empty() {
                    let whole = if is_and { store.and(&whole) } else { store.or(&whole) };
                    self.contents.update(store, self.system);
                    branches.push(vec![(whole, positive)]);
                }
                branches
            }
            View::Iff(a, b) => {
                vec![vec![(a, false), (b, positive)], vec![(a, true), (b, !positive)]]
            }
            View::Ite(condition, a, b) => {
                vec![
                    vec![(condition, false), (a, positive)],
                    vec![(condition, true), (b, positive)],
                ]
            }
            View::Not(_)
            | View::Constant(_)
            | View::Quantified(..)
            | View::Predicate(..)
            | View::Atom
            | View::Term => unreachable!("only conjunctions are split"),
        }
    }
    /// The finished clause, if it is not trivially true.
    fn finish(&mut self, draft: Draft, span: Span) -> Result<Option<Clause>, Trouble> {
        let Draft { mut heads, mut body, constraint, .. } = draft;
        for atoms in [&mut heads, &mut body] {
            atoms.sort_unstable();
            atoms.dedup();
        }
        let constraint = self.store.and(&constraint);
        let circular = heads.iter().any(|head| body.binary_search(head).is_ok());
        if circular || constraint == self.store.bottom() {
            return Ok(None);
        }
        if heads.len() > 1 {
            return Err(self.not_horn(&heads));
        }
        let head = heads.first().map(|&head| self.atom(head));
        let body = body.into_iter().map(|atom| self.atom(atom)).collect();
        Ok(Some(Clause { head, body, constraint, span: Some(span) }))
    }
    fn atom(&self, term: Term) -> PredAtom {
        let (symbol, args) =
            self.store.application(term).expect("only predicates are kept as atoms");
        let pred = self.system.pred(symbol).expect("predicates are entered when declared");
        PredAtom { pred, args: args.to_vec() }
    }
    fn not_horn(&self, heads: &[Term]) -> Trouble {
        let mut names: Vec<&str> = heads.iter().map(|&head| self.pred_name(head)).collect();
        names.dedup();
        let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
        let count = heads.len();
        Trouble {
            message: format!(
                "this is not Horn: it derives a disjunction of {count} atoms, of {}",
                names.join(", ")
            ),
            at: None,
            note: Some("a Horn clause derives at most one predicate".into()),
        }
    }
    fn pred_name(&self, term: Term) -> &str {
        self.store.application(term).map_or("a predicate", |(symbol, _)| self.store.name(symbol))
    }
    /// The complaint about a predicate inside an argument or an arithmetic term.
    fn misplaced(&self, term: Term) -> Trouble {
        let mut inner = visit::postorder(self.store, &[term]).into_iter();
        let is_atom =
            |t: &Term| self.contents.has_predicate(*t) && self.store.application(*t).is_some();
        let at = inner.find(is_atom).unwrap_or(term);
        Trouble {
            message: format!("the predicate `{}` occurs inside a term", self.pred_name(at)),
            at: Some(at),
            note: Some("predicates are supported where formulas are: in heads and bodies".into()),
        }
    }
}

/// Pushes all parts so that the first is looked at first.
fn push_all(todo: &mut Vec<Signed>, parts: &[Term], positive: bool) {
    todo.extend(parts.iter().rev().map(|&part| (part, positive)));
}
