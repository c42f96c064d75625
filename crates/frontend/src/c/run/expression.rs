//! Expressions: code that leaves their value as the last operand.
//!
//! Operands are evaluated from the left to the right; where C leaves the order open and it matters,
//! the program has been refused.

use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, ConditionalExpression, Constant, Expression, Integer,
    IntegerBase, IntegerSize, UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::{Node, Span as Place};

use super::code::{Op, Shape, Var};
use super::compile::Compiler;
use super::compute::Binary;
use super::kind::{Kind, character, literal};
use super::scope::{Entity, Refusal, Type};

/// What can be assigned to.
struct Target {
    var: Var,
    kind: Kind,
    /// Whether it is an element, whose place is the last operand.
    is_element: bool,
}

impl Compiler<'_> {
    /// An expression that has a value.
    pub(super) fn value(&mut self, node: &Node<Expression>) -> Result<Kind, Refusal> {
        match self.evaluate(node)? {
            Some(kind) => Ok(kind),
            None => self.refuse(&node.span, "something without a value"),
        }
    }
    /// An expression whose value is not used.
    pub(super) fn discard(&mut self, node: &Node<Expression>) -> Result<(), Refusal> {
        if self.evaluate(node)?.is_some() {
            self.emit(Op::Drop, &node.span);
        }
        Ok(())
    }
    /// A condition; a text always holds.
    pub(super) fn truth(&mut self, node: &Node<Expression>) -> Result<(), Refusal> {
        if let Expression::StringLiteral(_) = node.node {
            self.emit(Op::Constant(1), &node.span);
            return Ok(());
        }
        self.value(node)?;
        self.emit(Op::Truth, &node.span);
        Ok(())
    }
    fn evaluate(&mut self, node: &Node<Expression>) -> Result<Option<Kind>, Refusal> {
        let place = &node.span;
        let kind = match &node.node {
            Expression::Identifier(name) => self.name(&name.node.name, place)?,
            Expression::Constant(constant) => self.literal(&constant.node, place)?,
            Expression::Call(call) => return self.call(&call.node, place),
            Expression::UnaryOperator(unary) => self.unary(&unary.node, place)?,
            Expression::BinaryOperator(binary) => self.binary(&binary.node, node)?,
            Expression::Conditional(choice) => return self.choice(&choice.node, place),
            Expression::Cast(cast) => match self.type_name(&cast.node.type_name.node)? {
                Type::Void => {
                    self.discard(&cast.node.expression)?;
                    return Ok(None);
                }
                Type::Data(shape) if !shape.is_array() => {
                    let kind = self.value(&cast.node.expression)?;
                    self.emit(Op::Convert(kind, shape.kind), place);
                    shape.kind
                }
                Type::Data(_) | Type::Function(_) | Type::Other(_) => {
                    return self.refuse(place, "this cast");
                }
            },
            Expression::Comma(parts) => {
                let Some((last, first)) = parts.split_last() else { return Ok(None) };
                for part in first {
                    self.discard(part)?;
                }
                return self.evaluate(last);
            }
            Expression::SizeOfTy(name) => match self.type_name(&name.node.0.node)? {
                Type::Data(shape) => self.size(&shape, place)?,
                Type::Void | Type::Function(_) | Type::Other(_) => {
                    return self.refuse(place, "this size");
                }
            },
            Expression::SizeOfVal(operand) => self.size_of(&operand.node.0, place)?,
            Expression::Statement(statement) => {
                self.statement(statement)?;
                return Ok(None);
            }
            Expression::StringLiteral(_)
            | Expression::GenericSelection(_)
            | Expression::Member(_)
            | Expression::CompoundLiteral(_)
            | Expression::AlignOf(_)
            | Expression::OffsetOf(_)
            | Expression::VaArg(_) => return self.refuse(place, "this kind of expression"),
        };
        Ok(Some(kind))
    }
    fn name(&mut self, name: &str, place: &Place) -> Result<Kind, Refusal> {
        let start = self.at(place).start;
        let named = self.constants.iter().find(|c| c.name == name && c.from <= start);
        if let Some(constant) = named {
            let (number, int) = (constant.value.value, constant.value.int);
            self.emit(Op::Constant(number), place);
            return Ok(Kind::new(int.bits, int.signed));
        }
        match self.scopes.find(name).cloned() {
            Some(Entity::Variable(var, shape)) if !shape.is_array() => {
                self.emit(Op::Load(var), place);
                Ok(shape.kind)
            }
            Some(Entity::Constant(number, kind)) => {
                self.emit(Op::Constant(number), place);
                Ok(kind)
            }
            Some(Entity::Other(what)) => self.refuse(place, what),
            Some(
                Entity::Variable(..) | Entity::Passed(..) | Entity::Type(_) | Entity::Function(_),
            )
            | None => self.refuse(place, &format!("`{name}` here")),
        }
    }
    fn literal(&mut self, constant: &Constant, place: &Place) -> Result<Kind, Refusal> {
        let known = match constant {
            Constant::Integer(integer) if integer.suffix.imaginary => None,
            Constant::Integer(Integer { base, number, suffix }) => {
                let base = match base {
                    IntegerBase::Decimal => 10,
                    IntegerBase::Octal => 8,
                    IntegerBase::Hexadecimal => 16,
                    IntegerBase::Binary => 2,
                };
                let longs = match suffix.size {
                    IntegerSize::Int => 0,
                    IntegerSize::Long => 1,
                    IntegerSize::LongLong => 2,
                };
                literal(self.model, (number, base), suffix.unsigned, longs)
            }
            Constant::Character(written) => character(written).map(|number| (number, Kind::INT)),
            Constant::Float(_) => None,
        };
        let Some((number, kind)) = known else { return self.refuse(place, "this constant") };
        self.emit(Op::Constant(number), place);
        Ok(kind)
    }
    fn size(&mut self, shape: &Shape, place: &Place) -> Result<Kind, Refusal> {
        let Some(count) = shape.count() else { return self.refuse(place, "this size") };
        self.emit(Op::Constant(shape.kind.bytes() * i128::from(count)), place);
        Ok(self.model.size())
    }
    /// The size of an expression, which is not evaluated.
    fn size_of(&mut self, operand: &Node<Expression>, place: &Place) -> Result<Kind, Refusal> {
        let entity = if let Expression::Identifier(name) = &operand.node {
            self.scopes.find(&name.node.name).cloned()
        } else {
            None
        };
        match entity {
            Some(Entity::Variable(_, shape)) => self.size(&shape, place),
            // A parameter is a pointer.
            Some(Entity::Passed(..)) => self.size(&Shape::number(self.model.size()), place),
            Some(
                Entity::Constant(..) | Entity::Type(_) | Entity::Function(_) | Entity::Other(_),
            )
            | None => {
                let kind = self.kind_of(operand)?;
                self.size(&Shape::number(kind), place)
            }
        }
    }

    fn unary(&mut self, unary: &UnaryOperatorExpression, place: &Place) -> Result<Kind, Refusal> {
        let operand = &unary.operand;
        let op = match unary.operator.node {
            UnaryOperator::PostIncrement => return self.step(operand, Binary::Add, true, place),
            UnaryOperator::PostDecrement => {
                return self.step(operand, Binary::Subtract, true, place);
            }
            UnaryOperator::PreIncrement => return self.step(operand, Binary::Add, false, place),
            UnaryOperator::PreDecrement => {
                return self.step(operand, Binary::Subtract, false, place);
            }
            UnaryOperator::Address | UnaryOperator::Indirection => {
                return self.refuse(place, "a pointer");
            }
            UnaryOperator::Negate => {
                self.truth(operand)?;
                self.emit(Op::Not, place);
                return Ok(Kind::INT);
            }
            UnaryOperator::Plus => None,
            UnaryOperator::Minus => Some(Op::Negate as fn(Kind) -> Op),
            UnaryOperator::Complement => Some(Op::Complement as fn(Kind) -> Op),
        };
        let kind = self.value(operand)?;
        let wide = kind.promoted();
        self.emit(Op::Convert(kind, wide), &operand.span);
        if let Some(op) = op {
            self.emit(op(wide), place);
        }
        Ok(wide)
    }
    fn binary(
        &mut self,
        BinaryOperatorExpression { operator, lhs, rhs }: &BinaryOperatorExpression,
        node: &Node<Expression>,
    ) -> Result<Kind, Refusal> {
        let place = &node.span;
        match meaning(&operator.node) {
            Meaning::Index => {
                let target = self.target(node)?;
                self.load(&target, 0, place);
                self.emit(Op::DropBelow, place);
                Ok(target.kind)
            }
            Meaning::Connect(is_and) => self.connect(lhs, rhs, is_and),
            Meaning::Compute(operator) => {
                let a = self.value(lhs)?;
                let at = self.body.code.len();
                self.emit(Op::Convert(a, a), &lhs.span);
                let b = self.value(rhs)?;
                let (kind, wide) = operands(operator, a, b);
                // The left operand could not be converted before the type of the right one was
                // known.
                self.body.code[at].0 = Op::Convert(a, wide.0);
                self.emit(Op::Convert(b, wide.1), &rhs.span);
                self.emit(Op::Compute(operator, wide.0), place);
                Ok(kind)
            }
            Meaning::Assign(operator) => {
                let target = self.target(lhs)?;
                let mut value = self.value(rhs)?;
                if let Some(operator) = operator {
                    let (kind, wide) = operands(operator, target.kind, value);
                    self.emit(Op::Convert(value, wide.1), &rhs.span);
                    self.load(&target, 1, place);
                    self.emit(Op::Convert(target.kind, wide.0), &lhs.span);
                    self.emit(Op::Swap, place);
                    self.emit(Op::Compute(operator, wide.0), place);
                    value = kind;
                }
                self.emit(Op::Convert(value, target.kind), place);
                self.store(&target, 1, place);
                if target.is_element {
                    self.emit(Op::DropBelow, place);
                }
                Ok(target.kind)
            }
        }
    }
    /// `a && b` and `a || b`.
    fn connect(
        &mut self,
        lhs: &Node<Expression>,
        rhs: &Node<Expression>,
        is_and: bool,
    ) -> Result<Kind, Refusal> {
        let (decided, after) = (self.body.label(), self.body.label());
        self.truth(lhs)?;
        self.emit(Op::Decide, &lhs.span);
        let jump = if is_and { Op::JumpIfZero(decided) } else { Op::JumpUnlessZero(decided) };
        self.emit(jump, &lhs.span);
        self.truth(rhs)?;
        self.emit(Op::Jump(after), &rhs.span);
        self.body.depth -= 1;
        self.body.set(decided);
        self.emit(Op::Constant(i128::from(!is_and)), &lhs.span);
        self.body.set(after);
        Ok(Kind::INT)
    }
    /// `c ? a : b`.
    fn choice(
        &mut self,
        choice: &ConditionalExpression,
        place: &Place,
    ) -> Result<Option<Kind>, Refusal> {
        let (other, after) = (self.body.label(), self.body.label());
        self.truth(&choice.condition)?;
        self.emit(Op::Decide, &choice.condition.span);
        self.emit(Op::JumpIfZero(other), &choice.condition.span);
        let before = self.body.depth;
        let a = self.evaluate(&choice.then_expression)?;
        // What is done with the value depends on the type of the other one.
        let at = self.body.code.len();
        self.emit(Op::Jump(after), place);
        self.emit(Op::Jump(after), place);
        self.body.depth = before;
        self.body.set(other);
        let b = self.evaluate(&choice.else_expression)?;
        let common = a.zip(b).map(|(a, b)| a.common(b));
        match (a, b, common) {
            (Some(a), Some(b), Some(common)) => {
                self.body.code[at].0 = Op::Convert(a, common);
                self.emit(Op::Convert(b, common), place);
            }
            (Some(_), None, _) => self.body.code[at].0 = Op::Drop,
            (None, Some(_), _) => self.emit(Op::Drop, place),
            (_, _, _) => {}
        }
        self.body.set(after);
        Ok(common)
    }

    /// What an expression assigns to; the place of an element becomes an operand.
    fn target(&mut self, node: &Node<Expression>) -> Result<Target, Refusal> {
        let (mut subscripts, mut base) = (Vec::new(), node);
        while let Expression::BinaryOperator(index) = &base.node
            && index.node.operator.node == BinaryOperator::Index
        {
            subscripts.push(&index.node.rhs);
            base = &index.node.lhs;
        }
        let entity = if let Expression::Identifier(name) = &base.node {
            self.scopes.find(&name.node.name).cloned()
        } else {
            None
        };
        let Some(Entity::Variable(var, shape) | Entity::Passed(var, shape)) = entity else {
            return self.refuse(&base.span, "this as something to assign to");
        };
        if shape.lengths.len() != subscripts.len() {
            return self.refuse(&node.span, "an array as a whole");
        }
        for (dimension, subscript) in subscripts.into_iter().rev().enumerate() {
            self.value(subscript)?;
            self.emit(Op::Subscript { array: var, dimension }, &subscript.span);
        }
        Ok(Target { var, kind: shape.kind, is_element: shape.is_array() })
    }
    /// The value of a place that lies so far below the last operand, if it is an element.
    fn load(&mut self, target: &Target, below: usize, place: &Place) {
        self.emit(
            if target.is_element {
                Op::LoadElement { array: target.var, below }
            } else {
                Op::Load(target.var)
            },
            place,
        );
    }
    fn store(&mut self, target: &Target, below: usize, place: &Place) {
        self.emit(
            if target.is_element {
                Op::StoreElement { array: target.var, below }
            } else {
                Op::Store(target.var)
            },
            place,
        );
    }
    /// `x++` and the like.
    fn step(
        &mut self,
        operand: &Node<Expression>,
        operator: Binary,
        is_old_wanted: bool,
        place: &Place,
    ) -> Result<Kind, Refusal> {
        let target = self.target(operand)?;
        self.load(&target, 0, place);
        if is_old_wanted {
            self.emit(Op::Copy, place);
        }
        let wide = target.kind.common(Kind::INT);
        self.emit(Op::Convert(target.kind, wide), place);
        self.emit(Op::Constant(1), place);
        self.emit(Op::Compute(operator, wide), place);
        self.emit(Op::Convert(wide, target.kind), place);
        self.store(&target, if is_old_wanted { 2 } else { 1 }, place);
        if is_old_wanted {
            self.emit(Op::Drop, place);
        }
        if target.is_element {
            self.emit(Op::DropBelow, place);
        }
        Ok(target.kind)
    }
}

