//! Which variables an expression or a function reads and writes: where C leaves the order of evaluation open and it matters, the
//! program is refused.
//!
//! The operands of most operators and the arguments of a call may be evaluated in any order. If one of them writes what another
//! one reads or writes, the value depends on the order (or the program has no meaning at all). This is decided by names: two
//! variables of one name in a function and in a block are taken for one, which may refuse more than need be.

use std::collections::BTreeSet;

use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, CallExpression, Expression, Identifier, SizeOfVal,
    Statement, UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use shofar_base::{Diagnostic, Map};

use super::calls::Callable;
use super::lower::Lowering;

/// What is read and written, by name, and which functions are called.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    reads: BTreeSet<String>,
    /// Written by operators.
    writes: BTreeSet<String>,
    pub(super) calls: BTreeSet<String>,
    /// Written by functions that are called.
    written_by_calls: BTreeSet<String>,
    /// Loops and jumps.
    pub(super) cycles: usize,
    pub(super) statements: usize,
}

impl Effects {
    pub(super) fn of_expression(expression: &Node<Expression>) -> Self {
        let mut effects = Self::default();
        effects.visit_expression(&expression.node, &expression.span);
        effects
    }
    pub(super) fn of_statement(statement: &Node<Statement>) -> Self {
        let mut effects = Self::default();
        effects.visit_statement(&statement.node, &statement.span);
        effects
    }
    /// Whether something is written or may be.
    pub(super) fn has_any(&self) -> bool {
        !self.writes.is_empty() || !self.calls.is_empty()
    }
    pub(super) fn reads(&self, name: &str) -> bool {
        self.reads.contains(name)
    }
    fn absorb(&mut self, callee: &Effects) {
        self.reads.extend(callee.reads.iter().cloned());
        self.written_by_calls.extend(callee.writes.iter().cloned());
        self.written_by_calls.extend(callee.written_by_calls.iter().cloned());
        self.calls.extend(callee.calls.iter().cloned());
    }
    /// Adds to each function what the functions do that it calls.
    pub(super) fn close(callables: &mut Map<String, Callable<'_>>, names: &[String]) {
        loop {
            let mut has_changed = false;
            for name in names {
                let mut effects = callables[name].effects.clone();
                for callee in effects.calls.clone() {
                    if let Some(callee) = callables.get(&callee) {
                        effects.absorb(&callee.effects);
                    }
                }
                let size = |e: &Effects| e.reads.len() + e.written_by_calls.len() + e.calls.len();
                if let Some(callable) = callables.get_mut(name) {
                    has_changed |= size(&effects) != size(&callable.effects);
                    callable.effects = effects;
                }
            }
            if !has_changed {
                return;
            }
        }
    }
    fn writes_anyhow(&self, name: &String) -> bool {
        self.writes.contains(name) || self.written_by_calls.contains(name)
    }
    /// A variable that one of two expressions writes and the other one reads or writes.
    fn conflict<'e>(&'e self, other: &'e Effects) -> Option<&'e String> {
        let written = |e: &'e Effects| e.writes.iter().chain(&e.written_by_calls);
        let touched =
            |e: &'e Effects, name: &String| e.reads.contains(name) || e.writes_anyhow(name);
        let here = written(self).find(|name| touched(other, name));
        here.or_else(|| written(other).find(|name| touched(self, name)))
    }
}

impl<'ast> Visit<'ast> for Effects {
    fn visit_identifier(&mut self, identifier: &'ast Identifier, _: &'ast Span) {
        self.reads.insert(identifier.name.clone());
    }
    fn visit_sizeofval(&mut self, _: &'ast SizeOfVal, _: &'ast Span) {
        // The operand is not evaluated.
    }
    fn visit_call_expression(&mut self, call: &'ast CallExpression, span: &'ast Span) {
        if let Expression::Identifier(name) = &call.callee.node {
            self.calls.insert(name.node.name.clone());
        }
        visit::visit_call_expression(self, call, span);
    }
    fn visit_unary_operator_expression(
        &mut self,
        unary: &'ast UnaryOperatorExpression,
        span: &'ast Span,
    ) {
        match unary.operator.node {
            UnaryOperator::PostIncrement
            | UnaryOperator::PostDecrement
            | UnaryOperator::PreIncrement
            | UnaryOperator::PreDecrement => {
                self.writes.extend(target(&unary.operand));
            }
            UnaryOperator::Address
            | UnaryOperator::Indirection
            | UnaryOperator::Plus
            | UnaryOperator::Minus
            | UnaryOperator::Complement
            | UnaryOperator::Negate => {}
        }
        visit::visit_unary_operator_expression(self, unary, span);
    }
    fn visit_binary_operator_expression(
        &mut self,
        binary: &'ast BinaryOperatorExpression,
        span: &'ast Span,
    ) {
        if is_assignment(&binary.operator.node) {
            self.writes.extend(target(&binary.lhs));
        }
        let is_plain = binary.operator.node == BinaryOperator::Assign;
        if let (true, Expression::Identifier(_)) = (is_plain, &binary.lhs.node) {
            // It is only written.
            self.visit_expression(&binary.rhs.node, &binary.rhs.span);
            return;
        }
        visit::visit_binary_operator_expression(self, binary, span);
    }
    fn visit_statement(&mut self, statement: &'ast Statement, span: &'ast Span) {
        self.statements += 1;
        match statement {
            Statement::While(_)
            | Statement::DoWhile(_)
            | Statement::For(_)
            | Statement::Goto(_) => self.cycles += 1,
            Statement::Labeled(_)
            | Statement::Compound(_)
            | Statement::Expression(_)
            | Statement::If(_)
            | Statement::Switch(_)
            | Statement::Continue
            | Statement::Break
            | Statement::Return(_)
            | Statement::Asm(_) => {}
        }
        visit::visit_statement(self, statement, span);
    }
}

