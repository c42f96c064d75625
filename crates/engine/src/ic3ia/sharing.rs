//! What is told to other engines that work on the same system, and what is heard from them.
//!
//! Sent: a short clause, as a lemma about the states within its bound, when it is learnt.
//!
//! | taken | how |
//! |---|---|
//! | what holds always | joins all frames as it is: all of it is inductive together |
//! | what holds within a bound | joins the frames up to the highest one for which relative induction shows it; its negation is a cube whose atoms become predicates |
//! | hints | their atoms become predicates |
//!
//! So the frames keep their invariants whatever others say. Even so an invariant that was found
//! after something was heard is checked from the initial states on, and a refutation is a run that
//! was found by the step alone.

use shofar_base::{GaveUp, Outcome, Set};
use shofar_term::size::tree_size;
use shofar_term::{Bound, Cx, Level, Message, Says, Subject, Symbol, Term};

use super::frames::{Entry, Hypothesis};
use super::search::Search;
use crate::atoms::atoms;
use crate::ts::invariant::is_invariant;

/// The name under which messages are published.
const SENDER: &str = "ic3ia";
/// Longer clauses are not told.
const SHORT: usize = 8;
/// Larger formulas of others are not taken in; they would make every query slower.
const SMALL: u64 = 60;
/// So many candidates are tried at a time, the newest ones.
const CANDIDATES: usize = 16;

impl Search<'_> {
    /// Tells others of a new clause.
    pub(super) fn tell(&self, cx: &mut Cx<'_>, cube: &[Term], bound: Bound) {
        let Some(exchange) = cx.exchange else { return };
        if cube.len() > SHORT {
            return;
        }
        let inside = cx.store.and(cube);
        let message = Message {
            subject: Subject::State,
            params: self.ts.state.clone(),
            formula: cx.store.not(inside),
            says: Says::holds(bound),
            sender: SENDER.into(),
        };
        exchange.publish(cx.store, &message);
    }
    /// Makes use of what others have said.
    pub(super) fn hear(&mut self, cx: &mut Cx<'_>) -> Outcome<()> {
        let Some(exchange) = cx.exchange else { return Ok(()) };
        let mut messages = exchange.receive(cx)?;
        messages.retain(|message| {
            let is_ours = message.subject == Subject::State && message.params == self.ts.state;
            // Of what holds always nothing may be left out: it is inductive together.
            let is_always = matches!(message.says, Says::Holds { bound: Bound::Always, .. });
            is_ours && (is_always || tree_size(cx.store, &[message.formula]) <= SMALL)
        });
        let mut candidates = messages.len();
        for message in messages {
            candidates -= 1;
            let is_taken = match message.says {
                Says::Holds { bound: Bound::Always, .. } => self.believe(cx, message.formula),
                Says::Holds { bound: Bound::Within(_), .. } if candidates < CANDIDATES => {
                    self.consider(cx, message.formula)?
                }
                Says::Hint if candidates < CANDIDATES => self.speak_about(cx, message.formula)?,
                Says::Holds { .. } | Says::Hint | Says::Reached => false,
            };
            if is_taken {
                self.has_heard = true;
                exchange.took(&message);
            }
        }
        Ok(())
    }
    /// The cube that a formula excludes.
    fn excluded_by(cx: &mut Cx<'_>, formula: Term) -> Vec<Term> {
        let violation = cx.store.not(formula);
        let mut cube = cx.store.conjuncts(&[violation]);
        cube.sort_unstable();
        cube
    }
    fn believe(&mut self, cx: &mut Cx<'_>, formula: Term) -> bool {
        let cube = Self::excluded_by(cx, formula);
        let is_new = self.frames.excluded(&cube) != Some(Bound::Always);
        if is_new {
            self.frames.add(cx.store, cube, Bound::Always);
        }
        is_new
    }
    /// Adds a clause up to the level where it is found to hold; whether it is of use.
    fn consider(&mut self, cx: &mut Cx<'_>, formula: Term) -> Outcome<bool> {
        let cube = Self::excluded_by(cx, formula);
        if !self.start.avoids(cx, &cube)? {
            return Ok(false);
        }
        let mut bound = Bound::Within(Level::ZERO);
        while let Bound::Within(level) = bound
            && level < self.level
        {
            self.stats.pushes += 1;
            match self.frames.enter(cx, &cube, level, Hypothesis::Outside)? {
                Entry::Blocked { bound: higher, .. } => bound = higher,
                Entry::From(_) => break,
            }
        }
        let is_known = self.frames.excluded(&cube).is_some_and(|known| known >= bound);
        if bound == Bound::Within(Level::ZERO) || is_known {
            return Ok(false);
        }
        self.speak_about(cx, formula)?;
        self.frames.add(cx.store, cube, bound);
        Ok(true)
    }
    /// Makes the atoms of a formula predicates; whether one is new.
    fn speak_about(&mut self, cx: &mut Cx<'_>, formula: Term) -> Outcome<bool> {
        let symbols: Set<Symbol> = self.ts.state.iter().copied().collect();
        let atoms = atoms(cx.store, &[formula], &symbols);
        self.add_predicates(cx, &atoms)
    }
    /// `invariant`, if it need not be doubted or stands the test.
    pub(super) fn trusted(&self, cx: &mut Cx<'_>, invariant: Term) -> Outcome<Term> {
        if self.has_heard && !is_invariant(cx, self.ts, invariant)? {
            return Err(GaveUp::wrong("another engine published a wrong lemma"));
        }
        Ok(invariant)
    }
}
