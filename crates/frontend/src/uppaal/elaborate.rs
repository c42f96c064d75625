//! From a draft to a network: templates become processes, labels become terms.
//!
//! A template is read once for each of its processes, with its parameters bound; nothing is copied
//! between processes. A template in the list of processes whose parameters are not bound stands for
//! all their values, `P(1)`, `P(2)`, …; if instances are [`Instances::Symbolic`], it stands for
//! some processes whose parameter is a symbol.

use shofar_base::{Diagnostic, Span};
use shofar_term::{Sort, Term, TermStore};

use super::MOST_PROCESSES;
use super::declare::{Declarer, referred};
use super::draft::{Draft, Template, Urgency};
use super::label::Labels;
use super::network::{Location, Network, Process};
use super::piece::Piece;
use super::plan::{Instance, Plan};
use super::reading::plain_name;
use super::state::{Channel, Meant, Names, Range, State, Type, VariableKind};
use crate::lexer::TokenKind;

/// Which processes a template with an open parameter stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instances {
    /// One for each value of the parameter.
    Listed,
    /// So many, each with a symbol as its parameter; the only such template.
    Symbolic(usize),
}

/// A parameter of a template.
struct Parameter {
    name: String,
    of: Type,
    is_reference: bool,
    span: Span,
}

/// A network, and the names that are global in it.
pub(super) fn network(
    store: &mut TermStore,
    draft: &Draft,
    time_sort: Sort,
    instances: Instances,
    end: usize,
) -> Result<(Network, Names), Diagnostic> {
    let state = State::new(store, time_sort);
    let mut elaborator = Elaborator {
        store,
        draft,
        names: Names::new(),
        state,
        channels: Vec::new(),
        processes: Vec::new(),
        instances,
        listed: None,
    };
    let mut plan = Plan::default();
    for piece in &draft.declarations {
        elaborator.declarer(None).read(piece, Some(&mut plan))?;
    }
    let Some(system) = &plan.system else {
        let message = "there is no list of processes: `system P, Q;`";
        return Err(Diagnostic::new(Span::new(end, end), message));
    };
    for (name, span) in system {
        elaborator.listed(&plan, name, *span)?;
    }
    let Elaborator { names, state, channels, processes, listed, .. } = elaborator;
    Ok((Network { state, channels, processes, listed }, names))
}

/// A network in the making.
pub(super) struct Elaborator<'a> {
    pub(super) store: &'a mut TermStore,
    draft: &'a Draft,
    pub(super) names: Names,
    pub(super) state: State,
    pub(super) channels: Vec<(String, Channel)>,
    processes: Vec<Process>,
    instances: Instances,
    /// How many instances the text lists of the template that stands for any number of them.
    listed: Option<i64>,
}

