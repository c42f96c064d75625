//! Declarations: specifiers, declarators, parameters, first values.

use std::sync::Arc;

use lang_c::ast::{
    ArraySize, Declaration, DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator,
    EnumType, Identifier, Initializer, InitializerListItem, ParameterDeclaration,
    SpecifierQualifier, StorageClassSpecifier, TypeName, TypeQualifier, TypeSpecifier,
};
use lang_c::span::{Node, Span as Place};

use super::code::{Op, Shape, Var};
use super::compile::Compiler;
use super::kind::Kind;
use super::scope::{Entity, Refusal, Type};

/// How something is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    Plain,
    Static,
    Extern,
    Typedef,
}

/// A parameter: its name, what it is, and its place.
type Passed<'ast> = (Option<&'ast str>, Entity, &'ast Place);

impl Compiler<'_> {
    /// The type and the storage that the specifiers of a declaration say.
    pub(super) fn specified(
        &mut self,
        specifiers: &[Node<DeclarationSpecifier>],
    ) -> Result<(Type, Storage), Refusal> {
        let (mut words, mut storage, mut other) = (Vec::new(), Storage::Plain, None);
        for specifier in specifiers {
            match &specifier.node {
                DeclarationSpecifier::TypeSpecifier(word) => words.push(&word.node),
                DeclarationSpecifier::TypeQualifier(word) => other = other.or(special(&word.node)),
                DeclarationSpecifier::StorageClass(class) => match class.node {
                    StorageClassSpecifier::Typedef => storage = Storage::Typedef,
                    StorageClassSpecifier::Extern => storage = Storage::Extern,
                    StorageClassSpecifier::Static => storage = Storage::Static,
                    StorageClassSpecifier::Auto | StorageClassSpecifier::Register => {}
                    StorageClassSpecifier::ThreadLocal => other = Some("a variable of a thread"),
                },
                DeclarationSpecifier::Alignment(_) => other = Some("an alignment"),
                DeclarationSpecifier::Function(_) | DeclarationSpecifier::Extension(_) => {}
            }
        }
        let base = self.base(&words)?;
        Ok((other.map_or(base, Type::Other), storage))
    }
    pub(super) fn type_name(&mut self, name: &TypeName) -> Result<Type, Refusal> {
        let (mut words, mut other) = (Vec::new(), None);
        for specifier in &name.specifiers {
            match &specifier.node {
                SpecifierQualifier::TypeSpecifier(word) => words.push(&word.node),
                SpecifierQualifier::TypeQualifier(word) => other = other.or(special(&word.node)),
                SpecifierQualifier::Extension(_) => {}
            }
        }
        let base = self.base(&words)?;
        let base = other.map_or(base, Type::Other);
        match &name.declarator {
            Some(declarator) => Ok(self.declared(base, &declarator.node)?.1),
            None => Ok(base),
        }
    }
    fn base(&mut self, words: &[&TypeSpecifier]) -> Result<Type, Refusal> {
        let (mut bits, mut longs, mut is_unsigned) = (None, 0, false);
        for word in words {
            match word {
                TypeSpecifier::Char => bits = Some(8),
                TypeSpecifier::Short => bits = Some(16),
                TypeSpecifier::Long => longs += 1,
                TypeSpecifier::Unsigned => is_unsigned = true,
                TypeSpecifier::Int | TypeSpecifier::Signed => {}
                TypeSpecifier::Bool => return Ok(Type::Data(Shape::number(Kind::BOOL))),
                TypeSpecifier::Void => return Ok(Type::Void),
                TypeSpecifier::Enum(enumeration) => {
                    self.enumerators(&enumeration.node)?;
                    return Ok(Type::Data(Shape::number(Kind::INT)));
                }
                TypeSpecifier::TypedefName(name) => {
                    return Ok(match self.scopes.find(&name.node.name) {
                        Some(Entity::Type(named)) => named.clone(),
                        Some(_) | None => Type::Other("a type of the compiler"),
                    });
                }
                TypeSpecifier::Float
                | TypeSpecifier::Double
                | TypeSpecifier::Complex
                | TypeSpecifier::Atomic(_)
                | TypeSpecifier::Struct(_)
                | TypeSpecifier::TypeOf(_)
                | TypeSpecifier::TS18661Float(_) => {
                    return Ok(Type::Other("something else than integers"));
                }
            }
        }
        let wide = match longs {
            0 => Kind::INT.bits,
            1 => self.model.long().bits,
            _ => 64,
        };
        Ok(Type::Data(Shape::number(Kind::new(bits.unwrap_or(wide), !is_unsigned))))
    }
    fn enumerators(&mut self, enumeration: &EnumType) -> Result<(), Refusal> {
        let mut next = 0;
        for enumerator in &enumeration.enumerators {
            if let Some(value) = &enumerator.node.expression {
                next = self.constant(value)?.0;
            }
            let name = &enumerator.node.identifier.node.name;
            self.scopes.declare(name, Entity::Constant(next, Kind::INT));
            next += 1;
        }
        Ok(())
    }
    /// The name that a declarator declares, and its type if `base` stands in front of it.
    pub(super) fn declared<'ast>(
        &mut self,
        base: Type,
        declarator: &'ast Declarator,
    ) -> Result<(Option<&'ast Node<Identifier>>, Type), Refusal> {
        let mut inner = base;
        let is_pointer = |d: &&Node<DerivedDeclarator>| {
            matches!(d.node, DerivedDeclarator::Pointer(_) | DerivedDeclarator::Block(_))
        };
        if declarator.derived.iter().any(|derived| is_pointer(&derived)) {
            inner = Type::Other("a pointer");
        }
        // Of `a[2][3]`, the innermost part stands last.
        for derived in declarator.derived.iter().filter(|d| !is_pointer(d)).rev() {
            inner = match (&derived.node, inner) {
                (DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_), result) => {
                    Type::Function(Box::new(result))
                }
                (DerivedDeclarator::Array(array), Type::Data(element)) => {
                    match self.length(&array.node.size) {
                        Some(length) => Type::Data(longer(&element, length)),
                        None => Type::Other("an array whose length is not constant"),
                    }
                }
                (_, Type::Other(what)) => Type::Other(what),
                (_, Type::Void | Type::Data(_) | Type::Function(_)) => Type::Other("such a type"),
            };
        }
        match &declarator.kind.node {
            DeclaratorKind::Abstract => Ok((None, inner)),
            DeclaratorKind::Identifier(name) => Ok((Some(name), inner)),
            DeclaratorKind::Declarator(nested) => self.declared(inner, &nested.node),
        }
    }
    /// A length; 0 if it is left to the first value.
    fn length(&mut self, size: &ArraySize) -> Option<i64> {
        match size {
            ArraySize::Unknown => Some(0),
            ArraySize::VariableExpression(length) => {
                let length = self.constant(length).ok().and_then(|(n, _)| i64::try_from(n).ok());
                length.filter(|length| *length > 0)
            }
            ArraySize::VariableUnknown | ArraySize::StaticExpression(_) => None,
        }
    }

    /// The parameters of a function.
    pub(super) fn parameters<'ast>(
        &mut self,
        declarator: &'ast Declarator,
    ) -> Result<Vec<Passed<'ast>>, Refusal> {
        let mut parameters = Vec::new();
        for derived in &declarator.derived {
            let DerivedDeclarator::Function(function) = &derived.node else { continue };
            for parameter in &function.node.parameters {
                parameters.extend(self.parameter(&parameter.node, &parameter.span)?);
            }
        }
        Ok(parameters)
    }
    fn parameter<'ast>(
        &mut self,
        parameter: &'ast ParameterDeclaration,
        place: &'ast Place,
    ) -> Result<Option<Passed<'ast>>, Refusal> {
        let (base, _) = self.specified(&parameter.specifiers)?;
        let Some(declarator) = &parameter.declarator else {
            return Ok((base != Type::Void).then(|| (None, passed(base), place)));
        };
        // A pointer to numbers is an array.
        if let ([derived], Type::Data(shape)) = (&declarator.node.derived[..], &base)
            && let (DerivedDeclarator::Pointer(_), false) = (&derived.node, shape.is_array())
            && let DeclaratorKind::Identifier(name) = &declarator.node.kind.node
        {
            let entity = Entity::Passed(Var::Local(0), longer(shape, 0));
            return Ok(Some((Some(name.node.name.as_str()), entity, place)));
        }
        let (name, declared) = self.declared(base, &declarator.node)?;
        Ok(Some((name.map(|name| name.node.name.as_str()), passed(declared), place)))
    }

    /// A declaration in a function.
    pub(super) fn declaration(&mut self, declaration: &Declaration) -> Result<(), Refusal> {
        let (base, storage) = self.specified(&declaration.specifiers)?;
        for declarator in &declaration.declarators {
            let (name, declared) = self.declared(base.clone(), &declarator.node.declarator.node)?;
            let Some(name) = name else { continue };
            let own = name.node.name.as_str();
            let initializer = declarator.node.initializer.as_ref();
            let entity = match declared {
                declared if storage == Storage::Typedef => Entity::Type(declared),
                Type::Function(result) => Entity::Function(*result),
                Type::Data(_) if storage == Storage::Extern => {
                    return self.refuse(&name.span, "`extern` in a function");
                }
                Type::Data(shape) if storage == Storage::Static => {
                    let known = self.statics.get(&name.span.start).cloned();
                    if let Some((var, shape)) = known {
                        Entity::Variable(var, shape)
                    } else {
                        let entity = self.global(own, shape, initializer, None)?;
                        if let Entity::Variable(var, shape) = &entity {
                            self.statics.insert(name.span.start, (*var, shape.clone()));
                        }
                        entity
                    }
                }
                Type::Data(shape) => self.local(own, shape, initializer, &declarator.span)?,
                Type::Void => return self.refuse(&name.span, "a variable of type `void`"),
                Type::Other(what) => return self.refuse(&name.span, what),
            };
            self.scopes.declare(own, entity);
        }
        Ok(())
    }
    /// A variable of a function, and its first value.
    fn local(
        &mut self,
        name: &str,
        shape: Shape,
        initializer: Option<&Node<Initializer>>,
        place: &Place,
    ) -> Result<Entity, Refusal> {
        let Some(initializer) = initializer else {
            let var = self.body.local(name, shape.clone());
            self.emit(Op::Open(var), place);
            return Ok(Entity::Variable(var, shape));
        };
        let mut items = Vec::new();
        let shape = first_values(&shape, &initializer.node, &mut items)
            .ok_or_else(|| Refusal::new("such a first value", self.at(&initializer.span)))?;
        for (_, element) in &items {
            let kind = self.value(element)?;
            self.emit(Op::Convert(kind, shape.kind), &element.span);
        }
        let var = self.body.local(name, shape.clone());
        if shape.is_array() {
            let places = items.iter().map(|(at, _)| *at).collect();
            self.emit(Op::Fill(var, places), place);
        } else {
            self.emit(Op::Store(var), place);
            self.emit(Op::Drop, place);
        }
        Ok(Entity::Variable(var, shape))
    }
    /// The first value of a variable that is there before the program runs.
    pub(super) fn constant_first(
        &mut self,
        shape: &Shape,
        initializer: &Node<Initializer>,
    ) -> Result<(Shape, Vec<(i64, i128)>), Refusal> {
        let mut items = Vec::new();
        let shape = first_values(shape, &initializer.node, &mut items)
            .ok_or_else(|| Refusal::new("such a first value", self.at(&initializer.span)))?;
        let mut first = Vec::with_capacity(items.len());
        for (at, element) in items {
            let (value, kind) = self.constant(element)?;
            first.push((at, kind.convert(value, shape.kind)));
        }
        Ok((shape, first))
    }
}

