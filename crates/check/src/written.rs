//! Refutations in the clauses of the text.
//!
//! Solvers get clauses that are simplified a little when they are read
//! ([`Form::Solved`](shofar_chc::read::Form)); refutations are shown in the clauses as they are
//! written, whose numbers can be told from the text. A step is carried over by evaluation: among
//! the clauses of its assertion one is looked for whose constraint is true under the step's values,
//! which derives the same, and needs nothing but what the step needs. There is one, because the
//! clauses of both forms follow from each other and distribution keeps what is false.
//!
//! Variables have the same names in both forms, unless several quantifiers of one assertion bind
//! the same name. Then the values of all variables of that name are tried.
//!
//! Steps that a repeat lists as counterparts get the same clause, with the same premises.

use shofar_base::{GaveUp, Idx, Map, Outcome};
use shofar_chc::read::HornProblem;
use shofar_chc::{Clause, ClauseId, Derivation, DerivationStep, PredAtom, PredId};
use shofar_term::eval::{Evaluator, Model, Value};
use shofar_term::print::print_sort;
use shofar_term::{Symbol, TermStore};

use crate::objection::Fact;
use crate::passage::carry_value;

/// The most ways to give variables of one name their values that are tried for a clause.
const MOST_CHOICES: usize = 10_000;

/// A problem with the store of its terms.
#[derive(Clone, Copy, Debug)]
pub struct Stored<'a> {
    /// Where the terms of the problem are.
    pub store: &'a TermStore,
    /// The problem.
    pub problem: &'a HornProblem,
}

/// `derivation`, which refutes `solved`, as a refutation of `written`, which is the same text in
/// clauses as they are written.
pub fn as_written(
    solved: Stored<'_>,
    written: Stored<'_>,
    derivation: &Derivation,
) -> Outcome<Derivation> {
    let (of_solved, of_written) = (&solved.problem.assertions, &written.problem.assertions);
    let preds = |s: Stored<'_>| s.problem.system.pred_count();
    if of_solved.len() != of_written.len() || preds(solved) != preds(written) {
        return Err(GaveUp::wrong("the problem is another one when its clauses are numbered"));
    }
    let mut clauses = vec![Vec::new(); of_written.len()];
    for (index, &origin) in written.problem.origin.iter().enumerate() {
        clauses[origin].push(ClauseId::from_index(index));
    }
    let (variables, written_variables, known) = Default::default();
    let mut writer = Writer { solved, written, clauses, variables, written_variables, known };
    let mut steps: Vec<Option<DerivationStep>> = vec![None; derivation.steps.len()];
    for group in groups(derivation) {
        let listed: Vec<&DerivationStep> =
            group.iter().map(|&index| &derivation.steps[index]).collect();
        let carried = writer.group(&listed).ok_or_else(|| {
            let step = group[0];
            GaveUp::wrong(format!("step {step} is an instance of no clause as it is written"))
        })?;
        for (index, step) in group.into_iter().zip(carried) {
            steps[index] = Some(step);
        }
    }
    let steps = steps.into_iter().map(|step| step.expect("each step is in a group")).collect();
    Ok(Derivation { steps, repeats: derivation.repeats.clone() })
}

/// The steps that are counterparts of each other; most are alone.
fn groups(derivation: &Derivation) -> Vec<Vec<usize>> {
    let mut leader: Vec<usize> = (0..derivation.steps.len()).collect();
    // Outer repeats come first, and what leads in the first range of an inner one leads in the
    // last.
    for repeat in &derivation.repeats {
        for (first, last) in repeat.first().zip(repeat.last()) {
            let (a, b) = (root(&leader, first), root(&leader, last));
            leader[a.max(b)] = a.min(b);
        }
    }
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); leader.len()];
    for index in 0..leader.len() {
        groups[root(&leader, index)].push(index);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

fn root(leader: &[usize], mut index: usize) -> usize {
    while leader[index] != index {
        index = leader[index];
    }
    index
}

/// A variable with what it is called.
#[derive(Clone, Debug)]
struct Variable {
    symbol: Symbol,
    name: String,
    sort: String,
}

/// How the steps of a clause become steps of a written one.
#[derive(Clone, Debug)]
struct Way {
    clause: ClauseId,
    /// For each variable of the written clause that of the other one whose value it gets, if there
    /// is one.
    values: Vec<(Symbol, Option<Symbol>)>,
    /// For each atom of the written body the place of one in the other body.
    premises: Vec<usize>,
}

struct Writer<'a> {
    solved: Stored<'a>,
    written: Stored<'a>,
    /// The written clauses of each assertion.
    clauses: Vec<Vec<ClauseId>>,
    variables: Map<ClauseId, Vec<Variable>>,
    written_variables: Map<ClauseId, Vec<Variable>>,
    /// The way that the last step of a clause took.
    known: Map<ClauseId, Way>,
}

