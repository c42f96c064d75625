//! Expressions: what they compute is a term, what they do are instructions.

use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, Constant, Expression, Identifier, Integer,
    IntegerBase, IntegerSize, UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::{Node, Span as Place};
use shofar_base::Diagnostic;
use shofar_term::{Sort, Term};

use super::effects::{Effects, combined, is_assignment};
use super::lower::Lowering;
use super::place::Target;
use super::program::Shape;
use super::scope::{CType, Entity};
use super::source::Constant as NamedConstant;
use super::types::{DataModel, Least, Literal};
use super::value::Val;

impl Lowering<'_> {
    /// An expression that stands by itself.
    pub(super) fn full(&mut self, node: &Node<Expression>) -> Result<Option<Val>, Diagnostic> {
        self.begin(node);
        self.evaluate(node)
    }
    /// Takes note of an expression that stands by itself, before it is evaluated.
    pub(super) fn begin(&mut self, node: &Node<Expression>) {
        self.is_order_relevant = Effects::of_expression(node).has_any();
        self.full = self.at(&node.span);
    }
    pub(super) fn value(&mut self, node: &Node<Expression>) -> Result<Val, Diagnostic> {
        match self.evaluate(node)? {
            Some(value) => Ok(value),
            None => Err(Diagnostic::new(self.at(&node.span), "this has no value")),
        }
    }
    /// Whether a value is not zero; a text never is, so it can be a comment in an assertion.
    pub(super) fn condition(&mut self, node: &Node<Expression>) -> Result<Term, Diagnostic> {
        if let Expression::StringLiteral(_) = node.node {
            return Ok(self.store.top());
        }
        Ok(self.value(node)?.truth(self.store))
    }
    pub(super) fn evaluate(&mut self, node: &Node<Expression>) -> Result<Option<Val>, Diagnostic> {
        let place = &node.span;
        let value = match &node.node {
            Expression::Identifier(name) => self.name(&name.node, place)?,
            Expression::Constant(constant) => self.literal(&constant.node, place)?,
            Expression::Call(call) => return self.call(&call.node, place),
            Expression::UnaryOperator(unary) => self.unary(&unary.node, place)?,
            Expression::BinaryOperator(binary) => self.binary(&binary.node, node)?,
            Expression::Conditional(choice) => return self.conditional(&choice.node),
            Expression::Cast(cast) => match self.type_name(&cast.node.type_name.node)? {
                CType::Void => {
                    self.evaluate(&cast.node.expression)?;
                    return Ok(None);
                }
                CType::Data(shape) if !shape.is_array() => {
                    self.value(&cast.node.expression)?.converted(self, shape.int)
                }
                CType::Refused(what) => return self.refuse(&cast.node.type_name.span, what),
                CType::Data(_) | CType::Function(_) => {
                    return self.refuse(&cast.node.type_name.span, "this type in a cast");
                }
            },
            Expression::Comma(parts) => {
                let (last, first) = parts.split_last().expect("a comma separates something");
                for part in first {
                    self.evaluate(part)?;
                }
                return self.evaluate(last);
            }
            Expression::SizeOfTy(name) => match self.type_name(&name.node.0.node)? {
                CType::Data(shape) => self.size(&shape),
                CType::Refused(what) => return self.refuse(place, what),
                CType::Void | CType::Function(_) => return self.refuse(place, "such a size"),
            },
            Expression::SizeOfVal(operand) => return self.size_of(&operand.node.0).map(Some),
            Expression::Statement(statement) => {
                let was_relevant = self.is_order_relevant;
                self.statement(statement)?;
                self.is_order_relevant = was_relevant;
                return Ok(None);
            }
            Expression::StringLiteral(_) => return self.refuse(place, "a string"),
            Expression::GenericSelection(_) => return self.refuse(place, "a generic selection"),
            Expression::Member(_) => return self.refuse(place, "a structure or union"),
            Expression::CompoundLiteral(_) => return self.refuse(place, "a compound literal"),
            Expression::AlignOf(_) => return self.refuse(place, "an alignment"),
            Expression::OffsetOf(_) => return self.refuse(place, "an offset"),
            Expression::VaArg(_) => return self.refuse(place, "a variable argument"),
        };
        Ok(Some(value))
    }
    fn name(&mut self, name: &Identifier, place: &Place) -> Result<Val, Diagnostic> {
        let at = self.at(place);
        let own = name.name.as_str();
        let is_it = |constant: &&NamedConstant| constant.name == own && constant.from <= at.start;
        if let Some(constant) = self.constants.iter().find(is_it) {
            let number = self.store.number(constant.value.number(), Sort::INT);
            return Ok(Val::of_number(number, constant.value.int));
        }
        match self.scopes.find(own).cloned() {
            Some(Entity::Variable(variable)) => {
                let shape = self.variables[variable].shape.clone();
                if shape.is_array() {
                    return self.refuse(place, "an array as a whole");
                }
                Ok(Val::of_number(self.read(variable), shape.int))
            }
            Some(Entity::Reference(_)) => self.refuse(place, "an array as a whole"),
            Some(Entity::Constant(value, int)) => {
                Ok(Val::of_number(self.store.number(value, Sort::INT), int))
            }
            Some(Entity::Function(_)) => self.refuse(place, "a function pointer"),
            Some(Entity::Refused(what)) => self.refuse(place, what),
            Some(Entity::Type(_)) => Err(Diagnostic::new(at, "this is a type")),
            None => Err(Diagnostic::new(at, format!("`{own}` is not declared"))),
        }
    }
    fn size(&mut self, shape: &Shape) -> Val {
        let count: i64 = shape.lengths.iter().product();
        let bytes = self.store.int(shape.int.bytes().saturating_mul(count));
        Val::of_number(bytes, self.model.size())
    }
    /// The size of what an expression is; it is not evaluated.
    fn size_of(&mut self, operand: &Node<Expression>) -> Result<Val, Diagnostic> {
        let entity = if let Expression::Identifier(name) = &operand.node {
            self.scopes.find(&name.node.name).cloned()
        } else {
            None
        };
        if let Some(Entity::Variable(variable)) = entity {
            let shape = self.variables[variable].shape.clone();
            return Ok(self.size(&shape));
        }
        if let Some(Entity::Reference(_)) = entity {
            // A parameter is a pointer, whatever it stands for.
            return Ok(self.size(&Shape::number(self.model.long())));
        }
        let (value, _) = self.in_scratch(|this| this.value(operand));
        let shape = Shape::number(value?.int);
        Ok(self.size(&shape))
    }

    fn unary(&mut self, unary: &UnaryOperatorExpression, place: &Place) -> Result<Val, Diagnostic> {
        let operand = &unary.operand;
        match unary.operator.node {
            UnaryOperator::PostIncrement => self.step(operand, 1, true, place),
            UnaryOperator::PostDecrement => self.step(operand, -1, true, place),
            UnaryOperator::PreIncrement => self.step(operand, 1, false, place),
            UnaryOperator::PreDecrement => self.step(operand, -1, false, place),
            UnaryOperator::Address => self.refuse(place, "the address of something"),
            UnaryOperator::Indirection => self.refuse(place, "a pointer"),
            UnaryOperator::Plus => {
                let value = self.value(operand)?;
                let int = value.int.promoted();
                Ok(value.converted(self, int))
            }
            UnaryOperator::Minus => {
                let value = self.value(operand)?;
                Ok(self.negate(value, place))
            }
            UnaryOperator::Complement => {
                let value = self.value(operand)?;
                Ok(self.complement(value))
            }
            UnaryOperator::Negate => {
                let formula = self.condition(operand)?;
                Ok(Val::of_truth(self.store.not(formula)))
            }
        }
    }
    fn binary(
        &mut self,
        binary: &BinaryOperatorExpression,
        node: &Node<Expression>,
    ) -> Result<Val, Diagnostic> {
        let BinaryOperatorExpression { operator, lhs, rhs } = binary;
        let place = &node.span;
        let operator = &operator.node;
        if *operator == BinaryOperator::Index {
            let target = self.target(node)?;
            return Ok(self.load(&target));
        }
        if matches!(operator, BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr) {
            return self.connected(lhs, rhs, *operator == BinaryOperator::LogicalAnd);
        }
        if !is_assignment(operator) {
            self.check_order(lhs, rhs)?;
            let a = self.value(lhs)?;
            let (a, b) = self.keeping_one(a, |this| this.value(rhs));
            return self.computed(operator, a, b?, place);
        }
        self.check_assignment(lhs, rhs)?;
        let Target { variable, indices } = self.target(lhs)?;
        let (indices, value) = self.keeping(indices, |this| this.value(rhs));
        let (target, mut value) = (Target { variable, indices }, value?);
        if let Some(operator) = combined(operator) {
            self.check_order(lhs, rhs)?;
            let old = self.load(&target);
            value = self.computed(operator, old, value, place)?;
        }
        Ok(self.store_into(&target, value, place))
    }
    fn literal(&mut self, constant: &Constant, place: &Place) -> Result<Val, Diagnostic> {
        let literal = match constant {
            Constant::Integer(integer) if integer.suffix.imaginary => {
                return self.refuse(place, "a complex number");
            }
            Constant::Integer(integer) => of_integer(self.model, integer),
            Constant::Float(_) => return self.refuse(place, "a floating-point number"),
            Constant::Character(text) => Literal::parse(self.model, text),
        };
        match literal {
            Some(literal) => {
                let number = self.store.number(literal.number(), Sort::INT);
                Ok(Val::of_number(number, literal.int))
            }
            None => self.refuse(place, "this constant"),
        }
    }
}

fn of_integer(model: DataModel, integer: &Integer) -> Option<Literal> {
    let base = match integer.base {
        IntegerBase::Decimal => 10,
        IntegerBase::Octal => 8,
        IntegerBase::Hexadecimal => 16,
        IntegerBase::Binary => 2,
    };
    let least = match integer.suffix.size {
        IntegerSize::Int => Least::Int,
        IntegerSize::Long => Least::Long,
        IntegerSize::LongLong => Least::LongLong,
    };
    Literal::new(model, (&integer.number, base), integer.suffix.unsigned, least)
}
