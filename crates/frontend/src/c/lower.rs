//! From the tree of the parser to a program of blocks: functions, and what all parts of the
//! lowering share.
//!
//! Functions are lowered when they are met in a call, beginning with `main`; what is never called
//! is never looked at. Small functions without loops and recursion are expanded where they are
//! called, so that an `assert` of one's own is an assertion at its place; if the problem is about
//! termination, all functions are, since clauses with summaries do not show that a call
//! does not return.
//!
//! This recurses on the depth of the tree, which `nesting` bounds beforehand.

use lang_c::ast::{Expression, TranslationUnit};
use lang_c::span::{Node, Span as Place};
use shofar_base::{Diagnostic, IndexVec, Map, Set, Span};
use shofar_chc::read::Property;
use shofar_num::Rational;
use shofar_term::{Term, TermStore};

use super::jump::{Goto, Switch};
use super::parameters::{Callable, Passing};
use super::pending::Pending;
use super::program::{
    Block, BlockId, Counted, End, Function, FunctionId, Instruction, OVERFLOW, Program, Role,
    Shape, VarId, Variable,
};
use super::scope::{CType, Entity, Scopes, Visible};
use super::source::Constant;
use super::types::{Arithmetic, DataModel, Int};

/// Functions are expanded inside of each other as long as the levels of their statements and
/// expressions are fewer.
const DEEPEST_EXPANSION: usize = 10_000;

/// Turns a tree into a program.
pub(super) struct Lowering<'a> {
    pub(super) store: &'a mut TermStore,
    pub(super) arithmetic: Arithmetic,
    pub(super) model: DataModel,
    pub(super) property: Property,
    counted: Counted,
    /// The text of the program.
    text: &'a [u8],
    /// How long the declarations in front of it are.
    offset: usize,
    /// Where lines begin, to tell variables of one name apart.
    newlines: Vec<usize>,
    pub(super) constants: &'a [Constant],
    pub(super) scopes: Scopes,
    /// The functions that have bodies.
    pub(super) callables: Map<String, Callable<'a>>,
    pub(super) variables: IndexVec<VarId, Variable>,
    pub(super) globals: Vec<(VarId, Term)>,
    pub(super) global_names: Set<String>,
    /// Static variables of functions, by the place of their declaration.
    pub(super) statics: Map<usize, VarId>,
    /// The functions that are called, in the order in which they are met.
    ids: Map<String, FunctionId>,
    queue: Vec<String>,
    pub(super) body: Body,
    /// How deep the program is nested, as `nesting` measures it.
    nesting: usize,
    /// How many functions are being expanded.
    pub(super) expanding: usize,
    /// The expression at hand that stands by itself, and is no part of another one.
    pub(super) full: Span,
    /// Whether the expression at hand has effects whose order might matter.
    pub(super) is_order_relevant: bool,
}

/// A function in the making.
pub(super) struct Body {
    pub(super) blocks: IndexVec<BlockId, Block>,
    /// Where instructions go.
    pub(super) current: BlockId,
    pub(super) variables: Map<Term, VarId>,
    names: Set<String>,
    hidden: usize,
    /// What long arrays without first values begin with, see [`Lowering::begins_with`].
    pub(super) first_values: Map<VarId, VarId>,
    /// The values that wait while something else is evaluated, those that have waited longest
    /// first.
    pub(super) pending: Vec<Pending>,
    pub(super) jumps: Jumps,
}

/// Where jumps go; expanded functions have their own.
#[derive(Default)]
pub(super) struct Jumps {
    pub(super) breaks: Vec<BlockId>,
    pub(super) continues: Vec<BlockId>,
    pub(super) switches: Vec<Switch>,
    /// The blocks of labels, with the first place where each is mentioned and whether it is there.
    pub(super) labels: Map<String, (BlockId, Span, bool)>,
    /// The variables that are visible at labels.
    pub(super) visible: Map<String, Visible>,
    pub(super) gotos: Vec<Goto>,
    /// Where a function that is expanded goes on behind its call.
    pub(super) leave: Option<BlockId>,
    pub(super) result: Option<VarId>,
}

