//! Accelerated bounded model checking: unrolling with shortcuts.
//!
//! When the end of the path that a model shows can be repeated, and the closed form of the loop is
//! known, the next frame, and only that, offers it as a *shortcut*. Shortcuts under-approximate
//! what steps reach, so a path to a bad state is always real. Clauses forbid to do by single
//! iterations what the shortcut does at once: if it is not used, the loop does not follow; if it is
//! used, no further iteration follows. When there is no path through a further frame, the ends of
//! paths are all reachable states, with and without these clauses.
//!
//! A loop is looked for at the end of the path, the shortest first, unless the end is a square
//! already: a loop that was unrolled twice although it has a shortcut does not need another one.
//!
//! Source: [FG24]. DIVERGENCE [FG24]: only linear closed forms, all of which are exact; loops are
//! remembered by what one iteration does, not by their words.

use shofar_base::{Idx, Map, Outcome};
use shofar_term::{Cx, Term};

use super::relation::{Closed, Kind, Letter, RelId, Relation, is_transitive};
use super::search::{Extended, Progress, Search, Trace};

/// Loops with their shortcuts, if they have one.
pub(super) type Shortcuts = Map<Term, Option<RelId>>;

impl Search {
    /// One iteration of accelerated bounded model checking.
    pub(super) fn unroll(
        &mut self,
        cx: &mut Cx<'_>,
        shortcuts: &mut Shortcuts,
    ) -> Outcome<Progress> {
        let trace = match self.extend(cx)? {
            Extended::By(trace) => trace,
            Extended::Known(progress) => return Ok(progress),
        };
        for at in 0..self.relations.len() {
            let relation = &mut self.relations[RelId::from_index(at)];
            relation.is_offered = relation.kind == Kind::Original;
        }
        if let Some((lambda, word)) = self.suffix(cx, &trace)?
            && let Some(shortcut) = self.shortcut(cx, shortcuts, lambda, &word)?
        {
            self.relations[shortcut].is_offered = true;
            self.forbid_iterations(cx, shortcut, lambda, word.len());
        }
        Ok(Progress::Open)
    }
    /// The shortest end of the trace that can be repeated, and the loop.
    fn suffix(&mut self, cx: &mut Cx<'_>, trace: &Trace) -> Outcome<Option<(Term, Vec<Letter>)>> {
        let letters = &trace.letters;
        let last = letters[letters.len() - 1];
        for start in (0..letters.len()).rev() {
            let word = &letters[start..];
            if ends_with_square(word) {
                return Ok(None);
            }
            let is_step = self.relations[word[0].relation].kind == Kind::Original;
            if word.len() == 1 && !is_step
                || !self.follows.contains(&(last.implicant, word[0].implicant))
            {
                continue;
            }
            let part: Vec<Term> = word.iter().map(|letter| letter.implicant).collect();
            let lambda = self.space.chain(cx.store, &part, &trace.model, start);
            if self.is_repeatable(cx, lambda)? {
                return Ok(Some((lambda, word.to_vec())));
            }
        }
        Ok(None)
    }
    /// The shortcut of a loop, if its closed form is known and says more than one iteration does.
    fn shortcut(
        &mut self,
        cx: &mut Cx<'_>,
        shortcuts: &mut Shortcuts,
        lambda: Term,
        word: &[Letter],
    ) -> Outcome<Option<RelId>> {
        if let Some(&known) = shortcuts.get(&lambda) {
            self.stats.covered += u64::from(known.is_some());
            return Ok(known);
        }
        let made = match Closed::of(cx, &self.space, lambda)? {
            Some(closed) if !is_transitive(cx, &mut self.space, lambda)? => {
                self.stats.learned += 1;
                self.stats.exact += 1;
                tracing::debug!(
                    "shortcut {}: {}",
                    self.relations.len(),
                    shofar_term::print::print(cx.store, closed.formula)
                );
                Some(self.relations.push(Relation {
                    kind: Kind::Exact,
                    formula: closed.formula,
                    locals: vec![closed.count],
                    word: word.to_vec(),
                    once: lambda,
                    closed: Some(closed),
                    left_out: Vec::new(),
                    is_offered: false,
                }))
            }
            Some(_) | None => None,
        };
        shortcuts.insert(lambda, made);
        Ok(made)
    }
    /// Forbids iterations of the loop beside the shortcut of the next frame.
    fn forbid_iterations(&mut self, cx: &mut Cx<'_>, shortcut: RelId, lambda: Term, length: usize) {
        let depth = self.frames.depth();
        let used = self.frames.selector(cx.store, shortcut, depth);
        let unused = cx.store.not(used);
        for (case, from) in [(used, depth), (unused, depth + 1)] {
            let end = from + length;
            let iteration = self.space.timed(cx.store, lambda, from, end);
            let none = cx.store.not(iteration);
            let clause = cx.store.or(&[case, none]);
            self.frames.clauses.entry(end - 1).or_default().push(clause);
            self.stats.blocked += 1;
        }
    }
}

/// Whether a word has the form `v u u`.
fn ends_with_square(word: &[Letter]) -> bool {
    let is_square = |half: usize| {
        let (rest, last) = word.split_at(word.len() - half);
        let before = &rest[rest.len() - half..];
        before.iter().zip(last).all(|(one, other)| one.implicant == other.implicant)
    };
    (1..=word.len() / 2).any(is_square)
}
