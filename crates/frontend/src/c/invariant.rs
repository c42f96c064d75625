//! Loop invariants as expressions of C that mean to a compiler what the formula means.
//!
//! Numbers of formulas are mathematical, those of C are not: a sum may overflow, which has no
//! meaning, and a comparison of a signed with an unsigned number converts the signed one. So a
//! comparison of one variable with a constant is written as it is, if the constant belongs to the
//! type; in all others numbers of up to 32 bits are converted to `long long`, where the sums have
//! room. What names stand for depends on the place: a variable is named if it is declared before
//! the loop in the same function, or globally, and no other one that might be visible there has its
//! name.
//!
//! Conjuncts that cannot be said are left out: what is left is weaker, but an invariant.

use shofar_base::{IndexVec, Map, Span};
use shofar_num::{Rational, power_of_two};
use shofar_term::symbols::free_symbols;
use shofar_term::{ArithKind, Term, TermStore, visit};

use super::explain::WORDS;
use super::predicates::{ENTRY, Place};
use super::program::{Role, VarId, Variable};
use super::types::Int;
use crate::infix::{self, infix};

/// Sums in `long long` stay below this, so that nothing overflows on the way.
const MOST_BITS: u32 = 62;
/// Numbers of more bits are not computed with.
const WIDEST: u32 = 32;

/// The variables of a program by their names.
pub(super) struct Names<'e> {
    variables: &'e IndexVec<VarId, Variable>,
    homonyms: Map<&'e str, Vec<VarId>>,
}

/// A variable that can be named at a place.
struct Named<'e> {
    name: &'e str,
    int: Int,
}

impl<'e> Names<'e> {
    pub(super) fn new(variables: &'e IndexVec<VarId, Variable>) -> Self {
        let mut homonyms: Map<&str, Vec<VarId>> = Map::default();
        for (id, variable) in variables.handles().zip(variables) {
            homonyms.entry(source_name(variable)).or_default().push(id);
        }
        Self { variables, homonyms }
    }
    /// What an invariant with these parameters says at a loop, if it says anything that can be
    /// written.
    pub(super) fn invariant(
        &self,
        store: &TermStore,
        place: &Place,
        params: &[(Term, String)],
        body: Term,
    ) -> Option<String> {
        let mut named: Map<Term, Named<'_>> = Map::default();
        for ((term, param), &id) in params.iter().zip(&place.params) {
            let variable = &self.variables[id];
            let is_present = !param.ends_with(ENTRY) && !variable.shape.is_array();
            if is_present && self.is_visible(place, id) {
                let named_so = Named { name: source_name(variable), int: variable.shape.int };
                named.insert(*term, named_so);
            }
        }
        let conjuncts = store.conjuncts(&[body]).into_iter();
        let said: Vec<String> = conjuncts.filter_map(|c| expression(store, &named, c)).collect();
        match &said[..] {
            [] => None,
            [only] => Some(only.clone()),
            several => Some(format!("({})", several.join(") && ("))),
        }
    }
    /// Whether the name of a variable stands for it, and for nothing else, at the beginning of a
    /// loop.
    fn is_visible(&self, place: &Place, id: VarId) -> bool {
        let variable = &self.variables[id];
        let is_known = match variable.role {
            Role::Local(_) => is_declared_before(variable, place),
            Role::Global => !is_static(variable),
            Role::Hidden => false,
        };
        // Static variables of any function are taken to be visible.
        let hides = |&&other: &&VarId| {
            let variable = &self.variables[other];
            other != id && (is_declared_before(variable, place) || is_static(variable))
        };
        let homonyms = self.homonyms.get(source_name(variable));
        is_known && !homonyms.is_some_and(|all| all.iter().any(|other| hides(&other)))
    }
}

/// Whether a variable belongs to the function of a place, and is declared before it.
fn is_declared_before(variable: &Variable, place: &Place) -> bool {
    match variable.role {
        Role::Local(Span { start, .. }) => place.within.start <= start && start < place.span.start,
        Role::Global | Role::Hidden => false,
    }
}

