//! Predicates with Boolean arguments become one predicate for each value of these.
//!
//! `p(b, x)` is `p⊤(x)` where `b` is true and `p⊥(x)` where it is false, so what engines and domains find about one
//! value does not have to hold for the other. A clause is repeated for all values of the Boolean arguments of its atoms that its
//! constraint admits; a model `p⊤, p⊥` is `p(b, x) := (b ∧ p⊤(x)) ∨ (¬b ∧ p⊥(x))`, and a step of a new clause is one of the
//! old clause in which these arguments have these values.
//!
//! It is done only where it does not multiply the clauses: if there are more than [`GROWTH`] times as many and a few, nothing is changed.
//!
//! Source: [HR18], as the splitting of predicates by Boolean arguments.

use shofar_base::{GaveUp, IndexVec, Map, Outcome};
use shofar_chc::{
    BackTranslation, ChcSystem, Clause, ClauseId, Definition, Derivation, Hint, Interpretation,
    NormalSystem, PredAtom, PredId, Translated, formal_params,
};
use shofar_term::eval::Value;
use shofar_term::substitute::substitute;
use shofar_term::{Cx, Sort, Symbol, Term, TermStore};

use crate::Pass;
use crate::back::unchanged;
use crate::normalize::on_normal;
use crate::reshape::declared;

/// Predicates with more Boolean arguments stay as they are.
const MOST_ARGUMENTS: usize = 4;
/// So many times as many clauses are too many, but for [`A_FEW`].
const GROWTH: usize = 2;
/// So many further clauses are always allowed.
const A_FEW: usize = 16;

/// Splits predicates by their Boolean arguments; see the module documentation.
#[derive(Clone, Copy, Debug, Default)]
pub struct SplitBooleans;

impl Pass for SplitBooleans {
    fn name(&self) -> &'static str {
        "copies"
    }
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        on_normal(cx, source, |cx, source| {
            let copies = Copies::new(cx.store, &source);
            if copies.booleans.iter().all(Vec::is_empty) {
                return Ok(unchanged(source.into_clauses()));
            }
            match copies.clauses(cx, &source)? {
                None => Ok(unchanged(source.into_clauses())),
                Some((clauses, origins)) => {
                    let target = copies.target.with_clauses(clauses);
                    let source = source.into_clauses();
                    Ok((target, Box::new(Back { source, copies, origins })))
                }
            }
        })
    }
}

/// A source clause, and the values of some of its variables.
type Origin = (ClauseId, Vec<(Symbol, bool)>);

/// The copies of all predicates.
struct Copies {
    /// Their Boolean arguments, if these are split.
    booleans: IndexVec<PredId, Vec<usize>>,
    /// The copy for each value of these, as bits of the index.
    of: IndexVec<PredId, Vec<PredId>>,
    /// The copies without clauses.
    target: ChcSystem,
}

impl Copies {
    fn new(store: &mut TermStore, source: &ChcSystem) -> Self {
        let (mut booleans, mut of) = (IndexVec::new(), IndexVec::new());
        let mut target = ChcSystem::new();
        for pred in source.preds() {
            let sorts = source.sorts(store, pred).to_vec();
            let mut own: Vec<usize> = (0..sorts.len()).filter(|&at| sorts[at].is_bool()).collect();
            if own.len() > MOST_ARGUMENTS {
                own.clear();
            }
            let others = |at: &usize| !own.contains(at);
            let kept: Vec<Sort> = (0..sorts.len()).filter(others).map(|at| sorts[at]).collect();
            let name = store.name(source.symbol(pred)).to_owned();
            let mut copies = Vec::new();
            for _ in 0..1 << own.len() {
                declared(store, &mut target, name.clone(), &kept);
                copies.push(target.preds().next_back().expect("one was just entered"));
            }
            let _: PredId = booleans.push(own);
            let _: PredId = of.push(copies);
        }
        Self { booleans, of, target }
    }
    /// The clauses over the copies; nothing if there are too many.
    fn clauses(&self, cx: &mut Cx<'_>, source: &NormalSystem) -> Outcome<Option<Split>> {
        let most = GROWTH * source.clause_count() + A_FEW;
        let (mut clauses, mut origins) = (Vec::new(), IndexVec::new());
        for (id, clause) in source.clauses() {
            let split = |atom: &PredAtom| -> Vec<Term> {
                self.booleans[atom.pred].iter().map(|&at| atom.args[at]).collect()
            };
            let variables: Vec<Term> =
                clause.body.iter().chain(&clause.head).flat_map(split).collect();
            let mut cases = vec![(clause.constraint, Map::default())];
            for &variable in &variables {
                cx.budget.check()?;
                cases = distinguish(cx.store, variable, cases);
                if clauses.len() + cases.len() > most {
                    return Ok(None);
                }
            }
            for (constraint, values) in cases {
                let copy = |atom: &PredAtom| self.copy(atom, &values);
                let head = clause.head.as_ref().map(copy);
                let body = clause.body.iter().map(copy).collect();
                clauses.push(Clause { head, body, constraint, span: clause.span });
                let value = |&v: &Term| Some((cx.store.symbol(v)?, values[&v]));
                let _: ClauseId = origins.push((id, variables.iter().filter_map(value).collect()));
            }
        }
        Ok(Some((clauses, origins)))
    }
    fn copy(&self, atom: &PredAtom, values: &Map<Term, bool>) -> PredAtom {
        let own = &self.booleans[atom.pred];
        let bit = |(bit, &at): (usize, &usize)| usize::from(values[&atom.args[at]]) << bit;
        let index: usize = own.iter().enumerate().map(bit).sum();
        let kept = (0..atom.args.len()).filter(|at| !own.contains(at));
        PredAtom { pred: self.of[atom.pred][index], args: kept.map(|at| atom.args[at]).collect() }
    }
}

