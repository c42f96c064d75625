//! Which variables an expression or a function reads and writes: where C leaves the order of
//! evaluation open and it matters, the program is refused.
//!
//! The operands of most operators and the arguments of a call may be evaluated in any order. If one
//! of them writes what another one reads or writes, the value depends on the order (or the program
//! has no meaning at all). This is decided by names: two variables of one name in a function and in
//! a block are taken for one, which may refuse more than need be. Of a function that is called,
//! only variables count that others can see: global ones, and those that live as long as the
//! program. An array that is passed to a function may be written by it, unless the function neither
//! writes the parameter nor passes it on.

use std::collections::BTreeSet;
use std::sync::Arc;

use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, CallExpression, Declaration, DeclarationSpecifier,
    DeclaratorKind, Expression, Identifier, SizeOfVal, Statement, StorageClassSpecifier,
    UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use shofar_base::{Diagnostic, Map, components};

use super::lower::Lowering;
use super::program::VarId;
use super::scope::Entity;

/// What is read and written, by name, and which functions are called.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    reads: BTreeSet<String>,
    /// Written by operators.
    writes: BTreeSet<String>,
    calls: BTreeSet<String>,
    /// Passed to functions as they are: by which function, at which place.
    passed: BTreeSet<(String, String, usize)>,
    /// Written by functions that are called.
    written_by_calls: BTreeSet<String>,
    /// Those whose size is asked for.
    sizes: BTreeSet<String>,
    /// Declared to live as long as the program.
    statics: BTreeSet<String>,
    /// Loops and jumps.
    pub(super) cycles: usize,
    pub(super) statements: usize,
}

/// What a function reads and writes that others can see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shared {
    reads: BTreeSet<String>,
    writes: BTreeSet<String>,
}

