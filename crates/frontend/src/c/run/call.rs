//! Calls: functions of the program and of its environment.

use lang_c::ast::{CallExpression, Expression};
use lang_c::span::{Node, Span as Place};

use super::code::{Op, Shape};
use super::compile::Compiler;
use super::compute::Fault;
use super::kind::Kind;
use super::scope::{Entity, Refusal, Type};

/// What the functions that give inputs are called.
const INPUT: &str = "__VERIFIER_nondet_";

impl Compiler<'_> {
    pub(super) fn call(
        &mut self,
        call: &CallExpression,
        place: &Place,
    ) -> Result<Option<Kind>, Refusal> {
        let Expression::Identifier(name) = &call.callee.node else {
            return self.refuse(place, "a call of a pointer");
        };
        let name = name.node.name.as_str();
        if matches!(name, "reach_error" | "__VERIFIER_error" | "__assert_fail") {
            self.emit(Op::Constant(0), place);
            self.emit(Op::Assert(Fault::Error), place);
            return Ok(None);
        }
        if self.definitions.contains_key(name) {
            return self.call_defined(name, call, place);
        }
        if let Some(suffix) = name.strip_prefix(INPUT) {
            let Some(kind) = self.input_kind(name, suffix) else {
                return self.refuse(place, "an input of this type");
            };
            self.emit(Op::Input(name.into(), kind), place);
            return Ok(Some(kind));
        }
        self.call_library(name, call, place)
    }
    /// The type of an input: as it is declared, or else as its name says.
    fn input_kind(&self, name: &str, suffix: &str) -> Option<Kind> {
        match self.scopes.find(name) {
            Some(Entity::Function(Type::Data(shape))) if !shape.is_array() => {
                return Some(shape.kind);
            }
            Some(Entity::Function(Type::Other(_))) => return None,
            Some(_) | None => {}
        }
        let long = self.model.long().bits;
        Some(match suffix {
            "bool" | "_Bool" => Kind::BOOL,
            "char" | "schar" => Kind::new(8, true),
            "uchar" | "unsigned_char" | "u8" => Kind::new(8, false),
            "short" => Kind::new(16, true),
            "ushort" | "unsigned_short" | "u16" => Kind::new(16, false),
            "int" => Kind::INT,
            "uint" | "unsigned" | "unsigned_int" | "u32" => Kind::new(32, false),
            "long" => Kind::new(long, true),
            "ulong" | "unsigned_long" | "sector_t" | "pthread_t" => Kind::new(long, false),
            "longlong" | "loff_t" => Kind::new(64, true),
            "ulonglong" | "u64" => Kind::new(64, false),
            "size_t" => self.model.size(),
            _ => return None,
        })
    }
    fn call_library(
        &mut self,
        name: &str,
        call: &CallExpression,
        place: &Place,
    ) -> Result<Option<Kind>, Refusal> {
        match (name, &call.arguments[..]) {
            ("assert" | "__VERIFIER_assert", [condition]) => {
                self.truth(condition)?;
                self.emit(Op::Assert(Fault::Assertion), place);
                Ok(None)
            }
            ("__VERIFIER_assume", [condition]) => {
                self.truth(condition)?;
                self.emit(Op::Assume, place);
                Ok(None)
            }
            ("abort", []) => {
                self.emit(Op::Stop, place);
                Ok(None)
            }
            ("exit" | "_Exit", [status]) => {
                self.discard(status)?;
                self.emit(Op::Stop, place);
                Ok(None)
            }
            // What is printed is of no interest.
            ("printf" | "puts", [format, values @ ..]) if is_text(format) => {
                for value in values.iter().filter(|value| !is_text(value)) {
                    self.discard(value)?;
                }
                Ok(None)
            }
            ("putchar", [value]) => {
                self.discard(value)?;
                Ok(None)
            }
            ("__builtin_expect", [value, _]) => {
                let (kind, long) = (self.value(value)?, self.model.long());
                self.emit(Op::Convert(kind, long), place);
                Ok(Some(long))
            }
            _ => self.refuse(place, &format!("the function `{name}`")),
        }
    }
    fn call_defined(
        &mut self,
        name: &str,
        call: &CallExpression,
        place: &Place,
    ) -> Result<Option<Kind>, Refusal> {
        let definition = self.definitions[name];
        let parameters = self.parameters(&definition.declarator.node)?;
        if parameters.len() != call.arguments.len() {
            return self.refuse(place, "a call with other arguments than parameters");
        }
        let result = match self.scopes.find(name) {
            Some(Entity::Function(Type::Void)) => None,
            Some(Entity::Function(Type::Data(shape))) => Some(shape.kind),
            Some(_) | None => return self.refuse(place, "a call of something else"),
        };
        for ((_, parameter, _), argument) in parameters.iter().zip(&call.arguments) {
            match parameter {
                Entity::Variable(_, shape) => {
                    let kind = self.value(argument)?;
                    self.emit(Op::Convert(kind, shape.kind), &argument.span);
                }
                Entity::Passed(_, wanted) => self.array(argument, wanted)?,
                Entity::Constant(..) | Entity::Type(_) | Entity::Function(_) | Entity::Other(_) => {
                    return self.refuse(&argument.span, "such a parameter");
                }
            }
        }
        let callee = self.function_id(name);
        self.emit(Op::Call(callee), place);
        let depth = self.body.depth - parameters.len();
        self.body.depth = depth + usize::from(result.is_some());
        Ok(result)
    }
    /// An array as an argument.
    fn array(&mut self, argument: &Node<Expression>, wanted: &Shape) -> Result<(), Refusal> {
        let entity = if let Expression::Identifier(name) = &argument.node {
            self.scopes.find(&name.node.name).cloned()
        } else {
            None
        };
        match entity {
            Some(Entity::Variable(var, shape) | Entity::Passed(var, shape))
                if shape.kind == wanted.kind
                    && shape.lengths.get(1..) == wanted.lengths.get(1..) =>
            {
                self.emit(Op::Array(var), &argument.span);
                Ok(())
            }
            Some(
                Entity::Variable(..)
                | Entity::Passed(..)
                | Entity::Constant(..)
                | Entity::Type(_)
                | Entity::Function(_)
                | Entity::Other(_),
            )
            | None => self.refuse(&argument.span, "this as an array"),
        }
    }
}

fn is_text(expression: &Node<Expression>) -> bool {
    matches!(expression.node, Expression::StringLiteral(_))
}
