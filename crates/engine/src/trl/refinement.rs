//! Refinement of abstractions: learned relations that say no more than was needed so far.
//!
//! A relation that is not exact is learned with what it says about truth values only, which is
//! where the locations are; its other literals are *left out*. When a path goes to a bad state, or
//! through a loop from which something may be learned, it is asked for again with all that its
//! relations leave out as assumptions. If there is no such path, the assumptions that failed become
//! part of their relations, together with the literals that these need in order to be preserved,
//! and the search starts anew without the clauses that rest on the coarser relations.
//!
//! Invariant (O1): what a relation says is closed under [`Literal::needs`], so it is transitive at
//! all times. (O2): clauses of a relation that says more than before are forgotten.
//!
//! Source: [FG25], the variant with abstraction refinement. DIVERGENCE [FG25]: the path is asked
//! for in the solver of the search, so it respects the blocking clauses as well.

use shofar_base::Outcome;
use shofar_smt::Answer;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Phase, Term, TermStore};

use super::projection::Literal;
use super::relation::{RelId, Relation};
use super::search::{Search, Trace};
use super::space::Space;

/// The literals that a relation has from the beginning, and those that are left out.
pub(super) fn split(
    store: &TermStore,
    space: &Space,
    literals: Vec<Literal>,
) -> (Vec<Term>, Vec<Literal>) {
    let is_kept = |literal: &Literal| {
        let is_truth_value = store.symbol(store.strip_not(literal.term).0).is_some();
        is_truth_value || free_symbols(store, &[literal.term]) == [space.count]
    };
    let (kept, left_out): (Vec<Literal>, Vec<Literal>) = literals.into_iter().partition(is_kept);
    (kept.into_iter().map(|literal| literal.term).collect(), left_out)
}

impl Relation {
    /// Says a literal that was left out, and what it needs.
    fn say(&mut self, store: &mut TermStore, literal: Term) {
        let mut open = vec![literal];
        while let Some(term) = open.pop() {
            let Some(at) = self.left_out.iter().position(|other| other.term == term) else {
                continue;
            };
            open.extend(self.left_out.remove(at).needs);
            self.formula = store.and(&[self.formula, term]);
        }
    }
}

impl Search {
    /// A path through the relations of `trace` that satisfies all that they leave out, and `end`;
    /// none if there is none, and the relations say more now.
    pub(super) fn tightened(
        &mut self,
        cx: &mut Cx<'_>,
        trace: Trace,
        end: Option<Term>,
    ) -> Outcome<Option<Trace>> {
        let mut assumptions: Vec<Term> = end.into_iter().collect();
        let mut asked: Vec<(Term, RelId, Term)> = Vec::new();
        for (time, letter) in trace.letters.iter().enumerate() {
            let id = letter.relation;
            assumptions.push(self.frames.selector(cx.store, id, time));
            for literal in &self.relations[id].left_out {
                let timed = self.space.timed(cx.store, literal.term, time, time + 1);
                asked.push((timed, id, literal.term));
            }
        }
        if asked.is_empty() {
            return Ok(Some(trace));
        }
        assumptions.extend(asked.iter().map(|&(timed, ..)| timed));
        let solver = &mut self.solver;
        let answer = cx.phase(Phase::Solving, |cx| solver.check_assuming(cx, &assumptions))?;
        let failed = match answer {
            Answer::Sat(model) => {
                let model = model.assignment(cx.store);
                return Ok(Some(self.trace(cx.store, model)));
            }
            Answer::Unsat(proof) => proof.failed(),
        };
        self.stats.refinements += 1;
        for (timed, id, literal) in asked {
            if failed.contains(&timed) {
                self.relations[id].say(cx.store, literal);
                self.frames.forget(id);
            }
        }
        self.start_anew();
        Ok(None)
    }
}
