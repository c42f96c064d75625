//! Values for all variables of a template.
//!
//! A ground step of a target clause fixes the arguments of its head and of its body. What is
//! missing are values for the variables that lie between the instances of the template or were
//! eliminated. Most of the time they follow by plain evaluation from the step's own values and the
//! template's completion; otherwise one query finds them.

use shofar_base::{Map, Outcome, Set};
use shofar_chc::{ChcSystem, PredAtom};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::{Evaluator, Model, NoValue, Value, evaluate_with_defaults};
use shofar_term::{Cx, Symbol, Term, TermStore};

use crate::template::{Instance, Premise, Template, renaming};

/// What the surroundings of a step prescribe.
pub(crate) struct Pins {
    /// Arguments of the head of the root instance, by position.
    pub(crate) head: Vec<(usize, Value)>,
    /// All arguments of the facts that derive the premises of the target clause.
    pub(crate) premises: Vec<Vec<Value>>,
}

/// The first template whose instances can be made ground as `pins` demand, and the values, one
/// assignment per instance.
///
/// `known` are the values that the step of the target clause has; they may be changed.
pub(crate) fn complete(
    cx: &mut Cx<'_>,
    source: &ChcSystem,
    templates: &[Template],
    pins: &Pins,
    known: &Model,
) -> Outcome<Option<(usize, Vec<Model>)>> {
    let mut evaluator = Evaluator::with_defaults(known);
    for (index, template) in templates.iter().enumerate() {
        if template.guard.is_some_and(|guard| evaluator.holds(cx.store, guard) != Ok(true)) {
            continue;
        }
        if let Some(values) = (Attempt { source, template, pins }).by_evaluation(cx.store, known) {
            return Ok(Some((index, values)));
        }
    }
    for (index, template) in templates.iter().enumerate() {
        if let Some(values) =
            (Attempt { source, template, pins }).by_query(cx, Options::default())?
        {
            return Ok(Some((index, values)));
        }
    }
    Ok(None)
}

/// Values for the instances of a template with these facts as its premises, whatever its head is;
/// nothing if there are none.
pub(crate) fn free_values(
    cx: &mut Cx<'_>,
    source: &ChcSystem,
    template: &Template,
    premises: Vec<Vec<Value>>,
    options: Options,
) -> Outcome<Option<Vec<Model>>> {
    let pins = Pins { head: Vec::new(), premises };
    Attempt { source, template, pins: &pins }.by_query(cx, options)
}

/// One template to be completed.
struct Attempt<'a> {
    source: &'a ChcSystem,
    template: &'a Template,
    pins: &'a Pins,
}

