//! The iterations that a step of a shortcut stands for.
//!
//! They are computed by the update of the cycle: first those of the prefix of its progression, then
//! whole periods, which are folded, then what is left. Where values do not progress as the closure
//! says they do, iterations are written one by one.
//!
//! Invariant: the last iteration leads to the values behind the shortcut, since the update is a
//! function.

use shofar_accelerate::Progress;
use shofar_base::{GaveUp, Outcome};
use shofar_chc::{ClauseId, Derivation, DerivationStep, Repeat};
use shofar_num::{Rational, div_euclid};
use shofar_term::Symbol;
use shofar_term::TermStore;
use shofar_term::eval::{Evaluator, Model, NoValue, Value};

/// So many iterations are written down one by one.
const LONGEST: usize = 200_000;
/// Fewer periods are not folded.
const FOLDED: i64 = 4;

/// How a cycle is repeated.
pub(super) struct Iterations {
    /// The cycle as a clause.
    pub(super) cycle: ClauseId,
    /// The variables before and after an iteration.
    pub(super) pairs: Vec<(Symbol, Symbol)>,
    /// How values change.
    pub(super) progress: Progress,
    /// The variable that says how often it is taken.
    pub(super) count: Symbol,
}

/// Iterations that are being written.
struct Writer<'w> {
    iterations: &'w Iterations,
    store: &'w TermStore,
    result: &'w mut Derivation,
    /// What the next iteration starts from.
    state: Vec<Value>,
    premises: Vec<usize>,
}

impl Iterations {
    /// Appends the iterations that a step of the shortcut with these values stands for.
    pub(super) fn write(
        &self,
        store: &TermStore,
        values: &Model,
        premises: Vec<usize>,
        result: &mut Derivation,
    ) -> Outcome<()> {
        let count = values.get_or_default(store, self.count);
        let mut left = count.as_number().cloned().unwrap_or_default();
        let state = self.pairs.iter().map(|&(pre, _)| values.get_or_default(store, pre)).collect();
        let mut writer = Writer { iterations: self, store, result, state, premises };
        for _ in 0..self.progress.prefix {
            if left.is_positive() {
                writer.one()?;
                left -= Rational::ONE;
            }
        }
        let period = Rational::from(self.progress.period as u64);
        let periods = div_euclid(&left, &period).filter(|n| *n >= Rational::from(FOLDED));
        if let Some(periods) = periods
            && writer.folded(&periods)?
        {
            left -= &periods * &period;
        }
        for _ in 0..LONGEST {
            if !left.is_positive() {
                return Ok(());
            }
            writer.one()?;
            left -= Rational::ONE;
        }
        Err(GaveUp::incomplete("a loop is repeated too often to write its steps down"))
    }
    /// The state after `state`.
    fn next(&self, store: &TermStore, state: &[Value]) -> Result<Vec<Value>, NoValue> {
        let mut model = Model::with_capacity(state.len());
        for (&(pre, _), value) in self.pairs.iter().zip(state) {
            model.set(pre, value.clone());
        }
        let mut evaluator = Evaluator::with_defaults(&model);
        self.progress.updates.iter().map(|&update| evaluator.evaluate(store, update)).collect()
    }
    /// The state so many periods after `state`.
    fn later(&self, state: &[Value], periods: &Rational) -> Vec<Value> {
        let moved = |(value, by): (&Value, &Rational)| match value.as_number() {
            Some(number) => Value::Number(number + &(by * periods)),
            None => value.clone(),
        };
        state.iter().zip(&self.progress.increments).map(moved).collect()
    }
}

impl Writer<'_> {
    /// Writes one iteration.
    fn one(&mut self) -> Outcome<()> {
        let next = self.iterations.next(self.store, &self.state)?;
        let pairs = &self.iterations.pairs;
        let mut assignment = Model::with_capacity(2 * pairs.len());
        for ((&(pre, post), from), to) in pairs.iter().zip(&self.state).zip(&next) {
            assignment.set(pre, from.clone());
            assignment.set(post, to.clone());
        }
        let premises = std::mem::replace(&mut self.premises, vec![self.result.steps.len()]);
        let clause = self.iterations.cycle;
        self.result.steps.push(DerivationStep { clause, assignment, premises });
        self.state = next;
        Ok(())
    }
    /// Writes so many periods by their first and last one; false if values do not progress like
    /// that.
    fn folded(&mut self, periods: &Rational) -> Outcome<bool> {
        let (start, length) = (self.result.steps.len(), self.iterations.progress.period);
        let begin = self.state.clone();
        let last = self.iterations.later(&begin, &(periods - &Rational::ONE));
        for _ in 0..length {
            self.one()?;
        }
        let is_first = self.state == self.iterations.later(&begin, &Rational::ONE);
        self.state.clone_from(&last);
        for _ in 0..length {
            self.one()?;
        }
        if is_first && self.state == self.iterations.later(&begin, periods) {
            self.result.repeats.push(Repeat { start, length, count: periods.clone() });
            return Ok(true);
        }
        let premises = std::mem::take(&mut self.result.steps[start].premises);
        self.result.steps.truncate(start);
        (self.state, self.premises) = (begin, premises);
        Ok(false)
    }
}
