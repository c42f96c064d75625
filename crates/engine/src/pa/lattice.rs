//! The search for a cheap abstraction that excludes a tree.
//!
//! The selections of templates are a lattice; a selection is *feasible* if the formulas of the tree
//! stay contradictory when values and arguments of copies agree on the selected templates only.
//! Every template has a switch, the same for all copies of its symbol, so feasibility is a question
//! with assumptions, and the assumptions of a refutation are a feasible selection. The
//! search admits ever more expensive templates until a selection is feasible, and then leaves out
//! one after the other, the most expensive first, as long as it stays feasible. What is left is
//! maximal among the abstractions: no template can be missed.
//!
//! Source: [LRS16] §4 (Algorithm *maximal feasible abstraction*) and §5. DIVERGENCE [LRS16]: one
//! maximal abstraction is looked for, guided by costs, and refutations skip many steps of the
//! search at once.

use shofar_base::{GaveUp, Map, Outcome};
use shofar_chc::PredId;
use shofar_smt::{Answer, Solver};
use shofar_term::{Cx, Sort, Term};

use super::predicates::Predicates;
use super::refine::said_of;
use super::statistics::Statistics;
use super::template::{Direction, Families, Template};
use super::tree::Tree;
use super::unwound::Unwound;

/// How many questions are asked for one tree.
const QUESTIONS: usize = 60;
/// How often the budget may be asked for one tree.
const EFFORT: u32 = 20_000;
/// How often the budget may be asked for one question; a selection for which that is not enough is
/// not taken.
const EFFORT_FOR_ONE: u32 = 1_000;

/// The templates that were chosen; symbols that are not mentioned are tied by all their arguments.
#[derive(Default)]
pub(super) struct Selection(Map<PredId, Vec<(Term, Direction)>>);

impl Selection {
    /// The templates of `pred`.
    pub(super) fn of(&self, pred: PredId) -> Option<&[(Term, Direction)]> {
        self.0.get(&pred).map(Vec::as_slice)
    }
}

/// A template of a symbol with its switch.
struct Switched {
    pred: PredId,
    template: Template,
    switch: Term,
}

/// A feasible selection for `tree`, whose formulas `solver` knows; none if there are no templates
/// or the search takes too long.
pub(super) fn select(
    cx: &mut Cx<'_>,
    stats: &mut Statistics,
    families: &Families,
    predicates: &Predicates,
    tree: &Tree,
    unwound: &Unwound,
    solver: &mut Solver,
) -> Outcome<Option<Selection>> {
    if families.is_empty() {
        return Ok(None);
    }
    let budget = cx.budget.part(EFFORT);
    let mut part = cx.limited(&budget);
    let mut search = Search { solver, stats, all: Vec::new(), always: Vec::new(), questions: 0 };
    search.tie(&mut part, families, predicates, tree, unwound);
    match search.run(&mut part) {
        Ok(found) => Ok(found.map(|chosen| search.selection(families, tree, &chosen))),
        Err(GaveUp::Incomplete(_)) => Ok(None),
        Err(why) => Err(why),
    }
}

struct Search<'s> {
    solver: &'s mut Solver,
    stats: &'s mut Statistics,
    /// Cheap ones first.
    all: Vec<Switched>,
    /// What is assumed in any case.
    always: Vec<Term>,
    questions: usize,
}