impl Attempt<'_> {
    fn by_evaluation(&self, store: &TermStore, known: &Model) -> Option<Vec<Model>> {
        let mut values = known.clone();
        let pinned = self.pin(store, &mut values);
        for &(symbol, term) in &self.template.completion {
            if !pinned.contains(&symbol) {
                let value = evaluate_with_defaults(store, term, &values).ok()?;
                values.set(symbol, value);
            }
        }
        let assignments = self.spread(store, &values);
        self.fits(store, &assignments).then_some(assignments)
    }
    /// Gives variables that stand as pinned arguments their values.
    fn pin(&self, store: &TermStore, values: &mut Model) -> Set<Symbol> {
        let mut pinned = Set::default();
        let mut pin = |instance: &Instance, arg: Term, value: &Value| {
            let Some(symbol) = store.symbol(arg) else { return };
            if let Ok(at) = instance.variables.binary_search_by_key(&symbol, |&(own, _)| own) {
                let here = instance.variables[at].1;
                pinned.insert(here);
                values.set(here, value.clone());
            }
        };
        for instance in &self.template.instances {
            let clause = self.source.clause(instance.clause);
            for (atom, premise) in clause.body.iter().zip(&instance.premises) {
                let Premise::Given(index) = *premise else { continue };
                for (&arg, value) in atom.args.iter().zip(&self.pins.premises[index]) {
                    pin(instance, arg, value);
                }
            }
        }
        let root = &self.template.instances[self.template.root];
        if let Some(head) = &self.source.clause(root.clause).head {
            for (at, value) in &self.pins.head {
                pin(root, head.args[*at], value);
            }
        }
        pinned
    }
    /// The values of the source variables of each instance.
    fn spread(&self, store: &TermStore, values: &Model) -> Vec<Model> {
        let instance = |instance: &Instance| {
            let mut own = Model::with_capacity(instance.variables.len());
            for &(symbol, here) in &instance.variables {
                own.set(symbol, values.get_or_default(store, here));
            }
            own
        };
        self.template.instances.iter().map(instance).collect()
    }
    /// Whether the assignments make all constraints true, agree with each other and with the pins.
    fn fits(&self, store: &TermStore, assignments: &[Model]) -> bool {
        let mut evaluators: Vec<Evaluator<'_>> =
            assignments.iter().map(Evaluator::with_defaults).collect();
        let mut facts: Vec<Vec<Value>> = vec![Vec::new(); assignments.len()];
        for index in self.template.order() {
            let instance = &self.template.instances[index];
            let (clause, evaluator) = (self.source.clause(instance.clause), &mut evaluators[index]);
            if evaluator.holds(store, clause.constraint) != Ok(true) {
                return false;
            }
            for (atom, premise) in clause.body.iter().zip(&instance.premises) {
                let fact = match *premise {
                    Premise::Given(given) => &self.pins.premises[given],
                    Premise::Inner(inner) => &facts[inner],
                };
                if ground(store, evaluator, atom).as_ref() != Ok(fact) {
                    return false;
                }
            }
            if let Some(head) = &clause.head {
                let Ok(fact) = ground(store, evaluator, head) else { return false };
                facts[index] = fact;
            }
        }
        let derived = &facts[self.template.root];
        self.pins.head.iter().all(|(at, value)| derived[*at] == *value)
    }
    fn by_query(&self, cx: &mut Cx<'_>, options: Options) -> Outcome<Option<Vec<Model>>> {
        let mut solver = Solver::new(options);
        for formula in self.conditions(cx.store) {
            solver.add(cx.store, formula);
        }
        match solver.check(cx)? {
            Answer::Sat(model) => Ok(Some(self.spread(cx.store, &model.assignment(cx.store)))),
            Answer::Unsat(_) => Ok(None),
        }
    }
    fn conditions(&self, store: &mut TermStore) -> Vec<Term> {
        let mut formulas = Vec::new();
        let (mut heads, mut bodies) = (Vec::new(), Vec::new());
        for instance in &self.template.instances {
            let clause = self.source.clause(instance.clause);
            let names: Map<Symbol, Symbol> = instance.variables.iter().copied().collect();
            let mut by = renaming(store, &names);
            formulas.push(by.apply(store, clause.constraint));
            let mut args = |atom: &PredAtom| -> Vec<Term> {
                atom.args.iter().map(|&arg| by.apply(store, arg)).collect()
            };
            heads.push(clause.head.as_ref().map_or_else(Vec::new, &mut args));
            bodies.push(clause.body.iter().map(&mut args).collect::<Vec<_>>());
        }
        for (instance, body) in self.template.instances.iter().zip(&bodies) {
            for (args, premise) in body.iter().zip(&instance.premises) {
                for (at, &arg) in args.iter().enumerate() {
                    let other = match *premise {
                        Premise::Inner(inner) => heads[inner][at],
                        Premise::Given(given) => {
                            let sort = store.sort(arg);
                            store.value_term(&self.pins.premises[given][at], sort)
                        }
                    };
                    formulas.push(store.eq(arg, other));
                }
            }
        }
        for (at, value) in &self.pins.head {
            let arg = heads[self.template.root][*at];
            let sort = store.sort(arg);
            let value = store.value_term(value, sort);
            formulas.push(store.eq(arg, value));
        }
        formulas
    }
}

fn ground(
    store: &TermStore,
    evaluator: &mut Evaluator<'_>,
    atom: &PredAtom,
) -> Result<Vec<Value>, NoValue> {
    atom.args.iter().map(|&arg| evaluator.evaluate(store, arg)).collect()
}
