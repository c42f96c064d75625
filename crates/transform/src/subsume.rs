//! Clauses that others imply.
//!
//! Clauses between the same predicates are brought to the same names. One whose conjuncts are among
//! those of another one implies it. A clause that derives one of its own premises implies nothing
//! new.

use shofar_base::{IndexVec, Map, Outcome, Set};
use shofar_chc::{ChcSystem, Clause, ClauseId, NormalSystem, Translated};
use shofar_term::visit::postorder;
use shofar_term::{Cx, Sort, Symbol, Term, TermStore};

use crate::Pass;
use crate::back::{Origin, WayBack, unchanged};
use crate::normalize::on_normal;
use crate::parallel::groups;
use crate::template::renaming;

/// In larger groups only equal clauses are looked for.
const PAIRWISE: usize = 60;

/// Drops clauses that others imply; see the module documentation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Subsume;

impl Pass for Subsume {
    fn name(&self) -> &'static str {
        "subsume"
    }
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        on_normal(cx, source, |cx, source| {
            let mut names = Names::default();
            let mut keep: IndexVec<ClauseId, bool> = source.clauses().map(|_| true).collect();
            for group in groups(&source) {
                cx.budget.check()?;
                thin(cx.store, &source, &group, &mut names, &mut keep);
            }
            if keep.iter().all(|&keep| keep) {
                return Ok(unchanged(source.into_clauses()));
            }
            let kept: Vec<ClauseId> = keep.handles().filter(|&id| keep[id]).collect();
            let target = source.with_clauses(kept.iter().map(|&id| source.clause(id).clone()));
            let origins = kept.into_iter().map(Origin::Same).collect();
            Ok((target, Box::new(WayBack::of_clauses(cx.store, source.into_clauses(), origins))))
        })
    }
}

/// Names for variables that are no arguments, by sort; clauses share them.
#[derive(Default)]
struct Names(Map<Sort, Vec<Symbol>>);

/// Decides which clauses of a group stay.
fn thin(
    store: &mut TermStore,
    source: &NormalSystem,
    group: &[ClauseId],
    names: &mut Names,
    keep: &mut IndexVec<ClauseId, bool>,
) {
    let mut canonical: Vec<(ClauseId, Vec<Term>)> = Vec::new();
    let mut seen: Set<Vec<Term>> = Set::default();
    for &id in group {
        let args = source.arguments(id).zip(source.arguments(group[0])).collect();
        let parts = named(store, source.clause(id).constraint, args, names);
        keep[id] =
            !is_tautology(store, source.clause(group[0]), &parts) && seen.insert(parts.clone());
        if keep[id] {
            canonical.push((id, parts));
        }
    }
    if canonical.len() > PAIRWISE {
        return;
    }
    canonical.sort_by_key(|(_, parts)| parts.len());
    for later in 1..canonical.len() {
        let parts: Set<Term> = canonical[later].1.iter().copied().collect();
        let implied = canonical[..later]
            .iter()
            .any(|(id, weaker)| keep[*id] && weaker.iter().all(|part| parts.contains(part)));
        keep[canonical[later].0] = !implied;
    }
}

/// The conjuncts of `constraint` with symbols replaced by `map` and its other variables called in
/// order of occurrence, sorted.
fn named(
    store: &mut TermStore,
    constraint: Term,
    mut map: Map<Symbol, Symbol>,
    names: &mut Names,
) -> Vec<Term> {
    let mut used: Map<Sort, usize> = Map::default();
    for term in postorder(store, &[constraint]) {
        let Some(symbol) = store.symbol(term) else { continue };
        if map.contains_key(&symbol) {
            continue;
        }
        let sort = store.result(symbol);
        let next = used.entry(sort).or_default();
        let pool = names.0.entry(sort).or_default();
        if *next == pool.len() {
            pool.push(store.fresh("l", sort));
        }
        map.insert(symbol, pool[*next]);
        *next += 1;
    }
    let constraint = renaming(store, &map).apply(store, constraint);
    let mut parts = store.conjuncts(&[constraint]);
    parts.sort_unstable();
    parts.dedup();
    parts
}

/// Whether `parts` say that the head is one of the premises; `clause` has the names of `parts`.
fn is_tautology(store: &mut TermStore, clause: &Clause, parts: &[Term]) -> bool {
    let Some(head) = &clause.head else { return false };
    clause.body.iter().filter(|atom| atom.pred == head.pred).any(|atom| {
        atom.args.iter().zip(&head.args).all(|(&a, &b)| {
            let equal = store.eq(a, b);
            parts.binary_search(&equal).is_ok()
        })
    })
}
