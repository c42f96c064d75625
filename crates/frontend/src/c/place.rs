//! What can be assigned to: variables and elements of arrays.

use lang_c::ast::{BinaryOperator, Expression};
use lang_c::span::{Node, Span as Place};
use shofar_base::Diagnostic;
use shofar_term::Term;

use super::lower::Lowering;
use super::program::{Instruction, OUT_OF_BOUNDS, VarId};
use super::scope::Entity;
use super::types::{Arithmetic, Int};
use super::value::Val;

/// What can be assigned to: a variable, or an element of an array.
pub(super) struct Target {
    pub(super) variable: VarId,
    pub(super) indices: Vec<Term>,
    /// The place of the element.
    flat: Option<Term>,
}

impl Lowering<'_> {
    /// What an expression assigns to.
    pub(super) fn target(&mut self, node: &Node<Expression>) -> Result<Target, Diagnostic> {
        let mut subscripts = Vec::new();
        let mut base = node;
        while let Expression::BinaryOperator(index) = &base.node
            && index.node.operator.node == BinaryOperator::Index
        {
            subscripts.push(&*index.node.rhs);
            base = &index.node.lhs;
        }
        let Expression::Identifier(name) = &base.node else {
            return self.refuse(&base.span, "this as something to be assigned to or indexed");
        };
        let variable = match self.scopes.find(&name.node.name).cloned() {
            Some(Entity::Variable(variable) | Entity::Reference(variable)) => variable,
            Some(Entity::Refused(what)) => return self.refuse(&base.span, what),
            Some(Entity::Constant(..) | Entity::Function(_) | Entity::Type(_)) | None => {
                let message = format!("`{}` is no variable", name.node.name);
                return Err(Diagnostic::new(self.at(&base.span), message));
            }
        };
        let lengths = self.variables[variable].shape.lengths.clone();
        if lengths.len() != subscripts.len() {
            return self.refuse(&node.span, "an array as a whole");
        }
        let mut indices = Vec::with_capacity(subscripts.len());
        let mut flat: Option<Term> = None;
        for (subscript, &length) in subscripts.into_iter().rev().zip(&lengths) {
            let index = self.value(subscript)?.number(self.store);
            let (zero, end) = (self.store.int(0), self.store.int(length));
            let (above, below) = (self.store.ge(index, zero), self.store.lt(index, end));
            let inside = self.store.and(&[above, below]);
            self.check(inside, OUT_OF_BOUNDS, self.at(&subscript.span));
            flat = Some(match flat {
                Some(outer) => {
                    let rows = self.store.scale(&length.into(), outer);
                    self.store.add(&[rows, index])
                }
                None => index,
            });
            indices.push(index);
        }
        Ok(Target { variable, indices, flat })
    }
    pub(super) fn load(&mut self, target: &Target) -> Val {
        let int = self.variables[target.variable].shape.int;
        let term = self.read(target.variable);
        let Some(flat) = target.flat else { return Val::of_number(term, int) };
        let element = self.store.select(term, flat);
        // What is known of numbers of the type is known of elements as well.
        if !int.signed || self.arithmetic == Arithmetic::Checked {
            let range = int.range(self.store, element);
            if range != self.store.top() {
                self.emit(Instruction::Assume(range));
            }
        }
        Val::of_number(element, int)
    }
    pub(super) fn store_into(&mut self, target: &Target, value: Val, place: &Place) -> Val {
        let variable = target.variable;
        let int = self.variables[variable].shape.int;
        let value = value.converted(self, int).number(self.store);
        let span = self.at(place);
        let Some(flat) = target.flat else {
            self.emit(Instruction::Set { variable, value, span });
            return Val::of_number(self.read(variable), int);
        };
        let old = self.read(variable);
        let array = self.store.store(old, flat, value);
        let indices = target.indices.clone();
        self.emit(Instruction::SetElement { variable, indices, array, element: value, span });
        Val::of_number(value, int)
    }
    /// `x++` and the like.
    pub(super) fn step(
        &mut self,
        operand: &Node<Expression>,
        by: i64,
        is_old_wanted: bool,
        place: &Place,
    ) -> Result<Val, Diagnostic> {
        let target = self.target(operand)?;
        let old = self.load(&target);
        let one = Val::of_number(self.store.int(by), Int::INT);
        // Adding a negative number to an unsigned one wraps around to the same as subtracting.
        let one = one.converted(self, old.int.common(Int::INT));
        let new = self.computed(&BinaryOperator::Plus, old, one, place)?;
        if !is_old_wanted {
            return Ok(self.store_into(&target, new, place));
        }
        let variable = self.hidden("old", old.int);
        let (value, span) = (old.number(self.store), self.at(place));
        self.emit(Instruction::Set { variable, value, span });
        self.store_into(&target, new, place);
        Ok(Val::of_number(self.read(variable), old.int))
    }
}
