//! Statements.

use lang_c::ast::{BlockItem, Expression, ForInitializer, ForStatement, Statement};
use lang_c::span::Node;
use shofar_base::Diagnostic;

use super::lower::Lowering;
use super::program::{BlockId, End, Head, HeadKind};

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
                        BlockItem::StaticAssert(assertion) => self.static_assertion(assertion)?,
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
                let head = self.head(node, HeadKind::Loop);
                let (inside, after) = (self.new_block(), self.new_block());
                self.enter_block(head);
                self.branch(&repeated.node.expression, inside, after)?;
                self.repeat(&repeated.node.statement, inside, head, after)?;
                self.enter_block(head);
                self.body.current = after;
                Ok(())
            }
            Statement::DoWhile(repeated) => {
                let head = self.head(node, HeadKind::Repeat);
                let (test, after) = (self.new_block(), self.new_block());
                self.enter_block(head);
                self.repeat(&repeated.node.statement, head, test, after)?;
                self.enter_block(test);
                self.branch(&repeated.node.expression, head, after)?;
                self.body.current = after;
                Ok(())
            }
            Statement::For(repeated) => self.for_loop(&repeated.node, node),
            Statement::Goto(name) => self.goto(name),
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
    /// The block at the head of a loop.
    fn head(&mut self, statement: &Node<Statement>, kind: HeadKind) -> BlockId {
        let block = self.new_block();
        let span = self.at(&statement.span);
        self.body.blocks[block].head = Some(Head { span, kind });
        block
    }
    /// Goes to one of two blocks.
    fn branch(
        &mut self,
        condition: &Node<Expression>,
        yes: BlockId,
        no: BlockId,
    ) -> Result<(), Diagnostic> {
        self.begin(condition);
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
            ForInitializer::StaticAssert(assertion) => self.static_assertion(assertion)?,
        }
        let (head, inside) = (self.head(node, HeadKind::Loop), self.new_block());
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
}
