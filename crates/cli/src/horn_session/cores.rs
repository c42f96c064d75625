//! Which clauses contradict each other: `--core` and `get-unsat-core`.
//!
//! They are those of the refutation that was found, made fewer by [`shofar::Refutation::minimized`]
//! if the user wants that. Clauses are left out in the form that solvers get, and shown as they are
//! written.

use shofar_base::Idx;
use shofar_chc::read::HornProblem;

use super::{HornSession, NO_ANSWER};
use crate::question::Answered;
use crate::reply::{Reply, Response};
use crate::settings::string;

/// What is said to who asks for a core without having said so before.
pub(crate) const CORES_ARE_OFF: &str = "cores are off: `(set-option :produce-unsat-cores true)` before the first assertion \
    switches them on";

impl HornSession<'_> {
    /// The clauses of a refutation, as few as there is time for, with their names and lines.
    pub(super) fn core_of(&mut self, answer: &mut Answered) -> String {
        let solver = self.configuration.solver(self.settings.seed);
        let deadline = self.configuration.limits.deadline;
        let mut smaller = answer.smaller(&solver, deadline, &|clause, _| Some(clause.index()));
        match self.numbering.apply(&mut smaller, &self.text) {
            Ok(()) => smaller.core(&self.text),
            Err(why) => format!("(error {})\n", string(&why.to_string())),
        }
    }
    /// `get-unsat-core`: the names of assertions that contradict each other, together with those
    /// without names.
    pub(super) fn unsat_core(&self) -> Reply {
        let answer = self.last.as_ref().ok_or(NO_ANSWER)?;
        if !self.settings.cores && !self.settings.minimal_cores {
            return Err(CORES_ARE_OFF.to_owned());
        }
        if !answer.has_refutation() {
            return Err("there is no core: the clauses do not contradict each other".to_owned());
        }
        if !self.settings.minimal_cores {
            return Ok(Response::Text(answer.named_core()));
        }
        let solver = self.configuration.solver(self.settings.seed);
        let deadline = self.configuration.limits.deadline;
        let by_name = |clause, problem: &HornProblem| {
            let origin = problem.origin[clause];
            problem.assertions[origin].name.as_ref().map(|_| origin)
        };
        let smaller = answer.smaller(&solver, deadline, &by_name);
        Ok(Response::Text(smaller.named_core()))
    }
}