impl Body {
    fn new() -> Self {
        let mut blocks = IndexVec::new();
        let current = blocks.push(Block::new());
        let (variables, first_values) = (Map::default(), Map::default());
        let (names, jumps, pending) = (Set::default(), Jumps::default(), Vec::new());
        Self { blocks, current, variables, names, hidden: 0, first_values, pending, jumps }
    }
}

/// The program of a tree.
pub(super) fn lower<'a>(
    store: &'a mut TermStore,
    (arithmetic, model, property, counted): (Arithmetic, DataModel, Property, Counted),
    unit: &'a TranslationUnit,
    (text, offset, nesting): (&'a [u8], usize, usize),
    constants: &'a [Constant],
) -> Result<Program, Diagnostic> {
    let newline = |(at, &byte): (usize, &u8)| (byte == b'\n').then_some(at);
    let mut lowering = Lowering {
        store,
        arithmetic,
        model,
        property,
        counted,
        text,
        offset,
        newlines: text.iter().enumerate().filter_map(newline).collect(),
        constants,
        scopes: Scopes::default(),
        callables: Map::default(),
        variables: IndexVec::new(),
        globals: Vec::new(),
        global_names: Set::default(),
        statics: Map::default(),
        ids: Map::default(),
        queue: Vec::new(),
        body: Body::new(),
        nesting,
        expanding: 0,
        full: Span::new(0, 0),
        is_order_relevant: false,
    };
    lowering.scopes.enter();
    lowering.unit(unit)?;
    lowering.program()
}

