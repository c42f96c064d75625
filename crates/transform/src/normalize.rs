//! Arguments become distinct variables.
//!
//! In a normal clause all arguments of all atoms are variables, and no variable is an argument twice; what an argument has
//! to be is said by equations in the constraint. Most passes want clauses like that: to resolve two of them is to rename.

use shofar_base::{IndexVec, Map, Outcome, Set};
use shofar_chc::{ChcSystem, Clause, ClauseId, Translated};
use shofar_term::{Cx, Sort, Symbol, Term, TermStore};

use crate::Pass;
use crate::back::{Composed, Origin, WayBack, unchanged};
use crate::template::Template;

/// Makes arguments distinct variables; see the module documentation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Normalize;

impl Pass for Normalize {
    fn name(&self) -> &'static str {
        "normalize"
    }
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        if is_normal(cx.store, &source) {
            return Ok(unchanged(source));
        }
        let mut names = Names::default();
        let mut clauses: Vec<Clause> = Vec::with_capacity(source.clause_count());
        let mut origins: IndexVec<ClauseId, Origin> = IndexVec::new();
        for (id, clause) in source.clauses() {
            cx.budget.check()?;
            if is_normal_clause(cx.store, clause) {
                clauses.push(clause.clone());
                origins.push(Origin::Same(id));
                continue;
            }
            let clause = normal(cx.store, clause, &mut names);
            let head = clause.head.as_ref().map_or_else(Vec::new, |head| head.args.clone());
            let templates = vec![Template::of(cx.store, &source, id)];
            origins.push(Origin::Made { head, templates });
            clauses.push(clause);
        }
        let target = source.with_clauses(clauses);
        Ok((target, Box::new(WayBack::of_clauses(cx.store, source, origins))))
    }
}

/// Whether all clauses are normal.
pub fn is_normal(store: &TermStore, system: &ChcSystem) -> bool {
    system.clauses().all(|(_, clause)| is_normal_clause(store, clause))
}

fn is_normal_clause(store: &TermStore, clause: &Clause) -> bool {
    let mut seen: Set<Term> = Set::default();
    let mut args = clause.body.iter().chain(&clause.head).flat_map(|atom| &atom.args);
    args.all(|&arg| store.symbol(arg).is_some() && seen.insert(arg))
}

/// Applies `pass` to the normal form of `source`.
pub(crate) fn on_normal(
    cx: &mut Cx<'_>,
    source: ChcSystem,
    pass: impl FnOnce(&mut Cx<'_>, ChcSystem) -> Outcome<Translated<ChcSystem, ChcSystem>>,
) -> Outcome<Translated<ChcSystem, ChcSystem>> {
    if is_normal(cx.store, &source) {
        return pass(cx, source);
    }
    let (normal, first) = Normalize.apply(cx, source)?;
    let (target, second) = pass(cx, normal)?;
    Ok((target, Box::new(Composed(vec![first, second]))))
}

/// New variables by sort; clauses share them.
#[derive(Default)]
struct Names(Map<Sort, Vec<Symbol>>);

impl Names {
    /// The new variable number `index` of `sort`.
    fn get(&mut self, store: &mut TermStore, sort: Sort, index: usize) -> Term {
        let names = self.0.entry(sort).or_default();
        while names.len() <= index {
            names.push(store.fresh("a", sort));
        }
        store.constant(names[index])
    }
}

fn normal(store: &mut TermStore, clause: &Clause, names: &mut Names) -> Clause {
    let mut result = clause.clone();
    let mut parts = vec![clause.constraint];
    let mut seen: Set<Term> = Set::default();
    let mut used: Map<Sort, usize> = Map::default();
    // Body first, so that its variables keep their names.
    for arg in result.body.iter_mut().chain(&mut result.head).flat_map(|atom| &mut atom.args) {
        if store.symbol(*arg).is_some() && seen.insert(*arg) {
            continue;
        }
        let sort = store.sort(*arg);
        let next = used.entry(sort).or_default();
        let name = names.get(store, sort, *next);
        *next += 1;
        parts.push(store.eq(name, *arg));
        *arg = name;
    }
    result.constraint = store.and(&parts);
    result
}
