//! Statements and jumps.
//!
//! A jump into the scope of a variable over its declaration leaves it open: where the jump is made,
//! the variable is opened. A jump out of a statement that is part of an expression drops the
//! operands of that expression.

use lang_c::ast::{
    BlockItem, Expression, ForInitializer, ForStatement, Label as AstLabel, LabeledStatement,
    Statement, SwitchStatement,
};
use lang_c::span::{Node, Span as Place};

use super::code::{Op, Shape, Var};
use super::compile::Compiler;
use super::compute::Binary;
use super::scope::{Goto, Label, Named, Refusal, Switch};

impl Compiler<'_> {
    pub(super) fn statement(&mut self, node: &Node<Statement>) -> Result<(), Refusal> {
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
                        BlockItem::StaticAssert(_) => {}
                    }
                }
                self.scopes.leave();
                Ok(())
            }
            Statement::Expression(None) => Ok(()),
            Statement::Expression(Some(expression)) => self.discard(expression),
            Statement::If(choice) => {
                let (other, after) = (self.body.label(), self.body.label());
                self.branch(&choice.node.condition, Op::JumpIfZero(other))?;
                self.statement(&choice.node.then_statement)?;
                self.emit(Op::Jump(after), &node.span);
                self.body.set(other);
                if let Some(statement) = &choice.node.else_statement {
                    self.statement(statement)?;
                }
                self.body.set(after);
                Ok(())
            }
            Statement::Switch(switch) => self.switch(&switch.node, &node.span),
            Statement::While(repeated) => {
                let (head, after) = (self.body.label(), self.body.label());
                self.body.set(head);
                self.branch(&repeated.node.expression, Op::JumpIfZero(after))?;
                self.repeat(&repeated.node.statement, head, after)?;
                self.emit(Op::Jump(head), &node.span);
                self.body.set(after);
                Ok(())
            }
            Statement::DoWhile(repeated) => {
                let (head, test, after) = (self.body.label(), self.body.label(), self.body.label());
                self.body.set(head);
                self.repeat(&repeated.node.statement, test, after)?;
                self.body.set(test);
                self.branch(&repeated.node.expression, Op::JumpUnlessZero(head))?;
                self.body.set(after);
                Ok(())
            }
            Statement::For(repeated) => self.for_loop(&repeated.node, &node.span),
            Statement::Goto(name) => {
                self.goto(&name.node.name, &name.span);
                Ok(())
            }
            Statement::Continue => {
                let target = self.body.continues.last().copied();
                self.leave_to(target, &node.span)
            }
            Statement::Break => {
                let target = self.body.breaks.last().copied();
                self.leave_to(target, &node.span)
            }
            Statement::Return(value) => self.give_back(value.as_deref(), &node.span),
            Statement::Asm(_) => self.refuse(&node.span, "assembler"),
        }
    }
    /// A condition, and a jump that takes it.
    fn branch(&mut self, condition: &Node<Expression>, jump: Op) -> Result<(), Refusal> {
        self.truth(condition)?;
        self.emit(Op::Decide, &condition.span);
        self.emit(jump, &condition.span);
        Ok(())
    }
    /// The body of a loop.
    fn repeat(&mut self, body: &Node<Statement>, next: Label, after: Label) -> Result<(), Refusal> {
        let depth = self.body.depth;
        self.body.breaks.push((after, depth));
        self.body.continues.push((next, depth));
        self.statement(body)?;
        self.body.breaks.pop();
        self.body.continues.pop();
        Ok(())
    }
    fn for_loop(&mut self, repeated: &ForStatement, place: &Place) -> Result<(), Refusal> {
        self.scopes.enter();
        match &repeated.initializer.node {
            ForInitializer::Empty | ForInitializer::StaticAssert(_) => {}
            ForInitializer::Expression(expression) => self.discard(expression)?,
            ForInitializer::Declaration(declaration) => self.declaration(&declaration.node)?,
        }
        let (head, next, after) = (self.body.label(), self.body.label(), self.body.label());
        self.body.set(head);
        if let Some(condition) = &repeated.condition {
            self.branch(condition, Op::JumpIfZero(after))?;
        }
        self.repeat(&repeated.statement, next, after)?;
        self.body.set(next);
        if let Some(step) = &repeated.step {
            self.discard(step)?;
        }
        self.emit(Op::Jump(head), place);
        self.body.set(after);
        self.scopes.leave();
        Ok(())
    }
    /// Goes to a place outside, where there are so many operands.
    fn leave_to(&mut self, target: Option<(Label, usize)>, place: &Place) -> Result<(), Refusal> {
        let Some((label, depth)) = target else {
            return self.refuse(place, "a jump out of nothing");
        };
        if self.body.depth > depth {
            self.emit(Op::Cut(depth), place);
        }
        self.emit(Op::Jump(label), place);
        Ok(())
    }
    fn give_back(
        &mut self,
        value: Option<&Node<Expression>>,
        place: &Place,
    ) -> Result<(), Refusal> {
        let before = self.body.depth;
        match (self.body.result, value) {
            (Some(result), Some(value)) => {
                let kind = self.value(value)?;
                self.emit(Op::Convert(kind, result), &value.span);
            }
            (Some(result), None) => self.emit(Op::OpenResult(result), place),
            (None, Some(value)) => self.discard(value)?,
            (None, None) => {}
        }
        self.emit(Op::Return, place);
        self.body.depth = before;
        Ok(())
    }

    fn switch(&mut self, switch: &SwitchStatement, place: &Place) -> Result<(), Refusal> {
        let kind = self.value(&switch.expression)?;
        let wide = kind.promoted();
        self.emit(Op::Convert(kind, wide), &switch.expression.span);
        let value = self.body.local("", Shape::number(wide));
        self.emit(Op::Keep(value), &switch.expression.span);
        let (dispatch, after) = (self.body.label(), self.body.label());
        self.emit(Op::Jump(dispatch), place);
        let (cases, entries, visible) = (Vec::new(), Vec::new(), self.scopes.visible());
        self.body.switches.push(Switch { kind: wide, cases, default: None, visible, entries });
        self.body.breaks.push((after, self.body.depth));
        self.statement(&switch.statement)?;
        self.body.breaks.pop();
        self.emit(Op::Jump(after), place);
        let Some(Switch { cases, default, entries, .. }) = self.body.switches.pop() else {
            return self.refuse(place, "this `switch`");
        };
        for (entry, locals, case, at) in entries {
            self.body.set(entry);
            for local in locals {
                self.body.emit(Op::Open(Var::Local(local)), at);
            }
            self.body.emit(Op::Jump(case), at);
        }
        self.body.set(dispatch);
        for (case, label) in cases {
            self.emit(Op::Load(value), place);
            self.emit(Op::Constant(case), place);
            self.emit(Op::Compute(Binary::Equal, wide), place);
            self.emit(Op::JumpUnlessZero(label), place);
        }
        self.emit(Op::Jump(default.unwrap_or(after)), place);
        self.body.set(after);
        Ok(())
    }
    fn labeled(&mut self, labeled: &LabeledStatement) -> Result<(), Refusal> {
        let place = &labeled.label.span;
        match &labeled.label.node {
            AstLabel::Identifier(name) => {
                let label = self.body.label();
                self.body.set(label);
                let (depth, visible) = (self.body.depth, self.scopes.visible());
                let named = Named { label, depth, visible };
                if self.body.named.insert(name.node.name.clone(), named).is_some() {
                    return self.refuse(place, "a label that is there twice");
                }
            }
            AstLabel::Case(value) => {
                let (value, kind) = self.constant(value)?;
                let label = self.case_label(place);
                match self.body.switches.last_mut() {
                    Some(switch) => switch.cases.push((kind.convert(value, switch.kind), label)),
                    None => return self.refuse(place, "a case without a `switch`"),
                }
            }
            AstLabel::Default => {
                let label = self.case_label(place);
                match self.body.switches.last_mut() {
                    Some(switch) => switch.default = Some(label),
                    None => return self.refuse(place, "a case without a `switch`"),
                }
            }
            AstLabel::CaseRange(_) => return self.refuse(place, "a range of cases"),
        }
        self.statement(&labeled.statement)
    }
    /// Where the innermost `switch` goes to arrive here: over what opens the variables whose
    /// declarations it passes over.
    fn case_label(&mut self, place: &Place) -> Label {
        let case = self.body.label();
        self.body.set(case);
        let (here, at) = (self.scopes.visible(), self.at(place));
        let entry = self.body.label();
        let Some(switch) = self.body.switches.last_mut() else { return case };
        let locals = self.scopes.passed_over(switch.visible, here);
        if locals.is_empty() {
            return case;
        }
        switch.entries.push((entry, locals, case, at));
        entry
    }
    /// The instructions that do it are put behind the function, when all labels are known.
    fn goto(&mut self, name: &str, place: &Place) {
        let (label, depth) = (self.body.label(), self.body.depth);
        let (visible, at, name) = (self.scopes.visible(), self.at(place), name.to_owned());
        self.body.gotos.push(Goto { name, depth, visible, label, at });
        self.emit(Op::Jump(label), place);
    }
    pub(super) fn settle_gotos(&mut self) -> Result<(), Refusal> {
        for Goto { name, depth, visible, label, at } in std::mem::take(&mut self.body.gotos) {
            let Some(named) = self.body.named.get(&name).copied().filter(|to| to.depth <= depth)
            else {
                return Err(Refusal::new("a jump into an expression", at));
            };
            self.body.set(label);
            for local in self.scopes.passed_over(visible, named.visible) {
                self.body.emit(Op::Open(Var::Local(local)), at);
            }
            if depth > named.depth {
                self.body.emit(Op::Cut(named.depth), at);
            }
            self.body.emit(Op::Jump(named.label), at);
        }
        Ok(())
    }
}
