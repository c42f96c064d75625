//! The path of a counterexample as formulas, and the relations of its cycles.
//!
//! Of a clause with several premises the path takes the one with the largest derivation. What is
//! *beside* it is said in one of two ways: by what is known of the nodes of the graph, which
//! includes all that they derive, or by the very derivations in the tree, which are something that
//! they derive. So the first way excludes traces, and the second one finds counterexamples.
//!
//! Source: [HIKKR12] §2 for paths as relations.
//! DIVERGENCE [HIKKR12]: there, paths are those of procedures without calls; premises beside the
//! path are ours.

use shofar_accelerate::{Exact, Relation, exact};
use shofar_base::Outcome;
use shofar_chc::PredId;
use shofar_mbp::eliminate;
use shofar_term::compact::compact;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Symbol, Term, TermStore};

use super::Accelerator;
use super::scheme::{Item, Path, Step};
use crate::pa::refine::said_of;
use crate::pa::tree::Tree;
use crate::pa::unwound::Unwound;

/// So often the elimination of variables may look at its budget.
pub(super) const ALLOWANCE: u32 = 20_000;

/// What is said of premises beside the path.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Beside {
    /// What is known of their nodes.
    Known,
    /// What their derivations in the tree derive.
    Derived,
}

/// A cycle with its closure, over constants before and after.
pub(super) struct Cycle {
    /// Its steps in the path.
    pub(super) steps: Vec<usize>,
    pub(super) pre: Vec<Symbol>,
    pub(super) post: Vec<Symbol>,
    pub(super) relation: Relation,
    pub(super) exact: Option<Exact>,
}

/// A path on its way to predicates, or to a counterexample.
pub(super) struct Trace<'t, 'r> {
    pub(super) accelerator: &'t Accelerator<'r>,
    pub(super) tree: &'t Tree,
    pub(super) path: &'t Path,
    /// For each step, the copies of its premises.
    pub(super) sides: &'t [Vec<usize>],
    pub(super) beside: Beside,
    pub(super) cycles: Vec<Cycle>,
}

/// A premise beside the path, with its derivation.
pub(super) struct Side {
    pub(super) tree: Tree,
    pub(super) unwound: Unwound,
}

/// A step said of some arguments.
pub(super) struct Said {
    pub(super) formula: Term,
    pub(super) head: Vec<Term>,
    pub(super) locals: Vec<Term>,
    /// All constants that are no arguments of the path.
    pub(super) own: Vec<Symbol>,
    /// The premises beside the path, if they are derived.
    pub(super) sides: Vec<Side>,
}

