//! What is wrong with a witness.

use shofar_base::{Idx, Span};
use shofar_chc::{ClauseId, PredId};
use shofar_term::eval::{NoValue, Value};
use shofar_term::print::{print_sort, quote};
use shofar_term::value::print_value;
use shofar_term::{Symbol, TermStore};

use crate::HornInput;

/// Values of variables, sorted by symbol.
pub type Values = Vec<(Symbol, Value)>;

/// A predicate with the values of its arguments; nothing stands for `false`.
pub type Fact = Option<(PredId, Vec<Value>)>;

/// Why a witness is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Objection {
    /// The model says nothing about a predicate.
    Undefined {
        /// The predicate.
        pred: PredId,
    },
    /// The definition of a predicate makes no sense.
    IllFormed {
        /// The predicate.
        pred: PredId,
        /// What is the matter.
        reason: &'static str,
    },
    /// An assertion is false under the definitions.
    Falsified {
        /// The place of the assertion.
        assertion: usize,
        /// The clause of the assertion that is false, if it can be told.
        clause: Option<ClauseId>,
        /// Values of its variables for which it is false.
        values: Values,
    },
    /// A step of the refutation is wrong.
    Step {
        /// Its number.
        step: usize,
        /// Its clause.
        clause: ClauseId,
        /// The values of the clause's variables.
        values: Values,
        /// What is wrong.
        fault: Fault,
    },
    /// The refutation has no steps, or its last step does not derive `false`.
    NotRefuted,
    /// The repeats of the refutation are not nested, or a repeat's two iterations are not by the
    /// same clauses.
    NotNested,
}

/// What is wrong with a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There is no such clause.
    NoSuchClause,
    /// A value is not of the sort of its variable.
    IllSorted(Symbol),
    /// A term of the clause has no value.
    NoValue,
    /// The constraint is false.
    Constraint,
    /// There are fewer or more premises than the body has predicates.
    PremiseCount {
        /// How many predicates the body has.
        expected: usize,
        /// How many premises there are.
        found: usize,
    },
    /// A premise is not an earlier step.
    NotEarlier(usize),
    /// A premise derives something else.
    Premise {
        /// The step.
        premise: usize,
        /// What the body needs.
        wanted: Fact,
        /// What the step derives.
        found: Fact,
    },
    /// The assertion that the clause came from does not allow the step.
    Unfounded,
    /// The step is in a repeat, and the values of a variable do not follow from those that are
    /// listed: they are no affine function of the iterations, or one that is not integral.
    NotAffine(Symbol),
    /// The counts of a repeat are no affine function of the iterations around it, or not at least
    /// 1.
    Count,
    /// The step is in a repeat, and its clause cannot be judged for all iterations at once.
    Unsettled,
}

impl From<NoValue> for Fault {
    fn from(_: NoValue) -> Self {
        Fault::NoValue
    }
}

impl Objection {
    /// Whether the refutation is not wrong, but open: a step depends on what a selector yields of a
    /// value of another constructor, which SMT-LIB does not say, or the clause of a repeat
    /// cannot be judged for all iterations at once.
    pub fn is_open(&self) -> bool {
        matches!(self, Objection::Step { fault: Fault::NoValue | Fault::Unsettled, .. })
    }
    /// The place in the input that the objection is about.
    pub fn span(&self, input: &HornInput) -> Option<Span> {
        match self {
            Objection::Undefined { .. }
            | Objection::IllFormed { .. }
            | Objection::NotRefuted
            | Objection::NotNested => None,
            Objection::Falsified { assertion, .. } => {
                input.assertions().get(*assertion).map(|a| a.span)
            }
            Objection::Step { clause, .. } => {
                let known = clause.index() < input.system().clause_count();
                known.then(|| input.system().clause(*clause).span).flatten()
            }
        }
    }
    /// The objection in words, without a full stop.
    pub fn describe(&self, store: &TermStore, input: &HornInput) -> String {
        let name = |pred: PredId| quote(store.name(input.system().symbol(pred)));
        match self {
            Objection::Undefined { pred } => {
                format!("the predicate `{}` has no definition", name(*pred))
            }
            Objection::IllFormed { pred, reason } => {
                format!("the definition of `{}` is wrong: {reason}", name(*pred))
            }
            Objection::Falsified { assertion, clause, values } => {
                let what = match clause {
                    Some(clause) => format!("clause {}", clause.index()),
                    None => format!("assertion {assertion}"),
                };
                format!("{what} is false under the definitions{}", listed(store, values))
            }
            Objection::Step { step, clause, values, fault } => {
                let fault = fault.describe(store, input);
                let clause = clause.index();
                format!("step {step}, by clause {clause}: {fault}{}", listed(store, values))
            }
            Objection::NotRefuted => "the last step does not derive false".to_owned(),
            Objection::NotNested => {
                "the repeats are not nested, or an iteration has other clauses".to_owned()
            }
        }
    }
}

