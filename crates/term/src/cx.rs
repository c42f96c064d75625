//! What nearly every computation on terms needs: the store and the budget, and who hears of it.

use shofar_base::{Budget, Outcome};

use crate::{Symbol, Term, TermStore};

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

/// Hears of every question put to a solver; several threads may ask at the same time.
pub trait Observer: Send + Sync {
    /// `who` got an answer to a question.
    fn asked(&self, who: &str, question: &Question<'_>);
}

/// Somebody who watches, and the name under which a computation is known to them.
#[derive(Clone, Copy)]
pub struct Watched<'a> {
    /// Who watches.
    pub observer: &'a dyn Observer,
    /// The name of an engine or of a stage.
    pub who: &'a str,
}

/// Takes lemmas that an engine has proved, for engines that start later.
pub trait Exchange: Send + Sync {
    /// `lemma` holds wherever `predicate` holds of `params`, whatever the bound.
    fn invariant(&self, store: &mut TermStore, predicate: Symbol, params: &[Symbol], lemma: Term);
}

/// The context of a computation.
pub struct Cx<'a> {
    /// Where terms live.
    pub store: &'a mut TermStore,
    /// When to stop.
    pub budget: &'a Budget,
    /// Who hears of the questions that are asked; mostly nobody.
    pub watched: Option<Watched<'a>>,
    /// Who takes lemmas; mostly nobody.
    pub exchange: Option<&'a dyn Exchange>,
}

impl<'a> Cx<'a> {
    /// A context over `store`, limited by `budget`.
    pub fn new(store: &'a mut TermStore, budget: &'a Budget) -> Self {
        Self { store, budget, watched: None, exchange: None }
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
        Cx { store: self.store, budget, watched: self.watched, exchange: self.exchange }
    }
    /// The context, with `exchange` taking the lemmas that are proved in it.
    pub fn exchanging(mut self, exchange: &'a dyn Exchange) -> Self {
        self.exchange = Some(exchange);
        self
    }
}
