//! Predicates from a meta-trace without a model.
//!
//! What is found in front of a loop, `I`, becomes an inductive formula `J = I ∨ ∃n. I ∘ Lⁿ` behind
//! it, unless what is found behind the loop is inductive already. Symbols within a cycle get the
//! interpolants of the cycle between `J` and `J`.
//!
//! Invariants: `I` implies `J`, and `J` is checked to be inductive for every cycle of its loop;
//! where that fails, nothing is concluded.
//!
//! Source: [HIKKR12] §5. Symbols: `I_i'`, `I_i''` → the formulas `before` a loop and behind it.

use shofar_base::{IndexVec, Outcome};
use shofar_chc::PredId;
use shofar_mbp::eliminate;
use shofar_rf::{NormalForm, Solved};
use shofar_smt::{Options, implies};
use shofar_term::compact::compact;
use shofar_term::substitute::rename;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Symbol, Term, TermStore};

use super::Folded;
use super::meta::{Accelerated, MetaTrace};
use super::trace::{ALLOWANCE, Cycle, Trace};
use crate::pa::refine::said_of;

impl Trace<'_, '_> {
    /// What becomes a predicate: the formulas of a solution, made inductive at loops; nothing if
    /// that fails.
    pub(super) fn predicates(
        &self,
        cx: &mut Cx<'_>,
        meta: &MetaTrace,
        found: &IndexVec<PredId, Term>,
    ) -> Outcome<Option<Folded>> {
        let mut result: Vec<(PredId, Term)> = Vec::new();
        let mut add = |store: &mut TermStore, at: usize, formula: Term| {
            let (pred, args) = &meta.symbols[at];
            let params = self.accelerator.predicates.params(*pred);
            let formula = rename(store, formula, args, params);
            let formula = compact(store, formula);
            result.push((*pred, formula));
            formula
        };
        let formulas: Vec<Term> = found.iter().copied().collect();
        let is_loop = |at: usize| meta.loops.iter().any(|l| l.before == at || l.before + 1 == at);
        for (at, &formula) in formulas.iter().enumerate() {
            if !is_loop(at) {
                add(cx.store, at, formula);
            }
        }
        let mut inner = Vec::new();
        for accelerated in &meta.loops {
            let Some(inductive) = self.inductive(cx, meta, &formulas, accelerated)? else {
                return Ok(None);
            };
            let said = add(cx.store, accelerated.before + 1, inductive);
            for &cycle in &accelerated.cycles {
                inner.push((cycle, said));
            }
        }
        for (cycle, formula) in inner {
            let Some(within) = self.within(cx, cycle, formula)? else { return Ok(None) };
            result.extend(within);
        }
        Ok(Some(Folded::Excluded(result)))
    }
    /// An inductive formula behind a loop that what is in front of it implies, over the arguments
    /// behind.
    fn inductive(
        &self,
        cx: &mut Cx<'_>,
        meta: &MetaTrace,
        formulas: &[Term],
        accelerated: &Accelerated,
    ) -> Outcome<Option<Term>> {
        let Accelerated { before, formula, count, cycles, .. } = accelerated;
        let (here, there) = (&meta.symbols[*before].1, &meta.symbols[before + 1].1);
        let behind = formulas[before + 1];
        let entry = rename(cx.store, formulas[*before], here, there);
        let is_entered = implies(cx, Options::default(), &[entry], behind)?;
        if is_entered && self.is_inductive(cx, there, behind, cycles)? {
            return Ok(Some(behind));
        }
        let repeated = cx.store.and(&[formulas[*before], *formula]);
        let mut gone = here.clone();
        gone.push(*count);
        let known = free_symbols(cx.store, &[repeated]);
        gone.retain(|symbol| known.contains(symbol));
        let budget = cx.budget.part(ALLOWANCE);
        let Ok(image) = eliminate(&mut cx.limited(&budget), repeated, &gone) else {
            return cx.budget.check().map(|()| None);
        };
        let inductive = cx.store.or(&[entry, image]);
        let is_inductive = self.is_inductive(cx, there, inductive, cycles)?;
        Ok(is_inductive.then_some(inductive))
    }
    /// Whether no step of the cycles leads out of `formula`.
    fn is_inductive(
        &self,
        cx: &mut Cx<'_>,
        args: &[Symbol],
        formula: Term,
        cycles: &[usize],
    ) -> Outcome<bool> {
        for &cycle in cycles {
            let Cycle { pre, post, relation, .. } = &self.cycles[cycle];
            let (here, there) =
                (rename(cx.store, formula, args, pre), rename(cx.store, formula, args, post));
            let mut premises = relation.literals().to_vec();
            premises.push(here);
            if !implies(cx, Options::default(), &premises, there)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
    /// Predicates of the symbols within a cycle, if it leads from `formula`, over the parameters of
    /// its symbol, to it.
    fn within(
        &self,
        cx: &mut Cx<'_>,
        cycle: usize,
        formula: Term,
    ) -> Outcome<Option<Vec<(PredId, Term)>>> {
        let steps = &self.cycles[cycle].steps;
        let symbol = self.path.symbols[steps[steps.len() - 1]];
        let params = self.accelerator.predicates.params(symbol);
        let (mut form, mut inner) = (NormalForm::new(), Vec::new());
        let mut args: Vec<Term> =
            self.arguments(cx.store, symbol).into_iter().map(|s| cx.store.constant(s)).collect();
        let mut known = said_of(cx.store, formula, params, &args);
        let mut body = Vec::new();
        for (number, &at) in steps.iter().enumerate() {
            let said = self.say(cx.store, at, &args);
            if number + 1 == steps.len() {
                let there = said_of(cx.store, formula, params, &said.head);
                let outside = cx.store.not(there);
                let constraint = cx.store.and(&[known, said.formula, outside]);
                form.add_clause(None, std::mem::take(&mut body), constraint);
                break;
            }
            let pred = self.path.symbols[at];
            let names = self.arguments(cx.store, pred);
            let mut parts = vec![known, said.formula];
            args = names.iter().map(|&name| cx.store.constant(name)).collect();
            parts.extend(args.iter().zip(&said.head).map(|(&arg, &value)| cx.store.eq(arg, value)));
            let constraint = cx.store.and(&parts);
            let name = form.add_symbol(names.clone());
            form.add_clause(Some(name), std::mem::replace(&mut body, vec![name]), constraint);
            inner.push((pred, names));
            known = cx.store.top();
        }
        if inner.is_empty() {
            return Ok(Some(Vec::new()));
        }
        match form.solve(cx, &self.options())? {
            Solved::Counterexample(_) => Ok(None),
            Solved::Solution(found) => {
                let formulas = inner.iter().zip(found.iter());
                let mut result = Vec::new();
                for ((pred, names), &formula) in formulas {
                    let params = self.accelerator.predicates.params(*pred);
                    let formula = rename(cx.store, formula, names, params);
                    result.push((*pred, compact(cx.store, formula)));
                }
                Ok(Some(result))
            }
        }
    }
}
