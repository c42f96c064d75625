//! Division by zero.
//!
//! SMT-LIB leaves the value of `(/ t 0)`, `(div t 0)` and `(mod t 0)` open, but it is a function of
//! `t`. Each distinct operator and dividend gets a fresh constant, and for two dividends of one
//! operator the side condition `t₁ = t₂ → v₁ = v₂` has to be asserted beside the formulas that
//! mention them.
//!
//! Invariant: every side condition is either pending (to be handed out with the next command) or
//! has been handed out at some assertion level; popping that level makes it pending again, because
//! the constants outlive it.
//!
//! Source: [SMTLIB] theory Reals, note on division by zero; the reduction is Ackermann's [Ack54].

use shofar_base::Map;
use shofar_term::{Sort, Symbol, Term, TermStore};

/// A partial operator that was asked to divide by zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Partial {
    /// `/` on reals.
    Divide,
    /// `div` on integers.
    Div,
    /// `mod` on integers.
    Mod,
}

/// A division by zero that occurs in the input.
#[derive(Clone, Copy, Debug)]
pub struct ZeroDivision {
    /// The operator.
    pub operator: Partial,
    /// The dividend.
    pub dividend: Term,
    /// The fresh constant that stands for the value.
    pub symbol: Symbol,
    /// The constant as a term.
    pub value: Term,
}

/// All divisions by zero so far, and their side conditions.
#[derive(Clone, Debug, Default)]
pub(crate) struct ZeroDivisions {
    all: Vec<ZeroDivision>,
    values: Map<(Partial, Term), Term>,
    pending: Vec<Term>,
    delivered: Vec<(usize, Term)>,
}

impl ZeroDivisions {
    /// All of them, in the order of their first occurrence.
    pub(crate) fn all(&self) -> &[ZeroDivision] {
        &self.all
    }
    /// All side conditions, whether they have been handed out or not.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = Term> + '_ {
        self.pending.iter().copied().chain(self.delivered.iter().map(|&(_, condition)| condition))
    }
    /// The term for `dividend` divided by zero.
    pub(crate) fn value(
        &mut self,
        store: &mut TermStore,
        operator: Partial,
        dividend: Term,
    ) -> Term {
        if let Some(&value) = self.values.get(&(operator, dividend)) {
            return value;
        }
        let (name, sort) = match operator {
            Partial::Divide => ("real-division-by-zero", Sort::REAL),
            Partial::Div => ("div-by-zero", Sort::INT),
            Partial::Mod => ("mod-by-zero", Sort::INT),
        };
        let symbol = store.fresh(name, sort);
        let value = store.constant(symbol);
        for other in self.all.iter().filter(|other| other.operator == operator) {
            let same_dividend = store.eq(dividend, other.dividend);
            let same_value = store.eq(value, other.value);
            let condition = store.implies(same_dividend, same_value);
            if condition != store.top() {
                self.pending.push(condition);
            }
        }
        self.all.push(ZeroDivision { operator, dividend, symbol, value });
        self.values.insert((operator, dividend), value);
        value
    }
    /// Hands the pending side conditions out at an assertion level.
    pub(crate) fn deliver(&mut self, level: usize) -> Vec<Term> {
        self.delivered.extend(self.pending.iter().map(|&condition| (level, condition)));
        std::mem::take(&mut self.pending)
    }
    /// Levels above `level` are gone.
    pub(crate) fn pop(&mut self, level: usize) {
        // Levels are delivered in ascending order between pops, so the lost ones are at the end.
        while let Some((_, condition)) = self.delivered.pop_if(|&mut (at, _)| at > level) {
            self.pending.push(condition);
        }
    }
    /// No assertion is left.
    pub(crate) fn retract_all(&mut self) {
        self.pending.extend(self.delivered.drain(..).map(|(_, condition)| condition));
    }
}
