//! Names and types.
//!
//! A type that is not supported is no error until something of this type is used: headers declare
//! much that nobody needs.

use lang_c::ast::{
    ArraySize, DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator, EnumType,
    SpecifierQualifier, StorageClassSpecifier, TypeName, TypeQualifier, TypeSpecifier,
};
use lang_c::span::Node;
use shofar_base::{Diagnostic, IndexVec, Map, index_type};
use shofar_num::Rational;

use super::lower::Lowering;
use super::program::{Shape, VarId};
use super::types::Int;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Entity {
    Variable(VarId),
    /// A parameter that stands for this array.
    Reference(VarId),
    Constant(Rational, Int),
    Type(CType),
    /// A function that gives something of this type.
    Function(CType),
    /// Something that is not supported, and what.
    Refused(&'static str),
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CType {
    Void,
    Data(Shape),
    /// A function that gives something of this type.
    Function(Box<CType>),
    /// What is not supported.
    Refused(&'static str),
}

/// What is declared: its name, if it has one, and its type.
pub(super) struct Declared<'ast> {
    pub(super) name: Option<&'ast Node<lang_c::ast::Identifier>>,
    pub(super) ctype: CType,
}

index_type!(
    /// The declaration of a variable of a function.
    pub(super) struct DeclarationId
);

/// The names that are visible, from the outside to the inside.
///
/// Declarations of variables of functions form a tree: each has the one that was visible last
/// before it. So what is visible at a place is the path from the last declaration there to the
/// root, and takes no room.
#[derive(Clone, Debug, Default)]
pub(super) struct Scopes {
    levels: Vec<Level>,
    declarations: IndexVec<DeclarationId, LocalDeclaration>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Level {
    names: Map<String, Entity>,
    /// The last declaration that is visible.
    last: Visible,
}

#[derive(Clone, Debug)]
struct LocalDeclaration {
    variable: VarId,
    before: Visible,
    /// How many declarations are visible with it.
    count: usize,
}

/// The variables of a function that are visible at a place: those of this declaration and of all
/// before it.
pub(super) type Visible = Option<DeclarationId>;

impl Scopes {
    pub(super) fn find(&self, name: &str) -> Option<&Entity> {
        self.levels.iter().rev().find_map(|level| level.names.get(name))
    }
    pub(super) fn enter(&mut self) {
        let last = if self.levels.len() > 1 { self.visible() } else { None };
        self.levels.push(Level { names: Map::default(), last });
    }
    pub(super) fn leave(&mut self) {
        self.levels.pop();
    }
    /// Gives a name a meaning in the innermost scope; says what it meant there before.
    pub(super) fn declare(&mut self, name: &str, entity: Entity) -> Option<Entity> {
        let is_local = self.levels.len() > 1;
        let level = self.levels.last_mut().expect("some scope is open");
        if let (Entity::Variable(variable), true) = (&entity, is_local) {
            let (variable, before) = (*variable, level.last);
            let count = 1 + before.map_or(0, |before| self.declarations[before].count);
            let declaration = LocalDeclaration { variable, before, count };
            level.last = Some(self.declarations.push(declaration));
        }
        level.names.insert(name.to_owned(), entity)
    }
    /// What is visible here.
    pub(super) fn visible(&self) -> Visible {
        self.levels.last().and_then(|level| level.last)
    }
    /// The variables that are visible at `to` and not at `from`: a jump goes over their
    /// declarations.
    pub(super) fn jumped_over(&self, from: Visible, to: Visible) -> Vec<VarId> {
        let count = |at: Visible| at.map_or(0, |at| self.declarations[at].count);
        let (mut from, mut to, mut variables) = (from, to, Vec::new());
        while from != to {
            if count(to) < count(from) {
                from = from.and_then(|at| self.declarations[at].before);
            } else if let Some(at) = to {
                variables.push(self.declarations[at].variable);
                to = self.declarations[at].before;
            }
        }
        variables
    }
    /// The outermost scope alone; what was open is given back.
    pub(super) fn only_global(&mut self) -> Vec<Level> {
        self.levels.split_off(1)
    }
    pub(super) fn reopen(&mut self, levels: Vec<Level>) {
        self.levels.truncate(1);
        self.levels.extend(levels);
    }
}

/// How something is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    Plain,
    Static,
    Extern,
    Typedef,
}

impl Lowering<'_> {
    /// The type and storage that the specifiers of a declaration say.
    pub(super) fn specified(
        &mut self,
        specifiers: &[Node<DeclarationSpecifier>],
    ) -> Result<(CType, Storage), Diagnostic> {
        let (mut words, mut storage) = (Vec::new(), Storage::Plain);
        let mut refused = None;
        for specifier in specifiers {
            match &specifier.node {
                DeclarationSpecifier::StorageClass(class) => match class.node {
                    StorageClassSpecifier::Typedef => storage = Storage::Typedef,
                    StorageClassSpecifier::Extern => storage = Storage::Extern,
                    StorageClassSpecifier::Static => storage = Storage::Static,
                    StorageClassSpecifier::ThreadLocal => refused = Some("thread-local storage"),
                    StorageClassSpecifier::Auto | StorageClassSpecifier::Register => {}
                },
                DeclarationSpecifier::TypeSpecifier(word) => words.push(&word.node),
                DeclarationSpecifier::TypeQualifier(word) => {
                    refused = refused.or(refused_qualifier(&word.node));
                }
                DeclarationSpecifier::Function(_) | DeclarationSpecifier::Extension(_) => {}
                DeclarationSpecifier::Alignment(_) => refused = Some("an alignment"),
            }
        }
        let ctype = self.named_type(&words)?;
        Ok((refused.map_or(ctype, CType::Refused), storage))
    }
    /// The type that a cast names.
    pub(super) fn type_name(&mut self, name: &TypeName) -> Result<CType, Diagnostic> {
        let (mut words, mut refused) = (Vec::new(), None);
        for specifier in &name.specifiers {
            match &specifier.node {
                SpecifierQualifier::TypeSpecifier(word) => words.push(&word.node),
                SpecifierQualifier::TypeQualifier(word) => {
                    refused = refused.or(refused_qualifier(&word.node));
                }
                SpecifierQualifier::Extension(_) => {}
            }
        }
        let base = self.named_type(&words)?;
        let base = refused.map_or(base, CType::Refused);
        match &name.declarator {
            Some(declarator) => Ok(self.declared(base, &declarator.node)?.ctype),
            None => Ok(base),
        }
    }
    fn named_type(&mut self, words: &[&TypeSpecifier]) -> Result<CType, Diagnostic> {
        let count = |wanted: &TypeSpecifier| words.iter().filter(|word| **word == wanted).count();
        for word in words {
            let refused = match word {
                TypeSpecifier::Float | TypeSpecifier::Double | TypeSpecifier::TS18661Float(_) => {
                    "a floating-point number"
                }
                TypeSpecifier::Complex => "a complex number",
                TypeSpecifier::Atomic(_) => "an atomic type",
                TypeSpecifier::Struct(_) => "a structure or union",
                TypeSpecifier::TypeOf(_) => "`typeof`",
                TypeSpecifier::Void => return Ok(CType::Void),
                TypeSpecifier::Bool => return Ok(CType::Data(Shape::number(Int::BOOL))),
                TypeSpecifier::Enum(enumeration) => {
                    self.enumerators(&enumeration.node)?;
                    return Ok(CType::Data(Shape::number(Int::INT)));
                }
                TypeSpecifier::TypedefName(name) => {
                    return Ok(match self.scopes.find(&name.node.name) {
                        Some(Entity::Type(ctype)) => ctype.clone(),
                        Some(
                            Entity::Variable(_)
                            | Entity::Reference(_)
                            | Entity::Constant(..)
                            | Entity::Function(_)
                            | Entity::Refused(_),
                        )
                        | None => CType::Refused("a type of the compiler"),
                    });
                }
                TypeSpecifier::Char
                | TypeSpecifier::Short
                | TypeSpecifier::Int
                | TypeSpecifier::Long
                | TypeSpecifier::Signed
                | TypeSpecifier::Unsigned => continue,
            };
            return Ok(CType::Refused(refused));
        }
        let int = if count(&TypeSpecifier::Char) > 0 {
            Int::CHAR
        } else if count(&TypeSpecifier::Short) > 0 {
            Int::SHORT
        } else if count(&TypeSpecifier::Long) > 1 {
            Int::LONG_LONG
        } else if count(&TypeSpecifier::Long) > 0 {
            self.model.long()
        } else {
            Int::INT
        };
        let is_unsigned = count(&TypeSpecifier::Unsigned) > 0;
        Ok(CType::Data(Shape::number(if is_unsigned { int.unsigned() } else { int })))
    }
    /// Declares the constants of an enumeration.
    fn enumerators(&mut self, enumeration: &EnumType) -> Result<(), Diagnostic> {
        let mut next = Rational::ZERO;
        for enumerator in &enumeration.enumerators {
            if let Some(value) = &enumerator.node.expression {
                next = self.constant(value)?.0;
            }
            let name = &enumerator.node.identifier;
            let at = self.at(&name.span);
            if Int::INT.min() > next || Int::INT.max() < next {
                return Err(Diagnostic::new(at, "this constant does not fit into an `int`"));
            }
            self.declare(&name.node.name, Entity::Constant(next.clone(), Int::INT), at)?;
            next = &next + &Rational::ONE;
        }
        Ok(())
    }
    /// What a declarator declares; the type in front of it is `base`.
    pub(super) fn declared<'ast>(
        &mut self,
        base: CType,
        declarator: &'ast Declarator,
    ) -> Result<Declared<'ast>, Diagnostic> {
        let is_pointer = |derived: &&Node<DerivedDeclarator>| {
            matches!(derived.node, DerivedDeclarator::Pointer(_) | DerivedDeclarator::Block(_))
        };
        let pointers = declarator.derived.iter().filter(is_pointer).count();
        let mut ctype = if pointers > 0 { CType::Refused("a pointer") } else { base };
        // Of `a[2][3]` the innermost part stands last.
        for derived in declarator.derived[pointers..].iter().rev() {
            ctype = match (&derived.node, ctype) {
                (DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_), result) => {
                    CType::Function(Box::new(result))
                }
                (_, CType::Refused(what)) => CType::Refused(what),
                (DerivedDeclarator::Array(array), CType::Data(shape)) => {
                    self.array_of(shape, &array.node.size)?
                }
                (
                    DerivedDeclarator::Array(_)
                    | DerivedDeclarator::Pointer(_)
                    | DerivedDeclarator::Block(_),
                    CType::Data(_) | CType::Void | CType::Function(_),
                ) => CType::Refused("an array of something else than numbers"),
            };
        }
        Ok(match &declarator.kind.node {
            DeclaratorKind::Abstract => Declared { name: None, ctype },
            DeclaratorKind::Identifier(name) => Declared { name: Some(name), ctype },
            DeclaratorKind::Declarator(inner) => self.declared(ctype, &inner.node)?,
        })
    }
    pub(super) fn array_of(
        &mut self,
        element: Shape,
        size: &ArraySize,
    ) -> Result<CType, Diagnostic> {
        let length = match size {
            ArraySize::VariableExpression(length) => length,
            // It may follow from the initialiser.
            ArraySize::Unknown => return Ok(CType::Data(with_length(element, 0))),
            ArraySize::VariableUnknown | ArraySize::StaticExpression(_) => {
                return Ok(CType::Refused("an array of unknown length"));
            }
        };
        let at = self.at(&length.span);
        let Ok((number, _)) = self.constant(length) else {
            return Ok(CType::Refused("an array whose length is no constant"));
        };
        match number.to_i64().filter(|&length| (1..=1 << 40).contains(&length)) {
            Some(length) => Ok(CType::Data(with_length(element, length))),
            None => Err(Diagnostic::new(at, "an array has a positive length")),
        }
    }
}

fn with_length(mut shape: Shape, length: i64) -> Shape {
    shape.lengths.insert(0, length);
    shape
}

fn refused_qualifier(qualifier: &TypeQualifier) -> Option<&'static str> {
    match qualifier {
        TypeQualifier::Volatile => Some("a volatile variable"),
        TypeQualifier::Atomic => Some("an atomic type"),
        TypeQualifier::Const
        | TypeQualifier::Restrict
        | TypeQualifier::Nonnull
        | TypeQualifier::NullUnspecified
        | TypeQualifier::Nullable => None,
    }
}