impl Writer<'_> {
    /// Steps that are counterparts, by one way; nothing if there is none.
    fn group(&mut self, steps: &[&DerivationStep]) -> Option<Vec<DerivationStep>> {
        let id = steps[0].clause;
        if let Some(way) = self.known.get(&id)
            && let Some(found) = self.by_values(steps, way.clause, &way.values)
        {
            return Some(self.carried(steps, &found));
        }
        let found = self.search(steps)?;
        let carried = self.carried(steps, &found);
        self.known.insert(id, found);
        Some(carried)
    }
    /// A way for these steps: by names, or by any choice among variables whose names differ in
    /// their numbers.
    fn search(&mut self, steps: &[&DerivationStep]) -> Option<Way> {
        let id = steps[0].clause;
        let candidates = self.clauses[self.solved.problem.origin[id]].clone();
        for &clause in &candidates {
            let choices = self.choices(id, clause);
            let by_name: Vec<_> = choices.iter().map(|(v, from)| (*v, from[0])).collect();
            if let Some(way) = self.by_values(steps, clause, &by_name) {
                return Some(way);
            }
        }
        for &clause in &candidates {
            let choices = self.choices(id, clause);
            let mut chosen = vec![0; choices.len()];
            for _ in 0..MOST_CHOICES {
                let values: Vec<_> =
                    choices.iter().zip(&chosen).map(|((v, from), &at)| (*v, from[at])).collect();
                if let Some(way) = self.by_values(steps, clause, &values) {
                    return Some(way);
                }
                let Some(next) = (0..chosen.len()).find(|&v| chosen[v] + 1 < choices[v].1.len())
                else {
                    break;
                };
                chosen[next] += 1;
                chosen[..next].fill(0);
            }
        }
        None
    }
    /// For each variable of a written clause those of the clause `id` whose value it may have; the
    /// one of its own name comes first.
    fn choices(&mut self, id: ClauseId, clause: ClauseId) -> Vec<(Symbol, Vec<Option<Symbol>>)> {
        let (solved, written) = (self.solved, self.written);
        let from = self.variables.entry(id).or_insert_with(|| variables(solved, id));
        let to = self.written_variables.entry(clause).or_insert_with(|| variables(written, clause));
        let choices = |variable: &Variable| {
            let alike = from.iter().filter(|v| v.sort == variable.sort);
            let same = alike.clone().find(|v| v.name == variable.name).map(|v| v.symbol);
            let others = alike.filter(|v| base(&v.name) == base(&variable.name));
            let others = others.map(|v| v.symbol).filter(|&symbol| Some(symbol) != same);
            std::iter::once(same).chain(others.map(Some)).collect()
        };
        to.iter().map(|variable| (variable.symbol, choices(variable))).collect()
    }
    /// The way to this clause by these values, if all steps can go it.
    fn by_values(
        &self,
        steps: &[&DerivationStep],
        clause: ClauseId,
        values: &[(Symbol, Option<Symbol>)],
    ) -> Option<Way> {
        let mut places: Option<Vec<Vec<usize>>> = None;
        for step in steps {
            let mut found = self.premises(step, clause, values)?;
            if let Some(before) = places {
                for (here, there) in found.iter_mut().zip(&before) {
                    here.retain(|place| there.contains(place));
                }
            }
            places = Some(found);
        }
        let places = places?;
        let premises: Option<Vec<usize>> =
            places.iter().map(|places| places.first().copied()).collect();
        Some(Way { clause, values: values.to_vec(), premises: premises? })
    }
    /// For each atom in the body of the written clause the premises of the step that derive it;
    /// nothing if the step is no instance.
    fn premises(
        &self,
        step: &DerivationStep,
        clause: ClauseId,
        values: &[(Symbol, Option<Symbol>)],
    ) -> Option<Vec<Vec<usize>>> {
        let (solved, written) = (self.solved, self.written);
        let model = self.model(step, values);
        let mut here = Evaluator::with_defaults(&model);
        let (own, clause) =
            (solved.problem.system.clause(step.clause), written.problem.system.clause(clause));
        if !here.holds(written.store, clause.constraint).ok()? {
            return None;
        }
        let mut there = Evaluator::with_defaults(&step.assignment);
        if head(written.store, clause, &mut here)? != self.carried_fact(own, &mut there)? {
            return None;
        }
        let facts: Option<Vec<_>> =
            own.body.iter().map(|atom| self.carried_atom(atom, &mut there)).collect();
        let facts = facts?;
        let places = |atom: &PredAtom| {
            let wanted = ground(written.store, atom, &mut here)?;
            let places = (0..facts.len()).filter(|&place| facts[place] == wanted);
            Some(places.collect::<Vec<usize>>()).filter(|places| !places.is_empty())
        };
        clause.body.iter().map(places).collect()
    }
    fn carried_fact(&self, clause: &Clause, evaluator: &mut Evaluator<'_>) -> Option<Fact> {
        match &clause.head {
            Some(head) => Some(Some(self.carried_atom(head, evaluator)?)),
            None => Some(None),
        }
    }
    /// The instance of an atom of the other form, in values of the written one.
    fn carried_atom(
        &self,
        atom: &PredAtom,
        evaluator: &mut Evaluator<'_>,
    ) -> Option<(PredId, Vec<Value>)> {
        let (pred, values) = ground(self.solved.store, atom, evaluator)?;
        let sorts = self.written.problem.system.sorts(self.written.store, pred);
        let carry = |(value, &sort): (&Value, _)| {
            carry_value(self.solved.store, self.written.store, value, sort)
        };
        Some((pred, values.iter().zip(sorts).map(carry).collect::<Option<_>>()?))
    }
    /// The values of the written variables.
    fn model(&self, step: &DerivationStep, values: &[(Symbol, Option<Symbol>)]) -> Model {
        let (from, to) = (self.solved.store, self.written.store);
        let mut model = Model::with_capacity(values.len());
        for &(variable, source) in values {
            let Some(source) = source else { continue };
            let value = step.assignment.get_or_default(from, source);
            if let Some(value) = carry_value(from, to, &value, to.result(variable)) {
                model.set(variable, value);
            }
        }
        model
    }
    fn carried(&self, steps: &[&DerivationStep], way: &Way) -> Vec<DerivationStep> {
        let carried = |step: &&DerivationStep| DerivationStep {
            clause: way.clause,
            assignment: self.model(step, &way.values),
            premises: way.premises.iter().map(|&place| step.premises[place]).collect(),
        };
        steps.iter().map(carried).collect()
    }
}

/// The variables of a clause.
fn variables(Stored { store, problem }: Stored<'_>, id: ClauseId) -> Vec<Variable> {
    let variable = |symbol| Variable {
        symbol,
        name: store.name(symbol).to_owned(),
        sort: print_sort(store, store.result(symbol)).into_owned(),
    };
    problem.system.clause(id).variables(store).into_iter().map(variable).collect()
}

/// A name without the number that a reader has put behind it.
fn base(name: &str) -> &str {
    match name.rsplit_once('!') {
        Some((base, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => base,
        Some(_) | None => name,
    }
}

fn head(store: &TermStore, clause: &Clause, evaluator: &mut Evaluator<'_>) -> Option<Fact> {
    match &clause.head {
        Some(head) => Some(Some(ground(store, head, evaluator)?)),
        None => Some(None),
    }
}

fn ground(
    store: &TermStore,
    atom: &PredAtom,
    evaluator: &mut Evaluator<'_>,
) -> Option<(PredId, Vec<Value>)> {
    let values = atom.args.iter().map(|&arg| evaluator.evaluate(store, arg).ok());
    Some((atom.pred, values.collect::<Option<_>>()?))
}