/// The variable that is written if `place` is assigned to.
fn target(place: &Node<Expression>) -> Option<String> {
    let mut place = &place.node;
    while let Expression::BinaryOperator(index) = place
        && index.node.operator.node == BinaryOperator::Index
    {
        place = &index.node.lhs.node;
    }
    if let Expression::Identifier(name) = place { Some(name.node.name.clone()) } else { None }
}

/// The operators that assign, but for `=`, with what they compute.
const COMBINED: &[(BinaryOperator, BinaryOperator)] = &[
    (BinaryOperator::AssignMultiply, BinaryOperator::Multiply),
    (BinaryOperator::AssignDivide, BinaryOperator::Divide),
    (BinaryOperator::AssignModulo, BinaryOperator::Modulo),
    (BinaryOperator::AssignPlus, BinaryOperator::Plus),
    (BinaryOperator::AssignMinus, BinaryOperator::Minus),
    (BinaryOperator::AssignShiftLeft, BinaryOperator::ShiftLeft),
    (BinaryOperator::AssignShiftRight, BinaryOperator::ShiftRight),
    (BinaryOperator::AssignBitwiseAnd, BinaryOperator::BitwiseAnd),
    (BinaryOperator::AssignBitwiseXor, BinaryOperator::BitwiseXor),
    (BinaryOperator::AssignBitwiseOr, BinaryOperator::BitwiseOr),
];

/// The operator of `+=` and the like.
pub(super) fn combined(operator: &BinaryOperator) -> Option<&'static BinaryOperator> {
    COMBINED.iter().find(|(known, _)| known == operator).map(|(_, computes)| computes)
}

pub(super) fn is_assignment(operator: &BinaryOperator) -> bool {
    *operator == BinaryOperator::Assign || combined(operator).is_some()
}

impl Lowering<'_> {
    /// The effects of an expression, those of functions included.
    fn effects(&self, expression: &Node<Expression>) -> Effects {
        let mut effects = Effects::of_expression(expression);
        for callee in effects.calls.clone() {
            if let Some(callee) = self.callables.get(&callee) {
                effects.absorb(&callee.effects);
            }
        }
        effects
    }
    /// Refuses two operands whose order of evaluation is open and matters.
    pub(super) fn check_order(
        &self,
        one: &Node<Expression>,
        other: &Node<Expression>,
    ) -> Result<(), Diagnostic> {
        if !self.is_order_relevant {
            return Ok(());
        }
        let (first, second) = (self.effects(one), self.effects(other));
        match first.conflict(&second) {
            Some(name) => Err(self.unordered(name, other)),
            None => Ok(()),
        }
    }
    /// Refuses an assignment to a variable that is also written by an operator in the assigned expression or in an index.
    pub(super) fn check_assignment(
        &self,
        place: &Node<Expression>,
        value: &Node<Expression>,
    ) -> Result<(), Diagnostic> {
        if !self.is_order_relevant {
            return Ok(());
        }
        let (inner, outer) = (self.effects(value), self.effects(place));
        let written = target(place).filter(|name| inner.writes.contains(name));
        let is_plain = matches!(place.node, Expression::Identifier(_));
        let conflict = if is_plain { None } else { outer.conflict(&inner).cloned() };
        match written.or(conflict) {
            Some(name) => Err(self.unordered(&name, value)),
            None => Ok(()),
        }
    }
    fn unordered(&self, name: &str, at: &Node<Expression>) -> Diagnostic {
        let message =
            format!("the order in which `{name}` is read and written here is not defined");
        Diagnostic::new(self.at(&at.span), message)
            .note("C leaves open in which order operands and arguments are evaluated")
    }
}
