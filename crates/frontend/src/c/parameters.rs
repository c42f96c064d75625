//! Functions with bodies, and how their parameters are passed.
//!
//! An array is passed by reference: the parameter is another name for it while the function is
//! expanded, so two parameters may stand for one array. A pointer to numbers is such a parameter,
//! too, as long as it is only indexed.

use std::sync::Arc;

use lang_c::ast::{
    Declarator, DeclaratorKind, DerivedDeclarator, FunctionDefinition, Identifier,
    ParameterDeclaration,
};
use lang_c::span::{Node, Span as Place};
use shofar_base::{Diagnostic, Span};

use super::effects::{Effects, Shared};
use super::lower::Lowering;
use super::program::Shape;
use super::scope::CType;

/// A function with a body.
#[derive(Clone)]
pub(super) struct Callable<'a> {
    pub(super) definition: &'a FunctionDefinition,
    pub(super) result: CType,
    pub(super) span: Span,
    /// What it does by itself.
    pub(super) effects: Arc<Effects>,
    /// What it does to variables that others can see, by itself and by what it calls.
    pub(super) shared: Arc<Shared>,
    /// Whether it calls itself, perhaps by others.
    pub(super) is_recursive: bool,
}

/// A parameter.
pub(super) struct Parameter<'a> {
    pub(super) name: Option<&'a Node<Identifier>>,
    pub(super) passing: Passing,
    pub(super) place: &'a Place,
}

/// How a parameter is passed.
pub(super) enum Passing {
    /// A number.
    Value(Shape),
    /// An array of such elements.
    Reference(Shape),
    Refused(&'static str),
}

impl<'a> Callable<'a> {
    pub(super) fn new(definition: &'a FunctionDefinition, result: CType, span: Span) -> Self {
        let effects = Arc::new(Effects::of_statement(&definition.statement));
        let shared = Arc::default();
        Self { definition, result, span, effects, shared, is_recursive: false }
    }
    /// Whether it may write the array that is passed to it at this place.
    pub(super) fn may_write(&self, place: usize) -> bool {
        let derived = self.definition.declarator.node.derived.iter();
        let parameters = derived.flat_map(|derived| match &derived.node {
            DerivedDeclarator::Function(function) => &function.node.parameters[..],
            DerivedDeclarator::Pointer(_)
            | DerivedDeclarator::Array(_)
            | DerivedDeclarator::KRFunction(_)
            | DerivedDeclarator::Block(_) => &[],
        });
        let declarator = parameters.skip(place).take(1).find_map(|p| p.node.declarator.as_ref());
        let name = declarator.and_then(|declarator| name_of(&declarator.node));
        name.is_none_or(|name| self.effects.may_write(&name.node.name))
    }
    /// The parameters; `(void)` are none.
    pub(super) fn parameters(
        &self,
        lowering: &mut Lowering<'_>,
    ) -> Result<Vec<Parameter<'a>>, Diagnostic> {
        let mut parameters = Vec::new();
        for derived in &self.definition.declarator.node.derived {
            let DerivedDeclarator::Function(function) = &derived.node else { continue };
            for parameter in &function.node.parameters {
                parameters.extend(lowering.parameter(&parameter.node, &parameter.span)?);
            }
        }
        Ok(parameters)
    }
}

impl Lowering<'_> {
    /// A parameter; nothing for `void`.
    fn parameter<'ast>(
        &mut self,
        parameter: &'ast ParameterDeclaration,
        place: &'ast Place,
    ) -> Result<Option<Parameter<'ast>>, Diagnostic> {
        let (base, _) = self.specified(&parameter.specifiers)?;
        let declarator = parameter.declarator.as_ref().map(|declarator| &declarator.node);
        if let Some(element) = self.element(&base, declarator)? {
            let name = declarator.and_then(name_of);
            return Ok(Some(Parameter { name, passing: Passing::Reference(element), place }));
        }
        let (name, ctype) = match declarator {
            Some(declarator) => {
                let declared = self.declared(base, declarator)?;
                (declared.name, declared.ctype)
            }
            None => (None, base),
        };
        let passing = match ctype {
            CType::Void if name.is_none() => return Ok(None),
            CType::Data(shape) if !shape.is_array() => Passing::Value(shape),
            CType::Refused(what) => Passing::Refused(what),
            CType::Data(_) | CType::Void | CType::Function(_) => {
                Passing::Refused("such a parameter")
            }
        };
        Ok(Some(Parameter { name, passing, place }))
    }
    /// The elements of the array that a parameter stands for, if it is declared as an array or as a
    /// pointer to numbers. The first length means nothing there.
    fn element(
        &mut self,
        base: &CType,
        declarator: Option<&Declarator>,
    ) -> Result<Option<Shape>, Diagnostic> {
        let CType::Data(shape) = base else { return Ok(None) };
        let mut element = shape.clone();
        let derived = match declarator {
            Some(declarator) if name_of(declarator).is_none() && is_inner(declarator) => {
                return Ok(None);
            }
            Some(declarator) => &declarator.derived[..],
            None => &[],
        };
        let Some((first, rest)) = derived.split_first() else {
            // The name of a type may stand for an array.
            return Ok(shape.is_array().then(|| {
                element.lengths.remove(0);
                element
            }));
        };
        match &first.node {
            DerivedDeclarator::Pointer(_) if rest.is_empty() => {}
            DerivedDeclarator::Array(_) => {
                for inner in rest.iter().rev() {
                    let DerivedDeclarator::Array(array) = &inner.node else { return Ok(None) };
                    let CType::Data(longer) = self.array_of(element, &array.node.size)? else {
                        return Ok(None);
                    };
                    element = longer;
                }
            }
            DerivedDeclarator::Pointer(_)
            | DerivedDeclarator::Function(_)
            | DerivedDeclarator::KRFunction(_)
            | DerivedDeclarator::Block(_) => return Ok(None),
        }
        Ok(Some(element).filter(|element| !element.lengths.contains(&0)))
    }
}

fn name_of(declarator: &Declarator) -> Option<&Node<Identifier>> {
    match &declarator.kind.node {
        DeclaratorKind::Identifier(name) => Some(name),
        DeclaratorKind::Abstract | DeclaratorKind::Declarator(_) => None,
    }
}

/// Whether a declarator has another one in brackets.
fn is_inner(declarator: &Declarator) -> bool {
    matches!(declarator.kind.node, DeclaratorKind::Declarator(_))
}
