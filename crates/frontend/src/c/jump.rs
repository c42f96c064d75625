//! Jumps: labels, `switch`, `break`, `continue` and `return`.
//!
//! A jump over the declaration of a variable, into its scope, leaves the value open that it has
//! there: the block that jumps gives it any.

use lang_c::ast::{Expression, Identifier, Label, LabeledStatement, SwitchStatement};
use lang_c::span::{Node, Span as Place};
use shofar_base::{Diagnostic, Set, Span};
use shofar_term::{Sort, Term};

use super::lower::Lowering;
use super::program::{BlockId, End, Head, HeadKind, Instruction, Role, VarId};
use super::scope::Visible;
use super::types::Int;
use super::value::Val;

/// A `switch` whose cases are being met.
pub(super) struct Switch {
    int: Int,
    cases: Vec<(Term, BlockId)>,
    /// Their values.
    values: Set<Term>,
    default: Option<BlockId>,
    /// The variables that are visible around it.
    visible: Visible,
}

/// A `goto` that has been met.
pub(super) struct Goto {
    label: String,
    at: Span,
    /// The block that ends with it.
    block: BlockId,
    /// The variables that are visible at it.
    visible: Visible,
}

impl Lowering<'_> {
    pub(super) fn jump(
        &mut self,
        target: Option<BlockId>,
        place: &Place,
    ) -> Result<(), Diagnostic> {
        match target {
            Some(target) => {
                self.end(End::Goto(target));
                Ok(())
            }
            None => Err(Diagnostic::new(self.at(place), "there is no loop around this")),
        }
    }
    pub(super) fn goto(&mut self, name: &Node<Identifier>) -> Result<(), Diagnostic> {
        let (label, at) = (name.node.name.clone(), self.at(&name.span));
        let target = self.label(&label, at, false)?;
        let (block, visible) = (self.body.current, self.scopes.visible());
        self.body.jumps.gotos.push(Goto { label, at, block, visible });
        self.end(End::Goto(target));
        Ok(())
    }
    pub(super) fn switch(&mut self, switch: &SwitchStatement) -> Result<(), Diagnostic> {
        self.begin(&switch.expression);
        let value = self.value(&switch.expression)?;
        let int = value.int.promoted();
        let value = value.converted(self, int).number(self.store);
        let (dispatch, inside, after) = (self.body.current, self.new_block(), self.new_block());
        let span = self.at(&switch.expression.span);
        let variable = self.hidden("switch", int);
        self.emit(Instruction::Set { variable, value, span });
        let (cases, values, visible) = (Vec::new(), Set::default(), self.scopes.visible());
        self.body.jumps.switches.push(Switch { int, cases, values, default: None, visible });
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
    pub(super) fn labeled(&mut self, labeled: &LabeledStatement) -> Result<(), Diagnostic> {
        let place = &labeled.label.span;
        match &labeled.label.node {
            Label::Identifier(name) => {
                let block = self.label(&name.node.name, self.at(place), true)?;
                let visible = self.scopes.visible();
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
                let entry = self.case_entry(block, place);
                let switch = self.body.jumps.switches.last_mut().expect("it was there");
                if !switch.values.insert(case) {
                    return Err(Diagnostic::new(self.at(place), "there are two such cases"));
                }
                switch.cases.push((case, entry));
            }
            Label::Default => {
                let block = self.new_block();
                self.enter_block(block);
                let entry = self.case_entry(block, place);
                match self.body.jumps.switches.last_mut() {
                    Some(switch) if switch.default.is_none() => switch.default = Some(entry),
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
    /// Where the innermost `switch` goes for the case that begins with `block`: first to where the
    /// variables get values whose declarations are jumped over, if there are any.
    fn case_entry(&mut self, block: BlockId, place: &Place) -> BlockId {
        let Some(switch) = self.body.jumps.switches.last() else { return block };
        let missed = self.scopes.jumped_over(switch.visible, self.scopes.visible());
        if missed.is_empty() {
            return block;
        }
        let entry = self.new_block();
        self.body.blocks[entry].end = End::Goto(block);
        self.leave_open(entry, missed, self.at(place));
        entry
    }
    /// At the end of `block`, variables whose declarations are jumped over get any values; those
    /// that live as long as the program keep theirs.
    fn leave_open(&mut self, block: BlockId, variables: Vec<VarId>, span: Span) {
        for variable in variables {
            if self.variables[variable].role != Role::Global {
                let open = Instruction::Any { variable, input: None, span };
                self.body.blocks[block].instructions.push(open);
            }
        }
    }
    /// The function is complete: every label that is jumped to is there, and jumps over
    /// declarations leave values open.
    pub(super) fn settle_jumps(&mut self) -> Result<(), Diagnostic> {
        for (name, (_, at, is_there)) in self.body.jumps.labels.sorted() {
            if !is_there {
                return Err(Diagnostic::new(*at, format!("there is no label `{name}`")));
            }
        }
        for Goto { label, at, block, visible } in std::mem::take(&mut self.body.jumps.gotos) {
            let there = self.body.jumps.visible.get(&label).copied().flatten();
            let missed = self.scopes.jumped_over(visible, there);
            self.leave_open(block, missed, at);
        }
        Ok(())
    }
    pub(super) fn leave(
        &mut self,
        value: Option<&Node<Expression>>,
        place: &Place,
    ) -> Result<(), Diagnostic> {
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
            (Some(variable), None) => self.leave_any(variable, span),
            (None, _) => {}
        }
        let end = self.body.jumps.leave.map_or(End::Return(span), End::Goto);
        self.end(end);
        Ok(())
    }
}
