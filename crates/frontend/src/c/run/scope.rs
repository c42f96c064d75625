//! Names, types, and the function that is being made.

use std::sync::Arc;

use lang_c::span::Span as Place;
use shofar_base::{Map, Span};

use super::code::{Function, Local, Op, Parameter, Shape, Target, Var};
use super::kind::Kind;

/// What is not modelled, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) what: String,
    pub(super) at: Span,
}

impl Refusal {
    pub(super) fn new(what: &str, at: Span) -> Self {
        Self { what: what.to_owned(), at }
    }
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Void,
    Data(Shape),
    /// A function that gives this.
    Function(Box<Type>),
    Other(&'static str),
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Entity {
    Variable(Var, Shape),
    /// A parameter that is an array; lengths but the first one.
    Passed(Var, Shape),
    Constant(i128, Kind),
    Type(Type),
    Function(Type),
    Other(&'static str),
}

/// A variable of a function in the chain of those that are visible: what was declared before it,
/// and how many they are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declared {
    pub(super) local: usize,
    before: Option<usize>,
    count: usize,
}

/// The names that are visible, from the outside to the inside.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    levels: Vec<Level>,
    declared: Vec<Declared>,
}

#[derive(Debug, Default)]
struct Level {
    names: Map<String, Entity>,
    last: Option<usize>,
}

impl Scopes {
    pub(super) fn enter(&mut self) {
        let last = self.visible();
        self.levels.push(Level { names: Map::default(), last });
    }
    pub(super) fn leave(&mut self) {
        self.levels.pop();
    }
    pub(super) fn find(&self, name: &str) -> Option<&Entity> {
        self.levels.iter().rev().find_map(|level| level.names.get(name))
    }
    pub(super) fn declare(&mut self, name: &str, entity: Entity) {
        let Some(level) = self.levels.last_mut() else { return };
        if let Entity::Variable(Var::Local(local), _) = entity {
            let before = level.last;
            let count = 1 + before.map_or(0, |before| self.declared[before].count);
            level.last = Some(self.declared.len());
            self.declared.push(Declared { local, before, count });
        }
        level.names.insert(name.to_owned(), entity);
    }
    /// The last variable of the function that is visible.
    pub(super) fn visible(&self) -> Option<usize> {
        self.levels.last().and_then(|level| level.last)
    }
    /// A new function sees no variables of others.
    pub(super) fn enter_function(&mut self) {
        self.levels.truncate(1);
        self.levels.push(Level::default());
    }
    /// The variables that are visible at `to`, but not at `from`.
    pub(super) fn passed_over(&self, from: Option<usize>, to: Option<usize>) -> Vec<usize> {
        let count = |at: Option<usize>| at.map_or(0, |at| self.declared[at].count);
        let (mut from, mut to, mut locals) = (from, to, Vec::new());
        while from != to {
            match to {
                Some(at) if count(to) >= count(from) => {
                    locals.push(self.declared[at].local);
                    to = self.declared[at].before;
                }
                Some(_) | None => from = from.and_then(|at| self.declared[at].before),
            }
        }
        locals
    }
}

/// A label: which instruction it stands for, once that is known.
pub(super) type Label = usize;

/// A `switch` whose cases are being met.
#[derive(Debug)]
pub(super) struct Switch {
    pub(super) kind: Kind,
    pub(super) cases: Vec<(i128, Label)>,
    pub(super) default: Option<Label>,
    pub(super) visible: Option<usize>,
    /// Jumps into scopes: where they begin, over which variables, and where they go.
    pub(super) entries: Vec<(Label, Vec<usize>, Label, Span)>,
}

/// A label of the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named {
    pub(super) label: Label,
    pub(super) depth: usize,
    pub(super) visible: Option<usize>,
}

/// A `goto`: where its instructions have to be put.
#[derive(Debug)]
pub(super) struct Goto {
    pub(super) name: String,
    pub(super) depth: usize,
    pub(super) visible: Option<usize>,
    /// Where the instructions begin that do it.
    pub(super) label: Label,
    pub(super) at: Span,
}

/// A function in the making.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub(super) code: Vec<(Op, Span)>,
    labels: Vec<Option<Target>>,
    /// How many operands there are.
    pub(super) depth: usize,
    pub(super) locals: Vec<Local>,
    pub(super) result: Option<Kind>,
    pub(super) breaks: Vec<(Label, usize)>,
    pub(super) continues: Vec<(Label, usize)>,
    pub(super) switches: Vec<Switch>,
    pub(super) named: Map<String, Named>,
    pub(super) gotos: Vec<Goto>,
}

impl Body {
    pub(super) fn emit(&mut self, op: Op, at: Span) {
        self.depth = self.depth.saturating_add_signed(op.effect());
        self.code.push((op, at));
    }
    pub(super) fn label(&mut self) -> Label {
        self.labels.push(None);
        self.labels.len() - 1
    }
    /// The label stands for what comes next.
    pub(super) fn set(&mut self, label: Label) {
        self.labels[label] = Some(self.code.len());
    }
    /// The variable of this number gets a name and a shape.
    pub(super) fn local(&mut self, name: &str, shape: Shape) -> Var {
        self.locals.push(Local { name: Arc::from(name), shape });
        Var::Local(self.locals.len() - 1)
    }
    /// The code, with instructions in the place of labels.
    pub(super) fn code(&mut self) -> Vec<(Op, Span)> {
        let mut code = std::mem::take(&mut self.code);
        for (op, _) in &mut code {
            if let Some(target) = op.target_mut() {
                *target = self.labels[*target].unwrap_or(usize::MAX);
            }
        }
        code
    }
    pub(super) fn function(mut self, name: &str, parameters: Vec<Parameter>) -> Function {
        let code = self.code();
        let Body { result, locals, .. } = self;
        Function { name: Arc::from(name), parameters, result, locals, code }
    }
}

/// Where things stand in the text of the user.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places<'a> {
    pub(super) text: &'a [u8],
    /// How long the declarations in front of it are.
    pub(super) offset: usize,
}

impl Places<'_> {
    /// Without the blanks behind it, which the parser counts in.
    pub(super) fn at(self, place: &Place) -> Span {
        let start = place.start.saturating_sub(self.offset).min(self.text.len());
        let end = place.end.saturating_sub(self.offset).clamp(start, self.text.len());
        Span::new(start, start + self.text[start..end].trim_ascii_end().len())
    }
}