impl Objection {
    /// The objection with other symbols for variables.
    pub(crate) fn renamed(mut self, mut other: impl FnMut(Symbol) -> Symbol) -> Self {
        match &mut self {
            Objection::Undefined { .. }
            | Objection::IllFormed { .. }
            | Objection::NotRefuted
            | Objection::NotNested => {}
            Objection::Falsified { values, .. } => {
                for (symbol, _) in values.iter_mut() {
                    *symbol = other(*symbol);
                }
            }
            Objection::Step { values, fault, .. } => {
                for (symbol, _) in values.iter_mut() {
                    *symbol = other(*symbol);
                }
                if let Fault::IllSorted(symbol) | Fault::NotAffine(symbol) = fault {
                    *symbol = other(*symbol);
                }
            }
        }
        self
    }
}

impl Fault {
    fn describe(&self, store: &TermStore, input: &HornInput) -> String {
        match self {
            Fault::NoSuchClause => "there is no such clause".to_owned(),
            Fault::IllSorted(symbol) => format!(
                "the value of `{}` is not of sort {}",
                quote(store.name(*symbol)),
                print_sort(store, store.result(*symbol))
            ),
            Fault::NoValue => "a term of the clause has no value".to_owned(),
            Fault::Constraint => "the constraint is false".to_owned(),
            Fault::PremiseCount { expected, found } => {
                let (body, premises) =
                    (counted(*expected, "predicate"), counted(*found, "premise"));
                format!("the body has {body}, but the step has {premises}")
            }
            Fault::NotEarlier(premise) => format!("the premise {premise} is not an earlier step"),
            Fault::Premise { premise, wanted, found } => format!(
                "the body needs {}, but step {premise} derives {}",
                shown(store, input, wanted),
                shown(store, input, found)
            ),
            Fault::Unfounded => {
                "the assertion that the clause came from does not allow it".to_owned()
            }
            Fault::NotAffine(symbol) => format!(
                "the values of `{}` between the listed iterations do not follow from these",
                quote(store.name(*symbol)),
            ),
            Fault::Count => {
                "the counts of the repeat do not follow from those that are listed".to_owned()
            }
            Fault::Unsettled => "the clause cannot be judged for all iterations at once".to_owned(),
        }
    }
}

/// `1 step`, `2 steps`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// ` for x = 1, y = 2`, or nothing.
fn listed(store: &TermStore, values: &Values) -> String {
    let equations: Vec<String> = values
        .iter()
        .map(|(symbol, value)| {
            format!(
                "{} = {}",
                quote(store.name(*symbol)),
                print_value(store, value, store.result(*symbol))
            )
        })
        .collect();
    if equations.is_empty() { String::new() } else { format!(" for {}", equations.join(", ")) }
}

fn shown(store: &TermStore, input: &HornInput, fact: &Fact) -> String {
    let Some((pred, values)) = fact else { return "false".to_owned() };
    let name = quote(store.name(input.system().symbol(*pred)));
    let sorts = input.system().sorts(store, *pred);
    let values: Vec<String> =
        values.iter().zip(sorts).map(|(value, &sort)| print_value(store, value, sort)).collect();
    if values.is_empty() { name.into_owned() } else { format!("({name} {})", values.join(" ")) }
}
