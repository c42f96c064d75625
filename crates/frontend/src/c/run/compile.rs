//! From the tree of the parser to code: functions and global variables.
//!
//! What `main` reaches is compiled, and nothing else. This recurses on the depth of the tree, which
//! has been bounded.

use std::sync::Arc;

use lang_c::ast::{
    Declaration, Expression, ExternalDeclaration, FunctionDefinition, Initializer, TranslationUnit,
};
use lang_c::span::{Node, Span as Place};
use shofar_base::{Map, Span};

use super::super::source::Constant;
use super::code::{Global, Op, Parameter, Program, Shape, Var};
use super::declare::Storage;
use super::kind::{DataModel, Kind, Signed};
use super::machine::constant_value;
use super::scope::{Body, Entity, Places, Refusal, Scopes, Type};

/// Makes code of a tree.
pub(super) struct Compiler<'a> {
    pub(super) places: Places<'a>,
    pub(super) constants: &'a [Constant],
    pub(super) model: DataModel,
    pub(super) scopes: Scopes,
    pub(super) definitions: Map<String, &'a FunctionDefinition>,
    /// The functions that are called, by name and in order.
    pub(super) ids: Map<String, usize>,
    queue: Vec<String>,
    pub(super) globals: Vec<Global>,
    /// Variables of functions that live as long as the program, by their places.
    pub(super) statics: Map<usize, (Var, Shape)>,
    pub(super) body: Body,
}

/// The code of a program.
pub(super) fn compile(
    unit: &TranslationUnit,
    places: Places<'_>,
    constants: &[Constant],
    (model, signed): (DataModel, Signed),
) -> Result<Program, Refusal> {
    let mut compiler = Compiler {
        places,
        constants,
        model,
        scopes: Scopes::default(),
        definitions: Map::default(),
        ids: Map::default(),
        queue: Vec::new(),
        globals: Vec::new(),
        statics: Map::default(),
        body: Body::default(),
    };
    compiler.scopes.enter();
    compiler.unit(unit)?;
    compiler.function_id("main");
    let mut functions = Vec::new();
    while let Some(name) = compiler.queue.get(functions.len()).cloned() {
        compiler.scopes.enter_function();
        let function = compiler.definitions.get(&name).copied();
        let Some(function) = function else {
            return Err(Refusal::new(&format!("the function `{name}`"), Span::new(0, 0)));
        };
        let parameters = compiler.function(&name, function)?;
        let body = std::mem::take(&mut compiler.body);
        functions.push(body.function(&name, parameters));
    }
    Ok(Program { signed, functions, globals: compiler.globals })
}

impl<'a> Compiler<'a> {
    pub(super) fn at(&self, place: &Place) -> Span {
        self.places.at(place)
    }
    pub(super) fn refuse<T>(&self, place: &Place, what: &str) -> Result<T, Refusal> {
        Err(Refusal::new(what, self.at(place)))
    }
    pub(super) fn emit(&mut self, op: Op, place: &Place) {
        let at = self.at(place);
        self.body.emit(op, at);
    }
    pub(super) fn function_id(&mut self, name: &str) -> usize {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        let id = self.queue.len();
        self.ids.insert(name.to_owned(), id);
        self.queue.push(name.to_owned());
        id
    }

