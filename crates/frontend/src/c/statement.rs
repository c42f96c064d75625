//! Statements and declarations in functions.

use lang_c::ast::{
    BlockItem, Declaration, Expression, ForInitializer, ForStatement, Initializer,
    InitializerListItem, Label, LabeledStatement, Statement, SwitchStatement,
};
use lang_c::span::{Node, Span as Place};
use shofar_base::{Diagnostic, Set, Span};
use shofar_term::symbols::free_symbols;
use shofar_term::{Sort, Term};

use super::effects::Effects;
use super::expression::Val;
use super::lower::Lowering;
use super::program::{BlockId, End, Head, HeadKind, Instruction, Shape, VarId};
use super::scope::{CType, Entity, Storage};
use super::types::Int;

/// Longer lists of elements are refused.
const MOST_ELEMENTS: i64 = 100_000;

/// A `switch` whose cases are being met.
pub(super) struct Switch {
    int: Int,
    cases: Vec<(Term, BlockId)>,
    default: Option<BlockId>,
    /// The variables that are visible around it.
    visible: Set<VarId>,
}

impl Lowering<'_> {
    pub(super) fn statement(&mut self, node: &Node<Statement>) -> Result<(), Diagnostic> {
        match &node.node {
            Statement::Labeled(labeled) => self.labeled(&labeled.node),
            Statement::Compound(items) => {
                self.scopes.enter();
                for item in items {
                    match &item.node {
                        BlockItem::Declaration(declaration) => {
                            self.declaration(&declaration.node)?;
                        }
                        BlockItem::Statement(statement) => self.statement(statement)?,
                        BlockItem::StaticAssert(assertion) => {
                            return self.refuse(&assertion.span, "a static assertion");
                        }
                    }
                }
                self.scopes.leave();
                Ok(())
            }
            Statement::Expression(None) => Ok(()),
            Statement::Expression(Some(expression)) => self.full(expression).map(|_| ()),
            Statement::If(choice) => {
                let (yes, no, after) = (self.new_block(), self.new_block(), self.new_block());
                self.branch(&choice.node.condition, yes, no)?;
                self.body.current = yes;
                self.statement(&choice.node.then_statement)?;
                self.enter_block(after);
                self.body.current = no;
                if let Some(other) = &choice.node.else_statement {
                    self.statement(other)?;
                }
                self.enter_block(after);
                Ok(())
            }
            Statement::Switch(switch) => self.switch(&switch.node),
            Statement::While(repeated) => {
                let (head, inside, after) = (self.head(node), self.new_block(), self.new_block());
                self.enter_block(head);
                self.branch(&repeated.node.expression, inside, after)?;
                self.repeat(&repeated.node.statement, inside, head, after)?;
                self.enter_block(head);
                self.body.current = after;
                Ok(())
            }
            Statement::DoWhile(repeated) => {
                let (head, test, after) = (self.head(node), self.new_block(), self.new_block());
                self.enter_block(head);
                self.repeat(&repeated.node.statement, head, test, after)?;
                self.enter_block(test);
                self.branch(&repeated.node.expression, head, after)?;
                self.body.current = after;
                Ok(())
            }
            Statement::For(repeated) => self.for_loop(&repeated.node, node),
            Statement::Goto(name) => {
                let at = self.at(&name.span);
                let target = self.label(&name.node.name, at, false)?;
                let visible = self.scopes.locals();
                self.body.jumps.gotos.push((name.node.name.clone(), at, visible));
                self.end(End::Goto(target));
                Ok(())
            }
            Statement::Continue => {
                let target = self.body.jumps.continues.last().copied();
                self.jump(target, &node.span)
            }
            Statement::Break => {
                let target = self.body.jumps.breaks.last().copied();
                self.jump(target, &node.span)
            }
            Statement::Return(value) => self.leave(value.as_deref(), &node.span),
            Statement::Asm(_) => self.refuse(&node.span, "assembler"),
        }
    }
    fn jump(&mut self, target: Option<BlockId>, place: &Place) -> Result<(), Diagnostic> {
        match target {
            Some(target) => {
                self.end(End::Goto(target));
                Ok(())
            }
            None => Err(Diagnostic::new(self.at(place), "there is no loop around this")),
        }
    }
    /// The block at the head of a loop.
    fn head(&mut self, statement: &Node<Statement>) -> BlockId {
        let block = self.new_block();
        let span = self.at(&statement.span);
        self.body.blocks[block].head = Some(Head { span, kind: HeadKind::Loop });
        block
    }
    /// Goes to one of two blocks.
    fn branch(
        &mut self,
        condition: &Node<Expression>,
        yes: BlockId,
        no: BlockId,
    ) -> Result<(), Diagnostic> {
        self.is_order_relevant = Effects::of_expression(condition).has_any();
        let term = self.condition(condition)?;
        let span = Some(self.at(&condition.span));
        self.end(End::Branch { condition: term, span, yes, no });
        Ok(())
    }
    /// The body of a loop, which begins with the block `inside`.
    fn repeat(
        &mut self,
        body: &Node<Statement>,
        inside: BlockId,
        next: BlockId,
        after: BlockId,
    ) -> Result<(), Diagnostic> {
        self.body.jumps.breaks.push(after);
        self.body.jumps.continues.push(next);
        self.body.current = inside;
        self.statement(body)?;
        self.body.jumps.breaks.pop();
        self.body.jumps.continues.pop();
        Ok(())
    }
    fn for_loop(
        &mut self,
        repeated: &ForStatement,
        node: &Node<Statement>,
    ) -> Result<(), Diagnostic> {
        self.scopes.enter();
        match &repeated.initializer.node {
            ForInitializer::Empty => {}
            ForInitializer::Expression(expression) => self.full(expression).map(|_| ())?,
            ForInitializer::Declaration(declaration) => self.declaration(&declaration.node)?,
            ForInitializer::StaticAssert(assertion) => {
                return self.refuse(&assertion.span, "a static assertion");
            }
        }
        let (head, inside) = (self.head(node), self.new_block());
        let (next, after) = (self.new_block(), self.new_block());
        self.enter_block(head);
        match &repeated.condition {
            Some(condition) => self.branch(condition, inside, after)?,
            None => self.end(End::Goto(inside)),
        }
        self.repeat(&repeated.statement, inside, next, after)?;
        self.enter_block(next);
        if let Some(step) = &repeated.step {
            self.full(step)?;
        }
        self.enter_block(head);
        self.body.current = after;
        self.scopes.leave();
        Ok(())
    }
    fn switch(&mut self, switch: &SwitchStatement) -> Result<(), Diagnostic> {
        self.is_order_relevant = Effects::of_expression(&switch.expression).has_any();
        let value = self.value(&switch.expression)?;
        let int = value.int.promoted();
        let value = value.converted(self, int).number(self.store);
        let (dispatch, inside, after) = (self.body.current, self.new_block(), self.new_block());
        let span = self.at(&switch.expression.span);
        let variable = self.hidden("switch", int);
        self.emit(Instruction::Set { variable, value, span });
        let visible = self.scopes.locals();
        self.body.jumps.switches.push(Switch { int, cases: Vec::new(), default: None, visible });
        self.body.jumps.breaks.push(after);
        self.body.current = inside;
        self.statement(&switch.statement)?;
        self.enter_block(after);
        self.body.jumps.breaks.pop();
        let switch = self.body.jumps.switches.pop().expect("it was pushed");
        self.body.current = dispatch;
        let value = self.read(variable);
        for (case, yes) in switch.cases {
            let (condition, no) = (self.store.eq(value, case), self.new_block());
            self.end(End::Branch { condition, span: None, yes, no });
            self.body.current = no;
        }
        self.end(End::Goto(switch.default.unwrap_or(after)));
        self.body.current = after;
        Ok(())
    }
    fn labeled(&mut self, labeled: &LabeledStatement) -> Result<(), Diagnostic> {
        let place = &labeled.label.span;
        match &labeled.label.node {
            Label::Identifier(name) => {
                let block = self.label(&name.node.name, self.at(place), true)?;
                let visible = self.scopes.locals();
                self.body.jumps.visible.insert(name.node.name.clone(), visible);
                let head = Head { span: self.at(place), kind: HeadKind::Label };
                self.body.blocks[block].head = Some(head);
                self.enter_block(block);
            }
            Label::Case(value) => {
                let (number, from) = self.constant(value)?;
                let block = self.new_block();
                self.enter_block(block);
                let Some(int) = self.body.jumps.switches.last().map(|switch| switch.int) else {
                    return Err(Diagnostic::new(self.at(place), "there is no switch around this"));
                };
                let number = Val::of_number(self.store.number(number, Sort::INT), from);
                let case = number.converted(self, int).number(self.store);
                self.check_case(place)?;
                let switch = self.body.jumps.switches.last_mut().expect("it was there");
                if switch.cases.iter().any(|(known, _)| *known == case) {
                    return Err(Diagnostic::new(self.at(place), "there are two such cases"));
                }
                switch.cases.push((case, block));
            }
            Label::Default => {
                self.check_case(place)?;
                let block = self.new_block();
                self.enter_block(block);
                match self.body.jumps.switches.last_mut() {
                    Some(switch) if switch.default.is_none() => switch.default = Some(block),
                    Some(_) | None => {
                        return Err(Diagnostic::new(
                            self.at(place),
                            "this is no place for `default`",
                        ));
                    }
                }
            }
            Label::CaseRange(_) => return self.refuse(place, "a range of cases"),
        }
        self.statement(&labeled.statement)
    }
    /// The block of a label, which is there or is jumped to.
    fn label(&mut self, name: &str, at: Span, is_there: bool) -> Result<BlockId, Diagnostic> {
        if let Some((block, _, known)) = self.body.jumps.labels.get_mut(name) {
            if is_there && *known {
                return Err(Diagnostic::new(at, format!("there are two labels `{name}`")));
            }
            *known |= is_there;
            return Ok(*block);
        }
        let block = self.new_block();
        self.body.jumps.labels.insert(name.to_owned(), (block, at, is_there));
        Ok(block)
    }
    /// A case does not jump over the declaration of a variable, whose value would be open each time.
    fn check_case(&self, place: &Place) -> Result<(), Diagnostic> {
        let visible = self.body.jumps.switches.last().map(|switch| &switch.visible);
        match visible {
            Some(visible) if !self.scopes.locals().is_subset(visible) => {
                self.refuse(place, "a case behind a declaration")
            }
            Some(_) | None => Ok(()),
        }
    }
    /// Every label that is jumped to is there, and no jump to it goes over the declaration of a variable.
    pub(super) fn check_labels(&self) -> Result<(), Diagnostic> {
        for (name, (_, at, is_there)) in self.body.jumps.labels.sorted() {
            if !is_there {
                return Err(Diagnostic::new(*at, format!("there is no label `{name}`")));
            }
        }
        for (name, at, visible) in &self.body.jumps.gotos {
            let is_known =
                self.body.jumps.visible.get(name).is_some_and(|there| there.is_subset(visible));
            if !is_known {
                let message = "a jump over a declaration is not supported";
                return Err(Diagnostic::new(*at, message));
            }
        }
        Ok(())
    }
    fn leave(&mut self, value: Option<&Node<Expression>>, place: &Place) -> Result<(), Diagnostic> {
        let span = self.at(place);
        let value = match value {
            Some(expression) => self.full(expression)?,
            None => None,
        };
        match (self.body.jumps.result, value) {
            (Some(variable), Some(value)) => {
                let int = self.variables[variable].shape.int;
                let value = value.converted(self, int).number(self.store);
                self.emit(Instruction::Set { variable, value, span });
            }
            (Some(variable), None) => self.emit(Instruction::Any { variable, input: None, span }),
            (None, _) => {}
        }
        let end = self.body.jumps.leave.map_or(End::Return(span), End::Goto);
        self.end(end);
        Ok(())
    }

    fn declaration(&mut self, declaration: &Declaration) -> Result<(), Diagnostic> {
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
            return Ok(variable);
        };
        if let Initializer::Expression(expression) = &initializer.node {
            let effects = Effects::of_expression(expression);
            if effects.reads(name) {
                return self.refuse(&expression.span, "a variable in its own first value");
            }
            self.is_order_relevant = effects.has_any();
        }
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
                let mut array = shape.zero(self.store);
                self.elements(&shape, 0, 0, items, &mut array)?;
                array
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
        let (before, blocks) = (self.body.current, self.body.blocks.len());
        let scratch = self.new_block();
        self.body.current = scratch;
        let initial = self.initial(shape, initializer);
        let is_pure = self.body.current == scratch && self.body.blocks.len() == blocks + 1;
        self.body.current = before;
        let (shape, value) = initial?;
        if !is_pure || !free_symbols(self.store, &[value]).is_empty() {
            return Err(Diagnostic::new(self.at(&initializer.span), "a constant is expected here"));
        }
        Ok((shape, Some(value)))
    }
    /// Puts the elements of a list into an array, from dimension `depth` and place `first` on.
    fn elements(
        &mut self,
        shape: &Shape,
        depth: usize,
        first: i64,
        items: &[Node<InitializerListItem>],
        array: &mut Term,
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
                    self.elements(shape, depth + 1, start, inner, array)?;
                }
                Initializer::Expression(element) if depth + 1 == shape.lengths.len() => {
                    let value = self.value(element)?.converted(self, shape.int);
                    let (index, value) = (self.store.int(start), value.number(self.store));
                    *array = self.store.store(*array, index, value);
                }
                Initializer::List(_) | Initializer::Expression(_) => {
                    return self.refuse(place, "such a list of elements");
                }
            }
        }
        Ok(())
    }
}
