//! Clauses between the same predicates become one.
//!
//! The constraint of the merged clause is the disjunction of the constraints, with the conjuncts
//! that all share in front. A step of it is a step of the first clause whose constraint it
//! satisfies.

use shofar_base::{IndexVec, Map, Outcome, Set};
use shofar_chc::{ChcSystem, Clause, ClauseId, NormalSystem, Translated};
use shofar_term::size::dag_size;
use shofar_term::{Cx, Symbol, Term, TermStore};

use crate::Pass;
use crate::back::{Origin, WayBack, unchanged};
use crate::normalize::on_normal;
use crate::parallel::groups;
use crate::template::{Template, renaming};

/// Merges clauses with the same predicates; see the module documentation.
#[derive(Clone, Copy, Debug)]
pub struct MergeParallel {
    /// Merged constraints have at most so many subterms.
    pub size: usize,
}

impl Default for MergeParallel {
    fn default() -> Self {
        Self { size: 3_000 }
    }
}

impl Pass for MergeParallel {
    fn name(&self) -> &'static str {
        "merge"
    }
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        on_normal(cx, source, |cx, source| {
            let bundles = self.bundles(cx, &source)?;
            if bundles.len() == source.clause_count() {
                return Ok(unchanged(source.into_clauses()));
            }
            let mut clauses = Vec::with_capacity(bundles.len());
            let mut origins: IndexVec<ClauseId, Origin> = IndexVec::new();
            for bundle in bundles {
                cx.budget.check()?;
                if let [id] = bundle[..] {
                    clauses.push(source.clause(id).clone());
                    origins.push(Origin::Same(id));
                    continue;
                }
                let (clause, templates) = merged(cx.store, &source, &bundle);
                let head = clause.head.as_ref().map_or_else(Vec::new, |head| head.args.clone());
                origins.push(Origin::Made { head, templates });
                clauses.push(clause);
            }
            let target = source.with_clauses(clauses);
            Ok((target, Box::new(WayBack::of_clauses(cx.store, source.into_clauses(), origins))))
        })
    }
}

impl MergeParallel {
    /// Which clauses to merge: each group, cut where it gets too large.
    fn bundles(self, cx: &mut Cx<'_>, source: &NormalSystem) -> Outcome<Vec<Vec<ClauseId>>> {
        let mut bundles = Vec::new();
        for group in groups(source) {
            let (mut bundle, mut size) = (Vec::new(), 0);
            for id in group {
                cx.budget.check()?;
                let more = dag_size(cx.store, &[source.clause(id).constraint]);
                if !bundle.is_empty() && size + more > self.size {
                    bundles.push(std::mem::take(&mut bundle));
                    size = 0;
                }
                bundle.push(id);
                size += more;
            }
            bundles.push(bundle);
        }
        Ok(bundles)
    }
}

fn merged(
    store: &mut TermStore,
    source: &NormalSystem,
    bundle: &[ClauseId],
) -> (Clause, Vec<Template>) {
    let first = source.clause(bundle[0]);
    let mut used: Set<Symbol> = source.arguments(bundle[0]).collect();
    let (mut cases, mut templates) = (Vec::new(), Vec::new());
    for &id in bundle {
        let clause = source.clause(id);
        let mut names: Map<Symbol, Symbol> =
            source.arguments(id).zip(source.arguments(bundle[0])).collect();
        for symbol in clause.variables(store) {
            if !names.contains_key(&symbol) {
                let (name, sort) = (store.name(symbol).to_owned(), store.result(symbol));
                let taken = used.contains(&symbol);
                names.insert(symbol, if taken { store.fresh(&name, sort) } else { symbol });
            }
        }
        used.extend(names.sorted().into_iter().map(|(_, &name)| name));
        let constraint = renaming(store, &names).apply(store, clause.constraint);
        cases.push(store.conjuncts(&[constraint]));
        let template = Template::of(store, source, id).renamed(store, &names);
        templates.push(Template { guard: Some(constraint), ..template });
    }
    let constraint = factored(store, cases);
    (Clause { constraint, span: None, ..first.clone() }, templates)
}

/// The disjunction of conjunctions, with what they share in front.
fn factored(store: &mut TermStore, cases: Vec<Vec<Term>>) -> Term {
    let mut shared = cases[0].clone();
    for case in &cases[1..] {
        let case: Set<Term> = case.iter().copied().collect();
        shared.retain(|part| case.contains(part));
    }
    let known: Set<Term> = shared.iter().copied().collect();
    let mut rest = Vec::with_capacity(cases.len());
    for mut case in cases {
        case.retain(|part| !known.contains(part));
        rest.push(store.and(&case));
    }
    shared.push(store.or(&rest));
    store.and(&shared)
}
