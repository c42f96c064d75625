//! Answers whether all runs of a program end.

use shofar_base::GaveUp;
use shofar_chc::read::HornProblem;
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
            let options = Options { solver, deadline, stop };
            let mut analysis = analyse(self.store.clone(), &problem.system, &options);
            let explanation = analysis.explanation(text);
            let said = match self.watch.finish() {
                AnswerState::Due => format!("{}\n", analysis.word()),
                AnswerState::Given => String::new(),
            };
            match &analysis.answer {
                Answer::Terminates(_) | Answer::Diverges(_) => self.tell(&(said + &explanation)),
                Answer::Maybe(why) => {
                    self.tell(&said);
                    self.errors.write(&format!("shofar: MAYBE ({why})\n"));
                    self.record.has_bug |= matches!(why, GaveUp::Wrong(_));
                }
            }
            if self.watch.asked_to_end().is_some() {
                return;
            }
        }
    }
}