impl Elaborator<'_> {
    pub(super) fn declarer(&mut self, owner: Option<(usize, String)>) -> Declarer<'_> {
        Declarer {
            store: self.store,
            names: &mut self.names,
            state: &mut self.state,
            channels: &mut self.channels,
            owner,
        }
    }
    /// The processes that a name in the list stands for.
    fn listed(&mut self, plan: &Plan, name: &str, span: Span) -> Result<(), Diagnostic> {
        let draft = self.draft;
        if let Some(instance) = plan.instances.iter().find(|instance| instance.name == name) {
            let template = draft.templates.iter().find(|t| t.name == instance.template);
            let Some(template) = template else {
                let message = format!("there is no template `{}`", instance.template);
                return Err(Diagnostic::new(instance.span, message));
            };
            return self.instance(instance, template);
        }
        let Some(template) = draft.templates.iter().find(|template| template.name == name) else {
            return Err(Diagnostic::new(span, format!("there is no process `{name}`")));
        };
        let parameters = self.parameters(&template.parameters)?;
        if parameters.is_empty() {
            return self.process(name.to_owned(), template, Vec::new(), span);
        }
        match self.instances {
            Instances::Listed => self.all_values(template, &parameters, span),
            Instances::Symbolic(count) => self.symbolic(template, &parameters, count, span),
        }
    }
    fn instance(&mut self, instance: &Instance, template: &Template) -> Result<(), Diagnostic> {
        let parameters = self.parameters(&template.parameters)?;
        if parameters.len() != instance.arguments.len() {
            let (wanted, given) = (parameters.len(), instance.arguments.len());
            let message = format!("`{}` has {wanted} parameters, {given} are given", template.name);
            return Err(Diagnostic::new(instance.span, message));
        }
        let mut bound = Vec::new();
        for (parameter, piece) in parameters.iter().zip(&instance.arguments) {
            bound.push((parameter.name.clone(), self.argument(parameter, piece)?));
        }
        self.process(instance.name.clone(), template, bound, instance.span)
    }
    /// What an argument stands for.
    fn argument(&mut self, parameter: &Parameter, piece: &Piece) -> Result<Meant, Diagnostic> {
        if !parameter.is_reference {
            let mut cursor = piece.cursor()?;
            let mut declarer = self.declarer(None);
            let value = declarer.element(&mut cursor, parameter.of);
            let value = value.map_err(|error| piece.locate(error))?;
            if cursor.peek().kind != TokenKind::End {
                return Err(piece.locate(cursor.unexpected("the end of the argument")));
            }
            return Ok(Meant::Constant(value));
        }
        let meant = referred(&mut self.declarer(None), piece)?;
        let fits = match (&meant, parameter.of) {
            (Meant::Channel(channel), Type::Channel(kind)) => self.channels[*channel].1 == kind,
            (Meant::Variable(slot), of) => match (self.state.variables[*slot].kind, of) {
                (VariableKind::Integer(given), Type::Integer(wanted)) => given == wanted,
                (VariableKind::Clock, Type::Clock) | (VariableKind::Boolean, Type::Boolean) => true,
                _ => false,
            },
            _ => false,
        };
        if fits {
            return Ok(meant);
        }
        let message = format!("`{}` is of another type", parameter.name);
        Err(Diagnostic::new(piece.span(), message))
    }
    /// `const int[0,3] id, clock &x, chan &c`
    fn parameters(&mut self, piece: &Piece) -> Result<Vec<Parameter>, Diagnostic> {
        let mut cursor = piece.cursor()?;
        let mut parameters = Vec::new();
        let mut declarer = self.declarer(None);
        while cursor.peek().kind != TokenKind::End {
            let read = (|| {
                if !parameters.is_empty() {
                    cursor.expect(",")?;
                }
                let is_constant = cursor.eat("const");
                let of = declarer.type_of(&mut cursor)?;
                let is_reference = cursor.eat("&");
                let name = plain_name(&mut cursor, "a name")?;
                let text = cursor.text(name).to_owned();
                let message = if cursor.is(cursor.peek(), "[") {
                    "arrays as parameters are not supported".to_owned()
                } else if is_constant && is_reference {
                    "references to constants are not supported".to_owned()
                } else if !is_reference && matches!(of, Type::Clock | Type::Channel(_)) {
                    "clocks and channels are passed by reference, with `&`".to_owned()
                } else {
                    let span = piece.place(name.span);
                    return Ok(Parameter { name: text, of, is_reference, span });
                };
                Err(Diagnostic::new(name.span, message))
            })();
            parameters.push(read.map_err(|error| piece.locate(error))?);
        }
        Ok(parameters)
    }
    /// The values of a parameter that is not bound.
    fn range(parameter: &Parameter) -> Result<Range, Diagnostic> {
        match parameter.of {
            Type::Integer(range) if range != Range::DEFAULT && !parameter.is_reference => Ok(range),
            Type::Integer(_) | Type::Boolean | Type::Clock | Type::Channel(_) => {
                let message = "only parameters of bounded integers may stay open";
                Err(Diagnostic::new(parameter.span, message))
            }
        }
    }
    /// A process for each value of the parameters.
    fn all_values(
        &mut self,
        template: &Template,
        parameters: &[Parameter],
        span: Span,
    ) -> Result<(), Diagnostic> {
        let mut tuples: Vec<Vec<i64>> = vec![Vec::new()];
        for parameter in parameters {
            let range = Self::range(parameter)?;
            let size = usize::try_from(range.size()).unwrap_or(usize::MAX);
            if size.saturating_mul(tuples.len()) > MOST_PROCESSES {
                return Err(Diagnostic::new(span, "there are too many processes"));
            }
            let values = range.low..=range.high;
            let longer = |tuple: &Vec<i64>| {
                let tuple = tuple.clone();
                values.clone().map(move |value| [tuple.as_slice(), &[value]].concat())
            };
            tuples = tuples.iter().flat_map(longer).collect();
        }
        for tuple in tuples {
            let shown: Vec<String> = tuple.iter().map(i64::to_string).collect();
            let name = format!("{}({})", template.name, shown.join(","));
            let bind = |(parameter, value): (&Parameter, &i64)| {
                (parameter.name.clone(), Meant::Constant(self.store.int(*value)))
            };
            let bound = parameters.iter().zip(&tuple).map(bind).collect();
            self.process(name, template, bound, span)?;
        }
        Ok(())
    }
    /// Processes whose parameter is a symbol.
    fn symbolic(
        &mut self,
        template: &Template,
        parameters: &[Parameter],
        count: usize,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let [parameter] = parameters else {
            let message = "a template of arbitrarily many processes has one parameter";
            return Err(Diagnostic::new(template.span, message));
        };
        let identities =
            |variable: &super::state::Variable| variable.kind == VariableKind::Identity;
        if self.state.variables.iter().any(identities) {
            let message = "there is one template of arbitrarily many processes";
            return Err(Diagnostic::new(span, message));
        }
        let range = Self::range(parameter)?;
        self.listed = range.high.checked_sub(range.low).and_then(|width| width.checked_add(1));
        for number in 1..=count {
            let name = format!("{}@{number}", template.name);
            let owner = Some(self.processes.len());
            let identity = format!("{name}.{}", parameter.name);
            let kind = VariableKind::Identity;
            let slot = self.state.add(self.store, identity, kind, owner, None);
            let symbol = self.state.variables[slot].now;
            // No upper bound: there may be more processes than the text says.
            self.state.ranges.insert(symbol, Range { low: range.low, high: i64::MAX });
            let bound = vec![(parameter.name.clone(), Meant::Constant(symbol))];
            self.process(name, template, bound, span)?;
        }
        Ok(())
    }
    /// Adds a process.
    fn process(
        &mut self,
        name: String,
        template: &Template,
        bound: Vec<(String, Meant)>,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let number = self.processes.len();
        if number >= MOST_PROCESSES {
            return Err(Diagnostic::new(span, "there are too many processes"));
        }
        if self.processes.iter().any(|other| other.name == name) {
            return Err(Diagnostic::new(span, format!("`{name}` is in the system twice")));
        }
        let Some(initial) = template.initial else {
            let message = format!("`{}` has no initial location", template.name);
            return Err(Diagnostic::new(template.span, message));
        };
        let value = |meant: &Meant| match meant {
            Meant::Constant(value) => Some(*value),
            Meant::Table(_)
            | Meant::Variable(_)
            | Meant::Array { .. }
            | Meant::Channel(_)
            | Meant::Channels { .. }
            | Meant::Type(_) => None,
        };
        let arguments: Option<Vec<Term>> = bound.iter().map(|(_, meant)| value(meant)).collect();
        self.names.enter();
        for (parameter, meant) in bound {
            self.names.add(&parameter, meant);
        }
        for piece in &template.declarations {
            self.declarer(Some((number, name.clone()))).read(piece, None)?;
        }
        let at = self.store.int(i64::try_from(initial).unwrap_or(i64::MAX));
        let kind = VariableKind::Location;
        let slot = self.state.add(self.store, name.clone(), kind, Some(number), Some(at));
        let locations = self.locations(template)?;
        let mut edges = Vec::new();
        for edge in &template.edges {
            self.edge(&name, template, edge, &mut edges)?;
        }
        let names = self.names.leave();
        let top = self.store.top();
        let such = |is_meant: &dyn Fn(&Location) -> bool| {
            let numbers = 0..locations.len();
            numbers.filter(|&number| is_meant(&locations[number])).collect::<Vec<usize>>()
        };
        self.processes.push(Process {
            constrained: such(&|location| location.invariant != top),
            committed: such(&|location| location.urgency == Urgency::Committed),
            name,
            template: template.name.clone(),
            arguments: arguments.unwrap_or_default(),
            names,
            slot,
            locations,
            initial,
            edges,
        });
        Ok(())
    }
    pub(super) fn labels(&mut self) -> Labels<'_> {
        Labels {
            store: self.store,
            names: &self.names,
            state: &self.state,
            checks_ranges: self.instances == Instances::Listed,
        }
    }
    fn locations(&mut self, template: &Template) -> Result<Vec<Location>, Diagnostic> {
        let mut locations = Vec::new();
        for (number, location) in template.locations.iter().enumerate() {
            let invariant = self.labels().invariant(location.invariant.as_ref())?;
            if Some(number) == template.initial && self.is_violated(invariant) {
                let span = location.invariant.as_ref().map_or(location.span, Piece::span);
                return Err(Diagnostic::new(span, "this invariant is violated in the beginning"));
            }
            locations.push(Location {
                name: location.name.clone(),
                urgency: location.urgency,
                invariant,
                is_timed: self.state.mentions_time(self.store, invariant),
                span: location.span,
            });
        }
        Ok(locations)
    }
    /// Whether an invariant is false for the initial values.
    fn is_violated(&mut self, invariant: Term) -> bool {
        let initial: Vec<Term> = self.state.variables.iter().map(|v| v.initial).collect();
        let now = super::label::after(self.store, &self.state, &initial, &[invariant]);
        now[0] == self.store.bottom()
    }
}
