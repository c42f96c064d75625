//! Reading a script a second time, for the validator.
//!
//! What a witness is checked against must not depend on what solver and passes did to the terms of
//! the problem. So the text that the user gave is read again into a store of its own, to which
//! nobody else writes. It is read only as far as the question that is asked about, and each part
//! once, however many questions there are. Workers share it behind a lock; whoever holds
//! the lock is not paused meanwhile, or a worker in its pause would keep back the witness of
//! another one.
//!
//! The commands, with their scopes and what is refused, are followed by [`HornReader`] as the first
//! time; its clauses say which assertion a step of a refutation means, and its formulas give names
//! to variables, but what is true is decided by the assertions as they were written (see
//! [`crate::universal`]).

use std::sync::{Arc, Mutex, PoisonError};

use shofar_base::{Budget, GaveUp, Outcome};
use shofar_chc::read::{CommandRole, Form, FrontEnd, HornProblem, HornReader, ReadOptions, Rest};
use shofar_smtlib::{Command, Commands, Step};
use shofar_term::TermStore;

/// Where a problem can be read again.
#[derive(Clone, Debug)]
pub struct InputText {
    source: Source,
    /// The number of the question in the text, counted from 0.
    question: usize,
}

#[derive(Clone, Debug)]
enum Source {
    /// A script, which may still go on.
    Script(Arc<Mutex<Rereader>>),
    /// A whole text in some language.
    Whole(FrontEnd, ReadOptions, Arc<[u8]>),
}

impl InputText {
    /// The question with this number, counted from 0, of a script of SMT-LIB.
    pub fn script(script: &Arc<Mutex<Rereader>>, question: usize) -> Self {
        Self { source: Source::Script(Arc::clone(script)), question }
    }
    /// The question with this number, counted from 0, of a text that is read with these options.
    pub fn of(
        front_end: &FrontEnd,
        options: &ReadOptions,
        text: &Arc<[u8]>,
        question: usize,
    ) -> Self {
        let source = Source::Whole(*front_end, options.clone(), Arc::clone(text));
        Self { source, question }
    }
    /// The same question of the same text, read with other options of its language; a script has
    /// none.
    pub fn with_options(&self, options: &ReadOptions) -> Option<Self> {
        match &self.source {
            Source::Script(_) => None,
            Source::Whole(front_end, _, text) => {
                Some(Self::of(front_end, options, text, self.question))
            }
        }
    }
    /// The same question, with clauses as they are written; a script is read for this from its
    /// beginning by whoever has its text.
    pub fn as_written(&self) -> Option<Self> {
        match &self.source {
            Source::Script(_) => None,
            Source::Whole(_, options, _) => {
                self.with_options(&options.clone().in_form(Form::Written))
            }
        }
    }
    /// The problems of all questions of the text, and a store with their terms; nothing if the text
    /// is a script that may still go on.
    pub fn read_all(&self) -> Option<(TermStore, Vec<HornProblem>)> {
        match &self.source {
            Source::Script(_) => None,
            Source::Whole(front_end, options, text) => {
                let mut store = TermStore::new();
                let problems = (front_end.read)(text, options, &mut store).ok()?;
                Some((store, problems))
            }
        }
    }
    /// The problem, and a store with its terms.
    pub fn read_again(&self, budget: &Budget) -> Outcome<(TermStore, HornProblem)> {
        let found = match &self.source {
            Source::Script(script) => {
                let mut script = script.lock().unwrap_or_else(PoisonError::into_inner);
                script.problem(budget, self.question)?
            }
            Source::Whole(front_end, options, text) => {
                let mut store = TermStore::new();
                let problems = (front_end.read)(text, options, &mut store).unwrap_or_default();
                problems.into_iter().nth(self.question).map(|problem| (store, problem))
            }
        };
        found.ok_or_else(|| GaveUp::wrong("the question is not there when the text is read again"))
    }
}

/// Reads the text of a script again, question by question.
#[derive(Debug, Default)]
pub struct Rereader {
    commands: Commands,
    reader: HornReader,
    store: TermStore,
    /// How many questions have been read.
    asked: usize,
    /// The last one, unless a part of its problem was refused.
    last: Option<HornProblem>,
}

impl Rereader {
    /// A reader of nothing.
    pub fn new() -> Self {
        Self::default()
    }
    /// A reader of nothing that makes clauses as they are written.
    pub fn as_written() -> Self {
        Self { reader: HornReader::new(Form::Written), ..Self::default() }
    }
    /// Appends a part of the text.
    pub fn hear(&mut self, text: &[u8]) {
        self.commands.feed(text);
    }
    /// The problem of the question with this number, counted from 0, and a store with its terms;
    /// nothing if the text does not ask it, or if an earlier one was asked for after it.
    pub fn problem(
        &mut self,
        budget: &Budget,
        question: usize,
    ) -> Outcome<Option<(TermStore, HornProblem)>> {
        let mut is_over = false;
        while self.asked <= question && !is_over {
            budget.check_in_lock()?;
            let read = self.reader.next(&mut self.commands, &mut self.store);
            let sentence = match read {
                Ok(Step::Sentence(sentence)) if sentence.command != Command::Exit => sentence,
                Ok(Step::Sentence(_) | Step::NeedInput | Step::End) => {
                    is_over = true;
                    if self.reader.ask_at_end() {
                        self.take();
                    }
                    continue;
                }
                // The reader knows whether something is missing now.
                Err(_) => continue,
            };
            let is_question = CommandRole::of(&sentence.command) == CommandRole::Question;
            let executed = self.reader.execute(&mut self.store, sentence);
            if is_question && executed.is_ok() {
                self.take();
            }
        }
        let is_last = self.asked == question + 1;
        Ok(self.last.clone().filter(|_| is_last).map(|problem| (self.store.clone(), problem)))
    }
    /// Takes the problem of the question that is open.
    fn take(&mut self) {
        self.asked += 1;
        let is_whole = self.reader.is_whole();
        self.last = self.reader.problem(Rest::More).filter(|_| is_whole);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_paused_worker_does_not_keep_the_text_to_itself() {
        let mut script = Rereader::new();
        script.hear(b"(declare-fun p (Int) Bool) (assert (p 0)) (check-sat)");
        let text = InputText::script(&Arc::new(Mutex::new(script)), 0);
        let (sender, found) = mpsc::channel();
        let paused = Budget::unlimited();
        paused.stop_handle().pause();
        let handle = paused.stop_handle();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let budget = Budget::with_handle(&handle, None);
                let is_there = text.read_again(&budget).is_ok();
                sender.send(is_there).expect("somebody waits for it");
            });
            let read = found.recv_timeout(Duration::from_secs(10));
            handle.stop(GaveUp::Cancelled);
            assert_eq!(read, Ok(true));
        });
    }
}
