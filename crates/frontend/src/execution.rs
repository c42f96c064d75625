//! Refutations as executions of programs.
//!
//! A step of a refutation instantiates a clause; the clauses of a program stand for pieces of code.
//! The front end says for each clause what happens in its piece, as a list of [`Event`]s over the
//! variables of the clause. Here the steps are put into the order in which the program runs, and
//! the events get their values: from a step one goes back through the first atom of its body, which
//! is the place where the piece begins, to a fact; an event that enters a function by its summary
//! stands for the whole execution that derives the summary.
//!
//! A step that derives several others, such as a summary that is needed twice, happens as often as
//! it is needed. Executions are cut after [`MOST_MOMENTS`].

use shofar_base::{Source, Span};
use shofar_chc::{ClauseId, Derivation};
use shofar_term::eval::{Evaluator, Value};
use shofar_term::value::print_value;
use shofar_term::{Term, TermStore};

/// What is said of an execution that is cut.
pub(crate) const CUT: &str = "the execution is longer than what is told here\n";

/// Longer executions are cut.
const MOST_MOMENTS: usize = 100_000;
/// Refutations with more steps are told as they are listed, with cycles folded.
pub(crate) const MOST_STEPS: usize = 100_000;
/// The longest part of the text that is shown.
const EXCERPT: usize = 60;

/// Something that happens in the piece of code of a clause.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    /// Where it stands in the text.
    pub(crate) span: Span,
    pub(crate) what: What,
}

/// What happens.
#[derive(Clone, Debug)]
pub(crate) enum What {
    /// A control state is reached, with these values.
    Reach(String, Vec<(String, Term)>),
    /// A condition is decided.
    Decide(bool),
    /// A variable gets a value.
    Set(String, Term),
    /// An element of an array, by its indices, gets a value.
    SetElement(String, Vec<Term>, Term),
    /// The variable with this number begins with a value that nothing gives it.
    Open(usize, Term),
    /// A function of the environment gives a value.
    Input(String, Term),
    /// A function is entered with these arguments. It returns if there is the atom of the body with
    /// this number.
    Enter(String, Vec<Term>, Option<usize>),
    /// A function returns.
    Return(Option<Term>),
    /// Something that must not happen, in the evaluation of the expression that stands there by
    /// itself.
    Violate(&'static str, Span),
}

/// An event with its values.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    /// How many calls are open.
    pub(crate) depth: usize,
    pub(crate) span: Span,
    pub(crate) told: Told,
}

/// What happened.
#[derive(Clone, Debug)]
pub(crate) enum Told {
    Reach(String, Vec<(String, Value)>),
    Decide(bool),
    Set(String, Value),
    SetElement(String, Vec<Value>, Value),
    Open(usize, Value),
    Input(String, Value),
    Enter(String, Vec<Value>),
    Return(Option<Value>),
    Violate(&'static str, Span),
}

/// What happens, in the order in which it does.
#[derive(Clone, Debug, Default)]
pub(crate) struct Execution {
    pub(crate) moments: Vec<Moment>,
    /// Whether something is missing at the end or in cycles.
    pub(crate) is_cut: bool,
}

/// A function that is being executed: its steps, and how far it has got.
struct Frame {
    steps: Vec<usize>,
    step: usize,
    event: usize,
    depth: usize,
}

impl Execution {
    /// The execution that ends with the last step of a refutation.
    pub(crate) fn of<'e>(
        store: &TermStore,
        refutation: &Derivation,
        events: &dyn Fn(ClauseId) -> &'e [Event],
    ) -> Self {
        let mut this = Self::default();
        let expanded = refutation.clone().expanded(store, MOST_STEPS);
        this.is_cut = expanded.is_err();
        let steps = expanded.unwrap_or_else(|_| refutation.clone());
        let Some(last) = steps.steps.len().checked_sub(1) else { return this };
        let mut frames = vec![Frame::ending_with(&steps, events, last, 0)];
        while let Some(frame) = frames.last_mut() {
            let Some(&at) = frame.steps.get(frame.step) else {
                frames.pop();
                continue;
            };
            let step = &steps.steps[at];
            let Some(event) = events(step.clause).get(frame.event) else {
                (frame.step, frame.event) = (frame.step + 1, 0);
                continue;
            };
            frame.event += 1;
            if this.moments.len() >= MOST_MOMENTS {
                this.is_cut = true;
                return this;
            }
            let mut values = Values(store, Evaluator::with_defaults(&step.assignment));
            let told = values.told(&event.what);
            this.moments.push(Moment { depth: frame.depth, span: event.span, told });
            if let What::Enter(_, _, summary) = &event.what {
                let depth = frame.depth + 1;
                match summary.and_then(|atom| step.premises.get(atom)) {
                    Some(&summary) => {
                        frames.push(Frame::ending_with(&steps, events, summary, depth));
                    }
                    None => frame.depth = depth,
                }
            }
        }
        this
    }
    /// The values that the environment gave, in order.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Value> {
        self.moments.iter().filter_map(|moment| match &moment.told {
            Told::Input(_, value) => Some(value),
            Told::Reach(..)
            | Told::Decide(_)
            | Told::Set(..)
            | Told::SetElement(..)
            | Told::Open(..)
            | Told::Enter(..)
            | Told::Return(_)
            | Told::Violate(..) => None,
        })
    }
}

