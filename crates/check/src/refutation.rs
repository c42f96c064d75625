//! Refutations: every step must be an instance of its clause, with its premises in place.
//!
//! Nothing but evaluation happens here. For each step: the values fit the sorts, the constraint is
//! true, the premises are earlier steps and derive exactly the instances of the body, and the
//! assertion that the clause came from, evaluated with the premises true and the conclusion false,
//! is false (see [`crate::skeleton`]). The last step derives `false`.
//!
//! Steps within repeats stand for many: they are checked for all iterations at once, see
//! [`repeats`].

mod form;
mod reading;
mod repeats;

use std::borrow::Cow;

use shofar_base::{Idx, Outcome};
use shofar_chc::{Clause, ClauseId, Derivation, DerivationStep, PredAtom, PredId};
use shofar_term::eval::{Evaluator, Model, NoValue, Value};
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Symbol, Term, TermStore};

pub(crate) use form::Quantity;
pub(crate) use reading::Reading;
use repeats::Repeats;

use crate::model::not_universal;
use crate::objection::{Fact, Fault, Values};
use crate::skeleton::Skeleton;
use crate::universal::without_quantifiers;
use crate::{HornInput, Objection};

/// Whether `derivation` refutes the input.
///
/// `names` gives, for a variable of the input, the one under which the steps know it.
pub(crate) fn check(
    cx: &mut Cx<'_>,
    input: &HornInput,
    derivation: &Derivation,
    names: &dyn Fn(Symbol) -> Option<Symbol>,
) -> Outcome<Result<(), Objection>> {
    let formulas = formulas(cx, input, derivation)?;
    let mut checker = Checker {
        store: cx.store,
        input,
        names,
        formulas: &formulas,
        variables: vec![None; input.system().clause_count()],
        skeletons: input.assertions().iter().map(|_| None).collect(),
        derivation,
        last: None,
    };
    if !derivation.is_ground() && !derivation.is_nested() {
        return Ok(Err(Objection::NotNested));
    }
    let mut repeats = Repeats::new(&derivation.repeats);
    let mut folded_up_to = 0;
    for index in 0..derivation.steps.len() {
        cx.budget.check()?;
        if !derivation.is_ground() && folded_up_to <= index {
            folded_up_to = repeats.end_around(index).unwrap_or(0);
        }
        let found = if index < folded_up_to {
            checker.slot(&mut repeats, index)
        } else {
            checker.step(index).map_err(|fault| (index, fault))
        };
        if let Err((index, fault)) = found {
            return Ok(Err(checker.objection(index, fault)));
        }
    }
    let last = derivation.steps.last();
    let refutes = last.is_some_and(|step| input.system().clause(step.clause).is_query());
    Ok(if refutes { Ok(()) } else { Err(Objection::NotRefuted) })
}

/// The assertions that the steps are about, without quantifiers.
fn formulas(
    cx: &mut Cx<'_>,
    input: &HornInput,
    derivation: &Derivation,
) -> Outcome<Vec<Option<Term>>> {
    let mut formulas = vec![None; input.assertions().len()];
    for step in &derivation.steps {
        if step.clause.index() >= input.system().clause_count() {
            continue;
        }
        let at = input.origin(step.clause);
        if formulas[at].is_none() {
            cx.budget.check()?;
            let [written, read] = [input.assertions()[at].written, input.assertions()[at].formula];
            let formula =
                without_quantifiers(cx.store, written, read, input.variables(step.clause));
            let formula = formula.ok_or_else(not_universal)?;
            formulas[at] = Some(formula);
        }
    }
    Ok(formulas)
}

struct Checker<'a> {
    store: &'a TermStore,
    input: &'a HornInput,
    names: &'a dyn Fn(Symbol) -> Option<Symbol>,
    formulas: &'a [Option<Term>],
    /// The variables of the clauses seen so far.
    variables: Vec<Option<Vec<Variable>>>,
    skeletons: Vec<Option<Skeleton>>,
    derivation: &'a Derivation,
    /// The step that was checked last, and what it derives: mostly, that is the premise of the
    /// next one.
    last: Option<(usize, Fact)>,
}

/// A variable of the input.
#[derive(Clone, Copy)]
struct Variable {
    symbol: Symbol,
    /// Under which name the steps know it, if they do.
    name: Option<Symbol>,
}