/// The type of the result, and those that the operands are converted to.
fn operands(operator: Binary, a: Kind, b: Kind) -> (Kind, (Kind, Kind)) {
    if operator.is_shift() {
        return (a.promoted(), (a.promoted(), b.promoted()));
    }
    let common = a.common(b);
    (if operator.compares() { Kind::INT } else { common }, (common, common))
}

/// What an operator does.
enum Meaning {
    Index,
    Connect(bool),
    Compute(Binary),
    Assign(Option<Binary>),
}

fn meaning(operator: &BinaryOperator) -> Meaning {
    match operator {
        BinaryOperator::Index => Meaning::Index,
        BinaryOperator::LogicalAnd => Meaning::Connect(true),
        BinaryOperator::LogicalOr => Meaning::Connect(false),
        BinaryOperator::Multiply => Meaning::Compute(Binary::Multiply),
        BinaryOperator::Divide => Meaning::Compute(Binary::Divide),
        BinaryOperator::Modulo => Meaning::Compute(Binary::Remainder),
        BinaryOperator::Plus => Meaning::Compute(Binary::Add),
        BinaryOperator::Minus => Meaning::Compute(Binary::Subtract),
        BinaryOperator::ShiftLeft => Meaning::Compute(Binary::Left),
        BinaryOperator::ShiftRight => Meaning::Compute(Binary::Right),
        BinaryOperator::Less => Meaning::Compute(Binary::Less),
        BinaryOperator::Greater => Meaning::Compute(Binary::Greater),
        BinaryOperator::LessOrEqual => Meaning::Compute(Binary::LessEqual),
        BinaryOperator::GreaterOrEqual => Meaning::Compute(Binary::GreaterEqual),
        BinaryOperator::Equals => Meaning::Compute(Binary::Equal),
        BinaryOperator::NotEquals => Meaning::Compute(Binary::Unequal),
        BinaryOperator::BitwiseAnd => Meaning::Compute(Binary::And),
        BinaryOperator::BitwiseXor => Meaning::Compute(Binary::Xor),
        BinaryOperator::BitwiseOr => Meaning::Compute(Binary::Or),
        BinaryOperator::Assign => Meaning::Assign(None),
        BinaryOperator::AssignMultiply => Meaning::Assign(Some(Binary::Multiply)),
        BinaryOperator::AssignDivide => Meaning::Assign(Some(Binary::Divide)),
        BinaryOperator::AssignModulo => Meaning::Assign(Some(Binary::Remainder)),
        BinaryOperator::AssignPlus => Meaning::Assign(Some(Binary::Add)),
        BinaryOperator::AssignMinus => Meaning::Assign(Some(Binary::Subtract)),
        BinaryOperator::AssignShiftLeft => Meaning::Assign(Some(Binary::Left)),
        BinaryOperator::AssignShiftRight => Meaning::Assign(Some(Binary::Right)),
        BinaryOperator::AssignBitwiseAnd => Meaning::Assign(Some(Binary::And)),
        BinaryOperator::AssignBitwiseXor => Meaning::Assign(Some(Binary::Xor)),
        BinaryOperator::AssignBitwiseOr => Meaning::Assign(Some(Binary::Or)),
    }
}