impl Frame {
    /// The steps that lead to `last`; the first of them begins where a function or the program
    /// does, so that no atom of its body is a place, but all are summaries of calls. Of a call
    /// it is the step that enters the function, from there on: what its caller has done before
    /// has been told.
    fn ending_with<'e>(
        refutation: &Derivation,
        events: &dyn Fn(ClauseId) -> &'e [Event],
        last: usize,
        depth: usize,
    ) -> Self {
        let calls_first =
            |event: &Event| matches!(event.what, What::Enter(_, _, Some(atom)) if atom == 0);
        let enters = |event: &Event| depth > 0 && matches!(event.what, What::Enter(_, _, None));
        let mut steps = vec![last];
        let mut at = last;
        while let step = &refutation.steps[at]
            && let Some(&before) = step.premises.first()
            && !events(step.clause).iter().any(|event| calls_first(event) || enters(event))
        {
            steps.push(before);
            at = before;
        }
        let entry = events(refutation.steps[at].clause).iter().position(enters);
        steps.reverse();
        Self { steps, step: 0, event: entry.map_or(0, |entry| entry + 1), depth }
    }
}

struct Values<'a>(&'a TermStore, Evaluator<'a>);

impl Values<'_> {
    fn of(&mut self, term: Term) -> Value {
        let default = Value::default_of(self.0, self.0.sort(term));
        self.1.evaluate(self.0, term).unwrap_or(default)
    }
    fn told(&mut self, what: &What) -> Told {
        match what {
            What::Reach(name, values) => {
                let value = |(name, term): &(String, Term)| (name.clone(), self.of(*term));
                Told::Reach(name.clone(), values.iter().map(value).collect())
            }
            What::Decide(holds) => Told::Decide(*holds),
            What::Set(name, value) => Told::Set(name.clone(), self.of(*value)),
            What::SetElement(name, indices, value) => {
                let indices = indices.iter().map(|&index| self.of(index)).collect();
                Told::SetElement(name.clone(), indices, self.of(*value))
            }
            What::Open(variable, value) => Told::Open(*variable, self.of(*value)),
            What::Input(name, value) => Told::Input(name.clone(), self.of(*value)),
            What::Enter(name, arguments, _) => {
                Told::Enter(name.clone(), arguments.iter().map(|&arg| self.of(arg)).collect())
            }
            What::Return(value) => Told::Return(value.map(|value| self.of(value))),
            What::Violate(why, full) => Told::Violate(why, *full),
        }
    }
}

/// The lines of a text.
#[derive(Clone, Debug)]
pub(crate) struct Listing {
    text: Vec<u8>,
    newlines: Vec<usize>,
}

impl Listing {
    pub(crate) fn new(text: &[u8]) -> Self {
        let newline = |(at, &byte): (usize, &u8)| (byte == b'\n').then_some(at);
        let newlines = text.iter().enumerate().filter_map(newline).collect();
        Self { text: text.to_vec(), newlines }
    }
    /// The line of a place, counted from 1.
    pub(crate) fn line(&self, offset: usize) -> usize {
        self.newlines.partition_point(|&newline| newline < offset) + 1
    }
    /// The column of a place, counted from 1.
    pub(crate) fn column(&self, offset: usize) -> usize {
        let end = offset.min(self.text.len());
        Source::new(&self.text).position(end).column
    }
    /// What is written there, in one line and cut if it is long.
    pub(crate) fn excerpt(&self, span: Span) -> String {
        let bytes = self.text.get(span.start..span.end).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * EXCERPT)]).into_owned();
        let words: Vec<&str> = text.split_whitespace().collect();
        let line = words.join(" ").replace(char::is_control, "");
        if line.chars().count() <= EXCERPT {
            return line;
        }
        line.chars().take(EXCERPT).chain(['…']).collect()
    }
}

/// Variables with other values than before, behind a colon; nothing if there are none.
pub(crate) fn changes(
    store: &TermStore,
    before: &[(String, Value)],
    now: &[(String, Value)],
) -> String {
    let new = now.iter().filter(|known| !before.contains(known));
    let shown: Vec<String> =
        new.map(|(name, value)| format!("{name} = {}", show(store, value))).collect();
    if shown.is_empty() { String::new() } else { format!(": {}", shown.join(", ")) }
}

/// A value as a programmer writes it.
pub(crate) fn show(store: &TermStore, value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Array(array) => {
            let entry = |(index, element): (&Value, &Value)| {
                format!("[{}] = {}", show_number(index), show_number(element))
            };
            let mut parts: Vec<String> = array.entries().iter().map(entry).collect();
            parts.push(format!("else {}", show_number(array.default())));
            format!("{{{}}}", parts.join(", "))
        }
        Value::Element(sort, _) => print_value(store, value, *sort),
        Value::Data(data) => print_value(store, value, data.sort()),
        Value::Bits(bits) => bits.to_string(),
    }
}

/// An index or an element; arrays of arrays are not taken apart.
fn show_number(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Bool(value) => value.to_string(),
        Value::Element(..) | Value::Bits(_) | Value::Data(_) | Value::Array(_) => "…".to_owned(),
    }
}