impl Search<'_> {
    /// Ties all copies by switched templates, and those whose symbols have none by all their
    /// arguments.
    fn tie(
        &mut self,
        cx: &mut Cx<'_>,
        families: &Families,
        predicates: &Predicates,
        tree: &Tree,
        unwound: &Unwound,
    ) {
        let plain = cx.store.fresh("plain", Sort::BOOL);
        let plain = cx.store.constant(plain);
        self.always.push(plain);
        let mut switches: Map<(PredId, usize), Term> = Map::default();
        for (at, copy) in tree.copies.iter().enumerate() {
            let Some(pred) = copy.pred else { continue };
            let family = &families.0[pred];
            if family.is_empty() {
                let tie = unwound.same(cx.store, at);
                let tie = cx.store.implies(plain, tie);
                self.solver.add(cx.store, tie);
                continue;
            }
            let said = &unwound.copies[at];
            let params = predicates.params(pred);
            for (index, &template) in family.iter().enumerate() {
                let [value, arg] = [&said.values, &said.args]
                    .map(|terms| said_of(cx.store, template.term, params, terms));
                let tie = template.direction.relate(cx.store, value, arg);
                let switch = *switches.entry((pred, index)).or_insert_with(|| {
                    let switch = cx.store.fresh("template", Sort::BOOL);
                    let switch = cx.store.constant(switch);
                    self.all.push(Switched { pred, template, switch });
                    switch
                });
                let not_switch = cx.store.not(switch);
                let not_wanted = cx.store.not(said.wanted);
                let clause = cx.store.or(&[not_switch, not_wanted, tie]);
                self.solver.add(cx.store, clause);
            }
        }
        self.all.sort_by_key(|switched| switched.template.cost);
    }
    /// The positions of the templates of a feasible selection, if one is found.
    fn run(&mut self, cx: &mut Cx<'_>) -> Outcome<Option<Vec<usize>>> {
        let mut costs: Vec<u32> = self.all.iter().map(|s| s.template.cost).collect();
        costs.dedup();
        costs.insert(0, 0);
        let mut found = None;
        for cost in costs {
            let count = self.all.partition_point(|s| s.template.cost <= cost);
            let admitted: Vec<usize> = (0..count).collect();
            found = self.feasible(cx, &admitted)?;
            if found.is_some() {
                break;
            }
        }
        let Some(mut chosen) = found else { return Ok(None) };
        let mut kept: Vec<usize> = Vec::new();
        while let Some(last) = chosen.pop() {
            if self.questions >= QUESTIONS {
                kept.push(last);
                continue;
            }
            let without: Vec<usize> = chosen.iter().chain(&kept).copied().collect();
            match self.feasible(cx, &without)? {
                Some(core) => {
                    chosen.retain(|at| core.contains(at));
                    kept.retain(|at| core.contains(at));
                }
                None => kept.push(last),
            }
        }
        Ok(Some(kept))
    }
    /// A part of `templates` that is feasible, if all of them are.
    fn feasible(&mut self, cx: &mut Cx<'_>, templates: &[usize]) -> Outcome<Option<Vec<usize>>> {
        self.questions += 1;
        self.stats.template_queries += 1;
        let mut assumed = self.always.clone();
        assumed.extend(templates.iter().map(|&at| self.all[at].switch));
        let budget = cx.budget.part(EFFORT_FOR_ONE);
        let answer = match self.solver.check_assuming(&mut cx.limited(&budget), &assumed) {
            Err(GaveUp::Incomplete(_)) => return cx.budget.check().map(|()| None),
            answer => answer?,
        };
        Ok(match answer {
            Answer::Sat(_) => None,
            Answer::Unsat(view) => {
                let failed = view.failed();
                let is_in = |at: &usize| failed.contains(&self.all[*at].switch);
                let mut core: Vec<usize> = templates.iter().copied().filter(is_in).collect();
                core.sort_unstable();
                Some(core)
            }
        })
    }
    fn selection(&self, families: &Families, tree: &Tree, chosen: &[usize]) -> Selection {
        let mut selection = Selection::default();
        for pred in tree.copies.iter().filter_map(|copy| copy.pred) {
            if !families.0[pred].is_empty() {
                selection.0.entry(pred).or_default();
            }
        }
        let mut chosen = chosen.to_vec();
        chosen.sort_unstable();
        for at in chosen {
            let Switched { pred, template, .. } = &self.all[at];
            selection.0.entry(*pred).or_default().push((template.term, template.direction));
        }
        selection
    }
}
