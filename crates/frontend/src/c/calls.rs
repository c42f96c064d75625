//! Calls: functions of the environment, functions that are expanded, and functions that have
//! summaries.

use lang_c::ast::{CallExpression, Expression};
use lang_c::span::{Node, Span as Place};
use shofar_base::{Diagnostic, Span};
use shofar_chc::read::Property;
use shofar_term::Term;

use super::lower::{Jumps, Lowering};
use super::parameters::{Callable, Parameter, Passing};
use super::program::{End, Instruction, Shape, VarId};
use super::scope::{CType, Entity};
use super::types::{DataModel, Int};
use super::value::Val;

/// Functions with more statements are not expanded.
const MOST_STATEMENTS: usize = 24;
/// In a function that has more blocks than this, no further calls are expanded unless they have to
/// be.
const MOST_EXPANDED: usize = 2_000;
/// A program in which more blocks than this come about by expanding is refused.
const MOST_BLOCKS: usize = 200_000;
/// What the functions that give inputs are called.
const INPUT: &str = "__VERIFIER_nondet_";
/// The type of an input, by the end of the name of the function that gives it.
fn input_named(suffix: &str, model: DataModel) -> Option<Int> {
    let int = match suffix {
        "bool" | "_Bool" => Int::BOOL,
        "char" | "schar" => Int::CHAR,
        "uchar" | "unsigned_char" | "u8" => Int::CHAR.unsigned(),
        "short" => Int::SHORT,
        "ushort" | "unsigned_short" | "u16" => Int::SHORT.unsigned(),
        "int" => Int::INT,
        "uint" | "unsigned" | "unsigned_int" | "u32" => Int::UNSIGNED,
        "long" => model.long(),
        "ulong" | "unsigned_long" | "sector_t" | "pthread_t" => model.long().unsigned(),
        "longlong" | "loff_t" => Int::LONG_LONG,
        "ulonglong" | "u64" => Int::UNSIGNED_LONG_LONG,
        "size_t" => model.size(),
        _ => return None,
    };
    Some(int)
}

/// What a parameter gets.
enum Argument {
    Number(Term, Shape),
    Array(VarId),
}