impl Shared {
    /// Whether a variable of this name may be written.
    pub(super) fn writes(&self, name: &str) -> bool {
        self.writes.contains(name)
    }
    fn extend(&mut self, other: &Shared) {
        self.reads.extend(other.reads.iter().cloned());
        self.writes.extend(other.writes.iter().cloned());
    }
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
    pub(super) fn mentions(&self, name: &str) -> bool {
        [&self.reads, &self.writes, &self.sizes].into_iter().any(|names| names.contains(name))
    }
    /// Whether a function that does this may write a parameter of this name, if it is an array.
    pub(super) fn may_write(&self, parameter: &str) -> bool {
        self.writes.contains(parameter) || self.passed.iter().any(|(name, ..)| name == parameter)
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
    fn visit_sizeofval(&mut self, size: &'ast SizeOfVal, span: &'ast Span) {
        // The operand is not evaluated.
        let mut operand = Self::default();
        visit::visit_sizeofval(&mut operand, size, span);
        let Self { reads, writes, sizes, .. } = operand;
        self.sizes.extend(reads.into_iter().chain(writes).chain(sizes));
    }
    fn visit_call_expression(&mut self, call: &'ast CallExpression, span: &'ast Span) {
        if let Expression::Identifier(callee) = &call.callee.node {
            self.calls.insert(callee.node.name.clone());
            for (place, argument) in call.arguments.iter().enumerate() {
                if let Expression::Identifier(name) = &argument.node {
                    let (name, callee) = (name.node.name.clone(), callee.node.name.clone());
                    self.passed.insert((name, callee, place));
                }
            }
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
    fn visit_declaration(&mut self, declaration: &'ast Declaration, span: &'ast Span) {
        let is_static = |specifier: &Node<DeclarationSpecifier>| {
            matches!(&specifier.node, DeclarationSpecifier::StorageClass(class)
                if class.node == StorageClassSpecifier::Static)
        };
        if declaration.specifiers.iter().any(is_static) {
            for declarator in &declaration.declarators {
                if let DeclaratorKind::Identifier(name) = &declarator.node.declarator.node.kind.node
                {
                    self.statics.insert(name.node.name.clone());
                }
            }
        }
        visit::visit_declaration(self, declaration, span);
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
    /// Finds out what each function does that others can see, and which functions call themselves.
    pub(super) fn close_effects(&mut self) {
        let names: Vec<String> =
            self.callables.sorted().into_iter().map(|(name, _)| name.clone()).collect();
        let places: Map<&str, usize> =
            names.iter().enumerate().map(|(place, name)| (name.as_str(), place)).collect();
        let uses: Vec<Vec<usize>> = names
            .iter()
            .map(|name| {
                let calls = self.callables[name].effects.calls.iter();
                calls.filter_map(|callee| places.get(callee.as_str()).copied()).collect()
            })
            .collect();
        let effects = names.iter().map(|name| &self.callables[name].effects);
        let statics: BTreeSet<String> =
            effects.flat_map(|effects| effects.statics.iter().cloned()).collect();
        for group in components(&uses) {
            let mut shared = Shared::default();
            for &member in &group {
                shared.extend(&self.own_shared(&names[member], &statics));
            }
            let mut known: Option<Arc<Shared>> = None;
            for callee in group.iter().flat_map(|&member| &uses[member]) {
                if group.binary_search(callee).is_err() {
                    let callee = self.callables[&names[*callee]].shared.clone();
                    shared.extend(&callee);
                    known = Some(callee);
                }
            }
            // Often nothing is added to what a function that is called does.
            let shared = known.filter(|known| **known == shared).unwrap_or_else(|| shared.into());
            for &member in &group {
                let is_recursive = group.len() > 1 || uses[member].contains(&member);
                if let Some(callable) = self.callables.get_mut(&names[member]) {
                    callable.shared = shared.clone();
                    callable.is_recursive = is_recursive;
                }
            }
        }
    }
    /// What a function does by itself that others can see.
    fn own_shared(&self, name: &str, statics: &BTreeSet<String>) -> Shared {
        let effects = &self.callables[name].effects;
        let is_shared =
            |name: &&String| self.global_names.contains(*name) || statics.contains(*name);
        let keep = |names: &BTreeSet<String>| -> BTreeSet<String> {
            names.iter().filter(is_shared).cloned().collect()
        };
        let mut shared = Shared { reads: keep(&effects.reads), writes: keep(&effects.writes) };
        let is_array = |name: &&String| self.array_named(name).is_some() || statics.contains(*name);
        shared.writes.extend(self.written_by_reference(effects).filter(is_array).cloned());
        shared
    }
    /// The names that are passed to functions that may write what they stand for, if it is an
    /// array.
    fn written_by_reference<'e>(&self, effects: &'e Effects) -> impl Iterator<Item = &'e String> {
        effects.passed.iter().filter_map(|(name, callee, place)| {
            let callee = self.callables.get(callee)?;
            callee.may_write(*place).then_some(name)
        })
    }
    /// The array that a name stands for.
    pub(super) fn array_named(&self, name: &str) -> Option<VarId> {
        match self.scopes.find(name) {
            Some(Entity::Variable(variable) | Entity::Reference(variable)) => {
                Some(*variable).filter(|&variable| self.variables[variable].shape.is_array())
            }
            Some(
                Entity::Constant(..) | Entity::Type(_) | Entity::Function(_) | Entity::Refused(_),
            )
            | None => None,
        }
    }
    /// The effects of an expression, those of functions included. A parameter that stands for an
    /// array is that array.
    fn effects(&self, expression: &Node<Expression>) -> Effects {
        let mut effects = Effects::of_expression(expression);
        for callee in &effects.calls {
            if let Some(callee) = self.callables.get(callee) {
                effects.reads.extend(callee.shared.reads.iter().cloned());
                effects.written_by_calls.extend(callee.shared.writes.iter().cloned());
            }
        }
        let is_array = |name: &&String| self.array_named(name).is_some();
        let written = self.written_by_reference(&effects).filter(is_array).cloned();
        let written: Vec<String> = written.collect();
        effects.written_by_calls.extend(written);
        let Effects { reads, writes, written_by_calls, .. } = &mut effects;
        for names in [reads, writes, written_by_calls] {
            let whole = |name: &String| match self.scopes.find(name) {
                Some(Entity::Reference(array)) => Some(self.variables[*array].name.clone()),
                Some(_) | None => None,
            };
            let whole: Vec<String> = names.iter().filter_map(whole).collect();
            names.extend(whole);
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
    /// Refuses indices whose order of evaluation is open and matters, and those in which an
    /// operator writes the array that they lead into: C does not say whether it does so before the
    /// element is read.
    pub(super) fn check_subscripts(
        &self,
        base: &Node<Expression>,
        subscripts: &[&Node<Expression>],
    ) -> Result<(), Diagnostic> {
        if !self.is_order_relevant {
            return Ok(());
        }
        let whole = self.effects(base);
        for (at, subscript) in subscripts.iter().enumerate() {
            let effects = self.effects(subscript);
            if let Some(name) = effects.writes.iter().find(|name| whole.reads.contains(*name)) {
                return Err(self.unordered(name, subscript));
            }
            for other in &subscripts[..at] {
                self.check_order(other, subscript)?;
            }
        }
        Ok(())
    }
    /// Refuses elements of a list whose order of evaluation is open and matters.
    pub(super) fn check_elements(&self, elements: &[&Node<Expression>]) -> Result<(), Diagnostic> {
        if !elements.iter().any(|element| Effects::of_expression(element).has_any()) {
            return Ok(());
        }
        let mut before = Effects::default();
        for element in elements {
            let Effects { reads, writes, written_by_calls, .. } = self.effects(element);
            let own = Effects { reads, writes, written_by_calls, ..Effects::default() };
            if let Some(name) = before.conflict(&own) {
                return Err(self.unordered(name, element));
            }
            before.reads.extend(own.reads);
            before.writes.extend(own.writes);
            before.written_by_calls.extend(own.written_by_calls);
        }
        Ok(())
    }
    /// Refuses an assignment to a variable that is also written by an operator in the assigned
    /// expression or in an index.
    pub(super) fn check_assignment(
        &self,
        place: &Node<Expression>,
        value: &Node<Expression>,
    ) -> Result<(), Diagnostic> {
        if !self.is_order_relevant {
            return Ok(());
        }
        let inner = self.effects(value);
        if let Some(name) = target(place).filter(|name| inner.writes.contains(name)) {
            return Err(self.unordered(&name, value));
        }
        // What is assigned to is not read, but indices are.
        let mut place = &place.node;
        while let Expression::BinaryOperator(index) = place
            && index.node.operator.node == BinaryOperator::Index
        {
            if let Some(name) = self.effects(&index.node.rhs).conflict(&inner) {
                return Err(self.unordered(name, value));
            }
            place = &index.node.lhs.node;
        }
        Ok(())
    }
    fn unordered(&self, name: &str, at: &Node<Expression>) -> Diagnostic {
        let message =
            format!("the order in which `{name}` is read and written here is not defined");
        Diagnostic::new(self.at(&at.span), message)
            .note("C leaves open in which order operands and arguments are evaluated")
    }
}