/// Whether a variable lives as long as the program, but belongs to a function.
fn is_static(variable: &Variable) -> bool {
    variable.role == Role::Global && variable.name.contains('.')
}

/// What the text calls a variable.
pub(super) fn source_name(variable: &Variable) -> &str {
    let name = &variable.name;
    let end = name.find(['@', '.', '\'']).unwrap_or(name.len());
    &name[..end]
}

/// A formula as an expression; nothing if it would mean something else to a compiler.
fn expression(store: &TermStore, named: &Map<Term, Named<'_>>, formula: Term) -> Option<String> {
    let symbols = free_symbols(store, &[formula]);
    let mut known: Vec<(Term, &Named<'_>)> = Vec::new();
    for term in visit::postorder(store, &[formula]) {
        if store.symbol(term).is_some_and(|symbol| symbols.contains(&symbol)) {
            known.push((term, named.get(&term)?));
        }
    }
    let is_plain = visit::postorder(store, &[formula])
        .into_iter()
        .all(|term| compares_plainly(store, named, term));
    let is_narrow = || {
        let mut sizes: Map<Term, Rational> = Map::default();
        known.iter().all(|(_, variable)| variable.int.bits <= WIDEST)
            && visit::postorder(store, &[formula]).into_iter().all(|t| size(store, &mut sizes, t))
    };
    let cast = match is_plain {
        true => "",
        false if is_narrow() => "(long long)",
        false => return None,
    };
    let name = |(term, variable): &(Term, &Named<'_>)| (*term, format!("{cast}{}", variable.name));
    infix(store, &WORDS, &infix::Names::of(known.iter().map(name)), formula)
}

/// Whether a term is no computation, and no comparison but that of a variable with a constant of
/// its type.
fn compares_plainly(store: &TermStore, named: &Map<Term, Named<'_>>, term: Term) -> bool {
    match store.arith(term) {
        Some(
            ArithKind::Le(form, bound) | ArithKind::Lt(form, bound) | ArithKind::Eq(form, bound),
        ) => {
            // A negated comparison is written with the next number.
            let fits = |int: Int| {
                let next = bound + &Rational::ONE;
                int.min() <= *bound && *bound <= int.max() && next <= int.max()
            };
            named.get(&form).is_some_and(|variable| fits(variable.int))
        }
        Some(ArithKind::Number(_)) => true,
        Some(ArithKind::Sum(_) | ArithKind::Div(..) | ArithKind::Mod(..) | ArithKind::ToInt(_)) => {
            false
        }
        None => store.is_connective(term) || store.symbol(term).is_some(),
    }
}

/// Whether a term whose parts have these sizes can be computed in `long long`; then its size is
/// noted.
fn size(store: &TermStore, sizes: &mut Map<Term, Rational>, term: Term) -> bool {
    let of = |term: &Term| sizes.get(term).cloned();
    let bound = match store.arith(term) {
        Some(ArithKind::Number(number)) => Some(number.abs()),
        Some(ArithKind::Sum(sum)) => {
            sum.iter().try_fold(sum.constant().abs(), |bound, (factor, part)| {
                Some(&bound + &(&factor.abs() * &of(&part)?))
            })
        }
        Some(
            ArithKind::Le(form, bound) | ArithKind::Lt(form, bound) | ArithKind::Eq(form, bound),
        ) => of(&form).map(|form| &(&form + &bound.abs()) + &Rational::ONE),
        // The remainder is made positive by adding the divisor twice at most.
        Some(ArithKind::Div(part, by) | ArithKind::Mod(part, by)) => {
            of(&part).map(|part| &(&part + &by.abs()) + &by.abs())
        }
        Some(ArithKind::ToInt(_)) => None,
        None if store.symbol(term).is_some() => Some(power_of_two(WIDEST)),
        None if store.is_connective(term) => Some(Rational::ONE),
        None => store
            .choice(term)
            .and_then(|[_, yes, no]| of(&yes).zip(of(&no)).map(|(yes, no)| yes.max(no))),
    };
    match bound.filter(|bound| *bound < power_of_two(MOST_BITS)) {
        None => false,
        Some(bound) => {
            sizes.insert(term, bound);
            true
        }
    }
}
