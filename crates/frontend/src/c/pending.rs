//! Values that wait while something else is evaluated.
//!
//! A value is a term over the variables of the program, and means what these are worth where it is
//! used. So a value that is evaluated first and used later may speak of a variable that has another
//! value by then: in `x = ++a[0]` the value of `++a[0]` is `a[0] + 1` for the old `a`.
//!
//! Invariant: a value that is still needed mentions no variable that an instruction emitted since
//! has written. Who needs a value behind something that may emit instructions lets it wait here
//! ([`Lowering::keeping`], [`Lowering::in_turn`]). Before a variable is written, every waiting
//! value that mentions it goes into a hidden variable, at the place where it began to wait: that
//! lies on every path to here, and there the value was true. Values that nothing writes stay as
//! they are, so that clauses do not grow.
//!
//! A hidden variable is written once each time before it is read, so no waiting value mentions one
//! that is written.

use shofar_base::{Diagnostic, Set};
use shofar_term::Symbol;
use shofar_term::symbols::free_symbols;

use super::invariant::source_name;
use super::lower::Lowering;
use super::parameters::Callable;
use super::program::{BlockId, Instruction, Role, VarId, Variable};
use super::value::Val;

/// A value that waits.
pub(super) struct Pending {
    value: Val,
    /// Where it began to wait: in front of which instruction of which block.
    block: BlockId,
    place: usize,
    /// What it mentions, as soon as this has been asked.
    mentioned: Option<Set<Symbol>>,
}

impl Lowering<'_> {
    /// What `then` gives, and the values as they were before it.
    pub(super) fn keeping<T>(
        &mut self,
        values: Vec<Val>,
        then: impl FnOnce(&mut Self) -> T,
    ) -> (Vec<Val>, T) {
        let base = self.body.pending.len();
        for value in values {
            self.wait(value);
        }
        let given = then(self);
        (self.waited(base), given)
    }
    /// The same for one value.
    pub(super) fn keeping_one<T>(
        &mut self,
        value: Val,
        then: impl FnOnce(&mut Self) -> T,
    ) -> (Val, T) {
        let base = self.body.pending.len();
        self.wait(value);
        let given = then(self);
        let value = self.waited(base).pop().expect("one value waits");
        (value, given)
    }
    /// The values of several things that are evaluated one after the other.
    pub(super) fn in_turn<T>(
        &mut self,
        things: impl IntoIterator<Item = T>,
        mut evaluate: impl FnMut(&mut Self, T) -> Result<Val, Diagnostic>,
    ) -> Result<Vec<Val>, Diagnostic> {
        let base = self.body.pending.len();
        let mut outcome = Ok(());
        for thing in things {
            match evaluate(self, thing) {
                Ok(value) => self.wait(value),
                Err(error) => {
                    outcome = Err(error);
                    break;
                }
            }
        }
        let values = self.waited(base);
        outcome.map(|()| values)
    }
    /// A value that nothing can change any more: what others could write goes into a hidden
    /// variable at once.
    pub(super) fn settled(&mut self, value: Val) -> Val {
        let mut is_fixed = true;
        for symbol in free_symbols(self.store, &[value.term()]) {
            let term = self.store.constant(symbol);
            let variable = self.body.variables.get(&term);
            is_fixed &= variable.is_some_and(|&id| self.variables[id].role == Role::Hidden);
        }
        if is_fixed {
            return value;
        }
        let place = self.body.blocks[self.body.current].instructions.len();
        self.snapshot(value, self.body.current, place)
    }

    fn wait(&mut self, value: Val) {
        let block = self.body.current;
        let place = self.body.blocks[block].instructions.len();
        self.body.pending.push(Pending { value, block, place, mentioned: None });
    }
    fn waited(&mut self, base: usize) -> Vec<Val> {
        self.body.pending.split_off(base).into_iter().map(|pending| pending.value).collect()
    }
    fn mentioned(&mut self, value: Val) -> Set<Symbol> {
        free_symbols(self.store, &[value.term()]).into_iter().collect()
    }
    /// Saves the values that wait and mention a variable, which is going to be written.
    pub(super) fn before_write(&mut self, variable: VarId) {
        if self.variables[variable].role == Role::Hidden {
            return;
        }
        let Some(symbol) = self.store.symbol(self.variables[variable].term) else { return };
        for at in 0..self.body.pending.len() {
            if self.body.pending[at].mentioned.is_none() {
                let mentioned = self.mentioned(self.body.pending[at].value);
                self.body.pending[at].mentioned = Some(mentioned);
            }
            let Pending { value, block, place, mentioned } = &self.body.pending[at];
            if mentioned.as_ref().is_some_and(|known| known.contains(&symbol)) {
                let (value, block, place) = (*value, *block, *place);
                let saved = self.snapshot(value, block, place);
                let pending = &mut self.body.pending[at];
                (pending.value, pending.mentioned) = (saved, Some(Set::default()));
            }
        }
    }
    /// Saves the values that wait and mention a global variable that a function may write, which is
    /// going to be called.
    pub(super) fn before_call(&mut self, callee: &Callable<'_>) {
        if self.body.pending.is_empty() {
            return;
        }
        let is_written = |variable: &Variable| callee.shared.writes(source_name(variable));
        let globals = self.globals.iter().map(|&(id, _)| id);
        let written: Vec<VarId> = globals.filter(|&id| is_written(&self.variables[id])).collect();
        for variable in written {
            self.before_write(variable);
        }
    }
    /// A hidden variable that gets the value in front of the instruction with this number.
    fn snapshot(&mut self, value: Val, block: BlockId, place: usize) -> Val {
        let int = value.stored_as();
        let variable = self.hidden("kept", int);
        let (number, span) = (value.number(self.store), self.full);
        let set = Instruction::Set { variable, value: number, span };
        self.body.blocks[block].instructions.insert(place, set);
        for other in &mut self.body.pending {
            if other.block == block && other.place >= place {
                other.place += 1;
            }
        }
        let term = self.read(variable);
        value.replaced(term, self.store)
    }
}
