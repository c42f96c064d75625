//! Operands that are evaluated only sometimes: `a && b`, `a || b`, `c ? a : b`.
//!
//! Such an operand is lowered into a block of its own. If nothing happens there, the block is left
//! out and the value is a formula or a choice; else the program branches.

use lang_c::ast::{ConditionalExpression, Expression};
use lang_c::span::Node;
use shofar_base::Diagnostic;

use super::lower::Lowering;
use super::program::{BlockId, End, Instruction};
use super::types::Int;
use super::value::Val;

impl Lowering<'_> {
    /// Lowers an operand that is evaluated only sometimes: where it begins, where it ends, and
    /// whether nothing happens there.
    fn aside<T>(
        &mut self,
        lower: impl FnOnce(&mut Self) -> Result<T, Diagnostic>,
    ) -> Result<(T, BlockId, BlockId, bool), Diagnostic> {
        let before = self.body.current;
        let begin = self.new_block();
        self.body.current = begin;
        let value = lower(self)?;
        let end = std::mem::replace(&mut self.body.current, before);
        let is_pure = begin == end && self.body.blocks[begin].instructions.is_empty();
        Ok((value, begin, end, is_pure))
    }
    /// `a && b` or `a || b`.
    pub(super) fn connected(
        &mut self,
        lhs: &Node<Expression>,
        rhs: &Node<Expression>,
        is_and: bool,
    ) -> Result<Val, Diagnostic> {
        let first = self.condition(lhs)?;
        let (second, begin, end, is_pure) = self.aside(|this| this.condition(rhs))?;
        if is_pure {
            let both = [first, second];
            let formula = if is_and { self.store.and(&both) } else { self.store.or(&both) };
            return Ok(Val::of_truth(formula));
        }
        let (other, after) = (self.new_block(), self.new_block());
        let variable = self.hidden("condition", Int::BOOL);
        let (yes, no) = if is_and { (begin, other) } else { (other, begin) };
        let span = self.at(&lhs.span);
        self.end(End::Branch { condition: first, span: Some(span), yes, no });
        let decided = self.store.int(i64::from(!is_and));
        let second = Val::of_truth(second).number(self.store);
        for (block, value) in [(other, decided), (end, second)] {
            self.body.current = block;
            self.emit(Instruction::Set { variable, value, span });
            self.enter_block(after);
        }
        let value = Val::of_number(self.read(variable), Int::BOOL);
        Ok(Val::of_truth(value.truth(self.store)))
    }
    pub(super) fn conditional(
        &mut self,
        choice: &ConditionalExpression,
    ) -> Result<Option<Val>, Diagnostic> {
        let condition = self.condition(&choice.condition)?;
        let (a, yes, a_end, a_pure) = self.aside(|this| this.evaluate(&choice.then_expression))?;
        let (b, no, b_end, b_pure) = self.aside(|this| this.evaluate(&choice.else_expression))?;
        let int = a.zip(b).map(|(a, b)| a.int.common(b.int));
        let mut arms = [(a_end, a, None), (b_end, b, None)];
        for (end, value, converted) in &mut arms {
            if let (Some(value), Some(int)) = (value, int) {
                let before = std::mem::replace(&mut self.body.current, *end);
                *converted = Some(value.converted(self, int).number(self.store));
                self.body.current = before;
            }
        }
        if let ([(_, _, Some(a)), (_, _, Some(b))], Some(int), true) =
            (&arms, int, a_pure && b_pure)
        {
            return Ok(Some(Val::of_number(self.store.ite(condition, *a, *b), int)));
        }
        let span = self.at(&choice.condition.span);
        self.end(End::Branch { condition, span: Some(span), yes, no });
        let after = self.new_block();
        let variable = int.map(|int| self.hidden("choice", int));
        for (end, _, value) in arms {
            self.body.current = end;
            if let (Some(variable), Some(value)) = (variable, value) {
                self.emit(Instruction::Set { variable, value, span });
            }
            self.enter_block(after);
        }
        Ok(variable.zip(int).map(|(variable, int)| Val::of_number(self.read(variable), int)))
    }
}
