//! Answers whether all runs of a program end.

use std::time::Instant;

use shofar_base::{Budget, GaveUp};
use shofar_chc::read::{Confirmation, HornProblem};
use shofar_termination::{Answer, Options, analyse};

use super::HornSession;
use crate::watchdog::AnswerState;

/// The answer if nothing was found out.
pub(super) const MAYBE: &str = "MAYBE\n";

impl HornSession<'_> {
    /// Answers the questions of a text about the runs of programs, each with its evidence.
    pub(super) fn answer_termination(&mut self, problems: &[HornProblem], text: &[u8]) {
        for problem in problems {
            let own = self.settings.question_deadline(self.configuration.arguments.query_timeout);
            let stop = self.watch.begin(own);
            let deadline = own.into_iter().chain(self.configuration.limits.deadline).min();
            let solver = self.configuration.solver(self.settings.seed);
            let (exactness, surplus) = (problem.exactness, problem.surplus.clone());
            let options = Options { solver, deadline, stop, exactness, surplus };
            let begin = Instant::now();
            self.configuration.progress.begin("termination", own);
            let mut analysis = analyse(self.store.clone(), &problem.system, &options);
            if let (Answer::Diverges(_), Some(explain)) = (&analysis.answer, &problem.explain) {
                let budget = Budget::with_handle(&options.stop, options.deadline);
                if let Confirmation::Refuted(why) = explain.confirm_divergence(&budget) {
                    analysis.answer = Answer::Maybe(GaveUp::wrong(why));
                }
            }
            self.configuration.progress.end();
            let mut said = format!("{}\n{}", analysis.word(), analysis.explanation(text));
            if self.watch.finish() == AnswerState::Given {
                // The watchdog has said that it is not known; nothing else is said behind that.
                analysis.answer = Answer::Maybe(GaveUp::Timeout);
                said = String::new();
            } else if analysis.why().is_some() {
                MAYBE.clone_into(&mut said);
            }
            self.tell(&said);
            if let Some(why) = analysis.why() {
                self.errors.write(&format!("shofar: MAYBE ({why})\n"));
                self.record.has_bug |= matches!(why, GaveUp::Wrong(_));
            }
            if let Some(style) = self.configuration.arguments.stats {
                let time = begin.elapsed();
                let statistics = self.configuration.about_termination(&self.name, &analysis, time);
                self.errors.write(&statistics.render(style));
            }
            if self.watch.asked_to_end().is_some() {
                return;
            }
        }
    }
}
