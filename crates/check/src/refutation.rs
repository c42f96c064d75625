//! Refutations: every step must be an instance of its clause, with its premises in place.
//!
//! Nothing but evaluation happens here. For each step: the values fit the sorts, the constraint is true, the premises are
//! earlier steps and derive exactly the instances of the body, and the assertion that the clause came from, evaluated
//! with the premises true and the conclusion false, is false (see [`crate::skeleton`]). The last step derives `false`.

use shofar_base::{Idx, Outcome};
use shofar_chc::{Clause, ClauseId, Derivation, DerivationStep, PredAtom, PredId};
use shofar_term::eval::{Evaluator, Model, NoValue, Value};
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Symbol, TermStore};

use crate::objection::{Fact, Fault, Values};
use crate::skeleton::Skeleton;
use crate::{HornInput, Objection};

/// Whether `derivation` refutes the input.
pub(crate) fn check(
    cx: &mut Cx<'_>,
    input: &HornInput<'_>,
    derivation: &Derivation,
) -> Outcome<Result<(), Objection>> {
    let mut checker = Checker {
        store: cx.store,
        input,
        variables: vec![None; input.system().clause_count()],
        skeletons: input.assertions().iter().map(|_| None).collect(),
        derivation,
    };
    for index in 0..derivation.steps.len() {
        cx.budget.check()?;
        if let Err(fault) = checker.step(index) {
            return Ok(Err(checker.objection(index, fault)));
        }
    }
    let last = derivation.steps.last();
    let refutes = last.is_some_and(|step| input.system().clause(step.clause).is_query());
    Ok(if refutes { Ok(()) } else { Err(Objection::NotRefuted) })
}

struct Checker<'a> {
    store: &'a TermStore,
    input: &'a HornInput<'a>,
    /// The variables of the clauses seen so far.
    variables: Vec<Option<Vec<Symbol>>>,
    skeletons: Vec<Option<Skeleton>>,
    derivation: &'a Derivation,
}

impl Checker<'_> {
    /// Whether step number `index` is right, given that those before it are.
    fn step(&mut self, index: usize) -> Result<(), Fault> {
        let (store, input) = (self.store, self.input);
        let step = &self.derivation.steps[index];
        if step.clause.index() >= input.system().clause_count() {
            return Err(Fault::NoSuchClause);
        }
        let clause = input.system().clause(step.clause);
        self.check_sorts(step.clause, &step.assignment)?;
        let mut evaluator = Evaluator::with_defaults(&step.assignment);
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
            let skeleton = self.skeletons[assertion].get_or_insert_with(|| {
                Skeleton::new(store, input.system(), input.assertions()[assertion].formula)
            });
            if !skeleton.is_false(store, &mut evaluator, &premises, conclusion.as_ref()) {
                return Err(Fault::Unfounded);
            }
        }
        Ok(())
    }
    /// What an earlier step derives. It is worked out where it is needed: most facts are needed once, and there may be millions.
    fn fact(&self, step: &DerivationStep) -> Result<Fact, NoValue> {
        let head = self.input.system().clause(step.clause).head.as_ref();
        let mut evaluator = Evaluator::with_defaults(&step.assignment);
        head.map(|head| ground(self.store, head, &mut evaluator)).transpose()
    }
    fn check_sorts(&mut self, id: ClauseId, assignment: &Model) -> Result<(), Fault> {
        let store = self.store;
        for &symbol in variables(&mut self.variables, store, self.input, id) {
            if let Some(value) = assignment.get(symbol)
                && !value.has_sort(store.result(symbol))
            {
                return Err(Fault::IllSorted(symbol));
            }
        }
        Ok(())
    }
    /// The instances of the body, which the premises derive.
    fn premises(
        &self,
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
            let (found, wanted) = (self.fact(found)?, ground(self.store, atom, evaluator)?);
            if found.as_ref() != Some(&wanted) {
                return Err(Fault::Premise { premise, wanted: Some(wanted), found });
            }
            premises.push(wanted);
        }
        Ok(premises)
    }
    fn objection(&self, index: usize, fault: Fault) -> Objection {
        let step = &self.derivation.steps[index];
        let mut values: Values = Vec::new();
        if step.clause.index() < self.input.system().clause_count() {
            for symbol in self.input.system().clause(step.clause).variables(self.store) {
                values.push((symbol, step.assignment.get_or_default(self.store, symbol)));
            }
        }
        Objection::Step { step: index, clause: step.clause, values, fault }
    }
}

/// The variables of a clause and of the assertion it came from, worked out once.
fn variables<'v>(
    known: &'v mut [Option<Vec<Symbol>>],
    store: &TermStore,
    input: &HornInput<'_>,
    id: ClauseId,
) -> &'v [Symbol] {
    known[id.index()].get_or_insert_with(|| {
        let mut terms = input.system().clause(id).terms();
        terms.push(input.assertions()[input.origin(id)].formula);
        let mut symbols = free_symbols(store, &terms);
        symbols.retain(|&s| input.system().pred(s).is_none());
        symbols
    })
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
