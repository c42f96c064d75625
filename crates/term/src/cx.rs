//! What a computation gets of the outside world: where terms live, when to stop, who watches, who
//! measures, and with whom messages are exchanged.

use shofar_base::{Budget, Outcome};

use crate::{Exchange, Phase, PhaseTimes, Stage, Term, TermStore};

/// A question that was put to a solver, and what it said.
#[derive(Clone, Debug)]
pub struct Question<'q> {
    /// Where the terms live.
    pub store: &'q TermStore,
    /// What was asked to hold together.
    pub formulas: &'q [Term],
    /// What was assumed besides, for this question only.
    pub assumptions: &'q [Term],
    /// Whether there is a model.
    pub answer: Outcome<bool>,
}

/// Hears of every question put to a solver, and how far engines come; several threads may tell at
/// the same time.
pub trait Observer: Send + Sync {
    /// Whether questions are wanted; they cost time.
    fn wants_questions(&self) -> bool {
        true
    }
    /// `who` got an answer to a question.
    fn asked(&self, who: &str, question: &Question<'_>);
    /// `who` solved recursion-free clauses; `script` writes them, for those who want to read them.
    fn solved(&self, who: &str, script: &dyn Fn() -> String) {
        let _ = (who, script);
    }
    /// `who` has come so far; it may say so a thousand times a second.
    fn reached(&self, who: &str, stage: Stage) {
        let _ = (who, stage);
    }
}

/// Somebody who watches, and the name under which a computation is known to them.
#[derive(Clone, Copy)]
pub struct Watched<'a> {
    /// Who watches.
    pub observer: &'a dyn Observer,
    /// The name of an engine or of a stage.
    pub who: &'a str,
}

/// The context of a computation.
pub struct Cx<'a> {
    /// Where terms live.
    pub store: &'a mut TermStore,
    /// When to stop.
    pub budget: &'a Budget,
    /// Who hears of the questions that are asked; mostly nobody.
    pub watched: Option<Watched<'a>>,
    /// With whom messages are exchanged; mostly nobody.
    pub exchange: Option<&'a dyn Exchange>,
    /// Where the times of phases are added up; mostly nowhere.
    pub phases: Option<&'a PhaseTimes>,
}

impl<'a> Cx<'a> {
    /// A context over `store`, limited by `budget`.
    pub fn new(store: &'a mut TermStore, budget: &'a Budget) -> Self {
        Self { store, budget, watched: None, exchange: None, phases: None }
    }
    /// The context, with `observer`, if there is one, hearing of `who`'s questions.
    pub fn watched_by(mut self, observer: Option<&'a dyn Observer>, who: &'a str) -> Self {
        self.watched = observer.map(|observer| Watched { observer, who });
        self
    }
    /// The same context for a part of the work, limited by `budget`.
    pub fn limited<'b>(&'b mut self, budget: &'b Budget) -> Cx<'b>
    where
        'a: 'b,
    {
        Cx { budget, ..self.reborrowed() }
    }
    /// The same context, with the times of phases added to `times`.
    pub fn measured<'b>(&'b mut self, times: &'b PhaseTimes) -> Cx<'b>
    where
        'a: 'b,
    {
        Cx { phases: Some(times), ..self.reborrowed() }
    }
    /// The context, with messages exchanged through `exchange`.
    pub fn exchanging(mut self, exchange: &'a dyn Exchange) -> Self {
        self.exchange = Some(exchange);
        self
    }
    /// The same context for a part of the work that exchanges messages through `exchange`, or none.
    pub fn sharing<'b>(&'b mut self, exchange: Option<&'b dyn Exchange>) -> Cx<'b>
    where
        'a: 'b,
    {
        Cx { exchange, ..self.reborrowed() }
    }
    /// Tells whoever watches how far this has come.
    #[inline]
    pub fn reached(&self, stage: Stage) {
        if let Some(Watched { observer, who }) = self.watched {
            observer.reached(who, stage);
        }
    }
    /// Does a part of the work that belongs to `phase`; the clock is looked at only if somebody
    /// measures.
    #[inline]
    pub fn phase<T>(&mut self, phase: Phase, work: impl FnOnce(&mut Self) -> T) -> T {
        let Some(times) = self.phases else { return work(self) };
        let start = self.budget.now();
        let result = work(self);
        times.add(phase, self.budget.now() - start);
        result
    }
    fn reborrowed<'b>(&'b mut self) -> Cx<'b>
    where
        'a: 'b,
    {
        Cx {
            store: self.store,
            budget: self.budget,
            watched: self.watched,
            exchange: self.exchange,
            phases: self.phases,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn phases_are_measured_where_somebody_asks_for_it() {
        let (mut store, budget) = (TermStore::new(), Budget::unlimited());
        let (mut cx, times) = (Cx::new(&mut store, &budget), PhaseTimes::default());
        let pause = |_: &mut Cx<'_>| std::thread::sleep(Duration::from_millis(2));
        cx.phase(Phase::Solving, pause);
        assert_eq!(times.micros(Phase::Solving), 0);
        let mut measured = cx.measured(&times);
        measured.phase(Phase::Solving, pause);
        let part = measured.budget.part(10);
        measured.limited(&part).phase(Phase::Solving, pause);
        assert!(times.get(Phase::Solving) >= Duration::from_millis(4));
        assert_eq!(times.micros(Phase::Pushing), 0);
    }
}
