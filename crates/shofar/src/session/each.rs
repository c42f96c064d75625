//! Which of several queries can fail, each with its own verdict and witness.
//!
//! All queries are asked about together: a model answers all of them, and a refutation one, after
//! which the others are asked about again. What is unknown together is asked about in halves. The
//! models of a part are remembered by the session, so the next part has its lemmas.

use std::sync::Arc;

use shofar_base::{Instant, Set};
use shofar_chc::read::HornProblem;
use shofar_chc::{Clause, ClauseId};

use super::Session;
use crate::{Answer, Outcome, Problem, Refutation};

/// Whether a query can fail.
#[derive(Clone, Debug)]
pub struct QueryOutcome {
    /// The name of the query, if it has one.
    pub name: Option<String>,
    /// The answer; queries that one model answers share it.
    pub outcome: Arc<Outcome>,
}

impl Session {
    /// Which of the queries can fail, in the order in which they were added. A query is an
    /// assertion all of whose clauses derive `false`.
    ///
    /// The limits of the solver hold for all of them together. If what was added cannot be asked
    /// about, there is one unknown outcome, without a name.
    pub fn check_each(&mut self) -> Vec<QueryOutcome> {
        let problem = match self.problem() {
            Ok(problem) => problem,
            Err(why) => {
                return vec![QueryOutcome { name: None, outcome: Outcome::gave_up(why).into() }];
            }
        };
        let queries = queries(&problem.horn);
        let deadline = self.solver.settings(Instant::now()).deadline;
        let mut solver = self.solver.clone();
        solver.timeout = None;
        let mut outcomes: Vec<Option<Arc<Outcome>>> = vec![None; queries.len()];
        let mut groups: Vec<Vec<usize>> = vec![(0..queries.len()).collect()];
        while let Some(mut group) = groups.pop() {
            if group.is_empty() {
                continue;
            }
            // The time that is left is for the parts of this group and the other groups as well.
            let shares = groups.len() + if group.len() > 1 { 2 } else { 1 };
            solver.settings.deadline = share(deadline, shares);
            let asked: Set<usize> = group.iter().map(|&query| queries[query]).collect();
            let part = with_queries(&problem, &queries, &asked);
            let outcome = self.decide(part, &solver);
            match &outcome.answer {
                Answer::Unsafe(refutation) => {
                    let failed = self::failed(refutation, &problem.horn);
                    let at = group.iter().position(|&query| Some(queries[query]) == failed);
                    let outcome = Arc::new(outcome);
                    match at {
                        Some(at) => outcomes[group.remove(at)] = Some(outcome),
                        // The clauses contradict each other without any of the queries.
                        None => group.drain(..).for_each(|query| {
                            outcomes[query] = Some(Arc::clone(&outcome));
                        }),
                    }
                    groups.push(group);
                }
                Answer::Unknown(_) if group.len() > 1 => {
                    let half = group.split_off(group.len() / 2);
                    groups.extend([half, group]);
                }
                Answer::Safe(_) | Answer::Unknown(_) => {
                    let outcome = Arc::new(outcome);
                    for query in group {
                        outcomes[query] = Some(Arc::clone(&outcome));
                    }
                }
            }
        }
        let named = |(outcome, &assertion): (Option<Arc<Outcome>>, &usize)| QueryOutcome {
            name: problem.horn.assertions[assertion].name.clone(),
            outcome: outcome.expect("every query is in a group until it has an outcome"),
        };
        outcomes.into_iter().zip(&queries).map(named).collect()
    }
}

/// The end of the first of so many equal shares of the time that is left.
fn share(deadline: Option<Instant>, shares: usize) -> Option<Instant> {
    let now = Instant::now();
    let shares = u32::try_from(shares).unwrap_or(u32::MAX);
    deadline.map(|deadline| now + deadline.saturating_duration_since(now) / shares)
}

/// The assertions that are queries.
fn queries(horn: &HornProblem) -> Vec<usize> {
    let mut has_head = vec![false; horn.assertions.len()];
    let mut has_query = vec![false; horn.assertions.len()];
    for (id, clause) in horn.system.clauses() {
        let of_clause = if clause.head.is_some() { &mut has_head } else { &mut has_query };
        of_clause[horn.origin[id]] = true;
    }
    (0..horn.assertions.len()).filter(|&at| has_query[at] && !has_head[at]).collect()
}

/// The problem with these of its queries only. The validator reads clauses from the assertions,
/// since no question of the text is about this part.
fn with_queries(problem: &Problem, queries: &[usize], asked: &Set<usize>) -> Problem {
    if asked.len() == queries.len() {
        return problem.clone();
    }
    let horn = &problem.horn;
    let is_kept = |at: &usize| queries.binary_search(at).is_err() || asked.contains(at);
    let kept: Vec<usize> = (0..horn.assertions.len()).filter(is_kept).collect();
    let clauses = horn.system.clauses().filter(|(id, _)| is_kept(&horn.origin[*id]));
    let clauses: Vec<(ClauseId, Clause)> = clauses.map(|(id, c)| (id, c.clone())).collect();
    let place = |at: usize| kept.binary_search(&at).expect("its clauses are kept");
    let part = HornProblem {
        origin: clauses.iter().map(|&(id, _)| place(horn.origin[id])).collect(),
        assertions: kept.iter().map(|&at| horn.assertions[at].clone()).collect(),
        system: horn.system.with_clauses(clauses.into_iter().map(|(_, clause)| clause)),
        ..(**horn).clone()
    };
    Problem {
        store: problem.store.clone(),
        horn: part.into(),
        text: problem.text.clone(),
        origin: None,
    }
}

/// The assertion in `whole` that the last step of a refutation is by.
fn failed(refutation: &Refutation, whole: &HornProblem) -> Option<usize> {
    let last = refutation.derivation.steps.last()?;
    let span = refutation.horn.assertions[refutation.horn.origin[last.clause]].span;
    whole.assertions.iter().position(|assertion| assertion.span == span)
}

#[cfg(test)]
mod tests {
    use shofar_base::Idx as _;

    use super::*;

    #[test]
    fn clauses_are_numbered_by_their_places() {
        let text = b"(declare-fun p (Int) Bool)(assert (p 0))(assert (not (p 1)))(check-sat)";
        let problem = Problem::from_text(text).expect("it is well written");
        let ids: Vec<usize> = problem.system().clauses().map(|(id, _)| id.index()).collect();
        assert_eq!((ids, queries(&problem.horn)), (vec![0, 1], vec![1]));
        let none = with_queries(&problem, &[1], &Set::default());
        assert_eq!((none.system().clause_count(), none.horn.assertions.len()), (1, 1));
    }
}