impl Checker<'_> {
    /// Whether step number `index` is right, given that those before it are.
    fn step(&mut self, index: usize) -> Result<(), Fault> {
        let (store, input) = (self.store, self.input);
        let step = &self.derivation.steps[index];
        if !self.has_clause(step.clause) {
            return Err(Fault::NoSuchClause);
        }
        let clause = input.system().clause(step.clause);
        let assignment = self.assignment(step);
        self.check_sorts(step.clause, &assignment)?;
        let mut evaluator = Evaluator::with_defaults(&assignment);
        if !evaluator.holds(store, clause.constraint)? {
            return Err(Fault::Constraint);
        }
        let premises = self.premises(index, clause, &mut evaluator)?;
        let conclusion =
            clause.head.as_ref().map(|head| ground(store, head, &mut evaluator)).transpose()?;
        // A conclusion among its own premises is derived whatever the assertion says.
        let is_new = !premises.iter().any(|p| Some(p) == conclusion.as_ref());
        if is_new {
            let assertion = input.origin(step.clause);
            let formula = self.formulas[assertion].expect("those of all steps are there");
            let skeleton = self.skeletons[assertion]
                .get_or_insert_with(|| Skeleton::new(store, input.system(), formula));
            if !skeleton.is_false(store, &mut evaluator, &premises, conclusion.as_ref()) {
                return Err(Fault::Unfounded);
            }
        }
        self.last = Some((index, conclusion));
        Ok(())
    }
    fn has_clause(&self, clause: ClauseId) -> bool {
        clause.index() < self.input.system().clause_count()
    }
    /// The values of the variables of a step's clause and assertion, under the names that they have
    /// here.
    fn assignment(&mut self, step: &DerivationStep) -> Model {
        let variables = self.variables(step.clause);
        let mut assignment = Model::with_capacity(variables.len());
        for variable in variables {
            if let Some(value) = variable.name.and_then(|name| step.assignment.get(name)) {
                assignment.set(variable.symbol, value.clone());
            }
        }
        assignment
    }
    /// What an earlier step derives, worked out again: most facts are needed once, and there may be
    /// millions.
    fn fact(&mut self, step: &DerivationStep) -> Result<Fact, NoValue> {
        let assignment = self.assignment(step);
        let mut evaluator = Evaluator::with_defaults(&assignment);
        let head = self.input.system().clause(step.clause).head.as_ref();
        head.map(|head| ground(self.store, head, &mut evaluator)).transpose()
    }
    /// The variables of a clause and of the assertion it came from, worked out once.
    fn variables(&mut self, id: ClauseId) -> &[Variable] {
        let (store, input) = (self.store, self.input);
        self.variables[id.index()].get_or_insert_with(|| {
            let mut terms = input.system().clause(id).terms();
            terms.extend(self.formulas[input.origin(id)]);
            let symbols = free_symbols(store, &terms).into_iter();
            let variables = symbols.filter(|&symbol| input.system().pred(symbol).is_none());
            variables.map(|symbol| Variable { symbol, name: (self.names)(symbol) }).collect()
        })
    }
    fn check_sorts(&mut self, id: ClauseId, assignment: &Model) -> Result<(), Fault> {
        let store = self.store;
        for &Variable { symbol, .. } in self.variables(id) {
            if let Some(value) = assignment.get(symbol)
                && !value.has_sort(store, store.result(symbol))
            {
                return Err(Fault::IllSorted(symbol));
            }
        }
        Ok(())
    }
    /// The instances of the body, which the premises derive.
    fn premises(
        &mut self,
        index: usize,
        clause: &Clause,
        evaluator: &mut Evaluator<'_>,
    ) -> Result<Vec<(PredId, Vec<Value>)>, Fault> {
        let (earlier, step) = (&self.derivation.steps[..index], &self.derivation.steps[index]);
        if step.premises.len() != clause.body.len() {
            return Err(Fault::PremiseCount {
                expected: clause.body.len(),
                found: step.premises.len(),
            });
        }
        let mut premises = Vec::with_capacity(clause.body.len());
        for (&premise, atom) in step.premises.iter().zip(&clause.body) {
            let Some(found) = earlier.get(premise) else {
                return Err(Fault::NotEarlier(premise));
            };
            let wanted = ground(self.store, atom, evaluator)?;
            let found = match &self.last {
                Some((last, fact)) if *last == premise => Cow::Borrowed(fact),
                Some(_) | None => Cow::Owned(self.fact(found)?),
            };
            if (*found).as_ref() != Some(&wanted) {
                let found = found.into_owned();
                return Err(Fault::Premise { premise, wanted: Some(wanted), found });
            }
            premises.push(wanted);
        }
        Ok(premises)
    }
    fn objection(&mut self, index: usize, fault: Fault) -> Objection {
        let step = &self.derivation.steps[index];
        let mut values: Values = Vec::new();
        if self.has_clause(step.clause) {
            let assignment = self.assignment(step);
            for symbol in self.input.system().clause(step.clause).variables(self.store) {
                values.push((symbol, assignment.get_or_default(self.store, symbol)));
            }
        }
        Objection::Step { step: index, clause: step.clause, values, fault }
    }
}

/// The instance of an atom.
fn ground(
    store: &TermStore,
    atom: &PredAtom,
    evaluator: &mut Evaluator<'_>,
) -> Result<(PredId, Vec<Value>), NoValue> {
    let values = atom.args.iter().map(|&arg| evaluator.evaluate(store, arg));
    Ok((atom.pred, values.collect::<Result<_, _>>()?))
}