/// The expressions that a first value consists of, by their places, and the shape with the length
/// that follows from it.
fn first_values<'ast>(
    shape: &Shape,
    initializer: &'ast Initializer,
    items: &mut Vec<(i64, &'ast Node<lang_c::ast::Expression>)>,
) -> Option<Shape> {
    match initializer {
        Initializer::Expression(value) if !shape.is_array() => {
            items.push((0, value));
            Some(shape.clone())
        }
        Initializer::Expression(_) => None,
        Initializer::List(list) if !shape.is_array() => match &list[..] {
            [only] => first_values(shape, &only.node.initializer.node, items),
            _ => None,
        },
        Initializer::List(list) => {
            let mut lengths = shape.lengths.to_vec();
            if lengths[0] == 0 {
                lengths[0] = i64::try_from(list.len()).ok()?;
            }
            let shape = Shape { kind: shape.kind, lengths: lengths.into() };
            listed(&shape.lengths, 0, list, items)?;
            Some(shape)
        }
    }
}

/// The elements of a list for an array with these lengths, whose first element has the place
/// `start`.
fn listed<'ast>(
    lengths: &[i64],
    start: i64,
    list: &'ast [Node<InitializerListItem>],
    items: &mut Vec<(i64, &'ast Node<lang_c::ast::Expression>)>,
) -> Option<()> {
    let (length, inner) = lengths.split_first()?;
    let stride: i64 = inner.iter().product();
    for (at, item) in (0..).zip(list) {
        if at >= *length || !item.node.designation.is_empty() {
            return None;
        }
        match &item.node.initializer.node {
            Initializer::Expression(value) if inner.is_empty() => items.push((start + at, value)),
            Initializer::List(list) if !inner.is_empty() => {
                listed(inner, start + at * stride, list, items)?;
            }
            Initializer::Expression(_) | Initializer::List(_) => return None,
        }
    }
    Some(())
}

fn longer(element: &Shape, length: i64) -> Shape {
    let lengths: Vec<i64> = [length].into_iter().chain(element.lengths.iter().copied()).collect();
    Shape { kind: element.kind, lengths: Arc::from(lengths) }
}

/// What a parameter of this type is; the number of the variable comes later.
fn passed(declared: Type) -> Entity {
    match declared {
        Type::Data(shape) if shape.is_array() => Entity::Passed(Var::Local(0), shape),
        Type::Data(shape) => Entity::Variable(Var::Local(0), shape),
        Type::Void | Type::Function(_) => Entity::Other("such a parameter"),
        Type::Other(what) => Entity::Other(what),
    }
}

fn special(qualifier: &TypeQualifier) -> Option<&'static str> {
    match qualifier {
        TypeQualifier::Volatile => Some("a volatile variable"),
        TypeQualifier::Atomic => Some("an atomic variable"),
        TypeQualifier::Const
        | TypeQualifier::Restrict
        | TypeQualifier::Nonnull
        | TypeQualifier::NullUnspecified
        | TypeQualifier::Nullable => None,
    }
}
