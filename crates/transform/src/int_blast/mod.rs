//! Integers instead of bit-vectors.
//!
//! A vector of `w` bits becomes an integer in the range of its reading, in two's complement or in
//! the binary system. A source clause holds for vectors exactly if the target clause holds for the
//! integers that they are, unless an operator is unknown to the integers; then the target only
//! follows, and the way back says so. Clauses keep their ids.
//!
//! - Models: a predicate holds of vectors if the target's holds of the integers that they are, said
//!   by comparisons of vectors that are wide enough not to wrap around ([`vectors`]).
//! - Refutations: the vectors that integers are. If a clause is not exact, its steps are completed
//!   by a query; where that has no answer, the whole refutation is replayed with other values
//!   ([`crate::replay`]).
//!
//! What the pass does not read, vectors in arrays, data types, functions or quantifiers, it leaves
//! all as it is.
//!
//! Source: [ZIMNNPRBT22], the translation to integers; [BRZ18] for sums that are reduced late and
//! casts as quotients. DIVERGENCE [ZIMNNPRBT22]: no axioms for bitwise operators are added on
//! demand; they are bits up to a width, else unknown.

mod number;
mod operators;
mod readings;
mod translate;
mod vectors;
mod witness;

use shofar_base::{IndexVec, Map, Outcome};
use shofar_chc::{ChcSystem, ClauseId, Translated};
use shofar_term::visit::postorder;
use shofar_term::{Cx, Kind, Sort, SortKind, Symbol, Term, TermStore};

use crate::Pass;
use crate::back::unchanged;
use crate::reshape::redeclared;
use number::Reading;
use readings::Readings;
use translate::Translation;
use witness::{Origin, Vectors};

/// Replaces bit-vectors by integers; see the module documentation.
#[derive(Clone, Copy, Debug)]
pub struct IntBlast {
    /// Bitwise operators and products of two variables are exact up to this width.
    pub bitwise: u32,
    /// Shifts by a variable are exact up to so many places.
    pub shifts: u32,
}

impl Default for IntBlast {
    fn default() -> Self {
        Self { bitwise: 16, shifts: 33 }
    }
}

impl Pass for IntBlast {
    fn name(&self) -> &'static str {
        "int_blast"
    }
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        if !has_bits(cx.store, &source) || !can_read(cx.store, &source) {
            return Ok(unchanged(source));
        }
        let readings = Readings::of(cx.store, &source);
        let mut target = predicates(cx.store, &source, &readings);
        let mut integers: Map<(Symbol, Reading), Symbol> = Map::default();
        let mut origins: IndexVec<ClauseId, Origin> = IndexVec::new();
        for (id, clause) in source.clauses() {
            cx.budget.check()?;
            let mut variables = Vec::with_capacity(readings.variables[id].len());
            for &(symbol, reading) in &readings.variables[id] {
                let integer = *integers.entry((symbol, reading)).or_insert_with(|| {
                    let name = cx.store.name(symbol).to_owned();
                    cx.store.fresh(&name, Sort::INT)
                });
                variables.push((symbol, reading, integer));
            }
            let mut translation = Translation::new(cx.store, *self, &variables);
            let clause = translation.clause(clause, |pred| &readings.arguments[pred]);
            let exact = translation.exact;
            target.add_clause(clause);
            let variables = variables.iter().map(|&(from, _, to)| (from, to)).collect();
            origins.push(Origin { variables, exact });
        }
        let back = Vectors { source, arguments: readings.arguments, origins };
        Ok((target, Box::new(back)))
    }
}

/// Whether a vector occurs.
fn has_bits(store: &TermStore, system: &ChcSystem) -> bool {
    let only_built_in = 3;
    if store.sort_count() == only_built_in {
        return false;
    }
    let is_bits = |&sort: &Sort| store.bits_width(sort).is_some();
    system.preds().any(|pred| system.sorts(store, pred).iter().any(is_bits))
        || terms(store, system).into_iter().any(|term| is_bits(&store.sort(term)))
}

/// All subterms of all clauses.
fn terms(store: &TermStore, system: &ChcSystem) -> Vec<Term> {
    let roots: Vec<Term> = system.clauses().flat_map(|(_, clause)| clause.terms()).collect();
    postorder(store, &roots)
}

/// Whether vectors occur only where the pass can follow them.
fn can_read(store: &TermStore, system: &ChcSystem) -> bool {
    let nested = |&sort: &Sort| nests_bits(store, sort);
    if system.preds().any(|pred| system.sorts(store, pred).iter().any(nested)) {
        return false;
    }
    let is_bits = |&term: &Term| store.bits_width(store.sort(term)).is_some();
    terms(store, system).into_iter().all(|term| {
        let kind = store.kind(term);
        if nests_bits(store, store.sort(term)) || matches!(kind, Kind::Quantified(..)) {
            return false;
        }
        let is_application = matches!(kind, Kind::App(..) | Kind::Array(_) | Kind::Data(_));
        !is_application || !is_bits(&term) && !store.children(term).iter().any(is_bits)
    })
}

/// Whether values of a sort have vectors in them without being one.
fn nests_bits(store: &TermStore, sort: Sort) -> bool {
    if store.sort_depth(sort) == 0 && store.constructors(sort).is_none() {
        return false;
    }
    let (mut work, mut seen) = (vec![sort], vec![sort]);
    while let Some(at) = work.pop() {
        let parts: Vec<Sort> = match store.sort_kind(at) {
            SortKind::Bits(_) => return true,
            SortKind::Array(index, element) => vec![index, element],
            SortKind::Data(_, constructors) => constructors
                .iter()
                .flat_map(|&constructor| store.constructor_fields(constructor))
                .map(|&field| store.field_sort(field))
                .collect(),
            SortKind::Bool | SortKind::Int | SortKind::Real | SortKind::Uninterpreted(_) => {
                Vec::new()
            }
        };
        for part in parts {
            if !seen.contains(&part) {
                seen.push(part);
                work.push(part);
            }
        }
    }
    false
}

/// A system without clauses, over the predicates of `source` in the same order with integers for
/// vectors.
fn predicates(store: &mut TermStore, source: &ChcSystem, readings: &Readings) -> ChcSystem {
    redeclared(store, source, |pred, sorts| {
        let readings = sorts.iter().zip(&readings.arguments[pred]);
        readings.map(|(&sort, reading)| if reading.is_some() { Sort::INT } else { sort }).collect()
    })
}