impl Lowering<'_> {
    pub(super) fn call(
        &mut self,
        call: &CallExpression,
        place: &Place,
    ) -> Result<Option<Val>, Diagnostic> {
        let Expression::Identifier(name) = &call.callee.node else {
            return self.refuse(&call.callee.span, "a call of a function pointer");
        };
        let name = name.node.name.as_str();
        for (at, argument) in call.arguments.iter().enumerate() {
            for other in &call.arguments[..at] {
                self.check_order(other, argument)?;
            }
        }
        if matches!(name, "reach_error" | "__VERIFIER_error" | "__assert_fail") {
            self.violate(self.at(place));
            return Ok(None);
        }
        if let Some(
            Entity::Variable(_) | Entity::Reference(_) | Entity::Constant(..) | Entity::Refused(_),
        ) = self.scopes.find(name)
        {
            return self.refuse(&call.callee.span, "a call of something else than a function");
        }
        if self.callables.contains_key(name) {
            return self.call_defined(name, call, place);
        }
        if let Some(suffix) = name.strip_prefix(INPUT) {
            let int = self.input_type(name, suffix, call, place)?;
            let variable = self.hidden(name, int);
            let (input, span) = (Some(name.to_owned()), self.at(place));
            self.emit(Instruction::Any { variable, input, span });
            return Ok(Some(Val::of_number(self.read(variable), int)));
        }
        self.call_library(name, call, place)
    }
    /// The type of an input: as declared, or else as the name says.
    fn input_type(
        &self,
        name: &str,
        suffix: &str,
        call: &CallExpression,
        place: &Place,
    ) -> Result<Int, Diagnostic> {
        if let Some(argument) = call.arguments.first() {
            return self.refuse(&argument.span, "an argument of such a function");
        }
        if let Some(Entity::Function(CType::Data(shape))) = self.scopes.find(name) {
            return Ok(shape.int);
        }
        if let Some(Entity::Function(CType::Refused(what))) = self.scopes.find(name) {
            return self.refuse(place, &format!("an input that is {what}"));
        }
        match input_named(suffix, self.model) {
            Some(int) => Ok(int),
            None => self.refuse(place, "an input of this type"),
        }
    }
    fn violate(&mut self, span: Span) {
        let end = self.failure("an error is reached", span);
        self.end(end);
    }
    /// A function that is not defined in the program.
    fn call_library(
        &mut self,
        name: &str,
        call: &CallExpression,
        place: &Place,
    ) -> Result<Option<Val>, Diagnostic> {
        let at = self.at(place);
        match (name, &call.arguments[..]) {
            ("assert" | "__VERIFIER_assert", [condition]) => {
                let condition = self.condition(condition)?;
                self.check(condition, "an assertion is violated", at);
                Ok(None)
            }
            ("__VERIFIER_assume", [condition]) => {
                let condition = self.condition(condition)?;
                self.emit(Instruction::Assume(condition));
                Ok(None)
            }
            ("abort", []) => {
                self.end(End::Stop);
                Ok(None)
            }
            ("exit" | "_Exit", [status]) => {
                self.value(status)?;
                self.end(End::Stop);
                Ok(None)
            }
            // What is printed is of no interest; nor is how much of it could be, so that has no
            // value.
            ("printf", [format, values @ ..]) if is_text(format) => {
                for value in values.iter().filter(|value| !is_text(value)) {
                    self.value(value)?;
                }
                Ok(None)
            }
            ("puts", [text]) if is_text(text) => Ok(None),
            ("putchar", [character]) => {
                self.value(character)?;
                Ok(None)
            }
            ("__builtin_expect", [value, expected]) => {
                let value = self.value(value)?;
                let (value, expected) = self.keeping_one(value, |this| this.value(expected));
                expected?;
                let long = self.model.long();
                Ok(Some(value.converted(self, long)))
            }
            _ => {
                let message = format!("the function `{name}` is not defined here");
                Err(Diagnostic::new(at, message)
                    .note("inputs come from `__VERIFIER_nondet_int()` and the like"))
            }
        }
    }
    fn call_defined(
        &mut self,
        name: &str,
        call: &CallExpression,
        place: &Place,
    ) -> Result<Option<Val>, Diagnostic> {
        let callable = self.callables[name].clone();
        let parameters = callable.parameters(self)?;
        if parameters.len() != call.arguments.len() {
            let (wanted, given) = (parameters.len(), call.arguments.len());
            let message = format!("`{name}` has {wanted} parameters, {given} arguments are given");
            return Err(Diagnostic::new(self.at(place), message));
        }
        let arguments = self.arguments(&parameters, &call.arguments)?;
        let has_array = arguments.iter().any(|argument| matches!(argument, Argument::Array(_)));
        let is_small = callable.effects.cycles == 0
            && callable.effects.statements <= MOST_STATEMENTS
            && self.body.blocks.len() <= MOST_EXPANDED
            && self.may_expand();
        match self.property {
            Property::Safety | Property::Termination if has_array && callable.is_recursive => {
                self.refuse(place, "recursion with an array as a parameter")
            }
            Property::Safety if !has_array && (callable.is_recursive || !is_small) => {
                self.call_summary(name, &callable, arguments, place)
            }
            Property::Termination if callable.is_recursive => {
                self.call_summary(name, &callable, arguments, place)
            }
            Property::Safety | Property::Termination => {
                let arguments = arguments.into_iter().zip(&parameters).collect();
                self.expand(name, &callable, arguments, place)
            }
        }
    }
    /// What the parameters get.
    fn arguments(
        &mut self,
        parameters: &[Parameter<'_>],
        given: &[Node<Expression>],
    ) -> Result<Vec<Argument>, Diagnostic> {
        let mut shapes = Vec::new();
        for (parameter, argument) in parameters.iter().zip(given) {
            match &parameter.passing {
                Passing::Value(shape) => shapes.push((shape, argument)),
                Passing::Reference(_) => {}
                Passing::Refused(what) => return self.refuse(parameter.place, what),
            }
        }
        let values = self.in_turn(shapes, |this, (shape, argument)| {
            Ok(this.value(argument)?.converted(this, shape.int))
        })?;
        let mut values = values.into_iter();
        let mut arguments = Vec::with_capacity(parameters.len());
        for (parameter, argument) in parameters.iter().zip(given) {
            arguments.push(match &parameter.passing {
                Passing::Value(shape) => {
                    let value = values.next().expect("each number has a value");
                    Argument::Number(value.number(self.store), shape.clone())
                }
                Passing::Reference(element) => Argument::Array(self.array(argument, element)?),
                Passing::Refused(what) => return self.refuse(parameter.place, what),
            });
        }
        Ok(arguments)
    }
    /// The array that an argument names, whose elements have to be such.
    fn array(&mut self, argument: &Node<Expression>, element: &Shape) -> Result<VarId, Diagnostic> {
        let known = if let Expression::Identifier(name) = &argument.node {
            self.array_named(&name.node.name)
        } else {
            None
        };
        match known.map(|variable| (variable, &self.variables[variable].shape)) {
            Some((variable, shape))
                if shape.int == element.int && shape.lengths[1..] == element.lengths =>
            {
                Ok(variable)
            }
            Some(_) => self.refuse(&argument.span, "an array of another type as an argument"),
            None => self.refuse(&argument.span, "a pointer as an argument"),
        }
    }
    /// A call of a function by its summary.
    fn call_summary(
        &mut self,
        name: &str,
        callable: &Callable<'_>,
        arguments: Vec<Argument>,
        place: &Place,
    ) -> Result<Option<Val>, Diagnostic> {
        let result = self.result_variable(&callable.result, name, self.at(place))?;
        let callee = self.function_id(name);
        let number = |argument| match argument {
            Argument::Number(value, _) => Some(value),
            Argument::Array(_) => None,
        };
        let arguments = arguments.into_iter().filter_map(number).collect();
        let span = self.at(place);
        self.before_call(callable);
        self.emit(Instruction::Call { callee, arguments, result, span });
        // A block has one call at most.
        let next = self.new_block();
        self.enter_block(next);
        Ok(result.map(|variable| self.value_of(variable)))
    }
    fn value_of(&mut self, variable: VarId) -> Val {
        let int = self.variables[variable].shape.int;
        Val::of_number(self.read(variable), int)
    }
    /// The body of a function in the place of its call.
    fn expand(
        &mut self,
        name: &str,
        callable: &Callable<'_>,
        arguments: Vec<(Argument, &Parameter<'_>)>,
        place: &Place,
    ) -> Result<Option<Val>, Diagnostic> {
        if self.body.blocks.len() > MOST_BLOCKS || !self.may_expand() {
            return self.refuse(place, "a program of this size");
        }
        let result = self.result_variable(&callable.result, name, self.at(place))?;
        let outside = self.scopes.only_global();
        self.scopes.enter();
        for (argument, parameter) in arguments {
            let span = self.at(parameter.place);
            let Some(own) = parameter.name else { continue };
            let entity = match argument {
                Argument::Array(variable) => Entity::Reference(variable),
                Argument::Number(value, shape) => {
                    let variable = self.local(&own.node.name, shape, span);
                    self.emit(Instruction::Set { variable, value, span: self.at(place) });
                    Entity::Variable(variable)
                }
            };
            self.declare(&own.node.name, entity, span)?;
        }
        let leave = self.new_block();
        let jumps = Jumps { leave: Some(leave), result, ..Jumps::default() };
        let jumps = std::mem::replace(&mut self.body.jumps, jumps);
        let was_relevant = std::mem::replace(&mut self.is_order_relevant, false);
        let full = self.full;
        self.expanding += 1;
        self.statement(&callable.definition.statement)?;
        self.expanding -= 1;
        if let Some(variable) = result {
            let span = self.at(place);
            self.leave_any(variable, span);
        }
        self.enter_block(leave);
        self.settle_jumps()?;
        self.body.jumps = jumps;
        (self.is_order_relevant, self.full) = (was_relevant, full);
        self.scopes.leave();
        self.scopes.reopen(outside);
        Ok(result.map(|variable| self.value_of(variable)))
    }
}

fn is_text(expression: &Node<Expression>) -> bool {
    matches!(expression.node, Expression::StringLiteral(_))
}
