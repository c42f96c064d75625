//! From an assertion without quantifiers to its clauses, in the order that `docs/formats.md` gives
//! them.
//!
//! The formula is distributed as it is written: nothing is simplified, nothing is left out, and a
//! predicate that occurs twice in a body is there twice. So clauses have numbers that can be told
//! from the text. What is trivially true is a clause like others, and a step may instantiate it if
//! it makes sense; [`super::clausify`] makes the clauses that solvers get.
//!
//! The store keeps connectives as they are ([`TermStore::keep_connectives`]).

use shofar_base::Span;
use shofar_term::{Term, TermStore, View};

use super::Trouble;
use super::contents::Contents;
use crate::{ChcSystem, Clause, PredAtom};

/// The most literals that may be copied for the clauses of one assertion.
const MOST_COPIES: usize = 4_000_000;

/// A disjunct and whether it stands there as it is or negated.
type Signed = (Term, bool);

/// A clause under construction, as a disjunction.
#[derive(Clone, Debug, Default)]
struct Draft {
    /// What has not been looked at; the first one comes last.
    todo: Vec<Signed>,
    heads: Vec<Term>,
    body: Vec<Term>,
    /// Negations of disjuncts without predicates.
    constraint: Vec<Term>,
}

/// Lists the clauses of assertions.
pub(super) struct Enumerator<'r> {
    pub(super) store: &'r mut TermStore,
    pub(super) contents: &'r mut Contents,
    pub(super) system: &'r ChcSystem,
}

impl Enumerator<'_> {
    /// The clauses of a formula without quantifiers.
    pub(super) fn clauses(&mut self, formula: Term, span: Span) -> Result<Vec<Clause>, Trouble> {
        self.contents.update(self.store, self.system);
        let (mut clauses, mut copies) = (Vec::new(), 0);
        let mut drafts = vec![Draft { todo: vec![(formula, true)], ..Draft::default() }];
        while let Some(mut draft) = drafts.pop() {
            let Some(cases) = self.sort_out(&mut draft)? else {
                clauses.push(self.finish(draft, span));
                continue;
            };
            let size = draft.todo.len() + draft.body.len() + draft.constraint.len() + 1;
            copies += cases.len() * size;
            if MOST_COPIES < copies {
                return Err(too_many());
            }
            for case in cases.into_iter().rev() {
                let mut next = draft.clone();
                next.todo.extend(case.into_iter().rev());
                drafts.push(next);
            }
        }
        Ok(clauses)
    }
    /// Puts the disjuncts of a draft where they belong, up to the first one that is a conjunction:
    /// its cases, each a list of disjuncts in its place.
    fn sort_out(&mut self, draft: &mut Draft) -> Result<Option<Vec<Vec<Signed>>>, Trouble> {
        while let Some((term, positive)) = draft.todo.pop() {
            if !self.contents.has_predicate(term) {
                let negated = if positive { self.store.not(term) } else { term };
                draft.constraint.push(negated);
                continue;
            }
            match self.store.view(term) {
                View::Not(inner) => draft.todo.push((inner, !positive)),
                View::Or(parts) if positive => push_all(&mut draft.todo, parts, positive),
                View::And(parts) if !positive => push_all(&mut draft.todo, parts, positive),
                View::And(_) | View::Or(_) => return Ok(Some(self.parts((term, positive)))),
                View::Iff(a, b) => {
                    let (first, second) =
                        ([(a, false), (b, positive)], [(b, false), (a, positive)]);
                    let denied = ([(a, true), (b, true)], [(a, false), (b, false)]);
                    let (first, second) = if positive { (first, second) } else { denied };
                    return Ok(Some(vec![first.to_vec(), second.to_vec()]));
                }
                View::Ite(condition, a, b) => {
                    let yes = vec![(condition, false), (a, positive)];
                    return Ok(Some(vec![yes, vec![(condition, true), (b, positive)]]));
                }
                View::Predicate(..) if positive => draft.heads.push(term),
                View::Predicate(..) => draft.body.push(term),
                View::Constant(_) | View::Quantified(..) | View::Atom | View::Term => {
                    return Err(Trouble {
                        message: "a predicate occurs inside a term".to_owned(),
                        at: Some(term),
                        note: None,
                    });
                }
            }
        }
        Ok(None)
    }
    /// The conjuncts, first those with predicates and then the others together.
    fn parts(&mut self, (term, positive): Signed) -> Vec<Vec<Signed>> {
        let store = &mut *self.store;
        let is_and = store.conjunction(term).is_some();
        let (mut cases, mut others) = (Vec::new(), Vec::new());
        for &part in store.children(term) {
            if self.contents.has_predicate(part) {
                cases.push(vec![(part, positive)]);
            } else {
                others.push(part);
            }
        }
        if !others.is_empty() {
            let whole = if is_and { store.and(&others) } else { store.or(&others) };
            self.contents.update(store, self.system);
            cases.push(vec![(whole, positive)]);
        }
        cases
    }
    fn finish(&mut self, draft: Draft, span: Span) -> Clause {
        let Draft { mut heads, body, mut constraint, .. } = draft;
        heads.dedup();
        if heads.iter().skip(1).any(|head| *head != heads[0]) {
            // Such a clause is accepted only where it is trivially true, and no step can use it.
            constraint.push(self.store.bottom());
        }
        let head = heads.first().map(|&head| self.atom(head));
        let body = body.into_iter().map(|atom| self.atom(atom)).collect();
        Clause { head, body, constraint: self.store.and(&constraint), span: Some(span) }
    }
    fn atom(&self, term: Term) -> PredAtom {
        let (symbol, args) =
            self.store.application(term).expect("only predicates are kept as atoms");
        let pred = self.system.pred(symbol).expect("predicates are entered when declared");
        PredAtom { pred, args: args.to_vec() }
    }
}

/// Pushes all parts so that the first is looked at first.
fn push_all(todo: &mut Vec<Signed>, parts: &[Term], positive: bool) {
    todo.extend(parts.iter().rev().map(|&part| (part, positive)));
}

fn too_many() -> Trouble {
    Trouble {
        message: "this assertion stands for too many clauses to number them".to_owned(),
        at: None,
        note: Some("disjunctions in bodies and conjunctions in heads are distributed".into()),
    }
}
