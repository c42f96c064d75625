//! Expressions: what they compute is a term, what they do are instructions.
//!
//! An operand that is evaluated only sometimes (`a && b`, `c ? a : b`) is lowered into a block of its own. If nothing happens
//! there, the block is left out and the value is a formula or a choice; else the program branches.

use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, ConditionalExpression, Constant, Expression,
    Identifier, Integer, IntegerBase, IntegerSize, UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::{Node, Span as Place};
use shofar_base::Diagnostic;
use shofar_term::{Sort, Term, TermStore};

use super::effects::{Effects, combined, is_assignment};
use super::lower::Lowering;
use super::program::{BlockId, End, Instruction, Shape, VarId};
use super::scope::{CType, Entity};
use super::source::Constant as NamedConstant;
use super::types::{Arithmetic, Int, Literal, convert};

/// The value of an expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct Val {
    form: Form,
    pub(super) int: Int,
}

#[derive(Clone, Copy, Debug)]
enum Form {
    Number(Term),
    /// 1 if the formula holds, else 0.
    Truth(Term),
}

impl Val {
    pub(super) fn of_number(number: Term, int: Int) -> Self {
        Self { form: Form::Number(number), int }
    }
    pub(super) fn of_truth(formula: Term) -> Self {
        Self { form: Form::Truth(formula), int: Int::INT }
    }
    pub(super) fn number(self, store: &mut TermStore) -> Term {
        match self.form {
            Form::Number(number) => number,
            Form::Truth(formula) => {
                let (one, zero) = (store.int(1), store.int(0));
                store.ite(formula, one, zero)
            }
        }
    }
    /// Whether it is not zero.
    pub(super) fn truth(self, store: &mut TermStore) -> Term {
        match self.form {
            Form::Truth(formula) => formula,
            Form::Number(number) => {
                let zero = store.int(0);
                let is_zero = store.eq(number, zero);
                store.not(is_zero)
            }
        }
    }
    /// Whether it can be nothing but 0 or 1.
    pub(super) fn is_bit(self) -> bool {
        matches!(self.form, Form::Truth(_)) || self.int == Int::BOOL
    }
    pub(super) fn converted(self, lowering: &mut Lowering<'_>, to: Int) -> Self {
        let store = &mut *lowering.store;
        match self.form {
            Form::Truth(_) => Self { int: to, ..self },
            Form::Number(number) if to == Int::BOOL && self.int != Int::BOOL => {
                let formula = Self::of_number(number, self.int).truth(store);
                Self { form: Form::Truth(formula), int: to }
            }
            Form::Number(number) => {
                let number = convert(store, lowering.arithmetic, number, (self.int, to));
                Self::of_number(number, to)
            }
        }
    }
}

/// What can be assigned to: a variable, or an element of an array.
pub(super) struct Target {
    pub(super) variable: VarId,
    pub(super) indices: Vec<Term>,
    /// The place of the element.
    flat: Option<Term>,
}

impl Lowering<'_> {
    /// An expression that stands by itself.
    pub(super) fn full(&mut self, node: &Node<Expression>) -> Result<Option<Val>, Diagnostic> {
        self.is_order_relevant = Effects::of_expression(node).has_any();
        self.evaluate(node)
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
    fn evaluate(&mut self, node: &Node<Expression>) -> Result<Option<Val>, Diagnostic> {
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
            Some(Entity::Constant(value, int)) => {
                Ok(Val::of_number(self.store.number(value, Sort::INT), int))
            }
            Some(Entity::Function(_)) => self.refuse(place, "a function pointer"),
            Some(Entity::Refused(what)) => self.refuse(place, what),
            Some(Entity::Type(_)) => Err(Diagnostic::new(at, "this is a type")),
            None => Err(Diagnostic::new(at, format!("`{own}` is not declared"))),
        }
    }
    fn literal(&mut self, constant: &Constant, place: &Place) -> Result<Val, Diagnostic> {
        let literal = match constant {
            Constant::Integer(integer) if integer.suffix.imaginary => {
                return self.refuse(place, "a complex number");
            }
            Constant::Integer(integer) => of_integer(integer),
            Constant::Float(_) => return self.refuse(place, "a floating-point number"),
            Constant::Character(text) => Literal::parse(text),
        };
        match literal {
            Some(literal) => {
                let number = self.store.number(literal.number(), Sort::INT);
                Ok(Val::of_number(number, literal.int))
            }
            None => self.refuse(place, "this constant"),
        }
    }
    fn size(&mut self, shape: &Shape) -> Val {
        let count: i64 = shape.lengths.iter().product();
        let bytes = self.store.int(shape.int.bytes().saturating_mul(count));
        Val::of_number(bytes, Int::UNSIGNED_LONG)
    }
    /// The size of what an expression is; it is not evaluated.
    fn size_of(&mut self, operand: &Node<Expression>) -> Result<Val, Diagnostic> {
        if let Expression::Identifier(name) = &operand.node
            && let Some(Entity::Variable(variable)) = self.scopes.find(&name.node.name).cloned()
        {
            let shape = self.variables[variable].shape.clone();
            return Ok(self.size(&shape));
        }
        let before = self.body.current;
        self.body.current = self.new_block();
        let value = self.value(operand);
        self.body.current = before;
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
    /// `x++` and the like.
    fn step(
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
            let (a, b) = (self.value(lhs)?, self.value(rhs)?);
            return self.computed(operator, a, b, place);
        }
        self.check_assignment(lhs, rhs)?;
        let target = self.target(lhs)?;
        let mut value = self.value(rhs)?;
        if let Some(operator) = combined(operator) {
            self.check_order(lhs, rhs)?;
            let old = self.load(&target);
            value = self.computed(operator, old, value, place)?;
        }
        Ok(self.store_into(&target, value, place))
    }

    /// What an expression assigns to.
    fn target(&mut self, node: &Node<Expression>) -> Result<Target, Diagnostic> {
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
            Some(Entity::Variable(variable)) => variable,
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
            self.check(inside, "an index is out of bounds", self.at(&subscript.span));
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
    fn load(&mut self, target: &Target) -> Val {
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
    fn store_into(&mut self, target: &Target, value: Val, place: &Place) -> Val {
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

    /// Lowers an operand that is evaluated only sometimes: where it begins, where it ends, and whether nothing happens there.
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
    fn connected(
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
    fn conditional(&mut self, choice: &ConditionalExpression) -> Result<Option<Val>, Diagnostic> {
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

fn of_integer(integer: &Integer) -> Option<Literal> {
    let base = match integer.base {
        IntegerBase::Decimal => 10,
        IntegerBase::Octal => 8,
        IntegerBase::Hexadecimal => 16,
        IntegerBase::Binary => 2,
    };
    let is_long = match integer.suffix.size {
        IntegerSize::Int => false,
        IntegerSize::Long | IntegerSize::LongLong => true,
    };
    Literal::new(&integer.number, base, integer.suffix.unsigned, is_long)
}