impl Trace<'_, '_> {
    /// Step number `at`, said of `args`.
    pub(super) fn say(&self, store: &mut TermStore, at: usize, args: &[Term]) -> Said {
        let Step { clause, premise } = self.path.steps[at];
        let rule = &self.accelerator.rules[clause];
        let (mut all, mut parts): (Vec<Vec<Term>>, Vec<Term>) = (Vec::new(), Vec::new());
        let (mut own, mut sides) = (Vec::new(), Vec::new());
        for number in 0..rule.body.len() {
            if number == premise {
                all.push(args.to_vec());
                continue;
            }
            let copy = self.sides[at][number];
            let (terms, formula) = match self.beside {
                Beside::Known => self.say_known(store, copy),
                Beside::Derived => {
                    let (terms, formula, side) = self.say_derived(store, copy);
                    sides.push(side);
                    (terms, formula)
                }
            };
            own.extend(free_symbols(store, &[&terms[..], &[formula]].concat()));
            parts.push(formula);
            all.push(terms);
        }
        let args: Vec<&[Term]> = all.iter().map(Vec::as_slice).collect();
        let instance = rule.instantiate(store, &args);
        own.extend(instance.locals.iter().filter_map(|&local| store.symbol(local)));
        own.sort_unstable();
        own.dedup();
        parts.push(instance.guard);
        let formula = store.and(&parts);
        Said { formula, head: instance.head, locals: instance.locals, own, sides }
    }
    /// New arguments of a copy, and what is known about them.
    fn say_known(&self, store: &mut TermStore, copy: usize) -> (Vec<Term>, Term) {
        let predicates = self.accelerator.predicates;
        let copy = &self.tree.copies[copy];
        let pred = copy.pred.expect("premises have predicates");
        let args = self.arguments(store, pred);
        let terms: Vec<Term> = args.iter().map(|&arg| store.constant(arg)).collect();
        let known = predicates.conjunction(store, pred, &copy.known);
        let formula = said_of(store, known, predicates.params(pred), &terms);
        (terms, formula)
    }
    /// What the derivation below a copy derives, and its formula.
    fn say_derived(&self, store: &mut TermStore, copy: usize) -> (Vec<Term>, Term, Side) {
        let Accelerator { rules, predicates, .. } = self.accelerator;
        let tree = self.tree.below(copy);
        let unwound = Unwound::new(store, rules, predicates, &tree);
        let mut parts: Vec<Term> = unwound.copies.iter().map(|copy| copy.formula).collect();
        parts.extend((1..tree.copies.len()).map(|at| unwound.same(store, at)));
        let formula = store.and(&parts);
        (unwound.copies[0].values.clone(), formula, Side { tree, unwound })
    }
    /// What the copies beside the path derive in the tree, as predicates; they are what the path
    /// was judged with. What is not found easily is left out.
    pub(super) fn beside(&self, cx: &mut Cx<'_>) -> Outcome<Vec<(PredId, Term)>> {
        let mut open: Vec<usize> = Vec::new();
        for (step, copies) in self.path.steps.iter().zip(self.sides) {
            open.extend(
                copies.iter().enumerate().filter(|(n, _)| *n != step.premise).map(|(_, c)| c),
            );
        }
        let mut result: Vec<(PredId, Term)> = Vec::new();
        while let Some(copy) = open.pop() {
            open.extend(self.tree.copies[copy].ways.iter().flat_map(|way| &way.kids));
            let Some(pred) = self.tree.copies[copy].pred else { continue };
            let (values, formula, _) = self.say_derived(cx.store, copy);
            let mut parts = vec![formula];
            let params = self.accelerator.predicates.params(pred);
            for (&param, &value) in params.iter().zip(&values) {
                let param = cx.store.constant(param);
                parts.push(cx.store.eq(param, value));
            }
            let formula = cx.store.and(&parts);
            let mut own = free_symbols(cx.store, &[formula]);
            own.retain(|symbol| !params.contains(symbol));
            let budget = cx.budget.part(ALLOWANCE);
            match eliminate(&mut cx.limited(&budget), formula, &own) {
                Ok(formula) => result.push((pred, compact(cx.store, formula))),
                Err(_) => cx.budget.check()?,
            }
            result.dedup();
        }
        Ok(result)
    }
    /// New constants for the arguments of a predicate.
    pub(super) fn arguments(&self, store: &mut TermStore, pred: shofar_chc::PredId) -> Vec<Symbol> {
        let params = self.accelerator.predicates.params(pred);
        params.iter().map(|&p| store.fresh("state", store.result(p))).collect()
    }
    /// Computes the cycles of all loops; for each item of the scheme, which are its own. Nothing if
    /// one is no relation.
    pub(super) fn close_cycles(
        &mut self,
        cx: &mut Cx<'_>,
        scheme: &[Item],
    ) -> Outcome<Option<Vec<Vec<usize>>>> {
        let mut places = Vec::new();
        for item in scheme {
            let mut own = Vec::new();
            if let Item::Loop { cycles, .. } = item {
                for cycle in cycles {
                    let Some(cycle) = self.close_cycle(cx, cycle)? else { return Ok(None) };
                    own.push(self.cycles.len());
                    self.cycles.push(cycle);
                }
            }
            places.push(own);
        }
        Ok(Some(places))
    }
    /// The relation of a cycle, without variables of its own, and its closure.
    fn close_cycle(&self, cx: &mut Cx<'_>, steps: &[usize]) -> Outcome<Option<Cycle>> {
        let symbol = self.path.symbols[steps[steps.len() - 1]];
        let [pre, post] = [(); 2].map(|()| self.arguments(cx.store, symbol));
        let (mut parts, mut own) = (Vec::new(), Vec::new());
        let mut args: Vec<Term> = pre.iter().map(|&s| cx.store.constant(s)).collect();
        for &at in steps {
            let said = self.say(cx.store, at, &args);
            parts.push(said.formula);
            own.extend(said.own);
            args = said.head;
        }
        for (&symbol, &value) in post.iter().zip(&args) {
            let name = cx.store.constant(symbol);
            parts.push(cx.store.eq(name, value));
        }
        let mut formula = cx.store.and(&parts);
        if !own.is_empty() {
            let budget = cx.budget.part(ALLOWANCE);
            formula = match eliminate(&mut cx.limited(&budget), formula, &own) {
                Ok(formula) => formula,
                Err(_) => return cx.budget.check().map(|()| None),
            };
        }
        let pairs: Vec<(Symbol, Symbol)> = pre.iter().copied().zip(post.iter().copied()).collect();
        let Some(relation) = Relation::new(cx.store, &pairs, &[formula]) else { return Ok(None) };
        let exact = exact(cx, &relation)?;
        Ok(Some(Cycle { steps: steps.to_vec(), pre, post, relation, exact }))
    }
    pub(super) fn options(&self) -> shofar_rf::Options {
        let Accelerator { seed, interpolation, .. } = self.accelerator;
        shofar_rf::Options { seed: *seed, interpolation: (*interpolation).clone() }
    }
}
