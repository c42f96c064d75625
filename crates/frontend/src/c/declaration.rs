//! Declarations in functions, and the first values of variables.

use lang_c::ast::{Declaration, Expression, Initializer, InitializerListItem, StaticAssert};
use lang_c::span::Node;
use shofar_base::{Diagnostic, Span};
use shofar_term::Term;
use shofar_term::symbols::free_symbols;

use super::effects::Effects;
use super::lower::Lowering;
use super::program::{Instruction, Shape, VarId};
use super::scope::{CType, Entity, Storage};

/// Longer lists of elements are refused.
const MOST_ELEMENTS: i64 = 100_000;

impl Lowering<'_> {
    /// A compiler has decided it; what can be evaluated here has to hold.
    pub(super) fn static_assertion(
        &mut self,
        assertion: &Node<StaticAssert>,
    ) -> Result<(), Diagnostic> {
        match self.constant(&assertion.node.expression) {
            Ok((value, _)) if value.is_zero() => {
                Err(Diagnostic::new(self.at(&assertion.span), "this assertion does not hold"))
            }
            Ok(_) | Err(_) => Ok(()),
        }
    }
    pub(super) fn declaration(&mut self, declaration: &Declaration) -> Result<(), Diagnostic> {
        let (base, storage) = self.specified(&declaration.specifiers)?;
        for declarator in &declaration.declarators {
            let declared = self.declared(base.clone(), &declarator.node.declarator.node)?;
            let Some(name) = declared.name else { continue };
            let at = self.at(&name.span);
            let initializer = declarator.node.initializer.as_ref();
            let entity = match declared.ctype {
                ctype if storage == Storage::Typedef => Entity::Type(ctype),
                CType::Function(result) => Entity::Function(*result),
                CType::Data(_) if storage == Storage::Extern => {
                    return self.refuse(&name.span, "`extern` in a function");
                }
                CType::Data(shape) if storage == Storage::Static => {
                    Entity::Variable(self.static_variable(name, shape, initializer)?)
                }
                CType::Data(shape) => {
                    let span = self.at(&declarator.span);
                    let variable = self.initialized(&name.node.name, shape, initializer, span)?;
                    Entity::Variable(variable)
                }
                CType::Void => return self.refuse(&name.span, "a variable of type `void`"),
                CType::Refused(what) => return self.refuse(&name.span, what),
            };
            self.declare(&name.node.name, entity, at)?;
        }
        Ok(())
    }
    /// A variable of the function with its first value, which is any if nothing is said.
    fn initialized(
        &mut self,
        name: &str,
        shape: Shape,
        initializer: Option<&Node<Initializer>>,
        span: Span,
    ) -> Result<VarId, Diagnostic> {
        let Some(initializer) = initializer else {
            if shape.lengths.contains(&0) {
                return Err(Diagnostic::new(span, "an array of unknown length is not supported"));
            }
            let variable = self.local(name, shape, span);
            self.emit(Instruction::Any { variable, input: None, span });
            self.begins_with(variable, span);
            return Ok(variable);
        };
        let parts = parts_of(initializer);
        for part in &parts {
            if Effects::of_expression(part).mentions(name) {
                return self.refuse(&part.span, "a variable in its own first value");
            }
        }
        self.check_elements(&parts)?;
        let (shape, value) = self.initial(shape, initializer)?;
        let variable = self.local(name, shape, span);
        self.emit(Instruction::Set { variable, value, span });
        Ok(variable)
    }
    /// The first value, and the shape with a length that follows from it.
    pub(super) fn initial(
        &mut self,
        mut shape: Shape,
        initializer: &Node<Initializer>,
    ) -> Result<(Shape, Term), Diagnostic> {
        let value = match &initializer.node {
            Initializer::Expression(expression) if !shape.is_array() => {
                self.begin(expression);
                let value = self.value(expression)?.converted(self, shape.int);
                value.number(self.store)
            }
            Initializer::Expression(expression) => {
                return self.refuse(&expression.span, "such a first value of an array");
            }
            Initializer::List(items) if !shape.is_array() => match &items[..] {
                [only] => return self.initial(shape, &only.node.initializer),
                _ => return self.refuse(&initializer.span, "such a first value"),
            },
            Initializer::List(items) => {
                if shape.lengths[0] == 0 {
                    shape.lengths[0] = i64::try_from(items.len()).unwrap_or(i64::MAX);
                }
                let mut elements = Vec::new();
                self.elements(&shape, 0, 0, items, &mut elements)?;
                self.filled(&shape, &elements)?
            }
        };
        Ok((shape, value))
    }
    /// The first value of a variable that is there before the program runs.
    pub(super) fn constant_initial(
        &mut self,
        shape: Shape,
        initializer: Option<&Node<Initializer>>,
    ) -> Result<(Shape, Option<Term>), Diagnostic> {
        let Some(initializer) = initializer else { return Ok((shape, None)) };
        let (initial, is_pure) = self.in_scratch(|this| this.initial(shape, initializer));
        let (shape, value) = initial?;
        if !is_pure || !free_symbols(self.store, &[value]).is_empty() {
            return Err(Diagnostic::new(self.at(&initializer.span), "a constant is expected here"));
        }
        Ok((shape, Some(value)))
    }
    /// An array of zeros with these elements at these places.
    fn filled(
        &mut self,
        shape: &Shape,
        elements: &[(i64, &Node<Expression>)],
    ) -> Result<Term, Diagnostic> {
        let mut array = shape.zero(self.store);
        let has_any = |&(_, element): &(_, &_)| Effects::of_expression(element).has_any();
        let is_open = elements.iter().any(has_any);
        for &(place, element) in elements {
            self.begin(element);
            let mut value = self.value(element)?.converted(self, shape.int);
            if is_open {
                // It waits until the list is complete.
                value = self.settled(value);
            }
            let (index, value) = (self.store.int(place), value.number(self.store));
            array = self.store.store(array, index, value);
        }
        Ok(array)
    }
    /// The elements of a list with their places in an array, from dimension `depth` and place
    /// `first` on.
    fn elements<'ast>(
        &mut self,
        shape: &Shape,
        depth: usize,
        first: i64,
        items: &'ast [Node<InitializerListItem>],
        elements: &mut Vec<(i64, &'ast Node<Expression>)>,
    ) -> Result<(), Diagnostic> {
        let stride: i64 = shape.lengths[depth + 1..].iter().product();
        let length = shape.lengths[depth];
        for (at, item) in (0..).zip(items) {
            let place = &item.span;
            if let Some(designator) = item.node.designation.first() {
                return self.refuse(&designator.span, "a designator");
            }
            if at >= length || at >= MOST_ELEMENTS {
                return Err(Diagnostic::new(self.at(place), "there are too many elements"));
            }
            let start = first + at * stride;
            match &item.node.initializer.node {
                Initializer::List(inner) if depth + 1 < shape.lengths.len() => {
                    self.elements(shape, depth + 1, start, inner, elements)?;
                }
                Initializer::Expression(element) if depth + 1 == shape.lengths.len() => {
                    elements.push((start, element));
                }
                Initializer::List(_) | Initializer::Expression(_) => {
                    return self.refuse(place, "such a list of elements");
                }
            }
        }
        Ok(())
    }
}

/// The expressions in a first value.
fn parts_of(initializer: &Node<Initializer>) -> Vec<&Node<Expression>> {
    let (mut parts, mut open) = (Vec::new(), vec![initializer]);
    while let Some(part) = open.pop() {
        match &part.node {
            Initializer::Expression(expression) => parts.push(&**expression),
            Initializer::List(items) => {
                open.extend(items.iter().rev().map(|item| &*item.node.initializer));
            }
        }
    }
    parts
}