impl Lowering<'_> {
    /// Where something stands in the text of the user.
    pub(super) fn at(&self, place: &Place) -> Span {
        let start = place.start.saturating_sub(self.offset).min(self.text.len());
        let end = place.end.saturating_sub(self.offset).clamp(start, self.text.len());
        // The parser counts blanks behind an expression in.
        Span::new(start, start + self.text[start..end].trim_ascii_end().len())
    }
    pub(super) fn refuse<T>(&self, place: &Place, what: &str) -> Result<T, Diagnostic> {
        Err(Diagnostic::new(self.at(place), format!("{what} is not supported")))
    }
    fn line(&self, at: Span) -> usize {
        self.newlines.partition_point(|&newline| newline < at.start) + 1
    }
    /// Gives a name a meaning in the innermost scope, where it must not be a name for a constant.
    pub(super) fn declare(
        &mut self,
        name: &str,
        entity: Entity,
        at: Span,
    ) -> Result<Option<Entity>, Diagnostic> {
        if self.constants.iter().any(|constant| constant.name == name && constant.from <= at.start)
        {
            let message = format!("`{name}` is a name for a constant");
            return Err(Diagnostic::new(at, message));
        }
        Ok(self.scopes.declare(name, entity))
    }

    /// The program that runs `main`.
    fn program(mut self) -> Result<Program, Diagnostic> {
        if !self.callables.contains_key("main") {
            let nowhere = Span::new(self.text.len(), self.text.len());
            return Err(Diagnostic::new(nowhere, "there is no function `main` to run"));
        }
        self.function_id("main");
        let mut functions = IndexVec::new();
        let mut next = 0;
        while let Some(name) = self.queue.get(next).cloned() {
            next += 1;
            let function = self.function(&name)?;
            functions.push(function);
        }
        let (variables, globals) = (self.variables, self.globals);
        let (arithmetic, property) = (self.arithmetic, self.property);
        Ok(Program { arithmetic, property, variables, globals, functions })
    }
    /// The number of a function, which is going to be lowered.
    pub(super) fn function_id(&mut self, name: &str) -> FunctionId {
        use shofar_base::Idx as _;
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        let id = FunctionId::from_index(self.queue.len());
        self.ids.insert(name.to_owned(), id);
        self.queue.push(name.to_owned());
        id
    }
    fn function(&mut self, name: &str) -> Result<Function, Diagnostic> {
        let callable = self.callables[name].clone();
        self.body = Body::new();
        self.scopes.enter();
        let result = self.result_variable(&callable.result, name, callable.span)?;
        self.body.jumps.result = result;
        let mut parameters = Vec::new();
        for (at, parameter) in callable.parameters(self)?.into_iter().enumerate() {
            let shape = match (parameter.passing, parameter.name) {
                (Passing::Value(shape), _) => shape,
                // `main` may have parameters that nobody uses.
                (passing, Some(unused)) if name == "main" => {
                    let what = if let Passing::Refused(what) = passing { what } else { "an array" };
                    let at = self.at(&unused.span);
                    self.declare(&unused.node.name, Entity::Refused(what), at)?;
                    continue;
                }
                (Passing::Refused(what), _) => return self.refuse(parameter.place, what),
                (Passing::Reference(_), _) => {
                    return self.refuse(parameter.place, "an array as a parameter here");
                }
            };
            let at_name = self.at(parameter.place);
            let own = parameter.name.map_or(format!("parameter{at}"), |n| n.node.name.clone());
            let variable = self.local(&own, shape, at_name);
            self.declare(&own, Entity::Variable(variable), at_name)?;
            parameters.push(variable);
        }
        self.statement(&callable.definition.statement)?;
        self.fall_off(name, &callable.definition.statement.span);
        self.scopes.leave();
        self.settle_jumps()?;
        let body = std::mem::replace(&mut self.body, Body::new());
        let (blocks, variables) = (body.blocks, body.variables);
        let (name, span) = (name.to_owned(), callable.span);
        Ok(Function { name, span, parameters, result, blocks, variables })
    }
    /// The end of a function that is reached without `return`: the value is 0 for `main`, and any
    /// other one else.
    fn fall_off(&mut self, name: &str, body: &Place) {
        let end = self.at(body);
        let span = Span::new(end.end.saturating_sub(1).max(end.start), end.end);
        if let Some(variable) = self.body.jumps.result {
            let zero = self.store.int(0);
            if name == "main" {
                self.emit(Instruction::Set { variable, value: zero, span });
            } else {
                self.leave_any(variable, span);
            }
        }
        self.end(End::Return(span));
    }
    /// A function gives back any value of its type.
    pub(super) fn leave_any(&mut self, variable: VarId, span: Span) {
        self.emit(Instruction::Any { variable, input: None, span });
        let (int, value) = (self.variables[variable].shape.int, self.read(variable));
        if !int.signed || self.arithmetic == Arithmetic::Checked {
            return;
        }
        let range = int.range(self.store, value);
        self.emit(Instruction::Assume(range));
    }
    /// The variable for what a function returns.
    pub(super) fn result_variable(
        &mut self,
        ctype: &CType,
        name: &str,
        at: Span,
    ) -> Result<Option<VarId>, Diagnostic> {
        match ctype {
            CType::Void => Ok(None),
            CType::Data(shape) => Ok(Some(self.hidden(name, shape.int))),
            CType::Function(_) => {
                Err(Diagnostic::new(at, "a function of functions is not supported"))
            }
            CType::Refused(what) => {
                let message = format!("a function that gives {what} is not supported");
                Err(Diagnostic::new(at, message))
            }
        }
    }

    /// A new variable of the function at hand.
    pub(super) fn local(&mut self, name: &str, shape: Shape, at: Span) -> VarId {
        let name = self.unique(name, at);
        self.new_variable(name, shape, Role::Local(at))
    }
    /// A variable that nobody has written.
    pub(super) fn hidden(&mut self, about: &str, int: Int) -> VarId {
        self.hidden_of(about, Shape::number(int))
    }
    fn hidden_of(&mut self, about: &str, shape: Shape) -> VarId {
        self.body.hidden += 1;
        let name = format!("{about}'{}", self.body.hidden);
        self.new_variable(name, shape, Role::Hidden)
    }
    /// Remembers what a long array without first values begins with, if its elements may be outside
    /// of their type later: what is read of the beginning is within the type, whatever has been
    /// computed since.
    pub(super) fn begins_with(&mut self, array: VarId, span: Span) {
        let shape = self.variables[array].shape.clone();
        if !shape.is_long() || shape.int.is_bounded(self.arithmetic) {
            return;
        }
        let first = self.hidden_of("first", shape);
        let value = self.read(array);
        self.emit(Instruction::Set { variable: first, value, span });
        self.body.first_values.insert(array, first);
    }
    fn new_variable(&mut self, name: String, shape: Shape, role: Role) -> VarId {
        let sort = shape.sort(self.store);
        let term = self.store.var(&name, sort);
        let variable = self.variables.push(Variable { name, shape, role, term });
        self.body.variables.insert(term, variable);
        variable
    }
    /// A name that no variable of the function has, with the line of the declaration if need be.
    fn unique(&mut self, name: &str, at: Span) -> String {
        let mut unique = name.to_owned();
        let mut count = 1;
        while self.global_names.contains(&unique) || !self.body.names.insert(unique.clone()) {
            let line = self.line(at);
            let suffix = if count == 1 { String::new() } else { format!(".{count}") };
            unique = format!("{name}@{line}{suffix}");
            count += 1;
        }
        unique
    }
    /// The value of a variable, here and now.
    pub(super) fn read(&mut self, variable: VarId) -> Term {
        let term = self.variables[variable].term;
        self.body.variables.insert(term, variable);
        term
    }
    pub(super) fn emit(&mut self, instruction: Instruction) {
        if let Instruction::Set { variable, .. }
        | Instruction::SetElement { variable, .. }
        | Instruction::Any { variable, .. } = instruction
        {
            self.before_write(variable);
            self.read(variable);
        }
        let current = self.body.current;
        self.body.blocks[current].instructions.push(instruction);
    }
    pub(super) fn new_block(&mut self) -> BlockId {
        self.body.blocks.push(Block::new())
    }
    /// Ends the block at hand; what follows is not reached unless somebody jumps there.
    pub(super) fn end(&mut self, end: End) {
        let current = self.body.current;
        self.body.blocks[current].end = end;
        self.body.current = self.new_block();
    }
    /// Goes on in another block.
    pub(super) fn enter_block(&mut self, block: BlockId) {
        let current = self.body.current;
        self.body.blocks[current].end = End::Goto(block);
        self.body.current = block;
    }
    /// It is a violation if `condition` does not hold.
    pub(super) fn check(&mut self, condition: Term, why: &'static str, span: Span) {
        if condition == self.store.top() {
            return;
        }
        let (yes, no) = (self.new_block(), self.new_block());
        let current = self.body.current;
        self.body.blocks[current].end = End::Branch { condition, span: None, yes, no };
        self.body.blocks[no].end = self.failure(why, span);
        self.body.current = yes;
    }
    /// How a block ends in which something happens that must not.
    pub(super) fn failure(&self, why: &'static str, span: Span) -> End {
        match (self.property, self.counted) {
            (Property::Safety, Counted::Overflows) if why != OVERFLOW => End::Stop,
            (Property::Safety, Counted::All | Counted::Overflows) => {
                End::Violation { why, span, full: self.full }
            }
            (Property::Termination, Counted::All | Counted::Overflows) => End::Stop,
        }
    }

    /// What `lower` gives in a block that nobody reaches, and whether nothing happens there.
    pub(super) fn in_scratch<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let before = self.body.current;
        let scratch = self.new_block();
        self.body.current = scratch;
        let lowered = lower(self);
        let is_pure =
            self.body.current == scratch && self.body.blocks[scratch].instructions.is_empty();
        self.body.current = before;
        (lowered, is_pure)
    }
    /// Whether a further function may be expanded inside of those that are being expanded: this
    /// recurses.
    pub(super) fn may_expand(&self) -> bool {
        (self.expanding + 1) * (self.nesting + 1) <= DEEPEST_EXPANSION
    }
    /// The value of a constant expression.
    pub(super) fn constant(
        &mut self,
        expression: &Node<Expression>,
    ) -> Result<(Rational, Int), Diagnostic> {
        let (value, is_pure) = self.in_scratch(|this| this.value(expression));
        let value = value?;
        let number = value.number(self.store);
        match self.store.as_number(number) {
            Some(number) if is_pure => Ok((number.clone(), value.int)),
            Some(_) | None => {
                Err(Diagnostic::new(self.at(&expression.span), "a constant is expected here"))
            }
        }
    }
}