    fn unit(&mut self, unit: &'a TranslationUnit) -> Result<(), Refusal> {
        for external in &unit.0 {
            match &external.node {
                ExternalDeclaration::Declaration(declaration) => self.outside(&declaration.node)?,
                ExternalDeclaration::StaticAssert(_) => {}
                ExternalDeclaration::FunctionDefinition(definition) => {
                    let (base, _) = self.specified(&definition.node.specifiers)?;
                    let (name, declared) = self.declared(base, &definition.node.declarator.node)?;
                    let (Some(name), Type::Function(result)) = (name, declared) else {
                        return self.refuse(&definition.span, "this form of a function");
                    };
                    self.scopes.declare(&name.node.name, Entity::Function(*result));
                    self.definitions.insert(name.node.name.clone(), &definition.node);
                }
            }
        }
        Ok(())
    }
    /// A declaration outside of functions.
    fn outside(&mut self, declaration: &Declaration) -> Result<(), Refusal> {
        let (base, storage) = self.specified(&declaration.specifiers)?;
        for declarator in &declaration.declarators {
            let (name, declared) = self.declared(base.clone(), &declarator.node.declarator.node)?;
            let Some(name) = name else { continue };
            let initializer = declarator.node.initializer.as_ref();
            let own = name.node.name.as_str();
            let entity = match declared {
                declared if storage == Storage::Typedef => Entity::Type(declared),
                Type::Function(result) => Entity::Function(*result),
                Type::Data(_) if storage == Storage::Extern && initializer.is_none() => {
                    if self.scopes.find(own).is_some() {
                        continue;
                    }
                    Entity::Other("a variable that is defined elsewhere")
                }
                Type::Data(shape) => {
                    let known = match self.scopes.find(own) {
                        Some(Entity::Variable(Var::Global(known), _)) => Some(*known),
                        Some(_) | None => None,
                    };
                    self.global(own, shape, initializer, known)?
                }
                Type::Void => Entity::Other("a variable of type `void`"),
                Type::Other(what) => Entity::Other(what),
            };
            self.scopes.declare(own, entity);
        }
        Ok(())
    }
    /// A variable that lives as long as the program; it may have been declared before, as `known`.
    pub(super) fn global(
        &mut self,
        name: &str,
        shape: Shape,
        initializer: Option<&Node<Initializer>>,
        known: Option<usize>,
    ) -> Result<Entity, Refusal> {
        let (shape, first) = match initializer {
            Some(initializer) => self.constant_first(&shape, initializer)?,
            None => (shape, Vec::new()),
        };
        let at = known.unwrap_or(self.globals.len());
        let global = Global { name: Arc::from(name), shape: shape.clone(), first };
        if at == self.globals.len() {
            self.globals.push(global);
        } else if initializer.is_some() {
            self.globals[at] = global;
        }
        Ok(Entity::Variable(Var::Global(at), shape))
    }

    /// Compiles a function, and says what its parameters are.
    fn function(
        &mut self,
        name: &str,
        definition: &'a FunctionDefinition,
    ) -> Result<Vec<Parameter>, Refusal> {
        let (base, _) = self.specified(&definition.specifiers)?;
        let (_, declared) = self.declared(base, &definition.declarator.node)?;
        let result = match declared {
            Type::Function(result) => *result,
            Type::Void | Type::Data(_) | Type::Other(_) => Type::Other("no function"),
        };
        self.body = Body::default();
        self.body.result = match result {
            Type::Void => None,
            Type::Data(shape) if !shape.is_array() => Some(shape.kind),
            Type::Data(_) | Type::Function(_) | Type::Other(_) => {
                return self.refuse(&definition.declarator.span, "what this function gives");
            }
        };
        let mut parameters = Vec::new();
        for (own, passed, place) in self.parameters(&definition.declarator.node)? {
            let (shape, is_array) = match passed {
                Entity::Variable(_, shape) => (shape, false),
                Entity::Passed(_, shape) if name != "main" => (shape, true),
                Entity::Passed(..)
                | Entity::Constant(..)
                | Entity::Type(_)
                | Entity::Function(_)
                | Entity::Other(_) => match own {
                    Some(own) if name == "main" => {
                        self.scopes.declare(own, Entity::Other("a parameter of `main`"));
                        continue;
                    }
                    Some(_) | None => return self.refuse(place, "such a parameter"),
                },
            };
            parameters.push(Parameter { is_array, is_named: own.is_some() });
            let var = self.body.local(own.unwrap_or_default(), shape.clone());
            let entity =
                if is_array { Entity::Passed(var, shape) } else { Entity::Variable(var, shape) };
            self.scopes.declare(own.unwrap_or_default(), entity);
        }
        self.statement(&definition.statement)?;
        self.fall_off(name, &definition.statement.span);
        self.settle_gotos()?;
        Ok(parameters)
    }
    /// The end of a function that is reached without `return`.
    fn fall_off(&mut self, name: &str, body: &Place) {
        if let Some(kind) = self.body.result {
            let op = if name == "main" { Op::Constant(0) } else { Op::OpenResult(kind) };
            self.emit(op, body);
        }
        let whole = self.at(body);
        let end = Span::new(whole.end.saturating_sub(1).max(whole.start), whole.end);
        self.body.emit(Op::Return, end);
    }

    /// The value of a constant expression.
    pub(super) fn constant(&mut self, node: &Node<Expression>) -> Result<(i128, Kind), Refusal> {
        let outside = std::mem::take(&mut self.body);
        let kind = self.value(node);
        self.emit(Op::Return, &node.span);
        let code = self.body.code();
        self.body = outside;
        let kind = kind?;
        match constant_value(code, kind) {
            Some(value) => Ok((value, kind)),
            None => self.refuse(&node.span, "this as a constant"),
        }
    }
    /// The type of an expression that is not evaluated.
    pub(super) fn kind_of(&mut self, node: &Node<Expression>) -> Result<Kind, Refusal> {
        let outside = std::mem::take(&mut self.body);
        let kind = self.value(node);
        self.body = outside;
        kind
    }
}
