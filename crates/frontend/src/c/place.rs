//! What can be assigned to: variables and elements of arrays.
//!
//! The value of an assignment is wanted behind the store: that to a variable is the variable then,
//! that to an element waits (see `pending`) while the array is written, which it may mention.

use lang_c::ast::{BinaryOperator, Expression};
use lang_c::span::{Node, Span as Place};
use shofar_base::Diagnostic;
use shofar_term::Term;

use super::lower::Lowering;
use super::program::{Instruction, OUT_OF_BOUNDS, VarId};
use super::scope::Entity;
use super::types::Int;
use super::value::Val;

/// What can be assigned to: a variable, or an element of an array.
pub(super) struct Target {
    pub(super) variable: VarId,
    /// One for each dimension.
    pub(super) indices: Vec<Val>,
}

impl Lowering<'_> {
    /// What an expression assigns to.
    pub(super) fn target(&mut self, node: &Node<Expression>) -> Result<Target, Diagnostic> {
        let (base, subscripts) = subscripted(node);
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
        self.check_subscripts(base, &subscripts)?;
        let places = subscripts.into_iter().zip(lengths);
        let indices = self.in_turn(places, |this, (subscript, length)| {
            let value = this.value(subscript)?;
            let index = value.number(this.store);
            let (zero, end) = (this.store.int(0), this.store.int(length));
            let (above, below) = (this.store.ge(index, zero), this.store.lt(index, end));
            let inside = this.store.and(&[above, below]);
            this.check(inside, OUT_OF_BOUNDS, this.at(&subscript.span));
            Ok(value)
        })?;
        Ok(Target { variable, indices })
    }
    /// The indices as numbers, and the place of the element in the array; nothing for a variable.
    fn element_of(&mut self, target: &Target) -> Option<(Vec<Term>, Term)> {
        let store = &mut *self.store;
        let indices: Vec<Term> = target.indices.iter().map(|index| index.number(store)).collect();
        let lengths = &self.variables[target.variable].shape.lengths;
        let mut flat: Option<Term> = None;
        for (&index, &length) in indices.iter().zip(lengths) {
            flat = Some(match flat {
                Some(outer) => {
                    let rows = store.scale(&length.into(), outer);
                    store.add(&[rows, index])
                }
                None => index,
            });
        }
        flat.map(|flat| (indices, flat))
    }
    pub(super) fn load(&mut self, target: &Target) -> Val {
        let int = self.variables[target.variable].shape.int;
        let term = self.read(target.variable);
        let Some((_, flat)) = self.element_of(target) else { return Val::of_number(term, int) };
        let element = self.store.select(term, flat);
        // What is known of numbers of the type is known of elements as well; else, of the element
        // that was there in the beginning.
        let bounded = if int.is_bounded(self.arithmetic) {
            Some(element)
        } else {
            let first = self.body.first_values.get(&target.variable).copied();
            first.map(|first| {
                let first = self.read(first);
                self.store.select(first, flat)
            })
        };
        if let Some(bounded) = bounded {
            let range = int.range(self.store, bounded);
            if range != self.store.top() {
                self.emit(Instruction::Assume(range));
            }
        }
        Val::of_number(element, int)
    }
    pub(super) fn store_into(&mut self, target: &Target, value: Val, place: &Place) -> Val {
        let variable = target.variable;
        let int = self.variables[variable].shape.int;
        let value = value.converted(self, int);
        let (element, span) = (value.number(self.store), self.at(place));
        let Some((indices, flat)) = self.element_of(target) else {
            self.emit(Instruction::Set { variable, value: element, span });
            return Val::of_number(self.read(variable), int);
        };
        let old = self.read(variable);
        let array = self.store.store(old, flat, element);
        let set = Instruction::SetElement { variable, indices, array, element, span };
        self.keeping_one(value, |this| this.emit(set)).0
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
        Ok(self.keeping_one(old, |this| this.store_into(&target, new, place)).0)
    }
}

/// What is indexed, and by what, from the outside to the inside.
pub(super) fn subscripted(node: &Node<Expression>) -> (&Node<Expression>, Vec<&Node<Expression>>) {
    let (mut base, mut subscripts) = (node, Vec::new());
    while let Expression::BinaryOperator(index) = &base.node
        && index.node.operator.node == BinaryOperator::Index
    {
        subscripts.push(&*index.node.rhs);
        base = &index.node.lhs;
    }
    subscripts.reverse();
    (base, subscripts)
}