/// Clauses over copies, and where they come from.
type Split = (Vec<Clause>, IndexVec<ClauseId, Origin>);

/// Each case with both values of a variable, but for contradictions.
fn distinguish(
    store: &mut TermStore,
    variable: Term,
    cases: Vec<(Term, Map<Term, bool>)>,
) -> Vec<(Term, Map<Term, bool>)> {
    let mut result = Vec::with_capacity(cases.len());
    for (constraint, values) in cases {
        for value in [true, false] {
            let truth = store.bool(value);
            let map = [(variable, truth)].into_iter().collect();
            let constraint = substitute(store, &map, &[constraint])[0];
            if constraint != store.bottom() {
                let mut values = values.clone();
                values.insert(variable, value);
                result.push((constraint, values));
            }
        }
    }
    result
}

/// The way back.
struct Back {
    source: ChcSystem,
    copies: Copies,
    origins: IndexVec<ClauseId, Origin>,
}

impl BackTranslation<ChcSystem, ChcSystem> for Back {
    /// Each copy gets what is left to say for its values.
    fn hints(&self, store: &mut TermStore, hints: Vec<Hint>) -> Vec<Hint> {
        let mut result = Vec::new();
        for hint in hints {
            let own = &self.copies.booleans[hint.pred];
            let kept: Vec<usize> = (0..hint.params.len()).filter(|at| !own.contains(at)).collect();
            for (index, &copy) in self.copies.of[hint.pred].iter().enumerate() {
                let value = |(bit, &at): (usize, &usize)| (at, Value::Bool(index >> bit & 1 == 1));
                let fixed: Vec<(usize, Value)> = own.iter().enumerate().map(value).collect();
                let hint = hint.with_values(store, &fixed);
                result.extend(hint.projected(store, copy, &kept));
            }
        }
        result
    }
    fn model(&self, cx: &mut Cx<'_>, model: Interpretation) -> Outcome<Interpretation> {
        let mut result = Interpretation::new();
        for pred in self.source.preds() {
            cx.budget.check()?;
            let own = &self.copies.booleans[pred];
            let params = formal_params(cx.store, &self.source, pred);
            let args: Vec<Term> = params.iter().map(|&param| cx.store.constant(param)).collect();
            let kept: Vec<Term> =
                (0..args.len()).filter(|at| !own.contains(at)).map(|at| args[at]).collect();
            let mut cases = Vec::new();
            for (index, &copy) in self.copies.of[pred].iter().enumerate() {
                let found = model.get(copy).ok_or(GaveUp::wrong("the model lacks a predicate"))?;
                let mut parts = vec![found.apply(cx.store, &kept)];
                for (bit, &at) in own.iter().enumerate() {
                    let is_true = index >> bit & 1 == 1;
                    parts.push(if is_true { args[at] } else { cx.store.not(args[at]) });
                }
                cases.push(cx.store.and(&parts));
            }
            let body = cx.store.or(&cases);
            result.define(pred, Definition { params, body });
        }
        Ok(result)
    }
    fn refutation(&self, _: &mut Cx<'_>, mut refutation: Derivation) -> Outcome<Derivation> {
        for step in &mut refutation.steps {
            let (clause, values) = &self.origins[step.clause];
            step.clause = *clause;
            for &(symbol, value) in values {
                step.assignment.set(symbol, Value::Bool(value));
            }
        }
        Ok(refutation)
    }
}
